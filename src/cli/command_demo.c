// graze demo: the tour that examples/demo.sh takes with this program and the robot that ships.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/argument.h"
#include "cli/message.h"
#include "cli/program_path.h"

static int make_folder(const char *folder) {
    struct stat file;
    if (mkdir(folder, 0777) == 0) return GZ_EXIT_FINE;
    if (errno == EEXIST && stat(folder, &file) == 0 && S_ISDIR(file.st_mode)) return GZ_EXIT_FINE;
    gz_message("%s: cannot be made: %s", folder, strerror(errno));
    return GZ_EXIT_INPUT;
}

/// Becomes the script; returns only where that fails.
static int run_script(const char *folder) {
    char share[GRAZE_PATH_SIZE], program[GRAZE_PATH_SIZE], script[GRAZE_PATH_SIZE + 32];
    GZ_TRY_EXIT(gz_share_find(share, sizeof share));
    GZ_TRY_EXIT(make_folder(folder));
    gz_program_path(program, 0);
    snprintf(script, sizeof script, "%s/examples/demo.sh", share);
    if (setenv("GRAZE", program, 1) != 0 || setenv("GRAZE_SHARE", share, 1) != 0)
        return gz_message_no_memory();
    if (access(script, R_OK) == 0) execlp("sh", "sh", script, folder, (char *)NULL);
    gz_message("%s cannot be run: %s", script, strerror(errno));
    return GZ_EXIT_INPUT;
}

static const gz_command_line command_line = {
    .command = "demo",
    .synopsis = "demo [options]",
    .about =
        "A tour in a few seconds: loads heron, the mobile manipulator that ships, and a shelf;\n"
        "checks a free and a colliding configuration, then 10,000 random ones; plans a motion; and\n"
        "writes two pictures and the 10,000 configurations. Every step shows its command.",
    .examples = "  graze demo --output /tmp\n",
};

int gz_command_demo(int argc, char **argv) {
    const char *folder = ".";
    gz_option table[] = {
        {"output", "DIR", .letter = 'o', .text = &folder,
         .help = "folder for the files (default: the current one)"},
    };
    gz_option_section sections[] = {GZ_SECTION("options", table)};
    int status = gz_command_line_parse(&command_line, NULL, sections, GZ_COUNT(sections), argc,
                                       argv);
    return status == GZ_GO_ON ? run_script(folder) : status;
}
