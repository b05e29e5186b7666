// Bullet: point-to-point joints between bodies that move in the plane; compiled for single and for double precision.
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "bench/peers/peer.h"

namespace {

btScalar real(double x) { return static_cast<btScalar>(x); }
btVector3 along(double s) { return btVector3(real(s), 0, 0); }

// Members are destroyed from the last to the first: joints and bodies leave the world before it is deleted.
struct scene {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSphereShape shape{real(0.01)};
    btDantzigSolver dantzig;
    std::unique_ptr<btConstraintSolver> solver;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    std::vector<std::unique_ptr<btRigidBody>> body;
    std::vector<std::unique_ptr<btPoint2PointConstraint>> joint;
    ~scene() {
        for (auto &at : joint) {
            world->removeConstraint(at.get());
        }
        for (auto &at : body) {
            world->removeRigidBody(at.get());
        }
    }
};

// A body without inertia about x and y, and without collisions: it stays in the plane.
btRigidBody *add_body(scene &s, const peer_body &from) {
    btRigidBody::btRigidBodyConstructionInfo info(real(from.mass), nullptr, &s.shape,
                                                  btVector3(0, 0, real(from.inertia)));
    info.m_startWorldTransform =
        btTransform(btQuaternion(btVector3(0, 0, 1), real(from.angle)), btVector3(real(from.x), real(from.y), 0));
    btRigidBody *body = new btRigidBody(info);
    body->setLinearVelocity(btVector3(real(from.vx), real(from.vy), 0));
    body->setAngularVelocity(btVector3(0, 0, real(from.spin)));
    body->setActivationState(DISABLE_DEACTIVATION);
    s.world->addRigidBody(body, 0, 0);
    return body;
}

void *open(const peer_world *from, const peer_settings *settings) {
    std::unique_ptr<scene> s(new scene);
    if (settings->iterations == 0) {
        s->solver.reset(new btMLCPSolver(&s->dantzig));
    } else {
        s->solver.reset(new btSequentialImpulseConstraintSolver);
    }
    s->world.reset(new btDiscreteDynamicsWorld(&s->dispatcher, &s->broadphase, s->solver.get(), &s->configuration));
    s->world->setGravity(btVector3(0, real(-from->g), 0));
    btContactSolverInfo &info = s->world->getSolverInfo();
    // Without iterations it calls no solver, not even the direct one.
    info.m_numIterations = settings->iterations > 0 ? settings->iterations : 10;
    info.m_erp = real(settings->erp);
    info.m_globalCfm = real(settings->cfm);
    for (int i = 0; i < from->nbodies; i++) {
        s->body.emplace_back(add_body(*s, from->body[i]));
    }
    for (int j = 0; j < from->njoints; j++) {
        const peer_joint &at = from->joint[j];
        btRigidBody &second = *s->body[static_cast<size_t>(at.second)];
        if (at.first < 0) {
            s->joint.emplace_back(new btPoint2PointConstraint(second, along(at.at_second)));
        } else {
            s->joint.emplace_back(new btPoint2PointConstraint(*s->body[static_cast<size_t>(at.first)], second,
                                                              along(at.at_first), along(at.at_second)));
        }
        s->world->addConstraint(s->joint.back().get(), true);
    }
    return s.release();
}

void step(void *self, double h) { static_cast<scene *>(self)->world->stepSimulation(real(h), 0); }

void read(void *self, peer_body *out) {
    for (const auto &body : static_cast<scene *>(self)->body) {
        const btVector3 x = body->getCenterOfMassPosition(), v = body->getLinearVelocity();
        const btVector3 axis = body->getCenterOfMassTransform().getBasis().getColumn(0);
        out->x = x.x();
        out->y = x.y();
        out->angle = std::atan2(axis.y(), axis.x());
        out->vx = v.x();
        out->vy = v.y();
        out->spin = body->getAngularVelocity().z();
        out++;
    }
}

void close(void *self) { delete static_cast<scene *>(self); }

} // namespace

const peer_engine *peer_engine_get(void) {
    // Bullet's own are 10 iterations and erp 0.2.
    static const peer_settings settings[] = {
        {"default", 10, 0, 0.2, 0.0, 0}, {"many", 200, 0, 0.2, 0.0, 100}, {"direct", 0, 0, 0.2, 0.0, 40}};
    static char version[32];
    std::snprintf(version, sizeof version, "%d.%02d", btGetVersion() / 100, btGetVersion() % 100);
    static const peer_engine engine = {sizeof(btScalar) == sizeof(double) ? "bullet_double" : "bullet",
                                       version,
                                       sizeof(btScalar) == sizeof(double) ? "double" : "single",
                                       3,
                                       settings,
                                       open,
                                       step,
                                       read,
                                       close};
    return &engine;
}
