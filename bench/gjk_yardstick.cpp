// Box2D's b2Distance as a yardstick for programs in C.

#include "gjk_yardstick.h"

#include <cmath>
#include <vector>

#include <box2d/b2_distance.h>

struct gjk_yardstick {
    std::vector<b2Vec2> points;
    std::vector<b2DistanceInput> inputs;
};

namespace {

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

void polygon_make(b2Vec2 *at, int vertices, Random &random) {
    double x = random(-3, 3), y = random(-3, 3), angle = random(-3, 3);
    for (int v = 0; v < vertices; v++) {
        double t = angle + (v + random(0, 0.8)) * 6.283185307179586 / vertices;
        at[v].Set(static_cast<float>(x + std::cos(t)), static_cast<float>(y + std::sin(t)));
    }
}

} // namespace

gjk_yardstick *gjk_yardstick_new(int vertices, size_t count, unsigned long long seed) {
    gjk_yardstick *out = new gjk_yardstick;
    size_t corners = static_cast<size_t>(vertices);
    out->points.resize(2 * count * corners);
    out->inputs.resize(count);
    Random random = {seed};
    b2Vec2 *at = out->points.data();
    for (b2DistanceInput &input : out->inputs) {
        polygon_make(at, vertices, random);
        polygon_make(at + corners, vertices, random);
        input.proxyA.Set(at, vertices, 0);
        input.proxyB.Set(at + corners, vertices, 0);
        input.transformA.SetIdentity();
        input.transformB.SetIdentity();
        input.useRadii = false;
        at += 2 * corners;
    }
    return out;
}

void gjk_yardstick_free(gjk_yardstick *yardstick) {
    delete yardstick;
}

double gjk_yardstick_run(gjk_yardstick *yardstick, size_t rounds) {
    double sum = 0;
    for (size_t k = 0; k < rounds; k++) {
        for (const b2DistanceInput &input : yardstick->inputs) {
            b2SimplexCache cache;
            cache.count = 0;
            b2DistanceOutput out;
            b2Distance(&out, &cache, &input);
            sum += static_cast<double>(out.distance + out.pointA.x + out.pointA.y + out.pointB.x +
                                       out.pointB.y);
        }
    }
    return sum;
}
