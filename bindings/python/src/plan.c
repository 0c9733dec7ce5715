// What takes seconds rather than microseconds: paths, inverse kinematics, matrices of pairs. They
// run on a thread of their own, so that Ctrl-C ends them.

#include "binding.h"

#include <pthread.h>
#include <time.h>

// ------------------------------------------------------------------------------------- interrupts

typedef struct background {
    void (*work)(void *argument);
    void *argument;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool done;
} background;

static void *run_background(void *given) {
    background *b = given;
    b->work(b->argument);
    pthread_mutex_lock(&b->lock);
    b->done = true;
    pthread_cond_signal(&b->ended);
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/// Waits for the end, 50 ms at most.
static bool await(background *b) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 50000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&b->lock);
    if (!b->done) pthread_cond_timedwait(&b->ended, &b->lock, &until);
    bool done = b->done;
    pthread_mutex_unlock(&b->lock);
    return done;
}

int run_interruptible(void (*work)(void *argument), void *argument, volatile int *cancel) {
    background b = {.work = work,
                    .argument = argument,
                    .lock = PTHREAD_MUTEX_INITIALIZER,
                    .ended = PTHREAD_COND_INITIALIZER};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_background, &b)) {
        Py_BEGIN_ALLOW_THREADS work(argument);
        Py_END_ALLOW_THREADS return PyErr_CheckSignals();
    }
    int raised = 0;
    bool done;
    do {
        Py_BEGIN_ALLOW_THREADS done = await(&b);
        Py_END_ALLOW_THREADS if (!raised && PyErr_CheckSignals()) raised = *cancel = -1;
    } while (!done);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&b.ended);
    pthread_mutex_destroy(&b.lock);
    return raised;
}

// ----------------------------------------------------------------------------------------- columns

/// Columns of q in a buffer of int32, or none for None.
typedef struct columns {
    Py_buffer view;
    const int32_t *data; ///< NULL: all
    size_t count;
} columns;

static int columns_read(columns *out, PyObject *given) {
    *out = (columns){0};
    if (given == Py_None) return 0;
    if (PyObject_GetBuffer(given, &out->view, PyBUF_SIMPLE)) return -1;
    out->data = out->view.buf;
    out->count = (size_t)out->view.len / sizeof(int32_t);
    return 0;
}

static void columns_release(columns *c) {
    if (c->data) PyBuffer_Release(&c->view);
}

/// One configuration, and with it a base pose where that is given.
typedef struct place {
    rows q, base;
    const double *base_at; ///< NULL: the identity
} place;

static void place_release(place *p) {
    rows_release(&p->q);
    if (p->base_at) rows_release(&p->base);
}

static int place_read(checker_object *self, place *out, PyObject *q, PyObject *base,
                      const char *what) {
    out->base_at = NULL;
    if (configurations_read((const robot_object *)self->robot, &out->q, q, NULL, what)) return -1;
    if (base != Py_None && rows_read(self->state, &out->base, base, 6, "base")) {
        rows_release(&out->q);
        return -1;
    }
    if (base != Py_None) out->base_at = out->base.data;
    if (out->q.count == 1 && (!out->base_at || out->base.count == 1)) return 0;
    if (out->q.count != 1)
        PyErr_Format(PyExc_ValueError, "%s has %zu rows; allowed: one configuration", what,
                     out->q.count);
    else
        PyErr_Format(PyExc_ValueError, "the base of %s has %zu rows; allowed: one", what,
                     out->base.count);
    place_release(out);
    return -1;
}

// ------------------------------------------------------------------------------------------- paths

static const char *const outcomes[] = {"found",        "start-collides", "goal-collides",
                                       "start-limits", "goal-limits",    "iterations",
                                       "time",         "cancelled",      "unreachable"};

typedef struct planning {
    checker_object *self;
    place from, to;
    graze_plan_options options;
    graze_plan_result result;
    graze_error error;
    graze_status status;
} planning;

static void plan_work(void *given) {
    planning *p = given;
    p->status = graze_plan(p->self->checker, p->from.q.data, p->from.base_at, p->to.q.data,
                           p->to.base_at, &p->options, &p->result, &p->error);
}

/// Waypoints: float64[n, columns], or their bases: float64[n, 6].
static PyObject *waypoints(checker_object *self, const graze_path *path, bool bases) {
    const Py_ssize_t shape[2] = {(Py_ssize_t)graze_path_count(path),
                                 bases ? 6 : (Py_ssize_t)self->width};
    void *data;
    PyObject *out = array_new(self->state, self->state->float64, 2, shape, &data);
    for (Py_ssize_t i = 0; out && i < shape[0]; i++)
        memcpy((double *)data + i * shape[1],
               bases ? graze_path_base(path, (size_t)i) : graze_path_q(path, (size_t)i),
               (size_t)shape[1] * sizeof(double));
    return out;
}

/// In the order of graze.Plan.
static PyObject *plan_answer(checker_object *self, const graze_plan_result *r) {
    PyObject *way = r->path ? waypoints(self, r->path, false) : Py_NewRef(Py_None);
    PyObject *bases = r->path ? waypoints(self, r->path, true) : Py_NewRef(Py_None);
    bool collides = r->outcome == GRAZE_PLAN_START_COLLIDES ||
                    r->outcome == GRAZE_PLAN_GOAL_COLLIDES;
    PyObject *contact = collides ? contact_of(self, &r->contact) : Py_NewRef(Py_None);
    PyObject *out = NULL;
    if (way && bases && contact)
        out = Py_BuildValue("(sOOKKddOO)", outcomes[r->outcome], way, contact,
                            (unsigned long long)r->iterations,
                            (unsigned long long)r->configurations_checked, r->length, r->seconds,
                            r->certified ? Py_True : Py_False, bases);
    Py_XDECREF(way);
    Py_XDECREF(bases);
    Py_XDECREF(contact);
    return out;
}

PyObject *checker_plan(PyObject *object, PyObject *arguments) {
    PyObject *start, *goal, *chosen, *bases[2], *out = NULL;
    unsigned long long seed, improve;
    unsigned int sampler;
    Py_ssize_t threads;
    int planar;
    planning p = {.self = (checker_object *)object, .options = graze_plan_options_default()};
    graze_plan_options *o = &p.options;
    if (!PyArg_ParseTuple(arguments, "OOOKdddnOOpKdI", &start, &goal, &chosen, &seed,
                          &o->max_seconds, &o->resolution, &o->step, &threads, &bases[0], &bases[1],
                          &planar, &improve, &o->good_length, &sampler))
        return NULL;
    if (threads < 0 || threads > 4096)
        return PyErr_Format(PyExc_ValueError, "threads is %zd; allowed: 0 to 4096", threads);
    volatile int cancel = 0;
    columns c;
    o->seed = seed;
    o->improve_iterations = improve;
    o->sampler = sampler;
    o->threads = (uint32_t)threads;
    o->planar_base = (uint32_t)planar;
    o->cancel = &cancel;
    if (columns_read(&c, chosen)) return NULL;
    o->columns = c.data;
    o->column_count = c.count;
    if (place_read(p.self, &p.from, start, bases[0], "start") == 0) {
        if (place_read(p.self, &p.to, goal, bases[1], "goal") == 0) {
            int raised = run_interruptible(plan_work, &p, &cancel);
            if (!raised && p.status)
                raise_error(p.self->state, &p.error);
            else if (!raised)
                out = plan_answer(p.self, &p.result);
            graze_path_free(p.result.path);
            place_release(&p.to);
        }
        place_release(&p.from);
    }
    columns_release(&c);
    return out;
}

// ---------------------------------------------------------------------------- inverse kinematics

typedef struct reaching {
    checker_object *self;
    int32_t link;
    graze_transform pose, frame;
    place from;
    graze_ik_options options;
    double *solutions;
    size_t capacity;
    graze_ik_result result;
    graze_error error;
    graze_status status;
} reaching;

static void ik_work(void *given) {
    reaching *r = given;
    r->status = graze_ik(r->self->checker, r->link, &r->pose, r->from.q.data, r->from.base_at,
                         &r->options, r->solutions, r->capacity, &r->result, &r->error);
}

/// In the order of graze.Reach.
static PyObject *ik_answer(checker_object *self, const reaching *r) {
    const Py_ssize_t shape[2] = {(Py_ssize_t)r->result.count, (Py_ssize_t)self->width};
    void *data;
    PyObject *way = array_new(self->state, self->state->float64, 2, shape, &data);
    if (!way) return NULL;
    memcpy(data, r->solutions, r->result.count * self->width * sizeof(double));
    PyObject *contact = r->result.collided ? contact_of(self, &r->result.contact)
                                           : Py_NewRef(Py_None);
    if (!contact) {
        Py_DECREF(way);
        return NULL;
    }
    return Py_BuildValue("(NIIIIddN)", way, (unsigned)r->result.starts, (unsigned)r->result.reached,
                         (unsigned)r->result.beyond, (unsigned)r->result.collided,
                         r->result.position_error, r->result.angle_error, contact);
}

PyObject *checker_ik(PyObject *object, PyObject *arguments) {
    const char *link;
    PyObject *pose, *start, *chosen, *base, *frame, *out = NULL;
    Py_ssize_t capacity, starts;
    int position_only, colliding;
    unsigned long long seed;
    reaching r = {.self = (checker_object *)object, .options = graze_ik_options_default()};
    graze_ik_options *o = &r.options;
    if (!PyArg_ParseTuple(arguments, "sOOOOOnppKnddd", &link, &pose, &start, &chosen, &base, &frame,
                          &capacity, &position_only, &colliding, &seed, &starts,
                          &o->position_tolerance, &o->angle_tolerance, &o->distinct))
        return NULL;
    const graze_robot *robot = ((robot_object *)r.self->robot)->robot;
    r.link = graze_robot_find_link(robot, link);
    if (r.link < 0) return PyErr_Format(PyExc_KeyError, "no link '%s'", link);
    if (capacity < 1 || capacity > 1000000)
        return PyErr_Format(PyExc_ValueError, "count is %zd; allowed: 1 to 1000000", capacity);
    if (starts < 1 || starts > 1000000000)
        return PyErr_Format(PyExc_ValueError, "starts is %zd; allowed: 1 to 1000000000", starts);
    columns c;
    if (pose_read(r.self->state, &r.pose, pose, "pose") ||
        pose_read(r.self->state, &r.frame, frame, "frame") || columns_read(&c, chosen))
        return NULL;
    volatile int cancel = 0;
    o->columns = c.data;
    o->column_count = c.count;
    o->position_only = (uint32_t)position_only;
    o->colliding = (uint32_t)colliding;
    o->starts = (uint32_t)starts;
    o->seed = seed;
    o->frame = &r.frame;
    o->cancel = &cancel;
    r.capacity = (size_t)capacity;
    r.solutions = PyMem_Malloc((r.capacity * r.self->width + 1) * sizeof *r.solutions);
    if (!r.solutions) PyErr_NoMemory();
    if (r.solutions && place_read(r.self, &r.from, start, base, "start") == 0) {
        int raised = run_interruptible(ik_work, &r, &cancel);
        if (!raised && r.status)
            raise_error(r.self->state, &r.error);
        else if (!raised)
            out = ik_answer(r.self, &r);
        place_release(&r.from);
    }
    PyMem_Free(r.solutions);
    columns_release(&c);
    return out;
}

// ------------------------------------------------------------------------------ matrices of pairs

typedef struct matching {
    const graze_robot *robot;
    graze_matrix_options options;
    const char *text, *name;
    size_t text_size;
    char *made;
    size_t made_size;
    graze_error error;
    graze_status status;
} matching;

static void srdf_work(void *given) {
    matching *m = given;
    graze_matrix *matrix = NULL;
    m->status = graze_matrix_compute(&matrix, m->robot, &m->options, &m->error);
    if (m->status == GRAZE_OK)
        m->status = graze_matrix_write_srdf(&m->made, &m->made_size, matrix, m->text, m->text_size,
                                            m->name, NULL, &m->error);
    graze_matrix_free(matrix);
}

PyObject *make_srdf(PyObject *module, PyObject *arguments) {
    binding_state *state = PyModule_GetState(module);
    PyObject *robot, *out = NULL;
    Py_ssize_t size = 0, threads;
    unsigned long long samples, seed;
    int quick;
    matching m = {.options = graze_matrix_options_default()};
    if (!PyArg_ParseTuple(arguments, "O!z#sKKpn", state->robot_type, &robot, &m.text, &size,
                          &m.name, &samples, &seed, &quick, &threads))
        return NULL;
    if (threads < 0 || threads > 4096)
        return PyErr_Format(PyExc_ValueError, "threads is %zd; allowed: 0 to 4096", threads);
    volatile int cancel = 0;
    m.robot = ((robot_object *)robot)->robot;
    m.text_size = (size_t)size;
    m.options.samples = samples;
    m.options.seed = seed;
    m.options.threads = (uint32_t)threads;
    m.options.quick = quick ? GRAZE_MATRIX_QUICK : 0;
    m.options.cancel = &cancel;
    int raised = run_interruptible(srdf_work, &m, &cancel);
    if (!raised && m.status)
        raise_error(state, &m.error);
    else if (!raised)
        out = PyUnicode_DecodeUTF8(m.made, (Py_ssize_t)m.made_size, "strict");
    graze_matrix_text_free(m.made);
    return out;
}
