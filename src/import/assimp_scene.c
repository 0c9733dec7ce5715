#include "import/assimp_scene.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/scene.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "import/assimp_io.h"
#include "load/mesh/affine.h"
#include "load/mesh/mesh_input.h"

/// The one global of this room, which the library does not hold. assimp's C interface keeps the
/// text of its last error in a global without a lock, so two imports at once would race in assimp
/// itself; the lock guards assimp's state, none of ours, and outlives every caller.
static pthread_mutex_t assimp_lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct entry {
    const struct aiNode *node;
    gz_affine parent;
    uint32_t depth;
} entry;

typedef struct reader {
    const gz_import_job *job;
    const gz_mesh_input *input;
    const struct aiScene *scene;
    gz_soup *soup;
    graze_error *error;
    gz_polygons polygons;
    entry *stack; ///< nodes still to visit, the next one last
    size_t stack_count, stack_capacity;
    uint64_t nodes;
} reader;

static graze_status fail(reader *r, graze_status status, const char *what, const char *allowed) {
    return gz_fail_at(r->error, status, gz_mesh_place(r->input, 0), "%s; allowed: %s", what,
                      allowed);
}

/// The turn from the file's axes to x right, y in, z up. The Collada standard gives right, up and
/// out of the screen: -y x z for X_UP, x y z for Y_UP, x z -y for Z_UP.
static gz_affine start(const gz_import_job *job) {
    if (job->up == 'x') return (gz_affine){{{0, -1, 0, 0}, {0, 0, -1, 0}, {1, 0, 0, 0}}};
    if (job->up == 'y') return (gz_affine){{{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}}};
    return (gz_affine){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

static graze_status node_placing(reader *r, const struct aiNode *node, gz_affine *out) {
    if (node == r->scene->mRootNode && r->job->replace_root) {
        *out = gz_affine_scale(r->job->root_scale);
        return GRAZE_OK;
    }
    const struct aiMatrix4x4 *t = &node->mTransformation;
    *out = (gz_affine){{{(double)t->a1, (double)t->a2, (double)t->a3, (double)t->a4},
                        {(double)t->b1, (double)t->b2, (double)t->b3, (double)t->b4},
                        {(double)t->c1, (double)t->c2, (double)t->c3, (double)t->c4}}};
    if (gz_affine_is_finite(out) &&
        gz_affine_is_last_row((double)t->d1, (double)t->d2, (double)t->d3, (double)t->d4))
        return GRAZE_OK;
    return gz_fail_at(r->error, GRAZE_ERROR_RANGE, gz_mesh_place(r->input, 0),
                      "the transform of node '%.80s' is not finite or not affine; allowed: a last "
                      "row of 0 0 0 1",
                      node->mName.data);
}

// --------------------------------------------------------------------------------------- meshes

static graze_status append_vertices(reader *r, const struct aiMesh *mesh, const gz_affine *place) {
    gz_soup *soup = r->soup;
    for (uint32_t i = 0; i < mesh->mNumVertices; i++) {
        const struct aiVector3D *v = &mesh->mVertices[i];
        double from[3] = {(double)v->x, (double)v->y, (double)v->z}, moved[3];
        gz_affine_apply(place, from, moved);
        if (!gz_mesh_scale(r->input, moved, soup->vertices + 3 * soup->vertex_count)) {
            char what[160];
            snprintf(what, sizeof what, "vertex %" PRIu32 " of mesh '%.80s'", i + 1,
                     mesh->mName.data);
            return gz_mesh_fail_range(r->input, 0, what, gz_affine_bad_point(from, moved),
                                      r->error);
        }
        soup->vertex_count++;
    }
    return GRAZE_OK;
}

/// A corner of a face; `from` is the first vertex that no face before it has. Of Collada assimp
/// gives each face vertices of its own; where faces share one, this gets a copy.
static graze_status append_corner(reader *r, uint32_t vertex, uint32_t from, uint32_t *corner) {
    gz_soup *soup = r->soup;
    *corner = vertex;
    if (vertex >= from) return GRAZE_OK;
    graze_status status = gz_mesh_reserve(r->input, soup, 1, 0, r->error);
    if (status) return status;
    *corner = (uint32_t)soup->vertex_count++;
    memcpy(soup->vertices + 3 * (size_t)*corner, soup->vertices + 3 * (size_t)vertex,
           3 * sizeof *soup->vertices);
    return GRAZE_OK;
}

static graze_status append_faces(reader *r, const struct aiMesh *mesh, uint32_t base, bool flip) {
    uint32_t from = base, next = base; // no face yet has `from` or those after it
    for (uint32_t i = 0; i < mesh->mNumFaces; i++, from = next) {
        const struct aiFace *face = &mesh->mFaces[i];
        uint32_t n = face->mNumIndices;
        if (!gz_polygons_reserve(&r->polygons, n)) return gz_fail_memory(r->error);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t index = face->mIndices[k];
            if (index >= mesh->mNumVertices)
                return gz_fail_at(r->error, GRAZE_ERROR_MESH, gz_mesh_place(r->input, 0),
                                  "vertex index %" PRIu32 " in face %" PRIu32 " of mesh '%.80s'; "
                                  "allowed: below %" PRIu32,
                                  index, i + 1, mesh->mName.data, mesh->mNumVertices);
            if (base + index >= next) next = base + index + 1;
            // Turned, it still begins with its first corner.
            graze_status status = append_corner(r, base + index, from,
                                                &r->polygons.corners[flip && k ? n - k : k]);
            if (status) return status;
        }
        graze_status status = gz_polygon_append(&r->polygons, n, r->input, r->soup, r->error);
        if (status) return status;
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
    if (mesh->mNumBones)
        gz_warn(r->input->warnings, "mesh-skin", gz_mesh_place(r->input, 0),
                "mesh '%.80s' hangs on a skeleton; it is read in its rest pose", mesh->mName.data);
    graze_status status = gz_mesh_reserve(r->input, r->soup, mesh->mNumVertices, mesh->mNumFaces,
                                          r->error);
    if (status) return status;
    uint32_t base = (uint32_t)r->soup->vertex_count;
    status = append_vertices(r, mesh, place);
    return status ? status : append_faces(r, mesh, base, det < 0);
}

// ---------------------------------------------------------------------------------------- nodes

static graze_status push(reader *r, const struct aiNode *node, const gz_affine *parent,
                         uint32_t depth) {
    const graze_limits *limits = &r->input->options->limits;
    gz_place place = gz_mesh_place(r->input, 0);
    if (!node) return fail(r, GRAZE_ERROR_MESH, "a node without content", "nodes");
    if (depth > limits->depth)
        return gz_fail_at(r->error, GRAZE_ERROR_LIMIT, place,
                          "nodes nest deeper than %" PRIu32 "; allowed: depth of %" PRIu32,
                          limits->depth, limits->depth);
    if (++r->nodes > limits->elements)
        return gz_fail_at(r->error, GRAZE_ERROR_LIMIT, place,
                          "more than %" PRIu32 " nodes; allowed: elements of %" PRIu32,
                          limits->elements, limits->elements);
    if (!gz_array_reserve((void **)&r->stack, &r->stack_capacity, r->stack_count + 1,
                          sizeof *r->stack))
        return gz_fail_memory(r->error);
    r->stack[r->stack_count++] = (entry){node, *parent, depth};
    return GRAZE_OK;
}

/// Visits the nodes in file order, parents first, without recursion.
static graze_status append_nodes(reader *r) {
    gz_affine first = start(r->job);
    graze_status status = push(r, r->scene->mRootNode, &first, 0);
    while (!status && r->stack_count) {
        entry at = r->stack[--r->stack_count];
        gz_affine own, place;
        if ((status = node_placing(r, at.node, &own))) break;
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

/// Runs assimp's importer, with the lock held. No post-processing step is asked for: polygons are
/// cut and indices judged here, where nothing is dropped in silence.
static const struct aiScene *import(const gz_import_job *job, gz_assimp_io *io) {
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (!properties) return NULL;
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    // Without it an empty file gets an invented mesh.
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    const struct aiScene *scene = aiImportFileExWithProperties(job->files[0].name, 0, &io->io,
                                                               properties);
    aiReleasePropertyStore(properties);
    return scene;
}

static graze_status fail_import(const gz_mesh_input *input, graze_error *error) {
    const char *text = aiGetErrorString();
    if (text && strstr(text, "bad_alloc")) return gz_fail_memory(error);
    return gz_fail_at(error, GRAZE_ERROR_PARSE, gz_mesh_place(input, 0),
                      "assimp cannot read the file: %.400s",
                      text && *text ? text : "no reason given");
}

graze_status gz_assimp_read(const gz_import_job *job, const gz_mesh_input *input, gz_soup *soup,
                            graze_error *error) {
    gz_assimp_io io;
    gz_assimp_io_init(&io, job->files, job->file_count);
    reader r = {.job = job, .input = input, .soup = soup, .error = error};
    graze_status status;

    pthread_mutex_lock(&assimp_lock);
    r.scene = import(job, &io);
    if (!r.scene) {
        status = fail_import(input, error);
    } else if (!r.scene->mRootNode || r.scene->mNumMeshes == 0) {
        status = GRAZE_OK; // assimp left out all that there is
    } else if (r.scene->mFlags & AI_SCENE_FLAGS_INCOMPLETE) {
        status = fail(&r, GRAZE_ERROR_MESH, "assimp read the scene only in part", "all of it");
    } else {
        status = append_nodes(&r);
    }
    if (io.out_of_memory) status = gz_fail_memory(error);
    if (r.scene) aiReleaseImport(r.scene);
    pthread_mutex_unlock(&assimp_lock);

    if (status)
        gz_polygons_free(&r.polygons);
    else
        gz_polygons_end(&r.polygons, input, soup);
    return status;
}
