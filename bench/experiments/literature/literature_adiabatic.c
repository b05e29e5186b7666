/* The oscillatory energy of the chain of Fermi, Pasta, Ulam and Tsingou with stiff springs: constant up to O(1/omega)
 * over long times, hlw06 I.5, XIII.6; benettin87. */
#include "bench/runner/verdicts.h"

static const sb_column columns[] = {
    {"omega", SB_COL_KEY, "", "frequency of a stiff spring"},
    {"sum", SB_COL_ERROR, "", "largest change of the energy of all stiff springs"},
    {"single", SB_COL_ERROR, "", "largest change of the energy of one stiff spring"},
};
enum { OMEGAS = 4, SPRINGS = 3 };
static const double t_end = 200.0;

typedef struct watch {
    double omega, initial[SPRINGS + 1], largest[SPRINGS + 1]; /* of each spring, then of their sum */
} watch;

static int observe(void *arg, const sb_sample *s) {
    watch *w = arg;
    double energy[SPRINGS + 1] = {0.0};
    for (int j = 0; j < SPRINGS; j++) {
        const double x = w->omega * s->q[2 * j + 1], v = s->v[2 * j + 1];
        energy[j] = 0.5 * (x * x + v * v);
        energy[SPRINGS] += energy[j];
    }
    for (int j = 0; j <= SPRINGS; j++) {
        w->initial[j] = s->step == 0 ? energy[j] : w->initial[j];
        w->largest[j] = sb_larger(w->largest[j], fabs(energy[j] - w->initial[j]));
    }
    return SB_OK;
}

static int run(sb_bench *bench) {
    double omega[OMEGAS], sum[OMEGAS], single[OMEGAS];
    sb_table table;
    SB_TRY(SB_TABLE(bench, columns, &table));
    for (int i = 0; i < OMEGAS; i++) {
        omega[i] = ldexp(25.0, i);
        watch w = {.omega = omega[i]};
        /* 20 steps per unit of phase: the error of the fourth-order method is far below the changes. */
        const sb_run r = {.h = 0.05 / omega[i], .steps = lround(20.0 * omega[i] * t_end), .every = 10};
        const char *problem = sb_bench_format(bench, "fput:m=3,omega=%g", omega[i]);
        SB_TRY(sb_bench_observe(bench, problem, "", "suzuki4(verlet)", &r, observe, &w));
        sum[i] = w.largest[SPRINGS];
        single[i] = sb_larger(w.largest[0], sb_larger(w.largest[1], w.largest[2]));
        SB_TRY(SB_ROW(&table.sink, sb_real(omega[i]), sb_real(sum[i]), sb_real(single[i])));
    }
    SB_TRY(sb_bench_save_curves(bench, &table, "literature_adiabatic.csv"));
    const sb_slope slope = sb_bench_slope(OMEGAS, omega, sum);
    SB_TRY(SB_RECORD(bench, "literature-adiabatic", SB_PRINTED, "power of omega in the change of the sum",
                     .measured = slope.value, .expected = -1.0, .tolerance = 0.25, .uncertainty = slope.se,
                     .from = "a quarter of the distance to the next power"));
    return SB_RECORD(bench, "literature-adiabatic", SB_PRINTED,
                     "energy that one spring takes or loses at omega = 50, of an initial 1", SB_AT_LEAST,
                     .measured = single[1], .expected = 0.1, .from = "exchange: many times the change of the sum");
}

SB_DEFINE_EXPERIMENT(literature_adiabatic) = {
    .entry = {"literature_adiabatic", "The energy of stiff springs is an adiabatic invariant.", "hlw06 I.5", NULL, 0},
    .claims = SB_LIST("literature-adiabatic"),
    .files = SB_LIST("literature_adiabatic.csv"),
    .run = run,
};
