/// What graze and its importer say to each other over a socket: one request, one reply. Both ends
/// run on one machine and come from one build, which the first fields of each message verify.
#ifndef GZ_LOAD_IMPORT_MESSAGE_H
#define GZ_LOAD_IMPORT_MESSAGE_H

#include <stdint.h>

#include "graze/robot.h"

enum {
    GZ_IMPORT_REQUEST = 0x71657267,    ///< "greq"
    GZ_IMPORT_REPLY = 0x70657267,      ///< "grep"
    GZ_IMPORT_VERSION_SIZE = 16,       ///< of GRAZE_VERSION, filled up with zeros
    GZ_IMPORT_OVERHEAD = 256 * 1048576 ///< address space of an importer that reads nothing: its
                                       ///< libraries (70 MB mapped), stack and allocator
};

/// Followed by `size` bytes of Collada.
typedef struct gz_import_request {
    uint32_t magic;     ///< GZ_IMPORT_REQUEST
    uint32_t self_size; ///< sizeof this struct
    char version[GZ_IMPORT_VERSION_SIZE];
    uint64_t size;
    uint64_t address_space; ///< bytes, RLIMIT_AS
    uint32_t cpu_seconds;   ///< RLIMIT_CPU
    uint32_t replace_root;  ///< these three as in gz_import_job
    double root_scale;
    uint32_t up;
    uint32_t unused;
    double scale[3];     ///< of the URDF
    graze_limits limits; ///< for checks and for the texts of errors
    uint64_t triangles_left;
    uint64_t memory_left;
} gz_import_request;

/// Followed by the message, 3 doubles for each vertex, 3 uint32_t for each triangle.
typedef struct gz_import_reply {
    uint32_t magic;        ///< GZ_IMPORT_REPLY
    uint32_t status;       ///< a graze_status
    uint32_t message_size; ///< bytes of the error's message, without a closing zero; 0 when fine
    uint32_t unused;
    uint64_t vertex_count; ///< this and the count below are 0 unless fine
    uint64_t triangle_count;
} gz_import_reply;

#endif
