#include <string.h>

#include "cli/check/verdict_writer.h"
#include "cli/message.h"
#include "cli/text.h"

/// The robot's own word on two links; false for a pair with an object.
static bool find_pair(const graze_checker *checker, const graze_explanation *e, graze_pair *pair) {
    const graze_robot *robot = graze_checker_robot(checker);
    if (e->kind != GRAZE_CONTACT_SELF) return false;
    // Pairs are sorted by (a, b).
    size_t low = 0, high = graze_robot_pair_count(robot);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (graze_robot_pair(robot, middle, pair) != GRAZE_OK) return false;
        if (pair->a == e->link && pair->b == e->other) return true;
        if (pair->a < e->link || (pair->a == e->link && pair->b < e->other))
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

const char *gz_hidden_source(const graze_checker *checker, const graze_explanation *explanation) {
    graze_pair pair;
    if (!find_pair(checker, explanation, &pair)) return "option";
    switch (pair.state) {
    case GRAZE_PAIR_ADJACENT:
        return "adjacent";
    case GRAZE_PAIR_DISABLED:
        return "srdf";
    case GRAZE_PAIR_DEFAULT:
        return "srdf-default";
    case GRAZE_PAIR_TOUCH:
        return "touch";
    default:
        return "option";
    }
}

const char *gz_hidden_reason(char *out, size_t size, const graze_checker *checker,
                             const graze_explanation *explanation) {
    graze_pair pair;
    bool known = find_pair(checker, explanation, &pair);
    if (known && pair.state == GRAZE_PAIR_ADJACENT)
        snprintf(out, size, "adjacent%s%s", pair.reason[0] != '\0' ? "; SRDF: " : "", pair.reason);
    else if (known && pair.state == GRAZE_PAIR_DISABLED)
        snprintf(out, size, "SRDF: %s", pair.reason[0] != '\0' ? pair.reason : "no reason given");
    else if (known && pair.state == GRAZE_PAIR_TOUCH)
        snprintf(out, size, "%s", pair.reason);
    else if (known && pair.state == GRAZE_PAIR_DEFAULT)
        snprintf(out, size, "SRDF: disabled by default");
    else
        snprintf(out, size, "--allow");
    return gz_plain_line(out);
}

// --------------------------------------------------------------------------------------- tally

static int compare(const graze_explanation *a, const graze_explanation *b) {
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->link != b->link) return a->link < b->link ? -1 : 1;
    return (a->other > b->other) - (a->other < b->other);
}

static bool count_pair(gz_hidden_tally *tally, uint64_t index, const graze_explanation *e) {
    size_t at = 0;
    while (at < tally->count && compare(&tally->items[at].sample, e) < 0) at++;
    if (at < tally->count && compare(&tally->items[at].sample, e) == 0) {
        tally->items[at].count++;
        return true;
    }
    if (!gz_storage_reserve((void **)&tally->items, &tally->capacity, tally->count + 1,
                            sizeof *tally->items))
        return false;
    memmove(&tally->items[at + 1], &tally->items[at], (tally->count - at) * sizeof *tally->items);
    tally->items[at] = (gz_hidden_pair){.sample = *e, .count = 1, .first = index};
    tally->count++;
    return true;
}

bool gz_hidden_tally_add(gz_hidden_tally *tally, uint64_t index,
                         const graze_explanation *explanations, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (explanations[i].allowed && explanations[i].collides &&
            !count_pair(tally, index, &explanations[i]))
            return false;
    return true;
}

void gz_hidden_tally_print(FILE *stream, const gz_hidden_tally *tally, const graze_checker *checker,
                           uint64_t total) {
    char reason[256];
    for (size_t i = 0; i < tally->count; i++) {
        const gz_hidden_pair *pair = &tally->items[i];
        fprintf(stream, "masked: %s and %s touch in %llu of %llu, first in row %llu [%s]\n",
                GZ_PLAIN(gz_explanation_link(checker, &pair->sample)),
                GZ_PLAIN(gz_explanation_other(checker, &pair->sample)),
                (unsigned long long)pair->count, (unsigned long long)total,
                (unsigned long long)pair->first,
                gz_hidden_reason(reason, sizeof reason, checker, &pair->sample));
    }
    if (tally->count == 0) fputs("masked: no contact is hidden\n", stream);
}

void gz_hidden_tally_free(gz_hidden_tally *tally) {
    gz_storage_free(tally->items);
    *tally = (gz_hidden_tally){0};
}
