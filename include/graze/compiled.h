/// @file compiled.h
/// Compiled files: a robot, a world or both as the engine holds them, in a file that is mapped
/// rather than parsed. Meshes, trees and strings are used where they lie; only small structures are
/// rebuilt. Verdicts are bit for bit those of the robot and world that were compiled.
///
/// A file is for the version of graze and the ABI that wrote it; any other refuses it, and it is
/// compiled anew. Its bytes depend on nothing but the robot, the world and the sources: compiling
/// twice gives the same file. The format, what is promised against damage and against malice, and
/// figures are in docs/compiled.md.
#ifndef GRAZE_COMPILED_H
#define GRAZE_COMPILED_H

#include "base.h"
#include "robot.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------ compiling

/// What a file that went into a compiled one is.
typedef enum graze_source_kind {
    GRAZE_SOURCE_URDF = 0,
    GRAZE_SOURCE_SRDF = 1,
    GRAZE_SOURCE_MESH = 2, ///< of a collision geometry, or of a visual one that was loaded
    GRAZE_SOURCE_WORLD = 3 ///< a world file, or a mesh or points file of one
} graze_source_kind;

/// Options of graze_compile(); make them with graze_compile_options_default().
typedef struct graze_compile_options {
    uint32_t struct_size;      ///< set by the default; do not change
    const char *srdf;          ///< the file that the robot was loaded with, or NULL
    const char *const *worlds; ///< the files that the world was made of; world_count of them
    size_t world_count;
} graze_compile_options;

/// Writes the defaults of graze_compile_options into a structure of `size` bytes, the caller's size
/// of it: what graze_compile_options_default() calls, so that programs compiled against a shorter
/// one stay right. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_compile_options_init(graze_compile_options *options, size_t size);

/// The default compile options: no SRDF, no world files. Any thread. Allocates nothing. Cost: O(1).
static inline graze_compile_options graze_compile_options_default(void) {
    graze_compile_options options;
    graze_compile_options_init(&options, sizeof options);
    return options;
}

/// Compiles a robot and a world into bytes, to be written to a file. The sources (the URDF, the
/// files of `options`, and every mesh) are read once more for their hashes; one that is not a file
/// (a URDF from memory) is listed without.
/// @param bytes   [out] the file's content, NULL on failure; free with graze_compiled_free()
/// @param size    [out] its length
/// @param robot   may be NULL; with world NULL too it is an error
/// @param world   committed; may be NULL
/// @param options NULL for the defaults
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, a world that is not committed),
///         GRAZE_ERROR_NO_MEMORY; GRAZE_ERROR_IO for a source that exists and cannot be read;
///         GRAZE_ERROR_PARSE where numbers are beyond what a compiled file may hold (2^40)
/// Any thread. Cost: linear in the bytes, of which it holds two copies for a while.
/// Allocates.
GRAZE_API graze_status graze_compile(unsigned char **bytes, size_t *size, const graze_robot *robot,
                                     const graze_world *world, const graze_compile_options *options,
                                     graze_error *error);

/// Frees what graze_compile() made; NULL is allowed. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_compiled_free(unsigned char *bytes);

// -------------------------------------------------------------------------------------- opening

/// An open compiled file. Robots and worlds made from it keep what they need of it when it is
/// closed.
typedef struct graze_compiled graze_compiled;

/// Whether bytes begin like a compiled file of any version (8 are enough). Any thread. Allocates
/// nothing. Cost: O(1).
GRAZE_API bool graze_compiled_recognise(const void *bytes, size_t size);

/// Whether a regular file begins like a compiled one; false for one that cannot be read. Any
/// thread. Allocates nothing. Cost: one read.
GRAZE_API bool graze_compiled_recognise_file(const char *path);

/// Maps a file read only and checks header and checksum. Nobody may write to the file while it or
/// a robot from it is in use (graze compile never does: it puts a new file in its place).
/// @return GRAZE_OK; GRAZE_ERROR_NOT_FOUND, GRAZE_ERROR_IO; GRAZE_ERROR_PARSE (not a compiled file,
///         damaged, or cut short); GRAZE_ERROR_UNSUPPORTED (another version of graze, byte order or
///         ABI; the message says which); GRAZE_ERROR_NO_MEMORY
/// Any thread. Cost: linear in the bytes, at some gigabytes a second.
/// Allocates.
/// @param out [out] NULL on failure; close with graze_compiled_close()
GRAZE_API graze_status graze_compiled_open(graze_compiled **out, const char *path,
                                           graze_error *error);

/// Opens a compiled file's bytes in memory, which are copied.
/// @param out [out] NULL on failure; close with graze_compiled_close()
/// @param size of the bytes
/// @param name what errors call them
/// @return as graze_compiled_open()
/// Any thread. Allocates. Cost: linear in the bytes. Nullable: error.
GRAZE_API graze_status graze_compiled_open_memory(graze_compiled **out, const void *bytes,
                                                  size_t size, const char *name,
                                                  graze_error *error);

/// Closes a compiled file; NULL is allowed. Robots and worlds made from it stay. Any thread.
/// Allocates nothing. Cost: O(1).
GRAZE_API void graze_compiled_close(graze_compiled *compiled);

/// Whether a compiled file holds a robot. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API bool graze_compiled_has_robot(const graze_compiled *compiled);

/// Whether a compiled file holds a world. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API bool graze_compiled_has_world(const graze_compiled *compiled);

/// Makes the robot of a file. Every count, index and tree is checked: whatever the file says, no
/// question to the robot reads outside its memory or runs without end.
/// @param out [out] NULL on failure; free with graze_robot_free(), before or after closing the file
/// @return GRAZE_OK; GRAZE_ERROR_NOT_FOUND (the file has none), GRAZE_ERROR_PARSE (it is damaged;
///         the message says where), GRAZE_ERROR_NO_MEMORY
/// Any thread. Cost: small structures are copied; indices of the meshes are read once.
/// Allocates.
GRAZE_API graze_status graze_compiled_robot(graze_robot **out, const graze_compiled *compiled,
                                            graze_error *error);

/// Makes the world of a file, which is committed; checked as graze_compiled_robot() checks a robot.
/// @param out [out] NULL on failure; free with graze_world_free(), before or after closing the file
/// @return as graze_compiled_robot()
/// Any thread. Allocates. Cost: small structures are copied; indices of the meshes are read once.
/// Nullable: error.
GRAZE_API graze_status graze_compiled_world(graze_world **out, const graze_compiled *compiled,
                                            graze_error *error);

/// Opens a compiled file, makes its robot, and closes the file.
/// @param out [out] NULL on failure; free with graze_robot_free()
/// @return as graze_compiled_open() and graze_compiled_robot()
/// Any thread. Allocates. Cost: that of the two. Nullable: error.
GRAZE_API graze_status graze_robot_open_compiled(graze_robot **out, const char *path,
                                                 graze_error *error);

// --------------------------------------------------------------------------------------- sources

/// How a source is today.
typedef enum graze_source_state {
    GRAZE_SOURCE_SAME = 0,    ///< as it was compiled
    GRAZE_SOURCE_CHANGED = 1, ///< other content
    GRAZE_SOURCE_MISSING = 2, ///< no such file, or it cannot be read
    GRAZE_SOURCE_UNKNOWN = 3  ///< was no file when it was compiled
} graze_source_state;

/// One file that went into a compiled file. Strings live as long as the graze_compiled.
typedef struct graze_source {
    const char *path; ///< as it was opened
    graze_source_kind kind;
    bool known;       ///< size and hash are those of a file
    uint64_t size;    ///< bytes
    uint64_t hash[2]; ///< XXH3, 128 bits: low, high
} graze_source;

/// How many files went into a compiled file. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_compiled_source_count(const graze_compiled *compiled);

/// graze_compiled_source() for a caller whose graze_source has `size` bytes.
/// @return as there. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_compiled_source_sized(const graze_compiled *compiled, size_t index,
                                                   graze_source *source, size_t size);

/// Reads an entry of the list of sources.
/// @param source [out] its path lives as long as the file is open
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such source)
/// Any thread. Allocates nothing. Cost: O(1).
static inline graze_status graze_compiled_source(const graze_compiled *compiled, size_t index,
                                                 graze_source *source) {
    return graze_compiled_source_sized(compiled, index, source, sizeof *source);
}
/// Reads the file of a source and compares. Returns GRAZE_ERROR_ARGUMENT for a bad index,
/// GRAZE_ERROR_NO_MEMORY. Any thread. Cost: linear in the file.
/// Allocates.
GRAZE_API graze_status graze_compiled_source_now(const graze_compiled *compiled, size_t index,
                                                 graze_source_state *state, graze_error *error);

/// The version of graze that compiled a file; lives as long as the file is open. Any thread.
/// Allocates nothing. Cost: O(1).
GRAZE_API const char *graze_compiled_version(const graze_compiled *compiled);

/// How long a compiled file is, bytes.
/// @param robot,world [out] of it the robot's and the world's part; either may be NULL
/// Any thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_compiled_size(const graze_compiled *compiled, size_t *robot, size_t *world);

/// Proves what opening takes from the checksum alone: makes the robot and the world anew from their
/// inputs (docs/compiled.md lists them) and compares all that is derived byte for byte, and proves
/// in exact arithmetic that every box of the meshes' trees holds what is below it. For files that
/// came from elsewhere.
/// @return GRAZE_OK; GRAZE_ERROR_MESH, naming what differs; as graze_compiled_robot() else
/// Any thread. Cost: as loading the meshes, and about a microsecond a vertex.
/// Allocates.
GRAZE_API graze_status graze_compiled_verify(const graze_compiled *compiled, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
