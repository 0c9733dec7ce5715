#include "base/options.h"

void gz_options_init(void *out, size_t size, const void *defaults, size_t known) {
    uint32_t written = (uint32_t)size;
    if (!out || size < sizeof written) return;
    gz_fill(out, size, defaults, known);
    memcpy(out, &written, sizeof written);
}

graze_status gz_options_read(void *out, size_t known, const void *given, const char *function,
                             graze_error *error) {
    uint32_t size, own = (uint32_t)known;
    if (!given) return GRAZE_OK;
    memcpy(&size, given, sizeof size);
    // What no structure of options can be is memory that was not initialised.
    if (size < 2 * sizeof size || size % sizeof size || size > 16 * known)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "struct_size of the options is %u; allowed: %zu, as %s sets it",
                       (unsigned)size, known, function);
    const unsigned char *bytes = given;
    for (size_t i = known; i < size; i++)
        if (bytes[i])
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "the options have %u bytes, and say something in byte %zu; allowed: "
                           "%zu, or 0 in all behind (this library is older than its header)",
                           (unsigned)size, i, known);
    memcpy(out, given, size < known ? size : known);
    memcpy(out, &own, sizeof own);
    return GRAZE_OK;
}
