// The module graze._graze: errors, strings, and the types of the other files. What people import is
// the package graze, which adds what need not be fast.

#include "binding.h"

binding_state *binding_state_of(PyTypeObject *type) {
    for (; type; type = PyType_GetSlot(type, Py_tp_base)) {
        binding_state *state = PyType_GetModuleState(type);
        if (state) return state;
        PyErr_Clear(); // a type derived in Python has none of its own
    }
    return NULL;
}

PyObject *text_or_none(const char *text) {
    if (!text) Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "surrogateescape");
}

static int set_text(PyObject *on, const char *name, const char *text) {
    PyObject *value = text && *text ? text_or_none(text) : Py_NewRef(Py_None);
    int failed = value ? PyObject_SetAttrString(on, name, value) : -1;
    Py_XDECREF(value);
    return failed;
}

static int set_number(PyObject *on, const char *name, int32_t number) {
    PyObject *value = number > 0 ? PyLong_FromLong(number) : Py_NewRef(Py_None);
    int failed = value ? PyObject_SetAttrString(on, name, value) : -1;
    Py_XDECREF(value);
    return failed;
}

/// "file:line: message", as the command says it.
static PyObject *describe(const graze_error *e) {
    PyObject *text = text_or_none(e->message), *out = NULL;
    if (text && e->element[0] && !strncmp(e->element, "row ", 4))
        out = PyUnicode_FromFormat("%s: %U", e->element, text);
    else if (text)
        out = Py_NewRef(text);
    Py_XDECREF(text);
    return out;
}

PyObject *raise_error(binding_state *state, const graze_error *error) {
    if (error->status == GRAZE_ERROR_NO_MEMORY) return PyErr_NoMemory();
    PyObject *type = state->error;
    if (error->status == GRAZE_ERROR_ARGUMENT || error->status == GRAZE_ERROR_RANGE)
        type = state->argument_error;
    else if (error->status == GRAZE_ERROR_NOT_FOUND)
        type = state->not_found_error;
    PyObject *message = describe(error);
    PyObject *raised = message ? PyObject_CallFunctionObjArgs(type, message, NULL) : NULL;
    if (raised && set_text(raised, "status", graze_status_name(error->status)) == 0 &&
        set_text(raised, "file", error->file) == 0 &&
        set_number(raised, "line", error->line) == 0 &&
        set_number(raised, "column", error->column) == 0 &&
        set_text(raised, "element", error->element) == 0)
        PyErr_SetObject(type, raised);
    Py_XDECREF(raised);
    Py_XDECREF(message);
    return NULL;
}

// ----------------------------------------------------------------------------------------- loading

const char *string_read(PyObject *text) {
    Py_ssize_t size;
    const char *out = PyUnicode_AsUTF8AndSize(text, &size);
    if (!out || strlen(out) == (size_t)size) return out;
    PyErr_Format(PyExc_ValueError, "%R has a null character", text);
    return NULL;
}

static const char *text_of(PyObject *text) {
    return text && text != Py_None ? string_read(text) : NULL;
}

static int read_packages(graze_load_options *options, PyObject *packages) {
    Py_ssize_t count = PySequence_Size(packages);
    if (count < 0) return -1;
    graze_package *list = PyMem_Malloc((size_t)(count ? count : 1) * sizeof *list);
    if (!list) {
        PyErr_NoMemory();
        return -1;
    }
    options->packages = list;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *pair = PySequence_GetItem(packages, i);
        PyObject *name = pair ? PyTuple_GetItem(pair, 0) : NULL;
        PyObject *folder = name ? PyTuple_GetItem(pair, 1) : NULL;
        // The package keeps the pair alive in its own list.
        Py_XDECREF(pair);
        if (!folder) return -1;
        list[i].name = text_of(name);
        list[i].dir = list[i].name ? text_of(folder) : NULL;
        if (!list[i].dir) return -1;
    }
    options->package_count = (size_t)count;
    return 0;
}

int load_options_read(graze_load_options *options, PyObject *srdf, PyObject *packages,
                      PyObject *package_path, int collada, int use_visual) {
    *options = graze_load_options_default();
    options->srdf = text_of(srdf);
    if (!PyErr_Occurred()) options->package_path = text_of(package_path);
    options->collada = (graze_collada)collada;
    options->use_visual = (graze_use_visual)use_visual;
    if (PyErr_Occurred()) return -1;
    return packages && packages != Py_None ? read_packages(options, packages) : 0;
}

/// Findings of the linter: tuples in the order of graze.Finding.
static PyObject *lint(PyObject *module, PyObject *arguments) {
    const char *path;
    PyObject *srdf = NULL, *packages = NULL, *package_path = NULL;
    if (!PyArg_ParseTuple(arguments, "s|OOO", &path, &srdf, &packages, &package_path)) return NULL;
    binding_state *state = PyModule_GetState(module);
    graze_lint_options options = graze_lint_options_default();
    graze_load_options load;
    int read = load_options_read(&load, srdf, packages, package_path, 0, 0);
    options.load = &load;
    graze_lint_report *report = NULL;
    graze_error error;
    graze_status status = GRAZE_OK;
    if (read == 0) {
        Py_BEGIN_ALLOW_THREADS status = graze_lint_urdf(&report, path, &options, &error);
        Py_END_ALLOW_THREADS
    }
    PyMem_Free((void *)(uintptr_t)load.packages);
    if (read) return NULL;
    if (status) return raise_error(state, &error);
    size_t count = graze_lint_finding_count(report);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        const graze_finding *f = graze_lint_finding(report, i);
        PyObject *item = Py_BuildValue("(sssisisssO)", f->rule->id, f->rule->name,
                                       f->severity == GRAZE_SEVERITY_ERROR     ? "error"
                                       : f->severity == GRAZE_SEVERITY_WARNING ? "warning"
                                                                               : "info",
                                       (int)f->line, f->file, (int)f->column, f->element, f->link,
                                       f->message, f->suppressed ? Py_True : Py_False);
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    graze_lint_report_free(report);
    return list;
}

// ------------------------------------------------------------------------------------------ module

static PyMethodDef functions[] = {
    {"lint", lint, METH_VARARGS, "lint(path, srdf, packages, package_path) -> list of tuples"},
    {"bodies", make_bodies, METH_VARARGS, "bodies(meshes) -> Robot"},
    {"srdf", make_srdf, METH_VARARGS,
     "srdf(robot, text, name, samples, seed, quick, threads) -> str"},
    {NULL, NULL, 0, NULL},
};

static PyObject *make_error(PyObject *module, const char *name, const char *document,
                            PyObject *base, PyObject *second) {
    PyObject *bases = second ? PyTuple_Pack(2, base, second) : Py_XNewRef(base);
    PyObject *full = PyUnicode_FromFormat("graze.%s", name), *made = NULL;
    const char *text = full ? PyUnicode_AsUTF8AndSize(full, NULL) : NULL;
    if (bases && text) made = PyErr_NewExceptionWithDoc(text, document, bases, NULL);
    Py_XDECREF(bases);
    Py_XDECREF(full);
    if (made && PyModule_AddObjectRef(module, name, made)) Py_CLEAR(made);
    return made;
}

static int find_numpy(binding_state *s) {
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (!numpy) return -1;
    s->numpy_empty = PyObject_GetAttrString(numpy, "empty");
    s->numpy_asarray = PyObject_GetAttrString(numpy, "asarray");
    s->float64 = PyObject_GetAttrString(numpy, "float64");
    s->int32 = PyObject_GetAttrString(numpy, "int32");
    s->int64 = PyObject_GetAttrString(numpy, "int64");
    s->boolean = PyObject_GetAttrString(numpy, "bool_");
    s->uint8 = PyObject_GetAttrString(numpy, "uint8");
    Py_DECREF(numpy);
    bool found = s->numpy_empty && s->numpy_asarray && s->float64 && s->int32 && s->int64 &&
                 s->boolean && s->uint8;
    return found ? 0 : -1;
}

static PyTypeObject *add_type(PyObject *module, PyType_Spec *spec) {
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (type && PyModule_AddType(module, (PyTypeObject *)type)) Py_CLEAR(type);
    return (PyTypeObject *)type;
}

static int execute(PyObject *module) {
    binding_state *s = PyModule_GetState(module);
    s->error = make_error(module, "Error",
                          "What graze could not do, and why.\n\nAttributes: status (str), file, "
                          "element (str or None), line, column (int or None).",
                          PyExc_Exception, NULL);
    if (!s->error) return -1;
    s->argument_error = make_error(module, "ArgumentError", "A value that is not allowed.",
                                   s->error, PyExc_ValueError);
    s->not_found_error = make_error(module, "NotFoundError",
                                    "A file, a package or a name that there is not.", s->error,
                                    PyExc_LookupError);
    if (!s->argument_error || !s->not_found_error || find_numpy(s)) return -1;
    s->robot_type = add_type(module, &robot_spec);
    s->world_type = s->robot_type ? add_type(module, &world_spec) : NULL;
    s->checker_type = s->world_type ? add_type(module, &checker_spec) : NULL;
    s->mesh_type = s->checker_type ? add_type(module, &mesh_spec) : NULL;
    if (!s->mesh_type) return -1;
    return PyModule_AddStringConstant(module, "version", graze_version());
}

static void free_module(void *module) {
    binding_state *s = PyModule_GetState(module);
    PyObject **owned[] = {
        &s->error,   &s->argument_error, &s->not_found_error, &s->numpy_empty, &s->numpy_asarray,
        &s->float64, &s->int32,          &s->int64,           &s->boolean,     &s->uint8};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) Py_CLEAR(*owned[i]);
    Py_CLEAR(s->robot_type);
    Py_CLEAR(s->world_type);
    Py_CLEAR(s->checker_type);
    Py_CLEAR(s->mesh_type);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute}, {0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "graze._graze",
    .m_doc = "The parts of graze that are written in C.",
    .m_size = sizeof(binding_state),
    .m_methods = functions,
    .m_slots = slots,
    .m_free = free_module,
};

PyMODINIT_FUNC PyInit__graze(void) {
    return PyModuleDef_Init(&definition);
}
