/// The options that every command shares: where the robot, its packages and its world come from,
/// how much they may take, and by which rules they are checked.
#ifndef GZ_CLI_INPUT_ROBOT_INPUT_H
#define GZ_CLI_INPUT_ROBOT_INPUT_H

#include "cli/argument.h"
#include "cli/input/configuration.h"
#include "graze/graze.h"

typedef struct gz_robot_input {
    const char *command; ///< for the hint after wrong usage
    gz_texts packages, worlds, allowed, policies, margins, attached;
    const char *package_path, *srdf;
    const char *attach_at; ///< where what is attached is grasped
    int collada, use_visual;
    int level;
    uint64_t max_bytes, max_memory, max_depth, max_elements, max_triangles;
    double domain; ///< metres: where epsilon must hold
    bool no_self, no_world, no_sandbox, quiet;
    bool least_margin; ///< set by the command: epsilon where neither --margin nor the SRDF says one

    graze_compiled
        *compiled;      ///< after gz_robot_input_load(); NULL where ROBOT was no compiled file
    graze_robot *robot; ///< after gz_robot_input_load()
    graze_world *world; ///< after gz_robot_input_load_world(); NULL without --world, and without
                        ///< one in the compiled file
    graze_checker *checker; ///< after gz_robot_input_make_checker()
} gz_robot_input;

/// The options that write into it, by sections of the help.
typedef struct gz_robot_options {
    gz_option of_rules[7], of_world[1], of_attached[2], of_robot[5], of_limits[7];
    gz_option_section rules, world, attached, robot, limits; ///< these, for a command's help
} gz_robot_options;

/// The defaults, for the command of that name.
gz_robot_input gz_robot_input_default(const char *command);

/// Fills in the options that write into `input`; both stay where they are while they are in use.
void gz_robot_input_options(gz_robot_input *input, gz_robot_options *options);

/// Loads the robot ("-": URDF from standard input; a compiled file), the world and the checker;
/// each prints its warnings and errors and returns an exit status.
int gz_robot_input_load(gz_robot_input *input, const char *path, graze_visuals visuals);
int gz_robot_input_load_world(gz_robot_input *input);
int gz_robot_input_make_checker(gz_robot_input *input);

/// Whether --domain is one; prints what is wrong and returns an exit status.
int gz_robot_input_check_domain(const gz_robot_input *input);

/// Runs the linter on the file ("-": standard input) with the options of loading filled in; prints
/// what kept it from running and returns an exit status.
int gz_robot_input_lint(gz_robot_input *input, const char *path, graze_lint_options *lint,
                        graze_lint_report **report);

/// Frees everything, in order.
void gz_robot_input_free(gz_robot_input *input);

/// --policy: how everything counts, and how one link or object does.
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

/// --margin: how far apart everything must be, and how far one pair or all pairs of one name.
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

/// Moves every object of --attach from input->world to input->robot, both loaded, at the
/// configuration of --attach-at, else, where the command `is_one` of one configuration, at that: -q
/// (NULL: not given). Where joints and base stay otherwise is `posture`. Before the checker is
/// made. Prints what is wrong and returns an exit status.
int gz_attach_input_apply(gz_robot_input *input, const gz_posture_options *posture, const char *q,
                          bool is_one);

#endif
