/// What a version of a world changes of its base; world.h has the structure.
#ifndef GZ_WORLD_WORLD_DELTA_H
#define GZ_WORLD_WORLD_DELTA_H

#include "world/world.h"

/// Makes the delta of `base`, which has none itself, by objects that are sorted by index, each
/// once: those below the base's count have moved, the others follow it without a gap. Holds base
/// and objects. `rest`: of the base's objects that have not moved.
/// @return GRAZE_OK; GRAZE_ERROR_LIMIT; GRAZE_ERROR_NO_MEMORY
graze_status gz_world_delta_make(gz_world_delta **out, const graze_world *base,
                                 const gz_changed_object *objects, size_t count,
                                 const gz_extent *rest, graze_error *error);
/// NULL is allowed.
void gz_world_delta_free(gz_world_delta *delta);

/// Where the object of that index stands in delta->objects, or where it would.
size_t gz_world_delta_position(const gz_world_delta *delta, size_t index);
/// The object of that name and hash, in the base or the delta, or -1.
int32_t gz_world_delta_find(const gz_world_delta *delta, const char *name, uint64_t hash);

#endif
