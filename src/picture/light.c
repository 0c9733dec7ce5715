#include "picture/light.h"

#include "picture/picture.h"
#include "picture/vector.h"

#define PI 3.14159265358979323846

enum { SKY_MAP = 320, KEY_MAP = 704 };

/// Point i of n spread evenly over the upper half sphere, by the golden angle.
static graze_vec3 sky_direction(int i, int n) {
    double z = 1 - (i + 0.5) / n, angle = i * PI * (3 - sqrt(5.0));
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
        lamp->color[0] = unit * 0.50 * (1.04 - 0.10 * height);
        lamp->color[1] = unit * 0.50 * (1.01 - 0.02 * height);
        lamp->color[2] = unit * 0.50 * (0.98 + 0.08 * height);
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
        double r = 0.036 * sqrt((i + 0.5) / GZ_KEY_LAMPS), angle = i * PI * (3 - sqrt(5.0));
        lamp->key = true;
        lamp->direction = vec_unit(
            vec_add(lights->key, vec_add(vec_scale(frame.right, r * cos(angle)),
                                         vec_scale(frame.up, r * sin(angle)))));
        lamp->color[0] = 0.74 / GZ_KEY_LAMPS;
        lamp->color[1] = 0.71 / GZ_KEY_LAMPS;
        lamp->color[2] = 0.66 / GZ_KEY_LAMPS;
        set_frame(lamp);
    }
}

static gz_corner project(const gz_lights *lights, const gz_lamp *lamp, graze_vec3 point) {
    graze_vec3 p = vec_sub(point, lights->center);
    double scale = 0.5 * lamp->map.width / lights->radius;
    return (gz_corner){0.5 * lamp->map.width + scale * vec_dot(p, lamp->right),
                       0.5 * lamp->map.height + scale * vec_dot(p, lamp->up),
                       vec_dot(p, lamp->direction)};
}

/// Whether a part throws shadows: floors, walls and ceilings would leave everything dark.
static bool casts(const gz_drawn_part *part, double radius) {
    if (part->role == GZ_ROLE_GHOST) return false;
    if (part->role != GZ_ROLE_WORLD && !part->touched_object) return true;
    return vec_length(vec_sub(part->box.max, part->box.min)) < 3.2 * radius;
}

/// The maps to be drawn, shared out among threads.
typedef struct map_work {
    gz_lights *lights;
    const gz_drawing *drawing;
    double radius;
    int32_t threads;
} map_work;

static void draw_maps(void *user, int32_t thread) {
    const map_work *w = user;
    for (int i = thread; i < GZ_LAMPS; i += w->threads) {
        gz_lamp *lamp = &w->lights->lamps[i];
        for (size_t k = 0; k < w->drawing->count; k++) {
            const gz_draw_triangle *t = &w->drawing->triangles[k];
            if (!casts(&w->drawing->parts[t->part], w->radius)) continue;
            gz_corner corner[3];
            for (int c = 0; c < 3; c++) corner[c] = project(w->lights, lamp, t->corner[c]);
            gz_raster_triangle(&lamp->map, corner, (int32_t)k, false);
        }
    }
}

bool gz_lights_make(gz_lights *lights, const gz_drawing *drawing, const gz_focus *focus,
                    const gz_camera *camera) {
    *lights = (gz_lights){.center = focus->center, .radius = 1.6 * focus->radius};
    place_sky(lights);
    place_key(lights, camera);
    for (int i = 0; i < GZ_LAMPS; i++) {
        int32_t size = lights->lamps[i].key ? KEY_MAP : SKY_MAP;
        if (!gz_raster_make(&lights->lamps[i].map, size, size, false)) return false;
    }
    map_work work = {lights, drawing, focus->radius, gz_parallel_count()};
    gz_parallel_run(work.threads, draw_maps, &work);
    return true;
}

void gz_lights_free(gz_lights *lights) {
    for (int i = 0; i < GZ_LAMPS; i++) gz_raster_free(&lights->lamps[i].map);
}

/// A lamp as gz_lights_shine() needs it.
typedef struct beam {
    float direction[3], right[3], up[3]; ///< right and up: texels per metre
    float offset, middle, last;
    float color[3];
} beam;

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void set(float out[3], graze_vec3 v, double scale) {
    out[0] = (float)(v.x * scale);
    out[1] = (float)(v.y * scale);
    out[2] = (float)(v.z * scale);
}

/// How much of a lamp arrives at a point, 0 to 1. `cosine` is that of the angle of incidence.
static float visible(const beam *b, const gz_raster *map, const gz_lit_point *p, float cosine) {
    // A step off the surface, of about a texel of the map, keeps a surface from shading itself.
    float x = dot(p->point, b->right) + b->offset * dot(p->normal, b->right) + b->middle;
    float y = dot(p->point, b->up) + b->offset * dot(p->normal, b->up) + b->middle;
    if (!(x >= 0 && y >= 0 && x < b->last && y < b->last)) return 1;
    float limit = dot(p->point, b->direction) + b->offset * (cosine + 0.2f);
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
        double scale = 0.5 * lamp->map.width / lights->radius;
        beam b = {.offset = (float)(0.8 / scale * 2),
                  .middle = 0.5f * (float)lamp->map.width - 0.5f,
                  .last = (float)lamp->map.width - 1};
        set(b.direction, lamp->direction, 1);
        set(b.right, lamp->right, scale);
        set(b.up, lamp->up, scale);
        for (int c = 0; c < 3; c++) b.color[c] = (float)lamp->color[c];
        for (size_t k = 0; k < count; k++) {
            gz_lit_point *p = &points[k];
            float cosine = dot(p->normal, b.direction);
            if (cosine <= 0) continue;
            float seen = visible(&b, &lamp->map, p, cosine);
            if (lamp->key) p->key_seen += seen / GZ_KEY_LAMPS;
            for (int c = 0; c < 3; c++) p->sum[c] += cosine * seen * b.color[c];
        }
    }
}
