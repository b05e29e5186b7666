/* Chain of Fermi, Pasta, Ulam and Tsingou: the energy of its stiff springs is constant up to O(1/omega) over long
 * times, hlw06 I.5, XIII.6; benettin87. */
#include "bench/runner/experiment_tools.h"

static const sb_column columns[] = {
    {"omega", SB_COL_KEY, "", "frequency of a stiff spring"},
    {"sum", SB_COL_ERROR, "", "largest change of the energy of all stiff springs"},
    {"single", SB_COL_ERROR, "", "largest change of the energy of one stiff spring"},
};
enum { OMEGAS = 4, SPRINGS = 3 };
static const double t_end = 200.0;

/* Energies at the start and their largest change; the last entry is that of the sum over the springs. */
typedef struct energies {
    double omega, initial[SPRINGS + 1], change[SPRINGS + 1];
} energies;

static int observe(void *arg, const sb_sample *s) {
    energies *e = arg;
    double energy[SPRINGS + 1] = {0.0};
    for (int j = 0; j < SPRINGS; j++) {
        const double x = e->omega * s->q[2 * j + 1], v = s->v[2 * j + 1];
        energy[j] = 0.5 * (x * x + v * v);
        energy[SPRINGS] += energy[j];
    }
    for (int j = 0; j <= SPRINGS; j++) {
        e->initial[j] = s->step == 0 ? energy[j] : e->initial[j];
        e->change[j] = sb_larger(e->change[j], fabs(energy[j] - e->initial[j]));
    }
    return SB_OK;
}

static int run(sb_bench *bench) {
    double omega[OMEGAS], sum[OMEGAS], single[OMEGAS];
    sb_table table;
    SB_TRY(SB_TABLE(bench, columns, &table));
    for (int i = 0; i < OMEGAS; i++) {
        omega[i] = ldexp(25.0, i);
        energies e = {.omega = omega[i]};
        /* At 20 steps per unit of phase the error of the fourth-order method is far below the changes. */
        const sb_run r = {.h = 0.05 / omega[i], .steps = lround(20.0 * omega[i] * t_end), .every = 10};
        const char *problem = sb_bench_format(bench, "fput:m=3,omega=%g", omega[i]);
        SB_TRY(sb_bench_observe(bench, problem, "", "suzuki4(verlet)", &r, observe, &e));
        sum[i] = e.change[SPRINGS];
        single[i] = sb_norm_max(SPRINGS, e.change);
        SB_TRY(SB_NUMBERS(&table, omega[i], sum[i], single[i]));
    }
    SB_TRY(sb_bench_save_curves(bench, &table, "literature_adiabatic.csv"));
    const sb_slope slope = sb_bench_slope(OMEGAS, omega, sum);
    SB_TRY(sb_bench_measure(bench, "literature-adiabatic/power", slope.value, slope.se));
    return sb_bench_measure(bench, "literature-adiabatic/exchange", single[1], 0.0);
}

SB_DEFINE_EXPERIMENT(literature_adiabatic) = {
    .entry = {"literature_adiabatic", "The energy of stiff springs is an adiabatic invariant.", "hlw06 I.5", NULL, 0},
    .files = SB_LIST("literature_adiabatic.csv"),
    .run = run,
};
