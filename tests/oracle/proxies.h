/// The parts of the campaign on mesh proxies, maps, lanes and the world: what they call surely
/// apart, surely meeting, inside or clear is proved again by other ways.
#ifndef GRAZE_TESTS_PROXIES_H
#define GRAZE_TESTS_PROXIES_H

#include "check/filters.h"
#include "posed_proof.h"

/// One kind of claim.
typedef struct claim_tally {
    const char *name;
    unsigned long tested, claimed, wrong;
} claim_tally;

enum {
    POINTS,         ///< corners and probes are vertices; span and enclosure hold
    SPHERES,        ///< every triangle lies in a sphere of the cover
    INSIDE_CLEAR,   ///< no triangle comes near a cell that is inside
    INSIDE_WINDS,   ///< and a closed component winds around it
    CLEARANCES,     ///< no triangle is nearer to a cell than its byte says
    PAIRS_APART,    ///< two meshes, surely apart
    PAIRS_OVERLAP,  ///< two meshes, surely meeting
    PAIRS_ALIKE,    ///< no instruction set contradicts another
    CAPS_APART,     ///< two meshes, of which one is closed by caps, surely apart
    SHEETS_OVERLAP, ///< a mesh and a thin sheet, surely meeting
    LANES_LEFT_OUT, ///< pairs of links that the lane filter leaves out
    LANES_APART,    ///< pairs of links, by proxies in the lanes' poses
    LANES_OVERLAP,
    LANES_FREE,  ///< links that the lane filter finds free of an object
    LANES_ALIKE, ///< the same in every instruction set; of proxies, no contradiction
    BOXES_APART, ///< a link's oriented box and an object's, in double
    WORLD_TREE,  ///< entries that the tree over the world leaves out
    CLAIMS
};

enum { PROXY_ROBOTS = 8, PROXY_SUBJECTS = 512, PROXY_WORLDS = 4 };

/// A mesh with a proxy. Two bodies: it may overlap itself.
typedef struct proxy_subject {
    const graze_mesh *mesh;
    proof_body body[2], home; ///< home: in its own frame
    bool is_home;
    gz_component_proxy component; ///< where it has no map: as one part
    bool is_box;
    double opening, width; ///< of a cup, open upwards: how high, how wide; 0 of others
} proxy_subject;

/// Some subjects, one behind the other.
typedef struct proxy_range {
    size_t first, end;
} proxy_range;

typedef struct proxy_campaign {
    gz_random random;
    posed_proof proof;
    claim_tally tallies[CLAIMS];
    graze_robot *robots[PROXY_ROBOTS];
    size_t robot_count;
    graze_mesh *made[64]; ///< owned
    size_t made_count;
    proxy_subject subjects[PROXY_SUBJECTS];
    size_t subject_count;
    proxy_range cups, rods, sheets; ///< open ones, what reaches into them, boxes as thin as errors
    const gz_kernels *kernels[2];
    gz_batch_filter filters[2];
    int form_count; ///< of kernels and filters
    graze_world *worlds[PROXY_WORLDS];
    const char *without; ///< name of a world that is left out, or NULL
    char where[160];     ///< what is looked at, for what is printed of a violation
} proxy_campaign;

/// Whether two instruction sets, of which one may fuse products and sums, do not contradict each
/// other: what is nearly out of reach only one of them may decide.
static inline bool proxy_agree(gz_proxy_answer a, gz_proxy_answer b) {
    return a == b || a == GZ_PROXY_UNKNOWN || b == GZ_PROXY_UNKNOWN;
}

/// What some instruction set has decided.
static inline gz_proxy_answer proxy_decided(const gz_proxy_answer *answers, int count) {
    for (int f = 0; f < count; f++)
        if (answers[f] != GZ_PROXY_UNKNOWN) return answers[f];
    return GZ_PROXY_UNKNOWN;
}

/// Takes note of a claim.
void proxy_claim(proxy_campaign *c, int kind, bool claimed, bool good);

/// The subject's body in its own frame.
proof_body *proxy_home(proxy_subject *s);

/// Everything that is fixed in a proxy; once for each.
void proxy_points(proxy_campaign *c, const proxy_subject *s);
/// Some cells of the maps of one mesh.
void proxy_cells(proxy_campaign *c, proxy_subject *s);
/// Two meshes in a pose.
void proxy_pairs(proxy_campaign *c);
/// A robot of hollow shells that can hold each other; or of cups, open upwards.
graze_robot *proxy_robot_create(bool open);
/// Makes the worlds: objects, one scene, one shell around everything.
void proxy_worlds_create(proxy_campaign *c);
/// Some blocks of eight configurations of a robot in a world.
void proxy_lanes(proxy_campaign *c);

#endif
