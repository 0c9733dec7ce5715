/// @file check.h
/// Checking configurations: a checker (robot + world + rules, immutable), a workspace per thread,
/// and the verdict with its names.
#ifndef GRAZE_CHECK_H
#define GRAZE_CHECK_H

#include "geometry.h"
#include "robot.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A robot and a world with the rules of one kind of check, immutable; share between threads.
typedef struct graze_checker graze_checker;

/// Everything that a query writes to; one per thread. It changes speed, never results.
typedef struct graze_workspace graze_workspace;

/// Which pairs a single check looks at, and at which margins: rules.h.
typedef struct graze_rules graze_rules;

/// How closely to look.
typedef enum graze_level {
    GRAZE_LEVEL_MESH = 0,  ///< triangles and shapes: the verdict of the contract
    GRAZE_LEVEL_BOUNDS = 1 ///< as KinEval: boundary, then each object's bounds against each link's
                           ///< AABB in the link frame; a bounding-volume verdict, no self-collision
} graze_level;

/// A pair that may touch: two links, or a link and an object of the world. A name that both a link
/// and an object have means the link.
typedef struct graze_allowed_pair {
    const char *a, *b;
} graze_allowed_pair;

/// A margin for one pair, or for all pairs of one link or object.
typedef struct graze_pair_margin {
    const char *a;
    const char *b; ///< NULL: every pair of a
    double margin; ///< metres, finite, not negative
} graze_pair_margin;

/// How one link or object of the world counts.
typedef struct graze_name_policy {
    const char *name; ///< a name that both a link and an object have means the link
    graze_policy policy;
} graze_name_policy;

/// The rules. Obtain from graze_checker_options_default(), then change fields.
///
/// Margins: a pair collides when its distance is not greater than its margin. That of the pair
/// counts where it is given (in `margins`, else in the SRDF), else the greatest of those given for
/// its two sides, else `margin` where it is set, else the SRDF's default, else 0. A margin above 0
/// and below graze_checker_epsilon() counts as that. docs/margins.md says what a verdict then
/// means.
typedef struct graze_checker_options {
    uint32_t struct_size;              ///< set by the default; do not change
    graze_level level;                 ///< default GRAZE_LEVEL_MESH
    graze_policy policy;               ///< default GRAZE_POLICY_SOLID
    uint32_t no_self;                  ///< 1: leave out link against link
    uint32_t no_world;                 ///< 1: leave out the world, its boundary too
    uint32_t ignore_srdf;              ///< 1: check pairs that the SRDF disables, too
    const graze_allowed_pair *allowed; ///< copied; may be NULL
    size_t allowed_count;
    double margin;                    ///< for all pairs, metres; default NAN: not set
    uint32_t ignore_srdf_margins;     ///< 1: leave out the SRDF's collision margins
    const graze_pair_margin *margins; ///< copied; may be NULL
    size_t margin_count;
    const graze_name_policy *policies; ///< in place of `policy`; copied; may be NULL
    size_t policy_count;
    double domain; ///< metres: where epsilon must hold, see graze_robot_link_pose_error(); above 0,
                   ///< at most 2^20; default GRAZE_DOMAIN. With a margin above 0, a configuration
                   ///< outside is GRAZE_ERROR_RANGE
} graze_checker_options;

/// Writes the defaults of graze_checker_options into a structure of `size` bytes, the caller's size
/// of it: what graze_checker_options_default() calls, so that programs compiled against a shorter
/// one stay right. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_checker_options_init(graze_checker_options *options, size_t size);

/// The default rules: meshes, solids, all pairs that the SRDF leaves. Any thread. Allocates
/// nothing. Cost: O(1).
static inline graze_checker_options graze_checker_options_default(void) {
    graze_checker_options options;
    graze_checker_options_init(&options, sizeof options);
    return options;
}

/// Makes a checker. Pairs that no joint moves are judged here, once.
/// @param out     [out] free with graze_checker_free()
/// @param world   committed; NULL for none
/// @param options NULL for the defaults
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, world not committed, unknown name in an allowed
///         pair, a policy or a margin, options not initialised, two margins of one pair);
///         GRAZE_ERROR_RANGE (a margin that is negative, infinite or no number; a domain that is
///         none); GRAZE_ERROR_NO_MEMORY
/// The robot and the world must outlive it. Any thread. Nullable: world, options, error.
/// Allocates. Cost: O(links + pairs + objects), and a check of each pair that no joint moves.
GRAZE_API graze_status graze_checker_create(graze_checker **out, const graze_robot *robot,
                                            const graze_world *world,
                                            const graze_checker_options *options,
                                            graze_error *error);

/// Frees a checker; NULL is allowed. Checkers that were made from this one by
/// graze_checker_with_world() may live on; its workspaces must be freed before. Any thread.
/// Allocates nothing. Cost: O(links + pairs).
GRAZE_API void graze_checker_free(graze_checker *checker);

/// Makes a checker of the same robot and rules for another world, mostly a version of the first
/// (graze_world_revise()): what depends on the robot alone is shared, pairs that no joint moves are
/// not judged again, unless margins are given and the new world changes epsilon.
///
/// Rules hold by name: allowed pairs, margins and policies of an object count for the object of
/// that name in `world`, wherever it stands by now. Those that name something that is neither a
/// link nor in `world` are idle (graze_checker_idle_rules()), not lost: they count again in a
/// checker made from this one for a world that has the name. So what the new checker says depends
/// on the rules and on `world` alone, never on the worlds between.
/// @param out   [out] free with graze_checker_free()
/// @param world committed; NULL for none
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, world not committed); GRAZE_ERROR_RANGE (the error
///         of a pose has no bound, and there are margins); GRAZE_ERROR_NO_MEMORY
/// The robot and `world` must outlive it, the old checker and its world need not. Any thread.
/// Nullable: world, error. Cost: O(links + pairs) for small worlds, microseconds, else
/// O(links), and O(links objects) bytes where an object is allowed or has a margin.
/// Allocates. Free the result with graze_checker_free().
GRAZE_API graze_status graze_checker_with_world(graze_checker **out, const graze_checker *checker,
                                                const graze_world *world, graze_error *error);

/// Makes a checker of the same world and rules for another version of the robot: one that
/// graze_robot_attach(), graze_robot_detach() or graze_grasp_object() made. Pairs that no joint
/// moves, whose links have the same geometry, are not judged again.
///
/// Rules hold by name, as in graze_checker_with_world(): those of a body count while a link has its
/// name. Adjacent links, touch links and what the SRDF says are the new robot's. What the new
/// checker says depends on the rules, on `robot` and on the world alone.
/// @param out   [out] free with graze_checker_free()
/// @param robot any robot; mostly another version of the checker's
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_RANGE (the error of a pose has no
///         bound, and there are margins); GRAZE_ERROR_NO_MEMORY
/// The robot that the old checker was made for must live until this returns; `robot` and the world
/// must outlive the new checker. Any thread. Nullable: error. Allocates. Free the result with
/// graze_checker_free(). Cost: that of graze_checker_create() less the checks of pairs.
GRAZE_API graze_status graze_checker_with_robot(graze_checker **out, const graze_checker *checker,
                                                const graze_robot *robot, graze_error *error);

/// graze_checker_settings() into a structure of `size` bytes. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API void graze_checker_settings_sized(const graze_checker *checker,
                                            graze_checker_options *options, size_t size);

/// The options of a checker, with those that are idle; the defaults for NULL. Lists and names
/// belong to the checker. Any thread. Allocates nothing. Cost: O(1).
static inline graze_checker_options graze_checker_settings(const graze_checker *checker) {
    graze_checker_options options;
    graze_checker_settings_sized(checker, &options, sizeof options);
    return options;
}

/// How many allowed pairs, margins and policies name what the checker's world and robot do not
/// have; 0 but for checkers of graze_checker_with_world() and graze_checker_with_robot(). Any
/// thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API size_t graze_checker_idle_rules(const graze_checker *checker);

/// The robot that a checker was made for. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API const graze_robot *graze_checker_robot(const graze_checker *checker);

/// The world that a checker was made for, or NULL. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API const graze_world *graze_checker_world(const graze_checker *checker);
/// The epsilon of the contract, metres: how much closer or farther two parts may be at the snapped
/// pose than in real arithmetic, the robot's pose_error plus the greater of the robot's and the
/// world's; inside the domain of the options. At most 1e-9 in the default domain, but for robots
/// that are too long or turn too flat cylinders (docs/epsilon.md). Any thread.
/// Allocates nothing. Cost: O(1).
GRAZE_API double graze_checker_epsilon(const graze_checker *checker);

/// Two links, or a link and an object of the world, that both have collision geometry.
typedef struct graze_checked_pair {
    int32_t link, other;      ///< link indices, link < other; or a link and an object
    bool is_world;            ///< other is an object
    const char *hidden;       ///< why the pair is not checked ("adjacent", "allowed", the SRDF's
                              ///< reason ...); NULL: it is checked
    double margin;            ///< that counts, metres
    graze_policy policies[2]; ///< of the link and of the other
} graze_checked_pair;

/// Calls `each` with every pair, checked or not, until it returns false: link pairs by (a, b), then
/// links by (link, object). The checked ones in this order are the check order.
/// Any thread. Allocates nothing. Cost: O(pairs).
GRAZE_API void graze_checker_pairs(const graze_checker *checker,
                                   bool (*each)(const graze_checked_pair *pair, void *user),
                                   void *user);

/// Makes a workspace: what one thread at a time needs to check with one checker, and with no other
/// (but see graze_workspace_rebind()).
/// @param out [out] NULL on failure; free with graze_workspace_free(), before the checker
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_NO_MEMORY
/// Any thread. Allocates all that checks will need. Cost: O(links + pairs). Nullable: error.
GRAZE_API graze_status graze_workspace_create(graze_workspace **out, const graze_checker *checker,
                                              graze_error *error);

/// Frees a workspace; NULL is allowed. Any thread, while no check uses it. Allocates nothing. Cost:
/// O(1).
GRAZE_API void graze_workspace_free(graze_workspace *workspace);

/// Makes a workspace one of another checker, of any robot and world: mostly of the next version of
/// its own. It answers as a new one does.
/// @param workspace of any checker, which may have been freed
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL; the workspace lies in memory of the caller's, and
///         the new checker needs more); GRAZE_ERROR_NO_MEMORY: then it is still one of the old
///         checker
/// Any thread, while no check uses the workspace; it must be freed, or rebound, before the new
/// checker is freed. Nullable: error. Cost: as graze_workspace_create(). Allocates only where the
/// new checker needs more memory than any before it, with a quarter to spare, or has pairs in
/// thousands.
GRAZE_API graze_status graze_workspace_rebind(graze_workspace *workspace,
                                              const graze_checker *checker, graze_error *error);

/// Allocates what a workspace needs for batches besides (graze_batch.workspaces): rows are checked
/// eight at a time. The first batch of three rows or more does it where this was not called.
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_NO_MEMORY
/// One thread per workspace. Allocates, the first time. Cost: O(links + pairs). Nullable: error.
GRAZE_API graze_status graze_workspace_prepare_batch(graze_workspace *workspace,
                                                     graze_error *error);

typedef enum graze_verdict {
    GRAZE_FREE = 0,
    GRAZE_COLLISION = 1,
    GRAZE_UNKNOWN = 255 ///< an error: never to be taken for free
} graze_verdict;

/// How much to find out.
typedef enum graze_answer {
    GRAZE_ANSWER_ANY = 0,   ///< yes or no; contacts[0] names the pair that was found: any that
                            ///< collides (another processor, or a batch, may name another one),
                            ///< without triangles (-1) or points. The cheapest, also with contacts
    GRAZE_ANSWER_FIRST = 1, ///< the lowest pair in check order, with its lowest triangles:
                            ///< boundary, link pairs by (a, b), then links by (link, object)
    GRAZE_ANSWER_ALL = 2,   ///< every pair that collides, each with its lowest triangles
    GRAZE_ANSWER_PAIR = 3   ///< the lowest pair as GRAZE_ANSWER_FIRST, by name only: elements, but
                            ///< no triangles (-1), points or containment of links; cheaper
} graze_answer;

typedef enum graze_contact_kind {
    GRAZE_CONTACT_SELF = 0,
    GRAZE_CONTACT_WORLD = 1,
    GRAZE_CONTACT_BOUNDARY = 2
} graze_contact_kind;

/// One colliding pair.
typedef struct graze_contact {
    graze_contact_kind kind;
    int32_t link;          ///< the earlier link; the root for a boundary contact
    int32_t element;       ///< its collision element, 0-based within the link; -1 for boundary
    int32_t other;         ///< link (self) or object (world) index; -1 for boundary
    int32_t other_element; ///< element of the other link; point index for points; else 0; or -1
    bool contained;        ///< the surfaces are apart: one part lies inside a closed one
    int64_t triangle; ///< of the element, index in file order; -1 for sphere, cylinder, capsule
    int64_t other_triangle; ///< (a box has 12); for contained: -1 on the side of the container
    bool has_segment;       ///< segment holds the end points where two triangles meet; where they
                            ///< are apart, within the margin, a nearest point of each, the link's
                            ///< first
    graze_vec3 segment[2];  ///< world frame, rounded
    graze_vec3 point;       ///< a point of the contact (or near it, for curved shapes), world frame
} graze_contact;

/// Counters of what a check did; graze_stats_add() sums them over calls. Links that no joint moves
/// are judged against the world once per base pose, which is not counted. The same for any number
/// of threads; from one instruction set to another a filter in float may decide a pair that the
/// next stage decides there, which moves between counters and changes no answer.
typedef struct graze_stats {
    uint64_t configurations;
    uint64_t link_pairs;        ///< considered
    uint64_t lane_rejects;      ///< pairs and links found apart in float, eight side by side
    uint64_t sphere_rejects;    ///< apart by their spheres
    uint64_t obb_rejects;       ///< apart by their boxes
    uint64_t geometry_pairs;    ///< that reached the narrow phase
    uint64_t proxy_rejects;     ///< apart by a plane between a few of their vertices, proved on all
    uint64_t proxy_hits;        ///< overlapping by a vertex of one surely inside the other
    uint64_t node_tests;        ///< box against up to eight boxes
    uint64_t packet_tests;      ///< triangle against up to eight triangles
    uint64_t triangle_tests;    ///< double filter
    uint64_t exact_tests;       ///< expansion arithmetic
    uint64_t shape_tests;       ///< curved shape against triangle or shape
    uint64_t containment_tests; ///< winding numbers computed
} graze_stats;

/// graze_stats_add() for a caller whose graze_stats have `size` bytes. Any thread. Allocates
/// nothing. Cost: O(1).
GRAZE_API void graze_stats_add_sized(graze_stats *sum, const graze_stats *more, size_t size);

/// Adds the counters of `more` to `sum`. Any thread. Allocates nothing. Cost: O(1).
static inline void graze_stats_add(graze_stats *sum, const graze_stats *more) {
    graze_stats_add_sized(sum, more, sizeof *sum);
}

/// The answer for one configuration. The caller sets contacts and capacity (may be NULL and 0), and
/// violated with capacity violated_capacity, before the call.
typedef struct graze_report {
    graze_verdict verdict;
    graze_contact *contacts;
    size_t capacity;
    size_t count;      ///< contacts found; written are min(count, capacity)
    bool truncated;    ///< count > capacity
    int32_t *violated; ///< joints outside their limits, in file order; not a collision
    size_t violated_capacity;
    size_t violated_count;
    size_t contact_size; ///< graze_check() writes it: bytes of one of the contacts
    graze_stats stats;   ///< of this call
} graze_report;

/// graze_check() for a caller whose graze_report and graze_contact have these sizes.
/// @return as there. One thread per workspace. Allocates nothing. Cost: as there.
GRAZE_API graze_status graze_check_sized(const graze_checker *checker, graze_workspace *workspace,
                                         graze_answer answer, const double *q, size_t q_count,
                                         const double *base, graze_report *report,
                                         size_t report_size, size_t contact_size,
                                         graze_error *error);

/// Checks one configuration.
/// @param q    graze_robot_q_size() numbers, see graze_robot_pose()
/// @param base x y z roll pitch yaw of the root link, or NULL for the identity
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT, GRAZE_ERROR_RANGE as graze_robot_pose(); on any error
///         report->verdict is GRAZE_UNKNOWN
/// Allocates nothing. One thread per workspace. Nullable: base, error.
/// Cost: microseconds; docs/benchmarks.md.
static inline graze_status graze_check(const graze_checker *checker, graze_workspace *workspace,
                                       graze_answer answer, const double *q, size_t q_count,
                                       const double *base, graze_report *report,
                                       graze_error *error) {
    return graze_check_sized(checker, workspace, answer, q, q_count, base, report, sizeof *report,
                             sizeof(graze_contact), error);
}

/// graze_check_posed() for a caller whose graze_report and graze_contact have these sizes.
/// @return as there. One thread per workspace. Allocates nothing. Cost: as there.
GRAZE_API graze_status graze_check_posed_sized(const graze_checker *checker,
                                               graze_workspace *workspace, graze_answer answer,
                                               const graze_transform *links, size_t link_count,
                                               graze_report *report, size_t report_size,
                                               size_t contact_size, graze_error *error);

/// Checks poses of links from outside, for programs with kinematics of their own: what
/// graze_check() does, with the poses in place of q.
///
/// The poses are the input, and nothing is computed of them: a verdict is about w = fl(R v + t)
/// with the pose of a geometry's `frame` (graze_geometry) as given, the root link of its rigid
/// body. For what graze_robot_pose() makes of a q, which is also the way to the poses of a check,
/// verdict and contacts are those of graze_check() for that q, bit for bit (but for which pair
/// GRAZE_ANSWER_ANY names). Joints are not looked at: links may be anywhere, no limit is violated.
/// Rules are the checker's, and links of one body have the verdict among each other that they
/// always have. With a margin above 0 all links must be in the domain; epsilon holds, the real pose
/// being R v + t without rounding.
/// @param links      a pose for each link, link frame to world, m, by link index, attached bodies
///                   too: finite, magnitudes of at most 2^20, and rigid up to 1e-9
///                   (graze_transform_normalise()). Of links that are fixed to the root link of
///                   their body, those with collision geometry must stand where its pose places
///                   them, entries up to 1e-6; others are not read
/// @param link_count graze_robot_link_count()
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, another number of poses, the workspace of another
///         checker, a pose that is not rigid, a fixed link that stands elsewhere);
///         GRAZE_ERROR_RANGE (NaN, infinity, a coordinate above 2^20 m or, under margins, outside
///         the domain); error->element names the link; on any error report->verdict is
///         GRAZE_UNKNOWN
/// Allocates nothing. One thread per workspace; calls of graze_check() may come between. Nullable:
/// error. Cost: that of graze_check(), with the poses looked at in place of kinematics, through the
/// same filter in float. Where a pose is farther off rigid than what graze_robot_pose() makes, or a
/// link from the root than its joints could take it, all pairs are tested in double: up to three
/// times that.
static inline graze_status graze_check_posed(const graze_checker *checker,
                                             graze_workspace *workspace, graze_answer answer,
                                             const graze_transform *links, size_t link_count,
                                             graze_report *report, graze_error *error) {
    return graze_check_posed_sized(checker, workspace, answer, links, link_count, report,
                                   sizeof *report, sizeof(graze_contact), error);
}

/// The name of a contact's link; lives as long as the robot. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API const char *graze_contact_link_name(const graze_checker *checker,
                                              const graze_contact *contact);

/// The name of a contact's other side: the other link's, the object's, "boundary", or "world" where
/// `other` is -1 (see graze_explanation). Lives as long as the robot and the world. Any thread.
/// Allocates nothing. Cost: O(1).
GRAZE_API const char *graze_contact_other_name(const graze_checker *checker,
                                               const graze_contact *contact);

/// The order in which the rows of a batch are checked. It changes no row's answer.
typedef enum graze_batch_order {
    GRAZE_ORDER_ROWS = 0,        ///< as they stand
    GRAZE_ORDER_BIT_REVERSED = 1 ///< from coarse to fine, for rows along a motion: of counters 0,
                                 ///< 1, 2 ... the bits reversed (van der Corput 1935), in as many
                                 ///< bits as the last row needs; what is no row is passed over
} graze_batch_order;

/// How far a batch has come, in rows. Called on the thread of the batch's caller.
typedef void (*graze_batch_progress)(uint64_t done, uint64_t total, void *user);

/// Many configurations at once. Obtain from graze_batch_default(), then set the fields; those
/// behind `cancel` may all stay 0 or NULL.
typedef struct graze_batch {
    uint32_t struct_size;
    uint32_t threads;          ///< default 1; 0 = one per processor; see `workspaces`
    size_t count;              ///< configurations
    const double *q;           ///< count rows of graze_robot_q_size() numbers, or see `columns`
    const double *base;        ///< count rows of 6, or NULL: base_common for all
    const double *base_common; ///< one base pose for all, or NULL: the identity
    graze_answer answer;       ///< default GRAZE_ANSWER_ANY; GRAZE_ANSWER_ALL needs `counts`
    uint8_t *verdicts;         ///< [out] count values of graze_verdict
    graze_contact *contacts;   ///< [out] count contacts, valid where verdicts[i] is 1; may be NULL.
                               ///< With GRAZE_ANSWER_ALL see `offsets`
    graze_stats *stats;        ///< [out] sums, may be NULL
    const volatile int
        *cancel; ///< ends the batch where not 0; may be NULL. It is read as a relaxed
                 ///< atomic: other threads write it by an atomic store, of an
                 ///< `_Atomic int` or a `std::atomic<int>` whose address is cast to
                 ///< this type (graze::cancel_flag() of graze.hpp does it); signal
                 ///< handlers a `volatile sig_atomic_t`

    const float *q_float; ///< rows of floats, in place of `q`: the check is that of their values as
                          ///< doubles
    size_t q_stride;      ///< numbers from one row's first to the next one's; 0: those of a row
    size_t base_stride;   ///< the same of `base`; 0: 6
    const int32_t *columns; ///< of q that a row has, in its order; of a column named twice the last
                            ///< number counts; NULL: all
    size_t column_count;    ///< of `columns`: numbers of a row
    const double *rest;     ///< graze_robot_q_size() numbers, of which the columns that rows do not
                            ///< have are taken; NULL: graze_robot_rest()
    graze_batch_order order;
    uint32_t
        stop_at_first; ///< 1: ends with the first row, in that order, that is not free: that
                       ///< collides, or fails. All rows behind it hold GRAZE_UNKNOWN, whichever
                       ///< were looked at; with more threads than one, `stats` counts these
    size_t *first;     ///< [out] with stop_at_first: that row; `count` where all are free; SIZE_MAX
                       ///< where the batch ended before that was known; may be NULL
    int32_t *links;    ///< [out] per row graze_contact.link of what contacts[i] holds, or would; -1
                       ///< where no pair is known to collide; may be NULL
    int32_t *others;   ///< [out] the same of graze_contact.other
    uint8_t *kinds;    ///< [out] the same of graze_contact.kind; 0 where no pair is known
    uint8_t *outside_limits; ///< [out] per row: 1 where a joint is outside its limits, which is no
                             ///< collision; 0 for rows not done; may be NULL
    size_t *counts;  ///< [out] per row: contacts found; with answers but GRAZE_ANSWER_ALL 0 or 1;
                     ///< may be NULL
    size_t *offsets; ///< count + 1 numbers, with GRAZE_ANSWER_ALL. [out] without `contacts`: where
                     ///< each row's begin, the sums of `counts`, and how many there are. [in] with
                     ///< `contacts`: those of row i go to contacts[offsets[i]] and on, up to
                     ///< offsets[i + 1]; ascending
    size_t contact_capacity; ///< of `contacts` with GRAZE_ANSWER_ALL: the last offset at least
    bool *truncated;         ///< [out] some row had more contacts than places; may be NULL
    graze_workspace *const
        *workspaces; ///< one for each thread, in place of `threads`: all different
                     ///< and of this checker. Then nothing is allocated, see
                     ///< graze_workspace_prepare_batch(); NULL: the batch's own
    size_t workspace_count;
    graze_batch_progress progress; ///< called now and then, and at the end; may be NULL
    void *user;                    ///< for progress
    const graze_rules *rules;      ///< of this checker, for all rows; NULL: the checker's own
} graze_batch;

/// Writes the defaults of graze_batch into a structure of `size` bytes, the caller's size of it:
/// what graze_batch_default() calls, so that programs compiled against a shorter one stay right.
/// Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_batch_init(graze_batch *options, size_t size);

/// A batch without rows: one thread, GRAZE_ANSWER_ANY. Any thread. Allocates nothing. Cost: O(1).
static inline graze_batch graze_batch_default(void) {
    graze_batch options;
    graze_batch_init(&options, sizeof options);
    return options;
}

/// graze_check_batch() for a caller whose graze_contact and graze_stats have these sizes.
/// @return as there. Any thread. Allocates as there. Cost: as there.
GRAZE_API graze_status graze_check_batch_sized(const graze_checker *checker,
                                               const graze_batch *batch, size_t contact_size,
                                               size_t stats_size, graze_error *error);

/// Checks a batch; the results are those of graze_check() for each row, whatever the threads and
/// the order (but for which pair GRAZE_ANSWER_ANY names).
///
/// All contacts of all rows take two calls: the first, without `contacts`, counts them and fills
/// `offsets`; the second writes them to where these say. Offsets of the caller's own make one call
/// of it, with as many places a row as they say.
/// @return GRAZE_OK; the first row (lowest index) that failed decides the error, whose element is
///         "row N" (0-based); every other row is still checked, but with stop_at_first; rows not
///         done (error, cancelled, stopped) hold GRAZE_UNKNOWN; GRAZE_ERROR_ARGUMENT (NULL, both
///         kinds of rows, no such column, offsets that descend or exceed the capacity, a workspace
///         twice or of another checker); GRAZE_ERROR_CANCELLED
/// Without `workspaces` it makes its own, of which the checker keeps one for the next batch: a
/// batch of a few rows costs about as much as these checks by themselves. Any thread. Nullable:
/// error. Allocates when threads or many rows need more workspaces, and nothing with the caller's.
/// Cost: rows times less than that of graze_check().
static inline graze_status graze_check_batch(const graze_checker *checker, const graze_batch *batch,
                                             graze_error *error) {
    return graze_check_batch_sized(checker, batch, sizeof(graze_contact), sizeof(graze_stats),
                                   error);
}

/// What became of one pair in a check.
typedef enum graze_stage {
    GRAZE_STAGE_STATIC = 0,     ///< judged when the checker was made (or the base was placed)
    GRAZE_STAGE_SPHERE = 1,     ///< bounding spheres apart
    GRAZE_STAGE_BOX = 2,        ///< oriented boxes apart
    GRAZE_STAGE_TREE = 3,       ///< bounding-volume trees apart, or packets of triangles
    GRAZE_STAGE_TRIANGLE = 4,   ///< triangles or shapes tested, apart or meeting
    GRAZE_STAGE_EXACT = 5,      ///< expansion arithmetic was needed
    GRAZE_STAGE_CONTAINMENT = 6 ///< winding numbers decided
} graze_stage;

/// One pair's way through the stages.
typedef struct graze_explanation {
    graze_contact_kind kind;
    int32_t link, other; ///< as in graze_contact; other is -1 where a link met no object: then the
                         ///< entry stands for all of the world
    graze_stage stage;   ///< the last stage that the pair reached
    bool collides;
    double margin;      ///< of the pair, metres, as it counts (0 or at least epsilon); where other
                        ///< is -1 the greatest of the link against any object
    bool allowed;       ///< the SRDF or an allowed pair hides it: it collides, and does not count
    const char *reason; ///< why it is allowed: the SRDF's reason, "allowed", "adjacent"; else ""
    graze_stats stats;  ///< this pair's counters
    uint64_t reserved[8];  ///< 0: room for counters that graze_stats will have
    graze_contact contact; ///< where collides is true
} graze_explanation;

/// Runs every pair of a configuration through all stages, allowed pairs too, and says what became
/// of each; for people, not for speed.
/// @param each called once per pair, in check order, allowed pairs last; return false to stop
/// @return as graze_check(); GRAZE_ERROR_UNSUPPORTED for a checker of GRAZE_LEVEL_BOUNDS
/// One thread per workspace. Allocates nothing. Cost: every pair is tested.
GRAZE_API graze_status graze_check_explain(const graze_checker *checker, graze_workspace *workspace,
                                           const double *q, size_t q_count, const double *base,
                                           bool (*each)(const graze_explanation *explanation,
                                                        void *user),
                                           void *user, graze_error *error);

/// An object of a world that a link is to carry. Obtain from graze_grasp_default(), then set the
/// fields.
typedef struct graze_grasp {
    uint32_t struct_size; ///< set by the default; do not change
    const char *object, *link;
    const double *q; ///< the configuration in which it is grasped: the object stays where it stands
    size_t q_count;
    const double *base;             ///< x y z roll pitch yaw of the root link; NULL: the identity
    const char *const *touch_links; ///< links that it may touch besides `link`; may be NULL
    size_t touch_link_count;
} graze_grasp;

/// Writes the defaults of graze_grasp into a structure of `size` bytes, the caller's size of it:
/// what graze_grasp_default() calls, so that programs compiled against a shorter one stay right.
/// Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_grasp_init(graze_grasp *grasp, size_t size);

/// A grasp of nothing by no link, without touch links. Any thread. Allocates nothing. Cost: O(1).
static inline graze_grasp graze_grasp_default(void) {
    graze_grasp grasp;
    graze_grasp_init(&grasp, sizeof grasp);
    return grasp;
}

/// Attaches an object of a world to a link: a version of the robot that carries it, with the
/// object's name, and a version of the world without it. Both or neither are made.
/// @param new_robot, new_world [out] to be freed; NULL on failure
/// @return as graze_robot_pose() for q, graze_robot_attach() and graze_world_revise();
///         GRAZE_ERROR_NOT_FOUND (no such object)
/// Any thread. Nullable: error. Cost: as graze_robot_attach() and removing from the world.
/// Allocates.
GRAZE_API graze_status graze_grasp_object(graze_robot **new_robot, graze_world **new_world,
                                          const graze_robot *robot, const graze_world *world,
                                          const graze_grasp *grasp, graze_error *error);

/// Puts down what a link carries: a version of the robot without it, and a version of the world
/// with an object of its name and shape that stands where the body is in a configuration. Both or
/// neither are made. The vertices of a mesh are rounded once, into the frame that the object had
/// when it was grasped.
/// @param new_robot,new_world [out] to be freed with graze_robot_free() and graze_world_free();
/// NULL on
///                            failure
/// @param object the body's name
/// @param q      the configuration in which it is put down, q_count numbers
/// @param base   x y z roll pitch yaw of the root link; NULL: the identity
/// @return as graze_robot_pose() for q, graze_robot_detach() and graze_world_revise();
///         GRAZE_ERROR_NOT_FOUND (no link carries such a body); GRAZE_ERROR_ARGUMENT (NULL)
/// Any thread. Allocates. Nullable: base, error. Cost: as graze_robot_detach() and adding to the
/// world.
GRAZE_API graze_status graze_release_object(graze_robot **new_robot, graze_world **new_world,
                                            const graze_robot *robot, const graze_world *world,
                                            const char *object, const double *q, size_t q_count,
                                            const double *base, graze_error *error);

/// Answers the simplest question, as KinEval's poseIsCollision: the name of a link in collision,
/// NULL when free, "?" on any error (NaN, no memory, q of a robot that has none ...). A boundary
/// collision names the root link.
/// @param world may be NULL
/// @param q graze_robot_q_size() numbers
/// Any thread. Allocates: makes and frees a checker. Cost: that of graze_checker_create(); for
/// first steps, not for loops.
GRAZE_API const char *graze_pose_is_collision(const graze_robot *robot, const graze_world *world,
                                              const double *q);

#ifdef __cplusplus
}
#endif

#endif
