#include "kinematics_robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

typedef struct source {
    const char *name, *urdf;
    bool ships;
    void (*write)(FILE *out); ///< made ones
} source;

// ------------------------------------------------------------------------------------ made robots

static const char *const shapes[] = {
    "<sphere radius='0.11'/>", "<cylinder radius='0.07' length='0.31'/>",
    "<capsule radius='0.05' length='0.4'/>", "<box size='0.3 0.2 0.7'/>",
    "<cylinder radius='0.4' length='0.02'/>"};

static void write_link(FILE *out, int index, gz_random *r) {
    fprintf(out, "<link name='l%d'>", index);
    for (int i = 0; i < 2; i++)
        fprintf(out,
                "<collision><origin xyz='%.17g %.17g %.17g' rpy='%.17g %.17g %.17g'/><geometry>%s"
                "</geometry></collision>",
                gz_random_range(r, -1, 1), gz_random_range(r, -1, 1), gz_random_range(r, -1, 1),
                gz_random_range(r, -3, 3), gz_random_range(r, -3, 3), gz_random_range(r, -3, 3),
                shapes[gz_random_below(r, 5)]);
    fprintf(out, "</link>\n");
}

static void write_joint(FILE *out, int index, const char *type, double size, const char *more,
                        gz_random *r) {
    double s = size;
    fprintf(out,
            "<joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/><origin "
            "xyz='%.17g %.17g %.17g' rpy='%.17g %.17g %.17g'/><axis xyz='%.17g %.17g %.17g'/>%s"
            "</joint>\n",
            index, type, index - 1, index, gz_random_range(r, -s, s), gz_random_range(r, -s, s),
            gz_random_range(r, -s, s), gz_random_range(r, -3, 3), gz_random_range(r, -3, 3),
            gz_random_range(r, -3, 3), gz_random_range(r, -1, 1), gz_random_range(r, -1, 1),
            gz_random_range(r, -1, 1), more);
}

/// Every kind of joint and shape, skew axes and origins, and mimic chains.
static void write_every_kind(FILE *out) {
    static const char *const limit = "<limit lower='-1.3' upper='2.1' effort='1' velocity='1'/>";
    static const struct {
        const char *type, *more;
    } joints[] = {
        {"revolute", ""},
        {"fixed", ""},
        {"prismatic", ""},
        {"continuous", ""},
        {"planar", NULL},
        {"fixed", ""},
        {"fixed", ""},
        {"revolute", "<mimic joint='j1' multiplier='-0.7' offset='0.1'/>"},
        {"prismatic", "<mimic joint='j8' multiplier='0.3' offset='-0.2'/>"},
        {"floating", NULL},
        {"revolute", "<mimic joint='j1' multiplier='-1'/>"},
        {"continuous", ""},
    };
    gz_random r = gz_random_make(7, 1);
    fprintf(out, "<robot name='every_kind'>\n");
    write_link(out, 0, &r);
    for (int i = 0; i < (int)(sizeof joints / sizeof *joints); i++) {
        char more[512];
        bool limited = joints[i].more && strcmp(joints[i].type, "fixed") != 0;
        snprintf(more, sizeof more, "%s%s", limited ? limit : "",
                 joints[i].more ? joints[i].more : "");
        write_link(out, i + 1, &r);
        write_joint(out, i + 1, joints[i].type, 0.4, more, &r);
    }
    fprintf(out, "</robot>\n");
}

/// As many joints as the contract's domain has, skew, each up to a metre and a half apart.
static void write_chain(FILE *out) {
    gz_random r = gz_random_make(7, 2);
    fprintf(out, "<robot name='chain_of_64'>\n");
    write_link(out, 0, &r);
    for (int i = 1; i <= 64; i++) {
        write_link(out, i, &r);
        write_joint(out, i, "continuous", 0.85, "", &r);
    }
    fprintf(out, "</robot>\n");
}

/// An arm on a slide without much of anything: axes along coordinates, for which much is exact.
static void write_straight(FILE *out) {
    fprintf(out, "<robot name='straight'><link name='l0'/>\n");
    for (int i = 1; i <= 6; i++)
        fprintf(out,
                "<link name='l%d'><collision><geometry><box size='0.1 0.1 0.5'/></geometry>"
                "</collision></link><joint name='j%d' type='%s'><parent link='l%d'/><child "
                "link='l%d'/><origin xyz='0 0 %g'/><axis xyz='%d %d %d'/><limit lower='-2' "
                "upper='2' effort='1' velocity='1'/></joint>\n",
                i, i, i == 1 ? "prismatic" : "revolute", i - 1, i, i > 2 ? 0.5 : 0, i % 3 == 0,
                i % 3 == 1, i % 3 == 2);
    fprintf(out, "</robot>\n");
}

static const source sources[] = {
    {"heron", "urdf/heron.urdf", true, NULL},
    {"six_axis", "urdf/six_axis.urdf", true, NULL},
    {"two_link", "urdf/two_link.urdf", true, NULL},
    {"made: every kind", NULL, true, write_every_kind},
    {"made: 64 joints", NULL, true, write_chain},
    {"made: straight", NULL, true, write_straight},
    {"fetch", "robots/fetch_description/robots/fetch.urdf", false, NULL},
    {"freight", "robots/fetch_description/robots/freight.urdf", false, NULL},
    {"fanuc", "robots/moveit_resources_fanuc_description/urdf/fanuc.urdf", false, NULL},
    {"panda", "robots/example-robot-data/robots/panda_description/urdf/panda.urdf", false, NULL},
    {"panda_mbm", "robots/panda_mbm/panda.urdf", false, NULL},
    {"ur5", "robots/example-robot-data/robots/ur_description/urdf/ur5_robot.urdf", false, NULL},
    {"anymal", "robots/example-robot-data/robots/anymal_c_simple_description/urdf/anymal.urdf",
     false, NULL},
    {"icub", "robots/example-robot-data/robots/icub_description/robots/icub.urdf", false, NULL},
    {"simple_humanoid",
     "robots/example-robot-data/robots/simple_humanoid_description/urdf/simple_humanoid.urdf",
     false, NULL},
};

size_t kinematics_robot_count(void) {
    bool data = getenv("GRAZE_TEST_DATA") != NULL;
    size_t count = 0;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) count += sources[i].ships || data;
    return count; // those that ship come first
}

const char *kinematics_robot_name(size_t index) {
    return sources[index].name;
}

static graze_robot *make(const source *s) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    s->write(out);
    fclose(out);
    graze_robot *robot = NULL;
    graze_error error;
    if (graze_robot_load_urdf_memory(&robot, text, size, s->name, ".", NULL, &error))
        fprintf(stderr, "kinematics: %s: %s\n", s->name, error.message);
    free(text);
    return robot;
}

static graze_robot *load(const source *s) {
    char path[2048], packages[2048];
    const char *data = getenv("GRAZE_TEST_DATA");
    snprintf(path, sizeof path, "%s/%s", s->ships ? GRAZE_SOURCE_DIR : data, s->urdf);
    snprintf(packages, sizeof packages, "%s/robots:%s/robots/example-robot-data/robots",
             data ? data : "", data ? data : "");
    graze_load_options options = graze_load_options_default();
    options.package_path = packages;
    options.visuals = GRAZE_VISUALS_SKIP;
    graze_robot *robot = NULL;
    graze_error error;
    if (graze_robot_load_urdf(&robot, path, &options, &error))
        fprintf(stderr, "kinematics: %s: %s\n", s->name, error.message);
    return robot;
}

graze_robot *kinematics_robot_load(size_t index) {
    const source *s = &sources[index];
    graze_robot *robot = s->write ? make(s) : load(s);
    if (!robot) exit(3);
    return robot;
}
