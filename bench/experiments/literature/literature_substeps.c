/* n sweeps per step against n substeps with one sweep, of equal cost: macklin19. Medians and quartiles over random
 * initial states. */
#include "bench/runner/experiment_tools.h"

/* Both forms of a method; in Soft Step (catto24) a sweep is one with soft rows and one with rigid rows. */
static const struct {
    const char *sweeps, *substeps;
} methods[] = {
    {"xpbd:sweeps=%d", "substeps(xpbd):sweeps=1,n=%d"},
    {"gauss_seidel_spook:sweeps=%d", "substeps(gauss_seidel_spook):sweeps=1,n=%d"},
    {"gauss_seidel_spook:sweeps=%d,start=warm", "substeps(gauss_seidel_spook):sweeps=1,start=warm,n=%d"},
    {"soft_step:sweeps=%d,relax=%d", "substeps(soft_step):n=%d"},
};
static const int numbers[] = {1, 2, 5, 10, 20};
enum { METHODS = sizeof methods / sizeof *methods, NUMBERS = sizeof numbers / sizeof *numbers };

/* The median and the quartiles of five members are members. */
static const sb_ensemble starts = {.members = 5, .width = 0.1};

SB_DEFINE_EXPERIMENT(literature_substeps) {
    const char *steppers[METHODS * (2 * NUMBERS - 1) + 1] = {NULL};
    int count = 0;
    sb_table table;
    for (int m = 0; m < METHODS; m++) {
        for (int k = 0; k < 2 * NUMBERS; k++) {
            const int n = numbers[k % NUMBERS];
            if (k == NUMBERS) { /* one substep with one sweep is a step with one sweep */
                continue;
            }
            steppers[count] = k < NUMBERS ? sb_bench_format(bench, methods[m].sweeps, n, n)
                                          : sb_bench_format(bench, methods[m].substeps, n);
            SB_TRY(steppers[count] != NULL ? SB_OK : SB_NO_MEMORY);
            count++;
        }
    }
    SB_TRY(sb_bench_analyse_members(bench, "workprec", "h=1/60,t_end=1", SB_LIST("rod_chain:n=6", "star:arms=4", "dsp"),
                                    steppers, &starts, &table));
    return sb_bench_save_curves(bench, &table, "literature_substeps.csv");
}
