/// What the linker puts in place of the system's functions (--wrap): they do as they should until
/// the plan says otherwise. Each call of the library and of the command comes past here, whatever
/// module it stands in; what libc, expat, jansson and libpng do among themselves does not.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "faults/faults.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
ssize_t __real_read(int file, void *bytes, size_t size);
ssize_t __real_pread(int file, void *bytes, size_t size, off_t offset);
ssize_t __real_recv(int socket, void *bytes, size_t size, int flags);
int __real_open(const char *path, int flags, ...);
FILE *__real_fopen(const char *path, const char *mode);
int __real_mkstemp(char *path);
int __real_rename(const char *from, const char *to);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *user);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
ssize_t __wrap_read(int file, void *bytes, size_t size);
ssize_t __wrap_pread(int file, void *bytes, size_t size, off_t offset);
ssize_t __wrap_recv(int socket, void *bytes, size_t size, int flags);
int __wrap_open(const char *path, int flags, ...);
FILE *__wrap_fopen(const char *path, const char *mode);
int __wrap_mkstemp(char *path);
int __wrap_rename(const char *from, const char *to);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *user);

// One plan for the process: the functions above have no argument for it.
static fault_plan armed;
static fault_counts *seen;
static bool spent; ///< the error or end of a read that comes once has come

/// Counts one more; whether it is the one of the plan.
static bool is_due(atomic_long *count, fault_kind kind) {
    long n = atomic_fetch_add(count, 1) + 1;
    return armed.kind == kind && n == armed.at;
}

// ------------------------------------------------------------------------------------ allocations

static bool refuse_allocation(void) {
    if (!seen) return false;
    long n = atomic_fetch_add(&seen->allocations, 1) + 1;
    if (armed.kind == FAULT_SIGNAL_ALLOCATION && n == armed.at) raise(SIGINT);
    bool refused = (armed.kind == FAULT_ALLOCATION && n == armed.at) ||
                   (armed.kind == FAULT_ALLOCATIONS && n >= armed.at);
    if (refused) errno = ENOMEM;
    return refused;
}

void *__wrap_malloc(size_t size) {
    return refuse_allocation() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return refuse_allocation() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    return refuse_allocation() ? NULL : __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return refuse_allocation() ? NULL : __real_aligned_alloc(alignment, size);
}

// ------------------------------------------------------------------------------------------ reads

/// How many bytes the next read may return, at most `size`; -1 with errno: it fails.
static ssize_t allowed_bytes(size_t size) {
    long n = atomic_fetch_add(&seen->reads, 1) + 1;
    long left = armed.at - atomic_load(&seen->bytes);
    switch (armed.kind) {
    case FAULT_SHORT_READS: {
        // 1 to 7 bytes: a multiplicative hash of the number of the read (Knuth, volume 3, 6.4).
        uint32_t mixed = (uint32_t)(n + 977 * armed.at) * 2654435761u;
        size_t few = 1 + (mixed >> 16) % 7;
        return (ssize_t)(few < size ? few : size);
    }
    case FAULT_SIGNAL_READ:
    case FAULT_INTERRUPTED_READ:
        if (n != armed.at) return (ssize_t)size;
        if (armed.kind == FAULT_SIGNAL_READ) raise(SIGINT);
        errno = EINTR;
        return -1;
    case FAULT_READ_ERROR:
    case FAULT_EARLY_END:
        if (spent || left > (long)size) return (ssize_t)size;
        if (left > 0) return left;
        spent = true;
        errno = EIO;
        return armed.kind == FAULT_READ_ERROR ? -1 : 0;
    default:
        return (ssize_t)size;
    }
}

static ssize_t count_bytes(ssize_t n) {
    if (n > 0) atomic_fetch_add(&seen->bytes, n);
    return n;
}

ssize_t __wrap_read(int file, void *bytes, size_t size) {
    if (!seen || size == 0) return __real_read(file, bytes, size);
    ssize_t allowed = allowed_bytes(size);
    return allowed > 0 ? count_bytes(__real_read(file, bytes, (size_t)allowed)) : allowed;
}

ssize_t __wrap_pread(int file, void *bytes, size_t size, off_t offset) {
    if (!seen || size == 0) return __real_pread(file, bytes, size, offset);
    ssize_t allowed = allowed_bytes(size);
    return allowed > 0 ? count_bytes(__real_pread(file, bytes, (size_t)allowed, offset)) : allowed;
}

ssize_t __wrap_recv(int socket, void *bytes, size_t size, int flags) {
    if (!seen || size == 0) return __real_recv(socket, bytes, size, flags);
    ssize_t allowed = allowed_bytes(size);
    return allowed > 0 ? count_bytes(__real_recv(socket, bytes, (size_t)allowed, flags)) : allowed;
}

// ------------------------------------------------------------------------------- streams that read

static ssize_t stream_read(void *cookie, char *bytes, size_t size) {
    return __wrap_read((int)(intptr_t)cookie, bytes, size);
}

static int stream_close(void *cookie) {
    return close((int)(intptr_t)cookie);
}

/// A stream of libc that reads past here: its own read() could not be wrapped. Its cookie is the
/// descriptor.
static FILE *open_stream(int file) {
    return fopencookie((void *)(intptr_t)file, "rb",
                       (cookie_io_functions_t){.read = stream_read, .close = stream_close});
}

// ------------------------------------------------------------------------------ files and threads

static bool refuse_open(bool writes) {
    if (!seen || !(writes ? is_due(&seen->outputs, FAULT_UNWRITABLE)
                          : is_due(&seen->opens, FAULT_UNREADABLE)))
        return false;
    errno = EACCES;
    return true;
}

int __wrap_open(const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    unsigned mode = flags & O_CREAT ? va_arg(args, unsigned) : 0;
    va_end(args);
    if (refuse_open((flags & O_ACCMODE) != O_RDONLY)) return -1;
    return __real_open(path, flags, mode);
}

FILE *__wrap_fopen(const char *path, const char *mode) {
    bool reads = strchr(mode, 'r') && !strchr(mode, '+');
    if (refuse_open(!reads)) return NULL;
    if (!seen || !reads) return __real_fopen(path, mode);
    int file = __real_open(path, O_RDONLY | O_CLOEXEC);
    return file >= 0 ? open_stream(file) : NULL;
}

int __wrap_mkstemp(char *path) {
    return refuse_open(true) ? -1 : __real_mkstemp(path);
}

int __wrap_rename(const char *from, const char *to) {
    return refuse_open(true) ? -1 : __real_rename(from, to);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *user) {
    if (!seen) return __real_pthread_create(thread, attributes, run, user);
    long n = atomic_fetch_add(&seen->threads, 1) + 1;
    if (armed.kind == FAULT_THREAD && n >= armed.at) return EAGAIN;
    return __real_pthread_create(thread, attributes, run, user);
}

// --------------------------------------------------------------------------------------------- arm

static void arm_timer(long microseconds) {
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGINT};
    struct itimerspec after = {.it_value = {.tv_sec = microseconds / 1000000,
                                            .tv_nsec = microseconds % 1000000 * 1000 + 1}};
    if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0 ||
        timer_settime(timer, 0, &after, NULL) != 0)
        abort();
}

/// In a build for line coverage: where its counts go, which would be cut short by a limit.
extern void __llvm_profile_set_filename(const char *name) __attribute__((weak));

void fault_arm(const fault_plan *plan, fault_counts *counts) {
    armed = *plan;
    seen = counts;
    spent = false;
    stdin = open_stream(0);
    if (plan->kind == FAULT_FULL_DISK) {
        signal(SIGXFSZ, SIG_IGN);
        struct rlimit limit = {(rlim_t)plan->at, (rlim_t)plan->at};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) abort();
        if (__llvm_profile_set_filename) __llvm_profile_set_filename("/dev/null");
    }
    if (plan->kind == FAULT_SIGNAL_TIME) arm_timer(plan->at);
}
