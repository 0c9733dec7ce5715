// graze cspace: which link collides where, over two joints.

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/argument.h"
#include "cli/cspace/cspace_output.h"
#include "cli/input/configuration.h"
#include "cli/input/robot_input.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/robot_view.h"
#include "cli/text.h"

typedef struct cspace_options {
    gz_robot_input input;
    const char *joints, *path;
    const char *output, *states, *legend, *picture;
    gz_cspace_sides sides;
    bool certified;
} cspace_options;

enum { PATH_ROWS = 256 }; ///< of a file, read at a time

static const gz_command_line command_line = {
    .command = "cspace",
    .synopsis = "cspace ROBOT --joints A,B [options]",
    .about =
        "Checks a robot over a grid of two joints and draws the map: free cells, and for the others\n"
        "which link collides. With --certified whole cells are proved free or colliding where that is\n"
        "possible. The other joints stay where --rest and --state put them. Exit status 0.",
    .examples =
        "  graze cspace robot.urdf --joints shoulder,elbow --picture map.svg\n"
        "  graze cspace robot.urdf --joints shoulder,elbow --world shelf.json --certified \\\n"
        "      --size 1000x1000 --range shoulder=-1,1 -o map.npy --legend map.json\n",
    .operand_name = "ROBOT",
};

static int check_usage(const cspace_options *o) {
    const char *texts[] = {o->output, o->states, o->legend, o->picture};
    const gz_usage_rule rules[] = {
        {o->joints == NULL, "--joints is missing"},
        {o->path != NULL && o->picture == NULL, "--path is drawn over --picture, which is missing"},
        {o->certified && o->input.level == GRAZE_LEVEL_BOUNDS, "--certified is for --level mesh"},
    };
    int status = gz_usage_check("cspace", rules, GZ_COUNT(rules));
    return status == GZ_GO_ON ? gz_cspace_files_check("cspace", texts) : status;
}

static int parse(cspace_options *o, graze_cspace *map, int argc, char **argv) {
    gz_option what[] = {
        {"joints", "A,B", .text = &o->joints,
         .help = "the two joints: A along x, B along y; needed"},
        {"size", "WxH", .text = &o->sides.size,
         .help = "cells over A and over B, 1 to 16384 (default 512x512)"},
        {"range", "A=LOW,HIGH", .texts = &o->sides.ranges,
         .help = "of a joint, rad or m (default: its limits; without\n"
                 "limits -pi to pi, or -1 to 1 m; repeatable)"},
        {"certified", NULL, .flag = &o->certified,
         .help = "prove of whole cells what can be proved"},
        {"budget", "N", .count = &map->budget, .maximum = INT64_MAX,
         .help = "most configurations that are checked; what is left is\n"
                 "undecided, exit status 4 (default 0: no limit)"},
        {"threads", "N", .count32 = &map->threads, .maximum = 1024,
         .help = "default 0: one per processor; the map is the same"},
    };
    gz_option answer[] = {
        {"picture", "FILE", .text = &o->picture, .file = GZ_FILE_WRITTEN,
         .endings = ".svg or .png, or '-' for a PNG on standard output",
         .help = "draw the map, a colour for each pair; .svg: with\n"
                 "axes and legend; .png: the map alone"},
        {"path", "FILE", .text = &o->path, .file = GZ_FILE_READ,
         .help = "draw these configurations as a line over the picture:\n"
                 ".csv with a header of joint names, or .npy of all of q"},
        {"output", "FILE.npy", .letter = 'o', .text = &o->output, .file = GZ_FILE_WRITTEN,
         .help = "link ids as int32 [height, width], the lowest B first:\n-1 free, -2 undecided"},
        {"states", "FILE.npy", .text = &o->states, .file = GZ_FILE_WRITTEN,
         .help = "states as uint8: 0 free, 1 proved free, 2 colliding,\n"
                 "3 proved colliding, 255 undecided"},
        {"legend", "FILE.json", .text = &o->legend, .file = GZ_FILE_WRITTEN,
         .help = "what the numbers mean: axes, states, links, pairs"},
    };
    const gz_option_section own[] = {GZ_SECTION("map", what), GZ_SECTION("answer", answer)};
    int status = gz_robot_input_parse(&o->input, &command_line, own, GZ_COUNT(own), argc, argv);
    return status == GZ_GO_ON ? check_usage(o) : status;
}

// ---------------------------------------------------------------------------- joints and ranges

static int read_joints(const cspace_options *o, graze_cspace *map) {
    graze_error error;
    gz_columns columns = {0};
    int status = GZ_EXIT_FINE;
    if (gz_columns_parse(&columns, o->input.robot, o->joints, &error) != GRAZE_OK) {
        status = gz_message_error("cspace", &error);
    } else if (columns.count != 2 || gz_columns_have_base(&columns)) {
        status = gz_message_usage("cspace", "--joints is '%s'; allowed: two joints", o->joints);
    } else {
        map->columns[0] = columns.places[0];
        map->columns[1] = columns.places[1];
    }
    gz_columns_free(&columns);
    return status;
}

static int read_sides(cspace_options *o, graze_cspace *map, gz_cspace_answer *answer) {
    uint32_t cells[2] = {map->width, map->height};
    o->sides.allowed = "JOINT=LOW,HIGH, ascending";
    o->sides.most = DBL_MAX;
    for (int k = 0; k < 2; k++) {
        answer->names[k] = graze_robot_q_name(o->input.robot, (size_t)map->columns[k]);
        answer->units[k] = gz_column_unit(o->input.robot, (size_t)map->columns[k]);
        o->sides.names[k] = answer->names[k];
    }
    GZ_TRY_EXIT(gz_cspace_sides_read(&o->sides, "cspace", cells, map->ranges));
    map->width = cells[0];
    map->height = cells[1];
    return GZ_EXIT_FINE;
}

/// Adds the two columns of the rows of a file to the path.
static graze_status read_rows(gz_configuration_file *file, double *q, double *base,
                              gz_cspace_answer *answer, graze_error *error) {
    const int32_t *columns = answer->map->columns;
    for (size_t count = 1; count > 0;) {
        GZ_TRY(gz_configuration_file_read(file, PATH_ROWS, q, base, &count, error));
        if (!gz_array_reserve((void **)&answer->path, &answer->path_capacity,
                              answer->path_count + count, 2 * sizeof *answer->path))
            return gz_fail_memory(error);
        for (size_t i = 0; i < count; i++, answer->path_count++)
            for (size_t k = 0; k < 2; k++)
                answer->path[2 * answer->path_count + k] =
                    q[i * file->rest->size + (size_t)columns[k]];
    }
    return GRAZE_OK;
}

static int read_path(const cspace_options *o, const gz_posture *rest, gz_cspace_answer *answer) {
    graze_error error;
    gz_configuration_file file;
    size_t row = rest->size + GZ_BASE_SIZE;
    double *q = gz_malloc(PATH_ROWS, row * sizeof *q);
    if (q == NULL) return gz_message_no_memory();
    graze_status status = gz_configuration_file_open(&file, o->path, o->input.robot, NULL, rest,
                                                     &error);
    if (status == GRAZE_OK)
        status = read_rows(&file, q, q + PATH_ROWS * rest->size, answer, &error);
    gz_configuration_file_close(&file);
    gz_free(q);
    return gz_message_outcome("cspace", status, &error);
}

// ------------------------------------------------------------------------------------- the answer

static void show_progress(uint64_t done, uint64_t total, void *user) {
    gz_progress_update(user, done, (double)done / (double)total, "cells");
}

static int write_answer(const cspace_options *o, const gz_cspace_answer *answer) {
    const struct {
        const char *path;
        int (*write)(const gz_cspace_answer *answer, const char *path);
    } files[] = {{o->output, gz_cspace_write_links},
                 {o->states, gz_cspace_write_states},
                 {o->legend, gz_cspace_write_legend},
                 {o->picture, gz_cspace_draw_picture}};
    for (size_t i = 0; i < GZ_COUNT(files); i++)
        if (files[i].path != NULL) GZ_TRY_EXIT(files[i].write(answer, files[i].path));
    if (!o->input.quiet) gz_cspace_print(answer, stdout);
    return GZ_EXIT_FINE;
}

static int find_map(const cspace_options *o, graze_cspace *map, gz_cspace_answer *answer) {
    gz_progress progress = gz_progress_start(o->input.quiet);
    map->progress = show_progress;
    map->user = &progress;
    map->cancel = gz_interrupt_flag();
    graze_error error;
    gz_interrupt_catch();
    graze_status status = graze_cspace_map(o->input.checker, map, &answer->summary, &error);
    gz_progress_clear(&progress);
    if (status == GRAZE_ERROR_CANCELLED) return gz_interrupt_exit();
    if (status != GRAZE_OK) return gz_message_error("cspace", &error);
    return gz_cspace_answer_sort(answer) ? GZ_EXIT_FINE : gz_message_no_memory();
}

/// Everything that needs the robot.
static int map_robot(cspace_options *o, graze_cspace *map, const gz_posture *rest) {
    int status = GZ_EXIT_FINE;
    GZ_TRY_EXIT(read_joints(o, map));
    gz_cspace_answer answer = {.robot = o->input.robot, .map = map};
    GZ_TRY_EXIT(read_sides(o, map, &answer));
    map->q = rest->q;
    map->base = rest->base;
    map->certified = o->certified;
    if (o->path != NULL) status = read_path(o, rest, &answer);
    // Rows that a budget leaves alone take no memory: the cells of one stand for all of them.
    map->cells = gz_malloc((size_t)map->width * map->height, sizeof *map->cells);
    map->rows = gz_malloc(map->height, 1);
    graze_cspace_cell *undecided = gz_malloc(map->width, sizeof *undecided);
    for (uint32_t x = 0; undecided != NULL && x < map->width; x++)
        undecided[x] = (graze_cspace_cell){
            .state = GRAZE_CSPACE_UNDECIDED, .link = -1, .other = -1};
    answer.undecided = undecided;
    if (map->cells == NULL || map->rows == NULL || undecided == NULL)
        status = gz_message_no_memory();
    if (status == GZ_EXIT_FINE) status = find_map(o, map, &answer);
    if (status == GZ_EXIT_FINE) status = write_answer(o, &answer);
    if (status == GZ_EXIT_FINE && answer.summary.undecided > 0) {
        gz_message("%llu cells are undecided: %soutside of the domain (--domain)",
                   (unsigned long long)answer.summary.undecided,
                   map->budget ? "the budget is spent, or they are " : "they are ");
        status = GZ_EXIT_LIMIT;
    }
    gz_free(map->cells);
    gz_free(map->rows);
    gz_free(undecided);
    gz_cspace_answer_free(&answer);
    return status;
}

static int run_cspace(cspace_options *o, graze_cspace *map) {
    gz_robot_input *input = &o->input;
    GZ_TRY_EXIT(gz_robot_input_prepare(input, GRAZE_VISUALS_CHECK, NULL, false));
    graze_error error;
    gz_posture rest;
    int status = gz_posture_make(&rest, input->robot, &input->posture, &error) == GRAZE_OK
                     ? map_robot(o, map, &rest)
                     : gz_message_error("cspace", &error);
    gz_posture_free(&rest);
    return status;
}

int gz_command_cspace(int argc, char **argv) {
    cspace_options o = {.input = gz_robot_input_default("cspace")};
    graze_cspace map = graze_cspace_default();
    map.threads = 0;
    o.input.shared = GZ_SHARED_CHECKER;
    o.input.own_joints = true;
    int status = parse(&o, &map, argc, argv);
    if (status == GZ_GO_ON) status = run_cspace(&o, &map);
    gz_texts_free(&o.sides.ranges);
    gz_robot_input_free(&o.input);
    return status;
}
