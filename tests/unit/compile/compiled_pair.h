/// Robots and worlds that are compiled, and what they were compiled from.
#ifndef GRAZE_TESTS_COMPILED_PAIR_H
#define GRAZE_TESTS_COMPILED_PAIR_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "graze/graze.h"

/// A path in the repository.
static inline const char *source_path(char (*buffer)[512], const char *name) {
    snprintf(*buffer, sizeof *buffer, "%s/%s", GRAZE_SOURCE_DIR, name);
    return *buffer;
}

static inline graze_robot *load_robot(const char *urdf, const char *srdf,
                                      const char *package_path) {
    graze_load_options options = graze_load_options_default();
    options.srdf = srdf;
    options.package_path = package_path;
    options.use_environment = 0;
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf(&robot, urdf, &options, &error))
        fail_msg("%s: %s", urdf, error.message);
    return robot;
}

static inline graze_robot *ship_robot(const char *name) {
    char urdf[512], srdf[512], path[600];
    snprintf(path, sizeof path, "urdf/%s.urdf", name);
    source_path(&urdf, path);
    snprintf(path, sizeof path, "urdf/%s.srdf", name);
    source_path(&srdf, path);
    return load_robot(urdf, srdf, NULL);
}

static inline graze_world *load_world(const char *path) {
    graze_world *world;
    graze_error error;
    if (graze_world_create(&world, "world", &error) ||
        graze_world_add_file(world, path, NULL, &error) || graze_world_commit(world, &error))
        fail_msg("%s: %s", path, error.message);
    return world;
}

static inline graze_world *ship_world(const char *name) {
    char path[512], file[600];
    snprintf(file, sizeof file, "worlds/%s.json", name);
    return load_world(source_path(&path, file));
}

typedef struct file_bytes {
    unsigned char *at;
    size_t size;
} file_bytes;

static inline file_bytes compile(const graze_robot *robot, const graze_world *world) {
    file_bytes b;
    graze_error error;
    if (graze_compile(&b.at, &b.size, robot, world, NULL, &error)) fail_msg("%s", error.message);
    return b;
}

static inline graze_compiled *open_bytes(file_bytes b) {
    graze_compiled *compiled;
    graze_error error;
    if (graze_compiled_open_memory(&compiled, b.at, b.size, "bytes", &error))
        fail_msg("%s", error.message);
    return compiled;
}

#endif
