// Roadmaps as bytes: one description of the format, by which they are counted, written and read.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "plan/roadmap_internal.h"

/// Not text, not cut by what takes files for text, and like no other format's.
#define MAGIC "\x89GRMAP\n\x1a"

enum { VERSION = 1, MAGIC_SIZE = 8, SUM_SIZE = GZ_SHA256_TEXT - 1, BEFORE_HEAD = 12 };

/// Bytes that are counted, written or read, from the front. Reading never goes beyond the end.
typedef struct codec {
    unsigned char *out;      ///< written; NULL: not
    const unsigned char *in; ///< read; NULL: not
    size_t at, size;
} codec;

/// A whole number of 4 or 8 bytes, little-endian.
static uint64_t code_whole(codec *c, uint64_t value, size_t bytes) {
    uint64_t read = 0;
    for (size_t i = 0; i < bytes; i++, c->at++) {
        if (c->out) c->out[c->at] = (unsigned char)(value >> (8 * i));
        if (c->in && c->at < c->size) read |= (uint64_t)c->in[c->at] << (8 * i);
    }
    return c->in ? read : value;
}

static void code_u64(codec *c, uint64_t *value) {
    *value = code_whole(c, *value, 8);
}

static void code_words(codec *c, uint32_t *values, size_t count) {
    for (size_t i = 0; i < count; i++) values[i] = (uint32_t)code_whole(c, values[i], 4);
}

static void code_signed(codec *c, int32_t *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        values[i] = (int32_t)(uint32_t)code_whole(c, (uint32_t)values[i], 4);
}

static void code_numbers(codec *c, double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bits = code_whole(c, bits, 8);
        memcpy(&values[i], &bits, sizeof bits);
    }
}

static void code_floats(codec *c, float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bits = (uint32_t)code_whole(c, bits, 4);
        memcpy(&values[i], &bits, sizeof bits);
    }
}

static void code_digests(codec *c, gz_digest *digests, size_t count) {
    size_t bytes = count * sizeof *digests;
    if (c->out && bytes) memcpy(c->out + c->at, digests, bytes);
    if (c->in && bytes && c->at <= c->size && c->size - c->at >= bytes)
        memcpy(digests, c->in + c->at, bytes);
    c->at += bytes;
}

/// What stands in front of the arrays.
typedef struct head {
    uint64_t bytes; ///< of the whole file
    gz_identity identity;
    graze_roadmap_options settings;
    uint64_t objects, q_size, dimension, nodes, edges, samples;
    double base[6];
} head;

static void code_head(codec *c, head *h) {
    graze_roadmap_options *o = &h->settings;
    uint64_t *counts[] = {&h->bytes, &h->objects, &h->q_size,  &h->dimension,
                          &h->nodes, &h->edges,   &h->samples, &o->seed};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) code_u64(c, counts[i]);
    code_digests(c, &h->identity.robot, 1);
    code_numbers(c, &h->identity.epsilon, 1);
    code_words(c, &h->identity.bounded, 1);
    code_numbers(c, h->identity.boundary, 6);
    code_words(c, &o->neighbours, 1);
    code_words(c, &o->planar_base, 1);
    code_numbers(c, o->base_min, 2);
    code_numbers(c, o->base_max, 2);
    code_numbers(c, &o->resolution, 1);
    code_numbers(c, h->base, 6);
}

/// The arrays, as the head counts them.
typedef struct body {
    gz_digest *objects;
    double *q;
    int32_t *columns;
    double *states;
    uint32_t *ends;
    int32_t *blocks;
    float *hits;
} body;

static void code_body(codec *c, const head *h, body *b) {
    code_digests(c, b->objects, (size_t)h->objects);
    code_numbers(c, b->q, (size_t)h->q_size);
    code_signed(c, b->columns, (size_t)h->dimension);
    code_numbers(c, b->states, (size_t)(h->nodes * h->dimension));
    code_words(c, b->ends, (size_t)(2 * h->edges));
    code_signed(c, b->blocks, (size_t)h->edges);
    code_floats(c, b->hits, (size_t)h->edges);
}

/// The bytes of a file with such a head, whose counts are within the limits.
static uint64_t file_size(const head *h) {
    codec c = {0};
    head counted = *h;
    code_head(&c, &counted);
    return BEFORE_HEAD + c.at + h->objects * sizeof(gz_digest) + 8 * h->q_size + 4 * h->dimension +
           8 * h->nodes * h->dimension + 16 * h->edges + SUM_SIZE;
}

static void sum(const unsigned char *bytes, size_t size, char text[GZ_SHA256_TEXT]) {
    gz_sha256 hash = gz_sha256_begin();
    gz_sha256_add(&hash, bytes, size);
    gz_sha256_finish(&hash, text);
}

// ---------------------------------------------------------------------------------------- writing

static head head_of(const graze_roadmap *map) {
    head h = {.identity = map->identity,
              .settings = map->settings,
              .objects = map->identity.object_count,
              .q_size = map->space.q_size,
              .dimension = map->space.dimension,
              .nodes = map->nodes.count,
              .edges = map->edge_count,
              .samples = map->samples};
    memcpy(h.base, map->space.base_fixed, sizeof h.base);
    h.bytes = file_size(&h);
    return h;
}

uint64_t gz_roadmap_file_size(const graze_roadmap *map) {
    return head_of(map).bytes;
}

static void write_all(unsigned char *bytes, head *h, const graze_roadmap *map, int32_t *columns) {
    codec c = {.out = bytes, .size = (size_t)h->bytes, .at = MAGIC_SIZE};
    uint32_t version = VERSION;
    body b = {.objects = map->identity.objects,
              .q = map->space.q_fixed,
              .columns = columns,
              .states = map->nodes.values,
              .ends = map->ends,
              .blocks = map->blocks,
              .hits = map->hits};
    char text[GZ_SHA256_TEXT];
    for (size_t i = 0; i < map->space.dimension; i++) columns[i] = map->space.axes[i].column;
    memcpy(bytes, MAGIC, MAGIC_SIZE);
    code_words(&c, &version, 1);
    code_head(&c, h);
    code_body(&c, h, &b); // each value is written back as it was
    sum(bytes, c.at, text);
    memcpy(bytes + c.at, text, SUM_SIZE);
}

graze_status graze_roadmap_pack(unsigned char **bytes, size_t *size, const graze_roadmap *roadmap,
                                graze_error *error) {
    if (!bytes || !size) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "bytes or size is NULL");
    *bytes = NULL;
    *size = 0;
    if (!roadmap) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "roadmap is NULL");
    head h = head_of(roadmap);
    int32_t *columns = gz_malloc(roadmap->space.dimension, sizeof *columns);
    unsigned char *out = gz_malloc((size_t)h.bytes, 1);
    if (out && columns) {
        write_all(out, &h, roadmap, columns);
        *bytes = out;
        *size = (size_t)h.bytes;
        gz_error_clear(error);
    }
    gz_free(columns);
    if (*bytes) return GRAZE_OK;
    gz_free(out);
    return gz_fail_memory(error);
}

void graze_roadmap_bytes_free(unsigned char *bytes) {
    gz_free(bytes);
}

// ---------------------------------------------------------------------------------------- reading

static graze_status damaged(graze_error *error, const char *what) {
    return gz_fail(error, GRAZE_ERROR_PARSE, "a damaged roadmap: %s", what);
}

/// Reads the head of a file whose sum is right, and checks that its counts are those of its size.
static graze_status read_head(codec *c, head *h, graze_error *error) {
    char text[GZ_SHA256_TEXT];
    uint32_t version = 0;
    if (c->size < MAGIC_SIZE || memcmp(c->in, MAGIC, MAGIC_SIZE) != 0)
        return gz_fail(error, GRAZE_ERROR_PARSE,
                       "no roadmap of graze; allowed: what 'graze roadmap build' writes");
    c->at = MAGIC_SIZE;
    code_words(c, &version, 1);
    if (version != VERSION && c->size >= BEFORE_HEAD)
        return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                       "a roadmap of the format %u; allowed: %d, else build it anew",
                       (unsigned)version, VERSION);
    code_head(c, h);
    if (c->size < c->at + SUM_SIZE || h->bytes != c->size)
        return gz_fail(error, GRAZE_ERROR_PARSE, "a roadmap cut short: %zu bytes", c->size);
    sum(c->in, c->size - SUM_SIZE, text);
    if (memcmp(text, c->in + c->size - SUM_SIZE, SUM_SIZE) != 0)
        return damaged(error, "its sum is not that of its bytes");
    if (h->nodes < 2 || h->nodes > GZ_ROADMAP_NODES || h->edges > GZ_ROADMAP_EDGES ||
        h->objects > INT32_MAX || h->q_size > INT32_MAX || h->dimension < 1 ||
        h->dimension > h->q_size + 3 || h->settings.neighbours < 1 ||
        h->settings.neighbours >= h->nodes || !(h->settings.resolution > 0) ||
        h->nodes * h->dimension > SIZE_MAX / 8 / 2 || file_size(h) != c->size)
        return damaged(error, "its counts are not those of its bytes");
    return GRAZE_OK;
}

/// Makes the roadmap that the head says, without its nodes.
static graze_status begin(graze_roadmap **out, const graze_checker *checker, const head *h,
                          const body *b, graze_error *error) {
    graze_roadmap_options o = graze_roadmap_options_default();
    uint32_t planar = h->settings.planar_base != 0;
    size_t fixed = planar ? 3 : 0;
    if (h->dimension < fixed) return damaged(error, "its columns");
    o.planar_base = planar;
    o.columns = b->columns + fixed;
    o.column_count = (size_t)h->dimension - fixed;
    for (size_t i = 0; i < o.column_count; i++)
        if (o.columns[i] < 0 || (uint64_t)o.columns[i] >= h->q_size)
            return damaged(error, "its columns");
    for (size_t i = 0; i < h->q_size; i++)
        if (!isfinite(b->q[i])) return damaged(error, "its configuration");
    for (int i = 0; i < 6; i++)
        if (!isfinite(h->base[i])) return damaged(error, "its base");
    o.nodes = h->nodes;
    o.neighbours = h->settings.neighbours;
    o.seed = h->settings.seed;
    o.resolution = h->settings.resolution;
    memcpy(o.base_min, h->settings.base_min, sizeof o.base_min);
    memcpy(o.base_max, h->settings.base_max, sizeof o.base_max);
    GZ_TRY(gz_roadmap_begin(out, checker, b->q, h->base, &o, error));
    for (size_t i = 0; i < h->dimension; i++)
        if ((*out)->space.dimension != h->dimension ||
            (*out)->space.axes[i].column != b->columns[i])
            return damaged(error, "its columns");
    return GRAZE_OK;
}

static graze_status check_body(const graze_roadmap *map, const head *h, const body *b,
                               graze_error *error) {
    for (uint64_t i = 0; i < h->nodes * h->dimension; i++) {
        const gz_axis *axis = &map->space.axes[i % h->dimension];
        double value = b->states[i];
        if (!isfinite(value) || (axis->limited && (value < axis->low || value > axis->high)))
            return damaged(error, "a node is outside of the limits");
    }
    for (uint64_t i = 0; i < h->edges; i++) {
        const uint32_t *pair = b->ends + 2 * i;
        bool ascends = i == 0 || pair[0] > pair[-2] || (pair[0] == pair[-2] && pair[1] > pair[-1]);
        if (pair[0] >= pair[1] || pair[1] >= h->nodes || !ascends)
            return damaged(error, "an edge has no such nodes");
        if (b->blocks[i] < GZ_BLOCK_UNKNOWN || b->blocks[i] >= (int64_t)h->objects)
            return damaged(error, "an edge has no such object");
        if (b->hits[i] != GZ_NO_HIT && !(b->hits[i] >= 0 && b->hits[i] <= 1))
            return damaged(error, "an edge collides beyond its ends");
    }
    return GRAZE_OK;
}

static bool allocate(body *b, const head *h) {
    b->objects = gz_malloc((size_t)h->objects, sizeof *b->objects);
    b->q = gz_malloc((size_t)h->q_size, sizeof *b->q);
    b->columns = gz_malloc((size_t)h->dimension, sizeof *b->columns);
    b->states = gz_malloc((size_t)(h->nodes * h->dimension), sizeof *b->states);
    b->ends = gz_malloc((size_t)(2 * h->edges), sizeof *b->ends);
    b->blocks = gz_malloc((size_t)h->edges, sizeof *b->blocks);
    b->hits = gz_malloc((size_t)h->edges, sizeof *b->hits);
    return b->objects && b->q && b->columns && b->states && b->ends && b->blocks && b->hits;
}

static void free_body(body *b) {
    gz_free(b->objects);
    gz_free(b->q);
    gz_free(b->columns);
    gz_free(b->states);
    gz_free(b->ends);
    gz_free(b->blocks);
    gz_free(b->hits);
}

/// Puts the arrays into the roadmap, with the identity of the file's world.
static graze_status take_body(graze_roadmap *map, const head *h, body *b, graze_error *error) {
    const gz_state_list states = {
        .values = b->states, .dimension = (size_t)h->dimension, .count = (size_t)h->nodes};
    if (!gz_state_list_replace(&map->nodes, 0, 0, &states)) return gz_fail_memory(error);
    map->samples = h->samples;
    map->edge_count = (size_t)h->edges;
    map->ends = b->ends;
    map->blocks = b->blocks;
    map->hits = b->hits;
    map->identity = h->identity;
    map->identity.objects = b->objects;
    map->identity.object_count = (size_t)h->objects;
    b->ends = NULL;
    b->blocks = NULL;
    b->hits = NULL;
    b->objects = NULL;
    return GRAZE_OK;
}

static graze_status check_same_world(const graze_roadmap *map, const gz_identity *now,
                                     graze_error *error) {
    gz_identity_change change;
    graze_status status = gz_identity_compare(&change, &map->identity, now, error);
    size_t gone = map->identity.object_count - change.kept_count;
    if (status == GRAZE_OK && (change.all || gone || change.added_count))
        status = gz_fail(error, GRAZE_ERROR_SCHEMA,
                         "the roadmap was built in another world: %zu of its objects are gone or "
                         "moved, %zu are new%s; allowed: the same world, or an update",
                         gone, change.added_count,
                         change.all ? ", and the boundary or epsilon differs" : "");
    gz_identity_change_free(&change);
    return status;
}

/// From arrays that are read to a roadmap of the checker's world, whose identity is `now` and which
/// becomes the roadmap's.
static graze_status assemble(graze_roadmap **out, const graze_checker *checker, const head *h,
                             body *b, gz_identity *now, const graze_roadmap_options *options,
                             graze_roadmap_update *update, graze_error *error) {
    graze_roadmap_options o;
    GZ_TRY(GZ_OPTIONS_READ(graze_roadmap_options, &o, options, error));
    GZ_TRY(gz_roadmap_check_limits(&o, error));
    GZ_TRY(begin(out, checker, h, b, error));
    GZ_TRY(check_body(*out, h, b, error));
    GZ_TRY(take_body(*out, h, b, error));
    if (!options) GZ_TRY(check_same_world(*out, now, error));
    GZ_TRY(gz_roadmap_renew(*out, now, &o, update, error));
    return gz_roadmap_finish(*out, error);
}

static graze_status check_robot(const head *h, const gz_identity *now, const graze_checker *checker,
                                graze_error *error) {
    bool same = memcmp(&now->robot, &h->identity.robot, sizeof now->robot) == 0;
    if (same && h->q_size == graze_robot_q_size(graze_checker_robot(checker))) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_SCHEMA,
                   "the roadmap was built with another robot, or with other rules of its pairs; "
                   "allowed: the same");
}

GZ_OUT_OF_LINE static graze_status unpack(graze_roadmap **out, const void *bytes, size_t size,
                                          const graze_checker *checker,
                                          const graze_roadmap_options *options,
                                          graze_roadmap_update *update, graze_error *error) {
    codec c = {.in = bytes, .size = size};
    head h = {0};
    body b = {0};
    gz_identity now;
    if (!bytes || !checker) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "bytes or checker is NULL");
    GZ_TRY(read_head(&c, &h, error));
    GZ_TRY(gz_identity_make(&now, checker, error));
    graze_roadmap *map = NULL;
    graze_status status = check_robot(&h, &now, checker, error);
    if (status == GRAZE_OK && !allocate(&b, &h)) status = gz_fail_memory(error);
    if (status == GRAZE_OK) {
        code_body(&c, &h, &b);
        status = assemble(&map, checker, &h, &b, &now, options, update, error);
    }
    free_body(&b);
    gz_identity_free(&now);
    if (status == GRAZE_OK)
        *out = map;
    else
        graze_roadmap_free(map);
    return status;
}

graze_status graze_roadmap_unpack_sized(graze_roadmap **out, const void *bytes, size_t byte_count,
                                        const graze_checker *checker,
                                        const graze_roadmap_options *options,
                                        graze_roadmap_update *update, size_t size,
                                        graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_roadmap_update own = {0};
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    graze_status status = unpack(out, bytes, byte_count, checker, options, &own, error);
    if (update) gz_fill(update, size, &own, sizeof own);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
