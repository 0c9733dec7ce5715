#include "cli/motion/certificate.h"

#include "base/error.h"
#include "base/memory.h"
#include "cli/message.h"

int gz_certificate_open(gz_certificate *c, const char *path, const gz_robot_input *input) {
    graze_error error;
    *c = (gz_certificate){0};
    GZ_TRY_EXIT(gz_output_open(&c->output, path));
    c->writer = (gz_dump_writer){.stream = c->output.stream,
                                 .checker = input->checker,
                                 .domain = input->domain,
                                 .no_world = input->no_world};
    graze_status status = gz_dump_writer_begin(&c->writer, &error);
    if (status == GRAZE_OK) status = graze_workspace_create(&c->checks, input->checker, &error);
    return gz_message_outcome(input->command, status, &error);
}

graze_status gz_certificate_put(gz_certificate *c, const double *q, const double *base,
                                const gz_dumped_motion *motion, graze_error *error) {
    graze_report report;
    const gz_pictured_pose pose = {q, base};
    GZ_TRY(gz_check_contacts(c->writer.checker, c->checks, false, &pose, &c->contacts, &report,
                             error));
    gz_finding finding = {.index = c->writer.written,
                          .verdict = report.verdict,
                          .contacts = c->contacts.items,
                          .contact_count = report.count < 1 ? report.count : 1};
    if (motion)
        gz_dump_writer_put_motion(&c->writer, &finding, q, base, motion);
    else
        gz_dump_writer_put(&c->writer, &finding, q, base);
    return GRAZE_OK;
}

int gz_certificate_close(gz_certificate *c, int status) {
    bool whole = status == GZ_EXIT_FINE || status == GZ_EXIT_FINDING;
    if (whole) gz_dump_writer_end(&c->writer);
    graze_workspace_free(c->checks);
    gz_dump_writer_free(&c->writer);
    gz_free(c->contacts.items);
    int written = whole ? gz_output_finish(&c->output) : status;
    gz_output_abandon(&c->output);
    return written > status ? written : status;
}
