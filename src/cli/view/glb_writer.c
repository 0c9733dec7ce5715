// The format: Khronos Group, glTF 2.0 specification (ISO/IEC 12113:2022), section 4, "GLB".

#include "cli/view/glb_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/json.h"
#include "picture/drawing.h"

enum { MODE_POINTS = 0, MODE_LINES = 1, MODE_TRIANGLES = 4 };
enum { TYPE_UINT = 5125, TYPE_FLOAT = 5126, TARGET_VERTICES = 34962, TARGET_INDICES = 34963 };

/// A corner as it is written; equal ones are written once.
typedef struct glb_vertex {
    float position[3], normal[3];
} glb_vertex;

/// One mesh: where its data begin in the bytes, and how much there is.
typedef struct glb_mesh {
    const char *name;
    float color[3];
    int mode;
    size_t vertices, vertex_count, indices, index_count; ///< no indices: all in order
    float min[3], max[3];
} glb_mesh;

typedef struct glb_scene {
    unsigned char *bytes;
    size_t size, capacity;
    glb_mesh *meshes;
    size_t count, mesh_capacity;
    uint32_t *table; ///< hash of vertices to their number plus 1
    size_t table_size;
    glb_vertex *vertices; ///< of the mesh in work
    size_t vertex_count, vertex_capacity;
    uint32_t *indices;
    size_t index_count, index_capacity;
} glb_scene;

static bool add_bytes(glb_scene *s, const void *bytes, size_t size) {
    if (!GZ_RESERVE(s->bytes, s->capacity, s->size + size)) return false;
    if (size > 0) memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
    return true;
}

static void put_vector(float out[3], graze_vec3 v) {
    const double from[3] = {v.x, v.y, v.z};
    for (int k = 0; k < 3; k++) out[k] = (float)from[k] + 0.0F; // no -0: equal numbers, equal bytes
}

/// Prepares the table for so many corners.
static bool clear_table(glb_scene *s, size_t corners) {
    size_t wanted = 64;
    while (wanted < 2 * corners) wanted *= 2;
    gz_free(s->table);
    s->table = gz_calloc(wanted, sizeof *s->table);
    s->table_size = s->table != NULL ? wanted : 0;
    s->vertex_count = s->index_count = 0;
    return s->table != NULL;
}

/// FNV-1a of a vertex's words (Fowler, Noll and Vo 1991).
static size_t hash_vertex(const glb_vertex *v) {
    uint32_t words[6];
    uint64_t hash = 14695981039346656037U;
    memcpy(words, v, sizeof words);
    for (int k = 0; k < 6; k++) hash = (hash ^ words[k]) * 1099511628211U;
    return (size_t)(hash ^ hash >> 32);
}

/// Adds a corner: a vertex that is there already, or a new one.
static bool add_corner(glb_scene *s, const glb_vertex *v) {
    size_t at = hash_vertex(v) & (s->table_size - 1);
    while (s->table[at] != 0 && memcmp(&s->vertices[s->table[at] - 1], v, sizeof *v) != 0)
        at = (at + 1) & (s->table_size - 1);
    if (s->table[at] == 0) {
        if (!GZ_RESERVE(s->vertices, s->vertex_capacity, s->vertex_count + 1)) return false;
        s->vertices[s->vertex_count++] = *v;
        s->table[at] = (uint32_t)s->vertex_count;
    }
    if (!GZ_RESERVE(s->indices, s->index_capacity, s->index_count + 1)) return false;
    s->indices[s->index_count++] = s->table[at] - 1;
    return true;
}

/// Ends the mesh in work: its vertices (positions, then normals) and indices go to the bytes.
static bool add_mesh(glb_scene *s, glb_mesh mesh) {
    if (!GZ_RESERVE(s->meshes, s->mesh_capacity, s->count + 1)) return false;
    mesh.vertex_count = s->vertex_count;
    mesh.vertices = s->size;
    for (int k = 0; k < 3; k++) {
        mesh.min[k] = INFINITY;
        mesh.max[k] = -INFINITY;
    }
    for (size_t i = 0; i < s->vertex_count; i++) {
        const float *p = s->vertices[i].position;
        for (int k = 0; k < 3; k++) {
            mesh.min[k] = fminf(mesh.min[k], p[k]);
            mesh.max[k] = fmaxf(mesh.max[k], p[k]);
        }
        if (!add_bytes(s, p, sizeof s->vertices[i].position)) return false;
    }
    for (size_t i = 0; mesh.mode == MODE_TRIANGLES && i < s->vertex_count; i++)
        if (!add_bytes(s, s->vertices[i].normal, sizeof s->vertices[i].normal)) return false;
    if (mesh.mode == MODE_TRIANGLES) {
        mesh.indices = s->size;
        mesh.index_count = s->index_count;
        if (!add_bytes(s, s->indices, s->index_count * sizeof *s->indices)) return false;
    }
    s->meshes[s->count++] = mesh;
    return true;
}

/// One geometry of the drawing. Triangles without area have no normal, and are left out.
static bool add_item(glb_scene *s, const gz_drawing *drawing, const gz_drawn_geometry *item) {
    if (!clear_table(s, 3 * item->count)) return false;
    for (size_t i = item->first; i < item->first + item->count; i++) {
        const gz_draw_triangle *t = &drawing->triangles[i];
        if (t->face.x == 0 && t->face.y == 0 && t->face.z == 0) continue;
        for (int k = 0; k < 3; k++) {
            glb_vertex v;
            put_vector(v.position, t->corner[k]);
            put_vector(v.normal, t->normal[k]);
            if (!add_corner(s, &v)) return false;
        }
    }
    if (s->index_count == 0) return true;
    glb_mesh mesh = {.name = item->name, .mode = MODE_TRIANGLES};
    for (int k = 0; k < 3; k++) mesh.color[k] = (float)item->color[k];
    return add_mesh(s, mesh);
}

/// The contacts with a segment as lines, or those without as points.
static bool add_contacts(glb_scene *s, const gz_picture *picture, bool lines) {
    if (!clear_table(s, 2 * picture->contact_count)) return false;
    for (size_t i = 0; i < picture->contact_count; i++) {
        const graze_contact *c = &picture->contacts[i];
        if (c->kind == GRAZE_CONTACT_BOUNDARY || c->has_segment != lines) continue;
        for (int k = 0; k < (lines ? 2 : 1); k++) {
            if (!GZ_RESERVE(s->vertices, s->vertex_capacity, s->vertex_count + 1)) return false;
            glb_vertex *v = &s->vertices[s->vertex_count++];
            *v = (glb_vertex){0};
            put_vector(v->position, lines ? c->segment[k] : c->point);
        }
    }
    if (s->vertex_count == 0) return true;
    return add_mesh(s, (glb_mesh){.name = lines ? "contact segments" : "contact points",
                                  .mode = lines ? MODE_LINES : MODE_POINTS,
                                  .color = {0.05F, 0.05F, 0.05F}});
}

static bool add_all(glb_scene *s, const gz_drawing *drawing, const gz_picture *picture) {
    for (size_t i = 0; i < drawing->item_count; i++)
        if (!add_item(s, drawing, &drawing->items[i])) return false;
    return add_contacts(s, picture, true) && add_contacts(s, picture, false);
}

// ----------------------------------------------------------------------------------------- JSON

static void put_nodes(gz_json *json, const glb_scene *s, const char *robot) {
    gz_json_put(json, "nodes=[ { name=%s rotation=[ %g 0 0 %g ]", robot, -sqrt(0.5), sqrt(0.5));
    if (s->count > 0) gz_json_put(json, "children=[");
    for (size_t i = 0; i < s->count; i++) gz_json_put(json, "%zu", i + 1);
    gz_json_put(json, s->count > 0 ? "] }" : "}");
    for (size_t i = 0; i < s->count; i++)
        gz_json_put(json, "{ name=%s mesh=%zu }", s->meshes[i].name, i);
    gz_json_put(json, "]");
}

/// Meshes and their materials; a mesh has its accessors in a row.
static void put_meshes(gz_json *json, const glb_scene *s) {
    size_t accessor = 0;
    gz_json_put(json, "meshes=[");
    for (size_t i = 0; i < s->count; i++) {
        const glb_mesh *m = &s->meshes[i];
        gz_json_put(json, "{ name=%s primitives=[ { mode=%d material=%zu attributes={ POSITION=%zu",
                    m->name, m->mode, i, accessor++);
        if (m->mode == MODE_TRIANGLES)
            gz_json_put(json, "NORMAL=%zu } indices=%zu } ] }", accessor, accessor + 1);
        else
            gz_json_put(json, "} } ] }");
        accessor += m->mode == MODE_TRIANGLES ? 2 : 0;
    }
    gz_json_put(json, "] materials=[");
    for (size_t i = 0; i < s->count; i++) {
        const float *c = s->meshes[i].color;
        gz_json_put(json,
                    "{ doubleSided=true pbrMetallicRoughness={ baseColorFactor=[ %g %g %g 1 ] "
                    "metallicFactor=0 roughnessFactor=%g } }",
                    (double)c[0], (double)c[1], (double)c[2], 0.75);
    }
    gz_json_put(json, "]");
}

static void put_floats(gz_json *json, const char *key, const float values[3]) {
    const double numbers[3] = {(double)values[0], (double)values[1], (double)values[2]};
    gz_json_numbers(json, key, numbers, 3);
}

static void put_data(gz_json *json, const glb_scene *s) {
    size_t view = 0;
    gz_json_put(json, "accessors=[");
    for (size_t i = 0; i < s->count; i++) {
        const glb_mesh *m = &s->meshes[i];
        gz_json_put(json, "{ bufferView=%zu componentType=%d type=%s count=%zu", view++, TYPE_FLOAT,
                    "VEC3", m->vertex_count);
        put_floats(json, "min", m->min);
        put_floats(json, "max", m->max);
        gz_json_put(json, "}");
        if (m->mode != MODE_TRIANGLES) continue;
        gz_json_put(json, "{ bufferView=%zu componentType=%d type=%s count=%zu }", view++,
                    TYPE_FLOAT, "VEC3", m->vertex_count);
        gz_json_put(json, "{ bufferView=%zu componentType=%d type=%s count=%zu }", view++,
                    TYPE_UINT, "SCALAR", m->index_count);
    }
    gz_json_put(json, "] bufferViews=[");
    for (size_t i = 0; i < s->count; i++) {
        const glb_mesh *m = &s->meshes[i];
        size_t length = 12 * m->vertex_count;
        for (int k = 0; k < (m->mode == MODE_TRIANGLES ? 2 : 1); k++)
            gz_json_put(json, "{ buffer=0 byteOffset=%zu byteLength=%zu target=%d }",
                        m->vertices + (size_t)k * length, length, TARGET_VERTICES);
        if (m->mode == MODE_TRIANGLES)
            gz_json_put(json, "{ buffer=0 byteOffset=%zu byteLength=%zu target=%d }", m->indices,
                        4 * m->index_count, TARGET_INDICES);
    }
    gz_json_put(json, "]");
    if (s->size > 0) gz_json_put(json, "buffers=[ { byteLength=%zu } ]", s->size);
}

/// The description as text, of malloc(); NULL when out of memory.
static char *describe(const glb_scene *s, const char *robot, size_t *size) {
    char *text = NULL;
    FILE *memory = open_memstream(&text, size);
    if (memory == NULL) return NULL;
    gz_json json = {.stream = memory};
    gz_json_put(&json, "{ asset={ version=%s generator=%s } scene=0 scenes=[ { nodes=[ 0 ] } ]",
                "2.0", "graze " GRAZE_VERSION);
    put_nodes(&json, s, robot);
    if (s->count > 0) {
        put_meshes(&json, s);
        put_data(&json, s);
    }
    gz_json_finish(&json);
    if (fclose(memory) == 0) return text;
    free(text);
    return NULL;
}

// ----------------------------------------------------------------------------------------- chunks

/// Writes a number of four bytes, the lowest first.
static void put_word(FILE *stream, size_t value) {
    for (int k = 0; k < 4; k++) fputc((int)(value >> 8 * k & 0xff), stream);
}

static void put_chunk(FILE *stream, const char *type, const void *bytes, size_t size, char filler) {
    put_word(stream, (size + 3) / 4 * 4);
    fwrite(type, 1, 4, stream);
    fwrite(bytes, 1, size, stream);
    for (; size % 4 != 0; size++) fputc(filler, stream);
}

static graze_status write_chunks(FILE *stream, const glb_scene *s, const char *robot,
                                 graze_error *error) {
    size_t length;
    char *text = describe(s, robot, &length);
    if (text == NULL) return gz_fail_memory(error);
    size_t total = 12 + 8 + (length + 3) / 4 * 4 + (s->size > 0 ? 8 + s->size : 0);
    graze_status status = GRAZE_OK;
    if (total > UINT32_MAX) {
        status = gz_fail(error, GRAZE_ERROR_LIMIT,
                         "the scene has %zu bytes; allowed: 4 GiB in a glb file", total);
    } else {
        fwrite("glTF", 1, 4, stream);
        put_word(stream, 2);
        put_word(stream, total);
        put_chunk(stream, "JSON", text, length, ' ');
        if (s->size > 0) put_chunk(stream, "BIN\0", s->bytes, s->size, 0);
    }
    free(text);
    return status;
}

graze_status gz_glb_write(FILE *stream, const gz_picture *picture, graze_error *error) {
    glb_scene scene = {0};
    gz_drawing drawing;
    bool made = gz_drawing_make(&drawing, picture) && add_all(&scene, &drawing, picture);
    graze_status status = made ? write_chunks(stream, &scene, graze_robot_name(picture->robot),
                                              error)
                               : gz_fail_memory(error);
    gz_drawing_free(&drawing);
    gz_free(scene.bytes);
    gz_free(scene.meshes);
    gz_free(scene.table);
    gz_free(scene.vertices);
    gz_free(scene.indices);
    return status;
}
