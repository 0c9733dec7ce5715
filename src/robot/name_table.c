#include "robot/name_table.h"

#include <string.h>

#include "base/memory.h"

/// The bit of a name that goes as far.
static unsigned bit_of(const char *name, size_t bit) {
    return (unsigned)(unsigned char)name[bit / 8] >> (7 - bit % 8) & 1;
}

/// The name of the table that has the most first bits in common with another one. Names below a
/// branch behind the other one's end agree up to there, and there is more than one: none is it, and
/// any will do.
static int32_t nearest(const gz_name_table *table, const char *name) {
    size_t bits = 8 * (strlen(name) + 1);
    int32_t at = table->root;
    while (at >= 0) {
        const gz_name_branch *branch = &table->branches[at];
        if (branch->bit >= bits) return branch->some;
        at = branch->child[bit_of(name, branch->bit)];
    }
    return ~at;
}

/// The first bit in which two different names differ.
static size_t first_difference(const char *a, const char *b) {
    size_t bit = 0;
    while (a[bit / 8] == b[bit / 8]) bit += 8;
    while (bit_of(a, bit) == bit_of(b, bit)) bit++;
    return bit;
}

static bool make_room(gz_name_table *table) {
    size_t names = table->slots, indices = names, branches = names, needed = table->count + 1;
    if (!gz_array_reserve((void **)&table->names, &names, needed, sizeof *table->names) ||
        !gz_array_reserve((void **)&table->indices, &indices, needed, sizeof *table->indices) ||
        !gz_array_reserve((void **)&table->branches, &branches, needed, sizeof *table->branches))
        return false;
    for (; table->slots < names; table->slots++) table->names[table->slots] = NULL;
    return true;
}

bool gz_name_table_add(gz_name_table *table, const char *name, int32_t index) {
    int32_t like = table->count ? nearest(table, name) : -1;
    if (like >= 0 && strcmp(table->names[like], name) == 0) {
        table->indices[like] = index;
        return true;
    }
    if (table->count == INT32_MAX || !make_room(table)) return false;
    int32_t own = (int32_t)table->count++;
    table->names[own] = name;
    table->indices[own] = index;
    if (own == 0) {
        table->root = ~0;
        return true;
    }
    // The branch goes where all branches above it are of earlier bits.
    size_t bit = first_difference(table->names[like], name);
    int32_t *place = &table->root;
    while (*place >= 0 && table->branches[*place].bit < bit)
        place = &table->branches[*place].child[bit_of(name, table->branches[*place].bit)];
    gz_name_branch *branch = &table->branches[own - 1];
    *branch = (gz_name_branch){.bit = bit, .some = own};
    branch->child[bit_of(name, bit)] = ~own;
    branch->child[!bit_of(name, bit)] = *place;
    *place = own - 1;
    return true;
}

int32_t gz_name_table_find(const gz_name_table *table, const char *name) {
    if (!table->count) return -1;
    int32_t like = nearest(table, name);
    return strcmp(table->names[like], name) == 0 ? table->indices[like] : -1;
}

void gz_name_table_free(gz_name_table *table) {
    gz_free((void *)table->names);
    gz_free(table->indices);
    gz_free(table->branches);
    *table = (gz_name_table){0};
}
