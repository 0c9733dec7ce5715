// Configurations: drawn from a seed, or read from NumPy files.

#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

#include "scene.h"

namespace scene {

uint64_t Random::bits() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double Random::between(double low, double high) {
    return low + (double)(bits() >> 11) * 0x1p-53 * (high - low);
}

std::vector<size_t> columns_of(const Robot &robot, const std::string &joints) {
    std::vector<size_t> columns;
    for (size_t i = 0; joints.empty() && i < robot.q_size(); i++) {
        graze_joint_info joint;
        graze_robot_joint(robot.robot, graze_robot_q_joint(robot.robot, i), &joint);
        if (joint.q_count == 1) columns.push_back(i);
    }
    for (size_t at = 0; at < joints.size();) {
        size_t comma = std::min(joints.find(',', at), joints.size());
        std::string name = joints.substr(at, comma - at);
        int32_t column = graze_robot_find_q(robot.robot, name.c_str());
        if (column < 0) fail("joint %s: not a moving joint of the robot", name.c_str());
        columns.push_back((size_t)column);
        at = comma + 1;
    }
    return columns;
}

static Configurations rest_rows(const Robot &robot, size_t count) {
    Configurations out;
    out.width = robot.q_size();
    out.count = count;
    out.q.resize(out.width * count);
    for (size_t i = 0; i < count; i++) graze_robot_rest(robot.robot, out.q.data() + i * out.width);
    return out;
}

Configurations random_configurations(const Robot &robot, const std::vector<size_t> &columns,
                                     size_t count, uint64_t seed) {
    Configurations out = rest_rows(robot, count);
    Random random(seed);
    for (size_t i = 0; i < count; i++)
        for (size_t column : columns) {
            graze_joint_info joint;
            graze_robot_joint(robot.robot, graze_robot_q_joint(robot.robot, column), &joint);
            double low = joint.limited ? joint.lower : -M_PI;
            double high = joint.limited ? joint.upper : M_PI;
            out.q[i * out.width + column] = random.between(low, high);
        }
    return out;
}

/// A NumPy file, version 1, of little-endian values in C order: its bytes behind the header.
static std::vector<char> read_npy(const std::string &path, const char *descr, size_t size,
                                  std::vector<size_t> *shape) {
    std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "rb"),
                                                          std::fclose);
    unsigned char head[10];
    if (!file) fail("%s: cannot be opened", path.c_str());
    if (std::fread(head, 1, 10, file.get()) != 10 || std::memcmp(head, "\x93NUMPY\x01", 7) != 0)
        fail("%s: not a NumPy file of version 1", path.c_str());
    std::string text(head[8] + 256u * head[9], '\0');
    if (std::fread(&text[0], 1, text.size(), file.get()) != text.size())
        fail("%s: ends inside its header", path.c_str());
    if (text.find(descr) == std::string::npos || text.find("'fortran_order': False") == text.npos)
        fail("%s: %s; allowed: %s in C order", path.c_str(), text.c_str(), descr);
    size_t total = 1, at = text.find("'shape': (");
    if (at == text.npos) fail("%s: no shape", path.c_str());
    for (at += 10; text[at] != ')' && at < text.size();) {
        char *end;
        size_t n = std::strtoul(text.c_str() + at, &end, 10);
        if (end == text.c_str() + at) fail("%s: bad shape", path.c_str());
        shape->push_back(n);
        total *= n;
        for (at = (size_t)(end - text.c_str()); text[at] == ',' || text[at] == ' ';) at++;
    }
    std::vector<char> bytes(total * size);
    if (std::fread(bytes.data(), 1, bytes.size(), file.get()) != bytes.size())
        fail("%s: shorter than its header says", path.c_str());
    return bytes;
}

Configurations read_configurations(const Robot &robot, const std::vector<size_t> &columns,
                                   const std::string &path) {
    std::vector<size_t> shape;
    std::vector<char> bytes = read_npy(path, "'<f8'", 8, &shape);
    if (shape.size() != 2 || shape[1] != columns.size())
        fail("%s: rows must have %zu columns, as many as joints are named", path.c_str(),
             columns.size());
    Configurations out = rest_rows(robot, shape[0]);
    for (size_t i = 0; i < out.count; i++)
        for (size_t j = 0; j < columns.size(); j++)
            std::memcpy(&out.q[i * out.width + columns[j]], &bytes[8 * (i * shape[1] + j)], 8);
    return out;
}

std::vector<uint8_t> read_verdicts(const std::string &path) {
    std::vector<size_t> shape;
    std::vector<char> bytes = read_npy(path, "'|u1'", 1, &shape);
    return std::vector<uint8_t>(bytes.begin(), bytes.end());
}

} // namespace scene
