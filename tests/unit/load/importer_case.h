/// One file read by an importer, the real one or a stand-in: what the tests of the importer share.
#ifndef TESTS_UNIT_LOAD_IMPORTER_CASE_H
#define TESTS_UNIT_LOAD_IMPORTER_CASE_H

#include <fcntl.h>
#include <sys/wait.h>

#include "load/importer/importer.h"
#include "unit/load/mesh_case.h"

#define IMPORTER_SOURCE                                                                            \
    "<source id=\"p\"><float_array id=\"a\" count=\"12\">1 2 3 4 5 6 7 8 10 0 0 0</float_array>"   \
    "<technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\"><param name=\"X\"/>"       \
    "<param name=\"Y\"/><param name=\"Z\"/></accessor></technique_common></source>"
#define IMPORTER_MESH                                                                              \
    IMPORTER_SOURCE                                                                                \
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"                   \
    "<polylist count=\"2\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"                \
    "<vcount>3 4</vcount><p>0 1 2 0 1 2 3</p></polylist>"                                          \
    "<lines count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1</p></lines>"
#define IMPORTER_TEXT                                                                              \
    "<COLLADA version=\"1.4.1\"><asset><unit meter=\"0.5\"/><up_axis>Z_UP</up_axis></asset>"       \
    "<library_geometries><geometry id=\"g\"><mesh>" IMPORTER_MESH                                  \
    "</mesh></geometry></library_geometries>"                                                      \
    "<library_visual_scenes><visual_scene id=\"s\"><node><instance_geometry url=\"#g\"/></node>"   \
    "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene>"    \
    "</COLLADA>"

/// Has the importer of the options read bytes that nobody has judged.
static inline graze_status import_bytes(mesh_case *m, const char *bytes, size_t size) {
    mesh_case_clear(m);
    m->soup = gz_soup_create();
    if (!m->options.importer_seconds) m->options.importer_seconds = 60;
    gz_mesh_reader reader = {.path = "a.dae",
                             .bytes = bytes,
                             .size = size,
                             .scale = {1, 1, 1},
                             .options = &m->options,
                             .budget = &m->budget,
                             .warnings = &m->warnings,
                             .error = &m->error,
                             .soup = m->soup};
    gz_memory_budget memory;
    gz_memory_budget_open(&memory, m->options.limits.memory_bytes);
    graze_status status = gz_importer_read(&reader, "dae");
    gz_memory_budget_close(&memory);
    gz_polygons_free(&reader.polygons);
    return status;
}

static inline graze_status import_text(mesh_case *m, const char *importer) {
    m->options.importer = importer;
    return import_bytes(m, IMPORTER_TEXT, strlen(IMPORTER_TEXT));
}

/// The path of a stand-in that behaves as it is called; lasts until the next call.
static inline const char *stand_in(mesh_case *m, const char *behaviour) {
    static char path[512];
    snprintf(path, sizeof path, "%s", mesh_case_path(m, behaviour));
    if (access(path, F_OK) != 0) assert_int_equal(symlink(GRAZE_STAND_IN, path), 0);
    return path;
}

static inline void assert_is_refused(mesh_case *m, const char *behaviour, graze_status status,
                                     const char *message) {
    graze_status found = import_text(m, stand_in(m, behaviour));
    if (found != status || !strstr(m->error.message, message))
        fail_msg("%s: status %d, message '%s'; wanted %d, '%s'", behaviour, (int)found,
                 m->error.message, (int)status, message);
    assert_int_equal(m->soup->triangle_count, 0);
    assert_int_equal(m->soup->vertex_count, 0);
    assert_string_equal(m->error.file, "a.dae");
    assert_non_null(strstr(m->error.message, "; allowed: "));
}

#endif
