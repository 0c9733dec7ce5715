/// The manifest of a sweep: everything that its answers depend on, as JSON.
#ifndef GZ_CLI_SWEEP_SWEEP_MANIFEST_H
#define GZ_CLI_SWEEP_SWEEP_MANIFEST_H

#include "cli/input/robot_input.h"
#include "cli/sweep/sweep_source.h"

/// Writes the manifest; the same text wherever the robot, world, rules, source and `answers`
/// (words, NULL behind the last) are the same.
/// @param text [out] free with free()
graze_status gz_sweep_manifest_make(char **text, const gz_robot_input *input,
                                    const gz_sweep_source *source, const char *const *answers,
                                    graze_error *error);

/// How many links, objects and the boundary are: the names that pairs count through.
size_t gz_sweep_name_count(const gz_robot_input *input);
/// The two sides of a contact, as indices into these names.
void gz_sweep_pair(const gz_robot_input *input, const graze_contact *contact, int32_t sides[2]);

#endif
