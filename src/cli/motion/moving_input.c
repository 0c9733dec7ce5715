#include "cli/motion/moving_input.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/text.h"

/// NAME=x,y,z; names may have '=' in them.
static graze_status read_one(const char *text, const graze_world *world, graze_moving_object *out,
                             graze_error *error) {
    const char *equals = strrchr(text, '=');
    bool good = equals && equals > text && gz_decimal_parse_list(equals + 1, out->velocity, 3);
    for (int k = 0; k < 3; k++) good = good && isfinite(out->velocity[k]);
    if (!good)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "--moving is '%s'; allowed: NAME=x,y,z", text);
    char *name = gz_string_copy_n(text, (size_t)(equals - text));
    if (!name) return gz_fail_memory(error);
    out->object = world ? graze_world_find_object(world, name) : -1;
    gz_free(name);
    if (out->object >= 0) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                   "--moving is '%s'; allowed: the name of an object of the world", text);
}

graze_status gz_moving_read(const gz_texts *given, const graze_world *world,
                            graze_motion_options *options, graze_moving_object **memory,
                            graze_error *error) {
    *memory = NULL;
    if (given->count == 0) return GRAZE_OK;
    graze_moving_object *all = gz_calloc(given->count, sizeof *all);
    if (!all) return gz_fail_memory(error);
    *memory = all;
    for (size_t i = 0; i < given->count; i++)
        GZ_TRY(read_one(given->items[i], world, &all[i], error));
    options->moving = all;
    options->moving_count = given->count;
    return GRAZE_OK;
}
