/// Winding numbers by a vertical ray, exact: signs of determinants, ties broken by a symbolic shift
/// (Edelsbrunner and Muecke 1990, "Simulation of simplicity").
#include "mesh/cap.h"

#include <stdbool.h>

#include "math/predicate.h"

/// On which side of the line a-b, seen from above, the shifted point lies: 1 left, -1 right. The
/// determinant changes by (a_y - b_y) per unit of p_x and by (b_x - a_x) per unit of p_y; it is 0
/// only where a and b coincide, seen from above.
static int shifted_side(const double a[3], const double b[3], const double p[3]) {
    int side = gz_orient2d(a, b, p);
    if (side == 0) side = gz_sign(a[1] - b[1]);
    if (side == 0) side = gz_sign(b[0] - a[0]);
    return side;
}

/// The sign of one component of the normal (b - a) x (c - a): that of the triangle seen along the
/// axis, in the plane of the two axes after it.
static int normal_sign(const double t[3][3], int axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double a[2] = {t[0][u], t[0][v]}, b[2] = {t[1][u], t[1][v]}, c[2] = {t[2][u], t[2][v]};
    return gz_orient2d(a, b, c);
}

/// Whether the shifted point lies below the plane of the triangle, which looks up (up = 1) or down
/// (up = -1). gz_orient3d is n . (a - p) for the normal n; a shift of p by s changes it by -n . s,
/// and up * n_z > 0 decides last, towards "above".
static bool shifted_below(const double p[3], const double t[3][3], int up) {
    int side = gz_orient3d(t[0], t[1], t[2], p);
    if (side == 0) side = -normal_sign(t, 0);
    if (side == 0) side = -normal_sign(t, 1);
    return side == up;
}

int gz_winding_crossing(const double p[3], const double t[3][3]) {
    // The shifted point is beyond every coordinate that p has reached, hence <= on the upper side.
    double low_z = t[0][2];
    for (int k = 0; k < 3; k++) {
        double low = t[0][k], high = t[0][k];
        for (int i = 1; i < 3; i++) {
            low = t[i][k] < low ? t[i][k] : low;
            high = t[i][k] > high ? t[i][k] : high;
        }
        if (high <= p[k] || (k < 2 && low > p[k])) return 0;
        low_z = low;
    }
    int up = shifted_side(t[0], t[1], p);
    if (up == 0 || shifted_side(t[1], t[2], p) != up || shifted_side(t[2], t[0], p) != up) return 0;
    if (low_z > p[2]) return up;
    return shifted_below(p, t, up) ? up : 0;
}
