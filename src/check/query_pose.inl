// The poses of one configuration in float, from q or from the caller's: included by
// query_filter.inl.

/// The values of all joints, by slot; false where one is out of range, or no number.
static bool read_values(const gz_filter_model *m, const double *q, gz_query_scratch *s) {
    bool fit = true, within = true;
    const gz_filter_body *end = m->bodies + m->body_count;
    for (const gz_filter_body *body = m->bodies + 1; body < end; body++) {
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

/// The rotation of a body that turns about any other axis: projection + cosine c + sine s, after
/// the parent's rotation.
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

static inline void pose_body(const gz_filter_body *body, const double *values, const float *sines,
                             const float *cosines, float (*poses)[4][4], float (*out)[4]) {
    float(*parent)[4] = poses[body->parent];
    if (!body->turns) {
        float value = (float)values[body->slot], shift[3];
        for (int k = 0; k < 3; k++) shift[k] = body->shift[k] + body->slide[k] * value;
        for (int j = 0; j < 3; j++)
            gz_f4_store(out[j], body->straight ? gz_f4_load(parent[j])
                                               : combine(parent, body->rotation[j]));
        gz_f4_store(out[3], move(parent, shift));
        return;
    }
    float sine = sines[body->slot], cosine = cosines[body->slot];
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
    s->q = q;
    if (!read_values(m, q, s)) return false;
    const size_t turning = m->turning, bodies = m->body_count;
    const double *values = s->values;
    float *sines = s->sines, *cosines = sines + turning, (*poses)[4][4] = s->poses;
    for (size_t i = 0; i < turning; i += GZ_LANES)
        gz_filter_sine_cosine(values + i, sines + i, cosines + i);
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 4; k++) poses[0][j][k] = j < 3 && k < 3 ? (float)base[4 * k + j] : 0;
    const gz_filter_body *body = m->bodies;
    for (size_t b = 1; b < bodies; b++) pose_body(++body, values, sines, cosines, poses, poses[b]);
    place_query_spheres(m, s);
    return true;
}

/// Poses from the caller: R and t as they are given, rounded once. Entries of R are off by u =
/// 2^-24 of each, u sqrt 3 in all; t from the root's origin by u |t| and the rounding of a
/// difference in double, where |t| is within what bounds the way of poses from q. Both are less
/// than what the body's own joint adds to its errors there (gz_pose_bound_next(): 48 u; 6 u times
/// more than |t|), and of the root, whose t is 0, less than errors[0]. So the errors of the model
/// hold, those of a pair of links, too: with A the rounded rotation of their common body in
/// gz_pair_pads_make(), the pose of another body is off A R by at most 2 u sqrt 3, and off where
/// the common body takes it by u (|t| + |t'|) and u sqrt 3 |t - t'|, where t' is the common body's:
/// below 5.5 u times the longer way.
static bool take_query(const gz_filter_model *m, double (*bodies)[12], gz_query_scratch *s) {
    s->q = NULL;
    bool within = true;
    for (size_t b = 0; b < m->body_count; b++) {
        const double *pose = bodies[b], way = m->errors[b].length;
        float(*out)[4] = s->poses[b];
        double square = 0;
        for (int k = 0; k < 3; k++) {
            double t = pose[4 * k + 3] - bodies[0][4 * k + 3];
            square += t * t;
            for (int j = 0; j < 3; j++) out[j][k] = (float)pose[4 * k + j];
            out[3][k] = (float)t;
        }
        for (int j = 0; j < 4; j++) out[j][3] = 0;
        within = within & (square <= way * way);
    }
    if (within) place_query_spheres(m, s);
    return within;
}
