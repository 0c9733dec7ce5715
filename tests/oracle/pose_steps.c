#include "pose_steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check_internal.h"
#include "check/filter_error.h"
#include "check/filter_model.h"
#include "math/transform.h"
#include "mesh/shape.h"
#include "robot/robot.h"

static void *allocate(size_t count, size_t size) {
    void *out = calloc(count ? count : 1, size);
    if (out) return out;
    fputs("pose_intervals: out of memory\n", stderr);
    exit(3);
}

/// The origins of fixed joints from a body's root link to a link, and one more.
static void find_chain(const graze_robot *r, const gz_body *b, pose_step *out) {
    const gz_joint *joint = &r->joints[b->joint];
    const int32_t root = r->bodies[b->parent].root_link;
    size_t count = 1;
    for (int32_t l = joint->info.parent; l != root;
         l = r->joints[r->links[l].parent_joint].info.parent)
        count++;
    out->chain = allocate(count, sizeof *out->chain);
    out->chain_count = count;
    memcpy(out->chain[--count], joint->info.origin.m, sizeof *out->chain);
    for (int32_t l = joint->info.parent; l != root;) {
        const gz_joint *above = &r->joints[r->links[l].parent_joint];
        memcpy(out->chain[--count], above->info.origin.m, sizeof *out->chain);
        l = above->info.parent;
    }
}

/// What a joint follows, itself first.
static void find_mimics(const graze_robot *r, int32_t joint, pose_step *out) {
    for (; r->joints[joint].info.mimic >= 0; joint = r->joints[joint].info.mimic) {
        if (out->real_count == sizeof out->real / sizeof *out->real) abort();
        out->real[out->real_count][0] = r->joints[joint].info.multiplier;
        out->real[out->real_count++][1] = r->joints[joint].info.offset;
    }
}

static void fill_step(const graze_robot *r, const gz_body *b, pose_step *out) {
    out->type = b->type;
    find_chain(r, b, out);
    find_mimics(r, b->joint, out);
    const graze_vec3 *axis = &r->joints[b->joint].info.axis;
    memcpy(out->given, GZ_ARRAY3(*axis), sizeof out->given);
    memcpy(out->origin, b->origin, sizeof out->origin);
    memcpy(out->axis, b->axis, sizeof out->axis);
    out->multiplier = b->multiplier;
    out->offset = b->offset;
    out->value_max = b->value_max;
    memcpy(out->in_double.constant, b->axis_projection, sizeof b->axis_projection);
    memcpy(out->in_double.cosine, b->cosine, sizeof b->cosine);
    memcpy(out->in_double.sine, b->sine, sizeof b->sine);
}

/// As pose_permuted() has it: `to` and `from` as signed columns.
static void fill_permuted(const gz_filter_body *b, pose_turn *out) {
    const int *to = b->to, *from = b->from;
    const double s = (double)b->sense, s1 = (double)b->sign[1], s2 = (double)b->sign[2];
    out->constant[3 * from[0] + to[0]] = (double)b->sign[0];
    if (b->turns) {
        out->cosine[3 * from[1] + to[1]] = s1;
        out->sine[3 * from[2] + to[1]] = s * s2;
        out->cosine[3 * from[2] + to[2]] = s2;
        out->sine[3 * from[1] + to[2]] = -s * s1;
    } else {
        out->constant[3 * from[1] + to[1]] = s1;
        out->constant[3 * from[2] + to[2]] = s2;
    }
}

static void fill_floats(const gz_filter_body *b, const gz_pose_bound *bound, pose_step *out) {
    out->permutes = b->permutes;
    out->float_value_max = b->value_max;
    out->rotation = bound->rotation;
    out->translation = bound->translation;
    for (int i = 0; i < 3; i++) {
        out->shift[i] = (double)b->shift[i];
        out->slide[i] = b->turns ? 0 : (double)b->slide[i];
        for (int j = 0; j < 3 && !b->permutes; j++) {
            const float(*constant)[4] = b->turns ? b->projection : b->rotation;
            out->in_float.constant[3 * i + j] = (double)constant[j][i];
            out->in_float.cosine[3 * i + j] = b->turns ? (double)b->cosine[j][i] : 0;
            out->in_float.sine[3 * i + j] = b->turns ? (double)b->sine[j][i] : 0;
        }
    }
    if (!b->permutes) return;
    fill_permuted(b, &out->in_float);
    // A slide goes along the parent's column from[0], as it stands there.
    for (int i = 0; i < 3 && !b->turns; i++)
        out->slide[i] = i == b->from[0] ? (double)b->sense * (double)b->sign[0] : 0;
}

static void fill_link(const graze_robot *r, const gz_link *l, pose_link *out) {
    out->body = l->body;
    memcpy(out->center, GZ_ARRAY3(l->sphere.center), sizeof out->center);
    memcpy(out->box, GZ_ARRAY3(l->obb.center), sizeof out->box);
    memcpy(out->half, GZ_ARRAY3(l->obb.half), sizeof out->half);
    out->own = gz_filter_pad(l);
    for (size_t i = l->first_collision; i < l->first_collision + l->collision_count; i++) {
        const gz_shape *s = &r->collisions[i].shape;
        if (!s->mesh) {
            out->radius = fmax(out->radius, fmax(gz_norm(s->a), gz_norm(s->b)));
            continue;
        }
        for (size_t v = 0; v < s->mesh->vertex_count; v++)
            out->radius = fmax(out->radius, gz_norm(s->mesh->vertices + 3 * v));
    }
}

void pose_steps_make(pose_steps *out, const graze_robot *r) {
    *out = (pose_steps){.step_count = (size_t)r->body_count};
    out->steps = allocate(out->step_count, sizeof *out->steps);
    out->links = allocate((size_t)r->link_count, sizeof *out->links);
    for (int32_t i = 0; i < r->body_count; i++) {
        out->steps[i].parent = r->bodies[i].parent;
        if (i > 0) fill_step(r, &r->bodies[i], &out->steps[i]);
    }
    for (int32_t i = 0; i < r->link_count; i++) {
        if (!r->links[i].collision_count) continue;
        fill_link(r, &r->links[i], &out->links[out->link_count]);
        out->links[out->link_count++].link = i;
    }
    graze_checker *checker;
    graze_error error;
    if (graze_checker_create(&checker, r, NULL, NULL, &error)) {
        fprintf(stderr, "pose_intervals: %s\n", error.message);
        exit(3);
    }
    const gz_filter_model *m = checker->filter;
    out->has_filter = m != NULL;
    for (int32_t i = 1; m && i < r->body_count; i++)
        fill_floats(&m->bodies[i], &m->errors[i], &out->steps[i]);
    for (size_t i = 0; m && i < m->link_count; i++)
        for (size_t k = 0; k < out->link_count; k++)
            if (out->links[k].link == m->links[i].link) {
                out->links[k].error = (double)m->links[i].error;
                out->links[k].turn = (double)m->links[i].turn;
            }
    graze_checker_free(checker);
}

void pose_steps_clear(pose_steps *steps) {
    for (size_t i = 0; i < steps->step_count; i++) free(steps->steps[i].chain);
    free(steps->steps);
    free(steps->links);
}
