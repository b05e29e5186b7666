/* The transversal modes of a system at a state: three spectra, by dense or by sparse matrices. transv18, with its errata. */
#ifndef STEPBENCH_ANALYSIS_MODES_SPECTRA_H
#define STEPBENCH_ANALYSIS_MODES_SPECTRA_H

#include <math.h>

#include <stepbench/system.h>

/* omega^2 in 1/s^2, from the largest to the smallest: negative ones belong to motions that grow. Of sparse spectra, only the largest. */
typedef struct sb_spectra {
    int n, d;          /* how many there are: of `full`, and of the others */
    double *full;      /* of M^-1 K; NULL where M is singular */
    double *projected; /* of the pencil (L K L', L M L') */
    double *text;      /* of E (L K L') with E = L M^-1 L' as transv18 prints it; its corrected form, (L M L')^-1, is `projected`. NULL with full */
    double rounding;   /* omega^2 of this size are none: as many eps of the largest terms as there are coordinates */
    double *shape;     /* coordinates x d: the modes of `projected`, with unit kinetic energy x' M x = 1 */
} sb_spectra;

/* Dense matrices give every mode, of up to 2000 coordinates in a minute; sparse ones the fastest few, of any size. auto: sparse above 500
 * coordinates, where that is a second's work. */
typedef enum sb_matrices { SB_MATRICES_AUTO, SB_MATRICES_DENSE, SB_MATRICES_SPARSE } sb_matrices;

/* At (t, q, v); arrays from the arena. `count` is how many are wanted, 0: all, which takes dense matrices. only_projected: full and text stay NULL.
 * Forces f(t, q, v) are not looked at. SB_UNSUPPORTED for a system with nonholonomic constraints or contacts, or too large or too small for the
 * matrices. */
int sb_spectra_at(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_matrices matrices, int count, bool only_projected, double t, const double *q,
                  const double *v, sb_spectra *out);

/* SB_OK, or the sentence that says why a system has no such modes. Without constraints all stiffness is the potential's, and the three spectra are one. */
int sb_spectra_check(sb_context *ctx, const sb_system *sys);

/* sqrt(x), or -sqrt(-x) of a negative one: frequencies, and rates of growth told from them by their sign. */
static inline double sb_signed_root(double x) { return x >= 0.0 ? sqrt(x) : -sqrt(-x); }

#endif
