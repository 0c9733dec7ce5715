// The baseline of the processor: SSE2 on x86-64, else the scalar twin.
#define POINT_TRAVERSAL gz_point_traversal_base
#include "narrow/point_pair_body.h"
