#include "cli/input/robot_input.h"

#include <math.h>
#include <string.h>

#include "cli/message.h"
#include "cli/text.h"

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
static int read_one(gz_margin_input *input, const char *text, const char *command, char **room) {
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
        status = read_one(input, texts->items[i], command, &room);
    }
    return status;
}

void gz_margin_input_free(gz_margin_input *input) {
    gz_storage_free(input->items);
    gz_storage_free(input->names);
    *input = (gz_margin_input){0};
}
