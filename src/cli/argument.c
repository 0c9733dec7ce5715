#include "cli/argument.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/spelling.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

void gz_texts_free(gz_texts *texts) {
    gz_free(texts->items);
    *texts = (gz_texts){0};
}

// ------------------------------------------------------------------------------ nearest names

const char *gz_spelling_nearest(const char *word, const char *(*name)(const void *user, size_t i),
                                const void *user) {
    // More than a third of the letters wrong is another word, not a slip.
    gz_spelling nearest = {word, (uint32_t)(strlen(word) / 3) + 2, -1};
    for (int32_t i = 0; name(user, (size_t)i) != NULL; i++)
        gz_spelling_try(&nearest, name(user, (size_t)i), i);
    return nearest.index >= 0 ? name(user, (size_t)nearest.index) : NULL;
}

/// The option of that index over all sections, or NULL behind the last.
static gz_option *option_at(const gz_command_line *line, size_t index) {
    for (size_t i = 0; i < line->section_count; i++) {
        if (index < line->sections[i].count) return &line->sections[i].options[index];
        index -= line->sections[i].count;
    }
    return NULL;
}

static const char *option_name(const void *user, size_t i) {
    const gz_option *option = option_at(user, i);
    return option != NULL ? option->name : NULL;
}

// ------------------------------------------------------------------------------------- values

#define LABEL_SIZE 40

/// How messages call an option: by its letter where it has one.
static const char *label(const gz_option *option, char text[LABEL_SIZE]) {
    if (option->letter != '\0')
        snprintf(text, LABEL_SIZE, "-%c", option->letter);
    else
        snprintf(text, LABEL_SIZE, "--%s", option->name);
    return text;
}

static int set_count(const gz_command_line *line, const gz_option *option, const char *value) {
    uint64_t count = 0, maximum = option->maximum;
    if (maximum == 0) maximum = option->count != NULL ? UINT64_MAX : UINT32_MAX;
    if (!gz_decimal_parse_count(value, &count) || count < option->minimum || count > maximum)
        return gz_message_usage(line->command,
                                "--%s is '%s'; allowed: a whole number from %llu "
                                "to %llu",
                                option->name, value, (unsigned long long)option->minimum,
                                (unsigned long long)maximum);
    if (option->count != NULL) *option->count = count;
    if (option->count32 != NULL) *option->count32 = (uint32_t)count;
    return GZ_GO_ON;
}

static int set_number(const gz_command_line *line, const gz_option *option, const char *value) {
    double number = 0;
    bool read = gz_decimal_parse(value, strlen(value), &number);
    bool good = read && number > option->above && (option->infinite || isfinite(number));
    const char *what = read && isinf(number) && !option->infinite ? "finite number" : "number";
    char bound[GZ_DECIMAL_SIZE] = "";
    *option->number = number;
    if (good) return GZ_GO_ON;
    if (!isinf(option->above)) snprintf(bound, sizeof bound, " above %g", option->above);
    return gz_message_usage(line->command, "--%s is '%s'; allowed: a %s%s", option->name, value,
                            what, bound);
}

int gz_numbers_read(const char *command, const char *option, const char *text, double *values,
                    size_t n, double most, const char *allowed) {
    if (text == NULL) return GZ_EXIT_FINE;
    bool good = gz_decimal_parse_list(text, values, n);
    for (size_t i = 0; good && i < n; i++) good = fabs(values[i]) <= most;
    if (good) return GZ_EXIT_FINE;
    return gz_message_usage(command, "--%s is '%s'; allowed: %s", option, text, allowed);
}

static int set_numbers(const gz_command_line *line, const gz_option *option, const char *value) {
    int status = gz_numbers_read(line->command, option->name, value, option->numbers,
                                 option->number_count, DBL_MAX, option->allowed);
    return status == GZ_EXIT_FINE ? GZ_GO_ON : status;
}

static int set_choice(const gz_command_line *line, const gz_option *option, const char *value) {
    char names[256] = "";
    for (int i = 0; option->choices[i] != NULL; i++) {
        if (strcmp(option->choices[i], value) == 0) {
            *option->choice = i;
            return GZ_GO_ON;
        }
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", option->choices[i]);
    }
    return gz_message_usage(line->command, "--%s is '%s'; allowed: %s", option->name, value, names);
}

static int add_text(gz_texts *texts, const char *value) {
    if (!gz_array_reserve((void **)&texts->items, &texts->capacity, texts->count + 1,
                          sizeof *texts->items))
        return gz_message_no_memory();
    texts->items[texts->count++] = value;
    return GZ_GO_ON;
}

static int set_value(const gz_command_line *line, gz_option *option, const char *value) {
    char text[LABEL_SIZE];
    if (option->given && option->texts == NULL)
        return gz_message_usage(line->command, "%s is given twice", label(option, text));
    option->given = true;
    if (option->count != NULL || option->count32 != NULL) return set_count(line, option, value);
    if (option->number != NULL) return set_number(line, option, value);
    if (option->numbers != NULL) return set_numbers(line, option, value);
    if (option->choice != NULL) return set_choice(line, option, value);
    if (option->flag != NULL) *option->flag = true;
    if (option->text != NULL) *option->text = value;
    if (option->texts != NULL) return add_text(option->texts, value);
    return GZ_GO_ON;
}

// ------------------------------------------------------------------------------------ parsing

/// Finds "--name", "--name=value", "-l", "-lvalue" or "-l=value"; *value is NULL where there is
/// none.
static gz_option *find_option(const gz_command_line *line, const char *argument,
                              const char **value) {
    bool is_long = argument[1] == '-';
    const char *name = argument + (is_long ? 2 : 1);
    size_t length = is_long ? strcspn(name, "=") : 1;
    *value = name[length] == '=' ? name + length + 1 : name[length] != '\0' ? name + length : NULL;
    gz_option *option;
    for (size_t i = 0; (option = option_at(line, i)) != NULL; i++)
        if (is_long ? strlen(option->name) == length && memcmp(option->name, name, length) == 0
                    : option->letter == *name)
            return option;
    return NULL;
}

static int unknown_option(const gz_command_line *line, const char *argument) {
    char word[64] = "";
    size_t length = strcspn(argument, "=");
    if (argument[1] == '-' && length - 2 < sizeof word) memcpy(word, argument + 2, length - 2);
    const char *near = word[0] != '\0' ? gz_spelling_nearest(word, option_name, line) : NULL;
    if (near == NULL)
        return gz_message_usage(line->command, "unknown option '%.*s'", (int)length, argument);
    return gz_message_usage(line->command, "unknown option '%.*s'; did you mean '--%s'?",
                            (int)length, argument, near);
}

/// Reads the option at argv[*at] and steps over its value.
static int parse_option(const gz_command_line *line, int argc, char **argv, int *at) {
    const char *argument = argv[*at], *value = NULL;
    char text[LABEL_SIZE];
    gz_option *option = find_option(line, argument, &value);
    if (option == NULL) return unknown_option(line, argument);
    if (option->flag != NULL && value != NULL)
        return gz_message_usage(line->command, "--%s takes no value", option->name);
    if (option->flag == NULL && value == NULL && *at + 1 >= argc)
        return gz_message_usage(line->command, "%s needs a value: %s", label(option, text),
                                option->argument);
    if (option->flag == NULL && value == NULL) value = argv[++*at];
    return set_value(line, option, value);
}

/// Refuses an output that would take the place of an input, which messages call `reader`.
static int check_file(const gz_command_line *line, const gz_option *output, const char *reader,
                      const char *input) {
    const char *path = *output->text;
    char text[LABEL_SIZE];
    bool is_stdin = strcmp(input, "-") == 0;
    if (!(is_stdin ? gz_output_replaces_stdin(path) : gz_output_replaces(path, input)))
        return GZ_GO_ON;
    return gz_message_usage(line->command,
                            "%s is '%s', which is read as %s; allowed: an output that is no input",
                            label(output, text), path, reader);
}

/// Checks an output against everything that the command line reads.
static int check_output(const gz_command_line *line, const gz_option *output) {
    int status = GZ_GO_ON;
    if (line->operand != NULL) status = check_file(line, output, line->operand_name, line->operand);
    if (status == GZ_GO_ON && line->second != NULL && *line->second != NULL)
        status = check_file(line, output, line->second_name, *line->second);
    const gz_option *input;
    for (size_t i = 0; (input = option_at(line, i)) != NULL; i++) {
        if (input->file != GZ_FILE_READ || !input->given) continue;
        const gz_texts one = {.items = input->text, .count = 1};
        const gz_texts *texts = input->texts != NULL ? input->texts : &one;
        char reader[LABEL_SIZE];
        for (size_t k = 0; status == GZ_GO_ON && k < texts->count; k++)
            status = check_file(line, output, label(input, reader), texts->items[k]);
    }
    return status;
}

/// Whether a name has one of the endings that a text lists, or is "-", and the text names that.
static bool has_ending(const char *endings, const char *name) {
    if (strcmp(name, "-") == 0) return strstr(endings, "'-'") != NULL;
    for (const char *at = strchr(endings, '.'); at != NULL; at = strchr(at + 1, '.')) {
        char ending[16] = "";
        size_t length = strcspn(at, " ,;");
        if (length < sizeof ending) memcpy(ending, at, length);
        if (length > 1 && strlen(name) > length && gz_text_ends_with(name, ending)) return true;
        if (at[length] == ';') return false; // a reason
    }
    return false;
}

static int check_ending(const gz_command_line *line, const gz_option *option) {
    char text[LABEL_SIZE];
    if (option->endings == NULL || has_ending(option->endings, *option->text)) return GZ_GO_ON;
    return gz_message_usage(line->command, "%s is '%s'; allowed: a name that ends in %s",
                            label(option, text), *option->text, option->endings);
}

/// Here, before anything is read: a command that has its input in memory, and its output in the
/// input's place, has lost what the user gave it.
static int check_outputs(const gz_command_line *line) {
    int status = GZ_GO_ON;
    const gz_option *option;
    for (size_t i = 0; (option = option_at(line, i)) != NULL; i++)
        if (option->required && !option->given)
            return gz_message_usage(line->command, "--%s is missing", option->name);
    for (size_t i = 0; status == GZ_GO_ON && (option = option_at(line, i)) != NULL; i++)
        if (option->file == GZ_FILE_WRITTEN && option->given) {
            status = check_output(line, option);
            if (status == GZ_GO_ON) status = check_ending(line, option);
        }
    return status;
}

// --------------------------------------------------------------------------------------- help

#define HELP_COLUMN 30

static void print_option(const gz_option *option) {
    char head[128];
    int used = option->letter != '\0'
                   ? snprintf(head, sizeof head, "  -%c, --%s", option->letter, option->name)
                   : snprintf(head, sizeof head, "      --%s", option->name);
    if (option->argument != NULL)
        used += snprintf(head + used, sizeof head - (size_t)used, " %s", option->argument);
    printf("%s", head);
    // The text starts in its column, on the next line where the head is too long.
    if (used > HELP_COLUMN - 2) {
        printf("\n");
        used = 0;
    }
    for (const char *text = option->help; *text != '\0'; used = 0) {
        size_t length = strcspn(text, "\n");
        printf("%*s%.*s\n", HELP_COLUMN - used, "", (int)length, text);
        text += length;
        if (*text == '\n') text++;
    }
}

static void print_help(const gz_command_line *line) {
    printf("usage: graze %s\n\n%s\n", line->synopsis, line->about);
    for (size_t i = 0; i < line->section_count; i++) {
        if (line->sections[i].count == 0) continue;
        printf("\n%s:\n", line->sections[i].title);
        for (size_t k = 0; k < line->sections[i].count; k++)
            print_option(&line->sections[i].options[k]);
    }
    printf("\n  -h, --help                  this text\n");
    if (line->examples != NULL) printf("\nexamples:\n%s", line->examples);
}

// --------------------------------------------------------------------------------------- command

static int parse(gz_command_line *line, int argc, char **argv) {
    bool only_operands = false;
    for (int at = 1; at < argc; at++) {
        const char *argument = argv[at];
        if (!only_operands && strcmp(argument, "--") == 0) {
            only_operands = true;
        } else if (!only_operands &&
                   (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)) {
            print_help(line);
            return GZ_EXIT_FINE;
        } else if (!only_operands && argument[0] == '-' && argument[1] != '\0') {
            int status = parse_option(line, argc, argv, &at);
            if (status != GZ_GO_ON) return status;
        } else if (line->operand_name == NULL) {
            return gz_message_usage(line->command, "'%s' is not expected here", argument);
        } else if (line->operand == NULL) {
            line->operand = argument;
        } else if (line->second != NULL && *line->second == NULL) {
            *line->second = argument;
        } else {
            return gz_message_usage(line->command, "'%s' is one %s too many", argument,
                                    line->second ? line->second_name : line->operand_name);
        }
    }
    if (line->operand_name != NULL && line->operand == NULL && !line->operand_optional)
        return gz_message_usage(line->command, "%s is missing", line->operand_name);
    if (line->second != NULL && *line->second == NULL)
        return gz_message_usage(line->command, "%s is missing", line->second_name);
    return check_outputs(line);
}

int gz_command_line_parse(const gz_command_line *command, const char **operand,
                          gz_option_section *sections, size_t section_count, int argc,
                          char **argv) {
    gz_command_line line = *command;
    line.sections = sections;
    line.section_count = section_count;
    int status = parse(&line, argc, argv);
    if (operand != NULL) *operand = line.operand;
    return status;
}

bool gz_options_given(const gz_option *options, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (options[i].given) return true;
    return false;
}

int gz_usage_check(const char *command, const gz_usage_rule *rules, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (rules[i].broken) return gz_message_usage(command, "%s", rules[i].message);
    return GZ_GO_ON;
}

int gz_files_apart(const char *command, const char *what, const char *const *paths, size_t count) {
    const char *shared = gz_output_shared(paths, count);
    if (shared == NULL) return GZ_GO_ON;
    if (strcmp(shared, "-") == 0)
        return gz_message_usage(command,
                                "two %s are '-', standard output; allowed: one, and -o FILE", what);
    return gz_message_usage(command, "two %s are '%s'; allowed: a file each", what, shared);
}

// ----------------------------------------------------------------------------- lists of commands

static const char *command_name(const void *user, size_t i) {
    const gz_command_list *list = user;
    return i < list->count ? list->commands[i].name : NULL;
}

void gz_command_list_print(FILE *stream, const gz_command_list *list) {
    fprintf(stream, "%s\ncommands:\n", list->about);
    for (size_t i = 0; i < list->count; i++)
        fprintf(stream, "  %-*s  %s\n", list->width, list->commands[i].name,
                list->commands[i].what);
    fputs(list->notes, stream);
}

int gz_command_list_run(const gz_command_list *list, int argc, char **argv) {
    if (argc == 0) {
        gz_command_list_print(stderr, list);
        return GZ_EXIT_USAGE;
    }
    const char *name = argv[0], *what = name[0] == '-' ? "option" : "command";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        gz_command_list_print(stdout, list);
        return GZ_EXIT_FINE;
    }
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->commands[i].name, name) == 0) return list->commands[i].run(argc, argv);
    const char *near = gz_spelling_nearest(name, command_name, list);
    if (near == NULL) return gz_message_usage(list->name, "unknown %s '%s'", what, name);
    return gz_message_usage(list->name, "unknown %s '%s'; did you mean '%s'?", what, name, near);
}
