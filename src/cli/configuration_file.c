#include "cli/input/configuration.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/message.h"
#include "cli/text.h"

#define BLOCK_SIZE ((size_t)1 << 18)

static graze_status no_memory(graze_error *error) {
    return gz_error_set(error, GRAZE_ERROR_NO_MEMORY, NULL, 0, 0, "out of memory");
}

static graze_status interrupted(graze_error *error) {
    return gz_error_set(error, GRAZE_ERROR_CANCELLED, NULL, 0, 0, "interrupted");
}

// --------------------------------------------------------------------------------------- bytes

static graze_status source_open(gz_byte_source *source, const char *path, graze_error *error) {
    *source = (gz_byte_source){.name = path};
    if (strcmp(path, "-") == 0) {
        source->name = "<stdin>";
        source->fd = STDIN_FILENO;
    } else {
        // A pipe is waited for until its other end is opened.
        do source->fd = open(path, O_RDONLY | O_CLOEXEC);
        while (source->fd < 0 && errno == EINTR && !gz_interrupted());
    }
    if (source->fd < 0 && gz_interrupted()) return interrupted(error);
    struct stat file;
    if (source->fd < 0 || fstat(source->fd, &file) != 0) {
        int problem = errno;
        return gz_error_set(error, problem == ENOENT ? GRAZE_ERROR_NOT_FOUND : GRAZE_ERROR_IO,
                            source->name, 0, 0, "cannot be opened: %s", strerror(problem));
    }
    if (S_ISDIR(file.st_mode)) {
        return gz_error_set(error, GRAZE_ERROR_IO, source->name, 0, 0,
                            "is a folder; allowed: a file of configurations");
    }
    source->regular = S_ISREG(file.st_mode);
    source->can_wait = !source->regular;
    source->size = source->regular ? (uint64_t)file.st_size : 0;
    return GRAZE_OK;
}

/// Reads one block behind what is there.
static graze_status source_read(gz_byte_source *source, graze_error *error) {
    for (;;) {
        ssize_t got = read(source->fd, source->buffer + source->end,
                           source->capacity - source->end);
        if (got > 0) {
            source->end += (size_t)got;
            source->taken += (uint64_t)got;
            return GRAZE_OK;
        }
        if (got == 0) {
            source->at_end = true;
            return GRAZE_OK;
        }
        if (errno != EINTR) {
            return gz_error_set(error, GRAZE_ERROR_IO, source->name, 0, 0, "cannot be read: %s",
                                strerror(errno));
        }
        if (gz_interrupted()) return interrupted(error);
    }
}

graze_status gz_byte_source_fill(gz_byte_source *source, size_t wanted, graze_error *error) {
    if (source->end - source->begin >= wanted || source->at_end) return GRAZE_OK;
    // What is left moves to the front, so that the buffer need not grow with the file.
    if (source->end > source->begin && source->begin > 0) {
        memmove(source->buffer, source->buffer + source->begin, source->end - source->begin);
    }
    source->end -= source->begin;
    source->begin = 0;
    size_t needed = wanted > BLOCK_SIZE ? wanted : BLOCK_SIZE;
    if (!gz_storage_reserve((void **)&source->buffer, &source->capacity, needed, 1)) {
        return no_memory(error);
    }
    while (source->end < wanted && !source->at_end) {
        graze_status status = source_read(source, error);
        if (status != GRAZE_OK) return status;
    }
    return GRAZE_OK;
}

bool gz_byte_source_would_wait(const gz_byte_source *source) {
    if (!source->can_wait || source->at_end) return false;
    struct pollfd request = {.fd = source->fd, .events = POLLIN};
    return poll(&request, 1, 0) == 0;
}

// ---------------------------------------------------------------------------------------- file

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

graze_status gz_configuration_file_open(gz_configuration_file *file, const char *path,
                                        const graze_robot *robot, const char *joints,
                                        const gz_posture *rest, graze_error *error) {
    *file = (gz_configuration_file){.robot = robot, .rest = rest, .line = 1};
    graze_status status = source_open(&file->source, path, error);
    if (status == GRAZE_OK) status = gz_byte_source_fill(&file->source, 6, error);
    if (status != GRAZE_OK) return status;
    const gz_byte_source *source = &file->source;
    bool magic = source->end - source->begin >= 6 &&
                 memcmp(source->buffer + source->begin, "\x93NUMPY", 6) == 0;
    file->is_npy = magic || ends_with(path, ".npy");
    if (file->is_npy) {
        status = gz_npy_open(file, joints, error);
    } else if (joints != NULL) {
        status = gz_error_set(error, GRAZE_ERROR_ARGUMENT, NULL, 0, 0,
                              "--joints is for .npy files; the header of %s names its columns",
                              source->name);
    } else {
        status = gz_csv_open(file, error);
    }
    if (status != GRAZE_OK) return status;
    file->row = gz_storage_resize(NULL, file->columns.count, sizeof *file->row);
    return file->row != NULL ? GRAZE_OK : no_memory(error);
}

/// Whether the next row must be waited for. Half a row in the buffer says nothing: then it is.
static bool row_would_wait(const gz_configuration_file *file) {
    const gz_byte_source *source = &file->source;
    size_t available = source->end - source->begin;
    if (file->is_npy) {
        if (available >= file->columns.count * file->item_size) return false;
    } else if (available > 0 && memchr(source->buffer + source->begin, '\n', available) != NULL) {
        return false;
    }
    return gz_byte_source_would_wait(source);
}

graze_status gz_configuration_file_read(gz_configuration_file *file, size_t rows, double *q,
                                        double *base, size_t *count, graze_error *error) {
    const gz_posture *rest = file->rest;
    *count = 0;
    while (*count < rows) {
        // Whoever writes the other end of a pipe may be waiting for these answers.
        if (*count > 0 && row_would_wait(file)) return GRAZE_OK;
        bool end = false;
        graze_status status = file->is_npy ? gz_npy_read_row(file, &end, error)
                                           : gz_csv_read_row(file, &end, error);
        if (status != GRAZE_OK || end) return status;
        double *q_row = q + *count * rest->size, *base_row = base + *count * GZ_BASE_SIZE;
        if (rest->size > 0) memcpy(q_row, rest->q, rest->size * sizeof *q_row);
        memcpy(base_row, rest->base, sizeof rest->base);
        gz_columns_scatter(&file->columns, file->row, q_row, base_row);
        file->rows_read++;
        (*count)++;
    }
    return GRAZE_OK;
}

double gz_configuration_file_fraction(const gz_configuration_file *file) {
    const gz_byte_source *source = &file->source;
    if (file->is_npy) {
        return file->row_count > 0 ? (double)file->rows_read / (double)file->row_count : 1;
    }
    if (!source->regular || source->size == 0) return -1;
    uint64_t used = source->taken - (uint64_t)(source->end - source->begin);
    return (double)used / (double)source->size;
}

void gz_configuration_file_close(gz_configuration_file *file) {
    if (file->source.fd > STDIN_FILENO) close(file->source.fd);
    gz_storage_free(file->source.buffer);
    gz_columns_free(&file->columns);
    gz_storage_free(file->row);
    *file = (gz_configuration_file){.source = {.fd = -1}};
}
