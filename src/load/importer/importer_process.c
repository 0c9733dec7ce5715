#include "load/importer/importer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/// A busy machine gives a process a fraction of a processor; by the clock an import may take so
/// many times the processor time that it is allowed.
enum { WALL_PER_CPU = 4 };

// ---------------------------------------------------------------------------------------- start

static graze_status fail_start(const gz_mesh_input *input, int number, graze_error *error) {
    graze_status status = GRAZE_ERROR_IO;
    if (number == ENOENT || number == ENOTDIR) status = GRAZE_ERROR_NOT_FOUND;
    if (number == ENOMEM || number == EAGAIN) status = GRAZE_ERROR_NO_MEMORY;
    char reason[128];
    // GNU strerror_r: thread-safe, and returns the text wherever it put it.
    return gz_fail_at(error, status, gz_mesh_place(input, 0),
                      "the importer %.700s cannot be started: %s; allowed: the path of "
                      "graze-import, or none (--no-sandbox), and files are imported unconfined",
                      input->options->importer, strerror_r(number, reason, sizeof reason));
}

/// Two ends of a socket above the standard descriptors, which may be closed in this process: the
/// ends would then be overwritten while the child's descriptors are arranged.
static int open_sockets(int ends[2]) {
    int first[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, first) != 0) return errno;
    int number = 0;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(first[i], F_DUPFD_CLOEXEC, 3);
        if (ends[i] < 0) number = errno;
        close(first[i]);
    }
    for (int i = 0; i < 2 && number; i++)
        if (ends[i] >= 0) close(ends[i]);
    return number;
}

/// A process group of its own, so that the terminal's Ctrl-C reaches only the program that asked;
/// no signal of the host's is blocked or ignored.
static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int number = posix_spawnattr_setsigmask(attributes, &none);
    if (!number) number = posix_spawnattr_setsigdefault(attributes, &all);
    if (!number) number = posix_spawnattr_setpgroup(attributes, 0);
    if (!number)
        number = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    return number;
}

static int set_descriptors(posix_spawn_file_actions_t *actions, int socket) {
    int number = posix_spawn_file_actions_adddup2(actions, socket, 0);
    if (!number) number = posix_spawn_file_actions_adddup2(actions, socket, 1);
    // What C++ prints when it ends a program belongs neither into the reply nor before the user.
    if (!number) number = posix_spawn_file_actions_addclose(actions, 2);
    // Descriptors that the host left open across exec; the importer closes them, too.
    if (!number) number = posix_spawn_file_actions_addclosefrom_np(actions, 3);
    return number;
}

/// posix_spawn and not fork: safe with other threads about, and no copy of a host's memory map.
static int spawn(pid_t *pid, const char *path, int socket) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int number = posix_spawnattr_init(&attributes);
    if (number) return number;
    number = posix_spawn_file_actions_init(&actions);
    if (number) {
        posix_spawnattr_destroy(&attributes);
        return number;
    }
    number = set_attributes(&attributes);
    if (!number) number = set_descriptors(&actions, socket);
    if (!number) {
        // posix_spawn only reads the arguments; POSIX kept char * for old callers.
        char *const arguments[] = {(char *)path, NULL};
        char *const environment[] = {NULL};
        number = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    }
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return number;
}

graze_status gz_importer_process_start(gz_importer_process *process, const gz_mesh_input *input,
                                       graze_error *error) {
    uint32_t seconds = input->options->importer_seconds;
    *process = (gz_importer_process){
        .pid = -1, .cpu_seconds = seconds, .wall_seconds = seconds * WALL_PER_CPU};
    int ends[2];
    int number = open_sockets(ends);
    if (number) return fail_start(input, number, error);
    number = spawn(&process->pid, input->options->importer, ends[1]);
    close(ends[1]);
    if (number) {
        close(ends[0]);
        return fail_start(input, number, error);
    }
    process->socket = ends[0];
    clock_gettime(CLOCK_MONOTONIC, &process->deadline);
    process->deadline.tv_sec += process->wall_seconds;
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------- messages

/// Waits until the socket is ready; false when the deadline has passed.
static bool wait_ready(gz_importer_process *process, short events) {
    for (;;) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        int64_t left = (int64_t)(process->deadline.tv_sec - now.tv_sec) * 1000 +
                       (process->deadline.tv_nsec - now.tv_nsec) / 1000000;
        if (left <= 0) {
            process->late = true;
            return false;
        }
        struct pollfd wanted = {.fd = process->socket, .events = events};
        int ready = poll(&wanted, 1, left < INT_MAX ? (int)left : INT_MAX);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
}

static bool is_passing(int number) {
    return number == EINTR || number == EAGAIN || number == EWOULDBLOCK;
}

bool gz_importer_process_send(gz_importer_process *process, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size) {
        if (!wait_ready(process, POLLOUT)) return false;
        // MSG_NOSIGNAL: an importer that is gone must not kill its host with SIGPIPE.
        ssize_t n = send(process->socket, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && is_passing(errno)) continue;
        if (n <= 0) return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

bool gz_importer_process_receive(gz_importer_process *process, void *bytes, size_t size) {
    char *at = bytes;
    while (size) {
        if (!wait_ready(process, POLLIN)) return false;
        ssize_t n = recv(process->socket, at, size, MSG_DONTWAIT);
        if (n < 0 && is_passing(errno)) continue;
        if (n <= 0) return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

bool gz_importer_process_is_done(gz_importer_process *process) {
    for (;;) {
        char more;
        if (!wait_ready(process, POLLIN)) return false;
        ssize_t n = recv(process->socket, &more, 1, MSG_DONTWAIT);
        if (n < 0 && is_passing(errno)) continue;
        return n == 0;
    }
}

// ------------------------------------------------------------------------------------------ end

/// waitpid that signals do not interrupt.
static pid_t reap(gz_importer_process *process, int options) {
    pid_t found;
    do {
        found = waitpid(process->pid, &process->wait_status, options);
    } while (found < 0 && errno == EINTR);
    return found;
}

void gz_importer_process_end(gz_importer_process *process) {
    close(process->socket);
    pid_t found = reap(process, WNOHANG);
    if (found == 0) {
        // Still there, so its number is still its own. One that is on its way out, as after the
        // end of its stream, keeps the exit status that it chose.
        process->stopped = true;
        kill(process->pid, SIGKILL);
        found = reap(process, 0);
    }
    // A host that ignores SIGCHLD, or waits for every child, has taken the status.
    process->reaped = found != process->pid;
}

bool gz_importer_process_ended_well(const gz_importer_process *process) {
    return process->reaped ||
           (WIFEXITED(process->wait_status) && WEXITSTATUS(process->wait_status) == 0);
}

static graze_status fail_signal(const gz_importer_process *process, const gz_mesh_input *input,
                                graze_error *error) {
    gz_place place = gz_mesh_place(input, 0);
    int number = WTERMSIG(process->wait_status);
    if (number == SIGXCPU)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, place,
                          "the import took more than %u s of processor time; allowed: "
                          "importer_seconds of %u",
                          (unsigned)process->cpu_seconds, (unsigned)process->cpu_seconds);
    const char *name = sigdescr_np(number);
    return gz_fail_at(error, GRAZE_ERROR_PARSE, place,
                      "the importer was killed by signal %d (%s)%s; allowed: a file that assimp "
                      "can read",
                      number, name ? name : "unknown",
                      number == SIGSYS ? " when it asked the system for what no import needs" : "");
}

graze_status gz_importer_process_fail(const gz_importer_process *process,
                                      const gz_mesh_input *input, graze_error *error) {
    gz_place place = gz_mesh_place(input, 0);
    if (process->late)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, place,
                          "the import took more than %u s; allowed: %d times importer_seconds of "
                          "%u",
                          (unsigned)process->wall_seconds, WALL_PER_CPU,
                          (unsigned)process->cpu_seconds);
    if (process->reaped)
        return gz_fail_at(error, GRAZE_ERROR_IO, place,
                          "the importer %.700s ended without a whole answer; allowed: the path of "
                          "graze-import",
                          input->options->importer);
    // One that gz_importer_process_end() stopped broke no other rule than to stop talking.
    bool stopped = process->stopped && WIFSIGNALED(process->wait_status) &&
                   WTERMSIG(process->wait_status) == SIGKILL;
    if (WIFSIGNALED(process->wait_status) && !stopped) return fail_signal(process, input, error);
    char how[64] = "was stopped";
    if (WIFEXITED(process->wait_status))
        snprintf(how, sizeof how, "ended with exit status %d", WEXITSTATUS(process->wait_status));
    return gz_fail_at(error, GRAZE_ERROR_IO, place,
                      "the importer %.700s %s without a whole answer; allowed: the path of "
                      "graze-import",
                      input->options->importer, how);
}
