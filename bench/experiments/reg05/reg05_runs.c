/* The pendulum of reg05 6.1: runs, and quantities of their samples. */
#include "bench/experiments/reg05/reg05_runs.h"

#include "analysis/conservation/quantities.h"
#include "bench/runner/experiment_tools.h"

enum { DRAWN_EVERY = 4 }; /* samples: 35 per swing */

static const char *stepper_of(sb_bench *bench, sb_reg05_method method, double c, double h) {
    char compliance[32], b[32];
    sb_format_real(c, compliance);
    sb_format_real(2.0 * h / c, b);
    switch (method) {
    case SB_REG05_IMPLICIT: return "euler_linear";
    case SB_REG05_NEWTON: return "euler_implicit";
    case SB_REG05_REG: return sb_bench_format(bench, "reg:c=%s,start=full", compliance);
    case SB_REG05_HALF: return sb_bench_format(bench, "reg:c=%s,start=half", compliance);
    default: return sb_bench_format(bench, "reg:c=%s,b=%s,start=full", compliance, b);
    }
}

/* Runs the steppers of the springs on the penalized problem, the regularized stepper on the constrained one. */
int sb_reg05_pendulum(sb_bench *bench, sb_reg05_method method, double c, double h, double t_end, sb_reg05_run *out) {
    const bool springs = method == SB_REG05_IMPLICIT || method == SB_REG05_NEWTON;
    char text[32];
    sb_format_real(c, text);
    const char *penalty = springs ? sb_bench_format(bench, "penalty:eps=%s", text) : "";
    sb_run run = {.h = h, .every = 1};
    sb_path path;
    sb_system sys;
    sb_dynamics dyn;
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, SB_REG05_PENDULUM, 0, NULL, &sys));
    SB_TRY(sb_dynamics_init(bench->ctx, &bench->arena, &sys, &dyn));
    SB_TRY(sb_steps(bench->ctx, t_end, h, SB_STEPS_EXACT, &run.steps));
    SB_TRY(sb_bench_path_of(bench, SB_REG05_PENDULUM, penalty, stepper_of(bench, method, c, h), &run, &path));
    *out = (sb_reg05_run){
        .h = h, .steps = path.count - 1, .t = path.t, .q = path.q, .v = path.v, .failure = path.failure, .fall = NAN};
    SB_TRY(SB_VECTORS(&bench->arena, path.count, &out->energy, &out->violation, &out->x));
    for (long k = 0; k < path.count; k++) {
        const double *q = path.q + 2 * k, *v = path.v + 2 * k;
        double size, g;
        SB_TRY(sb_quantities_energy(&dyn, path.t[k], q, v, &out->energy[k], &size));
        SB_TRY(sys.holonomic.value(sys.holonomic.self, path.t[k], q, &g, NULL));
        out->violation[k] = fabs(g);
        out->x[k] = fabs(q[0]);
        if (isnan(out->fall) && q[0] < 0.0) {
            const double before = q[-2];
            out->fall = path.t[k - 1] + (path.t[k] - path.t[k - 1]) * before / (before - q[0]);
        }
    }
    return SB_OK;
}

double sb_reg05_max(const sb_reg05_run *run, const double *samples, double from, double to) {
    double largest = -INFINITY;
    for (long k = 0; k <= run->steps; k++) {
        if (run->t[k] >= from && run->t[k] <= to) {
            largest = sb_larger(largest, samples[k]);
        }
    }
    return largest;
}

/* Returns the mean energy of the samples with t in [from, to]. */
static double mean(const sb_reg05_run *run, double from, double to) {
    double sum = 0.0;
    long count = 0;
    for (long k = 0; k <= run->steps; k++) {
        if (run->t[k] >= from && run->t[k] <= to) {
            sum += run->energy[k];
            count++;
        }
    }
    return sum / (double)count;
}

double sb_reg05_loss(const sb_reg05_run *run, double t) {
    return mean(run, 0.0, SB_REG05_SWING) - mean(run, t - SB_REG05_SWING, t);
}

double sb_reg05_swing_loss(double h, double c) {
    const double g = SB_REG05_G, half_beta = 0.5 * tgamma(1.5) * tgamma(0.75) / tgamma(2.25);
    return (1.5 * h * h * h + 9.0 * h * c) * 4.0 * g * g * sqrt(2.0 * g) * half_beta;
}

double sb_reg05_half_life(const sb_reg05_run *run, double rest) {
    const double half = 0.5 * (run->energy[0] + rest);
    for (long k = run->steps; k >= 0; k--) {
        if (!(run->energy[k] <= half)) {
            return k < run->steps ? run->t[k + 1] : NAN;
        }
    }
    return 0.0;
}

int sb_reg05_save(sb_bench *bench, const sb_reg05_run *runs, const char *name) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_pendulum", &table));
    for (long k = 0; k <= runs[SB_REG05_REG].steps && runs[SB_REG05_REG].t[k] <= SB_REG05_SHOWN; k += DRAWN_EVERY) {
        double row[13] = {runs[SB_REG05_REG].t[k]};
        for (int i = 0; i < 3; i++) {
            row[4 * i + 1] = runs[i].q[2 * k];
            row[4 * i + 2] = runs[i].q[2 * k + 1];
            row[4 * i + 3] = runs[i].energy[k];
            row[4 * i + 4] = runs[i].violation[k];
        }
        SB_TRY(sb_bench_numbers(&table, SB_COUNT(row), row));
    }
    return sb_bench_save_curves(bench, &table, name);
}
