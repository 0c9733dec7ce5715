// Nearest neighbours for the baseline of the processor.
#include "plan/nearest_search.inl"

const gz_nearest_search gz_nearest_search_base = search_nearest;
