/* What a problem defines: a mechanical system as a set of terms, for the author of a problem.
 *
 *   d/dt T_v - T_q = -V_q(t, q) + f(t, q, v) + G(q)' lambda + A(q)' alpha,   T = v' M(q) v / 2,
 *   g(t, q) = 0,   A(q) v = w(t),
 *
 * contacts with dry friction (terms_contact.h), momenta and outputs (terms_outputs.h). Every group has its own `self`,
 * so that a formulation copies the system and replaces single groups. Groups that a system lacks have size zero and
 * null callbacks. All callbacks return a status (SB_OK, or SB_DOMAIN where q is outside the domain of the term), are
 * pure, and never allocate. A term that does not depend on time ignores t. Subscripts mean derivatives: T_vq[i][j] =
 * d2T/dv_i dq_j. */
#ifndef STEPBENCH_PROBLEM_H
#define STEPBENCH_PROBLEM_H

#include <stepbench/arena.h>
#include <stepbench/entry.h>
#include <stepbench/features.h>
#include <stepbench/terms_chart.h>
#include <stepbench/terms_contact.h>
#include <stepbench/terms_outputs.h>
#include <stepbench/terms_world.h>

/* T = v' M(q) v / 2. Symmetric matrices hold both triangles. A constant M has no derivatives: NULL. */
typedef struct sb_inertia {
    const void *self;
    sb_pattern M; /* n x n */
    /* Sets the values of M. */
    int (*mass)(const void *self, const sb_scalar *q, sb_scalar *Mx);
    /* Sets T_q (n). */
    int (*gradient)(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq);
    /* Adds cqq T_qq + cqv T_qv + cvq T_vq on H. */
    int (*hessian)(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq, sb_scalar cqv,
                   sb_scalar cvq, sb_scalar *Hx);
    /* Sets the values of M, unless Mx is NULL, and T_q - T_vq v (n), with one evaluation of what they share. NULL: by
     * the functions above. */
    int (*inertial)(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Mx, sb_scalar *b);
} sb_inertia;

typedef struct sb_potential { /* V(t, q) */
    const void *self;
    int degree; /* of V as a polynomial in q; -1: not one of degree 2 or less */
    /* Sets V. NULL: no potential. */
    int (*value)(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V);
    /* Sets V_q (n). */
    int (*gradient)(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq);
    /* Adds c V_qq on H. */
    int (*hessian)(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx);
    /* Adds c times the part of V_qq on H that a linearized strong spring keeps, G'G/eps of |g|^2/(2 eps): positive
     * semi-definite whatever g is, notes11 (54). NULL: no strong spring. */
    int (*stiffness)(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx);
    /* Sets V_t, the power of V. NULL: V does not depend on time. */
    int (*rate)(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vt);
    /* Adds c K on H, where V = q'K q/2 + U: K is the constant, positive semi-definite matrix of linear springs, whose
     * oscillations are the fast ones. Trigonometric integrators solve them exactly. NULL: not offered. */
    int (*springs)(const void *self, sb_scalar c, sb_scalar *Hx);
} sb_potential;

/* Forces f(t, q, v) that V does not give. */
typedef struct sb_force {
    const void *self;
    /* Sets f (n). NULL: no force. */
    int (*value)(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *f);
    /* Adds cq f_q + cv f_v on H. NULL: implicit methods leave it out of their matrices. */
    int (*jacobian)(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar cq, sb_scalar cv,
                    sb_scalar *Hx);
} sb_force;

/* g(t, q) = 0, m rows. Column i of G (n x m) is the gradient of g_i, so that G' of the equations above is `G` here.
 * Rows that do not depend on time ignore t. The hidden constraints are
 *
 *   dg/dt = G v + g_t = 0,   d2g/dt2 = G dv/dt + v' Hess g v + 2 G_t v + g_tt = 0. */
typedef struct sb_holonomic {
    const void *self;
    int m;
    int degree;   /* of g as a polynomial in q; -1: not one of degree 2 or less */
    sb_pattern G; /* n x m */
    /* Sets g (m) and the values of G; each may be NULL. */
    int (*value)(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx);
    /* Adds c sum_i w_i Hess g_i on H. */
    int (*hessian)(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c, sb_scalar *Hx);
    /* Sets out_i = v' Hess g_i v + 2 (G_i)_t v + (g_i)_tt (m). */
    int (*curvature)(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out);
    /* Sets g_t (m). NULL: g does not depend on time. */
    int (*rate)(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *out);
    const sb_scalar *eps, *tau; /* a row's own regularization, relaxation time over h (m); NULL: the stepper's */
    const char *const *names;   /* of the rows in messages (m): "joints[1] revolute ground-door"; NULL: their numbers */
} sb_holonomic;

/* A(q) v = w(t), m rows in Pfaffian form, w a driving speed. Column i of A (n x m) is row i. Its pattern covers the
 * coordinates that the row depends on beside those whose velocities it contains. Its multipliers follow the holonomic
 * ones in lambda. */
typedef struct sb_nonholonomic {
    const void *self;
    int m;
    sb_pattern A; /* n x m */
    /* Sets the values of A and w (m); each may be NULL. */
    int (*value)(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Ax, sb_scalar *w);
    /* Sets d/dt (A v - w) at constant v (m). */
    int (*rate)(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out);
    /* Sets (A v)_q on A's pattern. NULL: A is constant in q. */
    int (*gradient)(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *Ax);
    const sb_scalar *gamma;   /* a row's own regularization (m); NULL: the stepper's */
    const char *const *names; /* as those of sb_holonomic */
} sb_nonholonomic;

typedef struct sb_system {
    const char *name;     /* set by the core, as on the command line: "dsp:ic=printed", "chart(pendulum)" */
    int n;                /* coordinates */
    unsigned flags;       /* SB_HAS_... and SB_OFFERS_...: set by the core; SB_HAS_SINGULAR_MASS also by the problem */
    sb_scalar time_scale; /* s: the shortest time in which the motion changes; a step is a fraction of it */
    sb_scalar period;     /* s: of the motion from the initial state, angles up to whole turns; 0: none, or unknown */
    sb_pattern H;         /* n x n, symmetric: covers M and every second derivative */
    sb_inertia inertia;
    sb_potential potential;
    sb_force force;
    sb_holonomic holonomic;
    sb_nonholonomic nonholonomic;
    sb_contact contact;
    sb_symmetry symmetry;
    sb_outputs outputs;
    const sb_chart *chart;         /* NULL: none */
    const sb_rigid *rigid;         /* NULL: none */
    const sb_embedding *embedding; /* set by a formulation */
    const sb_world *world;         /* its bodies in maximal coordinates; NULL: it is no mechanism of bodies */
    int attitudes;                 /* unit quaternions among the coordinates */
    const sb_attitude *attitude;
    const void *self; /* of the two below */
    int (*initial)(const void *self, sb_scalar *t, sb_scalar *q, sb_scalar *v);
    /* Sets the exact solution; each output may be NULL. NULL: none. */
    int (*exact)(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda);
    /* Set by a formulation that replaces constraints by forces: the system with the same coordinates that has them. */
    const struct sb_system *constrained;
    const char *const *coordinates; /* their names, "x" or "crank.x" with the velocities "vx", "crank.vx"; NULL: none */
    int breaks;                     /* times at which a term is not smooth in t; steps with error control end there */
    const sb_scalar *break_at;      /* ascending */
    const char *note;               /* a sentence about doubtful data, which `check` reports; NULL: none */
    int rank;                       /* of [G A] in general pose, set by the core */
    const char *redundant;          /* the rank and the names of the redundant rows, set by the core; NULL: none */
    const char *start;              /* what of the start was given and what was solved for; NULL: all is given */
} sb_system;

/* A registered problem: parameters to system. `init` fills `out`, which is zero on entry; patterns and data come from
 * the arena, and `config`, the parameters, lives as long as the system. Parameters that exclude each other give
 * SB_BAD_USAGE with a sentence. */
typedef struct sb_problem {
    sb_entry entry;
    int (*init)(sb_context *ctx, sb_arena *arena, const void *config, sb_system *out);
    const char *picture; /* what `animate` draws: points and lines in CSV (docs/adding-a-problem.md); NULL: nothing */
} sb_problem;

#endif
