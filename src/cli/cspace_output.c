#include "cli/cspace/cspace_output.h"

#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

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

const char *gz_cspace_class_name(const gz_cspace_answer *a, const gz_cspace_class *class,
                                 char *buffer, size_t size) {
    const char *other = class->kind == GRAZE_CONTACT_SELF    ? link_name(a, class->other)
                        : class->kind == GRAZE_CONTACT_WORLD ? "world"
                                                             : "boundary";
    snprintf(buffer, size, "%s x %s", class->link < 0 ? "(not named)" : link_name(a, class->link),
             other);
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

static void write_axis(FILE *stream, const gz_cspace_answer *a, int side) {
    const graze_robot *robot = graze_checker_robot(a->checker);
    fputs("{\"joint\":", stream);
    gz_json_string(stream, graze_robot_q_name(robot, (size_t)a->map->columns[side]));
    fprintf(stream, ",\"unit\":\"%s\",\"range\":", gz_cspace_unit(a, side));
    gz_json_numbers(stream, a->summary.ranges[side], 2);
    fprintf(stream, ",\"cells\":%u}", side == 0 ? a->map->width : a->map->height);
}

int gz_cspace_write_legend(const gz_cspace_answer *a, const char *path) {
    gz_output output;
    int status = gz_output_open(&output, path);
    if (status != GZ_EXIT_FINE) return status;
    FILE *stream = output.stream;
    const graze_cspace_summary *s = &a->summary;
    fputs("{\"format\":\"graze-cspace-1\",\n\"x\":", stream);
    write_axis(stream, a, 0);
    fputs(",\n\"y\":", stream);
    write_axis(stream, a, 1);
    fprintf(stream,
            ",\n\"certified\":%s,\n\"states\":{\"free\":{\"id\":0,\"cells\":%llu},"
            "\"free_certified\":{\"id\":1,\"cells\":%llu},\"colliding\":{\"id\":2,\"cells\":%llu},"
            "\"colliding_certified\":{\"id\":3,\"cells\":%llu},"
            "\"undecided\":{\"id\":255,\"cells\":%llu}},\n\"outside_limits\":%llu,\n\"links\":[",
            a->map->certified ? "true" : "false", (unsigned long long)s->free_cells,
            (unsigned long long)s->free_certified, (unsigned long long)s->colliding_cells,
            (unsigned long long)s->colliding_certified, (unsigned long long)s->undecided,
            (unsigned long long)s->outside);
    const graze_robot *robot = graze_checker_robot(a->checker);
    for (int32_t i = 0; i < graze_robot_link_count(robot); i++) {
        fprintf(stream, "%s\n{\"id\":%d,\"name\":", i > 0 ? "," : "", (int)i);
        gz_json_string(stream, link_name(a, i));
        fputc('}', stream);
    }
    fputs("],\n\"pairs\":[", stream);
    for (size_t i = 0; i < a->class_count; i++) {
        const gz_cspace_class *c = &a->classes[i];
        fprintf(stream, "%s\n{\"link\":", i > 0 ? "," : "");
        gz_json_index(stream, c->link);
        fputs(",\"other\":", stream);
        gz_json_string(stream, c->kind == GRAZE_CONTACT_SELF    ? link_name(a, c->other)
                               : c->kind == GRAZE_CONTACT_WORLD ? "world"
                                                                : "boundary");
        fprintf(stream, ",\"cells\":%llu}", (unsigned long long)c->cells);
    }
    fputs("]}\n", stream);
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
