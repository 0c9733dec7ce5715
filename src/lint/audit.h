/// Does a joint, on its way through its limits, make the robot touch itself, and where first?
#ifndef GZ_LINT_AUDIT_H
#define GZ_LINT_AUDIT_H

#include "base/error.h"
#include "graze/check.h"

/// How far apart "proved free" and "collides" are at most: rad or m.
#define GZ_AUDIT_TOLERANCE 1e-6

typedef enum gz_audit_kind {
    GZ_AUDIT_REST,    ///< the pair touches at the rest configuration: the sweeps leave it out
    GZ_AUDIT_CONTACT, ///< the exact verdict at `value` is COLLISION
    GZ_AUDIT_NEAR,    ///< nearer than `gap` at `value`: too near for a proof, and no contact found
    GZ_AUDIT_BEYOND   ///< no end, and `follower` brings the pair to other places beyond `limit`
} gz_audit_kind;

/// What a sweep met first.
typedef struct gz_audit_event {
    gz_audit_kind kind;
    int32_t joint;    ///< that was swept; -1 at rest
    int32_t a, b;     ///< links
    int32_t follower; ///< a joint between them; -1 but for GZ_AUDIT_BEYOND
    double start;     ///< of the joint: where the sweep began
    double value;     ///< of the joint at the event, no farther than GZ_AUDIT_TOLERANCE from a
                      ///< value that is free
    double proved;   ///< proved: no pair that the joint moves touches from start up to here. Nearer
                     ///< than the tolerance to `value`, unless surfaces slide along each other
    double limit;    ///< of the joint: where the sweep would have ended
    double gap;      ///< metres
    int64_t sample;  ///< -1: the other joints are at rest; else the number of the sample
    const double *q; ///< the whole configuration at the event; valid during the call
} gz_audit_event;

typedef struct gz_audit {
    const graze_robot *robot;
    uint32_t samples; ///< of the other joints; one that collides at a joint's rest is not swept
    uint64_t seed;
    /// Called for every event, joint by joint in file order: at rest downwards and upwards, what
    /// was left out, then sample by sample. False ends the audit.
    bool (*each)(const gz_audit_event *event, void *user);
    void *user;
} gz_audit;

/// Sweeps every joint that turns or slides, from its rest value to each limit (an endless joint:
/// half a turn each way, and GZ_AUDIT_BEYOND says where that is not all of it; an endless slide is
/// left out), with all pairs that are checked.
/// @return GRAZE_OK whatever was met; GRAZE_ERROR_NO_MEMORY, _RANGE (the robot is larger than the
///         domain)
graze_status gz_audit_run(const gz_audit *audit, graze_error *error);

#endif
