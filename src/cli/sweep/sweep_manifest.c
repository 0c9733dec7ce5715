#include "cli/sweep/sweep_manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/message.h"

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

/// Whether the names of the input's world are few enough for pairs of int16; prints what is wrong.
static int check_names(const gz_sweep_subject *subject) {
    enum { MOST_NAMES = 32768 };
    const gz_sweep_array *arrays = subject->store->arrays;
    size_t names = gz_sweep_name_count(subject->input);
    if (names <= MOST_NAMES || !(arrays[GZ_SWEEP_PAIR].used || arrays[GZ_SWEEP_NEAREST].used))
        return GZ_EXIT_FINE;
    gz_message("there are %zu links and objects; allowed with --pairs and --distances: %d at most",
               names, MOST_NAMES - 1);
    return GZ_EXIT_INPUT;
}

/// What pairs of the input's world are counted through, and the hash of robot and world.
static graze_status put_world(gz_json *json, const gz_robot_input *input, graze_error *error) {
    char models[GZ_SHA256_TEXT];
    GZ_TRY(hash_models(models, input, error));
    gz_json_put(json, "{ name=%s sha256=%s", graze_world_name(input->world), models);
    put_names(json, input);
    gz_json_put(json, "}");
    return GRAZE_OK;
}

static int put_worlds(gz_json *json, const gz_sweep_subject *subject) {
    gz_robot_input *input = subject->input;
    graze_error error;
    gz_json_put(json, "worlds=[");
    for (size_t i = 0; i < subject->worlds->count; i++) {
        GZ_TRY_EXIT(gz_robot_input_change_world(input, subject->worlds->items[i], false));
        GZ_TRY_EXIT(check_names(subject));
        graze_status put = put_world(json, input, &error);
        GZ_TRY_EXIT(gz_message_outcome(input->command, put, &error));
    }
    gz_json_put(json, "]");
    return GZ_EXIT_FINE;
}

/// The configurations, and what of them is answered.
static void put_questions(gz_json *json, const gz_sweep_subject *subject) {
    const gz_sweep_source *source = subject->source;
    gz_json_key(json, "configurations");
    gz_sweep_source_describe(source, json);
    if (subject->edges->path != NULL)
        gz_json_put(json, "edges={ count=%zu sha256=%s }", subject->edges->count,
                    subject->edges->sha256);
    if (subject->map->name != NULL) {
        gz_json_key(json, "reachability");
        gz_sweep_map_describe(subject->map, json);
    }
    if (subject->store->arrays[GZ_SWEEP_CONFIGURATION].used) {
        gz_json_put(json, "columns=[");
        int32_t base = gz_sweep_source_has_base(source) ? GZ_BASE_SIZE : 0;
        for (int32_t i = -base; i < (int32_t)source->rest.size; i++)
            gz_json_put(json, "%s", gz_place_name(source->robot, i < 0 ? -1 - (base + i) : i));
        gz_json_put(json, "]");
    }
    gz_json_put(json, "answers=[");
    for (size_t k = 0; k < GZ_SWEEP_ARRAYS; k++)
        if (subject->store->arrays[k].used) gz_json_put(json, "%s", gz_sweep_array_name(k));
    gz_json_put(json, "]");
}

static int put_manifest(gz_json *json, const gz_sweep_subject *subject) {
    gz_robot_input *input = subject->input;
    bool many = subject->worlds->count > 0;
    char models[GZ_SHA256_TEXT];
    graze_error error;
    gz_json_put(json, "{");
    gz_json_gap(json, "\n");
    gz_json_put(json, "format=%s graze=%s robot=%s", "graze-sweep-1", graze_version(),
                graze_robot_name(input->robot));
    if (many) {
        GZ_TRY_EXIT(put_worlds(json, subject));
    } else {
        GZ_TRY_EXIT(check_names(subject));
        graze_status hashed = hash_models(models, input, &error);
        GZ_TRY_EXIT(gz_message_outcome(input->command, hashed, &error));
        gz_json_put(json, "world=%s sha256=%s", graze_world_name(input->world), models);
    }
    put_rules(json, input);
    put_questions(json, subject);
    if (!many) put_names(json, input);
    gz_json_finish(json);
    return GZ_EXIT_FINE;
}

int gz_sweep_manifest_make(char **text, const gz_sweep_subject *subject) {
    size_t size;
    *text = NULL;
    FILE *stream = open_memstream(text, &size);
    if (stream == NULL) return gz_message_no_memory();
    gz_json json = {.stream = stream};
    int status = put_manifest(&json, subject);
    bool good = ferror(stream) == 0;
    good = fclose(stream) == 0 && good;
    return status == GZ_EXIT_FINE && !good ? gz_message_no_memory() : status;
}
