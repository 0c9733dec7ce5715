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
#include "cli/message.h"
#include "cli/output.h"
#include "cli/robot_view.h"
#include "cli/text.h"

typedef struct cspace_options {
    gz_robot_input input;
    const char *joints, *path;
    gz_cspace_input map;
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
    const gz_usage_rule rules[] = {
        {o->joints == NULL, "--joints is missing"},
        {o->path != NULL && o->map.picture == NULL,
         "--path is drawn over --picture, which is missing"},
        {o->map.certified && o->input.level == GRAZE_LEVEL_BOUNDS,
         "--certified is for --level mesh"},
    };
    int status = gz_usage_check("cspace", rules, GZ_COUNT(rules));
    return status == GZ_GO_ON ? gz_cspace_files_check("cspace", &o->map) : status;
}

static int parse(cspace_options *o, graze_cspace *map, int argc, char **argv) {
    gz_option what[] = {
        {"joints", "A,B", .text = &o->joints,
         .help = "the two joints: A along x, B along y; needed"},
        GZ_CSPACE_MAP_OPTIONS(&o->map, map,
                              "of a joint, rad or m (default: its limits; without\n"
                              "limits -pi to pi, or -1 to 1 m; repeatable)"),
    };
    gz_option answer[] = {
        GZ_CSPACE_FILE_OPTIONS(&o->map,
                               "draw the map, a colour for each pair; .svg: with\n"
                               "axes and legend; .png: the map alone",
                               "ids of links", "what the numbers mean: axes, states, links, pairs"),
        {"path", "FILE", .text = &o->path, .file = GZ_FILE_READ,
         .help = "draw these configurations as a line over the picture:\n"
                 ".csv with a header of joint names, or .npy of all of q"},
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

static int read_sides(cspace_options *o, gz_cspace_answer *answer) {
    gz_cspace_sides *sides = &o->map.sides;
    sides->allowed = "JOINT=LOW,HIGH, ascending";
    sides->most = DBL_MAX;
    for (int k = 0; k < 2; k++) {
        size_t column = (size_t)answer->map.columns[k];
        sides->names[k] = answer->names[k] = graze_robot_q_name(o->input.robot, column);
        answer->units[k] = gz_column_unit(o->input.robot, column);
    }
    return gz_cspace_sides_read(sides, "cspace", &answer->map);
}

/// Adds the two columns of the rows of a file to the path.
static graze_status read_rows(gz_configuration_file *file, double *q, double *base,
                              gz_cspace_answer *answer, graze_error *error) {
    const int32_t *columns = answer->map.columns;
    for (size_t count = 1; count > 0;) {
        GZ_TRY(gz_configuration_file_read(file, PATH_ROWS, q, base, &count, error));
        if (!gz_array_reserve((void **)&answer->path, &answer->path_capacity,
                              answer->path_count + count, 2 * sizeof *answer->path))
            return gz_fail_memory(error);
        answer->path_stride = 2;
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

static int write_answer(const cspace_options *o, const gz_cspace_answer *answer) {
    const struct {
        const char *path;
        int (*write)(const gz_cspace_answer *answer, const char *path);
    } files[] = {{o->map.output, gz_cspace_write_links},
                 {o->map.states, gz_cspace_write_states},
                 {o->map.legend, gz_cspace_write_legend},
                 {o->map.picture, gz_cspace_draw_picture}};
    for (size_t i = 0; i < GZ_COUNT(files); i++)
        if (files[i].path != NULL) GZ_TRY_EXIT(files[i].write(answer, files[i].path));
    if (!o->input.quiet) gz_cspace_print(answer, stdout);
    if (answer->summary.undecided == 0) return GZ_EXIT_FINE;
    gz_message("%llu cells are undecided: %soutside of the domain (--domain)",
               (unsigned long long)answer->summary.undecided,
               answer->map.budget ? "the budget is spent, or they are " : "they are ");
    return GZ_EXIT_LIMIT;
}

static graze_status fill(const void *checker, gz_cspace_answer *answer, graze_error *error) {
    return graze_cspace_map(checker, &answer->map, &answer->summary, error);
}

/// Everything that needs the robot.
static int map_robot(cspace_options *o, const graze_cspace *map, const gz_posture *rest) {
    gz_cspace_answer answer = {.robot = o->input.robot, .map = *map};
    answer.link_count = graze_robot_link_count(o->input.robot);
    answer.map.q = rest->q;
    answer.map.base = rest->base;
    answer.map.certified = o->map.certified;
    int status = read_joints(o, &answer.map);
    if (status == GZ_EXIT_FINE) status = read_sides(o, &answer);
    if (status == GZ_EXIT_FINE && o->path != NULL) status = read_path(o, rest, &answer);
    if (status == GZ_EXIT_FINE)
        status = gz_cspace_find(&answer, "cspace", o->input.quiet, fill, o->input.checker);
    if (status == GZ_EXIT_FINE) status = write_answer(o, &answer);
    gz_cspace_answer_free(&answer);
    return status;
}

static int run_cspace(cspace_options *o, const graze_cspace *map) {
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
    gz_texts_free(&o.map.sides.ranges);
    gz_robot_input_free(&o.input);
    return status;
}
