/// Signals: what ends the command early, and what it removes before it ends.
#ifndef GZ_CLI_INTERRUPT_H
#define GZ_CLI_INTERRUPT_H

#include <stdbool.h>

/// From now on SIGINT, SIGTERM and SIGHUP raise a flag instead of ending the process: long work
/// ends at the next row or iteration. A second one, and every other signal that ends a process and
/// can be caught, removes the unfinished files and ends it at once. A signal that the process was
/// started to ignore (nohup) stays ignored.
void gz_interrupt_catch(void);
/// The flag, for the `cancel` fields of the library.
const volatile int *gz_interrupt_flag(void);
bool gz_interrupted(void);
/// 128 + the signal that came (130 for SIGINT).
int gz_interrupt_exit(void);

/// For the begin of main(): a write to a pipe that nobody reads, or beyond the size that a file may
/// have, fails instead of ending the process.
void gz_interrupt_begin(void);

#define GZ_UNFINISHED_SIZE 64 ///< of a name with its end

/// Notes a file that is to be removed when a signal ends the process. Returns its place, or -1
/// where all are taken.
int gz_unfinished_add(int folder, const char *name);
/// Forgets it again.
void gz_unfinished_forget(int place);
/// Whether this process has noted a file of that name.
bool gz_unfinished_is(const char *name);

#endif
