#include "cli/view/scene_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/program_path.h"
#include "cli/robot_view.h"
#include "cli/text.h"

// Where the built page has its scene.
#define MARK     "<!--graze-scene-->"
#define PAGE_MAX (64u << 20)

int gz_scene_page_find(char **text, size_t *size) {
    const char *set = getenv("GRAZE_SHARE");
    char beside[GRAZE_PATH_SIZE], prefix[GRAZE_PATH_SIZE];
    gz_program_path(beside, 1);
    gz_program_path(prefix, 2);
    const char *const places[][2] = {
        {set, "/web/view.html"},
        {beside, "/web/view.html"}, // a build folder
        {prefix, "/share/graze/web/view.html"},
        {GRAZE_SHARE_DIR, "/web/view.html"},
    };
    char path[GRAZE_PATH_SIZE + 32];
    for (size_t i = 0; i < GZ_COUNT(places); i++) {
        if (places[i][0] == NULL) continue;
        snprintf(path, sizeof path, "%s%s", places[i][0], places[i][1]);
        if (access(path, R_OK) == 0) return gz_text_input_read(path, PAGE_MAX, text, size);
    }
    gz_message(
        "the page of graze view is not found: there is no %s/web/view.html, no "
        "%s/share/graze/web/view.html and no %s; it is built with -DGRAZE_BUILD_WEB=ON, which "
        "needs emcc and npm; GRAZE_SHARE may name the folder that holds web/view.html",
        beside, prefix, path);
    return GZ_EXIT_INPUT;
}

// ---------------------------------------------------------------------------------------- blocks

/// Bytes that grow.
typedef struct byte_list {
    unsigned char *items;
    size_t count, capacity;
} byte_list;

static bool add_bytes(byte_list *list, const void *bytes, size_t size) {
    if (!GZ_RESERVE(list->items, list->capacity, list->count + size)) return false;
    if (size > 0) memcpy(list->items + list->count, bytes, size);
    list->count += size;
    return true;
}

static void write_base64(FILE *stream, const unsigned char *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++) bits = bits << 8 | (i + k < size ? bytes[i + k] : 0u);
        char out[4] = {digits[bits >> 18], digits[bits >> 12 & 63], digits[bits >> 6 & 63],
                       digits[bits & 63]};
        if (i + 2 >= size) out[3] = '=';
        if (i + 1 >= size) out[2] = '=';
        fwrite(out, 1, sizeof out, stream);
    }
}

// Bytes of a block in one element: browsers read an element's text at once. A multiple of 3.
#define ELEMENT_BYTES 147456u

/// Writes a block of data, compressed (zlib). In base64 nothing of it can end the elements.
static int write_block(FILE *stream, const char *name, const unsigned char *bytes, size_t size) {
    uLongf packed_size = compressBound((uLong)size);
    unsigned char *packed = gz_malloc(packed_size, 1);
    if (packed == NULL || compress2(packed, &packed_size, bytes, (uLong)size, 9) != Z_OK) {
        gz_free(packed);
        return gz_message_no_memory();
    }
    for (size_t at = 0; at < packed_size; at += ELEMENT_BYTES) {
        size_t left = packed_size - at;
        fprintf(stream, "<script type=\"application/octet-stream\" class=\"graze-%s\">", name);
        write_base64(stream, packed + at, left < ELEMENT_BYTES ? left : ELEMENT_BYTES);
        fputs("</script>\n", stream);
    }
    gz_free(packed);
    return GZ_EXIT_FINE;
}

static int write_compiled(FILE *stream, const gz_robot_input *input) {
    unsigned char *bytes;
    size_t size;
    graze_error error;
    if (graze_compile(&bytes, &size, input->robot, input->world, NULL, &error) != GRAZE_OK)
        return gz_message_error(input->command, &error);
    int status = write_block(stream, "robot", bytes, size);
    graze_compiled_free(bytes);
    return status;
}

// --------------------------------------------------------------------------------------- visuals

/// Adds vertices as floats and indices as they are, all of one geometry behind the other.
static bool add_mesh(byte_list *list, const graze_geometry *g) {
    for (size_t i = 0; i < 3 * g->vertex_count; i++) {
        float value = (float)g->vertices[i];
        if (!add_bytes(list, &value, sizeof value)) return false;
    }
    return add_bytes(list, g->triangles, 3 * g->triangle_count * sizeof *g->triangles);
}

static bool is_curved(const graze_geometry *g) {
    return g->shape == GRAZE_SHAPE_SPHERE || g->shape == GRAZE_SHAPE_CYLINDER ||
           g->shape == GRAZE_SHAPE_CAPSULE;
}

/// Whether only the outside can be seen: a closed shape, wound outward.
static bool is_closed(const graze_geometry *g) {
    if (g->shape != GRAZE_SHAPE_MESH) return true;
    graze_solid_report r = {0};
    return graze_mesh_solids(g->mesh, &r, NULL, 0, NULL) == GRAZE_OK && r.open_count == 0 &&
           r.reversed_count == r.cavity_count;
}

/// Lists the visual geometries, and adds their meshes to the bytes. False when out of memory.
static bool put_visuals(gz_json *json, const graze_robot *robot, byte_list *meshes) {
    gz_json_put(json, "visuals=[");
    size_t count = robot != NULL ? graze_robot_visual_count(robot) : 0;
    for (size_t i = 0; i < count; i++) {
        graze_geometry g = gz_visual_at(robot, i);
        if (g.vertex_count == 0 && !is_curved(&g)) continue; // not loaded
        gz_json_put(json,
                    "{ owner=%d frame=%d shape=%s closed=%i radius=%g vertices=%zu triangles=%zu",
                    (int)g.owner, (int)g.frame, gz_shape_name(g.shape), is_closed(&g), g.radius,
                    g.vertex_count, g.triangle_count);
        if (is_curved(&g)) gz_json_numbers(json, "ends", &g.ends[0][0], 6);
        if (g.has_color) gz_json_numbers(json, "color", g.color, 4);
        gz_json_put(json, "}");
        if (!is_curved(&g) && !add_mesh(meshes, &g)) return false;
    }
    gz_json_put(json, "]");
    return true;
}

/// Whether each collision geometry of the robot and each object of the world is closed, in the
/// order of the compiled ones: to find it takes the page longer than to draw.
static void put_closed(gz_json *json, const graze_robot *robot, const graze_world *world) {
    graze_geometry g;
    gz_json_put(json, "closed={ collision=[");
    for (size_t i = 0; graze_robot_collision(robot, i, &g) == GRAZE_OK; i++)
        gz_json_put(json, "%i", is_closed(&g));
    gz_json_put(json, "] object=[");
    for (size_t i = 0; world != NULL && graze_world_object(world, i, &g) == GRAZE_OK; i++)
        gz_json_put(json, "%i", is_closed(&g));
    gz_json_put(json, "] }");
}

// ------------------------------------------------------------------------------------- the scene

static void put_rules(gz_json *json, const graze_checker *checker) {
    const graze_checker_options o = graze_checker_settings(checker);
    gz_json_put(json, "rules={ policy=%s noSelf=%i noWorld=%i ignoreSrdf=%i domain=%g",
                gz_policy_name(o.policy), o.no_self != 0, o.no_world != 0, o.ignore_srdf != 0,
                o.domain);
    if (!isnan(o.margin)) gz_json_put(json, "margin=%g", o.margin);
    gz_json_put(json, "allow=[");
    for (size_t i = 0; i < o.allowed_count; i++)
        gz_json_put(json, "[ %s %s ]", o.allowed[i].a, o.allowed[i].b);
    gz_json_put(json, "] margins=[");
    for (size_t i = 0; i < o.margin_count; i++)
        gz_json_put(json, "{ a=%s b=%s margin=%g }", o.margins[i].a, o.margins[i].b,
                    o.margins[i].margin);
    gz_json_put(json, "] policies=[");
    for (size_t i = 0; i < o.policy_count; i++)
        gz_json_put(json, "{ name=%s policy=%s }", o.policies[i].name,
                    gz_policy_name(o.policies[i].policy));
    gz_json_put(json, "] }");
}

/// Control points, of which the page makes the trajectory again, bit for bit.
static void put_trajectory(gz_json *json, const graze_trajectory *t, size_t q_size) {
    size_t pieces = graze_trajectory_piece_count(t), rows = graze_trajectory_degree(t) + 1;
    const double *base, *q = graze_trajectory_points(t, 0, &base);
    gz_json_put(json, "trajectory={ degree=%zu times=[", rows - 1);
    for (size_t i = 0; i <= pieces; i++) gz_json_put(json, "%g", graze_trajectory_time(t, i));
    gz_json_put(json, "]");
    // The pieces lie behind each other.
    gz_json_numbers(json, "q", q, pieces * rows * q_size);
    gz_json_numbers(json, "base", base, pieces * rows * GZ_BASE_SIZE);
    gz_json_put(json, "}");
}

/// Findings that count, with the link that each concerns: of a joint its child.
static void put_findings(gz_json *json, const graze_robot *robot, const graze_lint_report *report) {
    gz_json_put(json, "findings=[");
    for (size_t i = 0; i < graze_lint_finding_count(report); i++) {
        const graze_finding *f = graze_lint_finding(report, i);
        if (f->suppressed) continue;
        graze_joint_info joint;
        int32_t at = graze_robot_find_joint(robot, f->joint);
        int32_t link = f->link[0] != '\0' ? graze_robot_find_link(robot, f->link)
                       : at >= 0 && graze_robot_joint(robot, at, &joint) == GRAZE_OK ? joint.child
                                                                                     : -1;
        gz_json_put(json, "{ rule=%s severity=%d link=%d message=%s file=%s line=%d advice=%s }",
                    f->rule->id, (int)f->severity, (int)link, f->message, f->file, (int)f->line,
                    f->rule->advice);
    }
    gz_json_put(json, "]");
}

static bool put_scene(gz_json *json, const gz_scene_page *page, byte_list *meshes) {
    const gz_posture *posture = page->posture;
    gz_json_put(json, "robot=%s version=%s number=%" PRIu64, graze_robot_name(page->input->robot),
                graze_version(), page->number);
    gz_json_numbers(json, "q", posture->q, posture->size);
    gz_json_numbers(json, "base", posture->base, GZ_BASE_SIZE);
    put_rules(json, page->input->checker);
    gz_json_put(json, "path=[");
    for (size_t i = 0; i < page->path_count; i++)
        gz_json_numbers(json, NULL, page->path + i * (posture->size + GZ_BASE_SIZE),
                        posture->size + GZ_BASE_SIZE);
    gz_json_put(json, "]");
    put_closed(json, page->input->robot, page->input->world);
    if (page->trajectory != NULL) put_trajectory(json, page->trajectory, posture->size);
    if (page->findings != NULL) put_findings(json, page->input->robot, page->findings);
    return put_visuals(json, page->visuals, meshes);
}

/// Writes the scene's description and the visual meshes that it lists.
static int write_scene(FILE *stream, const gz_scene_page *page) {
    char *text = NULL;
    size_t size = 0;
    byte_list meshes = {0};
    FILE *memory = open_memstream(&text, &size);
    bool good = memory != NULL;
    if (good) {
        gz_json json = gz_json_begin(memory, "graze-scene-1");
        good = put_scene(&json, page, &meshes);
        gz_json_finish(&json);
        good = fclose(memory) == 0 && good;
    }
    int status = good ? write_block(stream, "scene", (unsigned char *)text, size)
                      : gz_message_no_memory();
    if (status == GZ_EXIT_FINE) status = write_block(stream, "visuals", meshes.items, meshes.count);
    free(text);
    gz_free(meshes.items);
    return status;
}

int gz_scene_page_write(FILE *stream, const gz_scene_page *page, const char *built,
                        size_t built_size) {
    const char *mark = strstr(built, MARK);
    if (mark == NULL) {
        gz_message("the page of graze view is damaged: it has no %s", MARK);
        return GZ_EXIT_INPUT;
    }
    fwrite(built, 1, (size_t)(mark - built), stream);
    GZ_TRY_EXIT(write_scene(stream, page));
    GZ_TRY_EXIT(write_compiled(stream, page->input));
    const char *rest = mark + strlen(MARK);
    fwrite(rest, 1, built_size - (size_t)(rest - built), stream);
    return GZ_EXIT_FINE;
}
