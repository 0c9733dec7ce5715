// The kernels with AVX2, where the compiler has it; chosen at run time by the processor.
#ifdef GRAZE_HAVE_AVX2
#define BATCH_FILTER gz_batch_filter_avx2
#define QUERY_STAGES gz_query_stages_avx2
#define LINK_FINDER  gz_link_finder_avx2
#include "check/batch_filter.inl"
#include "check/link_finder.inl"
#include "check/query_filter.inl"
#else
typedef int gz_no_kernels_avx2; // a translation unit must declare something
#endif
