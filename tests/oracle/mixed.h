/// Small random robots in small random worlds, for mixed.c: drawing them, judging configurations by
/// arithmetic of the oracles' own, and asking the engine in every way that it knows.
#ifndef GRAZE_TESTS_MIXED_H
#define GRAZE_TESTS_MIXED_H

#include "base/random.h"
#include "crossing_number.h"
#include "cylinder_distance.h"
#include "graze/graze.h"
#include "posed_proof.h"
#include "solid_shapes.h"

/// What a scene is mostly made of.
typedef enum mixed_family {
    MIXED_PLAIN,
    MIXED_CAPS,   ///< open meshes that are closed, and rods through their openings
    MIXED_SHEETS, ///< boxes and meshes of hardly any thickness
    MIXED_SPECKS, ///< components far smaller than what they belong to
    MIXED_CHAINS, ///< many joints, all at one angle, and boxes of kilometres
    MIXED_WALLS,  ///< meshes around the links, with maps of clearances
    MIXED_CURVED, ///< spheres, capsules and cylinders
    MIXED_SIZES,  ///< nanometres, kilometres, and far from the origin
    MIXED_FAMILIES
} mixed_family;

// ------------------------------------------------------------------------------------------ shapes

typedef enum mixed_form {
    FORM_SHAPE, ///< of solid_shapes.h
    FORM_BODY,  ///< a box of some triangles, or a ball
    FORM_OPEN,  ///< a cup, half a shell, a pipe
    FORM_ROD,
    FORM_SHEET,
    FORM_SPECKED, ///< a body with small components around it
    FORM_FEW,     ///< one triangle, needles
    FORM_WALLS,   ///< walls or ground, and things between them
    FORM_COUNT
} mixed_form;

/// A mesh about `size` long (walls: as it is), with specks of `speck` metres.
maker mixed_mesh_make(gz_random *random, mixed_form form, double size, double speck,
                      const solid_shape *shapes, size_t shape_count);

/// A power of ten between 10^low and 10^high.
double mixed_magnitude(gz_random *random, double low, double high);

// ------------------------------------------------------------------------------------------ scenes

/// A robot, a world and the rules between them.
typedef struct mixed_scene {
    mixed_family family;
    double size, speck; ///< of links and of specks, metres
    const solid_shape *shapes;
    size_t shape_count;
    graze_robot *robot;
    graze_world *world, *before; ///< the version that the world was made of, or NULL
    graze_checker_options options;
    graze_name_policy *policies; ///< of the options
    char (*names)[16];
    size_t width;
    double *q, base[6]; ///< where objects were put next to links
} mixed_scene;

void mixed_scene_create(mixed_scene *scene, gz_random *random, mixed_family family,
                        const solid_shape *shapes, size_t shape_count);
void mixed_scene_clear(mixed_scene *scene);

// ------------------------------------------------------------------------------------------- truth

typedef enum mixed_state {
    MIXED_APART,
    MIXED_EITHER, ///< curved shapes up to epsilon above a margin: both may be said
    MIXED_MEETING
} mixed_state;

typedef struct mixed_body mixed_body;

/// What a contact of a meeting pair says: `contained` or not.
typedef enum mixed_inside {
    MIXED_MET,           ///< surfaces meet, or nothing is inside
    MIXED_MET_OR_INSIDE, ///< inside, and surfaces up to epsilon above the margin: both may be said
    MIXED_INSIDE         ///< inside, and surfaces apart
} mixed_inside;

/// A pair that is checked, and its bodies among those of the truth.
typedef struct mixed_pair {
    graze_checked_pair rules;
    size_t first[2], end[2];
    bool is_static; ///< judged at another pose, when a checker is made
} mixed_pair;

typedef struct mixed_truth {
    const graze_robot *robot;
    const graze_world *world;
    graze_transform *links;
    mixed_body *bodies; ///< of the robot, then of the world
    size_t body_count;
    mixed_pair *pairs; ///< in check order
    size_t pair_count, pair_capacity;
    posed_proof proof;
    cylinder_distance *cylinders;
    uint64_t by_caps; ///< points that caps alone put inside
} mixed_truth;

void mixed_truth_init(mixed_truth *truth, const graze_checker *checker, uint64_t seed);
void mixed_truth_clear(mixed_truth *truth);

/// False where a coordinate is beyond 2^20 m.
bool mixed_truth_place(mixed_truth *truth, const double *q, const double base[6]);

mixed_state mixed_truth_evaluate(mixed_truth *truth, const mixed_pair *pair, mixed_inside *inside);

// -------------------------------------------------------------------------------------------- rows

/// Configurations of a scene, and what is true of them.
typedef struct mixed_rows {
    size_t count, capacity;
    double *q, *base;
    mixed_state *states; ///< pair_count for each row
    mixed_inside *inside;
} mixed_rows;

/// Draws `capacity` configurations, most of them next to where a pair changes its state.
void mixed_rows_draw(mixed_rows *rows, const mixed_scene *scene, mixed_truth *truth,
                     gz_random *random, size_t capacity);
void mixed_rows_clear(mixed_rows *rows);

// --------------------------------------------------------------------------------------- questions

typedef struct mixed_tally {
    uint64_t rows, collide, contained, caps, either, lanes, apart, meeting, violations;
} mixed_tally;

/// Asks about every row in every way. Violations are counted; the first of each scene are printed,
/// with `where` it was drawn.
void mixed_questions_run(const mixed_scene *scene, const mixed_truth *truth, const mixed_rows *rows,
                         gz_random *random, const char *where, mixed_tally *tally);

#endif
