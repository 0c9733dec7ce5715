// Planning problems as MotionBenchMaker keeps them: a folder of MoveIt's messages in YAML, a
// moveit_msgs/MotionPlanRequest and a moveit_msgs/PlanningScene for each problem.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "load/document/joint_name.h"
#include "load/file.h"
#include "load/problem/problem_set.h"

enum { MOST_FILES = 1000000 };

typedef struct request_reader {
    gz_problem_reader *set;
    gz_document doc;
} request_reader;

// ---------------------------------------------------------------------------------------- request

/// The joints and positions of a sensor_msgs/JointState, put into all rows.
static graze_status read_start(request_reader *r, const gz_value *request, gz_problem *p) {
    const gz_document *doc = &r->doc;
    const gz_value *state, *joints, *names, *positions;
    GZ_TRY(
        gz_value_required_kind(doc, request, "start_state", GZ_VALUE_MAP, "a RobotState", &state));
    GZ_TRY(
        gz_value_required_kind(doc, state, "joint_state", GZ_VALUE_MAP, "a JointState", &joints));
    GZ_TRY(gz_value_required_kind(doc, joints, "name", GZ_VALUE_LIST, "a list of names", &names));
    GZ_TRY(gz_value_required_kind(doc, joints, "position", GZ_VALUE_LIST, "a list of numbers",
                                  &positions));
    if (names->count != positions->count)
        return gz_value_fail(doc, positions, GRAZE_ERROR_SCHEMA,
                             "%u positions; allowed: %u, one for each name", positions->count,
                             names->count);
    const gz_value *number = gz_value_first(positions);
    for (const gz_value *n = gz_value_first(names); n; n = gz_value_next(n)) {
        double value;
        const char *name = gz_value_text(doc, n);
        if (!name)
            return gz_value_fail(doc, n, GRAZE_ERROR_SCHEMA, "found %s; allowed: a name",
                                 gz_value_kind_name(n));
        GZ_TRY(gz_value_number(doc, number, &value));
        GZ_TRY(gz_problem_place_joint(r->set, doc, n, name, value, p, 1 + p->goal_count));
        number = gz_value_next(number);
    }
    return GRAZE_OK;
}

static graze_status refuse_other_constraints(const gz_document *doc, const gz_value *goal) {
    static const char *const others[] = {"position_constraints", "orientation_constraints",
                                         "visibility_constraints"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const gz_value *list = gz_value_member(doc, goal, others[i]);
        if (list && list->count)
            return gz_value_fail(doc, list, GRAZE_ERROR_UNSUPPORTED,
                                 "the goal has %s; allowed: joint_constraints", others[i]);
    }
    return GRAZE_OK;
}

/// One goal: the start with the joints that it constrains where it wants them. The first goal's
/// joints are those that are planned; every other has the same ones, in any order.
static graze_status read_goal(request_reader *r, const gz_value *goal, gz_problem *p) {
    const gz_document *doc = &r->doc;
    const gz_value *list, *joint, *position;
    size_t count = 0;
    GZ_TRY(gz_value_expect(doc, goal, GZ_VALUE_MAP, "constraints"));
    GZ_TRY(refuse_other_constraints(doc, goal));
    GZ_TRY(gz_value_required_kind(doc, goal, "joint_constraints", GZ_VALUE_LIST,
                                  "a list of constraints of joints", &list));
    for (const gz_value *c = gz_value_first(list); c; c = gz_value_next(c), count++) {
        int32_t column;
        double value;
        GZ_TRY(gz_value_required(doc, c, "joint_name", &joint));
        GZ_TRY(gz_value_joint(doc, joint, r->set->robot, &column));
        GZ_TRY(gz_value_required(doc, c, "position", &position));
        GZ_TRY(gz_value_number(doc, position, &value));
        if (goal->index == 0) {
            p->columns[p->column_count] = column;
            GZ_TRY(gz_value_joint_new(doc, joint, p->columns, p->column_count++));
        }
        gz_problem_goal(r->set, p, goal->index)[column] = value;
    }
    if (count == p->column_count && count > 0) return GRAZE_OK;
    return gz_value_fail(
        doc, list, GRAZE_ERROR_SCHEMA,
        "%zu joints are constrained; allowed: the same in every goal, at least one", count);
}

static graze_status read_request(request_reader *r, const char *family, const char *number) {
    const gz_document *doc = &r->doc;
    const gz_value *request = gz_document_root(doc), *goals;
    gz_problem *p;
    GZ_TRY(gz_value_required_kind(doc, request, "goal_constraints", GZ_VALUE_LIST,
                                  "a list of goals", &goals));
    if (!goals->count)
        return gz_value_fail(doc, goals, GRAZE_ERROR_SCHEMA, "no goals; allowed: at least one");
    GZ_TRY(gz_problem_add(r->set, family, number, goals->count, &p));
    GZ_TRY(read_start(r, request, p));
    for (const gz_value *g = gz_value_first(goals); g; g = gz_value_next(g))
        GZ_TRY(read_goal(r, g, p));
    char *scene = gz_string_format("%s/scene%s.yaml", r->set->path, number);
    if (!scene) return gz_fail_memory(r->set->error);
    graze_status status = graze_world_add_file(p->world, scene, r->set->options, r->set->error);
    if (!status) status = graze_world_commit(p->world, r->set->error);
    gz_free(scene);
    return status;
}

// ----------------------------------------------------------------------------------------- folder

/// Reads requestNUMBER.yaml, `name`, with its scene.
static graze_status read_file(gz_problem_reader *set, const char *family, const char *name) {
    char *text, *path = gz_string_format("%s/%s", set->path, name);
    char *number = gz_string_copy(name + strlen("request"));
    size_t size;
    gz_warnings unheard = {0};
    request_reader r = {set, {.file = path, .error = set->error, .warnings = &unheard}};
    graze_status status = path && number ? GRAZE_OK : gz_fail_memory(set->error);
    if (!status)
        status = gz_load_read(path, set->options->files, set->options->limits.file_bytes, &text,
                              &size, set->error);
    if (!status) {
        number[strlen(number) - strlen(".yaml")] = '\0';
        status = gz_document_read_yaml(&r.doc, text, size, &set->options->limits);
        if (!status) status = read_request(&r, family, number);
        gz_free(text);
    }
    if (status && path) gz_error_locate(set->error, (gz_place){.file = path});
    gz_document_clear(&r.doc);
    gz_warnings_free(&unheard);
    gz_free(number);
    gz_free(path);
    return status;
}

/// The last name of a path; "problems" where it has none, as "." and "/".
static char *family_of(const char *path) {
    size_t end = strlen(path);
    while (end > 0 && path[end - 1] == '/') end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/') begin--;
    bool named = end > begin && !(path[begin] == '.' && end - begin <= 2);
    return named ? gz_string_format("%.*s", (int)(end - begin), path + begin)
                 : gz_string_copy("problems");
}

graze_status gz_problems_read_folder(gz_problem_reader *r) {
    gz_folder_list list;
    char *family = family_of(r->path);
    bool listed = gz_folder_list_read(&list, r->path, "yaml", MOST_FILES);
    graze_status status = family && listed ? GRAZE_OK : gz_fail_memory(r->error);
    for (size_t i = 0; i < list.count && !status; i++)
        if (strncmp(list.names[i], "request", strlen("request")) == 0)
            status = read_file(r, family, list.names[i]);
    gz_folder_list_free(&list);
    gz_free(family);
    return status;
}
