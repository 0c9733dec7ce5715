#include "cli/motion/motion_answer.h"

#include "cli/check/verdict_writer.h"
#include "cli/message.h"

static const char *verdict_name(graze_motion_verdict verdict) {
    if (verdict == GRAZE_MOTION_FREE) return "free";
    return verdict == GRAZE_MOTION_HIT ? "collision" : "undecided";
}

void gz_motion_answer_text(const gz_motion_answer *a, FILE *stream) {
    if (a->verdict == GRAZE_MOTION_FREE) {
        fprintf(stream, "free\n");
        return;
    }
    char line[1024];
    bool hit = a->verdict == GRAZE_MOTION_HIT;
    if (hit && !a->any)
        gz_contact_describe(line, sizeof line, a->checker, a->contact);
    else
        snprintf(line, sizeof line, "%s %s %s%s", graze_contact_link_name(a->checker, a->contact),
                 hit ? "hits" : "and", graze_contact_other_name(a->checker, a->contact),
                 !hit && a->spent ? "; the budget is spent" : "");
    fprintf(stream, "%s in [", verdict_name(a->verdict));
    gz_number_write(stream, a->earliest);
    fprintf(stream, ", ");
    gz_number_write(stream, a->latest);
    fprintf(stream, "]%s: %s\n", a->unit, gz_plain_line(line));
}

void gz_motion_answer_verdict(const gz_motion_answer *a, gz_json *json) {
    gz_json_put(json, "verdict=%s", verdict_name(a->verdict));
}

void gz_motion_answer_json(const gz_motion_answer *a, gz_json *json) {
    gz_json_put(json, "earliest=%g latest=%g", a->earliest, a->latest);
    if (a->verdict != GRAZE_MOTION_FREE) {
        gz_json_put(json, "link=%s other=%s", graze_contact_link_name(a->checker, a->contact),
                    graze_contact_other_name(a->checker, a->contact));
        if (a->verdict == GRAZE_MOTION_HIT && !a->any)
            gz_json_vector(json, "point", a->contact->point);
    }
    gz_json_put(json, "spent=%i", a->spent);
}
