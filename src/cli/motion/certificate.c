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
        status = c->writer.moving.count > 0
                     ? graze_scene_create(&c->scene, input->checker, &error)
                     : graze_workspace_create(&c->checks, input->checker, &error);
    return gz_message_outcome(input->command, status, &error);
}

// ------------------------------------------------------------------------------- the world of a
// time

/// Where the frame of an object is at a time.
static graze_transform frame_at(const gz_certificate *c, const graze_moving_object *object,
                                double time) {
    graze_geometry g = {0};
    graze_world_object(graze_checker_world(c->writer.checker), (size_t)object->object, &g);
    graze_transform back = graze_transform_inverse(&g.in_object);
    graze_transform frame = graze_transform_multiply(&g.origin, &back);
    gz_dumped_moving_shift(&c->writer.moving, object, time, &frame);
    return frame;
}

/// Moves the objects of the scene to where they are at a time.
static graze_status move_objects(gz_certificate *c, double time, graze_error *error) {
    const gz_dumped_moving *moving = &c->writer.moving;
    graze_world_change *changes = gz_malloc(moving->count, sizeof *changes);
    graze_transform *frames = gz_malloc(moving->count, sizeof *frames);
    graze_status status = changes && frames ? GRAZE_OK : gz_fail_memory(error);
    for (size_t i = 0; status == GRAZE_OK && i < moving->count; i++) {
        graze_geometry g = {0};
        size_t object = (size_t)moving->objects[i].object;
        status = graze_world_object(graze_checker_world(c->writer.checker), object, &g);
        frames[i] = frame_at(c, &moving->objects[i], time);
        changes[i] = graze_world_change_default();
        changes[i].id = g.id;
        changes[i].pose = &frames[i];
    }
    if (status == GRAZE_OK) status = graze_scene_revise(c->scene, changes, moving->count, error);
    gz_free(changes);
    gz_free(frames);
    return status;
}

/// What graze_check() says of a place; `contacts` of the certificate has the first contact.
static graze_status check_place(gz_certificate *c, const gz_certified_place *place,
                                gz_finding *finding, graze_error *error) {
    graze_report report = {0};
    graze_view *view = NULL;
    const gz_pictured_pose pose = {place->q, place->base};
    if (c->scene) {
        GZ_TRY(move_objects(c, place->time, error));
        GZ_TRY(graze_view_acquire(&view, c->scene, error));
    }
    const graze_checker *checker = view ? graze_view_checker(view) : c->writer.checker;
    graze_workspace *workspace = view ? graze_view_workspace(view) : c->checks;
    graze_status status = gz_check_contacts(checker, workspace, false, &pose, &c->contacts, &report,
                                            error);
    graze_view_release(view);
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
    graze_scene_free(c->scene);
    gz_dump_writer_free(&c->writer);
    gz_free(c->contacts.items);
    int written = whole ? gz_output_finish(&c->output) : status;
    gz_output_abandon(&c->output);
    return written > status ? written : status;
}
