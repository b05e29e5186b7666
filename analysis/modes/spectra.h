/* The transversal modes of a system at a state: three spectra, by dense or by sparse matrices. transv18, with its
 * errata. */
#pragma once

#include <stepbench/system.h>

/* Eigenvalues omega^2 in 1/s^2, the largest first; negative ones belong to motions that grow. Sparse spectra contain
 * only the largest. */
typedef struct sb_spectra {
    int n, d;           /* number of eigenvalues of `full`, and of each other spectrum */
    double *full;       /* eigenvalues of M^-1 K; NULL if M is singular */
    double *projected;  /* eigenvalues of the pencil (L K L', L M L') */
    double *as_printed; /* eigenvalues of E (L K L') with E = L M^-1 L' as printed in transv18; with the corrected E, (L
                           M L')^-1, it is `projected`. NULL if `full` is */
    double rounding; /* an omega^2 of this size is zero: eps times the number of coordinates times the largest terms */
    double *shape;   /* coordinates x d: the modes of `projected`, with unit kinetic energy x' M x = 1 */
} sb_spectra;

/* Dense matrices give every mode, of up to 2000 coordinates in a minute; sparse ones the fastest modes, for any size.
 * auto: sparse above 500 coordinates, where dense ones take a second. */
typedef enum sb_matrices { SB_MATRICES_AUTO, SB_MATRICES_DENSE, SB_MATRICES_SPARSE } sb_matrices;

/* Sets *sparse to whether sparse matrices are used for `count` modes, 0: all. Fails like sb_spectra_check, and with
 * SB_BAD_USAGE for all modes by sparse matrices. */
int sb_spectra_choose(sb_context *ctx, const sb_system *sys, sb_matrices matrices, int count, bool *sparse);

/* Computes the spectra at (t, q, v), with arrays from the arena. `count` is the number of modes, 0: all, which needs
 * dense matrices. only_projected: `full` and `as_printed` stay NULL. Forces f(t, q, v) are ignored. Fails with
 * SB_UNSUPPORTED if the system has nonholonomic constraints or contacts, or if it is too large or too small for the
 * matrices. */
int sb_spectra_at(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_matrices matrices, int count,
                  bool only_projected, double t, const double *q, const double *v, sb_spectra *out);

/* Fails with SB_UNSUPPORTED if a system has no such modes. Without constraints only the potential gives the stiffness,
 * and the three spectra are equal. */
int sb_spectra_check(sb_context *ctx, const sb_system *sys);

/* Returns sqrt(x), or -sqrt(-x) if x is negative: a frequency, or a rate of growth as a negative number. */
static inline double sb_signed_root(double x) { return x >= 0.0 ? sqrt(x) : -sqrt(-x); }
