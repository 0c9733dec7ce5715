/// A small dump to take apart: two links, boxes of edge 2 (one slides along x), and a box and a
/// ball of the world; and a way to change one place of it.
#ifndef GRAZE_TESTS_DUMP_SAMPLE_H
#define GRAZE_TESTS_DUMP_SAMPLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/dump_reader.h"

#define DUMP_BOX                                                                                   \
    "box 8 12\n"                                                                                   \
    "v -0x1p+0 -0x1p+0 -0x1p+0\nv 0x1p+0 -0x1p+0 -0x1p+0\nv -0x1p+0 0x1p+0 -0x1p+0\n"              \
    "v 0x1p+0 0x1p+0 -0x1p+0\nv -0x1p+0 -0x1p+0 0x1p+0\nv 0x1p+0 -0x1p+0 0x1p+0\n"                 \
    "v -0x1p+0 0x1p+0 0x1p+0\nv 0x1p+0 0x1p+0 0x1p+0\n"                                            \
    "t 0 4 6\nt 0 6 2\nt 1 3 7\nt 1 7 5\nt 0 1 5\nt 0 5 4\n"                                       \
    "t 2 6 7\nt 2 7 3\nt 0 2 3\nt 0 3 1\nt 4 5 7\nt 4 7 6\n"

#define DUMP_IDENTITY_AT(x)                                                                        \
    "0x1p+0 0x0p+0 0x0p+0 " x " 0x0p+0 0x1p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x1p+0 0x0p+0"

#define DUMP_HEAD                                                                                                 \
    "graze-dump 1\nversion \"0.1.0\"\nrobot \"slider\"\nanswer all\nepsilon 0x1p-35\n"                            \
    "domain 0x1p+7\nq 1\ntree 2 0\njoints 1\n"                                                                    \
    "joint \"slide\" prismatic 0 1 0 -1 0x1p+0 0x0p+0 0x1p+0 0x0p+0 0x0p+0 " DUMP_IDENTITY_AT(                    \
        "0x0p+0") "\n"                                                                                            \
                  "frames 2\nframe 0\nframe 1\n"                                                                  \
                  "boundary -0x1p+3 -0x1p+3 -0x1p+3 0x1p+3 0x1p+3 0x1p+3\n"                                       \
                  "parts 4\n"                                                                                     \
                  "link \"base\" solid 0 0x1p-45 1\n" DUMP_BOX                                                    \
                  "link \"hand\" solid 1 0x1p-45 1\n" DUMP_BOX                                                    \
                  "object \"wall\" solid 1 " DUMP_IDENTITY_AT(                                                    \
                      "0x1.4p+3") "\n" DUMP_BOX                                                                   \
                                  "object \"ball\" surface 1 " DUMP_IDENTITY_AT(                                  \
                                      "0x1p+5") "\n"                                                              \
                                                "sphere 0x1p+0\nv 0x0p+0 0x0p+0 0x0p+0\nv 0x0p+0 0x0p+0 0x0p+0\n" \
                                                "pairs\npair 0 1 0x0p+0\nskip 0 2 \"allowed\"\npair 0 3 0x0p+0\n" \
                                                "pair 1 2 0x0p+0\npair 1 3 0x0p+0\n"

#define DUMP_CONFIGURATION(index, q, verdict)                                                      \
    "configuration " index "\nq " q "\nbase 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0\n"           \
    "pose 0 " DUMP_IDENTITY_AT("0x0p+0") "\npose 1 " DUMP_IDENTITY_AT(q) "\n" verdict

// Between base and wall; touching the base; touching the wall; inside the ball.
#define DUMP_FREE DUMP_CONFIGURATION("0", "0x1.4p+2", "verdict free\n")
#define DUMP_BASE                                                                                  \
    DUMP_CONFIGURATION("1", "0x1p+1", "verdict collision 1\ncontact 0 1 0 0 meets 2 0\n")
#define DUMP_WALL                                                                                  \
    DUMP_CONFIGURATION("2", "0x1p+3", "verdict collision 1\ncontact 1 2 0 0 meets 2 0\n")
#define DUMP_BALL                                                                                  \
    DUMP_CONFIGURATION("3", "0x1p+5", "verdict collision 1\ncontact 1 3 0 0 inside -1 -1\n")
#define DUMP_WHOLE DUMP_HEAD DUMP_FREE DUMP_BASE DUMP_WALL "end 3\n"

/// A copy of `text` in which the first `from` behind the first `after` is `to`; NULL where there is
/// none. The caller frees it.
static inline char *dump_changed(const char *text, const char *after, const char *from,
                                 const char *to) {
    const char *begin = strstr(text, after);
    const char *place = begin != NULL ? strstr(begin, from) : NULL;
    if (place == NULL) return NULL;
    size_t size = strlen(text) + strlen(to) + 1, head = (size_t)(place - text);
    char *out = malloc(size);
    if (out == NULL) return NULL;
    memcpy(out, text, head);
    snprintf(out + head, size - head, "%s%s", to, place + strlen(from));
    return out;
}

#endif
