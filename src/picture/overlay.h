/// Marks drawn over a finished picture.
#ifndef GZ_PICTURE_OVERLAY_H
#define GZ_PICTURE_OVERLAY_H

#include "picture/camera.h"

/// Draws the contacts: the segments where triangles meet, and a dot where there is none, bright
/// with a dark edge, whatever lies in front.
void gz_overlay_contacts(uint8_t *pixels, const gz_picture *picture, const gz_camera *camera);

#endif
