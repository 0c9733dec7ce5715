#include <math.h>
#include <string.h>

#include "load/urdf/urdf.h"
#include "load/urdf/urdf_internal.h"

static graze_status read_type(const gz_xml_source *source, const gz_xml_element *element,
                              graze_joint_type *type) {
    static const char *const names[] = {"fixed",     "revolute", "continuous",
                                        "prismatic", "planar",   "floating"};
    const char *text;
    graze_status status = gz_xml_require(source, element, "type", &text);
    if (status != GRAZE_OK) return status;
    for (int i = 0; i < 6; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        *type = (graze_joint_type)i;
        return GRAZE_OK;
    }
    return gz_xml_fail(source, element, GRAZE_ERROR_SCHEMA,
                       "joint type is \"%.100s\"; allowed: fixed, revolute, continuous, prismatic, "
                       "planar, floating",
                       text);
}

static graze_status read_end(const gz_xml_source *source, const gz_xml_element *element,
                             const char *tag, const char **link, gz_line *at) {
    const gz_xml_element *e;
    graze_status status = gz_xml_single(source, element, tag, &e);
    if (status != GRAZE_OK) return status;
    if (!e)
        return gz_xml_fail(source, element, GRAZE_ERROR_SCHEMA,
                           "<joint> has no <%s>; allowed: exactly one", tag);
    gz_xml_report_unknown(source, e, "", "link");
    *at = gz_urdf_line(e);
    return gz_xml_require(source, e, "link", link);
}

double gz_urdf_axis_normalise(const double v[3], graze_vec3 *axis) {
    // Scaled by its largest part first, so that no square underflows or overflows.
    double most = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (most == 0) return 0;
    double x = v[0] / most, y = v[1] / most, z = v[2] / most;
    double norm = sqrt(x * x + y * y + z * z);
    *axis = (graze_vec3){x / norm, y / norm, z / norm};
    return norm * most;
}

static graze_status read_axis(const gz_xml_source *source, const gz_xml_element *element,
                              gz_joint_input *joint) {
    joint->axis = (graze_vec3){1, 0, 0};
    // Exporters give fixed joints an axis, often "0 0 0": it has no meaning, so it is not read.
    if (joint->type == GRAZE_JOINT_FIXED || joint->type == GRAZE_JOINT_FLOATING) return GRAZE_OK;
    const gz_xml_element *e;
    graze_status status = gz_xml_single(source, element, "axis", &e);
    if (status != GRAZE_OK || !e) return status;
    gz_xml_report_unknown(source, e, "", "xyz");
    double v[3];
    status = gz_xml_numbers(source, e, "xyz", v, 3, NULL);
    if (status != GRAZE_OK) return status;
    double length = gz_urdf_axis_normalise(v, &joint->axis);
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
    graze_status status = gz_xml_numbers(source, e, "lower", &joint->lower, 1, &present);
    if (status == GRAZE_OK) status = gz_xml_numbers(source, e, "upper", &joint->upper, 1, &present);
    if (status != GRAZE_OK) return status;
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

static graze_status read_limit(const gz_urdf_reader *reader, const gz_xml_element *element,
                               gz_joint_input *joint) {
    const gz_xml_source *source = &reader->source;
    if (joint->type == GRAZE_JOINT_FIXED) return GRAZE_OK;
    bool needed = joint->type == GRAZE_JOINT_REVOLUTE || joint->type == GRAZE_JOINT_PRISMATIC;
    const gz_xml_element *e;
    graze_status status = gz_xml_single(source, element, "limit", &e);
    if (status != GRAZE_OK) return status;
    if (!e && needed)
        return gz_xml_fail(source, element, GRAZE_ERROR_SCHEMA,
                           "%s joint has no <limit>; allowed: exactly one (or type continuous)",
                           gz_xml_get(element, "type"));
    if (!e) return GRAZE_OK;
    gz_xml_report_unknown(source, e, "",
                          "lower upper effort velocity acceleration deceleration "
                          "jerk");
    joint->has_limit = true;
    joint->limit_at = gz_urdf_line(e);
    status = read_bounds(source, e, joint);
    struct {
        const char *name;
        double *value;
        bool *present;
    } const rest[] = {{"effort", &joint->effort, &joint->has_effort},
                      {"velocity", &joint->velocity, &joint->has_velocity},
                      {"acceleration", &joint->acceleration, &joint->has_acceleration},
                      {"deceleration", &joint->deceleration, &joint->has_deceleration},
                      {"jerk", &joint->jerk, &joint->has_jerk}};
    for (int i = 0; i < 5 && status == GRAZE_OK; i++) {
        status = gz_xml_numbers(source, e, rest[i].name, rest[i].value, 1, rest[i].present);
        if (i < 2 && !*rest[i].present)
            gz_xml_warn(source, e, "limit-incomplete",
                        "<limit> has no %s: none is known (urdfdom would refuse the file)",
                        rest[i].name);
        if (i >= 2 && *rest[i].present) gz_urdf_since(reader, e, 12, rest[i].name);
    }
    return status;
}

static graze_status read_mimic(const gz_xml_source *source, const gz_xml_element *element,
                               gz_joint_input *joint) {
    joint->multiplier = 1;
    const gz_xml_element *e;
    graze_status status = gz_xml_single(source, element, "mimic", &e);
    if (status != GRAZE_OK || !e) return status;
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
    status = gz_xml_require(source, e, "joint", &joint->mimic);
    bool present;
    if (status == GRAZE_OK)
        status = gz_xml_numbers(source, e, "multiplier", &joint->multiplier, 1, &present);
    if (status == GRAZE_OK)
        status = gz_xml_numbers(source, e, "offset", &joint->offset, 1, &present);
    return status;
}

graze_status gz_urdf_read_joint(gz_urdf_reader *reader, const gz_xml_element *element) {
    const gz_xml_source *source = &reader->source;
    gz_joint_input joint = {.at = gz_urdf_line(element)};
    graze_status status = gz_xml_require(source, element, "name", &joint.name);
    if (status != GRAZE_OK) return status;
    gz_xml_report_unknown(source, element,
                          "origin parent child axis limit mimic dynamics calibration "
                          "safety_controller",
                          "name type");
    status = read_type(source, element, &joint.type);
    if (status == GRAZE_OK) status = gz_urdf_origin(reader, element, &joint.origin);
    if (status == GRAZE_OK)
        status = read_end(source, element, "parent", &joint.parent, &joint.parent_at);
    if (status == GRAZE_OK)
        status = read_end(source, element, "child", &joint.child, &joint.child_at);
    if (status == GRAZE_OK) status = read_axis(source, element, &joint);
    if (status == GRAZE_OK) status = read_limit(reader, element, &joint);
    if (status == GRAZE_OK) status = read_mimic(source, element, &joint);
    if (status != GRAZE_OK) return status;
    status = gz_builder_add_joint(reader->builder, &joint, source->error);
    if (status != GRAZE_OK) {
        char path[GRAZE_PATH_SIZE];
        gz_error_locate(source->error, gz_xml_place(source, element, path));
    }
    return status;
}
