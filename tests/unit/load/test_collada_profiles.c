// Ground truth for the profiles: where a robot has a Collada visual mesh and an STL collision mesh
// of the same link, both must lie in the same place. STL has neither unit nor axis, so it decides.

#include <dirent.h>
#include <math.h>

#include "unit/load/mesh_case.h"

typedef struct box {
    double low[3], high[3];
} box;

static box box_of(mesh_case *m, const char *path, graze_collada profile) {
    mesh_case_clear(m);
    m->options.collada = profile;
    m->budget = (gz_mesh_budget){.triangles_left = m->options.limits.triangles};
    graze_status status = gz_mesh_file_read(&m->soup, path, NULL, &m->options, &m->budget,
                                            &m->warnings, &m->error);
    if (status) fail_msg("%s: %s", path, m->error.message);
    box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < 3 * m->soup->triangle_count; i++)
        for (size_t k = 0; k < 3; k++) {
            double x = m->soup->vertices[3 * (size_t)m->soup->triangles[i] + k];
            b.low[k] = fmin(b.low[k], x);
            b.high[k] = fmax(b.high[k], x);
        }
    return b;
}

static double volume(const box *b) {
    double v = 1;
    for (int k = 0; k < 3; k++) v *= fmax(b->high[k] - b->low[k], 0);
    return v;
}

/// Intersection over union.
static double overlap(const box *a, const box *b) {
    box both;
    for (int k = 0; k < 3; k++) {
        both.low[k] = fmax(a->low[k], b->low[k]);
        both.high[k] = fmin(a->high[k], b->high[k]);
    }
    double common = volume(&both);
    return common / (volume(a) + volume(b) - common);
}

typedef struct robot {
    const char *name, *visual, *collision;
    const char *endings[2]; ///< of the collision mesh's name, tried in turn
    int pairs;
} robot;

static const robot robots[] = {
    {"fetch",
     "fetch_description/meshes",
     "fetch_description/meshes",
     {"_collision.STL", ".STL"},
     13},
    {"panda",
     "example-robot-data/robots/panda_description/meshes/visual",
     "example-robot-data/robots/panda_description/meshes/collision",
     {".stl", ".STL"},
     9},
    {"ur5",
     "example-robot-data/robots/ur_description/meshes/ur5/visual",
     "example-robot-data/robots/ur_description/meshes/ur5/collision",
     {".stl", ".STL"},
     7},
};

/// The collision mesh of the same link as a Collada file; false when there is none.
static bool partner_of(const robot *r, const char *data, const char *name, char *path,
                       size_t size) {
    size_t stem = strlen(name) - 4;
    for (int i = 0; i < 2; i++) {
        snprintf(path, size, "%s/robots/%s/%.*s%s", data, r->collision, (int)stem, name,
                 r->endings[i]);
        if (access(path, R_OK) == 0) return true;
    }
    return false;
}

static double mean_overlap(mesh_case *m, const robot *r, const char *data, graze_collada profile,
                           double *lowest) {
    char folder[512], path[1024], partner[1024];
    snprintf(folder, sizeof folder, "%s/robots/%s", data, r->visual);
    DIR *dir = opendir(folder);
    if (!dir) fail_msg("no folder %s", folder);
    double sum = 0;
    int pairs = 0;
    *lowest = 1;
    for (struct dirent *entry; (entry = readdir(dir));) {
        size_t n = strlen(entry->d_name);
        if (n < 5 || strcmp(entry->d_name + n - 4, ".dae") != 0 ||
            !partner_of(r, data, entry->d_name, partner, sizeof partner))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        box visual = box_of(m, path, profile), collision = box_of(m, partner, profile);
        double one = overlap(&visual, &collision);
        *lowest = fmin(*lowest, one);
        sum += one;
        pairs++;
    }
    closedir(dir);
    assert_int_equal(pairs, r->pairs);
    return sum / pairs;
}

static const char *data_folder(void) {
    const char *data = getenv("GRAZE_TEST_DATA");
    if (!data) {
        print_message("GRAZE_TEST_DATA is not set: no robots to compare\n");
        skip();
    }
    return data;
}

static void test_visual_and_collision_meshes_coincide_by_the_ros_profile(void **state) {
    mesh_case *m = *state;
    const char *data = data_folder();
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        double lowest, mean = mean_overlap(m, &robots[i], data, GRAZE_COLLADA_ROS, &lowest);
        print_message("%s: %d links, mean bounding-box IoU %.4f, lowest %.4f\n", robots[i].name,
                      robots[i].pairs, mean, lowest);
        assert_true(mean >= 0.99);
    }
}

static void test_the_spec_profile_turns_what_is_y_up(void **state) {
    mesh_case *m = *state;
    const char *data = data_folder();
    char path[512];
    // Y up, no unit: y becomes z, z becomes -y.
    snprintf(path, sizeof path, "%s/robots/quirks/baxter_gripper_yup_nounit.dae", data);
    box ros = box_of(m, path, GRAZE_COLLADA_ROS), spec = box_of(m, path, GRAZE_COLLADA_SPEC),
        moveit = box_of(m, path, GRAZE_COLLADA_MOVEIT);
    assert_true(spec.low[0] == ros.low[0] && spec.high[0] == ros.high[0]);
    assert_true(spec.low[2] == ros.low[1] && spec.high[2] == ros.high[1]);
    assert_true(spec.low[1] == -ros.high[2] && spec.high[1] == -ros.low[2]);
    assert_memory_equal(&moveit, &ros, sizeof ros);
}

static void test_the_unit_counts_but_for_moveit(void **state) {
    mesh_case *m = *state;
    const char *data = data_folder();
    char path[512];
    // Z up, unit 0.01.
    snprintf(path, sizeof path, "%s/robots/quirks/kinect_zup_unit0.01.dae", data);
    box ros = box_of(m, path, GRAZE_COLLADA_ROS), spec = box_of(m, path, GRAZE_COLLADA_SPEC),
        moveit = box_of(m, path, GRAZE_COLLADA_MOVEIT);
    assert_memory_equal(&spec, &ros, sizeof ros);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(moveit.low[k] * 0.01 - ros.low[k]) < 1e-12);
        assert_true(fabs(moveit.high[k] * 0.01 - ros.high[k]) < 1e-12);
        assert_true(moveit.high[k] - moveit.low[k] > 0.01);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_visual_and_collision_meshes_coincide_by_the_ros_profile),
        MESH_TEST(test_the_spec_profile_turns_what_is_y_up),
        MESH_TEST(test_the_unit_counts_but_for_moveit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
