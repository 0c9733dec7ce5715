// Options that name links and objects: --policy, --margin, --attach.
#include <math.h>
#include <string.h>

#include "cli/input/robot_input.h"
#include "cli/message.h"
#include "cli/text.h"

// ---------------------------------------------------------------------------------- policies

static const char *const names[] = {"solid", "surface", "cap"};
#define POLICY_COUNT ((int)(sizeof names / sizeof *names))

const char *gz_policy_name(graze_policy policy) {
    return (int)policy >= 0 && (int)policy < POLICY_COUNT ? names[policy] : "unknown";
}

static bool find_policy(const char *text, graze_policy *policy) {
    for (int i = 0; i < POLICY_COUNT; i++) {
        if (strcmp(names[i], text) != 0) continue;
        *policy = (graze_policy)i;
        return true;
    }
    return false;
}

/// One value; *room is where the next name is copied to.
static int read_policy(gz_policy_input *input, const char *text, const char *command, bool *has_all,
                       char **room) {
    const char *equals = strrchr(text, '=');
    graze_policy policy;
    if (equals == text || !find_policy(equals != NULL ? equals + 1 : text, &policy)) {
        return gz_message_usage(command,
                                "--policy is '%s'; allowed: solid, surface, cap, or NAME=POLICY "
                                "for a link or an object",
                                text);
    }
    if (equals == NULL) {
        if (*has_all) {
            return gz_message_usage(command, "--policy is given twice for everything; allowed: "
                                             "once, and NAME=POLICY for a link or an object");
        }
        *has_all = true;
        input->all = policy;
        return GZ_EXIT_FINE;
    }
    size_t length = (size_t)(equals - text);
    memcpy(*room, text, length);
    (*room)[length] = '\0';
    input->items[input->count++] = (graze_name_policy){.name = *room, .policy = policy};
    *room += length + 1;
    return GZ_EXIT_FINE;
}

int gz_policy_input_read(gz_policy_input *input, const gz_texts *texts, const char *command) {
    size_t bytes = 0;
    for (size_t i = 0; i < texts->count; i++) bytes += strlen(texts->items[i]) + 1;
    *input = (gz_policy_input){.all = GRAZE_POLICY_SOLID};
    input->items = gz_storage_resize(NULL, texts->count, sizeof *input->items);
    input->names = gz_storage_resize(NULL, bytes, 1);
    if (input->items == NULL || input->names == NULL) return gz_message_no_memory();
    bool has_all = false;
    char *room = input->names;
    int status = GZ_EXIT_FINE;
    for (size_t i = 0; status == GZ_EXIT_FINE && i < texts->count; i++) {
        status = read_policy(input, texts->items[i], command, &has_all, &room);
    }
    return status;
}

void gz_policy_input_free(gz_policy_input *input) {
    gz_storage_free(input->items);
    gz_storage_free(input->names);
    *input = (gz_policy_input){0};
}

// ----------------------------------------------------------------------------------- margins

/// Splits "A" or "A,B", a copy, in place.
static bool split_names(char *text, graze_pair_margin *item) {
    char *comma = strchr(text, ',');
    item->a = text;
    item->b = NULL;
    if (comma == NULL) return *text != '\0';
    *comma = '\0';
    item->b = comma + 1;
    return comma != text && comma[1] != '\0' && strchr(comma + 1, ',') == NULL;
}

/// One value; *room is where the next names are copied to.
static int read_margin(gz_margin_input *input, const char *text, const char *command, char **room) {
    const char *equals = strrchr(text, '='), *number = equals != NULL ? equals + 1 : text;
    double margin;
    bool good = gz_decimal_parse(number, strlen(number), &margin) && isfinite(margin) &&
                margin >= 0;
    if (good && equals == NULL) {
        if (!isnan(input->all)) {
            return gz_message_usage(command,
                                    "--margin is given twice for everything; allowed: once, and "
                                    "A=M or A,B=M for links and objects");
        }
        input->all = margin;
        return GZ_EXIT_FINE;
    }
    graze_pair_margin item = {.margin = good ? margin : 0};
    if (good) {
        size_t length = (size_t)(equals - text);
        memcpy(*room, text, length);
        (*room)[length] = '\0';
        good = split_names(*room, &item);
        *room += length + 1;
    }
    if (!good) {
        return gz_message_usage(command,
                                "--margin is '%s'; allowed: M, A=M or A,B=M with M in metres, "
                                "finite, not negative",
                                text);
    }
    input->items[input->count++] = item;
    return GZ_EXIT_FINE;
}

int gz_margin_input_read(gz_margin_input *input, const gz_texts *texts, const char *command) {
    size_t bytes = 0;
    for (size_t i = 0; i < texts->count; i++) bytes += strlen(texts->items[i]) + 1;
    *input = (gz_margin_input){.all = NAN};
    input->items = gz_storage_resize(NULL, texts->count, sizeof *input->items);
    input->names = gz_storage_resize(NULL, bytes, 1);
    if (input->items == NULL || input->names == NULL) return gz_message_no_memory();
    char *room = input->names;
    int status = GZ_EXIT_FINE;
    for (size_t i = 0; status == GZ_EXIT_FINE && i < texts->count; i++) {
        status = read_margin(input, texts->items[i], command, &room);
    }
    return status;
}

void gz_margin_input_free(gz_margin_input *input) {
    gz_storage_free(input->items);
    gz_storage_free(input->names);
    *input = (gz_margin_input){0};
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
