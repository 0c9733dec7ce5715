/// Reads a Collada file a second time, by assimp as most programs of robotics do, and says where
/// these would see other geometry. Graze's own reading counts: all that comes of it is a warning.
#ifndef GZ_LOAD_SECOND_READING_H
#define GZ_LOAD_SECOND_READING_H

#include "load/mesh/collada.h"
#include "mesh/mesh.h"

/// Compares what was read of the document with what the importer of the options makes of the same
/// bytes, if there is one. Warns "readers-differ" where they differ by more than rounding, and
/// "second-reader-failed" where there is nothing to compare with.
void gz_second_reading_compare(gz_collada *c, const gz_soup *soup);

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

/// The primitive that a triangle of the soup comes from; NULL when out of memory.
const gz_xml_element *gz_second_reading_primitive(gz_collada *c, size_t triangle);

/// The unit that counts by the profile of the options.
double gz_second_reading_unit(const gz_collada *c);

#endif
