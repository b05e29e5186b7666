/* Error control on Kepler's problem: the energy over long times by a conventional controller, by a reversible
 * controller and by a Runge-Kutta method, calvo93, hairer05, hlw06 VIII. */
#include "analysis/conservation/quantities.h"
#include "bench/runner/experiment_tools.h"

enum { TIMES = 5, OUTPUTS = 32, FIXED = 64 }; /* outputs per period; fixed steps between outputs */
static const char *const problem = "kepler:e=0.9";
/* The controllers adapt in the first periods; from then on changes are measured. The shortest time, in periods; each
 * further one is twice as long. */
static const int settled = 16, first = 32;

/* The largest change of the mean energy of a period, now and at each of the times. The mean removes the oscillation of
 * the energy along the orbit, which would hide a drift. */
typedef struct energy {
    sb_dynamics dyn;
    int every; /* steps between outputs */
    double sum, initial, largest, at[TIMES];
} energy;

static int observe(void *arg, const sb_sample *s) {
    energy *e = arg;
    double now, size;
    const long output = s->step / e->every, period = output / OUTPUTS - settled;
    SB_TRY(sb_quantities_energy(&e->dyn, s->t, s->q, s->v, &now, &size));
    e->sum += now;
    if (output % OUTPUTS != OUTPUTS - 1) {
        return SB_OK;
    }
    const double mean = e->sum / OUTPUTS;
    e->sum = 0.0;
    e->initial = period <= 0 ? mean : e->initial;
    e->largest = sb_larger(e->largest, fabs(mean - e->initial));
    for (int i = 0; i < TIMES; i++) {
        if (period == first << i) {
            e->at[i] = e->largest;
        }
    }
    return SB_OK;
}

/* Runs with `steps` steps between outputs and writes the rows. */
static int follow(sb_bench *bench, const char *stepper, int steps, sb_table *table) {
    const int every = OUTPUTS * steps;
    sb_system sys;
    energy e = {.every = steps};
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &sys));
    SB_TRY(sb_dynamics_init(bench->ctx, &bench->arena, &sys, &e.dyn));
    SB_TRY(sb_bench_observe(bench, problem, "", stepper,
                            &(sb_run){.h = 2.0 * acos(-1.0) / every,
                                      .steps = (long)every * ((first << (TIMES - 1)) + settled + 1),
                                      .every = steps},
                            observe, &e));
    for (int i = 0; i < TIMES; i++) {
        SB_TRY(SB_TABLE_ROW(table, sb_text(stepper), sb_int(first << i), sb_real(e.at[i])));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(literature_error_control) {
    static const char *const steppers[] = {"adaptive(verlet):rtol=1e-5", "adaptive_reversible(verlet):rtol=1e-4",
                                           "odeiv2:rtol=1e-6",           "odeiv2:rtol=1e-7",
                                           "odeiv2:rtol=1e-8",           "odeiv2:rtol=1e-9",
                                           "odeiv2:rtol=1e-10"};
    sb_table table;
    SB_TRY(sb_bench_table(bench, "literature_error_control", &table));
    for (int i = 0; i < SB_COUNT(steppers); i++) {
        SB_TRY(follow(bench, steppers[i], 1, &table));
    }
    SB_TRY(follow(bench, "verlet", FIXED, &table));
    return sb_bench_save_curves(bench, &table, "literature_error_control.csv");
}
