#include "cli/plan/path_writer.h"

#include "cli/input/configuration.h"
#include "cli/output.h"

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
