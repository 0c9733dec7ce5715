/// The options that every command shares: where the robot, its packages and its world come from,
/// how much they may take, and by which rules they are checked.
#ifndef GZ_CLI_INPUT_ROBOT_INPUT_H
#define GZ_CLI_INPUT_ROBOT_INPUT_H

#include "cli/argument.h"
#include "cli/input/configuration.h"
#include "graze/graze.h"

/// Which options of a robot_input a command has, besides those of robot, limits and messages.
typedef enum gz_shared_options {
    GZ_SHARED_ROBOT,
    GZ_SHARED_WORLD,  ///< also --world
    GZ_SHARED_CHECKER ///< also the rules, attached bodies, and where joints and base stay
} gz_shared_options;

enum { GZ_OUTPUTS = 8 }; ///< a command has fewer

typedef struct gz_robot_input {
    // Set by the command.
    const char *command; ///< for the hint after wrong usage
    gz_shared_options shared;
    bool own_joints;         ///< --joints is another option of the command
    bool no_posture;         ///< nothing is posed: without --joints, --rest, --state and --base
    const char *joints_help; ///< of --joints; NULL for the usual text
    bool srdf_replaced;      ///< an output may take the place of --srdf
    bool mesh_allowed;       ///< ROBOT may be a mesh file: a robot of one link
    bool own_strict;         ///< --strict is another option of the command
    bool least_margin;       ///< epsilon where neither --margin nor the SRDF says one

    bool warned;      ///< the robot's warnings are printed
    const char *path; ///< ROBOT
    const char *text; ///< its URDF, where path is "-" and it does not come by standard input; NULL
    size_t text_size;
    gz_posture_options posture;
    gz_texts packages, worlds, allowed, policies, margins, attached;
    const char *package_path, *srdf;
    const char *attach_at; ///< where what is attached is grasped
    int collada, use_visual, reader;
    int level;
    graze_limits limits;
    uint32_t import_seconds;
    double domain; ///< metres: where epsilon must hold
    bool no_self, no_world, no_visuals, no_sandbox, strict, verbose, quiet;
    const char *outputs[GZ_OUTPUTS]; ///< what the command line names to be written
    size_t output_count;
    void **kept; ///< memory of gz_robot_input_keep()
    size_t kept_count, kept_capacity;

    graze_compiled
        *compiled;      ///< after gz_robot_input_load(); NULL where ROBOT was no compiled file
    graze_robot *robot; ///< after gz_robot_input_load()
    graze_world *world; ///< after gz_robot_input_load_world(); NULL without --world, and without
                        ///< one in the compiled file
    graze_checker *checker; ///< after gz_robot_input_prepare()
} gz_robot_input;

/// The defaults, for the command of that name.
gz_robot_input gz_robot_input_default(const char *command);

/// gz_command_line_parse() with the command's own sections, at most 4, and the shared ones.
int gz_robot_input_parse(gz_robot_input *input, const gz_command_line *command,
                         const gz_option_section *own, size_t own_count, int argc, char **argv);

/// Zeroed memory that is freed with the input; NULL when out of memory.
void *gz_robot_input_keep(gz_robot_input *input, size_t count, size_t size);
/// A copy of the first `length` bytes of a text, likewise.
char *gz_robot_input_keep_text(gz_robot_input *input, const char *text, size_t length);

/// Load the robot ("-": URDF from standard input; a compiled file) and the world; each prints its
/// warnings and errors and returns an exit status; with --strict, warnings are errors. An output
/// that would take the place of a mesh that they name is wrong usage.
int gz_robot_input_load(gz_robot_input *input, graze_visuals visuals);
int gz_robot_input_load_world(gz_robot_input *input);

/// Loads all three for a command, and attaches what --attach names in between. Objects are attached
/// at the configuration of --attach-at, else, where the command `is_one` of one configuration, at
/// that: -q (NULL: not given).
int gz_robot_input_prepare(gz_robot_input *input, graze_visuals visuals, const char *q,
                           bool is_one);

/// After gz_robot_input_prepare(): another world, of the files of --world and `path`, and a checker
/// of it; `silent`: without its warnings, which were printed before. Nothing is attached to the
/// robot. Prints what is wrong and returns an exit status.
int gz_robot_input_change_world(gz_robot_input *input, const char *path, bool silent);

/// Loads the robot once more beside, with its visual meshes, and prints its warnings; NULL where it
/// comes by standard input or is compiled: then it is read once, by gz_robot_input_load().
/// @param robot [out] free with graze_robot_free()
int gz_robot_input_load_visuals(gz_robot_input *input, graze_robot **robot);

/// Reads a mesh file as a world of one object, by the profile `ros`; nothing is printed.
/// @param world [out] free with graze_world_free() in any case
graze_status gz_robot_input_read_mesh(const gz_robot_input *input, const char *path,
                                      graze_mesh_reader reader, graze_world **world,
                                      graze_error *error);

/// Reads planning problems of the robot, which is loaded; prints what is wrong and returns an exit
/// status.
/// @param problems [out] free with graze_problems_free()
int gz_robot_input_load_problems(gz_robot_input *input, const char *path,
                                 graze_problems **problems);

/// Whether --domain is one; prints what is wrong and returns an exit status.
int gz_robot_input_check_domain(const gz_robot_input *input);

/// Runs the linter on ROBOT ("-": standard input) with the options of loading filled in; prints
/// what kept it from running and returns an exit status.
int gz_robot_input_lint(gz_robot_input *input, const graze_lint_options *lint,
                        graze_lint_report **report);

/// Frees what was loaded, in order: it can be loaded anew.
void gz_robot_input_unload(gz_robot_input *input);
/// Frees everything.
void gz_robot_input_free(gz_robot_input *input);

/// Reads --policy, --margin and --allow into the options: POLICY and M for everything once at most,
/// NAME=POLICY, A=M, A,B=M (the last '=' counts) and A,B as often as wanted. Where there is no M,
/// the margin is NAN. Returns an exit status; the message is printed.
int gz_checker_rules_read(gz_robot_input *input, graze_checker_options *options);

/// Moves every object of --attach from input->world to input->robot, both loaded; see
/// gz_robot_input_prepare(). Prints what is wrong and returns an exit status.
int gz_attach_input_apply(gz_robot_input *input, const char *q, bool is_one);

#endif
