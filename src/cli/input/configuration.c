#include "cli/input/configuration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/robot_view.h"
#include "cli/text.h"

static const char *const base_names[GZ_BASE_SIZE] = {"base_x",    "base_y",     "base_z",
                                                     "base_roll", "base_pitch", "base_yaw"};

const char *const gz_order_names[GZ_ORDER_COUNT] = {"", " velocity", " acceleration"};

const char *gz_place_name(const graze_robot *robot, int32_t place) {
    if (place == GZ_TIME_PLACE) return "time";
    return place >= 0 ? graze_robot_q_name(robot, (size_t)place) : base_names[-1 - place];
}

// ------------------------------------------------------------------------------------- columns

static const char *column_name(const void *robot, size_t i) {
    size_t size = graze_robot_q_size(robot);
    if (i < size) return graze_robot_q_name(robot, i);
    return i < size + GZ_BASE_SIZE ? base_names[i - size] : NULL;
}

/// Writes the names of q, as many as fit.
static void list_names(const graze_robot *robot, char *out, size_t size) {
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < graze_robot_q_size(robot); i++) {
        const char *name = graze_robot_q_name(robot, i);
        if (used + strlen(name) + 8 > size) {
            snprintf(out + used, size - used, ", ...");
            return;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "", name);
    }
    if (used == 0) snprintf(out, size, "none, no joint of this robot moves");
}

/// Fills the error of a name that is no column: a joint without numbers, one with several, or no
/// joint at all.
static graze_status fail_name(const graze_robot *robot, const char *name, graze_error *error) {
    int32_t index = graze_robot_find_joint(robot, name);
    if (index >= 0) {
        graze_joint_info joint = gz_joint_at(robot, index);
        if (joint.mimic >= 0)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "joint '%s' follows '%s' and has no number of its own", name,
                           gz_joint_at(robot, joint.mimic).name);
        if (joint.q_count == 0)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT, "joint '%s' is fixed and has no number",
                           name);
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "joint '%s' has %d numbers; allowed: %s to %s",
                       name, (int)joint.q_count, graze_robot_q_name(robot, (size_t)joint.q_index),
                       graze_robot_q_name(robot, (size_t)(joint.q_index + joint.q_count - 1)));
    }
    const char *near = gz_spelling_nearest(name, column_name, robot);
    char names[512];
    list_names(robot, names, sizeof names);
    return gz_fail(error, GRAZE_ERROR_ARGUMENT, "no joint is called '%s';%s%s%s allowed: %s", name,
                   near != NULL ? " did you mean '" : "", near != NULL ? near : "",
                   near != NULL ? "'?" : "", names);
}

static graze_status add_place(gz_columns *columns, int32_t place, graze_error *error) {
    if (!gz_array_reserve((void **)&columns->places, &columns->capacity, columns->count + 1,
                          sizeof *columns->places))
        return gz_fail_memory(error);
    columns->places[columns->count++] = place;
    return GRAZE_OK;
}

graze_status gz_columns_all(gz_columns *columns, const graze_robot *robot, bool with_base,
                            graze_error *error) {
    columns->count = 0;
    graze_status status = GRAZE_OK;
    for (int32_t i = 0; with_base && status == GRAZE_OK && i < GZ_BASE_SIZE; i++)
        status = add_place(columns, -1 - i, error);
    for (size_t i = 0; status == GRAZE_OK && i < graze_robot_q_size(robot); i++)
        status = add_place(columns, (int32_t)i, error);
    return status;
}

/// The column of q or of the base that is called so. A joint that happens to be called base_x comes
/// before the base's coordinate of that name.
static bool find_coordinate(const graze_robot *robot, const char *word, int32_t *place) {
    *place = graze_robot_find_q(robot, word);
    for (int32_t i = 0; *place < 0 && i < GZ_BASE_SIZE; i++) {
        if (strcmp(word, base_names[i]) != 0) continue;
        *place = -1 - i;
        return true;
    }
    return *place >= 0;
}

/// The derivative of a column that is called so; the word stays without the end that says which.
static bool find_derivative(const graze_robot *robot, char *word, int32_t *place) {
    for (int32_t order = 1; order < GZ_ORDER_COUNT; order++) {
        if (!gz_text_ends_with(word, gz_order_names[order])) continue;
        word[strlen(word) - strlen(gz_order_names[order])] = '\0';
        if (!find_coordinate(robot, word, place)) return false;
        *place += order * GZ_ORDER_PLACES;
        return true;
    }
    return false;
}

/// The column of that name, which is copied to word, cut where that is full.
static bool find_place(const graze_robot *robot, const char *name, size_t length, bool timed,
                       char word[GRAZE_PATH_SIZE], int32_t *place) {
    bool whole = length < GRAZE_PATH_SIZE;
    if (!whole) length = GRAZE_PATH_SIZE - 1;
    memcpy(word, name, length);
    word[length] = '\0';
    if (!whole) return false;
    if (find_coordinate(robot, word, place)) return true;
    if (!timed) return false;
    *place = GZ_TIME_PLACE;
    return strcmp(word, "time") == 0 || find_derivative(robot, word, place);
}

graze_status gz_columns_add(gz_columns *columns, const graze_robot *robot, const char *name,
                            size_t length, graze_error *error) {
    char word[GRAZE_PATH_SIZE];
    int32_t place = 0;
    // Blanks around a name do not count, unless there is a joint whose name has them.
    bool found = find_place(robot, name, length, columns->timed, word, &place);
    if (!found) {
        while (length > 0 && (*name == ' ' || *name == '\t')) name++, length--;
        while (length > 0 && (name[length - 1] == ' ' || name[length - 1] == '\t')) length--;
        if (length == 0) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "a joint name is empty");
        found = find_place(robot, name, length, columns->timed, word, &place);
    }
    if (!found) return fail_name(robot, word, error);
    if (gz_columns_find(columns, place) < SIZE_MAX)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "'%s%s' is named twice", word,
                       gz_order_names[gz_place_order(place)]);
    return add_place(columns, place, error);
}

graze_status gz_columns_parse(gz_columns *columns, const graze_robot *robot, const char *list,
                              graze_error *error) {
    columns->count = 0;
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        GZ_TRY(gz_columns_add(columns, robot, at, length, error));
        at += length;
        if (*at == '\0') return GRAZE_OK;
    }
}

size_t gz_columns_find(const gz_columns *columns, int32_t place) {
    for (size_t i = 0; i < columns->count; i++)
        if (columns->places[i] == place) return i;
    return SIZE_MAX;
}

bool gz_columns_have_base(const gz_columns *columns) {
    for (size_t i = 0; i < columns->count; i++)
        if (columns->places[i] < 0 && columns->places[i] != GZ_TIME_PLACE) return true;
    return false;
}

graze_status gz_columns_of_joints(gz_columns *columns, const graze_robot *robot, const char *list,
                                  const char *allowed, graze_error *error) {
    GZ_TRY(gz_columns_parse(columns, robot, list, error));
    if (!gz_columns_have_base(columns)) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_ARGUMENT, "--joints names the base; allowed: %s", allowed);
}

void gz_columns_free(gz_columns *columns) {
    gz_free(columns->places);
    *columns = (gz_columns){0};
}

void gz_columns_scatter(const gz_columns *columns, const double *row, int order, double *q,
                        double *base) {
    for (size_t i = 0; i < columns->count; i++) {
        int32_t place = columns->places[i];
        if (place == GZ_TIME_PLACE || gz_place_order(place) != order) continue;
        place -= order * GZ_ORDER_PLACES;
        *(place >= 0 ? &q[place] : &base[-1 - place]) = row[i];
    }
}

// ------------------------------------------------------------------------------------- posture

/// Reads "joint=value,..." into the posture.
static graze_status parse_named(gz_posture *posture, const graze_robot *robot, const char *option,
                                const char *text, graze_error *error) {
    gz_columns columns = {0};
    graze_status status = GRAZE_OK;
    for (const char *at = text; status == GRAZE_OK; at++) {
        size_t length = strcspn(at, ",");
        const char *equals = memchr(at, '=', length);
        double value = 0;
        if (equals == NULL)
            status = gz_fail(error, GRAZE_ERROR_ARGUMENT,
                             "%s: '%.*s' has no '='; allowed: joint=value for all, or "
                             "numbers for all",
                             option, (int)length, at);
        else
            status = gz_columns_add(&columns, robot, at, (size_t)(equals - at), error);
        if (status != GRAZE_OK) break;
        if (!gz_decimal_parse(equals + 1, (size_t)(at + length - equals - 1), &value))
            status = gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s: '%.*s' is not joint=number", option,
                             (int)length, at);
        const gz_columns last = {.places = &columns.places[columns.count - 1], .count = 1};
        gz_columns_scatter(&last, &value, 0, posture->q, posture->base);
        at += length;
        if (*at == '\0') break;
    }
    gz_columns_free(&columns);
    return status;
}

/// How many numbers a list has; the empty list has none.
static size_t list_count(const char *text) {
    if (text[strspn(text, " \t")] == '\0') return 0;
    size_t count = 1;
    for (; *text != '\0'; text++) count += *text == ',' ? 1 : 0;
    return count;
}

static graze_status fail_count(const graze_robot *robot, const gz_columns *columns,
                               const char *option, size_t found, graze_error *error) {
    char names[512] = "";
    for (size_t i = 0; i < columns->count && strlen(names) + 64 < sizeof names; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                 gz_place_name(robot, columns->places[i]));
    }
    return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s: %zu number%s; allowed: %zu (%s)", option,
                   found, found == 1 ? "" : "s", columns->count, names);
}

/// Reads "0.1,0.2,..." into the posture.
static graze_status parse_numbers(gz_posture *posture, const graze_robot *robot,
                                  const gz_columns *columns, const char *option, const char *text,
                                  graze_error *error) {
    size_t found = list_count(text);
    if (found != columns->count) return fail_count(robot, columns, option, found, error);
    const char *at = text;
    for (size_t i = 0; i < found; i++) {
        size_t length = strcspn(at, ",");
        const gz_columns column = {.places = &columns->places[i], .count = 1};
        double value = 0;
        if (!gz_decimal_parse(at, length, &value))
            return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s: '%.*s' is not a number", option,
                           (int)length, at);
        gz_columns_scatter(&column, &value, 0, posture->q, posture->base);
        at += length + 1;
    }
    return GRAZE_OK;
}

graze_status gz_posture_parse(gz_posture *posture, const graze_robot *robot, const char *joints,
                              const char *option, const char *text, graze_error *error) {
    if (strchr(text, '=') != NULL) return parse_named(posture, robot, option, text, error);
    gz_columns columns = {0};
    graze_status status = joints != NULL ? gz_columns_parse(&columns, robot, joints, error)
                                         : gz_columns_all(&columns, robot, false, error);
    if (status == GRAZE_OK) status = parse_numbers(posture, robot, &columns, option, text, error);
    gz_columns_free(&columns);
    return status;
}

graze_status gz_base_parse(double base[GZ_BASE_SIZE], const char *option, const char *text,
                           graze_error *error) {
    bool good = gz_decimal_parse_list(text, base, GZ_BASE_SIZE);
    for (size_t i = 0; i < GZ_BASE_SIZE; i++) good = good && isfinite(base[i]);
    if (good) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                   "%s is '%s'; allowed: six numbers, x,y,z,roll,pitch,yaw", option, text);
}

graze_status gz_joint_limit_error(const graze_robot *robot, int32_t joint, const double *q,
                                  graze_error *error) {
    char text[3][GZ_DECIMAL_SIZE];
    graze_joint_info info = gz_joint_at(robot, joint), source = info;
    double multiplier = 1, offset = 0;
    while (source.mimic >= 0) {
        offset += multiplier * source.offset;
        multiplier *= source.multiplier;
        source = gz_joint_at(robot, source.mimic);
    }
    double value = offset + (source.q_index >= 0 ? multiplier * q[source.q_index] : 0);
    return gz_fail(error, GRAZE_ERROR_RANGE, "joint '%s' is %s; allowed: %s to %s", info.name,
                   gz_decimal_format(text[0], value), gz_decimal_format(text[1], info.lower),
                   gz_decimal_format(text[2], info.upper));
}

graze_status gz_posture_apply_state(gz_posture *posture, const graze_robot *robot,
                                    const char *option, const char *name, graze_error *error) {
    char group[GRAZE_PATH_SIZE];
    const char *slash = strchr(name, '/');
    group[0] = '\0';
    if (slash != NULL && (size_t)(slash - name) < sizeof group) {
        memcpy(group, name, (size_t)(slash - name));
        group[slash - name] = '\0';
        name = slash + 1;
    }
    graze_error found;
    graze_status status = graze_robot_apply_state(robot, group, name, posture->q, &found);
    if (status == GRAZE_OK) return GRAZE_OK;
    return gz_fail(error, status == GRAZE_ERROR_NO_MEMORY ? status : GRAZE_ERROR_ARGUMENT, "%s: %s",
                   option, found.message);
}

graze_status gz_posture_make(gz_posture *posture, const graze_robot *robot,
                             const gz_posture_options *options, graze_error *error) {
    *posture = (gz_posture){.size = graze_robot_q_size(robot)};
    posture->q = gz_malloc(posture->size, sizeof *posture->q);
    if (posture->q == NULL) return gz_fail_memory(error);
    graze_robot_rest(robot, posture->q);
    graze_status status = GRAZE_OK;
    if (options->rest != NULL) {
        // A name of a state, unless it reads as numbers or as joint=value.
        double number = 0;
        bool values = strchr(options->rest, '=') != NULL ||
                      gz_decimal_parse(options->rest, strcspn(options->rest, ","), &number);
        status = values ? gz_posture_parse(posture, robot, NULL, "--rest", options->rest, error)
                        : gz_posture_apply_state(posture, robot, "--rest", options->rest, error);
    }
    if (status == GRAZE_OK && options->state != NULL)
        status = gz_posture_apply_state(posture, robot, "--state", options->state, error);
    if (status == GRAZE_OK && options->base != NULL)
        status = gz_base_parse(posture->base, "--base", options->base, error);
    return status;
}

graze_status gz_posture_make_end(gz_posture *end, const graze_robot *robot,
                                 const gz_posture_options *common, const gz_end_options *own,
                                 graze_error *error) {
    GZ_TRY(gz_posture_make(end, robot, common, error));
    if (own->state != NULL)
        GZ_TRY(gz_posture_apply_state(end, robot, own->state_name, own->state, error));
    if (own->q != NULL)
        GZ_TRY(gz_posture_parse(end, robot, common->joints, own->q_name, own->q, error));
    if (own->base == NULL) return GRAZE_OK;
    return gz_base_parse(end->base, own->base_name, own->base, error);
}

void gz_posture_free(gz_posture *posture) {
    gz_free(posture->q);
    *posture = (gz_posture){0};
}
