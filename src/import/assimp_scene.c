// strcasestr() is an extension of the C library.
#define _GNU_SOURCE 1
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/scene.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "import/import.h"
#include "load/mesh/affine.h"

// ---------------------------------------------------------------------------------- file system

/// An open file. assimp calls back with the aiFile, which is therefore the first member.
typedef struct stream {
    struct aiFile file;
    const char *bytes;
    size_t size, at;
} stream;

static size_t stream_read(struct aiFile *file, char *out, size_t size, size_t count) {
    stream *s = (stream *)file;
    if (size == 0 || count == 0) return 0;
    size_t whole = (s->size - s->at) / size;
    if (whole > count) whole = count;
    memcpy(out, s->bytes + s->at, whole * size);
    s->at += whole * size;
    return whole;
}

static size_t stream_write(struct aiFile *file, const char *bytes, size_t size, size_t count) {
    (void)file, (void)bytes, (void)size, (void)count;
    return 0;
}

static size_t stream_position(struct aiFile *file) {
    return ((stream *)file)->at;
}

static size_t stream_size(struct aiFile *file) {
    return ((stream *)file)->size;
}

/// Offsets are unsigned: those from the end count forwards, so that only 0 is inside the file.
static aiReturn stream_seek(struct aiFile *file, size_t offset, enum aiOrigin origin) {
    stream *s = (stream *)file;
    size_t base = origin == aiOrigin_CUR ? s->at : origin == aiOrigin_END ? s->size : 0;
    size_t to;
    if (__builtin_add_overflow(base, offset, &to) || to > s->size) return aiReturn_FAILURE;
    s->at = to;
    return aiReturn_SUCCESS;
}

static void stream_flush(struct aiFile *file) {
    (void)file;
}

/// Remembers a file with geometry that is asked for beside the one that is served: what it holds
/// would be missing. Textures and materials may be.
static void note_other(gz_assimp_io *io, const char *name) {
    const char *dot = strrchr(name, '.');
    if (io->other[0] || !dot || !aiIsExtensionSupported(dot)) return;
    snprintf(io->other, sizeof io->other, "%s", name);
    gz_import_plain(io->other);
}

/// assimp also opens to learn whether a file exists, so a name that is not known is no error.
static struct aiFile *open_file(struct aiFileIO *self, const char *name, const char *mode) {
    gz_assimp_io *io = (gz_assimp_io *)(void *)self->UserData;
    if (!name || !mode || mode[0] != 'r' || strchr(mode, '+')) return NULL;
    if (strcmp(io->name, name) != 0) {
        note_other(io, name);
        return NULL;
    }
    stream *s = gz_calloc(1, sizeof *s);
    if (!s) {
        io->out_of_memory = true;
        return NULL;
    }
    s->file = (struct aiFile){stream_read,  stream_write, stream_position, stream_size, stream_seek,
                              stream_flush, NULL};
    s->bytes = io->bytes;
    s->size = io->size;
    return &s->file;
}

static void close_file(struct aiFileIO *self, struct aiFile *file) {
    (void)self;
    gz_free(file);
}

void gz_assimp_io_init(gz_assimp_io *io, const char *name, const char *bytes, size_t size) {
    *io = (gz_assimp_io){.name = name, .bytes = bytes, .size = size};
    io->io = (struct aiFileIO){open_file, close_file, (aiUserData)io};
}

// ------------------------------------------------------------------------------------------ log

/// What assimp logs while it reads: the first message that tells of lost geometry, and the first of
/// the other warnings.
typedef struct assimp_log {
    char error[160], warning[160];
} assimp_log;

static bool holds_one_of(const char *text, const char *const *words) {
    for (; *words; words++)
        if (strcasestr(text, *words)) return true;
    return false;
}

/// Whether a message tells of lost geometry: any error, and a warning of what was not as it should
/// be, unless it is about what has no surface.
static bool tells_of_loss(const char *text, bool is_error) {
    static const char *const no_surface[] = {"texture", "material",     "image", "animat",
                                             "camera",  "LayerElement", "light", NULL};
    static const char *const damage[] = {
        "invalid",    "expected", "incorrect",  "out of",   "overflow", "EOF",
        "not enough", "corrupt",  "skipp",      "ignoring", "failed",   "unable",
        "not cur",    "mismatch", "incomplete", "too ",     NULL};
    return !holds_one_of(text, no_surface) && (is_error || holds_one_of(text, damage));
}

/// Called with "Error, T0: text" and the like.
static void log_message(const char *message, char *user) {
    assimp_log *log = (assimp_log *)(void *)user;
    const char *text = strstr(message, ": ");
    bool is_error = strncmp(message, "Error", 5) == 0;
    if (!text || (!is_error && strncmp(message, "Warn", 4) != 0)) return;
    text += 2;
    char *to = tells_of_loss(text, is_error) ? log->error : log->warning;
    if (to[0]) return;
    snprintf(to, sizeof log->error, "%.*s", (int)strcspn(text, "\n"), text);
    gz_import_plain(to);
}

// ---------------------------------------------------------------------------------------- reader

typedef struct entry {
    const struct aiNode *node;
    gz_affine parent;
    uint32_t depth;
} entry;

typedef struct reader {
    gz_mesh_reader *m;
    const char *ending;
    const struct aiScene *scene;
    gz_import_findings *findings;
    entry *stack; ///< nodes still to visit, the next one last
    size_t stack_count, stack_capacity;
    uint64_t nodes;
} reader;

static graze_status fail(reader *r, graze_status status, const char *what, const char *allowed) {
    return gz_mesh_fail(r->m, 0, status, "%s; allowed: %s", what, allowed);
}

/// Whether a root has the turn from z up to y up, its own axes, that many readers of assimp put
/// there (3DS, ASE, DXF, Blender, IFC, MD2 ...), and nothing else but a scale. A few formats have a
/// root of the file's own, which then may be turned so, too.
static bool is_turned_to_y_up(const char *ending, const gz_affine *p) {
    static const char *const own_root[] = {"gltf", "glb", "ac", NULL};
    const double s = p->m[0][0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            double wanted = i == 0 && j == 0 ? s : i == 1 && j == 2 ? s : i == 2 && j == 1 ? -s : 0;
            if (p->m[i][j] != wanted) return false;
        }
    return s > 0 && !holds_one_of(ending, own_root);
}

/// What counts of the root's transform. Of Collada assimp makes it the unit and, where it is asked
/// to, the turn to y up.
static void place_root(const reader *r, gz_affine *p) {
    const graze_collada profile = r->m->options->collada;
    if (strcmp(r->ending, "dae") == 0 && profile == GRAZE_COLLADA_MOVEIT) {
        *p = gz_affine_scale(1);
    } else if (strcmp(r->ending, "dae") == 0 && profile == GRAZE_COLLADA_SPEC) {
        const gz_affine y_to_z_up = {{{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}}};
        *p = gz_affine_multiply(&y_to_z_up, p);
    } else if (is_turned_to_y_up(r->ending, p)) {
        *p = gz_affine_scale(p->m[0][0]);
    }
}

static graze_status node_transform(reader *r, const struct aiNode *node, gz_affine *out) {
    const struct aiMatrix4x4 *t = &node->mTransformation;
    *out = (gz_affine){{{(double)t->a1, (double)t->a2, (double)t->a3, (double)t->a4},
                        {(double)t->b1, (double)t->b2, (double)t->b3, (double)t->b4},
                        {(double)t->c1, (double)t->c2, (double)t->c3, (double)t->c4}}};
    if (!gz_affine_is_finite(out) ||
        !gz_affine_is_last_row((double)t->d1, (double)t->d2, (double)t->d3, (double)t->d4))
        return gz_mesh_fail(r->m, 0, GRAZE_ERROR_RANGE,
                            "the transform of node '%.80s' is not finite or not affine; allowed: a "
                            "last row of 0 0 0 1",
                            node->mName.data);
    if (node == r->scene->mRootNode) place_root(r, out);
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------------- meshes

static graze_status append_vertices(reader *r, const struct aiMesh *mesh, const gz_affine *place) {
    for (uint32_t i = 0; i < mesh->mNumVertices; i++) {
        const struct aiVector3D *v = &mesh->mVertices[i];
        double from[3] = {(double)v->x, (double)v->y, (double)v->z}, moved[3];
        gz_affine_apply(place, from, moved);
        if (!gz_mesh_append_vertex(r->m, moved))
            return gz_mesh_fail_vertex(r->m, 0, gz_affine_bad_point(from, moved),
                                       "vertex %" PRIu32 " of mesh '%.80s'", i + 1,
                                       mesh->mName.data);
    }
    return GRAZE_OK;
}

static graze_status append_faces(reader *r, const struct aiMesh *mesh, uint32_t base, bool flip) {
    for (uint32_t i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        uint32_t n = face->mIndices ? face->mNumIndices : 0;
        GZ_TRY(gz_polygon_reserve(r->m, n));
        for (uint32_t k = 0; k < n; k++) {
            uint32_t index = face->mIndices[k];
            if (index >= mesh->mNumVertices)
                return gz_mesh_fail(r->m, 0, GRAZE_ERROR_MESH,
                                    "vertex index %" PRIu32 " in face %" PRIu32
                                    " of mesh '%.80s', of "
                                    "%" PRIu32 " vertices; allowed: one that there is, from 0",
                                    index, i + 1, mesh->mName.data, mesh->mNumVertices);
            // Turned, it still begins with its first corner.
            r->m->polygons.corners[flip && k ? n - k : k] = base + index;
        }
        GZ_TRY(gz_polygon_append(r->m, n));
    }
    return GRAZE_OK;
}

static graze_status append_mesh(reader *r, uint32_t index, const gz_affine *place) {
    if (index >= r->scene->mNumMeshes)
        return fail(r, GRAZE_ERROR_MESH, "a node names a mesh that is not there",
                    "meshes of the file");
    const struct aiMesh *mesh = r->scene->mMeshes[index];
    if (!mesh || (mesh->mNumVertices && !mesh->mVertices) || (mesh->mNumFaces && !mesh->mFaces))
        return fail(r, GRAZE_ERROR_MESH, "a mesh without vertices or faces", "both");
    double det = gz_affine_determinant(place);
    if (!isfinite(det) || det == 0)
        return fail(r, GRAZE_ERROR_RANGE, "node transforms that flatten a mesh or overflow",
                    "a determinant other than 0");
    r->findings->rest_poses += mesh->mNumBones || mesh->mNumAnimMeshes;
    GZ_TRY(gz_mesh_reserve(r->m, mesh->mNumVertices, mesh->mNumFaces));
    uint32_t base = (uint32_t)r->m->soup->vertex_count;
    GZ_TRY(append_vertices(r, mesh, place));
    return append_faces(r, mesh, base, det < 0);
}

// ---------------------------------------------------------------------------------------- nodes

static graze_status push(reader *r, const struct aiNode *node, const gz_affine *parent,
                         uint32_t depth) {
    const graze_limits *limits = &r->m->options->limits;
    if (!node) return fail(r, GRAZE_ERROR_MESH, "a node without content", "nodes");
    if (depth > limits->depth)
        return gz_mesh_fail(r->m, 0, GRAZE_ERROR_LIMIT,
                            "nodes nest deeper than %" PRIu32 "; allowed: depth of %" PRIu32,
                            limits->depth, limits->depth);
    if (++r->nodes > limits->elements)
        return gz_mesh_fail(r->m, 0, GRAZE_ERROR_LIMIT,
                            "more than %" PRIu32 " nodes; allowed: elements of %" PRIu32,
                            limits->elements, limits->elements);
    if (!GZ_RESERVE(r->stack, r->stack_capacity, r->stack_count + 1))
        return gz_fail_memory(r->m->error);
    r->stack[r->stack_count++] = (entry){node, *parent, depth};
    return GRAZE_OK;
}

/// Visits the nodes in file order, parents first, without recursion.
static graze_status append_nodes(reader *r) {
    const gz_affine first = gz_affine_scale(1);
    graze_status status = push(r, r->scene->mRootNode, &first, 0);
    while (!status && r->stack_count) {
        entry at = r->stack[--r->stack_count];
        gz_affine own, place;
        if ((status = node_transform(r, at.node, &own))) break;
        place = gz_affine_multiply(&at.parent, &own);
        for (uint32_t i = 0; !status && i < at.node->mNumMeshes; i++)
            status = append_mesh(r, at.node->mMeshes[i], &place);
        for (uint32_t i = at.node->mNumChildren; !status && i-- > 0;)
            status = push(r, at.node->mChildren[i], &place, at.depth + 1);
    }
    gz_free(r->stack);
    return status;
}

// --------------------------------------------------------------------------------------- import

/// Runs assimp's importer. No post-processing step is asked for: polygons are
/// cut and indices judged here, where nothing is dropped in silence.
static const struct aiScene *import(const gz_mesh_reader *r, gz_assimp_io *io, assimp_log *log) {
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (!properties) return NULL;
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION,
                               r->options->collada != GRAZE_COLLADA_SPEC);
    // Without it an empty file gets an invented mesh.
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    // Animations are looked for in other files.
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_MD5_NO_ANIM_AUTOLOAD, 1);
    struct aiLogStream listener = {log_message, (char *)log};
    aiAttachLogStream(&listener);
    const struct aiScene *scene = aiImportFileExWithProperties(io->name, 0, &io->io, properties);
    aiDetachLogStream(&listener);
    aiReleasePropertyStore(properties);
    return scene;
}

static graze_status fail_import(reader *r) {
    const char *text = aiGetErrorString();
    if (text && strstr(text, "bad_alloc")) return gz_fail_memory(r->m->error);
    char reason[401];
    snprintf(reason, sizeof reason, "%s", text && *text ? text : "no reason given");
    gz_import_plain(reason);
    return gz_mesh_fail(r->m, 0, GRAZE_ERROR_PARSE, "assimp cannot read the file: %s", reason);
}

/// Appends the scene, if it is whole.
static graze_status read_scene(reader *r, const gz_assimp_io *io, const assimp_log *log) {
    if (io->out_of_memory) return gz_fail_memory(r->m->error);
    if (io->other[0])
        return gz_mesh_fail(
            r->m, 0, GRAZE_ERROR_UNSUPPORTED,
            "the file refers to another mesh file, %s, which is not opened; allowed: "
            "files that hold all of their geometry",
            io->other);
    if (!r->scene) return fail_import(r);
    // assimp goes on after errors, with what it has until then.
    if (log->error[0])
        return gz_mesh_fail(
            r->m, 0, GRAZE_ERROR_MESH,
            "assimp would read a part of the file: %s; allowed: a file without errors", log->error);
    if (!r->scene->mRootNode || r->scene->mNumMeshes == 0) return GRAZE_OK; // nothing is left
    if (r->scene->mFlags & AI_SCENE_FLAGS_INCOMPLETE)
        return fail(r, GRAZE_ERROR_MESH, "assimp read the scene only in part", "all of it");
    return append_nodes(r);
}

static const void *find_metadata(const struct aiScene *scene, const char *key,
                                 aiMetadataType type) {
    const struct aiMetadata *all = scene->mMetaData;
    for (unsigned i = 0; all && i < all->mNumProperties; i++)
        if (strcmp(all->mKeys[i].data, key) == 0 && all->mValues[i].mType == type)
            return all->mValues[i].mData;
    return NULL;
}

/// Names the reader, the unit that a file states (FBX does, in centimetres), and a warning.
static void write_note(const struct aiScene *scene, const assimp_log *log, char *note) {
    const struct aiString *name = find_metadata(scene, "SourceAsset_Format", AI_AISTRING);
    const float *unit = find_metadata(scene, "UnitScaleFactor", AI_FLOAT);
    char metres[80] = "";
    if (unit && *unit != 100)
        snprintf(metres, sizeof metres, "; 1 in the file is %g m, which is not applied",
                 (double)*unit / 100);
    snprintf(note, GRAZE_MESSAGE_SIZE, "%.80s%s%s%s", name ? name->data : "unknown reader", metres,
             log->warning[0] ? "; assimp warns: " : "", log->warning);
    gz_import_plain(note);
}

static graze_status read_file(reader *r, char note[GRAZE_MESSAGE_SIZE]) {
    char name[GZ_IMPORT_ENDING_SIZE + 8];
    snprintf(name, sizeof name, "mesh.%s", r->ending);
    if (!aiIsExtensionSupported(name + 4))
        return gz_mesh_fail(
            r->m, 0, GRAZE_ERROR_UNSUPPORTED,
            "neither graze nor assimp reads .%s files; allowed: STL (.stl), Collada "
            "(.dae), OBJ (.obj), PLY (.ply), GLB (.glb), glTF (.gltf), OctoMap (.bt), and what "
            "assimp reads; as a world .json, .urdf, .xml, .scene, .yaml, .yml, too",
            r->ending);
    gz_assimp_io io;
    assimp_log log = {0};
    gz_assimp_io_init(&io, name, r->m->bytes, r->m->size);
    r->scene = import(r->m, &io, &log);
    graze_status status = read_scene(r, &io, &log);
    if (!status) write_note(r->scene, &log, note);
    if (r->scene) aiReleaseImport(r->scene);
    return status;
}

graze_status gz_assimp_read(gz_mesh_reader *m, const char *ending, gz_import_findings *findings,
                            char note[GRAZE_MESSAGE_SIZE]) {
    reader r = {.m = m, .ending = ending, .findings = findings};
    graze_status status = read_file(&r, note);
    findings->skipped = m->polygons.skipped;
    findings->fans = m->polygons.fans;
    return status;
}
