// Which links move as one, and how is each rigid body hung on its parent?

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/transform.h"
#include "robot/robot.h"

/// Rodrigues' formula for a rotation by v about a unit axis a, with the origin's rotation O folded
/// in: O R(v) = O a a^T + cos v (O - O a a^T) + sin v O [a]x.
static void fold_rotation(gz_body *body) {
    const double *a = body->axis, *o = body->origin;
    double outer[9], cross[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) outer[3 * i + j] = a[i] * a[j];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double still = 0, turn = 0;
            for (int k = 0; k < 3; k++) {
                still += o[4 * i + k] * outer[3 * k + j];
                turn += o[4 * i + k] * cross[3 * k + j];
            }
            body->still[3 * i + j] = still;
            body->cosine[3 * i + j] = o[4 * i + j] - still;
            body->sine[3 * i + j] = turn;
        }
    }
}

/// What one joint adds to the skew |R^T R - I| of a pose (2-norm), whatever its value; u = 2^-53.
/// Its own rotation, still + c cosine + s sine: an origin from three angles or a quaternion (each
/// entry within 20 u of an exact rotation), the axis (2 u), the folded constants (6 u), sine and
/// cosine (2 u), products and sums (4 u), times norms of at most 3: below 100 u away from a
/// rotation. The product with the parent's pose rounds each entry by 3 u: 9 u. Twice the sum is
/// below 2^8 u. The base, from three angles, and the rounding of axes that a pose turns, 16 u,
/// count as one joint each; so do fixed joints, whose origins are composed in the same way.
#define SKEW_OF_JOINT 0x1p-45

/// What the pose of an attached link adds, which is the caller's and may be off rigid by 1e-9 an
/// entry: its own skew e. Frobenius' norm bounds the 2-norm, and 12 u what the dots round. Behind a
/// pose of skew s the product has at most s + e + s e: |A^T (B^T B - I) A + A^T A - I| <= s |A|^2 +
/// e. The factor pays for who moves points back by the transpose instead of the inverse
/// (robot_bound.c): that is off by s (1 + s)^2 of their way, and s is at most SKEW_MAX. Up to 2^7 u
/// it is what an origin of a file may have: with the product's 18 u that is within a joint's.
static double skew_of_pose(const double m[12]) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double off = (m[i] * m[j] + m[4 + i] * m[4 + j]) + m[8 + i] * m[8 + j] - (i == j);
            sum += off * off;
        }
    }
    double skew = sqrt(sum) * (1 + 0x1p-18) + 0x1p-48;
    return skew > SKEW_OF_JOINT / 2 ? skew : 0;
}

/// Of a body that is carried by bodies that are carried: some 20 of them, each off by all that is
/// accepted. Pads of a few times so much of the sizes are what the point trees have left for them
/// at level bounds: half of 64 u, u = 2^-24 (reach_of(), point_pair.c).
#define SKEW_MAX 0x1p-24

/// As many joints in a row as the pads of the narrow phase allow for: 10^5 * 2^-45 < 3e-9.
#define CHAIN_MAX 100000

static void start_body(graze_robot *r, int32_t link, int32_t joint) {
    int32_t index = r->body_count++;
    gz_body *body = &r->bodies[index];
    *body = (gz_body){.root_link = link, .parent = -1, .joint = joint, .column = -1};
    r->links[link].body = index;
    r->links[link].in_body = graze_transform_identity();
    r->links[link].skew = 2 * SKEW_OF_JOINT;
    if (joint < 0) return;
    const gz_joint *j = &r->joints[joint];
    const gz_link *parent = &r->links[j->info.parent];
    body->parent = parent->body;
    body->type = j->info.type;
    body->column = j->column;
    body->multiplier = j->multiplier;
    body->offset = j->offset;
    body->axis[0] = j->info.axis.x;
    body->axis[1] = j->info.axis.y;
    body->axis[2] = j->info.axis.z;
    gz_transform_compose(parent->in_body.m, j->info.origin.m, body->origin);
    body->moves = body->column >= 0 || r->bodies[body->parent].moves;
    fold_rotation(body);
}

static graze_status check_chains(const graze_robot *r, graze_error *error) {
    for (int32_t i = 0; i < r->link_count; i++) {
        const gz_link *l = &r->links[i];
        if (l->is_attached && l->skew > SKEW_MAX)
            return gz_fail(error, GRAZE_ERROR_LIMIT,
                           "'%s' and the bodies that carry it have poses that are off rigid by %g "
                           "in all; allowed: up to %g",
                           l->name, l->skew, SKEW_MAX);
        // What is attached is no joint, and its geometry is posed as that of the link it hangs on.
        if (!l->is_attached && l->skew > (CHAIN_MAX + 2) * SKEW_OF_JOINT)
            return gz_fail_at(error, GRAZE_ERROR_LIMIT,
                              gz_robot_place(r, r->links[i].at, "/robot/link"),
                              "link '%s' has more than %d joints above it; allowed: up to %d",
                              r->links[i].name, CHAIN_MAX, CHAIN_MAX);
    }
    return GRAZE_OK;
}

graze_status gz_robot_fold(graze_robot *r, graze_error *error) {
    size_t n = (size_t)r->link_count;
    r->bodies = gz_calloc(n, sizeof *r->bodies);
    // Children of each link in file order, as lists: first child, next sibling.
    int32_t *first = gz_malloc(n, sizeof *first), *next = gz_malloc(n, sizeof *next);
    int32_t *queue = gz_malloc(n, sizeof *queue);
    if (!r->bodies || !first || !next || !queue) {
        gz_free(first);
        gz_free(next);
        gz_free(queue);
        return gz_fail_memory(error);
    }
    for (size_t i = 0; i < n; i++) first[i] = next[i] = -1;
    for (int32_t j = r->joint_count - 1; j >= 0; j--) {
        const graze_joint_info *info = &r->joints[j].info;
        next[info->child] = first[info->parent];
        first[info->parent] = info->child;
    }
    // Breadth first, without recursion: a chain of 100,000 links must not exhaust the stack.
    size_t head = 0, tail = 0;
    queue[tail++] = r->root;
    start_body(r, r->root, -1);
    while (head < tail) {
        int32_t parent = queue[head++];
        for (int32_t child = first[parent]; child >= 0; child = next[child]) {
            gz_link *l = &r->links[child];
            const graze_joint_info *info = &r->joints[l->parent_joint].info;
            if (info->type == GRAZE_JOINT_FIXED) {
                l->body = r->links[parent].body;
                gz_transform_compose(r->links[parent].in_body.m, info->origin.m, l->in_body.m);
            } else {
                start_body(r, child, l->parent_joint);
            }
            l->skew = r->links[parent].skew + SKEW_OF_JOINT;
            if (l->is_attached) l->skew += (1 + l->skew) * skew_of_pose(info->origin.m);
            queue[tail++] = child;
        }
    }
    gz_free(first);
    gz_free(next);
    gz_free(queue);
    return check_chains(r, error);
}
