/// Where the command's own files are: programs (graze-import, graze-bench-peers), and the robots
/// and worlds that ship.
#ifndef GZ_CLI_PROGRAM_PATH_H
#define GZ_CLI_PROGRAM_PATH_H

#include <stdbool.h>
#include <stddef.h>

/// Finds a program: beside the command (a build folder), in bench/ there, in ../libexec/graze
/// beside the command's folder (an installation, wherever it was moved to), or where it was built
/// to be installed. Where it is in none of them the path is that last one, and the answer false.
bool gz_program_path_find(const char *name, char *path, size_t size);

/// Finds the folder that holds urdf/ and worlds/: GRAZE_SHARE, the one beside the program, the one
/// of the place it was built for, then that of the sources. Returns an exit status; the message is
/// printed.
int gz_share_find(char *folder, size_t size);

#endif
