/// Whether two triangles meet, in rational arithmetic and without a filter: the first is clipped
/// against the half-spaces whose intersection is the second. Shares neither code nor method with
/// the library, which compares signs of determinants.
#ifndef GRAZE_TESTS_RATIONAL_CLIP_H
#define GRAZE_TESTS_RATIONAL_CLIP_H

#include <stdbool.h>

/// Big integers that are reused from pair to pair.
typedef struct rational_clip rational_clip;

rational_clip *rational_clip_create(void);
void rational_clip_free(rational_clip *clip);

/// Exact for all finite coordinates. Closed sets; triangles without area as what they are.
bool rational_clip_overlap(rational_clip *clip, const double a[9], const double b[9]);

#define RATIONAL_CLIP_MAX 24

/// After a true answer: corners of the shared set, each rounded (to within an ulp); its count.
int rational_clip_shared(rational_clip *clip, double points[RATIONAL_CLIP_MAX][3]);
/// After a true answer: whether the shared set is one point, exactly.
bool rational_clip_shared_is_point(rational_clip *clip);

/// Of the second triangle of the last call: 0 a point, 1 a segment, 2 a triangle.
int rational_clip_dimension(const rational_clip *clip);

#endif
