/* IDA: BDF of order 1 to 5 with variable steps on implicit equations 0 = F(t, y, y'), hindmarsh05 2.2. Two forms of
 * the constrained equations of motion:
 *
 *   index 1: q' = v,            M(q) v' = f + C' lambda,   d2g/dt2 = 0,   d/dt (A v - w) = 0;
 *   2s:      q' = v + G' mu,    M(q) v' = f + C' lambda,   g(t, q) = 0,   A v - w = 0,   G v + g_t = 0   (gear85),
 *
 * with C = [G A], f = T_q - V_q + forces - T_vq v and d2g/dt2 = G v' + v' Hess g v + 2 G_t v + g_tt. lambda and mu are
 * left out of the error test. The Jacobian is sparse and factored by KLU (ida_matrix.c). Outputs are values of the
 * polynomial of the last step: they satisfy the constraints up to the tolerance in the form 2s, and drift from them in
 * the form of index 1. */
#include "bench/sundials/ida.h"

#include <string.h>

#include <ida/ida.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

static void free_memory(void *memory) { IDAFree(&memory); }
static void free_vector(void *vector) { N_VDestroy(vector); }
static void free_linear(void *linear) { SUNLinSolFree(linear); }
static void free_matrix(void *matrix) { SUNMatDestroy(matrix); }

/* Adds C' lambda and G' mu, C = [G A], and sets the residuals of the constraints. */
static int constraint_residuals(ida *w, double t, const double *y, const double *dydt, double *r) {
    const sb_system *sys = w->s.dyn.sys;
    const sb_pattern *G = &sys->holonomic.G, *A = &sys->nonholonomic.A;
    const int n = sys->n, m = sys->holonomic.m, k = sys->nonholonomic.m;
    const double *q = y, *v = y + n, *lambda = y + 2 * n, *a = dydt + n;
    double *row = r + 2 * n, *rate = w->rates;
    if (m > 0) {
        SB_TRY(sb_holonomic_value(sys, t, q, w->stabilised ? row : NULL, w->Gx));
        sb_csc_mult_add(G, w->Gx, -1.0, lambda, r + n);
        SB_TRY(w->stabilised ? sb_holonomic_rate(sys, t, q, rate) : sb_holonomic_curvature(sys, t, q, v, rate));
        if (w->stabilised) {
            sb_csc_mult_add(G, w->Gx, 1.0, lambda + m + k, r);
        }
        double *const with_rate = w->stabilised ? row + m + k : row;
        sb_csc_mult_t(G, w->Gx, w->stabilised ? v : a, with_rate);
        for (int j = 0; j < m; j++) {
            with_rate[j] += rate[j];
        }
    }
    if (k > 0) {
        SB_TRY(sys->nonholonomic.value(sys->nonholonomic.self, t, q, w->Ax, rate));
        sb_csc_mult_add(A, w->Ax, -1.0, lambda + m, r + n);
        sb_csc_mult_t(A, w->Ax, w->stabilised ? v : a, row + m);
        if (!w->stabilised) {
            SB_TRY(sys->nonholonomic.rate(sys->nonholonomic.self, t, q, v, rate));
        }
        for (int j = 0; j < k; j++) {
            row[m + j] += w->stabilised ? -rate[j] : rate[j];
        }
    }
    return SB_OK;
}

static int residual(ida *w, double t, const double *y, const double *dydt, double *r) {
    const sb_system *sys = w->s.dyn.sys;
    const int n = sys->n;
    const double *q = y, *v = y + n;
    SB_TRY(sb_poll(w->s.ctx));
    SB_TRY(sb_system_applied_force(sys, t, q, v, w->force, w->s.p, w->Hx));
    SB_TRY(sb_mass_evaluate(&w->s.dyn.mass, q));
    sb_mass_mult(&w->s.dyn.mass, dydt + n, r + n);
    for (int i = 0; i < n; i++) {
        r[i] = v[i] - dydt[i];
        r[n + i] -= w->force[i];
    }
    return constraint_residuals(w, t, y, dydt, r);
}

int ida_residual(double t, N_Vector y, N_Vector dydt, N_Vector r, void *self) {
    ida *w = self;
    return solver_callback_status(
        &w->s, residual(w, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dydt), N_VGetArrayPointer(r)));
}

/* Sets y and y' at the beginning to values that satisfy the equations, from those of index 1. */
static int begin(const sb_method *me, ida *w) {
    const int n = me->sys->n;
    double *y = N_VGetArrayPointer(w->s.y), *dydt = N_VGetArrayPointer(w->rate);
    N_VConst(0.0, w->s.y);
    N_VConst(0.0, w->rate);
    solver_begin(me, &w->s);
    memcpy(dydt, y + n, (size_t)n * sizeof(double));
    SB_TRY(sb_dynamics_acceleration(&w->s.dyn, w->s.origin[TIME], y, y + n, dydt + n,
                                    sb_system_bilateral(me->sys) > 0 ? y + 2 * n : NULL));
    IDAReInit(w->memory, w->s.origin[TIME], w->s.y, w->rate);
    IDASetInitStep(w->memory, w->s.origin[WAY] * w->s.first);
    return SB_OK;
}

/* Sets the sizes of lambda and mu: M times a velocity of the motion over T |C|, and a velocity over |G|. Second
 * differences of the positions determine lambda in the form 2s: in the first step, of length T sqrt(rtol), up to the
 * round-off epsilon/rtol. Newton's iteration cannot ask for more; q and v, of which h lambda is a part, end it, and are
 * asked for to 0.01 of the tolerance in place of the default 0.33. */
static int set_scales(sb_method *me, ida *w) {
    const sb_system *sys = me->sys;
    const int n = sys->n, rows = sb_system_bilateral(sys);
    const config *c = me->config;
    double t, size = 0.0, force = 0.0;
    double *q = w->s.point, *v = w->s.point + n;
    SB_TRY(sys->initial(sys->self, &t, q, v));
    SB_TRY(sb_mass_evaluate(&w->s.dyn.mass, q));
    sb_mass_mult(&w->s.dyn.mass, w->s.scale + n, w->force);
    SB_TRY(sb_dynamics_acceleration(&w->s.dyn, t, q, v, w->s.p, NULL)); /* sets the values of C */
    const int entries = sb_pattern_nnz(&sys->holonomic.G) + sb_pattern_nnz(&sys->nonholonomic.A);
    for (int e = 0; e < entries; e++) {
        size = fmax(size, fabs(w->s.dyn.Cx[e]));
    }
    for (int i = 0; i < n; i++) {
        force = fmax(force, fabs(w->force[i]) / sys->time_scale);
    }
    for (int j = 2 * n; j < w->size; j++) {
        w->s.scale[j] = (j < 2 * n + rows ? force : w->s.scale[n]) / size;
        NV_Ith_S(w->s.tolerance, j) = fmax(c->rtol, w->stabilised ? SB_EPSILON / c->rtol : 0.0) * w->s.scale[j];
    }
    return SB_OK;
}

static int attach(sb_method *me, ida *w) {
    SUNMatrix matrix;
    SB_TRY(ida_matrix_init(me, w));
    SB_TRY(solver_own(me, matrix = SUNSparseMatrix(w->size, w->size, sb_pattern_nnz(&w->J), CSC_MAT, w->s.sun),
                      free_matrix));
    SUNLinearSolver linear = SUNLinSol_KLU(w->s.y, matrix, w->s.sun);
    SB_TRY(solver_own(me, linear, free_linear));
    return IDASetLinearSolver(w->memory, linear, matrix) != IDA_SUCCESS ||
                   IDASetJacFn(w->memory, ida_jacobian) != IDA_SUCCESS
               ? sb_fail(me->ctx, SB_NO_MEMORY, "out of memory: no room for KLU")
               : SB_OK;
}

int ida_init(sb_method *me) {
    const config *c = me->config;
    const sb_system *sys = me->sys;
    const int n = sys->n, m = sys->holonomic.m, rows = sb_system_bilateral(sys);
    N_Vector id;
    ida *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    w->stabilised = c->index == 1;
    w->size = 2 * n + rows + (w->stabilised ? m : 0);
    SB_TRY(solver_init(me, w->size, &w->s));
    SB_NEW(me->arena, w->rates, rows);
    SB_NEW(me->arena, w->force, n);
    SB_NEW(me->arena, w->Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(me->arena, w->Ax, sb_pattern_nnz(&sys->nonholonomic.A));
    SB_NEW(me->arena, w->Hx, sb_pattern_nnz(&sys->H));
    SB_TRY(rows > 0 ? set_scales(me, w) : SB_OK);
    SB_TRY(solver_own(me, w->rate = N_VClone(w->s.y), free_vector));
    SB_TRY(solver_own(me, id = N_VClone(w->s.y), free_vector));
    for (int i = 0; i < w->size; i++) {
        NV_Ith_S(id, i) = i < 2 * n ? 1.0 : 0.0;
    }
    N_VConst(0.0, w->s.y);
    N_VConst(0.0, w->rate);
    SB_TRY(solver_own(me, w->memory = IDACreate(w->s.sun), free_memory));
    if (IDAInit(w->memory, ida_residual, 0.0, w->s.y, w->rate) != IDA_SUCCESS ||
        IDASetErrFile(w->memory, NULL) != IDA_SUCCESS || IDASetUserData(w->memory, w) != IDA_SUCCESS ||
        IDASVtolerances(w->memory, 0.0, w->s.tolerance) != IDA_SUCCESS ||
        IDASetMaxNumSteps(w->memory, -1) != IDA_SUCCESS || IDASetId(w->memory, id) != IDA_SUCCESS ||
        IDASetSuppressAlg(w->memory, 1) != IDA_SUCCESS ||
        IDASetNonlinConvCoef(w->memory, w->stabilised ? 0.01 : 0.33) != IDA_SUCCESS) {
        return sb_fail(me->ctx, SB_NO_MEMORY, "out of memory: no room for IDA");
    }
    return attach(me, w);
}

static void count(ida *w) {
    long steps = 0, errors = 0, solves = 0, setups = 0;
    IDAGetNumSteps(w->memory, &steps);
    IDAGetNumErrTestFails(w->memory, &errors);
    IDAGetNumStepSolveFails(w->memory, &solves);
    IDAGetNumLinSolvSetups(w->memory, &setups);
    solver_count(&w->s, w->s.seen, (long[]){steps, errors + solves, setups});
}

int ida_step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    ida *w = me->work;
    const int n = me->sys->n;
    const double end = in->t + h;
    double now = 0.0, last = 0.0;
    bool begins = solver_begins(me, &w->s, in, h, out);
    if (!begins) { /* the polynomial reaches back to the beginning of the last step */
        IDAGetCurrentTime(w->memory, &now);
        IDAGetLastStep(w->memory, &last);
        begins = w->s.origin[WAY] * (end - (now - last)) < 0.0;
    }
    w->s.status = SB_OK;
    SB_TRY(begins ? begin(me, w) : SB_OK);
    const int code = IDASolve(w->memory, end, &now, w->s.y, w->rate, IDA_NORMAL);
    const double *y = N_VGetArrayPointer(w->s.y);
    count(w);
    if (code < 0) {
        return solver_failed(me, &w->s, "IDASolve", code, now);
    }
    memcpy(out->q, y, (size_t)n * sizeof(double));
    memcpy(out->v, y + n, (size_t)n * sizeof(double));
    memcpy(out->lambda, y + 2 * n, (size_t)sb_system_bilateral(me->sys) * sizeof(double));
    return SB_OK;
}
