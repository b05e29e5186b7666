// Box2D 2.4, as an engine of stepbench (docs/adding-an-engine.md; engines/adapters.json has the command that compiles
// it):
//
//     stepbench --engine build/engines/box2d drift -p four_bar -s box2d:velocity_iterations=50 --h 1/240
//
// Its joints are solved by sweeps over the velocities, which begin with the impulses of the last step, then over the
// positions while they are off by more than 5 mm. The impulses cannot be set, so its state is `none`; a step that begins
// without them is that of engines/planck.mjs. Its numbers are single. Planes are edges of 40 m. Box2D combines frictions by
// their geometric mean and takes the larger restitution; both shapes have those of the contact.
#include <box2d/box2d.h>

#include <cfloat>
#include <memory>

#include "engine.hpp"

static b2Vec2 vector(const engine::Vector &a) { return b2Vec2(float(a[0]), float(a[1])); }

struct Box2d : engine::Engine {
    engine::World given;
    std::vector<engine::Shape> shapes;
    int sweeps[2];
    bool warm = true;
    std::string text;
    std::unique_ptr<b2World> system;
    std::vector<b2Body *> bodies;

    Box2d() {
        text = R"({"name": "box2d", "version": ")" + std::to_string(b2_version.major) + "." +
               std::to_string(b2_version.minor) + "." + std::to_string(b2_version.revision) + R"(", "order": 1,
            "state": "none", "contacts": true, "precision": 32, "brief": "Box2D 2.4: sweeps over velocities, then over positions",
            "parameters": [
            {"name": "velocity_iterations", "default": 8, "range": [1, 1000000], "doc": "sweeps over the velocities"},
            {"name": "position_iterations", "default": 3, "range": [0, 1000000],
             "doc": "largest number of sweeps over the positions"},
            {"name": "warm_start", "default": "yes", "choices": ["yes", "no"],
             "doc": "whether sweeps begin with the impulses of the last step"}]})";
    }

    const char *hello() const override { return text.c_str(); }

    void world(const engine::Json &world, const engine::Json &parameters) override {
        given = engine::read_world(world, {"revolute", "prismatic", "distance", "spring"});
        if (!given.planar) throw engine::Refuse("it has the plane only");
        shapes = engine::touching(world, given, 16);
        sweeps[0] = static_cast<int>(parameters["velocity_iterations"].number);
        sweeps[1] = static_cast<int>(parameters["position_iterations"].number);
        warm = parameters["warm_start"].text == "yes";
        build(given.start);
    }

    // A start has no impulses of a step before it: all is made anew.
    void build(const std::vector<engine::State> &states) {
        system.reset(new b2World(vector(given.gravity)));
        system->SetWarmStarting(warm);
        const b2BodyDef fixed;
        b2Body *ground = system->CreateBody(&fixed);
        bodies.clear();
        for (std::size_t k = 0; k < states.size(); k++) {
            const engine::State &at = states[k];
            b2BodyDef def;
            def.type = b2_dynamicBody;
            def.position = vector(at.x);
            def.angle = float(2 * std::atan2(at.e[3], at.e[0]));
            def.linearVelocity = vector(at.v);
            def.angularVelocity = float(at.w[2]);
            def.allowSleep = false;
            b2MassData mass;
            mass.mass = float(given.bodies[k].mass);
            mass.center.SetZero();
            mass.I = float(given.bodies[k].inertia[2]);
            bodies.push_back(system->CreateBody(&def));
            bodies.back()->SetMassData(&mass);
        }
        for (const engine::Joint &joint : given.joints) add(joint, ground);
        for (const engine::Shape &shape : shapes) add(shape, shape.body < 0 ? ground : bodies[std::size_t(shape.body)]);
    }

    void add(const engine::Shape &from, b2Body *to) {
        b2EdgeShape plane;
        b2CircleShape circle;
        b2PolygonShape box;
        b2FixtureDef def;
        if (from.type == "plane") {
            plane.SetTwoSided(vector(engine::edge(from)[0]), vector(engine::edge(from)[1]));
            def.shape = &plane;
        } else if (from.type == "sphere") {
            circle.m_p = vector(from.point);
            circle.m_radius = float(from.radius);
            def.shape = &circle;
        } else {
            box.SetAsBox(float(from.size[0] / 2), float(from.size[1] / 2), vector(from.point), 0);
            def.shape = &box;
        }
        def.friction = float(from.friction);
        def.restitution = float(from.restitution);
        def.filter.categoryBits = def.filter.maskBits = uint16(from.bits);
        to->CreateFixture(&def);
    }

    template <class Def> void add(Def def, const engine::Joint &from, b2Body *ground) {
        def.bodyA = from.body[0] < 0 ? ground : bodies[std::size_t(from.body[0])];
        def.bodyB = from.body[1] < 0 ? ground : bodies[std::size_t(from.body[1])];
        def.localAnchorA = vector(from.point[0]);
        def.localAnchorB = vector(from.point[1]);
        system->CreateJoint(&def);
    }

    void add(const engine::Joint &from, b2Body *ground) {
        if (from.type == "revolute") return add(b2RevoluteJointDef(), from, ground);
        if (from.type == "prismatic") {
            b2PrismaticJointDef def;
            def.localAxisA = vector(from.axis[0]);
            const engine::Vector &a = from.axis[0], &b = from.axis[1];
            def.referenceAngle = float(std::atan2(a[1], a[0]) - std::atan2(b[1], b[0]));
            return add(def, from, ground);
        }
        b2DistanceJointDef def;
        def.length = float(from.length);
        def.stiffness = float(from.stiffness);
        def.damping = float(from.damping);
        def.minLength = from.type == "spring" ? 0 : def.length; // rigid: a range without width
        def.maxLength = from.type == "spring" ? FLT_MAX : def.length;
        add(def, from, ground);
    }

    void set(double, const engine::Rows &poses, const engine::Rows &twists) override {
        build(engine::in_space(poses, twists));
    }

    void step(double h, engine::Rows &poses, engine::Rows &twists) override {
        system->Step(float(h), sweeps[0], sweeps[1]);
        for (const b2Body *body : bodies) {
            const b2Vec2 x = body->GetPosition(), v = body->GetLinearVelocity();
            poses.push_back({x.x, x.y, body->GetAngle()});
            twists.push_back({v.x, v.y, body->GetAngularVelocity()});
            if (!x.IsValid() || !b2IsValid(body->GetAngle())) throw engine::Fail("its state is not finite");
        }
    }
};

int main() {
    Box2d box2d;
    return engine::run(box2d);
}
