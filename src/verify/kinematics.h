/// Whether the poses of a dump follow from its q: forward kinematics in 400 bits behind the point,
/// by the definition of the real pose in docs/epsilon.md.
#ifndef GZ_VERIFY_KINEMATICS_H
#define GZ_VERIFY_KINEMATICS_H

#include "verify/dump_text.h"
#include "verify/replay.h"

typedef struct gz_kinematics gz_kinematics;

/// Orders the tree of a scene, which must outlive the result. GRAZE_ERROR_SCHEMA where the joints
/// are no tree, or follow each other in a ring; the error is that of `text`.
graze_status gz_kinematics_create(gz_kinematics **out, const gz_dump_text *text,
                                  const gz_dump_scene *scene);
void gz_kinematics_free(gz_kinematics *k);

/// Compares every snapped point of every link with its real place; farther off than the link's
/// pose_error is a refutation, added to the result.
void gz_kinematics_check(gz_kinematics *k, const gz_dump_configuration *configuration,
                         gz_replay_result *result);

#endif
