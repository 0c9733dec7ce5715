#include "cli/link_poses.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/robot_view.h"
#include "cli/text.h"

static const char *const coordinates[6] = {"x", "y", "z", "roll", "pitch", "yaw"};

/// A pose that graze_robot_pose() wrote is a rotation, so that this has no error.
static void six_numbers(double out[6], const graze_transform *pose) {
    if (graze_transform_to_xyz_rpy(out, pose) != GRAZE_OK)
        for (int i = 0; i < 6; i++) out[i] = NAN;
}

void gz_link_poses_print(FILE *stream, const graze_robot *robot, const graze_transform *poses) {
    int width = gz_widest_link(robot, "link");
    fprintf(stream, "\nposes of the links in the world, m and rad\n  %-*s", width, "link");
    for (int k = 0; k < 6; k++) fprintf(stream, "  %10s", coordinates[k]);
    fputc('\n', stream);
    for (size_t i = 0; i < graze_robot_link_count(robot); i++) {
        double numbers[6];
        six_numbers(numbers, &poses[i]);
        fprintf(stream, "  %-*s", width, GZ_PLAIN(graze_robot_link_name(robot, (int32_t)i)));
        for (int k = 0; k < 6; k++) {
            char text[GZ_DECIMAL_SIZE];
            fprintf(stream, "  %10s", gz_decimal_format_fixed(text, numbers[k], 6));
        }
        fputc('\n', stream);
    }
}

void gz_link_poses_json(gz_json *json, const graze_robot *robot, const graze_transform *poses) {
    gz_json_put(json, "poses=[");
    for (size_t i = 0; i < graze_robot_link_count(robot); i++) {
        double numbers[6];
        six_numbers(numbers, &poses[i]);
        gz_json_put(json, "{ link=%s", graze_robot_link_name(robot, (int32_t)i));
        gz_json_numbers(json, "position", numbers, 3);
        gz_json_numbers(json, "rpy", numbers + 3, 3);
        gz_json_put(json, "}");
    }
    gz_json_put(json, "]");
}

void gz_link_poses_csv_head(FILE *stream, const graze_robot *robot) {
    for (size_t i = 0; i < graze_robot_link_count(robot); i++)
        for (int k = 0; k < 6; k++) {
            char *name = gz_string_format("%s.%s", graze_robot_link_name(robot, (int32_t)i),
                                          coordinates[k]);
            fputc(',', stream);
            gz_csv_field(stream, name != NULL ? name : coordinates[k]);
            gz_free(name);
        }
}

void gz_link_poses_csv(FILE *stream, const graze_robot *robot, const graze_transform *poses) {
    for (size_t i = 0; i < graze_robot_link_count(robot); i++) {
        double numbers[6];
        if (poses != NULL) six_numbers(numbers, &poses[i]);
        for (int k = 0; k < 6; k++) {
            fputc(',', stream);
            if (poses != NULL) gz_number_write(stream, numbers[k]);
        }
    }
}
