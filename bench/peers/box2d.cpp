// Box2D: revolute joints, warm-started sequential impulses, then position iterations; single precision.
#include <box2d/box2d.h>

#include <cstdio>
#include <memory>
#include <vector>

#include "bench/peers/peer.h"

namespace {

struct scene {
    b2World world;
    std::vector<b2Body *> body;
    peer_settings settings;
    explicit scene(const b2Vec2 &gravity) : world(gravity) {}
};

b2Vec2 along(double s) { return b2Vec2(static_cast<float>(s), 0.0f); }

b2Body *add_body(b2World &world, const peer_body &from) {
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.position.Set(static_cast<float>(from.x), static_cast<float>(from.y));
    def.angle = static_cast<float>(from.angle);
    def.linearVelocity.Set(static_cast<float>(from.vx), static_cast<float>(from.vy));
    def.angularVelocity = static_cast<float>(from.spin);
    def.allowSleep = false;
    b2Body *body = world.CreateBody(&def);
    b2MassData mass;
    mass.mass = static_cast<float>(from.mass);
    mass.I = static_cast<float>(from.inertia);
    mass.center.SetZero();
    body->SetMassData(&mass);
    return body;
}

void *open(const peer_world *from, const peer_settings *settings) {
    std::unique_ptr<scene> s(new scene(b2Vec2(0.0f, static_cast<float>(-from->g))));
    s->settings = *settings;
    const b2BodyDef fixed;
    b2Body *ground = s->world.CreateBody(&fixed);
    for (int i = 0; i < from->nbodies; i++) {
        s->body.push_back(add_body(s->world, from->body[i]));
    }
    for (int j = 0; j < from->njoints; j++) {
        const peer_joint &at = from->joint[j];
        b2RevoluteJointDef def;
        def.bodyA = at.first < 0 ? ground : s->body[static_cast<size_t>(at.first)];
        def.bodyB = s->body[static_cast<size_t>(at.second)];
        def.localAnchorA =
            at.first < 0 ? b2Vec2(static_cast<float>(at.x), static_cast<float>(at.y)) : along(at.at_first);
        def.localAnchorB = along(at.at_second);
        s->world.CreateJoint(&def);
    }
    return s.release();
}

void step(void *self, double h) {
    scene *s = static_cast<scene *>(self);
    s->world.Step(static_cast<float>(h), s->settings.iterations, s->settings.position_iterations);
}

void read(void *self, peer_body *out) {
    for (const b2Body *body : static_cast<scene *>(self)->body) {
        out->x = body->GetPosition().x;
        out->y = body->GetPosition().y;
        out->angle = body->GetAngle();
        out->vx = body->GetLinearVelocity().x;
        out->vy = body->GetLinearVelocity().y;
        out->spin = body->GetAngularVelocity();
        out++;
    }
}

void close(void *self) { delete static_cast<scene *>(self); }

} // namespace

const peer_engine *peer_engine_get(void) {
    // The manual recommends 8 and 3.
    static const peer_settings settings[] = {{"default", 8, 3, 0.0, 0.0, 0}, {"many", 200, 100, 0.0, 0.0, 100}};
    static char version[32];
    std::snprintf(version, sizeof version, "%d.%d.%d", b2_version.major, b2_version.minor, b2_version.revision);
    static const peer_engine engine = {"box2d", version, "single", 2, settings, open, step, read, close};
    return &engine;
}
