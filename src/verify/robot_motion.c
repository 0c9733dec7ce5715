#include "verify/robot_motion.h"

#include <math.h>
#include <string.h>

#include "verify/exact.h"
#include "verify/verify_memory.h"

// Bounds are computed in doubles and grow by this factor, which holds their rounding, and what
// origins that are rigid up to 1e-9 stretch, of JOINTS_MAX in a row: below 1 + 2e-6.
#define SLACK      (1 + 0x1p-16)
#define JOINTS_MAX 1000
// A double near pi, and what it is off: |2 pi - 2 PI| < 3e-16.
#define PI         0x1.921fb54442d18p+1
#define TURN_ERROR 3e-16

bool gz_robot_motion_make(gz_robot_motion *m, const gz_dump_scene *s) {
    *m = (gz_robot_motion){.scene = s};
    m->numbers = gz_verify_calloc(s->q_size + 6, sizeof *m->numbers);
    m->joints = gz_verify_calloc(s->joint_count, sizeof *m->joints);
    m->above = gz_verify_calloc(s->tree_size, sizeof *m->above);
    m->depth = gz_verify_calloc(s->tree_size, sizeof *m->depth);
    m->moves = gz_verify_calloc(s->tree_size, sizeof *m->moves);
    m->q = gz_verify_calloc(s->q_size, sizeof *m->q);
    if (!m->numbers || !m->joints || !m->above || !m->depth || !m->moves || !m->q) return false;
    for (size_t i = 0; i < s->tree_size; i++) m->above[i] = -1;
    for (size_t j = 0; j < s->joint_count; j++) m->above[s->joints[j].child] = (int32_t)j;
    for (size_t i = 0; i < s->tree_size; i++)
        for (int32_t l = (int32_t)i; m->above[l] >= 0; l = s->joints[m->above[l]].parent)
            m->depth[i]++;
    return true;
}

void gz_robot_motion_free(gz_robot_motion *m) {
    gz_verify_free(m->numbers);
    gz_verify_free(m->joints);
    gz_verify_free(m->above);
    gz_verify_free(m->depth);
    gz_verify_free(m->moves);
    gz_verify_free(m->q);
    *m = (gz_robot_motion){0};
}

// --------------------------------------------------------------------------------------- numbers

/// The difference is off by u of its parts; where turns are taken off, by their error besides; the
/// product and sum of a place round the same magnitudes: below 2^-49 of them all.
static gz_moving_number straight_number(double from, double to, bool circle, bool shorter) {
    gz_moving_number n = {.from = from, .to = to, .circle = circle};
    if (from == to) return n;
    double size = fabs(from) + fabs(to), way = to - from;
    if (circle && shorter && fabs(way) > PI) {
        size += fabs(way) * (1 + TURN_ERROR * 0x1p52);
        way = remainder(way, 2 * PI);
        n.ambiguous = fabs(way) > PI - 1e-9;
    }
    n.way = way;
    n.slack = 0x1p-49 * size + 0x1p-1000;
    return n;
}

/// De Casteljau's algorithm rounds three times in each of `degree` rounds, s - 1 among them: below
/// 3 u degree of the greatest point, and the slack is more than four times that.
static gz_moving_number curved_number(int32_t degree, const double *points, bool circle) {
    gz_moving_number n = {.from = points[0], .to = points[degree], .circle = circle};
    double size = fabs(points[0]);
    n.degree = degree;
    memcpy(n.points, points, ((size_t)degree + 1) * sizeof *points);
    for (int32_t i = 0; i < degree; i++) {
        n.way = fmax(n.way, degree * fabs(points[i + 1] - points[i]));
        size = fmax(size, fabs(points[i + 1]));
    }
    if (n.way > 0) n.slack = degree * 0x1p-49 * size + 0x1p-1000;
    return n;
}

/// The numbers of a motion.
static gz_moving_number number_of(const gz_robot_motion *m, const gz_dump_configuration *c,
                                  size_t i) {
    const gz_dump_motion *motion = &c->motion;
    bool base = i >= m->scene->q_size, circle = m->numbers[i].circle;
    size_t column = base ? i - m->scene->q_size : i, width = base ? 6 : m->scene->q_size;
    const double *to = base ? motion->to_base : motion->to;
    double points[GZ_DUMP_DEGREE_MAX + 1] = {base ? c->base[column] : c->q[column]};
    for (int32_t row = 0; row < motion->degree; row++)
        points[row + 1] = to[(size_t)row * width + column];
    if (motion->is_curve) return curved_number(motion->degree, points, circle);
    return straight_number(points[0], points[1], circle, motion->shorter);
}

/// The column that a joint of one number follows, with the product of the multipliers.
static const gz_dump_joint *source_of(const gz_dump_scene *s, const gz_dump_joint *j,
                                      double *factor) {
    for (*factor = 1; j->mimic >= 0; j = &s->joints[j->mimic]) *factor *= fabs(j->multiplier);
    return j;
}

/// Whether a full turn of what a joint follows brings it back, too.
static bool returns_after_turn(const gz_dump_joint *j) {
    return (j->type == GZ_DUMP_REVOLUTE || j->type == GZ_DUMP_CONTINUOUS) && !j->limited &&
           j->multiplier == floor(j->multiplier);
}

/// Marks angles without limits, but for those of which some follower does not return.
static void find_circles(gz_robot_motion *m) {
    const gz_dump_scene *s = m->scene;
    for (size_t i = 0; i < s->q_size + 6; i++) m->numbers[i].circle = i >= s->q_size + 3;
    for (size_t i = 0; i < s->joint_count; i++) {
        const gz_dump_joint *j = &s->joints[i];
        if (j->mimic >= 0 || j->column < 0) continue;
        if (j->type == GZ_DUMP_CONTINUOUS) m->numbers[j->column].circle = true;
        if (j->type == GZ_DUMP_PLANAR) m->numbers[j->column + 2].circle = true;
    }
    for (size_t i = 0; i < s->joint_count; i++) {
        double factor;
        const gz_dump_joint *j = &s->joints[i], *source = source_of(s, j, &factor);
        if (source->column < 0) continue;
        bool returns = j->mimic >= 0 ? returns_after_turn(j) : j->type == GZ_DUMP_CONTINUOUS;
        int slides = j->type == GZ_DUMP_PLANAR ? 2 : j->type == GZ_DUMP_FLOATING ? 7 : !returns;
        for (int k = 0; k < slides; k++) m->numbers[source->column + k].circle = false;
    }
}

static void add_turn(gz_joint_motion *motion, const gz_moving_number *n, double factor) {
    motion->turn_rate += fabs(n->way) * factor;
    motion->turn_slack += n->slack * factor;
}

static void add_slide(gz_joint_motion *motion, const gz_moving_number *n, double factor) {
    motion->slide_rate += fabs(n->way) * factor;
    motion->slide_slack += n->slack * factor;
}

static bool is_static(const gz_joint_motion *j) {
    return j->turn_slack == 0 && j->slide_slack == 0;
}

/// How one joint moves; false where it is a floating one that turns.
static bool set_joint(gz_robot_motion *m, size_t index) {
    const gz_dump_scene *s = m->scene;
    const gz_dump_joint *j = &s->joints[index];
    gz_joint_motion *out = &m->joints[index];
    *out = (gz_joint_motion){0};
    double factor;
    const gz_dump_joint *source = source_of(s, j, &factor);
    if (j->type == GZ_DUMP_FIXED || source->type == GZ_DUMP_FIXED) return true;
    const gz_moving_number *n = &m->numbers[source->column];
    if (j->type == GZ_DUMP_PRISMATIC) {
        add_slide(out, n, factor);
    } else if (j->type == GZ_DUMP_PLANAR || j->type == GZ_DUMP_FLOATING) {
        int slides = j->type == GZ_DUMP_PLANAR ? 2 : 3;
        for (int k = 0; k < slides; k++) add_slide(out, &n[k], 1);
        if (j->type == GZ_DUMP_PLANAR) add_turn(out, &n[2], 1);
        for (int k = 3; j->type == GZ_DUMP_FLOATING && k < 7; k++)
            if (n[k].slack > 0) return false;
    } else {
        add_turn(out, n, factor);
    }
    return true;
}

void gz_robot_motion_set(gz_robot_motion *m, const gz_dump_configuration *c) {
    const gz_dump_scene *s = m->scene;
    m->supported = s->joint_count <= JOINTS_MAX;
    find_circles(m);
    for (size_t i = 0; i < s->q_size + 6; i++) {
        m->numbers[i] = number_of(m, c, i);
        m->supported = m->supported && !m->numbers[i].ambiguous;
    }
    for (size_t j = 0; j < s->joint_count; j++) {
        bool good = set_joint(m, j) && gz_exact_is_rigid(s->joints[j].origin);
        m->supported = m->supported && good;
    }
    m->base = (gz_joint_motion){0};
    for (size_t k = 0; k < 3; k++) add_slide(&m->base, &m->numbers[s->q_size + k], 1);
    for (size_t k = 3; k < 6; k++) add_turn(&m->base, &m->numbers[s->q_size + k], 1);
    m->times[0] = c->motion.is_curve ? c->motion.times[0] : 0;
    m->times[1] = c->motion.is_curve ? c->motion.times[1] : 1;
    for (size_t i = 0; i < s->tree_size; i++) {
        m->moves[i] = !is_static(&m->base);
        for (int32_t l = (int32_t)i; m->above[l] >= 0; l = s->joints[m->above[l]].parent)
            m->moves[i] = m->moves[i] || !is_static(&m->joints[m->above[l]]);
    }
}

/// De Casteljau's algorithm, in place: the control points of [0, t] are points[0] of each round.
static double curve_at(int32_t degree, double *points, double t, double *left) {
    for (int32_t last = degree; last > 0; last--) {
        left[degree - last] = points[0];
        for (int32_t i = 0; i < last; i++) points[i] = (1 - t) * points[i] + t * points[i + 1];
    }
    return left[degree] = points[0];
}

static double number_at(const gz_moving_number *n, double t) {
    if (n->slack == 0) return n->from;
    if (n->degree == 0) return n->from + t * n->way;
    double points[GZ_DUMP_DEGREE_MAX + 1], left[GZ_DUMP_DEGREE_MAX + 1];
    memcpy(points, n->points, sizeof points);
    return curve_at(n->degree, points, t, left);
}

static double time_at(const gz_robot_motion *m, double t) {
    return m->times[0] + t * (m->times[1] - m->times[0]);
}

void gz_robot_motion_place(gz_robot_motion *m, double c) {
    size_t size = m->scene->q_size;
    m->time = time_at(m, c);
    for (size_t i = 0; i < size; i++) m->q[i] = number_at(&m->numbers[i], c);
    for (size_t k = 0; k < 6; k++) m->at[k] = number_at(&m->numbers[size + k], c);
}

/// With S the sum of both times and the object's begin: the time above is off by less than 4 u S,
/// the time since the begin by u S more, its product with the velocity v by u v S more: below 2^-49
/// v S. The sum with the pose rounds by u of itself.
double gz_robot_motion_object_off(const gz_robot_motion *m, const gz_dump_body *object,
                                  const double pose[12]) {
    double times = fabs(m->times[0]) + fabs(m->times[1]) + fabs(object->begin);
    double v = 0, shift = 0;
    for (int k = 0; k < 3; k++) {
        v += fabs(object->velocity[k]);
        shift += fabs(pose[4 * k + 3]);
    }
    return (0x1p-49 * v * times + 0x1p-52 * shift) * SLACK;
}

bool gz_robot_motion_is_at(const gz_robot_motion *m, const gz_dump_configuration *c, double t) {
    size_t size = m->scene->q_size;
    double late = fabs(c->time - time_at(m, t));
    if (m->scene->timed && !(late <= 0x1p-49 * (fabs(m->times[0]) + fabs(m->times[1]))))
        return false;
    for (size_t i = 0; i < size + 6; i++) {
        const gz_moving_number *n = &m->numbers[i];
        double x = i < size ? c->q[i] : c->base[i - size], off = x - number_at(n, t);
        if (n->circle) off = remainder(off, 2 * PI);
        if (!(fabs(off) <= 4 * n->slack)) return false;
    }
    return true;
}

/// Whether a curve stays in [low, high]: by its control points, or those of its halves.
static bool curve_is_inside(int32_t degree, const double *points, double low, double high,
                            int depth) {
    double right[GZ_DUMP_DEGREE_MAX + 1], left[GZ_DUMP_DEGREE_MAX + 1];
    bool inside = true;
    for (int32_t i = 0; i <= degree; i++) inside = inside && points[i] >= low && points[i] <= high;
    if (inside || depth == 0) return inside;
    memcpy(right, points, sizeof right);
    curve_at(degree, right, 0.5, left); // leaves the right half's points in place
    return curve_is_inside(degree, left, low, high, depth - 1) &&
           curve_is_inside(degree, right, low, high, depth - 1);
}

static bool number_is_inside(const gz_moving_number *n, double t, double low, double high) {
    enum { DEPTH = 40 };
    double points[GZ_DUMP_DEGREE_MAX + 1], left[GZ_DUMP_DEGREE_MAX + 1];
    memcpy(points, n->points, sizeof points);
    curve_at(n->degree, points, t, left);
    return curve_is_inside(n->degree, left, low - 2 * n->slack, high + 2 * n->slack, DEPTH);
}

bool gz_robot_motion_is_inside(const gz_robot_motion *m, double t) {
    const gz_dump_scene *s = m->scene;
    for (size_t k = 0; s->has_boundary && k < 3; k++) {
        const gz_moving_number *n = &m->numbers[s->q_size + k];
        if (n->degree > 0) {
            if (!number_is_inside(n, t, s->boundary_min[k], s->boundary_max[k])) return false;
            continue;
        }
        double x = t == 1 ? n->to : number_at(n, t), slack = t == 1 ? 0 : n->slack;
        if (!(x >= s->boundary_min[k] - slack && x <= s->boundary_max[k] + slack)) return false;
    }
    return true;
}

// ----------------------------------------------------------------------------------------- bounds

/// A ball around the points of a body.
typedef struct ball {
    double centre[3], radius, size; ///< size: magnitudes that rounding is relative to
} ball;

static ball ball_of(const gz_extent *box) {
    ball out = {.size = 0};
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double half = 0.5 * box->high[k] - 0.5 * box->low[k];
        out.centre[k] = 0.5 * box->high[k] + 0.5 * box->low[k];
        out.size += fabs(out.centre[k]) + half;
        square += half * half;
    }
    out.radius = sqrt(square);
    return out;
}

/// The greatest distance of a ball's points from a line, or, without direction, from a point.
static double radius_from(const ball *points, const double link[12], const double axis[3]) {
    double r[3], d[3] = {0, 0, 0}, length = 0, size = points->size;
    for (int i = 0; i < 3; i++) {
        r[i] = points->centre[i] - link[4 * i + 3];
        size += fabs(link[4 * i + 3]);
        for (int k = 0; axis && k < 3; k++) d[i] += link[4 * i + k] * axis[k];
        length += d[i] * d[i];
    }
    double far = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    if (length > 0) {
        double x = r[1] * d[2] - r[2] * d[1], y = r[2] * d[0] - r[0] * d[2],
               z = r[0] * d[1] - r[1] * d[0];
        far = fmin(far, sqrt((x * x + y * y + z * z) / length));
    }
    return far + points->radius + 0x1p-45 * size;
}

/// How far one joint moves points at most `radius` from its axis.
static double moved_by(const gz_joint_motion *j, double half, double radius) {
    double turn = j->turn_rate * half + j->turn_slack;
    return fmin(turn, 2) * radius + j->slide_rate * half + j->slide_slack;
}

/// The motion of a body against a link above it, or (-1) the world: the sum over the joints
/// between.
static double moved_against(const gz_robot_motion *m, double (*links)[12], int32_t link,
                            int32_t above, const ball *points, double half) {
    const gz_dump_scene *s = m->scene;
    double sum = 0;
    for (; link != above && m->above[link] >= 0; link = s->joints[m->above[link]].parent) {
        const gz_joint_motion *j = &m->joints[m->above[link]];
        if (is_static(j)) continue;
        // Of a long chain of short axes the direction may be lost: then the distance of the origin.
        double largest = 0, axis[3];
        const double *given = s->joints[m->above[link]].axis;
        for (int k = 0; k < 3; k++) largest = fmax(largest, fabs(given[k]));
        for (int k = 0; k < 3; k++) axis[k] = largest > 0 ? given[k] / largest : 0;
        double radius = radius_from(points, links[link], axis);
        sum += moved_by(j, half, radius);
    }
    if (above < 0 && !is_static(&m->base))
        sum += moved_by(&m->base, half, radius_from(points, links[s->root], NULL));
    return sum;
}

/// The lowest link above both.
static int32_t meeting(const gz_robot_motion *m, int32_t a, int32_t b) {
    while (a != b) {
        int32_t *deeper = m->depth[a] >= m->depth[b] ? &a : &b;
        *deeper = m->scene->joints[m->above[*deeper]].parent;
    }
    return a;
}

double gz_robot_motion_bound(const gz_robot_motion *m, double (*links)[12], const gz_dump_body *a,
                             const gz_extent *box_a, const gz_dump_body *b, const gz_extent *box_b,
                             double half) {
    const gz_dump_scene *s = m->scene;
    int32_t link = s->frames[a->frame], other = b->is_object ? -1 : s->frames[b->frame];
    int32_t above = b->is_object ? -1 : meeting(m, link, other);
    ball x = ball_of(box_a), y = ball_of(box_b);
    double sum = moved_against(m, links, link, above, &x, half);
    if (!b->is_object) sum += moved_against(m, links, other, above, &y, half);
    if (b->moves) {
        double speed = hypot(hypot(b->velocity[0], b->velocity[1]), b->velocity[2]);
        sum += speed * (m->times[1] - m->times[0]) * half;
    }
    return sum * SLACK;
}
