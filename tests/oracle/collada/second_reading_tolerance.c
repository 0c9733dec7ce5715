#include <string.h>

#include "base/memory.h"
#include "load/token.h"
#include "oracle/collada/second_reading.h"

/// What transforms may make of a point, however they turn it: from a distance r to the origin they
/// take it to stretch * r + offset at most. `roundings` of that, times 2^-24, is what floats may be
/// off by.
///
/// Derivation. With A B x for the transforms up to one, that one, and a point as those inside
/// placed it, an error E in the product A B moves the result by E x. All lengths below are bounded
/// by those three numbers, which only grow outwards, so the errors of a chain add up:
/// - Four products and sums of floats err by 4 units of the sum of the absolute products; in the
///   sum of squares over a matrix of three rows that is 4 * 3 |A||B| = 12.
/// - Every number was read with up to 4 units (digits before the point, behind it, their sum, a
///   power of ten): 4 sqrt(3) < 8.
/// - An angle in degrees becomes radians with 3 units of itself, sine and cosine err by a unit, and
///   nine products of axes by 4: sqrt(3) (3 |angle| + 5) < 6 |angle| + 9.
/// - Reading the point's own coordinates: 8, as for a transform.
typedef struct affine_growth {
    double stretch, offset, roundings;
} affine_growth;

typedef struct entry {
    const gz_xml_element *node;
    affine_growth affine_growth;
} entry;

typedef struct walk {
    gz_collada *c;
    entry *stack; ///< nodes still to visit
    size_t count, capacity;
    double farthest; ///< of a vertex from its own origin, in the units of the file
    double most;     ///< the greatest error so far, in units of 2^-24
} walk;

static double length(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// The most that a matrix stretches, or a little more: the root of the greatest sum over a row of
/// its product with its own transpose, which for a turn is 1.
static double matrix_stretch(const double v[16]) {
    double most = 0;
    for (size_t i = 0; i < 3; i++) {
        double sum = 0;
        for (size_t j = 0; j < 3; j++)
            sum += fabs(v[i] * v[j] + v[4 + i] * v[4 + j] + v[8 + i] * v[8 + j]);
        most = fmax(most, sum);
    }
    return sqrt(most);
}

static void add(affine_growth *r, double stretch, double offset, double roundings) {
    r->offset += r->stretch * offset;
    r->stretch *= stretch;
    r->roundings += roundings;
}

/// Puts one transform, which has been judged, inside those before it.
static void add_transform(const gz_xml_element *e, affine_growth *r) {
    double v[16];
    if (gz_xml_is(e, "matrix") && !gz_numbers_parse(e->text, v, 16, NULL, NULL)) {
        const double moved[3] = {v[3], v[7], v[11]};
        add(r, matrix_stretch(v), length(moved), 20);
    }
    if (gz_xml_is(e, "translate") && !gz_numbers_parse(e->text, v, 3, NULL, NULL))
        add(r, 1, length(v), 20);
    if (gz_xml_is(e, "scale") && !gz_numbers_parse(e->text, v, 3, NULL, NULL))
        add(r, fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2]))), 0, 20);
    if (gz_xml_is(e, "rotate") && !gz_numbers_parse(e->text, v, 4, NULL, NULL))
        add(r, 1, 0, 29 + 6 * fabs(v[3]) * (M_PI / 180));
    if (gz_xml_is(e, "lookat") && !gz_numbers_parse(e->text, v, 9, NULL, NULL)) {
        // The direction is a difference, whose error is that of the two points.
        const double view[3] = {v[0] - v[3], v[1] - v[4], v[2] - v[5]};
        add(r, 1, length(v), 40 + 4 * (length(v) + length(v + 3)) / length(view));
    }
}

static graze_status push_children(walk *w, const gz_xml_element *parent, const affine_growth *r) {
    for (const gz_xml_element *e = parent->first_child; e; e = e->next) {
        const gz_xml_element *child = NULL;
        if (gz_xml_is(e, "node")) child = e;
        if (gz_xml_is(e, "instance_node"))
            child = gz_collada_find(&w->c->nodes, gz_xml_get(e, "url"))->element;
        if (!child) continue;
        if (!gz_array_reserve((void **)&w->stack, &w->capacity, w->count + 1, sizeof *w->stack))
            return GRAZE_ERROR_NO_MEMORY;
        w->stack[w->count++] = (entry){child, *r};
    }
    return GRAZE_OK;
}

static graze_status enter(walk *w, entry at) {
    affine_growth *r = &at.affine_growth;
    for (const gz_xml_element *e = at.node->first_child; e; e = e->next) add_transform(e, r);
    if (gz_xml_child(at.node, "instance_geometry"))
        w->most = fmax(w->most, r->roundings * (r->stretch * w->farthest + r->offset));
    return push_children(w, at.node, r);
}

/// The arrays whose numbers were asked for are those of positions.
static double farthest_vertex(const gz_collada *c) {
    double most = 0;
    for (size_t i = 0; i < c->arrays.count; i++) {
        const struct gz_collada_id *array = &c->arrays.items[i];
        for (uint64_t k = 0; array->values && k < array->count; k++)
            most = fmax(most, fabs(array->values[k]));
    }
    return sqrt(3) * most;
}

/// How long the triangles are together along the axis where they are longest. What no triangle uses
/// is no geometry, wherever it is.
static double extent(const gz_soup *soup) {
    double most[3] = {-INFINITY, -INFINITY, -INFINITY}, least[3] = {INFINITY, INFINITY, INFINITY};
    double longest = 0;
    for (size_t i = 0; i < 9 * soup->triangle_count; i++) {
        size_t k = i % 3;
        double x = soup->vertices[3 * (size_t)soup->triangles[i / 3] + k];
        most[k] = fmax(most[k], x);
        least[k] = fmin(least[k], x);
    }
    for (int k = 0; k < 3; k++) longest = fmax(longest, most[k] - least[k]);
    return longest;
}

graze_status gz_second_reading_tolerance(gz_collada *c, const gz_soup *soup, double *tolerance,
                                         graze_error *error) {
    walk w = {.c = c, .farthest = farthest_vertex(c)};
    const affine_growth start = {1, 0, 8 + 20}; // the point; the unit, as a scale
    graze_status status = push_children(&w, c->scene, &start);
    while (!status && w.count) status = enter(&w, w.stack[--w.count]);
    gz_free(w.stack);
    if (status) return gz_fail_memory(error);
    const double *scale = c->reader->scale;
    double metres = gz_second_reading_unit(c) *
                    fmax(fabs(scale[0]), fmax(fabs(scale[1]), fabs(scale[2])));
    // Where floats lose more than a ten-thousandth of the whole, other programs see other geometry,
    // however it came about. No less than a picometre: that is nobody's geometry.
    *tolerance = fmax(fmin(ldexp(w.most * metres, -24), 1e-4 * extent(soup)), 1e-12);
    return GRAZE_OK;
}
