// The ways to check that are compared: graze's answers and policies, and the peers.

#include <regex>

#include "comparison.h"

namespace bench {

bool Comparison::wanted(const std::string &library, const std::string &method) const {
    if (options_.only.empty()) return true;
    return std::regex_search(environment_.name + "/" + library + " " + method,
                             std::regex(options_.only));
}

void Comparison::add_graze(graze_policy policy) {
    std::string words = policy == GRAZE_POLICY_SURFACE ? "surface, " : "solid, ";
    double start = seconds();
    auto checkers = std::make_shared<std::vector<std::unique_ptr<scene::Checker>>>();
    for (const Section &section : environment_.sections)
        checkers->push_back(std::make_unique<scene::Checker>(robot_, section.world, policy));
    double built = seconds() - start;
    const std::pair<graze_answer, const char *> answers[] = {
        {GRAZE_ANSWER_ANY, "any pair"},
        {GRAZE_ANSWER_PAIR, "first pair by name"},
        {GRAZE_ANSWER_FIRST, "first pair, triangles"}};
    for (const auto &[asked, name] : answers) {
        graze_answer answer = asked;
        Row row;
        row.library = "graze";
        row.method = words + name;
        row.build_seconds = built;
        row.run = [this, checkers, answer](size_t section, size_t first, size_t count,
                                           uint8_t *verdicts) {
            scene::Checker &checker = *(*checkers)[section];
            const scene::Configurations &configs = *environment_.sections[section].configs;
            for (size_t i = 0; i < count; i++)
                verdicts[i] = checker.check(configs.row(first + i), answer);
        };
        if (wanted(row.library, row.method)) rows_.push_back(std::move(row));
    }
    for (unsigned threads : {1u, 2u}) {
        Row row;
        row.library = "graze";
        row.method = words + "batch, " + (threads == 1 ? "1 thread" : "2 threads");
        row.build_seconds = built;
        row.batch = true;
        row.two_threads = threads > 1;
        auto check = [checkers, threads](size_t section, const double *q, size_t count,
                                         uint8_t *verdicts) {
            graze_error error;
            graze_batch batch = graze_batch_default();
            batch.threads = threads;
            batch.count = count;
            batch.q = q;
            batch.verdicts = verdicts;
            scene::require(graze_check_batch((*checkers)[section]->get(), &batch, &error), error,
                           "batch");
        };
        row.run = [this, check](size_t section, size_t first, size_t count, uint8_t *verdicts) {
            check(section, environment_.sections[section].configs->row(first), count, verdicts);
        };
        row.run_long = [this, check](size_t times) {
            repeat_configurations(times);
            std::vector<uint8_t> verdicts;
            for (size_t section = 0; section < repeated_.size(); section++) {
                size_t count = times * (first_[section + 1] - first_[section]);
                verdicts.resize(count);
                check(section, repeated_[section].data(), count, verdicts.data());
            }
        };
        if (wanted(row.library, row.method)) rows_.push_back(std::move(row));
    }
}

/// Kept from one call to the next: both rows of a scaling have the same.
void Comparison::repeat_configurations(size_t times) {
    if (repeated_times_ == times) return;
    repeated_times_ = times;
    repeated_.assign(environment_.sections.size(), {});
    for (size_t section = 0; section < repeated_.size(); section++) {
        const scene::Configurations &configs = *environment_.sections[section].configs;
        const double *begin = configs.row(0),
                     *end = configs.row(first_[section + 1] - first_[section]);
        for (size_t k = 0; k < times; k++)
            repeated_[section].insert(repeated_[section].end(), begin, end);
    }
}

void Comparison::add_peer(const char *library, const char *method,
                          std::unique_ptr<Peer> (*make)(const scene::Robot &,
                                                        const scene::World *)) {
    if (!wanted(library, method)) return;
    Row row;
    row.library = library;
    row.method = method;
    auto peers = std::make_shared<std::vector<std::unique_ptr<Peer>>>();
    double start = seconds();
    for (const Section &section : environment_.sections)
        peers->push_back(make(robot_, section.world));
    row.build_seconds = seconds() - start;
    for (auto &peer : *peers) peer->learn(training_);
    auto links = std::make_shared<std::vector<graze_transform>>((size_t)robot_.link_count());
    row.run = [this, peers, links](size_t section, size_t first, size_t count, uint8_t *verdicts) {
        Peer &peer = *(*peers)[section];
        const scene::Configurations &configs = *environment_.sections[section].configs;
        for (size_t i = 0; i < count; i++) {
            scene::pose(robot_, configs.row(first + i), links->data());
            verdicts[i] = peer.check(links->data());
        }
    };
    rows_.push_back(std::move(row));
}

void Comparison::add_kinematics() {
    if (rows_.empty()) return;
    Row row;
    row.library = "graze";
    row.method = "forward kinematics alone";
    row.times_only = true;
    auto links = std::make_shared<std::vector<graze_transform>>((size_t)robot_.link_count());
    row.run = [this, links](size_t section, size_t first, size_t count, uint8_t *verdicts) {
        const scene::Configurations &configs = *environment_.sections[section].configs;
        for (size_t i = 0; i < count; i++) {
            scene::pose(robot_, configs.row(first + i), links->data());
            verdicts[i] = links->back().m[3] > 1e6;
        }
    };
    rows_.push_back(std::move(row));
}

} // namespace bench
