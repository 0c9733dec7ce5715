#include "lint/link_geometry.h"

#include <math.h>

#include "math/transform.h"
#include "mesh/bvh/box_tree.h"

static const double *corner(const graze_mesh *mesh, size_t t, size_t i) {
    return mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + i];
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
        least = fmin(least, to_triangle_squared(p, corner(mesh, t, 0), corner(mesh, t, 1),
                                                corner(mesh, t, 2)));
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
    const double pi = 3.14159265358979323846;
    double sum = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double v[3][3], length[3], cross[3];
        for (size_t i = 0; i < 3; i++) {
            gz_subtract(corner(mesh, t, i), p, v[i]);
            length[i] = gz_norm(v[i]);
        }
        gz_cross(v[1], v[2], cross);
        double over = gz_dot(v[0], cross);
        double under = length[0] * length[1] * length[2] + gz_dot(v[0], v[1]) * length[2] +
                       gz_dot(v[1], v[2]) * length[0] + gz_dot(v[2], v[0]) * length[1];
        if (over != 0) sum += 2 * atan2(over, under);
    }
    return sum / (4 * pi);
}
