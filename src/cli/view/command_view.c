// graze view: the robot in the browser.

#include "cli/argument.h"
#include "cli/input/robot_input.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/view/scene_page.h"

#include "base/error.h"
#include "base/memory.h"

typedef struct view_options {
    gz_robot_input input;
    const char *q, *path, *output;
} view_options;

static const gz_command_line command_line = {
    .command = "view",
    .synopsis = "view ROBOT -o FILE.html [options]",
    .about =
        "Writes one page that shows the robot and its world, with the engine in it: sliders move the\n"
        "joints, what collides is red, what it touches orange, and plans are made and played. It\n"
        "opens from disk in any browser, needs nothing else and makes no request.",
    .examples = "  graze view robot.urdf --srdf robot.srdf -o scene.html\n"
                "  graze view robot.urdf --world shelf.json -q elbow=1.2 -o scene.html\n"
                "  graze plan robot.urdf --goal 0,1,0 -o path.csv\n"
                "  graze view robot.urdf --path path.csv -o scene.html\n",
    .operand_name = "ROBOT",
};

static int parse(view_options *o, int argc, char **argv) {
    gz_option shown[] = {
        {"configuration", "Q", .letter = 'q', .text = &o->q,
         .help = "to begin with: numbers or joint=value,..."},
        {"path", "FILE", .text = &o->path, .file = GZ_FILE_READ,
         .help = "waypoints to be played: .npy or .csv as for\n'graze check --configs'"},
        GZ_OPTION_OUTPUT(&o->output),
    };
    const gz_option_section own = GZ_SECTION("what is shown", shown);
    int status = gz_robot_input_parse(&o->input, &command_line, &own, 1, argc, argv);
    if (status != GZ_GO_ON) return status;
    const gz_usage_rule rules[] = {
        {o->output == NULL, "--output is missing; allowed: -o FILE, '-' for standard output"},
        {o->input.level != 0, "--level bounds; allowed: mesh, the page has no other"},
    };
    return gz_usage_check("view", rules, GZ_COUNT(rules));
}

/// What is shown besides the robot and the world.
typedef struct view_content {
    graze_robot *visuals;
    gz_posture posture;
    double *path; ///< rows of base and q
    size_t path_count, path_capacity;
} view_content;

static void content_free(view_content *content) {
    graze_robot_free(content->visuals);
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

static int write_page(const view_options *o, const view_content *content) {
    const gz_scene_page page = {.input = &o->input,
                                .visuals = content->visuals != NULL ? content->visuals
                                                                    : o->input.robot,
                                .posture = &content->posture,
                                .path = content->path,
                                .path_count = content->path_count};
    char *built;
    size_t size;
    gz_output output;
    GZ_TRY_EXIT(gz_scene_page_find(&built, &size));
    int status = gz_output_open(&output, o->output);
    if (status == GZ_EXIT_FINE) status = gz_scene_page_write(output.stream, &page, built, size);
    if (status == GZ_EXIT_FINE)
        status = gz_output_finish(&output);
    else
        gz_output_abandon(&output);
    gz_free(built);
    return status;
}

static int view(view_options *o) {
    graze_error error;
    view_content content = {0};
    // Visual meshes are packed beside the compiled robot, a quarter as large as in it. A robot that
    // comes by standard input is read once.
    int status = gz_robot_input_load_visuals(&o->input, &content.visuals);
    if (status == GZ_EXIT_FINE)
        status = gz_robot_input_prepare(
            &o->input, content.visuals != NULL ? GRAZE_VISUALS_SKIP : GRAZE_VISUALS_LOAD, o->q,
            true);
    if (status == GZ_EXIT_FINE)
        status = gz_message_outcome("view", make_content(&content, o, &error), &error);
    if (status == GZ_EXIT_FINE) status = write_page(o, &content);
    content_free(&content);
    return status;
}

int gz_command_view(int argc, char **argv) {
    view_options options = {.input = gz_robot_input_default("view")};
    options.input.shared = GZ_SHARED_CHECKER;
    int status = parse(&options, argc, argv);
    if (status == GZ_GO_ON) status = view(&options);
    gz_robot_input_free(&options.input);
    return status;
}
