#include "cli/sweep/sweep_source.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/thread.h"
#include "cli/text.h"

// ------------------------------------------------------------------------------------------ grid

#define MOST_CONFIGURATIONS ((uint64_t)1 << 53)

static graze_status parse_axis(gz_grid_axis *axis, const gz_sweep_source *source, const char *text,
                               graze_error *error) {
    const char *equals = strrchr(text, '='), *low = equals != NULL ? equals + 1 : text;
    const char *high = strchr(low, ':'), *count = high != NULL ? strchr(high + 1, ':') : NULL;
    bool good = equals != NULL && count != NULL &&
                gz_decimal_parse(low, (size_t)(high - low), &axis->low) &&
                gz_decimal_parse(high + 1, (size_t)(count - high - 1), &axis->high) &&
                gz_decimal_parse_count(count + 1, &axis->count);
    // A difference that is not finite would make values that are none.
    if (!good || axis->count == 0 || !(axis->high - axis->low < HUGE_VAL) ||
        axis->low > axis->high || axis->low - axis->low != 0)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "--grid is '%s'; allowed: JOINT=LOW:HIGH:COUNT, with LOW at most HIGH and "
                       "COUNT 1 at least",
                       text);
    gz_columns columns = {0};
    graze_status status = gz_columns_add(&columns, source->robot, text, (size_t)(equals - text),
                                         error);
    if (status == GRAZE_OK) axis->place = columns.places[0];
    gz_columns_free(&columns);
    return status;
}

graze_status gz_sweep_source_grid(gz_sweep_source *source, const gz_texts *axes,
                                  graze_error *error) {
    source->axes = gz_malloc(axes->count, sizeof *source->axes);
    if (source->axes == NULL) return gz_fail_memory(error);
    source->axis_count = axes->count;
    source->count = 1;
    for (size_t i = 0; i < axes->count; i++) {
        gz_grid_axis *axis = &source->axes[i];
        GZ_TRY(parse_axis(axis, source, axes->items[i], error));
        for (size_t k = 0; k < i; k++)
            if (source->axes[k].place == axis->place)
                return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                               "--grid has %s twice; allowed: one axis a column",
                               gz_place_name(source->robot, axis->place));
        if (axis->count > MOST_CONFIGURATIONS / source->count)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "the grid has more than 2^53 configurations; allowed: fewer");
        source->count *= axis->count;
    }
    return GRAZE_OK;
}

static void put_grid_row(const gz_sweep_source *source, uint64_t index, double *q, double *base) {
    memcpy(q, source->rest.q, source->rest.size * sizeof *q);
    memcpy(base, source->rest.base, GZ_BASE_SIZE * sizeof *base);
    for (size_t i = source->axis_count; i-- > 0;) {
        const gz_grid_axis *axis = &source->axes[i];
        uint64_t step = index % axis->count, last = axis->count - 1;
        index /= axis->count;
        // The ends are exact.
        double t = last > 0 ? (double)step / (double)last : 0;
        double value = step == last && last > 0 ? axis->high
                                                : axis->low + t * (axis->high - axis->low);
        if (axis->place >= 0)
            q[axis->place] = value;
        else
            base[-1 - axis->place] = value;
    }
}

// ----------------------------------------------------------------------------------------- drawn

graze_status gz_sweep_source_draw(gz_sweep_source *source, graze_error *error) {
    if (source->joints == NULL) return GRAZE_OK;
    GZ_TRY(gz_columns_parse(&source->drawn, source->robot, source->joints, error));
    if (!gz_columns_have_base(&source->drawn)) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                   "--joints names a coordinate of the base; allowed, where configurations are "
                   "drawn: joints");
}

static graze_status put_drawn_row(const gz_sweep_source *source, uint64_t index, double *q,
                                  double *base, double *scratch, graze_error *error) {
    const gz_columns *drawn = &source->drawn;
    double *target = drawn->count > 0 ? scratch : q;
    memcpy(base, source->rest.base, GZ_BASE_SIZE * sizeof *base);
    GZ_TRY(graze_robot_sample(source->robot, source->seed, index, NULL, NULL, target, error));
    if (drawn->count == 0) return GRAZE_OK;
    memcpy(q, source->rest.q, source->rest.size * sizeof *q);
    for (size_t i = 0; i < drawn->count; i++) q[drawn->places[i]] = scratch[drawn->places[i]];
    return GRAZE_OK;
}

/// Rows that several threads make, each its part.
typedef struct making {
    const gz_sweep_source *source;
    uint64_t first;
    size_t count;
    uint32_t threads;
    double *q, *base, *scratch;
    graze_status *status;
    graze_error *errors; ///< of each thread
} making;

static void make_rows(void *user, uint32_t thread) {
    making *m = user;
    size_t size = m->source->rest.size;
    size_t begin = m->count * thread / m->threads, end = m->count * (thread + 1) / m->threads;
    for (size_t i = begin; i < end; i++) {
        double *q = m->q + i * size, *base = m->base + i * GZ_BASE_SIZE;
        if (m->source->axis_count > 0)
            put_grid_row(m->source, m->first + i, q, base);
        else
            m->status[thread] = put_drawn_row(m->source, m->first + i, q, base,
                                              m->scratch + thread * size, &m->errors[thread]);
        if (m->status[thread] != GRAZE_OK) return;
    }
}

static graze_status make_all(const gz_sweep_source *source, uint64_t first, size_t count, double *q,
                             double *base, graze_error *error) {
    uint32_t threads = source->threads > 0 ? source->threads : gz_thread_processors();
    making m = {source, first, count, threads, q, base, NULL, NULL, NULL};
    m.scratch = gz_malloc(threads * source->rest.size, sizeof *m.scratch);
    m.status = gz_calloc(threads, sizeof *m.status);
    m.errors = gz_calloc(threads, sizeof *m.errors);
    bool got = m.scratch != NULL && m.status != NULL && m.errors != NULL;
    graze_status status = got ? GRAZE_OK : gz_fail_memory(error);
    if (got) gz_thread_run(threads, make_rows, &m);
    for (uint32_t i = 0; got && i < threads && status == GRAZE_OK; i++)
        if ((status = m.status[i]) != GRAZE_OK) *error = m.errors[i];
    gz_free(m.scratch);
    gz_free(m.status);
    gz_free(m.errors);
    return status;
}

// ------------------------------------------------------------------------------------------ file

graze_status gz_sweep_hash_file(const char *path, char sha256[GZ_SHA256_TEXT], graze_error *error) {
    char block[65536];
    size_t got;
    gz_sha256 hash = gz_sha256_begin();
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return gz_fail_at(error, errno == ENOENT ? GRAZE_ERROR_NOT_FOUND : GRAZE_ERROR_IO,
                          (gz_place){.file = path}, "cannot be opened: %s", strerror(errno));
    while ((got = fread(block, 1, sizeof block, stream)) > 0) gz_sha256_add(&hash, block, got);
    bool good = ferror(stream) == 0;
    fclose(stream);
    gz_sha256_finish(&hash, sha256);
    return good ? GRAZE_OK
                : gz_fail_at(error, GRAZE_ERROR_IO, (gz_place){.file = path}, "cannot be read");
}

static graze_status open_file(gz_sweep_source *source, graze_error *error) {
    if (source->open) gz_configuration_file_close(&source->file);
    source->open = true;
    source->next = 0;
    return gz_configuration_file_open(&source->file, source->path, source->robot, source->joints,
                                      &source->rest, error);
}

enum { READ_ROWS = 4096 };

graze_status gz_sweep_source_file(gz_sweep_source *source, graze_error *error) {
    size_t size = source->rest.size, count;
    source->last_q = gz_malloc(size + GZ_BASE_SIZE, sizeof *source->last_q);
    double *q = gz_malloc(READ_ROWS * (size + GZ_BASE_SIZE), sizeof *q);
    graze_status status = source->last_q != NULL && q != NULL ? GRAZE_OK : gz_fail_memory(error);
    if (status == GRAZE_OK) status = gz_sweep_hash_file(source->path, source->sha256, error);
    if (status == GRAZE_OK) status = open_file(source, error);
    do {
        count = 0;
        if (status == GRAZE_OK)
            status = gz_configuration_file_read(&source->file, READ_ROWS, q, q + READ_ROWS * size,
                                                &count, error);
        source->count += count;
    } while (status == GRAZE_OK && count > 0);
    gz_free(q);
    GZ_TRY(status);
    if (source->count > 0) return open_file(source, error);
    return gz_fail_at(error, GRAZE_ERROR_PARSE, (gz_place){.file = source->path},
                      "has no row; allowed: one at least");
}

/// Reads the next rows; fewer than before is an error, as the file was changed meanwhile.
static graze_status read_next(gz_sweep_source *source, size_t count, double *q, double *base,
                              graze_error *error) {
    size_t size = source->rest.size, got = 0;
    for (size_t done = 0; done < count; done += got) {
        GZ_TRY(gz_configuration_file_read(&source->file, count - done, q + done * size,
                                          base + done * GZ_BASE_SIZE, &got, error));
        if (got == 0)
            return gz_fail_at(error, GRAZE_ERROR_IO, (gz_place){.file = source->path},
                              "has become shorter since the begin of the sweep");
        source->next += got;
    }
    memcpy(source->last_q, q + (count - 1) * size, size * sizeof *q);
    memcpy(source->last_q + size, base + (count - 1) * GZ_BASE_SIZE, GZ_BASE_SIZE * sizeof *base);
    return GRAZE_OK;
}

static graze_status read_file(gz_sweep_source *source, uint64_t first, size_t count, double *q,
                              double *base, graze_error *error) {
    size_t size = source->rest.size;
    if (first + 1 < source->next) GZ_TRY(open_file(source, error));
    // Rows of other shards are read over, through the caller's memory.
    while (source->next < first) {
        uint64_t between = first - source->next;
        GZ_TRY(read_next(source, between < count ? (size_t)between : count, q, base, error));
    }
    if (source->next == first) return read_next(source, count, q, base, error);
    memcpy(q, source->last_q, size * sizeof *q);
    memcpy(base, source->last_q + size, GZ_BASE_SIZE * sizeof *base);
    return count == 1 ? GRAZE_OK
                      : read_next(source, count - 1, q + size, base + GZ_BASE_SIZE, error);
}

// ------------------------------------------------------------------------------------- the source

graze_status gz_sweep_source_read(gz_sweep_source *source, uint64_t first, size_t count, double *q,
                                  double *base, graze_error *error) {
    if (count == 0) return GRAZE_OK;
    return source->path != NULL ? read_file(source, first, count, q, base, error)
                                : make_all(source, first, count, q, base, error);
}

bool gz_sweep_source_has_base(const gz_sweep_source *source) {
    if (source->path != NULL) return gz_columns_have_base(&source->file.columns);
    for (size_t i = 0; i < source->axis_count; i++)
        if (source->axes[i].place < 0) return true;
    return false;
}

void gz_sweep_source_describe(const gz_sweep_source *source, gz_json *json) {
    gz_json_put(json, "{ count=%" PRIu64, source->count);
    if (source->path != NULL)
        gz_json_put(json, "from=%s sha256=%s joints=%s", "file", source->sha256, source->joints);
    else if (source->axis_count == 0)
        gz_json_put(json, "from=%s seed=%" PRIu64 " joints=%s", "counter", source->seed,
                    source->joints);
    else
        gz_json_put(json, "from=%s axes=[", "grid");
    for (size_t i = 0; i < source->axis_count; i++) {
        const gz_grid_axis *axis = &source->axes[i];
        gz_json_put(json, "{ column=%s low=%g high=%g count=%" PRIu64 " }",
                    gz_place_name(source->robot, axis->place), axis->low, axis->high, axis->count);
    }
    if (source->axis_count > 0) gz_json_put(json, "]");
    gz_json_numbers(json, "rest", source->rest.q, source->rest.size);
    gz_json_numbers(json, "base", source->rest.base, GZ_BASE_SIZE);
    gz_json_put(json, "}");
}

void gz_sweep_source_free(gz_sweep_source *source) {
    if (source->open) gz_configuration_file_close(&source->file);
    gz_posture_free(&source->rest);
    gz_columns_free(&source->drawn);
    gz_free(source->axes);
    gz_free(source->last_q);
    *source = (gz_sweep_source){0};
}
