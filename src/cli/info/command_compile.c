// graze compile: a robot, its meshes and its world as one file that is mapped instead of parsed.

#include "cli/argument.h"
#include "cli/input/robot_input.h"
#include "cli/message.h"
#include "cli/output.h"

typedef struct compile_options {
    gz_robot_input input;
    const char *output, *verify;
    bool visuals;
} compile_options;

static const gz_command_line command_line = {
    .command = "compile",
    .synopsis = "compile ROBOT -o FILE [options]\n"
                "       graze compile --verify FILE",
    .about =
        "Writes a robot, and on request its world, into one file as the engine holds them: every\n"
        "command takes it where it takes a URDF file, and is ready in under a millisecond. Verdicts\n"
        "are the same. The file is for this version of graze on this kind of machine.",
    .examples = "  graze compile robot.urdf --srdf robot.srdf -o robot.graze\n"
                "  graze compile robot.urdf --world shelf.json -o cell.graze\n"
                "  graze check cell.graze -q 0,0.5,0\n"
                "  graze info cell.graze\n"
                "  graze compile --verify cell.graze\n",
    .operand_name = "ROBOT",
    .operand_optional = true,
};

static int parse(compile_options *o, const char **robot, int argc, char **argv) {
    gz_robot_options shared;
    gz_option answer[] = {
        GZ_OPTION_OUTPUT(&o->output),
        {"visuals", NULL, .flag = &o->visuals, .help = "the visual meshes, too: for pictures"},
        {"verify", "FILE", .text = &o->verify, .file = GZ_FILE_READ,
         .help = "instead: prove that FILE holds what this graze makes\n"
                 "of its meshes and joints, for files from elsewhere"},
    };
    gz_robot_input_options(&o->input, &shared);
    gz_option_section sections[] = {GZ_SECTION("answer", answer), shared.world, shared.robot,
                                    shared.limits};
    int status = gz_command_line_parse(&command_line, robot, sections, GZ_COUNT(sections), argc,
                                       argv);
    if (status != GZ_GO_ON) return status;
    if (o->verify != NULL && (*robot != NULL || o->output != NULL)) {
        return gz_message_usage("compile", "--verify with %s; allowed: --verify FILE alone",
                                *robot != NULL ? "ROBOT" : "--output");
    }
    if (o->verify == NULL && *robot == NULL) return gz_message_usage("compile", "ROBOT is missing");
    if (o->verify == NULL && o->output == NULL) {
        return gz_message_usage("compile", "--output is missing; allowed: -o FILE, '-' for "
                                           "standard output");
    }
    return GZ_GO_ON;
}

static int verify(const compile_options *o) {
    graze_compiled *compiled;
    graze_error error;
    graze_status status = graze_compiled_open(&compiled, o->verify, &error);
    if (status == GRAZE_OK) status = graze_compiled_verify(compiled, &error);
    graze_compiled_close(compiled);
    if (status != GRAZE_OK) return gz_message_error("compile", &error);
    printf("%s: all is what graze %s makes of its meshes and joints\n", GZ_PLAIN(o->verify),
           graze_version());
    return GZ_EXIT_FINE;
}

/// Prints the result on stderr.
static void report(const compile_options *o, const unsigned char *bytes, size_t size) {
    graze_compiled *compiled;
    graze_error error;
    if (o->input.quiet ||
        graze_compiled_open_memory(&compiled, bytes, size, o->output, &error) != GRAZE_OK)
        return;
    size_t robot, world;
    graze_compiled_size(compiled, &robot, &world);
    fprintf(stderr, "%zu bytes from %zu files: robot %zu, world %zu\n", size,
            graze_compiled_source_count(compiled), robot, world);
    graze_compiled_close(compiled);
}

static int compile(compile_options *o, const char *robot) {
    gz_robot_input *input = &o->input;
    int status = gz_robot_input_load(input, robot,
                                     o->visuals ? GRAZE_VISUALS_LOAD : GRAZE_VISUALS_CHECK);
    if (status == GZ_EXIT_FINE && input->compiled != NULL) {
        gz_message("%s is compiled already; allowed: a URDF file", robot);
        return GZ_EXIT_INPUT;
    }
    if (status == GZ_EXIT_FINE) status = gz_robot_input_load_world(input);
    if (status != GZ_EXIT_FINE) return status;
    graze_compile_options options = graze_compile_options_default();
    options.srdf = input->srdf;
    options.worlds = input->worlds.items;
    options.world_count = input->worlds.count;
    unsigned char *bytes;
    size_t size;
    graze_error error;
    if (graze_compile(&bytes, &size, input->robot, input->world, &options, &error) != GRAZE_OK)
        return gz_message_error("compile", &error);
    status = gz_output_write_file(o->output, bytes, size);
    if (status == GZ_EXIT_FINE) report(o, bytes, size);
    graze_compiled_free(bytes);
    return status;
}

int gz_command_compile(int argc, char **argv) {
    compile_options options = {.input = gz_robot_input_default("compile")};
    const char *robot = NULL;
    int status = parse(&options, &robot, argc, argv);
    if (status == GZ_GO_ON)
        status = options.verify != NULL ? verify(&options) : compile(&options, robot);
    gz_robot_input_free(&options.input);
    return status;
}
