/* Steppers with one linear system a step at velocity level: SPOOK, the regularized stepper, velocity time stepping. */
#ifndef STEPBENCH_INTEGRATORS_VELOCITY_LEVEL_H
#define STEPBENCH_INTEGRATORS_VELOCITY_LEVEL_H

#include "integrators/geometric.h"
#include "integrators/inertial.h"

/* With F = -V_q + f at (t, q, v), a step from (q, v) solves
 *
 *   M v1 - C(q) lambda = p + h (F + T_q(q, v1)),   G' v1 + sigma lambda = -on_g g(q) + on_v G' v,   A' v1 + gamma lambda = w(t),   q1 = q + h v1
 *
 * for v1 and the impulses lambda, with M at q and p = M(q - h v) v. The methods differ in the four numbers of a row. For a constant M it is spook07 (29);
 * else it is the discrete Euler-Lagrange equation of L_d = h L(q, (q1 - q)/h), whose momenta are p and M v1: of first order, symplectic without
 * constraints, and true to every symmetry only where T_q belongs to v1. */
typedef struct relaxation {
    double sigma, on_g, on_v, gamma;
} relaxation;

/* The relaxation of a row with eps, tau (over h) and gamma: the configuration's, or the problem's own where it gives them. */
typedef relaxation (*relax_row)(const void *config, double h, const double *eps, const double *tau, const double *gamma);

/* Every configuration of these methods begins with it. */
typedef struct velocity_level_config {
    int form, start, geometric;
    const char *solver;
} velocity_level_config;

#define VELOCITY_LEVEL_PARAMS(type, common)                                                                                                                                \
    {"form", SB_CHOICE, offsetof(type, common) + offsetof(velocity_level_config, form), "saddle", 0.0, 0.0, SB_CLOSED, "saddle|schur", "", "the linear system: spook07 (29) or its complement (30)"},    \
    GEOMETRIC_PARAM(offsetof(type, common) + offsetof(velocity_level_config, geometric)),                                                                                                                \
    {"solver", SB_TEXT, offsetof(type, common) + offsetof(velocity_level_config, solver), "auto", 0.0, 0.0, SB_CLOSED, NULL, "", "linear solver by name; auto chooses by size and pattern"},                         \
    {"start", SB_CHOICE, offsetof(type, common) + offsetof(velocity_level_config, start), "half", 0.0, 0.0, SB_CLOSED, "full|half", "",                                                                  \
     "half: the first step starts from the velocity half a step earlier, and v is reported as the mean of two steps; full: from v as it is, as the papers do, which sets the motion off by half a step"}

enum { START_FULL, START_HALF };

typedef struct velocity_level {
    sb_kkt kkt; /* its mass is that of geometric */
    geometric geometric;
    relax_row relax;
    double relaxed_for; /* the step that sigma, on_g and on_v were found for */
    bool ahead; /* nonholonomic rows hold at the end of a step, else at its start */
    double *Cx, *sigma, *on_g, *on_v, *g, *Cv, *F, *tmp, *p, *r, *s;
    inertial inertial; /* where M varies */
    sb_state next; /* scratch: the step ahead of a report, and what a start throws away */
} velocity_level;

static inline int velocity_level_init(sb_method *me, relax_row relax, velocity_level *out) {
    const velocity_level_config *c = me->config;
    const sb_system *sys = me->sys;
    const int n = sys->n, rows = sb_system_bilateral(sys);
    const sb_form form = c->form == 0 ? SB_FORM_SADDLE : SB_FORM_SCHUR;
    const sb_solver *solver = sb_solver_choose(me->ctx, c->solver, form, n + rows);
    if (solver == NULL) {
        return SB_BAD_USAGE;
    }
    *out = (velocity_level){.relax = relax, .relaxed_for = (double)NAN};
    me->work = out;
    const sb_system *with_mass;
    SB_TRY(geometric_init(me->arena, sys, c->geometric, &out->geometric, &with_mass));
    SB_TRY(sb_kkt_init(me->ctx, me->arena, with_mass, form, solver, &out->kkt));
    SB_NEW(me->arena, out->Cx, sb_pattern_nnz(&out->kkt.C));
    SB_NEW(me->arena, out->sigma, rows);
    SB_NEW(me->arena, out->on_g, rows);
    SB_NEW(me->arena, out->on_v, rows);
    SB_NEW(me->arena, out->g, rows);
    SB_NEW(me->arena, out->Cv, rows);
    SB_NEW(me->arena, out->F, n);
    SB_NEW(me->arena, out->tmp, n);
    SB_NEW(me->arena, out->p, n);
    SB_NEW(me->arena, out->r, n);
    SB_NEW(me->arena, out->s, rows);
    if (sys->inertia.gradient != NULL) {
        SB_TRY(inertial_init(me->ctx, me->arena, sys, &out->inertial));
    }
    return sb_state_new(me, me->arena, &out->next);
}

static inline void set_relaxation(const sb_method *me, double h) {
    velocity_level *w = me->work;
    const sb_holonomic *holonomic = &me->sys->holonomic;
    const sb_nonholonomic *nonholonomic = &me->sys->nonholonomic;
    const int m = holonomic->m, rows = w->kkt.C.cols;
    if (h == w->relaxed_for) {
        return;
    }
    w->relaxed_for = h;
    const bool own = holonomic->eps != NULL || holonomic->tau != NULL || nonholonomic->gamma != NULL;
    relaxation x = w->relax(me->config, h, NULL, NULL, NULL);
    for (int i = 0; i < rows; i++) {
        if (own) {
            const bool g = i < m;
            x = w->relax(me->config, h, g && holonomic->eps != NULL ? holonomic->eps + i : NULL, g && holonomic->tau != NULL ? holonomic->tau + i : NULL,
                         !g && nonholonomic->gamma != NULL ? nonholonomic->gamma + (i - m) : NULL);
        }
        w->sigma[i] = i < m ? x.sigma : x.gamma;
        w->on_g[i] = x.on_g;
        w->on_v[i] = x.on_v;
    }
}

/* M(q - h v) v of a step of length h that led to q: the momentum conjugate to q. Leaves the mass there. */
static inline int velocity_level_conjugate(velocity_level *w, double h, const double *q, const double *v, double *p) {
    geometric_set(&w->geometric, h, NULL);
    if (!w->kkt.mass.constant) {
        for (int i = 0; i < w->kkt.sys->n; i++) {
            w->tmp[i] = q[i] - h * v[i];
        }
        SB_TRY(sb_mass_evaluate(&w->kkt.mass, w->tmp));
    }
    sb_mass_mult(&w->kkt.mass, v, p);
    return SB_OK;
}

/* Evaluates constraints, momentum and forces at (t, q, v), where a step of length `before` led, and factors the matrix for one of length h after the
 * multipliers lambda; NULL: without geometric stiffness. With a constant mass the matrix is left to solve_step, which factors it in the pass that solves. */
static inline int prepare(const sb_method *me, double t, double before, double h, const double *q, const double *v, const double *lambda) {
    velocity_level *w = me->work;
    const sb_system *sys = me->sys;
    const int m = sys->holonomic.m;
    if (m > 0) {
        SB_TRY(sys->holonomic.value(sys->holonomic.self, q, w->g, w->Cx));
    }
    if (w->kkt.C.cols > m) {
        SB_TRY(sys->nonholonomic.value(sys->nonholonomic.self, t, q, w->Cx + sb_pattern_nnz(&sys->holonomic.G), w->g + m));
    }
    set_relaxation(me, h);
    SB_TRY(velocity_level_conjugate(w, before, q, v, w->p));
    SB_TRY(sb_system_force(sys, t, q, v, w->F, w->tmp));
    geometric_set(&w->geometric, h, lambda);
    if (!w->kkt.mass.constant) {
        SB_TRY(geometric_explain(&w->geometric, me->ctx, sb_kkt_factor(&w->kkt, q, w->Cx, w->sigma)));
        geometric_add(&w->geometric, v, w->p);
    }
    return SB_OK;
}

static inline void set_impulse(velocity_level *w, double h) {
    for (int i = 0; i < w->kkt.sys->n; i++) {
        w->r[i] = w->p[i] + h * w->F[i];
    }
}

/* v1 and impulses of a step of length h with momentum, force and factor at hand, from the right-hand side w->s of the constraints. */
static inline int solve_for(const sb_method *me, double h, double *v1, double *impulse) {
    velocity_level *w = me->work;
    set_impulse(w, h);
    return sb_kkt_solve(&w->kkt, w->r, w->s, v1, impulse);
}

static inline int solve_step(const sb_method *me, double h, const double *q, const double *v, double *v1, double *impulse, long *iters) {
    velocity_level *w = me->work;
    const int m = me->sys->holonomic.m, rows = w->kkt.C.cols;
    if (rows > 0) {
        sb_csc_mult_t(&w->kkt.C, w->Cx, v, w->Cv);
    }
    for (int i = 0; i < rows; i++) {
        w->s[i] = i < m ? w->on_v[i] * w->Cv[i] - w->on_g[i] * w->g[i] : w->g[i];
    }
    if (w->kkt.mass.constant) {
        set_impulse(w, h);
        SB_TRY(sb_kkt_factor_solve(&w->kkt, q, w->Cx, w->sigma, w->r, w->s, v1, impulse));
    } else {
        SB_TRY(solve_for(me, h, v1, impulse));
    }
    return me->sys->inertia.gradient == NULL ? SB_OK : inertial_settle(me->ctx, &w->inertial, &w->kkt, h, q, v, w->r, v1, impulse, iters);
}

/* The velocity half a step earlier on a motion whose constraints hold to second order: C' dv/dt is minus their curvature, M dv/dt the applied
 * force. Nonholonomic rows are held where the method holds them, a step before q or at q, so that the first multiplier is what the later ones are. */
static inline int half_step_back(const sb_method *me, double t, double h, const double *q, const double *v, double *before) {
    velocity_level *w = me->work;
    const sb_holonomic *holonomic = &me->sys->holonomic;
    const sb_nonholonomic *nonholonomic = &me->sys->nonholonomic;
    const int m = holonomic->m, rows = w->kkt.C.cols;
    if (m > 0) {
        SB_TRY(holonomic->curvature(holonomic->self, q, v, w->s));
    }
    if (rows > m) {
        SB_TRY(nonholonomic->rate(nonholonomic->self, t, q, v, w->s + m));
    }
    for (int i = 0; i < rows; i++) {
        w->s[i] = i < m ? 0.5 * h * w->s[i] : (w->ahead ? 0.0 : h * w->s[i]) + w->g[i];
    }
    sb_mass_mult(&w->kkt.mass, v, w->p);
    SB_TRY(sb_system_applied_force(me->sys, t, q, v, w->F, w->tmp, w->inertial.saddle.Hx));
    return solve_for(me, -0.5 * h, before, w->next.lambda);
}

static inline int velocity_level_start(const sb_method *me, double t, const double *q, const double *v, double h, sb_state *out) {
    const velocity_level_config *c = me->config;
    velocity_level *w = me->work;
    const size_t n = (size_t)me->sys->n;
    memcpy(out->q, q, n * sizeof(double));
    memcpy(out->v, v, n * sizeof(double));
    SB_TRY(prepare(me, t, h, h, q, v, NULL));
    SB_TRY(solve_step(me, h, q, v, w->next.v, out->lambda, &out->iters));
    for (int i = 0; i < w->kkt.C.cols; i++) {
        out->lambda[i] /= h;
    }
    return c->start == START_HALF ? half_step_back(me, t, h, q, v, out->v) : SB_OK;
}

static inline int velocity_level_step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    velocity_level *w = me->work;
    SB_TRY(prepare(me, in->t, in->h, h, in->q, in->v, in->lambda));
    SB_TRY(solve_step(me, h, in->q, in->v, out->v, out->lambda, &out->iters));
    for (int i = 0; i < me->sys->n; i++) {
        out->q[i] = in->q[i] + h * out->v[i];
    }
    for (int i = 0; i < w->kkt.C.cols; i++) {
        out->lambda[i] /= h;
    }
    return SB_OK;
}

/* After a half start v lags half a step: velocity and multiplier at t are those of the step ahead, the former as a mean. */
static inline int velocity_level_report(const sb_method *me, const sb_state *in, double *v, double *lambda) {
    const velocity_level_config *c = me->config;
    velocity_level *w = me->work;
    const sb_state *ahead = in;
    if (c->start == START_HALF) {
        const int status = me->type->step(me, in, in->h, &w->next);
        if (status < 0) {
            return status;
        }
        for (int i = 0; i < w->kkt.C.cols && status > 0; i++) {
            w->next.lambda[i] = NAN;
        }
        ahead = status == SB_OK ? &w->next : in;
        if (status > 0 && lambda != NULL) {
            memcpy(lambda, w->next.lambda, (size_t)w->kkt.C.cols * sizeof(double));
            lambda = NULL;
        }
    }
    for (int i = 0; i < me->sys->n && v != NULL; i++) {
        v[i] = 0.5 * (in->v[i] + ahead->v[i]);
    }
    if (lambda != NULL) {
        memcpy(lambda, ahead->lambda, (size_t)w->kkt.C.cols * sizeof(double));
    }
    return SB_OK;
}

/* p of the step that led to q: p . xi(q) is what a step leaves alone, for G' lambda does no work along a symmetry of g. */
static inline int velocity_level_momentum(const sb_method *me, const sb_state *in, double *p) {
    return velocity_level_conjugate(me->work, in->h, in->q, in->v, p);
}

static inline void velocity_level_fini(sb_method *me) {
    velocity_level *w = me->work;
    sb_kkt_fini(&w->kkt);
    inertial_fini(&w->inertial);
}

/* What the methods have in common as registered steppers. */
#define VELOCITY_LEVEL_SUPPORTS (SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_NONHOLONOMIC | SB_HAS_VARIABLE_MASS)

#endif
