/// Clearance along a trajectory as a picture: bounds of the least distance over time, as SVG.
#ifndef GZ_CLI_MOTION_CLEARANCE_PICTURE_H
#define GZ_CLI_MOTION_CLEARANCE_PICTURE_H

#include <stdint.h>
#include <stdio.h>

#include "graze/graze.h"

enum { GZ_CLEARANCE_COLUMNS = 720 }; ///< one a pixel

/// What is measured, in columns of time: where there are more times than columns, each has the
/// least lower and the greatest upper bound of its times.
typedef struct gz_clearance_picture {
    uint64_t samples; ///< to come
    double begin, end;
    double least_lower, least_upper, least_time; ///< of all; not finite where no pair is checked
    const char *link, *other;                    ///< of that; NULL where no pair is checked
    graze_motion_verdict verdict;                ///< of the whole way, up to `earliest`
    double earliest, latest;                     ///< s, where it is not free
    struct gz_clearance_column {
        double time, lower, upper; ///< s, metres
    } columns[GZ_CLEARANCE_COLUMNS];
} gz_clearance_picture;

/// Takes the bounds of time `index` of `samples`, in ascending order.
void gz_clearance_picture_add(gz_clearance_picture *picture, uint64_t index, double time,
                              const graze_interval *bounds);

/// Writes the picture.
void gz_clearance_picture_write(const gz_clearance_picture *picture, const char *title,
                                FILE *stream);

#endif
