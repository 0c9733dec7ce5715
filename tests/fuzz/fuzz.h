/// What the fuzz targets share. Each target is one file with one LLVMFuzzerTestOneInput(), which
/// libFuzzer drives (GRAZE_BUILD_FUZZ) and replay.c feeds with the corpus in `make test`.
///
/// Nothing outside is read: while a target runs, opening, asking for and listing files is answered
/// with "no such file" but for the target's own scratch folder, whose content is fixed.
#ifndef GRAZE_TESTS_FUZZ_H
#define GRAZE_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/graze.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Ends the program with a message unless the condition holds: a finding.
#define FUZZ_CHECK(condition) fuzz_check((condition), #condition, __FILE__, __LINE__)
void fuzz_check(bool fine, const char *what, const char *file, int line);

/// The folder that targets may read: cube.stl, wedge.obj, buffer.bin and a package "box" with
/// package.xml and cube.stl. Made at the first call, removed at exit.
const char *fuzz_scratch(void);
/// Writes a file into it. The path is overwritten by the next call.
const char *fuzz_file(const char *name, const uint8_t *data, size_t size);
/// Between these two only the scratch folder exists.
void fuzz_guard_begin(void);
void fuzz_guard_end(void);

/// Load options with limits that keep an input within milliseconds.
graze_load_options fuzz_options(void);

/// Where the message says that the importer was killed or stopped: prints it the first time that it
/// happens so, and keeps the input in the folder GRAZE_FUZZ_CONTAINED. Findings in assimp.
void fuzz_report_contained(const char *message, const char *data, size_t size);

/// Bytes as numbers for targets that read their input as a program. At the end all are 0.
typedef struct fuzz_bytes {
    const uint8_t *at, *end;
} fuzz_bytes;
uint32_t fuzz_byte(fuzz_bytes *bytes);
/// 0 to count - 1; count at least 1, at most 65536.
uint32_t fuzz_choice(fuzz_bytes *bytes, uint32_t count);
/// A double: mostly of everyday size, sometimes of any bits or an extreme.
double fuzz_number(fuzz_bytes *bytes);

/// Reads all that can be read of a robot that loaded, and checks it: what its documents promise
/// must hold.
void fuzz_exercise_robot(const graze_robot *robot);
/// The same for a world, which it commits.
void fuzz_exercise_world(graze_world *world);
/// A world file of that name with these bytes, added to a world: refused, or checked as
/// fuzz_exercise_world() does. For the targets of the formats.
void fuzz_world_file(const char *name, const uint8_t *data, size_t size);
/// An error must say something, and be the status that was returned.
void fuzz_exercise_error(graze_status status, const graze_error *error);

#endif
