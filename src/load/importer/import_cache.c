#include "load/importer/import_cache.h"

#include <string.h>

#include "base/memory.h"
#include "load/file.h"

/// Bytes of all copies of one load.
#define MOST_KEPT (UINT64_C(64) << 20)

static bool same_bytes(const gz_import_entry *e, const gz_mesh_reader *r) {
    char *bytes;
    size_t size;
    if (gz_load_read(e->path, r->options->files, r->size, &bytes, &size, NULL)) return false;
    const bool same = size == r->size && memcmp(bytes, r->bytes, size) == 0;
    gz_free(bytes);
    return same;
}

const gz_import_entry *gz_import_cache_find(const gz_import_cache *cache, const gz_mesh_reader *r,
                                            const char *ending) {
    if (!cache || !cache->count) return NULL;
    // Finds candidates, which are then compared.
    const uint64_t hash = gz_hash_bytes(r->bytes, r->size);
    for (size_t i = 0; i < cache->count; i++) {
        const gz_import_entry *e = &cache->entries[i];
        if (e->hash == hash && strcmp(e->ending, ending) == 0 &&
            memcmp(e->scale, r->scale, sizeof e->scale) == 0 && same_bytes(e, r))
            return e;
    }
    return NULL;
}

static void free_entry(gz_import_entry *e) {
    gz_free(e->path);
    gz_soup_free(e->soup);
    gz_free(e->note);
}

void gz_import_cache_keep(gz_import_cache *cache, const gz_mesh_reader *r, const char *ending,
                          const gz_import_findings *found, const char *note) {
    const gz_soup *soup = r->soup;
    const uint64_t bytes = gz_mesh_cost(soup->vertex_count, soup->triangle_count);
    // Half of what is left stays for what the load needs.
    if (!cache || strlen(ending) >= GZ_IMPORT_ENDING_SIZE || cache->bytes + bytes > MOST_KEPT ||
        bytes > gz_memory_left() / 2)
        return;
    gz_import_entry e = {.hash = gz_hash_bytes(r->bytes, r->size), .found = *found};
    e.path = gz_string_copy(r->path);
    e.note = gz_string_copy(note);
    e.soup = gz_mesh_soup_copy(soup->vertices, soup->vertex_count, soup->triangles,
                               soup->triangle_count);
    strcpy(e.ending, ending);
    memcpy(e.scale, r->scale, sizeof e.scale);
    if (!e.path || !e.note || !e.soup ||
        !GZ_RESERVE(cache->entries, cache->capacity, cache->count + 1)) {
        free_entry(&e);
        return;
    }
    cache->entries[cache->count++] = e;
    cache->bytes += bytes;
}

gz_import_cache *gz_import_cache_create(void) {
    return gz_calloc(1, sizeof(gz_import_cache));
}

void gz_import_cache_free(gz_import_cache *cache) {
    if (!cache) return;
    for (size_t i = 0; i < cache->count; i++) free_entry(&cache->entries[i]);
    gz_free(cache->entries);
    gz_free(cache);
}
