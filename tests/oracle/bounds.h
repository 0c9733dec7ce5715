/// The parts of the campaign on bounds: what each filter of the engine calls "surely apart" is
/// proved again on the snapped vertices, and its error is measured against its pad.
#ifndef GRAZE_TESTS_BOUNDS_H
#define GRAZE_TESTS_BOUNDS_H

#include "base/random.h"
#include "mesh/mesh.h"
#include "posed_mesh.h"
#include "rational_clip.h"
#include "robot/robot.h"
#include "separation.h"

/// One kind of claim.
typedef struct tally {
    const char *name, *of; ///< what is measured
    unsigned long tested, apart, wrong;
    unsigned long measured; ///< errors looked at
    double worst;           ///< of the errors seen, relative to what is allowed
} tally;

enum { NODES, MOVED, PACKETS, SPHERES, BOXES, BALL_HOLDS, BOX_HOLDS, LANES, LANE_CENTER, KINDS };

typedef struct campaign {
    gz_random random;
    separation separation;
    rational_clip *clip;
    tally tallies[KINDS];
    graze_robot *robots[8];
    size_t robot_count;
    graze_mesh *meshes[512]; ///< those of the robots' links (borrowed) and made ones (owned)
    size_t mesh_count, made_from;
    double *points[2]; ///< scratch for snapped vertices
    size_t room[2];
} campaign;

/// Room for count points in scratch 0 or 1.
double *bounds_points(campaign *c, int which, size_t count);
/// A random turn and a random place at most `far` from the origin.
void bounds_pose(campaign *c, double far, double pose[12]);
/// Takes note of an error; one above what is allowed is wrong.
void bounds_measure(tally *t, double error, double allowed);

/// One pose of two nodes of two trees, of two packets, of two links, and eight configurations.
void bounds_nodes(campaign *c);
void bounds_packets(campaign *c);
void bounds_links(campaign *c);
void bounds_lanes(campaign *c);

#endif
