// The baseline of the processor.
#define LANE_FILTER gz_lane_filter_base
#include "check/lane_body.h"
