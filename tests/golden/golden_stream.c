#include "golden_stream.h"

#include <stdlib.h>
#include <string.h>

typedef struct string {
    struct string *next;
    char text[];
} string;

void golden_give_up(const char *what, const char *why) {
    fprintf(stderr, "golden: %s: %s\n", what, why);
    exit(3);
}

void *golden_allocate(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p) golden_give_up("memory", "none left");
    return p;
}

void golden_stream_close(golden_stream *stream) {
    while (stream->strings) {
        string *next = ((string *)stream->strings)->next;
        free(stream->strings);
        stream->strings = next;
    }
    int failed = ferror(stream->file);
    if (fclose(stream->file) != 0 || failed) golden_give_up("recording", "not read or written");
}

void golden_integer(golden_stream *stream, int64_t *value) {
    unsigned char bytes[8];
    uint64_t bits = 0;
    if (!stream->reading) {
        bits = (uint64_t)*value;
        for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(bits >> (8 * i) & 0xff);
        if (fwrite(bytes, 8, 1, stream->file) != 1) golden_give_up("recording", "cannot write");
        return;
    }
    if (fread(bytes, 8, 1, stream->file) != 1) golden_give_up("recording", "ends too early");
    for (int i = 0; i < 8; i++) bits |= (uint64_t)bytes[i] << (8 * i);
    *value = (int64_t)bits;
}

void golden_int32(golden_stream *stream, int32_t *value) {
    int64_t wide = stream->reading ? 0 : *value;
    golden_integer(stream, &wide);
    if (wide < INT32_MIN || wide > INT32_MAX) golden_give_up("recording", "integer out of range");
    *value = (int32_t)wide;
}

void golden_bool(golden_stream *stream, bool *value) {
    int64_t wide = stream->reading ? 0 : *value;
    golden_integer(stream, &wide);
    *value = wide != 0;
}

void golden_size(golden_stream *stream, size_t *value) {
    int64_t wide = stream->reading ? 0 : (int64_t)*value;
    golden_integer(stream, &wide);
    if (wide < 0 || (uint64_t)wide > GOLDEN_COUNT_LIMIT)
        golden_give_up("recording", "count out of range");
    *value = (size_t)wide;
}

void golden_doubles(golden_stream *stream, double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int64_t bits = 0;
        if (!stream->reading) memcpy(&bits, &values[i], sizeof bits);
        golden_integer(stream, &bits);
        memcpy(&values[i], &bits, sizeof bits);
    }
}

void golden_string(golden_stream *stream, const char **text) {
    size_t size = stream->reading || !*text ? 0 : strlen(*text) + 1;
    golden_size(stream, &size);
    if (!stream->reading) {
        if (size && fwrite(*text, size, 1, stream->file) != 1)
            golden_give_up("recording", "cannot write");
        return;
    }
    *text = NULL;
    if (!size) return;
    string *entry = golden_allocate(1, sizeof *entry + size);
    if (fread(entry->text, size, 1, stream->file) != 1 || entry->text[size - 1])
        golden_give_up("recording", "ends within a text");
    entry->next = stream->strings;
    stream->strings = entry;
    *text = entry->text;
}

static void enumeration(golden_stream *stream, int *value) {
    int32_t number = *value;
    golden_int32(stream, &number);
    *value = number;
}

void golden_joint(golden_stream *stream, gz_joint_input *joint) {
    int type = stream->reading ? 0 : (int)joint->type;
    if (stream->reading) *joint = (gz_joint_input){0};
    enumeration(stream, &type);
    joint->type = (graze_joint_type)type;
    golden_string(stream, &joint->name);
    golden_string(stream, &joint->parent);
    golden_string(stream, &joint->child);
    golden_doubles(stream, joint->origin.m, 12);
    golden_doubles(stream, &joint->axis.x, 1);
    golden_doubles(stream, &joint->axis.y, 1);
    golden_doubles(stream, &joint->axis.z, 1);
    golden_bool(stream, &joint->has_limit);
    golden_doubles(stream, &joint->lower, 1);
    golden_doubles(stream, &joint->upper, 1);
    golden_string(stream, &joint->mimic);
    golden_doubles(stream, &joint->multiplier, 1);
    golden_doubles(stream, &joint->offset, 1);
}

void golden_soup(golden_stream *stream, gz_soup **soup) {
    size_t vertices = stream->reading ? 0 : (*soup)->vertex_count;
    size_t triangles = stream->reading ? 0 : (*soup)->triangle_count;
    golden_size(stream, &vertices);
    golden_size(stream, &triangles);
    if (stream->reading) {
        *soup = gz_soup_create();
        if (!*soup || !gz_soup_reserve(*soup, vertices, triangles))
            golden_give_up("memory", "none left");
        (*soup)->vertex_count = vertices;
        (*soup)->triangle_count = triangles;
    }
    golden_doubles(stream, (*soup)->vertices, 3 * vertices);
    for (size_t i = 0; i < 3 * triangles; i++) {
        int64_t index = stream->reading ? 0 : (*soup)->triangles[i];
        golden_integer(stream, &index);
        if (index < 0 || (uint64_t)index >= vertices)
            golden_give_up("recording", "vertex out of range");
        (*soup)->triangles[i] = (uint32_t)index;
    }
}

void golden_geometry(golden_stream *stream, gz_geometry_input *geometry) {
    int shape = stream->reading ? 0 : (int)geometry->shape;
    if (stream->reading) *geometry = (gz_geometry_input){.scale = {1, 1, 1}};
    enumeration(stream, &shape);
    geometry->shape = (graze_shape)shape;
    golden_int32(stream, &geometry->link);
    golden_doubles(stream, geometry->origin.m, 12);
    golden_doubles(stream, geometry->size, 3);
    golden_doubles(stream, &geometry->radius, 1);
    golden_doubles(stream, &geometry->length, 1);
    bool has_soup = !stream->reading && geometry->soup;
    golden_bool(stream, &has_soup);
    if (has_soup) golden_soup(stream, &geometry->soup);
}
