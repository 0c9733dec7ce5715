// Robots and worlds as compiled files of one folder: robot0.graze, ..., world1.graze, ...
#include <stdio.h>

#include "golden_scenes.h"
#include "graze/compiled.h"

static void name_file(char path[1024], const char *folder, const char *what, size_t i) {
    snprintf(path, 1024, "%s/%s%zu.graze", folder, what, i);
}

static void write_compiled(const char *path, const graze_robot *robot, const graze_world *world) {
    unsigned char *bytes;
    size_t size;
    graze_error error;
    if (graze_compile(&bytes, &size, robot, world, NULL, &error))
        golden_give_up(path, error.message);
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(bytes, 1, size, file) == size;
    if (!file || fclose(file) != 0 || !written) golden_give_up(path, "cannot be written");
    graze_compiled_free(bytes);
}

void golden_scenes_compile(const golden_scenes *scenes, const char *folder) {
    char path[1024];
    for (size_t i = 0; i < scenes->robot_count; i++) {
        name_file(path, folder, "robot", i);
        write_compiled(path, scenes->robots[i], NULL);
    }
    for (size_t i = 1; i < scenes->world_count; i++) {
        name_file(path, folder, "world", i);
        write_compiled(path, NULL, scenes->worlds[i]);
    }
}

static void open_world(const char *path, graze_world **out) {
    graze_compiled *compiled;
    graze_error error;
    if (graze_compiled_open(&compiled, path, &error) || graze_compiled_world(out, compiled, &error))
        golden_give_up(path, error.message);
    graze_compiled_close(compiled);
}

void golden_scenes_open(golden_scenes *scenes, const char *folder) {
    *scenes = (golden_scenes){.world_count = 1};
    char path[1024];
    graze_error error;
    for (;; scenes->robot_count++) {
        name_file(path, folder, "robot", scenes->robot_count);
        if (scenes->robot_count == GOLDEN_ROBOT_LIMIT || !graze_compiled_recognise_file(path))
            break;
        if (graze_robot_open_compiled(&scenes->robots[scenes->robot_count], path, &error))
            golden_give_up(path, error.message);
    }
    for (;; scenes->world_count++) {
        name_file(path, folder, "world", scenes->world_count);
        if (scenes->world_count == GOLDEN_WORLD_LIMIT || !graze_compiled_recognise_file(path))
            break;
        open_world(path, &scenes->worlds[scenes->world_count]);
    }
}
