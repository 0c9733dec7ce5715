// Extensions of the C library are asked for here alone.
#define _GNU_SOURCE 1
#include "base/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#ifndef GRAZE_WITHOUT_IMPORTER
#include <spawn.h>
#endif

#include "base/memory.h"

#ifdef __GLIBC__
#define SINCE_GLIBC(minor) __GLIBC_PREREQ(2, minor)
#else
#define SINCE_GLIBC(minor) 0
#endif
#ifndef MAP_POPULATE // Linux has it
#define MAP_POPULATE 0
#endif

// -------------------------------------------------------------------------------- texts of errors

const char *gz_errno_text(int number, char *buffer, size_t size) {
#ifdef __GLIBC__
    // GNU strerror_r: thread-safe, and returns the text wherever it put it.
    return strerror_r(number, buffer, size);
#else
    return strerror_r(number, buffer, size) == 0 ? buffer : "unknown error";
#endif
}

const char *gz_signal_text(int number) {
#if SINCE_GLIBC(32)
    const char *text = sigdescr_np(number);
#else
    const char *text = strsignal(number);
#endif
    return text ? text : "unknown";
}

// ----------------------------------------------------------------------------------------- files

static graze_status fail_file(graze_error *error, const char *path, int number) {
    graze_status status = number == ENOENT || number == ENOTDIR ? GRAZE_ERROR_NOT_FOUND
                                                                : GRAZE_ERROR_IO;
    if (number == ENOMEM) status = GRAZE_ERROR_NO_MEMORY;
    char reason[128];
    return gz_fail_at(error, status, (gz_place){.file = path}, "cannot be read: %s",
                      gz_errno_text(number, reason, sizeof reason));
}

// O_NONBLOCK: opening a pipe that nobody writes to must not hang.
static int open_file(const char *path) {
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static graze_status read_open_file(int descriptor, const char *path, uint64_t limit_bytes,
                                   char **bytes, size_t *size, graze_error *error) {
    gz_place place = {.file = path};
    struct stat about;
    if (fstat(descriptor, &about) != 0) return fail_file(error, path, errno);
    if (S_ISDIR(about.st_mode))
        return gz_fail_at(error, GRAZE_ERROR_IO, place, "a folder; allowed: a regular file");
    if (!S_ISREG(about.st_mode))
        return gz_fail_at(error, GRAZE_ERROR_IO, place,
                          "a device, pipe or socket; allowed: a regular file");
    uint64_t length = (uint64_t)about.st_size;
    if (length > limit_bytes || length >= SIZE_MAX)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, place,
                          "%llu bytes; allowed: at most %llu (limits.file_bytes)",
                          (unsigned long long)length, (unsigned long long)limit_bytes);
    char *memory = gz_malloc((size_t)length + 1, 1);
    if (!memory) return gz_fail_memory(error);
    size_t have = 0;
    ssize_t n = 1;
    while (have < length && n) {
        n = read(descriptor, memory + have, (size_t)length - have);
        if (n < 0 && errno != EINTR) break;
        if (n > 0) have += (size_t)n;
    }
    memory[have] = '\0';
    *bytes = memory;
    *size = have;
    if (have == length) return GRAZE_OK;
    if (n < 0) return fail_file(error, path, errno);
    return gz_fail_at(error, GRAZE_ERROR_IO, place,
                      "ended after %zu of %llu bytes: it shrank while it was read", have,
                      (unsigned long long)length);
}

graze_status gz_file_read(const char *path, uint64_t limit_bytes, char **bytes, size_t *size,
                          graze_error *error) {
    *bytes = NULL;
    *size = 0;
    int descriptor = open_file(path);
    if (descriptor < 0) return fail_file(error, path, errno);
    graze_status status = read_open_file(descriptor, path, limit_bytes, bytes, size, error);
    close(descriptor);
    if (!status) return GRAZE_OK;
    gz_free(*bytes);
    *bytes = NULL;
    *size = 0;
    return status;
}

bool gz_file_exists(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
}

bool gz_folder_exists(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

size_t gz_file_begin(const char *path, char *bytes, size_t size) {
    int descriptor = open_file(path);
    if (descriptor < 0) return 0;
    struct stat about;
    ssize_t n = fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode)
                    ? read(descriptor, bytes, size)
                    : 0;
    close(descriptor);
    return n < 0 ? 0 : (size_t)n;
}

static graze_status map(int descriptor, const char *path, const unsigned char **bytes, size_t *size,
                        graze_error *error) {
    struct stat about;
    if (fstat(descriptor, &about) != 0) return fail_file(error, path, errno);
    if (!S_ISREG(about.st_mode))
        return gz_fail_at(error, GRAZE_ERROR_IO, (gz_place){.file = path},
                          "a folder, device, pipe or socket; allowed: a regular file");
    if (about.st_size < 1 || (uint64_t)about.st_size > SIZE_MAX / 2)
        return gz_fail_at(error, GRAZE_ERROR_PARSE, (gz_place){.file = path},
                          "%lld bytes; allowed: at least 1", (long long)about.st_size);
    *size = (size_t)about.st_size;
    // All of it will be looked at: one call maps what is in memory already, instead of a fault for
    // every few pages.
    void *mapped = mmap(NULL, *size, PROT_READ, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    if (mapped == MAP_FAILED) return fail_file(error, path, errno);
    *bytes = mapped;
    return GRAZE_OK;
}

graze_status gz_file_map(const char *path, const unsigned char **bytes, size_t *size,
                         graze_error *error) {
    int descriptor = open_file(path);
    if (descriptor < 0) return fail_file(error, path, errno);
    graze_status status = map(descriptor, path, bytes, size, error);
    close(descriptor);
    return status;
}

void gz_file_unmap(const unsigned char *bytes, size_t size) {
    munmap((void *)(uintptr_t)bytes, size); // never written to
}

// ---------------------------------------------------------------------------------------- memory

void gz_memory_populate(void *memory, size_t count, size_t size) {
#ifdef MADV_POPULATE_WRITE // Linux 5.14; older ones refuse, and hand out pages one by one
    enum { PAGE = 4096, LEAST = 8 * PAGE };
    size_t total = count * size;
    if (!memory || total < LEAST) return;
    uintptr_t from = ((uintptr_t)memory + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    uintptr_t to = ((uintptr_t)memory + total) & ~(uintptr_t)(PAGE - 1);
    (void)madvise((void *)from, to - from, MADV_POPULATE_WRITE);
#else
    (void)memory, (void)count, (void)size;
#endif
}

const char *gz_bytes_find(const char *bytes, size_t size, const char *text) {
    return memmem(bytes, size, text, strlen(text));
}

// -------------------------------------------------------------------------------------- programs

#ifndef GRAZE_WITHOUT_IMPORTER

// posix_spawn and not fork: safe with other threads about, and no copy of a host's memory map.
int gz_process_start(int32_t *pid, const char *path, int socket) {
    pid_t started = 0;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (posix_spawnattr_init(&attributes)) return ENOMEM;
    if (posix_spawn_file_actions_init(&actions)) {
        posix_spawnattr_destroy(&attributes);
        return ENOMEM;
    }
    const short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;
    bool failed = posix_spawnattr_setsigmask(&attributes, &none) ||
                  posix_spawnattr_setsigdefault(&attributes, &all) ||
                  posix_spawnattr_setpgroup(&attributes, 0) ||
                  posix_spawnattr_setflags(&attributes, flags) ||
                  posix_spawn_file_actions_adddup2(&actions, socket, 0) ||
                  posix_spawn_file_actions_adddup2(&actions, socket, 1) ||
                  posix_spawn_file_actions_addclose(&actions, 2);
#if SINCE_GLIBC(34)
    // Descriptors that the host left open across exec; the importer closes them, too.
    failed = failed || posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#endif
    // posix_spawn only reads the arguments; POSIX kept char * for old callers.
    char *const arguments[] = {(char *)path, NULL};
    char *const environment[] = {NULL};
    int number = failed
                     ? ENOMEM
                     : posix_spawn(&started, path, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    *pid = (int32_t)started;
    return number;
}

#endif
