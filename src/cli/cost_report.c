#include "cli/cost_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

// Time is the least of so many runs: what else the machine does only ever adds.
#define RUNS 3

// A link is a candidate for decimation when it holds a good part of the robot's triangles although
// it is small: many of them to its size.
#define CANDIDATE_TRIANGLES 500
#define CANDIDATE_SHARE     0.05
#define CANDIDATE_DENSITY   4.0

static graze_status no_memory(graze_error *error) {
    return gz_error_set(error, GRAZE_ERROR_NO_MEMORY, NULL, 0, 0, "out of memory");
}

// ---------------------------------------------------------------------------------------- sampling

/// SplitMix64 (Steele, Lea and Flood 2014), uniform in [0, 1).
static double random_unit(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/// Rows of q: joints that turn or slide anywhere in their range, the others at rest.
static double *sample(const graze_robot *robot, size_t count, uint64_t seed) {
    size_t size = graze_robot_q_size(robot);
    double *q = gz_storage_resize(NULL, count * (size > 0 ? size : 1), sizeof *q);
    for (size_t i = 0; q != NULL && i < count; i++) {
        double *row = q + i * size;
        graze_robot_rest(robot, row);
        for (size_t k = 0; k < size; k++) {
            graze_joint_info joint;
            int32_t number = graze_robot_q_joint(robot, k);
            if (graze_robot_joint(robot, number, &joint) != GRAZE_OK || joint.q_count != 1)
                continue;
            double unit = random_unit(&seed);
            if (joint.limited)
                row[k] = joint.lower + (joint.upper - joint.lower) * unit;
            else if (joint.type == GRAZE_JOINT_CONTINUOUS)
                row[k] = M_PI * (2 * unit - 1);
        }
    }
    return q;
}

// --------------------------------------------------------------------------------------- measuring

typedef struct meter {
    const graze_robot *robot;
    const double *q;
    uint8_t *verdicts;
    size_t count;
    graze_allowed_pair *allowed; ///< room for every pair
    graze_error *error;
} meter;

/// The time of one configuration when only the pairs of `link` count; -1: all, -2: none.
static graze_status measure(meter *m, int32_t link, double *seconds) {
    graze_checker_options options = graze_checker_options_default();
    options.ignore_srdf_margins = 1;
    options.allowed = m->allowed;
    for (size_t i = 0; link != -1 && i < graze_robot_pair_count(m->robot); i++) {
        graze_pair pair;
        if (graze_robot_pair(m->robot, i, &pair) != GRAZE_OK || pair.a == link || pair.b == link)
            continue;
        m->allowed[options.allowed_count++] = (graze_allowed_pair){
            .a = graze_robot_link_name(m->robot, pair.a),
            .b = graze_robot_link_name(m->robot, pair.b)};
    }
    graze_checker *checker = NULL;
    graze_status status = graze_checker_create(&checker, m->robot, NULL, &options, m->error);
    *seconds = INFINITY;
    for (int run = 0; run < RUNS && status == GRAZE_OK; run++) {
        graze_batch batch = graze_batch_default();
        batch.count = m->count;
        batch.q = m->q;
        batch.verdicts = m->verdicts;
        double started = gz_clock();
        status = graze_check_batch(checker, &batch, m->error);
        *seconds = fmin(*seconds, (gz_clock() - started) / (double)m->count);
    }
    graze_checker_free(checker);
    return status;
}

static graze_status measure_all(gz_cost_report *report, meter *m) {
    graze_status status = measure(m, -1, &report->seconds);
    if (status == GRAZE_OK) status = measure(m, -2, &report->posing);
    for (size_t i = 0; i < report->count && status == GRAZE_OK; i++) {
        gz_link_cost *link = &report->links[i];
        status = measure(m, link->link, &link->seconds);
        link->seconds = fmax(link->seconds - report->posing, 0);
        report->link_seconds += link->seconds;
    }
    return status;
}

// ---------------------------------------------------------------------------------------- counting

static int compare(const void *x, const void *y) {
    const gz_link_cost *a = x, *b = y;
    if (a->triangles != b->triangles) return a->triangles > b->triangles ? -1 : 1;
    return (a->link > b->link) - (a->link < b->link);
}

static double face_area(const graze_aabb *box) {
    double x = box->max.x - box->min.x, y = box->max.y - box->min.y, z = box->max.z - box->min.z;
    return 2 * (x * y + y * z + z * x);
}

static void choose_candidates(gz_cost_report *report) {
    double area = 0;
    for (size_t i = 0; i < report->count; i++)
        if (report->links[i].triangles > 0) area += report->links[i].area;
    for (size_t i = 0; i < report->count; i++) {
        gz_link_cost *link = &report->links[i];
        double share = (double)link->triangles / (double)report->triangles;
        // As much of the area as of the triangles would be a share of the density of 1.
        link->candidate = link->triangles >= CANDIDATE_TRIANGLES && share >= CANDIDATE_SHARE &&
                          share * area >= CANDIDATE_DENSITY * link->area;
        if (link->candidate) report->candidate_triangles += link->triangles;
    }
}

static graze_status count_links(gz_cost_report *report, graze_error *error) {
    const graze_robot *robot = report->robot;
    size_t links = (size_t)graze_robot_link_count(robot);
    report->links = gz_storage_resize(NULL, links, sizeof *report->links);
    if (report->links == NULL) return no_memory(error);
    for (int32_t i = 0; i < (int32_t)links; i++) {
        graze_link_bounds bounds;
        if (graze_robot_link_bounds(robot, i, &bounds) != GRAZE_OK || bounds.empty) continue;
        report->links[report->count++] = (gz_link_cost){
            .link = i, .triangles = bounds.triangle_count, .area = face_area(&bounds.aabb)};
        report->triangles += bounds.triangle_count;
    }
    for (size_t i = 0; i < graze_robot_pair_count(robot); i++) {
        graze_pair pair;
        report->pairs += graze_robot_pair(robot, i, &pair) == GRAZE_OK &&
                         pair.state == GRAZE_PAIR_CHECKED;
    }
    qsort(report->links, report->count, sizeof *report->links, compare);
    if (report->triangles > 0) choose_candidates(report);
    return GRAZE_OK;
}

graze_status gz_cost_report_make(gz_cost_report *report, const graze_robot *robot, size_t samples,
                                 uint64_t seed, graze_error *error) {
    *report = (gz_cost_report){.robot = robot, .configurations = samples};
    graze_status status = count_links(report, error);
    if (status != GRAZE_OK) return status;
    double *q = sample(robot, samples, seed);
    uint8_t *verdicts = gz_storage_resize(NULL, samples, 1);
    graze_allowed_pair *allowed = gz_storage_resize(NULL, graze_robot_pair_count(robot),
                                                    sizeof *allowed);
    meter m = {.robot = robot,
               .q = q,
               .verdicts = verdicts,
               .count = samples,
               .allowed = allowed,
               .error = error};
    bool good = q != NULL && verdicts != NULL && allowed != NULL;
    status = good ? measure_all(report, &m) : no_memory(error);
    gz_storage_free(q);
    gz_storage_free(verdicts);
    gz_storage_free(allowed);
    return status;
}

void gz_cost_report_free(gz_cost_report *report) {
    gz_storage_free(report->links);
    *report = (gz_cost_report){0};
}

// ------------------------------------------------------------------------------------------ output

static double share(double part, double whole) {
    return whole > 0 ? 100 * part / whole : 0;
}

void gz_cost_report_text(FILE *stream, const gz_cost_report *report) {
    size_t width = strlen("link"), candidates = 0;
    for (size_t i = 0; i < report->count; i++) {
        size_t n = strlen(graze_robot_link_name(report->robot, report->links[i].link));
        if (n > width) width = n;
    }
    fprintf(stream, "%zu triangles, %zu pairs checked; %zu sampled configurations: %.2f us each, ",
            report->triangles, report->pairs, report->configurations, 1e6 * report->seconds);
    fprintf(stream, "of these %.2f us each for posing\n\n", 1e6 * report->posing);
    fprintf(stream, "%-*s  %9s  %8s  %14s  %6s\n", (int)width, "link", "triangles", "of all",
            "time", "of all");
    for (size_t i = 0; i < report->count; i++) {
        const gz_link_cost *link = &report->links[i];
        fprintf(stream, "%-*s  %9zu  %6.1f %%  %6.2f us each  %4.1f %%%s\n", (int)width,
                GZ_PLAIN(graze_robot_link_name(report->robot, link->link)), link->triangles,
                share((double)link->triangles, (double)report->triangles), 1e6 * link->seconds,
                share(link->seconds, report->link_seconds), link->candidate ? "  candidate" : "");
        candidates += link->candidate;
    }
    if (candidates == 0) {
        fputs("\nno candidates for decimation\n", stream);
        return;
    }
    fputs("\ncandidates for decimation:", stream);
    for (size_t i = 0; i < report->count; i++)
        if (report->links[i].candidate)
            fprintf(stream, " %s",
                    GZ_PLAIN(graze_robot_link_name(report->robot, report->links[i].link)));
    fprintf(stream, ", %.1f %% of all triangles\n",
            share((double)report->candidate_triangles, (double)report->triangles));
}

void gz_cost_report_json(FILE *stream, const gz_cost_report *report) {
    fputs("{\"format\":\"graze-cost-1\",\"robot\":", stream);
    gz_json_string(stream, graze_robot_name(report->robot));
    fprintf(stream,
            ",\"triangles\":%zu,\"pairs\":%zu,\"configurations\":%zu,\"candidate_triangles\":%zu,"
            "\"seconds\":",
            report->triangles, report->pairs, report->configurations, report->candidate_triangles);
    gz_json_number(stream, report->seconds);
    fputs(",\"posing_seconds\":", stream);
    gz_json_number(stream, report->posing);
    fputs(",\"links\":[", stream);
    for (size_t i = 0; i < report->count; i++) {
        const gz_link_cost *link = &report->links[i];
        fputs(i > 0 ? ",\n {\"link\":" : "\n {\"link\":", stream);
        gz_json_string(stream, graze_robot_link_name(report->robot, link->link));
        fprintf(stream, ",\"triangles\":%zu,\"triangle_share\":", link->triangles);
        gz_json_number(stream, share((double)link->triangles, (double)report->triangles) / 100);
        fputs(",\"seconds\":", stream);
        gz_json_number(stream, link->seconds);
        fputs(",\"time_share\":", stream);
        gz_json_number(stream, share(link->seconds, report->link_seconds) / 100);
        fprintf(stream, ",\"candidate\":%s}", link->candidate ? "true" : "false");
    }
    fputs("]}\n", stream);
}
