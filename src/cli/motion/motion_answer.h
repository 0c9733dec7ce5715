/// What became of a motion, as text and JSON, for the commands that prove motions.
#ifndef GZ_CLI_MOTION_MOTION_ANSWER_H
#define GZ_CLI_MOTION_MOTION_ANSWER_H

#include <stdio.h>

#include "cli/argument.h"
#include "cli/json.h"
#include "graze/graze.h"

/// What a report says of one way, or of a trajectory.
typedef struct gz_motion_answer {
    const graze_checker *checker;
    graze_motion_verdict verdict;
    double earliest, latest;
    const char *unit; ///< behind these two in text: " s", or ""
    const graze_contact *contact;
    bool any;   ///< the contact is a pair without a place
    bool spent; ///< the budget ran out
} gz_motion_answer;

/// "free", or "collision in [a, b]: LINK hits OTHER ...", a line.
void gz_motion_answer_text(const gz_motion_answer *answer, FILE *stream);
/// `verdict`, before anything else of an answer.
void gz_motion_answer_verdict(const gz_motion_answer *answer, gz_json *json);
/// `earliest`, `latest`, `link`, `other`, `point`, `spent`.
void gz_motion_answer_json(const gz_motion_answer *answer, gz_json *json);

/// The options of how motions are checked: --any, --width, --resolution, --budget. `help` of
/// --width and --budget are what the widths and budgets are of.
#define GZ_OPTIONS_MOTION(options, any_flag, of_width, of_budget)                                  \
    {"any", NULL, .flag = (any_flag),                                                              \
     .help = "any collision instead of the first; faster where\nthere is one"},                    \
        {"width", "T", .number = &(options)->width,                                                \
         .help = of_width ", between which the first collision begins\n(default 0.001)"},          \
        {"resolution", "D", .number = &(options)->resolution,                                      \
         .help = "metres of motion that are not split (default 1e-6)"},                            \
    {                                                                                              \
        "budget", "N",                                                                             \
            .count = &(options)->budget,                                                           \
            .help = "most tests of a pair for each " of_budget " (default 20000;\n0: no limit)"    \
    }

#endif
