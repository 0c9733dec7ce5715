#include "cli/input/robot_input.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/input/auto_srdf.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/program_path.h"
#include "cli/text.h"

static const char *const collada_names[] = {"ros", "spec", "moveit", "auto", NULL};
static const char *const reader_names[] = {"graze", "assimp", NULL};
static const char *const use_visual_names[] = {"never", "missing", "always", NULL};
static const char *const level_names[] = {"mesh", "bounds", NULL};

gz_robot_input gz_robot_input_default(const char *command) {
    return (gz_robot_input){.command = command,
                            .limits = graze_load_options_default().limits,
                            .import_seconds = graze_load_options_default().importer_seconds,
                            .domain = GRAZE_DOMAIN};
}

/// The options that write into an input.
typedef struct option_tables {
    gz_option posture[4], rules[7], world[1], attached[2], robot[7], limits[10];
} option_tables;

static option_tables make_tables(gz_robot_input *input) {
    static const char joints_help[] = "what the numbers of a configuration are, in order\n"
                                      "(default: all of q, see 'graze info')";
    return (option_tables){
        .posture =
            {
                {"joints", "A,B,...", .text = &input->posture.joints,
                 .help = input->joints_help != NULL ? input->joints_help : joints_help},
                {"rest", "Q", .text = &input->posture.rest,
                 .help = "where joints stay that are not named: numbers,\n"
                         "joint=value,... or a state (default: 0 in the limits)"},
                {"state", "NAME", .text = &input->posture.state,
                 .help = "a group state of the SRDF, NAME or GROUP/NAME,\non top of --rest"},
                {"base", "x,y,z,r,p,y", .text = &input->posture.base,
                 .help = "pose of the root link, m and rad (default: 0)"},
            },
        .rules =
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
        .world = {{"world", "FILE", .texts = &input->worlds, .file = GZ_FILE_READ,
                   .help = "obstacles: graze world (.json), URDF as scenery,\n"
                           "MoveIt .scene or .yaml, or a mesh (repeatable)"}},
        .attached =
            {
                {"attach", "OBJECT=LINK[:touch=A,B]", .texts = &input->attached,
                 .help = "a link carries an object of the world, which leaves\n"
                         "it; links A,B may touch it (repeatable, in order)"},
                {"attach-at", "Q", .text = &input->attach_at,
                 .help = "the configuration in which it is grasped: numbers\n"
                         "for all of q, or joint=value,... (check: -q, if given)"},
            },
        .robot =
            {
                {"srdf", "FILE", .text = &input->srdf,
                 .file = input->srdf_replaced ? GZ_FILE_NONE : GZ_FILE_READ,
                 .help = "the robot's SRDF: disabled pairs, groups, states;\n"
                         "auto: computed in seconds, and kept (graze srdf)"},
                {"package", "NAME=DIR", .texts = &input->packages,
                 .help = "package://NAME/ is DIR/ (repeatable)"},
                {"package-path", "DIR[:DIR]", .text = &input->package_path,
                 .help = "folders that hold packages"},
                {"collada", "PROFILE", .choice = &input->collada, .choices = collada_names,
                 .help = "transforms of .dae files: ros (default; the unit\n"
                         "counts, the up axis does not), spec, moveit; auto: by\n"
                         "which the links fit their joints"},
                {"reader", "READER", .choice = &input->reader, .choices = reader_names,
                 .help = "of mesh files: graze (default; assimp where graze has\n"
                         "none), assimp (for all, as RViz and MoveIt)"},
                {"use-visual", "WHEN", .choice = &input->use_visual, .choices = use_visual_names,
                 .help = "visual geometry stands in for collision geometry:\n"
                         "never (default), missing, always"},
                {"no-visuals", NULL, .flag = &input->no_visuals,
                 .help = "leave visual geometry alone: its meshes are not read"},
            },
        .limits =
            {
                {"max-bytes", "N", .count = &input->limits.file_bytes, .minimum = 1,
                 .maximum = INT64_MAX, .help = "largest file that is read (default 256 MiB)"},
                {"max-memory", "N", .count = &input->limits.memory_bytes, .minimum = 1,
                 .maximum = INT64_MAX, .help = "bytes that one load may allocate (default 4 GiB)"},
                {"max-depth", "N", .count32 = &input->limits.depth, .minimum = 1, .maximum = 10000,
                 .help = "nesting of a file's elements (default 64)"},
                {"max-elements", "N", .count32 = &input->limits.elements, .minimum = 1,
                 .maximum = UINT32_MAX,
                 .help = "links, joints, geometries, objects, each\n(default 100000)"},
                {"max-triangles", "N", .count = &input->limits.triangles, .minimum = 1,
                 .maximum = INT64_MAX, .help = "triangles of all meshes (default 64000000)"},
                {"import-seconds", "N", .count32 = &input->import_seconds, .minimum = 1,
                 .maximum = 86400,
                 .help = "processor time of all graze-import of one load\n(default 60)"},
                {"no-sandbox", NULL, .flag = &input->no_sandbox,
                 .help = "let graze-import read meshes without its filter of\nsystem "
                         "calls: for trusted files"},
                {"verbose", NULL, .flag = &input->verbose,
                 .help = "of files that are not found, list all that was tried"},
                {"quiet", NULL, .flag = &input->quiet,
                 .help = "no warnings, no summary, no progress"},
                {"strict", NULL, .flag = &input->strict,
                 .help = "what loads with a warning is refused: exit status 3"},
            },
    };
}

static void note_outputs(gz_robot_input *input, const gz_option_section *sections, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < sections[i].count; k++) {
            const gz_option *o = &sections[i].options[k];
            if (o->given && o->file == GZ_FILE_WRITTEN && input->output_count < GZ_OUTPUTS)
                input->outputs[input->output_count++] = *o->text;
        }
    }
}

int gz_robot_input_parse(gz_robot_input *input, const gz_command_line *command,
                         const gz_option_section *own, size_t own_count, int argc, char **argv) {
    option_tables t = make_tables(input);
    gz_option_section posture = GZ_SECTION("where joints and base stay", t.posture);
    const gz_option_section rules = GZ_SECTION("rules", t.rules);
    const gz_option_section world = GZ_SECTION("world", t.world);
    const gz_option_section attached = GZ_SECTION("attached bodies", t.attached);
    gz_option_section sections[10];
    size_t count = 0;
    if (input->own_joints) posture = (gz_option_section){posture.title, t.posture + 1, 3};
    for (size_t i = 0; i < own_count; i++) {
        sections[count++] = own[i];
        // Behind the first section of the command: what is checked.
        if (i == 0 && input->shared == GZ_SHARED_CHECKER && !input->no_posture)
            sections[count++] = posture;
    }
    if (input->shared == GZ_SHARED_CHECKER) sections[count++] = rules;
    if (input->shared != GZ_SHARED_ROBOT) sections[count++] = world;
    if (input->shared == GZ_SHARED_CHECKER) sections[count++] = attached;
    sections[count++] = (gz_option_section)GZ_SECTION("robot", t.robot);
    // Last in its table: --strict.
    const size_t limits = sizeof t.limits / sizeof *t.limits - (input->own_strict ? 1 : 0);
    sections[count++] = (gz_option_section){"limits and messages", t.limits, limits};
    int status = gz_command_line_parse(command, &input->path, sections, count, argc, argv);
    if (status == GZ_GO_ON) note_outputs(input, own, own_count);
    return status;
}

void *gz_robot_input_keep(gz_robot_input *input, size_t count, size_t size) {
    if (!gz_array_reserve((void **)&input->kept, &input->kept_capacity, input->kept_count + 1,
                          sizeof *input->kept))
        return NULL;
    return input->kept[input->kept_count++] = gz_calloc(count, size);
}

char *gz_robot_input_keep_text(gz_robot_input *input, const char *text, size_t length) {
    char *copy = gz_robot_input_keep(input, length + 1, 1);
    if (copy != NULL) memcpy(copy, text, length);
    return copy;
}

// ------------------------------------------------------------------------------------ loading

typedef char importer_path[GRAZE_PATH_SIZE + 32];

/// The options of loading; the path of the importer is written to `importer`.
static graze_load_options load_options(const gz_robot_input *input, importer_path importer) {
    graze_load_options options = graze_load_options_default();
    options.use_environment = 1;
    options.package_path = input->package_path;
    options.srdf = input->srdf;
    options.collada = (graze_collada)input->collada;
    options.use_visual = (graze_use_visual)input->use_visual;
    options.reader = (graze_mesh_reader)input->reader;
    options.limits = input->limits;
    options.importer_seconds = input->import_seconds;
    options.list_tried = input->verbose ? 1 : 0;
    // One that is nowhere is an error where it is needed.
    gz_program_path_find("graze-import", importer, sizeof(importer_path));
    options.importer = importer;
    options.importer_unconfined = input->no_sandbox;
    return options;
}

/// Splits every "NAME=DIR" of --package.
static int add_packages(gz_robot_input *input, graze_load_options *options) {
    graze_package *packages = gz_robot_input_keep(input, input->packages.count, sizeof *packages);
    if (packages == NULL) return gz_message_no_memory();
    options->packages = packages;
    for (size_t i = 0; i < input->packages.count; i++) {
        const char *text = input->packages.items[i], *equals = strchr(text, '=');
        if (equals == NULL || equals == text || equals[1] == '\0')
            return gz_message_usage(input->command, "--package is '%s'; allowed: NAME=DIR", text);
        char *name = gz_robot_input_keep_text(input, text, (size_t)(equals - text));
        if (name == NULL) return gz_message_no_memory();
        packages[options->package_count++] = (graze_package){.name = name, .dir = equals + 1};
    }
    return GZ_EXIT_FINE;
}

/// What errors call a robot that is no file.
static const char *text_name(const gz_robot_input *input) {
    return input->text != NULL ? "<dropped>" : "<stdin>";
}

/// Reads standard input, or what was given in its place, where it is ROBOT; else *text stays NULL.
static int read_stdin(const gz_robot_input *input, char **text, size_t *size) {
    *text = NULL;
    if (strcmp(input->path, "-") != 0) return GZ_EXIT_FINE;
    if (input->text != NULL) {
        *size = input->text_size;
        *text = gz_malloc(*size + 1, 1);
        if (*text == NULL) return gz_message_no_memory();
        memcpy(*text, input->text, *size);
        (*text)[*size] = '\0';
        return GZ_EXIT_FINE;
    }
    return gz_text_input_read(NULL, input->limits.file_bytes, text, size);
}

/// A compiled file was read with its options; others cannot be heeded any more.
static int open_compiled(gz_robot_input *input, const char *path) {
    const char *option = input->srdf != NULL      ? "srdf"
                         : input->collada != 0    ? "collada"
                         : input->use_visual != 0 ? "use-visual"
                         : input->reader != 0     ? "reader"
                                                  : NULL;
    if (option != NULL)
        return gz_message_usage(input->command,
                                "--%s with the compiled robot %s; allowed: in graze compile",
                                option, path);
    graze_error error;
    graze_status status = graze_compiled_open(&input->compiled, path, &error);
    if (status == GRAZE_OK) status = graze_compiled_robot(&input->robot, input->compiled, &error);
    return gz_message_outcome(input->command, status, &error);
}

/// The description of a robot that is one mesh file, its name that of the file; NULL where the file
/// has no ending of one, and *status where memory is out.
static char *wrap_mesh(const gz_robot_input *input, int *status) {
    static const char *const endings[] = {"stl", "obj", "ply", "dae", "gltf", "glb",
                                          "off", "3ds", "fbx", "x3d", "lwo",  "ac"};
    const char *slash = strrchr(input->path, '/'), *name = slash ? slash + 1 : input->path;
    const char *dot = strrchr(name, '.');
    bool is_mesh = false;
    for (size_t i = 0; input->mesh_allowed && dot != NULL && i < GZ_COUNT(endings); i++)
        is_mesh |= strcasecmp(dot + 1, endings[i]) == 0;
    if (!is_mesh) return NULL;
    char *file = gz_text_escape_xml(input->path), *own = gz_text_escape_xml(name), *text = NULL;
    if (file != NULL && own != NULL)
        text = gz_string_format("<robot name=\"%s\"><link name=\"mesh\"><collision><geometry><mesh "
                                "filename=\"%s\"/></geometry></collision></link></robot>",
                                own, file);
    gz_free(file);
    gz_free(own);
    if (text == NULL) *status = gz_message_no_memory();
    return text;
}

/// Whether a mesh or cloud is none of the outputs; prints which one it is.
static int check_file(const gz_robot_input *input, const graze_geometry *geometry) {
    for (size_t i = 0; geometry->file != NULL && i < input->output_count; i++)
        if (gz_output_replaces(input->outputs[i], geometry->file))
            return gz_message_usage(input->command,
                                    "an output is '%s', which is read as the mesh %s; allowed: an "
                                    "output that is no input",
                                    input->outputs[i], geometry->uri);
    return GZ_EXIT_FINE;
}

/// check_file() for all that a robot names. A compiled one was made of its meshes; it reads none.
static int check_robot_files(const gz_robot_input *input) {
    size_t collisions = graze_robot_collision_count(input->robot);
    size_t count = collisions + graze_robot_visual_count(input->robot);
    for (size_t i = 0; input->compiled == NULL && input->output_count && i < count; i++) {
        graze_geometry g;
        graze_status status = i < collisions ? graze_robot_collision(input->robot, i, &g)
                                             : graze_robot_visual(input->robot, i - collisions, &g);
        if (status == GRAZE_OK) GZ_TRY_EXIT(check_file(input, &g));
    }
    return GZ_EXIT_FINE;
}

static bool shows_warnings(const gz_robot_input *input) {
    return !input->quiet || input->strict;
}

/// With --strict, so many warnings are an error.
static int refuse_warnings(const gz_robot_input *input, size_t count) {
    if (!input->strict || count == 0) return GZ_EXIT_FINE;
    gz_message("%zu warning%s; allowed with --strict: none", count, count == 1 ? "" : "s");
    return GZ_EXIT_INPUT;
}

/// Loads the robot from a text, or its file where that is NULL.
static graze_status load_robot(gz_robot_input *input, const char *text, size_t size, bool is_mesh,
                               const graze_load_options *options, graze_error *error) {
    if (text == NULL) return graze_robot_load_urdf(&input->robot, input->path, options, error);
    return graze_robot_load_urdf_memory(
        &input->robot, text, size, is_mesh ? input->path : text_name(input), NULL, options, error);
}

/// load_robot(), and once more with its own SRDF for --srdf auto. Prints what is wrong.
static int load_twice(gz_robot_input *input, const char *text, size_t size, bool is_mesh,
                      graze_load_options *options) {
    graze_error error;
    bool own = gz_auto_srdf_wanted(input);
    if (own) options->srdf = NULL;
    graze_status loaded = load_robot(input, text, size, is_mesh, options, &error);
    if (own && loaded == GRAZE_OK) {
        GZ_TRY_EXIT(gz_auto_srdf_find(input, input->robot, &options->srdf));
        graze_robot_free(input->robot);
        input->robot = NULL;
        loaded = load_robot(input, text, size, is_mesh, options, &error);
    }
    return gz_message_outcome(input->command, loaded, &error);
}

int gz_robot_input_load(gz_robot_input *input, graze_visuals visuals) {
    importer_path importer;
    graze_load_options options = load_options(input, importer);
    char *text = NULL;
    size_t size = 0;
    options.visuals = input->no_visuals ? GRAZE_VISUALS_SKIP : visuals;
    GZ_TRY_EXIT(add_packages(input, &options));
    GZ_TRY_EXIT(read_stdin(input, &text, &size));
    bool is_mesh = false;
    if (text == NULL) {
        int status = GZ_EXIT_FINE;
        text = wrap_mesh(input, &status);
        GZ_TRY_EXIT(status);
        is_mesh = text != NULL;
        size = is_mesh ? strlen(text) : 0;
    }
    if (text == NULL && graze_compiled_recognise_file(input->path)) {
        GZ_TRY_EXIT(open_compiled(input, input->path));
    } else {
        int status = load_twice(input, text, size, is_mesh, &options);
        gz_free(text);
        GZ_TRY_EXIT(status);
    }
    GZ_TRY_EXIT(check_robot_files(input));
    size_t warnings = input->warned ? 0 : graze_robot_warning_count(input->robot);
    input->warned = true;
    for (size_t i = 0; shows_warnings(input) && i < warnings; i++)
        gz_message_warning(graze_robot_warning(input->robot, i));
    return refuse_warnings(input, warnings);
}

int gz_robot_input_load_visuals(gz_robot_input *input, graze_robot **robot) {
    *robot = NULL;
    if (strcmp(input->path, "-") == 0 || graze_compiled_recognise_file(input->path))
        return GZ_EXIT_FINE;
    GZ_TRY_EXIT(gz_robot_input_load(input, GRAZE_VISUALS_LOAD));
    *robot = input->robot;
    input->robot = NULL;
    return GZ_EXIT_FINE;
}

graze_status gz_robot_input_read_mesh(const gz_robot_input *input, const char *path,
                                      graze_mesh_reader reader, graze_world **world,
                                      graze_error *error) {
    importer_path importer;
    graze_load_options options = load_options(input, importer);
    options.reader = reader;
    options.collada = GRAZE_COLLADA_ROS;
    graze_status status = graze_world_create(world, "mesh", error);
    return status ? status : graze_world_add_file(*world, path, &options, error);
}

int gz_robot_input_load_problems(gz_robot_input *input, const char *path,
                                 graze_problems **problems) {
    importer_path importer;
    graze_load_options options = load_options(input, importer);
    graze_error error;
    GZ_TRY_EXIT(add_packages(input, &options));
    graze_status status = graze_problems_load(problems, input->robot, path, &options, &error);
    return gz_message_outcome(input->command, status, &error);
}

int gz_robot_input_lint(gz_robot_input *input, const graze_lint_options *lint,
                        graze_lint_report **report) {
    importer_path importer;
    char *text = NULL;
    size_t size = 0;
    graze_error error;
    graze_load_options load = load_options(input, importer);
    if (gz_auto_srdf_wanted(input))
        return gz_message_usage(input->command, "--srdf is 'auto'; allowed: a file");
    if (input->no_visuals) load.visuals = GRAZE_VISUALS_SKIP;
    GZ_TRY_EXIT(add_packages(input, &load));
    graze_lint_options options = *lint;
    options.load = &load;
    GZ_TRY_EXIT(read_stdin(input, &text, &size));
    graze_status done = text != NULL ? graze_lint_urdf_memory(report, text, size, text_name(input),
                                                              NULL, &options, &error)
                                     : graze_lint_urdf(report, input->path, &options, &error);
    gz_free(text);
    return gz_message_outcome(input->command, done, &error);
}

/// Adds every file of --world to one world and commits it.
static graze_status build_world(gz_robot_input *input, const graze_load_options *options,
                                graze_error *error) {
    GZ_TRY(graze_world_create(&input->world, "world", error));
    for (size_t i = 0; i < input->worlds.count; i++)
        GZ_TRY(graze_world_add_file(input->world, input->worlds.items[i], options, error));
    return graze_world_commit(input->world, error);
}

/// --world FILE.graze.
static graze_status open_world(gz_robot_input *input, const char *path, graze_error *error) {
    graze_compiled *compiled;
    GZ_TRY(graze_compiled_open(&compiled, path, error));
    graze_status status = graze_compiled_world(&input->world, compiled, error);
    graze_compiled_close(compiled);
    return status;
}

int gz_robot_input_load_world(gz_robot_input *input) {
    const gz_texts *worlds = &input->worlds;
    bool own = input->compiled != NULL && graze_compiled_has_world(input->compiled);
    const char *compiled = NULL;
    for (size_t i = 0; !own && compiled == NULL && i < worlds->count; i++)
        if (graze_compiled_recognise_file(worlds->items[i])) compiled = worlds->items[i];
    if (own && worlds->count > 0)
        return gz_message_usage(input->command,
                                "--world with a compiled file that holds a world; allowed: one of "
                                "them");
    if (compiled != NULL && worlds->count > 1)
        return gz_message_usage(input->command,
                                "--world %s is a compiled world; allowed: no other beside it",
                                compiled);
    if (!own && worlds->count == 0) return GZ_EXIT_FINE;
    importer_path importer;
    graze_load_options options = load_options(input, importer);
    graze_error error;
    options.srdf = NULL;
    GZ_TRY_EXIT(add_packages(input, &options));
    graze_status made = own ? graze_compiled_world(&input->world, input->compiled, &error)
                        : compiled != NULL ? open_world(input, compiled, &error)
                                           : build_world(input, &options, &error);
    GZ_TRY_EXIT(gz_message_outcome(input->command, made, &error));
    for (size_t i = 0; !own && compiled == NULL && i < graze_world_object_count(input->world);
         i++) {
        graze_geometry g;
        if (graze_world_object(input->world, i, &g) == GRAZE_OK) GZ_TRY_EXIT(check_file(input, &g));
    }
    // Those of a compiled world were told when it was compiled.
    if (own || compiled != NULL) return GZ_EXIT_FINE;
    size_t warnings = graze_world_warning_count(input->world);
    for (size_t i = 0; shows_warnings(input) && i < warnings; i++)
        gz_message_warning(graze_world_warning(input->world, i));
    return refuse_warnings(input, warnings);
}

// ------------------------------------------------------------------------------------ checker

int gz_robot_input_check_domain(const gz_robot_input *input) {
    if (input->domain <= 0x1p20) return GZ_EXIT_FINE; // no vertex may be farther out
    return gz_message_usage(input->command, "--domain is %g; allowed: above 0 and at most 2^20",
                            input->domain);
}

static int make_checker(gz_robot_input *input) {
    graze_checker_options options = graze_checker_options_default();
    GZ_TRY_EXIT(gz_checker_rules_read(input, &options));
    GZ_TRY_EXIT(gz_robot_input_check_domain(input));
    // Any margin above 0 and below epsilon counts as epsilon.
    bool least = input->least_margin && isnan(options.margin) &&
                 isnan(graze_robot_default_margin(input->robot));
    if (least) options.margin = DBL_MIN;
    options.domain = input->domain;
    options.level = (graze_level)input->level;
    options.no_self = input->no_self ? 1 : 0;
    options.no_world = input->no_world ? 1 : 0;
    graze_error error;
    graze_status made = graze_checker_create(&input->checker, input->robot, input->world, &options,
                                             &error);
    return gz_message_outcome(input->command, made, &error);
}

int gz_robot_input_prepare(gz_robot_input *input, graze_visuals visuals, const char *q,
                           bool is_one) {
    GZ_TRY_EXIT(gz_robot_input_load(input, visuals));
    GZ_TRY_EXIT(gz_robot_input_load_world(input));
    GZ_TRY_EXIT(gz_attach_input_apply(input, q, is_one));
    return make_checker(input);
}

int gz_robot_input_change_world(gz_robot_input *input, const char *path, bool silent) {
    gz_texts *worlds = &input->worlds;
    bool got = gz_array_reserve((void **)&worlds->items, &worlds->capacity, worlds->count + 1,
                                sizeof *worlds->items);
    if (!got) return gz_message_no_memory();
    graze_checker_free(input->checker);
    graze_world_free(input->world);
    input->checker = NULL;
    input->world = NULL;
    bool quiet = input->quiet;
    input->quiet = quiet || silent;
    worlds->items[worlds->count++] = path;
    int status = gz_robot_input_load_world(input);
    worlds->count--;
    input->quiet = quiet;
    return status == GZ_EXIT_FINE ? make_checker(input) : status;
}

void gz_robot_input_unload(gz_robot_input *input) {
    graze_checker_free(input->checker);
    graze_world_free(input->world);
    graze_robot_free(input->robot);
    graze_compiled_close(input->compiled);
    for (size_t i = 0; i < input->kept_count; i++) gz_free(input->kept[i]);
    input->checker = NULL;
    input->world = NULL;
    input->robot = NULL;
    input->compiled = NULL;
    input->kept_count = 0;
    input->warned = false;
}

void gz_robot_input_free(gz_robot_input *input) {
    gz_robot_input_unload(input);
    gz_texts *const lists[] = {&input->packages, &input->worlds,  &input->allowed,
                               &input->policies, &input->margins, &input->attached};
    for (size_t i = 0; i < GZ_COUNT(lists); i++) gz_texts_free(lists[i]);
    gz_free(input->kept);
    *input = (gz_robot_input){0};
}
