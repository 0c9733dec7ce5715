// The baseline of the processor.
#define QUICK_NAME gz_polygon_quick_base
#include "planar/distance/polygon_quick.inl"
