// Kernels of meshes for the baseline of the processor (SSE2 on x86-64, else the scalar twin), and
// the choice of an instruction set at run time.

#include "base/processor.h"
#include "mesh/prefilter/lattice.h"

#define NEAREST_SURFACE gz_nearest_surface_base
#include "mesh/prefilter/nearest_surface.inl"

float gz_nearest_surface(const graze_mesh *mesh, const int32_t *subtrees, int count,
                         const float point[3], float most, float unit, uint64_t *left) {
#ifdef GRAZE_HAVE_AVX2
    if (gz_isa_of_process() == GZ_ISA_AVX2)
        return gz_nearest_surface_avx2(mesh, subtrees, count, point, most, unit, left);
#endif
    return gz_nearest_surface_base(mesh, subtrees, count, point, most, unit, left);
}
