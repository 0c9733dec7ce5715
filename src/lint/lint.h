/// Internals of the linter: the model that rules evaluate, and how they report.
///
/// The loader stops at the first mistake; the linter must see all of them. So it reads the XML tree
/// into a model that keeps whatever is there, valid or not, for the rules to evaluate.
#ifndef GZ_LINT_LINT_H
#define GZ_LINT_LINT_H

#include "base/error.h"
#include "graze/lint.h"
#include "lint/mesh_measure.h"
#include "load/token.h"
#include "load/xml/xml.h"
#include "mesh/mesh.h"
#include "robot/name_table.h"

/// Numbers of an attribute as read: how many stand there, and whether all of them are numbers.
typedef struct gz_lint_numbers {
    const gz_xml_element *element; ///< that has the attribute; NULL where there is none
    const char *text;              ///< as written; NULL where there is none
    size_t count;                  ///< read; at most 6 are kept
    bool valid;                    ///< the wanted count, each finite
    double value[6];
} gz_lint_numbers;

/// `<origin>`: the identity where there is none or it is not valid.
typedef struct gz_lint_origin {
    const gz_xml_element *element;
    gz_lint_numbers xyz, rpy;
    graze_transform transform;
} gz_lint_origin;

/// One `<collision>` or `<visual>`.
typedef struct gz_lint_geometry {
    const gz_xml_element *element;
    const gz_xml_element *shape; ///< the child of `<geometry>`; NULL where there is none
    bool visual;
    int32_t link;
    graze_shape kind; ///< where `known`
    bool known;
    gz_lint_numbers size, radius, length, scale;
    gz_lint_origin origin;
    int32_t mesh;  ///< into context->meshes, or -1
    bool over;     ///< its mesh is beyond what one load may hold: it is left out
    uint64_t left; ///< where `over`: of limits.triangles
} gz_lint_geometry;

typedef struct gz_lint_link {
    const gz_xml_element *element;
    const char *name;               ///< "" where there is none
    const gz_xml_element *inertial; ///< NULL where there is none
    gz_lint_origin inertial_origin;
    gz_lint_numbers mass;
    gz_lint_numbers inertia[6];            ///< ixx ixy ixz iyy iyz izz
    size_t first_geometry, geometry_count; ///< into context->geometries, collisions and visuals
    int32_t parent_joint;                  ///< the first that has it as child, or -1
    size_t parent_count;
} gz_lint_link;

typedef struct gz_lint_joint {
    const gz_xml_element *element;
    const char *name, *type, *parent, *child; ///< as written; "" where there is none
    int32_t parent_link, child_link;          ///< -1: unknown
    gz_lint_origin origin;
    const gz_xml_element *axis_element, *limit, *mimic, *safety; ///< NULL where there is none
    gz_lint_numbers axis, lower, upper, effort, velocity;
    const char *mimic_joint; ///< "" where there is none
    int32_t mimic_target;    ///< joint, -1: unknown
    gz_lint_numbers multiplier, offset;
} gz_lint_joint;

/// A mesh file, once however often it is used.
typedef struct gz_lint_mesh {
    const char *uri; ///< as first written
    const gz_xml_element *first_use;
    char *path;              ///< resolved; NULL where it was not found
    char *oddity;            ///< how it, or its name, is read though others may not; or NULL
    char *other_case;        ///< a file that is there, but for the case of letters; or NULL
    bool collision;          ///< whether some <collision> uses it
    bool left_out;           ///< not read: visuals are not wanted
    int32_t first_collision; ///< geometry, or -1
    graze_status status;     ///< of finding and reading it
    graze_error error;       ///< where that failed
    gz_soup *soup;           ///< unscaled, in the file's frame after its node transforms; or NULL
    uint64_t bytes;          ///< size of the file
    uint64_t hash;           ///< of its bytes
    gz_mesh_facts facts;     ///< of its bytes, where it could be read, whatever the status
    graze_mesh *mesh;        ///< the soup welded, after gz_lint_mesh_measure(); or NULL
    gz_mesh_measure measure; ///< where there is `mesh`
} gz_lint_mesh;

typedef struct gz_lint_context {
    const graze_lint_options *options;
    const char *file, *base_dir;
    const gz_xml_document *urdf; ///< never NULL when rules run
    const char *text;            ///< of the URDF, as read
    size_t text_size;
    const char *srdf_text;       ///< of the SRDF, as read; NULL for none
    const char *srdf_file;       ///< NULL for none
    const gz_xml_document *srdf; ///< NULL for none, or not well-formed
    const char *robot_name;
    gz_lint_link *links;
    gz_lint_joint *joints;
    gz_lint_geometry *geometries; ///< by link
    gz_lint_mesh *meshes;
    size_t link_count, joint_count, geometry_count, mesh_count;
    gz_name_table link_names, joint_names; ///< the first of each name
    int32_t root;                          ///< link, or -1 where there is not exactly one
    struct gz_lint_pairs *pairs;           ///< self_collision.c: made when a rule first needs it
    struct gz_lint_survey *survey;         ///< likewise
    const struct gz_lint_rule *rule;       ///< that runs
    struct graze_lint_report *report;
    bool out_of_memory;
} gz_lint_context;

/// Where a finding stands and what it is about.
typedef struct gz_lint_place {
    const char *file; ///< NULL: the URDF (or the SRDF, where `srdf`)
    bool srdf;
    const gz_xml_element *element; ///< NULL: no line
    const char *link, *joint;      ///< NULL: none
    bool has_value;
    double value, threshold;
    const char *unit;   ///< NULL: none
    graze_lint_fix fix; ///< a certain fix; copied
} gz_lint_place;

/// The shapes that a <geometry> may hold, one of them.
#define GZ_LINT_SHAPES "box sphere cylinder capsule mesh"

/// What elements of one kind may hold. Names in lists are separated by blanks; "xyz:3" holds three
/// numbers.
typedef struct gz_lint_schema {
    const char *tag, *parent;          ///< parent NULL: anywhere
    const char *children, *attributes; ///< known
    const char *once;  ///< children of which there may be one; "*": one of all known ones together
    const char *needs; ///< attributes that must be there, but for those with rules of their own
    bool srdf;         ///< of an SRDF
} gz_lint_schema;

/// An attribute that holds numbers.
typedef struct gz_lint_numeric {
    const gz_xml_element *element;
    const gz_lint_schema *schema;
    const char *name, *text;
    size_t wanted;
    bool odd_space;
} gz_lint_numeric;

struct gz_lint_pair;

/// A rule. One of the functions is set; it evaluates what the rule is about, once for each, and
/// reports. They run only where the rule is on.
typedef struct gz_lint_rule {
    graze_lint_rule info;
    /// The description as a whole.
    void (*check)(gz_lint_context *);
    void (*check_link)(gz_lint_context *, const gz_lint_link *);
    void (*check_joint)(gz_lint_context *, const gz_lint_joint *);
    void (*check_geometry)(gz_lint_context *, const gz_lint_geometry *);
    /// A rule of the SRDF about a pair of links.
    void (*check_pair)(gz_lint_context *, const struct gz_lint_pair *);
    /// A mesh file, however often it is used.
    void (*check_mesh)(gz_lint_context *, const gz_lint_mesh *);
    /// A geometry that names a mesh file.
    void (*check_use)(gz_lint_context *, const gz_lint_geometry *, const gz_lint_mesh *);
    /// A collision mesh that can be measured, with its first use.
    void (*check_measured)(gz_lint_context *, const gz_lint_geometry *, const gz_lint_mesh *);
    /// The root of the URDF or the SRDF, whatever it is.
    void (*check_root)(gz_lint_context *, const gz_xml_element *, bool srdf);
    /// The root of the SRDF, where there is one.
    void (*check_srdf)(gz_lint_context *, const gz_xml_element *);
    /// An element that URDF or SRDF knows, in document order; what extensions hold is theirs.
    void (*check_element)(gz_lint_context *, const gz_xml_element *, const gz_lint_schema *);
    /// An attribute of such an element that holds numbers.
    void (*check_number)(gz_lint_context *, const gz_lint_numeric *);
} gz_lint_rule;

/// A row of a tier's table of rules.
#define GZ_LINT_RULE(tier, id, name, level, summary, advice, ...)                                  \
    { {id, name, GRAZE_TIER_##tier, GRAZE_SEVERITY_##level, summary, advice}, __VA_ARGS__ }

/// Adds a finding of the rule that runs. The message says what was found and what is allowed.
void gz_lint_add(gz_lint_context *context, gz_lint_place place, const char *format, ...)
    GZ_PRINTF(3, 4);

/// Places of a link and a joint: at the element, at their own where it is NULL; of a geometry: at
/// its shape, or its own where it has none.
static inline gz_lint_place gz_lint_at_link(const gz_lint_link *link, const gz_xml_element *e) {
    return (gz_lint_place){.element = e ? e : link->element, .link = link->name};
}

static inline gz_lint_place gz_lint_at_joint(const gz_lint_joint *joint, const gz_xml_element *e) {
    return (gz_lint_place){.element = e ? e : joint->element, .joint = joint->name};
}

static inline gz_lint_place gz_lint_at_shape(const gz_lint_context *c, const gz_lint_geometry *g) {
    return gz_lint_at_link(&c->links[g->link], g->shape ? g->shape : g->element);
}

/// The place with what was measured there. @param unit static; "" for counts and ratios
gz_lint_place gz_lint_measured(gz_lint_place place, double value, double threshold,
                               const char *unit);

/// The link of that name, or -1; the joint of that name, or -1. NULL is allowed.
int32_t gz_lint_find_link(const gz_lint_context *context, const char *name);
int32_t gz_lint_find_joint(const gz_lint_context *context, const char *name);
/// The name of a link that is most like this one, for messages; NULL where none is near.
const char *gz_lint_nearest_link(const gz_lint_context *context, const char *name);

/// Calls check_root, check_element and check_number of the rule.
void gz_lint_schema_walk(gz_lint_context *context);
/// Finds a name in a list of "name" and "name:count"; *count is 0 for what holds no numbers.
bool gz_lint_schema_lists(const char *list, const char *name, size_t *count);

/// The words of a value, for gz_cursor_word().
static inline gz_text_cursor gz_lint_words(const char *value) {
    return (gz_text_cursor){value, value + strlen(value), 1};
}
/// The name of a file without its folder.
const char *gz_lint_base_name(const char *path);

/// The rules of a tier, sorted by id.
typedef struct gz_lint_tier {
    const gz_lint_rule *rules;
    size_t count;
} gz_lint_tier;

extern const gz_lint_tier gz_lint_tier_assets, gz_lint_tier_geometry, gz_lint_tier_inertia,
    gz_lint_tier_joints, gz_lint_tier_self, gz_lint_tier_topology, gz_lint_tier_schema;

/// A rule about self-collision that has a file of its own.
void gz_lint_check_audit(gz_lint_context *c); // S011, audit_rule.c

/// Fills links, joints and geometries from context->urdf, refusing nothing; false when out of
/// memory.
bool gz_lint_model_read(gz_lint_context *context);
/// Frees what it filled.
void gz_lint_model_clear(gz_lint_context *context);

/// The numbers of an attribute; `element` may be NULL.
gz_lint_numbers gz_lint_numbers_read(const gz_xml_element *element, const char *attribute,
                                     size_t wanted);

/// Finds and reads every mesh file once, and sets the geometries' indices; false when out of
/// memory.
bool gz_lint_meshes_read(gz_lint_context *context);
/// Welds and measures a mesh, once. False where it cannot be: it was not read, it is too large, or
/// out of memory (the context says so). Cost: as gz_mesh_measure_make().
bool gz_lint_mesh_measure(gz_lint_context *context, gz_lint_mesh *mesh);
void gz_lint_meshes_clear(gz_lint_context *context);

// Fixes that keep what a description means: which bytes of a file to replace, and by what. A
// finding without a certain fix gets none. Nothing here writes a file.

/// Room for the texts of one fix, which gz_lint_add() copies.
typedef struct gz_fix_buffer {
    char text[2 * GRAZE_PATH_SIZE], was[2 * GRAZE_PATH_SIZE];
} gz_fix_buffer;

/// The axis of a joint at length 1, in digits from which the loader makes the very axis that it
/// makes now.
void gz_fix_axis(gz_fix_buffer *buffer, const gz_lint_context *context, const gz_lint_joint *joint,
                 graze_lint_fix *fix);
/// package://NAME/PATH for an absolute path into a package that the run's options find, at the same
/// file.
void gz_fix_path(gz_fix_buffer *buffer, gz_lint_context *context, const gz_lint_geometry *geometry,
                 const gz_lint_mesh *mesh, graze_lint_fix *fix);
/// Another value for an attribute of the SRDF.
void gz_fix_srdf_value(gz_fix_buffer *buffer, const gz_lint_context *context,
                       const gz_xml_element *element, const char *attribute, const char *value,
                       graze_lint_fix *fix);

#endif
