// Planning problems, by the library's own reader.

#include "problems.h"

namespace bench {

ProblemFile::ProblemFile(const std::string &path, const scene::Robot &robot)
    : width_(robot.q_size()) {
    graze_error error;
    scene::require(graze_problems_load(&problems_, robot.robot, path.c_str(), nullptr, &error),
                   error, path.c_str());
    for (size_t i = 0; i < graze_problems_count(problems_); i++) {
        graze_problem p = get(i);
        std::string family(p.name, p.family_length);
        if (begin_.empty() || families_.back() != family) {
            families_.push_back(family);
            begin_.push_back(i);
        }
        columns_.assign(p.columns, p.columns + p.column_count);
    }
    begin_.push_back(graze_problems_count(problems_));
}

ProblemFile::~ProblemFile() {
    graze_problems_free(problems_);
}

graze_problem ProblemFile::get(size_t index) const {
    graze_problem p;
    if (graze_problems_get(problems_, index, &p) != GRAZE_OK)
        scene::fail("problem %zu is not there", index);
    return p;
}

size_t ProblemFile::place(const std::string &family) const {
    for (size_t i = 0; i < families_.size(); i++)
        if (families_[i] == family) return i;
    scene::fail("family %s is not there", family.c_str());
}

size_t ProblemFile::size(const std::string &family) const {
    size_t i = place(family);
    return begin_[i + 1] - begin_[i];
}

Problem ProblemFile::read(const std::string &family, size_t index) const {
    graze_problem p = get(begin_[place(family)] + index);
    graze_error error;
    Problem out;
    out.name = p.name;
    out.start.assign(p.start, p.start + width_);
    for (size_t i = 0; i < p.goal_count; i++)
        out.goals.emplace_back(p.goals + i * width_, p.goals + (i + 1) * width_);
    out.world = std::make_unique<scene::World>();
    out.world->name = p.name;
    scene::require(graze_world_revise(&out.world->world, p.world, nullptr, 0, &error), error,
                   p.name);
    out.world->read_objects();
    return out;
}

} // namespace bench
