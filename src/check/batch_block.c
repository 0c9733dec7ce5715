// The scratch memory of eight rows side by side, and proxies in one of its lanes.

#include <string.h>

#include "base/memory.h"
#include "broad/world_query.h"
#include "check/filters.h"

static void lay_out_block(gz_batch_block *b, const gz_filter_model *m, gz_arena *arena) {
    size_t candidates = gz_filter_candidates_max(m);
    b->rows = gz_arena_array(arena, m->q_size, GZ_LANES * sizeof *b->rows);
    b->differs = gz_arena_array(arena, m->q_size, sizeof *b->differs);
    b->motions = gz_arena_array(arena, m->body_count, sizeof *b->motions);
    b->moved = gz_arena_array(arena, m->body_count, sizeof *b->moved);
    b->poses = gz_arena_array(arena, m->body_count, sizeof *b->poses);
    b->centers = gz_arena_array(arena, m->link_count, sizeof *b->centers);
    b->boxes = gz_arena_array(arena, m->link_count, sizeof *b->boxes);
    b->box_ready = gz_arena_array(arena, m->link_count, sizeof *b->box_ready);
    b->views = gz_arena_array(arena, m->object_count, sizeof *b->views);
    b->seen = gz_arena_array(arena, m->object_count, sizeof *b->seen);
    b->items = gz_arena_array(arena, m->pair_count + 1, GZ_LANES * sizeof *b->items);
    b->pairs = gz_arena_array(arena, m->pair_count, sizeof *b->pairs);
    b->candidates = gz_arena_array(arena, candidates, sizeof *b->candidates);
    b->lane_pairs = gz_arena_array(arena, m->pair_count, sizeof *b->lane_pairs);
    b->lane_candidates = gz_arena_array(arena, candidates, sizeof *b->lane_candidates);
    b->lane_scenes = gz_arena_array(arena, candidates, sizeof *b->lane_scenes);
}

bool gz_batch_block_create(gz_batch_block *b, const gz_filter_model *m) {
    *b = (gz_batch_block){0};
    gz_arena arena = {0};
    lay_out_block(b, m, &arena);
    bool ok = gz_arena_create(&arena);
    if (ok) {
        b->memory = arena.memory;
        lay_out_block(b, m, &arena);
        memset(b->rows, 0, m->q_size * GZ_LANES * sizeof *b->rows);
        ok = (!m->tree || gz_link_search_create(&b->search, m->tree)) &&
             gz_local_tree_create(&b->local_tree, m->large);
    }
    if (!ok) gz_batch_block_free(b);
    return ok;
}

void gz_batch_block_free(gz_batch_block *b) {
    gz_link_search_free(b->search);
    gz_local_tree_free(b->local_tree);
    gz_free(b->memory);
    *b = (gz_batch_block){0};
}

/// Rows of a body's rotation in one lane, each with a coordinate of a point.
static void gather_rows(float (*pose)[GZ_LANES], size_t lane, const float point[3], gz_f4 row[3]) {
    for (int k = 0; k < 3; k++)
        row[k] = gz_f4_set(pose[4 * k][lane], pose[4 * k + 1][lane], pose[4 * k + 2][lane],
                           point[k]);
}

bool gz_batch_pair_place(const gz_filter_model *m, const gz_batch_block *block,
                         const gz_batch_pair *own, size_t lane, gz_proxy_pair *pair) {
    const gz_filter_pair *p = &m->pairs[own->own];
    if (!p->has_proxies) return false; // large links: in double, with the larger one second
    float(*a)[GZ_LANES] = block->poses[m->links[p->a].body];
    float(*b)[GZ_LANES] = block->poses[m->links[p->b].body], between[3], axis[3][3];
    for (int k = 0; k < 3; k++) {
        between[k] = a[4 * k + 3][lane] - b[4 * k + 3][lane];
        for (int i = 0; i < 3; i++) axis[i][k] = b[4 * k + i][lane];
    }
    const float *const to[3] = {axis[0], axis[1], axis[2]};
    gz_f4 row[3];
    gather_rows(a, lane, between, row);
    gz_filter_place_pair(m, p, row, to, between, pair);
    return true;
}

gz_proxy_answer gz_batch_candidate_test(const gz_filter_model *m, const gz_batch_block *block,
                                        const gz_batch_candidate *candidate, size_t lane,
                                        gz_proxy_question question) {
    size_t link = (size_t)candidate->link, object = (size_t)candidate->object;
    const gz_filter_link *l = &m->links[link];
    if (candidate->object < 0 || !gz_filter_has_proxies(l, &m->objects[object]))
        return GZ_PROXY_UNKNOWN;
    float(*pose)[GZ_LANES] = block->poses[l->body];
    const float origin[3] = {pose[3][lane], pose[7][lane], pose[11][lane]};
    gz_f4 row[3];
    gather_rows(pose, lane, origin, row);
    gz_proxy_pair pair;
    double error = gz_filter_place_object(l, &m->objects[object], &block->views[object], row,
                                          &pair);
    pair.question = question;
    gz_proxy_pair_grow(&pair, error, (double)gz_filter_margin(m, link, object));
    return m->kernels->proxy_pair(&pair);
}
