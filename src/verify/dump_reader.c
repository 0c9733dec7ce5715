#include <math.h>
#include <string.h>

#include "verify/dump_reader.h"
#include "verify/verify_memory.h"

#define COUNT_MAX INT64_C(0x7ffffff0)

/// Returns the status of a failed step of the reading.
#define STEP(call)                                                                                 \
    do {                                                                                           \
        graze_status step_status = (call);                                                         \
        if (step_status != GRAZE_OK) return step_status;                                           \
    } while (0)

void gz_dump_scene_free(gz_dump_scene *scene) {
    gz_verify_free(scene->robot);
    gz_verify_free(scene->version);
    for (size_t i = 0; i < scene->joint_count; i++) gz_verify_free(scene->joints[i].name);
    gz_verify_free(scene->joints);
    gz_verify_free(scene->frames);
    for (size_t i = 0; i < scene->body_count; i++) {
        gz_dump_body *body = &scene->bodies[i];
        for (size_t k = 0; k < body->element_count; k++) {
            gz_verify_free(body->elements[k].points);
            gz_verify_free(body->elements[k].triangles);
        }
        gz_verify_free(body->elements);
        gz_verify_free(body->name);
    }
    gz_verify_free(scene->bodies);
    for (size_t i = 0; i < scene->pair_count; i++) gz_verify_free(scene->pairs[i].reason);
    gz_verify_free(scene->pairs);
    *scene = (gz_dump_scene){0};
}

void gz_dump_configuration_free(gz_dump_configuration *configuration) {
    gz_verify_free(configuration->q);
    gz_verify_free(configuration->poses);
    gz_verify_free(configuration->message);
    gz_verify_free(configuration->contacts);
    gz_verify_free(configuration->motion.to);
    *configuration = (gz_dump_configuration){0};
}

/// Begins a line with its keyword.
static graze_status begin(gz_dump_text *text, const char *word) {
    STEP(gz_dump_next(text, word));
    return gz_dump_expect(text, word);
}

static graze_status begin_count(gz_dump_text *text, const char *word, int64_t least,
                                int64_t *count) {
    STEP(begin(text, word));
    return gz_dump_integer(text, least, COUNT_MAX, count);
}

static graze_status read_index(gz_dump_text *text, int64_t least, int64_t most, int32_t *index) {
    int64_t value;
    STEP(gz_dump_integer(text, least, most, &value));
    *index = (int32_t)value;
    return GRAZE_OK;
}

/// Reads a length in metres: below 0 its square would be as large as anybody likes.
static graze_status read_length(gz_dump_text *text, const char *what, double *length) {
    STEP(gz_dump_number(text, length));
    if (*length >= 0) return GRAZE_OK;
    return gz_dump_fail(text, GRAZE_ERROR_RANGE, "%s is %g; allowed: not negative", what, *length);
}

// ------------------------------------------------------------------------------------- geometry

static graze_status read_points(gz_dump_text *text, gz_dump_element *element, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        STEP(begin(text, "v"));
        STEP(gz_dump_grow(text, (void **)&element->points, &element->point_count,
                          &element->point_capacity, sizeof *element->points));
        STEP(gz_dump_numbers(text, element->points[element->point_count - 1], 3));
        STEP(gz_dump_end_line(text));
    }
    return GRAZE_OK;
}

static graze_status read_triangles(gz_dump_text *text, gz_dump_element *element, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        STEP(begin(text, "t"));
        STEP(gz_dump_grow(text, (void **)&element->triangles, &element->triangle_count,
                          &element->triangle_capacity, sizeof *element->triangles));
        uint32_t *corners = element->triangles[element->triangle_count - 1];
        for (int k = 0; k < 3; k++) {
            int64_t corner;
            STEP(gz_dump_integer(text, 0, (int64_t)element->point_count - 1, &corner));
            corners[k] = (uint32_t)corner;
        }
        STEP(gz_dump_end_line(text));
    }
    return GRAZE_OK;
}

/// A shape with its vertices. `alone`: it is the only one of its body.
static graze_status read_element(gz_dump_text *text, gz_dump_body *body, bool alone) {
    // Those behind the points are solids of triangles, as boxes are.
    static const char *const shapes[] = {"box",    "mesh", "sphere",    "capsule", "cylinder",
                                         "points", "cone", "halfspace", "plane",   NULL};
    int shape = 0;
    int64_t points = 2, triangles = 0;
    STEP(gz_dump_grow(text, (void **)&body->elements, &body->element_count, &body->element_capacity,
                      sizeof *body->elements));
    gz_dump_element *element = &body->elements[body->element_count - 1];
    STEP(gz_dump_next(text, "box, mesh, sphere, capsule, cylinder, points, cone, halfspace or "
                            "plane"));
    STEP(gz_dump_choice(text, shapes, &shape));
    element->shape = shape > GZ_DUMP_POINTS ? GZ_DUMP_BOX : (gz_dump_shape)shape;
    switch (element->shape) {
    case GZ_DUMP_BOX:
    case GZ_DUMP_MESH:
        STEP(gz_dump_integer(text, 1, COUNT_MAX, &points));
        STEP(gz_dump_integer(text, 1, COUNT_MAX, &triangles));
        STEP(gz_dump_end_line(text));
        STEP(read_points(text, element, points));
        return read_triangles(text, element, triangles);
    case GZ_DUMP_POINTS:
        if (!body->is_object || !alone)
            return gz_dump_fail(text, GRAZE_ERROR_SCHEMA,
                                "points are the only shape of an object, never of a link");
        STEP(gz_dump_integer(text, 0, COUNT_MAX, &points));
        break;
    case GZ_DUMP_SPHERE:
    case GZ_DUMP_CAPSULE:
    case GZ_DUMP_CYLINDER:
        break;
    }
    STEP(read_length(text, "radius", &element->radius));
    STEP(gz_dump_end_line(text));
    return read_points(text, element, points);
}

// ---------------------------------------------------------------------------------------- bodies

static graze_status read_body(gz_dump_text *text, gz_dump_scene *scene) {
    static const char *const kinds[] = {"link", "object", NULL};
    static const char *const policies[] = {"solid", "surface", "cap", NULL};
    int kind = 0, policy = 0;
    int64_t elements;
    STEP(gz_dump_grow(text, (void **)&scene->bodies, &scene->body_count, &scene->body_capacity,
                      sizeof *scene->bodies));
    gz_dump_body *body = &scene->bodies[scene->body_count - 1];
    *body = (gz_dump_body){.frame = -1};
    STEP(gz_dump_next(text, "link or object"));
    // Links come first.
    bool objects = scene->link_count + 1 < scene->body_count;
    STEP(gz_dump_choice(text, objects ? kinds + 1 : kinds, &kind));
    body->is_object = objects || kind == 1;
    STEP(gz_dump_name(text, &body->name));
    STEP(gz_dump_choice(text, policies, &policy));
    body->policy = (gz_dump_policy)policy;
    if (body->is_object) {
        STEP(gz_dump_integer(text, 1, COUNT_MAX, &elements));
        STEP(gz_dump_numbers(text, body->pose, 12));
        body->moves = scene->timed && gz_dump_accept(text, "moves");
        if (body->moves) {
            STEP(gz_dump_number(text, &body->begin));
            STEP(gz_dump_numbers(text, body->velocity, 3));
        }
    } else {
        scene->link_count++;
        STEP(read_index(text, 0, (int64_t)scene->frame_count - 1, &body->frame));
        body->pose_error = INFINITY;
        if (!gz_dump_accept(text, "unbounded"))
            STEP(read_length(text, "pose_error", &body->pose_error));
        STEP(gz_dump_integer(text, 1, COUNT_MAX, &elements));
    }
    STEP(gz_dump_end_line(text));
    for (int64_t i = 0; i < elements; i++) STEP(read_element(text, body, elements == 1));
    return GRAZE_OK;
}

static graze_status read_bodies(gz_dump_text *text, gz_dump_scene *scene) {
    int64_t count;
    STEP(begin_count(text, "parts", 0, &count));
    STEP(gz_dump_end_line(text));
    for (int64_t i = 0; i < count; i++) STEP(read_body(text, scene));
    return GRAZE_OK;
}

// ---------------------------------------------------------------------------------------- pairs

/// One line about one pair: a dump accounts for every pair, so that none can be missing unseen.
static graze_status read_pair(gz_dump_text *text, gz_dump_scene *scene, size_t a, size_t b) {
    static const char *const words[] = {"pair", "skip", NULL};
    int word = 0;
    int64_t index;
    STEP(gz_dump_grow(text, (void **)&scene->pairs, &scene->pair_count, &scene->pair_capacity,
                      sizeof *scene->pairs));
    gz_dump_pair *pair = &scene->pairs[scene->pair_count - 1];
    *pair = (gz_dump_pair){.a = (int32_t)a, .b = (int32_t)b};
    STEP(gz_dump_next(text, "pair or skip"));
    STEP(gz_dump_choice(text, words, &word));
    STEP(gz_dump_integer(text, (int64_t)a, (int64_t)a, &index));
    STEP(gz_dump_integer(text, (int64_t)b, (int64_t)b, &index));
    pair->skipped = word == 1;
    STEP(pair->skipped ? gz_dump_name(text, &pair->reason)
                       : read_length(text, "margin", &pair->margin));
    return gz_dump_end_line(text);
}

static graze_status read_pairs(gz_dump_text *text, gz_dump_scene *scene) {
    size_t links = scene->link_count, bodies = scene->body_count;
    STEP(begin(text, "pairs"));
    STEP(gz_dump_end_line(text));
    for (size_t a = 0; a < links; a++)
        for (size_t b = a + 1; b < links; b++) STEP(read_pair(text, scene, a, b));
    for (size_t a = 0; a < links; a++)
        for (size_t b = links; b < bodies; b++) STEP(read_pair(text, scene, a, b));
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------- the scene

static graze_status read_head(gz_dump_text *text, gz_dump_scene *scene) {
    static const char *const answers[] = {"first", "all", NULL};
    int64_t count;
    int answer = 0;
    STEP(begin(text, "graze-dump"));
    STEP(gz_dump_integer(text, 1, 2, &count));
    scene->timed = count == 2;
    STEP(gz_dump_end_line(text));
    STEP(begin(text, "version"));
    STEP(gz_dump_name(text, &scene->version));
    STEP(gz_dump_end_line(text));
    STEP(begin(text, "robot"));
    STEP(gz_dump_name(text, &scene->robot));
    STEP(gz_dump_end_line(text));
    STEP(begin(text, "answer"));
    STEP(gz_dump_choice(text, answers, &answer));
    scene->all = answer == 1;
    STEP(gz_dump_end_line(text));
    STEP(begin(text, "epsilon"));
    STEP(gz_dump_number(text, &scene->epsilon));
    // The contract's epsilon is a nanometre, more only where a caller has widened its domain: a
    // dump that claims more than a tenth of a millimetre claims nothing.
    if (!(scene->epsilon >= 0 && scene->epsilon <= 1e-4))
        return gz_dump_fail(text, GRAZE_ERROR_RANGE,
                            "epsilon is %g; allowed: at least 0, at most 1e-4", scene->epsilon);
    STEP(gz_dump_end_line(text));
    STEP(begin(text, "domain"));
    STEP(gz_dump_number(text, &scene->domain));
    STEP(gz_dump_end_line(text));
    STEP(begin_count(text, "q", 0, &count));
    scene->q_size = (size_t)count;
    return gz_dump_end_line(text);
}

static graze_status read_joint(gz_dump_text *text, gz_dump_scene *scene) {
    static const char *const types[] = {"fixed",  "revolute", "continuous", "prismatic",
                                        "planar", "floating", NULL};
    static const int64_t columns[] = {0, 1, 1, 1, 3, 7};
    int64_t links = (int64_t)scene->tree_size;
    int type = 0;
    STEP(begin(text, "joint"));
    STEP(gz_dump_grow(text, (void **)&scene->joints, &scene->joint_count, &scene->joint_capacity,
                      sizeof *scene->joints));
    gz_dump_joint *joint = &scene->joints[scene->joint_count - 1];
    STEP(gz_dump_name(text, &joint->name));
    STEP(gz_dump_choice(text, types, &type));
    STEP(read_index(text, 0, links - 1, &joint->parent));
    STEP(read_index(text, 0, links - 1, &joint->child));
    STEP(read_index(text, -1, (int64_t)scene->q_size - columns[type], &joint->column));
    STEP(read_index(text, -1, COUNT_MAX, &joint->mimic));
    STEP(gz_dump_number(text, &joint->multiplier));
    STEP(gz_dump_number(text, &joint->offset));
    STEP(gz_dump_numbers(text, joint->axis, 3));
    STEP(gz_dump_numbers(text, joint->origin, 12));
    joint->limited = gz_dump_accept(text, "limits");
    if (joint->limited) {
        STEP(gz_dump_number(text, &joint->lower));
        STEP(gz_dump_number(text, &joint->upper));
    }
    joint->type = (gz_dump_joint_type)type;
    return gz_dump_end_line(text);
}

static graze_status read_tree(gz_dump_text *text, gz_dump_scene *scene) {
    int64_t count;
    STEP(begin_count(text, "tree", 1, &count));
    STEP(read_index(text, 0, count - 1, &scene->root));
    STEP(gz_dump_end_line(text));
    scene->tree_size = (size_t)count;
    STEP(begin_count(text, "joints", 0, &count));
    STEP(gz_dump_end_line(text));
    for (int64_t i = 0; i < count; i++) STEP(read_joint(text, scene));
    STEP(begin_count(text, "frames", 1, &count));
    STEP(gz_dump_end_line(text));
    for (int64_t i = 0; i < count; i++) {
        int64_t least = i == 0 ? scene->root : 0;
        int64_t most = i == 0 ? scene->root : (int64_t)scene->tree_size - 1;
        STEP(begin(text, "frame"));
        STEP(gz_dump_grow(text, (void **)&scene->frames, &scene->frame_count,
                          &scene->frame_capacity, sizeof *scene->frames));
        STEP(read_index(text, least, most, &scene->frames[i]));
        STEP(gz_dump_end_line(text));
    }
    return GRAZE_OK;
}

static graze_status read_boundary(gz_dump_text *text, gz_dump_scene *scene) {
    STEP(begin(text, "boundary"));
    if (!gz_dump_accept(text, "none")) {
        scene->has_boundary = true;
        STEP(gz_dump_numbers(text, scene->boundary_min, 3));
        STEP(gz_dump_numbers(text, scene->boundary_max, 3));
    }
    return gz_dump_end_line(text);
}

graze_status gz_dump_read_scene(gz_dump_text *text, gz_dump_scene *scene) {
    STEP(read_head(text, scene));
    STEP(read_tree(text, scene));
    STEP(read_boundary(text, scene));
    STEP(read_bodies(text, scene));
    return read_pairs(text, scene);
}

// ------------------------------------------------------------------------------ a configuration

static graze_status read_contact(gz_dump_text *text, const gz_dump_scene *scene,
                                 gz_dump_configuration *c) {
    static const char *const ways[] = {"meets", "inside", NULL};
    int64_t most = (int64_t)scene->body_count - 1;
    int way = 0;
    STEP(begin(text, "contact"));
    STEP(gz_dump_grow(text, (void **)&c->contacts, &c->contact_count, &c->contact_capacity,
                      sizeof *c->contacts));
    gz_dump_contact *contact = &c->contacts[c->contact_count - 1];
    *contact = (gz_dump_contact){.body = -1, .other = -1};
    if (gz_dump_accept(text, "boundary")) return gz_dump_end_line(text);
    STEP(read_index(text, 0, (int64_t)scene->link_count - 1, &contact->body));
    STEP(read_index(text, contact->body + 1, most, &contact->other));
    const gz_dump_body *near = &scene->bodies[contact->body], *far = &scene->bodies[contact->other];
    STEP(read_index(text, 0, (int64_t)near->element_count - 1, &contact->element));
    bool points = far->element_count == 1 && far->elements[0].shape == GZ_DUMP_POINTS;
    most = (int64_t)(points ? far->elements[0].point_count : far->element_count) - 1;
    STEP(read_index(text, 0, most, &contact->other_element));
    STEP(gz_dump_choice(text, ways, &way));
    // Whether there are so many triangles is for the replay to say: such a claim is refuted.
    STEP(gz_dump_integer(text, -1, COUNT_MAX, &contact->triangle));
    STEP(gz_dump_integer(text, -1, COUNT_MAX, &contact->other_triangle));
    contact->inside = way == 1;
    contact->has_corners = gz_dump_accept(text, "corners");
    if (contact->has_corners) STEP(gz_dump_numbers(text, contact->corners[0], 18));
    return gz_dump_end_line(text);
}

static graze_status read_verdict(gz_dump_text *text, const gz_dump_scene *scene,
                                 gz_dump_configuration *c) {
    static const char *const verdicts[] = {"free", "collision", NULL};
    int verdict = 0;
    int64_t count = 0;
    STEP(begin(text, "verdict"));
    STEP(gz_dump_choice(text, verdicts, &verdict));
    c->verdict = (gz_dump_verdict)verdict;
    if (c->verdict == GZ_DUMP_COLLISION)
        STEP(gz_dump_integer(text, 1, scene->all ? COUNT_MAX : 1, &count));
    STEP(gz_dump_end_line(text));
    for (int64_t i = 0; i < count; i++) STEP(read_contact(text, scene, c));
    return GRAZE_OK;
}

/// A place on a motion, from `least` to 1.
static graze_status read_place(gz_dump_text *text, double least, double *t) {
    STEP(gz_dump_number(text, t));
    if (*t >= least && *t <= 1) return GRAZE_OK;
    return gz_dump_fail(text, GRAZE_ERROR_RANGE, "t is %g; allowed: %g to 1", *t, least);
}

/// The kind of a motion: straight, or a curve of some degree between two times.
static graze_status read_kind(gz_dump_text *text, gz_dump_motion *m) {
    static const char *const turns[] = {"shorter", "as-given", NULL};
    int turn = 0;
    int64_t degree = 1;
    STEP(gz_dump_next(text, "straight or curve"));
    m->is_curve = gz_dump_accept(text, "curve");
    if (m->is_curve) {
        STEP(gz_dump_integer(text, 1, GZ_DUMP_DEGREE_MAX, &degree));
        STEP(gz_dump_numbers(text, m->times, 2));
        if (!(m->times[0] < m->times[1]))
            return gz_dump_fail(text, GRAZE_ERROR_RANGE, "it ends at %g s; allowed: later than %g",
                                m->times[1], m->times[0]);
    } else {
        STEP(gz_dump_expect(text, "straight"));
        STEP(gz_dump_choice(text, turns, &turn));
    }
    m->degree = (int32_t)degree;
    m->shorter = !m->is_curve && turn == 0;
    return gz_dump_end_line(text);
}

static graze_status read_motion(gz_dump_text *text, const gz_dump_scene *scene, gz_dump_motion *m) {
    static const char *const verdicts[] = {"free", "collision", "undecided", NULL};
    int verdict = 0;
    STEP(read_kind(text, m));
    if (!gz_verify_reserve((void **)&m->to, &m->to_capacity, (size_t)m->degree * scene->q_size + 1,
                           sizeof *m->to))
        return gz_dump_no_memory(text);
    for (size_t i = 0; i < (size_t)m->degree; i++) {
        STEP(begin(text, "to"));
        STEP(gz_dump_numbers(text, m->to + i * scene->q_size, scene->q_size));
        STEP(gz_dump_end_line(text));
        STEP(begin(text, "to-base"));
        STEP(gz_dump_numbers(text, m->to_base + i * 6, 6));
        STEP(gz_dump_end_line(text));
    }
    STEP(begin(text, "motion"));
    STEP(gz_dump_choice(text, verdicts, &verdict));
    m->verdict = (gz_dump_motion_verdict)verdict;
    m->earliest = m->latest = 1;
    if (m->verdict != GZ_DUMP_MOTION_FREE) {
        STEP(read_place(text, 0, &m->earliest));
        STEP(read_place(text, m->earliest, &m->latest));
    }
    return gz_dump_end_line(text);
}

static graze_status read_end(gz_dump_text *text, uint64_t count) {
    int64_t promised;
    STEP(gz_dump_integer(text, 0, COUNT_MAX * COUNT_MAX, &promised));
    if ((uint64_t)promised != count)
        return gz_dump_fail(text, GRAZE_ERROR_PARSE,
                            "the file promises %lld configurations and holds %llu",
                            (long long)promised, (unsigned long long)count);
    STEP(gz_dump_end_line(text));
    bool at_end;
    STEP(gz_dump_at_end(text, &at_end));
    if (at_end) return GRAZE_OK;
    return gz_dump_fail(text, GRAZE_ERROR_PARSE, "something follows; allowed: the end of the file");
}

graze_status gz_dump_read_configuration(gz_dump_text *text, const gz_dump_scene *scene,
                                        uint64_t count, gz_dump_configuration *c, bool *end) {
    gz_verify_free(c->message);
    c->message = NULL;
    c->contact_count = 0;
    c->has_motion = false;
    *end = false;
    STEP(gz_dump_next(text, "configuration or end"));
    if (gz_dump_accept(text, "end")) {
        *end = true;
        return read_end(text, count);
    }
    int64_t index;
    c->line = text->number;
    STEP(gz_dump_expect(text, "configuration"));
    STEP(gz_dump_integer(text, 0, COUNT_MAX * COUNT_MAX, &index));
    c->has_motion = gz_dump_accept(text, "motion");
    STEP(gz_dump_end_line(text));
    c->index = (uint64_t)index;

    if (!gz_verify_reserve((void **)&c->q, &c->q_capacity, scene->q_size + 1, sizeof *c->q) ||
        !gz_verify_reserve((void **)&c->poses, &c->pose_capacity, scene->frame_count,
                           sizeof *c->poses))
        return gz_dump_no_memory(text);
    STEP(gz_dump_next(text, "q or unknown"));
    if (gz_dump_accept(text, "unknown")) {
        c->verdict = GZ_DUMP_UNKNOWN;
        c->has_motion = false;
        STEP(gz_dump_name(text, &c->message));
        return gz_dump_end_line(text);
    }
    STEP(gz_dump_expect(text, "q"));
    STEP(gz_dump_numbers(text, c->q, scene->q_size));
    STEP(gz_dump_end_line(text));
    STEP(begin(text, "base"));
    STEP(gz_dump_numbers(text, c->base, 6));
    STEP(gz_dump_end_line(text));
    c->time = 0;
    if (scene->timed) {
        STEP(begin(text, "time"));
        STEP(gz_dump_number(text, &c->time));
        STEP(gz_dump_end_line(text));
    }
    for (size_t i = 0; i < scene->frame_count; i++) {
        int64_t frame;
        STEP(begin(text, "pose"));
        STEP(gz_dump_integer(text, (int64_t)i, (int64_t)i, &frame));
        STEP(gz_dump_numbers(text, c->poses[i], 12));
        STEP(gz_dump_end_line(text));
    }
    STEP(read_verdict(text, scene, c));
    return c->has_motion ? read_motion(text, scene, &c->motion) : GRAZE_OK;
}
