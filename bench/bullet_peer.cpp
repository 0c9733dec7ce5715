// Bullet: GImpact shapes for the robot, static triangle trees for the world's meshes.
//
// Meshes that move are GImpact in Bullet. btCollisionWorld::contactPairTest() asks the dispatcher
// for closest-point algorithms, and GImpact has none: it finds nothing. So the dispatcher is asked
// for contact-point algorithms here. GImpact makes every contact; it has no early end.

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>

#include "bullet_model.h"
#include "peer.h"

namespace bench {
namespace {

/// Remembers whether anything touched; makes no manifold.
class Touch : public btManifoldResult {
  public:
    Touch(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b)
        : btManifoldResult(a, b) {}
    void addContactPoint(const btVector3 &, const btVector3 &, btScalar depth) override {
        if (depth <= 0) touched = true;
    }
    bool touched = false;
};

class GImpact : public PairLoop {
  public:
    GImpact(const scene::Robot &robot, const scene::World *world)
        : PairLoop(robot, world, true, false), dispatcher_(&configuration_) {
        btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
        for (size_t i = 0; i < body_count(); i++) {
            shapes_.push_back(make_shape(body(i)));
            shapes_.back()->setMargin(0);
            if (auto *mesh = dynamic_cast<btGImpactMeshShape *>(shapes_.back().get()))
                mesh->updateBound();
            objects_.push_back(std::make_unique<btCollisionObject>());
            objects_.back()->setCollisionShape(shapes_.back().get());
        }
        place_objects();
    }

  protected:
    void place(size_t i, const graze_transform &pose) override {
        objects_[i]->setWorldTransform(bullet_transform(pose));
    }

    bool collide(size_t a, size_t b) override {
        btCollisionObject *oa = objects_[a].get(), *ob = objects_[b].get();
        btCollisionObjectWrapper wa(nullptr, oa->getCollisionShape(), oa, oa->getWorldTransform(),
                                    -1, -1);
        btCollisionObjectWrapper wb(nullptr, ob->getCollisionShape(), ob, ob->getWorldTransform(),
                                    -1, -1);
        btCollisionAlgorithm *algorithm = dispatcher_.findAlgorithm(&wa, &wb, nullptr,
                                                                    BT_CONTACT_POINT_ALGORITHMS);
        if (!algorithm) scene::fail("Bullet: no algorithm for a pair of shapes");
        Touch touch(&wa, &wb);
        algorithm->processCollision(&wa, &wb, dispatch_, &touch);
        algorithm->~btCollisionAlgorithm();
        dispatcher_.freeCollisionAlgorithm(algorithm);
        return touch.touched;
    }

  private:
    /// Vertices in Bullet's precision, and the interface that reads them.
    struct Mesh {
        std::vector<btScalar> vertices;
        std::vector<int> indices;
        btTriangleIndexVertexArray array;
    };

    std::unique_ptr<btCollisionShape> make_shape(const scene::Body &body) {
        if (auto shape = bullet_primitive(body)) return shape;
        meshes_.push_back(std::make_unique<Mesh>());
        Mesh &mesh = *meshes_.back();
        mesh.vertices.assign(body.mesh.vertices.begin(), body.mesh.vertices.end());
        mesh.indices.assign(body.mesh.indices.begin(), body.mesh.indices.end());
        btIndexedMesh indexed;
        indexed.m_numTriangles = (int)(mesh.indices.size() / 3);
        indexed.m_triangleIndexBase = reinterpret_cast<const unsigned char *>(mesh.indices.data());
        indexed.m_triangleIndexStride = 3 * (int)sizeof(int);
        indexed.m_numVertices = (int)(mesh.vertices.size() / 3);
        indexed.m_vertexBase = reinterpret_cast<const unsigned char *>(mesh.vertices.data());
        indexed.m_vertexStride = 3 * (int)sizeof(btScalar);
        mesh.array.addIndexedMesh(indexed);
        if (body.link < 0) return std::make_unique<btBvhTriangleMeshShape>(&mesh.array, true);
        return std::make_unique<btGImpactMeshShape>(&mesh.array);
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDispatcherInfo dispatch_;
    std::vector<std::unique_ptr<Mesh>> meshes_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btCollisionObject>> objects_;
};

} // namespace

std::unique_ptr<Peer> bullet_gimpact(const scene::Robot &robot, const scene::World *world) {
    return std::make_unique<GImpact>(robot, world);
}

} // namespace bench
