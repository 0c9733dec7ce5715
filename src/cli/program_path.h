/// Where the programs are that belong to the command: graze-import, graze-bench-peers.
#ifndef GZ_CLI_PROGRAM_PATH_H
#define GZ_CLI_PROGRAM_PATH_H

#include <stdbool.h>
#include <stddef.h>

/// Finds a program: beside the command (a build folder), in bench/ there, in ../libexec/graze
/// beside the command's folder (an installation, wherever it was moved to), or where it was built
/// to be installed. Where it is in none of them the path is that last one, and the answer false.
bool gz_program_path_find(const char *name, char *path, size_t size);

#endif
