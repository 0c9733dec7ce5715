#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "graze/check.h"
#include "kinematics/motion_bound.h"
#include "lint/self_collision.h"
#include "mesh/component.h"
#include "robot/robot.h"

bool gz_lint_has_collision(const gz_lint_context *c, int32_t link) {
    const gz_lint_link *l = &c->links[link];
    for (size_t i = 0; i < l->geometry_count; i++)
        if (!c->geometries[l->first_geometry + i].visual) return true;
    return false;
}

// ------------------------------------------------------------------------------------- adjacency

static int32_t parent_of(const gz_lint_context *c, int32_t link) {
    int32_t joint = c->links[link].parent_joint;
    return joint < 0 ? -1 : c->joints[joint].parent_link;
}

/// The cluster of empty links that a link hangs on, or -1.
static int32_t cluster_over(const gz_lint_context *c, const gz_lint_pairs *p, int32_t link) {
    int32_t parent = parent_of(c, link);
    if (parent < 0 || gz_lint_has_collision(c, parent)) return -1;
    return (int32_t)p->cluster[parent];
}

bool gz_lint_adjacent(const gz_lint_context *c, int32_t a, int32_t b) {
    const gz_lint_pairs *p = c->pairs;
    if (parent_of(c, a) == b || parent_of(c, b) == a) return true;
    int32_t over_a = cluster_over(c, p, a), over_b = cluster_over(c, p, b);
    if (over_a >= 0 && (over_a == over_b || p->cluster_above[over_a] == b)) return true;
    return over_b >= 0 && p->cluster_above[over_b] == a;
}

static void find_clusters(const gz_lint_context *c, gz_lint_pairs *p) {
    for (uint32_t i = 0; i < c->link_count; i++) {
        p->cluster[i] = i;
        p->cluster_above[i] = -1;
    }
    for (int32_t i = 0; i < (int32_t)c->link_count; i++) {
        int32_t parent = parent_of(c, i);
        if (parent < 0 || gz_lint_has_collision(c, i) || gz_lint_has_collision(c, parent)) continue;
        gz_join(p->cluster, (uint32_t)parent, (uint32_t)i);
    }
    for (uint32_t i = 0; i < c->link_count; i++) p->cluster[i] = gz_find_root(p->cluster, i);
    for (int32_t i = 0; i < (int32_t)c->link_count; i++) {
        int32_t parent = parent_of(c, i);
        if (parent < 0 || gz_lint_has_collision(c, i) || !gz_lint_has_collision(c, parent))
            continue;
        p->cluster_above[p->cluster[i]] = parent;
    }
}

// ----------------------------------------------------------------------------------------- rules

static gz_lint_pair read_pair(const gz_lint_context *c, const gz_xml_element *e, size_t index) {
    int32_t a = gz_lint_find_link(c, gz_xml_get(e, "link1"));
    int32_t b = gz_lint_find_link(c, gz_xml_get(e, "link2"));
    return (gz_lint_pair){.element = e,
                          .enable = gz_xml_is(e, "enable_collisions"),
                          .a = a < b ? a : b,
                          .b = a < b ? b : a,
                          .first = index};
}

static int compare_pairs(const void *x, const void *y) {
    const gz_lint_pair *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    if (p->b != q->b) return p->b < q->b ? -1 : 1;
    if (p->enable != q->enable) return p->enable ? 1 : -1;
    return (p->first > q->first) - (p->first < q->first);
}

/// Sorts a copy by pair, in which those of one pair follow each other by their own indices.
static bool find_first(gz_lint_pairs *p) {
    p->sorted = gz_malloc(p->count, sizeof *p->sorted);
    if (!p->sorted) return false;
    for (size_t i = 0; i < p->count; i++) p->sorted[i] = p->items[i];
    qsort(p->sorted, p->count, sizeof *p->sorted, compare_pairs);
    size_t first = 0;
    for (size_t i = 0; i < p->count; i++) {
        const gz_lint_pair *s = &p->sorted[i], *f = &p->sorted[first];
        if (s->a != f->a || s->b != f->b || s->enable != f->enable) first = i;
        if (s->a >= 0) p->items[s->first].first = p->sorted[first].first;
    }
    return true;
}

const gz_lint_pair *gz_lint_pairs_find(const gz_lint_pairs *p, int32_t a, int32_t b, bool enable) {
    // Nothing is in front of number 0 of the pair: what is found is the first of its rules.
    const gz_lint_pair key = {.a = a < b ? a : b, .b = a < b ? b : a, .enable = enable};
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_pairs(&p->sorted[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (key.a < 0 || low == p->count) return NULL;
    const gz_lint_pair *found = &p->sorted[low];
    return found->a == key.a && found->b == key.b && found->enable == enable ? found : NULL;
}

static bool is_rule(const gz_xml_element *e) {
    return gz_xml_is(e, "disable_collisions") || gz_xml_is(e, "enable_collisions");
}

static bool read_pairs(gz_lint_pairs *p, const gz_lint_context *c) {
    const gz_xml_element *root = c->srdf ? gz_xml_root(c->srdf) : NULL;
    size_t count = 0, links = c->link_count ? c->link_count : 1;
    for (const gz_xml_element *e = root ? root->first_child : NULL; e; e = e->next)
        count += is_rule(e);
    p->items = gz_malloc(count, sizeof *p->items);
    p->cluster = gz_malloc(links, sizeof *p->cluster);
    p->cluster_above = gz_malloc(links, sizeof *p->cluster_above);
    if (!p->items || !p->cluster || !p->cluster_above) return false;
    for (const gz_xml_element *e = root ? root->first_child : NULL; e; e = e->next)
        if (is_rule(e)) {
            p->items[p->count] = read_pair(c, e, p->count);
            p->count++;
        }
    find_clusters(c, p);
    return !p->count || find_first(p);
}

const gz_lint_pairs *gz_lint_pairs_get(gz_lint_context *c) {
    if (!c->pairs && !c->out_of_memory) {
        c->pairs = gz_calloc(1, sizeof *c->pairs);
        c->out_of_memory |= !c->pairs || !read_pairs(c->pairs, c);
    }
    return c->out_of_memory ? NULL : c->pairs;
}

void gz_lint_pairs_free(gz_lint_pairs *p) {
    if (!p) return;
    gz_free(p->items);
    gz_free(p->sorted);
    gz_free(p->cluster);
    gz_free(p->cluster_above);
    gz_free(p);
}

/// Robots with more pairs of links are not surveyed, and samples over all pairs are no more than
/// this: a run takes a second, not minutes.
enum { MOST_PAIRS = 50000, MOST_SAMPLES = 1000000 };

// -------------------------------------------------------------------------------------- the survey

/// Pairs of links that may collide, where visuals stand in for what is missing, too.
static size_t count_pairs(const gz_lint_context *c) {
    bool shown = c->options->load->use_visual != GRAZE_USE_VISUAL_NEVER;
    size_t n = 0;
    for (size_t i = 0; i < c->link_count; i++)
        n += gz_lint_has_collision(c, (int32_t)i) || (shown && c->links[i].geometry_count);
    return n < 2 ? 0 : n * (n - 1) / 2;
}

static void load_robot(gz_lint_context *c, gz_lint_survey *s) {
    size_t pairs = count_pairs(c);
    if (!pairs || pairs > MOST_PAIRS) return;
    graze_load_options load = *c->options->load;
    load.visuals = GRAZE_VISUALS_SKIP;
    // An SRDF that is no XML is reported already; the robot is one without it.
    if (!c->srdf) load.srdf = NULL;
    graze_status status = graze_robot_load_urdf_memory(&s->robot, c->text, c->text_size, c->file,
                                                       c->base_dir, &load, NULL);
    if (s->robot) s->path = gz_malloc(2 * (size_t)s->robot->body_count, sizeof *s->path);
    c->out_of_memory |= status == GRAZE_ERROR_NO_MEMORY || (s->robot && !s->path);
}

void gz_lint_survey_pose(const gz_lint_survey *s, uint64_t seed, uint64_t index, double *q) {
    graze_robot_rest(s->robot, q);
    if (!index) return;
    gz_random random = gz_random_make(seed, index);
    for (size_t i = 0; i < graze_robot_q_size(s->robot); i++) {
        graze_joint_info joint;
        if (graze_robot_joint(s->robot, graze_robot_q_joint(s->robot, i), &joint) != GRAZE_OK ||
            joint.q_count != 1)
            continue;
        double low = joint.limited ? joint.lower : -M_PI, high = joint.limited ? joint.upper : M_PI;
        double value = gz_random_range(&random, low, high);
        // Contacts like the ends of ranges.
        uint32_t choice = gz_random_below(&random, 3);
        if (index % 2 && choice < 2) value = choice ? high : low;
        if (isfinite(value)) q[i] = value;
    }
}

/// A checker with a workspace, and a configuration.
typedef struct posing {
    gz_lint_context *context;
    const gz_lint_survey *survey;
    const graze_robot *robot;
    graze_checker *checker;
    graze_workspace *workspace;
    double *q;
} posing;

static bool begin_posing(posing *p, bool ignore_srdf) {
    graze_checker_options options = graze_checker_options_default();
    options.no_world = 1;
    options.ignore_srdf = ignore_srdf;
    options.ignore_srdf_margins = 1;
    p->q = gz_malloc(graze_robot_q_size(p->robot) + 1, sizeof *p->q);
    graze_status status = p->q ? graze_checker_create(&p->checker, p->robot, NULL, &options, NULL)
                               : GRAZE_ERROR_NO_MEMORY;
    if (status == GRAZE_OK) status = graze_workspace_create(&p->workspace, p->checker, NULL);
    p->context->out_of_memory |= status == GRAZE_ERROR_NO_MEMORY;
    return status == GRAZE_OK;
}

static void end_posing(posing *p) {
    graze_workspace_free(p->workspace);
    graze_checker_free(p->checker);
    gz_free(p->q);
}

static bool list_solids(gz_lint_survey *s) {
    size_t links = graze_robot_link_count(s->robot);
    s->solid_of = gz_malloc(links, sizeof *s->solid_of);
    for (size_t i = 0; s->solid_of && i < links; i++) {
        graze_link_bounds bounds;
        bool empty = graze_robot_link_bounds(s->robot, (int32_t)i, &bounds) != GRAZE_OK ||
                     bounds.empty;
        s->solid_of[i] = empty ? -1 : (int32_t)s->solids++;
    }
    s->hits = gz_calloc(s->solids * s->solids, sizeof *s->hits);
    s->first = gz_calloc(s->solids * s->solids, sizeof *s->first);
    return s->solid_of && s->hits && s->first;
}

/// Checks p->q, which is configuration `index`. One that cannot be posed is not counted.
static void count_hits(posing *p, gz_lint_survey *s, uint32_t index, graze_contact *contacts,
                       size_t capacity) {
    graze_report report = {.contacts = contacts, .capacity = capacity};
    if (graze_check(p->checker, p->workspace, GRAZE_ANSWER_ALL, p->q, graze_robot_q_size(p->robot),
                    NULL, &report, NULL) != GRAZE_OK)
        return;
    for (size_t i = 0; i < report.count && i < capacity; i++) {
        int32_t a = s->solid_of[contacts[i].link], b = s->solid_of[contacts[i].other];
        if (a < 0 || b < 0) continue;
        size_t at = a < b ? s->solids * (size_t)a + (size_t)b : s->solids * (size_t)b + (size_t)a;
        if (!s->hits[at]++) s->first[at] = index;
    }
    s->sample_count++;
}

static void sample_pairs(gz_lint_context *c, gz_lint_survey *s) {
    size_t pairs = count_pairs(c), samples = c->options->pair_samples;
    s->tried = true;
    if (!s->robot || !samples) return;
    // The default is cut down for large robots; who asks for more gets it.
    if (samples == graze_lint_options_default().pair_samples && samples > MOST_SAMPLES / pairs)
        samples = MOST_SAMPLES / pairs;
    posing p = {.context = c, .survey = s, .robot = s->robot};
    bool ok = list_solids(s);
    size_t most = s->solids < 2 ? 1 : s->solids * (s->solids - 1) / 2;
    graze_contact *contacts = ok ? gz_malloc(most, sizeof *contacts) : NULL;
    c->out_of_memory |= !contacts;
    ok = contacts && begin_posing(&p, true);
    for (uint64_t i = 0; ok && i <= samples; i++) {
        gz_lint_survey_pose(s, c->options->seed, i, p.q);
        count_hits(&p, s, (uint32_t)i, contacts, most);
    }
    end_posing(&p);
    gz_free(contacts);
}

const gz_lint_survey *gz_lint_survey_get(gz_lint_context *c, bool samples) {
    if (!c->survey) {
        c->survey = gz_calloc(1, sizeof *c->survey);
        c->out_of_memory |= !c->survey;
        if (c->survey) load_robot(c, c->survey);
    }
    if (samples && c->survey && !c->survey->tried && !c->out_of_memory) sample_pairs(c, c->survey);
    return c->out_of_memory ? NULL : c->survey;
}

void gz_lint_survey_free(gz_lint_survey *s) {
    if (!s) return;
    graze_robot_free(s->robot);
    gz_free(s->path);
    gz_free(s->solid_of);
    gz_free(s->hits);
    gz_free(s->first);
    gz_free(s);
}

// ---------------------------------------------------------------------------------- always, hidden

/// A pair that collides in some configuration, with all that a finding needs.
typedef struct pair_hits {
    const gz_lint_survey *survey;
    const char *a, *b;
    bool same_body; ///< no joint moves one against the other
    uint32_t hits, first;
    const gz_xml_element *disabled; ///< the rule that disables it, or NULL
} pair_hits;

/// The rule that disables a pair, by the names of its links; NULL for none.
static const gz_xml_element *disabling_rule(const gz_lint_context *c, const gz_lint_pairs *pairs,
                                            const char *a, const char *b) {
    int32_t i = gz_lint_find_link(c, a), k = gz_lint_find_link(c, b);
    const gz_lint_pair *found = gz_lint_pairs_find(pairs, i, k, false);
    return found ? found->element : NULL;
}

/// Calls `each` with every pair that collides in some configuration.
static void visit_pairs(gz_lint_context *c, void (*each)(gz_lint_context *, const pair_hits *)) {
    const gz_lint_survey *s = gz_lint_survey_get(c, true);
    if (!s || !s->hits || !s->sample_count) return;
    const gz_lint_pairs *pairs = gz_lint_pairs_get(c);
    int32_t links = (int32_t)graze_robot_link_count(s->robot);
    for (int32_t i = 0; pairs && i < links; i++) {
        for (int32_t k = i + 1; s->solid_of[i] >= 0 && k < links; k++) {
            if (s->solid_of[k] < 0) continue;
            size_t at = s->solids * (size_t)s->solid_of[i] + (size_t)s->solid_of[k];
            if (!s->hits[at]) continue;
            pair_hits m = {.survey = s,
                           .a = graze_robot_link_name(s->robot, i),
                           .b = graze_robot_link_name(s->robot, k),
                           .same_body = graze_robot_link_body(s->robot, i) ==
                                        graze_robot_link_body(s->robot, k),
                           .hits = s->hits[at],
                           .first = s->first[at]};
            m.disabled = disabling_rule(c, pairs, m.a, m.b);
            each(c, &m);
        }
    }
}

static void report_always(gz_lint_context *c, const pair_hits *m) {
    if (m->disabled || m->hits < m->survey->sample_count) return;
    int32_t link = gz_lint_find_link(c, m->a);
    gz_lint_place place = {.element = link >= 0 ? c->links[link].element : NULL, .link = m->a};
    place = gz_lint_measured(place, 1, 1, "");
    if (m->same_body)
        gz_lint_add(c, place,
                    "links '%.100s' and '%.100s' touch, and no joint moves one against the other; "
                    "usual: a rule that disables the pair",
                    m->a, m->b);
    else
        gz_lint_add(c, place,
                    "links '%.100s' and '%.100s' touch at rest and in all of %zu samples; usual: "
                    "apart somewhere, or a rule that disables the pair",
                    m->a, m->b, m->survey->sample_count - 1);
}

void gz_lint_check_always(gz_lint_context *c) {
    visit_pairs(c, report_always);
}

/// Marks in `moves` the numbers of q that move one of two links against the other: those that the
/// joints on the path between them take their values from; a mimic joint has its master's.
static void mark_between(const gz_lint_survey *s, int32_t a, int32_t b, uint8_t *moves) {
    const gz_link *links = s->robot->links;
    int32_t count = gz_motion_path(s->robot, NULL, links[a].body, links[b].body, s->path);
    for (int32_t i = 0; i < count; i++) {
        const gz_body *body = &s->robot->bodies[s->path[i].body];
        int32_t width = body->type == GRAZE_JOINT_PLANAR     ? 3
                        : body->type == GRAZE_JOINT_FLOATING ? 7
                                                             : 1;
        for (int32_t n = 0; body->column >= 0 && n < width; n++) moves[body->column + n] = 1;
    }
}

/// Writes the numbers of a configuration that move one link of the pair against the other, where
/// they are not those at rest, "elbow 1.5, lift 0.25": what does not fit is left out, for "...".
static void write_witness(const pair_hits *m, const double *rest, const double *q,
                          const uint8_t *moves, char text[400]) {
    const graze_robot *robot = m->survey->robot;
    size_t used = 0, size = 400;
    text[0] = '\0';
    for (size_t i = 0; i < graze_robot_q_size(robot); i++) {
        char entry[200];
        if (q[i] == rest[i] || !moves[i]) continue;
        int n = snprintf(entry, sizeof entry, "%s%.120s %.12g", used ? ", " : "",
                         graze_robot_q_name(robot, i), q[i]);
        bool fits = n > 0 && used + (size_t)n + 8 < size;
        snprintf(text + used, size - used, "%s", fits ? entry : ", ...");
        if (!fits) return;
        used += (size_t)n;
    }
}

/// Writes the first configuration in which the pair collides; false when out of memory.
static bool describe_witness(gz_lint_context *c, const pair_hits *m, char text[400]) {
    const gz_lint_survey *s = m->survey;
    size_t n = graze_robot_q_size(s->robot);
    double *q = gz_malloc(2 * n + 1, sizeof *q);
    uint8_t *moves = gz_calloc(n + 1, sizeof *moves);
    bool ok = q && moves;
    if (ok) {
        mark_between(s, graze_robot_find_link(s->robot, m->a),
                     graze_robot_find_link(s->robot, m->b), moves);
        gz_lint_survey_pose(s, c->options->seed, 0, q);
        gz_lint_survey_pose(s, c->options->seed, m->first, q + n);
        write_witness(m, q, q + n, moves, text);
    }
    c->out_of_memory |= !ok;
    gz_free(q);
    gz_free(moves);
    return ok;
}

static void report_hidden(gz_lint_context *c, const pair_hits *m) {
    const gz_lint_survey *s = m->survey;
    if (!m->disabled || m->hits == s->sample_count) return;
    char witness[400];
    if (!describe_witness(c, m, witness)) return;
    gz_lint_place place = {.srdf = true, .element = m->disabled, .link = m->a};
    double share = (double)m->hits / (double)s->sample_count;
    const char *reason = gz_xml_get(m->disabled, "reason");
    gz_lint_add(c, gz_lint_measured(place, share, 0, ""),
                "'%.80s' and '%.80s' are disabled (%.40s), and collide in %u of %zu "
                "configurations: %s%.380s",
                m->a, m->b, reason && *reason ? reason : "no reason", (unsigned)m->hits,
                s->sample_count, *witness ? "" : "at rest", witness);
}

void gz_lint_check_hidden(gz_lint_context *c) {
    if (c->srdf) visit_pairs(c, report_hidden);
}

// ------------------------------------------------------------------------------------ named states

/// Whether some number that the state names moves one link of the contact against the other; at
/// rest, where `named` is NULL, all count.
static bool concerns(const posing *p, const graze_contact *contact, const uint8_t *named,
                     uint8_t *moves) {
    size_t n = graze_robot_q_size(p->robot);
    if (!named) return true;
    memset(moves, 0, n);
    mark_between(p->survey, contact->link, contact->other, moves);
    for (size_t i = 0; i < n; i++)
        if (named[i] && moves[i]) return true;
    return false;
}

/// Checks p->q. @param element of the state in the SRDF, or NULL for the rest configuration
/// @param named per number of q whether the state names it, followed by room for as many marks
static void check_pose(posing *p, const gz_xml_element *element, uint8_t *named, const char *what) {
    enum { MOST_CONTACTS = 256 };
    graze_contact contacts[MOST_CONTACTS];
    graze_report report = {.contacts = contacts, .capacity = MOST_CONTACTS};
    size_t n = graze_robot_q_size(p->robot), count = 0, first = 0;
    if (graze_check(p->checker, p->workspace, GRAZE_ANSWER_ALL, p->q, n, NULL, &report, NULL) !=
        GRAZE_OK)
        return;
    for (size_t i = 0; i < report.count && i < MOST_CONTACTS; i++)
        if (concerns(p, &contacts[i], named, named ? named + n : NULL) && !count++) first = i;
    if (!count) return;
    const char *a = graze_contact_link_name(p->checker, &contacts[first]);
    const char *b = graze_contact_other_name(p->checker, &contacts[first]);
    gz_lint_place place = {.srdf = element != NULL, .element = element, .link = a};
    if (!element) place.element = gz_xml_root(p->context->urdf);
    char more[48] = "";
    if (count > 1)
        snprintf(more, sizeof more, ", and %zu pair%s more", count - 1, count > 2 ? "s" : "");
    gz_lint_add(p->context, gz_lint_measured(place, (double)count, 0, ""),
                "%s: '%.100s' and '%.100s' collide%s; allowed: none", what, a, b, more);
}

/// Marks the numbers of q that a state names.
static void mark_named(const graze_robot *robot, const gz_xml_element *state, uint8_t *named) {
    memset(named, 0, graze_robot_q_size(robot));
    for (const gz_xml_element *e = gz_xml_child(state, "joint"); e; e = gz_xml_next(e)) {
        const char *name = gz_xml_get(e, "name");
        graze_joint_info joint;
        if (!name ||
            graze_robot_joint(robot, graze_robot_find_joint(robot, name), &joint) != GRAZE_OK)
            continue;
        for (int32_t i = 0; i < joint.q_count; i++) named[joint.q_index + i] = 1;
    }
}

/// The state of that number, in file order; the loader leaves out those whose group is unknown.
static const gz_xml_element *state_element(const gz_lint_context *c, const char *name,
                                           const char *group) {
    const gz_xml_element *e = c->srdf ? gz_xml_child(gz_xml_root(c->srdf), "group_state") : NULL;
    for (; e; e = gz_xml_next(e)) {
        const char *own_name = gz_xml_get(e, "name"), *own_group = gz_xml_get(e, "group");
        if (own_name && own_group && strcmp(own_name, name) == 0 && strcmp(own_group, group) == 0)
            return e;
    }
    return NULL;
}

static void check_states(posing *p) {
    enum { MOST_STATES = 1000 };
    size_t count = graze_robot_state_count(p->robot);
    uint8_t *named = gz_calloc(2 * graze_robot_q_size(p->robot) + 1, sizeof *named);
    p->context->out_of_memory |= !named;
    for (size_t i = 0; named && i < count && i < MOST_STATES && !p->context->out_of_memory; i++) {
        const char *name, *group;
        // The rest configuration, with the joints that the state names where it wants them.
        graze_robot_rest(p->robot, p->q);
        if (graze_robot_state(p->robot, i, &name, &group) != GRAZE_OK ||
            graze_robot_apply_state(p->robot, group, name, p->q, NULL) != GRAZE_OK)
            continue;
        char what[280];
        snprintf(what, sizeof what, "state '%.100s' of group '%.100s'", name, group);
        const gz_xml_element *element = state_element(p->context, name, group);
        if (!element) continue;
        mark_named(p->robot, element, named);
        check_pose(p, element, named, what);
    }
    gz_free(named);
}

void gz_lint_check_named(gz_lint_context *c) {
    const gz_lint_survey *s = gz_lint_survey_get(c, false);
    if (!s || !s->robot) return;
    posing p = {.context = c, .survey = s, .robot = s->robot};
    if (begin_posing(&p, false)) {
        graze_robot_rest(p.robot, p.q);
        check_pose(&p, NULL, NULL, "at rest (0, or the nearest limit)");
        check_states(&p);
    }
    end_posing(&p);
}
