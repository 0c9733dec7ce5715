#include "mesh/weld.h"

#include <string.h>

#include "base/memory.h"
#include "base/random.h"

static uint64_t hash_point(const double p[3]) {
    uint64_t bits[3];
    memcpy(bits, p, sizeof bits);
    uint64_t h = bits[0] * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 32) ^ bits[1]) * UINT64_C(0xd1b54a32d192ed03);
    h = (h ^ (h >> 32) ^ bits[2]) * UINT64_C(0x8cb92ba72f3d8dd7);
    return h ^ (h >> 32);
}

size_t gz_weld(double *vertices, size_t vertex_count, uint32_t *index) {
    size_t slots = 16;
    while (slots < vertex_count + vertex_count / 2) slots *= 2;
    // Open addressing; a slot holds the new number plus one.
    uint32_t *table = gz_calloc(slots, sizeof *table);
    if (!table) return 0;
    size_t distinct = 0;
    for (size_t i = 0; i < vertex_count; i++) {
        const double *p = vertices + 3 * i;
        size_t slot = hash_point(p) & (slots - 1);
        while (table[slot] && memcmp(vertices + 3 * (size_t)(table[slot] - 1), p, 24) != 0)
            slot = (slot + 1) & (slots - 1);
        if (!table[slot]) {
            if (distinct != i) memcpy(vertices + 3 * distinct, p, 24);
            table[slot] = (uint32_t)++distinct;
        }
        index[i] = table[slot] - 1;
    }
    gz_free(table);
    return distinct;
}
