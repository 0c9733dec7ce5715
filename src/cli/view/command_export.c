// graze export: the posed robot and its world as a file of other programs.

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/argument.h"
#include "cli/check/check_output.h"
#include "cli/input/robot_input.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/view/glb_writer.h"

typedef struct export_options {
    gz_robot_input input;
    const char *q, *output;
    int geometry;
} export_options;

static const char *const geometry_names[] = {"visual", "collision", NULL};

static const gz_command_line command_line = {
    .command = "export",
    .synopsis = "export ROBOT -o FILE.glb [options]",
    .about =
        "Writes the robot as it is posed, and its world, as binary glTF for other programs: a mesh for\n"
        "each link and object, colliding links red, what they touch orange, contacts as lines.",
    .examples = "  graze export robot.urdf -q elbow=1.2 --world shelf.json -o scene.glb\n",
    .operand_name = "ROBOT",
};

static int parse(export_options *o, int argc, char **argv) {
    gz_option answer[] = {
        {"configuration", "Q", .letter = 'q', .text = &o->q,
         .help = "the pose: numbers or joint=value,..."},
        {"geometry", "KIND", .choice = &o->geometry, .choices = geometry_names,
         .help = "visual (default; collision where a link has none),\ncollision"},
        {"output", "FILE.glb", .letter = 'o', .text = &o->output, .file = GZ_FILE_WRITTEN,
         .endings = ".glb, or '-' for standard output",
         .help = "write to FILE.glb, which appears when it is complete"},
    };
    const gz_option_section own = GZ_SECTION("answer", answer);
    int status = gz_robot_input_parse(&o->input, &command_line, &own, 1, argc, argv);
    if (status != GZ_GO_ON) return status;
    if (o->output == NULL)
        return gz_message_usage("export", "--output is missing; allowed: -o FILE.glb, '-' for "
                                          "standard output");
    return GZ_GO_ON;
}

static graze_status make_posture(gz_posture *posture, const export_options *o, graze_error *error) {
    const gz_robot_input *input = &o->input;
    GZ_TRY(gz_posture_make(posture, input->robot, &input->posture, error));
    if (o->q == NULL) return GRAZE_OK;
    return gz_posture_parse(posture, input->robot, input->posture.joints, "-q", o->q, error);
}

static int write_scene(FILE *stream, const void *picture) {
    graze_error error;
    return gz_message_outcome("export", gz_glb_write(stream, picture, &error), &error);
}

static int export_scene(export_options *o) {
    GZ_TRY_EXIT(gz_robot_input_prepare(
        &o->input, o->geometry == 0 ? GRAZE_VISUALS_LOAD : GRAZE_VISUALS_CHECK, o->q, true));
    graze_error error;
    gz_posture posture = {0};
    gz_contacts contacts = {0};
    gz_picture picture = gz_picture_default();
    picture.visuals = o->geometry == 0;
    graze_transform *links = gz_malloc(graze_robot_link_count(o->input.robot), sizeof *links);
    graze_status made = links != NULL ? make_posture(&posture, o, &error) : gz_fail_memory(&error);
    const gz_pictured_pose pose = {posture.q, posture.base};
    if (made == GRAZE_OK)
        made = gz_picture_fill(&picture, o->input.checker, &pose, links, &contacts, &error);
    int status = gz_message_outcome("export", made, &error);
    if (status == GZ_EXIT_FINE) status = gz_output_write(o->output, write_scene, &picture);
    gz_posture_free(&posture);
    gz_free(contacts.items);
    gz_free(links);
    return status;
}

int gz_command_export(int argc, char **argv) {
    export_options options = {.input = gz_robot_input_default("export")};
    options.input.shared = GZ_SHARED_CHECKER;
    int status = parse(&options, argc, argv);
    if (status == GZ_GO_ON) status = export_scene(&options);
    gz_robot_input_free(&options.input);
    return status;
}
