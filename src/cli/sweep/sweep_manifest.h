/// The manifest of a sweep: everything that its answers depend on, as JSON.
#ifndef GZ_CLI_SWEEP_SWEEP_MANIFEST_H
#define GZ_CLI_SWEEP_SWEEP_MANIFEST_H

#include "cli/input/robot_input.h"
#include "cli/sweep/sweep_edges.h"
#include "cli/sweep/sweep_map.h"

/// What a manifest describes.
typedef struct gz_sweep_subject {
    gz_robot_input *input;
    const gz_sweep_source *source;
    const gz_sweep_edges *edges; ///< without a path: none
    const gz_sweep_map *map;     ///< without a link: none
    const gz_texts *worlds;      ///< empty: that of the input
    const gz_sweep_store *store; ///< its arrays are the answers
} gz_sweep_subject;

/// Writes the manifest; the same text wherever robot, worlds, rules, configurations and answers
/// are. Goes through the worlds; the input has the last of them then. Prints what is wrong and
/// returns an exit status.
/// @param text [out] free with free(), in any case
int gz_sweep_manifest_make(char **text, const gz_sweep_subject *subject);

/// How many links, objects and the boundary are: the names that pairs count through.
size_t gz_sweep_name_count(const gz_robot_input *input);
/// The two sides of a contact, as indices into these names.
void gz_sweep_pair(const gz_robot_input *input, const graze_contact *contact, int32_t sides[2]);

#endif
