// Planning problems in one JSON file, "mbm-1": families of problems for the same joints.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "load/document/joint_name.h"
#include "load/file.h"
#include "load/problem/problem_set.h"

typedef struct json_reader {
    gz_problem_reader *set;
    gz_document doc;
    int32_t *columns; ///< that are planned, in the order of the file
    size_t column_count;
} json_reader;

// ---------------------------------------------------------------------------------------- objects

static graze_status read_pose(const gz_document *doc, const gz_value *object,
                              graze_transform *pose) {
    const gz_value *v;
    double position[3], quaternion[4], norm = 0;
    GZ_TRY(gz_value_required(doc, object, "position", &v));
    GZ_TRY(gz_value_numbers(doc, v, position, 3));
    GZ_TRY(gz_value_required(doc, object, "quaternion", &v));
    GZ_TRY(gz_value_numbers(doc, v, quaternion, 4));
    for (int i = 0; i < 4; i++) norm += quaternion[i] * quaternion[i];
    if (!(fabs(norm - 1) <= 1e-3))
        return gz_value_fail(doc, v, GRAZE_ERROR_RANGE,
                             "the quaternion's length is %g; allowed: x y z w of length 1",
                             sqrt(norm));
    *pose = graze_transform_from_xyz_quat(position, quaternion);
    return GRAZE_OK;
}

static graze_status read_length(const gz_document *doc, const gz_value *object, const char *key,
                                double *out) {
    const gz_value *v;
    GZ_TRY(gz_value_required(doc, object, key, &v));
    return gz_value_number(doc, v, out);
}

static graze_status add_shape(const gz_document *doc, const gz_value *object, const char *type,
                              const char *name, const graze_transform *pose, graze_world *world) {
    double size[3], radius, length;
    if (strcmp(type, "box") == 0) {
        const gz_value *v;
        GZ_TRY(gz_value_refuse_keys(doc, object, "name type position quaternion size"));
        GZ_TRY(gz_value_required(doc, object, "size", &v));
        GZ_TRY(gz_value_numbers(doc, v, size, 3));
        return graze_world_add_box(world, name, size, pose, doc->error);
    }
    bool sphere = strcmp(type, "sphere") == 0;
    if (!sphere && strcmp(type, "cylinder") != 0)
        return gz_value_fail(doc, object, GRAZE_ERROR_UNSUPPORTED,
                             "type is '%.80s'; allowed: box, sphere, cylinder", type);
    GZ_TRY(gz_value_refuse_keys(doc, object,
                                sphere ? "name type position quaternion radius"
                                       : "name type position quaternion radius length"));
    GZ_TRY(read_length(doc, object, "radius", &radius));
    if (sphere) return graze_world_add_sphere(world, name, radius, pose, doc->error);
    GZ_TRY(read_length(doc, object, "length", &length));
    return graze_world_add_cylinder(world, name, radius, length, pose, doc->error);
}

static graze_status read_objects(json_reader *r, const gz_value *problem, graze_world *world) {
    const gz_document *doc = &r->doc;
    const gz_value *list, *v;
    GZ_TRY(
        gz_value_required_kind(doc, problem, "objects", GZ_VALUE_LIST, "a list of objects", &list));
    for (const gz_value *o = gz_value_first(list); o; o = gz_value_next(o)) {
        graze_transform pose;
        GZ_TRY(gz_value_required_kind(doc, o, "name", GZ_VALUE_STRING, "a name", &v));
        const char *name = gz_value_text(doc, v);
        GZ_TRY(
            gz_value_required_kind(doc, o, "type", GZ_VALUE_STRING, "box, sphere, cylinder", &v));
        GZ_TRY(read_pose(doc, o, &pose));
        graze_status status = add_shape(doc, o, gz_value_text(doc, v), name, &pose, world);
        if (status) gz_value_locate(doc, o);
        GZ_TRY(status);
    }
    return graze_world_commit(world, doc->error);
}

// --------------------------------------------------------------------------------------- problems

static graze_status read_row(const json_reader *r, const gz_value *list, double *row) {
    const gz_document *doc = &r->doc;
    GZ_TRY(gz_value_expect(doc, list, GZ_VALUE_LIST, "a list of numbers, one for each joint"));
    if (list->count != r->column_count)
        return gz_value_fail(doc, list, GRAZE_ERROR_SCHEMA,
                             "%u numbers; allowed: %zu, one for each joint", list->count,
                             r->column_count);
    const gz_value *v = gz_value_first(list);
    for (size_t k = 0; v; v = gz_value_next(v), k++)
        GZ_TRY(gz_value_number(doc, v, &row[r->columns[k]]));
    return GRAZE_OK;
}

static graze_status read_other_joints(const json_reader *r, const gz_value *problem,
                                      gz_problem *p) {
    const gz_document *doc = &r->doc;
    const gz_value *map = gz_value_member(doc, problem, "other_joints");
    if (!map) return GRAZE_OK;
    GZ_TRY(gz_value_expect(doc, map, GZ_VALUE_MAP, "a map of joints and numbers"));
    for (const gz_value *v = gz_value_first(map); v; v = gz_value_next(v)) {
        double number;
        GZ_TRY(gz_value_number(doc, v, &number));
        GZ_TRY(gz_problem_place_joint(r->set, doc, v, gz_value_key(doc, v), number, p,
                                      1 + p->goal_count));
    }
    return GRAZE_OK;
}

/// The number of a problem: its index in the file, or its place in the family, from 1.
static graze_status read_number(const json_reader *r, const gz_value *problem, double *out) {
    const gz_value *v = gz_value_member(&r->doc, problem, "index");
    *out = problem->index + 1;
    if (!v) return GRAZE_OK;
    GZ_TRY(gz_value_number(&r->doc, v, out));
    if (*out >= 0 && *out <= 0x1p53 && *out == floor(*out)) return GRAZE_OK;
    return gz_value_fail(&r->doc, v, GRAZE_ERROR_RANGE, "index is %g; allowed: a whole number",
                         *out);
}

/// What VAMP says of start and goal, where the file has it: true, false, or null.
static graze_status read_opinion(const json_reader *r, const gz_value *problem, gz_problem *p) {
    const gz_value *v = gz_value_member(&r->doc, problem, "vamp_valid");
    if (!v || v->kind == GZ_VALUE_NULL) return GRAZE_OK;
    GZ_TRY(gz_value_expect(&r->doc, v, GZ_VALUE_BOOL, "true or false"));
    p->vamp_valid = v->number != 0;
    return GRAZE_OK;
}

static graze_status read_problem(json_reader *r, const char *family, const gz_value *problem) {
    static const char keys[] = "index start goals other_joints objects acm vamp_valid name note";
    const gz_document *doc = &r->doc;
    const gz_value *start, *goals;
    gz_problem *p;
    double number;
    char name[32];
    GZ_TRY(gz_value_expect(doc, problem, GZ_VALUE_MAP, "a problem"));
    GZ_TRY(gz_value_refuse_keys(doc, problem, keys));
    GZ_TRY(gz_value_required(doc, problem, "start", &start));
    GZ_TRY(gz_value_required_kind(doc, problem, "goals", GZ_VALUE_LIST, "a list of goals", &goals));
    if (!goals->count)
        return gz_value_fail(doc, goals, GRAZE_ERROR_SCHEMA, "no goals; allowed: at least one");
    GZ_TRY(read_number(r, problem, &number));
    snprintf(name, sizeof name, "%.0f", number);
    GZ_TRY(gz_problem_add(r->set, family, name, goals->count, &p));
    GZ_TRY(read_opinion(r, problem, p));
    GZ_TRY(read_other_joints(r, problem, p));
    GZ_TRY(read_row(r, start, p->rows));
    for (const gz_value *g = gz_value_first(goals); g; g = gz_value_next(g))
        GZ_TRY(read_row(r, g, gz_problem_goal(r->set, p, g->index)));
    memcpy(p->columns, r->columns, r->column_count * sizeof *p->columns);
    p->column_count = r->column_count;
    return read_objects(r, problem, p->world);
}

static graze_status read_families(json_reader *r) {
    const gz_document *doc = &r->doc;
    const gz_value *families;
    GZ_TRY(gz_value_required_kind(doc, gz_document_root(doc), "problems", GZ_VALUE_MAP,
                                  "a map of families", &families));
    for (const gz_value *f = gz_value_first(families); f; f = gz_value_next(f)) {
        GZ_TRY(gz_value_expect(doc, f, GZ_VALUE_LIST, "a list of problems"));
        for (const gz_value *p = gz_value_first(f); p; p = gz_value_next(p))
            GZ_TRY(read_problem(r, gz_value_key(doc, f), p));
    }
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------------- file

/// Objects are placed in the frame of the robot's root; no other is known.
static graze_status check_frame(const json_reader *r) {
    const gz_value *v = gz_value_member(&r->doc, gz_document_root(&r->doc), "frame");
    const char *frame = v ? gz_value_text(&r->doc, v) : NULL,
               *root = graze_robot_link_name(r->set->robot, graze_robot_root(r->set->robot));
    if (!frame || strcmp(frame, "world") == 0 || strcmp(frame, root) == 0) return GRAZE_OK;
    return gz_value_fail(&r->doc, v, GRAZE_ERROR_UNSUPPORTED,
                         "the frame is '%.80s'; allowed: the robot's root, '%.80s', or world",
                         frame, root);
}

static graze_status read_joints(json_reader *r) {
    const gz_document *doc = &r->doc;
    const gz_value *list;
    GZ_TRY(gz_value_required_kind(doc, gz_document_root(doc), "joints", GZ_VALUE_LIST,
                                  "a list of joint names", &list));
    r->columns = gz_malloc((size_t)list->count + 1, sizeof *r->columns);
    if (!r->columns) return gz_fail_memory(r->set->error);
    for (const gz_value *v = gz_value_first(list); v; v = gz_value_next(v)) {
        GZ_TRY(gz_value_joint(doc, v, r->set->robot, &r->columns[r->column_count]));
        GZ_TRY(gz_value_joint_new(doc, v, r->columns, r->column_count++));
    }
    return GRAZE_OK;
}

static graze_status read_document(json_reader *r, const char *text, size_t size) {
    const gz_value *v;
    GZ_TRY(gz_document_read_json(&r->doc, text, size, &r->set->options->limits));
    GZ_TRY(gz_value_required_kind(&r->doc, gz_document_root(&r->doc), "format", GZ_VALUE_STRING,
                                  "mbm-1", &v));
    if (strcmp(gz_value_text(&r->doc, v), "mbm-1") != 0)
        return gz_value_fail(&r->doc, v, GRAZE_ERROR_UNSUPPORTED,
                             "the format is '%.80s'; allowed: mbm-1", gz_value_text(&r->doc, v));
    GZ_TRY(check_frame(r));
    GZ_TRY(read_joints(r));
    return read_families(r);
}

graze_status gz_problems_read_json(gz_problem_reader *set) {
    char *text;
    size_t size;
    gz_warnings unheard = {0};
    json_reader r = {.set = set,
                     .doc = {.file = set->path, .error = set->error, .warnings = &unheard}};
    gz_memory_budget memory;
    gz_memory_budget_open(&memory, set->options->limits.memory_bytes);
    graze_status status = gz_load_read(set->path, set->options->files,
                                       set->options->limits.file_bytes, &text, &size, set->error);
    if (status == GRAZE_OK) {
        status = read_document(&r, text, size);
        gz_free(text);
    }
    gz_document_clear(&r.doc);
    gz_warnings_free(&unheard);
    gz_free(r.columns);
    gz_memory_budget_close(&memory);
    return status;
}
