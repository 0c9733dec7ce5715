// Methods of the type Checker: distances, motions, timed trajectories.

#include "binding.h"

/// Rows between two looks at the signals of Python.
#define CHUNK 256

const char *const contact_kinds[3] = {"self", "world", "boundary"};

/// Rows' bases, one for each: those that are given, or the one that is given as often.
static const double *bases_of(const questions *in, size_t at, size_t count, double *space) {
    if (!in->has_base) return NULL;
    const double *given = in->base.data;
    if (in->base.count > 1) return given + 6 * at;
    for (size_t i = 0; i < count; i++) memcpy(space + 6 * i, given, 6 * sizeof *space);
    return space;
}

/// Adds to "row N" of an error the rows before.
static void count_rows(graze_error *error, const char *what, size_t before) {
    size_t row;
    const char *space = strchr(error->element, ' ');
    if (before && space && sscanf(space, " %zu", &row) == 1)
        snprintf(error->element, sizeof error->element, "%s %zu", what, before + row);
}

static int threads_read(uint32_t *out, Py_ssize_t threads) {
    *out = (uint32_t)threads;
    if (threads >= 0 && threads <= 4096) return 0;
    PyErr_Format(PyExc_ValueError, "threads is %zd; allowed: 0 to 4096", threads);
    return -1;
}

// --------------------------------------------------------------------------------------- distances

/// The arrays of many distances, and where their numbers are.
typedef struct distance_arrays {
    PyObject *lower, *upper, *pairs, *points, *normals, *overlap, *gradients, *smooth;
    double *lower_at, *upper_at, *points_at, *normals_at, *gradients_at;
    int32_t *pairs_at;
    bool *overlap_at, *smooth_at;
} distance_arrays;

static int make_arrays(checker_object *self, distance_arrays *a, size_t rows, bool gradients) {
    binding_state *s = self->state;
    Py_ssize_t n = (Py_ssize_t)rows;
    a->lower = array_new(s, s->float64, 1, (Py_ssize_t[]){n}, (void **)&a->lower_at);
    a->upper = array_new(s, s->float64, 1, (Py_ssize_t[]){n}, (void **)&a->upper_at);
    a->pairs = array_new(s, s->int32, 2, (Py_ssize_t[]){n, 5}, (void **)&a->pairs_at);
    a->points = array_new(s, s->float64, 3, (Py_ssize_t[]){n, 2, 3}, (void **)&a->points_at);
    a->normals = array_new(s, s->float64, 2, (Py_ssize_t[]){n, 3}, (void **)&a->normals_at);
    a->overlap = array_new(s, s->boolean, 1, (Py_ssize_t[]){n}, (void **)&a->overlap_at);
    a->smooth = array_new(s, s->boolean, 1, (Py_ssize_t[]){n}, (void **)&a->smooth_at);
    if (gradients)
        a->gradients = array_new(s, s->float64, 2, (Py_ssize_t[]){n, (Py_ssize_t)self->width},
                                 (void **)&a->gradients_at);
    else
        a->gradients = Py_NewRef(Py_None);
    bool made = a->lower && a->upper && a->pairs && a->points && a->normals && a->overlap &&
                a->smooth && a->gradients;
    return made ? 0 : -1;
}

static void free_arrays(distance_arrays *a) {
    PyObject *all[] = {a->lower,   a->upper,   a->pairs,     a->points,
                       a->normals, a->overlap, a->gradients, a->smooth};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) Py_XDECREF(all[i]);
}

static void write_distance(distance_arrays *a, size_t row, const graze_proximity *p,
                           graze_interval bounds) {
    a->lower_at[row] = bounds.lower;
    a->upper_at[row] = bounds.upper;
    a->overlap_at[row] = p->overlap;
    a->smooth_at[row] = p->smooth;
    const int32_t pair[5] = {p->link < 0 ? -1 : (int32_t)p->kind, p->link, p->element, p->other,
                             p->other_element};
    memcpy(a->pairs_at + 5 * row, pair, sizeof pair);
    memcpy(a->points_at + 6 * row, p->point, 6 * sizeof(double));
    memcpy(a->normals_at + 3 * row, &p->normal, 3 * sizeof(double));
}

/// Rows some at a time, so that Ctrl-C ends it.
static int measure_rows(checker_object *self, const questions *in, graze_distance_batch *batch,
                        distance_arrays *a) {
    graze_interval bounds[CHUNK];
    double base[6 * CHUNK];
    graze_proximity *nearest = PyMem_Calloc(CHUNK, sizeof *nearest);
    if (!nearest) PyErr_NoMemory();
    int failed = nearest ? 0 : -1;
    for (size_t at = 0; !failed && at < in->q.count; at += batch->count) {
        batch->count = in->q.count - at < CHUNK ? in->q.count - at : CHUNK;
        batch->q = (const double *)in->q.data + at * self->width;
        batch->base = bases_of(in, at, batch->count, base);
        batch->bounds = bounds;
        batch->nearest = nearest;
        batch->by_q = a->gradients_at ? a->gradients_at + at * self->width : NULL;
        graze_error error;
        graze_status status;
        Py_BEGIN_ALLOW_THREADS status = graze_distance_batch_run(self->checker, batch, &error);
        Py_END_ALLOW_THREADS for (size_t i = 0; !status && i < batch->count; i++)
            write_distance(a, at + i, &nearest[i], bounds[i]);
        if (status) count_rows(&error, "row", at);
        if (status) raise_error(self->state, &error);
        failed = status || PyErr_CheckSignals() ? -1 : 0;
    }
    PyMem_Free(nearest);
    return failed;
}

PyObject *checker_distances(PyObject *object, PyObject *arguments) {
    checker_object *self = (checker_object *)object;
    PyObject *q, *joints, *base, *out = NULL;
    int gradients;
    Py_ssize_t threads;
    graze_distance_options options = graze_distance_options_default();
    graze_distance_batch batch = graze_distance_batch_default();
    if (!PyArg_ParseTuple(arguments, "OOOpdn", &q, &joints, &base, &gradients, &options.accuracy,
                          &threads))
        return NULL;
    batch.options = &options;
    if (threads_read(&batch.threads, threads)) return NULL;
    questions in;
    if (questions_read(self, &in, q, joints, base)) return NULL;
    distance_arrays a = {0};
    if (make_arrays(self, &a, in.q.count, gradients) == 0 &&
        measure_rows(self, &in, &batch, &a) == 0)
        out = Py_BuildValue("(OOOOOOOO)", a.lower, a.upper, a.pairs, a.points, a.normals, a.overlap,
                            a.gradients, a.smooth);
    free_arrays(&a);
    questions_release(&in);
    return out;
}

/// One pair, in the order of graze.Proximity.
static PyObject *proximity_of(const checker_object *self, const graze_proximity *p) {
    const graze_contact at = {.kind = p->kind, .link = p->link, .other = p->other};
    return Py_BuildValue(
        "(sssiiLLddO(NN)N)", contact_kinds[p->kind], graze_contact_link_name(self->checker, &at),
        graze_contact_other_name(self->checker, &at), (int)p->element, (int)p->other_element,
        (long long)p->triangle, (long long)p->other_triangle, p->distance.lower, p->distance.upper,
        p->overlap ? Py_True : Py_False, point_of(&p->point[0]), point_of(&p->point[1]),
        point_of(&p->normal));
}

/// The nearest pairs of one configuration: microseconds, for which the lock is kept.
PyObject *checker_nearest(PyObject *object, PyObject *arguments) {
    checker_object *self = (checker_object *)object;
    PyObject *q, *joints, *base, *list = NULL;
    Py_ssize_t count;
    graze_distance_options options = graze_distance_options_default();
    options.answer = GRAZE_DISTANCE_NEAREST;
    if (!PyArg_ParseTuple(arguments, "OOOnd", &q, &joints, &base, &count, &options.threshold))
        return NULL;
    if (count < 1 || count > 1000000)
        return PyErr_Format(PyExc_ValueError, "count is %zd; allowed: 1 to 1000000", count);
    questions in;
    if (questions_read(self, &in, q, joints, base)) return NULL;
    graze_distance_report report = {.capacity = (size_t)count};
    report.pairs = PyMem_Calloc((size_t)count, sizeof *report.pairs);
    graze_error error;
    graze_status status = GRAZE_OK;
    if (!report.pairs) PyErr_NoMemory();
    if (report.pairs && !self->distance)
        status = graze_distance_workspace_create(&self->distance, self->checker, &error);
    if (report.pairs && !status)
        status = graze_distance(self->checker, self->distance, in.q.data, self->width,
                                in.has_base ? in.base.data : NULL, &options, &report, &error);
    if (status) raise_error(self->state, &error);
    if (report.pairs && !status) list = PyList_New(0);
    for (size_t i = 0; list && i < report.count && i < report.capacity; i++) {
        PyObject *item = proximity_of(self, &report.pairs[i]);
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    PyMem_Free(report.pairs);
    questions_release(&in);
    return list;
}

// ----------------------------------------------------------------------------------------- motions

/// The pair of a motion that is not free, else None.
static PyObject *pair_of(const checker_object *self, graze_motion_verdict verdict,
                         const graze_contact *c) {
    if (verdict == GRAZE_MOTION_FREE || c->link < 0) return Py_NewRef(Py_None);
    return Py_BuildValue("(sss)", contact_kinds[c->kind], graze_contact_link_name(self->checker, c),
                         graze_contact_other_name(self->checker, c));
}

/// Two questions with as many rows each.
static int ends_read(checker_object *self, questions ends[2], PyObject *const q[2],
                     PyObject *joints, PyObject *const base[2]) {
    if (questions_read(self, &ends[0], q[0], joints, base[0])) return -1;
    if (questions_read(self, &ends[1], q[1], joints, base[1] == Py_None ? base[0] : base[1])) {
        questions_release(&ends[0]);
        return -1;
    }
    if (ends[0].q.count == ends[1].q.count && ends[0].has_base == ends[1].has_base) return 0;
    if (ends[0].has_base != ends[1].has_base)
        PyErr_SetString(PyExc_ValueError, "base1 is given without base0; allowed: both, or base0");
    else
        PyErr_Format(PyExc_ValueError, "q1 has %zu rows; allowed: those of q0, %zu",
                     ends[1].q.count, ends[0].q.count);
    for (int k = 0; k < 2; k++) questions_release(&ends[k]);
    return -1;
}

/// A list of (name, x, y, z), or None, for `options`; *memory is freed after them. Returns 0, or
/// -1.
static int moving_read(const checker_object *self, PyObject *given, graze_motion_options *options,
                       graze_moving_object **memory) {
    *memory = NULL;
    if (given == Py_None) return 0;
    Py_ssize_t count = PyList_Check(given) ? PyList_Size(given) : -1;
    if (count < 0) PyErr_SetString(PyExc_TypeError, "moving is not a list of tuples");
    if (count < 0) return -1;
    graze_moving_object *all = PyMem_Calloc((size_t)count + 1, sizeof *all);
    if (!all) PyErr_NoMemory();
    const graze_world *world = graze_checker_world(self->checker);
    for (Py_ssize_t i = 0; all && i < count; i++) {
        const char *name;
        double *v = all[i].velocity;
        PyObject *item = PyList_GetItem(given, i);
        if (!PyTuple_Check(item)) PyErr_SetString(PyExc_TypeError, "moving has what is no tuple");
        if (PyErr_Occurred() || !PyArg_ParseTuple(item, "sddd", &name, &v[0], &v[1], &v[2])) break;
        all[i].object = world ? graze_world_find_object(world, name) : -1;
        if (all[i].object >= 0) continue;
        PyErr_Format(PyExc_ValueError, "moving has '%s'; allowed: names of objects of the world",
                     name);
        break;
    }
    *memory = all;
    options->moving = all;
    options->moving_count = (size_t)count;
    return PyErr_Occurred() ? -1 : 0;
}

/// Tests of a pair on an interval (graze_motion_options.budget) and pieces that are done at once:
/// tens of microseconds, where handing them to a thread takes hundreds. What needs more begins anew
/// on a thread of its own, which Ctrl-C ends.
enum { QUICK_TESTS = 256, QUICK_PIECES = 64 };

/// Runs work under `options`, which it reads: with a small budget and at once where it is `quick`;
/// else, or where that is spent, so that Ctrl-C ends it. Returns 0, or -1 with an exception.
static int run_motion(void (*work)(void *), void *argument, graze_motion_options *options,
                      bool quick, const graze_status *status, const bool *spent) {
    volatile int cancel = 0;
    uint64_t budget = options->budget;
    options->cancel = &cancel;
    options->budget = QUICK_TESTS;
    if (quick) {
        Py_BEGIN_ALLOW_THREADS work(argument);
        Py_END_ALLOW_THREADS
    }
    if (quick && (*status || !*spent)) return 0;
    options->budget = budget;
    return run_interruptible(work, argument, &cancel);
}

typedef struct motion_work {
    checker_object *self;
    const questions *ends;
    graze_motion_options options;
    graze_motion_report report;
    graze_error error;
    graze_status status;
} motion_work;

static void check_motion(void *argument) {
    motion_work *m = argument;
    const graze_checker *checker = m->self->checker;
    const questions *from = &m->ends[0], *to = &m->ends[1];
    graze_motion_workspace *workspace;
    m->status = graze_motion_workspace_create(&workspace, checker, &m->error);
    if (!m->status)
        m->status = graze_check_motion(checker, workspace, from->q.data, to->q.data, m->self->width,
                                       from->has_base ? from->base.data : NULL,
                                       to->has_base ? to->base.data : NULL, &m->options, &m->report,
                                       &m->error);
    graze_motion_workspace_free(workspace);
}

PyObject *checker_motion(PyObject *object, PyObject *arguments) {
    checker_object *self = (checker_object *)object;
    PyObject *q[2], *joints, *base[2], *moving;
    int first;
    if (!PyArg_ParseTuple(arguments, "OOOOOpO", &q[0], &q[1], &joints, &base[0], &base[1], &first,
                          &moving))
        return NULL;
    questions ends[2];
    if (ends_read(self, ends, q, joints, base)) return NULL;
    motion_work m = {.self = self, .ends = ends, .options = graze_motion_options_default()};
    graze_moving_object *memory;
    int raised = moving_read(self, moving, &m.options, &memory);
    if (first) m.options.answer = GRAZE_MOTION_FIRST;
    if (!raised)
        raised = run_motion(check_motion, &m, &m.options, true, &m.status, &m.report.spent);
    PyMem_Free(memory);
    for (int k = 0; k < 2; k++) questions_release(&ends[k]);
    if (raised) return NULL;
    if (m.status) return raise_error(self->state, &m.error);
    return Py_BuildValue("(iddN)", (int)m.report.verdict, m.report.earliest, m.report.latest,
                         pair_of(self, m.report.verdict, &m.report.contact));
}

/// Motions some at a time, as rows 2 i and 2 i + 1 of a batch.
static int check_motions(checker_object *self, const questions ends[2], graze_motion_batch *batch,
                         uint8_t *verdicts, double *earliest, double *latest) {
    size_t count = ends[0].q.count, width = self->width, bytes = width * sizeof(double);
    double *q = PyMem_Malloc(2 * CHUNK * (bytes + 6 * sizeof(double)) + 1), space[2][6 * CHUNK];
    uint32_t pairs[2 * CHUNK];
    if (!q) PyErr_NoMemory();
    double *base = q ? q + 2 * CHUNK * width : NULL;
    int failed = q ? 0 : -1;
    for (uint32_t i = 0; i < 2 * CHUNK; i++) pairs[i] = i;
    for (size_t at = 0; !failed && at < count; at += batch->count) {
        batch->count = count - at < CHUNK ? count - at : CHUNK;
        batch->rows = 2 * batch->count;
        for (size_t k = 0; k < 2; k++) {
            const double *from = bases_of(&ends[k], at, batch->count, space[k]);
            for (size_t i = 0; i < batch->count; i++) {
                memcpy(q + (2 * i + k) * width, (const double *)ends[k].q.data + (at + i) * width,
                       bytes);
                if (from) memcpy(base + 6 * (2 * i + k), from + 6 * i, 6 * sizeof *base);
            }
        }
        batch->q = q;
        batch->base = ends[0].has_base ? base : NULL;
        batch->ends = pairs;
        batch->verdicts = verdicts + at;
        batch->earliest = earliest + at;
        batch->latest = latest + at;
        graze_error error;
        graze_status status;
        Py_BEGIN_ALLOW_THREADS status = graze_check_motion_batch(self->checker, batch, NULL,
                                                                 &error);
        Py_END_ALLOW_THREADS if (status) count_rows(&error, "motion", at);
        if (status) raise_error(self->state, &error);
        failed = status || PyErr_CheckSignals() ? -1 : 0;
    }
    PyMem_Free(q);
    return failed;
}

PyObject *checker_motions(PyObject *object, PyObject *arguments) {
    checker_object *self = (checker_object *)object;
    PyObject *q[2], *joints, *base[2], *out = NULL;
    Py_ssize_t threads;
    int first;
    if (!PyArg_ParseTuple(arguments, "OOOOOpn", &q[0], &q[1], &joints, &base[0], &base[1], &first,
                          &threads))
        return NULL;
    graze_motion_options options = graze_motion_options_default();
    if (first) options.answer = GRAZE_MOTION_FIRST;
    graze_motion_batch batch = graze_motion_batch_default();
    batch.options = &options;
    if (threads_read(&batch.threads, threads)) return NULL;
    questions ends[2];
    if (ends_read(self, ends, q, joints, base)) return NULL;
    binding_state *s = self->state;
    const Py_ssize_t shape[1] = {(Py_ssize_t)ends[0].q.count};
    uint8_t *codes = PyMem_Malloc(ends[0].q.count + 1);
    void *verdicts = NULL, *earliest = NULL, *latest = NULL;
    PyObject *v = codes ? array_new(s, s->int32, 1, shape, &verdicts) : PyErr_NoMemory();
    PyObject *e = v ? array_new(s, s->float64, 1, shape, &earliest) : NULL;
    PyObject *l = e ? array_new(s, s->float64, 1, shape, &latest) : NULL;
    if (l && check_motions(self, ends, &batch, codes, earliest, latest) == 0) {
        for (Py_ssize_t i = 0; i < shape[0]; i++) ((int32_t *)verdicts)[i] = codes[i];
        out = Py_BuildValue("(OOO)", v, e, l);
    }
    Py_XDECREF(v);
    Py_XDECREF(e);
    Py_XDECREF(l);
    PyMem_Free(codes);
    for (int k = 0; k < 2; k++) questions_release(&ends[k]);
    return out;
}

// ------------------------------------------------------------------------------------ trajectories

/// One number for each knot. Returns 0, or -1.
static int times_read(checker_object *self, rows *out, PyObject *given, size_t count) {
    if (rows_read(self->state, out, given, count, "times")) return -1;
    if (out->is_single) return 0;
    PyErr_Format(PyExc_ValueError, "times has two dimensions; allowed: [%zu]", count);
    rows_release(out);
    out->data = NULL;
    return -1;
}

/// Derivatives at knots, or None: rows with as many numbers as q has. Returns 0, or -1.
static int derivatives_read(checker_object *self, rows *out, PyObject *given, size_t count,
                            const char *what) {
    out->data = NULL;
    if (given == Py_None) return 0;
    if (rows_read(self->state, out, given, self->width, what)) return -1;
    if (out->count == count) return 0;
    PyErr_Format(PyExc_ValueError, "%s has %zu rows; allowed: those of positions, %zu", what,
                 out->count, count);
    rows_release(out);
    out->data = NULL;
    return -1;
}

typedef struct certify_work {
    checker_object *self;
    const graze_trajectory_knots *knots;
    graze_motion_options options;
    graze_trajectory_report report;
    graze_error error;
    graze_status status;
} certify_work;

static void certify(void *argument) {
    certify_work *c = argument;
    const graze_robot *robot = ((robot_object *)c->self->robot)->robot;
    const graze_checker *checker = c->self->checker;
    graze_trajectory *trajectory;
    graze_motion_workspace *workspace = NULL;
    c->status = graze_trajectory_from_knots(&trajectory, robot, c->knots, &c->error);
    if (!c->status) c->status = graze_motion_workspace_create(&workspace, checker, &c->error);
    if (!c->status)
        c->status = graze_check_trajectory(checker, workspace, trajectory, &c->options, &c->report,
                                           &c->error);
    graze_motion_workspace_free(workspace);
    graze_trajectory_free(trajectory);
}

static PyObject *certify_knots(checker_object *self, const graze_trajectory_knots *knots,
                               const graze_motion_options *options) {
    certify_work c = {.self = self, .knots = knots, .options = *options};
    if (run_motion(certify, &c, &c.options, knots->count <= QUICK_PIECES, &c.status,
                   &c.report.spent))
        return NULL;
    if (c.status) return raise_error(self->state, &c.error);
    return Py_BuildValue("(inddN)", (int)c.report.verdict, (Py_ssize_t)c.report.piece,
                         c.report.earliest, c.report.latest,
                         pair_of(self, c.report.verdict, &c.report.contact));
}

PyObject *checker_certify(PyObject *object, PyObject *arguments) {
    checker_object *self = (checker_object *)object;
    PyObject *times, *positions, *velocities, *accelerations, *base, *moving, *out = NULL;
    if (!PyArg_ParseTuple(arguments, "OOOOOO", &times, &positions, &velocities, &accelerations,
                          &base, &moving))
        return NULL;
    graze_motion_options options = graze_motion_options_default();
    graze_moving_object *memory;
    questions in;
    if (questions_read(self, &in, positions, NULL, base)) return NULL;
    rows t = {0}, v = {0}, a = {0};
    size_t n = in.q.count;
    double *bases = in.has_base ? PyMem_Malloc((6 * n + 1) * sizeof *bases) : NULL;
    if (in.has_base && !bases) PyErr_NoMemory();
    if (moving_read(self, moving, &options, &memory) == 0 && times_read(self, &t, times, n) == 0 &&
        derivatives_read(self, &v, velocities, n, "velocities") == 0 &&
        derivatives_read(self, &a, accelerations, n, "accelerations") == 0) {
        graze_trajectory_knots knots = graze_trajectory_knots_default();
        knots.count = n;
        knots.times = t.data;
        knots.q = in.q.data;
        knots.velocities = v.data;
        knots.accelerations = a.data;
        knots.base = bases_of(&in, 0, n, bases);
        out = certify_knots(self, &knots, &options);
    }
    PyMem_Free(memory);
    if (t.data) rows_release(&t);
    if (v.data) rows_release(&v);
    if (a.data) rows_release(&a);
    PyMem_Free(bases);
    questions_release(&in);
    return out;
}
