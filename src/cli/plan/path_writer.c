#include "cli/plan/path_writer.h"
#include "cli/check/check_output.h"
#include "cli/input/configuration.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

const char *gz_plan_outcome_name(graze_plan_outcome outcome) {
    static const char *const names[] = {"found",        "start-collides", "goal-collides",
                                        "start-limits", "goal-limits",    "iterations",
                                        "time",         "cancelled",      "unreachable"};
    return (size_t)outcome < sizeof names / sizeof *names ? names[outcome] : "unknown";
}

static void write_row(FILE *stream, const graze_path *path, size_t i, size_t q_size) {
    const double *base = graze_path_base(path, i), *q = graze_path_q(path, i);
    for (size_t k = 0; k < GZ_BASE_SIZE; k++) {
        if (k > 0) fputc(',', stream);
        gz_json_number(stream, base[k]);
    }
    for (size_t k = 0; k < q_size; k++) {
        fputc(',', stream);
        gz_json_number(stream, q[k]);
    }
}

void gz_path_write_csv(FILE *stream, const graze_robot *robot, const graze_path *path) {
    size_t q_size = graze_robot_q_size(robot);
    for (size_t k = 0; k < GZ_BASE_SIZE; k++) {
        fprintf(stream, "%s%s", k > 0 ? "," : "", gz_base_name(k));
    }
    for (size_t k = 0; k < q_size; k++) {
        fputc(',', stream);
        gz_csv_field(stream, graze_robot_q_name(robot, k));
    }
    fputc('\n', stream);
    for (size_t i = 0; i < graze_path_count(path); i++) {
        write_row(stream, path, i, q_size);
        fputc('\n', stream);
    }
}

static void write_columns(FILE *stream, const graze_robot *robot) {
    fputs("\"columns\":[", stream);
    for (size_t k = 0; k < GZ_BASE_SIZE; k++) {
        if (k > 0) fputc(',', stream);
        gz_json_string(stream, gz_base_name(k));
    }
    for (size_t k = 0; k < graze_robot_q_size(robot); k++) {
        fputc(',', stream);
        gz_json_string(stream, graze_robot_q_name(robot, k));
    }
    fputs("]", stream);
}

static void write_waypoints(FILE *stream, const graze_robot *robot, const graze_path *path) {
    fputs("\"waypoints\":[", stream);
    for (size_t i = 0; i < graze_path_count(path); i++) {
        fputs(i > 0 ? ",\n  [" : "\n  [", stream);
        write_row(stream, path, i, graze_robot_q_size(robot));
        fputc(']', stream);
    }
    fputs("]", stream);
}

/// The joint or the pair that stands in the way, where there is one.
static void write_reason(FILE *stream, const graze_checker *checker,
                         const graze_plan_result *result) {
    const graze_robot *robot = graze_checker_robot(checker);
    graze_joint_info joint;
    switch (result->outcome) {
    case GRAZE_PLAN_START_COLLIDES:
    case GRAZE_PLAN_GOAL_COLLIDES:
        fputs(",\n\"link\":", stream);
        gz_json_string(stream, graze_contact_link_name(checker, &result->contact));
        fputs(",\"other\":", stream);
        gz_json_string(stream, graze_contact_other_name(checker, &result->contact));
        break;
    case GRAZE_PLAN_START_LIMITS:
    case GRAZE_PLAN_GOAL_LIMITS:
    case GRAZE_PLAN_UNREACHABLE:
        if (graze_robot_joint(robot, result->joint, &joint) != GRAZE_OK) break;
        fputs(",\n\"joint\":", stream);
        gz_json_string(stream, joint.name);
        break;
    default:
        break;
    }
}

void gz_path_write_json(FILE *stream, const graze_checker *checker,
                        const graze_plan_result *result) {
    const graze_robot *robot = graze_checker_robot(checker);
    fputs("{\"format\":\"graze-path-1\",\n\"robot\":", stream);
    gz_json_string(stream, graze_robot_name(robot));
    fprintf(stream, ",\n\"outcome\":\"%s\",\n", gz_plan_outcome_name(result->outcome));
    write_columns(stream, robot);
    if (result->path != NULL) {
        fputs(",\n\"length\":", stream);
        gz_json_number(stream, result->length);
        fputs(",\n\"length_raw\":", stream);
        gz_json_number(stream, result->length_raw);
        fputs(",\n", stream);
        write_waypoints(stream, robot, result->path);
    } else {
        write_reason(stream, checker, result);
    }
    fprintf(stream,
            ",\n\"iterations\":%llu,\n\"configurations_checked\":%llu,\n\"edges_checked\":%llu}\n",
            (unsigned long long)result->iterations,
            (unsigned long long)result->configurations_checked,
            (unsigned long long)result->edges_checked);
}

/// What one configuration after the other is written with.
typedef struct path_scratch {
    gz_dump_writer writer;
    graze_workspace *workspace;
    double *q, base[GZ_BASE_SIZE];
    uint64_t count;
} path_scratch;

static graze_status no_memory(graze_error *error) {
    return gz_error_set(error, GRAZE_ERROR_NO_MEMORY, NULL, 0, 0, "out of memory");
}

static graze_status write_configuration(path_scratch *s, const graze_path *path, size_t edge,
                                        double t, graze_error *error) {
    graze_contact contact;
    graze_report report = {.contacts = &contact, .capacity = 1};
    const graze_checker *checker = s->writer.checker;
    size_t q_size = graze_robot_q_size(graze_checker_robot(checker));
    if (graze_path_interpolate(path, edge, t, s->q, s->base) != GRAZE_OK) return no_memory(error);
    graze_status status = graze_check(checker, s->workspace, GRAZE_ANSWER_FIRST, s->q, q_size,
                                      s->base, &report, error);
    if (status != GRAZE_OK) return status;
    gz_finding finding = {.index = s->count++,
                          .verdict = report.verdict,
                          .contacts = &contact,
                          .contact_count = report.count < 1 ? report.count : 1};
    gz_dump_writer_put(&s->writer, &finding, s->q, s->base);
    return GRAZE_OK;
}

/// Every configuration of every edge, the waypoints once.
static graze_status write_edges(path_scratch *s, const gz_path_dump *dump, graze_error *error) {
    graze_status status = GRAZE_OK;
    size_t edges = graze_path_count(dump->path) - 1;
    for (size_t e = 0; status == GRAZE_OK && e < edges; e++) {
        uint64_t steps = graze_path_steps(dump->path, e, dump->resolution);
        for (uint64_t k = e == 0 ? 0 : 1; status == GRAZE_OK && k <= steps; k++) {
            status = write_configuration(s, dump->path, e, (double)k / (double)steps, error);
        }
    }
    return status;
}

int gz_path_dump_write(gz_path_dump *dump) {
    graze_error error;
    int status = gz_output_open(&dump->output, dump->file);
    if (status != GZ_EXIT_FINE) return status;
    path_scratch s = {.writer = {.stream = dump->output.stream,
                                 .checker = dump->checker,
                                 .domain = dump->domain,
                                 .no_world = dump->no_world}};
    size_t q_size = graze_robot_q_size(graze_checker_robot(dump->checker));
    s.q = gz_storage_resize(NULL, q_size + 1, sizeof *s.q);
    graze_status done = s.q != NULL ? gz_dump_writer_begin(&s.writer, &error) : no_memory(&error);
    if (done == GRAZE_OK) done = graze_workspace_create(&s.workspace, dump->checker, &error);
    if (done == GRAZE_OK) done = write_edges(&s, dump, &error);
    if (done == GRAZE_OK) {
        gz_dump_writer_end(&s.writer);
    } else {
        gz_output_abandon(&dump->output);
        status = gz_message_error("plan", &error);
    }
    graze_workspace_free(s.workspace);
    gz_dump_writer_free(&s.writer);
    gz_storage_free(s.q);
    return status;
}

int gz_path_dump_finish(gz_path_dump *dump, bool keep) {
    if (keep) return gz_output_finish(&dump->output);
    gz_output_abandon(&dump->output);
    return GZ_EXIT_FINE;
}

static int write_path(const gz_path_output *o, const graze_checker *checker,
                      const graze_plan_result *result) {
    gz_output output;
    int status = gz_output_open(&output, o->file);
    if (status != GZ_EXIT_FINE) return status;
    if (o->json) {
        gz_path_write_json(output.stream, checker, result);
    } else {
        gz_path_write_csv(output.stream, graze_checker_robot(checker), result->path);
    }
    return gz_output_finish(&output);
}

int gz_path_output_write(const gz_path_output *o, const graze_checker *checker,
                         const graze_plan_result *result) {
    if (o->dump == NULL || result->path == NULL) return write_path(o, checker, result);
    gz_path_dump dump = {.file = o->dump,
                         .checker = checker,
                         .path = result->path,
                         .resolution = o->resolution,
                         .domain = o->domain,
                         .no_world = o->no_world};
    int status = gz_path_dump_write(&dump);
    if (status != GZ_EXIT_FINE) return status;
    status = write_path(o, checker, result);
    int finished = gz_path_dump_finish(&dump, status == GZ_EXIT_FINE);
    return status != GZ_EXIT_FINE ? status : finished;
}
