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

/// A map and what it shows.
typedef struct gz_cspace_answer {
    const graze_robot *robot; ///< NULL: of the plane
    const char *whose;        ///< what a link is called there, before its number
    const graze_cspace *map;
    const char *names[2], *units[2]; ///< of the sides; units: "rad" or "m"
    graze_cspace_summary summary;
    gz_cspace_class *classes; ///< the one with the most cells first
    size_t class_count, class_capacity;
    const graze_cspace_cell *undecided; ///< a row of cells that are so
    double *path; ///< path_count pairs of values of the two columns, to be drawn over the map
    size_t path_count, path_capacity;
    double ends[2][2]; ///< a start and a goal, drawn as dots
    bool has_ends;
} gz_cspace_answer;

/// The cells of a row, the lowest first; of one that the map left alone, undecided ones.
const graze_cspace_cell *gz_cspace_row(const gz_cspace_answer *answer, uint32_t y);
/// Counts the classes; false when out of memory.
bool gz_cspace_answer_sort(gz_cspace_answer *answer);
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

/// Draws the map with limits and path: as SVG, with axes and a legend, where the path ends in .svg,
/// else as PNG. Returns an exit status.
int gz_cspace_draw_picture(const gz_cspace_answer *answer, const char *path);

/// Draws the map with axes, limits and path in the box of a plot. False when out of memory.
bool gz_cspace_draw_map(const gz_cspace_answer *answer, const gz_plot *plot, const char *title);
/// Adds rows for what the map shows.
void gz_cspace_draw_legend(const gz_cspace_answer *answer, gz_legend *legend);

/// What the map came to, for people.
void gz_cspace_print(const gz_cspace_answer *answer, FILE *stream);

// ---------------------------------------------------------------- shared with graze planar

/// Whether the files of a map (nullable) are a file each, none of them standard output. Returns
/// GZ_GO_ON, or the exit status of a usage error.
int gz_cspace_files_check(const char *command, const char *const files[4]);

/// The sides of a map as options give them: --size WxH, and --range NAME=LOW,HIGH for either.
typedef struct gz_cspace_sides {
    const char *size;
    gz_texts ranges;
    const char *names[2], *allowed; ///< of the sides, and what a range may be
    double most;                    ///< the largest magnitude of a value
} gz_cspace_sides;

/// Changes cells and ranges to those given. Returns an exit status.
int gz_cspace_sides_read(const gz_cspace_sides *sides, const char *command, uint32_t cells[2],
                         double ranges[2][2]);

/// Writes an axis, x={...} or y={...}; its name is nullable.
void gz_cspace_put_axis(gz_json *json, int side, const char *name, const char *unit,
                        const double range[2], uint32_t cells);
/// Writes both axes of a map, whether it is certified, and the number of cells of each state.
void gz_cspace_put_map(gz_json *json, const gz_cspace_answer *answer);
#endif
