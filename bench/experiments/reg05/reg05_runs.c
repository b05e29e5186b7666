/* The pendulum of reg05 6.1: runs, and what is read off them. */
#include "bench/experiments/reg05/reg05_runs.h"

#include "bench/runner/verdicts.h"

static const sb_column columns[] = {
    {"t", SB_COL_KEY, "s", "time"},
    {"implicit_x", SB_COL_EXACT, "m", "by euler_linear on the springs"},
    {"implicit_y", SB_COL_EXACT, "m", "by euler_linear on the springs"},
    {"implicit_energy", SB_COL_EXACT, "J", "v.v/2 + 10 y by euler_linear"},
    {"implicit_violation", SB_COL_ERROR, "m", "| |x| - 1 | by euler_linear"},
    {"newton_x", SB_COL_EXACT, "m", "by euler_implicit, Newton's iteration converged, on the springs"},
    {"newton_y", SB_COL_EXACT, "m", "by euler_implicit on the springs"},
    {"newton_energy", SB_COL_EXACT, "J", "v.v/2 + 10 y by euler_implicit"},
    {"newton_violation", SB_COL_ERROR, "m", "| |x| - 1 | by euler_implicit"},
    {"reg_x", SB_COL_EXACT, "m", "by reg"},
    {"reg_y", SB_COL_EXACT, "m", "by reg"},
    {"reg_energy", SB_COL_EXACT, "J", "v.v/2 + 10 y by reg"},
    {"reg_violation", SB_COL_ERROR, "m", "| |x| - 1 | by reg"},
};
enum { COLUMNS = SB_COUNT(columns) };

enum { DRAWN_EVERY = 2 }; /* samples */

static const char *stepper_of(sb_bench *bench, const sb_reg05_run *run) {
    char c[32], b[32];
    sb_format_real(run->c, c);
    sb_format_real(2.0 * run->h / run->c, b);
    switch (run->method) {
    case SB_REG05_IMPLICIT: return "euler_linear";
    case SB_REG05_NEWTON: return "euler_implicit";
    case SB_REG05_REG: return sb_bench_format(bench, "reg:c=%s,start=full", c);
    case SB_REG05_HALF: return sb_bench_format(bench, "reg:c=%s,start=half", c);
    case SB_REG05_DAMPED: return sb_bench_format(bench, "reg:c=%s,b=%s,start=full", c, b);
    }
    return NULL;
}

/* Sets what is read off the samples. */
static void read_off(const sb_path *path, sb_reg05_run *out) {
    out->steps = path->count - 1;
    for (long k = 0; k < path->count; k++) {
        const double *q = path->q + 2 * k, *v = path->v + 2 * k;
        out->energy[k] = 0.5 * (v[0] * v[0] + v[1] * v[1]) + SB_REG05_G * q[1];
        out->violation[k] = fabs(hypot(q[0], q[1]) - 1.0);
        if (isnan(out->fall) && q[0] < 0.0) {
            const double before = q[-2];
            out->fall = path->t[k - 1] + (path->t[k] - path->t[k - 1]) * before / (before - q[0]);
        }
    }
}

/* The springs' steppers run on the penalized problem, the regularized one on the constrained one. */
int sb_reg05_pendulum(sb_bench *bench, sb_reg05_method method, double c, double h, double t_end, sb_reg05_run *out) {
    const bool springs = method == SB_REG05_IMPLICIT || method == SB_REG05_NEWTON;
    char text[32];
    sb_format_real(c, text);
    const char *penalty = springs ? sb_bench_format(bench, "penalty:eps=%s", text) : "";
    sb_run run = {.h = h, .every = 1};
    sb_path path;
    *out = (sb_reg05_run){.method = method, .c = c, .h = h, .fall = NAN};
    SB_TRY(sb_steps(bench->ctx, t_end, h, SB_STEPS_EXACT, &run.steps));
    SB_TRY(sb_bench_path_of(bench, SB_REG05_PENDULUM, penalty, stepper_of(bench, out), &run, &path));
    out->t = path.t;
    out->q = path.q;
    out->v = path.v;
    out->failure = path.failure;
    SB_TRY(SB_VECTORS(&bench->arena, path.count, &out->energy, &out->violation));
    read_off(&path, out);
    return SB_OK;
}

double sb_reg05_max(const sb_reg05_run *run, const double *samples, double from, double to) {
    double largest = -INFINITY;
    for (long k = 0; k <= run->steps; k++) {
        if (run->t[k] >= from && run->t[k] <= to) {
            largest = !(samples[k] <= largest) ? samples[k] : largest;
        }
    }
    return largest;
}

double sb_reg05_mean(const sb_reg05_run *run, const double *samples, double from, double to) {
    double sum = 0.0;
    long count = 0;
    for (long k = 0; k <= run->steps; k++) {
        if (run->t[k] >= from && run->t[k] <= to) {
            sum += samples[k];
            count++;
        }
    }
    return sum / (double)count;
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

int sb_reg05_save(sb_bench *bench, const sb_reg05_run *implicit, const sb_reg05_run *newton, const sb_reg05_run *reg,
                  double t_end, const char *name) {
    const sb_reg05_run *const runs[3] = {implicit, newton, reg};
    sb_table table;
    SB_TRY(SB_TABLE(bench, columns, &table));
    for (long k = 0; k <= reg->steps && reg->t[k] <= t_end; k += DRAWN_EVERY) {
        sb_cell row[COLUMNS];
        row[0] = sb_real(reg->t[k]);
        for (int i = 0; i < 3; i++) {
            row[4 * i + 1] = sb_real(runs[i]->q[2 * k]);
            row[4 * i + 2] = sb_real(runs[i]->q[2 * k + 1]);
            row[4 * i + 3] = sb_real(runs[i]->energy[k]);
            row[4 * i + 4] = sb_real(runs[i]->violation[k]);
        }
        SB_TRY(table.sink.row(&table.sink, row));
    }
    return sb_bench_save_curves(bench, &table, name);
}
