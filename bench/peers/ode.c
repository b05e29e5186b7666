/* ODE: ball joints; the iterations of QuickStep, or the factorization of dWorldStep. The motion starts in the plane,
 * and no force has a component perpendicular to it. */
#include <math.h>
#include <ode/ode.h>
#include <stdlib.h>

#include "bench/peers/peer.h"

typedef struct scene {
    dWorldID world;
    int nbodies;
    dBodyID *body;
    bool direct;
} scene;

static dBodyID add_body(dWorldID world, const peer_body *from) {
    const dBodyID body = dBodyCreate(world);
    dMatrix3 R;
    dMass mass;
    dMassSetZero(&mass);
    mass.mass = from->mass;
    for (int c = 0; c < 3; c++) {
        mass.I[4 * c + c] = from->inertia; /* about x and y: without effect in the plane, but not 0 */
    }
    dBodySetMass(body, &mass);
    dRFromAxisAndAngle(R, 0.0, 0.0, 1.0, from->angle);
    dBodySetRotation(body, R);
    dBodySetPosition(body, from->x, from->y, 0.0);
    dBodySetLinearVel(body, from->vx, from->vy, 0.0);
    dBodySetAngularVel(body, 0.0, 0.0, from->spin);
    return body;
}

static void add_joint(const scene *s, const peer_world *from, const peer_joint *at) {
    const dJointID joint = dJointCreateBall(s->world, 0);
    const peer_body *second = &from->body[at->second];
    dJointAttach(joint, s->body[at->second], at->first < 0 ? 0 : s->body[at->first]);
    dJointSetBallAnchor(joint, second->x + at->at_second * cos(second->angle),
                        second->y + at->at_second * sin(second->angle), 0.0);
}

static void *open(const peer_world *from, const peer_settings *settings) {
    static bool ready = false;
    if (!ready) {
        ready = dInitODE2(0) != 0;
    }
    scene *s = calloc(1, sizeof *s);
    dBodyID *body = calloc((size_t)from->nbodies, sizeof *body);
    if (s == NULL || body == NULL) {
        free(s);
        free(body);
        return NULL;
    }
    *s = (scene){dWorldCreate(), from->nbodies, body, settings->iterations == 0};
    dWorldSetGravity(s->world, 0.0, -from->g, 0.0);
    dWorldSetERP(s->world, settings->erp);
    dWorldSetCFM(s->world, settings->cfm);
    dWorldSetQuickStepNumIterations(s->world, settings->iterations > 0 ? settings->iterations : 1);
    for (int i = 0; i < s->nbodies; i++) {
        s->body[i] = add_body(s->world, &from->body[i]);
    }
    for (int j = 0; j < from->njoints; j++) {
        add_joint(s, from, &from->joint[j]);
    }
    return s;
}

static void step(void *self, double h) {
    const scene *s = self;
    if (s->direct) {
        dWorldStep(s->world, h);
    } else {
        dWorldQuickStep(s->world, h);
    }
}

static void read(void *self, peer_body *out) {
    const scene *s = self;
    for (int i = 0; i < s->nbodies; i++) {
        const dReal *x = dBodyGetPosition(s->body[i]), *R = dBodyGetRotation(s->body[i]),
                    *v = dBodyGetLinearVel(s->body[i]);
        out[i].x = x[0];
        out[i].y = x[1];
        out[i].angle = atan2(R[4], R[0]);
        out[i].vx = v[0];
        out[i].vy = v[1];
        out[i].spin = dBodyGetAngularVel(s->body[i])[2];
    }
}

static void close(void *self) {
    scene *s = self;
    dWorldDestroy(s->world);
    free(s->body);
    free(s);
}

const peer_engine *peer_engine_get(void) {
    /* ODE's own are 20 iterations, erp 0.2 and, in double precision, cfm 1e-10. */
    static const peer_settings settings[] = {{"default", 20, 0, 0.2, 1e-10, 0},
                                             {"many", 200, 0, 0.2, 1e-10, 100},
                                             {"direct", 0, 0, 0.2, 1e-10, 40},
                                             {"direct_erp", 0, 0, 0.8, 1e-10, 40}};
    static const peer_engine engine = {
        "ode", PEER_ODE_VERSION, sizeof(dReal) == sizeof(double) ? "double" : "single", 4, settings, open, step, read,
        close};
    return &engine;
}
