/* reg05 3.1: what converges as the springs of a pendulum stiffen, when it starts at rest on the circle. */
#include "bench/runner/verdicts.h"

static const sb_column columns[] = {
    {"start", SB_COL_KEY, "",
     "the pendulum is let go at the horizontal, where the rod carries no load, or at 45 degrees"},
    {"c", SB_COL_KEY, "", "compliance"},
    {"q", SB_COL_ERROR, "m", "largest distance of the positions from the rigid pendulum's"},
    {"v", SB_COL_ERROR, "m/s", "of the velocities"},
    {"lambda", SB_COL_ERROR, "N", "of -Phi/c from the multiplier"},
    {"weak", SB_COL_ERROR, "N s", "|integral of their difference|"},
    {"violation", SB_COL_ERROR, "m", "largest |Phi|"},
};
enum { LEVELS = 7, STARTS = 2 };

static const char *const names[STARTS] = {"horizontal", "45 degrees"};
static const char *const problems[STARTS] = {"pendulum:m=1,l=1,g=10,theta0=1.5707963267948966,constraint=norm",
                                             "pendulum:m=1,l=1,g=10,theta0=0.78539816339744831,constraint=norm"};

/* The largest load of the rod: m g (3 - 2 cos theta0), N. */
static const double loads[STARTS] = {30.0, 30.0 - 20.0 * M_SQRT1_2};

static const double t_end = 1.0;
/* Steps of rk4 over sqrt(c), the springs' time over 2 pi: it errs by (h omega)^5/120 a step, 1e-5 of a period over the
 * longest run. */
static const double per_time = 32.0;

typedef struct compared {
    const sb_system *rigid;
    double c, h, q, v, lambda, weak, violation;
    long steps;
} compared;

static int compare(void *arg, const sb_sample *sample) {
    compared *a = arg;
    double q[2], v[2], lambda;
    SB_TRY(a->rigid->exact(a->rigid->self, sample->t, q, v, &lambda));
    const double phi = hypot(sample->q[0], sample->q[1]) - 1.0, off = -phi / a->c - lambda;
    a->q = sb_larger(a->q, hypot(sample->q[0] - q[0], sample->q[1] - q[1]));
    a->v = sb_larger(a->v, hypot(sample->v[0] - v[0], sample->v[1] - v[1]));
    a->lambda = sb_larger(a->lambda, fabs(off));
    a->weak += (sample->step == 0 || sample->step == a->steps ? 0.5 : 1.0) * a->h * off; /* the trapezium rule */
    a->violation = sb_larger(a->violation, fabs(phi));
    return SB_OK;
}

static int measure(sb_bench *bench, const char *problem, double c, compared *out) {
    const long steps = lround(ceil(t_end * per_time / sqrt(c)));
    const sb_run run = {.h = t_end / (double)steps, .steps = steps, .every = 1};
    sb_system rigid;
    *out = (compared){.rigid = &rigid, .c = c, .h = run.h, .steps = steps};
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &rigid));
    return sb_bench_observe(bench, problem, sb_bench_format(bench, "penalty:eps=%.17g", c), "rk4", &run, compare, out);
}

/* reg05 3.3: how large a violation to expect. The load of a pendulum let go at the horizontal is at most 3 m g. */
static int record_size(sb_bench *bench, const double *c, double violation[STARTS][LEVELS]) {
    static const char *const claim = "reg05-size", *const most = "largest |Phi| over ||C|| (N)";
    double printed = 0.0, loaded = 0.0, power = 0.0;
    for (int s = 0; s < STARTS; s++) {
        power = sb_larger(power, fabs(sb_bench_slope(LEVELS, c, violation[s]).value - 1.0));
        for (int k = 0; k < LEVELS; k++) {
            printed = sb_larger(printed, violation[s][k] / c[k]);
            loaded = sb_larger(loaded, violation[s][k] / (c[k] * loads[s]));
        }
    }
    SB_TRY(SB_RECORD(bench, claim, SB_BOTH_FORMS, "power of c in the largest |Phi|: distance from 1", SB_AT_MOST,
                     .measured = power, .expected = 0.05, .from = "the next term is of relative size sqrt(c), 3 %"));
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED, most, SB_AT_MOST, .measured = printed, .expected = 2.0, .published = "1",
                     .from = "of the size of: to a factor of two"));
    return SB_RECORD(bench, claim, SB_CORRECTED_FORM, "largest |Phi| over the compliance and the largest load",
                     SB_AT_MOST, .measured = loaded, .expected = 2.0,
                     .from = "a slack spring overshoots to twice the load at most");
}

static int run(sb_bench *bench) {
    double c[LEVELS], value[5][LEVELS], power[STARTS][5], se[STARTS][5], violation[STARTS][LEVELS], least = INFINITY;
    sb_table table;
    SB_TRY(SB_TABLE(bench, columns, &table));
    for (int s = 0; s < STARTS; s++) {
        for (int k = 0; k < LEVELS; k++) {
            compared a;
            c[k] = pow(10.0, -3.0 - 0.5 * k);
            SB_TRY(measure(bench, problems[s], c[k], &a));
            const double all[5] = {a.q, a.v, a.lambda, fabs(a.weak), a.violation};
            for (int i = 0; i < 5; i++) {
                value[i][k] = all[i];
            }
            SB_TRY(SB_ROW(&table.sink, sb_text(names[s]), sb_real(c[k]), sb_real(all[0]), sb_real(all[1]),
                          sb_real(all[2]), sb_real(all[3]), sb_real(all[4])));
            violation[s][k] = a.violation;
            least = s == 1 ? fmin(least, a.lambda) : least;
        }
        for (int i = 0; i < 5; i++) {
            const sb_slope slope = sb_bench_slope(LEVELS, c, value[i]);
            power[s][i] = slope.value;
            se[s][i] = slope.se;
        }
    }
    SB_TRY(sb_bench_save(bench, &table, "reg05_rubin.csv"));
    SB_TRY(sb_bench_plot(bench, "reg05_rubin"));
    static const char *const claim = "reg05-rubin", *const half =
                                                        "convergence: half the least power that theory gives, 1/2";
    static const char *const quantity[5] = {"positions", "velocities", "multiplier", "integral of the multiplier",
                                            "violation"};
    for (int s = 0; s < STARTS; s++) {
        for (int i = 0; i < 5; i++) {
            const sb_claim_form form = s == 1 && i == 2 ? SB_PRINTED : i == 3 ? SB_CORRECTED_FORM : SB_BOTH_FORMS;
            const char *name = sb_bench_format(bench, "%s start: power of c in the error of %s", names[s], quantity[i]);
            SB_TRY(SB_RECORD(bench, claim, form, name, SB_AT_LEAST, .measured = power[s][i], .expected = 0.25,
                             .uncertainty = se[s][i], .from = half));
        }
    }
    SB_TRY(SB_RECORD(bench, claim, SB_CORRECTED_FORM,
                     "45 degrees start: smallest error of the multiplier over all c (N)", SB_AT_LEAST,
                     .measured = least, .expected = 7.071,
                     .from = "the rod's load at the start, m g cos 45, which the slack spring lacks"));
    return record_size(bench, c, violation);
}

SB_DEFINE_EXPERIMENT(reg05_rubin) = {
    .entry = {"reg05_rubin",
              "Pendulum on ever stiffer springs: convergence of positions, velocities and multiplier to the rigid "
              "pendulum's.",
              "reg05 3.1", NULL, 0},
    .claims = SB_LIST("reg05-rubin", "reg05-size"),
    .files = SB_LIST("reg05_rubin.csv", SB_FIGURE("reg05_rubin")),
    .run = run,
};
