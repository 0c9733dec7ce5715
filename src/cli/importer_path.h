/// Where the program is that has assimp read Collada files a second time, confined.
#ifndef GZ_CLI_IMPORTER_PATH_H
#define GZ_CLI_IMPORTER_PATH_H

#include <stddef.h>

/// Finds graze-import: beside the command (a build folder), in ../libexec/graze beside the
/// command's folder (an installation, wherever it was moved to), or where it was built to be
/// installed. When it is nowhere, the path is that last one, and a load of Collada warns of it.
void gz_importer_path_find(char *path, size_t size);

#endif
