// The type World.

#include "binding.h"

static PyObject *world_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"name", NULL};
    const char *name = "world";
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "|s", keywords, &name)) return NULL;
    binding_state *state = binding_state_of(type);
    graze_world *world;
    graze_error error;
    if (graze_world_create(&world, name, &error)) return raise_error(state, &error);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    world_object *self = (world_object *)allocate(type, 0);
    if (!self) {
        graze_world_free(world);
        return NULL;
    }
    self->state = state;
    self->world = world;
    return (PyObject *)self;
}

static void world_free(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    graze_world_free(((world_object *)self)->world);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/// None, or the exception of a status.
static PyObject *ended(world_object *self, graze_status status, const graze_error *error) {
    if (status) return raise_error(self->state, error);
    Py_RETURN_NONE;
}

bool world_is_busy(const world_object *self) {
    if (self->busy) PyErr_SetString(PyExc_RuntimeError, "another thread adds to this world");
    return self->busy;
}

// ------------------------------------------------------------------------------------------ adding

static PyObject *add_box(PyObject *object, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"name", "size", "pose", NULL};
    world_object *self = (world_object *)object;
    const char *name;
    double size[3];
    PyObject *at = NULL;
    graze_transform pose;
    graze_error error;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "s(ddd)|O", keywords, &name, &size[0],
                                     &size[1], &size[2], &at) ||
        world_is_busy(self) || pose_read(self->state, &pose, at, "pose"))
        return NULL;
    return ended(self, graze_world_add_box(self->world, name, size, &pose, &error), &error);
}

static PyObject *add_sphere(PyObject *object, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"name", "radius", "pose", NULL};
    world_object *self = (world_object *)object;
    const char *name;
    double radius;
    PyObject *at = NULL;
    graze_transform pose;
    graze_error error;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "sd|O", keywords, &name, &radius, &at) ||
        world_is_busy(self) || pose_read(self->state, &pose, at, "pose"))
        return NULL;
    return ended(self, graze_world_add_sphere(self->world, name, radius, &pose, &error), &error);
}

typedef graze_status (*add_long)(graze_world *world, const char *name, double radius, double length,
                                 const graze_transform *pose, graze_error *error);

static PyObject *add_with_length(PyObject *object, PyObject *arguments, PyObject *names,
                                 add_long add) {
    static char *keywords[] = {"name", "radius", "length", "pose", NULL};
    world_object *self = (world_object *)object;
    const char *name;
    double radius, length;
    PyObject *at = NULL;
    graze_transform pose;
    graze_error error;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "sdd|O", keywords, &name, &radius, &length,
                                     &at) ||
        world_is_busy(self) || pose_read(self->state, &pose, at, "pose"))
        return NULL;
    return ended(self, add(self->world, name, radius, length, &pose, &error), &error);
}

static PyObject *add_cylinder(PyObject *self, PyObject *arguments, PyObject *names) {
    return add_with_length(self, arguments, names, graze_world_add_cylinder);
}

static PyObject *add_capsule(PyObject *self, PyObject *arguments, PyObject *names) {
    return add_with_length(self, arguments, names, graze_world_add_capsule);
}

static PyObject *add_cone(PyObject *self, PyObject *arguments, PyObject *names) {
    return add_with_length(self, arguments, names, graze_world_add_cone);
}

typedef graze_status (*add_flat)(graze_world *world, const char *name, const double normal[3],
                                 double offset, graze_error *error);

static PyObject *add_with_normal(PyObject *object, PyObject *arguments, PyObject *names,
                                 add_flat add) {
    static char *keywords[] = {"name", "normal", "offset", NULL};
    world_object *self = (world_object *)object;
    const char *name;
    double normal[3], offset;
    graze_error error;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "s(ddd)d", keywords, &name, &normal[0],
                                     &normal[1], &normal[2], &offset) ||
        world_is_busy(self))
        return NULL;
    return ended(self, add(self->world, name, normal, offset, &error), &error);
}

static PyObject *add_halfspace(PyObject *self, PyObject *arguments, PyObject *names) {
    return add_with_normal(self, arguments, names, graze_world_add_halfspace);
}

static PyObject *add_plane(PyObject *self, PyObject *arguments, PyObject *names) {
    return add_with_normal(self, arguments, names, graze_world_add_plane);
}

static PyObject *add_mesh(PyObject *object, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"name", "vertices", "triangles", "pose", NULL};
    world_object *self = (world_object *)object;
    const char *name;
    PyObject *points, *indices, *at = NULL;
    graze_transform pose;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "sOO|O", keywords, &name, &points, &indices,
                                     &at) ||
        world_is_busy(self) || pose_read(self->state, &pose, at, "pose"))
        return NULL;
    rows vertices, triangles;
    if (rows_read(self->state, &vertices, points, 3, "vertices")) return NULL;
    if (rows_read_triangles(self->state, &triangles, indices)) {
        rows_release(&vertices);
        return NULL;
    }
    graze_error error;
    graze_status status;
    self->busy = true;
    Py_BEGIN_ALLOW_THREADS status = graze_world_add_mesh(self->world, name, vertices.data,
                                                         vertices.count, triangles.data,
                                                         triangles.count, &pose, &error);
    Py_END_ALLOW_THREADS self->busy = false;
    rows_release(&vertices);
    rows_release(&triangles);
    return ended(self, status, &error);
}

static PyObject *add_points(PyObject *object, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"name", "points", "radius", "pose", NULL};
    world_object *self = (world_object *)object;
    const char *name;
    PyObject *given, *at = NULL;
    double radius;
    graze_transform pose;
    rows points;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "sOd|O", keywords, &name, &given, &radius,
                                     &at) ||
        world_is_busy(self) || pose_read(self->state, &pose, at, "pose") ||
        rows_read(self->state, &points, given, 3, "points"))
        return NULL;
    graze_error error;
    graze_status status = graze_world_add_points(self->world, name, points.data, points.count,
                                                 radius, &pose, &error);
    rows_release(&points);
    return ended(self, status, &error);
}

static PyObject *add_file(PyObject *object, PyObject *arguments) {
    world_object *self = (world_object *)object;
    PyObject *path, *packages = NULL, *package_path = NULL;
    int collada = 0;
    if (!PyArg_ParseTuple(arguments, "U|OOi", &path, &packages, &package_path, &collada) ||
        world_is_busy(self))
        return NULL;
    graze_load_options options;
    const char *file = string_read(path);
    if (!file) return NULL;
    int failed = load_options_read(&options, NULL, packages, package_path, collada, 0);
    graze_error error;
    graze_status status = GRAZE_OK;
    if (!failed) {
        self->busy = true;
        Py_BEGIN_ALLOW_THREADS status = graze_world_add_file(self->world, file, &options, &error);
        Py_END_ALLOW_THREADS self->busy = false;
    }
    PyMem_Free((void *)(uintptr_t)options.packages);
    if (failed) return NULL;
    return ended(self, status, &error);
}

static PyObject *set_boundary(PyObject *object, PyObject *arguments) {
    world_object *self = (world_object *)object;
    double low[3], high[3];
    graze_error error;
    if (!PyArg_ParseTuple(arguments, "(ddd)(ddd)", &low[0], &low[1], &low[2], &high[0], &high[1],
                          &high[2]) ||
        world_is_busy(self))
        return NULL;
    return ended(self, graze_world_set_boundary(self->world, low, high, &error), &error);
}

static PyObject *commit(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = (world_object *)object;
    if (world_is_busy(self)) return NULL;
    graze_error error;
    graze_status status;
    self->busy = true;
    Py_BEGIN_ALLOW_THREADS status = graze_world_commit(self->world, &error);
    Py_END_ALLOW_THREADS self->busy = false;
    return ended(self, status, &error);
}

// ---------------------------------------------------------------------------------------- versions

/// A version in which objects stand elsewhere: an object of the same type.
static PyObject *moved(PyObject *object, PyObject *poses) {
    world_object *self = (world_object *)object;
    PyObject *pairs = world_is_busy(self) ? NULL : PyMapping_Items(poses);
    if (!pairs) return NULL;
    size_t count = (size_t)PyList_Size(pairs);
    graze_world_change *changes = PyMem_Calloc(count ? count : 1, sizeof *changes);
    graze_transform *places = PyMem_Malloc((count ? count : 1) * sizeof *places);
    bool good = changes && places;
    if (!good) PyErr_NoMemory();
    for (size_t i = 0; good && i < count; i++) {
        PyObject *pair = PyList_GetItem(pairs, (Py_ssize_t)i), *name = PyTuple_GetItem(pair, 0);
        changes[i] = graze_world_change_default();
        changes[i].name = name ? string_read(name) : NULL;
        changes[i].pose = &places[i];
        good = changes[i].name && PyTuple_Size(pair) == 2 &&
               pose_read(self->state, &places[i], PyTuple_GetItem(pair, 1), "pose") == 0;
    }
    graze_world *world = NULL;
    graze_error error;
    graze_status status = GRAZE_OK;
    if (good) {
        Py_BEGIN_ALLOW_THREADS status = graze_world_revise(&world, self->world, changes, count,
                                                           &error);
        Py_END_ALLOW_THREADS
    }
    PyMem_Free(changes);
    PyMem_Free(places);
    Py_DECREF(pairs);
    if (!good) return NULL;
    if (status) return raise_error(self->state, &error);
    allocfunc allocate = (allocfunc)PyType_GetSlot(Py_TYPE(object), Py_tp_alloc);
    world_object *out = (world_object *)allocate(Py_TYPE(object), 0);
    if (!out) {
        graze_world_free(world);
        return NULL;
    }
    out->state = self->state;
    out->world = world;
    return (PyObject *)out;
}

static PyObject *get_object_names(PyObject *object, void *unused) {
    (void)unused;
    const graze_world *world = ((world_object *)object)->world;
    if (world_is_busy((world_object *)object)) return NULL;
    size_t count = graze_world_object_count(world);
    PyObject *out = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; out && i < count; i++) {
        graze_geometry g = {0};
        graze_world_object(world, i, &g);
        PyObject *text = text_or_none(g.name);
        if (!text || PyTuple_SetItem(out, (Py_ssize_t)i, text)) Py_CLEAR(out);
    }
    return out;
}

static PyObject *get_warnings(PyObject *object, void *unused) {
    (void)unused;
    if (world_is_busy((world_object *)object)) return NULL;
    const graze_world *world = ((world_object *)object)->world;
    PyObject *list = PyList_New(0);
    size_t count = graze_world_warning_count(world);
    for (size_t i = 0; list && i < count; i++) {
        graze_warning w = graze_world_warning(world, i);
        PyObject *item = Py_BuildValue("(sssis)", w.code, w.message, w.file, (int)w.line,
                                       w.element);
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

#define WITH_NAMES(f) (PyCFunction)(void (*)(void))(f), METH_VARARGS | METH_KEYWORDS
static PyMethodDef methods[] = {
    {"add_box", WITH_NAMES(add_box),
     "add_box(name, size, pose=None)\n--\n\nAdds a box: full edge lengths, metres, centred; pose: "
     "float64[4, 4] or [3, 4], rigid up to 1e-9; None: the identity."},
    {"add_sphere", WITH_NAMES(add_sphere),
     "add_sphere(name, radius, pose=None)\n--\n\nAdds a sphere, metres."},
    {"add_cylinder", WITH_NAMES(add_cylinder),
     "add_cylinder(name, radius, length, pose=None)\n--\n\nAdds a solid cylinder, axis z, centred."},
    {"add_capsule", WITH_NAMES(add_capsule),
     "add_capsule(name, radius, length, pose=None)\n--\n\nAdds a capsule, axis z, centred; length is "
     "that of the cylindrical part."},
    {"add_cone", WITH_NAMES(add_cone),
     "add_cone(name, radius, length, pose=None)\n--\n\nAdds a solid cone, axis z, the centre of its "
     "base at -length / 2, its tip at +length / 2."},
    {"add_halfspace", WITH_NAMES(add_halfspace),
     "add_halfspace(name, normal, offset)\n--\n\nAdds all x with normal . x <= offset, a solid "
     "without an end. Outside of the domain, 100 m, checks raise."},
    {"add_plane", WITH_NAMES(add_plane),
     "add_plane(name, normal, offset)\n--\n\nAdds all x with normal . x = offset, a surface without "
     "an end."},
    {"add_mesh", WITH_NAMES(add_mesh),
     "add_mesh(name, vertices, triangles, pose=None)\n--\n\nAdds a triangle mesh: float64[V, 3], "
     "metres, and integers [T, 3]; copied."},
    {"add_points", WITH_NAMES(add_points),
     "add_points(name, points, radius, pose=None)\n--\n\nAdds points, float64[N, 3], each a ball of "
     "that radius; copied."},
    {"_add_file", add_file, METH_VARARGS, NULL},
    {"_add_shared", world_add_shared, METH_VARARGS, NULL},
    {"set_boundary", set_boundary, METH_VARARGS,
     "set_boundary(low, high)\n--\n\nSets the box that the base's origin must stay in: x y z each."},
    {"commit", commit, METH_NOARGS,
     "commit()\n--\n\nEnds the building; nothing can be added any more. A Checker does it."},
    {"moved", moved, METH_O,
     "moved(poses)\n--\n\nA version of the world in which objects stand elsewhere: a dict from names "
     "to poses. Everything else is shared; this world stays as it is. It must be committed."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"object_names", get_object_names, NULL, "Names of the objects, by index.", NULL},
    {"_warnings", get_warnings, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Objects around a robot. Add them, then make a Checker."},
    {Py_tp_new, world_new},
    {Py_tp_dealloc, world_free},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, NULL},
};

PyType_Spec world_spec = {
    .name = "graze._graze.World",
    .basicsize = sizeof(world_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};
