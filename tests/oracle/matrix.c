// The allowed-collision matrix against verdicts: configurations from another generator than the
// library's (PCG), half of them with numbers at their limits, over the robot that ships, those of
// GRAZE_TEST_DATA, and arms of boxes made here, with obstacles that they just reach or just miss.
// No pair that the matrix calls never may collide in any of them. On the small arms a dense grid
// looks at every pair that is proved, and every witness is checked.
//
//     matrix [--pairs N] [--seed N] [--quick]     N configuration-pairs per robot
//     matrix [--samples N] [--quick] ROBOT.urdf...     these alone, N configurations of each
//
// The long form, above 1e6 pairs, looks at the robot that ships and at those of GRAZE_TEST_DATA.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"

typedef struct pcg {
    uint64_t state;
} pcg;

/// PCG-XSH-RR (O'Neill 2014).
static uint32_t next(pcg *p) {
    uint64_t s = p->state;
    p->state = s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint32_t x = (uint32_t)(((s >> 18) ^ s) >> 27), turn = (uint32_t)(s >> 59);
    return x >> turn | x << (-turn & 31);
}

static double unit(pcg *p) {
    return (next(p) + 0.5) * 0x1p-32;
}

typedef struct tally {
    uint64_t robots, never, proved, pairs, grid, witnesses, violations;
} tally;

typedef struct subject {
    const graze_robot *robot;
    graze_matrix *matrix;
    graze_checker *checker;
    graze_workspace *workspace;
    double *low, *high, *q;
    size_t size, never;
} subject;

static void fail(const char *what, const graze_error *error) {
    fprintf(stderr, "matrix: %s: %s\n", what, error->message);
    exit(2);
}

/// How far a joint without any limits is tried: a few turns, more than one of each gear made here.
#define ENDLESS 40.0

/// The limits that all joints of a column have in common, as the URDF gives them. No turn is taken
/// for all there is: what follows a joint may go on.
static void read_limits(subject *s) {
    for (size_t i = 0; i < s->size; i++) {
        s->low[i] = -INFINITY;
        s->high[i] = INFINITY;
    }
    for (int32_t j = 0; j < (int32_t)graze_robot_joint_count(s->robot); j++) {
        graze_joint_info own, other;
        graze_robot_joint(s->robot, j, &own);
        if (!own.limited) continue;
        double m = 1, b = 0;
        other = own;
        while (other.mimic >= 0) { // own = m * other + b
            b += m * other.offset;
            m *= other.multiplier;
            graze_robot_joint(s->robot, other.mimic, &other);
        }
        if (other.q_index < 0 || m == 0) continue;
        double x = (own.lower - b) / m, y = (own.upper - b) / m;
        double *low = &s->low[other.q_index], *high = &s->high[other.q_index];
        *low = fmax(*low, fmin(x, y));
        *high = fmin(*high, fmax(x, y));
    }
    for (size_t i = 0; i < s->size; i++) {
        if (isinf(s->low[i])) s->low[i] = -ENDLESS;
        if (isinf(s->high[i])) s->high[i] = ENDLESS;
    }
}

/// A checker that looks at the pairs called never and at no others.
static void make_checker(subject *s) {
    size_t count = graze_matrix_count(s->matrix), allowed = 0;
    graze_allowed_pair *pairs = calloc(count + 1, sizeof *pairs);
    for (size_t i = 0; i < count; i++) {
        const graze_matrix_entry *e = graze_matrix_at(s->matrix, i);
        bool never = e->kind == GRAZE_MATRIX_NEVER_PROVED || e->kind == GRAZE_MATRIX_NEVER_SAMPLED;
        s->never += never;
        if (never) continue;
        pairs[allowed++] = (graze_allowed_pair){graze_robot_link_name(s->robot, e->a),
                                                graze_robot_link_name(s->robot, e->b)};
    }
    graze_checker_options options = graze_checker_options_default();
    options.ignore_srdf = 1;
    options.allowed = pairs;
    options.allowed_count = allowed;
    graze_error error;
    if (graze_checker_create(&s->checker, s->robot, NULL, &options, &error))
        fail("checker", &error);
    if (graze_workspace_create(&s->workspace, s->checker, &error)) fail("workspace", &error);
    free(pairs);
}

static void test_pose(subject *s, const char *name, tally *t) {
    graze_contact contact;
    graze_report report = {.contacts = &contact, .capacity = 1};
    graze_error error;
    if (graze_check(s->checker, s->workspace, GRAZE_ANSWER_FIRST, s->q, s->size, NULL, &report,
                    &error))
        fail(name, &error);
    if (report.verdict == GRAZE_FREE) return;
    t->violations++;
    printf("VIOLATION %s: %s x %s is called never and collides at", name,
           graze_contact_link_name(s->checker, &contact),
           graze_contact_other_name(s->checker, &contact));
    for (size_t i = 0; i < s->size; i++) printf(" %.17g", s->q[i]);
    printf("\n");
}

static void test_samples(subject *s, const char *name, uint64_t samples, pcg *random, tally *t) {
    if (s->never == 0) return;
    for (uint64_t done = 0; done < samples; done++) {
        bool at_limits = next(random) & 1;
        for (size_t i = 0; i < s->size; i++) {
            double f = unit(random);
            if (at_limits && next(random) % 4 == 0) f = next(random) & 1;
            s->q[i] = f == 1 ? s->high[i] : s->low[i] + f * (s->high[i] - s->low[i]);
        }
        test_pose(s, name, t);
        t->pairs += s->never;
    }
}

static void test_grid(subject *s, const char *name, tally *t) {
    uint64_t steps = s->size <= 2 ? 201 : s->size == 3 ? 41 : 21, count = 1;
    for (size_t i = 0; i < s->size; i++) count *= steps;
    for (uint64_t k = 0; k < count; k++) {
        uint64_t rest = k;
        for (size_t i = 0; i < s->size; i++, rest /= steps)
            s->q[i] = s->low[i] +
                      (double)(rest % steps) / (double)(steps - 1) * (s->high[i] - s->low[i]);
        test_pose(s, name, t);
    }
    t->grid += count;
}

/// Every witness collides, by a checker of its own.
static void test_witnesses(subject *s, const char *name, tally *t) {
    graze_checker_options options = graze_checker_options_default();
    options.ignore_srdf = 1;
    graze_checker *checker = NULL;
    graze_workspace *workspace = NULL;
    graze_error error;
    if (graze_checker_create(&checker, s->robot, NULL, &options, &error)) fail("checker", &error);
    if (graze_workspace_create(&workspace, checker, &error)) fail("workspace", &error);
    size_t capacity = graze_matrix_count(s->matrix) + 1;
    graze_contact *contacts = calloc(capacity, sizeof *contacts);
    for (size_t i = 0; i < graze_matrix_count(s->matrix); i++) {
        const graze_matrix_entry *e = graze_matrix_at(s->matrix, i);
        if (!e->witness || e->adjacent) continue;
        graze_report report = {.contacts = contacts, .capacity = capacity};
        bool found = false;
        if (graze_check(checker, workspace, GRAZE_ANSWER_ALL, e->witness, s->size, NULL, &report,
                        &error))
            fail(name, &error);
        for (size_t k = 0; k < report.count; k++)
            found |= contacts[k].link == e->a && contacts[k].other == e->b;
        t->witnesses++;
        if (found) continue;
        t->violations++;
        printf("VIOLATION %s: the witness of %s x %s does not collide\n", name,
               graze_robot_link_name(s->robot, e->a), graze_robot_link_name(s->robot, e->b));
    }
    free(contacts);
    graze_workspace_free(workspace);
    graze_checker_free(checker);
}

/// `samples` configurations, or where that is 0 as many as make that many `pairs`.
static void test_matrix(const graze_robot *robot, const char *name, uint64_t pairs,
                        uint64_t samples, bool grid, const graze_matrix_options *options,
                        pcg *random, tally *t) {
    subject s = {.robot = robot, .size = graze_robot_q_size(robot)};
    graze_error error;
    if (graze_matrix_compute(&s.matrix, robot, options, &error)) fail(name, &error);
    s.low = calloc(s.size + 1, sizeof *s.low);
    s.high = calloc(s.size + 1, sizeof *s.high);
    s.q = calloc(s.size + 1, sizeof *s.q);
    read_limits(&s);
    make_checker(&s);
    uint64_t each = s.never ? s.never : 1;
    test_samples(&s, name, samples ? samples : (pairs + each - 1) / each, random, t);
    if (grid && s.never > 0) test_grid(&s, name, t);
    test_witnesses(&s, name, t);
    t->robots++;
    t->never += s.never;
    for (size_t i = 0; i < graze_matrix_count(s.matrix); i++)
        t->proved += graze_matrix_at(s.matrix, i)->kind == GRAZE_MATRIX_NEVER_PROVED;
    graze_workspace_free(s.workspace);
    graze_checker_free(s.checker);
    graze_matrix_free(s.matrix);
    free(s.low);
    free(s.high);
    free(s.q);
}

// ----------------------------------------------------------------------------------------- robots

/// An arm of two or three joints over a base with a post. The post stands where the arm, stretched
/// out, just reaches it or just misses it, by 10 um to 10 cm. Of some the first joint follows the
/// foot's turn at a quarter of its rate, and points at the post more than half a turn from rest,
/// so that it is surely met, and only there.
static graze_robot *make_arm(pcg *random) {
    char text[8192];
    int joints = 2 + (int)(next(random) % 2);
    bool geared = next(random) % 4 == 0;
    double length[3], radius = 0;
    for (int i = 0; i < joints; i++) radius += length[i] = 0.2 + 0.6 * unit(random);
    double gap = pow(10, -5 + 4 * unit(random)) * (next(random) % 3 ? 1 : -1);
    if (geared) gap = -0.3 * radius;
    double height = 0.3 * unit(random), at = radius + 0.05 + gap;
    int used = snprintf(text, sizeof text,
                        "<robot name='arm'><link name='base'><collision><origin xyz='%.17g 0 "
                        "%.17g'/><geometry><box size='0.1 %.17g 0.1'/></geometry></collision>"
                        "</link><link name='foot'><collision><origin xyz='0 0 -0.4'/><geometry>"
                        "<cylinder radius='0.05' length='0.2'/></geometry></collision></link>"
                        "<joint name='f' type='continuous'><parent link='base'/><child "
                        "link='foot'/><axis xyz='0 0 1'/></joint>",
                        at, height, 0.05 + unit(random));
    const char *parent = geared ? "base" : "foot";
    static const char *const names[] = {"one", "two", "three"};
    static const char *const axes[] = {"0 0 1", "0 1 0", "0 0.6 0.8"};
    for (int i = 0; i < joints; i++) {
        // A bar from its joint on, so that its end is `length` away.
        used += snprintf(
            text + used, sizeof text - (size_t)used,
            "<link name='%s'><collision><origin xyz='%.17g 0 0'/><geometry><box size='%.17g 0.02 "
            "0.02'/></geometry></collision></link><joint name='j%d' type='revolute'><parent "
            "link='%s'/><child link='%s'/><origin xyz='%.17g 0 0'/><axis xyz='%s'/><limit "
            "lower='%.17g' upper='%.17g' effort='1' velocity='1'/>%s</joint>",
            names[i], length[i] / 2, length[i], i, parent, names[i], i ? length[i - 1] : 0.0,
            axes[next(random) % 3], -0.3 - 2 * unit(random), 0.3 + 2 * unit(random),
            geared && i == 0 ? "<mimic joint='f' multiplier='0.25' offset='1.2'/>" : "");
        parent = names[i];
    }
    snprintf(text + used, sizeof text - (size_t)used, "</robot>");
    graze_robot *robot = NULL;
    graze_error error;
    if (graze_robot_load_urdf_memory(&robot, text, strlen(text), "arm", NULL, NULL, &error))
        fail("arm", &error);
    return robot;
}

static void test_file(const char *folder, const char *path, uint64_t pairs, uint64_t samples,
                      const graze_matrix_options *matrix, pcg *random, tally *t) {
    char full[4096], packages[8192];
    snprintf(full, sizeof full, "%s%s%s", folder, folder[0] ? "/" : "", path);
    snprintf(packages, sizeof packages, "%s/robots:%s/robots/example-robot-data/robots", folder,
             folder);
    graze_load_options options = graze_load_options_default();
    options.package_path = packages;
    options.use_environment = !folder[0];
    options.visuals = GRAZE_VISUALS_SKIP;
    graze_robot *robot = NULL;
    graze_error error;
    if (graze_robot_load_urdf(&robot, full, &options, &error)) fail(full, &error);
    tally before = *t;
    test_matrix(robot, path, pairs, samples, false, matrix, random, t);
    printf("%s: %llu never, %llu of them proved; %llu configuration-pairs, %llu violations\n", path,
           (unsigned long long)(t->never - before.never),
           (unsigned long long)(t->proved - before.proved),
           (unsigned long long)(t->pairs - before.pairs),
           (unsigned long long)(t->violations - before.violations));
    fflush(stdout);
    graze_robot_free(robot);
}

/// Arms made here, and the robots that are known.
static void test_known(uint64_t pairs, const graze_matrix_options *options, pcg *random, tally *t) {
    bool is_long = pairs > 1000000;
    int arms = is_long ? 100 : 12;
    for (int i = 0; i < arms; i++) {
        graze_robot *arm = make_arm(random);
        test_matrix(arm, "arm", is_long ? pairs / 100 : pairs / 10, 0, i % 4 == 0, options, random,
                    t);
        graze_robot_free(arm);
    }
    printf("arms: %llu, %llu never, %llu of them proved; %llu configuration-pairs, %llu points of "
           "grids, %llu violations\n",
           (unsigned long long)t->robots, (unsigned long long)t->never,
           (unsigned long long)t->proved, (unsigned long long)t->pairs, (unsigned long long)t->grid,
           (unsigned long long)t->violations);
    test_file(GRAZE_SOURCE_DIR, "urdf/six_axis.urdf", pairs, 0, options, random, t);
    if (is_long) test_file(GRAZE_SOURCE_DIR, "urdf/heron.urdf", pairs, 0, options, random, t);
    const char *data = getenv("GRAZE_TEST_DATA");
    static const char *const files[] = {
        "robots/example-robot-data/robots/ur_description/urdf/ur5_robot.urdf",
        "robots/panda_mbm/panda.urdf", "robots/fetch_description/robots/fetch.urdf"};
    if (is_long && !data) printf("GRAZE_TEST_DATA is not set: its robots are left out\n");
    for (int i = 0; is_long && data && i < 3; i++)
        test_file(data, files[i], pairs, 0, options, random, t);
}

int main(int argc, char **argv) {
    uint64_t pairs = 100000, samples = 100000, seed = 1;
    graze_matrix_options options = graze_matrix_options_default();
    int files = 0;
    for (int i = 1; i < argc; i++) {
        bool valued = i + 1 < argc;
        if (strcmp(argv[i], "--quick") == 0)
            options.quick = GRAZE_MATRIX_QUICK;
        else if (valued && strcmp(argv[i], "--pairs") == 0)
            pairs = strtoull(argv[++i], NULL, 10);
        else if (valued && strcmp(argv[i], "--samples") == 0)
            samples = strtoull(argv[++i], NULL, 10);
        else if (valued && strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[++i], NULL, 10);
        else
            argv[1 + files++] = argv[i];
    }
    pcg random = {seed * UINT64_C(0x9e3779b97f4a7c15) + 7};
    tally t = {0};
    if (pairs <= 1000000) options.budget = 20000;
    for (int i = 0; i < files; i++) test_file("", argv[1 + i], 0, samples, &options, &random, &t);
    if (files == 0) test_known(pairs, &options, &random, &t);
    printf(
        "%llu robots, %llu pairs called never, %llu proved, %llu configuration-pairs, %llu points "
        "of grids, %llu witnesses: %llu violations\n",
        (unsigned long long)t.robots, (unsigned long long)t.never, (unsigned long long)t.proved,
        (unsigned long long)t.pairs, (unsigned long long)t.grid, (unsigned long long)t.witnesses,
        (unsigned long long)t.violations);
    return t.violations ? 1 : 0;
}
