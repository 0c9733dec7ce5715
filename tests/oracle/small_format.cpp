// Expansions and orientation predicates in formats so small that every input can be tried.
//
// The sources of src/math are compiled here with a class in the place of `double`: a number of P
// bits, every operation rounded to nearest even, exponents without end, as the sources may assume.
// A value is kept in a binary64, which holds each sum and product before it is rounded: the inputs
// are integers of at most a few binades, so no intermediate spans 53 bits. What is exact is
// compared with 64-bit integers.
//
// A literal of the sources that speaks of 53 bits is replaced by the one that the same derivation
// gives for P bits (literal(), below); one that is not known ends the program.
//
// The predicates see coordinates only through differences. So two inputs with the same exact
// differences are one, and the sign of all x, or of all y, comes back as the sign of the result,
// because rounding to nearest is odd. What remains is tried, all of it.

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <map>
#include <vector>

typedef double binary64;

static int precision;       // P
static int drop;            // bits of a binary64 that the format lacks
static uint64_t below_half; // just less than half a unit in the last place
static uint64_t kept;       // the bits of the format

static void set_precision(int bits) {
    precision = bits;
    drop = 53 - bits;
    below_half = (UINT64_C(1) << (drop - 1)) - 1;
    kept = ~((UINT64_C(1) << drop) - 1);
}

// To nearest even, P bits: what carries out of the significand rightly raises the exponent.
static binary64 to_format(binary64 x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + below_half + (bits >> drop & 1)) & kept;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static binary64 round_up(binary64 x) {
    binary64 y = to_format(x);
    return y >= x ? y : to_format(x * (1 + ldexp(1.0, -precision)));
}

// The error of a sum of products of `n` roundings, as a part of what the bound is computed from by
// as many and one product: 4 u and 8 u, rounded up to 5 u and 9 u where u^2 does not count. Here
// it does.
static binary64 relative_bound(int n, binary64 at_least) {
    binary64 u = ldexp(1.0, -precision);
    binary64 bound = (pow(1 + u, n) - 1) / pow(1 - u, n + 1);
    return round_up(fmax(bound, at_least * u));
}

static binary64 literal(binary64 x) {
    binary64 u = ldexp(1.0, -precision);
    if (x == 0x8000001p0) return ldexp(1.0, (precision + 1) / 2) + 1; // splits in halves
    if (x == 0x5p-53) return relative_bound(4, 5);
    if (x == 0x9p-53) return relative_bound(8, 9);
    if (x == 0x1p-101) return round_up(32 * u * u / pow(1 - u, 16));
    fprintf(stderr,
            "small_format: the sources have a literal that this program does not know: %a\n", x);
    exit(3);
}

struct number {
    binary64 value;
    number() = default;
    number(int x) : value(x) {}
    number(binary64 x) : value(literal(x)) {}
    static number of(binary64 x) {
        number n;
        n.value = x;
        return n;
    }
    number &operator+=(number b) {
        value = to_format(value + b.value);
        return *this;
    }
    number &operator-=(number b) {
        value = to_format(value - b.value);
        return *this;
    }
};

static inline number operator+(number a, number b) {
    return number::of(to_format(a.value + b.value));
}
static inline number operator-(number a, number b) {
    return number::of(to_format(a.value - b.value));
}
static inline number operator*(number a, number b) {
    return number::of(to_format(a.value * b.value));
}
static inline number operator-(number a) {
    return number::of(-a.value);
}
static inline bool operator==(number a, number b) {
    return a.value == b.value;
}
static inline bool operator!=(number a, number b) {
    return a.value != b.value;
}
static inline bool operator<(number a, number b) {
    return a.value < b.value;
}
static inline bool operator>(number a, number b) {
    return a.value > b.value;
}
static inline bool operator<=(number a, number b) {
    return a.value <= b.value;
}
static inline number fabs(number a) {
    return number::of(fabs(a.value));
}
// Of double_double.h, not tried here: rounded twice.
static inline number operator/(number a, number b) {
    return number::of(to_format(a.value / b.value));
}
static inline number sqrt(number a) {
    return number::of(to_format(sqrt(a.value)));
}

#define _Static_assert static_assert
#define double number
#include "math/expansion.c"
#include "math/expansion.h"
#include "math/predicate.c"
#include "math/predicate.h"
#undef double

// ------------------------------------------------------------------------------------- bookkeeping

static uint64_t checked, wrong;

static void expect(bool holds, const char *what, const int64_t *input, int n) {
    checked++;
    if (holds) return;
    if (++wrong > 20) exit(1);
    printf("wrong: %s, %d bits, of", what, precision);
    for (int i = 0; i < n; i++) printf(" %lld", (long long)input[i]);
    printf("\n");
}

static void report(const char *what, int binades) {
    printf("%-44s %d bits, %2d binades %14llu checks %llu wrong\n", what, precision, binades,
           (unsigned long long)checked, (unsigned long long)wrong);
    fflush(stdout);
    if (wrong) exit(1);
    checked = 0;
}

// All numbers of the format in so many binades, and 0.
static std::vector<int64_t> numbers(int binades) {
    std::vector<int64_t> out = {0};
    for (int e = 0; e < binades; e++)
        for (int64_t m = INT64_C(1) << (precision - 1); m < INT64_C(1) << precision; m++) {
            out.push_back(m << e);
            out.push_back(-(m << e));
        }
    return out;
}

static number of(int64_t x) {
    return number::of((binary64)x);
}

static int64_t whole(number x) {
    return (int64_t)x.value;
}

static int sign_of(int64_t x) {
    return (x > 0) - (x < 0);
}

// -------------------------------------------------------------------------------------- expansions

static int64_t lowest_bit(int64_t x) {
    return x & -x;
}

static bool is_power(int64_t x) {
    return llabs(x) == lowest_bit(x);
}

static bool overlaps(int64_t small, int64_t large) {
    return llabs(small) >= lowest_bit(large);
}

static bool adjoins(int64_t small, int64_t large) {
    return 2 * llabs(small) >= lowest_bit(large);
}

// What expansion.h promises: no overlap; two components touch only where the smaller one is a power
// of two, and none touches on both sides.
static bool is_expansion(const int64_t *x, size_t n) {
    bool touched = false;
    for (size_t i = 0; i < n; i++) {
        if (x[i] == 0) return false;
        if (i == 0) continue;
        if (overlaps(x[i - 1], x[i])) return false;
        bool touches = adjoins(x[i - 1], x[i]);
        if (touches && (touched || !is_power(x[i - 1]))) return false;
        touched = touches;
    }
    return true;
}

static void expect_expansion(const number *h, size_t n, int64_t value, const char *what,
                             const int64_t *input, int inputs) {
    int64_t components[16] = {}, sum = 0;
    for (size_t i = 0; i < n; i++) sum += components[i] = whole(h[i]);
    bool holds = sum == value && is_expansion(components, n) && (n == 0) == (value == 0);
    number estimate = gz_expansion_estimate(h, n);
    int64_t off = llabs(whole(estimate) - value);
    holds = holds && gz_sign(estimate) == sign_of(value);
    // 16 u, as it is derived.
    holds = holds && (off << precision) <= 16 * llabs(value);
    expect(holds, what, input, inputs);
}

static void try_pairs(int binades) {
    std::vector<int64_t> all = numbers(binades);
    for (int64_t a : all)
        for (int64_t b : all) {
            int64_t in[2] = {a, b};
            number high, low, h[2];
            gz_two_sum(of(a), of(b), &high, &low);
            expect(whole(high) + whole(low) == a + b && high == of(a) + of(b), "two-sum", in, 2);
            gz_two_difference(of(a), of(b), &high, &low);
            expect(whole(high) + whole(low) == a - b && high == of(a) - of(b), "two-difference", in,
                   2);
            if (llabs(a) >= llabs(b)) {
                gz_fast_two_sum(of(a), of(b), &high, &low);
                expect(whole(high) + whole(low) == a + b && high == of(a) + of(b), "fast two-sum",
                       in, 2);
            }
            gz_two_product(of(a), of(b), &high, &low);
            expect(whole(high) + whole(low) == a * b && high == of(a) * of(b), "two-product", in,
                   2);
            size_t n = gz_expansion_difference(of(a), of(b), h);
            expect_expansion(h, n, a - b, "difference", in, 2);
        }
    report("sums, differences and products of two", binades);
    for (int64_t a : all) {
        number high, low;
        gz_split(of(a), &high, &low);
        int64_t half = INT64_C(1) << (precision / 2), h = whole(high), l = whole(low);
        bool fits = h + l == a && (h == 0 || llabs(h) / lowest_bit(h) < half) &&
                    (l == 0 || llabs(l) / lowest_bit(l) < half);
        expect(fits, "split", &a, 1);
    }
    report("split", binades);
}

struct components {
    int64_t x[3];
    int n;
};

// All expansions of up to `most` components, each in the binades given.
static std::vector<components> expansions(int binades, int most) {
    std::vector<int64_t> all = numbers(binades);
    std::vector<components> out = {{{0, 0, 0}, 0}};
    for (size_t from = 0, n = 1; n <= (size_t)most; n++) {
        size_t end = out.size();
        for (; from < end; from++)
            for (int64_t x : all) {
                components p = out[from];
                p.x[p.n++] = x;
                if (is_expansion(p.x, (size_t)p.n)) out.push_back(p);
            }
    }
    return out;
}

static int64_t value_of(const components &p) {
    int64_t sum = 0;
    for (int i = 0; i < p.n; i++) sum += p.x[i];
    return sum;
}

static void load(const components &p, number *out) {
    for (int i = 0; i < p.n; i++) out[i] = of(p.x[i]);
}

static void try_expansions(int binades, int more) {
    std::vector<components> two = expansions(binades, 2), three = expansions(binades, 3);
    for (const components &e : more ? three : two)
        for (const components &f : two) {
            number x[3], y[3], h[16];
            load(e, x), load(f, y);
            int64_t in[5] = {e.x[0], e.x[1], e.x[2], f.x[0], f.x[1]};
            size_t n = gz_expansion_sum(x, (size_t)e.n, y, (size_t)f.n, h);
            expect_expansion(h, n, value_of(e) + value_of(f), "sum", in, 5);
            n = gz_expansion_multiply(x, (size_t)e.n, y, (size_t)f.n, h);
            expect_expansion(h, n, value_of(e) * value_of(f), "product", in, 5);
        }
    report(more ? "sums and products of expansions, 3 and 2"
                : "sums and products of expansions, 2 and 2",
           binades);
    std::vector<int64_t> all = numbers(binades);
    for (const components &e : three)
        for (int64_t b : all) {
            number x[3], h[6];
            load(e, x);
            int64_t in[4] = {e.x[0], e.x[1], e.x[2], b};
            size_t n = gz_expansion_scale(x, (size_t)e.n, of(b), h);
            expect_expansion(h, n, value_of(e) * b, "scaled", in, 4);
        }
    report("expansions of 3 times a number", binades);
}

// -------------------------------------------------------------------------------------- predicates

// One coordinate of all points, of which the last is taken from the others; the differences decide.
struct axis {
    int64_t at[4], gap[3];
};

// The inputs along one axis, of `points` points: one for each list of differences; without those
// that are another's with the sign changed where `half`.
static std::vector<axis> axes(const std::vector<int64_t> &values, int points, bool half) {
    std::map<std::vector<int64_t>, axis> found;
    size_t n = values.size(), count = 1;
    for (int i = 0; i < points; i++) count *= n;
    for (size_t k = 0; k < count; k++) {
        axis a = {};
        size_t rest = k;
        for (int i = 0; i < points; i++, rest /= n) a.at[i] = values[rest % n];
        int sign = 0;
        for (int i = 0; i < points - 1; i++) {
            a.gap[i] = a.at[i] - a.at[points - 1];
            if (!sign) sign = sign_of(a.gap[i]);
        }
        if (half && sign < 0) continue;
        found.emplace(std::vector<int64_t>(a.gap, a.gap + points - 1), a);
    }
    std::vector<axis> out;
    for (const auto &f : found) out.push_back(f.second);
    return out;
}

static void try_orient2d(const std::vector<axis> &xs, const std::vector<axis> &ys, const char *what,
                         int binades) {
    uint64_t exact = 0, asked = 0;
    for (const axis &x : xs)
        for (const axis &y : ys) {
            number a[2] = {of(x.at[0]), of(y.at[0])}, b[2] = {of(x.at[1]), of(y.at[1])},
                   c[2] = {of(x.at[2]), of(y.at[2])};
            int truth = sign_of(x.gap[0] * y.gap[1] - y.gap[0] * x.gap[1]);
            int64_t in[6] = {x.at[0], y.at[0], x.at[1], y.at[1], x.at[2], y.at[2]};
            asked++;
            expect(gz_orient2d_counted(a, b, c, &exact) == truth, "orient2d", in, 6);
            expect(gz_sign(gz_orient2d_value(a, b, c)) == truth, "orient2d by expansions", in, 6);
        }
    printf("orient2d: the filter decides %.1f %% of %llu\n",
           100.0 - 100.0 * (binary64)exact / (binary64)asked, (unsigned long long)asked);
    report(what, binades);
}

static int64_t minor2(const axis &x, const axis &y, int i, int j) {
    return x.gap[i] * y.gap[j] - x.gap[j] * y.gap[i];
}

static void try_orient3d(const std::vector<axis> &xs, const std::vector<axis> &ys,
                         const std::vector<axis> &zs, const char *what, int binades) {
    uint64_t exact = 0, asked = 0, pairs = 0;
    for (const axis &x : xs)
        for (const axis &y : ys) {
            int64_t bc = minor2(x, y, 1, 2), ca = minor2(x, y, 2, 0), ab = minor2(x, y, 0, 1);
            for (const axis &z : zs) {
                number p[4][3];
                for (int i = 0; i < 4; i++)
                    p[i][0] = of(x.at[i]), p[i][1] = of(y.at[i]), p[i][2] = of(z.at[i]);
                int truth = sign_of(z.gap[0] * bc + z.gap[1] * ca + z.gap[2] * ab);
                int64_t in[12];
                for (int i = 0; i < 4; i++)
                    in[3 * i] = x.at[i], in[3 * i + 1] = y.at[i], in[3 * i + 2] = z.at[i];
                asked++;
                expect(gz_orient3d_counted(p[0], p[1], p[2], p[3], &exact) == truth, "orient3d", in,
                       12);
                int sign = pair_sign(p[0], p[1], p[2], p[3]);
                pairs += sign != 0;
                expect(sign == truth || sign == 0, "orient3d in pairs", in, 12);
                expect(gz_sign(gz_orient3d_value(p[0], p[1], p[2], p[3])) == truth,
                       "orient3d by expansions", in, 12);
            }
        }
    printf("orient3d: the filter decides %.1f %%, pairs %.1f %% of %llu\n",
           100.0 - 100.0 * (binary64)exact / (binary64)asked,
           100.0 * (binary64)pairs / (binary64)asked, (unsigned long long)asked);
    report(what, binades);
}

// ------------------------------------------------------------------------------------------- runs

// One in `stride` of a list, from the first on.
static std::vector<axis> every(const std::vector<axis> &all, size_t stride) {
    std::vector<axis> out;
    for (size_t i = 0; i < all.size(); i += stride) out.push_back(all[i]);
    return out;
}

static void run_orient2d(int bits, int binades, size_t stride) {
    set_precision(bits);
    std::vector<axis> half = axes(numbers(binades), 3, true);
    try_orient2d(every(half, stride), half,
                 stride == 1 ? "orient2d, every input" : "orient2d, a part", binades);
}

// The coordinates `values`: all numbers of the format where there are none.
static void run_orient3d(int bits, std::vector<int64_t> values, size_t stride) {
    set_precision(bits);
    const char *what = values.empty() ? "orient3d, every input" : "orient3d, every input of a grid";
    if (stride > 1) what = "orient3d, a part";
    if (values.empty()) values = numbers(1);
    std::vector<axis> half = axes(values, 4, true), whole = axes(values, 4, false);
    try_orient3d(every(half, stride), half, whole, what, 1);
}

int main(int argc, char **argv) {
    bool full = argc == 2 && strcmp(argv[1], "--full") == 0;
    if (argc > 1 && !full) {
        printf("usage: small_format [--full]    without it, what takes seconds\n");
        return strcmp(argv[1], "--help") == 0 ? 0 : 2;
    }
    set_precision(5);
    try_pairs(full ? 16 : 10);
    try_expansions(full ? 6 : 4, false);
    if (full) try_expansions(4, true);
    set_precision(3);
    try_expansions(4, true);
    run_orient2d(5, 1, 1);
    if (full) run_orient2d(5, 2, 16);
    run_orient2d(3, 2, 1);
    run_orient3d(2, {}, full ? 1 : 40);
    run_orient3d(5, {-31, 0, 17}, 1);
    if (full) run_orient3d(5, {-31, -16, 0, 25}, 1);
    return 0;
}
