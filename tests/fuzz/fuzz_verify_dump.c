/// Dumps of verdicts from bytes: the reader of `graze verify`, the replay of what it read, and
/// whether the poses follow from q. What has replayed other configurations says what a new one
/// says.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "verify/dump_reader.h"
#include "verify/kinematics.h"
#include "verify/motion_replay.h"
#include "verify/replay.h"
#include "verify/verify_memory.h"

static void check_replay(gz_replay *used, const gz_dump_scene *scene,
                         const gz_dump_configuration *configuration, gz_replay_result *result) {
    gz_replay_result other = *result;
    gz_replay *unused = gz_replay_create(scene);
    if (!unused) abort();
    gz_replay_run(used, configuration, result);
    gz_replay_run(unused, configuration, &other);
    gz_replay_free(unused);
    FUZZ_CHECK(result->outcome == other.outcome && strcmp(result->message, other.message) == 0);
    FUZZ_CHECK(result->pairs == other.pairs && result->item_pairs == other.item_pairs &&
               result->points == other.points);
}

/// A motion, with a small budget.
static void check_motion(gz_motion_replay *motions, const gz_dump_configuration *configuration,
                         gz_replay_outcome start) {
    gz_motion_result result;
    if (!gz_motion_replay_run(motions, configuration, start, 40, &result)) abort();
    gz_motion_replay_end(motions, configuration, start, &result);
    FUZZ_CHECK(result.replay.outcome <= GZ_REPLAY_REFUTED);
    FUZZ_CHECK(result.replay.outcome == GZ_REPLAY_CONFIRMED || result.replay.message[0] != '\0');
}

static void replay_all(gz_dump_text *text, const gz_dump_scene *scene) {
    gz_replay *replay = gz_replay_create(scene);
    if (!replay) abort();
    gz_kinematics *kinematics = NULL;
    graze_status created = gz_kinematics_create(&kinematics, text, scene);
    if (created) fuzz_exercise_error(created, text->error);
    gz_motion_replay *motions = created ? NULL : gz_motion_replay_create(scene, kinematics);
    gz_dump_configuration configuration = {0};
    bool end = false;
    for (uint64_t count = 0; !end && count < 20; count++) {
        graze_status status = gz_dump_read_configuration(text, scene, count, &configuration, &end);
        if (status) {
            fuzz_exercise_error(status, text->error);
            break;
        }
        gz_replay_result result = {.outcome = GZ_REPLAY_REFUTED};
        if (end) break;
        check_replay(replay, scene, &configuration, &result);
        if (!created) gz_kinematics_check(kinematics, &configuration, &result);
        FUZZ_CHECK(result.outcome <= GZ_REPLAY_REFUTED);
        FUZZ_CHECK(result.outcome == GZ_REPLAY_CONFIRMED || result.message[0] != '\0');
        if (motions && configuration.has_motion)
            check_motion(motions, &configuration, result.outcome);
    }
    gz_motion_replay_free(motions);
    gz_dump_configuration_free(&configuration);
    gz_kinematics_free(kinematics);
    gz_replay_free(replay);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0; // no stream of nothing
    graze_error error = {0};
    FILE *stream = fmemopen((void *)(uintptr_t)data, size, "rb");
    if (!stream) abort();
    gz_dump_text text = {.stream = stream, .name = "fuzz.dump", .error = &error};
    gz_dump_scene scene = {0};
    graze_status status = gz_dump_read_scene(&text, &scene);
    if (status)
        fuzz_exercise_error(status, &error);
    else
        replay_all(&text, &scene);
    gz_dump_scene_free(&scene);
    gz_dump_text_free(&text);
    fclose(stream);
    return 0;
}
