/// assimp in this process, for graze_load_options.importer_in_process.
#ifndef GZ_IMPORT_IN_PROCESS_H
#define GZ_IMPORT_IN_PROCESS_H

#include "graze/robot.h"

extern const struct graze_importer gz_importer_in_process;

#endif
