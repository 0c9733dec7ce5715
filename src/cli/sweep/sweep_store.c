#include "cli/sweep/sweep_store.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
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
    const char *name, *dtype, *fill, *filters, *columns, *dimensions, *chunk_name;
    size_t item_size; ///< bytes; 0: a bit
} arrays[GZ_SWEEP_ARRAYS] = {
    {"collision", "|b1", "true", "[{\"id\": \"packbits\"}]", "", "\"configuration\"", "", 0},
    {"pair", "<i2", "-2", "null", ", 2", "\"configuration\", \"side\"", ".0", 4},
    {"motion", "|u1", "255", "null", "", "\"way\"", "", 1},
};

static size_t chunk_bytes(const gz_sweep_store *store, size_t kind) {
    if (arrays[kind].item_size == 0) return (size_t)(store->chunk + 7) / 8 + 1;
    return (size_t)store->chunk * arrays[kind].item_size;
}

bool gz_sweep_store_make(gz_sweep_store *store) {
    bool got = (store->values = gz_malloc((size_t)store->chunk, 1)) != NULL;
    for (size_t k = 0; k < GZ_SWEEP_ARRAYS && got; k++)
        got = !store->has[k] || (store->bytes[k] = gz_malloc(chunk_bytes(store, k), 1)) != NULL;
    return got;
}

void gz_sweep_store_free(gz_sweep_store *store) {
    for (size_t k = 0; k < GZ_SWEEP_ARRAYS; k++) gz_free(store->bytes[k]);
    gz_free(store->values);
    *store = (gz_sweep_store){0};
}

uint64_t gz_sweep_store_shards(const gz_sweep_store *store) {
    return store->count / store->chunk + (store->count % store->chunk != 0);
}

uint64_t gz_sweep_store_length(const gz_sweep_store *store, gz_sweep_array_kind kind) {
    return kind == GZ_SWEEP_MOTION ? store->count - 1 : store->count;
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

static int open_array(const gz_sweep_store *store, size_t kind) {
    char path[GRAZE_PATH_SIZE], text[512];
    const char *name = arrays[kind].name;
    if (!path_in(path, store, name, "")) return GZ_EXIT_INPUT;
    GZ_TRY_EXIT(make_folder(path));
    snprintf(text, sizeof text,
             "{\n\"zarr_format\": 2,\n\"shape\": [%" PRIu64 "%s],\n\"chunks\": [%" PRIu64
             "%s],\n\"dtype\": \"%s\",\n\"compressor\": null,\n\"fill_value\": %s,\n"
             "\"order\": \"C\",\n\"filters\": %s\n}\n",
             gz_sweep_store_length(store, (gz_sweep_array_kind)kind), arrays[kind].columns,
             store->chunk, arrays[kind].columns, arrays[kind].dtype, arrays[kind].fill,
             arrays[kind].filters);
    if (!path_in(path, store, name, ".zarray")) return GZ_EXIT_INPUT;
    GZ_TRY_EXIT(hold_file(path, text));
    snprintf(text, sizeof text, "{\"_ARRAY_DIMENSIONS\": [%s]}\n", arrays[kind].dimensions);
    return path_in(path, store, name, ".zattrs") ? hold_file(path, text) : GZ_EXIT_INPUT;
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
        if (store->has[k]) GZ_TRY_EXIT(open_array(store, k));
    return GZ_EXIT_FINE;
}

// ---------------------------------------------------------------------------------------- shards

/// Whether an array has a chunk of that number: the last configuration has no way to a next one.
static bool has_chunk(const gz_sweep_store *store, size_t kind, uint64_t shard) {
    uint64_t length = gz_sweep_store_length(store, (gz_sweep_array_kind)kind);
    return store->has[kind] && shard * store->chunk < length;
}

static bool chunk_path(char path[GRAZE_PATH_SIZE], const gz_sweep_store *store, size_t kind,
                       uint64_t shard) {
    char name[32];
    snprintf(name, sizeof name, "%" PRIu64 "%s", shard, arrays[kind].chunk_name);
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

void gz_sweep_store_clear(gz_sweep_store *store) {
    memset(store->values, 1, (size_t)store->chunk);
    for (uint64_t i = 0; store->has[GZ_SWEEP_PAIR] && i < store->chunk; i++)
        gz_sweep_store_put_pair(store, i, -2, -2);
    if (store->has[GZ_SWEEP_MOTION])
        memset(store->bytes[GZ_SWEEP_MOTION], 255, chunk_bytes(store, GZ_SWEEP_MOTION));
}

void gz_sweep_store_put_pair(gz_sweep_store *store, uint64_t i, int32_t first, int32_t second) {
    unsigned char *bytes = store->bytes[GZ_SWEEP_PAIR] + i * 4;
    const uint32_t sides[2] = {(uint32_t)first, (uint32_t)second};
    for (size_t side = 0; side < 2; side++) {
        bytes[2 * side] = (unsigned char)(sides[side] & 0xff);
        bytes[2 * side + 1] = (unsigned char)(sides[side] >> 8 & 0xff);
    }
}

/// The first value is the highest bit of the first byte.
static void pack_bits(gz_sweep_store *store) {
    unsigned char *bytes = store->bytes[GZ_SWEEP_COLLISION];
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
        GZ_TRY_EXIT(gz_output_write_file(path, store->bytes[k], chunk_bytes(store, k)));
    }
    return GZ_EXIT_FINE;
}
