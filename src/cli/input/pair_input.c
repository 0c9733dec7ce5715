// Options that name links and objects: --policy, --margin, --allow, --attach.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cli/input/robot_input.h"
#include "cli/message.h"
#include "cli/robot_view.h"
#include "cli/text.h"

// ------------------------------------------------------------------------------------------- rules

static bool find_policy(const char *text, graze_policy *policy) {
    for (int i = GRAZE_POLICY_SOLID; i <= GRAZE_POLICY_CAP; i++) {
        *policy = (graze_policy)i;
        if (strcmp(gz_policy_name(*policy), text) == 0) return true;
    }
    return false;
}

/// The names of a list "A,B,..." of `length` bytes; *count is 0 where one is empty. NULL when out
/// of memory.
static const char **split_names(gz_robot_input *input, const char *text, size_t length,
                                size_t *count) {
    char *at = gz_robot_input_keep_text(input, text, length);
    const char **names = gz_robot_input_keep(input, length + 2, sizeof *names);
    *count = 0;
    if (at == NULL || names == NULL) return NULL;
    for (char *comma; at != NULL; at = comma != NULL ? comma + 1 : NULL) {
        comma = strchr(at, ',');
        if (comma != NULL) *comma = '\0';
        names[(*count)++] = at;
        if (*at != '\0') continue;
        *count = 0;
        break;
    }
    return names;
}

static int read_policy(gz_robot_input *input, graze_checker_options *options,
                       graze_name_policy *item, bool *whole, const char *text) {
    const char *equals = strrchr(text, '=');
    if (equals == text || !find_policy(equals != NULL ? equals + 1 : text, &item->policy))
        return gz_message_usage(input->command,
                                "--policy is '%s'; allowed: solid, surface, cap, or NAME=POLICY "
                                "for a link or an object",
                                text);
    if (equals != NULL) {
        item->name = gz_robot_input_keep_text(input, text, (size_t)(equals - text));
        options->policy_count++;
        return item->name != NULL ? GZ_EXIT_FINE : gz_message_no_memory();
    }
    if (*whole)
        return gz_message_usage(input->command,
                                "--policy is given twice for everything; allowed: once, and "
                                "NAME=POLICY for a link or an object");
    *whole = true;
    options->policy = item->policy;
    return GZ_EXIT_FINE;
}

static int read_margin(gz_robot_input *input, graze_checker_options *options,
                       graze_pair_margin *item, const char *text) {
    const char *equals = strrchr(text, '='), *number = equals != NULL ? equals + 1 : text;
    bool good = gz_decimal_parse(number, strlen(number), &item->margin) && isfinite(item->margin) &&
                item->margin >= 0;
    size_t count = 0;
    if (good && equals != NULL) {
        const char **names = split_names(input, text, (size_t)(equals - text), &count);
        if (names == NULL) return gz_message_no_memory();
        item->a = names[0];
        item->b = names[1];
        options->margin_count++;
    }
    if (!good || (equals != NULL && (count == 0 || count > 2)))
        return gz_message_usage(input->command,
                                "--margin is '%s'; allowed: M, A=M or A,B=M with M in metres, "
                                "finite, not negative",
                                text);
    if (equals != NULL) return GZ_EXIT_FINE;
    if (!isnan(options->margin))
        return gz_message_usage(input->command,
                                "--margin is given twice for everything; allowed: once, and "
                                "A=M or A,B=M for links and objects");
    options->margin = item->margin;
    return GZ_EXIT_FINE;
}

static int read_allowed(gz_robot_input *input, graze_allowed_pair *pair, const char *text) {
    size_t count;
    const char **names = split_names(input, text, strlen(text), &count);
    if (names == NULL) return gz_message_no_memory();
    *pair = (graze_allowed_pair){.a = names[0], .b = names[1]};
    if (count == 2) return GZ_EXIT_FINE;
    return gz_message_usage(input->command, "--allow is '%s'; allowed: two names, A,B", text);
}

int gz_checker_rules_read(gz_robot_input *input, graze_checker_options *options) {
    const gz_texts p = input->policies, m = input->margins, a = input->allowed;
    graze_name_policy *policies = gz_robot_input_keep(input, p.count, sizeof *policies);
    graze_pair_margin *margins = gz_robot_input_keep(input, m.count, sizeof *margins);
    graze_allowed_pair *allowed = gz_robot_input_keep(input, a.count, sizeof *allowed);
    if (policies == NULL || margins == NULL || allowed == NULL) return gz_message_no_memory();
    options->policies = policies;
    options->margins = margins;
    options->allowed = allowed;
    options->allowed_count = a.count;
    options->margin = NAN;
    bool whole = false;
    for (size_t i = 0; i < p.count; i++)
        GZ_TRY_EXIT(
            read_policy(input, options, &policies[options->policy_count], &whole, p.items[i]));
    for (size_t i = 0; i < m.count; i++)
        GZ_TRY_EXIT(read_margin(input, options, &margins[options->margin_count], m.items[i]));
    for (size_t i = 0; i < a.count; i++) GZ_TRY_EXIT(read_allowed(input, &allowed[i], a.items[i]));
    return GZ_EXIT_FINE;
}

// ---------------------------------------------------------------------------- attached bodies

/// Reads OBJECT=LINK[:touch=A,B].
static int read_grasp(gz_robot_input *input, graze_grasp *grasp, const char *text) {
    static const char mark[] = ":touch=";
    const char *touch = strstr(text, mark);
    char *names = gz_robot_input_keep_text(input, text,
                                           touch != NULL ? (size_t)(touch - text) : strlen(text));
    if (names == NULL) return gz_message_no_memory();
    char *equals = strrchr(names, '=');
    bool good = equals != NULL && equals != names && equals[1] != '\0';
    if (good) {
        *equals = '\0';
        grasp->object = names;
        grasp->link = equals + 1;
    }
    if (good && touch != NULL) {
        touch += sizeof mark - 1;
        grasp->touch_links = split_names(input, touch, strlen(touch), &grasp->touch_link_count);
        if (grasp->touch_links == NULL) return gz_message_no_memory();
        good = grasp->touch_link_count > 0;
    }
    if (good) return GZ_EXIT_FINE;
    return gz_message_usage(
        input->command, "--attach is '%s'; allowed: OBJECT=LINK or OBJECT=LINK:touch=A,B", text);
}

/// The configuration in which things are grasped.
static graze_status find_posture(gz_posture *at, const gz_robot_input *input, const char *q,
                                 graze_error *error) {
    GZ_TRY(gz_posture_make(at, input->robot, &input->posture, error));
    if (input->attach_at != NULL)
        return gz_posture_parse(at, input->robot, NULL, "--attach-at", input->attach_at, error);
    if (q == NULL) return GRAZE_OK;
    return gz_posture_parse(at, input->robot, input->posture.joints, "-q", q, error);
}

static int attach_one(gz_robot_input *input, const gz_posture *at, const char *text) {
    graze_error error;
    graze_grasp grasp = graze_grasp_default();
    grasp.q = at->q;
    grasp.q_count = at->size;
    grasp.base = at->base;
    GZ_TRY_EXIT(read_grasp(input, &grasp, text));
    graze_robot *robot;
    graze_world *world;
    graze_status made = graze_grasp_object(&robot, &world, input->robot, input->world, &grasp,
                                           &error);
    // A name that is not there is one of the command line's, not of a file.
    if (made == GRAZE_ERROR_NOT_FOUND || made == GRAZE_ERROR_SCHEMA)
        return gz_message_usage(input->command, "--attach %s: %s", text, error.message);
    if (made != GRAZE_OK) return gz_message_error(input->command, &error);
    graze_robot_free(input->robot);
    graze_world_free(input->world);
    input->robot = robot;
    input->world = world;
    return GZ_EXIT_FINE;
}

int gz_attach_input_apply(gz_robot_input *input, const char *q, bool is_one) {
    bool attaches = input->attached.count > 0;
    const gz_usage_rule rules[] = {
        {!attaches && input->attach_at != NULL, "--attach-at is for --attach, which is missing"},
        {attaches && input->world == NULL,
         "--attach takes an object of the world; --world is missing"},
        {attaches && input->attach_at == NULL && !is_one,
         "--attach needs --attach-at Q: the configuration in which the object is grasped"},
    };
    int status = gz_usage_check(input->command, rules, GZ_COUNT(rules));
    if (status != GZ_GO_ON) return status;
    if (!attaches) return GZ_EXIT_FINE;
    gz_posture at = {0};
    graze_error error;
    graze_status found = find_posture(&at, input, q, &error);
    status = gz_message_outcome(input->command, found, &error);
    for (size_t i = 0; status == GZ_EXIT_FINE && i < input->attached.count; i++)
        status = attach_one(input, &at, input->attached.items[i]);
    gz_posture_free(&at);
    return status;
}
