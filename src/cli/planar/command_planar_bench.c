// graze planar bench: three methods to compare convex polygons, timed in the same run.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/planar/planar_input.h"
#include "cli/text.h"
#include "picture/svg.h"

static const char *const format_names[] = {"text", "csv", "json", NULL};
static const char command[] = "planar bench";

typedef struct bench_options {
    gz_planar_report report; ///< of a format more, CSV
    uint64_t repeats, pairs, seed;
} bench_options;

/// Polygons, vertices and radii, in a map of 2 m x 2 m: few large ones that mostly overlap, to many
/// small ones that mostly do not.
static const struct bench_scene {
    uint32_t count, vertex_min, vertex_max;
    double radius_min, radius_max;
} scenes[] = {
    {10, 4, 6, 0.4, 0.5},     {30, 4, 6, 0.1, 0.2},       {5, 15, 20, 0.05, 0.1},
    {2, 5, 15, 0.5, 0.6},     {100, 4, 6, 0.05, 0.1},     {300, 8, 12, 0.02, 0.04},
    {200, 20, 30, 0.15, 0.2}, {1000, 15, 20, 0.01, 0.02},
};
#define SCENE_COUNT (sizeof scenes / sizeof *scenes)

static const char *const method_titles[] = {"edge test", "box + separating axes", "Minkowski"};

/// Nanoseconds a pair.
typedef struct timing {
    double median, low, high;
} timing;

typedef struct row {
    size_t pairs, meeting;
    timing method[GRAZE_PLANAR_METHOD_COUNT];
} row;

static const gz_command_line command_line = {
    .command = command,
    .synopsis = "planar bench [options]",
    .about =
        "Times the three methods to tell whether convex polygons meet, on eight scenes in a map\n"
        "of 2 m x 2 m, every pair of each, in turn. Prints nanoseconds of processor time a\n"
        "pair: the median of the repeats, and their range.",
    .examples = "  graze planar bench --repeats 15 --format csv -o bench.csv\n",
};

static int parse(bench_options *o, int argc, char **argv) {
    gz_option options[] = {
        {"repeats", "N", .count = &o->repeats, .minimum = 1, .maximum = 1000,
         .help = "timings of each scene and method (default 9)"},
        {"pairs", "N", .count = &o->pairs, .minimum = 1, .maximum = UINT32_MAX,
         .help = "pairs a timing, at least: scenes are gone through as\n"
                 "often as needed (default 500000)"},
        {"seed", "N", .count = &o->seed, .help = "of the scenes (default 1)"},
        {"format", "FORMAT", .choice = &o->report.format, .choices = format_names,
         .help = "text (default), csv, json"},
        GZ_OPTION_OUTPUT(&o->report.output),
        {"picture", "FILE.svg", .text = &o->report.picture, .file = GZ_FILE_WRITTEN,
         .help = "draw the medians as bars"},
    };
    gz_option_section sections[] = {GZ_SECTION("options", options)};
    return gz_command_line_parse(&command_line, NULL, sections, GZ_COUNT(sections), argc, argv);
}

/// Processor time of this thread, seconds: what others do meanwhile does not count.
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// All pairs of the scene once; returns how many overlap.
static size_t go_through(const graze_planar_scene *scene, graze_planar_method method) {
    size_t count = graze_planar_scene_count(scene), meeting = 0;
    for (size_t i = 0; i < count; i++) {
        const graze_planar_convex *first = graze_planar_scene_polygon(scene, i);
        for (size_t k = i + 1; k < count; k++) {
            meeting += graze_planar_convex_meet(first, graze_planar_scene_polygon(scene, k),
                                                method);
        }
    }
    return meeting;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Times one scene; the methods take turns, so that a disturbance meets them alike. `times` has
/// room for the repeats of every method.
static int time_scene(const bench_options *o, const graze_planar_scene *scene, double *times,
                      row *out) {
    size_t n = graze_planar_scene_count(scene);
    out->pairs = n * (n - 1) / 2;
    uint64_t rounds = (o->pairs + out->pairs - 1) / out->pairs;
    size_t meeting[GRAZE_PLANAR_METHOD_COUNT];
    for (uint64_t r = 0; r < o->repeats; r++) {
        for (int m = 0; m < GRAZE_PLANAR_METHOD_COUNT; m++) {
            double start = now();
            for (uint64_t k = 0; k < rounds; k++)
                meeting[m] = go_through(scene, (graze_planar_method)m);
            times[(uint64_t)m * o->repeats + r] = 1e9 * (now() - start) /
                                                  (double)(rounds * out->pairs);
        }
    }
    out->meeting = meeting[0];
    for (int m = 0; m < GRAZE_PLANAR_METHOD_COUNT; m++) {
        if (meeting[m] != meeting[0]) {
            gz_message("the methods disagree: %zu and %zu pairs meet", meeting[0], meeting[m]);
            return GZ_EXIT_INPUT;
        }
        double *of = times + (uint64_t)m * o->repeats;
        qsort(of, o->repeats, sizeof *of, compare);
        out->method[m] = (timing){of[o->repeats / 2], of[0], of[o->repeats - 1]};
    }
    return GZ_EXIT_FINE;
}

static int run_scene(const bench_options *o, size_t number, double *times, row *out) {
    graze_planar_scene_options s = graze_planar_scene_options_default();
    s.count = scenes[number].count;
    s.vertex_min = scenes[number].vertex_min;
    s.vertex_max = scenes[number].vertex_max;
    s.radius_min = scenes[number].radius_min;
    s.radius_max = scenes[number].radius_max;
    s.seed = o->seed;
    graze_planar_scene *scene = NULL;
    graze_error error;
    if (graze_planar_scene_generate(&scene, &s, &error) != GRAZE_OK)
        return gz_message_error(command, &error);
    int status = time_scene(o, scene, times, out);
    graze_planar_scene_free(scene);
    return status;
}

// ---------------------------------------------------------------------------------------- output

static const char *scene_name(char text[64], size_t i) {
    snprintf(text, 64, "%u/%u-%u/%g-%g", scenes[i].count, scenes[i].vertex_min,
             scenes[i].vertex_max, scenes[i].radius_min, scenes[i].radius_max);
    return text;
}

static int write_table(FILE *stream, const row *rows, bool csv) {
    char name[64], cell[64];
    if (csv) {
        fputs("scene,pairs,meeting,edges_ns,edges_low,edges_high,axes_ns,axes_low,axes_high,"
              "minkowski_ns,minkowski_low,minkowski_high\n",
              stream);
    } else {
        fprintf(stream, "%-24s %7s %8s %24s %24s %24s\n", "polygons/vertices/radius", "pairs",
                "meeting", method_titles[0], method_titles[1], method_titles[2]);
    }
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        fprintf(stream, csv ? "%s,%zu,%zu" : "%-24s %7zu %8zu", scene_name(name, i), rows[i].pairs,
                rows[i].meeting);
        for (int m = 0; m < GRAZE_PLANAR_METHOD_COUNT; m++) {
            const timing *t = &rows[i].method[m];
            snprintf(cell, sizeof cell, csv ? ",%.2f,%.2f,%.2f" : "%.1f ns (%.1f-%.1f)", t->median,
                     t->low, t->high);
            fprintf(stream, csv ? "%s" : " %24s", cell);
        }
        fputc('\n', stream);
    }
    return GZ_EXIT_FINE;
}

static int write_text(FILE *stream, const void *rows) {
    return write_table(stream, rows, false);
}

static int write_csv(FILE *stream, const void *rows) {
    return write_table(stream, rows, true);
}

static int write_json(FILE *stream, const void *answer) {
    static const char *const names[] = {"edges", "axes", "minkowski"};
    const row *rows = answer;
    char name[64];
    gz_json json = gz_json_begin(stream, "graze-planar-bench-1");
    gz_json_put(&json, "unit=\"ns\" scenes=[");
    gz_json_gap(&json, "\n");
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        gz_json_put(&json, "{ scene=%s pairs=%zu meeting=%zu", scene_name(name, i), rows[i].pairs,
                    rows[i].meeting);
        for (int m = 0; m < GRAZE_PLANAR_METHOD_COUNT; m++) {
            const timing *t = &rows[i].method[m];
            gz_json_item(&json, names[m]);
            fprintf(stream, "{\"median\":%.2f,\"low\":%.2f,\"high\":%.2f}", t->median, t->low,
                    t->high);
        }
        gz_json_put(&json, "}");
    }
    fputc('\n', stream);
    gz_json_finish(&json);
    return GZ_EXIT_FINE;
}

static int draw(FILE *stream, const void *answer) {
    static const char *const colors[] = {"fill=\"#c98a4b\"", "fill=\"#4f86c6\"",
                                         "fill=\"#5d9c59\""};
    const row *rows = answer;
    double most = 1;
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        for (int m = 0; m < GRAZE_PLANAR_METHOD_COUNT; m++)
            if (rows[i].method[m].median > most) most = rows[i].method[m].median;
    }
    // One unit is one pixel.
    gz_svg svg = gz_svg_begin(stream, (graze_vec2){0, 0}, (graze_vec2){760, 480}, 760);
    for (int m = 0; m < GRAZE_PLANAR_METHOD_COUNT; m++)
        gz_svg_text(&svg, (graze_vec2){200 + 170.0 * m, 455}, 0, 0, method_titles[m], colors[m]);
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        char text[64];
        double top = 430 - 52 * (double)i;
        gz_svg_text(&svg, (graze_vec2){10, top - 26}, 0, 0, scene_name(text, i),
                    "fill=\"#222222\"");
        for (int m = 0; m < GRAZE_PLANAR_METHOD_COUNT; m++) {
            double y = top - 14 * m, x = 200 + 470 * rows[i].method[m].median / most;
            const graze_vec2 bar[4] = {{200, y}, {x, y}, {x, y - 12}, {200, y - 12}};
            gz_svg_polygon(&svg, bar, 4, colors[m]);
            snprintf(text, sizeof text, "%.0f ns", rows[i].method[m].median);
            gz_svg_text(&svg, (graze_vec2){x + 5, y - 11}, 0, 0, text, "fill=\"#222222\"");
        }
    }
    gz_svg_end(&svg);
    return GZ_EXIT_FINE;
}

int gz_planar_bench(int argc, char **argv) {
    static gz_planar_writer *const writers[] = {write_text, write_csv, write_json};
    bench_options o = {.repeats = 9, .pairs = 500000, .seed = 1};
    int status = parse(&o, argc, argv);
    if (status != GZ_GO_ON) return status;
    status = gz_planar_report_check(&o.report, command, NULL);
    if (status != GZ_EXIT_FINE) return status;
    double *times = gz_malloc(GRAZE_PLANAR_METHOD_COUNT * o.repeats, sizeof *times);
    if (times == NULL) return gz_message_no_memory();
    row rows[SCENE_COUNT];
    for (size_t i = 0; i < SCENE_COUNT && status == GZ_EXIT_FINE; i++)
        status = run_scene(&o, i, times, &rows[i]);
    gz_free(times);
    if (status != GZ_EXIT_FINE) return status;
    gz_planar_writer *chosen = writers[o.report.format];
    return gz_planar_report_write(&o.report, chosen, chosen, draw, rows);
}
