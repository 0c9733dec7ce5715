// Rigid bodies: a simple polygon as convex parts, at any heading.

#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "planar/cspace/cspace_internal.h"

void graze_planar_body_free(graze_planar_body *body) {
    if (!body) return;
    gz_free(body->parts);
    gz_free(body->vertices);
    gz_free(body);
}

static graze_planar_body *body_alloc(size_t count, size_t vertex_count) {
    graze_planar_body *body = gz_calloc(1, sizeof *body);
    if (!body) return NULL;
    body->parts = gz_calloc(count, sizeof *body->parts);
    body->vertices = gz_calloc(vertex_count, sizeof *body->vertices);
    if (body->parts && body->vertices) return body;
    graze_planar_body_free(body);
    return NULL;
}

/// Adds a part whose vertices stand at the end of the list already.
static graze_status add_part(graze_planar_body *body, size_t count, graze_error *error) {
    graze_vec2 *first = body->vertices + body->vertex_count;
    graze_status status = graze_planar_convex_make(&body->parts[body->count], first, (int32_t)count,
                                                   error);
    if (status) return status;
    body->count++;
    body->vertex_count += count;
    for (size_t i = 0; i < count; i++) {
        // hypot is right to an ulp; two more to be above it.
        double reach = hypot(first[i].x, first[i].y) * (1 + 0x1p-50);
        body->reach = reach > body->reach ? reach : body->reach;
    }
    return GRAZE_OK;
}

static graze_status take_parts(graze_planar_body *body, const graze_planar_parts *parts,
                               graze_error *error) {
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < parts->count && !status; i++) {
        const graze_planar_shape *part = &parts->items[i];
        for (int32_t k = 0; k < part->count; k++) {
            body->vertices[body->vertex_count + (size_t)k] = (graze_vec2){part->x[k], part->y[k]};
        }
        status = add_part(body, (size_t)part->count, error);
    }
    return status;
}

graze_status graze_planar_body_create(graze_planar_body **body, const graze_vec2 *vertices,
                                      size_t count, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (body) *body = NULL;
    if (!body || !vertices) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: a value",
                       !body ? "body" : "vertices");
    }
    graze_planar_parts parts = {0};
    graze_status status = graze_planar_decompose(&parts, &vertices[0].x, &count, 1, 0, error);
    if (status) return status;
    size_t total = 0;
    for (size_t i = 0; i < parts.count; i++) total += (size_t)parts.items[i].count;
    graze_planar_body *made = body_alloc(parts.count, total);
    status = made ? take_parts(made, &parts, error) : gz_fail_memory(error);
    graze_planar_parts_free(&parts);
    if (status) {
        graze_planar_body_free(made);
        return status;
    }
    *body = made;
    return GRAZE_OK;
}

/// Turns one part; `scratch` has room for its vertices.
static graze_status turn_part(graze_planar_body *made, const graze_planar_convex *part, double c,
                              double s, graze_vec2 *scratch, graze_error *error) {
    for (int32_t i = 0; i < part->count; i++) {
        graze_vec2 v = part->vertices[i];
        graze_vec2 w = {c * v.x - s * v.y, s * v.x + c * v.y};
        // What cancels to next to nothing is nothing: the shapes of the plane know no such numbers.
        scratch[i].x = fabs(w.x) < GZ_PLANAR_MIN ? 0 : w.x;
        scratch[i].y = fabs(w.y) < GZ_PLANAR_MIN ? 0 : w.y;
    }
    size_t corners = 0;
    graze_vec2 *to = made->vertices + made->vertex_count;
    graze_status status = graze_planar_hull_corners(&to[0].x, &corners, &scratch[0].x,
                                                    (size_t)part->count, error);
    return status ? status : add_part(made, corners, error);
}

graze_status graze_planar_body_turned(graze_planar_body **turned, const graze_planar_body *body,
                                      double c, double s, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (turned) *turned = NULL;
    if (!turned || !body) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: a value",
                       !turned ? "turned" : "body");
    }
    if (!(fabs(c * c + s * s - 1) <= 1e-9)) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "cosine and sine are %g and %g; allowed: squares that sum to 1", c, s);
    }
    graze_planar_body *made = body_alloc(body->count, body->vertex_count);
    graze_vec2 *scratch = gz_calloc(body->vertex_count, sizeof *scratch);
    graze_status status = made && scratch ? GRAZE_OK : gz_fail_memory(error);
    for (size_t i = 0; i < body->count && !status; i++) {
        status = turn_part(made, &body->parts[i], c, s, scratch, error);
    }
    gz_free(scratch);
    if (status) {
        graze_planar_body_free(made);
        return status;
    }
    *turned = made;
    return GRAZE_OK;
}

size_t graze_planar_body_part_count(const graze_planar_body *body) {
    return body ? body->count : 0;
}

const graze_planar_convex *graze_planar_body_part(const graze_planar_body *body, size_t index) {
    return body && index < body->count ? &body->parts[index] : NULL;
}

double graze_planar_body_reach(const graze_planar_body *body) {
    return body ? body->reach : 0;
}
