/* Soft Step: the velocity is swept with soft constraints, the position moves, and a second pass of sweeps with rigid
 * constraints removes the velocity of the correction, as in Box2D 3: catto24. */
#include <string.h>

#include <stepbench/plugin.h>

#include "integrators/shared/multipliers.h"

/* From v = v + h M^-1 (F + G' lambda), with the forces lambda of the last step, G and g at q, S_j = G_j
 * M^-1 G_j' and z = h lambda, `sweeps` times for each constraint j in turn
 *
 *   dz = -mu (G_j v + beta g_j)/S_j - nu z_j,   z_j += dz,   v += M^-1 G_j' dz,
 *   a = 2 zeta + rate,   beta = rate/(h a),   mu = rate a/(1 + rate a),   nu = 1/(1 + rate a);
 *
 * then q1 = q + h v; then `relax` times the same at q1 with beta = 0, mu = 1 and nu = 0; v1 = v, lambda1 = z/h. Where
 * the sweeps end, z is the impulse of an implicit spring and damper of the mass 1/S_j, with the frequency omega =
 * rate/h and the damping ratio zeta,
 *
 *   z = -h k (g + h G v) - h c G v,   k = omega^2/S,   c = 2 zeta omega/S.
 *
 * catto24 takes the frequency in Hz, at most 1/(4 h): rate = pi/2. */
typedef struct config {
    sb_scalar rate, zeta;
    long sweeps, relax;
} config;

typedef struct work {
    multipliers motion;
    sb_mass mass;
    sb_scalar *F, *tmp;
    sb_scalar *g, *Gx;  /* g and G at q or q1 */
    sb_scalar *S;       /* G_j M^-1 G_j' */
    sb_scalar *row, *W; /* G_j' and M^-1 G_j' (n), 0 between uses */
} work;

static int init(sb_method *me) {
    const sb_system *sys = me->sys;
    const int n = sys->n, m = sys->holonomic.m;
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_TRY(SB_VECTORS(me->arena, n, &w->F, &w->tmp, &w->row, &w->W));
    SB_NEW(me->arena, w->g, m);
    SB_NEW(me->arena, w->S, m);
    SB_NEW(me->arena, w->Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_TRY(sb_multipliers_init(me, &w->motion));
    return sb_mass_init(me->ctx, me->arena, sys, &w->mass);
}

/* Adds c M^-1 G_j' to v and returns G_j M^-1 G_j'. */
static sb_scalar push(const sb_method *me, int j, sb_scalar c, sb_scalar *v) {
    const work *w = me->work;
    const sb_pattern *G = &me->sys->holonomic.G;
    sb_scalar S = 0.0;
    for (int k = G->p[j]; k < G->p[j + 1]; k++) {
        w->row[G->i[k]] = w->Gx[k];
    }
    sb_mass_solve(&w->mass, w->row, w->W);
    for (int i = 0; i < me->sys->n; i++) {
        S += w->row[i] * w->W[i];
        v[i] += c * w->W[i];
    }
    for (int k = G->p[j]; k < G->p[j + 1]; k++) {
        w->row[G->i[k]] = 0.0;
    }
    return S;
}

/* Sweeps once over the constraints with the coefficients beta, mu and nu. */
static void sweep(const sb_method *me, sb_scalar beta, sb_scalar mu, sb_scalar nu, sb_scalar *z, sb_scalar *v) {
    const work *w = me->work;
    const sb_pattern *G = &me->sys->holonomic.G;
    for (int j = 0; j < G->cols; j++) {
        sb_scalar Gv = 0.0;
        for (int k = G->p[j]; k < G->p[j + 1]; k++) {
            Gv += w->Gx[k] * v[G->i[k]];
        }
        const sb_scalar dz = -mu * (Gv + beta * w->g[j]) / w->S[j] - nu * z[j];
        z[j] += dz;
        push(me, j, dz, v);
    }
}

/* Evaluates g, G and S at q, and adds the velocities of the impulses z to v. */
static int evaluate(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *z, sb_scalar *v) {
    const work *w = me->work;
    SB_TRY(sb_holonomic_value(me->sys, t, q, w->g, w->Gx));
    for (int j = 0; j < me->sys->holonomic.m; j++) {
        w->S[j] = push(me, j, z != NULL ? z[j] : 0.0, v);
        if (!(w->S[j] > 0.0)) {
            return sb_fail(me->ctx, SB_SINGULAR, "soft_step: the gradient of constraint %d vanishes", j);
        }
    }
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const config *c = me->config;
    const work *w = me->work;
    const int n = me->sys->n, m = me->sys->holonomic.m;
    const sb_scalar a = 2.0 * c->zeta + c->rate, nu = 1.0 / (1.0 + c->rate * a);
    SB_TRY(sb_system_force(me->sys, in->t, in->q, in->v, w->F, w->tmp));
    sb_mass_solve(&w->mass, w->F, w->motion.a);
    for (int i = 0; i < n; i++) {
        out->v[i] = in->v[i] + h * w->motion.a[i];
    }
    for (int j = 0; j < m; j++) {
        out->lambda[j] = h * in->lambda[j];
    }
    SB_TRY(m > 0 ? evaluate(me, in->t, in->q, out->lambda, out->v) : SB_OK);
    for (long k = 0; k < c->sweeps; k++) {
        sweep(me, c->rate / (h * a), c->rate * a * nu, nu, out->lambda, out->v);
    }
    for (int i = 0; i < n; i++) {
        out->q[i] = in->q[i] + h * out->v[i];
    }
    SB_TRY(m > 0 && c->relax > 0 ? evaluate(me, in->t + h, out->q, NULL, out->v) : SB_OK);
    for (long k = 0; k < c->relax; k++) {
        sweep(me, 0.0, 1.0, 0.0, out->lambda, out->v);
    }
    for (int j = 0; j < m; j++) {
        out->lambda[j] /= h;
    }
    out->iters = m > 0 ? c->sweeps + c->relax : 0;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_REAL(config, rate, "1.5707963267948966", 0.0, INFINITY, SB_OPEN, "",
                  "frequency of the constraints times h"),
    SB_PARAM_NOT_NEGATIVE(config, zeta, "1", "", "damping ratio of the constraints"),
    SB_PARAM_INT(config, sweeps, "1", 1.0, 1e6, "sweeps with soft constraints per step"),
    SB_PARAM_INT(config, relax, "1", 0.0, 1e6, "sweeps with rigid constraints per step, after the position"),
    {.name = NULL},
};

SB_DEFINE_STEPPER(soft_step) = {
    .entry = {"soft_step", "Soft Step: sweeps with soft constraints, and with rigid ones after the position", "catto24",
              params, sizeof(config)},
    .order = 1,
    .supports = SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_TIME_POTENTIAL,
    .init = init,
    .start = sb_multipliers_start,
    .step = step,
};
