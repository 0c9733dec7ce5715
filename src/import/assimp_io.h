/// assimp's view of the file system: files in memory, and nothing else.
#ifndef GZ_IMPORT_ASSIMP_IO_H
#define GZ_IMPORT_ASSIMP_IO_H

#include <assimp/cfileio.h>

#include "import/assimp_scene.h"

typedef struct gz_assimp_io {
    struct aiFileIO io; ///< pass this to assimp; keep the whole struct in place meanwhile
    const gz_memory_file *files;
    size_t file_count;
    bool out_of_memory; ///< a file could not be opened for lack of memory
} gz_assimp_io;

void gz_assimp_io_init(gz_assimp_io *io, const gz_memory_file *files, size_t file_count);

#endif
