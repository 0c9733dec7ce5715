/// --policy: how everything counts, and how one link or object does.
#ifndef GZ_CLI_POLICY_INPUT_H
#define GZ_CLI_POLICY_INPUT_H

#include "cli/argument.h"
#include "graze/graze.h"

typedef struct gz_policy_input {
    graze_policy all; ///< solid where the option names no other
    graze_name_policy *items;
    size_t count;
    char *names; ///< what the items point into
} gz_policy_input;

/// Reads the values of --policy: POLICY once at most, NAME=POLICY as often as wanted (the last '='
/// counts). Returns an exit status; the message is printed. Free with gz_policy_input_free() in any
/// case.
int gz_policy_input_read(gz_policy_input *input, const gz_texts *texts, const char *command);
void gz_policy_input_free(gz_policy_input *input);

/// "solid", "surface" or "cap".
const char *gz_policy_name(graze_policy policy);

#endif
