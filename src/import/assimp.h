/// Meshes through assimp, which sees nothing but the bytes of one file in memory.
#ifndef GZ_IMPORT_ASSIMP_H
#define GZ_IMPORT_ASSIMP_H

#include <assimp/cfileio.h>

#include "load/importer/import_message.h"

/// assimp in this process, for graze_load_options.importer_in_process.
extern const struct graze_importer gz_importer_in_process;

/// assimp's view of the file system: one file.
typedef struct gz_assimp_io {
    struct aiFileIO io; ///< pass this to assimp; keep the whole struct in place meanwhile
    const char *name, *bytes;
    size_t size;
    bool out_of_memory; ///< the file could not be opened for lack of memory
    char other[64];     ///< the first other mesh file that was asked for, in vain; "" for none
} gz_assimp_io;

void gz_assimp_io_init(gz_assimp_io *io, const char *name, const char *bytes, size_t size);

#endif
