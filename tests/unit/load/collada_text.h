/// A small Collada file, and changes to it: what the tests of its reader share.
#ifndef TESTS_UNIT_LOAD_COLLADA_TEXT_H
#define TESTS_UNIT_LOAD_COLLADA_TEXT_H

#include "unit/load/mesh_case.h"

#define COLLADA_PARAMS                                                                             \
    "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" "       \
    "type=\"float\"/>"
#define COLLADA_POSITIONS "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1"
#define COLLADA_INPUT     "<input semantic=\"VERTEX\" source=\"#gv\" offset=\"0\"/>"
#define COLLADA_TRIANGLES "<triangles count=\"1\">" COLLADA_INPUT "<p>0 1 2</p></triangles>"
#define COLLADA_MESH(id)                                                                           \
    "<geometry id=\"" id "\"><mesh><source id=\"" id "s\"><float_array id=\"" id                   \
    "a\" count=\"15\">" COLLADA_POSITIONS                                                          \
    "</float_array><technique_common><accessor source=\"#" id                                      \
    "a\" count=\"5\" stride=\"3\">" COLLADA_PARAMS                                                 \
    "</accessor></technique_common></source><vertices id=\"" id                                    \
    "v\"><input semantic=\"POSITION\" source=\"#" id "s\"/></vertices>"
/// One triangle, (0 0 0) (1 0 0) (0 1 0), in one node.
#define COLLADA_TEXT                                                                               \
    "<COLLADA version=\"1.4.1\"><asset><unit meter=\"1\"/><up_axis>Z_UP</up_axis></asset>\n"       \
    "<library_geometries>" COLLADA_MESH("g") COLLADA_TRIANGLES                                     \
        "</mesh></geometry></library_geometries>\n"                                                \
        "<library_nodes/>\n"                                                                       \
        "<library_visual_scenes><visual_scene id=\"S\"><node id=\"n\">"                            \
        "<instance_geometry url=\"#g\"/></node></visual_scene>"                                    \
        "</library_visual_scenes>\n"                                                               \
        "<scene><instance_visual_scene url=\"#S\"/></scene></COLLADA>"

/// Reads the file with the first `from` replaced by `to`.
static inline graze_status read_changed(mesh_case *m, const char *from, const char *to) {
    const char *fine = COLLADA_TEXT, *at = strstr(fine, from);
    assert_non_null(at);
    char text[8192];
    int n = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - fine), fine, to, at + strlen(from));
    assert_true(n > 0 && (size_t)n < sizeof text);
    return mesh_case_text(m, "a.dae", text);
}

#endif
