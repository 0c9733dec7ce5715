#include "cli/motion/certificate.h"

#include "base/error.h"
#include "base/memory.h"
#include "cli/message.h"

int gz_certificate_open(gz_certificate *c, const char *path, const gz_robot_input *input,
                        const gz_dumped_moving *moving) {
    graze_error error;
    *c = (gz_certificate){0};
    GZ_TRY_EXIT(gz_output_open(&c->output, path));
    c->writer = (gz_dump_writer){.stream = c->output.stream,
                                 .checker = input->checker,
                                 .domain = input->domain,
                                 .no_world = input->no_world};
    if (moving) c->writer.moving = *moving;
    graze_status status = gz_dump_writer_begin(&c->writer, &error);
    if (status == GRAZE_OK)
        status = gz_moving_world_open(&c->world, input->checker, &c->writer.moving, &error);
    if (status == GRAZE_OK) status = graze_workspace_create(&c->checks, input->checker, &error);
    return gz_message_outcome(input->command, status, &error);
}

/// What graze_check() says of a place; `contacts` of the certificate has the first contact.
static graze_status check_place(gz_certificate *c, const gz_certified_place *place,
                                gz_finding *finding, graze_error *error) {
    graze_report report = {0};
    const gz_pictured_pose pose = {place->q, place->base};
    GZ_TRY(gz_moving_world_show(&c->world, place->time, error));
    graze_view *view = c->world.view;
    graze_status status = gz_check_contacts(gz_moving_world_checker(&c->world),
                                            view ? graze_view_workspace(view) : c->checks, false,
                                            &pose, &c->contacts, &report, error);
    *finding = (gz_finding){.index = c->writer.written,
                            .verdict = report.verdict,
                            .contacts = c->contacts.items,
                            .contact_count = report.count < 1 ? report.count : 1};
    return status;
}

// ---------------------------------------------------------------------------------------- writing

graze_status gz_certificate_put(gz_certificate *c, const gz_certified_place *begin,
                                const gz_dumped_motion *motion, const gz_certified_place *hit,
                                graze_error *error) {
    gz_finding finding;
    gz_dumped_motion claim = *motion;
    if (motion->verdict == GRAZE_MOTION_HIT) {
        GZ_TRY(check_place(c, hit, &finding, error));
        if (finding.verdict != GRAZE_COLLISION) claim.verdict = GRAZE_MOTION_UNDECIDED;
    }
    GZ_TRY(check_place(c, begin, &finding, error));
    c->writer.time = begin->time;
    gz_dump_writer_put_motion(&c->writer, &finding, begin->q, begin->base, &claim);
    if (claim.verdict != GRAZE_MOTION_HIT) return GRAZE_OK;
    GZ_TRY(check_place(c, hit, &finding, error));
    c->writer.time = hit->time;
    gz_dump_writer_put(&c->writer, &finding, hit->q, hit->base);
    return GRAZE_OK;
}

int gz_certificate_close(gz_certificate *c, int status) {
    bool whole = status == GZ_EXIT_FINE || status == GZ_EXIT_FINDING;
    if (whole) gz_dump_writer_end(&c->writer);
    graze_workspace_free(c->checks);
    gz_moving_world_close(&c->world);
    gz_dump_writer_free(&c->writer);
    gz_free(c->contacts.items);
    int written = whole ? gz_output_finish(&c->output) : status;
    gz_output_abandon(&c->output);
    return written > status ? written : status;
}
