/* A mechanical system as a set of terms: what a stepper sees, whatever problem and formulations are behind it.
 *
 *   d/dt T_v - T_q = -V_q(t, q) + f(t,q,v) + G(q)' lambda + A(q)' alpha + N(q)' nu + D(q)' beta,   T = v' M(q) v / 2,
 *   g(t, q) = 0,   A(q) v = w(t),   0 <= xi(q) _|_ nu >= 0,   |beta_j| <= limit_j + mu_j |normal_j|, against the slip
 * D(q) v - w(t)
 *
 * Every group carries its own `self`, so that a formulation copies the system and replaces single groups. Blocks a
 * system lacks have size zero and null callbacks. All callbacks return a status (SB_OK, or SB_DOMAIN when q is outside
 * the domain of the term), are pure, and never allocate. Subscripts mean derivatives: T_vq[i][j] = d2T/dv_i dq_j. */
#ifndef STEPBENCH_SYSTEM_H
#define STEPBENCH_SYSTEM_H

#include <stdbool.h>

#include <stepbench/entry.h>
#include <stepbench/pattern.h>

/* Features of a system that a stepper has to support. X(bit, name in messages and in the matrix, meaning). */
#define SB_FEATURE_LIST(X)                                                                                             \
    X(SB_HAS_FORCE, 0, "forces", "non-potential forces f(t,q,v)")                                                      \
    X(SB_HAS_HOLONOMIC, 1, "holonomic", "holonomic constraints")                                                       \
    X(SB_HAS_CURVED_HOLONOMIC, 2, "curved", "holonomic constraints that are not quadratic in q")                       \
    X(SB_HAS_VARIABLE_MASS, 3, "variable-mass", "a mass matrix that depends on q")                                     \
    X(SB_HAS_NONHOLONOMIC, 5, "nonholonomic", "nonholonomic constraints")                                              \
    X(SB_HAS_CONTACT, 6, "contacts", "unilateral contacts")                                                            \
    X(SB_HAS_FRICTION, 7, "dry-friction", "dry friction")                                                              \
    X(SB_HAS_RHEONOMIC, 8, "rheonomic", "holonomic constraints g(t,q) that depend on time")                            \
    X(SB_HAS_TIME_POTENTIAL, 9, "time-potential", "a potential V(t,q) that depends on time")                           \
    X(SB_HAS_SINGULAR_MASS, 4, "singular-mass", "a mass matrix that is singular off the constraint's tangent space")

/* What a system provides for a stepper, a formulation or an analysis that needs it. */
#define SB_OFFER_LIST(X)                                                                                               \
    X(SB_OFFERS_CHART, 16, "chart", "a chart of its constraint manifold")                                              \
    X(SB_OFFERS_RIGID, 17, "rigid", "the form of a free rigid body: q a unit quaternion")                              \
    X(SB_OFFERS_EXACT, 18, "exact", "an exact solution")                                                               \
    X(SB_OFFERS_SPRINGS, 19, "springs", "the matrix of its linear, fast springs")

enum {
#define SB_FEATURE_ENUM(name, bit, word, meaning) name = 1 << (bit),
    SB_FEATURE_LIST(SB_FEATURE_ENUM) SB_OFFER_LIST(SB_FEATURE_ENUM)
#undef SB_FEATURE_ENUM
};

/* Returns the meaning of the lowest bit of a set of features or offers; "" for an empty set. */
const char *sb_feature_meaning(unsigned features);
const char *sb_offer_meaning(unsigned offers);

/* T = v' M(q) v / 2. Symmetric matrices hold both triangles. */
typedef struct sb_inertia {
    const void *self;
    sb_pattern M;                                                     /* n x n */
    int (*mass)(const void *self, const sb_scalar *q, sb_scalar *Mx); /* sets M's values */
    int (*gradient)(const void *self, const sb_scalar *q, const sb_scalar *v,
                    sb_scalar *Tq); /* sets T_q (n); NULL: M is constant */
    /* Adds cqq T_qq + cqv T_qv + cvq T_vq to values on the pattern H; NULL: M is constant. */
    int (*hessian)(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq, sb_scalar cqv,
                   sb_scalar cvq, sb_scalar *Hx);
} sb_inertia;

/* V(t, q). A potential that does not depend on time ignores t. */
typedef struct sb_potential {
    const void *self;
    /* Degree of V as a polynomial in q; -1: not one of degree 2 or less. */
    int degree;
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

typedef struct sb_force {
    const void *self;
    int (*value)(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                 sb_scalar *f); /* sets f (n); NULL: none */
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
    /* Degree of g as a polynomial in q; -1: not one of degree 2 or less. */
    int degree;
    sb_pattern G; /* n x m */
    /* Sets g (m) and the values of G; each may be NULL. */
    int (*value)(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx);
    /* Adds c sum_i w_i Hess g_i on H. */
    int (*hessian)(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c, sb_scalar *Hx);
    /* Sets out_i = v' Hess g_i v + 2 (G_i)_t v + (g_i)_tt (m). */
    int (*curvature)(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out);
    /* Sets g_t (m). NULL: g does not depend on time. */
    int (*rate)(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *out);
    /* A row's own regularization and relaxation time over h (m each), for steppers that relax constraints; NULL:
     * theirs. */
    const sb_scalar *eps, *tau;
} sb_holonomic;

/* A(q) v = w(t), m rows in Pfaffian form, w a driving speed. Column i of A (n x m) is row i. Its pattern covers the
 * coordinates that the row depends on beside those whose velocities it contains. Its multipliers follow the holonomic
 * ones in lambda. */
typedef struct sb_nonholonomic {
    const void *self;
    int m;
    sb_pattern A; /* n x m */
    int (*value)(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Ax,
                 sb_scalar *w); /* sets either; each may be NULL */
    int (*rate)(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                sb_scalar *out); /* sets d/dt (A v - w) at constant v (m) */
    int (*gradient)(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                    sb_scalar *Ax); /* sets (A v)_q on A's pattern; NULL: A is constant in q */
    const sb_scalar *gamma;         /* a row's own regularization (m); NULL: the stepper's */
} sb_nonholonomic;

/* Unilateral contacts and dry friction: reg05 2.7, 2.8. Column i of N (n x m) is the gradient of the gap xi_i; nu_i >=
 * 0 pushes it open, and only while it is closed. Column j of D (n x k) is a tangential direction: the force D_j beta_j
 * opposes the slip D_j' v - w_j(t) and is bounded by |beta_j| <= limit_j + mu_j |lambda_of(j)|. lambda_of(j) is any row
 * of lambda but one of friction: a normal force, or the multiplier of a bilateral constraint, so that a guide or a
 * joint rubs as a contact does. Two rows of one contact make a box of the friction cone, reg05 (2.10). */
typedef struct sb_contact {
    const void *self;
    int m, k;                                                                       /* gaps; friction rows */
    sb_pattern N;                                                                   /* n x m */
    sb_pattern D;                                                                   /* n x k */
    int (*gap)(const void *self, const sb_scalar *q, sb_scalar *xi, sb_scalar *Nx); /* sets either; each may be NULL */
    int (*slip)(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Dx,
                sb_scalar *w); /* sets either; each may be NULL; w: speed of a moving surface */
    const int
        *of; /* the row of lambda that bounds each friction row, counted over all of lambda; -1: limit alone (k) */
    const sb_scalar *mu;    /* coefficients of friction (k), not negative; NULL: 0 */
    const sb_scalar *limit; /* the constant part of a bound (k), not negative; NULL: 0 */
    const sb_scalar
        *restitution; /* of each gap, in [0, 1]: an impact ends with N v >= -restitution N v before (m); NULL: 0 */
    const sb_scalar *eps,
        *tau; /* a gap's own regularization and relaxation time over h (m each); NULL: the stepper's */
    const sb_scalar
        *gamma; /* a friction row's own regularization, the inverse of a viscous drag (k); NULL: the stepper's */
} sb_contact;

/* Momenta p . xi(q), conserved by the exact flow. xi is affine in q for every momentum listed. */
typedef struct sb_symmetry {
    const void *self;
    int count;
    const char *const *names;                                                     /* "Jz" */
    int (*generator)(const void *self, int i, const sb_scalar *q, sb_scalar *xi); /* sets xi (n) */
} sb_symmetry;

/* Named scalar outputs beside energy and momenta. */
typedef struct sb_output {
    const char *name, *unit, *doc;
    bool invariant; /* constant along exact solutions */
} sb_output;

typedef struct sb_outputs {
    const void *self;
    int count;
    const sb_output *list;
    int (*value)(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                 sb_scalar *out); /* sets count values */
} sb_outputs;

/* A parametrisation q = psi(s) of the constraint manifold, and back. */
typedef struct sb_chart {
    const void *self;
    int n;        /* length of s */
    sb_pattern D; /* rows q, columns s */
    sb_pattern H; /* n x n, of sum_i w_i Hess psi_i */
    int (*point)(const void *self, const sb_scalar *s, sb_scalar *q, sb_scalar *Dx); /* sets either; each may be NULL */
    int (*hessian)(const void *self, const sb_scalar *s, const sb_scalar *w, sb_scalar c,
                   sb_scalar *Hx); /* adds c sum_i w_i Hess psi_i */
    /* Adds c sum_i w_i D3 psi_i[u], the derivative of the above along u, on H: for the second derivatives of T in s. */
    int (*third)(const void *self, const sb_scalar *s, const sb_scalar *w, const sb_scalar *u, sb_scalar c,
                 sb_scalar *Hx);
    int (*inverse)(const void *self, const sb_scalar *q, sb_scalar *s); /* SB_DOMAIN where the chart is singular */
    /* s along the system's exact solution, continuous in t where `inverse` would jump by a turn. NULL: inverse of the
     * exact q. */
    int (*exact)(const void *self, sb_scalar t, sb_scalar *s);
    int symmetries; /* momenta of the system whose generator on s is given */
    int (*generator)(const void *self, int i, const sb_scalar *s, sb_scalar *xi); /* momentum i of the system, in s */
} sb_chart;

/* The system is a free rigid body: q is a unit quaternion (scalar first, body to space), g = q.q - 1. */
typedef struct sb_rigid {
    sb_scalar inertia[3]; /* principal, body frame, kg m^2 */
} sb_rigid;

/* Coordinates at, ..., at + 3 are a unit quaternion, scalar first, and row `row` of g keeps its length: it depends on
 * only these four, and its gradient is along the quaternion. Steppers on Lie groups move it by products instead. */
typedef struct sb_attitude {
    int at, row;
} sb_attitude;

struct sb_system;

/* Set by a chart formulation: discrete Lagrangians average in the embedding space, wm96 (4.9)-(4.13). */
typedef struct sb_embedding {
    const struct sb_system *ambient;
    const sb_chart *chart;
} sb_embedding;

typedef struct sb_system {
    const char *name;     /* as written on the command line: "dsp:ic=printed", "chart(pendulum)" */
    int n;                /* coordinates */
    unsigned flags;       /* SB_HAS_... of SB_FEATURE_LIST and SB_OFFERS_... of SB_OFFER_LIST */
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
    const sb_chart *chart;         /* NULL unless SB_OFFERS_CHART */
    const sb_rigid *rigid;         /* NULL unless SB_OFFERS_RIGID */
    const sb_embedding *embedding; /* NULL unless a formulation set it */
    int attitudes;                 /* unit quaternions among the coordinates */
    const sb_attitude *attitude;
    const void *self; /* of the two below */
    int (*initial)(const void *self, sb_scalar *t, sb_scalar *q, sb_scalar *v);
    int (*exact)(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v,
                 sb_scalar *lambda); /* NULL unless SB_OFFERS_EXACT; each output may be NULL */
    /* The system with the same coordinates whose constraints a formulation has replaced by forces; NULL unless one set
     * it. */
    const struct sb_system *constrained;
} sb_system;

/* Returns the system whose constraints the motion is to satisfy: `sys` itself unless a formulation replaced them. */
static inline const sb_system *sb_system_constrained(const sb_system *sys) {
    return sys->constrained != NULL ? sys->constrained : sys;
}

/* Rows that hold as equations: holonomic ones, then nonholonomic ones. */
static inline int sb_system_bilateral(const sb_system *sys) { return sys->holonomic.m + sys->nonholonomic.m; }

/* Returns the number of multipliers of the system: of its bilateral rows, then normal forces nu, then friction beta. */
static inline int sb_system_multipliers(const sb_system *sys) {
    return sb_system_bilateral(sys) + sys->contact.m + sys->contact.k;
}

/* Call the function of the same name of the potential, which the system has. */
static inline int sb_potential_value(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    return sys->potential.value(sys->potential.self, t, q, V);
}

static inline int sb_potential_gradient(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    return sys->potential.gradient(sys->potential.self, t, q, Vq);
}

static inline int sb_potential_hessian(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar c,
                                       sb_scalar *Hx) {
    return sys->potential.hessian(sys->potential.self, t, q, c, Hx);
}

static inline int sb_potential_stiffness(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar c,
                                         sb_scalar *Hx) {
    return sys->potential.stiffness(sys->potential.self, t, q, c, Hx);
}

/* Sets V_t: zero unless the potential depends on time. */
static inline int sb_potential_rate(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *Vt) {
    *Vt = 0.0;
    return sys->potential.rate == NULL ? SB_OK : sys->potential.rate(sys->potential.self, t, q, Vt);
}

/* Call the function of the same name of the holonomic constraints, which the system has. */
static inline int sb_holonomic_value(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *g,
                                     sb_scalar *Gx) {
    return sys->holonomic.value(sys->holonomic.self, t, q, g, Gx);
}

static inline int sb_holonomic_hessian(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *w,
                                       sb_scalar c, sb_scalar *Hx) {
    return sys->holonomic.hessian(sys->holonomic.self, t, q, w, c, Hx);
}

/* Sets d2g/dt2 at constant v (m). */
static inline int sb_holonomic_curvature(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                                         sb_scalar *out) {
    return sys->holonomic.curvature(sys->holonomic.self, t, q, v, out);
}

/* Sets g_t (m): zero unless the constraints depend on time. */
static inline int sb_holonomic_rate(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *out) {
    if (sys->holonomic.rate != NULL) {
        return sys->holonomic.rate(sys->holonomic.self, t, q, out);
    }
    for (int i = 0; i < sys->holonomic.m; i++) {
        out[i] = 0.0;
    }
    return SB_OK;
}

/* Sets g and then w of the bilateral rows, and the values of G and then of A; each may be NULL. */
static inline int sb_bilateral_value(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *g,
                                     sb_scalar *Cx) {
    const int m = sys->holonomic.m, nnz = sb_pattern_nnz(&sys->holonomic.G);
    if (m > 0) {
        SB_TRY(sb_holonomic_value(sys, t, q, g, Cx));
    }
    if (sys->nonholonomic.m > 0) {
        SB_TRY(sys->nonholonomic.value(sys->nonholonomic.self, t, q, Cx != NULL ? Cx + nnz : NULL,
                                       g != NULL ? g + m : NULL));
    }
    return SB_OK;
}

/* A registered problem: parameters to system. `init` fills `out`; patterns and data come from the arena. The core sets
 * out->name and the flags that follow from the callbacks (forces, holonomic, curved, rheonomic, time-dependent
 * potential, variable mass, nonholonomic, contacts, dry friction, chart, rigid, exact); the problem sets only
 * SB_HAS_SINGULAR_MASS. Parameters that exclude each other give SB_BAD_USAGE with a sentence. */
typedef struct sb_problem {
    sb_entry entry;
    int (*init)(sb_context *ctx, sb_arena *arena, const void *config, sb_system *out);
} sb_problem;

/* A registered formulation: a system to another formulation of it. The core checks `needs` and has copied *inner to
 * *out. */
typedef struct sb_formulation {
    sb_entry entry;
    unsigned needs;   /* offers it relies on */
    unsigned removes; /* features it takes away: "try -w NAME" */
    unsigned adds;    /* features it may bring instead */
    unsigned refuses; /* features for which it is not defined */
    int (*init)(sb_context *ctx, sb_arena *arena, const void *config, const sb_system *inner, sb_system *out);
} sb_formulation;

#endif
