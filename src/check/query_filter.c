#include "check/query_filter.h"

#include "base/memory.h"

const gz_query_stages *gz_query_stages_choose(const gz_kernels *kernels) {
#ifdef GRAZE_HAVE_AVX2
    if (kernels == &gz_kernels_avx2) return &gz_query_stages_avx2;
#else
    (void)kernels;
#endif
    return &gz_query_stages_base;
}

static void lay_out(gz_query_scratch *s, const gz_filter_model *m, gz_arena *arena) {
    size_t links = (m->link_count + GZ_LANES - 1) / GZ_LANES * GZ_LANES;
    s->values = gz_arena_array(arena, m->turning + m->body_count, sizeof *s->values);
    s->sines = gz_arena_array(arena, 2 * m->turning, sizeof *s->sines);
    s->poses = gz_arena_array(arena, m->body_count, sizeof *s->poses);
    for (int k = 0; k < 3; k++) s->centers[k] = gz_arena_array(arena, links, sizeof *s->centers[k]);
    s->boxes = gz_arena_array(arena, links, sizeof *s->boxes);
    s->box_ready = gz_arena_array(arena, links, sizeof *s->box_ready);
    s->objects = gz_arena_array(arena, m->object_count, sizeof *s->objects);
    s->places = gz_arena_array(arena, m->group_count, sizeof *s->places);
    s->possible = gz_arena_array(arena, m->link_count * m->group_count, sizeof *s->possible);
    s->pairs = gz_arena_array(arena, m->pair_count, sizeof *s->pairs);
    s->candidates = gz_arena_array(arena, gz_filter_candidates_max(m), sizeof *s->candidates);
}

gz_query_scratch *gz_query_scratch_create(const gz_filter_model *m) {
    gz_query_scratch *s = gz_calloc(1, sizeof *s);
    gz_arena arena = {0};
    if (s) lay_out(s, m, &arena);
    if (!s || !gz_arena_create(&arena)) {
        gz_free(s);
        return NULL;
    }
    s->memory = arena.memory;
    lay_out(s, m, &arena);
    // Values and spheres that fill up a group are never set; they must be numbers.
    memset(s->values, 0, (m->turning + m->body_count) * sizeof *s->values);
    for (int k = 0; k < 3; k++)
        memset(s->centers[k], 0,
               (m->link_count + GZ_LANES - 1) / GZ_LANES * GZ_LANES * sizeof *s->centers[k]);
    return s;
}

void gz_query_scratch_free(gz_query_scratch *s) {
    if (!s) return;
    gz_free(s->memory);
    gz_free(s);
}
