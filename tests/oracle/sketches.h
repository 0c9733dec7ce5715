/// The parts of the campaign on sketches, maps, lanes and the world: what they call surely apart,
/// surely meeting, inside or clear is proved again by other ways.
#ifndef GRAZE_TESTS_SKETCHES_H
#define GRAZE_TESTS_SKETCHES_H

#include "check/filters.h"
#include "posed_proof.h"

/// One kind of claim.
typedef struct claim_tally {
    const char *name;
    unsigned long tested, claimed, wrong;
} claim_tally;

enum {
    POINTS,         ///< corners and probes are vertices; span and enclosure hold
    COVER,          ///< every triangle lies in a sphere of the cover
    INSIDE_CLEAR,   ///< no triangle comes near a cell that is inside
    INSIDE_WINDS,   ///< and a closed component winds around it
    CLEARANCES,     ///< no triangle is nearer to a cell than its byte says
    PAIRS_APART,    ///< two meshes, surely apart
    PAIRS_MEET,     ///< two meshes, surely meeting
    PAIRS_ALIKE,    ///< no instruction set contradicts another
    CAPS_APART,     ///< two meshes, of which one is closed by caps, surely apart
    SHEETS_MEET,    ///< a mesh and a thin sheet, surely meeting
    LANES_LEFT_OUT, ///< pairs of links that the lane filter leaves out
    LANES_APART,    ///< pairs of links, by sketches in the lanes' poses
    LANES_MEET,
    LANES_FREE,  ///< links that the lane filter finds free of an object
    LANES_ALIKE, ///< the same in every instruction set; of sketches, no contradiction
    BOXES_APART, ///< a link's oriented box and an object's, in double
    WORLD_TREE,  ///< entries that the tree over the world leaves out
    CLAIMS
};

enum { SKETCH_ROBOTS = 8, SKETCH_SUBJECTS = 512, SKETCH_WORLDS = 4 };

/// A mesh with a sketch. Two bodies: it may meet itself.
typedef struct sketch_subject {
    const graze_mesh *mesh;
    proof_body body[2], home; ///< home: in its own frame
    bool is_home;
    gz_component_proxy part; ///< where it has no map: as one part
    bool is_box;
    double opening, width; ///< of a cup, open upwards: how high, how wide; 0 of others
} sketch_subject;

/// Some subjects, one behind the other.
typedef struct sketch_range {
    size_t first, end;
} sketch_range;

typedef struct sketch_campaign {
    gz_random random;
    posed_proof proof;
    claim_tally tallies[CLAIMS];
    graze_robot *robots[SKETCH_ROBOTS];
    size_t robot_count;
    graze_mesh *made[64]; ///< owned
    size_t made_count;
    sketch_subject subjects[SKETCH_SUBJECTS];
    size_t subject_count;
    sketch_range cups, rods, sheets; ///< open ones, what reaches into them, boxes as thin as errors
    const gz_kernels *kernels[2];
    gz_batch_filter filters[2];
    int form_count; ///< of kernels and filters
    graze_world *worlds[SKETCH_WORLDS];
    const char *without; ///< name of a world that is left out, or NULL
    char where[160];     ///< what is looked at, for what is printed of a violation
} sketch_campaign;

/// Whether two instruction sets, of which one may fuse products and sums, do not contradict each
/// other: what is nearly out of reach only one of them may settle.
static inline bool sketch_agree(gz_proxy_answer a, gz_proxy_answer b) {
    return a == b || a == GZ_PROXY_UNKNOWN || b == GZ_PROXY_UNKNOWN;
}

/// What some instruction set has settled.
static inline gz_proxy_answer sketch_settled(const gz_proxy_answer *answers, int count) {
    for (int f = 0; f < count; f++)
        if (answers[f] != GZ_PROXY_UNKNOWN) return answers[f];
    return GZ_PROXY_UNKNOWN;
}

/// Takes note of a claim.
void sketch_claim(sketch_campaign *c, int kind, bool claimed, bool good);

/// The subject's body in its own frame.
proof_body *sketch_home(sketch_subject *s);

/// Everything that is fixed in a sketch; once for each.
void sketch_points(sketch_campaign *c, const sketch_subject *s);
/// Some cells of the maps of one mesh.
void sketch_cells(sketch_campaign *c, sketch_subject *s);
/// Two meshes in a pose.
void sketch_pairs(sketch_campaign *c);
/// A robot of hollow shells that can hold each other; or of cups, open upwards.
graze_robot *sketch_robot_create(bool open);
/// Makes the worlds: objects, one scene, one shell around everything.
void sketch_worlds_create(sketch_campaign *c);
/// Some blocks of eight configurations of a robot in a world.
void sketch_lanes(sketch_campaign *c);

#endif
