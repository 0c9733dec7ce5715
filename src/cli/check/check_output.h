/// Files that are written beside an answer: dumps and pictures.
///
/// A dump is everything that a verdict rests on, so that `graze verify` and anybody else can decide
/// it anew (docs/verify.md): lines of words, not JSON: JSON has no exact notation for doubles, and
/// what reads a dump should share no reader with what made it.
#ifndef GZ_CLI_CHECK_CHECK_OUTPUT_H
#define GZ_CLI_CHECK_CHECK_OUTPUT_H

#include "cli/check/verdict_writer.h"
#include "cli/input/robot_input.h"
#include "graze/graze.h"
#include "picture/picture.h"
#include "picture/raster.h"

/// Objects that move while the robot does, each where the world has it at the time `begin`.
typedef struct gz_dumped_moving {
    const graze_moving_object *objects;
    size_t count; ///< 0: what is dumped has no times
    double begin;
} gz_dumped_moving;

/// The one of them that an object of the world is a shape of; NULL where it stands.
const graze_moving_object *gz_dumped_moving_find(const gz_dumped_moving *moving,
                                                 const graze_geometry *object);
/// Moves a pose by what such an object has moved at a time, as the verifier computes it.
void gz_dumped_moving_shift(const gz_dumped_moving *moving, const graze_moving_object *object,
                            double time, graze_transform *pose);

typedef struct gz_dump_writer {
    // Set by the command.
    FILE *stream;
    const graze_checker *checker;
    bool all;      ///< findings list every contact
    bool no_world; ///< the boundary does not count
    double domain; ///< metres: where epsilon holds
    gz_dumped_moving moving;
    double time; ///< where objects move, the time of the finding that is written next

    // Scratch, in one block of memory.
    void *memory;
    const graze_robot *robot;
    int32_t *component_of; ///< of each link; -1 without geometry
    size_t *first_of;      ///< the first collision geometry of each link
    int32_t *frame_of;     ///< of each link that is the root of a body with geometry; or -1
    int32_t *frames;       ///< links, the robot's root first
    size_t frame_count, link_components;
    graze_transform *poses; ///< of the links
    uint64_t written;
} gz_dump_writer;

/// Writes all that configurations have in common. Fails only for lack of memory.
graze_status gz_dump_writer_begin(gz_dump_writer *writer, graze_error *error);
/// Writes one finding with what it is about.
void gz_dump_writer_put(gz_dump_writer *writer, const gz_finding *finding, const double *q,
                        const double *base);
/// A motion from a configuration, and what became of it.
typedef struct gz_dumped_motion {
    const double *times; ///< of a piece of a trajectory: where it begins and ends; NULL: straight
    uint32_t degree;     ///< of a piece; else 1
    const double *to, *to_base; ///< `degree` rows: control points behind the configuration
    graze_turn turn;            ///< of a straight motion
    graze_motion_verdict verdict;
    double earliest, latest; ///< from 0 to 1
} gz_dumped_motion;

/// Writes the finding at the begin of a motion, and what is claimed of that.
void gz_dump_writer_put_motion(gz_dump_writer *writer, const gz_finding *finding, const double *q,
                               const double *base, const gz_dumped_motion *motion);
/// Writes the last line: without it a dump is not whole.
void gz_dump_writer_end(gz_dump_writer *writer);
void gz_dump_writer_free(gz_dump_writer *writer);

/// The files of a command that checks: its answer (-o), a dump, a picture and an animation.
typedef struct gz_check_files {
    const char *output, *dump, *picture, *animation; ///< NULL where not given
    gz_texts cameras;                                ///< of the pictures
} gz_check_files;

/// GZ_GO_ON where the files are a file each, and of the right kind; a usage error otherwise.
/// `answer` is what goes to -o: "the verdicts".
int gz_check_files_usage(const gz_check_files *files, const gz_robot_input *input,
                         const char *answer);

/// A configuration and base pose.
typedef struct gz_pictured_pose {
    const double *q, *base;
} gz_pictured_pose;

/// Contacts, as many as there was need for.
typedef struct gz_contacts {
    graze_contact *items;
    size_t capacity;
} gz_contacts;

/// graze_check() for the first contact, or for all of them, kept in `contacts`.
graze_status gz_check_contacts(const graze_checker *checker, graze_workspace *workspace, bool all,
                               const gz_pictured_pose *pose, gz_contacts *contacts,
                               graze_report *report, graze_error *error);

/// Poses the links and finds every contact of the last pose, for a picture of `pose_count` poses.
/// @param links [out] pose_count rows of poses
graze_status gz_picture_fill(gz_picture *picture, const graze_checker *checker,
                             const gz_pictured_pose *poses, graze_transform *links,
                             gz_contacts *contacts, graze_error *error);

/// --camera, of commands that have --picture.
#define GZ_OPTION_CAMERA(target)                                                                   \
    {                                                                                              \
        "camera", "VIEW", .texts = (target),                                                       \
                          .help = "where --picture is taken from: front, side, top,\n"             \
                                  "AZIMUTH,ELEVATION[,DISTANCE] in degrees and metres;\n"          \
                                  "fit=LINK: what fills it (both may be given)"                    \
    }
/// Reads --camera; links are the robot's. Returns an exit status; the message is printed.
int gz_camera_read(gz_view *view, const gz_texts *cameras, const gz_robot_input *input);

/// Draws the robot in its world and writes a PNG (beside its place, then renamed): the last pose
/// solid with all its colliding links red and what they touch orange, those before it see-through.
/// Returns an exit status; the message is printed.
int gz_picture_output(const char *path, const graze_checker *checker, const gz_view *view,
                      const gz_pictured_pose *poses, size_t pose_count);

/// Opens, writes pixels as PNG, and finishes.
int gz_output_write_png(const char *path, const gz_pixels *pixels);

#endif
