/* Runs of wm96 5: 30 s sampled every 0.1 s, with the starts and the error measure of the paper. */
#include "bench/experiments/wm96/wm96_runs.h"

#include <string.h>

#include "bench/runner/experiment_tools.h"

static const double interval = 0.1;

const double sb_wm96_table_steps[SB_WM96_TABLE_STEPS] = {1e-4, 1e-3, 1e-2, 1e-1};
const double sb_wm96_figure_steps[SB_WM96_FIGURE_STEPS] = {1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 1e-1};

/* Builds the problem and allocates the starting run. */
static int prepare(sb_bench *bench, const char *problem, sb_wm96 *set) {
    memset(set, 0, sizeof *set);
    set->bench = bench;
    sb_arena *arena = &bench->arena;
    SB_TRY(sb_system_build(bench->ctx, arena, problem, 0, NULL, &set->sys));
    const int n = set->sys.n;
    if (set->sys.symmetry.count > 3) {
        return sb_fail(bench->ctx, SB_UNSUPPORTED, "%s has %d momenta; these runs record at most 3", problem,
                       set->sys.symmetry.count);
    }
    SB_NEW(arena, set->Mx, sb_pattern_nnz(&set->sys.inertia.M));
    SB_NEW(arena, set->points, (lround(interval / SB_WM96_STANDARD_H) + 1) * n);
    SB_TRY(SB_VECTORS(arena, n, &set->p, &set->a, &set->d));
    SB_TRY(sb_quantities_init(bench->ctx, arena, &set->sys, SB_WM96_STANDARD_H, &set->qs));
    return sb_lagrangian_init(bench->ctx, arena, &set->sys, 0.5, 0.5, &set->L);
}

/* Computes T(q, v) + V(q) and leaves M(q) v in set->p. The terms of T are added to V one by one, which decides the last
 * digits of the tables; sb_dynamics_energy sums T first. */
static int energy(sb_wm96 *set, const double *q, const double *v, double *out) {
    const sb_system *sys = &set->sys;
    SB_TRY(sys->inertia.mass(sys->inertia.self, q, set->Mx));
    memset(set->p, 0, (size_t)sys->n * sizeof *set->p);
    sb_csc_mult_add(&sys->inertia.M, set->Mx, 1.0, v, set->p);
    double sum = 0.0;
    if (sys->potential.value != NULL) {
        SB_TRY(sb_potential_value(sys, 0.0, q, &sum));
    }
    for (int i = 0; i < sys->n; i++) {
        sum += 0.5 * v[i] * set->p[i];
    }
    *out = sum;
    return SB_OK;
}

/* Computes energy and momentum of a state. */
static int of_point(sb_wm96 *set, const double *q, const double *v, double *E, double *J) {
    SB_TRY(energy(set, q, v, E));
    return sb_quantities_pair(&set->qs, q, set->p, J, NULL);
}

/* Computes energy and momentum of the pair (x, y): the energy at the midpoint, and -h D2 L_d paired with the
 * generators at x. */
static int of_pair(sb_wm96 *set, double h, const double *x, const double *y, double *E, double *J) {
    for (int i = 0; i < set->sys.n; i++) {
        set->a[i] = 0.5 * (x[i] + y[i]);
        set->d[i] = (y[i] - x[i]) / h;
    }
    SB_TRY(energy(set, set->a, set->d, E));
    SB_TRY(sb_lagrangian_momenta(&set->L, 0.0, h, x, y, set->p, NULL));
    return sb_quantities_pair(&set->qs, x, set->p, J, NULL);
}

/* Continues the orbit from step `first` to t = 0.1 s and stores every `every`-th state in set->points. */
static int store_points(sb_wm96 *set, sb_orbit *orbit, double h, long first, long every) {
    const int n = set->sys.n;
    const long steps = lround(interval / h);
    for (long k = first + 1; k <= steps; k++) {
        SB_TRY(sb_orbit_advance(orbit, h, 1));
        if (k % every == 0) {
            memcpy(set->points + k / every * n, orbit->now.q, (size_t)n * sizeof *orbit->now.q);
        }
    }
    return SB_OK;
}

int sb_wm96_rigid(sb_bench *bench, sb_wm96 *out) {
    SB_TRY(prepare(bench, "rigid_body", out));
    sb_context *ctx = bench->ctx;
    sb_arena *arena = &bench->arena;
    const int n = out->sys.n;
    double t0, *q1;
    double *q0 = out->points, *v0 = out->d;
    SB_NEW(arena, q1, n);
    SB_TRY(out->sys.initial(out->sys.self, &t0, q0, v0));
    double norm = 0.0;
    for (int i = 0; i < n; i++) {
        q1[i] = q0[i] + SB_WM96_H0 * v0[i];
        norm += q1[i] * q1[i];
    }
    SB_TRY(of_pair(out, SB_WM96_H0, q0, q1, &out->raw_energy, out->raw_momentum));
    for (int i = 0; i < n; i++) {
        q1[i] /= sqrt(norm);
    }
    SB_TRY(of_pair(out, SB_WM96_H0, q0, q1, &out->energy, out->momentum));

    sb_method method;
    sb_orbit orbit;
    SB_TRY(sb_method_build(ctx, arena, "dvp", &out->sys, &method));
    SB_TRY(sb_orbit_init(&method, arena, &orbit));
    SB_TRY(sb_method_start_pair(&method, t0, q0, q1, SB_WM96_H0, &orbit.now));
    return store_points(out, &orbit, SB_WM96_H0, 1, lround(SB_WM96_STANDARD_H / SB_WM96_H0));
}

int sb_wm96_dsp(sb_bench *bench, const char *ic, sb_wm96 *out) {
    const char *problem;
    SB_PRINT(&bench->arena, problem, "dsp:ic=%s", ic);
    SB_TRY(prepare(bench, problem, out));
    sb_arena *arena = &bench->arena;
    double t0, *v0;
    SB_NEW(arena, v0, out->sys.n);
    SB_TRY(out->sys.initial(out->sys.self, &t0, out->points, v0));
    SB_TRY(of_point(out, out->points, v0, &out->energy, out->momentum));

    sb_method method;
    sb_orbit orbit;
    SB_TRY(sb_bench_orbit(bench->ctx, arena, &out->sys, "em", SB_WM96_STANDARD_H, &method, &orbit));
    return store_points(out, &orbit, SB_WM96_STANDARD_H, 0, 1);
}

static int new_run(sb_wm96 *set, double h, sb_wm96_run *out) {
    sb_arena *arena = &set->bench->arena;
    out->h = h;
    out->n = set->sys.n;
    out->m = set->sys.holonomic.m;
    out->momenta = set->sys.symmetry.count;
    out->iters = 0.0;
    SB_NEW(arena, out->q, SB_WM96_SAMPLES * out->n);
    SB_NEW(arena, out->energy, SB_WM96_SAMPLES);
    SB_NEW(arena, out->momentum, SB_WM96_SAMPLES * out->momenta);
    SB_NEW(arena, out->lambda, SB_WM96_SAMPLES * out->m);
    for (int i = 0; i < out->m; i++) {
        out->lambda[i] = NAN;
    }
    return sb_steps(set->bench->ctx, SB_WM96_T_END, h, SB_STEPS_EXACT, &out->steps);
}

/* Sets sample i from the state; `before` is the point before it for two-step methods, else NULL. */
static int sample(sb_wm96 *set, sb_wm96_run *out, int i, const double *before, const sb_state *state) {
    memcpy(out->q + i * out->n, state->q, (size_t)out->n * sizeof *out->q);
    memcpy(out->lambda + i * out->m, state->lambda, (size_t)out->m * sizeof *out->lambda);
    double *E = out->energy + i, *J = out->momentum + i * out->momenta;
    return before == NULL ? of_point(set, state->q, state->v, E, J) : of_pair(set, out->h, before, state->q, E, J);
}

int sb_wm96_run_stepper(sb_wm96 *set, const char *stepper, double h, sb_wm96_run *out) {
    sb_context *ctx = set->bench->ctx;
    sb_arena *arena = &set->bench->arena;
    const int n = set->sys.n;
    SB_TRY(new_run(set, h, out));
    sb_method method;
    sb_orbit orbit;
    SB_TRY(sb_method_build(ctx, arena, stepper, &set->sys, &method));
    SB_TRY(sb_orbit_init(&method, arena, &orbit));
    sb_state *now = &orbit.now;

    const bool pairs = method.type->start_pair != NULL;
    const double *first = set->points, *second = set->points + lround(h / SB_WM96_STANDARD_H) * n;
    memcpy(out->q, first, (size_t)n * sizeof *out->q);
    if (pairs) {
        SB_TRY(sb_method_start_pair(&method, 0.0, first, second, h, now));
        SB_TRY(of_pair(set, h, first, second, out->energy, out->momentum));
    } else {
        SB_TRY(sb_method_start(&method, 0.0, NULL, NULL, h, now));
        SB_TRY(of_point(set, now->q, now->v, out->energy, out->momentum));
    }
    const long every = lround(interval / h);
    long iters = 0;
    for (long k = 1; k <= out->steps; k++) {
        if (sb_interrupted(ctx)) {
            return sb_fail(ctx, SB_INTERRUPTED, "interrupted at step %ld of %ld", k, out->steps);
        }
        if (k > 1 || !pairs) {
            SB_TRY(sb_orbit_advance(&orbit, h, 1));
            iters += now->iters;
        }
        if (k % every == 0) {
            const double *before = !pairs ? NULL : k == 1 ? first : orbit.next.q;
            SB_TRY(sample(set, out, (int)(k / every), before, now));
        }
    }
    out->iters = (double)iters / (double)(pairs ? out->steps - 1 : out->steps);
    return SB_OK;
}

/* Rounds to nine decimals. */
static double nine_decimals(double x) { return rint(x * 1e9) * 1e-9; }

double sb_wm96_error(int m, const double *value, const double *standard, bool constant, bool rounded) {
    double total = 0.0;
    for (int i = 0; i < SB_WM96_SAMPLES; i++) {
        double square = 0.0;
        for (int j = 0; j < m; j++) {
            const double x = value[i * m + j], y = standard[constant ? j : i * m + j];
            const double d = rounded ? nine_decimals(x) - nine_decimals(y) : x - y;
            square += d * d;
        }
        total += sqrt(square);
    }
    return total / (SB_WM96_SAMPLES * m);
}

double sb_wm96_error_of(const sb_wm96 *set, sb_wm96_kind kind, const sb_wm96_run *run, const sb_wm96_run *standard,
                        bool rounded) {
    switch (kind) {
    case SB_WM96_POSITION: return sb_wm96_error(run->n, run->q, standard->q, false, rounded);
    case SB_WM96_ENERGY: return sb_wm96_error(1, run->energy, &set->energy, true, rounded);
    default: return sb_wm96_error(run->momenta, run->momentum, set->momentum, true, rounded);
    }
}

void sb_wm96_range(const double *samples, double *lo, double *second, double *hi) {
    *lo = *second = INFINITY;
    *hi = -INFINITY;
    for (int i = 0; i < SB_WM96_SAMPLES; i++) {
        if (!(samples[i] >= *lo)) {
            *second = *lo;
            *lo = samples[i];
        } else if (!(samples[i] >= *second)) {
            *second = samples[i];
        }
        *hi = sb_larger(*hi, samples[i]);
    }
}
