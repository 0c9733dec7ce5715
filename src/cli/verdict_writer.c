#include "cli/check/verdict_writer.h"

#include <string.h>

#include "cli/output.h"
#include "cli/text.h"

const char *gz_contact_kind_name(graze_contact_kind kind) {
    switch (kind) {
    case GRAZE_CONTACT_SELF:
        return "self";
    case GRAZE_CONTACT_WORLD:
        return "world";
    case GRAZE_CONTACT_BOUNDARY:
        return "boundary";
    }
    return "unknown";
}

/// A contact between the two, for the functions that name its sides.
static graze_contact pair_of(const graze_explanation *explanation) {
    return (graze_contact){
        .kind = explanation->kind, .link = explanation->link, .other = explanation->other};
}

const char *gz_explanation_link(const graze_checker *checker,
                                const graze_explanation *explanation) {
    graze_contact pair = pair_of(explanation);
    return graze_contact_link_name(checker, &pair);
}

const char *gz_explanation_other(const graze_checker *checker,
                                 const graze_explanation *explanation) {
    graze_contact pair = pair_of(explanation);
    return graze_contact_other_name(checker, &pair);
}

const char *gz_stage_name(graze_stage stage) {
    static const char *const names[] = {"static",    "spheres", "boxes",      "trees",
                                        "triangles", "exact",   "containment"};
    return (size_t)stage < sizeof names / sizeof *names ? names[stage] : "unknown";
}

// ----------------------------------------------------------------------------------------- CSV

static void csv_index(FILE *stream, int64_t index) {
    if (index >= 0) fprintf(stream, "%lld", (long long)index);
    fputc(',', stream);
}

static void csv_number(FILE *stream, double value) {
    gz_json_number(stream, value);
    fputc(',', stream);
}

/// Writes kind to z of one contact, each with a comma behind it.
static void csv_contact(const gz_verdict_writer *writer, const graze_contact *contact) {
    FILE *stream = writer->stream;
    fprintf(stream, "%s,", gz_contact_kind_name(contact->kind));
    gz_csv_field(stream, graze_contact_link_name(writer->checker, contact));
    fputc(',', stream);
    gz_csv_field(stream, graze_contact_other_name(writer->checker, contact));
    fputc(',', stream);
    csv_index(stream, contact->element);
    csv_index(stream, contact->other_element);
    csv_index(stream, contact->triangle);
    csv_index(stream, contact->other_triangle);
    fprintf(stream, "%s,", contact->contained ? "true" : "false");
    csv_number(stream, contact->point.x);
    csv_number(stream, contact->point.y);
    csv_number(stream, contact->point.z);
}

/// The joints outside their limits, separated by blanks, as one field: names may hold anything.
static void csv_limits(FILE *stream, const graze_robot *robot, const gz_finding *finding) {
    graze_joint_info joint;
    bool quoted = false;
    for (size_t k = 0; k < finding->violated_count; k++)
        if (graze_robot_joint(robot, finding->violated[k], &joint) == GRAZE_OK)
            quoted = quoted || strpbrk(joint.name, ",\"\r\n") != NULL;
    if (quoted) fputc('"', stream);
    for (size_t k = 0; k < finding->violated_count; k++) {
        if (graze_robot_joint(robot, finding->violated[k], &joint) != GRAZE_OK) continue;
        if (k > 0) fputc(' ', stream);
        for (const char *c = joint.name; *c != '\0'; c++) {
            if (*c == '"') fputc('"', stream);
            fputc(*c, stream);
        }
    }
    fputs(quoted ? "\"," : ",", stream);
}

static void write_csv(gz_verdict_writer *writer, const gz_finding *finding) {
    static const char *const words[] = {"free", "collision"};
    const graze_robot *robot = graze_checker_robot(writer->checker);
    FILE *stream = writer->stream;
    size_t lines = finding->verdict != GRAZE_COLLISION ? 1
                   : writer->all                       ? finding->contact_count
                                                       : 1;
    for (size_t i = 0; i < lines; i++) {
        fprintf(stream, "%llu,%s,", (unsigned long long)finding->index,
                finding->verdict == GRAZE_UNKNOWN ? "unknown" : words[finding->verdict]);
        if (finding->verdict == GRAZE_COLLISION) {
            csv_contact(writer, &finding->contacts[i]);
        } else {
            fputs(",,,,,,,,,,,", stream);
        }
        csv_limits(stream, robot, finding);
        if (finding->error != NULL) gz_csv_field(stream, finding->error->message);
        fputc('\n', stream);
    }
}

// ----------------------------------------------------------------------------------------- NPY

static bool put_byte(gz_verdict_writer *writer, graze_verdict verdict) {
    if (!gz_storage_reserve((void **)&writer->bytes, &writer->byte_capacity, writer->byte_count + 1,
                            1)) {
        return false;
    }
    writer->bytes[writer->byte_count++] = (uint8_t)verdict;
    return true;
}

static void write_npy(const gz_verdict_writer *writer) {
    char header[GZ_NPY_HEADER_SIZE], shape[32];
    snprintf(shape, sizeof shape, "(%zu,)", writer->byte_count);
    gz_npy_header(header, "|u1", shape);
    fwrite(header, 1, sizeof header, writer->stream);
    if (writer->byte_count > 0) fwrite(writer->bytes, 1, writer->byte_count, writer->stream);
}

// -------------------------------------------------------------------------------------- writer

void gz_verdict_writer_begin(gz_verdict_writer *writer) {
    if (writer->format == GZ_VERDICT_CSV) {
        fputs("index,verdict,kind,link,other,element,other_element,triangle,other_triangle,"
              "contained,x,y,z,limits,message\n",
              writer->stream);
    }
    if (writer->format == GZ_VERDICT_JSON && writer->many) fputs("[", writer->stream);
}

bool gz_verdict_writer_put(gz_verdict_writer *writer, const gz_finding *finding) {
    bool good = true;
    switch (writer->format) {
    case GZ_VERDICT_TEXT:
        gz_verdict_write_text(writer, finding);
        break;
    case GZ_VERDICT_JSON:
        if (writer->many) fputs(writer->written > 0 ? ",\n" : "\n", writer->stream);
        gz_verdict_write_json(writer, finding);
        if (!writer->many) fputc('\n', writer->stream);
        break;
    case GZ_VERDICT_JSONL:
        gz_verdict_write_json(writer, finding);
        fputc('\n', writer->stream);
        break;
    case GZ_VERDICT_CSV:
        write_csv(writer, finding);
        break;
    case GZ_VERDICT_NPY:
        good = put_byte(writer, finding->verdict);
        break;
    }
    writer->written++;
    return good;
}

void gz_verdict_writer_end(gz_verdict_writer *writer) {
    if (writer->format == GZ_VERDICT_JSON && writer->many) fputs("\n]\n", writer->stream);
    if (writer->format == GZ_VERDICT_NPY) write_npy(writer);
}

void gz_verdict_writer_free(gz_verdict_writer *writer) {
    gz_storage_free(writer->bytes);
    *writer = (gz_verdict_writer){0};
}
