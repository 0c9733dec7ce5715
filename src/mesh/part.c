#include "mesh/part.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/nearest_surface.h"
#include "mesh/region.h"

/// Scenes of more components have no cores: looking for them takes too long.
#define PARTS_MOST 4096
/// Places along each axis of the box where a ball is looked for.
#define PLACES 3
/// Steps of a ball that grows.
#define STEPS 12

static void find_box(gz_part *part, const graze_aabb *box) {
    for (int k = 0; k < 3; k++) {
        double low = (&box->min.x)[k], high = (&box->max.x)[k];
        part->center[k] = (float)(low + 0.5 * (high - low));
        double reach = fmax(high - (double)part->center[k], (double)part->center[k] - low);
        part->half[k] = (float)(reach * (1 + 0x1p-22));
    }
}

static double square_from(const gz_part *part, const double v[3]) {
    double square = 0;
    for (int i = 0; i < 3; i++) {
        double d = v[i] - (double)part->center[i];
        square += d * d;
    }
    return square;
}

/// The spheres around the boxes' middles that hold the components' vertices.
static void find_spheres(gz_part *parts, const graze_mesh *mesh) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        gz_part *part = &parts[mesh->component_of[t]];
        for (size_t k = 0; k < 3; k++) {
            const double *v = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + k];
            double square = square_from(part, v);
            if (square > (double)part->radius) part->radius = (float)square;
        }
    }
    for (size_t i = 0; i < mesh->component_count; i++)
        parts[i].radius = sqrtf(parts[i].radius) * (1 + 0x1p-21f);
}

/// Moves a place to where the surface is farther, in ever smaller steps (Hooke and Jeeves 1961,
/// "Direct search"), each within the ball that is known to hold no surface, so that the place stays
/// on its side. Returns its distance.
static float grow_ball(const graze_mesh *mesh, const float half[3], float place[3]) {
    float best = gz_surface_distance_below(mesh, place, INFINITY);
    float stride = 0.25f * fminf(half[0], fminf(half[1], half[2]));
    for (int step = 0; step < STEPS; step++) {
        bool better = false;
        if (stride > 0.9f * best) stride = 0.9f * best;
        for (int k = 0; k < 6; k++) {
            float next[3] = {place[0], place[1], place[2]};
            next[k % 3] += k < 3 ? stride : -stride;
            float distance = gz_surface_distance_below(mesh, next, best + 1.01f * stride);
            if (!(distance > best)) continue;
            best = distance;
            memcpy(place, next, sizeof next);
            better = true;
        }
        if (!better) stride *= 0.5f;
    }
    return best;
}

/// Whether a core would add something to those before it: its middle is in none of them.
static bool is_new(const gz_part *part, const float place[3]) {
    for (int i = 0; i < part->core_count; i++) {
        float square = 0;
        for (int k = 0; k < 3; k++) {
            float d = (place[k] - part->core[i].center[k]) / part->core[i].half[k];
            square += d * d;
        }
        if (square < 1) return false;
    }
    return true;
}

/// Keeps the largest balls, in order.
static void add_ball(gz_part *part, const float place[3], float radius) {
    int at = part->core_count < GZ_PART_CORES ? part->core_count++ : GZ_PART_CORES;
    if (at == GZ_PART_CORES && !(radius > part->core[--at].half[0])) return;
    for (; at > 0 && radius > part->core[at - 1].half[0]; at--) part->core[at] = part->core[at - 1];
    part->core[at] = (gz_part_core){{place[0], place[1], place[2]}, {radius, radius, radius}};
}

static void find_balls(gz_part *part, const graze_mesh *mesh) {
    float longest = fmaxf(part->half[0], fmaxf(part->half[1], part->half[2]));
    for (int i = 0; i < PLACES * PLACES * PLACES; i++) {
        // The middle first: of a round part it takes all.
        int cell = (i + PLACES * PLACES * PLACES / 2) % (PLACES * PLACES * PLACES);
        int at[3] = {cell % PLACES, cell / PLACES % PLACES, cell / PLACES / PLACES};
        float place[3];
        for (int k = 0; k < 3; k++)
            place[k] = part->center[k] + part->half[k] * ((float)at[k] - 1) * (2 / 3.0f);
        if (!is_new(part, place)) continue;
        double middle[3] = {(double)place[0], (double)place[1], (double)place[2]};
        if (!gz_region_is_inside(mesh, middle)) continue;
        float radius = grow_ball(mesh, part->half, place);
        if (radius > 0.02f * longest && is_new(part, place)) add_ball(part, place, radius);
    }
}

bool gz_part_is_box(const graze_mesh *mesh) {
    if (mesh->component_count != 1 || mesh->closed_count != 1) return false;
    const double *low = &mesh->aabb.min.x, *high = &mesh->aabb.max.x;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *c = mesh->triangles + 3 * t;
        bool flat = false;
        for (size_t k = 0; k < 3; k++) {
            double x[3];
            for (size_t i = 0; i < 3; i++) x[i] = mesh->vertices[3 * (size_t)c[i] + k];
            flat = flat || (x[0] == x[1] && x[1] == x[2] && (x[0] == low[k] || x[0] == high[k]));
        }
        if (!flat) return false;
    }
    return true;
}

/// The ellipsoid in a box that no triangle of the mesh passes, where the closed components wind
/// around its middle.
static void find_ellipsoid(gz_part *part, const graze_mesh *mesh) {
    double middle[3];
    for (int k = 0; k < 3; k++) middle[k] = (double)part->center[k];
    if (!gz_region_is_inside(mesh, middle)) return;
    gz_part_core core;
    for (int k = 0; k < 3; k++) {
        core.center[k] = part->center[k];
        core.half[k] = part->half[k] * (1 - 0x1p-20f) -
                       (fabsf(part->center[k]) + part->half[k]) * 0x1p-22f;
        if (!(core.half[k] > 0)) return;
    }
    part->core[part->core_count++] = core;
}

bool gz_parts_build(gz_part **out, const graze_mesh *mesh) {
    gz_part *parts = gz_calloc(mesh->component_count, sizeof *parts);
    *out = parts;
    if (!parts) return false;
    for (size_t i = 0; i < mesh->component_count; i++)
        find_box(&parts[i], &mesh->components[i].box);
    find_spheres(parts, mesh);
    for (size_t i = 0; i < mesh->component_count && mesh->component_count <= PARTS_MOST; i++)
        if (mesh->components[i].closed) find_balls(&parts[i], mesh);
    return true;
}

gz_part gz_part_make(const graze_mesh *mesh) {
    gz_part part = {.core_count = 0};
    find_box(&part, &mesh->aabb);
    double most = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        most = fmax(most, square_from(&part, mesh->vertices + 3 * i));
    part.radius = sqrtf((float)most) * (1 + 0x1p-21f);
    if (mesh->closed_count == 0) return part;
    if (gz_part_is_box(mesh))
        find_ellipsoid(&part, mesh);
    else
        find_balls(&part, mesh);
    return part;
}
