/// The command line: tables of options, read strictly, and the help that is printed from them.
///
/// An option is known by its whole name only; getopt_long would take every unique beginning, and a
/// script that relies on one breaks when an option is added.
#ifndef GZ_CLI_ARGUMENT_H
#define GZ_CLI_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The values of an option that may be given several times, in order.
typedef struct gz_texts {
    const char **items; ///< the strings belong to argv
    size_t count, capacity;
} gz_texts;

typedef enum gz_option_kind {
    GZ_OPTION_FLAG,   ///< target: bool
    GZ_OPTION_TEXT,   ///< target: const char *
    GZ_OPTION_TEXTS,  ///< target: gz_texts; may be given several times
    GZ_OPTION_COUNT,  ///< target: uint64_t, within [minimum, maximum]
    GZ_OPTION_NUMBER, ///< target: double, finite unless infinite is set, above `above`
    GZ_OPTION_CHOICE  ///< target: int, an index into choices
} gz_option_kind;

/// Which file the value of an option names; what is written is none of what is read.
typedef enum gz_option_file {
    GZ_FILE_NONE, ///< no path of a file
    GZ_FILE_READ,
    GZ_FILE_WRITTEN ///< of GZ_OPTION_TEXT
} gz_option_file;

typedef struct gz_option {
    const char *name; ///< without the dashes
    char letter;      ///< '\0' for none
    gz_option_kind kind;
    gz_option_file file;
    void *target;
    const char *argument; ///< what help calls the value; NULL for flags
    const char *help;     ///< lines separated by '\n'
    const char *const *choices;
    uint64_t minimum, maximum;
    double above;
    bool infinite;
    bool given; ///< [out]
} gz_option;

// One of each kind, its target checked by the compiler.

static inline gz_option gz_option_flag(const char *name, bool *target, const char *help) {
    return (gz_option){.name = name, .kind = GZ_OPTION_FLAG, .target = target, .help = help};
}

static inline gz_option gz_option_text(const char *name, const char **target, const char *argument,
                                       const char *help) {
    return (gz_option){
        .name = name, .kind = GZ_OPTION_TEXT, .target = target, .argument = argument, .help = help};
}

static inline gz_option gz_option_texts(const char *name, gz_texts *target, const char *argument,
                                        const char *help) {
    return (gz_option){.name = name,
                       .kind = GZ_OPTION_TEXTS,
                       .target = target,
                       .argument = argument,
                       .help = help};
}

static inline gz_option gz_option_count(const char *name, uint64_t *target, const char *argument,
                                        uint64_t minimum, uint64_t maximum, const char *help) {
    return (gz_option){.name = name,
                       .kind = GZ_OPTION_COUNT,
                       .target = target,
                       .argument = argument,
                       .minimum = minimum,
                       .maximum = maximum,
                       .help = help};
}

/// A number above 0; the field `above` sets another bound.
static inline gz_option gz_option_number(const char *name, double *target, const char *argument,
                                         const char *help) {
    return (gz_option){.name = name,
                       .kind = GZ_OPTION_NUMBER,
                       .target = target,
                       .argument = argument,
                       .help = help};
}

/// A number above 0, or "inf".
static inline gz_option gz_option_limit(const char *name, double *target, const char *argument,
                                        const char *help) {
    gz_option option = gz_option_number(name, target, argument, help);
    option.infinite = true;
    return option;
}

static inline gz_option gz_option_choice(const char *name, int *target, const char *argument,
                                         const char *const *choices, const char *help) {
    return (gz_option){.name = name,
                       .kind = GZ_OPTION_CHOICE,
                       .target = target,
                       .argument = argument,
                       .choices = choices,
                       .help = help};
}

/// The same option with a letter, too.
static inline gz_option gz_option_lettered(char letter, gz_option option) {
    option.letter = letter;
    return option;
}

/// The same option, whose value is a file that is read.
static inline gz_option gz_option_reads(gz_option option) {
    option.file = GZ_FILE_READ;
    return option;
}

/// The same option, whose value is a file that is written.
static inline gz_option gz_option_writes(gz_option option) {
    option.file = GZ_FILE_WRITTEN;
    return option;
}

/// --output, as most commands have it.
static inline gz_option gz_option_output(const char **target) {
    gz_option option = gz_option_text("output", target, "FILE",
                                      "write to FILE, which appears when it is complete");
    return gz_option_lettered('o', gz_option_writes(option));
}

typedef struct gz_option_section {
    const char *title;
    gz_option *options;
    size_t count;
} gz_option_section;

/// One command as the parser and the help see it.
typedef struct gz_command_line {
    const char *command;
    const char *synopsis; ///< lines behind "usage: graze "
    const char *about;
    const char *examples; ///< may be NULL
    gz_option_section *sections;
    size_t section_count;
    const char *operand_name; ///< "ROBOT", a file that is read; NULL when the command takes none
    bool operand_optional;    ///< the command says itself when it is missing
    const char *operand;      ///< [out] the operand
} gz_command_line;

/// What gz_command_line_parse() returns when the command should go on.
#define GZ_GO_ON (-1)

/// Reads argv (argv[0] is the command's name), and sees to it that nothing that is to be written is
/// one of the files that are to be read. Returns GZ_GO_ON, or the exit status: 0 after --help, 2
/// after a usage error; the message is printed.
int gz_command_line_parse(gz_command_line *line, int argc, char **argv);

/// Prints the help of a command to stdout.
void gz_command_line_help(const gz_command_line *line);

void gz_texts_free(gz_texts *texts);

/// The name of the list that is most like `word` (few edits), or NULL when none is close.
const char *gz_spelling_nearest(const char *word, const char *(*name)(const void *user, size_t i),
                                size_t count, const void *user);

/// The commands: each reads its own command line (argv[0] is its name) and returns an exit status.
int gz_command_bench(int argc, char **argv);
int gz_command_check(int argc, char **argv);
int gz_command_compile(int argc, char **argv);
int gz_command_cspace(int argc, char **argv);
int gz_command_demo(int argc, char **argv);
int gz_command_help(int argc, char **argv);
int gz_command_info(int argc, char **argv);
int gz_command_lint(int argc, char **argv);
int gz_command_plan(int argc, char **argv);
int gz_command_planar(int argc, char **argv);
int gz_command_srdf(int argc, char **argv);
int gz_command_verify(int argc, char **argv);

/// Runs the command of that name; a usage error when there is none.
int gz_command_run(int argc, char **argv);

#endif
