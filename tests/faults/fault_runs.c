/// One run of a scenario: a process of its own, its folder, and what it leaves there.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/faults.h"

#ifndef __has_feature // clang's; gcc defines __SANITIZE_ADDRESS__ instead
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
static bool leaks(void) {
    return __lsan_do_recoverable_leak_check() != 0;
}
#else
static bool leaks(void) {
    return false;
}
#endif

/// Seconds after which a run counts as one that hangs.
enum { PATIENCE = 300, WORDS = 48, PIPE_SIZE = 1 << 20 };

static void fail(const char *what) {
    perror(what);
    exit(2);
}

// ----------------------------------------------------------------------------------------- folder

static void read_all(fault_bytes *bytes, int file) {
    size_t capacity = 4096;
    *bytes = (fault_bytes){malloc(capacity), 0};
    for (;;) {
        if (!bytes->data) fail("malloc");
        ssize_t n = read(file, bytes->data + bytes->size, capacity - bytes->size - 1);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        bytes->size += (size_t)n;
        if (capacity - bytes->size < 2) bytes->data = realloc(bytes->data, capacity *= 2);
    }
    bytes->data[bytes->size] = '\0';
    close(file);
}

static void empty_folder(const char *path) {
    DIR *folder = opendir(path);
    if (!folder) fail(path);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.' && (!entry->d_name[1] || !strcmp(entry->d_name, "..")))
            continue;
        if (unlinkat(dirfd(folder), entry->d_name, 0) != 0) fail(entry->d_name);
    }
    closedir(folder);
}

static void prepare_folder(const char *path, const fault_run *before) {
    empty_folder(path);
    for (size_t i = 0; before && i < before->file_count; i++) {
        char name[1200];
        snprintf(name, sizeof name, "%s/%s", path, before->files[i].name);
        FILE *file = fopen(name, "wb");
        if (!file || fputs(FAULT_OLD_CONTENT, file) < 0 || fclose(file) != 0) fail(name);
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const fault_file *)a)->name, ((const fault_file *)b)->name);
}

static void gather_files(fault_run *run, const char *path) {
    DIR *folder = opendir(path);
    if (!folder) fail(path);
    for (struct dirent *entry; (entry = readdir(folder)) && run->file_count < FAULT_FILES;) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        fault_file *file = &run->files[run->file_count++];
        snprintf(file->name, sizeof file->name, "%.127s", entry->d_name);
        int descriptor = openat(dirfd(folder), entry->d_name, O_RDONLY | O_CLOEXEC);
        if (descriptor < 0) fail(entry->d_name);
        read_all(&file->content, descriptor);
    }
    closedir(folder);
    qsort(run->files, run->file_count, sizeof *run->files, by_name);
}

// ---------------------------------------------------------------------------------------- process

static void set_descriptor(const char *path, int flags, int target) {
    int file = open(path, flags | O_CLOEXEC, 0600);
    if (file < 0 || dup2(file, target) < 0) fail(path);
    close(file);
}

/// The process of a run: never returns.
static _Noreturn void become(const fault_scenario *scenario, const fault_plan *plan,
                             const char *folder, int messages, fault_counts *counts) {
    char path[1100];
    snprintf(path, sizeof path, "%s/in/%s", folder, scenario->input ? scenario->input : "");
    set_descriptor(scenario->input ? path : "/dev/null", O_RDONLY, 0);
    snprintf(path, sizeof path, "%s/stdout", folder);
    set_descriptor(path, O_WRONLY | O_CREAT | O_TRUNC, 1);
    snprintf(path, sizeof path, "%s/run", folder);
    if (dup2(messages, 2) < 0 || chdir(path) != 0) fail(path);
    alarm(PATIENCE);
    static char words[2048];
    static char *argv[WORDS + 1];
    snprintf(words, sizeof words, "%s", scenario->command);
    int argc = 0;
    for (char *word = strtok(words, " "); word && argc < WORDS; word = strtok(NULL, " "))
        argv[argc++] = word;
    fault_arm(plan, counts);
    int status = strcmp(argv[0], "library") == 0 ? fault_library_run(argc - 1, argv + 1)
                                                 : fault_command_main(argc, argv);
    // As exit() would. What could not be written was told by now; the library's scenarios tell
    // nothing that matters.
    fflush(stdout);
    fflush(stderr);
    _exit(leaks() ? FAULT_EXIT_LEAK : status);
}

static long processor_time(const struct rusage *usage) {
    return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000L + usage->ru_utime.tv_usec +
           usage->ru_stime.tv_usec;
}

static fault_counts *shared_counts(void) {
    static fault_counts *shared; // one page for all runs: there is one run at a time
    if (!shared) {
        void *page = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                          -1, 0);
        if (page == MAP_FAILED) fail("mmap");
        shared = page;
    }
    memset((void *)shared, 0, sizeof *shared);
    return shared;
}

void fault_run_scenario(fault_run *run, const fault_scenario *scenario, const fault_plan *plan,
                        const char *folder, const fault_run *before) {
    char path[1100];
    snprintf(path, sizeof path, "%s/run", folder);
    prepare_folder(path, before);
    *run = (fault_run){.counts = shared_counts()};
    int messages[2];
    // Room for all messages: nobody reads before the end.
    if (pipe2(messages, O_CLOEXEC) != 0 || fcntl(messages[1], F_SETPIPE_SZ, PIPE_SIZE) < 0)
        fail("pipe");
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) become(scenario, plan, folder, messages[1], run->counts);
    close(messages[1]);
    int status;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0)
        if (errno != EINTR) fail("wait4");
    run->status = WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
    run->microseconds = processor_time(&usage);
    read_all(&run->err, messages[0]);
    snprintf(path, sizeof path, "%s/stdout", folder);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) fail(path);
    read_all(&run->out, file);
    snprintf(path, sizeof path, "%s/run", folder);
    gather_files(run, path);
}

void fault_run_clear(fault_run *run) {
    free(run->out.data);
    free(run->err.data);
    for (size_t i = 0; i < run->file_count; i++) free(run->files[i].content.data);
    *run = (fault_run){0};
}
