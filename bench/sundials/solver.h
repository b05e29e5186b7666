/* The common part of the solvers of SUNDIALS: equations of motion, origin of the integration, counts. */
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/stepbench.h>

typedef struct config {
    int method, index; /* choices of cvode and of ida */
    long order;        /* of the pair of arkode */
    double rtol;
} config;

/* Layout of aux: the direction of time, 0 at the start; t, q, v where the integration began. The history of a solver is
 * a function of these: where `origin` differs, the integration is repeated from there, so that a step is a pure map. */
enum { DIRECTION, TIME, POINT };

typedef struct solver {
    sb_context *ctx;
    sb_dynamics dyn;
    SUNContext sun;
    N_Vector y, tolerance;
    double *origin, *scale; /* aux of the integration; the size of the motion in q and in v (2n) */
    double *p, *point;
    double first; /* length of the first step, s */
    int status;   /* of the last evaluation */
    long seen[3]; /* steps, failed steps and factorizations counted so far */
} solver;

/* Allocates `unknowns` unknowns, of which q and v are the first 2n, and sets the tolerances of q and v. */
int solver_init(sb_method *me, int unknowns, solver *out);
/* Makes the arena own an object of SUNDIALS. Fails with SB_NO_MEMORY if it is NULL. */
int solver_own(const sb_method *me, void *object, void (*destroy)(void *object));
/* Destroy matrices and linear solvers, for solver_own. */
void solver_free_matrix(void *matrix);
void solver_free_linear(void *linear);
/* Allocates a vector of zeros, which the arena owns. */
int solver_vector(const sb_method *me, const solver *s, int unknowns, N_Vector *out);

/* Computes y' = f(t, P(t, y)), y = (q, v), with P the projection onto the constraints: y keeps its distance from them.
 * CVODE and ARKODE call it; `self` is the solver. */
int solver_right_side(double t, N_Vector y, N_Vector dydt, void *self);
/* Keeps the status, and returns what SUNDIALS expects of a callback: 0, 1 if a smaller step may help, or -1. */
int solver_callback_status(solver *s, int status);

/* Sets out->aux. Returns whether the integration has to begin at its origin: the origin of `in` differs from the
 * solver's, or the step ends before `covered`, the earliest time at which the solver has a solution. Then sets y to the
 * origin. */
bool solver_begins(const sb_method *me, solver *s, const sb_state *in, double h, double covered, sb_state *out);
/* Adds the steps, failed steps and factorizations since the last call with `seen` to the counts of the context. */
void solver_count(solver *s, long seen[3], const long now[3]);
/* Returns the status for a negative code of SUNDIALS at time t. The next step begins the integration again. */
int solver_failed(const sb_method *me, solver *s, const char *function, int code, double t);
/* Sets q and v of `out` to P(end, y). */
int solver_output(const sb_method *me, solver *s, double end, N_Vector y, sb_state *out);
/* Reports the multipliers of the index-1 equations if lambda is not NULL. */
int solver_report(const sb_method *me, const sb_state *in, const sb_state *next, double *v, double *lambda);

int cvode_init(sb_method *me);
int cvode_step(const sb_method *me, const sb_state *in, double h, sb_state *out);
int arkode_init(sb_method *me);
int arkode_step(const sb_method *me, const sb_state *in, double h, sb_state *out);
int ida_init(sb_method *me);
int ida_step(const sb_method *me, const sb_state *in, double h, sb_state *out);
