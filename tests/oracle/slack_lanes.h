/// What float lanes claim of eight triangles, in each instruction set: see slack.c.
#ifndef GRAZE_TESTS_SLACK_LANES_H
#define GRAZE_TESTS_SLACK_LANES_H

#include "mesh/mesh.h"

/// Squares of distances that a point has at least from the triangles of a packet.
typedef void slack_lanes(const gz_packet *packet, const float at[3], float squares[GZ_WIDTH]);

slack_lanes slack_lanes_base, slack_lanes_scalar;
#ifdef GRAZE_HAVE_AVX2
slack_lanes slack_lanes_avx2;
#endif

#endif
