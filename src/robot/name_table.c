#include "robot/name_table.h"

#include <string.h>

#include "base/memory.h"

static size_t hash_name(const char *name) {
    uint64_t h = UINT64_C(0xcbf29ce484222325); // FNV-1a
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        h = (h ^ *p) * UINT64_C(0x100000001b3);
    return (size_t)(h ^ (h >> 29));
}

static size_t find_slot(const gz_name_table *table, const char *name) {
    size_t slot = hash_name(name) & (table->slots - 1);
    while (table->names[slot] && strcmp(table->names[slot], name) != 0)
        slot = (slot + 1) & (table->slots - 1);
    return slot;
}

static bool grow(gz_name_table *table) {
    gz_name_table bigger = {.slots = table->slots ? 2 * table->slots : 32, .count = table->count};
    bigger.names = gz_calloc(bigger.slots, sizeof *bigger.names);
    bigger.indices = gz_malloc(bigger.slots, sizeof *bigger.indices);
    if (!bigger.names || !bigger.indices) {
        gz_name_table_free(&bigger);
        return false;
    }
    for (size_t i = 0; i < table->slots; i++) {
        if (!table->names[i]) continue;
        size_t slot = find_slot(&bigger, table->names[i]);
        bigger.names[slot] = table->names[i];
        bigger.indices[slot] = table->indices[i];
    }
    gz_name_table_free(table);
    *table = bigger;
    return true;
}

bool gz_name_table_add(gz_name_table *table, const char *name, int32_t index) {
    if (2 * (table->count + 1) > table->slots && !grow(table)) return false;
    size_t slot = find_slot(table, name);
    table->names[slot] = name;
    table->indices[slot] = index;
    table->count++;
    return true;
}

int32_t gz_name_table_find(const gz_name_table *table, const char *name) {
    if (!table->slots) return -1;
    size_t slot = find_slot(table, name);
    return table->names[slot] ? table->indices[slot] : -1;
}

void gz_name_table_free(gz_name_table *table) {
    gz_free((void *)table->names);
    gz_free(table->indices);
    *table = (gz_name_table){0};
}
