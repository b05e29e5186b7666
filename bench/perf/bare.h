/* Hand-coded reference loops, one per method and problem: the generic step is compared with their time. */
#ifndef STEPBENCH_BENCH_PERF_BARE_H
#define STEPBENCH_BENCH_PERF_BARE_H

#include <stepbench/context.h>

enum { SB_BARE_CONSTANTS = 5, SB_BARE_STATE = 14 };

/* A reference loop has the trajectory of the stepper up to round-off: the same equations, solved to the same tolerance.
 */
typedef struct sb_bare {
    const char *stepper, *problem, *formulation;  /* formulation: NULL or a name */
    const char *constants[SB_BARE_CONSTANTS + 1]; /* the problem's parameters that make up `c` below, NULL-terminated */
    int n;                                        /* coordinates */
    /* Sets the state after the step from q0 to (q1, v1), which begins with q1; `s` is zero before. */
    void (*start)(int n, const double *c, double h, const double *q0, const double *q1, const double *v1, double *s);
    /* Advances the state by `steps` steps. */
    void (*run)(const double *c, double h, long steps, double *s);
} sb_bare;

/* Set the state to (q1, v1), and to (q1, q1 - q0). */
void sb_bare_start_velocity(int n, const double *c, double h, const double *q0, const double *q1, const double *v1,
                            double *s);
void sb_bare_start_displacement(int n, const double *c, double h, const double *q0, const double *q1, const double *v1,
                                double *s);

/* Each ends with an entry without a name. */
extern const sb_bare sb_bare_particle[], sb_bare_pendulum[], sb_bare_dsp[], sb_bare_rigid_body[];
extern const sb_bare *const sb_bare_lists[]; /* all of these, NULL-terminated */

/* Returns the loop for a stepper on a problem under a formulation (NULL: none); NULL if there is none. */
const sb_bare *sb_bare_find(const char *stepper, const char *problem, const char *formulation);

/* Sets the constants `c` of a loop to the defaults of its problem. */
int sb_bare_constants(sb_context *ctx, sb_arena *arena, const sb_bare *bare, double c[SB_BARE_CONSTANTS]);

/* Of the last Newton correction, relative: the default of SB_NEWTON_PARAMS. */
#define SB_BARE_TOL 1e-10
#define SB_BARE_MAXIT 50

#endif
