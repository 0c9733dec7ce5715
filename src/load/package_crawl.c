// Packages below a folder, by the names that their package.xml gives, as rospack finds them.

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform.h"
#include "load/package.h"
#include "load/xml/xml.h"

// What one load looks at, at most: a folder that holds a disk is no workspace.
enum { MOST_FOLDERS = 20000, MOST_DEPTH = 16 };

char *gz_path_join(gz_pool *pool, const char *folder, const char *rest) {
    if (!folder || !rest) return NULL;
    size_t n = strcmp(folder, ".") == 0 ? 0 : strlen(folder), more = strlen(rest) + 1;
    size_t slash = n && folder[n - 1] != '/' ? 1 : 0;
    char *path = gz_pool_take(pool, n + slash + more);
    if (!path) return NULL;
    memcpy(path, folder, n);
    path[n] = '/';
    memcpy(path + n + slash, rest, more);
    return path;
}

const char *gz_package_declared_name(gz_pool *pool, const char *folder,
                                     const graze_load_options *options) {
    char *path = gz_path_join(pool, folder, "package.xml"), *bytes = NULL;
    graze_limits limits = options->limits;
    if (limits.file_bytes > 1 << 20) limits.file_bytes = 1 << 20;
    size_t size;
    gz_xml_document *document = NULL;
    graze_status status = GRAZE_ERROR_NOT_FOUND;
    if (path && gz_load_exists(path, options->files))
        status = gz_load_read(path, options->files, limits.file_bytes, &bytes, &size, NULL);
    if (!status) status = gz_xml_parse(&document, bytes, size, path, &limits, NULL);
    const gz_xml_element *e = status ? NULL : gz_xml_child(gz_xml_root(document), "name");
    const char *name = e ? gz_pool_format(pool, "%s", e->text) : NULL;
    pool->out_of_memory |= status == GRAZE_ERROR_NO_MEMORY;
    gz_xml_free(document);
    gz_free(bytes);
    return name;
}

// ----------------------------------------------------------------------------------------- folders

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/// A growing list of names.
typedef struct name_list {
    const char **items;
    size_t count, capacity;
} name_list;

static bool add_name(gz_pool *pool, name_list *list, const char *name) {
    if (!GZ_RESERVE(list->items, list->capacity, list->count + 1)) return false;
    list->items[list->count] = gz_pool_copy(pool, name, strlen(name));
    return list->items[list->count++] != NULL;
}

/// Whether a file of that name makes builds, and rospack, leave a folder and all below it out.
static bool is_mark(const char *name) {
    static const char *const marks[] = {"AMENT_IGNORE", "CATKIN_IGNORE", "COLCON_IGNORE",
                                        "rospack_nosubdirs"};
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (strcmp(name, marks[k]) == 0) return true;
    return false;
}

/// The names in a folder, sorted, so that the first package of a name is the same everywhere; those
/// that begin with a dot are left out, and all where one is a mark. False when out of memory.
static bool list_names(gz_pool *pool, const char *folder, name_list *names) {
    DIR *stream = opendir(folder);
    bool ok = true, ignored = false;
    if (!stream) return true;
    for (struct dirent *e; ok && !ignored && (e = readdir(stream));) {
        ignored = is_mark(e->d_name);
        if (e->d_name[0] != '.') ok = add_name(pool, names, e->d_name);
    }
    closedir(stream);
    if (ignored) names->count = 0;
    if (names->count) qsort(names->items, names->count, sizeof *names->items, by_name);
    return ok;
}

static bool is_folder(const char *path) {
    struct stat found;
    return path && stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static bool add_package(gz_package_cache *cache, const char *root, const char *folder,
                        const char *name) {
    if (!GZ_RESERVE(cache->items, cache->capacity, cache->count + 1)) return false;
    cache->items[cache->count++] = (gz_known_package){name, folder, root};
    return true;
}

/// Notes the packages of a folder, and below it but for what lies in packages. False when out of
/// memory.
static bool crawl(gz_package_cache *cache, const char *root, const char *folder, int depth,
                  const graze_load_options *options) {
    if (!folder) return false;
    if (cache->folders++ >= MOST_FOLDERS || depth > MOST_DEPTH) return cache->cut = true;
    const char *name = gz_package_declared_name(&cache->pool, folder, options);
    if (cache->pool.out_of_memory) return false;
    if (name) return add_package(cache, root, folder, name);
    name_list names = {0};
    bool ok = list_names(&cache->pool, folder, &names);
    for (size_t i = 0; ok && i < names.count; i++) {
        const char *below = gz_path_join(&cache->pool, folder, names.items[i]);
        if (is_folder(below)) ok = crawl(cache, root, below, depth + 1, options);
    }
    gz_free(names.items);
    return ok && !cache->pool.out_of_memory;
}

// ------------------------------------------------------------------------------------------- cache

// More folders than that are asked for again each time.
enum { MOST_KNOWN = 1 << 16 };

/// The place of a path in the table, or the free one where it belongs.
static gz_known_folder *place_of(const gz_package_cache *cache, const char *path) {
    size_t mask = cache->known_capacity - 1, at = gz_hash_bytes(path, strlen(path)) & mask;
    while (cache->known[at].path && strcmp(cache->known[at].path, path) != 0) at = (at + 1) & mask;
    return &cache->known[at];
}

/// Makes room for one more, half of the places free.
static bool grow(gz_package_cache *cache) {
    if (2 * (cache->known_count + 1) <= cache->known_capacity) return true;
    gz_package_cache larger = *cache;
    larger.known_capacity = cache->known_capacity ? 2 * cache->known_capacity : 64;
    larger.known = gz_calloc(larger.known_capacity, sizeof *larger.known);
    if (!larger.known) return !(cache->pool.out_of_memory = true);
    for (size_t i = 0; i < cache->known_capacity; i++)
        if (cache->known[i].path) *place_of(&larger, cache->known[i].path) = cache->known[i];
    gz_free(cache->known);
    cache->known = larger.known;
    cache->known_capacity = larger.known_capacity;
    return true;
}

static gz_known_folder *known_folder(gz_package_cache *cache, const char *path) {
    if (!grow(cache)) return NULL;
    gz_known_folder *folder = place_of(cache, path);
    if (folder->path) return folder;
    bool kept = cache->known_count < MOST_KNOWN;
    const char *own = kept ? gz_pool_format(&cache->pool, "%s", path) : NULL;
    if (kept && !own) return NULL;
    *folder = (gz_known_folder){.path = own, .exists = gz_folder_exists(path)};
    cache->known_count += kept;
    return folder;
}

const gz_known_folder *gz_package_folder(gz_package_cache *cache, const char *path) {
    return known_folder(cache, path);
}

const char *gz_package_cached_name(gz_package_cache *cache, const char *folder,
                                   const graze_load_options *options) {
    if (options->files) return gz_package_declared_name(&cache->pool, folder, options);
    gz_known_folder *known = known_folder(cache, folder);
    if (!known || !known->exists) return NULL;
    if (!known->read) known->declared = gz_package_declared_name(&cache->pool, folder, options);
    known->read = true;
    return known->declared;
}

/// The root as the cache has it, crawled now where it was not; NULL when out of memory.
static const char *crawled_root(gz_package_cache *cache, const char *root,
                                const graze_load_options *options) {
    for (size_t i = 0; i < cache->root_count; i++)
        if (strcmp(cache->roots[i], root) == 0) return cache->roots[i];
    const char *own = gz_pool_format(&cache->pool, "%s", root);
    if (!own || !GZ_RESERVE(cache->roots, cache->root_capacity, cache->root_count + 1)) return NULL;
    cache->roots[cache->root_count++] = own;
    return crawl(cache, own, own, 0, options) ? own : NULL;
}

const char *gz_package_below(gz_package_cache *cache, const char *root, const char *name,
                             const graze_load_options *options) {
    if (options->files) return NULL; // the caller's files have no folders to list
    const char *own = crawled_root(cache, root, options);
    cache->pool.out_of_memory |= !own;
    for (size_t i = 0; own && i < cache->count; i++)
        if (cache->items[i].root == own && strcmp(cache->items[i].name, name) == 0)
            return cache->items[i].folder;
    return NULL;
}

void gz_package_cache_free(gz_package_cache *cache) {
    gz_pool_free(&cache->pool);
    gz_free(cache->items);
    gz_free(cache->roots);
    gz_free(cache->known);
    *cache = (gz_package_cache){0};
}
