// Sets of planning problems: memory, and the public functions.
#include "load/problem/problem_set.h"

#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/platform.h"
#include "load/document/joint_name.h"
#include "load/file.h"

struct graze_problems {
    gz_problem *items;
    size_t count, capacity;
    size_t width; ///< of a row
};

graze_status gz_problem_add(gz_problem_reader *r, const char *family, const char *name,
                            size_t goal_count, gz_problem **out) {
    graze_problems *set = r->set;
    if (!GZ_RESERVE(set->items, set->capacity, set->count + 1)) return gz_fail_memory(r->error);
    gz_problem *p = *out = &set->items[set->count++];
    *p = (gz_problem){.family_length = strlen(family), .goal_count = goal_count, .vamp_valid = -1};
    p->name = gz_string_format("%s/%s", family, name);
    p->rows = gz_malloc(1 + goal_count, (r->width + 1) * sizeof *p->rows);
    p->columns = gz_malloc(r->width + 1, sizeof *p->columns);
    if (!p->name || !p->rows || !p->columns) return gz_fail_memory(r->error);
    for (size_t i = 0; i <= goal_count; i++)
        if (r->width) graze_robot_rest(r->robot, p->rows + i * r->width);
    return graze_world_create(&p->world, p->name, r->error);
}

graze_status gz_problem_place_joint(const gz_problem_reader *r, const gz_document *document,
                                    const gz_value *value, const char *name, double number,
                                    gz_problem *p, size_t count) {
    int32_t column = graze_robot_find_q(r->robot, name), joint = -1;
    if (column < 0) joint = graze_robot_find_joint(r->robot, name);
    graze_joint_info info;
    if (joint >= 0 && graze_robot_joint(r->robot, joint, &info) == GRAZE_OK && info.q_count == 0)
        return GRAZE_OK;
    GZ_TRY(gz_value_joint_named(document, value, name, r->robot, &column));
    for (size_t i = 0; i < count; i++) p->rows[i * r->width + (size_t)column] = number;
    return GRAZE_OK;
}

static graze_status read(gz_problem_reader *r) {
    GZ_TRY(gz_folder_exists(r->path) ? gz_problems_read_folder(r) : gz_problems_read_json(r));
    if (r->set->count) return GRAZE_OK;
    return gz_fail_at(r->error, GRAZE_ERROR_SCHEMA, (gz_place){.file = r->path},
                      "there is no problem; allowed: at least one (in a folder requestNNNN.yaml)");
}

graze_status graze_problems_load(graze_problems **out, const graze_robot *robot, const char *path,
                                 const graze_load_options *options, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (out) *out = NULL;
    if (!out || !robot || !path)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out, robot or path is NULL");
    graze_load_options checked;
    GZ_TRY(gz_load_options_check(options, &checked, error));
    graze_problems *set = gz_calloc(1, sizeof *set);
    if (!set) return gz_fail_memory(error);
    set->width = graze_robot_q_size(robot);
    gz_problem_reader r = {.set = set,
                           .robot = robot,
                           .width = set->width,
                           .path = path,
                           .options = &checked,
                           .error = error};
    graze_status status = read(&r);
    if (status) {
        gz_error_locate(error, (gz_place){.file = path});
        graze_problems_free(set);
        return status;
    }
    gz_error_clear(error);
    *out = set;
    return GRAZE_OK;
}

void graze_problems_free(graze_problems *problems) {
    if (!problems) return;
    for (size_t i = 0; i < problems->count; i++) {
        gz_problem *p = &problems->items[i];
        graze_world_free(p->world);
        gz_free(p->name);
        gz_free(p->rows);
        gz_free(p->columns);
    }
    gz_free(problems->items);
    gz_free(problems);
}

size_t graze_problems_count(const graze_problems *problems) {
    return problems ? problems->count : 0;
}

graze_status graze_problems_get_sized(const graze_problems *problems, size_t index,
                                      graze_problem *problem, size_t size) {
    if (!problem) return GRAZE_ERROR_ARGUMENT;
    graze_problem found = {0};
    bool there = index < graze_problems_count(problems);
    if (there) {
        const gz_problem *p = &problems->items[index];
        found = (graze_problem){.name = p->name,
                                .family_length = p->family_length,
                                .world = p->world,
                                .start = p->rows,
                                .goals = p->rows + problems->width,
                                .goal_count = p->goal_count,
                                .columns = p->columns,
                                .column_count = p->column_count,
                                .vamp_valid = p->vamp_valid};
    }
    gz_fill(problem, size, &found, sizeof found);
    return there ? GRAZE_OK : GRAZE_ERROR_ARGUMENT;
}
