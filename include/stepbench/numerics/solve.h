/* What steppers share: mass matrix, Newton's iteration, Schur complement, saddle system, accelerations. */
#ifndef STEPBENCH_NUMERICS_SOLVE_H
#define STEPBENCH_NUMERICS_SOLVE_H

#include <stepbench/system.h>

/* ---- M(q) and its inverse. W has the pattern of M closed block by block, so that it holds M^-1 exactly. ---- */
typedef struct sb_mass {
    sb_context *ctx;
    const sb_system *sys;
    bool constant, diagonal;
    double *Mx;    /* values on sys->inertia.M */
    const int *at_H; /* where each entry of M sits on sys->H */
    const int *at_M; /* where each entry of W sits on M, or -1 */
    sb_pattern W;  /* n x n */
    double *Wx;    /* M^-1; valid after sb_mass_update, never for a singular mass */
    int nblocks;
    const int *block_p, *block_i; /* coordinates of block b: block_i[block_p[b] ...] */
    double *dense;                /* scratch of the largest block */
} sb_mass;

/* Allocates; evaluates at once when M is constant. SB_SINGULAR if a constant M is not positive definite. */
int sb_mass_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_mass *out);
/* M(q) only / M(q) and its inverse. Nothing to do, and nothing done, when M is constant. SB_SINGULAR names the coordinate. */
int sb_mass_evaluate(sb_mass *mass, const double *q);
int sb_mass_update(sb_mass *mass, const double *q);
/* Hx += c M on the pattern sys->H. */
void sb_mass_add(const sb_mass *mass, double c, double *Hx);
/* p = M v; p becomes a M v + c p; x = M^-1 b (x and b must not overlap). */
void sb_mass_mult(const sb_mass *mass, const double *v, double *p);
void sb_mass_blend(const sb_mass *mass, double a, const double *v, double c, double *p);
void sb_mass_solve(const sb_mass *mass, const double *b, double *x);

/* ---- Newton. ---- */
typedef struct sb_newton {
    double tol;
    long maxit;
} sb_newton;

/* The two rows of a parameter table for a member `newton` of the configuration. The iteration is Newton's with a fresh
 * Jacobian: after a correction of relative size d the error left is of size C d^2, C the curvature of the
 * equations in units of the step (of order one when the step resolves the motion), so that 1e-10 leaves less than round-off. */
#define SB_NEWTON_PARAMS(type)                                                                                     \
    {"tol", SB_REAL, offsetof(type, newton.tol), "1e-10", 0.0, 1e-2, SB_OPEN_LO, NULL, "",                         \
     "Newton stops after a correction of this relative size; the error left is of the order of its square"},       \
    {"maxit", SB_INT, offsetof(type, newton.maxit), "50", 1.0, 10000.0, SB_CLOSED, NULL, "", "most Newton iterations a step"}

/* Calls correct(arg, &size) until size <= newton->tol. `correct` applies one correction to the unknowns and sets its
 * relative size. Returns SB_NOT_CONVERGED (sentence in ctx) when maxit is reached or size is not finite, else what `correct`
 * returned; *iters is the number of corrections. Inlined with its callback. */
static inline int sb_newton_iterate(sb_context *ctx, const sb_newton *newton, int (*correct)(void *arg, double *size), void *arg, long *iters) {
    double size = INFINITY;
    for (long k = 1; k <= newton->maxit; k++) {
        SB_TRY(correct(arg, &size));
        *iters = k;
        if (size <= newton->tol) {
            return SB_OK;
        }
        if (!isfinite(size)) {
            return sb_fail(ctx, SB_NOT_CONVERGED, "Newton's iteration left the finite numbers at iteration %ld; a smaller step may do", k);
        }
    }
    return sb_fail(ctx, SB_NOT_CONVERGED, "Newton's iteration did not converge in %ld iterations: last correction %.3g, asked for tol=%.3g; a smaller step, or a larger tol or maxit, may do",
                   newton->maxit, size, newton->tol);
}

/* The larger of the two; NaN when either is. (`if (!(d <= m)) m = d` forgets a NaN in m at the next d.) */
static inline double sb_larger(double m, double d) { return d > m || isnan(d) ? d : m; }

/* max |x_i| that is NaN when any x_i is. */
static inline double sb_norm_max(int n, const double *x) {
    double m = 0.0;
    for (int i = 0; i < n; i++) {
        m = sb_larger(m, fabs(x[i]));
    }
    return m;
}

/* ---- Linear solvers: a small registry of their own (core/linear/list.def). ---- */
typedef struct sb_linear {
    const struct sb_solver *type;
    sb_context *ctx;
    sb_pattern A; /* square */
    const int *at; /* the value of entry e is the at[e]-th of those given; NULL: the e-th. Set for solvers that read values `in_place` alone */
    int positive;         /* rows before this one have positive pivots in an LDL' factorization, the rest negative ones */
    int first_constraint; /* rows from this one on are constraints: for messages */
    double singular_below; /* a pivot this small against the numbers it comes from is none; 0 unless set after sb_linear_init */
    void *work;
} sb_linear;

/* What is known of a matrix when a solver is chosen for it. */
typedef enum sb_form {
    SB_FORM_SADDLE, /* symmetric quasi-definite: positive pivots of the coordinates, negative ones of the constraints */
    SB_FORM_SCHUR,  /* symmetric positive definite */
    SB_FORM_GENERAL /* neither symmetric nor definite */
} sb_form;

typedef struct sb_linear_stats {
    long nnz_factor; /* numbers a factorization stores */
} sb_linear_stats;

/* Each operation returns a status; SB_SINGULAR names the coordinate or constraint the bad pivot belongs to. */
typedef struct sb_solver {
    sb_entry entry;
    const char *package; /* Debian package of the library it rests on; NULL: always there. Left out of a build, it has no analyse. */
    bool full;      /* wants the full pattern: values are then a dense column-major matrix */
    bool symmetric; /* for symmetric quasi-definite matrices only: positive on the first `positive` rows, negative on the rest. Entries in the
                     * lower left block, of constraint rows in the columns of coordinates, are not read and may be missing. */
    bool definite;  /* for symmetric positive definite matrices only: all rows are positive */
    bool in_place;  /* reads values wherever `at` of sb_linear says, so that nobody has to assemble them */
    int (*analyse)(sb_linear *me, sb_arena *arena);           /* symbolic phase, once a run; all members but work are set */
    int (*factor)(sb_linear *me, const double *Ax);           /* numeric phase; allocates nothing of the arena. Ax stays as it is until the last solution */
    int (*solve)(const sb_linear *me, double *b);             /* b becomes A^-1 b */
    int (*factor_solve)(sb_linear *me, const double *Ax, double *b); /* both in one pass over the factors; NULL: one after the other */
    void (*stats)(const sb_linear *me, sb_linear_stats *out);
    void (*fini)(sb_linear *me);                              /* NULL: nothing */
} sb_solver;

int sb_linear_init(sb_context *ctx, sb_arena *arena, const sb_solver *type, const sb_pattern *A, int positive, int first_constraint, sb_linear *out);
/* For values that lie elsewhere (`at` of sb_linear), which the solver has to take in place. */
int sb_linear_init_at(sb_context *ctx, sb_arena *arena, const sb_solver *type, const sb_pattern *A, const int *at, int positive, int first_constraint, sb_linear *out);
void sb_linear_fini(sb_linear *me);
/* SB_BAD_USAGE with the package that brings it for a solver that this build leaves out. */
int sb_solver_check(sb_context *ctx, const sb_solver *solver);
/* The solver `name` ("auto": the fastest for `size` unknowns) for a matrix of this form; NULL with SB_BAD_USAGE's sentence when there
 * is none of the name (nearest names), it doesn't take the form, or this build leaves it out (the package that brings it).
 * What "auto" gives for a saddle matrix is only settled, by sb_saddle_init_with, when the pattern is known. */
const sb_solver *sb_solver_choose(sb_context *ctx, const char *name, sb_form form, int size);
/* Replaces what "auto" gave for a saddle matrix by the fastest solver for its pattern, of which the lower left block may be missing: the plan, or
 * one that stays sparse where the plan would fill in. Leaves every other solver alone. */
int sb_solver_settle(sb_context *ctx, const sb_pattern *A, int positive, const sb_solver **solver);
/* SB_SINGULAR with the sentence for a vanishing or wrong-signed pivot at `row` of the matrix. */
int sb_linear_bad_pivot(const sb_linear *me, int row, double pivot);

/* ---- The saddle system [a H, b C0; d C1', E]: H n x n on a pattern of its own; C0, C1 n x r on the pattern C = [G A] of all constraints, holonomic
 * ones first; E diagonal, zero unless set. ---- */
/* The pattern C = [G A] (n x r); its values are those of G, then those of A. */
int sb_system_constraints(sb_arena *arena, const sb_system *sys, sb_pattern *C);
/* The pattern [G A N D] of every row of lambda; its values are those of G, A, N and D in turn. */
int sb_system_rows(sb_arena *arena, const sb_system *sys, sb_pattern *C);

typedef struct sb_saddle {
    const sb_system *sys;
    int rows;    /* r: constraints */
    int size;    /* n + r */
    sb_pattern H, C;
    sb_linear linear;
    double *Ax;
    const int *at_H, *at_C0, *at_C1, *at_E; /* where each entry sits in Ax; at_C1 is NULL where the solver is symmetric */
    double *Hx;                             /* for the caller to fill: values on H */
} sb_saddle;

/* The upper left block on sys->H and the general solver for its size; or both chosen by the caller. */
int sb_saddle_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_saddle *out);
int sb_saddle_init_with(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_pattern *H, const sb_solver *solver, sb_saddle *out);
/* The pattern and the slots alone: *A, and *solver settled for it. Ax, Hx and the linear solver are left to the caller. */
int sb_saddle_layout(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_pattern *H, const sb_solver **solver, sb_pattern *A, sb_saddle *out);
void sb_saddle_fini(sb_saddle *saddle);
/* Assembles from saddle->Hx. C0x and C1x hold the values of G, then those of A; unused when r = 0. */
void sb_saddle_assemble(sb_saddle *saddle, double a, double b, const double *C0x, double d, const double *C1x);
/* Sets E (r); assembling does not touch it. */
void sb_saddle_set_diagonal(sb_saddle *saddle, const double *E);
int sb_saddle_factor(sb_saddle *saddle);
/* x (n + r) holds the right-hand side and becomes the solution. */
int sb_saddle_solve(const sb_saddle *saddle, double *x);
/* Both; in one pass where the solver can. */
int sb_saddle_factor_solve(sb_saddle *saddle, double *x);

/* ---- S = C1' M^-1 C0 + E (r x r): for Newton on the multipliers alone, and for SPOOK's Schur form. Row numbers in messages are constraints. ---- */
typedef struct sb_schur {
    int m; /* constraints */
    int nterms, nnz;
    sb_pattern S;
    sb_linear linear;
    double *Sx;
    const struct sb_schur_term *terms; /* the static plan: S[s] += C1[a] W[w] C0[b] */
    const int *at_E;
} sb_schur;

int sb_schur_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_mass *mass, sb_schur *out);
int sb_schur_init_with(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_mass *mass, const sb_solver *solver, sb_schur *out);
void sb_schur_fini(sb_schur *schur);
/* Without a solver: the pattern S of C' M^-1 C for any rows C (n x r), dense if `full`; and its values. */
int sb_schur_plan(sb_arena *arena, const sb_pattern *C, const sb_mass *mass, bool full, sb_schur *out);
void sb_schur_assemble(sb_schur *schur, const sb_mass *mass, const double *C1x, const double *C0x, const double *E);
/* E (r) may be NULL for zero. */
int sb_schur_factor(sb_schur *schur, const sb_mass *mass, const double *C1x, const double *C0x, const double *E);
int sb_schur_solve(const sb_schur *schur, double *b);

/* ---- Continuous equations of motion. ---- */
typedef struct sb_dynamics {
    const sb_system *sys;
    sb_mass mass;
    sb_saddle saddle; /* used when there are constraints */
    double sign;      /* 1, or -1 where the saddle system is the symmetric one, whose multipliers are -lambda */
    double *force, *tmp, *x, *Cx, *Hx; /* scratch */
} sb_dynamics;

/* F = T_q - V_q + f at (t, q, v); tmp is scratch of n. */
int sb_system_force(const sb_system *sys, double t, const double *q, const double *v, double *F, double *tmp);
/* p = a M v + h F, with M as it was evaluated last. */
int sb_system_impulse(const sb_system *sys, const sb_mass *mass, double t, const double *q, const double *v, double a, double h, double *p, double *tmp);
/* F - T_vq v, what M a balances apart from the constraints; Hx is scratch on sys->H. */
int sb_system_applied_force(const sb_system *sys, double t, const double *q, const double *v, double *F, double *tmp, double *Hx);

int sb_dynamics_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_dynamics *out);
void sb_dynamics_fini(sb_dynamics *dyn);
/* a (n) and the multipliers of the index-1 equations: M a = F + C' lambda, d/dt (G v) = 0, d/dt (A v - w) = 0. lambda may be NULL. */
int sb_dynamics_acceleration(sb_dynamics *dyn, double t, const double *q, const double *v, double *a, double *lambda);
/* The velocity v with G v = 0, A v = w(t) and M v = p + C' mu: p mapped to the tangent space. */
int sb_dynamics_velocity(sb_dynamics *dyn, double t, const double *q, const double *p, double *v);
/* p = M(q) v. */
int sb_dynamics_momentum(sb_dynamics *dyn, const double *q, const double *v, double *p);
/* T and V; each may be NULL. */
int sb_dynamics_energy(sb_dynamics *dyn, const double *q, const double *v, double *kinetic, double *potential);

#endif
