// Radii of balls around a mesh's support points, whose convex hull contains the mesh.
//
// Every vertex is written as a sum of support points with weights of at least 0 that add up to 1,
// and what is left: v = w1 p1 + w2 p2 + .. + e. Along a direction d of length 1 it is no farther
// than the farthest of the balls, w1 (p1 . d + |e|) + w2 (p2 . d + |e|) + .., where the radius of
// every point that has a weight is at least |e|. So whichever weights are found, the radii hold:
// how small they are is all that depends on the hull below. Its places are moved a little at
// random, so that no four are in a plane, as Qhull's option QJ does (Barber, Dobkin and Huhdanpaa
// 1996, "The Quickhull algorithm for convex hulls").
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "math/rounding.h"
#include "math/transform.h"
#include "mesh/prefilter/mesh_proxy.h"

#define POINTS (GZ_PROXY_GROUPS * GZ_WIDTH)
#define FACES  (2 * POINTS)
_Static_assert(POINTS <= 64, "a bit each");
/// By what share of the mesh's size places are moved; and a radius that any vertex may need for
/// it: rounding, too, is less.
#define MOVED 0x1p-20
#define LEAST 0x1p-18
/// Faces that a vertex is summed up by, at most.
#define WALK 4

/// A face of the hull: outside is where p . normal > offset.
typedef struct hull_face {
    int corner[3];
    double normal[3], offset;
} hull_face;

typedef struct support_hull {
    double point[POINTS][3], place[POINTS][3]; ///< as they are, and moved
    double middle[2][3];                       ///< the means of both
    double inside[3];                          ///< a place inside of the hull's first faces
    int count, face_count;
    hull_face face[FACES];
    double cone[FACES][3][3];        ///< products with a way from the middle weigh the corners
    int16_t face_at[POINTS][POINTS]; ///< with an edge from one corner to another; -1: none
} support_hull;

static void read_points(support_hull *h, const gz_point_set *set, double max_abs) {
    gz_random random = gz_random_make(1, 0);
    h->count = set->count * GZ_WIDTH;
    memset(h->middle, 0, sizeof h->middle);
    for (int i = 0; i < h->count; i++)
        for (int k = 0; k < 3; k++) {
            h->point[i][k] = (double)set->group[i / GZ_WIDTH][k][i % GZ_WIDTH];
            h->place[i][k] = h->point[i][k] + MOVED * max_abs * gz_random_range(&random, -1, 1);
            h->middle[0][k] += h->point[i][k] / h->count;
            h->middle[1][k] += h->place[i][k] / h->count;
        }
}

// ------------------------------------------------------------------------------------------- hull

static double height_over(const hull_face *f, const double p[3]) {
    return gz_dot(f->normal, p) - f->offset;
}

/// A face whose outside is not where the hull is: its corners turn left seen from there.
static hull_face make_face(const support_hull *h, int i, int j, int k) {
    hull_face f = {.corner = {i, j, k}};
    double e[3], g[3];
    gz_subtract(h->place[j], h->place[i], e);
    gz_subtract(h->place[k], h->place[i], g);
    gz_cross(e, g, f.normal);
    f.offset = gz_dot(f.normal, h->place[i]);
    if (height_over(&f, h->inside) <= 0) return f;
    f = (hull_face){.corner = {i, k, j},
                    .normal = {-f.normal[0], -f.normal[1], -f.normal[2]},
                    .offset = -f.offset};
    return f;
}

/// Takes out the faces that a point is outside of, and puts in those from it to their border: edges
/// of one of these faces alone.
static void add_point(support_hull *h, int point) {
    int edge[FACES * 3][2], count = 0, kept = 0;
    uint64_t to[POINTS] = {0}; // a bit for each end of an edge
    for (int i = 0; i < h->face_count; i++) {
        const hull_face *f = &h->face[i];
        if (!(height_over(f, h->place[point]) > 0)) {
            if (kept++ < i) h->face[kept - 1] = *f;
            continue;
        }
        for (int k = 0; k < 3; k++, count++) {
            edge[count][0] = f->corner[k];
            edge[count][1] = f->corner[(k + 1) % 3];
            to[edge[count][0]] |= UINT64_C(1) << edge[count][1];
        }
    }
    h->face_count = kept;
    for (int i = 0; i < count; i++) {
        const int *e = edge[i];
        if (!(to[e[1]] >> e[0] & 1) && h->face_count < FACES)
            h->face[h->face_count++] = make_face(h, e[0], e[1], point);
    }
}

/// How far a place is from a point, a line, or a plane through the first places of a list; of one
/// that is in the list about 0.
static double distance_from(const support_hull *h, const int *list, int count, int place) {
    double d[3], e[3], f[3], n[3];
    gz_subtract(h->place[place], h->place[list[0]], d);
    if (count == 1) return gz_norm(d);
    gz_subtract(h->place[list[1]], h->place[list[0]], e);
    gz_cross(e, d, n);
    if (count == 2) return gz_norm(n);
    gz_subtract(h->place[list[2]], h->place[list[0]], f);
    gz_cross(e, f, n);
    return fabs(gz_dot(n, d));
}

/// The hull of all places, of which there are eight or more.
static void build_hull(support_hull *h) {
    int first[4] = {0, 0, 0, 0};
    h->face_count = 0;
    for (int count = 1; count < 4; count++)
        for (int i = 0; i < h->count; i++)
            if (distance_from(h, first, count, i) > distance_from(h, first, count, first[count]))
                first[count] = i;
    for (int k = 0; k < 3; k++)
        h->inside[k] = (h->place[first[0]][k] + h->place[first[1]][k] + h->place[first[2]][k] +
                        h->place[first[3]][k]) /
                       4;
    for (int i = 0; i < 4; i++)
        h->face[h->face_count++] = make_face(h, first[i], first[(i + 1) % 4], first[(i + 2) % 4]);
    for (int i = 0; i < h->count; i++)
        if (i != first[0] && i != first[1] && i != first[2] && i != first[3]) add_point(h, i);
}

/// Lists which face has an edge, and what weighs the corners of each.
static void list_cones(support_hull *h) {
    memset(h->face_at, -1, sizeof h->face_at);
    for (int i = 0; i < h->face_count; i++) {
        const int *corner = h->face[i].corner;
        double e[3][3];
        for (int k = 0; k < 3; k++) {
            gz_subtract(h->place[corner[k]], h->middle[1], e[k]);
            h->face_at[corner[k]][corner[(k + 1) % 3]] = (int16_t)i;
        }
        for (int k = 0; k < 3; k++) {
            gz_cross(e[(k + 1) % 3], e[(k + 2) % 3], h->cone[i][k]);
            const double size = gz_dot(h->cone[i][k], e[k]);
            for (int n = 0; n < 3; n++) h->cone[i][k][n] /= size;
        }
    }
}

// ------------------------------------------------------------------------------------------- radii

/// A place as a sum of a face's corners and the middle, and what is left of a vertex.
typedef struct vertex_sum {
    int face;
    double weight[3], of_middle, rest;
} vertex_sum;

/// Weights of a face's corners with which, and the rest of the middle's, a place is summed up.
static inline void weigh(const support_hull *h, int face, const double place[3], double weight[3]) {
    double d[3];
    gz_subtract(place, h->middle[1], d);
    for (int k = 0; k < 3; k++) weight[k] = gz_dot(h->cone[face][k], d);
}

/// The corner that a place is beyond the edge of, the most; -1: none.
static inline int edge_passed(const double weight[3]) {
    int least = weight[1] < weight[0] ? 1 : 0;
    least = weight[2] < weight[least] ? 2 : least;
    return weight[least] < 0 ? least : -1;
}

/// The face beyond the edge that is opposite to a corner; -1: there is none.
static inline int next_face(const support_hull *h, int face, int corner) {
    const int *own = h->face[face].corner;
    return h->face_at[own[(corner + 2) % 3]][own[(corner + 1) % 3]];
}

/// The face that the way from the middle to a place goes through, as a walk from another one finds
/// it.
static int find_face(const support_hull *h, int face, const double place[3]) {
    double weight[3];
    for (int i = 0; i < h->face_count; i++) {
        weigh(h, face, place, weight);
        const int corner = edge_passed(weight), next = corner < 0 ? -1 : next_face(h, face, corner);
        if (next < 0) break;
        face = next;
    }
    return face;
}

/// Makes weights at least 0, and their sum at most 1, or 1 where nothing is left for the middle.
/// Returns what is left.
static double clamp_weights(double weight[3], bool whole) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        weight[k] = weight[k] > 0 && weight[k] < 1e9 ? weight[k] : 0;
        sum += weight[k];
    }
    if (!(whole && sum > 0) && sum < 1) return 1 - sum;
    for (int k = 0; k < 3; k++) weight[k] /= sum;
    return 0;
}

/// Sums a vertex up by a face, outside of it by its foot there. Returns the corner that the foot is
/// beyond the edge of; -1: none.
static int sum_up(const support_hull *h, int face, const double v[3], vertex_sum *out) {
    const hull_face *f = &h->face[face];
    double place[3], e[3];
    weigh(h, face, v, out->weight);
    const bool outside = out->weight[0] + out->weight[1] + out->weight[2] > 1;
    if (outside) {
        const double height = height_over(f, v) / gz_dot(f->normal, f->normal);
        for (int k = 0; k < 3; k++) place[k] = v[k] - height * f->normal[k];
        weigh(h, face, place, out->weight);
    }
    const int passed = edge_passed(out->weight);
    out->face = face;
    out->of_middle = clamp_weights(out->weight, outside);
    for (int k = 0; k < 3; k++) {
        e[k] = v[k] - out->of_middle * h->middle[0][k];
        for (int i = 0; i < 3; i++) e[k] -= out->weight[i] * h->point[f->corner[i]][k];
    }
    out->rest = gz_norm(e);
    return passed;
}

/// The sum with the least rest, by a face and those that its foot is beyond the edges of.
static vertex_sum find_sum(const support_hull *h, int face, const double v[3], double enough) {
    vertex_sum best = {.of_middle = 1, .rest = INFINITY}, sum;
    for (int i = 0; i < WALK && face >= 0; i++) {
        const int corner = sum_up(h, face, v, &sum);
        if (sum.rest < best.rest) best = sum;
        if (corner < 0 || best.rest <= enough) break;
        face = next_face(h, face, corner);
    }
    return best;
}

typedef struct radius_list {
    double own[POINTS], all; ///< per point; of every point
} radius_list;

/// Takes a vertex into the balls of a face's corners, or of all points.
static void hold_vertex(const support_hull *h, int face, const double v[3], radius_list *out) {
    const vertex_sum sum = find_sum(h, face, v, out->all);
    if (sum.rest <= out->all) return;
    if (sum.of_middle > 0) out->all = sum.rest;
    for (int k = 0; k < 3; k++) {
        double *own = &out->own[h->face[sum.face].corner[k]];
        if (sum.weight[k] > 0) *own = fmax(*own, sum.rest);
    }
}

void gz_support_radii_find(gz_mesh_proxy *s, const graze_mesh *mesh) {
    support_hull hull;
    radius_list radii = {.all = LEAST * mesh->max_abs};
    read_points(&hull, &s->support, mesh->max_abs);
    build_hull(&hull);
    list_cones(&hull);
    int face = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const double *v = mesh->vertices + 3 * i;
        face = find_face(&hull, face, v);
        hold_vertex(&hull, face, v, &radii);
    }
    for (int i = 0; i < POINTS; i++) {
        const double own = i < hull.count ? fmax(radii.own[i], radii.all) : 0;
        s->support_radius[i / GZ_WIDTH][i % GZ_WIDTH] = (float)(own * GZ_ROUND_UP_TO_FLOAT);
    }
}
