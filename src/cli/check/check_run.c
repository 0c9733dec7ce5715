#include "cli/check/check_run.h"

#include <errno.h>
#include <string.h>

#include "cli/message.h"
#include "cli/text.h"

// A chunk is large enough that starting threads does not count, and small enough that a robot with
// many joints stays within some tens of megabytes.
#define CHUNK_ROWS  32768
#define CHUNK_BYTES ((size_t)32 << 20)

static graze_status no_memory(graze_error *error) {
    return gz_error_set(error, GRAZE_ERROR_NO_MEMORY, NULL, 0, 0, "out of memory");
}

int gz_check_run_prepare(gz_check_run *run) {
    graze_error error;
    if (graze_workspace_create(&run->workspace, run->checker, &error) != GRAZE_OK) {
        return gz_message_error("check", &error);
    }
    if (!gz_joint_limits_make(&run->limits, run->robot)) return gz_message_no_memory();
    return GZ_EXIT_FINE;
}

void gz_check_run_free(gz_check_run *run) {
    graze_workspace_free(run->workspace);
    gz_joint_limits_free(&run->limits);
    gz_verdict_writer_free(&run->writer);
    gz_storage_free(run->contacts);
    gz_storage_free(run->explanations);
    gz_storage_free(run->q);
    gz_storage_free(run->base);
    gz_storage_free(run->verdicts);
    *run = (gz_check_run){0};
}

// --------------------------------------------------------------------------- one configuration

/// Counts a finding and writes it.
static graze_status put(gz_check_run *run, gz_finding *finding, const double *q, const double *base,
                        graze_error *error) {
    if (run->dump != NULL) gz_dump_writer_put(run->dump, finding, q, base);
    bool tallied = run->masked != NULL && finding->verdict != GRAZE_UNKNOWN;
    if (tallied && !gz_masked_tally_add(run->masked, finding->index, finding->explanations,
                                        finding->explanation_count))
        return no_memory(error);
    switch (finding->verdict) {
    case GRAZE_FREE:
        run->free_count++;
        break;
    case GRAZE_COLLISION:
        run->collision_count++;
        break;
    case GRAZE_UNKNOWN: {
        int status = gz_exit_of(finding->error->status);
        if (run->unknown_count++ == 0) {
            run->first_unknown = *finding->error;
            run->first_unknown_index = finding->index;
        }
        if (status > run->worst) run->worst = status;
        break;
    }
    }
    return gz_verdict_writer_put(&run->writer, finding) ? GRAZE_OK : no_memory(error);
}

static bool keep_explanation(const graze_explanation *explanation, void *user) {
    gz_check_run *run = user;
    if (!gz_storage_reserve((void **)&run->explanations, &run->explanation_capacity,
                            run->explanation_count + 1, sizeof *run->explanations)) {
        run->out_of_memory = true;
        return false;
    }
    run->explanations[run->explanation_count++] = *explanation;
    return true;
}

/// Checks, with room for every contact where all are wanted.
static graze_status check(gz_check_run *run, const double *q, const double *base,
                          graze_report *report, graze_error *error) {
    graze_answer answer = run->writer.all ? GRAZE_ANSWER_ALL : GRAZE_ANSWER_FIRST;
    size_t wanted = 1;
    for (;;) {
        if (!gz_storage_reserve((void **)&run->contacts, &run->contact_capacity, wanted,
                                sizeof *run->contacts)) {
            run->out_of_memory = true;
            return no_memory(error);
        }
        *report = (graze_report){.contacts = run->contacts, .capacity = run->contact_capacity};
        graze_status status = graze_check(run->checker, run->workspace, answer, q,
                                          graze_robot_q_size(run->robot), base, report, error);
        if (status != GRAZE_OK || !run->writer.all || !report->truncated) return status;
        wanted = report->count;
    }
}

graze_status gz_check_run_one(gz_check_run *run, uint64_t index, const double *q,
                              const double *base, graze_error *error) {
    graze_report report;
    graze_error problem;
    gz_finding finding = {.index = index};
    finding.violated_count = gz_joint_limits_violated(&run->limits, q);
    finding.violated = run->limits.violated;
    double started = gz_clock();
    graze_status status = check(run, q, base, &report, &problem);
    run->seconds += gz_clock() - started;
    graze_stats_add(&run->stats, &report.stats);
    run->explanation_count = 0;
    if (status == GRAZE_OK && (run->writer.explain || run->writer.masked)) {
        status = graze_check_explain(run->checker, run->workspace, q,
                                     graze_robot_q_size(run->robot), base, keep_explanation, run,
                                     &problem);
    }
    if (run->out_of_memory) return no_memory(error);
    if (status == GRAZE_OK && run->enforce_limits) {
        status = gz_joint_limits_fail(&run->limits, run->robot, q, &problem);
    }
    finding.verdict = status == GRAZE_OK ? report.verdict : GRAZE_UNKNOWN;
    finding.error = status == GRAZE_OK ? NULL : &problem;
    finding.contacts = run->contacts;
    finding.contact_count = finding.verdict == GRAZE_COLLISION ? report.count : 0;
    finding.explanations = run->explanations;
    finding.explanation_count = run->explanation_count;
    return put(run, &finding, q, base, error);
}

// -------------------------------------------------------------------------------------- chunks

/// Whether the verdicts alone are wanted, without contacts.
static bool wants_bytes(const gz_check_run *run) {
    return run->writer.format == GZ_VERDICT_NPY && run->dump == NULL;
}

static size_t chunk_rows(const gz_check_run *run) {
    size_t row_bytes = (graze_robot_q_size(run->robot) + GZ_BASE_SIZE) * sizeof(double);
    size_t rows = CHUNK_BYTES / row_bytes;
    return rows > CHUNK_ROWS ? CHUNK_ROWS : rows > 0 ? rows : 1;
}

static graze_status make_chunk(gz_check_run *run, size_t rows, bool batch, graze_error *error) {
    size_t size = graze_robot_q_size(run->robot);
    run->q = gz_storage_resize(NULL, rows * (size > 0 ? size : 1), sizeof *run->q);
    run->base = gz_storage_resize(NULL, rows * GZ_BASE_SIZE, sizeof *run->base);
    run->verdicts = gz_storage_resize(NULL, rows, 1);
    bool contacts = !batch || wants_bytes(run) ||
                    gz_storage_reserve((void **)&run->contacts, &run->contact_capacity, rows,
                                       sizeof *run->contacts);
    bool good = run->q != NULL && run->base != NULL && run->verdicts != NULL && contacts;
    return good ? GRAZE_OK : no_memory(error);
}

/// Why a row of a batch has no verdict: the batch tells of its first such row only.
static graze_status ask_again(gz_check_run *run, const double *q, const double *base,
                              graze_error *problem) {
    graze_report report = {0};
    graze_status status = graze_check(run->checker, run->workspace, GRAZE_ANSWER_ANY, q,
                                      graze_robot_q_size(run->robot), base, &report, problem);
    if (status != GRAZE_OK) return status;
    return gz_error_set(problem, GRAZE_ERROR_NO_MEMORY, NULL, 0, 0, "out of memory");
}

/// Counts and writes row i of a chunk that the batch has answered.
static graze_status put_row(gz_check_run *run, uint64_t index, size_t i, graze_error *error) {
    const double *q = run->q + i * graze_robot_q_size(run->robot);
    const double *base = run->base + i * GZ_BASE_SIZE;
    graze_error problem;
    gz_finding finding = {.index = index, .verdict = (graze_verdict)run->verdicts[i]};
    finding.violated_count = gz_joint_limits_violated(&run->limits, q);
    finding.violated = run->limits.violated;
    if (finding.verdict == GRAZE_UNKNOWN) {
        ask_again(run, q, base, &problem);
        finding.error = &problem;
    } else if (run->enforce_limits && finding.violated_count > 0) {
        gz_joint_limits_fail(&run->limits, run->robot, q, &problem);
        finding.error = &problem;
        finding.verdict = GRAZE_UNKNOWN;
    }
    if (finding.verdict == GRAZE_COLLISION && !wants_bytes(run)) {
        finding.contacts = &run->contacts[i];
        finding.contact_count = 1;
    }
    return put(run, &finding, q, base, error);
}

/// Answers one chunk with graze_check_batch().
static graze_status run_batch(gz_check_run *run, uint64_t index, size_t count, bool bases,
                              graze_error *error) {
    graze_stats stats = {0};
    bool bytes = wants_bytes(run);
    graze_batch batch = graze_batch_default();
    batch.threads = run->threads;
    batch.count = count;
    batch.q = run->q;
    batch.base = bases ? run->base : NULL;
    batch.base_common = run->base;
    batch.answer = bytes ? GRAZE_ANSWER_ANY : GRAZE_ANSWER_FIRST;
    batch.verdicts = run->verdicts;
    batch.contacts = bytes ? NULL : run->contacts;
    batch.stats = &stats;
    batch.cancel = gz_interrupt_flag();
    double started = gz_clock();
    graze_status status = graze_check_batch(run->checker, &batch, error);
    run->seconds += gz_clock() - started;
    graze_stats_add(&run->stats, &stats);
    if (gz_interrupted()) {
        return gz_error_set(error, GRAZE_ERROR_CANCELLED, NULL, 0, 0, "interrupted");
    }
    // A row that cannot be answered is a finding of its own; without memory there is no batch.
    if (status == GRAZE_ERROR_NO_MEMORY || status == GRAZE_ERROR_ARGUMENT) return status;
    status = GRAZE_OK;
    for (size_t i = 0; status == GRAZE_OK && i < count; i++) {
        status = put_row(run, index + i, i, error);
    }
    return status;
}

/// Answers one chunk row by row: all pairs and explanations are not for batches.
static graze_status run_rows(gz_check_run *run, uint64_t index, size_t count, graze_error *error) {
    size_t size = graze_robot_q_size(run->robot);
    graze_status status = GRAZE_OK;
    for (size_t i = 0; status == GRAZE_OK && i < count; i++) {
        if (gz_interrupted()) {
            return gz_error_set(error, GRAZE_ERROR_CANCELLED, NULL, 0, 0, "interrupted");
        }
        status = gz_check_run_one(run, index + i, run->q + i * size, run->base + i * GZ_BASE_SIZE,
                                  error);
    }
    return status;
}

graze_status gz_check_run_file(gz_check_run *run, gz_configuration_file *file, graze_error *error) {
    bool batch = !run->writer.all && !run->writer.explain && !run->writer.masked;
    bool bases = gz_columns_have_base(&file->columns);
    size_t rows = chunk_rows(run);
    graze_status status = make_chunk(run, rows, batch, error);
    gz_progress progress = gz_progress_start(run->quiet);
    uint64_t done = 0;
    while (status == GRAZE_OK) {
        // Rows before a fault in the file are answered before it is told, wherever chunks end.
        size_t count = 0;
        graze_error fault;
        graze_status read = gz_configuration_file_read(file, rows, run->q, run->base, &count,
                                                       &fault);
        if (read == GRAZE_ERROR_CANCELLED) count = 0;
        if (count > 0) {
            status = batch ? run_batch(run, done, count, bases, error)
                           : run_rows(run, done, count, error);
            done += count;
        }
        if (status == GRAZE_OK && read != GRAZE_OK) {
            *error = fault;
            status = read;
        }
        if (status != GRAZE_OK || count == 0) break;
        gz_progress_update(&progress, done, gz_configuration_file_fraction(file), "configurations");
        // Whoever reads a pipe gets every chunk at once; a full disk ends the work early.
        if (fflush(run->writer.stream) != 0) {
            run->write_error = errno;
            break;
        }
    }
    gz_progress_clear(&progress);
    return status;
}
