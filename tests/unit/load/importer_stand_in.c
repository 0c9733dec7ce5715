/// A stand-in for graze-import that misbehaves in the way that it is called by: the tests of the
/// importer link it under names such as "hang". Those that begin with "caged-" first confine
/// themselves as the real one does, and then try what the cage must forbid.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "import/import.h"
#include "load/importer/importer.h"

static gz_import_request request;

static void say(const void *bytes, size_t size) {
    const char *at = bytes;
    for (ssize_t n; size && (n = write(1, at, size)) > 0; at += n) size -= (size_t)n;
}

static void listen_to_request(void) {
    char *at = (char *)&request;
    for (size_t have = 0; have < sizeof request;) {
        ssize_t n = read(0, at + have, sizeof request - have);
        if (n <= 0) _exit(9);
        have += (size_t)n;
    }
}

static void listen_to_all(void) {
    listen_to_request();
    char bytes[4096];
    for (uint64_t have = 0; have < request.size;) {
        ssize_t n = read(0, bytes, sizeof bytes);
        if (n <= 0) _exit(9);
        have += (uint64_t)n;
    }
}

/// An answer with one triangle, to be spoilt.
typedef struct answer {
    gz_import_reply reply;
    double vertices[9];
    uint32_t triangle[3];
} answer;

static answer good_answer(void) {
    return (answer){.reply = {.magic = GZ_IMPORT_REPLY, .vertex_count = 3, .triangle_count = 1},
                    .vertices = {0, 0, 0, 1, 0, 0, 0, 1, 0},
                    .triangle = {0, 1, 2}};
}

/// A thousand triangles, each with vertices of its own.
static void say_thousand(void) {
    const answer a = good_answer();
    const gz_import_reply reply = {
        .magic = GZ_IMPORT_REPLY, .vertex_count = 3000, .triangle_count = 1000};
    say(&reply, sizeof reply);
    for (uint32_t i = 0; i < 1000; i++) say(a.vertices, sizeof a.vertices);
    for (uint32_t i = 0; i < 1000; i++) {
        const uint32_t triangle[3] = {3 * i, 3 * i + 1, 3 * i + 2};
        say(triangle, sizeof triangle);
    }
}

/// Without the padding at the end.
static void say_answer(const answer *a) {
    say(&a->reply, sizeof a->reply);
    say(a->vertices, sizeof a->vertices);
    say(a->triangle, sizeof a->triangle);
}

// -------------------------------------------------------------------------- what it does instead

static void spoil_counts(const char *how, answer *a) {
    if (strcmp(how, "mark") == 0) a->reply.magic = 7;
    if (strcmp(how, "status") == 0) a->reply.status = 77;
    if (strcmp(how, "cancelled") == 0) a->reply.status = GRAZE_ERROR_CANCELLED;
    if (strcmp(how, "silent-error") == 0) a->reply.status = GRAZE_ERROR_MESH;
    if (strcmp(how, "long-message") == 0) {
        a->reply = (gz_import_reply){
            .magic = GZ_IMPORT_REPLY, .status = GRAZE_ERROR_MESH, .message_size = UINT32_MAX};
    }
    if (strcmp(how, "many-vertices") == 0) a->reply.vertex_count = UINT64_MAX / 24 + 2;
    if (strcmp(how, "more-vertices") == 0) a->reply.vertex_count = UINT32_MAX;
    if (strcmp(how, "many-triangles") == 0) a->reply.triangle_count = UINT64_MAX / 12 + 2;
    if (strcmp(how, "more-triangles") == 0) a->reply.triangle_count = 64000001;
    if (strcmp(how, "index") == 0) a->triangle[2] = 3;
    if (strcmp(how, "nan") == 0) a->vertices[4] = (double)__builtin_nanf("");
    if (strcmp(how, "far") == 0) a->vertices[8] = 1048577.0;
}

static void answer_wrongly(const char *how) {
    if (strcmp(how, "nothing-there") == 0) {
        gz_import_reply empty = {.magic = GZ_IMPORT_REPLY};
        say(&empty, sizeof empty);
        return;
    }
    if (strcmp(how, "odd-message") == 0) {
        const gz_import_reply reply = {
            .magic = GZ_IMPORT_REPLY, .status = GRAZE_ERROR_MESH, .message_size = 6};
        say(&reply, sizeof reply);
        say("\n\033\xff\xc3\x80\x7f", 6);
        return;
    }
    if (strcmp(how, "thousand") == 0) {
        say_thousand();
        return;
    }
    answer a = good_answer();
    spoil_counts(how, &a);
    if (strcmp(how, "short") == 0) {
        say(&a, sizeof a.reply + 20);
        return;
    }
    if (strcmp(how, "error-with-mesh") == 0) {
        a.reply.status = GRAZE_ERROR_MESH;
        a.reply.message_size = 4;
    }
    say_answer(&a);
    if (strcmp(how, "trailing") == 0) say("more", 4);
    if (strcmp(how, "crash-after") == 0) raise(SIGSEGV);
    if (strcmp(how, "exit-after") == 0) _exit(5);
    if (strcmp(how, "linger") == 0) {
        close(0);
        close(1);
        sleep(1000);
    }
    if (strcmp(how, "stay-open") == 0) sleep(1000);
}

/// Answers well after more than a second of work.
static void work_first(void) {
    struct timespec used;
    do {
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    } while (used.tv_sec < 1 || used.tv_nsec < 100000000);
}

/// Adds a byte to a file beside the program: so its runs are counted.
static void leave_trace(const char *program) {
    char path[512];
    snprintf(path, sizeof path, "%s.log", program);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0 || write(file, "+", 1) != 1) _exit(9);
    close(file);
}

static void misbehave(const char *how) {
    if (strcmp(how, "exit") == 0) _exit(3);
    if (strcmp(how, "exit-fine") == 0) _exit(0);
    if (strcmp(how, "hang") == 0) sleep(1000);
    if (strcmp(how, "segv") == 0) raise(SIGSEGV);
    if (strcmp(how, "flood") == 0) // talks for ever, never listens
        for (;;) say("garbage garbage!", 16);
    if (strcmp(how, "abort-at-once") == 0) raise(SIGABRT);
    listen_to_all();
    if (strcmp(how, "busy") == 0) work_first();
    if (strcmp(how, "close") == 0) {
        close(0);
        close(1);
        sleep(1000);
    }
    if (strcmp(how, "garbage") == 0)
        for (int i = 0; i < 1000; i++) say("garbage garbage!", 16);
    if (strcmp(how, "segv-late") == 0) raise(SIGSEGV);
    answer_wrongly(how);
}

/// Answers with an error whose message says what was seen; it is how these report.
static void report(const char *text) {
    gz_import_reply reply = {.magic = GZ_IMPORT_REPLY,
                             .status = GRAZE_ERROR_MESH,
                             .message_size = (uint32_t)strlen(text)};
    say(&reply, sizeof reply);
    say(text, strlen(text));
    _exit(0);
}

/// Whether there is an environment, but for what counting lines has put there in this process.
static bool has_environment(void) {
    extern char **environ;
    static const char own[] = "__LLVM_PROFILE_RT_INIT_ONCE=";
    for (char **at = environ; at && *at; at++)
        if (strncmp(*at, own, sizeof own - 1) != 0) return true;
    return false;
}

/// What reached the process from its host.
static void search_files(void) {
    int open_descriptors = 0;
    for (int i = 0; i < 1024; i++) open_descriptors += fcntl(i, F_GETFD) >= 0;
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    struct sigaction pipe;
    sigaction(SIGPIPE, NULL, &pipe);
    char text[200];
    snprintf(text, sizeof text, "%d descriptors, %s environment, USR1 %s, PIPE %s, group %s",
             open_descriptors, has_environment() ? "an" : "no",
             sigismember(&blocked, SIGUSR1) ? "blocked" : "open",
             pipe.sa_handler == SIG_DFL ? "default" : "changed",
             getpgrp() == getpid() ? "own" : "shared");
    report(text);
}

// ------------------------------------------------------------------------------------- in a cage

static void eat_memory(void) {
    // Volatile: a compiler may leave out memory that nobody can see.
    static char *volatile seen;
    for (uint64_t bytes = 0;; bytes += 1 << 20) {
        char *memory = malloc(1 << 20);
        if (!memory) {
            gz_import_reply reply = {
                .magic = GZ_IMPORT_REPLY, .status = GRAZE_ERROR_NO_MEMORY, .message_size = 4};
            bool fits = bytes <= request.address_space;
            say(&reply, sizeof reply);
            say(fits ? "full" : "much", 4);
            _exit(fits ? 0 : 7);
        }
        memset(memory, 1, 1 << 20);
        seen = memory;
        if (!seen) _exit(8);
    }
}

static void burn_time(void) {
    for (volatile unsigned i = 0;; i++) continue;
}

/// What limits alone must stop, the filter of calls left away.
static void try_limits(const char *what) {
    if (strcmp(what, "memory") == 0) eat_memory();
    if (strcmp(what, "time") == 0) burn_time();
    if (strcmp(what, "descriptor") == 0)
        report(open("/dev/null", O_RDONLY) < 0 && dup(0) < 0 ? "none" : "a descriptor");
    struct rlimit dump, file;
    getrlimit(RLIMIT_CORE, &dump);
    getrlimit(RLIMIT_FSIZE, &file);
    report(dump.rlim_max == 0 && file.rlim_max == 0 ? "none" : "a core or a file");
}

/// What the filter of calls must answer with death.
static void try_calls(const char *what) {
    char *const arguments[] = {(char *)"/bin/true", NULL};
    if (strcmp(what, "open") == 0) open("/etc/passwd", O_RDONLY);
    if (strcmp(what, "socket") == 0) socket(AF_INET, SOCK_STREAM, 0);
    if (strcmp(what, "exec") == 0) execv("/bin/true", arguments);
    if (strcmp(what, "fork") == 0) fork();
    if (strcmp(what, "unlink") == 0) unlink("/tmp/graze-never-there");
    if (strcmp(what, "kill") == 0) kill(getppid(), 0);
    if (strcmp(what, "sendmsg") == 0) send(1, "x", 1, 0);
    if (strcmp(what, "exec-memory") == 0)
        mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (strcmp(what, "exec-protect") == 0) {
        void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(page, 4096, PROT_READ | PROT_EXEC);
    }
    if (strcmp(what, "poison") == 0) madvise(NULL, 0, MADV_HWPOISON); // of no page
    if (strcmp(what, "advice") == 0) madvise(NULL, 0, MADV_DONTNEED); // allowed
    if (strcmp(what, "abort") == 0) abort();                          // allowed: it signals itself
    report("nothing stopped it");
}

int main(int argc, char **argv) {
    (void)argc;
    const char *slash = strrchr(argv[0], '/'), *how = slash ? slash + 1 : argv[0];
    if (strcmp(how, "look-around") == 0) search_files();
    if (strcmp(how, "counted") == 0) leave_trace(argv[0]);
    if (strncmp(how, "limited-", 8) != 0 && strncmp(how, "caged-", 6) != 0) {
        misbehave(how);
        return 0;
    }
    listen_to_request();
    graze_error error;
    request.unconfined |= strncmp(how, "limited-", 8) == 0;
    if (gz_confine(&request, &error)) report(error.message);
    if (strncmp(how, "limited-", 8) == 0) try_limits(how + 8);
    try_calls(how + 6);
    return 0;
}
