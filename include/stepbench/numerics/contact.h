/* The step of a system with contacts and dry friction: the mixed box complementarity problem of reg05 (4.4) on the
 * Schur complement of all its rows. */
#ifndef STEPBENCH_NUMERICS_CONTACT_H
#define STEPBENCH_NUMERICS_CONTACT_H

#include <stepbench/numerics/mass.h>

/* With the rows C = [G A N D] of lambda, find v1 and impulses z, h times the forces lambda, such that
 *
 *   M v1 = r + C z,   w = C' v1 + Sigma z - s,
 *   w = 0 for bilateral rows,   0 <= w _|_ z >= 0 for gaps,
 *   w = 0 for friction rows with |z| below the bound, w >= 0 for z at -bound, w <= 0 for z at +bound,
 *   bound_j = h limit_j + mu_j |z_of(j)|
 *
 * with z_of(j) of this step (friction=iterated, Coulomb's law, where the two rows of a cone share one bound of the
 * length of their impulse) or h times the force before the step (friction=box, reg05 4.4; each row has the bound).
 * lambda is a force also where an impact makes z: over a step the kinetic energy of a constant M changes by (v + v1)/2
 * . (h F + C z), row by row the work of contacts, impacts and friction. */
typedef struct sb_contact_config {
    const char *lcp;
    int friction;
    sb_scalar tol;
    long maxit;
} sb_contact_config;

enum { SB_FRICTION_ITERATED, SB_FRICTION_BOX };

/* The rows of a parameter table for a member `contact` of the configuration. */
#define SB_CONTACT_PARAMS(type, contact)                                                                               \
    SB_PARAM("lcp", SB_TEXT, offsetof(type, contact.lcp), "block_pivot", 0.0, 0.0, SB_CLOSED, NULL, "",                \
             "with contacts or dry friction: the complementarity solver, by name or [name:k=v,...]"),                  \
        SB_PARAM("friction", SB_CHOICE, offsetof(type, contact.friction), "iterated", 0.0, 0.0, SB_CLOSED,             \
                 "iterated|box", "",                                                                                   \
                 "bounds of dry friction: iterated to Coulomb's law, or those of the last step's normal forces"),      \
        SB_PARAM("friction_tol", SB_REAL, offsetof(type, contact.tol), "1e-10", 0.0, 1e-2, SB_OPEN_LO, NULL, "",       \
                 "the iteration ends when the bounds differ from those of the solution by this share of the largest "  \
                 "bound"),                                                                                             \
        SB_PARAM("friction_maxit", SB_INT, offsetof(type, contact.maxit), "500", 1.0, 1e6, SB_CLOSED, NULL, "",        \
                 "largest number of complementarity problems per step")

struct sb_contact_step_work;

/* The terms of a step. Values belong to the point of the last sb_contact_step_evaluate. */
typedef struct sb_contact_step {
    const sb_system *sys;
    int rows, bilateral; /* all rows; the rows before the gaps */
    sb_mass mass;
    sb_pattern C;         /* n x rows */
    sb_scalar *Cx;        /* values of G, A, N, D */
    sb_scalar *level;     /* g, w, xi, speeds of moving surfaces (rows) */
    sb_scalar *Sigma, *s; /* for the caller to set before the factorization and the solution (rows); initially zero */
    bool *left_out;       /* gaps that cannot close in this step, for the caller to set (m); initially false */
    struct sb_contact_step_work *work;
} sb_contact_step;

/* `added` (NULL: none) and `config` outlive it. `linear`: the linear solver of sb_lcp_find. */
int sb_contact_step_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_added_mass *added,
                         const sb_contact_config *config, const char *linear, sb_contact_step *out);
/* Evaluates Cx, level and the mass at q, for a step of length h at t. Returns SB_UNSUPPORTED for a system with contacts
 * or dry friction unless h > 0: they have no step back in time. */
int sb_contact_step_evaluate(sb_contact_step *step, sb_scalar t, sb_scalar h, const sb_scalar *q);
/* Evaluates S from Cx, the mass and Sigma. */
void sb_contact_step_factor(sb_contact_step *step);
/* Computes v1 (n) and the forces lambda (rows) from r (n), s and the forces before the step, and adds the solver's
 * iterations to *iters. v1 may be r. Returns SB_NOT_CONVERGED where the bounds of friction do not converge, else what
 * sb_lcp_solve returns. */
int sb_contact_step_solve(sb_contact_step *step, sb_scalar h, const sb_scalar *r, const sb_scalar *before,
                          sb_scalar *v1, sb_scalar *lambda, long *iters);

/* Returns whether gap i, with the value xi at some point, counts as closed: to the accuracy of a typed state,
 * SB_CONSISTENCY_TOL. */
bool sb_contact_step_closed(const sb_contact_step *step, int i, sb_scalar xi, const sb_scalar *q);

#endif
