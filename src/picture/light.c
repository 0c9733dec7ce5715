#include "picture/light.h"

#include "base/thread.h"
#include "picture/vector.h"

// ---------------------------------------------------------------------------------------- lamps

enum { SKY_MAP = 320, KEY_MAP = 704 };

/// Point i of n spread evenly over the upper half sphere, by the golden angle.
static graze_vec3 sky_direction(int i, int n) {
    double z = 1 - (i + 0.5) / n, angle = i * M_PI * (3 - sqrt(5.0));
    double r = sqrt(1 - z * z);
    return vec(r * cos(angle), r * sin(angle), z);
}

static void set_frame(gz_lamp *lamp) {
    graze_vec3 side = fabs(lamp->direction.z) > 0.9 ? vec(1, 0, 0) : vec(0, 0, 1);
    lamp->right = vec_unit(vec_cross(side, lamp->direction));
    lamp->up = vec_cross(lamp->direction, lamp->right);
}

static void place_sky(gz_lights *lights) {
    for (int i = 0; i < GZ_SKY_LAMPS; i++) {
        gz_lamp *lamp = &lights->lamps[i];
        lamp->direction = sky_direction(i, GZ_SKY_LAMPS);
        // A unit of light from everywhere adds up to 1 on a level surface: the mean of the cosine
        // over the half sphere is a half. The horizon is a little warmer than the zenith.
        double unit = 2.0 / GZ_SKY_LAMPS, height = lamp->direction.z;
        lamp->color = vec(unit * 0.50 * (1.04 - 0.10 * height),
                          unit * 0.50 * (1.01 - 0.02 * height),
                          unit * 0.50 * (0.98 + 0.08 * height));
        set_frame(lamp);
    }
}

/// The key lamp: above the camera's left shoulder, as a disc of a few degrees, for soft edges.
static void place_key(gz_lights *lights, const gz_camera *camera) {
    graze_vec3 level = vec_unit(vec(camera->forward.x, camera->forward.y, 0));
    graze_vec3 left = vec(-camera->right.x, -camera->right.y, 0);
    lights->key = vec_unit(
        vec_add(vec_add(vec_scale(left, 0.75), vec_scale(level, -0.55)), vec(0, 0, 1.15)));
    gz_lamp frame = {.direction = lights->key};
    set_frame(&frame);
    for (int i = 0; i < GZ_KEY_LAMPS; i++) {
        gz_lamp *lamp = &lights->lamps[GZ_SKY_LAMPS + i];
        double r = 0.036 * sqrt((i + 0.5) / GZ_KEY_LAMPS), angle = i * M_PI * (3 - sqrt(5.0));
        lamp->key = true;
        lamp->direction = vec_unit(
            vec_add(lights->key, vec_add(vec_scale(frame.right, r * cos(angle)),
                                         vec_scale(frame.up, r * sin(angle)))));
        lamp->color = vec(0.74 / GZ_KEY_LAMPS, 0.71 / GZ_KEY_LAMPS, 0.66 / GZ_KEY_LAMPS);
        set_frame(lamp);
    }
}

/// From a point relative to the lights' center to the texels of the lamp's map, from its middle,
/// and to the depth along the lamp: a parallel projection, in which the ball of the lights fills
/// the map.
static void map_matrix(const gz_lights *lights, const gz_lamp *lamp, mat3 out) {
    double scale = 0.5 * lamp->map.width / lights->radius;
    graze_vec3_to_cglm(vec_scale(lamp->right, scale), out[0]);
    graze_vec3_to_cglm(vec_scale(lamp->up, scale), out[1]);
    graze_vec3_to_cglm(lamp->direction, out[2]);
    glm_mat3_transpose(out);
}

static gz_projection lamp_projection(const gz_lights *lights, const gz_lamp *lamp) {
    gz_projection out = {.origin = lights->center};
    mat3 to_map;
    map_matrix(lights, lamp, to_map);
    glm_mat4_identity(out.matrix);
    glm_mat4_ins3(to_map, out.matrix);
    out.matrix[3][0] = out.matrix[3][1] = 0.5f * (float)lamp->map.width;
    return out;
}

/// Whether an item casts shadows: floors, walls and ceilings would leave everything dark.
static bool casts(const gz_drawn_geometry *item, double radius) {
    if (item->role >= GZ_ROLE_GHOST) return false;
    if (item->role != GZ_ROLE_WORLD && !item->touched_object) return true;
    return vec_length(vec_sub(item->box.max, item->box.min)) < 3.2 * radius;
}

/// The maps to be drawn, shared out among threads.
typedef struct map_work {
    gz_lights *lights;
    const gz_drawing *drawing;
    double radius;
    uint32_t threads;
} map_work;

static void draw_maps(void *user, uint32_t thread) {
    const map_work *w = user;
    for (uint32_t i = thread; i < GZ_LAMPS; i += w->threads) {
        gz_lamp *lamp = &w->lights->lamps[i];
        gz_projection view = lamp_projection(w->lights, lamp);
        for (size_t k = 0; k < w->drawing->count; k++) {
            const gz_draw_triangle *t = &w->drawing->triangles[k];
            if (!casts(&w->drawing->items[t->item], w->radius)) continue;
            gz_corner corner[3];
            for (int c = 0; c < 3; c++) gz_project(&view, t->corner[c], &corner[c]);
            gz_raster_triangle(&lamp->map, corner, (int32_t)k, false);
        }
    }
}

bool gz_lights_make(gz_lights *lights, const gz_drawing *drawing, const gz_focus *focus,
                    const gz_camera *camera, uint32_t threads) {
    *lights = (gz_lights){.center = focus->center, .radius = 1.6 * focus->radius};
    place_sky(lights);
    place_key(lights, camera);
    for (int i = 0; i < GZ_LAMPS; i++) {
        int32_t size = lights->lamps[i].key ? KEY_MAP : SKY_MAP;
        if (!gz_raster_make(&lights->lamps[i].map, size, size, false)) return false;
    }
    map_work work = {lights, drawing, focus->radius, threads};
    gz_thread_run(threads, draw_maps, &work);
    return true;
}

void gz_lights_free(gz_lights *lights) {
    for (int i = 0; i < GZ_LAMPS; i++) gz_raster_free(&lights->lamps[i].map);
}

/// A lamp as gz_lights_shine() needs it.
typedef struct beam {
    mat3 to_map;
    vec3 direction;
    vec3 color;
    float offset, middle, last;
} beam;

static beam make_beam(const gz_lights *lights, const gz_lamp *lamp) {
    beam b = {.offset = (float)(3.2 * lights->radius / lamp->map.width),
              .middle = 0.5f * (float)lamp->map.width - 0.5f,
              .last = (float)lamp->map.width - 1};
    map_matrix(lights, lamp, b.to_map);
    graze_vec3_to_cglm(lamp->direction, b.direction);
    graze_vec3_to_cglm(lamp->color, b.color);
    return b;
}

/// The share of a lamp's light that arrives at a point, 0 to 1. `cosine` is that of the angle of
/// incidence.
static float visible(beam *b, const gz_raster *map, gz_lit_point *p, float cosine) {
    // A step off the surface, of about a texel of the map, keeps a surface from shading itself.
    vec3 at, step;
    glm_mat3_mulv(b->to_map, p->point, at);
    glm_mat3_mulv(b->to_map, p->normal, step);
    float limit = at[2] + b->offset * (cosine + 0.2f);
    float x = at[0] + b->offset * step[0] + b->middle, y = at[1] + b->offset * step[1] + b->middle;
    if (!(x >= 0 && y >= 0 && x < b->last && y < b->last)) return 1;
    int32_t ix = (int32_t)x, iy = (int32_t)y;
    const float *low = map->depth + (size_t)iy * (size_t)map->width + ix;
    const float *high = low + map->width;
    float fx = x - (float)ix, fy = y - (float)iy;
    // Between the answers of the four texels around, of which most often all are the same.
    int seen = (low[0] <= limit) + 2 * (low[1] <= limit) + 4 * (high[0] <= limit) +
               8 * (high[1] <= limit);
    if (seen == 0 || seen == 15) return seen ? 1 : 0;
    float a = (seen & 1 ? 1 - fx : 0) + (seen & 2 ? fx : 0);
    float c = (seen & 4 ? 1 - fx : 0) + (seen & 8 ? fx : 0);
    return a * (1 - fy) + c * fy;
}

void gz_lights_shine(const gz_lights *lights, gz_lit_point *points, size_t count) {
    for (int i = 0; i < GZ_LAMPS; i++) {
        const gz_lamp *lamp = &lights->lamps[i];
        beam b = make_beam(lights, lamp);
        for (size_t k = 0; k < count; k++) {
            gz_lit_point *p = &points[k];
            float cosine = glm_vec3_dot(p->normal, b.direction);
            if (cosine <= 0) continue;
            float seen = visible(&b, &lamp->map, p, cosine);
            if (lamp->key) p->key_seen += seen / GZ_KEY_LAMPS;
            glm_vec3_muladds(b.color, cosine * seen, p->sum);
        }
    }
}

// -------------------------------------------------------------------------------------- shading

static double clamp01(double x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static double smooth_step(double low, double high, double x) {
    double t = clamp01((x - low) / (high - low));
    return t * t * (3 - 2 * t);
}

static graze_vec3 mix(graze_vec3 a, graze_vec3 b, double t) {
    return vec_add(a, vec_scale(vec_sub(b, a), t));
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
static graze_vec3 background(const gz_scene *scene, double y) {
    const graze_vec3 top = {0.60, 0.68, 0.76}, bottom = {0.86, 0.89, 0.91};
    return mix(top, bottom, smooth_step(-0.1, 0.75, y / scene->height));
}

/// The point in floats, without light.
static gz_lit_point make_point(const gz_scene *scene, graze_vec3 point, graze_vec3 normal) {
    gz_lit_point out = {.key_seen = 0};
    graze_vec3_to_cglm(vec_sub(point, scene->lights->center), out.point);
    graze_vec3_to_cglm(normal, out.normal);
    return out;
}

/// The light that a surface reflects towards the eye.
static graze_vec3 reflect(const gz_scene *scene, const gz_lit_point *p, graze_vec3 to_eye,
                          const double color[3], double gloss) {
    // Light from the floor and from everywhere, which nothing shadows.
    graze_vec3 normal = graze_vec3_from_cglm(p->normal);
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
    return vec(out[0], out[1], out[2]);
}

/// The share of a grid line within `width` around x, for lines that are `pitch` apart.
static double grid_line(double x, double pitch, double width) {
    double away = fabs(x / pitch - floor(x / pitch + 0.5)) * pitch;
    double thick = most(0.006 * pitch, 0.7 * width);
    return clamp01((thick + width - away) / (2 * width)) * clamp01(0.012 * pitch / width);
}

/// The floor: shadows and a faint grid, fading into the background.
static graze_vec3 floor_color(const gz_scene *scene, const gz_fragment *fragment,
                              const gz_lit_point *p) {
    static const double white[3] = {0.80, 0.82, 0.84};
    double radius = scene->focus->radius;
    graze_vec3 lit = reflect(scene, p, vec_scale(fragment->ray, -1), white, 0);
    // A pixel's footprint: wide along the view where the floor is seen at a grazing angle.
    double pitch = radius > 6 ? 5 : radius > 0.6 ? 0.5 : 0.1;
    double width = fragment->away / scene->camera->scale / most(0.15, -fragment->ray.z);
    graze_vec3 at = vec_add(graze_vec3_from_cglm(p->point), scene->lights->center);
    double line = most(grid_line(at.x, pitch, width), grid_line(at.y, pitch, width));
    graze_vec3 grid = {lit.x * 0.80, lit.y * 0.82, lit.z * 0.84};
    return mix(background(scene, fragment->y), mix(lit, grid, 0.9 * line), fragment->fade);
}

static bool find_floor(const gz_scene *scene, gz_fragment *fragment, gz_lit_point *point) {
    const gz_focus *focus = scene->focus;
    const gz_camera *camera = scene->camera;
    double t = (focus->floor - camera->eye.z) / fragment->ray.z;
    if (!(fragment->ray.z < 0) || !(t > 0)) return false;
    graze_vec3 p = vec_add(camera->eye, vec_scale(fragment->ray, t)), up = vec(0, 0, 1);
    double away = hypot(p.x - focus->center.x, p.y - focus->center.y);
    fragment->fade = 1 - smooth_step(1.1 * focus->radius, 3.6 * focus->radius, away);
    fragment->away = t;
    *point = make_point(scene, p, up);
    return fragment->fade > 0;
}

bool gz_fragment_find(const gz_scene *scene, int32_t id, double x, double y, gz_fragment *fragment,
                      gz_lit_point *point) {
    const gz_camera *camera = scene->camera;
    graze_vec3 ray = gz_camera_ray(camera, x, y);
    *fragment = (gz_fragment){.x = x, .y = y, .id = id, .ray = ray};
    if (id < 0) return find_floor(scene, fragment, point);
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

graze_vec3 gz_fragment_color(const gz_scene *scene, const gz_fragment *fragment,
                             const gz_lit_point *point) {
    if (fragment->id < 0)
        return fragment->fade > 0 ? floor_color(scene, fragment, point)
                                  : background(scene, fragment->y);
    const gz_draw_triangle *t = &scene->drawing->triangles[fragment->id];
    const gz_drawn_geometry *item = &scene->drawing->items[t->item];
    return reflect(scene, point, vec_scale(fragment->ray, -1), item->color, item->gloss);
}
