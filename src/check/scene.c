// A checker whose world moves. Versions are world and checker side by side; one is current, which
// is all that new views see. A version that no view holds is written over with the next one: only
// its owner, the thread that revises, then has it. Views and versions meet under one lock, which is
// held for a few instructions.

#include "graze/scene.h"

#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/thread.h"
#include "check/filter_model.h"
#include "check/margin.h"
#include "check/workspace.h"

typedef struct version version;

struct graze_view {
    graze_scene *scene;
    version *version;
    graze_workspace *workspace;
    graze_view *next; ///< of the version's idle ones
};

struct version {
    graze_world *world; ///< its objects are its own; NULL: nothing is known of the version
    graze_checker *checker;
    gz_refit refit;
    uint64_t *placed; ///< per object: number of the version that placed it there
    uint64_t objects; ///< scene->objects when it was made: which objects there are
    uint64_t number;
    size_t viewers;   ///< guarded by the scene's lock, as is the next
    graze_view *idle; ///< with workspaces, to be used again
    version *next;    ///< of all versions
};

struct graze_scene {
    gz_lock lock;   ///< of `current`, and of who views what
    gz_lock writer; ///< of everything else
    version *versions, *current;
    uint64_t number, objects;
};

// --------------------------------------------------------------------------------------- versions

/// Empties a version that nobody views.
static void clear_version(version *v) {
    while (v->idle) {
        graze_view *view = v->idle;
        v->idle = view->next;
        graze_workspace_free(view->workspace);
        gz_free(view);
    }
    graze_checker_free(v->checker);
    graze_world_free(v->world);
    gz_refit_free(&v->refit);
    gz_free(v->placed);
    *v = (version){.next = v->next};
}

/// A version that is not current and that nobody views, or a new one; NULL when out of memory.
static version *take_version(graze_scene *s) {
    gz_lock_take(&s->lock);
    version *v = s->versions;
    while (v && (v == s->current || v->viewers)) v = v->next;
    gz_lock_give(&s->lock);
    if (v) return v;
    v = gz_calloc(1, sizeof *v);
    if (!v) return NULL;
    v->next = s->versions;
    s->versions = v;
    return v;
}

/// Makes an empty version of a world, with the rules of a checker.
static graze_status fill_version(version *v, const graze_checker *rules, const graze_world *world,
                                 graze_error *error) {
    clear_version(v);
    GZ_TRY(gz_world_own(&v->world, world, error));
    v->placed = gz_calloc(world->object_count, sizeof *v->placed);
    if (!v->placed || !gz_refit_create(&v->refit, v->world)) return gz_fail_memory(error);
    return graze_checker_with_world(&v->checker, rules, v->world, error);
}

/// What a checker knows of its world, after objects have moved in place.
static graze_status follow_world(version *v, graze_error *error) {
    gz_world_refit(v->world, &v->refit);
    graze_checker *c = v->checker;
    if (!gz_margins_follow(c)) {
        // Pairs of links depend on epsilon. Workspaces are of the old checker.
        version old = {.checker = c, .idle = v->idle};
        v->idle = NULL;
        graze_status status = graze_checker_with_world(&v->checker, c, v->world, error);
        clear_version(&old);
        return status;
    }
    if (c->filter) gz_filter_model_follow(c->filter, c);
    c->revision++;
    return GRAZE_OK;
}

/// Shows a version to views from now on.
static void show(graze_scene *s, version *v) {
    v->number = ++s->number;
    v->objects = s->objects;
    gz_lock_take(&s->lock);
    s->current = v;
    gz_lock_give(&s->lock);
}

// ---------------------------------------------------------------------------------------- changes

/// Brings objects of a version, but those that have moved in it, to where the current one has them.
static graze_status catch_up(version *v, const version *current, uint64_t number,
                             graze_error *error) {
    for (size_t i = 0; i < v->world->object_count; i++) {
        if (v->placed[i] == current->placed[i] || v->placed[i] == number) continue;
        gz_refit_note(&v->refit, i);
        GZ_TRY(gz_world_place_as(v->world, i, current->world->objects[i], error));
        v->placed[i] = current->placed[i];
    }
    return GRAZE_OK;
}

static graze_status move_shape(version *v, const version *current, uint64_t number, size_t index,
                               const graze_world_change *change, graze_error *error) {
    const version *last = v->placed[index] == number ? v : current;
    const gz_object *object = last->world->objects[index];
    const graze_transform pose = gz_object_pose(object, change->pose);
    if (memcmp(&object->pose, &pose, sizeof pose) == 0) return GRAZE_OK;
    v->placed[index] = number;
    gz_refit_note(&v->refit, index);
    return gz_world_place(v->world, index, &pose, error);
}

static graze_status move_object(version *v, const version *current, uint64_t number,
                                const graze_world_change *change, graze_error *error) {
    if ((change->name != NULL) == (change->id != 0))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "has a name and an id, or none; allowed: one");
    if (!change->pose) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "pose is NULL; allowed: a pose");
    int32_t index = change->name ? graze_world_find_object(v->world, change->name)
                                 : graze_world_find_id(v->world, change->id);
    if (index < 0)
        return gz_fail(error, GRAZE_ERROR_NOT_FOUND,
                       "moves '%s', id %llu, which is no object of the world '%s'",
                       change->name ? change->name : "", (unsigned long long)change->id,
                       v->world->name);
    GZ_TRY(gz_object_check_pose(change->pose, error));
    size_t first = (size_t)index, end = first + gz_world_shapes(v->world, first);
    for (size_t i = first; i < end; i++) GZ_TRY(move_shape(v, current, number, i, change, error));
    return GRAZE_OK;
}

/// Change i of an array of the caller's stride.
static const graze_world_change *change_at(const graze_world_change *changes, size_t i) {
    const unsigned char *bytes = (const unsigned char *)changes;
    return (const graze_world_change *)(const void *)(bytes + i * changes->struct_size);
}

static graze_status read_change(graze_world_change *out, const graze_world_change *changes,
                                size_t i, graze_error *error) {
    return gz_world_change_read(out, change_at(changes, i), changes->struct_size, error);
}

static graze_status fail_change(size_t i, graze_status status, graze_error *error) {
    char element[32];
    if (!status || !error) return status;
    snprintf(element, sizeof element, "changes[%zu]", i);
    gz_error_locate(error, (gz_place){.element = element});
    return status;
}

/// Makes a version in which objects of the current one have moved.
static graze_status move_objects(graze_scene *s, version *v, const graze_world_change *changes,
                                 size_t count, graze_error *error) {
    const version *current = s->current;
    if (!v->world || v->objects != s->objects || !gz_world_may_move(v->world)) {
        GZ_TRY(fill_version(v, current->checker, current->world, error));
        memcpy(v->placed, current->placed, current->world->object_count * sizeof *v->placed);
    }
    for (size_t i = 0; i < count; i++) {
        graze_world_change change;
        graze_status status = read_change(&change, changes, i, error);
        if (status == GRAZE_OK) status = move_object(v, current, s->number + 1, &change, error);
        if (status) return fail_change(i, status, error);
    }
    GZ_TRY(catch_up(v, current, s->number + 1, error));
    return follow_world(v, error);
}

/// Makes a version of other objects.
static graze_status change_objects(graze_scene *s, version *v, const graze_world_change *changes,
                                   size_t count, graze_error *error) {
    graze_world *next;
    GZ_TRY(graze_world_revise(&next, s->current->world, changes, count, error));
    graze_status status = fill_version(v, s->current->checker, next, error);
    graze_world_free(next);
    if (status == GRAZE_OK) s->objects++;
    return status;
}

static graze_status revise(graze_scene *s, const graze_world_change *changes, size_t count,
                           graze_error *error) {
    bool moves = true;
    if (count) {
        graze_world_change first; // whose size all have, or they are refused when their turn comes
        graze_status status = read_change(&first, changes, 0, error);
        if (status) return fail_change(0, status, error);
    }
    for (size_t i = 0; moves && i < count; i++)
        moves = change_at(changes, i)->kind == GRAZE_CHANGE_MOVE;
    version *v = take_version(s);
    if (!v) return gz_fail_memory(error);
    graze_status status = moves ? move_objects(s, v, changes, count, error)
                                : change_objects(s, v, changes, count, error);
    if (status)
        clear_version(v);
    else
        show(s, v);
    return status;
}

graze_status graze_scene_revise(graze_scene *scene, const graze_world_change *changes, size_t count,
                                graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!scene || (!changes && count))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "scene or changes is NULL");
    gz_lock_take(&scene->writer);
    graze_status status = revise(scene, changes, count, error);
    gz_lock_give(&scene->writer);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}

// ------------------------------------------------------------------------------------------ scenes

graze_status graze_scene_create(graze_scene **out, const graze_checker *checker,
                                graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!checker || !checker->world)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker is NULL, or has no world");
    graze_scene *s = gz_calloc(1, sizeof *s);
    if (!s || !gz_lock_create(&s->lock)) {
        gz_free(s);
        return gz_fail_memory(error);
    }
    if (!gz_lock_create(&s->writer)) {
        gz_lock_free(&s->lock);
        gz_free(s);
        return gz_fail_memory(error);
    }
    version *v = take_version(s);
    graze_status status = v ? fill_version(v, checker, checker->world, error)
                            : gz_fail_memory(error);
    if (status) {
        graze_scene_free(s);
        return status;
    }
    show(s, v);
    *out = s;
    gz_error_clear(error);
    return GRAZE_OK;
}

void graze_scene_free(graze_scene *s) {
    if (!s) return;
    while (s->versions) {
        version *v = s->versions;
        s->versions = v->next;
        clear_version(v);
        gz_free(v);
    }
    gz_lock_free(&s->lock);
    gz_lock_free(&s->writer);
    gz_free(s);
}

uint64_t graze_scene_version(graze_scene *scene) {
    if (!scene) return 0;
    gz_lock_take(&scene->lock);
    uint64_t number = scene->current->number;
    gz_lock_give(&scene->lock);
    return number;
}

// ------------------------------------------------------------------------------------------- views

/// A new view of a version, which is held already; NULL when out of memory.
static graze_view *make_view(graze_scene *s, version *v) {
    graze_view *view = gz_calloc(1, sizeof *view);
    if (!view) return NULL;
    *view = (graze_view){.scene = s, .version = v};
    if (graze_workspace_create(&view->workspace, v->checker, NULL) == GRAZE_OK) return view;
    gz_free(view);
    return NULL;
}

graze_status graze_view_acquire(graze_view **out, graze_scene *scene, graze_error *error) {
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!scene) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "scene is NULL");
    gz_lock_take(&scene->lock);
    version *v = scene->current;
    graze_view *view = v->idle;
    if (view) v->idle = view->next;
    v->viewers++;
    gz_lock_give(&scene->lock);
    if (!view) view = make_view(scene, v);
    if (!view) {
        gz_lock_take(&scene->lock);
        v->viewers--;
        gz_lock_give(&scene->lock);
        return gz_fail_memory(error);
    }
    *out = view;
    gz_error_clear(error);
    return GRAZE_OK;
}

void graze_view_release(graze_view *view) {
    if (!view) return;
    graze_scene *s = view->scene;
    gz_lock_take(&s->lock);
    view->next = view->version->idle;
    view->version->idle = view;
    view->version->viewers--;
    gz_lock_give(&s->lock);
}

const graze_checker *graze_view_checker(const graze_view *view) {
    return view ? view->version->checker : NULL;
}

graze_workspace *graze_view_workspace(const graze_view *view) {
    return view ? view->workspace : NULL;
}

uint64_t graze_view_version(const graze_view *view) {
    return view ? view->version->number : 0;
}
