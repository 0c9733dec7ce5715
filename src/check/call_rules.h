/// Rules by call: what a check reads of them.
///
/// A pair of links is `plain` where the checker's own lists, float filter and margins are right for
/// it; what is checked and not plain is among `pairs` and tested behind the filter. Of links and
/// objects all is looked up object by object, in double; the filter only leaves out what is hidden,
/// and leaves links that are `GZ_RULED_MORE` to that.
#ifndef GZ_CHECK_CALL_RULES_H
#define GZ_CHECK_CALL_RULES_H

#include "check/checker.h"
#include "check/margin.h"
#include "graze/rules.h"

/// A pair of links that is required, or has a margin of its own.
typedef struct gz_ruled_pair {
    gz_check_pair pair;
    gz_fixed_verdict verdict; ///< of a fixed one
    bool own_margin;
} gz_ruled_pair;

/// How a link's row of objects differs from the checker's.
enum {
    GZ_RULED_OBJECTS = 1, ///< somehow
    GZ_RULED_MORE = 2     ///< by more than hidden objects: a margin, a required one
};

struct graze_rules {
    const graze_checker *checker;
    uint64_t revision;                 ///< of the checker
    size_t links_words, objects_words; ///< of a row
    uint64_t *links, *objects;         ///< [link] rows: what is checked
    uint64_t *plain;                   ///< of `links`: as the checker has them
    uint64_t *own_links;               ///< `links` as the checker's rules have them
    uint64_t *link_mask, *object_mask; ///< rows: links with geometry; objects
    uint64_t *kept;                    ///< a row: scratch of graze_rules_keep_links()
    uint8_t *flags;                    ///< per link, as above
    double *thresholds;                ///< per link: as gz_margins.thresholds, by these margins
    gz_ruled_pair *pairs;              ///< sorted; those count that are checked and not plain
    size_t pair_count, pair_capacity;
    gz_pair_margins world; ///< of a link and an object
    size_t world_capacity;
    int32_t *colliding; ///< the checker's pairs that are fixed and collide
    size_t colliding_count;
    bool fixed_collision; ///< one of these is plain
    bool has_margins;     ///< the checker's or these
    bool has_more;        ///< some link is GZ_RULED_MORE
    void *memory;
};

static inline bool gz_bit(const uint64_t *bits, size_t words, int32_t row, int32_t bit) {
    return bits[(size_t)row * words + (size_t)bit / 64] >> bit % 64 & 1;
}

/// Whether two links are tested as the checker does.
static inline bool gz_rules_plain(const graze_rules *r, int32_t a, int32_t b) {
    return gz_bit(r->plain, r->links_words, a, b);
}

/// Whether rules are of a checker, as its world stands now.
static inline bool gz_rules_fit(const graze_rules *r, const graze_checker *c) {
    return r->checker == c && r->revision == c->revision;
}

/// The rules' own pair of two links, a < b; NULL where there is none.
gz_ruled_pair *gz_rules_find(const graze_rules *r, int32_t a, int32_t b);

/// Whether one of `pairs` counts.
static inline bool gz_rules_counts(const graze_rules *r, const gz_check_pair *pair) {
    return gz_bit(r->links, r->links_words, pair->a, pair->b) &&
           !gz_rules_plain(r, pair->a, pair->b);
}

// What follows takes rules that may be NULL: then the checker's.

/// Whether a link and an object are hidden.
static inline bool gz_object_hidden(const graze_checker *c, const graze_rules *r, int32_t link,
                                    int32_t object) {
    return r ? !gz_bit(r->objects, r->objects_words, link, object)
             : gz_object_allowed(c, link, object);
}

/// The margin of a link against an object, as it counts.
static inline double gz_object_ruled_margin(const graze_checker *c, const graze_rules *r,
                                            int32_t link, int32_t object) {
    const gz_pair_margin *own = r ? gz_pair_margins_find(&r->world, link, object) : NULL;
    return own ? own->margin : gz_object_margin(c, link, object);
}

/// How far a link looks for objects.
static inline double gz_object_threshold(const graze_checker *c, const graze_rules *r,
                                         int32_t link) {
    double own = c->margins ? c->margins->thresholds[link] : 0;
    return r && r->thresholds[link] > own ? r->thresholds[link] : own;
}

static inline int gz_ruled_objects(const graze_rules *r, int32_t link) {
    return r ? r->flags[link] : 0;
}

static inline bool gz_ruled_margins(const graze_checker *c, const graze_rules *r) {
    return r ? r->has_margins : c->has_margins;
}

/// Whether the domain counts: under margins, and where an object has no end, which is held in it.
static inline bool gz_ruled_domain(const graze_checker *c, const graze_rules *r) {
    return gz_ruled_margins(c, r) || (c->world && c->world->extent.unbounded_count);
}

/// Whether some pair that is tested as the checker does is fixed and collides.
static inline bool gz_ruled_collision(const graze_checker *c, const graze_rules *r) {
    return r ? r->fixed_collision : c->fixed_collision;
}

/// Whether all that is checked is as the checker has it: then eight configurations go side by side.
static inline bool gz_rules_only_hide(const graze_checker *c, const graze_rules *r) {
    return !r || (r->pair_count == 0 && !r->has_more && r->has_margins == c->has_margins);
}

#endif
