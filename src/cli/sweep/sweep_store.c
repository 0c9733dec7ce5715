#include "cli/sweep/sweep_store.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

/// How an array is stored. A chunk of bits has a byte in front: how many bits of its last byte are
/// not used (the filter "packbits" of numcodecs).
static const struct {
    const char *name, *dtype, *fill, *filters, *dimensions;
    size_t size;     ///< bytes of a number; 0: a bit
    bool each_shard; ///< one item for each shard, not for each configuration
    bool any_world;  ///< the same in all worlds: it has no axis of them
} arrays[GZ_SWEEP_ARRAYS] = {
    {"collision", "|b1", "true", "[{\"id\": \"packbits\"}]", "\"configuration\"", 0, false, false},
    {"pair", "<i2", "-2", "null", "\"configuration\", \"side\"", 2, false, false},
    {"motion", "|u1", "255", "null", "\"way\"", 1, false, false},
    {"edge", "|u1", "255", "null", "\"edge_number\"", 1, false, false},
    {"q", "<f8", "\"NaN\"", "null", "\"configuration\", \"column\"", 8, false, true},
    {"distance", "<f8", "\"NaN\"", "null", "\"configuration\", \"bound\"", 8, false, false},
    {"nearest", "<i2", "-2", "null", "\"configuration\", \"side\"", 2, false, false},
    {"reached", "<u4", "0", "null", "\"shard\", \"x\", \"y\", \"z\"", 4, true, false},
    {"reached_free", "<u4", "0", "null", "\"shard\", \"x\", \"y\", \"z\"", 4, true, false},
    {"outside", "<u4", "0", "null", "\"shard\", \"state\"", 4, true, false},
};

const char *gz_sweep_array_name(size_t kind) {
    return arrays[kind].name;
}

/// Items of a whole chunk.
static uint64_t chunk_items(const gz_sweep_store *store, size_t kind) {
    return arrays[kind].each_shard ? 1 : store->chunk;
}

/// Numbers of a whole chunk.
static uint64_t chunk_numbers(const gz_sweep_store *store, size_t kind) {
    const gz_sweep_array *array = &store->arrays[kind];
    uint64_t numbers = chunk_items(store, kind);
    for (size_t i = 0; i < array->inner_count; i++) numbers *= array->inner[i];
    return numbers;
}

static size_t chunk_bytes(const gz_sweep_store *store, size_t kind) {
    uint64_t numbers = chunk_numbers(store, kind);
    return arrays[kind].size == 0 ? (size_t)(numbers + 7) / 8 + 1
                                  : (size_t)numbers * arrays[kind].size;
}

bool gz_sweep_store_make(gz_sweep_store *store) {
    bool got = (store->values = gz_malloc((size_t)store->chunk, 1)) != NULL;
    for (size_t k = 0; k < GZ_SWEEP_ARRAYS && got; k++) {
        gz_sweep_array *array = &store->arrays[k];
        if (!array->used) continue;
        if (arrays[k].each_shard) array->length = gz_sweep_store_world_shards(store);
        got = (array->bytes = gz_malloc(chunk_bytes(store, k), 1)) != NULL;
    }
    return got;
}

void gz_sweep_store_free(gz_sweep_store *store) {
    for (size_t k = 0; k < GZ_SWEEP_ARRAYS; k++) gz_free(store->arrays[k].bytes);
    gz_free(store->values);
    *store = (gz_sweep_store){0};
}

uint64_t gz_sweep_store_world_shards(const gz_sweep_store *store) {
    return store->count / store->chunk + (store->count % store->chunk != 0);
}

uint64_t gz_sweep_store_shards(const gz_sweep_store *store) {
    return gz_sweep_store_world_shards(store) * (store->worlds > 0 ? store->worlds : 1);
}

/// Whether an array has an axis of worlds, the first.
static bool has_world_axis(const gz_sweep_store *store, size_t kind) {
    return store->worlds > 0 && !arrays[kind].any_world;
}

// -------------------------------------------------------------------------------------- metadata

/// The path of something in the folder; false, with a message, where it is too long.
static bool path_in(char path[GRAZE_PATH_SIZE], const gz_sweep_store *store, const char *array,
                    const char *name) {
    bool slash = array[0] != '\0' && name[0] != '\0';
    int length = snprintf(path, GRAZE_PATH_SIZE, "%s/%s%s%s", store->folder, array,
                          slash ? "/" : "", name);
    if (length < GRAZE_PATH_SIZE) return true;
    gz_message("%s: the path is too long; allowed: %d bytes", GZ_PLAIN(store->folder),
               GRAZE_PATH_SIZE - 1);
    return false;
}

static int make_folder(const char *path) {
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return GZ_EXIT_FINE;
    gz_message("%s: cannot be made: %s", GZ_PLAIN(path), strerror(errno));
    return GZ_EXIT_INPUT;
}

#define MOST_METADATA ((uint64_t)1 << 26)

/// Prints the first line by which a file differs from what this sweep would write.
static int refuse(const char *path, const char *found, const char *wanted) {
    int line = 1;
    while (true) {
        size_t a = strcspn(found, "\n"), b = strcspn(wanted, "\n");
        bool same = a == b && memcmp(found, wanted, a) == 0 && found[a] == wanted[b];
        if (!same || found[a] == '\0') break;
        found += a + 1;
        wanted += b + 1;
        line++;
    }
    gz_message("%s:%d: belongs to another sweep: found '%.*s', this one has '%.*s'; allowed: the "
               "same robot, world, rules, configurations and version, or a new folder",
               GZ_PLAIN(path), line, (int)strcspn(found, "\n"), found, (int)strcspn(wanted, "\n"),
               wanted);
    return GZ_EXIT_INPUT;
}

/// Writes a file, or where it is there, holds it to what would be written.
static int hold_file(const char *path, const char *wanted) {
    struct stat file;
    if (stat(path, &file) != 0) GZ_TRY_EXIT(gz_output_write_file(path, wanted, strlen(wanted)));
    // Also what was written now: another sweep may have begun in the same folder.
    char *found;
    size_t size;
    GZ_TRY_EXIT(gz_text_input_read(path, MOST_METADATA, &found, &size));
    bool same = size == strlen(wanted) && memcmp(found, wanted, size) == 0;
    int status = same ? GZ_EXIT_FINE : refuse(path, found, wanted);
    gz_free(found);
    return status;
}

/// Whether a folder without a manifest has something in it.
static bool is_other(const char *folder) {
    DIR *list = opendir(folder);
    if (list == NULL) return false;
    const struct dirent *entry;
    bool other = false;
    while (!other && (entry = readdir(list)) != NULL) other = entry->d_name[0] != '.';
    closedir(list);
    return other;
}

/// Writes ", N" for each further axis of a shape.
static void put_inner(FILE *stream, const gz_sweep_array *array) {
    for (size_t i = 0; i < array->inner_count; i++) fprintf(stream, ", %" PRIu64, array->inner[i]);
}

static void put_metadata(FILE *stream, const gz_sweep_store *store, size_t kind) {
    const gz_sweep_array *array = &store->arrays[kind];
    bool worlds = has_world_axis(store, kind);
    fputs("{\n\"zarr_format\": 2,\n\"shape\": [", stream);
    if (worlds) fprintf(stream, "%" PRIu64 ", ", store->worlds);
    fprintf(stream, "%" PRIu64, array->length);
    put_inner(stream, array);
    fprintf(stream, "],\n\"chunks\": [%s%" PRIu64, worlds ? "1, " : "", chunk_items(store, kind));
    put_inner(stream, array);
    fprintf(stream,
            "],\n\"dtype\": \"%s\",\n\"compressor\": null,\n\"fill_value\": %s,\n"
            "\"order\": \"C\",\n\"filters\": %s\n}\n",
            arrays[kind].dtype, arrays[kind].fill, arrays[kind].filters);
}

static void put_dimensions(FILE *stream, const gz_sweep_store *store, size_t kind) {
    fprintf(stream, "{\"_ARRAY_DIMENSIONS\": [%s%s%s]}\n",
            has_world_axis(store, kind) ? "\"world\", " : "", arrays[kind].dimensions,
            store->arrays[kind].inner_count == 4 ? ", \"direction\"" : "");
}

/// Holds a file of an array to what `put` writes.
static int hold_metadata(const gz_sweep_store *store, size_t kind, const char *name,
                         void (*put)(FILE *, const gz_sweep_store *, size_t)) {
    char path[GRAZE_PATH_SIZE], text[1024] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    if (stream == NULL) return gz_message_no_memory();
    put(stream, store, kind);
    fclose(stream);
    return path_in(path, store, arrays[kind].name, name) ? hold_file(path, text) : GZ_EXIT_INPUT;
}

static int open_array(const gz_sweep_store *store, size_t kind) {
    char path[GRAZE_PATH_SIZE];
    if (!path_in(path, store, arrays[kind].name, "")) return GZ_EXIT_INPUT;
    GZ_TRY_EXIT(make_folder(path));
    GZ_TRY_EXIT(hold_metadata(store, kind, ".zarray", put_metadata));
    return hold_metadata(store, kind, ".zattrs", put_dimensions);
}

int gz_sweep_store_open(const gz_sweep_store *store, const char *manifest) {
    char path[GRAZE_PATH_SIZE];
    struct stat file;
    GZ_TRY_EXIT(make_folder(store->folder));
    if (!path_in(path, store, "", ".zattrs")) return GZ_EXIT_INPUT;
    if (stat(path, &file) != 0 && is_other(store->folder)) {
        gz_message("%s: holds files and no manifest of a sweep (.zattrs); allowed: a new or empty "
                   "folder, or one of this sweep",
                   GZ_PLAIN(store->folder));
        return GZ_EXIT_INPUT;
    }
    GZ_TRY_EXIT(hold_file(path, manifest));
    if (!path_in(path, store, "", ".zgroup")) return GZ_EXIT_INPUT;
    GZ_TRY_EXIT(hold_file(path, "{\"zarr_format\": 2}\n"));
    for (size_t k = 0; k < GZ_SWEEP_ARRAYS; k++)
        if (store->arrays[k].used) GZ_TRY_EXIT(open_array(store, k));
    return GZ_EXIT_FINE;
}

// ---------------------------------------------------------------------------------------- shards

/// Whether an array has a chunk in that shard: the last configuration has no way to a next one, and
/// what is the same in all worlds is written in the first.
static bool has_chunk(const gz_sweep_store *store, size_t kind, uint64_t shard) {
    const gz_sweep_array *array = &store->arrays[kind];
    uint64_t of_world = gz_sweep_store_world_shards(store);
    if (!array->used || (arrays[kind].any_world && shard >= of_world)) return false;
    return shard % of_world * chunk_items(store, kind) < array->length;
}

static bool chunk_path(char path[GRAZE_PATH_SIZE], const gz_sweep_store *store, size_t kind,
                       uint64_t shard) {
    char name[64];
    uint64_t of_world = gz_sweep_store_world_shards(store);
    int at = 0;
    if (has_world_axis(store, kind))
        at = snprintf(name, sizeof name, "%" PRIu64 ".", shard / of_world);
    at += snprintf(name + at, sizeof name - (size_t)at, "%" PRIu64, shard % of_world);
    for (size_t i = 0; i < store->arrays[kind].inner_count; i++, at += 2)
        memcpy(name + at, ".0", 3);
    return path_in(path, store, arrays[kind].name, name);
}

bool gz_sweep_store_has_shard(const gz_sweep_store *store, uint64_t shard) {
    for (size_t k = 0; k < GZ_SWEEP_ARRAYS; k++) {
        char path[GRAZE_PATH_SIZE];
        struct stat file;
        if (!has_chunk(store, k, shard)) continue;
        if (!chunk_path(path, store, k, shard) || stat(path, &file) != 0) return false;
        // A shorter one is what a power failure left.
        if ((uint64_t)file.st_size != chunk_bytes(store, k)) return false;
    }
    return true;
}

/// The least significant byte first.
static void put_number(unsigned char *bytes, size_t size, uint64_t number) {
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(number >> 8 * i & 0xff);
}

void gz_sweep_store_clear(gz_sweep_store *store) {
    static const double none = NAN;
    memset(store->values, 1, (size_t)store->chunk);
    for (size_t k = 0; k < GZ_SWEEP_ARRAYS; k++) {
        gz_sweep_array *array = &store->arrays[k];
        uint64_t numbers = array->used ? chunk_numbers(store, k) : 0;
        bool real = arrays[k].size == 8, pair = arrays[k].size == 2;
        if (array->used && !real && !pair)
            memset(array->bytes, arrays[k].each_shard ? 0 : 255, chunk_bytes(store, k));
        for (uint64_t i = 0; real && i < numbers; i++)
            gz_sweep_store_put_numbers(store, (gz_sweep_array_kind)k, i, &none, 1);
        for (uint64_t i = 0; pair && i < numbers / 2; i++)
            gz_sweep_store_put_pair(store, (gz_sweep_array_kind)k, i, -2, -2);
    }
}

void gz_sweep_store_put_pair(gz_sweep_store *store, gz_sweep_array_kind kind, uint64_t i,
                             int32_t first, int32_t second) {
    unsigned char *bytes = store->arrays[kind].bytes + i * 4;
    put_number(bytes, 2, (uint64_t)first);
    put_number(bytes + 2, 2, (uint64_t)second);
}

void gz_sweep_store_put_numbers(gz_sweep_store *store, gz_sweep_array_kind kind, uint64_t i,
                                const double *numbers, size_t count) {
    unsigned char *bytes = store->arrays[kind].bytes + i * 8;
    for (size_t k = 0; k < count; k++, bytes += 8) {
        uint64_t bits;
        memcpy(&bits, &numbers[k], sizeof bits);
        put_number(bytes, 8, bits);
    }
}

void gz_sweep_store_count(gz_sweep_store *store, gz_sweep_array_kind kind, uint64_t i) {
    unsigned char *bytes = store->arrays[kind].bytes + i * 4;
    for (size_t k = 0; k < 4; k++)
        if (++bytes[k] != 0) break;
}

/// The first value is the highest bit of the first byte.
static void pack_bits(gz_sweep_store *store) {
    unsigned char *bytes = store->arrays[GZ_SWEEP_COLLISION].bytes;
    memset(bytes, 0, chunk_bytes(store, GZ_SWEEP_COLLISION));
    bytes[0] = (unsigned char)((8 - store->chunk % 8) % 8);
    for (uint64_t i = 0; i < store->chunk; i++)
        bytes[1 + i / 8] |= (unsigned char)((store->values[i] & 1) << (7 - i % 8));
}

int gz_sweep_store_write(gz_sweep_store *store, uint64_t shard) {
    pack_bits(store);
    for (size_t k = 0; k < GZ_SWEEP_ARRAYS; k++) {
        char path[GRAZE_PATH_SIZE];
        if (!has_chunk(store, k, shard)) continue;
        if (!chunk_path(path, store, k, shard)) return GZ_EXIT_INPUT;
        GZ_TRY_EXIT(gz_output_write_file(path, store->arrays[k].bytes, chunk_bytes(store, k)));
    }
    return GZ_EXIT_FINE;
}
