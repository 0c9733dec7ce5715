#include "cli/plan/path_writer.h"

#include "cli/check/check_output.h"
#include "cli/input/configuration.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

/// What one configuration after the other is written with.
typedef struct path_scratch {
    gz_dump_writer writer;
    graze_workspace *workspace;
    double *q, base[GZ_BASE_SIZE];
    uint64_t count;
} path_scratch;

static graze_status no_memory(graze_error *error) {
    return gz_error_set(error, GRAZE_ERROR_NO_MEMORY, NULL, 0, 0, "out of memory");
}

static graze_status write_configuration(path_scratch *s, const graze_path *path, size_t edge,
                                        double t, graze_error *error) {
    graze_contact contact;
    graze_report report = {.contacts = &contact, .capacity = 1};
    const graze_checker *checker = s->writer.checker;
    size_t q_size = graze_robot_q_size(graze_checker_robot(checker));
    if (graze_path_interpolate(path, edge, t, s->q, s->base) != GRAZE_OK) return no_memory(error);
    graze_status status = graze_check(checker, s->workspace, GRAZE_ANSWER_FIRST, s->q, q_size,
                                      s->base, &report, error);
    if (status != GRAZE_OK) return status;
    gz_finding finding = {.index = s->count++,
                          .verdict = report.verdict,
                          .contacts = &contact,
                          .contact_count = report.count < 1 ? report.count : 1};
    gz_dump_writer_put(&s->writer, &finding, s->q, s->base);
    return GRAZE_OK;
}

/// Every configuration of every edge, the waypoints once.
static graze_status write_edges(path_scratch *s, const gz_path_dump *dump, graze_error *error) {
    graze_status status = GRAZE_OK;
    size_t edges = graze_path_count(dump->path) - 1;
    for (size_t e = 0; status == GRAZE_OK && e < edges; e++) {
        uint64_t steps = graze_path_steps(dump->path, e, dump->resolution);
        for (uint64_t k = e == 0 ? 0 : 1; status == GRAZE_OK && k <= steps; k++) {
            status = write_configuration(s, dump->path, e, (double)k / (double)steps, error);
        }
    }
    return status;
}

int gz_path_dump_write(gz_path_dump *dump) {
    graze_error error;
    int status = gz_output_open(&dump->output, dump->file);
    if (status != GZ_EXIT_FINE) return status;
    path_scratch s = {.writer = {.stream = dump->output.stream,
                                 .checker = dump->checker,
                                 .domain = dump->domain,
                                 .no_world = dump->no_world}};
    size_t q_size = graze_robot_q_size(graze_checker_robot(dump->checker));
    s.q = gz_storage_resize(NULL, q_size + 1, sizeof *s.q);
    graze_status done = s.q != NULL ? gz_dump_writer_begin(&s.writer, &error) : no_memory(&error);
    if (done == GRAZE_OK) done = graze_workspace_create(&s.workspace, dump->checker, &error);
    if (done == GRAZE_OK) done = write_edges(&s, dump, &error);
    if (done == GRAZE_OK) {
        gz_dump_writer_end(&s.writer);
    } else {
        gz_output_abandon(&dump->output);
        status = gz_message_error("plan", &error);
    }
    graze_workspace_free(s.workspace);
    gz_dump_writer_free(&s.writer);
    gz_storage_free(s.q);
    return status;
}

int gz_path_dump_finish(gz_path_dump *dump, bool keep) {
    if (keep) return gz_output_finish(&dump->output);
    gz_output_abandon(&dump->output);
    return GZ_EXIT_FINE;
}
