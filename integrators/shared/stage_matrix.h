/* The Jacobian of the stage equations of stages.h, as one sparse matrix over all stages. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_STAGE_MATRIX_H
#define STEPBENCH_INTEGRATORS_SHARED_STAGE_MATRIX_H

#include "integrators/shared/stages.h"

/* The unknowns are U of all stages, then h Lambda and mu stage by stage. The equations are those of the momenta of all
 * stages, then stage by stage those of C and, where stabilised, those of the velocities. */
int stage_matrix_init(sb_method *me, const stages *w, struct stage_matrix **out);
/* Evaluates and factors the matrix at the stages of w. */
int stage_matrix_factor(struct stage_matrix *matrix, const stages *w);
/* Solves in place. */
int stage_matrix_solve(const struct stage_matrix *matrix, sb_scalar *x);

#endif
