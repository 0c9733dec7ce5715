/// Robots in worlds, for the oracles of motions.
#ifndef GRAZE_TESTS_ORACLE_MOTION_SCENE_H
#define GRAZE_TESTS_ORACLE_MOTION_SCENE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/random.h"
#include "graze/graze.h"

typedef struct scene {
    const char *name, *urdf, *srdf, *world;
    const char *joints; // comma separated; NULL: all columns
    double margin;
} scene;

enum { MOTION_SCENES = 9 };
extern const scene motion_scenes[MOTION_SCENES];

enum { MOTION_MOVING = 4 };

typedef struct question {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
    graze_motion_workspace *motion;
    graze_robot *tabulated;        ///< with `tables`: the robot that `motion` is about, else NULL
    graze_checker *motion_checker; ///< of `motion`; `checker`, but of the tabulated robot
    size_t n;
    bool *varies;
    double *from, *to, *q, *lower, *upper;
    double base[2][6];
    bool moves_base;
    graze_motion_options rules;
    graze_moving_object moving[MOTION_MOVING]; ///< what `rules` moves
    graze_scene *moved;                        ///< the world of some time
} question;

/// Ends the program with the error's message unless the status is GRAZE_OK.
void must(graze_status status, const graze_error *error);

/// Loads a scene; false where it needs test data and there are none.
/// With `tables` motions are about the robot with tables, and samples about the one without.
bool motion_scene_load(question *k, const scene *s, bool tables);
void motion_scene_unload(question *k);

/// What graze_check() says: whether it is anything but free.
bool collides(question *k, const double *q, const double *base);

/// Lets up to MOTION_MOVING objects of the world move, by at most `speed` along each axis; until
/// stop_moving().
void draw_moving(question *k, gz_random *random, double speed);
void stop_moving(question *k);
/// What graze_check() says in the world of a time after the begin: graze_scene_revise() moves it.
bool collides_when(question *k, double elapsed, const double *q, const double *base);

#endif
