/// @file pool.h
/// Workspaces for hosts that bring their own threads: a pool from which any thread borrows one for
/// a check, or for many.
#ifndef GRAZE_POOL_H
#define GRAZE_POOL_H

#include "check.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Workspaces that nobody uses now, of any checkers. Shared by any number of threads, without
/// locks.
typedef struct graze_workspace_pool graze_workspace_pool;

/// Makes a pool without workspaces.
/// @param out [out] NULL on failure; free with graze_workspace_pool_free()
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_NO_MEMORY
/// Any thread. Allocates. Cost: O(1). Nullable: error.
GRAZE_API graze_status graze_workspace_pool_create(graze_workspace_pool **out, graze_error *error);

/// Frees a pool and the workspaces in it; NULL is allowed. Those that are borrowed are to be freed
/// with graze_workspace_free(). One thread, while no other uses the pool. Allocates nothing. Cost:
/// O(workspaces).
GRAZE_API void graze_workspace_pool_free(graze_workspace_pool *pool);

/// Takes a workspace out of a pool, for a checker; makes one where the pool has none.
/// @param out     [out] NULL on failure; the caller's until graze_workspace_pool_give_back()
/// @param checker any: where the workspace was another checker's, also another version's, it is
///                rebound (graze_workspace_rebind())
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_NO_MEMORY
/// Any thread; never waits. The pool keeps the memory of a checker that is freed until its
/// workspaces are borrowed for another one, or freed. Nullable: error. Allocates nothing while
/// there is one of the same checker. Cost: some 20 ns, then; else as graze_workspace_rebind().
GRAZE_API graze_status graze_workspace_pool_borrow(graze_workspace **out,
                                                   graze_workspace_pool *pool,
                                                   const graze_checker *checker,
                                                   graze_error *error);

/// Puts a workspace into a pool, mostly the one that it is from, without its budget (control.h);
/// frees it where the pool is full (256 that nobody uses), or where it lies in the caller's memory.
/// NULL is allowed: without a pool it is freed.
/// Any thread; never waits. Allocates nothing. Cost: some 20 ns.
GRAZE_API void graze_workspace_pool_give_back(graze_workspace_pool *pool,
                                              graze_workspace *workspace);

#ifdef __cplusplus
}
#endif

#endif
