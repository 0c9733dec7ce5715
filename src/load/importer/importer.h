/// Meshes through assimp, in a helper process that confines it: nothing worse than an error when
/// assimp breaks.
#ifndef GZ_LOAD_IMPORTER_IMPORTER_H
#define GZ_LOAD_IMPORTER_IMPORTER_H

#include <sys/types.h>
#include <time.h>

#include "load/importer/import_message.h"

/// Reads a mesh by the importer of the options and warns "read-by-assimp". Trusts nothing that the
/// importer answers: every count is held against the budget before memory is taken for it, every
/// index and coordinate against its range.
/// @param ending of the file, without the dot
/// @return GRAZE_ERROR_UNSUPPORTED without an importer; what the importer finds in the file;
///         GRAZE_ERROR_PARSE when the importer was killed by a signal, _LIMIT when it hit a limit
///         of memory or time, _NOT_FOUND when it is not there, _IO when it breaks the rules of the
///         exchange
graze_status gz_importer_read(const gz_mesh_input *input, const char *ending, gz_soup *soup,
                              graze_error *error);

// ----------------------------------------------------------------------------- for its own files

/// A running importer: started, exchanged messages with until a deadline, ended in any case.
typedef struct gz_importer_process {
    pid_t pid;
    int socket;
    uint32_t cpu_seconds, wall_seconds;
    struct timespec deadline; ///< CLOCK_MONOTONIC
    bool late;                ///< the deadline passed
    bool stopped;             ///< gz_importer_process_end() found it still there
    bool reaped;              ///< by somebody else of this process: no `wait_status`
    int wait_status;          ///< after gz_importer_process_end()
} gz_importer_process;

/// Starts the program of input->options->importer with a socket as its standard input and output,
/// no other descriptor, no environment, every signal at its default; from then on the clock runs.
/// @return GRAZE_ERROR_NOT_FOUND, _IO, _NO_MEMORY (descriptors, processes); nothing is left then
graze_status gz_importer_process_start(gz_importer_process *process, const gz_mesh_input *input,
                                       graze_error *error);
/// Whole or false: the importer closed its end, or was late.
bool gz_importer_process_send(gz_importer_process *process, const void *bytes, size_t size);
bool gz_importer_process_receive(gz_importer_process *process, void *bytes, size_t size);
/// Whether the stream ends here.
bool gz_importer_process_is_done(gz_importer_process *process);
/// Closes the socket, kills the importer unless it has already ended, and reaps it.
void gz_importer_process_end(gz_importer_process *process);
/// Whether an ended importer went as it should.
bool gz_importer_process_ended_well(const gz_importer_process *process);
/// The error for one that did not. Call after gz_importer_process_end().
graze_status gz_importer_process_fail(const gz_importer_process *process,
                                      const gz_mesh_input *input, graze_error *error);

#endif
