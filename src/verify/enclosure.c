#include "verify/replay_pair.h"

#include <math.h>
#include <string.h>

typedef struct enclosure {
    gz_exact_winding *winding;
    gz_exact *simplices;
    gz_posed_shape *whole;
    bool cap;
    uint64_t *rays;
} enclosure;

/// Adds one triangle of the whole, where its part counts.
static bool add_triangle(const enclosure *e, size_t item) {
    const gz_posed_shape *s = e->whole;
    const gz_surface_part *part = &s->surface.parts[s->surface.part_of[item]];
    if (!part->closed && !(e->cap && gz_verify_is_capped(part))) return true;
    const uint32_t *c = s->source->triangles[item];
    gz_winding_triangle t = {{s->points[c[0]], s->points[c[1]], s->points[c[2]]}, 1};
    return gz_exact_winding_add(e->winding, &t);
}

static gz_winding_triangle lid_triangle(const gz_posed_shape *s, size_t i) {
    const gz_verify_cap_triangle *lid = &s->lids.triangles[i];
    return (gz_winding_triangle){
        {s->lids.posed[lid->apex], s->points[lid->from], s->points[lid->to]}, lid->weight};
}

static bool add_lids(const enclosure *e) {
    for (size_t i = 0; e->cap && i < e->whole->lids.triangle_count; i++) {
        gz_winding_triangle t = lid_triangle(e->whole, i);
        if (!gz_exact_winding_add(e->winding, &t)) return false;
    }
    return true;
}

/// All triangles that the first half line, along x, may pass through.
static bool add_along_x(const enclosure *e, const double p[3]) {
    gz_extent ray = {{p[0], p[1], p[2]}, {INFINITY, p[1], p[2]}};
    gz_posed_search search;
    gz_posed_search_begin(&search, e->whole, &ray);
    size_t item;
    while (gz_posed_search_next(&search, &item))
        if (!add_triangle(e, item)) return false;
    return add_lids(e);
}

static bool add_all(const enclosure *e) {
    for (size_t item = 0; item < e->whole->item_count; item++)
        if (!add_triangle(e, item)) return false;
    return add_lids(e);
}

/// Whether a point is outside the box of a triangle; doubles compared as they are.
static bool is_beside(const gz_winding_triangle *t, const double p[3]) {
    const double *a = t->corners[0], *b = t->corners[1], *c = t->corners[2];
    for (int k = 0; k < 3; k++)
        if ((a[k] < p[k] && b[k] < p[k] && c[k] < p[k]) ||
            (a[k] > p[k] && b[k] > p[k] && c[k] > p[k]))
            return true;
    return false;
}

/// Whether a point lies on a lid: then it is not inside.
static bool is_on_lid(const enclosure *e, const double p[3]) {
    gz_simplex point = {.count = 1}, lid = {.count = 3};
    memcpy(point.corners[0], p, sizeof point.corners[0]);
    for (size_t i = 0; e->cap && i < e->whole->lids.triangle_count; i++) {
        gz_winding_triangle t = lid_triangle(e->whole, i);
        if (is_beside(&t, p)) continue;
        for (int k = 0; k < 3; k++) memcpy(lid.corners[k], t.corners[k], sizeof lid.corners[k]);
        if (gz_exact_meet(e->simplices, &point, &lid)) return true;
    }
    return false;
}

static gz_enclosed judge_point(const enclosure *e, const double p[3]) {
    for (int k = 0; k < 3; k++) // outside the box nothing winds around it
        if (p[k] < e->whole->box.low[k] || p[k] > e->whole->box.high[k]) return GZ_OUTSIDE;
    if (is_on_lid(e, p)) return GZ_OUTSIDE;
    ++*e->rays;
    gz_exact_winding_begin(e->winding, p);
    bool counted = add_along_x(e, p);
    while (!counted) {
        if (!gz_exact_winding_turn(e->winding)) return GZ_ENCLOSED_UNKNOWN;
        counted = add_all(e);
    }
    if (gz_exact_winding_on_surface(e->winding)) return GZ_ENCLOSED_UNKNOWN;
    return gz_exact_winding_sum(e->winding) != 0 ? GZ_INSIDE : GZ_OUTSIDE;
}

/// A curved shape: any point of its axis, as it does not cross the surface; where there are lids,
/// which it may cross, the ends and the middle.
static gz_enclosed judge_axis(const enclosure *e, const gz_posed_shape *part) {
    if (!e->cap || e->whole->lids.triangle_count == 0) return judge_point(e, part->points[0]);
    double middle[3];
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * part->points[0][k] + 0.5 * part->points[1][k];
    const double *places[3] = {middle, part->points[0], part->points[1]};
    for (int i = 0; i < 3; i++) {
        gz_enclosed found = judge_point(e, places[i]);
        if (found != GZ_OUTSIDE) return found;
    }
    return GZ_OUTSIDE;
}

gz_enclosed gz_enclosure_find(gz_exact_winding *winding, gz_exact *simplices, gz_posed_shape *whole,
                              bool cap, const gz_posed_shape *part, int64_t *triangle,
                              uint64_t *rays) {
    enclosure e = {winding, simplices, whole, cap && whole->lids.triangle_count > 0, rays};
    *triangle = -1;
    if (!gz_extents_overlap(&whole->box, &part->box)) return GZ_OUTSIDE;
    if (!gz_posed_has_triangles(part)) return judge_axis(&e, part);
    // One vertex speaks for a part that crosses nothing; lids may be crossed: then all do.
    const gz_surface *s = &part->surface;
    for (size_t i = 0; !e.cap && i < s->part_count; i++) {
        gz_enclosed found = judge_point(&e, part->points[s->parts[i].vertex]);
        if (found == GZ_OUTSIDE) continue;
        *triangle = s->parts[i].triangle;
        return found;
    }
    uint32_t lowest = UINT32_MAX;
    for (size_t t = 0; e.cap && t < part->item_count; t++) {
        if (s->part_of[t] >= lowest) continue;
        for (int k = 0; k < 3; k++) {
            gz_enclosed found = judge_point(&e, part->points[part->source->triangles[t][k]]);
            if (found == GZ_ENCLOSED_UNKNOWN) return found;
            if (found == GZ_INSIDE) lowest = s->part_of[t];
            if (found == GZ_INSIDE) break;
        }
    }
    if (lowest == UINT32_MAX) return GZ_OUTSIDE;
    *triangle = s->parts[lowest].triangle;
    return GZ_INSIDE;
}

gz_enclosed gz_enclosure_of_point(gz_exact_winding *winding, gz_exact *simplices,
                                  gz_posed_shape *whole, bool cap, const double point[3],
                                  uint64_t *rays) {
    enclosure e = {winding, simplices, whole, cap && whole->lids.triangle_count > 0, rays};
    return judge_point(&e, point);
}
