// The filters for the baseline of the processor.
#include "check/batch_filter.inl"
#include "check/link_finder.inl"
#include "check/query_filter.inl"

const gz_filter_kernels gz_filter_kernels_base = {pose_query,      take_query,   list_pairs,
                                                  bound_pairs,     find_least,   place_pair,
                                                  list_candidates, filter_block, find_pairs};
