#include "cli/input/robot_input.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "cli/program_path.h"
#include "cli/text.h"
#include "import/import.h"

static const char *const collada_names[] = {"ros", "spec", "moveit", NULL};
static const char *const reader_names[] = {"graze", "assimp", NULL};
static const char *const use_visual_names[] = {"never", "missing", "always", NULL};
static const char *const level_names[] = {"mesh", "bounds", NULL};

gz_robot_input gz_robot_input_default(const char *command) {
    graze_limits limits = graze_load_options_default().limits;
    return (gz_robot_input){.command = command,
                            .max_bytes = limits.file_bytes,
                            .max_memory = limits.memory_bytes,
                            .max_depth = limits.depth,
                            .max_elements = limits.elements,
                            .max_triangles = limits.triangles,
                            .domain = GRAZE_DOMAIN};
}

static void fill_options(gz_robot_input *input, gz_robot_options *o) {
    *o = (gz_robot_options){
        .of_rules =
            {
                {"level", "LEVEL", .choice = &input->level, .choices = level_names,
                 .help = "mesh (default): triangles and shapes; bounds: as\n"
                         "KinEval, a bounding-volume verdict, no self-collision"},
                {"policy", "[NAME=]POLICY", .texts = &input->policies,
                 .help = "solid (default): a part inside a closed one collides;\n"
                         "surface: only surfaces count; cap: as solid, and open\n"
                         "meshes hold what is inside them; NAME=: of one link or\n"
                         "object (repeatable)"},
                {"margin", "[A[,B]=]M", .texts = &input->margins,
                 .help = "no farther apart than M metres collides (default 0,\n"
                         "the exact verdict; of plan: epsilon; else the SRDF's);\n"
                         "A,B=: of a pair, A=: of a link or object (repeatable)"},
                {"no-self", NULL, .flag = &input->no_self, .help = "leave out link against link"},
                {"no-world", NULL, .flag = &input->no_world,
                 .help = "leave out the world and its boundary"},
                {"allow", "A,B", .texts = &input->allowed,
                 .help = "two links, or a link and an object, may touch\n(repeatable)"},
                {"domain", "M", .number = &input->domain,
                 .help = "with a margin: coordinates may be up to M metres\n"
                         "(default 100); epsilon grows with M"},
            },
        .of_world = {{"world", "FILE", .texts = &input->worlds, .file = GZ_FILE_READ,
                      .help = "obstacles: graze world (.json), URDF as scenery,\n"
                              "MoveIt .scene or .yaml, or a mesh (repeatable)"}},
        .of_attached =
            {
                {"attach", "OBJECT=LINK[:touch=A,B]", .texts = &input->attached,
                 .help = "a link carries an object of the world, which leaves\n"
                         "it; links A,B may touch it (repeatable, in order)"},
                {"attach-at", "Q", .text = &input->attach_at,
                 .help = "the configuration in which it is grasped: numbers\n"
                         "for all of q, or joint=value,... (check: -q, if given)"},
            },
        .of_robot =
            {
                {"srdf", "FILE", .text = &input->srdf, .file = GZ_FILE_READ,
                 .help = "the robot's SRDF: disabled pairs, groups, states"},
                {"package", "NAME=DIR", .texts = &input->packages,
                 .help = "package://NAME/ is DIR/ (repeatable)"},
                {"package-path", "DIR[:DIR]", .text = &input->package_path,
                 .help = "folders that hold packages"},
                {"collada", "PROFILE", .choice = &input->collada, .choices = collada_names,
                 .help = "transforms of .dae files: ros (default; the unit\n"
                         "counts, the up axis does not), spec, moveit"},
                {"reader", "READER", .choice = &input->reader, .choices = reader_names,
                 .help = "of mesh files: graze (default; assimp where graze has\n"
                         "none), assimp (for all, as RViz and MoveIt)"},
                {"use-visual", "WHEN", .choice = &input->use_visual, .choices = use_visual_names,
                 .help = "visual geometry stands in for collision geometry:\n"
                         "never (default), missing, always"},
            },
        .of_limits =
            {
                {"max-bytes", "N", .count = &input->max_bytes, .minimum = 1, .maximum = INT64_MAX,
                 .help = "largest file that is read (default 256 MiB)"},
                {"max-memory", "N", .count = &input->max_memory, .minimum = 1, .maximum = INT64_MAX,
                 .help = "bytes that one load may allocate (default 4 GiB)"},
                {"max-depth", "N", .count = &input->max_depth, .minimum = 1, .maximum = 10000,
                 .help = "nesting of a file's elements (default 64)"},
                {"max-elements", "N", .count = &input->max_elements, .minimum = 1,
                 .maximum = UINT32_MAX,
                 .help = "links, joints, geometries, objects, each\n(default 100000)"},
                {"max-triangles", "N", .count = &input->max_triangles, .minimum = 1,
                 .maximum = INT64_MAX, .help = "triangles of all meshes (default 64000000)"},
                {"no-sandbox", NULL, .flag = &input->no_sandbox,
                 .help = "let assimp read meshes in this process, not in a\n"
                         "confined one: for trusted files"},
                {"quiet", NULL, .flag = &input->quiet,
                 .help = "no warnings, no summary, no progress"},
            },
    };
}

void gz_robot_input_options(gz_robot_input *input, gz_robot_options *o) {
    fill_options(input, o);
    o->rules = (gz_option_section)GZ_SECTION("rules", o->of_rules);
    o->world = (gz_option_section)GZ_SECTION("world", o->of_world);
    o->attached = (gz_option_section)GZ_SECTION("attached bodies", o->of_attached);
    o->robot = (gz_option_section)GZ_SECTION("robot", o->of_robot);
    o->limits = (gz_option_section)GZ_SECTION("limits and messages", o->of_limits);
}

// ------------------------------------------------------------------------------------ loading

/// What lives as long as one load: the packages' names, cut off their directories; the importer.
typedef struct load_scratch {
    graze_package *packages;
    char *names;
    char importer[GRAZE_PATH_SIZE + 32];
} load_scratch;

static void scratch_free(load_scratch *scratch) {
    gz_storage_free(scratch->packages);
    gz_storage_free(scratch->names);
}

/// Splits every "NAME=DIR" of --package.
static int split_packages(const gz_robot_input *input, load_scratch *scratch) {
    size_t bytes = 0;
    for (size_t i = 0; i < input->packages.count; i++)
        bytes += strlen(input->packages.items[i]) + 1;
    scratch->packages = gz_storage_resize(NULL, input->packages.count, sizeof(graze_package));
    scratch->names = gz_storage_resize(NULL, bytes, 1);
    if (scratch->packages == NULL || scratch->names == NULL) return gz_message_no_memory();
    char *name = scratch->names;
    for (size_t i = 0; i < input->packages.count; i++) {
        const char *text = input->packages.items[i], *equals = strchr(text, '=');
        if (equals == NULL || equals == text || equals[1] == '\0')
            return gz_message_usage(input->command, "--package is '%s'; allowed: NAME=DIR", text);
        size_t length = (size_t)(equals - text);
        memcpy(name, text, length);
        name[length] = '\0';
        scratch->packages[i] = (graze_package){.name = name, .dir = equals + 1};
        name += length + 1;
    }
    return GZ_EXIT_FINE;
}

static graze_load_options load_options(const gz_robot_input *input, load_scratch *scratch) {
    graze_load_options options = graze_load_options_default();
    options.use_environment = 1;
    options.packages = scratch->packages;
    options.package_count = input->packages.count;
    options.package_path = input->package_path;
    options.srdf = input->srdf;
    options.collada = (graze_collada)input->collada;
    options.use_visual = (graze_use_visual)input->use_visual;
    options.reader = (graze_mesh_reader)input->reader;
    options.limits = (graze_limits){.file_bytes = input->max_bytes,
                                    .memory_bytes = input->max_memory,
                                    .depth = (uint32_t)input->max_depth,
                                    .elements = (uint32_t)input->max_elements,
                                    .triangles = input->max_triangles};
    // One that is nowhere is an error where it is needed.
    gz_program_path_find("graze-import", scratch->importer, sizeof scratch->importer);
    options.importer = scratch->importer;
    if (input->no_sandbox) options.importer_in_process = &gz_importer_in_process;
    return options;
}

static int load_stdin(gz_robot_input *input, const graze_load_options *options) {
    char *text = NULL;
    size_t size = 0;
    graze_error error;
    int status = gz_text_input_read_stdin(input->max_bytes, &text, &size);
    if (status == GZ_EXIT_FINE) {
        graze_status loaded = graze_robot_load_urdf_memory(&input->robot, text, size, "<stdin>",
                                                           NULL, options, &error);
        if (loaded != GRAZE_OK) status = gz_message_error(input->command, &error);
    }
    gz_storage_free(text);
    return status;
}

/// A compiled file was read with its options; others cannot be heeded any more.
static int open_compiled(gz_robot_input *input, const char *path) {
    const char *option = input->srdf != NULL      ? "srdf"
                         : input->collada != 0    ? "collada"
                         : input->use_visual != 0 ? "use-visual"
                         : input->reader != 0     ? "reader"
                                                  : NULL;
    if (option != NULL) {
        return gz_message_usage(input->command,
                                "--%s with the compiled robot %s; allowed: in graze compile",
                                option, path);
    }
    graze_error error;
    graze_status status = graze_compiled_open(&input->compiled, path, &error);
    if (status == GRAZE_OK) status = graze_compiled_robot(input->compiled, &input->robot, &error);
    return status == GRAZE_OK ? GZ_EXIT_FINE : gz_message_error(input->command, &error);
}

int gz_robot_input_load(gz_robot_input *input, const char *path, graze_visuals visuals) {
    load_scratch scratch = {0};
    graze_error error;
    int status = split_packages(input, &scratch);
    if (status == GZ_EXIT_FINE) {
        graze_load_options options = load_options(input, &scratch);
        options.visuals = visuals;
        if (strcmp(path, "-") == 0)
            status = load_stdin(input, &options);
        else if (graze_compiled_recognise_file(path))
            status = open_compiled(input, path);
        else if (graze_robot_load_urdf(&input->robot, path, &options, &error) != GRAZE_OK)
            status = gz_message_error(input->command, &error);
    }
    scratch_free(&scratch);
    if (status != GZ_EXIT_FINE || input->quiet) return status;
    for (size_t i = 0; i < graze_robot_warning_count(input->robot); i++) {
        graze_warning warning = graze_robot_warning(input->robot, i);
        gz_message_warning(&warning);
    }
    return GZ_EXIT_FINE;
}

graze_status gz_robot_input_read_mesh(const gz_robot_input *input, const char *path,
                                      graze_mesh_reader reader, graze_world **world,
                                      graze_error *error) {
    load_scratch scratch = {0};
    graze_load_options options = load_options(input, &scratch);
    options.reader = reader;
    options.collada = GRAZE_COLLADA_ROS;
    options.package_count = 0;
    graze_status status = graze_world_create(world, "mesh", error);
    return status ? status : graze_world_add_file(*world, path, &options, error);
}

static graze_status lint_file(gz_robot_input *input, const char *path,
                              const graze_lint_options *lint, graze_lint_report **report,
                              int *status, graze_error *error) {
    if (strcmp(path, "-") != 0) return graze_lint_urdf(report, path, lint, error);
    char *text = NULL;
    size_t size = 0;
    graze_status done = GRAZE_OK;
    *status = gz_text_input_read_stdin(input->max_bytes, &text, &size);
    if (*status == GZ_EXIT_FINE)
        done = graze_lint_urdf_memory(report, text, size, "<stdin>", NULL, lint, error);
    gz_storage_free(text);
    return done;
}

int gz_robot_input_lint(gz_robot_input *input, const char *path, graze_lint_options *lint,
                        graze_lint_report **report) {
    load_scratch scratch = {0};
    graze_error error;
    int status = split_packages(input, &scratch);
    if (status == GZ_EXIT_FINE) {
        lint->load = load_options(input, &scratch);
        if (lint_file(input, path, lint, report, &status, &error) != GRAZE_OK)
            status = gz_message_error(input->command, &error);
    }
    scratch_free(&scratch);
    return status;
}

/// Adds every file of --world to one world and commits it.
static int build_world(gz_robot_input *input, const graze_load_options *options) {
    graze_error error;
    graze_status status = graze_world_create(&input->world, "world", &error);
    for (size_t i = 0; status == GRAZE_OK && i < input->worlds.count; i++)
        status = graze_world_add_file(input->world, input->worlds.items[i], options, &error);
    if (status == GRAZE_OK) status = graze_world_commit(input->world, &error);
    return status == GRAZE_OK ? GZ_EXIT_FINE : gz_message_error(input->command, &error);
}

/// Takes the world of a compiled file.
static int open_world(gz_robot_input *input, const graze_compiled *compiled) {
    graze_error error;
    return graze_compiled_world(compiled, &input->world, &error) == GRAZE_OK
               ? GZ_EXIT_FINE
               : gz_message_error(input->command, &error);
}

/// --world FILE.graze.
static int open_world_file(gz_robot_input *input, const char *path) {
    if (input->worlds.count > 1) {
        return gz_message_usage(
            input->command, "--world %s is a compiled world; allowed: no other beside it", path);
    }
    graze_compiled *compiled;
    graze_error error;
    if (graze_compiled_open(&compiled, path, &error) != GRAZE_OK)
        return gz_message_error(input->command, &error);
    int status = open_world(input, compiled);
    graze_compiled_close(compiled);
    return status;
}

int gz_robot_input_load_world(gz_robot_input *input) {
    bool own = input->compiled != NULL && graze_compiled_has_world(input->compiled);
    if (own && input->worlds.count > 0) {
        return gz_message_usage(input->command,
                                "--world with a compiled file that holds a world; allowed: one of "
                                "them");
    }
    if (own) return open_world(input, input->compiled);
    for (size_t i = 0; i < input->worlds.count; i++) {
        const char *path = input->worlds.items[i];
        if (graze_compiled_recognise_file(path)) return open_world_file(input, path);
    }
    if (input->worlds.count == 0) return GZ_EXIT_FINE;
    load_scratch scratch = {0};
    int status = split_packages(input, &scratch);
    if (status == GZ_EXIT_FINE) {
        graze_load_options options = load_options(input, &scratch);
        options.srdf = NULL;
        status = build_world(input, &options);
    }
    scratch_free(&scratch);
    if (status != GZ_EXIT_FINE || input->quiet) return status;
    for (size_t i = 0; i < graze_world_warning_count(input->world); i++) {
        graze_warning warning = graze_world_warning(input->world, i);
        gz_message_warning(&warning);
    }
    return GZ_EXIT_FINE;
}

// ------------------------------------------------------------------------------------ checker

int gz_robot_input_check_domain(const gz_robot_input *input) {
    if (input->domain <= 0x1p20) return GZ_EXIT_FINE; // no vertex may be farther out
    return gz_message_usage(input->command, "--domain is %g; allowed: above 0 and at most 2^20",
                            input->domain);
}

static int make_checker(gz_robot_input *input) {
    graze_checker_options options = graze_checker_options_default();
    gz_checker_rules rules = {0};
    int status = gz_checker_rules_read(&rules, input, &options);
    if (status == GZ_EXIT_FINE) status = gz_robot_input_check_domain(input);
    // Any margin above 0 and below epsilon counts as epsilon.
    bool least = input->least_margin && isnan(options.margin) &&
                 isnan(graze_robot_default_margin(input->robot));
    if (least) options.margin = DBL_MIN;
    options.domain = input->domain;
    options.level = (graze_level)input->level;
    options.no_self = input->no_self ? 1 : 0;
    options.no_world = input->no_world ? 1 : 0;
    graze_error error;
    if (status == GZ_EXIT_FINE && graze_checker_create(&input->checker, input->robot, input->world,
                                                       &options, &error) != GRAZE_OK)
        status = gz_message_error(input->command, &error);
    gz_checker_rules_free(&rules);
    return status;
}

int gz_robot_input_prepare(gz_robot_input *input, const char *path, graze_visuals visuals,
                           const gz_posture_options *posture, const char *q, bool is_one) {
    int status = gz_robot_input_load(input, path, visuals);
    if (status == GZ_EXIT_FINE) status = gz_robot_input_load_world(input);
    if (status == GZ_EXIT_FINE) status = gz_attach_input_apply(input, posture, q, is_one);
    if (status == GZ_EXIT_FINE) status = make_checker(input);
    return status;
}

void gz_robot_input_free(gz_robot_input *input) {
    graze_checker_free(input->checker);
    graze_world_free(input->world);
    graze_robot_free(input->robot);
    graze_compiled_close(input->compiled);
    gz_texts_free(&input->packages);
    gz_texts_free(&input->worlds);
    gz_texts_free(&input->allowed);
    gz_texts_free(&input->policies);
    gz_texts_free(&input->margins);
    gz_texts_free(&input->attached);
    *input = (gz_robot_input){0};
}
