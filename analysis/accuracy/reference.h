/* Reference trajectories at equidistant times: exact, from a file, or from a stepper with a small step or tolerance. */
#pragma once

#include "analysis/analysis.h"

/* Errors; the last two are for motions with impacts, see nonsmooth.h. */
enum { SB_ERR_Q, SB_ERR_V, SB_ERR_LAMBDA, SB_ERR_ENERGY, SB_ERR_GRAPH, SB_ERR_IMPACT, SB_ERR_COUNT };

/* The trajectory at t0 + j dt, j = 1 ... count. */
typedef struct sb_reference {
    int n, m;
    long count;
    double t0, dt;
    double *q, *v, *lambda;     /* count x n, count x n, count x m */
    double *energy;             /* count */
    double floor[SB_ERR_COUNT]; /* estimates of the error of the reference, in the norms of sb_reference_errors */
    double size_q, size_v, size_lambda; /* largest 2-norms */
    double size_energy;                 /* largest |T| + |V| */
    double response; /* norm of the multipliers for an acceleration of norm 1: (G M^-1 G')^-1 G at the beginning */
} sb_reference;

/* Sets the interval and the duration of the samples of a FILE.json; both to 0 for another `kind`, whose samples may be
 * at any times. Fails like sb_reference_make. */
int sb_reference_samples(sb_context *ctx, sb_arena *arena, const char *kind, const sb_pair *pair, double *dt,
                         double *duration);

/* Computes a reference trajectory. `kind` is one of the following.
 *
 * - exact: the exact solution of the system.
 * - gsl: odeiv2 with GSL's rk8pd and rtol = 1e-13. It fails near a singular pose with a message that states a remedy.
 * - FILE.json: the solution that `stepbench reference` has written, with its bound as `floor`.
 * - finest: the stepper of the pair with the step h_ref.
 * - auto: exact if the system has an exact solution; otherwise gsl, or finest for systems with contacts or dry
 * friction, which gsl does not support.
 * - The specification of a stepper, which is run with the step h_ref.
 *
 * For a stepper `floor` is the distance to its run with 2 h_ref over 2^order - 1; with error control it is the distance
 * to its run with ten times its tolerance. h_ref divides dt into an even number of steps.
 *
 * The arrays of *out are in the arena, or in that of pair->references if they are shared: do not change them. */
int sb_reference_make(sb_context *ctx, sb_arena *arena, const char *kind, const sb_pair *pair, double dt, long count,
                      double h_ref, sb_reference *out);

/* Returns the compliance with which the stepper of the pair replaces its constraints, 0 for rigid ones. */
double sb_reference_compliance(const sb_pair *pair);

/* Computes the trajectory with compliant constraints, -G' g/eps in place of their forces, if steps h follow it: the
 * springs oscillate with a frequency omega, which implicit steps damp at a rate of the order of h omega^2, and over the
 * duration T of the reference this must not exceed 1. Otherwise sets *made to false without computing it: the springs
 * come to rest, and a stepper tends to the motion with rigid constraints until its error reaches the effect of the
 * compliance. Also sets *made to false if the formulation `penalty` does not take the system. */
int sb_reference_compliant(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double dt, long count, double h,
                           bool *made, sb_reference *out);

/* Computes the effect of the compliance of the pair: the distance of its run with step h from the run without
 * compliance, in the norms of sb_reference_errors, at the samples of `like`. */
int sb_reference_compliance_effect(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h,
                                   const sb_reference *like, double effect[SB_ERR_COUNT]);

/* Returns |a - b|_2, or |a|_2 if b is NULL. */
double sb_distance_2(int n, const double *a, const double *b);

/* Computes the maximum over the samples of |a - b|_2 in q, v and lambda and of |a - b| in the energy; the other errors
 * are NaN. Both have the same samples. */
void sb_reference_errors(const sb_reference *a, const sb_reference *b, double error[SB_ERR_COUNT]);

/* Computes the largest 2-norms of the differences of q and v between a run and `last`, q and v of every sample of the
 * run before, and copies the run to `last`. */
void sb_reference_change(const sb_reference *run, double *last, double *q, double *v);

/* Computes the trajectory of `me` with step h at the samples of `like`. */
int sb_reference_run(sb_context *ctx, sb_arena *arena, sb_method *me, double h, const sb_reference *like,
                     sb_reference *out);
