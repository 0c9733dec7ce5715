// graze-bench-planar: signed distance in the plane, million pairs a second on one thread: ours in
// batches, ours one at a time (with witness points and normals), ours inline for circles and
// capsules as a caller that has only these keeps them (all answers, and distance only: what the
// caller does not read is not computed), and Box2D's b2Distance at the same shapes in the same run.
//
// usage: graze-bench-planar [--pairs N] [--repeats N] [--seed N] [--csv]
//
// Times are those of the thread on its processor, so that other work on the machine matters less;
// the median of the repeats is printed with the lowest and the highest. Rounds of all programs
// alternate.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include <box2d/b2_distance.h>

#include "graze/planar_distance.h"

namespace {

struct Options {
    size_t pairs = 512;
    int repeats = 15;
    unsigned long long seed = 1;
    bool csv = false;
};

[[noreturn]] void fail(const char *what) {
    std::fprintf(stderr, "graze-bench-planar: %s\n", what);
    std::exit(2);
}

Options parse(int argc, char **argv) {
    Options o;
    for (int i = 1; i < argc; i++) {
        std::string name = argv[i];
        if (name == "--csv") {
            o.csv = true;
            continue;
        }
        if (i + 1 == argc)
            fail("usage: graze-bench-planar [--pairs N] [--repeats N] [--seed N] [--csv]");
        char *end;
        unsigned long long value = std::strtoull(argv[++i], &end, 10);
        if (*end != '\0') fail("a number is no whole number");
        if (name == "--pairs" && value >= 1 && value <= 1000000) {
            o.pairs = static_cast<size_t>(value);
        } else if (name == "--repeats" && value >= 1 && value <= 1000) {
            o.repeats = static_cast<int>(value);
        } else if (name == "--seed") {
            o.seed = value;
        } else {
            fail("usage: graze-bench-planar [--pairs N] [--repeats N] [--seed N] [--csv]");
        }
    }
    return o;
}

// SplitMix64, uniform in [low, high).
struct Random {
    unsigned long long state;
    double operator()(double low, double high) {
        unsigned long long z = state += 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return low + (high - low) * static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
    }
};

void must(graze_status status, const graze_error &error) {
    if (status != GRAZE_OK) fail(error.message);
}

// Centres in a square of 6 m, shapes about a metre large: one pair in five overlaps.
graze_planar_shape make(graze_planar_kind kind, int vertices, Random &random) {
    graze_planar_shape out;
    graze_error error;
    graze_vec2 at = {random(-3, 3), random(-3, 3)};
    double radius = random(0.1, 0.5), angle = random(-3, 3);
    graze_transform2 pose = graze_transform2_make(at.x, at.y, angle);
    graze_vec2 half = {random(0.1, 1), random(0.1, 1)};
    switch (kind) {
    case GRAZE_PLANAR_CIRCLE:
        must(graze_planar_circle(&out, at, radius, &error), error);
        break;
    case GRAZE_PLANAR_CAPSULE: {
        graze_vec2 to = {at.x + random(-1, 1), at.y + random(-1, 1)};
        must(graze_planar_capsule(&out, at, to, radius, &error), error);
        break;
    }
    case GRAZE_PLANAR_RECTANGLE:
        must(graze_planar_rectangle(&out, &pose, half, radius, &error), error);
        break;
    case GRAZE_PLANAR_POLYGON: {
        double xy[2 * GRAZE_PLANAR_VERTEX_MAX];
        for (int v = 0; v < vertices; v++) {
            double t = angle + (v + random(0, 0.8)) * 6.283185307179586 / vertices;
            xy[2 * v] = at.x + std::cos(t);
            xy[2 * v + 1] = at.y + std::sin(t);
        }
        must(graze_planar_polygon(&out, xy, static_cast<size_t>(vertices), 0, &error), error);
        break;
    }
    }
    return out;
}

double seconds() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// What a program that has only circles and capsules keeps: a centre or two ends, and a radius.
struct Compact {
    graze_vec2 from, to;
    double radius;
};

// All pairs of one row, in every layout that is compared.
struct Pairs {
    size_t count;
    graze_planar_kind kinds[2];
    std::vector<graze_planar_shape> shapes[2];
    std::vector<Compact> compact[2];
    std::vector<double> rows[2], distances;
    graze_planar_array arrays[2];
    std::vector<b2DistanceInput> inputs;
    std::vector<b2Vec2> points;
    double sum = 0; ///< keeps the compiler from leaving anything out

    Pairs(graze_planar_kind a, graze_planar_kind b, int vertices, const Options &o)
        : count(o.pairs), kinds{a, b}, distances(o.pairs), inputs(o.pairs),
          points(2 * o.pairs * GRAZE_PLANAR_VERTEX_MAX) {
        Random random = {o.seed};
        for (int side = 0; side < 2; side++) {
            // Rows a little more than whole pages apart, as docs/planar.md advises.
            size_t stride = count + 8;
            int rows_count = graze_planar_row_count(kinds[side], vertices);
            rows[side].resize(stride * static_cast<size_t>(rows_count));
            arrays[side] = {kinds[side], vertices, count, stride, rows[side].data()};
        }
        for (size_t i = 0; i < count; i++) {
            for (int side = 0; side < 2; side++) {
                shapes[side].push_back(make(kinds[side], vertices, random));
                graze_status status = graze_planar_array_set(rows[side].data(), arrays[side].stride,
                                                             i, kinds[side], vertices,
                                                             &shapes[side].back());
                if (status != GRAZE_OK) fail("a shape does not fit its rows");
                const graze_planar_shape &s = shapes[side].back();
                compact[side].push_back({vertex(s, 0), vertex(s, s.count > 1), s.radius});
            }
            set_box2d(i);
        }
    }

    void set_box2d(size_t i) {
        b2DistanceInput &input = inputs[i];
        for (int side = 0; side < 2; side++) {
            const graze_planar_shape &s = shapes[side][i];
            b2Vec2 *at = &points[(2 * i + static_cast<size_t>(side)) * GRAZE_PLANAR_VERTEX_MAX];
            for (int v = 0; v < s.count; v++) {
                at[v].Set(static_cast<float>(s.vertices[v].x), static_cast<float>(s.vertices[v].y));
            }
            (side ? input.proxyB : input.proxyA).Set(at, s.count, static_cast<float>(s.radius));
        }
        input.transformA.SetIdentity();
        input.transformB.SetIdentity();
        input.useRadii = true;
    }

    void batch() {
        if (graze_planar_distance_batch(&arrays[0], &arrays[1], distances.data()) != GRAZE_OK) {
            fail("a batch was refused");
        }
        sum += distances[0];
    }

    void single() {
        for (size_t i = 0; i < count; i++) {
            graze_planar_result r;
            graze_planar_distance(&shapes[0][i], &shapes[1][i], &r);
            sum += all_of(r);
        }
    }

    // In pairs, so that the sum is no chain of additions.
    static double all_of(const graze_planar_result &r) {
        return (r.distance + r.normal.x) + (r.normal.y + r.point_a.x) +
               ((r.point_a.y + r.point_b.x) + r.point_b.y);
    }

    static graze_vec2 vertex(const graze_planar_shape &s, int i) {
        return {s.vertices[i].x, s.vertices[i].y};
    }

    bool has_inline() const { return kinds[0] <= 1 && kinds[1] <= 1; }

    // Of the loop's kinds, so that none is asked for in it.
    template <typename Take> void in_line(Take take) {
        const Compact *as = compact[0].data(), *bs = compact[1].data();
        size_t n = count;
        double total = 0;
        graze_planar_result r;
        if (kinds[1] == GRAZE_PLANAR_CIRCLE) {
            for (size_t i = 0; i < n; i++) {
                graze_planar_circles(as[i].from, as[i].radius, bs[i].from, bs[i].radius, &r);
                total += take(r);
            }
        } else if (kinds[0] == GRAZE_PLANAR_CIRCLE) {
            for (size_t i = 0; i < n; i++) {
                const Compact &b = bs[i];
                graze_planar_circle_capsule(as[i].from, as[i].radius, b.from, b.to, b.radius, &r);
                total += take(r);
            }
        } else {
            for (size_t i = 0; i < n; i++) {
                const Compact &a = as[i], &b = bs[i];
                graze_planar_capsules(a.from, a.to, a.radius, b.from, b.to, b.radius, &r);
                total += take(r);
            }
        }
        sum += total;
    }

    void in_line_all() {
        in_line([](const graze_planar_result &r) { return all_of(r); });
    }

    void in_line_distance() {
        in_line([](const graze_planar_result &r) { return r.distance; });
    }

    void box2d() {
        for (size_t i = 0; i < count; i++) {
            b2SimplexCache cache;
            cache.count = 0;
            b2DistanceOutput out;
            b2Distance(&out, &cache, &inputs[i]);
            sum += static_cast<double>(out.distance + out.pointA.x + out.pointA.y + out.pointB.x +
                                       out.pointB.y);
        }
    }

    // The largest difference from Box2D, which says 0 of overlapping shapes.
    double disagreement() {
        double worst = 0;
        batch();
        for (size_t i = 0; i < count; i++) {
            b2SimplexCache cache;
            cache.count = 0;
            b2DistanceOutput out;
            b2Distance(&out, &cache, &inputs[i]);
            double ours = std::fmax(distances[i], 0);
            worst = std::fmax(worst, std::fabs(ours - static_cast<double>(out.distance)));
        }
        return worst;
    }

    int overlapping() {
        batch();
        return static_cast<int>(
            std::count_if(distances.begin(), distances.end(), [](double d) { return d <= 0; }));
    }
};

struct Timing {
    std::vector<double> rates; ///< million pairs a second
    double median() const {
        std::vector<double> sorted = rates;
        std::sort(sorted.begin(), sorted.end());
        return sorted.empty() ? 0 : sorted[sorted.size() / 2];
    }
    double low() const { return rates.empty() ? 0 : *std::min_element(rates.begin(), rates.end()); }
    double high() const {
        return rates.empty() ? 0 : *std::max_element(rates.begin(), rates.end());
    }
};

typedef void (Pairs::*Method)();

// One repeat: for about ten milliseconds.
void time_once(Pairs &pairs, Method method, size_t rounds, Timing &timing) {
    double start = seconds();
    for (size_t k = 0; k < rounds; k++) (pairs.*method)();
    double spent = seconds() - start;
    timing.rates.push_back(1e-6 * static_cast<double>(rounds * pairs.count) / spent);
}

size_t rounds_for(Pairs &pairs, Method method) {
    size_t rounds = 1;
    for (;; rounds *= 2) {
        double start = seconds();
        for (size_t k = 0; k < rounds; k++) (pairs.*method)();
        if (seconds() - start > 5e-3) return 2 * rounds;
    }
}

void run(const char *name, graze_planar_kind a, graze_planar_kind b, int vertices,
         const Options &o) {
    Pairs pairs(a, b, vertices, o);
    const Method methods[5] = {&Pairs::batch, &Pairs::single, &Pairs::in_line_all,
                               &Pairs::in_line_distance, &Pairs::box2d};
    const char *const titles[5] = {"batch", "single", "inline", "inline-distance", "box2d"};
    Timing timings[5];
    // b2_maxPolygonVertices is a limit of Box2D's polygons, not of its distance.
    bool wanted[5] = {true, true, pairs.has_inline(), pairs.has_inline(), true};
    size_t rounds[5];
    for (int m = 0; m < 5; m++) rounds[m] = wanted[m] ? rounds_for(pairs, methods[m]) : 0;
    for (int k = 0; k < o.repeats; k++) {
        for (int m = 0; m < 5; m++) {
            if (wanted[m]) time_once(pairs, methods[m], rounds[m], timings[m]);
        }
    }
    if (pairs.disagreement() > 1e-3) fail("graze and Box2D disagree by more than a millimetre");
    if (o.csv) {
        for (int m = 0; m < 5; m++) {
            if (wanted[m])
                std::printf("%s,%s,%.2f,%.2f,%.2f\n", name, titles[m], timings[m].median(),
                            timings[m].low(), timings[m].high());
        }
        return;
    }
    std::printf("%-32s", name);
    for (int m = 0; m < 5; m++) {
        if (wanted[m]) {
            std::printf(" %7.1f (%.1f-%.1f)", timings[m].median(), timings[m].low(),
                        timings[m].high());
        } else {
            std::printf(" %7s", "-");
        }
    }
    std::printf("  %4.1f %%\n", 100.0 * pairs.overlapping() / static_cast<double>(pairs.count));
    if (!std::isfinite(pairs.sum)) fail("a sum is not finite");
}

} // namespace

int main(int argc, char **argv) {
    Options o = parse(argc, argv);
    if (o.csv) {
        std::printf("pair,method,median,lowest,highest\n");
    } else {
        std::printf(
            "million pairs a second, median (lowest-highest) of %d repeats; %zu pairs\n"
            "batch, inline distance: distance only; single, inline, box2d: with witness points\n\n"
            "%-32s %s\n",
            o.repeats, o.pairs, "pair",
            "batch, single, inline, inline distance, box2d, overlapping");
    }
    run("circle-circle", GRAZE_PLANAR_CIRCLE, GRAZE_PLANAR_CIRCLE, 0, o);
    run("circle-capsule", GRAZE_PLANAR_CIRCLE, GRAZE_PLANAR_CAPSULE, 0, o);
    run("circle-rounded rectangle", GRAZE_PLANAR_CIRCLE, GRAZE_PLANAR_RECTANGLE, 0, o);
    run("capsule-capsule", GRAZE_PLANAR_CAPSULE, GRAZE_PLANAR_CAPSULE, 0, o);
    run("rounded rectangles", GRAZE_PLANAR_RECTANGLE, GRAZE_PLANAR_RECTANGLE, 0, o);
    run("4-gons", GRAZE_PLANAR_POLYGON, GRAZE_PLANAR_POLYGON, 4, o);
    run("8-gons", GRAZE_PLANAR_POLYGON, GRAZE_PLANAR_POLYGON, 8, o);
    run("16-gons", GRAZE_PLANAR_POLYGON, GRAZE_PLANAR_POLYGON, 16, o);
    return 0;
}
