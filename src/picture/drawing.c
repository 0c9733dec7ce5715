#include "picture/drawing.h"

#include "base/memory.h"
#include "picture/vector.h"

static double linear(double srgb) {
    return srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4);
}

static void set_color(gz_drawn_geometry *item, double r, double g, double b, double gloss) {
    item->color[0] = linear(r);
    item->color[1] = linear(g);
    item->color[2] = linear(b);
    item->gloss = gloss;
}

static gz_drawn_geometry *add_item(gz_drawing *d, gz_role role) {
    if (!gz_array_reserve((void **)&d->items, &d->item_capacity, d->item_count + 1,
                          sizeof *d->items))
        return NULL;
    gz_drawn_geometry *item = &d->items[d->item_count++];
    *item = (gz_drawn_geometry){.role = role, .first = d->count};
    item->box.min = vec(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    item->box.max = vec(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
    return item;
}

/// Appends a triangle to the last item; false when out of memory.
static bool add_triangle(gz_drawing *d, const graze_vec3 corner[3], const graze_vec3 normal[3]) {
    if (!gz_array_reserve((void **)&d->triangles, &d->capacity, d->count + 1, sizeof *d->triangles))
        return false;
    gz_draw_triangle *t = &d->triangles[d->count++];
    gz_drawn_geometry *item = &d->items[d->item_count - 1];
    for (int k = 0; k < 3; k++) {
        graze_vec3 p = corner[k];
        t->corner[k] = p;
        t->normal[k] = normal[k];
        item->box.min = vec_least(item->box.min, p);
        item->box.max = vec_most(item->box.max, p);
    }
    t->face = vec_unit(vec_cross(vec_sub(corner[1], corner[0]), vec_sub(corner[2], corner[0])));
    t->item = (uint32_t)(d->item_count - 1);
    item->count++;
    return true;
}

// --------------------------------------------------------------------------------------- meshes

/// The triangles around each vertex: those of vertex v are list[start[v]] .. list[start[v + 1]].
typedef struct fans {
    uint32_t *start, *list;
    graze_vec3 *corners; ///< vertices in the world
    graze_vec3 *faces;   ///< unit normals
    double *areas;
} fans;

static bool make_fans(fans *f, const graze_geometry *g, const graze_transform *pose) {
    size_t n = g->triangle_count;
    f->start = gz_calloc(g->vertex_count + 2, sizeof *f->start);
    f->list = gz_malloc(n, 3 * sizeof *f->list);
    f->corners = gz_malloc(g->vertex_count, sizeof *f->corners);
    f->faces = gz_malloc(n, sizeof *f->faces);
    f->areas = gz_malloc(n, sizeof *f->areas);
    if (!f->start || !f->list || !f->corners || !f->faces || !f->areas) return false;
    for (size_t v = 0; v < g->vertex_count; v++) {
        const double *p = g->vertices + 3 * v;
        f->corners[v] = graze_transform_point(pose, vec(p[0], p[1], p[2]));
    }
    for (size_t t = 0; t < n; t++) {
        const uint32_t *i = g->triangles + 3 * t;
        graze_vec3 a = f->corners[i[0]], b = f->corners[i[1]], c = f->corners[i[2]];
        graze_vec3 normal = vec_cross(vec_sub(b, a), vec_sub(c, a));
        f->areas[t] = vec_length(normal);
        f->faces[t] = vec_unit(normal);
        for (int k = 0; k < 3; k++) f->start[i[k] + 2]++;
    }
    // Counting sort: start[v + 1] is where the next triangle of v goes, and ends as v's end.
    for (size_t v = 0; v < g->vertex_count; v++) f->start[v + 2] += f->start[v + 1];
    for (size_t t = 0; t < n; t++)
        for (int k = 0; k < 3; k++)
            f->list[f->start[g->triangles[3 * t + (size_t)k] + 1]++] = (uint32_t)t;
    return true;
}

static void free_fans(fans *f) {
    gz_free(f->start);
    gz_free(f->list);
    gz_free(f->corners);
    gz_free(f->faces);
    gz_free(f->areas);
}

/// The normal of triangle t at vertex v: that of the faces around v which meet t's at less than the
/// crease angle, weighted by area.
static graze_vec3 corner_normal(const fans *f, uint32_t v, size_t t) {
    const double crease = 0.80; // cosine of 37 degrees
    uint32_t first = f->start[v], last = f->start[v + 1];
    // A vertex with a thousand faces is the tip of something; smoothing it would cost n^2.
    if (last - first > 200) return f->faces[t];
    graze_vec3 sum = {0, 0, 0};
    for (uint32_t k = first; k < last; k++) {
        uint32_t other = f->list[k];
        if (vec_dot(f->faces[other], f->faces[t]) > crease)
            sum = vec_add(sum, vec_scale(f->faces[other], f->areas[other]));
    }
    return vec_length(sum) > 0 ? vec_unit(sum) : f->faces[t];
}

/// Appends an indexed mesh, with normals smoothed where faces meet at less than the crease angle.
static bool add_mesh(gz_drawing *d, const graze_geometry *g, const graze_transform *pose) {
    fans f = {0};
    bool ok = make_fans(&f, g, pose);
    for (size_t t = 0; ok && t < g->triangle_count; t++) {
        graze_vec3 corner[3], normal[3];
        for (int k = 0; k < 3; k++) {
            uint32_t v = g->triangles[3 * t + (size_t)k];
            corner[k] = f.corners[v];
            normal[k] = corner_normal(&f, v, t);
        }
        ok = add_triangle(d, corner, normal);
    }
    free_fans(&f);
    return ok;
}

// --------------------------------------------------------------------- curved shapes as triangles

enum { AROUND = 64 }; // segments of a full circle

typedef struct surface {
    gz_drawing *drawing;
    const graze_transform *pose;
} surface;

/// A point of a surface of revolution about z, with its normal.
typedef struct ring_point {
    double radius, z, normal_radius, normal_z;
} ring_point;

static bool add_quad_half(const surface *s, const graze_vec3 p[4], const graze_vec3 n[4], int a,
                          int b, int c) {
    graze_vec3 corner[3] = {p[a], p[b], p[c]}, normal[3] = {n[a], n[b], n[c]};
    graze_vec3 area = vec_cross(vec_sub(corner[1], corner[0]), vec_sub(corner[2], corner[0]));
    if (vec_length(area) == 0) return true;
    return add_triangle(s->drawing, corner, normal);
}

/// The band between two rings, `a` below `b` seen from outside.
static bool add_band(const surface *s, ring_point a, ring_point b) {
    for (int i = 0; i < AROUND; i++) {
        graze_vec3 p[4], n[4];
        for (int k = 0; k < 4; k++) {
            const ring_point *r = k < 2 ? &a : &b;
            double angle = 2 * M_PI * (i + (k == 1 || k == 2)) / AROUND;
            double x = cos(angle), y = sin(angle);
            p[k] = graze_transform_point(s->pose, vec(r->radius * x, r->radius * y, r->z));
            n[k] = vec_unit(
                vec_rotate(s->pose, vec(r->normal_radius * x, r->normal_radius * y, r->normal_z)));
        }
        if (!add_quad_half(s, p, n, 0, 1, 2) || !add_quad_half(s, p, n, 0, 2, 3)) return false;
    }
    return true;
}

/// The zone of a sphere between two latitudes, around (0, 0, z).
static bool add_cap(const surface *s, double radius, double z, double from, double to) {
    enum { UP = AROUND / 4 };
    ring_point last = {0};
    for (int i = 0; i <= UP; i++) {
        double latitude = from + (to - from) * i / UP;
        double c = fmax(cos(latitude), 0), h = sin(latitude);
        ring_point next = {c * radius, z + h * radius, c, h};
        if (i > 0 && !add_band(s, last, next)) return false;
        last = next;
    }
    return true;
}

static bool add_cylinder(const surface *s, double radius, double length) {
    double z = length / 2;
    return add_band(s, (ring_point){0, -z, 0, -1}, (ring_point){radius, -z, 0, -1}) &&
           add_band(s, (ring_point){radius, -z, 1, 0}, (ring_point){radius, z, 1, 0}) &&
           add_band(s, (ring_point){radius, z, 0, 1}, (ring_point){0, z, 0, 1});
}

static bool add_capsule(const surface *s, double radius, double length) {
    double z = length / 2;
    return add_cap(s, radius, -z, -M_PI / 2, 0) &&
           add_band(s, (ring_point){radius, -z, 1, 0}, (ring_point){radius, z, 1, 0}) &&
           add_cap(s, radius, z, 0, M_PI / 2);
}

static bool add_box(const surface *s, const double size[3]) {
    for (int face = 0; face < 6; face++) {
        int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        double side = face % 2 ? 1 : -1;
        graze_vec3 p[4], n[4];
        for (int k = 0; k < 4; k++) {
            double x[3], normal[3] = {0, 0, 0};
            x[axis] = side * size[axis] / 2;
            x[u] = (k == 1 || k == 2 ? 0.5 : -0.5) * size[u] * side;
            x[v] = (k >= 2 ? 0.5 : -0.5) * size[v];
            normal[axis] = side;
            p[k] = graze_transform_point(s->pose, vec(x[0], x[1], x[2]));
            n[k] = vec_rotate(s->pose, vec(normal[0], normal[1], normal[2]));
        }
        if (!add_quad_half(s, p, n, 0, 1, 2) || !add_quad_half(s, p, n, 0, 2, 3)) return false;
    }
    return true;
}

/// Points as octahedra with the normals of balls; of very many, only every so-many-th.
static bool add_points(const surface *s, const graze_geometry *g) {
    static const double tip[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                     {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    size_t stride = 1 + g->vertex_count / 200000;
    for (size_t i = 0; g->vertices && i < g->vertex_count; i += stride) {
        const double *c = g->vertices + 3 * i;
        for (int face = 0; face < 8; face++) {
            graze_vec3 p[3], n[3];
            for (int k = 0; k < 3; k++) {
                const double *t = tip[2 * k + (face >> k & 1)];
                n[k] = vec_rotate(s->pose, vec(t[0], t[1], t[2]));
                p[k] = graze_transform_point(
                    s->pose,
                    vec(c[0] + g->radius * t[0], c[1] + g->radius * t[1], c[2] + g->radius * t[2]));
            }
            if (!add_triangle(s->drawing, p, n)) return false;
        }
    }
    return true;
}

/// Edge of the square that is drawn of a plane or half-space, around the origin of its frame.
#define PATCH 6.0

/// Appends a curved shape (for drawing only: the checks never see these triangles), or a box, to
/// the last item. `pose` maps the shape's frame to the world.
static bool add_shape(gz_drawing *drawing, const graze_geometry *g, const graze_transform *pose) {
    surface s = {drawing, pose};
    switch (g->shape) {
    case GRAZE_SHAPE_BOX:
        return add_box(&s, g->size);
    case GRAZE_SHAPE_SPHERE:
        return add_cap(&s, g->radius, 0, -M_PI / 2, M_PI / 2);
    case GRAZE_SHAPE_CYLINDER:
        return add_cylinder(&s, g->radius, g->length);
    case GRAZE_SHAPE_CAPSULE:
        return add_capsule(&s, g->radius, g->length);
    case GRAZE_SHAPE_POINTS:
        return add_points(&s, g);
    case GRAZE_SHAPE_HALFSPACE:
    case GRAZE_SHAPE_PLANE:
        return add_box(&s, (const double[3]){PATCH, PATCH, 0});
    case GRAZE_SHAPE_CONE:
    case GRAZE_SHAPE_MESH:
        return true; // not loaded
    }
    return true;
}

// ------------------------------------------------------------------------------- robot and world

/// What a geometry's link or object has to do with the contacts.
static gz_role role_of(const gz_picture *p, bool object, int32_t index, bool *touched) {
    gz_role role = object ? GZ_ROLE_WORLD : GZ_ROLE_ROBOT;
    for (size_t i = 0; i < p->contact_count; i++) {
        const graze_contact *c = &p->contacts[i];
        if (!object && c->link == index) return GZ_ROLE_HIT;
        bool other = object ? c->kind == GRAZE_CONTACT_WORLD : c->kind == GRAZE_CONTACT_SELF;
        if (other && c->other == index) {
            role = GZ_ROLE_TOUCHED;
            *touched = object;
        }
    }
    return role;
}

/// A number that is the same for things of the same shape and size, which so get the same colour.
static uint32_t likeness(const graze_geometry *g) {
    double sizes[5] = {g->size[0], g->size[1], g->size[2], g->radius, g->length};
    uint32_t hash = 2166136261U ^ (uint32_t)g->shape ^ (uint32_t)g->triangle_count << 4;
    for (int i = 0; i < 5; i++) {
        // Millimetres; FNV's multiplier (Fowler, Noll and Vo 1991).
        hash = (hash ^ (uint32_t)(least(sizes[i], 1e6) * 1000)) * 16777619U;
    }
    return hash >> 8;
}

/// Colours where the file gives none: links in three greys, for neighbours to differ, objects in
/// muted colours; furniture, being large, all in one, and what is larger than that almost white.
static void default_color(gz_drawn_geometry *item, const graze_geometry *g, bool object) {
    static const double links[3][3] = {{0.86, 0.87, 0.88}, {0.46, 0.51, 0.57}, {0.70, 0.74, 0.79}};
    static const double objects[6][3] = {{0.44, 0.58, 0.68}, {0.62, 0.67, 0.50},
                                         {0.70, 0.52, 0.46}, {0.56, 0.54, 0.66},
                                         {0.78, 0.70, 0.48}, {0.42, 0.60, 0.58}};
    static const double wood[3] = {0.80, 0.71, 0.58}, wall[3] = {0.84, 0.85, 0.86};
    const double *c = object ? objects[likeness(g) % 6] : links[g->owner % 3];
    if (object && g->shape == GRAZE_SHAPE_BOX) {
        double largest = fmax(g->size[0], fmax(g->size[1], g->size[2]));
        if (largest > 0.6) c = largest > 3 ? wall : wood;
    }
    set_color(item, c[0], c[1], c[2], object ? 0.2 : 0.5);
}

static void choose_color(gz_drawn_geometry *item, const graze_geometry *g, bool object) {
    default_color(item, g, object);
    if (g->has_color) set_color(item, g->color[0], g->color[1], g->color[2], 0.5);
    if (item->role == GZ_ROLE_HIT) set_color(item, 0.88, 0.13, 0.12, 0.5);
    if (item->role == GZ_ROLE_TOUCHED) set_color(item, 0.97, 0.58, 0.10, 0.3);
    if (item->role == GZ_ROLE_START) set_color(item, 0.20, 0.45, 0.90, 0.3);
    if (item->role == GZ_ROLE_GOAL) set_color(item, 0.10, 0.65, 0.35, 0.3);
    if (item->role == GZ_ROLE_GHOST)
        for (int i = 0; i < 3; i++) item->color[i] = 0.5 * item->color[i] + 0.35;
}

static bool add_geometry(gz_drawing *d, const gz_picture *p, const graze_geometry *g, bool object,
                         const graze_transform *links, gz_role role) {
    bool touched = false, ghost = role >= GZ_ROLE_GHOST;
    if (!ghost) role = role_of(p, object, g->owner, &touched);
    gz_drawn_geometry *item = add_item(d, role);
    if (!item) return false;
    item->touched_object = touched;
    item->link = object || ghost ? -1 : g->owner;
    item->name = object ? g->name : graze_robot_link_name(p->robot, g->owner);
    choose_color(item, g, object);
    bool unbounded = g->shape == GRAZE_SHAPE_HALFSPACE || g->shape == GRAZE_SHAPE_PLANE;
    if (g->vertices && g->triangles && !unbounded)
        return add_mesh(d, g, object ? &g->origin : &links[g->frame]);
    graze_transform pose = g->origin;
    if (!object) pose = graze_transform_multiply(&links[g->owner], &g->origin);
    return add_shape(d, g, &pose);
}

/// Whether link has something to show among the visual geometries.
static bool has_visual(const graze_robot *robot, int32_t link) {
    for (size_t i = 0; i < graze_robot_visual_count(robot); i++) {
        graze_geometry g;
        if (graze_robot_visual(robot, i, &g) == GRAZE_OK && g.owner == link &&
            (g.vertices || g.shape != GRAZE_SHAPE_MESH))
            return true;
    }
    return false;
}

/// Whether a link stands where the last pose has it.
static bool stands(const gz_picture *p, const graze_transform *links, int32_t link) {
    size_t last = (p->pose_count - 1) * graze_robot_link_count(p->robot);
    const double *a = links[link].m, *b = p->links[last + (size_t)link].m;
    for (int k = 0; k < 12; k++)
        if (!(fabs(a[k] - b[k]) <= 1e-9)) return false;
    return true;
}

static bool add_robot(gz_drawing *d, const gz_picture *p, const graze_transform *links,
                      gz_role role) {
    for (size_t i = 0; p->visuals && i < graze_robot_visual_count(p->robot); i++) {
        graze_geometry g;
        if (graze_robot_visual(p->robot, i, &g) != GRAZE_OK) continue;
        if (role >= GZ_ROLE_GHOST && stands(p, links, g.owner)) continue;
        if (!add_geometry(d, p, &g, false, links, role)) return false;
    }
    for (size_t i = 0; i < graze_robot_collision_count(p->robot); i++) {
        graze_geometry g;
        if (graze_robot_collision(p->robot, i, &g) != GRAZE_OK) continue;
        if (p->visuals && has_visual(p->robot, g.owner)) continue;
        if (role >= GZ_ROLE_GHOST && stands(p, links, g.owner)) continue;
        if (!add_geometry(d, p, &g, false, links, role)) return false;
    }
    return true;
}

/// What row k of the poses is.
static gz_role pose_role(const gz_picture *p, size_t k) {
    if (k + 1 == p->pose_count) return GZ_ROLE_ROBOT;
    if (k == 0 && (p->start || p->ends)) return GZ_ROLE_START;
    if (k == 1 && p->ends) return GZ_ROLE_GOAL;
    return GZ_ROLE_GHOST;
}

bool gz_drawing_make(gz_drawing *drawing, const gz_picture *picture) {
    *drawing = (gz_drawing){0};
    size_t links = graze_robot_link_count(picture->robot);
    for (size_t k = 0; k < picture->pose_count; k++)
        if (!add_robot(drawing, picture, picture->links + k * links, pose_role(picture, k)))
            return false;
    size_t objects = picture->world ? graze_world_object_count(picture->world) : 0;
    for (size_t i = 0; i < objects; i++) {
        graze_geometry g;
        if (graze_world_object(picture->world, i, &g) != GRAZE_OK) continue;
        if (!add_geometry(drawing, picture, &g, true, NULL, GZ_ROLE_WORLD)) return false;
    }
    return true;
}

void gz_drawing_free(gz_drawing *drawing) {
    gz_free(drawing->triangles);
    gz_free(drawing->items);
    *drawing = (gz_drawing){0};
}
