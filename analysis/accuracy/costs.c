/* Measures the processor time of an evaluation of each kind on a problem. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stepbench/numerics/mass.h>
#include <stepbench/numerics/saddle.h>

#include "analysis/accuracy/work.h"
#include "analysis/system/terms.h"
#include "analysis/timing.h"

enum { FORCE, HESSIAN, CONSTRAINT, MASS, FACTOR, MOST_TERMS = 8 };

/* The terms that core/run/counting.c counts for each kind. */
static const struct {
    int count;
    sb_term terms[MOST_TERMS];
} kinds[FACTOR] = {
    [FORCE] = {2, {SB_TERM_POTENTIAL_Q, SB_TERM_FORCE}},
    [HESSIAN] = {8,
                 {SB_TERM_KINETIC_QQ, SB_TERM_POTENTIAL_QQ, SB_TERM_STIFFNESS, SB_TERM_FORCE_Q, SB_TERM_CONSTRAINT_QQ,
                  SB_TERM_CURVATURE, SB_TERM_PFAFFIAN_RATE, SB_TERM_PFAFFIAN_Q}},
    [CONSTRAINT] = {3, {SB_TERM_CONSTRAINT, SB_TERM_JACOBIAN, SB_TERM_PFAFFIAN}},
    [MASS] = {1, {SB_TERM_MASS}},
};

/* The terms of one kind that a system has; a job evaluates each of them once. */
typedef struct batch {
    const sb_term_point *at;
    int count;
    sb_term terms[MOST_TERMS];
    double *out;
} batch;

static int evaluate(void *arg) {
    const batch *me = arg;
    for (int k = 0; k < me->count; k++) {
        SB_TRY(sb_term_evaluate(me->terms[k], me->at, 1.0, me->out));
    }
    return SB_OK;
}

static int factor(void *arg) { return sb_saddle_factor(arg); }

/* Sets the point to the initial state, with weights 1. */
static int point_init(sb_arena *arena, const sb_system *sys, sb_term_point *p) {
    double *w;
    *p = (sb_term_point){.sys = sys};
    SB_TRY(SB_VECTORS(arena, sys->n, &p->q, &p->v));
    SB_NEW(arena, w, sys->holonomic.m);
    for (int i = 0; i < sys->holonomic.m; i++) {
        w[i] = 1.0;
    }
    p->w = w;
    return sys->initial(sys->self, &p->t, p->q, p->v);
}

static int batch_init(sb_arena *arena, const sb_term_point *at, int kind, batch *out) {
    int longest = 0;
    *out = (batch){.at = at};
    for (int k = 0; k < kinds[kind].count; k++) {
        const sb_term term = kinds[kind].terms[k];
        const int length = sb_term_length(term, at->sys);
        if (sb_term_given(term, at->sys) && length > 0) {
            out->terms[out->count++] = term;
            longest = length > longest ? length : longest;
        }
    }
    SB_NEW(arena, out->out, longest);
    return SB_OK;
}

/* Prepares [M, C; C', -1], which has the pattern of the matrices of implicit and constrained steps. The block -1 keeps
 * it regular where constraints are redundant. */
static int saddle_init(sb_context *ctx, sb_arena *arena, const sb_term_point *at, sb_saddle *out) {
    const sb_system *sys = at->sys;
    const int rows = sb_system_bilateral(sys), holonomic = sb_pattern_nnz(&sys->holonomic.G);
    double *Cx, *E;
    sb_mass mass;
    SB_TRY(sb_saddle_init(ctx, arena, sys, out));
    SB_TRY(sb_mass_init(ctx, arena, sys, &mass));
    SB_TRY(sb_mass_evaluate(&mass, at->q));
    memset(out->Hx, 0, (size_t)sb_pattern_nnz(&sys->H) * sizeof *out->Hx);
    sb_mass_add(&mass, 1.0, out->Hx);
    SB_NEW(arena, Cx, holonomic + sb_pattern_nnz(&sys->nonholonomic.A));
    SB_NEW(arena, E, rows);
    SB_TRY(sb_term_evaluate(SB_TERM_JACOBIAN, at, 1.0, Cx));
    SB_TRY(sb_term_evaluate(SB_TERM_PFAFFIAN, at, 1.0, Cx + holonomic));
    for (int i = 0; i < rows; i++) {
        E[i] = -1.0;
    }
    sb_saddle_set_diagonal(out, E);
    sb_saddle_assemble(out, 1.0, 1.0, Cx, 1.0, Cx);
    return SB_OK;
}

/* Returns x rounded to two digits: on a machine with other processes medians are not more accurate. */
static double rounded(double x) {
    char text[32];
    snprintf(text, sizeof text, "%.1e", x);
    return strtod(text, NULL);
}

int sb_costs_measure(sb_context *ctx, const sb_system *sys, double costs[SB_WORK_KINDS]) {
    const double budget = 0.02; /* s per kind: the median of some 20 batches of half a millisecond */
    sb_term_point at;
    batch batches[FACTOR];
    sb_saddle saddle;
    SB_SCRATCH(arena, ctx);
    SB_TRY(point_init(&arena, sys, &at));
    SB_TRY(saddle_init(ctx, &arena, &at, &saddle));
    for (int kind = 0; kind < FACTOR; kind++) {
        SB_TRY(batch_init(&arena, &at, kind, &batches[kind]));
    }
    const sb_job unit = {evaluate, &batches[batches[FORCE].count > 0 ? FORCE : MASS]};
    for (int kind = 0; kind < SB_WORK_KINDS; kind++) {
        const sb_job jobs[] = {kind == FACTOR ? (sb_job){factor, &saddle} : (sb_job){evaluate, &batches[kind]}, unit};
        /* V_q and f count as one evaluation together, each term of another kind as one. */
        const int evaluations = kind == FORCE || kind == FACTOR ? 1 : batches[kind].count;
        double seconds[2], ratio[2] = {0.0};
        if (kind == FACTOR || batches[kind].count > 0) {
            SB_TRY(sb_time_jobs(budget, 2, jobs, seconds, ratio));
        }
        costs[kind] = jobs[0].arg == unit.arg ? 1.0 : rounded(ratio[0] / fmax(1.0, evaluations));
    }
    return SB_OK;
}
