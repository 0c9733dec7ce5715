/// Between the files of a batch: the run, what each of its threads works with, and its rows.
#ifndef GZ_CHECK_BATCH_INTERNAL_H
#define GZ_CHECK_BATCH_INTERNAL_H

#include <stdatomic.h>

#include "check/filters.h"

/// Rows that a thread takes at a time.
#define GZ_BATCH_CHUNK 64

/// Fewer rows of a block go one by one: a block costs about as much however many it has.
#define GZ_BLOCK_ROWS_MIN 3

/// What a thread checks rows with, and what has come of them.
typedef struct gz_batch_worker {
    graze_workspace *ws; ///< that it belongs to
    gz_batch_block block;
    bool has_block; ///< rows may go through the filter, eight at a time
    bool has_rest;  ///< `rows` holds the columns that the run's rows do not have
    graze_stats stats;
    size_t failed_row; ///< lowest row of this worker that failed; SIZE_MAX for none
    graze_error error;
    double rows[]; ///< GZ_LANES rows of q, where they do not stand side by side in the caller's
} gz_batch_worker;

/// One batch. What is not atomic does not change while threads work.
typedef struct gz_batch_run {
    const graze_checker *checker;
    const graze_batch *batch;
    size_t q_size, row_size; ///< numbers of a configuration, and of a row as given
    size_t q_stride, base_stride;
    bool gathers;              ///< rows are copied together before they are checked
    size_t positions;          ///< places in the order; some of them may hold no row
    unsigned bits;             ///< of a position, where these are reversed
    size_t contact_size;       ///< in the caller's array, bytes
    bool any;                  ///< yes or no will do
    bool wants_contact;        ///< of each row
    bool wants_more;           ///< than verdicts and contacts
    gz_batch_filter filter;    ///< NULL: every row on its own
    gz_batch_worker **workers; ///< per thread; unused where workspaces are the caller's
    atomic_size_t next;        ///< position
    atomic_size_t stop;        ///< lowest position that ends the batch; SIZE_MAX: none
    atomic_size_t done;        ///< rows, for the progress
    atomic_bool cancelled;
} gz_batch_run;

/// A row on its way through a batch.
typedef struct gz_batch_row {
    size_t number, position;
    const double *q; ///< of rows that are gathered set when their turn comes
} gz_batch_row;

/// batch_rows.c: checks rows whose positions ascend, up to the one that ends the batch. Returns how
/// many were done.
size_t gz_batch_check_rows(gz_batch_run *run, gz_batch_worker *worker, gz_batch_row *rows,
                           size_t count);

/// Makes a row one that was not done.
void gz_batch_forget_row(const gz_batch_run *run, size_t row);

#endif
