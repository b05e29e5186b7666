/* Creep: how fast what dry friction should hold slides, against the regularization of friction. reg05 3.3, 4.1. */
#ifndef STEPBENCH_ANALYSIS_CONTACT_CREEP_H
#define STEPBENCH_ANALYSIS_CONTACT_CREEP_H

#include "analysis/analysis.h"
#include "analysis/accuracy/fit.h"

typedef struct sb_creep_config {
    const char *vary;
    sb_reals values;
    double h, t_end;
} sb_creep_config;

/* Means over the second half of a run of the friction row that slides fastest. A row at rest but for its regularization gamma obeys
 * D v + gamma beta = 0, reg05 (4.4): it slides with gamma |beta|, whatever the step. */
typedef struct sb_creep {
    double speed; /* m/s */
    double force; /* |beta|, N */
} sb_creep;

int sb_creep_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_creep *out);

#endif
