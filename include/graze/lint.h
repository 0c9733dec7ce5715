/// @file lint.h
/// A linter for robot descriptions: everything that is wrong or doubtful in a URDF, its meshes and
/// its SRDF, in one pass, with a rule, a place, what was measured and what to do.
#ifndef GRAZE_LINT_H
#define GRAZE_LINT_H

#include "robot.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum graze_severity {
    GRAZE_SEVERITY_OFF = 0, ///< the rule is not run
    GRAZE_SEVERITY_INFO = 1,
    GRAZE_SEVERITY_WARNING = 2,
    GRAZE_SEVERITY_ERROR = 3
} graze_severity;

/// What a rule looks at; each tier can be turned off.
typedef enum graze_tier {
    GRAZE_TIER_SCHEMA = 0,   ///< U: the XML and its numbers
    GRAZE_TIER_TOPOLOGY = 1, ///< T: links and joints as a tree
    GRAZE_TIER_JOINTS = 2,   ///< J: axes, limits, mimics
    GRAZE_TIER_INERTIA = 3,  ///< I: masses and inertia
    GRAZE_TIER_ASSETS = 4,   ///< A: files that are referred to
    GRAZE_TIER_GEOMETRY = 5, ///< G: collision geometry
    GRAZE_TIER_SELF = 6      ///< S: self-collision and the SRDF
} graze_tier;
#define GRAZE_TIER_COUNT 7

/// One rule of the linter. Strings are static.
typedef struct graze_lint_rule {
    const char *id;   ///< stable: a letter and three digits, as "J003"
    const char *name; ///< stable, readable: "limit-missing"
    graze_tier tier;
    graze_severity severity; ///< unless it is set otherwise
    const char *summary;     ///< one sentence: what is wrong
    const char *advice;      ///< one sentence: what to do
} graze_lint_rule;

/// How many rules there are. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_lint_rule_count(void);

/// A rule by its index, sorted by id; NULL when out of range. Static storage. Any thread. Allocates
/// nothing. Cost: O(1).
GRAZE_API const graze_lint_rule *graze_lint_rule_at(size_t index);

/// A rule by id or name, any case; NULL where there is none. Static storage. Any thread. Allocates
/// nothing. Cost: O(rules).
GRAZE_API const graze_lint_rule *graze_lint_rule_find(const char *id_or_name);

/// Sets one rule's severity.
typedef struct graze_rule_setting {
    const char *rule; ///< id or name
    graze_severity severity;
} graze_rule_setting;

/// A finding that is known and accepted.
typedef struct graze_lint_suppression {
    const char *rule;  ///< id or name
    const char *link;  ///< of that link only; NULL: any
    const char *joint; ///< of that joint only; NULL: any
} graze_lint_suppression;

/// Most entries of graze_lint_options.suppressions.
#define GRAZE_LINT_SUPPRESSION_MAX 10000
/// Most sampled configurations of the joint audit.
#define GRAZE_LINT_AUDIT_SAMPLE_MAX 100000
/// Most sampled configurations of a pair of links.
#define GRAZE_LINT_PAIR_SAMPLE_MAX 1000000

/// What to look at. Obtain from graze_lint_options_default(), then change fields.
typedef struct graze_lint_options {
    uint32_t struct_size;           ///< set by the default; do not change
    const graze_load_options *load; ///< packages, SRDF, Collada profile, limits; NULL: the defaults
    uint32_t tiers_off;             ///< bit 1 << graze_tier: leave that tier out
    const graze_rule_setting *rules; ///< may be NULL
    size_t rule_count;
    const graze_lint_suppression *suppressions; ///< may be NULL
    size_t suppression_count;                   ///< at most GRAZE_LINT_SUPPRESSION_MAX
    uint32_t audit;         ///< 1: rule S011 sweeps every joint through its limits; default 0
    uint32_t audit_samples; ///< besides the rest configuration, so many where the other joints are
                            ///< sampled within their limits; default 16, at most
                            ///< GRAZE_LINT_AUDIT_SAMPLE_MAX
    uint64_t seed;          ///< of these samples; default 0
    uint32_t pair_samples;  ///< rules S001 and S003: configurations in which each pair of links is
                            ///< looked at, at most GRAZE_LINT_PAIR_SAMPLE_MAX; default 200; 0: they
                            ///< are not run
} graze_lint_options;

/// Writes the defaults of graze_lint_options into a structure of `size` bytes, the caller's size of
/// it: what graze_lint_options_default() calls, so that programs compiled against a shorter one
/// stay right. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_lint_options_init(graze_lint_options *options, size_t size);

/// The default options of the linter. Any thread. Allocates nothing. Cost: O(1).
static inline graze_lint_options graze_lint_options_default(void) {
    graze_lint_options options;
    graze_lint_options_init(&options, sizeof options);
    return options;
}

/// A fix that keeps what the description means: bytes of the finding's file to replace.
typedef struct graze_lint_fix {
    const char *text; ///< what is to stand there; NULL: the finding has no certain fix
    const char *was;  ///< what stands there, as written
    uint64_t offset;  ///< of the first byte that it replaces, from 0
} graze_lint_fix;

/// One finding. Strings live as long as the report.
typedef struct graze_finding {
    const graze_lint_rule *rule;
    graze_severity severity;
    const char *file;
    int32_t line, column; ///< 1-based; 0 where a file has none (a mesh)
    const char *element;  ///< "/robot/link[@name='arm']/collision[2]", "" if none
    const char *link;     ///< "" if none
    const char *joint;    ///< "" if none
    const char *message;  ///< what was found and what is allowed
    bool has_value;
    double value, threshold; ///< what was measured, where has_value
    const char *unit;        ///< of both; "" for counts and ratios
    bool suppressed;         ///< by a comment in the file, or by the options; not counted
    int32_t suppression;     ///< the first of options->suppressions that says so; -1 for none
    graze_lint_fix fix;
} graze_finding;

/// What a run found, sorted by file, line, column, rule.
typedef struct graze_lint_report graze_lint_report;

/// Runs the rules on a URDF.
/// @param out  [out] free with graze_lint_report_free(); made also where the file cannot be parsed
///             (that is a finding)
/// @param path of the URDF
/// @return GRAZE_OK, whatever was found; GRAZE_ERROR_IO (the file cannot be read,
///         or its SRDF), GRAZE_ERROR_NOT_FOUND, GRAZE_ERROR_LIMIT, GRAZE_ERROR_ARGUMENT (NULL,
///         unknown rule), GRAZE_ERROR_NO_MEMORY
/// Deterministic. Any thread. Nullable: options, error.
/// Allocates. Cost: that of loading, and of the samples.
GRAZE_API graze_status graze_lint_urdf(graze_lint_report **out, const char *path,
                                       const graze_lint_options *options, graze_error *error);

/// Runs the rules on the text of a URDF in memory.
/// @param out [out] free with graze_lint_report_free()
/// @param text not necessarily NUL-terminated
/// @param size bytes
/// @param name what findings call it
/// @param base_dir the folder for relative file names
/// @return as graze_lint_urdf()
/// Deterministic. Any thread. Allocates. Cost: as graze_lint_urdf(). Nullable: options, error.
GRAZE_API graze_status graze_lint_urdf_memory(graze_lint_report **out, const char *text,
                                              size_t size, const char *name, const char *base_dir,
                                              const graze_lint_options *options,
                                              graze_error *error);

/// Frees a report; NULL is allowed. Any thread. Allocates nothing. Cost: O(findings).
GRAZE_API void graze_lint_report_free(graze_lint_report *report);

/// How many findings a report has, suppressed ones included. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API size_t graze_lint_finding_count(const graze_lint_report *report);

/// A finding, which lives as long as the report; NULL when out of range. Sorted by file, line,
/// column, rule. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API const graze_finding *graze_lint_finding(const graze_lint_report *report, size_t index);

/// How many findings of a severity are not suppressed. Any thread. Allocates nothing. Cost:
/// O(findings).
GRAZE_API size_t graze_lint_count(const graze_lint_report *report, graze_severity severity);

/// How many mesh files the run has read or tried to read. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API size_t graze_lint_file_count(const graze_lint_report *report);

/// The path of such a file, which lives as long as the report; NULL when out of range. Each is
/// there once. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API const char *graze_lint_file(const graze_lint_report *report, size_t index);

#ifdef __cplusplus
}
#endif

#endif
