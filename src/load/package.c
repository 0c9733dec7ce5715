#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/memory.h"
#include "load/package.h"
#include "load/token.h"

/// One look-up: the request, and every path tried so far.
typedef struct search {
    const char *uri, *base_dir;
    const graze_load_options *options;
    gz_package_cache *cache;
    gz_warnings *warnings;
    gz_place place;
    graze_error *error;
    gz_pool pool; ///< of the paths
    const char **tried;
    size_t tried_count, tried_capacity;
    const char *found;
    const char *package, *rest; ///< of a package:// URI
    const char *package_folder; ///< the first that is the package; NULL: none is
} search;

// ---------------------------------------------------------------------------------------- paths

/// Whether a file may be there: the folder is. Asks the system once a folder.
static bool has_folder(search *s, const char *path) {
    const char *slash = strrchr(path, '/');
    if (s->options->files || !slash || slash == path) return true;
    const char *folder = gz_pool_copy(&s->pool, path, (size_t)(slash - path));
    const gz_known_folder *known = folder ? gz_package_folder(s->cache, folder) : NULL;
    s->pool.out_of_memory |= !known;
    return known && known->exists;
}

/// Tries one path; true when the search is over.
static bool try_path(search *s, const char *path) {
    if (s->pool.out_of_memory) return true;
    for (size_t i = 0; i < s->tried_count; i++)
        if (strcmp(s->tried[i], path) == 0) return false;
    if (has_folder(s, path) && gz_load_exists(path, s->options->files)) {
        s->found = path;
        return true;
    }
    if (!GZ_RESERVE(s->tried, s->tried_capacity, s->tried_count + 1))
        return s->pool.out_of_memory = true;
    s->tried[s->tried_count++] = path;
    return false;
}

/// The last name of a path, without a slash behind it.
static bool last_name_is(const char *path, const char *name) {
    size_t n = strlen(path), m = strlen(name);
    while (n > 1 && path[n - 1] == '/') n--;
    return n >= m && memcmp(path + n - m, name, m) == 0 && (n == m || path[n - m - 1] == '/');
}

/// Cuts the last name off an absolute path; false at the root.
static bool go_up(char *path) {
    char *slash = strrchr(path, '/');
    if (!slash || !slash[1]) return false;
    slash[slash == path] = '\0';
    return true;
}

/// The absolute form of a folder; by name where that is safe (so that the walk upwards passes
/// through the folders that the user sees), with links and ".." resolved where it is not. Of the
/// caller's files the folder as it is.
static char *absolute(gz_pool *pool, const char *folder, const graze_load_options *options) {
    char buffer[PATH_MAX];
    bool dotted = false;
    if (options->files) return gz_pool_format(pool, "%s", folder);
    for (const char *p = folder; *p; p += strcspn(p, "/"), p += *p == '/')
        dotted |= strncmp(p, "..", 2) == 0 && (p[2] == '/' || !p[2]);
    if (dotted) return gz_pool_format(pool, "%s", realpath(folder, buffer) ? buffer : "/");
    while (folder[0] == '.' && (folder[1] == '/' || !folder[1])) {
        folder++;
        while (*folder == '/') folder++;
    }
    if (*folder == '/') return gz_pool_format(pool, "%s", folder);
    if (!getcwd(buffer, sizeof buffer)) return gz_pool_format(pool, "/");
    return *folder ? gz_path_join(pool, buffer, folder) : gz_pool_format(pool, "%s", buffer);
}

// ------------------------------------------------------------------------- where packages may be

/// Tries a file in a folder that is the package.
static bool try_in_package(search *s, const char *folder, const char *rest) {
    if (!s->package_folder) s->package_folder = folder;
    return try_path(s, gz_path_join(&s->pool, folder, rest));
}

/// A folder that may hold the package, or be it.
static bool try_folder(search *s, const char *folder, const char *name, const char *rest) {
    const char *inside = gz_path_join(&s->pool, folder, name);
    if (try_path(s, gz_path_join(&s->pool, inside, rest))) return true;
    const gz_known_folder *known = s->options->files ? NULL : gz_package_folder(s->cache, inside);
    if (known && known->exists && !s->package_folder) s->package_folder = inside;
    bool is_it = last_name_is(folder, name);
    const char *declared = is_it ? NULL : gz_package_cached_name(s->cache, folder, s->options);
    is_it |= declared && strcmp(declared, name) == 0;
    s->pool.out_of_memory |= s->cache->pool.out_of_memory;
    return s->pool.out_of_memory ||
           (is_it && try_in_package(s, gz_pool_format(&s->pool, "%s", folder), rest));
}

/// A list of folders separated by colons; `below` is put behind each ("share" for ament).
static bool try_list(search *s, const char *list, const char *below, const char *name,
                     const char *rest) {
    for (const char *p = list ? list : ""; *p; p += *p == ':') {
        size_t n = strcspn(p, ":");
        const char *folder = gz_pool_copy(&s->pool, p, n);
        if (below && n) folder = gz_path_join(&s->pool, folder, below);
        if (n && try_folder(s, folder, name, rest)) return true;
        p += n;
    }
    return false;
}

/// Packages that lie deeper in the folders of a list, or under another name.
static bool try_below(search *s, const char *list, const char *name, const char *rest) {
    for (const char *p = list ? list : ""; *p; p += *p == ':') {
        size_t n = strcspn(p, ":");
        const char *root = gz_pool_copy(&s->pool, p, n);
        const char *folder = n && root ? gz_package_below(s->cache, root, name, s->options) : NULL;
        if (folder && try_in_package(s, folder, rest)) return true;
        s->pool.out_of_memory |= s->cache->pool.out_of_memory;
        if (s->pool.out_of_memory) return true;
        p += n;
    }
    if (s->cache->cut && !s->cache->told)
        gz_warn(s->warnings, "package-folders", s->place,
                "not all folders of the package paths were looked through for package.xml: at most "
                "20000, 16 deep");
    s->cache->told = s->cache->cut;
    return false;
}

/// From the file's folder up to the root: first folders that are or hold the package by name, then
/// any that holds the rest of the path.
static bool try_upwards(search *s, const char *name, const char *rest) {
    char *folder = absolute(&s->pool, s->base_dir, s->options);
    bool over = false;
    do over = try_folder(s, folder, name, rest);
    while (!over && go_up(folder));
    if (over) return true;
    folder = absolute(&s->pool, s->base_dir, s->options);
    do over = try_path(s, gz_path_join(&s->pool, folder, rest));
    while (!over && go_up(folder));
    if (s->found)
        gz_warn(s->warnings, "package-guessed", s->place,
                "no folder for package %s: took files below %s, which holds the rest of the path",
                name, folder);
    return over;
}

/// package://name/rest, from the caller, the environment and the folders above.
static void try_package(search *s, const char *name, const char *rest) {
    const graze_load_options *options = s->options;
    for (size_t i = 0; i < options->package_count; i++)
        if (strcmp(options->packages[i].name, name) == 0 &&
            try_in_package(s, options->packages[i].dir, rest))
            return;
    if (try_list(s, options->package_path, NULL, name, rest)) return;
    if (options->use_environment && (try_list(s, getenv("GRAZE_PACKAGE_PATH"), NULL, name, rest) ||
                                     try_list(s, getenv("ROS_PACKAGE_PATH"), NULL, name, rest) ||
                                     try_list(s, getenv("AMENT_PREFIX_PATH"), "share", name, rest)))
        return;
    if (try_below(s, options->package_path, name, rest)) return;
    if (options->use_environment && (try_below(s, getenv("GRAZE_PACKAGE_PATH"), name, rest) ||
                                     try_below(s, getenv("ROS_PACKAGE_PATH"), name, rest)))
        return;
    try_upwards(s, name, rest);
}

// -------------------------------------------------------------------------------- files not found

/// The entry of `folder` that equals the first n bytes of name but for case; the exact one wins.
static bool entry_ignoring_case(const char *folder, const char *name, size_t n,
                                char out[NAME_MAX + 1]) {
    DIR *stream = opendir(*folder ? folder : ".");
    if (!stream) return false;
    bool found = false, exact = false;
    for (struct dirent *e; !exact && (e = readdir(stream));) {
        if (strlen(e->d_name) != n || strncasecmp(e->d_name, name, n) != 0) continue;
        exact = strncmp(e->d_name, name, n) == 0;
        found = true;
        memcpy(out, e->d_name, n);
        out[n] = '\0';
    }
    closedir(stream);
    return found;
}

/// How much of a path, up to some slash, names a folder that is there exactly so.
static size_t existing_prefix(const char *path) {
    char folder[PATH_MAX];
    size_t n = strlen(path);
    if (n >= sizeof folder) return 0;
    memcpy(folder, path, n + 1);
    for (char *slash; (slash = strrchr(folder, '/'));) {
        if (slash == folder) return 1;
        *slash = '\0';
        if (gz_folder_exists(folder)) return (size_t)(slash - folder);
    }
    return 0;
}

/// A file whose path equals `path` but for case, or NULL.
static const char *file_ignoring_case(search *s, const char *path) {
    size_t at = existing_prefix(path);
    const char *built = gz_pool_copy(&s->pool, path, at);
    for (const char *p = path + at; built && *p;) {
        while (*p == '/') p++;
        size_t n = strcspn(p, "/");
        if (!n) break;
        char entry[NAME_MAX + 1];
        bool dots = n <= 2 && strncmp(p, "..", n) == 0;
        if (n > NAME_MAX || (!dots && !entry_ignoring_case(built, p, n, entry))) return NULL;
        const char *name = gz_pool_copy(&s->pool, dots ? p : entry, n);
        built = gz_path_join(&s->pool, built, name);
        p += n;
    }
    return built && gz_file_exists(built) ? built : NULL;
}

/// Adds text to a message while whole pieces fit; false when one did not.
static bool append(char *message, size_t size, const char *before, const char *text) {
    size_t used = strlen(message), more = strlen(before) + strlen(text);
    if (used + more + 24 >= size) return false; // space stays for "; and 1234567890 more"
    strcat(strcat(message, before), text);
    return true;
}

/// Adds a file whose name differs in case, if there is one.
static void append_hint(search *s, char *message, size_t size) {
    enum { MOST_HINTS = 64 }; // of a load: they list folders
    if (s->options->files || s->cache->hints++ >= MOST_HINTS) return;
    for (size_t i = 0; i < s->tried_count; i++) {
        const char *path = file_ignoring_case(s, s->tried[i]);
        if (!path) continue;
        if (append(message, size, "; a file named ", path))
            append(message, size, " exists: case differs", "");
        gz_warn(s->warnings, "file-name-case", s->place, "%s", path);
        return;
    }
}

/// Adds as many of the paths that were tried as fit.
static void append_tried(const search *s, char *message, size_t size) {
    size_t shown = 0;
    while (shown < s->tried_count &&
           append(message, size, shown ? ", " : "; tried: ", s->tried[shown]))
        shown++;
    size_t used = strlen(message);
    if (shown < s->tried_count)
        snprintf(message + used, size - used, "; and %zu more", s->tried_count - shown);
}

/// Adds every folder of a list.
static void append_list(search *s, char *message, size_t size, const char *list,
                        const char *below) {
    for (const char *p = list ? list : ""; *p; p += *p == ':') {
        size_t n = strcspn(p, ":");
        const char *folder = gz_pool_copy(&s->pool, p, n);
        if (n && below) folder = gz_path_join(&s->pool, folder, below);
        if (n && folder) append(message, size, folder, ", ");
        p += n;
    }
}

/// Which package is nowhere, and where it was looked for: the same for all its files.
static void describe_package(search *s, char *message, size_t size) {
    const graze_load_options *options = s->options;
    snprintf(message, size, "package %.200s is in none of ", s->package);
    append_list(s, message, size, options->package_path, NULL);
    if (options->use_environment) {
        append_list(s, message, size, getenv("GRAZE_PACKAGE_PATH"), NULL);
        append_list(s, message, size, getenv("ROS_PACKAGE_PATH"), NULL);
        append_list(s, message, size, getenv("AMENT_PREFIX_PATH"), "share");
    }
    const char *base = absolute(&s->pool, s->base_dir, options);
    append(message, size, "the folders from ", base ? base : "");
    append(message, size, " upwards; allowed: --package ", s->package);
    append(message, size, "=DIR", "");
}

static graze_status fail_not_found(search *s) {
    char message[GRAZE_MESSAGE_SIZE];
    const size_t size = sizeof message;
    bool gone = s->package_folder && !s->options->files && !gz_folder_exists(s->package_folder);
    if (s->package && gone)
        snprintf(message, size, "package %.200s is to be in %.300s, which is no folder", s->package,
                 s->package_folder);
    else if (s->package && s->package_folder)
        snprintf(message, size, "package %.200s, in %.300s, has no file %.300s", s->package,
                 s->package_folder, s->rest);
    else if (s->package)
        describe_package(s, message, size);
    else
        snprintf(message, size, "file of %.200s was not found", s->uri);
    append_hint(s, message, size);
    if (!s->package || s->options->list_tried) append_tried(s, message, size);
    if (s->pool.out_of_memory) return gz_fail_memory(s->error);
    return gz_fail_at(s->error, GRAZE_ERROR_NOT_FOUND, s->place, "%s", message);
}

// ------------------------------------------------------------------------------------------ URIs

/// Whether ".." in a path ever leaves the folder where it starts.
static bool climbs_out(const char *path) {
    long depth = 0;
    for (const char *p = path; *p;) {
        size_t n = strcspn(p, "/");
        if (n == 2 && strncmp(p, "..", 2) == 0)
            depth--;
        else if (n && !(n == 1 && *p == '.'))
            depth++;
        if (depth < 0) return true;
        p += n;
        while (*p == '/') p++;
    }
    return false;
}

static graze_status fail_uri(search *s, graze_status status, const char *why) {
    return gz_fail_at(s->error, status, s->place, "file name \"%.200s\" %s", s->uri, why);
}

/// `rest` is what stands behind package://.
static graze_status find_in_package(search *s, const char *rest) {
    if (*rest == '/')
        gz_warn(s->warnings, "package-slash", s->place,
                "file name \"%.200s\" has a slash too many: read as package://NAME/PATH", s->uri);
    while (*rest == '/') rest++;
    size_t n = strcspn(rest, "/");
    const char *below = rest + n;
    while (*below == '/') below++;
    if (!n || !*below)
        return fail_uri(s, GRAZE_ERROR_SCHEMA,
                        "names no package or no file; allowed: package://NAME/PATH");
    if ((n == 1 && rest[0] == '.') || (n == 2 && strncmp(rest, "..", 2) == 0) || climbs_out(below))
        return fail_uri(s, GRAZE_ERROR_SCHEMA,
                        "climbs out of its package; allowed: paths that stay inside");
    const char *name = gz_pool_copy(&s->pool, rest, n);
    s->package = name;
    s->rest = below;
    if (name) try_package(s, name, below);
    return GRAZE_OK;
}

/// `rest` is what stands behind "file:".
static graze_status find_file_uri(search *s, const char *rest) {
    if (strncmp(rest, "//", 2) == 0) {
        rest += 2;
        if (strncmp(rest, "localhost/", 10) == 0) rest += 9;
    }
    if (*rest != '/')
        return fail_uri(s, GRAZE_ERROR_SCHEMA,
                        "is no absolute path behind file:; allowed: file:///PATH");
    while (rest[1] == '/') rest++;
    try_path(s, gz_pool_format(&s->pool, "%s", rest));
    return GRAZE_OK;
}

/// Looks for one spelling of the URI: as written, or with its percent signs decoded.
static graze_status find_uri(search *s, const char *uri) {
    if (strncasecmp(uri, "package://", 10) == 0) return find_in_package(s, uri + 10);
    if (strncasecmp(uri, "file:/", 6) == 0) return find_file_uri(s, uri + 5);
    const char *scheme_end = strstr(uri, "://");
    if (scheme_end && strcspn(uri, "/:") == (size_t)(scheme_end - uri))
        return fail_uri(s, GRAZE_ERROR_UNSUPPORTED,
                        "has an unknown scheme; allowed: package://, file:// and paths");
    try_path(s, gz_path_join(&s->pool, *uri == '/' ? "" : s->base_dir, uri));
    return GRAZE_OK;
}

static graze_status search_run(search *s) {
    char *uri = gz_pool_format(&s->pool, "%s", s->uri);
    if (!uri) return gz_fail_memory(s->error);
    if (strchr(uri, '\\')) {
        for (char *p = uri; (p = strchr(p, '\\'));) *p = '/';
        gz_warn(s->warnings, "backslash", s->place,
                "file name \"%.200s\" has backslashes: read as slashes", s->uri);
    }
    graze_status status = find_uri(s, uri);
    if (!status && !s->found && !s->pool.out_of_memory && strchr(uri, '%')) {
        gz_percent_decode(uri);
        status = find_uri(s, uri);
    }
    if (s->pool.out_of_memory) return gz_fail_memory(s->error);
    if (status) return status;
    return s->found ? GRAZE_OK : fail_not_found(s);
}

graze_status gz_package_resolve(char **path, const char *uri, const char *base_dir,
                                const graze_load_options *options, gz_package_cache *cache,
                                gz_warnings *warnings, gz_place place, graze_error *error) {
    *path = NULL;
    gz_package_cache own = {0};
    search s = {.cache = cache ? cache : &own,
                .uri = uri,
                .base_dir = base_dir && *base_dir ? base_dir : ".",
                .options = options,
                .warnings = warnings,
                .place = place,
                .error = error};
    if (!*uri)
        return fail_uri(&s, GRAZE_ERROR_SCHEMA,
                        "is empty; allowed: package://NAME/PATH, file:///PATH or a path");
    graze_status status = search_run(&s);
    if (!status && !(*path = gz_string_copy(s.found))) status = gz_fail_memory(error);
    gz_free(s.tried);
    gz_pool_free(&s.pool);
    gz_package_cache_free(&own);
    return status;
}

// ------------------------------------------------------------------------- the package of a file

/// Characters that stand for themselves in a URI, in XML and in any encoding.
static bool is_plain_name(const char *name) {
    size_t n = strlen(name);
    return n > 0 && name[0] != '.' &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.") == n;
}

static bool same_file(const char *a, const char *b) {
    char real_a[PATH_MAX], real_b[PATH_MAX];
    return realpath(a, real_a) && realpath(b, real_b) && strcmp(real_a, real_b) == 0;
}

/// Whether the name is plain, and package://name/rest is found, not guessed, and is the file.
static bool leads_there(gz_pool *pool, const char *name, const char *rest, const char *path,
                        const char *base_dir, const graze_load_options *options) {
    char *uri = gz_pool_format(pool, "package://%s%s", name, rest), *found = NULL;
    if (!uri || !is_plain_name(name)) return false;
    gz_warnings warnings = {0};
    graze_status status = gz_package_resolve(&found, uri, base_dir, options, NULL, &warnings,
                                             (gz_place){.file = path}, NULL);
    pool->out_of_memory |= status == GRAZE_ERROR_NO_MEMORY || warnings.out_of_memory;
    bool leads = !status && warnings.count == 0 && same_file(found, path);
    gz_warnings_free(&warnings);
    gz_free(found);
    return leads;
}

/// The name under which a folder is known that leads to the file in it; NULL for none.
static const char *name_of_folder(gz_pool *pool, const char *folder, const char *rest,
                                  const char *path, const char *base_dir,
                                  const graze_load_options *options) {
    for (size_t i = 0; i < options->package_count; i++) {
        const graze_package *package = &options->packages[i];
        if (same_file(package->dir, folder) &&
            leads_there(pool, package->name, rest, path, base_dir, options))
            return package->name;
    }
    const char *declared = gz_package_declared_name(pool, folder, options);
    bool leads = declared && leads_there(pool, declared, rest, path, base_dir, options);
    return leads ? declared : NULL;
}

graze_status gz_package_name(char **name, size_t *root, const char *path, const char *base_dir,
                             const graze_load_options *options) {
    *name = NULL;
    *root = 0;
    gz_pool pool = {0};
    const char *found = NULL;
    char *folder = gz_pool_format(&pool, "%s", path);
    // The innermost package that is known, from the file's folder up.
    while (!pool.out_of_memory && !found) {
        char *slash = strrchr(folder, '/');
        if (!slash || slash == folder) break;
        *slash = '\0';
        *root = (size_t)(slash - folder);
        found = name_of_folder(&pool, folder, path + *root, path, base_dir, options);
    }
    *name = gz_string_copy(found);
    bool fine = !pool.out_of_memory && (*name || !found);
    gz_pool_free(&pool);
    return fine ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY;
}
