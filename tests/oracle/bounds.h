/// The parts of the campaign on bounds: what each filter of the engine calls "surely apart" is
/// proved again on the snapped vertices, and its error is measured against its pad.
#ifndef GRAZE_TESTS_BOUNDS_H
#define GRAZE_TESTS_BOUNDS_H

#include "base/random.h"
#include "mesh/mesh.h"
#include "posed_mesh.h"
#include "rational_clip.h"
#include "rational_distance.h"
#include "robot/robot.h"
#include "separation.h"

/// One kind of claim.
typedef struct tally {
    const char *name, *of; ///< what is measured
    unsigned long tested, apart, wrong;
    unsigned long measured; ///< errors looked at
    double worst;           ///< of the errors seen, relative to what is allowed
} tally;

/// Of nodes and packets, for each instruction set: at margin 0, then the same under margins.
enum { NODES, MOVED, PACKETS, TREE_KINDS = 6 };
enum {
    BASE_TREE,
    AVX2_TREE = BASE_TREE + TREE_KINDS,
    SCALAR_TREE = AVX2_TREE + TREE_KINDS,
    SPHERES = SCALAR_TREE + TREE_KINDS,
    BOXES,
    BALL_HOLDS,
    BOX_HOLDS,
    BALL_HOLDS_RIM,
    BOX_HOLDS_RIM,
    OBJECT_HOLDS_RIM,
    LANES,
    LANE_CENTER,
    KINDS
};

typedef struct campaign {
    gz_random random;
    separation separation;
    rational_clip *clip;
    rational_distance *distance;
    tally tallies[KINDS];
    graze_robot *robots[8];
    size_t robot_count;
    graze_mesh *meshes[512]; ///< those of the robots' links (borrowed) and made ones (owned)
    size_t mesh_count, made_from;
    double *points[2]; ///< scratch for snapped vertices
    size_t capacity[2];
} campaign;

/// Space for count points in scratch 0 or 1.
double *bounds_points(campaign *c, int which, size_t count);
/// A random turn and a random place at most `far` from the origin.
void bounds_pose(campaign *c, double far, double pose[12]);
/// Takes note of an error; one above what is allowed is wrong.
void bounds_measure(tally *t, double error, double allowed);

/// One pose of two nodes of two trees, and of two packets, as one instruction set has them.
typedef struct bounds_form {
    void (*nodes)(campaign *c), (*packets)(campaign *c);
} bounds_form;
extern const bounds_form bounds_form_base, bounds_form_scalar;
#ifdef GRAZE_HAVE_AVX2
extern const bounds_form bounds_form_avx2;
#endif

/// One pose of two links, of a coin as a link and as an object, and eight configurations.
void bounds_links(campaign *c);
void bounds_coins(campaign *c);
void bounds_lanes(campaign *c);

#endif
