// Two shapes, one of them moved along a line: meshes, with their lowest pair of triangles, spheres,
// capsules and cylinders.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"
#include "margins.h"
#include "narrow/shape_pair.h"
#include "posed_mesh.h"
#include "sample_mesh.h"
#include "test_robot.h"

static const struct row {
    const char *name, *a, *b;
} rows[] = {
    {"meshes: cube, cube", "cube", "cube"},
    {"meshes: cube, fine box on a lattice", "cube", "fine"},
    {"meshes: brick, icosphere", "brick", "icosphere"},
    {"meshes: thin plates", "plate", "plate"},
    {"meshes: needles, cube", "needles", "cube"},
    {"meshes: segments and points, cube", "lattice", "cube"},
    {"meshes: heron finger, cube", "heron:l_gripper_finger_link", "cube"},
    {"meshes: heron finger, wrist", "heron:l_gripper_finger_link", "heron:wrist_flex_link"},
    {"shapes: sphere, cube", "sphere", "cube"},
    {"shapes: capsule, brick", "capsule", "brick"},
    {"shapes: capsule, needles", "capsule", "needles"},
    {"shapes: capsule, heron finger", "capsule", "heron:l_gripper_finger_link"},
    {"shapes: sphere, capsule", "sphere", "capsule"},
    {"shapes: capsule, capsule", "capsule", "capsule"},
    {"shapes: cylinder, cube", "cylinder", "cube"},
    {"shapes: sphere, cylinder", "sphere", "cylinder"},
};

const char *margin_shapes_name(size_t row) {
    return row < sizeof rows / sizeof *rows ? rows[row].name : NULL;
}

typedef struct subject {
    const char *name;
    sample_mesh mesh; ///< empty for curved shapes
    graze_mesh *graze;
    gz_shape shape;
    posed_mesh posed;
    double axis[9]; ///< curved: the snapped axis, as a triangle
    double radius;  ///< of a ball around the frame's origin
} subject;

typedef struct line {
    margin_family family;
    rational_distance *distance;
    subject a, b;
    graze_transform pose_a, pose_b;
    int axis; ///< the parameter is this coordinate of b's translation
    double start[3], slope[3];
    double margin;
} line;

// ------------------------------------------------------------------------------- what is moved

static bool load_link(const char *name, sample_mesh *mesh) {
    graze_robot *robot = test_robot_load("heron");
    graze_geometry g = test_robot_mesh(robot, strchr(name, ':') + 1);
    *mesh = sample_mesh_copy(g.vertices, g.vertex_count, g.triangles, g.triangle_count);
    graze_robot_free(robot);
    return true;
}

static bool make_mesh(const char *name, gz_random *random, sample_mesh *mesh) {
    const double cube[2][3] = {{-0.25, -0.25, -0.25}, {0.25, 0.25, 0.25}};
    const double brick[2][3] = {{-0.1, -0.23, -0.37}, {0.11, 0.3, 0.07}};
    const double plate[2][3] = {{-0.3, -0.2, 0}, {0.3, 0.2, 1e-6}};
    if (strchr(name, ':')) return load_link(name, mesh);
    if (!strcmp(name, "cube")) return *mesh = sample_box(cube[0], cube[1], 1), true;
    if (!strcmp(name, "fine")) return *mesh = sample_box(cube[0], cube[1], 3), true;
    if (!strcmp(name, "brick")) return *mesh = sample_box(brick[0], brick[1], 1), true;
    if (!strcmp(name, "plate")) return *mesh = sample_box(plate[0], plate[1], 2), true;
    if (!strcmp(name, "icosphere")) return *mesh = sample_icosphere(0.25, 1), true;
    if (!strcmp(name, "needles")) return *mesh = sample_needles(random, 20), true;
    if (!strcmp(name, "lattice")) return *mesh = sample_lattice(random, 30), true;
    return false;
}

static void make_curved(subject *s, gz_random *random) {
    bool sphere = !strcmp(s->name, "sphere"), cylinder = !strcmp(s->name, "cylinder");
    s->shape = (gz_shape){.kind = sphere     ? GRAZE_SHAPE_SPHERE
                                  : cylinder ? GRAZE_SHAPE_CYLINDER
                                             : GRAZE_SHAPE_CAPSULE};
    s->shape.radius = gz_random_range(random, 0.01, 0.3);
    for (int k = 0; k < 3; k++) {
        s->shape.a[k] = gz_random_range(random, -0.2, 0.2);
        s->shape.b[k] = sphere ? s->shape.a[k] : gz_random_range(random, -0.2, 0.2);
    }
    s->radius = s->shape.radius + 0.4;
}

static void make_subject(subject *s, const char *name, gz_random *random) {
    *s = (subject){.name = name};
    if (!make_mesh(name, random, &s->mesh)) {
        make_curved(s, random);
        return;
    }
    const sample_mesh *m = &s->mesh;
    graze_error error;
    if (graze_mesh_create(&s->graze, m->vertices, m->vertex_count, m->triangles, m->triangle_count,
                          &error))
        give_up(name, error.message);
    s->shape = (gz_shape){.kind = GRAZE_SHAPE_MESH, .mesh = s->graze};
    posed_mesh_init(&s->posed, m->vertices, m->vertex_count, m->triangles, m->triangle_count);
    for (size_t i = 0; i < m->vertex_count; i++) {
        const double *p = m->vertices + 3 * i;
        s->radius = fmax(s->radius, hypot(hypot(p[0], p[1]), p[2]));
    }
}

static void clear_subject(subject *s) {
    if (s->graze) posed_mesh_clear(&s->posed);
    graze_mesh_free(s->graze);
    sample_mesh_clear(&s->mesh);
}

static void place(subject *s, const graze_transform *pose) {
    if (s->graze) {
        posed_mesh_place(&s->posed, pose);
        return;
    }
    const double *ends[3] = {s->shape.a, s->shape.b, s->shape.b};
    for (int i = 0; i < 3; i++) {
        graze_vec3 p = graze_transform_point(pose,
                                             (graze_vec3){ends[i][0], ends[i][1], ends[i][2]});
        s->axis[3 * i] = p.x, s->axis[3 * i + 1] = p.y, s->axis[3 * i + 2] = p.z;
    }
}

static size_t triangle_count(const subject *s) {
    return s->graze ? s->posed.triangle_count : 1;
}

static void corners(const subject *s, size_t t, double out[9]) {
    if (s->graze)
        posed_mesh_corners(&s->posed, t, out);
    else
        memcpy(out, s->axis, sizeof s->axis);
}

// ------------------------------------------------------------------------------------ the oracle

static double gap_along(const double a[9], const double b[9], const double n[3]) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 9; i += 3) {
            const double *p = (side ? b : a) + i;
            double x = p[0] * n[0] + p[1] * n[1] + p[2] * n[2];
            low[side] = fmin(low[side], x);
            high[side] = fmax(high[side], x);
        }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    return length > 1e-9 ? fmax(low[0] - high[1], low[1] - high[0]) / length : -INFINITY;
}

// Whether some direction proves that two triangles are farther apart than the limit, by so much
// that rounding does not matter (coordinates below 10 m, errors below 1e-13); it saves integers.
bool margin_surely_farther(const double a[9], const double b[9], double limit) {
    double n[3], box[3];
    for (int k = 0; k < 3; k++) {
        double low_a = fmin(a[k], fmin(a[3 + k], a[6 + k])),
               high_a = fmax(a[k], fmax(a[3 + k], a[6 + k])),
               low_b = fmin(b[k], fmin(b[3 + k], b[6 + k])),
               high_b = fmax(b[k], fmax(b[3 + k], b[6 + k]));
        n[k] = a[k] + a[3 + k] + a[6 + k] - b[k] - b[3 + k] - b[6 + k];
        box[k] = low_a > high_b ? low_a - high_b : high_a < low_b ? high_a - low_b : 0;
    }
    double wanted = limit + 1e-11;
    return gap_along(a, b, n) > wanted || gap_along(a, b, box) > wanted;
}

// The lowest pair of triangles at most the sum of `terms` apart.
static bool lowest_within(const line *l, const double *terms, size_t count, int64_t pair[2]) {
    double limit = 0;
    for (size_t i = 0; i < count; i++) limit += terms[i];
    for (size_t i = 0; i < triangle_count(&l->a); i++) {
        double a[9], b[9];
        corners(&l->a, i, a);
        for (size_t j = 0; j < triangle_count(&l->b); j++) {
            corners(&l->b, j, b);
            if (margin_surely_farther(a, b, limit) ||
                !rational_distance_within(l->distance, a, b, terms, count))
                continue;
            pair[0] = (int64_t)i;
            pair[1] = (int64_t)j;
            return true;
        }
    }
    return false;
}

// Distance of a point from a cylinder, to about 1e-18.
static long double cylinder_point(const double axis[9], double radius, const long double p[3]) {
    long double w[3], d[3], length = 0, height = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        w[k] = (long double)axis[3 + k] - axis[k];
        length += w[k] * w[k];
    }
    length = sqrtl(length);
    for (int k = 0; k < 3; k++) height += (p[k] - axis[k]) * w[k] / length;
    for (int k = 0; k < 3; k++) {
        d[k] = p[k] - axis[k] - height * w[k] / length;
        square += d[k] * d[k];
    }
    long double beyond = fmaxl(0, fmaxl(-height, height - length)),
                outside = fmaxl(0, sqrtl(square) - radius);
    return sqrtl(beyond * beyond + outside * outside);
}

typedef struct cylinder_triangle {
    const double *axis, *t;
    double radius;
} cylinder_triangle;

// Least over the triangle's points with the first weight u (and v, on the inner level): distance to
// a convex set is convex, so golden sections find it.
static long double least(const cylinder_triangle *c, int level, long double u) {
    const long double golden = 0.6180339887498948482L;
    long double low = 0, high = level ? 1 - u : 1, f[2], x[2];
    x[0] = high - golden * (high - low), x[1] = low + golden * (high - low);
    for (int i = -2; i < 70; i++) {
        int which = i < 0 ? i + 2 : f[0] < f[1] ? 0 : 1;
        if (i >= 0 && which == 0) {
            high = x[1], x[1] = x[0], f[1] = f[0];
            x[0] = high - golden * (high - low);
        } else if (i >= 0) {
            low = x[0], x[0] = x[1], f[0] = f[1];
            x[1] = low + golden * (high - low);
        }
        long double p[3];
        for (int k = 0; k < 3 && level; k++)
            p[k] = (1 - u - x[which]) * c->t[k] + u * c->t[3 + k] + x[which] * c->t[6 + k];
        f[which] = level ? cylinder_point(c->axis, c->radius, p) : least(c, 1, x[which]);
    }
    return fminl(f[0], f[1]);
}

// The distance of a cylinder from the other shape, to about 1e-15.
static double cylinder_distance(const subject *cylinder, const subject *other, double limit) {
    if (!other->graze) {
        long double p[3] = {other->axis[0], other->axis[1], other->axis[2]};
        return (double)(cylinder_point(cylinder->axis, cylinder->shape.radius, p) -
                        other->shape.radius);
    }
    double most = INFINITY;
    for (size_t i = 0; i < triangle_count(other); i++) {
        double t[9];
        corners(other, i, t);
        if (margin_surely_farther(cylinder->axis, t, limit + cylinder->shape.radius + 1e-3))
            continue;
        cylinder_triangle c = {cylinder->axis, t, cylinder->shape.radius};
        most = fmin(most, (double)least(&c, 0, 0));
    }
    return most;
}

// --------------------------------------------------------------------------------------- judging

static bool query(const line *l, double margin, bool witness, gz_shape_contact *meeting,
                  graze_stats *stats) {
    gz_shape_rule rule = {.kernels = gz_kernels_choose(),
                          .policy_a = GRAZE_POLICY_SURFACE,
                          .policy_b = GRAZE_POLICY_SURFACE,
                          .margin = margin,
                          .detail = witness ? GZ_DETAIL_WITNESS : GZ_DETAIL_NONE};
    return gz_shapes_collide(&l->a.shape, l->pose_a.m, &l->b.shape, l->pose_b.m, &rule, meeting,
                             stats);
}

// The points of a witness of two triangles that are apart: no farther apart than the margin, but
// for rounding.
static bool good_points(const line *l, const int64_t pair[2], const gz_shape_contact *m) {
    double a[9], b[9], zero = 0, square = 0;
    corners(&l->a, (size_t)pair[0], a);
    corners(&l->b, (size_t)pair[1], b);
    if (!m->has_segment) return false;
    if (rational_distance_within(l->distance, a, b, &zero, 1)) return true;
    for (int k = 0; k < 3; k++)
        square += (m->segment[0][k] - m->segment[1][k]) * (m->segment[0][k] - m->segment[1][k]);
    return sqrt(square) <= l->margin + 1e-12;
}

static bool evaluate_meshes(const line *l, bool mine, const gz_shape_contact *meeting, bool *near) {
    int64_t pair[2];
    *near = lowest_within(l, &l->margin, 1, pair);
    if (mine != *near) return false;
    return !mine || (meeting->triangle_a == pair[0] && meeting->triangle_b == pair[1] &&
                     good_points(l, pair, meeting));
}

static bool evaluate_curved(const line *l, bool mine, bool *near) {
    const double epsilon = 1e-9;
    const subject *cylinder = l->a.shape.kind == GRAZE_SHAPE_CYLINDER   ? &l->a
                              : l->b.shape.kind == GRAZE_SHAPE_CYLINDER ? &l->b
                                                                        : NULL;
    if (cylinder) {
        const subject *other = cylinder == &l->a ? &l->b : &l->a;
        double d = cylinder_distance(cylinder, other, l->margin);
        *near = d <= l->margin;
        return mine ? d <= l->margin + epsilon + 1e-13 : d > l->margin - 1e-13;
    }
    double terms[4] = {l->margin, l->a.shape.radius, l->b.shape.radius, epsilon};
    int64_t pair[2];
    *near = lowest_within(l, terms, 3, pair);
    return mine ? *near || lowest_within(l, terms, 4, pair) : !*near;
}

static void report(const line *l, bool mine, bool near) {
    printf("violation: %s, %s, margin %a: graze %s, oracle %s\n", l->a.name, l->b.name, l->margin,
           mine ? "near" : "far", near ? "near" : "far");
    for (int i = 0; i < 24; i++) printf(" %a", i < 12 ? l->pose_a.m[i] : l->pose_b.m[i - 12]);
    printf("\n");
}

static bool evaluate(margin_family *family, double x, margin_tally *tally) {
    line *l = (line *)family;
    for (int k = 0; k < 3; k++)
        l->pose_b.m[4 * k + 3] = k == l->axis ? x
                                              : l->start[k] + (x - l->start[l->axis]) * l->slope[k];
    place(&l->b, &l->pose_b);
    gz_shape_contact meeting, other;
    graze_stats stats = {0};
    bool mine = query(l, l->margin, true, &meeting, &stats), near;
    bool good = l->a.graze && l->b.graze ? evaluate_meshes(l, mine, &meeting, &near)
                                         : evaluate_curved(l, mine, &near);
    good = good && query(l, l->margin, false, &other, &stats) == mine;
    double greater = l->margin * (1 + pow(2, -gz_random_range(family->random, 0, 52)));
    good = good && (!mine || query(l, greater, false, &other, &stats));
    if (!good) report(l, mine, near);
    tally->collisions += mine;
    tally->excess += mine && !near;
    tally->exact += stats.exact_tests != 0;
    tally->violations += !good;
    return near;
}

// ----------------------------------------------------------------------------------------- poses

static graze_transform rotation(gz_random *random) {
    double angles[3], none[3] = {0, 0, 0};
    if (gz_random_below(random, 3) == 0) return graze_transform_identity();
    for (int k = 0; k < 3; k++) angles[k] = gz_random_range(random, -3.15, 3.15);
    return graze_transform_from_xyz_rpy(none, angles);
}

// A point of the shape: a corner, or the middle of an edge or a face; of curved shapes an axis end.
static graze_vec3 anchor(gz_random *random, const subject *s, const graze_transform *pose) {
    if (!s->graze)
        return graze_transform_point(pose,
                                     (graze_vec3){s->shape.a[0], s->shape.a[1], s->shape.a[2]});
    size_t t = gz_random_below(random, (uint32_t)s->mesh.triangle_count);
    uint32_t count = 1 + gz_random_below(random, 3);
    double p[3] = {0, 0, 0};
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < 3; i++)
            p[i] += s->mesh.vertices[3 * (size_t)s->mesh.triangles[3 * t + k] + i] / count;
    return graze_transform_point(pose, (graze_vec3){p[0], p[1], p[2]});
}

// A line from a pose in which the shapes share a point; returns the parameter there, and in *far
// one where they are apart by more than the margin.
static double draw_line(gz_random *random, line *l, double *far) {
    l->pose_a = rotation(random);
    l->pose_b = rotation(random);
    bool lattice = gz_random_below(random, 2) == 0;
    for (int k = 0; k < 3; k++)
        l->pose_a.m[4 * k + 3] = lattice ? 0 : gz_random_range(random, -3, 3);
    graze_vec3 p = anchor(random, &l->a, &l->pose_a), q = anchor(random, &l->b, &l->pose_b);
    double d[3], near[3] = {p.x - q.x, p.y - q.y, p.z - q.z};
    margin_draw_direction(random, d);
    // Margins far beyond the size of a mesh's triangles put all pairs of these near the margin, and
    // the oracle looks at every one.
    bool many = triangle_count(&l->a) * triangle_count(&l->b) > 2000;
    l->margin = margin_draw(random) * (many ? 0.02 : 1);
    if (l->margin < 1e-9) l->margin = 1e-9;
    l->axis = fabs(d[1]) > fabs(d[0]) ? 1 : 0;
    if (fabs(d[2]) > fabs(d[l->axis])) l->axis = 2;
    for (int k = 0; k < 3; k++) {
        l->start[k] = near[k];
        l->slope[k] = d[k] / d[l->axis];
    }
    place(&l->a, &l->pose_a);
    *far = near[l->axis] + copysign(2.5 * (l->a.radius + l->b.radius + l->margin), d[l->axis]);
    return near[l->axis];
}

void margin_shapes_run(size_t row, uint64_t pairs, uint64_t seed, margin_tally *tally) {
    gz_random random = gz_random_make(seed, 2000 + row);
    line l = {.family = {evaluate, &random}, .distance = rational_distance_create()};
    make_subject(&l.a, rows[row].a, &random);
    make_subject(&l.b, rows[row].b, &random);
    // Rows whose oracle takes long: two links, and a minimisation.
    if (strstr(rows[row].name, "finger, wrist")) pairs = pairs / 20 + 1;
    if (strstr(rows[row].name, "cylinder, cube")) pairs = pairs / 50 + 1;
    while (tally->pairs < pairs) {
        double far, near = draw_line(&random, &l, &far);
        margin_bisect(&l.family, near, far, tally);
    }
    rational_distance_free(l.distance);
    clear_subject(&l.a);
    clear_subject(&l.b);
}
