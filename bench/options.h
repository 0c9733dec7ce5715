/// @file options.h
/// What the command line asked for.
#ifndef GRAZE_BENCH_OPTIONS_H
#define GRAZE_BENCH_OPTIONS_H

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

/// A world file, and the file of verdicts that hold for it ("" for none).
struct WorldFile {
    std::string path, verdicts, triangulated_verdicts;
};

struct Options {
    std::string urdf, srdf, package_path, configs, joints, problems, csv, only, child;
    std::string self_verdicts;
    std::vector<WorldFile> worlds;
    bool merge = false; ///< also each world as one fine mesh
    size_t rows = 5000, repeat = 5, training = 4000, paths = 2;
    unsigned sides = 32;
    unsigned long long seed = 1;

    static Options parse(int argc, char **argv);
};

} // namespace bench

#endif
