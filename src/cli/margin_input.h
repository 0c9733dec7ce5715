/// --margin: how far apart everything must be, and how far one pair or all pairs of one name.
#ifndef GZ_CLI_MARGIN_INPUT_H
#define GZ_CLI_MARGIN_INPUT_H

#include "cli/argument.h"
#include "graze/graze.h"

typedef struct gz_margin_input {
    double all; ///< NAN where the option names none
    graze_pair_margin *items;
    size_t count;
    char *names; ///< what the items point into
} gz_margin_input;

/// Reads the values of --margin: M once at most, A=M and A,B=M as often as wanted (the last '='
/// counts). Returns an exit status; the message is printed. Free with gz_margin_input_free() in any
/// case.
int gz_margin_input_read(gz_margin_input *input, const gz_texts *texts, const char *command);
void gz_margin_input_free(gz_margin_input *input);

#endif
