/// A cage for this process, closed from the inside before it looks at bytes of strangers.
#ifndef GZ_IMPORT_CONFINEMENT_H
#define GZ_IMPORT_CONFINEMENT_H

#include "base/error.h"

/// Lets go of what was inherited: every descriptor above 2, the environment; dies with its parent,
/// dumps no memory, shows it to no debugger.
graze_status gz_confinement_detach(graze_error *error);

/// Limits from which there is no way back: bytes of address space, seconds of processor time, no
/// new descriptor, no byte into a file, no new process, no core.
graze_status gz_confinement_limit(uint64_t address_space, uint32_t cpu_seconds, graze_error *error);

/// From here on the system answers only what computing on descriptors 0 and 1 needs: reading,
/// writing, memory that is not executable, the clock, the end. Anything else kills the process
/// with SIGSYS. x86-64 and aarch64.
/// @return GRAZE_ERROR_UNSUPPORTED where the kernel or the processor has no such filter
graze_status gz_confinement_filter_calls(graze_error *error);

#endif
