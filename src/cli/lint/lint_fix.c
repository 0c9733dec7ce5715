#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/lint/lint_internal.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

// ------------------------------------------------------------------------------------- gathering

/// The entry of a path, in order; NULL when out of memory. Two at most: the URDF and the SRDF.
static gz_fixed_file *enter(gz_fixed_files *files, const char *path) {
    size_t at = 0;
    while (at < files->count && strcmp(files->items[at].path, path) < 0) at++;
    if (at < files->count && strcmp(files->items[at].path, path) == 0) return &files->items[at];
    if (!gz_array_reserve((void **)&files->items, &files->capacity, files->count + 1,
                          sizeof *files->items))
        return NULL;
    memmove(&files->items[at + 1], &files->items[at], (files->count - at) * sizeof *files->items);
    files->items[at] = (gz_fixed_file){.path = path};
    files->count++;
    return &files->items[at];
}

static bool gather(gz_fixed_files *files, const graze_lint_report *report) {
    for (size_t i = 0; i < graze_lint_finding_count(report); i++) {
        const graze_finding *f = graze_lint_finding(report, i);
        if (f->suppressed || f->fix.text == NULL) continue;
        gz_fixed_file *file = enter(files, f->file);
        if (file == NULL || !gz_array_reserve((void **)&file->edits, &file->edit_capacity,
                                              file->edit_count + 1, sizeof *file->edits))
            return false;
        file->edits[file->edit_count++] = &f->fix;
    }
    return true;
}

static int compare_edits(const void *x, const void *y) {
    const graze_lint_fix *const *a = x, *const *b = y;
    return ((*a)->offset > (*b)->offset) - ((*a)->offset < (*b)->offset);
}

// ----------------------------------------------------------------------------------------- fixing

/// Whether every edit finds what it replaces, and none reaches into the next.
static bool fits(const gz_fixed_file *file) {
    size_t free_from = 0;
    for (size_t i = 0; i < file->edit_count; i++) {
        const graze_lint_fix *e = file->edits[i];
        size_t was = strlen(e->was);
        if (e->offset < free_from || e->offset > file->before_size ||
            was > file->before_size - e->offset ||
            memcmp(file->before + e->offset, e->was, was) != 0)
            return false;
        free_from = (size_t)e->offset + was;
    }
    return true;
}

static int apply_edits(gz_fixed_file *file, uint64_t limit) {
    GZ_TRY_EXIT(gz_text_input_read(file->path, limit, &file->before, &file->before_size));
    qsort(file->edits, file->edit_count, sizeof *file->edits, compare_edits);
    if (!fits(file)) {
        gz_message("%s: has changed while it was looked at; nothing was changed", file->path);
        return GZ_EXIT_INPUT;
    }
    size_t size = file->before_size;
    for (size_t i = 0; i < file->edit_count; i++) size += strlen(file->edits[i]->text);
    file->after = gz_malloc(size, 1);
    if (file->after == NULL) return gz_message_no_memory();
    size_t from = 0;
    char *to = file->after;
    for (size_t i = 0; i <= file->edit_count; i++) {
        const graze_lint_fix *e = i < file->edit_count ? file->edits[i] : NULL;
        size_t end = e != NULL ? (size_t)e->offset : file->before_size;
        memcpy(to, file->before + from, end - from);
        to += end - from;
        if (e == NULL) break;
        memcpy(to, e->text, strlen(e->text));
        to += strlen(e->text);
        from = end + strlen(e->was);
    }
    file->after_size = (size_t)(to - file->after);
    return GZ_EXIT_FINE;
}

int gz_lint_fix_prepare(gz_fixed_files *files, const graze_lint_report *report, uint64_t limit) {
    *files = (gz_fixed_files){0};
    if (!gather(files, report)) return gz_message_no_memory();
    for (size_t i = 0; i < files->count; i++) {
        GZ_TRY_EXIT(apply_edits(&files->items[i], limit));
        files->edits += files->items[i].edit_count;
    }
    return GZ_EXIT_FINE;
}

int gz_lint_fix_write(const gz_fixed_files *files) {
    for (size_t i = 0; i < files->count; i++) {
        const gz_fixed_file *file = &files->items[i];
        GZ_TRY_EXIT(gz_output_write_file(file->path, file->after, file->after_size));
    }
    return GZ_EXIT_FINE;
}

void gz_lint_fix_free(gz_fixed_files *files) {
    for (size_t i = 0; i < files->count; i++) {
        gz_free(files->items[i].before);
        gz_free(files->items[i].after);
        gz_free(files->items[i].edits);
    }
    gz_free(files->items);
    *files = (gz_fixed_files){0};
}

// ------------------------------------------------------------------------------------------ diff

enum { CONTEXT = 3 };

/// A walk through both texts at once, line by line of the old one.
typedef struct walk {
    const gz_fixed_file *file;
    FILE *stream;
    size_t edit;       ///< the next one
    size_t old_at;     ///< start of a line
    size_t new_at;     ///< the same place in the new text
    size_t line, gain; ///< lines before; how many more the old text has had than the new
} walk;

/// Behind the line break of the line that holds byte `at`.
static size_t line_end(const char *text, size_t size, size_t at) {
    const char *end = at < size ? memchr(text + at, '\n', size - at) : NULL;
    return end != NULL ? (size_t)(end - text) + 1 : size;
}

static size_t count_lines(const char *text, size_t size) {
    size_t lines = 0;
    for (size_t at = 0; at < size; at = line_end(text, size, at)) lines++;
    return lines;
}

static void print_lines(FILE *stream, char mark, const char *text, size_t size) {
    for (size_t at = 0; at < size;) {
        size_t end = line_end(text, size, at);
        fputc(mark, stream);
        fwrite(text + at, 1, end - at, stream);
        if (text[end - 1] != '\n') fputs("\n\\ No newline at end of file\n", stream);
        at = end;
    }
}

/// One run of changed lines: bytes of the old and of the new text.
typedef struct change {
    size_t old_begin, old_end, new_begin, new_end;
} change;

/// The lines that the next edits touch; lines that two edits share make one change.
static change next_change(walk *w) {
    const gz_fixed_file *f = w->file;
    const graze_lint_fix *e = f->edits[w->edit];
    size_t begin = (size_t)e->offset;
    while (begin > 0 && f->before[begin - 1] != '\n') begin--;
    change c = {.old_begin = begin, .new_begin = w->new_at + (begin - w->old_at)};
    size_t end = begin, shift = 0, unshift = 0;
    do {
        e = f->edits[w->edit++];
        size_t was = strlen(e->was);
        // An edit of nothing at a line's end stays on its line.
        end = line_end(f->before, f->before_size, (size_t)e->offset + was - (was > 0));
        shift += strlen(e->text);
        unshift += was;
    } while (w->edit < f->edit_count && f->edits[w->edit]->offset < end);
    c.old_end = end;
    c.new_end = c.new_begin + (end - begin) + shift - unshift;
    w->old_at = c.old_end;
    w->new_at = c.new_end;
    return c;
}

/// Up to `lines` lines back from the start of a line.
static size_t go_back(const char *text, size_t at, size_t floor, size_t lines) {
    for (; lines > 0 && at > floor; lines--) {
        at--;
        while (at > floor && text[at - 1] != '\n') at--;
    }
    return at;
}

static size_t go_on(const char *text, size_t size, size_t at, size_t lines) {
    for (; lines > 0 && at < size; lines--) at = line_end(text, size, at);
    return at;
}

/// Changes that are no more than twice the context apart share a hunk.
static void print_hunk(walk *w) {
    const gz_fixed_file *f = w->file;
    size_t begin_at = w->old_at, first_edit = w->edit, new_at = w->new_at;
    size_t begin = 0, end = 0;
    // First the extent, then, from the same place again, the lines.
    for (bool more = true, first = true; more; first = false) {
        change c = next_change(w);
        if (first) begin = go_back(f->before, c.old_begin, begin_at, CONTEXT);
        end = c.old_end;
        size_t near = go_on(f->before, f->before_size, end, 2 * CONTEXT);
        more = w->edit < f->edit_count && f->edits[w->edit]->offset < near;
    }
    walk after = *w;
    end = go_on(f->before, f->before_size, end, CONTEXT);
    size_t old_lines = count_lines(f->before + begin, end - begin);
    size_t new_begin = new_at + (begin - begin_at);
    size_t new_end = after.new_at + (end - after.old_at);
    size_t new_lines = count_lines(f->after + new_begin, new_end - new_begin);
    size_t line = w->line + count_lines(f->before + begin_at, begin - begin_at);
    fprintf(w->stream, "@@ -%zu,%zu +%zu,%zu @@\n", line + 1, old_lines, line + 1 - w->gain,
            new_lines);
    *w = (walk){.file = f,
                .stream = w->stream,
                .edit = first_edit,
                .old_at = begin_at,
                .new_at = new_at,
                .line = line + old_lines,
                .gain = w->gain + old_lines - new_lines};
    for (size_t at = begin; w->edit < after.edit;) {
        change c = next_change(w);
        print_lines(w->stream, ' ', f->before + at, c.old_begin - at);
        print_lines(w->stream, '-', f->before + c.old_begin, c.old_end - c.old_begin);
        print_lines(w->stream, '+', f->after + c.new_begin, c.new_end - c.new_begin);
        at = c.old_end;
    }
    print_lines(w->stream, ' ', f->before + w->old_at, end - w->old_at);
    w->new_at += end - w->old_at;
    w->old_at = end;
}

void gz_lint_fix_diff(FILE *stream, const gz_fixed_files *files) {
    for (size_t i = 0; i < files->count; i++) {
        const gz_fixed_file *file = &files->items[i];
        fprintf(stream, "--- %s\n+++ %s\n", file->path, file->path);
        walk w = {.file = file, .stream = stream};
        while (w.edit < file->edit_count) print_hunk(&w);
    }
}
