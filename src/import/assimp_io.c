#include "import/assimp_io.h"

#include <string.h>

#include "base/memory.h"

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

static size_t stream_tell(struct aiFile *file) {
    return ((stream *)file)->at;
}

static size_t stream_size(struct aiFile *file) {
    return ((stream *)file)->size;
}

static aiReturn stream_seek(struct aiFile *file, size_t offset, enum aiOrigin origin) {
    stream *s = (stream *)file;
    // Offsets from the end count backwards in assimp's own in-memory files; no reader that is used
    // here asks for one other than 0.
    size_t base = origin == aiOrigin_CUR ? s->at : origin == aiOrigin_END ? s->size : 0;
    size_t to;
    if (__builtin_add_overflow(base, offset, &to) || to > s->size) return aiReturn_FAILURE;
    s->at = to;
    return aiReturn_SUCCESS;
}

static void stream_flush(struct aiFile *file) {
    (void)file;
}

/// assimp also opens to learn whether a file exists, so a name that is not known is no error.
static struct aiFile *open_file(struct aiFileIO *self, const char *name, const char *mode) {
    gz_assimp_io *io = (gz_assimp_io *)(void *)self->UserData;
    if (!name || !mode || mode[0] != 'r' || strchr(mode, '+')) return NULL;
    for (size_t i = 0; i < io->file_count; i++) {
        if (strcmp(io->files[i].name, name) != 0) continue;
        stream *s = gz_calloc(1, sizeof *s);
        if (!s) {
            io->out_of_memory = true;
            return NULL;
        }
        s->file = (struct aiFile){stream_read, stream_write, stream_tell, stream_size,
                                  stream_seek, stream_flush, NULL};
        s->bytes = io->files[i].bytes;
        s->size = io->files[i].size;
        return &s->file;
    }
    return NULL;
}

static void close_file(struct aiFileIO *self, struct aiFile *file) {
    (void)self;
    gz_free(file);
}

void gz_assimp_io_init(gz_assimp_io *io, const gz_memory_file *files, size_t file_count) {
    *io = (gz_assimp_io){.files = files, .file_count = file_count};
    io->io = (struct aiFileIO){open_file, close_file, (aiUserData)io};
}
