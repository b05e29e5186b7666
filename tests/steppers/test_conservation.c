/* What a method keeps to round-off: the momenta of every symmetry (wm96 (3.19), 4.6), the energy (wm96 5.2, notes11 7).
 */
#include <float.h>

#include <stepbench/numerics/dynamics.h>

#include "tests/steppers/pairs.h"

#ifdef SB_SANITIZE
enum { STEPS = 100 };
#else
enum { STEPS = 2000 };
#endif

/* Each step commits a few roundings of the terms, and of those that the terms come from: the potential of a strong
 * spring is the square of a g that cancels. They are independent, and add up no worse than to their number. */
static const double allowed = 8.0 * STEPS * DBL_EPSILON;

typedef struct track {
    double first, least, most, terms;
} track;

static void follow(track *t, bool begin, double value, double terms) {
    if (begin) {
        *t = (track){value, value, value, terms};
    }
    t->least = value >= t->least ? t->least : value;
    t->most = value <= t->most ? t->most : value;
    t->terms = terms <= t->terms ? t->terms : terms;
}

static double relative_range(const track *t) { return (t->most - t->least) / t->terms; }

typedef struct scratch {
    sb_dynamics dyn;
    double *v, *p, *xi;
    track energy, momentum[8];
    bool spurious; /* the last state is no approximation of the motion */
} scratch;

static int observe(const pair *p, scratch *w, bool begin, const sb_state *s) {
    const sb_symmetry *symmetry = &p->sys->symmetry;
    double kinetic, potential;
    SB_TRY(sb_method_report(p->method, s, w->v, NULL));
    SB_TRY(sb_dynamics_energy(&w->dyn, s->t, s->q, w->v, &kinetic, &potential));
    w->spurious =
        !begin && p->sys->holonomic.m == 0 && !(fabs(kinetic + potential - w->energy.first) <= w->energy.terms);
    if (w->spurious) {
        return SB_OK;
    }
    follow(&w->energy, begin, kinetic + potential, fabs(kinetic) + fabs(potential));
    SB_TRY(sb_method_momentum(p->method, s, w->p));
    for (int i = 0; i < symmetry->count; i++) {
        double sum = 0.0;
        SB_TRY(symmetry->generator(symmetry->self, i, s->q, w->xi));
        for (int j = 0; j < p->sys->n; j++) {
            sum += w->p[j] * w->xi[j];
        }
        const double terms = sqrt((double)p->sys->n) * sb_norm_max(p->sys->n, w->p) * sb_norm_max(p->sys->n, w->xi);
        follow(&w->momentum[i], begin, sum, terms);
    }
    return SB_OK;
}

/* A long motion may come to the pole of a chart. There Newton's iteration ends it, or finds a solution of the step's
 * equations that is none of the motion's: its energy is wrong by more than all of it, and the terms of its momenta grow
 * by orders of magnitude per step, and their round-off with them. What is kept is kept till then. */
static int run(const pair *p, scratch *w, long *done) {
    const double h = 0.05 * p->sys->time_scale;
    sb_state s[2];
    SB_TRY(sb_state_new(p->method, p->arena, &s[0]));
    SB_TRY(sb_state_new(p->method, p->arena, &s[1]));
    SB_TRY(sb_method_start(p->method, 0.0, NULL, NULL, h, &s[0]));
    SB_TRY(observe(p, w, true, &s[0]));
    for (*done = 0; *done < STEPS; (*done)++) {
        const sb_state *now = &s[*done & 1];
        sb_state *next = &s[(*done + 1) & 1];
        const int status = sb_method_step(p->method, now, h, next);
        if (status == SB_NOT_CONVERGED && p->sys->holonomic.m == 0) {
            return SB_OK;
        }
        SB_TRY(status);
        SB_TRY(observe(p, w, false, next));
        if (w->spurious) {
            return SB_OK;
        }
    }
    return SB_OK;
}

static int conservation(pair *p) {
    const sb_system *sys = p->sys;
    /* implicit midpoint keeps quadratic invariants: the energy where V is quadratic and M constant */
    const bool quadratic =
        (sys->flags & (SB_HAS_VARIABLE_MASS | SB_HAS_TIME_POTENTIAL)) == 0 && sys->potential.degree >= 0;
    const bool momenta = (p->keeps & SB_KEEPS_MOMENTA) != 0 && sys->symmetry.count > 0;
    const bool energy = (p->keeps & SB_KEEPS_ENERGY) != 0 || (strcmp(p->stepper, "midpoint") == 0 && quadratic);
    scratch w;
    if ((sys->flags & SB_HAS_FORCE) != 0 || (!momenta && !energy)) {
        return SB_OK;
    }
    SB_NEW(p->arena, w.v, sys->n);
    SB_NEW(p->arena, w.p, sys->n);
    SB_NEW(p->arena, w.xi, sys->n);
    int status = sb_dynamics_init(p->ctx, p->arena, sys, &w.dyn);
    long done = 0;
    status = status == SB_OK ? run(p, &w, &done) : status;
    SB_TRY(status);
    gsl_test(done < STEPS / 20, "%s on %s takes a fair number of steps (%ld)", p->stepper, sys->name, done);
    for (int i = 0; i < sys->symmetry.count && momenta; i++) {
        const double range = relative_range(&w.momentum[i]);
        gsl_test(!(range <= allowed), "%s on %s: %s ranges over %.2g of its terms in %ld steps (%.2g by round-off)",
                 p->stepper, sys->name, sys->symmetry.names[i], range, done, allowed);
    }
    if (energy) {
        const double range = relative_range(&w.energy);
        gsl_test(!(range <= allowed),
                 "%s on %s: the energy ranges over %.2g of its terms in %ld steps (%.2g by round-off)", p->stepper,
                 sys->name, range, done, allowed);
    }
    return SB_OK;
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    open_registry(&ctx, &registry);
    run_pairs(&ctx, conservation);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
