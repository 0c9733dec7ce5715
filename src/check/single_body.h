// The stages of one configuration: included by one source file per instruction set, which defines
// SINGLE_STAGES (the identifier of the table) first. Everything is file-local.

#include "check/single_world.h"

/// Whether two links are apart, or meet, by the sketches of their meshes. The bound is that of
/// gz_lane_pair_place(): a vertex of a, moved into b's frame, is off by the errors of both poses,
/// and by the error of b's rotation times its distance, in the other direction of a's; and by what
/// composing the two in float rounds: 5 u of the size for the rotation, 8 u for the translation.
static gz_proxy_answer judge_pair(const gz_single_model *m, const gz_single_pair *p, bool meet,
                                  const gz_single_scratch *s) {
    const gz_single_link *a = &m->links[p->a], *b = &m->links[p->b];
    if (!p->prefiltered) return GZ_PROXY_UNKNOWN;
    gz_proxy_pair pair = {.a = a->mesh,
                          .b = b->mesh,
                          .meet = meet,
                          .solid_a = a->solid,
                          .solid_b = b->solid,
                          .cap_a = a->cap,
                          .cap_b = b->cap};
    float(*pa)[4] = s->poses[a->body], (*pb)[4] = s->poses[b->body];
    // Rows of a's pose, seen from b's origin.
    gz_f4 rows[4], origin = gz_f4_load(pb[3]);
    for (int j = 0; j < 3; j++) rows[j] = gz_f4_load(pa[j]);
    rows[3] = gz_f4_sub(gz_f4_load(pa[3]), origin);
    float between[4];
    gz_f4_store(between, rows[3]);
    gz_f4_transpose(rows);
    for (int i = 0; i < 3; i++) {
        gz_f4 row = gz_f4_mul(rows[0], gz_f4_all(pb[i][0]));
        row = gz_f4_muladd(rows[1], gz_f4_all(pb[i][1]), row);
        row = gz_f4_muladd(rows[2], gz_f4_all(pb[i][2]), row);
        float out[4];
        gz_f4_store(out, row);
        memcpy(pair.r[i], out, sizeof pair.r[i]);
        pair.t[i] = out[3];
    }
    double size = (double)(fabsf(between[0]) + fabsf(between[1]) + fabsf(between[2]));
    double reach = 2 * (a->mesh->max_abs + b->mesh->max_abs) + size;
    double turn = (double)a->turn + (double)b->turn + 32 * 0x1p-24;
    gz_proxy_pair_grow(&pair, 1.01 * ((double)p->error + turn * reach), (double)p->margin);
    return m->kernels->proxy_pair(&pair);
}

/// One pair whose spheres are near. False where it is certain to meet.
static bool look_at_pair(const gz_single_model *m, const gz_single_pair *p, bool meet,
                         gz_single_scratch *s, graze_stats *stats) {
    const gz_single_box *a = place_box(m, s, p->a), *b = place_box(m, s, p->b);
    if (boxes_apart(a, m->links[p->a].half, b, m->links[p->b].half, p->pad)) {
        stats->lane_rejects++;
        return true;
    }
    gz_proxy_answer answer = judge_pair(m, p, meet, s);
    if (answer == GZ_PROXY_OVERLAP) {
        stats->sketch_hits++;
        s->certain_pair = p->pair;
        return false;
    }
    if (answer == GZ_PROXY_APART)
        stats->sketch_rejects++;
    else
        s->pairs[s->pair_count++] = p->prefiltered ? ~p->pair : p->pair;
    return true;
}

/// One pair whose spheres may not be near.
static bool look_at_spheres(const gz_single_model *m, const gz_single_pair *p, bool meet,
                            gz_single_scratch *s, graze_stats *stats) {
    float square = 0;
    for (int k = 0; k < 3; k++) {
        float d = s->centers[k][p->b] - s->centers[k][p->a];
        square += d * d;
    }
    if (square > p->square) {
        stats->lane_rejects++;
        return true;
    }
    return look_at_pair(m, p, meet, s, stats);
}

/// The pairs that the tree over the links leaves; all where links pile up.
static void list_found(const gz_single_model *m, bool meet, gz_single_scratch *s,
                       graze_stats *stats) {
    gz_link_search_begin(s->search);
    if (!gz_link_tree_find_balls(m->tree, s->search, s->centers[0], s->centers[1], s->centers[2], 1,
                                 m->radii)) {
        for (size_t i = 0; i < m->pair_count; i++)
            if (!look_at_spheres(m, &m->pairs[i], meet, s, stats)) return;
        return;
    }
    size_t told = 0, end = m->pair_count;
    for (int32_t pair; (pair = gz_link_search_next(s->search)) >= 0; told++) {
        size_t own = (size_t)pair - gz_link_tree_fixed_before(m->tree, (size_t)pair);
        if (look_at_spheres(m, &m->pairs[own], meet, s, stats)) continue;
        end = own + 1;
        gz_link_search_clear(s->search);
    }
    stats->lane_rejects += end - told;
}

static void list_pairs(const gz_single_model *m, bool meet, gz_single_scratch *s,
                       graze_stats *stats) {
    s->pair_count = 0;
    s->certain_pair = -1;
    if (m->tree) {
        list_found(m, meet, s, stats);
        return;
    }
    for (size_t i = 0; i < m->row_count; i++) {
        const gz_single_row *row = &m->rows[i];
        gz_f8 square = gz_f8_all(0);
        for (int k = 0; k < 3; k++) {
            gz_f8 d = gz_f8_sub(gz_f8_load(s->centers[k] + row->first),
                                gz_f8_all(s->centers[k][row->a]));
            square = gz_f8_muladd(d, d, square);
        }
        // Squares are at least 0, so that lanes without a pair are never near.
        unsigned near = ~gz_f8_mask(gz_f8_greater(square, gz_f8_load(row->square))) & 0xff;
        stats->lane_rejects += (uint64_t)row->count;
        for (; near; near &= near - 1) {
            const gz_single_pair *p = &m->pairs[row->pair[__builtin_ctz(near)]];
            stats->lane_rejects--;
            if (!look_at_pair(m, p, meet, s, stats)) return;
        }
    }
}

const gz_single_stages SINGLE_STAGES = {pose_bodies, list_pairs, list_touches};
