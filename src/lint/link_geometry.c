#include <math.h>

#include "lint/link_geometry.h"
#include "math/transform.h"
#include "math/trigonometry.h"
#include "mesh/bvh/box_tree.h"

gz_lint_box gz_lint_box_empty(void) {
    return (gz_lint_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

bool gz_lint_box_is_empty(const gz_lint_box *box) {
    return !(box->low[0] <= box->high[0]);
}

void gz_lint_box_add(gz_lint_box *box, const double p[3]) {
    for (int k = 0; k < 3; k++) {
        box->low[k] = fmin(box->low[k], p[k]);
        box->high[k] = fmax(box->high[k], p[k]);
    }
}

double gz_lint_box_diagonal(const gz_lint_box *box) {
    if (gz_lint_box_is_empty(box)) return 0;
    return hypot(hypot(box->high[0] - box->low[0], box->high[1] - box->low[1]),
                 box->high[2] - box->low[2]);
}

void gz_lint_scale(const gz_lint_geometry *g, double scale[3]) {
    for (int k = 0; k < 3; k++) scale[k] = g->scale.valid ? g->scale.value[k] : 1;
}

static void add_placed(gz_lint_box *box, const graze_transform *t, const double p[3]) {
    graze_vec3 w = graze_transform_point(t, (graze_vec3){p[0], p[1], p[2]});
    gz_lint_box_add(box, (double[3]){w.x, w.y, w.z});
}

/// Adds the eight corners of a box about the geometry's own origin.
static void add_corners(gz_lint_box *box, const graze_transform *t, const double half[3]) {
    for (int i = 0; i < 8; i++) {
        double p[3];
        for (int k = 0; k < 3; k++) p[k] = i >> k & 1 ? half[k] : -half[k];
        add_placed(box, t, p);
    }
}

static bool mesh_box(const gz_lint_context *c, const gz_lint_geometry *g, gz_lint_box *box) {
    const gz_soup *soup = g->mesh >= 0 ? c->meshes[g->mesh].soup : NULL;
    if (!soup || g->over || (g->scale.text && !g->scale.valid)) return false;
    double scale[3];
    gz_lint_scale(g, scale);
    for (size_t i = 0; i < 3 * soup->triangle_count; i++) {
        const double *v = soup->vertices + 3 * (size_t)soup->triangles[i];
        add_placed(box, &g->origin.transform,
                   (double[3]){scale[0] * v[0], scale[1] * v[1], scale[2] * v[2]});
    }
    return true;
}

bool gz_lint_geometry_box(const gz_lint_context *c, const gz_lint_geometry *g, gz_lint_box *box) {
    *box = gz_lint_box_empty();
    if (!g->known) return false;
    double half[3], r = g->radius.value[0], h = 0.5 * g->length.value[0];
    switch (g->kind) {
    case GRAZE_SHAPE_MESH:
        return mesh_box(c, g, box);
    case GRAZE_SHAPE_BOX:
        if (!g->size.valid) return false;
        for (int k = 0; k < 3; k++) half[k] = 0.5 * g->size.value[k];
        break;
    case GRAZE_SHAPE_SPHERE:
        if (!g->radius.valid) return false;
        half[0] = half[1] = half[2] = r;
        break;
    default:
        if (!g->radius.valid || !g->length.valid) return false;
        half[0] = half[1] = r;
        half[2] = g->kind == GRAZE_SHAPE_CAPSULE ? h + r : h;
    }
    add_corners(box, &g->origin.transform, half);
    return true;
}

bool gz_lint_link_box(const gz_lint_context *c, const gz_lint_link *link, gz_lint_use use,
                      gz_lint_box *box) {
    bool known = true;
    *box = gz_lint_box_empty();
    for (size_t i = 0; i < link->geometry_count; i++) {
        const gz_lint_geometry *g = &c->geometries[link->first_geometry + i];
        gz_lint_box own;
        if (!(use & (g->visual ? GZ_LINT_VISUAL : GZ_LINT_COLLISION))) continue;
        known &= gz_lint_geometry_box(c, g, &own);
        if (gz_lint_box_is_empty(&own)) continue;
        gz_lint_box_add(box, own.low);
        gz_lint_box_add(box, own.high);
    }
    return known;
}

enum { AROUND = 48, UP = 12 }; ///< sides of a circle, and bands from a sphere's equator to its pole

/// A soup under construction: everything added is placed by `transform`.
typedef struct builder {
    gz_soup *soup;
    const graze_transform *transform;
} builder;

static void add_vertex(builder *b, double x, double y, double z) {
    graze_vec3 w = graze_transform_point(b->transform, (graze_vec3){x, y, z});
    double *to = b->soup->vertices + 3 * b->soup->vertex_count++;
    to[0] = w.x, to[1] = w.y, to[2] = w.z;
}

static void add_triangle(builder *b, size_t i, size_t j, size_t k) {
    uint32_t *to = b->soup->triangles + 3 * b->soup->triangle_count++;
    to[0] = (uint32_t)i, to[1] = (uint32_t)j, to[2] = (uint32_t)k;
}

static bool add_box(builder *b, const double size[3]) {
    size_t base = b->soup->vertex_count;
    if (!gz_soup_reserve(b->soup, 8, 12)) return false;
    for (int i = 0; i < 8; i++)
        add_vertex(b, (i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1],
                   (i & 4 ? 0.5 : -0.5) * size[2]);
    // Each face by its corners, in order around it, counter-clockwise from outside.
    static const uint8_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int f = 0; f < 6; f++) {
        add_triangle(b, base + faces[f][0], base + faces[f][1], base + faces[f][2]);
        add_triangle(b, base + faces[f][0], base + faces[f][2], base + faces[f][3]);
    }
    return true;
}

/// A closed surface of revolution about z: rings of AROUND vertices from the bottom to the top,
/// which are closed by a vertex on the axis each.
static bool add_revolution(builder *b, const double (*rings)[2], size_t count, double bottom,
                           double top) {
    size_t base = b->soup->vertex_count;
    if (!gz_soup_reserve(b->soup, AROUND * count + 2, 2 * AROUND * count)) return false;
    for (size_t r = 0; r < count; r++)
        for (int i = 0; i < AROUND; i++) {
            double s, c;
            gz_sine_cosine(2 * M_PI * i / AROUND, &s, &c);
            add_vertex(b, rings[r][0] * c, rings[r][0] * s, rings[r][1]);
        }
    size_t low = b->soup->vertex_count, last = base + AROUND * (count - 1);
    add_vertex(b, 0, 0, bottom);
    add_vertex(b, 0, 0, top);
    for (size_t i = 0; i < AROUND; i++) {
        size_t next = (i + 1) % AROUND;
        add_triangle(b, low, base + next, base + i);
        add_triangle(b, low + 1, last + i, last + next);
        for (size_t r = 0; r + 1 < count; r++) {
            size_t at = base + AROUND * r;
            add_triangle(b, at + i, at + next, at + AROUND + next);
            add_triangle(b, at + i, at + AROUND + next, at + AROUND + i);
        }
    }
    return true;
}

/// Spheres and capsules: two halves that are `length` apart.
static bool add_round(builder *b, double radius, double length) {
    double rings[2 * UP][2];
    for (int i = 0; i < UP; i++) {
        double s, c;
        gz_sine_cosine(0.5 * M_PI * i / UP, &s, &c);
        rings[UP - 1 - i][0] = rings[UP + i][0] = radius * c;
        rings[UP - 1 - i][1] = -0.5 * length - radius * s;
        rings[UP + i][1] = 0.5 * length + radius * s;
    }
    // The halves of a sphere have the same ring at the equator: between the two there is no area.
    return add_revolution(b, (const double(*)[2])rings, 2 * UP, -0.5 * length - radius,
                          0.5 * length + radius);
}

static bool add_mesh(builder *b, const gz_lint_geometry *g, const gz_soup *mesh) {
    size_t base = b->soup->vertex_count;
    double scale[3];
    gz_lint_scale(g, scale);
    bool flip = scale[0] * scale[1] * scale[2] < 0;
    if (!gz_soup_reserve(b->soup, mesh->vertex_count, mesh->triangle_count)) return false;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const double *v = mesh->vertices + 3 * i;
        add_vertex(b, scale[0] * v[0], scale[1] * v[1], scale[2] * v[2]);
    }
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *v = mesh->triangles + 3 * t;
        add_triangle(b, base + v[0], base + v[flip ? 2 : 1], base + v[flip ? 1 : 2]);
    }
    return true;
}

static bool add_geometry(builder *b, const gz_lint_context *c, const gz_lint_geometry *g) {
    gz_lint_box box;
    // What has no box has no triangles either, and sizes may be absurd (G010).
    if (!gz_lint_geometry_box(c, g, &box) || gz_lint_box_is_empty(&box)) return true;
    if (!(gz_lint_box_diagonal(&box) <= 0x1p20)) return true;
    double r = g->radius.value[0], l = g->length.value[0];
    const double rings[2][2] = {{r, -0.5 * l}, {r, 0.5 * l}};
    b->transform = &g->origin.transform;
    switch (g->kind) {
    case GRAZE_SHAPE_MESH:
        return add_mesh(b, g, c->meshes[g->mesh].soup);
    case GRAZE_SHAPE_BOX:
        return add_box(b, g->size.value);
    case GRAZE_SHAPE_CYLINDER:
        return add_revolution(b, rings, 2, -0.5 * l, 0.5 * l);
    default:
        return add_round(b, r, g->kind == GRAZE_SHAPE_CAPSULE ? l : 0);
    }
}

void gz_link_surface_make(gz_soup **soup, gz_lint_context *c, const gz_lint_link *link,
                          gz_lint_use use) {
    builder b = {.soup = gz_soup_create()};
    bool ok = b.soup != NULL;
    for (size_t i = 0; ok && i < link->geometry_count; i++) {
        const gz_lint_geometry *g = &c->geometries[link->first_geometry + i];
        if (use & (g->visual ? GZ_LINT_VISUAL : GZ_LINT_COLLISION)) ok = add_geometry(&b, c, g);
    }
    c->out_of_memory |= !ok;
    if (!ok || !b.soup->triangle_count) {
        gz_soup_free(b.soup);
        b.soup = NULL;
    }
    *soup = b.soup;
}

// ----------------------------------------------------------------------------------------- points

/// The point of a triangle at (u, v) of the unit square, folded into the triangle.
static void point_of(const gz_soup *soup, size_t t, double u, double v, double out[3]) {
    const uint32_t *index = soup->triangles + 3 * t;
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    for (int k = 0; k < 3; k++) {
        double a = soup->vertices[3 * (size_t)index[0] + (size_t)k];
        double b = soup->vertices[3 * (size_t)index[1] + (size_t)k];
        double c = soup->vertices[3 * (size_t)index[2] + (size_t)k];
        out[k] = a + u * (b - a) + v * (c - a);
    }
}

size_t gz_link_surface_sample(const gz_soup *soup, double *points, size_t count) {
    double before = 0;
    double total = gz_surface_area(soup->vertices, soup->triangles, soup->triangle_count);
    if (!(total > 0) || !isfinite(total)) return 0;
    size_t done = 0;
    // Steps of equal area along the triangles in file order; inside of each the additive sequence
    // of the plastic number, which fills the square evenly.
    for (size_t t = 0; t < soup->triangle_count && done < count; t++) {
        before += gz_triangle_area(soup->vertices, soup->triangles + 3 * t);
        while (done < count && ((double)done + 0.5) / (double)count * total <= before) {
            double u = fmod(0.5 + 0.7548776662466927 * (double)done, 1);
            double v = fmod(0.5 + 0.5698402909980532 * (double)done, 1);
            point_of(soup, t, u, v, points + 3 * done);
            done++;
        }
    }
    return done;
}

// -------------------------------------------------------------------------------- to one triangle

static double squared(const double v[3]) {
    return gz_dot(v, v);
}

static double to_segment_squared(const double p[3], const double a[3], const double b[3]) {
    double ab[3], ap[3];
    gz_subtract(b, a, ab);
    gz_subtract(p, a, ap);
    double length = squared(ab), along = length > 0 ? gz_dot(ap, ab) / length : 0;
    along = fmin(fmax(along, 0), 1);
    for (int k = 0; k < 3; k++) ap[k] -= along * ab[k];
    return squared(ap);
}

/// The least of the distances from the edges, and from the plane where the foot of the
/// perpendicular is inside.
static double to_triangle_squared(const double p[3], const double a[3], const double b[3],
                                  const double c[3]) {
    double least = fmin(to_segment_squared(p, a, b),
                        fmin(to_segment_squared(p, b, c), to_segment_squared(p, c, a)));
    double ab[3], ac[3], n[3];
    gz_subtract(b, a, ab);
    gz_subtract(c, a, ac);
    gz_cross(ab, ac, n);
    double area = squared(n);
    if (!(area > 0)) return least;
    const double *corners[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        double edge[3], to[3], side[3];
        gz_subtract(corners[(i + 1) % 3], corners[i], edge);
        gz_subtract(p, corners[i], to);
        gz_cross(edge, to, side);
        if (gz_dot(side, n) < 0) return least;
    }
    double ap[3];
    gz_subtract(p, a, ap);
    double height = gz_dot(ap, n);
    return fmin(least, height * height / area);
}

// --------------------------------------------------------------------------------------- the tree

typedef struct entry {
    int32_t child;
    double distance; ///< squared, to its box
} entry;

static double to_box_squared(const gz_node *node, int lane, const double p[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double out = fabs(p[k] - (double)node->center[k][lane]) - (double)node->half[k][lane];
        if (out > 0) sum += out * out;
    }
    return sum;
}

static double to_packet_squared(const graze_mesh *mesh, const gz_packet *packet,
                                const double p[3]) {
    double least = INFINITY;
    for (int32_t i = 0; i < packet->count; i++) {
        size_t t = packet->triangle[i];
        least = fmin(least,
                     to_triangle_squared(p, gz_mesh_corner(mesh, t, 0), gz_mesh_corner(mesh, t, 1),
                                         gz_mesh_corner(mesh, t, 2)));
    }
    return least;
}

/// Puts the children of a node that may hold something nearer on the stack, the nearest on top.
static size_t push_children(const gz_node *node, const double p[3], double best, entry *stack,
                            size_t count) {
    size_t first = count;
    for (int lane = 0; lane < node->count; lane++) {
        entry e = {node->child[lane], to_box_squared(node, lane, p)};
        if (e.distance >= best) continue;
        size_t at = count++;
        for (; at > first && stack[at - 1].distance < e.distance; at--) stack[at] = stack[at - 1];
        stack[at] = e;
    }
    return count;
}

double gz_surface_distance(const graze_mesh *mesh, const double p[3], double bound) {
    entry stack[GZ_TREE_STACK + GZ_WIDTH];
    size_t count = 1;
    double best = bound * bound;
    stack[0] = (entry){mesh->root, 0};
    while (count) {
        entry e = stack[--count];
        if (e.distance >= best) continue;
        if (e.child < 0)
            best = fmin(best, to_packet_squared(mesh, &mesh->packets[~e.child], p));
        else
            count = push_children(&mesh->nodes[e.child], p, best, stack, count);
    }
    return best < bound * bound ? sqrt(best) : bound;
}

// ------------------------------------------------------------------------------------ solid angle

double gz_surface_winding(const graze_mesh *mesh, const double p[3]) {
    double sum = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double v[3][3], length[3], cross[3];
        for (size_t i = 0; i < 3; i++) {
            gz_subtract(gz_mesh_corner(mesh, t, i), p, v[i]);
            length[i] = gz_norm(v[i]);
        }
        gz_cross(v[1], v[2], cross);
        double over = gz_dot(v[0], cross);
        double under = length[0] * length[1] * length[2] + gz_dot(v[0], v[1]) * length[2] +
                       gz_dot(v[1], v[2]) * length[0] + gz_dot(v[2], v[0]) * length[1];
        if (over != 0) sum += 2 * atan2(over, under);
    }
    return sum / (4 * M_PI);
}
