#include "cli/cspace/cspace_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/argument.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

static bool collides(const graze_cspace_cell *cell) {
    return cell->state == GRAZE_CSPACE_COLLIDING || cell->state == GRAZE_CSPACE_COLLIDING_CERTIFIED;
}

/// The class of a colliding cell, without its count.
static gz_cspace_class class_of(const graze_cspace_cell *cell) {
    return (gz_cspace_class){.kind = (graze_contact_kind)cell->kind,
                             .link = cell->link,
                             .other = cell->kind == GRAZE_CONTACT_SELF ? cell->other : -1};
}

ptrdiff_t gz_cspace_class_of(const gz_cspace_answer *a, const graze_cspace_cell *cell) {
    if (!collides(cell)) return -1;
    const gz_cspace_class wanted = class_of(cell);
    for (size_t i = 0; i < a->class_count; i++) {
        const gz_cspace_class *c = &a->classes[i];
        if (c->kind == wanted.kind && c->link == wanted.link && c->other == wanted.other)
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

const graze_cspace_cell *gz_cspace_row(const gz_cspace_answer *a, uint32_t y) {
    return a->map.rows[y] ? &a->map.cells[(size_t)y * a->map.width] : a->undecided;
}

/// Adds a cell to the count of its class; false when out of memory.
static bool count_cell(gz_cspace_answer *a, const graze_cspace_cell *cell) {
    if (!collides(cell)) return true;
    ptrdiff_t at = gz_cspace_class_of(a, cell);
    if (at < 0) {
        if (!gz_array_reserve((void **)&a->classes, &a->class_capacity, a->class_count + 1,
                              sizeof *a->classes))
            return false;
        at = (ptrdiff_t)a->class_count++;
        a->classes[at] = class_of(cell);
    }
    a->classes[at].cells++;
    return true;
}

static int count_cells(gz_cspace_answer *a) {
    uint64_t states[UINT8_MAX + 1] = {0};
    graze_cspace_summary *s = &a->summary;
    for (uint32_t y = 0; y < a->map.height; y++) {
        const graze_cspace_cell *row = gz_cspace_row(a, y);
        for (uint32_t x = 0; x < a->map.width; x++) {
            states[row[x].state]++;
            if (!count_cell(a, &row[x])) return gz_message_no_memory();
        }
    }
    s->free_cells = states[GRAZE_CSPACE_FREE];
    s->free_certified = states[GRAZE_CSPACE_FREE_CERTIFIED];
    s->colliding_cells = states[GRAZE_CSPACE_COLLIDING];
    s->colliding_certified = states[GRAZE_CSPACE_COLLIDING_CERTIFIED];
    s->undecided = states[GRAZE_CSPACE_UNDECIDED];
    if (a->class_count) qsort(a->classes, a->class_count, sizeof *a->classes, compare);
    return GZ_EXIT_FINE;
}

static void show_progress(uint64_t done, uint64_t total, void *user) {
    gz_progress_update(user, done, (double)done / (double)total, "cells");
}

int gz_cspace_find(gz_cspace_answer *a, const char *command, bool quiet, gz_cspace_mapper *fill,
                   const void *subject) {
    graze_cspace *map = &a->map;
    // Rows that a budget leaves alone take no memory: the cells of one stand for all of them.
    map->cells = gz_malloc((size_t)map->width * map->height, sizeof *map->cells);
    map->rows = gz_malloc(map->height, 1);
    a->undecided = gz_malloc(map->width, sizeof *a->undecided);
    if (!map->cells || !map->rows || !a->undecided) return gz_message_no_memory();
    for (uint32_t x = 0; x < map->width; x++)
        a->undecided[x] = (graze_cspace_cell){
            .state = GRAZE_CSPACE_UNDECIDED, .link = -1, .other = -1};
    gz_progress progress = gz_progress_start(quiet);
    map->progress = show_progress;
    map->user = &progress;
    map->cancel = gz_interrupt_flag();
    graze_error error;
    gz_interrupt_catch();
    graze_status status = fill(subject, a, &error);
    gz_progress_clear(&progress);
    if (status == GRAZE_ERROR_CANCELLED) return gz_interrupt_exit();
    if (status == GRAZE_OK) return count_cells(a);
    return a->robot ? gz_message_error(command, &error) : gz_message_refusal(command, &error);
}

void gz_cspace_answer_free(gz_cspace_answer *a) {
    gz_free(a->map.cells);
    gz_free(a->map.rows);
    gz_free(a->undecided);
    gz_free(a->classes);
    gz_free(a->path);
    gz_free(a->marks);
}

static const char *other_name(const gz_cspace_answer *a, const gz_cspace_class *class) {
    static const char *const names[] = {
        [GRAZE_CONTACT_WORLD] = "world", [GRAZE_CONTACT_BOUNDARY] = "boundary"};
    return class->kind != GRAZE_CONTACT_SELF ? names[class->kind]
                                             : graze_robot_link_name(a->robot, class->other);
}

const char *gz_cspace_class_name(const gz_cspace_answer *a, const gz_cspace_class *class,
                                 char *buffer, size_t size) {
    const char *link = graze_robot_link_name(a->robot, class->link);
    if (a->robot != NULL)
        snprintf(buffer, size, "%s x %s", link != NULL ? link : "(not named)",
                 other_name(a, class));
    else
        snprintf(buffer, size, "%s %d", a->whose, (int)class->link);
    return gz_plain_line(buffer);
}

int gz_cspace_files_check(const char *command, const gz_cspace_input *input) {
    const char *const files[] = {input->output, input->states, input->legend, input->picture};
    for (size_t i = 0; i < GZ_COUNT(files); i++)
        if (files[i] != NULL && strcmp(files[i], "-") == 0)
            return gz_message_usage(command, "the map's files have names; '-' is not allowed");
    return gz_files_apart(command, "of the map's files", files, GZ_COUNT(files));
}

static bool parse_size(const char *text, graze_cspace *map) {
    char wide[32];
    uint64_t size[2];
    size_t length = strcspn(text, "x");
    if (length >= sizeof wide || text[length] != 'x') return false;
    snprintf(wide, sizeof wide, "%.*s", (int)length, text);
    for (int k = 0; k < 2; k++) {
        if (!gz_decimal_parse_count(k ? text + length + 1 : wide, &size[k]) || size[k] < 1 ||
            size[k] > GRAZE_CSPACE_SIZE_MAX)
            return false;
    }
    map->width = (uint32_t)size[0];
    map->height = (uint32_t)size[1];
    return true;
}

static int read_range(const gz_cspace_sides *s, const char *command, const char *text,
                      bool given[2], double ranges[2][2]) {
    double n[2];
    const char *equals = strrchr(text, '=');
    if (equals == NULL || !gz_decimal_parse_list(equals + 1, n, 2) || !(n[0] < n[1]) ||
        !(fabs(n[0]) <= s->most && fabs(n[1]) <= s->most))
        return gz_message_usage(command, "--range is '%s'; allowed: %s", text, s->allowed);
    size_t length = (size_t)(equals - text);
    for (int side = 0; side < 2; side++) {
        if (strlen(s->names[side]) != length || strncmp(s->names[side], text, length) != 0)
            continue;
        if (given[side])
            return gz_message_usage(command, "--range of '%s' is given twice", s->names[side]);
        given[side] = true;
        memcpy(ranges[side], n, sizeof n);
        return GZ_EXIT_FINE;
    }
    return gz_message_usage(command, "--range is '%s'; allowed: of the sides '%s' and '%s'", text,
                            s->names[0], s->names[1]);
}

int gz_cspace_sides_read(const gz_cspace_sides *sides, const char *command, graze_cspace *map) {
    bool given[2] = {false, false};
    if (sides->size != NULL && !parse_size(sides->size, map))
        return gz_message_usage(command, "--size is '%s'; allowed: WxH, each 1 to %d", sides->size,
                                GRAZE_CSPACE_SIZE_MAX);
    for (size_t i = 0; i < sides->ranges.count; i++)
        GZ_TRY_EXIT(read_range(sides, command, sides->ranges.items[i], given, map->ranges));
    return GZ_EXIT_FINE;
}

// ------------------------------------------------------------------------------------------- NPY

/// The numbers of link ids in an NPY: they need not be the command's own names.
enum { ID_FREE = -1, ID_UNDECIDED = -2 };

static int32_t id_of(const graze_cspace_cell *cell) {
    if (collides(cell)) return cell->link;
    return cell->state == GRAZE_CSPACE_UNDECIDED ? ID_UNDECIDED : ID_FREE;
}

/// Writes a number a cell, the lowest row first: ids of links as int32, or states as uint8.
static int write_cells(const gz_cspace_answer *a, const char *path, bool links) {
    gz_output output;
    const uint32_t width = a->map.width;
    const size_t size = links ? 4 : 1;
    uint8_t *bytes = gz_malloc(width, size);
    if (bytes == NULL) return gz_message_no_memory();
    int status = gz_output_open(&output, path);
    if (status == GZ_EXIT_FINE)
        gz_npy_header_write(output.stream, links ? "<i4" : "|u1", a->map.height, width);
    const graze_cspace_cell *last = NULL;
    for (uint32_t y = 0; status == GZ_EXIT_FINE && y < a->map.height; y++) {
        const graze_cspace_cell *row = gz_cspace_row(a, y);
        // Rows that were left alone are many, and equal.
        for (uint32_t x = 0; row != last && x < width; x++) {
            uint32_t bits = links ? (uint32_t)id_of(&row[x]) : row[x].state;
            for (size_t k = 0; k < size; k++) bytes[size * x + k] = (uint8_t)(bits >> 8 * k);
        }
        last = row;
        fwrite(bytes, size, width, output.stream);
    }
    gz_free(bytes);
    return status == GZ_EXIT_FINE ? gz_output_finish(&output) : status;
}

int gz_cspace_write_links(const gz_cspace_answer *a, const char *path) {
    return write_cells(a, path, true);
}

int gz_cspace_write_states(const gz_cspace_answer *a, const char *path) {
    return write_cells(a, path, false);
}

// ----------------------------------------------------------------------------------------- legend

void gz_cspace_put_axis(gz_json *json, int side, const char *name, const char *unit,
                        const double range[2], uint32_t cells) {
    gz_json_key(json, side == 0 ? "x" : "y");
    gz_json_put(json, "{");
    if (name != NULL) gz_json_put(json, "joint=%s", name);
    gz_json_put(json, "unit=%s range=[ %g %g ] cells=%u }", unit, range[0], range[1], cells);
}

/// Writes states={...}: name, number and cells of each state.
static void put_states(gz_json *json, const graze_cspace_summary *s) {
    const struct {
        const char *name;
        graze_cspace_state id;
        uint64_t cells;
    } rows[] = {
        {"free", GRAZE_CSPACE_FREE, s->free_cells},
        {"free_certified", GRAZE_CSPACE_FREE_CERTIFIED, s->free_certified},
        {"colliding", GRAZE_CSPACE_COLLIDING, s->colliding_cells},
        {"colliding_certified", GRAZE_CSPACE_COLLIDING_CERTIFIED, s->colliding_certified},
        {"undecided", GRAZE_CSPACE_UNDECIDED, s->undecided},
    };
    gz_json_put(json, "states={");
    for (size_t i = 0; i < GZ_COUNT(rows); i++) {
        gz_json_key(json, rows[i].name);
        gz_json_put(json, "{ id=%d cells=%" PRIu64 " }", (int)rows[i].id, rows[i].cells);
    }
    gz_json_put(json, "}");
}

/// Writes links=[...]: id, name and cells of each.
static void put_links(gz_json *json, const gz_cspace_answer *a) {
    gz_json_put(json, "links=[");
    gz_json_gap(json, "\n");
    for (int32_t i = 0; i < (int32_t)a->link_count; i++) {
        const gz_cspace_class link = {.link = i};
        char name[32];
        uint64_t cells = 0;
        for (size_t k = 0; k < a->class_count; k++)
            cells += a->classes[k].link == i ? a->classes[k].cells : 0;
        gz_json_put(json, "{ id=%d name=%s cells=%" PRIu64 " }", i,
                    a->robot ? graze_robot_link_name(a->robot, i)
                             : gz_cspace_class_name(a, &link, name, sizeof name),
                    cells);
    }
    gz_json_put(json, "]");
}

void gz_cspace_put_map(gz_json *json, const gz_cspace_answer *a) {
    gz_json_gap(json, "\n");
    gz_cspace_put_axis(json, 0, a->names[0], a->units[0], a->summary.ranges[0], a->map.width);
    gz_cspace_put_axis(json, 1, a->names[1], a->units[1], a->summary.ranges[1], a->map.height);
    gz_json_put(json, "certified=%i", a->map.certified);
    put_states(json, &a->summary);
    put_links(json, a);
}

static int write_legend(FILE *stream, const void *answer) {
    const gz_cspace_answer *a = answer;
    gz_json json = gz_json_begin(stream, "graze-cspace-1");
    gz_cspace_put_map(&json, a);
    gz_json_put(&json, "outside_limits=%" PRIu64 " pairs=[", a->summary.outside);
    gz_json_gap(&json, "\n");
    for (size_t i = 0; i < a->class_count; i++) {
        const gz_cspace_class *c = &a->classes[i];
        gz_json_put(&json, "{ link=%d other=%s cells=%" PRIu64 " }", c->link, other_name(a, c),
                    c->cells);
    }
    gz_json_finish(&json);
    return GZ_EXIT_FINE;
}

int gz_cspace_write_legend(const gz_cspace_answer *a, const char *path) {
    return gz_output_write(path, write_legend, a);
}

// ------------------------------------------------------------------------------------------ words

static void print_row(FILE *stream, const char *what, uint64_t cells, uint64_t all) {
    char percent[GZ_DECIMAL_SIZE];
    gz_decimal_format_fixed(percent, 100 * (double)cells / (double)all, 2);
    fprintf(stream, "  %-44s %10" PRIu64 "  %6s %%\n", what, cells, percent);
}

static void print_states(FILE *stream, const graze_cspace_summary *s, bool certified,
                         uint64_t all) {
    if (certified) print_row(stream, "free, proved", s->free_certified, all);
    print_row(stream, certified ? "free in the middle" : "free", s->free_cells, all);
    if (certified) print_row(stream, "colliding, proved", s->colliding_certified, all);
    print_row(stream, certified ? "colliding in the middle" : "colliding", s->colliding_cells, all);
    if (s->undecided) print_row(stream, "undecided", s->undecided, all);
}

static void print_axis(FILE *stream, int side, const char *name, const char *unit,
                       const double range[2], uint32_t cells) {
    const char *letter = side == 0 ? "x" : "y";
    char low[GZ_DECIMAL_SIZE], high[GZ_DECIMAL_SIZE];
    bool named = name != NULL && strcmp(name, letter) != 0;
    fprintf(stream, "%s  %s%sfrom %s to %s %s, %u cells\n", letter, named ? GZ_PLAIN(name) : "",
            named ? " " : "", gz_decimal_format_fixed(low, range[0], 4),
            gz_decimal_format_fixed(high, range[1], 4), unit, cells);
}

void gz_cspace_print(const gz_cspace_answer *a, FILE *stream) {
    const graze_cspace_summary *s = &a->summary;
    uint64_t all = (uint64_t)a->map.width * a->map.height;
    for (int side = 0; side < 2; side++)
        print_axis(stream, side, a->names[side], a->units[side], s->ranges[side],
                   side == 0 ? a->map.width : a->map.height);
    print_states(stream, s, a->map.certified, all);
    if (s->outside) print_row(stream, "outside the limits (of any state)", s->outside, all);
    if (a->class_count && a->robot) fputs("colliding by the first pair\n", stream);
    for (size_t i = 0; i < a->class_count; i++) {
        char name[512];
        print_row(stream, gz_cspace_class_name(a, &a->classes[i], name, sizeof name),
                  a->classes[i].cells, all);
    }
}
