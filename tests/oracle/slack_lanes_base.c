// The baseline of the processor.
#define SLACK_LANES slack_lanes_base
#include "slack_lanes.inl"
