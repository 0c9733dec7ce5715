/// URDF texts made piece by piece, for tests that need many robots.
#ifndef GZ_TESTS_ROBOT_TEXT_MAKER_H
#define GZ_TESTS_ROBOT_TEXT_MAKER_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/robot.h"

typedef struct text_maker {
    char *text;
    size_t size, capacity;
} text_maker;

static inline void text_add(text_maker *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline void text_add(text_maker *m, const char *format, ...) {
    if (m->capacity < m->size + 4096) {
        m->capacity = 2 * m->capacity + 8192;
        m->text = realloc(m->text, m->capacity);
        if (!m->text) abort();
    }
    va_list args;
    va_start(args, format);
    int n = vsnprintf(m->text + m->size, 4096, format, args);
    va_end(args);
    if (n < 0 || n >= 4096) abort();
    m->size += (size_t)n;
}

static inline void text_free(text_maker *m) {
    free(m->text);
    memset(m, 0, sizeof *m);
}

/// Loads the robot; aborts with the message where that fails. Frees the text.
static inline graze_robot *text_load(text_maker *m) {
    graze_robot *robot;
    graze_error e;
    if (graze_robot_load_urdf_memory(&robot, m->text, m->size, "made", NULL, NULL, &e)) {
        fprintf(stderr, "%d: %s (%s)\n", e.line, e.message, e.element);
        abort();
    }
    text_free(m);
    return robot;
}

#endif
