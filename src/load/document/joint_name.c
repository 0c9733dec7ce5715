#include "load/document/joint_name.h"

#include "base/spelling.h"

static graze_status fail_name(const gz_document *document, const gz_value *value,
                              const graze_robot *robot, const char *name) {
    if (graze_robot_find_joint(robot, name) >= 0)
        return gz_value_fail(document, value, GRAZE_ERROR_SCHEMA,
                             "joint '%.200s' has no number of its own: it is fixed, follows "
                             "another one, or has several",
                             name);
    gz_spelling nearest = gz_spelling_start(name);
    for (size_t i = 0; i < graze_robot_q_size(robot); i++)
        gz_spelling_try(&nearest, graze_robot_q_name(robot, i), (int32_t)i);
    const char *near = nearest.index < 0 ? NULL : graze_robot_q_name(robot, (size_t)nearest.index);
    return gz_value_fail(document, value, GRAZE_ERROR_SCHEMA,
                         "no joint is called '%.200s'%s%.200s%s", name,
                         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

graze_status gz_value_joint_named(const gz_document *document, const gz_value *value,
                                  const char *name, const graze_robot *robot, int32_t *column) {
    *column = graze_robot_find_q(robot, name);
    return *column < 0 ? fail_name(document, value, robot, name) : GRAZE_OK;
}

graze_status gz_value_joint(const gz_document *document, const gz_value *value,
                            const graze_robot *robot, int32_t *column) {
    const char *name = gz_value_text(document, value);
    if (name) return gz_value_joint_named(document, value, name, robot, column);
    return gz_value_fail(document, value, GRAZE_ERROR_SCHEMA,
                         "found %s; allowed: the name of a joint", gz_value_kind_name(value));
}

graze_status gz_value_joint_new(const gz_document *document, const gz_value *value,
                                const int32_t *columns, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (columns[i] == columns[count])
            return gz_value_fail(document, value, GRAZE_ERROR_SCHEMA,
                                 "joint '%.200s' is named twice; allowed: once",
                                 gz_value_text(document, value));
    return GRAZE_OK;
}
