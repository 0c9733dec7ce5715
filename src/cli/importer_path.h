/// Where the program is that imports Collada files confined.
#ifndef GZ_CLI_IMPORTER_PATH_H
#define GZ_CLI_IMPORTER_PATH_H

#include <stddef.h>

/// Finds graze-import: beside the command (a build folder), in ../libexec/graze beside the
/// command's folder (an installation, wherever it was moved to), or where it was built to be
/// installed. When it is nowhere, the path is that last one: the load that needs it fails with an
/// error that names it, and one that reads no Collada file does not care.
void gz_importer_path_find(char *path, size_t size);

#endif
