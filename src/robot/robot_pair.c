// Which pairs of links are checked, and why are the others not?

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "robot/robot.h"

static int32_t find_cluster(int32_t *cluster, int32_t i) {
    while (cluster[i] != i) {
        cluster[i] = cluster[cluster[i]];
        i = cluster[i];
    }
    return i;
}

static bool has_geometry(const graze_robot *r, int32_t link) {
    return r->links[link].collision_count > 0;
}

/// An entry of the sparse table of special pairs.
typedef struct mark {
    int32_t a, b;
    graze_pair_state state;
    const char *reason;
    bool enabled;
} mark;

static int compare_marks(const void *x, const void *y) {
    const mark *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

typedef struct mark_list {
    mark *items;
    size_t count, capacity;
    bool ok;
} mark_list;

static void add_mark(mark_list *list, int32_t a, int32_t b, mark m) {
    if (a == b) return;
    list->ok = list->ok && gz_array_reserve((void **)&list->items, &list->capacity, list->count + 1,
                                            sizeof *list->items);
    if (!list->ok) return;
    m.a = a < b ? a : b;
    m.b = a < b ? b : a;
    list->items[list->count++] = m;
}

/// Adjacency: joints between two links with geometry; and links without geometry are looked
/// through, as MoveIt does: all links with geometry around one connected group of empty links are
/// adjacent.
static void mark_adjacent(const graze_robot *r, mark_list *list) {
    mark adjacent = {.state = GRAZE_PAIR_ADJACENT};
    int32_t n = r->link_count;
    int32_t *cluster = gz_malloc(2 * ((size_t)n + (size_t)r->joint_count), sizeof *cluster);
    list->ok = list->ok && cluster;
    if (!list->ok) return;
    // `next` and `member`: one entry per joint between an empty and a non-empty link.
    int32_t *first = cluster + n, *next = first + n, *member = next + r->joint_count;
    for (int32_t i = 0; i < n; i++) {
        cluster[i] = i;
        first[i] = -1;
    }
    for (int32_t j = 0; j < r->joint_count; j++) {
        int32_t p = r->joints[j].info.parent, c = r->joints[j].info.child;
        if (has_geometry(r, p) && has_geometry(r, c)) add_mark(list, p, c, adjacent);
        if (!has_geometry(r, p) && !has_geometry(r, c))
            cluster[find_cluster(cluster, p)] = find_cluster(cluster, c);
    }
    for (int32_t j = 0; j < r->joint_count; j++) {
        int32_t p = r->joints[j].info.parent, c = r->joints[j].info.child;
        if (has_geometry(r, p) == has_geometry(r, c)) continue;
        int32_t empty = has_geometry(r, p) ? c : p, full = has_geometry(r, p) ? p : c;
        int32_t root = find_cluster(cluster, empty);
        for (int32_t k = first[root]; k >= 0; k = next[k])
            add_mark(list, member[k], full, adjacent);
        member[j] = full;
        next[j] = first[root];
        first[root] = j;
    }
    gz_free(cluster);
}

/// The strongest word on a pair: an explicit disable, then an explicit enable, then adjacency.
static mark merge_marks(const mark *m, size_t count) {
    mark result = m[0];
    const mark *disable = NULL, *adjacent = NULL;
    bool enabled = false;
    for (size_t i = 0; i < count; i++) {
        if (m[i].enabled)
            enabled = true;
        else if (m[i].state == GRAZE_PAIR_ADJACENT)
            adjacent = &m[i];
        else if (!disable || !disable->reason[0])
            disable = &m[i];
    }
    result.enabled = enabled && !disable;
    result.state = GRAZE_PAIR_CHECKED;
    result.reason = disable ? disable->reason : "";
    if (disable) result.state = GRAZE_PAIR_DISABLED;
    if (adjacent && !result.enabled) result.state = GRAZE_PAIR_ADJACENT;
    return result;
}

static graze_status collect_pairs(graze_robot *r, const mark_list *list, graze_error *error) {
    int32_t *full = gz_malloc((size_t)r->link_count, sizeof *full);
    size_t n = 0;
    for (int32_t i = 0; full && i < r->link_count; i++)
        if (has_geometry(r, i)) full[n++] = i;
    size_t total = n ? n * (n - 1) / 2 : 0;
    r->pairs = gz_calloc(total, sizeof *r->pairs);
    graze_status status = full && r->pairs ? GRAZE_OK : gz_fail_memory(error);
    size_t at = 0;
    for (size_t i = 0; status == GRAZE_OK && i < n; i++) {
        for (size_t k = i + 1; k < n; k++) {
            int32_t a = full[i], b = full[k];
            gz_pair *pair = &r->pairs[r->pair_count];
            *pair = (gz_pair){.a = a, .b = b, .state = GRAZE_PAIR_CHECKED};
            while (at < list->count &&
                   (list->items[at].a < a || (list->items[at].a == a && list->items[at].b < b)))
                at++;
            size_t end = at;
            while (end < list->count && list->items[end].a == a && list->items[end].b == b) end++;
            mark m = {.reason = ""};
            if (end > at) m = merge_marks(&list->items[at], end - at);
            at = end;
            pair->state = m.state;
            bool off = r->links[a].is_default_disabled || r->links[b].is_default_disabled;
            if (pair->state == GRAZE_PAIR_CHECKED && off && !m.enabled)
                pair->state = GRAZE_PAIR_DEFAULT;
            if (pair->state == GRAZE_PAIR_CHECKED && r->links[a].body == r->links[b].body)
                pair->state = GRAZE_PAIR_STATIC;
            r->pair_count++;
            pair->reason = m.reason[0] ? gz_string_copy(m.reason) : NULL;
            if (!m.reason[0] || pair->reason) continue;
            gz_free(full);
            return gz_fail_memory(error);
        }
    }
    gz_free(full);
    return status;
}

/// Pairs grow with the square of the links: a file of a few megabytes must not ask for terabytes,
/// so there are at most GZ_PAIRS_MAX.
static graze_status check_pair_count(const graze_robot *r, graze_error *error) {
    size_t n = 0;
    for (int32_t i = 0; i < r->link_count; i++) n += has_geometry(r, i);
    if (n < 2 || n * (n - 1) / 2 <= GZ_PAIRS_MAX) return GRAZE_OK;
    return gz_fail_at(error, GRAZE_ERROR_LIMIT, gz_robot_place(r, (gz_line){1, 1}, "/robot"),
                      "%zu links with collision geometry make %zu pairs; allowed: up to %zu", n,
                      n * (n - 1) / 2, GZ_PAIRS_MAX);
}

graze_status gz_robot_pair_up(graze_robot *r, const gz_pair_rule *rules, size_t rule_count,
                              graze_error *error) {
    if (!gz_robot_bound(r)) return gz_fail_memory(error);
    GZ_TRY(check_pair_count(r, error));
    mark_list list = {.ok = true};
    mark_adjacent(r, &list);
    for (size_t i = 0; i < rule_count; i++)
        add_mark(&list, rules[i].a, rules[i].b,
                 (mark){.state = GRAZE_PAIR_DISABLED,
                        .enabled = rules[i].enable,
                        .reason = rules[i].reason});
    graze_status status = list.ok ? GRAZE_OK : gz_fail_memory(error);
    if (list.count) qsort(list.items, list.count, sizeof *list.items, compare_marks);
    for (size_t i = 0; i < list.count; i++)
        if (!list.items[i].reason) list.items[i].reason = "";
    if (status == GRAZE_OK) status = collect_pairs(r, &list, error);
    gz_free(list.items);
    return status;
}
