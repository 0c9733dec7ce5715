#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "lint/lint.h"
#include "load/file.h"
#include "load/mesh/mesh_file.h"
#include "load/package.h"
#include "load/token.h"
#include "mesh/mesh.h"

const char *gz_lint_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

gz_lint_numbers gz_lint_numbers_read(const gz_xml_element *element, const char *attribute,
                                     size_t wanted) {
    gz_lint_numbers out = {0};
    out.text = element ? gz_xml_get(element, attribute) : NULL;
    if (!out.text) return out;
    out.element = element;
    bool good = true;
    gz_text_cursor text = gz_lint_words(out.text);
    for (gz_word word; gz_cursor_word(&text, &word); out.count++) {
        double value;
        bool number = gz_number_parse(word.text, word.size, &value);
        good &= number && isfinite(value);
        if (number && out.count < sizeof out.value / sizeof *out.value)
            out.value[out.count] = value;
    }
    out.valid = good && out.count == wanted;
    return out;
}

static gz_lint_origin read_origin(const gz_xml_element *parent) {
    gz_lint_origin out = {.transform = graze_transform_identity()};
    out.element = parent ? gz_xml_child(parent, "origin") : NULL;
    if (!out.element) return out;
    out.xyz = gz_lint_numbers_read(out.element, "xyz", 3);
    out.rpy = gz_lint_numbers_read(out.element, "rpy", 3);
    double zero[3] = {0}, xyz[3], rpy[3];
    memcpy(xyz, out.xyz.valid ? out.xyz.value : zero, sizeof xyz);
    memcpy(rpy, out.rpy.valid ? out.rpy.value : zero, sizeof rpy);
    for (int k = 0; k < 3; k++)
        if (fabs(xyz[k]) > 0x1p20 || fabs(rpy[k]) > 0x1p20) return out;
    out.transform = graze_transform_from_xyz_rpy(xyz, rpy);
    gz_lint_numbers quat = gz_lint_numbers_read(out.element, "quat_xyzw", 4);
    // Scaled by its largest part first, as the loader does: no square underflows or overflows.
    double most = 0;
    for (int k = 0; quat.valid && k < 4; k++) most = fmax(most, fabs(quat.value[k]));
    for (int k = 0; k < 4 && most > 0; k++) quat.value[k] /= most;
    if (most > 0) out.transform = graze_transform_from_xyz_quat(xyz, quat.value);
    return out;
}

static const char *name_of(const gz_xml_element *element, const char *attribute) {
    const char *text = element ? gz_xml_get(element, attribute) : NULL;
    return text ? text : "";
}

// ------------------------------------------------------------------------------------ geometries

static bool shape_of(const gz_xml_element *e, graze_shape *kind) {
    static const struct {
        const char *tag;
        graze_shape kind;
    } shapes[] = {{"box", GRAZE_SHAPE_BOX},
                  {"sphere", GRAZE_SHAPE_SPHERE},
                  {"cylinder", GRAZE_SHAPE_CYLINDER},
                  {"capsule", GRAZE_SHAPE_CAPSULE},
                  {"mesh", GRAZE_SHAPE_MESH}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (!gz_xml_is(e, shapes[i].tag)) continue;
        *kind = shapes[i].kind;
        return true;
    }
    return false;
}

static gz_lint_geometry read_geometry(const gz_xml_element *element, int32_t link) {
    gz_lint_geometry out = {.element = element,
                            .visual = gz_xml_is(element, "visual"),
                            .link = link,
                            .origin = read_origin(element),
                            .mesh = -1};
    const gz_xml_element *geometry = gz_xml_child(element, "geometry");
    for (const gz_xml_element *e = geometry ? geometry->first_child : NULL; e && !out.known;
         e = e->next)
        if (shape_of(e, &out.kind)) {
            out.known = true;
            out.shape = e;
        }
    if (!out.known) {
        out.shape = geometry ? geometry->first_child : NULL;
        return out;
    }
    out.size = gz_lint_numbers_read(out.shape, "size", 3);
    out.radius = gz_lint_numbers_read(out.shape, "radius", 1);
    out.length = gz_lint_numbers_read(out.shape, "length", 1);
    out.scale = gz_lint_numbers_read(out.shape, "scale", 3);
    return out;
}

static void read_geometries(gz_lint_context *c, int32_t link) {
    gz_lint_link *l = &c->links[link];
    l->first_geometry = c->geometry_count;
    for (const gz_xml_element *e = l->element->first_child; e; e = e->next) {
        if (gz_xml_is(e, "visual") || gz_xml_is(e, "collision"))
            c->geometries[c->geometry_count++] = read_geometry(e, link);
    }
    l->geometry_count = c->geometry_count - l->first_geometry;
}

// ------------------------------------------------------------------------------- links and joints

static gz_lint_link read_link(const gz_xml_element *element) {
    static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    gz_lint_link out = {.element = element, .name = name_of(element, "name"), .parent_joint = -1};
    out.inertial = gz_xml_child(element, "inertial");
    out.inertial_origin = read_origin(out.inertial);
    if (!out.inertial) return out;
    out.mass = gz_lint_numbers_read(gz_xml_child(out.inertial, "mass"), "value", 1);
    const gz_xml_element *inertia = gz_xml_child(out.inertial, "inertia");
    for (int i = 0; i < 6; i++) out.inertia[i] = gz_lint_numbers_read(inertia, names[i], 1);
    return out;
}

static gz_lint_joint read_joint(const gz_xml_element *element) {
    gz_lint_joint out = {
        .element = element, .parent_link = -1, .child_link = -1, .mimic_target = -1};
    out.name = name_of(element, "name");
    out.type = name_of(element, "type");
    out.parent = name_of(gz_xml_child(element, "parent"), "link");
    out.child = name_of(gz_xml_child(element, "child"), "link");
    out.origin = read_origin(element);
    out.axis_element = gz_xml_child(element, "axis");
    out.axis = gz_lint_numbers_read(out.axis_element, "xyz", 3);
    out.limit = gz_xml_child(element, "limit");
    out.lower = gz_lint_numbers_read(out.limit, "lower", 1);
    out.upper = gz_lint_numbers_read(out.limit, "upper", 1);
    out.effort = gz_lint_numbers_read(out.limit, "effort", 1);
    out.velocity = gz_lint_numbers_read(out.limit, "velocity", 1);
    out.safety = gz_xml_child(element, "safety_controller");
    out.mimic = gz_xml_child(element, "mimic");
    out.mimic_joint = name_of(out.mimic, "joint");
    out.multiplier = gz_lint_numbers_read(out.mimic, "multiplier", 1);
    out.offset = gz_lint_numbers_read(out.mimic, "offset", 1);
    return out;
}

int32_t gz_lint_find_link(const gz_lint_context *c, const char *name) {
    return name && name[0] ? gz_name_table_find(&c->link_names, name) : -1;
}

int32_t gz_lint_find_joint(const gz_lint_context *c, const char *name) {
    return name && name[0] ? gz_name_table_find(&c->joint_names, name) : -1;
}

const char *gz_lint_nearest_link(const gz_lint_context *c, const char *name) {
    gz_spelling nearest = gz_spelling_start(name);
    for (size_t i = 0; i < c->link_count; i++)
        gz_spelling_try(&nearest, c->links[i].name, (int32_t)i);
    return nearest.index >= 0 ? c->links[nearest.index].name : NULL;
}

/// Of two with one name the first counts.
static bool add_name(gz_name_table *table, const char *name, size_t index) {
    if (!name[0] || gz_name_table_find(table, name) >= 0) return true;
    return gz_name_table_add(table, name, (int32_t)index);
}

static bool name_all(gz_lint_context *c) {
    bool good = true;
    for (size_t i = 0; i < c->link_count; i++)
        good = good && add_name(&c->link_names, c->links[i].name, i);
    for (size_t i = 0; i < c->joint_count; i++)
        good = good && add_name(&c->joint_names, c->joints[i].name, i);
    return good;
}

/// Who is whose parent; the root is the one link that is no joint's child.
static void connect(gz_lint_context *c) {
    for (size_t j = 0; j < c->joint_count; j++) {
        gz_lint_joint *joint = &c->joints[j];
        joint->parent_link = gz_lint_find_link(c, joint->parent);
        joint->child_link = gz_lint_find_link(c, joint->child);
        if (joint->mimic) joint->mimic_target = gz_lint_find_joint(c, joint->mimic_joint);
        if (joint->child_link < 0) continue;
        gz_lint_link *child = &c->links[joint->child_link];
        if (!child->parent_count++) child->parent_joint = (int32_t)j;
    }
    c->root = -1;
    size_t roots = 0;
    for (size_t i = 0; i < c->link_count; i++) {
        // One that no joint can name is a mistake (T005), not a root.
        bool unnamed = gz_lint_find_link(c, c->links[i].name) != (int32_t)i;
        if (c->links[i].parent_count || unnamed) continue;
        c->root = (int32_t)i;
        roots++;
    }
    if (roots != 1) c->root = -1;
}

static size_t count_children(const gz_xml_element *parent, const char *tag) {
    const gz_xml_element *first = gz_xml_child(parent, tag);
    return first ? first->namesakes : 0;
}

bool gz_lint_model_read(gz_lint_context *c) {
    const gz_xml_element *root = gz_xml_root(c->urdf);
    c->robot_name = name_of(root, "name");
    c->root = -1;
    size_t links = count_children(root, "link"), joints = count_children(root, "joint"),
           geometries = 0;
    for (const gz_xml_element *e = gz_xml_child(root, "link"); e; e = gz_xml_next(e))
        geometries += count_children(e, "visual") + count_children(e, "collision");
    c->links = gz_calloc(links, sizeof *c->links);
    c->joints = gz_calloc(joints, sizeof *c->joints);
    c->geometries = gz_calloc(geometries, sizeof *c->geometries);
    if (!c->links || !c->joints || !c->geometries) return false;
    for (const gz_xml_element *e = root->first_child; e; e = e->next) {
        if (gz_xml_is(e, "link")) {
            c->links[c->link_count] = read_link(e);
            read_geometries(c, (int32_t)c->link_count++);
        } else if (gz_xml_is(e, "joint")) {
            c->joints[c->joint_count++] = read_joint(e);
        }
    }
    if (!name_all(c)) return false;
    connect(c);
    return true;
}

void gz_lint_model_clear(gz_lint_context *c) {
    gz_free(c->links);
    gz_free(c->joints);
    gz_free(c->geometries);
    gz_name_table_free(&c->link_names);
    gz_name_table_free(&c->joint_names);
}

// The mesh files that a description names: each is found and read once.

/// What the files of one run may be: a large one has many names, and each is read.
typedef struct reading {
    gz_mesh_budget budget;
    uint64_t bytes_left;
    gz_package_cache packages;
} reading;

static void measure_file(const gz_lint_context *c, gz_lint_mesh *mesh, reading *r) {
    char *bytes;
    size_t size;
    const graze_limits *limits = &c->options->load->limits;
    uint64_t most = limits->file_bytes < r->bytes_left ? limits->file_bytes : r->bytes_left;
    mesh->status = gz_load_read(mesh->path, c->options->load->files, most, &bytes, &size,
                                &mesh->error);
    if (mesh->status == GRAZE_ERROR_LIMIT && most < limits->file_bytes)
        gz_fail_at(&mesh->error, GRAZE_ERROR_LIMIT, (gz_place){.file = mesh->path},
                   "of the bytes of all mesh files %llu are left, and it has more; allowed: %llu "
                   "in all (limits.memory_bytes)",
                   (unsigned long long)most, (unsigned long long)limits->memory_bytes);
    if (mesh->status != GRAZE_OK) return;
    r->bytes_left -= size;
    mesh->bytes = size;
    mesh->hash = gz_hash_bytes(bytes, size);
    if (!gz_mesh_facts_read(&mesh->facts, mesh->path, bytes, size))
        mesh->status = GRAZE_ERROR_NO_MEMORY;
    gz_free(bytes);
}

/// A file that only the case of letters hides is named by a warning.
static void note_other_case(gz_lint_context *c, gz_lint_mesh *mesh, const gz_warnings *warnings) {
    for (size_t i = 0; i < warnings->count && !mesh->other_case; i++) {
        if (strcmp(warnings->items[i].code, "file-name-case") != 0) continue;
        mesh->other_case = gz_string_copy(warnings->items[i].message);
        c->out_of_memory |= !mesh->other_case;
    }
}

/// What the loader reads with a warning, and no rule of its own looks for.
static void note_oddity(gz_lint_context *c, gz_lint_mesh *mesh, const gz_warnings *warnings) {
    static const char codes[] = "backslash package-slash mesh-blank-before-xml mesh-id-twice "
                                "mesh-ending obj-counts obj-returns";
    for (size_t i = 0; i < warnings->count && !mesh->oddity; i++) {
        const char *code = warnings->items[i].code;
        if (!gz_is_listed(codes, code, strlen(code))) continue;
        mesh->oddity = gz_string_copy(warnings->items[i].message);
        c->out_of_memory |= !mesh->oddity;
    }
}

/// Reads the file in its own units, as if no scale were written. One that is drawn in micrometres
/// may be out of range in these, and well inside after the scale of its first use, by which the
/// loader goes: then it is read 2^20 times smaller, and made as large again, both without rounding.
static void read_soup(gz_lint_context *c, gz_lint_mesh *mesh, reading *r, gz_warnings *warnings) {
    const double smaller[3] = {0x1p-20, 0x1p-20, 0x1p-20};
    mesh->status = gz_mesh_file_read(&mesh->soup, mesh->path, NULL, c->options->load, &r->budget,
                                     warnings, &mesh->error);
    gz_lint_numbers scale = gz_lint_numbers_read(mesh->first_use, "scale", 3);
    bool shrinks = scale.valid && (fabs(scale.value[0]) < 1 || fabs(scale.value[1]) < 1 ||
                                   fabs(scale.value[2]) < 1);
    if (mesh->status == GRAZE_OK || mesh->status == GRAZE_ERROR_NO_MEMORY || !shrinks) return;
    graze_error second;
    graze_status status = gz_mesh_file_read(&mesh->soup, mesh->path, smaller, c->options->load,
                                            &r->budget, warnings, &second);
    // What is wrong besides is told in the units of the file.
    if (status != GRAZE_OK && status != GRAZE_ERROR_NO_MEMORY) return;
    mesh->status = status;
    for (size_t i = 0; status == GRAZE_OK && i < 3 * mesh->soup->vertex_count; i++)
        mesh->soup->vertices[i] *= 0x1p20;
}

static void read_mesh(gz_lint_context *c, gz_lint_mesh *mesh, reading *r) {
    // Warnings of the readers are left to the rules, which test on their own.
    gz_warnings warnings = {0};
    mesh->status = gz_package_resolve(&mesh->path, mesh->uri, c->base_dir, c->options->load,
                                      &r->packages, &warnings, (gz_place){.file = c->file},
                                      &mesh->error);
    mesh->left_out = c->options->load->visuals == GRAZE_VISUALS_SKIP && !mesh->collision;
    if (mesh->status == GRAZE_OK && !mesh->left_out) measure_file(c, mesh, r);
    if (mesh->status == GRAZE_OK && !mesh->left_out) read_soup(c, mesh, r, &warnings);
    if (!mesh->path) note_other_case(c, mesh, &warnings);
    if (mesh->path) note_oddity(c, mesh, &warnings);
    c->out_of_memory |= mesh->status == GRAZE_ERROR_NO_MEMORY || warnings.out_of_memory;
    gz_warnings_free(&warnings);
}

/// The entry of a URI, a new one where it is met first; -1 when out of memory.
static int32_t enter(gz_lint_context *c, gz_name_table *table, const gz_lint_geometry *g) {
    const char *uri = gz_xml_get(g->shape, "filename");
    int32_t index = gz_name_table_find(table, uri);
    if (index >= 0) return index;
    index = (int32_t)c->mesh_count;
    if (!gz_name_table_add(table, uri, index)) return -1;
    c->meshes[c->mesh_count++] = (gz_lint_mesh){
        .uri = uri, .first_use = g->shape, .first_collision = -1};
    return index;
}

/// A file is read once, however many elements name it; rules check it, and the loader reads it,
/// for each of them. Beyond the limit, which counts them all, they are left alone. What is only
/// seen has a limit of its own: a robot may be loaded without.
static void count_instances(gz_lint_context *c) {
    uint64_t most = c->options->load->limits.triangles, left[2] = {most, most};
    for (size_t i = 0; i < c->geometry_count; i++) {
        gz_lint_geometry *g = &c->geometries[i];
        const gz_soup *soup = g->mesh >= 0 ? c->meshes[g->mesh].soup : NULL;
        if (!soup) continue;
        g->left = left[g->visual];
        g->over = soup->triangle_count > g->left;
        if (!g->over) left[g->visual] -= soup->triangle_count;
    }
}

bool gz_lint_meshes_read(gz_lint_context *c) {
    gz_name_table table = {0};
    c->meshes = gz_calloc(c->geometry_count, sizeof *c->meshes);
    if (!c->meshes) return false;
    for (size_t i = 0; i < c->geometry_count && !c->out_of_memory; i++) {
        gz_lint_geometry *g = &c->geometries[i];
        if (!g->known || g->kind != GRAZE_SHAPE_MESH || !gz_xml_get(g->shape, "filename")) continue;
        g->mesh = enter(c, &table, g);
        c->out_of_memory |= g->mesh < 0;
        if (g->mesh < 0) break;
        gz_lint_mesh *mesh = &c->meshes[g->mesh];
        if (!g->visual && !mesh->collision) mesh->first_collision = (int32_t)i;
        mesh->collision |= !g->visual;
    }
    gz_name_table_free(&table);
    const graze_limits *limits = &c->options->load->limits;
    reading r = {.budget = {.triangles_left = limits->triangles, .named_by_file = true},
                 .bytes_left = limits->memory_bytes};
    for (size_t i = 0; i < c->mesh_count && !c->out_of_memory; i++) read_mesh(c, &c->meshes[i], &r);
    gz_package_cache_free(&r.packages);
    count_instances(c);
    return !c->out_of_memory;
}

bool gz_lint_mesh_measure(gz_lint_context *c, gz_lint_mesh *mesh) {
    if (mesh->mesh) return true;
    if (!mesh->soup || c->out_of_memory) return false;
    graze_status status = gz_mesh_build(&mesh->mesh, mesh->soup, NULL, false, GZ_MESH_LINK, NULL);
    if (status == GRAZE_OK && !gz_mesh_measure_make(&mesh->measure, mesh->mesh))
        status = GRAZE_ERROR_NO_MEMORY;
    c->out_of_memory |= status == GRAZE_ERROR_NO_MEMORY;
    return status == GRAZE_OK;
}

void gz_lint_meshes_clear(gz_lint_context *c) {
    for (size_t i = 0; i < c->mesh_count; i++) {
        gz_free(c->meshes[i].path);
        gz_free(c->meshes[i].other_case);
        gz_free(c->meshes[i].oddity);
        graze_mesh_free(c->meshes[i].mesh);
        gz_soup_free(c->meshes[i].soup);
    }
    gz_free(c->meshes);
}
