// The filters with AVX2, where the compiler has it; chosen at run time by the processor.
#ifdef GRAZE_HAVE_AVX2
#include "check/batch_filter.inl"
#include "check/link_finder.inl"
#include "check/query_filter.inl"

const gz_filter_kernels gz_filter_kernels_avx2 = {pose_query,      take_query,   list_pairs,
                                                  bound_pairs,     find_least,   place_pair,
                                                  list_candidates, filter_block, find_pairs};
#else
typedef int gz_no_check_avx2; // a translation unit must declare something
#endif
