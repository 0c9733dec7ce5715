// Scenes that grow while what the robot meets stays the same.

#include <cmath>

#include "growth.h"

namespace growth {
namespace {

const double golden_angle = M_PI * (3 - std::sqrt(5.0));

/// 0 to 1, by the whole numbers of a place: the same everywhere.
double hashed(long x, long y, uint64_t salt) {
    scene::Random random((uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)y * 0xc2b2ae3d27d4eb4fu ^
                         salt);
    return random.between(0, 1);
}

/// Rises from 0 at `low` to 1 at `high`.
double step(double low, double high, double x) {
    double t = std::fmin(1, std::fmax(0, (x - low) / (high - low)));
    return t * t * (3 - 2 * t);
}

} // namespace

// ----------------------------------------------------------------------------------- the ground

/// Rocks on a lattice of 0.4 m, each a rounded heap of its own place, width and height, on gentle
/// waves; the robot stands in a hollow.
double ground_height(double x, double y) {
    const double pitch = 0.4;
    double height = 0.03 * std::sin(3 * x) * std::cos(4 * y);
    long column = std::lround(x / pitch), row = std::lround(y / pitch);
    for (long i = column - 1; i <= column + 1; i++)
        for (long j = row - 1; j <= row + 1; j++) {
            double cx = pitch * ((double)i + 0.5 * (hashed(i, j, 1) - 0.5));
            double cy = pitch * ((double)j + 0.5 * (hashed(i, j, 2) - 0.5));
            double width = 0.12 + 0.18 * hashed(i, j, 3), tall = 1.4 * hashed(i, j, 4);
            double d2 = ((x - cx) * (x - cx) + (y - cy) * (y - cy)) / (width * width);
            if (d2 < 1) height = std::fmax(height, tall * std::sqrt(1 - d2));
        }
    return height * step(0.4, 0.6, std::hypot(x, y)) - 0.05;
}

scene::Triangles ground(unsigned level) {
    // 22 cells of 9/64 m, corner heights on a grid of 2^-12 m: what lies between is a dyadic number
    // too, so that every level spans the same triangles without rounding.
    const long cells = 22, fine = cells << level, steps = 1L << level;
    const double cell = 9.0 / 64;
    std::vector<double> corner((size_t)((cells + 1) * (cells + 1)));
    for (long i = 0; i <= cells; i++)
        for (long j = 0; j <= cells; j++) {
            double x = cell * (double)(i - cells / 2), y = cell * (double)(j - cells / 2);
            corner[(size_t)(i * (cells + 1) + j)] = std::round(4096 * ground_height(x, y)) / 4096;
        }
    auto height = [&](long i, long j) { return corner[(size_t)(i * (cells + 1) + j)]; };
    scene::Triangles out;
    out.vertices.reserve((size_t)(3 * (fine + 1) * (fine + 1)));
    out.indices.reserve((size_t)(6 * fine * fine));
    for (long i = 0; i <= fine; i++)
        for (long j = 0; j <= fine; j++) {
            long ci = std::min(i / steps, cells - 1), cj = std::min(j / steps, cells - 1);
            double u = (double)(i - ci * steps) / (double)steps;
            double v = (double)(j - cj * steps) / (double)steps;
            // Each cell is cut from its lowest corner to its highest.
            double z = u >= v ? height(ci, cj) + u * (height(ci + 1, cj) - height(ci, cj)) +
                                    v * (height(ci + 1, cj + 1) - height(ci + 1, cj))
                              : height(ci, cj) + v * (height(ci, cj + 1) - height(ci, cj)) +
                                    u * (height(ci + 1, cj + 1) - height(ci, cj + 1));
            double place[3] = {cell * ((double)i / (double)steps - (double)(cells / 2)),
                               cell * ((double)j / (double)steps - (double)(cells / 2)), z};
            out.vertices.insert(out.vertices.end(), place, place + 3);
        }
    auto at = [fine](long i, long j) { return (uint32_t)(i * (fine + 1) + j); };
    for (long i = 0; i < fine; i++)
        for (long j = 0; j < fine; j++)
            for (uint32_t v : {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1),
                               at(i, j + 1)})
                out.indices.push_back(v);
    return out;
}

std::vector<double> ground_points(size_t count, double spacing) {
    // A sunflower: turning by the golden angle, at radii that give each point an equal area.
    std::vector<double> points;
    points.reserve(3 * count);
    double scale = spacing / std::sqrt(M_PI);
    for (size_t i = 0; i < count; i++) {
        double r = scale * std::sqrt((double)i + 0.5);
        double angle = std::fmod((double)i * golden_angle, 2 * M_PI);
        double x = r * std::cos(angle), y = r * std::sin(angle);
        double place[3] = {x, y, ground_height(x, y)};
        points.insert(points.end(), place, place + 3);
    }
    return points;
}

// ------------------------------------------------------------------------------------ the boxes

std::vector<scene::Body> boxes(size_t count) {
    // The centres lie in shells around (0, 0, 0.8): the first thirty between 0.75 and 1.9 m,
    // the others farther off, where no link reaches, as dense.
    const double nearest = 0.75, reached = 1.9;
    const double each = (reached * reached * reached - nearest * nearest * nearest) / 30;
    scene::Random random(4);
    std::vector<scene::Body> out(count);
    for (size_t i = 0; i < count; i++) {
        scene::Body &box = out[i];
        box.shape = GRAZE_SHAPE_BOX;
        box.name = "box_" + std::to_string(i);
        for (double &edge : box.size) edge = random.between(0.15, 0.6);
        double half = 0.5 * std::hypot(box.size[0], box.size[1], box.size[2]);
        double r = std::cbrt(nearest * nearest * nearest + ((double)i + 0.5) * each);
        double place[3];
        // Not where the base and the torso are: clear of a column of 0.4 m around the axis.
        do {
            double z = random.between(-1, 1), angle = random.between(0, 2 * M_PI);
            double flat = std::sqrt(1 - z * z);
            place[0] = r * flat * std::cos(angle);
            place[1] = r * flat * std::sin(angle);
            place[2] = 0.8 + r * z;
        } while (std::hypot(place[0], place[1]) < std::fmin(0.4 + half, 0.95 * r));
        double rpy[3];
        for (double &angle : rpy) angle = random.between(-M_PI, M_PI);
        box.origin = graze_transform_from_xyz_rpy(place, rpy);
        scene::bound(box);
    }
    return out;
}

// ------------------------------------------------------------------------------ graze's worlds

std::shared_ptr<scene::World> make_world(const char *name, std::vector<scene::Body> objects,
                                         Cost &cost) {
    auto out = std::make_shared<scene::World>();
    out->name = name;
    out->objects = std::move(objects);
    graze_error error;
    Meter meter;
    scene::require(graze_world_create(&out->world, name, &error), error, name);
    for (const scene::Body &body : out->objects)
        if (body.shape == GRAZE_SHAPE_BOX)
            scene::require(
                graze_world_add_box(out->world, body.name.c_str(), body.size, &body.origin, &error),
                error, body.name.c_str());
        else
            scene::require(
                graze_world_add_mesh(out->world, body.name.c_str(), body.mesh.vertices.data(),
                                     body.mesh.vertices.size() / 3, body.mesh.indices.data(),
                                     body.mesh.indices.size() / 3, &body.origin, &error),
                error, body.name.c_str());
    scene::require(graze_world_commit(out->world, &error), error, name);
    cost = meter.cost();
    return out;
}

std::shared_ptr<scene::World> make_points(const char *name, const std::vector<double> &points,
                                          double radius, Cost &cost) {
    auto out = std::make_shared<scene::World>();
    out->name = name;
    graze_error error;
    Meter meter;
    scene::require(graze_world_create(&out->world, name, &error), error, name);
    scene::require(graze_world_add_points(out->world, "points", points.data(), points.size() / 3,
                                          radius, nullptr, &error),
                   error, "points");
    scene::require(graze_world_commit(out->world, &error), error, name);
    cost = meter.cost();
    return out;
}

} // namespace growth
