/* What holds of every step with contacts, on every problem: complementarity, Coulomb's law, Newton's law, momentum and
 * energy; none goes back in time. */
#include <float.h>
#include <stdio.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "tests/problems/synthetic.h"
#include "tests/steppers/contacts.h"

static const char *const problems[] = {"block_incline",
                                       "block_incline:angle=0.3",
                                       "block_incline:angle=0.9,mu=1.1,w=0.1,h=0.3",
                                       "stack:n=3,tilt=0.4,mu=0.3",
                                       "bouncing_ball",
                                       "newtons_cradle:spacing=0.013,e=0.8",
                                       "painleve_rod:mu=0.6",
                                       "painleve_rod:e=0.4,omega0=-3",
                                       "slider_crank:mu=0.3",
                                       "slider_crank:mu=0.2,drive=none",
                                       "slider_crank:drive=none,phi0=1.5,omega0=-4,stop=2.5,e=0.5"};
enum { PROBLEMS = sizeof problems / sizeof *problems };

/* What the solvers leave of the terms of a row (block_pivot: tol=1e-12), and the floor's share; relative to all that is
 * added up in a step. */
static const double solved = 1e-11;

/* ---- Laws, from the terms alone. ---- */

/* A pushing gap is at one of the two limits its velocity has: xi1 >= 0 (or the share of a penetration that is taken
 * back), Newton's law. */
static void gap_laws(const contact_run *r, const contact_stepper *stepper, const contact_rows *rows, double terms,
                     double worst[3]) {
    const sb_contact *c = &r->sys.contact;
    for (int i = 0; i < c->m; i++) {
        const int row = rows->bilateral + i;
        const double nu = r->now.lambda[row], e = c->restitution != NULL ? c->restitution[i] : 0.0, xi = rows->xi[i];
        const double size = rows->size[row] + terms + fabs(xi) / r->h;
        double above =
            rows->u1[row] + (xi > 0.0 ? xi : fmin(stepper->share, 1.0) * xi) / r->h; /* N v1 over its limit */
        const bool impact = rows->u0[row] < 0.0 && rows->u1[row] >= -e * rows->u0[row] - solved * size;
        const double rebound = rows->u1[row] + e * rows->u0[row];
        if (stepper->midpoint) {
            if (xi > 1e-10 && xi <= 1e-8) { /* closed to the accuracy of a typed state, or not */
                continue;
            }
            above = xi > 1e-8 ? 0.0 : rebound;
            worst[2] = sb_larger(worst[2], xi > 1e-8 ? nu : 0.0);
        } else if (impact && e > 0.0) {
            above = fmin(above, fmax(rebound, 0.0));
        }
        worst[0] = sb_larger(worst[0], -above / size);
        worst[1] = sb_larger(worst[1], nu > 0.0 ? above / size : -nu);
    }
}

/* |beta| <= mu |lambda| + limit; what slips is at the bound and slips the other way. */
static void friction_laws(const contact_run *r, const contact_rows *rows, double terms, double worst[2]) {
    const sb_contact *c = &r->sys.contact;
    for (int j = 0; j < c->k; j++) {
        const int row = rows->bilateral + c->m + j;
        const double beta = r->now.lambda[row], slip = rows->u1[row] - rows->w[j];
        const double bound = (c->limit != NULL ? c->limit[j] : 0.0) +
                             (c->of[j] >= 0 && c->mu != NULL ? c->mu[j] * fabs(r->now.lambda[c->of[j]]) : 0.0);
        double most = bound;
        for (int i = 0; i < rows->rows; i++) {
            most = fmax(most, fabs(r->now.lambda[i]));
        }
        const double size = rows->size[row] + terms;
        worst[0] = sb_larger(worst[0], most > 0.0 ? (fabs(beta) - bound) / most : 0.0);
        if (fabs(slip) > 1e-9 * size && most > 0.0) {
            worst[1] = sb_larger(worst[1], fabs(beta + copysign(bound, slip)) / most);
        }
    }
}

/* M (v1 - v0) = h (F + C lambda), constant M: lambda is an impulse over h. Returns the work of all of it less the
 * change of kinetic energy, over its terms. */
static double ledger(const contact_run *r, const contact_rows *rows) {
    const sb_system *sys = &r->sys;
    const int n = sys->n;
    double Mx[ENTRIES], change[MOST], speeds[MOST], p[MOST] = {0.0}, size[MOST] = {0.0}, F[MOST], tmp[MOST], work = 0.0,
                                                    kinetic = 0.0, terms = 0.0;
    for (int i = 0; i < n; i++) {
        change[i] = r->now.v[i] - r->before.v[i];
        speeds[i] = fabs(r->now.v[i]) + fabs(r->before.v[i]); /* M is diagonal in these problems */
    }
    if ((sys->inertia.mass(sys->inertia.self, rows->q, Mx) |
         sb_system_force(sys, r->before.t, rows->q, r->before.v, F, tmp)) != SB_OK) {
        return NAN;
    }
    sb_csc_mult_add(&sys->inertia.M, Mx, 1.0, change, p);
    sb_csc_mult_add(&sys->inertia.M, Mx, 1.0, speeds, size);
    for (int i = 0; i < n; i++) {
        const double mean = 0.5 * (r->now.v[i] + r->before.v[i]);
        work += mean * (r->h * F[i] + rows->impulse[i]);
        kinetic += mean * p[i];
        terms += fabs(mean) * (fabs(r->h * F[i]) + rows->terms[i] + size[i]);
    }
    return terms > 0.0 ? fabs(work - kinetic) / terms : 0.0;
}

static void laws(fixture *f, const char *problem, const contact_stepper *stepper) {
    enum { STEPS = 250 };
    contact_run r;
    contact_rows rows;
    double gaps[3] = {0.0}, friction[2] = {0.0}, energy = 0.0;
    int pushing = 0;
    contact_open(&r, f, problem, stepper->spec, 0.004);
    for (int k = 0; k < STEPS && contact_step(&r); k++) {
        contact_evaluate(&r, stepper->midpoint, &rows);
        double terms =
            9.81 *
            r.h; /* of a velocity: gravity's, and the impulses', of masses of 1 kg and inertias not far from 1 kg m^2 */
        for (int i = 0; i < r.sys.n; i++) {
            terms += rows.terms[i];
        }
        gap_laws(&r, stepper, &rows, terms, gaps);
        friction_laws(&r, &rows, terms, friction);
        energy = sb_larger(energy, ledger(&r, &rows));
        pushing += sb_norm_max(rows.rows, r.now.lambda) > 0.0;
    }
    gsl_test(!(gaps[0] <= solved), "%s on %s: no gap closes faster than it may (%.2g)", stepper->spec, problem,
             gaps[0]);
    gsl_test(!(gaps[1] <= solved), "%s on %s: a gap pushes, and never pulls, where its limit is reached (%.2g)",
             stepper->spec, problem, gaps[1]);
    gsl_test(!(gaps[2] == 0.0), "%s on %s: an open gap does not push (%.2g)", stepper->spec, problem, gaps[2]);
    /* friction_tol=1e-10 of the largest bound, and once more for what that changes */
    gsl_test(!(friction[0] <= 2e-10), "%s on %s: friction stays within mu nu (%.2g)", stepper->spec, problem,
             friction[0]);
    gsl_test(!(friction[1] <= 2e-10), "%s on %s: what slips is held back by mu nu (%.2g)", stepper->spec, problem,
             friction[1]);
    gsl_test(!(energy <= 64.0 * DBL_EPSILON),
             "%s on %s: the work of forces and impulses is the change of kinetic energy (%.2g)", stepper->spec, problem,
             energy);
    gsl_test(pushing == 0, "%s on %s: something happens in %d of %d steps", stepper->spec, problem, pushing, STEPS);
}

/* ---- Duplicated rows. ---- */

typedef struct twice {
    sb_contact inner;
    int of[2 * MOST];
    double mu[2 * MOST], e[2 * MOST];
} twice;

static int twice_gap(const void *self, const double *q, double *xi, double *Nx) {
    const sb_contact *c = &((const twice *)self)->inner;
    const int nnz = sb_pattern_nnz(&c->N);
    SB_TRY(c->gap(c->self, q, xi, Nx));
    if (xi != NULL) {
        memcpy(xi + c->m, xi, (size_t)c->m * sizeof *xi);
    }
    if (Nx != NULL) {
        memcpy(Nx + nnz, Nx, (size_t)nnz * sizeof *Nx);
    }
    return SB_OK;
}

static int twice_slip(const void *self, double t, const double *q, double *Dx, double *w) {
    const sb_contact *c = &((const twice *)self)->inner;
    const int nnz = sb_pattern_nnz(&c->D);
    SB_TRY(c->slip(c->self, t, q, Dx, w));
    if (w != NULL) {
        memcpy(w + c->k, w, (size_t)c->k * sizeof *w);
    }
    if (Dx != NULL) {
        memcpy(Dx + nnz, Dx, (size_t)nnz * sizeof *Dx);
    }
    return SB_OK;
}

static int doubled_pattern(sb_arena *arena, const sb_pattern *P, sb_pattern *out) {
    const int nnz = sb_pattern_nnz(P);
    int *p, *i;
    SB_NEW(arena, p, 2 * P->cols + 1);
    SB_NEW(arena, i, 2 * nnz);
    for (int j = 0; j <= P->cols; j++) {
        p[j] = P->p[j];
        p[P->cols + j] = nnz + P->p[j];
    }
    for (int k = 0; k < 2 * nnz; k++) {
        i[k] = P->i[k % nnz];
    }
    *out = (sb_pattern){P->rows, 2 * P->cols, p, i};
    return SB_OK;
}

/* Every gap and every friction row twice, each pair bounded by its own normal force. */
static int double_rows(fixture *f, twice *t, sb_system *sys) {
    const sb_contact *c = &t->inner;
    t->inner = sys->contact;
    sys->contact = (sb_contact){.self = t,
                                .m = 2 * c->m,
                                .k = 2 * c->k,
                                .gap = twice_gap,
                                .slip = c->k > 0 ? twice_slip : NULL,
                                .of = t->of,
                                .mu = t->mu,
                                .restitution = t->e};
    for (int i = 0; i < 2 * c->m; i++) {
        t->e[i] = c->restitution != NULL ? c->restitution[i % c->m] : 0.0;
    }
    for (int j = 0; j < 2 * c->k; j++) {
        t->of[j] = c->of[j % c->k] + (j < c->k ? 0 : c->m);
        t->mu[j] = c->mu[j % c->k];
    }
    SB_TRY(doubled_pattern(&f->arena, &c->N, &sys->contact.N));
    return c->k > 0 ? doubled_pattern(&f->arena, &c->D, &sys->contact.D) : SB_OK;
}

/* The motion is that of the single rows to what the solvers leave, step for step; a pair of forces adds up to the
 * single one's. */
static void duplicates(fixture *f, const char *problem, const char *stepper) {
    enum { STEPS = 150 };
    contact_run one, two;
    twice t;
    double off = 0.0, sum = 0.0, size = 0.0;
    contact_open(&one, f, problem, stepper, 0.004);
    two.sys = one.sys;
    gsl_test(double_rows(f, &t, &two.sys) != SB_OK, "rows are doubled");
    contact_bind(&two, f, stepper, 0.004);
    for (int k = 0; k < STEPS && contact_step(&one) && contact_step(&two); k++) {
        for (int i = 0; i < one.sys.n; i++) {
            off = sb_larger(off, fabs(one.now.v[i] - two.now.v[i]));
            size = fmax(size, fabs(one.now.v[i]) + 9.81 * one.h);
        }
        double single = 0.0, pair = 0.0;
        for (int i = 0; i < one.sys.contact.m; i++) {
            single += one.now.lambda[i];
            pair += two.now.lambda[i] + two.now.lambda[i + one.sys.contact.m];
        }
        sum = sb_larger(sum, fabs(single - pair) / fmax(single, 9.81));
    }
    /* what is left of each step adds up: solver and friction_tol, STEPS times, and its effect on the contacts' order
     * once more */
    gsl_test(!(off <= STEPS * 1e-9 * size), "%s on %s with every row twice: velocities differ by %.2g", stepper,
             problem, off);
    gsl_test(!(sum <= 1e-6), "%s on %s with every row twice: normal forces add up to within %.2g", stepper, problem,
             sum);
}

/* ---- Steps back. ---- */

/* Without contacts and dry friction Moreau's step for theta = 1/2 is a kick in the middle of two drifts, which a step
 * back undoes to round-off: 16 covers the roundings of both. */
static void two_ways(fixture *f, const char *problem) {
    contact_run r;
    sb_state back;
    contact_open(&r, f, problem, "moreau", 0.1);
    int status = sb_state_new(&r.method, &f->arena, &back) | sb_method_step(&r.method, &r.now, 0.1, &r.before);
    status |= sb_method_step(&r.method, &r.before, -0.1, &back);
    gsl_test(status != SB_OK, "moreau steps back on %s (%s)", problem, f->ctx.message);
    for (int i = 0; i < r.sys.n; i++) {
        gsl_test(!(fabs(back.q[i] - r.now.q[i]) <= 16.0 * DBL_EPSILON * (fabs(r.now.q[i]) + 0.1 * fabs(r.now.v[i]))),
                 "moreau on %s: q%d is %.17g again, after %.17g", problem, i, back.q[i], r.now.q[i]);
    }
}

/* A step with contacts or dry friction goes forward, whatever the state and also where nothing touches; the state that
 * was there stays. */
static void one_way(fixture *f, const char *problem, const char *stepper) {
    static const double bad[] = {-0.004, 0.0, NAN};
    contact_run r;
    contact_open(&r, f, problem, stepper, 0.004);
    for (int k = 0; k < 3 && contact_step(&r);) {
        k++;
    }
    sb_state_copy(&r.method, &r.now, &r.before);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const int status = sb_method_step(&r.method, &r.before, bad[i], &r.now);
        gsl_test(status != SB_UNSUPPORTED || strstr(f->ctx.message, "no step back in time") == NULL ||
                     strstr(f->ctx.message, r.sys.name) == NULL,
                 "%s on %s: a step of h = %g is refused: %s", stepper, problem, bad[i], f->ctx.message);
    }
    gsl_test(strstr(f->ctx.message, "above 0, not nan") == NULL, "h is reported: %s", f->ctx.message);
    gsl_test(sb_method_start(&r.method, 0.0, NULL, NULL, -0.004, &r.now) != SB_UNSUPPORTED ||
                 strstr(f->ctx.message, "not -0.004") == NULL,
             "%s on %s: and a start: %s", stepper, problem, f->ctx.message);
    gsl_test(sb_method_step(&r.method, &r.before, 0.004, &r.now) != SB_OK, "%s on %s goes on forward", stepper,
             problem);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    two_ways(&f, "oscillator:omega=1.7,x0=0.4,v0=-2");
    two_ways(&f, "kepler:e=0.3");
    for (int s = 0; s < CONTACT_STEPPERS; s++) {
        const char *stepper = contact_steppers[s].spec;
        for (int p = 0; p < PROBLEMS; p++) {
            laws(&f, problems[p], &contact_steppers[s]);
        }
        one_way(&f, "bouncing_ball", stepper);
        one_way(&f, "block_incline", stepper);
        one_way(&f, "slider_crank:mu=0.3", stepper);
        duplicates(&f, "bouncing_ball", stepper);
        duplicates(&f, "block_incline", stepper);
        duplicates(&f, "block_incline:angle=0.3", stepper);
        duplicates(&f, "stack:n=3,tilt=0.4,mu=0.3", stepper);
    }
    fixture_close(&f);
    return gsl_test_summary();
}
