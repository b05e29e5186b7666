/* Counts right and wrong verdicts of `amplification` and `blowup`: steppers whose stability is known in closed form, at
 * equilibria with known exponents; and resolved steps on chaotic motions, where differences grow with the exact flow.
 */
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/row.h"
#include "analysis/stability/amplification.h"
#include "analysis/stability/blowup.h"
#include "bench/data/data.h"
#include "bench/experiments/general/confusion.h"

enum { EXPONENTS_MAX = 6 };

typedef enum flow_kind { FLOW_CONSERVATIVE, FLOW_DAMPED, FLOW_OTHER } flow_kind;

typedef struct stable_class {
    const char *name, *members; /* the parameters that vary, in words; "one" if none does */
    const char *chart;          /* formulation; NULL: none */
    const char *format;         /* specification of a problem with two numbers, or the name of a check system */
    double low[2], high[2];     /* ranges of the numbers */
    flow_kind kind;
    bool constrained;
    /* Sets lambda of the motions e^(lambda t) about the equilibrium, one of every complex conjugate pair, and returns
     * their number. */
    int (*exponents)(const double u[2], double complex *out);
} stable_class;

/* ---- Exponents. ---- */

static int frequencies(int count, const double *omega2, double complex *out) {
    for (int i = 0; i < count; i++) {
        out[i] = I * sqrt(omega2[i]);
    }
    return count;
}

/* Computes the roots of lambda^2 + 2 b lambda + c = 0, also both of two conjugate ones. */
static int quadratic(double complex b, double complex c, double complex *out) {
    const double complex root = csqrt(b * b - c);
    out[0] = -b + root;
    out[1] = -b - root;
    return 2;
}

static int oscillator(const double u[2], double complex *out) { return frequencies(1, (double[]){u[0] * u[0]}, out); }
static int damped(const double u[2], double complex *out) { return quadratic(0.5 * u[1], u[0] * u[0], out); }
static int pendulum(const double u[2], double complex *out) { return frequencies(1, (double[]){u[1] / u[0]}, out); }
static int unit(const double u[2], double complex *out) { return (void)u, frequencies(1, (double[]){1.0}, out); }

/* A hanging thread of n equal particles: omega^2 l/g are the roots of the Laguerre polynomial L_n. */
static int thread2(const double u[2], double complex *out) {
    const double g = u[1] / u[0];
    return frequencies(2, (double[]){(2.0 - M_SQRT2) * g, (2.0 + M_SQRT2) * g}, out);
}

static int thread3(const double u[2], double complex *out) {
    const double g = u[1] / u[0];
    return frequencies(3, (double[]){0.41577455678347908 * g, 2.2942803602790417 * g, 6.2899450829374792 * g}, out);
}

/* Small oscillations of a double pendulum with rods of length 1: landau76 (24), problem 2, with m2/m1 = u0, g = u1. */
static int double_pendulum(const double u[2], double complex *out) {
    const double mean = u[1] * (1.0 + u[0]), half = u[1] * sqrt(u[0] * (1.0 + u[0]));
    return frequencies(2, (double[]){mean - half, mean + half}, out);
}

/* The check systems, terms.h: z'' = -z - drag z' + i gyro z' + i curl z. */
static int curl(const double u[2], double complex *out) { return (void)u, quadratic(0.0, 1.0 - 0.3 * I, out); }
static int drag(const double u[2], double complex *out) { return (void)u, quadratic(0.2, 1.0, out); }
static int gyroscopic(const double u[2], double complex *out) { return (void)u, quadratic(-0.4 * I, 1.0, out); }

#define FROM_TO(low0, high0, low1, high1)                                                                              \
    {low0, low1}, { high0, high1 }

static const stable_class stable_classes[] = {
    {"oscillator", "frequency", NULL, "oscillator:omega=%.9g", FROM_TO(0.2, 5.0, 0.0, 1.0), FLOW_CONSERVATIVE, false,
     oscillator},
    {"damped oscillator", "frequency, drag", NULL, "oscillator:omega=%.9g,gamma=%.9g", FROM_TO(0.5, 2.0, 0.05, 1.0),
     FLOW_DAMPED, false, damped},
    {"overdamped oscillator", "frequency, drag", NULL, "oscillator:omega=%.9g,gamma=%.9g", FROM_TO(0.5, 1.0, 2.1, 4.0),
     FLOW_DAMPED, false, damped},
    {"pendulum in its angle", "length, gravity", "chart", "pendulum:theta0=0,l=%.9g,g=%.9g",
     FROM_TO(0.3, 3.0, 3.0, 15.0), FLOW_CONSERVATIVE, false, pendulum},
    {"hanging pendulum", "length, gravity", NULL, "pendulum:theta0=0,l=%.9g,g=%.9g", FROM_TO(0.3, 3.0, 3.0, 15.0),
     FLOW_CONSERVATIVE, true, pendulum},
    {"thread of two", "length, gravity", NULL, "thread:n=2,l=%.9g,g=%.9g", FROM_TO(0.3, 3.0, 3.0, 15.0),
     FLOW_CONSERVATIVE, true, thread2},
    {"thread of three", "length, gravity", NULL, "thread:n=3,l=%.9g,g=%.9g", FROM_TO(0.3, 3.0, 3.0, 15.0),
     FLOW_CONSERVATIVE, true, thread3},
    {"double pendulum", "mass, gravity", NULL, "double_pendulum:theta1=0,theta2=0,m2=%.9g,g=%.9g",
     FROM_TO(0.2, 4.0, 3.0, 15.0), FLOW_CONSERVATIVE, false, double_pendulum},
    {"Henon and Heiles", "start near the equilibrium", NULL, "henon_heiles:x0=%.9g,y0=%.9g,vx0=0",
     FROM_TO(-0.1, 0.1, -0.1, 0.1), FLOW_CONSERVATIVE, false, unit},
    {"oblique coordinates", "one", NULL, "check.oblique", FROM_TO(0.0, 0.0, 0.0, 0.0), FLOW_CONSERVATIVE, false, unit},
    {"circulatory force", "one", NULL, "check.force_q", FROM_TO(0.0, 0.0, 0.0, 0.0), FLOW_OTHER, false, curl},
    {"drag in the plane", "one", NULL, "check.force_v", FROM_TO(0.0, 0.0, 0.0, 0.0), FLOW_DAMPED, false, drag},
    {"gyroscopic force", "one", NULL, "check.gyroscopic", FROM_TO(0.0, 0.0, 0.0, 0.0), FLOW_OTHER, false, gyroscopic},
};

/* ---- Steppers. ---- */

/* A row of known_stability.csv: a stepper, and the law of its stability. */
typedef struct stable_stepper {
    const char *stepper;
    const char *reason;
    bool constrained; /* the law holds also on constrained classes */
    int law;          /* as below */
    double limit;     /* limit of h omega on conservative classes, for one of the laws */
} stable_stepper;

/* LIMITED: bounded for h omega < limit on conservative classes. UNLIMITED: on conservative and damped ones. COMPOSED:
 * Verlet's method in steps c h, (1 - 2 n c) h in the middle, n of c on either side. The others: the stability function
 * R(h lambda) of a Runge-Kutta method. */
enum { LIMITED, UNLIMITED, COMPOSED1, COMPOSED2, EULER, IMPLICIT, MIDPOINT, EXPLICIT2, RK4, GAUSS2, GAUSS3 };

static const char *const law_names[] = {"limited",  "unlimited", "composed1", "composed2", "euler", "implicit",
                                        "midpoint", "explicit2", "rk4",       "gauss2",    "gauss3"};

/* Sets *out to a row of known_stability.csv. */
static int read_stepper(sb_context *ctx, const sb_table *rows, int i, stable_stepper *out) {
    *out = (stable_stepper){.stepper = sb_table_text(rows, i, "stepper"),
                            .reason = sb_table_text(rows, i, "reason"),
                            .constrained = sb_table_is(rows, i, "constrained", "yes"),
                            .limit = strtod(sb_table_text(rows, i, "limit"), NULL)};
    while (out->law < SB_COUNT(law_names) && !sb_table_is(rows, i, "law", law_names[out->law])) {
        out->law++;
    }
    return out->law < SB_COUNT(law_names) ? SB_OK
                                          : sb_fail(ctx, SB_BAD_USAGE, "known_stability.csv: %s has the unknown law %s",
                                                    out->stepper, sb_table_text(rows, i, "law"));
}

static double complex stability_function(int law, double complex z) {
    switch (law) {
    case EULER: return 1.0 + z;
    case IMPLICIT: return 1.0 / (1.0 - z);
    case MIDPOINT: return (1.0 + 0.5 * z) / (1.0 - 0.5 * z);
    case EXPLICIT2: return 1.0 + z + 0.5 * z * z;
    case RK4: return 1.0 + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0;
    case GAUSS2: return (1.0 + z / 2.0 + z * z / 12.0) / (1.0 - z / 2.0 + z * z / 12.0);
    default:
        return (1.0 + z / 2.0 + z * z / 10.0 + z * z * z / 120.0) / (1.0 - z / 2.0 + z * z / 10.0 - z * z * z / 120.0);
    }
}

/* Returns half of the trace of a composition of n, 1 and n steps of Verlet's method. */
static double composed_trace(int n, double tau) {
    const double c = n == 1 ? 1.0 / (2.0 - cbrt(2.0)) : 1.0 / (4.0 - cbrt(4.0));
    double A[4] = {1.0, 0.0, 0.0, 1.0}; /* rows */
    for (int i = 0; i < 2 * n + 1; i++) {
        const double s = (i == n ? 1.0 - 2.0 * n * c : c) * tau, d = 1.0 - 0.5 * s * s;
        const double B[4] = {d, s, -s * (1.0 - 0.25 * s * s), d};
        const double next[4] = {B[0] * A[0] + B[1] * A[2], B[0] * A[1] + B[1] * A[3], B[2] * A[0] + B[3] * A[2],
                                B[2] * A[1] + B[3] * A[3]};
        memcpy(A, next, sizeof A);
    }
    return 0.5 * (A[0] + A[3]);
}

/* Sets *stable to whether all motions about the equilibrium stay bounded with the step h. Returns false if this is not
 * known, or if the step is too near to the limit: within 1e-3 of h, or with a factor within 1e-9 of 1. */
static bool find_truth(const stable_stepper *stepper, const stable_class *type, const double complex *exponents,
                       int count, double h, bool *stable) {
    const int law = stepper->law;
    *stable = true;
    if (type->constrained && !stepper->constrained) {
        return false;
    }
    if (type->chart != NULL && strcmp(stepper->stepper, "del") == 0) {
        return false; /* del averages positions in the embedding space */
    }
    if (law <= COMPOSED2 && type->kind != FLOW_CONSERVATIVE) {
        return law == UNLIMITED && type->kind == FLOW_DAMPED;
    }
    for (int i = 0; i < count && law != UNLIMITED; i++) {
        const double complex z = h * exponents[i];
        /* Below 0: bounded. */
        const double excess = law == LIMITED ? 1e-6 * (cabs(z) / stepper->limit - 1.0)
                              : law <= COMPOSED2
                                  ? 1e-6 * (fabs(composed_trace(law == COMPOSED1 ? 1 : 2, cabs(z))) - 1.0)
                                  : cabs(stability_function(law, z)) - 1.0;
        const bool neutral = (law == MIDPOINT || law >= GAUSS2) && creal(exponents[i]) == 0.0; /* |R| = 1 */
        if (fabs(excess) < 1e-9 && !neutral) {
            return false;
        }
        *stable = *stable && (neutral || excess < 0.0);
    }
    return true;
}

/* ---- Verdicts. ---- */

enum { FIRST = 2000, MEMBERS = 4, STEPS = 8 };

typedef struct job {
    const stable_class *type;
    const stable_stepper *stepper;
} job;

/* Returns step i of member k: h |lambda| from 1/20 to 10, evenly spaced in its logarithm. */
static double pick_step(const double complex *exponents, int count, int k, int i) {
    double largest = 0.0;
    for (int j = 0; j < count; j++) {
        largest = fmax(largest, cabs(exponents[j]));
    }
    return 0.05 * pow(200.0, ((double)i + fmod(0.7548776662466927 * k, 1.0)) / STEPS) / largest;
}

static int add_amplification(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, bool stable,
                             sb_confusion *n) {
    sb_amplification a;
    int failed = SB_OK;
    SB_TRY(sb_row_go_on(sb_amplification_measure(ctx, arena, pair, h, &a), &failed));
    n->of[stable ? SB_ANSWER_YES : SB_ANSWER_NO][failed != SB_OK                 ? SB_FOUND_FAILED
                                                 : a.bounded == SB_BOUND_UNCLEAR ? SB_FOUND_UNCLEAR
                                                 : sb_is_stable(a.bounded)       ? SB_FOUND_YES
                                                                                 : SB_FOUND_NO]++;
    return SB_OK;
}

/* Adds the verdicts on member k. */
static int add_member(sb_context *ctx, sb_arena *arena, const void *data, int k, sb_confusion *n) {
    static const double irrational[2] = {0.6180339887498949, 0.4142135623730951};
    const stable_class *type = ((const job *)data)->type;
    const stable_stepper *stepper = ((const job *)data)->stepper;
    double u[3] = {0.0};
    double complex exponents[EXPONENTS_MAX];
    sb_system sys;
    sb_pair pair;
    for (int i = 0; i < 2; i++) {
        u[i] = type->low[i] + fmod(irrational[i] * (k + 1), 1.0) * (type->high[i] - type->low[i]);
    }
    const int count = type->exponents(u, exponents);
    SB_TRY(sb_problem_class_build(ctx, arena, type->format, type->chart, u, &sys));
    SB_TRY(sb_pair_build(ctx, arena, &sys, stepper->stepper, &pair));
    for (int i = 0; i < STEPS && sb_stepper_check(ctx, pair.type, &sys) == SB_OK; i++) {
        const double h = pick_step(exponents, count, k, i);
        bool stable;
        if (find_truth(stepper, type, exponents, count, h, &stable)) {
            SB_TRY(add_amplification(ctx, arena, &pair, h, stable, n));
        }
    }
    return SB_OK;
}

/* ---- Runs. ---- */

/* Steps of a motion, in units of `unit`: below and above the limit, or resolved steps of a chaotic motion. The latter
 * count as stable: the growth is that of the exact flow. */
typedef struct motion {
    const char *name, *problem, *stepper, *reason;
    double unit;  /* s; 0: the time scale of the problem */
    double limit; /* steps below it are stable */
    double h[4];  /* 0 ends them */
} motion;

#define OSCILLATOR "oscillator in motion", "oscillator:omega=3,v0=1"
#define PENDULUM "hanging pendulum in motion", "pendulum:theta0=0,l=0.6,g=5"
#define THREAD "thread in motion", "thread:n=2,l=0.6,g=5"
#define HENON_HEILES "chaotic Henon and Heiles", "henon_heiles:x0=0,y0=-0.15,vx0=0.54,vy0=0.05"
#define DOUBLE_PENDULUM "chaotic double pendulum", "double_pendulum"
#define AT_LIMIT                                                                                                       \
    1.0, { 0.5, 0.95, 1.05, 1.5 }
#define RESOLVED "resolved steps", 0.0, INFINITY

static const motion motions[] = {
    {OSCILLATOR, "verlet", "limit 2/omega", 2.0 / 3.0, AT_LIMIT},
    {OSCILLATOR, "rk4", "limit 2 sqrt 2/omega", 2.0 * M_SQRT2 / 3.0, AT_LIMIT},
    {OSCILLATOR, "midpoint", "unconditionally stable", 2.0 / 3.0, INFINITY, {0.5, 1.5, 5.0, 20.0}},
    {OSCILLATOR, "newmark:beta=0.1", "limit 1/sqrt(1/4 - beta)", 2.581988897471611 / 3.0, AT_LIMIT},
    {PENDULUM, "shake", "limit 2/omega", 0.692820323027551, AT_LIMIT},
    {PENDULUM, "rattle", "limit 2/omega", 0.692820323027551, AT_LIMIT},
    {THREAD, "rattle", "limit 2/omega", 0.374957562082087, AT_LIMIT},
    {HENON_HEILES, "verlet", RESOLVED, {0.03, 0.06, 0.12, 0.25}},
    {HENON_HEILES, "midpoint", RESOLVED, {0.03, 0.06, 0.12, 0.25}},
    {HENON_HEILES, "rk4", RESOLVED, {0.03, 0.06, 0.12, 0.25}},
    {DOUBLE_PENDULUM, "midpoint", RESOLVED, {0.02, 0.05, 0.1}},
    {DOUBLE_PENDULUM, "gauss", RESOLVED, {0.02, 0.05, 0.1}},
    {DOUBLE_PENDULUM, "rk4", RESOLVED, {0.02, 0.05, 0.1}},
};

/* Adds the verdict of a run with step k of a motion, if there is one. */
static int add_run(sb_context *ctx, sb_arena *arena, const void *data, int k, sb_confusion *n) {
    static const sb_blowup_config config = {.kick = 1e-9, .growth = 1e8, .steps = 2000, .predictable = true};
    const motion *m = data;
    sb_system sys;
    sb_pair pair;
    sb_flow flow;
    sb_growth found;
    if (!(m->h[k] > 0.0)) {
        return SB_OK;
    }
    SB_TRY(sb_system_build(ctx, arena, m->problem, 0, NULL, &sys));
    SB_TRY(sb_pair_build(ctx, arena, &sys, m->stepper, &pair));
    sb_flow_init(arena, &pair, config.kick, config.growth, sys.time_scale / 16.0, &flow);
    SB_TRY(sb_blowup_growth(ctx, arena, &config, &pair, m->h[k] * (m->unit > 0.0 ? m->unit : sys.time_scale), &flow,
                            &found));
    n->of[m->h[k] < m->limit ? SB_ANSWER_YES : SB_ANSWER_NO][found.stable ? SB_FOUND_YES : SB_FOUND_NO]++;
    return SB_OK;
}

static int study_all(sb_bench *bench, sb_sink *out) {
    sb_table rows;
    SB_TRY(sb_data_table(bench->ctx, &bench->arena, "experiments/general/known_stability.csv", &rows));
    for (int c = 0; c < SB_COUNT(stable_classes); c++) {
        for (int i = 0; i < rows.nrows; i++) {
            const stable_class *type = &stable_classes[c];
            stable_stepper stepper;
            SB_TRY(read_stepper(bench->ctx, &rows, i, &stepper));
            sb_confusion n = {.verdict = "amplification",
                              .name = type->name,
                              .members = type->members,
                              .stepper = stepper.stepper,
                              .reason = stepper.reason};
            SB_TRY(sb_confusion_study(bench->ctx, &(job){type, &stepper}, FIRST,
                                      sb_problem_class_members(type->members, MEMBERS), add_member, &n, out));
        }
    }
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        const motion *m = &motions[i];
        sb_confusion n = {
            .verdict = "blowup", .name = m->name, .members = "one", .stepper = m->stepper, .reason = m->reason};
        SB_TRY(sb_confusion_study(bench->ctx, m, 0, SB_COUNT(m->h), add_run, &n, out));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(confusion_stable) {
    return sb_confusion_run(bench, sb_faulty_register,
                            "verdict,class,members,stepper,reason,stable,unstable,unclear,failed,false_alarms,missed",
                            study_all, "confusion_stable.csv");
}
