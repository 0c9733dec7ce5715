/// @file scene.h
/// A world that moves, behind one handle: one thread moves objects, others check in the version of
/// the moment, and memory of old versions is used again.
#ifndef GRAZE_SCENE_H
#define GRAZE_SCENE_H

#include "check.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A checker whose world moves. It holds the current version and some old ones.
typedef struct graze_scene graze_scene;

/// One version of a scene, with a workspace, as one thread sees it: it stays as it is until it is
/// released, whatever the scene does meanwhile.
typedef struct graze_view graze_view;

/// Makes a scene, which begins with the world of a checker, by its rules.
/// @param out     [out] NULL on failure; free with graze_scene_free()
/// @param checker with a world; neither need live on
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no world); GRAZE_ERROR_NO_MEMORY
/// The robot must outlive it. Any thread. Allocates. Cost: O(links + pairs + N log N). Nullable:
/// error.
GRAZE_API graze_status graze_scene_create(graze_scene **out, const graze_checker *checker,
                                          graze_error *error);

/// Frees a scene; NULL is allowed. Its views must have been released before. Any thread. Allocates
/// nothing. Cost: O(N).
GRAZE_API void graze_scene_free(graze_scene *scene);

/// Makes the next version of the world and shows it to views that are acquired from now on. What it
/// says is what graze_world_revise() and graze_checker_with_world() would say (verdicts, contacts
/// but of GRAZE_ANSWER_ANY, epsilon).
///
/// Where objects only move, an old version that nobody views any more is written over: after the
/// first calls nothing is allocated. Adding and removing make the next versions' memory anew, and
/// margins below epsilon do for each version.
/// @param changes applied in this order, all or none; copied
/// @return as graze_world_revise() and graze_checker_with_world(); on failure the scene stays as it
///         was
/// Any thread, one after the other: calls wait for each other, not for views. Nullable: error.
/// Allocates as said. Cost: O(N), some 0.2 us an object that moves.
GRAZE_API graze_status graze_scene_revise(graze_scene *scene, const graze_world_change *changes,
                                          size_t count, graze_error *error);

/// How many versions a scene has had, the first one included: that of the current one. 0 for NULL.
/// Any thread. Allocates nothing. Cost: O(1).
GRAZE_API uint64_t graze_scene_version(graze_scene *scene);

/// Views the current version. Views that are held longer keep memory from being used again.
/// @param out [out] NULL on failure; graze_scene_free() frees it, once graze_view_release() gave it
///            back
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_NO_MEMORY
/// Any thread, at any time: never waits for a version that is being made. Allocates a workspace the
/// first times, when more views of one version are held than ever before. Cost: O(1). Nullable:
/// error.
GRAZE_API graze_status graze_view_acquire(graze_view **out, graze_scene *scene, graze_error *error);

/// Gives a view back; NULL is allowed. Its checker, world and workspace must not be used any more;
/// worlds that were made from it by graze_world_revise() may live on. Any thread. Allocates
/// nothing. Cost: O(1).
GRAZE_API void graze_view_release(graze_view *view);

/// The checker of a view's version, for any query; its world is graze_checker_world(). Lives as
/// long as the view. NULL for NULL. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API const graze_checker *graze_view_checker(const graze_view *view);

/// A workspace of that checker which is the view's alone. Lives as long as the view. NULL for NULL.
/// Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_workspace *graze_view_workspace(const graze_view *view);

/// The number of a view's version, from 1 on. 0 for NULL. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API uint64_t graze_view_version(const graze_view *view);

#ifdef __cplusplus
}
#endif

#endif
