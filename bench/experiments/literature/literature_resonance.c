/* Resonances of trigonometric integrators on the chain of Fermi, Pasta, Ulam and Tsingou: the change of the energy of
 * its stiff springs against the step, garcia99, hairer00, hlw06 XIII.2. */
#include "analysis/row.h"
#include "bench/runner/experiment_tools.h"

static const char *const steppers[] = {"trigonometric", "trigonometric:filter=mollified",
                                       "trigonometric:filter=hairer_lubich", NULL};
static const sb_column columns[] = {
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h_omega", SB_COL_KEY, "", "h omega/pi, omega the frequency of the stiff springs"},
    {"change", SB_COL_ERROR, "", "largest change of the energy of all stiff springs up to t = 50"},
    {"peak", SB_COL_EXACT, "", "yes: a decade above the changes on both sides"},
};
enum { IMPULSE, MOLLIFIED, HAIRER_LUBICH, STEPPERS };
static const double spacing = 0.05; /* step of h omega/pi in the scan */

/* The peaks of one method in the scan. */
typedef struct peaks {
    double first, count; /* h omega/pi of the first peak; number of peaks */
    double at_pi;        /* change at h omega = pi */
} peaks;

static peaks find_peaks(const sb_table *table, const char *stepper) {
    peaks p = {NAN, 0.0, NAN};
    for (int i = 0; i < table->nrows; i++) {
        if (sb_table_is(table, i, "stepper", stepper)) {
            const double r = sb_table_real(table, i, "h_omega");
            const bool peak = sb_table_is(table, i, "peak", "yes");
            p.first = peak && p.count == 0.0 ? r : p.first;
            p.count += peak;
            p.at_pi = fabs(r - 1.0) < 0.1 * spacing ? sb_table_real(table, i, "change") : p.at_pi;
        }
    }
    return p;
}

static int run(sb_bench *bench) {
    sb_table scan, table;
    peaks of[STEPPERS];
    SB_TRY(sb_bench_analyse(bench, "adiabatic", "t_end=50,to=1.6,points=31", SB_LIST("fput"), steppers, &scan));
    for (int i = 0; i < STEPPERS; i++) {
        of[i] = find_peaks(&scan, steppers[i]);
    }
    SB_TRY(sb_bench_measure(bench, "literature-resonance/impulse", of[IMPULSE].first, 0.0));
    SB_TRY(sb_bench_measure(bench, "literature-resonance/mollified", of[MOLLIFIED].at_pi / of[IMPULSE].at_pi, 0.0));
    SB_TRY(sb_bench_measure(bench, "literature-resonance/hairer-lubich", of[HAIRER_LUBICH].count, 0.0));
    SB_TRY(SB_TABLE(bench, columns, &table));
    for (int i = 0; i < scan.nrows; i++) {
        SB_TRY(SB_ROW(&table.sink, sb_text(sb_table_text(&scan, i, "stepper")),
                      sb_real(sb_table_real(&scan, i, "h_omega")), sb_known(sb_table_real(&scan, i, "change")),
                      sb_text(sb_table_text(&scan, i, "peak"))));
    }
    SB_TRY(sb_bench_save_curves(bench, &table, "literature_resonance.csv"));
    return sb_bench_plot(bench, "literature_resonance");
}

SB_DEFINE_EXPERIMENT(literature_resonance) = {
    .entry = {"literature_resonance", "Steps at which trigonometric integrators are in resonance with stiff springs.",
              "garcia99; hairer00; hlw06 XIII.2", NULL, 0},
    .files = SB_LIST("literature_resonance.csv", SB_FIGURE("literature_resonance")),
    .run = run,
};
