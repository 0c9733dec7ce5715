/// Whether two triangles with area meet, by CGAL's exact kernel.
#ifndef GRAZE_TESTS_CGAL_TRIANGLES_H
#define GRAZE_TESTS_CGAL_TRIANGLES_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

bool cgal_triangles_overlap(const double a[9], const double b[9]);

#ifdef __cplusplus
}
#endif

#endif
