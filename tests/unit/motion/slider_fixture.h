/// A slider and a swinging needle before a box, with all that queries of motions need.
#ifndef GZ_TESTS_MOTION_SLIDER_FIXTURE_H
#define GZ_TESTS_MOTION_SLIDER_FIXTURE_H

#include <string.h>

#include "graze/graze.h"

// A cube of edge 0.2 that slides along x, then a needle of length 0.6, 2 mm thick, that turns about
// z at the cube's middle.
static const char slider_urdf[] =
    "<robot name='r'><link name='base'/>"
    "<link name='cube'><collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision></link>"
    "<link name='needle'><collision><origin xyz='0.5 0 0.3'/><geometry>"
    "<box size='0.6 0.002 0.002'/></geometry></collision></link>"
    "<joint name='x' type='prismatic'><parent link='base'/><child link='cube'/><axis xyz='1 0 0'/>"
    "<limit lower='-5' upper='5' effort='1' velocity='1'/></joint>"
    "<joint name='turn' type='continuous'><parent link='cube'/><child link='needle'/>"
    "<axis xyz='0 0 1'/></joint></robot>";

typedef struct fixture {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
    graze_motion_workspace *motion;
    graze_motion_options options;
} fixture;

/// A robot before a box of this size at this place, in a boundary of this half edge (0: none).
static inline void set_up_inside(fixture *f, const double size[3], double x, double y, double z,
                                 double half) {
    const double low[3] = {-half, -half, -half}, high[3] = {half, half, half};
    assert_int_equal(graze_robot_load_urdf_memory(&f->robot, slider_urdf, strlen(slider_urdf),
                                                  "robot", NULL, NULL, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_world_create(&f->world, "w", NULL), GRAZE_OK);
    graze_transform pose = {{1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z}};
    assert_int_equal(graze_world_add_box(f->world, "plate", size, &pose, NULL), GRAZE_OK);
    if (half > 0) assert_int_equal(graze_world_set_boundary(f->world, low, high, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(f->world, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&f->checker, f->robot, f->world, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&f->workspace, f->checker, NULL), GRAZE_OK);
    assert_int_equal(graze_motion_workspace_create(&f->motion, f->checker, NULL), GRAZE_OK);
    f->options = graze_motion_options_default();
}

static inline void tear_down(fixture *f) {
    graze_motion_workspace_free(f->motion);
    graze_workspace_free(f->workspace);
    graze_checker_free(f->checker);
    graze_world_free(f->world);
    graze_robot_free(f->robot);
}

#endif
