#include "compiled_twin.h"

#include "posed_mesh.h"

void compiled_twin(const graze_robot *robot, const graze_world *world, graze_robot **robot_out,
                   graze_world **world_out) {
    unsigned char *bytes;
    size_t size;
    graze_compiled *compiled;
    graze_error error;
    if (graze_compile(&bytes, &size, robot, world, NULL, &error) ||
        graze_compiled_open_memory(&compiled, bytes, size, "twin", &error) ||
        graze_compiled_robot(robot_out, compiled, &error) ||
        graze_compiled_world(world_out, compiled, &error))
        give_up("compiled", error.message);
    graze_compiled_close(compiled);
    graze_compiled_free(bytes);
}
