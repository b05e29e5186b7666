/* Systems of a session: their sizes, terms and runs as arrays. */
#include <stdlib.h>
#include <string.h>

#include "analysis/system/terms.h"
#include "bench/process/meter.h"
#include "bench/session/internal.h"
#include "core/run/build.h"
#include "core/run/run.h"

/* Returns the largest number of values of a term of a system. */
static int term_room(const sb_system *sys) {
    int room = sys->n;
    for (sb_term term = 0; term < SB_TERM_CHART; term++) {
        const int length = sb_term_length(term, sys);
        room = length > room ? length : room;
    }
    return room;
}

int sb_session_system_view(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_session_system *out) {
    out->ctx = ctx;
    out->sys = sys;
    const int room = term_room(sys);
    SB_NEW(arena, out->p, sys->n);
    SB_TRY(SB_VECTORS(arena, room, &out->values, &out->scratch));
    return sb_dynamics_init(ctx, arena, sys, &out->dyn);
}

static int build(sb_session_system *system, const char *problem, int nformulations, const char *const *formulations) {
    sb_context *ctx = &system->session->ctx;
    SB_TRY(sb_system_build(ctx, &system->arena, problem, nformulations, formulations, &system->built));
    return sb_session_system_view(ctx, &system->arena, &system->built, system);
}

sb_session_system *sb_session_system_open(sb_session *session, const char *problem, int nformulations,
                                          const char *const *formulations) {
    sb_session_system *system = calloc(1, sizeof *system);
    if (system == NULL) {
        sb_fail(&session->ctx, SB_NO_MEMORY, "out of memory");
        return NULL;
    }
    system->session = session;
    system->next = session->systems;
    session->systems = system;
    sb_arena_init(&system->arena, &session->ctx);
    const locale_t before = sb_session_call_begin(session);
    const bool listens = sb_session_listen(session);
    const int status = build(system, problem, nformulations, formulations);
    sb_session_listen_end(session, listens);
    if (sb_session_call_end(before, status) != SB_OK) {
        sb_session_system_close(system);
        return NULL;
    }
    return system;
}

void sb_session_system_close(sb_session_system *system) {
    if (system == NULL) {
        return;
    }
    sb_session_system **link = &system->session->systems;
    while (*link != system) {
        link = &(*link)->next;
    }
    *link = system->next;
    sb_arena_free(&system->arena);
    free(system);
}

int sb_session_system_size(const sb_session_system *system, int *coordinates, int *multipliers) {
    *coordinates = system->sys->n;
    *multipliers = sb_system_multipliers(system->sys);
    return SB_OK;
}

static locale_t begin(sb_session_system *system) { return sb_session_call_begin((sb_session *)system->ctx); }

int sb_session_system_initial(sb_session_system *system, double *t, double *q, double *v) {
    const locale_t before = begin(system);
    return sb_session_call_end(before, system->sys->initial(system->sys->self, t, q, v));
}

int sb_session_system_acceleration(sb_session_system *system, double t, const double *q, const double *v, double *a,
                                   double *lambda) {
    const locale_t before = begin(system);
    return sb_session_call_end(before, sb_dynamics_acceleration(&system->dyn, t, q, v, a, lambda));
}

int sb_session_system_energy(sb_session_system *system, double t, const double *q, const double *v, double *kinetic,
                             double *potential) {
    const locale_t before = begin(system);
    return sb_session_call_end(before, sb_dynamics_energy(&system->dyn, t, q, v, kinetic, potential));
}

int sb_session_system_project(sb_session_system *system, double t, const double *q, double *v) {
    const locale_t before = begin(system);
    const int status = sb_dynamics_momentum(&system->dyn, q, v, system->p);
    return sb_session_call_end(before,
                               status == SB_OK ? sb_dynamics_velocity(&system->dyn, t, q, system->p, v, NULL) : status);
}

static int evaluate_term(sb_session_system *system, const char *symbol, double t, const double *q, const double *v,
                         const double *w, int *rows, int *columns, double *out) {
    const sb_system *sys = system->sys;
    const char *known[SB_TERM_CHART];
    sb_term term = 0;
    while (term < SB_TERM_CHART && strcmp(symbol, sb_term_symbol(term)) != 0) {
        known[term] = sb_term_symbol(term);
        term++;
    }
    if (term == SB_TERM_CHART) {
        return sb_fail_name(system->ctx, "no term of a system is named", symbol, SB_TERM_CHART, known,
                            "terms are M, V_q, f, g, G, ...");
    }
    const sb_pattern *pattern = sb_term_pattern(term, sys);
    const int length = sb_term_length(term, sys);
    *rows = pattern == NULL ? length : pattern->rows;
    *columns = pattern == NULL ? 0 : pattern->cols;
    if (out == NULL) {
        return SB_OK;
    }
    const bool weighted = (term == SB_TERM_WEIGHTED_G || term == SB_TERM_CONSTRAINT_QQ) && sys->holonomic.m > 0;
    if (q == NULL || v == NULL || (w == NULL && weighted)) {
        return sb_fail(system->ctx, SB_BAD_USAGE, "the term %s needs %s", symbol,
                       q == NULL || v == NULL ? "q and v" : "weights w, one for each constraint");
    }
    /* A point has arrays that checks move; evaluation only reads them. */
    const sb_term_point point = {
        .sys = sys, .t = t, .q = (double *)q, .v = (double *)v, .w = w, .scratch = system->scratch};
    double *values = pattern == NULL ? out : system->values;
    memset(values, 0, (size_t)length * sizeof *values);
    SB_TRY(sb_term_evaluate(term, &point, 1.0, values));
    if (pattern != NULL) {
        memset(out, 0, (size_t)*rows * (size_t)*columns * sizeof *out);
        for (int j = 0; j < pattern->cols; j++) {
            for (int k = pattern->p[j]; k < pattern->p[j + 1]; k++) {
                out[(size_t)j * (size_t)*rows + (size_t)pattern->i[k]] = values[k];
            }
        }
    }
    return SB_OK;
}

int sb_session_system_term(sb_session_system *system, const char *symbol, double t, const double *q, const double *v,
                           const double *w, int *rows, int *columns, double *out) {
    const locale_t before = begin(system);
    return sb_session_call_end(before, evaluate_term(system, symbol, t, q, v, w, rows, columns, out));
}

/* The arrays of the samples of a run. */
typedef struct record {
    sb_session_system *system;
    double *t, *q, *v, *lambda, *kinetic, *potential;
    long samples;
    sb_meter meter; /* of steps */
} record;

static int keep(void *arg, const sb_sample *sample) {
    record *r = arg;
    const size_t n = (size_t)r->system->sys->n, m = (size_t)sb_system_multipliers(r->system->sys),
                 at = (size_t)r->samples;
    r->t[at] = sample->t;
    memcpy(r->q + at * n, sample->q, n * sizeof(double));
    if (r->v != NULL) {
        memcpy(r->v + at * n, sample->v, n * sizeof(double));
    }
    if (r->lambda != NULL) {
        memcpy(r->lambda + at * m, sample->lambda, m * sizeof(double));
    }
    if (r->kinetic != NULL || r->potential != NULL) {
        SB_TRY(sb_dynamics_energy(&r->system->dyn, sample->t, sample->q, sample->v,
                                  r->kinetic != NULL ? r->kinetic + at : NULL,
                                  r->potential != NULL ? r->potential + at : NULL));
    }
    r->samples++;
    r->meter.done = (double)sample->step;
    return sb_meter_show(&r->meter, "");
}

static int take_steps(record *r, const char *stepper, sb_run *run) {
    sb_context *ctx = r->system->ctx;
    sb_method method;
    SB_SCRATCH(arena, ctx);
    if (!(run->h > 0.0) || !isfinite(run->h) || run->steps < 1 || run->every < 1) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "h=%g, steps=%ld and every=%ld: a run needs a positive finite step and counts of at least 1",
                       run->h, run->steps, run->every);
    }
    if ((run->q0 == NULL) != (run->v0 == NULL)) {
        return sb_fail(ctx, SB_BAD_USAGE, "a start is given by q0 and v0, both or none");
    }
    SB_TRY(sb_method_build(ctx, &arena, stepper, r->system->sys, &method));
    sb_meter_begin(&r->meter, ctx, (double)run->steps);
    r->meter.terminal = false;
    return sb_run_method(&method, run, keep, r);
}

int sb_session_run(sb_session_system *system, const char *stepper, double h, long steps, long every, double t0,
                   const double *q0, const double *v0, double *t, double *q, double *v, double *lambda, double *kinetic,
                   double *potential, long *samples) {
    const locale_t before = begin(system);
    const bool listens = sb_session_listen((sb_session *)system->ctx);
    record r = {.system = system, .t = t, .q = q, .v = v, .lambda = lambda, .kinetic = kinetic, .potential = potential};
    sb_run run = {.h = h, .steps = steps, .every = every, .multipliers = lambda != NULL, .q0 = q0, .v0 = v0, .t0 = t0};
    const int status = take_steps(&r, stepper, &run);
    *samples = r.samples;
    sb_session_listen_end((sb_session *)system->ctx, listens);
    return sb_session_call_end(before, status);
}
