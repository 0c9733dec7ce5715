/// Meshes through assimp, in a helper process that confines it: nothing worse than an error when
/// assimp breaks.
#ifndef GZ_LOAD_IMPORTER_IMPORTER_H
#define GZ_LOAD_IMPORTER_IMPORTER_H

#include "load/mesh/mesh_reader.h"

/// Reads a mesh by the importer of the options and warns "read-by-assimp". Trusts nothing that the
/// importer answers: every count is held against the budget before memory is taken for it, every
/// index and coordinate against its range.
/// @param ending of the file, without the dot
/// @return GRAZE_ERROR_UNSUPPORTED without an importer; what the importer finds in the file;
///         GRAZE_ERROR_PARSE when the importer was killed by a signal, _LIMIT when it hit a limit
///         of memory or time, _NOT_FOUND when it is not there, _IO when it breaks the rules of the
///         exchange
graze_status gz_importer_read(gz_mesh_reader *r, const char *ending);

// ------------------------------------------------------------------------- for the importer itself

/// What graze and its importer send each other over a socket: one request, one reply. Both ends run
/// on one machine and come from one build, which the first fields of each message verify.
enum {
    GZ_IMPORT_REQUEST = 0x71657267,    ///< "greq"
    GZ_IMPORT_REPLY = 0x70657267,      ///< "grep"
    GZ_IMPORT_VERSION_SIZE = 16,       ///< of GRAZE_VERSION, filled up with zeros
    GZ_IMPORT_ENDING_SIZE = 16,        ///< of a file's ending, filled up with zeros
    GZ_IMPORT_OVERHEAD = 256 * 1048576 ///< address space of an importer that reads nothing: its
                                       ///< libraries (70 MB mapped), stack and allocator
};

/// Followed by `size` bytes of the file.
typedef struct gz_import_request {
    uint32_t magic;     ///< GZ_IMPORT_REQUEST
    uint32_t self_size; ///< sizeof this struct
    char version[GZ_IMPORT_VERSION_SIZE];
    char ending[GZ_IMPORT_ENDING_SIZE]; ///< decides the format
    uint64_t size;
    uint64_t address_space; ///< bytes, RLIMIT_AS
    uint32_t cpu_seconds;   ///< RLIMIT_CPU
    uint32_t unconfined;    ///< 1: without the filter of system calls
    uint32_t unused;
    uint32_t collada;    ///< a graze_collada
    double scale[3];     ///< of the URDF
    graze_limits limits; ///< for checks and for the texts of errors
    uint64_t triangles_left;
    uint64_t memory_left;
} gz_import_request;

/// What there is to warn of in a mesh that was read.
typedef struct gz_import_findings {
    uint64_t skipped;    ///< faces of one or two corners
    uint64_t fans;       ///< polygons that were cut as fans, whatever their shape
    uint64_t rest_poses; ///< meshes on a skeleton or with morph targets
} gz_import_findings;

/// Followed by the message, 3 doubles for each vertex, 3 uint32_t for each triangle.
typedef struct gz_import_reply {
    uint32_t magic;        ///< GZ_IMPORT_REPLY
    uint32_t status;       ///< a graze_status
    uint32_t message_size; ///< bytes without a closing zero: the error, or a note on what was read
    uint32_t unused;
    uint64_t vertex_count; ///< this and all below are 0 unless fine
    uint64_t triangle_count;
    gz_import_findings findings;
} gz_import_reply;

/// Makes a text that cites a file, or that a program which is no importer wrote, printable.
static inline void gz_import_plain(char *text) {
    for (; *text; text++)
        if (*text < ' ' || *text > '~') *text = '?';
}

#endif
