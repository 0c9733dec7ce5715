// The lines of a dump about links, objects, their geometry, and the pairs.
#include <math.h>
#include <string.h>

#include "verify/dump_reader.h"
#include "verify/verify_memory.h"

#define COUNT_MAX INT64_C(0x7ffffff0)

#define STEP GZ_DUMP_STEP

// ------------------------------------------------------------------------------------- geometry

static graze_status read_points(gz_dump_text *text, gz_dump_element *element, int64_t count,
                                const char *word) {
    for (int64_t i = 0; i < count; i++) {
        STEP(gz_dump_next(text, word));
        STEP(gz_dump_expect(text, word));
        STEP(gz_dump_grow(text, (void **)&element->points, &element->point_count,
                          &element->point_capacity, sizeof *element->points));
        STEP(gz_dump_numbers(text, element->points[element->point_count - 1], 3));
        STEP(gz_dump_end_line(text));
    }
    return GRAZE_OK;
}

static graze_status read_triangles(gz_dump_text *text, gz_dump_element *element, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        STEP(gz_dump_next(text, "t"));
        STEP(gz_dump_expect(text, "t"));
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

static graze_status read_radius(gz_dump_text *text, double *radius) {
    STEP(gz_dump_number(text, radius));
    if (*radius >= 0) return GRAZE_OK;
    return gz_dump_fail(text, GRAZE_ERROR_RANGE, "radius is %g; allowed: not negative", *radius);
}

/// A shape with its vertices. `alone`: it is the only one of its part.
static graze_status read_element(gz_dump_text *text, gz_dump_part *part, bool alone) {
    static const char *const shapes[] = {"box",      "mesh",   "sphere", "capsule",
                                         "cylinder", "points", NULL};
    int shape = 0;
    int64_t points = 2, triangles = 0;
    STEP(gz_dump_grow(text, (void **)&part->elements, &part->element_count, &part->element_capacity,
                      sizeof *part->elements));
    gz_dump_element *element = &part->elements[part->element_count - 1];
    STEP(gz_dump_next(text, "box, mesh, sphere, capsule, cylinder or points"));
    STEP(gz_dump_choice(text, shapes, &shape));
    element->shape = (gz_dump_shape)shape;
    switch (element->shape) {
    case GZ_DUMP_BOX:
    case GZ_DUMP_MESH:
        STEP(gz_dump_integer(text, 1, COUNT_MAX, &points));
        STEP(gz_dump_integer(text, 1, COUNT_MAX, &triangles));
        STEP(gz_dump_end_line(text));
        STEP(read_points(text, element, points, "v"));
        return read_triangles(text, element, triangles);
    case GZ_DUMP_POINTS:
        if (!part->is_object || !alone)
            return gz_dump_fail(text, GRAZE_ERROR_SCHEMA,
                                "points are the only shape of an object, never of a link");
        STEP(gz_dump_integer(text, 0, COUNT_MAX, &points));
        break;
    case GZ_DUMP_SPHERE:
    case GZ_DUMP_CAPSULE:
    case GZ_DUMP_CYLINDER:
        break;
    }
    STEP(read_radius(text, &element->radius));
    STEP(gz_dump_end_line(text));
    return read_points(text, element, points, "v");
}

// ---------------------------------------------------------------------------------------- parts

static graze_status read_part(gz_dump_text *text, gz_dump_scene *scene) {
    static const char *const kinds[] = {"link", "object", NULL};
    static const char *const policies[] = {"solid", "surface", "cap", NULL};
    int kind = 0, policy = 0;
    int64_t frame = -1, elements;
    STEP(gz_dump_grow(text, (void **)&scene->parts, &scene->part_count, &scene->part_capacity,
                      sizeof *scene->parts));
    gz_dump_part *part = &scene->parts[scene->part_count - 1];
    *part = (gz_dump_part){.frame = -1};
    STEP(gz_dump_next(text, "link or object"));
    // Links come first.
    bool objects = scene->link_count + 1 < scene->part_count;
    STEP(gz_dump_choice(text, objects ? kinds + 1 : kinds, &kind));
    part->is_object = objects || kind == 1;
    STEP(gz_dump_name(text, &part->name));
    STEP(gz_dump_choice(text, policies, &policy));
    part->policy = (gz_dump_policy)policy;
    if (part->is_object) {
        STEP(gz_dump_integer(text, 1, COUNT_MAX, &elements));
        STEP(gz_dump_numbers(text, part->pose, 12));
    } else {
        scene->link_count++;
        STEP(gz_dump_integer(text, 0, (int64_t)scene->frame_count - 1, &frame));
        part->pose_error = INFINITY;
        if (!gz_dump_accept(text, "unbounded")) STEP(gz_dump_number(text, &part->pose_error));
        // Below 0 it would be less than any epsilon, and its square as much as anybody likes.
        if (part->pose_error < 0)
            return gz_dump_fail(text, GRAZE_ERROR_RANGE, "pose_error is %g; allowed: not negative",
                                part->pose_error);
        STEP(gz_dump_integer(text, 1, COUNT_MAX, &elements));
    }
    part->frame = (int32_t)frame;
    STEP(gz_dump_end_line(text));
    for (int64_t i = 0; i < elements; i++) STEP(read_element(text, part, elements == 1));
    return GRAZE_OK;
}

graze_status gz_dump_read_parts(gz_dump_text *text, gz_dump_scene *scene) {
    int64_t count;
    STEP(gz_dump_next(text, "parts"));
    STEP(gz_dump_expect(text, "parts"));
    STEP(gz_dump_integer(text, 0, COUNT_MAX, &count));
    STEP(gz_dump_end_line(text));
    for (int64_t i = 0; i < count; i++) STEP(read_part(text, scene));
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
    if (pair->skipped) {
        STEP(gz_dump_name(text, &pair->reason));
    } else {
        STEP(gz_dump_number(text, &pair->margin));
        if (pair->margin < 0)
            return gz_dump_fail(text, GRAZE_ERROR_RANGE, "margin is %g; allowed: not negative",
                                pair->margin);
    }
    return gz_dump_end_line(text);
}

graze_status gz_dump_read_pairs(gz_dump_text *text, gz_dump_scene *scene) {
    size_t links = scene->link_count, parts = scene->part_count;
    STEP(gz_dump_next(text, "pairs"));
    STEP(gz_dump_expect(text, "pairs"));
    STEP(gz_dump_end_line(text));
    for (size_t a = 0; a < links; a++)
        for (size_t b = a + 1; b < links; b++) STEP(read_pair(text, scene, a, b));
    for (size_t a = 0; a < links; a++)
        for (size_t b = links; b < parts; b++) STEP(read_pair(text, scene, a, b));
    return GRAZE_OK;
}
