/// @file load_cost.h
/// Time and memory from files to ready, each measured in a process of its own.
#ifndef GRAZE_BENCH_LOAD_COST_H
#define GRAZE_BENCH_LOAD_COST_H

#include "options.h"
#include "table.h"

namespace bench {

/// Prints the table of load times. `arguments` are those of the command line.
void report_load_costs(const Options &options, Table &table, int argc, char **argv);

/// What a process started with --child does: loads, prints one line, and returns its exit status.
int run_child(const Options &options);

} // namespace bench

#endif
