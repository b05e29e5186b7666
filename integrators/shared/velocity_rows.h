/* What a step at velocity level is made of: configuration, memory, relaxation of the rows, momentum. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_VELOCITY_ROWS_H
#define STEPBENCH_INTEGRATORS_SHARED_VELOCITY_ROWS_H

#include <stepbench/numerics/contact.h>

#include "integrators/shared/geometric_stiffness.h"
#include "integrators/shared/inertial_force.h"

/* With F = -V_q + f at (t, q, v), a step from (q, v) solves
 *
 *   M v1 - C(q) lambda = p + h (F + T_q(q, v1)),   G' v1 + sigma lambda = -on_g g(q) + on_v G' v,   A' v1 + gamma lambda = w(t),   q1 = q + h v1
 *
 * for v1 and the impulses lambda, with M at q and p = M(q - h v) v. The methods differ in the four numbers of a row. For a constant M it is spook07 (29);
 * else it is the discrete Euler-Lagrange equation of L_d = h L(q, (q1 - q)/h), whose momenta are p and M v1: of first order, symplectic without
 * constraints, and true to every symmetry only where T_q belongs to v1. With contacts or dry friction, contact_level.h takes the place of the linear system. */
typedef struct relaxation {
    double sigma, on_g, on_v, gamma;
} relaxation;

/* The relaxation of a row with eps, tau (over h) and gamma: the configuration's, or the problem's own where it gives them. */
typedef relaxation (*relax_row)(const void *config, double h, const double *eps, const double *tau, const double *gamma);

/* Every configuration of these methods begins with it. */
typedef struct velocity_level_config {
    int form, start, geometric;
    const char *solver;
    sb_contact_config contact;
} velocity_level_config;

#define VELOCITY_LEVEL_PARAMS(type, common)                                                                                                                                \
    {"form", SB_CHOICE, offsetof(type, common) + offsetof(velocity_level_config, form), "auto", 0.0, 0.0, SB_CLOSED, "auto|saddle|schur", "",                                                             \
     "the linear system: spook07 (29) or its complement (30); auto: the former, and with contacts or dry friction the latter, which is all they have"},                                                  \
    GEOMETRIC_PARAM(offsetof(type, common) + offsetof(velocity_level_config, geometric)),                                                                                                                \
    {"solver", SB_TEXT, offsetof(type, common) + offsetof(velocity_level_config, solver), "auto", 0.0, 0.0, SB_CLOSED, NULL, "", "linear solver by name, with contacts or dry friction that of lcp; auto chooses by size and pattern"},             \
    {"start", SB_CHOICE, offsetof(type, common) + offsetof(velocity_level_config, start), "auto", 0.0, 0.0, SB_CLOSED, "auto|full|half", "",                                                             \
     "half: the first step starts from the velocity half a step earlier, and v is reported as the mean of two steps; full: from v as it is, as the papers do, which sets the motion off by half a step; "  \
     "auto: half, and full with contacts or dry friction: an impact has no velocity half a step earlier"}

enum { FORM_AUTO, FORM_SADDLE, FORM_SCHUR };
enum { START_AUTO, START_FULL, START_HALF };

typedef struct velocity_level {
    sb_kkt kkt;  /* without contacts */
    sb_box *box; /* with contacts or dry friction; NULL without */
    sb_mass *mass; /* of either: that of geometric */
    geometric geometric;
    int rows; /* of lambda */
    relax_row relax;
    bool ahead; /* nonholonomic rows hold at the end of a step, else at its start */
    relaxation *relaxation; /* of each row, or where `alike` of all */
    bool alike;
    double *sigma;      /* of each row */
    double relaxed_for; /* the step that these were found for */
    double *tmp;
    double *r, *s; /* right-hand sides, s right behind r */
    double *Cv, *g; /* with contacts: of every row, C' v and scratch */
    inertial inertial; /* where M varies */
    sb_state next; /* scratch of start */
} velocity_level;

/* What contacts and dry friction leave no choice about is refused where it is asked for. */
static inline int velocity_level_check(const sb_method *me) {
    const velocity_level_config *c = me->config;
    if (c->form == FORM_SADDLE) {
        return sb_fail(me->ctx, SB_UNSUPPORTED, "form=saddle: the contacts and dry friction of %s are solved on the Schur complement; form=schur or auto will do", me->sys->name);
    }
    if (c->start == START_HALF) {
        return sb_fail(me->ctx, SB_UNSUPPORTED, "start=half: %s has contacts or dry friction, and an impact has no velocity half a step earlier; start=full or auto will do", me->sys->name);
    }
    return SB_OK;
}

static inline int velocity_level_init(sb_method *me, relax_row relax, velocity_level *out) {
    const velocity_level_config *c = me->config;
    const sb_system *sys = me->sys;
    const int n = sys->n, rows = sb_system_multipliers(sys);
    const bool contacts = sys->contact.m + sys->contact.k > 0;
    const sb_form form = c->form == FORM_SCHUR || contacts ? SB_FORM_SCHUR : SB_FORM_SADDLE;
    const sb_solver *solver = sb_solver_choose(me->ctx, c->solver, form, n + rows);
    if (solver == NULL) {
        return SB_BAD_USAGE;
    }
    *out = (velocity_level){.relax = relax, .relaxed_for = (double)NAN, .rows = rows};
    me->work = out;
    const sb_system *with_mass;
    SB_TRY(geometric_init(me->arena, sys, c->geometric, &out->geometric, &with_mass));
    if (contacts) {
        SB_TRY(velocity_level_check(me));
        SB_NEW(me->arena, out->box, 1);
        SB_TRY(sb_box_init(me->ctx, me->arena, with_mass, &c->contact, c->solver, out->box));
        SB_NEW(me->arena, out->g, rows);
        SB_NEW(me->arena, out->Cv, rows);
        out->mass = &out->box->mass;
    } else {
        SB_TRY(sb_kkt_init(me->ctx, me->arena, with_mass, form, solver, &out->kkt));
        out->mass = &out->kkt.mass;
    }
    SB_NEW(me->arena, out->sigma, rows);
    out->alike = sys->holonomic.eps == NULL && sys->holonomic.tau == NULL && sys->nonholonomic.gamma == NULL;
    SB_NEW(me->arena, out->relaxation, out->alike ? 1 : rows);
    SB_NEW(me->arena, out->tmp, n);
    SB_NEW(me->arena, out->r, n + rows);
    out->s = out->r + n;
    if (sys->inertia.gradient != NULL && out->box == NULL) {
        SB_TRY(inertial_init(me->ctx, me->arena, sys, &out->inertial));
    }
    me->needs_next = c->start != START_FULL && !contacts ? SB_NEXT_FOR_VELOCITY | SB_NEXT_FOR_LAMBDA : 0;
    return sb_state_new(me, me->arena, &out->next);
}

/* Of bilateral row i. Rows that are alike share one: a long chain's would have to come from memory. */
static inline const relaxation *relaxation_of(const velocity_level *w, int i) { return &w->relaxation[w->alike ? 0 : i]; }

static inline void set_relaxation(const sb_method *me, double h) {
    velocity_level *w = me->work;
    const sb_holonomic *holonomic = &me->sys->holonomic;
    const sb_nonholonomic *nonholonomic = &me->sys->nonholonomic;
    const int m = holonomic->m, rows = sb_system_bilateral(me->sys);
    if (h == w->relaxed_for) {
        return;
    }
    w->relaxed_for = h;
    for (int i = 0; i < rows; i++) {
        const bool g = i < m;
        if (i == 0 || !w->alike) {
            w->relaxation[i] = w->relax(me->config, h, g && holonomic->eps != NULL ? holonomic->eps + i : NULL, g && holonomic->tau != NULL ? holonomic->tau + i : NULL,
                                        !g && nonholonomic->gamma != NULL ? nonholonomic->gamma + (i - m) : NULL);
        }
        w->sigma[i] = g ? relaxation_of(w, i)->sigma : relaxation_of(w, i)->gamma;
    }
    if (w->box == NULL) {
        sb_kkt_set_sigma(&w->kkt, w->sigma);
    }
}

/* The mass M(q - h v) of the momentum conjugate to q, M v, after a step of length h that led there. */
static inline int velocity_level_mass(velocity_level *w, double h, const double *q, const double *v) {
    geometric_set(&w->geometric, h, NULL);
    if (w->mass->constant) {
        return SB_OK;
    }
    for (int i = 0; i < w->mass->sys->n; i++) {
        w->tmp[i] = q[i] - h * v[i];
    }
    return sb_mass_evaluate(w->mass, w->tmp);
}

#endif
