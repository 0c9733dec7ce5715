// The baseline of the processor.
#define LINK_FINDER gz_link_finder_base
#include "check/link_finder_body.h"
