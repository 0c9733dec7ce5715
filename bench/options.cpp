// The command line of graze-bench-peers.

#include "options.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "scene.h"

namespace bench {
namespace {

const char usage[] =
    "usage: graze-bench-peers [ROBOT.urdf | --fetch DATA_DIR] [options]\n"
    "\n"
    "Times graze, FCL, Bullet and ODE on the same robot, configurations and run, and compares\n"
    "their verdicts. Without a robot: the shipped heron with the shelf and clutter worlds.\n"
    "\n"
    "  --srdf FILE          pairs that are not checked\n"
    "  --package-path DIRS  where package:// is looked up, DIR[:DIR...]\n"
    "  --configs FILE.npy   float64[n,joints]; default: uniform within the limits\n"
    "  --joints A,B,...     columns of --configs, or what is varied; default: all\n"
    "  --seed N             of configurations that are drawn; default 1\n"
    "  --world FILE         repeatable; one with boxes, cylinders ... is measured triangulated too\n"
    "  --merge              measure each world also as one fine triangle mesh\n"
    "  --problems FILE.json planning problems (mbm-1): also measure along the edges of paths\n"
    "  --paths N            problems of each family that are planned; default 2\n"
    "  --rows N             configurations measured; default 5000 (slow rows: fewer, as printed)\n"
    "  --repeat R           measurements, of which the median counts; default 5\n"
    "  --only REGEX         measure only rows whose \"environment/library method\" matches\n"
    "  --csv FILE           write the table there too\n"
    "  --fetch DATA_DIR     Fetch with the worlds and verdicts of a data folder (see docs/)\n"
    "\n"
    "Exit status: 0; 1 when FCL's verdict differs from graze's on a configuration that is not a\n"
    "touching one, or a verdict file does; 2 wrong usage; 3 an input could not be read.\n";

[[noreturn]] void misused(const std::string &what) {
    std::fprintf(stderr, "graze-bench-peers: %s\n%s", what.c_str(), usage);
    std::exit(2);
}

size_t number(const std::string &name, const std::string &text, size_t least) {
    char *end;
    unsigned long long value = std::strtoull(text.c_str(), &end, 10);
    if (text.empty() || *end || text[0] == '-' || value < least)
        misused(name + " " + text + "; allowed: a whole number from " + std::to_string(least));
    return (size_t)value;
}

void use_fetch(Options &o, const std::string &dir) {
    o.urdf = dir + "/robots/fetch_description/robots/fetch.urdf";
    o.srdf = dir + "/verdicts/fetch_75.srdf";
    o.package_path = dir + "/robots";
    o.configs = dir + "/verdicts/fetch_configs.npy";
    o.joints = scene::arm_joints;
    if (o.problems.empty()) o.problems = dir + "/mbm/fetch.json";
    o.self_verdicts = dir + "/verdicts/fetch_self.npy";
    o.worlds = {{dir + "/worlds/shelf.json", dir + "/verdicts/fetch_shelf.npy",
                 dir + "/verdicts/fetch_shelf_triangulated.npy"},
                {dir + "/worlds/clutter.ply", dir + "/verdicts/fetch_clutter.npy", ""}};
}

void use_heron(Options &o) {
    // `graze bench` says where the robot is that ships.
    const char *share = std::getenv("GRAZE_SHARE");
    const std::string dir = share && *share ? share : GRAZE_SOURCE_DIR;
    o.urdf = dir + "/urdf/heron.urdf";
    o.srdf = dir + "/urdf/heron.srdf";
    o.joints = scene::arm_joints;
    if (o.worlds.empty())
        o.worlds = {{dir + "/worlds/shelf.json", "", ""}, {dir + "/worlds/clutter.json", "", ""}};
    if (o.problems.empty()) o.problems = dir + "/bench/heron_problems.json";
    o.merge = true;
}

} // namespace

Options Options::parse(int argc, char **argv) {
    Options o;
    std::string fetch;
    for (int i = 1; i < argc; i++) {
        std::string name = argv[i], value;
        if (name == "--help") {
            std::fputs(usage, stdout);
            std::exit(0);
        }
        if (name == "--merge") {
            o.merge = true;
            continue;
        }
        if (name.rfind("--", 0) != 0) {
            if (!o.urdf.empty()) misused("two robots: " + o.urdf + " and " + name);
            o.urdf = name;
            continue;
        }
        size_t equals = name.find('=');
        if (equals != name.npos) {
            value = name.substr(equals + 1);
            name.resize(equals);
        } else if (i + 1 < argc) {
            value = argv[++i];
        } else {
            misused(name + " needs a value");
        }
        if (name == "--srdf")
            o.srdf = value;
        else if (name == "--package-path")
            o.package_path = value;
        else if (name == "--configs")
            o.configs = value;
        else if (name == "--joints")
            o.joints = value;
        else if (name == "--seed")
            o.seed = number(name, value, 0);
        else if (name == "--world")
            o.worlds.push_back({value, "", ""});
        else if (name == "--problems")
            o.problems = value;
        else if (name == "--paths")
            o.paths = number(name, value, 1);
        else if (name == "--rows")
            o.rows = number(name, value, 1);
        else if (name == "--repeat")
            o.repeat = number(name, value, 1);
        else if (name == "--only")
            o.only = value;
        else if (name == "--csv")
            o.csv = value;
        else if (name == "--fetch")
            fetch = value;
        else if (name == "--child")
            o.child = value;
        else
            misused("unknown option " + name);
    }
    if (!fetch.empty() && !o.urdf.empty()) misused("--fetch and a robot");
    if (!fetch.empty())
        use_fetch(o, fetch);
    else if (o.urdf.empty())
        use_heron(o);
    if (!o.configs.empty() && o.joints.empty()) misused("--configs needs --joints");
    return o;
}

} // namespace bench
