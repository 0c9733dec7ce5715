#include "mesh/mesh.h"

#include <stdlib.h>
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

typedef struct entry {
    double p[3];
    uint32_t number;
} entry;

static int compare_entries(const void *a, const void *b) {
    const entry *x = a, *y = b;
    int order = memcmp(x->p, y->p, sizeof x->p);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/// The same without a hash, for vertices of which many have the same one.
static size_t weld_by_sorting(double *vertices, size_t vertex_count, uint32_t *index) {
    entry *entries = gz_malloc(vertex_count, sizeof *entries);
    if (!entries) return 0;
    for (size_t i = 0; i < vertex_count; i++) {
        memcpy(entries[i].p, vertices + 3 * i, sizeof entries[i].p);
        entries[i].number = (uint32_t)i;
    }
    qsort(entries, vertex_count, sizeof *entries, compare_entries);
    // The first of each that are equal stands for all of them.
    uint32_t first = 0;
    for (size_t i = 0; i < vertex_count; i++) {
        const entry *e = &entries[i];
        if (i == 0 || memcmp(e->p, e[-1].p, sizeof e->p) != 0) first = e->number;
        index[e->number] = first;
    }
    gz_free(entries);
    // By first appearance: a vertex is behind the one that stands for it, whose number is known.
    size_t distinct = 0;
    for (size_t i = 0; i < vertex_count; i++) {
        if (index[i] == i) {
            memmove(vertices + 3 * distinct, vertices + 3 * i, 3 * sizeof *vertices);
            index[i] = (uint32_t)distinct++;
        } else {
            index[i] = index[index[i]];
        }
    }
    return distinct;
}

/// Puts back the first `count` vertices, of which `index` tells where they went: never farther back
/// than where they were, so none is overwritten before it is read.
static void unweld(double *vertices, size_t count, const uint32_t *index) {
    for (size_t i = count; i-- > 0;)
        memmove(vertices + 3 * i, vertices + 3 * (size_t)index[i], 3 * sizeof *vertices);
}

size_t gz_weld_counted(double *vertices, size_t vertex_count, uint32_t *index, uint64_t *steps) {
    size_t slots = 16;
    while (slots < vertex_count + vertex_count / 2) slots *= 2;
    // Open addressing; a slot holds the new number plus one.
    uint32_t *table = gz_calloc(slots, sizeof *table);
    if (!table) return 0;
    size_t distinct = 0;
    uint64_t left = GZ_WELD_STEPS * (uint64_t)vertex_count + GZ_WELD_STEPS_LEAST;
    *steps = left;
    for (size_t i = 0; i < vertex_count; i++) {
        const double *p = vertices + 3 * i;
        size_t slot = hash_point(p) & (slots - 1);
        for (; table[slot] && left; left--) {
            if (memcmp(vertices + 3 * (size_t)(table[slot] - 1), p, 24) == 0) break;
            slot = (slot + 1) & (slots - 1);
        }
        // A file may be made to have its vertices in one place of the table.
        if (!left) {
            gz_free(table);
            unweld(vertices, i, index);
            return weld_by_sorting(vertices, vertex_count, index);
        }
        if (!table[slot]) {
            if (distinct != i) memcpy(vertices + 3 * distinct, p, 24);
            table[slot] = (uint32_t)++distinct;
        }
        index[i] = table[slot] - 1;
    }
    *steps -= left;
    gz_free(table);
    return distinct;
}

size_t gz_weld(double *vertices, size_t vertex_count, uint32_t *index) {
    uint64_t steps;
    return gz_weld_counted(vertices, vertex_count, index, &steps);
}
