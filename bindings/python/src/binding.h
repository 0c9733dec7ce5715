/// What the parts of the Python extension share. It uses the limited API of CPython 3.11, so that
/// one build serves every later version, and no header of numpy: arrays come in by the buffer
/// protocol and are made by calling numpy.
#ifndef GRAZE_PYTHON_BINDING_H
#define GRAZE_PYTHON_BINDING_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdio.h>
#include <string.h>

#include <graze/graze.h>

/// The types of the module, one set for each interpreter that imports it.
typedef struct binding_state {
    PyObject *error, *argument_error, *not_found_error;
    PyObject *numpy_empty, *numpy_asarray;
    PyObject *float64, *int32, *int64, *boolean, *uint8;
    PyTypeObject *robot_type, *world_type, *checker_type, *mesh_type;
} binding_state;

/// The state of the module that a type, or a type derived from it in Python, belongs to.
binding_state *binding_state_of(PyTypeObject *type);

typedef struct robot_object {
    PyObject_HEAD binding_state *state;
    graze_robot *robot;
} robot_object;

typedef struct world_object {
    PyObject_HEAD binding_state *state;
    graze_world *world;
    bool busy; ///< a thread works on it without the lock of the interpreter
} world_object;

typedef struct mesh_object {
    PyObject_HEAD graze_mesh *mesh;
} mesh_object;

/// Raises the exception that belongs to a status, with status, file, line, column and element as
/// attributes. Returns NULL.
PyObject *raise_error(binding_state *state, const graze_error *error);

// ------------------------------------------------------------------------------------------ arrays

/// Numbers of an argument: rows of `columns` each, contiguous. Borrowed from the argument where it
/// is such an array already, else from a copy. Release with rows_release().
typedef struct rows {
    Py_buffer view;
    const void *data;
    void *owned; ///< what `data` is where the buffer has another type, else NULL
    size_t count;
    bool is_single; ///< one-dimensional: one row
} rows;

/// Reads doubles. `what` names the argument in messages.
/// @return 0, or -1 with an exception set
int rows_read(binding_state *state, rows *out, PyObject *argument, size_t columns,
              const char *what);
/// Reads indices of vertices, uint32_t, three each.
int rows_read_triangles(binding_state *state, rows *out, PyObject *argument);
void rows_release(rows *r);

/// A rigid transform, as an array of 4x4 or 3x4 numbers; None is the identity.
/// @return 0, or -1 with an exception set
int pose_read(binding_state *state, graze_transform *out, PyObject *argument, const char *what);

/// Reads configurations of a robot: whole ones; those of `joints`, the others at rest; or a dict
/// from joints to numbers or arrays of them, likewise. joints may be NULL or None.
/// @return 0, or -1 with an exception set
int configurations_read(const robot_object *robot, rows *out, PyObject *argument, PyObject *joints,
                        const char *what);

/// A new numpy array of that type (state->float64 ...) and shape, and where its elements are, until
/// the array goes; NULL with an exception set.
PyObject *array_new(binding_state *state, PyObject *dtype, Py_ssize_t dimensions,
                    const Py_ssize_t *shape, void **data);

// ------------------------------------------------------------------------------------------- types

typedef struct checker_object {
    PyObject_HEAD binding_state *state;
    graze_checker *checker;
    PyObject *robot, *world; ///< kept, or NULL
    size_t width;
    graze_workspace **idle; ///< those that no thread uses; only under the interpreter's lock
    size_t idle_count, idle_capacity;
    graze_distance_workspace *distance; ///< NULL until it is needed; used under that lock alone
} checker_object;

/// Configurations with their bases: one row of each, or one base for all.
typedef struct questions {
    rows q, base;
    bool has_base;
} questions;

/// Reads q, whole or of some joints, and base, which may be NULL or None.
/// @return 0, or -1 with an exception set
int questions_read(checker_object *self, questions *in, PyObject *q, PyObject *joints,
                   PyObject *base);
void questions_release(questions *in);

/// (x, y, z)
PyObject *point_of(const graze_vec3 *p);

/// Names of graze_contact_kind.
extern const char *const contact_kinds[3];

/// One contact, in the order of graze.Contact.
PyObject *contact_of(const checker_object *self, const graze_contact *c);

/// A workspace of the checker for a single call, and back; only under the interpreter's lock. NULL
/// with an exception set.
graze_workspace *workspace_borrow(checker_object *self);
void workspace_give_back(checker_object *self, graze_workspace *workspace);

/// Runs work(argument) on a thread of its own, without the interpreter's lock, until it ends. Where
/// a signal of Python raises (Ctrl-C), *cancel becomes 1, which the work has to look at.
/// @return 0, or -1 with that exception set; the work has ended either way
int run_interruptible(void (*work)(void *argument), void *argument, volatile int *cancel);

/// Methods of Checker; their Python forms stand in __init__.py.
PyObject *checker_plan(PyObject *self, PyObject *arguments);
PyObject *checker_ik(PyObject *self, PyObject *arguments);
PyObject *checker_picture(PyObject *self, PyObject *arguments);
PyObject *checker_posed(PyObject *self, PyObject *poses);
PyObject *checker_posed_contacts(PyObject *self, PyObject *arguments);
PyObject *checker_distances(PyObject *self, PyObject *arguments);
PyObject *checker_nearest(PyObject *self, PyObject *arguments);
PyObject *checker_motion(PyObject *self, PyObject *arguments);
PyObject *checker_motions(PyObject *self, PyObject *arguments);
PyObject *checker_certify(PyObject *self, PyObject *arguments);

/// Functions of the module; their Python forms stand beside them.
PyObject *make_bodies(PyObject *module, PyObject *arguments);
PyObject *make_srdf(PyObject *module, PyObject *arguments);

/// Adds a mesh that is shared: (name, mesh, pose).
PyObject *world_add_shared(PyObject *self, PyObject *arguments);
/// Whether another thread is at work on this world; raises.
bool world_is_busy(const world_object *self);

/// A new Robot that owns `robot`; NULL, with the robot freed and an exception set.
PyObject *robot_wrap(binding_state *state, PyTypeObject *type, graze_robot *robot);

extern PyType_Spec robot_spec, world_spec, checker_spec, mesh_spec;

/// The characters of a str, without a null among them, as long as that lives; NULL with an
/// exception set.
const char *string_read(PyObject *text);

/// A string of the library, or None for NULL.
PyObject *text_or_none(const char *text);

/// Options of a load out of srdf, packages (a sequence of (name, folder)), package path, collada,
/// use_visual; the strings belong to the arguments. Free `options->packages` with PyMem_Free().
int load_options_read(graze_load_options *options, PyObject *srdf, PyObject *packages,
                      PyObject *package_path, int collada, int use_visual);

#endif
