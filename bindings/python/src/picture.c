// Pictures of configurations, by the module that draws for the command.

#include "binding.h"

#include <stdlib.h>

#include "picture/picture.h"
#include "picture/raster.h"

typedef struct drawing {
    gz_picture picture;
    uint8_t *pixels;
    bool wants_png;
    char *png; ///< the bytes of a file
    size_t png_size;
    graze_error error;
    graze_status status;
} drawing;

/// Writes the pixels as PNG into memory.
static graze_status make_png(drawing *d) {
    const gz_pixels pixels = {
        .width = d->picture.width, .height = d->picture.height, .rgb = d->pixels};
    FILE *stream = open_memstream(&d->png, &d->png_size);
    bool good = stream && gz_pixels_write_png(&pixels, stream);
    if (stream && fclose(stream)) good = false;
    return good ? GRAZE_OK : (graze_status)(d->error.status = GRAZE_ERROR_NO_MEMORY);
}

static void draw(drawing *d) {
    d->status = gz_picture_draw(&d->picture, d->pixels, &d->error);
    if (d->status == GRAZE_OK && d->wants_png) d->status = make_png(d);
}

/// Poses of a configuration, and its contacts; frees nothing on failure.
static int pose_contacts(checker_object *self, const questions *in, graze_transform *poses,
                         graze_report *report) {
    graze_workspace *workspace = workspace_borrow(self);
    if (!workspace) return -1;
    const graze_robot *robot = ((robot_object *)self->robot)->robot;
    const double *base = in->has_base ? in->base.data : NULL;
    graze_error error;
    graze_status status = graze_robot_pose(robot, in->q.data, self->width, base, poses, &error);
    if (!status)
        status = graze_check(self->checker, workspace, GRAZE_ANSWER_ALL, in->q.data, self->width,
                             base, report, &error);
    workspace_give_back(self, workspace);
    if (status) raise_error(self->state, &error);
    return status ? -1 : 0;
}

static PyObject *draw_posed(checker_object *self, const questions *in, drawing *d) {
    const Py_ssize_t shape[3] = {d->picture.height, d->picture.width, 3};
    size_t links = graze_robot_link_count(d->picture.robot);
    enum { MOST_CONTACTS = 4096 };
    graze_transform *poses = PyMem_Malloc((links + 1) * sizeof *poses);
    graze_report report = {.capacity = MOST_CONTACTS};
    report.contacts = PyMem_Malloc(MOST_CONTACTS * sizeof *report.contacts);
    void *data;
    PyObject *out = NULL;
    if (!poses || !report.contacts)
        PyErr_NoMemory();
    else if (pose_contacts(self, in, poses, &report) == 0)
        out = array_new(self->state, self->state->uint8, 3, shape, &data);
    if (out) {
        d->pixels = data;
        d->picture.links = poses;
        d->picture.pose_count = 1;
        d->picture.contacts = report.contacts;
        d->picture.contact_count = report.count < MOST_CONTACTS ? report.count : MOST_CONTACTS;
        Py_BEGIN_ALLOW_THREADS draw(d);
        Py_END_ALLOW_THREADS
    }
    PyMem_Free(poses);
    PyMem_Free(report.contacts);
    if (out && d->status) {
        Py_CLEAR(out);
        raise_error(self->state, &d->error);
    }
    if (out) out = Py_BuildValue("(Ny#)", out, d->png ? d->png : "", (Py_ssize_t)d->png_size);
    free(d->png);
    return out;
}

/// _picture(q, png, joints, base, width, height, visuals, view): the pixels, and the bytes of a PNG
/// or none; view is None, or azimuth, elevation, distance.
PyObject *checker_picture(PyObject *object, PyObject *arguments) {
    checker_object *self = (checker_object *)object;
    PyObject *q, *joints, *base, *view, *out = NULL;
    drawing d = {.picture = gz_picture_default()};
    gz_picture *p = &d.picture;
    int visuals, png;
    if (!PyArg_ParseTuple(arguments, "OpOOiipO", &q, &png, &joints, &base, &p->width, &p->height,
                          &visuals, &view))
        return NULL;
    if (view != Py_None &&
        !PyArg_ParseTuple(view, "ddd", &p->view.azimuth, &p->view.elevation, &p->view.distance))
        return NULL;
    if (p->width < 16 || p->width > 16384 || p->height < 16 || p->height > 16384)
        return PyErr_Format(PyExc_ValueError, "size is %d x %d; allowed: 16 to 16384 each",
                            (int)p->width, (int)p->height);
    p->view.given = view != Py_None;
    p->view.link = -1;
    p->robot = ((robot_object *)self->robot)->robot;
    p->world = self->world ? ((world_object *)self->world)->world : NULL;
    p->visuals = visuals;
    d.wants_png = png;
    questions in;
    if (questions_read(self, &in, q, joints, base)) return NULL;
    if (in.q.count == 1)
        out = draw_posed(self, &in, &d);
    else
        PyErr_Format(PyExc_ValueError, "q has %zu rows; allowed: one configuration", in.q.count);
    questions_release(&in);
    return out;
}
