// What sketches say in the float poses of one lane.

#include <math.h>

#include "check/lane_filter.h"
#include "math/float_quad.h"

/// A vertex of a, moved into b's frame, is off by the errors of both poses, and by the error of b's
/// rotation times its distance, in the other direction of a's; and by what composing the two in
/// float rounds: 5 u of the size for the rotation, 8 u for the translation, with u = 2^-24.
bool gz_lane_pair_place(const gz_lane_model *m, const gz_lane_block *block,
                        const gz_lane_survivor *survivor, size_t lane, gz_proxy_pair *pair) {
    const gz_lane_pair *p = &m->pairs[survivor->own];
    const gz_lane_link *a = &m->links[p->a], *b = &m->links[p->b];
    if (!a->mesh || !b->mesh) return false;
    if (a->mesh->proxy->clearance.cell_count || b->mesh->proxy->clearance.cell_count)
        return false; // large links: in double, with the larger one second
    *pair = (gz_proxy_pair){.a = a->mesh,
                            .b = b->mesh,
                            .solid_a = a->solid,
                            .solid_b = b->solid,
                            .cap_a = a->cap,
                            .cap_b = b->cap};
    float(*pa)[GZ_LANES] = block->poses[a->body], (*pb)[GZ_LANES] = block->poses[b->body];
    // Rows of a's rotation, each with the distance of the origins: b's columns turn all four.
    gz_f4 row[3];
    float size = 0;
    for (int k = 0; k < 3; k++) {
        float d = pa[4 * k + 3][lane] - pb[4 * k + 3][lane];
        row[k] = gz_f4_set(pa[4 * k][lane], pa[4 * k + 1][lane], pa[4 * k + 2][lane], d);
        size += fabsf(d);
    }
    for (int i = 0; i < 3; i++) {
        gz_f4 sum = gz_f4_mul(row[0], gz_f4_all(pb[i][lane]));
        sum = gz_f4_add(sum, gz_f4_mul(row[1], gz_f4_all(pb[4 + i][lane])));
        sum = gz_f4_add(sum, gz_f4_mul(row[2], gz_f4_all(pb[8 + i][lane])));
        float out[4];
        gz_f4_store(out, sum);
        for (int j = 0; j < 3; j++) pair->r[i][j] = out[j];
        pair->t[i] = out[3];
    }
    double reach = 2 * (a->mesh->max_abs + b->mesh->max_abs) + (double)size;
    double turn = (double)a->turn + (double)b->turn + 32 * 0x1p-24;
    gz_proxy_pair_grow(pair, 1.01 * ((double)p->error + turn * reach), (double)p->margin);
    return true;
}

/// As above: the link's pose is off by its errors, the object's frame by its pad.
gz_proxy_answer gz_lane_touch_judge(const gz_lane_model *m, const gz_lane_block *block,
                                    const gz_lane_touch *touch, size_t lane, bool meet) {
    const gz_lane_link *l = &m->links[touch->link];
    if (touch->object < 0 || !l->mesh || !m->objects[touch->object].mesh) return GZ_PROXY_UNKNOWN;
    const gz_lane_object *o = &m->objects[touch->object];
    const gz_seen_object *seen = &block->objects[touch->object];
    if (l->mesh->proxy->clearance.cell_count && !o->has_map) return GZ_PROXY_UNKNOWN;
    gz_proxy_pair pair = {.a = l->mesh,
                          .b = o->mesh,
                          .meet = meet,
                          .solid_a = l->solid,
                          .part = o->has_map ? NULL : &o->part,
                          .box = o->is_box,
                          .solid_b = o->solid,
                          .cap_a = l->cap,
                          .cap_b = o->cap};
    float(*pose)[GZ_LANES] = block->poses[l->body], size = 0;
    // Rows of the link's rotation and origin: the object's rotation turns all four.
    gz_f4 row[3];
    for (int k = 0; k < 3; k++)
        row[k] = gz_f4_set(pose[4 * k][lane], pose[4 * k + 1][lane], pose[4 * k + 2][lane],
                           pose[4 * k + 3][lane]);
    for (int i = 0; i < 3; i++) {
        gz_f4 sum = gz_f4_mul(row[0], gz_f4_all(o->to_mesh[i][0]));
        sum = gz_f4_add(sum, gz_f4_mul(row[1], gz_f4_all(o->to_mesh[i][1])));
        sum = gz_f4_add(sum, gz_f4_mul(row[2], gz_f4_all(o->to_mesh[i][2])));
        float out[4];
        gz_f4_store(out, sum);
        for (int j = 0; j < 3; j++) pair.r[i][j] = out[j];
        pair.t[i] = out[3] + seen->shift[i];
        size += fabsf(pair.t[i]) + fabsf(seen->shift[i]);
    }
    double reach = 2 * (l->mesh->max_abs + o->mesh->max_abs) + (double)size;
    double turn = (double)l->turn + 32 * 0x1p-24;
    double margin =
        m->margins
            ? (double)m->margins[(size_t)touch->link * m->object_count + (size_t)touch->object]
            : 0;
    gz_proxy_pair_grow(&pair, 1.01 * ((double)l->error + (double)seen->mesh_pad + turn * reach),
                       margin);
    return m->kernels->proxy_pair(&pair);
}
