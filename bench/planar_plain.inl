// The plain scalar form of distance and approach in the plane, as one writes it for a program of
// one's own: no checks, no bounds of error. Included by planar_plain.c with REAL, ROOT, MAGNITUDE
// and PLAIN(name) defined.

#define VECTOR PLAIN(plain_vector)
#define SHAPE  PLAIN(plain_shape)
#define ANSWER PLAIN(plain_answer)

static inline VECTOR PLAIN(minus)(VECTOR a, VECTOR b) {
    return (VECTOR){a.x - b.x, a.y - b.y};
}

static inline REAL PLAIN(dot)(VECTOR a, VECTOR b) {
    return a.x * b.x + a.y * b.y;
}

static inline REAL PLAIN(cross)(VECTOR a, VECTOR b) {
    return a.x * b.y - a.y * b.x;
}

static inline VECTOR PLAIN(vertex)(const SHAPE *s, int i) {
    return (VECTOR){s->xy[2 * i], s->xy[2 * i + 1]};
}

// From the nearest points p, q of the shapes without their radii, and the unit normal.
static inline void PLAIN(fill)(ANSWER *out, VECTOR p, VECTOR q, VECTOR n, REAL gap, REAL ra,
                               REAL rb) {
    out->distance = gap - ra - rb;
    out->nx = n.x, out->ny = n.y;
    out->ax = p.x + ra * n.x, out->ay = p.y + ra * n.y;
    out->bx = q.x - rb * n.x, out->by = q.y - rb * n.y;
}

static inline void PLAIN(fill_points)(ANSWER *out, VECTOR p, VECTOR q, REAL ra, REAL rb) {
    VECTOR d = PLAIN(minus)(q, p), n = {1, 0};
    REAL gap = ROOT(PLAIN(dot)(d, d));
    if (gap > 0) n = (VECTOR){d.x / gap, d.y / gap};
    PLAIN(fill)(out, p, q, n, gap, ra, rb);
}

static inline VECTOR PLAIN(foot)(VECTOR p, VECTOR a, VECTOR b) {
    VECTOR e = PLAIN(minus)(b, a);
    REAL along = PLAIN(dot)(PLAIN(minus)(p, a), e), square = PLAIN(dot)(e, e);
    REAL s = along <= 0 ? 0 : along >= square ? 1 : along / square;
    return (VECTOR){a.x + s * e.x, a.y + s * e.y};
}

void PLAIN(plain_circles)(const SHAPE *a, const SHAPE *b, ANSWER *out) {
    PLAIN(fill_points)(out, PLAIN(vertex)(a, 0), PLAIN(vertex)(b, 0), a->radius, b->radius);
}

void PLAIN(plain_circle_capsule)(const SHAPE *a, const SHAPE *b, ANSWER *out) {
    VECTOR p = PLAIN(vertex)(a, 0), q = PLAIN(foot)(p, PLAIN(vertex)(b, 0), PLAIN(vertex)(b, 1));
    PLAIN(fill_points)(out, p, q, a->radius, b->radius);
}

// The edge of p with the vertex of q that separates most.
typedef struct PLAIN(separation) {
    REAL gap;
    VECTOR n;
    int edge, vertex;
} PLAIN(separation);

static PLAIN(separation) PLAIN(separate)(const SHAPE *p, const SHAPE *q) {
    PLAIN(separation) best = {.gap = -INFINITY};
    for (int i = 0; i < p->count; i++) {
        VECTOR a = PLAIN(vertex)(p, i), b = PLAIN(vertex)(p, i + 1 < p->count ? i + 1 : 0);
        VECTOR e = PLAIN(minus)(b, a);
        REAL over = 1 / ROOT(PLAIN(dot)(e, e)), least = INFINITY;
        VECTOR n = {e.y * over, -e.x * over};
        int at = 0;
        for (int j = 0; j < q->count; j++) {
            REAL d = PLAIN(dot)(n, PLAIN(minus)(PLAIN(vertex)(q, j), a));
            if (d < least) least = d, at = j;
        }
        if (least > best.gap) best = (PLAIN(separation)){least, n, i, at};
    }
    return best;
}

void PLAIN(plain_polygons)(const SHAPE *a, const SHAPE *b, ANSWER *out) {
    PLAIN(separation) of_a = PLAIN(separate)(a, b), of_b = PLAIN(separate)(b, a);
    int on_a = of_a.gap >= of_b.gap;
    PLAIN(separation) s = on_a ? of_a : of_b;
    const SHAPE *p = on_a ? a : b, *q = on_a ? b : a;
    VECTOR n = on_a ? s.n : (VECTOR){-s.n.x, -s.n.y}, v = PLAIN(vertex)(q, s.vertex);
    VECTOR f = {v.x - s.gap * s.n.x, v.y - s.gap * s.n.y};
    if (s.gap > 0) {
        int next = s.edge + 1 < p->count ? s.edge + 1 : 0;
        f = PLAIN(foot)(v, PLAIN(vertex)(p, s.edge), PLAIN(vertex)(p, next));
        VECTOR from = on_a ? f : v, to = on_a ? v : f;
        PLAIN(fill_points)(out, from, to, a->radius, b->radius);
        return;
    }
    PLAIN(fill)(out, on_a ? f : v, on_a ? v : f, n, s.gap, a->radius, b->radius);
}

// ------------------------------------------------------------------------------------- approach

// B's inner point less A's is p now and moves by v: when it comes to r from the origin, or nearest.
static inline REAL PLAIN(point_time)(VECTOR p, VECTOR v, REAL r, REAL horizon, bool *hit) {
    REAL vv = PLAIN(dot)(v, v), pv = PLAIN(dot)(p, v), gap = PLAIN(dot)(p, p) - r * r;
    *hit = gap <= 0;
    if (*hit || pv >= 0) return 0;
    REAL d = pv * pv - vv * gap;
    REAL t = d >= 0 ? (-pv - ROOT(d)) / vv : -pv / vv;
    *hit = d >= 0 && t <= horizon;
    return t < horizon ? t : horizon;
}

static inline void PLAIN(fill_time)(ANSWER *out, REAL t, bool hit, VECTOR p, VECTOR q, VECTOR va,
                                    VECTOR vb, REAL ra, REAL rb) {
    p = (VECTOR){p.x + t * va.x, p.y + t * va.y};
    q = (VECTOR){q.x + t * vb.x, q.y + t * vb.y};
    PLAIN(fill_points)(out, p, q, ra, rb);
    out->time = t;
    out->hit = hit;
}

void PLAIN(plain_circles_approach)(const SHAPE *a, VECTOR va, const SHAPE *b, VECTOR vb,
                                   REAL horizon, ANSWER *out) {
    VECTOR p = PLAIN(vertex)(a, 0), q = PLAIN(vertex)(b, 0);
    bool hit;
    REAL t = PLAIN(point_time)(PLAIN(minus)(q, p), PLAIN(minus)(vb, va), a->radius + b->radius,
                               horizon, &hit);
    PLAIN(fill_time)(out, t, hit, p, q, va, vb, a->radius, b->radius);
}

// The segment from p to p + e, that moves by v, against the disk of radius r about the origin: the
// time, and which point of the segment, in [0, 1].
static inline REAL PLAIN(segment_time)(VECTOR p, VECTOR e, VECTOR v, REAL r, REAL horizon, REAL *s,
                                       bool *hit) {
    REAL vv = PLAIN(dot)(v, v), pv = PLAIN(dot)(p, v), ev = PLAIN(dot)(e, v);
    REAL pw = PLAIN(cross)(v, p), ew = PLAIN(cross)(v, e), ee = PLAIN(dot)(e, e);
    REAL k = ev * r / ROOT(ee), place = ((ew < 0 ? -k : k) - pw) / ew;
    place = ew == 0 ? ev > 0 : place < 0 ? 0 : place > 1 ? 1 : place;
    REAL across = pw + place * ew, d = r * r * vv - across * across;
    REAL t = (-(pv + place * ev) - (d > 0 ? ROOT(d) : 0)) / vv;
    *hit = d >= 0;
    if (!(t > 0 && t <= horizon)) {
        t = t > 0 ? horizon : 0;
        VECTOR at = {p.x + t * v.x, p.y + t * v.y};
        REAL along = -PLAIN(dot)(at, e);
        place = along <= 0 ? 0 : along >= ee ? 1 : along / ee;
        VECTOR near = {at.x + place * e.x, at.y + place * e.y};
        *hit = PLAIN(dot)(near, near) <= r * r;
    }
    *s = place;
    return t;
}

void PLAIN(plain_circle_capsule_approach)(const SHAPE *a, VECTOR va, const SHAPE *b, VECTOR vb,
                                          REAL horizon, ANSWER *out) {
    VECTOR p = PLAIN(vertex)(a, 0), q = PLAIN(vertex)(b, 0), end = PLAIN(vertex)(b, 1);
    VECTOR e = PLAIN(minus)(end, q);
    REAL s;
    bool hit;
    REAL t = PLAIN(segment_time)(PLAIN(minus)(q, p), e, PLAIN(minus)(vb, va), a->radius + b->radius,
                                 horizon, &s, &hit);
    q = (VECTOR){q.x + s * e.x, q.y + s * e.y};
    PLAIN(fill_time)(out, t, hit, p, q, va, vb, a->radius, b->radius);
}

// Polygons: the border of B - A merged from the edges of both, and the motion against each.
void PLAIN(plain_polygons_approach)(const SHAPE *a, VECTOR va, const SHAPE *b, VECTOR vb,
                                    REAL horizon, ANSWER *out) {
    int n = a->count, m = b->count, i = 0, j = 0;
    for (int k = 1; k < n; k++) // highest of A, lowest of B
        if (a->xy[2 * k + 1] > a->xy[2 * i + 1]) i = k;
    for (int k = 1; k < m; k++)
        if (b->xy[2 * k + 1] < b->xy[2 * j + 1]) j = k;
    VECTOR v = PLAIN(minus)(vb, va), from_a = {0, 0}, from_b = {0, 0}, edge = {0, 0};
    REAL best = INFINITY, time = 0, place = 0, r = a->radius + b->radius;
    bool found = false, of_a = false, inside = true;
    for (int k = 0, left_a = n, left_b = m; k < n + m; k++) {
        VECTOR p = PLAIN(vertex)(a, i), q = PLAIN(vertex)(b, j);
        int ni = i + 1 < n ? i + 1 : 0, nj = j + 1 < m ? j + 1 : 0;
        VECTOR ea = PLAIN(minus)(p, PLAIN(vertex)(a, ni)),
               eb = PLAIN(minus)(PLAIN(vertex)(b, nj), q);
        bool take_a = left_a > 0 && (left_b == 0 || PLAIN(cross)(ea, eb) > 0);
        VECTOR e = take_a ? ea : eb, d = PLAIN(minus)(q, p);
        inside = inside && PLAIN(cross)(e, d) <= 0;
        REAL s;
        bool hit;
        REAL t = PLAIN(segment_time)(d, e, v, r, horizon, &s, &hit);
        VECTOR at = {d.x + s * e.x + t * v.x, d.y + s * e.y + t * v.y};
        REAL value = hit ? t : PLAIN(dot)(at, at);
        if (hit > found || (hit == found && value < best)) {
            found = hit, best = value, time = t, place = s;
            from_a = p, from_b = q, edge = e, of_a = take_a;
        }
        i = take_a ? ni : i, left_a -= take_a;
        j = take_a ? j : nj, left_b -= !take_a;
    }
    if (inside) {
        PLAIN(plain_polygons)(a, b, out);
        out->time = 0, out->hit = true;
        return;
    }
    VECTOR move = {place * edge.x, place * edge.y};
    if (of_a)
        from_a = PLAIN(minus)(from_a, move);
    else
        from_b = (VECTOR){from_b.x + move.x, from_b.y + move.y};
    PLAIN(fill_time)(out, time, found, from_a, from_b, va, vb, a->radius, b->radius);
}
#undef VECTOR
#undef SHAPE
#undef ANSWER
