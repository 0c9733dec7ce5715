// Load times and memory. A process's peak is for its whole life, so every measurement gets a fresh
// one: this program, started again with --child.

#include "load_cost.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "peer.h"
#include "stopwatch.h"

namespace bench {
namespace {

struct Cost {
    double milliseconds, processor_milliseconds, peak_mib, kept_mib;
};

/// A line of /proc/self/status, kB.
double status_line(const char *name) {
    std::FILE *file = std::fopen("/proc/self/status", "r");
    if (!file) scene::fail("/proc/self/status cannot be read");
    char line[256];
    double value = 0;
    while (std::fgets(line, sizeof line, file))
        if (!std::strncmp(line, name, std::strlen(name)))
            value = std::atof(line + std::strlen(name) + 1);
    std::fclose(file);
    return value;
}

/// Measures from construction to finish(): wall and processor time, the growth of the resident set,
/// and its peak.
class Meter {
  public:
    Meter() {
        std::FILE *file = std::fopen("/proc/self/clear_refs", "w");
        // 5: the kernel sets the peak back to what is resident now.
        if (!file || std::fputs("5", file) < 0 || std::fclose(file))
            scene::fail("/proc/self/clear_refs cannot be written");
        resident_ = status_line("VmRSS");
        start_ = seconds();
        processor_start_ = process_seconds();
    }
    void finish() const {
        double time = seconds() - start_, processor = process_seconds() - processor_start_;
        std::printf("%.6f %.6f %.6f %.6f\n", 1e3 * time, 1e3 * processor,
                    (status_line("VmHWM") - resident_) / 1024,
                    (status_line("VmRSS") - resident_) / 1024);
    }

  private:
    double resident_, start_, processor_start_;
};

void load_peer(const scene::Robot &robot, const std::string &name) {
    auto make = name == "ODE"       ? ode_trimesh
                : name == "Bullet"  ? bullet_gimpact
                : name == "FCL OBB" ? fcl_tuned
                                    : fcl_manager;
    Meter meter;
    std::unique_ptr<Peer> peer = make(robot, nullptr);
    meter.finish();
}

Cost run_fresh(const std::string &child, int argc, char **argv) {
    std::vector<std::string> words(argv, argv + argc);
    words.push_back("--child=" + child);
    std::vector<char *> pointers;
    for (std::string &word : words) pointers.push_back(&word[0]);
    pointers.push_back(nullptr);
    int ends[2];
    if (pipe(ends)) scene::fail("pipe failed");
    std::fflush(stdout);
    pid_t pid = fork();
    if (pid < 0) scene::fail("fork failed");
    if (!pid) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv("/proc/self/exe", pointers.data());
        _exit(127);
    }
    close(ends[1]);
    std::FILE *file = fdopen(ends[0], "r");
    Cost cost;
    int read = file ? std::fscanf(file, "%lf %lf %lf %lf", &cost.milliseconds,
                                  &cost.processor_milliseconds, &cost.peak_mib, &cost.kept_mib)
                    : 0;
    if (file) std::fclose(file);
    int status;
    if (waitpid(pid, &status, 0) != pid || status || read != 4)
        scene::fail("a process for \"%s\" failed", child.c_str());
    return cost;
}

} // namespace

int run_child(const Options &options) {
    const std::string &what = options.child;
    if (what == "graze") {
        Meter meter;
        scene::Robot robot;
        graze_error error;
        graze_load_options load = graze_load_options_default();
        load.srdf = options.srdf.empty() ? nullptr : options.srdf.c_str();
        load.package_path = options.package_path.empty() ? nullptr : options.package_path.c_str();
        scene::require(graze_robot_load_urdf(&robot.robot, options.urdf.c_str(), &load, &error),
                       error, options.urdf.c_str());
        scene::Checker checker(robot, nullptr, GRAZE_POLICY_SOLID);
        meter.finish();
        return 0;
    }
    if (what.rfind("world ", 0) == 0) {
        size_t index = std::strtoul(what.c_str() + 6, nullptr, 10);
        if (index >= options.worlds.size()) scene::fail("no world %zu", index);
        Meter meter;
        graze_error error;
        graze_world *world;
        scene::require(graze_world_create(&world, "world", &error), error, "world");
        scene::require(
            graze_world_add_file(world, options.worlds[index].path.c_str(), nullptr, &error), error,
            "world");
        scene::require(graze_world_commit(world, &error), error, "world");
        meter.finish();
        graze_world_free(world);
        return 0;
    }
    scene::Robot robot;
    robot.load(options.urdf, options.srdf, options.package_path);
    load_peer(robot, what);
    return 0;
}

void report_load_costs(const Options &options, Table &table, int argc, char **argv) {
    std::printf("\nload: a fresh process each, median of %zu; memory: growth of the resident set "
                "(VmHWM, VmRSS)\n",
                options.repeat);
    std::printf("  %-52s %9s %9s %9s %9s\n", "what", "wall ms", "CPU ms", "peak MiB", "kept MiB");
    std::vector<std::array<std::string, 2>> all = {
        {"graze", "graze: URDF, SRDF and meshes from files to ready"},
        {"FCL OBBRSS", "FCL: OBBRSS trees from the triangles in memory"},
        {"FCL OBB", "FCL: OBB trees from the triangles in memory"},
        {"ODE", "ODE: trees from the triangles in memory"},
        {"Bullet", "Bullet: GImpact shapes from the triangles in memory"}};
    for (size_t i = 0; i < options.worlds.size(); i++) {
        const std::string &path = options.worlds[i].path;
        all.push_back({"world " + std::to_string(i),
                       "graze: " + path.substr(path.find_last_of('/') + 1) + " from file to tree"});
    }
    for (const auto &entry : all) {
        std::vector<Cost> costs;
        for (size_t i = 0; i < options.repeat; i++)
            costs.push_back(run_fresh(entry[0], argc, argv));
        std::sort(costs.begin(), costs.end(),
                  [](const Cost &a, const Cost &b) { return a.milliseconds < b.milliseconds; });
        const Cost &middle = costs[costs.size() / 2];
        std::printf("  %-52s %9.2f %9.2f %9.2f %9.2f\n", entry[1].c_str(), middle.milliseconds,
                    middle.processor_milliseconds, middle.peak_mib, middle.kept_mib);
        const size_t colon = entry[1].find(": ");
        const std::string library = entry[1].substr(0, colon), what = entry[1].substr(colon + 2);
        std::vector<double> times, processor_times, peaks;
        for (const Cost &cost : costs) {
            times.push_back(cost.milliseconds);
            processor_times.push_back(cost.processor_milliseconds);
            peaks.push_back(cost.peak_mib);
        }
        table.add({"load", library, what, "ms", costs.size(), spread_of(times)});
        table.add(
            {"load", library, what + ", CPU", "ms", costs.size(), spread_of(processor_times)});
        table.add({"load", library, what + ", peak", "MiB", costs.size(), spread_of(peaks)});
    }
}

} // namespace bench
