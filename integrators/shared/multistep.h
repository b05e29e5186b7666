/* GSL's multistep methods of variable step and order on q' = v, v' = a(t, q, v): hnw93 III.5, III.6. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_MULTISTEP_H
#define STEPBENCH_INTEGRATORS_SHARED_MULTISTEP_H

#include "integrators/shared/first_order.h"

typedef struct multistep {
    gsl_odeiv2_driver *driver, *last; /* along the mesh; from its last point to the output */
    double *origin, *y, *end;         /* aux of the integration in `driver`; its (q, v); that at the output */
    double t, h;                      /* of y; of the next step */
} multistep;

/* Sets me->naux. `type` is the multistep method; `last`, a one-step method, goes from the mesh to an output. */
int multistep_init(sb_method *me, first_order *f, const gsl_odeiv2_step_type *type, const gsl_odeiv2_step_type *last,
                   double rtol, multistep *out);
/* Takes the step of the stepper; aux is zero at the start. */
int multistep_step(const sb_method *me, first_order *f, multistep *w, const sb_state *in, double h, sb_state *out);

#endif
