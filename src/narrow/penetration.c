#include "narrow/penetration.h"

#include <math.h>
#include <string.h>

#include "math/transform.h"
#include "narrow/curved/curved_internal.h"

// ------------------------------------------------------------------------------------------- hulls

/// A flat cylinder whose ends are rounded anew turns with its axis; by at most its radius.
static double cylinder_turn(const gz_curved *s, double far) {
    double axis[3];
    gz_subtract(s->b, s->a, axis);
    double length = gz_norm(axis), off = 0x1p-48 * far;
    return s->radius * (off < length ? off / length : 1);
}

gz_hull gz_hull_make(const gz_shape *shape, const double pose[12]) {
    gz_hull h = {.mesh = shape->mesh, .pose = pose, .far = gz_transform_far(pose)};
    if (h.mesh) {
        h.far += 2 * h.mesh->max_abs;
        return h;
    }
    h.curved = gz_shape_place_curved(shape, pose);
    for (int k = 0; k < 3; k++) h.far += fabs(h.curved.a[k]) + fabs(h.curved.b[k]);
    h.far += h.curved.radius;
    // What certified tests may take for a collision (curved.h), for a span up to twice the size.
    h.turn = GZ_CURVED_TOLERANCE + 1e-11 * h.far;
    if (h.curved.kind == GRAZE_SHAPE_CYLINDER) h.turn += cylinder_turn(&h.curved, h.far);
    return h;
}

static void mesh_support(const gz_hull *h, const double n[3], double out[3]) {
    double d[3], most = -INFINITY;
    size_t best = 0;
    gz_transform_unrotate(h->pose, n, d);
    for (size_t i = 0; i < h->mesh->vertex_count; i++) {
        double along = gz_dot(d, h->mesh->vertices + 3 * i);
        if (along > most) {
            most = along;
            best = i;
        }
    }
    gz_snap(h->pose, h->mesh->vertices + 3 * best, out);
}

/// The part of n across the axis, made as long as the radius; 0 where that has no direction. By two
/// products, so that it is at right angles to the axis however short it is.
static void radial_support(const gz_curved *s, const double n[3], double out[3]) {
    double axis[3], across[3], radial[3];
    gz_subtract(s->b, s->a, axis);
    gz_cross(n, axis, across);
    gz_cross(axis, across, radial);
    double norm = gz_norm(radial), scale = norm > 0 ? s->radius / norm : 0;
    for (int k = 0; k < 3; k++) out[k] = scale * radial[k];
}

static bool is_flat(const gz_curved *s) {
    return s->kind == GRAZE_SHAPE_CYLINDER && memcmp(s->a, s->b, sizeof s->a) != 0;
}

void gz_hull_support(const gz_hull *h, const double n[3], double out[3]) {
    if (h->mesh) {
        mesh_support(h, n, out);
        return;
    }
    const gz_curved *s = &h->curved;
    const double *end = gz_dot(n, s->b) > gz_dot(n, s->a) ? s->b : s->a;
    double radius[3], norm = gz_norm(n);
    if (is_flat(s))
        radial_support(s, n, radius);
    else
        for (int k = 0; k < 3; k++) radius[k] = norm > 0 ? s->radius * (n[k] / norm) : 0;
    for (int k = 0; k < 3; k++) out[k] = end[k] + radius[k];
}

double gz_hull_extent(const gz_hull *h, const double n[3]) {
    double p[3], most = -INFINITY;
    if (!h->mesh) {
        const gz_curved *s = &h->curved;
        double axis[3], across[3];
        gz_subtract(s->b, s->a, axis);
        gz_cross(n, axis, across);
        double radius = is_flat(s) ? gz_norm(across) / gz_norm(axis) : gz_norm(n);
        return fmax(gz_dot(n, s->a), gz_dot(n, s->b)) + s->radius * radius;
    }
    for (size_t i = 0; i < h->mesh->vertex_count; i++) {
        gz_snap(h->pose, h->mesh->vertices + 3 * i, p);
        most = fmax(most, gz_dot(n, p));
    }
    return most;
}

// ---------------------------------------------------------------------------- the polytope inside

#define STEPS        64
#define VERTICES_MAX (STEPS + 4)
// A closed surface of triangles has 2 v - 4 of them; as many are made before others go.
#define FACES_MAX (4 * VERTICES_MAX)

/// A difference a - b, and where its a is.
typedef struct vertex {
    double y[3], a[3];
} vertex;

typedef struct face {
    int v[3];
    double n[3]; ///< unit, outward
    double at;   ///< n . y of its plane
} face;

typedef struct polytope {
    const gz_hull *a, *b;
    vertex vertices[VERTICES_MAX];
    face faces[FACES_MAX];
    int vertex_count, face_count;
    double size;                  ///< of the differences, which rounding is relative to
    double best[3], best_overlap; ///< of all directions that were tried
} polytope;

/// Tries a unit direction: adds the farthest difference along it as the next vertex, which is the
/// caller's to keep.
static double try_direction(polytope *p, const double n[3]) {
    vertex *v = &p->vertices[p->vertex_count];
    const double back[3] = {-n[0], -n[1], -n[2]};
    double b[3];
    gz_hull_support(p->a, n, v->a);
    gz_hull_support(p->b, back, b);
    gz_subtract(v->a, b, v->y);
    double overlap = gz_dot(n, v->y);
    if (overlap < p->best_overlap) {
        p->best_overlap = overlap;
        memcpy(p->best, n, sizeof p->best);
    }
    return overlap;
}

/// Adds a face through three vertices, its outside away from `inside`; false where it has no area.
static bool add_face(polytope *p, int i, int j, int k, const double inside[3]) {
    double e[3], f[3], to[3];
    face *out = &p->faces[p->face_count];
    gz_subtract(p->vertices[j].y, p->vertices[i].y, e);
    gz_subtract(p->vertices[k].y, p->vertices[i].y, f);
    gz_cross(e, f, out->n);
    double norm = gz_norm(out->n);
    if (!(norm > 0x1p-90 * p->size * p->size)) return false;
    gz_subtract(p->vertices[i].y, inside, to);
    double sign = gz_dot(out->n, to) < 0 ? -1 : 1;
    for (int c = 0; c < 3; c++) out->n[c] *= sign / norm;
    out->at = gz_dot(out->n, p->vertices[i].y);
    out->v[0] = i;
    out->v[1] = sign < 0 ? k : j;
    out->v[2] = sign < 0 ? j : k;
    p->face_count++;
    return true;
}

/// Tries a direction and its opposite, and keeps the vertex that is farther from the plane through
/// `from` across it; false where neither is off it.
static bool add_off_plane(polytope *p, const double direction[3], const double from[3]) {
    double norm = gz_norm(direction), n[3], here = gz_dot(direction, from) / norm;
    if (!(norm > 0)) return false;
    for (int k = 0; k < 3; k++) n[k] = direction[k] / norm;
    double up = try_direction(p, n) - here;
    vertex first = p->vertices[p->vertex_count];
    for (int k = 0; k < 3; k++) n[k] = -n[k];
    double down = try_direction(p, n) + here;
    if (up >= down) p->vertices[p->vertex_count] = first;
    if (!(fmax(up, down) > 0x1p-40 * p->size)) return false;
    p->vertex_count++;
    return true;
}

/// The first tetrahedron; false where all differences lie in a plane, but for rounding: then
/// directions across it have been tried.
static bool start(polytope *p, const double first[3]) {
    double d[3], e[3], f[3], inside[3];
    double norm = gz_norm(first), unit[3] = {1, 0, 0};
    if (norm > 0)
        for (int k = 0; k < 3; k++) unit[k] = first[k] / norm;
    try_direction(p, unit);
    p->vertex_count = 1;
    const double *origin = p->vertices[0].y;
    bool found = add_off_plane(p, unit, origin);
    for (int k = 0; k < 3 && !found; k++)
        found = add_off_plane(p, (const double[3]){k == 0, k == 1, k == 2}, origin);
    if (!found) return false;
    gz_subtract(p->vertices[1].y, origin, d);
    gz_across(d, e);
    gz_cross(d, e, f);
    if (!add_off_plane(p, e, origin) && !add_off_plane(p, f, origin)) return false;
    gz_subtract(p->vertices[2].y, origin, e);
    gz_cross(d, e, f);
    if (!add_off_plane(p, f, origin)) return false;
    for (int k = 0; k < 3; k++) {
        inside[k] = 0;
        for (int i = 0; i < 4; i++) inside[k] += 0.25 * p->vertices[i].y[k];
    }
    return add_face(p, 0, 1, 2, inside) && add_face(p, 0, 1, 3, inside) &&
           add_face(p, 0, 2, 3, inside) && add_face(p, 1, 2, 3, inside);
}

/// Edges of removed faces, directed; one that comes back the other way is inside of what is
/// removed.
typedef struct horizon {
    int from[FACES_MAX], to[FACES_MAX], count;
} horizon;

static void add_edge(horizon *h, int from, int to) {
    for (int i = 0; i < h->count; i++) {
        if (h->from[i] != to || h->to[i] != from) continue;
        h->count--;
        h->from[i] = h->from[h->count];
        h->to[i] = h->to[h->count];
        return;
    }
    if (h->count == FACES_MAX) return;
    h->from[h->count] = from;
    h->to[h->count++] = to;
}

/// Replaces the faces that the newest vertex sees; false where rounding leaves no closed surface.
static bool expand(polytope *p, const double inside[3]) {
    horizon h = {.count = 0};
    int newest = p->vertex_count - 1;
    for (int i = 0; i < p->face_count;) {
        const face *f = &p->faces[i];
        if (!(gz_dot(f->n, p->vertices[newest].y) > f->at + 0x1p-46 * p->size)) {
            i++;
            continue;
        }
        for (int k = 0; k < 3; k++) add_edge(&h, f->v[k], f->v[(k + 1) % 3]);
        p->faces[i] = p->faces[--p->face_count];
    }
    if (h.count < 3 || p->face_count + h.count > FACES_MAX) return false;
    for (int i = 0; i < h.count; i++)
        if (!add_face(p, h.from[i], h.to[i], newest, inside)) return false;
    return true;
}

static const face *nearest_face(const polytope *p) {
    const face *best = &p->faces[0];
    for (int i = 1; i < p->face_count; i++)
        if (p->faces[i].at < best->at) best = &p->faces[i];
    return best;
}

/// The weights of a face's vertices at the foot of 0 on its plane, their sum 1 where there is one;
/// returns the least: below 0 the foot is beside the face.
static double find_weights(const polytope *p, const face *f, double weight[3]) {
    double foot[3], to[2][3], cross[3], sum = 0;
    for (int k = 0; k < 3; k++) foot[k] = f->at * f->n[k];
    for (int i = 0; i < 3; i++) {
        gz_subtract(p->vertices[f->v[(i + 1) % 3]].y, foot, to[0]);
        gz_subtract(p->vertices[f->v[(i + 2) % 3]].y, foot, to[1]);
        gz_cross(to[0], to[1], cross);
        weight[i] = gz_dot(cross, f->n);
        sum += weight[i];
    }
    for (int i = 0; sum > 0 && i < 3; i++) weight[i] /= sum;
    return fmin(weight[0], fmin(weight[1], weight[2]));
}

/// The point of a at the foot of 0 on the nearest face, as a mean of the face's three: near the
/// contact. A flat side of the differences has several faces, as near as doubles can tell: that
/// counts which has the foot.
static void locate(const polytope *p, const face *near, double out[3]) {
    double weight[3], best[3], g[3] = {0}, sum = 0, most = find_weights(p, near, best);
    const face *f = near;
    for (int i = 0; i < p->face_count; i++) {
        if (p->faces[i].at > near->at + 0x1p-40 * p->size) continue;
        double least = find_weights(p, &p->faces[i], weight);
        if (least <= most) continue;
        most = least;
        f = &p->faces[i];
        memcpy(best, weight, sizeof best);
    }
    for (int i = 0; i < 3; i++) sum += best[i] = fmax(0, best[i]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            g[k] += (sum > 0 ? best[i] / sum : 1.0 / 3) * p->vertices[f->v[i]].a[k];
    for (int k = 0; k < 3; k++) out[k] = g[k] - 0.5 * f->at * f->n[k];
}

/// Two spheres or capsules whose axes do not meet: the way from one to the other is the direction.
static bool between_axes(const gz_hull *a, const gz_hull *b, gz_penetration *out) {
    const gz_curved *s = &a->curved, *t = &b->curved;
    if (a->mesh || b->mesh || is_flat(s) || is_flat(t)) return false;
    gz_convex_witness near;
    double d[3];
    gz_segments_nearest(s->a, s->b, t->a, t->b, &near);
    gz_subtract(near.b, near.a, d);
    double norm = gz_norm(d);
    if (!(norm > 0x1p-30 * (a->far + b->far))) return false;
    for (int k = 0; k < 3; k++) {
        out->normal[k] = d[k] / norm;
        out->point[k] = near.a[k] + 0.5 * (norm + s->radius - t->radius) * out->normal[k];
    }
    const double back[3] = {-out->normal[0], -out->normal[1], -out->normal[2]};
    out->overlap = gz_hull_extent(a, out->normal) + gz_hull_extent(b, back);
    out->least = fmax(0, s->radius + t->radius - norm);
    return true;
}

gz_penetration gz_penetration_find(const gz_hull *a, const gz_hull *b) {
    polytope p = {.a = a, .b = b, .best_overlap = INFINITY};
    gz_penetration out = {.least = 0};
    if (between_axes(a, b, &out)) return out;
    double x[3], y[3], first[3], inside[3];
    const double up[3] = {0, 0, 1};
    gz_hull_support(a, up, x);
    gz_hull_support(b, up, y);
    gz_subtract(y, x, first);
    p.size = a->far + b->far;
    bool solid = start(&p, first);
    memcpy(out.point, p.vertices[0].a, sizeof out.point);
    for (int k = 0; k < 3 && solid; k++) {
        inside[k] = 0;
        for (int i = 0; i < 4; i++) inside[k] += 0.25 * p.vertices[i].y[k];
    }
    for (int step = 0; solid && step < STEPS; step++) {
        const face near = *nearest_face(&p);
        out.least = fmax(out.least, near.at);
        locate(&p, &near, out.point);
        double overlap = try_direction(&p, near.n);
        // Apart, or as near as doubles can tell.
        if (overlap < 0 || overlap - near.at <= 0x1p-40 * p.size) break;
        p.vertex_count++;
        solid = expand(&p, inside);
    }
    memcpy(out.normal, p.best, sizeof out.normal);
    const double back[3] = {-p.best[0], -p.best[1], -p.best[2]};
    out.overlap = gz_hull_extent(a, p.best) + gz_hull_extent(b, back);
    return out;
}
