#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "load/document/document.h"
#include "load/world/world_file.h"

// ------------------------------------------------------------------------------------ frame tree

/// A frame that the file places in another one.
typedef struct scene_frame {
    const char *name;
    const char *parent;    ///< the frame that `pose` is in; NULL: the world
    const gz_value *value; ///< where the file places it
    graze_transform pose, in_world;
    int32_t up; ///< index of the parent; -1: the world
} scene_frame;

/// Names are the document's.
typedef struct frame_tree {
    scene_frame *frames;
    size_t count, capacity;
    const char *world; ///< a frame that nothing places, so that it is the world's; or NULL
} frame_tree;

/// Adds a frame. Returns false when out of memory.
static bool add_frame(frame_tree *tree, const scene_frame *frame) {
    if (!GZ_RESERVE(tree->frames, tree->capacity, tree->count + 1)) return false;
    tree->frames[tree->count++] = *frame;
    return true;
}

/// The frame of that name, or NULL.
static const scene_frame *frame_of_name(const frame_tree *tree, const char *name) {
    for (size_t i = 0; i < tree->count; i++)
        if (strcmp(tree->frames[i].name, name) == 0) return &tree->frames[i];
    return NULL;
}

static bool is_in_itself(const scene_frame *f) {
    return f->parent && strcmp(f->parent, f->name) == 0;
}

/// MoveIt writes its table of transforms the other way round: each entry has the planning frame for
/// its child, the planning frame itself among them, and its header names the frame that is placed
/// in it. In any other file this would place the planning frame twice.
static void turn_moveit_table(frame_tree *tree) {
    bool itself = false;
    for (size_t i = 0; i < tree->count; i++) {
        const scene_frame *f = &tree->frames[i];
        if (!f->parent || strcmp(f->name, tree->frames[0].name) != 0) return;
        itself |= is_in_itself(f);
    }
    for (size_t i = 0; itself && i < tree->count; i++) {
        scene_frame *f = &tree->frames[i];
        const char *child = f->name;
        f->name = f->parent;
        f->parent = child;
    }
}

static graze_status find_parent(frame_tree *tree, scene_frame *f, const gz_document *document) {
    const graze_transform identity = graze_transform_identity();
    const scene_frame *first = frame_of_name(tree, f->name);
    f->up = -1;
    if (first != f)
        return gz_value_fail(document, f->value, GRAZE_ERROR_SCHEMA,
                             "the frame \"%.80s\" is placed here and in line %d; allowed: once",
                             f->name, first->value->line);
    if (!f->parent) return GRAZE_OK;
    if (is_in_itself(f)) {
        for (int k = 0; k < 12; k++)
            if (f->pose.m[k] != identity.m[k])
                return gz_value_fail(document, f->value, GRAZE_ERROR_SCHEMA,
                                     "the frame \"%.80s\" is placed in itself; allowed: in another "
                                     "frame, or the identity",
                                     f->name);
        return GRAZE_OK;
    }
    const scene_frame *parent = frame_of_name(tree, f->parent);
    if (parent) {
        f->up = (int32_t)(parent - tree->frames);
        return GRAZE_OK;
    }
    if (!tree->world) tree->world = f->parent;
    if (strcmp(tree->world, f->parent) == 0) return GRAZE_OK;
    return gz_value_fail(document, f->value, GRAZE_ERROR_UNSUPPORTED,
                         "frames are placed in \"%.80s\" and in \"%.80s\", and neither of these in "
                         "another; allowed: one such frame, the world's",
                         tree->world, f->parent);
}

/// Finds the frames' poses in the world, when all are added.
/// @return GRAZE_ERROR_SCHEMA: a frame that is placed twice, in a cycle, or in itself but for the
///         identity; _UNSUPPORTED: frames in two different ones that nothing places
static graze_status resolve_frames(frame_tree *tree, const gz_document *document) {
    turn_moveit_table(tree);
    for (size_t i = 0; i < tree->count; i++) GZ_TRY(find_parent(tree, &tree->frames[i], document));
    for (size_t i = 0; i < tree->count; i++) {
        scene_frame *f = &tree->frames[i];
        size_t steps = 0;
        f->in_world = f->pose;
        for (int32_t up = f->up; up >= 0; up = tree->frames[up].up) {
            if (steps++ == tree->count)
                return gz_value_fail(document, f->value, GRAZE_ERROR_SCHEMA,
                                     "the frame \"%.80s\" is in a cycle of frames; allowed: a tree",
                                     f->name);
            f->in_world = graze_transform_multiply(&tree->frames[up].pose, &f->in_world);
        }
    }
    return GRAZE_OK;
}

// A MoveIt planning scene (the message moveit_msgs/PlanningScene) in YAML, as MotionBenchMaker and
// robowflex write it. What is read: world.collision_objects and fixed_frame_transforms.

#define QUATERNION_TOLERANCE 1e-6

typedef struct reader {
    gz_world_load *load;
    gz_document doc;
    frame_tree frames;
} reader;

static graze_status unsupported(reader *r, const gz_value *value, const char *what) {
    return gz_value_fail(&r->doc, value, GRAZE_ERROR_UNSUPPORTED, "%s", what);
}

/// The list under a key; NULL when the key is missing or its value empty.
static graze_status find_list(reader *r, const gz_value *map, const char *key,
                              const gz_value **out) {
    const gz_value *value = gz_value_member(&r->doc, map, key);
    *out = NULL;
    if (!value || value->kind == GZ_VALUE_NULL) return GRAZE_OK;
    graze_status status = gz_value_expect(&r->doc, value, GZ_VALUE_LIST, "a list");
    if (!status && value->count) *out = value;
    return status;
}

/// A name: YAML reads 12 or true as something else than text, MoveIt does not.
static graze_status read_text(reader *r, const gz_value *value, const char **out) {
    *out = gz_value_text(&r->doc, value);
    if (*out && value->kind != GZ_VALUE_NULL && **out) return GRAZE_OK;
    return gz_value_fail(&r->doc, value, GRAZE_ERROR_SCHEMA, "found %s; allowed: a text",
                         gz_value_kind_name(value));
}

// ------------------------------------------------------------------------------------------ poses

/// Three or four numbers, as a list or as a map of x, y, z (and w).
static graze_status read_vector(reader *r, const gz_value *value, double *out, uint32_t n) {
    static const char *const keys[] = {"x", "y", "z", "w"};
    if (value->kind != GZ_VALUE_MAP) return gz_value_numbers(&r->doc, value, out, n);
    for (uint32_t i = 0; i < n; i++) {
        const gz_value *value_of_axis;
        GZ_TRY(gz_value_required(&r->doc, value, keys[i], &value_of_axis));
        GZ_TRY(gz_value_number(&r->doc, value_of_axis, &out[i]));
    }
    return GRAZE_OK;
}

/// A pose of two vectors. The message's initial value, seven zeros, stands for the identity, as in
/// MoveIt.
static graze_status read_pose(reader *r, const gz_value *value, const char *position_key,
                              const char *orientation_key, graze_transform *pose) {
    gz_world_load *load = r->load;
    double position[3] = {0}, quaternion[4] = {0, 0, 0, 1};
    *pose = graze_transform_identity();
    if (!value || value->kind == GZ_VALUE_NULL) return GRAZE_OK;
    GZ_TRY(gz_value_expect(&r->doc, value, GZ_VALUE_MAP, "a map with position and orientation"));
    const gz_value *at = gz_value_member(&r->doc, value, position_key);
    const gz_value *turn = gz_value_member(&r->doc, value, orientation_key);
    if (at) GZ_TRY(read_vector(r, at, position, 3));
    if (turn) GZ_TRY(read_vector(r, turn, quaternion, 4));
    bool zero = true;
    for (int i = 0; i < 4; i++) zero &= quaternion[i] == 0 && (i == 3 || position[i] == 0);
    if (zero) {
        gz_value_warn(&r->doc, value, "pose-unset",
                      "a pose is all zeros, its orientation too; taken as the identity");
        return GRAZE_OK;
    }
    gz_place place = GZ_VALUE_PLACE(&r->doc, turn ? turn : value);
    return gz_world_load_pose(load, place, position, quaternion, QUATERNION_TOLERANCE, pose);
}

// ----------------------------------------------------------------------------------------- frames

/// The frame that a header names; NULL: none.
static graze_status read_header(reader *r, const gz_value *map, const char **name,
                                const gz_value **where) {
    const gz_value *header = gz_value_member(&r->doc, map, "header");
    const gz_value *value = gz_value_member(&r->doc, header, "frame_id");
    const char *text = value ? gz_value_text(&r->doc, value) : NULL;
    *name = NULL;
    *where = value;
    if (!value || value->kind == GZ_VALUE_NULL || (text && !*text)) return GRAZE_OK;
    return read_text(r, value, name);
}

/// fixed_frame_transforms: where named frames are. Their number is bounded, as they are looked for
/// one by one.
static graze_status read_frames(reader *r, const gz_value *root) {
    const gz_value *list, *where;
    GZ_TRY(find_list(r, root, "fixed_frame_transforms", &list));
    if (!list) return GRAZE_OK;
    if (list->count > 1000)
        return gz_value_fail(&r->doc, list, GRAZE_ERROR_LIMIT, "there are %u frames; allowed: 1000",
                             list->count);
    for (const gz_value *v = gz_value_first(list); v; v = gz_value_next(v)) {
        scene_frame f = {.value = v};
        const gz_value *name;
        GZ_TRY(gz_value_required(&r->doc, v, "child_frame_id", &name));
        GZ_TRY(read_text(r, name, &f.name));
        GZ_TRY(read_header(r, v, &f.parent, &where));
        GZ_TRY(read_pose(r, gz_value_member(&r->doc, v, "transform"), "translation", "rotation",
                         &f.pose));
        if (!add_frame(&r->frames, &f)) return gz_fail_memory(r->load->error);
    }
    return resolve_frames(&r->frames, &r->doc);
}

/// The pose of the frame that an object's header names. A frame that the file does not place can
/// only be the world's, and only one frame can be that.
static graze_status find_frame(reader *r, const gz_value *object, graze_transform *pose) {
    *pose = graze_transform_identity();
    const char *name;
    const gz_value *value;
    GZ_TRY(read_header(r, object, &name, &value));
    if (!name) return GRAZE_OK;
    const scene_frame *frame = frame_of_name(&r->frames, name);
    if (frame) {
        *pose = frame->in_world;
        return GRAZE_OK;
    }
    if (!r->frames.world) {
        r->frames.world = name;
        gz_value_warn(&r->doc, value, "frame-assumed",
                      "the frame \"%.80s\" is not among fixed_frame_transforms; taken as the "
                      "world's",
                      name);
    }
    if (strcmp(r->frames.world, name) == 0) return GRAZE_OK;
    return gz_value_fail(&r->doc, value, GRAZE_ERROR_UNSUPPORTED,
                         "neither \"%.80s\" nor \"%.80s\" is among fixed_frame_transforms; "
                         "allowed: at most one frame that the file does not place",
                         name, r->frames.world);
}

// ----------------------------------------------------------------------------------------- shapes

/// One collision object while its shapes are added.
typedef struct object {
    const char *name;
    graze_transform pose;
    size_t index; ///< of the next shape
} object;

/// Kinds by name, or by the numbers of shape_msgs/SolidPrimitive.
static graze_status read_kind(reader *r, const gz_value *value, graze_shape *kind,
                              uint32_t *sizes) {
    static const struct {
        const char *name;
        double number;
        graze_shape kind;
        uint32_t sizes;
        bool supported;
    } kinds[] = {{"box", 1, GRAZE_SHAPE_BOX, 3, true},
                 {"sphere", 2, GRAZE_SHAPE_SPHERE, 1, true},
                 {"cylinder", 3, GRAZE_SHAPE_CYLINDER, 2, true},
                 {"cone", 4, GRAZE_SHAPE_CONE, 2, true},
                 {"prism", 5, GRAZE_SHAPE_CYLINDER, 1, false}};
    const char *text = gz_value_text(&r->doc, value);
    for (size_t i = 0; text && i < sizeof kinds / sizeof *kinds; i++) {
        bool named = value->kind == GZ_VALUE_STRING && strcasecmp(text, kinds[i].name) == 0;
        if (!named && !(value->kind == GZ_VALUE_NUMBER && value->number == kinds[i].number))
            continue;
        *kind = kinds[i].kind;
        *sizes = kinds[i].sizes;
        if (kinds[i].supported) return GRAZE_OK;
        return gz_value_fail(&r->doc, value, GRAZE_ERROR_UNSUPPORTED,
                             "the type is %s; allowed: box (1), sphere (2), cylinder (3), cone (4)",
                             kinds[i].name);
    }
    return gz_value_fail(&r->doc, value, GRAZE_ERROR_SCHEMA,
                         "the type is %.80s; allowed: box (1), sphere (2), cylinder (3), cone (4)",
                         text ? text : gz_value_kind_name(value));
}

static graze_status read_primitive(reader *r, const gz_value *value, object *o,
                                   const graze_transform *pose) {
    gz_world_shape shape = {.line = value->line};
    double *sizes = shape.size;
    uint32_t n = 0;
    const gz_value *type, *list;
    GZ_TRY(gz_value_required(&r->doc, value, "type", &type));
    GZ_TRY(read_kind(r, type, &shape.kind, &n));
    GZ_TRY(gz_value_required(&r->doc, value, "dimensions", &list));
    GZ_TRY(gz_value_numbers(&r->doc, list, sizes, n));
    for (uint32_t i = 0; i < n; i++)
        if (!(sizes[i] >= 0) || sizes[i] > GZ_COORDINATE_MAX)
            return gz_value_fail(&r->doc, list, GRAZE_ERROR_RANGE,
                                 "dimension %u is %g; allowed: 0 to 2^20 m", i, sizes[i]);
    // shape_msgs/SolidPrimitive: a cylinder or cone is [height, radius].
    shape.length = sizes[0];
    shape.radius = n == 2 ? sizes[1] : sizes[0];
    return gz_world_load_shape(r->load, o->name, o->index++, &shape, pose);
}

/// shape_msgs/Plane: a x + b y + c z + d = 0 in its frame.
static graze_status read_plane(reader *r, const gz_value *value, object *o,
                               const graze_transform *pose) {
    gz_world_shape shape = {.kind = GRAZE_SHAPE_PLANE, .line = value->line};
    const gz_value *list;
    double coef[4];
    graze_transform plane;
    GZ_TRY(gz_value_required(&r->doc, value, "coef", &list));
    GZ_TRY(gz_value_numbers(&r->doc, list, coef, 4));
    if (!gz_object_plane(coef, -coef[3], &plane))
        return gz_value_fail(&r->doc, list, GRAZE_ERROR_RANGE,
                             "the normal of a plane is 0 0 0; allowed: of any other length");
    plane = graze_transform_multiply(pose, &plane);
    return gz_world_load_shape(r->load, o->name, o->index++, &shape, &plane);
}

static graze_status read_vertices(reader *r, const gz_value *list, gz_soup *soup) {
    for (const gz_value *v = gz_value_first(list); v; v = gz_value_next(v))
        GZ_TRY(read_vector(r, v, soup->vertices + 3 * (size_t)v->index, 3));
    soup->vertex_count = list->count;
    return GRAZE_OK;
}

/// Triangles as lists of three indices, or as maps with such a list under vertex_indices.
static graze_status read_triangles(reader *r, const gz_value *list, gz_soup *soup) {
    for (const gz_value *v = gz_value_first(list); v; v = gz_value_next(v)) {
        const gz_value *named = gz_value_member(&r->doc, v, "vertex_indices");
        double corners[3];
        GZ_TRY(gz_value_numbers(&r->doc, named ? named : v, corners, 3));
        for (size_t k = 0; k < 3; k++) {
            if (corners[k] < 0 || corners[k] != floor(corners[k]) ||
                corners[k] >= (double)soup->vertex_count)
                return gz_value_fail(&r->doc, v, GRAZE_ERROR_MESH,
                                     "a triangle names vertex %g; allowed: 0 to %zu", corners[k],
                                     soup->vertex_count - 1);
            soup->triangles[3 * (size_t)v->index + k] = (uint32_t)corners[k];
        }
    }
    soup->triangle_count = list->count;
    return GRAZE_OK;
}

/// A mesh with its vertices and triangles written out.
static graze_status read_inline_mesh(reader *r, const gz_value *value, gz_soup **out) {
    gz_world_load *load = r->load;
    const gz_value *vertices, *triangles = NULL;
    GZ_TRY(find_list(r, value, "vertices", &vertices));
    GZ_TRY(find_list(r, value, "triangles", &triangles));
    if (!vertices || !triangles)
        return gz_value_fail(&r->doc, value, GRAZE_ERROR_MESH,
                             "the mesh has no vertices or no triangles; allowed: a resource, or "
                             "at least one triangle");
    if (triangles->count > load->budget.triangles_left)
        return gz_value_fail(&r->doc, value, GRAZE_ERROR_LIMIT,
                             "the mesh has %u triangles; allowed: what limits.triangles leaves",
                             triangles->count);
    gz_soup *soup = *out = gz_soup_create();
    if (!soup || !gz_soup_reserve(soup, vertices->count, triangles->count))
        return gz_fail_memory(load->error);
    GZ_TRY(read_vertices(r, vertices, soup));
    GZ_TRY(read_triangles(r, triangles, soup));
    load->budget.triangles_left -= triangles->count;
    return GRAZE_OK;
}

static graze_status read_mesh(reader *r, const gz_value *value, object *o,
                              const graze_transform *pose) {
    const size_t index = o->index++;
    const gz_value *resource = gz_value_member(&r->doc, value, "resource");
    if (!resource) {
        gz_world_shape shape = {.kind = GRAZE_SHAPE_MESH, .line = value->line};
        graze_status status = read_inline_mesh(r, value, &shape.soup);
        if (!status) status = gz_world_load_shape(r->load, o->name, index, &shape, pose);
        gz_soup_free(shape.soup);
        return status;
    }
    double scale[3] = {1, 1, 1};
    const char *uri = NULL;
    const gz_value *size = gz_value_member(&r->doc, value, "dimensions");
    GZ_TRY(read_text(r, resource, &uri));
    if (size) GZ_TRY(gz_value_numbers(&r->doc, size, scale, 3));
    gz_place place = GZ_VALUE_PLACE(&r->doc, resource);
    return gz_world_load_uri(r->load, place, place.line, o->name, index, uri, scale, 0, pose);
}

// ---------------------------------------------------------------------------------------- objects

/// The shapes under one key with the poses under another: none at all, or one each.
static graze_status
read_shapes(reader *r, const gz_value *map, const char *key, const char *poses_key, object *o,
            graze_status (*read)(reader *, const gz_value *, object *, const graze_transform *)) {
    gz_world_load *load = r->load;
    const gz_value *shapes, *poses = NULL;
    GZ_TRY(find_list(r, map, key, &shapes));
    GZ_TRY(find_list(r, map, poses_key, &poses));
    graze_status status = GRAZE_OK;
    uint32_t count = shapes ? shapes->count : 0;
    if (poses && poses->count != count)
        return gz_value_fail(&r->doc, poses, GRAZE_ERROR_SCHEMA,
                             "there are %u %s for %u %s; allowed: one each, or none", poses->count,
                             poses_key, count, key);
    const gz_value *at = poses ? gz_value_first(poses) : NULL;
    for (const gz_value *v = count ? gz_value_first(shapes) : NULL; v && !status;
         v = gz_value_next(v)) {
        gz_place place = GZ_VALUE_PLACE(&r->doc, v);
        graze_transform pose;
        GZ_TRY(gz_value_expect(&r->doc, v, GZ_VALUE_MAP, "a map"));
        GZ_TRY(gz_world_load_count(load, place));
        GZ_TRY(read_pose(r, at, "position", "orientation", &pose));
        pose = graze_transform_multiply(&o->pose, &pose);
        status = read(r, v, o, &pose);
        if (status) gz_world_load_locate(load, place);
        at = at ? gz_value_next(at) : NULL;
    }
    return status;
}

/// Refuses what an object may hold and graze cannot: without it, occupied space would be free.
static graze_status refuse_others(reader *r, const gz_value *map) {
    const gz_value *operation = gz_value_member(&r->doc, map, "operation");
    if (!operation || operation->kind == GZ_VALUE_NULL) return GRAZE_OK;
    const char *text = gz_value_text(&r->doc, operation);
    bool add = text && (strcasecmp(text, "add") == 0 ||
                        (operation->kind == GZ_VALUE_NUMBER && operation->number == 0));
    return add ? GRAZE_OK
               : unsupported(r, operation, "the operation is not \"add\" (0); allowed: \"add\"");
}

static graze_status read_object(reader *r, const gz_value *map) {
    static const char keys[] = "id header pose primitives primitive_poses meshes mesh_poses planes "
                               "plane_poses type operation subframe_names subframe_poses";
    gz_world_load *load = r->load;
    GZ_TRY(gz_value_expect(&r->doc, map, GZ_VALUE_MAP, "a map"));
    object o = {0};
    graze_transform frame_pose;
    const gz_value *id;
    GZ_TRY(gz_value_required(&r->doc, map, "id", &id));
    GZ_TRY(read_text(r, id, &o.name));
    GZ_TRY(refuse_others(r, map));
    GZ_TRY(find_frame(r, map, &frame_pose));
    GZ_TRY(read_pose(r, gz_value_member(&r->doc, map, "pose"), "position", "orientation", &o.pose));
    gz_value_check_keys(&r->doc, map, keys);
    o.pose = graze_transform_multiply(&frame_pose, &o.pose);
    size_t before = load->world->object_count;
    graze_status status = read_shapes(r, map, "primitives", "primitive_poses", &o, read_primitive);
    if (!status) status = read_shapes(r, map, "meshes", "mesh_poses", &o, read_mesh);
    if (!status) status = read_shapes(r, map, "planes", "plane_poses", &o, read_plane);
    if (!status && load->world->object_count == before)
        gz_value_warn(&r->doc, map, "object-empty", "an object has no shape; left out");
    return status;
}

// ------------------------------------------------------------------------------------- the scene

/// Things in the scene that would take part in collisions and are not read.
static graze_status refuse_rest(reader *r, const gz_value *root, const gz_value *world) {
    const gz_value *attached, *state = gz_value_member(&r->doc, root, "robot_state");
    GZ_TRY(find_list(r, state, "attached_collision_objects", &attached));
    if (attached)
        return unsupported(r, attached,
                           "objects are attached to the robot; allowed: objects of the world");
    const gz_value *octomap = gz_value_member(&r->doc, world, "octomap");
    const gz_value *inner = gz_value_member(&r->doc, octomap, "octomap");
    const gz_value *data;
    GZ_TRY(find_list(r, inner ? inner : octomap, "data", &data));
    if (data) return unsupported(r, data, "there is an octomap; allowed: primitives and meshes");
    return GRAZE_OK;
}

/// MoveIt makes links thicker, or larger, by these numbers; without them a verdict may be free
/// where MoveIt collides. A message may hold them for each link, at 0 and 1.
static void warn_of_padding(reader *r, const gz_value *root, const char *key, const char *number,
                            double neutral) {
    const gz_value *list = gz_value_member(&r->doc, root, key);
    uint32_t links = list && list->kind != GZ_VALUE_LIST && list->kind != GZ_VALUE_NULL;
    for (const gz_value *v = list ? gz_value_first(list) : NULL; v; v = gz_value_next(v)) {
        const gz_value *value = gz_value_member(&r->doc, v, number);
        links += !value || value->kind != GZ_VALUE_NUMBER || value->number != neutral;
    }
    if (!links) return;
    gz_value_warn(&r->doc, list, "padding-ignored",
                  "%s changes %u link%s in MoveIt: not used here, a margin can stand in for it",
                  key, links, links == 1 ? "" : "s");
}

static graze_status read_scene(reader *r) {
    static const char keys[] = "name robot_state robot_model_name fixed_frame_transforms "
                               "allowed_collision_matrix link_padding link_scale object_colors "
                               "world is_diff";
    const gz_value *root = gz_document_root(&r->doc), *objects = NULL;
    GZ_TRY(gz_value_expect(&r->doc, root, GZ_VALUE_MAP, "a planning scene"));
    const gz_value *world;
    GZ_TRY(gz_value_required_kind(&r->doc, root, "world", GZ_VALUE_MAP,
                                  "a map with collision_objects", &world));
    GZ_TRY(refuse_rest(r, root, world));
    GZ_TRY(read_frames(r, root));
    GZ_TRY(gz_value_required(&r->doc, world, "collision_objects", &objects));
    GZ_TRY(find_list(r, world, "collision_objects", &objects));
    gz_value_check_keys(&r->doc, root, keys);
    gz_value_check_keys(&r->doc, world, "collision_objects octomap");
    warn_of_padding(r, root, "link_padding", "padding", 0);
    warn_of_padding(r, root, "link_scale", "scale", 1);
    for (const gz_value *v = objects ? gz_value_first(objects) : NULL; v; v = gz_value_next(v))
        GZ_TRY(read_object(r, v));
    return GRAZE_OK;
}

graze_status gz_world_load_yaml(gz_world_load *load) {
    reader r = {.load = load,
                .doc = {.file = load->path, .error = load->error, .warnings = &load->warnings}};
    graze_status status = gz_document_read_yaml(&r.doc, load->bytes, load->size,
                                                &load->options->limits);
    if (!status) status = read_scene(&r);
    gz_free(r.frames.frames);
    gz_document_clear(&r.doc);
    return status;
}
