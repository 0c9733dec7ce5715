// graze ik: configurations that put a link at a pose.

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/argument.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/plan/pose_goal.h"

typedef struct ik_options {
    gz_robot_input input;
    const char *link, *pose, *frame, *output;
    graze_ik_options ik;
    uint32_t count;
    bool position_only, colliding;
} ik_options;

static const gz_command_line command_line = {
    .command = "ik",
    .synopsis = "ik ROBOT --link LINK --pose x,y,z,r,p,y [options]",
    .about =
        "Finds configurations, free of collision and within the limits, that put a link at a pose in\n"
        "the world, and prints them as CSV, the nearest to the start (--rest, --state) first. Damped\n"
        "least squares from the start, then from random starting points. ROBOT is a URDF file; '-'\n"
        "reads it from standard input. That none is found is no proof that there is none.",
    .examples =
        "  graze ik robot.urdf --link gripper --pose 0.6,0,0.9,0,1.57,0 --world shelf.json\n"
        "  graze ik robot.urdf --link gripper --frame 0,0,0.1,0,0,0 --pose 0.5,0,1,0,0,0 --count 1\n",
    .operand_name = "ROBOT",
};

static int check_usage(const ik_options *o) {
    const gz_usage_rule rules[] = {
        {o->link == NULL || o->pose == NULL, "the pose is missing; allowed: --link and --pose"},
        {o->input.level == GRAZE_LEVEL_BOUNDS, "configurations are sought for --level mesh"},
    };
    return gz_usage_check("ik", rules, GZ_COUNT(rules));
}

static int parse(ik_options *o, int argc, char **argv) {
    gz_option pose[] = {
        {"link", "LINK", .text = &o->link, .help = "the link that is to be at the pose"},
        {"pose", "x,y,z,r,p,y", .text = &o->pose,
         .help = "where, in the world: metres, then roll, pitch, yaw"},
        {"frame", "x,y,z,r,p,y", .text = &o->frame,
         .help = "a frame on the link that is to be there in its place"},
        {"position-only", NULL, .flag = &o->position_only,
         .help = "the orientation may be any; r, p, y of --pose do not\ncount"},
    };
    gz_option search[] = {
        {"count", "N", .count32 = &o->count, .minimum = 1, .maximum = 100000,
         .help = "most configurations (default 8)"},
        {"starts", "N", .count32 = &o->ik.starts, .minimum = 1, .maximum = 100000000,
         .help = "most starting points (default 200)"},
        {"distinct", "D", .number = &o->ik.distinct,
         .help = "configurations are so far apart, rad and m alike\n(default 0.1)"},
        {"colliding", NULL, .flag = &o->colliding, .help = "those that collide, too"},
        {"seed", "N", .count = &o->ik.seed, .help = "of the starting points (default 1)"},
    };
    gz_option answer[] = {GZ_OPTION_OUTPUT(&o->output)};
    const gz_option_section own[] = {GZ_SECTION("the pose", pose), GZ_SECTION("search", search),
                                     GZ_SECTION("answer", answer)};
    int status = gz_robot_input_parse(&o->input, &command_line, own, GZ_COUNT(own), argc, argv);
    return status == GZ_GO_ON ? check_usage(o) : status;
}

/// The base's columns, where it is not at the origin, and those of q, then a line for each row.
static void write_rows(const gz_pose_goal *goal, const graze_robot *robot, const gz_posture *start,
                       FILE *stream) {
    static const double origin[GZ_BASE_SIZE] = {0};
    int32_t first = memcmp(start->base, origin, sizeof origin) != 0 ? -GZ_BASE_SIZE : 0;
    for (int32_t k = first; k < (int32_t)start->size; k++) {
        if (k > first) fputc(',', stream);
        gz_csv_field(stream, gz_place_name(robot, k < 0 ? -1 - (k + GZ_BASE_SIZE) : k));
    }
    fputc('\n', stream);
    for (size_t i = 0; i < goal->result.count; i++) {
        for (int32_t k = first; k < (int32_t)start->size; k++) {
            if (k > first) fputc(',', stream);
            gz_number_write(stream, k < 0 ? start->base[k + GZ_BASE_SIZE]
                                          : goal->rows[i * start->size + (size_t)k]);
        }
        fputc('\n', stream);
    }
}

/// What is sought, from the command line.
typedef struct ik_problem {
    gz_posture start;
    gz_columns columns;
    graze_transform frame;
    gz_pose_goal goal;
} ik_problem;

static graze_status make_problem(ik_problem *p, const ik_options *o, graze_error *error) {
    const graze_robot *robot = o->input.robot;
    graze_ik_options *ik = &p->goal.options;
    *ik = o->ik;
    ik->position_only = o->position_only;
    ik->colliding = o->colliding;
    ik->cancel = gz_interrupt_flag();
    GZ_TRY(gz_posture_make(&p->start, robot, &o->input.posture, error));
    GZ_TRY(gz_pose_goal_read(&p->goal, robot, o->link, strlen(o->link), "--pose", o->pose, error));
    if (o->frame != NULL) {
        double numbers[GZ_BASE_SIZE];
        GZ_TRY(gz_base_parse(numbers, "--frame", o->frame, error));
        p->frame = graze_transform_from_xyz_rpy(numbers, numbers + 3);
        ik->frame = &p->frame;
    }
    if (o->input.posture.joints == NULL) return GRAZE_OK;
    GZ_TRY(gz_columns_of_joints(&p->columns, robot, o->input.posture.joints, "joints", error));
    ik->columns = p->columns.places;
    ik->column_count = p->columns.count;
    return GRAZE_OK;
}

static int answer(const ik_options *o, const ik_problem *p) {
    const graze_ik_result *r = &p->goal.result;
    if (r->count == 0) {
        gz_pose_goal_explain(&p->goal, o->input.checker);
        return GZ_EXIT_FINDING;
    }
    gz_output output;
    GZ_TRY_EXIT(gz_output_open(&output, o->output));
    write_rows(&p->goal, o->input.robot, &p->start, output.stream);
    GZ_TRY_EXIT(gz_output_finish(&output));
    if (!o->input.quiet)
        fprintf(
            stderr,
            "%zu configurations; %u starts, %u at the pose, %u colliding; residual at most %.1e "
            "m, %.1e rad\n",
            r->count, r->starts, r->reached, r->collided, r->position_error, r->angle_error);
    return GZ_EXIT_FINE;
}

static int run_ik(ik_options *o) {
    gz_robot_input *input = &o->input;
    GZ_TRY_EXIT(gz_robot_input_prepare(input, GRAZE_VISUALS_CHECK, NULL, false));
    graze_error error;
    ik_problem p = {0};
    graze_status made = make_problem(&p, o, &error);
    if (made == GRAZE_OK) {
        gz_interrupt_catch();
        made = gz_pose_goal_solve(&p.goal, input->checker, &p.start, o->count, &error);
    }
    int status = made == GRAZE_OK ? answer(o, &p) : gz_message_error("ik", &error);
    if (made == GRAZE_ERROR_CANCELLED) status = gz_interrupt_exit();
    gz_pose_goal_free(&p.goal);
    gz_columns_free(&p.columns);
    gz_posture_free(&p.start);
    return status;
}

int gz_command_ik(int argc, char **argv) {
    ik_options options = {
        .input = gz_robot_input_default("ik"), .ik = graze_ik_options_default(), .count = 8};
    options.input.shared = GZ_SHARED_CHECKER;
    options.input.least_margin = true;
    options.input.joints_help = "the joints that may move (default: all but passive\n"
                                "ones of the SRDF)";
    int status = parse(&options, argc, argv);
    if (status == GZ_GO_ON) status = run_ik(&options);
    gz_robot_input_free(&options.input);
    return status;
}
