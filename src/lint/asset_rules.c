// A: mesh files: their content, their folders, and how the description names them.

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "lint/link_geometry.h"
#include "lint/lint.h"
#include "load/file.h"

/// One file is one finding, at its first use.
static gz_lint_place at_file(const gz_lint_mesh *mesh) {
    const gz_xml_element *link = mesh->first_use;
    while (link && !gz_xml_is(link, "link")) link = link->parent;
    return (gz_lint_place){.element = mesh->first_use,
                           .link = link ? gz_xml_get(link, "name") : NULL};
}

// --------------------------------------------------------------------------------------- Collada

/// The rotation of SPEC: row k of it picks coordinate column[k], with a sign.
typedef struct turn {
    int column[3];
    double sign[3];
} turn;

static turn turn_of(char up) {
    if (up == 'x') return (turn){{1, 2, 0}, {-1, -1, 1}};
    if (up == 'y') return (turn){{0, 2, 1}, {1, -1, 1}};
    return (turn){{0, 1, 2}, {1, 1, 1}};
}

/// How far apart two profiles put the corners of the mesh's box, at most: the soup is as the chosen
/// profile gives it, and the others differ from it by a turn about the origin and a factor alone.
/// Rotations about axes and factors keep boxes boxes, so the corners of one go to those of the
/// other. @param from, to what the profile does with unit and axis
static double shift_of(const gz_lint_box *box, double factor, turn to) {
    double farthest = 0;
    for (int i = 0; i < 8; i++) {
        double p[3], sum = 0;
        for (int k = 0; k < 3; k++) p[k] = i >> k & 1 ? box->high[k] : box->low[k];
        for (int k = 0; k < 3; k++) {
            double d = factor * to.sign[k] * p[to.column[k]] - p[k];
            sum += d * d;
        }
        farthest = fmax(farthest, sqrt(sum));
    }
    return farthest;
}

/// The box of a mesh as `ros` places it, whatever the options say.
static gz_lint_box ros_box(const gz_lint_context *c, const gz_lint_mesh *mesh) {
    const gz_collada_claims *claims = &mesh->facts.collada;
    graze_collada profile = c->options->load->collada;
    double unit = profile == GRAZE_COLLADA_MOVEIT ? claims->meter : 1;
    turn t = turn_of(profile == GRAZE_COLLADA_SPEC ? claims->up : 'z');
    gz_lint_box box = gz_lint_box_empty();
    for (size_t i = 0; i < mesh->soup->vertex_count; i++) {
        double p[3];
        // Row k of the turn made coordinate k out of column[k]: this goes back.
        for (size_t k = 0; k < 3; k++)
            p[t.column[k]] = unit * t.sign[k] * mesh->soup->vertices[3 * i + k];
        gz_lint_box_add(&box, p);
    }
    return box;
}

/// Below this nobody sees the difference, m.
#define SAME_PLACE 1e-4

/// How far the standard and MoveIt put a mesh from where RViz shows it, m.
typedef struct shifts {
    double spec, moveit;
} shifts;

static shifts shifts_of(const gz_lint_context *c, const gz_lint_mesh *mesh) {
    const gz_collada_claims *claims = &mesh->facts.collada;
    if (!claims->is_collada || !mesh->soup || !mesh->soup->vertex_count) return (shifts){0, 0};
    gz_lint_box box = ros_box(c, mesh);
    return (shifts){shift_of(&box, 1, turn_of(claims->up)),
                    shift_of(&box, 1 / claims->meter, turn_of('z'))};
}

/// Whether two files make the same claims, and so are one finding: an exporter writes them all
/// alike.
static bool claim_alike(const gz_collada_claims *a, const gz_collada_claims *b) {
    return a->is_collada && b->is_collada && a->up == b->up && a->has_up == b->has_up &&
           a->meter == b->meter && a->has_unit == b->has_unit;
}

/// Adds up the files that claim the same as mesh `first`, which is the first of them.
static void report_profiles(gz_lint_context *c, size_t first) {
    const gz_lint_mesh *mesh = NULL;
    const gz_collada_claims *claims = &c->meshes[first].facts.collada;
    shifts worst = {0, 0};
    size_t count = 0;
    for (size_t i = first; i < c->mesh_count; i++) {
        if (!claim_alike(claims, &c->meshes[i].facts.collada)) continue;
        shifts s = shifts_of(c, &c->meshes[i]);
        if (!(fmax(s.spec, s.moveit) > SAME_PLACE)) continue;
        if (!count++) mesh = &c->meshes[i];
        worst = (shifts){fmax(worst.spec, s.spec), fmax(worst.moveit, s.moveit)};
    }
    if (!count) return;
    char more[40] = "";
    if (count > 1) snprintf(more, sizeof more, " and %zu more", count - 1);
    gz_lint_add(c, gz_lint_measured(at_file(mesh), fmax(worst.spec, worst.moveit), SAME_PLACE, "m"),
                "\"%.120s\"%s (%c up%s, unit %.4g m%s): the standard puts it up to %.4g m, MoveIt "
                "%.4g m from where RViz shows it; allowed: at most %.4g m",
                gz_lint_base_name(mesh->path), more, claims->up - 'x' + 'X',
                claims->has_up ? "" : " by default", claims->meter,
                claims->has_unit ? "" : " by default", worst.spec, worst.moveit, SAME_PLACE);
}

static void check_profiles(gz_lint_context *c) {
    enum { MOST_CLAIMS = 64 }; // different ones: each compares all files
    size_t checked_count = 0;
    for (size_t i = 0; i < c->mesh_count && checked_count < MOST_CLAIMS; i++) {
        bool found = !c->meshes[i].facts.collada.is_collada;
        for (size_t k = 0; k < i && !found; k++)
            found = claim_alike(&c->meshes[k].facts.collada, &c->meshes[i].facts.collada);
        if (found) continue;
        report_profiles(c, i);
        checked_count++;
    }
}

/// The length that a unit's name means, m; 0 for names that are not known.
static double length_of(const char *name) {
    static const struct {
        const char *names;
        double meter;
    } units[] = {{" m meter meters metre metres ", 1},
                 {" dm decimeter decimeters decimetre decimetres ", 0.1},
                 {" cm centimeter centimeters centimetre centimetres ", 0.01},
                 {" mm millimeter millimeters millimetre millimetres ", 0.001},
                 {" um micrometer micrometers micrometre micrometres micron ", 1e-6},
                 {" km kilometer kilometers kilometre kilometres ", 1000},
                 {" in inch inches ", 0.0254},
                 {" ft foot feet ", 0.3048},
                 {" yd yard yards ", 0.9144}};
    char padded[40];
    snprintf(padded, sizeof padded, " %s ", name);
    for (char *c = padded; *c; c++)
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    for (size_t i = 0; *name && i < sizeof units / sizeof *units; i++)
        if (strstr(units[i].names, padded)) return units[i].meter;
    return 0;
}

static void check_unit_names(gz_lint_context *c, const gz_lint_mesh *mesh) {
    const gz_collada_claims *claims = &mesh->facts.collada;
    double meant = claims->has_unit ? length_of(claims->unit_name) : 0;
    // A factor of 1.01 tells apart all units above, and lets rounded inches pass.
    if (!(meant > 0) || (claims->meter < 1.01 * meant && meant < 1.01 * claims->meter)) return;
    gz_lint_add(c, gz_lint_measured(at_file(mesh), claims->meter, meant, "m"),
                "\"%.120s\" has the unit name=\"%s\" meter=\"%.6g\"; usual: meter=\"%.6g\"",
                gz_lint_base_name(mesh->path), claims->unit_name, claims->meter, meant);
}

static void check_broken_references(gz_lint_context *c, const gz_lint_mesh *mesh) {
    const gz_collada_claims *claims = &mesh->facts.collada;
    if (!claims->broken) return;
    gz_lint_add(c, gz_lint_measured(at_file(mesh), (double)claims->broken, 0, ""),
                "%.120s:%d: \"%s\" is no light or camera of the file (%zu such); allowed: ids "
                "that are there",
                gz_lint_base_name(mesh->path), (int)claims->broken_line, claims->broken_name,
                claims->broken);
}

// ------------------------------------------------------------------------------------------- STL

static void check_solid_headers(gz_lint_context *c, const gz_lint_mesh *mesh) {
    if (!mesh->facts.stl.says_solid) return;
    gz_lint_add(c, at_file(mesh),
                "\"%.120s\" is binary, and begins with \"solid\" like a text STL; usual: any "
                "other header",
                gz_lint_base_name(mesh->path));
}

static void check_stl_lengths(gz_lint_context *c, const gz_lint_mesh *mesh) {
    const gz_stl_facts *stl = &mesh->facts.stl;
    if (!stl->binary || stl->wanted_bytes == mesh->bytes) return;
    gz_lint_add(
        c, gz_lint_measured(at_file(mesh), (double)mesh->bytes, (double)stl->wanted_bytes, "bytes"),
        "\"%.120s\" has %" PRIu64 " bytes and says %" PRIu32 " triangles; allowed: 84 + 50 x "
        "%" PRIu32 " = %" PRIu64 " bytes",
        gz_lint_base_name(mesh->path), mesh->bytes, stl->triangles, stl->triangles,
        stl->wanted_bytes);
}

// --------------------------------------------------------------------------------------- formats

/// What others do not read, by ending.
static const struct {
    const char *ending, *why;
} not_read[] = {
    {"dae", "MuJoCo reads STL and OBJ"},
    {"stl", "Drake makes no convex hull of STL, it reads OBJ and glTF"},
    {"ply", "MuJoCo and Drake do not read PLY"},
    {"gltf", "MuJoCo reads STL and OBJ"},
    {"glb", "MuJoCo reads STL and OBJ"},
};

/// One finding per format: the choice is made once for a robot.
static void check_formats(gz_lint_context *c) {
    for (size_t f = 0; f < sizeof not_read / sizeof *not_read; f++) {
        const gz_lint_mesh *first = NULL;
        size_t count = 0;
        for (size_t i = 0; i < c->mesh_count; i++) {
            const gz_lint_mesh *mesh = &c->meshes[i];
            const char *dot = mesh->path && mesh->collision ? strrchr(mesh->path, '.') : NULL;
            if (!dot || strcasecmp(dot + 1, not_read[f].ending) != 0) continue;
            if (!count++) first = mesh;
        }
        if (!count) continue;
        gz_lint_add(c, gz_lint_measured(at_file(first), (double)count, 0, ""),
                    "%zu collision mesh%s .%s: %s", count, count == 1 ? " is" : "es are",
                    not_read[f].ending, not_read[f].why);
    }
}

// --------------------------------------------------------------------------------------- folders

static int compare_base_names(const void *x, const void *y) {
    const gz_lint_mesh *a = *(const gz_lint_mesh *const *)x, *b = *(const gz_lint_mesh *const *)y;
    int order = strcmp(gz_lint_base_name(a->path), gz_lint_base_name(b->path));
    return order ? order : (a > b) - (a < b);
}

static void check_file_names(gz_lint_context *c) {
    const gz_lint_mesh **sorted = gz_malloc(c->mesh_count, sizeof *sorted);
    size_t count = 0;
    c->out_of_memory |= !sorted;
    for (size_t i = 0; sorted && i < c->mesh_count; i++)
        if (c->meshes[i].path) sorted[count++] = &c->meshes[i];
    if (count) qsort(sorted, count, sizeof *sorted, compare_base_names);
    for (size_t i = 1; i < count; i++) {
        const gz_lint_mesh *a = sorted[i - 1], *b = sorted[i];
        // One file by two names, or a copy, is the same whichever is taken.
        if (strcmp(gz_lint_base_name(a->path), gz_lint_base_name(b->path)) != 0 ||
            (a->bytes == b->bytes && a->hash == b->hash))
            continue;
        gz_lint_add(c, at_file(b),
                    "\"%.150s\" and \"%.150s\" have one file name and differ; usual: names of "
                    "their own",
                    a->uri, b->uri);
    }
    gz_free(sorted);
}

/// Endings of mesh files, and how many names of a folder are read.
#define MESH_ENDINGS "stl dae obj ply gltf glb"
enum { MOST_NAMES = 10000 };

/// A mesh that was found, and its folder as the system knows it: one folder has many names.
typedef struct mesh_folder {
    const gz_lint_mesh *mesh;
    char *folder;
} mesh_folder;

static int compare_folders(const void *x, const void *y) {
    const mesh_folder *a = x, *b = y;
    int order = strcmp(a->folder, b->folder);
    return order ? order
                 : strcmp(gz_lint_base_name(a->mesh->path), gz_lint_base_name(b->mesh->path));
}

static char *folder_of(const char *path) {
    char *folder = gz_path_folder(path), real[PATH_MAX];
    if (!folder || !realpath(folder, real)) return folder;
    gz_free(folder);
    return gz_string_copy(real);
}

static int compare_name(const void *name, const void *of) {
    const mesh_folder *f = of;
    return strcmp(name, gz_lint_base_name(f->mesh->path));
}

/// Judges a folder. @param sorted its meshes, by name
static void check_folder(gz_lint_context *c, const mesh_folder *sorted, size_t count) {
    const gz_lint_mesh *mesh = sorted[0].mesh;
    for (size_t i = 1; i < count; i++)
        if (sorted[i].mesh < mesh) mesh = sorted[i].mesh; // the first in the file
    int size = (int)fmin((double)(gz_lint_base_name(mesh->path) - mesh->path), 150);
    gz_folder_list list = {0};
    if (c->options->load->files) return; // they cannot be listed
    bool ok = gz_folder_list_read(&list, sorted[0].folder, MESH_ENDINGS, MOST_NAMES);
    size_t unused = 0;
    char text[200] = "";
    for (size_t i = 0; ok && i < list.count; i++) {
        if (bsearch(list.names[i], sorted, count, sizeof *sorted, compare_name)) continue;
        size_t used = strlen(text);
        if (unused++ < 3)
            snprintf(text + used, sizeof text - used, "%s%.60s", used ? ", " : "", list.names[i]);
    }
    if (unused)
        gz_lint_add(c, gz_lint_measured(at_file(mesh), (double)unused, 0, ""),
                    "%zu of %zu mesh files of %.*s are not named: %s%s", unused, list.count,
                    size ? size : 1, size ? mesh->path : ".", text, unused > 3 ? " ..." : "");
    c->out_of_memory |= !ok;
    gz_folder_list_free(&list);
}

/// Each folder that holds a mesh of the robot, once.
static void check_unused(gz_lint_context *c) {
    mesh_folder *sorted = gz_calloc(c->mesh_count, sizeof *sorted);
    size_t count = 0;
    c->out_of_memory |= !sorted;
    for (size_t i = 0; i < c->mesh_count && !c->out_of_memory; i++) {
        if (!c->meshes[i].path) continue;
        sorted[count] = (mesh_folder){&c->meshes[i], folder_of(c->meshes[i].path)};
        c->out_of_memory |= !sorted[count].folder;
        count += sorted[count].folder != NULL;
    }
    if (sorted && count) qsort(sorted, count, sizeof *sorted, compare_folders);
    for (size_t i = 0, next; i < count && !c->out_of_memory; i = next) {
        for (next = i + 1; next < count; next++)
            if (strcmp(sorted[i].folder, sorted[next].folder) != 0) break;
        check_folder(c, sorted + i, next - i);
    }
    for (size_t i = 0; i < count; i++) gz_free(sorted[i].folder);
    gz_free(sorted);
}

// ------------------------------------------------------------------------------------ references

static void check_found(gz_lint_context *c, const gz_lint_geometry *g) {
    if (g->mesh >= 0 && !c->meshes[g->mesh].path && !c->meshes[g->mesh].left_out)
        gz_lint_add(c, gz_lint_at_shape(c, g), "%s", c->meshes[g->mesh].error.message);
    if (g->mesh < 0 && g->known && g->kind == GRAZE_SHAPE_MESH)
        gz_lint_add(c, gz_lint_at_shape(c, g),
                    "<mesh> names no file; allowed: filename=\"package://NAME/PATH\"");
}

static void check_absolute(gz_lint_context *c, const gz_lint_geometry *g,
                           const gz_lint_mesh *mesh) {
    if (mesh->uri[0] != '/' && strncasecmp(mesh->uri, "file:", 5) != 0) return;
    gz_lint_place place = gz_lint_at_shape(c, g);
    gz_fix_buffer buffer;
    gz_fix_path(&buffer, c, g, mesh, &place.fix);
    gz_lint_add(c, place, "\"%.200s\" is a path of one machine; usual: package://NAME/PATH",
                mesh->uri);
}

static void check_oddity(gz_lint_context *c, const gz_lint_geometry *g, const gz_lint_mesh *mesh) {
    if (mesh->oddity)
        gz_lint_add(c, gz_lint_at_shape(c, g), "\"%.120s\": %s", mesh->uri, mesh->oddity);
}

static void check_readable(gz_lint_context *c, const gz_lint_geometry *g,
                           const gz_lint_mesh *mesh) {
    if (g->over)
        gz_lint_add(c, gz_lint_at_shape(c, g),
                    "%.200s: %zu triangles, %llu are left; allowed: %llu for one load, instances "
                    "counted (limits.triangles)",
                    mesh->path, mesh->soup->triangle_count, (unsigned long long)g->left,
                    (unsigned long long)c->options->load->limits.triangles);
    if (!mesh->path || mesh->status == GRAZE_OK) return;
    char line[16] = "";
    if (mesh->error.line > 0) snprintf(line, sizeof line, ":%d", (int)mesh->error.line);
    gz_lint_add(c, gz_lint_at_shape(c, g), "%.200s%s: %s", mesh->path, line, mesh->error.message);
}

// ------------------------------------------------------------------------------------- how named

static bool has_scheme(const char *uri) {
    return strstr(uri, "://") || strncasecmp(uri, "file:", 5) == 0;
}

static void check_relative(gz_lint_context *c, const gz_lint_geometry *g,
                           const gz_lint_mesh *mesh) {
    if (mesh->uri[0] == '/' || !mesh->uri[0] || has_scheme(mesh->uri)) return;
    gz_lint_add(c, gz_lint_at_shape(c, g),
                "\"%.200s\" is relative to the URDF: ROS does not find it; usual: "
                "package://NAME/PATH",
                mesh->uri);
}

static void check_case(gz_lint_context *c, const gz_lint_geometry *g, const gz_lint_mesh *mesh) {
    if (!mesh->other_case) return;
    gz_lint_add(c, gz_lint_at_shape(c, g),
                "\"%.200s\" is not there, %.200s is; allowed: the same capitals, which not every "
                "system needs",
                mesh->uri, mesh->other_case);
}

// -------------------------------------------------------------------------------- scale of a mesh

/// A mesh of a robot is smaller than the first and larger than the second, m: what is not was
/// exported in other units.
#define LARGEST_MESH  10.0
#define SMALLEST_MESH 1e-3

/// The units that a factor between two lengths suggests; "" for none.
static const char *unit_hint(double ratio) {
    static const struct {
        double factor;
        const char *text;
    } hints[] = {{1000, "; 1000: millimetres"},
                 {100, "; 100: centimetres"},
                 {39.37, "; 39.37: inches"},
                 {25.4, "; 25.4: inches"}};
    if (ratio < 1) ratio = 1 / ratio;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (ratio > 0.95 * hints[i].factor && ratio < 1.05 * hints[i].factor) return hints[i].text;
    return "";
}

static double longest_side(const gz_lint_box *box) {
    double longest = 0;
    for (int k = 0; k < 3; k++) longest = fmax(longest, box->high[k] - box->low[k]);
    return longest;
}

static void check_extent(gz_lint_context *c, const gz_lint_geometry *g, const gz_lint_mesh *mesh) {
    gz_lint_box box;
    (void)mesh;
    if (!gz_lint_geometry_box(c, g, &box) || gz_lint_box_is_empty(&box)) return;
    double side = longest_side(&box);
    if (side >= SMALLEST_MESH && side <= LARGEST_MESH) return;
    double limit = side > LARGEST_MESH ? LARGEST_MESH : SMALLEST_MESH;
    gz_lint_add(c, gz_lint_measured(gz_lint_at_shape(c, g), side, limit, "m"),
                "the mesh is %.4g m long where it is longest; usual: %.3g to %.3g m; a scale of "
                "%s is missing, or one too many",
                side, SMALLEST_MESH, LARGEST_MESH, side > LARGEST_MESH ? "0.001" : "1000");
}

/// How many times larger than each other what is seen and what collides may be.
#define USUAL_RATIO 5.0

static void check_sizes_agree(gz_lint_context *c, const gz_lint_link *l) {
    gz_lint_box seen, hit;
    bool known = gz_lint_link_box(c, l, GZ_LINT_VISUAL, &seen);
    known = gz_lint_link_box(c, l, GZ_LINT_COLLISION, &hit) && known;
    if (!known || gz_lint_box_is_empty(&seen) || gz_lint_box_is_empty(&hit)) return;
    double shown = gz_lint_box_diagonal(&seen), solid = gz_lint_box_diagonal(&hit);
    if (!(shown > 0 && solid > 0)) return;
    double ratio = solid / shown;
    if (ratio <= USUAL_RATIO && ratio >= 1 / USUAL_RATIO) return;
    gz_lint_place place = gz_lint_at_link(l, NULL);
    gz_lint_add(c, gz_lint_measured(place, ratio, ratio > 1 ? USUAL_RATIO : 1 / USUAL_RATIO, ""),
                "the collision geometry of link '%.100s' is %.4g m across, the visual %.4g m: "
                "a ratio of %.4g; usual: %.3g to %.3g%s",
                l->name, solid, shown, ratio, 1 / USUAL_RATIO, USUAL_RATIO, unit_hint(ratio));
}

#define RULE(...) GZ_LINT_RULE(ASSETS, __VA_ARGS__)

static const gz_lint_rule rules[] = {
    RULE(
        "A001", "mesh-not-found", ERROR, "A mesh file is not there.",
        "Correct the path, or say where the package lives: --package NAME=DIR, --package-path DIR.",
        .check_geometry = check_found),
    RULE("A002", "absolute-path", WARNING, "A mesh is named by a path of one machine.",
         "Write package://NAME/PATH.", .check_use = check_absolute),
    RULE("A003", "relative-path", WARNING, "A mesh is named relative to the URDF.",
         "Write package://NAME/PATH.", .check_use = check_relative),
    RULE("A004", "case-differs", WARNING, "A mesh file has other capitals than its name here.",
         "Write the name as the file has it.", .check_use = check_case),
    RULE("A005", "mesh-unreadable", ERROR, "A mesh file is empty, broken, or of no known format.",
         "Export it anew, as STL, OBJ, PLY, glTF or Collada.", .check_use = check_readable),
    RULE("A006", "profiles-differ", WARNING, "Programs place a Collada mesh differently.",
         "Export it with Z up in metres, or as another format.", .check = check_profiles),
    RULE("A007", "unit-name", WARNING,
         "A Collada unit's name and its length contradict each other.",
         "Write the length that the file is drawn in; a scale in the URDF may then be too many.",
         .check_mesh = check_unit_names),
    RULE("A008", "size-unusual", WARNING, "A mesh is larger than 10 m, or smaller than 1 mm.",
         "Look whether the file is in millimetres: then it needs scale=\"0.001 0.001 0.001\".",
         .check_use = check_extent),
    RULE("A009", "sizes-differ", WARNING, "What is seen and what collides differ in size by far.",
         "Look at the scale of both, and whether they are the same part.",
         .check_link = check_sizes_agree),
    RULE("A010", "solid-header", INFO, "A binary STL begins like a text one.",
         "Export it with another header: some readers take it for text.",
         .check_mesh = check_solid_headers),
    RULE("A011", "stl-length", WARNING, "A binary STL is longer or shorter than it says.",
         "Export it anew: it was cut off, or something was added.",
         .check_mesh = check_stl_lengths),
    RULE("A012", "unused-mesh", INFO, "A folder of meshes holds some that nothing names.",
         "Remove them, or keep them for another robot.", .check = check_unused),
    RULE("A013", "broken-reference", WARNING,
         "A Collada file shows a light or camera that is not there.",
         "Export it without lights and cameras: some readers fail.",
         .check_mesh = check_broken_references),
    RULE("A014", "format-not-portable", INFO, "A well-known program does not read a mesh's format.",
         "Keep a copy as OBJ, which all read.", .check = check_formats),
    RULE("A015", "same-file-name", WARNING, "Two mesh files in different folders have one name.",
         "Rename one: some programs know meshes by their file names alone.",
         .check = check_file_names),
    RULE("A016", "odd-mesh", WARNING, "A mesh is read that other programs may refuse.",
         "Write the name as package://NAME/PATH, or export the file anew.",
         .check_use = check_oddity),
};

const gz_lint_tier gz_lint_tier_assets = {rules, sizeof rules / sizeof *rules};
