/// Names of joints in documents.
#ifndef GZ_LOAD_DOCUMENT_JOINT_NAME_H
#define GZ_LOAD_DOCUMENT_JOINT_NAME_H

#include "load/document/document.h"

/// The column of q of the joint that a value names.
/// @return GRAZE_ERROR_SCHEMA where it is no text, or the name of no joint with one number of its
/// own
graze_status gz_value_joint(const gz_document *document, const gz_value *value,
                            const graze_robot *robot, int32_t *column);
/// The same of a name; `value` is where errors are.
graze_status gz_value_joint_named(const gz_document *document, const gz_value *value,
                                  const char *name, const graze_robot *robot, int32_t *column);
/// Fails where columns[count] is one of those before it.
graze_status gz_value_joint_new(const gz_document *document, const gz_value *value,
                                const int32_t *columns, size_t count);

#endif
