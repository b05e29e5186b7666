/* One step at velocity level, which SPOOK, REG and VTS share: a linear system per step, or a complementarity problem
 * with contacts and dry friction. */
#pragma once

#include <stepbench/numerics/contact.h>
#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/kkt.h>
#include <stepbench/numerics/saddle.h>

#include "integrators/shared/geometric_stiffness.h"

/* A step from (t, q, v) solves spook07 (29), which integrators/spook.c prints, with F = -V_q + f and all matrices
 * evaluated there. The diagonal matrices Sigma, kappa, Upsilon and Gamma of the rows distinguish the methods:
 *
 *   G v1 + Sigma z_g = -kappa g + Upsilon G v - (1 - Upsilon) g_t,   A v1 + Gamma z_a = w(t)
 *
 * Where g depends on time, dg/dt = G v + g_t replaces G v on both sides of (29), which adds the term with g_t. A mass
 * that depends on q has
 *
 *   M v1 - G' z_g - A' z_a = p + h (F + T_q(q, v1)),   p = M(q - h v) v
 *
 * in place of the first row: p is the momentum of the last step, and the row is the discrete Euler-Lagrange equation of
 * L_d = h L(q, (q1 - q)/h). It is of first order and symplectic without constraints, with the momenta p and M v1. T_q
 * is evaluated at v1; otherwise symmetries would be lost. With contacts or dry friction the rows are those of
 * velocity_step_contacts.c. */
typedef struct sb_row_coefficients {
    sb_scalar sigma, kappa, upsilon; /* coefficients of a holonomic row or a gap */
    sb_scalar gamma;                 /* coefficient of a nonholonomic row or a friction row */
} sb_row_coefficients;

/* Returns the coefficients of a row: eps, tau (over h) and gamma are the problem's own values, NULL where the
 * configuration's apply. */
typedef sb_row_coefficients (*sb_row_rule)(const void *config, sb_scalar h, const sb_scalar *eps, const sb_scalar *tau,
                                           const sb_scalar *gamma);

/* The first member of the configurations of these methods. */
typedef struct sb_velocity_config {
    int form, start, geometric;
    const char *solver;
    sb_contact_config contact;
} sb_velocity_config;

#define SB_VELOCITY_STEP_PARAMS(type, common)                                                                          \
    SB_PARAM(                                                                                                          \
        "form", SB_CHOICE, offsetof(type, common.form), "auto", 0.0, 0.0, SB_CLOSED, "auto|saddle|schur", "",          \
        "the linear system: saddle for spook07 (29), schur for its complement (30); auto: schur with contacts or dry " \
        "friction, for which saddle is not available, and saddle without them"),                                       \
        GEOMETRIC_PARAM(offsetof(type, common.geometric)),                                                             \
        SB_PARAM(                                                                                                      \
            "solver", SB_TEXT, offsetof(type, common.solver), "auto", 0.0, 0.0, SB_CLOSED, NULL, "",                   \
            "linear solver by name, with contacts or dry friction that of lcp; auto chooses by size and pattern"),     \
        SB_PARAM(                                                                                                      \
            "start", SB_CHOICE, offsetof(type, common.start), "auto", 0.0, 0.0, SB_CLOSED, "auto|full|half", "",       \
            "half: the first step starts from the velocity half a step earlier, and v is reported as the mean of two " \
            "steps, whose part across a curved constraint is off by a number of order h at t = 0 and until the "       \
            "violation has relaxed; full: from v as it is, as in the papers, which shifts the motion by half a step; " \
            "auto: half, and full with contacts or dry friction: an impact has no velocity half a step earlier")

/* BOX is not a choice of the parameter. It uses the complementarity problem of contacts, with the solver `lcp`, for
 * every system. */
enum { SB_VELOCITY_FORM_AUTO, SB_VELOCITY_FORM_SADDLE, SB_VELOCITY_FORM_SCHUR, SB_VELOCITY_FORM_BOX };
enum { SB_VELOCITY_START_AUTO, SB_VELOCITY_START_FULL, SB_VELOCITY_START_HALF };

/* The features that these methods support, and those that methods without Newton iterations support in addition. */
#define SB_VELOCITY_STEP_SUPPORTS                                                                                      \
    (SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_RHEONOMIC | SB_HAS_NONHOLONOMIC |              \
     SB_HAS_VARIABLE_MASS | SB_HAS_TIME_POTENTIAL)
#define SB_VELOCITY_STEP_CONTACTS (SB_HAS_CONTACT | SB_HAS_FRICTION)

/* The features for which the methods are of first order. A force that depends on the velocity is evaluated half a step
 * away from it, as in the papers. The discrete momentum is that of h L(q0, (q1 - q0)/h), of first order where M depends
 * on q. A is evaluated at the start of the step, and the velocity that it restrains belongs to the middle. */
#define SB_VELOCITY_STEP_ORDERS                                                                                        \
    {                                                                                                                  \
        { SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_NONHOLONOMIC, 1 }                                               \
    }

/* What contacts, dry friction and the form BOX add. */
typedef struct sb_velocity_contacts {
    sb_contact_step step;
    sb_scalar *v_free, *Cv_free; /* the velocity without impulses z, and that of the rows */
    sb_scalar *Cv;               /* velocity of the rows at the beginning of the step */
    sb_scalar *Tq, *Tq1;         /* values of T_q, where M depends on q */
} sb_velocity_contacts;

/* Newton's iteration for T_q(q, v1), where M depends on q. */
typedef struct sb_velocity_inertia {
    sb_saddle saddle;
    sb_scalar *x, *Tq; /* correction of (v1, z), and a value of T_q */
} sb_velocity_inertia;

/* What the start half a step earlier adds. */
typedef struct sb_velocity_half_step {
    sb_scalar *force, *Hx, *r;
    sb_scalar *curvature, *rate, *s, *mu; /* of each row, but rate: of the nonholonomic ones */
} sb_velocity_half_step;

typedef struct sb_velocity_step {
    sb_row_rule rule;
    sb_kkt kkt;    /* without contacts; with form BOX for the start */
    sb_mass *mass; /* that of kkt or contacts */
    geometric geometric;
    bool implicit_rows;                 /* nonholonomic rows hold at the end of a step; else at its start */
    sb_scalar *sigma, *kappa, *upsilon; /* coefficients of each row; for nonholonomic rows sigma holds Gamma */
    sb_scalar coefficients_h;           /* the step that the coefficients belong to */
    sb_scalar *g, *gt;                  /* g, then w, of the rows; g_t, NULL where it is zero */
    sb_scalar *r, *s;                   /* right-hand sides: p + h F (n), and of the rows without Upsilon G v */
    sb_scalar *tmp;                     /* scratch (n) */
    sb_state first;                     /* the first step of a start */
    sb_velocity_contacts *contacts;     /* NULL where they add nothing */
    sb_velocity_inertia *inertia;       /* NULL for a constant mass, and with contacts */
    sb_velocity_half_step *half_step;   /* NULL where a start has the velocity of its position */
} sb_velocity_step;

/* Initializes *out and sets me->work to it. */
int sb_velocity_step_init(sb_method *me, sb_row_rule rule, sb_velocity_step *out);
/* Allocates the work of a stepper and initializes it as above. */
int sb_velocity_step_new(sb_method *me, sb_row_rule rule);
/* The operations of a stepper whose work begins with sb_velocity_step. */
int sb_velocity_step_start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h,
                           sb_state *out);
int sb_velocity_step_step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out);
int sb_velocity_step_report(const sb_method *me, const sb_state *in, const sb_state *next, sb_scalar *v,
                            sb_scalar *lambda);
int sb_velocity_step_momentum(const sb_method *me, const sb_state *in, sb_scalar *p);
unsigned sb_velocity_step_loses(const void *config);

/* ---- Shared by velocity_step.c and velocity_step_contacts.c. ---- */

/* Sets the coefficients for steps of length h. */
void sb_velocity_step_set_coefficients(const sb_method *me, sb_scalar h);
/* Returns SB_NOT_CONVERGED for the iteration of T_q(q, v1). */
int sb_velocity_step_not_converged(const sb_method *me, sb_scalar h);
int sb_velocity_step_contacts_init(sb_method *me);
/* Sets out->v, the forces out->lambda and out->iters of a step with contacts or dry friction, after
 * w->r has been set to p + h F. */
int sb_velocity_step_contacts(const sb_method *me, sb_scalar t, sb_scalar h, const sb_scalar *q, const sb_scalar *v,
                              const sb_scalar *lambda0, sb_state *out);
