// graze cspace: which link collides where, over two joints.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/argument.h"
#include "cli/cspace/cspace_output.h"
#include "cli/input/configuration.h"
#include "cli/input/robot_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

typedef struct cspace_options {
    gz_robot_input input;
    gz_posture_options posture;
    const char *joints, *size, *path;
    const char *output, *states, *legend, *picture;
    gz_texts ranges;
    bool certified;
    uint64_t threads, budget;
} cspace_options;

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

static int parse(cspace_options *o, const char **robot, int argc, char **argv) {
    gz_option posture[GZ_POSTURE_OPTION_COUNT];
    gz_robot_options shared;
    gz_option what[] = {
        {"joints", "A,B", .text = &o->joints,
         .help = "the two joints: A along x, B along y; needed"},
        {"size", "WxH", .text = &o->size,
         .help = "cells over A and over B, 1 to 16384 (default 512x512)"},
        {"range", "A=LOW,HIGH", .texts = &o->ranges,
         .help = "of a joint, rad or m (default: its limits; without\n"
                 "limits -pi to pi, or -1 to 1 m; repeatable)"},
        {"certified", NULL, .flag = &o->certified,
         .help = "prove of whole cells what can be proved"},
        {"budget", "N", .count = &o->budget, .maximum = INT64_MAX,
         .help = "most configurations that are checked; what is left is\n"
                 "undecided, exit status 4 (default 0: no limit)"},
        {"threads", "N", .count = &o->threads, .maximum = 1024,
         .help = "default 0: one per processor; the map is the same"},
    };
    gz_option answer[] = {
        {"picture", "FILE", .text = &o->picture, .file = GZ_FILE_WRITTEN,
         .help = "draw the map, a colour for each pair; .svg: with\n"
                 "axes and legend; .png, or any other: the map alone"},
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
    gz_posture_option_table(&o->posture, posture);
    gz_robot_input_options(&o->input, &shared);
    gz_option_section sections[] = {
        GZ_SECTION("map", what),
        // Without the first one, --joints, which means the map's here.
        {"where joints and base stay", posture + 1, GZ_POSTURE_OPTION_COUNT - 1},
        GZ_SECTION("answer", answer),
        shared.rules,
        shared.world,
        shared.attached,
        shared.robot,
        shared.limits};
    return gz_command_line_parse(&command_line, robot, sections, GZ_COUNT(sections), argc, argv);
}

static int read_size(const cspace_options *o, graze_cspace *map) {
    if (o->size == NULL) return GZ_EXIT_FINE;
    char text[32];
    uint64_t wide = 0, high = 0;
    snprintf(text, sizeof text, "%s", o->size);
    char *times = strchr(text, 'x');
    if (times != NULL) *times = '\0';
    if (strlen(o->size) >= sizeof text || times == NULL || !gz_decimal_parse_count(text, &wide) ||
        !gz_decimal_parse_count(times + 1, &high) || wide < 1 || wide > GRAZE_CSPACE_SIZE_MAX ||
        high < 1 || high > GRAZE_CSPACE_SIZE_MAX)
        return gz_message_usage("cspace", "--size is '%s'; allowed: WxH, each 1 to %d", o->size,
                                GRAZE_CSPACE_SIZE_MAX);
    map->width = (uint32_t)wide;
    map->height = (uint32_t)high;
    return GZ_EXIT_FINE;
}

static int check_usage(const cspace_options *o, graze_cspace *map) {
    if (o->joints == NULL) return gz_message_usage("cspace", "--joints is missing");
    if (o->path != NULL && o->picture == NULL)
        return gz_message_usage("cspace", "--path is drawn over --picture, which is missing");
    if (o->certified && o->input.level == GRAZE_LEVEL_BOUNDS)
        return gz_message_usage("cspace", "--certified is for --level mesh");
    const char *texts[] = {o->output, o->states, o->legend, o->picture};
    for (int i = 0; i < 4; i++)
        if (texts[i] != NULL && strcmp(texts[i], "-") == 0)
            return gz_message_usage("cspace", "the map's files have names; '-' is not allowed");
    const char *shared = gz_output_shared(texts, 4);
    if (shared != NULL)
        return gz_message_usage("cspace", "two of the map's files are '%s'; allowed: a file each",
                                shared);
    return read_size(o, map);
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

/// One --range NAME=LOW,HIGH.
static int read_range(const cspace_options *o, const char *text, graze_cspace *map) {
    const char *equals = strrchr(text, '='), *comma = equals ? strchr(equals, ',') : NULL;
    double range[2];
    if (comma == NULL || !gz_decimal_parse(equals + 1, (size_t)(comma - equals - 1), &range[0]) ||
        !gz_decimal_parse(comma + 1, strlen(comma + 1), &range[1]) || !isfinite(range[0]) ||
        !isfinite(range[1]) || !(range[0] < range[1]))
        return gz_message_usage("cspace", "--range is '%s'; allowed: JOINT=LOW,HIGH, ascending",
                                text);
    for (int k = 0; k < 2; k++) {
        const char *name = graze_robot_q_name(o->input.robot, (size_t)map->columns[k]);
        size_t length = (size_t)(equals - text);
        if (strlen(name) != length || strncmp(name, text, length) != 0) continue;
        if (!isnan(map->ranges[k][0]))
            return gz_message_usage("cspace", "--range of '%s' is given twice", name);
        map->ranges[k][0] = range[0];
        map->ranges[k][1] = range[1];
        return GZ_EXIT_FINE;
    }
    return gz_message_usage("cspace", "--range is '%s'; allowed: of one of '%s'", text, o->joints);
}

/// The path's two columns.
static int read_path(const cspace_options *o, const gz_posture *rest, gz_cspace_answer *answer) {
    enum { ROWS = 256 };
    const graze_cspace *map = answer->map;
    graze_error error;
    gz_configuration_file file;
    double *q = gz_storage_resize(NULL, ROWS, rest->size * sizeof *q);
    double *base = gz_storage_resize(NULL, ROWS, GZ_BASE_SIZE * sizeof *base);
    graze_status status = q && base ? gz_configuration_file_open(&file, o->path, o->input.robot,
                                                                 NULL, rest, &error)
                                    : gz_fail_memory(&error);
    bool opened = q && base;
    for (size_t count = 1; status == GRAZE_OK && count > 0;) {
        status = gz_configuration_file_read(&file, ROWS, q, base, &count, &error);
        if (!gz_storage_reserve((void **)&answer->path, &answer->path_capacity,
                                answer->path_count + count, 2 * sizeof *answer->path))
            status = gz_fail_memory(&error);
        for (size_t i = 0; status == GRAZE_OK && i < count; i++, answer->path_count++)
            for (int k = 0; k < 2; k++)
                answer->path[2 * answer->path_count + (size_t)k] =
                    q[i * rest->size + (size_t)map->columns[k]];
    }
    if (opened) gz_configuration_file_close(&file);
    gz_storage_free(q);
    gz_storage_free(base);
    return status == GRAZE_OK ? GZ_EXIT_FINE : gz_message_error("cspace", &error);
}

// ------------------------------------------------------------------------------------- the answer

static void show_progress(uint64_t done, uint64_t total, void *user) {
    gz_progress_update(user, done, (double)done / (double)total, "cells");
}

static int write_answer(const cspace_options *o, const gz_cspace_answer *answer) {
    int status = GZ_EXIT_FINE;
    if (o->output != NULL) status = gz_cspace_write_links(answer, o->output);
    if (status == GZ_EXIT_FINE && o->states != NULL)
        status = gz_cspace_write_states(answer, o->states);
    if (status == GZ_EXIT_FINE && o->legend != NULL)
        status = gz_cspace_write_legend(answer, o->legend);
    if (status == GZ_EXIT_FINE && o->picture != NULL)
        status = gz_cspace_draw_picture(answer, o->picture);
    if (status == GZ_EXIT_FINE && !o->input.quiet) gz_cspace_print(answer, stdout);
    return status;
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
static int map_robot(const cspace_options *o, graze_cspace *map, const gz_posture *rest) {
    int status = read_joints(o, map);
    for (size_t i = 0; status == GZ_EXIT_FINE && i < o->ranges.count; i++)
        status = read_range(o, o->ranges.items[i], map);
    if (status != GZ_EXIT_FINE) return status;
    gz_cspace_answer answer = {.checker = o->input.checker, .map = map};
    map->q = rest->q;
    map->base = rest->base;
    map->certified = o->certified;
    map->budget = o->budget;
    map->threads = (uint32_t)o->threads;
    if (o->path != NULL) status = read_path(o, rest, &answer);
    map->cells = gz_storage_resize(NULL, (size_t)map->width * map->height, sizeof *map->cells);
    if (map->cells == NULL) status = gz_message_no_memory();
    if (status == GZ_EXIT_FINE) status = find_map(o, map, &answer);
    if (status == GZ_EXIT_FINE) status = write_answer(o, &answer);
    if (status == GZ_EXIT_FINE && answer.summary.undecided > 0) {
        gz_message("%llu cells are undecided: %soutside of the domain (--domain)",
                   (unsigned long long)answer.summary.undecided,
                   o->budget ? "the budget is spent, or they are " : "they are ");
        status = GZ_EXIT_LIMIT;
    }
    gz_storage_free(map->cells);
    gz_cspace_answer_free(&answer);
    return status;
}

static int run_cspace(cspace_options *o, const char *robot, graze_cspace *map) {
    gz_robot_input *input = &o->input;
    int status = gz_robot_input_prepare(input, robot, GRAZE_VISUALS_CHECK, &o->posture, NULL,
                                        false);
    if (status != GZ_EXIT_FINE) return status;
    graze_error error;
    gz_posture rest;
    status = gz_posture_make(&rest, input->robot, &o->posture, &error) == GRAZE_OK
                 ? map_robot(o, map, &rest)
                 : gz_message_error("cspace", &error);
    gz_posture_free(&rest);
    return status;
}

int gz_command_cspace(int argc, char **argv) {
    cspace_options o = {.input = gz_robot_input_default("cspace")};
    graze_cspace map = graze_cspace_default();
    const char *robot = NULL;
    int status = parse(&o, &robot, argc, argv);
    if (status == GZ_GO_ON) {
        status = check_usage(&o, &map);
        if (status == GZ_EXIT_FINE) status = run_cspace(&o, robot, &map);
    }
    gz_texts_free(&o.ranges);
    gz_robot_input_free(&o.input);
    return status;
}

static bool collides(const graze_cspace_cell *cell) {
    return cell->state == GRAZE_CSPACE_COLLIDING || cell->state == GRAZE_CSPACE_COLLIDING_CERTIFIED;
}

ptrdiff_t gz_cspace_class_of(const gz_cspace_answer *a, const graze_cspace_cell *cell) {
    if (!collides(cell)) return -1;
    int32_t other = cell->kind == GRAZE_CONTACT_SELF ? cell->other : -1;
    for (size_t i = 0; i < a->class_count; i++) {
        const gz_cspace_class *c = &a->classes[i];
        if (c->kind == (graze_contact_kind)cell->kind && c->link == cell->link && c->other == other)
            return (ptrdiff_t)i;
    }
    return -1;
}

/// Most cells first; then by link, so that the order is always the same.
static int compare(const void *x, const void *y) {
    const gz_cspace_class *a = x, *b = y;
    if (a->cells != b->cells) return a->cells > b->cells ? -1 : 1;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->link != b->link) return a->link < b->link ? -1 : 1;
    return a->other < b->other ? -1 : a->other > b->other;
}

bool gz_cspace_answer_sort(gz_cspace_answer *a) {
    size_t count = (size_t)a->map->width * a->map->height;
    for (size_t i = 0; i < count; i++) {
        const graze_cspace_cell *cell = &a->map->cells[i];
        if (!collides(cell)) continue;
        ptrdiff_t at = gz_cspace_class_of(a, cell);
        if (at < 0) {
            if (!gz_storage_reserve((void **)&a->classes, &a->class_capacity, a->class_count + 1,
                                    sizeof *a->classes))
                return false;
            at = (ptrdiff_t)a->class_count++;
            a->classes[at] = (gz_cspace_class){
                .kind = (graze_contact_kind)cell->kind,
                .link = cell->link,
                .other = cell->kind == GRAZE_CONTACT_SELF ? cell->other : -1};
        }
        a->classes[at].cells++;
    }
    if (a->class_count) qsort(a->classes, a->class_count, sizeof *a->classes, compare);
    return true;
}

void gz_cspace_answer_free(gz_cspace_answer *a) {
    gz_storage_free(a->classes);
    gz_storage_free(a->path);
}

static const char *link_name(const gz_cspace_answer *a, int32_t link) {
    const char *name = graze_robot_link_name(graze_checker_robot(a->checker), link);
    return name ? name : "?";
}

static const char *other_name(const gz_cspace_answer *a, const gz_cspace_class *class) {
    if (class->kind == GRAZE_CONTACT_SELF) return link_name(a, class->other);
    return class->kind == GRAZE_CONTACT_WORLD ? "world" : "boundary";
}

const char *gz_cspace_class_name(const gz_cspace_answer *a, const gz_cspace_class *class,
                                 char *buffer, size_t size) {
    snprintf(buffer, size, "%s x %s", class->link < 0 ? "(not named)" : link_name(a, class->link),
             other_name(a, class));
    return gz_plain_line(buffer);
}

static const graze_joint_info *joint_of(const gz_cspace_answer *a, int side,
                                        graze_joint_info *info) {
    const graze_robot *robot = graze_checker_robot(a->checker);
    int32_t joint = graze_robot_q_joint(robot, (size_t)a->map->columns[side]);
    return graze_robot_joint(robot, joint, info) == GRAZE_OK ? info : NULL;
}

const char *gz_cspace_unit(const gz_cspace_answer *a, int side) {
    graze_joint_info info;
    if (joint_of(a, side, &info) == NULL) return "";
    int32_t place = a->map->columns[side] - info.q_index;
    bool length = info.type == GRAZE_JOINT_PRISMATIC || info.type == GRAZE_JOINT_FLOATING ||
                  (info.type == GRAZE_JOINT_PLANAR && place < 2);
    return length ? "m" : "rad";
}

// ------------------------------------------------------------------------------------------- NPY

static int write_header(gz_output *output, const gz_cspace_answer *a, const char *path,
                        const char *descr) {
    int status = gz_output_open(output, path);
    if (status != GZ_EXIT_FINE) return status;
    char header[GZ_NPY_HEADER_SIZE], shape[48];
    snprintf(shape, sizeof shape, "(%u, %u)", a->map->height, a->map->width);
    gz_npy_header(header, descr, shape);
    fwrite(header, 1, sizeof header, output->stream);
    return GZ_EXIT_FINE;
}

int gz_cspace_write_links(const gz_cspace_answer *a, const char *path) {
    gz_output output;
    int status = write_header(&output, a, path, "<i4");
    if (status != GZ_EXIT_FINE) return status;
    size_t count = (size_t)a->map->width * a->map->height;
    for (size_t i = 0; i < count; i++) {
        const graze_cspace_cell *cell = &a->map->cells[i];
        int32_t id = collides(cell)                          ? cell->link
                     : cell->state == GRAZE_CSPACE_UNDECIDED ? GZ_CSPACE_ID_UNDECIDED
                                                             : GZ_CSPACE_ID_FREE;
        uint32_t bits = (uint32_t)id;
        const uint8_t bytes[4] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16),
                                  (uint8_t)(bits >> 24)};
        fwrite(bytes, 1, sizeof bytes, output.stream);
    }
    return gz_output_finish(&output);
}

int gz_cspace_write_states(const gz_cspace_answer *a, const char *path) {
    gz_output output;
    int status = write_header(&output, a, path, "|u1");
    if (status != GZ_EXIT_FINE) return status;
    size_t count = (size_t)a->map->width * a->map->height;
    for (size_t i = 0; i < count; i++) fputc(a->map->cells[i].state, output.stream);
    return gz_output_finish(&output);
}

// ----------------------------------------------------------------------------------------- legend

static void write_axis(gz_json *json, const char *key, const gz_cspace_answer *a, int side) {
    const graze_robot *robot = graze_checker_robot(a->checker);
    gz_json_key(json, key);
    gz_json_put(json, "{ joint=%s unit=%s",
                graze_robot_q_name(robot, (size_t)a->map->columns[side]), gz_cspace_unit(a, side));
    gz_json_numbers(json, "range", a->summary.ranges[side], 2);
    gz_json_put(json, "cells=%u }", side == 0 ? a->map->width : a->map->height);
}

static void write_state(gz_json *json, const char *name, graze_cspace_state state, uint64_t cells) {
    gz_json_key(json, name);
    gz_json_put(json, "{ id=%d cells=%" PRIu64 " }", (int)state, cells);
}

static void write_states(gz_json *json, const graze_cspace_summary *s) {
    gz_json_put(json, "states={");
    write_state(json, "free", GRAZE_CSPACE_FREE, s->free_cells);
    write_state(json, "free_certified", GRAZE_CSPACE_FREE_CERTIFIED, s->free_certified);
    write_state(json, "colliding", GRAZE_CSPACE_COLLIDING, s->colliding_cells);
    write_state(json, "colliding_certified", GRAZE_CSPACE_COLLIDING_CERTIFIED,
                s->colliding_certified);
    write_state(json, "undecided", GRAZE_CSPACE_UNDECIDED, s->undecided);
    gz_json_put(json, "}");
}

static void write_legend(FILE *stream, const gz_cspace_answer *a) {
    gz_json json = gz_json_begin(stream, "graze-cspace-1");
    gz_json_gap(&json, "\n");
    write_axis(&json, "x", a, 0);
    write_axis(&json, "y", a, 1);
    gz_json_put(&json, "certified=%i", a->map->certified);
    write_states(&json, &a->summary);
    gz_json_put(&json, "outside_limits=%" PRIu64 " links=[", a->summary.outside);
    gz_json_gap(&json, "\n");
    const graze_robot *robot = graze_checker_robot(a->checker);
    for (int32_t i = 0; i < graze_robot_link_count(robot); i++)
        gz_json_put(&json, "{ id=%d name=%s }", i, link_name(a, i));
    gz_json_put(&json, "] pairs=[");
    gz_json_gap(&json, "\n");
    for (size_t i = 0; i < a->class_count; i++) {
        const gz_cspace_class *c = &a->classes[i];
        gz_json_put(&json, "{ link=%d other=%s cells=%" PRIu64 " }", c->link, other_name(a, c),
                    c->cells);
    }
    gz_json_finish(&json);
}

int gz_cspace_write_legend(const gz_cspace_answer *a, const char *path) {
    gz_output output;
    int status = gz_output_open(&output, path);
    if (status != GZ_EXIT_FINE) return status;
    write_legend(output.stream, a);
    return gz_output_finish(&output);
}

// ------------------------------------------------------------------------------------------ words

static void print_row(FILE *stream, const char *what, uint64_t cells, uint64_t all) {
    char percent[GZ_DECIMAL_SIZE];
    gz_decimal_format_fixed(percent, 100 * (double)cells / (double)all, 2);
    fprintf(stream, "  %-44s %10llu  %6s %%\n", what, (unsigned long long)cells, percent);
}

void gz_cspace_print(const gz_cspace_answer *a, FILE *stream) {
    const graze_cspace_summary *s = &a->summary;
    const graze_robot *robot = graze_checker_robot(a->checker);
    uint64_t all = (uint64_t)a->map->width * a->map->height;
    for (int side = 0; side < 2; side++) {
        char low[GZ_DECIMAL_SIZE], high[GZ_DECIMAL_SIZE];
        fprintf(stream, "%c  %s from %s to %s %s, %u cells\n", side == 0 ? 'x' : 'y',
                GZ_PLAIN(graze_robot_q_name(robot, (size_t)a->map->columns[side])),
                gz_decimal_format_fixed(low, s->ranges[side][0], 4),
                gz_decimal_format_fixed(high, s->ranges[side][1], 4), gz_cspace_unit(a, side),
                side == 0 ? a->map->width : a->map->height);
    }
    if (a->map->certified) print_row(stream, "free, proved", s->free_certified, all);
    print_row(stream, a->map->certified ? "free in the middle" : "free", s->free_cells, all);
    if (a->map->certified) print_row(stream, "colliding, proved", s->colliding_certified, all);
    print_row(stream, a->map->certified ? "colliding in the middle" : "colliding",
              s->colliding_cells, all);
    if (s->undecided) print_row(stream, "undecided", s->undecided, all);
    if (s->outside) print_row(stream, "outside the limits (of any state)", s->outside, all);
    if (a->class_count) fputs("colliding by the first pair\n", stream);
    for (size_t i = 0; i < a->class_count; i++) {
        char name[512];
        print_row(stream, gz_cspace_class_name(a, &a->classes[i], name, sizeof name),
                  a->classes[i].cells, all);
    }
}
