// The kernels for the baseline of the processor.
#define BATCH_FILTER gz_batch_filter_base
#define QUERY_STAGES gz_query_stages_base
#define LINK_FINDER  gz_link_finder_base
#include "check/batch_filter.inl"
#include "check/link_finder.inl"
#include "check/query_filter.inl"
