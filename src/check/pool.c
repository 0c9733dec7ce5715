// Workspaces that threads lend each other, without locks: a row of places, each empty or holding
// one. A workspace is its taker's from the exchange that empties the place, so that no place can
// change behind a thread's back, as the head of a list could.

#include "graze/pool.h"

#include "base/memory.h"
#include "check/workspace.h"

enum { PLACES = 256 };

struct graze_workspace_pool {
    _Atomic(graze_workspace *) places[PLACES];
    atomic_int filled; ///< at least the number of places that are
};

graze_status graze_workspace_pool_create(graze_workspace_pool **out, graze_error *error) {
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = gz_calloc(1, sizeof **out);
    if (!*out) return gz_fail_memory(error);
    gz_error_clear(error);
    return GRAZE_OK;
}

/// A workspace that nobody uses; NULL where there is none.
static graze_workspace *take(graze_workspace_pool *pool) {
    for (int i = 0; i < PLACES && atomic_load(&pool->filled) > 0; i++) {
        if (!atomic_load_explicit(&pool->places[i], memory_order_relaxed)) continue;
        graze_workspace *ws = atomic_exchange(&pool->places[i], NULL);
        if (!ws) continue;
        atomic_fetch_sub(&pool->filled, 1);
        return ws;
    }
    return NULL;
}

void graze_workspace_pool_free(graze_workspace_pool *pool) {
    if (!pool) return;
    for (int i = 0; i < PLACES; i++) graze_workspace_free(atomic_load(&pool->places[i]));
    gz_free(pool);
}

graze_status graze_workspace_pool_borrow(graze_workspace **out, graze_workspace_pool *pool,
                                         const graze_checker *checker, graze_error *error) {
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!pool || !checker) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "pool or checker is NULL");
    graze_workspace *ws = take(pool);
    // One that holds this checker is of this one, and not of an earlier one at its address.
    if (!ws || ws->held != checker || ws->checker != checker) {
        graze_status status = ws ? graze_workspace_rebind(ws, checker, error)
                                 : graze_workspace_create(&ws, checker, error);
        if (status) {
            graze_workspace_pool_give_back(pool, ws);
            return status;
        }
        const graze_checker *before = ws->held;
        gz_shared_hold(&checker->shared);
        ws->held = checker;
        graze_checker_free((graze_checker *)(uintptr_t)before);
    }
    *out = ws;
    gz_error_clear(error);
    return GRAZE_OK;
}

void graze_workspace_pool_give_back(graze_workspace_pool *pool, graze_workspace *ws) {
    if (!ws) return;
    gz_workspace_free_of_limits(ws);
    // One in memory of the caller's cannot grow for another checker.
    for (int i = 0; pool && ws->owns_memory && i < PLACES; i++) {
        graze_workspace *none = NULL;
        if (atomic_load_explicit(&pool->places[i], memory_order_relaxed)) continue;
        atomic_fetch_add(&pool->filled, 1);
        if (atomic_compare_exchange_strong(&pool->places[i], &none, ws)) return;
        atomic_fetch_sub(&pool->filled, 1);
    }
    graze_workspace_free(ws);
}
