/// Motions of a dump, proved anew: free on the whole of an interval of t, not at samples of it.
#ifndef GZ_VERIFY_MOTION_REPLAY_H
#define GZ_VERIFY_MOTION_REPLAY_H

#include "verify/kinematics.h"
#include "verify/replay.h"

typedef struct gz_motion_replay gz_motion_replay;

/// What became of one motion.
typedef struct gz_motion_result {
    gz_replay_result replay; ///< `pairs`: tests of a pair on an interval
    uint64_t intervals;
} gz_motion_result;

/// Makes trees and numbers for a scene; both arguments must outlive it. NULL when memory is out.
gz_motion_replay *gz_motion_replay_create(const gz_dump_scene *scene, gz_kinematics *kinematics);
void gz_motion_replay_free(gz_motion_replay *r);

/// The most tests of a pair on an interval for one motion.
#define GZ_MOTION_REPLAY_TESTS 200000

/// Proves that the motion that begins at a configuration is free up to the t that is claimed.
/// `start` is the outcome of that configuration, `tests` the most tests of a pair on an interval.
/// False when memory is out.
bool gz_motion_replay_run(gz_motion_replay *r, const gz_dump_configuration *configuration,
                          gz_replay_outcome start, uint64_t tests, gz_motion_result *result);

/// Of a motion that is claimed to collide, whether the configuration behind it, NULL for none, is
/// the one at `latest`, and in collision.
void gz_motion_replay_end(gz_motion_replay *r, const gz_dump_configuration *next,
                          gz_replay_outcome outcome, gz_motion_result *result);

#endif
