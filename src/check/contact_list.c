// All contacts of a configuration: a check of every pair with a visitor, which puts what collides
// into the caller's arrays. Order and limit come from heaps in these arrays: of the pairs of
// triangles of two elements, found in the order of their trees, those are kept that come first.

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/options.h"
#include "check/check_internal.h"
#include "graze/contacts.h"
#include "math/transform.h"
#include "narrow/manifold.h"
#include "narrow/triangle/triangle.h"

static graze_contacts_options default_options(void) {
    return (graze_contacts_options){.manifolds = 1};
}

GZ_OPTIONS_INIT(graze_contacts_options, default_options)

// ------------------------------------------------------------------ the first items of a sequence

/// An array of the caller's, of which a part is a heap with the last item at its top.
typedef struct heap {
    unsigned char *items;
    size_t stride, size; ///< bytes from one to the next, and of what is read and written of it
    size_t begin, count, capacity;
    bool (*before)(const void *x, const void *y);
} heap;

static void *item(const heap *h, size_t i) {
    return h->items + (h->begin + i) * h->stride;
}

static void swap(const heap *h, size_t i, size_t k) {
    unsigned char kept[sizeof(graze_contact_pair) + sizeof(graze_triangle_pair)];
    memcpy(kept, item(h, i), h->size);
    memcpy(item(h, i), item(h, k), h->size);
    memcpy(item(h, k), kept, h->size);
}

static void sift_down(const heap *h, size_t i, size_t count) {
    for (;;) {
        size_t most = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < count; child++)
            if (h->before(item(h, most), item(h, child))) most = child;
        if (most == i) return;
        swap(h, i, most);
        i = most;
    }
}

/// Whether an item would be kept.
static bool heap_takes(const heap *h, const void *value) {
    return h->count < h->capacity || (h->capacity && h->before(value, item(h, 0)));
}

static void heap_add(heap *h, const void *value, size_t known) {
    if (h->count == h->capacity) {
        gz_fill(item(h, 0), h->stride, value, known);
        sift_down(h, 0, h->count);
        return;
    }
    gz_fill(item(h, h->count), h->stride, value, known);
    for (size_t i = h->count++; i && h->before(item(h, (i - 1) / 2), item(h, i)); i = (i - 1) / 2)
        swap(h, i, (i - 1) / 2);
}

/// Brings the heap's items into order.
static void heap_sort(const heap *h) {
    for (size_t end = h->count; end > 1; end--) {
        swap(h, 0, end - 1);
        sift_down(h, 0, end - 1);
    }
}

static bool pair_before(const void *x, const void *y) {
    const graze_contact_pair *a = x, *b = y;
    return a->other_element < b->other_element;
}

static bool triangles_before(const void *x, const void *y) {
    const graze_triangle_pair *a = x, *b = y;
    if (a->other_element != b->other_element) return a->other_element < b->other_element;
    if (a->triangle != b->triangle) return a->triangle < b->triangle;
    return a->other_triangle < b->other_triangle;
}

// --------------------------------------------------------------------------------------- the list

typedef struct list {
    struct gz_visitor visitor;
    const graze_contacts_options *options;
    graze_contact_report *report;
    size_t pair_capacity, triangle_capacity;
    heap pairs, triangles; ///< of the group
    graze_contact group;   ///< the name of the first pair of it
    bool open;             ///< there is a group
    size_t triangle_count; ///< of `now`
} list;

/// What limits and sorting take for one: all points of a cloud, of other geometries one pair.
static bool is_of_group(const graze_contact *group, const graze_contact *name) {
    return group->kind == name->kind && group->link == name->link &&
           group->element == name->element && group->other == name->other &&
           (name->kind == GRAZE_CONTACT_WORLD || group->other_element == name->other_element);
}

static graze_contact_pair *pair_at(const list *l, size_t i) {
    return (graze_contact_pair *)(void *)item(&l->pairs, i);
}

/// Puts a group in order, and says which triangles are whose.
static void close_group(list *l) {
    if (!l->open) return;
    heap_sort(&l->pairs);
    heap_sort(&l->triangles);
    size_t next = 0;
    for (size_t i = 0; i < l->pairs.count; i++) {
        graze_contact_pair *pair = pair_at(l, i);
        pair->first = l->triangles.begin + next;
        for (; next < l->triangles.count; next++) {
            const graze_triangle_pair *t = item(&l->triangles, next);
            if (t->other_element != pair->other_element) break;
        }
        pair->written = l->triangles.begin + next - pair->first;
    }
    l->report->triangles_written += l->triangles.count;
    l->open = false;
}

static void open_group(list *l, const graze_contact *name) {
    if (l->open && is_of_group(&l->group, name)) return;
    close_group(l);
    l->open = true;
    l->group = *name;
    l->pairs.begin += l->pairs.count;
    l->triangles.begin += l->triangles.count;
    l->pairs.count = l->triangles.count = 0;
    l->pairs.capacity = l->pair_capacity - l->pairs.begin;
    l->triangles.capacity = l->triangle_capacity - l->triangles.begin;
    size_t limit = l->options->triangle_limit;
    if (limit && l->triangles.capacity > limit) l->triangles.capacity = limit;
}

// ---------------------------------------------------------------------------- places and normals

/// A side of a pair: its triangle, or the axis of a curved shape as a triangle without area.
static void corners_of(const gz_shape *shape, const double pose[12], int64_t triangle,
                       double out[3][3]) {
    if (triangle >= 0) {
        gz_triangle_snap(shape->mesh, pose, (uint32_t)triangle, out);
        return;
    }
    gz_curved s = gz_shape_place_curved(shape, pose);
    memcpy(out[0], s.a, sizeof s.a);
    memcpy(out[1], s.b, sizeof s.b);
    memcpy(out[2], s.b, sizeof s.b);
}

/// Makes a direction unit, or 0 where it has no length.
static void set_normal(const double d[3], graze_vec3 *out) {
    double most = fmax(fabs(d[0]), fmax(fabs(d[1]), fabs(d[2]))), n[3] = {0, 0, 0};
    if (most > 0) {
        for (int k = 0; k < 3; k++) n[k] = d[k] / most;
        double norm = gz_norm(n);
        for (int k = 0; k < 3; k++) n[k] /= norm;
    }
    memcpy(out, n, sizeof n);
}

static void set_triangle_normal(const double t[3][3], graze_vec3 *out) {
    double e[3], f[3], n[3];
    gz_subtract(t[1], t[0], e);
    gz_subtract(t[2], t[0], f);
    gz_cross(e, f, n);
    set_normal(n, out);
}

/// Where the axis of a sphere or capsule and what is on the other side are nearest is where their
/// distance shows outward.
static void set_curved_normals(const gz_element_pair *now, graze_triangle_pair *out,
                               const double a[3][3], const double b[3][3]) {
    double p[3], q[3], d[3];
    bool flat_a = !now->a->mesh && now->a->kind == GRAZE_SHAPE_CYLINDER,
         flat_b = !now->b->mesh && now->b->kind == GRAZE_SHAPE_CYLINDER;
    if (flat_a || flat_b || gz_triangles_overlap_exact(a, b, NULL)) return;
    gz_triangles_nearest(a, b, p, q);
    gz_subtract(q, p, d);
    if (!now->a->mesh) set_normal(d, &out->normal[0]);
    for (int k = 0; k < 3; k++) d[k] = -d[k];
    if (!now->b->mesh) set_normal(d, &out->normal[1]);
}

static void set_curved_place(const gz_element_pair *now, graze_triangle_pair *out,
                             const double a[3][3], const double b[3][3]) {
    double point[3] = {0, 0, 0};
    bool flat = now->a->mesh || now->b->mesh;
    gz_curved s = gz_shape_place_curved(now->a->mesh ? now->b : now->a,
                                        now->a->mesh ? now->pose_b : now->pose_a);
    gz_curved t = flat ? s : gz_shape_place_curved(now->b, now->pose_b);
    const double(*corners)[3] = now->a->mesh ? a : b;
    for (int i = 0; i < 2 && !out->overlap; i++) { // first without the margin
        double margin = i ? now->margin : 0;
        bool hit = flat ? gz_curved_triangle_collide(&s, corners, margin, point)
                        : gz_curved_pair_collide(&s, &t, margin, point);
        out->overlap = hit && i == 0;
    }
    for (int i = 0; i < 2; i++) memcpy(&out->segment[i], point, sizeof point);
}

static void set_place(const gz_element_pair *now, graze_triangle_pair *out) {
    double a[3][3], b[3][3], segment[2][3];
    corners_of(now->a, now->pose_a, out->triangle, a);
    corners_of(now->b, now->pose_b, out->other_triangle, b);
    if (now->a->mesh) set_triangle_normal(GZ_CORNERS(a), &out->normal[0]);
    if (now->b->mesh) set_triangle_normal(GZ_CORNERS(b), &out->normal[1]);
    if (!now->a->mesh || !now->b->mesh) {
        set_curved_normals(now, out, GZ_CORNERS(a), GZ_CORNERS(b));
        set_curved_place(now, out, GZ_CORNERS(a), GZ_CORNERS(b));
        return;
    }
    out->overlap = gz_triangles_overlap_exact(GZ_CORNERS(a), GZ_CORNERS(b), NULL);
    if (out->overlap)
        gz_triangles_segment(GZ_CORNERS(a), GZ_CORNERS(b), segment);
    else
        gz_triangles_nearest(GZ_CORNERS(a), GZ_CORNERS(b), segment[0], segment[1]);
    for (int i = 0; i < 2; i++) memcpy(&out->segment[i], segment[i], sizeof segment[i]);
}

/// What was found in the frame of a body goes where the body is.
static void move_point(const double *frame, graze_vec3 *p) {
    double from[3];
    if (!frame) return;
    memcpy(from, p, sizeof from);
    gz_transform_apply(frame, from, GZ_ARRAY3(*p));
}

static void move_direction(const double *frame, graze_vec3 *d) {
    double moved[3];
    if (!frame) return;
    gz_transform_rotate(frame, GZ_ARRAY3(*d), moved);
    set_normal(moved, d);
}

static void visit_triangles(void *user, int64_t triangle, int64_t other) {
    list *l = user;
    const graze_contact *name = &l->visitor.now.name;
    open_group(l, name);
    l->triangle_count++;
    l->report->triangle_count++;
    graze_triangle_pair found = {.kind = name->kind,
                                 .link = name->link,
                                 .element = name->element,
                                 .other = name->other,
                                 .other_element = name->other_element,
                                 .triangle = triangle,
                                 .other_triangle = other};
    if (!heap_takes(&l->triangles, &found)) return;
    set_place(&l->visitor.now, &found);
    for (int i = 0; i < 2; i++) {
        move_point(l->visitor.frame, &found.segment[i]);
        move_direction(l->visitor.frame, &found.normal[i]);
    }
    heap_add(&l->triangles, &found, sizeof found);
}

static void set_manifold(const gz_element_pair *now, const double *frame, graze_contact_pair *out) {
    gz_manifold m;
    gz_manifold_find(now->a, now->pose_a, now->b, now->pose_b, now->margin, &m);
    out->point_count = m.count;
    out->depth = m.depth;
    out->least = m.least;
    memcpy(&out->normal, m.normal, sizeof m.normal);
    move_direction(frame, &out->normal);
    for (int i = 0; i < m.count; i++) {
        memcpy(&out->points[i], m.points[i], sizeof m.points[i]);
        move_point(frame, &out->points[i]);
        out->depths[i] = m.depths[i];
    }
}

static void visit_elements(void *user, bool contained) {
    list *l = user;
    const gz_element_pair *now = &l->visitor.now;
    open_group(l, &now->name);
    graze_contact_pair found = {.kind = now->name.kind,
                                .link = now->name.link,
                                .element = now->name.element,
                                .other = now->name.other,
                                .other_element = now->name.other_element,
                                .contained = contained,
                                .triangle_count = l->triangle_count};
    l->triangle_count = 0;
    l->report->pair_count++;
    if (!heap_takes(&l->pairs, &found)) return;
    if (now->a && l->options->manifolds) set_manifold(now, l->visitor.frame, &found);
    heap_add(&l->pairs, &found, sizeof found);
}

// ------------------------------------------------------------------------------------- the calls

/// Poses from q, or from the caller.
typedef struct question {
    bool posed;
    const double *q, *base;
    const graze_transform *links;
    size_t count; ///< of q, or links
} question;

static graze_status run(const graze_checker *checker, graze_workspace *ws, const question *from,
                        list *l, graze_error *error) {
    graze_report found = {.verdict = GRAZE_UNKNOWN};
    l->visitor.triangles = (gz_triangle_sink){visit_triangles, l};
    l->visitor.elements = visit_elements;
    l->visitor.user = l;
    ws->visitor = &l->visitor;
    graze_status status = from->posed ? graze_check_posed(checker, ws, GRAZE_ANSWER_ALL,
                                                          from->links, from->count, &found, error)
                                      : graze_check(checker, ws, GRAZE_ANSWER_ALL, from->q,
                                                    from->count, from->base, &found, error);
    ws->visitor = NULL;
    close_group(l);
    l->report->verdict = found.verdict;
    l->report->stats = found.stats;
    l->report->truncated = l->report->pair_count > l->pair_capacity ||
                           l->report->triangle_count > l->report->triangles_written;
    return status;
}

static graze_status list_contacts(const graze_checker *checker, graze_workspace *ws,
                                  const question *from, const graze_contacts_options *options,
                                  graze_contact_report *report, const size_t size[2],
                                  graze_error *error) {
    graze_contacts_options read;
    report->verdict = GRAZE_UNKNOWN;
    report->pair_count = report->triangle_count = report->triangles_written = 0;
    report->truncated = false;
    report->stats = (graze_stats){0};
    GZ_TRY(GZ_OPTIONS_READ(graze_contacts_options, &read, options, error));
    if (!checker || !ws || ws->checker != checker || ws->visitor)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "checker or workspace is NULL, or the workspace is of another checker");
    if (checker->options.level == GRAZE_LEVEL_BOUNDS)
        return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                       "contacts are of the level mesh; the level is bounds");
    if (size[0] < sizeof(graze_contact_pair) || size[1] < sizeof(graze_triangle_pair))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "contacts have %zu and %zu bytes; allowed: at least %zu and %zu", size[0],
                       size[1], sizeof(graze_contact_pair), sizeof(graze_triangle_pair));
    list l = {.options = &read,
              .report = report,
              .pair_capacity = report->pairs ? report->pair_capacity : 0,
              .triangle_capacity = report->triangles ? report->triangle_capacity : 0,
              .pairs = {.items = (unsigned char *)report->pairs,
                        .stride = size[0],
                        .size = sizeof(graze_contact_pair),
                        .before = pair_before},
              .triangles = {.items = (unsigned char *)report->triangles,
                            .stride = size[1],
                            .size = sizeof(graze_triangle_pair),
                            .before = triangles_before}};
    return run(checker, ws, from, &l, error);
}

/// Copies the caller's report where it is shorter than this library's.
static graze_status open_report(const graze_checker *checker, graze_workspace *ws,
                                const question *from, const graze_contacts_options *options,
                                graze_contact_report *report, size_t report_size,
                                const size_t size[2], graze_error *error) {
    if (!report || report_size < offsetof(graze_contact_report, stats))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "report is NULL or too short");
    graze_contact_report own = {.verdict = GRAZE_UNKNOWN};
    size_t known = report_size < sizeof own ? report_size : sizeof own;
    memcpy(&own, report, known);
    graze_status status = list_contacts(checker, ws, from, options, &own, size, error);
    memcpy(report, &own, known);
    return status;
}

graze_status graze_check_contacts_sized(const graze_checker *checker, graze_workspace *ws,
                                        const double *q, size_t q_count, const double *base,
                                        const graze_contacts_options *options,
                                        graze_contact_report *report, size_t report_size,
                                        size_t pair_size, size_t triangle_size,
                                        graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    const question from = {.q = q, .base = base, .count = q_count};
    return open_report(checker, ws, &from, options, report, report_size,
                       (const size_t[2]){pair_size, triangle_size}, error);
}

graze_status graze_check_posed_contacts_sized(const graze_checker *checker, graze_workspace *ws,
                                              const graze_transform *links, size_t link_count,
                                              const graze_contacts_options *options,
                                              graze_contact_report *report, size_t report_size,
                                              size_t pair_size, size_t triangle_size,
                                              graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    const question from = {.posed = true, .links = links, .count = link_count};
    return open_report(checker, ws, &from, options, report, report_size,
                       (const size_t[2]){pair_size, triangle_size}, error);
}
