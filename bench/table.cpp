// The CSV, and what names the machine and the builds.

#include "table.h"

#include <time.h>

#include <fstream>

#include "bench_commit.h"
#include "scene.h"

namespace bench {

static std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line))
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "unknown processor";
}

void print_machine(std::FILE *out, const char *mark) {
    time_t now = time(nullptr);
    tm day;
    char date[32] = "unknown";
    if (gmtime_r(&now, &day)) strftime(date, sizeof date, "%Y-%m-%d", &day);
    std::fprintf(out, "%sprocessor: %s, %zu of its threads\n", mark, processor().c_str(),
                 processor_count());
    std::fprintf(out, "%scompiler: %s\n", mark, GRAZE_BENCH_COMPILER);
    std::fprintf(out, "%speers as packaged: FCL %s, Bullet %s, ODE %s\n", mark, GRAZE_BENCH_FCL,
                 GRAZE_BENCH_BULLET, GRAZE_BENCH_ODE);
    std::fprintf(out, "%sgraze: %s, commit %s\n", mark, graze_version(), GRAZE_BENCH_COMMIT);
    std::fprintf(out, "%sdate: %s\n", mark, date);
}

Table::Table(const Options &options) : path_(options.csv) {
    if (path_.empty()) return;
    file_ = std::fopen(path_.c_str(), "w");
    if (!file_) scene::fail("%s: cannot be written", path_.c_str());
    print_machine(file_, "# ");
    std::fputs("environment,library,method,unit,rows,median,least,most,collisions,different,"
               "build_s\n",
               file_);
}

Table::~Table() {
    if (file_) std::fclose(file_);
}

static std::string quoted(const std::string &text) {
    std::string out = "\"";
    for (char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + '"';
}

void Table::add(const Figure &f) {
    if (!file_) return;
    std::fprintf(file_, "%s,%s,%s,%s,%zu,%.6f,%.6f,%.6f,", quoted(f.environment).c_str(),
                 quoted(f.library).c_str(), quoted(f.method).c_str(), f.unit, f.rows,
                 f.value.figure, f.value.least, f.value.most);
    if (f.collisions >= 0) std::fprintf(file_, "%ld,%ld,", f.collisions, f.different);
    if (f.collisions < 0) std::fputs(",,", file_);
    if (f.build_seconds >= 0) std::fprintf(file_, "%.6f", f.build_seconds);
    std::fputc('\n', file_);
}

void Table::finish() {
    if (!file_) return;
    bool failed = std::ferror(file_) != 0;
    failed = std::fclose(file_) != 0 || failed;
    file_ = nullptr;
    if (failed) scene::fail("%s: cannot be written", path_.c_str());
}

} // namespace bench
