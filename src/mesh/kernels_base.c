// Kernels of meshes for the baseline of the processor (SSE2 on x86-64, else the scalar twin), and
// the choice of an instruction set at run time.

#include "base/processor.h"
#include "mesh/prefilter/lattice.h"

#define DISTANCE_AMONG gz_surface_distance_among_base
#define STEPS_BELOW    gz_surface_steps_below_base
#include "mesh/prefilter/nearest_surface.inl"

float gz_surface_distance_among(const graze_mesh *mesh, const int32_t *subtrees, int count,
                                const float point[3], float most, uint64_t *left) {
#ifdef GRAZE_HAVE_AVX2
    if (gz_processor_has_avx2())
        return gz_surface_distance_among_avx2(mesh, subtrees, count, point, most, left);
#endif
    return gz_surface_distance_among_base(mesh, subtrees, count, point, most, left);
}

float gz_surface_steps_below(const graze_mesh *mesh, const float point[3], float most, float unit,
                             uint64_t *left) {
#ifdef GRAZE_HAVE_AVX2
    if (gz_processor_has_avx2()) return gz_surface_steps_below_avx2(mesh, point, most, unit, left);
#endif
    return gz_surface_steps_below_base(mesh, point, most, unit, left);
}
