/// @file control.h
/// Checks in control loops: no allocator, a limit on the work of a check, and how much work checks
/// did. docs/control.md has the figures, and what of a check the limit does not cover.
#ifndef GRAZE_CONTROL_H
#define GRAZE_CONTROL_H

#include "check.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The alignment, in bytes, of the memory of a workspace.
#define GRAZE_WORKSPACE_ALIGNMENT 64

/// The stack, in bytes, that is enough for a thread to make any check of this library, contacts and
/// their manifolds included, besides what the thread itself and its own functions need. Where there
/// are no clouds of points a quarter of it is.
#define GRAZE_CHECK_STACK 262144

/// How many bytes a workspace for a checker takes; 0 for NULL. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API size_t graze_workspace_size(const graze_checker *checker);

/// Makes a workspace in the caller's memory, as graze_workspace_create() does in its own: neither
/// this nor any check with it calls an allocator. graze_workspace_free() then frees nothing, and
/// need not be called.
/// @param out    [out] NULL on failure
/// @param memory of at least graze_workspace_size() bytes, aligned to GRAZE_WORKSPACE_ALIGNMENT;
///               the workspace's until it is used no more; need not be cleared
/// @param size   its bytes
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, too small, not aligned)
/// Any thread. Allocates nothing. Cost: O(links + pairs). Nullable: error.
GRAZE_API graze_status graze_workspace_place(graze_workspace **out, const graze_checker *checker,
                                             void *memory, size_t size, graze_error *error);

/// Limits the work of each later check with a workspace: graze_check(), graze_check_posed(),
/// graze_check_contacts() and graze_check_posed_contacts(). A check that needs as much as that, or
/// more, ends with GRAZE_ERROR_BUDGET, and its verdict is GRAZE_UNKNOWN: never GRAZE_FREE. Where it
/// has found a collision before, the verdict is GRAZE_COLLISION; for GRAZE_ANSWER_ANY and
/// GRAZE_ANSWER_PAIR the status then is GRAZE_OK, for the other answers it is GRAZE_ERROR_BUDGET,
/// as contacts may be missing, and the triangles may not be the lowest.
///
/// Whether a budget is spent depends on the configuration, the checker and the instruction set, and
/// not on what the workspace did before: links that no joint moves are tested in every check, which
/// costs time.
/// @param units of work: a node of a tree is one, a packet of triangles against another, a
///              certified test of curved shapes and a winding number 8, a pair of geometries that
///              reaches the narrow phase 16; 0: no limit, as after graze_workspace_create()
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL)
/// One thread per workspace. Allocates nothing. Cost: O(1). Nullable: error.
GRAZE_API graze_status graze_workspace_set_budget(graze_workspace *workspace, uint64_t units,
                                                  graze_error *error);

/// Says that the configurations that are checked next follow each other in small steps, as along a
/// motion: a plane that parted two meshes is then kept, and tried first in the next check, which
/// most often is enough; and a link that was clear of all objects is not tested against them again
/// until its bounding sphere has moved by as much as it was clear. Answers are the same; the
/// counters of graze_report may be others, and configurations that do not follow each other cost
/// some 4 % more. Not used under a budget.
/// @param coherent 1: they do; 0: they do not, as after graze_workspace_create()
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, neither 0 nor 1)
/// Source: Baraff, "Curved surfaces and coherence for non-penetrating rigid body simulation"
/// (1990). One thread per workspace. Allocates nothing. Cost: O(1). Nullable: error.
GRAZE_API graze_status graze_workspace_set_coherent(graze_workspace *workspace, uint32_t coherent,
                                                    graze_error *error);

/// The work of the last check that came to an answer or spent its budget, in the units of
/// graze_workspace_set_budget(); 0 before the first. Without a budget what no joint moves is
/// counted in the first check of each base pose only. One thread per workspace. Allocates nothing.
/// Cost: O(1).
GRAZE_API uint64_t graze_workspace_work(const graze_workspace *workspace);

/// The most work of any check since the workspace was made or graze_workspace_reset_work() was
/// called. One thread per workspace. Allocates nothing. Cost: O(1).
GRAZE_API uint64_t graze_workspace_most_work(const graze_workspace *workspace);

/// Sets the figures of both functions above to 0. One thread per workspace. Allocates nothing.
/// Cost: O(1).
GRAZE_API void graze_workspace_reset_work(graze_workspace *workspace);

#ifdef __cplusplus
}
#endif

#endif
