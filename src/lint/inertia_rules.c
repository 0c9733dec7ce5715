// I: masses and inertia.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lint/link_geometry.h"

static const gz_xml_element *inertia_of(const gz_lint_link *link) {
    return gz_xml_child(link->inertial, "inertia");
}

/// Whether mass and all six numbers are there.
static bool is_whole(const gz_lint_link *link) {
    bool whole = link->inertial && link->mass.valid;
    for (int i = 0; i < 6; i++) whole = whole && link->inertia[i].valid;
    return whole;
}

/// Eigenvalues of the symmetric inertia, ascending, by Jacobi's rotations (Golub and Van Loan,
/// Matrix Computations, section 8.5); the matrix is 3x3 and a few sweeps give all digits.
static void principal_moments(const gz_lint_link *link, double moments[3]) {
    const gz_lint_numbers *n = link->inertia;
    double a[3][3] = {{n[0].value[0], n[1].value[0], n[2].value[0]},
                      {n[1].value[0], n[3].value[0], n[4].value[0]},
                      {n[2].value[0], n[4].value[0], n[5].value[0]}};
    for (int sweep = 0; sweep < 30; sweep++) {
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                if (a[p][q] == 0) continue;
                double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                double t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1));
                double c = 1 / hypot(t, 1), s = t * c;
                int r = 3 - p - q;
                double arp = a[r][p], arq = a[r][q], apq = a[p][q];
                a[r][p] = a[p][r] = c * arp - s * arq;
                a[r][q] = a[q][r] = s * arp + c * arq;
                a[p][p] -= t * apq;
                a[q][q] += t * apq;
                a[p][q] = a[q][p] = 0;
            }
        }
    }
    double low = fmin(a[0][0], a[1][1]), high = fmax(a[0][0], a[1][1]), last = a[2][2];
    moments[0] = fmin(low, last);
    moments[1] = fmax(low, fmin(high, last));
    moments[2] = fmax(high, last);
}

// ---------------------------------------------------------------------------------------- rules

static bool is_moved(const gz_lint_context *c, const gz_lint_link *link) {
    if (link->parent_joint < 0) return false;
    const char *type = c->joints[link->parent_joint].type;
    return type[0] && strcmp(type, "fixed") != 0;
}

static void check_missing(gz_lint_context *c, const gz_lint_link *l) {
    if (l->inertial || !is_moved(c, l)) return;
    gz_lint_add(c, gz_lint_at_link(l, NULL),
                "link '%.100s' is moved by %s joint '%.100s' and has no <inertial>; "
                "simulators drop it or give it a mass of 1",
                l->name, c->joints[l->parent_joint].type, c->joints[l->parent_joint].name);
}

static void check_mass(gz_lint_context *c, const gz_lint_link *l) {
    if (!l->inertial || !l->mass.valid) return;
    double mass = l->mass.value[0];
    bool counts = l->geometry_count > 0 && is_moved(c, l);
    if (mass > 0 || (mass == 0 && !counts)) return;
    gz_lint_add(c, gz_lint_measured(gz_lint_at_link(l, l->mass.element), mass, 0, "kg"),
                "mass of link '%.100s' is %.9g kg; allowed: above 0", l->name, mass);
}

/// What counts as no moment at all: rounding of the largest, or a radius of gyration of a
/// micrometre, as programs write it that compute the tensor of a body they know nothing of.
static double no_moment(const gz_lint_link *link, const double moments[3]) {
    double rounding = 1e-12 * fmax(fabs(moments[0]), fabs(moments[2]));
    return fmax(rounding, 1e-12 * fabs(link->mass.value[0]));
}

static void check_definite(gz_lint_context *c, const gz_lint_link *l) {
    if (!is_whole(l)) return;
    double moments[3];
    principal_moments(l, moments);
    if (moments[0] > no_moment(l, moments) || (moments[2] == 0 && l->mass.value[0] == 0)) return;
    gz_lint_add(c, gz_lint_measured(gz_lint_at_link(l, inertia_of(l)), moments[0], 0, "kg m^2"),
                "inertia of link '%.100s' has a principal moment of %.6g kg m^2; allowed: "
                "three above 0 (these are %.6g, %.6g, %.6g)",
                l->name, moments[0], moments[0], moments[1], moments[2]);
}

static void check_triangle(gz_lint_context *c, const gz_lint_link *l) {
    if (!is_whole(l)) return;
    double m[3];
    principal_moments(l, m);
    // Moments of flat bodies lie on the bound, and files round them.
    if (m[0] <= no_moment(l, m) || m[2] <= (m[0] + m[1]) * (1 + 1e-3)) return;
    gz_lint_add(c, gz_lint_measured(gz_lint_at_link(l, inertia_of(l)), m[2], m[0] + m[1], "kg m^2"),
                "the largest principal moment of link '%.100s', %.6g kg m^2, is more than the "
                "sum %.6g of the others: no body has that",
                l->name, m[2], m[0] + m[1]);
}

/// How far a centre of mass may lie outside of the box, as a share of its diagonal: meshes that are
/// shown or collide are simpler than the part, by as much.
#define CENTER_SLACK 0.01

static void check_center(gz_lint_context *c, const gz_lint_link *l) {
    const double *m = l->inertial_origin.transform.m;
    gz_lint_box box;
    if (!l->inertial || (l->mass.valid && l->mass.value[0] == 0) || !l->geometry_count ||
        !gz_lint_link_box(c, l, GZ_LINT_BOTH, &box))
        return;
    double outside = 0;
    for (int k = 0; k < 3; k++) {
        double x = m[4 * k + 3];
        outside = fmax(outside, fmax(box.low[k] - x, x - box.high[k]));
    }
    double slack = CENTER_SLACK * gz_lint_box_diagonal(&box);
    if (outside <= slack) return;
    const gz_xml_element *origin = l->inertial_origin.element;
    gz_lint_add(
        c, gz_lint_measured(gz_lint_at_link(l, origin ? origin : l->inertial), outside, slack, "m"),
        "centre of mass of link '%.100s' lies %.4g m outside of the box around its "
        "geometry; usual: inside, or at most %.4g m off",
        l->name, outside, slack);
}

static void check_gyration(gz_lint_context *c, const gz_lint_link *l) {
    gz_lint_box box;
    if (!is_whole(l) || !(l->mass.value[0] > 0) || !l->geometry_count ||
        !gz_lint_link_box(c, l, GZ_LINT_BOTH, &box))
        return;
    double m[3];
    principal_moments(l, m);
    double radius = m[2] > 0 ? sqrt(m[2] / l->mass.value[0]) : 0;
    double diagonal = gz_lint_box_diagonal(&box);
    if (radius <= diagonal) return;
    gz_lint_add(c, gz_lint_measured(gz_lint_at_link(l, inertia_of(l)), radius, diagonal, "m"),
                "radius of gyration of link '%.100s' is %.4g m, and its geometry's diagonal "
                "%.4g m: mass and inertia do not go together",
                l->name, radius, diagonal);
}

/// Whether a number is there and cannot be read. A template's numbers are not numbers yet.
static bool is_unreadable(const gz_lint_numbers *n) {
    return n->text && !n->valid && !strstr(n->text, "${") && !strstr(n->text, "$(");
}

/// What makes urdfdom refuse an <inertial>; with it goes the whole link's geometry. NULL: nothing.
static const char *gap_of(const gz_lint_link *l, char *text, size_t size) {
    static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    if (!gz_xml_child(l->inertial, "mass")) return "has no <mass>";
    if (!l->mass.text) return "has a <mass> without value";
    if (is_unreadable(&l->mass)) return "has a mass that is not a number";
    if (!gz_xml_child(l->inertial, "inertia")) return "has no <inertia>";
    for (int i = 0; i < 6; i++) {
        if (l->inertia[i].text && !is_unreadable(&l->inertia[i])) continue;
        snprintf(text, size, "has %s %s", l->inertia[i].text ? "an unreadable" : "no", names[i]);
        return text;
    }
    const gz_lint_origin *o = &l->inertial_origin;
    bool unreadable = is_unreadable(&o->xyz) || is_unreadable(&o->rpy);
    return unreadable ? "has an unreadable <origin>" : NULL;
}

static void check_gap(gz_lint_context *c, const gz_lint_link *l) {
    char text[64];
    const char *gap = l->inertial ? gap_of(l, text, sizeof text) : NULL;
    if (!gap) return;
    gz_lint_add(c, gz_lint_at_link(l, l->inertial),
                "<inertial> of link '%.100s' %s: urdfdom then drops the link's visual and "
                "collision geometry and goes on; allowed: mass and all of ixx ixy ixz iyy iyz "
                "izz",
                l->name, gap);
}

#define RULE(...) GZ_LINT_RULE(INERTIA, __VA_ARGS__)

static const gz_lint_rule rules[] = {
    RULE("I001", "inertia-missing", WARNING, "A link that a joint moves has no <inertial>.",
         "Add mass and inertia, or expect simulators to invent them.", .check_link = check_missing),
    RULE("I002", "mass-not-positive", ERROR, "A mass is negative, or 0 for a part that moves.",
         "Write the part's mass in kilograms.", .check_link = check_mass),
    RULE("I003", "inertia-not-definite", WARNING, "An inertia is not positive definite.",
         "Compute it anew from the mesh and the mass.", .check_link = check_definite),
    RULE("I004", "inertia-triangle", WARNING,
         "A principal moment is more than the sum of the other two.",
         "Compute it anew: look for a wrong sign or unit.", .check_link = check_triangle),
    RULE("I005", "center-outside", WARNING, "A centre of mass lies outside of the geometry's box.",
         "Check <origin> of <inertial>: it is in the link's frame.", .check_link = check_center),
    RULE("I006", "gyration-large", WARNING, "A radius of gyration is larger than the part.",
         "Check the units: kilograms and metres, not grams and millimetres.",
         .check_link = check_gyration),
    RULE("I007", "inertial-gap", ERROR,
         "An <inertial> lacks a number, and urdfdom drops the link's collision geometry with it.",
         "Write mass and all six numbers, or remove <inertial>.", .check_link = check_gap),
};

const gz_lint_tier gz_lint_tier_inertia = {rules, sizeof rules / sizeof *rules};
