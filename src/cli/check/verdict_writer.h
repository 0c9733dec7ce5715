/// Verdicts as text, JSON, JSON lines, CSV or NPY.
#ifndef GZ_CLI_CHECK_VERDICT_WRITER_H
#define GZ_CLI_CHECK_VERDICT_WRITER_H

#include <stdio.h>

#include "cli/json.h"
#include "graze/graze.h"

typedef enum gz_verdict_format {
    GZ_VERDICT_TEXT,
    GZ_VERDICT_JSON,
    GZ_VERDICT_JSONL,
    GZ_VERDICT_CSV,
    GZ_VERDICT_NPY
} gz_verdict_format;

/// The answer for one configuration.
typedef struct gz_finding {
    uint64_t index;
    graze_verdict verdict;
    const graze_contact *contacts; ///< where verdict is GRAZE_COLLISION: one, or all
    size_t contact_count;
    const graze_error *error; ///< where verdict is GRAZE_UNKNOWN
    const int32_t *violated;  ///< joints outside their limits
    size_t violated_count;
    const graze_explanation *explanations; ///< every pair, in order; or none
    size_t explanation_count;
    const graze_transform *poses; ///< of the links; NULL: not wanted, or there are none
} gz_finding;

typedef struct gz_verdict_writer {
    FILE *stream;
    gz_verdict_format format;
    const graze_checker *checker;
    bool many;    ///< a batch: every line begins with the index, JSON is an array
    bool all;     ///< every contact of a finding is written, not only the first
    bool bounds;  ///< the verdicts are of the level "bounds"
    bool explain; ///< the findings' explanations are written, all of them,
    bool hidden;  ///< or those of contacts that the ACM hides
    bool poses;   ///< the findings' poses are written
    bool suggest; ///< the options that would allow a finding's contacts are written
    bool colors;
    gz_json json;     ///< between begin and end
    size_t uncovered; ///< links with a <visual> and no collision geometry, where visuals are known
    bool nothing_collides; ///< no link has collision geometry
    uint8_t *bytes;        ///< NPY: verdicts so far; the header needs their number
    size_t byte_count, byte_capacity;
} gz_verdict_writer;

void gz_verdict_writer_begin(gz_verdict_writer *writer);
/// False when out of memory.
bool gz_verdict_writer_put(gz_verdict_writer *writer, const gz_finding *finding);
void gz_verdict_writer_end(gz_verdict_writer *writer);
void gz_verdict_writer_free(gz_verdict_writer *writer);

/// "arm (element 0, triangle 12) hits shelf (triangle 3) at (1.0000, 0.0000, 0.5000)"
/// Returns out.
const char *gz_contact_describe(char *out, size_t size, const graze_checker *checker,
                                const graze_contact *contact);

/// The names of a pair whose distance was measured; "" where there is none, link -1.
const char *gz_proximity_link_name(const graze_checker *checker, const graze_proximity *pair);
const char *gz_proximity_other_name(const graze_checker *checker, const graze_proximity *pair);

/// The names of an explained pair; the other is NULL for a link that is free of the whole world.
const char *gz_explanation_link(const graze_checker *checker, const graze_explanation *explanation);
const char *gz_explanation_other(const graze_checker *checker,
                                 const graze_explanation *explanation);

// ---------------------------------------------------------------------------- hidden by the ACM
//
// Contacts that do not count because the allowed-collision matrix hides them: by whom, how often.

/// Who hides a pair: "adjacent", "srdf", "srdf-default" or "option" (--allow).
const char *gz_hidden_source(const graze_checker *checker, const graze_explanation *explanation);
/// Who hides a pair, for people, with the SRDF's reason: "adjacent; SRDF: Never". Returns out.
const char *gz_hidden_reason(char *out, size_t size, const graze_checker *checker,
                             const graze_explanation *explanation);

/// A pair that was hidden though it touches.
typedef struct gz_hidden_pair {
    graze_explanation sample; ///< of the first configuration
    uint64_t count, first;    ///< configurations; the index of the first
} gz_hidden_pair;

/// The hidden contacts of a whole run.
typedef struct gz_hidden_tally {
    gz_hidden_pair *items; ///< by kind, link, other
    size_t count, capacity;
} gz_hidden_tally;

/// Counts what is hidden in one configuration; false when out of memory.
bool gz_hidden_tally_add(gz_hidden_tally *tally, uint64_t index,
                         const graze_explanation *explanations, size_t count);
/// One line per pair; `total`: configurations that were answered.
void gz_hidden_tally_print(FILE *stream, const gz_hidden_tally *tally, const graze_checker *checker,
                           uint64_t total);
void gz_hidden_tally_free(gz_hidden_tally *tally);

#endif
