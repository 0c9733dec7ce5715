/// The recording of robots and worlds: what the loader tells the builders, call by call, so that a
/// library without its loader can be told the same, bit for bit. Each field has one function, which
/// writes it or reads it; whoever uses a stream gives up on the first mistake.
#ifndef GRAZE_TESTS_GOLDEN_STREAM_H
#define GRAZE_TESTS_GOLDEN_STREAM_H

#include <stdio.h>

#include "robot/builder.h"

typedef struct golden_stream {
    FILE *file;
    bool reading;
    void *strings; ///< read so far, linked: they live as long as the stream
} golden_stream;

/// What a record begins with.
enum {
    GOLDEN_ROBOT = 'R',
    GOLDEN_LINK = 'L',
    GOLDEN_JOINT = 'J',
    GOLDEN_GEOMETRY = 'G',
    GOLDEN_DISABLE_PAIR = 'D',
    GOLDEN_ENABLE_PAIR = 'E',
    GOLDEN_DISABLE_DEFAULT = 'F',
    GOLDEN_PASSIVE = 'P',
    GOLDEN_PAIR_MARGIN = 'M',
    GOLDEN_ROBOT_END = 'r',
    GOLDEN_WORLD = 'W',
    GOLDEN_PRIMITIVE = 'p',
    GOLDEN_SOUP = 's',
    GOLDEN_POINTS = 'c',
    GOLDEN_BOUNDARY = 'b',
    GOLDEN_WORLD_END = 'w',
    GOLDEN_END = '.'
};

/// Ends the program with status 3.
_Noreturn void golden_give_up(const char *what, const char *why);
void *golden_allocate(size_t count, size_t size);

void golden_stream_close(golden_stream *stream);

void golden_integer(golden_stream *stream, int64_t *value);
void golden_int32(golden_stream *stream, int32_t *value);
void golden_bool(golden_stream *stream, bool *value);
void golden_size(golden_stream *stream, size_t *value);
void golden_doubles(golden_stream *stream, double *values, size_t count);
/// A string or NULL.
void golden_string(golden_stream *stream, const char **text);
void golden_joint(golden_stream *stream, gz_joint_input *joint);
/// Its soup too; read, it is a new one.
void golden_geometry(golden_stream *stream, gz_geometry_input *geometry);
void golden_soup(golden_stream *stream, gz_soup **soup);

/// What is taken for a fault in the bytes: a field of so many entries is never written.
#define GOLDEN_COUNT_LIMIT ((size_t)1 << 26)

#endif
