#include "cli/input/robot_input.h"

#include <string.h>

#include "cli/message.h"
#include "cli/text.h"

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
