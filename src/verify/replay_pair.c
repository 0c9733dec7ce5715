#include <math.h>
#include <string.h>

#include "verify/replay_pair.h"
#include "verify/verify_memory.h"

// -------------------------------------------------------------------------------------- enclosure

typedef enum enclosed {
    OUTSIDE,
    INSIDE,
    ENCLOSED_UNKNOWN ///< no direction was free of edges: no answer
} enclosed;

/// A shape that may enclose others. Its caps count where its body has that policy.
typedef struct enclosure {
    gz_pair_scratch *scratch;
    gz_posed_shape *whole;
    bool cap;
} enclosure;

static enclosure enclosure_of(gz_pair_scratch *scratch, const gz_posed_body *body,
                              gz_posed_shape *whole) {
    bool cap = body->source->policy == GZ_DUMP_CAP && whole->caps.triangle_count > 0;
    return (enclosure){scratch, whole, cap};
}

/// Adds one triangle of the whole, where its component counts.
static bool add_triangle(const enclosure *e, size_t item) {
    const gz_posed_shape *s = e->whole;
    const gz_surface_component *component = &s->surface.components[s->surface.component_of[item]];
    if (!component->closed && !(e->cap && gz_verify_is_capped(component))) return true;
    const uint32_t *c = s->source->triangles[item];
    gz_winding_triangle t = {{s->points[c[0]], s->points[c[1]], s->points[c[2]]}, 1};
    return gz_exact_winding_add(e->scratch->winding, &t);
}

static gz_winding_triangle cap_triangle(const gz_posed_shape *s, size_t i) {
    const gz_verify_cap_triangle *cap = &s->caps.triangles[i];
    return (gz_winding_triangle){
        {s->caps.posed[cap->apex], s->points[cap->from], s->points[cap->to]}, cap->weight};
}

static bool add_caps(const enclosure *e) {
    for (size_t i = 0; e->cap && i < e->whole->caps.triangle_count; i++) {
        gz_winding_triangle t = cap_triangle(e->whole, i);
        if (!gz_exact_winding_add(e->scratch->winding, &t)) return false;
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
    return add_caps(e);
}

static bool add_all(const enclosure *e) {
    for (size_t item = 0; item < e->whole->item_count; item++)
        if (!add_triangle(e, item)) return false;
    return add_caps(e);
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

/// Whether a point lies on a cap: then it is not inside.
static bool is_on_cap(const enclosure *e, const double p[3]) {
    gz_simplex point = {.count = 1}, cap = {.count = 3};
    memcpy(point.corners[0], p, sizeof point.corners[0]);
    for (size_t i = 0; e->cap && i < e->whole->caps.triangle_count; i++) {
        gz_winding_triangle t = cap_triangle(e->whole, i);
        if (is_beside(&t, p)) continue;
        for (int k = 0; k < 3; k++) memcpy(cap.corners[k], t.corners[k], sizeof cap.corners[k]);
        if (gz_exact_intersect(e->scratch->simplices, &point, &cap)) return true;
    }
    return false;
}

static enclosed locate_point(const enclosure *e, const double p[3]) {
    for (int k = 0; k < 3; k++) // outside the box nothing winds around it
        if (p[k] < e->whole->box.low[k] || p[k] > e->whole->box.high[k]) return OUTSIDE;
    if (is_on_cap(e, p)) return OUTSIDE;
    e->scratch->points++;
    gz_exact_winding_begin(e->scratch->winding, p);
    bool counted = add_along_x(e, p);
    while (!counted) {
        if (!gz_exact_winding_turn(e->scratch->winding)) return ENCLOSED_UNKNOWN;
        counted = add_all(e);
    }
    if (gz_exact_winding_on_surface(e->scratch->winding)) return ENCLOSED_UNKNOWN;
    return gz_exact_winding_sum(e->scratch->winding) != 0 ? INSIDE : OUTSIDE;
}

/// A curved shape: any point of its axis, as it does not cross the surface; where there are caps,
/// which it may cross, the ends and the middle.
static enclosed locate_axis(const enclosure *e, const gz_posed_shape *body) {
    if (!e->cap) return locate_point(e, body->points[0]);
    double middle[3];
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * body->points[0][k] + 0.5 * body->points[1][k];
    const double *places[3] = {middle, body->points[0], body->points[1]};
    for (int i = 0; i < 3; i++) {
        enclosed found = locate_point(e, places[i]);
        if (found != OUTSIDE) return found;
    }
    return OUTSIDE;
}

/// Whether `body`, whose surface is apart from that of the enclosure, lies inside it: some
/// component of its surface does, or, where it is curved, its axis. *triangle is the lowest
/// triangle of the lowest such component, -1 for curved shapes.
static enclosed locate_shape(const enclosure *e, const gz_posed_shape *body, int64_t *triangle) {
    *triangle = -1;
    if (!gz_extents_overlap(&e->whole->box, &body->box)) return OUTSIDE;
    if (!gz_posed_has_triangles(body)) return locate_axis(e, body);
    // One vertex decides for a component that crosses nothing; caps may be crossed: then all do.
    const gz_surface *s = &body->surface;
    for (size_t i = 0; !e->cap && i < s->component_count; i++) {
        enclosed found = locate_point(e, body->points[s->components[i].vertex]);
        if (found == OUTSIDE) continue;
        *triangle = s->components[i].triangle;
        return found;
    }
    uint32_t lowest = UINT32_MAX;
    for (size_t t = 0; e->cap && t < body->item_count; t++) {
        if (s->component_of[t] >= lowest) continue;
        for (int k = 0; k < 3; k++) {
            enclosed found = locate_point(e, body->points[body->source->triangles[t][k]]);
            if (found == ENCLOSED_UNKNOWN) return found;
            if (found == INSIDE) lowest = s->component_of[t];
            if (found == INSIDE) break;
        }
    }
    if (lowest == UINT32_MAX) return OUTSIDE;
    *triangle = s->components[lowest].triangle;
    return INSIDE;
}

// ---------------------------------------------------------------------------------------- bodies

bool gz_posed_body_make(gz_posed_body *body, const gz_dump_body *source) {
    *body = (gz_posed_body){.source = source};
    body->shapes = gz_verify_calloc(source->element_count, sizeof *body->shapes);
    bool good = body->shapes != NULL;
    for (size_t i = 0; good && i < source->element_count; i++)
        good = gz_posed_shape_make(&body->shapes[i], &source->elements[i],
                                   source->policy == GZ_DUMP_CAP);
    return good;
}

void gz_posed_body_free(gz_posed_body *body) {
    for (size_t i = 0; body->shapes != NULL && i < body->source->element_count; i++)
        gz_posed_shape_free(&body->shapes[i]);
    gz_verify_free(body->shapes);
    *body = (gz_posed_body){0};
}

void gz_posed_body_place(gz_posed_body *body, const double pose[12]) {
    body->in_range = true;
    for (size_t i = 0; i < body->source->element_count; i++) {
        gz_posed_shape *shape = &body->shapes[i];
        body->in_range = gz_posed_shape_place(shape, pose) && body->in_range;
        for (int k = 0; k < 3; k++) {
            bool first = i == 0;
            if (first || shape->box.low[k] < body->box.low[k]) body->box.low[k] = shape->box.low[k];
            if (first || shape->box.high[k] > body->box.high[k])
                body->box.high[k] = shape->box.high[k];
        }
    }
}

void gz_object_pose_at(const gz_dump_body *object, double time, double pose[12]) {
    memcpy(pose, object->pose, sizeof object->pose);
    for (int k = 0; k < 3; k++) pose[4 * k + 3] += object->velocity[k] * (time - object->begin);
}

static bool is_points(const gz_posed_body *body) {
    return body->source->elements[0].shape == GZ_DUMP_POINTS;
}

static bool is_solid(const gz_posed_body *body, const gz_posed_shape *shape) {
    if (!gz_posed_has_triangles(shape)) return false; // its surface is met, then
    return shape->source->shape == GZ_DUMP_BOX || body->source->policy != GZ_DUMP_SURFACE;
}

// ---------------------------------------------------------------------------------------- items

static void solid_of(const gz_posed_shape *shape, size_t item, gz_solid *solid) {
    gz_posed_item(shape, item, &solid->simplex);
    solid->radius = gz_posed_radius(shape);
    const double *p = solid->simplex.corners[0], *q = solid->simplex.corners[1];
    // A cylinder without length has no direction and counts as a ball; one without radius is a
    // segment, as is such a capsule.
    solid->flat_ended = shape->source->shape == GZ_DUMP_CYLINDER && solid->radius > 0 &&
                        !(p[0] == q[0] && p[1] == q[1] && p[2] == q[2]);
}

static gz_nearness test_solids(gz_pair_scratch *scratch, const gz_solid *x, const gz_solid *y,
                               double margin, double tolerance) {
    scratch->item_pairs++;
    if (x->flat_ended || y->flat_ended) {
        double threshold[2] = {margin, tolerance};
        return gz_exact_cylinder_within(scratch->cylinders, scratch->simplices, x, y, threshold);
    }
    double threshold[GZ_THRESHOLD_TERMS] = {x->radius, y->radius, margin, tolerance};
    bool exact = x->radius == 0 && y->radius == 0 && margin == 0 && tolerance == 0;
    bool near = exact ? gz_exact_intersect(scratch->simplices, &x->simplex, &y->simplex)
                      : gz_exact_within(scratch->simplices, &x->simplex, &y->simplex, threshold);
    return near ? GZ_NEAR : GZ_APART;
}

/// Whether two items are at most margin + tolerance apart.
static gz_nearness test_items(gz_pair_scratch *scratch, const gz_posed_shape *a, size_t i,
                              const gz_posed_shape *b, size_t j, double margin, double tolerance) {
    gz_solid x, y;
    solid_of(a, i, &x);
    solid_of(b, j, &y);
    return test_solids(scratch, &x, &y, margin, tolerance);
}

/// What became of a search among items.
typedef struct lowest_pair {
    bool found, undecided;
    size_t i, j;
} lowest_pair;

/// The lowest item of b that item i of a is near to. What is behind it may be undecided.
static void search_item(gz_pair_scratch *scratch, const gz_posed_shape *a, size_t i,
                        gz_posed_shape *b, double margin, lowest_pair *lowest) {
    gz_extent box;
    gz_posed_item_box(a, i, &box);
    box = gz_extent_grown(&box, margin);
    gz_posed_search search;
    gz_posed_search_begin(&search, b, &box);
    size_t j, unsure = SIZE_MAX;
    while (gz_posed_search_next(&search, &j)) {
        if (lowest->found && j >= lowest->j) continue;
        gz_nearness nearness = test_items(scratch, a, i, b, j, margin, 0);
        if (nearness == GZ_UNDECIDED && j < unsure) unsure = j;
        if (nearness != GZ_NEAR) continue;
        *lowest = (lowest_pair){.found = true, .undecided = lowest->undecided, .i = i, .j = j};
    }
    if (unsure < (lowest->found ? lowest->j : SIZE_MAX)) lowest->undecided = true;
}

/// The lexicographically lowest items of two shapes that are near.
static lowest_pair search_shapes(gz_pair_scratch *scratch, gz_posed_shape *a, gz_posed_shape *b,
                                 double margin) {
    lowest_pair lowest = {0};
    gz_extent near_b = gz_extent_grown(&b->box, margin);
    if (!gz_extents_overlap(&a->box, &near_b)) return lowest;
    for (size_t i = 0; !lowest.found && i < a->item_count; i++) {
        gz_extent box;
        gz_posed_item_box(a, i, &box);
        if (gz_extents_overlap(&box, &near_b)) search_item(scratch, a, i, b, margin, &lowest);
    }
    return lowest;
}

static int64_t triangle_of(const gz_posed_shape *shape, size_t item) {
    return gz_posed_has_triangles(shape) ? (int64_t)item : -1;
}

// ---------------------------------------------------------------------------------------- pairs

/// Whether one of two shapes holds a body of the other; fills the finding.
static bool find_inside(gz_pair_scratch *scratch, gz_posed_body *a, gz_posed_shape *x,
                        gz_posed_body *b, gz_posed_shape *y, gz_pair_finding *f) {
    struct {
        const gz_posed_body *body;
        gz_posed_shape *whole;
        const gz_posed_shape *inner;
        int64_t *triangle;
    } ways[2] = {{a, x, y, &f->other_triangle}, {b, y, x, &f->triangle}};
    f->triangle = f->other_triangle = -1;
    for (int w = 0; w < 2; w++) {
        if (!is_solid(ways[w].body, ways[w].whole)) continue;
        enclosure e = enclosure_of(scratch, ways[w].body, ways[w].whole);
        enclosed found = locate_shape(&e, ways[w].inner, ways[w].triangle);
        if (found == ENCLOSED_UNKNOWN) f->undecided = true;
        if (found != INSIDE) continue;
        f->inside = f->collides = true;
        return true;
    }
    return false;
}

static bool find_elements(gz_pair_scratch *scratch, gz_posed_body *a, size_t i, gz_posed_body *b,
                          size_t j, double margin, gz_pair_finding *f) {
    gz_posed_shape *x = &a->shapes[i], *y = &b->shapes[j];
    lowest_pair lowest = search_shapes(scratch, x, y, margin);
    f->undecided = f->undecided || lowest.undecided;
    f->element = (int32_t)i;
    f->other_element = (int32_t)j;
    if (!lowest.found) return find_inside(scratch, a, x, b, y, f);
    f->collides = true;
    f->triangle = triangle_of(x, lowest.i);
    f->other_triangle = triangle_of(y, lowest.j);
    return true;
}

/// One point of a set, a ball, against all elements of a link.
static bool find_point(gz_pair_scratch *scratch, gz_posed_body *a, gz_posed_body *b, size_t point,
                       double margin, gz_pair_finding *f) {
    gz_posed_shape *set = &b->shapes[0];
    for (size_t i = 0; i < a->source->element_count; i++) {
        gz_posed_shape *shape = &a->shapes[i];
        lowest_pair lowest = {0};
        search_item(scratch, set, point, shape, margin, &lowest);
        f->undecided = f->undecided || lowest.undecided;
        f->element = (int32_t)i;
        f->other_element = (int32_t)point;
        f->triangle = lowest.found ? triangle_of(shape, lowest.j) : -1;
        f->other_triangle = -1;
        f->collides = lowest.found;
        if (!lowest.found && is_solid(a, shape)) {
            enclosure e = enclosure_of(scratch, a, shape);
            enclosed found = locate_point(&e, set->points[point]);
            f->undecided = f->undecided || found == ENCLOSED_UNKNOWN;
            f->inside = f->collides = found == INSIDE;
        }
        if (f->collides) return true;
    }
    return false;
}

void gz_pair_find(gz_pair_scratch *scratch, gz_posed_body *a, gz_posed_body *b, double margin,
                  gz_pair_finding *f) {
    *f = (gz_pair_finding){0};
    gz_extent near_b = gz_extent_grown(&b->box, margin);
    if (!gz_extents_overlap(&a->box, &near_b)) return;
    if (is_points(b)) {
        gz_extent near_a = gz_extent_grown(&a->box, margin);
        for (size_t p = 0; p < b->shapes[0].item_count; p++) {
            gz_extent box;
            gz_posed_item_box(&b->shapes[0], p, &box);
            if (gz_extents_overlap(&box, &near_a) && find_point(scratch, a, b, p, margin, f))
                return;
        }
        return;
    }
    for (size_t i = 0; i < a->source->element_count; i++)
        for (size_t j = 0; j < b->source->element_count; j++)
            if (find_elements(scratch, a, i, b, j, margin, f)) return;
}

/// Whether a cap is farther than `margin` from every item of a shape; proved.
static bool cap_apart(gz_pair_scratch *scratch, const gz_winding_triangle *t, gz_posed_shape *other,
                      double margin) {
    gz_solid cap = {.simplex = {.count = 3}}, solid;
    gz_extent box;
    for (int k = 0; k < 3; k++) memcpy(cap.simplex.corners[k], t->corners[k], sizeof(double[3]));
    for (int k = 0; k < 3; k++) {
        const double x[3] = {t->corners[0][k], t->corners[1][k], t->corners[2][k]};
        box.low[k] = fmin(x[0], fmin(x[1], x[2]));
        box.high[k] = fmax(x[0], fmax(x[1], x[2]));
    }
    box = gz_extent_grown(&box, margin);
    gz_posed_search search;
    gz_posed_search_begin(&search, other, &box);
    size_t item;
    while (gz_posed_search_next(&search, &item)) {
        solid_of(other, item, &solid);
        if (test_solids(scratch, &cap, &solid, margin, 0) != GZ_APART) return false;
    }
    return true;
}

bool gz_pair_caps_apart(gz_pair_scratch *scratch, gz_posed_body *a, gz_posed_body *b,
                        double margin) {
    gz_posed_body *sides[2] = {a, b};
    for (int w = 0; w < 2; w++) {
        if (sides[w]->source->policy != GZ_DUMP_CAP) continue;
        for (size_t i = 0; i < sides[w]->source->element_count; i++) {
            const gz_posed_shape *s = &sides[w]->shapes[i];
            for (size_t c = 0; c < s->caps.triangle_count; c++) {
                gz_winding_triangle t = cap_triangle(s, c);
                for (size_t j = 0; j < sides[1 - w]->source->element_count; j++)
                    if (!cap_apart(scratch, &t, &sides[1 - w]->shapes[j], margin)) return false;
            }
        }
    }
    return true;
}

// --------------------------------------------------------------------------------------- claims

int gz_pair_compare(const gz_posed_body *b, const gz_dump_contact *claim,
                    const gz_pair_finding *found) {
    bool points = is_points(b);
    // Surfaces first, then what a holds, then what b holds.
    int claim_way = !claim->inside ? 0 : claim->triangle < 0 ? 1 : 2;
    int found_way = !found->inside ? 0 : found->triangle < 0 ? 1 : 2;
    int64_t keys[5][2] = {
        {points ? claim->other_element : claim->element,
         points ? found->other_element : found->element},
        {points ? claim->element : claim->other_element,
         points ? found->element : found->other_element},
        {claim_way, found_way},
        {claim->triangle, found->triangle},
        {claim->other_triangle, found->other_triangle},
    };
    for (int k = 0; k < 5; k++)
        if (keys[k][0] != keys[k][1]) return keys[k][0] < keys[k][1] ? -1 : 1;
    return 0;
}

/// The shape and item that a side of a claim names; whether they exist.
static bool claimed_item(gz_posed_body *body, bool points, int32_t element, int64_t triangle,
                         gz_posed_shape **shape, size_t *item) {
    *shape = &body->shapes[points ? 0 : element];
    *item = points ? (size_t)element : 0;
    if (!gz_posed_has_triangles(*shape)) return triangle == -1;
    *item = (size_t)triangle;
    return triangle >= 0 && (uint64_t)triangle < (*shape)->item_count;
}

double gz_pair_tolerance(const gz_posed_body *a, const gz_posed_body *b,
                         const gz_dump_contact *claim, double margin, double epsilon) {
    const gz_posed_shape *x = &a->shapes[claim->element],
                         *y = &b->shapes[is_points(b) ? 0 : claim->other_element];
    double tolerance = margin > 0 ? epsilon : 0;
    if (gz_posed_has_triangles(x) && gz_posed_has_triangles(y)) return tolerance;
    double span = 0;
    for (int k = 0; k < 3; k++)
        span += fmax(x->box.high[k], y->box.high[k]) - fmin(x->box.low[k], y->box.low[k]);
    return fmax(tolerance, fmax(1e-9, 2.5e-12 * span));
}

gz_nearness gz_pair_confirm(gz_pair_scratch *scratch, gz_posed_body *a, gz_posed_body *b,
                            double margin, double tolerance, const gz_dump_contact *claim,
                            const char **why) {
    gz_posed_shape *x, *y;
    size_t i, j;
    *why = "they are apart";
    if (claim->inside) {
        gz_pair_finding found = {0};
        x = &a->shapes[claim->element];
        y = &b->shapes[is_points(b) ? 0 : claim->other_element];
        *why = "neither is inside the other";
        bool inside = is_points(b)
                          ? find_point(scratch, a, b, (size_t)claim->other_element, margin, &found)
                          : find_inside(scratch, a, x, b, y, &found);
        if (!inside || !found.inside) return found.undecided ? GZ_UNDECIDED : GZ_APART;
        *why = "another triangle is the lowest that is inside";
        // A point is looked for in every element.
        bool same = found.triangle == claim->triangle &&
                    found.other_triangle == claim->other_triangle &&
                    (!is_points(b) || found.element == claim->element);
        return same ? GZ_NEAR : GZ_APART;
    }
    if (!claimed_item(a, false, claim->element, claim->triangle, &x, &i) ||
        !claimed_item(b, is_points(b), claim->other_element, claim->other_triangle, &y, &j)) {
        *why = "there is no such triangle";
        return GZ_APART;
    }
    return test_items(scratch, x, i, y, j, margin, tolerance);
}
