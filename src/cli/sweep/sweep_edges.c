#include "cli/sweep/sweep_edges.h"

#include "base/error.h"
#include "base/memory.h"

graze_status gz_sweep_edges_make(gz_sweep_edges *edges, gz_sweep_source *source,
                                 graze_error *error) {
    if (source->count > UINT32_MAX)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, (gz_place){.file = source->path},
                          "has %" PRIu64 " rows; allowed with --edges: below 2^32", source->count);
    GZ_TRY(gz_sweep_hash_file(edges->path, edges->sha256, error));
    GZ_TRY(gz_npy_read_pairs(edges->path, source->count, &edges->ends, &edges->count, error));
    size_t count = (size_t)source->count, row = source->rest.size + GZ_BASE_SIZE;
    edges->q = gz_malloc(count, row * sizeof *edges->q);
    if (edges->q == NULL) return gz_fail_memory(error);
    edges->base = edges->q + count * source->rest.size;
    return gz_sweep_source_read(source, 0, count, edges->q, edges->base, error);
}

void gz_sweep_edges_free(gz_sweep_edges *edges) {
    gz_free(edges->ends);
    gz_free(edges->q);
    *edges = (gz_sweep_edges){0};
}
