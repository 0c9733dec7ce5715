#include "cli/check/check_output.h"

#include "cli/message.h"
#include "cli/text.h"
#include "picture/picture.h"

/// Every contact of a pose, so that every colliding link is red. The caller frees *contacts.
static int find_contacts(const graze_checker *checker, const gz_pictured_pose *pose,
                         graze_contact **contacts, size_t *count) {
    graze_error error;
    graze_workspace *workspace = NULL;
    graze_status status = graze_workspace_create(&workspace, checker, &error);
    size_t q_size = graze_robot_q_size(graze_checker_robot(checker)), capacity = 0;
    *count = 16;
    bool room = true;
    while (status == GRAZE_OK && *count > capacity) {
        room = gz_storage_reserve((void **)contacts, &capacity, *count, sizeof **contacts);
        if (!room) break;
        graze_report report = {.contacts = *contacts, .capacity = capacity};
        status = graze_check(checker, workspace, GRAZE_ANSWER_ALL, pose->q, q_size, pose->base,
                             &report, &error);
        *count = report.count;
    }
    graze_workspace_free(workspace);
    if (!room) return gz_message_no_memory();
    return status == GRAZE_OK ? GZ_EXIT_FINE : gz_message_error(NULL, &error);
}

static int draw(const char *path, const graze_checker *checker, const gz_pictured_pose *poses,
                size_t pose_count, graze_transform *links, const graze_contact *contacts,
                size_t contact_count) {
    const graze_robot *robot = graze_checker_robot(checker);
    size_t link_count = (size_t)graze_robot_link_count(robot);
    graze_error error;
    for (size_t i = 0; i < pose_count; i++) {
        graze_status posed = graze_robot_pose(robot, poses[i].q, graze_robot_q_size(robot),
                                              poses[i].base, links + i * link_count, &error);
        if (posed != GRAZE_OK) return gz_message_error(NULL, &error);
    }
    gz_picture picture = gz_picture_default();
    picture.robot = robot;
    picture.world = graze_checker_world(checker);
    picture.links = links;
    picture.pose_count = pose_count;
    picture.contacts = contacts;
    picture.contact_count = contact_count;
    picture.visuals = true;
    graze_status status = gz_picture_write(&picture, path, &error);
    return status == GRAZE_OK ? GZ_EXIT_FINE : gz_message_error(NULL, &error);
}

int gz_picture_output(const char *path, const graze_checker *checker, const gz_pictured_pose *poses,
                      size_t pose_count) {
    size_t link_count = (size_t)graze_robot_link_count(graze_checker_robot(checker));
    graze_contact *contacts = NULL;
    size_t contact_count = 0;
    graze_transform *links = gz_storage_resize(NULL, pose_count * link_count, sizeof *links);
    int status = links != NULL
                     ? find_contacts(checker, &poses[pose_count - 1], &contacts, &contact_count)
                     : gz_message_no_memory();
    if (status == GZ_EXIT_FINE) {
        status = draw(path, checker, poses, pose_count, links, contacts, contact_count);
    }
    gz_storage_free(links);
    gz_storage_free(contacts);
    return status;
}
