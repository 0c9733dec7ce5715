// The work whose instructions tests/instruction_count.py counts under callgrind: the same
// configurations each time, of robots in no world, at a shelf and in a clutter of triangles, in
// batches, one by one, and from poses of the links. Only the checks are counted; loading and
// building are not.
//
//   instruction_driver SHARE [DATA]
//
// SHARE holds the shipped robot (urdf/, meshes/, worlds/), DATA real ones (see tests/README.md).
// For each piece of work it prints a line NAME CONFIGURATIONS COLLISIONS, and lets callgrind write
// what the work cost under that name. The first line says what the lanes of this build are.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif

#include "graze/graze.h"

#ifdef CALLGRIND_START_INSTRUMENTATION

enum { CONFIGURATIONS = 1000, JOINTS = 8, SEGMENTS = 12, RINGS = 6 };

/// Both robots have these: torso and arm.
static const char *const joints[JOINTS] = {
    "torso_lift_joint", "shoulder_pan_joint", "shoulder_lift_joint", "upperarm_roll_joint",
    "elbow_flex_joint", "forearm_roll_joint", "wrist_flex_joint",    "wrist_roll_joint",
};

static void require(graze_status status, const graze_error *error, const char *what) {
    if (status == GRAZE_OK) return;
    fprintf(stderr, "instruction_driver: %s: %s\n", what, error->message);
    exit(3);
}

static void *allocate(size_t count, size_t size) {
    void *out = calloc(count, size);
    if (out == NULL) {
        fputs("instruction_driver: out of memory\n", stderr);
        exit(4);
    }
    return out;
}

/// splitmix64, uniform in [0, 1).
static double draw(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/// Rows of q: the joints above uniform within their limits, the others at rest.
static double *draw_configurations(const graze_robot *robot) {
    size_t width = graze_robot_q_size(robot);
    double *q = allocate(CONFIGURATIONS * width, sizeof *q);
    uint64_t state = 1;
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        graze_robot_rest(robot, q + i * width);
        for (size_t j = 0; j < JOINTS; j++) {
            int32_t column = graze_robot_find_q(robot, joints[j]);
            graze_joint_info joint;
            if (column < 0 || graze_robot_joint(robot, graze_robot_q_joint(robot, (size_t)column),
                                                &joint) != GRAZE_OK) {
                fprintf(stderr, "instruction_driver: no joint %s\n", joints[j]);
                exit(3);
            }
            double low = joint.limited ? joint.lower : -3.14,
                   high = joint.limited ? joint.upper : 3.14;
            q[i * width + (size_t)column] = low + draw(&state) * (high - low);
        }
    }
    return q;
}

// ------------------------------------------------------------------------------------ the work

static size_t check_batch(const graze_checker *checker, const double *q, uint8_t *verdicts) {
    graze_error error;
    graze_batch batch = graze_batch_default();
    batch.count = CONFIGURATIONS;
    batch.q = q;
    batch.verdicts = verdicts;
    require(graze_check_batch(checker, &batch, &error), &error, "batch");
    size_t hits = 0;
    for (size_t i = 0; i < CONFIGURATIONS; i++) hits += verdicts[i] == GRAZE_COLLISION;
    return hits;
}

static size_t check_each(const graze_checker *checker, graze_workspace *workspace, const double *q,
                         size_t count) {
    size_t width = graze_robot_q_size(graze_checker_robot(checker)), hits = 0;
    graze_error error;
    for (size_t i = 0; i < count; i++) {
        graze_contact contact;
        graze_report report = {.contacts = &contact, .capacity = 1};
        require(graze_check(checker, workspace, GRAZE_ANSWER_PAIR, q + i * width, width, NULL,
                            &report, &error),
                &error, "check");
        hits += report.verdict == GRAZE_COLLISION;
    }
    return hits;
}

/// The same from poses of the links, as a program with kinematics of its own gives them.
static size_t check_posed(const graze_checker *checker, graze_workspace *workspace,
                          const graze_transform *links, size_t link_count) {
    size_t hits = 0;
    graze_error error;
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        graze_contact contact;
        graze_report report = {.contacts = &contact, .capacity = 1};
        require(graze_check_posed(checker, workspace, GRAZE_ANSWER_PAIR, links + i * link_count,
                                  link_count, &report, &error),
                &error, "check");
        hits += report.verdict == GRAZE_COLLISION;
    }
    return hits;
}

static graze_transform *pose_links(const graze_robot *robot, const double *q) {
    size_t width = graze_robot_q_size(robot), link_count = graze_robot_link_count(robot);
    graze_transform *links = allocate(CONFIGURATIONS * link_count, sizeof *links);
    graze_error error;
    for (size_t i = 0; i < CONFIGURATIONS; i++)
        require(graze_robot_pose(robot, q + i * width, width, NULL, links + i * link_count, &error),
                &error, "pose");
    return links;
}

static void start_counting(void) {
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
}

static void stop_counting(const char *name, const char *work, size_t hits) {
    char label[64];
    snprintf(label, sizeof label, "%s/%s", name, work);
    CALLGRIND_DUMP_STATS_AT(label);
    CALLGRIND_STOP_INSTRUMENTATION;
    printf("%s %d %zu\n", label, CONFIGURATIONS, hits);
}

/// Counts the work of one robot in one world.
static void count_work(const graze_robot *robot, const graze_world *world, const double *q,
                       const char *name) {
    graze_error error;
    graze_checker *checker = NULL;
    graze_workspace *workspace = NULL;
    require(graze_checker_create(&checker, robot, world, NULL, &error), &error, name);
    require(graze_workspace_create(&workspace, checker, &error), &error, name);
    uint8_t *verdicts = allocate(CONFIGURATIONS, 1);
    // What a workspace learns about a base pose it learns here.
    check_each(checker, workspace, q, 1);

    start_counting();
    size_t hits = check_batch(checker, q, verdicts);
    stop_counting(name, "batch", hits);

    start_counting();
    hits = check_each(checker, workspace, q, CONFIGURATIONS);
    stop_counting(name, "each", hits);

    graze_transform *links = pose_links(robot, q);
    start_counting();
    hits = check_posed(checker, workspace, links, graze_robot_link_count(robot));
    stop_counting(name, "posed", hits);

    free(links);
    free(verdicts);
    graze_workspace_free(workspace);
    graze_checker_free(checker);
}

// ------------------------------------------------------------------------------------- worlds

/// A ball of triangles about the middle of an object, as wide as the object's box or radius says.
static void add_ball(const graze_geometry *object, double *vertices, uint32_t *triangles,
                     uint32_t first) {
    double radius = object->shape == GRAZE_SHAPE_BOX ? 0.5 * object->size[0] : object->radius;
    uint32_t last = first + (RINGS - 1) * SEGMENTS + 1;
    for (uint32_t v = first; v <= last; v++) {
        uint32_t ring = v == first ? 0 : v == last ? RINGS : 1 + (v - first - 1) / SEGMENTS;
        double polar = M_PI * ring / RINGS,
               azimuth = 2 * M_PI * ((v - first) % SEGMENTS) / SEGMENTS;
        double p[3] = {sin(polar) * cos(azimuth), sin(polar) * sin(azimuth), cos(polar)};
        for (size_t k = 0; k < 3; k++) {
            vertices[3 * v + k] = object->origin.m[4 * k + 3] + radius * p[k];
        }
    }
    for (uint32_t ring = 0; ring < RINGS; ring++) {
        for (uint32_t s = 0; s < SEGMENTS; s++) {
            uint32_t next = (s + 1) % SEGMENTS, above = first + 1 + (ring - 1) * SEGMENTS;
            uint32_t below = above + SEGMENTS;
            if (ring > 0 && ring < RINGS - 1) {
                memcpy(triangles,
                       (uint32_t[]){above + s, below + s, below + next, above + s, below + next,
                                    above + next},
                       6 * sizeof *triangles);
                triangles += 6;
                continue;
            }
            uint32_t cap[] = {ring == 0 ? first : above + s, ring == 0 ? below + s : last,
                              ring == 0 ? below + next : above + next};
            memcpy(triangles, cap, sizeof cap);
            triangles += 3;
        }
    }
}

/// The objects of a world as balls in one mesh, as a scan of them would be.
static graze_world *merge_into_balls(const graze_world *from) {
    size_t count = graze_world_object_count(from);
    const size_t vertex_count = (RINGS - 1) * SEGMENTS + 2,
                 triangle_count = 2 * (RINGS - 1) * SEGMENTS;
    double *vertices = allocate(3 * count * vertex_count, sizeof *vertices);
    uint32_t *triangles = allocate(3 * count * triangle_count, sizeof *triangles);
    for (size_t i = 0; i < count; i++) {
        graze_geometry object;
        graze_error error = {0};
        require(graze_world_object(from, i, &object), &error, "object");
        add_ball(&object, vertices, triangles + 3 * i * triangle_count,
                 (uint32_t)(i * vertex_count));
    }
    graze_world *out = NULL;
    graze_error error;
    require(graze_world_create(&out, "clutter", &error), &error, "clutter");
    require(graze_world_add_mesh(out, "scan", vertices, count * vertex_count, triangles,
                                 count * triangle_count, NULL, &error),
            &error, "clutter");
    require(graze_world_commit(out, &error), &error, "clutter");
    free(triangles);
    free(vertices);
    return out;
}

static graze_world *load_world(const char *folder, const char *file) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    graze_world *out = NULL;
    graze_error error;
    require(graze_world_create(&out, "world", &error), &error, path);
    require(graze_world_add_file(out, path, NULL, &error), &error, path);
    require(graze_world_commit(out, &error), &error, path);
    return out;
}

// ------------------------------------------------------------------------------------- robots

/// Where a robot is, and the worlds that it is checked in. The clutter is one mesh, or objects that
/// become one.
typedef struct robot_files {
    const char *name, *urdf, *srdf, *packages, *shelf, *clutter;
    bool merge;
} robot_files;

static const robot_files heron = {"heron", "urdf/heron.urdf",   "urdf/heron.srdf",
                                  "",      "worlds/shelf.json", "worlds/clutter.json",
                                  true};
static const robot_files fetch = {"fetch",
                                  "robots/fetch_description/robots/fetch.urdf",
                                  "verdicts/fetch_75.srdf",
                                  "robots",
                                  "worlds/shelf.json",
                                  "worlds/clutter.ply",
                                  false};

static void count_robot(const robot_files *files, const char *folder) {
    char urdf[4096], srdf[4096], packages[4096], name[64];
    snprintf(urdf, sizeof urdf, "%s/%s", folder, files->urdf);
    snprintf(srdf, sizeof srdf, "%s/%s", folder, files->srdf);
    snprintf(packages, sizeof packages, "%s/%s", folder, files->packages);
    graze_load_options options = graze_load_options_default();
    options.srdf = srdf;
    options.package_path = packages;
    options.visuals = GRAZE_VISUALS_SKIP;
    graze_robot *robot = NULL;
    graze_error error;
    require(graze_robot_load_urdf(&robot, urdf, &options, &error), &error, urdf);
    double *q = draw_configurations(robot);
    snprintf(name, sizeof name, "%s/self", files->name);
    count_work(robot, NULL, q, name);

    graze_world *world = load_world(folder, files->shelf);
    snprintf(name, sizeof name, "%s/shelf", files->name);
    count_work(robot, world, q, name);
    graze_world_free(world);

    world = load_world(folder, files->clutter);
    if (files->merge) {
        graze_world *objects = world;
        world = merge_into_balls(objects);
        graze_world_free(objects);
    }
    snprintf(name, sizeof name, "%s/clutter", files->name);
    count_work(robot, world, q, name);
    graze_world_free(world);
    free(q);
    graze_robot_free(robot);
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        fputs("usage: instruction_driver SHARE [DATA]\n", stderr);
        return 2;
    }
    if (!RUNNING_ON_VALGRIND) {
        fputs("instruction_driver: callgrind counts, and it does not run\n", stderr);
        return 2;
    }
#ifdef GRAZE_SCALAR
    puts("lanes scalar");
#else
    puts("lanes vector");
#endif
    count_robot(&heron, argv[1]);
    if (argc == 3) count_robot(&fetch, argv[2]);
    return 0;
}

#else

int main(void) {
    fputs("instruction_driver: built without valgrind/callgrind.h\n", stderr);
    return 77;
}

#endif
