// graze demo: a tour on the robot and world that ship.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/argument.h"
#include "cli/demo_tour.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/program_path.h"

static const char about[] =
    "A tour in a few seconds: loads heron, the mobile manipulator that ships, and a shelf;\n"
    "checks a free and a colliding configuration, then 10,000 random ones; plans a motion; and\n"
    "writes two pictures and the 10,000 configurations. Every step shows its command.";

/// Whether PATH leads to this very file.
static bool on_path(const struct stat *self) {
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        char candidate[GRAZE_PATH_SIZE];
        struct stat file;
        snprintf(candidate, sizeof candidate, "%.*s/graze", (int)length, path);
        if (stat(candidate, &file) == 0) {
            return file.st_dev == self->st_dev && file.st_ino == self->st_ino;
        }
        path += length;
        if (*path == ':') path++;
    }
    return false;
}

/// How the commands shown can be typed: "graze" where the shell finds it, else its path.
static void find_program(char *program, size_t size) {
    struct stat self;
    char folder[GRAZE_PATH_SIZE];
    snprintf(program, size, "graze");
    ssize_t length = readlink("/proc/self/exe", program, size - 1);
    if (length <= 0 || stat("/proc/self/exe", &self) != 0) {
        snprintf(program, size, "graze");
        return;
    }
    program[length] = '\0';
    if (on_path(&self)) {
        snprintf(program, size, "graze");
    } else if (getcwd(folder, sizeof folder) != NULL) {
        // Below the current folder the short form reads better.
        size_t n = strlen(folder);
        if (strncmp(program, folder, n) == 0 && program[n] == '/') {
            memmove(program + 1, program + n, strlen(program + n) + 1);
            program[0] = '.';
        }
    }
}

static int make_folder(const char *folder) {
    struct stat file;
    if (mkdir(folder, 0777) == 0) return GZ_EXIT_FINE;
    if (errno == EEXIST && stat(folder, &file) == 0 && S_ISDIR(file.st_mode)) return GZ_EXIT_FINE;
    gz_message("%s: cannot be made: %s", folder, strerror(errno));
    return GZ_EXIT_INPUT;
}

static int run_demo(gz_demo *demo) {
    int status = gz_share_find(demo->share, sizeof demo->share);
    if (status == GZ_EXIT_FINE) status = make_folder(demo->output);
    if (status != GZ_EXIT_FINE) return status;
    find_program(demo->program, sizeof demo->program);
    bool colors = gz_output_colors(stdout);
    demo->bold = colors ? "\033[1m" : "";
    demo->dim = colors ? "\033[2m" : "";
    demo->off = colors ? "\033[0m" : "";
    printf("%sgraze %s%s: which link touches what, on the real meshes\n", demo->bold,
           graze_version(), demo->off);
    static int (*const steps[])(gz_demo * demo) = {gz_demo_robot, gz_demo_verdicts, gz_demo_batch,
                                                   gz_demo_path};
    for (size_t i = 0; status == GZ_EXIT_FINE && i < sizeof steps / sizeof *steps; i++) {
        status = steps[i](demo);
        fflush(stdout);
    }
    if (status == GZ_EXIT_FINE) {
        gz_demo_heading(demo, "Your own robot");
        gz_demo_command(demo, "%s info your.urdf", demo->program);
        gz_demo_command(demo, "%s check your.urdf -q \"joint=0.5,other=1\" --all", demo->program);
    }
    return status;
}

int gz_command_demo(int argc, char **argv) {
    gz_demo demo = {.input = gz_robot_input_default("demo"), .output = "."};
    demo.input.quiet = true;
    gz_option table[] = {
        gz_option_lettered('o', gz_option_text("output", &demo.output, "DIR",
                                               "folder for the files (default: the current one)")),
    };
    gz_option_section sections[] = {{"options", table, sizeof table / sizeof *table}};
    gz_command_line line = {.command = "demo",
                            .synopsis = "demo [options]",
                            .about = about,
                            .examples = "  graze demo --output /tmp\n",
                            .sections = sections,
                            .section_count = 1};
    int status = gz_command_line_parse(&line, argc, argv);
    if (status == GZ_GO_ON) status = run_demo(&demo);
    gz_posture_free(&demo.lower);
    gz_posture_free(&demo.reach);
    gz_posture_free(&demo.tuck);
    gz_robot_input_free(&demo.input);
    return status;
}
