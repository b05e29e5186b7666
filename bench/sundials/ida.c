/* IDA: BDF of order 1 to 5 with variable steps on implicit equations 0 = F(t, y, y'), hindmarsh05 2.2. Two forms of
 * the constrained equations of motion:
 *
 *   index 1: q' = v,            M(q) v' = f + C' lambda,   d2g/dt2 = 0,   d/dt (A v - w) = 0;
 *   2s:      q' = v + G' mu,    M(q) v' = f + C' lambda,   g(t, q) = 0,   A v - w = 0,   G v + g_t = 0   (gear85),
 *
 * with C = [G A], f = T_q - V_q + forces - T_vq v and d2g/dt2 = G v' + v' Hess g v + 2 G_t v + g_tt. lambda and mu are
 * left out of the error test. Outputs are values of the polynomial of the last step: they satisfy the constraints up to
 * the tolerance in the form 2s, and drift from them in the form of index 1.
 *
 * The Jacobian F_y + cj F_y' is sparse and factored by KLU. It comes from differences of F along y + d, y' + cj d,
 * whose evaluations are counted; columns that have no row in common are computed together, curtis74. */
#include <string.h>

#include <ida/ida.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "bench/sundials/solver.h"

typedef struct work {
    solver s;
    void *memory;
    N_Vector rate;
    bool stabilised;
    int size;     /* unknowns: q, v, lambda and, stabilised, mu */
    sb_pattern J; /* of F_y + cj F_y' */
    int *group;   /* of a column; columns of a group have no row in common */
    int groups;
    double *force, *rates, *Gx, *Ax, *Hx;
} work;

static void free_memory(void *memory) { IDAFree(&memory); }

/* ---- The equations F. ---- */

/* Subtracts C' lambda, C = [G A], adds G' mu, and sets the residuals of the constraints. */
static int constraint_residuals(work *w, double t, const double *y, const double *dydt, double *r) {
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

static int residual(work *w, double t, const double *y, const double *dydt, double *r) {
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

/* The equations as IDA calls them. */
static int residual_callback(double t, N_Vector y, N_Vector dydt, N_Vector r, void *self) {
    work *w = self;
    return solver_callback_status(
        &w->s, residual(w, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dydt), N_VGetArrayPointer(r)));
}

/* ---- The Jacobian. ---- */

/* Appends the entries of a block at (row, col), transposed or not, to the lists of `*count` entries. */
static void add_block(const sb_pattern *P, bool transposed, int row, int col, int *rows, int *cols, int *count) {
    for (int j = 0; j < P->cols; j++) {
        for (int e = P->p[j]; e < P->p[j + 1]; e++) {
            rows[*count] = row + (transposed ? j : P->i[e]);
            cols[*count] = col + (transposed ? P->i[e] : j);
            ++*count;
        }
    }
}

/* Sets the pattern of the Jacobian. The column of a constraint contains the coordinates on which it depends. */
static int set_pattern(sb_method *me, work *w) {
    const sb_system *sys = me->sys;
    const sb_pattern none = {0}, *H = &sys->H, *G = &sys->holonomic.G, *A = &sys->nonholonomic.A,
                     *G_of_mu = w->stabilised ? G : &none;
    const int n = sys->n, m = sys->holonomic.m, mu = 2 * n + sb_system_bilateral(sys),
              constraints = sb_pattern_nnz(G) + sb_pattern_nnz(G_of_mu) + sb_pattern_nnz(A);
    int count = 0, *rows, *cols;
    SB_NEW(me->arena, rows, 2 * n + 2 * sb_pattern_nnz(H) + 3 * constraints);
    SB_NEW(me->arena, cols, 2 * n + 2 * sb_pattern_nnz(H) + 3 * constraints);
    for (int i = 0; i < 2 * n; i++, count++) {
        rows[count] = i / 2;
        cols[count] = i / 2 + i % 2 * n;
    }
    for (int of = 0; of <= n; of += n) { /* derivatives with respect to q, then to v */
        add_block(H, false, n, of, rows, cols, &count);
        add_block(G, true, 2 * n, of, rows, cols, &count);
        add_block(G_of_mu, true, mu, of, rows, cols, &count);
        add_block(A, true, 2 * n + m, of, rows, cols, &count);
    }
    add_block(G, false, n, 2 * n, rows, cols, &count);
    add_block(G_of_mu, false, 0, mu, rows, cols, &count);
    add_block(A, false, n, 2 * n + m, rows, cols, &count);
    return sb_pattern_from_pairs(me->arena, w->size, w->size, count, rows, cols, &w->J);
}

/* Returns whether columns a and b have a row in common. */
static bool overlap(const sb_pattern *J, int a, int b) {
    int i = J->p[a], j = J->p[b];
    while (i < J->p[a + 1] && j < J->p[b + 1] && J->i[i] != J->i[j]) {
        if (J->i[i] < J->i[j]) {
            i++;
        } else {
            j++;
        }
    }
    return i < J->p[a + 1] && j < J->p[b + 1];
}

/* Assigns every column to the first group without a column that it overlaps. */
static int group_columns(sb_method *me, work *w) {
    SB_NEW(me->arena, w->group, w->size);
    for (int j = 0; j < w->size; j++) {
        bool fits = false;
        for (int g = 0; !fits; g++) {
            fits = true;
            for (int k = 0; k < j && fits; k++) {
                fits = w->group[k] != g || !overlap(&w->J, j, k);
            }
            w->group[j] = g;
        }
        w->groups = w->group[j] >= w->groups ? w->group[j] + 1 : w->groups;
    }
    return SB_OK;
}

/* The Jacobian as IDA calls it; a, b and c are scratch. */
static int jacobian(double t, double cj, N_Vector y, N_Vector dydt, N_Vector r, SUNMatrix matrix, void *self,
                    N_Vector a, N_Vector b, N_Vector c) {
    work *w = self;
    const double root = sqrt(SB_EPSILON);
    double *Jx = SUNSparseMatrix_Data(matrix);
    for (int j = 0; j <= w->size; j++) {
        SUNSparseMatrix_IndexPointers(matrix)[j] = w->J.p[j];
    }
    for (int e = 0; e < sb_pattern_nnz(&w->J); e++) {
        SUNSparseMatrix_IndexValues(matrix)[e] = w->J.i[e];
    }
    for (int g = 0; g < w->groups; g++) {
        N_VScale(1.0, y, a);
        N_VScale(1.0, dydt, b);
        for (int j = 0; j < w->size; j++) {
            if (w->group[j] == g) {
                NV_Ith_S(a, j) += root * w->s.scale[j];
                NV_Ith_S(b, j) += cj * root * w->s.scale[j];
            }
        }
        const int code = residual_callback(t, a, b, c, w);
        if (code != 0) {
            return code;
        }
        for (int j = 0; j < w->size; j++) {
            for (int e = w->J.p[j]; e < w->J.p[j + 1] && w->group[j] == g; e++) {
                Jx[e] = (NV_Ith_S(c, w->J.i[e]) - NV_Ith_S(r, w->J.i[e])) / (root * w->s.scale[j]);
            }
        }
    }
    return 0;
}

/* ---- The stepper. ---- */

/* Sets the sizes and tolerances of lambda and mu: M times a velocity of the motion over T |C|, and a velocity over |G|.
 * In the form 2s second differences of the positions determine lambda: in the first step, of length T sqrt(rtol), up to
 * the round-off epsilon/rtol, which therefore is the least tolerance. Newton's iteration ends by q and v, of which
 * h lambda is a part; its tolerance is 0.01 times the tolerance of the error test in place of the default 0.33. */
static int set_scales(sb_method *me, work *w) {
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

static int attach(sb_method *me, work *w) {
    SUNMatrix matrix;
    SB_TRY(set_pattern(me, w));
    SB_TRY(group_columns(me, w));
    SB_TRY(solver_own(me, matrix = SUNSparseMatrix(w->size, w->size, sb_pattern_nnz(&w->J), CSC_MAT, w->s.sun),
                      solver_free_matrix));
    SUNLinearSolver linear = SUNLinSol_KLU(w->s.y, matrix, w->s.sun);
    SB_TRY(solver_own(me, linear, solver_free_linear));
    return IDASetLinearSolver(w->memory, linear, matrix) != IDA_SUCCESS ||
                   IDASetJacFn(w->memory, jacobian) != IDA_SUCCESS
               ? sb_fail(me->ctx, SB_NO_MEMORY, "out of memory: no room for KLU")
               : SB_OK;
}

int ida_init(sb_method *me) {
    const config *c = me->config;
    const sb_system *sys = me->sys;
    const int n = sys->n, m = sys->holonomic.m, rows = sb_system_bilateral(sys);
    N_Vector id;
    work *w;
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
    SB_TRY(solver_vector(me, &w->s, w->size, &w->rate));
    SB_TRY(solver_vector(me, &w->s, w->size, &id));
    for (int i = 0; i < 2 * n; i++) {
        NV_Ith_S(id, i) = 1.0;
    }
    SB_TRY(solver_own(me, w->memory = IDACreate(w->s.sun), free_memory));
    if (IDAInit(w->memory, residual_callback, 0.0, w->s.y, w->rate) != IDA_SUCCESS ||
        IDASetErrFile(w->memory, NULL) != IDA_SUCCESS || IDASetUserData(w->memory, w) != IDA_SUCCESS ||
        IDASVtolerances(w->memory, 0.0, w->s.tolerance) != IDA_SUCCESS ||
        IDASetMaxNumSteps(w->memory, -1) != IDA_SUCCESS || IDASetId(w->memory, id) != IDA_SUCCESS ||
        IDASetSuppressAlg(w->memory, 1) != IDA_SUCCESS ||
        IDASetNonlinConvCoef(w->memory, w->stabilised ? 0.01 : 0.33) != IDA_SUCCESS) {
        return sb_fail(me->ctx, SB_NO_MEMORY, "out of memory: no room for IDA");
    }
    return attach(me, w);
}

static void count(work *w) {
    long steps = 0, errors = 0, solves = 0, setups = 0;
    IDAGetNumSteps(w->memory, &steps);
    IDAGetNumErrTestFails(w->memory, &errors);
    IDAGetNumStepSolveFails(w->memory, &solves);
    IDAGetNumLinSolvSetups(w->memory, &setups);
    solver_count(&w->s, w->s.seen, (long[]){steps, errors + solves, setups});
}

/* Sets y and y' at the origin to values that satisfy the equations, from the equations of index 1. */
static int begin(const sb_method *me, work *w) {
    const int n = me->sys->n;
    double *y = N_VGetArrayPointer(w->s.y), *dydt = N_VGetArrayPointer(w->rate);
    N_VConst(0.0, w->rate);
    memcpy(dydt, y + n, (size_t)n * sizeof(double));
    SB_TRY(sb_dynamics_acceleration(&w->s.dyn, w->s.origin[TIME], y, y + n, dydt + n,
                                    sb_system_bilateral(me->sys) > 0 ? y + 2 * n : NULL));
    IDAReInit(w->memory, w->s.origin[TIME], w->s.y, w->rate);
    IDASetInitStep(w->memory, w->s.origin[DIRECTION] * w->s.first);
    return SB_OK;
}

int ida_step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    work *w = me->work;
    const int n = me->sys->n;
    double now = 0.0, last = 0.0;
    IDAGetCurrentTime(w->memory, &now);
    IDAGetLastStep(w->memory, &last);
    SB_TRY(solver_begins(me, &w->s, in, h, now - last, out) ? begin(me, w) : SB_OK);
    const int code = IDASolve(w->memory, in->t + h, &now, w->s.y, w->rate, IDA_NORMAL);
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
