/// Box2D's GJK on random pairs of polygons: how fast is this machine just now? Rates of other
/// programs, divided by it, can be compared across machines.
#ifndef GRAZE_BENCH_GJK_YARDSTICK_H
#define GRAZE_BENCH_GJK_YARDSTICK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gjk_yardstick gjk_yardstick;

/// `count` pairs of polygons with `vertices` corners, 3 to 8, on circles of a metre, centres in a
/// square of 6 m: the pairs of graze-bench-planar. Ends the program where memory does.
gjk_yardstick *gjk_yardstick_new(int vertices, size_t count, unsigned long long seed);

void gjk_yardstick_free(gjk_yardstick *yardstick);

/// The distances of all pairs, `rounds` times, with witness points and an empty cache; their sum.
double gjk_yardstick_run(gjk_yardstick *yardstick, size_t rounds);

#ifdef __cplusplus
}
#endif

#endif
