/* Soft Step: the velocity is swept with soft constraints and contacts, the position moves, and a second pass of sweeps
 * with rigid ones removes the velocity of the correction; impacts rebound at the end, as in Box2D 3: catto24. */

#include <stepbench/numerics/contact.h>
#include <stepbench/plugin.h>

#include "integrators/shared/multipliers.h"

/* From v = v + h M^-1 (F + C lambda), with the forces lambda of the last step, the rows C = [G N D] and their g and xi
 * at q, S_j = C_j' M^-1 C_j and z = h lambda, `sweeps` times for each row j in turn
 *
 *   dz = -mu (C_j' v + beta g_j)/S_j - nu z_j,   z_j += dz,   v += M^-1 C_j dz,
 *   a = 2 zeta + rate,   beta = rate/(h a),   mu = rate a/(1 + rate a),   nu = 1/(1 + rate a);
 *
 * then q1 = q + h v; then `relax` times the same at q1 with beta = 0, mu = 1 and nu = 0; v1 = v, lambda1 = z/h. Where
 * the sweeps end, z is the impulse of an implicit spring and damper of the mass 1/S_j, with the frequency omega =
 * rate/h and the damping ratio zeta,
 *
 *   z = -h k (g + h G v) - h c G v,   k = omega^2/S,   c = 2 zeta omega/S.
 *
 * A gap xi has its own damping ratio and z >= 0. An open one has beta = 1/h, mu = 1 and nu = 0 in both passes: it
 * closes within the step but no further, and the relaxing sweeps slow down what would close it in the next step.
 * Friction is rigid, D' v = w, with |z| at most h limit + mu |z_of| of the same sweep; two rows of a cone are projected
 * onto it together. Last, a gap that was closing before the step, N' v < 0, and that pushes ends with N' v1 >=
 * -restitution N' v. The regularization of the problem is not used. catto24 takes the frequency in Hz, at most 1/(4 h):
 * rate = pi/2; it also limits the speed of the correction. */
typedef struct config {
    sb_scalar rate, zeta, contact_zeta;
    long sweeps, relax;
} config;

typedef struct work {
    multipliers motion;
    sb_contact_step at;    /* the rows at q or q1; its problem is not solved */
    sb_scalar *F, *tmp;    /* n */
    sb_scalar *S, *before; /* of each row: C_j' M^-1 C_j, and its velocity before the step */
    sb_scalar *row, *W;    /* C_j and M^-1 C_j (n), 0 between uses */
} work;

/* The coefficients of the rows of a pass. */
typedef struct softness {
    sb_scalar beta, mu, nu;
} softness;

static int init(sb_method *me) {
    static const sb_contact_config unsolved = {.lcp = "pgs"};
    const int n = me->sys->n;
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_TRY(SB_VECTORS(me->arena, n, &w->F, &w->tmp, &w->row, &w->W));
    SB_TRY(SB_VECTORS(me->arena, sb_system_multipliers(me->sys), &w->S, &w->before));
    SB_TRY(sb_multipliers_init(me, &w->motion));
    return sb_contact_step_init(me->ctx, me->arena, me->sys, NULL, &unsolved, "auto", &w->at);
}

static softness soft(sb_scalar rate, sb_scalar zeta, sb_scalar h) {
    const sb_scalar a = 2.0 * zeta + rate, nu = 1.0 / (1.0 + rate * a);
    return (softness){rate / (h * a), rate * a * nu, nu};
}

/* Returns C_j' v. */
static sb_scalar speed(const sb_contact_step *at, int j, const sb_scalar *v) {
    sb_scalar sum = 0.0;
    for (int k = at->C.p[j]; k < at->C.p[j + 1]; k++) {
        sum += at->Cx[k] * v[at->C.i[k]];
    }
    return sum;
}

/* Adds c M^-1 C_j to v and returns C_j' M^-1 C_j. */
static sb_scalar push(const sb_method *me, int j, sb_scalar c, sb_scalar *v) {
    const work *w = me->work;
    const sb_pattern *C = &w->at.C;
    sb_scalar S = 0.0;
    for (int k = C->p[j]; k < C->p[j + 1]; k++) {
        w->row[C->i[k]] = w->at.Cx[k];
    }
    sb_mass_solve(&w->at.mass, w->row, w->W);
    for (int i = 0; i < me->sys->n; i++) {
        S += w->row[i] * w->W[i];
        v[i] += c * w->W[i];
    }
    for (int k = C->p[j]; k < C->p[j + 1]; k++) {
        w->row[C->i[k]] = 0.0;
    }
    return S;
}

/* Changes z_j to `value`, and v with it. */
static void set_impulse(const sb_method *me, int j, sb_scalar value, sb_scalar *z, sb_scalar *v) {
    push(me, j, value - z[j], v);
    z[j] = value;
}

/* Bounds friction row j: alone, or with the row before it where they have a cone. */
static void bound_friction(const sb_method *me, int j, sb_scalar h, sb_scalar *z, sb_scalar *v) {
    const sb_contact *c = &me->sys->contact;
    const int first = sb_system_multipliers(me->sys) - c->k, other = c->with != NULL ? c->with[j] : -1;
    const sb_scalar bound = (c->limit != NULL ? h * c->limit[j] : 0.0) +
                            (c->of[j] >= 0 && c->mu != NULL ? c->mu[j] * fabs(z[c->of[j]]) : 0.0);
    const sb_scalar size = other < 0 ? fabs(z[first + j]) : hypot(z[first + j], z[first + other]);
    if (other <= j && size > bound) {
        set_impulse(me, first + j, z[first + j] * (bound / size), z, v);
        if (other >= 0) {
            set_impulse(me, first + other, z[first + other] * (bound / size), z, v);
        }
    }
}

/* Sweeps once over the rows, with the coefficients of holonomic rows and of closed gaps. */
static void sweep(const sb_method *me, sb_scalar h, softness joint, softness closed, sb_scalar *z, sb_scalar *v) {
    const work *w = me->work;
    const int gaps = w->at.bilateral, friction = gaps + me->sys->contact.m;
    for (int j = 0; j < w->at.rows; j++) {
        const sb_scalar level = w->at.level[j];
        const softness s = j >= friction  ? (softness){-1.0, 1.0, 0.0}
                           : j < gaps     ? joint
                           : level <= 0.0 ? closed
                                          : (softness){1.0 / h, 1.0, 0.0};
        if (w->S[j] > 0.0) {
            const sb_scalar dz = -s.mu * (speed(&w->at, j, v) + s.beta * level) / w->S[j] - s.nu * z[j];
            set_impulse(me, j, j >= gaps && j < friction ? fmax(z[j] + dz, 0.0) : z[j] + dz, z, v);
        }
        if (j >= friction) {
            bound_friction(me, j - friction, h, z, v);
        }
    }
}

/* Gives the gaps that were closing before the step and that push the velocity of Newton's impact law. */
static void rebound(const sb_method *me, sb_scalar *z, sb_scalar *v) {
    const work *w = me->work;
    const sb_contact *c = &me->sys->contact;
    for (int i = 0; i < c->m && c->restitution != NULL; i++) {
        const int j = w->at.bilateral + i;
        const sb_scalar missing = -c->restitution[i] * w->before[j] - speed(&w->at, j, v);
        if (c->restitution[i] > 0.0 && w->before[j] < 0.0 && z[j] > 0.0 && missing > 0.0) {
            set_impulse(me, j, z[j] + missing / w->S[j], z, v);
        }
    }
}

/* Evaluates the rows and S at q, and adds the velocities of the impulses z (NULL: none) to v. */
static int evaluate(const sb_method *me, sb_scalar t, sb_scalar h, const sb_scalar *q, const sb_scalar *z,
                    sb_scalar *v) {
    work *w = me->work;
    SB_TRY(sb_contact_step_evaluate(&w->at, t, h, q));
    for (int j = 0; j < w->at.rows; j++) {
        w->S[j] = push(me, j, z != NULL ? z[j] : 0.0, v);
        if (!(w->S[j] > 0.0) && j < w->at.bilateral) {
            return sb_fail(me->ctx, SB_SINGULAR, "soft_step: the gradient of constraint %d vanishes", j);
        }
    }
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const config *c = me->config;
    const work *w = me->work;
    const int n = me->sys->n, rows = w->at.rows;
    const softness rigid = {0.0, 1.0, 0.0};
    SB_TRY(sb_system_force(me->sys, in->t, in->q, in->v, w->F, w->tmp));
    sb_mass_solve(&w->at.mass, w->F, w->motion.a);
    for (int i = 0; i < n; i++) {
        out->v[i] = in->v[i] + h * w->motion.a[i];
    }
    for (int j = 0; j < rows; j++) {
        out->lambda[j] = h * in->lambda[j];
    }
    SB_TRY(rows > 0 ? evaluate(me, in->t, h, in->q, out->lambda, out->v) : SB_OK);
    for (int j = 0; j < rows; j++) {
        w->before[j] = speed(&w->at, j, in->v);
    }
    for (long k = 0; k < c->sweeps; k++) {
        sweep(me, h, soft(c->rate, c->zeta, h), soft(c->rate, c->contact_zeta, h), out->lambda, out->v);
    }
    for (int i = 0; i < n; i++) {
        out->q[i] = in->q[i] + h * out->v[i];
    }
    SB_TRY(rows > 0 && c->relax > 0 ? evaluate(me, in->t + h, h, out->q, NULL, out->v) : SB_OK);
    for (long k = 0; k < c->relax; k++) {
        sweep(me, h, rigid, rigid, out->lambda, out->v);
    }
    rebound(me, out->lambda, out->v);
    for (int j = 0; j < rows; j++) {
        out->lambda[j] /= h;
    }
    out->iters = rows > 0 ? c->sweeps + c->relax : 0;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_REAL(config, rate, "1.5707963267948966", 0.0, INFINITY, SB_OPEN, "",
                  "frequency of the constraints and contacts times h"),
    SB_PARAM_NOT_NEGATIVE(config, zeta, "1", "", "damping ratio of the constraints"),
    SB_PARAM_NOT_NEGATIVE(config, contact_zeta, "10", "", "damping ratio of closed contacts, of the same frequency"),
    SB_PARAM_INT(config, sweeps, "1", 1.0, 1e6, "sweeps with soft constraints per step"),
    SB_PARAM_INT(config, relax, "1", 0.0, 1e6, "sweeps with rigid constraints per step, after the position"),
    {.name = NULL},
};

SB_DEFINE_STEPPER(soft_step) = {
    .entry = {"soft_step",
              "Soft Step: sweeps with soft constraints and contacts, and with rigid ones after the position", "catto24",
              params, sizeof(config)},
    .order = 1,
    .supports = SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_CONTACT | SB_HAS_FRICTION |
                SB_HAS_TIME_POTENTIAL,
    .init = init,
    .start = sb_multipliers_start,
    .step = step,
};
