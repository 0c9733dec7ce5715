/// From the XML tree to the model that the rules judge. Nothing is refused here.
#ifndef GZ_LINT_LINT_MODEL_H
#define GZ_LINT_LINT_MODEL_H

#include "lint/lint.h"

/// Fills links, joints and geometries from context->urdf; false when out of memory.
bool gz_lint_model_read(gz_lint_context *context);
/// Frees what it filled.
void gz_lint_model_clear(gz_lint_context *context);

/// The numbers of an attribute; `element` may be NULL.
gz_lint_numbers gz_lint_numbers_read(const gz_xml_element *element, const char *attribute,
                                     size_t wanted);

/// lint_mesh.c: finds and reads every mesh file once, and tells geometries which is theirs; false
/// when out of memory.
bool gz_lint_meshes_read(gz_lint_context *context);
/// Welds and measures a mesh, once. False where it cannot be: it was not read, it is too large, or
/// out of memory (the context says so). Cost: as gz_mesh_measure_take().
bool gz_lint_mesh_measure(gz_lint_context *context, gz_lint_mesh *mesh);
void gz_lint_meshes_clear(gz_lint_context *context);

#endif
