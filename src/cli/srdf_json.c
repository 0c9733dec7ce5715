// The matrix and the review as one JSON object each.
#include "cli/output.h"
#include "cli/srdf_writer.h"

static void write_configuration(FILE *stream, const char *key, const graze_robot *r,
                                const double *q) {
    if (q == NULL) return;
    fprintf(stream, ",\"%s\":", key);
    gz_json_numbers(stream, q, graze_robot_q_size(r));
}

static void write_entry(FILE *stream, const graze_matrix *m, const graze_matrix_entry *e) {
    const graze_robot *r = graze_matrix_robot(m);
    const char *reason = graze_matrix_kind_reason(e->kind);
    fputs("{\"links\":[", stream);
    gz_json_string(stream, graze_robot_link_name(r, e->a));
    fputc(',', stream);
    gz_json_string(stream, graze_robot_link_name(r, e->b));
    fprintf(stream, "],\"kind\":\"%s\",\"reason\":", graze_matrix_kind_name(e->kind));
    if (reason != NULL)
        gz_json_string(stream, reason);
    else
        fputs("null", stream);
    fprintf(stream,
            ",\"adjacent\":%s,\"collides_at_rest\":%s,\"joints\":%d,\"variables\":%d,"
            "\"samples\":%llu,\"collisions\":%llu,\"searched\":%llu,\"nodes\":%llu,"
            "\"proved_share\":",
            e->adjacent ? "true" : "false", e->rest_collides ? "true" : "false",
            (int)e->joint_count, (int)e->column_count, (unsigned long long)e->samples,
            (unsigned long long)e->collisions, (unsigned long long)e->searched,
            (unsigned long long)e->nodes);
    gz_json_number(stream, e->proved_share);
    if (e->kind == GRAZE_MATRIX_NEVER_SAMPLED) {
        fputs(",\"rate_bound\":", stream);
        gz_json_number(stream, e->rate_bound);
        fputs(",\"distance_above\":", stream);
        gz_json_number(stream, e->distance);
    }
    write_configuration(stream, "nearest", r, e->nearest);
    write_configuration(stream, "witness", r, e->witness);
    write_configuration(stream, "apart", r, e->apart);
    fputc('}', stream);
}

static void write_settings(FILE *stream, const graze_matrix *m) {
    const graze_robot *r = graze_matrix_robot(m);
    graze_matrix_options o = graze_matrix_settings(m);
    fputs(",\"robot\":", stream);
    gz_json_string(stream, graze_robot_name(r));
    fprintf(stream, ",\"samples\":%llu,\"seed\":%llu,\"search\":%llu,\"budget\":%llu,\"q\":[",
            (unsigned long long)o.samples, (unsigned long long)o.seed, (unsigned long long)o.search,
            (unsigned long long)o.budget);
    for (size_t i = 0; i < graze_robot_q_size(r); i++) {
        if (i > 0) fputc(',', stream);
        gz_json_string(stream, graze_robot_q_name(r, i));
    }
    fputc(']', stream);
}

void gz_srdf_json(FILE *stream, const graze_matrix *m) {
    fputs("{\"format\":\"graze-matrix-1\"", stream);
    write_settings(stream, m);
    fputs(",\"pairs\":[", stream);
    for (size_t i = 0; i < graze_matrix_count(m); i++) {
        fputs(i > 0 ? ",\n " : "\n ", stream);
        write_entry(stream, m, graze_matrix_at(m, i));
    }
    fputs("]}\n", stream);
}

static void write_finding(FILE *stream, const graze_matrix *m, const graze_matrix_finding *f) {
    fprintf(stream, "{\"fault\":\"%s\",\"error\":%s", graze_matrix_fault_name(f->fault),
            f->is_error ? "true" : "false");
    if (f->line > 0) fprintf(stream, ",\"line\":%d,\"column\":%d", (int)f->line, (int)f->column);
    const char *const keys[] = {"link1", "link2", "reason", "message"};
    const char *const values[] = {f->link1, f->link2, f->reason, f->message};
    for (int k = 0; k < 4; k++) {
        fprintf(stream, ",\"%s\":", keys[k]);
        gz_json_string(stream, values[k]);
    }
    for (int k = 0; k < 2; k++) {
        if (f->nearest[k] == NULL) continue;
        fprintf(stream, ",\"nearest%d\":", k + 1);
        gz_json_string(stream, f->nearest[k]);
    }
    if (f->entry != NULL) {
        fputs(",\"pair\":", stream);
        write_entry(stream, m, f->entry);
    }
    fputc('}', stream);
}

void gz_srdf_review_json(FILE *stream, const graze_matrix_review *review, const graze_matrix *m,
                         const char *file) {
    fputs("{\"format\":\"graze-matrix-review-1\",\"file\":", stream);
    gz_json_string(stream, file);
    write_settings(stream, m);
    fprintf(stream, ",\"rules\":%zu,\"left_out\":%zu,\"findings\":[",
            graze_matrix_review_rules(review), graze_matrix_review_disabled(review));
    for (size_t i = 0; i < graze_matrix_review_count(review); i++) {
        fputs(i > 0 ? ",\n " : "\n ", stream);
        write_finding(stream, m, graze_matrix_review_at(review, i));
    }
    fputs("]}\n", stream);
}
