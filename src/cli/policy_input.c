#include "cli/input/robot_input.h"

#include <string.h>

#include "cli/message.h"
#include "cli/text.h"

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
static int read_one(gz_policy_input *input, const char *text, const char *command, bool *has_all,
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
        status = read_one(input, texts->items[i], command, &has_all, &room);
    }
    return status;
}

void gz_policy_input_free(gz_policy_input *input) {
    gz_storage_free(input->items);
    gz_storage_free(input->names);
    *input = (gz_policy_input){0};
}
