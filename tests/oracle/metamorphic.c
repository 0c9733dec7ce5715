// Questions that must have the same answer, asked of graze in two ways; no other opinion is needed.
// Posed meshes are swapped, reordered, mirrored, turned, scaled, split and rebuilt
// (metamorphic_meshes.c), also under margins and with caps (metamorphic_rules.c); a robot is
// checked alone and in batches, by several threads, and in a world in another order
// (metamorphic_robot.c); both with every instruction set.
//
// usage: metamorphic [--poses N] [--seed N]

#include "metamorphic.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void relation_note(relation *r, bool colliding, bool good, const char *where) {
    r->asked++;
    r->colliding += colliding;
    if (good) return;
    if (r->broken++ < 3) printf("broken: %s: %s\n", r->name, where);
}

uint64_t relations_print(const relation *relations, int count) {
    uint64_t broken = 0;
    for (int i = 0; i < count; i++) {
        const relation *r = &relations[i];
        bool vain = r->colliding == 0 || r->colliding == r->asked;
        printf("%-48s %9" PRIu64 " asked, %9" PRIu64 " in collision, %" PRIu64 " broken%s\n",
               r->name, r->asked, r->colliding, r->broken, vain ? " (one-sided)" : "");
        broken += r->broken + vain;
    }
    fflush(stdout);
    return broken;
}

void choose_instructions(const char *name) {
    if (setenv("GRAZE_ISA", name, 1) != 0) exit(3);
}

int main(int argc, char **argv) {
    uint64_t poses = 10000, seed = 1;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && !strcmp(argv[i], "--poses")) {
            poses = strtoull(argv[i + 1], NULL, 10);
        } else if (i + 1 < argc && !strcmp(argv[i], "--seed")) {
            seed = strtoull(argv[i + 1], NULL, 10);
        } else {
            fprintf(stderr, "usage: metamorphic [--poses N] [--seed N]\n");
            return 2;
        }
    }
    uint64_t broken = metamorphic_meshes(poses, seed);
    broken += metamorphic_rules(poses / 4 + 64, seed);
    broken += metamorphic_robot(poses / 4 + 64, seed);
    return broken != 0;
}
