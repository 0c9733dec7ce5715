#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/platform.h"
#include "lint/mesh_measure.h"
#include "load/mesh/mesh_reader.h"
#include "load/token.h"
#include "math/transform.h"
#include "mesh/mesh.h"

// ------------------------------------------------------------------------------------------- STL

static bool ends_like(const char *path, const char *ending) {
    size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcasecmp(path + n - m, ending) == 0;
}

static void read_stl(gz_stl_facts *out, const char *path, const char *bytes, size_t size) {
    enum { HEADER = 84, FACET = 50, COUNT_AT = 80 };
    bool fits = gz_stl_is_binary(bytes, size);
    if (!fits && (!ends_like(path, ".stl") || size < HEADER || gz_stl_is_ascii(bytes, size)))
        return;
    const unsigned char *b = (const unsigned char *)bytes + COUNT_AT;
    out->binary = true;
    out->says_solid = strncasecmp(bytes, "solid", 5) == 0;
    out->triangles = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
                     (uint32_t)b[3] << 24;
    out->wanted_bytes = HEADER + (uint64_t)FACET * out->triangles;
}

// --------------------------------------------------------------------------------------- Collada

/// A start tag: from behind '<' to its '>'.
typedef struct tag {
    const char *at, *end;
    size_t name; ///< length of its name
} tag;

static bool tag_is(const tag *t, const char *name) {
    return strlen(name) == t->name && memcmp(t->at, name, t->name) == 0;
}

/// The end of markup that begins at `at` with '<': behind it. Tags end at a '>' outside of quotes.
static const char *skip_markup(const char *at, const char *end) {
    static const struct {
        const char *open, *close;
    } others[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t n = strlen(others[i].open), m = strlen(others[i].close);
        if ((size_t)(end - at) < n || memcmp(at, others[i].open, n) != 0) continue;
        const char *close = gz_bytes_find(at + n, (size_t)(end - at) - n, others[i].close);
        return close ? close + m : end;
    }
    char quote = '\0';
    for (; at < end; at++) {
        if (quote) {
            if (*at == quote) quote = '\0';
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == '>') {
            return at + 1;
        }
    }
    return end;
}

/// The next start tag from *at on, which moves behind it; false at the end.
static bool next_tag(const char **at, const char *end, tag *out) {
    const char *open;
    while ((open = memchr(*at, '<', (size_t)(end - *at)))) {
        *at = skip_markup(open, end);
        if (open + 1 == end || strchr("/!?", open[1])) continue;
        *out = (tag){.at = open + 1, .end = *at};
        out->name = strcspn(out->at, " \t\r\n/>");
        if (out->at + out->name <= end) return true;
    }
    return false;
}

/// Copies the value of an attribute; false where there is none, or it is longer than fits.
static bool get_attribute(const tag *t, const char *name, char *out, size_t size) {
    const char *p = t->at + t->name;
    size_t n = strlen(name);
    while (p < t->end) {
        while (p < t->end && gz_is_space(*p)) p++;
        const char *begin = p;
        while (p < t->end && !gz_is_space(*p) && *p != '=' && *p != '>') p++;
        const char *stop = p;
        while (p < t->end && (gz_is_space(*p) || *p == '=')) p++;
        if (p >= t->end || (*p != '"' && *p != '\'')) return false;
        const char *close = memchr(p + 1, *p, (size_t)(t->end - p - 1));
        if (!close) return false;
        size_t length = (size_t)(close - p - 1);
        if ((size_t)(stop - begin) == n && memcmp(begin, name, n) == 0 && length < size) {
            memcpy(out, p + 1, length);
            out[length] = '\0';
            return true;
        }
        p = close + 1;
    }
    return false;
}

static void read_unit(gz_collada_claims *out, const tag *t) {
    char text[40];
    double meter;
    if (get_attribute(t, "meter", text, sizeof text) &&
        gz_number_parse(text, strlen(text), &meter) && meter > 0) {
        out->has_unit = true;
        out->meter = meter;
    }
    if (!get_attribute(t, "name", out->unit_name, sizeof out->unit_name)) out->unit_name[0] = '\0';
}

static void read_up(gz_collada_claims *out, const tag *t, const char *end) {
    const char *p = t->end;
    while (p < end && gz_is_space(*p)) p++;
    if (end - p < 4 || *p < 'X' || *p > 'Z' || memcmp(p + 1, "_UP", 3) != 0) return;
    out->has_up = true;
    out->up = (char)(*p - 'X' + 'x');
}

// ----------------------------------------------------------------------------- lights and cameras

/// An id that is there, or a reference to one, of a light (`what` 0) or a camera (1).
typedef struct name {
    char text[64];
    const char *at;
    int what;
} name;

typedef struct names {
    name *items;
    size_t count, capacity;
} names;

/// Names longer than fits are left out on both sides.
static bool add_name(names *list, const tag *t, const char *attribute, int what) {
    name n = {.at = t->at, .what = what};
    if (!get_attribute(t, attribute, n.text, sizeof n.text)) return true;
    if (!gz_array_reserve((void **)&list->items, &list->capacity, list->count + 1,
                          sizeof *list->items))
        return false;
    list->items[list->count++] = n;
    return true;
}

static int compare_names(const void *x, const void *y) {
    const name *a = x, *b = y;
    return a->what != b->what ? a->what - b->what : strcmp(a->text, b->text);
}

static int32_t line_of(const char *bytes, const char *at) {
    int32_t line = 1;
    for (const char *p = bytes; p < at; p++) line += *p == '\n';
    return line;
}

/// Counts references to ids that are not there. Those into other files ("other.dae#lamp") are left
/// out.
static void match_references(gz_collada_claims *out, const names *ids, const names *references,
                             const char *bytes) {
    for (size_t i = 0; i < references->count; i++) {
        const name *r = &references->items[i];
        name key = {.what = r->what};
        if (r->text[0] != '#') continue;
        memcpy(key.text, r->text + 1, sizeof key.text - 1);
        if (ids->count && bsearch(&key, ids->items, ids->count, sizeof *ids->items, compare_names))
            continue;
        if (!out->broken++) {
            snprintf(out->broken_name, sizeof out->broken_name, "%s", r->text);
            out->broken_line = line_of(bytes, r->at);
        }
    }
}

static bool read_collada(gz_collada_claims *out, const char *bytes, size_t size) {
    static const char *const definitions[] = {"light", "camera"};
    static const char *const instances[] = {"instance_light", "instance_camera"};
    const char *at = bytes, *end = bytes + size;
    names ids = {0}, references = {0};
    bool ok = true;
    *out = (gz_collada_claims){.is_collada = true, .meter = 1, .up = 'y'};
    for (tag t; ok && next_tag(&at, end, &t);) {
        // The first of each counts: what the asset of the document says comes first.
        if (!out->has_unit && tag_is(&t, "unit")) read_unit(out, &t);
        if (!out->has_up && tag_is(&t, "up_axis")) read_up(out, &t, end);
        for (int what = 0; what < 2; what++) {
            if (tag_is(&t, definitions[what])) ok = ok && add_name(&ids, &t, "id", what);
            if (tag_is(&t, instances[what])) ok = ok && add_name(&references, &t, "url", what);
        }
    }
    if (ids.count > 1) qsort(ids.items, ids.count, sizeof *ids.items, compare_names);
    if (ok) match_references(out, &ids, &references, bytes);
    gz_free(ids.items);
    gz_free(references.items);
    return ok;
}

static bool is_collada(const char *bytes, size_t size) {
    const char *at = bytes, *end = bytes + (size < 4096 ? size : 4096);
    tag t;
    return next_tag(&at, end, &t) && tag_is(&t, "COLLADA");
}

bool gz_mesh_facts_read(gz_mesh_facts *out, const char *path, const char *bytes, size_t size) {
    *out = (gz_mesh_facts){0};
    if (is_collada(bytes, size)) return read_collada(&out->collada, bytes, size);
    read_stl(&out->stl, path, bytes, size);
    return true;
}

// --------------------------------------------------------------------------------- simple shapes

/// Shares of the diagonal of the mesh's box: how far a vertex, and how far the middle of an edge or
/// triangle may be from the surface. A chord of a circle cut into n is R (1 - cos(pi/n)) inside it:
/// 0.049 R for n = 10, and the diagonal is at least 2 sqrt(2) R for a cylinder: 1.8 % of it.
#define VERTEX_SHARE 0.005
#define MIDDLE_SHARE 0.03
/// Area and volume, relative. A regular polygon of n sides has sin(2 pi/n) n / (2 pi) of its
/// circle: 0.935 for n = 10.
#define ROUND_SHARE 0.08
#define BOX_SHARE   0.02

/// A candidate: a frame, and the shape's size in it.
typedef struct candidate {
    graze_shape shape;
    double center[3], axis[3][3];
    double
        half[3]; ///< box: along the axes; cylinder: radius, radius, half the length along axis[2]
} candidate;

static void to_frame(const candidate *c, const double p[3], double out[3]) {
    double d[3];
    gz_subtract(p, c->center, d);
    for (int k = 0; k < 3; k++) out[k] = gz_dot(d, c->axis[k]);
}

/// Distance of a point from the surface of the shape; for points outside of a box or cylinder a
/// lower bound, which is as good: the shape contains every vertex by the way it is made.
static double distance(const candidate *c, const double p[3]) {
    double q[3];
    to_frame(c, p, q);
    if (c->shape == GRAZE_SHAPE_SPHERE) return fabs(c->half[0] - gz_norm(q));
    if (c->shape == GRAZE_SHAPE_CYLINDER)
        return fmin(fabs(c->half[0] - hypot(q[0], q[1])), fabs(c->half[2] - fabs(q[2])));
    double least = INFINITY;
    for (int k = 0; k < 3; k++) least = fmin(least, fabs(c->half[k] - fabs(q[k])));
    return least;
}

/// Whether the middles of all edges and triangles are near the surface.
static bool middles_follow(const candidate *c, const graze_mesh *mesh, double limit) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double middle[3] = {0};
        for (size_t i = 0; i < 3; i++) {
            const double *p = gz_mesh_corner(mesh, t, i), *q = gz_mesh_corner(mesh, t, (i + 1) % 3);
            double half[3];
            for (int k = 0; k < 3; k++) {
                half[k] = 0.5 * (p[k] + q[k]);
                middle[k] += p[k] / 3;
            }
            if (distance(c, half) > limit) return false;
        }
        if (distance(c, middle) > limit) return false;
    }
    return true;
}

/// Whether each corner of the box has a vertex near it.
static bool corners_are_there(const candidate *c, const graze_mesh *mesh, double limit) {
    unsigned seen = 0;
    for (size_t v = 0; v < mesh->vertex_count && seen != 255; v++) {
        double q[3], away = 0;
        to_frame(c, mesh->vertices + 3 * v, q);
        for (int k = 0; k < 3; k++) away = fmax(away, fabs(c->half[k] - fabs(q[k])));
        if (away <= limit) seen |= 1u << ((q[0] > 0) + 2 * (q[1] > 0) + 4 * (q[2] > 0));
    }
    return seen == 255;
}

static bool is_close(double value, double wanted, double share) {
    return fabs(value - wanted) <= share * wanted;
}

static bool sizes_agree(const candidate *c, double area, double volume) {
    const double *h = c->half, pi = M_PI;
    if (c->shape == GRAZE_SHAPE_BOX)
        return is_close(area, 8 * (h[0] * h[1] + h[1] * h[2] + h[2] * h[0]), BOX_SHARE) &&
               is_close(volume, 8 * h[0] * h[1] * h[2], BOX_SHARE);
    if (c->shape == GRAZE_SHAPE_CYLINDER)
        return is_close(area, 2 * pi * h[0] * (h[0] + 2 * h[2]), ROUND_SHARE) &&
               is_close(volume, 2 * pi * h[0] * h[0] * h[2], ROUND_SHARE);
    return is_close(area, 4 * pi * h[0] * h[0], ROUND_SHARE) &&
           is_close(volume, 4 * pi / 3 * h[0] * h[0] * h[0], ROUND_SHARE);
}

/// Sets the size, and along the axes the centre, so that the shape just holds every vertex.
static void enclose(candidate *c, const graze_mesh *mesh) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double radius = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        double q[3];
        to_frame(c, mesh->vertices + 3 * v, q);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], q[k]);
            high[k] = fmax(high[k], q[k]);
        }
        radius = fmax(radius, c->shape == GRAZE_SHAPE_SPHERE ? gz_norm(q) : hypot(q[0], q[1]));
    }
    bool box = c->shape == GRAZE_SHAPE_BOX;
    for (int k = 0; k < 3; k++) {
        c->half[k] = box || k == 2 ? 0.5 * (high[k] - low[k]) : radius;
        bool moves = box || (k == 2 && c->shape == GRAZE_SHAPE_CYLINDER);
        double shift = moves ? 0.5 * (high[k] + low[k]) : 0;
        for (int i = 0; i < 3; i++) c->center[i] += shift * c->axis[k][i];
    }
    if (c->shape == GRAZE_SHAPE_SPHERE) c->half[2] = radius;
}

static gz_mesh_fit try_candidate(candidate *c, const graze_mesh *mesh, double area, double volume) {
    const gz_mesh_fit none = {0};
    const graze_vec3 low = mesh->aabb.min, high = mesh->aabb.max;
    double diagonal = hypot(hypot(high.x - low.x, high.y - low.y), high.z - low.z);
    bool is_box = c->shape == GRAZE_SHAPE_BOX;
    enclose(c, mesh);
    if (!sizes_agree(c, area, volume)) return none;
    gz_mesh_fit fit = {.found = true,
                       .shape = c->shape,
                       .limit = VERTEX_SHARE * diagonal,
                       .size = {c->half[0], 2 * c->half[2]}};
    for (int k = 0; is_box && k < 3; k++) fit.size[k] = 2 * c->half[k];
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        fit.deviation = fmax(fit.deviation, distance(c, mesh->vertices + 3 * v));
        if (fit.deviation > fit.limit) return none;
    }
    return middles_follow(c, mesh, MIDDLE_SHARE * diagonal) &&
                   (!is_box || corners_are_there(c, mesh, 2 * fit.limit))
               ? fit
               : none;
}

/// The axes of candidate `number`, 0 to 5: three cyclic turns of the axes of the coordinates, then
/// of those of the oriented box.
static candidate make_candidate(const graze_mesh *mesh, graze_shape shape, int number) {
    candidate c = {.shape = shape};
    bool oriented = number >= 3;
    for (int k = 0; k < 3; k++) {
        int from = (k + number) % 3;
        for (int i = 0; i < 3; i++)
            c.axis[k][i] = oriented ? GZ_ARRAY3(mesh->obb.axis[from])[i] : (double)(i == from);
        c.center[k] = GZ_ARRAY3(mesh->sphere.center)[k];
    }
    return c;
}

gz_mesh_fit gz_mesh_fit_find(const graze_mesh *mesh, double area, double volume) {
    static const struct {
        graze_shape shape;
        int number;
    } tried[] = {{GRAZE_SHAPE_BOX, 0},      {GRAZE_SHAPE_BOX, 3},      {GRAZE_SHAPE_CYLINDER, 0},
                 {GRAZE_SHAPE_CYLINDER, 1}, {GRAZE_SHAPE_CYLINDER, 2}, {GRAZE_SHAPE_CYLINDER, 3},
                 {GRAZE_SHAPE_CYLINDER, 4}, {GRAZE_SHAPE_CYLINDER, 5}, {GRAZE_SHAPE_SPHERE, 0}};
    gz_mesh_fit fit = {0};
    for (size_t i = 0; !fit.found && i < sizeof tried / sizeof *tried; i++) {
        candidate c = make_candidate(mesh, tried[i].shape, tried[i].number);
        fit = try_candidate(&c, mesh, area, volume);
    }
    return fit;
}

// -------------------------------------------------------------------------- duplicate triangles

typedef struct corners {
    uint32_t vertex[3]; ///< ascending
} corners;

static int compare_corners(const void *x, const void *y) {
    const corners *a = x, *b = y;
    for (int i = 0; i < 3; i++)
        if (a->vertex[i] != b->vertex[i]) return a->vertex[i] < b->vertex[i] ? -1 : 1;
    return 0;
}

static bool count_duplicates(gz_mesh_measure *out, const graze_mesh *mesh) {
    corners *all = gz_malloc(mesh->triangle_count, sizeof *all);
    if (!all) return false;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *v = mesh->triangles + 3 * t;
        uint32_t low = v[0] < v[1] ? v[0] : v[1], high = v[0] ^ v[1] ^ low;
        low = v[2] < low ? v[2] : low;
        high = v[2] > high ? v[2] : high;
        all[t] = (corners){{low, v[0] ^ v[1] ^ v[2] ^ low ^ high, high}};
    }
    qsort(all, mesh->triangle_count, sizeof *all, compare_corners);
    for (size_t t = 1; t < mesh->triangle_count; t++)
        out->duplicate_count += compare_corners(&all[t - 1], &all[t]) == 0;
    gz_free(all);
    return true;
}

// -------------------------------------------------------------------------- shells inside others

/// Components beyond these are not searched, and no more pairs than these are tested: a mesh of
/// so many parts is reported for their number alone.
enum { MOST_COMPONENTS = 2000, MOST_TESTS = 2000 };

typedef struct shells {
    const graze_mesh *mesh;
    const graze_component_info *info;
    size_t *first;       ///< per component and one more: where its triangles begin in `order`
    uint32_t *order;     ///< triangles by component
    graze_mesh **meshes; ///< each component as a mesh of its own, made when it is first needed
    size_t tests;
} shells;

static bool order_triangles(shells *s) {
    const graze_mesh *mesh = s->mesh;
    size_t n = mesh->component_count, at = 0;
    s->first = gz_malloc(n + 1, sizeof *s->first);
    s->order = gz_malloc(mesh->triangle_count, sizeof *s->order);
    if (!s->first || !s->order) return false;
    for (size_t i = 0; i < n; i++) {
        s->first[i] = at;
        at += mesh->components[i].triangle_count;
    }
    for (size_t t = 0; t < mesh->triangle_count; t++)
        s->order[s->first[mesh->component_of[t]]++] = (uint32_t)t;
    // Each first has moved to the next one's place.
    for (size_t i = n; i > 0; i--) s->first[i] = s->first[i - 1];
    s->first[0] = 0;
    return true;
}

static bool make_component_mesh(shells *s, size_t c) {
    if (s->meshes[c]) return true;
    const graze_mesh *mesh = s->mesh;
    size_t n = mesh->components[c].triangle_count, count = 0;
    uint32_t *triangles = gz_malloc(n, 3 * sizeof *triangles);
    double *vertices = gz_malloc(3 * n, 3 * sizeof *vertices);
    for (size_t k = s->first[c]; triangles && vertices && k < s->first[c + 1]; k++)
        for (size_t i = 0; i < 3; i++, count++) {
            size_t vertex = mesh->triangles[3 * (size_t)s->order[k] + i];
            memcpy(vertices + 3 * count, mesh->vertices + 3 * vertex, 3 * sizeof *vertices);
            triangles[count] = (uint32_t)count;
        }
    const gz_soup soup = {
        .vertices = vertices, .vertex_count = 3 * n, .triangles = triangles, .triangle_count = n};
    if (triangles && vertices) gz_mesh_build(&s->meshes[c], &soup, NULL, false, GZ_MESH_LINK, NULL);
    gz_free(triangles);
    gz_free(vertices);
    return s->meshes[c] != NULL;
}

static bool is_boxed(const graze_aabb *in, const graze_aabb *out) {
    return out->min.x < in->min.x && out->min.y < in->min.y && out->min.z < in->min.z &&
           in->max.x < out->max.x && in->max.y < out->max.y && in->max.z < out->max.z;
}

/// Whether component b is inside component a, which is closed: surfaces apart, and b enclosed.
static bool test_inside(shells *s, size_t a, size_t b, bool *inside) {
    *inside = false;
    if (!make_component_mesh(s, a) || !make_component_mesh(s, b)) return false;
    graze_transform here = graze_transform_identity();
    graze_mesh_overlap result;
    s->tests++;
    graze_status status = graze_meshes_overlap(s->meshes[a], &here, s->meshes[b], &here,
                                               GRAZE_POLICY_SOLID, &result, NULL);
    // Of the two only b fits into the other, by their boxes.
    *inside = status == GRAZE_OK && result.overlap && result.contained;
    return status != GRAZE_ERROR_NO_MEMORY;
}

static bool search_container(shells *s, size_t b, gz_mesh_measure *out) {
    const graze_mesh *mesh = s->mesh;
    for (size_t a = 0; a < mesh->component_count; a++) {
        if (a == b || !mesh->components[a].closed || s->info[a].cavity ||
            !is_boxed(&mesh->components[b].box, &mesh->components[a].box))
            continue;
        if (s->tests == MOST_TESTS) {
            out->inner_partial = true;
            return true;
        }
        bool inside;
        if (!test_inside(s, a, b, &inside)) return false;
        out->inner_count += inside;
        if (inside) return true;
    }
    return true;
}

static bool count_inner(gz_mesh_measure *out, const graze_mesh *mesh,
                        const graze_component_info *info) {
    out->inner_partial = mesh->component_count > MOST_COMPONENTS;
    if (out->inner_partial || mesh->component_count < 2) return true;
    shells s = {
        .mesh = mesh, .info = info, .meshes = gz_calloc(mesh->component_count, sizeof *s.meshes)};
    bool ok = s.meshes && order_triangles(&s);
    for (size_t b = 0; ok && b < mesh->component_count && !out->inner_partial; b++)
        ok = info[b].cavity || search_container(&s, b, out);
    for (size_t i = 0; s.meshes && i < mesh->component_count; i++) graze_mesh_free(s.meshes[i]);
    gz_free(s.meshes);
    gz_free(s.first);
    gz_free(s.order);
    return ok;
}

// -------------------------------------------------------------------------------------------- all

double gz_triangle_area(const double *vertices, const uint32_t triangle[3]) {
    const double *a = vertices + 3 * (size_t)triangle[0];
    double e[3], f[3], n[3];
    gz_subtract(vertices + 3 * (size_t)triangle[1], a, e);
    gz_subtract(vertices + 3 * (size_t)triangle[2], a, f);
    gz_cross(e, f, n);
    return 0.5 * gz_norm(n);
}

double gz_surface_area(const double *vertices, const uint32_t *triangles, size_t count) {
    double sum = 0;
    for (size_t t = 0; t < count; t++) sum += gz_triangle_area(vertices, triangles + 3 * t);
    return sum;
}

bool gz_mesh_measure_make(gz_mesh_measure *out, const graze_mesh *mesh) {
    *out = (gz_mesh_measure){0};
    size_t count = mesh->component_count;
    graze_component_info *info = gz_malloc(count, sizeof *info);
    bool ok = info && graze_mesh_solids(mesh, &out->solids, info, count, NULL) == GRAZE_OK &&
              count_duplicates(out, mesh) && count_inner(out, mesh, info);
    for (size_t i = 0; ok && i < count; i++) {
        out->volume += info[i].volume;
        out->reversed_count += info[i].reversed && !info[i].cavity;
    }
    gz_free(info);
    if (!ok) return false;
    out->area = gz_surface_area(mesh->vertices, mesh->triangles, mesh->triangle_count);
    if (!out->solids.open_count) out->fit = gz_mesh_fit_find(mesh, out->area, fabs(out->volume));
    return true;
}
