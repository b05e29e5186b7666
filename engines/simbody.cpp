// Simbody, as an engine of stepbench (docs/adding-an-engine.md; engines/adapters.json has the command that compiles it):
//
//     stepbench --engine build/engines/simbody order -p rod_chain -p four_bar -s simbody:integrator=rkmerson
//
// Simbody has the coordinates of joints. The bodies become a tree, in which a body moves relative to the body of the first
// joint that holds it. Joints that close loops and distance joints become constraints, onto which Simbody projects.
#include <simbody/Simbody.h>

#include <map>
#include <memory>

#include "engine.hpp"

using SimTK::Rotation;
using SimTK::Transform;
using SimTK::UnitVec3;
using SimTK::Vec3;

static Vec3 vector(const engine::Vector &a) { return Vec3(a[0], a[1], a[2]); }

// Returns the pose of a body in the ground.
static Transform transform(const engine::State &s) {
    return Transform(Rotation(SimTK::Quaternion(s.e[0], s.e[1], s.e[2], s.e[3])), vector(s.x));
}

struct System {
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter{system};
    SimTK::GeneralForceSubsystem forces{system};
    SimTK::State state;
    std::vector<SimTK::MobilizedBody> body; // in the order of the world
    std::vector<engine::Hanging> order;
};

struct Simbody : engine::Engine {
    engine::World given;
    std::unique_ptr<System> s;
    std::string integrator;
    double accuracy = 0;

    const char *hello() const override {
        return R"({"name": "simbody", "version": ")" SIMBODY_VERSION R"(", "order": 4, "state": "pure",
            "brief": "Simbody: coordinates of joints, and projections where they close loops", "parameters": [
            {"name": "integrator", "default": "rkmerson",
             "choices": ["euler", "semi_explicit_euler", "verlet", "rk2", "rk3", "rkmerson", "rkfehlberg"],
             "orders": [1, 1, 2, 2, 3, 4, 4], "doc": "of Simbody, with a fixed step"},
            {"name": "accuracy", "default": 1e-10, "range": [1e-14, 1],
             "doc": "of constraints and iterations; Simbody's own is 1e-3, with 1e-4 for constraints"}]})";
    }

    void world(const engine::Json &world, const engine::Json &parameters) override {
        given = engine::read_world(world, {"revolute", "spherical", "universal", "prismatic", "distance", "spring"});
        integrator = parameters["integrator"].text;
        accuracy = parameters["accuracy"].number;
        s.reset(new System);
        SimTK::Force::UniformGravity(s->forces, s->matter, vector(given.gravity));
        std::vector<const engine::Joint *> others;
        s->body.resize(given.bodies.size());
        s->order = engine::tree(given, {"distance", "spring"}, others);
        for (const engine::Hanging &at : s->order) at.joint != nullptr ? hang(at) : float_freely(at.child);
        for (const engine::Joint *joint : others) close(*joint);
        s->system.realizeTopology();
        s->state = s->system.getDefaultState();
        s->system.realizeModel(s->state);
    }

    Transform at_start(int body) const { return body < 0 ? Transform() : transform(given.start[std::size_t(body)]); }
    SimTK::MobilizedBody &of(int body) { return body < 0 ? s->matter.updGround() : s->body[std::size_t(body)]; }

    SimTK::Body::Rigid rigid(int body) const {
        const engine::Body &b = given.bodies[std::size_t(body)];
        const engine::Vector J = b.particle ? engine::Vector{0, 0, 0} : b.inertia;
        return SimTK::Body::Rigid(SimTK::MassProperties(b.mass, Vec3(0), SimTK::Inertia(J[0], J[1], J[2])));
    }

    void float_freely(int child) {
        using namespace SimTK;
        SimTK::MobilizedBody &ground = s->matter.updGround(), &out = of(child);
        if (given.bodies[std::size_t(child)].particle) out = MobilizedBody::Translation(ground, rigid(child));
        else if (given.planar) out = MobilizedBody::Planar(ground, rigid(child));
        else out = MobilizedBody::Free(ground, rigid(child));
    }

    // Frames at the points of a joint, the same at the start: z is the axis of a revolute joint, x of a prismatic one; x and
    // y are those of a universal one.
    void hang(const engine::Hanging &at) {
        using namespace SimTK;
        const engine::Joint &joint = *at.joint;
        const int child = at.child, parent = at.parent, side = at.side;
        const Rotation P = at_start(parent).R(), C = at_start(child).R();
        const UnitVec3 axis(P * vector(joint.axis[1 - side])), other(C * vector(joint.axis[side]));
        const Rotation G = joint.type == "universal"   ? Rotation(axis, XAxis, other, YAxis)
                           : joint.type == "prismatic" ? Rotation(axis, XAxis)
                                                       : Rotation(axis, ZAxis);
        const Transform F(~P * G, vector(joint.point[1 - side])), M(~C * G, vector(joint.point[side]));
        SimTK::MobilizedBody &on = of(parent), &out = of(child);
        if (joint.type == "revolute") out = MobilizedBody::Pin(on, F, rigid(child), M);
        else if (joint.type == "spherical") out = MobilizedBody::Ball(on, F, rigid(child), M);
        else if (joint.type == "universal") out = MobilizedBody::Universal(on, F, rigid(child), M);
        else out = MobilizedBody::Slider(on, F, rigid(child), M);
    }

    void close(const engine::Joint &joint) {
        using namespace SimTK;
        SimTK::MobilizedBody &a = of(joint.body[0]), &b = of(joint.body[1]);
        const Vec3 p = vector(joint.point[0]), q = vector(joint.point[1]);
        if (joint.type == "spring") {
            Force::TwoPointLinearSpring(s->forces, a, p, b, q, joint.stiffness, joint.length);
            if (joint.damping > 0) Force::TwoPointLinearDamper(s->forces, a, p, b, q, joint.damping);
        } else if (joint.type == "distance") {
            Constraint::Rod(a, p, b, q, joint.length);
        } else if (given.planar && joint.type == "revolute") {
            Constraint::PointInPlane(a, UnitVec3(XAxis), p[0], b, q);
            Constraint::PointInPlane(a, UnitVec3(YAxis), p[1], b, q);
        } else if (joint.type == "revolute" || joint.type == "spherical") {
            Constraint::Ball(a, p, b, q);
            const UnitVec3 axis(vector(joint.axis[0])), x = axis.perp(), y(cross(axis, x));
            for (const UnitVec3 &across : {x, y})
                if (joint.type == "revolute") Constraint::ConstantAngle(a, across, b, UnitVec3(vector(joint.axis[1])));
        } else {
            throw engine::Refuse("it closes no loop by a " + joint.type + " joint");
        }
    }

    void set(double, const engine::Rows &poses, const engine::Rows &twists) override {
        const std::vector<engine::State> now = engine::in_space(poses, twists);
        s->state.setTime(0); // on which nothing depends
        for (bool rates : {false, true}) {
            for (const engine::Hanging &at : s->order) fit(now, at.child, at.parent, rates);
            s->system.realize(s->state, SimTK::Stage::Position);
        }
    }

    // Sets the coordinates of the joint of a body, or their rates.
    void fit(const std::vector<engine::State> &now, int child, int number, bool rates) {
        const SimTK::MobilizedBody &body = of(child);
        const engine::State &c = now[std::size_t(child)];
        const engine::State p = number < 0 ? engine::State{{}, {}, {}, {1, 0, 0, 0}} : now[std::size_t(number)];
        const Transform B = transform(c), F = transform(p) * body.getInboardFrame(s->state),
                        M = B * body.getOutboardFrame(s->state);
        if (!rates) {
            body.setQToFitTransform(s->state, ~F * M);
            return;
        }
        const Vec3 wB = vector(c.w), wP = vector(p.w), v = vector(c.v) + cross(wB, M.p() - B.p()) - vector(p.v) -
                                                          cross(wP, M.p() - vector(p.x));
        body.setUToFitVelocity(s->state, SimTK::SpatialVec(~F.R() * (wB - wP), ~F.R() * v));
    }

    std::unique_ptr<SimTK::Integrator> make() const {
        using namespace SimTK;
        const std::map<std::string, Integrator *(*)(const SimTK::System &)> kinds = {
            {"euler", [](const SimTK::System &x) -> Integrator * { return new ExplicitEulerIntegrator(x); }},
            {"semi_explicit_euler", [](const SimTK::System &x) -> Integrator * { return new SemiExplicitEulerIntegrator(x, 1); }},
            {"verlet", [](const SimTK::System &x) -> Integrator * { return new VerletIntegrator(x); }},
            {"rk2", [](const SimTK::System &x) -> Integrator * { return new RungeKutta2Integrator(x); }},
            {"rk3", [](const SimTK::System &x) -> Integrator * { return new RungeKutta3Integrator(x); }},
            {"rkmerson", [](const SimTK::System &x) -> Integrator * { return new RungeKuttaMersonIntegrator(x); }},
            {"rkfehlberg", [](const SimTK::System &x) -> Integrator * { return new RungeKuttaFeldbergIntegrator(x); }}};
        return std::unique_ptr<Integrator>(kinds.at(integrator)(s->system));
    }

    void step(double h, engine::Rows &poses, engine::Rows &twists) override {
        try {
            const std::unique_ptr<SimTK::Integrator> run = make();
            run->setFixedStepSize(h);
            run->setAccuracy(accuracy);
            run->setConstraintTolerance(accuracy / 10);
            run->initialize(s->state);
            while (run->stepTo(h) != SimTK::Integrator::ReachedReportTime) {} // it reports the start, too
            s->state = run->getState();
        } catch (const std::exception &why) {
            throw engine::Fail(std::string(why.what()).substr(0, 300));
        }
        s->system.realize(s->state, SimTK::Stage::Velocity);
        for (const SimTK::MobilizedBody &body : s->body) {
            const Transform &at = body.getBodyTransform(s->state);
            const SimTK::SpatialVec &rate = body.getBodyVelocity(s->state);
            const SimTK::Quaternion e = at.R().convertRotationToQuaternion();
            const Vec3 &x = at.p(), &w = rate[0], &v = rate[1];
            engine::append({{x[0], x[1], x[2]}, {v[0], v[1], v[2]}, {w[0], w[1], w[2]}, {e[0], e[1], e[2], e[3]}},
                           given.planar, poses, twists);
        }
    }
};

int main() {
    Simbody simbody;
    return engine::run(simbody);
}
