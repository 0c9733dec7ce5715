#include "cli/sweep/sweep_manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/// Hashes the robot and the world as the engine holds them, with the paths of their files. These
/// parts stand at the end of a compiled file, behind the list of what was read.
static graze_status hash_models(char text[GZ_SHA256_TEXT], const gz_robot_input *input,
                                graze_error *error) {
    unsigned char *bytes;
    size_t size, robot = 0, world = 0;
    graze_compiled *compiled;
    GZ_TRY(graze_compile(&bytes, &size, input->robot, input->world, NULL, error));
    graze_status status = graze_compiled_open_memory(&compiled, bytes, size, "robot", error);
    if (status == GRAZE_OK) {
        graze_compiled_size(compiled, &robot, &world);
        gz_sha256 hash = gz_sha256_begin();
        gz_sha256_add(&hash, bytes + (size - robot - world), robot + world);
        gz_sha256_finish(&hash, text);
    }
    graze_compiled_close(compiled);
    graze_compiled_free(bytes);
    return status;
}

static void put_texts(gz_json *json, const char *key, const gz_texts *texts) {
    gz_json_key(json, key);
    gz_json_put(json, "[");
    for (size_t i = 0; i < texts->count; i++) gz_json_put(json, "%s", texts->items[i]);
    gz_json_put(json, "]");
}

static void put_rules(gz_json *json, const gz_robot_input *input) {
    gz_json_put(json, "rules={ level=%s self=%i world=%i domain=%g",
                input->level == GRAZE_LEVEL_BOUNDS ? "bounds" : "mesh", !input->no_self,
                !input->no_world, input->domain);
    put_texts(json, "policy", &input->policies);
    put_texts(json, "margin", &input->margins);
    put_texts(json, "allow", &input->allowed);
    put_texts(json, "attach", &input->attached);
    gz_json_put(json, "attach_at=%s }", input->attach_at);
}

size_t gz_sweep_name_count(const gz_robot_input *input) {
    return graze_robot_link_count(input->robot) + graze_world_object_count(input->world) + 1;
}

/// The names of links, then those of objects, then the boundary's.
static void put_names(gz_json *json, const gz_robot_input *input) {
    size_t links = graze_robot_link_count(input->robot);
    gz_json_put(json, "names=[");
    for (size_t i = 0; i < links; i++)
        gz_json_put(json, "%s", graze_robot_link_name(input->robot, (int32_t)i));
    for (size_t i = 0; i < graze_world_object_count(input->world); i++) {
        graze_geometry object;
        if (graze_world_object(input->world, i, &object) != GRAZE_OK) object.name = NULL;
        gz_json_put(json, "%s", object.name);
    }
    gz_json_put(json, "%s ]", "boundary");
}

void gz_sweep_pair(const gz_robot_input *input, const graze_contact *contact, int32_t sides[2]) {
    int32_t links = (int32_t)graze_robot_link_count(input->robot);
    sides[0] = contact->link;
    if (contact->kind == GRAZE_CONTACT_SELF)
        sides[1] = contact->other;
    else if (contact->kind == GRAZE_CONTACT_WORLD)
        sides[1] = links + contact->other;
    else
        sides[1] = (int32_t)gz_sweep_name_count(input) - 1;
}

graze_status gz_sweep_manifest_make(char **text, const gz_robot_input *input,
                                    const gz_sweep_source *source, const char *const *answers,
                                    graze_error *error) {
    char models[GZ_SHA256_TEXT];
    *text = NULL;
    GZ_TRY(hash_models(models, input, error));
    size_t size;
    FILE *stream = open_memstream(text, &size);
    if (stream == NULL) return gz_fail_memory(error);
    gz_json json = {.stream = stream};
    gz_json_put(&json, "{");
    gz_json_gap(&json, "\n");
    gz_json_put(&json, "format=%s graze=%s robot=%s world=%s sha256=%s", "graze-sweep-1",
                graze_version(), graze_robot_name(input->robot), graze_world_name(input->world),
                models);
    put_rules(&json, input);
    gz_json_key(&json, "configurations");
    gz_sweep_source_describe(source, &json);
    gz_json_put(&json, "answers=[");
    for (; *answers != NULL; answers++) gz_json_put(&json, "%s", *answers);
    gz_json_put(&json, "]");
    put_names(&json, input);
    gz_json_finish(&json);
    bool good = ferror(stream) == 0;
    return fclose(stream) == 0 && good ? GRAZE_OK : gz_fail_memory(error);
}
