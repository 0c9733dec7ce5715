// Robots that grow: with finer meshes, and with more links.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include "growth.h"

namespace growth {
namespace {

namespace files = std::filesystem;

/// A folder for the files of robots that are made here, gone when the program ends.
class Folder {
  public:
    Folder() {
        std::string pattern = (files::temp_directory_path() / "graze-growth-XXXXXX").string();
        if (!mkdtemp(&pattern[0])) scene::fail("%s: cannot be made", pattern.c_str());
        path = pattern;
    }
    ~Folder() {
        std::error_code ignored;
        files::remove_all(path, ignored);
    }
    void clear() const {
        for (const files::directory_entry &entry : files::directory_iterator(path))
            files::remove_all(entry.path());
    }
    files::path path;
};

/// Also removed where scene::fail() ends the program.
const Folder &folder() {
    static const Folder only;
    return only;
}

struct StlTriangle {
    float normal[3], corner[3][3];
    uint16_t attribute;
};
const size_t stl_header = 84, stl_record = 50;

std::vector<StlTriangle> read_stl(const std::string &path) {
    std::FILE *file = std::fopen(path.c_str(), "rb");
    uint8_t header[stl_header], record[stl_record];
    if (!file || std::fread(header, 1, sizeof header, file) != sizeof header)
        scene::fail("%s: cannot be read as binary STL", path.c_str());
    uint32_t count;
    std::memcpy(&count, header + 80, 4);
    std::vector<StlTriangle> out;
    for (uint32_t i = 0; i < count; i++) {
        StlTriangle t{};
        if (std::fread(record, 1, sizeof record, file) != sizeof record)
            scene::fail("%s: is not binary STL, or cut short", path.c_str());
        std::memcpy(t.corner, record + 12, sizeof t.corner);
        out.push_back(t);
    }
    std::fclose(file);
    return out;
}

void write_stl(const files::path &path, const std::vector<StlTriangle> &triangles) {
    files::create_directories(path.parent_path());
    std::FILE *file = std::fopen(path.c_str(), "wb");
    if (!file) scene::fail("%s: cannot be written", path.c_str());
    uint8_t header[stl_header] = {}, record[stl_record] = {};
    uint32_t count = (uint32_t)triangles.size();
    std::memcpy(header + 80, &count, 4);
    bool good = std::fwrite(header, 1, sizeof header, file) == sizeof header;
    for (const StlTriangle &t : triangles) {
        std::memcpy(record + 12, t.corner, sizeof t.corner);
        good = std::fwrite(record, 1, sizeof record, file) == sizeof record && good;
    }
    if (std::fclose(file) || !good) scene::fail("%s: cannot be written", path.c_str());
}

/// Cuts every triangle into four at the middles of its edges. Two triangles that share an edge get
/// the same middle, so that what was closed stays closed.
std::vector<StlTriangle> quarter(const std::vector<StlTriangle> &from) {
    std::vector<StlTriangle> out;
    out.reserve(4 * from.size());
    for (const StlTriangle &t : from) {
        StlTriangle inner{};
        for (size_t i = 0; i < 3; i++)
            for (size_t k = 0; k < 3; k++)
                inner.corner[i][k] =
                    (float)(0.5 * ((double)t.corner[i][k] + (double)t.corner[(i + 1) % 3][k]));
        for (size_t i = 0; i < 3; i++) {
            StlTriangle outer{};
            std::memcpy(outer.corner[0], t.corner[i], sizeof t.corner[i]);
            std::memcpy(outer.corner[1], inner.corner[i], sizeof t.corner[i]);
            std::memcpy(outer.corner[2], inner.corner[(i + 2) % 3], sizeof t.corner[i]);
            out.push_back(outer);
        }
        out.push_back(inner);
    }
    return out;
}

/// Loads it for the comparison, and once more to measure what that costs graze alone.
std::shared_ptr<scene::Robot> load(const std::string &urdf, const std::string &srdf,
                                   const std::string &packages, Cost &cost) {
    graze_error error;
    graze_load_options options = graze_load_options_default();
    options.srdf = srdf.empty() ? nullptr : srdf.c_str();
    options.package_path = packages.empty() ? nullptr : packages.c_str();
    options.visuals = GRAZE_VISUALS_SKIP;
    graze_robot *robot;
    Meter meter;
    scene::require(graze_robot_load_urdf(&robot, urdf.c_str(), &options, &error), error,
                   urdf.c_str());
    cost = meter.cost();
    graze_robot_free(robot);
    auto out = std::make_shared<scene::Robot>();
    out->load(urdf, srdf, packages);
    return out;
}

/// Finer versions of the collision meshes of a robot, each where its package:// path will be
/// looked for first.
void refine(const graze_robot *robot, unsigned level) {
    std::map<std::string, std::string> meshes;
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++) {
        graze_geometry g;
        if (graze_robot_collision(robot, i, &g) == GRAZE_OK && g.shape == GRAZE_SHAPE_MESH)
            meshes[g.uri] = g.file;
    }
    const std::string scheme = "package://";
    for (const auto &[uri, file] : meshes) {
        if (uri.rfind(scheme, 0) != 0)
            scene::fail("%s: not refined; allowed: package://", uri.c_str());
        std::vector<StlTriangle> triangles = read_stl(file);
        for (unsigned i = 0; i < level; i++) triangles = quarter(triangles);
        write_stl(folder().path / uri.substr(scheme.size()), triangles);
    }
}

/// An SRDF that leaves out every pair of links.
std::string write_blind_srdf(const scene::Robot &robot) {
    std::string path = (folder().path / "blind.srdf").string();
    std::FILE *file = std::fopen(path.c_str(), "w");
    if (!file) scene::fail("%s: cannot be written", path.c_str());
    std::fprintf(file, "<robot name=\"%s\">\n", graze_robot_name(robot.robot));
    for (const auto &[a, b] : robot.pairs)
        std::fprintf(file, "<disable_collisions link1=\"%s\" link2=\"%s\" reason=\"User\"/>\n",
                     graze_robot_link_name(robot.robot, a), graze_robot_link_name(robot.robot, b));
    std::fputs("</robot>\n", file);
    if (std::fclose(file)) scene::fail("%s: cannot be written", path.c_str());
    return path;
}

} // namespace

std::shared_ptr<scene::Robot> make_robot(const Options &options, unsigned level, bool self,
                                         Cost &cost) {
    std::string home = GRAZE_SOURCE_DIR;
    std::string urdf = home + "/urdf/heron.urdf", srdf = home + "/urdf/heron.srdf", packages;
    if (!options.fetch.empty()) {
        urdf = options.fetch + "/robots/fetch_description/robots/fetch.urdf";
        srdf = options.fetch + "/verdicts/fetch_75.srdf";
        packages = options.fetch + "/robots";
    }
    std::shared_ptr<scene::Robot> robot = load(urdf, self ? srdf : "", packages, cost);
    if (!self) {
        robot = load(urdf, write_blind_srdf(*robot), packages, cost);
        folder().clear();
        return robot;
    }
    if (!level) return robot;
    refine(robot->robot, level);
    std::string finer = folder().path.string();
    robot = load(urdf, srdf, packages.empty() ? finer : finer + ":" + packages, cost);
    folder().clear();
    return robot;
}

// ------------------------------------------------------------------------------------ the chain

namespace {

const double link_length = 0.05;

/// A rounded bar along x, 12 sides, some 200 triangles.
std::vector<StlTriangle> bar() {
    scene::Body body;
    body.shape = GRAZE_SHAPE_CAPSULE;
    body.radius = 0.015;
    body.length = link_length;
    scene::Triangles mesh = scene::tessellate(body, 12, 1);
    std::vector<StlTriangle> out;
    for (size_t t = 0; t < mesh.indices.size(); t += 3) {
        StlTriangle triangle{};
        for (size_t c = 0; c < 3; c++) {
            const double *v = &mesh.vertices[3 * (size_t)mesh.indices[t + c]];
            // The axis z becomes x, from one joint to the next.
            triangle.corner[c][0] = (float)(v[2] + 0.5 * link_length);
            triangle.corner[c][1] = (float)v[0];
            triangle.corner[c][2] = (float)v[1];
        }
        out.push_back(triangle);
    }
    return out;
}

} // namespace

std::shared_ptr<scene::Robot> make_chain(size_t links, Cost &cost) {
    write_stl(folder().path / "chain" / "bar.stl", bar());
    files::path urdf = folder().path / "chain.urdf";
    std::FILE *file = std::fopen(urdf.c_str(), "w");
    if (!file) scene::fail("%s: cannot be written", urdf.c_str());
    std::fputs("<robot name=\"chain\">\n", file);
    for (size_t i = 0; i < links; i++)
        std::fprintf(file,
                     "<link name=\"l%zu\"><collision><geometry>"
                     "<mesh filename=\"package://chain/bar.stl\"/></geometry></collision></link>\n",
                     i);
    for (size_t i = 1; i < links; i++)
        std::fprintf(file,
                     "<joint name=\"j%zu\" type=\"revolute\"><parent link=\"l%zu\"/>"
                     "<child link=\"l%zu\"/><origin xyz=\"%g 0 0\"/><axis xyz=\"0 0 1\"/>"
                     "<limit lower=\"-3\" upper=\"3\" effort=\"1\" velocity=\"1\"/></joint>\n",
                     i, i - 1, i, link_length);
    std::fputs("</robot>\n", file);
    if (std::fclose(file)) scene::fail("%s: cannot be written", urdf.c_str());
    std::shared_ptr<scene::Robot> chain = load(urdf.string(), "", folder().path.string(), cost);
    folder().clear();
    return chain;
}

scene::Configurations chain_configurations(const scene::Robot &chain, size_t count, uint64_t seed) {
    // The curvature over the length is a sum of few waves, drawn alike for every number of links;
    // a joint turns by its share of it. So a long chain runs along the same curves as a short one.
    const size_t waves = 5;
    scene::Configurations out;
    out.width = chain.q_size();
    out.count = count;
    out.q.reserve(out.width * count);
    scene::Random random(seed);
    for (size_t row = 0; row < count; row++) {
        double height[waves], phase[waves];
        for (size_t w = 0; w < waves; w++) {
            height[w] = random.between(-9, 9);
            phase[w] = random.between(0, 2 * M_PI);
        }
        for (size_t i = 0; i < out.width; i++) {
            double s = ((double)i + 0.5) / (double)out.width, curvature = 0;
            for (size_t w = 0; w < waves; w++)
                curvature += height[w] * std::cos(M_PI * (double)w * s + phase[w]);
            out.q.push_back(curvature / (double)out.width);
        }
    }
    return out;
}

} // namespace growth
