/* The fastest transversal modes of large systems: sparse matrices, factored once a state, and Lanczos' iteration on what they project. transv18. */
#ifndef STEPBENCH_ANALYSIS_MODES_SPECTRA_SPARSE_H
#define STEPBENCH_ANALYSIS_MODES_SPECTRA_SPARSE_H

#include <stepbench/numerics/kkt.h>

#include "analysis/modes/spectra.h"

/* Maps to the constraints' tangent space. */
typedef struct sb_projector {
    sb_kkt kkt;
    bool dependent; /* constraints that G' M^-1 G alone does not tell apart */
    double *Sigma;  /* m; used when they are */
} sb_projector;

/* With P v the solution x of M x = v + G mu, G' x = 0, and Pi the same with M = 1, the three spectra of spectra.h are those of
 *
 *   M^-1 (-K)            full
 *   P (-K)               projected: x' M P (-K) y = -x' K y for tangent x and y
 *   M^-1 Pi (-K) Pi      text: AB and BA have the same eigenvalues, here of A = L M^-1/2 and B = M^-1/2 L' (L K L')
 *
 * each symmetric in the inner product of M. Off their ranges they vanish: an omega^2 of zero here may stand for a negative one. */
typedef struct sb_fastest {
    sb_context *ctx;
    const sb_system *sys;
    int n, m;
    bool singular_mass;
    sb_system unit; /* the system with unit masses */
    sb_projector metric, euclidean;
    double largest; /* no omega^2 of M^-1 K is larger (where M is diagonal): Gershgorin's bound */
    double *Gx, *Hx, *lambda; /* Hx: values of -K on H */
    double *none, *p, *x, *mu, *before, *s; /* scratch; none: zeros */
} sb_fastest;

/* For a system that sb_spectra_check lets pass. fini follows a failed init too. */
int sb_fastest_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_fastest *out);
void sb_fastest_fini(sb_fastest *s);
/* Sets lambda (of dependent constraints the shortest) and K at (t, q, v), and factors. */
int sb_fastest_evaluate(sb_fastest *s, double t, const double *q, const double *v);
/* The `count` largest of each spectrum; arrays from the arena. */
int sb_fastest_spectra(sb_fastest *s, sb_arena *arena, int count, bool only_projected, sb_spectra *out);

#endif
