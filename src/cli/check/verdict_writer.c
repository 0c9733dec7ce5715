#include "cli/check/verdict_writer.h"

#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "cli/link_poses.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/robot_view.h"
#include "cli/text.h"

static const char *kind_name(graze_contact_kind kind) {
    static const char *const names[] = {"self", "world", "boundary"};
    return names[kind];
}

const char *gz_explanation_link(const graze_checker *checker,
                                const graze_explanation *explanation) {
    return graze_contact_link_name(checker, &(graze_contact){.link = explanation->link});
}

const char *gz_explanation_other(const graze_checker *checker,
                                 const graze_explanation *explanation) {
    const graze_contact pair = {.kind = explanation->kind, .other = explanation->other};
    return graze_contact_other_name(checker, &pair);
}

static const char *stage_name(graze_stage stage) {
    static const char *const names[] = {"static",    "spheres", "boxes",      "trees",
                                        "triangles", "exact",   "containment"};
    return names[stage];
}

// ----------------------------------------------------------------------------------------- CSV

/// Writes kind to z of one contact, each with a comma behind it.
static void csv_contact(const gz_verdict_writer *writer, const graze_contact *contact) {
    FILE *stream = writer->stream;
    const int64_t indices[] = {contact->element, contact->other_element, contact->triangle,
                               contact->other_triangle};
    const double point[] = {contact->point.x, contact->point.y, contact->point.z};
    fprintf(stream, "%s,", kind_name(contact->kind));
    gz_csv_field(stream, graze_contact_link_name(writer->checker, contact));
    fputc(',', stream);
    gz_csv_field(stream, graze_contact_other_name(writer->checker, contact));
    for (int i = 0; i < 4; i++) {
        fputc(',', stream);
        if (indices[i] >= 0) fprintf(stream, "%" PRId64, indices[i]);
    }
    fprintf(stream, ",%s,", contact->contained ? "true" : "false");
    for (int i = 0; i < 3; i++) {
        gz_number_write(stream, point[i]);
        fputc(',', stream);
    }
}

/// The joints outside their limits, separated by blanks, as one field: names may hold anything.
static void csv_limits(FILE *stream, const graze_robot *robot, const gz_finding *finding) {
    bool quoted = false;
    for (size_t k = 0; k < finding->violated_count; k++)
        quoted |= strpbrk(gz_joint_at(robot, finding->violated[k]).name, ",\"\r\n") != NULL;
    if (quoted) fputc('"', stream);
    for (size_t k = 0; k < finding->violated_count; k++) {
        if (k > 0) fputc(' ', stream);
        for (const char *c = gz_joint_at(robot, finding->violated[k]).name; *c != '\0'; c++) {
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
        if (finding->verdict == GRAZE_COLLISION)
            csv_contact(writer, &finding->contacts[i]);
        else
            fputs(",,,,,,,,,,,", stream);
        csv_limits(stream, robot, finding);
        if (finding->error != NULL) gz_csv_field(stream, finding->error->message);
        if (writer->poses) gz_link_poses_csv(stream, robot, finding->poses);
        fputc('\n', stream);
    }
}

// ----------------------------------------------------------------------------------------- NPY

static bool put_byte(gz_verdict_writer *writer, graze_verdict verdict) {
    if (!gz_array_reserve((void **)&writer->bytes, &writer->byte_capacity, writer->byte_count + 1,
                          1))
        return false;
    writer->bytes[writer->byte_count++] = (uint8_t)verdict;
    return true;
}

static void write_npy(const gz_verdict_writer *writer) {
    gz_npy_header_write(writer->stream, "|u1", writer->byte_count, 0);
    if (writer->byte_count > 0) fwrite(writer->bytes, 1, writer->byte_count, writer->stream);
}

// ----------------------------------------------- verdicts for people: what touches what, and where

#define LINE_SIZE 2048
// A link that is free of every object is explained once.
#define WHOLE_WORLD "(world)"

/// Appends to out, never beyond size.
__attribute__((format(printf, 3, 4))) static void append(char *out, size_t size, const char *format,
                                                         ...) {
    size_t used = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out + used, size - used, format, arguments);
    va_end(arguments);
}

/// " (element 0, triangle 12)", as much of it as is known.
static void append_component(char *out, size_t size, const char *element_word, int32_t element,
                             int64_t triangle) {
    bool has_element = element_word != NULL && element >= 0, has_triangle = triangle >= 0;
    if (!has_element && !has_triangle) return;
    append(out, size, " (");
    if (has_element) append(out, size, "%s %d", element_word, (int)element);
    if (has_triangle)
        append(out, size, "%striangle %lld", has_element ? ", " : "", (long long)triangle);
    append(out, size, ")");
}

/// " (attached to gripper_link)" behind the name of a body that is carried.
static void append_carrier(char *out, size_t size, const graze_robot *robot, int32_t link) {
    int32_t carrier = graze_robot_attached_to(robot, link);
    if (carrier >= 0) append(out, size, " (attached to %s)", graze_robot_link_name(robot, carrier));
}

static void append_other(char *out, size_t size, const graze_checker *checker,
                         const graze_contact *contact) {
    append(out, size, "%s", graze_contact_other_name(checker, contact));
    if (contact->kind == GRAZE_CONTACT_SELF)
        append_carrier(out, size, graze_checker_robot(checker), contact->other);
    const char *word = "element";
    if (contact->kind == GRAZE_CONTACT_WORLD) {
        // An object is one geometry; only of a cloud it matters which point.
        graze_geometry geometry;
        const graze_world *world = graze_checker_world(checker);
        bool cloud = world != NULL &&
                     graze_world_object(world, (size_t)contact->other, &geometry) == GRAZE_OK &&
                     geometry.shape == GRAZE_SHAPE_POINTS;
        word = cloud ? "point" : NULL;
    }
    append_component(out, size, word, contact->other_element, contact->other_triangle);
}

static const char *verb_of(const graze_contact *contact) {
    // The side that holds the other has no triangle of its own to name; where neither has
    // (spheres, capsules), one of them is inside.
    bool inside = contact->triangle >= 0, holds = contact->other_triangle >= 0;
    if (!contact->contained) return "hits";
    return inside && !holds ? "is inside" : holds && !inside ? "contains" : "overlaps";
}

const char *gz_proximity_link_name(const graze_checker *checker, const graze_proximity *p) {
    if (p->link < 0) return "";
    return graze_contact_link_name(checker, &(graze_contact){.link = p->link});
}

const char *gz_proximity_other_name(const graze_checker *checker, const graze_proximity *p) {
    if (p->link < 0) return "";
    return graze_contact_other_name(checker, &(graze_contact){.kind = p->kind, .other = p->other});
}

const char *gz_contact_describe(char *out, size_t size, const graze_checker *checker,
                                const graze_contact *contact) {
    char point[GZ_VECTOR_SIZE];
    out[0] = '\0';
    append(out, size, "%s", graze_contact_link_name(checker, contact));
    append_carrier(out, size, graze_checker_robot(checker), contact->link);
    if (contact->kind == GRAZE_CONTACT_BOUNDARY) {
        append(out, size, " leaves the boundary");
    } else {
        append_component(out, size, "element", contact->element, contact->triangle);
        append(out, size, " %s ", verb_of(contact));
        append_other(out, size, checker, contact);
    }
    append(out, size, " at %s", gz_vector_format(point, contact->point));
    return gz_plain_line(out);
}

// ------------------------------------------------------------------------------------ findings

typedef struct palette {
    const char *bad, *good, *dim, *off;
} palette;

static palette palette_of(const gz_verdict_writer *writer) {
    if (!writer->colors) return (palette){"", "", "", ""};
    return (palette){"\033[1;31m", "\033[1;32m", "\033[2m", "\033[0m"};
}

static void print_index(const gz_verdict_writer *writer, const gz_finding *finding) {
    if (writer->many) fprintf(writer->stream, "%llu: ", (unsigned long long)finding->index);
}

static void print_limits(const gz_verdict_writer *writer, const gz_finding *finding) {
    const graze_robot *robot = graze_checker_robot(writer->checker);
    for (size_t i = 0; i < finding->violated_count; i++)
        fprintf(writer->stream, "%s%s", i > 0 ? ", " : "; outside limits: ",
                GZ_PLAIN(gz_joint_at(robot, finding->violated[i]).name));
}

static void print_hidden(const gz_verdict_writer *writer, const gz_finding *finding) {
    palette color = palette_of(writer);
    char line[LINE_SIZE], reason[256];
    for (size_t i = 0; i < finding->explanation_count; i++) {
        const graze_explanation *explanation = &finding->explanations[i];
        if (!explanation->allowed || !explanation->collides) continue;
        print_index(writer, finding);
        fprintf(writer->stream, "%smasked%s: %s [%s]\n", color.dim, color.off,
                gz_contact_describe(line, sizeof line, writer->checker, &explanation->contact),
                gz_hidden_reason(reason, sizeof reason, writer->checker, explanation));
    }
}

/// The contacts as options, to be copied into the next command.
static void print_suggestion(const gz_verdict_writer *writer, const gz_finding *finding) {
    bool any = false;
    for (size_t i = 0; i < finding->contact_count; i++) {
        const graze_contact *contact = &finding->contacts[i];
        if (contact->kind == GRAZE_CONTACT_BOUNDARY) continue;
        const char *link = graze_contact_link_name(writer->checker, contact);
        const char *other = graze_contact_other_name(writer->checker, contact);
        const char *quote = gz_shell_bare(link) && gz_shell_bare(other) ? "" : "'";
        fprintf(writer->stream, "%s --allow %s", any ? "" : "to allow:", quote);
        gz_shell_inside(writer->stream, link);
        fputc(',', writer->stream);
        gz_shell_inside(writer->stream, other);
        fputs(quote, writer->stream);
        any = true;
    }
    if (any) fputc('\n', writer->stream);
}

/// What becomes of a pair's names and margin in a table.
typedef struct columns {
    int link, other; ///< widths
    bool margins;    ///< some pair has one: without, the column is left out
} columns;

static const char *name_or_world(const gz_verdict_writer *writer, const graze_explanation *e) {
    const char *other = gz_explanation_other(writer->checker, e);
    return other != NULL ? other : WHOLE_WORLD;
}

static columns measure(const gz_verdict_writer *writer, const gz_finding *finding) {
    columns c = {.link = 5, .other = 5};
    for (size_t i = 0; i < finding->explanation_count; i++) {
        const graze_explanation *e = &finding->explanations[i];
        int link = (int)strlen(gz_explanation_link(writer->checker, e));
        int other = (int)strlen(name_or_world(writer, e));
        c.link = link > c.link ? link : c.link;
        c.other = other > c.other ? other : c.other;
        c.margins |= e->margin > 0;
    }
    return c;
}

/// One line per pair: the stage that decided, the verdict, the margin, and what it took.
static void print_explanations(const gz_verdict_writer *writer, const gz_finding *finding) {
    FILE *stream = writer->stream;
    columns c = measure(writer, finding);
    fprintf(stream, "\n%-*s  %-*s  %-11s  %-9s%s  %7s %7s %9s %5s %6s  %s\n", c.link, "link",
            c.other, "other", "decided by", "verdict", c.margins ? "   margin" : "", "nodes",
            "packets", "triangles", "exact", "shapes", "masked by");
    for (size_t i = 0; i < finding->explanation_count; i++) {
        const graze_explanation *e = &finding->explanations[i];
        char margin[GZ_DECIMAL_SIZE] = "";
        if (c.margins) snprintf(margin, sizeof margin, "  %7.3g", e->margin);
        fprintf(stream,
                "%-*s  %-*s  %-11s  %-9s%s  %7" PRIu64 " %7" PRIu64 " %9" PRIu64 " %5" PRIu64
                " %6" PRIu64,
                c.link, GZ_PLAIN(gz_explanation_link(writer->checker, e)), c.other,
                GZ_PLAIN(name_or_world(writer, e)), stage_name(e->stage),
                e->collides ? "collision" : "free", margin, e->stats.node_tests,
                e->stats.packet_tests, e->stats.triangle_tests, e->stats.exact_tests,
                e->stats.shape_tests);
        const char *reason = e->reason[0] != '\0' ? e->reason : "SRDF, no reason given";
        if (e->allowed) fprintf(stream, "  %s", GZ_PLAIN(reason));
        fputc('\n', stream);
    }
}

/// What of the robot nothing can collide with: a verdict "free" says nothing of it.
static void print_uncovered(const gz_verdict_writer *writer) {
    if (writer->nothing_collides)
        fputs(" (no link has collision geometry)", writer->stream);
    else if (writer->uncovered > 0)
        fprintf(writer->stream, " (%zu link%s a <visual> and no collision geometry)",
                writer->uncovered, writer->uncovered == 1 ? " has" : "s have");
}

static void write_text(gz_verdict_writer *writer, const gz_finding *finding) {
    FILE *stream = writer->stream;
    palette color = palette_of(writer);
    const char *level = writer->bounds ? " (bounding volumes)" : "";
    char line[LINE_SIZE];
    size_t lines = finding->verdict == GRAZE_COLLISION && writer->all ? finding->contact_count : 1;
    for (size_t i = 0; i < lines; i++) {
        print_index(writer, finding);
        if (finding->verdict == GRAZE_COLLISION) {
            fprintf(stream, "%scollision%s%s: %s", color.bad, color.off, level,
                    gz_contact_describe(line, sizeof line, writer->checker, &finding->contacts[i]));
        } else if (finding->verdict == GRAZE_FREE) {
            fprintf(stream, "%sfree%s%s", color.good, color.off, level);
            print_uncovered(writer);
        } else {
            const graze_error *error = finding->error;
            fprintf(stream, "%sunknown%s: ", color.bad, color.off);
            gz_plain_put(stream, error->message);
            if (error->element[0] != '\0') fprintf(stream, " (%s)", GZ_PLAIN(error->element));
        }
        // What is unknown says its own reason.
        if (finding->verdict != GRAZE_UNKNOWN) print_limits(writer, finding);
        fputc('\n', stream);
    }
    if (writer->suggest && finding->verdict == GRAZE_COLLISION) print_suggestion(writer, finding);
    if (writer->hidden) print_hidden(writer, finding);
    if (writer->explain && finding->verdict != GRAZE_UNKNOWN) print_explanations(writer, finding);
    if (finding->poses != NULL)
        gz_link_poses_print(stream, graze_checker_robot(writer->checker), finding->poses);
}

// -------------------------------------------------------------------------------------------- JSON

/// Writes "kind": to "segment": of a contact.
static void write_contact(gz_json *json, const graze_checker *checker,
                          const graze_contact *contact) {
    gz_json_put(json, "kind=%s link=%s other=%s contained=%i", kind_name(contact->kind),
                graze_contact_link_name(checker, contact),
                graze_contact_other_name(checker, contact), contact->contained);
    gz_json_vector(json, "point", contact->point);
    gz_json_put(json, "element=%d other_element=%d triangle=%" PRId64 " other_triangle=%" PRId64,
                contact->element, contact->other_element, contact->triangle,
                contact->other_triangle);
    if (!contact->has_segment) {
        gz_json_put(json, "segment=null");
        return;
    }
    gz_json_put(json, "segment=[");
    gz_json_vector(json, NULL, contact->segment[0]);
    gz_json_vector(json, NULL, contact->segment[1]);
    gz_json_put(json, "]");
}

static void write_contacts(gz_json *json, const graze_checker *checker, const gz_finding *finding) {
    gz_json_put(json, "contacts=[");
    for (size_t i = 0; i < finding->contact_count; i++) {
        gz_json_put(json, "{");
        write_contact(json, checker, &finding->contacts[i]);
        gz_json_put(json, "}");
    }
    gz_json_put(json, "]");
}

static void write_limits(gz_json *json, const graze_robot *robot, const gz_finding *finding) {
    gz_json_put(json, "limits=[");
    for (size_t i = 0; i < finding->violated_count; i++)
        gz_json_put(json, "%s", gz_joint_at(robot, finding->violated[i]).name);
    gz_json_put(json, "]");
}

static void write_hidden(gz_json *json, const graze_checker *checker, const gz_finding *finding) {
    gz_json_put(json, "masked=[");
    for (size_t i = 0; i < finding->explanation_count; i++) {
        const graze_explanation *explanation = &finding->explanations[i];
        if (!explanation->allowed || !explanation->collides) continue;
        gz_json_put(json, "{");
        write_contact(json, checker, &explanation->contact);
        gz_json_put(json, "allowed_by=%s reason=%s }", gz_hidden_source(checker, explanation),
                    explanation->reason);
    }
    gz_json_put(json, "]");
}

/// Pairs of names for --allow.
static void write_suggestion(gz_json *json, const graze_checker *checker,
                             const gz_finding *finding) {
    gz_json_put(json, "allow=[");
    for (size_t i = 0; i < finding->contact_count; i++) {
        const graze_contact *contact = &finding->contacts[i];
        if (contact->kind == GRAZE_CONTACT_BOUNDARY) continue;
        gz_json_put(json, "[ %s %s ]", graze_contact_link_name(checker, contact),
                    graze_contact_other_name(checker, contact));
    }
    gz_json_put(json, "]");
}

static void write_stats(gz_json *json, const graze_stats *stats) {
    gz_json_put(json,
                "stats={ node_tests=%" PRIu64 " packet_tests=%" PRIu64 " triangle_tests=%" PRIu64
                " exact_tests=%" PRIu64 " shape_tests=%" PRIu64 " containment_tests=%" PRIu64 " }",
                stats->node_tests, stats->packet_tests, stats->triangle_tests, stats->exact_tests,
                stats->shape_tests, stats->containment_tests);
}

static void write_explanations(gz_json *json, const graze_checker *checker,
                               const gz_finding *finding) {
    gz_json_put(json, "explain=[");
    for (size_t i = 0; i < finding->explanation_count; i++) {
        const graze_explanation *e = &finding->explanations[i];
        gz_json_put(json, "{ kind=%s link=%s", kind_name(e->kind), gz_explanation_link(checker, e));
        // A link that is free of the whole world is explained once; the other is NULL.
        gz_json_put(json, "other=%s stage=%s collides=%i margin=%g masked=%i reason=%s",
                    gz_explanation_other(checker, e), stage_name(e->stage), e->collides, e->margin,
                    e->allowed, e->reason);
        write_stats(json, &e->stats);
        gz_json_put(json, "}");
    }
    gz_json_put(json, "]");
}

static void write_json(gz_verdict_writer *writer, const gz_finding *finding) {
    gz_json *json = &writer->json;
    const graze_checker *checker = writer->checker;
    bool known = finding->verdict != GRAZE_UNKNOWN;
    gz_json_put(json, "{ index=%" PRIu64, finding->index);
    if (known) {
        gz_json_put(json, "collision=%i", finding->verdict == GRAZE_COLLISION);
    } else {
        gz_json_put(json, "collision=null status=%s message=%s",
                    graze_status_name(finding->error->status), finding->error->message);
        if (finding->error->element[0] != '\0')
            gz_json_put(json, "place=%s", finding->error->element);
    }
    if (finding->verdict == GRAZE_COLLISION) write_contact(json, checker, &finding->contacts[0]);
    if (writer->bounds) gz_json_put(json, "level=\"bounds\"");
    if (writer->nothing_collides && finding->verdict == GRAZE_FREE)
        gz_json_put(json, "nothing_collides=%i", true);
    if (writer->uncovered > 0 && finding->verdict == GRAZE_FREE)
        gz_json_put(json, "links_without_collision=%zu", writer->uncovered);
    if (finding->violated_count > 0) write_limits(json, graze_checker_robot(checker), finding);
    if (writer->all && known) write_contacts(json, checker, finding);
    if (writer->suggest && known) write_suggestion(json, checker, finding);
    if (writer->hidden && known) write_hidden(json, checker, finding);
    if (writer->explain && known) write_explanations(json, checker, finding);
    if (finding->poses != NULL)
        gz_link_poses_json(json, graze_checker_robot(checker), finding->poses);
    gz_json_put(json, "}");
}

// ------------------------------------------------------------------------------------------ writer

/// Counts the links with a visual and no collision geometry; both lists are in link order.
static size_t count_uncovered(const graze_robot *robot) {
    size_t collisions = graze_robot_collision_count(robot), count = 0, k = 0;
    int32_t last = -1;
    for (size_t i = 0; i < graze_robot_visual_count(robot); i++) {
        graze_geometry visual, collision = {.owner = -1};
        if (graze_robot_visual(robot, i, &visual) || visual.owner == last) continue;
        last = visual.owner;
        while (k < collisions && graze_robot_collision(robot, k, &collision) == GRAZE_OK &&
               collision.owner < last)
            k++;
        count += k == collisions || collision.owner != last;
    }
    return count;
}

void gz_verdict_writer_begin(gz_verdict_writer *writer) {
    const graze_robot *robot = graze_checker_robot(writer->checker);
    writer->uncovered = count_uncovered(robot);
    writer->nothing_collides = graze_robot_collision_count(robot) == 0;
    if (writer->format == GZ_VERDICT_CSV) {
        fputs("index,verdict,kind,link,other,element,other_element,triangle,other_triangle,"
              "contained,x,y,z,limits,message",
              writer->stream);
        if (writer->poses) gz_link_poses_csv_head(writer->stream, robot);
        fputc('\n', writer->stream);
    }
    writer->json = (gz_json){.stream = writer->stream};
    if (writer->format == GZ_VERDICT_JSON && writer->many) {
        gz_json_put(&writer->json, "[");
        gz_json_gap(&writer->json, "\n");
    }
}

bool gz_verdict_writer_put(gz_verdict_writer *writer, const gz_finding *finding) {
    switch (writer->format) {
    case GZ_VERDICT_TEXT:
        write_text(writer, finding);
        return true;
    case GZ_VERDICT_CSV:
        write_csv(writer, finding);
        return true;
    case GZ_VERDICT_NPY:
        return put_byte(writer, finding->verdict);
    default:
        write_json(writer, finding);
        // In an array the line ends in front of the next item.
        if (writer->format == GZ_VERDICT_JSONL || !writer->many) fputc('\n', writer->stream);
        return true;
    }
}

void gz_verdict_writer_end(gz_verdict_writer *writer) {
    if (writer->format == GZ_VERDICT_JSON && writer->many) fputs("\n]\n", writer->stream);
    if (writer->format == GZ_VERDICT_NPY) write_npy(writer);
}

void gz_verdict_writer_free(gz_verdict_writer *writer) {
    gz_free(writer->bytes);
    *writer = (gz_verdict_writer){0};
}
