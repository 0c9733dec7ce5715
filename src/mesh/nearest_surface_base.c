// The baseline of the processor: SSE2 on x86-64, else the scalar twin.
#define DISTANCE_AMONG gz_surface_distance_among_base
#define STEPS_BELOW    gz_surface_steps_below_base
#include "mesh/prefilter/nearest_surface.inl"
