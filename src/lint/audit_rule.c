// S011: does a joint reach a contact inside its limits?

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "lint/audit.h"
#include "lint/lint.h"
#include "robot/robot.h"

/// What the sampled sweeps of one joint met.
typedef struct tally {
    int64_t samples; ///< in which it met something
    bool told;       ///< the finding is kept back until the joint is done
    gz_audit_meeting first;
    char witness[600];
} tally;

typedef struct auditor {
    gz_lint_context *context;
    const gz_lint_rule *rule;
    const graze_robot *robot;
    tally sampled;
    int32_t joint; ///< whose sweeps are tallied
} auditor;

/// Numbers are printed alike in every locale.
static void append(char *out, size_t size, const char *before, double value) {
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%.17g", before, value);
    for (char *p = out + used + strlen(before); p < out + strlen(out); p++)
        if (!strchr("0123456789+-enaif", *p)) *p = '.';
}

/// The configuration as -q takes it; "" where it does not fit.
static void write_witness(char *out, size_t size, const auditor *a, const gz_audit_meeting *m) {
    out[0] = '\0';
    if (m->sample < 0) {
        size_t column = (size_t)a->robot->joints[m->joint].info.q_index;
        const char *name = graze_robot_q_name(a->robot, column);
        if (strlen(name) > size / 2) return;
        snprintf(out, size, "%s=", name);
        append(out, size, "", m->value);
        return;
    }
    for (size_t i = 0; i < graze_robot_q_size(a->robot); i++) {
        if (strlen(out) + 32 > size) {
            out[0] = '\0';
            return;
        }
        append(out, size, i > 0 ? "," : "", m->q[i]);
    }
}

static gz_lint_place place_of(const auditor *a, const gz_audit_meeting *m) {
    const gz_lint_context *c = a->context;
    const graze_joint_info *info = &a->robot->joints[m->joint].info;
    int32_t joint = gz_lint_find_joint(c, info->name);
    return (gz_lint_place){.element = joint >= 0 ? c->joints[joint].element : NULL,
                           .joint = info->name,
                           .has_value = true,
                           .value = m->value,
                           .threshold = m->limit,
                           .unit = info->type == GRAZE_JOINT_PRISMATIC ? "m" : "rad"};
}

/// What half a turn each way leaves open.
static void tell_part(const auditor *a, const gz_audit_meeting *m) {
    gz_lint_place place = place_of(a, m);
    const gz_joint *follower = &a->robot->joints[m->follower];
    bool slides = follower->info.type == GRAZE_JOINT_PRISMATIC;
    char rate[80] = "";
    append(rate, sizeof rate, "", follower->multiplier);
    gz_lint_add(
        a->context, a->rule, place,
        "joint '%.80s' turns without end, and '%.80s' %s %s%s: only half a turn each way is "
        "swept, and links '%.80s' and '%.80s' may meet beyond it",
        place.joint, follower->info.name, slides ? "slides on with it, by" : "follows it at", rate,
        slides ? " m/rad" : " of its angle, which is no whole ratio",
        graze_robot_link_name(a->robot, m->a), graze_robot_link_name(a->robot, m->b));
}

static void tell(const auditor *a, const gz_audit_meeting *m, const char *prefix,
                 const char *witness) {
    gz_lint_place place = place_of(a, m);
    const char *first = graze_robot_link_name(a->robot, m->a);
    const char *second = graze_robot_link_name(a->robot, m->b);
    if (m->kind == GZ_AUDIT_NEAR) {
        gz_lint_add(a->context, a->rule, place,
                    "%sjoint '%.80s' brings links '%.80s' and '%.80s' nearer than %.2g m at %.7g "
                    "%s, on the way from %.7g to %.7g: too near to prove that they never touch",
                    prefix, place.joint, first, second, m->gap * 1.05, m->value, place.unit,
                    m->start, m->limit);
        return;
    }
    char from[80] = "";
    if (fabs(m->value - m->proved) > 2 * GZ_AUDIT_TOLERANCE)
        snprintf(from, sizeof from, " (proved free only up to %.7g)", m->proved);
    gz_lint_add(a->context, a->rule, place,
                "%sjoint '%.80s' brings links '%.80s' and '%.80s' into contact at %.7f %s%s; its "
                "range from %.7g: up to %.7g%s%s",
                prefix, place.joint, first, second, m->value, place.unit, from, m->start, m->limit,
                witness[0] ? "; see graze check -q " : "", witness);
}

/// The samples of a joint make one finding.
static void end_joint(auditor *a) {
    if (a->sampled.samples == 0) return;
    char prefix[120];
    snprintf(prefix, sizeof prefix, "in %lld sampled sweeps, first with sample %lld of seed %llu, ",
             (long long)a->sampled.samples, (long long)a->sampled.first.sample,
             (unsigned long long)a->context->options->seed);
    tell(a, &a->sampled.first, prefix, a->sampled.witness);
    a->sampled = (tally){0};
}

static void tell_rest(const auditor *a, const gz_audit_meeting *m) {
    const char *first = graze_robot_link_name(a->robot, m->a);
    const char *second = graze_robot_link_name(a->robot, m->b);
    int32_t link = gz_lint_find_link(a->context, first);
    gz_lint_place place = {.element = link >= 0 ? a->context->links[link].element : NULL,
                           .link = first};
    gz_lint_add(a->context, a->rule, place,
                "links '%.100s' and '%.100s' touch at the rest configuration already; the sweeps "
                "leave the pair out",
                first, second);
}

static bool take_meeting(const gz_audit_meeting *m, void *user) {
    auditor *a = user;
    if (m->joint != a->joint) end_joint(a);
    a->joint = m->joint;
    char witness[sizeof a->sampled.witness];
    if (m->kind == GZ_AUDIT_REST) {
        tell_rest(a, m);
    } else if (m->kind == GZ_AUDIT_PART) {
        tell_part(a, m);
    } else if (m->sample < 0) {
        write_witness(witness, sizeof witness, a, m);
        tell(a, m, "", witness);
    } else if (a->sampled.samples++ == 0) {
        a->sampled.first = *m;
        a->sampled.first.q = NULL;
        write_witness(a->sampled.witness, sizeof a->sampled.witness, a, m);
    }
    return !a->context->out_of_memory;
}

/// A robot that does not load cannot be posed: that is told, not passed over.
static void tell_failure(gz_lint_context *c, const gz_lint_rule *rule, const graze_error *why) {
    c->out_of_memory |= why->status == GRAZE_ERROR_NO_MEMORY;
    if (c->out_of_memory) return;
    gz_lint_add(c, rule, (gz_lint_place){.element = gz_xml_root(c->urdf)},
                "the joints are not audited: %.300s%s%.200s", why->message,
                why->element[0] ? " at " : "", why->element);
}

void gz_lint_check_audit(gz_lint_context *c, const gz_lint_rule *rule) {
    if (!c->options->audit) return;
    graze_load_options load = c->options->load;
    load.visuals = GRAZE_VISUALS_SKIP;
    graze_robot *robot = NULL;
    graze_error error;
    graze_status status = graze_robot_load_urdf_memory(&robot, c->text, c->text_size, c->file,
                                                       c->base_dir, &load, &error);
    auditor a = {.context = c, .rule = rule, .robot = robot, .joint = -1};
    gz_audit audit = {.robot = robot,
                      .samples = c->options->audit_samples,
                      .seed = c->options->seed,
                      .each = take_meeting,
                      .user = &a};
    if (!status) status = gz_audit_run(&audit, &error);
    if (robot) end_joint(&a);
    if (status) tell_failure(c, rule, &error);
    graze_robot_free(robot);
}
