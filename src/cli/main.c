#include <stdio.h>

#include "cli/argument.h"
#include "cli/message.h"
#include "cli/output.h"

int main(int argc, char **argv) {
    if (!gz_output_hold_standard()) return GZ_EXIT_INPUT;
    int status = gz_command_run(argc > 1 ? argc - 1 : 0, argv + 1);
    // Whatever was printed must have arrived: a full disk is no success. After a failure there is
    // nothing left to tell.
    int printed = status <= GZ_EXIT_FINDING ? gz_output_close_stdout() : GZ_EXIT_FINE;
    return printed != GZ_EXIT_FINE ? printed : status;
}
