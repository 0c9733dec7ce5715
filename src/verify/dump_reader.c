#include "verify/dump_reader.h"

#include <string.h>

#include "verify/verify_memory.h"

#define COUNT_MAX INT64_C(0x7ffffff0)

#define STEP GZ_DUMP_STEP

void gz_dump_scene_free(gz_dump_scene *scene) {
    gz_verify_free(scene->robot);
    gz_verify_free(scene->version);
    for (size_t i = 0; i < scene->joint_count; i++) gz_verify_free(scene->joints[i].name);
    gz_verify_free(scene->joints);
    gz_verify_free(scene->frames);
    for (size_t i = 0; i < scene->part_count; i++) {
        gz_dump_part *part = &scene->parts[i];
        for (size_t k = 0; k < part->element_count; k++) {
            gz_verify_free(part->elements[k].points);
            gz_verify_free(part->elements[k].triangles);
        }
        gz_verify_free(part->elements);
        gz_verify_free(part->name);
    }
    gz_verify_free(scene->parts);
    for (size_t i = 0; i < scene->pair_count; i++) gz_verify_free(scene->pairs[i].reason);
    gz_verify_free(scene->pairs);
    *scene = (gz_dump_scene){0};
}

void gz_dump_configuration_free(gz_dump_configuration *configuration) {
    gz_verify_free(configuration->q);
    gz_verify_free(configuration->poses);
    gz_verify_free(configuration->message);
    gz_verify_free(configuration->contacts);
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

// ------------------------------------------------------------------------------------- the scene

static graze_status read_head(gz_dump_text *text, gz_dump_scene *scene) {
    static const char *const answers[] = {"first", "all", NULL};
    int64_t count;
    int answer = 0;
    STEP(begin(text, "graze-dump"));
    STEP(gz_dump_integer(text, 1, 1, &count));
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
    int64_t parent, child, column, mimic, links = (int64_t)scene->tree_size;
    int type = 0;
    STEP(begin(text, "joint"));
    STEP(gz_dump_grow(text, (void **)&scene->joints, &scene->joint_count, &scene->joint_capacity,
                      sizeof *scene->joints));
    gz_dump_joint *joint = &scene->joints[scene->joint_count - 1];
    STEP(gz_dump_name(text, &joint->name));
    STEP(gz_dump_choice(text, types, &type));
    STEP(gz_dump_integer(text, 0, links - 1, &parent));
    STEP(gz_dump_integer(text, 0, links - 1, &child));
    STEP(gz_dump_integer(text, -1, (int64_t)scene->q_size - columns[type], &column));
    STEP(gz_dump_integer(text, -1, COUNT_MAX, &mimic));
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
    joint->parent = (int32_t)parent;
    joint->child = (int32_t)child;
    joint->column = (int32_t)column;
    joint->mimic = (int32_t)mimic;
    return gz_dump_end_line(text);
}

static graze_status read_tree(gz_dump_text *text, gz_dump_scene *scene) {
    int64_t count, root;
    STEP(begin_count(text, "tree", 1, &count));
    STEP(gz_dump_integer(text, 0, count - 1, &root));
    STEP(gz_dump_end_line(text));
    scene->tree_size = (size_t)count;
    scene->root = (int32_t)root;
    STEP(begin_count(text, "joints", 0, &count));
    STEP(gz_dump_end_line(text));
    for (int64_t i = 0; i < count; i++) STEP(read_joint(text, scene));
    STEP(begin_count(text, "frames", 1, &count));
    STEP(gz_dump_end_line(text));
    for (int64_t i = 0; i < count; i++) {
        int64_t link;
        STEP(begin(text, "frame"));
        STEP(gz_dump_integer(text, i == 0 ? root : 0, i == 0 ? root : (int64_t)scene->tree_size - 1,
                             &link));
        STEP(gz_dump_end_line(text));
        STEP(gz_dump_grow(text, (void **)&scene->frames, &scene->frame_count,
                          &scene->frame_capacity, sizeof *scene->frames));
        scene->frames[i] = (int32_t)link;
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
    STEP(gz_dump_read_parts(text, scene));
    return gz_dump_read_pairs(text, scene);
}

// ------------------------------------------------------------------------------ a configuration

static graze_status read_contact(gz_dump_text *text, const gz_dump_scene *scene,
                                 gz_dump_configuration *c) {
    static const char *const ways[] = {"meets", "inside", NULL};
    int64_t part, other, element, other_element, most = (int64_t)scene->part_count - 1;
    int way = 0;
    STEP(begin(text, "contact"));
    STEP(gz_dump_grow(text, (void **)&c->contacts, &c->contact_count, &c->contact_capacity,
                      sizeof *c->contacts));
    gz_dump_contact *contact = &c->contacts[c->contact_count - 1];
    *contact = (gz_dump_contact){.part = -1, .other = -1};
    if (gz_dump_accept(text, "boundary")) return gz_dump_end_line(text);
    STEP(gz_dump_integer(text, 0, (int64_t)scene->link_count - 1, &part));
    STEP(gz_dump_integer(text, part + 1, most, &other));
    STEP(gz_dump_integer(text, 0, (int64_t)scene->parts[part].element_count - 1, &element));
    const gz_dump_part *far = &scene->parts[other];
    bool points = far->element_count == 1 && far->elements[0].shape == GZ_DUMP_POINTS;
    STEP(gz_dump_integer(text, 0,
                         (int64_t)(points ? far->elements[0].point_count : far->element_count) - 1,
                         &other_element));
    STEP(gz_dump_choice(text, ways, &way));
    // Whether there are so many triangles is for the replay to say: such a claim is refuted.
    STEP(gz_dump_integer(text, -1, COUNT_MAX, &contact->triangle));
    STEP(gz_dump_integer(text, -1, COUNT_MAX, &contact->other_triangle));
    contact->part = (int32_t)part;
    contact->other = (int32_t)other;
    contact->element = (int32_t)element;
    contact->other_element = (int32_t)other_element;
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
    STEP(gz_dump_end_line(text));
    c->index = (uint64_t)index;

    if (!gz_verify_reserve((void **)&c->q, &c->q_capacity, scene->q_size + 1, sizeof *c->q) ||
        !gz_verify_reserve((void **)&c->poses, &c->pose_capacity, scene->frame_count,
                           sizeof *c->poses))
        return gz_dump_no_memory(text);
    STEP(gz_dump_next(text, "q or unknown"));
    if (gz_dump_accept(text, "unknown")) {
        c->verdict = GZ_DUMP_UNKNOWN;
        STEP(gz_dump_name(text, &c->message));
        return gz_dump_end_line(text);
    }
    STEP(gz_dump_expect(text, "q"));
    STEP(gz_dump_numbers(text, c->q, scene->q_size));
    STEP(gz_dump_end_line(text));
    STEP(begin(text, "base"));
    STEP(gz_dump_numbers(text, c->base, 6));
    STEP(gz_dump_end_line(text));
    for (size_t i = 0; i < scene->frame_count; i++) {
        int64_t frame;
        STEP(begin(text, "pose"));
        STEP(gz_dump_integer(text, (int64_t)i, (int64_t)i, &frame));
        STEP(gz_dump_numbers(text, c->poses[i], 12));
        STEP(gz_dump_end_line(text));
    }
    return read_verdict(text, scene, c);
}
