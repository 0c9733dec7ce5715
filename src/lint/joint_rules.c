// J: axes, limits, mimics.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "lint/lint.h"

static bool is(const gz_lint_joint *joint, const char *type) {
    return strcmp(joint->type, type) == 0;
}

static bool turns(const gz_lint_joint *joint) {
    return is(joint, "revolute") || is(joint, "continuous");
}

static bool needs_limits(const gz_lint_joint *joint) {
    return is(joint, "revolute") || is(joint, "prismatic");
}

static bool moves(const gz_lint_joint *joint) {
    return joint->type[0] && !is(joint, "fixed");
}

static bool has_axis(const gz_lint_joint *joint) {
    return needs_limits(joint) || is(joint, "continuous") || is(joint, "planar");
}

static const char *unit_of(const gz_lint_joint *joint) {
    return turns(joint) ? "rad" : "m";
}

/// A limit that is not written counts as 0, as URDF has it.
static double limit_value(const gz_lint_numbers *limit) {
    return limit->valid ? limit->value[0] : 0;
}

/// Whether there are limits that can be compared.
static bool limited(const gz_lint_joint *joint) {
    return joint->limit && needs_limits(joint) && (!joint->lower.text || joint->lower.valid) &&
           (!joint->upper.text || joint->upper.valid);
}

// ----------------------------------------------------------------------------------------- axes

static double axis_length(const gz_lint_joint *joint) {
    const double *a = joint->axis.value;
    return hypot(hypot(a[0], a[1]), a[2]);
}

static void check_zero_axis(gz_lint_context *c, const gz_lint_joint *joint) {
    if (!has_axis(joint) || !joint->axis.valid || axis_length(joint) > 0) return;
    gz_lint_add(c, gz_lint_measured(gz_lint_at_joint(joint, joint->axis_element), 0, 1, ""),
                "axis of %s joint '%.100s' is zero; allowed: a direction", joint->type,
                joint->name);
}

static void check_unit_axis(gz_lint_context *c, const gz_lint_joint *joint) {
    if (!has_axis(joint) || !joint->axis.valid) return;
    double length = axis_length(joint);
    // Six digits in a file are no mistake.
    if (length == 0 || fabs(length - 1) <= 1e-5) return;
    gz_lint_place place = gz_lint_measured(gz_lint_at_joint(joint, joint->axis_element), length, 1,
                                           "");
    gz_fix_buffer buffer;
    gz_fix_axis(&buffer, c, joint, &place.fix);
    gz_lint_add(c, place, "axis of joint '%.100s' has length %.9g; allowed: 1 (to 1e-5)",
                joint->name, length);
}

static void check_fixed_axis(gz_lint_context *c, const gz_lint_joint *joint) {
    if (!is(joint, "fixed") || !joint->axis_element) return;
    gz_lint_add(c, gz_lint_at_joint(joint, joint->axis_element),
                "fixed joint '%.100s' has an axis, which says nothing", joint->name);
}

// --------------------------------------------------------------------------------------- limits

static void check_limits_there(gz_lint_context *c, const gz_lint_joint *joint) {
    if (needs_limits(joint) && !joint->limit)
        gz_lint_add(c, gz_lint_at_joint(joint, NULL),
                    "%s joint '%.100s' has no <limit>; allowed: one%s", joint->type, joint->name,
                    is(joint, "revolute") ? ", or type continuous" : "");
}

static void check_limit_order(gz_lint_context *c, const gz_lint_joint *joint) {
    double lower = limit_value(&joint->lower), upper = limit_value(&joint->upper);
    if (!limited(joint) || lower <= upper) return;
    gz_lint_add(
        c, gz_lint_measured(gz_lint_at_joint(joint, joint->limit), lower, upper, unit_of(joint)),
        "joint '%.100s' has lower %.9g above upper %.9g; allowed: lower <= upper", joint->name,
        lower, upper);
}

static void check_empty_limits(gz_lint_context *c, const gz_lint_joint *joint) {
    if (!limited(joint) || limit_value(&joint->lower) != 0 || limit_value(&joint->upper) != 0)
        return;
    gz_lint_add(c, gz_lint_measured(gz_lint_at_joint(joint, joint->limit), 0, 0, unit_of(joint)),
                "%s joint '%.100s' has the limits 0 and 0%s: it cannot move", joint->type,
                joint->name,
                joint->lower.text || joint->upper.text ? "" : ", as neither is written");
}

static void check_continuous_limits(gz_lint_context *c, const gz_lint_joint *joint) {
    if (!is(joint, "continuous") || (!joint->lower.text && !joint->upper.text)) return;
    gz_lint_add(c, gz_lint_at_joint(joint, joint->limit),
                "continuous joint '%.100s' has lower \"%.40s\" and upper \"%.40s\", which are "
                "ignored",
                joint->name, joint->lower.text ? joint->lower.text : "",
                joint->upper.text ? joint->upper.text : "");
}

/// Two turns, as files write them: 6.2832 for a turn is no wider range than it should be.
#define TWO_TURNS (4 * M_PI + 1e-3)

static void check_range(gz_lint_context *c, const gz_lint_joint *joint) {
    double lower = limit_value(&joint->lower), upper = limit_value(&joint->upper);
    if (!limited(joint) || !is(joint, "revolute") || lower > upper) return;
    double most = fmax(fabs(lower), fabs(upper));
    if (most > 6.5)
        gz_lint_add(c, gz_lint_measured(gz_lint_at_joint(joint, joint->limit), most, 6.5, "rad"),
                    "revolute joint '%.100s' has a limit of %.9g rad%s; usual: at most one "
                    "turn, 6.5",
                    joint->name, most, most > 4 * M_PI ? ", which looks like degrees" : "");
    else if (upper - lower > TWO_TURNS)
        gz_lint_add(
            c,
            gz_lint_measured(gz_lint_at_joint(joint, joint->limit), upper - lower, 4 * M_PI, "rad"),
            "revolute joint '%.100s' has a range of %.9g rad; usual: at most two turns",
            joint->name, upper - lower);
}

static void check_zero_inside(gz_lint_context *c, const gz_lint_joint *joint) {
    double lower = limit_value(&joint->lower), upper = limit_value(&joint->upper);
    if (!limited(joint) || lower > upper || joint->mimic || (lower <= 0 && upper >= 0)) return;
    gz_lint_add(c,
                gz_lint_measured(gz_lint_at_joint(joint, joint->limit), 0,
                                 lower > 0 ? lower : upper, unit_of(joint)),
                "0 is outside the limits %.9g .. %.9g of joint '%.100s': the zero "
                "configuration, where many tools begin, is not allowed",
                lower, upper, joint->name);
}

static void check_positive(gz_lint_context *c, const gz_lint_joint *joint, const gz_lint_numbers *n,
                           const char *name) {
    if (n->valid && n->value[0] > 0) return;
    if (n->text && !n->valid) return; // a number's fault has its own rule
    gz_lint_place place = gz_lint_at_joint(joint, joint->limit);
    if (n->valid) place = gz_lint_measured(place, n->value[0], 0, "");
    gz_lint_add(c, place, "%s of joint '%.100s' is %.40s; allowed: above 0", name, joint->name,
                n->text ? n->text : "missing");
}

static void check_strength(gz_lint_context *c, const gz_lint_joint *joint) {
    if (!joint->limit || !(needs_limits(joint) || is(joint, "continuous"))) return;
    check_positive(c, joint, &joint->effort, "effort");
    check_positive(c, joint, &joint->velocity, "velocity");
}

static void check_soft_limits(gz_lint_context *c, const gz_lint_joint *joint) {
    if (!joint->safety || !needs_limits(joint)) return;
    gz_lint_numbers low = gz_lint_numbers_read(joint->safety, "soft_lower_limit", 1);
    gz_lint_numbers high = gz_lint_numbers_read(joint->safety, "soft_upper_limit", 1);
    if ((low.text && !low.valid) || (high.text && !high.valid)) return;
    bool low_zero = limit_value(&low) == 0, high_zero = limit_value(&high) == 0;
    if (!low_zero || !high_zero) return;
    gz_lint_add(c, gz_lint_at_joint(joint, joint->safety),
                "safety controller of joint '%.100s' has the soft limits 0 and 0: a "
                "controller that heeds them never lets it move",
                joint->name);
}

// --------------------------------------------------------------------------------------- mimics

static void check_mimic_target(gz_lint_context *c, const gz_lint_joint *joint) {
    if (!joint->mimic || joint->mimic_target >= 0) return;
    gz_lint_add(c, gz_lint_at_joint(joint, joint->mimic),
                "joint '%.100s' mimics '%.100s', which is no joint; allowed: a joint of the "
                "robot",
                joint->name, joint->mimic_joint);
}

/// Follows mimics from a joint and marks what it passes. Returns a joint of the cycle that it runs
/// into, or -1.
static int32_t follow(const gz_lint_context *c, int32_t joint, uint32_t mark, uint32_t *marks) {
    while (joint >= 0 && !marks[joint]) {
        marks[joint] = mark;
        joint = c->joints[joint].mimic_target;
    }
    return joint >= 0 && marks[joint] == mark ? joint : -1;
}

static void check_mimic_cycle(gz_lint_context *c) {
    uint32_t *marks = gz_calloc(c->joint_count, sizeof *marks);
    c->out_of_memory |= !marks;
    for (size_t j = 0; marks && j < c->joint_count; j++) {
        int32_t joint = follow(c, (int32_t)j, (uint32_t)j + 1, marks);
        if (joint < 0) continue;
        const gz_lint_joint *found = &c->joints[joint];
        gz_lint_add(c, gz_lint_at_joint(found, found->mimic),
                    "joint '%.100s' mimics itself%s; allowed: chains that end at a joint which "
                    "mimics none",
                    found->name, found->mimic_target == joint ? "" : ", by way of others");
    }
    gz_free(marks);
}

/// Whether a joint has several values.
static bool is_wide(const gz_lint_joint *joint) {
    return is(joint, "planar") || is(joint, "floating");
}

static void check_mimic_values(gz_lint_context *c, const gz_lint_joint *joint) {
    if (!joint->mimic || is(joint, "fixed")) return;
    const gz_lint_joint *target = joint->mimic_target >= 0 ? &c->joints[joint->mimic_target] : NULL;
    const gz_lint_joint *wide = is_wide(joint) ? joint : target && is_wide(target) ? target : NULL;
    if (!wide) return;
    gz_lint_add(c, gz_lint_at_joint(joint, joint->mimic),
                "joint '%.100s' %s, and %s joint '%.100s' has several values; allowed: joints "
                "with one",
                joint->name, wide == joint ? "mimics" : "mimics another", wide->type, wide->name);
}

static void check_mimic_kind(gz_lint_context *c, const gz_lint_joint *joint) {
    if (!joint->mimic || joint->mimic_target < 0) return;
    const gz_lint_joint *target = &c->joints[joint->mimic_target];
    if (is_wide(joint) || is_wide(target)) return; // an error, with a rule of its own
    bool same = turns(joint) == turns(target) && moves(joint) && moves(target);
    if (same) return;
    gz_lint_add(c, gz_lint_at_joint(joint, joint->mimic),
                "%s joint '%.100s' mimics %s joint '%.100s'; usual: both turn or both slide",
                joint->type, joint->name, target->type, target->name);
}

static void check_mimic_range(gz_lint_context *c, const gz_lint_joint *joint) {
    if (!joint->mimic || joint->mimic_target < 0 || !limited(joint)) return;
    const gz_lint_joint *target = &c->joints[joint->mimic_target];
    if (!limited(target) || (joint->multiplier.text && !joint->multiplier.valid)) return;
    double factor = joint->multiplier.valid ? joint->multiplier.value[0] : 1;
    double offset = joint->offset.valid ? joint->offset.value[0] : 0;
    double x = factor * limit_value(&target->lower) + offset;
    double y = factor * limit_value(&target->upper) + offset;
    double low = fmin(x, y), high = fmax(x, y);
    double lower = limit_value(&joint->lower), upper = limit_value(&joint->upper);
    double slack = 1e-6 * fmax(1, fmax(fabs(low), fabs(high)));
    if (low >= lower - slack && high <= upper + slack) return;
    double over = fmax(lower - low, high - upper);
    gz_lint_add(c, gz_lint_measured(gz_lint_at_joint(joint, joint->mimic), over, 0, unit_of(joint)),
                "joint '%.100s' follows '%.100s' from %.6g to %.6g; its own limits: %.6g .. "
                "%.6g",
                joint->name, target->name, low, high, lower, upper);
}

// ---------------------------------------------------------------------------------------- pairs

/// The name of the other side; false where a name holds no side.
static bool other_side(const char *name, char *out, size_t size) {
    static const char *const words[][2] = {
        {"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"}, {"l_", "r_"}, {"L_", "R_"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *found = strstr(name, words[i][0]);
        // The letters alone stand in front.
        if (!found || (i >= 3 && found != name)) continue;
        int n = snprintf(out, size, "%.*s%s%s", (int)(found - name), name, words[i][1],
                         found + strlen(words[i][0]));
        if (n > 0 && (size_t)n < size) return true;
    }
    return false;
}

/// Whether two ranges are the same, or mirrored.
static bool ranges_agree(const gz_lint_joint *a, const gz_lint_joint *b) {
    double a0 = limit_value(&a->lower), a1 = limit_value(&a->upper);
    double b0 = limit_value(&b->lower), b1 = limit_value(&b->upper);
    const double slack = 1e-3;
    bool same = fabs(a0 - b0) <= slack && fabs(a1 - b1) <= slack;
    bool mirrored = fabs(a0 + b1) <= slack && fabs(a1 + b0) <= slack;
    return same || mirrored;
}

static void check_sides(gz_lint_context *c, const gz_lint_joint *a) {
    char name[256];
    int32_t other = other_side(a->name, name, sizeof name) ? gz_lint_find_joint(c, name) : -1;
    if (other < 0) return;
    const gz_lint_joint *b = &c->joints[other];
    if (strcmp(a->type, b->type) != 0)
        gz_lint_add(c, gz_lint_at_joint(b, NULL),
                    "joint '%.100s' is %s, and '%.100s' is %s; usual: both sides alike", a->name,
                    a->type, b->name, b->type);
    else if (limited(a) && limited(b) && !ranges_agree(a, b))
        gz_lint_add(c, gz_lint_at_joint(b, b->limit),
                    "joint '%.100s' has the limits %.6g .. %.6g, and '%.100s' %.6g .. %.6g; "
                    "usual: the same, or mirrored",
                    a->name, limit_value(&a->lower), limit_value(&a->upper), b->name,
                    limit_value(&b->lower), limit_value(&b->upper));
}

#define RULE(...) GZ_LINT_RULE(JOINTS, __VA_ARGS__)

static const gz_lint_rule rules[] = {
    RULE("J001", "axis-zero", ERROR, "The axis of a joint has no direction.",
         "Write the axis, in the joint's frame; without <axis> it is 1 0 0.",
         .check_joint = check_zero_axis),
    RULE("J002", "axis-not-unit", WARNING, "The axis of a joint is not of length 1.",
         "Divide it by its length: some tools do not, and then scale the joint's values.",
         .check_joint = check_unit_axis),
    RULE("J003", "limit-missing", ERROR, "A revolute or prismatic joint has no <limit>.",
         "Add <limit lower upper effort velocity>, or make it continuous.",
         .check_joint = check_limits_there),
    RULE("J004", "limit-order", ERROR, "The lower limit is above the upper one.",
         "Swap them, or correct the sign.", .check_joint = check_limit_order),
    RULE("J005", "limit-empty", WARNING, "Both limits are 0, so the joint cannot move.",
         "Write the limits, or make the joint fixed.", .check_joint = check_empty_limits),
    RULE("J006", "continuous-limit", WARNING, "A continuous joint has limits, which are ignored.",
         "Make it revolute if it is limited, else remove lower and upper.",
         .check_joint = check_continuous_limits),
    RULE("J007", "limit-large", WARNING, "The limits are wider than any joint usually turns.",
         "Write radians, not degrees; use continuous for what turns freely.",
         .check_joint = check_range),
    RULE("J008", "mimic-unknown", ERROR, "A joint mimics one that is not there.",
         "Correct the name.", .check_joint = check_mimic_target),
    RULE("J009", "mimic-cycle", ERROR, "Joints mimic each other in a circle.",
         "Let one of them be free.", .check = check_mimic_cycle),
    RULE("J010", "mimic-kind", WARNING,
         "A joint mimics one that does not move, or that slides where it turns.",
         "Check the name and the multiplier's unit.", .check_joint = check_mimic_kind),
    RULE("J011", "mimic-range", WARNING, "Following its master takes a joint past its own limits.",
         "Widen its limits, or narrow its master's.", .check_joint = check_mimic_range),
    RULE("J012", "zero-outside", WARNING, "The zero position is outside the limits.",
         "Give a home state in the SRDF, and do not start at zero.",
         .check_joint = check_zero_inside),
    RULE("J013", "effort-velocity", WARNING, "Effort or velocity is missing, or not above 0.",
         "Write what the drive can do: planners and controllers divide by it.",
         .check_joint = check_strength),
    RULE("J014", "sides-differ", WARNING, "The left and the right joint differ.",
         "Check which of them is right.", .check_joint = check_sides),
    RULE("J015", "soft-limit-zero", INFO, "The soft limits of a safety controller are both 0.",
         "Write them, or remove <safety_controller>.", .check_joint = check_soft_limits),
    RULE("J016", "fixed-axis", INFO, "A fixed joint has an axis.", "Remove <axis>.",
         .check_joint = check_fixed_axis),
    RULE("J017", "mimic-values", ERROR, "A joint with several values mimics, or is mimicked.",
         "Let only revolute, continuous and prismatic joints mimic each other.",
         .check_joint = check_mimic_values),
};

const gz_lint_tier gz_lint_tier_joints = {rules, sizeof rules / sizeof *rules};
