#include "cli/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/text.h"

static int fail(const gz_output *output, const char *what, int error) {
    // Whoever closed the pipe knows; the status is that of a program that the signal has ended.
    if (error == EPIPE) return 128 + SIGPIPE;
    const char *name = output->path != NULL ? output->path : "standard output";
    gz_message("%s: %s: %s", name, what, strerror(error));
    return GZ_EXIT_INPUT;
}

// ----------------------------------------------------------------------------- unfinished files
//
// A file is written under a name of its own in the folder where it belongs, and locked as long as
// it is written: a name without a lock is left of a run that was killed, and nobody's.

#define UNFINISHED ".graze-unfinished-"
enum { FOLDER_ENTRIES = 4096 }; // of a folder that are looked at

/// Removes a file of that name if it is a user's own, and no process writes it.
static void remove_stale(int folder, const char *name) {
    struct stat file;
    if (gz_unfinished_is(name)) return;
    int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &file) == 0 && file.st_nlink == 1)
        unlinkat(folder, name, 0);
    close(fd);
}

static void remove_stale_files(int folder) {
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (list == NULL) {
        if (copy >= 0) close(copy);
        return;
    }
    const struct dirent *entry;
    for (int i = 0; i < FOLDER_ENTRIES && (entry = readdir(list)) != NULL; i++)
        if (strncmp(entry->d_name, UNFINISHED, strlen(UNFINISHED)) == 0)
            remove_stale(folder, entry->d_name);
    closedir(list);
}

/// Makes a file under a name that is free, and notes it. Returns its descriptor, or -1 with errno.
static int make_noted(gz_output *output) {
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before); // a signal between would leave the file behind
    int fd = -1;
    errno = EEXIST;
    for (unsigned i = 0; fd < 0 && errno == EEXIST && i < 1000; i++) {
        snprintf(output->aside, sizeof output->aside, UNFINISHED "%ld-%u", (long)getpid(), i);
        fd = openat(output->folder, output->aside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    }
    int error = errno;
    if (fd >= 0)
        output->noted = gz_unfinished_add(output->folder, output->aside);
    else
        output->aside[0] = '\0';
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return fd;
}

/// make_noted(), and locks it until `held` is closed.
static int make_unfinished(gz_output *output) {
    for (int tries = 0; tries < 100; tries++) {
        struct stat file;
        int fd = make_noted(output);
        if (fd < 0) return -1;
        // Another run may have taken it for nobody's before it was locked. Some file systems have
        // no locks: there, nothing is ever taken for nobody's.
        bool locked = flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
        bool own = locked && fstat(fd, &file) == 0 && file.st_nlink > 0;
        if (own) output->held = fcntl(fd, F_DUPFD_CLOEXEC, 0);
        if (output->held >= 0) return fd;
        int error = errno;
        close(fd);
        // What is its own, gz_output_abandon() removes.
        if (own) errno = error;
        if (own) return -1;
        gz_unfinished_forget(output->noted);
        output->noted = -1;
    }
    output->aside[0] = '\0';
    errno = EBUSY;
    return -1;
}

/// The folder of a path, as far as the name in it; where it is too long, it is no folder.
static const char *folder_of(const char *path, char folder[PATH_MAX]) {
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    snprintf(folder, PATH_MAX, "%.*s.", (int)(name - path), path);
    return name;
}

/// Opens the folder of `path`, and notes the name in it. Returns an exit status.
static int open_folder(gz_output *output, const char *path) {
    char folder[PATH_MAX];
    const char *name = folder_of(path, folder);
    output->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (output->folder < 0) return fail(output, "cannot be written", errno);
    output->place = gz_string_copy(name);
    if (output->place != NULL) return GZ_EXIT_FINE;
    close(output->folder);
    return gz_message_no_memory();
}

/// Makes the file beside `path` that will take its place, with the permissions that a new file
/// would have had.
static int open_aside(gz_output *output, const char *path) {
    // From here on a signal must not end the program as it stands: the file would stay behind.
    gz_interrupt_catch();
    GZ_TRY_EXIT(open_folder(output, path));
    remove_stale_files(output->folder);
    if (strlen(output->place) > NAME_MAX) return fail(output, "cannot be written", ENAMETOOLONG);
    int fd = make_unfinished(output);
    if (fd < 0) return fail(output, "cannot be written", errno);
    mode_t mask = umask(0);
    umask(mask);
    struct stat old;
    mode_t mode = stat(path, &old) == 0 ? old.st_mode & 0777 : 0666 & ~mask;
    output->stream = fchmod(fd, mode) == 0 ? fdopen(fd, "wb") : NULL;
    if (output->stream != NULL) return GZ_EXIT_FINE;
    int status = fail(output, "cannot be written", errno);
    close(fd);
    return status;
}

// -------------------------------------------------------------------------------------- outputs

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int open_path(gz_output *output, const char *path) {
    if (path == NULL || strcmp(path, "-") == 0) {
        output->stream = stdout;
        return GZ_EXIT_FINE;
    }
    struct stat file, printed;
    bool exists = stat(path, &file) == 0;
    // /dev/stdout where that is a file: beside it, what was printed before would be lost.
    if (exists && S_ISREG(file.st_mode) && fstat(STDOUT_FILENO, &printed) == 0 &&
        same_file(&file, &printed)) {
        output->stream = stdout;
        return GZ_EXIT_FINE;
    }
    output->path = path;
    if (exists && S_ISDIR(file.st_mode)) return fail(output, "cannot be written", EISDIR);
    if (!exists || S_ISREG(file.st_mode)) {
        // A link stays one: what it leads to is written.
        char real[PATH_MAX];
        struct stat link;
        bool linked = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
        if (linked && realpath(path, real) == NULL) return fail(output, "cannot be written", errno);
        return open_aside(output, linked ? real : path);
    }
    // A device, pipe or socket has no place to be renamed to.
    output->stream = fopen(path, "wb");
    return output->stream != NULL ? GZ_EXIT_FINE : fail(output, "cannot be written", errno);
}

int gz_output_open(gz_output *output, const char *path) {
    *output = (gz_output){.held = -1, .noted = -1};
    output->status = open_path(output, path);
    if (output->status != GZ_EXIT_FINE) gz_output_abandon(output);
    return output->status;
}

bool gz_output_failed(const gz_output *output) {
    return ferror(output->stream) != 0;
}

int gz_output_finish(gz_output *output) {
    if (output->status != GZ_EXIT_FINE) return output->status;
    errno = 0;
    bool good = fflush(output->stream) == 0 && ferror(output->stream) == 0;
    int error = output->error != 0 ? output->error : errno;
    if (output->stream != stdout) {
        if (fclose(output->stream) != 0 && good) {
            good = false;
            error = errno;
        }
        output->stream = NULL;
    }
    if (good && output->place != NULL && gz_interrupted()) {
        gz_output_abandon(output);
        return gz_interrupt_exit();
    }
    if (good && output->place != NULL) {
        good = renameat(output->folder, output->aside, output->folder, output->place) == 0;
        error = errno;
        if (good) output->aside[0] = '\0'; // nothing is left to remove
    }
    // ferror() remembers a failure whose errno is gone by now.
    int status = good ? GZ_EXIT_FINE : fail(output, "write failed", error != 0 ? error : EIO);
    gz_output_abandon(output);
    return status;
}

void gz_output_abandon(gz_output *output) {
    if (output->stream != NULL && output->stream != stdout) fclose(output->stream);
    output->stream = NULL;
    if (output->place == NULL) return;
    if (output->aside[0] != '\0') unlinkat(output->folder, output->aside, 0);
    gz_unfinished_forget(output->noted);
    if (output->held >= 0) close(output->held);
    close(output->folder);
    gz_free(output->place);
    output->place = NULL;
}

int gz_output_write(const char *path, gz_output_writer *write, const void *answer) {
    gz_output output;
    GZ_TRY_EXIT(gz_output_open(&output, path));
    int status = write(output.stream, answer);
    if (status == GZ_EXIT_FINE) return gz_output_finish(&output);
    gz_output_abandon(&output);
    return status;
}

int gz_output_write_file(const char *path, const void *data, size_t size) {
    gz_output output;
    if (gz_output_open(&output, path) == GZ_EXIT_FINE && size > 0 &&
        fwrite(data, 1, size, output.stream) != size)
        output.error = errno;
    return gz_output_finish(&output);
}

/// Whether two paths lead to one file, or will: the same name in the same folder.
static bool same_place(const char *a, const char *b) {
    struct stat x, y;
    char folders[2][PATH_MAX];
    if (strcmp(a, b) == 0) return true;
    bool is_a = stat(a, &x) == 0, is_b = stat(b, &y) == 0;
    if (is_a || is_b) return is_a && is_b && same_file(&x, &y);
    return strcmp(folder_of(a, folders[0]), folder_of(b, folders[1])) == 0 &&
           stat(folders[0], &x) == 0 && stat(folders[1], &y) == 0 && same_file(&x, &y);
}

bool gz_output_replaces(const char *output, const char *file) {
    struct stat found;
    if (strcmp(output, "-") == 0 || strcmp(file, "-") == 0) return false;
    if (stat(output, &found) == 0 && !S_ISREG(found.st_mode)) return false;
    return same_place(output, file);
}

bool gz_output_replaces_stdin(const char *output) {
    struct stat found, input;
    return strcmp(output, "-") != 0 && stat(output, &found) == 0 && S_ISREG(found.st_mode) &&
           fstat(STDIN_FILENO, &input) == 0 && found.st_dev == input.st_dev &&
           found.st_ino == input.st_ino;
}

const char *gz_output_shared(const char *const *paths, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; paths[i] != NULL && k < i; k++) {
            if (paths[k] == NULL) continue;
            bool printed = strcmp(paths[i], "-") == 0 && strcmp(paths[k], "-") == 0;
            if (printed || gz_output_replaces(paths[i], paths[k])) return paths[i];
        }
    return NULL;
}

void gz_npy_header_write(FILE *stream, const char *descr, size_t count, size_t columns) {
    enum { SIZE = 128, PREFIX = 10 };
    char header[SIZE + 1], shape[64];
    snprintf(shape, sizeof shape, columns > 0 ? "(%zu, %zu)" : "(%zu,)", count, columns);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)(SIZE - PREFIX);
    header[9] = 0;
    int used = snprintf(header + PREFIX, sizeof header - PREFIX,
                        "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape);
    snprintf(header + PREFIX + used, sizeof header - PREFIX - (size_t)used, "%*s\n",
             SIZE - PREFIX - used - 1, "");
    fwrite(header, 1, SIZE, stream);
}

void gz_npy_items_write(FILE *stream, const void *items, size_t size, size_t count) {
    const uint16_t one = 1;
    const bool little = *(const uint8_t *)&one == 1;
    const uint8_t *bytes = items;
    for (size_t i = 0; i < count; i++, bytes += size)
        for (size_t k = 0; k < size; k++) putc(bytes[little ? k : size - 1 - k], stream);
}

bool gz_output_hold_standard(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
        // The lowest number that is free: this one. For the wrong direction, so that it stays as
        // unusable as it was.
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) return false;
    }
    return true;
}

int gz_output_close_stdout(void) {
    gz_output output = {.stream = stdout, .held = -1, .noted = -1};
    return gz_output_finish(&output);
}

bool gz_output_colors(FILE *stream) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if (no != NULL && no[0] != '\0') return false;
    if (term == NULL || strcmp(term, "dumb") == 0) return false;
    return isatty(fileno(stream)) == 1;
}

bool gz_shell_bare(const char *text) {
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-./:=,+@%";
    return text[strspn(text, bare)] == '\0';
}

void gz_shell_inside(FILE *stream, const char *text) {
    for (text = GZ_PLAIN(text); *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", stream);
        else
            fputc(*text, stream);
}

void gz_csv_field(FILE *stream, const char *text) {
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        if (*text == '"') fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}
