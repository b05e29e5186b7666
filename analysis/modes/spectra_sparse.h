/* The fastest transversal modes of large systems: sparse matrices, factored once per state, and the Lanczos iteration
 * on projected operators. transv18. */
#pragma once

#include <stepbench/numerics/kkt.h>

#include "analysis/modes/spectra.h"

/* Projection onto the tangent space of the constraints. */
typedef struct sb_projector {
    sb_kkt kkt;
    bool dependent; /* G' M^-1 G is singular, and Sigma is added */
    double *Sigma;  /* m */
} sb_projector;

/* With P v the solution x of M x = v + G mu, G' x = 0, and Pi the same with M = 1, the three spectra of spectra.h are
 * those of
 *
 *   M^-1 (-K)            full
 *   P (-K)               projected: x' M P (-K) y = -x' K y for tangent x and y
 *   M^-1 Pi (-K) Pi      as_printed: the eigenvalues of AB, A = L M^-1/2 and B = M^-1/2 L' (L K L'), are those of BA
 *
 * each symmetric in the inner product of M. They vanish outside their ranges: an eigenvalue of zero may stand for a
 * negative omega^2. */
typedef struct sb_fastest {
    sb_context *ctx;
    const sb_system *sys;
    int n, m;
    bool singular_mass;
    sb_system unit; /* the system with unit masses */
    sb_projector metric, euclidean;
    double largest;                         /* bound of omega^2, see sb_equilibrium_bound */
    double *a;                              /* n: acceleration of the state */
    double *Gx, *Hx, *lambda;               /* Hx: values of -K on H */
    double *none, *p, *x, *mu, *before, *s; /* scratch; none: zeros */
} sb_fastest;

/* Allocates from the arena, for a system that sb_spectra_check accepts. */
int sb_fastest_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_fastest *out);
/* Sets lambda (for dependent constraints the shortest) and K at (t, q, v), and factors. */
int sb_fastest_evaluate(sb_fastest *s, double t, const double *q, const double *v);
/* Computes the `count` largest eigenvalues of each spectrum, with arrays from the arena. */
int sb_fastest_spectra(sb_fastest *s, sb_arena *arena, int count, bool only_projected, sb_spectra *out);
