// Options that name links and objects: --policy, --margin, --allow, --attach.
#include <math.h>
#include <string.h>

#include "cli/input/robot_input.h"
#include "cli/message.h"
#include "cli/text.h"

// ------------------------------------------------------------------------------------------- rules

/// What is being read: options of the command line, into options of the checker.
typedef struct reader {
    const char *command;
    gz_checker_rules *rules;
    graze_checker_options *options;
    char *names;     ///< where the next name is copied to
    bool has_policy; ///< one for everything
} reader;

static const char *const policy_names[] = {"solid", "surface", "cap"};

static bool find_policy(const char *text, graze_policy *policy) {
    for (size_t i = 0; i < GZ_COUNT(policy_names); i++) {
        if (strcmp(policy_names[i], text) != 0) continue;
        *policy = (graze_policy)i;
        return true;
    }
    return false;
}

/// A copy of the first `length` bytes.
static char *copy_name(reader *r, const char *text, size_t length) {
    char *copy = r->names;
    memcpy(copy, text, length);
    copy[length] = '\0';
    r->names += length + 1;
    return copy;
}

static int read_policy(reader *r, const char *text) {
    const char *equals = strrchr(text, '=');
    graze_policy policy;
    if (equals == text || !find_policy(equals != NULL ? equals + 1 : text, &policy))
        return gz_message_usage(r->command,
                                "--policy is '%s'; allowed: solid, surface, cap, or NAME=POLICY "
                                "for a link or an object",
                                text);
    if (equals != NULL) {
        r->rules->policies[r->options->policy_count++] = (graze_name_policy){
            .name = copy_name(r, text, (size_t)(equals - text)), .policy = policy};
        return GZ_EXIT_FINE;
    }
    if (r->has_policy)
        return gz_message_usage(r->command, "--policy is given twice for everything; allowed: "
                                            "once, and NAME=POLICY for a link or an object");
    r->has_policy = true;
    r->options->policy = policy;
    return GZ_EXIT_FINE;
}

/// Splits "A,B", a copy, in place; *b stays NULL where there is no comma.
static bool split_names(char *text, const char **a, const char **b) {
    char *comma = strchr(text, ',');
    *a = text;
    if (comma == NULL) return *text != '\0';
    *comma = '\0';
    *b = comma + 1;
    return comma != text && comma[1] != '\0' && strchr(comma + 1, ',') == NULL;
}

static int read_margin(reader *r, const char *text) {
    const char *equals = strrchr(text, '='), *number = equals != NULL ? equals + 1 : text;
    graze_pair_margin item = {0};
    bool good = gz_decimal_parse(number, strlen(number), &item.margin) && isfinite(item.margin) &&
                item.margin >= 0;
    if (good && equals == NULL) {
        if (!isnan(r->options->margin))
            return gz_message_usage(r->command,
                                    "--margin is given twice for everything; allowed: once, and "
                                    "A=M or A,B=M for links and objects");
        r->options->margin = item.margin;
        return GZ_EXIT_FINE;
    }
    if (!good || !split_names(copy_name(r, text, (size_t)(equals - text)), &item.a, &item.b))
        return gz_message_usage(r->command,
                                "--margin is '%s'; allowed: M, A=M or A,B=M with M in metres, "
                                "finite, not negative",
                                text);
    r->rules->margins[r->options->margin_count++] = item;
    return GZ_EXIT_FINE;
}

static int read_allowed(reader *r, const char *text) {
    graze_allowed_pair pair = {0};
    if (!split_names(copy_name(r, text, strlen(text)), &pair.a, &pair.b) || pair.b == NULL)
        return gz_message_usage(r->command, "--allow is '%s'; allowed: two names, A,B", text);
    r->rules->allowed[r->options->allowed_count++] = pair;
    return GZ_EXIT_FINE;
}

static size_t byte_count(const gz_texts *texts) {
    size_t bytes = 0;
    for (size_t i = 0; i < texts->count; i++) bytes += strlen(texts->items[i]) + 1;
    return bytes;
}

int gz_checker_rules_read(gz_checker_rules *rules, const gz_robot_input *input,
                          graze_checker_options *options) {
    const gz_texts *policies = &input->policies, *margins = &input->margins;
    const gz_texts *allowed = &input->allowed;
    size_t bytes = byte_count(policies) + byte_count(margins) + byte_count(allowed);
    rules->policies = gz_storage_resize(NULL, policies->count, sizeof *rules->policies);
    rules->margins = gz_storage_resize(NULL, margins->count, sizeof *rules->margins);
    rules->allowed = gz_storage_resize(NULL, allowed->count, sizeof *rules->allowed);
    rules->names = gz_storage_resize(NULL, bytes, 1);
    if (rules->policies == NULL || rules->margins == NULL || rules->allowed == NULL ||
        rules->names == NULL)
        return gz_message_no_memory();
    options->margin = NAN;
    reader r = {input->command, rules, options, rules->names, false};
    int status = GZ_EXIT_FINE;
    for (size_t i = 0; status == GZ_EXIT_FINE && i < policies->count; i++)
        status = read_policy(&r, policies->items[i]);
    for (size_t i = 0; status == GZ_EXIT_FINE && i < margins->count; i++)
        status = read_margin(&r, margins->items[i]);
    for (size_t i = 0; status == GZ_EXIT_FINE && i < allowed->count; i++)
        status = read_allowed(&r, allowed->items[i]);
    options->policies = rules->policies;
    options->margins = rules->margins;
    options->allowed = rules->allowed;
    return status;
}

void gz_checker_rules_free(gz_checker_rules *rules) {
    gz_storage_free(rules->policies);
    gz_storage_free(rules->margins);
    gz_storage_free(rules->allowed);
    gz_storage_free(rules->names);
    *rules = (gz_checker_rules){0};
}

// ---------------------------------------------------------------------------- attached bodies

/// One --attach, split in place.
typedef struct attach_text {
    char *text; ///< a copy, cut into its parts
    const char *object, *link;
    const char **touches;
    size_t touch_count;
} attach_text;

static void attach_text_free(attach_text *a) {
    gz_storage_free(a->text);
    gz_storage_free(a->touches);
}

/// Cuts "A,B" at its commas; false where a name is empty.
static bool split_touches(attach_text *a, char *list) {
    for (char *at = list; at != NULL;) {
        char *comma = strchr(at, ',');
        if (comma != NULL) *comma = '\0';
        if (*at == '\0') return false;
        a->touches[a->touch_count++] = at;
        at = comma != NULL ? comma + 1 : NULL;
    }
    return true;
}

static int split(attach_text *a, const gz_robot_input *input, const char *text) {
    static const char mark[] = ":touch=";
    size_t length = strlen(text);
    *a = (attach_text){.text = gz_storage_resize(NULL, length + 1, 1),
                       .touches = gz_storage_resize(NULL, length + 1, sizeof *a->touches)};
    if (a->text == NULL || a->touches == NULL) return gz_message_no_memory();
    memcpy(a->text, text, length + 1);
    char *touch = strstr(a->text, mark);
    if (touch != NULL) *touch = '\0';
    char *equals = strrchr(a->text, '=');
    bool good = equals != NULL && equals != a->text && equals[1] != '\0';
    if (good) {
        *equals = '\0';
        a->object = a->text;
        a->link = equals + 1;
    }
    if (good && touch != NULL) good = split_touches(a, touch + sizeof mark - 1);
    if (good) return GZ_EXIT_FINE;
    return gz_message_usage(
        input->command, "--attach is '%s'; allowed: OBJECT=LINK or OBJECT=LINK:touch=A,B", text);
}

/// The configuration in which things are grasped.
static graze_status find_posture(gz_posture *at, const gz_robot_input *input,
                                 const gz_posture_options *options, const char *q,
                                 graze_error *error) {
    graze_status status = gz_posture_make(at, input->robot, options, error);
    if (status != GRAZE_OK) return status;
    if (input->attach_at != NULL)
        return gz_posture_parse(at, input->robot, NULL, "--attach-at", input->attach_at, error);
    return q != NULL ? gz_posture_parse(at, input->robot, options->joints, "-q", q, error)
                     : GRAZE_OK;
}

static int attach_one(gz_robot_input *input, const gz_posture *at, const char *text) {
    attach_text a;
    graze_error error;
    int status = split(&a, input, text);
    if (status == GZ_EXIT_FINE) {
        const graze_grasp grasp = {.object = a.object,
                                   .link = a.link,
                                   .q = at->q,
                                   .q_count = at->size,
                                   .base = at->base,
                                   .touch_links = a.touches,
                                   .touch_link_count = a.touch_count};
        graze_robot *robot;
        graze_world *world;
        graze_status made = graze_grasp_object(&robot, &world, input->robot, input->world, &grasp,
                                               &error);
        if (made == GRAZE_OK) {
            graze_robot_free(input->robot);
            graze_world_free(input->world);
            input->robot = robot;
            input->world = world;
        } else if (made == GRAZE_ERROR_NOT_FOUND || made == GRAZE_ERROR_SCHEMA) {
            // A name that is not there is one of the command line's, not of a file.
            status = gz_message_usage(input->command, "--attach %s: %s", text, error.message);
        } else {
            status = gz_message_error(input->command, &error);
        }
    }
    attach_text_free(&a);
    return status;
}

int gz_attach_input_apply(gz_robot_input *input, const gz_posture_options *posture, const char *q,
                          bool is_one) {
    if (input->attached.count == 0) {
        if (input->attach_at == NULL) return GZ_EXIT_FINE;
        return gz_message_usage(input->command, "--attach-at is for --attach, which is missing");
    }
    if (input->world == NULL)
        return gz_message_usage(input->command,
                                "--attach takes an object of the world; --world is missing");
    if (input->attach_at == NULL && !is_one)
        return gz_message_usage(input->command,
                                "--attach needs --attach-at Q: the configuration in which the "
                                "object is grasped");
    gz_posture at = {0};
    graze_error error;
    int status = find_posture(&at, input, posture, q, &error) == GRAZE_OK
                     ? GZ_EXIT_FINE
                     : gz_message_error(input->command, &error);
    for (size_t i = 0; status == GZ_EXIT_FINE && i < input->attached.count; i++)
        status = attach_one(input, &at, input->attached.items[i]);
    gz_posture_free(&at);
    return status;
}
