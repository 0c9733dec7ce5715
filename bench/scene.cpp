// Robots, worlds and graze's own answers for comparisons.

#include "scene.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace scene {

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    std::fputc('\n', stderr);
    std::exit(3);
}

void require(graze_status status, const graze_error &error, const char *doing) {
    if (status == GRAZE_OK) return;
    fail("%s: %s: %s (%s:%d, %s)", doing, graze_status_name(status), error.message, error.file,
         (int)error.line, error.element);
}

graze_transform Body::pose(const graze_transform *links) const {
    if (frame < 0) return origin;
    // A mesh's vertices are in the frame of `frame` already: its origin is the identity.
    if (shape == GRAZE_SHAPE_MESH) return links[frame];
    return graze_transform_multiply(&links[frame], &origin);
}

void bound(Body &body) {
    for (int k = 0; k < 3; k++) {
        body.center[k] = 0;
        body.half[k] = body.shape == GRAZE_SHAPE_BOX ? 0.5 * body.size[k] : body.radius;
    }
    if (body.shape == GRAZE_SHAPE_CYLINDER) body.half[2] = 0.5 * body.length;
    if (body.shape == GRAZE_SHAPE_CAPSULE) body.half[2] += 0.5 * body.length;
    if (body.shape != GRAZE_SHAPE_MESH) return;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = (size_t)k; i < body.mesh.vertices.size(); i += 3) {
            low = std::fmin(low, body.mesh.vertices[i]);
            high = std::fmax(high, body.mesh.vertices[i]);
        }
        body.center[k] = 0.5 * (low + high);
        body.half[k] = 0.5 * (high - low);
    }
}

bool Box::apart(const Box &other) const {
    for (int k = 0; k < 3; k++)
        if (low[k] > other.high[k] || other.low[k] > high[k]) return true;
    return false;
}

Box box_at(const Body &body, const graze_transform &pose, double pad) {
    Box box;
    for (int k = 0; k < 3; k++) {
        const double *row = pose.m + 4 * k;
        double center = row[3], half = pad;
        for (int j = 0; j < 3; j++) {
            center += row[j] * body.center[j];
            half += std::fabs(row[j]) * body.half[j];
        }
        box.low[k] = center - half;
        box.high[k] = center + half;
    }
    return box;
}

std::vector<std::pair<size_t, size_t>> body_pairs(const Robot &robot, const World *world) {
    std::vector<std::pair<size_t, size_t>> pairs = robot.elements;
    const size_t robot_count = robot.bodies.size(), count = world ? world->objects.size() : 0;
    for (size_t a = 0; a < robot_count; a++)
        for (size_t b = 0; b < count; b++) pairs.push_back({a, robot_count + b});
    return pairs;
}

// --------------------------------------------------------------------------------- from graze

static Body body_from(const graze_geometry &g) {
    Body body;
    body.shape = g.shape;
    body.name = g.name;
    for (int k = 0; k < 3; k++) body.size[k] = g.size[k];
    body.radius = g.radius;
    body.length = g.length;
    body.origin = g.origin;
    if (g.shape == GRAZE_SHAPE_POINTS) fail("object %s: points have no peer", g.name);
    if (g.triangle_count && g.shape != GRAZE_SHAPE_BOX) {
        body.shape = GRAZE_SHAPE_MESH; // cones and what has no end, too, as graze keeps them
        body.mesh.vertices.assign(g.vertices, g.vertices + 3 * g.vertex_count);
        body.mesh.indices.assign(g.triangles, g.triangles + 3 * g.triangle_count);
    }
    bound(body);
    return body;
}

void Robot::load(const std::string &urdf, const std::string &srdf,
                 const std::string &package_path) {
    graze_error error;
    graze_load_options options = graze_load_options_default();
    options.srdf = srdf.empty() ? nullptr : srdf.c_str();
    options.package_path = package_path.empty() ? nullptr : package_path.c_str();
    options.visuals = GRAZE_VISUALS_SKIP;
    require(graze_robot_load_urdf(&robot, urdf.c_str(), &options, &error), error, urdf.c_str());

    size_t links = (size_t)link_count();
    std::vector<std::vector<size_t>> of_link(links);
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++) {
        graze_geometry g;
        if (graze_robot_collision(robot, i, &g) != GRAZE_OK) fail("geometry %zu is missing", i);
        Body body = body_from(g);
        body.link = g.owner;
        body.frame = g.shape == GRAZE_SHAPE_MESH ? g.frame : g.owner;
        of_link[(size_t)g.owner].push_back(bodies.size());
        bodies.push_back(std::move(body));
    }
    checked.assign(links * links, 0);
    for (size_t i = 0; i < graze_robot_pair_count(robot); i++) {
        graze_pair pair;
        if (graze_robot_pair(robot, i, &pair) != GRAZE_OK) fail("pair %zu is missing", i);
        if (pair.state != GRAZE_PAIR_CHECKED) continue;
        pairs.emplace_back(pair.a, pair.b);
        checked[(size_t)pair.a * links + (size_t)pair.b] = 1;
        checked[(size_t)pair.b * links + (size_t)pair.a] = 1;
        for (size_t a : of_link[(size_t)pair.a])
            for (size_t b : of_link[(size_t)pair.b]) elements.emplace_back(a, b);
    }
}

void World::load(const std::string &path) {
    graze_error error;
    size_t slash = path.find_last_of('/'), dot = path.find_last_of('.');
    size_t start = slash == std::string::npos ? 0 : slash + 1;
    name = path.substr(start, dot == std::string::npos || dot < start ? dot : dot - start);
    require(graze_world_create(&world, name.c_str(), &error), error, "world");
    require(graze_world_add_file(world, path.c_str(), nullptr, &error), error, path.c_str());
    finish();
}

void World::finish() {
    graze_error error;
    require(graze_world_commit(world, &error), error, "world");
    read_objects();
}

void World::read_objects() {
    for (size_t i = 0; i < graze_world_object_count(world); i++) {
        graze_geometry g;
        if (graze_world_object(world, i, &g) != GRAZE_OK) fail("object %zu is missing", i);
        objects.push_back(body_from(g));
    }
}

bool World::has_native_shapes() const {
    for (const Body &object : objects)
        if (object.shape != GRAZE_SHAPE_MESH) return true;
    return false;
}

static void add_mesh(World &world, Body body) {
    graze_error error;
    require(graze_world_add_mesh(world.world, body.name.c_str(), body.mesh.vertices.data(),
                                 body.mesh.vertices.size() / 3, body.mesh.indices.data(),
                                 body.mesh.indices.size() / 3, &body.origin, &error),
            error, body.name.c_str());
    body.shape = GRAZE_SHAPE_MESH;
    bound(body);
    world.objects.push_back(std::move(body));
}

void World::triangulate(const World &from, unsigned sides) {
    graze_error error;
    name = from.name + " triangulated";
    require(graze_world_create(&world, name.c_str(), &error), error, "world");
    for (const Body &object : from.objects) {
        Body body = object;
        body.mesh = tessellate(object, sides, 1);
        add_mesh(*this, std::move(body));
    }
    require(graze_world_commit(world, &error), error, "world");
}

/// Cuts every triangle into n * n.
static void subdivide(Triangles &mesh, unsigned n) {
    Triangles fine;
    for (size_t t = 0; t < mesh.indices.size(); t += 3) {
        const double *c[3];
        for (size_t k = 0; k < 3; k++) c[k] = &mesh.vertices[3 * (size_t)mesh.indices[t + k]];
        std::vector<uint32_t> above, row;
        for (unsigned i = 0; i <= n; i++, above.swap(row)) {
            row.clear();
            for (unsigned j = 0; j <= i; j++) {
                row.push_back((uint32_t)(fine.vertices.size() / 3));
                for (int k = 0; k < 3; k++)
                    fine.vertices.push_back((c[0][k] * (n - i) + c[1][k] * (i - j) + c[2][k] * j) /
                                            n);
            }
            for (unsigned j = 0; j < i; j++) {
                for (uint32_t v : {above[j], row[j], row[j + 1]}) fine.indices.push_back(v);
                if (j + 1 < i)
                    for (uint32_t v : {above[j], row[j + 1], above[j + 1]})
                        fine.indices.push_back(v);
            }
        }
    }
    mesh = std::move(fine);
}

void World::merge(const World &from, unsigned sides, double edge) {
    graze_error error;
    name = from.name + " merged";
    Body all;
    all.name = "merged";
    all.origin = graze_transform_identity();
    for (const Body &object : from.objects) {
        double size = 2 * std::fmax(object.half[0], std::fmax(object.half[1], object.half[2]));
        unsigned steps = (unsigned)std::fmin(64, std::fmax(1, std::ceil(size / edge)));
        Triangles piece = tessellate(object, sides, steps);
        if (object.shape == GRAZE_SHAPE_BOX) subdivide(piece, steps);
        uint32_t first = (uint32_t)(all.mesh.vertices.size() / 3);
        for (size_t i = 0; i < piece.vertices.size(); i += 3) {
            graze_vec3 p = graze_transform_point(
                &object.origin, {piece.vertices[i], piece.vertices[i + 1], piece.vertices[i + 2]});
            all.mesh.vertices.insert(all.mesh.vertices.end(), {p.x, p.y, p.z});
        }
        for (uint32_t v : piece.indices) all.mesh.indices.push_back(first + v);
    }
    require(graze_world_create(&world, name.c_str(), &error), error, "world");
    add_mesh(*this, std::move(all));
    require(graze_world_commit(world, &error), error, "world");
}

// --------------------------------------------------------------------------------- tessellation

static Triangles box_triangles(const double size[3]) {
    Triangles out;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) out.vertices.push_back((i >> k & 1 ? 0.5 : -0.5) * size[k]);
    out.indices = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                   2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    return out;
}

/// A surface of revolution about z through (radius, height) points, the first and last on the axis.
static Triangles revolve(const std::vector<std::pair<double, double>> &outline, unsigned sides) {
    Triangles out;
    size_t rings = outline.size() - 2;
    out.vertices = {0, 0, outline.front().second};
    for (size_t r = 1; r <= rings; r++)
        for (unsigned s = 0; s < sides; s++) {
            double angle = 2 * M_PI * s / sides;
            double p[3] = {outline[r].first * std::cos(angle), outline[r].first * std::sin(angle),
                           outline[r].second};
            out.vertices.insert(out.vertices.end(), p, p + 3);
        }
    out.vertices.insert(out.vertices.end(), {0, 0, outline.back().second});
    auto at = [sides](size_t ring, unsigned side) {
        return (uint32_t)(1 + ring * sides + side % sides);
    };
    uint32_t top = (uint32_t)(1 + rings * sides);
    for (unsigned s = 0; s < sides; s++) {
        for (uint32_t v : {0u, at(0, s + 1), at(0, s)}) out.indices.push_back(v);
        for (size_t r = 0; r + 1 < rings; r++)
            for (uint32_t v : {at(r, s), at(r, s + 1), at(r + 1, s + 1), at(r, s), at(r + 1, s + 1),
                               at(r + 1, s)})
                out.indices.push_back(v);
        for (uint32_t v : {top, at(rings - 1, s), at(rings - 1, s + 1)}) out.indices.push_back(v);
    }
    return out;
}

Triangles tessellate(const Body &body, unsigned sides, unsigned rings) {
    if (body.shape == GRAZE_SHAPE_MESH) return body.mesh;
    if (body.shape == GRAZE_SHAPE_BOX) return box_triangles(body.size);
    double h = body.shape == GRAZE_SHAPE_SPHERE ? 0 : 0.5 * body.length;
    std::vector<std::pair<double, double>> outline;
    if (body.shape == GRAZE_SHAPE_CYLINDER) {
        outline.emplace_back(0, -h);
        for (unsigned i = 0; i <= rings; i++)
            outline.emplace_back(body.radius, h * (2.0 * i / rings - 1));
        outline.emplace_back(0, h);
        return revolve(outline, sides);
    }
    // Sphere and capsule: two half balls, moved apart by the length.
    unsigned quarter = sides / 4 > 0 ? sides / 4 : 1;
    for (unsigned i = 0; i <= quarter; i++) {
        double angle = M_PI / 2 * i / quarter;
        outline.emplace_back(body.radius * std::sin(angle), -h - body.radius * std::cos(angle));
    }
    for (unsigned i = h > 0 ? 0 : 1; i <= quarter; i++) {
        double angle = M_PI / 2 * i / quarter;
        outline.emplace_back(body.radius * std::cos(angle), h + body.radius * std::sin(angle));
    }
    return revolve(outline, sides);
}

// ------------------------------------------------------------------------------ graze's answers

void pose(const Robot &robot, const double *q, graze_transform *links) {
    graze_error error;
    require(graze_robot_pose(robot.robot, q, robot.q_size(), nullptr, links, &error), error,
            "forward kinematics");
}

Checker::Checker(const Robot &robot, const World *world, graze_policy policy)
    : width_(robot.q_size()), contacts_(16) {
    graze_error error;
    graze_checker_options options = graze_checker_options_default();
    options.policy = policy;
    require(graze_checker_create(&checker_, robot.robot, world ? world->world : nullptr, &options,
                                 &error),
            error, "checker");
    require(graze_workspace_create(&workspace_, checker_, &error), error, "workspace");
}

Checker::~Checker() {
    graze_workspace_free(workspace_);
    graze_checker_free(checker_);
}

bool Checker::check(const double *q, graze_answer answer, graze_stats *stats) {
    graze_error error;
    graze_report report{};
    report.contacts = contacts_.data();
    report.capacity = 1;
    require(graze_check(checker_, workspace_, answer, q, width_, nullptr, &report, &error), error,
            "check");
    if (stats) *stats = report.stats;
    return report.verdict == GRAZE_COLLISION;
}

std::vector<graze_contact> Checker::all(const double *q) {
    graze_error error;
    graze_report report{};
    do {
        if (report.truncated) contacts_.resize(report.count);
        report.contacts = contacts_.data();
        report.capacity = contacts_.size();
        require(graze_check(checker_, workspace_, GRAZE_ANSWER_ALL, q, width_, nullptr, &report,
                            &error),
                error, "check");
    } while (report.truncated);
    return {contacts_.begin(), contacts_.begin() + (std::ptrdiff_t)report.count};
}

} // namespace scene
