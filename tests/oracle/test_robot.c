#include "test_robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posed_mesh.h"

const char *test_path(const char *dir, const char *name) {
    static char path[2048];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static const struct source {
    const char *name, *urdf, *srdf;
} sources[] = {
    {"fetch", "robots/fetch_description/robots/fetch.urdf", "verdicts/fetch_75.srdf"},
    {"panda", "robots/example-robot-data/robots/panda_description/urdf/panda.urdf",
     "robots/example-robot-data/robots/panda_description/srdf/panda.srdf"},
    {"ur5", "robots/example-robot-data/robots/ur_description/urdf/ur5_robot.urdf",
     "robots/example-robot-data/robots/ur_description/srdf/ur5.srdf"},
};

static graze_robot *load(const char *dir, const char *urdf, const char *srdf) {
    char srdf_path[2048], packages[2048];
    snprintf(srdf_path, sizeof srdf_path, "%s", test_path(dir, srdf));
    snprintf(packages, sizeof packages, "%s", test_path(dir, "robots"));
    graze_load_options options = graze_load_options_default();
    options.srdf = srdf_path;
    options.package_path = packages;
    options.visuals = GRAZE_VISUALS_SKIP;
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf(&robot, test_path(dir, urdf), &options, &error))
        give_up(error.file, error.message);
    return robot;
}

graze_robot *test_robot_load(const char *name) {
    if (!strcmp(name, "heron")) return load(GRAZE_SOURCE_DIR, "urdf/heron.urdf", "urdf/heron.srdf");
    const char *data = getenv("GRAZE_TEST_DATA");
    if (!data) return NULL;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (!strcmp(sources[i].name, name)) return load(data, sources[i].urdf, sources[i].srdf);
    give_up(name, "no such robot");
}

graze_geometry test_robot_mesh(const graze_robot *robot, const char *link) {
    graze_geometry geometry;
    int32_t index = graze_robot_find_link(robot, link);
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++)
        if (graze_robot_collision(robot, i, &geometry) == GRAZE_OK && geometry.owner == index &&
            geometry.shape == GRAZE_SHAPE_MESH)
            return geometry;
    give_up(link, "no collision mesh");
}

void test_robot_draw(const graze_robot *robot, gz_random *random, double *q) {
    for (size_t i = 0; i < graze_robot_q_size(robot); i++) {
        graze_joint_info joint;
        if (graze_robot_joint(robot, graze_robot_q_joint(robot, i), &joint))
            give_up("joint", "none");
        q[i] = joint.limited ? gz_random_range(random, joint.lower, joint.upper)
                             : gz_random_range(random, -3.2, 3.2);
    }
}
