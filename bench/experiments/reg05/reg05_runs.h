/* The pendulum of reg05 6.1: at rest at (1, 0), g = 10, m = l = 1, Phi = |x| - 1, by the paper's two steppers and two
 * to compare with. */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_REG05_REG05_RUNS_H
#define STEPBENCH_BENCH_EXPERIMENTS_REG05_REG05_RUNS_H

#include "bench/runner/experiment.h"

#define SB_REG05_G 10.0
#define SB_REG05_PENDULUM "pendulum:m=1,l=1,g=10,theta0=1.5707963267948966,constraint=norm"
/* The paper's step. */
#define SB_REG05_H (1.0 / 60.0)

typedef enum sb_reg05_method {
    SB_REG05_IMPLICIT, /* (6.3): linearly implicit Euler on the springs */
    SB_REG05_NEWTON,   /* implicit Euler on the same springs, converged */
    SB_REG05_REG,      /* (4.4), started as in the paper: the velocity is taken as it is */
    SB_REG05_HALF,     /* (4.4), started half a step earlier */
    SB_REG05_DAMPED    /* (4.4), started as in the paper, with the relaxation time c b = 2 h; not for c = 0 */
} sb_reg05_method;

/* Samples after every step, the initial state first. A run that fails ends before `steps`. */
typedef struct sb_reg05_run {
    sb_reg05_method method;
    double c, h;
    long steps;
    double *t, *q, *v;          /* q and v: pairs */
    double *energy, *violation; /* v.v/2 + 10 y, without the springs; | |x| - 1 | */
    const char *failure;        /* NULL: went through */
    double fall;                /* s: when x first becomes negative, interpolated; NaN if it does not */
} sb_reg05_run;

/* Runs to t_end; numbers are in the experiment's arena. c = 0 only for the regularized stepper. */
int sb_reg05_pendulum(sb_bench *bench, sb_reg05_method method, double c, double h, double t_end, sb_reg05_run *out);

/* The largest (or, for `mean`, the mean) of samples with t in [from, to]. */
double sb_reg05_max(const sb_reg05_run *run, const double *samples, double from, double to);
double sb_reg05_mean(const sb_reg05_run *run, const double *samples, double from, double to);

/* When the energy, taken as its largest value from then on, has halved its height above `rest`; NaN if it does not. */
double sb_reg05_half_life(const sb_reg05_run *run, double rest);

/* Positions, energies and violations of three runs of the same step to t_end, every second sample, as CSV. */
int sb_reg05_save(sb_bench *bench, const sb_reg05_run *implicit, const sb_reg05_run *newton, const sb_reg05_run *reg,
                  double t_end, const char *name);

#endif
