#include "cli/info/robot_summary.h"

#include <inttypes.h>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

static const char *state_name(graze_source_state state) {
    static const char *const names[] = {"same", "changed", "missing", "unknown"};
    return names[state];
}

static const char *kind_name(graze_source_kind kind) {
    static const char *const names[] = {"urdf", "srdf", "mesh", "world"};
    return names[kind];
}

bool gz_compiled_summary_read(const graze_compiled *compiled, graze_source_state **states) {
    size_t count = graze_compiled_source_count(compiled);
    *states = gz_storage_resize(NULL, count, sizeof **states);
    for (size_t i = 0; *states != NULL && i < count; i++) {
        if (graze_compiled_source_now(compiled, i, &(*states)[i], NULL) == GRAZE_OK) continue;
        gz_storage_free(*states);
        *states = NULL;
    }
    return *states != NULL;
}

void gz_compiled_summary_text(FILE *stream, const graze_compiled *compiled,
                              const graze_source_state *states) {
    size_t robot, world, size = graze_compiled_size(compiled, &robot, &world);
    fprintf(stream, "\ncompiled by graze %s, %zu bytes: robot %zu, world %zu\n",
            GZ_PLAIN(graze_compiled_version(compiled)), size, robot, world);
    fprintf(stream, "sources, and what they are now\n  %-7s  %-5s  %10s  %-32s  path\n", "now",
            "kind", "bytes", "XXH3");
    for (size_t i = 0; i < graze_compiled_source_count(compiled); i++) {
        graze_source source;
        if (graze_compiled_source(compiled, i, &source) != GRAZE_OK) continue;
        fprintf(stream, "  %-7s  %-5s  ", state_name(states[i]), kind_name(source.kind));
        if (source.known) {
            fprintf(stream, "%10" PRIu64 "  %016" PRIx64 "%016" PRIx64, source.size, source.hash[1],
                    source.hash[0]);
        } else {
            fprintf(stream, "%10s  %-32s", "-", "-");
        }
        fprintf(stream, "  %s\n", GZ_PLAIN(source.path));
    }
}

void gz_compiled_summary_json(FILE *stream, const graze_compiled *compiled,
                              const graze_source_state *states) {
    size_t robot, world, size = graze_compiled_size(compiled, &robot, &world);
    fputs("\"compiled\":{\"version\":", stream);
    gz_json_string(stream, graze_compiled_version(compiled));
    fprintf(stream, ",\"bytes\":%zu,\"robot_bytes\":%zu,\"world_bytes\":%zu,\"sources\":[", size,
            robot, world);
    for (size_t i = 0; i < graze_compiled_source_count(compiled); i++) {
        graze_source source;
        if (graze_compiled_source(compiled, i, &source) != GRAZE_OK) continue;
        fprintf(stream, "%s\n  {\"kind\":\"%s\",\"state\":\"%s\",\"path\":", i > 0 ? "," : "",
                kind_name(source.kind), state_name(states[i]));
        gz_json_string(stream, source.path);
        if (source.known) {
            fprintf(stream, ",\"bytes\":%" PRIu64 ",\"xxh3\":\"%016" PRIx64 "%016" PRIx64 "\"",
                    source.size, source.hash[1], source.hash[0]);
        }
        fputs("}", stream);
    }
    fputs("]}", stream);
}
