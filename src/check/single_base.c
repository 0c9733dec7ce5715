// The baseline of the processor.
#define SINGLE_STAGES gz_single_stages_base
#include "check/single_body.h"
