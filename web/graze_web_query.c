// What touches what at a configuration, and how far the rest is apart.

#include <stdlib.h>

#include "graze_web_scene.h"

/// Makes room for more items; what was there may be lost.
static bool grow(void **items, size_t *capacity, size_t wanted, size_t size) {
    if (wanted <= *capacity) return true;
    free(*items);
    *items = calloc(wanted, size);
    *capacity = *items != NULL ? wanted : 0;
    return *items != NULL;
}

/// One check into the arrays that are there.
static graze_status check_once(graze_web *web, graze_answer answer, const double *q,
                               const double *base, graze_report *report) {
    *report = (graze_report){.contacts = web->contacts,
                             .capacity = web->contact_capacity,
                             .violated = web->violated,
                             .violated_capacity = web->violated_capacity};
    return graze_check(web->checker, web->workspace, answer, q, q_size(web), base, report,
                       &web->error);
}

GRAZE_WEB_API graze_status graze_web_check(graze_web *web, graze_answer answer, const double *q,
                                           const double *base, double report[4]) {
    graze_report r;
    web->contact_count = 0;
    web->lists_hidden = false;
    if (!grow((void **)&web->contacts, &web->contact_capacity, 16, sizeof *web->contacts))
        return fail_memory(web);
    graze_status status = check_once(web, answer, q, base, &r);
    if (status == GRAZE_OK && r.truncated) {
        if (!grow((void **)&web->contacts, &web->contact_capacity, r.count, sizeof *web->contacts))
            return fail_memory(web);
        status = check_once(web, answer, q, base, &r);
    }
    if (status != GRAZE_OK) return status;
    web->contact_count = r.count;
    put_pointer(put(put(put(report, r.verdict), (double)r.count), (double)r.violated_count),
                web->violated);
    return GRAZE_OK;
}

static bool keep_hidden(const graze_explanation *e, void *user) {
    graze_web *web = user;
    if (!e->allowed || !e->collides) return true;
    if (web->hidden_count == web->hidden_capacity) {
        size_t capacity = 2 * web->hidden_capacity + 16;
        hidden_contact *grown = realloc(web->hidden, capacity * sizeof *grown);
        if (grown == NULL) {
            fail_memory(web);
            return false;
        }
        web->hidden = grown;
        web->hidden_capacity = capacity;
    }
    web->hidden[web->hidden_count++] = (hidden_contact){e->contact, e->reason};
    return true;
}

GRAZE_WEB_API graze_status graze_web_hidden(graze_web *web, const double *q, const double *base,
                                            double *count) {
    web->hidden_count = 0;
    web->lists_hidden = true;
    web->error.status = GRAZE_OK;
    graze_status status = graze_check_explain(web->checker, web->workspace, q, q_size(web), base,
                                              keep_hidden, web, NULL);
    if (status == GRAZE_OK) status = web->error.status;
    *count = (double)web->hidden_count;
    return status;
}

GRAZE_WEB_API graze_status graze_web_contact(const graze_web *web, size_t index, double *row) {
    size_t count = web->lists_hidden ? web->hidden_count : web->contact_count;
    if (index >= count) return GRAZE_ERROR_ARGUMENT;
    const graze_contact *c = web->lists_hidden ? &web->hidden[index].contact
                                               : &web->contacts[index];
    row = put(put(put(row, c->kind), c->link), c->element);
    row = put(put(put(row, c->other), c->other_element), c->contained);
    row = put(put(put(row, (double)c->triangle), (double)c->other_triangle), c->has_segment);
    row = put_vector(put_vector(row, c->segment[0]), c->segment[1]);
    row = put_pointer(put_vector(row, c->point), graze_contact_other_name(web->checker, c));
    put_pointer(row, web->lists_hidden ? web->hidden[index].reason : NULL);
    return GRAZE_OK;
}

static graze_status list_contacts(graze_web *web, const double *q, const double *base, size_t limit,
                                  bool manifolds) {
    graze_contacts_options options = graze_contacts_options_default();
    options.triangle_limit = limit;
    options.manifolds = manifolds;
    return graze_check_contacts(web->checker, web->workspace, q, q_size(web), base, &options,
                                &web->found, &web->error);
}

GRAZE_WEB_API graze_status graze_web_contacts(graze_web *web, const double *q, const double *base,
                                              size_t limit, bool manifolds, double report[4]) {
    graze_contact_report *f = &web->found;
    graze_status status = list_contacts(web, q, base, limit, manifolds);
    if (status == GRAZE_OK && f->truncated) {
        // As many as there are, or as the limit leaves of each pair.
        size_t triangles = f->triangle_count;
        if (limit > 0 && f->pair_count < triangles / limit) triangles = limit * f->pair_count;
        size_t pair_capacity = f->pair_capacity, triangle_capacity = f->triangle_capacity;
        bool grown = grow((void **)&f->pairs, &pair_capacity, f->pair_count, sizeof *f->pairs) &&
                     grow((void **)&f->triangles, &triangle_capacity, triangles,
                          sizeof *f->triangles);
        f->pair_capacity = pair_capacity;
        f->triangle_capacity = f->triangles != NULL ? triangle_capacity : 0;
        if (!grown) return fail_memory(web);
        status = list_contacts(web, q, base, limit, manifolds);
    }
    put(put(put(put(report, f->verdict), (double)f->pair_count), (double)f->triangle_count),
        (double)f->triangles_written);
    return status;
}

GRAZE_WEB_API graze_status graze_web_contact_pair(const graze_web *web, size_t index, double *row) {
    if (index >= web->found.pair_count || index >= web->found.pair_capacity)
        return GRAZE_ERROR_ARGUMENT;
    const graze_contact_pair *p = &web->found.pairs[index];
    row = put(put(put(row, p->kind), p->link), p->element);
    row = put(put(put(row, p->other), p->other_element), p->contained);
    row = put(put(put(row, (double)p->triangle_count), (double)p->first), (double)p->written);
    row = put(put(put_vector(put(row, p->point_count), p->normal), p->depth), p->least);
    for (int k = 0; k < GRAZE_MANIFOLD_POINTS; k++) row = put_vector(row, p->points[k]);
    put_all(row, p->depths, GRAZE_MANIFOLD_POINTS);
    return GRAZE_OK;
}

GRAZE_WEB_API graze_status graze_web_triangle_pair(const graze_web *web, size_t index,
                                                   double *row) {
    if (index >= web->found.triangles_written) return GRAZE_ERROR_ARGUMENT;
    const graze_triangle_pair *p = &web->found.triangles[index];
    row = put(put(put(row, p->kind), p->link), p->element);
    row = put(put(row, p->other), p->other_element);
    row = put(put(put(row, (double)p->triangle), (double)p->other_triangle), p->overlap);
    row = put_vector(put_vector(row, p->segment[0]), p->segment[1]);
    put_vector(put_vector(row, p->normal[0]), p->normal[1]);
    return GRAZE_OK;
}

GRAZE_WEB_API graze_status graze_web_batch(graze_web *web, size_t count, const double *q,
                                           const double *base, uint8_t *verdicts) {
    graze_batch batch = graze_batch_default();
    batch.count = count;
    batch.q = q;
    batch.base_common = base;
    batch.verdicts = verdicts;
    return graze_check_batch(web->checker, &batch, &web->error);
}

GRAZE_WEB_API graze_status graze_web_nearest(graze_web *web, size_t count, double threshold,
                                             const double *q, const double *base,
                                             double report[3]) {
    graze_status status = GRAZE_OK;
    web->near_count = 0;
    if (!grow((void **)&web->near, &web->near_capacity, count, sizeof *web->near))
        return fail_memory(web);
    if (web->distance == NULL)
        status = graze_distance_workspace_create(&web->distance, web->checker, &web->error);
    graze_distance_options options = graze_distance_options_default();
    options.answer = count == 1 ? GRAZE_DISTANCE_LEAST : GRAZE_DISTANCE_NEAREST;
    options.threshold = threshold;
    graze_distance_report r = {.pairs = web->near, .capacity = count};
    if (status == GRAZE_OK)
        status = graze_distance(web->checker, web->distance, q, q_size(web), base, &options, &r,
                                &web->error);
    if (status != GRAZE_OK) return status;
    web->near_count = r.count < count ? r.count : count;
    put(put(put(report, (double)web->near_count), r.least.lower), r.least.upper);
    return GRAZE_OK;
}

GRAZE_WEB_API graze_status graze_web_proximity(const graze_web *web, size_t index, double *row) {
    if (index >= web->near_count) return GRAZE_ERROR_ARGUMENT;
    const graze_proximity *p = &web->near[index];
    row = put(put(put(row, p->kind), p->link), p->element);
    row = put(put(row, p->other), p->other_element);
    row = put(put(put(row, (double)p->triangle), (double)p->other_triangle), p->overlap);
    row = put(put(row, p->distance.lower), p->distance.upper);
    put_vector(put_vector(put_vector(row, p->point[0]), p->point[1]), p->normal);
    return GRAZE_OK;
}
