#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "cli/check/verdict_writer.h"
#include "cli/message.h"
#include "cli/robot_view.h"

/// The robot's own word on two links; GRAZE_PAIR_CHECKED for a pair with an object.
static graze_pair find_pair(const graze_checker *checker, const graze_explanation *e) {
    const graze_robot *robot = graze_checker_robot(checker);
    // Pairs are sorted by (a, b).
    size_t low = 0, high = e->kind == GRAZE_CONTACT_SELF ? graze_robot_pair_count(robot) : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        graze_pair pair = gz_pair_at(robot, middle);
        int32_t order = pair.a != e->link ? pair.a - e->link : pair.b - e->other;
        if (order == 0) return pair;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return (graze_pair){.state = GRAZE_PAIR_CHECKED};
}

const char *gz_hidden_source(const graze_checker *checker, const graze_explanation *explanation) {
    static const char *const names[] = {"option", "option",       "adjacent",
                                        "srdf",   "srdf-default", "touch"};
    return names[find_pair(checker, explanation).state];
}

const char *gz_hidden_reason(char *out, size_t size, const graze_checker *checker,
                             const graze_explanation *explanation) {
    graze_pair pair = find_pair(checker, explanation);
    bool reason = pair.reason != NULL && pair.reason[0] != '\0';
    const char *word = pair.state == GRAZE_PAIR_ADJACENT  ? "adjacent"
                       : pair.state == GRAZE_PAIR_DEFAULT ? "SRDF: disabled by default"
                                                          : "--allow";
    if (pair.state == GRAZE_PAIR_DISABLED)
        snprintf(out, size, "SRDF: %s", reason ? pair.reason : "no reason given");
    else if (pair.state == GRAZE_PAIR_TOUCH)
        snprintf(out, size, "%s", pair.reason);
    else if (pair.state == GRAZE_PAIR_ADJACENT && reason)
        snprintf(out, size, "adjacent; SRDF: %s", pair.reason);
    else
        snprintf(out, size, "%s", word);
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
    if (!gz_array_reserve((void **)&tally->items, &tally->capacity, tally->count + 1,
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
        fprintf(stream,
                "masked: %s and %s touch in %" PRIu64 " of %" PRIu64 ", first in row %" PRIu64
                " [%s]\n",
                GZ_PLAIN(gz_explanation_link(checker, &pair->sample)),
                GZ_PLAIN(gz_explanation_other(checker, &pair->sample)), pair->count, total,
                pair->first, gz_hidden_reason(reason, sizeof reason, checker, &pair->sample));
    }
    if (tally->count == 0) fputs("masked: no contact is hidden\n", stream);
}

void gz_hidden_tally_free(gz_hidden_tally *tally) {
    gz_free(tally->items);
    *tally = (gz_hidden_tally){0};
}
