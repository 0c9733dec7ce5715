// Lists all contacts of one configuration: who overlaps whom, how deep, and at which triangles.
//   contacts ROBOT.urdf [VALUE...]
#include <graze/graze.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(const graze_error *error) {
    fprintf(stderr, "%s:%d: %s\n", error->file, (int)error->line, error->message);
    return 3;
}

static void print_pair(const graze_robot *robot, const graze_contact_report *report, size_t i) {
    const graze_contact_pair *p = &report->pairs[i];
    printf("%s (element %d) and %s (element %d): %zu pairs of triangles%s\n",
           graze_robot_link_name(robot, p->link), (int)p->element,
           graze_robot_link_name(robot, p->other), (int)p->other_element, p->triangle_count,
           p->contained ? ", one inside the other" : "");
    printf("  parted by %.3g m along %.3f %.3f %.3f\n", p->depth, p->normal.x, p->normal.y,
           p->normal.z);
    for (int32_t k = 0; k < p->point_count; k++)
        printf("  point %.4f %.4f %.4f, %.3g m deep\n", p->points[k].x, p->points[k].y,
               p->points[k].z, p->depths[k]);
    for (size_t k = p->first; k < p->first + p->written; k++) {
        const graze_triangle_pair *t = &report->triangles[k];
        printf("  triangles %lld and %lld from %g %g %g to %g %g %g\n", (long long)t->triangle,
               (long long)t->other_triangle, t->segment[0].x, t->segment[0].y, t->segment[0].z,
               t->segment[1].x, t->segment[1].y, t->segment[1].z);
    }
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

    // The first call counts, the second writes: all pairs, three triangle pairs of each.
    graze_contacts_options options = graze_contacts_options_default();
    options.triangle_limit = 3;
    graze_contact_report report = {0};
    if (graze_check_contacts(checker, workspace, q, columns, NULL, &options, &report, &error))
        return failed(&error);
    report.pair_capacity = report.pair_count;
    report.triangle_capacity = 3 * report.pair_count;
    report.pairs = calloc(report.pair_capacity + 1, sizeof *report.pairs);
    report.triangles = calloc(report.triangle_capacity + 1, sizeof *report.triangles);
    if (!report.pairs || !report.triangles) return fprintf(stderr, "no memory\n"), 3;
    if (graze_check_contacts(checker, workspace, q, columns, NULL, &options, &report, &error))
        return failed(&error);

    printf("%s, %zu contacts\n", report.verdict == GRAZE_COLLISION ? "collision" : "free",
           report.pair_count);
    for (size_t i = 0; i < report.pair_count; i++) print_pair(robot, &report, i);
    int status = report.verdict == GRAZE_COLLISION;
    free(report.pairs);
    free(report.triangles);
    free(q);
    graze_workspace_free(workspace);
    graze_checker_free(checker);
    graze_robot_free(robot);
    return status;
}
