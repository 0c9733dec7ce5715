/// Eight points of one mesh, in the frame of another.
#ifndef GZ_NARROW_MOVED_POINTS_H
#define GZ_NARROW_MOVED_POINTS_H

#include "math/lanes.h"
#include "mesh/mesh.h"

typedef struct moved_points {
    gz_f8 x[3];
} moved_points;

static inline gz_f8 madd(gz_f8 sum, gz_f8 a, float b) {
    return gz_f8_muladd(a, gz_f8_all(b), sum);
}

static inline moved_points move_group(const float r[3][3], const float t[3],
                                      const float (*group)[GZ_WIDTH]) {
    moved_points out;
    gz_f8 x = gz_f8_load(group[0]), y = gz_f8_load(group[1]), z = gz_f8_load(group[2]);
    for (int i = 0; i < 3; i++)
        out.x[i] = madd(madd(madd(gz_f8_all(t[i]), x, r[i][0]), y, r[i][1]), z, r[i][2]);
    return out;
}

#endif
