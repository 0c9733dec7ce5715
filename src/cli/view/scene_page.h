/// The page of `graze view`: one HTML file with the engine in WebAssembly, a compiled robot and its
/// world, the visual meshes, and what the command line says. It needs nothing else.
#ifndef GZ_CLI_VIEW_SCENE_PAGE_H
#define GZ_CLI_VIEW_SCENE_PAGE_H

#include <stdio.h>

#include "cli/input/robot_input.h"

/// What a page shows.
typedef struct gz_scene_page {
    const gz_robot_input *input; ///< prepared
    const graze_robot *visuals;  ///< the robot with its visual meshes; NULL: none are shown
    const gz_posture *posture;   ///< to begin with
    const double *path;          ///< waypoints, base and q each; NULL where there are none
    size_t path_count;
    const graze_trajectory *trajectory; ///< NULL where there is none
    const graze_lint_report *findings;  ///< NULL: none are shown
    uint64_t number; ///< of the page, where it is served and follows changes; 0: it is a file
} gz_scene_page;

/// Reads the page as it was built, without a scene.
/// @param text [out] free with gz_free()
/// Returns an exit status, its message printed.
int gz_scene_page_find(char **text, size_t *size);

/// Writes the page with its scene. Returns an exit status, its message printed.
int gz_scene_page_write(FILE *stream, const gz_scene_page *page, const char *built,
                        size_t built_size);

#endif
