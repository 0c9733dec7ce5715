// Poses, spheres and boxes of one configuration in float: a part of query_filter.inl.

#include "check/query_filter.h"

/// The values of all joints, by slot; false where one is out of range, or no number.
static bool read_values(const gz_filter_model *m, const double *q, gz_query_scratch *s) {
    bool fit = true, within = true;
    for (size_t b = 1; b < m->body_count; b++) {
        const gz_filter_body *body = &m->bodies[b];
        double value = body->column < 0 ? body->offset
                                        : body->multiplier * q[body->column] + body->offset;
        s->values[body->slot] = value;
        fit = fit & (fabs(value) <= body->value_max);
        within = within & (value >= body->lower) & (value <= body->upper);
    }
    s->beyond = !within;
    return fit;
}

static inline gz_f4 combine(float (*m)[4], const float v[3]) {
    gz_f4 sum = gz_f4_mul(gz_f4_load(m[0]), gz_f4_all(v[0]));
    sum = gz_f4_muladd(gz_f4_load(m[1]), gz_f4_all(v[1]), sum);
    return gz_f4_muladd(gz_f4_load(m[2]), gz_f4_all(v[2]), sum);
}

static inline gz_f4 move(float (*m)[4], const float v[3]) {
    gz_f4 sum = gz_f4_muladd(gz_f4_load(m[0]), gz_f4_all(v[0]), gz_f4_load(m[3]));
    sum = gz_f4_muladd(gz_f4_load(m[1]), gz_f4_all(v[1]), sum);
    return gz_f4_muladd(gz_f4_load(m[2]), gz_f4_all(v[2]), sum);
}

/// The rotation of a body that turns about one of its own axes: the origin's, where there is one,
/// and then two columns mixed.
static inline void turn_columns(const gz_filter_body *body, float sine, float cosine,
                                float (*parent)[4], float (*out)[4]) {
    float own[3][4];
    if (!body->straight) {
        for (int j = 0; j < 3; j++) gz_f4_store(own[j], combine(parent, body->rotation[j]));
        parent = own;
    }
    int k = body->axis, k1 = k == 2 ? 0 : k + 1, k2 = k == 0 ? 2 : k - 1;
    gz_f4 s = gz_f4_all(sine * body->sense), c = gz_f4_all(cosine);
    gz_f4 own_axis = gz_f4_load(parent[k]), u = gz_f4_load(parent[k1]), v = gz_f4_load(parent[k2]);
    gz_f4_store(out[k], own_axis);
    gz_f4_store(out[k1], gz_f4_muladd(u, c, gz_f4_mul(v, s)));
    gz_f4_store(out[k2], gz_f4_sub(gz_f4_mul(v, c), gz_f4_mul(u, s)));
}

/// The same about any axis: projection + cosine c + sine s, after the parent's rotation.
static inline void turn_freely(const gz_filter_body *body, float sine, float cosine,
                               float (*parent)[4], float (*out)[4]) {
    gz_f4 s = gz_f4_all(sine), c = gz_f4_all(cosine);
    for (int j = 0; j < 3; j++) {
        gz_f4 sum = gz_f4_muladd(gz_f4_load(body->cosine[j]), c, gz_f4_load(body->projection[j]));
        float column[4];
        gz_f4_store(column, gz_f4_muladd(gz_f4_load(body->sine[j]), s, sum));
        gz_f4_store(out[j], combine(parent, column));
    }
}

static void pose_body(const gz_filter_model *m, const gz_filter_body *body,
                      const gz_query_scratch *s, float (*out)[4]) {
    float(*parent)[4] = s->poses[body->parent];
    if (!body->turns) {
        float value = (float)s->values[body->slot], shift[3];
        for (int k = 0; k < 3; k++) shift[k] = body->shift[k] + body->slide[k] * value;
        for (int j = 0; j < 3; j++)
            gz_f4_store(out[j], body->straight ? gz_f4_load(parent[j])
                                               : combine(parent, body->rotation[j]));
        gz_f4_store(out[3], move(parent, shift));
        return;
    }
    float sine = s->sines[body->slot], cosine = s->sines[m->turning + (size_t)body->slot];
    if (body->axis < 3)
        turn_columns(body, sine, cosine, parent, out);
    else
        turn_freely(body, sine, cosine, parent, out);
    gz_f4_store(out[3], move(parent, body->shift));
}

/// The centres of the links' spheres, four links at a time.
static void place_query_spheres(const gz_filter_model *m, gz_query_scratch *s) {
    for (size_t i = 0; i < m->link_count; i += 4) {
        gz_f4 p[4];
        for (size_t k = 0; k < 4; k++) {
            const gz_filter_link *l = &m->links[i + k];
            p[k] = move(s->poses[l->body], l->center);
        }
        gz_f4_transpose(p);
        for (int k = 0; k < 3; k++) gz_f4_store(s->centers[k] + i, p[k]);
    }
    memset(s->box_ready, 0, m->link_count);
}

static bool pose_query(const gz_filter_model *m, const double *q, const double base[12],
                       gz_query_scratch *s) {
    if (!read_values(m, q, s)) return false;
    for (size_t i = 0; i < m->turning; i += GZ_LANES)
        gz_filter_sine_cosine(s->values + i, s->sines + i, s->sines + m->turning + i);
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 4; k++) s->poses[0][j][k] = j < 3 && k < 3 ? (float)base[4 * k + j] : 0;
    for (size_t b = 1; b < m->body_count; b++) pose_body(m, &m->bodies[b], s, s->poses[b]);
    place_query_spheres(m, s);
    return true;
}

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
/// in single_filter.c), and what a's axes are off the orthonormal ones times b's size
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
