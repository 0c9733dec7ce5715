// Which objects can a motion come near? The boxes of the links that move, posed in the middle of an
// interval and grown by how far the links move in it, against the boxes of the objects.
#include "base/float_environment.h"
#include "check/margin.h"
#include "kinematics/forward_kinematics.h"
#include "motion/motion_internal.h"
#include "narrow/triangle/triangle.h"

enum { MOST_HALVINGS = 16 };

typedef struct query {
    graze_motion_workspace *m;
    const uint8_t *objects; ///< that count; NULL: all
} query;

/// Whether a posed link may come near an object while it moves by no more than `bound`; of a link
/// that stands, whether it collides.
static bool is_near(const query *r, int32_t link, int32_t object, double bound) {
    graze_motion_workspace *m = r->m;
    const graze_checker *c = m->checker;
    if (r->objects && !r->objects[object]) return false;
    if (gz_object_allowed(c, link, object)) return false;
    gz_motion_pair p = gz_motion_pair_object(c, link, object);
    if (!gz_edge_moves(&m->edge, -1, link)) return gz_motion_pair_collides(c, m->ws, &p);
    double need = p.need + bound;
    if (!(need >= GZ_MARGIN_MIN && need <= GZ_MARGIN_MAX)) return true;
    return !gz_link_object_boxes_apart(c, m->ws, link, object, need);
}

/// The same of any object.
static bool is_near_any(const query *r, int32_t link, double bound) {
    graze_motion_workspace *m = r->m;
    const graze_checker *c = m->checker;
    graze_stats stats = {0};
    double margin = c->margins ? c->margins->greatest[link] : 0;
    double within = (gz_margin_certified(c, -1, link, margin) + bound) * (1 + 0x1p-40);
    size_t near = gz_link_world_near(c, m->ws, link, within, &stats);
    for (size_t i = 0; i < near; i++)
        if (is_near(r, link, m->ws->entries[i], bound)) return true;
    return false;
}

/// Whether one of the links listed comes near within [t0, t1]. Those that do on the whole of it are
/// listed in `near`, and looked at in both halves.
static bool reaches(const query *r, double t0, double t1, const int32_t *links, size_t count,
                    int32_t *near, uint32_t halvings) {
    graze_motion_workspace *m = r->m;
    size_t near_count = 0;
    double middle = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0);
    gz_edge_place(&m->edge, middle);
    for (size_t i = 0; i < count; i++) gz_workspace_want(m->ws, links[i]);
    gz_workspace_pose_wanted(m->ws, m->edge.q, gz_edge_root(&m->edge));
    for (size_t i = 0; i < count; i++) {
        int32_t link = links[i];
        if (!is_near_any(r, link, gz_edge_world_bound(&m->edge, m->ws, link, half))) continue;
        if (halvings == 0 || !gz_edge_moves(&m->edge, -1, link)) return true;
        near[near_count++] = link;
    }
    int32_t *next = near + near_count;
    return near_count && (reaches(r, t0, middle, near, near_count, next, halvings - 1) ||
                          reaches(r, middle, t1, near, near_count, next, halvings - 1));
}

GZ_OUT_OF_LINE static graze_status
motion_reaches(const graze_checker *checker, graze_motion_workspace *m, const double *from,
               const double *to, size_t q_count, const double *from_base, const double *to_base,
               graze_turn turn, const uint8_t *objects, uint32_t halvings, bool *out,
               graze_error *error) {
    graze_motion_options options = graze_motion_options_default(), read;
    options.turn = turn;
    GZ_TRY(gz_motion_prepare(checker, m, &options, &read, error));
    gz_motion_next_group(m); // all that stands
    if (!from || !to) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "from or to is NULL");
    if (halvings > MOST_HALVINGS)
        return gz_fail(error, GRAZE_ERROR_RANGE, "halvings is %u; allowed: 0 to %d",
                       (unsigned)halvings, MOST_HALVINGS);
    GZ_TRY(gz_pose_check(checker->robot, from, q_count, error));
    GZ_TRY(gz_pose_check(checker->robot, to, q_count, error));
    GZ_TRY(gz_motion_set_edge(m, from, to, from_base, to_base, turn, error));
    gz_edge_find_motions(&m->edge);
    const graze_world *w = checker->world;
    *out = false;
    if (!w || checker->options.no_world || w->object_count == 0) return GRAZE_OK;
    // Lists of links stand behind each other, one for each halving.
    size_t lists = checker->link_count ? m->list_capacity / checker->link_count : halvings + 1;
    if (lists <= halvings) halvings = lists > 0 ? (uint32_t)lists - 1 : 0;
    const query r = {m, objects};
    *out = reaches(&r, 0, 1, checker->links, checker->link_count, m->stack.list, halvings);
    return GRAZE_OK;
}

graze_status graze_motion_reaches(const graze_checker *checker, graze_motion_workspace *workspace,
                                  const double *from, const double *to, size_t q_count,
                                  const double *from_base, const double *to_base, graze_turn turn,
                                  const uint8_t *objects, uint32_t halvings, bool *reaches_any,
                                  graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!reaches_any) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "reaches is NULL");
    *reaches_any = true;
    graze_status status = motion_reaches(checker, workspace, from, to, q_count, from_base, to_base,
                                         turn, objects, halvings, reaches_any, error);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
