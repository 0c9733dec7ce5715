// graze's first contact against a search without trees: every pair of triangles of every checked
// pair of links, on the shipped robot.
//
// Shared with the library are the snapped vertices (graze_transform_point(), part of what a verdict
// means) and graze_triangles_overlap(), which triangle_pairs compares with rational arithmetic.
// Pairs of triangles whose boxes are apart are left out; nothing else is.
//
// usage: brute_force [--rows N] [--seed N]

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"

static _Noreturn void give_up(const char *what, const graze_error *error) {
    fprintf(stderr, "brute_force: %s: %s\n", what, error ? error->message : "failed");
    exit(3);
}

static void *allocate(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p) give_up("memory", NULL);
    return p;
}

/// A collision element: its triangles, posed and snapped.
typedef struct element {
    graze_geometry geometry;
    double *corners; ///< 9 per triangle
    double *bounds;  ///< low 3, high 3 per triangle
    double box[6];   ///< of all
} element;

typedef struct oracle {
    graze_robot *robot;
    graze_checker *checker;
    graze_workspace *workspace;
    graze_transform *links;
    element *elements;
    size_t element_count;
    uint32_t *near_a, *near_b; ///< triangles near the other element
} oracle;

typedef struct found {
    int32_t link, element, other, other_element;
    int64_t triangle, other_triangle;
} found;

static void grow(double box[6], const double p[3]) {
    for (int k = 0; k < 3; k++) {
        box[k] = fmin(box[k], p[k]);
        box[3 + k] = fmax(box[3 + k], p[k]);
    }
}

static bool apart(const double a[6], const double b[6]) {
    for (int k = 0; k < 3; k++)
        if (a[k] > b[3 + k] || b[k] > a[3 + k]) return true;
    return false;
}

static const double nowhere[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};

static void snap(element *e, const graze_transform *pose) {
    const graze_geometry *g = &e->geometry;
    memcpy(e->box, nowhere, sizeof e->box);
    for (size_t t = 0; t < g->triangle_count; t++) {
        double *bounds = e->bounds + 6 * t;
        memcpy(bounds, nowhere, sizeof nowhere);
        for (size_t k = 0; k < 3; k++) {
            const double *v = g->vertices + 3 * (size_t)g->triangles[3 * t + k];
            graze_vec3 p = graze_transform_point(pose, (graze_vec3){v[0], v[1], v[2]});
            double *corner = e->corners + 9 * t + 3 * k;
            corner[0] = p.x;
            corner[1] = p.y;
            corner[2] = p.z;
            grow(bounds, corner);
        }
        grow(e->box, bounds);
        grow(e->box, bounds + 3);
    }
}

static size_t near_triangles(const element *e, const double box[6], uint32_t *out) {
    size_t count = 0;
    for (size_t t = 0; t < e->geometry.triangle_count; t++)
        if (!apart(e->bounds + 6 * t, box)) out[count++] = (uint32_t)t;
    return count;
}

/// The lexicographically lowest pair of triangles that overlap.
static bool elements_overlap(oracle *o, const element *a, const element *b, found *out) {
    size_t na = near_triangles(a, b->box, o->near_a), nb = near_triangles(b, a->box, o->near_b);
    for (size_t i = 0; i < na; i++)
        for (size_t j = 0; j < nb; j++) {
            size_t s = o->near_a[i], t = o->near_b[j];
            if (apart(a->bounds + 6 * s, b->bounds + 6 * t)) continue;
            if (!graze_triangles_overlap(a->corners + 9 * s, b->corners + 9 * t)) continue;
            *out = (found){a->geometry.owner,   a->geometry.element, b->geometry.owner,
                           b->geometry.element, (int64_t)s,          (int64_t)t};
            return true;
        }
    return false;
}

/// The lowest pair of links in check order, its lowest elements and their lowest triangles.
static bool search(oracle *o, found *out) {
    for (size_t i = 0; i < o->element_count; i++)
        snap(&o->elements[i], &o->links[o->elements[i].geometry.frame]);
    for (size_t p = 0; p < graze_robot_pair_count(o->robot); p++) {
        graze_pair pair;
        if (graze_robot_pair(o->robot, p, &pair)) give_up("pair", NULL);
        if (pair.state != GRAZE_PAIR_CHECKED) continue;
        for (size_t i = 0; i < o->element_count; i++)
            for (size_t j = 0; j < o->element_count; j++)
                if (o->elements[i].geometry.owner == pair.a &&
                    o->elements[j].geometry.owner == pair.b &&
                    elements_overlap(o, &o->elements[i], &o->elements[j], out))
                    return true;
    }
    return false;
}

static void load(oracle *o) {
    graze_error error;
    graze_load_options load_options = graze_load_options_default();
    load_options.srdf = GRAZE_SOURCE_DIR "/urdf/heron.srdf";
    if (graze_robot_load_urdf(&o->robot, GRAZE_SOURCE_DIR "/urdf/heron.urdf", &load_options,
                              &error))
        give_up("robot", &error);
    graze_checker_options options = graze_checker_options_default();
    options.policy = GRAZE_POLICY_SURFACE;
    if (graze_checker_create(&o->checker, o->robot, NULL, &options, &error) ||
        graze_workspace_create(&o->workspace, o->checker, &error))
        give_up("checker", &error);
    o->links = allocate(graze_robot_link_count(o->robot), sizeof *o->links);
    o->element_count = graze_robot_collision_count(o->robot);
    o->elements = allocate(o->element_count, sizeof *o->elements);
    size_t most = 0;
    for (size_t i = 0; i < o->element_count; i++) {
        element *e = &o->elements[i];
        if (graze_robot_collision(o->robot, i, &e->geometry)) give_up("geometry", NULL);
        size_t count = e->geometry.triangle_count;
        e->corners = allocate(9 * count, sizeof(double));
        e->bounds = allocate(6 * count, sizeof(double));
        if (count > most) most = count;
    }
    o->near_a = allocate(most, sizeof *o->near_a);
    o->near_b = allocate(most, sizeof *o->near_b);
}

static void unload(oracle *o) {
    for (size_t i = 0; i < o->element_count; i++) {
        free(o->elements[i].corners);
        free(o->elements[i].bounds);
    }
    free(o->elements);
    free(o->links);
    free(o->near_a);
    free(o->near_b);
    graze_workspace_free(o->workspace);
    graze_checker_free(o->checker);
    graze_robot_free(o->robot);
}

static double between(uint64_t *state, double low, double high) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return low + (double)(z >> 11) * 0x1p-53 * (high - low);
}

static void draw(const graze_robot *robot, uint64_t *state, double *q) {
    for (size_t i = 0; i < graze_robot_q_size(robot); i++) {
        graze_joint_info joint;
        if (graze_robot_joint(robot, graze_robot_q_joint(robot, i), &joint)) give_up("joint", NULL);
        q[i] = joint.limited ? between(state, joint.lower, joint.upper) : between(state, -3.2, 3.2);
    }
}

/// Compares one configuration; returns 1 for a collision, 0 for none, -1 when they differ.
static int compare(oracle *o, const double *q) {
    graze_error error;
    size_t width = graze_robot_q_size(o->robot);
    if (graze_robot_pose(o->robot, q, width, NULL, o->links, &error)) give_up("pose", &error);
    found f = {0};
    bool hit = search(o, &f);
    graze_contact c = {0};
    graze_report report = {.contacts = &c, .capacity = 1};
    if (graze_check(o->checker, o->workspace, GRAZE_ANSWER_FIRST, q, width, NULL, &report, &error))
        give_up("check", &error);
    bool same = hit == (report.verdict == GRAZE_COLLISION) &&
                (!hit || (c.link == f.link && c.element == f.element && c.other == f.other &&
                          c.other_element == f.other_element && c.triangle == f.triangle &&
                          c.other_triangle == f.other_triangle));
    if (same) return hit;
    printf("differ: search %s links %d %d triangles %lld %lld; graze %s links %d %d triangles "
           "%lld %lld; q =",
           hit ? "hit" : "free", f.link, f.other, (long long)f.triangle,
           (long long)f.other_triangle, report.verdict == GRAZE_COLLISION ? "hit" : "free", c.link,
           c.other, (long long)c.triangle, (long long)c.other_triangle);
    for (size_t i = 0; i < width; i++) printf(" %.17g", q[i]);
    printf("\n");
    return -1;
}

int main(int argc, char **argv) {
    size_t rows = 100;
    uint64_t seed = 7;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && !strcmp(argv[i], "--rows")) {
            rows = strtoul(argv[i + 1], NULL, 10);
        } else if (i + 1 < argc && !strcmp(argv[i], "--seed")) {
            seed = strtoull(argv[i + 1], NULL, 10);
        } else {
            fprintf(stderr, "usage: brute_force [--rows N] [--seed N]\n");
            return 2;
        }
    }
    oracle o = {0};
    load(&o);
    double *q = allocate(graze_robot_q_size(o.robot), sizeof *q);
    // Until there are enough of both kinds: most configurations are free.
    size_t count[2] = {0, 0}, wrong = 0;
    for (size_t i = 0; i < 50 * rows && (count[0] < rows || count[1] < rows); i++) {
        draw(o.robot, &seed, q);
        int verdict = compare(&o, q);
        if (verdict < 0)
            wrong++;
        else
            count[verdict]++;
    }
    printf("%zu free, %zu in collision, %zu wrong\n", count[0], count[1], wrong);
    bool good = wrong == 0 && count[0] >= rows && count[1] >= rows;
    free(q);
    unload(&o);
    return good ? 0 : 1;
}
