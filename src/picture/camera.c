#include "picture/camera.h"

#include "picture/vector.h"

#define RADIANS 0.017453292519943295

static const double view_angle = 0.52; // tan of the half angle over the longer half side
static const double margin = 1.10;     // air around what is framed

static void box_add(graze_aabb *box, const graze_aabb *other) {
    box->min = vec_least(box->min, other->min);
    box->max = vec_most(box->max, other->max);
}

static double diagonal(const graze_aabb *box) {
    return vec_length(vec_sub(box->max, box->min));
}

/// The distance of two boxes; 0 where they overlap.
static double box_gap(const graze_aabb *a, const graze_aabb *b) {
    double x = most(0, most(a->min.x - b->max.x, b->min.x - a->max.x));
    double y = most(0, most(a->min.y - b->max.y, b->min.y - a->max.y));
    double z = most(0, most(a->min.z - b->max.z, b->min.z - a->max.z));
    return sqrt(x * x + y * y + z * z);
}

gz_focus gz_focus_find(const gz_drawing *d) {
    const graze_aabb none = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    graze_aabb robot = none, all = none;
    for (size_t i = 0; i < d->item_count; i++) {
        if (!d->items[i].count) continue;
        box_add(&all, &d->items[i].box);
        if (d->items[i].role != GZ_ROLE_WORLD && !d->items[i].touched_object)
            box_add(&robot, &d->items[i].box);
    }
    // A robot without geometry: the world; nothing at all: a metre about the origin.
    if (!(robot.min.x <= robot.max.x)) robot = all;
    if (!(robot.min.x <= robot.max.x)) robot = (graze_aabb){{-0.5, -0.5, 0}, {0.5, 0.5, 1}};
    double size = most(diagonal(&robot), 1e-3);

    // What is near the robot or touched by it; then what is small and stands on that.
    graze_aabb box = robot;
    for (int pass = 0; pass < 2; pass++) {
        graze_aabb base = pass ? box : robot;
        for (size_t i = 0; i < d->item_count; i++) {
            const gz_drawn_geometry *item = &d->items[i];
            if (!item->count || item->role == GZ_ROLE_ROBOT || item->role == GZ_ROLE_HIT) continue;
            double own = diagonal(&item->box), gap = box_gap(&item->box, &base);
            bool near = pass ? own < 0.5 * size && gap < 0.05 * size
                             : own < 1.5 * size && gap < 0.35 * size;
            if (near || (item->touched_object && own < 3 * size)) box_add(&box, &item->box);
        }
    }
    gz_focus focus = {.box = box, .center = vec_scale(vec_add(box.min, box.max), 0.5)};
    focus.radius = 0.5 * diagonal(&box);
    // Robots stand on z = 0 unless they reach below it.
    focus.floor = box.min.z > -0.02 * size ? least(0.0, box.min.z) : box.min.z;
    return focus;
}

gz_projection gz_camera_projection(const gz_camera *camera) {
    gz_projection out = {.origin = camera->eye, .near = (float)camera->near};
    vec3 right, up, forward;
    graze_vec3_to_cglm(camera->right, right);
    graze_vec3_to_cglm(camera->up, up);
    graze_vec3_to_cglm(camera->forward, forward);
    float scale = (float)camera->scale, cx = (float)camera->cx, cy = (float)camera->cy;
    for (int k = 0; k < 3; k++) {
        vec4 column = {cx * forward[k] + scale * right[k], cy * forward[k] - scale * up[k], 0,
                       forward[k]};
        glm_vec4_copy(column, out.matrix[k]);
    }
    glm_vec4_copy((vec4){0, 0, 1, 0}, out.matrix[3]); // depth 1 / z: linear on the screen
    return out;
}

bool gz_project(gz_projection *projection, graze_vec3 point, gz_corner *out) {
    vec4 p;
    graze_vec3_to_cglm(vec_sub(point, projection->origin), p);
    p[3] = 1;
    glm_mat4_mulv(projection->matrix, p, p);
    if (p[3] < projection->near) return false;
    glm_vec4_divs(p, p[3], p);
    *out = (gz_corner){(double)p[0], (double)p[1], (double)p[2]};
    return true;
}

graze_vec3 gz_camera_ray(const gz_camera *camera, double x, double y) {
    vec3 ray, right, up;
    graze_vec3_to_cglm(camera->forward, ray);
    graze_vec3_to_cglm(camera->right, right);
    graze_vec3_to_cglm(camera->up, up);
    glm_vec3_muladds(right, (float)((x - camera->cx) / camera->scale), ray);
    glm_vec3_muladds(up, (float)((camera->cy - y) / camera->scale), ray);
    glm_normalize(ray);
    return graze_vec3_from_cglm(ray);
}

/// Draws a triangle; false where a corner is behind the near plane.
static bool draw_whole(gz_projection *view, graze_vec3 a, graze_vec3 b, graze_vec3 c,
                       gz_raster *raster, int32_t id, bool sieve) {
    gz_corner corner[3];
    bool seen = gz_project(view, a, &corner[0]) && gz_project(view, b, &corner[1]) &&
                gz_project(view, c, &corner[2]);
    if (seen) gz_raster_triangle(raster, corner, id, sieve);
    return seen;
}

/// A triangle that reaches behind the near plane: cut there (Sutherland and Hodgman 1974).
static void draw_cut(const gz_camera *camera, gz_projection *view, const graze_vec3 corner[3],
                     gz_raster *raster, int32_t id, bool sieve) {
    graze_vec3 kept[4];
    int count = 0;
    for (int i = 0; i < 3; i++) {
        graze_vec3 a = corner[i], b = corner[(i + 1) % 3];
        double za = vec_dot(vec_sub(a, camera->eye), camera->forward) - camera->near * 1.001;
        double zb = vec_dot(vec_sub(b, camera->eye), camera->forward) - camera->near * 1.001;
        if (za >= 0) kept[count++] = a;
        if ((za >= 0) != (zb >= 0))
            kept[count++] = vec_add(a, vec_scale(vec_sub(b, a), za / (za - zb)));
    }
    for (int i = 2; i < count; i++)
        draw_whole(view, kept[0], kept[i - 1], kept[i], raster, id, sieve);
}

void gz_camera_draw(const gz_camera *camera, const gz_drawing *drawing, gz_raster *raster) {
    gz_projection view = gz_camera_projection(camera);
    gz_raster_clear(raster);
    for (size_t i = 0; i < drawing->count; i++) {
        const gz_draw_triangle *t = &drawing->triangles[i];
        bool sieve = drawing->items[t->item].role >= GZ_ROLE_GHOST;
        if (!draw_whole(&view, t->corner[0], t->corner[1], t->corner[2], raster, (int32_t)i, sieve))
            draw_cut(camera, &view, t->corner, raster, (int32_t)i, sieve);
    }
}

/// The four sides of the view as half spaces: the greatest value over everything framed.
typedef struct extent {
    double right, left, top, bottom;
} extent;

static void extend(extent *e, const gz_camera *c, graze_vec3 p, double tx, double ty) {
    double x = vec_dot(p, c->right), y = vec_dot(p, c->up), z = vec_dot(p, c->forward);
    e->right = most(e->right, x - tx * z);
    e->left = most(e->left, -x - tx * z);
    e->top = most(e->top, y - ty * z);
    e->bottom = most(e->bottom, -y - ty * z);
}

/// Places the camera, looking along a direction, as near as everything framed still fits. A point p
/// is right of the left side, for instance, if -(p - eye).r <= t (p - eye).f; the eye so follows
/// from the extremes of both sides.
static gz_camera fit(const gz_drawing *d, const gz_focus *focus, double azimuth, double elevation,
                     int32_t width, int32_t height) {
    double ca = cos(azimuth), sa = sin(azimuth), ce = cos(elevation), se = sin(elevation);
    gz_camera camera = {.near = 2e-3 * focus->radius,
                        .forward = vec(-ca * ce, -sa * ce, -se),
                        .right = vec(-sa, ca, 0),
                        .up = vec(-ca * se, -sa * se, ce),
                        .cx = 0.5 * width,
                        .cy = 0.5 * height};
    double longer = width > height ? width : height;
    camera.scale = 0.5 * longer / view_angle;
    double tx = 0.5 * width / camera.scale / margin, ty = 0.5 * height / camera.scale / margin;
    extent e = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    graze_vec3 low = focus->box.min, high = focus->box.max;
    for (size_t i = 0; i < d->count; i++) {
        for (int k = 0; k < 3; k++) {
            graze_vec3 p = d->triangles[i].corner[k];
            if (p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z &&
                p.z <= high.z)
                extend(&e, &camera, p, tx, ty);
        }
    }
    for (int k = 0; !(e.right > -HUGE_VAL) && k < 8; k++)
        extend(&e, &camera,
               vec(k & 1 ? low.x : high.x, k & 2 ? low.y : high.y, k & 4 ? low.z : high.z), tx, ty);
    double x = (e.right - e.left) / 2, y = (e.top - e.bottom) / 2;
    double z = least(-(e.right + e.left) / (2 * tx), -(e.top + e.bottom) / (2 * ty));
    camera.eye = vec_add(vec_add(vec_scale(camera.right, x), vec_scale(camera.up, y)),
                         vec_scale(camera.forward, z));
    return camera;
}

/// A view's score: samples of colliding links count most.
static double score_view(const gz_drawing *d, const gz_raster *raster) {
    double score = 0;
    for (size_t i = 0; i < (size_t)raster->width * (size_t)raster->height; i++) {
        if (raster->ids[i] < 0) continue;
        gz_role role = d->items[d->triangles[raster->ids[i]].item].role;
        score += role == GZ_ROLE_HIT       ? 4
                 : role == GZ_ROLE_ROBOT   ? 1
                 : role == GZ_ROLE_TOUCHED ? 0.7
                                           : 0;
    }
    return score;
}

gz_focus gz_focus_link(const gz_drawing *d, int32_t link) {
    gz_focus focus = gz_focus_find(d);
    graze_aabb box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < d->item_count; i++)
        if (d->items[i].count && d->items[i].link == link) box_add(&box, &d->items[i].box);
    if (!(box.min.x <= box.max.x)) return focus;
    focus.box = box;
    focus.center = vec_scale(vec_add(box.min, box.max), 0.5);
    focus.radius = most(0.5 * diagonal(&box), 1e-3);
    return focus;
}

/// The view that is given: fitted, or as far off as it says.
static gz_camera view_from(const gz_drawing *d, const gz_focus *focus, double azimuth,
                           double elevation, double distance, int32_t width, int32_t height) {
    gz_camera camera = fit(d, focus, azimuth, elevation, width, height);
    if (distance > 0) camera.eye = vec_add(focus->center, vec_scale(camera.forward, -distance));
    return camera;
}

bool gz_camera_choose(gz_camera *camera, const gz_drawing *drawing, const gz_focus *focus,
                      const gz_view *view, int32_t width, int32_t height) {
    if (view->given) {
        *camera = view_from(drawing, focus, view->azimuth * RADIANS, view->elevation * RADIANS,
                            view->distance, width, height);
        return true;
    }
    // Robots look along x. From the front at an angle is best; a view from behind or from high up
    // must show more to be taken.
    static const struct {
        double azimuth, elevation, weight;
    } views[] = {{-48, 20, 1},    {48, 20, 0.99},   {-25, 22, 0.85}, {-75, 20, 0.9},
                 {75, 20, 0.89},  {-115, 22, 0.85}, {115, 22, 0.84}, {-140, 24, 0.8},
                 {140, 24, 0.79}, {-48, 42, 0.72},  {48, 42, 0.71},  {-135, 45, 0.6},
                 {135, 45, 0.59}, {-48, 68, 0.4}};
    int32_t small_width = 192, small_height = (int32_t)most(16, 192.0 * height / width);
    gz_raster raster;
    if (!gz_raster_make(&raster, small_width, small_height, true)) return false;
    double best = -1;
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        double azimuth = views[i].azimuth * RADIANS, elevation = views[i].elevation * RADIANS;
        gz_camera small = fit(drawing, focus, azimuth, elevation, small_width, small_height);
        gz_camera_draw(&small, drawing, &raster);
        // What fills the picture from far off counts like what fills it from near.
        double score = (score_view(drawing, &raster) + 1) * views[i].weight;
        if (score <= best) continue;
        best = score;
        *camera = fit(drawing, focus, azimuth, elevation, width, height);
    }
    gz_raster_free(&raster);
    return true;
}
