// Many threads on one validity checker and one motion validator of bindings/ompl: under the thread
// sanitizer, too.
#include "fixture.hpp"

#include <thread>

using graze::ompl::MotionValidator;
using graze::ompl::StateSpace;

/// Four threads on one checker and one validator: the verdicts of one thread, and no count lost.
static void threads_get_the_verdicts_of_one(const Heron &heron) {
    enum { THREADS = 4, MOTIONS = 60 };
    auto space = std::make_shared<StateSpace>(heron.robot, "arm_with_torso");
    auto si = graze::ompl::make_space_information(space, heron.checker);
    si->setup();
    auto validator = std::static_pointer_cast<MotionValidator>(si->getMotionValidator());
    std::vector<ob::State *> states(MOTIONS + 1);
    si->allocStates(states);
    ob::StateSamplerPtr sampler = si->allocStateSampler();
    for (ob::State *state : states) sampler->sampleUniform(state);
    std::vector<char> expected, valid;
    for (int i = 0; i < MOTIONS; i++) {
        valid.push_back(si->isValid(states[size_t(i)]));
        expected.push_back(si->checkMotion(states[size_t(i)], states[size_t(i) + 1]));
    }
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int k = 0; k < THREADS; k++)
        threads.emplace_back([&, k] {
            ob::State *last = space->allocState();
            for (int n = 0; n < MOTIONS; n++) {
                size_t i = size_t(n + 17 * k) % MOTIONS;
                std::pair<ob::State *, double> pair(last, 0);
                wrong += si->isValid(states[i]) != bool(valid[i]);
                wrong += si->checkMotion(states[i], states[i + 1]) != bool(expected[i]);
                wrong += si->checkMotion(states[i], states[i + 1], pair) != bool(expected[i]);
            }
            space->freeState(last);
        });
    for (std::thread &thread : threads) thread.join();
    REQUIRE(wrong == 0);
    REQUIRE(validator->freeCount() + validator->hitCount() + validator->undecidedCount() ==
            MOTIONS * (1 + 2 * THREADS));
    REQUIRE(validator->getCheckedMotionCount() == 0); // OMPL's own counters are nobody's
    si->freeStates(states);
}

int main() {
    ompl::RNG::setSeed(11);
    Heron heron;
    threads_get_the_verdicts_of_one(heron);
    std::puts("threads: ok");
}
