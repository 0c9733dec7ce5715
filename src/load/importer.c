#include "load/importer.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "load/import_message.h"

/// One import under way.
typedef struct exchange {
    gz_importer_process *process;
    const gz_mesh_input *input;
    gz_soup *soup;
    graze_error *error;
    gz_import_reply reply;
    bool broken; ///< the stream ended early: how the process ended says why
} exchange;

// -------------------------------------------------------------------------------------- request

static gz_import_request make_request(const gz_import_job *job, const gz_mesh_input *input) {
    uint64_t memory = input->budget->memory_left;
    gz_import_request request = {
        .magic = GZ_IMPORT_REQUEST,
        .self_size = sizeof request,
        .version = GRAZE_VERSION,
        .size = job->files[0].size,
        .address_space = memory < UINT64_MAX - GZ_IMPORT_OVERHEAD ? memory + GZ_IMPORT_OVERHEAD
                                                                  : UINT64_MAX,
        .cpu_seconds = input->options->importer_seconds,
        .replace_root = job->replace_root,
        .root_scale = job->root_scale,
        .up = (uint32_t)job->up,
        .scale = {input->scale[0], input->scale[1], input->scale[2]},
        .limits = input->options->limits,
        .triangles_left = input->budget->triangles_left,
        .memory_left = memory,
    };
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
    if (gz_importer_process_receive(x->process, bytes, size)) return GRAZE_OK;
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
    bool fine = reply->status == GRAZE_OK;
    if (fine != (reply->message_size == 0) || reply->message_size >= GRAZE_MESSAGE_SIZE)
        return fail_reply(x, "a message size of", reply->message_size,
                          "0 without an error, 1 to 1023 with one");
    if (!fine && (reply->vertex_count || reply->triangle_count))
        return fail_reply(x, "a vertex count of", reply->vertex_count, "nothing beside an error");
    return GRAZE_OK;
}

/// The error that the importer found in the file, in its words.
static graze_status receive_error(exchange *x) {
    char message[GRAZE_MESSAGE_SIZE];
    graze_status status = receive(x, message, x->reply.message_size);
    if (status) return status;
    message[x->reply.message_size] = '\0';
    if (x->reply.status != GRAZE_ERROR_NO_MEMORY)
        return gz_fail_at(x->error, (graze_status)x->reply.status, gz_mesh_place(x->input, 0), "%s",
                          message);
    const graze_limits *limits = &x->input->options->limits;
    return gz_fail_at(x->error, GRAZE_ERROR_LIMIT, gz_mesh_place(x->input, 0),
                      "the import takes more than %" PRIu64 " bytes; allowed: what memory_bytes of "
                      "%" PRIu64 " for one load leaves",
                      x->input->budget->memory_left, limits->memory_bytes);
}

static graze_status receive_vertices(exchange *x) {
    gz_soup *soup = x->soup;
    size_t count = (size_t)x->reply.vertex_count;
    if (!count) return GRAZE_OK; // and perhaps no array
    double *vertices = soup->vertices + 3 * soup->vertex_count;
    graze_status status = receive(x, vertices, count * 3 * sizeof *vertices);
    for (size_t i = 0; i < 3 * count && !status; i++)
        if (!(fabs(vertices[i]) <= GZ_COORDINATE_MAX))
            status = fail_reply(x, "a coordinate out of range, number", i, "-1048576 to 1048576 m");
    return status;
}

static graze_status receive_triangles(exchange *x) {
    gz_soup *soup = x->soup;
    size_t count = (size_t)x->reply.triangle_count;
    if (!count) return GRAZE_OK;
    uint32_t *triangles = soup->triangles + 3 * soup->triangle_count;
    uint32_t base = (uint32_t)soup->vertex_count;
    graze_status status = receive(x, triangles, count * 3 * sizeof *triangles);
    for (size_t i = 0; i < 3 * count && !status; i++) {
        if (triangles[i] >= x->reply.vertex_count)
            status = fail_reply(x, "vertex index", triangles[i], "below its vertex count");
        triangles[i] += base; // fits: gz_mesh_reserve() has judged the sum of the counts
    }
    return status;
}

/// Bytes of an answer by its counts, for which there was memory.
static uint64_t answer_size(const gz_import_reply *reply) {
    return sizeof *reply + gz_mesh_cost(reply->vertex_count, reply->triangle_count);
}

static graze_status receive_reply(exchange *x) {
    graze_status status = receive_head(x);
    if (status) return status;
    if (x->reply.status) return receive_error(x);
    // Room for no more than the budget allows.
    status = gz_mesh_reserve(x->input, x->soup, x->reply.vertex_count, x->reply.triangle_count,
                             x->error);
    if (!status) status = receive_vertices(x);
    if (!status) status = receive_triangles(x);
    if (!status && !gz_importer_process_is_done(x->process)) {
        if (!x->process->late)
            return fail_reply(x, "more bytes than", answer_size(&x->reply), "what its counts say");
        x->broken = true;
        status = GRAZE_ERROR_LIMIT;
    }
    return status;
}

// --------------------------------------------------------------------------------------- import

graze_status gz_importer_read(gz_importer_process *process, const gz_import_job *job,
                              const gz_mesh_input *input, gz_soup *soup, graze_error *error) {
    exchange x = {.process = process, .input = input, .soup = soup, .error = error};
    gz_importer_process_begin(process);
    gz_import_request request = make_request(job, input);
    // An importer that could not confine itself answers without having read the file, and one that
    // died has its end to tell: so the answer is looked for even when the request did not get out.
    bool sent = gz_importer_process_send(process, &request, sizeof request) &&
                gz_importer_process_send(process, job->files[0].bytes, job->files[0].size);
    graze_status status = receive_reply(&x);
    gz_importer_process_end(process);
    if (x.broken) return gz_importer_process_fail(process, input, error);
    if (status) return status;
    // A whole answer of one that crashed after it, or that did not want its input, is none.
    if (!sent || !gz_importer_process_ended_well(process))
        return gz_importer_process_fail(process, input, error);
    soup->vertex_count += (size_t)x.reply.vertex_count;
    soup->triangle_count += (size_t)x.reply.triangle_count;
    return GRAZE_OK;
}
