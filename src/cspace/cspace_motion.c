// Let the two columns go from the middle of the box to another place in it, one joint at a time: a
// mimic joint is a joint of its own, since distances depend on the pose alone, not on the way to
// it, and the bounds below hold at any values of the map's range.
//
// One step moves what is beyond a joint, by an angle t about an axis or by a way s along a line,
// and nothing else. Where the joint is on the way through the tree from link i to link j, seen from
// i all points of j move, by no more than s, or than t times their distance from the axis; seen
// from j those of i do. The distance of two sets changes by no more than the points of either move,
// so the lesser of the two bounds counts; joints that are not on the way change nothing. The sum
// over all steps bounds the change of the distance.
//
// How far can a point of j be from the axis of a joint? Between two joints that the map moves the
// tree is rigid: the distance from the axis to where the next one begins, from the end of that to
// the beginning of the one behind it, and so on to the centre of the link's bounding sphere do not
// change with the two columns; a joint that slides adds its longest way. Their sum with the radius
// is the bound, by the triangle inequality; against the world only j moves.
//
// All lengths are computed once, in the middle of the map, by the same forward kinematics as the
// check, whose pose errors are below the epsilon that the proofs add anyway; SLACK covers the
// rounding of the sums: some tens of operations of relative error 2^-53 on positive numbers.
#include "cspace/cspace_motion.h"

#include "base/memory.h"
#include "math/transform.h"

#define SLACK (1 + 0x1p-30)

static double length(const double v[3]) {
    return sqrt(gz_dot(v, v));
}

static double distance(const double a[3], const double b[3]) {
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length(d);
}

/// The distance of a point from the line through `on` along the unit vector `axis`.
static double distance_from_line(const double on[3], const double axis[3], const double p[3]) {
    double d[3] = {p[0] - on[0], p[1] - on[1], p[2] - on[2]}, c[3];
    gz_cross(axis, d, c);
    return length(c);
}

/// The largest magnitude of a number of q that belongs to a sliding joint, in the map.
static double value_reach(const gz_cspace_grid *grid, const gz_joint *joint, int32_t place) {
    double reach = 0;
    int32_t column = joint->column + place;
    double ends[2] = {grid->q[column], grid->q[column]};
    for (int k = 0; k < 2; k++) {
        if (grid->map->columns[k] != column) continue;
        ends[0] = grid->low[k];
        ends[1] = grid->high[k];
    }
    // Planar and floating joints hold their own numbers; others may follow by mimicry.
    bool follows = joint->info.type == GRAZE_JOINT_PRISMATIC;
    for (int side = 0; side < 2; side++)
        reach = fmax(reach,
                     fabs(follows ? joint->multiplier * ends[side] + joint->offset : ends[side]));
    return reach;
}

static double travel_of(const gz_cspace_grid *grid, const gz_joint *joint) {
    int32_t count = joint->info.type == GRAZE_JOINT_PRISMATIC  ? 1
                    : joint->info.type == GRAZE_JOINT_PLANAR   ? 2
                    : joint->info.type == GRAZE_JOINT_FLOATING ? 3
                                                               : 0;
    double sum = 0;
    for (int32_t i = 0; i < count; i++) sum += value_reach(grid, joint, i);
    return sum;
}

static void make_station(gz_station *s, const gz_cspace_grid *grid, const gz_joint *joint,
                         const graze_transform *links) {
    double frame[12];
    gz_transform_compose(links[joint->info.parent].m, joint->info.origin.m, frame);
    *s = (gz_station){.travel = travel_of(grid, joint)};
    const double axis[3] = {joint->info.axis.x, joint->info.axis.y, joint->info.axis.z};
    gz_transform_rotate(frame, axis, s->axis);
    double size = length(s->axis);
    const double *child = links[joint->info.child].m;
    for (int i = 0; i < 3; i++) {
        s->before[i] = frame[4 * i + 3];
        s->after[i] = child[4 * i + 3];
        if (size > 0) s->axis[i] /= size;
    }
    for (int k = 0; k < 2; k++) {
        if (!gz_column_moves(joint, grid->map->columns[k])) continue;
        bool turns = gz_column_kind_of(grid->robot, grid->map->columns[k]) == GZ_COLUMN_TURNS;
        // A mimic joint moves in its own way, whatever the one that it follows does.
        if (joint->info.type == GRAZE_JOINT_PRISMATIC) turns = false;
        if (joint->info.type == GRAZE_JOINT_REVOLUTE || joint->info.type == GRAZE_JOINT_CONTINUOUS)
            turns = true;
        // Planar and floating joints hold their own numbers.
        bool many = joint->info.type == GRAZE_JOINT_PLANAR ||
                    joint->info.type == GRAZE_JOINT_FLOATING;
        double rate = many ? 1 : fabs(joint->multiplier);
        s->turn[k] = turns ? rate : 0;
        s->slide[k] = turns ? 0 : rate;
    }
}

static bool is_station(const gz_cspace_grid *grid, const gz_joint *joint) {
    return gz_column_moves(joint, grid->map->columns[0]) ||
           gz_column_moves(joint, grid->map->columns[1]);
}

/// The stations on the way from the root to each link.
static void list_paths(gz_cspace_motion *m, const int32_t *station_of_joint) {
    for (int32_t link = 0; link < m->robot->link_count; link++) {
        int32_t *path = m->paths + (size_t)link * (size_t)m->station_count, count = 0;
        for (int32_t at = link; m->robot->links[at].parent_joint >= 0;) {
            int32_t joint = m->robot->links[at].parent_joint;
            if (station_of_joint[joint] >= 0) path[count++] = station_of_joint[joint];
            at = m->robot->joints[joint].info.parent;
        }
        for (int32_t i = 0; i < count / 2; i++) {
            int32_t other = path[i];
            path[i] = path[count - 1 - i];
            path[count - 1 - i] = other;
        }
        m->path_counts[link] = count;
    }
}

static void place_spheres(gz_cspace_motion *m, const graze_transform *links) {
    for (int32_t link = 0; link < m->robot->link_count; link++) {
        const graze_link_bounds *local = &m->robot->links[link].local;
        gz_transform_apply(links[link].m, GZ_ARRAY3(local->sphere.center), m->centers[link]);
        // A posed sphere grows by less than the skew of its pose, which may be more than the slack
        // where a body is attached.
        double grown = local->sphere.radius * (SLACK + m->robot->links[link].skew);
        m->radii[link] = local->empty ? 0 : grown;
    }
}

graze_status gz_cspace_motion_make(gz_cspace_motion *m, const gz_cspace_grid *grid,
                                   graze_error *error) {
    const graze_robot *robot = grid->robot;
    *m = (gz_cspace_motion){.robot = robot};
    for (int32_t i = 0; i < robot->joint_count; i++)
        m->station_count += is_station(grid, &robot->joints[i]);
    size_t links = (size_t)robot->link_count, stations = (size_t)m->station_count;
    graze_transform *poses = gz_malloc(links, sizeof *poses);
    int32_t *of_joint = gz_malloc((size_t)robot->joint_count, sizeof *of_joint);
    m->stations = gz_malloc(stations, sizeof *m->stations);
    m->paths = gz_malloc(links, stations * sizeof *m->paths);
    m->path_counts = gz_malloc(links, sizeof *m->path_counts);
    m->centers = gz_malloc(links, sizeof *m->centers);
    m->radii = gz_malloc(links, sizeof *m->radii);
    m->across = gz_malloc(stations, sizeof *m->across);
    graze_status status = GRAZE_OK;
    if (!poses || !of_joint || !m->stations || !m->paths || !m->path_counts || !m->centers ||
        !m->radii || !m->across)
        status = gz_fail_memory(error);
    if (!status)
        status = graze_robot_pose(robot, grid->q, grid->q_size, grid->map->base, poses, error);
    if (!status) {
        int32_t count = 0;
        for (int32_t i = 0; i < robot->joint_count; i++) {
            const gz_joint *joint = &robot->joints[i];
            of_joint[i] = is_station(grid, joint) ? count : -1;
            if (of_joint[i] >= 0) make_station(&m->stations[count++], grid, joint, poses);
        }
        list_paths(m, of_joint);
        place_spheres(m, poses);
    }
    gz_free(poses);
    gz_free(of_joint);
    return status;
}

void gz_cspace_motion_free(gz_cspace_motion *m) {
    gz_free(m->stations);
    gz_free(m->paths);
    gz_free(m->path_counts);
    gz_free(m->centers);
    gz_free(m->radii);
    gz_free(m->across);
    *m = (gz_cspace_motion){0};
}

bool gz_cspace_motion_moves(const gz_cspace_motion *m, int32_t link) {
    return m->path_counts[link] > 0;
}

// ----------------------------------------------------------------------------------------- bounds

/// One side of the way between two links: the stations from the root to one of them.
typedef struct tree_side {
    const int32_t *path;
    int32_t count, link;
} tree_side;

static tree_side side_of(const gz_cspace_motion *m, int32_t link) {
    const int32_t *path = m->paths + (size_t)link * (size_t)m->station_count;
    return (tree_side){.path = path, .count = m->path_counts[link], .link = link};
}

/// Where the way goes on behind station `at` of a path: the next one, or at last the link.
static const double *next_of(const gz_cspace_motion *m, const int32_t *path, int32_t count,
                             int32_t at, int32_t link) {
    return at + 1 < count ? m->stations[path[at + 1]].before : m->centers[link];
}

/// How far a point of the link at the end of the path can be from where station `first` begins, or,
/// where the path ends before it, from the link's centre.
static double reach_down(const gz_cspace_motion *m, const int32_t *path, int32_t count,
                         int32_t first, int32_t link) {
    double sum = m->radii[link];
    for (int32_t i = first; i < count; i++) {
        const gz_station *s = &m->stations[path[i]];
        sum += s->travel + distance(s->after, next_of(m, path, count, i, link));
    }
    return sum;
}

/// For each station of `from`, how far a point of the link at the end of `to` can be from its axis,
/// towards the root's side: up to where the paths part, then down. The axis goes through `after`,
/// at most `travel` away.
static void reach_across(const gz_cspace_motion *m, const tree_side *from, const tree_side *to,
                         int32_t shared) {
    double sum = reach_down(m, to->path, to->count, shared, to->link);
    const double *next = next_of(m, to->path, to->count, shared - 1, to->link);
    for (int32_t i = shared; i < from->count; i++) {
        const gz_station *s = &m->stations[from->path[i]];
        m->across[i] = sum + s->travel + distance_from_line(s->before, s->axis, next);
        sum += s->travel + distance(s->before, next);
        next = s->after;
    }
}

static double step_angle(const gz_station *s, const double half[2]) {
    return s->turn[0] * half[0] + s->turn[1] * half[1];
}

/// One joint's part: the chord of an angle t is at most t, and at most 2, of the radius.
static double step_bound(const gz_station *s, const double half[2], double reach) {
    return s->slide[0] * half[0] + s->slide[1] * half[1] + fmin(step_angle(s, half), 2) * reach;
}

/// Adds the steps of the joints on one side of the way. `to`: the other side; NULL for the world.
static void add_side(const gz_cspace_motion *m, const tree_side *from, const tree_side *to,
                     int32_t shared, const double half[2], double *sum, double *angle) {
    if (to) reach_across(m, from, to, shared);
    double beyond = m->radii[from->link];
    for (int32_t i = from->count - 1; i >= shared; i--) {
        const gz_station *s = &m->stations[from->path[i]];
        const double *next = next_of(m, from->path, from->count, i, from->link);
        double reach = beyond + distance_from_line(s->after, s->axis, next);
        if (to) reach = fmin(reach, m->across[i]);
        *sum += step_bound(s, half, reach);
        *angle += step_angle(s, half);
        beyond += s->travel + distance(s->after, next);
    }
}

double gz_cspace_motion_bound(const gz_cspace_motion *m, int32_t a, int32_t b, const double half[2],
                              double *turned) {
    tree_side down = side_of(m, b), up = {0};
    double sum = 0, angle = 0;
    int32_t shared = 0;
    if (a >= 0) {
        up = side_of(m, a);
        while (shared < up.count && shared < down.count && up.path[shared] == down.path[shared])
            shared++;
        add_side(m, &up, &down, shared, half, &sum, &angle);
    }
    add_side(m, &down, a >= 0 ? &up : NULL, shared, half, &sum, &angle);
    if (turned) *turned = angle * SLACK;
    return sum * SLACK;
}
