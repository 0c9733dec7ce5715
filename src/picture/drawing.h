/// Everything that is drawn, as shaded triangles in the world frame, one geometry after the other.
#ifndef GZ_PICTURE_DRAWING_H
#define GZ_PICTURE_DRAWING_H

#include "picture/picture.h"

typedef enum gz_role {
    GZ_ROLE_ROBOT = 0,
    GZ_ROLE_WORLD = 1,
    GZ_ROLE_HIT = 2,     ///< a link in collision
    GZ_ROLE_TOUCHED = 3, ///< what it touches
    GZ_ROLE_GHOST = 4,   ///< the robot somewhere else; those behind, too
    GZ_ROLE_START = 5,   ///< where a way begins
    GZ_ROLE_GOAL = 6     ///< where it ends
} gz_role;

/// One geometry: of a link or of an object.
typedef struct gz_drawn_geometry {
    const char *name; ///< of the link or object
    int32_t link;     ///< -1: of an object, or of the robot somewhere else
    gz_role role;
    bool touched_object; ///< an object of the world that a link touches
    double color[3];     ///< linear light, 0 to 1
    double gloss;        ///< 0 dull to 1
    graze_aabb box;      ///< world frame
    size_t first, count; ///< its triangles
} gz_drawn_geometry;

typedef struct gz_draw_triangle {
    graze_vec3 corner[3];
    graze_vec3 normal[3]; ///< unit, at the corners
    graze_vec3 face;      ///< unit normal of the plane; zero for a triangle without area
    uint32_t item;
} gz_draw_triangle;

typedef struct gz_drawing {
    gz_draw_triangle *triangles;
    size_t count, capacity;
    gz_drawn_geometry *items;
    size_t item_count, item_capacity;
} gz_drawing;

/// Collects the triangles of a picture; false when out of memory. Free in any case.
bool gz_drawing_make(gz_drawing *drawing, const gz_picture *picture);
void gz_drawing_free(gz_drawing *drawing);

#endif
