// graze-bench-planar-polygons: three methods to tell whether convex polygons meet, on eight
// scenes in a map of 2 m x 2 m, every pair of each. Nanoseconds of processor time a pair: median
// (lowest to highest) of the repeats; the methods take turns.
//
// usage: graze-bench-planar-polygons [--pairs N] [--repeats N] [--seed N] [--csv] [--picture FILE]

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "graze/planar_cspace.h"
#include "graze/planar_scene.h"
#include "planar/convex/convex_internal.h"

enum { SCENES = 8, EDGES = 0, AXES, MINKOWSKI, METHODS, REPEATS_MAX = 1000 };

/// Polygons, vertices and radii: few large ones that mostly overlap, to many small ones that mostly
/// do not.
static const struct scene {
    uint32_t count, vertex_min, vertex_max;
    double radius_min, radius_max;
} scenes[SCENES] = {
    {10, 4, 6, 0.4, 0.5},     {30, 4, 6, 0.1, 0.2},       {5, 15, 20, 0.05, 0.1},
    {2, 5, 15, 0.5, 0.6},     {100, 4, 6, 0.05, 0.1},     {300, 8, 12, 0.02, 0.04},
    {200, 20, 30, 0.15, 0.2}, {1000, 15, 20, 0.01, 0.02},
};
static const char *const titles[METHODS] = {"edge test", "box + separating axes", "Minkowski"};

typedef struct options {
    unsigned long long pairs, repeats, seed;
    bool csv;
    const char *picture;
} options;

typedef struct row {
    size_t pairs, meeting;
    struct {
        double median, low, high;
    } method[METHODS];
} row;

/// Processor time of this thread, seconds.
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool holds(const gz_convex *polygon, graze_vec2 point) {
    for (int32_t i = 0; i < polygon->count; i++)
        if (gz_planar_turn(polygon->vertices[i],
                           polygon->vertices[gz_planar_next(i, polygon->count)], point) < 0)
            return false;
    return true;
}

/// The naive test: every edge against every edge, exactly; then a vertex of each in the other.
static bool edges_overlap(const gz_convex *a, const gz_convex *b) {
    for (int32_t i = 0; i < a->count; i++)
        for (int32_t k = 0; k < b->count; k++)
            if (gz_segments_intersect(a->vertices[i], a->vertices[gz_planar_next(i, a->count)],
                                      b->vertices[k], b->vertices[gz_planar_next(k, b->count)]))
                return true;
    return holds(a, b->vertices[0]) || holds(b, a->vertices[0]);
}

static bool overlap(const gz_convex *a, const gz_convex *b, int method) {
    return method == EDGES  ? edges_overlap(a, b)
           : method == AXES ? gz_convex_overlap(a, b)
                            : gz_cspace_blocked(a, b, (graze_vec2){0, 0});
}

/// All pairs of the scene once; returns how many meet.
static size_t go_through(const graze_planar_scene *scene, int method) {
    size_t count = graze_planar_scene_count(scene), meeting = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            meeting += overlap(gz_scene_polygon(scene, i), gz_scene_polygon(scene, k), method);
    return meeting;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// False where the methods disagree.
static bool time_scene(const options *o, const graze_planar_scene *scene, row *out) {
    static double times[METHODS][REPEATS_MAX];
    size_t n = graze_planar_scene_count(scene), meeting[METHODS] = {0};
    out->pairs = n * (n - 1) / 2;
    unsigned long long rounds = (o->pairs + out->pairs - 1) / out->pairs;
    for (unsigned long long r = 0; r < o->repeats; r++) {
        for (int m = 0; m < METHODS; m++) {
            double start = now();
            for (unsigned long long k = 0; k < rounds; k++) meeting[m] = go_through(scene, m);
            times[m][r] = 1e9 * (now() - start) / (double)(rounds * out->pairs);
        }
    }
    out->meeting = meeting[0];
    for (int m = 0; m < METHODS; m++) {
        qsort(times[m], o->repeats, sizeof *times[m], compare);
        out->method[m].median = times[m][o->repeats / 2];
        out->method[m].low = times[m][0];
        out->method[m].high = times[m][o->repeats - 1];
        if (meeting[m] != meeting[0]) return false;
    }
    return true;
}

static const char *scene_name(char text[64], int i) {
    const struct scene *s = &scenes[i];
    snprintf(text, 64, "%u/%u-%u/%g-%g", s->count, s->vertex_min, s->vertex_max, s->radius_min,
             s->radius_max);
    return text;
}

static void print(const options *o, const row *rows) {
    char name[64];
    printf(o->csv ? "scene,pairs,meeting" : "%-24s %8s %8s", "polygons/vertices/radius", "pairs",
           "meeting");
    for (int m = 0; m < METHODS; m++) printf(o->csv ? ",%s,low,high" : " %24s", titles[m]);
    putchar('\n');
    for (int i = 0; i < SCENES; i++) {
        const row *r = &rows[i];
        printf(o->csv ? "%s,%zu,%zu" : "%-24s %8zu %8zu", scene_name(name, i), r->pairs,
               r->meeting);
        for (int m = 0; m < METHODS; m++)
            printf(o->csv ? ",%.1f,%.1f,%.1f" : "  %7.1f (%5.0f to %5.0f)", r->method[m].median,
                   r->method[m].low, r->method[m].high);
        putchar('\n');
    }
}

/// Bars on a logarithmic axis from 1 ns to 10 us, with whiskers from the lowest to the highest.
static bool draw(const char *path, const row *rows) {
    static const char *const colors[METHODS] = {"#c98a4b", "#4f86c6", "#5d9c59"};
    const double left = 190, decade = 135;
    char name[64];
    FILE *f = fopen(path, "w");
    if (!f) return false;
    fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"500\" "
               "font-family=\"sans-serif\" font-size=\"13\">\n"
               "<rect width=\"800\" height=\"500\" fill=\"#ffffff\"/>\n");
    for (int k = 0; k <= 4; k++)
        fprintf(f,
                "<line x1=\"%.0f\" x2=\"%.0f\" y1=\"40\" y2=\"460\" stroke=\"#d4d9de\"/>\n"
                "<text x=\"%.0f\" y=\"478\" text-anchor=\"middle\">%.0f</text>\n",
                left + decade * k, left + decade * k, left + decade * k, pow(10, k));
    fprintf(f, "<text x=\"%.0f\" y=\"495\" text-anchor=\"middle\">nanoseconds a pair</text>\n",
            left + 2 * decade);
    for (int m = 0; m < METHODS; m++)
        fprintf(f,
                "<rect x=\"%d\" y=\"14\" width=\"14\" height=\"14\" fill=\"%s\"/>"
                "<text x=\"%d\" y=\"26\">%s</text>\n",
                190 + 180 * m, colors[m], 210 + 180 * m, titles[m]);
    for (int i = 0; i < SCENES; i++) {
        double top = 48 + 52.0 * i;
        fprintf(f, "<text x=\"10\" y=\"%.0f\">%s</text>\n", top + 24, scene_name(name, i));
        for (int m = 0; m < METHODS; m++) {
            double y = top + 14 * m, at[3] = {rows[i].method[m].median, rows[i].method[m].low,
                                              rows[i].method[m].high};
            for (int k = 0; k < 3; k++) at[k] = left + decade * fmax(0, log10(at[k]));
            fprintf(f,
                    "<rect x=\"%.0f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" fill=\"%s\"/>\n"
                    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#22262c\"/>\n"
                    "<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\">%.0f</text>\n",
                    left, y, at[0] - left, colors[m], at[1], at[2], y + 6, y + 6,
                    fmax(at[0], at[2]) + 5, y + 10, rows[i].method[m].median);
        }
    }
    fputs("</svg>\n", f);
    return fclose(f) == 0;
}

static bool parse(options *o, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        char *end = NULL;
        unsigned long long number = value ? strtoull(value, &end, 10) : 0;
        bool counted = value && end != value && *end == '\0' && number > 0;
        if (strcmp(name, "--csv") == 0) {
            o->csv = true;
            continue;
        }
        if (strcmp(name, "--picture") == 0 && value)
            o->picture = value;
        else if (strcmp(name, "--pairs") == 0 && counted)
            o->pairs = number;
        else if (strcmp(name, "--repeats") == 0 && counted && number <= REPEATS_MAX)
            o->repeats = number;
        else if (strcmp(name, "--seed") == 0 && counted)
            o->seed = number;
        else
            return false;
        i++;
    }
    return true;
}

int main(int argc, char **argv) {
    options o = {.pairs = 500000, .repeats = 9, .seed = 1};
    row rows[SCENES];
    if (!parse(&o, argc, argv)) {
        fprintf(stderr,
                "usage: graze-bench-planar-polygons [--pairs N] [--repeats N, at most %d] "
                "[--seed N] [--csv] [--picture FILE.svg]\n",
                REPEATS_MAX);
        return 2;
    }
    for (int i = 0; i < SCENES; i++) {
        graze_planar_scene_options s = graze_planar_scene_options_default();
        graze_planar_scene *scene;
        graze_error error;
        s.count = scenes[i].count;
        s.vertex_min = scenes[i].vertex_min;
        s.vertex_max = scenes[i].vertex_max;
        s.radius_min = scenes[i].radius_min;
        s.radius_max = scenes[i].radius_max;
        s.seed = o.seed;
        if (graze_planar_scene_generate(&scene, &s, &error) != GRAZE_OK)
            return fprintf(stderr, "%s\n", error.message), 3;
        bool agree = time_scene(&o, scene, &rows[i]);
        graze_planar_scene_free(scene);
        if (!agree) return fprintf(stderr, "the methods disagree on scene %d\n", i), 1;
    }
    print(&o, rows);
    if (o.picture && !draw(o.picture, rows))
        return fprintf(stderr, "%s cannot be written\n", o.picture), 3;
    return 0;
}
