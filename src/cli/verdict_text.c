// Verdicts for people: a line that says what touches what, and where.
#include <stdarg.h>
#include <string.h>

#include "cli/check/verdict_writer.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

#define DECIMALS  4
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
static void append_part(char *out, size_t size, const char *element_word, int32_t element,
                        int64_t triangle) {
    bool has_element = element_word != NULL && element >= 0, has_triangle = triangle >= 0;
    if (!has_element && !has_triangle) return;
    append(out, size, " (");
    if (has_element) append(out, size, "%s %d", element_word, (int)element);
    if (has_triangle) {
        append(out, size, "%striangle %lld", has_element ? ", " : "", (long long)triangle);
    }
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
    append_part(out, size, word, contact->other_element, contact->other_triangle);
}

static void append_point(char *out, size_t size, graze_vec3 p) {
    char x[GZ_DECIMAL_SIZE], y[GZ_DECIMAL_SIZE], z[GZ_DECIMAL_SIZE];
    append(out, size, " at (%s, %s, %s)", gz_decimal_format_fixed(x, p.x, DECIMALS),
           gz_decimal_format_fixed(y, p.y, DECIMALS), gz_decimal_format_fixed(z, p.z, DECIMALS));
}

static void describe(char *out, size_t size, const graze_checker *checker,
                     const graze_contact *contact) {
    out[0] = '\0';
    append(out, size, "%s", graze_contact_link_name(checker, contact));
    append_carrier(out, size, graze_checker_robot(checker), contact->link);
    if (contact->kind == GRAZE_CONTACT_BOUNDARY) {
        append(out, size, " leaves the boundary");
        append_point(out, size, contact->point);
        return;
    }
    append_part(out, size, "element", contact->element, contact->triangle);
    const char *verb = " hits ";
    if (contact->contained) {
        // The side that holds the other has no triangle of its own to name; where neither has
        // (spheres, capsules), one of them is inside.
        bool inside = contact->triangle >= 0, holds = contact->other_triangle >= 0;
        verb = inside && !holds ? " is inside " : holds && !inside ? " contains " : " overlaps ";
    }
    append(out, size, "%s", verb);
    append_other(out, size, checker, contact);
    append_point(out, size, contact->point);
}

void gz_contact_describe(char *out, size_t size, const graze_checker *checker,
                         const graze_contact *contact) {
    describe(out, size, checker, contact);
    gz_plain_line(out);
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
    for (size_t i = 0; i < finding->violated_count; i++) {
        graze_joint_info joint;
        if (graze_robot_joint(robot, finding->violated[i], &joint) != GRAZE_OK) continue;
        fprintf(writer->stream, "%s%s", i > 0 ? ", " : "; outside limits: ", GZ_PLAIN(joint.name));
    }
}

static void print_masked(const gz_verdict_writer *writer, const gz_finding *finding) {
    palette color = palette_of(writer);
    char line[LINE_SIZE], reason[256];
    for (size_t i = 0; i < finding->explanation_count; i++) {
        const graze_explanation *explanation = &finding->explanations[i];
        if (!explanation->masked || !explanation->collides) continue;
        gz_contact_describe(line, sizeof line, writer->checker, &explanation->contact);
        print_index(writer, finding);
        fprintf(writer->stream, "%smasked%s: %s [%s]\n", color.dim, color.off, line,
                gz_masked_reason(reason, sizeof reason, writer->checker, explanation));
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

static int widest_name(const gz_verdict_writer *writer, const gz_finding *finding, bool other) {
    size_t widest = 5;
    for (size_t i = 0; i < finding->explanation_count; i++) {
        const graze_explanation *e = &finding->explanations[i];
        const char *name = other ? gz_explanation_other(writer->checker, e)
                                 : gz_explanation_link(writer->checker, e);
        if (name == NULL) name = WHOLE_WORLD;
        if (strlen(name) > widest) widest = strlen(name);
    }
    return (int)widest;
}

/// Whether some pair has a margin: without one the column is left out.
static bool have_margins(const gz_finding *finding) {
    for (size_t i = 0; i < finding->explanation_count; i++)
        if (finding->explanations[i].margin > 0) return true;
    return false;
}

/// One line per pair: the stage that decided, the verdict, the margin, and what it took.
static void print_explanations(const gz_verdict_writer *writer, const gz_finding *finding) {
    FILE *stream = writer->stream;
    int link_width = widest_name(writer, finding, false);
    int other_width = widest_name(writer, finding, true);
    bool margins = have_margins(finding);
    fprintf(stream, "\n%-*s  %-*s  %-11s  %-9s%s  %7s %7s %9s %5s %6s  %s\n", link_width, "link",
            other_width, "other", "decided by", "verdict", margins ? "   margin" : "", "nodes",
            "packets", "triangles", "exact", "shapes", "masked by");
    for (size_t i = 0; i < finding->explanation_count; i++) {
        const graze_explanation *e = &finding->explanations[i];
        const char *other = gz_explanation_other(writer->checker, e);
        char margin[GZ_DECIMAL_SIZE] = "";
        if (margins) snprintf(margin, sizeof margin, "  %7.3g", e->margin);
        fprintf(stream, "%-*s  %-*s  %-11s  %-9s%s  %7llu %7llu %9llu %5llu %6llu", link_width,
                GZ_PLAIN(gz_explanation_link(writer->checker, e)), other_width,
                GZ_PLAIN(other != NULL ? other : WHOLE_WORLD), gz_stage_name(e->stage),
                e->collides ? "collision" : "free", margin, (unsigned long long)e->stats.node_tests,
                (unsigned long long)e->stats.packet_tests,
                (unsigned long long)e->stats.triangle_tests,
                (unsigned long long)e->stats.exact_tests, (unsigned long long)e->stats.shape_tests);
        if (e->masked) {
            fprintf(stream, "  %s",
                    GZ_PLAIN(e->reason[0] != '\0' ? e->reason : "SRDF, no reason given"));
        }
        fputc('\n', stream);
    }
}

void gz_verdict_write_text(gz_verdict_writer *writer, const gz_finding *finding) {
    FILE *stream = writer->stream;
    palette color = palette_of(writer);
    const char *level = writer->bounds ? " (bounding volumes)" : "";
    char line[LINE_SIZE];
    size_t lines = finding->verdict == GRAZE_COLLISION && writer->all ? finding->contact_count : 1;
    for (size_t i = 0; i < lines; i++) {
        print_index(writer, finding);
        if (finding->verdict == GRAZE_COLLISION) {
            gz_contact_describe(line, sizeof line, writer->checker, &finding->contacts[i]);
            fprintf(stream, "%scollision%s%s: %s", color.bad, color.off, level, line);
        } else if (finding->verdict == GRAZE_FREE) {
            fprintf(stream, "%sfree%s%s", color.good, color.off, level);
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
    if (writer->masked) print_masked(writer, finding);
    if (writer->explain && finding->verdict != GRAZE_UNKNOWN) print_explanations(writer, finding);
}
