/// @file matrix.h
/// The allowed-collision matrix with its evidence: for every pair of links whether they can touch
/// inside the limits of their joints, and how that is known; and the review of an SRDF against it.
#ifndef GRAZE_MATRIX_H
#define GRAZE_MATRIX_H

#include "robot.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is known of a pair. "Collides" is the verdict of graze_check(), solids, margin 0.
typedef enum graze_matrix_kind {
    GRAZE_MATRIX_ADJACENT = 0, ///< joined by a joint, looking through links without geometry
    GRAZE_MATRIX_ALWAYS = 1,   ///< collides in every sample, or no joint moves it and it collides;
                               ///< never said over a planar or floating joint, or an unlimited one
    GRAZE_MATRIX_NEVER_PROVED = 2,  ///< proved: free in every configuration inside the limits
    GRAZE_MATRIX_NEVER_SAMPLED = 3, ///< free in every sample, and no search found a contact
    GRAZE_MATRIX_DEFAULT = 4,       ///< collides at rest, and not always, or a joint without limits
                                    ///< is between and none was met apart: must be checked
    GRAZE_MATRIX_SOMETIMES = 5,     ///< collides somewhere, not at rest: must be checked
    GRAZE_MATRIX_UNBOUNDED = 6,     ///< a planar or floating joint between, without limits, and no
                                    ///< contact found: must be checked
    GRAZE_MATRIX_UNPROVED = 7       ///< of a quick matrix alone: no contact was met, and no proof
                                    ///< ended: must be checked
} graze_matrix_kind;
#define GRAZE_MATRIX_KIND_COUNT 8

/// The name of a kind: "adjacent", "always", "never-proved", "never-sampled", "default",
/// "sometimes", "unbounded", "unproved"; "unknown" for other numbers. Static storage. Any thread.
/// Allocates nothing. Cost: O(1).
GRAZE_API const char *graze_matrix_kind_name(graze_matrix_kind kind);

/// The SRDF's reason for leaving such a pair out: "Adjacent", "Always" or "Never"; NULL where the
/// pair must be checked. Static storage. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API const char *graze_matrix_kind_reason(graze_matrix_kind kind);

/// The matrix of a robot. Immutable; share between threads.
typedef struct graze_matrix graze_matrix;

/// What is known of one pair, and from what. Pointers live as long as the matrix.
typedef struct graze_matrix_entry {
    int32_t a, b; ///< link indices, a < b; both have collision geometry
    graze_matrix_kind kind;
    bool adjacent;         ///< joined by a joint, whatever the kind
    bool rest_collides;    ///< at graze_robot_rest()
    int32_t joint_count;   ///< joints between the two that move, mimic joints included
    int32_t column_count;  ///< numbers of q that move the pair; no other has any influence
    uint64_t samples;      ///< uniform in the limits of these numbers; 0: not needed
    uint64_t collisions;   ///< of these
    uint64_t searched;     ///< configurations besides: corners, and steps towards contact
    uint64_t nodes;        ///< boxes of configurations that the proof looked at, or tried to
    double proved_share;   ///< of the volume of the limits that is proved free, 0 to 1
    double rate_bound;     ///< NEVER_SAMPLED: the share of configurations that collide is below
                           ///< this, at 95 % confidence: the rule of three, 3 / samples; else 0
    double distance;       ///< NEVER_SAMPLED: proved at `nearest`, the least distance that was
                           ///< met: farther apart than this there, metres; else NAN
    const double *nearest; ///< graze_robot_q_size() numbers, or NULL
    const double *witness; ///< a configuration inside the limits in which the pair collides; others
                           ///< than its own numbers are at rest; NULL where none was met
    const double *apart;   ///< one in which it does not; NULL where none was met
} graze_matrix_entry;

/// How far the work is: `done` of `total`, in units of no meaning. Called on the caller's thread.
typedef void (*graze_matrix_progress)(uint64_t done, uint64_t total, void *user);

/// How hard to look. Obtain from graze_matrix_options_default(), then change fields.
typedef struct graze_matrix_options {
    uint32_t struct_size;       ///< set by the default; do not change
    uint32_t threads;           ///< default 1; 0 = one per processor; never changes the matrix
    uint64_t samples;           ///< per pair, 1 to 1e9; default 10,000
    uint64_t seed;              ///< default 1
    uint64_t search;            ///< steps towards contact, per pair; default 600
    uint64_t budget;            ///< proofs: work per pair in units of a node's least cost, some
                                ///< 0.5 us; what easy pairs leave goes to the others; 0: no proofs;
                                ///< default 100,000, at most 1e12
    const volatile int *cancel; ///< looked at before each configuration; may be NULL
    graze_matrix_progress progress; ///< may be NULL
    void *user;                     ///< for progress
    uint64_t quick; ///< above 0: a quick matrix, with so much work for the proofs of all pairs
                    ///< together, at most 1e12; what was neither seen to collide nor is proved free
                    ///< is GRAZE_MATRIX_UNPROVED, and nothing is called never from samples; one
                    ///< contact and one place apart end the samples of a pair; `search` and
                    ///< `budget` do not count. 0, the default: no; GRAZE_MATRIX_QUICK fits
} graze_matrix_options;

/// Work for a quick matrix: some 4 s of one processor.
#define GRAZE_MATRIX_QUICK UINT64_C(20000000)

/// Writes the defaults of graze_matrix_options into a structure of `size` bytes, the caller's size
/// of it: what graze_matrix_options_default() calls, so that programs compiled against a shorter
/// one stay right. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_matrix_options_init(graze_matrix_options *options, size_t size);

/// The default options of a matrix. Any thread. Allocates nothing. Cost: O(1).
static inline graze_matrix_options graze_matrix_options_default(void) {
    graze_matrix_options options;
    graze_matrix_options_init(&options, sizeof options);
    return options;
}

/// Computes the matrix. What the robot's SRDF disables or enables is not looked at, except that an
/// adjacent pair which it enables counts as any other.
///
/// Each pair is judged by itself, over the numbers of q that move its joints: samples first; where
/// none collides, a proof by branch and bound (a box of configurations is free when the pair is
/// farther apart in its middle than it can come inside the box); where the proof does not end, more
/// samples and a search from the nearest of them. docs/srdf.md derives the bounds. Source: motion
/// bounds as in Schwarzer, Saha and Latombe (2005), "Adaptive dynamic collision checking for single
/// and multiple articulated robots"; the rule of three as in Hanley and Lippman-Hand (1983), "If
/// nothing goes wrong, is everything all right?"
///
/// @param out     [out] free with graze_matrix_free(); NULL on failure
/// @param robot   must outlive the matrix; without an SRDF for a matrix that owes nothing to one
/// @param options NULL for the defaults
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, options not initialised); GRAZE_ERROR_RANGE
///         (samples, search, budget, quick, threads; a joint whose value at rest graze_check()
///         refuses, beyond 2^20); GRAZE_ERROR_CANCELLED; GRAZE_ERROR_NO_MEMORY
/// The same matrix for a seed, whatever the threads. Any thread. Allocates. Cost: pairs times
/// samples and budget; some 15 s for Fetch on two cores, 2 s for a quick one.
/// Nullable: options, error.
GRAZE_API graze_status graze_matrix_compute(graze_matrix **out, const graze_robot *robot,
                                            const graze_matrix_options *options,
                                            graze_error *error);

/// Frees a matrix; NULL is allowed. Its reviews must be freed before. Any thread. Allocates
/// nothing. Cost: O(pairs).
GRAZE_API void graze_matrix_free(graze_matrix *matrix);

/// The robot of a matrix. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API const graze_robot *graze_matrix_robot(const graze_matrix *matrix);

/// graze_matrix_settings() into a structure of `size` bytes. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API void graze_matrix_settings_sized(const graze_matrix *matrix,
                                           graze_matrix_options *options, size_t size);

/// The options of a matrix as they counted. Any thread. Allocates nothing. Cost: O(1).
static inline graze_matrix_options graze_matrix_settings(const graze_matrix *matrix) {
    graze_matrix_options options;
    graze_matrix_settings_sized(matrix, &options, sizeof options);
    return options;
}

/// How many pairs of links have collision geometry on both sides; sorted by (a, b). Any thread.
/// Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_matrix_count(const graze_matrix *matrix);

/// The entry of a pair, which lives as long as the matrix; NULL when out of range. Any thread.
/// Allocates nothing. Cost: O(1).
GRAZE_API const graze_matrix_entry *graze_matrix_at(const graze_matrix *matrix, size_t index);

/// The entry of two links in either order; NULL where one has no collision geometry. Any thread.
/// Allocates nothing. Cost: O(log pairs).
GRAZE_API const graze_matrix_entry *graze_matrix_find(const graze_matrix *matrix, int32_t a,
                                                      int32_t b);

/// What is wrong with a rule of an SRDF.
typedef enum graze_matrix_fault {
    GRAZE_MATRIX_UNKNOWN_LINK = 0,  ///< a name that the robot does not have
    GRAZE_MATRIX_HIDES_CONTACT = 1, ///< disabled, and collides in some configurations
    GRAZE_MATRIX_WRONG_REASON = 2,  ///< disabled rightly, with a reason that is false
    GRAZE_MATRIX_MISSING = 3,       ///< never or always collides, or adjacent; not disabled
    GRAZE_MATRIX_DUPLICATE = 4,     ///< the pair was named before
    GRAZE_MATRIX_SAME_LINK = 5,     ///< one link twice
    GRAZE_MATRIX_UNSURE = 6         ///< disabled, and nothing is known: see UNBOUNDED
} graze_matrix_fault;
#define GRAZE_MATRIX_FAULT_COUNT 7

/// The name of a fault: "unknown-link", "hides-contact", "wrong-reason", "missing", "duplicate",
/// "same-link", "unsure"; "unknown" for other numbers. Static storage. Any thread. Allocates
/// nothing. Cost: O(1).
GRAZE_API const char *graze_matrix_fault_name(graze_matrix_fault fault);

/// One finding about an SRDF. Strings live as long as the review.
typedef struct graze_matrix_finding {
    graze_matrix_fault fault;
    bool is_error;        ///< not for MISSING "Never" and "Adjacent", DUPLICATE, UNSURE: these cost
                          ///< time or hint at a slip, and hide nothing
    int32_t line, column; ///< of the rule, 1-based; 0 for what is missing
    const char *link1, *link2;       ///< as written, or in the robot's order for what is missing
    const char *nearest[2];          ///< UNKNOWN_LINK: the link that may be meant, or NULL
    const char *reason;              ///< as written; "" if none
    const graze_matrix_entry *entry; ///< what is known of the pair; NULL where there is none
    const char *message;             ///< what was found and what is right
} graze_matrix_finding;

typedef struct graze_matrix_review graze_matrix_review;

/// Reviews the rules about pairs of an SRDF: disable_collisions, enable_collisions and
/// disable_default_collisions.
/// @param out    [out] free with graze_matrix_review_free(), before the matrix; NULL on failure
/// @param matrix of the robot that the SRDF is for
/// @param text   the SRDF's bytes, not necessarily NUL-terminated
/// @param name   what errors call the file
/// @param limits NULL for the defaults
/// @return GRAZE_OK, whatever was found; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_PARSE,
///         _UNSUPPORTED, _SCHEMA, _LIMIT for text that is no SRDF; GRAZE_ERROR_NO_MEMORY
/// Findings by line and column, what is missing last, by (a, b). Any thread. Allocates. Cost:
/// linear, but for the names that the robot does not have. Nullable: limits, error.
GRAZE_API graze_status graze_matrix_review_srdf(graze_matrix_review **out,
                                                const graze_matrix *matrix, const char *text,
                                                size_t size, const char *name,
                                                const graze_limits *limits, graze_error *error);

/// Frees a review; NULL is allowed. Any thread. Allocates nothing. Cost: O(findings).
GRAZE_API void graze_matrix_review_free(graze_matrix_review *review);

/// How many findings a review has. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_matrix_review_count(const graze_matrix_review *review);

/// A finding of a review, which lives as long as it; NULL when out of range. Any thread. Allocates
/// nothing. Cost: O(1).
GRAZE_API const graze_matrix_finding *graze_matrix_review_at(const graze_matrix_review *review,
                                                             size_t index);

/// How many rules about pairs the SRDF has. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_matrix_review_rules(const graze_matrix_review *review);

/// How many of the SRDF's rules disable a pair of the robot. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API size_t graze_matrix_review_disabled(const graze_matrix_review *review);

/// Writes the matrix as SRDF: a disable_collisions element per pair that need not be checked,
/// sorted by (a, b), each with a comment that holds its evidence.
/// @param out  [out] the SRDF's bytes, NUL-terminated; free with graze_matrix_text_free()
/// @param size [out] without the NUL
/// @param text an SRDF whose other elements, comments and white space stay as they are, byte for
///             byte, while its rules about pairs, and comments that an earlier matrix wrote, are
///             replaced; NULL for none; UTF-8
/// @param name what errors call it
/// @return as graze_matrix_review_srdf(); GRAZE_ERROR_UNSUPPORTED for a text whose encoding is not
///         UTF-8, or that holds such a rule inside another element
/// Any thread. Allocates. Cost: linear. Nullable: text (then text_size is 0), limits, error.
GRAZE_API graze_status graze_matrix_write_srdf(char **out, size_t *size, const graze_matrix *matrix,
                                               const char *text, size_t text_size, const char *name,
                                               const graze_limits *limits, graze_error *error);

/// Frees what graze_matrix_write_srdf() made; NULL is allowed. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API void graze_matrix_text_free(char *text);

#ifdef __cplusplus
}
#endif

#endif
