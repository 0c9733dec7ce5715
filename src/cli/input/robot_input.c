#include "cli/input/robot_input.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/importer_path.h"
#include "cli/message.h"
#include "cli/text.h"
#include "import/in_process.h"

static const char *const collada_names[] = {"ros", "spec", "moveit", NULL};
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

static void fill_rules(gz_robot_input *input, gz_option options[7]) {
    const gz_option table[7] = {
        gz_option_choice("level", &input->level, "LEVEL", level_names,
                         "mesh (default): triangles and shapes; bounds: as\n"
                         "KinEval, a bounding-volume verdict, no self-collision"),
        gz_option_texts("policy", &input->policies, "[NAME=]POLICY",
                        "solid (default): a part inside a closed one collides;\n"
                        "surface: only surfaces count; cap: as solid, and open\n"
                        "meshes hold what is inside them; NAME=: of one link or\n"
                        "object (repeatable)"),
        gz_option_texts("margin", &input->margins, "[A[,B]=]M",
                        "no farther apart than M metres collides (default 0,\n"
                        "the exact verdict; of plan: epsilon; else the SRDF's);\n"
                        "A,B=: of a pair, A=: of a link or object (repeatable)"),
        gz_option_flag("no-self", &input->no_self, "leave out link against link"),
        gz_option_flag("no-world", &input->no_world, "leave out the world and its boundary"),
        gz_option_texts("allow", &input->allowed, "A,B",
                        "two links, or a link and an object, may touch\n(repeatable)"),
        gz_option_number("domain", &input->domain, "M",
                         "with a margin: coordinates may be up to M metres\n"
                         "(default 100); epsilon grows with M"),
    };
    memcpy(options, table, sizeof table);
}

static void fill_attached(gz_robot_input *input, gz_option options[2]) {
    const gz_option table[2] = {
        gz_option_texts("attach", &input->attached, "OBJECT=LINK[:touch=A,B]",
                        "a link carries an object of the world, which leaves\n"
                        "it; links A,B may touch it (repeatable, in order)"),
        gz_option_text("attach-at", &input->attach_at, "Q",
                       "the configuration in which it is grasped: numbers\n"
                       "for all of q, or joint=value,... (check: -q, if given)"),
    };
    memcpy(options, table, sizeof table);
}

static void fill_robot(gz_robot_input *input, gz_option options[5]) {
    const gz_option table[5] = {
        gz_option_reads(gz_option_text("srdf", &input->srdf, "FILE",
                                       "the robot's SRDF: disabled pairs, groups, states")),
        gz_option_texts("package", &input->packages, "NAME=DIR",
                        "package://NAME/ is DIR/ (repeatable)"),
        gz_option_text("package-path", &input->package_path, "DIR[:DIR]",
                       "folders that hold packages"),
        gz_option_choice("collada", &input->collada, "PROFILE", collada_names,
                         "transforms of .dae files: ros (default; the unit\n"
                         "counts, the up axis does not), spec, moveit"),
        gz_option_choice("use-visual", &input->use_visual, "WHEN", use_visual_names,
                         "visual geometry stands in for collision geometry:\n"
                         "never (default), missing, always"),
    };
    memcpy(options, table, sizeof table);
}

static void fill_limits(gz_robot_input *input, gz_option options[7]) {
    const gz_option table[7] = {
        gz_option_count("max-bytes", &input->max_bytes, "N", 1, INT64_MAX,
                        "largest file that is read (default 256 MiB)"),
        gz_option_count("max-memory", &input->max_memory, "N", 1, INT64_MAX,
                        "bytes that one load may allocate (default 4 GiB)"),
        gz_option_count("max-depth", &input->max_depth, "N", 1, 10000,
                        "nesting of a file's elements (default 64)"),
        gz_option_count("max-elements", &input->max_elements, "N", 1, UINT32_MAX,
                        "links, joints, geometries, objects, each\n(default 100000)"),
        gz_option_count("max-triangles", &input->max_triangles, "N", 1, INT64_MAX,
                        "triangles of all meshes (default 64000000)"),
        gz_option_flag("no-sandbox", &input->no_sandbox,
                       "let assimp read .dae files, to compare, in this\n"
                       "process, not in a confined one: for trusted files"),
        gz_option_flag("quiet", &input->quiet, "no warnings, no summary, no progress"),
    };
    memcpy(options, table, sizeof table);
}

#define SECTION(title, options)                                                                    \
    (gz_option_section) {                                                                          \
        title, options, sizeof(options) / sizeof *(options)                                        \
    }

void gz_robot_input_options(gz_robot_input *input, gz_robot_options *options) {
    gz_robot_options *o = options;
    fill_rules(input, o->of_rules);
    o->of_world[0] = gz_option_reads(
        gz_option_texts("world", &input->worlds, "FILE",
                        "obstacles: graze world (.json), URDF as scenery,\n"
                        "MoveIt .scene or .yaml, or a mesh (repeatable)"));
    fill_attached(input, o->of_attached);
    fill_robot(input, o->of_robot);
    fill_limits(input, o->of_limits);
    o->rules = SECTION("rules", o->of_rules);
    o->world = SECTION("world", o->of_world);
    o->attached = SECTION("attached bodies", o->of_attached);
    o->robot = SECTION("robot", o->of_robot);
    o->limits = SECTION("limits and messages", o->of_limits);
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
        if (equals == NULL || equals == text || equals[1] == '\0') {
            return gz_message_usage(input->command, "--package is '%s'; allowed: NAME=DIR", text);
        }
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
    options.limits = (graze_limits){.file_bytes = input->max_bytes,
                                    .memory_bytes = input->max_memory,
                                    .depth = (uint32_t)input->max_depth,
                                    .elements = (uint32_t)input->max_elements,
                                    .triangles = input->max_triangles};
    gz_importer_path_find(scratch->importer, sizeof scratch->importer);
    options.importer = scratch->importer;
    if (input->no_sandbox) options.importer_in_process = &gz_importer_in_process;
    return options;
}

/// Reads all of standard input, up to the limit on one file.
static int read_stdin(const gz_robot_input *input, char **text, size_t *size) {
    size_t capacity = 0;
    *text = NULL;
    *size = 0;
    for (;;) {
        if (!gz_storage_reserve((void **)text, &capacity, *size + 65536, 1)) {
            return gz_message_no_memory();
        }
        size_t got = fread(*text + *size, 1, capacity - *size, stdin);
        *size += got;
        if (*size > input->max_bytes) {
            gz_message("<stdin>: more than %llu bytes; allowed by --max-bytes: %llu",
                       (unsigned long long)input->max_bytes, (unsigned long long)input->max_bytes);
            return GZ_EXIT_LIMIT;
        }
        // A signal that interrupts a read, and is not there to end the program, ends no input.
        bool resumes = got == 0 && ferror(stdin) != 0 && errno == EINTR && !gz_interrupted();
        if (resumes) clearerr(stdin);
        if (got == 0 && !resumes) break;
    }
    if (ferror(stdin) == 0) return GZ_EXIT_FINE;
    gz_message("<stdin>: cannot be read: %s", strerror(errno));
    return GZ_EXIT_INPUT;
}

static int load_stdin(gz_robot_input *input, const graze_load_options *options) {
    char *text = NULL;
    size_t size = 0;
    graze_error error;
    int status = read_stdin(input, &text, &size);
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
        if (strcmp(path, "-") == 0) {
            status = load_stdin(input, &options);
        } else if (graze_compiled_recognise_file(path)) {
            status = open_compiled(input, path);
        } else if (graze_robot_load_urdf(&input->robot, path, &options, &error) != GRAZE_OK) {
            status = gz_message_error(input->command, &error);
        }
    }
    scratch_free(&scratch);
    if (status != GZ_EXIT_FINE || input->quiet) return status;
    for (size_t i = 0; i < graze_robot_warning_count(input->robot); i++) {
        graze_warning warning = graze_robot_warning(input->robot, i);
        gz_message_warning(&warning);
    }
    return GZ_EXIT_FINE;
}

static graze_status lint_file(gz_robot_input *input, const char *path,
                              const graze_lint_options *lint, graze_lint_report **report,
                              int *status, graze_error *error) {
    if (strcmp(path, "-") != 0) return graze_lint_urdf(report, path, lint, error);
    char *text = NULL;
    size_t size = 0;
    graze_status done = GRAZE_OK;
    *status = read_stdin(input, &text, &size);
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
    for (size_t i = 0; status == GRAZE_OK && i < input->worlds.count; i++) {
        status = graze_world_add_file(input->world, input->worlds.items[i], options, &error);
    }
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
    if (graze_compiled_open(&compiled, path, &error) != GRAZE_OK) {
        return gz_message_error(input->command, &error);
    }
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

/// Splits "A,B" of --allow; the two names lie in `text`, which is a copy.
static bool split_pair(char *text, graze_allowed_pair *pair) {
    char *comma = strchr(text, ',');
    if (comma == NULL || comma == text || comma[1] == '\0' || strchr(comma + 1, ',') != NULL) {
        return false;
    }
    *comma = '\0';
    *pair = (graze_allowed_pair){.a = text, .b = comma + 1};
    return true;
}

/// Whether the SRDF says how far apart everything must be.
static bool has_default_margin(const graze_robot *robot) {
    return !isnan(graze_robot_default_margin(robot));
}

static int make_checker(gz_robot_input *input, const gz_policy_input *policies,
                        const gz_margin_input *margins, graze_allowed_pair *pairs, char *names) {
    for (size_t i = 0; i < input->allowed.count; i++) {
        const char *text = input->allowed.items[i];
        size_t size = strlen(text) + 1;
        memcpy(names, text, size);
        if (!split_pair(names, &pairs[i])) {
            return gz_message_usage(input->command, "--allow is '%s'; allowed: two names, A,B",
                                    text);
        }
        names += size;
    }
    int wrong = gz_robot_input_check_domain(input);
    if (wrong != GZ_EXIT_FINE) return wrong;
    graze_checker_options options = graze_checker_options_default();
    options.domain = input->domain;
    options.level = (graze_level)input->level;
    options.policy = policies->all;
    options.policies = policies->items;
    options.policy_count = policies->count;
    options.margin = margins->all;
    options.margins = margins->items;
    options.margin_count = margins->count;
    // Any margin above 0 and below epsilon counts as epsilon.
    if (input->least_margin && isnan(margins->all) && !has_default_margin(input->robot))
        options.margin = DBL_MIN;
    options.no_self = input->no_self ? 1 : 0;
    options.no_world = input->no_world ? 1 : 0;
    options.allowed = pairs;
    options.allowed_count = input->allowed.count;
    graze_error error;
    graze_status status = graze_checker_create(&input->checker, input->robot, input->world,
                                               &options, &error);
    return status == GRAZE_OK ? GZ_EXIT_FINE : gz_message_error(input->command, &error);
}

int gz_robot_input_make_checker(gz_robot_input *input) {
    size_t bytes = 0;
    for (size_t i = 0; i < input->allowed.count; i++) bytes += strlen(input->allowed.items[i]) + 1;
    graze_allowed_pair *pairs = gz_storage_resize(NULL, input->allowed.count, sizeof *pairs);
    char *names = gz_storage_resize(NULL, bytes, 1);
    gz_policy_input policies;
    int status = gz_policy_input_read(&policies, &input->policies, input->command);
    gz_margin_input margins = {0};
    if (status == GZ_EXIT_FINE)
        status = gz_margin_input_read(&margins, &input->margins, input->command);
    if (status == GZ_EXIT_FINE)
        status = pairs != NULL && names != NULL
                     ? make_checker(input, &policies, &margins, pairs, names)
                     : gz_message_no_memory();
    gz_policy_input_free(&policies);
    gz_margin_input_free(&margins);
    gz_storage_free(pairs);
    gz_storage_free(names);
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
