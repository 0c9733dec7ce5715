// Tables of growth, and the exponents.

#include <algorithm>
#include <cmath>

#include "growth.h"

namespace growth {
namespace {

const Way *find(const Case &c, const std::string &name) {
    for (const Way &way : c.ways)
        if (way.name() == name) return &way;
    return nullptr;
}

/// Names of the ways of an axis, in order.
std::vector<std::string> way_names(const Axis &axis) {
    std::vector<std::string> names;
    for (const Case &c : axis.cases)
        for (const Way &way : c.ways)
            if (std::find(names.begin(), names.end(), way.name()) == names.end())
                names.push_back(way.name());
    return names;
}

/// The slope of y over x by least squares.
double slope(const std::vector<double> &x, const std::vector<double> &y) {
    double n = (double)x.size(), sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (size_t i = 0; i < x.size(); i++) {
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        sxy += x[i] * y[i];
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// What an exponent says beside that of the logarithm.
const char *verdict(const Exponent &e) {
    if (e.median <= e.logarithm) return "no faster than log";
    return e.least <= e.logarithm ? "as log, within the rounds" : "faster than log";
}

bool report_verdicts(const Axis &axis) {
    bool good = true;
    for (const Case &c : axis.cases)
        for (const Way &way : c.ways) {
            if (!way.different && !way.unexplained) continue;
            std::printf("  %s at %zu %s: %zu of %zu verdicts are not graze's, %zu of them ",
                        way.name().c_str(), c.size, axis.unit.c_str(), way.different,
                        c.configs.count, way.unexplained);
            std::printf(way.same_question ? "not at a touch\n"
                                          : "outside of what cells and balls allow\n");
            good = good && !way.unexplained;
        }
    return good;
}

} // namespace

bool exponent(const Axis &axis, const std::string &name, double decades, Exponent &out) {
    std::vector<double> x, logarithm;
    std::vector<const Way *> ways;
    double most = 0;
    for (const Case &c : axis.cases)
        if (find(c, name)) most = (double)c.size;
    for (const Case &c : axis.cases) {
        const Way *way = find(c, name);
        // Sizes that are nearly a power of ten apart count as that.
        if (!way || (double)c.size < 0.8 * most * std::pow(10, -decades)) continue;
        if (x.empty()) out.from = (double)c.size;
        out.to = (double)c.size;
        x.push_back(std::log((double)c.size));
        logarithm.push_back(std::log(std::log((double)c.size)));
        ways.push_back(way);
    }
    if (x.size() < 2) return false;
    out.logarithm = slope(x, logarithm);
    std::vector<double> all;
    for (size_t round = 0; round < ways[0]->samples.size(); round++) {
        std::vector<double> y;
        for (const Way *way : ways) y.push_back(std::log(way->samples[round]));
        all.push_back(slope(x, y));
    }
    std::sort(all.begin(), all.end());
    out.median = all[all.size() / 2];
    out.least = all.front();
    out.most = all.back();
    return true;
}

bool report(const Axis &axis) {
    std::printf("\n%s: %s\n", axis.name.c_str(), axis.title.c_str());
    std::printf("  %10s  %-24s %9s %21s %9s %10s %8s %7s\n", axis.unit.c_str(), "way", "us/config",
                "least .. most", "build s", "MiB", "hits", "differ");
    for (const Case &c : axis.cases)
        for (const Way &way : c.ways) {
            std::printf("  %10zu  %-24s %9.3f %9.3f .. %8.3f", c.size, way.name().c_str(),
                        way.median(), way.least(), way.most());
            if (way.times_only)
                std::printf(" %9s %10s %8s %7s\n", "-", "-", "-", "-");
            else
                std::printf(
                    " %9.3f %10.2f %8zu %7zu\n", way.build.seconds, way.build.bytes / 1048576,
                    (size_t)std::count(way.verdicts.begin(), way.verdicts.end(), 1), way.different);
        }
    std::printf("  growth of time as size^e: e of the last two decades, and of the last one\n");
    for (const std::string &name : way_names(axis)) {
        Exponent two, one;
        if (!exponent(axis, name, 2, two)) continue;
        std::printf("  %-24s e = %6.3f (%6.3f .. %6.3f), log %5.3f", name.c_str(), two.median,
                    two.least, two.most, two.logarithm);
        if (exponent(axis, name, 1, one))
            std::printf("; last %6.3f, log %5.3f", one.median, one.logarithm);
        std::printf(": %s\n", verdict(two));
    }
    return report_verdicts(axis);
}

void write_csv_header(std::FILE *csv) {
    std::fputs("axis,title,unit,size,library,method,median_us,least_us,most_us,build_s,bytes,rows,"
               "collisions,different,unexplained,exponent,exponent_least,exponent_most,logarithm\n",
               csv);
}

void write_csv(std::FILE *csv, const Axis &axis) {
    for (const Case &c : axis.cases)
        for (const Way &way : c.ways) {
            std::fprintf(csv, "%s,\"%s\",%s,%zu,%s,%s,%.6f,%.6f,%.6f,%.6f,%.0f,%zu,%zu,%zu,%zu",
                         axis.name.c_str(), axis.title.c_str(), axis.unit.c_str(), c.size,
                         way.library.c_str(), way.method.c_str(), way.median(), way.least(),
                         way.most(), way.build.seconds, way.build.bytes, c.configs.count,
                         (size_t)std::count(way.verdicts.begin(), way.verdicts.end(), 1),
                         way.different, way.unexplained);
            Exponent e;
            if (exponent(axis, way.name(), 2, e))
                std::fprintf(csv, ",%.4f,%.4f,%.4f,%.4f\n", e.median, e.least, e.most, e.logarithm);
            else
                std::fputs(",,,,\n", csv);
        }
}

} // namespace growth
