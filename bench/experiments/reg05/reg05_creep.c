/* reg05 3.3 and (4.4): creep under regularized friction, of a box and of a stack of ten. */
#include "bench/runner/experiment_tools.h"

enum { STEPPERS = 2, VALUES = 6, BOXES = 10, STACKS = 4, CORNERS = 4 };

static const double g = 9.81, width = 0.4, height = 0.1, tilt = 0.15, wait = 60.0, h = 0.01;

/* The stacks that are drawn after a minute. */
static const struct {
    const char *stepper;
    double gamma;
} stacks[STACKS] = {{"reg", 0.0}, {"moreau", 0.0}, {"reg:gamma=2e-5", 2e-5}, {"reg:gamma=5e-5", 5e-5}};

/* Writes the places of the boxes of all stacks. */
static int stack_creep(sb_bench *bench) {
    sb_table table;
    const char *problem = sb_bench_format(bench, "stack:n=%d,tilt=%.17g,w=%.17g,h=%.17g", BOXES, tilt, width, height);
    SB_TRY(sb_bench_table(bench, "reg05_stack", &table));
    for (int s = 0; s < STACKS; s++) {
        sb_path path;
        const long steps = lround(wait / h);
        double law = 0.0;
        SB_TRY(sb_bench_path(bench, problem, stacks[s].stepper, h, steps, steps, &path));
        const double *q = path.q + (path.count - 1) * path.n;
        for (int b = 0; b < BOXES; b++) {
            law += stacks[s].gamma * (BOXES - b) * g * sin(tilt) / 2.0 * wait;
            SB_TRY(SB_TABLE_ROW(&table, sb_int(s), sb_text(stacks[s].stepper), sb_int(b), sb_real(q[3 * b]),
                                sb_real(q[3 * b + 1]), sb_real(q[3 * b + 2]), sb_real(law),
                                sb_real(path.failure == NULL ? fabs(q[3 * b] - law) : NAN)));
        }
    }
    return sb_bench_save(bench, &table, "reg05_stack.csv");
}

SB_DEFINE_EXPERIMENT(reg05_creep) {
    sb_table rows;
    SB_TRY(sb_bench_analyse(bench, "creep", "values=[1e-2,1e-3,1e-4,1e-5,1e-6,1e-7]",
                            SB_LIST("block_incline:angle=0.3"), SB_LIST("reg", "spook:eps=0"), &rows));
    SB_TRY(sb_bench_save(bench, &rows, "reg05_creep.csv"));
    return stack_creep(bench);
}
