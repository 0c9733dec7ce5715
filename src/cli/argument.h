/// The command line: tables of options, read strictly, and the help that is printed from them.
///
/// An option is known by its whole name only; getopt_long would take every unique beginning, and a
/// script that relies on one breaks when an option is added.
#ifndef GZ_CLI_ARGUMENT_H
#define GZ_CLI_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// The values of an option that may be given several times, in order.
typedef struct gz_texts {
    const char **items; ///< the strings belong to argv
    size_t count, capacity;
} gz_texts;

/// Which file the value of an option names; what is written is none of what is read.
typedef enum gz_option_file {
    GZ_FILE_NONE, ///< no path of a file
    GZ_FILE_READ,
    GZ_FILE_WRITTEN ///< of one text
} gz_option_file;

/// One option. Its value goes to the one target that is set.
typedef struct gz_option {
    const char *name;     ///< without the dashes
    const char *argument; ///< what help calls the value; NULL for flags
    const char *help;     ///< lines separated by '\n'
    bool *flag;
    const char **text;
    gz_texts *texts; ///< may be given several times
    uint64_t *count; ///< within [minimum, maximum]; a maximum of 0 is none
    uint32_t *count32;
    double *number;  ///< above `above`, and finite unless `infinite`
    double *numbers; ///< number_count finite ones, separated by commas; NULL for none
    size_t number_count;
    const char *allowed; ///< what messages say of these
    int *choice;         ///< an index into choices
    const char *const *choices;
    uint64_t minimum, maximum;
    double above;
    bool infinite;
    bool required;
    char letter; ///< '\0' for none
    gz_option_file file;
    const char *endings; ///< of the name of a file, as messages say them: ".svg or .png"; NULL: any
    bool given;          ///< [out]
} gz_option;

/// The ending of pictures of robots.
#define GZ_SHADED_ENDING ".png; SVG has no form for shaded triangles, 'graze export' writes a .glb"

/// --output, as most commands have it.
#define GZ_OPTION_OUTPUT(target)                                                                   \
    {                                                                                              \
        "output", "FILE", "write to FILE, which appears when it is complete",                      \
            .letter = 'o', .text = (target), .file = GZ_FILE_WRITTEN                               \
    }

typedef struct gz_option_section {
    const char *title;
    gz_option *options;
    size_t count;
} gz_option_section;

#define GZ_COUNT(array) (sizeof(array) / sizeof *(array))
#define GZ_SECTION(title, options)                                                                 \
    { title, options, GZ_COUNT(options) }

/// One command as the parser and the help see it.
typedef struct gz_command_line {
    const char *command;
    const char *synopsis; ///< lines behind "usage: graze "
    const char *about;
    const char *examples;     ///< may be NULL
    const char *operand_name; ///< "ROBOT", a file that is read; NULL when the command takes none
    bool operand_optional;    ///< the command reports itself when it is missing
    const char *second_name;  ///< of a second operand, likewise a file that is read; or NULL
    const char **second;      ///< [out] where that one goes

    // Set by gz_command_line_parse().
    gz_option_section *sections;
    size_t section_count;
    const char *operand;
} gz_command_line;

/// What gz_command_line_parse() returns when the command should go on.
#define GZ_GO_ON (-1)

/// Reads argv (argv[0] is the command's name), and checks that nothing that is to be written is one
/// of the files that are to be read. Returns GZ_GO_ON with the operand (nullable), or the exit
/// status: 0 after --help, 2 after a usage error; the message is printed.
int gz_command_line_parse(const gz_command_line *command, const char **operand,
                          gz_option_section *sections, size_t section_count, int argc, char **argv);

void gz_texts_free(gz_texts *texts);

/// Whether any of the options was given.
bool gz_options_given(const gz_option *options, size_t count);

/// Reads exactly n numbers of at most a magnitude, none from NULL; a usage error of `command`
/// naming `option` otherwise. Returns an exit status.
int gz_numbers_read(const char *command, const char *option, const char *text, double *values,
                    size_t n, double most, const char *allowed);

/// Options that contradict each other.
typedef struct gz_usage_rule {
    bool broken;
    const char *message;
} gz_usage_rule;

/// GZ_GO_ON, or the usage error of the first rule that is broken.
int gz_usage_check(const char *command, const gz_usage_rule *rules, size_t count);

/// GZ_GO_ON, or a usage error where two of several files (nullable), `what`, are one.
int gz_files_apart(const char *command, const char *what, const char *const *paths, size_t count);

/// The name that is most like `word` (few edits), or NULL when none is close. name(user, i) is NULL
/// behind the last.
const char *gz_spelling_nearest(const char *word, const char *(*name)(const void *user, size_t i),
                                const void *user);

/// A command reads its own command line (argv[0] is its name) and returns an exit status.
typedef struct gz_command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;
} gz_command;

/// Commands of which the first argument chooses one, and what help says in front and behind.
typedef struct gz_command_list {
    const char *name; ///< of the command that holds them; NULL for graze itself
    const gz_command *commands;
    size_t count;
    int width; ///< of the names
    const char *about, *notes;
} gz_command_list;

/// Runs the command that argv[0] names, or prints help.
int gz_command_list_run(const gz_command_list *list, int argc, char **argv);
void gz_command_list_print(FILE *stream, const gz_command_list *list);

int gz_command_bench(int argc, char **argv);
int gz_command_certify(int argc, char **argv);
int gz_command_check(int argc, char **argv);
int gz_command_compile(int argc, char **argv);
int gz_command_cspace(int argc, char **argv);
int gz_command_demo(int argc, char **argv);
int gz_command_export(int argc, char **argv);
int gz_command_help(int argc, char **argv);
int gz_command_ik(int argc, char **argv);
int gz_command_info(int argc, char **argv);
int gz_command_lint(int argc, char **argv);
int gz_command_distance(int argc, char **argv);
int gz_command_motion(int argc, char **argv);
int gz_command_plan(int argc, char **argv);
int gz_command_planar(int argc, char **argv);
int gz_command_roadmap(int argc, char **argv);
int gz_command_srdf(int argc, char **argv);
int gz_command_sweep(int argc, char **argv);
int gz_command_verify(int argc, char **argv);
int gz_command_view(int argc, char **argv);

#endif
