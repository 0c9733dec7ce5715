/// @file growth.h
/// How the cost of a check grows: axes of cases of growing size, the ways to answer them, and what
/// became of the measurement.
#ifndef GRAZE_BENCH_GROWTH_H
#define GRAZE_BENCH_GROWTH_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scene.h"

namespace growth {

struct Options {
    bool quick = false; ///< small sizes only
    std::string fetch, csv, only;
    size_t rows = 1000, repeat = 5;
    size_t spheres = 1000000; ///< up to how many points FCL gets as one sphere each

    static Options parse(int argc, char **argv);
};

/// What it takes to get ready.
struct Cost {
    double seconds = 0; ///< of this thread
    double bytes = 0;   ///< of the heap, kept afterwards
};

/// Measures from its construction to cost().
class Meter {
  public:
    Meter();
    Cost cost() const;

  private:
    double bytes_, seconds_;
};

/// One way to answer a case.
struct Way {
    std::string library, method;
    Cost build;
    /// Answers every configuration, in order.
    std::function<void(uint8_t *verdicts)> run;
    bool times_only = false; ///< gives no verdicts
    /// Whether it answers the very question that graze answers: then verdicts must agree.
    bool same_question = true;
    std::vector<uint8_t> verdicts;
    size_t different = 0;        ///< verdicts that are not graze's
    size_t unexplained = 0;      ///< of these, those that should be
    size_t passes = 1;           ///< runs per sample
    std::vector<double> samples; ///< microseconds per configuration, one per round

    std::string name() const { return library + ", " + method; }
    double median() const;
    double least() const;
    double most() const;
};

/// One size on an axis: a robot, what is around it, and the configurations.
struct Case {
    size_t size = 0;
    std::shared_ptr<scene::Robot> robot;
    std::shared_ptr<scene::World> world; ///< NULL: the robot alone
    std::vector<double> points;          ///< x y z each, where the world holds points
    double radius = 0, cell = 0;         ///< of the points; edge of FCL's octree cells
    scene::Configurations configs;
    Cost loaded;     ///< graze's robot or world
    size_t hits = 0; ///< configurations in collision
    std::vector<Way> ways;
};

struct Axis {
    std::string name, title, unit;
    /// From this size on the verdicts of all sizes are the same by construction; 0: they need not.
    size_t steady = 0;
    std::vector<Case> cases;
};

// ------------------------------------------------------------------------- what is checked

/// A bumpy ground with a hollow around the origin, 968 * 4^level triangles: every level is the same
/// set of points, to the last bit.
scene::Triangles ground(unsigned level);
/// The height of a ground without end at a place.
double ground_height(double x, double y);
/// The first `count` of a sequence of boxes that surround the origin, of equal density everywhere,
/// nearest first.
std::vector<scene::Body> boxes(size_t count);
/// `count` points of the endless ground, nearest to the origin first, all with `spacing` to their
/// neighbours or so.
std::vector<double> ground_points(size_t count, double spacing);

/// A world of these objects (boxes or meshes); `cost` is what it costs graze.
std::shared_ptr<scene::World> make_world(const char *name, std::vector<scene::Body> objects,
                                         Cost &cost);
std::shared_ptr<scene::World> make_points(const char *name, const std::vector<double> &points,
                                          double radius, Cost &cost);

/// The robot of the run: heron, or Fetch. `level`: every triangle of its collision meshes is cut
/// into 4^level. `self`: whether links are checked against links. `cost` is that of graze's load,
/// from files.
std::shared_ptr<scene::Robot> make_robot(const Options &options, unsigned level, bool self,
                                         Cost &cost);

/// A chain of `links` equal links in a plane.
std::shared_ptr<scene::Robot> make_chain(size_t links, Cost &cost);
/// Configurations of a chain that bends smoothly: the same curves for every number of links.
scene::Configurations chain_configurations(const scene::Robot &chain, size_t count, uint64_t seed);

/// scene, robot, pairs, objects, points, density.
const std::vector<std::string> &axis_names();
Axis make_axis(const std::string &name, const Options &options);

// --------------------------------------------------------------------------- who checks it

/// FCL: BVHModel<OBBRSS> or native boxes in DynamicAABBTreeCollisionManagers.
void add_manager(Case &c);
/// FCL: an octree of the cells that hold a point, against the robot's manager or its links.
void add_octree(Case &c);
/// FCL: one sphere per point in a DynamicAABBTreeCollisionManager.
void add_spheres(Case &c);
void add_ways(Case &c, const Options &options);

// ------------------------------------------------------------------------- what came of it

/// Compares verdicts, then measures all ways of all sizes in turn, round by round.
void measure(Axis &axis, const Options &options);

/// How a way's time grows with the size, as the exponent of the size, by least squares on
/// logarithms over the sizes within the last two decades: of every round, its median, least, most.
struct Exponent {
    double median = 0, least = 0, most = 0;
    double logarithm = 0; ///< what log(size) itself would give over the same sizes
    double from = 0, to = 0;
};
/// False where there are fewer than two sizes.
bool exponent(const Axis &axis, const std::string &way, double decades, Exponent &out);

/// Prints the table of an axis; returns whether the verdicts are as they should be.
bool report(const Axis &axis);
void write_csv_header(std::FILE *csv);
void write_csv(std::FILE *csv, const Axis &axis);

} // namespace growth

#endif
