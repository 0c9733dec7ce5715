#include "cli/plan/path_ends.h"

#include "cli/check/verdict_writer.h"
#include "cli/interrupt.h"
#include "cli/message.h"

gz_path_ends gz_path_ends_default(void) {
    return (gz_path_ends){
        {{.state_name = "--start-state", .q_name = "--start", .base_name = "--start-base"},
         {.state_name = "--goal-state", .q_name = "--goal", .base_name = "--goal-base"}}};
}

bool gz_path_end_is_given(const gz_path_ends *ends, int end) {
    const gz_end_options *o = &ends->of[end];
    return o->state != NULL || o->q != NULL || o->base != NULL;
}

static const char *name_of(int end) {
    return end == GZ_START ? "start" : "goal";
}

int gz_path_end_collides(const graze_checker *checker, int end, const graze_contact *contact) {
    char text[1024];
    gz_message("no path: the %s is in collision: %s", name_of(end),
               gz_contact_describe(text, sizeof text, checker, contact));
    return GZ_EXIT_FINDING;
}

int gz_path_end_exceeds(const graze_robot *robot, int end, int32_t joint, const double *q) {
    graze_error error;
    gz_joint_limit_error(robot, joint, q, &error);
    gz_message("no path: the %s is outside the limits: %s", name_of(end), error.message);
    return GZ_EXIT_FINDING;
}

int gz_path_time_is_spent(double seconds) {
    gz_message("no path yet: %g s are spent; --time allows more", seconds);
    return GZ_EXIT_LIMIT;
}

int gz_path_interrupted(void) {
    gz_message("interrupted");
    return gz_interrupt_exit();
}
