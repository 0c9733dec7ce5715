#include "cli/plan/problem_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/check/verdict_writer.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

const char *const gz_plan_outcome_names[] = {"found",        "start-collides", "goal-collides",
                                             "start-limits", "goal-limits",    "iterations",
                                             "time",         "cancelled",      "unreachable"};

bool gz_plan_fails_at_start(const graze_plan_result *result) {
    return result->outcome == GRAZE_PLAN_START_COLLIDES ||
           result->outcome == GRAZE_PLAN_START_LIMITS;
}

graze_status gz_plan_to_goals(const graze_checker *checker, const double *start,
                              const double *start_base, const double *goals, size_t goal_count,
                              const double *goal_base, const graze_plan_options *options,
                              graze_plan_result *result, size_t *found, graze_error *error) {
    const double begin = gz_clock();
    const size_t width = graze_robot_q_size(graze_checker_robot(checker));
    graze_plan_options own = *options;
    for (size_t i = 0; i < goal_count; i++) {
        const double left = fmax(options->max_seconds - (gz_clock() - begin), 0);
        own.max_seconds = left / (double)(goal_count - i);
        if (found != NULL) *found = i;
        GZ_TRY(graze_plan(checker, start, start_base, goals + i * width, goal_base, &own, result,
                          error));
        if (result->outcome == GRAZE_PLAN_FOUND || result->outcome == GRAZE_PLAN_CANCELLED ||
            gz_plan_fails_at_start(result))
            break;
    }
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------------- rows

/// What became of one problem; milliseconds of the clock.
typedef struct row {
    const char *name;
    size_t family_length, waypoints;
    graze_plan_outcome outcome;
    bool proved;
    double first, proof, whole, length;
    uint64_t iterations, configurations;
    char contact[256]; ///< where start or goal collides
    int32_t vamp;      ///< graze_problem.vamp_valid
    char nearest[256]; ///< of a problem that graze alone calls valid: the pair, and how near it is
} row;

typedef struct runs {
    const gz_problem_table *table;
    row *rows;
    size_t count;
} runs;

static bool is_blocked(const row *r) {
    return r->outcome >= GRAZE_PLAN_START_COLLIDES && r->outcome <= GRAZE_PLAN_GOAL_LIMITS;
}

static bool disagrees(const row *r) {
    return r->vamp >= 0 && is_blocked(r) == (r->vamp != 0);
}

/// Writes the nearest pair of the start and the goals: what another's geometry of the robot, which
/// stands out somewhat, is likely to hit there.
static graze_status describe_nearest(const graze_checker *checker, const graze_problem *p,
                                     const double *base, row *out, graze_error *error) {
    graze_distance_workspace *workspace;
    graze_proximity pair, least = {.link = -1};
    size_t width = graze_robot_q_size(graze_checker_robot(checker)), at = 0;
    GZ_TRY(graze_distance_workspace_create(&workspace, checker, error));
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i <= p->goal_count && status == GRAZE_OK; i++) {
        graze_distance_report report = {.pairs = &pair, .capacity = 1};
        const double *q = i == 0 ? p->start : p->goals + (i - 1) * width;
        status = graze_distance(checker, workspace, q, width, base, NULL, &report, error);
        if (status || report.count == 0) continue;
        if (least.link >= 0 && !(pair.distance.upper < least.distance.upper)) continue;
        least = pair;
        at = i;
    }
    graze_distance_workspace_free(workspace);
    if (status == GRAZE_OK && least.link >= 0) {
        snprintf(out->nearest, sizeof out->nearest, "%.80s is %.4f m from %.80s at the %s",
                 gz_proximity_link_name(checker, &least), least.distance.upper,
                 gz_proximity_other_name(checker, &least), at == 0 ? "start" : "goal");
        gz_plain_line(out->nearest);
    }
    return status;
}

static graze_status plan_problem(const runs *r, const graze_problem *p, row *out,
                                 graze_error *error) {
    const gz_problem_table *table = r->table;
    graze_checker *checker;
    graze_plan_options options = table->plan;
    graze_plan_result result = {0};
    options.columns = p->columns;
    options.column_count = p->column_count;
    GZ_TRY(graze_checker_with_world(&checker, table->checker, p->world, error));
    graze_status status = gz_plan_to_goals(checker, p->start, table->base, p->goals, p->goal_count,
                                           table->base, &options, &result, NULL, error);
    *out = (row){.name = p->name,
                 .family_length = p->family_length,
                 .outcome = result.outcome,
                 .vamp = p->vamp_valid,
                 .proved = result.certified,
                 .first = 1e3 * result.first_seconds,
                 .proof = 1e3 * result.proof_seconds,
                 .whole = 1e3 * result.seconds,
                 .length = result.length,
                 .iterations = result.iterations,
                 .configurations = result.configurations_checked};
    if (result.path != NULL) out->waypoints = graze_path_count(result.path);
    if (!status &&
        (result.outcome == GRAZE_PLAN_START_COLLIDES || result.outcome == GRAZE_PLAN_GOAL_COLLIDES))
        gz_contact_describe(out->contact, sizeof out->contact, checker, &result.contact);
    if (!status && disagrees(out) && !is_blocked(out))
        status = describe_nearest(checker, p, table->base, out, error);
    graze_path_free(result.path);
    graze_checker_free(checker);
    return status;
}

static void write_csv(FILE *stream, const runs *r) {
    fputs("problem,outcome,proved,first_ms,proof_ms,whole_ms,length,waypoints,iterations,"
          "configurations,contact,valid,vamp_valid,nearest\n",
          stream);
    for (size_t i = 0; i < r->count; i++) {
        const row *o = &r->rows[i];
        char numbers[4][GZ_DECIMAL_SIZE];
        const double values[4] = {o->first, o->proof, o->whole, o->length};
        for (int k = 0; k < 4; k++) gz_decimal_format(numbers[k], values[k]);
        gz_csv_field(stream, o->name);
        fprintf(stream, ",%s,%d,%s,%s,%s,%s,%zu,%" PRIu64 ",%" PRIu64 ",",
                gz_plan_outcome_names[o->outcome], o->proved, numbers[0], numbers[1], numbers[2],
                numbers[3], o->waypoints, o->iterations, o->configurations);
        gz_csv_field(stream, o->contact);
        fprintf(stream, ",%d,%s,", !is_blocked(o), o->vamp < 0 ? "" : o->vamp > 0 ? "1" : "0");
        gz_csv_field(stream, o->nearest);
        fputc('\n', stream);
    }
}

static void write_json(FILE *stream, const runs *r) {
    gz_json json = gz_json_begin(stream, "graze-problems-1");
    gz_json_put(&json, "problems=[");
    gz_json_gap(&json, "\n ");
    for (size_t i = 0; i < r->count; i++) {
        const row *o = &r->rows[i];
        gz_json_put(&json, "{ name=%s outcome=%s proved=%i first_ms=%g proof_ms=%g whole_ms=%g",
                    o->name, gz_plan_outcome_names[o->outcome], o->proved, o->first, o->proof,
                    o->whole);
        gz_json_put(&json, "length=%g waypoints=%zu iterations=%" PRIu64 " configurations=%" PRIu64,
                    o->length, o->waypoints, o->iterations, o->configurations);
        if (o->contact[0] != '\0') gz_json_put(&json, "contact=%s", o->contact);
        if (o->vamp >= 0) gz_json_put(&json, "valid=%i vamp_valid=%i", !is_blocked(o), o->vamp);
        if (o->nearest[0] != '\0') gz_json_put(&json, "nearest=%s", o->nearest);
        gz_json_put(&json, "}");
    }
    gz_json_put(&json, "]");
    gz_json_finish(&json);
}

static int write_rows(const runs *r) {
    gz_output output;
    if (gz_output_open(&output, r->table->file) == GZ_EXIT_FINE)
        (r->table->json ? write_json : write_csv)(output.stream, r);
    return gz_output_finish(&output);
}

// ------------------------------------------------------------------------------------------ table

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// A sorted list's value at a level; what has no path is infinite.
static double quantile(const double *sorted, size_t count, double level) {
    size_t at = (size_t)(level * (double)count);
    return sorted[at < count ? at : count - 1];
}

static void print_time(double milliseconds) {
    if (isfinite(milliseconds))
        printf(" %9.3f", milliseconds);
    else
        printf(" %9s", "-");
}

/// Of problems that can be solved: whose start and goal are free and within the limits.
static void print_times(const row *rows, size_t count, size_t open, double *scratch) {
    for (int kind = 0; kind < 2 && open > 0; kind++) {
        size_t n = 0;
        for (size_t i = 0; i < count; i++)
            if (rows[i].outcome == GRAZE_PLAN_FOUND)
                scratch[n++] = kind == 0 ? rows[i].first : rows[i].whole;
        while (n < open) scratch[n++] = INFINITY;
        qsort(scratch, open, sizeof *scratch, compare);
        print_time(quantile(scratch, open, 0.5));
        print_time(quantile(scratch, open, 0.95));
    }
}

static void print_family(const char *name, int length, const row *rows, size_t count,
                         double *scratch) {
    size_t found = 0, blocked = 0, unproved = 0;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        bool path = rows[i].outcome == GRAZE_PLAN_FOUND;
        found += path;
        blocked += is_blocked(&rows[i]);
        unproved += path && !rows[i].proved;
        if (path) sum += rows[i].length;
    }
    printf("%-20.*s %8zu %6zu %7zu %8zu", length, name, count, found, blocked, unproved);
    print_times(rows, count, count - blocked, scratch);
    if (found > 0) printf(" %7.3f", sum / (double)found);
    printf("\n");
    fflush(stdout);
}

/// How many are valid, start and goal free and within the limits: for graze, VAMP, both.
static void print_opinions(const char *name, int length, const row *rows, size_t count) {
    size_t valid = 0, vamp = 0, both = 0, known = 0;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].vamp < 0) continue;
        known++;
        valid += !is_blocked(&rows[i]);
        vamp += rows[i].vamp != 0;
        both += rows[i].vamp != 0 && !is_blocked(&rows[i]);
    }
    if (known > 0) printf("%-20.*s %8zu %6zu %7zu %8zu\n", length, name, known, valid, vamp, both);
}

static void print_head(void) {
    printf("milliseconds; blocked: start or goal collides, or is outside the limits\n"
           "%-20s %8s %6s %7s %8s %9s %9s %9s %9s %7s\n",
           "family", "problems", "found", "blocked", "unproved", "first", "95 %", "whole", "95 %",
           "length");
}

// -------------------------------------------------------------------------------------------- run

static bool same_family(const row *a, const row *b) {
    return a->family_length == b->family_length && memcmp(a->name, b->name, a->family_length) == 0;
}

/// Plans the problems of a set; each family is printed when it is done.
static graze_status run_set(runs *r, const graze_problems *set, bool prints, double *scratch,
                            graze_error *error) {
    size_t begin = r->count, end = r->count + graze_problems_count(set);
    for (size_t i = r->count; i < end; i++) {
        graze_problem p;
        row *o = &r->rows[i];
        GZ_TRY(graze_problems_get(set, i + graze_problems_count(set) - end, &p));
        GZ_TRY(plan_problem(r, &p, o, error));
        if (o->outcome == GRAZE_PLAN_CANCELLED)
            return gz_fail(error, GRAZE_ERROR_CANCELLED, "interrupted");
        r->count++;
        if (prints && i > begin && !same_family(o, o - 1)) {
            print_family(o[-1].name, (int)o[-1].family_length, r->rows + begin, i - begin, scratch);
            begin = i;
        }
    }
    const row *last = &r->rows[end - 1];
    if (prints)
        print_family(last->name, (int)last->family_length, r->rows + begin, end - begin, scratch);
    return GRAZE_OK;
}

/// The problems that VAMP has an opinion of, by family, and where graze's is another.
static void print_all_opinions(const runs *r) {
    size_t known = 0, begin = 0;
    for (size_t i = 0; i < r->count; i++) known += r->rows[i].vamp >= 0;
    if (known == 0) return;
    printf("\nvalid: start and goal free and within the limits, as graze, VAMP and both say\n"
           "%-20s %8s %6s %7s %8s\n",
           "family", "problems", "graze", "VAMP", "both");
    for (size_t i = 1; i <= r->count; i++) {
        const row *last = &r->rows[i - 1];
        if (i < r->count && same_family(last, last + 1)) continue;
        print_opinions(last->name, (int)last->family_length, r->rows + begin, i - begin);
        begin = i;
    }
    print_opinions("all", 3, r->rows, r->count);
    for (size_t i = 0; i < r->count; i++) {
        const row *o = &r->rows[i];
        if (!disagrees(o)) continue;
        const char *why = o->contact[0] != '\0' ? o->contact : o->nearest;
        printf("%s: %s alone calls it valid; %s%s%s\n", o->name, o->vamp ? "VAMP" : "graze",
               gz_plan_outcome_names[o->outcome], why[0] != '\0' ? ": " : "", why);
    }
}

static graze_status run_sets(runs *r, graze_problems *const *sets, size_t set_count,
                             graze_error *error) {
    size_t total = 0;
    for (size_t i = 0; i < set_count; i++) total += graze_problems_count(sets[i]);
    bool prints = r->table->file == NULL || strcmp(r->table->file, "-") != 0;
    double *scratch = gz_malloc(total, sizeof *scratch);
    r->rows = gz_calloc(total, sizeof *r->rows);
    graze_status status = scratch != NULL && r->rows != NULL ? GRAZE_OK : gz_fail_memory(error);
    if (!status && prints) print_head();
    for (size_t i = 0; i < set_count && !status; i++)
        status = run_set(r, sets[i], prints, scratch, error);
    if (!status && prints) print_family("all", 3, r->rows, r->count, scratch);
    if (!status && prints) print_all_opinions(r);
    gz_free(scratch);
    return status;
}

int gz_problem_table_run(const gz_problem_table *table, graze_problems *const *sets,
                         size_t set_count) {
    graze_error error;
    runs r = {.table = table};
    graze_status done = run_sets(&r, sets, set_count, &error);
    int status = gz_message_outcome("plan", done, &error);
    if (status == GZ_EXIT_FINE && table->file != NULL) status = write_rows(&r);
    for (size_t i = 0; status == GZ_EXIT_FINE && i < r.count; i++)
        if (r.rows[i].outcome != GRAZE_PLAN_FOUND) status = GZ_EXIT_FINDING;
    gz_free(r.rows);
    return status;
}
