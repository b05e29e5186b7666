/* notes11 9: a strong spring in place of a constraint: convergence as the spring stiffens, with and without damping. */
#include "bench/runner/experiment_tools.h"

/* The particle on the line y = 0 under unit gravity, from rest; its multiplier is 1. */
static const double t_end = 2.0;
/* Steps of rk4 per shortest period of the motion over 2 pi. The error of the phase is (h omega)^5/120 per step, 2e-4 at
 * the end of the longest run. */
static const double per_time = 32.0;
/* The end of the transient at the start, a quarter of the interval, s. */
static const double transient = 0.5;

enum { LEVELS = 6, TESTS = 3, LAWS = 3, DAMPED = 5, CURVES = 400 };

/* The largest deviations along a run, and the integrals of lambda - 1 with the test functions. */
typedef struct deviations {
    double eps, gamma, h;
    long steps;
    double y, ydot, lambda, lambda_away, printed_y, printed_lambda, closed, weak[TESTS];
    double *curve; /* NULL, or CURVES + 1 samples of lambda */
} deviations;

static int observe(void *arg, const sb_sample *sample) {
    deviations *a = arg;
    const double t = sample->t, y = sample->q[1], ydot = sample->v[1], lambda = -(y + a->gamma * ydot) / a->eps;
    const double weight = sample->step == 0 || sample->step == a->steps ? 0.5 * a->h : a->h; /* the trapezium rule */
    const double test[TESTS] = {1.0, exp(-t), cos(3.0 * t)};
    a->y = sb_larger(a->y, fabs(y));
    a->ydot = sb_larger(a->ydot, fabs(ydot));
    a->lambda = sb_larger(a->lambda, fabs(lambda - 1.0));
    const double phase = t / sqrt(a->eps); /* (49), as printed and from rest */
    a->printed_y = sb_larger(a->printed_y, fabs(y / a->eps - (sin(phase) - 1.0)));
    a->printed_lambda = sb_larger(a->printed_lambda, fabs(lambda - (cos(phase) - 1.0)));
    a->closed = sb_larger(a->closed, fabs(y / a->eps - (cos(phase) - 1.0)));
    if (t >= transient) {
        a->lambda_away = sb_larger(a->lambda_away, fabs(lambda - 1.0));
    }
    for (int i = 0; i < TESTS; i++) {
        a->weak[i] += weight * (lambda - 1.0) * test[i];
    }
    if (a->curve != NULL && sample->step % (a->steps / CURVES) == 0) {
        a->curve[sample->step / (a->steps / CURVES)] = lambda;
    }
    return SB_OK;
}

/* Runs the particle on the spring from rest, or from the speed 1 m/s towards the line. */
static int spring(sb_bench *bench, double eps, double gamma, bool thrown, deviations *out) {
    double *curve = out->curve;
    const double start[2] = {0.0, 0.0}, throw[2] = {0.0, -1.0};
    const double half = 0.5 * gamma / eps, shortest = half > 1.0 / sqrt(eps) ? 0.5 / half : sqrt(eps);
    const long steps = CURVES * lround(ceil(t_end * per_time / shortest / CURVES));
    const char *penalty = sb_bench_format(bench, "penalty:eps=%.17g,gamma=%.17g", eps, gamma);
    const sb_run run = {
        .h = t_end / (double)steps, .steps = steps, .every = 1, .q0 = start, .v0 = thrown ? throw : start};
    *out = (deviations){.eps = eps, .gamma = gamma, .h = run.h, .steps = steps, .curve = curve};
    return sb_bench_observe(bench, "plane:vx0=0", penalty, "rk4", &run, observe, out);
}

/* ---- Without damping. ---- */

static int measure_undamped(sb_bench *bench) {
    double printed_y = INFINITY, printed_lambda = INFINITY;
    sb_table table;
    SB_TRY(sb_bench_table(bench, "notes11_realization", &table));
    for (int k = 0; k < LEVELS; k++) {
        deviations a = {0}, b = {0};
        /* The interval is a quarter period longer than whole periods: the integrals of the oscillation are then at
         * their largest and follow their power of eps. */
        const double root = t_end / ((2.0 * pow(4.0, k + 1) + 0.5) * M_PI);
        SB_TRY(spring(bench, root * root, 0.0, false, &a));
        SB_TRY(spring(bench, root * root, 0.0, true, &b));
        printed_y = fmin(printed_y, a.printed_y);
        printed_lambda = fmin(printed_lambda, a.printed_lambda);
        SB_TRY(SB_NUMBERS(&table, a.eps, a.y, a.ydot, a.lambda, fabs(a.weak[0]), fabs(a.weak[1]), fabs(a.weak[2]),
                          a.closed, b.y));
    }
    SB_TRY(sb_bench_save(bench, &table, "notes11_realization.csv"));
    SB_TRY(sb_bench_measure(bench, "notes11-realize/y-printed", printed_y, 0.0));
    return sb_bench_measure(bench, "notes11-realize/lambda-printed", printed_lambda, 0.0);
}

/* ---- With damping. ---- */

static int measure_damped(sb_bench *bench) {
    static const char *const laws[LAWS] = {"fixed", "critical", "weak"};
    double all[LAWS], last[LAWS], *curves[LAWS + 1], first[LAWS];
    sb_table table, curve;
    SB_TRY(sb_bench_table(bench, "notes11_damped", &table));
    for (int law = 0; law < LAWS; law++) {
        all[law] = INFINITY;
        for (int k = 0; k < DAMPED; k++) {
            deviations a = {0};
            const double eps = pow(10.0, -2.0 - 0.75 * k), gamma = law == 0 ? 0.1 : law == 1 ? 2.0 * sqrt(eps) : eps;
            SB_TRY(spring(bench, eps, gamma, false, &a));
            all[law] = fmin(all[law], a.lambda);
            last[law] = a.lambda_away;
            first[law] = k == 0 ? a.lambda_away : first[law];
            SB_TRY(SB_TABLE_ROW(&table, sb_text(laws[law]), sb_real(eps), sb_real(gamma), sb_real(a.lambda),
                                sb_real(a.lambda_away)));
        }
    }
    SB_TRY(sb_bench_save(bench, &table, "notes11_damped.csv"));
    const double eps = 1e-3, gammas[LAWS + 1] = {0.0, 0.1, 2.0 * sqrt(eps), eps};
    SB_TRY(sb_bench_table(bench, "notes11_lambda", &curve));
    for (int i = 0; i <= LAWS; i++) {
        deviations a = {0};
        SB_NEW(&bench->arena, a.curve, CURVES + 1);
        SB_TRY(spring(bench, eps, gammas[i], false, &a));
        curves[i] = a.curve;
    }
    for (int k = 0; k <= CURVES; k++) {
        SB_TRY(SB_NUMBERS(&curve, t_end * k / CURVES, curves[0][k], curves[1][k], curves[2][k], curves[3][k]));
    }
    SB_TRY(sb_bench_save_curves(bench, &curve, "notes11_lambda.csv"));
    for (int law = 0; law < LAWS; law++) {
        const double ratio = last[law] / first[law];
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "notes11-damped/away-%s", laws[law]), ratio, 0.0));
    }
    SB_TRY(sb_bench_measure(bench, "notes11-damped/weak", last[LAWS - 1], 0.0));
    return sb_bench_measure(bench, "notes11-damped/all", fmin(all[0], fmin(all[1], all[2])), 0.0);
}

SB_DEFINE_EXPERIMENT(notes11_realization) {
    SB_TRY(measure_undamped(bench));
    return measure_damped(bench);
}
