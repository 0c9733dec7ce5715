/// What float_lanes.h says, without any such instructions; included by it only.
#ifndef GZ_PLANAR_FLOAT_LANES_SCALAR_H
#define GZ_PLANAR_FLOAT_LANES_SCALAR_H

GZ_F8_EACH(gz_f8_keep, x < 0 ? y : 0)

static inline gz_f8 gz_f8_round(gz_d8 a) {
    gz_f8 out;
    for (int i = 0; i < GZ_LANES; i++) out.v[i] = (float)a.part[i];
    return out;
}
static inline void gz_f8_store_whole(int32_t *p, gz_f8 a) {
    for (int i = 0; i < GZ_LANES; i++) p[i] = (int32_t)a.v[i];
}
static inline gz_d gz_d_load_whole(const int32_t *p) {
    return *p;
}
static inline void gz_f8_store_wide(double *p, gz_f8 a) {
    for (int i = 0; i < GZ_LANES; i++) p[i] = (double)a.v[i];
}

#endif
