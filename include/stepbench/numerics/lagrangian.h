/* The discrete Lagrangian in momentum form: one kernel for variational and implicit one-step methods. */
#ifndef STEPBENCH_NUMERICS_LAGRANGIAN_H
#define STEPBENCH_NUMERICS_LAGRANGIAN_H

#include <stepbench/numerics/newton.h>
#include <stepbench/system.h>

struct sb_lagrangian_work;

/* With a = (1 - theta) x + theta y and d = (y - x)/h, and F = T_q - V_q + f at (t + theta h, a, d):
 *
 *   p_minus(y, x) = T_v(a, d) - w h F(a, d)            momentum at x, the start of the step
 *   p_plus (y, x) = T_v(a, d) + (1 - w) h F(a, d)      momentum at y, its end
 *
 * For w = 1 - theta and f = 0 these are -h D2 L_d and h D1 L_d of L_d(y, x) = L(a, d): theta = 1/2 is wm96 (4.1), theta
 * = 1 is wm96 (4.20). (1/2, 1/2) is also the implicit midpoint rule in (q, p), (1, 1) implicit Euler, (0, 1) symplectic
 * Euler. Where the system has an embedding, x and y are mapped to it first and the momenta pulled back: wm96 (4.12). */
typedef struct sb_lagrangian {
    const sb_system *sys; /* the system of x and y */
    struct sb_lagrangian_work *work;
} sb_lagrangian;

int sb_lagrangian_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_scalar theta, sb_scalar w,
                       sb_lagrangian *out);
/* Computes p_minus and p_plus (n); each may be NULL. */
int sb_lagrangian_momenta(sb_lagrangian *L, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *y,
                          sb_scalar *p_minus, sb_scalar *p_plus);
/* Returns the pattern of d p_minus / d y: sys->inertia.M where no other term has a derivative, else sys->H. */
const sb_pattern *sb_lagrangian_pattern(const sb_lagrangian *L);
/* Sets values on that pattern to d p_minus / d y, which is -h D12 L_d, at (t, h, x, y) of the last
 * sb_lagrangian_momenta. */
int sb_lagrangian_jacobian(sb_lagrangian *L, sb_scalar *Hx);
/* Computes L_d = T(a, d) - V(t + theta h, a), the value of the discrete Lagrangian (without the factor h, as in wm96
 * (4.1)). */
int sb_lagrangian_value(sb_lagrangian *L, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *y,
                        sb_scalar *value);

/* Solves p_minus(y, x) = p + h G(t, x)' lambda, g(t + h, y) = 0 for y and lambda, whose values on entry are the guess.
 * `scaling` scales the rows and columns of Newton's matrix; it changes the condition number, not the solution. */
typedef enum sb_del_scaling {
    SB_SCALE_H2,   /* DEL rows times h^2: every block of order one */
    SB_SCALE_NONE, /* wm96 (4.14) */
    SB_SCALE_EQ16, /* wm96 (4.16) */
    SB_SCALE_EQ18  /* wm96 (4.18) */
} sb_del_scaling;

struct sb_del_work;

typedef struct sb_del {
    sb_lagrangian L;
    sb_scalar *G0x; /* values of G(x) of the last solution */
    struct sb_del_work *work;
} sb_del;

int sb_del_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_scalar theta, sb_scalar w,
                sb_del_scaling scaling, sb_del *out);
int sb_del_solve(sb_del *del, const sb_newton *newton, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *p,
                 sb_scalar *y, sb_scalar *lambda, long *iters);
/* The scaled Newton matrix at (y, x), column-major (n + m)^2, for its condition number. */
int sb_del_matrix(sb_del *del, sb_scalar t, sb_scalar h, const sb_scalar *x, const sb_scalar *y, sb_scalar *dense);

#endif
