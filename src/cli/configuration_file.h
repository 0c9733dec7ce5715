/// Files of configurations, read a chunk at a time: NPY (float32 or float64, one row each) and CSV
/// (a header of joint names). However long the file, memory holds one chunk.
#ifndef GZ_CLI_CONFIGURATION_FILE_H
#define GZ_CLI_CONFIGURATION_FILE_H

#include "cli/input/configuration.h"

/// Bytes of a file, a block at a time. A read that would wait can be seen coming, so that a program
/// at the other end of a pipe gets its answers before it writes more.
typedef struct gz_byte_source {
    int fd;
    bool regular, at_end, can_wait; ///< can_wait: a pipe or terminal
    uint64_t size;                  ///< of a regular file
    uint64_t taken;                 ///< bytes read from it so far
    const char *name;               ///< as errors call it
    char *buffer;
    size_t begin, end, capacity;
} gz_byte_source;

/// Makes at least `wanted` bytes available at buffer + begin, fewer only at the end of the file.
graze_status gz_byte_source_fill(gz_byte_source *source, size_t wanted, graze_error *error);
/// Whether the next read would wait for somebody to write.
bool gz_byte_source_would_wait(const gz_byte_source *source);

typedef struct gz_configuration_file {
    gz_byte_source source;
    const graze_robot *robot;
    gz_columns columns;
    const gz_posture *rest; ///< what rows do not say
    bool is_npy;
    size_t item_size;   ///< NPY: 4 or 8 bytes
    uint64_t row_count; ///< NPY: rows that the header promises
    uint64_t rows_read; ///< so far
    int32_t line;       ///< CSV: of the next line, 1-based
    double *row;        ///< one row as in the file
} gz_configuration_file;

/// Opens a file; "-" is standard input. NPY is known by its first bytes or the ending .npy;
/// everything else is CSV. `joints` (NULL: all of q, or the base's six and all of q) names the
/// columns of an NPY. Errors: ARGUMENT for a wrong `joints`; else with their place in the file.
/// `rest` and `robot` must outlive the file. Close it also after a failure.
graze_status gz_configuration_file_open(gz_configuration_file *file, const char *path,
                                        const graze_robot *robot, const char *joints,
                                        const gz_posture *rest, graze_error *error);

/// Reads up to `rows` rows into q (rows of rest->size) and base (rows of 6). *count rows are good
/// also when an error is returned: what lies before it in the file. *count is 0 at the end only.
graze_status gz_configuration_file_read(gz_configuration_file *file, size_t rows, double *q,
                                        double *base, size_t *count, graze_error *error);

/// How much of the file is read, 0 to 1; -1 where its length is unknown.
double gz_configuration_file_fraction(const gz_configuration_file *file);

void gz_configuration_file_close(gz_configuration_file *file);

// The two formats, for gz_configuration_file_open() and _read() alone.
graze_status gz_npy_open(gz_configuration_file *file, const char *joints, graze_error *error);
graze_status gz_npy_read_row(gz_configuration_file *file, bool *end, graze_error *error);
graze_status gz_csv_open(gz_configuration_file *file, graze_error *error);
graze_status gz_csv_read_row(gz_configuration_file *file, bool *end, graze_error *error);

#endif
