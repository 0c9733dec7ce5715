// graze view: the robot in the browser, as a file or served.

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/argument.h"
#include "cli/input/robot_input.h"
#include "cli/message.h"
#include "cli/motion/trajectory_input.h"
#include "cli/output.h"
#include "cli/view/scene_page.h"
#include "cli/view/view_server.h"
#include "cli/view/watched_files.h"

typedef struct view_options {
    gz_robot_input input;
    const char *q, *path, *trajectory, *output;
    uint64_t port;
    bool no_browser, lint;
} view_options;

static const gz_command_line command_line = {
    .command = "view",
    .synopsis = "view ROBOT [options]\n"
                "       graze view ROBOT -o FILE.html [options]",
    .about =
        "Shows the robot and its world in the browser, with the engine in the page: sliders move the\n"
        "joints, what collides is red, what it touches orange, and plans are made and played. The\n"
        "page is served on 127.0.0.1 until Ctrl-C, and follows changes of the files. With -o it is one\n"
        "file that opens from disk, needs nothing else and makes no request.",
    .examples = "  graze view robot.urdf --srdf robot.srdf --world shelf.json\n"
                "  graze view robot.urdf --world shelf.json -q elbow=1.2 -o scene.html\n"
                "  graze plan robot.urdf --goal 0,1,0 -o path.csv\n"
                "  graze view robot.urdf --path path.csv\n"
                "  graze view robot.urdf --trajectory trajectory.yaml --world shelf.json\n",
    .operand_name = "ROBOT",
};

static int parse(view_options *o, int argc, char **argv) {
    gz_option shown[] = {
        {"configuration", "Q", .letter = 'q', .text = &o->q,
         .help = "to begin with: numbers or joint=value,..."},
        {"path", "FILE", .text = &o->path, .file = GZ_FILE_READ,
         .help = "waypoints to be played: .npy or .csv as for\n'graze check --configs'"},
        {"trajectory", "FILE", .text = &o->trajectory, .file = GZ_FILE_READ,
         .help = "a timed trajectory to be played, as for 'graze certify'"},
        {"lint", NULL, .flag = &o->lint,
         .help = "the findings of 'graze lint', on the links they concern"},
    };
    gz_option where[] = {
        {"output", "FILE", .letter = 'o', .text = &o->output, .file = GZ_FILE_WRITTEN,
         .endings = ".html or .htm, or '-' for standard output",
         .help = "write one page to FILE, '-' for standard output,\ninstead of serving it"},
        {"port", "N", .count = &o->port, .maximum = UINT16_MAX,
         .help = "of 127.0.0.1 (default 0: any that is free)"},
        {"no-browser", NULL, .flag = &o->no_browser, .help = "print the address and open nothing"},
    };
    const gz_option_section own[] = {GZ_SECTION("what is shown", shown),
                                     GZ_SECTION("where", where)};
    int status = gz_robot_input_parse(&o->input, &command_line, own, GZ_COUNT(own), argc, argv);
    if (status != GZ_GO_ON) return status;
    const gz_usage_rule rules[] = {
        {o->output != NULL && (where[1].given || o->no_browser),
         "--output with --port or --no-browser; allowed: one page, or a server"},
        {o->path != NULL && o->trajectory != NULL,
         "--path with --trajectory; allowed: one of them"},
        {o->lint && strcmp(o->input.path, "-") == 0,
         "--lint with the robot on standard input; allowed: a file"},
        {o->input.level != 0, "--level bounds; allowed: mesh, the page has no other"},
    };
    return gz_usage_check("view", rules, GZ_COUNT(rules));
}

/// What is shown besides the robot and the world.
typedef struct view_content {
    graze_robot *visuals;
    graze_lint_report *findings;
    gz_posture posture;
    double *path; ///< rows of base and q
    size_t path_count, path_capacity;
    graze_trajectory *trajectory;
} view_content;

static void content_free(view_content *content) {
    graze_robot_free(content->visuals);
    graze_trajectory_free(content->trajectory);
    graze_lint_report_free(content->findings);
    gz_posture_free(&content->posture);
    gz_free(content->path);
}

enum { CHUNK_ROWS = 256 };

/// Appends the rows of a file; q and base are space for a chunk of them.
static graze_status read_rows(view_content *content, gz_configuration_file *file, double *q,
                              double *base, graze_error *error) {
    size_t size = content->posture.size, width = size + GZ_BASE_SIZE, count;
    do {
        GZ_TRY(gz_configuration_file_read(file, CHUNK_ROWS, q, base, &count, error));
        if (!GZ_RESERVE(content->path, content->path_capacity,
                        (content->path_count + count) * width))
            return gz_fail_memory(error);
        for (size_t i = 0; i < count; i++) {
            double *row = content->path + content->path_count++ * width;
            for (size_t k = 0; k < width; k++)
                row[k] = k < GZ_BASE_SIZE ? base[i * GZ_BASE_SIZE + k]
                                          : q[i * size + k - GZ_BASE_SIZE];
        }
    } while (count > 0);
    return GRAZE_OK;
}

static graze_status read_path(view_content *content, const view_options *o, graze_error *error) {
    gz_configuration_file file = {0};
    double *q = gz_malloc(CHUNK_ROWS * (content->posture.size + GZ_BASE_SIZE), sizeof *q);
    graze_status status = q != NULL ? gz_configuration_file_open(&file, o->path, o->input.robot,
                                                                 o->input.posture.joints,
                                                                 &content->posture, error)
                                    : gz_fail_memory(error);
    if (status == GRAZE_OK)
        status = read_rows(content, &file, q, q + CHUNK_ROWS * content->posture.size, error);
    if (q != NULL) gz_configuration_file_close(&file);
    gz_free(q);
    if (status != GRAZE_OK || content->path_count > 1) return status;
    return gz_fail_at(error, GRAZE_ERROR_PARSE, (gz_place){.file = o->path},
                      "the path has %zu rows; allowed: two at least", content->path_count);
}

static graze_status make_content(view_content *content, const view_options *o, graze_error *error) {
    const gz_robot_input *input = &o->input;
    GZ_TRY(gz_posture_make(&content->posture, input->robot, &input->posture, error));
    if (o->q != NULL)
        GZ_TRY(gz_posture_parse(&content->posture, input->robot, input->posture.joints, "-q", o->q,
                                error));
    return o->path != NULL ? read_path(content, o, error) : GRAZE_OK;
}

/// Writes the page of a robot that is loaded.
static int write_page(FILE *stream, const view_options *o, const view_content *content,
                      uint64_t number) {
    const gz_scene_page page = {.input = &o->input,
                                .visuals = content->visuals != NULL ? content->visuals
                                                                    : o->input.robot,
                                .posture = &content->posture,
                                .path = content->path,
                                .path_count = content->path_count,
                                .trajectory = content->trajectory,
                                .findings = content->findings,
                                .number = number};
    char *built;
    size_t size;
    GZ_TRY_EXIT(gz_scene_page_find(&built, &size));
    int status = gz_scene_page_write(stream, &page, built, size);
    gz_free(built);
    return status;
}

static int load(view_options *o, view_content *content) {
    // Visual meshes are packed beside the compiled robot, a quarter as large as in it. A robot that
    // comes by standard input is read once.
    GZ_TRY_EXIT(gz_robot_input_load_visuals(&o->input, &content->visuals));
    graze_visuals visuals = content->visuals != NULL ? GRAZE_VISUALS_SKIP : GRAZE_VISUALS_LOAD;
    GZ_TRY_EXIT(gz_robot_input_prepare(&o->input, visuals, o->q, true));
    const graze_lint_options lint = graze_lint_options_default();
    if (o->lint) GZ_TRY_EXIT(gz_robot_input_lint(&o->input, &lint, &content->findings));
    graze_error error;
    GZ_TRY_EXIT(gz_message_outcome("view", make_content(content, o, &error), &error));
    if (o->trajectory == NULL) return GZ_EXIT_FINE;
    // Where joints leave their limits is seen in the page.
    const gz_trajectory_input input = {
        .input = &o->input, .path = o->trajectory, .rest = &content->posture, .any_limits = true};
    return gz_trajectory_input_read(&content->trajectory, &input);
}

static int write_file(view_options *o) {
    view_content content = {0};
    gz_output output = {0};
    int status = load(o, &content);
    if (status == GZ_EXIT_FINE) status = gz_output_open(&output, o->output);
    if (status == GZ_EXIT_FINE) status = write_page(output.stream, o, &content, 0);
    if (status == GZ_EXIT_FINE)
        status = gz_output_finish(&output);
    else
        gz_output_abandon(&output);
    content_free(&content);
    return status;
}

// --------------------------------------------------------------------------------------- served

static bool watch_geometry(gz_watched_files *files, const graze_geometry *g) {
    return gz_watched_files_add(files, g->file);
}

/// Watches the files that the page was made of; what came by standard input cannot come again.
static bool watch(gz_watched_files *files, const view_options *o, const graze_robot *visuals) {
    const gz_robot_input *input = &o->input;
    const char *const read[] = {input->path, o->path, o->trajectory};
    for (size_t i = 0; i < GZ_COUNT(read); i++)
        if (read[i] != NULL && strcmp(read[i], "-") == 0) return true;
    bool good = gz_watched_files_add(files, input->path) &&
                gz_watched_files_add(files, input->srdf) && gz_watched_files_add(files, o->path) &&
                gz_watched_files_add(files, o->trajectory);
    for (size_t i = 0; good && i < input->worlds.count; i++)
        good = gz_watched_files_add(files, input->worlds.items[i]);
    graze_geometry g;
    for (size_t i = 0; good && graze_robot_collision(input->robot, i, &g) == GRAZE_OK; i++)
        good = watch_geometry(files, &g);
    for (size_t i = 0; good && graze_robot_visual(visuals, i, &g) == GRAZE_OK; i++)
        good = watch_geometry(files, &g);
    for (size_t i = 0; good && graze_world_object(input->world, i, &g) == GRAZE_OK; i++)
        good = watch_geometry(files, &g);
    return good;
}

/// Loads everything anew and serves the page of it.
static int publish(view_options *o, gz_view_server *server, gz_watched_files *files) {
    char *page = NULL;
    size_t size = 0;
    view_content content = {0};
    gz_robot_input_unload(&o->input);
    int status = load(o, &content);
    FILE *memory = status == GZ_EXIT_FINE ? open_memstream(&page, &size) : NULL;
    if (status == GZ_EXIT_FINE && memory == NULL) status = gz_message_no_memory();
    if (status == GZ_EXIT_FINE)
        status = write_page(memory, o, &content, gz_view_server_next(server));
    if (memory != NULL && fclose(memory) != 0 && status == GZ_EXIT_FINE)
        status = gz_message_no_memory();
    if (status == GZ_EXIT_FINE && !watch(files, o, content.visuals))
        status = gz_message_no_memory();
    content_free(&content);
    if (status != GZ_EXIT_FINE)
        free(page);
    else if (!gz_view_server_publish(server, page, size))
        status = gz_message_no_memory();
    return status;
}

/// Opens the address in the browser by way of a file that only this user can read: what is on the
/// command line of a process everybody on the machine can read, and the address is a secret.
/// @param file [out] to be removed in the end; "" where there is none
static void open_browser(const char *address, char file[64]) {
    file[0] = '\0';
    if (getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL) return;
    strcpy(file, "/tmp/graze-view-XXXXXX");
    int fd = mkstemp(file);
    FILE *stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (stream == NULL) return;
    fprintf(stream,
            "<!doctype html><meta charset=\"utf-8\"><title>graze view</title>"
            "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n",
            address);
    fclose(stream);
    char name[80];
    snprintf(name, sizeof name, "%s.html", file);
    if (rename(file, name) == 0) strcpy(file, name);
    pid_t pid = fork(); // nothing of this process has threads
    if (pid == 0) {
        execlp("xdg-open", "xdg-open", file, (char *)NULL);
        gz_message("xdg-open is not found: open the address yourself");
        _exit(127);
    }
}

/// What is served, and how.
typedef struct service {
    view_options *o;
    gz_view_server *server;
    gz_watched_files files;
    char *dropped; ///< the URDF that was dropped on the page, instead of the robot's file; NULL
} service;

/// What the command line says of one robot alone.
typedef struct robot_choice {
    const char *robot, *text, *srdf, *q, *path, *trajectory;
    size_t text_size;
    gz_posture_options posture;
} robot_choice;

/// Takes a choice, and gives the one that was there.
static robot_choice exchange(view_options *o, const robot_choice *next) {
    gz_robot_input *in = &o->input;
    const robot_choice before = {in->path, in->text,      in->srdf,      o->q,
                                 o->path,  o->trajectory, in->text_size, in->posture};
    in->path = next->robot;
    in->text = next->text;
    in->text_size = next->text_size;
    in->srdf = next->srdf;
    in->posture = next->posture;
    o->q = next->q;
    o->path = next->path;
    o->trajectory = next->trajectory;
    return before;
}

/// Serves the robot that was dropped on the page, in the world that is there. Where it cannot be
/// read the last page stays.
static int take_drop(void *user, const char *text, size_t size) {
    service *s = user;
    char *copy = gz_malloc(size + 1, 1);
    if (copy == NULL) return gz_message_no_memory();
    if (size > 0) memcpy(copy, text, size);
    const robot_choice dropped = {.robot = "-", .text = copy, .text_size = size};
    gz_robot_input_unload(&s->o->input);
    const robot_choice before = exchange(s->o, &dropped);
    s->o->input.warned = false;
    int status = publish(s->o, s->server, &s->files);
    if (status != GZ_EXIT_FINE) {
        gz_robot_input_unload(&s->o->input);
        exchange(s->o, &before);
        gz_free(copy);
        return status;
    }
    gz_free(s->dropped);
    s->dropped = copy;
    return GZ_EXIT_FINE;
}

static int serve(view_options *o) {
    service s = {.o = o};
    char opened[64] = "";
    gz_interrupt_catch();
    GZ_TRY_EXIT(gz_view_server_start(&s.server, (uint16_t)o->port));
    gz_view_server_accept(s.server, take_drop, &s);
    int status = publish(o, s.server, &s.files);
    if (status == GZ_EXIT_FINE) {
        printf("%s\n", gz_view_server_address(s.server));
        fflush(stdout);
        if (!o->no_browser) open_browser(gz_view_server_address(s.server), opened);
    }
    while (status == GZ_EXIT_FINE && !gz_interrupted()) {
        gz_view_server_run(s.server, 250);
        if (!gz_watched_files_changed(&s.files)) continue;
        // Programs write in several steps.
        do gz_view_server_run(s.server, 150);
        while (gz_watched_files_changed(&s.files) && !gz_interrupted());
        if (publish(o, s.server, &s.files) != GZ_EXIT_FINE) gz_view_server_fail(s.server);
    }
    if (opened[0] != '\0') unlink(opened);
    gz_watched_files_free(&s.files);
    gz_view_server_free(s.server);
    gz_robot_input_unload(&o->input);
    gz_free(s.dropped);
    return status != GZ_EXIT_FINE ? status : gz_interrupt_exit();
}

int gz_command_view(int argc, char **argv) {
    view_options options = {.input = gz_robot_input_default("view")};
    options.input.shared = GZ_SHARED_CHECKER;
    int status = parse(&options, argc, argv);
    if (status == GZ_GO_ON)
        status = options.output != NULL ? write_file(&options) : serve(&options);
    gz_robot_input_free(&options.input);
    return status;
}
