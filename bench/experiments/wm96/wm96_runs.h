/* The runs behind wm96 5: 30 s sampled every 0.1 s, started and evaluated as the paper's were. */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_WM96_WM96_RUNS_H
#define STEPBENCH_BENCH_EXPERIMENTS_WM96_WM96_RUNS_H

#include <stepbench/numerics/lagrangian.h>

#include "analysis/conservation/quantities.h"
#include "bench/runner/experiment.h"

/* Samples at t = 0, 0.1, ..., 30 s; the first step h0 of the rigid body's start; the step of the standard positions. */
#define SB_WM96_SAMPLES 301
#define SB_WM96_T_END 30.0
#define SB_WM96_H0 1e-5
#define SB_WM96_STANDARD_H 1e-4

/* The steps of Tables 1 and 2, and those of the figures (each divides the sampling interval). */
#define SB_WM96_TABLE_STEPS 4
extern const double sb_wm96_table_steps[SB_WM96_TABLE_STEPS];
#define SB_WM96_FIGURE_STEPS 10
extern const double sb_wm96_figure_steps[SB_WM96_FIGURE_STEPS];

/* A problem of the paper with its start. */
typedef struct sb_wm96 {
    sb_bench *bench;
    sb_system sys;
    double *points;     /* (0.1 s / standard step + 1) x n: the starting run at multiples of the standard step */
    double energy;      /* standard */
    double momentum[3]; /* standard */
    double raw_energy; /* rigid body: the standard had q_1 not been normalised after the Euler step; else as `energy` */
    double raw_momentum[3];
    sb_lagrangian L; /* (4.1) */
    sb_quantities qs;
    double *Mx, *p, *a, *d;
} sb_wm96;

/* The quantities at the samples. Two-step methods: energy and momentum of the pair (q_{k-1}, q_k), at t = 0 of (q_0,
 * q_1); one-step methods: of (q, v). */
typedef struct sb_wm96_run {
    double h;
    long steps;
    int n, m, momenta;
    double *q;        /* samples x n */
    double *energy;   /* samples */
    double *momentum; /* samples x momenta */
    double *lambda;   /* samples x m: multipliers of the solve that gave the sample; NaN at t = 0 */
    double iters;     /* Newton iterations per step, on average */
} sb_wm96_run;

/* The rigid body: q_1 is the Euler step at h0, normalised; then `dvp` at h0. Standards: energy and momentum of the
 * first pair. */
int sb_wm96_rigid(sb_bench *bench, sb_wm96 *out);
/* The double spherical pendulum with the initial conditions `ic` ("printed" or "recovered"): second points from `em` at
 * the standard step. Standards: energy and J_z of the initial condition. */
int sb_wm96_dsp(sb_bench *bench, const char *ic, sb_wm96 *out);

int sb_wm96_run_stepper(sb_wm96 *set, const char *stepper, double h, sb_wm96_run *out);

/* (5.10): the mean over the samples of |value - standard|_2 / m. `standard` has m entries per sample, or m in all if
 * `constant`. `rounded`: both sides are rounded to 9 decimals first, as the paper's outputs were. */
double sb_wm96_error(int m, const double *value, const double *standard, bool constant, bool rounded);

/* Smallest and largest sample of a scalar, and the second-smallest. */
void sb_wm96_range(const double *samples, double *lo, double *second, double *hi);

#endif
