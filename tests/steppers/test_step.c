/* What holds of every step: it is a pure map, it leaves its argument whole even when it fails, it ends on the
 * constraints, and a symmetric method undoes a step by a step back. */
#include <float.h>

#include "analysis/pure_step.h"
#include "tests/steppers/pairs.h"

/* Numbers grow with the steps, what reads and writes them does not. */
#ifdef SB_SANITIZE
enum { STEPS = 4, LENGTHS = 2, LONGER = 250 };
#else
enum { STEPS = 20, LENGTHS = 6, LONGER = 50 };
#endif

/* Numbers that differ in any bit. */
static int different(const sb_method *me, const sb_state *a, const sb_state *b) {
    return sb_state_differences(me, a, b) + (memcmp(&a->t, &b->t, sizeof a->t) != 0) +
           (memcmp(&a->h, &b->h, sizeof a->h) != 0) + (a->iters != b->iters);
}

static void poison(const sb_method *me, sb_state *s) {
    for (int i = 0; i < me->sys->n; i++) {
        s->q[i] = s->v[i] = NAN;
    }
    for (int i = 0; i < sb_system_multipliers(me->sys); i++) {
        s->lambda[i] = NAN;
    }
    for (int i = 0; i < me->naux; i++) {
        s->aux[i] = NAN;
    }
    s->t = s->h = NAN;
    s->iters = -1;
}

static int new_states(const pair *p, int count, sb_state *states) {
    for (int i = 0; i < count; i++) {
        SB_TRY(sb_state_new(p->method, p->arena, &states[i]));
    }
    return SB_OK;
}

static int advance(const sb_method *me, long steps, double h, sb_state *now, sb_state *next) {
    for (long k = 0; k < steps; k++) {
        SB_TRY(sb_method_step(me, now, h, next));
        sb_state_copy(me, next, now);
    }
    return SB_OK;
}

/* The same step again: after other steps have been through the scratch memory, one of them from and into NaN, and by a
 * method of its own.
 */
static int purity(pair *p) {
    const double h = 0.05 * p->sys->time_scale;
    sb_state s[6], *now = &s[0], *kept = &s[1], *first = &s[2], *again = &s[3], *other = &s[4], *tmp = &s[5];
    sb_method fresh;
    double *v, *lambda, *momentum;
    SB_TRY(new_states(p, 6, s));
    SB_NEW(p->arena, v, p->sys->n);
    SB_NEW(p->arena, lambda, sb_system_multipliers(p->sys));
    SB_NEW(p->arena, momentum, p->sys->n);
    SB_TRY(sb_method_start(p->method, 0.0, NULL, NULL, h, now));
    SB_TRY(advance(p->method, 3, h, now, tmp));
    sb_state_copy(p->method, now, kept);
    SB_TRY(sb_method_step(p->method, now, h, first));
    gsl_test(different(p->method, now, kept) != 0, "%s on %s: a step leaves its argument whole", p->stepper,
             p->sys->name);
    sb_state_copy(p->method, first, other);
    SB_TRY(advance(p->method, 4, 1.3 * h, other, tmp));
    SB_TRY(sb_method_report(p->method, other, v, lambda));
    SB_TRY(sb_method_momentum(p->method, other, momentum));
    gsl_test(different(p->method, other, tmp) != 0, "%s on %s: a report leaves its argument whole", p->stepper,
             p->sys->name);
    poison(p->method, other);
    poison(p->method, again);
    gsl_test(sb_method_step(p->method, other, h, again) <= 0, "%s on %s: a step from NaN fails, and recoverably",
             p->stepper, p->sys->name);
    SB_TRY(sb_method_step(p->method, now, h, again));
    gsl_test(different(p->method, first, again) != 0,
             "%s on %s: the same step gives the same bits, whatever was done in between", p->stepper, p->sys->name);
    int status = sb_method_build(p->ctx, p->arena, p->stepper, p->sys, &fresh);
    status = status == SB_OK ? sb_method_step(&fresh, now, h, again) : status;
    gsl_test(status != SB_OK || different(p->method, first, again) != 0,
             "%s on %s: a method that has taken no step gives the same bits", p->stepper, p->sys->name);
    return status;
}

/* A step far too long may fail, but with a recoverable status, a sentence, and its argument whole; a report that looks
 * a step ahead then says NaN. */
static int failure(pair *p) {
    const double h = 0.05 * p->sys->time_scale;
    sb_state s[3];
    double *lambda;
    SB_NEW(p->arena, lambda, sb_system_multipliers(p->sys));
    SB_TRY(new_states(p, 3, s));
    SB_TRY(sb_method_start(p->method, 0.0, NULL, NULL, h, &s[0]));
    for (int k = 0; k < LENGTHS; k++) {
        sb_state_copy(p->method, &s[0], &s[1]);
        p->ctx->message[0] = '\0';
        const int status = sb_method_step(p->method, &s[0], h * pow(10.0, 2 + LONGER * k), &s[2]);
        gsl_test(status < 0, "%s on %s: a step 1e%d times too long fails recoverably if it fails (%d)", p->stepper,
                 p->sys->name, 2 + LONGER * k, status);
        gsl_test(status == SB_NOT_CONVERGED && p->ctx->message[0] == '\0',
                 "%s on %s: a failed iteration leaves a sentence", p->stepper, p->sys->name);
        gsl_test(different(p->method, &s[0], &s[1]) != 0,
                 "%s on %s: a step 1e%d times too long leaves its argument whole", p->stepper, p->sys->name,
                 2 + LONGER * k);
        s[1].h *= pow(10.0, 2 + LONGER * k);
        gsl_test(sb_method_report(p->method, &s[1], NULL, lambda) != SB_OK,
                 "%s on %s: a multiplier that cannot be found is no error", p->stepper, p->sys->name);
    }
    return SB_OK;
}

/* Newton leaves the square of its tolerance, less than the rounding of q, which moves g by |G| eps |q|; a few roundings
 * make up g. The same for G v, whose terms are the velocity before the step and its change, from which v may be small;
 * the solution of m equations for the multipliers adds m roundings. Where g depends on time, the sum of substeps
 * rounds t, by which dg/dt changes at the rate of its second derivative. */
static int constraints(pair *p) {
    const sb_holonomic *holonomic = &p->sys->holonomic;
    const sb_pattern *G = &holonomic->G;
    const double h = 0.05 * p->sys->time_scale;
    double *g, *gt, *Gx, *v, *before, *second;
    sb_state s[2];
    if (holonomic->m == 0 || (p->keeps & (unsigned)(SB_KEEPS_POSITION | SB_KEEPS_TANGENCY)) == 0) {
        return SB_OK;
    }
    SB_NEW(p->arena, g, holonomic->m);
    SB_NEW(p->arena, gt, holonomic->m);
    SB_NEW(p->arena, second, holonomic->m);
    SB_NEW(p->arena, Gx, sb_pattern_nnz(G));
    SB_NEW(p->arena, v, p->sys->n);
    SB_NEW(p->arena, before, p->sys->n);
    SB_TRY(new_states(p, 2, s));
    SB_TRY(sb_method_start(p->method, 0.0, NULL, NULL, h, &s[0]));
    double worst_g = 0.0, worst_v = 0.0;
    for (int k = 0; k < 10 * STEPS; k++) {
        SB_TRY(advance(p->method, 1, h, &s[0], &s[1]));
        SB_TRY(sb_method_report(p->method, &s[0], v, NULL));
        SB_TRY(sb_holonomic_value(p->sys, s[0].t, s[0].q, g, Gx));
        SB_TRY(sb_holonomic_rate(p->sys, s[0].t, s[0].q, gt));
        if (p->sys->holonomic.rate != NULL) {
            SB_TRY(sb_holonomic_curvature(p->sys, s[0].t, s[0].q, v, second));
        }
        const double speed = sb_larger(sb_norm_max(p->sys->n, v), distance_max(p->sys->n, v, before));
        memcpy(before, v, (size_t)p->sys->n * sizeof(double));
        for (int j = 0; j < holonomic->m; j++) {
            double size = 0.0, rate = gt[j];
            for (int at = G->p[j]; at < G->p[j + 1]; at++) {
                size += fabs(Gx[at]);
                rate += Gx[at] * v[G->i[at]];
            }
            const double off = fabs(g[j]) / (size * sb_norm_max(p->sys->n, s[0].q)),
                         off_v = rate == 0.0 ? 0.0 : fabs(rate) / (size * speed + fabs(second[j]) * s[0].t);
            worst_g = sb_larger(worst_g, off);
            worst_v = sb_larger(worst_v, off_v / (16.0 + holonomic->m));
        }
    }
    gsl_test((p->keeps & SB_KEEPS_POSITION) != 0 && !(worst_g <= 8.0 * DBL_EPSILON),
             "%s on %s: |g| stays at %.2g of its terms", p->stepper, p->sys->name, worst_g);
    gsl_test((p->keeps & SB_KEEPS_TANGENCY) != 0 && !(worst_v <= DBL_EPSILON),
             "%s on %s: |G v| stays at %.2g of the round-off of its terms", p->stepper, p->sys->name,
             worst_v / DBL_EPSILON);
    return SB_OK;
}

/* STEPS steps and as many back, for the methods that are symmetric. A rounding eps |q| of a position is one of eps
 * |q|/h in the velocity, and moves the later positions by eps |q| a step: 2 STEPS of them make (2 STEPS)^2/2; a few
 * roundings a step. */
static int reversal(pair *p) {
    const sb_system *sys = p->sys;
    const int n = sys->n;
    const double h = 0.05 * sys->time_scale;
    sb_state s[2];
    double *q, *v, *back, t;
    const bool del_midpoint =
        strcmp(p->stepper, "del") == 0; /* del claims nothing here: its quadrature=left is not symmetric */
    if ((p->keeps & SB_KEEPS_REVERSIBILITY) == 0 && !del_midpoint) {
        return SB_OK;
    }
    SB_NEW(p->arena, q, n);
    SB_NEW(p->arena, v, n);
    SB_NEW(p->arena, back, n);
    SB_TRY(new_states(p, 2, s));
    SB_TRY(sys->initial(sys->self, &t, q, v));
    SB_TRY(sb_method_start(p->method, t, q, v, h, &s[0]));
    SB_TRY(advance(p->method, STEPS, h, &s[0], &s[1]));
    const double path = distance_max(n, s[0].q, q);
    SB_TRY(advance(p->method, STEPS, -h, &s[0], &s[1]));
    SB_TRY(sb_method_report(p->method, &s[0], back, NULL));
    const double size = fmax(path, sb_norm_max(n, q)), allowed = 4.0 * DBL_EPSILON * 0.5 * (4.0 * STEPS * STEPS) * size;
    const double error = distance_max(n, s[0].q, q), error_v = distance_max(n, back, v);
    gsl_test(!(error <= allowed), "%s on %s: %d steps and back come home to %.2g (%.2g by round-off)", p->stepper,
             sys->name, STEPS, error, allowed);
    gsl_test(!(error_v <= allowed / h),
             "%s on %s: %d steps and back come home to the velocity to %.2g (%.2g by round-off)", p->stepper, sys->name,
             STEPS, error_v, allowed / h);
    gsl_test(!(path > 1e3 * allowed), "%s on %s: %d steps lead somewhere", p->stepper, sys->name, STEPS);
    return SB_OK;
}

static int all(pair *p) {
    SB_TRY(purity(p));
    SB_TRY(failure(p));
    SB_TRY(constraints(p));
    return reversal(p);
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    open_registry(&ctx, &registry);
    run_pairs(&ctx, all);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
