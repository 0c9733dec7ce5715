// Lists of all pairs of triangles that overlap, of meshes next to contact, against rational
// arithmetic for every pair: awkward meshes at lattice poses, where faces, edges and corners touch
// exactly, and one ulp off them; in every instruction set that GRAZE_ISA is called with.
//   contact_list [--poses N] [--seed S]
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "narrow/shape_pair.h"
#include "rational_clip.h"
#include "sample_mesh.h"

enum { MOST = 65536 };

typedef struct found {
    int64_t pairs[MOST][2];
    size_t count;
} found;

static void collect(void *user, int64_t a, int64_t b) {
    found *f = user;
    if (f->count == MOST) abort();
    f->pairs[f->count][0] = a;
    f->pairs[f->count++][1] = b;
}

static int compare(const void *x, const void *y) {
    const int64_t *a = x, *b = y;
    if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

static gz_shape draw_mesh(gz_random *r) {
    static const double low[3] = {-0.5, -0.5, -0.5}, high[3] = {0.5, 0.5, 0.5};
    sample_mesh m;
    switch (gz_random_below(r, 4)) {
    case 0:
        m = sample_box(low, high, 1 + gz_random_below(r, 4));
        break;
    case 1:
        m = sample_icosphere(0.5, 1);
        break;
    case 2:
        m = sample_needles(r, 30);
        break;
    default:
        m = sample_lattice(r, 80);
    }
    graze_mesh *mesh;
    if (graze_mesh_create(&mesh, m.vertices, m.vertex_count, m.triangles, m.triangle_count, NULL))
        abort();
    sample_mesh_clear(&m);
    gz_shape s;
    gz_shape_mesh(&s, mesh);
    return s;
}

/// Quarter turns and multiples of an eighth, some of them one ulp off; or anything.
static graze_transform draw_pose(gz_random *r) {
    static const double quarter[4] = {0, 0.70710678118654757, 1, -0.70710678118654757};
    double xyz[3], q[4] = {0, 0, 0, 1};
    bool lattice = gz_random_below(r, 4) != 0;
    if (!lattice)
        for (int k = 0; k < 4; k++) q[k] = gz_random_range(r, 0.1, 1);
    else if (gz_random_below(r, 2))
        q[gz_random_below(r, 3)] = quarter[gz_random_below(r, 4)];
    for (int k = 0; k < 3; k++) {
        xyz[k] = lattice ? (gz_random_below(r, 13) - 6.0) / 8 : gz_random_range(r, -0.7, 0.7);
        if (lattice && gz_random_below(r, 6) == 0)
            xyz[k] = nextafter(xyz[k], gz_random_below(r, 2) ? 9 : -9);
    }
    graze_transform out = graze_transform_from_xyz_quat(xyz, q);
    for (int i = 0; i < 12 && lattice; i++) // quarter turns exactly
        if (i % 4 < 3 && fabs(out.m[i] - nearbyint(out.m[i])) < 1e-9)
            out.m[i] = nearbyint(out.m[i]);
    return out;
}

/// Compares one list with all pairs; returns how many there are, or SIZE_MAX where it is wrong.
static size_t check(rational_clip *clip, const gz_shape *a, const graze_transform *pa,
                    const gz_shape *b, const graze_transform *pb, found *f) {
    f->count = 0;
    const gz_triangle_sink sink = {collect, f};
    gz_shape_rule rule = {
        .kernels = gz_kernels_choose(), .detail = GZ_DETAIL_WITNESS, .sink = &sink};
    gz_shape_contact contact;
    graze_stats stats = {0};
    bool hit = gz_shapes_collide(a, pa->m, b, pb->m, &rule, &contact, &stats);
    qsort(f->pairs, f->count, sizeof *f->pairs, compare);
    size_t next = 0;
    for (uint32_t i = 0; i < a->mesh->triangle_count; i++)
        for (uint32_t k = 0; k < b->mesh->triangle_count; k++) {
            double x[9], y[9];
            gz_triangle_snap(a->mesh, pa->m, i, (double(*)[3])x);
            gz_triangle_snap(b->mesh, pb->m, k, (double(*)[3])y);
            bool listed = next < f->count && f->pairs[next][0] == i && f->pairs[next][1] == k;
            if (listed != rational_clip_overlap(clip, x, y)) return SIZE_MAX;
            next += listed;
        }
    return next == f->count && hit == (f->count > 0 || contact.contained) ? f->count : SIZE_MAX;
}

int main(int argc, char **argv) {
    uint64_t poses = 2000, seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--poses") == 0) poses = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--seed") == 0) seed = strtoull(argv[i + 1], NULL, 10);
    }
    rational_clip *clip = rational_clip_create();
    found *f = malloc(sizeof *f);
    if (!clip || !f) return 3;
    uint64_t listed = 0, empty = 0, wrong = 0;
    for (uint64_t i = 0; i < poses; i++) {
        gz_random r = gz_random_make(seed, i);
        gz_shape a = draw_mesh(&r), b = draw_mesh(&r);
        graze_transform pa = draw_pose(&r), pb = draw_pose(&r);
        size_t count = check(clip, &a, &pa, &b, &pb, f);
        if (count == SIZE_MAX) {
            printf("pose %llu of seed %llu: not the list of all pairs\n", (unsigned long long)i,
                   (unsigned long long)seed);
            wrong++;
        } else {
            listed += count;
            empty += count == 0;
        }
        gz_shape_clear(&a);
        gz_shape_clear(&b);
    }
    printf("%llu poses: %llu pairs of triangles listed, %llu lists empty, %llu wrong\n",
           (unsigned long long)poses, (unsigned long long)listed, (unsigned long long)empty,
           (unsigned long long)wrong);
    rational_clip_free(clip);
    free(f);
    return wrong || listed < poses;
}
