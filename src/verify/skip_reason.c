#include "verify/skip_reason.h"

#include <string.h>

#include "verify/verify_memory.h"

/// Sets of links, each with a root: of rigid bodies, and of rigid bodies that have links without
/// geometry and are joined to each other.
static int32_t find(int32_t *sets, int32_t link) {
    while (sets[link] != link) link = sets[link] = sets[sets[link]];
    return link;
}

typedef struct rigid_bodies {
    const gz_dump_scene *scene;
    int32_t *body;    ///< of a link: its set
    int32_t *cluster; ///< of a set: that of the sets which links without geometry connect
    int32_t *empty;   ///< of a set: its links without geometry
} rigid_bodies;

static void collect(rigid_bodies *r) {
    const gz_dump_scene *s = r->scene;
    for (size_t i = 0; i < s->tree_size; i++) r->body[i] = r->cluster[i] = (int32_t)i;
    for (size_t j = 0; j < s->joint_count; j++)
        if (s->joints[j].type == GZ_DUMP_FIXED)
            r->body[find(r->body, s->joints[j].child)] = find(r->body, s->joints[j].parent);
    for (size_t i = 0; i < s->tree_size; i++) r->empty[find(r->body, (int32_t)i)]++;
    for (size_t i = 0; i < s->link_count; i++)
        r->empty[find(r->body, s->frames[s->bodies[i].frame])]--;
    for (size_t j = 0; j < s->joint_count; j++) {
        int32_t a = find(r->body, s->joints[j].parent), b = find(r->body, s->joints[j].child);
        if (r->empty[a] > 0 && r->empty[b] > 0)
            r->cluster[find(r->cluster, a)] = find(r->cluster, b);
    }
}

/// Whether a joint leads from a rigid body to a cluster.
static bool leads_to(rigid_bodies *r, int32_t body, int32_t cluster) {
    const gz_dump_scene *s = r->scene;
    for (size_t j = 0; j < s->joint_count; j++) {
        int32_t sides[2] = {find(r->body, s->joints[j].parent), find(r->body, s->joints[j].child)};
        for (int k = 0; k < 2; k++)
            if (sides[k] == body && r->empty[sides[1 - k]] > 0 &&
                find(r->cluster, sides[1 - k]) == cluster)
                return true;
    }
    return false;
}

static bool may_be_joined(rigid_bodies *r, const gz_dump_pair *pair) {
    const gz_dump_scene *s = r->scene;
    const gz_dump_body *sides[2] = {&s->bodies[pair->a], &s->bodies[pair->b]};
    if (sides[0]->is_object || sides[1]->is_object) return false;
    int32_t a = find(r->body, s->frames[sides[0]->frame]);
    int32_t b = find(r->body, s->frames[sides[1]->frame]);
    if (a == b) return true;
    for (size_t j = 0; j < s->joint_count; j++) {
        int32_t from = find(r->body, s->joints[j].parent), to = find(r->body, s->joints[j].child);
        if ((from == a && to == b) || (from == b && to == a)) return true;
        // One that leaves `a` for links without geometry, which lead to `b`.
        int32_t beyond = from == a ? to : to == a ? from : -1;
        if (beyond >= 0 && r->empty[beyond] > 0 && leads_to(r, b, find(r->cluster, beyond)))
            return true;
    }
    return false;
}

size_t gz_skip_find_apart(const gz_dump_scene *s) {
    size_t found = s->pair_count;
    // The number of links is only a claim until there are as many joints.
    if (s->joint_count + 1 != s->tree_size) return found;
    rigid_bodies r = {.scene = s};
    r.body = gz_verify_calloc(s->tree_size, sizeof *r.body);
    r.cluster = gz_verify_calloc(s->tree_size, sizeof *r.cluster);
    r.empty = gz_verify_calloc(s->tree_size, sizeof *r.empty);
    bool good = r.body != NULL && r.cluster != NULL && r.empty != NULL;
    if (good) collect(&r);
    for (size_t i = 0; good && i < s->pair_count && found == s->pair_count; i++) {
        const gz_dump_pair *pair = &s->pairs[i];
        if (pair->skipped && strcmp(pair->reason, "adjacent") == 0 && !may_be_joined(&r, pair))
            found = i;
    }
    gz_verify_free(r.body);
    gz_verify_free(r.cluster);
    gz_verify_free(r.empty);
    return good ? found : SIZE_MAX;
}

bool gz_skip_is_never(const gz_dump_pair *pair) {
    return pair->skipped && strcmp(pair->reason, "Never") == 0;
}

bool gz_skip_within_limits(const gz_dump_scene *s, const double *q) {
    for (size_t j = 0; j < s->joint_count; j++) {
        const gz_dump_joint *joint = &s->joints[j];
        bool free = !joint->limited || joint->column < 0 || joint->mimic >= 0 ||
                    (joint->type != GZ_DUMP_REVOLUTE && joint->type != GZ_DUMP_PRISMATIC);
        if (!free && !(q[joint->column] >= joint->lower && q[joint->column] <= joint->upper))
            return false;
    }
    return true;
}
