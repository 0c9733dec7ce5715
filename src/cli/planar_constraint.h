/// A segment against a disk and its circle: the question and all answers to it, exact and smooth.
#ifndef GZ_CLI_PLANAR_CONSTRAINT_H
#define GZ_CLI_PLANAR_CONSTRAINT_H

#include "graze/planar_smooth.h"

#define GZ_RELATION_COUNT 4

typedef struct gz_constraint_answer {
    graze_vec2 a, b, center;
    double radius, margin;
    graze_planar_smoothing smoothing;
    int relation; ///< graze_planar_relation that is asked for, or -1 for all
    graze_planar_segment_range exact, smooth;
    graze_planar_constraint exact_case[GZ_RELATION_COUNT], smooth_case[GZ_RELATION_COUNT];
} gz_constraint_answer;

/// "clear-of-disk" and so on, in the order of graze_planar_relation; NULL at the end.
extern const char *const gz_relation_names[GZ_RELATION_COUNT + 1];

/// The end of the segment that is farther from the centre.
graze_vec2 gz_constraint_farthest(const gz_constraint_answer *answer);

/// Draws it as SVG. Returns an exit status, the message printed.
int gz_constraint_draw(const gz_constraint_answer *answer, const char *path);

#endif
