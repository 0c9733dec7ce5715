/// What `graze info` says of a compiled file: what it was made from, and whether that still holds.
#ifndef GZ_CLI_COMPILED_SUMMARY_H
#define GZ_CLI_COMPILED_SUMMARY_H

#include <stdio.h>

#include "graze/graze.h"

/// How each source is today; false when out of memory (sources that cannot be read are missing).
bool gz_compiled_summary_read(const graze_compiled *compiled, graze_source_state **states);

/// The head line and the table of sources.
void gz_compiled_summary_text(FILE *stream, const graze_compiled *compiled,
                              const graze_source_state *states);
/// `"compiled":{...}`
void gz_compiled_summary_json(FILE *stream, const graze_compiled *compiled,
                              const graze_source_state *states);

#endif
