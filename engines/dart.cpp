// DART, as an engine of stepbench (docs/adding-an-engine.md; engines/adapters.json has the command that compiles it):
//
//     stepbench --engine build/engines/dart order -p rod_chain -p heavy_top -s dart
//
// DART has the coordinates of joints, and a semi-implicit Euler step of them. The bodies become trees. Joints that close
// loops become rows of a linear complementarity problem of velocities, with feedback of their errors of position.
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlanarJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/UniversalJoint.hpp>
#include <dart/simulation/World.hpp>

#include "engine.hpp"

using Frame = Eigen::Isometry3d;

static Eigen::Vector3d vector(const engine::Vector &a) { return Eigen::Vector3d(a[0], a[1], a[2]); }

// Returns the pose of a body in the ground.
static Frame frame(const engine::State &s) {
    Frame out(Eigen::Quaterniond(s.e[0], s.e[1], s.e[2], s.e[3]).normalized());
    out.translation() = vector(s.x);
    return out;
}

// Returns the frame at a point of a body with the attitude R, with its x and y along two directions in space.
static Frame frame(const engine::Vector &point, const Eigen::Matrix3d &R, const Eigen::Vector3d &x,
                   const Eigen::Vector3d &y) {
    Frame out = Frame::Identity();
    out.linear() << R.transpose() * x, R.transpose() * y, R.transpose() * x.cross(y);
    out.translation() = vector(point);
    return out;
}

struct Dart : engine::Engine {
    engine::World given;
    dart::simulation::WorldPtr system;
    dart::dynamics::SkeletonPtr skeleton;
    std::vector<dart::dynamics::BodyNode *> bodies; // in the order of the world
    std::vector<engine::Hanging> order;
    std::vector<const engine::Joint *> loops;

    const char *hello() const override {
        return R"({"name": "dart", "version": ")" DART_RELEASE R"(", "order": 1, "state": "pure",
            "brief": "DART: coordinates of joints, semi-implicit Euler", "parameters": [
            {"name": "erp", "default": 0.01, "range": [0, 1], "doc": "part of an error of position removed per step"},
            {"name": "cfm", "default": 1e-9, "range": [1e-9, 1], "doc": "compliance relative to that of the bodies"}]})";
    }

    void world(const engine::Json &world, const engine::Json &parameters) override {
        using dart::constraint::DynamicJointConstraint;
        given = engine::read_world(world, {"revolute", "spherical", "universal", "prismatic"});
        engine::refuse_thin(given);
        DynamicJointConstraint::setErrorAllowance(0);
        DynamicJointConstraint::setMaxErrorReductionVelocity(1e9); // its own is 1 m/s
        DynamicJointConstraint::setErrorReductionParameter(parameters["erp"].number);
        DynamicJointConstraint::setConstraintForceMixing(parameters["cfm"].number);
        system = dart::simulation::World::create();
        system->setGravity(vector(given.gravity));
        skeleton = dart::dynamics::Skeleton::create();
        loops.clear();
        order = engine::tree(given, {}, loops);
        bodies.assign(given.bodies.size(), nullptr);
        for (const engine::Joint *joint : loops)
            if (joint->type != "revolute" && joint->type != "spherical")
                throw engine::Refuse("it closes no loop by a " + joint->type + " joint");
        for (const engine::Hanging &at : order) hang(at);
        system->addSkeleton(skeleton);
    }

    dart::dynamics::BodyNode *of(int body) const { return body < 0 ? nullptr : bodies[std::size_t(body)]; }
    Frame at_start(int body) const { return body < 0 ? Frame::Identity() : frame(given.start[std::size_t(body)]); }

    template <class Joint> Joint *add(int child, int parent) {
        const auto made = skeleton->createJointAndBodyNodePair<Joint>(of(parent));
        const engine::Body &body = given.bodies[std::size_t(child)];
        dart::dynamics::Inertia inertia(body.mass, Eigen::Vector3d::Zero(), vector(body.inertia).asDiagonal());
        made.second->setInertia(inertia);
        bodies[std::size_t(child)] = made.second;
        return made.first;
    }

    // Frames at the points of a joint, the same at the start: x is the axis of a prismatic joint, z of a revolute one, x and y
    // are those of a universal one.
    void hang(const engine::Hanging &at) {
        using namespace dart::dynamics;
        const int child = at.child, parent = at.parent;
        if (at.joint == nullptr) {
            if (given.planar) add<PlanarJoint>(child, parent)->setXYPlane();
            else add<FreeJoint>(child, parent);
            return;
        }
        const std::string &type = at.joint->type;
        const Eigen::Matrix3d P = at_start(parent).linear(), C = at_start(child).linear();
        const Eigen::Vector3d axis = (P * vector(at.joint->axis[1 - at.side])).normalized(), side = axis.unitOrthogonal(),
                              other = (C * vector(at.joint->axis[at.side])).normalized();
        Eigen::Vector3d x = axis, y = type == "universal" ? other : side;
        if (type == "revolute") x = side, y = axis.cross(side);
        dart::dynamics::Joint *joint;
        if (type == "revolute") joint = add<RevoluteJoint>(child, parent); // about z, as it is made
        else if (type == "spherical") joint = add<BallJoint>(child, parent);
        else if (type == "prismatic") joint = add<PrismaticJoint>(child, parent);
        else joint = add<UniversalJoint>(child, parent);
        if (auto *slider = dynamic_cast<PrismaticJoint *>(joint)) slider->setAxis(Eigen::Vector3d::UnitX());
        if (auto *cross = dynamic_cast<UniversalJoint *>(joint)) {
            cross->setAxis1(Eigen::Vector3d::UnitX());
            cross->setAxis2(Eigen::Vector3d::UnitY());
        }
        joint->setTransformFromParentBodyNode(frame(at.joint->point[1 - at.side], P, x, y));
        joint->setTransformFromChildBodyNode(frame(at.joint->point[at.side], C, x, y));
    }

    // A spherical joint, or a revolute one in the plane: two points meet. The axis of a revolute one in space has two.
    void close(const engine::Joint &joint) {
        const int first = joint.body[0] < 0, body = joint.body[first], second = joint.body[1 - first];
        for (int k = 0; k < 1 + (joint.type == "revolute" && !given.planar); k++) {
            using Ball = dart::constraint::BallJointConstraint;
            const Eigen::Vector3d point = vector(joint.point[first]) + k * vector(joint.axis[first]);
            const Eigen::Vector3d at = at_start(body) * point;
            system->getConstraintSolver()->addConstraint(second < 0 ? std::make_shared<Ball>(of(body), at)
                                                                    : std::make_shared<Ball>(of(body), of(second), at));
        }
    }

    void place(const std::vector<engine::State> &now) {
        const engine::State ground = {{}, {}, {}, {1, 0, 0, 0}};
        for (const engine::Hanging &at : order)
            fit(now[std::size_t(at.child)], at.parent < 0 ? ground : now[std::size_t(at.parent)], at.child);
    }

    // Sets the coordinates of the joint of a body and their rates.
    void fit(const engine::State &child, const engine::State &parent, int number) {
        dart::dynamics::Joint *joint = bodies[std::size_t(number)]->getParentJoint();
        const Frame C = frame(child), P = frame(parent);
        const Frame T = (P * joint->getTransformFromParentBodyNode()).inverse() * C * joint->getTransformFromChildBodyNode();
        const Eigen::Matrix3d R = T.linear();
        const double turn = std::atan2(R(1, 0), R(0, 0)); // about z
        const std::string &type = joint->getType();
        if (type == "FreeJoint") joint->setPositions(dart::dynamics::FreeJoint::convertToPositions(T));
        else if (type == "BallJoint") joint->setPositions(dart::dynamics::BallJoint::convertToPositions(R));
        else if (type == "PlanarJoint") joint->setPositions(Eigen::Vector3d(T.translation()[0], T.translation()[1], turn));
        else if (type == "RevoluteJoint") joint->setPosition(0, turn);
        else if (type == "PrismaticJoint") joint->setPosition(0, T.translation()[0]);
        else joint->setPositions(Eigen::Vector2d(std::atan2(R(2, 1), R(1, 1)), std::atan2(R(0, 2), R(0, 0))));
        // The motion of the child relative to the parent, in the child: angular, then linear.
        const Eigen::Vector3d arm = C.translation() - P.translation(), w = vector(child.w) - vector(parent.w),
                              v = vector(child.v) - vector(parent.v) - vector(parent.w).cross(arm);
        Eigen::Matrix<double, 6, 1> relative;
        relative << C.linear().transpose() * w, C.linear().transpose() * v;
        const Eigen::MatrixXd J = joint->getRelativeJacobian();
        joint->setVelocities((J.transpose() * J).ldlt().solve(J.transpose() * relative));
    }

    // A constraint keeps the impulse of its last step: all are made anew, where the bodies were at the start.
    void set(double, const engine::Rows &poses, const engine::Rows &twists) override {
        system->getConstraintSolver()->removeAllConstraints();
        place(given.start);
        for (const engine::Joint *joint : loops) close(*joint);
        place(engine::in_space(poses, twists));
    }

    void step(double h, engine::Rows &poses, engine::Rows &twists) override {
        system->setTimeStep(h);
        system->step();
        for (const dart::dynamics::BodyNode *body : bodies) {
            const Frame &at = body->getWorldTransform();
            const Eigen::Quaterniond e(at.linear());
            const Eigen::Vector3d x = at.translation(), v = body->getLinearVelocity(), w = body->getAngularVelocity();
            engine::append({{x[0], x[1], x[2]}, {v[0], v[1], v[2]}, {w[0], w[1], w[2]}, {e.w(), e.x(), e.y(), e.z()}},
                           given.planar, poses, twists);
        }
    }
};

int main() {
    Dart dart;
    return engine::run(dart);
}
