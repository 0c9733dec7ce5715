/// A progress bar on stderr, only where that is a terminal.
#ifndef GZ_CLI_PROGRESS_H
#define GZ_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct gz_progress {
    bool terminal, shown;
    double started, updated; ///< seconds of gz_clock()
} gz_progress;

/// Seconds of a clock that only goes forward.
double gz_clock(void);

gz_progress gz_progress_start(bool quiet);
/// Shows `done` units, and a bar when the fraction is known (0 to 1; below 0: unknown); at most
/// ten times a second.
void gz_progress_update(gz_progress *progress, uint64_t done, double fraction, const char *units);
/// Wipes the bar; before any other message.
void gz_progress_clear(gz_progress *progress);

#endif
