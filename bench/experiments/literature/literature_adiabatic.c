/* Chain of Fermi, Pasta, Ulam and Tsingou: the energy of its stiff springs is constant up to O(1/omega) over long
 * times, hlw06 I.5, XIII.6; benettin87. */
#include "bench/runner/experiment_tools.h"

enum { OMEGAS = 7, SPRINGS = 3 };
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

SB_DEFINE_EXPERIMENT(literature_adiabatic) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "literature_adiabatic", &table));
    for (int i = 0; i < OMEGAS; i++) {
        const double omega = 25.0 * pow(2.0, 0.5 * i);
        energies e = {.omega = omega};
        /* At 20 steps per unit of phase the error of the fourth-order method is far below the changes. */
        const sb_run r = {.h = 0.05 / omega, .steps = lround(20.0 * omega * t_end), .every = 10};
        const char *problem = sb_bench_format(bench, "fput:m=3,omega=%g", omega);
        SB_TRY(sb_bench_observe(bench, problem, "", "suzuki4(verlet)", &r, observe, &e));
        SB_TRY(SB_NUMBERS(&table, omega, e.change[SPRINGS], sb_norm_max(SPRINGS, e.change)));
    }
    return sb_bench_save_curves(bench, &table, "literature_adiabatic.csv");
}
