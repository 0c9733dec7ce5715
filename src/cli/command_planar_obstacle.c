// graze planar obstacle: the velocities with which two shapes touch within a horizon.
#include <stdio.h>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/planar/planar_input.h"
#include "cli/planar_obstacle.h"
#include "cli/text.h"

static const char *const format_names[] = {"text", "json", NULL};
static const char command[] = "planar obstacle";

typedef struct obstacle_options {
    gz_planar_pair pair;
    const char *output, *picture;
    int format;
} obstacle_options;

static int parse(obstacle_options *o, int argc, char **argv) {
    gz_option shapes[GZ_PAIR_SHAPE_OPTIONS], motion[GZ_PAIR_MOTION_OPTIONS];
    gz_planar_pair_options(&o->pair, shapes, motion);
    gz_option answer[] = {
        gz_option_choice("format", &o->format, "FORMAT", format_names, "text (default), json"),
        gz_option_output(&o->output),
        gz_option_writes(gz_option_text("picture", &o->picture, "FILE.svg",
                                        "draw the shapes, and the obstacle among the velocities")),
    };
    gz_option_section sections[] = {{"shapes", shapes, GZ_PAIR_SHAPE_OPTIONS},
                                    {"motion", motion, GZ_PAIR_MOTION_OPTIONS},
                                    {"answer", answer, 3}};
    gz_command_line line = {
        .command = command,
        .synopsis = "planar obstacle --first SHAPE --second SHAPE [options]",
        .about =
            "The velocity obstacle: all velocities of the second shape relative to the first with\n"
            "which they touch within the horizon. Prints where the velocity given lies (signed\n"
            "distance to the border, below 0 inside) and the nearest one on the border. Exit\n"
            "status 1 where it is inside.",
        .examples = "  graze planar obstacle --first circle:0,0,1 --second circle:9,1,1 \\\n"
                    "      --second-velocity -1,0 --horizon 20\n",
        .sections = sections,
        .section_count = 3};
    return gz_command_line_parse(&line, argc, argv);
}

static graze_vec2 relative(const gz_planar_pair *p) {
    return (graze_vec2){p->velocity_b.x - p->velocity_a.x, p->velocity_b.y - p->velocity_a.y};
}

static void put_point(FILE *stream, const char *name, graze_vec2 p) {
    char x[GZ_DECIMAL_SIZE], y[GZ_DECIMAL_SIZE];
    fprintf(stream, "%-9s (%s, %s)\n", name, gz_decimal_format_fixed(x, p.x, 6),
            gz_decimal_format_fixed(y, p.y, 6));
}

static void write_text(FILE *stream, const gz_planar_pair *p,
                       const graze_planar_velocity_obstacle_result *r) {
    graze_vec2 v = relative(p);
    char number[GZ_DECIMAL_SIZE];
    if (r->overlapping) {
        fputs("inside: the shapes touch already, whatever the velocity\n", stream);
        put_point(stream, "velocity", v);
        return;
    }
    fputs(r->inside ? "inside\n" : "outside\n", stream);
    put_point(stream, "velocity", v);
    fprintf(stream, "distance  %s\n", gz_decimal_format_fixed(number, r->distance, 6));
    put_point(stream, "normal", r->normal);
    put_point(stream, "border", r->boundary);
    put_point(stream, "change", (graze_vec2){r->boundary.x - v.x, r->boundary.y - v.y});
}

static void put_json_point(FILE *stream, const char *name, graze_vec2 p) {
    const double xy[2] = {p.x + 0.0, p.y + 0.0}; // never -0
    fprintf(stream, ",\"%s\":", name);
    gz_json_numbers(stream, xy, 2);
}

static void write_json(FILE *stream, const gz_planar_pair *p,
                       const graze_planar_velocity_obstacle_result *r) {
    graze_vec2 v = relative(p);
    fprintf(stream, "{\"format\":\"graze-planar-obstacle-1\",\"inside\":%s,\"touching\":%s",
            r->inside ? "true" : "false", r->overlapping ? "true" : "false");
    put_json_point(stream, "velocity", v);
    if (r->overlapping) {
        fputs(",\"distance\":null,\"normal\":null,\"border\":null,\"change\":null}\n", stream);
        return;
    }
    fputs(",\"distance\":", stream);
    gz_json_number(stream, r->distance + 0.0);
    put_json_point(stream, "normal", r->normal);
    put_json_point(stream, "border", r->boundary);
    put_json_point(stream, "change", (graze_vec2){r->boundary.x - v.x, r->boundary.y - v.y});
    fputs("}\n", stream);
}

int gz_planar_obstacle(int argc, char **argv) {
    obstacle_options o = {.pair.horizon = 10};
    const gz_planar_pair *p = &o.pair;
    int status = parse(&o, argc, argv);
    if (status != GZ_GO_ON) return status;
    status = gz_planar_pair_read(&o.pair, command);
    if (status == GZ_EXIT_FINE) status = gz_planar_picture_check(command, o.picture, true, false);
    const char *const outputs[] = {o.output, o.picture};
    if (status == GZ_EXIT_FINE) status = gz_planar_outputs_check(command, outputs, 2);
    if (status != GZ_EXIT_FINE) return status;
    graze_planar_velocity_obstacle_result answer;
    if (graze_planar_velocity_obstacle(&p->a, p->velocity_a, &p->b, p->velocity_b, p->horizon,
                                       &answer) != GRAZE_OK) {
        return gz_planar_pair_refused(command);
    }
    gz_output output;
    status = gz_output_open(&output, o.output);
    if (status != GZ_EXIT_FINE) return status;
    if (o.format == 0) {
        write_text(output.stream, p, &answer);
    } else {
        write_json(output.stream, p, &answer);
    }
    status = gz_output_finish(&output);
    if (status == GZ_EXIT_FINE && o.picture != NULL)
        status = gz_obstacle_draw(p, &answer, o.picture);
    return status != GZ_EXIT_FINE ? status : answer.inside ? GZ_EXIT_FINDING : GZ_EXIT_FINE;
}
