/* notes11 9: the bound (48) on the violation of several constraints that are replaced by strong springs. */
#include "bench/runner/experiment_tools.h"

static const char *const problems[] = {"pendulum", "dsp:ic=printed", "rod_chain:n=3", "ladder:N=2"};
enum { PROBLEMS = 4, LEVELS = 5 };

/* s, before the first square of the ladder falls flat; m/s (rad/s for rows of rods with unit gradient), a speed whose
 * kinetic energy stretches a spring further than the load of the rods does. */
static const double t_end = 0.5, across = 5.0;
/* Steps of rk4 per time sqrt(eps): at least 32 per shortest time of the springs, since the largest eigenvalue of
 * G M^-1 G' is below 4 for these problems. */
static const double per_root = 64.0;

typedef struct record {
    const sb_system *constrained;
    double *g, violation;
} record;

static int observe(void *arg, const sb_sample *sample) {
    record *r = arg;
    const sb_holonomic *holonomic = &r->constrained->holonomic;
    SB_TRY(holonomic->value(holonomic->self, 0.0, sample->q, r->g, NULL));
    r->violation = sb_larger(r->violation, sb_norm_max(holonomic->m, r->g));
    return SB_OK;
}

/* Sets the initial state of the problem, with the speed `across` across its first constraint if `thrown`. */
static int start(sb_arena *arena, const sb_system *sys, bool thrown, double *q, double *v) {
    double *Gx, t;
    SB_NEW(arena, Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_TRY(sys->initial(sys->self, &t, q, v));
    SB_TRY(sb_holonomic_value(sys, 0.0, q, NULL, Gx));
    const double rate = sb_dot(sys->holonomic.G.p[1], Gx, Gx);
    for (int k = 0; k < sys->holonomic.G.p[1] && thrown; k++) {
        v[sys->holonomic.G.i[k]] += across * Gx[k] / rate;
    }
    return SB_OK;
}

/* Measures the largest violation in 0.5 s. */
static int measure(sb_bench *bench, sb_arena *arena, const char *problem, bool thrown, double eps, double *violation) {
    const char *penalty = sb_bench_format(bench, "penalty:eps=%.17g", eps);
    const long steps = lround(ceil(t_end * per_root / sqrt(eps)));
    sb_system constrained, sys;
    sb_method me;
    double *q, *v;
    record r = {.constrained = &constrained};
    SB_TRY(sb_system_build(bench->ctx, arena, problem, 0, NULL, &constrained));
    SB_TRY(sb_system_build(bench->ctx, arena, problem, 1, &penalty, &sys));
    SB_TRY(sb_method_build(bench->ctx, arena, "rk4", &sys, &me));
    SB_NEW(arena, q, sys.n);
    SB_NEW(arena, v, sys.n);
    SB_NEW(arena, r.g, constrained.holonomic.m);
    SB_TRY(start(arena, &constrained, thrown, q, v));
    sb_run run = {.h = t_end / (double)steps, .steps = steps, .every = 1, .q0 = q, .v0 = v};
    SB_TRY(sb_run_method(&me, &run, observe, &r));
    *violation = r.violation;
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(notes11_general) {
    static const char *const starts[2] = {"rest", "across"};
    sb_table table;
    SB_TRY(sb_bench_table(bench, "notes11_general", &table));
    for (int i = 0; i < PROBLEMS * 2; i++) {
        const char *const problem = problems[i / 2];
        for (int k = 0; k < LEVELS; k++) {
            const double eps = 1e-5 * pow(4.0, -k);
            double violation;
            SB_SCRATCH(arena, bench->ctx);
            SB_TRY(measure(bench, &arena, problem, i % 2 == 1, eps, &violation));
            SB_TRY(SB_TABLE_ROW(&table, sb_text(problem), sb_text(starts[i % 2]), sb_real(eps), sb_real(violation)));
        }
    }
    return sb_bench_save(bench, &table, "notes11_general.csv");
}
