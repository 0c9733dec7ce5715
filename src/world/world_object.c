// One object of a world: made, placed, moved, shared.

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/random.h"
#include "math/lanes.h"
#include "math/transform.h"
#include "mesh/cap.h"
#include "mesh/shape.h"
#include "world/world.h"

// ---------------------------------------------------------------------------------------- sharing

gz_object *gz_object_hold(const gz_object *object) {
    gz_kept_hold(&object->shared, object->keeper);
    return (gz_object *)(uintptr_t)object;
}

void gz_object_drop(gz_object *object) {
    if (!object || !gz_kept_drop(&object->shared, object->keeper)) return;
    // The source has none itself: this calls itself once.
    if (object->source)
        gz_object_drop(object->source);
    else
        gz_type_clear(&gz_type_object, object);
    gz_free(object);
}

// ------------------------------------------------------------------------------------------ poses

graze_status gz_object_check_pose(const graze_transform *pose, graze_error *error) {
    if (gz_transform_is_rigid(pose->m, GZ_RIGID_TOLERANCE)) return GRAZE_OK;
    for (int i = 0; i < 12; i++)
        if (!isfinite(pose->m[i]))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "pose has the entry %g in row %d, column %d; allowed: finite numbers",
                           pose->m[i], i / 4, i % 4);
    return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                   "pose is not rigid; allowed: a rotation up to 1e-9, without mirroring");
}

/// From the box of some points to that of balls around them: the sums are rounded to nearest, so
/// one step outward contains the true ones.
static void box_grow(graze_aabb *box, double radius) {
    double *low = GZ_ARRAY3(box->min), *high = GZ_ARRAY3(box->max);
    for (int k = 0; k < 3; k++) {
        low[k] = nextafter(low[k] - radius, -INFINITY);
        high[k] = nextafter(high[k] + radius, INFINITY);
    }
}

/// Rows of a pose, with one that fills up the lanes, and groups of lanes that hold them.
enum { ROWS = 4, GROUPS = ROWS / GZ_D_LANES };

/// The least and greatest coordinates of points in the world, before gz_snap() sets any to 0.
static void bound_points(const double *points, size_t count, const graze_transform *pose,
                         double least[ROWS], double greatest[ROWS]) {
    gz_d column[4][GROUPS], low[GROUPS], high[GROUPS];
    for (int j = 0; j < 4; j++) {
        const double rows[ROWS] = {pose->m[j], pose->m[4 + j], pose->m[8 + j], pose->m[j]};
        for (int k = 0; k < GROUPS; k++) column[j][k] = gz_d_load(rows + k * GZ_D_LANES);
    }
    for (int k = 0; k < GROUPS; k++) low[k] = gz_d_all(INFINITY), high[k] = gz_d_all(-INFINITY);
    for (const double *p = points; p < points + 3 * count; p += 3) {
        gz_d x = gz_d_all(p[0]), y = gz_d_all(p[1]), z = gz_d_all(p[2]);
        for (int k = 0; k < GROUPS; k++) {
            gz_d w = ((column[0][k] * x + column[1][k] * y) + column[2][k] * z) + column[3][k];
            low[k] = gz_d_min(w, low[k]);
            high[k] = gz_d_max(w, high[k]);
        }
    }
    for (int k = 0; k < GROUPS; k++) {
        gz_d_store(least + k * GZ_D_LANES, low[k]);
        gz_d_store(greatest + k * GZ_D_LANES, high[k]);
    }
}

/// Joins the least and greatest places of points to a box, which is checked against the range that
/// the exact tests need: no place is NaN, so the box has the farthest. The sums are gz_snap()'s,
/// and what it sets to 0 is set to 0 here, as that keeps the order of numbers.
static graze_status box_join(graze_aabb *box, const double low[3], const double high[3],
                             graze_error *error) {
    for (int k = 0; k < 3; k++) {
        double least = fabs(low[k]) < GZ_SNAP_MIN ? 0 : low[k];
        double greatest = fabs(high[k]) < GZ_SNAP_MIN ? 0 : high[k];
        double most = fabs(least) > fabs(greatest) ? least : greatest;
        if (!(fabs(most) <= GZ_COORDINATE_MAX))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "the object reaches to %c = %g in the world; allowed: magnitudes of at "
                           "most 2^20 m",
                           "xyz"[k], most);
        GZ_ARRAY3(box->min)[k] = fmin(GZ_ARRAY3(box->min)[k], least);
        GZ_ARRAY3(box->max)[k] = fmax(GZ_ARRAY3(box->max)[k], greatest);
    }
    return GRAZE_OK;
}

static graze_status box_join_points(graze_aabb *box, const double *points, size_t count,
                                    const graze_transform *pose, graze_error *error) {
    double low[ROWS], high[ROWS];
    if (count == 0) return GRAZE_OK;
    bound_points(points, count, pose, low, high);
    return box_join(box, low, high, error);
}

/// bound_points() of the corners of a box, which the vertices of a GRAZE_SHAPE_BOX are: products
/// and sums, as they are rounded, do not fall where one of their terms rises, so the least sum is
/// that of the least products.
static void bound_corners(const graze_aabb *corners, const graze_transform *pose, double least[3],
                          double greatest[3]) {
    const double *low = GZ_ARRAY3(corners->min), *high = GZ_ARRAY3(corners->max);
    for (int k = 0; k < 3; k++) {
        double most[3], lowest[3];
        for (int j = 0; j < 3; j++) {
            double a = pose->m[4 * k + j] * low[j], b = pose->m[4 * k + j] * high[j];
            lowest[j] = a < b ? a : b;
            most[j] = a < b ? b : a;
        }
        least[k] = ((lowest[0] + lowest[1]) + lowest[2]) + pose->m[4 * k + 3];
        greatest[k] = ((most[0] + most[1]) + most[2]) + pose->m[4 * k + 3];
    }
}

/// Of a mesh, with the apexes of its caps: these are in the box of the vertices, but where both are
/// snapped they may be outside of it by the rounding of the pose.
static graze_status box_of_mesh(const graze_mesh *mesh, const graze_transform *pose,
                                graze_aabb *box, graze_error *error) {
    GZ_TRY(box_join_points(box, mesh->vertices, mesh->vertex_count, pose, error));
    if (!mesh->caps) return GRAZE_OK;
    return box_join_points(box, mesh->caps->apexes, mesh->caps->apex_count, pose, error);
}

/// A shape's oriented box, posed as an affine map does: its axes become as skew as the pose
/// (GZ_OBJECT_SKEW, where it is used). Only what rounds is added here: 2^-46 of what turns, and
/// 2^-48 of the translation, as moving a point by x -> R x + t rounds each coordinate by 2^-51 of
/// |t|, for the box's centre and for the vertex in it; snapping sets to 0 what is below 2^-100. The
/// ends of an axis are off by no more, and the rims of a cylinder turn with it.
static graze_obb pose_box(const gz_object *object) {
    const double *m = object->pose.m;
    graze_obb box = object->shape.obb, out;
    gz_transform_apply(m, GZ_ARRAY3(box.center), GZ_ARRAY3(out.center));
    for (int k = 0; k < 3; k++)
        gz_transform_rotate(m, GZ_ARRAY3(box.axis[k]), GZ_ARRAY3(out.axis[k]));
    double radius = gz_norm(GZ_ARRAY3(box.center)) + gz_norm(GZ_ARRAY3(box.half));
    double grow = 0x1p-46 * radius + (0x1p-48 * (fabs(m[3]) + fabs(m[7]) + fabs(m[11])) + 0x1p-97);
    grow = gz_curved_error(&object->shape, grow, 2 * grow);
    out.half = (graze_vec3){box.half.x + grow, box.half.y + grow, box.half.z + grow};
    return out;
}

/// The box of a whole object in the world. A curved solid is made once more at its pose: its axis
/// then has the snapped ends, and its bounds are those of the solid that verdicts are about.
static graze_status place_box(gz_object *object, graze_error *error) {
    const graze_transform *pose = &object->pose;
    object->box = (graze_aabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    if (object->kind == GRAZE_SHAPE_POINTS) {
        GZ_TRY(box_join_points(&object->box, object->points, object->point_count, pose, error));
        if (object->radius > 0) box_grow(&object->box, object->radius);
        return GRAZE_OK;
    }
    const graze_mesh *mesh = object->shape.mesh;
    if (mesh && object->kind == GRAZE_SHAPE_BOX) {
        double low[3], high[3];
        bound_corners(&mesh->aabb, pose, low, high);
        return box_join(&object->box, low, high, error);
    }
    if (mesh) return box_of_mesh(mesh, pose, &object->box, error);
    gz_shape placed;
    GZ_TRY(gz_shape_curved(&placed, object->kind, object->radius, object->length, pose, error));
    object->box = placed.aabb;
    return GRAZE_OK;
}

// How far can a snapped point of the world be from its place in real arithmetic?

/// The objects' poses count as given, so only w = fl(R v + t) rounds: R v by GZ_APPLY_ERROR of |v|,
/// the last sum by half an ulp of the largest coordinate, in each of three. The poses are rigid up
/// to 1e-9, which 2^-20 holds with the rounding of this bound.
static double point_error(double span, double largest) {
    return (GZ_APPLY_ERROR * span + sqrt(3) * gz_half_ulp(largest)) * (1 + 0x1p-20) + GZ_SNAP_ERROR;
}

/// The largest magnitude of a coordinate of the placed object.
static double largest_coordinate(const gz_object *o) {
    const double *low = GZ_ARRAY3(o->box.min), *high = GZ_ARRAY3(o->box.max);
    double most = GZ_SNAP_MIN;
    for (int k = 0; k < 3; k++) most = fmax(most, fmax(fabs(low[k]), fabs(high[k])));
    return most;
}

/// gz_object.error.
GZ_OUT_OF_LINE static double object_error(const gz_object *o) {
    double largest = largest_coordinate(o);
    if (o->kind == GRAZE_SHAPE_POINTS) {
        // No span is kept of them: v = R^-1 (w - t) is no longer than w and t together.
        double shift[3] = {o->pose.m[3], o->pose.m[7], o->pose.m[11]};
        return point_error((sqrt(3) * largest + gz_norm(shift)) * (1 + 0x1p-20), largest);
    }
    if (o->shape.mesh) return point_error(gz_mesh_span(o->shape.mesh), largest);
    double span = fmax(gz_norm(o->shape.a), gz_norm(o->shape.b));
    double error = point_error(span, largest);
    return gz_curved_error(&o->shape, error, 2 * error);
}

graze_status gz_object_place(gz_object *object, graze_error *error) {
    GZ_TRY(place_box(object, error));
    if (object->kind != GRAZE_SHAPE_POINTS) object->posed = pose_box(object);
    object->error = object_error(object);
    return GRAZE_OK;
}

graze_transform gz_object_pose(const gz_object *object, const graze_transform *frame) {
    graze_transform out = *frame;
    if (!gz_transform_is_identity(&object->in_object))
        gz_transform_compose(frame->m, object->in_object.m, out.m);
    return out;
}

graze_transform gz_object_frame(const gz_object *object) {
    graze_transform out = object->pose, back;
    if (gz_transform_is_identity(&object->in_object)) return out;
    back = graze_transform_inverse(&object->in_object);
    gz_transform_compose(object->pose.m, back.m, out.m);
    return out;
}

graze_status gz_object_move(const gz_object *object, const graze_transform *pose, gz_object **out,
                            graze_error *error) {
    *out = NULL;
    gz_object *moved = gz_calloc(1, sizeof *moved);
    if (!moved) return gz_fail_memory(error);
    // All but who owns it, which stands last, and which other threads may be changing.
    memcpy(moved, object, offsetof(gz_object, source));
    moved->pose = *pose;
    graze_status status = gz_object_place(moved, error);
    if (status) {
        gz_free(moved);
        return status;
    }
    moved->source = gz_object_hold(object->source ? object->source : object);
    *out = moved;
    return GRAZE_OK;
}

// ----------------------------------------------------------------------------------------- making

uint64_t gz_object_hash(const char *name) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        hash = (hash ^ *p) * UINT64_C(0x100000001b3);
    return gz_random_mix(hash); // linear probing looks at the low bits alone
}

graze_status gz_object_make(const gz_object *fields, const char *name, const gz_origin *origin,
                            gz_object **out, graze_error *error) {
    static const gz_origin unknown = {0};
    if (!origin) origin = &unknown;
    gz_object made = *fields, *object = NULL;
    *out = NULL;
    graze_status status = gz_object_place(&made, error);
    if (status == GRAZE_OK) {
        for (int k = 0; k < 3; k++) made.scale[k] = origin->scale ? origin->scale[k] : 1;
        made.line = origin->line;
        made.element = origin->element;
        made.in_object = origin->in_object ? *origin->in_object : graze_transform_identity();
        made.name_hash = gz_object_hash(name);
        made.name = gz_string_copy(name);
        made.file = gz_string_copy(origin->file);
        made.uri = gz_string_copy(origin->uri);
        bool copied = made.name && (made.file || !origin->file) && (made.uri || !origin->uri);
        object = copied ? gz_malloc(1, sizeof *object) : NULL;
        if (!object) status = gz_fail_memory(error);
    }
    if (status) {
        gz_type_clear(&gz_type_object, &made);
        return status;
    }
    *object = made;
    *out = object;
    return GRAZE_OK;
}

bool gz_object_plane(const double normal[3], double offset, graze_transform *pose) {
    double z[3] = {normal[0], normal[1], normal[2]}, x[3], y[3], norm, length;
    const double most = gz_divide_by_largest(z, 3, &norm);
    if (!(most > 0) || !isfinite(most) || !isfinite(norm)) return false;
    for (int k = 0; k < 3; k++) z[k] /= norm;
    // The axis that is farthest from the normal, made normal to it, is x.
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(z[k]) < fabs(z[least])) least = k;
    double axis[3] = {0};
    axis[least] = 1;
    gz_cross(z, axis, y);
    length = gz_norm(y);
    for (int k = 0; k < 3; k++) y[k] /= length;
    gz_cross(y, z, x);
    double distance = offset / most / norm;
    for (int k = 0; k < 3; k++) {
        double *row = pose->m + 4 * k;
        row[0] = x[k], row[1] = y[k], row[2] = z[k], row[3] = distance * z[k];
    }
    return isfinite(distance);
}

graze_status gz_object_primitive(const char *name, graze_shape kind, const double size[3],
                                 double radius, double length, const graze_transform *pose,
                                 const gz_origin *origin, gz_object **out, graze_error *error) {
    *out = NULL;
    GZ_TRY(gz_shape_check(kind, size, radius, length, error));
    const graze_transform identity = graze_transform_identity();
    gz_object fields = {.kind = kind, .pose = pose ? *pose : identity};
    if (kind == GRAZE_SHAPE_BOX) memcpy(fields.size, size, sizeof fields.size);
    if (gz_shape_has_radius(kind)) fields.radius = radius;
    if (gz_shape_has_length(kind)) fields.length = length;
    GZ_TRY(gz_shape_primitive(&fields.shape, kind, fields.size, fields.radius, fields.length,
                              &identity, error));
    return gz_object_make(&fields, name, origin, out, error);
}

graze_status gz_object_triangles(const char *name, const gz_soup *soup, gz_soup *owned,
                                 const graze_transform *pose, const gz_origin *origin,
                                 gz_object **out, graze_error *error) {
    gz_object fields = {.kind = GRAZE_SHAPE_MESH,
                        .pose = pose ? *pose : graze_transform_identity(),
                        .file_triangle_count = soup->triangle_count + soup->skipped};
    graze_mesh *mesh;
    *out = NULL;
    GZ_TRY(owned ? gz_mesh_build_of(&mesh, owned, NULL, GZ_MESH_OBJECT, error)
                 : gz_mesh_build(&mesh, soup, NULL, false, GZ_MESH_OBJECT, error));
    gz_shape_mesh(&fields.shape, mesh);
    return gz_object_make(&fields, name, origin, out, error);
}

static graze_status check_points(const double *points, size_t count, double radius,
                                 graze_error *error) {
    if (!(radius > 0) || !(radius <= GZ_COORDINATE_MAX))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "radius is %g; allowed: above 0 and at most 2^20 m", radius);
    if (!count) return gz_fail(error, GRAZE_ERROR_MESH, "there is no point; allowed: at least one");
    if (count > INT32_MAX / 2)
        return gz_fail(error, GRAZE_ERROR_LIMIT, "there are %zu points; allowed: up to %d", count,
                       INT32_MAX / 2);
    for (size_t i = 0; i < 3 * count; i++)
        if (!(fabs(points[i]) <= GZ_COORDINATE_MAX))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "point %zu has the coordinate %g; allowed: finite, at most 2^20 m",
                           i / 3, points[i]);
    return GRAZE_OK;
}

graze_status gz_object_points(const char *name, double *points, size_t point_count, double radius,
                              const graze_transform *pose, const gz_origin *origin, gz_object **out,
                              graze_error *error) {
    *out = NULL;
    graze_status status = check_points(points, point_count, radius, error);
    gz_point_tree *tree = status ? NULL : gz_point_tree_build(points, point_count);
    if (!tree) {
        gz_free(points);
        return status ? status : gz_fail_memory(error);
    }
    const gz_object fields = {.kind = GRAZE_SHAPE_POINTS,
                              .points = points,
                              .tree = tree,
                              .point_count = point_count,
                              .radius = radius,
                              .pose = pose ? *pose : graze_transform_identity()};
    return gz_object_make(&fields, name, origin, out, error);
}

graze_status gz_object_points_copy(const char *name, const double *points, size_t point_count,
                                   double radius, const graze_transform *pose,
                                   const gz_origin *origin, gz_object **out, graze_error *error) {
    double *copy = gz_malloc(point_count, 3 * sizeof *copy);
    if (!copy) return gz_fail_memory(error);
    if (point_count) memcpy(copy, points, point_count * 3 * sizeof *copy);
    return gz_object_points(name, copy, point_count, radius, pose, origin, out, error);
}

// ---------------------------------------------------------------------------------------- extents

/// The longest distance of two points of its box.
static double size_of(const gz_object *object) {
    const graze_aabb *box = &object->box;
    double edge[3] = {box->max.x - box->min.x, box->max.y - box->min.y, box->max.z - box->min.z};
    return gz_norm(edge);
}

/// How far its frame is from the world's origin.
static double frame_of(const gz_object *object) {
    const double *m = object->pose.m, shift[3] = {m[3], m[7], m[11]};
    return gz_norm(shift);
}

static void take(double value, double *most, size_t *count) {
    if (*count == 0 || value > *most) {
        *most = value;
        *count = 0;
    }
    *count += value == *most;
}

void gz_extent_add(gz_extent *extent, const gz_object *object) {
    take(object->error, &extent->error, &extent->error_count);
    take(size_of(object), &extent->size, &extent->size_count);
    if (!gz_shape_is_unbounded(object->kind)) return;
    extent->unbounded_count++;
    take(frame_of(object), &extent->frame, &extent->frame_count);
}

bool gz_extent_remove(gz_extent *extent, const gz_object *object) {
    extent->error_count -= object->error == extent->error;
    extent->size_count -= size_of(object) == extent->size;
    bool unbounded = gz_shape_is_unbounded(object->kind);
    extent->unbounded_count -= unbounded;
    extent->frame_count -= unbounded && frame_of(object) == extent->frame;
    return extent->error_count > 0 && extent->size_count > 0 &&
           (extent->frame_count > 0 || !extent->unbounded_count);
}

double graze_world_pose_error(const graze_world *world) {
    GZ_FLOAT_ENVIRONMENT;
    if (!world) return 0;
    double most = world->extent.error;
    for (size_t i = 0; !world->committed && i < world->object_count; i++)
        most = fmax(most, world->objects[i]->error);
    return most;
}

/// An object of a mesh that is shared, where it has a proxy as those of objects have.
static graze_status share_mesh(const char *name, const graze_geometry *g,
                               const graze_transform *pose, const gz_origin *origin,
                               gz_object **out, graze_error *error) {
    gz_object fields = {
        .kind = GRAZE_SHAPE_MESH, .pose = *pose, .file_triangle_count = g->file_triangle_count};
    if (!fields.file_triangle_count) fields.file_triangle_count = g->mesh->triangle_count;
    graze_mesh *mesh;
    *out = NULL;
    GZ_TRY(gz_mesh_share(&mesh, g->mesh, GZ_MESH_OBJECT, error));
    gz_shape_mesh(&fields.shape, mesh);
    return gz_object_make(&fields, name, origin, out, error);
}

graze_status gz_object_of_geometry(const char *name, const graze_geometry *g,
                                   const graze_transform *pose, gz_object **out,
                                   graze_error *error) {
    bool scaled = g->scale[0] != 0 || g->scale[1] != 0 || g->scale[2] != 0;
    const gz_origin origin = {.file = g->file, .uri = g->uri, .scale = scaled ? g->scale : NULL};
    if (g->shape == GRAZE_SHAPE_POINTS) {
        if (!g->vertices && g->vertex_count)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT, "vertices is NULL");
        return gz_object_points_copy(name, g->vertices, g->vertex_count, g->radius, pose, &origin,
                                     out, error);
    }
    if (g->shape != GRAZE_SHAPE_MESH)
        return gz_object_primitive(name, g->shape, g->size, g->radius, g->length, pose, &origin,
                                   out, error);
    if (g->mesh) return share_mesh(name, g, pose, &origin, out, error);
    if (!g->vertices || !g->triangles)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "mesh, vertices and triangles are NULL; allowed: a mesh, or its arrays");
    // Read only: the soup borrows the caller's arrays.
    const gz_soup soup = {.vertices = (double *)(uintptr_t)g->vertices,
                          .vertex_count = g->vertex_count,
                          .triangles = (uint32_t *)(uintptr_t)g->triangles,
                          .triangle_count = g->triangle_count};
    return gz_object_triangles(name, &soup, NULL, pose, &origin, out, error);
}

graze_status gz_object_of_shape(const char *name, const graze_placed_shape *shape, size_t element,
                                const graze_transform *frame, gz_object **out, graze_error *error) {
    *out = NULL;
    if (!shape->geometry)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "'%s' has geometry NULL in shape %zu; allowed: a geometry", name, element);
    GZ_TRY(gz_object_check_pose(&shape->pose, error));
    const gz_object at = {.in_object = shape->pose};
    const graze_transform pose = gz_object_pose(&at, frame);
    GZ_TRY(gz_object_check_pose(&pose, error));
    GZ_TRY(gz_object_of_geometry(name, shape->geometry, &pose, out, error));
    (*out)->in_object = shape->pose;
    (*out)->element = (int32_t)element;
    return GRAZE_OK;
}
