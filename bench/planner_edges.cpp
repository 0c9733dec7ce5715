// Planning problems, the paths that solve them, and the configurations along these.

#include "planner_edges.h"

#include <jansson.h>

#include <cmath>
#include <cstdio>

namespace bench {
namespace {

using Json = std::unique_ptr<json_t, void (*)(json_t *)>;

/// Reads members of the document; anything missing or of another type ends the program.
class Problems {
  public:
    explicit Problems(const std::string &path)
        : path_(path), root_(nullptr, [](json_t *j) { json_decref(j); }) {
        json_error_t error;
        root_.reset(json_load_file(path.c_str(), JSON_REJECT_DUPLICATES, &error));
        if (!root_) scene::fail("%s:%d: %s", path.c_str(), error.line, error.text);
        if (text(root_.get(), "format") != "mbm-1")
            scene::fail("%s: format; allowed: mbm-1", path.c_str());
    }
    json_t *root() const { return root_.get(); }
    json_t *member(json_t *object, const char *name) const {
        json_t *value = json_object_get(object, name);
        if (!value) scene::fail("%s: %s is missing", path_.c_str(), name);
        return value;
    }
    std::string text(json_t *object, const char *name) const {
        const char *value = json_string_value(member(object, name));
        if (!value) scene::fail("%s: %s; allowed: a string", path_.c_str(), name);
        return value;
    }
    double number(json_t *value, const char *name) const {
        if (!json_is_number(value)) scene::fail("%s: %s; allowed: numbers", path_.c_str(), name);
        return json_number_value(value);
    }
    std::vector<double> numbers(json_t *array, const char *name, size_t count) const {
        if (json_array_size(array) != count)
            scene::fail("%s: %s; allowed: %zu numbers", path_.c_str(), name, count);
        std::vector<double> out;
        for (size_t i = 0; i < count; i++) out.push_back(number(json_array_get(array, i), name));
        return out;
    }

  private:
    std::string path_;
    Json root_;
};

graze_transform object_pose(const Problems &file, json_t *object) {
    std::vector<double> p = file.numbers(file.member(object, "position"), "position", 3);
    std::vector<double> r = file.numbers(file.member(object, "quaternion"), "quaternion", 4);
    double norm = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    double x = r[0] / norm, y = r[1] / norm, z = r[2] / norm, w = r[3] / norm;
    return {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), p[0],
             2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), p[1],
             2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), p[2]}};
}

std::unique_ptr<scene::World> make_world(const Problems &file, json_t *problem,
                                         const std::string &name) {
    auto out = std::make_unique<scene::World>();
    graze_error error;
    out->name = name;
    scene::require(graze_world_create(&out->world, name.c_str(), &error), error, name.c_str());
    json_t *objects = file.member(problem, "objects"), *object;
    size_t i;
    json_array_foreach(objects, i, object) {
        std::string type = file.text(object, "type"), object_name = file.text(object, "name");
        graze_transform pose = object_pose(file, object);
        graze_status status = GRAZE_OK;
        if (type == "box")
            status = graze_world_add_box(
                out->world, object_name.c_str(),
                file.numbers(file.member(object, "size"), "size", 3).data(), &pose, &error);
        else if (type == "cylinder")
            status = graze_world_add_cylinder(out->world, object_name.c_str(),
                                              file.number(file.member(object, "radius"), "radius"),
                                              file.number(file.member(object, "length"), "length"),
                                              &pose, &error);
        else
            scene::fail("%s: object %s is a %s; allowed: box, cylinder", name.c_str(),
                        object_name.c_str(), type.c_str());
        scene::require(status, error, object_name.c_str());
    }
    out->finish();
    return out;
}

/// All of q: the problem's joints that stay, and `values` in the planned columns.
std::vector<double> full_configuration(const scene::Robot &robot, const Problems &file,
                                       json_t *problem, const std::vector<size_t> &columns,
                                       json_t *values) {
    std::vector<double> q(robot.q_size());
    graze_robot_rest(robot.robot, q.data());
    const char *joint;
    json_t *value;
    json_object_foreach(file.member(problem, "other_joints"), joint, value) {
        int32_t column = graze_robot_find_q(robot.robot, joint);
        if (column < 0) scene::fail("joint %s: not a moving joint of the robot", joint);
        q[(size_t)column] = file.number(value, joint);
    }
    std::vector<double> planned = file.numbers(values, "start or goal", columns.size());
    for (size_t i = 0; i < columns.size(); i++) q[columns[i]] = planned[i];
    return q;
}

/// The configurations along a path.
scene::Configurations along(const scene::Robot &robot, const graze_path *path, size_t per_edge) {
    scene::Configurations out;
    out.width = robot.q_size();
    size_t edges = graze_path_count(path) - 1;
    out.count = edges * per_edge + 1;
    out.q.resize(out.count * out.width);
    for (size_t i = 0; i < out.count; i++) {
        size_t edge = std::min(i / per_edge, edges - 1);
        double base[6], t = (double)(i - edge * per_edge) / (double)per_edge;
        if (graze_path_interpolate(path, edge, t, &out.q[i * out.width], base) != GRAZE_OK)
            scene::fail("edge %zu has no configuration at %g", edge, t);
    }
    return out;
}

/// Plans one problem; whether a path was found.
bool plan(const scene::Robot &robot, const Problems &file, json_t *problem,
          const std::vector<size_t> &columns, size_t per_edge, PlannedPath *out) {
    out->world = make_world(file, problem, out->name);
    scene::Checker checker(robot, out->world.get(), GRAZE_POLICY_SOLID);
    std::vector<double> start = full_configuration(robot, file, problem, columns,
                                                   file.member(problem, "start"));
    json_t *goals = file.member(problem, "goals");
    std::vector<double> goal = full_configuration(robot, file, problem, columns,
                                                  json_array_get(goals, 0));
    std::vector<int32_t> planned(columns.begin(), columns.end());
    graze_plan_options options = graze_plan_options_default();
    options.columns = planned.data();
    options.column_count = planned.size();
    options.max_iterations = 20000;
    options.max_seconds = INFINITY;
    graze_plan_result result;
    graze_error error;
    scene::require(graze_plan(checker.get(), start.data(), nullptr, goal.data(), nullptr, &options,
                              &result, &error),
                   error, out->name.c_str());
    if (result.outcome != GRAZE_PLAN_FOUND) return false;
    out->edges = graze_path_count(result.path) - 1;
    out->configs = along(robot, result.path, per_edge);
    graze_path_free(result.path);
    return true;
}

} // namespace

std::vector<PlannedPath> plan_edges(const scene::Robot &robot, const Options &options,
                                    size_t per_edge) {
    Problems file(options.problems);
    std::string joints;
    json_t *name, *family;
    size_t i;
    json_array_foreach(file.member(file.root(), "joints"), i, name) {
        if (!json_is_string(name))
            scene::fail("%s: joints; allowed: names", options.problems.c_str());
        joints += (i ? "," : "") + std::string(json_string_value(name));
    }
    const std::vector<size_t> columns = scene::columns_of(robot, joints);
    std::vector<PlannedPath> out;
    size_t tried = 0, edges = 0;
    const char *family_name;
    json_object_foreach(file.member(file.root(), "problems"), family_name, family) {
        size_t found = 0;
        for (size_t k = 0; k < json_array_size(family) && found < options.paths; k++, tried++) {
            PlannedPath path;
            path.name = std::string(family_name) + " " + std::to_string(k + 1);
            if (!plan(robot, file, json_array_get(family, k), columns, per_edge, &path)) continue;
            path.triangulated = std::make_unique<scene::World>();
            path.triangulated->triangulate(*path.world, options.sides);
            edges += path.edges;
            found++;
            out.push_back(std::move(path));
        }
    }
    if (out.empty()) scene::fail("%s: no problem was solved", options.problems.c_str());
    std::printf("planner edges: %zu problems of %s planned, %zu paths found, %zu edges, %zu "
                "configurations each\n",
                tried, options.problems.c_str(), out.size(), edges, per_edge);
    return out;
}

} // namespace bench
