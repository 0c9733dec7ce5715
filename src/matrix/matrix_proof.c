// Branch and bound: a box of configurations is free when the pair, in its middle, is farther apart
// than it can come inside the box; else its widest edge, as the bound weighs them, is halved. Depth
// first, so that a proof holds some hundred boxes at a time.
//
// How far it can come: kinematics/motion_bound.c, by the radii in the middle of the box. FREE there
// at margin m proves a real distance above m - epsilon; a snapped pair that is really farther apart
// than epsilon does not collide (docs/contract.md); GZ_CURVED_TOLERANCE is what verdicts on curved
// shapes leave open besides.
//
// Middles are rounded: halving moves them by half of the edge, exact up to 2^-53 of the variable's
// largest magnitude, at most DEPTH_MAX times. Boxes that are wider by 2^-45 of that on each side
// cover what the rounded ones leave out.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "kinematics/motion_bound.h"
#include "matrix/matrix_internal.h"
#include "narrow/curved/curved.h"

/// Most joints of a pair that proofs are tried for; longer paths have so many configurations that
/// none would end.
enum { DEPTH_MAX = 200, JOINTS_MAX = 24 };

/// A pair that is this close to its bound in a box so small will not be proved, metres.
#define SMALLEST_MOTION 1e-6

/// Above this only some boxes are checked for a contact in their middle, metres.
#define LARGE_MOTION 0.1

static double *box_at(const gz_matrix_proof *p, size_t index) {
    return p->boxes + index * p->box_size;
}

bool gz_matrix_proof_start(gz_matrix_case *c) {
    gz_matrix_proof *p = &c->proof;
    size_t n = (size_t)c->pair.variable_count;
    *p = (gz_matrix_proof){.box_size = 2 * n + 1};
    p->boxes = gz_malloc(DEPTH_MAX + 3, p->box_size * sizeof *p->boxes);
    if (!p->boxes) return false;
    p->half = p->boxes + (DEPTH_MAX + 2) * p->box_size;
    p->shares = p->half + n;
    for (size_t i = 0; i < n; i++) {
        const gz_matrix_variable *v = &c->pair.variables[i];
        p->boxes[i] = v->low / 2 + v->high / 2;
        p->boxes[n + i] = v->high / 2 - v->low / 2;
    }
    p->boxes[2 * n] = 0;
    p->box_count = 1;
    return true;
}

void gz_matrix_proof_free(gz_matrix_proof *p) {
    gz_free(p->boxes);
    p->boxes = NULL;
    p->box_count = 0;
}

/// Replaces the last box by its two halves along the variable whose motion adds most.
static void split(gz_matrix_proof *p, size_t n) {
    size_t widest = 0;
    for (size_t i = 1; i < n; i++)
        if (p->shares[i] > p->shares[widest]) widest = i;
    double *lower = box_at(p, p->box_count - 1), *upper = box_at(p, p->box_count);
    double quarter = lower[n + widest] / 2;
    lower[n + widest] = quarter;
    lower[2 * n] += 1;
    memcpy(upper, lower, p->box_size * sizeof *upper);
    lower[widest] -= quarter;
    upper[widest] += quarter;
    p->box_count++;
}

/// Whether the pair is not farther apart than that, as points show that were near in another box:
/// quicker than to find some in the meshes. Nothing rests on it: such a box is split.
static bool is_surely_near(gz_matrix_proof *p, const gz_matrix_scratch *scratch,
                           const gz_matrix_pair *pair, double margin) {
    uint64_t count = p->near_count < GZ_MATRIX_MEMORY ? p->near_count : GZ_MATRIX_MEMORY;
    for (uint64_t i = 0; i < count; i++)
        if (gz_matrix_pair_gap(scratch, pair, p->near[i]) < margin * (1 - 1e-9)) return true;
    return false;
}

/// Whether the pair is farther apart than that by the verdict.
static bool is_apart(gz_matrix_proof *p, gz_matrix_scratch *scratch, const gz_matrix_pair *pair,
                     double margin) {
    if (margin > gz_matrix_pair_span(scratch, pair)) return false;
    if (is_surely_near(p, scratch, pair, margin)) return false;
    double points[2][3];
    bool found;
    if (!gz_matrix_pair_contact(scratch, pair, margin, points, &found)) return true;
    if (found) memcpy(p->near[p->near_count++ % GZ_MATRIX_MEMORY], points, sizeof points);
    return false;
}

// ----------------------------------------------------------------------------------------- motion

bool gz_matrix_proof_possible(const gz_matrix_scratch *scratch, const gz_matrix_pair *p) {
    if (p->unbounded || p->step_count > JOINTS_MAX) return false;
    // Larger angles and slides than any robot has would eat into the tolerance.
    for (int32_t i = 0; i < p->variable_count; i++)
        if (!(fabs(p->variables[i].low) <= 1e3 && fabs(p->variables[i].high) <= 1e3)) return false;
    for (int32_t i = 0; i < p->step_count; i++)
        if (!(p->steps[i].rate <= 1e3)) return false;
    return isfinite(scratch->checker->epsilon) &&
           gz_motion_stretch(scratch->checker->robot, p->a, p->b, 0) <= 1 + 2e-6;
}

double gz_matrix_box_margin(const gz_matrix_scratch *scratch, const gz_matrix_pair *p,
                            const double *half, double *shares) {
    const graze_checker *checker = scratch->checker;
    gz_path_joint path[JOINTS_MAX];
    gz_posed_link links[2];
    for (int k = 0; k < 2; k++) {
        int32_t link = k ? p->b : p->a;
        const double *pose = gz_link_pose(checker, scratch->ws, link);
        links[k] = (gz_posed_link){.link = link,
                                   .center = scratch->ws->centers[link],
                                   .box = gz_workspace_box(scratch->ws, link),
                                   .error = gz_link_pad(&checker->robot->links[link], pose)};
    }
    for (int32_t i = 0; i < p->step_count; i++) {
        const gz_matrix_step *s = &p->steps[i];
        double way = s->rate * half[s->variable];
        path[i] = (gz_path_joint){
            .body = s->body, .slide = s->turns ? 0 : way, .chord = s->turns ? fmin(way, 2) : 0};
    }
    gz_motion_set_radii(checker->robot, (const double(*)[12])scratch->ws->bodies, links,
                        checker->epsilon, path, p->step_count);
    double motion = gz_motion_sum(path, p->step_count);
    for (int32_t v = 0; v < p->variable_count; v++) shares[v] = 0;
    for (int32_t i = 0; i < p->step_count; i++) shares[p->steps[i].variable] += path[i].share;
    return (motion + 2 * checker->epsilon + GZ_CURVED_TOLERANCE) *
           gz_motion_stretch(checker->robot, p->a, p->b, p->step_count);
}

// ------------------------------------------------------------------------------- branch and bound

/// What a box came to.
typedef enum outcome { FREE, CONTACT, SPLIT, STUCK } outcome;

static outcome test_box(gz_matrix_case *c, gz_matrix_scratch *scratch, const double *box) {
    gz_matrix_proof *p = &c->proof;
    const gz_matrix_pair *pair = &c->pair;
    size_t n = (size_t)pair->variable_count;
    gz_matrix_pair_pose(scratch, pair, box);
    if (!scratch->inside) return STUCK;
    for (size_t i = 0; i < n; i++) {
        const gz_matrix_variable *v = &pair->variables[i];
        p->half[i] = box[n + i] + 0x1p-45 * fmax(fabs(v->low), fabs(v->high));
    }
    double margin = gz_matrix_box_margin(scratch, pair, p->half, p->shares);
    if (is_apart(p, scratch, pair, margin)) return FREE;
    // Where the box is large its halves will be checked, too.
    bool small = margin < LARGE_MOTION || (int)box[2 * n] % 4 == 0;
    if (small && gz_matrix_pair_collides(scratch, pair, 0)) return CONTACT;
    return margin < SMALLEST_MOTION || box[2 * n] >= DEPTH_MAX ? STUCK : SPLIT;
}

bool gz_matrix_proof_run(gz_matrix_case *c, gz_matrix_scratch *scratch, uint64_t work) {
    gz_matrix_proof *p = &c->proof;
    size_t n = (size_t)c->pair.variable_count;
    // From 0: what work rounds down must not depend on what this thread did before.
    scratch->stats = (graze_stats){0};
    uint64_t done = 0;
    while (p->box_count > 0 && !p->stuck && done < work && c->apart_only &&
           !gz_matrix_scratch_cancelled(scratch)) {
        const double *box = box_at(p, p->box_count - 1);
        p->nodes++;
        switch (test_box(c, scratch, box)) {
        case FREE:
            p->share += ldexp(1, -(int)box[2 * n]);
            p->box_count--;
            break;
        case CONTACT:
            if (!gz_matrix_case_note(c, scratch, true)) return false;
            break;
        case SPLIT:
            split(p, n);
            break;
        case STUCK:
            p->stuck = true;
        }
        done = gz_matrix_scratch_work(scratch);
    }
    p->work += done;
    return true;
}
