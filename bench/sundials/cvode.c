/* CVODE: Adams-Moulton formulas of order 1 to 12 and BDF of order 1 to 5 with variable steps in Nordsieck's form,
 *
 *   sum_i alpha_{n,i} y_{n-i} + h_n sum_i beta_{n,i} f_{n-i} = 0,
 *
 * the former by functional iteration, the latter by Newton's method with a dense Jacobian by differences, whose
 * evaluations are counted. Outputs are values of the polynomial of the last step: hindmarsh05 2.1. */
#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "bench/sundials/solver.h"

typedef struct work {
    solver s;
    void *memory;
} work;

static void free_memory(void *memory) { CVodeFree(&memory); }
static void free_nonlinear(void *nonlinear) { SUNNonlinSolFree(nonlinear); }

static int attach(sb_method *me, work *w, bool bdf) {
    const int size = 2 * me->sys->n;
    if (!bdf) {
        SUNNonlinearSolver fixed = SUNNonlinSol_FixedPoint(w->s.y, 0, w->s.sun);
        SB_TRY(solver_own(me, fixed, free_nonlinear));
        return CVodeSetNonlinearSolver(w->memory, fixed);
    }
    SUNMatrix matrix = SUNDenseMatrix(size, size, w->s.sun);
    SB_TRY(solver_own(me, matrix, solver_free_matrix));
    SUNLinearSolver linear = SUNLinSol_Dense(w->s.y, matrix, w->s.sun);
    SB_TRY(solver_own(me, linear, solver_free_linear));
    return CVodeSetLinearSolver(w->memory, linear, matrix);
}

int cvode_init(sb_method *me) {
    const config *c = me->config;
    const bool bdf = c->method == 1;
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_TRY(solver_init(me, 2 * me->sys->n, &w->s));
    SB_TRY(solver_own(me, w->memory = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, w->s.sun), free_memory));
    if (CVodeInit(w->memory, solver_right_side, 0.0, w->s.y) != CV_SUCCESS ||
        CVodeSetErrFile(w->memory, NULL) != CV_SUCCESS || CVodeSetUserData(w->memory, &w->s) != CV_SUCCESS ||
        CVodeSVtolerances(w->memory, 0.0, w->s.tolerance) != CV_SUCCESS ||
        CVodeSetMaxNumSteps(w->memory, -1) != CV_SUCCESS || attach(me, w, bdf) != CV_SUCCESS) {
        return sb_fail(me->ctx, SB_NO_MEMORY, "out of memory: no room for CVODE");
    }
    return SB_OK;
}

static void count(work *w) {
    long steps = 0, errors = 0, solves = 0, setups = 0;
    CVodeGetNumSteps(w->memory, &steps);
    CVodeGetNumErrTestFails(w->memory, &errors);
    CVodeGetNumStepSolveFails(w->memory, &solves);
    CVodeGetNumLinSolvSetups(w->memory, &setups);
    solver_count(&w->s, w->s.seen, (long[]){steps, errors + solves, setups});
}

int cvode_step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    work *w = me->work;
    const double end = in->t + h;
    double now = 0.0, last = 0.0;
    CVodeGetCurrentTime(w->memory, &now);
    CVodeGetLastStep(w->memory, &last);
    if (solver_begins(me, &w->s, in, h, now - last, out)) {
        CVodeReInit(w->memory, w->s.origin[TIME], w->s.y);
        CVodeSetInitStep(w->memory, w->s.origin[DIRECTION] * w->s.first);
    }
    const int code = CVode(w->memory, end, w->s.y, &now, CV_NORMAL);
    count(w);
    return code < 0 ? solver_failed(me, &w->s, "CVode", code, now) : solver_output(me, &w->s, end, w->s.y, out);
}
