// Verdicts as JSON objects, one line each.
#include "cli/check/verdict_writer.h"
#include "cli/output.h"
#include "cli/text.h"

static void write_point(FILE *stream, graze_vec3 p) {
    double values[3] = {p.x, p.y, p.z};
    gz_json_numbers(stream, values, 3);
}

/// Writes "kind": to "segment": of a contact, without braces.
static void write_contact(const gz_verdict_writer *writer, const graze_contact *contact) {
    FILE *stream = writer->stream;
    fprintf(stream, "\"kind\":\"%s\",\"link\":", gz_contact_kind_name(contact->kind));
    gz_json_string(stream, graze_contact_link_name(writer->checker, contact));
    fputs(",\"other\":", stream);
    gz_json_string(stream, graze_contact_other_name(writer->checker, contact));
    fprintf(stream, ",\"contained\":%s,\"point\":", contact->contained ? "true" : "false");
    write_point(stream, contact->point);
    fputs(",\"element\":", stream);
    gz_json_index(stream, contact->element);
    fputs(",\"other_element\":", stream);
    gz_json_index(stream, contact->other_element);
    fputs(",\"triangle\":", stream);
    gz_json_index(stream, contact->triangle);
    fputs(",\"other_triangle\":", stream);
    gz_json_index(stream, contact->other_triangle);
    fputs(",\"segment\":", stream);
    if (contact->has_segment) {
        fputc('[', stream);
        write_point(stream, contact->segment[0]);
        fputc(',', stream);
        write_point(stream, contact->segment[1]);
        fputc(']', stream);
    } else {
        fputs("null", stream);
    }
}

static void write_contacts(const gz_verdict_writer *writer, const gz_finding *finding) {
    fputs(",\"contacts\":[", writer->stream);
    for (size_t i = 0; i < finding->contact_count; i++) {
        fputs(i > 0 ? ",{" : "{", writer->stream);
        write_contact(writer, &finding->contacts[i]);
        fputc('}', writer->stream);
    }
    fputc(']', writer->stream);
}

static void write_limits(const gz_verdict_writer *writer, const gz_finding *finding) {
    const graze_robot *robot = graze_checker_robot(writer->checker);
    fputs(",\"limits\":[", writer->stream);
    for (size_t i = 0; i < finding->violated_count; i++) {
        graze_joint_info joint;
        if (graze_robot_joint(robot, finding->violated[i], &joint) != GRAZE_OK) continue;
        if (i > 0) fputc(',', writer->stream);
        gz_json_string(writer->stream, joint.name);
    }
    fputc(']', writer->stream);
}

static void write_masked(const gz_verdict_writer *writer, const gz_finding *finding) {
    bool first = true;
    fputs(",\"masked\":[", writer->stream);
    for (size_t i = 0; i < finding->explanation_count; i++) {
        const graze_explanation *explanation = &finding->explanations[i];
        if (!explanation->masked || !explanation->collides) continue;
        fputs(first ? "{" : ",{", writer->stream);
        first = false;
        write_contact(writer, &explanation->contact);
        fprintf(writer->stream, ",\"allowed_by\":\"%s\",\"reason\":",
                gz_masked_source(writer->checker, explanation));
        gz_json_string(writer->stream, explanation->reason);
        fputc('}', writer->stream);
    }
    fputc(']', writer->stream);
}

/// Pairs of names for --allow.
static void write_suggestion(const gz_verdict_writer *writer, const gz_finding *finding) {
    bool first = true;
    fputs(",\"allow\":[", writer->stream);
    for (size_t i = 0; i < finding->contact_count; i++) {
        const graze_contact *contact = &finding->contacts[i];
        if (contact->kind == GRAZE_CONTACT_BOUNDARY) continue;
        fputs(first ? "[" : ",[", writer->stream);
        first = false;
        gz_json_string(writer->stream, graze_contact_link_name(writer->checker, contact));
        fputc(',', writer->stream);
        gz_json_string(writer->stream, graze_contact_other_name(writer->checker, contact));
        fputc(']', writer->stream);
    }
    fputc(']', writer->stream);
}

static void write_stats(FILE *stream, const graze_stats *stats) {
    fprintf(stream,
            "{\"node_tests\":%llu,\"packet_tests\":%llu,\"triangle_tests\":%llu,"
            "\"exact_tests\":%llu,\"shape_tests\":%llu,\"containment_tests\":%llu}",
            (unsigned long long)stats->node_tests, (unsigned long long)stats->packet_tests,
            (unsigned long long)stats->triangle_tests, (unsigned long long)stats->exact_tests,
            (unsigned long long)stats->shape_tests, (unsigned long long)stats->containment_tests);
}

static void write_explanations(const gz_verdict_writer *writer, const gz_finding *finding) {
    FILE *stream = writer->stream;
    fputs(",\"explain\":[", stream);
    for (size_t i = 0; i < finding->explanation_count; i++) {
        const graze_explanation *e = &finding->explanations[i];
        const char *other = gz_explanation_other(writer->checker, e);
        fprintf(stream, "%s{\"kind\":\"%s\",\"link\":", i > 0 ? "," : "",
                gz_contact_kind_name(e->kind));
        gz_json_string(stream, gz_explanation_link(writer->checker, e));
        fputs(",\"other\":", stream);
        // A link that is free of the whole world is explained once, without an object.
        if (other != NULL) {
            gz_json_string(stream, other);
        } else {
            fputs("null", stream);
        }
        char margin[GZ_DECIMAL_SIZE];
        fprintf(stream, ",\"stage\":\"%s\",\"collides\":%s,\"margin\":%s,\"masked\":%s,\"reason\":",
                gz_stage_name(e->stage), e->collides ? "true" : "false",
                gz_decimal_format(margin, e->margin), e->masked ? "true" : "false");
        gz_json_string(stream, e->reason);
        fputs(",\"stats\":", stream);
        write_stats(stream, &e->stats);
        fputc('}', stream);
    }
    fputc(']', stream);
}

void gz_verdict_write_json(gz_verdict_writer *writer, const gz_finding *finding) {
    FILE *stream = writer->stream;
    fprintf(stream, "{\"index\":%llu,\"collision\":", (unsigned long long)finding->index);
    if (finding->verdict == GRAZE_COLLISION) {
        fputs("true,", stream);
        write_contact(writer, &finding->contacts[0]);
    } else if (finding->verdict == GRAZE_FREE) {
        fputs("false", stream);
    } else {
        fprintf(stream,
                "null,\"status\":\"%s\",\"message\":", graze_status_name(finding->error->status));
        gz_json_string(stream, finding->error->message);
        if (finding->error->element[0] != '\0') {
            fputs(",\"place\":", stream);
            gz_json_string(stream, finding->error->element);
        }
    }
    if (writer->bounds) fputs(",\"level\":\"bounds\"", stream);
    if (finding->violated_count > 0) write_limits(writer, finding);
    if (writer->all && finding->verdict != GRAZE_UNKNOWN) write_contacts(writer, finding);
    if (writer->suggest && finding->verdict != GRAZE_UNKNOWN) write_suggestion(writer, finding);
    if (writer->masked && finding->verdict != GRAZE_UNKNOWN) write_masked(writer, finding);
    if (writer->explain && finding->verdict != GRAZE_UNKNOWN) write_explanations(writer, finding);
    fputc('}', stream);
}
