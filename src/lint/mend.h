/// Mends that keep what a description means: which bytes of a file to replace, and by what.
///
/// A finding without a certain mend gets none. Nothing here writes a file.
#ifndef GZ_LINT_MEND_H
#define GZ_LINT_MEND_H

#include "lint/lint.h"

/// Room for the texts of one mend, which gz_lint_add() copies.
typedef struct gz_fix_buffer {
    char text[2 * GRAZE_PATH_SIZE], was[2 * GRAZE_PATH_SIZE];
} gz_fix_buffer;

/// The axis of a joint at length 1, in digits from which the loader makes the very axis that it
/// makes now.
void gz_fix_axis(gz_fix_buffer *mend, const gz_lint_context *context, const gz_lint_joint *joint,
                 graze_lint_fix *fix);
/// package://NAME/PATH for an absolute path into a package that the run's options find, at the same
/// file.
void gz_fix_path(gz_fix_buffer *mend, gz_lint_context *context, const gz_lint_geometry *geometry,
                 const gz_lint_mesh *mesh, graze_lint_fix *fix);
/// Another value for an attribute of the SRDF.
void gz_fix_srdf_value(gz_fix_buffer *mend, const gz_lint_context *context,
                       const gz_xml_element *element, const char *attribute, const char *value,
                       graze_lint_fix *fix);

#endif
