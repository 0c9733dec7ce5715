/// Packages: where a URI of a robot or world leads, and which package a file is of.
#ifndef GZ_LOAD_PACKAGE_H
#define GZ_LOAD_PACKAGE_H

#include "base/memory.h"
#include "load/file.h"

typedef struct gz_known_package {
    const char *name, *folder, *root;
} gz_known_package;

/// A folder that was asked for.
typedef struct gz_known_folder {
    const char *path;
    const char *declared; ///< the name in its package.xml; NULL where there is none
    bool exists, read;    ///< read: `declared` is known
} gz_known_folder;

/// The packages below the folders that one load has looked through, and the folders that it has
/// asked for, each once. Begins zeroed.
typedef struct gz_package_cache {
    gz_pool pool;
    gz_known_folder *known; ///< a hash table by path
    size_t known_count, known_capacity;
    size_t hints; ///< names that differ in case were looked for so often
    gz_known_package *items;
    size_t count, capacity;
    const char **roots;
    size_t root_count, root_capacity;
    size_t folders; ///< looked at
    bool cut;       ///< some were not, for there are too many, or they lie too deep
    bool told;      ///< that was warned of
} gz_package_cache;

void gz_package_cache_free(gz_package_cache *cache);

/// The folder of the package of that name at or below a root, by package.xml; in packages no more
/// packages are looked for, nor in hidden folders or below the marks of what a build ignores. NULL
/// where there is none, and when out of memory (cache->pool.out_of_memory).
const char *gz_package_below(gz_package_cache *cache, const char *root, const char *name,
                             const graze_load_options *options);

/// What is known of a folder, found out where nothing is; NULL when out of memory
/// (cache->pool.out_of_memory). Of the file system's folders alone. Valid until the next call.
const gz_known_folder *gz_package_folder(gz_package_cache *cache, const char *path);

/// The name that the package.xml of a folder gives, as the cache has it; NULL where there is none,
/// and when out of memory.
const char *gz_package_cached_name(gz_package_cache *cache, const char *folder,
                                   const graze_load_options *options);

/// The name that the package.xml of a folder gives; NULL where there is none.
const char *gz_package_declared_name(gz_pool *pool, const char *folder,
                                     const graze_load_options *options);

/// folder/rest; an empty folder or "." adds nothing. NULL for NULL.
char *gz_path_join(gz_pool *pool, const char *folder, const char *rest);

/// Finds the file of a URI by the order that docs/cli.md gives: options->packages,
/// options->package_path, GRAZE_PACKAGE_PATH, ROS_PACKAGE_PATH, AMENT_PREFIX_PATH/share (when
/// options->use_environment), then upwards from base_dir.
/// @param cache    of the load; NULL: what is found out is forgotten
/// @param base_dir folder of the file that holds the URI
/// @param path     [out] the existing file, free with gz_free(); NULL on failure
/// @return GRAZE_ERROR_NOT_FOUND: the message says where the package is or was looked for, and with
///         options->list_tried, or without a package, which paths were tried;
///         GRAZE_ERROR_UNSUPPORTED for other schemes (http ...); GRAZE_ERROR_SCHEMA for a malformed
///         URI; _NO_MEMORY
graze_status gz_package_resolve(char **path, const char *uri, const char *base_dir,
                                const graze_load_options *options, gz_package_cache *cache,
                                gz_warnings *warnings, gz_place place, graze_error *error);

/// Finds a package that holds the file: one of options->packages, or the folder above it whose
/// package.xml names it, such that package://NAME/REST leads to the very same file by the order of
/// gz_package_resolve(), without a guess.
/// @param name [out] free with gz_free(); NULL where there is none
/// @param root [out] how much of `path` is the package's folder; path[*root] is a slash
/// @param path absolute, of a file that is there
/// @return GRAZE_OK also where there is none; GRAZE_ERROR_NO_MEMORY
graze_status gz_package_name(char **name, size_t *root, const char *path, const char *base_dir,
                             const graze_load_options *options);

#endif
