// graze-bench-growth: how the cost of a check grows with triangles, pairs, objects and points, for
// graze and FCL.

#include "growth.h"

#include <cstdlib>
#include <fstream>
#include <regex>

#include "stopwatch.h"

namespace growth {
namespace {

const char usage[] =
    "usage: graze-bench-growth [options]\n"
    "\n"
    "Measures how the time of a check grows with the triangles of a scene and of the robot, with\n"
    "pairs of links, objects and points, for graze and FCL in the same run, on heron.\n"
    "\n"
    "  --quick       small sizes and few configurations, within half a minute\n"
    "  --only REGEX  axes whose name matches: scene robot pairs objects points density\n"
    "  --rows N      configurations; default 1000\n"
    "  --repeat R    rounds, of which the median counts; default 5\n"
    "  --spheres N   most points that FCL gets as spheres; default 1000000\n"
    "  --fetch DIR   Fetch of a data folder (see docs/benchmarks.md) in heron's place\n"
    "  --csv FILE    write the tables there too\n"
    "\n"
    "Exit status: 0; 1 when verdicts differ that should not; 2 wrong usage; 3 an input could not be\n"
    "read.\n";

[[noreturn]] void misused(const std::string &what) {
    std::fprintf(stderr, "graze-bench-growth: %s\n%s", what.c_str(), usage);
    std::exit(2);
}

size_t number(const std::string &name, const std::string &text, size_t least) {
    char *end;
    unsigned long long value = std::strtoull(text.c_str(), &end, 10);
    if (text.empty() || *end || text[0] == '-' || value < least)
        misused(name + " " + text + "; allowed: a whole number from " + std::to_string(least));
    return (size_t)value;
}

std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line))
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "unknown processor";
}

void print_machine(std::FILE *out, const char *mark) {
    std::fprintf(out, "%sprocessor: %s\n", mark, processor().c_str());
    std::fprintf(out, "%scompiler: %s; FCL %s, OctoMap %s as packaged; graze %s\n", mark,
                 GRAZE_BENCH_COMPILER, GRAZE_BENCH_FCL, GRAZE_BENCH_OCTOMAP, graze_version());
}

} // namespace

Options Options::parse(int argc, char **argv) {
    Options o;
    bool rows = false, repeat = false;
    for (int i = 1; i < argc; i++) {
        std::string name = argv[i], value;
        if (name == "--help") {
            std::fputs(usage, stdout);
            std::exit(0);
        }
        if (name == "--quick") {
            o.quick = true;
            continue;
        }
        size_t equals = name.find('=');
        if (equals != name.npos) {
            value = name.substr(equals + 1);
            name.resize(equals);
        } else {
            if (++i >= argc) misused(name + ": unknown, or without its value");
            value = argv[i];
        }
        if (name == "--only") {
            o.only = value;
        } else if (name == "--rows") {
            o.rows = number(name, value, 1);
            rows = true;
        } else if (name == "--repeat") {
            o.repeat = number(name, value, 1);
            repeat = true;
        } else if (name == "--spheres") {
            o.spheres = number(name, value, 0);
        } else if (name == "--fetch") {
            o.fetch = value;
        } else if (name == "--csv") {
            o.csv = value;
        } else {
            misused("unknown option " + name);
        }
    }
    if (o.quick && !rows) o.rows = 200;
    if (o.quick && !repeat) o.repeat = 3;
    return o;
}

} // namespace growth

int main(int argc, char **argv) {
    growth::Options options = growth::Options::parse(argc, argv);
    bench::pin();
    std::regex wanted;
    try {
        wanted = std::regex(options.only.empty() ? ".*" : options.only);
    } catch (const std::regex_error &error) {
        growth::misused("--only " + options.only + ": " + error.what());
    }
    growth::print_machine(stdout, "");
    std::printf("%zu configurations, median of %zu rounds, one thread, kinematics included; memory "
                "is what stays allocated\n",
                options.rows, options.repeat);
    std::FILE *csv = options.csv.empty() ? nullptr : std::fopen(options.csv.c_str(), "w");
    if (!options.csv.empty() && !csv) scene::fail("%s: cannot be written", options.csv.c_str());
    if (csv) {
        growth::print_machine(csv, "# ");
        growth::write_csv_header(csv);
    }
    bool good = true;
    for (const std::string &name : growth::axis_names()) {
        if (!std::regex_match(name, wanted)) continue;
        growth::Axis axis = growth::make_axis(name, options);
        growth::measure(axis, options);
        good = growth::report(axis) && good;
        if (csv) growth::write_csv(csv, axis);
        std::fflush(nullptr);
    }
    if (csv && std::fclose(csv)) scene::fail("%s: cannot be written", options.csv.c_str());
    if (!good) std::printf("\nverdicts differ: see above\n");
    return good ? 0 : 1;
}
