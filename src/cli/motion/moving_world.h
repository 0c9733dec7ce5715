/// The world of a time, where objects move while the robot does.
#ifndef GZ_CLI_MOTION_MOVING_WORLD_H
#define GZ_CLI_MOTION_MOVING_WORLD_H

#include "cli/check/check_output.h"

typedef struct gz_moving_world {
    const graze_checker *checker; ///< of the world as it was loaded
    gz_dumped_moving moving;
    graze_scene *scene; ///< NULL where nothing moves
    graze_view *view;   ///< of the time that is shown
} gz_moving_world;

/// Close it after any outcome. `moving` is copied, but for its objects, which must outlive it.
graze_status gz_moving_world_open(gz_moving_world *world, const graze_checker *checker,
                                  const gz_dumped_moving *moving, graze_error *error);
/// Shows the world of a time, until the next call.
graze_status gz_moving_world_show(gz_moving_world *world, double time, graze_error *error);
/// The checker of the world that is shown: another one each time, where objects move.
const graze_checker *gz_moving_world_checker(const gz_moving_world *world);
void gz_moving_world_close(gz_moving_world *world);

#endif
