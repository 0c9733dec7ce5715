// Lists all contacts of one configuration: who meets whom, at which triangles, where.
//   contacts ROBOT.urdf [VALUE...]
#include <graze/graze.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(const graze_error *error) {
    fprintf(stderr, "%s:%d: %s\n", error->file, (int)error->line, error->message);
    return 3;
}

int main(int argc, char **argv) {
    if (argc < 2) return fprintf(stderr, "usage: contacts ROBOT.urdf [VALUE...]\n"), 2;
    graze_error error;
    graze_robot *robot;
    graze_checker *checker;
    graze_workspace *workspace;
    if (graze_robot_load_urdf(&robot, argv[1], NULL, &error) ||
        graze_checker_create(&checker, robot, NULL, NULL, &error) ||
        graze_workspace_create(&workspace, checker, &error))
        return failed(&error);

    size_t columns = graze_robot_q_size(robot);
    double *q = calloc(columns + 1, sizeof *q);
    if (!q) return fprintf(stderr, "no memory\n"), 3;
    graze_robot_rest(robot, q);
    for (size_t i = 0; i < columns && (int)i + 2 < argc; i++) q[i] = strtod(argv[i + 2], NULL);

    // The first call counts, the second writes. Neither allocates.
    graze_report report = {0};
    if (graze_check(checker, workspace, GRAZE_ANSWER_ALL, q, columns, NULL, &report, &error))
        return failed(&error);
    report.capacity = report.count;
    report.contacts = calloc(report.count + 1, sizeof *report.contacts);
    if (!report.contacts) return fprintf(stderr, "no memory\n"), 3;
    if (graze_check(checker, workspace, GRAZE_ANSWER_ALL, q, columns, NULL, &report, &error))
        return failed(&error);

    printf("%s, %zu contacts\n", report.verdict == GRAZE_COLLISION ? "collision" : "free",
           report.count);
    for (size_t i = 0; i < report.count; i++) {
        const graze_contact *c = &report.contacts[i];
        printf("%s (element %d, triangle %lld) and %s (element %d, triangle %lld) near %g %g %g\n",
               graze_contact_link_name(checker, c), (int)c->element, (long long)c->triangle,
               graze_contact_other_name(checker, c), (int)c->other_element,
               (long long)c->other_triangle, c->point.x, c->point.y, c->point.z);
    }
    int status = report.verdict == GRAZE_COLLISION;
    free(report.contacts);
    free(q);
    graze_workspace_free(workspace);
    graze_checker_free(checker);
    graze_robot_free(robot);
    return status;
}
