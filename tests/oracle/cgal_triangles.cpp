#include "cgal_triangles.h"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/intersections.h>

using kernel = CGAL::Exact_predicates_exact_constructions_kernel;

static kernel::Triangle_3 triangle(const double t[9]) {
    return kernel::Triangle_3(kernel::Point_3(t[0], t[1], t[2]), kernel::Point_3(t[3], t[4], t[5]),
                              kernel::Point_3(t[6], t[7], t[8]));
}

bool cgal_triangles_overlap(const double a[9], const double b[9]) {
    return CGAL::do_intersect(triangle(a), triangle(b));
}
