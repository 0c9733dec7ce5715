/// Meshes through assimp, which sees nothing but the bytes of one file in memory, and the
/// confinement of the process in which it reads them.
#ifndef GZ_IMPORT_IMPORT_H
#define GZ_IMPORT_IMPORT_H

#include <assimp/cfileio.h>

#include "load/importer/importer.h"

/// Appends every instance of every mesh that assimp finds in the reader's bytes, node transforms
/// applied in double. One call at a time in a process: assimp keeps the text of its last error and
/// its log streams in globals without a lock. `graze-import` has one thread.
/// @param ending of the file, without the dot; below GZ_IMPORT_ENDING_SIZE bytes
/// @param note   [out] which reader of assimp read it, and what that reader warned of
graze_status gz_assimp_read(gz_mesh_reader *r, const char *ending, gz_import_findings *findings,
                            char note[GRAZE_MESSAGE_SIZE]);

/// assimp's view of the file system: one file.
typedef struct gz_assimp_io {
    struct aiFileIO io; ///< pass this to assimp; keep the whole struct in place meanwhile
    const char *name, *bytes;
    size_t size;
    bool out_of_memory; ///< the file could not be opened for lack of memory
    char other[64];     ///< the first other mesh file that was asked for, in vain; "" for none
} gz_assimp_io;

void gz_assimp_io_init(gz_assimp_io *io, const char *name, const char *bytes, size_t size);

// ---------------------------------------------------------------------------------- confinement

/// Lets go of what was inherited: every descriptor above 2, the environment; dies with its parent,
/// dumps no memory, shows it to no debugger.
graze_status gz_confinement_detach(graze_error *error);

/// Limits from which there is no way back: bytes of address space, seconds of processor time, no
/// new descriptor, no byte into a file, no new process, no core.
graze_status gz_confinement_limit(uint64_t address_space, uint32_t cpu_seconds, graze_error *error);

/// From here on the system answers only what computing on descriptors 0 and 1 needs: reading,
/// writing, memory that is not executable, the clock, the end. Anything else kills the process
/// with SIGSYS. x86-64 and aarch64.
/// @return GRAZE_ERROR_UNSUPPORTED where the kernel or the processor has no such filter
graze_status gz_confinement_filter_calls(graze_error *error);

/// All of these, the last one unless the request says `unconfined`.
graze_status gz_confine(const gz_import_request *request, graze_error *error);

#endif
