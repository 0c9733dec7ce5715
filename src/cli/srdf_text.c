// The matrix for people: counts, then a line per pair; and what a review found.
#include <math.h>
#include <string.h>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/srdf_writer.h"
#include "cli/text.h"

static void print_shares(FILE *stream, const graze_matrix *m) {
    size_t counts[GRAZE_MATRIX_KIND_COUNT] = {0};
    int32_t most = 0;
    for (size_t i = 0; i < graze_matrix_count(m); i++) {
        const graze_matrix_entry *e = graze_matrix_at(m, i);
        counts[e->kind]++;
        most = e->joint_count > most ? e->joint_count : most;
    }
    fprintf(stream, "%zu pairs:", graze_matrix_count(m));
    for (int k = 0; k < GRAZE_MATRIX_KIND_COUNT; k++)
        if (counts[k] > 0)
            fprintf(stream, " %s %zu", graze_matrix_kind_name((graze_matrix_kind)k), counts[k]);
    size_t proved = counts[GRAZE_MATRIX_NEVER_PROVED];
    size_t all = proved + counts[GRAZE_MATRIX_NEVER_SAMPLED];
    fprintf(stream, "\n");
    if (all == 0) return;
    fprintf(stream, "never, proved: %zu of %zu (%.1f %%); by joints between:", proved, all,
            100 * (double)proved / (double)all);
    for (int32_t j = 0; j <= most; j++) {
        size_t of[2] = {0};
        for (size_t i = 0; i < graze_matrix_count(m); i++) {
            const graze_matrix_entry *e = graze_matrix_at(m, i);
            if (e->joint_count != j) continue;
            of[0] += e->kind == GRAZE_MATRIX_NEVER_PROVED;
            of[1] += e->kind == GRAZE_MATRIX_NEVER_PROVED || e->kind == GRAZE_MATRIX_NEVER_SAMPLED;
        }
        if (of[1] > 0) fprintf(stream, " %d: %zu of %zu;", (int)j, of[0], of[1]);
    }
    fprintf(stream, "\n");
}

static void print_evidence(FILE *stream, const graze_matrix_entry *e) {
    fprintf(stream, "%d joint%s", (int)e->joint_count, e->joint_count == 1 ? "" : "s");
    if (e->samples > 0)
        fprintf(stream, ", %llu of %llu samples collide", (unsigned long long)e->collisions,
                (unsigned long long)e->samples);
    if (e->witness != NULL && e->samples > 0 && e->collisions == 0)
        fprintf(stream, ", and so does one of %llu more", (unsigned long long)e->searched);
    if (e->nodes > 0 && e->joint_count > 0)
        fprintf(stream, ", %llu boxes", (unsigned long long)e->nodes);
    if (e->kind != GRAZE_MATRIX_NEVER_SAMPLED) return;
    char distance[GZ_DECIMAL_SIZE];
    gz_decimal_format_fixed(distance, e->distance, 6);
    fprintf(stream, ", %.3g %% proved, nearest above %s m, collides in less than %.2g (95 %%)",
            100 * e->proved_share, distance, e->rate_bound);
}

void gz_srdf_text(FILE *stream, const graze_matrix *m) {
    const graze_robot *r = graze_matrix_robot(m);
    print_shares(stream, m);
    for (size_t i = 0; i < graze_matrix_count(m); i++) {
        const graze_matrix_entry *e = graze_matrix_at(m, i);
        fprintf(stream, "%-13s  %s x %s  ", graze_matrix_kind_name(e->kind),
                GZ_PLAIN(graze_robot_link_name(r, e->a)), GZ_PLAIN(graze_robot_link_name(r, e->b)));
        print_evidence(stream, e);
        fprintf(stream, "\n");
    }
}

// ----------------------------------------------------------------------------------------- review

/// A word of a shell command, in quotes where it needs them.
static void print_word(FILE *stream, const char *word) {
    bool bare = word[0] != '\0' && gz_shell_bare(word);
    if (!bare) fputc('\'', stream);
    gz_shell_inside(stream, word);
    if (!bare) fputc('\'', stream);
}

/// The numbers that are not at rest, by name, for between quotes.
static void print_witness(FILE *stream, const graze_robot *r, const graze_matrix_entry *e) {
    bool first = true;
    char number[GZ_DECIMAL_SIZE];
    for (size_t i = 0; i < graze_robot_q_size(r); i++) {
        graze_joint_info info;
        double rest = 0;
        if (graze_robot_joint(r, graze_robot_q_joint(r, i), &info) != GRAZE_OK) continue;
        if (info.limited) rest = info.lower > 0 ? info.lower : info.upper < 0 ? info.upper : 0;
        if (info.type == GRAZE_JOINT_FLOATING && i == (size_t)info.q_index + 6) rest = 1;
        if (e->witness[i] == rest) continue;
        if (!first) fputc(',', stream);
        gz_shell_inside(stream, graze_robot_q_name(r, i));
        fprintf(stream, "=%s", gz_decimal_format(number, e->witness[i]));
        first = false;
    }
}

static void print_command(FILE *stream, const graze_robot *r, const graze_matrix_entry *e,
                          const gz_srdf_origin *o) {
    fputs("  graze check ", stream);
    print_word(stream, o->robot);
    for (size_t i = 0; i < o->package_count; i++) {
        fputs(" --package ", stream);
        print_word(stream, o->packages[i]);
    }
    if (o->package_path != NULL) {
        fputs(" --package-path ", stream);
        print_word(stream, o->package_path);
    }
    if (o->collada != NULL) fprintf(stream, " --collada %s", o->collada);
    if (o->use_visual != NULL) fprintf(stream, " --use-visual %s", o->use_visual);
    if (!e->rest_collides) { // else the configuration that is checked without one
        fputs(" -q '", stream);
        print_witness(stream, r, e);
        fputc('\'', stream);
    }
    fputs(" --explain\n", stream);
}

void gz_srdf_review_text(FILE *stream, const graze_matrix_review *review,
                         const graze_matrix *matrix, const char *file,
                         const gz_srdf_origin *origin) {
    size_t errors = 0, notes = 0;
    for (size_t i = 0; i < graze_matrix_review_count(review); i++) {
        const graze_matrix_finding *f = graze_matrix_review_at(review, i);
        if (f->is_error)
            errors++;
        else
            notes++;
        gz_plain_put(stream, file);
        if (f->line > 0) fprintf(stream, ":%d:%d", (int)f->line, (int)f->column);
        fprintf(stream, ": %s: ", f->is_error ? "error" : "note");
        gz_plain_put(stream, f->message);
        fprintf(stream, " [%s]\n", graze_matrix_fault_name(f->fault));
        if (f->entry != NULL && f->fault != GRAZE_MATRIX_DUPLICATE) {
            fputs("  ", stream);
            print_evidence(stream, f->entry);
            fputc('\n', stream);
        }
        if (f->fault == GRAZE_MATRIX_HIDES_CONTACT)
            print_command(stream, graze_matrix_robot(matrix), f->entry, origin);
    }
    fprintf(stream, "%zu rules, %zu pairs left out: %zu errors, %zu notes\n",
            graze_matrix_review_rules(review), graze_matrix_review_disabled(review), errors, notes);
}
