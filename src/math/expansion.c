#include "math/expansion.h"

#include <assert.h>

// Merges the components of both by magnitude and carries a running sum through them; what each step
// rounds off is a component of the result (Shewchuk, theorem 13). Rounding errors of zero are left
// out, which keeps order and non-overlap.
size_t gz_expansion_sum(const double *e, size_t n, const double *f, size_t m, double *h) {
    size_t i = 0, j = 0, length = 0;
    double carry = 0;
    while (i < n || j < m) {
        double next = (j == m || (i < n && fabs(e[i]) <= fabs(f[j]))) ? e[i++] : f[j++];
        double low;
        gz_two_sum(carry, next, &carry, &low);
        if (low != 0) h[length++] = low;
    }
    if (carry != 0) h[length++] = carry;
    return length;
}

// Multiplies from the small end; the product of each component is exact in two parts, of which the
// low one joins the running sum before the high one does (Shewchuk, theorem 19).
size_t gz_expansion_scale(const double *e, size_t n, double b, double *h) {
    if (n == 0 || b == 0) return 0;
    size_t length = 0;
    double carry, low;
    gz_two_product(e[0], b, &carry, &low);
    if (low != 0) h[length++] = low;
    for (size_t i = 1; i < n; i++) {
        double product, product_low, sum;
        gz_two_product(e[i], b, &product, &product_low);
        gz_two_sum(carry, product_low, &sum, &low);
        if (low != 0) h[length++] = low;
        gz_fast_two_sum(product, sum, &carry, &low);
        if (low != 0) h[length++] = low;
    }
    if (carry != 0) h[length++] = carry;
    return length;
}

size_t gz_expansion_multiply(const double *e, size_t n, const double *f, size_t m, double *h) {
    assert(n <= GZ_EXPANSION_FACTOR && m <= 2);
    if (m == 0) return 0;
    if (m == 1) return gz_expansion_scale(e, n, f[0], h);
    double low[2 * GZ_EXPANSION_FACTOR], high[2 * GZ_EXPANSION_FACTOR];
    size_t low_length = gz_expansion_scale(e, n, f[0], low);
    size_t high_length = gz_expansion_scale(e, n, f[1], high);
    return gz_expansion_sum(low, low_length, high, high_length, h);
}
