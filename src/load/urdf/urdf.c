#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "load/file.h"
#include "load/mesh/affine.h"
#include "load/token.h"
#include "load/urdf/urdf.h"

// Offsets beyond this are errors, as coordinates are (CONTRACT: |w| up to 2^20 m), and angles
// beyond it lose too many digits to mean anything.
#define MOST_MAGNITUDE 0x1p20

void gz_urdf_since(const gz_urdf_reader *r, const gz_xml_element *element, int version,
                   const char *what) {
    if (r->version < version)
        gz_xml_warn(&r->source, element, "newer-than-version",
                    "%s came with URDF 1.%d, the file claims 1.%d: read all the same", what,
                    version - 10, r->version - 10);
}

static graze_status check_magnitude(const gz_urdf_reader *r, const gz_xml_element *element,
                                    const char *name, const double values[3]) {
    for (int i = 0; i < 3; i++)
        if (fabs(values[i]) > MOST_MAGNITUDE)
            return gz_xml_fail(&r->source, element, GRAZE_ERROR_RANGE,
                               "attribute %s of <%s> holds %g; allowed: magnitudes up to 1048576",
                               name, element->tag, values[i]);
    return GRAZE_OK;
}

static graze_status read_quaternion(const gz_urdf_reader *r, const gz_xml_element *e,
                                    const double xyz[3], graze_transform *origin) {
    double q[4];
    GZ_TRY(gz_xml_numbers(&r->source, e, "quat_xyzw", q, 4, NULL));
    if (gz_xml_get(e, "rpy"))
        return gz_xml_fail(&r->source, e, GRAZE_ERROR_SCHEMA,
                           "<origin> has both rpy and quat_xyzw; allowed: one of them");
    gz_urdf_since(r, e, 11, "quat_xyzw");
    double norm, most = gz_divide_by_largest(q, 4, &norm);
    if (most == 0)
        return gz_xml_fail(&r->source, e, GRAZE_ERROR_RANGE,
                           "attribute quat_xyzw of <origin> is zero; allowed: any other "
                           "quaternion");
    if (fabs(norm * most - 1) > 1e-3)
        gz_xml_warn(&r->source, e, "quaternion-not-unit",
                    "attribute quat_xyzw has length %g: normalised", norm * most);
    *origin = graze_transform_from_xyz_quat(xyz, q);
    return GRAZE_OK;
}

graze_status gz_urdf_origin(const gz_urdf_reader *r, const gz_xml_element *element,
                            graze_transform *origin) {
    *origin = graze_transform_identity();
    const gz_xml_element *e;
    GZ_TRY(gz_xml_single(&r->source, element, "origin", &e));
    if (!e) return GRAZE_OK;
    gz_xml_report_unknown(&r->source, e, "", "xyz rpy quat_xyzw");
    double xyz[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
    bool present;
    GZ_TRY(gz_xml_numbers(&r->source, e, "xyz", xyz, 3, &present));
    GZ_TRY(check_magnitude(r, e, "xyz", xyz));
    if (gz_xml_get(e, "quat_xyzw")) return read_quaternion(r, e, xyz, origin);
    GZ_TRY(gz_xml_numbers(&r->source, e, "rpy", rpy, 3, &present));
    GZ_TRY(check_magnitude(r, e, "rpy", rpy));
    *origin = graze_transform_from_xyz_rpy(xyz, rpy);
    return GRAZE_OK;
}

// ---------------------------------------------------------------------------------------- links

/// Why an `<inertial>` is of no use, or NULL. Collision checking does without it, so nothing there
/// is an error.
static const char *inertial_fault(const gz_xml_element *inertial, char *why, size_t size) {
    static const char *const values[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    const gz_xml_element *mass = gz_xml_child(inertial, "mass");
    const gz_xml_element *inertia = gz_xml_child(inertial, "inertia");
    if (!mass || !inertia) return !mass ? "it has no <mass>" : "it has no <inertia>";
    if (gz_xml_next(mass) || gz_xml_next(inertia)) return "it has two of a kind";
    graze_error error;
    double value;
    const char *text = gz_xml_get(mass, "value");
    if (!text) return "its <mass> has no value";
    if (gz_numbers_parse(text, &value, 1, NULL, &error) != GRAZE_OK || value < 0)
        return "its mass is not a number, or negative";
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        text = gz_xml_get(inertia, values[i]);
        if (text && gz_numbers_parse(text, &value, 1, NULL, &error) == GRAZE_OK) continue;
        snprintf(why, size, "its <inertia> has no usable %s", values[i]);
        return why;
    }
    const gz_xml_element *origin = gz_xml_child(inertial, "origin");
    double three[3];
    for (int i = 0; origin && i < 2; i++) {
        text = gz_xml_get(origin, i ? "rpy" : "xyz");
        if (text && gz_numbers_parse(text, three, 3, NULL, &error) != GRAZE_OK)
            return "its <origin> is not readable";
    }
    return NULL;
}

static void check_inertial(const gz_urdf_reader *r, const gz_xml_element *link) {
    char why[80];
    const gz_xml_element *inertial = gz_xml_child(link, "inertial");
    if (!inertial) return;
    const gz_xml_element *second = gz_xml_next(inertial);
    const char *fault = second ? "there are two" : inertial_fault(inertial, why, sizeof why);
    if (fault)
        gz_xml_warn(&r->source, second ? second : inertial, "bad-inertial",
                    "<inertial> of link %.200s is left out: %s (urdfdom would drop the link's "
                    "geometry)",
                    gz_xml_get(link, "name"), fault);
}

static graze_status check_count(const gz_urdf_reader *r, const gz_xml_element *element,
                                size_t count) {
    uint32_t most = r->options->limits.elements;
    if (count < most) return GRAZE_OK;
    return gz_xml_fail(&r->source, element, GRAZE_ERROR_LIMIT,
                       "more than %u <%s> elements; allowed: at most %u (limits.elements)",
                       (unsigned)most, element->tag, (unsigned)most);
}

static graze_status read_link(gz_urdf_reader *r, const gz_xml_element *element) {
    const char *name;
    GZ_TRY(gz_xml_require(&r->source, element, "name", &name));
    GZ_TRY(check_count(r, element, graze_robot_link_count(gz_builder_robot(r->builder))));
    int32_t link;
    graze_status status = gz_builder_add_link(r->builder, name, gz_urdf_line(element), &link,
                                              r->source.error);
    if (status) {
        gz_error_locate(r->source.error, GZ_XML_PLACE(&r->source, element));
        return status;
    }
    gz_xml_report_unknown(&r->source, element, "inertial visual collision", "name type");
    check_inertial(r, element);
    return gz_urdf_read_geometries(r, element, link);
}

// ---------------------------------------------------------------------------------------- joints

static graze_status read_type(const gz_xml_source *source, const gz_xml_element *element,
                              graze_joint_type *type) {
    const char *text;
    GZ_TRY(gz_xml_require(source, element, "type", &text));
    int index = gz_index_in_list("fixed revolute continuous prismatic planar floating", text,
                                 strlen(text));
    *type = (graze_joint_type)index;
    if (index >= 0) return GRAZE_OK;
    return gz_xml_fail(source, element, GRAZE_ERROR_SCHEMA,
                       "joint type is \"%.100s\"; allowed: fixed, revolute, continuous, prismatic, "
                       "planar, floating",
                       text);
}

static graze_status read_end(const gz_xml_source *source, const gz_xml_element *element,
                             const char *tag, const char **link, gz_line *at) {
    const gz_xml_element *e;
    GZ_TRY(gz_xml_single(source, element, tag, &e));
    if (!e)
        return gz_xml_fail(source, element, GRAZE_ERROR_SCHEMA,
                           "<joint> has no <%s>; allowed: exactly one", tag);
    gz_xml_report_unknown(source, e, "", "link");
    *at = gz_urdf_line(e);
    return gz_xml_require(source, e, "link", link);
}

static graze_status read_axis(const gz_xml_source *source, const gz_xml_element *element,
                              gz_joint_input *joint) {
    joint->axis = (graze_vec3){1, 0, 0};
    // Exporters give fixed joints an axis, often "0 0 0": it has no meaning, so it is not read.
    if (joint->type == GRAZE_JOINT_FIXED || joint->type == GRAZE_JOINT_FLOATING) return GRAZE_OK;
    const gz_xml_element *e = gz_xml_child(element, "axis");
    if (!e) return GRAZE_OK;
    if (gz_xml_next(e))
        gz_xml_warn(source, gz_xml_next(e), "second-axis",
                    "joint %.200s has a second <axis>: the first one counts, as for other readers",
                    joint->name);
    gz_xml_report_unknown(source, e, "", "xyz");
    double v[3];
    GZ_TRY(gz_xml_numbers(source, e, "xyz", v, 3, NULL));
    double length = gz_axis_normalise(v, &joint->axis);
    if (length == 0)
        return gz_xml_fail(source, e, GRAZE_ERROR_RANGE,
                           "axis is zero; allowed: a direction, best of length 1");
    // Three digits, as in "0.707 0.707 0", are meant to be a unit vector.
    if (fabs(length - 1) > 1e-3)
        gz_xml_warn(source, e, "axis-not-unit", "axis of joint %.200s has length %g: normalised",
                    joint->name, length);
    return GRAZE_OK;
}

static graze_status read_bounds(const gz_xml_source *source, const gz_xml_element *e,
                                gz_joint_input *joint) {
    bool present;
    GZ_TRY(gz_xml_numbers(source, e, "lower", &joint->lower, 1, &present));
    GZ_TRY(gz_xml_numbers(source, e, "upper", &joint->upper, 1, &present));
    if (joint->type != GRAZE_JOINT_REVOLUTE && joint->type != GRAZE_JOINT_PRISMATIC)
        return GRAZE_OK;
    if (joint->lower > joint->upper)
        return gz_xml_fail(source, e, GRAZE_ERROR_RANGE,
                           "lower is %g and upper is %g; allowed: lower not above upper",
                           joint->lower, joint->upper);
    if (joint->lower == 0 && joint->upper == 0)
        gz_xml_warn(source, e, "limit-zero",
                    "joint %.200s cannot move: lower and upper are both 0 (the default of each)",
                    joint->name);
    return GRAZE_OK;
}

static graze_status read_limit(const gz_urdf_reader *r, const gz_xml_element *element,
                               gz_joint_input *joint) {
    const gz_xml_source *source = &r->source;
    if (joint->type == GRAZE_JOINT_FIXED) return GRAZE_OK;
    bool needed = joint->type == GRAZE_JOINT_REVOLUTE || joint->type == GRAZE_JOINT_PRISMATIC;
    const gz_xml_element *e;
    GZ_TRY(gz_xml_single(source, element, "limit", &e));
    if (!e && needed)
        return gz_xml_fail(source, element, GRAZE_ERROR_SCHEMA,
                           "%s joint has no <limit>; allowed: exactly one%s",
                           gz_xml_get(element, "type"),
                           joint->type == GRAZE_JOINT_REVOLUTE ? " (or type continuous)" : "");
    if (!e) return GRAZE_OK;
    gz_xml_report_unknown(source, e, "",
                          "lower upper effort velocity acceleration deceleration "
                          "jerk");
    joint->has_limit = true;
    joint->limit_at = gz_urdf_line(e);
    graze_status status = read_bounds(source, e, joint);
    struct {
        const char *name;
        double *value;
        bool *present;
    } const rest[] = {{"effort", &joint->effort, &joint->has_effort},
                      {"velocity", &joint->velocity, &joint->has_velocity},
                      {"acceleration", &joint->acceleration, &joint->has_acceleration},
                      {"deceleration", &joint->deceleration, &joint->has_deceleration},
                      {"jerk", &joint->jerk, &joint->has_jerk}};
    for (int i = 0; i < 5 && !status; i++) {
        status = gz_xml_numbers(source, e, rest[i].name, rest[i].value, 1, rest[i].present);
        if (i < 2 && !*rest[i].present)
            gz_xml_warn(source, e, "limit-incomplete",
                        "<limit> has no %s: none is known (urdfdom would refuse the file)",
                        rest[i].name);
        if (i >= 2 && *rest[i].present) gz_urdf_since(r, e, 12, rest[i].name);
    }
    return status;
}

static graze_status read_mimic(const gz_xml_source *source, const gz_xml_element *element,
                               gz_joint_input *joint) {
    joint->multiplier = 1;
    const gz_xml_element *e;
    GZ_TRY(gz_xml_single(source, element, "mimic", &e));
    if (!e) return GRAZE_OK;
    if (joint->type == GRAZE_JOINT_FIXED) {
        gz_xml_warn(source, e, "mimic-on-fixed", "<mimic> of fixed joint %.200s is ignored",
                    joint->name);
        return GRAZE_OK;
    }
    if (joint->type == GRAZE_JOINT_PLANAR || joint->type == GRAZE_JOINT_FLOATING)
        return gz_xml_fail(source, e, GRAZE_ERROR_UNSUPPORTED,
                           "<mimic> on a %s joint; allowed: on revolute, continuous and prismatic "
                           "joints",
                           gz_xml_get(element, "type"));
    gz_xml_report_unknown(source, e, "", "joint multiplier offset");
    joint->mimic_at = gz_urdf_line(e);
    GZ_TRY(gz_xml_require(source, e, "joint", &joint->mimic));
    bool present;
    GZ_TRY(gz_xml_numbers(source, e, "multiplier", &joint->multiplier, 1, &present));
    return gz_xml_numbers(source, e, "offset", &joint->offset, 1, &present);
}

static graze_status read_joint(gz_urdf_reader *r, const gz_xml_element *element) {
    GZ_TRY(check_count(r, element, graze_robot_joint_count(gz_builder_robot(r->builder))));
    const gz_xml_source *source = &r->source;
    gz_joint_input joint = {.at = gz_urdf_line(element)};
    GZ_TRY(gz_xml_require(source, element, "name", &joint.name));
    gz_xml_report_unknown(source, element,
                          "origin parent child axis limit mimic dynamics calibration "
                          "safety_controller",
                          "name type");
    GZ_TRY(read_type(source, element, &joint.type));
    GZ_TRY(gz_urdf_origin(r, element, &joint.origin));
    GZ_TRY(read_end(source, element, "parent", &joint.parent, &joint.parent_at));
    GZ_TRY(read_end(source, element, "child", &joint.child, &joint.child_at));
    GZ_TRY(read_axis(source, element, &joint));
    GZ_TRY(read_limit(r, element, &joint));
    GZ_TRY(read_mimic(source, element, &joint));
    graze_status status = gz_builder_add_joint(r->builder, &joint, source->error);
    if (status) {
        gz_error_locate(source->error, GZ_XML_PLACE(source, element));
    }
    return status;
}

// ---------------------------------------------------------------------------------------- robot

static void read_version(gz_urdf_reader *r, const gz_xml_element *root) {
    const char *text = gz_xml_get(root, "version");
    r->version = 10;
    if (!text || strcmp(text, "1.0") == 0 || strcmp(text, "1") == 0) return;
    r->version = strcmp(text, "1.1") == 0 ? 11 : 12;
    if (r->version == 12 && strcmp(text, "1.2") != 0)
        gz_xml_warn(&r->source, root, "unknown-version",
                    "URDF version \"%.40s\" is not known: read as 1.2; known: 1.0, 1.1, 1.2", text);
}

static graze_status read_robot(gz_urdf_reader *r, const gz_xml_element *root) {
    read_version(r, root);
    gz_xml_report_unknown(&r->source, root, "link joint material", "name version");
    GZ_TRY(gz_urdf_collect_materials(r, root));
    for (const gz_xml_element *e = root->first_child; e; e = e->next) {
        if (gz_xml_is(e, "link")) GZ_TRY(read_link(r, e));
        if (gz_xml_is(e, "joint")) GZ_TRY(read_joint(r, e));
        if (r->source.warnings->out_of_memory) return gz_fail_memory(r->source.error);
    }
    return GRAZE_OK;
}

static graze_status check_root(const gz_xml_source *source, const gz_xml_element *root) {
    if (!gz_xml_is(root, "robot"))
        return gz_xml_fail(source, root, GRAZE_ERROR_SCHEMA,
                           "root element is <%.100s>; allowed: <robot>, as URDF has it", root->tag);
    GZ_TRY(gz_xml_refuse_xacro(source, root));
    if (!gz_xml_child(root, "link"))
        return gz_xml_fail(source, root, GRAZE_ERROR_SCHEMA,
                           "<robot> has no <link>; allowed: at least one");
    return GRAZE_OK;
}

// ---------------------------------------------------------------------------------------- loading

void gz_urdf_check_head(const gz_xml_source *source, const gz_xml_element *root, size_t blanks) {
    const char *name = gz_xml_get(root, "name");
    if (!name || !*name)
        gz_xml_warn(source, root, "no-name", "<robot> has no name (urdfdom wants one)");
    if (blanks)
        gz_xml_warn(source, root, "blank-before-xml",
                    "%zu blanks or line breaks stand in front of <?xml: left out", blanks);
}

static graze_status read_builder(gz_urdf_reader *r, const gz_xml_element *root, const char *file,
                                 size_t blanks) {
    GZ_TRY(check_root(&r->source, root));
    const char *name = gz_xml_get(root, "name");
    r->builder = gz_builder_create(name && *name ? name : "unnamed", file);
    if (!r->builder) return gz_fail_memory(r->source.error);
    r->source.warnings = gz_builder_warnings(r->builder);
    gz_urdf_check_head(&r->source, root, blanks);
    GZ_TRY(read_robot(r, root));
    if (!r->collides)
        gz_xml_warn(&r->source, root, "nothing-collides",
                    "no link has collision geometry: NOTHING OF THIS ROBOT CAN COLLIDE%s",
                    r->geometries ? ", unless visuals are to be used (--use-visual missing)" : "");
    if (r->options->srdf) GZ_TRY(gz_srdf_read(r->builder, r->options, r->source.error));
    return r->source.warnings->out_of_memory ? gz_fail_memory(r->source.error) : GRAZE_OK;
}

/// Reads a URDF, the meshes that it names and the SRDF of the options; with GRAZE_COLLADA_AUTO a
/// second time where another profile than `ros` fits the joints.
/// @param base_dir where relative mesh paths and the walk upwards start; NULL for "."
static graze_status load(graze_robot **out, const char *bytes, size_t size, const char *file,
                         const char *base_dir, const graze_load_options *options,
                         graze_error *error) {
    gz_xml_document *document;
    GZ_TRY(gz_xml_parse(&document, bytes, size, file, &options->limits, error));
    gz_package_cache packages = {0};
    bool automatic = options->collada == GRAZE_COLLADA_AUTO;
    graze_load_options read = *options;
    if (automatic) read.collada = GRAZE_COLLADA_ROS;
    gz_urdf_reader r = {
        .source = {.file = file, .format = "URDF", .error = error},
        .packages = &packages,
        .base_dir = base_dir ? base_dir : ".",
        .options = &read,
        .budget = {.triangles_left = options->limits.triangles,
                   .named_by_file = true,
                   .imports = gz_import_cache_create()},
        .fit = {.profile = read.collada},
    };
    graze_status status = r.budget.imports ? read_builder(&r, gz_xml_root(document), file,
                                                          gz_xml_blanks_before(bytes, size))
                                           : gz_fail_memory(error);
    gz_free(r.materials);
    gz_package_cache_free(&packages);
    gz_import_cache_free(r.budget.imports);
    gz_xml_free(document);
    if (status)
        gz_builder_free(r.builder);
    else
        status = gz_builder_finish(r.builder, out, error);
    if (!status) read.collada = gz_profile_fit_measure(&r.fit, *out);
    gz_profile_fit_free(&r.fit);
    if (status || !automatic || read.collada == GRAZE_COLLADA_ROS) return status;
    graze_robot_free(*out);
    *out = NULL;
    return load(out, bytes, size, file, base_dir, &read, error);
}

graze_status graze_robot_load_urdf_memory(graze_robot **out, const char *text, size_t size,
                                          const char *name, const char *base_dir,
                                          const graze_load_options *options, graze_error *error) {
    GZ_ENTER(error);
    if (out) *out = NULL;
    if (!out || !text || !name)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "%s is NULL; allowed: out, text and name that are not",
                       !out    ? "out"
                       : !text ? "text"
                               : "name");
    graze_load_options checked;
    GZ_TRY(gz_load_options_check(options, &checked, error));
    if (size > checked.limits.file_bytes)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, (gz_place){.file = name},
                          "%.200s has %zu bytes; allowed: at most %llu (limits.file_bytes)", name,
                          size, (unsigned long long)checked.limits.file_bytes);
    gz_memory_budget memory;
    gz_memory_budget_open(&memory, checked.limits.memory_bytes);
    graze_status status = load(out, text, size, name, base_dir, &checked, error);
    gz_memory_budget_close(&memory);
    if (status) gz_error_locate(error, (gz_place){.file = name});
    if (!status) gz_error_clear(error);
    return status;
}

static graze_status load_file(graze_robot **out, const char *path,
                              const graze_load_options *options, graze_error *error) {
    char *bytes;
    size_t size;
    GZ_TRY(gz_load_read(path, options->files, options->limits.file_bytes, &bytes, &size, error));
    char *folder = gz_path_folder(path);
    graze_status status = folder ? load(out, bytes, size, path, folder, options, error)
                                 : gz_fail_memory(error);
    gz_free(folder);
    gz_free(bytes);
    return status;
}

graze_status graze_robot_load_urdf(graze_robot **out, const char *path,
                                   const graze_load_options *options, graze_error *error) {
    GZ_ENTER(error);
    if (out) *out = NULL;
    if (!out || !path)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "%s is NULL; allowed: out and path that are not", !out ? "out" : "path");
    graze_load_options checked;
    GZ_TRY(gz_load_options_check(options, &checked, error));
    gz_memory_budget memory;
    gz_memory_budget_open(&memory, checked.limits.memory_bytes);
    graze_status status = load_file(out, path, &checked, error);
    gz_memory_budget_close(&memory);
    if (status) gz_error_locate(error, (gz_place){.file = path});
    if (!status) gz_error_clear(error);
    return status;
}
