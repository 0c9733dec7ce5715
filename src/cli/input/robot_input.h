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
    int collada, use_visual, reader;
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
    graze_checker *checker; ///< after gz_robot_input_prepare()
} gz_robot_input;

/// The options that write into it, by sections of the help.
typedef struct gz_robot_options {
    gz_option of_rules[7], of_world[1], of_attached[2], of_robot[6], of_limits[7];
    gz_option_section rules, world, attached, robot, limits; ///< these, for a command's help
} gz_robot_options;

/// The defaults, for the command of that name.
gz_robot_input gz_robot_input_default(const char *command);

/// Fills in the options that write into `input`; both stay where they are while they are in use.
void gz_robot_input_options(gz_robot_input *input, gz_robot_options *options);

/// Load the robot ("-": URDF from standard input; a compiled file) and the world; each prints its
/// warnings and errors and returns an exit status.
int gz_robot_input_load(gz_robot_input *input, const char *path, graze_visuals visuals);
int gz_robot_input_load_world(gz_robot_input *input);

/// Loads all three for a command, and attaches what --attach names in between. Objects are attached
/// at the configuration of --attach-at, else, where the command `is_one` of one configuration, at
/// that: -q (NULL: not given); where joints and base stay otherwise is `posture`.
int gz_robot_input_prepare(gz_robot_input *input, const char *path, graze_visuals visuals,
                           const gz_posture_options *posture, const char *q, bool is_one);

/// Reads a mesh file as a world of one object, by the profile `ros`; nothing is printed.
/// @param world [out] free with graze_world_free() in any case
graze_status gz_robot_input_read_mesh(const gz_robot_input *input, const char *path,
                                      graze_mesh_reader reader, graze_world **world,
                                      graze_error *error);

/// Whether --domain is one; prints what is wrong and returns an exit status.
int gz_robot_input_check_domain(const gz_robot_input *input);

/// Runs the linter on the file ("-": standard input) with the options of loading filled in; prints
/// what kept it from running and returns an exit status.
int gz_robot_input_lint(gz_robot_input *input, const char *path, graze_lint_options *lint,
                        graze_lint_report **report);

/// Frees everything, in order.
void gz_robot_input_free(gz_robot_input *input);

/// What the options of a checker point into.
typedef struct gz_checker_rules {
    graze_name_policy *policies;
    graze_pair_margin *margins;
    graze_allowed_pair *allowed;
    char *names;
} gz_checker_rules;

/// Reads --policy, --margin and --allow into the options: POLICY and M for everything once at most,
/// NAME=POLICY, A=M, A,B=M (the last '=' counts) and A,B as often as wanted. Where there is no M,
/// the margin is NAN. Returns an exit status; the message is printed. Free in any case.
int gz_checker_rules_read(gz_checker_rules *rules, const gz_robot_input *input,
                          graze_checker_options *options);
void gz_checker_rules_free(gz_checker_rules *rules);

/// Moves every object of --attach from input->world to input->robot, both loaded; see
/// gz_robot_input_prepare(). Prints what is wrong and returns an exit status.
int gz_attach_input_apply(gz_robot_input *input, const gz_posture_options *posture, const char *q,
                          bool is_one);

#endif
