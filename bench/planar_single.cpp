// graze-bench-planar-single: one pair of the plane at a time, million calls a second on one thread:
// graze_planar_distance() and graze_planar_approach(), the same as plain scalar C in double and in
// float (planar_plain.inl), and Box2D's b2Distance and b2TimeOfImpact, on the same shapes. All
// give normal and witness points but b2TimeOfImpact, which gives the time alone. Each repeat
// measures all of them, one after another; the median and the spread are of the repeats.
//
// usage: graze-bench-planar-single [PAIRS [REPEATS]]

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <box2d/b2_distance.h>
#include <box2d/b2_time_of_impact.h>

#include "graze/planar_approach.h"
#include "planar_plain.h"

namespace {

constexpr double horizon = 10;

double uniform(double low, double high) { // SplitMix64
    static unsigned long long state = 1;
    unsigned long long z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return low + (high - low) * static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// About a metre large in a square of `side` metres.
graze_planar_shape make(int vertices, double side) {
    graze_planar_shape out;
    graze_vec2 at = {uniform(-side, side), uniform(-side, side)};
    double radius = uniform(0.1, 0.5);
    graze_transform2 pose = graze_transform2_make(at.x, at.y, uniform(-3, 3));
    graze_vec2 half = {uniform(0.1, 1), uniform(0.1, 1)}, end = {at.x + half.x, at.y - half.y};
    graze_status status = vertices == 1 ? graze_planar_circle(&out, at, radius, nullptr)
                          : vertices == 2
                              ? graze_planar_capsule(&out, at, end, radius, nullptr)
                              : graze_planar_rectangle(&out, &pose, half, radius, nullptr);
    if (status != GRAZE_OK) std::exit(3);
    return out;
}

template <typename Plain> Plain plain_of(const graze_planar_shape &s) {
    Plain out = {};
    out.count = s.count;
    out.radius = static_cast<decltype(out.radius)>(s.radius);
    for (int i = 0; i < s.count; i++) {
        out.xy[2 * i] = static_cast<decltype(out.radius)>(s.vertices[i].x);
        out.xy[2 * i + 1] = static_cast<decltype(out.radius)>(s.vertices[i].y);
    }
    return out;
}

struct Pairs {
    size_t count;
    std::vector<graze_planar_shape> shape[2];
    std::vector<plain_shape_d> in_double[2];
    std::vector<plain_shape_f> in_float[2];
    std::vector<graze_vec2> velocity;
    std::vector<b2Vec2> points;
    std::vector<b2DistanceInput> distances;
    std::vector<b2TOIInput> impacts;

    Pairs(size_t n, int a, int b, double side) : count(n), points(8 * n), distances(n), impacts(n) {
        for (size_t i = 0; i < n; i++) {
            velocity.push_back({uniform(-2, 2), uniform(-2, 2)});
            for (int k = 0; k < 2; k++) add(i, k, make(k ? b : a, side));
        }
    }

    void add(size_t i, int k, const graze_planar_shape &s) {
        shape[k].push_back(s);
        in_double[k].push_back(plain_of<plain_shape_d>(s));
        in_float[k].push_back(plain_of<plain_shape_f>(s));
        b2Vec2 *at = &points[8 * i + 4 * static_cast<size_t>(k)];
        for (int v = 0; v < s.count; v++)
            at[v].Set(static_cast<float>(s.vertices[v].x), static_cast<float>(s.vertices[v].y));
        b2DistanceInput &d = distances[i];
        (k ? d.proxyB : d.proxyA).Set(at, s.count, static_cast<float>(s.radius));
        d.transformA.SetIdentity();
        d.transformB.SetIdentity();
        d.useRadii = true;
        b2TOIInput &t = impacts[i];
        (k ? t.proxyB : t.proxyA) = k ? d.proxyB : d.proxyA;
        b2Sweep &sweep = k ? t.sweepB : t.sweepA;
        sweep.localCenter.SetZero();
        sweep.c0.SetZero();
        sweep.a0 = sweep.a = sweep.alpha0 = 0;
        sweep.c.Set(k ? static_cast<float>(velocity[i].x * horizon) : 0,
                    k ? static_cast<float>(velocity[i].y * horizon) : 0);
        t.tMax = 1;
    }
};

double seconds() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Million calls a second, over a few milliseconds. Each call reads an answer, so that none is left
// out; in pairs, so that the sum is no chain. Answers begin cache lines: where the stack begins is
// random, and one that lies across two pages costs twice the time, of whichever function it is.
double sink;
template <typename Call> double rate(size_t count, Call call) {
    size_t rounds = 0;
    double start = seconds(), spent = 0;
    for (; spent < 4e-3; rounds += 4) {
        double sum = 0;
        for (int k = 0; k < 4; k++)
            for (size_t i = 0; i < count; i++) sum += call(i);
        sink += sum;
        spent = seconds() - start;
    }
    return 1e-6 * static_cast<double>(rounds * count) / spent;
}

template <typename Answer> double all_of(const Answer &r) {
    return static_cast<double>((r.distance + r.nx) + (r.ny + r.ax) + ((r.ay + r.bx) + r.by));
}

double all_of_ours(double distance, graze_vec2 n, graze_vec2 a, graze_vec2 b) {
    return (distance + n.x) + (n.y + a.x) + ((a.y + b.x) + b.y);
}

constexpr int columns = 4;

void report(const char *name, std::vector<double> rates[columns], double apart) {
    std::printf("%-26s", name);
    double medians[columns];
    for (int k = 0; k < columns; k++) {
        std::sort(rates[k].begin(), rates[k].end());
        medians[k] = rates[k][rates[k].size() / 2];
        std::printf(" %6.1f (%5.1f-%5.1f)", medians[k], rates[k].front(), rates[k].back());
    }
    std::printf("  %5.2f %5.2f %5.2f  %.0e\n", medians[0] / medians[1], medians[0] / medians[2],
                medians[0] / medians[3], apart);
}

// Pointers that the compiler cannot see through: single calls, as a library's are.
plain_distance_d *volatile distance_d;
plain_distance_f *volatile distance_f;
plain_approach_d *volatile approach_d;
plain_approach_f *volatile approach_f;

void measure_distance(const char *name, const Pairs &p, int repeats) {
    std::vector<double> rates[columns];
    double apart = 0;
    for (size_t i = 0; i < p.count; i++) {
        graze_planar_result r;
        plain_answer_d d;
        graze_planar_distance(&p.shape[0][i], &p.shape[1][i], &r);
        distance_d(&p.in_double[0][i], &p.in_double[1][i], &d);
        apart = std::fmax(apart, std::fabs(r.distance - d.distance));
    }
    for (int k = 0; k < repeats; k++) {
        rates[0].push_back(rate(p.count, [&](size_t i) {
            alignas(64) graze_planar_result r;
            graze_planar_distance(&p.shape[0][i], &p.shape[1][i], &r);
            return all_of_ours(r.distance, r.normal, r.point_a, r.point_b);
        }));
        plain_distance_d *in_double = distance_d;
        rates[1].push_back(rate(p.count, [&](size_t i) {
            alignas(64) plain_answer_d r;
            in_double(&p.in_double[0][i], &p.in_double[1][i], &r);
            return all_of(r);
        }));
        plain_distance_f *in_float = distance_f;
        rates[2].push_back(rate(p.count, [&](size_t i) {
            alignas(64) plain_answer_f r;
            in_float(&p.in_float[0][i], &p.in_float[1][i], &r);
            return all_of(r);
        }));
        rates[3].push_back(rate(p.count, [&](size_t i) {
            b2SimplexCache cache;
            cache.count = 0;
            b2DistanceOutput r;
            b2Distance(&r, &cache, &p.distances[i]);
            return static_cast<double>(r.distance + (r.pointA.x + r.pointA.y) + r.pointB.x);
        }));
    }
    report(name, rates, apart);
}

void measure_approach(const char *name, const Pairs &p, int repeats) {
    std::vector<double> rates[columns];
    double apart = 0;
    for (size_t i = 0; i < p.count; i++) {
        graze_planar_approach_result r;
        plain_answer_d d;
        graze_planar_approach(&p.shape[0][i], {0, 0}, &p.shape[1][i], p.velocity[i], horizon, &r);
        approach_d(&p.in_double[0][i], {0, 0}, &p.in_double[1][i],
                   {p.velocity[i].x, p.velocity[i].y}, horizon, &d);
        apart = std::fmax(apart, std::fabs(r.distance - d.distance));
    }
    for (int k = 0; k < repeats; k++) {
        rates[0].push_back(rate(p.count, [&](size_t i) {
            alignas(64) graze_planar_approach_result r;
            graze_planar_approach(&p.shape[0][i], {0, 0}, &p.shape[1][i], p.velocity[i], horizon,
                                  &r);
            return r.time + all_of_ours(r.distance, r.normal, r.point_a, r.point_b);
        }));
        plain_approach_d *in_double = approach_d;
        rates[1].push_back(rate(p.count, [&](size_t i) {
            alignas(64) plain_answer_d r;
            in_double(&p.in_double[0][i], {0, 0}, &p.in_double[1][i],
                      {p.velocity[i].x, p.velocity[i].y}, horizon, &r);
            return r.time + all_of(r);
        }));
        plain_approach_f *in_float = approach_f;
        rates[2].push_back(rate(p.count, [&](size_t i) {
            alignas(64) plain_answer_f r;
            plain_vector_f v = {static_cast<float>(p.velocity[i].x),
                                static_cast<float>(p.velocity[i].y)};
            in_float(&p.in_float[0][i], {0, 0}, &p.in_float[1][i], v, horizon, &r);
            return static_cast<double>(r.time) + all_of(r);
        }));
        rates[3].push_back(rate(p.count, [&](size_t i) {
            b2TOIOutput r;
            b2TimeOfImpact(&r, &p.impacts[i]);
            return static_cast<double>(r.t);
        }));
    }
    report(name, rates, apart);
}

} // namespace

int main(int argc, char **argv) {
    size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 512;
    int repeats = argc > 2 ? std::atoi(argv[2]) : 15;
    if (count < 1 || count > 1000000 || repeats < 1 || repeats > 1000) {
        std::fprintf(stderr, "usage: graze-bench-planar-single [PAIRS [REPEATS]]\n");
        return 2;
    }
    std::printf(
        "million calls a second, median (least-most) of %d repeats of %zu pairs; then ours\n"
        "over plain double, plain float and Box2D, and the largest difference of distances\n"
        "%-26s %s\n",
        repeats, count, "", "graze, plain double, plain float, Box2D");
    const struct {
        const char *name;
        int a, b;
        plain_distance_d *distance_d;
        plain_distance_f *distance_f;
        plain_approach_d *approach_d;
        plain_approach_f *approach_f;
    } kinds[] = {
        {"circle-circle", 1, 1, plain_circles_d, plain_circles_f, plain_circles_approach_d,
         plain_circles_approach_f},
        {"circle-capsule", 1, 2, plain_circle_capsule_d, plain_circle_capsule_f,
         plain_circle_capsule_approach_d, plain_circle_capsule_approach_f},
        {"rounded rectangles", 4, 4, plain_polygons_d, plain_polygons_f, plain_polygons_approach_d,
         plain_polygons_approach_f},
    };
    for (const auto &kind : kinds) {
        distance_d = kind.distance_d;
        distance_f = kind.distance_f;
        approach_d = kind.approach_d;
        approach_f = kind.approach_f;
        std::printf("%s\n", kind.name);
        measure_distance("  distance", Pairs(count, kind.a, kind.b, 3), repeats);
        measure_approach("  approach", Pairs(count, kind.a, kind.b, 10), repeats);
    }
    return std::isfinite(sink) ? 0 : 3;
}
