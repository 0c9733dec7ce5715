/// graze-import: takes one mesh file from its standard input, which is a socket, has assimp read
/// it, confined, and answers on its standard output. The other end is src/load/importer/.
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "import/import.h"

/// An exchange that its host broke off needs no answer.
enum { BROKEN = 3, USAGE = 2 };

/// Reads from the socket, or writes to it, so many bytes.
static void transfer(void *bytes, size_t size, bool writes) {
    char *at = bytes;
    while (size) {
        ssize_t n = writes ? write(1, at, size) : read(0, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) _exit(BROKEN);
        at += n;
        size -= (size_t)n;
    }
}

static void read_whole(void *bytes, size_t size) {
    transfer(bytes, size, false);
}

static void write_whole(const void *bytes, size_t size) {
    transfer((void *)(uintptr_t)bytes, size, true);
}

/// Answers with an error, its message, or with a mesh and a note on it.
static void answer(gz_import_reply reply, const char *message, const gz_soup *soup) {
    reply.magic = GZ_IMPORT_REPLY;
    reply.message_size = (uint32_t)strlen(message);
    write_whole(&reply, sizeof reply);
    write_whole(message, reply.message_size);
    write_whole(soup->vertices, 3 * reply.vertex_count * sizeof *soup->vertices);
    write_whole(soup->triangles, 3 * reply.triangle_count * sizeof *soup->triangles);
}

/// Reads the file and has assimp import it, confined.
static graze_status import(const gz_import_request *request, gz_soup *soup,
                           gz_import_findings *findings, char note[GRAZE_MESSAGE_SIZE],
                           graze_error *error) {
    char *bytes = gz_malloc((size_t)request->size + 1, 1);
    if (!bytes) return gz_fail_memory(error);
    read_whole(bytes, (size_t)request->size);
    bytes[request->size] = '\0';
    gz_warnings unheard = {0};
    graze_load_options options = {.limits = request->limits,
                                  .collada = (graze_collada)request->collada};
    gz_mesh_budget budget = {.triangles_left = request->triangles_left};
    gz_mesh_reader r = {.path = "",
                        .bytes = bytes,
                        .size = (size_t)request->size,
                        .scale = {request->scale[0], request->scale[1], request->scale[2]},
                        .options = &options,
                        .budget = &budget,
                        .warnings = &unheard,
                        .error = error,
                        .soup = soup};
    gz_memory_budget memory;
    gz_memory_budget_open(&memory, request->memory_left);
    graze_status status = gz_assimp_read(&r, request->ending, findings, note);
    gz_memory_budget_close(&memory);
    return status;
}

/// Whether the other end is of the same build; if not, nothing in the request means anything.
static graze_status check_request(const gz_import_request *request, graze_error *error) {
    if (request->magic == GZ_IMPORT_REQUEST && request->self_size == sizeof *request &&
        strncmp(request->version, GRAZE_VERSION, sizeof request->version) == 0)
        return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                   "graze-import " GRAZE_VERSION " was asked by another version; allowed: the same "
                   "version on both sides");
}

/// The process lives for one import: memory is taken in large pieces and never given back, which
/// saves most of the page faults of a fresh heap that grows and shrinks.
static void set_allocator(void) {
    mallopt(M_TOP_PAD, 32 << 20);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

int main(int argc, char **argv) {
    (void)argv;
    struct stat about;
    if (argc > 1 || fstat(0, &about) != 0 || !S_ISSOCK(about.st_mode)) {
        fputs("graze-import is started by graze, to read mesh files apart from it; it has no "
              "options\n",
              stderr);
        return USAGE;
    }
    gz_import_request request;
    gz_soup soup = {0};
    gz_import_reply reply = {0};
    graze_error error = {0};
    char note[GRAZE_MESSAGE_SIZE] = "";
    set_allocator();
    read_whole(&request, sizeof request);
    graze_status status = check_request(&request, &error);
    if (!status) status = gz_confine(&request, &error);
    if (!status) status = import(&request, &soup, &reply.findings, note, &error);
    if (status) {
        if (!error.message[0]) snprintf(error.message, sizeof error.message, "no reason given");
        answer((gz_import_reply){.status = status}, error.message, &soup);
    } else {
        reply.vertex_count = soup.vertex_count;
        reply.triangle_count = soup.triangle_count;
        answer(reply, note, &soup);
    }
    // Nothing is freed, and no destructor runs: what is left goes with the process.
    _exit(0);
}
