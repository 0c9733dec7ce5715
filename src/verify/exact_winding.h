/// How often closed surfaces wind around a point: signed crossings of a half line, integers only.
///
/// Another half line than src/narrow, which looks along z with an infinitely small shift: here it
/// runs along x, and where it meets an edge or a corner another direction is taken.
#ifndef GZ_VERIFY_EXACT_WINDING_H
#define GZ_VERIFY_EXACT_WINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gz_exact_winding gz_exact_winding;

/// NULL when memory is out.
gz_exact_winding *gz_exact_winding_create(void);
void gz_exact_winding_free(gz_exact_winding *x);

/// One triangle, counted `weight` times.
typedef struct gz_winding_triangle {
    const double *corners[3];
    int weight;
} gz_winding_triangle;

/// Begins a count about a point.
void gz_exact_winding_begin(gz_exact_winding *x, const double point[3]);
/// Adds a triangle. When this returns false the half line met its border, and the count begins anew
/// with gz_exact_winding_turn() and all triangles once more.
bool gz_exact_winding_add(gz_exact_winding *x, const gz_winding_triangle *triangle);
/// Takes another direction. False when 64 have been in vain, which no input of finite size and
/// luck that is not against all odds reaches: then there is no answer.
bool gz_exact_winding_turn(gz_exact_winding *x);
/// The sum: over a closed surface that is oriented outward 1 inside and 0 outside.
int64_t gz_exact_winding_sum(const gz_exact_winding *x);
/// Whether some triangle contained the point itself.
bool gz_exact_winding_on_surface(const gz_exact_winding *x);

#endif
