// Without vector instructions.
#ifndef GRAZE_SCALAR
#define GRAZE_SCALAR
#endif
#define SLACK_LANES slack_lanes_scalar
#include "slack_lanes.inl"
