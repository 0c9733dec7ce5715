/// The shipped robots and worlds, from their files or from a recording of these.
#ifndef GRAZE_TESTS_GOLDEN_SCENES_H
#define GRAZE_TESTS_GOLDEN_SCENES_H

#include "golden_stream.h"
#include "graze/plan.h"

#define GOLDEN_ROBOT_LIMIT 8
#define GOLDEN_WORLD_LIMIT 32

typedef struct golden_scenes {
    graze_robot *robots[GOLDEN_ROBOT_LIMIT];
    size_t robot_count;
    graze_world *worlds[GOLDEN_WORLD_LIMIT]; ///< committed; the first is NULL: none
    size_t world_count;
} golden_scenes;

/// From the files below `root`; what the loader tells the builders goes into `recording`, unless
/// that is NULL. Not there in a library without its loader.
void golden_scenes_load(golden_scenes *scenes, const char *root, golden_stream *recording);

/// From a recording.
void golden_scenes_replay(golden_scenes *scenes, golden_stream *recording);

/// Writes them as compiled files into a folder that is there, and opens them again, on any machine.
void golden_scenes_compile(const golden_scenes *scenes, const char *folder);
void golden_scenes_open(golden_scenes *scenes, const char *folder);

void golden_scenes_free(golden_scenes *scenes);

#endif
