#include "import/in_process.h"

#include "import/assimp_scene.h"

const struct graze_importer gz_importer_in_process = {.read = gz_assimp_read};
