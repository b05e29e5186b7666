/* Long runs of Kepler's problem, hlw06 Table I.2.1: powers of t and h in the errors of the energy, of the angular
 * momentum and of the position. */
#include "analysis/conservation/quantities.h"
#include "bench/runner/experiment_tools.h"

enum { TIMES = 4, LEVELS = 3 };
static const int periods[TIMES] = {2, 4, 8, 16};
static const char *const problem = "kepler:e=0.3";

/* A stepper and the steps per period of its longest step. Explicit Euler leaves the orbit; its steps are so short that
 * after 16 periods it is off by a few per cent. */
static const struct {
    const char *stepper;
    long steps;
} entries[] = {{"euler_explicit", 100000}, {"euler_symplectic", 2000}, {"midpoint", 500}, {"verlet", 500}};

enum { ENERGY, MOMENTUM, POSITION, ERRORS };

typedef struct record {
    sb_quantities *qs;
    long steps;                             /* per period */
    double q[2], energy, momentum, largest; /* initial values; largest sum of the products of the momentum */
    double now[ERRORS], at[ERRORS][TIMES];
} record;

static int observe(void *arg, const sb_sample *s) {
    record *r = arg;
    const double *q = s->q, *v = s->v;
    double energy, momentum, size;
    SB_TRY(sb_quantities_energy(&r->qs->dyn, s->t, q, v, &energy, &size));
    SB_TRY(sb_quantities_pair(r->qs, q, v, &momentum, &size)); /* the mass is 1 */
    if (s->step == 0) {
        *r = (record){.qs = r->qs, .steps = r->steps, .q = {q[0], q[1]}, .energy = energy, .momentum = momentum};
    }
    r->largest = sb_larger(r->largest, size);
    r->now[ENERGY] = sb_larger(r->now[ENERGY], fabs(energy - r->energy));
    r->now[MOMENTUM] = sb_larger(r->now[MOMENTUM], fabs(momentum - r->momentum));
    r->now[POSITION] = hypot(q[0] - r->q[0], q[1] - r->q[1]);
    for (int i = 0; i < TIMES; i++) {
        for (int e = 0; e < ERRORS && s->step == periods[i] * r->steps; e++) {
            r->at[e][i] = r->now[e];
        }
    }
    return SB_OK;
}

/* Runs a stepper and writes the errors after each of the times. The start is not an apsis, where the step of a
 * symplectic method would be close to that of its adjoint. */
static int measure(sb_bench *bench, const char *stepper, long steps, sb_table *table) {
    const double h = 2.0 * acos(-1.0) / (double)steps;
    const long total = periods[TIMES - 1] * steps;
    double q[2], v[2];
    sb_system sys;
    sb_quantities qs;
    SB_SCRATCH(arena, bench->ctx);
    SB_TRY(sb_system_build(bench->ctx, &arena, problem, 0, NULL, &sys));
    SB_TRY(sb_quantities_init(bench->ctx, &arena, &sys, h, &qs));
    SB_TRY(sys.exact(sys.self, 1.0, q, v, NULL));
    record r = {.qs = &qs, .steps = steps};
    SB_TRY(sb_bench_observe(bench, problem, "", stepper,
                            &(sb_run){.h = h, .steps = total, .every = 1, .q0 = q, .v0 = v, .t0 = 1.0}, observe, &r));
    for (int i = 0; i < TIMES; i++) {
        /* Each step rounds every product of the angular momentum. */
        const double rounding = 1e-16 * r.largest * sqrt((double)(periods[i] * steps)), *position = r.at[POSITION];
        SB_TRY(SB_TABLE_ROW(table, sb_text(stepper), sb_int(steps), sb_real(h), sb_int(periods[i]),
                            sb_real(r.at[ENERGY][i]), sb_residual(r.at[MOMENTUM][i], rounding), sb_real(position[i]),
                            i > 0 ? sb_real(position[i] - 2.0 * position[i - 1]) : sb_empty()));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(literature_kepler) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "literature_kepler", &table));
    for (int i = 0; i < SB_COUNT(entries) * LEVELS; i++) {
        SB_TRY(measure(bench, entries[i / LEVELS].stepper, entries[i / LEVELS].steps << i % LEVELS, &table));
    }
    return sb_bench_save_curves(bench, &table, "literature_kepler.csv");
}
