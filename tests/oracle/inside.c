#include "inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posed_mesh.h"

struct inside_mesh {
    size_t vertex_count, triangle_count, component_count;
    double *vertices, *snapped;
    uint32_t *triangles; // sorted by component
    uint32_t *place;     // of a triangle, as given, among the sorted
    uint32_t *of_vertex; // its component
    uint32_t *vertex;    // some vertex of each component
    uint32_t *first;     // of each component's triangles, and the end
    unsigned char *closed;
    double *boxes; // low 3, high 3 per component
    double box[6]; // around all
    graze_transform pose;
};

// ----------------------------------------------------------------------------------- components

static uint32_t find_root(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// Numbers the components of vertices that triangles join; vertices without a triangle get one too.
static void find_components(inside_mesh *m, const uint32_t *triangles) {
    uint32_t *parent = allocate(m->vertex_count, sizeof *parent);
    for (uint32_t i = 0; i < m->vertex_count; i++) parent[i] = i;
    for (size_t t = 0; t < m->triangle_count; t++)
        for (size_t k = 0; k < 2; k++)
            parent[find_root(parent, triangles[3 * t + k])] = find_root(parent,
                                                                        triangles[3 * t + k + 1]);
    for (uint32_t i = 0; i < m->vertex_count; i++)
        if (find_root(parent, i) == i) m->of_vertex[i] = (uint32_t)m->component_count++;
    for (uint32_t i = 0; i < m->vertex_count; i++)
        m->of_vertex[i] = m->of_vertex[find_root(parent, i)];
    m->vertex = allocate(m->component_count, sizeof *m->vertex);
    for (uint32_t i = 0; i < m->vertex_count; i++) m->vertex[m->of_vertex[i]] = i;
    free(parent);
}

static void sort_triangles(inside_mesh *m, const uint32_t *triangles) {
    m->first = allocate(m->component_count + 2, sizeof *m->first);
    uint32_t *end = m->first + 1; // while sorting: where the next triangle goes
    for (size_t t = 0; t < m->triangle_count; t++) end[m->of_vertex[triangles[3 * t]] + 1]++;
    for (size_t c = 0; c < m->component_count; c++) end[c + 1] += end[c];
    for (size_t t = 0; t < m->triangle_count; t++) {
        m->place[t] = end[m->of_vertex[triangles[3 * t]]]++;
        memcpy(m->triangles + 3 * (size_t)m->place[t], triangles + 3 * t, 3 * sizeof *triangles);
    }
}

static int compare_edges(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    for (int k = 0; k < 2; k++)
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    return 0;
}

// Closed: as many triangles run along each edge one way as the other.
static void find_closed(inside_mesh *m) {
    uint32_t(*edges)[3] = allocate(3 * m->triangle_count, sizeof *edges);
    size_t count = 0;
    for (size_t t = 0; t < m->triangle_count; t++)
        for (size_t k = 0; k < 3; k++) {
            uint32_t p = m->triangles[3 * t + k], q = m->triangles[3 * t + (k + 1) % 3];
            edges[count][0] = p < q ? p : q;
            edges[count][1] = p < q ? q : p;
            edges[count++][2] = p < q;
        }
    qsort(edges, count, sizeof *edges, compare_edges);
    memset(m->closed, 1, m->component_count);
    for (size_t i = 0, j; i < count; i = j) {
        int64_t sum = 0;
        for (j = i; j < count && compare_edges(edges[i], edges[j]) == 0; j++)
            sum += edges[j][0] == edges[j][1] ? 0 : edges[j][2] ? 1 : -1;
        if (sum != 0) m->closed[m->of_vertex[edges[i][0]]] = 0;
    }
    free(edges);
}

inside_mesh *inside_mesh_create(const double *vertices, size_t vertex_count,
                                const uint32_t *triangles, size_t triangle_count) {
    inside_mesh *m = allocate(1, sizeof *m);
    m->vertex_count = vertex_count;
    m->triangle_count = triangle_count;
    m->vertices = allocate(3 * vertex_count, sizeof(double));
    m->snapped = allocate(3 * vertex_count, sizeof(double));
    memcpy(m->vertices, vertices, 3 * vertex_count * sizeof(double));
    m->triangles = allocate(3 * triangle_count, sizeof(uint32_t));
    m->place = allocate(triangle_count, sizeof(uint32_t));
    m->of_vertex = allocate(vertex_count, sizeof(uint32_t));
    find_components(m, triangles);
    sort_triangles(m, triangles);
    m->closed = allocate(m->component_count, 1);
    find_closed(m);
    m->boxes = allocate(6 * m->component_count, sizeof(double));
    return m;
}

void inside_mesh_free(inside_mesh *m) {
    if (!m) return;
    free(m->vertices);
    free(m->snapped);
    free(m->triangles);
    free(m->place);
    free(m->of_vertex);
    free(m->vertex);
    free(m->first);
    free(m->closed);
    free(m->boxes);
    free(m);
}

void inside_mesh_place(inside_mesh *m, const graze_transform *pose) {
    if (memcmp(&m->pose, pose, sizeof *pose) == 0) return;
    m->pose = *pose;
    for (size_t k = 0; k < 3; k++) {
        m->box[k] = INFINITY;
        m->box[3 + k] = -INFINITY;
    }
    for (size_t c = 0; c < m->component_count; c++) memcpy(m->boxes + 6 * c, m->box, sizeof m->box);
    for (size_t i = 0; i < m->vertex_count; i++) {
        const double *v = m->vertices + 3 * i;
        graze_vec3 p = graze_transform_point(pose, (graze_vec3){v[0], v[1], v[2]});
        const double snapped[3] = {p.x, p.y, p.z};
        double *box = m->boxes + 6 * (size_t)m->of_vertex[i];
        for (size_t k = 0; k < 3; k++) {
            m->snapped[3 * i + k] = snapped[k];
            if (snapped[k] < box[k]) box[k] = snapped[k];
            if (snapped[k] > box[3 + k]) box[3 + k] = snapped[k];
        }
    }
    for (size_t c = 0; c < m->component_count; c++)
        for (size_t k = 0; k < 3; k++) {
            m->box[k] = fmin(m->box[k], m->boxes[6 * c + k]);
            m->box[3 + k] = fmax(m->box[3 + k], m->boxes[6 * c + 3 + k]);
        }
}

// ---------------------------------------------------------------------------------- solid angles

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// A sum of angles in (-pi, pi], each that of a complex number: their product, and the whole turns
// that it does not show. One arc tangent per sum instead of one per angle.
typedef struct angle_sum {
    double re, im;
    int turns;
} angle_sum;

static void add_angle(angle_sum *sum, double re, double im) {
    double r = sum->re * re - sum->im * im, i = sum->re * im + sum->im * re;
    if (sum->im >= 0 && im >= 0 && i < 0) sum->turns++;
    if (sum->im < 0 && im < 0 && i >= 0) sum->turns--;
    double size = fabs(r) + fabs(i);
    bool extreme = size < 1e-200 || size > 1e200;
    sum->re = extreme ? r / size : r;
    sum->im = extreme ? i / size : i;
}

// Adds half the solid angle of a triangle seen from p, positive from inside.
static void add_triangle(const inside_mesh *m, const uint32_t *corners, const double p[3],
                         angle_sum *sum) {
    double v[3][3], length[3];
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 3; k++) v[i][k] = m->snapped[3 * (size_t)corners[i] + k] - p[k];
        length[i] = sqrt(dot(v[i], v[i]));
    }
    double det = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
                 v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                 v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    add_angle(sum,
              length[0] * length[1] * length[2] + dot(v[0], v[1]) * length[2] +
                  dot(v[1], v[2]) * length[0] + dot(v[2], v[0]) * length[1],
              det);
}

static bool is_in_box(const double box[6], const double p[3]) {
    for (int k = 0; k < 3; k++)
        if (p[k] < box[k] || p[k] > box[3 + k]) return false;
    return true;
}

bool inside_mesh_holds(const inside_mesh *m, const double p[3]) {
    angle_sum sum = {1, 0, 0};
    if (!is_in_box(m->box, p)) return false;
    for (size_t c = 0; c < m->component_count; c++) {
        // Around a point outside its box a closed component winds 0 times.
        if (!m->closed[c] || !is_in_box(m->boxes + 6 * c, p)) continue;
        for (size_t t = m->first[c]; t < m->first[c + 1]; t++)
            add_triangle(m, m->triangles + 3 * t, p, &sum);
    }
    // Half of 4 pi is one turn.
    double rest = atan2(sum.im, sum.re) / (2 * acos(-1)), whole = round(rest);
    return fabs(rest - whole) < 1e-6 && sum.turns + (int)whole != 0;
}

bool inside_mesh_holds_component(const inside_mesh *m, const inside_mesh *inner, size_t triangle,
                                 size_t *count) {
    uint32_t component = inner->of_vertex[inner->triangles[3 * (size_t)inner->place[triangle]]];
    for (size_t i = 0; i < inner->vertex_count; i++) {
        if (inner->of_vertex[i] != component) continue;
        if (!inside_mesh_holds(m, inner->snapped + 3 * i)) return false;
        ++*count;
    }
    return true;
}

bool inside_mesh_holds_some(const inside_mesh *m, const inside_mesh *inner) {
    for (size_t c = 0; c < inner->component_count; c++)
        if (inside_mesh_holds(m, inner->snapped + 3 * (size_t)inner->vertex[c])) return true;
    return false;
}
