// ODE: triangle meshes with OPCODE's trees.

#include <ode/ode.h>

#include "peer.h"

namespace bench {
namespace {

/// The library's own start and end, once per process.
struct Library {
    Library() {
        dInitODE2(0);
        dAllocateODEDataForThread(dAllocateMaskAll);
    }
    ~Library() { dCloseODE(); }
};

class Trimesh : public PairLoop {
  public:
    Trimesh(const scene::Robot &robot, const scene::World *world)
        : PairLoop(robot, world, true, false) {
        static Library library;
        vertices_.resize(body_count());
        for (size_t i = 0; i < body_count(); i++) geoms_.push_back(make_geom(i));
        place_objects();
    }

    ~Trimesh() override {
        for (dGeomID geom : geoms_) dGeomDestroy(geom);
        for (dTriMeshDataID data : data_) dGeomTriMeshDataDestroy(data);
    }

  protected:
    void place(size_t i, const graze_transform &pose) override {
        const double *m = pose.m;
        dMatrix3 rotation = {m[0], m[1], m[2], 0, m[4], m[5], m[6], 0, m[8], m[9], m[10], 0};
        dGeomSetPosition(geoms_[i], m[3], m[7], m[11]);
        dGeomSetRotation(geoms_[i], rotation);
    }

    bool collide(size_t a, size_t b) override {
        dContactGeom contact;
        int flags = 1 | (int)CONTACTS_UNIMPORTANT; // the first contact will do
        return dCollide(geoms_[a], geoms_[b], flags, &contact, sizeof contact) > 0;
    }

  private:
    dGeomID make_geom(size_t i) {
        const scene::Body &shape = body(i);
        switch (shape.shape) {
        case GRAZE_SHAPE_BOX:
            return dCreateBox(nullptr, shape.size[0], shape.size[1], shape.size[2]);
        case GRAZE_SHAPE_SPHERE:
            return dCreateSphere(nullptr, shape.radius);
        case GRAZE_SHAPE_CYLINDER:
            return dCreateCylinder(nullptr, shape.radius, shape.length);
        case GRAZE_SHAPE_CAPSULE:
            return dCreateCapsule(nullptr, shape.radius, shape.length);
        default:
            break;
        }
        // OPCODE works in single precision inside; given doubles, it converts on every access.
        vertices_[i].assign(shape.mesh.vertices.begin(), shape.mesh.vertices.end());
        dTriMeshDataID data = dGeomTriMeshDataCreate();
        dGeomTriMeshDataBuildSingle(data, vertices_[i].data(), 3 * sizeof(float),
                                    (int)(vertices_[i].size() / 3), shape.mesh.indices.data(),
                                    (int)shape.mesh.indices.size(), 3 * sizeof(uint32_t));
        data_.push_back(data);
        return dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
    }

    std::vector<std::vector<float>> vertices_;
    std::vector<dTriMeshDataID> data_;
    std::vector<dGeomID> geoms_;
};

} // namespace

std::unique_ptr<Peer> ode_trimesh(const scene::Robot &robot, const scene::World *world) {
    return std::make_unique<Trimesh>(robot, world);
}

} // namespace bench
