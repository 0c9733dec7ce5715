// graze demo: a tour in steps, each printing what it does and the command that does it again.

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/argument.h"
#include "cli/check/check_output.h"
#include "cli/check/verdict_writer.h"
#include "cli/input/configuration.h"
#include "cli/input/robot_input.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/plan/path_writer.h"
#include "cli/program_path.h"
#include "cli/text.h"

#define GZ_DEMO_PATH_SIZE (GRAZE_PATH_SIZE + 64)

typedef struct gz_demo {
    gz_robot_input input;
    const char *output;            ///< folder for the pictures
    char share[GRAZE_PATH_SIZE];   ///< folder with urdf/ and worlds/
    char program[GRAZE_PATH_SIZE]; ///< how a shell reaches this program
    const char *bold, *dim, *off;  ///< colours, or ""
    gz_posture reach, lower, tuck; ///< configurations of the tour
} gz_demo;

/// The steps return an exit status; the message of a failure is printed.
int gz_demo_robot(gz_demo *demo);
int gz_demo_verdicts(gz_demo *demo);
int gz_demo_batch(gz_demo *demo);
int gz_demo_path(gz_demo *demo);

/// Prints a heading, and a command to repeat a step.
void gz_demo_heading(const gz_demo *demo, const char *text);
void gz_demo_command(const gz_demo *demo, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// The path of a file in the output folder. Returns buffer.
const char *gz_demo_file(const gz_demo *demo, char buffer[GZ_DEMO_PATH_SIZE], const char *name);

static const char about[] =
    "A tour in a few seconds: loads heron, the mobile manipulator that ships, and a shelf;\n"
    "checks a free and a colliding configuration, then 10,000 random ones; plans a motion; and\n"
    "writes two pictures and the 10,000 configurations. Every step shows its command.";

/// Whether PATH leads to this very file.
static bool on_path(const struct stat *self) {
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        char candidate[GRAZE_PATH_SIZE];
        struct stat file;
        snprintf(candidate, sizeof candidate, "%.*s/graze", (int)length, path);
        if (stat(candidate, &file) == 0) {
            return file.st_dev == self->st_dev && file.st_ino == self->st_ino;
        }
        path += length;
        if (*path == ':') path++;
    }
    return false;
}

/// How the commands shown can be typed: "graze" where the shell finds it, else its path.
static void find_program(char *program, size_t size) {
    struct stat self;
    char folder[GRAZE_PATH_SIZE];
    snprintf(program, size, "graze");
    ssize_t length = readlink("/proc/self/exe", program, size - 1);
    if (length <= 0 || stat("/proc/self/exe", &self) != 0) {
        snprintf(program, size, "graze");
        return;
    }
    program[length] = '\0';
    if (on_path(&self)) {
        snprintf(program, size, "graze");
    } else if (getcwd(folder, sizeof folder) != NULL) {
        // Below the current folder the short form reads better.
        size_t n = strlen(folder);
        if (strncmp(program, folder, n) == 0 && program[n] == '/') {
            memmove(program + 1, program + n, strlen(program + n) + 1);
            program[0] = '.';
        }
    }
}

static int make_folder(const char *folder) {
    struct stat file;
    if (mkdir(folder, 0777) == 0) return GZ_EXIT_FINE;
    if (errno == EEXIST && stat(folder, &file) == 0 && S_ISDIR(file.st_mode)) return GZ_EXIT_FINE;
    gz_message("%s: cannot be made: %s", folder, strerror(errno));
    return GZ_EXIT_INPUT;
}

static int run_demo(gz_demo *demo) {
    int status = gz_share_find(demo->share, sizeof demo->share);
    if (status == GZ_EXIT_FINE) status = make_folder(demo->output);
    if (status != GZ_EXIT_FINE) return status;
    find_program(demo->program, sizeof demo->program);
    bool colors = gz_output_colors(stdout);
    demo->bold = colors ? "\033[1m" : "";
    demo->dim = colors ? "\033[2m" : "";
    demo->off = colors ? "\033[0m" : "";
    printf("%sgraze %s%s: which link touches what, on the real meshes\n", demo->bold,
           graze_version(), demo->off);
    static int (*const steps[])(gz_demo * demo) = {gz_demo_robot, gz_demo_verdicts, gz_demo_batch,
                                                   gz_demo_path};
    for (size_t i = 0; status == GZ_EXIT_FINE && i < sizeof steps / sizeof *steps; i++) {
        status = steps[i](demo);
        fflush(stdout);
    }
    if (status == GZ_EXIT_FINE) {
        gz_demo_heading(demo, "Your own robot");
        gz_demo_command(demo, "%s info your.urdf", demo->program);
        gz_demo_command(demo, "%s check your.urdf -q \"joint=0.5,other=1\" --all", demo->program);
    }
    return status;
}

int gz_command_demo(int argc, char **argv) {
    gz_demo demo = {.input = gz_robot_input_default("demo"), .output = "."};
    demo.input.quiet = true;
    gz_option table[] = {
        gz_option_lettered('o', gz_option_text("output", &demo.output, "DIR",
                                               "folder for the files (default: the current one)")),
    };
    gz_option_section sections[] = {{"options", table, sizeof table / sizeof *table}};
    gz_command_line line = {.command = "demo",
                            .synopsis = "demo [options]",
                            .about = about,
                            .examples = "  graze demo --output /tmp\n",
                            .sections = sections,
                            .section_count = 1};
    int status = gz_command_line_parse(&line, argc, argv);
    if (status == GZ_GO_ON) status = run_demo(&demo);
    gz_posture_free(&demo.lower);
    gz_posture_free(&demo.reach);
    gz_posture_free(&demo.tuck);
    gz_robot_input_free(&demo.input);
    return status;
}

// The group whose joints the tour moves, and how many random configurations it checks.
#define GROUP        "arm_with_torso"
#define CONFIG_COUNT 10000

// A hand between two boards of the shelf, and the same a little lower. The verdicts, whatever they
// are, are computed.
#define REST_OF_REACH "shoulder_lift_joint=0.35,elbow_flex_joint=-0.35,wrist_flex_joint=0.1"
#define REACH         "torso_lift_joint=0.1," REST_OF_REACH
#define LOWER         "torso_lift_joint=0," REST_OF_REACH

void gz_demo_heading(const gz_demo *demo, const char *text) {
    printf("\n%s%s%s\n", demo->bold, text, demo->off);
}

void gz_demo_command(const gz_demo *demo, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("  %s$ ", demo->dim);
    vprintf(format, arguments);
    printf("%s\n", demo->off);
    va_end(arguments);
}

const char *gz_demo_file(const gz_demo *demo, char buffer[GZ_DEMO_PATH_SIZE], const char *name) {
    if (strcmp(demo->output, ".") == 0) {
        snprintf(buffer, GZ_DEMO_PATH_SIZE, "%s", name);
    } else {
        snprintf(buffer, GZ_DEMO_PATH_SIZE, "%s/%s", demo->output, name);
    }
    return buffer;
}

// --------------------------------------------------------------------------------- 1: the robot

static bool add_text(gz_texts *texts, const char *text) {
    if (!gz_storage_reserve((void **)&texts->items, &texts->capacity, texts->count + 1,
                            sizeof *texts->items)) {
        return false;
    }
    texts->items[texts->count++] = text;
    return true;
}

static int load(gz_demo *demo) {
    char robot[GZ_DEMO_PATH_SIZE], srdf[GZ_DEMO_PATH_SIZE], world[GZ_DEMO_PATH_SIZE],
        package[GZ_DEMO_PATH_SIZE];
    snprintf(robot, sizeof robot, "%s/urdf/heron.urdf", demo->share);
    snprintf(srdf, sizeof srdf, "%s/urdf/heron.srdf", demo->share);
    snprintf(world, sizeof world, "%s/worlds/shelf.json", demo->share);
    snprintf(package, sizeof package, "graze=%s", demo->share);
    gz_texts *worlds = &demo->input.worlds, *packages = &demo->input.packages;
    if (!add_text(worlds, world) || !add_text(packages, package)) return gz_message_no_memory();
    demo->input.srdf = srdf;
    int status = gz_robot_input_load(&demo->input, robot, GRAZE_VISUALS_LOAD);
    if (status == GZ_EXIT_FINE) status = gz_robot_input_load_world(&demo->input);
    if (status == GZ_EXIT_FINE) status = gz_robot_input_make_checker(&demo->input);
    worlds->count = packages->count = 0;
    demo->input.srdf = NULL;
    return status;
}

static size_t triangles(const graze_robot *robot, bool visual) {
    size_t sum = 0,
           count = visual ? graze_robot_visual_count(robot) : graze_robot_collision_count(robot);
    for (size_t i = 0; i < count; i++) {
        graze_geometry g;
        graze_status status = visual ? graze_robot_visual(robot, i, &g)
                                     : graze_robot_collision(robot, i, &g);
        if (status == GRAZE_OK && g.shape == GRAZE_SHAPE_MESH) sum += g.file_triangle_count;
    }
    return sum;
}

static size_t checked_pairs(const graze_robot *robot) {
    size_t sum = 0;
    for (size_t i = 0; i < graze_robot_pair_count(robot); i++) {
        graze_pair pair;
        if (graze_robot_pair(robot, i, &pair) != GRAZE_OK) continue;
        if (pair.state == GRAZE_PAIR_CHECKED) sum++;
    }
    return sum;
}

static int make_postures(gz_demo *demo) {
    const graze_robot *robot = demo->input.robot;
    const gz_posture_options tuck = {.state = GROUP "/tuck"}, zero = {0};
    graze_error error;
    graze_status status = gz_posture_make(&demo->tuck, robot, &tuck, &error);
    if (status == GRAZE_OK) status = gz_posture_make(&demo->reach, robot, &zero, &error);
    if (status == GRAZE_OK) status = gz_posture_make(&demo->lower, robot, &zero, &error);
    if (status == GRAZE_OK) {
        status = gz_posture_parse(&demo->reach, robot, NULL, "reach", REACH, &error);
    }
    if (status == GRAZE_OK) {
        status = gz_posture_parse(&demo->lower, robot, NULL, "lower", LOWER, &error);
    }
    return status == GRAZE_OK ? GZ_EXIT_FINE : gz_message_error(NULL, &error);
}

int gz_demo_robot(gz_demo *demo) {
    double started = gz_clock();
    int status = load(demo);
    if (status != GZ_EXIT_FINE) return status;
    double seconds = gz_clock() - started;
    const graze_robot *robot = demo->input.robot;
    gz_demo_heading(demo, "1. A robot and its world");
    printf("  %s: %d links, %zu numbers in q, %zu pairs of links to check\n",
           graze_robot_name(robot), (int)graze_robot_link_count(robot), graze_robot_q_size(robot),
           checked_pairs(robot));
    printf("  %zu collision triangles (and %zu to look at), %zu objects around it\n",
           triangles(robot, false), triangles(robot, true),
           graze_world_object_count(demo->input.world));
    printf("  loaded in %.0f ms\n", 1e3 * seconds);
    gz_demo_command(demo, "S=%s", demo->share);
    gz_demo_command(demo, "%s info $S/urdf/heron.urdf --srdf $S/urdf/heron.srdf --package graze=$S",
                    demo->program);
    return make_postures(demo);
}

// --------------------------------------------------------------------------- 2: two verdicts

/// Prints the verdict of one configuration with its reason.
static graze_status print_verdict(const gz_demo *demo, graze_workspace *workspace, const char *name,
                                  const gz_posture *posture, graze_error *error) {
    graze_contact contact;
    graze_report report = {.contacts = &contact, .capacity = 1};
    char line[1024];
    graze_status status = graze_check(demo->input.checker, workspace, GRAZE_ANSWER_FIRST,
                                      posture->q, posture->size, posture->base, &report, error);
    if (status != GRAZE_OK) return status;
    if (report.verdict == GRAZE_COLLISION) {
        gz_contact_describe(line, sizeof line, demo->input.checker, &contact);
        printf("  %s: %scollision%s: %s\n", name, demo->bold, demo->off, line);
    } else {
        printf("  %s: %sfree%s\n", name, demo->bold, demo->off);
    }
    return GRAZE_OK;
}

int gz_demo_verdicts(gz_demo *demo) {
    graze_error error;
    graze_workspace *workspace = NULL;
    char picture[GZ_DEMO_PATH_SIZE];
    gz_demo_file(demo, picture, "graze-demo.png");
    gz_demo_heading(demo, "2. One configuration: free or not, and why");
    graze_status status = graze_workspace_create(&workspace, demo->input.checker, &error);
    if (status == GRAZE_OK) {
        status = print_verdict(demo, workspace, "a hand in the shelf", &demo->reach, &error);
    }
    if (status == GRAZE_OK) {
        gz_demo_command(demo, "H=\"$S/urdf/heron.urdf --srdf $S/urdf/heron.srdf --package graze=$S "
                              "--world $S/worlds/shelf.json\"");
        gz_demo_command(demo, "%s check $H -q %s", demo->program, REACH);
        status = print_verdict(demo, workspace, "a little lower", &demo->lower, &error);
    }
    graze_workspace_free(workspace);
    if (status != GRAZE_OK) return gz_message_error(NULL, &error);
    gz_demo_command(demo, "%s check $H -q %s --all --picture %s", demo->program, LOWER, picture);
    // A picture takes a second or two: what is there already is shown first.
    fflush(stdout);
    gz_pictured_pose pose = {demo->lower.q, demo->lower.base};
    int drawn = gz_picture_output(picture, demo->input.checker, &pose, 1);
    if (drawn == GZ_EXIT_FINE) printf("  drawn: %s\n", picture);
    return drawn;
}

// ----------------------------------------------------------------------------- 3: ten thousand

/// The columns of q that the tour moves: the joints of its group.
static graze_status group_columns(const graze_robot *robot, gz_columns *columns,
                                  graze_error *error) {
    for (size_t i = 0; i < graze_robot_group_count(robot); i++) {
        graze_group group;
        if (graze_robot_group(robot, i, &group) != GRAZE_OK || strcmp(group.name, GROUP) != 0) {
            continue;
        }
        graze_status status = GRAZE_OK;
        for (size_t k = 0; status == GRAZE_OK && k < group.joint_count; k++) {
            graze_joint_info joint;
            graze_robot_joint(robot, group.joints[k], &joint);
            if (joint.q_count != 1) continue;
            status = gz_columns_add(columns, robot, joint.name, strlen(joint.name), error);
        }
        return status;
    }
    return gz_error_set(error, GRAZE_ERROR_SCHEMA, NULL, 0, 0, "the SRDF has no group " GROUP);
}

/// SplitMix64 (Steele, Lea and Flood 2014): the same numbers on every machine.
static double next_unit(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/// Random rows of the group's joints, uniform in the limits, and the whole q of each.
static void draw_rows(const gz_demo *demo, const gz_columns *columns, double *rows, double *q) {
    const graze_robot *robot = demo->input.robot;
    uint64_t state = 1;
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        double *row = rows + i * columns->count, base[GZ_BASE_SIZE];
        for (size_t k = 0; k < columns->count; k++) {
            graze_joint_info joint;
            graze_robot_joint(robot, graze_robot_q_joint(robot, (size_t)columns->places[k]),
                              &joint);
            double lower = joint.limited ? joint.lower : -M_PI;
            double upper = joint.limited ? joint.upper : M_PI;
            row[k] = lower + (upper - lower) * next_unit(&state);
        }
        memcpy(q + i * demo->reach.size, demo->reach.q, demo->reach.size * sizeof *q);
        gz_columns_scatter(columns, row, q + i * demo->reach.size, base);
    }
}

/// Writes the rows as a file that `graze check --configs` reads.
static int write_rows(const char *path, const double *rows, size_t columns) {
    size_t bytes = CONFIG_COUNT * columns * sizeof(double);
    char *file = gz_storage_resize(NULL, GZ_NPY_HEADER_SIZE + bytes, 1), shape[48];
    if (file == NULL) return gz_message_no_memory();
    snprintf(shape, sizeof shape, "(%d, %zu)", CONFIG_COUNT, columns);
    gz_npy_header(file, "<f8", shape);
    unsigned char *at = (unsigned char *)file + GZ_NPY_HEADER_SIZE;
    for (size_t i = 0; i < CONFIG_COUNT * columns; i++) {
        uint64_t bits;
        memcpy(&bits, &rows[i], sizeof bits);
        for (int k = 0; k < 8; k++) *at++ = (unsigned char)(bits >> (8 * k));
    }
    int status = gz_output_write_file(path, file, GZ_NPY_HEADER_SIZE + bytes);
    gz_storage_free(file);
    return status;
}

#define TALLY_SIZE 256

/// The pair that most configurations fail by.
static void print_worst_pair(const gz_demo *demo, const uint8_t *verdicts,
                             const graze_contact *contacts) {
    struct {
        const graze_contact *pair;
        size_t count;
    } tally[TALLY_SIZE];
    size_t used = 0, best = 0;
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        if (verdicts[i] != GRAZE_COLLISION) continue;
        const graze_contact *c = &contacts[i];
        size_t k = 0;
        while (k < used && (tally[k].pair->kind != c->kind || tally[k].pair->link != c->link ||
                            tally[k].pair->other != c->other)) {
            k++;
        }
        if (k == TALLY_SIZE) continue;
        if (k == used) {
            tally[k].pair = c;
            tally[k].count = 0;
            used++;
        }
        tally[k].count++;
        if (tally[k].count > tally[best].count) best = k;
    }
    if (used == 0) return;
    printf("  most often first: %s with %s, %zu times\n",
           graze_contact_link_name(demo->input.checker, tally[best].pair),
           graze_contact_other_name(demo->input.checker, tally[best].pair), tally[best].count);
}

static int check_rows(const gz_demo *demo, const double *q, uint8_t *verdicts,
                      graze_contact *contacts) {
    graze_batch batch = graze_batch_default();
    graze_error error;
    batch.count = CONFIG_COUNT;
    batch.q = q;
    batch.answer = GRAZE_ANSWER_FIRST;
    batch.verdicts = verdicts;
    batch.contacts = contacts;
    double started = gz_clock();
    graze_status status = graze_check_batch(demo->input.checker, &batch, &error);
    if (status != GRAZE_OK) return gz_message_error(NULL, &error);
    double seconds = gz_clock() - started;
    size_t colliding = 0;
    for (size_t i = 0; i < CONFIG_COUNT; i++) colliding += verdicts[i] == GRAZE_COLLISION;
    printf("  %d random configurations in %.0f ms on one thread: %s%.2f us each%s\n", CONFIG_COUNT,
           1e3 * seconds, demo->bold, 1e6 * seconds / CONFIG_COUNT, demo->off);
    printf("  %zu free, %zu in collision\n", CONFIG_COUNT - colliding, colliding);
    print_worst_pair(demo, verdicts, contacts);
    return GZ_EXIT_FINE;
}

static void print_batch_command(const gz_demo *demo, const gz_columns *columns, const char *file) {
    char joints[1024] = "";
    for (size_t k = 0; k < columns->count; k++) {
        size_t used = strlen(joints);
        snprintf(joints + used, sizeof joints - used, "%s%s", k > 0 ? "," : "",
                 graze_robot_q_name(demo->input.robot, (size_t)columns->places[k]));
    }
    gz_demo_command(demo, "J=%s", joints);
    gz_demo_command(demo, "%s check $H --configs %s --joints $J --stats", demo->program, file);
}

int gz_demo_batch(gz_demo *demo) {
    gz_columns columns = {0};
    graze_error error;
    gz_demo_heading(demo, "3. Ten thousand configurations");
    if (group_columns(demo->input.robot, &columns, &error) != GRAZE_OK) {
        gz_columns_free(&columns);
        return gz_message_error(NULL, &error);
    }
    char file[GZ_DEMO_PATH_SIZE];
    gz_demo_file(demo, file, "graze-demo-configs.npy");
    double *rows = gz_storage_resize(NULL, CONFIG_COUNT * columns.count, sizeof *rows);
    double *q = gz_storage_resize(NULL, CONFIG_COUNT * demo->reach.size, sizeof *q);
    uint8_t *verdicts = gz_storage_resize(NULL, CONFIG_COUNT, 1);
    graze_contact *contacts = gz_storage_resize(NULL, CONFIG_COUNT, sizeof *contacts);
    int status;
    if (rows == NULL || q == NULL || verdicts == NULL || contacts == NULL) {
        status = gz_message_no_memory();
    } else {
        draw_rows(demo, &columns, rows, q);
        status = write_rows(file, rows, columns.count);
        if (status == GZ_EXIT_FINE) status = check_rows(demo, q, verdicts, contacts);
        if (status == GZ_EXIT_FINE) print_batch_command(demo, &columns, file);
    }
    gz_storage_free(rows);
    gz_storage_free(q);
    gz_storage_free(verdicts);
    gz_storage_free(contacts);
    gz_columns_free(&columns);
    return status;
}

// ---------------------------------------------------------------------------------- 4: a motion

#define GHOSTS 4

/// The path's end, with the way to it see-through.
static int draw_path(const gz_demo *demo, const graze_path *path, const char *file) {
    size_t size = demo->reach.size, edges = graze_path_count(path) - 1;
    gz_pictured_pose poses[GHOSTS + 1];
    double base[GHOSTS + 1][GZ_BASE_SIZE];
    double *q = gz_storage_resize(NULL, (GHOSTS + 1) * size, sizeof *q);
    graze_status status = q != NULL ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY;
    for (size_t k = 0; status == GRAZE_OK && k <= GHOSTS; k++) {
        double at = (double)(k * edges) / GHOSTS;
        size_t edge = k < GHOSTS ? (size_t)at : edges - 1;
        status = graze_path_interpolate(path, edge, at - (double)edge, q + k * size, base[k]);
        poses[k] = (gz_pictured_pose){q + k * size, base[k]};
    }
    int drawn = status == GRAZE_OK ? gz_picture_output(file, demo->input.checker, poses, GHOSTS + 1)
                                   : gz_message_no_memory();
    gz_storage_free(q);
    return drawn;
}

int gz_demo_path(gz_demo *demo) {
    graze_plan_options options = graze_plan_options_default();
    graze_plan_result result = {0};
    graze_error error;
    char file[GZ_DEMO_PATH_SIZE];
    gz_demo_file(demo, file, "graze-demo-path.png");
    gz_demo_heading(demo, "4. A motion: out of the tuck, into the shelf");
    graze_status status = graze_plan(demo->input.checker, demo->tuck.q, NULL, demo->reach.q, NULL,
                                     &options, &result, &error);
    if (status != GRAZE_OK) return gz_message_error(NULL, &error);
    if (result.path == NULL) {
        gz_message("no path: %s", gz_plan_outcome_name(result.outcome));
        return GZ_EXIT_FINDING;
    }
    printf("  %zu waypoints in %.0f ms; %llu configurations checked on the way\n",
           graze_path_count(result.path), 1e3 * result.seconds,
           (unsigned long long)result.configurations_checked);
    gz_demo_command(demo, "%s plan $H --start-state %s/tuck --goal %s -o path.csv --picture %s",
                    demo->program, GROUP, REACH, file);
    fflush(stdout);
    int drawn = draw_path(demo, result.path, file);
    if (drawn == GZ_EXIT_FINE) printf("  drawn: %s\n", file);
    graze_path_free(result.path);
    return drawn;
}
