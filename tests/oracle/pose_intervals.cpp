// The bounds on errors of poses along chains of joints, evaluated anew with MPFR, every operation
// rounded up, and nothing left out as small: what the library states in double
// (graze_robot_link_pose_error()) and in float (the filters' bounds) must be at least that.
//
// The library's recursions drop products of errors and hold them by factors; its constants of a
// joint are bounded by u times what they are made of. Here products count, and the constants are
// compared with the real ones, which are known to 2^-200. What one operation rounds is bounded as
// in the proofs: `apply_vector` for R v, the sine and cosine by their bounds (`angle_reduction`,
// `sine_float`, `cosine_float`), sums and products by the norms of what they are of.
//
// usage: pose_intervals [--robot NAME]

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" {
#include "kinematics_robot.h"
}
#include "pose_steps.h"

namespace {

constexpr mpfr_prec_t BITS = 256;

/// A number of 256 bits, each operation rounded one way.
template <mpfr_rnd_t WAY> class number {
  public:
    number(double x = 0) {
        mpfr_init2(value, BITS);
        mpfr_set_d(value, x, WAY);
    }
    number(const number &other) : number() { mpfr_set(value, other.value, WAY); }
    template <mpfr_rnd_t OTHER> explicit number(const number<OTHER> &other) : number() {
        mpfr_set(value, other.value, WAY);
    }
    number &operator=(const number &other) {
        mpfr_set(value, other.value, WAY);
        return *this;
    }
    ~number() { mpfr_clear(value); }
    friend number operator+(const number &a, const number &b) {
        number out;
        mpfr_add(out.value, a.value, b.value, WAY);
        return out;
    }
    friend number operator-(const number &a, const number &b) {
        number out;
        mpfr_sub(out.value, a.value, b.value, WAY);
        return out;
    }
    friend number operator*(const number &a, const number &b) {
        number out;
        mpfr_mul(out.value, a.value, b.value, WAY);
        return out;
    }
    friend number operator/(const number &a, const number &b) {
        number out;
        mpfr_div(out.value, a.value, b.value, WAY);
        return out;
    }
    friend number root(const number &a) {
        number out;
        mpfr_sqrt(out.value, a.value, WAY);
        return out;
    }
    friend number magnitude(const number &a) {
        number out;
        mpfr_abs(out.value, a.value, WAY);
        return out;
    }
    friend bool operator<(const number &a, const number &b) {
        return mpfr_less_p(a.value, b.value);
    }
    double up() const { return mpfr_get_d(value, MPFR_RNDU); }
    mpfr_t value;
};

using real = number<MPFR_RNDN>;   // of what is known exactly, but for 2^-200
using upper = number<MPFR_RNDU>;  // bounds, none below 0
using matrix = std::vector<real>; // 9

upper larger(const upper &a, const upper &b) {
    return a < b ? b : a;
}

upper size_of(const real &x) {
    return upper(magnitude(x)) + upper(0x1p-200);
}

/// Frobenius' norm.
upper norm(const std::vector<real> &m) {
    upper sum;
    for (const real &x : m) sum = sum + size_of(x) * size_of(x);
    return root(sum);
}

upper inner(const matrix &a, const matrix &b) {
    real sum;
    for (size_t i = 0; i < a.size(); i++) sum = sum + a[i] * b[i];
    return size_of(sum);
}

std::vector<real> difference(const std::vector<real> &a, const double *b) {
    std::vector<real> out;
    for (size_t i = 0; i < a.size(); i++) out.push_back(a[i] - real(b[i]));
    return out;
}

matrix doubles(const double *m, size_t count) {
    return matrix(m, m + count);
}

/// A turn's parts in real numbers, and the origin.
struct real_joint {
    matrix rotation, constant, cosine, sine;
    std::vector<real> origin, slide, axis;
};

matrix product(const matrix &a, const matrix &b) {
    matrix out(9);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                out[3 * i + j] = out[3 * i + j] + a[3 * i + k] * b[3 * k + j];
    return out;
}

std::vector<real> turned(const matrix &a, const std::vector<real> &v) {
    std::vector<real> out(3);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) out[i] = out[i] + a[3 * i + k] * v[k];
    return out;
}

real_joint real_of(const pose_step &s) {
    real_joint out;
    out.rotation = matrix(9);
    for (int i = 0; i < 3; i++) out.rotation[4 * i] = real(1);
    out.origin = std::vector<real>(3);
    for (size_t c = 0; c < s.chain_count; c++) {
        matrix r(9);
        std::vector<real> t(3);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) r[3 * i + j] = real(s.chain[c][4 * i + j]);
            t[i] = real(s.chain[c][4 * i + 3]);
        }
        std::vector<real> moved = turned(out.rotation, t);
        for (int i = 0; i < 3; i++) out.origin[i] = out.origin[i] + moved[i];
        out.rotation = product(out.rotation, r);
    }
    real square;
    for (double x : s.given) square = square + real(x) * real(x);
    for (double x : s.given) out.axis.push_back(real(x) / root(square));
    matrix along(9), across(9); // a a^T, [a]x
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) along[3 * i + j] = out.axis[i] * out.axis[j];
        const int r = (i + 1) % 3, c = (i + 2) % 3;
        across[3 * r + c] = real(0) - out.axis[i];
        across[3 * c + r] = out.axis[i];
    }
    out.constant = product(out.rotation, along);
    out.cosine = matrix(9);
    for (int i = 0; i < 9; i++) out.cosine[i] = out.rotation[i] - out.constant[i];
    out.sine = product(out.rotation, across);
    out.slide = turned(out.rotation, out.axis);
    return out;
}

/// A bound on the spectral norm: the root of 1 + |M^T M - 1|.
upper stretch_of(const matrix &m) {
    matrix t(9);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) t[3 * i + j] = m[3 * j + i];
    matrix square = product(t, m);
    for (int i = 0; i < 3; i++) square[4 * i] = square[4 * i] - real(1);
    return root(upper(1) + norm(square));
}

// ------------------------------------------------------------------------------------- one format

/// What is computed in floats or doubles.
struct format {
    bool single;
    double u, sine; ///< the unit; how far sines and cosines are off
    upper times(double count) const { return upper(u) * upper(count); }
};

/// Bounds of a body: of the rotation's error, of the translation's, of the rotation itself, and of
/// the way from the base.
struct state {
    upper rotation, translation, stretch, length;
};

/// How far a joint's own rotation is off, for any angle that is itself off by `angle`.
upper turn_error(const format &f, const pose_turn &t, const real_joint &j, const upper &angle,
                 bool permutes) {
    const matrix constant = doubles(t.constant, 9), cosine = doubles(t.cosine, 9),
                 sine = doubles(t.sine, 9);
    const upper c = norm(difference(j.cosine, t.cosine)), s = norm(difference(j.sine, t.sine));
    upper error = norm(difference(j.constant, t.constant)) + root(c * c + s * s);
    const upper cc = norm(cosine), ss = norm(sine);
    const upper both = root(cc * cc + ss * ss);
    const upper sines = root(cc * cc + ss * ss + upper(2) * inner(cosine, sine));
    error = error + upper(f.sine) * sines + angle * both;
    if (permutes) return error; // its products are those with the parent's rotation
    upper first;                // a sum with the cosine's part: at its widest at an end
    for (double sign : {-1.0, 1.0}) {
        matrix sum(9);
        for (int i = 0; i < 9; i++) sum[i] = constant[i] + real(sign) * cosine[i];
        first = larger(first, norm(sum));
    }
    const upper slack(1 + 0x1p-18); // what is rounded is off itself
    return error + f.times(1) * slack * (both + first + norm(j.rotation));
}

/// What a product of rotations rounds: products, and sums of two and of three.
upper product_error(const format &f, const upper &a, const upper &b) {
    return f.times(1) * a * b * (upper(3) + root(upper(2)) + root(upper(3))) * upper(1 + 0x1p-18);
}

/// What R v rounds, of |R| |v|: proofs/apply_vector.g.
upper apply_error(const format &f) {
    return f.times(3.74) * upper(1 + 0x1p-18);
}

/// How far the value of a joint that follows others is off, for values up to `most`.
upper value_error(const pose_step &s, double most) {
    if (s.real_count == 0) return upper(0);
    real m(1), b(0);
    for (size_t i = s.real_count; i-- > 0;) { // from the last, that is q itself
        m = m * real(s.real[i][0]);
        b = b * real(s.real[i][0]) + real(s.real[i][1]);
    }
    if (s.multiplier == 0) return size_of(m) * upper(0x1p20) + size_of(b - real(s.offset));
    const upper way = upper(most) + upper(std::fabs(s.offset)) + upper(0x1p-40); // of m q
    const upper q = way / size_of(real(s.multiplier));
    int exponent;
    const bool exact = std::fabs(std::frexp(s.multiplier, &exponent)) == 0.5;
    upper out = size_of(m - real(s.multiplier)) * q + size_of(b - real(s.offset));
    if (!exact) out = out + upper(0x1p-53) * way;
    if (s.offset != 0) out = out + upper(0x1p-53) * upper(most);
    return out;
}

bool is_identity(const double *m) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (m[4 * i + j] != (i == j)) return false;
    return true;
}

bool is_unit(const double *a) {
    return std::fabs(a[0]) + std::fabs(a[1]) + std::fabs(a[2]) == 1 &&
           (a[0] == 0) + (a[1] == 0) + (a[2] == 0) == 2;
}

std::vector<real> shift_of(const double *m) {
    return {real(m[3]), real(m[7]), real(m[11])};
}

/// Half an ulp of a number below the domain's size.
double half_ulp(double domain) {
    return std::ldexp(0x1p-53, std::ilogb(domain));
}

/// One joint in double; coordinates are within the domain.
state next_in_double(const state &p, const pose_step &s, double domain) {
    const format f = {false, 0x1p-53, 0x1p-52};
    const real_joint j = real_of(s);
    const upper own = stretch_of(j.rotation), third = root(upper(3));
    const bool slides = s.type == GRAZE_JOINT_PRISMATIC;
    const bool floats = s.type == GRAZE_JOINT_FLOATING, moves = s.type == GRAZE_JOINT_PLANAR;
    const double most = std::isfinite(s.value_max) ? s.value_max : 0x1p20;
    matrix origin(9);
    for (int i = 0; i < 9; i++) origin[i] = j.rotation[i] - real(s.origin[4 * (i / 3) + i % 3]);
    const upper off = norm(origin), origin_length = norm(j.origin);
    const std::vector<real> place = shift_of(s.origin);
    upper translation;
    for (int i = 0; i < 3; i++) {
        const upper d = size_of(j.origin[i] - place[i]);
        translation = translation + d * d;
    }
    translation = root(translation);
    upper rotation = off, move = origin_length;
    if (floats)
        rotation = rotation + own * (f.times(33) + product_error(f, upper(1), upper(1)));
    else if (!slides)
        rotation = turn_error(f, s.in_double, j, value_error(s, most), false);
    if (slides || floats || moves) {
        upper shift(most);
        if (!slides || !std::isfinite(s.value_max)) { // what stays within the domain
            move = upper(2) * third * upper(domain) * p.stretch * upper(1 + 0x1p-40);
            shift = own * (origin_length + move);
        } else {
            move = move + own * shift;
        }
        upper slope = apply_error(f);
        if (slides) {
            slope = slope + norm(difference(j.axis, s.axis)) +
                    (is_unit(s.axis) ? upper(0) : f.times(1));
            translation = translation + own * value_error(s, most);
        } else if (moves && !is_unit(s.axis)) {
            slope = slope + f.times(14.5) +
                    upper(5) * norm(difference(j.axis, s.axis)); // epsilon.md
        }
        translation = translation + (own * slope + off) * shift + f.times(1) * move;
    }
    state out;
    out.stretch = p.stretch * own;
    out.rotation = p.rotation * (own + rotation) + p.stretch * rotation;
    const upper a = p.stretch + p.rotation, b = own + rotation;
    if (!(slides && is_identity(s.origin))) out.rotation = out.rotation + product_error(f, a, b);
    const upper far = move + translation;
    out.translation = p.translation + p.rotation * far + p.stretch * translation +
                      apply_error(f) * a * far;
    // The sum with the parent's place, where there is anything to add.
    if (s.origin[3] != 0 || s.origin[7] != 0 || s.origin[11] != 0 || slides || floats || moves)
        out.translation = out.translation + third * upper(half_ulp(domain));
    out.length = p.length + out.stretch * move;
    return out;
}

/// A joint in float, from values in double. `farthest`: of a base, metres.
state next_in_float(const state &p, const pose_step &s, double farthest) {
    const format f = {true, 0x1p-24, 0x1p-21};
    const real_joint j = real_of(s);
    const upper own = stretch_of(j.rotation), third = root(upper(3)), slack(1 + 0x1p-18);
    const bool slides = s.type == GRAZE_JOINT_PRISMATIC;
    const upper value(slides ? s.float_value_max : 0);
    upper rotation = slides ? norm(difference(j.rotation, s.in_float.constant))
                            : turn_error(f, s.in_float, j, value_error(s, 0x1p20), s.permutes);
    upper translation = norm(difference(j.origin, s.shift)), move = norm(j.origin);
    if (slides) {
        const upper shift = own * value;
        translation = translation + norm(difference(j.slide, s.slide)) * value +
                      value_error(s, s.float_value_max);
        move = move + shift;
        // The value as a float, its product, the sum.
        translation = translation + slack * (f.times(2) * shift + f.times(1) * move);
    }
    const upper a = p.stretch + p.rotation, b = own + rotation, far = move + translation;
    state out;
    out.stretch = p.stretch * own;
    out.rotation = p.rotation * b + p.stretch * rotation;
    if (!s.permutes)
        out.rotation = out.rotation + product_error(f, a, b);
    else if (!slides) // two columns, each a sum of two products
        out.rotation = out.rotation + f.times(1) * slack * a * (upper(2) + root(upper(2)));
    out.length = p.length + out.stretch * move;
    const upper sums = out.length + third * upper(farthest) + p.translation;
    // Three products, and three sums with the parent's place.
    out.translation = p.translation + p.rotation * far + p.stretch * translation +
                      f.times(1) * slack * (third * a * far + upper(3) * (sums + a * far));
    return out;
}

// ------------------------------------------------------------------------------------------ robots

/// The least quotient of a bound of the library and the one that is evaluated here.
struct least {
    double quotient = INFINITY;
    void take(double stated, const upper &evaluated) {
        const double e = evaluated.up();
        if (e > 0)
            quotient = std::min(quotient, stated / e);
        else if (!(stated >= e))
            quotient = 0;
    }
};

upper length_of(const double *v) {
    return norm(std::vector<real>(v, v + 3));
}

std::vector<state> states_in_double(const pose_steps &steps, double domain) {
    std::vector<state> out(steps.step_count);
    // Three angles: robot_error.c, BASE_ERROR.
    out[0] = {upper(18.4) * upper(0x1p-53), upper(0), upper(1), upper(0)};
    for (size_t i = 1; i < steps.step_count; i++)
        out[i] = next_in_double(out[steps.steps[i].parent], steps.steps[i], domain);
    return out;
}

/// What moving a point at a distance from a body's origin adds: in double, below the domain.
upper point_error(const state &e, const upper &radius, double domain) {
    const format f = {false, 0x1p-53, 0x1p-52};
    return e.translation + e.rotation * radius +
           apply_error(f) * (e.stretch + e.rotation) * radius +
           root(upper(3)) * (upper(half_ulp(domain)) + upper(0x1p-100));
}

/// In float, as links place centres and axes of their bounds; and the pose in double that counts,
/// of a base up to 2^20 m away.
upper link_error(const state &e, const state &far, const pose_link &l, double farthest) {
    const format f = {true, 0x1p-24, 0x1p-21};
    const upper a = e.stretch + e.rotation, third = root(upper(3)), slack(1 + 0x1p-18);
    const upper place = e.length + third * upper(farthest) + e.translation;
    auto moved = [&](const double *v) {
        const upper r = length_of(v);
        return e.translation + e.rotation * r + f.times(1) * a * r + apply_error(f) * a * r +
               f.times(1) * slack * (place + a * r) + point_error(far, r, 0x1p20);
    };
    const upper turn = e.rotation + (f.times(1) + apply_error(f)) * a;
    upper box = moved(l.box);
    for (double half : l.half) box = box + (turn + f.times(1)) * upper(half);
    return larger(moved(l.center), box) + upper(l.own);
}

bool examine(const char *name, const graze_robot *robot) {
    pose_steps steps;
    pose_steps_make(&steps, robot);
    least near, wide, turns, places, links, axes;
    for (double domain : {100.0, 10000.0}) {
        const std::vector<state> states = states_in_double(steps, domain);
        for (size_t i = 0; i < steps.link_count; i++) {
            const pose_link &l = steps.links[i];
            (domain > 100 ? wide : near)
                .take(graze_robot_link_pose_error(robot, l.link, domain),
                      point_error(states[l.body], upper(l.radius), domain));
        }
    }
    if (steps.has_filter) {
        const double farthest = 4;
        const std::vector<state> far = states_in_double(steps, 0x1p20);
        std::vector<state> states(steps.step_count);
        const upper third = root(upper(3)), u(0x1p-24);
        states[0] = {third * u, third * u * upper(farthest) + third * upper(0x1p-33), upper(1),
                     upper(0)};
        for (size_t i = 1; i < steps.step_count; i++) {
            const pose_step &s = steps.steps[i];
            states[i] = next_in_float(states[s.parent], s, farthest);
            // The library's are of first order: what is made of them has a factor of 1.01.
            turns.take(1.01 * s.rotation, states[i].rotation + far[i].rotation);
            places.take(1.01 * s.translation, states[i].translation + far[i].translation);
        }
        for (size_t i = 0; i < steps.link_count; i++) {
            const pose_link &l = steps.links[i];
            if (l.error == 0) continue;
            links.take(l.error, link_error(states[l.body], far[l.body], l, farthest));
            axes.take(l.turn, states[l.body].rotation + far[l.body].rotation);
        }
    }
    double worst = INFINITY;
    std::printf("%-18s %6zu", name, steps.step_count - 1);
    for (const least *l : {&near, &wide, &turns, &places, &links, &axes}) {
        worst = std::min(worst, l->quotient);
        if (std::isfinite(l->quotient))
            std::printf(" %10.5f", l->quotient);
        else
            std::printf(" %10s", "-");
    }
    std::printf("%s\n", worst >= 1 ? "" : "  TOO SMALL");
    pose_steps_clear(&steps);
    return worst >= 1;
}

} // namespace

int main(int count, char **words) {
    const char *only = nullptr;
    if (count == 3 && !std::strcmp(words[1], "--robot")) {
        only = words[2];
    } else if (count != 1) {
        std::fprintf(stderr, "usage: pose_intervals [--robot NAME]\n");
        return 2;
    }
    if (!std::getenv("GRAZE_TEST_DATA"))
        std::printf("skipped: the shared robots, as GRAZE_TEST_DATA is not set\n");
    std::printf("bounds of the library over those evaluated here, the least of a robot: points in "
                "double within 100 m\nand 10 km; rotations and places of bodies, bounds of links "
                "and their axes in float\n%-18s %6s %10s %10s %10s %10s %10s %10s\n",
                "robot", "joints", "100 m", "10 km", "rotations", "places", "links", "axes");
    bool good = true;
    size_t seen = 0;
    for (size_t i = 0; i < kinematics_robot_count(); i++) {
        if (only && std::strcmp(only, kinematics_robot_name(i)) != 0) continue;
        graze_robot *robot = kinematics_robot_load(i);
        good = examine(kinematics_robot_name(i), robot) && good;
        seen++;
        graze_robot_free(robot);
    }
    if (!seen) std::fprintf(stderr, "pose_intervals: no such robot\n");
    return good && seen ? 0 : 1;
}
