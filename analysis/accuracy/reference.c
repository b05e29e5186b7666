/* Reference trajectories at equidistant times: exact, from a file, or from a stepper with a small step or tolerance. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>

#include "analysis/accuracy/reference.h"
#include "analysis/vary.h"
#include "core/base/params.h"
#include "core/base/text.h"
#include "core/run/build.h"
#include "core/run/solution.h"

/* The relative tolerance of a step is about 500 times the unit round-off. With a smaller one, round-off in the 13
 * stages would determine the step. */
#define REFERENCE_GSL "odeiv2:method=rk8pd,rtol=1e-13"

static int reference_new(sb_arena *arena, const sb_system *sys, double t0, double dt, long count, sb_reference *out) {
    *out = (sb_reference){.n = sys->n, .m = sb_system_multipliers(sys), .count = count, .t0 = t0, .dt = dt};
    SB_TRY(SB_VECTORS(arena, (size_t)count * (size_t)out->n, &out->q, &out->v));
    SB_NEW(arena, out->lambda, (size_t)count * (size_t)out->m);
    SB_NEW(arena, out->energy, count);
    return SB_OK;
}

double sb_distance_2(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double d = b != NULL ? a[i] - b[i] : a[i];
        sum += d * d;
    }
    return sqrt(sum);
}

void sb_reference_errors(const sb_reference *a, const sb_reference *b, double error[SB_ERR_COUNT]) {
    const int n = a->n, m = a->m;
    for (int k = 0; k < SB_ERR_COUNT; k++) {
        error[k] = k <= SB_ERR_ENERGY ? 0.0 : NAN;
    }
    for (long j = 0; j < a->count; j++) {
        error[SB_ERR_Q] = sb_larger(error[SB_ERR_Q], sb_distance_2(n, a->q + j * n, b->q + j * n));
        error[SB_ERR_V] = sb_larger(error[SB_ERR_V], sb_distance_2(n, a->v + j * n, b->v + j * n));
        error[SB_ERR_LAMBDA] = sb_larger(error[SB_ERR_LAMBDA], sb_distance_2(m, a->lambda + j * m, b->lambda + j * m));
        error[SB_ERR_ENERGY] = sb_larger(error[SB_ERR_ENERGY], fabs(a->energy[j] - b->energy[j]));
    }
}

void sb_reference_change(const sb_reference *run, double *last, double *q, double *v) {
    const int n = run->n;
    *q = *v = 0.0;
    for (long j = 0; j < run->count; j++, last += 2 * n) {
        *q = sb_larger(*q, sb_distance_2(n, run->q + j * n, last));
        *v = sb_larger(*v, sb_distance_2(n, run->v + j * n, last + n));
        memcpy(last, run->q + j * n, (size_t)n * sizeof *last);
        memcpy(last + n, run->v + j * n, (size_t)n * sizeof *last);
    }
}

/* Computes the energies and sizes from q and v. Multipliers of redundant rows become those of least norm, which the
 * motion determines. */
static int complete(sb_context *ctx, sb_dynamics *dyn, sb_reference *ref) {
    double *a;
    SB_SCRATCH(scratch, ctx);
    SB_NEW(&scratch, a, ref->n);
    for (long j = 0; j < ref->count; j++) {
        double kinetic, potential;
        const double t = ref->t0 + (double)(j + 1) * ref->dt, *q = ref->q + j * ref->n, *v = ref->v + j * ref->n;
        if ((dyn->sys->flags & (unsigned)SB_HAS_REDUNDANT) != 0 && ref->m == sb_system_bilateral(dyn->sys)) {
            SB_TRY(sb_dynamics_acceleration(dyn, t, q, v, a, NULL));
            SB_TRY(sb_dynamics_least_norm(dyn, ref->lambda + j * ref->m));
        }
        SB_TRY(sb_dynamics_energy(dyn, t, q, v, &kinetic, &potential));
        ref->energy[j] = kinetic + potential;
        ref->size_q = sb_larger(ref->size_q, sb_distance_2(ref->n, q, NULL));
        ref->size_v = sb_larger(ref->size_v, sb_distance_2(ref->n, v, NULL));
        ref->size_lambda = sb_larger(ref->size_lambda, sb_distance_2(ref->m, ref->lambda + j * ref->m, NULL));
        ref->size_energy = sb_larger(ref->size_energy, fabs(kinetic) + fabs(potential));
    }
    return SB_OK;
}

/* Sets ref->response from an acceleration of norm 1 in a direction in which no problem is symmetric. */
static int measure_response(sb_arena *arena, sb_dynamics *dyn, double t, const double *q, sb_reference *ref) {
    double *a, *p, *mu;
    if (sb_system_bilateral(dyn->sys) == 0) {
        return SB_OK;
    }
    SB_TRY(SB_VECTORS(arena, ref->n, &a, &p));
    SB_NEW(arena, mu, sb_system_bilateral(dyn->sys));
    for (int i = 0; i < ref->n; i++) {
        a[i] = sqrt(2.0 / ref->n) * cos(2.4 * i + 1.0);
    }
    SB_TRY(sb_dynamics_momentum(dyn, q, a, p));
    SB_TRY(sb_dynamics_tangent(dyn, t, q, p, a, mu));
    ref->response = sb_distance_2(sb_system_bilateral(dyn->sys), mu, NULL);
    return SB_OK;
}

/* ---- exact ---- */

static int fill_exact(sb_context *ctx, const sb_system *sys, sb_reference *ref) {
    for (long j = 0; j < ref->count; j++) {
        SB_TRY(sb_poll(ctx));
        const double t = ref->t0 + (double)(j + 1) * ref->dt;
        SB_TRY(sys->exact(sys->self, t, ref->q + j * ref->n, ref->v + j * ref->n,
                          ref->m > 0 ? ref->lambda + j * ref->m : NULL));
    }
    return SB_OK;
}

/* ---- a stepper ---- */

static int record(void *arg, const sb_sample *sample) {
    sb_reference *ref = arg;
    const long j = lround((sample->t - ref->t0) / ref->dt) - 1;
    if (sample->step == 0 || j < 0 || j >= ref->count) {
        return SB_OK;
    }
    memcpy(ref->q + j * ref->n, sample->q, (size_t)ref->n * sizeof(double));
    memcpy(ref->v + j * ref->n, sample->v, (size_t)ref->n * sizeof(double));
    if (ref->m > 0) {
        memcpy(ref->lambda + j * ref->m, sample->lambda, (size_t)ref->m * sizeof(double));
    }
    return SB_OK;
}

int sb_reference_run(sb_context *ctx, sb_arena *arena, sb_method *me, double h, const sb_reference *like,
                     sb_reference *out) {
    long every, total;
    sb_dynamics dyn;
    SB_TRY(reference_new(arena, me->sys, like->t0, like->dt, like->count, out));
    SB_TRY(sb_dynamics_init(ctx, arena, me->sys, &dyn));
    SB_TRY(sb_steps(ctx, out->dt, h, SB_STEPS_EXACT, &every));
    SB_TRY(sb_steps(ctx, (double)out->count * out->dt, h, SB_STEPS_UP, &total));
    sb_run run = {.h = h, .steps = every * out->count, .every = every, .multipliers = out->m > 0};
    SB_TRY(sb_run_method(me, &run, record, out));
    return complete(ctx, &dyn, out);
}

static int by_stepper(sb_context *ctx, sb_arena *arena, sb_method *me, double h, sb_reference *ref) {
    sb_reference coarse;
    const sb_reference like = *ref;
    SB_TRY(sb_reference_run(ctx, arena, me, h, &like, ref));
    SB_TRY(sb_reference_run(ctx, arena, me, 2.0 * h, &like, &coarse));
    sb_reference_errors(ref, &coarse, ref->floor);
    for (int k = 0; k < SB_ERR_COUNT; k++) {
        ref->floor[k] /= pow(2.0, sb_stepper_order(me->type, me->config, me->sys->flags)) - 1.0;
    }
    return SB_OK;
}

/* Runs a stepper with error control with its tolerance and with ten times that. */
static int by_tolerance(sb_context *ctx, sb_arena *arena, sb_method *me, sb_reference *ref) {
    sb_reference coarse;
    sb_method other;
    const void *config;
    const char *const name = me->type->control.tolerance;
    const double tolerance =
        *(const double *)((const char *)me->config + sb_param_find(&me->type->entry, name)->offset);
    const sb_reference like = *ref;
    SB_TRY(sb_reference_run(ctx, arena, me, ref->dt, &like, ref));
    SB_TRY(sb_config_vary(ctx, arena, &me->type->entry, me->config, name, 10.0 * tolerance, &config));
    SB_TRY(sb_method_init(ctx, arena, me->type, config, me->sys, &other));
    SB_TRY(sb_reference_run(ctx, arena, &other, ref->dt, &like, &coarse));
    sb_reference_errors(ref, &coarse, ref->floor);
    return SB_OK;
}

static int by_gsl(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_reference *ref) {
    char why[SB_MESSAGE_MAX];
    sb_method me;
    SB_TRY(sb_method_build(ctx, arena, REFERENCE_GSL, sys, &me));
    const int status = by_tolerance(ctx, arena, &me, ref);
    if (status <= 0) {
        return status;
    }
    memcpy(why, ctx->message, sizeof why);
    return sb_fail(ctx, status,
                   "no reference by GSL's rk8pd: %.800s; end the run before, or use reference=finest or a stepper",
                   why);
}

/* ---- A file. ---- */

/* The relative error of the energy is at most about twice that of the velocity. */
static int by_file(sb_context *ctx, sb_arena *arena, const char *file, const char *problem, sb_dynamics *dyn,
                   sb_reference *ref) {
    sb_solution s;
    long every;
    SB_TRY(sb_solution_read(ctx, arena, problem, dyn->sys, file, &s));
    SB_TRY(sb_solution_every(ctx, &s, file, ref->dt, ref->count, &every));
    for (long j = 0; j < ref->count; j++) {
        const long k = (j + 1) * every;
        memcpy(ref->q + j * ref->n, s.q + k * s.n, (size_t)s.n * sizeof(double));
        memcpy(ref->v + j * ref->n, s.v + k * s.n, (size_t)s.n * sizeof(double));
        memcpy(ref->lambda + j * ref->m, s.lambda + k * s.m, (size_t)s.m * sizeof(double));
    }
    SB_TRY(complete(ctx, dyn, ref));
    ref->floor[SB_ERR_Q] = s.bound[SB_SOLUTION_Q];
    ref->floor[SB_ERR_V] = s.bound[SB_SOLUTION_V];
    ref->floor[SB_ERR_LAMBDA] = s.m > 0 ? s.bound[SB_SOLUTION_LAMBDA] : 0.0;
    ref->floor[SB_ERR_ENERGY] = ref->size_v > 0.0 ? 2.0 * ref->size_energy * s.bound[SB_SOLUTION_V] / ref->size_v : 0.0;
    return SB_OK;
}

int sb_reference_samples(sb_context *ctx, sb_arena *arena, const char *kind, const sb_pair *pair, double *dt,
                         double *duration) {
    sb_solution s = {0};
    if (sb_ends_with(kind, ".json")) {
        SB_TRY(sb_solution_read(ctx, arena, pair->problem, pair->sys, kind, &s));
    }
    *dt = s.dt;
    *duration = (double)s.count * s.dt;
    return SB_OK;
}

/* Computes a reference of this kind, which is not auto. */
static int make(sb_context *ctx, sb_arena *arena, const char *kind, const sb_pair *pair, double dt, long count,
                double h_ref, sb_reference *out) {
    const sb_system *sys = pair->sys;
    double t0, *q, *v;
    SB_TRY(SB_VECTORS(arena, sys->n, &q, &v));
    sb_dynamics dyn;
    SB_TRY(sys->initial(sys->self, &t0, q, v));
    SB_TRY(reference_new(arena, sys, t0, dt, count, out));
    SB_TRY(sb_dynamics_init(ctx, arena, sys, &dyn));
    const bool contacts = sys->contact.m + sys->contact.k > 0;
    if (strcmp(kind, "gsl") == 0 && contacts) {
        return sb_fail(
            ctx, SB_UNSUPPORTED,
            "GSL's rk8pd takes no contacts and no dry friction, which %s has; use reference=exact, finest or a stepper",
            sys->name);
    }
    if (strcmp(kind, "exact") == 0 && sys->exact == NULL) {
        return sb_fail(ctx, SB_UNSUPPORTED, "%s has no exact solution; use reference=gsl, finest or a stepper",
                       sys->name);
    }
    if (strcmp(kind, "exact") == 0) {
        SB_TRY(fill_exact(ctx, sys, out));
        SB_TRY(complete(ctx, &dyn, out));
    } else if (strcmp(kind, "gsl") == 0) {
        SB_TRY(by_gsl(ctx, arena, sys, out));
    } else if (sb_ends_with(kind, ".json")) {
        SB_TRY(by_file(ctx, arena, kind, pair->problem, &dyn, out));
    } else {
        sb_method method = {0};
        SB_TRY(strcmp(kind, "finest") == 0 ? sb_method_init(ctx, arena, pair->type, pair->config, sys, &method)
                                           : sb_method_build(ctx, arena, kind, sys, &method));
        SB_TRY(method.type->control.tolerance != NULL ? by_tolerance(ctx, arena, &method, out)
                                                      : by_stepper(ctx, arena, &method, h_ref, out));
    }
    return measure_response(arena, &dyn, t0, q, out);
}

/* A reference that does not depend on the stepper of a pair. */
typedef struct sb_shared_reference {
    bool exact; /* else of GSL */
    sb_reference reference;
    struct sb_shared_reference *next;
} shared;

int sb_reference_make(sb_context *ctx, sb_arena *arena, const char *kind, const sb_pair *pair, double dt, long count,
                      double h_ref, sb_reference *out) {
    const sb_system *sys = pair->sys;
    if (strcmp(kind, "auto") == 0) {
        kind = sys->exact != NULL ? "exact" : sys->contact.m + sys->contact.k > 0 ? "finest" : "gsl";
    }
    const bool exact = strcmp(kind, "exact") == 0;
    if (pair->references == NULL || !(exact || strcmp(kind, "gsl") == 0)) {
        return make(ctx, arena, kind, pair, dt, count, h_ref, out);
    }
    shared *known = pair->references->list;
    while (known != NULL && !(known->exact == exact && known->reference.dt == dt && known->reference.count == count)) {
        known = known->next;
    }
    if (known == NULL) {
        SB_NEW(pair->references->arena, known, 1);
        SB_TRY(make(ctx, pair->references->arena, kind, pair, dt, count, h_ref, &known->reference));
        known->exact = exact;
        known->next = pair->references->list;
        pair->references->list = known;
    }
    *out = known->reference;
    return SB_OK;
}

/* ---- Compliant constraints. ---- */

static double compliance_of(const sb_stepper *type, const void *config) {
    return *(const double *)((const char *)config + sb_param_find(&type->entry, type->compliance)->offset);
}

double sb_reference_compliance(const sb_pair *pair) {
    const sb_holonomic *holonomic = &pair->sys->holonomic;
    return pair->type->compliance != NULL && holonomic->m > 0 && holonomic->eps == NULL
               ? compliance_of(pair->type, pair->config)
               : 0.0;
}

/* Sets the multipliers -g/eps of a motion with compliant constraints, and the energies and sizes without the energy of
 * the compliance, which a run does not report either. */
static int rewrite(sb_context *ctx, sb_arena *arena, const sb_system *sys, double eps, sb_reference *ref) {
    sb_dynamics dyn;
    const int m = sb_system_multipliers(sys);
    ref->m = m;
    SB_NEW(arena, ref->lambda, (size_t)ref->count * (size_t)m);
    SB_TRY(sb_dynamics_init(ctx, arena, sys, &dyn));
    for (long j = 0; j < ref->count; j++) {
        double *lambda = ref->lambda + j * m;
        SB_TRY(sb_holonomic_value(sys, ref->t0 + (double)(j + 1) * ref->dt, ref->q + j * ref->n, lambda, NULL));
        for (int i = 0; i < sys->holonomic.m; i++) {
            lambda[i] /= -eps;
        }
    }
    ref->size_q = ref->size_v = ref->size_lambda = ref->size_energy = 0.0;
    SB_TRY(complete(ctx, &dyn, ref));
    ref->floor[SB_ERR_LAMBDA] = ref->floor[SB_ERR_Q] / eps;
    return SB_OK;
}

int sb_reference_compliant(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double dt, long count, double h,
                           bool *made, sb_reference *out) {
    const double eps = sb_reference_compliance(pair);
    char formulation[64];
    sb_system *soft;
    *made = false;
    SB_NEW(arena, soft, 1);
    snprintf(formulation, sizeof formulation, "penalty:eps=%.17g", eps);
    const int status = sb_system_reformulate(ctx, arena, formulation, pair->sys, soft);
    if (status == SB_UNSUPPORTED ||
        (status == SB_OK && !(h * dt * (double)count <= soft->time_scale * soft->time_scale))) {
        return SB_OK;
    }
    SB_TRY(status);
    sb_pair reformulated = *pair;
    reformulated.sys = soft;
    reformulated.references = NULL;
    SB_TRY(sb_reference_make(ctx, arena, "gsl", &reformulated, dt, count, h, out));
    *made = true;
    return rewrite(ctx, arena, pair->sys, eps, out);
}

int sb_reference_compliance_effect(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h,
                                   const sb_reference *like, double effect[SB_ERR_COUNT]) {
    const void *rigid;
    sb_method method;
    sb_reference with, without;
    /* Redundant constraints need a compliance; its effect is linear in it. */
    const double share = (pair->sys->flags & (unsigned)SB_HAS_REDUNDANT) != 0 ? 0.125 : 0.0;
    SB_TRY(sb_config_vary(ctx, arena, &pair->type->entry, pair->config, pair->type->compliance,
                          share * sb_reference_compliance(pair), &rigid));
    SB_TRY(sb_method_init(ctx, arena, pair->type, rigid, pair->sys, &method));
    SB_TRY(sb_reference_run(ctx, arena, &method, h, like, &without));
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &method));
    SB_TRY(sb_reference_run(ctx, arena, &method, h, like, &with));
    sb_reference_errors(&with, &without, effect);
    for (int k = 0; k < SB_ERR_COUNT; k++) {
        effect[k] /= 1.0 - share;
    }
    return SB_OK;
}
