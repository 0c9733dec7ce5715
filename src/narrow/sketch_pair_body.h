// The kernel of sketch_pair.h: included by one source file per instruction set, file-local.
//
// A hit is a vertex of one mesh in a cell of the other's inside map: the closed components there
// wind around it, all together. Where that mesh counts as solid, this is a collision: the vertex's
// component crosses a closed one or lies inside. Where only its surface counts (or where caps could
// make a cavity of that place), the component must also stick out: a connected surface with points
// that are wound around and points that are not meets a closed one.
//
// Apart is a plane between the two: GJK (Gilbert, Johnson and Keerthi 1988) looks for one between
// the corners of the sketches; what it finds is proved on the trees, or not believed.

#include "math/lanes.h"
#include "narrow/kernel.h"
#include "narrow/prefilter/cell_lanes.h"
#include "narrow/prefilter/proxy_pair.inl"

// ------------------------------------------------------------------------------------------- hits

/// The way of a mesh's points into the cells of another's inside map.
typedef struct cell_frame {
    const gz_inside_map *map;
    float r[3][3], t[3];       ///< to cells, half a cell less: a cell is the nearest whole number
    float middle[3], reach[3]; ///< of the lattice, a quarter of a cell less on all sides
    float step[2];             ///< cells of a row, rows of a layer
} cell_frame;

/// With u = 2^-24 and lengths of sketch_pair.c, in metres: R over the edge of a cell rounds once
/// more, 3 u rA of a vertex; so do t less the lattice's corner, which is at most 2 rB and some
/// cells away, and its way to cells, 4 u |t| + 6 u rB, and the sum with them, 7 u rB: 16 u S in
/// all, less than `error`, which is less than the map's pad: of the two pads around a cell that no
/// triangle comes near, 0.9 are for that, as much for this.
static inline void prepare_cells(cell_frame *f, const gz_inside_map *map, const float r[3][3],
                                 const float t[3]) {
    f->map = map;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) f->r[i][j] = r[i][j] * map->inverse;
        f->t[i] = (t[i] - map->low[i]) * map->inverse - 0.5f;
        f->middle[i] = 0.5f * (float)map->count[i] - 0.5f;
        f->reach[i] = 0.5f * (float)map->count[i] - 0.25f;
    }
    f->step[0] = (float)map->count[0];
    f->step[1] = (float)map->count[1];
}

/// Whether one of eight points is in a cell that is inside; adds the lanes that are outside of the
/// lattice or within a quarter of a cell of its end, and so by more than a cell outside of the
/// mesh's box, to *out.
static inline bool find_inside(const cell_frame *f, const float (*group)[GZ_WIDTH], unsigned *out) {
    moved_points p = move_group(f->r, f->t, group);
    gz_f8 beyond = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 off = gz_f8_abs(gz_f8_sub(p.x[k], gz_f8_all(f->middle[k])));
        beyond = gz_f8_or(beyond, gz_f8_greater(off, gz_f8_all(f->reach[k])));
    }
    unsigned beyond_mask = gz_f8_mask(beyond);
    *out |= beyond_mask;
    if (beyond_mask == 0xff) return false;
    gz_f8 index = gz_f8_muladd(gz_f8_whole(p.x[2]), gz_f8_all(f->step[1]), gz_f8_whole(p.x[1]));
    index = gz_f8_muladd(index, gz_f8_all(f->step[0]), gz_f8_whole(p.x[0]));
    return any_cell_inside(f->map, index, beyond);
}

/// Whether a probe of a mesh shows that it meets the owner of the map. The lengths of what holds
/// the probes and of what would hold that are off by twice the error, together.
static inline bool probes_meet(const gz_mesh_proxy *probes, const float r[3][3], const float t[3],
                               const gz_mesh_proxy *owner, bool solid, float error) {
    cell_frame f;
    prepare_cells(&f, &owner->inside, r, t);
    bool in = false;
    unsigned out = solid || probes->span > owner->enclosure + 2 * (double)error;
    for (int g = 0; g < probes->probes.count; g++) {
        unsigned beyond = 0;
        in = find_inside(&f, probes->probes.group[g], &beyond) || in;
        out |= beyond;
        if (in && out) return true;
    }
    return false;
}

static inline bool sketches_meet(const gz_proxy_pair *p) {
    const gz_mesh_proxy *a = p->a->proxy, *b = p->b->proxy;
    if (b->inside.word_count && p->error < b->inside.pad &&
        probes_meet(a, p->r, p->t, b, p->solid_b && !p->cap_b, p->error))
        return true;
    if (!a->inside.word_count || !(p->error < a->inside.pad)) return false;
    float r[3][3], t[3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) r[i][j] = p->r[j][i];
        t[i] = -((p->r[0][i] * p->t[0] + p->r[1][i] * p->t[1]) + p->r[2][i] * p->t[2]);
    }
    return probes_meet(b, (const float(*)[3])r, t, a, p->solid_a && !p->cap_a, p->error);
}

static gz_proxy_answer judge_sketches(gz_proxy_pair *p) {
    if (p->part) {
        gz_proxy_answer answer = judge_part(p);
        if (answer != GZ_PROXY_UNKNOWN || !p->b->proxy) return answer;
    }
    if (p->b->proxy->clearance.cell_count) return judge_scene(p);
    if (p->meet && sketches_meet(p)) return GZ_PROXY_OVERLAP;
    return !p->hits_only && sketches_apart(p) ? GZ_PROXY_APART : GZ_PROXY_UNKNOWN;
}
