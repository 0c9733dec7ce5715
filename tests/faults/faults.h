/// Scenarios that meet every fault: what runs, what can go wrong while it does, and what was seen.
#ifndef GRAZE_TESTS_FAULTS_H
#define GRAZE_TESTS_FAULTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---------------------------------------------------------------------------------------- faults

typedef enum fault_kind {
    FAULT_NONE,
    FAULT_ALLOCATION,        ///< allocation `at` (1 = the first) fails
    FAULT_ALLOCATIONS,       ///< allocation `at` and all behind it fail
    FAULT_SHORT_READS,       ///< each read returns a byte or a few; `at` is the seed
    FAULT_INTERRUPTED_READ,  ///< read `at` returns EINTR without a byte
    FAULT_READ_ERROR,        ///< EIO, once, behind `at` bytes read in all
    FAULT_EARLY_END,         ///< the end of a file, once, behind `at` bytes read in all
    FAULT_UNREADABLE,        ///< opening file `at` to read fails: EACCES
    FAULT_UNWRITABLE,        ///< making or renaming file `at` fails: EACCES
    FAULT_FULL_DISK,         ///< no file can grow beyond `at` bytes
    FAULT_THREAD,            ///< thread `at` and all behind it cannot be started: EAGAIN
    FAULT_SIGNAL_ALLOCATION, ///< SIGINT at allocation `at`
    FAULT_SIGNAL_READ,       ///< SIGINT at read `at`, which returns EINTR
    FAULT_SIGNAL_TIME,       ///< SIGINT after `at` microseconds of processor time
    FAULT_KINDS
} fault_kind;

typedef struct fault_plan {
    fault_kind kind;
    long at;
} fault_plan;

/// What a run did that can fail. In memory that a run's process shares with the driver.
typedef struct fault_counts {
    atomic_long allocations, reads, bytes, opens, outputs, threads;
} fault_counts;

/// Arms the plan in this process, for good; what happens is counted.
void fault_arm(const fault_plan *plan, fault_counts *counts);

// ------------------------------------------------------------------------------------- scenarios

enum {
    FAULT_STREAM = 1, ///< reads rows or text without an end of their own: an early end is no fault
    FAULT_REPORT = 4, ///< lint: a file that cannot be read is what it is there to report
    FAULT_FALLBACK = 8, ///< a package that cannot be read is looked for elsewhere
};

typedef struct fault_scenario {
    const char *name;
    const char *command; ///< words at blanks; the first is "graze" or "library"
    const char *input;   ///< standard input: a file of the folder `in`; NULL: none
    int status;          ///< the exit status without a fault
    unsigned flags;
} fault_scenario;

extern const fault_scenario fault_scenarios[];
extern const size_t fault_scenario_count;

/// Calls the library as the words say, prints what it finds; an exit status as the command's.
int fault_library_run(int argc, char **argv);
/// The command's main().
int fault_command_main(int argc, char **argv);

// ------------------------------------------------------------------------------------------ runs

typedef struct fault_bytes {
    char *data; ///< NUL-terminated
    size_t size;
} fault_bytes;

enum { FAULT_FILES = 12 };

typedef struct fault_file {
    char name[128];
    fault_bytes content;
} fault_file;

/// What a run left behind.
typedef struct fault_run {
    int status; ///< exit status; 256 + N: ended by signal N
    fault_bytes out, err;
    fault_file files[FAULT_FILES]; ///< of the folder `run`
    size_t file_count;
    long microseconds; ///< of processor time
    fault_counts *counts;
} fault_run;

/// Exit statuses of a run's process that are none of the command's.
enum { FAULT_EXIT_BROKEN = 97, FAULT_EXIT_LEAK = 98, FAULT_EXIT_SANITIZER = 99 };

/// Runs a scenario in a process of its own, in the emptied folder `run` of `folder`. `before`: each
/// of its files exists already and holds FAULT_OLD_CONTENT; NULL: none does.
void fault_run_scenario(fault_run *run, const fault_scenario *scenario, const fault_plan *plan,
                        const char *folder, const fault_run *before);
void fault_run_clear(fault_run *run);

#define FAULT_OLD_CONTENT "what was here before\n"

#endif
