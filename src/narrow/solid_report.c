// Which components of a mesh are solids, and what keeps the others from being some?

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "math/transform.h"
#include "mesh/component.h"
#include "narrow/containment.h"

typedef struct survey {
    const graze_mesh *mesh;
    graze_component_info *components; ///< all of them
    double *volume_error;             ///< a bound, per component
    uint32_t *parent; ///< union-find over vertices of the boundary; UINT32_MAX: not met yet
} survey;

// ----------------------------------------------------------------------------------------- edges

static bool is_lower(const double *p, const graze_vec3 *q) {
    if (p[0] != q->x) return p[0] < q->x;
    if (p[1] != q->y) return p[1] < q->y;
    return p[2] < q->z;
}

/// Keeps the lowest vertex, of holes before others.
static void note_place(graze_component_info *c, const graze_mesh *mesh, const gz_edge *edge) {
    bool hole = edge->uses == 1, first = c->boundary_edges == 0 || (hole && c->hole_edges == 0);
    if (!hole && c->hole_edges > 0) return;
    const uint32_t ends[2] = {edge->low, edge->high};
    for (int i = 0; i < 2; i++, first = false) {
        const double *p = mesh->vertices + 3 * (size_t)ends[i];
        if (first || is_lower(p, &c->place)) c->place = (graze_vec3){p[0], p[1], p[2]};
    }
}

static bool note_edge(void *user, const gz_edge *edge) {
    survey *s = user;
    graze_component_info *c = &s->components[edge->component];
    if (edge->uses > 2) c->non_manifold_edges++;
    if (edge->net == 0) return true;
    note_place(c, s->mesh, edge);
    c->boundary_edges++;
    if (edge->uses == 1) c->hole_edges++;
    if (edge->uses == 2) c->winding_edges++;
    // Every vertex begins a piece of its own; every edge that joins two pieces makes one less.
    const uint32_t ends[2] = {edge->low, edge->high};
    for (int i = 0; i < 2; i++)
        if (s->parent[ends[i]] == UINT32_MAX) {
            s->parent[ends[i]] = ends[i];
            c->boundary_loops++;
        }
    if (gz_find_root(s->parent, edge->low) == gz_find_root(s->parent, edge->high)) return true;
    gz_join(s->parent, edge->low, edge->high);
    c->boundary_loops--;
    return true;
}

static graze_closure closure_of(const graze_component_info *c) {
    if (c->boundary_edges == 0) return GRAZE_CLOSURE_CLOSED;
    if (c->hole_edges > 0) return GRAZE_CLOSURE_HOLE;
    return c->winding_edges == c->boundary_edges ? GRAZE_CLOSURE_WINDING
                                                 : GRAZE_CLOSURE_NON_MANIFOLD;
}

// --------------------------------------------------------------------------------------- volumes

/// Adds the tetrahedron of a triangle and the component's lowest vertex. Of the six products of the
/// determinant each is reached by at most eight roundings, so its error is below 9 u times the sum
/// of their magnitudes, u = 2^-53 (math/predicate.h); adding up n of them adds n u of that, and
/// dividing by 6 at the end one more. The bound kept here, 2^-52 (n + 16) of the sum, covers it
/// and its own rounding.
static void add_volume(survey *s, size_t t) {
    const graze_mesh *m = s->mesh;
    uint32_t number = m->component_of[t];
    graze_component_info *c = &s->components[number];
    const double *o = m->vertices + 3 * (size_t)m->components[number].vertex;
    double e[3][3], size = 0, sum = 0;
    for (size_t i = 0; i < 3; i++) gz_subtract(gz_mesh_corner(m, t, i), o, e[i]);
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        double left = e[1][u] * e[2][v], right = e[1][v] * e[2][u];
        sum += e[0][k] * (left - right);
        size += fabs(e[0][k]) * (fabs(left) + fabs(right));
    }
    c->volume += sum;
    s->volume_error[number] += size;
}

static void decide_orientation(survey *s, size_t i) {
    graze_component_info *c = &s->components[i];
    if (c->closure != GRAZE_CLOSURE_CLOSED) {
        c->volume = 0;
        return;
    }
    double bound = 0x1p-52 * ((double)c->triangle_count + 16) * s->volume_error[i];
    c->reversed = c->volume < -bound;
    c->volume /= 6;
}

// ---------------------------------------------------------------------------------------- report

static bool survey_all(survey *s) {
    const graze_mesh *mesh = s->mesh;
    for (size_t i = 0; i < mesh->component_count; i++) {
        s->components[i].triangle = mesh->components[i].triangle;
        s->components[i].triangle_count = mesh->components[i].triangle_count;
    }
    for (size_t v = 0; v < mesh->vertex_count; v++) s->parent[v] = UINT32_MAX;
    if (!gz_edges_visit(mesh, false, note_edge, s)) return false;
    for (size_t t = 0; t < mesh->triangle_count; t++) add_volume(s, t);
    for (size_t i = 0; i < mesh->component_count; i++) {
        s->components[i].closure = closure_of(&s->components[i]);
        decide_orientation(s, i);
        // A reversed component takes one turn from the winding number of what it encloses; that is
        // outside where the others wind around it once.
        if (s->components[i].reversed)
            s->components[i].cavity = gz_winding_number_of_others((uint32_t)i, mesh) == 1;
    }
    return true;
}

static void add_up(const survey *s, graze_solid_report *report) {
    const graze_mesh *mesh = s->mesh;
    *report = (graze_solid_report){.triangle_count = mesh->triangle_count,
                                   .degenerate_count = mesh->degenerate_count,
                                   .given_vertex_count = mesh->given_vertex_count,
                                   .vertex_count = mesh->vertex_count,
                                   .component_count = mesh->component_count};
    for (size_t i = 0; i < mesh->component_count; i++) {
        const graze_component_info *c = &s->components[i];
        report->reversed_count += c->reversed;
        report->cavity_count += c->cavity;
        report->boundary_edges += c->boundary_edges;
        report->boundary_loops += c->boundary_loops;
        report->hole_edges += c->hole_edges;
        report->winding_edges += c->winding_edges;
        report->non_manifold_edges += c->non_manifold_edges;
        if (c->closure == GRAZE_CLOSURE_CLOSED) {
            report->closed_count++;
        } else if (report->open_count++ == 0) {
            report->has_place = true;
            report->place_component = i;
            report->place = c->place;
        }
    }
}

graze_status graze_mesh_solids_sized(const graze_mesh *mesh, graze_solid_report *report,
                                     size_t report_size, graze_component_info *components,
                                     size_t component_size, size_t capacity, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!mesh || !report || (!components && capacity))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "mesh, report or components is NULL");
    survey s = {.mesh = mesh,
                .components = gz_calloc(mesh->component_count, sizeof *s.components),
                .volume_error = gz_calloc(mesh->component_count, sizeof *s.volume_error),
                .parent = gz_malloc(mesh->vertex_count, sizeof *s.parent)};
    bool ok = s.components && s.volume_error && s.parent && survey_all(&s);
    if (ok) {
        graze_solid_report sum;
        add_up(&s, &sum);
        gz_fill(report, report_size, &sum, sizeof sum);
        for (size_t i = 0; i < capacity && i < mesh->component_count; i++)
            gz_fill((unsigned char *)components + i * component_size, component_size,
                    &s.components[i], sizeof *components);
    }
    gz_free(s.components);
    gz_free(s.volume_error);
    gz_free(s.parent);
    if (!ok) return gz_fail_memory(error);
    gz_error_clear(error);
    return GRAZE_OK;
}
