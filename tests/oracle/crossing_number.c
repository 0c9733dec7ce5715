#include "crossing_number.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posed_mesh.h"

// ------------------------------------------------------------------------------------- welding

static const double *sort_base;

static int compare_points(const void *a, const void *b) {
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    for (size_t k = 0; k < 3; k++) {
        double x = sort_base[3 * (size_t)i + k], y = sort_base[3 * (size_t)j + k];
        if (x != y) return x < y ? -1 : 1;
    }
    return (i > j) - (i < j);
}

static void weld(crossing_mesh *m, const double *vertices, size_t count, uint32_t *index) {
    uint32_t *order = allocate(count, sizeof *order);
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
    sort_base = vertices;
    qsort(order, count, sizeof *order, compare_points);
    for (size_t i = 0; i < count; i++) {
        const double *p = vertices + 3 * (size_t)order[i];
        const double *last = m->vertices + 3 * (m->vertex_count - 1);
        if (i == 0 || p[0] != last[0] || p[1] != last[1] || p[2] != last[2])
            memcpy(m->vertices + 3 * m->vertex_count++, p, 3 * sizeof *p);
        index[order[i]] = (uint32_t)m->vertex_count - 1;
    }
    free(order);
}

/// Labels spread along triangles until nothing changes: each vertex gets the lowest triangle that
/// hangs together with it.
static void find_components(crossing_mesh *m) {
    for (size_t v = 0; v < m->vertex_count; v++) m->of_vertex[v] = UINT32_MAX;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t t = 0; t < m->triangle_count; t++) {
            uint32_t low = (uint32_t)t;
            for (size_t k = 0; k < 3; k++) {
                uint32_t label = m->of_vertex[m->triangles[3 * t + k]];
                if (label < low) low = label;
            }
            for (size_t k = 0; k < 3; k++) {
                uint32_t *label = &m->of_vertex[m->triangles[3 * t + k]];
                changed |= *label != low;
                *label = low;
            }
        }
    }
    uint32_t *number = allocate(m->triangle_count, sizeof *number);
    m->first = allocate(m->triangle_count, sizeof *m->first);
    for (size_t t = 0; t < m->triangle_count; t++)
        if (m->of_vertex[m->triangles[3 * t]] == t) {
            m->first[m->component_count] = (uint32_t)t;
            number[t] = (uint32_t)m->component_count++;
        }
    for (size_t v = 0; v < m->vertex_count; v++)
        if (m->of_vertex[v] != UINT32_MAX) m->of_vertex[v] = number[m->of_vertex[v]];
    for (size_t t = 0; t < m->triangle_count; t++)
        m->of_triangle[t] = m->of_vertex[m->triangles[3 * t]];
    free(number);
}

// ---------------------------------------------------------------------------------------- caps

typedef struct border {
    uint32_t from, to; // from < to; net: how many more triangles run that way
    int net;
} border;

static int compare_borders(const void *a, const void *b) {
    const border *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static size_t find_borders(const crossing_mesh *m, border *out) {
    size_t count = 0, kept = 0;
    for (size_t t = 0; t < m->triangle_count; t++)
        for (size_t k = 0; k < 3; k++) {
            uint32_t p = m->triangles[3 * t + k], q = m->triangles[3 * t + (k + 1) % 3];
            if (p != q) out[count++] = p < q ? (border){p, q, 1} : (border){q, p, -1};
        }
    qsort(out, count, sizeof *out, compare_borders);
    for (size_t i = 0, j; i < count; i = j) {
        border sum = out[i];
        for (j = i + 1; j < count && compare_borders(&out[j], &sum) == 0; j++)
            sum.net += out[j].net;
        if (sum.net) out[kept++] = sum;
    }
    return kept;
}

/// The mean as docs/solids.md defines it: the exact sum of the starting points, each as often as
/// its edge counts; its leading 64 bits as a double; that divided by their number, not beyond them.
static double mean_of(const crossing_mesh *m, const border *borders, const uint32_t *piece,
                      size_t count, uint32_t which, size_t axis) {
    mpz_t sum, term;
    mpz_inits(sum, term, NULL);
    long number = 0;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (piece[i] != which) continue;
        uint32_t start = borders[i].net > 0 ? borders[i].from : borders[i].to;
        double x = m->vertices[3 * (size_t)start + axis];
        low = fmin(low, x);
        high = fmax(high, x);
        mpz_set_d(term, ldexp(x, 152));
        mpz_mul_si(term, term, labs((long)borders[i].net));
        mpz_add(sum, sum, term);
        number += labs((long)borders[i].net);
    }
    int sign = mpz_sgn(sum);
    size_t bits = mpz_sizeinbase(sum, 2), cut = bits > 64 ? bits - 64 : 0;
    mpz_abs(sum, sum);
    mpz_tdiv_q_2exp(sum, sum, cut);
    double mean = ldexp((double)mpz_get_ui(sum), (int)cut - 152) / (double)number;
    mpz_clears(sum, term, NULL);
    mean = fmin(fmax(mean * sign, low), high);
    return fabs(mean) < 0x1p-100 ? 0 : mean;
}

static void cap_piece(crossing_mesh *m, const border *borders, const uint32_t *piece, size_t count,
                      uint32_t which) {
    size_t edges = 0;
    uint32_t apex = (uint32_t)(m->vertex_count + m->apex_count);
    for (size_t i = 0; i < count; i++) edges += piece[i] == which;
    for (size_t i = 0; i < count; i++) {
        if (piece[i] != which) continue;
        bool along = borders[i].net > 0;
        uint32_t from = along ? borders[i].from : borders[i].to,
                 to = along ? borders[i].to : borders[i].from;
        if (edges == 3) {
            // A ring of three is closed by one triangle: its third corner is the next edge's end.
            for (size_t j = 0; j < count; j++)
                if (piece[j] == which && j != i && (borders[j].from == to || borders[j].to == to))
                    apex = borders[j].from == to ? borders[j].to : borders[j].from;
        }
        uint32_t *cap = m->caps[m->cap_count];
        cap[0] = apex, cap[1] = to, cap[2] = from;
        m->counts[m->cap_count++] = abs(borders[i].net);
        if (edges == 3) return;
    }
    for (size_t k = 0; k < 3; k++)
        m->vertices[3 * (size_t)apex + k] = mean_of(m, borders, piece, count, which, k);
    m->apex_count++;
}

static void find_caps(crossing_mesh *m) {
    border *borders = allocate(3 * m->triangle_count, sizeof *borders);
    size_t count = find_borders(m, borders);
    uint32_t *piece = allocate(count, sizeof *piece);
    m->closed = allocate(m->component_count, sizeof *m->closed);
    m->caps = allocate(count, sizeof *m->caps);
    m->counts = allocate(count, sizeof *m->counts);
    for (size_t c = 0; c < m->component_count; c++) m->closed[c] = true;
    for (size_t i = 0; i < count; i++) {
        m->closed[m->of_vertex[borders[i].from]] = false;
        piece[i] = (uint32_t)i;
    }
    uint32_t *label = allocate(m->vertex_count, sizeof *label);
    for (size_t v = 0; v < m->vertex_count; v++) label[v] = UINT32_MAX;
    for (bool changed = true; changed;) { // labels again: the lowest edge that it is joined to
        changed = false;
        for (size_t i = 0; i < count; i++) {
            uint32_t *from = &label[borders[i].from], *to = &label[borders[i].to], low = piece[i];
            low = *from < low ? *from : low;
            low = *to < low ? *to : low;
            changed |= piece[i] != low || *from != low || *to != low;
            piece[i] = *from = *to = low;
        }
    }
    free(label);
    for (uint32_t i = 0; i < count; i++)
        if (piece[i] == i) cap_piece(m, borders, piece, count, i);
    free(borders);
    free(piece);
}

void crossing_mesh_init(crossing_mesh *m, const double *vertices, size_t vertex_count,
                        const uint32_t *triangles, size_t triangle_count) {
    *m = (crossing_mesh){.triangle_count = triangle_count};
    size_t capacity = vertex_count + triangle_count; // a piece has three edges at least
    m->vertices = allocate(3 * capacity, sizeof(double));
    m->snapped = allocate(3 * capacity, sizeof(double));
    m->triangles = allocate(3 * triangle_count, sizeof(uint32_t));
    m->of_triangle = allocate(triangle_count, sizeof(uint32_t));
    m->of_vertex = allocate(vertex_count, sizeof(uint32_t));
    uint32_t *index = allocate(vertex_count, sizeof *index);
    weld(m, vertices, vertex_count, index);
    for (size_t i = 0; i < 3 * triangle_count; i++) m->triangles[i] = index[triangles[i]];
    free(index);
    find_components(m);
    find_caps(m);
}

void crossing_mesh_clear(crossing_mesh *m) {
    free(m->vertices);
    free(m->snapped);
    free(m->triangles);
    free(m->of_triangle);
    free(m->of_vertex);
    free(m->closed);
    free(m->first);
    free(m->caps);
    free(m->counts);
    *m = (crossing_mesh){0};
}

void crossing_mesh_place(crossing_mesh *m, const graze_transform *pose) {
    for (size_t k = 0; k < 3; k++) {
        m->box[k] = INFINITY;
        m->box[3 + k] = -INFINITY;
    }
    for (size_t i = 0; i < m->vertex_count + m->apex_count; i++) {
        const double *v = m->vertices + 3 * i;
        graze_vec3 p = graze_transform_point(pose, (graze_vec3){v[0], v[1], v[2]});
        const double snapped[3] = {p.x, p.y, p.z};
        for (size_t k = 0; k < 3; k++) {
            m->snapped[3 * i + k] = snapped[k];
            m->box[k] = fmin(m->box[k], snapped[k]);
            m->box[3 + k] = fmax(m->box[3 + k], snapped[k]);
        }
    }
}

// ------------------------------------------------------------------------------------ crossings

typedef struct half_line {
    double p[3], d[3];
    uint64_t *exact;
} half_line;

/// det[u - p; v - p; w] for a direction w, or det[u - p; v - p; w - p], as integers in units of
/// 2^-152, to which every coordinate is a whole number.
static int rational_sign(const half_line *line, const double u[3], const double v[3],
                         const double *w) {
    mpz_t e[3][3], p, left, right, sum;
    mpz_inits(p, left, right, sum, NULL);
    for (int k = 0; k < 3; k++) {
        mpz_inits(e[0][k], e[1][k], e[2][k], NULL);
        mpz_set_d(p, ldexp(line->p[k], 152));
        mpz_set_d(e[0][k], ldexp(u[k], 152));
        mpz_set_d(e[1][k], ldexp(v[k], 152));
        mpz_set_d(e[2][k], w ? ldexp(w[k], 152) : line->d[k]);
        mpz_sub(e[0][k], e[0][k], p);
        mpz_sub(e[1][k], e[1][k], p);
        if (w) mpz_sub(e[2][k], e[2][k], p);
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        mpz_mul(left, e[1][i], e[2][j]);
        mpz_mul(right, e[1][j], e[2][i]);
        mpz_sub(left, left, right);
        mpz_addmul(sum, left, e[0][k]);
    }
    int sign = mpz_sgn(sum);
    for (int k = 0; k < 3; k++) mpz_clears(e[0][k], e[1][k], e[2][k], NULL);
    mpz_clears(p, left, right, sum, NULL);
    ++*line->exact;
    return sign;
}

/// The same, by doubles where 2^-45 of the sum of magnitudes, many times their error, tells.
static int sign_of(const half_line *line, const double u[3], const double v[3], const double *w) {
    double e[3][3], sum = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        e[0][k] = u[k] - line->p[k];
        e[1][k] = v[k] - line->p[k];
        e[2][k] = w ? w[k] - line->p[k] : line->d[k];
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double left = e[1][i] * e[2][j], right = e[1][j] * e[2][i];
        sum += e[0][k] * (left - right);
        size += fabs(e[0][k]) * (fabs(left) + fabs(right));
    }
    if (fabs(sum) > 0x1p-45 * size && fabs(sum) > 1e-250) return sum > 0 ? 1 : -1;
    return rational_sign(line, u, v, w);
}

/// Whether three points lie on a line with the point: seen along no axis do they turn.
static bool is_on_line(const half_line *line, const double *a, const double *b, const double *c) {
    half_line along = *line;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) along.d[i] = i == k;
        if (sign_of(&along, a, b, NULL) || sign_of(&along, b, c, NULL) ||
            sign_of(&along, c, a, NULL))
            return false;
    }
    return true;
}

/// What a triangle adds. False where the line meets the line of an edge within the triangle's
/// border: then another direction must be drawn.
static bool cross(const half_line *line, const double *a, const double *b, const double *c,
                  int *sum, int count) {
    int ab = sign_of(line, a, b, NULL), bc = sign_of(line, b, c, NULL);
    if (ab * bc < 0) return true;
    int ca = sign_of(line, c, a, NULL);
    if (ab * ca < 0 || bc * ca < 0) return true;
    if (ab == 0 && bc == 0 && ca == 0) return is_on_line(line, a, b, c);
    if (ab == 0 || bc == 0 || ca == 0) return false;
    // The line leaves through a triangle that turns left around it; before or behind the point?
    if (sign_of(line, a, b, c) == ab) *sum += ab * count;
    return true;
}

static bool count_crossings(const crossing_mesh *m, const half_line *line, bool cap, int *sum) {
    *sum = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *v = m->triangles + 3 * t;
        if (!cap && !m->closed[m->of_triangle[t]]) continue;
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue; // cancels itself
        if (!cross(line, m->snapped + 3 * (size_t)v[0], m->snapped + 3 * (size_t)v[1],
                   m->snapped + 3 * (size_t)v[2], sum, 1))
            return false;
    }
    for (size_t i = 0; cap && i < m->cap_count; i++) {
        const uint32_t *v = m->caps[i];
        if (!cross(line, m->snapped + 3 * (size_t)v[0], m->snapped + 3 * (size_t)v[1],
                   m->snapped + 3 * (size_t)v[2], sum, m->counts[i]))
            return false;
    }
    return true;
}

int crossing_number(const crossing_mesh *m, const double point[3], bool cap, gz_random *random,
                    uint64_t *exact) {
    half_line line = {.exact = exact};
    for (int k = 0; k < 3; k++) {
        if (point[k] < m->box[k] || point[k] > m->box[3 + k]) return 0;
        line.p[k] = point[k];
    }
    for (int tries = 0; tries < 100; tries++) {
        int sum;
        for (int k = 0; k < 3; k++)
            line.d[k] = (double)gz_random_below(random, 1U << 21) - (double)(1U << 20);
        if (count_crossings(m, &line, cap, &sum)) return sum;
    }
    give_up("crossing number", "no direction misses every edge");
}

bool crossing_mesh_cap_touches(const crossing_mesh *m, const double point[3], rational_clip *clip) {
    double p[9], t[9];
    for (size_t i = 0; i < 3; i++) memcpy(p + 3 * i, point, 3 * sizeof *p);
    for (size_t i = 0; i < m->cap_count; i++) {
        for (size_t k = 0; k < 3; k++)
            memcpy(t + 3 * k, m->snapped + 3 * (size_t)m->caps[i][k], 3 * sizeof *t);
        bool apart = false;
        for (int k = 0; k < 3; k++)
            apart |= point[k] < fmin(t[k], fmin(t[3 + k], t[6 + k])) ||
                     point[k] > fmax(t[k], fmax(t[3 + k], t[6 + k]));
        if (!apart && rational_clip_overlap(clip, p, t)) return true;
    }
    return false;
}
