/// What metamorphic's parts share.
#ifndef GRAZE_TESTS_METAMORPHIC_H
#define GRAZE_TESTS_METAMORPHIC_H

#include <stdbool.h>
#include <stdint.h>

/// Questions asked in another way, with as many of them whose answer was not the one to expect.
typedef struct relation {
    const char *name;
    uint64_t asked, colliding, broken;
} relation;

/// Counts one question, and prints the first few that are broken.
void relation_note(relation *r, bool colliding, bool good, const char *where);
/// Prints a table of relations and returns how many are broken, or never asked both where bodies
/// collide and where they do not.
uint64_t relations_print(const relation *relations, int count);

/// Chooses the instruction set of what is created next: "avx2", "sse2", "scalar"; "" for the best.
void choose_instructions(const char *name);

/// All return the number of broken relations.
uint64_t metamorphic_meshes(uint64_t poses, uint64_t seed);
uint64_t metamorphic_rules(uint64_t poses, uint64_t seed);
uint64_t metamorphic_robot(uint64_t rows, uint64_t seed);

#endif
