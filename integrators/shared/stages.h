/* The stage equations of implicit Runge-Kutta methods, partitioned in positions and momenta, with constraints:
 *
 *   Q_i = q + h sum_j a_ij U_j,   M(Q_i) V_i = p + h sum_j a^_ij (F_j + C_j' Lambda_j),   U_i = V_i + G_i' mu_i,
 *
 * where F = T_q - V_q + f and C = [G A]. Velocity constraints hold as A_i V_i = w at every stage, and g(t, q) = 0 as
 *
 *   index 3: g(t_i, Q_i) = 0, mu = 0    index 2: G_i V_i + g_t = 0, mu = 0    stabilised: both (gear85).
 *
 * The unknowns U, h Lambda and mu are found by simplified Newton iterations: hw96 IV.8. For a^ = a and derivatives at
 * one point, those at the middle stage, the matrix of the iteration is a polynomial J(A) in the coefficients A, so that
 *
 *   J(A) = (T x I) J(D) (T^-1 x I),   A = T D T^-1,   D = diag(gamma, [alpha -beta; beta alpha]),
 *
 * with the real eigenvalue gamma of A and its pair alpha +- i beta: one real system of the size of one stage, and one
 * complex system. Radau IIA with three stages is solved so. Where the iteration is slow, and for all other tables (one
 * or two stages, Lobatto IIIA-IIIB with a^ and a that do not commute, the average vector field with an eigenvalue that
 * is zero twice), the full matrix of all stages with their own derivatives takes the place of J(A). Derivatives of A'
 * alpha and G' mu are left out, and of forces without a Jacobian.
 *
 * Thousands of instructions per step with a fresh full matrix in every iteration, and so: radau_iia:stages=3 on dsp
 * (h = 0.01) 445 and 162, on andrews (h = 0.0003) 2414 and 770, on bricard (h = 0.01) 64056 and 17400; lobatto_iiia_b
 * with factors that are kept 214 and 118, 868 and 326, 6920 and 3618. */
#pragma once

#include <stepbench/numerics/mass.h>
#include <stepbench/numerics/newton.h>
#include <stepbench/plugin.h>

enum { STAGES_MAX = 4 };

typedef enum stage_form { STAGES_INDEX3, STAGES_INDEX2, STAGES_STABILISED } stage_form;

/* The row of a parameter table for the stage_form, in the member `index` of the configuration. */
#define STAGES_PARAM_INDEX(type, initial)                                                                              \
    SB_PARAM_CHOICE(type, index, initial, "3|2|2s",                                                                    \
                    "form of holonomic constraints: g = 0 (index 3), G v = 0 (index 2), both (stabilised index 2)")

/* With `skip` = 1 the first row of a is zero: g = 0 holds at the stages but the first, and the last one has no
 * multiplier. Otherwise 0. */
typedef struct stage_table {
    int s, skip;
    sb_scalar a[STAGES_MAX][STAGES_MAX], a_hat[STAGES_MAX][STAGES_MAX], c[STAGES_MAX];
} stage_table;

/* Returns the table of one implicit stage at the end of the step, Q = q + h a U. */
static inline stage_table stages_single(sb_scalar a) {
    return (stage_table){.s = 1, .a = {{a}}, .a_hat = {{a}}, .c = {1.0}};
}

/* A = T D T^-1: the tables of gamma and of the pair. */
typedef struct stage_blocks {
    sb_scalar T[3][3], inverse[3][3];
    stage_table real, pair;
} stage_blocks;

/* Sets *out. Returns false for tables that are not transformed: s is not 3, a^ is not a, or the eigenvalues are real.
 */
bool sb_stages_blocks(const stage_table *table, stage_blocks *out);

/* Sets weight[j] to the integral of the j-th Lagrange polynomial of the nodes c from 0 to x: the row a_i for x = c_i,
 * and b for x = 1 (hlw06 II.1.2). */
void sb_stages_collocation(int s, const sb_scalar *c, sb_scalar x, sb_scalar *weight);

struct stage_matrix;

typedef struct stages {
    sb_context *ctx;
    const sb_system *sys;
    stage_table table;
    stage_form form;
    int rows, extra; /* multipliers of a stage: of C, and mu */
    sb_pattern C;    /* [G A] (n x rows) */
    sb_newton newton;
    sb_mass mass;
    sb_scalar *Q[STAGES_MAX], *V[STAGES_MAX], *U[STAGES_MAX], *lambda[STAGES_MAX], *mu[STAGES_MAX];
    sb_scalar *F[STAGES_MAX];                   /* F_i + C_i' Lambda_i */
    sb_scalar *Mx[STAGES_MAX], *Cx[STAGES_MAX]; /* values of M and C at the stages */
    sb_scalar *x, *tmp, *g, *gt, *w;            /* residual and correction; scratch of n, rows, rows, rows */
    sb_scalar t, h;                             /* time and length of the step being solved */
    const sb_scalar *q, *p;
    const sb_scalar *v, *multipliers; /* the guess */
    sb_scalar length;                 /* sb_system_length */
    stage_blocks blocks;
    struct stage_matrix *real, *pair, *full; /* real and pair are NULL for a table that is not transformed */
    sb_scalar *y;                            /* transformed residual */
    bool simplified, factored, keeps;        /* by the blocks; factors exist; they are kept between iterations */
    sb_scalar last;                          /* the correction before */
} stages;

int sb_stages_init(sb_method *me, const stage_table *table, stage_form form, const sb_newton *newton, stages *out);
/* Solves for the stages of a step from q and p. The guess is U_i = V_i = v and Lambda_i = lambda. Sets Q, V, U,
 * Lambda and *iters. Returns SB_NOT_CONVERGED as sb_newton_iterate does, and SB_SINGULAR. */
int sb_stages_solve(stages *w, sb_scalar t, sb_scalar h, const sb_scalar *q, const sb_scalar *p, const sb_scalar *v,
                    const sb_scalar *lambda, long *iters);
/* Sets F_i + C_i' Lambda_i at the stages found. */
int sb_stages_forces(stages *w);
/* Computes p = M(q) v. */
int sb_stages_momentum(stages *w, const sb_scalar *q, const sb_scalar *v, sb_scalar *p);
/* Sets q, v and lambda of a state to those of stage i. */
void sb_stages_copy(const stages *w, int i, sb_state *out);

/* ---- The Jacobian of the stage equations: stage_matrix.c. ---- */

/* The unknowns are U of all stages, then h Lambda and mu stage by stage. The equations are the momentum equations of
 * all stages, then stage by stage the rows of C and, where stabilised, the velocity equations. The coefficients are
 * those of `table`; the derivatives are those of the stage `frozen` of w, or each stage has its own for -1. */
int sb_stage_matrix_init(sb_method *me, const stages *w, const stage_table *table, int frozen,
                         struct stage_matrix **out);
/* Evaluates and factors the matrix at the stages of w. */
int sb_stage_matrix_factor(struct stage_matrix *matrix, const stages *w);
/* Solves in place. */
int sb_stage_matrix_solve(const struct stage_matrix *matrix, sb_scalar *x);
