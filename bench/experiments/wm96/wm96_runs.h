/* Runs of wm96 5: 30 s sampled every 0.1 s, with the starts and the error measure of the paper. */
#pragma once

#include <stepbench/numerics/lagrangian.h>

#include "analysis/conservation/quantities.h"
#include "bench/runner/experiment.h"

/* Samples at t = 0, 0.1, ..., 30 s; the first step h0 of the rigid body's start; the step of the standard positions. */
#define SB_WM96_SAMPLES 301
#define SB_WM96_T_END 30.0
#define SB_WM96_H0 1e-5
#define SB_WM96_STANDARD_H 1e-4

/* The steps of Tables 1 and 2, and those of the figures. Each divides the sampling interval. */
#define SB_WM96_TABLE_STEPS 4
extern const double sb_wm96_table_steps[SB_WM96_TABLE_STEPS];
#define SB_WM96_FIGURE_STEPS 10
extern const double sb_wm96_figure_steps[SB_WM96_FIGURE_STEPS];

/* A problem of the paper with its start. The standards are the values that errors are measured against. */
typedef struct sb_wm96 {
    sb_bench *bench;
    sb_system sys;
    double *points;                     /* (0.1 s / standard step + 1) x n: starting run, every standard step */
    double energy, momentum[3];         /* standards */
    double raw_energy, raw_momentum[3]; /* rigid body: standards without the normalization of q_1 */
    sb_lagrangian L;                    /* (4.1) */
    sb_quantities qs;
    double *Mx, *p, *a, *d;
} sb_wm96;

/* Sample i is at t = 0.1 i s. Energy and momentum of a two-step method are those of the pair (q_{k-1}, q_k), at t = 0
 * of (q_0, q_1); of a one-step method those of (q, v). */
typedef struct sb_wm96_run {
    double h;
    long steps;
    int n, m, momenta;
    double *q;        /* samples x n */
    double *energy;   /* samples */
    double *momentum; /* samples x momenta */
    double *lambda;   /* samples x m: multipliers of the step that ends at the sample; NaN at t = 0 */
    double iters;     /* mean number of Newton iterations per step */
} sb_wm96_run;

/* Starts the rigid body: q_1 is the Euler step at h0, normalized; `dvp` continues with h0. The standards are energy and
 * momentum of the first pair. */
int sb_wm96_rigid(sb_bench *bench, sb_wm96 *out);
/* Starts the double spherical pendulum with the initial conditions `ic` ("printed", "recovered" or given ones). Second
 * points are those of `em` at the standard step. The standards are energy and J_z of the initial state. */
int sb_wm96_dsp(sb_bench *bench, const char *ic, sb_wm96 *out);

int sb_wm96_run_stepper(sb_wm96 *set, const char *stepper, double h, sb_wm96_run *out);

/* Returns the error (5.10): the mean over the samples of |value - standard|_2 / m. `standard` has m numbers per sample,
 * or m in all if `constant`. With `rounded`, both sides are first rounded to nine decimals, as the paper's outputs. */
double sb_wm96_error(int m, const double *value, const double *standard, bool constant, bool rounded);

typedef enum sb_wm96_kind { SB_WM96_POSITION, SB_WM96_ENERGY, SB_WM96_MOMENTUM } sb_wm96_kind;
/* Returns the error (5.10) of the positions against those of `standard`, or of the energy or the momentum against the
 * standards of the set. */
double sb_wm96_error_of(const sb_wm96 *set, sb_wm96_kind kind, const sb_wm96_run *run, const sb_wm96_run *standard,
                        bool rounded);

/* Sets the smallest, the second-smallest and the largest sample of a scalar. */
void sb_wm96_range(const double *samples, double *lo, double *second, double *hi);
