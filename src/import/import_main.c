/// graze-import: reads one Collada file from its standard input, which is a socket, has
/// assimp read it inside a cage, and answers on its standard output. The other end is
/// src/load/importer.c.
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "import/assimp_scene.h"
#include "import/confinement.h"
#include "load/import_message.h"

/// An exchange that its host broke off needs no answer.
enum { BROKEN = 3, USAGE = 2 };

static void read_whole(void *bytes, size_t size) {
    char *at = bytes;
    while (size) {
        ssize_t n = read(0, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) _exit(BROKEN);
        at += n;
        size -= (size_t)n;
    }
}

static void write_whole(const void *bytes, size_t size) {
    const char *at = bytes;
    while (size) {
        ssize_t n = write(1, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) _exit(BROKEN);
        at += n;
        size -= (size_t)n;
    }
}

static void answer_error(graze_status status, const graze_error *error) {
    const char *message = error->message[0] ? error->message : "no reason given";
    gz_import_reply reply = {
        .magic = GZ_IMPORT_REPLY, .status = status, .message_size = (uint32_t)strlen(message)};
    write_whole(&reply, sizeof reply);
    write_whole(message, reply.message_size);
}

static void answer_soup(const gz_soup *soup) {
    gz_import_reply reply = {.magic = GZ_IMPORT_REPLY,
                             .status = GRAZE_OK,
                             .vertex_count = soup->vertex_count,
                             .triangle_count = soup->triangle_count};
    write_whole(&reply, sizeof reply);
    write_whole(soup->vertices, 3 * soup->vertex_count * sizeof *soup->vertices);
    write_whole(soup->triangles, 3 * soup->triangle_count * sizeof *soup->triangles);
}

/// Reads the file and has assimp import it, inside the cage.
static graze_status import(const gz_import_request *request, gz_soup *soup, graze_error *error) {
    char *bytes = gz_malloc((size_t)request->size + 1, 1);
    if (!bytes) return gz_fail_memory(error);
    read_whole(bytes, (size_t)request->size);
    bytes[request->size] = '\0';

    char name[] = "mesh.dae";
    gz_memory_file file = {name, bytes, (size_t)request->size};
    gz_import_job job = {.files = &file,
                         .file_count = 1,
                         .replace_root = request->replace_root != 0,
                         .root_scale = request->root_scale,
                         .up = (char)request->up};
    gz_warnings unheard = {0};
    graze_load_options options = {.limits = request->limits};
    gz_mesh_budget budget = {.triangles_left = request->triangles_left,
                             .memory_left = request->memory_left};
    gz_mesh_input input = {.path = "",
                           .bytes = bytes,
                           .size = (size_t)request->size,
                           .scale = {request->scale[0], request->scale[1], request->scale[2]},
                           .options = &options,
                           .budget = &budget,
                           .warnings = &unheard};
    return gz_assimp_read(&job, &input, soup, error);
}

static graze_status confine(const gz_import_request *request, graze_error *error) {
    graze_status status = gz_confinement_detach(error);
    if (!status) status = gz_confinement_limit(request->address_space, request->cpu_seconds, error);
    return status ? status : gz_confinement_filter_calls(error);
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
        fputs("graze-import is started by graze, to read Collada files apart from it; it has no "
              "options\n",
              stderr);
        return USAGE;
    }
    gz_import_request request;
    gz_soup soup = {0};
    graze_error error = {0};
    set_allocator();
    read_whole(&request, sizeof request);
    graze_status status = check_request(&request, &error);
    if (!status) status = confine(&request, &error);
    if (!status) status = import(&request, &soup, &error);
    if (status)
        answer_error(status, &error);
    else
        answer_soup(&soup);
    // Nothing is freed, and no destructor runs: what is left goes with the process.
    _exit(0);
}
