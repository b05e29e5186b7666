// Bullet, as an engine of stepbench (docs/adding-an-engine.md; engines/adapters.json has the commands that compile it
// for single and for double precision):
//
//     stepbench --engine build/engines/bullet_double order -p heavy_top -p rod_chain -s bullet_double:iterations=100
//
// Its joints are rows of a linear complementarity problem of velocities, with feedback erp/h of their errors of
// position, solved by sweeps without warm start or by Dantzig's pivots. Contacts begin with the impulses of the last step,
// which cannot be set: with them its state is `none`. Bullet multiplies the coefficients of two bodies, which have the roots
// of the contact's.
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

#include <memory>

#include "engine.hpp"

static btVector3 vector(const engine::Vector &a) { return btVector3(btScalar(a[0]), btScalar(a[1]), btScalar(a[2])); }

// Returns the frame at a point with its x along a direction and its z near another one.
static btTransform frame(const engine::Vector &point, btVector3 x, btVector3 z) {
    x.normalize();
    z = (z - x * z.dot(x)).normalized();
    const btVector3 y = z.cross(x);
    return btTransform(btMatrix3x3(x.x(), y.x(), z.x(), x.y(), y.y(), z.y(), x.z(), y.z(), z.z()), vector(point));
}

// Members are destroyed from the last to the first: joints and bodies leave the system before it is deleted.
struct System {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSphereShape ball{btScalar(0.01)};
    btDantzigSolver dantzig;
    std::unique_ptr<btConstraintSolver> solver;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    std::vector<std::unique_ptr<btCollisionShape>> shape;
    std::vector<std::unique_ptr<btRigidBody>> body, plane;
    std::vector<std::unique_ptr<btTypedConstraint>> joint;
    ~System() {
        for (auto &at : joint) world->removeConstraint(at.get());
        for (auto &at : body) world->removeRigidBody(at.get());
        for (auto &at : plane) world->removeRigidBody(at.get());
    }
};

struct Bullet : engine::Engine {
    engine::World given;
    engine::Json options;
    std::vector<engine::Shape> shapes;
    std::unique_ptr<System> system;
    int gyroscopic = 0;

    const char *hello() const override {
        return R"({"name": ")" BULLET_NAME R"(", "version": ")" BULLET_VERSION R"(", "order": 1, "state": "pure", "contacts": "none",
            "precision": )" BULLET_PRECISION R"(, "brief": "Bullet: joints by sweeps or by Dantzig's pivots",
            "parameters": [
            {"name": "solver", "default": "sweeps", "choices": ["sweeps", "dantzig"], "doc": "of the joints"},
            {"name": "iterations", "default": 10, "range": [1, 1000000], "doc": "sweeps"},
            {"name": "erp", "default": 0.2, "range": [0, 1], "doc": "part of an error of position removed per step"},
            {"name": "cfm", "default": 0, "range": [0, 1e300], "unit": "s/kg", "doc": "compliance over the step"},
            {"name": "gyroscopic", "default": "implicit_body", "choices": ["none", "explicit", "implicit_body",
             "implicit_world"], "doc": "torque w x J w of a body"}]})";
    }

    void world(const engine::Json &world, const engine::Json &parameters) override {
        given = engine::read_world(world, {"revolute", "spherical", "universal", "prismatic"});
        engine::refuse_thin(given);
        shapes = engine::touching(world, given, 31);
        options = parameters;
        build(given.start);
    }

    void build(const std::vector<engine::State> &states) {
        const std::string &torque = options["gyroscopic"].text;
        gyroscopic = torque == "none"       ? 0
                     : torque == "explicit" ? BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT
                     : torque == "implicit_body" ? BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY
                                                 : BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD;
        system.reset(new System);
        if (options["solver"].text == "dantzig") system->solver.reset(new btMLCPSolver(&system->dantzig));
        else system->solver.reset(new btSequentialImpulseConstraintSolver);
        system->world.reset(new btDiscreteDynamicsWorld(&system->dispatcher, &system->broadphase, system->solver.get(),
                                                        &system->configuration));
        system->world->setGravity(vector(given.gravity));
        btContactSolverInfo &info = system->world->getSolverInfo();
        info.m_numIterations = static_cast<int>(options["iterations"].number);
        info.m_erp = btScalar(options["erp"].number);
        info.m_globalCfm = btScalar(options["cfm"].number);
        for (std::size_t k = 0; k < given.bodies.size(); k++) add(given.bodies[k], int(k));
        for (const engine::Shape &shape : shapes)
            if (shape.type == "plane") addPlane(shape);
        place(states);
        for (const engine::Joint &joint : given.joints) add(joint);
    }

    btCollisionShape *make(const engine::Shape &from) {
        if (from.type != "plane" && from.point != engine::Vector{0, 0, 0})
            throw engine::Refuse("its shapes have their centres at the centres of mass");
        const engine::Vector &x = from.point, &n = from.normal;
        if (from.type == "plane")
            return new btStaticPlaneShape(vector(n), btScalar(x[0] * n[0] + x[1] * n[1] + x[2] * n[2]));
        if (from.type == "sphere") return new btSphereShape(btScalar(from.radius));
        return new btBoxShape(vector(from.size) / 2);
    }

    // Adds a body, which touches by its shape; without one it touches nothing.
    void addBody(std::unique_ptr<btRigidBody> body, const engine::Shape *shape,
                 std::vector<std::unique_ptr<btRigidBody>> &list) {
        if (shape != nullptr) {
            system->shape.emplace_back(make(*shape));
            body->setCollisionShape(system->shape.back().get());
            body->setFriction(btScalar(std::sqrt(shape->friction)));
            body->setRestitution(btScalar(std::sqrt(shape->restitution)));
        }
        const int bits = shape != nullptr ? int(shape->bits) : 0;
        system->world->addRigidBody(body.get(), bits, bits);
        list.push_back(std::move(body));
    }

    void addPlane(const engine::Shape &shape) {
        const btRigidBody::btRigidBodyConstructionInfo fixed(0, nullptr, &system->ball);
        addBody(std::make_unique<btRigidBody>(fixed), &shape, system->plane);
    }

    void add(const engine::Body &from, int number) {
        // In the plane a body has no inertia about x and y and no freedom there: it stays in the plane.
        const engine::Vector J = given.planar ? engine::Vector{0, 0, from.inertia[2]} : from.inertia;
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(from.mass), nullptr, &system->ball, vector(J));
        auto body = std::make_unique<btRigidBody>(info); // damping is 0 in a btRigidBodyConstructionInfo
        body->setActivationState(DISABLE_DEACTIVATION);
        body->setFlags(gyroscopic);
        const auto of = [&](const engine::Shape &shape) { return shape.body == number; };
        const auto shape = std::find_if(shapes.begin(), shapes.end(), of);
        if (std::count_if(shapes.begin(), shapes.end(), of) > 1) throw engine::Refuse("its bodies have one shape each");
        addBody(std::move(body), shape != shapes.end() ? &*shape : nullptr, system->body);
    }

    void add(const engine::Joint &from) {
        btRigidBody *body[2];
        btVector3 axis[2];
        for (int s = 0; s < 2; s++) {
            body[s] = from.body[s] < 0 ? &btTypedConstraint::getFixedBody() : system->body[std::size_t(from.body[s])].get();
            axis[s] = vector(from.axis[s]);
        }
        btTypedConstraint *joint;
        if (from.type == "spherical" || (from.type == "revolute" && given.planar)) {
            joint = new btPoint2PointConstraint(*body[0], *body[1], vector(from.point[0]), vector(from.point[1]));
        } else if (from.type == "revolute") {
            joint = new btHingeConstraint(*body[0], *body[1], vector(from.point[0]), vector(from.point[1]), axis[0], axis[1]);
        } else {
            // The 6 coordinates between two frames, the same in space at the start: x is the axis of a prismatic joint, z and
            // y are those of a universal one.
            const bool slides = from.type == "prismatic";
            const btMatrix3x3 R[2] = {body[0]->getWorldTransform().getBasis(), body[1]->getWorldTransform().getBasis()};
            const btVector3 first = R[0] * axis[0], x = slides ? first : (R[1] * axis[1]).cross(first);
            btVector3 z = first;
            if (slides) z.setZero(), z[first.absolute().minAxis()] = 1;
            const btTransform A = frame(from.point[0], R[0].transpose() * x, R[0].transpose() * z),
                              B = frame(from.point[1], R[1].transpose() * x, R[1].transpose() * z);
            btGeneric6DofConstraint *six = new btGeneric6DofConstraint(*body[0], *body[1], A, B, true);
            // With Bullet's own, true, a row has arms to two points and lacks the Coriolis term of what has slid.
            six->setUseFrameOffset(false);
            for (int k = 0; k < 6; k++) {
                const bool across = given.planar && k >= 2 && k <= 4; // no body leaves the plane
                const bool free = slides ? k == 0 || across : k == 4 || k == 5;
                six->setLimit(k, free, free ? -1 : 0);
            }
            joint = six;
        }
        system->joint.emplace_back(joint);
        system->world->addConstraint(joint, true);
    }

    void place(const std::vector<engine::State> &states) {
        for (std::size_t k = 0; k < states.size(); k++) {
            const engine::State &s = states[k];
            btRigidBody &body = *system->body[k];
            const btQuaternion e(btScalar(s.e[1]), btScalar(s.e[2]), btScalar(s.e[3]), btScalar(s.e[0]));
            body.setCenterOfMassTransform(btTransform(e, vector(s.x)));
            body.setLinearVelocity(vector(s.v));
            body.setAngularVelocity(vector(s.w));
            body.updateInertiaTensor();
        }
    }

    void set(double, const engine::Rows &poses, const engine::Rows &twists) override {
        const std::vector<engine::State> states = engine::in_space(poses, twists);
        if (shapes.empty()) place(states);
        else build(states);
    }

    void step(double h, engine::Rows &poses, engine::Rows &twists) override {
        system->world->stepSimulation(btScalar(h), 0);
        for (const auto &body : system->body) {
            const btVector3 x = body->getCenterOfMassPosition(), v = body->getLinearVelocity(), w = body->getAngularVelocity();
            const btQuaternion e = body->getOrientation();
            engine::append({{x.x(), x.y(), x.z()}, {v.x(), v.y(), v.z()}, {w.x(), w.y(), w.z()}, {e.w(), e.x(), e.y(), e.z()}},
                           given.planar, poses, twists);
        }
    }
};

int main() {
    Bullet bullet;
    return engine::run(bullet);
}
