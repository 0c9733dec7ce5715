// The filter of one configuration, with lanes across pairs: poses, spheres and boxes in float.

#include "base/float_environment.h"
#include "broad/world_query.h"
#include "check/call_rules.h"
#include "check/filter_error.h"
#include "check/filters.h"
#include "narrow/prefilter/cell_lanes.h"

#include "check/query_pose.inl"

static const gz_query_box *query_box(const gz_filter_model *m, gz_query_scratch *s, int32_t link) {
    gz_query_box *out = &s->boxes[link];
    if (s->box_ready[link]) return out;
    const gz_filter_link *l = &m->links[link];
    float(*pose)[4] = s->poses[l->body];
    gz_f4 p[4];
    for (int k = 0; k < 3; k++) p[k] = combine(pose, l->box[k]);
    p[3] = move(pose, l->box[3]);
    for (int k = 0; k < 4; k++) gz_f4_store(out->column[k], p[k]);
    gz_f4_transpose(p);
    for (int k = 0; k < 3; k++) gz_f4_store(out->row[k], p[k]);
    s->box_ready[link] = 1;
    return out;
}

/// Whether two posed boxes are apart along one of 15 axes by more than the pad, which covers four
/// times all that either box may be off, and so the rounding of the sums here, too (see make_link
/// in filter_model.c), and what a's axes are off the orthonormal ones times b's size
/// (gz_pair_pads_make()). Lane i is a's axis i, but of p and the h beside it, where it is b's; the
/// last lane holds nothing.
static bool boxes_apart(const gz_query_box *a, const float half_a[4], const gz_query_box *b,
                        const float half_b[4], float pad) {
    gz_f4 ax = gz_f4_load(a->row[0]), ay = gz_f4_load(a->row[1]), az = gz_f4_load(a->row[2]);
    gz_f4 pads = gz_f4_all(pad), ha = gz_f4_load(half_a), r[3], size[4];
    float d[4];
    gz_f4_store(d, gz_f4_sub(gz_f4_load(b->column[3]), gz_f4_load(a->column[3])));
    gz_f4 dx = gz_f4_all(d[0]), dy = gz_f4_all(d[1]), dz = gz_f4_all(d[2]);
    gz_f4 t = gz_f4_muladd(az, dz, gz_f4_muladd(ay, dy, gz_f4_mul(ax, dx)));
    gz_f4 h = gz_f4_add(ha, pads);
    for (int j = 0; j < 3; j++) {
        const float *axis = b->column[j];
        r[j] = gz_f4_mul(ax, gz_f4_all(axis[0]));
        r[j] = gz_f4_muladd(ay, gz_f4_all(axis[1]), r[j]);
        r[j] = gz_f4_muladd(az, gz_f4_all(axis[2]), r[j]);
        size[j] = gz_f4_abs(r[j]);
        h = gz_f4_muladd(size[j], gz_f4_all(half_b[j]), h);
    }
    if (gz_f4_above(gz_f4_abs(t), h) & 7) return true;
    // Along b's axes.
    gz_f4 p = gz_f4_mul(gz_f4_load(b->row[0]), dx);
    p = gz_f4_muladd(gz_f4_load(b->row[1]), dy, p);
    p = gz_f4_muladd(gz_f4_load(b->row[2]), dz, p);
    gz_f4 turned[4] = {size[0], size[1], size[2], pads};
    gz_f4_transpose(turned);
    h = gz_f4_add(gz_f4_load(half_b), pads);
    for (int i = 0; i < 3; i++) h = gz_f4_muladd(turned[i], gz_f4_all(half_a[i]), h);
    if (gz_f4_above(gz_f4_abs(p), h) & 7) return true;
    // Along a's axes times one of b's.
    gz_f4 t1 = gz_f4_next(t), t2 = gz_f4_next(t1), ha1 = gz_f4_next(ha), ha2 = gz_f4_next(ha1);
    unsigned apart = 0;
    for (int j = 0; j < 3; j++) {
        int j1 = j == 2 ? 0 : j + 1, j2 = j == 0 ? 2 : j - 1;
        gz_f4 r1 = gz_f4_next(r[j]), r2 = gz_f4_next(r1);
        p = gz_f4_sub(gz_f4_mul(t2, r1), gz_f4_mul(t1, r2));
        h = gz_f4_muladd(ha1, gz_f4_abs(r2), pads);
        h = gz_f4_muladd(ha2, gz_f4_abs(r1), h);
        h = gz_f4_muladd(size[j2], gz_f4_all(half_b[j1]), h);
        h = gz_f4_muladd(size[j1], gz_f4_all(half_b[j2]), h);
        apart |= gz_f4_above(gz_f4_abs(p), h);
    }
    return apart & 7;
}

// The stages of one configuration: included by one source file per instruction set, which defines
// QUERY_STAGES (the identifier of the table) first. Everything is file-local.

/// Places the meshes of two links that have proxies.
static void place_pair(const gz_filter_model *m, const gz_filter_pair *p, const gz_query_scratch *s,
                       gz_proxy_pair *out) {
    float(*a)[4] = s->poses[m->links[p->a].body], (*b)[4] = s->poses[m->links[p->b].body];
    const float *const to[3] = {b[0], b[1], b[2]};
    float between[4];
    gz_f4 rows[4];
    for (int j = 0; j < 3; j++) rows[j] = gz_f4_load(a[j]);
    rows[3] = gz_f4_sub(gz_f4_load(a[3]), gz_f4_load(b[3]));
    gz_f4_store(between, rows[3]);
    gz_f4_transpose(rows);
    gz_filter_place_pair(m, p, rows, to, between, out);
}

/// Tests the proxies of two links.
static gz_proxy_answer test_pair_proxies(const gz_filter_model *m, const gz_filter_pair *p,
                                         gz_proxy_question question, const gz_query_scratch *s) {
    if (!p->has_proxies) return GZ_PROXY_UNKNOWN;
    gz_proxy_pair pair;
    place_pair(m, p, s, &pair);
    pair.question = question;
    if (s->keeps_planes) pair.plane = &s->pair_planes[p - m->pairs];
    return m->kernels->proxy_pair(&pair);
}

/// Whether rules leave out a pair here: it is hidden, tested elsewhere, or too late to count.
GZ_OUT_OF_LINE static bool is_left_out(const gz_filter_model *m, const gz_filter_pair *p,
                                       const gz_query_scratch *s) {
    const gz_check_pair pair = {.a = m->links[p->a].link, .b = m->links[p->b].link};
    return !gz_rules_plain(s->rules, pair.a, pair.b) ||
           (s->before && !gz_pair_comes_before(&pair, s->before));
}

/// One pair whose spheres are near. False where it is certain to overlap.
static bool test_pair(const gz_filter_model *m, const gz_filter_pair *p, gz_proxy_question question,
                      gz_query_scratch *s, graze_stats *stats) {
    if (s->rules && is_left_out(m, p, s)) return true;
    if (p->table && s->q && gz_pair_table_at(p->table, s->q) >= p->table_least) {
        stats->lane_rejects++;
        return true;
    }
    const gz_query_box *a = query_box(m, s, p->a), *b = query_box(m, s, p->b);
    if (boxes_apart(a, m->links[p->a].half, b, m->links[p->b].half, p->sizes[6])) {
        stats->lane_rejects++;
        return true;
    }
    gz_proxy_answer answer = test_pair_proxies(m, p, question, s);
    if (answer == GZ_PROXY_OVERLAP) {
        stats->proxy_hits++;
        s->certain_pair = p->pair;
        return false;
    }
    if (answer == GZ_PROXY_APART)
        stats->proxy_rejects++;
    else
        s->pairs[s->pair_count++] = p->has_proxies ? ~p->pair : p->pair;
    return true;
}

/// One pair whose spheres may not be near.
static bool test_spheres(const gz_filter_model *m, const gz_filter_pair *p,
                         gz_proxy_question question, gz_query_scratch *s, graze_stats *stats) {
    float square = 0;
    for (int k = 0; k < 3; k++) {
        float d = s->centers[k][p->b] - s->centers[k][p->a];
        square += d * d;
    }
    if (square > p->apart2) {
        stats->lane_rejects++;
        return true;
    }
    return test_pair(m, p, question, s, stats);
}

/// The pairs that the tree over the links leaves; all where links pile up.
static void list_tree_pairs(const gz_filter_model *m, gz_proxy_question question,
                            gz_query_scratch *s, graze_stats *stats) {
    gz_link_search_begin(s->search);
    if (!gz_link_tree_find_balls(m->tree, s->search, s->centers[0], s->centers[1], s->centers[2], 1,
                                 m->radii)) {
        for (size_t i = 0; i < m->pair_count; i++)
            if (!test_spheres(m, &m->pairs[i], question, s, stats)) return;
        return;
    }
    size_t tested = 0, end = m->pair_count;
    for (int32_t pair; (pair = gz_link_search_next(s->search)) >= 0; tested++) {
        size_t own = (size_t)pair - gz_link_tree_fixed_before(m->tree, (size_t)pair);
        if (test_spheres(m, &m->pairs[own], question, s, stats)) continue;
        end = own + 1;
        gz_link_search_clear(s->search);
    }
    stats->lane_rejects += end - tested;
}

static void list_pairs(const gz_filter_model *m, gz_proxy_question question, gz_query_scratch *s,
                       graze_stats *stats) {
    s->pair_count = s->candidate_count = 0;
    s->certain_pair = -1;
    s->certain = (gz_candidate){-1, -1};
    if (m->tree) {
        list_tree_pairs(m, question, s, stats);
        return;
    }
    const float *const centers[3] = {s->centers[0], s->centers[1], s->centers[2]};
    const gz_filter_row *end = m->rows + m->row_count;
    for (const gz_filter_row *row = m->rows; row < end; row++) {
        gz_f8 square = gz_f8_all(0);
        for (int k = 0; k < 3; k++) {
            gz_f8 d = gz_f8_sub(gz_f8_load(centers[k] + row->first), gz_f8_all(centers[k][row->a]));
            square = gz_f8_muladd(d, d, square);
        }
        // Squares are at least 0, so that lanes without a pair are never near.
        unsigned near = ~gz_f8_mask(gz_f8_greater(square, gz_f8_load(row->apart2))) & 0xff;
        stats->lane_rejects += (uint64_t)row->count;
        for (; near; near &= near - 1) {
            const gz_filter_pair *p = &m->pairs[row->pair[__builtin_ctz(near)]];
            stats->lane_rejects--;
            if (!test_pair(m, p, question, s, stats)) return;
        }
    }
}

/// Squares round by 8 u, whose roots are off by 4 u; roots, products and the difference by 1 u
/// each. `apart2` is rounded up.
static void bound_pairs(const gz_filter_model *m, const gz_query_scratch *s, float *keys,
                        float *least) {
    const gz_f8 down = gz_f8_all(1 - 0x1p-20f), up = gz_f8_all(1 + 0x1p-20f), zero = gz_f8_all(0);
    for (size_t r = 0; r < m->row_count; r++) {
        const gz_filter_row *row = &m->rows[r];
        gz_f8 square = zero, apart2 = gz_f8_load(row->apart2), none = gz_f8_greater(zero, apart2);
        for (int k = 0; k < 3; k++) {
            gz_f8 d = gz_f8_sub(gz_f8_load(s->centers[k] + row->first),
                                gz_f8_all(s->centers[k][row->a]));
            square = gz_f8_muladd(d, d, square);
        }
        apart2 = gz_f8_max(apart2, zero);
        gz_f8 gap = gz_f8_sub(gz_f8_mul(gz_f8_sqrt(square), down),
                              gz_f8_mul(gz_f8_sqrt(apart2), up));
        gap = gz_f8_select(gz_f8_max(gap, zero), gz_f8_all(INFINITY), none);
        gz_f8_store(keys + r * GZ_LANES, gap);
        least[r] = gz_f8_least(gap);
    }
    for (size_t r = m->row_count; r % GZ_LANES; r++) least[r] = INFINITY;
}

/// The least of whole eights of numbers, none below 0, and where it is. Returns the least of all
/// others.
static inline float take_least(const float *keys, size_t count, size_t *at) {
    static const float taken[2 * GZ_LANES - 1] = {[GZ_LANES - 1] = INFINITY};
    gz_f8 first = gz_f8_all(INFINITY), second = first, place = gz_f8_all(0);
    for (size_t i = 0; i < count; i += GZ_LANES) {
        gz_f8 key = gz_f8_load(keys + i);
        place = gz_f8_select(place, gz_f8_all((float)i), gz_f8_greater(first, key));
        second = gz_f8_min(second, gz_f8_max(first, key));
        first = gz_f8_min(first, key);
    }
    float places[GZ_LANES];
    gz_f8_store(places, place);
    const int lane = gz_f8_least_lane(first);
    *at = (size_t)places[lane] + (size_t)lane;
    first = gz_f8_max(first, gz_f8_load(taken + GZ_LANES - 1 - lane));
    return gz_f8_least(gz_f8_min(second, first));
}

static float find_least(const float *keys, float *least, size_t rows, size_t *at) {
    size_t row = *at / GZ_LANES, lane;
    least[row] = gz_f8_least(gz_f8_load(keys + row * GZ_LANES));
    const float others = take_least(least, rows, &row),
                here = take_least(keys + row * GZ_LANES, GZ_LANES, &lane);
    *at = row * GZ_LANES + lane;
    return here < others ? here : others;
}

// ----------------------------------------------------------------------------------------- objects

/// An object seen from the origin, whose place is known; the rest is found when it is wanted.
static const gz_query_object *query_object(const gz_filter_model *m, const gz_query_scratch *s,
                                           size_t object) {
    gz_query_object *out = &s->objects[object];
    if (out->ready) return out;
    const gz_filter_object *o = &m->objects[object];
    const double origin[12] = {[3] = s->origin[0], [7] = s->origin[1], [11] = s->origin[2]};
    gz_f4 rows[4];
    gz_filter_view_turn(o, origin, &out->view);
    for (int k = 0; k < 3; k++) {
        rows[k] = gz_f4_set(o->axis[0][k], o->axis[1][k], o->axis[2][k], out->view.center[k]);
        gz_f4_store(out->box.row[k], rows[k]);
        out->half[k] = o->half[k];
    }
    rows[3] = gz_f4_all(0);
    out->half[3] = 0;
    gz_f4_transpose(rows);
    for (int j = 0; j < 4; j++) gz_f4_store(out->box.column[j], rows[j]);
    out->ready = true;
    return out;
}

/// A threshold of lanes without an object.
#define NOWHERE -1e30f

/// Where the objects are, seen from a base; known already where the base is that of the last call.
static void view_query_objects(const gz_filter_model *m, const double base[12],
                               gz_query_scratch *s) {
    double origin[3] = {base[3], base[7], base[11]};
    if (s->has_views && memcmp(s->origin, origin, sizeof origin) == 0) return;
    memcpy(s->origin, origin, sizeof origin);
    s->has_views = true;
    gz_filter_view_extent(m, base, s->extent);
    memset(s->places, 0, m->group_count * sizeof *s->places);
    memset(s->clear[3], 0, m->link_count * sizeof *s->clear[3]);
    for (size_t k = m->object_count; k < m->group_count * GZ_LANES; k++)
        s->places[k / GZ_LANES][3][k % GZ_LANES] = NOWHERE; // unused lanes are far from every link
    for (size_t k = 0; k < m->object_count; k++) {
        gz_filter_view *view = &s->objects[k].view;
        gz_filter_view_place(&m->objects[k], base, view);
        s->objects[k].ready = false;
        float(*place)[GZ_LANES] = s->places[k / GZ_LANES];
        for (int i = 0; i < 3; i++) place[i][k % GZ_LANES] = view->center[i];
        place[3][k % GZ_LANES] = view->pad;
    }
}

/// Leaves out objects that rules hide, and all of links of which they say more than that: these are
/// tested in double, whatever the filter finds (add_ruled_links()).
GZ_OUT_OF_LINE static void hide_objects(const gz_filter_model *m, gz_query_scratch *s) {
    const graze_rules *r = s->rules;
    for (size_t i = 0; i < m->link_count; i++) {
        int32_t link = m->links[i].link;
        const uint64_t *row = r->objects + (size_t)link * r->objects_words;
        uint8_t *possible = s->possible + i * m->group_count;
        for (size_t g = 0; g < m->group_count; g++)
            possible[g] &= r->flags[link] & GZ_RULED_MORE ? 0
                                                          : (uint8_t)(row[g / 8] >> 8 * (g % 8));
    }
}

/// Which objects each link may touch: all that are checked, but for those with a map that shows
/// that all of the link's sphere is clear of them. Where an object counts as solid, what is inside
/// of it touches it; the map knows nothing of caps. Of the link's errors, four times what a point
/// is off, one part covers the rounding of the way into the mesh's frame.
static void find_possible(const gz_filter_model *m, gz_query_scratch *s) {
    memcpy(s->possible, m->present, m->link_count * m->group_count);
    for (size_t k = 0; k < m->object_count; k++) {
        const gz_filter_object *o = &m->objects[k];
        if (!o->has_map || o->cap) continue;
        const gz_query_object *seen = query_object(m, s, k);
        for (size_t i = 0; i < m->link_count; i += GZ_LANES) {
            moved_points p;
            for (int j = 0; j < 3; j++) {
                p.x[j] = gz_f8_all(seen->view.shift[j]);
                for (int n = 0; n < 3; n++)
                    p.x[j] = gz_f8_muladd(gz_f8_load(s->centers[n] + i),
                                          gz_f8_all(o->to_mesh[j][n]), p.x[j]);
            }
            float threshold[GZ_LANES];
            for (size_t lane = 0; lane < GZ_LANES; lane++) {
                size_t link = i + lane < m->link_count ? i + lane : 0;
                float margin = gz_filter_margin(m, link, k);
                threshold[lane] = (m->radius_bounds[i + lane] + 2 * seen->view.mesh_pad + margin) *
                                  GZ_ROUND_UP;
            }
            ball_answer ball = query_balls(&o->mesh->proxy->clearance, &p, gz_f8_load(threshold));
            unsigned apart = ball.clear & ~(o->solid ? ball.inside : 0) & 0xff;
            for (; apart; apart &= apart - 1) {
                size_t link = i + (size_t)__builtin_ctz(apart);
                if (link < m->link_count)
                    s->possible[link * m->group_count + k / GZ_LANES] &= (uint8_t) ~(
                        1u << k % GZ_LANES);
            }
        }
    }
}

/// Which of eight links' spheres may reach the box around all objects.
static unsigned links_near_extent(const gz_filter_model *m, size_t first,
                                  const gz_query_scratch *s) {
    gz_f8 threshold = gz_f8_load(m->radius_bounds + first), apart = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 c = gz_f8_load(s->centers[k] + first);
        gz_f8 low = gz_f8_sub(gz_f8_all(s->extent[0][k]), threshold);
        gz_f8 high = gz_f8_add(gz_f8_all(s->extent[1][k]), threshold);
        apart = gz_f8_or(apart, gz_f8_or(gz_f8_greater(low, c), gz_f8_greater(c, high)));
    }
    return ~gz_f8_mask(apart);
}

/// Notes by how much a link's sphere is clear of all objects, each of which `slack` has the
/// distance beyond the threshold of, and where. Until it has moved by as much it is clear of them:
/// a point's distance from a box changes by no more than the point moves. With u = 2^-24 the root
/// of a square is off by 2^-21 of the distance D, the difference with the threshold T by u, and the
/// way moved by 3 u: less than 1e-6 (D - T) + 5e-7 T, as D is that sum. GZ_ROUND_DOWN holds the
/// first, what GZ_SQUARE_ROUND_UP has added to T the second.
static void note_clear(const gz_query_scratch *s, size_t link, gz_f8 slack) {
    float least = gz_f8_least(slack);
    for (int k = 0; k < 3; k++) s->clear[k][link] = s->centers[k][link];
    s->clear[3][link] = least > 0 ? least * least * GZ_ROUND_DOWN : 0;
}

/// Which of eight links have not moved as far as that.
static unsigned links_kept_clear(const gz_query_scratch *s, size_t first) {
    gz_f8 moved = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 d = gz_f8_sub(gz_f8_load(s->centers[k] + first), gz_f8_load(s->clear[k] + first));
        moved = gz_f8_muladd(d, d, moved);
    }
    return gz_f8_mask(gz_f8_greater(gz_f8_load(s->clear[3] + first), moved));
}

/// Which of eight objects' boxes the sphere of a link may touch. Where it is kept, *slack becomes
/// the least distance beyond a threshold, by lanes.
static unsigned group_near(const gz_filter_model *m, size_t link, size_t group,
                           const gz_query_scratch *s, gz_f8 *slack) {
    const gz_filter_group *g = &m->groups[group];
    float(*place)[GZ_LANES] = s->places[group];
    gz_f8 d[3], square = gz_f8_all(0), none = gz_f8_all(0);
    for (int k = 0; k < 3; k++)
        d[k] = gz_f8_sub(gz_f8_all(s->centers[k][link]), gz_f8_load(place[k]));
    const bool upright = g->upright; // products with 0 and 1 are left out
    for (int k = 0; k < 3; k++) {
        gz_f8 p = d[2];
        if (!upright || k < 2) {
            p = gz_f8_mul(d[0], gz_f8_load(g->axis[k][0]));
            p = gz_f8_muladd(d[1], gz_f8_load(g->axis[k][1]), p);
            if (!upright) p = gz_f8_muladd(d[2], gz_f8_load(g->axis[k][2]), p);
        }
        gz_f8 out = gz_f8_max(gz_f8_sub(gz_f8_abs(p), gz_f8_load(g->half[k])), none);
        square = gz_f8_muladd(out, out, square);
    }
    // The pads are as test_object() has them; what is a little more covers their rounding.
    gz_f8 threshold = gz_f8_add(gz_f8_load(place[3]), gz_f8_all(m->radius_bounds[link]));
    if (m->margins)
        threshold = gz_f8_add(threshold,
                              gz_f8_load(m->margins + (link * m->group_count + group) * GZ_LANES));
    threshold = gz_f8_mul(threshold, gz_f8_all(GZ_SQUARE_ROUND_UP));
    if (s->keeps_planes) *slack = gz_f8_min(*slack, gz_f8_sub(gz_f8_sqrt(square), threshold));
    unsigned apart = gz_f8_mask(gz_f8_greater(square, gz_f8_mul(threshold, threshold)));
    return s->possible[link * m->group_count + group] & ~apart;
}

/// Whether a link may touch an object with a map, which all of its sphere may: its spheres bound
/// surfaces only. The pad covers the error of the pose and twice that of asking.
static bool groups_near_map(const gz_filter_object *o, const gz_filter_link *l, const float r[3][3],
                            const float t[3], float pad) {
    if (o->cap) return true; // the map knows nothing of caps
    // A part of the object may lie in the link.
    if (gz_proxy_may_contain(l->mesh, l->solid, l->cap, o->mesh, (double)pad)) return true;
    for (int g = 0; g < l->sphere_group_count; g++) {
        moved_points p = move_group(r, t, l->spheres[g]);
        gz_f8 threshold = gz_f8_mul(gz_f8_add(gz_f8_load(l->spheres[g][3]), gz_f8_all(pad)),
                                    gz_f8_all(GZ_ROUND_UP));
        ball_answer ball = query_balls(&o->mesh->proxy->clearance, &p, threshold);
        if ((~ball.clear & 0xff) | (o->solid ? ball.inside : 0)) return true;
    }
    return false;
}

/// What is known of a link and an object whose sphere and box are near.
static gz_proxy_answer test_object(const gz_filter_model *m, size_t link, size_t object,
                                   gz_proxy_question question, bool *is_apart,
                                   gz_query_scratch *s) {
    const gz_filter_link *l = &m->links[link];
    const gz_filter_object *o = &m->objects[object];
    const gz_query_object *seen = query_object(m, s, object);
    float margin = gz_filter_margin(m, link, object);
    float pad = (4 * l->error + seen->view.pad) * GZ_PAD_ROUND_UP + margin;
    // The object first: see object_near() in batch_filter.inl.
    *is_apart = boxes_apart(&seen->box, seen->half, query_box(m, s, (int32_t)link), l->half, pad);
    if (*is_apart || !l->mesh || !o->mesh) return GZ_PROXY_UNKNOWN;
    gz_f4 rows[4];
    for (int j = 0; j < 4; j++) rows[j] = gz_f4_load(s->poses[l->body][j]);
    gz_f4_transpose(rows);
    gz_proxy_pair pair;
    double error = gz_filter_place_object(l, o, &seen->view, rows, &pair);
    *is_apart = o->has_map && !groups_near_map(o, l, (const float(*)[3])pair.r, pair.t,
                                               (float)error + 2 * seen->view.mesh_pad + margin);
    if (*is_apart || !l->moves || !gz_filter_has_proxies(l, o)) return GZ_PROXY_UNKNOWN;
    pair.question = question;
    if (s->keeps_planes) pair.plane = &s->object_planes[link * m->group_count * GZ_LANES + object];
    gz_proxy_pair_grow(&pair, error, (double)margin);
    return m->kernels->proxy_pair(&pair);
}

/// One link against the objects. False where it is certain to overlap one. A link that no joint
/// moves goes against the whole world, once per base; so does one near a curved object, or with
/// curved elements, whose verdict could depend on the bounds that are tested on the way.
static bool test_link(const gz_filter_model *m, size_t link, const uint8_t *free,
                      gz_proxy_question question, gz_query_scratch *s, graze_stats *stats) {
    const gz_filter_link *l = &m->links[link];
    bool counted = false;
    gz_f8 slack = gz_f8_all(-NOWHERE);
    for (size_t g = 0; g < m->group_count; g++) {
        unsigned near = group_near(m, link, g, s, &slack);
        for (; near; near &= near - 1) {
            size_t object = g * GZ_LANES + (size_t)__builtin_ctz(near);
            bool is_apart;
            gz_proxy_answer answer = test_object(m, link, object, question, &is_apart, s);
            if (is_apart) continue;
            stats->lane_rejects -= !counted;
            counted = true;
            if (!l->moves || !l->mesh || !m->objects[object].mesh) {
                if (!free || !free[l->link])
                    s->candidates[s->candidate_count++] = (gz_candidate){l->link, -1};
                return true;
            }
            gz_candidate candidate = {l->link, (int32_t)object};
            if (answer == GZ_PROXY_OVERLAP) {
                stats->proxy_hits++;
                s->certain = candidate;
                return false;
            }
            if (answer == GZ_PROXY_APART)
                stats->proxy_rejects++;
            else
                s->candidates[s->candidate_count++] = candidate;
        }
    }
    if (s->keeps_planes) note_clear(s, link, slack);
    return true;
}

/// Whether the tree over the world has an object near a link: the box around the link's oriented
/// box, grown by four times what that may be off, which covers the rounding here and what the box
/// in double is grown by (gz_link.pad, gz_pose_pad()).
static bool tree_near(const gz_filter_model *m, size_t link, const double origin[12],
                      gz_query_scratch *s, graze_stats *stats) {
    const gz_filter_link *l = &m->links[link];
    const gz_query_box *box = query_box(m, s, (int32_t)link);
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        float extent = 4 * l->error;
        for (int j = 0; j < 3; j++) extent += fabsf(box->row[k][j]) * l->half[j];
        double center = origin[4 * k + 3] + (double)box->row[k][3];
        low[k] = center - ((double)extent * (1 + 0x1p-20) + l->world_threshold);
        high[k] = center + ((double)extent * (1 + 0x1p-20) + l->world_threshold);
    }
    const double place[3] = {origin[3], origin[7], origin[11]};
    return gz_world_query_near(s->local_tree, place, m->workspace_radius, m->world, low, high,
                               s->entries, s->stack, &stats->node_tests) > 0;
}

/// Links of a world that is left to the tree over it. What is tested of a link that no joint moves
/// is not counted.
static void list_near_links(const gz_filter_model *m, const double base[12], const uint8_t *free,
                            gz_query_scratch *s, graze_stats *stats) {
    for (size_t i = 0; i < m->link_count; i++) {
        const gz_filter_link *l = &m->links[i];
        if (l->moves ? tree_near(m, i, base, s, stats) : !free || !free[l->link])
            s->candidates[s->candidate_count++] = (gz_candidate){l->link, -1};
        else
            stats->lane_rejects += l->moves;
    }
}

static void list_candidates(const gz_filter_model *m, const double base[12], const uint8_t *free,
                            gz_proxy_question question, gz_query_scratch *s, graze_stats *stats) {
    if (m->all_near) {
        list_near_links(m, base, free, s, stats);
        return;
    }
    if (m->object_count == 0) {
        stats->lane_rejects += m->link_count;
        return;
    }
    view_query_objects(m, base, s);
    find_possible(m, s);
    if (s->rules) hide_objects(m, s);
    for (size_t i = 0; i < m->link_count; i += GZ_LANES) {
        unsigned there = m->link_count - i < GZ_LANES ? (1u << (m->link_count - i)) - 1 : 0xff;
        unsigned near = links_near_extent(m, i, s) & there;
        if (s->keeps_planes) near &= ~links_kept_clear(s, i);
        stats->lane_rejects += (uint64_t)__builtin_popcount(there & ~near);
        for (; near; near &= near - 1) {
            stats->lane_rejects++;
            if (!test_link(m, i + (size_t)__builtin_ctz(near), free, question, s, stats)) return;
        }
    }
}
