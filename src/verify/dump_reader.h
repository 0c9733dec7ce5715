/// The content of a dump (docs/verify.md) and its reader: the scene first, then one configuration
/// at a time, so that memory holds one however long the file. Nothing here comes from the engine.
#ifndef GZ_VERIFY_DUMP_READER_H
#define GZ_VERIFY_DUMP_READER_H

#include "graze/base.h"
#include "verify/dump_text.h"

typedef enum gz_dump_shape {
    GZ_DUMP_BOX,
    GZ_DUMP_MESH,
    GZ_DUMP_SPHERE,
    GZ_DUMP_CAPSULE,
    GZ_DUMP_CYLINDER,
    GZ_DUMP_POINTS
} gz_dump_shape;

typedef enum gz_dump_policy { GZ_DUMP_SOLID, GZ_DUMP_SURFACE, GZ_DUMP_CAP } gz_dump_policy;

/// One shape of a body, in the body's frame, metres.
typedef struct gz_dump_element {
    gz_dump_shape shape;
    double radius;       ///< of curved shapes and points
    double (*points)[3]; ///< vertices; the two ends of an axis; points
    size_t point_count, point_capacity;
    uint32_t (*triangles)[3];
    size_t triangle_count, triangle_capacity;
} gz_dump_element;

/// A link with geometry, or an object of the world.
typedef struct gz_dump_body {
    char *name;
    bool is_object;
    gz_dump_policy policy;
    int32_t frame;   ///< of a link; -1 for an object, which stands at `pose`
    double pose[12]; ///< of an object, where it does not move
    bool moves;      ///< an object that moves: it is at `pose` at the time `begin`
    double begin;
    double velocity[3]; ///< metres per unit of time, constant; it does not turn
    double pose_error;  ///< of a link: bound on how far its points may be from the real ones
    gz_dump_element *elements;
    size_t element_count, element_capacity;
} gz_dump_body;

/// Two bodies, in check order.
typedef struct gz_dump_pair {
    int32_t a, b;  ///< bodies; a is a link, b an object or a later link
    bool skipped;  ///< not checked, for the reason
    char *reason;  ///< NULL for pairs that are checked
    double margin; ///< metres
} gz_dump_pair;

typedef enum gz_dump_joint_type {
    GZ_DUMP_FIXED,
    GZ_DUMP_REVOLUTE,
    GZ_DUMP_CONTINUOUS,
    GZ_DUMP_PRISMATIC,
    GZ_DUMP_PLANAR,
    GZ_DUMP_FLOATING
} gz_dump_joint_type;

/// A joint of the robot, for following the poses from q.
typedef struct gz_dump_joint {
    char *name;
    gz_dump_joint_type type;
    int32_t parent, child; ///< links of the tree
    int32_t column;        ///< first number in q; -1: none
    int32_t mimic;         ///< the joint followed, or -1
    double multiplier, offset;
    double axis[3];
    double origin[12];
    bool limited;
    double lower, upper;
} gz_dump_joint;

typedef struct gz_dump_scene {
    char *robot, *version;
    bool timed;     ///< configurations have times: the format's version 2
    bool all;       ///< every colliding pair is listed, not the first alone
    double epsilon; ///< how far above its margin a pair may be said to collide
    double domain;  ///< coordinates up to which pose_error and epsilon hold, metres
    size_t q_size;

    size_t tree_size; ///< links of the robot's tree
    int32_t root;
    gz_dump_joint *joints;
    size_t joint_count, joint_capacity;

    int32_t *frames; ///< links of the tree that frames belong to; the first is the root
    size_t frame_count, frame_capacity;
    bool has_boundary;
    double boundary_min[3], boundary_max[3];
    gz_dump_body *bodies; ///< links, then objects
    size_t body_count, body_capacity;
    size_t link_count;   ///< bodies that are links
    gz_dump_pair *pairs; ///< every two bodies but for two objects
    size_t pair_count, pair_capacity;
} gz_dump_scene;

typedef enum gz_dump_verdict { GZ_DUMP_FREE, GZ_DUMP_COLLISION, GZ_DUMP_UNKNOWN } gz_dump_verdict;

/// What is claimed of one colliding pair. The boundary's has no bodies: -1.
typedef struct gz_dump_contact {
    int32_t body, other;
    int32_t element, other_element;
    bool inside; ///< the surfaces are apart, one body lies inside the other
    int64_t triangle, other_triangle;
    bool has_corners;
    double corners[6][3]; ///< of the two triangles, as snapped
} gz_dump_contact;

typedef enum gz_dump_motion_verdict {
    GZ_DUMP_MOTION_FREE,
    GZ_DUMP_MOTION_COLLISION,
    GZ_DUMP_MOTION_UNDECIDED
} gz_dump_motion_verdict;

#define GZ_DUMP_DEGREE_MAX 7

/// A motion that begins at a configuration, and what is claimed of it: free for t from 0 to
/// `earliest`, and where it collides, that the next configuration is at `latest` and collides.
typedef struct gz_dump_motion {
    int32_t degree; ///< rows of `to`: control points of a curve behind the configuration; else 1
    double *to;
    size_t to_capacity;
    double to_base[6 * GZ_DUMP_DEGREE_MAX];
    bool is_curve;   ///< a piece of a trajectory
    double times[2]; ///< of a curve: where t is 0 and 1, s
    bool shorter;    ///< of a straight one: angles without limits turn by half a turn at most
    gz_dump_motion_verdict verdict;
    double earliest, latest; ///< 1 where it is free
} gz_dump_motion;

/// One configuration with what is claimed of it.
typedef struct gz_dump_configuration {
    uint64_t index;
    int32_t line; ///< of the file, where it begins
    double *q;
    size_t q_capacity;
    double base[6];
    double time;         ///< that objects are where they are at; 0 where the scene is not timed
    double (*poses)[12]; ///< of the frames
    size_t pose_capacity;
    gz_dump_verdict verdict;
    char *message; ///< of an unknown one
    gz_dump_contact *contacts;
    size_t contact_count, contact_capacity;
    bool has_motion;
    gz_dump_motion motion;
} gz_dump_configuration;

void gz_dump_scene_free(gz_dump_scene *scene);
void gz_dump_configuration_free(gz_dump_configuration *configuration);

/// Reads everything up to the first configuration. The scene starts zeroed and is to be freed also
/// after a failure.
graze_status gz_dump_read_scene(gz_dump_text *text, gz_dump_scene *scene);

/// Reads the next configuration over the last one (zeroed at first). *end is set, and nothing read,
/// where the file says that it ends, and ends.
graze_status gz_dump_read_configuration(gz_dump_text *text, const gz_dump_scene *scene,
                                        uint64_t count, gz_dump_configuration *configuration,
                                        bool *end);

#endif
