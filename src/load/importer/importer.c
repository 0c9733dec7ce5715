#include "load/importer/importer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "load/mesh/mesh_input.h"

/// One import under way.
typedef struct exchange {
    gz_importer_process process;
    const gz_mesh_input *input;
    gz_soup *soup;
    graze_error *error;
    gz_import_reply reply;
    char message[GRAZE_MESSAGE_SIZE];
    bool broken; ///< the stream ended early: how the process ended is the error
} exchange;

// -------------------------------------------------------------------------------------- request

static gz_import_request make_request(const gz_mesh_input *input, const char *ending) {
    uint64_t memory = input->budget->memory_left;
    gz_import_request request = {
        .magic = GZ_IMPORT_REQUEST,
        .self_size = sizeof request,
        .version = GRAZE_VERSION,
        .size = input->size,
        .address_space = memory < UINT64_MAX - GZ_IMPORT_OVERHEAD ? memory + GZ_IMPORT_OVERHEAD
                                                                  : UINT64_MAX,
        .cpu_seconds = input->options->importer_seconds,
        .collada = input->options->collada,
        .scale = {input->scale[0], input->scale[1], input->scale[2]},
        .limits = input->options->limits,
        .triangles_left = input->budget->triangles_left,
        .memory_left = memory,
    };
    snprintf(request.ending, sizeof request.ending, "%s", ending);
    return request;
}

// ---------------------------------------------------------------------------------------- reply

static graze_status fail_reply(const exchange *x, const char *what, uint64_t found,
                               const char *allowed) {
    return gz_fail_at(x->error, GRAZE_ERROR_IO, gz_mesh_place(x->input, 0),
                      "the importer's answer has %s %" PRIu64 "; allowed: %s", what, found,
                      allowed);
}

static graze_status receive(exchange *x, void *bytes, size_t size) {
    if (gz_importer_process_receive(&x->process, bytes, size)) return GRAZE_OK;
    x->broken = true;
    return GRAZE_ERROR_IO;
}

static graze_status receive_head(exchange *x) {
    gz_import_reply *reply = &x->reply;
    graze_status status = receive(x, reply, sizeof *reply);
    if (status) return status;
    if (reply->magic != GZ_IMPORT_REPLY)
        return fail_reply(x, "the mark", reply->magic, "that of graze-import " GRAZE_VERSION);
    if (reply->status >= GRAZE_ERROR_CANCELLED)
        return fail_reply(x, "status", reply->status, "0 to 10");
    if ((reply->status && !reply->message_size) || reply->message_size >= GRAZE_MESSAGE_SIZE)
        return fail_reply(x, "a message size of", reply->message_size,
                          "1 to 1023; 0 without an error");
    if (reply->status && (reply->vertex_count || reply->triangle_count))
        return fail_reply(x, "a vertex count of", reply->vertex_count, "nothing beside an error");
    status = receive(x, x->message, reply->message_size);
    gz_import_plain(x->message);
    return status;
}

/// The error that the importer found in the file, in its words.
static graze_status fail_as_told(exchange *x) {
    const gz_mesh_input *input = x->input;
    if (x->reply.status != GRAZE_ERROR_NO_MEMORY)
        return gz_fail_at(x->error, (graze_status)x->reply.status, gz_mesh_place(input, 0), "%s",
                          x->message);
    return gz_fail_at(x->error, GRAZE_ERROR_LIMIT, gz_mesh_place(input, 0),
                      "the import takes more than %" PRIu64 " bytes; allowed: what memory_bytes of "
                      "%" PRIu64 " for one load leaves",
                      input->budget->memory_left, input->options->limits.memory_bytes);
}

static graze_status receive_vertices(exchange *x) {
    size_t count = 3 * (size_t)x->reply.vertex_count;
    if (!count) return GRAZE_OK; // and perhaps no array
    double *vertices = x->soup->vertices + 3 * x->soup->vertex_count;
    graze_status status = receive(x, vertices, count * sizeof *vertices);
    for (size_t i = 0; i < count && !status; i++)
        if (!(fabs(vertices[i]) <= GZ_COORDINATE_MAX))
            status = fail_reply(x, "a coordinate out of range, number", i, "-1048576 to 1048576 m");
    return status;
}

static graze_status receive_triangles(exchange *x) {
    size_t count = 3 * (size_t)x->reply.triangle_count;
    if (!count) return GRAZE_OK;
    uint32_t *triangles = x->soup->triangles + 3 * x->soup->triangle_count;
    uint32_t base = (uint32_t)x->soup->vertex_count;
    graze_status status = receive(x, triangles, count * sizeof *triangles);
    for (size_t i = 0; i < count && !status; i++) {
        if (triangles[i] >= x->reply.vertex_count)
            status = fail_reply(x, "vertex index", triangles[i], "below its vertex count");
        triangles[i] += base; // fits: gz_mesh_reserve() has judged the sum of the counts
    }
    return status;
}

static graze_status receive_reply(exchange *x) {
    const gz_import_reply *reply = &x->reply;
    graze_status status = receive_head(x);
    if (status) return status;
    if (reply->status) return fail_as_told(x);
    // Room for no more than the budget allows.
    status = gz_mesh_reserve(x->input, x->soup, reply->vertex_count, reply->triangle_count,
                             x->error);
    if (!status) status = receive_vertices(x);
    if (!status) status = receive_triangles(x);
    if (!status && !gz_importer_process_is_done(&x->process)) {
        if (!x->process.late)
            return fail_reply(x, "more bytes than",
                              sizeof *reply + reply->message_size +
                                  gz_mesh_cost(reply->vertex_count, reply->triangle_count),
                              "what its counts say");
        x->broken = true;
        status = GRAZE_ERROR_LIMIT;
    }
    return status;
}

// --------------------------------------------------------------------------------------- import

static graze_status read_apart(exchange *x, const char *ending) {
    const gz_mesh_input *input = x->input;
    gz_importer_process *process = &x->process;
    graze_status status = gz_importer_process_start(process, input, x->error);
    if (status) return status;
    gz_import_request request = make_request(input, ending);
    // An importer that could not confine itself answers without having read the file, and how one
    // died is only known at its end: so the answer is waited for even when the request failed.
    bool sent = gz_importer_process_send(process, &request, sizeof request) &&
                gz_importer_process_send(process, input->bytes, input->size);
    status = receive_reply(x);
    gz_importer_process_end(process);
    if (x->broken) return gz_importer_process_fail(process, input, x->error);
    if (status) return status;
    // A whole answer of one that crashed after it, or that did not want its input, is none.
    if (!sent || !gz_importer_process_ended_well(process))
        return gz_importer_process_fail(process, input, x->error);
    x->soup->vertex_count += (size_t)x->reply.vertex_count;
    x->soup->triangle_count += (size_t)x->reply.triangle_count;
    return GRAZE_OK;
}

static void warn(const exchange *x) {
    const gz_mesh_input *input = x->input;
    const gz_import_findings *found = &x->reply.findings;
    gz_warn(input->warnings, "read-by-assimp", gz_mesh_place(input, 0),
            "read by assimp, in single precision, and perhaps not whole: %s", x->message);
    if (found->rest_poses)
        gz_warn(input->warnings, "mesh-skin", gz_mesh_place(input, 0),
                "%" PRIu64 " meshes have a skeleton or morph targets; they are read in their rest "
                "pose",
                found->rest_poses);
    gz_polygons polygons = {.skipped = (size_t)found->skipped, .fans = found->fans};
    gz_polygons_end(&polygons, input, x->soup);
}

graze_status gz_importer_read(const gz_mesh_input *input, const char *ending, gz_soup *soup,
                              graze_error *error) {
    const graze_load_options *options = input->options;
    exchange x = {.input = input, .soup = soup, .error = error};
    if (!options->importer && !options->importer_in_process)
        return gz_fail_at(error, GRAZE_ERROR_UNSUPPORTED, gz_mesh_place(input, 0),
                          "assimp is to read the file, and there is no importer; allowed: "
                          "graze_load_options.importer, the path of graze-import");
    if (strlen(ending) >= GZ_IMPORT_ENDING_SIZE)
        return gz_fail_at(error, GRAZE_ERROR_UNSUPPORTED, gz_mesh_place(input, 0),
                          "the ending .%.40s; allowed: at most %d letters", ending,
                          GZ_IMPORT_ENDING_SIZE - 1);
    // Text becomes a tree, then index lists and unshared vertices: about 16 bytes for each byte.
    graze_status status = gz_mesh_check_memory(input, 16 * (uint64_t)input->size, "assimp", error);
    if (!status)
        status = options->importer_in_process
                     ? options->importer_in_process->read(input, ending, soup, &x.reply.findings,
                                                          x.message, error)
                     : read_apart(&x, ending);
    if (!status) warn(&x);
    return status;
}
