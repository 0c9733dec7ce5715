// What the verdicts of a roadmap's edges depend on, as digests: the robot with its rules, and each
// object of the world by itself, so that a change shows which objects are others.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "plan/roadmap_internal.h"

// Numbers enter as their bytes, little-endian on every machine that graze runs on; each field by
// itself, so that the gaps of structures do not count.

static void add_whole(gz_sha256 *hash, int64_t value) {
    gz_sha256_add(hash, &value, sizeof value);
}

static void add_numbers(gz_sha256 *hash, const double *values, size_t count) {
    if (values && count) gz_sha256_add(hash, values, count * sizeof *values);
}

static void add_text(gz_sha256 *hash, const char *text) {
    size_t size = text ? strlen(text) : 0;
    add_whole(hash, (int64_t)size);
    if (size) gz_sha256_add(hash, text, size);
}

static void add_geometry(gz_sha256 *hash, const graze_geometry *g) {
    add_whole(hash, g->shape);
    add_whole(hash, g->element);
    add_numbers(hash, g->origin.m, 12);
    add_numbers(hash, g->in_object.m, 12);
    add_numbers(hash, g->size, 3);
    add_numbers(hash, &g->radius, 1);
    add_numbers(hash, &g->length, 1);
    add_numbers(hash, &g->ends[0][0], 6);
    add_whole(hash, (int64_t)g->vertex_count);
    add_numbers(hash, g->vertices, 3 * g->vertex_count);
    add_whole(hash, (int64_t)g->triangle_count);
    if (g->triangles)
        gz_sha256_add(hash, g->triangles, 3 * g->triangle_count * sizeof *g->triangles);
}

static gz_digest finish(gz_sha256 *hash) {
    char text[GZ_SHA256_TEXT];
    gz_digest digest;
    gz_sha256_finish(hash, text);
    memcpy(digest.digits, text, sizeof digest.digits);
    return digest;
}

/// Digests that are being made, while pairs are enumerated.
typedef struct making {
    const graze_checker *checker;
    gz_sha256 robot;
    gz_sha256 *objects;
    size_t object_count;
} making;

static bool add_pair(const graze_checked_pair *pair, void *user) {
    making *m = user;
    gz_sha256 *hash = &m->robot;
    if (pair->is_world) {
        if ((size_t)pair->other >= m->object_count) return true; // objects do not count
        hash = &m->objects[pair->other];
    }
    add_whole(hash, pair->link);
    add_whole(hash, pair->is_world ? 0 : pair->other);
    add_whole(hash, pair->hidden != NULL);
    for (int i = 0; i < 2; i++) add_whole(hash, pair->policies[i]);
    // A margin below epsilon counts as epsilon, which is compared by itself.
    double margin = pair->margin;
    if (margin > 0 && margin <= graze_checker_epsilon(m->checker)) margin = -1;
    if (!pair->hidden) add_numbers(hash, &margin, 1);
    return true;
}

static void add_joints(gz_sha256 *hash, const graze_robot *robot) {
    for (int32_t i = 0; i < (int32_t)graze_robot_joint_count(robot); i++) {
        graze_joint_info j;
        graze_robot_joint(robot, i, &j);
        const int64_t wholes[] = {j.type, j.parent, j.child, j.q_index, j.limited, j.mimic};
        const double numbers[] = {j.axis.x, j.axis.y,     j.axis.z, j.lower,
                                  j.upper,  j.multiplier, j.offset};
        add_text(hash, j.name);
        gz_sha256_add(hash, wholes, sizeof wholes);
        add_numbers(hash, j.origin.m, 12);
        add_numbers(hash, numbers, sizeof numbers / sizeof *numbers);
    }
}

static void add_links(gz_sha256 *hash, const graze_robot *robot) {
    for (int32_t i = 0; i < (int32_t)graze_robot_link_count(robot); i++)
        add_text(hash, graze_robot_link_name(robot, i));
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++) {
        graze_geometry g;
        graze_robot_collision(robot, i, &g);
        add_whole(hash, g.owner);
        add_geometry(hash, &g);
    }
}

static void add_options(gz_sha256 *hash, const graze_checker *checker) {
    graze_checker_options o = graze_checker_settings(checker);
    const int64_t wholes[] = {o.level, o.no_self, o.no_world};
    gz_sha256_add(hash, wholes, sizeof wholes);
    add_numbers(hash, &o.domain, 1);
}

static void read_boundary(gz_identity *identity, const graze_world *world) {
    identity->bounded = world &&
                        graze_world_boundary(world, identity->boundary, identity->boundary + 3);
    if (!identity->bounded) memset(identity->boundary, 0, sizeof identity->boundary);
}

graze_status gz_identity_make(gz_identity *identity, const graze_checker *checker,
                              graze_error *error) {
    const graze_robot *robot = graze_checker_robot(checker);
    const graze_world *world = graze_checker_world(checker);
    *identity = (gz_identity){.epsilon = graze_checker_epsilon(checker)};
    making m = {.checker = checker, .robot = gz_sha256_begin()};
    if (graze_checker_settings(checker).no_world) world = NULL;
    m.object_count = identity->object_count = world ? graze_world_object_count(world) : 0;
    m.objects = gz_malloc(m.object_count, sizeof *m.objects);
    identity->objects = gz_malloc(m.object_count, sizeof *identity->objects);
    if (!m.objects || !identity->objects) {
        gz_free(m.objects);
        gz_identity_free(identity);
        return gz_fail_memory(error);
    }
    read_boundary(identity, world);
    add_options(&m.robot, checker);
    add_joints(&m.robot, robot);
    add_links(&m.robot, robot);
    for (size_t i = 0; i < m.object_count; i++) {
        graze_geometry g;
        graze_world_object(world, i, &g);
        m.objects[i] = gz_sha256_begin();
        add_text(&m.objects[i], g.name);
        add_geometry(&m.objects[i], &g);
    }
    graze_checker_pairs(checker, add_pair, &m);
    identity->robot = finish(&m.robot);
    for (size_t i = 0; i < m.object_count; i++) identity->objects[i] = finish(&m.objects[i]);
    gz_free(m.objects);
    return GRAZE_OK;
}

void gz_identity_free(gz_identity *identity) {
    gz_free(identity->objects);
    *identity = (gz_identity){0};
}

// ------------------------------------------------------------------------------------ comparing

/// An object of the world before, to be found by its digest.
typedef struct entry {
    gz_digest digest;
    int32_t index;
} entry;

/// Of equal digests the lowest index first.
static int compare_entries(const void *a, const void *b) {
    const entry *x = a, *y = b;
    int order = memcmp(&x->digest, &y->digest, sizeof x->digest);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static const entry *find(const entry *entries, size_t count, const gz_digest *digest) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memcmp(&entries[middle].digest, digest, sizeof *digest) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool is = low < count && memcmp(&entries[low].digest, digest, sizeof *digest) == 0;
    return is ? &entries[low] : NULL;
}

graze_status gz_identity_compare(gz_identity_change *change, const gz_identity *before,
                                 const gz_identity *now, graze_error *error) {
    *change = (gz_identity_change){0};
    change->all = before->epsilon != now->epsilon || before->bounded != now->bounded ||
                  memcmp(before->boundary, now->boundary, sizeof now->boundary) != 0;
    change->kept = gz_malloc(before->object_count, sizeof *change->kept);
    change->added = gz_calloc(now->object_count, 1);
    entry *entries = gz_malloc(before->object_count, sizeof *entries);
    if (!change->kept || !change->added || !entries) {
        gz_free(entries);
        return gz_fail_memory(error);
    }
    for (size_t i = 0; i < before->object_count; i++) {
        entries[i] = (entry){before->objects[i], (int32_t)i};
        change->kept[i] = -1;
    }
    if (before->object_count)
        qsort(entries, before->object_count, sizeof *entries, compare_entries);
    for (size_t i = 0; i < now->object_count; i++) {
        const entry *old = find(entries, before->object_count, &now->objects[i]);
        change->added[i] = old == NULL;
        change->added_count += old == NULL;
        if (!old) continue;
        change->kept_count += change->kept[old->index] < 0;
        change->kept[old->index] = (int32_t)i;
    }
    gz_free(entries);
    return GRAZE_OK;
}

void gz_identity_change_free(gz_identity_change *change) {
    gz_free(change->kept);
    gz_free(change->added);
    *change = (gz_identity_change){0};
}
