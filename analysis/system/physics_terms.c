/* Computes the terms of d'Alembert's principle, goldstein02 (1.45), of a mechanism in maximal coordinates. */
#include "analysis/system/physics_terms.h"

#include <string.h>

#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/quaternion.h>

#include "core/base/text.h"

/* A body in space: attitude, rates and accelerations, and a virtual displacement. */
typedef struct moving {
    double e[4], w[3], a[3], turn[3], dx[3], dtheta[3];
} moving;

/* ---- Bodies in space. ---- */

/* Sets the components of a vector of space in the body. */
static void to_body(const double e[4], const double x[3], double out[3]) {
    const double back[4] = {e[0], -e[1], -e[2], -e[3]};
    sb_quaternion_rotate(back, back, x, out);
}

/* Sets body b from poses, twists, their rates and a displacement, in the axes of the body. */
static void set_moving(const sb_physics_terms *m, int b, const sb_scalar *rate, moving *out) {
    const int poses = sb_world_pose(m->world), twists = sb_world_twist(m->world);
    const sb_scalar *x = m->pose + poses * b, *u = m->twist + twists * b, *r = rate + twists * b,
                    *d = m->d + twists * b;
    *out = (moving){.e = {1.0}};
    if (twists == 3) {
        for (int k = 0; k < 2; k++) {
            out->a[k] = r[k];
            out->dx[k] = d[k];
        }
        out->w[2] = u[2];
        out->turn[2] = r[2];
        out->dtheta[2] = d[2];
        return;
    }
    memcpy(out->e, x + 3, sizeof out->e);
    memcpy(out->a, r, sizeof out->a);
    memcpy(out->dx, d, sizeof out->dx);
    to_body(out->e, u + 3, out->w);
    to_body(out->e, r + 3, out->turn);
    to_body(out->e, d + 3, out->dtheta);
}

/* Sets a point fixed in a body, its velocity and its displacement, in space. */
static void set_point(const sb_physics_terms *m, int b, const sb_scalar local[3], double x[3], double u[3],
                      double dx[3]) {
    memcpy(x, local, 3 * sizeof *x);
    memset(u, 0, 3 * sizeof *u);
    memset(dx, 0, 3 * sizeof *dx);
    if (b == SB_GROUND) {
        return;
    }
    const int dimension = m->world->dimension;
    const sb_scalar *pose = m->pose + sb_world_pose(m->world) * b, *twist = m->twist + sb_world_twist(m->world) * b,
                    *d = m->d + sb_world_twist(m->world) * b;
    double e[4] = {cos(0.5 * pose[2]), 0.0, 0.0, sin(0.5 * pose[2])}, arm[3], w[3] = {0.0, 0.0, twist[2]},
           turn[3] = {0.0, 0.0, d[2]}, c[3];
    if (dimension == 3) {
        memcpy(e, pose + 3, sizeof e);
        memcpy(w, twist + 3, sizeof w);
        memcpy(turn, d + 3, sizeof turn);
    }
    sb_quaternion_rotate(e, e, local, arm);
    sb_cross(w, arm, u);
    sb_cross(turn, arm, c);
    for (int k = 0; k < 3; k++) {
        x[k] = arm[k] + (k < dimension ? pose[k] : 0.0);
        u[k] += k < dimension ? twist[k] : 0.0;
        dx[k] = c[k] + (k < dimension ? d[k] : 0.0);
    }
}

/* ---- The terms of an equation. ---- */

double sb_physics_terms_set(const sb_physics_terms *m, int equation, const sb_scalar *rate) {
    sb_physics_parameter *gravity = &m->parameters[SB_PHYSICS_GRAVITY],
                         *gyroscopic = &m->parameters[SB_PHYSICS_GYROSCOPIC], *drag = &m->parameters[SB_PHYSICS_DRAG],
                         *c = drag + 1;
    double sum = 0.0;
    gravity->term[equation] = gyroscopic->term[equation] = drag->term[equation] = 0.0;
    for (int b = 0; b < m->parts.bodies; b++) {
        const sb_world_body *body = &m->parts.body[b];
        moving x;
        set_moving(m, b, rate, &x);
        double inertial = 0.0, weight = 0.0, Jw[3], torque[3];
        const sb_scalar *u = m->twist + sb_world_twist(m->world) * b;
        for (int k = 0; k < m->world->dimension; k++) {
            inertial += body->mass * x.a[k] * x.dx[k];
            weight += body->mass * m->parts.gravity[k] * x.dx[k];
            drag->term[equation] += body->mass * u[k] * x.dx[k];
            m->fall[k][equation] = (b > 0 ? m->fall[k][equation] : 0.0) - body->mass * x.dx[k];
        }
        c++->term[equation] = inertial - weight;
        gravity->term[equation] -= weight;
        sum += inertial - weight;
        for (int k = 0; k < 3; k++) {
            Jw[k] = body->inertia[k] * x.w[k];
            drag->term[equation] += Jw[k] * x.dtheta[k];
        }
        sb_cross(x.w, Jw, torque);
        for (int k = 0; k < 3; k++) {
            double unit[3] = {0.0}, across[3];
            unit[k] = Jw[k];
            sb_cross(x.w, unit, across);
            const double term = body->inertia[k] * x.turn[k] * x.dtheta[k] + across[0] * x.dtheta[0] +
                                across[1] * x.dtheta[1] + across[2] * x.dtheta[2];
            c++->term[equation] = term;
            sum += term;
            gyroscopic->term[equation] += torque[k] * x.dtheta[k];
        }
    }
    for (const sb_world_part *s = m->parts.part; s < m->parts.part + m->parts.parts; s++) {
        double x[2][3], u[2][3], dx[2][3], length = 0.0, faster = 0.0, longer = 0.0;
        if (s->kind != SB_SPRING) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            set_point(m, s->body[k], s->point[k], x[k], u[k], dx[k]);
        }
        for (int k = 0; k < 3; k++) {
            const double along = x[1][k] - x[0][k];
            length += along * along;
            faster += along * (u[1][k] - u[0][k]);
            longer += along * (dx[1][k] - dx[0][k]);
        }
        length = sqrt(length);
        c++->term[equation] = s->stiffness * (length - s->length) * longer / length;
        c++->term[equation] = s->damping * faster * longer / (length * length);
        c++->term[equation] = -s->stiffness * s->length * longer / length;
        sum += c[-3].term[equation] + c[-2].term[equation];
    }
    return sum;
}

static int add(sb_physics_terms *m, bool may_vanish, bool given, const char *name) {
    m->parameters[m->count++] = (sb_physics_parameter){.name = name, .may_vanish = may_vanish, .given = given};
    return name != NULL ? SB_OK : SB_NO_MEMORY;
}

/* The names are in the order of sb_physics_terms_set. */
int sb_physics_terms_new(sb_arena *arena, const sb_world *world, sb_physics_terms *m) {
    static const char *const springs[] = {"the stiffness", "the damping", "the natural length"};
    *m = (sb_physics_terms){.world = world};
    SB_TRY(world->describe(world->self, arena, &m->parts));
    SB_NEW(arena, m->parameters, 3 + 4 * m->parts.bodies + 3 * m->parts.parts);
    SB_NEW(arena, m->fall, 3);
    SB_TRY(add(m, true, sb_norm_max(3, m->parts.gravity) > 0.0, "gravity"));
    SB_TRY(add(m, true, true, "the gyroscopic torque w x J w"));
    SB_TRY(add(m, true, true, "damping"));
    for (int b = 0; b < m->parts.bodies; b++) {
        const char *body = m->parts.body[b].name;
        const sb_scalar *J = m->parts.body[b].inertia;
        SB_TRY(add(m, false, m->parts.body[b].mass > 0.0, sb_asprintf(arena, "the mass of body %d (%s)", b + 1, body)));
        for (int k = 0; k < 3; k++) {
            SB_TRY(add(m, false, J[k] > 0.0 && (k == 2 || world->dimension == 3),
                       sb_asprintf(arena, "the inertia of body %d (%s) about its %c axis", b + 1, body, "xyz"[k])));
        }
    }
    int spring = 0;
    for (int k = 0; k < m->parts.parts; k++) {
        for (int j = 0; j < 3 && m->parts.part[k].kind == SB_SPRING; j++) {
            spring += j == 0;
            SB_TRY(add(m, true, j != 1 || m->parts.part[k].damping > 0.0,
                       sb_asprintf(arena, "%s of spring %d", springs[j], spring)));
        }
    }
    return SB_OK;
}
