#include "load/package.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "load/package.h"
#include "load/token.h"
#include "load/xml/xml.h"

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

/// Whether package://name/rest is found, not guessed, and is the file.
static graze_status leads_there(bool *leads, const char *name, const char *rest, const char *path,
                                const char *base_dir, const graze_load_options *options) {
    char *uri = gz_string_format("package://%s%s", name, rest), *found = NULL;
    *leads = false;
    if (!uri) return GRAZE_ERROR_NO_MEMORY;
    gz_warnings warnings = {0};
    graze_status status = gz_package_resolve(&found, uri, base_dir, options, &warnings,
                                             (gz_place){.file = path}, NULL);
    if (warnings.out_of_memory) status = GRAZE_ERROR_NO_MEMORY;
    *leads = status == GRAZE_OK && warnings.count == 0 && same_file(found, path);
    gz_warnings_free(&warnings);
    gz_free(found);
    gz_free(uri);
    return status == GRAZE_ERROR_NO_MEMORY ? status : GRAZE_OK;
}

/// The name that the package.xml of a folder gives; NULL where there is none.
static graze_status declared_name(char **name, const char *folder,
                                  const graze_load_options *options) {
    *name = NULL;
    char *path = gz_string_format("%s/package.xml", folder), *bytes = NULL;
    if (!path) return GRAZE_ERROR_NO_MEMORY;
    graze_limits limits = options->limits;
    if (limits.file_bytes > 1 << 20) limits.file_bytes = 1 << 20;
    size_t size;
    gz_xml_document *document = NULL;
    graze_status status = GRAZE_ERROR_NOT_FOUND;
    if (gz_file_exists(path)) status = gz_file_read(path, limits.file_bytes, &bytes, &size, NULL);
    if (status == GRAZE_OK) status = gz_xml_parse(&document, bytes, size, path, &limits, NULL);
    if (status == GRAZE_OK) {
        const gz_xml_element *e = gz_xml_child(gz_xml_root(document), "name");
        *name = e ? gz_string_copy(e->text) : NULL;
        if (e && !*name) status = GRAZE_ERROR_NO_MEMORY;
    }
    gz_xml_free(document);
    gz_free(bytes);
    gz_free(path);
    return status == GRAZE_ERROR_NO_MEMORY ? status : GRAZE_OK;
}

/// Keeps the name where it leads to the file; takes `candidate`.
static graze_status try_name(char **name, char *candidate, const char *rest, const char *path,
                             const char *base_dir, const graze_load_options *options) {
    bool leads = false;
    graze_status status = GRAZE_OK;
    if (is_plain_name(candidate))
        status = leads_there(&leads, candidate, rest, path, base_dir, options);
    if (leads)
        *name = candidate;
    else
        gz_free(candidate);
    return status;
}

static graze_status try_folder(char **name, const char *folder, const char *rest, const char *path,
                               const char *base_dir, const graze_load_options *options) {
    for (size_t i = 0; i < options->package_count && !*name; i++) {
        if (!same_file(options->packages[i].dir, folder)) continue;
        char *copy = gz_string_copy(options->packages[i].name);
        graze_status status = copy ? try_name(name, copy, rest, path, base_dir, options)
                                   : GRAZE_ERROR_NO_MEMORY;
        if (status) return status;
    }
    if (*name) return GRAZE_OK;
    char *declared;
    graze_status status = declared_name(&declared, folder, options);
    if (status || !declared) return status;
    return try_name(name, declared, rest, path, base_dir, options);
}

graze_status gz_package_name(char **name, size_t *root, const char *path, const char *base_dir,
                             const graze_load_options *options) {
    *name = NULL;
    *root = 0;
    char *folder = gz_string_copy(path);
    if (!folder) return GRAZE_ERROR_NO_MEMORY;
    graze_status status = GRAZE_OK;
    // The innermost package that is known, from the file's folder up.
    for (char *slash; !status && !*name && (slash = strrchr(folder, '/')) && slash != folder;) {
        *slash = '\0';
        *root = (size_t)(slash - folder);
        status = try_folder(name, folder, path + *root, path, base_dir, options);
    }
    gz_free(folder);
    return status;
}
