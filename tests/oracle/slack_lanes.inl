// Included by one source file per instruction set, which defines SLACK_LANES (the identifier of the
// function) first.
#include "mesh/bvh/triangle_lanes.h"
#include "slack_lanes.h"

void SLACK_LANES(const gz_packet *packet, const float at[3], float squares[GZ_WIDTH]) {
    lanes3 v[3];
    for (int c = 0; c < 3; c++) v[c] = load_lanes3(packet->vertex[c]);
    gz_f8_store(squares, beyond_squares(v, at));
}
