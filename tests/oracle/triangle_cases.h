/// Random pairs of triangles by category: ordinary ones, and those that peers are known to get
/// wrong.
#ifndef GRAZE_TESTS_TRIANGLE_CASES_H
#define GRAZE_TESTS_TRIANGLE_CASES_H

#include "base/random.h"

typedef struct triangle_category {
    const char *name;
    const char *what;
    void (*make)(gz_random *random, double a[9], double b[9]);
} triangle_category;

extern const triangle_category triangle_categories[];
extern const int triangle_category_count;

#endif
