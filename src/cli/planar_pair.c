#include "cli/planar/planar_input.h"

#include <math.h>

#include "cli/message.h"

void gz_planar_pair_options(gz_planar_pair *pair, gz_option shapes[GZ_PAIR_SHAPE_OPTIONS],
                            gz_option motion[GZ_PAIR_MOTION_OPTIONS]) {
    shapes[0] = gz_option_text("first", &pair->first, "SHAPE",
                               "circle:x,y,r   capsule:x,y,x,y,r\n"
                               "rectangle:x,y,width,height,angle[,r]\n"
                               "polygon:x,y,x,y,...[:r]   (metres, radians; r: rounding)");
    shapes[1] = gz_option_text("second", &pair->second, "SHAPE", "likewise");
    motion[0] = gz_option_text("first-velocity", &pair->first_velocity, "x,y",
                               "metres a second (default 0,0)");
    motion[1] = gz_option_text("second-velocity", &pair->second_velocity, "x,y", "likewise");
    motion[2] = gz_option_limit("horizon", &pair->horizon, "S",
                                "seconds that are looked at (default 10; inf: all)");
}

int gz_planar_pair_read(gz_planar_pair *pair, const char *command) {
    static const char two[] = "two numbers, x,y";
    if (pair->first == NULL || pair->second == NULL) {
        return gz_message_usage(command, "--%s is missing",
                                pair->first == NULL ? "first" : "second");
    }
    int status = gz_planar_shape_parse(command, "first", pair->first, &pair->a);
    if (status == GZ_EXIT_FINE) {
        status = gz_planar_shape_parse(command, "second", pair->second, &pair->b);
    }
    if (status == GZ_EXIT_FINE && pair->first_velocity != NULL) {
        status = gz_planar_numbers_exactly(command, "first-velocity", pair->first_velocity,
                                           &pair->velocity_a.x, 2, two);
    }
    if (status == GZ_EXIT_FINE && pair->second_velocity != NULL) {
        status = gz_planar_numbers_exactly(command, "second-velocity", pair->second_velocity,
                                           &pair->velocity_b.x, 2, two);
    }
    return status;
}

int gz_planar_pair_refused(const char *command) {
    return gz_message_usage(command, "the shapes, velocities or horizon are out of range; "
                                     "allowed: magnitudes up to 2^100, a horizon from 2^-400");
}

void gz_planar_pair_cover(const graze_planar_shape *shape, graze_vec2 *min, graze_vec2 *max) {
    graze_planar_bounds box = graze_planar_shape_bounds(shape);
    *min = (graze_vec2){fmin(min->x, box.min.x), fmin(min->y, box.min.y)};
    *max = (graze_vec2){fmax(max->x, box.max.x), fmax(max->y, box.max.y)};
}
