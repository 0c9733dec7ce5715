// Which pairs count in a check that is given rules of its own?

#include "check/call_rules.h"
#include "check/check_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"

static void put_bit(uint64_t *bits, size_t words, int32_t row, int32_t bit, bool value) {
    uint64_t *word = &bits[(size_t)row * words + (size_t)bit / 64], mask = (uint64_t)1 << bit % 64;
    *word = value ? *word | mask : *word & ~mask;
}

/// Sets both bits of two links.
static void put_pair(const graze_rules *r, uint64_t *bits, int32_t a, int32_t b, bool value) {
    put_bit(bits, r->links_words, a, b, value);
    put_bit(bits, r->links_words, b, a, value);
}

static size_t words_of(size_t bits) {
    return (bits + 63) / 64;
}

static size_t object_count(const graze_rules *r) {
    return r->checker->world ? r->checker->world->object_count : 0;
}

// ------------------------------------------------------------------------ the checker's own rules

static void fill_masks(graze_rules *r) {
    const graze_checker *c = r->checker;
    memset(r->link_mask, 0, r->links_words * sizeof *r->link_mask);
    for (size_t i = 0; i < c->link_count; i++) put_bit(r->link_mask, 0, 0, c->links[i], true);
    for (size_t i = 0, n = object_count(r); i < r->objects_words; i++)
        r->object_mask[i] = n - 64 * i >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n % 64) - 1;
}

static void find_own(graze_rules *r) {
    const graze_checker *c = r->checker;
    memset(r->own_links, 0, (size_t)c->robot->link_count * r->links_words * sizeof *r->own_links);
    for (size_t i = 0; !c->options.no_self && i < c->pair_count; i++) {
        const gz_check_pair *p = &c->pairs[i];
        put_pair(r, r->own_links, p->a, p->b, true);
        if (p->collides) r->colliding[r->colliding_count++] = (int32_t)i;
    }
}

static void find_collision(graze_rules *r) {
    r->fixed_collision = false;
    for (size_t i = 0; i < r->colliding_count; i++) {
        const gz_check_pair *p = &r->checker->pairs[r->colliding[i]];
        r->fixed_collision |= gz_rules_plain(r, p->a, p->b);
    }
}

/// The objects that the checker checks against a link.
static void reset_objects(graze_rules *r, int32_t link) {
    const graze_checker *c = r->checker;
    uint64_t *row = r->objects + (size_t)link * r->objects_words;
    memcpy(row, r->object_mask, r->objects_words * sizeof *row);
    for (size_t i = 0, n = c->allowed ? object_count(r) : 0; i < n; i++)
        if (gz_object_allowed(c, link, (int32_t)i)) put_bit(row, 0, 0, (int32_t)i, false);
}

void graze_rules_reset(graze_rules *r) {
    if (!r) return;
    const graze_checker *c = r->checker;
    size_t links = (size_t)c->robot->link_count, size = links * r->links_words * sizeof *r->links;
    memcpy(r->links, r->own_links, size);
    memcpy(r->plain, r->own_links, size);
    memset(r->objects, 0, links * r->objects_words * sizeof *r->objects);
    for (size_t i = 0; !c->options.no_world && i < c->link_count; i++)
        reset_objects(r, c->links[i]);
    memset(r->flags, 0, links);
    for (size_t i = 0; i < links; i++) r->thresholds[i] = 0;
    r->pair_count = r->world.count = 0;
    r->has_margins = c->has_margins;
    r->has_more = false;
    find_collision(r);
}

static void lay_out(graze_rules *r, size_t colliding, gz_arena *arena) {
    size_t links = (size_t)r->checker->robot->link_count;
    r->links = gz_arena_array(arena, links * r->links_words, sizeof *r->links);
    r->plain = gz_arena_array(arena, links * r->links_words, sizeof *r->plain);
    r->own_links = gz_arena_array(arena, links * r->links_words, sizeof *r->own_links);
    r->objects = gz_arena_array(arena, links * r->objects_words, sizeof *r->objects);
    r->link_mask = gz_arena_array(arena, r->links_words, sizeof *r->link_mask);
    r->kept = gz_arena_array(arena, r->links_words, sizeof *r->kept);
    r->object_mask = gz_arena_array(arena, r->objects_words, sizeof *r->object_mask);
    r->thresholds = gz_arena_array(arena, links, sizeof *r->thresholds);
    r->colliding = gz_arena_array(arena, colliding, sizeof *r->colliding);
    r->flags = gz_arena_array(arena, links, sizeof *r->flags);
}

graze_status graze_rules_create(graze_rules **out, const graze_checker *c, graze_error *error) {
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!c) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker is NULL");
    if (c->options.level == GRAZE_LEVEL_BOUNDS)
        return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                       "rules are of the level mesh; the level is bounds");
    graze_rules *r = gz_calloc(1, sizeof *r);
    if (!r) return gz_fail_memory(error);
    r->checker = c;
    r->revision = c->revision;
    r->links_words = words_of((size_t)c->robot->link_count);
    r->objects_words = words_of(object_count(r));
    size_t colliding = 0;
    for (size_t i = 0; i < c->pair_count; i++) colliding += c->pairs[i].collides;
    gz_arena arena = {0};
    lay_out(r, colliding, &arena);
    if (!gz_arena_create(&arena)) {
        gz_free(r);
        return gz_fail_memory(error);
    }
    r->memory = arena.memory;
    lay_out(r, colliding, &arena);
    fill_masks(r);
    find_own(r);
    graze_rules_reset(r);
    *out = r;
    gz_error_clear(error);
    return GRAZE_OK;
}

void graze_rules_free(graze_rules *r) {
    if (!r) return;
    gz_free(r->pairs);
    gz_free(r->world.items);
    gz_free(r->memory);
    gz_free(r);
}

// --------------------------------------------------------------------------------- pairs of links

static int compare_pairs(const void *x, const void *y) {
    return gz_pair_comes_before(y, x) - gz_pair_comes_before(x, y);
}

static const gz_check_pair *find_in(const gz_check_pair *pairs, size_t count, int32_t a,
                                    int32_t b) {
    const gz_check_pair key = {.a = a, .b = b};
    return count ? bsearch(&key, pairs, count, sizeof key, compare_pairs) : NULL;
}

/// The pair as the checker has it, a < b, both with geometry.
static const gz_check_pair *find_original(const graze_checker *c, int32_t a, int32_t b) {
    const gz_check_pair *found = find_in(c->pairs, c->pair_count, a, b);
    return found ? found : find_in(c->hidden, c->hidden_count, a, b);
}

/// Where a pair stands, or belongs, among those of the rules.
static size_t place_of(const graze_rules *r, int32_t a, int32_t b) {
    const gz_check_pair key = {.a = a, .b = b};
    size_t low = 0, high = r->pair_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (gz_pair_comes_before(&r->pairs[middle].pair, &key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

gz_ruled_pair *gz_rules_find(const graze_rules *r, int32_t a, int32_t b) {
    size_t i = place_of(r, a, b);
    return i < r->pair_count && r->pairs[i].pair.a == a && r->pairs[i].pair.b == b ? &r->pairs[i]
                                                                                   : NULL;
}

/// Judges a pair that no joint moves, in the frame of its body, as a checker does when it is made.
static void decide_fixed(const graze_rules *r, gz_ruled_pair *own) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const gz_link *links = r->checker->robot->links;
    gz_check_pair *p = &own->pair;
    p->fixed = links[p->a].body == links[p->b].body;
    own->verdict = (gz_fixed_verdict){0};
    p->collides = p->fixed &&
                  gz_link_pair_test(r->checker, NULL, identity, identity, p, GZ_DETAIL_WITNESS,
                                    false, &own->verdict.contact, &own->verdict.stats);
}

/// The rules' own pair of two links, a < b, made where there is none. NULL when out of memory.
static gz_ruled_pair *own_pair(graze_rules *r, int32_t a, int32_t b) {
    size_t at = place_of(r, a, b);
    if (at < r->pair_count && r->pairs[at].pair.a == a && r->pairs[at].pair.b == b)
        return &r->pairs[at];
    if (!gz_array_reserve((void **)&r->pairs, &r->pair_capacity, r->pair_count + 1,
                          sizeof *r->pairs))
        return NULL;
    memmove(&r->pairs[at + 1], &r->pairs[at], (r->pair_count++ - at) * sizeof *r->pairs);
    r->pairs[at] = (gz_ruled_pair){.pair = *find_original(r->checker, a, b)};
    decide_fixed(r, &r->pairs[at]);
    // Verdicts move with the array.
    for (size_t i = 0; i < r->pair_count; i++) r->pairs[i].pair.verdict = &r->pairs[i].verdict;
    return &r->pairs[at];
}

/// Whether two links, both with geometry, are checked; a < b. False when out of memory.
static bool set_links(graze_rules *r, int32_t a, int32_t b, bool checked) {
    bool known = gz_bit(r->own_links, r->links_words, a, b), plain = checked && known;
    if (checked && !known) {
        if (!own_pair(r, a, b)) return false;
    } else if (plain && r->pair_count) {
        const gz_ruled_pair *own = gz_rules_find(r, a, b);
        plain = !own || !own->own_margin;
    }
    put_pair(r, r->links, a, b, checked);
    put_pair(r, r->plain, a, b, plain);
    return true;
}

/// Gives two links a margin, or the checker's where it is NAN.
static bool set_links_margin(graze_rules *r, int32_t a, int32_t b, double margin) {
    const graze_checker *c = r->checker;
    gz_ruled_pair *own = isnan(margin) ? gz_rules_find(r, a, b) : own_pair(r, a, b);
    if (!own) return isnan(margin);
    own->own_margin = !isnan(margin);
    const gz_check_pair *original = find_original(c, a, b);
    own->pair.margin = original->margin;
    own->pair.threshold = original->threshold;
    if (own->own_margin) {
        own->pair.margin = gz_margin_effective(margin, c->epsilon);
        own->pair.threshold = gz_margin_threshold(
            own->pair.margin, c->robot->links[a].sphere.radius + c->robot->links[b].sphere.radius);
    }
    decide_fixed(r, own);
    return set_links(r, a, b, gz_bit(r->links, r->links_words, a, b));
}

// ------------------------------------------------------------------------------ links and objects

static void mark_more(graze_rules *r, int32_t link) {
    r->flags[link] = GZ_RULED_OBJECTS | GZ_RULED_MORE;
    r->has_more = true;
}

static void set_object(graze_rules *r, int32_t link, int32_t object, bool checked) {
    put_bit(r->objects, r->objects_words, link, object, checked);
    r->flags[link] |= GZ_RULED_OBJECTS;
    if (checked && gz_object_allowed(r->checker, link, object)) mark_more(r, link);
}

/// Gives a link and an object a margin, or the checker's where it is NAN.
static bool set_object_margin(graze_rules *r, int32_t link, int32_t object, double margin) {
    const graze_checker *c = r->checker;
    gz_pair_margins *list = &r->world;
    gz_pair_margin *own = gz_pair_margins_find(list, link, object);
    if (isnan(margin)) {
        if (!own) return true;
        size_t behind = (size_t)(list->items + list->count-- - own) - 1;
        memmove(own, own + 1, behind * sizeof *own);
        return true;
    }
    if (!own) {
        if (!gz_array_reserve((void **)&list->items, &r->world_capacity, list->count + 1,
                              sizeof *list->items))
            return false;
        size_t at = list->count++;
        for (; at && (list->items[at - 1].a > link ||
                      (list->items[at - 1].a == link && list->items[at - 1].b > object));
             at--)
            list->items[at] = list->items[at - 1];
        own = &list->items[at];
        *own = (gz_pair_margin){.a = link, .b = object};
    }
    own->margin = gz_margin_effective(margin, c->epsilon);
    double threshold = gz_margin_threshold(own->margin, c->robot->links[link].sphere.radius +
                                                            c->world->extent.size);
    r->thresholds[link] = fmax(r->thresholds[link], threshold);
    mark_more(r, link);
    return true;
}

// ---------------------------------------------------------------------------------------- changes

static graze_status fail_index(const char *what, int32_t index, size_t count, graze_error *error) {
    return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is %d; allowed: 0 to %zu, less than %zu", what,
                   (int)index, count ? count - 1 : 0, count);
}

static graze_status check_kind(const graze_rules *r, graze_contact_kind kind, graze_error *error) {
    if (!r) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "rules are NULL");
    if (kind != GRAZE_CONTACT_SELF && kind != GRAZE_CONTACT_WORLD)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "kind is %d; allowed: GRAZE_CONTACT_SELF, GRAZE_CONTACT_WORLD", (int)kind);
    return GRAZE_OK;
}

/// What the checker's options leave out stays out.
static graze_status check_left(const graze_rules *r, graze_contact_kind kind, graze_error *error) {
    const graze_checker_options *o = &r->checker->options;
    bool self = kind == GRAZE_CONTACT_SELF;
    if (!(self ? o->no_self : o->no_world)) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                   "a pair is to be checked, and the checker's options have %s",
                   self ? "no_self" : "no_world");
}

static graze_status check_pair(const graze_rules *r, graze_contact_kind kind, int32_t link,
                               int32_t other, graze_error *error) {
    GZ_TRY(check_kind(r, kind, error));
    size_t links = (size_t)r->checker->robot->link_count;
    bool self = kind == GRAZE_CONTACT_SELF;
    size_t others = self ? links : object_count(r);
    if (link < 0 || (size_t)link >= links) return fail_index("link", link, links, error);
    if (other < 0 || (size_t)other >= others)
        return fail_index(self ? "the other link" : "object", other, others, error);
    if (self && link == other)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "link %d is given twice; allowed: two links, or a link and an object",
                       (int)link);
    return GRAZE_OK;
}

static graze_status fail_geometry(const graze_rules *r, int32_t link, graze_error *error) {
    return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                   "link '%s' has no collision geometry: no pair of it is checked",
                   r->checker->robot->links[link].name);
}

/// A link of the pair without geometry; -1 where both have some.
static int32_t find_empty(const graze_rules *r, graze_contact_kind kind, int32_t link,
                          int32_t other) {
    if (!gz_bit(r->link_mask, 0, 0, link)) return link;
    return kind == GRAZE_CONTACT_SELF && !gz_bit(r->link_mask, 0, 0, other) ? other : -1;
}

graze_status graze_rules_set(graze_rules *r, graze_contact_kind kind, int32_t link, int32_t other,
                             bool checked, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    GZ_TRY(check_pair(r, kind, link, other, error));
    if (checked) GZ_TRY(check_left(r, kind, error));
    int32_t empty = find_empty(r, kind, link, other);
    if (empty >= 0 && checked) return fail_geometry(r, empty, error);
    bool self = kind == GRAZE_CONTACT_SELF;
    if (empty < 0 && !self) set_object(r, link, other, checked);
    if (empty < 0 && self &&
        !set_links(r, link < other ? link : other, link < other ? other : link, checked))
        return gz_fail_memory(error);
    if (self) find_collision(r);
    gz_error_clear(error);
    return GRAZE_OK;
}

/// Whether some margin that was given is above 0, of pairs that are hidden, too.
static bool has_own_margins(const graze_rules *r) {
    for (size_t i = 0; i < r->pair_count; i++)
        if (r->pairs[i].own_margin && r->pairs[i].pair.margin > 0) return true;
    for (size_t i = 0; i < r->world.count; i++)
        if (r->world.items[i].margin > 0) return true;
    return false;
}

graze_status graze_rules_set_margin(graze_rules *r, graze_contact_kind kind, int32_t link,
                                    int32_t other, double margin, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    GZ_TRY(check_pair(r, kind, link, other, error));
    int32_t empty = find_empty(r, kind, link, other);
    if (empty >= 0) return fail_geometry(r, empty, error);
    if (!isnan(margin) && !(margin >= 0 && isfinite(margin)))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "margin is %g m; allowed: finite, not negative, or NAN for the checker's",
                       margin);
    if (margin > 0 && !isfinite(r->checker->epsilon))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "the error of a pose has no bound, so no margin can be held; allowed: 0");
    int32_t a = link < other ? link : other, b = link < other ? other : link;
    bool done = kind == GRAZE_CONTACT_SELF ? set_links_margin(r, a, b, margin)
                                           : set_object_margin(r, link, other, margin);
    if (!done) return gz_fail_memory(error);
    r->has_margins = r->checker->has_margins || has_own_margins(r);
    find_collision(r);
    gz_error_clear(error);
    return GRAZE_OK;
}

static void and_words(uint64_t *row, const uint64_t *mask, size_t words) {
    for (size_t i = 0; i < words; i++) row[i] &= mask[i];
}

graze_status graze_rules_keep_links(graze_rules *r, const int32_t *links, size_t count,
                                    graze_error *error) {
    if (!r || (!links && count))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "rules or links are NULL");
    size_t all = (size_t)r->checker->robot->link_count, words = r->links_words;
    memset(r->kept, 0, words * sizeof *r->kept);
    for (size_t i = 0; i < count; i++) {
        if (links[i] < 0 || (size_t)links[i] >= all)
            return fail_index("a link", links[i], all, error);
        put_bit(r->kept, 0, 0, links[i], true);
    }
    for (size_t i = 0; i < r->checker->link_count; i++) {
        int32_t link = r->checker->links[i];
        if (gz_bit(r->kept, 0, 0, link)) continue;
        and_words(r->links + (size_t)link * words, r->kept, words);
        and_words(r->plain + (size_t)link * words, r->kept, words);
        memset(r->objects + (size_t)link * r->objects_words, 0,
               r->objects_words * sizeof *r->objects);
        r->flags[link] |= GZ_RULED_OBJECTS;
    }
    find_collision(r);
    gz_error_clear(error);
    return GRAZE_OK;
}

/// The bits of word `i` of a row that differ from what is checked, of pairs that exist.
static uint64_t differing(const graze_rules *r, graze_contact_kind kind, int32_t link,
                          const uint64_t *row, size_t i) {
    if (kind == GRAZE_CONTACT_WORLD)
        return (row[i] ^ r->objects[(size_t)link * r->objects_words + i]) & r->object_mask[i];
    // Links behind this one.
    size_t first = (size_t)link + 1;
    uint64_t later = first >= 64 * (i + 1) ? 0
                     : first <= 64 * i     ? ~(uint64_t)0
                                           : ~(uint64_t)0 << first % 64;
    return (row[i] ^ r->links[(size_t)link * r->links_words + i]) & r->link_mask[i] & later;
}

/// Applies what differs of a link's row.
static graze_status assign_row(graze_rules *r, graze_contact_kind kind, int32_t link,
                               const uint64_t *row, size_t words, graze_error *error) {
    for (size_t i = 0; i < words; i++) {
        for (uint64_t left = differing(r, kind, link, row, i); left; left &= left - 1) {
            int32_t other = (int32_t)(64 * i) + __builtin_ctzll(left);
            bool checked = row[i] >> other % 64 & 1;
            if (kind == GRAZE_CONTACT_WORLD)
                set_object(r, link, other, checked);
            else if (!set_links(r, link, other, checked))
                return gz_fail_memory(error);
        }
    }
    return GRAZE_OK;
}

graze_status graze_rules_assign(graze_rules *r, graze_contact_kind kind, const uint64_t *bits,
                                size_t words, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    GZ_TRY(check_kind(r, kind, error));
    size_t own = kind == GRAZE_CONTACT_SELF ? r->links_words : r->objects_words;
    if (own && (!bits || words < own))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "bits are NULL, or rows have %zu words; allowed: at least %zu", words, own);
    const graze_checker *c = r->checker;
    for (size_t i = 0; i < c->link_count && check_left(r, kind, NULL); i++) // else all are hidden
        for (size_t k = 0; k < own; k++)
            if (differing(r, kind, c->links[i], bits + (size_t)c->links[i] * words, k))
                return check_left(r, kind, error);
    for (size_t i = 0; i < c->link_count; i++) {
        int32_t link = c->links[i];
        GZ_TRY(assign_row(r, kind, link, bits + (size_t)link * words, own, error));
    }
    find_collision(r);
    gz_error_clear(error);
    return GRAZE_OK;
}

// ---------------------------------------------------------------------------------------- reading

const uint64_t *graze_rules_matrix(const graze_rules *r, graze_contact_kind kind, size_t *words) {
    bool self = kind == GRAZE_CONTACT_SELF, world = kind == GRAZE_CONTACT_WORLD;
    if (words) *words = !r || (!self && !world) ? 0 : self ? r->links_words : r->objects_words;
    if (!r || (!self && !world) || !(self ? r->links_words : r->objects_words)) return NULL;
    return self ? r->links : r->objects;
}

static double margin_of(const graze_rules *r, graze_contact_kind kind, int32_t link,
                        int32_t other) {
    if (find_empty(r, kind, link, other) >= 0) return 0;
    if (kind == GRAZE_CONTACT_WORLD) return gz_object_ruled_margin(r->checker, r, link, other);
    int32_t a = link < other ? link : other, b = link < other ? other : link;
    if (a == b) return 0;
    const gz_ruled_pair *own = gz_rules_find(r, a, b);
    return own ? own->pair.margin : find_original(r->checker, a, b)->margin;
}

size_t graze_rules_margins(const graze_rules *r, graze_contact_kind kind, double *margins,
                           size_t capacity) {
    if (check_kind(r, kind, NULL)) return 0;
    size_t links = (size_t)r->checker->robot->link_count;
    size_t others = kind == GRAZE_CONTACT_SELF ? links : object_count(r);
    for (size_t i = 0; margins && i < links * others && i < capacity; i++)
        margins[i] = margin_of(r, kind, (int32_t)(i / others), (int32_t)(i % others));
    return links * others;
}
