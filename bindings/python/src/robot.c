// The type Robot.

#include "binding.h"

static PyObject *robot_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"path",         "text",    "base_dir",   "srdf",    "packages",
                               "package_path", "collada", "use_visual", "visuals", NULL};
    PyObject *path, *text = NULL, *base_dir = NULL, *srdf = NULL, *packages = NULL,
                    *package_path = NULL;
    int collada = 0, use_visual = 0, visuals = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "U|OOOOOiip", keywords, &path, &text,
                                     &base_dir, &srdf, &packages, &package_path, &collada,
                                     &use_visual, &visuals))
        return NULL;
    binding_state *state = binding_state_of(type);
    graze_load_options options;
    const char *file = string_read(path), *bytes = NULL, *folder = NULL;
    Py_ssize_t size = 0;
    if (!file) return NULL;
    int failed = load_options_read(&options, srdf, packages, package_path, collada, use_visual);
    if (visuals) options.visuals = GRAZE_VISUALS_LOAD;
    if (!failed && text && text != Py_None) bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (!PyErr_Occurred() && base_dir && base_dir != Py_None) folder = string_read(base_dir);
    graze_robot *robot = NULL;
    graze_error error = {0};
    graze_status status = GRAZE_OK;
    if (!PyErr_Occurred()) {
        Py_BEGIN_ALLOW_THREADS if (bytes) status = graze_robot_load_urdf_memory(
            &robot, bytes, (size_t)size, file, folder, &options, &error);
        else if (graze_compiled_recognise_file(file))
            status = graze_robot_open_compiled(&robot, file, &error);
        else status = graze_robot_load_urdf(&robot, file, &options, &error);
        Py_END_ALLOW_THREADS
    }
    PyMem_Free((void *)(uintptr_t)options.packages);
    if (PyErr_Occurred()) return NULL;
    if (status) return raise_error(state, &error);
    return robot_wrap(state, type, robot);
}

PyObject *robot_wrap(binding_state *state, PyTypeObject *type, graze_robot *robot) {
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    robot_object *self = (robot_object *)allocate(type, 0);
    if (!self) {
        graze_robot_free(robot);
        return NULL;
    }
    self->state = state;
    self->robot = robot;
    return (PyObject *)self;
}

static void robot_free(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    graze_robot_free(((robot_object *)self)->robot);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

#define STATE(self) (((robot_object *)(self))->state)

static const graze_robot *robot_of(PyObject *self) {
    return ((robot_object *)self)->robot;
}

static PyObject *get_name(PyObject *self, void *unused) {
    (void)unused;
    return text_or_none(graze_robot_name(robot_of(self)));
}

/// A tuple of so many strings.
static PyObject *names_of(size_t count, const char *(*name)(const graze_robot *robot, size_t i),
                          const graze_robot *robot) {
    PyObject *out = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; out && i < count; i++) {
        PyObject *text = text_or_none(name(robot, i));
        if (!text || PyTuple_SetItem(out, (Py_ssize_t)i, text)) Py_CLEAR(out);
    }
    return out;
}

static const char *link_name(const graze_robot *robot, size_t i) {
    return graze_robot_link_name(robot, (int32_t)i);
}

static PyObject *get_link_names(PyObject *self, void *unused) {
    (void)unused;
    return names_of(graze_robot_link_count(robot_of(self)), link_name, robot_of(self));
}

static PyObject *get_joint_names(PyObject *self, void *unused) {
    (void)unused;
    return names_of(graze_robot_q_size(robot_of(self)), graze_robot_q_name, robot_of(self));
}

static PyObject *get_limits(PyObject *self, void *unused) {
    (void)unused;
    const Py_ssize_t shape[2] = {2, (Py_ssize_t)graze_robot_q_size(robot_of(self))};
    void *data;
    PyObject *out = array_new(STATE(self), STATE(self)->float64, 2, shape, &data);
    if (out) graze_robot_q_limits(robot_of(self), data, (double *)data + shape[1]);
    return out;
}

static PyObject *get_rest(PyObject *self, void *unused) {
    (void)unused;
    const Py_ssize_t shape[1] = {(Py_ssize_t)graze_robot_q_size(robot_of(self))};
    void *data;
    PyObject *out = array_new(STATE(self), STATE(self)->float64, 1, shape, &data);
    if (out) graze_robot_rest(robot_of(self), data);
    return out;
}

static PyObject *get_warnings(PyObject *self, void *unused) {
    (void)unused;
    PyObject *list = PyList_New(0);
    size_t count = graze_robot_warning_count(robot_of(self));
    for (size_t i = 0; list && i < count; i++) {
        graze_warning w = graze_robot_warning(robot_of(self), i);
        PyObject *item = Py_BuildValue("(sssis)", w.code, w.message, w.file, (int)w.line,
                                       w.element);
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/// Writes 4x4 numbers.
static void put_matrix(const graze_transform *t, double *out) {
    static const double last[4] = {0, 0, 0, 1};
    memcpy(out, t->m, sizeof t->m);
    memcpy(out + 12, last, sizeof last);
}

static PyObject *pose(PyObject *self, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"q", "base", "joints", NULL};
    PyObject *given, *given_base = NULL, *joints = NULL;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|OO", keywords, &given, &given_base,
                                     &joints))
        return NULL;
    binding_state *state = STATE(self);
    const graze_robot *robot = robot_of(self);
    size_t width = graze_robot_q_size(robot), links = graze_robot_link_count(robot);
    rows q, base;
    if (configurations_read((robot_object *)self, &q, given, joints, "q")) return NULL;
    bool has_base = given_base && given_base != Py_None;
    if (has_base && rows_read(state, &base, given_base, 6, "base")) {
        rows_release(&q);
        return NULL;
    }
    if (has_base && base.count != 1 && base.count != q.count) {
        PyErr_Format(PyExc_ValueError, "base has %zu rows; allowed: 1 or those of q, %zu",
                     base.count, q.count);
        rows_release(&q);
        rows_release(&base);
        return NULL;
    }
    const Py_ssize_t shape[4] = {(Py_ssize_t)q.count, (Py_ssize_t)links, 4, 4};
    void *data;
    PyObject *out = q.is_single ? array_new(state, state->float64, 3, shape + 1, &data)
                                : array_new(state, state->float64, 4, shape, &data);
    graze_transform *poses = out ? PyMem_Malloc(links * sizeof *poses) : NULL;
    if (out && !poses) {
        PyErr_NoMemory();
        Py_CLEAR(out);
    }
    for (size_t i = 0; out && i < q.count; i++) {
        const double *at = has_base ? (const double *)base.data + 6 * (base.count > 1 ? i : 0)
                                    : NULL;
        graze_error error;
        if (graze_robot_pose(robot, (const double *)q.data + i * width, width, at, poses, &error)) {
            raise_error(state, &error);
            Py_CLEAR(out);
            break;
        }
        for (size_t k = 0; k < links; k++)
            put_matrix(&poses[k], (double *)data + 16 * (i * links + k));
    }
    PyMem_Free(poses);
    rows_release(&q);
    if (has_base) rows_release(&base);
    return out;
}

static PyObject *sample(PyObject *self, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"count", "seed", "first", NULL};
    Py_ssize_t count;
    unsigned long long seed = 0, first = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "n|KK", keywords, &count, &seed, &first))
        return NULL;
    if (count < 0) {
        PyErr_Format(PyExc_ValueError, "count is %zd; allowed: 0 or more", count);
        return NULL;
    }
    binding_state *state = STATE(self);
    const Py_ssize_t shape[2] = {count, (Py_ssize_t)graze_robot_q_size(robot_of(self))};
    void *data;
    PyObject *out = array_new(state, state->float64, 2, shape, &data);
    for (Py_ssize_t i = 0; out && i < count; i++) {
        graze_error error;
        if (graze_robot_sample(robot_of(self), seed, first + (unsigned long long)i, NULL, NULL,
                               (double *)data + i * shape[1], &error)) {
            raise_error(state, &error);
            Py_CLEAR(out);
        }
    }
    return out;
}

static PyObject *group(PyObject *self, PyObject *argument) {
    const char *name = string_read(argument);
    if (!name) return NULL;
    binding_state *state = STATE(self);
    int32_t index = graze_robot_find_group(robot_of(self), name);
    if (index < 0) {
        PyErr_Format(PyExc_KeyError, "no group '%s' in the SRDF", name);
        return NULL;
    }
    size_t count = graze_robot_group_columns(robot_of(self), (size_t)index, NULL, 0);
    const Py_ssize_t shape[1] = {(Py_ssize_t)count};
    void *data;
    PyObject *out = array_new(state, state->int32, 1, shape, &data);
    if (out) graze_robot_group_columns(robot_of(self), (size_t)index, data, count);
    return out;
}

/// A named state of the SRDF over the rest configuration.
static PyObject *state_of(PyObject *self, PyObject *arguments) {
    const char *name, *in_group = NULL;
    if (!PyArg_ParseTuple(arguments, "s|z", &name, &in_group)) return NULL;
    PyObject *out = get_rest(self, NULL);
    if (!out) return NULL;
    Py_buffer view;
    graze_error error;
    if (PyObject_GetBuffer(out, &view, PyBUF_WRITABLE)) {
        Py_DECREF(out);
        return NULL;
    }
    graze_status status = graze_robot_apply_state(robot_of(self), in_group, name, view.buf, &error);
    PyBuffer_Release(&view);
    if (status == GRAZE_OK) return out;
    Py_DECREF(out);
    return raise_error(STATE(self), &error);
}

static PyMethodDef methods[] = {
    {"pose", (PyCFunction)(void (*)(void))pose, METH_VARARGS | METH_KEYWORDS,
     "pose(q, base=None, joints=None)\n--\n\nPoses of all links: float64[links, 4, 4], or [N, links, 4, 4] for N "
     "rows.\n\nq: float64[columns] or [N, columns], rad and m, in the order of joint_names; or of joints alone, or a dict, as Checker.check().\nbase: x y "
     "z roll pitch yaw of the root link, one row or N; None: the identity."},
    {"sample", (PyCFunction)(void (*)(void))sample, METH_VARARGS | METH_KEYWORDS,
     "sample(count, seed=0, first=0)\n--\n\nRandom configurations within the limits: float64[count, "
     "columns].\n\nRow i is number first + i of the sequence of the seed, the same everywhere."},
    {"group", group, METH_O,
     "group(name)\n--\n\nColumns of q that the joints of an SRDF's group have: int32[n]."},
    {"state", state_of, METH_VARARGS,
     "state(name, group=None)\n--\n\nA named state of the SRDF: float64[columns], other joints at rest."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"name", get_name, NULL, "Name of the robot.", NULL},
    {"link_names", get_link_names, NULL, "Names of the links, by index.", NULL},
    {"joint_names", get_joint_names, NULL, "Names of the columns of q.", NULL},
    {"limits", get_limits, NULL, "Lower and upper limits: float64[2, columns], rad and m.", NULL},
    {"rest", get_rest, NULL, "The rest configuration: float64[columns].", NULL},
    {"_warnings", get_warnings, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A robot, immutable. Made by graze.load()."},
    {Py_tp_new, robot_new},
    {Py_tp_dealloc, robot_free},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, NULL},
};

PyType_Spec robot_spec = {
    .name = "graze._graze.Robot",
    .basicsize = sizeof(robot_object),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
