#include "load/importer/importer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/platform.h"
#include "load/importer/import_cache.h"

/// A busy machine gives a process a fraction of a processor; by the clock the imports of a load may
/// take so many times the processor time that they are allowed.
enum { WALL_PER_CPU = 4 };

/// An importer that neither sends nor takes a byte for so many seconds, and uses less than
/// LEAST_WORK of a processor meanwhile, waits for something that will not come.
#define SILENT_SECONDS 10.0
#define LEAST_WORK     0.1

/// One import under way.
typedef struct exchange {
    gz_mesh_reader *m;
    int32_t pid;
    int socket;
    double start; ///< seconds of CLOCK_MONOTONIC
    double deadline;
    double last_byte; ///< when the silence began
    double work;      ///< processor time at that moment
    bool late;        ///< the deadline passed
    bool silent;      ///< it slept for SILENT_SECONDS
    bool broken;      ///< the stream ended early: how the process ended is the error
    bool stopped;     ///< end_process() found it still there
    bool reaped;      ///< by somebody else of this process: no `wait_status`
    int wait_status;  ///< after end_process()
    gz_import_reply reply;
    char message[GRAZE_MESSAGE_SIZE];
} exchange;

#ifndef GRAZE_WITHOUT_IMPORTER

// ---------------------------------------------------------------------------------------- start

static graze_status fail_start(const exchange *x, int number) {
    graze_status status = GRAZE_ERROR_IO;
    if (number == ENOENT || number == ENOTDIR) status = GRAZE_ERROR_NOT_FOUND;
    if (number == ENOMEM || number == EAGAIN) status = GRAZE_ERROR_NO_MEMORY;
    char reason[128];
    return gz_mesh_fail(x->m, 0, status,
                        "the importer %.700s cannot be started: %s; allowed: the path of "
                        "graze-import",
                        x->m->options->importer, gz_errno_text(number, reason, sizeof reason));
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

static double seconds_of(clockid_t clock) {
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Processor time that the importer has used; by the clock where the system does not tell.
static double processor_time(const exchange *x) {
    clockid_t clock;
    if (clock_getcpuclockid(x->pid, &clock) == 0) return seconds_of(clock);
    return seconds_of(CLOCK_MONOTONIC) - x->start;
}

/// From then on the clock runs. On failure nothing is left.
static graze_status start_process(exchange *x) {
    int ends[2];
    int number = open_sockets(ends);
    if (number) return fail_start(x, number);
    number = gz_process_start(&x->pid, x->m->options->importer, ends[1]);
    close(ends[1]);
    if (number) {
        close(ends[0]);
        return fail_start(x, number);
    }
    x->socket = ends[0];
    x->start = x->last_byte = seconds_of(CLOCK_MONOTONIC);
    x->deadline = x->start + (double)x->m->options->importer_seconds * WALL_PER_CPU -
                  x->m->budget->import_clock;
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------- messages

/// Begins a silence, where none is under way or the last one was spent at work.
static void begin_silence(exchange *x, double now) {
    x->last_byte = now;
    x->work = processor_time(x);
}

/// Whether the importer's time is over: by the deadline, or by a silence that it slept through.
static bool time_is_over(exchange *x, double now) {
    x->late = now >= x->deadline;
    if (x->late || now < x->last_byte + SILENT_SECONDS) return x->late;
    x->silent = processor_time(x) - x->work < LEAST_WORK;
    if (!x->silent) begin_silence(x, now);
    return x->silent;
}

/// Waits until the socket is ready; false when the importer's time is over.
static bool wait_ready(exchange *x, short events) {
    for (;;) {
        const double now = seconds_of(CLOCK_MONOTONIC);
        if (time_is_over(x, now)) return false;
        const double left = fmin(x->deadline, x->last_byte + SILENT_SECONDS) - now;
        struct pollfd wanted = {.fd = x->socket, .events = events};
        int ready = poll(&wanted, 1, (int)(1000 * left) + 1); // at most 10 s
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
}

/// Sends or receives so many bytes. False: the importer closed its end, or was late.
static bool transfer(exchange *x, char *bytes, size_t size, bool sends) {
    while (size) {
        if (!wait_ready(x, sends ? POLLOUT : POLLIN)) return false;
        // MSG_NOSIGNAL: an importer that is gone must not kill its host with SIGPIPE.
        ssize_t n = sends ? send(x->socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT)
                          : recv(x->socket, bytes, size, MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) continue;
        if (n <= 0) return false;
        bytes += n;
        size -= (size_t)n;
        begin_silence(x, seconds_of(CLOCK_MONOTONIC));
    }
    return true;
}

static bool send_whole(exchange *x, const void *bytes, size_t size) {
    return transfer(x, (char *)(uintptr_t)bytes, size, true); // which only reads them
}

static graze_status receive(exchange *x, void *bytes, size_t size) {
    if (transfer(x, bytes, size, false)) return GRAZE_OK;
    x->broken = true;
    return GRAZE_ERROR_IO;
}

// ------------------------------------------------------------------------------------------ end

/// waitpid that signals do not interrupt.
static pid_t reap(exchange *x, int options) {
    pid_t found;
    do {
        found = waitpid(x->pid, &x->wait_status, options);
    } while (found < 0 && errno == EINTR);
    return found;
}

/// Closes the socket, kills the importer unless it has already ended, and reaps it.
static void end_process(exchange *x) {
    close(x->socket);
    gz_mesh_budget *budget = x->m->budget;
    budget->import_processor += processor_time(x);
    budget->import_clock += seconds_of(CLOCK_MONOTONIC) - x->start;
    pid_t found = reap(x, WNOHANG);
    if (found == 0) {
        // Still there, so its number is still its own. One that is on its way out, as after the
        // end of its stream, keeps the exit status that it chose.
        x->stopped = true;
        kill(x->pid, SIGKILL);
        found = reap(x, 0);
    }
    // A host that ignores SIGCHLD, or waits for every child, has taken the status.
    x->reaped = found != x->pid;
}

/// Whether an ended importer went as it should.
static bool ended_well(const exchange *x) {
    return x->reaped || (WIFEXITED(x->wait_status) && WEXITSTATUS(x->wait_status) == 0);
}

static graze_status fail_signal(const exchange *x) {
    unsigned seconds = x->m->options->importer_seconds;
    int number = WTERMSIG(x->wait_status);
    if (number == SIGXCPU)
        return gz_mesh_fail(x->m, 0, GRAZE_ERROR_LIMIT,
                            "the imports took more than %u s of processor time; allowed: "
                            "importer_seconds of %u for one load",
                            seconds, seconds);
    return gz_mesh_fail(x->m, 0, GRAZE_ERROR_PARSE,
                        "the importer was killed by signal %d (%s)%s; allowed: a file that assimp "
                        "can read",
                        number, gz_signal_text(number),
                        number == SIGSYS ? " when it asked the system for what no import needs"
                                         : "");
}

/// The error for an ended importer that did not do its work.
static graze_status fail_end(const exchange *x) {
    unsigned seconds = x->m->options->importer_seconds;
    if (x->late)
        return gz_mesh_fail(x->m, 0, GRAZE_ERROR_LIMIT,
                            "the imports took more than %u s; allowed: %d times importer_seconds "
                            "of %u for one load",
                            seconds * WALL_PER_CPU, WALL_PER_CPU, seconds);
    if (x->silent)
        return gz_mesh_fail(x->m, 0, GRAZE_ERROR_LIMIT,
                            "the importer %.700s did nothing for %g s; allowed: an answer, or work "
                            "on it",
                            x->m->options->importer, SILENT_SECONDS);
    // One that end_process() stopped broke no other rule than to stop talking.
    bool signalled = !x->reaped && WIFSIGNALED(x->wait_status);
    if (signalled && !(x->stopped && WTERMSIG(x->wait_status) == SIGKILL)) return fail_signal(x);
    char how[64] = "ended";
    if (signalled)
        snprintf(how, sizeof how, "was stopped");
    else if (!x->reaped)
        snprintf(how, sizeof how, "ended with exit status %d", WEXITSTATUS(x->wait_status));
    return gz_mesh_fail(x->m, 0, GRAZE_ERROR_IO,
                        "the importer %.700s %s without a whole answer; allowed: the path of "
                        "graze-import",
                        x->m->options->importer, how);
}

// -------------------------------------------------------------------------------------- request

static gz_import_request make_request(const gz_mesh_reader *r, const char *ending) {
    uint64_t memory = gz_memory_left();
    gz_import_request request = {
        .magic = GZ_IMPORT_REQUEST,
        .self_size = sizeof request,
        .version = GRAZE_VERSION,
        .size = r->size,
        .address_space = memory < UINT64_MAX - GZ_IMPORT_OVERHEAD ? memory + GZ_IMPORT_OVERHEAD
                                                                  : UINT64_MAX,
        .cpu_seconds = (uint32_t)ceil(r->options->importer_seconds - r->budget->import_processor),
        .unconfined = r->options->importer_unconfined,
        .collada = r->options->collada,
        .scale = {r->scale[0], r->scale[1], r->scale[2]},
        .limits = r->options->limits,
        .triangles_left = r->budget->triangles_left,
        .memory_left = memory,
    };
    snprintf(request.ending, sizeof request.ending, "%s", ending);
    return request;
}

// ---------------------------------------------------------------------------------------- reply

static graze_status fail_reply(const exchange *x, const char *what, uint64_t found,
                               const char *allowed) {
    return gz_mesh_fail(x->m, 0, GRAZE_ERROR_IO,
                        "the importer's answer has %s %" PRIu64 "; allowed: %s", what, found,
                        allowed);
}

static graze_status receive_head(exchange *x) {
    gz_import_reply *reply = &x->reply;
    GZ_TRY(receive(x, reply, sizeof *reply));
    if (reply->magic != GZ_IMPORT_REPLY)
        return fail_reply(x, "the mark", reply->magic, "that of graze-import " GRAZE_VERSION);
    if (reply->status >= GRAZE_ERROR_CANCELLED)
        return fail_reply(x, "status", reply->status, "0 to 10");
    if ((reply->status && !reply->message_size) || reply->message_size >= GRAZE_MESSAGE_SIZE)
        return fail_reply(x, "a message size of", reply->message_size,
                          "1 to 1023; 0 without an error");
    if (reply->status && (reply->vertex_count || reply->triangle_count))
        return fail_reply(x, "a vertex count of", reply->vertex_count, "nothing beside an error");
    GZ_TRY(receive(x, x->message, reply->message_size));
    gz_import_plain(x->message);
    return GRAZE_OK;
}

/// What assimp finds wrong may quote the file.
static graze_status fail_secret(const gz_mesh_reader *r) {
    return gz_mesh_fail(r, 0, GRAZE_ERROR_PARSE,
                        "assimp cannot read the file; allowed: a mesh in the format of its ending");
}

/// The error that the importer found in the file, in its words.
static graze_status fail_as_told(exchange *x) {
    if (x->m->secret && x->reply.status == GRAZE_ERROR_PARSE) return fail_secret(x->m);
    if (x->reply.status != GRAZE_ERROR_NO_MEMORY)
        return gz_mesh_fail(x->m, 0, (graze_status)x->reply.status, "%s", x->message);
    return gz_mesh_fail(x->m, 0, GRAZE_ERROR_LIMIT,
                        "the import takes more than %" PRIu64
                        " bytes; allowed: what memory_bytes of "
                        "%" PRIu64 " for one load leaves",
                        gz_memory_left(), x->m->options->limits.memory_bytes);
}

static graze_status receive_vertices(exchange *x) {
    size_t count = 3 * (size_t)x->reply.vertex_count;
    if (!count) return GRAZE_OK; // and perhaps no array
    double *vertices = x->m->soup->vertices + 3 * x->m->soup->vertex_count;
    GZ_TRY(receive(x, vertices, count * sizeof *vertices));
    for (size_t i = 0; i < count; i++)
        if (!(fabs(vertices[i]) <= GZ_COORDINATE_MAX))
            return fail_reply(x, "a coordinate out of range, number", i, "-1048576 to 1048576 m");
    return GRAZE_OK;
}

static graze_status receive_triangles(exchange *x) {
    size_t count = 3 * (size_t)x->reply.triangle_count;
    if (!count) return GRAZE_OK;
    uint32_t *triangles = x->m->soup->triangles + 3 * x->m->soup->triangle_count;
    uint32_t base = (uint32_t)x->m->soup->vertex_count;
    GZ_TRY(receive(x, triangles, count * sizeof *triangles));
    for (size_t i = 0; i < count; i++) {
        if (triangles[i] >= x->reply.vertex_count)
            return fail_reply(x, "vertex index", triangles[i], "below its vertex count");
        triangles[i] += base; // fits: gz_mesh_reserve() has judged the sum of the counts
    }
    return GRAZE_OK;
}

static graze_status receive_reply(exchange *x) {
    const gz_import_reply *reply = &x->reply;
    GZ_TRY(receive_head(x));
    if (reply->status) return fail_as_told(x);
    // Room for no more than the budget allows.
    GZ_TRY(gz_mesh_reserve(x->m, reply->vertex_count, reply->triangle_count));
    GZ_TRY(receive_vertices(x));
    GZ_TRY(receive_triangles(x));
    char more;
    if (transfer(x, &more, 1, false))
        return fail_reply(x, "more bytes than",
                          sizeof *reply + reply->message_size +
                              gz_mesh_cost(reply->vertex_count, reply->triangle_count),
                          "what its counts say");
    x->broken |= x->late || x->silent;
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------------- import

static graze_status check_time(const gz_mesh_reader *r) {
    const unsigned seconds = r->options->importer_seconds;
    if (r->budget->import_processor < seconds && r->budget->import_clock < seconds * WALL_PER_CPU)
        return GRAZE_OK;
    return gz_mesh_fail(r, 0, GRAZE_ERROR_LIMIT,
                        "the imports before this one took %.1f s of processor time, %.1f s by the "
                        "clock; allowed: importer_seconds of %u for one load, %d times that by the "
                        "clock",
                        r->budget->import_processor, r->budget->import_clock, seconds,
                        WALL_PER_CPU);
}

static graze_status read_apart(exchange *x, const char *ending) {
    GZ_TRY(check_time(x->m));
    GZ_TRY(start_process(x));
    gz_import_request request = make_request(x->m, ending);
    // An importer that could not confine itself answers without having read the file, and how one
    // died is only known at its end: so the answer is waited for even when the request failed.
    bool sent = send_whole(x, &request, sizeof request) && send_whole(x, x->m->bytes, x->m->size);
    graze_status status = receive_reply(x);
    end_process(x);
    if (x->broken) return fail_end(x);
    if (status) return status;
    // A whole answer of one that crashed after it, or that did not want its input, is none.
    if (!sent || !ended_well(x)) return fail_end(x);
    x->m->soup->vertex_count += (size_t)x->reply.vertex_count;
    x->m->soup->triangle_count += (size_t)x->reply.triangle_count;
    return GRAZE_OK;
}

#else

static graze_status read_apart(const exchange *x, const char *ending) {
    return gz_mesh_fail(x->m, 0, GRAZE_ERROR_UNSUPPORTED,
                        "assimp is to read the file (.%s), and this graze was built without an "
                        "importer (GRAZE_IMPORTER); allowed: formats that graze reads itself",
                        ending);
}

#endif

/// The answer that an equal file of this load has had.
static graze_status take_again(gz_mesh_reader *r, const gz_import_entry *e) {
    const gz_soup *from = e->soup;
    gz_soup *to = r->soup;
    GZ_TRY(gz_mesh_reserve(r, from->vertex_count, from->triangle_count));
    memcpy(to->vertices, from->vertices, 3 * from->vertex_count * sizeof *to->vertices);
    memcpy(to->triangles, from->triangles, 3 * from->triangle_count * sizeof *to->triangles);
    to->vertex_count = from->vertex_count;
    to->triangle_count = from->triangle_count;
    return GRAZE_OK;
}

static graze_status import_anew(exchange *x, const char *ending) {
    GZ_TRY(read_apart(x, ending));
    gz_import_cache_keep(x->m->budget->imports, x->m, ending, &x->reply.findings, x->message);
    return GRAZE_OK;
}

static graze_status import_once(exchange *x, const char *ending) {
    const gz_import_entry *e = gz_import_cache_find(x->m->budget->imports, x->m, ending);
    if (!e) return import_anew(x, ending);
    x->reply.findings = e->found;
    snprintf(x->message, sizeof x->message, "%s", e->note);
    return take_again(x->m, e);
}

graze_status gz_importer_read(gz_mesh_reader *r, const char *ending) {
    const graze_load_options *options = r->options;
    exchange x = {.m = r};
    const gz_import_findings *found = &x.reply.findings;
    if (!options->importer)
        return gz_mesh_fail(r, 0, GRAZE_ERROR_UNSUPPORTED,
                            "assimp is to read the file, and there is no importer; allowed: "
                            "graze_load_options.importer, the path of graze-import");
    if (strlen(ending) >= GZ_IMPORT_ENDING_SIZE)
        return gz_mesh_fail(r, 0, GRAZE_ERROR_UNSUPPORTED,
                            "the ending .%.40s; allowed: at most %d letters", ending,
                            GZ_IMPORT_ENDING_SIZE - 1);
    // Text becomes a tree, then index lists and unshared vertices: about 16 bytes for each byte.
    GZ_TRY(gz_mesh_check_memory(r, 16 * (uint64_t)r->size, "assimp"));
    GZ_TRY(import_once(&x, ending));
    gz_warn(r->warnings, "read-by-assimp", gz_mesh_place(r, 0),
            "read by assimp, in single precision, and perhaps not whole: %s", x.message);
    if (found->rest_poses)
        gz_warn(r->warnings, "mesh-skin", gz_mesh_place(r, 0),
                "%" PRIu64 " meshes have a skeleton or morph targets; they are read in their rest "
                "pose",
                found->rest_poses);
    r->polygons.skipped = (size_t)found->skipped;
    r->polygons.fans = found->fans;
    gz_mesh_warn_skipped(r);
    return GRAZE_OK;
}
