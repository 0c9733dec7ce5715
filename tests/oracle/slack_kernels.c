// What the kernels of clouds, of nearest boxes and of cells round, of the pads that hold it: see
// slack.c. The functions themselves run, in the baseline of the processor; where one only decides,
// the length at which it changes its mind is bisected.
#include "slack_floats.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/transform.h"

#define TREE_PAIR_NAME    "slack"
#define TREE_PAIR_KERNELS slack_tree_kernels
#define POINT_KERNELS     slack_point_kernels
#define DISTANCE_KERNELS  slack_distance_kernels
#include "narrow/points/point_pair.inl"
#include "narrow/tree_pair.inl"

#include "narrow/distance/tree_distance.inl" // behind tree_pair.inl

#define U 0x1p-24L

/// Two boxes, a in a pose and b at the origin, and the pair in float.
typedef struct posed_boxes {
    double pose[12];
    gz_box a, b;
    gz_tree_pair pair;
    graze_mesh mesh[2];
    long double size; ///< S: the way between the frames and both sizes
} posed_boxes;

static double box_max_abs(const gz_box *box) {
    double most = 0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, fabs((double)box->center[k]) + (double)box->half[k]);
    return most;
}

/// From SLACK_BOXES numbers; false where they make no pose.
static bool pose_boxes(const double *x, posed_boxes *out) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    memset(out, 0, sizeof *out);
    if (!slack_pose(x, out->pose)) return false;
    for (int k = 0; k < 3; k++) {
        out->a.center[k] = (float)x[7 + k];
        out->a.half[k] = fabsf((float)x[10 + k]);
        out->b.center[k] = (float)x[13 + k];
        out->b.half[k] = fabsf((float)x[16 + k]);
    }
    out->mesh[0].max_abs = box_max_abs(&out->a);
    out->mesh[1].max_abs = box_max_abs(&out->b);
    gz_tree_pair_prepare(&out->pair, &out->mesh[0], out->pose, &out->mesh[1], identity, false);
    long double square = 0;
    for (int k = 3; k < 12; k += 4) square += (long double)out->pose[k] * (long double)out->pose[k];
    out->size = sqrtl(square) +
                sqrtl(3) * ((long double)out->mesh[0].max_abs + (long double)out->mesh[1].max_abs);
    return out->size > 0;
}

/// One box in all lanes.
static void fill_node(const gz_box *box, gz_node *out) {
    memset(out, 0, sizeof *out);
    out->count = GZ_WIDTH;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < GZ_WIDTH; i++) {
            out->center[k][i] = box->center[k];
            out->half[k][i] = box->half[k];
        }
}

/// The middle of a as seen from b, less b's.
static void exact_way(const posed_boxes *s, long double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = (long double)s->pose[4 * i + 3] - (long double)s->b.center[i];
        for (int j = 0; j < 3; j++)
            out[i] += (long double)s->pose[4 * i + j] * (long double)s->a.center[j];
    }
}

/// The distance of the box around a in b's frame from b. `turned`: around b in a's.
static long double exact_gap(const posed_boxes *s, bool turned) {
    const gz_box *own = turned ? &s->a : &s->b, *other = turned ? &s->b : &s->a;
    long double way[3], sum = 0;
    exact_way(s, way);
    for (int i = 0; i < 3; i++) {
        long double along = turned ? 0 : way[i], half = (long double)own->half[i];
        for (int j = 0; j < 3; j++) {
            const long double m = (long double)s->pose[turned ? 4 * j + i : 4 * i + j];
            if (turned) along += m * way[j];
            half += fabsl(m) * (long double)other->half[j];
        }
        const long double gap = fabsl(along) - half;
        sum += gap > 0 ? gap * gap : 0;
    }
    return sqrtl(sum);
}

/// The largest float below `most` at which a decision holds that holds at 0, nearly; -1: at none.
static float bisect(bool (*holds)(void *user, float at), void *user, float most) {
    float low = 0, high = most;
    if (!holds(user, 0)) return -1;
    for (int i = 0; i < 32; i++) {
        const float middle = 0.5f * (low + high);
        *(holds(user, middle) ? &low : &high) = middle;
    }
    return low;
}

// -------------------------------------------------------------------------------- clouds of points

typedef struct cloud {
    gz_point_pair pair;
    gz_node node;
    gz_box box;
    gz_point_box oriented;
    lanes3 at;
} cloud;

static bool boxes_apart_at(void *user, float threshold) {
    const cloud *c = user;
    return !boxes_near(&c->node, &c->box, threshold);
}

double slack_cloud_boxes(const double *x) {
    posed_boxes s;
    cloud c = {0};
    gz_node node;
    if (!pose_boxes(x, &s)) return 0;
    memcpy(c.pair.r, s.pair.to_b, sizeof c.pair.r);
    memcpy(c.pair.abs_r, s.pair.abs_to_b, sizeof c.pair.abs_r);
    memcpy(c.pair.t, s.pair.to_b_shift, sizeof c.pair.t);
    fill_node(&s.a, &node);
    move_node(&c.pair, &node, &c.node);
    c.box = s.b;
    const float most = bisect(boxes_apart_at, &c, (float)(2 * s.size));
    return most > 0 ? (double)(((long double)most - exact_gap(&s, false)) / (U * s.size)) : 0;
}

static bool axes_apart_at(void *user, float slack) {
    const cloud *c = user;
    return !near_along_axes(&c->oriented, &c->at, (const float(*)[GZ_LANES])c->node.half, slack);
}

/// Box a is what is seen, with its own axes; b is a node of the tree of points.
double slack_cloud_axes(const double *x) {
    posed_boxes s;
    cloud c = {0};
    if (!pose_boxes(x, &s)) return 0;
    long double way[3], worst = 0;
    exact_way(&s, way);
    for (int j = 0; j < 3; j++) {
        long double at = (long double)s.pose[4 * j + 3], along = 0;
        long double half = (long double)s.a.half[j];
        for (int k = 0; k < 3; k++) {
            const long double m = (long double)s.pose[4 * k + j];
            at += (long double)s.pose[4 * j + k] * (long double)s.a.center[k];
            along += m * way[k];
            half += fabsl(m) * (long double)s.b.half[k];
            c.oriented.axis[j][k] = (float)s.pose[4 * k + j];
            c.oriented.abs_axis[j][k] = fabsf(c.oriented.axis[j][k]);
        }
        worst = fmaxl(worst, fabsl(along) - half);
        c.oriented.seen.center[j] = (float)at;
        c.oriented.half[j] = s.a.half[j];
    }
    fill_node(&s.b, &c.node);
    c.at = load_lanes3((const float(*)[GZ_WIDTH])c.node.center);
    const float most = bisect(axes_apart_at, &c, (float)(2 * s.size));
    return most > 0 ? (double)(((long double)most - worst) / (U * s.size)) : 0;
}

static bool axis_apart_at(void *user, float slack) {
    const cloud *c = user;
    return !axis_near(&c->pair, &c->at, gz_f8_all(slack));
}

/// A point, and an axis between two others.
double slack_cloud_axis(const double *x) {
    cloud c = {0};
    gz_box point = {0};
    long double size = 0, d[3], square = 0, t = 0, far = 0;
    double length = 0;
    for (int k = 0; k < 3; k++) {
        point.center[k] = (float)x[k];
        c.pair.axis[k] = (float)x[3 + k];
        c.pair.along[k] = (float)(x[6 + k] - x[3 + k]);
        length += (double)c.pair.along[k] * (double)c.pair.along[k];
        size = fmaxl(size, fabsl((long double)x[k]));
    }
    if (!(length > 1e-30)) return 0;
    c.pair.inverse = (float)(1 / length);
    size = sqrtl(3) * size + (long double)(gz_norm(x + 3) + gz_norm(x + 6));
    fill_node(&point, &c.node);
    c.at = load_lanes3((const float(*)[GZ_WIDTH])c.node.center);
    for (int k = 0; k < 3; k++) {
        const long double way = (long double)x[6 + k] - (long double)x[3 + k];
        d[k] = (long double)point.center[k] - (long double)x[3 + k];
        square += way * way;
        t += d[k] * way;
    }
    t = fminl(fmaxl(t / square, 0), 1);
    for (int k = 0; k < 3; k++) {
        const long double off = d[k] - t * ((long double)x[6 + k] - (long double)x[3 + k]);
        far += off * off;
    }
    const float most = bisect(axis_apart_at, &c, (float)(2 * size));
    return most > 0 ? (double)(((long double)most - sqrtl(far)) / (U * size)) : 0;
}

// ----------------------------------------------------------------------------- the nearest
// children

/// A distance that child_squares() claims of box a from a node with box b, without pads.
static long double claim(posed_boxes *s, const float n[3], float ahead, float most) {
    gz_node node;
    float squares[GZ_WIDTH];
    fill_node(&s->b, &node);
    gz_f8_store(squares, child_squares(&node, &s->a, s->pair.to_b, s->pair.abs_to_b,
                                       s->pair.to_b_shift, 0, n, ahead, most));
    return sqrtl((long double)squares[0]);
}

double slack_children(const double *x) {
    posed_boxes s;
    const float none[3] = {0};
    if (!pose_boxes(x, &s)) return 0;
    const long double exact = fmaxl(exact_gap(&s, false), exact_gap(&s, true));
    return (double)((claim(&s, none, 0, INFINITY) - exact) / (U * s.size));
}

/// Along the way between the middles, made a little shorter than 1, as gz_near_aim() does.
double slack_children_way(const double *x) {
    posed_boxes s;
    if (!pose_boxes(x, &s)) return 0;
    long double way[3], length = 0, gap = 0;
    float n[3], m[3] = {0}, ahead = 0;
    exact_way(&s, way);
    for (int k = 0; k < 3; k++) length += way[k] * way[k];
    length = sqrtl(length) * (1 + 4 * U);
    if (!(length > 0)) return 0;
    for (int k = 0; k < 3; k++) n[k] = (float)(-way[k] / length);
    for (int j = 0; j < 3; j++) {
        long double along = 0;
        for (int k = 0; k < 3; k++) along += (long double)s.pose[4 * k + j] * (long double)n[k];
        m[j] = (float)along;
        gap -= fabsl(along) * (long double)s.a.half[j];
        gap -= fabsl((long double)n[j]) * (long double)s.b.half[j];
        gap -= way[j] * (long double)n[j];
    }
    const gz_box centred = {.half = {s.a.half[0], s.a.half[1], s.a.half[2]}};
    ahead = extent_ahead(NULL, 0, &centred, m);
    // All squares are above -1, so the box's own axes are left out.
    const long double exact = fmaxl(exact_gap(&s, false), gap);
    return gap < exact ? 0 : (double)((claim(&s, n, ahead, -1) - exact) / (U * s.size));
}

// -------------------------------------------------------------------------------- balls and cells

enum { CELLS = 20 };

typedef struct ball_case {
    gz_clearance_map map;
    moved_points at;
} ball_case;

static bool ball_clear_at(void *user, float radius) {
    const ball_case *c = user;
    return query_balls(&c->map, &c->at, gz_f8_all(radius)).clear != 0;
}

/// A vertex of a, in a cell of a map over b whose cells all have the same value.
double slack_cells(const double *x) {
    static uint8_t cells[CELLS * CELLS * CELLS + 4];
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    double pose[12], rel[3], vertex[3];
    graze_mesh a = {0}, b = {0};
    gz_proxy_pair pair;
    ball_case c = {0};
    if (!slack_pose(x, pose)) return 0;
    const double step = fabs(x[10]) + 0x1p-10;
    const uint8_t value = (uint8_t)(1 + (int)(fabs(x[11]) * 11.99));
    float group[3][GZ_WIDTH];
    for (int k = 0; k < 3; k++) {
        c.map.low[k] = (float)(x[12] - 0.5 * CELLS * step);
        c.map.count[k] = CELLS;
        rel[k] = (double)c.map.low[k] + (0.5 + 0.5 * x[7 + k]) * CELLS * step - pose[4 * k + 3];
        b.max_abs = fmax(b.max_abs, fabs((double)c.map.low[k] + 1.5 * step));
        b.max_abs = fmax(b.max_abs, fabs((double)c.map.low[k] + (CELLS - 1.5) * step));
    }
    gz_transform_unrotate(pose, rel, vertex);
    for (int k = 0; k < 3; k++) {
        a.max_abs = fmax(a.max_abs, fabs((double)(float)vertex[k]));
        for (int i = 0; i < GZ_WIDTH; i++) group[k][i] = (float)vertex[k];
    }
    gz_proxy_pair_prepare(&pair, &a, pose, &b, identity, 0);
    memset(cells, value, sizeof cells);
    c.map.inverse = (float)(1 / step);
    c.map.unit = (float)(step / GZ_CLEARANCE_PER_CELL * (1 - 1e-6));
    c.map.cells = cells;
    c.map.cell_count = CELLS * CELLS * CELLS;
    c.at = move_group((const float(*)[3])pair.r, pair.t, (const float(*)[GZ_WIDTH])group);
    long double off = 0;
    for (int k = 0; k < 3; k++) {
        long double at = (long double)pose[4 * k + 3] - (long double)c.map.low[k];
        for (int j = 0; j < 3; j++) at += (long double)pose[4 * k + j] * (long double)group[j][0];
        const long double cell = floorl(at / (long double)step);
        // What is beyond the outer middles is clear for another reason.
        if (!(at > (long double)(0.51 * step) && at < (long double)((CELLS - 0.51) * step)))
            return 0;
        off += powl(at - (cell + 0.5L) * (long double)step, 2);
    }
    const long double exact = (long double)value * (long double)c.map.unit - sqrtl(off);
    const float most = bisect(ball_clear_at, &c, (float)(4 * step));
    return most > 0 ? (double)(((long double)most - exact) / (long double)pair.pad) : 0;
}
