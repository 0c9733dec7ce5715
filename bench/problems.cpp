// Reading planning problems.

#include "problems.h"

#include <jansson.h>

#include <cmath>

namespace bench {
namespace {

using Json = std::unique_ptr<json_t, void (*)(json_t *)>;

/// Reads members of the document.
class Reader {
  public:
    explicit Reader(const std::string &path)
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

graze_transform object_pose(const Reader &file, json_t *object) {
    std::vector<double> p = file.numbers(file.member(object, "position"), "position", 3);
    std::vector<double> r = file.numbers(file.member(object, "quaternion"), "quaternion", 4);
    double norm = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    double x = r[0] / norm, y = r[1] / norm, z = r[2] / norm, w = r[3] / norm;
    return {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), p[0],
             2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), p[1],
             2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), p[2]}};
}

std::unique_ptr<scene::World> make_world(const Reader &file, json_t *problem,
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
std::vector<double> full_configuration(const scene::Robot &robot, const Reader &file,
                                       json_t *problem, const std::vector<size_t> &columns,
                                       json_t *values) {
    std::vector<double> q(robot.q_size());
    graze_robot_rest(robot.robot, q.data());
    const char *joint;
    json_t *value;
    json_object_foreach(file.member(problem, "other_joints"), joint, value) {
        int32_t column = graze_robot_find_q(robot.robot, joint);
        if (column < 0 && graze_robot_find_joint(robot.robot, joint) < 0)
            scene::fail("joint %s: not a joint of the robot", joint);
        if (column < 0) continue; // it does not move
        q[(size_t)column] = file.number(value, joint);
    }
    std::vector<double> planned = file.numbers(values, "start or goal", columns.size());
    for (size_t i = 0; i < columns.size(); i++) q[columns[i]] = planned[i];
    return q;
}

} // namespace

struct ProblemFile::Content {
    Content(const std::string &path, const scene::Robot &of) : file(path), robot(of) {}
    Reader file;
    const scene::Robot &robot;
    std::vector<size_t> columns;
    std::vector<std::string> families;

    json_t *family(const std::string &name) const {
        return file.member(file.member(file.root(), "problems"), name.c_str());
    }
};

ProblemFile::ProblemFile(const std::string &path, const scene::Robot &robot)
    : content_(new Content(path, robot)) {
    const Reader &file = content_->file;
    std::string joints;
    json_t *name, *family;
    size_t i;
    json_array_foreach(file.member(file.root(), "joints"), i, name) {
        if (!json_is_string(name)) scene::fail("%s: joints; allowed: names", path.c_str());
        joints += (i ? "," : "") + std::string(json_string_value(name));
    }
    content_->columns = scene::columns_of(robot, joints);
    const char *family_name;
    json_object_foreach(file.member(file.root(), "problems"), family_name, family)
        content_->families.push_back(family_name);
}

ProblemFile::~ProblemFile() = default;

const std::vector<size_t> &ProblemFile::columns() const {
    return content_->columns;
}

const std::vector<std::string> &ProblemFile::families() const {
    return content_->families;
}

size_t ProblemFile::size(const std::string &family) const {
    return json_array_size(content_->family(family));
}

Problem ProblemFile::read(const std::string &family, size_t index) const {
    const Content &c = *content_;
    json_t *problem = json_array_get(c.family(family), index), *goal;
    Problem out;
    out.name = family + " " + std::to_string(index + 1);
    out.world = make_world(c.file, problem, out.name);
    out.start = full_configuration(c.robot, c.file, problem, c.columns,
                                   c.file.member(problem, "start"));
    size_t i;
    json_array_foreach(c.file.member(problem, "goals"), i, goal)
        out.goals.push_back(full_configuration(c.robot, c.file, problem, c.columns, goal));
    if (out.goals.empty()) scene::fail("%s: no goals", out.name.c_str());
    return out;
}

} // namespace bench
