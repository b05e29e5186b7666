/* Computes multipliers from wrenches: C' lambda is the generalized force of the joints, by the principle of virtual
 * work, goldstein02 1.4. */
#include "bench/engine/wrenches.h"

#include <string.h>

#include <stepbench/numerics/quaternion.h>

/* Returns twice the kinetic energy of the bodies at me->pose, me->twist. */
static double energy_of_bodies(const sb_wrenches *me, const sb_world_parts *parts) {
    const int dimension = me->world->dimension;
    double sum = 0.0;
    for (int k = 0; k < parts->bodies; k++) {
        const sb_world_body *body = &parts->body[k];
        const sb_scalar *e = me->pose + sb_world_pose(me->world) * k + 3,
                        *u = me->twist + sb_world_twist(me->world) * k;
        sb_scalar w[3] = {0.0, 0.0, u[2]};
        if (dimension == 3) {
            const sb_scalar back[4] = {e[0], -e[1], -e[2], -e[3]};
            sb_quaternion_rotate(back, back, u + 3, w);
        }
        for (int i = 0; i < 3; i++) {
            sum += (i < dimension ? body->mass * u[i] * u[i] : 0.0) + body->inertia[i] * w[i] * w[i];
        }
    }
    return sum;
}

/* Sets me->known to whether coordinates move bodies as rigid ones, also where they violate the constraints: for any
 * velocity the kinetic energies of the coordinates and of the bodies are then equal. A bar whose ends are coordinates
 * has a multiplier for its length, of which the forces on its centre say nothing. */
static int find_rigid(sb_wrenches *me, const sb_system *sys, const sb_world_parts *parts) {
    const double golden = 0.6180339887498949;
    sb_scalar t;
    SB_TRY(sys->initial(sys->self, &t, me->q, me->v));
    for (int i = 0; i < sys->n; i++) {
        me->v[i] = 0.5 + fmod((i + 1) * golden, 1.0);
    }
    SB_TRY(me->world->place(me->world->self, me->q, me->v, me->pose, me->twist));
    SB_TRY(sb_dynamics_momentum(&me->dyn, me->q, me->v, me->p));
    const double twice = sb_dot(sys->n, me->p, me->v);
    me->known = fabs(energy_of_bodies(me, parts) - twice) <= 1e-9 * twice;
    return SB_OK;
}

int sb_wrenches_init(const sb_method *method, const sb_world_start *start, sb_wrenches *out) {
    const sb_system *sys = method->sys;
    *out = (sb_wrenches){.world = sys->world};
    if (sys->contact.m > 0 || sys->attitudes > 0 || sb_system_bilateral(sys) == 0) {
        return SB_OK;
    }
    SB_TRY(sb_dynamics_init(method->ctx, method->arena, sys, &out->dyn));
    SB_TRY(SB_VECTORS(method->arena, sys->n + sb_system_multipliers(sys) + sys->world->bodies * SB_POSE_MAX,
                      &out->wrench, &out->q, &out->unit, &out->p, &out->v, &out->mu, &out->pose, &out->twist));
    return find_rigid(out, sys, &start->parts);
}

/* With the force as momentum p, the tangent velocity v of M v = p + C' mu is 0 for mu = -lambda. */
int sb_wrenches_solve(sb_wrenches *me, const sb_state *at, sb_scalar *lambda) {
    const sb_system *sys = me->dyn.sys;
    const int numbers = me->world->bodies * sb_world_twist(me->world);
    for (int i = 0; i < sys->n; i++) {
        memset(me->unit, 0, (size_t)sys->n * sizeof *me->unit);
        me->unit[i] = 1.0;
        SB_TRY(me->world->place(me->world->self, at->q, me->unit, me->pose, me->twist));
        me->p[i] = 0.0;
        for (int k = 0; k < numbers; k++) {
            me->p[i] += me->twist[k] * me->wrench[k];
        }
    }
    SB_TRY(sb_dynamics_tangent(&me->dyn, at->t, at->q, me->p, me->v, me->mu));
    for (int k = 0; k < sb_system_bilateral(sys); k++) {
        lambda[k] = -me->mu[k];
    }
    return SB_OK;
}
