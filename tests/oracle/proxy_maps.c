// What is fixed in a proxy: its points, its bounding spheres, and the cells of its maps.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "proxies.h"

// ------------------------------------------------------------------------------ points and cover

/// Whether a point of a set is a vertex of the mesh, rounded to float.
static bool is_vertex(const graze_mesh *m, const float p[3]) {
    for (size_t i = 0; i < m->vertex_count; i++) {
        const double *v = m->vertices + 3 * i;
        if ((float)v[0] == p[0] && (float)v[1] == p[1] && (float)v[2] == p[2]) return true;
    }
    return false;
}

static bool all_vertices(const graze_mesh *m, const gz_point_set *set) {
    for (int32_t g = 0; g < set->count; g++)
        for (int i = 0; i < GZ_WIDTH; i++) {
            float p[3] = {set->group[g][0][i], set->group[g][1][i], set->group[g][2][i]};
            if (!is_vertex(m, p)) return false;
        }
    return set->count > 0;
}

/// Whether |b - a|^2 is at least (sign 1), or at most (-1), length^2: by long doubles, whose error
/// here is below 2^-60 of the square, else in rationals.
static bool compare_length(posed_proof *proof, const double a[3], const double b[3], double length,
                           int sign) {
    long double square = 0, own = (long double)length * (long double)length;
    for (int k = 0; k < 3; k++) {
        long double d = (long double)b[k] - (long double)a[k];
        square += d * d;
    }
    long double over = sign * (square - own), error = 0x1p-58L * (square + own);
    if (over > error) return true;
    if (over < -error) return false;
    separation *s = &proof->separation;
    mpq_set_d(s->most, length);
    mpq_mul(s->most, s->most, s->most);
    mpq_neg(s->most, s->most);
    for (int k = 0; k < 3; k++) {
        mpq_set_d(s->term, a[k]);
        mpq_set_d(s->factor, b[k]);
        mpq_sub(s->term, s->factor, s->term);
        mpq_mul(s->term, s->term, s->term);
        mpq_add(s->most, s->most, s->term);
    }
    return sign * mpq_sgn(s->most) >= 0;
}

/// Components found anew: of which does `t` have the most triangles?
static uint32_t largest_component(const crossing_mesh *m) {
    uint32_t best = 0;
    size_t most = 0;
    for (uint32_t c = 0; c < m->component_count; c++) {
        size_t count = 0;
        for (size_t t = 0; t < m->triangle_count; t++) count += m->of_triangle[t] == c;
        if (count > most) most = count, best = c;
    }
    return best;
}

/// Two vertices of the component at least `span` apart: those that end it along an axis.
static bool spans(posed_proof *proof, const crossing_mesh *m, uint32_t component, double span) {
    for (size_t k = 0; k < 3; k++) {
        const double *low = NULL, *high = NULL;
        for (size_t i = 0; i < m->vertex_count; i++) {
            if (m->of_vertex[i] != component) continue;
            const double *p = m->vertices + 3 * i;
            if (!low || p[k] < low[k]) low = p;
            if (!high || p[k] > high[k]) high = p;
        }
        if (compare_length(proof, low, high, span, 1)) return true;
    }
    return false;
}

/// Whether no two vertices of a closed component are farther apart than `enclosure`: so its box is
/// no longer, by which it is bounded.
static bool encloses(posed_proof *proof, const crossing_mesh *m, double enclosure) {
    for (uint32_t c = 0; c < m->component_count; c++) {
        if (!m->closed[c]) continue;
        double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        for (size_t i = 0; i < m->vertex_count; i++)
            for (size_t k = 0; k < 3 && m->of_vertex[i] == c; k++) {
                low[k] = fmin(low[k], m->vertices[3 * i + k]);
                high[k] = fmax(high[k], m->vertices[3 * i + k]);
            }
        if (!compare_length(proof, low, high, enclosure, -1)) return false;
    }
    return true;
}

/// Whether one sphere of the cover holds all corners of a triangle, and so the triangle.
static bool is_covered(posed_proof *proof, const graze_mesh *m, size_t t) {
    const gz_mesh_proxy *s = m->proxy;
    for (int32_t i = 0; i < s->sphere_count; i++) {
        const gz_bounding_sphere *ball = &s->spheres[i];
        const double center[3] = {ball->center[0], ball->center[1], ball->center[2]};
        bool all = true;
        for (size_t k = 0; k < 3 && all; k++)
            all = compare_length(proof, center, m->vertices + 3 * (size_t)m->triangles[3 * t + k],
                                 ball->radius, -1);
        if (all) return true;
    }
    return false;
}

void proxy_points(proxy_campaign *c, const proxy_subject *s) {
    const graze_mesh *m = s->mesh;
    crossing_mesh crossing;
    snprintf(c->where, sizeof c->where, "mesh %zu of the list", (size_t)(s - c->subjects));
    crossing_mesh_init(&crossing, m->vertices, m->vertex_count, m->triangles, m->triangle_count);
    uint32_t component = largest_component(&crossing);
    proxy_claim(c, POINTS, true, all_vertices(m, &m->proxy->support));
    proxy_claim(c, POINTS, true, all_vertices(m, &m->proxy->samples));
    proxy_claim(c, POINTS, true, spans(&c->proof, &crossing, component, m->proxy->span));
    proxy_claim(c, POINTS, true, encloses(&c->proof, &crossing, m->proxy->enclosure));
    for (size_t t = 0; t < m->triangle_count; t++)
        proxy_claim(c, SPHERES, true, is_covered(&c->proof, m, t));
    crossing_mesh_clear(&crossing);
}

// ----------------------------------------------------------------------------------------- cells

/// Whether no triangle of a body is within a distance of a point.
static bool is_clear(proxy_campaign *c, const posed_mesh *m, const double p[3], double distance) {
    double corners[9];
    for (size_t b = 0; POSED_BLOCK * b < m->triangle_count; b++) {
        const double *box = m->blocks + 6 * b;
        bool far = false; // a difference that rounds to more than the distance is more
        for (int k = 0; k < 3; k++) far |= box[k] - p[k] > distance || p[k] - box[3 + k] > distance;
        for (size_t t = POSED_BLOCK * b; !far && t < POSED_BLOCK * (b + 1) && t < m->triangle_count;
             t++) {
            posed_mesh_corners(m, t, corners);
            if (!posed_proof_point_beyond(&c->proof, p, corners, distance)) return false;
        }
    }
    return true;
}

/// A point of a cell, its corners and sides among them. Coordinates are rounded: off by some 2^-50
/// of the lattice's size, less than the cells' pads by a factor above 2^30.
static void point_of_cell(proxy_campaign *c, const float low[3], double step, const size_t at[3],
                          double p[3]) {
    for (int k = 0; k < 3; k++) {
        uint32_t kind = gz_random_below(&c->random, 4);
        double offset = kind == 0 ? 0 : kind == 1 ? 1 : gz_random_unit(&c->random);
        p[k] = (double)low[k] + ((double)at[k] + offset) * step;
    }
}

static void inner_cell(proxy_campaign *c, proxy_subject *s) {
    const gz_inside_map *map = &s->mesh->proxy->inside;
    size_t n[3] = {(size_t)map->count[0], (size_t)map->count[1], (size_t)map->count[2]};
    size_t cells = n[0] * n[1] * n[2], first = gz_random_below(&c->random, (uint32_t)cells);
    proof_body *home = proxy_home(s);
    for (size_t i = 0; i < cells; i++) {
        size_t cell = (first + i) % cells;
        if (!gz_inside_map_has(map, (uint32_t)cell)) continue;
        // The map keeps the inverse of its step in float; the step itself is known to 2^-23.
        double step = 1 / (double)map->inverse, p[3];
        size_t at[3] = {cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]};
        point_of_cell(c, map->low, step, at, p);
        proxy_claim(c, INSIDE_CLEAR, true, is_clear(c, &home->mesh, p, map->pad));
        proxy_claim(c, INSIDE_WINDS, true, posed_proof_winds(&c->proof, home, p));
        return;
    }
}

/// The distance that a cell of a clearance map claims for its middle, and on which side that is.
static void clear_cell(proxy_campaign *c, proxy_subject *s) {
    const gz_clearance_map *map = &s->mesh->proxy->clearance;
    size_t nx = (size_t)map->count[0], ny = (size_t)map->count[1];
    proof_body *home = proxy_home(s);
    for (int tries = 0; tries < 8; tries++) {
        size_t cell = gz_random_below(&c->random, (uint32_t)map->cell_count);
        size_t at[3] = {cell % nx, cell / nx % ny, cell / nx / ny};
        unsigned value = map->cells[cell] % GZ_CLEARANCE_INSIDE;
        if (!value) {
            proxy_claim(c, CLEARANCES, false, true);
            continue;
        }
        double p[3], clearance = (double)map->unit * value;
        for (int k = 0; k < 3; k++)
            p[k] = (double)map->low[k] + ((double)at[k] + 0.5) / (double)map->inverse;
        // A point from the step as the map has it may be off by 2^-22 of the lattice's length.
        double slip = 0x1p-22 * (double)(nx + ny + (size_t)map->count[2]) / (double)map->inverse;
        proxy_claim(c, CLEARANCES, true,
                    clearance <= slip || is_clear(c, &home->mesh, p, clearance - slip));
        if (clearance <= slip) continue;
        bool inside = map->cells[cell] >= GZ_CLEARANCE_INSIDE;
        proxy_claim(c, INSIDE_WINDS, true, posed_proof_winds(&c->proof, home, p) == inside);
    }
}

/// A ball inside of a part of a scene.
static void inner_of_component(proxy_campaign *c, proxy_subject *s) {
    const gz_mesh_proxy *proxy = s->mesh->proxy;
    proof_body *home = proxy_home(s);
    const gz_component_proxy *component =
        &proxy->components[gz_random_below(&c->random, (uint32_t)proxy->component_count)];
    for (int i = 0; i < component->inner_count; i++) {
        const gz_inner_ellipsoid *inner = &component->inner[i];
        const double p[3] = {inner->center[0], inner->center[1], inner->center[2]};
        proxy_claim(c, INSIDE_CLEAR, true, is_clear(c, &home->mesh, p, (double)inner->half[0]));
        proxy_claim(c, INSIDE_WINDS, true, posed_proof_winds(&c->proof, home, p));
    }
}

void proxy_cells(proxy_campaign *c, proxy_subject *s) {
    snprintf(c->where, sizeof c->where, "mesh %zu of the list", (size_t)(s - c->subjects));
    if (s->mesh->proxy->inside.word_count) inner_cell(c, s);
    if (s->mesh->proxy->clearance.cell_count) clear_cell(c, s);
    if (s->mesh->proxy->component_count) inner_of_component(c, s);
}
