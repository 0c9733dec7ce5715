/// The work of `graze check`: configurations in, findings out, one or ten million of them.
#ifndef GZ_CLI_CHECK_CHECK_RUN_H
#define GZ_CLI_CHECK_CHECK_RUN_H

#include "cli/check/check_output.h"
#include "cli/check/joint_limits.h"
#include "cli/check/verdict_writer.h"
#include "cli/input/configuration.h"

typedef struct gz_check_run {
    // Set by the command.
    const graze_robot *robot;
    const graze_checker *checker;
    gz_verdict_writer writer;
    gz_dump_writer *dump;    ///< gets every finding, too; NULL for none
    gz_masked_tally *masked; ///< counts every hidden contact; NULL for none
    uint32_t threads;
    bool enforce_limits, quiet;

    // What came out.
    graze_stats stats;
    double seconds; ///< spent in checks
    uint64_t free_count, collision_count, unknown_count;
    int worst;                 ///< exit status of the worst unknown configuration; 0: none
    bool finished;             ///< every configuration was answered and written
    int write_error;           ///< errno of a write that failed and ended the run early; 0: none
    graze_error first_unknown; ///< of the first one
    uint64_t first_unknown_index;

    // Scratch.
    graze_workspace *workspace;
    gz_joint_limits limits;
    graze_contact *contacts; ///< of one configuration, or of one chunk
    size_t contact_capacity;
    graze_explanation *explanations;
    size_t explanation_count, explanation_capacity;
    bool out_of_memory;
    double *q, *base; ///< of one chunk
    uint8_t *verdicts;
} gz_check_run;

/// Makes the scratch. Returns an exit status.
int gz_check_run_prepare(gz_check_run *run);
/// Answers one configuration and writes it. GRAZE_OK also for an unknown verdict, which is counted;
/// any other status ends the run (out of memory).
graze_status gz_check_run_one(gz_check_run *run, uint64_t index, const double *q,
                              const double *base, graze_error *error);
/// Answers a whole file, a chunk at a time. CANCELLED after an interrupt.
graze_status gz_check_run_file(gz_check_run *run, gz_configuration_file *file, graze_error *error);
void gz_check_run_free(gz_check_run *run);

#endif
