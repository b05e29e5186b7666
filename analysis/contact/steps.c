/* The steps of a run, each with the work of forces and multipliers. */
#include <string.h>

#include "analysis/contact/forces.h"
#include "analysis/contact/steps.h"

typedef struct steps {
    const sb_system *sys;
    double h, at;
    sb_motion_forces *forces; /* NULL: the stepper reports lambda */
    double *lambda, *q0, *v0, *q, *mean, *Cx, *rate, *w, *work, *gap, *slip, *bound, *f;
    sb_step_observer observe;
    void *arg;
} steps;

/* Computes the work of the rows of one pattern. */
static void work_of(steps *s, const sb_pattern *C, int first, const double *lambda) {
    sb_csc_mult_t(C, s->Cx, s->mean, s->rate);
    for (int i = 0; i < C->cols; i++) {
        s->work[first + i] = s->h * lambda[first + i] * s->rate[i];
    }
}

static int rows_at(steps *s, double t, const double *lambda) {
    const sb_system *sys = s->sys;
    const int m = sys->holonomic.m, gaps = sb_system_bilateral(sys), friction = gaps + sys->contact.m;
    if (m > 0) {
        SB_TRY(sb_holonomic_value(sys, t, s->q, NULL, s->Cx));
        work_of(s, &sys->holonomic.G, 0, lambda);
    }
    if (sys->nonholonomic.m > 0) {
        SB_TRY(sys->nonholonomic.value(sys->nonholonomic.self, t, s->q, s->Cx, NULL));
        work_of(s, &sys->nonholonomic.A, m, lambda);
    }
    if (sys->contact.m > 0) {
        SB_TRY(sys->contact.gap(sys->contact.self, s->q, NULL, s->Cx));
        work_of(s, &sys->contact.N, gaps, lambda);
    }
    if (sys->contact.k > 0) {
        SB_TRY(sys->contact.slip(sys->contact.self, t, s->q, s->Cx, s->w));
        work_of(s, &sys->contact.D, friction, lambda);
    }
    return SB_OK;
}

/* Computes slip and bounds of friction. s->Cx holds the values of D. */
static void friction(steps *s, const double *v1, const double *lambda) {
    const sb_contact *c = &s->sys->contact;
    sb_csc_mult_t(&c->D, s->Cx, v1, s->slip);
    for (int j = 0; j < c->k; j++) {
        s->slip[j] -= s->w[j];
        s->bound[j] = (c->limit != NULL ? c->limit[j] : 0.0) +
                      (c->of[j] >= 0 && c->mu != NULL ? c->mu[j] * fabs(lambda[c->of[j]]) : 0.0);
    }
}

static int observe(void *arg, const sb_sample *sample) {
    steps *s = arg;
    const sb_system *sys = s->sys;
    const sb_state *now = sample->state;
    const size_t bytes = (size_t)sys->n * sizeof(double);
    double force = 0.0;
    if (sample->step > 0) {
        const double t0 = sample->t - s->h, *lambda = now->lambda, *v1 = now->v;
        if (s->forces != NULL) {
            SB_TRY(sb_motion_forces_find(s->forces, t0, s->h, s->q0, s->v0, now->q, now->v, s->lambda));
            lambda = s->lambda;
            v1 = s->forces->v;
        }
        for (int i = 0; i < sys->n; i++) {
            s->q[i] = s->q0[i] + s->at * s->h * s->v0[i];
            s->mean[i] = 0.5 * (s->v0[i] + v1[i]);
        }
        SB_TRY(rows_at(s, t0, lambda));
        if (sys->contact.k > 0) {
            friction(s, v1, lambda);
        }
        if (sys->contact.m > 0) {
            SB_TRY(sys->contact.gap(sys->contact.self, now->q, s->gap, NULL));
        }
        SB_TRY(sb_potential_rate(sys, t0, s->q, &force));
        force *= s->h;
        if (sys->force.value != NULL) {
            SB_TRY(sys->force.value(sys->force.self, t0, s->q, s->v0, s->f));
            for (int i = 0; i < sys->n; i++) {
                force += s->h * s->f[i] * s->mean[i];
            }
        }
        const sb_step step = {sys,    sample->step, sample->t, s->h,  s->q0,  s->v0,   now->q,
                              now->v, lambda,       s->work,   force, s->gap, s->slip, s->bound};
        SB_TRY(s->observe(s->arg, &step));
    }
    memcpy(s->q0, now->q, bytes);
    memcpy(s->v0, now->v, bytes);
    return SB_OK;
}

static int prepare(sb_context *ctx, sb_arena *arena, const sb_pair *pair, steps *s) {
    const sb_system *sys = pair->sys;
    const sb_pattern *patterns[] = {&sys->holonomic.G, &sys->nonholonomic.A, &sys->contact.N, &sys->contact.D};
    int most = 0;
    for (int i = 0; i < 4; i++) {
        const int nnz = sb_pattern_nnz(patterns[i]);
        most = nnz > most ? nnz : most;
    }
    const int rows = sb_system_multipliers(sys);
    SB_TRY(SB_VECTORS(arena, sys->n, &s->q0, &s->v0, &s->q, &s->mean, &s->f));
    SB_NEW(arena, s->Cx, most);
    SB_TRY(SB_VECTORS(arena, rows, &s->rate, &s->work, &s->lambda));
    SB_NEW(arena, s->gap, sys->contact.m);
    SB_TRY(SB_VECTORS(arena, sys->contact.k, &s->w, &s->slip, &s->bound));
    if (!pair->type->uncounted) {
        return SB_OK;
    }
    SB_NEW(arena, s->forces, 1);
    return sb_motion_forces_init(ctx, arena, sys, s->forces);
}

int sb_steps_observe(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long count, double at,
                     sb_step_observer callback, void *arg) {
    steps s = {.sys = pair->sys, .h = h, .at = at, .observe = callback, .arg = arg};
    SB_TRY(prepare(ctx, arena, pair, &s));
    return sb_pair_run(ctx, arena, pair, h, count, observe, &s);
}
