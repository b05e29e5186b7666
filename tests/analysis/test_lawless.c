/* Complementarity, balance and creep of a made-up motion that breaks every law of contact: each number against its
 * definition, summed up from the terms. */
#include <stepbench/numerics/dynamics.h>

#include "analysis/contact/measures.h"
#include "analysis/contact/steps.h"
#include "tests/analysis/fixture.h"

enum { MOST = 32, ENTRIES = MOST * MOST, STEPS = 7 };

static const double h = 0.05;

/* ---- A stepper that goes where it likes. ---- */

static int wander(const sb_method *me, const sb_state *in, double step, sb_state *out) {
    for (int i = 0; i < me->sys->n; i++) {
        out->v[i] = sin(1.0 + 3.0 * i + 60.0 * in->t);
        out->q[i] = in->q[i] + 0.3 * step * in->v[i];
    }
    for (int r = 0; r < sb_system_multipliers(me->sys); r++) {
        out->lambda[r] = 5.0 * sin(2.0 + r + 40.0 * in->t);
    }
    return SB_OK;
}

static int no_work(sb_method *me) {
    me->work = NULL;
    return SB_OK;
}

static const sb_stepper lawless = {
    .entry = {"lawless", "", "", NULL, 0}, .supports = ~0U, .init = no_work, .step = wander};

/* ---- The crank with its guide and its stop, on a belt, held by a constant share as well, and pushed about; all of it
 * moves with time. ---- */

typedef struct driven {
    sb_contact inner;
    double limit[MOST];
    int n;
} driven;

static int driven_gap(const void *self, const double *q, double *xi, double *Nx) {
    const sb_contact *c = &((const driven *)self)->inner;
    return c->gap(c->self, q, xi, Nx);
}

static int driven_slip(const void *self, double t, const double *q, double *Dx, double *w) {
    const sb_contact *c = &((const driven *)self)->inner;
    SB_TRY(c->slip(c->self, t, q, Dx, w));
    for (int j = 0; j < c->k && w != NULL; j++) {
        w[j] = 0.2 + 3.0 * t + j;
    }
    return SB_OK;
}

static int push(const void *self, double t, const double *q, const double *v, double *f) {
    const driven *d = self;
    for (int i = 0; i < d->n; i++) {
        f[i] = (1.0 + t) * (2.0 + i) - q[i] + 0.5 * v[i];
    }
    return SB_OK;
}

static sb_pair make_up(fixture *f, const char *problem, driven *d, sb_system *sys) {
    sb_pair pair = pair_of(f, problem, "reg");
    *sys = *pair.sys;
    d->inner = sys->contact;
    d->n = sys->n;
    sys->contact.self = d;
    sys->contact.gap = d->inner.gap != NULL ? driven_gap : NULL;
    sys->contact.slip = driven_slip;
    sys->contact.limit = d->limit;
    sys->force = (sb_force){.self = d, .value = push};
    for (int j = 0; j < sys->contact.k; j++) {
        d->limit[j] = 0.1 + 0.05 * j;
    }
    pair.sys = sys;
    pair.type = &lawless;
    pair.stepper = "lawless";
    return pair;
}

/* ---- Definitions. ---- */

typedef struct sums {
    const sb_system *sys;
    double at;
    int first; /* of the steps that count for creep */
    double penetration, adhesion, product, cone, driving, normal;
    double group[4]; /* work of holonomic and nonholonomic rows, gaps, friction; of the forces in the last */
    double slip[MOST], beta[MOST], size;
    sb_dynamics *dyn;
    double start, end;
} sums;

/* C_i . x of column i. */
static double dot(const sb_pattern *P, const double *values, int i, const double *x) {
    double sum = 0.0;
    for (int k = P->p[i]; k < P->p[i + 1]; k++) {
        sum += values[k] * x[P->i[k]];
    }
    return sum;
}

static double energy(sums *s, const double *q, const double *v) {
    double T = 0.0, V = 0.0;
    gsl_test(sb_dynamics_energy(s->dyn, 0.0, q, v, &T, &V) != SB_OK, "energy");
    s->size = fmax(s->size, fabs(T) + fabs(V));
    return T + V;
}

static int observe(void *arg, const sb_step *step) {
    sums *s = arg;
    const sb_system *sys = s->sys;
    const sb_contact *c = &sys->contact;
    const int n = sys->n, m = sys->holonomic.m, bilateral = sb_system_bilateral(sys), friction = bilateral + c->m;
    double q[MOST], mean[MOST], Gx[ENTRIES], Ax[ENTRIES], Nx[ENTRIES], Dx[ENTRIES], xi[MOST], w[MOST], f[MOST],
        force = 0.0;
    const double t = step->t - h;
    for (int i = 0; i < n; i++) {
        q[i] = step->q0[i] + s->at * h * step->v0[i];
        mean[i] = 0.5 * (step->v0[i] + step->v1[i]);
    }
    int status = m > 0 ? sb_holonomic_value(sys, 0.0, q, NULL, Gx) : SB_OK;
    status |= bilateral > m ? sys->nonholonomic.value(sys->nonholonomic.self, t, q, Ax, NULL) : SB_OK;
    status |= c->m > 0 ? c->gap(c->self, q, NULL, Nx) | c->gap(c->self, step->q1, xi, NULL) : SB_OK;
    status |= c->slip(c->self, t, q, Dx, w) | sys->force.value(sys->force.self, t, q, step->v0, f);
    gsl_test(status != SB_OK, "terms");
    if (step->number == 1) {
        s->start = energy(s, step->q0, step->v0);
    }
    s->end = energy(s, step->q1, step->v1);
    for (int r = 0; r < sb_system_multipliers(sys); r++) {
        const double rate = r < m           ? dot(&sys->holonomic.G, Gx, r, mean)
                            : r < bilateral ? dot(&sys->nonholonomic.A, Ax, r - m, mean)
                            : r < friction  ? dot(&c->N, Nx, r - bilateral, mean)
                                            : dot(&c->D, Dx, r - friction, mean);
        const double work = h * step->lambda[r] * rate;
        near(step->work[r], work, 1e-13 * (1.0 + fabs(work)), "work of a row");
        s->group[r < bilateral ? 0 : r < friction ? 1 : 2] += work;
    }
    for (int i = 0; i < n; i++) {
        force += h * f[i] * mean[i];
    }
    near(step->force, force, 1e-12, "work of forces");
    s->group[3] += force;
    for (int i = 0; i < c->m; i++) {
        const double nu = step->lambda[bilateral + i];
        near(step->gap[i], xi[i], 1e-14, "a gap at the end");
        s->penetration = fmax(s->penetration, -xi[i]);
        s->adhesion = fmax(s->adhesion, -nu);
        s->product = xi[i] > 0.0 ? fmax(s->product, h * nu * xi[i]) : s->product;
        s->normal = fmax(s->normal, nu);
    }
    for (int j = 0; j < c->k; j++) {
        const double beta = step->lambda[friction + j], slip = dot(&c->D, Dx, j, step->v1) - w[j];
        const double bound = c->limit[j] + (c->of[j] >= 0 ? c->mu[j] * fabs(step->lambda[c->of[j]]) : 0.0);
        near(step->slip[j], slip, 1e-13, "a slip, the belt's speed off");
        near(step->bound[j], bound, 1e-14 * bound, "a bound");
        s->cone = fmax(s->cone, fabs(beta) - bound);
        s->driving = fmax(s->driving, beta * slip);
        s->slip[j] += step->number > s->first ? slip / (STEPS - s->first) : 0.0;
        s->beta[j] += step->number > s->first ? beta / (STEPS - s->first) : 0.0;
    }
    return SB_OK;
}

static void measured(fixture *f, const char *problem, double at) {
    driven d;
    sb_system sys;
    sb_dynamics dyn;
    const sb_pair pair = make_up(f, problem, &d, &sys);
    sums s = {.sys = &sys, .at = at, .first = STEPS / 2, .dyn = &dyn};
    int status = sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn);
    status = status == SB_OK ? sb_steps_observe(&f->ctx, &f->arena, &pair, h, STEPS, at, observe, &s) : status;
    gsl_test(status != SB_OK, "%s wanders: %s", problem, status == SB_OK ? "it does" : f->ctx.message);
    sb_balance b;
    gsl_test(sb_balance_measure(&f->ctx, &f->arena, &pair, h, STEPS, at, &b) != SB_OK, "balance");
    const double tol = 1e-12 * s.size;
    near(b.constraints, -s.group[0], tol, "constraints");
    near(b.contacts, -s.group[1], tol, "contacts");
    near(b.friction, -s.group[2], tol, "friction");
    near(b.forces, -s.group[3], tol, "forces");
    near(b.lost, s.start - s.end, tol, "lost");
    near(b.defect, s.start - s.end + s.group[0] + s.group[1] + s.group[2] + s.group[3], tol,
         "the defect is what the four leave");
    near(b.size, s.size, tol, "size");
    if (at != 0.0) {
        return; /* the others take the rows where a step begins */
    }
    sb_complementarity x;
    gsl_test(sb_complementarity_measure(&f->ctx, &f->arena, &pair, h, STEPS, &x) != SB_OK, "complementarity");
    near(x.penetration, s.penetration, 1e-13, "penetration");
    near(x.adhesion, s.adhesion, 1e-13, "adhesion");
    near(x.product, s.product, 1e-13, "product");
    near(x.cone, s.cone, 1e-13, "cone");
    near(x.driving, s.driving, 1e-12, "driving");
    near(x.normal, s.normal, 1e-13, "normal");
    gsl_test(sys.contact.m > 0 && !(s.adhesion > 1.0 && s.normal > 1.0), "%s: something to measure on gaps", problem);
    gsl_test(!(s.cone > 0.1 && s.driving > 0.1), "%s: something to measure on friction", problem);
    sb_creep creep;
    gsl_test(sb_creep_measure(&f->ctx, &f->arena, &pair, h, STEPS, &creep) != SB_OK, "creep");
    int fastest = 0;
    for (int j = 1; j < sys.contact.k; j++) {
        fastest = fabs(s.slip[j]) > fabs(s.slip[fastest]) ? j : fastest;
    }
    near(creep.speed, fabs(s.slip[fastest]), 1e-13, "speed of the row that creeps fastest");
    near(creep.force, fabs(s.beta[fastest]), 1e-13, "its force");
}

int main(void) {
    static const char *const problems[] = {"slider_crank:mu=0.3,drive=none,phi0=1.5,stop=2.5", "slider_crank:mu=0.3",
                                           "stack:n=2,tilt=0.2"};
    fixture f;
    fixture_init(&f);
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        measured(&f, problems[i], 0.0);
        measured(&f, problems[i], 0.5);
    }
    fixture_free(&f);
    return gsl_test_summary();
}
