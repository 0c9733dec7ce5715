// The axes: what grows, and what stays the same.

#include <cmath>

#include "growth.h"

namespace growth {
namespace {

/// The robot of the run, shared by the axes on which the world grows.
struct Base {
    std::shared_ptr<scene::Robot> robot;
    scene::Configurations configs;
};

scene::Configurations configurations(const scene::Robot &robot, const Options &options) {
    return scene::random_configurations(robot, scene::columns_of(robot, scene::arm_joints),
                                        options.rows, 1);
}

Case base_case(const Base &base, size_t size) {
    Case c;
    c.size = size;
    c.robot = base.robot;
    c.configs = base.configs;
    return c;
}

scene::Body mesh_body(const char *name, scene::Triangles mesh) {
    scene::Body body;
    body.name = name;
    body.origin = graze_transform_identity();
    body.mesh = std::move(mesh);
    scene::bound(body);
    return body;
}

Axis scene_triangles(const Base &base, bool quick) {
    Axis axis{"scene", "Triangles of the scene, its shape the same", "triangles", 1, {}};
    for (unsigned level = 0; level <= (quick ? 3u : 6u); level++) {
        scene::Triangles mesh = ground(level);
        Case c = base_case(base, mesh.indices.size() / 3);
        std::vector<scene::Body> objects = {mesh_body("ground", std::move(mesh))};
        c.world = make_world("ground", std::move(objects), c.loaded);
        axis.cases.push_back(std::move(c));
    }
    return axis;
}

Axis robot_triangles(const Options &options) {
    Axis axis{"robot", "Triangles of the robot, checked against itself", "triangles", 0, {}};
    for (unsigned level = 0; level <= (options.quick ? 1u : 3u); level++) {
        Case c;
        c.robot = make_robot(options, level, true, c.loaded);
        for (const scene::Body &body : c.robot->bodies) c.size += body.mesh.indices.size() / 3;
        c.configs = configurations(*c.robot, options);
        axis.cases.push_back(std::move(c));
    }
    return axis;
}

Axis link_pairs(const Options &options) {
    Axis axis{"pairs", "Pairs of links of a chain", "pairs", 0, {}};
    // About 10, 100 ... pairs: n links have (n - 1) (n - 2) / 2 that are not neighbours.
    std::vector<size_t> lengths = {6, 16, 46, 143};
    if (!options.quick) lengths.push_back(449);
    for (size_t links : lengths) {
        Case c;
        c.robot = make_chain(links, c.loaded);
        c.size = c.robot->pairs.size();
        c.configs = chain_configurations(*c.robot, options.rows, 3);
        axis.cases.push_back(std::move(c));
    }
    return axis;
}

Axis world_objects(const Base &base, bool quick) {
    Axis axis{"objects", "Boxes, equally dense, farther out", "objects", 100, {}};
    for (size_t count = 10; count <= (quick ? 1000u : 100000u); count *= 10) {
        Case c = base_case(base, count);
        c.world = make_world("boxes", boxes(count), c.loaded);
        axis.cases.push_back(std::move(c));
    }
    return axis;
}

/// Points on the ground: either of one spacing, so that more of them reach farther out, or on the
/// same disc, closer and closer.
Axis world_points(const Base &base, bool quick, bool wider) {
    const double spacing = 0.03, radius = 0.02;
    const size_t first = 10000;
    Axis axis{wider ? "points" : "density",
              wider ? "Points of a scan, equally dense, farther out"
                    : "Points of a scan, closer and closer",
              "points",
              wider ? first : 0,
              {}};
    for (size_t count = first; count <= (quick ? 100000u : 10000000u); count *= 10) {
        Case c = base_case(base, count);
        double closer = wider ? 1 : std::sqrt((double)first / (double)count);
        c.points = ground_points(count, spacing * closer);
        c.radius = radius;
        c.cell = 2 * radius;
        c.world = make_points("scan", c.points, radius, c.loaded);
        axis.cases.push_back(std::move(c));
    }
    return axis;
}

} // namespace

const std::vector<std::string> &axis_names() {
    static const std::vector<std::string> names = {"scene",   "robot",  "pairs",
                                                   "objects", "points", "density"};
    return names;
}

Axis make_axis(const std::string &name, const Options &options) {
    if (name == "robot") return robot_triangles(options);
    if (name == "pairs") return link_pairs(options);
    Base base;
    Cost ignored;
    base.robot = make_robot(options, 0, false, ignored);
    base.configs = configurations(*base.robot, options);
    if (name == "scene") return scene_triangles(base, options.quick);
    if (name == "objects") return world_objects(base, options.quick);
    return world_points(base, options.quick, name == "points");
}

} // namespace growth
