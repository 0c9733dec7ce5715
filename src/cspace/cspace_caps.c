// Where the surfaces of two parts stay apart in all of a box of configurations, as the verdict at
// the level's margin proves, what is inside of what changes only where one passes a cap of the
// other. Caps lie in the hull of the vertices around them, so in a box around them, and no point of
// a hull moves by more than the margin allows for (gz_cspace_level_margin() bounds it for all
// points of the links' spheres): where that box is farther than this from all of the other part in
// the middle, nothing passes.
#include "cspace/cspace_caps.h"

#include "base/memory.h"
#include "check/check_internal.h"
#include "cspace/cspace_level.h"

typedef struct listing {
    gz_cspace_caps *caps;
    bool full;
} listing;

static bool take_pair(const graze_checked_pair *pair, void *user) {
    listing *l = user;
    gz_cspace_caps *c = l->caps;
    bool moves = gz_cspace_motion_moves(c->motion, pair->link) ||
                 (!pair->is_world && gz_cspace_motion_moves(c->motion, pair->other));
    if (pair->hidden || !moves || !gz_pair_has_caps(c->checker, pair)) return true;
    if (!gz_array_reserve((void **)&c->pairs, &c->capacity, c->count + 1, sizeof *c->pairs)) {
        l->full = true;
        return false;
    }
    c->pairs[c->count++] = *pair;
    return true;
}

graze_status gz_cspace_caps_make(gz_cspace_caps *caps, const graze_checker *checker,
                                 const gz_cspace_motion *motion, uint32_t threads,
                                 graze_error *error) {
    *caps = (gz_cspace_caps){.checker = checker, .motion = motion};
    listing l = {.caps = caps};
    graze_checker_pairs(checker, take_pair, &l);
    if (l.full) return gz_fail_memory(error);
    if (caps->count == 0) return GRAZE_OK;
    caps->reaches = gz_malloc(caps->count, sizeof *caps->reaches);
    caps->workspaces = gz_calloc(threads, sizeof(graze_workspace *));
    if (!caps->reaches || !caps->workspaces) return gz_fail_memory(error);
    caps->threads = threads;
    for (uint32_t i = 0; i < threads; i++) {
        graze_status status = graze_workspace_create(&caps->workspaces[i], checker, error);
        if (status) return status;
    }
    return GRAZE_OK;
}

void gz_cspace_caps_free(gz_cspace_caps *caps) {
    for (uint32_t i = 0; i < caps->threads; i++) graze_workspace_free(caps->workspaces[i]);
    gz_free(caps->workspaces);
    gz_free(caps->reaches);
    gz_free(caps->pairs);
    *caps = (gz_cspace_caps){0};
}

void gz_cspace_caps_bound(gz_cspace_caps *caps, const double half[2]) {
    for (size_t i = 0; i < caps->count; i++) {
        const graze_checked_pair *p = &caps->pairs[i];
        caps->reaches[i] = p->is_world ? gz_cspace_level_margin(caps->checker, caps->motion, half,
                                                                -1, p->link, p->margin)
                                       : gz_cspace_level_margin(caps->checker, caps->motion, half,
                                                                p->link, p->other, p->margin);
    }
}

bool gz_cspace_caps_clear(const gz_cspace_caps *caps, uint32_t thread, const double *q,
                          size_t q_count, const double *base) {
    if (caps->count == 0) return true;
    graze_workspace *ws = caps->workspaces[thread];
    if (gz_workspace_pose(ws, q, q_count, base, NULL)) return false;
    for (size_t i = 0; i < caps->count; i++)
        if (!gz_caps_apart(caps->checker, ws, &caps->pairs[i], caps->reaches[i])) return false;
    return true;
}
