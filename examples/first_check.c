#include <graze/graze.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf(&robot, argc > 1 ? argv[1] : "robot.urdf", NULL, &error))
        return fprintf(stderr, "%s:%d: %s\n", error.file, error.line, error.message), 3;
    double *q = calloc(graze_robot_q_size(robot) + 1, sizeof *q); // every joint at 0
    const char *link = graze_pose_is_collision(robot, NULL, q);
    printf("%s\n", link ? link : "free");
    free(q);
    graze_robot_free(robot);
    return link != NULL;
}
