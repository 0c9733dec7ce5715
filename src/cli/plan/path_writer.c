#include "cli/plan/path_writer.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/check/check_output.h"
#include "cli/input/configuration.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/plan/problem_table.h"

/// The names of the columns of a waypoint: the base's, then those of q.
static const char *column_name(const graze_robot *robot, size_t i) {
    int32_t column = (int32_t)i;
    return gz_place_name(robot, column < GZ_BASE_SIZE ? -1 - column : column - GZ_BASE_SIZE);
}

static void write_head(FILE *stream, const graze_robot *robot) {
    size_t columns = GZ_BASE_SIZE + graze_robot_q_size(robot);
    for (size_t k = 0; k < columns; k++) {
        if (k > 0) fputc(',', stream);
        gz_csv_field(stream, column_name(robot, k));
    }
    fputc('\n', stream);
}

static void write_row(FILE *stream, const double *base, const double *q, size_t size) {
    for (size_t k = 0; k < GZ_BASE_SIZE + size; k++) {
        if (k > 0) fputc(',', stream);
        gz_number_write(stream, k < GZ_BASE_SIZE ? base[k] : q[k - GZ_BASE_SIZE]);
    }
    fputc('\n', stream);
}

static void write_csv(FILE *stream, const graze_robot *robot, const graze_path *path) {
    write_head(stream, robot);
    for (size_t i = 0; i < graze_path_count(path); i++)
        write_row(stream, graze_path_base(path, i), graze_path_q(path, i),
                  graze_robot_q_size(robot));
}

/// Whether a cubic piece of a curve is straight: its first and last two control points go the same
/// way, at the same speed.
static bool is_straight(const graze_trajectory *curve, size_t piece, size_t size) {
    const double *base, *q = graze_trajectory_points(curve, piece, &base);
    double most = 0;
    for (size_t k = 0; k < GZ_BASE_SIZE + size; k++) {
        const double *p = k < GZ_BASE_SIZE ? base + k : q + (k - GZ_BASE_SIZE);
        size_t n = k < GZ_BASE_SIZE ? GZ_BASE_SIZE : size;
        most = fmax(most, fabs((p[n] - p[0]) - (p[3 * n] - p[2 * n])));
    }
    return most < 1e-12;
}

/// Rows on a curve: where pieces begin and end, and on those that bend so that neighbours are at
/// most `resolution` apart: its parameter runs no slower than its length.
static int write_curve(FILE *stream, const graze_robot *robot, const graze_trajectory *curve,
                       double resolution) {
    size_t size = graze_robot_q_size(robot), pieces = graze_trajectory_piece_count(curve);
    double *q = gz_malloc(size + 1, sizeof *q), base[GZ_BASE_SIZE];
    if (q == NULL) return gz_message_no_memory();
    write_head(stream, robot);
    for (size_t i = 0; i < pieces; i++) {
        double begin = graze_trajectory_time(curve, i);
        double length = graze_trajectory_time(curve, i + 1) - begin;
        double steps = is_straight(curve, i, size) ? 1 : ceil(length / resolution);
        for (double k = i == 0 ? 0 : 1; k <= steps; k++) {
            double end = graze_trajectory_time(curve, i + 1);
            graze_trajectory_at(curve, k < steps ? begin + length * (k / steps) : end, q, base);
            write_row(stream, base, q, size);
        }
    }
    gz_free(q);
    return GZ_EXIT_FINE;
}

static void put_row(gz_json *json, const double *base, const double *q, size_t size) {
    gz_json_put(json, "[");
    for (size_t k = 0; k < GZ_BASE_SIZE; k++) gz_json_put(json, "%g", base[k]);
    for (size_t k = 0; k < size; k++) gz_json_put(json, "%g", q[k]);
    gz_json_put(json, "]");
}

static void write_pieces(gz_json *json, size_t size, const graze_trajectory *curve) {
    size_t pieces = graze_trajectory_piece_count(curve);
    uint32_t degree = graze_trajectory_degree(curve);
    gz_json_put(json, "curve={ degree=%u begins=[", degree);
    for (size_t i = 0; i <= pieces; i++) gz_json_put(json, "%g", graze_trajectory_time(curve, i));
    gz_json_put(json, "] points=[");
    gz_json_gap(json, "\n  ");
    for (size_t i = 0; i < pieces; i++) {
        const double *base, *q = graze_trajectory_points(curve, i, &base);
        gz_json_put(json, "[");
        for (size_t row = 0; row <= degree; row++)
            put_row(json, base + row * GZ_BASE_SIZE, q + row * size, size);
        gz_json_put(json, "]");
    }
    gz_json_put(json, "] }");
}

static void write_waypoints(gz_json *json, size_t size, const graze_path *path) {
    gz_json_put(json, "waypoints=[");
    gz_json_gap(json, "\n  ");
    for (size_t i = 0; i < graze_path_count(path); i++)
        put_row(json, graze_path_base(path, i), graze_path_q(path, i), size);
    gz_json_put(json, "]");
}

/// The pair that stands in the way.
static void write_pair(gz_json *json, const graze_checker *checker, const graze_contact *contact) {
    gz_json_put(json, "link=%s", graze_contact_link_name(checker, contact));
    gz_json_gap(json, NULL);
    gz_json_put(json, "other=%s", graze_contact_other_name(checker, contact));
    gz_json_gap(json, "\n");
}

/// The joint that does; nothing for -1.
static void write_joint(gz_json *json, const graze_checker *checker, int32_t number) {
    graze_joint_info joint;
    if (graze_robot_joint(graze_checker_robot(checker), number, &joint) == GRAZE_OK)
        gz_json_put(json, "joint=%s", joint.name);
}

/// Opens the object: how it ended, and the columns of waypoints.
static gz_json begin_json(FILE *stream, const graze_robot *robot, const char *outcome) {
    gz_json json = gz_json_begin(stream, "graze-path-1");
    gz_json_gap(&json, "\n");
    gz_json_put(&json, "robot=%s outcome=%s columns=[", graze_robot_name(robot), outcome);
    for (size_t k = 0; k < GZ_BASE_SIZE + graze_robot_q_size(robot); k++)
        gz_json_put(&json, "%s", column_name(robot, k));
    gz_json_put(&json, "]");
    return json;
}

static void write_json(FILE *stream, const graze_checker *checker,
                       const graze_plan_result *result) {
    const graze_robot *robot = graze_checker_robot(checker);
    size_t size = graze_robot_q_size(robot);
    graze_plan_outcome outcome = result->outcome;
    gz_json json = begin_json(stream, robot, gz_plan_outcome_names[outcome]);
    if (result->path != NULL) {
        gz_json_put(&json, "certified=%i length=%g length_raw=%g", result->certified,
                    result->length, result->length_raw);
        write_waypoints(&json, size, result->path);
        if (result->curve != NULL) write_pieces(&json, size, result->curve);
    } else if (outcome == GRAZE_PLAN_START_COLLIDES || outcome == GRAZE_PLAN_GOAL_COLLIDES) {
        write_pair(&json, checker, &result->contact);
    } else if (outcome == GRAZE_PLAN_START_LIMITS || outcome == GRAZE_PLAN_GOAL_LIMITS ||
               outcome == GRAZE_PLAN_UNREACHABLE) {
        write_joint(&json, checker, result->joint);
    }
    gz_json_put(&json,
                "iterations=%" PRIu64 " configurations_checked=%" PRIu64 " edges_checked=%" PRIu64,
                result->iterations, result->configurations_checked, result->edges_checked);
    gz_json_finish(&json);
}

/// In the order of graze_roadmap_outcome.
static const char *const roadmap_outcomes[] = {
    "found",       "start-collides", "goal-collides", "start-limits", "goal-limits", "other-joint",
    "start-alone", "goal-alone",     "apart",         "iterations",   "time",        "cancelled"};

static void write_roadmap_json(FILE *stream, const graze_checker *checker,
                               const graze_roadmap_result *result, const graze_path *path) {
    const graze_robot *robot = graze_checker_robot(checker);
    graze_roadmap_outcome outcome = result->outcome;
    bool alone = outcome == GRAZE_ROADMAP_START_ALONE || outcome == GRAZE_ROADMAP_GOAL_ALONE;
    gz_json json = begin_json(stream, robot, roadmap_outcomes[outcome]);
    if (path != NULL) {
        gz_json_put(&json, "certified=true length=%g", result->length);
        write_waypoints(&json, graze_robot_q_size(robot), path);
    } else if (outcome == GRAZE_ROADMAP_START_COLLIDES || outcome == GRAZE_ROADMAP_GOAL_COLLIDES ||
               (alone && result->contact.link >= 0)) {
        write_pair(&json, checker, &result->contact);
        if (alone) gz_json_put(&json, "blocked=%" PRIu64, result->blocked);
    } else if (outcome == GRAZE_ROADMAP_START_LIMITS || outcome == GRAZE_ROADMAP_GOAL_LIMITS ||
               outcome == GRAZE_ROADMAP_OTHER_JOINT) {
        write_joint(&json, checker, result->joint);
    }
    gz_json_put(&json, "iterations=%" PRIu64 " motions_tested=%" PRIu64, result->iterations,
                result->motions);
    gz_json_finish(&json);
}

// ------------------------------------------------------------------------------------------- dump

/// What one configuration after the other is written with.
typedef struct path_scratch {
    gz_dump_writer writer;
    graze_workspace *workspace;
    double *q, base[GZ_BASE_SIZE];
    uint64_t count;
} path_scratch;

static graze_status write_configuration(path_scratch *s, const graze_path *path, size_t edge,
                                        double t, graze_error *error) {
    graze_contact contact;
    graze_report report = {.contacts = &contact, .capacity = 1};
    const graze_checker *checker = s->writer.checker;
    size_t q_size = graze_robot_q_size(graze_checker_robot(checker));
    if (graze_path_interpolate(path, edge, t, s->q, s->base) != GRAZE_OK)
        return gz_fail_memory(error);
    GZ_TRY(graze_check(checker, s->workspace, GRAZE_ANSWER_FIRST, s->q, q_size, s->base, &report,
                       error));
    gz_finding finding = {.index = s->count++,
                          .verdict = report.verdict,
                          .contacts = &contact,
                          .contact_count = report.count < 1 ? report.count : 1};
    gz_dump_writer_put(&s->writer, &finding, s->q, s->base);
    return GRAZE_OK;
}

/// Every configuration of every edge, the waypoints once.
static graze_status write_edges(path_scratch *s, const graze_path *path, double resolution,
                                graze_error *error) {
    for (size_t e = 0; e + 1 < graze_path_count(path); e++) {
        uint64_t steps = graze_path_steps(path, e, resolution);
        for (uint64_t k = e == 0 ? 0 : 1; k <= steps; k++)
            GZ_TRY(write_configuration(s, path, e, (double)k / (double)steps, error));
    }
    return GRAZE_OK;
}

/// Checks every configuration and writes the dump beside its place. Returns an exit status, its
/// message printed; on failure nothing is left.
static int write_dump(gz_output *output, const gz_path_output *o, const graze_checker *checker,
                      const graze_path *path) {
    GZ_TRY_EXIT(gz_output_open(output, o->dump));
    graze_error error;
    path_scratch s = {.writer = {.stream = output->stream,
                                 .checker = checker,
                                 .domain = o->domain,
                                 .no_world = o->no_world}};
    s.q = gz_malloc(graze_robot_q_size(graze_checker_robot(checker)), sizeof *s.q);
    graze_status done = s.q != NULL ? gz_dump_writer_begin(&s.writer, &error)
                                    : gz_fail_memory(&error);
    if (done == GRAZE_OK) done = graze_workspace_create(&s.workspace, checker, &error);
    if (done == GRAZE_OK) done = write_edges(&s, path, o->resolution, &error);
    if (done == GRAZE_OK)
        gz_dump_writer_end(&s.writer);
    else
        gz_output_abandon(output);
    graze_workspace_free(s.workspace);
    gz_dump_writer_free(&s.writer);
    gz_free(s.q);
    return gz_message_outcome("plan", done, &error);
}

int gz_path_output_write(const gz_path_output *o, const graze_checker *checker,
                         const graze_plan_result *result) {
    gz_output dump = {0}, output;
    bool dumps = o->dump != NULL && result->path != NULL;
    if (dumps) GZ_TRY_EXIT(write_dump(&dump, o, checker, result->path));
    bool open = gz_output_open(&output, o->file) == GZ_EXIT_FINE;
    if (open && o->json) write_json(output.stream, checker, result);
    const graze_robot *robot = graze_checker_robot(checker);
    int written = GZ_EXIT_FINE;
    if (open && !o->json && result->curve != NULL)
        written = write_curve(output.stream, robot, result->curve, o->resolution);
    else if (open && !o->json)
        write_csv(output.stream, robot, result->path);
    int status = gz_output_finish(&output);
    if (written != GZ_EXIT_FINE) status = written;
    if (dumps && status == GZ_EXIT_FINE) return gz_output_finish(&dump);
    gz_output_abandon(&dump);
    return status;
}

int gz_roadmap_answer_write(const gz_path_output *o, const graze_checker *checker,
                            const graze_roadmap_result *result, const graze_path *path) {
    gz_output output;
    GZ_TRY_EXIT(gz_output_open(&output, o->file));
    if (o->json)
        write_roadmap_json(output.stream, checker, result, path);
    else
        write_csv(output.stream, graze_checker_robot(checker), path);
    return gz_output_finish(&output);
}
