// graze compile: a robot, its meshes and its world as one file that is mapped instead of parsed.

#include "cli/argument.h"
#include "cli/input/robot_input.h"
#include "cli/message.h"
#include "cli/output.h"

typedef struct compile_options {
    gz_robot_input input;
    const char *output, *verify;
    bool visuals, no_tables;
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

static int check_usage(const compile_options *o) {
    const char *robot = o->input.path;
    const gz_usage_rule rules[] = {
        {o->verify != NULL && robot != NULL, "--verify with ROBOT; allowed: --verify FILE alone"},
        {o->verify != NULL && o->output != NULL,
         "--verify with --output; allowed: --verify FILE alone"},
        {o->visuals && o->input.no_visuals, "--visuals and --no-visuals exclude each other"},
        {o->verify == NULL && robot == NULL, "ROBOT is missing"},
        {o->verify == NULL && o->output == NULL,
         "--output is missing; allowed: -o FILE, '-' for standard output"},
    };
    return gz_usage_check("compile", rules, GZ_COUNT(rules));
}

static int parse(compile_options *o, int argc, char **argv) {
    gz_option answer[] = {
        GZ_OPTION_OUTPUT(&o->output),
        {"visuals", NULL, .flag = &o->visuals, .help = "the visual meshes, too: for pictures"},
        {"no-tables", NULL, .flag = &o->no_tables,
         .help = "no tables of pairs that are always near: a smaller file,\n"
                 "compiled sooner, whose checks take longer"},
        {"verify", "FILE", .text = &o->verify, .file = GZ_FILE_READ,
         .help = "instead: prove that FILE holds what this graze makes\n"
                 "of its meshes and joints, for files from elsewhere"},
    };
    const gz_option_section own = GZ_SECTION("answer", answer);
    int status = gz_robot_input_parse(&o->input, &command_line, &own, 1, argc, argv);
    return status == GZ_GO_ON ? check_usage(o) : status;
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

/// Gives the robot its tables.
static graze_status tabulate(gz_robot_input *input, graze_error *error) {
    graze_tabulate_options options = graze_tabulate_options_default();
    options.threads = 0;
    graze_robot *robot;
    graze_status status = graze_robot_tabulate(&robot, input->robot, &options, error);
    if (status != GRAZE_OK) return status;
    graze_robot_free(input->robot);
    input->robot = robot;
    return GRAZE_OK;
}

static int compile(compile_options *o) {
    gz_robot_input *input = &o->input;
    GZ_TRY_EXIT(gz_robot_input_load(input, o->visuals ? GRAZE_VISUALS_LOAD : GRAZE_VISUALS_CHECK));
    if (input->compiled != NULL) {
        gz_message("%s is compiled already; allowed: a URDF file", input->path);
        return GZ_EXIT_INPUT;
    }
    GZ_TRY_EXIT(gz_robot_input_load_world(input));
    graze_compile_options options = graze_compile_options_default();
    options.srdf = input->srdf;
    options.worlds = input->worlds.items;
    options.world_count = input->worlds.count;
    unsigned char *bytes;
    size_t size;
    graze_error error;
    if (!o->no_tables && tabulate(input, &error) != GRAZE_OK)
        return gz_message_error("compile", &error);
    if (graze_compile(&bytes, &size, input->robot, input->world, &options, &error) != GRAZE_OK)
        return gz_message_error("compile", &error);
    int status = gz_output_write_file(o->output, bytes, size);
    if (status == GZ_EXIT_FINE) report(o, bytes, size);
    graze_compiled_free(bytes);
    return status;
}

int gz_command_compile(int argc, char **argv) {
    compile_options options = {.input = gz_robot_input_default("compile")};
    options.input.shared = GZ_SHARED_WORLD;
    int status = parse(&options, argc, argv);
    if (status == GZ_GO_ON) status = options.verify != NULL ? verify(&options) : compile(&options);
    gz_robot_input_free(&options.input);
    return status;
}
