// Which margins does the SRDF give? Each pair of links one.

#include <stdlib.h>

#include "base/memory.h"
#include "robot/builder_internal.h"

graze_status gz_builder_pair_margin(gz_builder *b, int32_t a, int32_t c, double margin,
                                    gz_place place) {
    if (!gz_array_reserve((void **)&b->margins, &b->margin_capacity, b->margin_count + 1,
                          sizeof *b->margins))
        return GRAZE_ERROR_NO_MEMORY;
    pending_margin m = {.a = a < c ? a : c,
                        .b = a < c ? c : a,
                        .margin = margin,
                        .order = b->margin_count,
                        .file = gz_string_copy(place.file),
                        .element = gz_string_copy(place.element),
                        .line = place.line,
                        .column = place.column};
    b->margins[b->margin_count++] = m;
    bool ok = (!place.file || m.file) && (!place.element || m.element);
    return ok ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY;
}

static int compare_margins(const void *x, const void *y) {
    const pending_margin *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    if (p->b != q->b) return p->b < q->b ? -1 : 1;
    return (p->order > q->order) - (p->order < q->order);
}

/// Warns of a margin that is not the one given before it for the same pair.
static void warn(gz_builder *b, const pending_margin *m, double before) {
    graze_robot *r = b->robot;
    gz_place place = {m->file, m->element, m->line, m->column};
    if (m->a < 0)
        gz_warn(&r->warnings, "srdf-two-margins", place,
                "the default margin is %g, and %g before: the greater counts", m->margin, before);
    else
        gz_warn(&r->warnings, "srdf-two-margins", place,
                "the margin of links %.100s and %.100s is %g, and %g before: the greater counts",
                r->links[m->a].name, r->links[m->b].name, m->margin, before);
}

graze_status gz_builder_resolve_margins(gz_builder *b, graze_error *error) {
    graze_robot *r = b->robot;
    if (b->margin_count == 0) return GRAZE_OK;
    r->margins = gz_calloc(b->margin_count, sizeof *r->margins);
    if (!r->margins) return gz_fail_memory(error);
    qsort(b->margins, b->margin_count, sizeof *b->margins, compare_margins);
    const pending_margin *last = NULL;
    for (size_t i = 0; i < b->margin_count; i++) {
        const pending_margin *m = &b->margins[i];
        bool again = last && last->a == m->a && last->b == m->b;
        last = m;
        if (!again && m->a >= 0)
            r->margins[r->margin_count++] = (graze_link_margin){.a = m->a, .b = m->b};
        double *kept = m->a < 0 ? &r->default_margin : &r->margins[r->margin_count - 1].margin;
        if (again && *kept != m->margin) warn(b, m, *kept);
        if (!again || m->margin > *kept) *kept = m->margin;
    }
    return GRAZE_OK;
}
