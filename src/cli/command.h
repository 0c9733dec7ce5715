/// The commands: each reads its own command line and returns an exit status.
#ifndef GZ_CLI_COMMAND_H
#define GZ_CLI_COMMAND_H

/// argv[0] is the command's name.
int gz_command_bench(int argc, char **argv);
int gz_command_check(int argc, char **argv);
int gz_command_compile(int argc, char **argv);
int gz_command_cspace(int argc, char **argv);
int gz_command_demo(int argc, char **argv);
int gz_command_help(int argc, char **argv);
int gz_command_info(int argc, char **argv);
int gz_command_lint(int argc, char **argv);
int gz_command_plan(int argc, char **argv);
int gz_command_planar(int argc, char **argv);
int gz_command_srdf(int argc, char **argv);
int gz_command_verify(int argc, char **argv);

/// Runs the command of that name; a usage error when there is none.
int gz_command_run(int argc, char **argv);

#endif
