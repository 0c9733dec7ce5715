// Bounds of the depth of meshes that overlap, against a brute-force search: the way out along many
// directions, each halved until it is known, by the exact test of meshes. The lower bound is below
// each of these; at the end of the escape that is reported the two are apart, by every pair of
// triangles in rational arithmetic.
//   distance_depths [--poses N] [--directions N] [--seed S]
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"
#include "posed_mesh.h"
#include "sample_mesh.h"

enum { SUBJECTS = 6 };

typedef struct subject {
    sample_mesh mesh;
    graze_mesh *graze;
    posed_mesh posed;
} subject;

static void check_status(graze_status status, const char *what) {
    if (status) give_up(what, "failed");
}

static void make_subjects(subject *s) {
    const double cube[2][3] = {{-0.25, -0.25, -0.25}, {0.25, 0.25, 0.25}};
    const double brick[2][3] = {{-0.1, -0.23, -0.37}, {0.11, 0.3, 0.07}};
    const double rod[2][3] = {{-0.5, -0.01, -0.02}, {0.5, 0.01, 0.02}};
    const double plate[2][3] = {{-0.3, -0.2, 0}, {0.3, 0.2, 0.004}};
    const sample_mesh meshes[SUBJECTS] = {
        sample_box(cube[0], cube[1], 1),   sample_box(cube[0], cube[1], 3),
        sample_box(brick[0], brick[1], 1), sample_box(rod[0], rod[1], 4),
        sample_box(plate[0], plate[1], 2), sample_icosphere(0.25, 1)};
    for (int i = 0; i < SUBJECTS; i++) {
        s[i].mesh = meshes[i];
        check_status(graze_mesh_create(&s[i].graze, meshes[i].vertices, meshes[i].vertex_count,
                                       meshes[i].triangles, meshes[i].triangle_count, NULL),
                     "mesh");
        posed_mesh_init(&s[i].posed, meshes[i].vertices, meshes[i].vertex_count,
                        meshes[i].triangles, meshes[i].triangle_count);
    }
}

static graze_checker *make_checker(const subject *a, const subject *b, const graze_transform *place,
                                   graze_robot **robot, graze_world **world) {
    graze_robot_builder *builder;
    graze_geometry g = {0};
    graze_checker *checker;
    g.shape = GRAZE_SHAPE_MESH;
    g.vertices = a->mesh.vertices;
    g.vertex_count = a->mesh.vertex_count;
    g.triangles = a->mesh.triangles;
    g.triangle_count = a->mesh.triangle_count;
    check_status(graze_robot_builder_create(&builder, "r", NULL), "builder");
    check_status(graze_robot_builder_link(builder, "l", NULL), "link");
    check_status(graze_robot_builder_collision(builder, "l", NULL, &g, NULL), "collision");
    check_status(graze_robot_builder_finish(builder, robot, NULL), "robot");
    graze_robot_builder_free(builder);
    check_status(graze_world_create(world, "w", NULL), "world");
    check_status(graze_world_add_mesh(*world, "o", b->mesh.vertices, b->mesh.vertex_count,
                                      b->mesh.triangles, b->mesh.triangle_count, place, NULL),
                 "object");
    check_status(graze_world_commit(*world, NULL), "world");
    check_status(graze_checker_create(&checker, *robot, *world, NULL, NULL), "checker");
    return checker;
}

static bool overlaps(const subject *a, const graze_transform *pose_a, const subject *b,
                     const graze_transform *place, const double shift[3]) {
    graze_transform moved = *place;
    graze_mesh_overlap found;
    for (int k = 0; k < 3; k++) moved.m[4 * k + 3] += shift[k];
    check_status(
        graze_meshes_overlap(a->graze, pose_a, b->graze, &moved, GRAZE_POLICY_SOLID, &found, NULL),
        "overlap");
    return found.overlap;
}

/// The shortest way out that a search over directions finds.
static double search(const subject *a, const graze_transform *pose_a, const subject *b,
                     const graze_transform *place, int directions) {
    double best = 4;
    for (int i = 0; i < directions; i++) {
        double z = 1 - (2 * i + 1.0) / directions, ring = sqrt(1 - z * z), turn = 2.399963 * i;
        const double d[3] = {ring * cos(turn), ring * sin(turn), z};
        double low = 0, high = best;
        for (int step = 0; step < 14; step++) {
            double t = step ? 0.5 * (low + high) : high;
            const double shift[3] = {t * d[0], t * d[1], t * d[2]};
            bool hit = overlaps(a, pose_a, b, place, shift);
            if (hit && !step) break;
            if (hit)
                low = t;
            else
                best = high = t;
        }
    }
    return best;
}

typedef struct tally {
    uint64_t poses, violations, zero;
    double ratios[100000], searched[100000];
} tally;

static void test_pose(subject *a, subject *b, rational_clip *clip, gz_random *random,
                      int directions, tally *t) {
    graze_transform place = {{1, 0, 0, 0.1, 0, 1, 0, -0.05, 0, 0, 1, 0.02}}, pose;
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker = make_checker(a, b, &place, &robot, &world);
    graze_distance_workspace *workspace;
    check_status(graze_distance_workspace_create(&workspace, checker, NULL), "workspace");
    graze_distance_options options = graze_distance_options_default();
    options.depth = 1;
    for (int i = 0; i < 10; i++) {
        double base[6];
        graze_proximity p = {0};
        graze_distance_report r = {.pairs = &p, .capacity = 1};
        for (int k = 0; k < 6; k++) base[k] = gz_random_range(random, -1, 1) * (k < 3 ? 0.4 : 3);
        check_status(graze_distance(checker, workspace, NULL, 0, base, &options, &r, NULL),
                     "distance");
        if (!p.overlap) continue;
        check_status(graze_robot_pose(robot, NULL, 0, base, &pose, NULL), "pose");
        double found = search(a, &pose, b, &place, directions);
        graze_transform moved = place;
        moved.m[3] += p.escape.x;
        moved.m[7] += p.escape.y;
        moved.m[11] += p.escape.z;
        const double none[3] = {0, 0, 0};
        int64_t pair[2];
        posed_mesh_place(&a->posed, &pose);
        posed_mesh_place(&b->posed, &moved);
        double length = sqrt(p.escape.x * p.escape.x + p.escape.y * p.escape.y +
                             p.escape.z * p.escape.z);
        bool hit = posed_meshes_overlap(clip, &a->posed, &b->posed, pair) ||
                   overlaps(a, &pose, b, &moved, none);
        bool holds = p.depth.lower <= found && p.depth.lower <= p.depth.upper && !hit &&
                     length <= p.depth.upper && length > p.depth.upper - 1e-12;
        if (!holds && t->violations++ < 10)
            printf("violation: [%.17g, %.17g], search %.17g, the end %s\n", p.depth.lower,
                   p.depth.upper, found, hit ? "overlaps" : "free");
        if (t->poses == 100000) break;
        t->zero += !(p.depth.lower > 0);
        t->ratios[t->poses] = p.depth.lower > 0 ? p.depth.upper / p.depth.lower : INFINITY;
        t->searched[t->poses++] = p.depth.upper / found;
    }
    graze_distance_workspace_free(workspace);
    graze_checker_free(checker);
    graze_world_free(world);
    graze_robot_free(robot);
}

static int compare(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

int main(int argc, char **argv) {
    uint64_t poses = 200, seed = 1;
    int directions = 100;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--poses")) poses = strtoull(argv[i + 1], NULL, 10);
        if (!strcmp(argv[i], "--directions")) directions = atoi(argv[i + 1]);
        if (!strcmp(argv[i], "--seed")) seed = strtoull(argv[i + 1], NULL, 10);
    }
    gz_random random = gz_random_make(seed, 0);
    rational_clip *clip = rational_clip_create();
    static subject a[SUBJECTS], b[SUBJECTS];
    static tally t;
    make_subjects(a);
    make_subjects(b);
    while (t.poses < poses && t.poses < 100000)
        test_pose(&a[gz_random_below(&random, SUBJECTS)], &b[gz_random_below(&random, SUBJECTS)],
                  clip, &random, directions, &t);
    qsort(t.ratios, t.poses, sizeof *t.ratios, compare);
    qsort(t.searched, t.poses, sizeof *t.searched, compare);
    printf("depths: %llu overlaps, median upper/lower %.3g (lower 0: %llu), upper/search median "
           "%.4g, most %.3g, %llu violations\n",
           (unsigned long long)t.poses, t.ratios[t.poses / 2], (unsigned long long)t.zero,
           t.searched[t.poses / 2], t.searched[t.poses - 1], (unsigned long long)t.violations);
    for (int i = 0; i < SUBJECTS; i++) {
        subject *both[2] = {&a[i], &b[i]};
        for (int k = 0; k < 2; k++) {
            posed_mesh_clear(&both[k]->posed);
            sample_mesh_clear(&both[k]->mesh);
            graze_mesh_free(both[k]->graze);
        }
    }
    rational_clip_free(clip);
    return t.violations != 0;
}
