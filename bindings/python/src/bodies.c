// Meshes that move freely, as collision managers have them: the type Mesh, a robot whose links they
// are, and checks of it at poses from outside.

#include "binding.h"

// ------------------------------------------------------------------------------------------ meshes

static PyObject *mesh_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"vertices", "triangles", NULL};
    binding_state *state = binding_state_of(type);
    PyObject *points, *indices;
    rows vertices, triangles;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO", keywords, &points, &indices) ||
        rows_read(state, &vertices, points, 3, "vertices"))
        return NULL;
    if (rows_read_triangles(state, &triangles, indices)) {
        rows_release(&vertices);
        return NULL;
    }
    graze_mesh *mesh;
    graze_error error;
    graze_status status;
    Py_BEGIN_ALLOW_THREADS status = graze_mesh_create(&mesh, vertices.data, vertices.count,
                                                      triangles.data, triangles.count, &error);
    Py_END_ALLOW_THREADS rows_release(&vertices);
    rows_release(&triangles);
    if (status) return raise_error(state, &error);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    mesh_object *self = (mesh_object *)allocate(type, 0);
    if (self)
        self->mesh = mesh;
    else
        graze_mesh_free(mesh);
    return (PyObject *)self;
}

static void mesh_free(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    graze_mesh_free(((mesh_object *)self)->mesh);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_tp_doc, "A triangle mesh, immutable: Mesh(vertices, triangles), float64[V, 3], metres, and "
                "integers [T, 3]; copied. What is made of it shares it."},
    {Py_tp_new, mesh_new},
    {Py_tp_dealloc, mesh_free},
    {0, NULL},
};

PyType_Spec mesh_spec = {
    .name = "graze._graze.Mesh",
    .basicsize = sizeof(mesh_object),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};

PyObject *world_add_shared(PyObject *object, PyObject *arguments) {
    world_object *self = (world_object *)object;
    const char *name;
    PyObject *mesh, *at;
    graze_transform pose;
    graze_error error;
    if (!PyArg_ParseTuple(arguments, "sO!O", &name, self->state->mesh_type, &mesh, &at) ||
        world_is_busy(self) || pose_read(self->state, &pose, at, "pose"))
        return NULL;
    const graze_geometry g = {.shape = GRAZE_SHAPE_MESH, .mesh = ((mesh_object *)mesh)->mesh};
    if (graze_world_add_geometry(self->world, name, &g, &pose, &error))
        return raise_error(self->state, &error);
    Py_RETURN_NONE;
}

// ------------------------------------------------------------------------------------------ robots

/// Adds a link with a mesh, on a joint that lets it be anywhere.
static graze_status add_body(graze_robot_builder *builder, const char *name, const graze_mesh *mesh,
                             graze_error *error) {
    const graze_geometry g = {.shape = GRAZE_SHAPE_MESH, .mesh = mesh};
    graze_joint_input joint = graze_joint_input_default();
    joint.type = GRAZE_JOINT_FLOATING;
    joint.name = joint.child = name;
    joint.parent = "world";
    graze_status status = graze_robot_builder_link(builder, name, error);
    if (!status) status = graze_robot_builder_collision(builder, name, NULL, &g, error);
    return status ? status : graze_robot_builder_joint(builder, &joint, error);
}

/// Has all pairs checked: as the link between them has no geometry, they count as adjacent.
static graze_status enable_pairs(graze_robot_builder *builder, const char *const *names,
                                 Py_ssize_t count, graze_error *error) {
    graze_status status = GRAZE_OK;
    for (Py_ssize_t i = 0; i < count; i++)
        for (Py_ssize_t k = i + 1; !status && k < count; k++)
            status = graze_robot_builder_enable_pair(builder, names[i], names[k], error);
    return status;
}

/// bodies([(name, mesh), ...], pairs): a robot with the link "world" and a link for each, of which
/// each two are checked where `pairs` says so.
PyObject *make_bodies(PyObject *module, PyObject *arguments) {
    binding_state *state = PyModule_GetState(module);
    PyObject *list;
    int pairs;
    if (!PyArg_ParseTuple(arguments, "O!p", &PyList_Type, &list, &pairs)) return NULL;
    Py_ssize_t count = PyList_Size(list);
    const char **names = PyMem_Calloc((size_t)count + 1, sizeof *names);
    if (!names) return PyErr_NoMemory();
    graze_robot_builder *builder;
    graze_robot *robot = NULL;
    graze_error error;
    graze_status status = graze_robot_builder_create(&builder, "bodies", &error);
    if (!status) status = graze_robot_builder_link(builder, "world", &error);
    for (Py_ssize_t i = 0; !status && i < count; i++) {
        PyObject *body = PyList_GetItem(list, i), *mesh;
        if (!PyTuple_Check(body)) PyErr_SetString(PyExc_TypeError, "a body is (name, mesh)");
        if (PyErr_Occurred() || !PyArg_ParseTuple(body, "sO!", &names[i], state->mesh_type, &mesh))
            break;
        status = add_body(builder, names[i], ((mesh_object *)mesh)->mesh, &error);
    }
    bool good = !PyErr_Occurred();
    if (good && !status && pairs) status = enable_pairs(builder, names, count, &error);
    if (good && !status) status = graze_robot_builder_finish(builder, &robot, &error);
    graze_robot_builder_free(builder);
    PyMem_Free(names);
    if (!good) return NULL;
    return status ? raise_error(state, &error) : robot_wrap(state, state->robot_type, robot);
}

// ------------------------------------------------------------------------------ poses from outside

/// Poses of all links out of an array of links times 4x4 numbers. NULL with an exception set.
static graze_transform *poses_read(checker_object *self, PyObject *given, size_t *count) {
    rows r;
    if (rows_read(self->state, &r, given, 16, "poses")) return NULL;
    graze_transform *poses = PyMem_Malloc((r.count + 1) * sizeof *poses);
    if (!poses) PyErr_NoMemory();
    for (size_t i = 0; poses && i < r.count; i++)
        memcpy(poses[i].m, (const double *)r.data + 16 * i, sizeof poses[i].m);
    *count = r.count;
    rows_release(&r);
    return poses;
}

/// _posed(poses): whether the links collide there. poses: float64[links, 16], rows of 4x4.
PyObject *checker_posed(PyObject *object, PyObject *given) {
    checker_object *self = (checker_object *)object;
    size_t count;
    graze_transform *poses = poses_read(self, given, &count);
    graze_workspace *workspace = poses ? workspace_borrow(self) : NULL;
    graze_report report = {0};
    graze_error error;
    graze_status status = GRAZE_OK;
    if (workspace) {
        status = graze_check_posed(self->checker, workspace, GRAZE_ANSWER_ANY, poses, count,
                                   &report, &error);
        workspace_give_back(self, workspace);
    }
    PyMem_Free(poses);
    if (!workspace) return NULL;
    if (status) return raise_error(self->state, &error);
    return PyBool_FromLong(report.verdict == GRAZE_COLLISION);
}

/// The pairs of triangles of one pair: a list of (triangle, triangle, x, y, z), the middle of where
/// they meet.
static PyObject *triangles_of(const graze_contact_report *r, const graze_contact_pair *p) {
    PyObject *list = PyList_New(0);
    for (size_t i = p->first; list && i < p->first + p->written; i++) {
        const graze_triangle_pair *t = &r->triangles[i];
        PyObject *item = Py_BuildValue(
            "(LLddd)", (long long)t->triangle, (long long)t->other_triangle,
            (t->segment[0].x + t->segment[1].x) / 2, (t->segment[0].y + t->segment[1].y) / 2,
            (t->segment[0].z + t->segment[1].z) / 2);
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *pairs_of(const graze_contact_report *r) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < r->pair_count; i++) {
        const graze_contact_pair *p = &r->pairs[i];
        PyObject *triangles = triangles_of(r, p), *item = NULL;
        if (triangles)
            item = Py_BuildValue("(iiiOdNNN)", (int)p->kind, (int)p->link, (int)p->other,
                                 p->contained ? Py_True : Py_False, p->depth, point_of(&p->normal),
                                 point_of(&p->points[0]), triangles);
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/// Lists contacts, in arrays that are made larger until all fit.
static graze_status list_contacts(checker_object *self, graze_workspace *workspace,
                                  const graze_transform *poses, size_t count, size_t limit,
                                  graze_contact_report *r, graze_error *error) {
    graze_contacts_options o = graze_contacts_options_default();
    o.triangle_limit = limit;
    graze_status status = GRAZE_OK;
    for (int round = 0; round < 2; round++) {
        r->pairs = PyMem_Calloc(r->pair_capacity + 1, sizeof *r->pairs);
        r->triangles = PyMem_Calloc(r->triangle_capacity + 1, sizeof *r->triangles);
        if (!r->pairs || !r->triangles)
            return (graze_status)(error->status = GRAZE_ERROR_NO_MEMORY);
        status = graze_check_posed_contacts(self->checker, workspace, poses, count, &o, r, error);
        bool whole = r->pair_count <= r->pair_capacity &&
                     (r->triangles_written == r->triangle_count || !r->truncated ||
                      r->triangles_written < r->triangle_capacity);
        if (status || whole || round == 1) return status;
        r->pair_capacity = r->pair_count;
        r->triangle_capacity = r->triangle_count;
        PyMem_Free(r->pairs);
        PyMem_Free(r->triangles);
    }
    return status;
}

/// _posed_contacts(poses, limit): every pair that collides, as (kind, link, other, contained,
/// depth, normal, point, triangles); of each at most `limit` pairs of triangles.
PyObject *checker_posed_contacts(PyObject *object, PyObject *arguments) {
    checker_object *self = (checker_object *)object;
    PyObject *given, *out = NULL;
    Py_ssize_t limit;
    if (!PyArg_ParseTuple(arguments, "On", &given, &limit)) return NULL;
    if (limit < 0) return PyErr_Format(PyExc_ValueError, "limit is %zd; allowed: 0 or more", limit);
    size_t count;
    graze_transform *poses = poses_read(self, given, &count);
    graze_workspace *workspace = poses ? workspace_borrow(self) : NULL;
    graze_contact_report r = {.pair_capacity = 16, .triangle_capacity = 256};
    graze_error error;
    if (workspace) {
        graze_status status = list_contacts(self, workspace, poses, count, (size_t)limit, &r,
                                            &error);
        workspace_give_back(self, workspace);
        out = status ? raise_error(self->state, &error) : pairs_of(&r);
    }
    PyMem_Free(r.pairs);
    PyMem_Free(r.triangles);
    PyMem_Free(poses);
    return out;
}
