#include "verify/verify_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef GRAZE_FAULTS
/// Only in builds for fault tests: whether this allocation is the one that
/// GRAZE_FAIL_VERIFY_ALLOCATION (1 = the first) makes fail.
static bool shall_fail(void) {
    static long left = -1;
    if (left < 0) {
        const char *number = getenv("GRAZE_FAIL_VERIFY_ALLOCATION");
        left = number != NULL ? strtol(number, NULL, 10) : 0;
    }
    return left > 0 && --left == 0;
}
#endif

static void *resize(void *memory, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) return NULL;
#ifdef GRAZE_FAULTS
    if (shall_fail()) return NULL;
#endif
    size_t bytes = count * size;
    return realloc(memory, bytes != 0 ? bytes : 1);
}

void *gz_verify_calloc(size_t count, size_t size) {
    void *memory = resize(NULL, count, size);
    if (memory != NULL) memset(memory, 0, count * size);
    return memory;
}

bool gz_verify_reserve(void **array, size_t *capacity, size_t needed, size_t size) {
    if (needed <= *capacity) return true;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < needed) wanted = needed;
    if (wanted < 8) wanted = 8;
    void *grown = resize(*array, wanted, size);
    if (grown == NULL) return false;
    *array = grown;
    *capacity = wanted;
    return true;
}

void gz_verify_free(void *memory) {
    free(memory);
}
