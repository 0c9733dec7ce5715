/// A running importer: started, talked to within a time, ended whatever it does.
#ifndef GZ_LOAD_IMPORTER_PROCESS_H
#define GZ_LOAD_IMPORTER_PROCESS_H

#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "load/mesh/mesh_input.h"

typedef struct gz_importer_process {
    pid_t pid;
    int socket;
    uint32_t cpu_seconds, wall_seconds;
    struct timespec deadline; ///< CLOCK_MONOTONIC
    bool late;                ///< the deadline passed
    bool stopped;             ///< gz_importer_process_end() found it still there
    bool reaped;              ///< by somebody else of this process: `wait_status` says nothing
    int wait_status;          ///< after gz_importer_process_end()
} gz_importer_process;

/// Starts the program of input->options->importer with a socket as its standard input and output,
/// no other descriptor, no environment, every signal at its default.
/// @return GRAZE_ERROR_NOT_FOUND, _IO, _NO_MEMORY (descriptors, processes); nothing is left then
graze_status gz_importer_process_start(gz_importer_process *process, const gz_mesh_input *input,
                                       graze_error *error);
/// From here on the clock runs.
void gz_importer_process_begin(gz_importer_process *process);
/// Whole or false: the importer closed its end, or was late.
bool gz_importer_process_send(gz_importer_process *process, const void *bytes, size_t size);
bool gz_importer_process_receive(gz_importer_process *process, void *bytes, size_t size);
/// Whether the importer has said all: the end of the stream, and nothing before it.
bool gz_importer_process_is_done(gz_importer_process *process);
/// Closes the socket, kills the importer unless it has already ended, and reaps it.
void gz_importer_process_end(gz_importer_process *process);
/// Whether an ended importer went as it should.
bool gz_importer_process_ended_well(const gz_importer_process *process);
/// The error for one that did not. Call after gz_importer_process_end().
graze_status gz_importer_process_fail(const gz_importer_process *process,
                                      const gz_mesh_input *input, graze_error *error);

#endif
