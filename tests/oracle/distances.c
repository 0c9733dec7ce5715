// Distances of a robot of one link from a world of one object, or of a robot's two links that seven
// joints move, against brute force: every pair of triangles, in long double, by another method. The
// distance of two simplices is that of the affine hulls of two of their faces, where the nearest
// points lie inside these; all pairs of faces are tried. Meshes, and balls and capsules as points
// and segments with a radius; far, near and touching poses, and poses in which they overlap.
//   distances [--poses N] [--seed S]
// Each pose is asked of two workspaces with different pasts, which must give the same bytes.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"
#include "posed_mesh.h"
#include "sample_mesh.h"

typedef long double real;

// ------------------------------------------------------------------------- two simplices, by faces

/// Corners of a face of a triangle: 1 to 3 of the three.
static const struct {
    int count, corner[3];
} faces[7] = {{1, {0}}, {1, {1}}, {1, {2}}, {2, {0, 1}}, {2, {1, 2}}, {2, {2, 0}}, {3, {0, 1, 2}}};

static real dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Solves m x = y of n unknowns; false where it has no one solution.
static bool solve(int n, real m[4][5]) {
    for (int i = 0; i < n; i++) {
        int best = i;
        real largest = 0;
        for (int r = i; r < n; r++)
            if (fabsl(m[r][i]) > fabsl(m[best][i])) best = r;
        for (int r = 0; r < n; r++) largest = fmaxl(largest, fabsl(m[i][r]));
        if (!(fabsl(m[best][i]) > 1e-30L)) return false;
        for (int c = 0; c <= n; c++) {
            real t = m[i][c];
            m[i][c] = m[best][c];
            m[best][c] = t;
        }
        for (int r = 0; r < n; r++) {
            real f = r == i ? 0 : m[r][i] / m[i][i];
            for (int c = i; c <= n && f != 0; c++) m[r][c] -= f * m[i][c];
        }
    }
    for (int i = 0; i < n; i++) m[i][4] = m[i][n] / m[i][i];
    return true;
}

/// The squared distance of two faces' nearest points where both are inside; else infinity.
static real between_faces(const real a[3][3], int fa, const real b[3][3], int fb) {
    real e[4][3], base[3], m[4][5], way[3];
    int n = 0, own = faces[fa].count - 1;
    const int *ca = faces[fa].corner, *cb = faces[fb].corner;
    for (int k = 0; k < 3; k++) base[k] = a[ca[0]][k] - b[cb[0]][k];
    for (int i = 1; i < faces[fa].count; i++, n++)
        for (int k = 0; k < 3; k++) e[n][k] = a[ca[i]][k] - a[ca[0]][k];
    for (int i = 1; i < faces[fb].count; i++, n++)
        for (int k = 0; k < 3; k++) e[n][k] = b[cb[0]][k] - b[cb[i]][k];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) m[i][j] = dot(e[i], e[j]);
        m[i][n] = -dot(e[i], base);
    }
    if (!solve(n, m)) return INFINITY;
    real sum[2] = {0, 0};
    memcpy(way, base, sizeof way);
    for (int i = 0; i < n; i++) {
        if (m[i][4] < 0) return INFINITY;
        sum[i >= own] += m[i][4];
        for (int k = 0; k < 3; k++) way[k] += m[i][4] * e[i][k];
    }
    return sum[0] > 1 || sum[1] > 1 ? INFINITY : dot(way, way);
}

/// The squared distance of two triangles, or `most` where that is less.
static real between_triangles(const real a[3][3], const real b[3][3], real most) {
    real gap = 0;
    for (int k = 0; k < 3; k++) {
        real low_a = fminl(a[0][k], fminl(a[1][k], a[2][k])),
             high_a = fmaxl(a[0][k], fmaxl(a[1][k], a[2][k])),
             low_b = fminl(b[0][k], fminl(b[1][k], b[2][k])),
             high_b = fmaxl(b[0][k], fmaxl(b[1][k], b[2][k]));
        real d = fmaxl(fmaxl(low_a - high_b, low_b - high_a), 0);
        gap += d * d;
    }
    if (gap > most) return most;
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) most = fminl(most, between_faces(a, i, b, j));
    return most;
}

// -------------------------------------------------------------------------------------- subjects

/// A shape: a mesh, or with a radius a point or a segment.
typedef struct subject {
    const char *name;
    graze_shape kind;
    sample_mesh mesh; ///< of curved shapes one triangle without area: the axis
    double radius, length;
    posed_mesh posed;
} subject;

static sample_mesh make_axis(double length) {
    const double v[6] = {0, 0, -length / 2, 0, 0, length / 2};
    const uint32_t t[3] = {0, 1, 1};
    return sample_mesh_copy(v, 2, t, 1);
}

enum { SUBJECTS = 12 };

static void make_subjects(subject *s, gz_random *random) {
    const double cube[2][3] = {{-0.25, -0.25, -0.25}, {0.25, 0.25, 0.25}};
    const double brick[2][3] = {{-0.1, -0.23, -0.37}, {0.11, 0.3, 0.07}};
    const double plate[2][3] = {{-0.3, -0.2, 0}, {0.3, 0.2, 1e-6}};
    const double rod[2][3] = {{-0.5, -0.001, -0.002}, {0.5, 0.001, 0.002}};
    subject all[SUBJECTS] = {
        {.name = "cube", .mesh = sample_box(cube[0], cube[1], 1)},
        {.name = "fine", .mesh = sample_box(cube[0], cube[1], 3)},
        {.name = "brick", .mesh = sample_box(brick[0], brick[1], 1)},
        {.name = "plate", .mesh = sample_box(plate[0], plate[1], 2)},
        {.name = "rod", .mesh = sample_box(rod[0], rod[1], 4)},
        {.name = "icosphere", .mesh = sample_icosphere(0.25, 1)},
        {.name = "bowl", .mesh = sample_cut(sample_icosphere(0.4, 2), 0.05)},
        {.name = "needles", .mesh = sample_needles(random, 30)},
        {.name = "lattice", .mesh = sample_lattice(random, 60)},
        {.name = "point", .mesh = make_axis(0), .kind = GRAZE_SHAPE_SPHERE, .radius = 1e-3},
        {.name = "ball", .mesh = make_axis(0), .kind = GRAZE_SHAPE_SPHERE, .radius = 0.2},
        {.name = "capsule",
         .mesh = make_axis(0.5),
         .kind = GRAZE_SHAPE_CAPSULE,
         .radius = 0.07,
         .length = 0.5}};
    for (int i = 0; i < SUBJECTS; i++) {
        if (!all[i].kind) all[i].kind = GRAZE_SHAPE_MESH;
        s[i] = all[i];
        posed_mesh_init(&s[i].posed, s[i].mesh.vertices, s[i].mesh.vertex_count,
                        s[i].mesh.triangles, s[i].mesh.triangle_count);
    }
}

/// Corners of a subject's triangle as snapped.
static void corners_of(const subject *s, size_t triangle, real out[3][3]) {
    double c[9];
    posed_mesh_corners(&s->posed, triangle, c);
    for (int i = 0; i < 9; i++) out[i / 3][i % 3] = (real)c[i];
}

static real brute_force(const subject *a, const subject *b) {
    real best = INFINITY;
    for (size_t i = 0; i < a->posed.triangle_count; i++) {
        real x[3][3], y[3][3];
        corners_of(a, i, x);
        for (size_t j = 0; j < b->posed.triangle_count; j++) {
            corners_of(b, j, y);
            best = between_triangles((const real(*)[3])x, (const real(*)[3])y, best);
        }
    }
    return sqrtl(best) - (real)a->radius - (real)b->radius;
}

/// How far a point is from a triangle's surface, or from the surface of what has the radius.
static real off_surface(const subject *s, int64_t triangle, graze_vec3 point) {
    real t[3][3], p[3][3];
    corners_of(s, triangle >= 0 ? (size_t)triangle : 0, t);
    for (int i = 0; i < 3; i++) {
        p[i][0] = (real)point.x;
        p[i][1] = (real)point.y;
        p[i][2] = (real)point.z;
    }
    real d = sqrtl(between_triangles((const real(*)[3])t, (const real(*)[3])p, INFINITY));
    return fabsl(d - (real)s->radius);
}

// ------------------------------------------------------------------------------------ both sides

typedef struct scene {
    bool linked; ///< b is a link, too
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_distance_workspace *one, *other;
    subject *a, *b;
} scene;

static void check_status(graze_status status, const char *what) {
    if (status) give_up(what, "failed");
}

static graze_geometry geometry_of(const subject *s) {
    graze_geometry g = {0};
    g.shape = s->kind;
    g.radius = s->radius;
    g.length = s->length;
    if (s->kind == GRAZE_SHAPE_MESH) {
        g.vertices = s->mesh.vertices;
        g.vertex_count = s->mesh.vertex_count;
        g.triangles = s->mesh.triangles;
        g.triangle_count = s->mesh.triangle_count;
    }
    return g;
}

static void add_object(graze_world *w, const subject *s, const graze_transform *pose) {
    graze_status status;
    if (s->kind == GRAZE_SHAPE_SPHERE && s->length == 0 && s->radius < 0.01) {
        const double origin[3] = {0, 0, 0};
        status = graze_world_add_points(w, "o", origin, 1, s->radius, pose, NULL);
    } else if (s->kind == GRAZE_SHAPE_SPHERE) {
        status = graze_world_add_sphere(w, "o", s->radius, pose, NULL);
    } else if (s->kind == GRAZE_SHAPE_CAPSULE) {
        status = graze_world_add_capsule(w, "o", s->radius, s->length, pose, NULL);
    } else {
        status = graze_world_add_mesh(w, "o", s->mesh.vertices, s->mesh.vertex_count,
                                      s->mesh.triangles, s->mesh.triangle_count, pose, NULL);
    }
    check_status(status, "object");
}

enum { COLUMNS = 7 };

/// Hangs a link on a joint along or about an axis.
static void add_joint(graze_robot_builder *builder, const char *name, const char *parent,
                      const char *child, graze_joint_type type, int axis,
                      const graze_transform *origin) {
    graze_joint_input j = graze_joint_input_default();
    j.name = name;
    j.parent = parent;
    j.child = child;
    j.type = type;
    j.axis = (graze_vec3){axis == 0, axis == 1, axis == 2};
    j.lower = -20;
    j.upper = 20;
    if (origin) j.origin = *origin;
    check_status(graze_robot_builder_joint(builder, &j, NULL), "joint");
}

/// Adds b as a link at its place, and the six joints that move a.
static void add_joints(graze_robot_builder *builder, const subject *b,
                       const graze_transform *place) {
    const graze_geometry g = geometry_of(b);
    const char *names[] = {"root", "x", "y", "z", "yaw", "pitch", "l"};
    check_status(graze_robot_builder_link(builder, "o", NULL), "link");
    check_status(graze_robot_builder_collision(builder, "o", NULL, &g, NULL), "collision");
    for (int i = 0; i < 6; i++)
        check_status(graze_robot_builder_link(builder, names[i], NULL), "link");
    for (int i = 0; i < 6; i++)
        add_joint(builder, names[i], names[i], names[i + 1],
                  i < 3 ? GRAZE_JOINT_PRISMATIC : GRAZE_JOINT_REVOLUTE, i < 3 ? i : 5 - i, NULL);
    add_joint(builder, "o", "root", "o", GRAZE_JOINT_PRISMATIC, 0, place);
    // Links with nothing between them count as neighbours.
    check_status(graze_robot_builder_enable_pair(builder, "l", "o", NULL), "pair");
}

static void open_scene(scene *s, subject *a, subject *b, const graze_transform *place,
                       bool linked) {
    graze_robot_builder *builder;
    const graze_geometry g = geometry_of(a);
    *s = (scene){.a = a, .b = b, .linked = linked};
    check_status(graze_robot_builder_create(&builder, "r", NULL), "builder");
    check_status(graze_robot_builder_link(builder, "l", NULL), "link");
    check_status(graze_robot_builder_collision(builder, "l", NULL, &g, NULL), "collision");
    if (linked) add_joints(builder, b, place);
    check_status(graze_robot_builder_finish(builder, &s->robot, NULL), "robot");
    graze_robot_builder_free(builder);
    check_status(graze_world_create(&s->world, "w", NULL), "world");
    if (!linked) add_object(s->world, b, place);
    check_status(graze_world_commit(s->world, NULL), "world");
    check_status(graze_checker_create(&s->checker, s->robot, s->world, NULL, NULL), "checker");
    check_status(graze_distance_workspace_create(&s->one, s->checker, NULL), "workspace");
    check_status(graze_distance_workspace_create(&s->other, s->checker, NULL), "workspace");
    posed_mesh_place(&b->posed, place);
}

static void close_scene(scene *s) {
    graze_distance_workspace_free(s->one);
    graze_distance_workspace_free(s->other);
    graze_checker_free(s->checker);
    graze_world_free(s->world);
    graze_robot_free(s->robot);
}

static void measure(const scene *s, graze_distance_workspace *w, const double base[6],
                    graze_distance_answer answer, graze_distance_report *r) {
    graze_distance_options options = graze_distance_options_default();
    graze_error error;
    options.answer = answer;
    const double q[COLUMNS] = {base[0], base[1], base[2], base[3], base[4], base[5], 0};
    if (graze_distance(s->checker, w, s->linked ? q : NULL, s->linked ? COLUMNS : 0,
                       s->linked ? NULL : base, &options, r, &error))
        give_up("distance", error.message);
    if (r->count != 1) give_up("distance", "no pair");
}

static graze_proximity query(const scene *s, graze_distance_workspace *w, const double base[6],
                             graze_distance_answer answer) {
    graze_proximity p = {0};
    graze_distance_report r = {.pairs = &p, .capacity = 1};
    measure(s, w, base, answer, &r);
    if (r.least.lower != p.distance.lower || r.least.upper != p.distance.upper)
        give_up("distance", "no pair");
    return p;
}

// ------------------------------------------------------------------------------------ judgement

typedef struct tally {
    uint64_t poses, near, overlaps, contained, violations;
    double widest;
} tally;

static void complain(const scene *s, tally *t, const char *what, const double base[6],
                     const graze_proximity *p, real truth) {
    if (t->violations++ > 20) return;
    printf("violation: %s, %s and %s: [%.17g, %.17g] against %.20Lg at", what, s->a->name,
           s->b->name, p->distance.lower, p->distance.upper, truth);
    for (int i = 0; i < 6; i++) printf(" %a", base[i]);
    printf("\n");
}

static bool witnesses_hold(const scene *s, const graze_proximity *p) {
    const double d[3] = {p->point[1].x - p->point[0].x, p->point[1].y - p->point[0].y,
                         p->point[1].z - p->point[0].z};
    const double *n = &p->normal.x;
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    double unit = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double along = d[0] * n[0] + d[1] * n[1] + d[2] * n[2];
    return fabs(length - p->distance.upper) < 1e-12 && fabs(unit - 1) < 1e-12 &&
           fabs(along - length) < 1e-12 + 1e-9 * length &&
           off_surface(s->a, p->triangle, p->point[0]) < 1e-13L &&
           off_surface(s->b, p->other_triangle, p->point[1]) < 1e-13L;
}

static void evaluate(const scene *s, const double base[6], graze_proximity *p, tally *t) {
    const double q[COLUMNS] = {base[0], base[1], base[2], base[3], base[4], base[5], 0};
    graze_transform poses[8];
    check_status(graze_robot_pose(s->robot, s->linked ? q : NULL, s->linked ? COLUMNS : 0,
                                  s->linked ? NULL : base, poses, NULL),
                 "pose");
    posed_mesh_place(&s->a->posed, &poses[0]);
    if (s->linked) posed_mesh_place(&s->b->posed, &poses[1]);
    real truth = fmaxl(brute_force(s->a, s->b), 0);
    *p = query(s, s->one, base, GRAZE_DISTANCE_LEAST);
    graze_proximity again = query(s, s->other, base, GRAZE_DISTANCE_LEAST);
    graze_proximity bound = query(s, s->one, base, GRAZE_DISTANCE_BOUND),
                    alone = query(s, s->one, base, GRAZE_DISTANCE_NEAREST);
    t->poses++;
    t->overlaps += p->overlap;
    if (memcmp(p, &again, sizeof again) != 0) complain(s, t, "two pasts", base, p, truth);
    if (!p->overlap && memcmp(&p->distance, &alone.distance, sizeof alone.distance) != 0)
        complain(s, t, "one of several", base, &alone, truth);
    // What lies inside of the other, surfaces apart, overlaps; other oracles test what is inside.
    if (p->overlap && truth > 1e-9L && alone.contained) {
        t->contained++;
        return;
    }
    bool curved = s->a->radius > 0 || s->b->radius > 0;
    // Where faces meet at a small angle, this method loses digits; that they meet is judged exactly
    // by other oracles.
    const real rounding = p->overlap ? 1e-12L : 1e-17L;
    if (p->overlap && truth > (curved ? 1e-9L : rounding))
        complain(s, t, "overlap", base, p, truth);
    if ((real)p->distance.lower > truth + rounding || (real)p->distance.upper < truth - rounding)
        complain(s, t, "bounds", base, p, truth);
    for (int bare = 0; bare < 2; bare++) {
        if ((real)bound.distance.lower > truth + rounding ||
            (real)bound.distance.upper < truth - rounding ||
            (!p->overlap && bound.distance.lower < 0.9 * bound.distance.upper - 1e-9))
            complain(s, t, bare ? "rough bounds alone" : "rough bounds", base, &bound, truth);
        graze_distance_report report = {.pairs = NULL};
        measure(s, s->other, base, GRAZE_DISTANCE_BOUND, &report);
        bound.distance = report.least;
    }
    if (p->overlap) return;
    double width = p->distance.upper - p->distance.lower;
    if (width > 1e-9) complain(s, t, "width", base, p, truth);
    t->widest = fmax(t->widest, width);
    if (p->distance.upper > 1e-6 && !witnesses_hold(s, p))
        complain(s, t, "witnesses", base, p, truth);
}

static double draw(gz_random *r, double most) {
    return most * (2 * gz_random_unit(r) - 1);
}

/// A pose, and some from which the gap of that one is left to a little, to nothing, or to less.
static void evaluate_poses(const scene *s, gz_random *random, tally *t) {
    double base[6];
    graze_proximity p;
    for (int i = 0; i < 3; i++) base[i] = draw(random, 1.5);
    for (int i = 3; i < 6; i++)
        base[i] = gz_random_below(random, 8) ? draw(random, 3) : 1.5707963267948966;
    evaluate(s, base, &p, t);
    for (int i = 0; i < 3 && !p.overlap; i++) {
        double left = i < 2 ? pow(10, -9 * gz_random_unit(random)) * 0.1 : 0;
        double step = p.distance.upper - left;
        base[0] += step * p.normal.x;
        base[1] += step * p.normal.y;
        base[2] += step * p.normal.z;
        t->near++;
        evaluate(s, base, &p, t);
    }
}

int main(int argc, char **argv) {
    uint64_t poses = 2000, seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--poses")) poses = strtoull(argv[i + 1], NULL, 10);
        if (!strcmp(argv[i], "--seed")) seed = strtoull(argv[i + 1], NULL, 10);
    }
    gz_random random = gz_random_make(seed, 0);
    subject a[SUBJECTS], b[SUBJECTS];
    make_subjects(a, &random);
    make_subjects(b, &random);
    tally t = {0};
    while (t.poses < poses) {
        graze_transform place = {{1, 0, 0, draw(&random, 0.3), 0, 1, 0, draw(&random, 0.3), 0, 0, 1,
                                  draw(&random, 0.3)}};
        scene s;
        open_scene(&s, &a[gz_random_below(&random, SUBJECTS)],
                   &b[gz_random_below(&random, SUBJECTS)], &place,
                   gz_random_below(&random, 2) == 1);
        for (int i = 0; i < 20; i++) evaluate_poses(&s, &random, &t);
        close_scene(&s);
    }
    printf("distances: %llu poses, %llu near, %llu overlaps (%llu contained), widest %.3g m, %llu "
           "violations\n",
           (unsigned long long)t.poses, (unsigned long long)t.near, (unsigned long long)t.overlaps,
           (unsigned long long)t.contained, t.widest, (unsigned long long)t.violations);
    for (int i = 0; i < SUBJECTS; i++) {
        posed_mesh_clear(&a[i].posed);
        posed_mesh_clear(&b[i].posed);
        sample_mesh_clear(&a[i].mesh);
        sample_mesh_clear(&b[i].mesh);
    }
    return t.violations != 0;
}
