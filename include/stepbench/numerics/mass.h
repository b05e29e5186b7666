/* The mass matrix M(q) and its inverse. W has the pattern of M closed block by block, so that it holds M^-1 exactly. It
 * is formed where it has at most 16 times the entries of M, and for methods that read it; else M is factored. */
#ifndef STEPBENCH_NUMERICS_MASS_H
#define STEPBENCH_NUMERICS_MASS_H

#include <stepbench/context.h>
#include <stepbench/numerics/csc.h>
#include <stepbench/numerics/sizes.h>
#include <stepbench/system.h>

struct sb_mass_work;

/* A mass that a method adds to M(q). */
typedef struct sb_added_mass {
    sb_pattern pattern;      /* covers sys->inertia.M */
    const sb_scalar *values; /* on the pattern, for the next evaluations; NULL: zero */
} sb_added_mass;

typedef struct sb_mass {
    const sb_system *sys;
    const sb_added_mass *added; /* NULL: none */
    bool constant, diagonal;    /* diagonal: M has one entry per coordinate, on its diagonal */
    sb_pattern M;               /* sys->inertia.M, or the pattern of the added mass */
    sb_scalar *Mx;              /* values on M */
    int *at_H;                  /* where each entry of M is on sys->H */
    sb_pattern W;               /* n x n; empty where M is factored */
    sb_scalar *Wx;              /* M^-1; valid after sb_mass_update, never for a singular mass */
    struct sb_mass_work *work;
} sb_mass;

/* Allocates, and evaluates a constant M. Returns SB_SINGULAR if a constant M is not positive definite. */
int sb_mass_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_mass *out);
/* The same for M(q) + `added`, which outlives it; such a mass is never constant. `added` may be NULL. */
int sb_mass_init_with(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_added_mass *added, sb_mass *out);
/* Forms W where it is not yet formed, for a method that reads it. */
int sb_mass_form_inverse(sb_arena *arena, sb_mass *mass);
/* Evaluate M(q) only, or M(q) and its inverse; do nothing when M is constant. Return SB_SINGULAR with the name of the
 * coordinate. */
static inline int sb_mass_evaluate(sb_mass *mass, const sb_scalar *q);
int sb_mass_update(sb_mass *mass, const sb_scalar *q);
/* Adds c M to Hx on the pattern sys->H. */
static inline void sb_mass_add(const sb_mass *mass, sb_scalar c, sb_scalar *Hx);
/* Compute p = M v and x = M^-1 b, where x and b must not overlap. */
static inline void sb_mass_mult(const sb_mass *mass, const sb_scalar *v, sb_scalar *p);
static inline void sb_mass_solve(const sb_mass *mass, const sb_scalar *b, sb_scalar *x);

/* ---- Definitions: the calls of other functions than these cost more than what a constant diagonal M needs. ---- */

int sb_mass_evaluate_at(sb_mass *mass, const sb_scalar *q);
void sb_mass_solve_coupled(const sb_mass *mass, const sb_scalar *b, sb_scalar *x);

static inline int sb_mass_evaluate(sb_mass *mass, const sb_scalar *q) {
    return mass->constant ? SB_OK : sb_mass_evaluate_at(mass, q);
}

/* Computes sb_mass_mult for n coordinates. */
SB_INLINED void sb_mass_mult_sized(const sb_mass *mass, const sb_scalar *v, sb_scalar *p, const int n) {
    if (mass->diagonal) {
        for (int i = 0; i < n; i++) {
            p[i] = mass->Mx[i] * v[i];
        }
        return;
    }
    for (int i = 0; i < n; i++) {
        p[i] = 0.0;
    }
    sb_csc_mult_add(&mass->M, mass->Mx, 1.0, v, p);
}

static inline void sb_mass_mult(const sb_mass *mass, const sb_scalar *v, sb_scalar *p) {
    sb_mass_mult_sized(mass, v, p, mass->sys->n);
}

/* Sets p = a M v + c r; p may be r. */
SB_INLINED void sb_mass_blend(const sb_mass *mass, sb_scalar a, const sb_scalar *v, sb_scalar c, const sb_scalar *r,
                              sb_scalar *p, const int n) {
    if (mass->diagonal) {
        for (int i = 0; i < n; i++) {
            p[i] = a * (mass->Mx[i] * v[i]) + c * r[i];
        }
        return;
    }
    for (int i = 0; i < n; i++) {
        p[i] = c * r[i];
    }
    sb_csc_mult_add(&mass->M, mass->Mx, a, v, p);
}

static inline void sb_mass_add(const sb_mass *mass, sb_scalar c, sb_scalar *Hx) {
    for (int k = 0, nnz = sb_pattern_nnz(&mass->M); k < nnz; k++) {
        Hx[mass->at_H[k]] += c * mass->Mx[k];
    }
}

/* Computes sb_mass_solve for n coordinates. */
SB_INLINED void sb_mass_solve_sized(const sb_mass *mass, const sb_scalar *b, sb_scalar *x, const int n) {
    if (!mass->diagonal) {
        sb_mass_solve_coupled(mass, b, x);
        return;
    }
    for (int i = 0; i < n; i++) {
        x[i] = b[i] / mass->Mx[i];
    }
}

static inline void sb_mass_solve(const sb_mass *mass, const sb_scalar *b, sb_scalar *x) {
    sb_mass_solve_sized(mass, b, x, mass->sys->n);
}

#endif
