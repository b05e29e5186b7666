/* Blow-up: the largest step with which a small kick stays small, of any stepper on any problem. transv18. */
#ifndef STEPBENCH_ANALYSIS_STABILITY_BLOWUP_H
#define STEPBENCH_ANALYSIS_STABILITY_BLOWUP_H

#include "analysis/analysis.h"

/* The options of the analysis. */
typedef struct sb_blowup_config {
    double h_min, h_max; /* s; 0: by the spectrum, or by the time scale where there is none */
    double kick;         /* of the length that a time scale's motion covers */
    double growth;       /* of the energy */
    double tol;          /* relative width at which the bisection ends */
    long steps;
} sb_blowup_config;

typedef struct sb_growth {
    bool stable;
    double growth;      /* largest energy of the deviation over that of the kick */
    double transversal; /* share of the deviation's energy along the constraints at the end; NaN if the run failed */
    long steps;         /* taken */
    const char *cause;  /* why the run ended early; NULL */
} sb_growth;

/* Two runs with step h, from the initial state as it is and with a kick: impulses on every coordinate at once, in a fixed
 * pattern of no symmetry. The energy of their difference d is w' M w/2 with w = (d_k - d_{k-1})/h, a two-point velocity: it asks for no
 * report. Unstable when that is above `growth` times the kick's within `steps` steps, or when a run fails.
 *
 * With the limit at h0 a root at h0 (1 + e) has modulus 1 + 2 sqrt(2 e) where two roots meet on the circle (Verlet and its kin), so that
 * e^(2 steps sqrt(8 e)) = growth gives the excess that is still missed, 2.6e-6 for 2000 steps and 1e8. Below the limit the energy of a
 * bounded motion beats up to 1/(8 e) times its start, which stays below 1e8 for e > 1e-9; linear growth yields steps^2 = 4e6. 2000 steps
 * are 2000/pi = 640 periods of the mode that sets the limit 2/omega. */
int sb_blowup_growth(sb_context *ctx, sb_arena *arena, const sb_blowup_config *config, const sb_pair *pair, double h, sb_growth *out);

typedef struct sb_blowup {
    double h; /* largest stable; h_max when none is unstable, 0 when h_min is unstable */
    bool limited;
    sb_growth beyond; /* at the smallest unstable step found */
} sb_blowup;

/* Goes up from h_min by a factor 1.25 to the first unstable step, then bisects between it and the one before. Windows of instability
 * narrower than that are stepped over. */
int sb_blowup_measure(sb_context *ctx, sb_arena *arena, const sb_blowup_config *config, const sb_pair *pair, sb_blowup *out);

/* 2/omega at the initial state from the three spectra of spectra.h; infinite where no mode oscillates, NaN where there is no spectrum. */
typedef struct sb_limits {
    double full, projected, text;
} sb_limits;

int sb_blowup_predict(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_limits *out);
/* Fills in h_min and h_max where they are 0. */
void sb_blowup_range(const sb_system *sys, const sb_limits *limits, sb_blowup_config *config);

#endif
