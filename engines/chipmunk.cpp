// Chipmunk, as an engine of stepbench (docs/adding-an-engine.md; engines/adapters.json has the command that compiles it):
//
//     stepbench --engine build/engines/chipmunk order -p pendulum -p rod_chain -s chipmunk:iterations=100
//
// Its joints are solved by sweeps over the velocities, with feedback of their errors of position. The sweeps begin with
// the impulses of the last step, which belong to the state. Those of contacts do not: with contacts its state is `none`.
// Planes are segments of 40 m. Chipmunk multiplies the coefficients of two shapes, which have the roots of the contact's.
#include <chipmunk/chipmunk_private.h>

#include "engine.hpp"

static cpVect vector(const engine::Vector &a) { return cpv(a[0], a[1]); }

struct Chipmunk : engine::Engine {
    enum { JOINTS = 255, BYTES = 16 * JOINTS + 8 }; // two impulses per joint, and the length of the last step
    engine::World given;
    std::vector<engine::Shape> touching;
    cpSpace *system = nullptr;
    std::vector<cpBody *> bodies;
    std::vector<cpConstraint *> joints;
    std::vector<cpShape *> shapes;
    std::string text;
    int iterations;
    double error_bias;

    Chipmunk() {
        text = R"({"name": "chipmunk", "version": ")" + std::string(cpVersionString) + R"(", "order": 1,
            "state": "opaque", "contacts": "none", "bytes": )" + std::to_string(BYTES) + R"(,
            "brief": "Chipmunk: sweeps over velocities with feedback of errors of position", "parameters": [
            {"name": "iterations", "default": 10, "range": [1, 1000000], "doc": "sweeps"},
            {"name": "error_bias", "default": 0.0017970102999144, "range": [0, 1],
             "doc": "part of an error of position that is left after 1 s"}]})";
    }

    const char *hello() const override { return text.c_str(); }

    void world(const engine::Json &world, const engine::Json &parameters) override {
        given = engine::read_world(world, {"revolute", "distance", "spring"});
        if (!given.planar) throw engine::Refuse("it has the plane only");
        if (given.joints.size() > JOINTS) throw engine::Refuse("this adapter holds the impulses of 255 joints");
        touching = engine::touching(world, given, 32);
        iterations = static_cast<int>(parameters["iterations"].number);
        error_bias = parameters["error_bias"].number;
        build();
    }

    void build() {
        for (cpShape *shape : shapes) cpSpaceRemoveShape(system, shape), cpShapeFree(shape);
        for (cpConstraint *joint : joints) cpConstraintFree(joint);
        for (cpBody *body : bodies) cpBodyFree(body);
        if (system != nullptr) cpSpaceFree(system);
        system = cpSpaceNew(); // damping is 1, the part of a velocity that is left after 1 s, and bodies do not sleep
        cpSpaceSetGravity(system, vector(given.gravity));
        cpSpaceSetIterations(system, iterations);
        bodies.clear();
        joints.clear();
        shapes.clear();
        for (const engine::Body &body : given.bodies)
            bodies.push_back(cpSpaceAddBody(system, cpBodyNew(body.mass, body.inertia[2])));
        for (const engine::Joint &from : given.joints) {
            cpBody *body[2];
            for (int s = 0; s < 2; s++)
                body[s] = from.body[s] < 0 ? cpSpaceGetStaticBody(system) : bodies[std::size_t(from.body[s])];
            const cpVect p[2] = {vector(from.point[0]), vector(from.point[1])};
            joints.push_back(from.type == "revolute"   ? cpPivotJointNew2(body[0], body[1], p[0], p[1])
                             : from.type == "distance" ? cpPinJointNew(body[0], body[1], p[0], p[1])
                                                       : cpDampedSpringNew(body[0], body[1], p[0], p[1], from.length,
                                                                           from.stiffness, from.damping));
            // A pin joint takes its length from where the bodies are.
            if (from.type == "distance") cpPinJointSetDist(joints.back(), from.length);
            cpConstraintSetErrorBias(joints.back(), error_bias);
            cpConstraintSetCollideBodies(joints.back(), cpFalse);
            cpSpaceAddConstraint(system, joints.back());
        }
        for (const engine::Shape &shape : touching) add(shape);
    }

    void add(const engine::Shape &from) {
        cpBody *to = from.body < 0 ? cpSpaceGetStaticBody(system) : bodies[std::size_t(from.body)];
        const cpVect x = vector(from.point), half = cpvmult(vector(from.size), 0.5);
        shapes.push_back(from.type == "plane"    ? cpSegmentShapeNew(to, vector(engine::edge(from)[0]), vector(engine::edge(from)[1]), 0)
                         : from.type == "sphere" ? cpCircleShapeNew(to, from.radius, x)
                                                 : cpBoxShapeNew2(to, cpBBNewForExtents(x, half.x, half.y), 0));
        cpShapeSetFriction(shapes.back(), std::sqrt(from.friction));
        cpShapeSetElasticity(shapes.back(), std::sqrt(from.restitution));
        cpShapeSetFilter(shapes.back(), cpShapeFilterNew(CP_NO_GROUP, from.bits, from.bits));
        cpSpaceAddShape(system, shapes.back());
    }

    void set(double, const engine::Rows &poses, const engine::Rows &twists) override {
        if (!touching.empty()) build();
        for (std::size_t k = 0; k < poses.size(); k++) {
            cpBodySetPosition(bodies[k], cpv(poses[k][0], poses[k][1]));
            cpBodySetAngle(bodies[k], poses[k][2]);
            cpBodySetVelocity(bodies[k], cpv(twists[k][0], twists[k][1]));
            cpBodySetAngularVelocity(bodies[k], twists[k][2]);
        }
        impulses([](double &x) { x = 0; });
    }

    // Visits the impulses, and the length of the last step by which they are scaled; 0: they are not used.
    template <class Visit> void impulses(Visit visit) {
        visit(system->curr_dt);
        for (cpConstraint *joint : joints) {
            if (cpConstraintIsPivotJoint(joint)) {
                visit(reinterpret_cast<cpPivotJoint *>(joint)->jAcc.x);
                visit(reinterpret_cast<cpPivotJoint *>(joint)->jAcc.y);
            } else if (cpConstraintIsPinJoint(joint)) {
                visit(reinterpret_cast<cpPinJoint *>(joint)->jnAcc);
            } else {
                visit(reinterpret_cast<cpDampedSpring *>(joint)->jAcc);
            }
        }
    }

    std::vector<unsigned char> state() override {
        std::vector<unsigned char> out(BYTES);
        unsigned char *at = out.data();
        impulses([&](double &x) { at = std::copy_n(reinterpret_cast<unsigned char *>(&x), sizeof x, at); });
        return out;
    }

    void restore(const std::vector<unsigned char> &from) override {
        const unsigned char *at = from.data();
        impulses([&](double &x) { std::copy_n(at, sizeof x, reinterpret_cast<unsigned char *>(&x)), at += sizeof x; });
    }

    void step(double h, engine::Rows &poses, engine::Rows &twists) override {
        cpSpaceStep(system, h);
        for (const cpBody *body : bodies) {
            const cpVect x = cpBodyGetPosition(body), v = cpBodyGetVelocity(body);
            poses.push_back({x.x, x.y, cpBodyGetAngle(body)});
            twists.push_back({v.x, v.y, cpBodyGetAngularVelocity(body)});
            if (!std::isfinite(x.x + x.y)) throw engine::Fail("its state is not finite");
        }
    }
};

int main() {
    Chipmunk chipmunk;
    return engine::run(chipmunk);
}
