/* What the solvers of SUNDIALS share: the equations of motion, the point where an integration began, its counts. */
#ifndef STEPBENCH_BENCH_SUNDIALS_SOLVER_H
#define STEPBENCH_BENCH_SUNDIALS_SOLVER_H

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_nvector.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/stepbench.h>

typedef struct config {
    int method, index; /* choices of cvode and of ida */
    long order;        /* of the pair of arkode */
    double rtol;
} config;

/* Layout of aux: the direction of time, 0 at the start; t, q, v where the integration began. A solver's own history
 * follows from it: where `origin` differs, the integration is done again, so that a step is a pure map. */
enum { WAY, TIME, POINT };

typedef struct solver {
    sb_context *ctx;
    sb_dynamics dyn;
    SUNContext sun;
    N_Vector y, tolerance;
    double *origin, *scale; /* aux of the integration; the size of the motion in q and in v (2n) */
    double *p, *point;
    double first; /* length of the first step */
    int status;   /* of the last evaluation */
    long seen[3]; /* steps, failed steps and factorizations that are counted */
} solver;

/* Allocates `unknowns` unknowns, q and v the first 2n, and sets their tolerances; those of others are to be set. */
int solver_init(sb_method *me, int unknowns, solver *out);
/* Makes the arena own an object of SUNDIALS. Fails with SB_NO_MEMORY where it is NULL. */
int solver_own(const sb_method *me, void *object, void (*destroy)(void *object));

/* y' = f(t, P(t, y)), y = (q, v), P the projection onto the constraints: y keeps its distance from them. A function of
 * the form that CVODE and ARKODE call; `self` is the solver. */
int solver_right_side(double t, N_Vector y, N_Vector dydt, void *self);
/* Returns what SUNDIALS expects of a callback: 0, 1 where a smaller step may help, or -1. */
int solver_callback_status(solver *s, int status);

/* Sets out->aux. Returns whether it belongs to another integration than s->origin; then sets origin and y to it. */
bool solver_begins(const sb_method *me, solver *s, const sb_state *in, double h, sb_state *out);
/* Begins there: forgets the counts, sets y. */
void solver_begin(const sb_method *me, solver *s);
/* Adds the steps, failed steps and factorizations beyond those `seen` to the counts of the context. */
void solver_count(solver *s, long seen[3], const long now[3]);
/* Returns the status for a negative code of SUNDIALS at time t. The integration has to begin again. */
int solver_failed(const sb_method *me, solver *s, const char *function, int code, double t);
/* Sets q and v of `out` to P(end, y). */
int solver_output(const sb_method *me, solver *s, double end, N_Vector y, sb_state *out);
/* Reports the multipliers of the index-1 equations, where lambda is not NULL. */
int solver_report(const sb_method *me, const sb_state *in, const sb_state *next, double *v, double *lambda);

int cvode_init(sb_method *me);
int cvode_step(const sb_method *me, const sb_state *in, double h, sb_state *out);
int arkode_init(sb_method *me);
int arkode_step(const sb_method *me, const sb_state *in, double h, sb_state *out);
int ida_init(sb_method *me);
int ida_step(const sb_method *me, const sb_state *in, double h, sb_state *out);

#endif
