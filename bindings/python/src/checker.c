// The type Checker: single configurations and batches, contacts, explanations. Distances and
// motions: motion.c; paths and inverse kinematics: plan.c; poses from outside: bodies.c.

#include "binding.h"

/// Rows of a batch between two looks at the signals of Python.
#define CHUNK 32768

// -------------------------------------------------------------------------------------- workspaces

graze_workspace *workspace_borrow(checker_object *self) {
    if (self->idle_count) return self->idle[--self->idle_count];
    graze_workspace *workspace;
    graze_error error;
    if (graze_workspace_create(&workspace, self->checker, &error)) {
        raise_error(self->state, &error);
        return NULL;
    }
    return workspace;
}

void workspace_give_back(checker_object *self, graze_workspace *workspace) {
    if (self->idle_count == self->idle_capacity) {
        size_t capacity = 2 * self->idle_capacity + 4;
        graze_workspace **more = PyMem_Realloc(self->idle, capacity * sizeof *more);
        if (!more) {
            graze_workspace_free(workspace);
            return;
        }
        self->idle = more;
        self->idle_capacity = capacity;
    }
    self->idle[self->idle_count++] = workspace;
}

// ---------------------------------------------------------------------------------- making,
// freeing

/// Copies strings of a sequence of tuples into C structures that borrow them.
static const char *item_text(PyObject *tuple, Py_ssize_t i) {
    PyObject *item = PyTuple_GetItem(tuple, i);
    return item ? string_read(item) : NULL;
}

static int read_allowed(graze_checker_options *o, PyObject *list) {
    size_t count = (size_t)PyList_Size(list);
    graze_allowed_pair *pairs = PyMem_Malloc((count ? count : 1) * sizeof *pairs);
    o->allowed = pairs;
    if (!pairs) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        PyObject *pair = PyList_GetItem(list, (Py_ssize_t)i);
        pairs[i].a = item_text(pair, 0);
        pairs[i].b = pairs[i].a ? item_text(pair, 1) : NULL;
        if (!pairs[i].b) return -1;
    }
    o->allowed_count = count;
    return 0;
}

static int read_margins(graze_checker_options *o, PyObject *list) {
    size_t count = (size_t)PyList_Size(list);
    graze_pair_margin *margins = PyMem_Malloc((count ? count : 1) * sizeof *margins);
    o->margins = margins;
    if (!margins) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        PyObject *entry = PyList_GetItem(list, (Py_ssize_t)i), *b = PyTuple_GetItem(entry, 1);
        PyObject *margin = b ? PyTuple_GetItem(entry, 2) : NULL;
        margins[i] = (graze_pair_margin){.a = margin ? item_text(entry, 0) : NULL};
        if (!margins[i].a) return -1;
        if (b != Py_None && !(margins[i].b = string_read(b))) return -1;
        margins[i].margin = PyFloat_AsDouble(margin);
        if (PyErr_Occurred()) return -1;
    }
    o->margin_count = count;
    return 0;
}

static int read_policies(graze_checker_options *o, PyObject *list) {
    size_t count = (size_t)PyList_Size(list);
    graze_name_policy *policies = PyMem_Malloc((count ? count : 1) * sizeof *policies);
    o->policies = policies;
    if (!policies) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        PyObject *entry = PyList_GetItem(list, (Py_ssize_t)i), *what = PyTuple_GetItem(entry, 1);
        policies[i].name = what ? item_text(entry, 0) : NULL;
        long policy = policies[i].name ? PyLong_AsLong(what) : -1;
        if (PyErr_Occurred()) return -1;
        policies[i].policy = (graze_policy)policy;
    }
    o->policy_count = count;
    return 0;
}

static PyObject *checker_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"robot",  "world",   "policy",  "level",  "no_self",  "ignore_srdf",
                               "margin", "allowed", "margins", "domain", "policies", NULL};
    binding_state *state = binding_state_of(type);
    PyObject *robot, *world = Py_None, *allowed = NULL, *margins = NULL, *policies = NULL;
    int policy = 0, level = 0, no_self = 0, ignore_srdf = 0;
    graze_checker_options o = graze_checker_options_default();
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O!|OiippdO!O!dO!", keywords,
                                     state->robot_type, &robot, &world, &policy, &level, &no_self,
                                     &ignore_srdf, &o.margin, &PyList_Type, &allowed, &PyList_Type,
                                     &margins, &o.domain, &PyList_Type, &policies))
        return NULL;
    if (world != Py_None && !PyObject_TypeCheck(world, state->world_type)) {
        PyErr_SetString(PyExc_TypeError, "world is no graze.World; allowed: one, or None");
        return NULL;
    }
    if (world != Py_None && world_is_busy((world_object *)world)) return NULL;
    o.policy = (graze_policy)policy;
    o.level = (graze_level)level;
    o.no_self = (uint32_t)no_self;
    o.ignore_srdf = (uint32_t)ignore_srdf;
    graze_checker *checker = NULL;
    graze_error error;
    graze_status status = GRAZE_OK;
    int failed = (allowed && read_allowed(&o, allowed)) || (margins && read_margins(&o, margins)) ||
                 (policies && read_policies(&o, policies));
    if (!failed) {
        const graze_world *in = world == Py_None ? NULL : ((world_object *)world)->world;
        Py_BEGIN_ALLOW_THREADS status = graze_checker_create(
            &checker, ((robot_object *)robot)->robot, in, &o, &error);
        Py_END_ALLOW_THREADS
    }
    PyMem_Free((void *)(uintptr_t)o.allowed);
    PyMem_Free((void *)(uintptr_t)o.margins);
    PyMem_Free((void *)(uintptr_t)o.policies);
    if (failed) return NULL;
    if (status) return raise_error(state, &error);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    checker_object *self = (checker_object *)allocate(type, 0);
    if (!self) {
        graze_checker_free(checker);
        return NULL;
    }
    self->state = state;
    self->checker = checker;
    self->robot = Py_NewRef(robot);
    self->world = world == Py_None ? NULL : Py_NewRef(world);
    self->width = graze_robot_q_size(((robot_object *)robot)->robot);
    return (PyObject *)self;
}

static void checker_free(PyObject *object) {
    checker_object *self = (checker_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    for (size_t i = 0; i < self->idle_count; i++) graze_workspace_free(self->idle[i]);
    PyMem_Free(self->idle);
    graze_distance_workspace_free(self->distance);
    graze_checker_free(self->checker);
    Py_XDECREF(self->robot);
    Py_XDECREF(self->world);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

// --------------------------------------------------------------------------------------- questions

void questions_release(questions *in) {
    rows_release(&in->q);
    if (in->has_base) rows_release(&in->base);
}

int questions_read(checker_object *self, questions *in, PyObject *q, PyObject *joints,
                   PyObject *base) {
    in->has_base = base && base != Py_None;
    if (configurations_read((const robot_object *)self->robot, &in->q, q, joints, "q")) return -1;
    if (!in->has_base) return 0;
    if (rows_read(self->state, &in->base, base, 6, "base")) {
        rows_release(&in->q);
        return -1;
    }
    if (in->base.count == 1 || in->base.count == in->q.count) return 0;
    PyErr_Format(PyExc_ValueError, "base has %zu rows; allowed: 1 or those of q, %zu",
                 in->base.count, in->q.count);
    questions_release(in);
    return -1;
}

/// Checks one configuration; the contacts and the capacity are the caller's.
static int check_one(checker_object *self, const questions *in, graze_answer answer,
                     graze_report *report) {
    graze_workspace *workspace = workspace_borrow(self);
    if (!workspace) return -1;
    const double *base = in->has_base ? in->base.data : NULL;
    graze_error error;
    graze_status status;
    // A check takes microseconds: letting go of the lock would cost as much, and win nothing.
    status = graze_check(self->checker, workspace, answer, in->q.data, self->width, base, report,
                         &error);
    workspace_give_back(self, workspace);
    if (status == GRAZE_OK) return 0;
    raise_error(self->state, &error);
    return -1;
}

/// Checks rows, some at a time, so that Ctrl-C ends it.
static int check_rows(checker_object *self, const questions *in, graze_answer answer,
                      uint32_t threads, uint8_t *verdicts, graze_contact *contacts) {
    graze_batch batch = graze_batch_default();
    batch.answer = answer;
    batch.threads = threads;
    for (size_t at = 0; at < in->q.count; at += batch.count) {
        batch.count = in->q.count - at < CHUNK ? in->q.count - at : CHUNK;
        batch.q = (const double *)in->q.data + at * self->width;
        if (in->has_base && in->base.count > 1)
            batch.base = (const double *)in->base.data + 6 * at;
        else if (in->has_base)
            batch.base_common = in->base.data;
        batch.verdicts = verdicts + at;
        batch.contacts = contacts ? contacts + at : NULL;
        graze_error error;
        graze_status status;
        Py_BEGIN_ALLOW_THREADS status = graze_check_batch(self->checker, &batch, &error);
        Py_END_ALLOW_THREADS size_t row;
        if (status && at && sscanf(error.element, "row %zu", &row) == 1)
            snprintf(error.element, sizeof error.element, "row %zu", at + row);
        if (status) raise_error(self->state, &error);
        if (status || PyErr_CheckSignals()) return -1;
    }
    return 0;
}

static PyObject *check(PyObject *object, PyObject *const *arguments, Py_ssize_t count,
                       PyObject *names) {
    checker_object *self = (checker_object *)object;
    PyObject *values[4] = {count > 0 ? arguments[0] : NULL}; // q, joints, base, threads
    static const char *const keywords[4] = {"q", "joints", "base", "threads"};
    if (count > 4) {
        PyErr_SetString(PyExc_TypeError, "check() takes q, joints, base and threads");
        return NULL;
    }
    for (Py_ssize_t i = 1; i < count; i++) values[i] = arguments[i];
    Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    for (Py_ssize_t i = 0; i < named; i++) {
        PyObject *name = PyTuple_GetItem(names, i);
        int k = 0;
        while (k < 4 && PyUnicode_CompareWithASCIIString(name, keywords[k]) != 0) k++;
        if (k == 4 || values[k]) {
            PyErr_Format(PyExc_TypeError, "check() got the argument '%U' %s", name,
                         k == 4 ? "that it does not have" : "twice");
            return NULL;
        }
        values[k] = arguments[count + i];
    }
    if (!values[0]) {
        PyErr_SetString(PyExc_TypeError, "check() lacks q");
        return NULL;
    }
    long threads = values[3] ? PyLong_AsLong(values[3]) : 1;
    if (threads < 0 || threads > 4096) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_ValueError, "threads is %ld; allowed: 0 to 4096", threads);
        return NULL;
    }
    questions in;
    if (questions_read(self, &in, values[0], values[1], values[2])) return NULL;
    PyObject *out = NULL;
    if (in.q.is_single && !(in.has_base && !in.base.is_single)) {
        graze_report report = {0};
        if (check_one(self, &in, GRAZE_ANSWER_ANY, &report) == 0)
            out = PyBool_FromLong(report.verdict == GRAZE_COLLISION);
    } else {
        const Py_ssize_t shape[1] = {(Py_ssize_t)in.q.count};
        void *data;
        out = array_new(self->state, self->state->boolean, 1, shape, &data);
        // Verdicts of rows that are done are 0 and 1, as the bytes of a bool array.
        if (out && check_rows(self, &in, GRAZE_ANSWER_ANY, (uint32_t)threads, data, NULL))
            Py_CLEAR(out);
    }
    questions_release(&in);
    return out;
}

/// Kind, link and other of the lowest pair of each row: int32[N, 3]; -1 where a row is free.
static PyObject *first_pairs(PyObject *object, PyObject *arguments) {
    checker_object *self = (checker_object *)object;
    PyObject *q, *joints = NULL, *base = NULL;
    int threads = 1;
    if (!PyArg_ParseTuple(arguments, "O|OOi", &q, &joints, &base, &threads)) return NULL;
    if (threads < 0 || threads > 4096)
        return PyErr_Format(PyExc_ValueError, "threads is %d; allowed: 0 to 4096", threads);
    questions in;
    if (questions_read(self, &in, q, joints, base)) return NULL;
    const Py_ssize_t shape[2] = {(Py_ssize_t)in.q.count, 3};
    void *data;
    PyObject *out = array_new(self->state, self->state->int32, 2, shape, &data);
    uint8_t *verdicts = PyMem_Malloc(in.q.count + 1);
    graze_contact *contacts = PyMem_Malloc((in.q.count + 1) * sizeof *contacts);
    if (out && (!verdicts || !contacts)) {
        PyErr_NoMemory();
        Py_CLEAR(out);
    }
    if (out && check_rows(self, &in, GRAZE_ANSWER_PAIR, (uint32_t)threads, verdicts, contacts))
        Py_CLEAR(out);
    for (size_t i = 0; out && i < in.q.count; i++) {
        int32_t *row = (int32_t *)data + 3 * i;
        bool hit = verdicts[i] == GRAZE_COLLISION;
        row[0] = hit ? (int32_t)contacts[i].kind : -1;
        row[1] = hit ? contacts[i].link : -1;
        row[2] = hit ? contacts[i].other : -1;
    }
    PyMem_Free(verdicts);
    PyMem_Free(contacts);
    questions_release(&in);
    return out;
}

PyObject *point_of(const graze_vec3 *p) {
    return Py_BuildValue("(ddd)", p->x, p->y, p->z);
}

PyObject *contact_of(const checker_object *self, const graze_contact *c) {
    PyObject *segment = c->has_segment ? Py_BuildValue("(NN)", point_of(&c->segment[0]),
                                                       point_of(&c->segment[1]))
                                       : Py_NewRef(Py_None);
    if (!segment) return NULL;
    return Py_BuildValue(
        "(sssiiOLLNN)", contact_kinds[c->kind], graze_contact_link_name(self->checker, c),
        graze_contact_other_name(self->checker, c), (int)c->element, (int)c->other_element,
        c->contained ? Py_True : Py_False, (long long)c->triangle, (long long)c->other_triangle,
        segment, point_of(&c->point));
}

static PyObject *contacts(PyObject *object, PyObject *arguments) {
    checker_object *self = (checker_object *)object;
    PyObject *q, *joints = NULL, *base = NULL;
    if (!PyArg_ParseTuple(arguments, "O|OO", &q, &joints, &base)) return NULL;
    questions in;
    if (questions_read(self, &in, q, joints, base)) return NULL;
    graze_report report = {.capacity = 16};
    PyObject *list = NULL;
    graze_contact *space = NULL;
    int failed;
    do { // once, and once more with room for all
        if (report.truncated) report.capacity = report.count;
        PyMem_Free(space);
        space = report.contacts = PyMem_Malloc(report.capacity * sizeof *space);
        if (!space) PyErr_NoMemory();
        failed = space ? check_one(self, &in, GRAZE_ANSWER_ALL, &report) : -1;
    } while (!failed && report.truncated);
    if (!failed) list = PyList_New(0);
    for (size_t i = 0; list && i < report.count; i++) {
        PyObject *item = contact_of(self, &space[i]);
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    PyMem_Free(space);
    questions_release(&in);
    return list;
}

typedef struct explaining {
    const checker_object *self;
    PyObject *list;
} explaining;

static bool explain_pair(const graze_explanation *e, void *user) {
    static const char *const stages[] = {"static",   "sphere", "box",        "tree",
                                         "triangle", "exact",  "containment"};
    explaining *x = user;
    const graze_contact at = {.kind = e->kind, .link = e->link, .other = e->other};
    PyObject *item = Py_BuildValue(
        "(ssssOOsd)", contact_kinds[e->kind], graze_contact_link_name(x->self->checker, &at),
        graze_contact_other_name(x->self->checker, &at), stages[e->stage],
        e->collides ? Py_True : Py_False, e->allowed ? Py_True : Py_False, e->reason, e->margin);
    if (!item || PyList_Append(x->list, item)) Py_CLEAR(x->list);
    Py_XDECREF(item);
    return x->list != NULL;
}

static PyObject *explain(PyObject *object, PyObject *arguments) {
    checker_object *self = (checker_object *)object;
    PyObject *q, *joints = NULL, *base = NULL;
    if (!PyArg_ParseTuple(arguments, "O|OO", &q, &joints, &base)) return NULL;
    questions in;
    if (questions_read(self, &in, q, joints, base)) return NULL;
    graze_workspace *workspace = workspace_borrow(self);
    explaining x = {self, workspace ? PyList_New(0) : NULL};
    graze_error error;
    graze_status status = GRAZE_OK;
    if (x.list)
        status = graze_check_explain(self->checker, workspace, in.q.data, self->width,
                                     in.has_base ? in.base.data : NULL, explain_pair, &x, &error);
    if (workspace) workspace_give_back(self, workspace);
    questions_release(&in);
    if (!status) return x.list;
    Py_XDECREF(x.list);
    return raise_error(self->state, &error);
}

static PyObject *get_epsilon(PyObject *object, void *unused) {
    (void)unused;
    return PyFloat_FromDouble(graze_checker_epsilon(((checker_object *)object)->checker));
}

static PyObject *get_robot(PyObject *object, void *unused) {
    (void)unused;
    return Py_NewRef(((checker_object *)object)->robot);
}

static PyObject *get_world(PyObject *object, void *unused) {
    (void)unused;
    PyObject *world = ((checker_object *)object)->world;
    return Py_NewRef(world ? world : Py_None);
}

static PyMethodDef methods[] = {
    {"check", (PyCFunction)(void (*)(void))check, METH_FASTCALL | METH_KEYWORDS,
     "check(q, joints=None, base=None, threads=1)\n--\n\nWhether configurations collide: a bool for "
     "one row, bool[N] for N; True is a collision.\n\nq: float64[columns] or [N, columns], rad and m; "
     "with joints (names or columns) only these, the others at "
     "rest; or a dict from joints to numbers or arrays of N.\nbase: x y z roll pitch yaw of "
     "the root link, one row or N.\nthreads: 0 is one per processor. An error is an exception, never "
     "False. The lock of the interpreter is free while rows are checked."},
    {"_first_pairs", first_pairs, METH_VARARGS, NULL},
    {"_contacts", contacts, METH_VARARGS, NULL},
    {"_distances", checker_distances, METH_VARARGS, NULL},
    {"_nearest", checker_nearest, METH_VARARGS, NULL},
    {"_check_motion", checker_motion, METH_VARARGS, NULL},
    {"_check_motions", checker_motions, METH_VARARGS, NULL},
    {"_certify", checker_certify, METH_VARARGS, NULL},
    {"_explain", explain, METH_VARARGS, NULL},
    {"_plan", checker_plan, METH_VARARGS, NULL},
    {"_ik", checker_ik, METH_VARARGS, NULL},
    {"_picture", checker_picture, METH_VARARGS, NULL},
    {"_posed", checker_posed, METH_O, NULL},
    {"_posed_contacts", checker_posed_contacts, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"epsilon", get_epsilon, NULL, "How exact a verdict is, metres (docs/contract.md).", NULL},
    {"robot", get_robot, NULL, "The robot.", NULL},
    {"world", get_world, NULL, "The world, or None.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A robot and a world with the rules of a check."},
    {Py_tp_new, checker_new},
    {Py_tp_dealloc, checker_free},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, NULL},
};

PyType_Spec checker_spec = {
    .name = "graze._graze.Checker",
    .basicsize = sizeof(checker_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};
