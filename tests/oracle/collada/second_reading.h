/// Reads a Collada file twice, by graze and by assimp, and reports where they see other geometry.
#ifndef TESTS_ORACLE_COLLADA_SECOND_READING_H
#define TESTS_ORACLE_COLLADA_SECOND_READING_H

#include "load/mesh/collada.h"
#include "mesh/mesh.h"

/// Reads Collada by graze's reader, then the same bytes by the importer of the options, and
/// compares. Warns "readers-differ" where they differ by more than rounding, and
/// "second-reader-failed" where there is nothing to compare with.
graze_status gz_second_reading_compare(gz_mesh_reader *reader);

// -------------------------------------------------------------------------------
// for its own files

/// How far apart the two readings of one corner may be by the roundings of assimp's floats, metres.
/// @return GRAZE_ERROR_NO_MEMORY
graze_status gz_second_reading_tolerance(gz_collada *c, const gz_soup *soup, double *tolerance,
                                         graze_error *error);

/// Tells each triangle of the soup which polygon of the document it was cut from: by the number of
/// the first triangle of that polygon.
/// @return GRAZE_ERROR_NO_MEMORY
graze_status gz_second_reading_polygons(gz_collada *c, const gz_soup *soup, size_t *numbers,
                                        graze_error *error);

/// The unit that counts by the profile of the options.
double gz_second_reading_unit(const gz_collada *c);

#endif
