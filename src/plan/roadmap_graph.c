// The graph of a roadmap's free edges, what callers read of a roadmap, and roadmaps made anew for
// another world.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "plan/roadmap_internal.h"

static uint32_t component_of(uint32_t *component, uint32_t node) {
    while (component[node] != node) {
        component[node] = component[component[node]];
        node = component[node];
    }
    return node;
}

/// Components by disjoint sets, each known by its lowest node (Tarjan 1975; paths are halved).
static void find_components(graze_roadmap *map) {
    gz_roadmap_graph *g = &map->graph;
    uint32_t nodes = (uint32_t)map->nodes.count;
    for (uint32_t i = 0; i < nodes; i++) g->component[i] = i;
    for (size_t i = 0; i < map->edge_count; i++) {
        if (map->blocks[i] != GZ_BLOCK_NONE) continue;
        uint32_t a = component_of(g->component, map->ends[2 * i]);
        uint32_t b = component_of(g->component, map->ends[2 * i + 1]);
        g->component[a < b ? b : a] = a < b ? a : b;
    }
    for (uint32_t i = 0; i < nodes; i++) g->component[i] = component_of(g->component, i);
}

/// Counts components with the counts of neighbours as scratch.
static void measure_components(graze_roadmap *map) {
    gz_roadmap_graph *g = &map->graph;
    memset(g->first, 0, (map->nodes.count + 1) * sizeof *g->first);
    for (size_t i = 0; i < map->nodes.count; i++) {
        uint64_t size = ++g->first[g->component[i]];
        g->component_count += g->component[i] == i;
        if (size > g->largest) g->largest = size;
    }
}

static void add_neighbour(graze_roadmap *map, uint32_t from, uint32_t to, double length) {
    uint32_t place = map->graph.first[from + 1]++;
    map->graph.to[place] = to;
    map->graph.lengths[place] = length;
}

/// Lists neighbours by counting: first[n + 1] is where the next one of node n goes.
static void fill_graph(graze_roadmap *map) {
    gz_roadmap_graph *g = &map->graph;
    size_t nodes = map->nodes.count;
    memset(g->first, 0, (nodes + 1) * sizeof *g->first);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < map->edge_count; i++) {
            if (map->blocks[i] != GZ_BLOCK_NONE) continue;
            uint32_t a = map->ends[2 * i], b = map->ends[2 * i + 1];
            if (pass == 0) {
                g->first[a + 1]++;
                g->first[b + 1]++;
                continue;
            }
            double length = gz_plan_space_distance(&map->space, gz_state_list_at(&map->nodes, a),
                                                   gz_state_list_at(&map->nodes, b));
            add_neighbour(map, a, b, length);
            add_neighbour(map, b, a, length);
        }
        if (pass == 1) return;
        uint32_t before = 0;
        for (size_t n = 0; n < nodes; n++) {
            uint32_t count = g->first[n + 1];
            g->first[n + 1] = before;
            before += count;
        }
    }
}

graze_status gz_roadmap_finish(graze_roadmap *map, graze_error *error) {
    gz_roadmap_graph *g = &map->graph;
    size_t nodes = map->nodes.count;
    g->free = 0;
    for (size_t i = 0; i < map->edge_count; i++) g->free += map->blocks[i] == GZ_BLOCK_NONE;
    g->first = gz_malloc(nodes + 1, sizeof *g->first);
    g->component = gz_malloc(nodes, sizeof *g->component);
    g->to = gz_malloc(2 * (size_t)g->free, sizeof *g->to);
    g->lengths = gz_malloc(2 * (size_t)g->free, sizeof *g->lengths);
    if (!g->first || !g->component || !g->to || !g->lengths) return gz_fail_memory(error);
    find_components(map);
    measure_components(map);
    fill_graph(map);
    return map->nearest ? GRAZE_OK : gz_roadmap_list_nodes(map, error);
}

// ----------------------------------------------------------------------------------------- facts

graze_status graze_roadmap_describe_sized(const graze_roadmap *map, graze_roadmap_info *info,
                                          size_t size) {
    if (!map || !info) return GRAZE_ERROR_ARGUMENT;
    graze_roadmap_info own = {.nodes = map->nodes.count,
                              .samples = map->samples,
                              .edges = map->edge_count,
                              .free = map->graph.free,
                              .components = map->graph.component_count,
                              .largest = map->graph.largest,
                              .seed = map->settings.seed,
                              .neighbours = map->settings.neighbours,
                              .dimension = (uint32_t)map->space.dimension,
                              .resolution = map->settings.resolution,
                              .bytes = gz_roadmap_file_size(map)};
    for (size_t i = 0; i < map->edge_count; i++) {
        int32_t block = map->blocks[i];
        own.self += block == GZ_BLOCK_SELF;
        own.world += block >= 0 || block == GZ_BLOCK_BOUNDARY;
        own.undecided += block == GZ_BLOCK_OUTSIDE || block == GZ_BLOCK_UNKNOWN;
    }
    gz_fill(info, size, &own, sizeof own);
    return GRAZE_OK;
}

graze_status graze_roadmap_node(const graze_roadmap *map, size_t index, double *q, double base[6]) {
    if (!map || !q || !base || index >= map->nodes.count) return GRAZE_ERROR_ARGUMENT;
    gz_plan_space_write(&map->space, gz_state_list_at(&map->nodes, index), q, base);
    return GRAZE_OK;
}

graze_roadmap_block graze_roadmap_edge(const graze_roadmap *map, size_t index, size_t nodes[2],
                                       int32_t *object) {
    if (!map || !nodes || index >= map->edge_count) return GRAZE_ROADMAP_UNKNOWN;
    int32_t block = map->blocks[index];
    for (size_t i = 0; i < 2; i++) nodes[i] = map->ends[2 * index + i];
    if (object) *object = block >= 0 ? block : -1;
    switch (block) {
    case GZ_BLOCK_NONE:
        return GRAZE_ROADMAP_FREE;
    case GZ_BLOCK_SELF:
        return GRAZE_ROADMAP_SELF;
    case GZ_BLOCK_BOUNDARY:
        return GRAZE_ROADMAP_BOUNDARY;
    case GZ_BLOCK_OUTSIDE:
        return GRAZE_ROADMAP_OUTSIDE;
    case GZ_BLOCK_UNKNOWN:
        return GRAZE_ROADMAP_UNKNOWN;
    default:
        return GRAZE_ROADMAP_WORLD;
    }
}

// ----------------------------------------------------------------------------------- another world

static bool copy_identity(gz_identity *out, const gz_identity *identity) {
    size_t count = identity->object_count;
    *out = *identity;
    out->objects = gz_malloc(count, sizeof *out->objects);
    if (out->objects && count)
        memcpy(out->objects, identity->objects, count * sizeof *out->objects);
    return out->objects != NULL;
}

/// A copy for another checker, without its graph; NULL when out of memory.
static graze_roadmap *copy_roadmap(const graze_roadmap *map, const graze_checker *checker) {
    graze_roadmap *out = gz_calloc(1, sizeof *out);
    size_t edges = map->edge_count;
    if (!out) return NULL;
    out->checker = checker;
    out->settings = map->settings;
    out->samples = map->samples;
    out->edge_count = edges;
    out->nodes = gz_state_list_make(map->space.dimension);
    out->ends = gz_malloc(2 * edges, sizeof *out->ends);
    out->blocks = gz_malloc(edges, sizeof *out->blocks);
    out->hits = gz_malloc(edges, sizeof *out->hits);
    if (!out->ends || !out->blocks || !out->hits || !gz_plan_space_copy(&out->space, &map->space) ||
        !gz_state_list_replace(&out->nodes, 0, 0, &map->nodes) ||
        !copy_identity(&out->identity, &map->identity)) {
        graze_roadmap_free(out);
        return NULL;
    }
    if (edges) memcpy(out->ends, map->ends, 2 * edges * sizeof *out->ends);
    if (edges) memcpy(out->blocks, map->blocks, edges * sizeof *out->blocks);
    if (edges) memcpy(out->hits, map->hits, edges * sizeof *out->hits);
    return out;
}

GZ_OUT_OF_LINE static graze_status revise(graze_roadmap **out, const graze_roadmap *map,
                                          const graze_checker *checker,
                                          const graze_roadmap_options *options,
                                          graze_roadmap_update *update, graze_error *error) {
    graze_roadmap_options o;
    gz_identity now;
    if (!map || !checker) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "roadmap or checker is NULL");
    GZ_TRY(GZ_OPTIONS_READ(graze_roadmap_options, &o, options, error));
    GZ_TRY(gz_roadmap_check_limits(&o, error));
    GZ_TRY(gz_identity_make(&now, checker, error));
    if (memcmp(&now.robot, &map->identity.robot, sizeof now.robot) != 0) {
        gz_identity_free(&now);
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the checker has another robot or other rules; allowed: those that the "
                       "roadmap was built with");
    }
    graze_roadmap *made = copy_roadmap(map, checker);
    if (!made) {
        gz_identity_free(&now);
        return gz_fail_memory(error);
    }
    graze_status status = gz_roadmap_renew(made, &now, &o, update, error);
    if (status == GRAZE_OK) status = gz_roadmap_finish(made, error);
    if (status == GRAZE_OK) {
        *out = made;
        gz_error_clear(error);
    } else {
        graze_roadmap_free(made);
    }
    return status;
}

graze_status graze_roadmap_revise_sized(graze_roadmap **out, const graze_roadmap *roadmap,
                                        const graze_checker *checker,
                                        const graze_roadmap_options *options,
                                        graze_roadmap_update *update, size_t size,
                                        graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_roadmap_update own = {0};
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    graze_status status = revise(out, roadmap, checker, options, &own, error);
    if (update) gz_fill(update, size, &own, sizeof own);
    return status;
}
