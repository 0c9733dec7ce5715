/// What one thread's queries write to: poses, posed bounds, candidates; and by how much posed
/// bounds may be off.
#ifndef GZ_CHECK_WORKSPACE_H
#define GZ_CHECK_WORKSPACE_H

#include "check/checker.h"

/// Everything a query writes to.
struct graze_workspace {
    const graze_checker *checker;
    const graze_rules *rules; ///< of the call that is going on; NULL: the checker's
    uint64_t revision;        ///< of the checker that what is known of the world is of
    const gz_link
        *links; ///< the robot's, or these loosened; by their bounds posed links are tested
    double (*bodies)[12];
    double (*centers)[3]; ///< of the links' bounding spheres, world
    double *radii;        ///< of those, with the links' pads
    graze_obb *boxes;     ///< of the links, world; filled when first needed
    uint8_t *box_ready;
    uint8_t *wanted_bodies, *wanted_links; ///< of gz_workspace_pose_wanted(); 0 between calls
    int32_t *bodies_listed, *links_listed; ///< those
    size_t wanted_count;                   ///< of links
    int32_t *entries;                      ///< of the world near a link
    int32_t *stack;
    struct gz_local_tree *local_tree;   ///< of the robot, in a large world; else NULL
    double last_base[6], last_root[12]; ///< of graze_check(), as given and as a transform
    bool has_base;
    struct gz_query_scratch *query; ///< of the filter; NULL where the checker has none
    bool keeps_planes; ///< its configurations follow each other: planes that part meshes are kept
    double static_base[12]; ///< base pose for which static_free holds
    uint8_t *static_free;   ///< per link: does not move with q, and is free of the world
    bool static_valid;
    struct gz_link_search *search; ///< NULL where the checker has no tree
    gz_link *loosened; ///< the robot's links with bounds for rotations that are rigid up to 1e-9
    bool has_loosened; ///< these are filled
    struct gz_batch_worker *batch; ///< for batches, or NULL
    uint64_t budget;               ///< units of work that a check may do; UINT64_MAX: no limit
    uint64_t left;                 ///< of these, for the check that runs
    uint64_t last_work, most_work; ///< of the last check, and of any since it was reset
    struct gz_visitor *visitor;    ///< of all that collides (check_internal.h); NULL: none
    void *memory;                  ///< of all arrays
    size_t memory_size;            ///< bytes
    bool owns_memory;              ///< and itself; else both are the caller's
    const graze_checker *held;     ///< kept by a pool, so that no other has its address; or NULL
};

/// Forgets what is known of the world.
void gz_workspace_renew(graze_workspace *ws);

/// Takes a limit of work away, and forgets how much was done.
void gz_workspace_free_of_limits(graze_workspace *ws);

/// To be called before a workspace is used: objects may have moved in place.
static inline void gz_workspace_follow(graze_workspace *ws) {
    if (ws->revision != ws->checker->revision) gz_workspace_renew(ws);
}

/// Whether the work of this check is spent: what was not found to collide is unknown.
static inline bool gz_workspace_spent(const graze_workspace *ws) {
    return ws->left == 0;
}

/// Whether links that no joint moves count as free where they were found so before. Under a budget
/// they are tested again, so that its answer does not depend on earlier checks.
static inline bool gz_workspace_recalls(const graze_workspace *ws) {
    return ws->budget == UINT64_MAX;
}

/// Poses the robot and forgets what was known of the last configuration.
graze_status gz_workspace_pose(graze_workspace *ws, const double *q, size_t q_count,
                               const double *base, graze_error *error);

/// Takes the poses of all links, which are checked, in place of gz_workspace_pose(); places none of
/// them. To be followed by gz_workspace_release(), also on failure.
graze_status gz_workspace_take(graze_workspace *ws, const graze_transform *links, size_t link_count,
                               graze_error *error);
/// Places all links whose bodies are posed, and checks that they are in range.
graze_status gz_workspace_place(graze_workspace *ws, graze_error *error);
/// Makes a workspace fit for poses from q again.
void gz_workspace_release(graze_workspace *ws);

/// Notes a link whose pose gz_workspace_pose_wanted() is to find.
void gz_workspace_want(graze_workspace *ws, int32_t link);
/// Poses the links that were noted, for values that are in range: their bodies and those on the way
/// to them. `base` has 12 numbers. The bits are those of gz_workspace_pose(). With NULL for q the
/// bodies keep the poses that gz_workspace_take() gave them.
void gz_workspace_pose_wanted(graze_workspace *ws, const double *q, const double base[12]);

/// Whether a link, which no joint moves, was found free of the world for this base.
bool gz_workspace_is_free(const graze_workspace *ws, int32_t link, const double base[12]);

/// Places the bounding sphere of a link whose body is posed, and forgets where its box was.
void gz_workspace_place_link(graze_workspace *ws, int32_t link);

/// Whether the spheres of two links are apart. What the pads are for: gz_link_pad(),
/// gz_margin_threshold().
static inline bool gz_links_apart(const graze_workspace *ws, int32_t a, int32_t b,
                                  double threshold) {
    return gz_spheres_apart(ws->centers[a], ws->radii[a], ws->centers[b], ws->radii[b], threshold);
}

/// The oriented box of a link, posed.
const graze_obb *gz_workspace_box(graze_workspace *ws, int32_t link);

/// A link's element in the pose of its body.
static inline const double *gz_link_pose(const graze_checker *checker, const graze_workspace *ws,
                                         int32_t link) {
    return ws->bodies[checker->robot->links[link].body];
}

/// How far posed bounds may be off besides what grows with their size (gz_link.pad) and what turns
/// with a cylinder's axis (gz_rim_pad()), metres: moving a point by x -> R x + t rounds each
/// coordinate by 2^-51 of |t|, and snapping sets those below 2^-100 to 0; for the bounds' own
/// centre and for the vertex in them.
static inline double gz_pose_pad(const double pose[12]) {
    double t = pose[3] < 0 ? -pose[3] : pose[3];
    t += pose[7] < 0 ? -pose[7] : pose[7];
    t += pose[11] < 0 ? -pose[11] : pose[11];
    return 0x1p-48 * t + 0x1p-97;
}

/// What the rims of a link's cylinders add where what is posed may be `off`, which holds both ends
/// of every axis: the solid of the snapped ends is rigid, its bounds were posed with the axis as it
/// was. The axis changes by at most 2 `off`, so it turns by an angle whose sine is at most 2 `off`
/// / length. A disc of radius r about one centre, turned by an angle, is within r times its sine of
/// where it was: within r, and within 2 r `off` / length; so is the ball that stands for a cylinder
/// whose ends were snapped to one point, as then length <= 2 `off`. gz_link.tilt is twice that,
/// which is more than all of this rounds. A solid is the hull of its two discs.
static inline double gz_rim_pad(const gz_link *link, double off) {
    double turn = link->tilt * off;
    return turn < link->rim ? turn : link->rim;
}

/// How far a link's posed bounds may be from what they are to hold, metres.
static inline double gz_link_pad(const gz_link *link, const double pose[12]) {
    double off = link->pad + gz_pose_pad(pose);
    return off + gz_rim_pad(link, off);
}

#endif
