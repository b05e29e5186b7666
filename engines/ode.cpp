// ODE, the Open Dynamics Engine, as an engine of stepbench (docs/adding-an-engine.md; engines/adapters.json has the
// command that compiles it):
//
//     stepbench --engine build/engines/ode order -p rod_chain -p heavy_top -s ode:solver=quickstep,iterations=20
//
// Its joints are rows of a linear complementarity problem of velocities, with feedback erp/h of their errors of position
// and compliance cfm. dWorldStep factorizes it; dWorldQuickStep takes sweeps, in an order that ODE draws at random.
// Contacts are joints of one step, with the coefficients of their pair and friction in a pyramid (dContactApprox1).
#include <algorithm>
#include <utility>

#include <ode/ode.h>

#include "engine.hpp"

struct Ode : engine::Engine {
    dWorldID system = nullptr;
    engine::World given;
    std::vector<engine::Shape> shapes;
    dSpaceID space = nullptr;
    dJointGroupID contacts = dJointGroupCreate(0);
    std::vector<dBodyID> bodies;
    std::vector<std::pair<dJointID, dJointFeedback>> forces; // of the joints in the last step
    bool quick = false;
    unsigned long seed = 0; // of the order of the sweeps; it follows from the state, so that a step does

    const char *hello() const override {
        return R"({"name": "ode", "version": ")" ODE_VERSION R"(", "order": 1, "state": "pure", "contacts": true, "multipliers": true,
            "brief": "ODE: joints by a factorization or by sweeps", "parameters": [
            {"name": "solver", "default": "step", "choices": ["step", "quickstep"],
             "doc": "dWorldStep, which factorizes, or dWorldQuickStep, which sweeps"},
            {"name": "iterations", "default": 20, "range": [1, 1000000], "doc": "sweeps of quickstep"},
            {"name": "relaxation", "default": 1.3, "range": [0, 2], "doc": "over-relaxation of the sweeps"},
            {"name": "erp", "default": 0.2, "range": [0, 1], "doc": "part of an error of position removed per step"},
            {"name": "cfm", "default": 1e-10, "range": [0, 1e300], "unit": "s/kg", "doc": "compliance over the step"},
            {"name": "rotation", "default": "infinitesimal", "choices": ["infinitesimal", "finite"],
             "doc": "of a step: q + h q', normalized, or by the angle h w"}]})";
    }

    void world(const engine::Json &world, const engine::Json &parameters) override {
        given = engine::read_world(world, {"revolute", "spherical", "universal", "prismatic", "distance"});
        engine::refuse_thin(given);
        shapes = engine::touching(world, given, 32);
        if (system != nullptr) dSpaceDestroy(space), dWorldDestroy(system);
        space = dSimpleSpaceCreate(nullptr);
        system = dWorldCreate();
        dWorldSetGravity(system, given.gravity[0], given.gravity[1], given.gravity[2]);
        dWorldSetERP(system, parameters["erp"].number);
        dWorldSetCFM(system, parameters["cfm"].number);
        dWorldSetQuickStepNumIterations(system, static_cast<int>(parameters["iterations"].number));
        dWorldSetQuickStepW(system, parameters["relaxation"].number);
        quick = parameters["solver"].text == "quickstep";
        bodies.clear();
        for (const engine::Body &body : given.bodies) {
            dMass mass;
            dMassSetParameters(&mass, body.mass, 0, 0, 0, body.inertia[0], body.inertia[1], body.inertia[2], 0, 0, 0);
            bodies.push_back(dBodyCreate(system));
            dBodySetMass(bodies.back(), &mass);
            dBodySetFiniteRotationMode(bodies.back(), parameters["rotation"].text == "finite");
        }
        place(given.start);
        forces.clear();
        for (const engine::Joint &joint : given.joints) add(joint);
        for (auto &[joint, force] : forces) dJointSetFeedback(joint, &force);
        for (const engine::Shape &shape : shapes) add(shape);
        for (dBodyID body : bodies) // what touches stays in the plane
            if (given.planar && !shapes.empty()) dJointAttach(dJointCreatePlane2D(system, nullptr), body, nullptr);
    }

    void add(const engine::Shape &from) {
        const engine::Vector &x = from.point, &n = from.normal, &side = from.size;
        const double far = n[0] * x[0] + n[1] * x[1] + n[2] * x[2];
        dGeomID geom = from.type == "plane"    ? dCreatePlane(space, n[0], n[1], n[2], far)
                       : from.type == "sphere" ? dCreateSphere(space, from.radius)
                                               : dCreateBox(space, side[0], side[1], side[2]);
        dGeomSetData(geom, const_cast<engine::Shape *>(&from));
        if (from.type == "plane") return;
        if (from.body < 0) return dGeomSetPosition(geom, x[0], x[1], x[2]);
        dGeomSetBody(geom, bodies[std::size_t(from.body)]);
        dGeomSetOffsetPosition(geom, x[0], x[1], x[2]);
    }

    static void touch(void *me, dGeomID a, dGeomID b) {
        Ode &ode = *static_cast<Ode *>(me);
        const auto &shape = *static_cast<engine::Shape *>(dGeomGetData(a));
        if ((shape.bits & static_cast<engine::Shape *>(dGeomGetData(b))->bits) == 0) return;
        dContactGeom found[8];
        const int count = dCollide(a, b, 8, found, sizeof *found);
        for (int k = 0; k < count; k++) {
            dContact contact = {};
            contact.geom = found[k];
            contact.surface.mode = dContactApprox1 | (shape.restitution > 0 ? dContactBounce : 0);
            contact.surface.mu = shape.friction;
            contact.surface.bounce = shape.restitution;
            dJointAttach(dJointCreateContact(ode.system, ode.contacts, &contact), dGeomGetBody(a), dGeomGetBody(b));
        }
    }

    // Anchors and axes are given in space; ODE turns them into both bodies.
    void add(const engine::Joint &from) {
        const int of[2] = {from.body[0], from.body[1]};
        engine::Vector p[2], a[2];
        dBodyID body[2];
        for (int s = 0; s < 2; s++) {
            const engine::State at = of[s] < 0 ? engine::State{{}, {}, {}, {1, 0, 0, 0}} : given.start[of[s]];
            body[s] = of[s] < 0 ? nullptr : bodies[of[s]];
            p[s] = engine::turned(at.e, from.point[s], at.x);
            a[s] = engine::turned(at.e, from.axis[s]);
        }
        dJointID joint;
        if (from.type == "distance") {
            joint = dJointCreateDBall(system, nullptr);
            dJointAttach(joint, body[0], body[1]);
            dJointSetDBallAnchor1(joint, p[0][0], p[0][1], p[0][2]);
            dJointSetDBallAnchor2(joint, p[1][0], p[1][1], p[1][2]);
            dJointSetDBallDistance(joint, from.length);
        } else if (from.type == "spherical" || (from.type == "revolute" && given.planar)) {
            joint = dJointCreateBall(system, nullptr);
            dJointAttach(joint, body[0], body[1]);
            dJointSetBallAnchor(joint, p[0][0], p[0][1], p[0][2]);
        } else if (from.type == "revolute") {
            joint = dJointCreateHinge(system, nullptr);
            dJointAttach(joint, body[0], body[1]);
            dJointSetHingeAnchor(joint, p[0][0], p[0][1], p[0][2]);
            dJointSetHingeAxis(joint, a[0][0], a[0][1], a[0][2]);
        } else if (from.type == "universal") {
            joint = dJointCreateUniversal(system, nullptr);
            dJointAttach(joint, body[0], body[1]);
            dJointSetUniversalAnchor(joint, p[0][0], p[0][1], p[0][2]);
            dJointSetUniversalAxis1(joint, a[0][0], a[0][1], a[0][2]);
            dJointSetUniversalAxis2(joint, a[1][0], a[1][1], a[1][2]);
        } else {
            joint = dJointCreateSlider(system, nullptr);
            dJointAttach(joint, body[0], body[1]);
            dJointSetSliderAxis(joint, a[0][0], a[0][1], a[0][2]);
        }
        forces.push_back({joint, {}});
    }

    engine::Rows wrenches() override {
        engine::Rows out(bodies.size(), std::vector<double>(given.planar ? 3 : 6));
        for (const auto &[joint, force] : forces)
            for (int side = 0; side < 2; side++) {
                const auto body = std::find(bodies.begin(), bodies.end(), dJointGetBody(joint, side));
                if (body == bodies.end()) continue;
                // the force on the only body is the first one, whichever side it is on
                const bool first = side == 0 || dJointGetBody(joint, 0) == nullptr;
                const dReal *f = first ? force.f1 : force.f2, *t = first ? force.t1 : force.t2;
                std::vector<double> &to = out[std::size_t(body - bodies.begin())];
                for (std::size_t k = 0; k < (given.planar ? 2 : 3); k++) to[k] += f[k];
                for (std::size_t k = given.planar ? 2 : 0; k < 3; k++) to[given.planar ? 2 : 3 + k] += t[k];
            }
        return out;
    }

    void place(const std::vector<engine::State> &states) {
        for (std::size_t k = 0; k < states.size(); k++) {
            const engine::State &s = states[k];
            const dQuaternion e = {s.e[0], s.e[1], s.e[2], s.e[3]};
            dBodySetPosition(bodies[k], s.x[0], s.x[1], s.x[2]);
            dBodySetQuaternion(bodies[k], e);
            dBodySetLinearVel(bodies[k], s.v[0], s.v[1], s.v[2]);
            dBodySetAngularVel(bodies[k], s.w[0], s.w[1], s.w[2]);
        }
    }

    void set(double, const engine::Rows &poses, const engine::Rows &twists) override {
        seed = 0;
        for (const std::vector<double> &pose : poses)
            for (double x : pose) seed = 31 * seed + std::hash<double>()(x);
        place(engine::in_space(poses, twists));
    }

    void step(double h, engine::Rows &poses, engine::Rows &twists) override {
        dRandSetSeed(seed);
        dSpaceCollide(space, this, touch);
        if (!(quick ? dWorldQuickStep(system, h) : dWorldStep(system, h))) throw engine::Fail("it has no memory");
        dJointGroupEmpty(contacts);
        for (dBodyID body : bodies) {
            const dReal *x = dBodyGetPosition(body), *e = dBodyGetQuaternion(body), *v = dBodyGetLinearVel(body),
                        *w = dBodyGetAngularVel(body);
            engine::append({{x[0], x[1], x[2]}, {v[0], v[1], v[2]}, {w[0], w[1], w[2]}, {e[0], e[1], e[2], e[3]}},
                           given.planar, poses, twists);
        }
    }
};

int main() {
    dInitODE2(0);
    Ode ode;
    return engine::run(ode);
}
