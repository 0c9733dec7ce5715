// What does a compiled file say of itself, and is it still what its sources say?

#include "compile/compiled_file.h"

size_t graze_compiled_source_count(const graze_compiled *c) {
    return c ? c->sources->count : 0;
}

graze_status graze_compiled_source(const graze_compiled *c, size_t index, graze_source *source) {
    if (!c || !source || index >= c->sources->count) return GRAZE_ERROR_ARGUMENT;
    const gz_source *s = &c->sources->items[index];
    *source = (graze_source){.path = s->path,
                             .kind = (graze_source_kind)s->kind,
                             .known = s->known != 0,
                             .size = s->size,
                             .hash = {s->hash[0], s->hash[1]}};
    return GRAZE_OK;
}

graze_status graze_compiled_source_now(const graze_compiled *c, size_t index,
                                       graze_source_state *state, graze_error *error) {
    if (!c || !state || index >= c->sources->count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "no source %zu; allowed: an open file, state, and an index below %zu", index,
                       graze_compiled_source_count(c));
    const gz_source *was = &c->sources->items[index];
    gz_error_clear(error);
    *state = GRAZE_SOURCE_UNKNOWN;
    if (!was->known) return GRAZE_OK;
    gz_source now = *was;
    graze_status status = gz_source_read(&now, error);
    if (status == GRAZE_ERROR_NO_MEMORY) return status;
    gz_error_clear(error);
    if (status || !now.known)
        *state = GRAZE_SOURCE_MISSING;
    else if (now.size == was->size && now.hash[0] == was->hash[0] && now.hash[1] == was->hash[1])
        *state = GRAZE_SOURCE_SAME;
    else
        *state = GRAZE_SOURCE_CHANGED;
    return GRAZE_OK;
}

const char *graze_compiled_version(const graze_compiled *c) {
    return c ? c->header.version : NULL;
}

size_t graze_compiled_size(const graze_compiled *c, size_t *robot, size_t *world) {
    if (robot) *robot = c ? (size_t)c->header.sections[GZ_SECTION_ROBOT].bytes : 0;
    if (world) *world = c ? (size_t)c->header.sections[GZ_SECTION_WORLD].bytes : 0;
    return c ? c->mapping->size : 0;
}
