#include "cli/check/rest_contact.h"

#include "base/memory.h"
#include "cli/message.h"
#include "cli/output.h"

/// Whether an SRDF has said something about pairs.
static bool is_settled(const graze_robot *robot) {
    for (size_t i = 0; i < graze_robot_pair_count(robot); i++) {
        graze_pair pair;
        if (graze_robot_pair(robot, i, &pair) != GRAZE_OK) continue;
        if (pair.state == GRAZE_PAIR_DISABLED || pair.state == GRAZE_PAIR_DEFAULT) return true;
    }
    return false;
}

static bool is_same_pair(const graze_contact *a, const graze_contact *b) {
    return a->link == b->link && a->other == b->other;
}

/// Keeps one contact of each pair of links.
static void keep_links(gz_rest_contacts *rest, size_t count) {
    graze_contact *items = rest->contacts.items;
    for (size_t i = 0; i < count; i++) {
        bool known = items[i].kind != GRAZE_CONTACT_SELF;
        for (size_t k = 0; k < rest->count && !known; k++)
            known = is_same_pair(&items[i], &items[k]);
        if (!known) items[rest->count++] = items[i];
    }
}

bool gz_rest_contacts_find(gz_rest_contacts *rest, const graze_checker *checker,
                           graze_workspace *workspace) {
    const graze_robot *robot = graze_checker_robot(checker);
    if (is_settled(robot)) return true;
    double *q = gz_malloc(graze_robot_q_size(robot), sizeof *q);
    if (q == NULL) return false;
    graze_robot_rest(robot, q);
    const gz_pictured_pose pose = {q, NULL};
    graze_report report = {0};
    graze_error error;
    graze_status status = gz_check_contacts(checker, workspace, true, &pose, &rest->contacts,
                                            &report, &error);
    gz_free(q);
    if (status == GRAZE_ERROR_NO_MEMORY) return false;
    if (status == GRAZE_OK && report.verdict == GRAZE_COLLISION) keep_links(rest, report.count);
    rest->met = gz_calloc(rest->count, sizeof *rest->met);
    if (rest->met == NULL) rest->count = 0;
    return rest->met != NULL;
}

void gz_rest_contacts_note(gz_rest_contacts *rest, const graze_contact *contacts, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; contacts[i].kind == GRAZE_CONTACT_SELF && k < rest->count; k++)
            if (is_same_pair(&contacts[i], &rest->contacts.items[k])) rest->met[k] = true;
}

void gz_rest_contacts_print(FILE *stream, const gz_rest_contacts *rest,
                            const graze_checker *checker, const char *robot) {
    size_t met = 0;
    const graze_contact *first = NULL;
    for (size_t i = 0; i < rest->count; i++) {
        if (!rest->met[i]) continue;
        met++;
        if (first == NULL) first = &rest->contacts.items[i];
    }
    if (first == NULL) return;
    fprintf(stream, "%zu of the pairs that collide touch%s at rest, too (%s and %s%s): ", met,
            met == 1 ? "es" : "", GZ_PLAIN(graze_contact_link_name(checker, first)),
            GZ_PLAIN(graze_contact_other_name(checker, first)), met > 1 ? ", ..." : "");
    bool bare = gz_shell_bare(robot) && robot[0] != '\0';
    fprintf(stream, "graze srdf %s", bare ? "" : "'");
    gz_shell_inside(stream, robot);
    fprintf(stream,
            "%s -o FILE finds which always do; --srdf FILE, or --srdf auto, leaves "
            "those out, --allow A,B any\n",
            bare ? "" : "'");
}

void gz_rest_contacts_free(gz_rest_contacts *rest) {
    gz_free(rest->contacts.items);
    gz_free(rest->met);
    *rest = (gz_rest_contacts){0};
}
