// graze-bench-loading: how long from files to ready, and how much memory that keeps.
//
//     graze-bench-loading ROBOT.urdf [--srdf FILE] [--package-path DIRS] [--world FILE]
//                         [--repeat N]
//
// Each row is measured in processes of its own, N of them (default 15), one thread, files in the
// page cache: wall and processor time of the calls alone, median and the least, and by how much
// the process's own memory and its mapped files have grown (RssAnon, RssFile).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "graze/graze.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/mesh.h"

enum { MOST_REPEATS = 1000 };

typedef struct options {
    const char *urdf, *srdf, *package_path, *world;
    size_t repeat;
    char robot_file[64], world_file[64]; ///< compiled, in the temporary folder
} options;

typedef struct cost {
    double wall, processor; ///< ms
    double own, file;       ///< MiB
} cost;

static void fail(const char *what, const graze_error *error) {
    fprintf(stderr, "graze-bench-loading: %s: %s\n", what, error ? error->message : "failed");
    exit(3);
}

// -------------------------------------------------------------------------------------- measuring

static double milliseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/// A line of /proc/self/status, in MiB.
static double status_line(const char *name) {
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    double value = 0;
    if (!file) fail("/proc/self/status", NULL);
    while (fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0) value = atof(line + strlen(name) + 1) / 1024;
    fclose(file);
    return value;
}

/// Reading the memory takes longer than a compiled robot: the clocks come last.
static cost meter(void) {
    cost now = {.own = status_line("RssAnon"), .file = status_line("RssFile")};
    now.wall = milliseconds(CLOCK_MONOTONIC);
    now.processor = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
    return now;
}

/// What a row measures: prepares before begin(), and leaves all that is made alive.
typedef void row(const options *o, cost *begin);

static cost run_once(row *run, const options *o) {
    int ends[2];
    cost result;
    fflush(stdout);
    if (pipe(ends)) fail("pipe", NULL);
    pid_t pid = fork();
    if (pid == 0) {
        cost begin = {0};
        run(o, &begin);
        double wall = milliseconds(CLOCK_MONOTONIC),
               processor = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
        cost end = meter();
        result = (cost){wall - begin.wall, processor - begin.processor, end.own - begin.own,
                        end.file - begin.file};
        _exit(write(ends[1], &result, sizeof result) == (ssize_t)sizeof result ? 0 : 1);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], &result, sizeof result);
    close(ends[0]);
    int status;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status || got != (ssize_t)sizeof result)
        exit(3);
    return result;
}

static int by_wall(const void *a, const void *b) {
    double x = ((const cost *)a)->wall, y = ((const cost *)b)->wall;
    return (x > y) - (x < y);
}

static void report(const char *what, row *run, const options *o) {
    cost costs[MOST_REPEATS];
    for (size_t i = 0; i < o->repeat; i++) costs[i] = run_once(run, o);
    qsort(costs, o->repeat, sizeof *costs, by_wall);
    const cost *middle = &costs[o->repeat / 2];
    printf("%-44s %9.3f %9.3f %9.3f %9.2f %9.2f\n", what, middle->wall, costs[0].wall,
           middle->processor, middle->own, middle->file);
}

// ------------------------------------------------------------------------------------------- rows

static graze_robot *load_robot(const options *o) {
    graze_load_options load = graze_load_options_default();
    load.srdf = o->srdf;
    load.package_path = o->package_path;
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf(&robot, o->urdf, &load, &error)) fail(o->urdf, &error);
    return robot;
}

static graze_world *load_world(const options *o) {
    graze_world *world;
    graze_error error;
    if (graze_world_create(&world, "world", &error) ||
        graze_world_add_file(world, o->world, NULL, &error) || graze_world_commit(world, &error))
        fail(o->world, &error);
    return world;
}

static void make_ready(const graze_robot *robot, const graze_world *world) {
    graze_checker *checker;
    graze_error error;
    if (graze_checker_create(&checker, robot, world, NULL, &error)) fail("checker", &error);
}

static void robot_from_urdf(const options *o, cost *begin) {
    *begin = meter();
    make_ready(load_robot(o), NULL);
}

static void robot_compiled(const options *o, cost *begin) {
    graze_robot *robot;
    graze_error error;
    *begin = meter();
    if (graze_robot_open_compiled(&robot, o->robot_file, &error)) fail(o->robot_file, &error);
    make_ready(robot, NULL);
}

static void world_from_file(const options *o, cost *begin) {
    *begin = meter();
    load_world(o);
}

/// The object of the world with most triangles.
static graze_geometry load_largest(const options *o) {
    const graze_world *world = load_world(o);
    graze_geometry largest = {0}, g;
    for (size_t i = 0; i < graze_world_object_count(world); i++)
        if (!graze_world_object(world, i, &g) && g.triangle_count > largest.triangle_count)
            largest = g;
    if (!largest.mesh) fail("no mesh in the world", NULL);
    return largest;
}

/// Made anew from its arrays.
static void mesh_from_memory(const options *o, cost *begin) {
    graze_geometry largest = load_largest(o);
    graze_mesh *mesh;
    graze_error error;
    *begin = meter();
    if (graze_mesh_create(&mesh, largest.vertices, largest.vertex_count, largest.triangles,
                          largest.triangle_count, &error))
        fail("mesh", &error);
}

/// The tree alone, over triangles that are welded and sorted into components.
static void tree_from_mesh(const options *o, cost *begin) {
    graze_mesh mesh = *load_largest(o).mesh;
    mesh.nodes = NULL;
    mesh.packets = NULL;
    mesh.node_boxes = mesh.packet_boxes = NULL;
    mesh.component_nodes = NULL;
    *begin = meter();
    if (!gz_tree_build(&mesh)) fail("tree", NULL);
}

static void world_compiled(const options *o, cost *begin) {
    graze_compiled *compiled;
    graze_world *world;
    graze_error error;
    *begin = meter();
    if (graze_compiled_open(&compiled, o->world_file, &error) ||
        graze_compiled_world(&world, compiled, &error))
        fail(o->world_file, &error);
}

// ------------------------------------------------------------------------------------------- main

/// A name for a compiled file, and the file, written by a process of its own: what it allocates
/// must not be there for the rows to use again.
static void write_compiled(char path[64], const options *o, bool world) {
    strcpy(path, "/tmp/graze-bench-XXXXXX");
    int descriptor = mkstemp(path), status;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        unsigned char *bytes;
        size_t size;
        graze_error error;
        if (graze_compile(&bytes, &size, world ? NULL : load_robot(o), world ? load_world(o) : NULL,
                          NULL, &error))
            fail("compile", &error);
        if (descriptor < 0 || write(descriptor, bytes, size) != (ssize_t)size) fail(path, NULL);
        printf("%s: %zu bytes compiled\n", world ? "world" : "robot", size);
        fflush(stdout);
        _exit(0);
    }
    close(descriptor);
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status) exit(3);
}

static void usage(void) {
    fprintf(stderr, "usage: graze-bench-loading ROBOT.urdf [--srdf FILE] [--package-path DIRS] "
                    "[--world FILE] [--repeat N]\n");
    exit(2);
}

static options parse(int argc, char **argv) {
    options o = {.repeat = 15};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (argv[i][0] != '-' && !o.urdf) {
            o.urdf = argv[i];
            continue;
        }
        if (!value) usage();
        if (!strcmp(argv[i], "--srdf"))
            o.srdf = value;
        else if (!strcmp(argv[i], "--package-path"))
            o.package_path = value;
        else if (!strcmp(argv[i], "--world"))
            o.world = value;
        else if (!strcmp(argv[i], "--repeat"))
            o.repeat = strtoul(value, NULL, 10);
        else
            usage();
        i++;
    }
    if (!o.urdf || o.repeat < 1 || o.repeat > MOST_REPEATS) usage();
    return o;
}

int main(int argc, char **argv) {
    options o = parse(argc, argv);
    write_compiled(o.robot_file, &o, false);
    if (o.world) write_compiled(o.world_file, &o, true);
    printf("%-44s %9s %9s %9s %9s %9s\n", "", "wall ms", "least ms", "CPU ms", "own MiB",
           "file MiB");
    report("robot: URDF, SRDF, meshes to a checker", robot_from_urdf, &o);
    report("robot: compiled file to a checker", robot_compiled, &o);
    if (o.world) {
        report("world: from its file", world_from_file, &o);
        report("world: its largest mesh from memory", mesh_from_memory, &o);
        report("world: the tree of that mesh alone", tree_from_mesh, &o);
        report("world: compiled", world_compiled, &o);
    }
    unlink(o.robot_file);
    if (o.world) unlink(o.world_file);
    return 0;
}
