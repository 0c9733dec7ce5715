#include "cli/motion/moving_world.h"

#include "base/error.h"
#include "base/memory.h"

graze_status gz_moving_world_open(gz_moving_world *w, const graze_checker *checker,
                                  const gz_dumped_moving *moving, graze_error *error) {
    *w = (gz_moving_world){.checker = checker, .moving = *moving};
    return moving->count > 0 ? graze_scene_create(&w->scene, checker, error) : GRAZE_OK;
}

/// Where the frame of an object is at a time.
static graze_transform frame_at(const gz_moving_world *w, const graze_moving_object *object,
                                const graze_geometry *g, double time) {
    graze_transform back = graze_transform_inverse(&g->in_object);
    graze_transform frame = graze_transform_multiply(&g->origin, &back);
    gz_dumped_moving_shift(&w->moving, object, time, &frame);
    return frame;
}

/// Moves the objects of the scene to where they are at a time.
static graze_status move_objects(gz_moving_world *w, double time, graze_error *error) {
    const gz_dumped_moving *moving = &w->moving;
    graze_world_change *changes = gz_malloc(moving->count, sizeof *changes);
    graze_transform *frames = gz_malloc(moving->count, sizeof *frames);
    graze_status status = changes && frames ? GRAZE_OK : gz_fail_memory(error);
    for (size_t i = 0; status == GRAZE_OK && i < moving->count; i++) {
        graze_geometry g = {0};
        status = graze_world_object(graze_checker_world(w->checker),
                                    (size_t)moving->objects[i].object, &g);
        frames[i] = frame_at(w, &moving->objects[i], &g, time);
        changes[i] = graze_world_change_default();
        changes[i].id = g.id;
        changes[i].pose = &frames[i];
    }
    if (status == GRAZE_OK) status = graze_scene_revise(w->scene, changes, moving->count, error);
    gz_free(changes);
    gz_free(frames);
    return status;
}

graze_status gz_moving_world_show(gz_moving_world *w, double time, graze_error *error) {
    if (!w->scene) return GRAZE_OK;
    graze_view_release(w->view);
    w->view = NULL;
    GZ_TRY(move_objects(w, time, error));
    return graze_view_acquire(&w->view, w->scene, error);
}

const graze_checker *gz_moving_world_checker(const gz_moving_world *w) {
    return w->view ? graze_view_checker(w->view) : w->checker;
}

void gz_moving_world_close(gz_moving_world *w) {
    graze_view_release(w->view);
    graze_scene_free(w->scene);
    *w = (gz_moving_world){0};
}
