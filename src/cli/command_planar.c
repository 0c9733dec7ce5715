// graze planar: the same questions in the plane.
#include <stdio.h>
#include <string.h>

#include "cli/argument.h"
#include "cli/message.h"
#include "cli/planar/planar_input.h"

typedef struct planar_command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;
} planar_command;

static const planar_command commands[] = {
    {"distance", gz_planar_distance, "signed distance of two shapes, with the nearest points"},
    {"approach", gz_planar_approach, "when and how near two moving shapes come to each other"},
    {"obstacle", gz_planar_obstacle, "the velocities with which two shapes touch, and the way out"},
    {"constraint", gz_planar_constraint,
     "a segment against a disk and its circle, exact and smooth"},
    {"scene", gz_planar_scene, "a scene of convex polygons: make, store, draw, which pairs meet"},
    {"cspace", gz_planar_cspace, "configuration space of a polygon or an arm; a path to drive"},
    {"bench", gz_planar_bench, "three methods to compare polygons, timed on eight scenes"},
};
#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static const char *command_name(const void *user, size_t i) {
    (void)user;
    return commands[i].name;
}

static void print_help(FILE *stream) {
    fprintf(stream, "usage: graze planar COMMAND ...\n\nThe same questions in the plane.\n\n"
                    "commands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(stream, "  %-10s  %s\n", commands[i].name, commands[i].what);
    }
    fprintf(stream, "\n  graze planar COMMAND --help    a command's options\n");
}

int gz_command_planar(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return GZ_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return GZ_EXIT_FINE;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, argv[1]) == 0) return commands[i].run(argc - 1, argv + 1);
    }
    const char *near = gz_spelling_nearest(argv[1], command_name, COMMAND_COUNT, NULL);
    const char *what = argv[1][0] == '-' ? "option" : "command";
    if (near == NULL) return gz_message_usage("planar", "unknown %s '%s'", what, argv[1]);
    return gz_message_usage("planar", "unknown %s '%s'; did you mean '%s'?", what, argv[1], near);
}
