#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/argument.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"

static const gz_command commands[] = {
    {"demo", gz_command_demo, "a two-minute tour on the robot and world that ship"},
    {"info", gz_command_info, "what a robot is: links, joints, q, limits, triangles, pairs"},
    {"check", gz_command_check, "which link collides with what, for one configuration or many"},
    {"lint", gz_command_lint, "what is wrong or doubtful in a robot description"},
    {"srdf", gz_command_srdf, "which pairs of links can touch, with evidence, as SRDF"},
    {"distance", gz_command_distance, "how far the robot is from itself and its world, and where"},
    {"motion", gz_command_motion, "whether a whole way is free, with proof, or where it is not"},
    {"certify", gz_command_certify, "whether all of a timed trajectory is free, with proof"},
    {"plan", gz_command_plan, "a collision-free path between two configurations"},
    {"roadmap", gz_command_roadmap, "certified roadmaps: built, searched, updated"},
    {"ik", gz_command_ik, "collision-free configurations that put a link at a pose"},
    {"cspace", gz_command_cspace, "a collision map over two joints, on request certified"},
    {"planar", gz_command_planar, "the same questions in the plane: distance, scenes, maps"},
    {"view", gz_command_view, "the robot in a browser, served or as one page"},
    {"export", gz_command_export, "the posed robot and its world as glTF, what collides in red"},
    {"compile", gz_command_compile, "robot, meshes and world as one file, ready in a millisecond"},
    {"sweep", gz_command_sweep, "very many configurations, in shards that resume, for clusters"},
    {"verify", gz_command_verify, "the verdicts of a dump, decided anew in exact arithmetic"},
    {"bench", gz_command_bench, "the same work for graze, FCL, Bullet and ODE, timed in one run"},
    {"help", gz_command_help, "this text, or a command's"},
};

static const gz_command_list list = {
    .commands = commands,
    .count = GZ_COUNT(commands),
    .width = 8,
    .about = "usage: graze COMMAND ...\n\n"
             "Tells whether an articulated robot, in a given configuration, touches itself or its\n"
             "world, and which link touches what, on its real triangle meshes.\n",
    .notes = "\n  graze COMMAND --help    a command's options\n"
             "  graze --version         the version\n\n"
             "exit status: 0 fine, free, path found; 1 collision, no path; 2 wrong usage;\n"
             "3 an input could not be read or is invalid; 4 a limit of time, memory or size\n",
};

int gz_command_help(int argc, char **argv) {
    if (argc > 2) return gz_message_usage(NULL, "'%s' is not expected here", argv[2]);
    if (argc == 2 && argv[1][0] == '-' && strcmp(argv[1], "--help") != 0 &&
        strcmp(argv[1], "-h") != 0)
        return gz_message_usage(NULL, "unknown option '%s'", argv[1]);
    char option[] = "--help";
    char *arguments[] = {argc == 2 ? argv[1] : option, option, NULL};
    return gz_command_list_run(&list, 2, arguments);
}

static int run(int argc, char **argv) {
    if (argc == 0 || (strcmp(argv[0], "--version") != 0 && strcmp(argv[0], "-V") != 0))
        return gz_command_list_run(&list, argc, argv);
    printf("graze %s\n", graze_version());
    return GZ_EXIT_FINE;
}

/// Only in builds for fault tests: makes the allocation fail that GRAZE_FAIL_COMMAND_ALLOCATION
/// (1 = the first) names.
static void arm_faults(void) {
#ifdef GRAZE_FAULTS
    const char *number = getenv("GRAZE_FAIL_COMMAND_ALLOCATION");
    if (number != NULL) gz_memory_fail_after(strtol(number, NULL, 10), false);
#endif
}

int main(int argc, char **argv) {
    arm_faults();
    gz_interrupt_begin();
    if (!gz_output_hold_standard()) return GZ_EXIT_INPUT;
    int status = run(argc > 1 ? argc - 1 : 0, argv + 1);
    // Whatever was printed must have arrived: a full disk is no success. After a failure there is
    // nothing left to tell.
    int printed = status <= GZ_EXIT_FINDING ? gz_output_close_stdout() : GZ_EXIT_FINE;
    return printed != GZ_EXIT_FINE ? printed : status;
}
