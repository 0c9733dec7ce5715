/// Pictures: a posed robot and its world, shaded. A z-buffer in memory; no display and no graphics
/// processor.
///
/// Beside src/base/, this module uses the public headers, libpng and cglm only.
#ifndef GZ_PICTURE_PICTURE_H
#define GZ_PICTURE_PICTURE_H

#include <stdint.h>

#include "graze/check.h"

/// From where a picture is taken.
typedef struct gz_view {
    bool given; ///< the direction is; false: the one that shows most
    double azimuth,
        elevation;   ///< degrees: where the eye is, from x towards y, and above the horizon
    double distance; ///< metres from the middle of what is framed to the eye; 0: as near as it fits
    int32_t link;    ///< what is framed; -1: the robot and what is near
} gz_view;

/// What to draw, and how large. Obtain from gz_picture_default(), then set the fields.
typedef struct gz_picture {
    const graze_robot *robot;
    const graze_world *world;      ///< may be NULL
    const graze_transform *links;  ///< pose_count rows of graze_robot_link_count() link poses, as
                                   ///< graze_robot_pose() gives them; the last row is drawn solid,
                                   ///< those before it see-through, but for links that stand where
                                   ///< the last row has them
    size_t pose_count;             ///< at least 1
    bool start;                    ///< the first row is where a way begins, drawn blue
    bool ends;                     ///< that and the second row, where it ends, green; frames: the
                                   ///< first and the last
    const graze_contact *contacts; ///< of the last pose: link red, what it touches orange
    size_t contact_count;
    bool visuals; ///< draw `<visual>` geometry where it was loaded (GRAZE_VISUALS_LOAD); links that
                  ///< have none are drawn by their collision geometry
    int32_t width, height; ///< pixels, 16 to 16384; default 1280 x 960
    gz_view view;
    int32_t samples; ///< per pixel and axis, 1 to 4; default 3
} gz_picture;

gz_picture gz_picture_default(void);

/// Draws the picture: width * height * 3 bytes, red green blue, top row first.
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT, GRAZE_ERROR_RANGE (sizes); GRAZE_ERROR_NO_MEMORY
/// The same input gives the same bytes. Cost: about a second for 100,000 triangles.
graze_status gz_picture_draw(const gz_picture *picture, uint8_t *pixels, graze_error *error);

/// Takes a picture that is drawn; false where there is no memory for it.
typedef bool (*gz_frame_sink)(void *user, const uint8_t *pixels);

/// Draws `count` poses, each a picture of its own, all from the place that is chosen for the poses
/// of `framing`, and of its size. Each is drawn into `pixels` and handed to `sink`. Where `framing`
/// has `ends`, the first and the last pose are see-through in each.
/// @param links `count` rows of link poses, as those of gz_picture
/// @return as gz_picture_draw(); GRAZE_ERROR_NO_MEMORY also where the sink has none
graze_status gz_picture_draw_frames(const gz_picture *framing, const graze_transform *links,
                                    size_t count, gz_frame_sink sink, void *user, uint8_t *pixels,
                                    graze_error *error);

#endif
