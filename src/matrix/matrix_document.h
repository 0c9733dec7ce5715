/// An SRDF as text that is known to be one.
#ifndef GZ_MATRIX_MATRIX_DOCUMENT_H
#define GZ_MATRIX_MATRIX_DOCUMENT_H

#include "graze/matrix.h"
#include "load/xml/xml.h"

/// Parses an SRDF; GRAZE_ERROR_SCHEMA for XML that is none. Free with gz_xml_free().
graze_status gz_matrix_document_parse(gz_xml_document **out, const char *text, size_t size,
                                      const char *name, const graze_limits *limits,
                                      graze_error *error);

#endif
