#include <string.h>

#include "base/memory.h"
#include "load/world/world_file.h"

/// A robot at rest, and the count of geometries that its links have had so far.
typedef struct scenery {
    graze_robot *robot;
    double *q;
    graze_transform *links;
    int32_t *parts; ///< per link
} scenery;

static graze_status pose_at_rest(scenery *s, gz_world_load *load) {
    size_t q_count = graze_robot_q_size(s->robot);
    size_t links = (size_t)graze_robot_link_count(s->robot);
    s->q = gz_calloc(q_count, sizeof *s->q);
    s->links = gz_calloc(links, sizeof *s->links);
    s->parts = gz_calloc(links, sizeof *s->parts);
    if (!s->q || !s->links || !s->parts) return gz_fail_memory(load->error);
    graze_robot_rest(s->robot, s->q);
    if (q_count)
        gz_warn(&load->warnings, "urdf-has-joints", (gz_place){.file = load->path},
                "the scenery has joints that move; it stands still, as at rest (0, clipped into "
                "the limits)");
    return graze_robot_pose(s->robot, s->q, q_count, NULL, s->links, load->error);
}

/// A mesh comes from the robot in the frame of its rigid body, whose pose then places it here.
static graze_status add_mesh(gz_world_load *load, const char *name, const graze_geometry *geometry,
                             const graze_transform *body) {
    gz_soup *soup = gz_soup_create();
    if (!soup || !gz_soup_reserve(soup, geometry->vertex_count, geometry->triangle_count)) {
        gz_soup_free(soup);
        return gz_fail_memory(load->error);
    }
    soup->vertex_count = geometry->vertex_count;
    soup->triangle_count = geometry->triangle_count;
    memcpy(soup->vertices, geometry->vertices, soup->vertex_count * 3 * sizeof *soup->vertices);
    memcpy(soup->triangles, geometry->triangles,
           soup->triangle_count * 3 * sizeof *soup->triangles);
    soup->skipped = geometry->file_triangle_count > soup->triangle_count
                        ? geometry->file_triangle_count - soup->triangle_count
                        : 0;
    const gz_origin origin = {geometry->file, geometry->uri, geometry->scale, geometry->line};
    return gz_world_add_soup(load->world, name, soup, body, &origin, load->error);
}

static graze_status add_geometry(scenery *s, gz_world_load *load, const graze_geometry *geometry) {
    gz_place place = {.file = load->path, .line = geometry->line};
    graze_status status = gz_world_load_count(load, place);
    if (status) return status;
    const char *link = graze_robot_link_name(s->robot, geometry->owner);
    int32_t part = ++s->parts[geometry->owner];
    char *name = part == 1 ? gz_string_copy(link) : gz_string_format("%s/%d", link, part);
    if (!name) return gz_fail_memory(load->error);
    if (geometry->shape == GRAZE_SHAPE_MESH) {
        status = add_mesh(load, name, geometry, &s->links[geometry->frame]);
    } else {
        const gz_origin origin = {.line = geometry->line};
        graze_transform pose = graze_transform_multiply(&s->links[geometry->owner],
                                                        &geometry->origin);
        status = gz_world_add_primitive(load->world, name, geometry->shape, geometry->size,
                                        geometry->radius, geometry->length, &pose, &origin,
                                        load->error);
    }
    gz_free(name);
    if (status) gz_error_locate(load->error, place);
    return status;
}

static graze_status add_all(scenery *s, gz_world_load *load) {
    graze_status status = pose_at_rest(s, load);
    size_t count = graze_robot_collision_count(s->robot);
    if (!status && count == 0)
        return gz_fail_at(load->error, GRAZE_ERROR_SCHEMA, (gz_place){.file = load->path},
                          "no link has collision geometry; allowed: a URDF with at least one "
                          "<collision>, or use_visual");
    for (size_t i = 0; i < count && !status; i++) {
        graze_geometry geometry;
        status = graze_robot_collision(s->robot, i, &geometry);
        if (!status) status = add_geometry(s, load, &geometry);
    }
    for (size_t i = 0; i < graze_robot_warning_count(s->robot) && !status; i++) {
        graze_warning w = graze_robot_warning(s->robot, i);
        gz_warn(&load->warnings, w.code, (gz_place){w.file, w.element, w.line, w.column}, "%s",
                w.message);
    }
    return status;
}

graze_status gz_world_load_urdf(gz_world_load *load) {
    // An SRDF belongs to the robot that moves, not to the scenery around it; looks are of no use.
    graze_load_options options = *load->options;
    options.srdf = NULL;
    options.visuals = GRAZE_VISUALS_SKIP;
    scenery s = {0};
    graze_status status = graze_robot_load_urdf(&s.robot, load->path, &options, load->error);
    if (status) return status;
    status = add_all(&s, load);
    gz_free(s.q);
    gz_free(s.links);
    gz_free(s.parts);
    graze_robot_free(s.robot);
    return status;
}
