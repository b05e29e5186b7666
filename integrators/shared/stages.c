/* The stage equations of implicit Runge-Kutta methods and Newton's iteration for them. */
#include "integrators/shared/stages.h"

#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/saddle.h>

#include "integrators/shared/collocation.h"

void sb_stages_collocation(int s, const sb_scalar *c, sb_scalar x, sb_scalar *weight) {
    twofold node[STAGES_MAX];
    sb_scalar low[STAGES_MAX];
    for (int j = 0; j < s; j++) {
        node[j] = (twofold){c[j], 0.0};
    }
    sb_collocation_weights(s, node, (twofold){x, 0.0}, weight, low);
}

int sb_stages_init(sb_method *me, const stage_table *table, stage_form form, const sb_newton *newton, stages *out) {
    const sb_system *sys = me->sys;
    const int rows = sb_system_bilateral(sys), m = sys->holonomic.m;
    *out = (stages){.ctx = me->ctx, .sys = sys, .table = *table, .form = form, .rows = rows, .newton = *newton};
    out->extra = form == STAGES_STABILISED ? m : 0;
    SB_TRY(sb_system_constraints(me->arena, sys, &out->C));
    for (int i = 0; i < table->s; i++) {
        SB_TRY(SB_VECTORS(me->arena, sys->n, &out->Q[i], &out->V[i], &out->U[i], &out->F[i]));
        SB_TRY(SB_VECTORS(me->arena, rows, &out->lambda[i], &out->mu[i]));
        SB_NEW(me->arena, out->Mx[i], sb_pattern_nnz(&sys->inertia.M));
        SB_NEW(me->arena, out->Cx[i], sb_pattern_nnz(&out->C));
    }
    SB_NEW(me->arena, out->x, table->s * (sys->n + rows + out->extra));
    SB_NEW(me->arena, out->tmp, sys->n);
    SB_TRY(SB_VECTORS(me->arena, rows, &out->g, &out->gt, &out->w));
    SB_TRY(sb_system_length(me->ctx, sys, &out->length));
    SB_TRY(sb_mass_init(me->ctx, me->arena, sys, &out->mass));
    if (sb_stages_blocks(table, &out->blocks)) {
        const int middle = 1; /* of three stages */
        SB_NEW(me->arena, out->y, table->s * (sys->n + rows + out->extra));
        SB_TRY(sb_stage_matrix_init(me, out, &out->blocks.real, middle, &out->real));
        SB_TRY(sb_stage_matrix_init(me, out, &out->blocks.pair, middle, &out->pair));
    }
    return sb_stage_matrix_init(me, out, table, -1, &out->full);
}

/* Computes Q_i. */
static void set_position(stages *w, int i) {
    for (int k = 0; k < w->sys->n; k++) {
        sb_scalar sum = 0.0;
        for (int j = 0; j < w->table.s; j++) {
            sum += w->table.a[i][j] * w->U[j][k];
        }
        w->Q[i][k] = w->q[k] + w->h * sum;
    }
}

/* Computes V_i, with the C_i of the last Q_i. */
static void set_velocity(stages *w, int i) {
    memcpy(w->V[i], w->U[i], (size_t)w->sys->n * sizeof(sb_scalar));
    if (w->extra > 0) {
        sb_csc_mult_add(&w->sys->holonomic.G, w->Cx[i], -1.0, w->mu[i], w->V[i]);
    }
}

/* Computes C_i. Stores g in w->g, g_t in w->gt and the prescribed velocities in w->w. */
static int evaluate_constraints(stages *w, int i) {
    const sb_system *sys = w->sys;
    const int m = sys->holonomic.m;
    const sb_scalar t = w->t + w->table.c[i] * w->h;
    if (m > 0) {
        SB_TRY(sb_holonomic_value(sys, t, w->Q[i], w->g, w->Cx[i]));
        SB_TRY(w->form != STAGES_INDEX3 ? sb_holonomic_rate(sys, t, w->Q[i], w->gt) : SB_OK);
    }
    if (w->rows > m) {
        SB_TRY(sys->nonholonomic.value(sys->nonholonomic.self, t, w->Q[i], w->Cx[i] + w->C.p[m], w->w));
    }
    return SB_OK;
}

/* Sets the residuals of the constraints of stage i: g/h or G V + g_t, A V - w, and in the stabilised form both of the
 * first two. */
static void set_constraints(stages *w, int i) {
    const sb_system *sys = w->sys;
    const int m = sys->holonomic.m, stage = i - w->table.skip;
    if (stage < 0) {
        return;
    }
    sb_scalar *x = w->x + w->table.s * sys->n + stage * (w->rows + w->extra);
    if (m > 0 && w->form != STAGES_INDEX2) {
        for (int j = 0; j < m; j++) {
            x[j] = w->g[j] / w->h;
        }
    }
    if (m > 0 && w->form != STAGES_INDEX3) {
        sb_scalar *const rate = x + (w->extra > 0 ? w->rows : 0);
        sb_csc_mult_t(&sys->holonomic.G, w->Cx[i], w->V[i], rate);
        sb_axpy(m, 1.0, w->gt, rate);
    }
    if (w->rows > m) {
        sb_csc_mult_t(&sys->nonholonomic.A, w->Cx[i] + w->C.p[m], w->V[i], x + m);
        for (int j = m; j < w->rows; j++) {
            x[j] -= w->w[j - m];
        }
    }
}

/* Sets F_i + C_i' Lambda_i, and M_i V_i - p as the residual of stage i. */
static int set_forces(stages *w, int i) {
    const sb_system *sys = w->sys;
    sb_scalar *x = w->x + i * sys->n;
    SB_TRY(sb_system_force(sys, w->t + w->table.c[i] * w->h, w->Q[i], w->V[i], w->F[i], w->tmp));
    sb_csc_mult_add(&w->C, w->Cx[i], 1.0, w->lambda[i], w->F[i]);
    SB_TRY(sb_mass_evaluate(&w->mass, w->Q[i]));
    memcpy(w->Mx[i], w->mass.Mx, (size_t)sb_pattern_nnz(&sys->inertia.M) * sizeof(sb_scalar));
    sb_mass_mult(&w->mass, w->V[i], x);
    sb_axpy(sys->n, -1.0, w->p, x);
    return SB_OK;
}

static int set_residuals(stages *w) {
    const int s = w->table.s, n = w->sys->n;
    for (int i = 0; i < s; i++) {
        set_position(w, i);
        SB_TRY(evaluate_constraints(w, i));
        set_velocity(w, i);
        set_constraints(w, i);
        SB_TRY(set_forces(w, i));
    }
    for (int i = 0; i < s; i++) {
        for (int k = 0; k < n; k++) {
            sb_scalar sum = 0.0;
            for (int j = 0; j < s; j++) {
                sum += w->table.a_hat[i][j] * w->F[j][k];
            }
            w->x[i * n + k] -= w->h * sum;
        }
    }
    return SB_OK;
}

/* Sets the parts of the real eigenvalue and of the pair of (T^-1 x), in this order, for x of size n per stage. */
static void transform(const stage_blocks *blocks, int n, const sb_scalar *x, sb_scalar *real, sb_scalar *pair) {
    const sb_scalar(*c)[3] = blocks->inverse;
    for (int k = 0; k < n; k++) {
        real[k] = c[0][0] * x[k] + c[0][1] * x[n + k] + c[0][2] * x[2 * n + k];
        pair[k] = c[1][0] * x[k] + c[1][1] * x[n + k] + c[1][2] * x[2 * n + k];
        pair[n + k] = c[2][0] * x[k] + c[2][1] * x[n + k] + c[2][2] * x[2 * n + k];
    }
}

/* Sets x to T of these parts. */
static void transform_back(const stage_blocks *blocks, int n, const sb_scalar *real, const sb_scalar *pair,
                           sb_scalar *x) {
    for (int i = 0; i < 3; i++) {
        const sb_scalar *c = blocks->T[i];
        for (int k = 0; k < n; k++) {
            x[i * n + k] = c[0] * real[k] + c[1] * pair[k] + c[2] * pair[n + k];
        }
    }
}

/* Solves in place with the factors of the two systems. Each has the unknowns of its momentum equations, then those of
 * its constraints. */
static int solve_blocks(stages *w) {
    const int n = w->sys->n, b = w->rows + w->extra;
    sb_scalar *const real = w->y, *const pair = real + n + b, *x = w->x;
    transform(&w->blocks, n, x, real, pair);
    transform(&w->blocks, b, x + 3 * n, real + n, pair + 2 * n);
    SB_TRY(sb_stage_matrix_solve(w->real, real));
    SB_TRY(sb_stage_matrix_solve(w->pair, pair));
    transform_back(&w->blocks, n, real, pair, x);
    transform_back(&w->blocks, b, real + n, pair + 2 * n, x + 3 * n);
    return SB_OK;
}

/* Corrects the stages by the residuals and the last factorization. */
static int apply_correction(stages *w, sb_scalar *change, sb_scalar *scale) {
    const int s = w->table.s, n = w->sys->n, b = w->rows + w->extra;
    SB_TRY(w->simplified ? solve_blocks(w) : sb_stage_matrix_solve(w->full, w->x));
    *scale = sb_norm_max(n, w->q);
    for (int i = 0; i < s; i++) {
        const sb_scalar *multipliers = w->x + s * n + i * b;
        for (int j = 0; j < w->rows && i < s - w->table.skip; j++) {
            w->lambda[i][j] -= multipliers[j] / w->h;
        }
        for (int j = 0; j < w->extra; j++) {
            w->mu[i][j] -= multipliers[w->rows + j];
        }
        if (w->extra > 0) {
            sb_csc_mult_add(&w->sys->holonomic.G, w->Cx[i], 1.0, multipliers + w->rows, w->x + i * n);
        }
        for (int k = 0; k < n; k++) {
            w->U[i][k] -= w->x[i * n + k];
        }
        *scale = sb_larger(*scale, fabs(w->h) * sb_norm_max(n, w->U[i]));
    }
    *change = fabs(w->h) * sb_norm_max(s * n, w->x);
    return SB_OK;
}

/* Sets the guess. */
static void set_guess(stages *w) {
    const size_t n = (size_t)w->sys->n, rows = (size_t)w->rows;
    for (int i = 0; i < w->table.s; i++) {
        memcpy(w->U[i], w->v, n * sizeof(sb_scalar));
        memset(w->mu[i], 0, rows * sizeof(sb_scalar));
        if (i < w->table.s - w->table.skip) {
            memcpy(w->lambda[i], w->multipliers, rows * sizeof(sb_scalar));
        }
    }
}

/* Factors in the first iteration and keeps the factors while a correction is at most a quarter of the one before. After
 * that begins again from the guess and factors the full matrix in every iteration: with stiff springs Newton's method
 * diverges from where kept factors have led. A correction of 16 roundings that is not so small is
 * round-off and ends the iteration. */
static int correct(void *arg, sb_scalar *change, sb_scalar *scale) {
    stages *w = arg;
    SB_TRY(set_residuals(w));
    if (!w->keeps || !w->factored) {
        SB_TRY(sb_stage_matrix_factor(w->simplified ? w->real : w->full, w));
        SB_TRY(w->simplified ? sb_stage_matrix_factor(w->pair, w) : SB_OK);
        w->factored = true;
    }
    SB_TRY(apply_correction(w, change, scale));
    const bool slow = *change > 0.25 * w->last;
    w->last = *change;
    if (slow && *change <= 16.0 * SB_EPSILON * fmax(*scale, w->length)) {
        *change = 0.0;
        w->ctx->stalled++;
    } else if (slow && w->keeps) {
        set_guess(w);
        w->simplified = w->keeps = false;
        *change = *scale; /* the corrections begin anew */
    }
    return SB_OK;
}

int sb_stages_solve(stages *w, sb_scalar t, sb_scalar h, const sb_scalar *q, const sb_scalar *p, const sb_scalar *v,
                    const sb_scalar *lambda, long *iters) {
    w->t = t;
    w->h = h;
    w->q = q;
    w->p = p;
    w->v = v;
    w->multipliers = lambda;
    set_guess(w);
    w->simplified = w->real != NULL;
    w->keeps = true;
    w->factored = false;
    w->last = INFINITY;
    SB_TRY(sb_newton_iterate(w->ctx, &w->newton, SB_NEWTON_LINEAR, w->length, correct, w, iters));
    for (int i = 0; i < w->table.s; i++) {
        set_position(w, i);
        set_velocity(w, i);
    }
    return SB_OK;
}

int sb_stages_forces(stages *w) {
    for (int i = 0; i < w->table.s; i++) {
        SB_TRY(set_forces(w, i));
    }
    return SB_OK;
}

int sb_stages_momentum(stages *w, const sb_scalar *q, const sb_scalar *v, sb_scalar *p) {
    SB_TRY(sb_mass_evaluate(&w->mass, q));
    sb_mass_mult(&w->mass, v, p);
    return SB_OK;
}

void sb_stages_copy(const stages *w, int i, sb_state *out) {
    memcpy(out->q, w->Q[i], (size_t)w->sys->n * sizeof(sb_scalar));
    memcpy(out->v, w->V[i], (size_t)w->sys->n * sizeof(sb_scalar));
    memcpy(out->lambda, w->lambda[i], (size_t)w->rows * sizeof(sb_scalar));
}
