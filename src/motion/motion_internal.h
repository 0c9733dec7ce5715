/// Between the files of certified motion: the edge (where everything is at t, and how fast it
/// moves), the pairs (is this one clear on a interval of the edge?) and the search over intervals.
/// docs/motion.md has the statement and its proof.
#ifndef GZ_MOTION_MOTION_INTERNAL_H
#define GZ_MOTION_MOTION_INTERNAL_H

#include "base/memory.h"
#include "base/thread.h"
#include "check/check_internal.h"
#include "graze/motion.h"
#include "kinematics/motion_bound.h"
#include "motion/curve.h"

// ---------------------------------------------------------------------------- motion_edge.c

/// How a body moves against its parent, the first against the world, while t goes from 0 to 1: by
/// at most `turn` rad and `slide` m for each unit of t, and besides by what rounding may add.
typedef struct gz_body_motion {
    double turn, slide;
    double turn_slack, slide_slack;
} gz_body_motion;

/// A motion of q and base while t goes from 0 to 1: straight, or along curves.
typedef struct gz_edge {
    const graze_robot *robot;
    const double *from, *to;
    double t0, t1; ///< the interval that gz_edge_narrow() has said
    double from_base[6], to_base[6];
    graze_turn turn;
    gz_curve q_curve, base_curve; ///< of degree 0 where the motion is straight
    double *low, *high;           ///< of a curve, per column: its control points
    double base_low[6], base_high[6];
    bool base_moves;
    gz_body_motion *bodies;
    int32_t *varying;     ///< per body: the nearest at or above it that moves against its parent
    bool *moves;          ///< per body: something at or above it moves, base included
    double *own_radius;   ///< per link: greatest distance of its points from its own body's axis
    double static_radius; ///< see gz_edge_radius(): where no joint slides, before rounding
    double stretch;       ///< see gz_motion_stretch(): of any path
    double point_error;   ///< how far posed points may be off, metres
    double turn_error;    ///< how far posed axes may be off, for two links
    gz_path_joint *path;  ///< scratch
    double *link_bounds;  ///< per link: gz_edge_link_bound(), where its stamp is the edge's
    double (*axes)[3];    ///< per body: the posed axis of its joint, of length 1, likewise
    uint32_t *stamps, *axis_stamps, stamp;
    double *q; ///< where gz_edge_place() was
    double base[6], root[12];
    bool has_root; ///< the base stands, and `root` is its pose
} gz_edge;

/// Lays out the arrays, twice (see gz_arena).
void gz_edge_lay_out(gz_edge *edge, const graze_robot *robot, gz_arena *arena);
/// Fills what depends on the robot alone.
void gz_edge_prepare(gz_edge *edge, const graze_checker *checker);
/// Takes an edge whose ends gz_pose_check() has passed.
void gz_edge_set(gz_edge *edge, const double *from, const double *to, const double *from_base,
                 const double *to_base, graze_turn turn);
/// Takes a piece of a trajectory: curves of a degree above 1, whose control points
/// gz_pose_check() has passed.
void gz_edge_set_curve(gz_edge *edge, const gz_curve *q, const gz_curve *base);
/// Finds what moves, and how fast. To be called once for each edge, before gz_edge_narrow(),
/// gz_edge_moves() and the bounds; places, the base's box and the radius do without.
void gz_edge_find_motions(gz_edge *edge);
/// Says which interval of the motion the bounds below are asked about, until it is said anew; at
/// first it is all of it. Of a straight motion they do not depend on it.
void gz_edge_narrow(gz_edge *edge, double t0, double t1);
/// Sets q and base at t; the bits of graze_robot_interpolate(), or of graze_trajectory_at().
void gz_edge_place(gz_edge *edge, double t);
/// Whether the base's origin surely stays in a box, min and max, for all of [t0, t1] of a curve.
bool gz_edge_base_inside(const gz_edge *edge, double t0, double t1, const double min[3],
                         const double max[3]);
/// The pose of the base there.
const double *gz_edge_root(gz_edge *edge);
/// How far the origin of any body or any point of any link may be from the base's origin.
double gz_edge_radius(const gz_edge *edge);

/// Whether t moves link b against link a (-1: the world).
bool gz_edge_moves(const gz_edge *edge, int32_t a, int32_t b);
/// An upper bound, metres, of how far any point of a link moves, seen from the base, between the t
/// at which the workspace is posed and any other no farther from it than `half`, the same until the
/// next gz_edge_place(). Bounds the change of distances from all that is above the link, too.
double gz_edge_link_bound(gz_edge *edge, const graze_workspace *ws, int32_t link, double half);
/// The same, seen from the world.
double gz_edge_world_bound(gz_edge *edge, const graze_workspace *ws, int32_t link, double half);
/// A lower bound, metres, of the real distance of a table's links at all t no farther than `half`
/// from the place.
double gz_edge_table_bound(const gz_edge *edge, const gz_pair_table *table, double half);
/// An upper bound, metres, of how much the distance of two links differs between the t at which the
/// workspace is posed and any other t no farther from it than `half`.
double gz_edge_pair_bound(gz_edge *edge, const graze_workspace *ws, int32_t a, int32_t b,
                          double half);

/// graze_motion_base() for arguments that it allows; `out` may be `from` or `to`.
void gz_base_between(const double *from, const double *to, graze_turn turn, double t, double *out);

// ---------------------------------------------------------------------------- motion_pair.c

/// A pair of links, by its index among the checker's, or (-1) a link and an object.
typedef struct gz_motion_pair {
    int32_t pair;
    int32_t link, other;
    int8_t above; ///< of two links: 1 where the first is above the second in the tree, or one body
                  ///< with it, 2 where the second is above the first, else 0
    bool caps;
    const gz_pair_table *table; ///< or NULL
    double margin;              ///< of the checker
    double need; ///< what the snapped distance must exceed for the pair to be free, whatever a
                 ///< real pose is off; before anything moves
} gz_motion_pair;

/// Whether the spheres of two links are apart by more than that.
static inline bool gz_motion_pair_far(const graze_workspace *ws, const gz_motion_pair *pair,
                                      double need) {
    return pair->pair >= 0 && gz_links_apart(ws, pair->link, pair->other, need);
}
/// Whether a pair is clear at the pose of the workspace by more than `need`: true is a proof.
bool gz_motion_pair_clear(const graze_checker *checker, graze_workspace *ws,
                          const gz_motion_pair *pair, double need);
/// Whether it collides there, under the checker's own margin.
bool gz_motion_pair_collides(const graze_checker *checker, graze_workspace *ws,
                             const gz_motion_pair *pair);
gz_motion_pair gz_motion_pair_links(const graze_checker *checker, int32_t index);
gz_motion_pair gz_motion_pair_object(const graze_checker *checker, int32_t link, int32_t object);

// -------------------------------------------------------------------------- motion_search.c

/// A interval of the edge that is split at its middle, and the pairs that were not proved on all of
/// it.
typedef struct gz_motion_interval {
    double t0, t1;
    int32_t next;        ///< 0: the left half comes next, 1: the right one, 2: none
    size_t first, count; ///< of the list
} gz_motion_interval;

/// Intervals, and behind each other their lists.
typedef struct gz_motion_intervals {
    gz_motion_interval *intervals;
    int32_t *list;
    size_t count, list_count;
} gz_motion_intervals;

struct graze_motion_workspace {
    const graze_checker *checker;
    uint64_t revision; ///< of the checker, whose world has moved in place where it differs
    graze_workspace *ws;
    gz_edge edge;
    gz_motion_pair *self; ///< the checker's pairs that a joint can move
    size_t self_count;
    gz_motion_pair *pairs; ///< of this edge: not clear on all of it
    size_t pair_count, pair_capacity;
    int32_t *active; ///< pairs that are not clear on the interval that is looked at
    double *bounds;  ///< of their motion on half of it
    size_t active_count;
    gz_motion_intervals queue[2], stack;
    size_t interval_capacity, list_capacity; ///< of each
    void *memory;
    const graze_moving_object *moving; ///< of the query
    size_t moving_count;
    int32_t *groups;     ///< per object: see gz_motion_next_group(); read where something moves
    int32_t group;       ///< that is looked at
    double times[2];     ///< units of t, or seconds, since it began, at both ends of the edge
    double *base_points; ///< of a curve as seen from it
};

// ------------------------------------------------------------------------------ motion_moving.c
// The robot against objects that move alike is certified as seen from them: the world stands, and
// the base moves by the opposite besides.

/// How far off a base may be that is seen from an object, as a part of the domain. Its coordinates
/// b - v t are rounded in the time since the begin (twice, in a trajectory), in the product and in
/// the difference. Both b - v t and b lie in the domain D, so v t is below 2 D; with u = 2^-53
/// three coordinates are off by at most 3 (4 u 2 D + u 2 D + u 3 D) = 39 u D.
#define GZ_MOVING_ERROR 0x1p-47

/// Takes the objects that move. GRAZE_ERROR_ARGUMENT, GRAZE_ERROR_RANGE: see graze_check_motion().
graze_status gz_motion_set_moving(graze_motion_workspace *m, const graze_motion_options *options,
                                  graze_error *error);
/// Goes on to the next group, after gz_motion_set_moving() to the first: -1, all that stands, the
/// links against each other included; then, with the index of the first of its entries, what moves
/// at one velocity. False after the last.
bool gz_motion_next_group(graze_motion_workspace *m);
/// A base as seen from the group: `time` units of t, or seconds, after it began, which move it.
void gz_motion_seen_base(const graze_motion_workspace *m, const double base[6], double time,
                         double out[6]);
/// The pose of a base that is seen from the group.
graze_status gz_motion_pose_base(const graze_motion_workspace *m, const double base[6],
                                 double pose[12], graze_error *error);
/// Whether an object is of the group that is looked at.
static inline bool gz_motion_in_group(const graze_motion_workspace *m, int32_t object) {
    return m->moving_count == 0 || m->groups[object] == m->group;
}
/// Whether what is looked at collides at a t where the edge was placed: what graze_check() says, of
/// the group alone. `contact` is written where it does.
graze_status gz_motion_check_place(graze_motion_workspace *m, double t, graze_answer answer,
                                   graze_contact *contact, bool *collides, graze_error *error);
/// Adds what a group came to, to what those before did, at first {.earliest = end, .latest = end}
/// of the end of the edge or piece. `group` began with the pair_tests of `all`, which the budget
/// limits together.
void gz_motion_merge(graze_motion_report *all, const graze_motion_report *group);
/// Whether the groups that are left need not be looked at; then nothing is proved of them, from
/// `begin` of the edge or piece on.
bool gz_motion_is_enough(const graze_motion_options *options, graze_motion_report *all,
                         double begin);

/// Fills the report, for an edge that is set and may be posed.
graze_status gz_motion_search(graze_motion_workspace *m, const graze_motion_options *options,
                              graze_motion_report *report, graze_error *error);

// ------------------------------------------------------------------------------- motion.c

/// Reads and checks options, takes what moves, and checks that the workspace is the checker's, and
/// of its version.
graze_status gz_motion_prepare(const graze_checker *checker, graze_motion_workspace *m,
                               const graze_motion_options *options, graze_motion_options *read,
                               graze_error *error);
/// Sets the edge as seen from the group, for ends that gz_pose_check() has passed.
/// GRAZE_ERROR_RANGE where it may leave the domain.
graze_status gz_motion_set_edge(graze_motion_workspace *m, const double *from, const double *to,
                                const double *from_base, const double *to_base, graze_turn turn,
                                graze_error *error);
/// Whether the edge that is set stays in the domain. q and `bases`: values between which those of
/// the motion lie, and poses between whose places the base's are.
graze_status gz_motion_check_domain(const graze_motion_workspace *m, const double *q[2],
                                    const double (*bases)[12], size_t base_count,
                                    graze_error *error);

#endif
