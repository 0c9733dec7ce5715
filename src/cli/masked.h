/// What the allowed-collision matrix hides: contacts that do not count, why not, and how often.
#ifndef GZ_CLI_MASKED_H
#define GZ_CLI_MASKED_H

#include <stdio.h>

#include "graze/graze.h"

/// Who hides a pair: "adjacent", "srdf", "srdf-default" or "option" (--allow).
const char *gz_masked_source(const graze_checker *checker, const graze_explanation *explanation);
/// The same for people, with the SRDF's reason: "adjacent; SRDF: Never". Returns out.
const char *gz_masked_reason(char *out, size_t size, const graze_checker *checker,
                             const graze_explanation *explanation);

/// A pair that was hidden though it touches.
typedef struct gz_masked_pair {
    graze_explanation sample; ///< of the first configuration
    uint64_t count, first;    ///< configurations; the index of the first
} gz_masked_pair;

/// The hidden contacts of a whole run.
typedef struct gz_masked_tally {
    gz_masked_pair *items; ///< by kind, link, other
    size_t count, capacity;
} gz_masked_tally;

/// Counts what is hidden in one configuration; false when out of memory.
bool gz_masked_tally_add(gz_masked_tally *tally, uint64_t index,
                         const graze_explanation *explanations, size_t count);
/// One line per pair; `total`: configurations that were answered.
void gz_masked_tally_print(FILE *stream, const gz_masked_tally *tally, const graze_checker *checker,
                           uint64_t total);
void gz_masked_tally_free(gz_masked_tally *tally);

#endif
