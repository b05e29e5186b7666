/* Blow-up: the largest step for which a small perturbation remains small, of any stepper on any problem. transv18. */
#pragma once

#include "analysis/stability/deviation.h"

/* The options of the analysis. */
typedef struct sb_blowup_config {
    double h_min, h_max; /* range of the search, s; 0: from the spectrum, or from the time scale if there is none */
    double kick;         /* largest velocity of the perturbation, in units of the largest coordinate per time scale */
    double growth;       /* of the energy of the perturbation beyond that of the motion, at which a step is unstable */
    double tol;          /* relative accuracy of the limit */
    long steps;
    bool lower;       /* search below h_min if it is unstable, down to a thousandth of it */
    bool predictable; /* end a run at the growth sb_flow_predictable, beyond which round-off determines the motion */
    double resolved;  /* step that resolves the motion, s; 0: unknown */
} sb_blowup_config;

typedef struct sb_growth {
    bool stable;
    double growth;      /* largest energy of the difference, over that of the perturbation */
    double transversal; /* fraction of the energy of the difference tangent to the constraint manifold at the end; NaN
                           if the run failed */
    long steps;         /* number of steps taken */
    const char *cause;  /* message of a run that failed, else NULL */
    bool unsolved;      /* it failed because the equations of a step were not solved */
} sb_growth;

/* Follows the deviation of two runs with step h. The step is unstable if its energy exceeds `growth`
 * times that of the perturbation within `steps` steps, or if a run fails. `flow` separates the growth of the motion
 * itself (sb_flow): it is added to `growth`, and a run that fails where small steps fail, too, is not unstable. NULL:
 * the motion has none.
 *
 * If two roots meet on the unit circle at the limit h0 (Verlet and similar methods), a root at h0 (1 + e) has the
 * modulus 1 + 2 sqrt(2 e). An excess e with exp(2 steps sqrt(8 e)) < growth is not detected: 2.6e-6 for 2000 steps and
 * 1e8. Below the limit the energy of a bounded motion beats up to 1/(8 e) times its first value, which is below 1e8 for
 * e > 1e-9; linear growth gives steps^2 = 4e6. 2000 steps are 2000/pi = 640 periods of the mode that sets the limit
 * 2/omega. */
int sb_blowup_growth(sb_context *ctx, sb_arena *arena, const sb_blowup_config *config, const sb_pair *pair, double h,
                     sb_flow *flow, sb_growth *out);

typedef struct sb_blowup {
    double h;           /* largest stable step; h_max if none is unstable, 0 if the smallest tried is unstable */
    double error;       /* the limit lies between h and h + error, s; 0 without a limit */
    bool limited;       /* an unstable step was found */
    double tried;       /* the smallest unstable step found, s */
    sb_growth beyond;   /* growth at the smallest unstable step found */
    double rate;        /* exponent of a perturbation of the motion itself, 1/s; 0: none was found */
    double end;         /* time up to which the motion can be followed by small steps, s; infinite: no end was found */
    const char *ending; /* message of that failure */
} sb_blowup;

/* Computes the largest stable step: increases h from h_min by factors of 1.25 up to the first unstable step, then
 * bisects between it and the previous one. Intervals of instability narrower than a factor of 1.25 can be missed. */
int sb_blowup_measure(sb_context *ctx, sb_arena *arena, const sb_blowup_config *config, const sb_pair *pair,
                      sb_blowup *out);

/* 2/omega at the initial state from the three spectra of spectra.h, and 2/|lambda| of the fastest mode of the settled
 * motion (linear_motion.h), which has forces; infinite if there is no such mode, NaN if there is no spectrum. */
typedef struct sb_limits {
    double full, projected, as_printed, linear;
} sb_limits;

/* Computes the limits of a system. */
int sb_blowup_predict(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_limits *out);
