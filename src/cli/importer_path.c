#include "cli/importer_path.h"

#include "cli/program_path.h"

void gz_importer_path_find(char *path, size_t size) {
    gz_program_path_find("graze-import", path, size);
}
