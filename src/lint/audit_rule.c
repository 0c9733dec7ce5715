// S011: what sweeps of the joints met, as findings.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lint/audit.h"
#include "lint/lint.h"
#include "robot/robot.h"

/// What the sampled sweeps of one joint found.
typedef struct tally {
    int64_t samples; ///< with a finding
    gz_audit_event first;
    char witness[600];
} tally;

typedef struct auditor {
    gz_lint_context *context;
    const graze_robot *robot;
    tally sampled;
    int32_t joint; ///< whose sweeps are tallied
} auditor;

/// Appends a number as it is printed in every locale.
static void append(char *out, size_t size, const char *before, double value) {
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%.17g", before, value);
    for (char *p = out + used + strlen(before); p < out + strlen(out); p++)
        if (!strchr("0123456789+-enaif", *p)) *p = '.';
}

/// The configuration as -q takes it; "" where it does not fit.
static void write_witness(char *out, size_t size, const auditor *a, const gz_audit_event *e) {
    out[0] = '\0';
    if (e->sample < 0) {
        size_t column = (size_t)a->robot->joints[e->joint].info.q_index;
        const char *name = graze_robot_q_name(a->robot, column);
        if (strlen(name) > size / 2) return;
        snprintf(out, size, "%s=", name);
        append(out, size, "", e->value);
        return;
    }
    for (size_t i = 0; i < graze_robot_q_size(a->robot); i++) {
        if (strlen(out) + 32 > size) {
            out[0] = '\0';
            return;
        }
        append(out, size, i > 0 ? "," : "", e->q[i]);
    }
}

static gz_lint_place place_of(const auditor *a, const gz_audit_event *e) {
    const gz_lint_context *c = a->context;
    const graze_joint_info *info = &a->robot->joints[e->joint].info;
    int32_t joint = gz_lint_find_joint(c, info->name);
    return (gz_lint_place){.element = joint >= 0 ? c->joints[joint].element : NULL,
                           .joint = info->name,
                           .has_value = true,
                           .value = e->value,
                           .threshold = e->limit,
                           .unit = info->type == GRAZE_JOINT_PRISMATIC ? "m" : "rad"};
}

/// Reports what half a turn each way leaves open.
static void report_beyond(const auditor *a, const gz_audit_event *e) {
    gz_lint_place place = place_of(a, e);
    const gz_joint *follower = &a->robot->joints[e->follower];
    bool slides = follower->info.type == GRAZE_JOINT_PRISMATIC;
    char rate[80] = "";
    append(rate, sizeof rate, "", follower->multiplier);
    gz_lint_add(
        a->context, place,
        "joint '%.80s' turns without end, and '%.80s' %s %s%s: only half a turn each way is "
        "swept, and links '%.80s' and '%.80s' may meet beyond it",
        place.joint, follower->info.name, slides ? "slides on with it, by" : "follows it at", rate,
        slides ? " m/rad" : " of its angle, which is no whole ratio",
        graze_robot_link_name(a->robot, e->a), graze_robot_link_name(a->robot, e->b));
}

static void report_event(const auditor *a, const gz_audit_event *e, const char *prefix,
                         const char *witness) {
    gz_lint_place place = place_of(a, e);
    const char *first = graze_robot_link_name(a->robot, e->a);
    const char *second = graze_robot_link_name(a->robot, e->b);
    if (e->kind == GZ_AUDIT_NEAR) {
        gz_lint_add(a->context, place,
                    "%sjoint '%.80s' brings links '%.80s' and '%.80s' nearer than %.2g m at %.7g "
                    "%s, on the way from %.7g to %.7g: too near to prove that they never touch",
                    prefix, place.joint, first, second, e->gap * 1.05, e->value, place.unit,
                    e->start, e->limit);
        return;
    }
    char from[80] = "";
    if (fabs(e->value - e->proved) > 2 * GZ_AUDIT_TOLERANCE)
        snprintf(from, sizeof from, " (proved free only up to %.7g)", e->proved);
    gz_lint_add(a->context, place,
                "%sjoint '%.80s' brings links '%.80s' and '%.80s' into contact at %.7f %s%s; its "
                "range from %.7g: up to %.7g%s%s",
                prefix, place.joint, first, second, e->value, place.unit, from, e->start, e->limit,
                witness[0] ? "; see graze check -q " : "", witness);
}

/// Reports the samples of a joint, as one finding.
static void report_samples(auditor *a) {
    if (a->sampled.samples == 0) return;
    char prefix[120];
    snprintf(prefix, sizeof prefix, "in %lld sampled sweeps, first with sample %lld of seed %llu, ",
             (long long)a->sampled.samples, (long long)a->sampled.first.sample,
             (unsigned long long)a->context->options->seed);
    report_event(a, &a->sampled.first, prefix, a->sampled.witness);
    a->sampled = (tally){0};
}

static void report_rest(const auditor *a, const gz_audit_event *e) {
    const char *first = graze_robot_link_name(a->robot, e->a);
    const char *second = graze_robot_link_name(a->robot, e->b);
    int32_t link = gz_lint_find_link(a->context, first);
    gz_lint_place place = {.element = link >= 0 ? a->context->links[link].element : NULL,
                           .link = first};
    gz_lint_add(a->context, place,
                "links '%.100s' and '%.100s' touch at the rest configuration already; the sweeps "
                "leave the pair out",
                first, second);
}

static bool add_event(const gz_audit_event *e, void *user) {
    auditor *a = user;
    if (e->joint != a->joint) report_samples(a);
    a->joint = e->joint;
    char witness[sizeof a->sampled.witness];
    if (e->kind == GZ_AUDIT_REST) {
        report_rest(a, e);
    } else if (e->kind == GZ_AUDIT_BEYOND) {
        report_beyond(a, e);
    } else if (e->sample < 0) {
        write_witness(witness, sizeof witness, a, e);
        report_event(a, e, "", witness);
    } else if (a->sampled.samples++ == 0) {
        a->sampled.first = *e;
        a->sampled.first.q = NULL;
        write_witness(a->sampled.witness, sizeof a->sampled.witness, a, e);
    }
    return !a->context->out_of_memory;
}

void gz_lint_check_audit(gz_lint_context *c) {
    if (!c->options->audit) return;
    graze_load_options load = *c->options->load;
    load.visuals = GRAZE_VISUALS_SKIP;
    graze_robot *robot = NULL;
    graze_error error;
    graze_status status = graze_robot_load_urdf_memory(&robot, c->text, c->text_size, c->file,
                                                       c->base_dir, &load, &error);
    auditor a = {.context = c, .robot = robot, .joint = -1};
    gz_audit audit = {.robot = robot,
                      .samples = c->options->audit_samples,
                      .seed = c->options->seed,
                      .each = add_event,
                      .user = &a};
    if (!status) status = gz_audit_run(&audit, &error);
    if (robot) report_samples(&a);
    c->out_of_memory |= status == GRAZE_ERROR_NO_MEMORY;
    // A robot that does not load cannot be posed: that is a finding, too.
    if (status && !c->out_of_memory)
        gz_lint_add(c, (gz_lint_place){.element = gz_xml_root(c->urdf)},
                    "the joints are not audited: %.300s%s%.200s", error.message,
                    error.element[0] ? " at " : "", error.element);
    graze_robot_free(robot);
}
