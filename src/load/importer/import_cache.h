/// What an importer made of the files of one load, so that equal files are imported once.
#ifndef GZ_LOAD_IMPORTER_IMPORT_CACHE_H
#define GZ_LOAD_IMPORTER_IMPORT_CACHE_H

#include "load/importer/importer.h"

/// A file that was imported, and the answer.
typedef struct gz_import_entry {
    uint64_t hash; ///< of the bytes
    char *path;
    char ending[GZ_IMPORT_ENDING_SIZE];
    double scale[3];
    gz_soup *soup;
    gz_import_findings found;
    char *note;
} gz_import_entry;

struct gz_import_cache {
    gz_import_entry *entries;
    size_t count, capacity;
    uint64_t bytes; ///< of the soups
};

/// The answer for a file of the same bytes, ending and scale, or NULL. Where the hashes agree the
/// earlier file is read again, and its bytes are compared. A cache that is NULL has none.
const gz_import_entry *gz_import_cache_find(const gz_import_cache *cache, const gz_mesh_reader *r,
                                            const char *ending);
/// Keeps a copy of the answer, while all copies are small; what has no memory is not kept.
void gz_import_cache_keep(gz_import_cache *cache, const gz_mesh_reader *r, const char *ending,
                          const gz_import_findings *found, const char *note);

#endif
