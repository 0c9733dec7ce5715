/// @file motion.h
/// Certified motion: is the robot free on the whole way from one configuration to another, not only
/// at samples of it? docs/motion.md has the statement that is proved.
#ifndef GRAZE_MOTION_H
#define GRAZE_MOTION_H

#include "check.h"
#include "space.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Everything that a query of motions writes to; one per thread. It changes speed, never results.
typedef struct graze_motion_workspace graze_motion_workspace;

/// What is known of a motion. Only GRAZE_MOTION_FREE may be taken for free.
typedef enum graze_motion_verdict {
    GRAZE_MOTION_FREE = 0,      ///< proved: free at every t of [0, 1]
    GRAZE_MOTION_HIT = 1,       ///< graze_check() says COLLISION at `latest`
    GRAZE_MOTION_UNDECIDED = 2, ///< neither: closer than the resolution, or the budget is spent
    GRAZE_MOTION_UNKNOWN = 255  ///< an error
} graze_motion_verdict;

/// Which collision is wanted.
typedef enum graze_motion_answer {
    GRAZE_MOTION_ANY = 0,  ///< any: the cheapest, from coarse to fine
    GRAZE_MOTION_FIRST = 1 ///< the first, to `width`
} graze_motion_answer;

/// An object of the world that moves, without turning, on a straight line at a constant speed while
/// the robot moves. It is where the world has it at the begin: at t = 0, or at the time at which a
/// trajectory begins.
typedef struct graze_moving_object {
    int32_t object;     ///< its index in the world; of one of several shapes, that of the first
    uint32_t reserved;  ///< 0
    double velocity[3]; ///< world frame, metres per unit of t: the way from `from` to `to`; of a
                        ///< trajectory metres per second
} graze_moving_object;

/// How a motion is checked. Obtain from graze_motion_options_default(), then change fields.
typedef struct graze_motion_options {
    uint32_t struct_size;       ///< set by the default; do not change
    graze_turn turn;            ///< of circles, and of the base's angles; default
                                ///< GRAZE_TURN_SHORTER
    graze_motion_answer answer; ///< default GRAZE_MOTION_ANY
    uint32_t reserved;          ///< 0
    double width;      ///< of t, above 0: how wide [earliest, latest] of GRAZE_MOTION_FIRST is to
                       ///< be; default 1e-3
    double resolution; ///< metres, above 0: where links move by no more than this against each
                       ///< other, nothing is split further; default 1e-6
    uint64_t budget; ///< most tests of a pair on an interval; spent: UNDECIDED, or HIT with a wide
                     ///< [earliest, latest]; 0: no limit; default 20000
    const volatile int *cancel; ///< looked at before each interval; not 0: GRAZE_ERROR_CANCELLED.
                                ///< Read as graze_batch::cancel; may be NULL, the default
    const graze_moving_object *moving; ///< each object once; the others stand
    size_t moving_count;               ///< default 0
} graze_motion_options;

/// Writes the defaults of graze_motion_options into a structure of `size` bytes, the caller's size
/// of it: what graze_motion_options_default() calls. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_motion_options_init(graze_motion_options *options, size_t size);

/// The defaults. Any thread. Allocates nothing. Cost: O(1).
static inline graze_motion_options graze_motion_options_default(void) {
    graze_motion_options options;
    graze_motion_options_init(&options, sizeof options);
    return options;
}

/// What became of a motion.
typedef struct graze_motion_report {
    graze_motion_verdict verdict;
    double earliest; ///< proved free for t in [0, earliest), and at 1 where it is 1: OMPL's
                     ///< lastValid
    double latest;   ///< HIT: graze_check() says COLLISION there. UNDECIDED: the end of the first
                     ///< interval that is not proved. FREE: 1
    graze_contact contact; ///< HIT: at `latest`, as graze_check() gives it with GRAZE_ANSWER_PAIR,
                           ///< or with GRAZE_ANSWER_FIRST where the first collision is wanted.
                           ///< UNDECIDED: the pair, elements and triangles -1
    uint64_t configurations; ///< posed, or checked
    uint64_t pair_tests;     ///< of a pair on an interval of the motion
    uint64_t far_pairs;      ///< pairs apart on the whole motion by one test
    bool spent;              ///< the budget ran out
} graze_motion_report;

/// Makes what one thread at a time needs for motions of one checker; of a checker of a scene
/// (scene.h) for the version that a view holds: once that is given back it is refused.
/// @param out [out] NULL on failure; free with graze_motion_workspace_free(), before the checker
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_UNSUPPORTED (a checker of
///         GRAZE_LEVEL_BOUNDS, or a robot that has no epsilon); GRAZE_ERROR_NO_MEMORY
/// Any thread. Allocates all that queries will need. Cost: O(links + pairs). Nullable: error.
GRAZE_API graze_status graze_motion_workspace_create(graze_motion_workspace **out,
                                                     const graze_checker *checker,
                                                     graze_error *error);

/// Frees a workspace; NULL is allowed. Any thread, while no query uses it. Allocates nothing. Cost:
/// O(1).
GRAZE_API void graze_motion_workspace_free(graze_motion_workspace *workspace);

/// graze_check_motion() for a caller whose graze_motion_report has `size` bytes.
/// @return as there. One thread per workspace. Allocates nothing. Cost: as there.
GRAZE_API graze_status graze_check_motion_sized(
    const graze_checker *checker, graze_motion_workspace *workspace, const double *from,
    const double *to, size_t q_count, const double *from_base, const double *to_base,
    const graze_motion_options *options, graze_motion_report *report, size_t size,
    graze_error *error);

/// Checks the straight motion between two configurations, all of it: the motion of
/// graze_robot_interpolate(), while the base moves straight and its three angles change in
/// proportion to t, each as a circle by `turn`.
///
/// FREE is a proof in real arithmetic: at every real t of [0, 1] every pair that is checked is
/// farther apart than its margin, and graze_check() says FREE at every configuration that
/// graze_robot_interpolate() gives. Pairs of links that stand still have the verdict of the
/// contract at `from`. HIT: graze_check() says COLLISION at `latest`, free before `earliest`.
/// UNDECIDED is everything else, such as a gap of a few nanometres: never FREE.
///
/// With objects that move, all this is said of the world as it is at that t. A HIT with one of them
/// is confirmed as seen from the object: in the world as given, with the robot moved back by what
/// the object has moved; `contact` is where the object is then.
/// @param from,to  q_count = graze_robot_q_size() numbers each, see graze_robot_pose()
/// @param from_base,to_base x y z roll pitch yaw, m and rad; NULL: `from_base` the identity,
///                 `to_base` that of `from`
/// @param options  NULL: the defaults
/// @param report   [out] on any error its verdict is GRAZE_MOTION_UNKNOWN
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, wrong length, options not initialised, no such
///         turn or answer, the workspace of another checker, a moving object that is none, or is
///         there twice); GRAZE_ERROR_RANGE (q or base as graze_robot_pose(), width or resolution, a
///         velocity that is not finite, or a motion, also as seen from what moves, that may leave
///         the domain of the checker's options, where epsilon holds); GRAZE_ERROR_CANCELLED
/// The same report on every machine. One thread per workspace. Allocates nothing. Nullable:
/// from_base, to_base, options, error.
/// Cost: some tens of microseconds where there is space; it grows with the number of intervals,
/// about the motion's length divided by the least clearance on the way. Source: Schwarzer, Saha and
/// Latombe (2005), "Adaptive dynamic collision checking for single and multiple articulated
/// robots".
static inline graze_status graze_check_motion(const graze_checker *checker,
                                              graze_motion_workspace *workspace, const double *from,
                                              const double *to, size_t q_count,
                                              const double *from_base, const double *to_base,
                                              const graze_motion_options *options,
                                              graze_motion_report *report, graze_error *error) {
    return graze_check_motion_sized(checker, workspace, from, to, q_count, from_base, to_base,
                                    options, report, sizeof *report, error);
}

/// Where the base is at t of a motion, beside the configuration that graze_robot_interpolate()
/// gives: the bits that graze_check_motion() checks.
/// @param from_base,to_base as there
/// @param t    0 to 1
/// @param base [out] x y z roll pitch yaw, m and rad; may be `from_base` or `to_base`
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (base is NULL, no such turn); GRAZE_ERROR_RANGE (t, or a
///         base that is not finite or too large)
/// The same bits on every machine. Any thread. Allocates nothing. Cost: O(1). Nullable: from_base,
/// to_base, error.
GRAZE_API graze_status graze_motion_base(const double *from_base, const double *to_base,
                                         graze_turn turn, double t, double *base,
                                         graze_error *error);

/// Whether a motion may come near objects of the world, by bounding boxes: which motions a change
/// of the world can reach. False is a proof that every link that is checked stays farther from each
/// of them than its margin, as GRAZE_MOTION_FREE says, and that links which stand still do not
/// collide with them at `from`. True says nothing. The boundary and links against each other are
/// not looked at; objects are taken to stand.
/// @param from,to,from_base,to_base,turn as in graze_check_motion()
/// @param objects  per object of the world, by index: those that are not 0 count. NULL: all
/// @param halvings where boxes around the whole motion are near, its halves are looked at, and so
///                 on, so many times at most; 0 to 16
/// @param reaches  [out] true on any error
/// @return GRAZE_OK; as graze_check_motion(), and GRAZE_ERROR_RANGE (halvings)
/// The same on every machine. One thread per workspace. Allocates nothing. Nullable: from_base,
/// to_base, objects, error. Cost: some microseconds where the motion is far, at most 2^halvings
/// times as many where it is near.
GRAZE_API graze_status graze_motion_reaches(const graze_checker *checker,
                                            graze_motion_workspace *workspace, const double *from,
                                            const double *to, size_t q_count,
                                            const double *from_base, const double *to_base,
                                            graze_turn turn, const uint8_t *objects,
                                            uint32_t halvings, bool *reaches, graze_error *error);

/// Many motions at once, or the motions of a path. Obtain from graze_motion_batch_default(), then
/// set the fields.
typedef struct graze_motion_batch {
    uint32_t struct_size; ///< set by the default; do not change
    uint32_t threads;     ///< default 1; 0 = one per processor
    size_t rows;          ///< configurations
    const double *q;      ///< rows of graze_robot_q_size() numbers
    const double *base;   ///< rows of 6, or NULL: the identity for all
    size_t count;         ///< motions
    const uint32_t *ends; ///< two rows for each motion, from and to; NULL: motion i goes from row i
                          ///< to row i + 1, and count is below rows
    uint32_t stop;        ///< 1: ends at the first motion, by index, that is not free; those
                          ///< behind it have no result. Default 0
    const graze_motion_options *options; ///< of each motion; NULL: the defaults. Objects that move
                                         ///< begin anew with each, so `ends` must be given
    uint8_t *verdicts;                   ///< [out] count values of graze_motion_verdict
    double *earliest;           ///< [out] count numbers as in graze_motion_report; may be NULL
    double *latest;             ///< [out] likewise
    const volatile int *cancel; ///< checked before each motion; may be NULL
} graze_motion_batch;

/// Writes the defaults of graze_motion_batch into a structure of `size` bytes, the caller's size of
/// it: what graze_motion_batch_default() calls. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_motion_batch_init(graze_motion_batch *options, size_t size);

/// A batch without motions: one thread, default options. Any thread. Allocates nothing. Cost: O(1).
static inline graze_motion_batch graze_motion_batch_default(void) {
    graze_motion_batch options;
    graze_motion_batch_init(&options, sizeof options);
    return options;
}

/// Checks many motions; each has the result of graze_check_motion(), whatever the threads.
/// @param first [out] the lowest index of a motion that is not free; count where all are. May be
///              NULL
/// @return GRAZE_OK; the first motion (lowest index) that failed decides the error, whose element
/// is
///         "motion N" (0-based); the others are still checked, unless `stop` is set;
///         GRAZE_ERROR_ARGUMENT also for a row that is not there; GRAZE_ERROR_CANCELLED. What is
///         not done, or failed, is GRAZE_MOTION_UNKNOWN, with 0 for `earliest` and `latest`
/// Any thread. Allocates a workspace for each thread. Cost: motions times that of
/// graze_check_motion(). Nullable: first, error.
GRAZE_API graze_status graze_check_motion_batch(const graze_checker *checker,
                                                const graze_motion_batch *batch, size_t *first,
                                                graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
