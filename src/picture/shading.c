#include "picture/light.h"

#include "picture/vector.h"

static double clamp01(double x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static double smooth_step(double low, double high, double x) {
    double t = clamp01((x - low) / (high - low));
    return t * t * (3 - 2 * t);
}

static gz_color mix(gz_color a, gz_color b, double t) {
    return (gz_color){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

uint8_t gz_tone(double value) {
    // Linear up to a knee, then bent towards 1.
    const double knee = 0.78;
    double v = value < 0 ? 0 : value;
    if (v > knee) v = knee + (1 - knee) * (1 - exp(-(v - knee) / (1 - knee)));
    v = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
    return (uint8_t)(255 * clamp01(v) + 0.5);
}

/// A soft gradient from top to bottom.
static gz_color background(const gz_scene *scene, double y) {
    const gz_color top = {0.60, 0.68, 0.76}, bottom = {0.86, 0.89, 0.91};
    return mix(top, bottom, smooth_step(-0.1, 0.75, y / scene->height));
}

static graze_vec3 from_floats(const float v[3]) {
    return vec((double)v[0], (double)v[1], (double)v[2]);
}

/// The point as the lights want it; nothing has been added up yet.
static gz_lit_point make_point(const gz_scene *scene, graze_vec3 point, graze_vec3 normal) {
    graze_vec3 p = vec_sub(point, scene->lights->center);
    return (gz_lit_point){.point = {(float)p.x, (float)p.y, (float)p.z},
                          .normal = {(float)normal.x, (float)normal.y, (float)normal.z}};
}

/// What a surface sends to the eye of the light that arrives.
static gz_color reflect(const gz_scene *scene, const gz_lit_point *p, graze_vec3 to_eye,
                        const double color[3], double gloss) {
    // Light from the floor and from everywhere, which nothing shadows.
    graze_vec3 normal = from_floats(p->normal);
    double bounce = 0.10 + 0.09 * (0.5 - 0.5 * normal.z);
    // A rim from behind on the right sets the outline off.
    graze_vec3 behind = vec_unit(
        vec_add(vec_scale(scene->camera->forward, 0.8),
                vec_add(vec_scale(scene->camera->right, 0.7), vec(0, 0, 0.7))));
    double grazing = 1 - clamp01(vec_dot(normal, to_eye));
    double rim = 0.40 * grazing * grazing * grazing * clamp01(vec_dot(normal, behind) + 0.15);
    double highlight = 0;
    if (gloss > 0 && p->key_seen > 0) {
        graze_vec3 half = vec_unit(vec_add(scene->lights->key, to_eye));
        highlight = 0.30 * gloss * (double)p->key_seen *
                    pow(clamp01(vec_dot(normal, half)), 12 + 60 * gloss);
    }
    double white = highlight + rim * gloss * 0.6, out[3];
    for (int k = 0; k < 3; k++)
        out[k] = color[k] * ((double)p->sum[k] + bounce + rim * 0.4) + white;
    return (gz_color){out[0], out[1], out[2]};
}

/// How much of a grid line lies within a stretch of `width` around x, lines being `pitch` apart.
static double grid_line(double x, double pitch, double width) {
    double away = fabs(x / pitch - floor(x / pitch + 0.5)) * pitch;
    double thick = most(0.006 * pitch, 0.7 * width);
    return clamp01((thick + width - away) / (2 * width)) * clamp01(0.012 * pitch / width);
}

/// The floor: shadows and a faint grid, fading into the background.
static gz_color floor_color(const gz_scene *scene, const gz_sight *sight, const gz_lit_point *p) {
    static const double white[3] = {0.80, 0.82, 0.84};
    double radius = scene->focus->radius;
    gz_color lit = reflect(scene, p, vec_scale(sight->ray, -1), white, 0);
    // A pixel's footprint: wide along the view where the floor is seen at a grazing angle.
    double pitch = radius > 6 ? 5 : radius > 0.6 ? 0.5 : 0.1;
    double width = sight->away / scene->camera->scale / most(0.15, -sight->ray.z);
    graze_vec3 at = vec_add(from_floats(p->point), scene->lights->center);
    double line = most(grid_line(at.x, pitch, width), grid_line(at.y, pitch, width));
    gz_color grid = {lit.r * 0.80, lit.g * 0.82, lit.b * 0.84};
    return mix(background(scene, sight->y), mix(lit, grid, 0.9 * line), sight->fade);
}

static bool find_floor(const gz_scene *scene, gz_sight *sight, gz_lit_point *point) {
    const gz_focus *focus = scene->focus;
    const gz_camera *camera = scene->camera;
    double t = (focus->floor - camera->eye.z) / sight->ray.z;
    if (!(sight->ray.z < 0) || !(t > 0)) return false;
    graze_vec3 p = vec_add(camera->eye, vec_scale(sight->ray, t)), up = vec(0, 0, 1);
    double away = hypot(p.x - focus->center.x, p.y - focus->center.y);
    sight->fade = 1 - smooth_step(1.1 * focus->radius, 3.6 * focus->radius, away);
    sight->away = t;
    *point = make_point(scene, p, up);
    return sight->fade > 0;
}

bool gz_sight_find(const gz_scene *scene, int32_t id, double x, double y, gz_sight *sight,
                   gz_lit_point *point) {
    const gz_camera *camera = scene->camera;
    graze_vec3 ray = gz_camera_ray(camera, x, y);
    *sight = (gz_sight){.x = x, .y = y, .id = id, .ray = ray};
    if (id < 0) return find_floor(scene, sight, point);
    const gz_draw_triangle *t = &scene->drawing->triangles[id];

    // Where the ray meets the triangle, and its barycentric coordinates (Moeller and Trumbore).
    graze_vec3 e1 = vec_sub(t->corner[1], t->corner[0]), e2 = vec_sub(t->corner[2], t->corner[0]);
    graze_vec3 h = vec_cross(ray, e2), s = vec_sub(camera->eye, t->corner[0]);
    double det = vec_dot(e1, h), u = 1.0 / 3, v = 1.0 / 3;
    if (fabs(det) > 1e-300) {
        u = clamp01(vec_dot(s, h) / det);
        v = clamp01(vec_dot(ray, vec_cross(s, e1)) / det);
        if (u + v > 1) {
            u /= u + v;
            v = 1 - u;
        }
    }
    graze_vec3 p = vec_add(t->corner[0], vec_add(vec_scale(e1, u), vec_scale(e2, v)));
    graze_vec3 normal = vec_unit(
        vec_add(vec_scale(t->normal[0], 1 - u - v),
                vec_add(vec_scale(t->normal[1], u), vec_scale(t->normal[2], v))));
    // Both sides are seen: open meshes have no inside, and some files are wound inwards.
    double side = vec_dot(t->face, ray) > 0 ? -1 : 1;
    *point = make_point(scene, p, vec_scale(normal, side));
    return true;
}

gz_color gz_sight_color(const gz_scene *scene, const gz_sight *sight, const gz_lit_point *point) {
    if (sight->id < 0)
        return sight->fade > 0 ? floor_color(scene, sight, point) : background(scene, sight->y);
    const gz_draw_triangle *t = &scene->drawing->triangles[sight->id];
    const gz_drawn_part *part = &scene->drawing->parts[t->part];
    return reflect(scene, point, vec_scale(sight->ray, -1), part->color, part->gloss);
}
