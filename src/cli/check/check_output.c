#include "cli/check/check_output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/input/configuration.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/robot_view.h"
#include "cli/text.h"

// The most that a dump may claim of epsilon; a robot without a bound has this one.
#define EPSILON_MAX 1e-4

// ---------------------------------------------------------------------------------------- words

static void put_numbers(FILE *stream, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) fprintf(stream, " %a", values[i]);
}

/// A name in quotes, one word: blanks and what is not printable as \xHH.
static void put_name(FILE *stream, const char *name) {
    fputs(" \"", stream);
    for (const unsigned char *s = (const unsigned char *)name; *s != '\0'; s++)
        if (*s == '"' || *s == '\\')
            fprintf(stream, "\\%c", *s);
        else if (*s < 0x20 || *s == 0x7f)
            fprintf(stream, "\\x%02x", *s);
        else
            fputc(*s, stream);
    fputc('"', stream);
}

// ------------------------------------------------------------------------------------- geometry

static void put_points(FILE *stream, const double *points, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fputc('v', stream);
        put_numbers(stream, points + 3 * i, 3);
        fputc('\n', stream);
    }
}

static void put_geometry(FILE *stream, const graze_geometry *g) {
    bool flat = g->mesh != NULL;
    bool cloud = g->shape == GRAZE_SHAPE_POINTS;
    fputs(gz_shape_name(g->shape), stream);
    if (flat || cloud) fprintf(stream, " %zu", g->vertex_count);
    if (flat)
        fprintf(stream, " %zu\n", g->triangle_count);
    else
        fprintf(stream, " %a\n", g->radius);
    put_points(stream, flat || cloud ? g->vertices : g->ends[0],
               flat || cloud ? g->vertex_count : 2);
    for (size_t t = 0; flat && t < g->triangle_count; t++) {
        const uint32_t *c = g->triangles + 3 * t;
        fprintf(stream, "t %u %u %u\n", (unsigned)c[0], (unsigned)c[1], (unsigned)c[2]);
    }
}

/// How links and objects count: every pair says it of both its sides.
typedef struct policies {
    const gz_dump_writer *writer;
    graze_policy *of_component;
} policies;

static int32_t component_of_other(const gz_dump_writer *w, bool is_world, int32_t other) {
    return is_world ? (int32_t)w->link_components + other : w->component_of[other];
}

static bool note_policy(const graze_checked_pair *pair, void *user) {
    policies *p = user;
    p->of_component[p->writer->component_of[pair->link]] = pair->policies[0];
    p->of_component[component_of_other(p->writer, pair->is_world, pair->other)] = pair->policies[1];
    return true;
}

static void put_link(const gz_dump_writer *w, int32_t link, graze_policy policy) {
    size_t first = w->first_of[link], end = first, all = graze_robot_collision_count(w->robot);
    double pose_error = graze_robot_link_pose_error(w->robot, link, w->domain);
    while (end < all && gz_collision_at(w->robot, end).owner == link) end++;
    graze_geometry g = gz_collision_at(w->robot, first);
    fputs("link", w->stream);
    put_name(w->stream, graze_robot_link_name(w->robot, link));
    fprintf(w->stream, " %s %d ", gz_policy_name(policy), (int)w->frame_of[g.frame]);
    if (isfinite(pose_error) && pose_error <= 0x1p60)
        fprintf(w->stream, "%a %zu\n", pose_error, end - first);
    else
        fprintf(w->stream, "unbounded %zu\n", end - first);
    for (size_t i = first; i < end; i++) {
        g = gz_collision_at(w->robot, i);
        put_geometry(w->stream, &g);
    }
}

const graze_moving_object *gz_dumped_moving_find(const gz_dumped_moving *moving,
                                                 const graze_geometry *object) {
    for (size_t i = 0; i < moving->count; i++)
        if (moving->objects[i].object == object->owner - object->element)
            return &moving->objects[i];
    return NULL;
}

void gz_dumped_moving_shift(const gz_dumped_moving *moving, const graze_moving_object *object,
                            double time, graze_transform *pose) {
    for (int k = 0; k < 3; k++) pose->m[4 * k + 3] += object->velocity[k] * (time - moving->begin);
}

static void put_object(const gz_dump_writer *w, size_t object, graze_policy policy) {
    graze_geometry g;
    if (graze_world_object(graze_checker_world(w->checker), object, &g) != GRAZE_OK) return;
    fputs("object", w->stream);
    put_name(w->stream, g.name);
    fprintf(w->stream, " %s 1", gz_policy_name(policy));
    put_numbers(w->stream, g.origin.m, 12);
    const graze_moving_object *moving = gz_dumped_moving_find(&w->moving, &g);
    if (moving) {
        fprintf(w->stream, " moves %a", w->moving.begin);
        put_numbers(w->stream, moving->velocity, 3);
    }
    fputc('\n', w->stream);
    put_geometry(w->stream, &g);
}

static size_t object_count(const gz_dump_writer *w) {
    const graze_world *world = graze_checker_world(w->checker);
    return world != NULL ? graze_world_object_count(world) : 0;
}

static bool put_components(const gz_dump_writer *w) {
    size_t objects = object_count(w), components = w->link_components + objects;
    policies p = {w, gz_malloc(components, sizeof *p.of_component)};
    if (p.of_component == NULL) return false;
    // A part that is in no pair has no policy that matters.
    for (size_t i = 0; i < components; i++) p.of_component[i] = GRAZE_POLICY_SOLID;
    graze_checker_pairs(w->checker, note_policy, &p);
    fprintf(w->stream, "parts %zu\n", components);
    for (int32_t link = 0; link < (int32_t)graze_robot_link_count(w->robot); link++)
        if (w->component_of[link] >= 0) put_link(w, link, p.of_component[w->component_of[link]]);
    for (size_t o = 0; o < objects; o++) put_object(w, o, p.of_component[w->link_components + o]);
    gz_free(p.of_component);
    return true;
}

static bool put_pair(const graze_checked_pair *pair, void *user) {
    const gz_dump_writer *w = user;
    fprintf(w->stream, "%s %d %d", pair->hidden != NULL ? "skip" : "pair",
            (int)w->component_of[pair->link],
            (int)component_of_other(w, pair->is_world, pair->other));
    if (pair->hidden != NULL)
        put_name(w->stream, pair->hidden);
    else
        fprintf(w->stream, " %a", pair->margin);
    fputc('\n', w->stream);
    return true;
}

// ----------------------------------------------------------------------------------------- head

static void put_joint(const gz_dump_writer *w, int32_t index) {
    graze_joint_info j = gz_joint_at(w->robot, index);
    fputs("joint", w->stream);
    put_name(w->stream, j.name);
    fprintf(w->stream, " %s %d %d %d %d %a %a %a %a %a", gz_joint_type_name(j.type), (int)j.parent,
            (int)j.child, (int)j.q_index, (int)j.mimic, j.multiplier, j.offset, j.axis.x, j.axis.y,
            j.axis.z);
    put_numbers(w->stream, j.origin.m, 12);
    // Limits so wide that a dump cannot say them hold nothing back.
    if (j.limited && fabs(j.lower) <= 0x1p60 && fabs(j.upper) <= 0x1p60)
        fprintf(w->stream, " limits %a %a", j.lower, j.upper);
    fputc('\n', w->stream);
}

static void put_head(const gz_dump_writer *w) {
    FILE *stream = w->stream;
    double epsilon = graze_checker_epsilon(w->checker), low[3], high[3];
    fprintf(stream, "graze-dump %d\nversion \"%s\"\nrobot", w->moving.count > 0 ? 2 : 1,
            graze_version());
    put_name(stream, graze_robot_name(w->robot));
    fprintf(stream, "\nanswer %s\nepsilon %a\ndomain %a\nq %zu\n", w->all ? "all" : "first",
            epsilon <= EPSILON_MAX ? epsilon : EPSILON_MAX, w->domain,
            graze_robot_q_size(w->robot));
    fprintf(stream, "tree %d %d\njoints %d\n", (int)graze_robot_link_count(w->robot),
            (int)graze_robot_root(w->robot), (int)graze_robot_joint_count(w->robot));
    for (int32_t j = 0; j < (int32_t)graze_robot_joint_count(w->robot); j++) put_joint(w, j);
    fprintf(stream, "frames %zu\n", w->frame_count);
    for (size_t f = 0; f < w->frame_count; f++) fprintf(stream, "frame %d\n", (int)w->frames[f]);
    const graze_world *world = graze_checker_world(w->checker);
    fputs("boundary", stream);
    if (world != NULL && !w->no_world && graze_world_boundary(world, low, high)) {
        put_numbers(stream, low, 3);
        put_numbers(stream, high, 3);
    } else {
        fputs(" none", stream);
    }
    fputc('\n', stream);
}

/// Numbers the links that have geometry, and the frames: the roots of their bodies.
static void number_links(gz_dump_writer *w) {
    int32_t links = (int32_t)graze_robot_link_count(w->robot), root = graze_robot_root(w->robot);
    for (int32_t i = 0; i < links; i++) w->component_of[i] = w->frame_of[i] = -1;
    w->frames[w->frame_count] = root;
    w->frame_of[root] = (int32_t)w->frame_count++;
    for (size_t i = 0; i < graze_robot_collision_count(w->robot); i++) {
        graze_geometry g = gz_collision_at(w->robot, i);
        if (w->component_of[g.owner] < 0) {
            w->component_of[g.owner] = (int32_t)w->link_components++;
            w->first_of[g.owner] = i;
        }
        if (w->frame_of[g.frame] < 0) {
            w->frames[w->frame_count] = g.frame;
            w->frame_of[g.frame] = (int32_t)w->frame_count++;
        }
    }
}

static void lay_out(gz_dump_writer *w, size_t links, gz_arena *arena) {
    w->component_of = gz_arena_array(arena, links, sizeof *w->component_of);
    w->first_of = gz_arena_array(arena, links, sizeof *w->first_of);
    w->frame_of = gz_arena_array(arena, links, sizeof *w->frame_of);
    w->frames = gz_arena_array(arena, links, sizeof *w->frames);
    w->poses = gz_arena_array(arena, links, sizeof *w->poses);
}

graze_status gz_dump_writer_begin(gz_dump_writer *w, graze_error *error) {
    w->robot = graze_checker_robot(w->checker);
    size_t links = graze_robot_link_count(w->robot);
    gz_arena arena = {0};
    lay_out(w, links, &arena);
    if (!gz_arena_create(&arena)) return gz_fail_memory(error);
    w->memory = arena.memory;
    lay_out(w, links, &arena);
    number_links(w);
    put_head(w);
    if (!put_components(w)) return gz_fail_memory(error);
    fputs("pairs\n", w->stream);
    graze_checker_pairs(w->checker, put_pair, w);
    return GRAZE_OK;
}

void gz_dump_writer_free(gz_dump_writer *w) {
    gz_free(w->memory);
    *w = (gz_dump_writer){0};
}

// ------------------------------------------------------------------------------- configurations

/// The snapped corners of one triangle.
static void put_corners(FILE *stream, const graze_geometry *g, const graze_transform *pose,
                        int64_t triangle) {
    for (int k = 0; k < 3; k++) {
        const double *v = g->vertices + 3 * (size_t)g->triangles[3 * triangle + k];
        graze_vec3 w = graze_transform_point(pose, (graze_vec3){v[0], v[1], v[2]});
        fprintf(stream, " %a %a %a", w.x, w.y, w.z);
    }
}

/// The corners of the two triangles of a contact: in the world, or, of two links of one body, in
/// the body's frame, where they were tested.
static void put_contact_corners(const gz_dump_writer *w, const graze_contact *c) {
    bool self = c->kind == GRAZE_CONTACT_SELF;
    graze_geometry a = gz_collision_at(w->robot, w->first_of[c->link] + (size_t)c->element), b;
    if (self)
        b = gz_collision_at(w->robot, w->first_of[c->other] + (size_t)c->other_element);
    else
        graze_world_object(graze_checker_world(w->checker), (size_t)c->other, &b);
    const graze_moving_object *moving = self ? NULL : gz_dumped_moving_find(&w->moving, &b);
    if (moving) gz_dumped_moving_shift(&w->moving, moving, w->time, &b.origin);
    graze_transform identity = graze_transform_identity();
    bool fixed = self && a.frame == b.frame;
    const graze_transform *other_pose = self ? &w->poses[b.frame] : &b.origin;
    fputs(" corners", w->stream);
    put_corners(w->stream, &a, fixed ? &identity : &w->poses[a.frame], c->triangle);
    put_corners(w->stream, &b, fixed ? &identity : other_pose, c->other_triangle);
}

static void put_contact(const gz_dump_writer *w, const graze_contact *c) {
    if (c->kind == GRAZE_CONTACT_BOUNDARY) {
        fputs("contact boundary\n", w->stream);
        return;
    }
    fprintf(w->stream, "contact %d %d %d %d %s %" PRId64 " %" PRId64, (int)w->component_of[c->link],
            (int)component_of_other(w, c->kind == GRAZE_CONTACT_WORLD, c->other), (int)c->element,
            (int)c->other_element, c->contained ? "inside" : "meets", c->triangle,
            c->other_triangle);
    if (!c->contained && c->triangle >= 0 && c->other_triangle >= 0) put_contact_corners(w, c);
    fputc('\n', w->stream);
}

/// Whether the finding had a verdict, and was written.
static bool put_finding(gz_dump_writer *w, const gz_finding *finding, const double *q,
                        const double *base, bool motion) {
    size_t q_size = graze_robot_q_size(w->robot);
    fprintf(w->stream, "configuration %" PRIu64 "%s\n", finding->index, motion ? " motion" : "");
    w->written++;
    bool known = finding->verdict != GRAZE_UNKNOWN;
    if (!known || graze_robot_pose(w->robot, q, q_size, base, w->poses, NULL) != GRAZE_OK) {
        fputs("unknown", w->stream);
        put_name(w->stream, finding->error != NULL ? finding->error->message : "");
        fputc('\n', w->stream);
        return false;
    }
    fputc('q', w->stream);
    put_numbers(w->stream, q, q_size);
    fputs("\nbase", w->stream);
    put_numbers(w->stream, base, GZ_BASE_SIZE);
    fputc('\n', w->stream);
    if (w->moving.count > 0) fprintf(w->stream, "time %a\n", w->time);
    for (size_t f = 0; f < w->frame_count; f++) {
        fprintf(w->stream, "pose %zu", f);
        put_numbers(w->stream, w->poses[w->frames[f]].m, 12);
        fputc('\n', w->stream);
    }
    if (finding->verdict == GRAZE_FREE) {
        fputs("verdict free\n", w->stream);
        return true;
    }
    fprintf(w->stream, "verdict collision %zu\n", finding->contact_count);
    for (size_t i = 0; i < finding->contact_count; i++) put_contact(w, &finding->contacts[i]);
    return true;
}

void gz_dump_writer_put(gz_dump_writer *w, const gz_finding *finding, const double *q,
                        const double *base) {
    put_finding(w, finding, q, base, false);
}

void gz_dump_writer_put_motion(gz_dump_writer *w, const gz_finding *finding, const double *q,
                               const double *base, const gz_dumped_motion *motion) {
    static const char *const verdicts[] = {"free", "collision", "undecided"};
    size_t q_size = graze_robot_q_size(w->robot);
    if (!put_finding(w, finding, q, base, true)) return;
    if (motion->times) {
        fprintf(w->stream, "curve %u", motion->degree);
        put_numbers(w->stream, motion->times, 2);
        fputc('\n', w->stream);
    } else {
        fprintf(w->stream, "straight %s\n",
                motion->turn == GRAZE_TURN_SHORTER ? "shorter" : "as-given");
    }
    for (uint32_t i = 0; i < motion->degree; i++) {
        fputs("to", w->stream);
        put_numbers(w->stream, motion->to + i * q_size, q_size);
        fputs("\nto-base", w->stream);
        put_numbers(w->stream, motion->to_base + (size_t)i * GZ_BASE_SIZE, GZ_BASE_SIZE);
        fputc('\n', w->stream);
    }
    fprintf(w->stream, "motion %s", verdicts[motion->verdict]);
    if (motion->verdict != GRAZE_MOTION_FREE)
        fprintf(w->stream, " %a %a", motion->earliest, motion->latest);
    fputc('\n', w->stream);
}

void gz_dump_writer_end(gz_dump_writer *w) {
    fprintf(w->stream, "end %" PRIu64 "\n", w->written);
}

int gz_check_files_usage(const gz_check_files *files, const gz_robot_input *input,
                         const char *answer) {
    const char *dump = files->dump, *picture = files->picture;
    bool printed = files->output == NULL || strcmp(files->output, "-") == 0;
    if (files->cameras.count > 0 && picture == NULL && files->animation == NULL)
        return gz_message_usage(input->command, "--camera is for --picture");
    if (dump != NULL && input->level == GRAZE_LEVEL_BOUNDS)
        return gz_message_usage(input->command, "--dump is for --level mesh");
    if (dump != NULL && strcmp(dump, "-") == 0 && printed)
        return gz_message_usage(input->command, "--dump - needs -o FILE for %s", answer);
    const char *const outputs[] = {files->output, dump, picture, files->animation};
    return gz_files_apart(input->command, "of the files to be written", outputs, GZ_COUNT(outputs));
}

// ---------------------------------------------------------------------------------------- pictures

graze_status gz_check_contacts(const graze_checker *checker, graze_workspace *workspace, bool all,
                               const gz_pictured_pose *pose, gz_contacts *contacts,
                               graze_report *report, graze_error *error) {
    size_t q_size = graze_robot_q_size(graze_checker_robot(checker)), wanted = 1;
    graze_answer answer = all ? GRAZE_ANSWER_ALL : GRAZE_ANSWER_FIRST;
    for (;; wanted = report->count) {
        if (!gz_array_reserve((void **)&contacts->items, &contacts->capacity, wanted,
                              sizeof *contacts->items))
            return gz_fail_memory(error);
        *report = (graze_report){.contacts = contacts->items, .capacity = contacts->capacity};
        GZ_TRY(graze_check(checker, workspace, answer, pose->q, q_size, pose->base, report, error));
        if (!all || !report->truncated) return GRAZE_OK;
    }
}

int gz_output_write_png(const char *path, const gz_pixels *pixels) {
    gz_output output;
    GZ_TRY_EXIT(gz_output_open(&output, path));
    errno = 0;
    bool written = gz_pixels_write_png(pixels, output.stream);
    output.error = written ? 0 : errno;
    if (written || gz_output_failed(&output)) return gz_output_finish(&output);
    gz_output_abandon(&output);
    return gz_message_no_memory();
}

graze_status gz_picture_fill(gz_picture *picture, const graze_checker *checker,
                             const gz_pictured_pose *poses, graze_transform *links,
                             gz_contacts *contacts, graze_error *error) {
    const graze_robot *robot = graze_checker_robot(checker);
    size_t link_count = graze_robot_link_count(robot), count = picture->pose_count;
    graze_workspace *workspace;
    graze_report report;
    GZ_TRY(graze_workspace_create(&workspace, checker, error));
    graze_status status = gz_check_contacts(checker, workspace, true, &poses[count - 1], contacts,
                                            &report, error);
    graze_workspace_free(workspace);
    for (size_t i = 0; status == GRAZE_OK && i < count; i++)
        status = graze_robot_pose(robot, poses[i].q, graze_robot_q_size(robot), poses[i].base,
                                  links + i * link_count, error);
    if (status != GRAZE_OK) return status;
    picture->robot = robot;
    picture->world = graze_checker_world(checker);
    picture->links = links;
    picture->contacts = contacts->items;
    picture->contact_count = report.count;
    return GRAZE_OK;
}

static graze_status draw(const graze_checker *checker, const gz_pictured_pose *poses,
                         gz_picture *picture, graze_transform *links, gz_contacts *contacts,
                         uint8_t *rgb, graze_error *error) {
    GZ_TRY(gz_picture_fill(picture, checker, poses, links, contacts, error));
    picture->visuals = true;
    return gz_picture_draw(picture, rgb, error);
}

/// A direction by name or in degrees.
static bool read_direction(gz_view *view, const char *text) {
    static const struct {
        const char *name;
        double azimuth, elevation;
    } named[] = {{"front", 0, 0}, {"side", 90, 0}, {"top", -90, 90}};
    view->given = true;
    view->distance = 0;
    for (size_t i = 0; i < GZ_COUNT(named); i++) {
        if (strcmp(text, named[i].name) != 0) continue;
        view->azimuth = named[i].azimuth;
        view->elevation = named[i].elevation;
        return true;
    }
    double numbers[3] = {0, 0, 1};
    if (!gz_decimal_parse_list(text, numbers, 2) && !gz_decimal_parse_list(text, numbers, 3))
        return false;
    view->azimuth = numbers[0];
    view->elevation = numbers[1];
    bool far = gz_decimal_parse_list(text, numbers, 3);
    view->distance = far ? numbers[2] : 0;
    return fabs(numbers[0]) <= 360 && fabs(numbers[1]) <= 90 && (!far || numbers[2] > 0) &&
           numbers[2] <= 1e6;
}

int gz_camera_read(gz_view *view, const gz_texts *cameras, const gz_robot_input *input) {
    *view = (gz_view){.link = -1};
    for (size_t i = 0; i < cameras->count; i++) {
        const char *text = cameras->items[i];
        if (strncmp(text, "fit=", 4) == 0) {
            view->link = graze_robot_find_link(input->robot, text + 4);
            if (view->link < 0)
                return gz_message_usage(input->command, "no link is called '%s' (--camera)",
                                        text + 4);
        } else if (view->given || !read_direction(view, text)) {
            return gz_message_usage(
                input->command,
                "--camera is '%s'; allowed: front, side, top, AZIMUTH,ELEVATION[,DISTANCE] within "
                "360 and 90 degrees and above 0 m, once; and fit=LINK",
                text);
        }
    }
    return GZ_EXIT_FINE;
}

int gz_picture_output(const char *path, const graze_checker *checker, const gz_view *view,
                      const gz_pictured_pose *poses, size_t pose_count) {
    size_t link_count = graze_robot_link_count(graze_checker_robot(checker));
    gz_picture picture = gz_picture_default();
    graze_error error;
    gz_contacts contacts = {0};
    picture.pose_count = pose_count;
    picture.start = pose_count > 1;
    picture.view = *view;
    graze_transform *links = gz_malloc(pose_count * link_count, sizeof *links);
    uint8_t *rgb = gz_malloc(3 * (size_t)picture.width, (size_t)picture.height);
    graze_status drawn = links != NULL && rgb != NULL
                             ? draw(checker, poses, &picture, links, &contacts, rgb, &error)
                             : gz_fail_memory(&error);
    int status = gz_message_outcome(NULL, drawn, &error);
    if (status == GZ_EXIT_FINE)
        status = gz_output_write_png(path, &(gz_pixels){rgb, picture.width, picture.height});
    gz_free(links);
    gz_free(contacts.items);
    gz_free(rgb);
    return status;
}
