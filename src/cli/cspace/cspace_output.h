/// A collision map as files and words: which link collides where.
#ifndef GZ_CLI_CSPACE_CSPACE_OUTPUT_H
#define GZ_CLI_CSPACE_CSPACE_OUTPUT_H

#include <stdio.h>

#include "cli/argument.h"
#include "cli/json.h"
#include "graze/graze.h"
#include "picture/svg.h"

/// Cells that collide in the same way: a link with the world, or with another link.
typedef struct gz_cspace_class {
    graze_contact_kind kind;
    int32_t link, other; ///< other: of two links; -1 for the world and its boundary
    uint64_t cells;
} gz_cspace_class;

/// A place of a map that has a name.
typedef struct gz_cspace_mark {
    double at[3];      ///< along x and y, and a heading
    const char *color; ///< "#rrggbb"
    int kind;          ///< of the caller's
    char name[8];
} gz_cspace_mark;

/// A map and what it shows.
typedef struct gz_cspace_answer {
    const graze_robot *robot; ///< NULL: of the plane
    const char *whose;        ///< what a link is called there, before its number
    size_t link_count;
    graze_cspace map;                ///< its cells and rows are owned
    const char *names[2], *units[2]; ///< of the sides; units: "rad" or "m"
    graze_cspace_summary summary;
    gz_cspace_class *classes; ///< the one with the most cells first
    size_t class_count, class_capacity;
    graze_cspace_cell *undecided; ///< a row of cells that are so
    double
        *path; ///< drawn over the map: path_count places, path_stride numbers each, x and y first
    size_t path_count, path_capacity, path_stride;
    gz_cspace_mark *marks; ///< drawn as dots with their names
    size_t mark_count;
} gz_cspace_answer;

/// The cells of a row, the lowest first; of one that the map left alone, undecided ones.
const graze_cspace_cell *gz_cspace_row(const gz_cspace_answer *answer, uint32_t y);
/// Fills a map's cells.
typedef graze_status gz_cspace_mapper(const void *subject, gz_cspace_answer *answer,
                                      graze_error *error);
/// Has a map filled, with a bar of progress unless `quiet`, until a signal comes, and counts its
/// states and classes. Returns an exit status.
int gz_cspace_find(gz_cspace_answer *answer, const char *command, bool quiet,
                   gz_cspace_mapper *fill, const void *subject);
void gz_cspace_answer_free(gz_cspace_answer *answer);
/// The class of a colliding cell, an index; -1 for others.
ptrdiff_t gz_cspace_class_of(const gz_cspace_answer *answer, const graze_cspace_cell *cell);
/// "gripper_link x world" in a buffer; in the plane, "link 2".
const char *gz_cspace_class_name(const gz_cspace_answer *answer, const gz_cspace_class *class,
                                 char *buffer, size_t size);

/// Write to files, each of which appears when it is complete. Return exit statuses.
int gz_cspace_write_links(const gz_cspace_answer *answer, const char *path);
int gz_cspace_write_states(const gz_cspace_answer *answer, const char *path);
int gz_cspace_write_legend(const gz_cspace_answer *answer, const char *path);

/// Draws the map with limits, path and marks: as SVG, with axes and a legend, where the path ends
/// in .svg, else as PNG. Returns an exit status.
int gz_cspace_draw_picture(const gz_cspace_answer *answer, const char *path);

/// The sides of a map over a box of a page.
gz_plot gz_cspace_plot(const gz_cspace_answer *answer, const gz_svg *page, gz_plot_box box);
/// Draws the map with axes, limits and path in the box of a plot. False when out of memory.
bool gz_cspace_draw_map(const gz_cspace_answer *answer, const gz_plot *plot, const char *title);
/// Adds rows for what the map shows.
void gz_cspace_draw_legend(const gz_cspace_answer *answer, gz_legend *legend);

/// What the map came to, for people.
void gz_cspace_print(const gz_cspace_answer *answer, FILE *stream);

// -------------------------------------------------------------------------------- command lines

/// The sides of a map as options give them: --size WxH, and --range NAME=LOW,HIGH for either.
typedef struct gz_cspace_sides {
    const char *size;
    gz_texts ranges;
    const char *names[2], *allowed; ///< of the sides, and what a range may be
    double most;                    ///< the largest magnitude of a value
} gz_cspace_sides;

/// Changes the width, the height and the ranges of a map to those given. Returns an exit status.
int gz_cspace_sides_read(const gz_cspace_sides *sides, const char *command, graze_cspace *map);

/// What a command line says of a map, and its files.
typedef struct gz_cspace_input {
    gz_cspace_sides sides;
    bool certified;
    const char *output, *states, *legend, *picture;
} gz_cspace_input;

/// Its options and those of a map; `range` is what help says of ranges, and of the files what is
/// drawn, whose ids are written, and what a legend has.
#define GZ_CSPACE_MAP_OPTIONS(input, map, range)                                                   \
    {"size", "WxH", .text = &(input)->sides.size,                                                  \
     .help = "cells along x and y, 1 to 16384 (default 512x512)"},                                 \
        {"range", "A=LOW,HIGH", .texts = &(input)->sides.ranges, .help = range},                   \
        {"certified", NULL, .flag = &(input)->certified,                                           \
         .help = "prove of whole cells what can be proved"},                                       \
        {"budget", "N", .count = &(map)->budget, .maximum = INT64_MAX,                             \
         .help = "most configurations that are checked; what is left is\n"                         \
                 "undecided, exit status 4 (default 0: no limit)"},                                \
    {                                                                                              \
        "threads", "N", .count32 = &(map)->threads, .maximum = 1024,                               \
                        .help = "default 0: one per processor; the map is the same"                \
    }
#define GZ_CSPACE_FILE_OPTIONS(input, drawn, whose, meaning)                                       \
    {"picture",                                                                                    \
     "FILE",                                                                                       \
     .text = &(input)->picture,                                                                    \
     .file = GZ_FILE_WRITTEN,                                                                      \
     .endings = ".svg or .png",                                                                    \
     .help = drawn},                                                                               \
        {"output",                                                                                 \
         "FILE.npy",                                                                               \
         .letter = 'o',                                                                            \
         .text = &(input)->output,                                                                 \
         .file = GZ_FILE_WRITTEN,                                                                  \
         .help = whose " as int32 [height, width], the\n"                                          \
                       "lowest row first: -1 free, -2 undecided"},                                 \
        {"states", "FILE.npy", .text = &(input)->states, .file = GZ_FILE_WRITTEN,                  \
         .help = "states as uint8: 0 free, 1 proved free, 2 colliding,\n"                          \
                 "3 proved colliding, 255 undecided"},                                             \
    {                                                                                              \
        "legend", "FILE.json", .text = &(input)->legend, .file = GZ_FILE_WRITTEN, .help = meaning  \
    }

/// Whether the files are a file each, none of them standard output. Returns GZ_GO_ON, or the exit
/// status of a usage error.
int gz_cspace_files_check(const char *command, const gz_cspace_input *input);

// ---------------------------------------------------------------------------- parts of legends

/// Writes an axis, x={...} or y={...}; its name is nullable.
void gz_cspace_put_axis(gz_json *json, int side, const char *name, const char *unit,
                        const double range[2], uint32_t cells);
/// Writes both axes of a map, whether it is certified, and the number of cells of each state and of
/// each link.
void gz_cspace_put_map(gz_json *json, const gz_cspace_answer *answer);
#endif
