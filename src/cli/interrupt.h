/// Ctrl-C: long work ends at the next row or iteration, and nothing unfinished is taken for whole.
#ifndef GZ_CLI_INTERRUPT_H
#define GZ_CLI_INTERRUPT_H

#include <stdbool.h>

/// From now on SIGINT and SIGTERM raise a flag instead of ending the process; the second one ends
/// it at once. A pipe that nobody reads any more makes writes fail.
void gz_interrupt_catch(void);
/// The flag, for the `cancel` fields of the library.
const volatile int *gz_interrupt_flag(void);
bool gz_interrupted(void);
/// 128 + the signal that came (130 for SIGINT).
int gz_interrupt_exit(void);

#endif
