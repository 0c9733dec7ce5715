// What is true of a configuration: every checked pair judged on the snapped points. Surfaces by
// rationals, every pair of triangles whose boxes are near; curved shapes by integers, or 192 bits
// where a cylinder takes part; what is inside by crossings of a half line.

#include <math.h>

#include "mixed.h"

struct mixed_body {
    graze_geometry geometry;
    proof_body proof;       ///< of meshes and boxes
    crossing_mesh crossing; ///< of them
    double ends[6];         ///< of a curved shape, snapped
    bool curved, crossing_placed;
    graze_transform pose;
};

/// A curved shape or a triangle, as what others are near to.
typedef struct near_thing {
    bool cylinder;
    double corners[9]; ///< a triangle; of a curved shape its axis, an end twice
    int count;         ///< of the corners that matter
    double radius;
} near_thing;

static void add_body(mixed_body *b, const graze_geometry *g) {
    b->geometry = *g;
    b->curved = g->shape != GRAZE_SHAPE_MESH && g->shape != GRAZE_SHAPE_BOX;
    if (b->curved) return;
    proof_body_init(&b->proof, g->vertices, g->vertex_count, g->triangles, g->triangle_count);
    crossing_mesh_init(&b->crossing, g->vertices, g->vertex_count, g->triangles, g->triangle_count);
}

// ------------------------------------------------------------------------------------------- pairs

static bool is_static(const graze_robot *robot, int32_t a, int32_t b) {
    for (size_t i = 0; i < graze_robot_pair_count(robot); i++) {
        graze_pair pair;
        if (graze_robot_pair(robot, i, &pair)) give_up("pair", "none");
        if (pair.a == a && pair.b == b) return pair.state == GRAZE_PAIR_STATIC;
    }
    return false;
}

/// The bodies of a link or an object, which stand next to each other.
static void find_bodies(const mixed_truth *t, int32_t owner, bool object, size_t *first,
                        size_t *end) {
    size_t robot = graze_robot_collision_count(t->robot);
    *first = *end = 0;
    for (size_t i = object ? robot : 0; i < (object ? t->body_count : robot); i++) {
        if (t->bodies[i].geometry.owner != owner) continue;
        if (*end == 0) *first = i;
        *end = i + 1;
    }
}

static bool add_pair(const graze_checked_pair *rules, void *user) {
    mixed_truth *t = user;
    if (rules->hidden) return true;
    if (t->pair_count == t->pair_capacity) {
        t->pair_capacity = 2 * t->pair_capacity + 16;
        t->pairs = realloc(t->pairs, t->pair_capacity * sizeof *t->pairs);
        if (!t->pairs) give_up("mixed", "no memory");
    }
    mixed_pair *p = &t->pairs[t->pair_count++];
    *p = (mixed_pair){.rules = *rules};
    find_bodies(t, rules->link, false, &p->first[0], &p->end[0]);
    find_bodies(t, rules->other, rules->is_world, &p->first[1], &p->end[1]);
    p->is_static = !rules->is_world && is_static(t->robot, rules->link, rules->other);
    return true;
}

void mixed_truth_init(mixed_truth *t, const graze_checker *checker, uint64_t seed) {
    *t = (mixed_truth){.robot = graze_checker_robot(checker),
                       .world = graze_checker_world(checker),
                       .cylinders = cylinder_distance_create()};
    posed_proof_init(&t->proof, seed);
    size_t robot = graze_robot_collision_count(t->robot),
           world = graze_world_object_count(t->world);
    t->links = allocate(graze_robot_link_count(t->robot), sizeof *t->links);
    t->bodies = allocate(robot + world, sizeof *t->bodies);
    t->body_count = robot + world;
    for (size_t i = 0; i < robot + world; i++) {
        graze_geometry g;
        if (i < robot ? graze_robot_collision(t->robot, i, &g)
                      : graze_world_object(t->world, i - robot, &g))
            give_up("mixed", "no geometry");
        add_body(&t->bodies[i], &g);
    }
    graze_checker_pairs(checker, add_pair, t);
}

void mixed_truth_clear(mixed_truth *t) {
    for (size_t i = 0; i < t->body_count; i++) {
        if (t->bodies[i].curved) continue;
        proof_body_clear(&t->bodies[i].proof);
        crossing_mesh_clear(&t->bodies[i].crossing);
    }
    free(t->bodies);
    free(t->links);
    free(t->pairs);
    posed_proof_clear(&t->proof);
    cylinder_distance_free(t->cylinders);
    *t = (mixed_truth){0};
}

static bool place_body(mixed_body *b, const graze_transform *pose) {
    if (memcmp(&b->pose, pose, sizeof *pose) == 0) return true;
    b->pose = *pose;
    b->crossing_placed = false;
    if (b->curved) {
        graze_geometry_snap(&b->geometry, pose, b->ends);
    } else {
        proof_body_place(&b->proof, pose);
    }
    const double *points = b->curved ? b->ends : b->proof.mesh.snapped;
    double far = 0;
    for (size_t i = 0; i < 3 * (b->curved ? 2 : b->geometry.vertex_count); i++)
        far = fmax(far, fabs(points[i]));
    return far + (b->curved ? b->geometry.radius : 0) < 0x1p20;
}

bool mixed_truth_place(mixed_truth *t, const double *q, const double base[6]) {
    bool inside = true;
    if (graze_robot_pose(t->robot, q, graze_robot_q_size(t->robot), base, t->links, NULL))
        return false;
    for (size_t i = 0; i < t->body_count; i++) {
        const graze_geometry *g = &t->bodies[i].geometry;
        inside &= place_body(&t->bodies[i], g->frame < 0 ? &g->origin : &t->links[g->frame]);
    }
    return inside;
}

// ------------------------------------------------------------------------------------------ inside

static const crossing_mesh *crossing_of(mixed_body *b) {
    if (!b->crossing_placed) crossing_mesh_place(&b->crossing, &b->pose);
    b->crossing_placed = true;
    return &b->crossing;
}

/// Whether a body has an inside at all, as docs/solids.md says.
static bool is_solid(const mixed_body *b, graze_policy policy) {
    return b->geometry.shape == GRAZE_SHAPE_BOX || policy != GRAZE_POLICY_SURFACE;
}

static bool is_point_inside(mixed_truth *t, mixed_body *whole, bool cap, const double p[3]) {
    const crossing_mesh *m = crossing_of(whole);
    if (cap && crossing_mesh_cap_touches(m, p, t->proof.clip)) return false;
    if (!crossing_number(m, p, cap, &t->proof.random, &t->proof.exact)) return false;
    t->by_caps += cap && !crossing_number(m, p, false, &t->proof.random, &t->proof.exact);
    return true;
}

/// Without caps one vertex of a component tells of all; with them each counts by itself.
static bool is_mesh_inside(mixed_truth *t, mixed_body *whole, bool cap, mixed_body *inner) {
    const crossing_mesh *p = crossing_of(inner);
    for (size_t c = 0; !cap && c < p->component_count; c++)
        if (is_point_inside(t, whole, false,
                            p->snapped + 3 * (size_t)p->triangles[3 * (size_t)p->first[c]]))
            return true;
    for (size_t v = 0; cap && v < p->vertex_count; v++)
        if (p->of_vertex[v] != UINT32_MAX && is_point_inside(t, whole, true, p->snapped + 3 * v))
            return true;
    return false;
}

/// The middle of the axis tells, and with caps an end of it.
static bool is_curved_inside(mixed_truth *t, mixed_body *whole, bool cap, const mixed_body *inner) {
    double middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = inner->ends[k] + 0.5 * (inner->ends[3 + k] - inner->ends[k]);
    return is_point_inside(t, whole, cap, middle) ||
           (cap && (is_point_inside(t, whole, true, inner->ends) ||
                    is_point_inside(t, whole, true, inner->ends + 3)));
}

static bool is_inside(mixed_truth *t, mixed_body *whole, graze_policy policy, mixed_body *inner) {
    if (whole->curved || !is_solid(whole, policy)) return false;
    bool cap = whole->geometry.shape == GRAZE_SHAPE_MESH && policy == GRAZE_POLICY_CAP;
    return inner->curved ? is_curved_inside(t, whole, cap, inner)
                         : is_mesh_inside(t, whole, cap, inner);
}

// ---------------------------------------------------------------------------------------- nearness

static near_thing thing_of(const mixed_body *b, size_t triangle) {
    near_thing out = {.count = 3};
    if (!b->curved) {
        posed_mesh_corners(&b->proof.mesh, triangle, out.corners);
        return out;
    }
    memcpy(out.corners, b->ends, sizeof b->ends);
    memcpy(out.corners + 6, b->ends + 3, 3 * sizeof *b->ends);
    out.radius = b->geometry.radius;
    out.cylinder = b->geometry.shape == GRAZE_SHAPE_CYLINDER && out.radius > 0; // else a segment
    out.count = b->geometry.shape == GRAZE_SHAPE_SPHERE ? 1 : 2;
    return out;
}

/// Whether the boxes of two are farther apart than a distance: a difference that rounds to more
/// than that with some margin is more.
static bool is_far(const near_thing *a, const near_thing *b, double distance) {
    double far = (a->radius + b->radius + distance) * (1 + 0x1p-20);
    for (int k = 0; k < 3; k++) {
        const double *p = a->corners + k, *q = b->corners + k;
        if (fmin(p[0], fmin(p[3], p[6])) - fmax(q[0], fmax(q[3], q[6])) > far ||
            fmin(q[0], fmin(q[3], q[6])) - fmax(p[0], fmax(p[3], p[6])) > far)
            return true;
    }
    return false;
}

/// At most margin + extra apart, exactly; where a cylinder takes part to 192 bits.
static mixed_state evaluate_things(mixed_truth *t, const near_thing *a, const near_thing *b,
                                   double margin, double epsilon) {
    if (is_far(a, b, margin + epsilon)) return MIXED_APART;
    if (!a->cylinder && b->cylinder) return evaluate_things(t, b, a, margin, epsilon);
    const double terms[4] = {b->radius, margin, a->radius, epsilon};
    if (!a->cylinder) {
        rational_distance *d = t->proof.distance;
        if (rational_distance_within(d, a->corners, b->corners, terms, 3)) return MIXED_MEETING;
        return rational_distance_within(d, a->corners, b->corners, terms, 4) ? MIXED_EITHER
                                                                             : MIXED_APART;
    }
    solid_cylinder c[2] = {{.radius = a->radius}, {.radius = b->radius}};
    memcpy(c[0].a, a->corners, sizeof c[0].a);
    memcpy(c[0].b, a->corners + 3, sizeof c[0].b);
    memcpy(c[1].a, b->corners, sizeof c[1].a);
    memcpy(c[1].b, b->corners + 3, sizeof c[1].b);
    double excess = b->cylinder
                        ? cylinder_pair_excess(t->cylinders, &c[0], &c[1], terms + 1, 1)
                        : cylinder_hull_excess(t->cylinders, &c[0], (const double(*)[3])b->corners,
                                               b->count, terms, 2);
    return excess <= 0 ? MIXED_MEETING : excess <= epsilon ? MIXED_EITHER : MIXED_APART;
}

/// How far above a margin a curved shape may be said to collide: docs/margins.md.
static double epsilon_of(const mixed_body *a, const mixed_body *b) {
    double low[3], high[3], radius = a->geometry.radius + b->geometry.radius, span = 0;
    const mixed_body *both[2] = {a, b};
    for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
    for (int side = 0; side < 2; side++) {
        const mixed_body *s = both[side];
        const double *p = s->curved ? s->ends : s->proof.mesh.snapped;
        for (size_t i = 0; i < (s->curved ? 2 : s->geometry.vertex_count); i++)
            for (size_t k = 0; k < 3; k++) {
                low[k] = fmin(low[k], p[3 * i + k]);
                high[k] = fmax(high[k], p[3 * i + k]);
            }
    }
    for (int k = 0; k < 3; k++) span += high[k] - low[k];
    return fmax(1e-9, 2.5e-12 * (span + 2 * radius));
}

static mixed_state evaluate_curved(mixed_truth *t, const mixed_body *a, const mixed_body *b,
                                   double margin) {
    double epsilon = epsilon_of(a, b);
    mixed_state out = MIXED_APART;
    for (size_t i = 0; i < (a->curved ? 1 : a->geometry.triangle_count); i++) {
        near_thing one = thing_of(a, i);
        for (size_t j = 0; j < (b->curved ? 1 : b->geometry.triangle_count); j++) {
            near_thing other = thing_of(b, j);
            mixed_state state = evaluate_things(t, &one, &other, margin, epsilon);
            if (state > out) out = state;
            if (out == MIXED_MEETING) return out;
        }
    }
    return out;
}

static mixed_state evaluate_bodies(mixed_truth *t, mixed_body *a, mixed_body *b,
                                   const mixed_pair *pair, mixed_inside *inside) {
    double margin = pair->rules.margin;
    mixed_state out = MIXED_APART;
    if (a->curved || b->curved) {
        out = evaluate_curved(t, a, b, margin);
    } else if (!posed_proof_apart(&t->proof, &a->proof, false, &b->proof, false, margin)) {
        out = MIXED_MEETING; // exact at every margin
    }
    *inside = MIXED_MET;
    if (out == MIXED_MEETING || !(is_inside(t, a, pair->rules.policies[0], b) ||
                                  is_inside(t, b, pair->rules.policies[1], a)))
        return out;
    *inside = out == MIXED_EITHER ? MIXED_MET_OR_INSIDE : MIXED_INSIDE;
    return MIXED_MEETING;
}

mixed_state mixed_truth_evaluate(mixed_truth *t, const mixed_pair *pair, mixed_inside *inside) {
    mixed_state out = MIXED_APART;
    *inside = MIXED_MET;
    for (size_t i = pair->first[0]; i < pair->end[0]; i++)
        for (size_t j = pair->first[1]; j < pair->end[1]; j++) {
            mixed_inside of_bodies;
            mixed_state state = evaluate_bodies(t, &t->bodies[i], &t->bodies[j], pair, &of_bodies);
            if (state > out) {
                out = state;
                *inside = of_bodies;
            }
        }
    return pair->is_static && out != MIXED_EITHER ? MIXED_EITHER : out;
}
