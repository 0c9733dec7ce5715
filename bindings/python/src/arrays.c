// Arrays in and out, by the buffer protocol.

#include "binding.h"

/// Whether a buffer holds rows of so many native doubles ('d') or int64_t ('l'), one behind the
/// other.
static bool fits(const Py_buffer *v, char kind, size_t columns) {
    const char *format = v->format ? v->format : "B";
    if (*format == '@' || *format == '=') format++;
    bool is_kind = *format == kind || (kind == 'l' && *format == 'q');
    if (!is_kind || format[1] || v->itemsize != 8 || (v->ndim != 1 && v->ndim != 2)) return false;
    return (size_t)v->shape[v->ndim - 1] == columns && PyBuffer_IsContiguous(v, 'C');
}

static int fail_shape(const Py_buffer *v, size_t columns, const char *what) {
    PyObject *shape = PyList_New(0);
    for (int i = 0; shape && i < v->ndim; i++) {
        PyObject *n = PyLong_FromSsize_t(v->shape[i]);
        if (!n || PyList_Append(shape, n)) Py_CLEAR(shape);
        Py_XDECREF(n);
    }
    if (shape)
        PyErr_Format(PyExc_ValueError, "%s has the shape %S; allowed: [%zu] or [N, %zu]", what,
                     shape, columns, columns);
    Py_XDECREF(shape);
    return -1;
}

/// numpy.asarray(argument).astype(dtype, order="C", casting="same_kind"): no complex numbers, no
/// text.
static PyObject *convert(binding_state *state, PyObject *argument, PyObject *dtype) {
    PyObject *array = PyObject_CallFunctionObjArgs(state->numpy_asarray, argument, NULL);
    PyObject *method = array ? PyObject_GetAttrString(array, "astype") : NULL;
    PyObject *how = Py_BuildValue("{s:s,s:s}", "order", "C", "casting", "same_kind");
    PyObject *type = PyTuple_Pack(1, dtype);
    PyObject *out = method && how && type ? PyObject_Call(method, type, how) : NULL;
    Py_XDECREF(array);
    Py_XDECREF(method);
    Py_XDECREF(how);
    Py_XDECREF(type);
    return out;
}

/// Reads an argument that is no array of the kind as it is: numpy makes one.
static int read_converted(binding_state *state, rows *out, PyObject *argument, PyObject *dtype,
                          char kind, size_t columns, const char *what) {
    PyObject *array = convert(state, argument, dtype);
    if (!array) return -1;
    int failed = PyObject_GetBuffer(array, &out->view, PyBUF_STRIDES | PyBUF_FORMAT);
    Py_DECREF(array); // the buffer keeps it
    if (failed) return -1;
    if (fits(&out->view, kind, columns)) return 0;
    fail_shape(&out->view, columns, what);
    PyBuffer_Release(&out->view);
    return -1;
}

static int read_kind(binding_state *state, rows *out, PyObject *argument, PyObject *dtype,
                     char kind, size_t columns, const char *what) {
    bool is_buffer = PyObject_CheckBuffer(argument) &&
                     PyObject_GetBuffer(argument, &out->view, PyBUF_STRIDES | PyBUF_FORMAT) == 0;
    if (is_buffer && !fits(&out->view, kind, columns)) {
        PyBuffer_Release(&out->view);
        is_buffer = false;
    }
    PyErr_Clear();
    if (!is_buffer && read_converted(state, out, argument, dtype, kind, columns, what)) return -1;
    out->data = out->view.buf;
    out->owned = NULL;
    out->is_single = out->view.ndim == 1;
    out->count = out->is_single ? 1 : (size_t)out->view.shape[0];
    return 0;
}

int rows_read(binding_state *state, rows *out, PyObject *argument, size_t columns,
              const char *what) {
    return read_kind(state, out, argument, state->float64, 'd', columns, what);
}

int configurations_read(const robot_object *robot, rows *out, PyObject *argument, PyObject *joints,
                        const char *what) {
    binding_state *state = robot->state;
    PyObject *whole = NULL;
    if ((joints && joints != Py_None) || PyDict_Check(argument)) {
        PyObject *module = PyImport_ImportModule("graze.joints");
        if (module)
            whole = PyObject_CallMethod(module, "whole", "OOOs", robot, argument,
                                        joints ? joints : Py_None, what);
        Py_XDECREF(module);
        if (!whole) return -1;
        argument = whole;
    }
    int failed = rows_read(state, out, argument, graze_robot_q_size(robot->robot), what);
    Py_XDECREF(whole); // the buffer keeps it
    return failed;
}

/// 32-bit indices out of 64-bit ones, in memory of the rows' own.
static int narrow(rows *r) {
    const int64_t *from = r->data;
    size_t count = 3 * r->count;
    uint32_t *to = PyMem_Malloc((count ? count : 1) * sizeof *to);
    if (!to) PyErr_NoMemory();
    for (size_t i = 0; to && i < count; i++) {
        if (from[i] < 0 || from[i] > UINT32_MAX) {
            PyErr_Format(PyExc_ValueError, "triangle %zu names the vertex %lld; allowed: 0 or more",
                         i / 3, (long long)from[i]);
            PyMem_Free(to);
            return -1;
        }
        to[i] = (uint32_t)from[i];
    }
    r->data = r->owned = to;
    return to ? 0 : -1;
}

int rows_read_triangles(binding_state *state, rows *out, PyObject *argument) {
    if (read_kind(state, out, argument, state->int64, 'l', 3, "triangles")) return -1;
    if (narrow(out) == 0) return 0;
    PyBuffer_Release(&out->view);
    return -1;
}

void rows_release(rows *r) {
    PyMem_Free(r->owned);
    PyBuffer_Release(&r->view);
}

int pose_read(binding_state *state, graze_transform *out, PyObject *argument, const char *what) {
    *out = graze_transform_identity();
    if (!argument || argument == Py_None) return 0;
    rows r;
    if (rows_read(state, &r, argument, 4, what)) return -1;
    const double *m = r.data;
    bool is_rigid_row = r.count == 3 ||
                        (r.count == 4 && m[12] == 0 && m[13] == 0 && m[14] == 0 && m[15] == 1);
    if (r.is_single || !is_rigid_row)
        PyErr_Format(PyExc_ValueError,
                     "%s is no transform; allowed: 4x4 numbers with the last row 0 0 0 1, or 3x4",
                     what);
    else
        memcpy(out->m, m, sizeof out->m);
    bool good = !r.is_single && is_rigid_row;
    rows_release(&r);
    return good ? 0 : -1;
}

PyObject *array_new(binding_state *state, PyObject *dtype, Py_ssize_t dimensions,
                    const Py_ssize_t *shape, void **data) {
    PyObject *sizes = PyTuple_New(dimensions);
    for (Py_ssize_t i = 0; sizes && i < dimensions; i++) {
        PyObject *n = PyLong_FromSsize_t(shape[i]);
        if (!n || PyTuple_SetItem(sizes, i, n)) Py_CLEAR(sizes);
    }
    PyObject *array = sizes ? PyObject_CallFunctionObjArgs(state->numpy_empty, sizes, dtype, NULL)
                            : NULL;
    Py_XDECREF(sizes);
    Py_buffer view;
    if (!array) return NULL;
    if (PyObject_GetBuffer(array, &view, PyBUF_WRITABLE)) {
        Py_DECREF(array);
        return NULL;
    }
    *data = view.buf; // numpy does not move an array that somebody else cannot have
    PyBuffer_Release(&view);
    return array;
}
