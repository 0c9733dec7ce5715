#include "cli/text.h"

#include <stdint.h>
#include <stdlib.h>

#ifdef GRAZE_FAULTS
/// Only in builds for fault tests: whether this allocation is the one that
/// GRAZE_FAIL_COMMAND_ALLOCATION (1 = the first) says shall fail.
static bool shall_fail(void) {
    static long left = -1;
    if (left < 0) {
        const char *number = getenv("GRAZE_FAIL_COMMAND_ALLOCATION");
        left = number != NULL ? strtol(number, NULL, 10) : 0;
    }
    return left > 0 && --left == 0;
}
#endif

void *gz_storage_resize(void *memory, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) return NULL;
#ifdef GRAZE_FAULTS
    if (shall_fail()) return NULL;
#endif
    size_t bytes = count * size;
    return realloc(memory, bytes != 0 ? bytes : 1);
}

bool gz_storage_reserve(void **array, size_t *capacity, size_t needed, size_t size) {
    if (needed <= *capacity) return true;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < needed) wanted = needed;
    if (wanted < 8) wanted = 8;
    void *grown = gz_storage_resize(*array, wanted, size);
    if (grown == NULL) return false;
    *array = grown;
    *capacity = wanted;
    return true;
}

void gz_storage_free(void *memory) {
    free(memory);
}
