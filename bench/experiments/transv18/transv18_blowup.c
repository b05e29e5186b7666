/* transv18: what SHAKE and velocity time stepping do just beyond the limit, jitter along and across the constraints,
 * and swinging threads.
 */
#include <math.h>
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "analysis/modes/spectra_dense.h"
#include "analysis/stability/blowup.h"
#include "bench/runner/verdicts.h"

/* ---- Beyond the limit: 1.01 of it. ---- */

static const char *const taut = "thread:n=5,end_mass=100,kick=1e-9";
/* em takes quadratic constraints: the same thread, its links written so. */
static const char *const taut_square = "thread:n=5,end_mass=100,kick=1e-9,constraint=square";
static const char *const steppers[] = {"shake", "rattle", "vts", "vts:beta=0.2", "vts:beta=1", NULL};
enum { STEPS = 3000, EVERY = 10, EXPLICIT = 2, COUNT = 5 };

typedef struct course {
    bool ended;          /* by a failed step */
    double end;          /* time of the last row */
    double onset, grown; /* transversal share of the jitter while it grows, at least; of the last quarter of the run, on
                            average */
    double level;        /* jitter over kinetic energy in the last quarter */
    double first, most;  /* jitter in the first row, J, and the most there is */
} course;

/* While the jitter is below a millionth of a joule (the kinetic energy at one metre a second is 52 J), motions are
 * linear. */
static course follow(const sb_table *table, const char *stepper) {
    course c = {.onset = 1.0};
    double along = 0.0, whole = 0.0, kinetic = 0.0;
    for (int i = 0; i < table->nrows; i++) {
        if (strcmp(sb_table_text(table, i, "stepper"), stepper) != 0) {
            continue;
        }
        const double t = sb_table_real(table, i, "t"), J = sb_table_real(table, i, "jitter"),
                     part = sb_table_real(table, i, "jitter_transversal");
        if (isnan(t)) {
            c.ended = true;
            continue;
        }
        c.end = t;
        c.first = c.first > 0.0 ? c.first : J;
        c.most = sb_larger(c.most, J);
        if (J < 1e-6) {
            c.onset = fmin(c.onset, part / J);
        }
        if (t > 0.75 * STEPS * sb_table_real(table, i, "h")) {
            along += part;
            whole += J;
            kinetic += sb_table_real(table, i, "kinetic");
        }
    }
    c.grown = along / whole;
    c.level = whole / kinetic;
    return c;
}

static int limit_of(sb_bench *bench, const char *problem, double *h) {
    sb_system sys;
    sb_limits limits;
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &sys));
    SB_TRY(sb_blowup_predict(bench->ctx, &bench->arena, &sys, &limits));
    *h = limits.projected;
    return SB_OK;
}

static int beyond(sb_bench *bench) {
    const char *const problems[] = {taut, NULL}, *const squares[] = {taut_square, NULL}, *const em[] = {"em", NULL};
    sb_table table, unlimited;
    course c[COUNT];
    double h;
    bool explode = true, go_on = true;
    double onset = 1.0;
    SB_TRY(limit_of(bench, "thread:n=5,end_mass=100", &h));
    h *= 1.01;
    const char *options = sb_bench_format(bench, "h=%.17g,t_end=%.17g,every=%d", h, STEPS * h, EVERY);
    SB_TRY(sb_bench_analyse(bench, "jitter", options, problems, steppers, &table));
    SB_TRY(sb_bench_analyse(bench, "jitter", options, squares, em, &unlimited));
    SB_TRY(sb_bench_append(&table, &unlimited));
    SB_TRY(sb_bench_save(bench, &table, "transv18_blowup.csv"));
    const course quiet = follow(&table, "em");
    for (int i = 0; i < COUNT; i++) {
        c[i] = follow(&table, steppers[i]);
        explode = explode && (i >= EXPLICIT || c[i].ended);
        go_on = go_on && (i < EXPLICIT || !c[i].ended);
        onset = fmin(onset, c[i].onset);
    }
    SB_TRY(sb_bench_find(
        bench,
        &(sb_finding){
            "transv18-shake", sb_verdict_of(explode && go_on && !quiet.ended && quiet.most < 10.0 * quiet.first, false),
            sb_bench_format(
                bench,
                "at 1.01 of the limit: shake ends after %.1f s, rattle after %.1f s; vts goes on for all %.0f s, with "
                "jitter of %.2f (beta = 0), %.2f (0.2) and %.2f (1) of its kinetic energy; em goes on, the kick's 1e-9 "
                "m as small as at "
                "the start",
                c[0].end, c[1].end, STEPS * h, c[2].level, c[3].level, c[4].level),
            "a step that fails, or none in 3000",
            "beyond the limit every method grows alike at first; SHAKE then finds no point on the constraints, whereas "
            "velocity time stepping always solves, and its links give way"}));
    return sb_bench_find(
        bench, &(sb_finding){"transv18-trans", sb_verdict_of(onset >= 0.99, false),
                             sb_bench_format(bench,
                                             "transversal share of the jitter energy: at least %.4f while it grows; "
                                             "grown to full size %.2f with beta = 0, "
                                             "%.2f with 0.2, %.2f with 1",
                                             onset, c[2].grown, c[3].grown, c[4].grown),
                             "0.99 while the jitter is below 1e-6 J",
                             "the claim is about linear oscillations. At full size the feedback of violations (beta > "
                             "0) turns most of it into motion "
                             "across the constraints: what starts it is transversal, what one then sees is mixed"});
}

/* ---- Swinging threads: 2/max omega(t). ---- */

static const sb_column swing_columns[] = {
    {"angle", SB_COL_KEY, "deg", "from which the thread swings: n = 5, end mass 10"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h_rest", SB_COL_EXACT, "s", "2/omega of the thread at rest"},
    {"h_start", SB_COL_EXACT, "s",
     "2/omega where it starts; inf: without tension there is no stiffness (horizontal, at rest)"},
    {"h_swing", SB_COL_EXACT, "s", "2/max omega(t) over the swing"},
    {"h_measured", SB_COL_EXACT, "s",
     "largest step with which a kick does not grow by 1e8 in energy over the swing; empty: above twice h_swing"},
    {"ratio", SB_COL_EXACT, "", "h_measured / h_swing"},
};
enum { SWING_COLUMNS = sizeof swing_columns / sizeof swing_columns[0] };
static const double swing = 6.0; /* s, more than a period of a thread 5 m long */

typedef struct top {
    sb_stiffness stiffness;
    double first, most; /* omega^2 */
} top;

static int observe(void *arg, const sb_sample *sample) {
    top *w = arg;
    double omega2;
    SB_TRY(sb_stiffness_evaluate(&w->stiffness, sample->t, sample->q, sample->v));
    SB_TRY(sb_stiffness_top(&w->stiffness, &omega2, NULL));
    w->first = sample->step == 0 ? omega2 : w->first;
    w->most = sb_larger(w->most, omega2);
    return SB_OK;
}

/* omega at the start and the largest along a SHAKE run of 3000 steps of 2 ms, a tenth of 2/omega at its largest or
 * less. */
static int along_swing(sb_bench *bench, const sb_system *sys, double *start, double *largest) {
    top w = {0};
    sb_method method;
    sb_run run = {.h = swing / 3000.0, .steps = 3000, .every = 3};
    SB_TRY(sb_stiffness_init(bench->ctx, &bench->arena, sys, &w.stiffness));
    SB_TRY(sb_method_build(bench->ctx, &bench->arena, "shake", sys, &method));
    const int status = sb_run_method(&method, &run, observe, &w);
    *start = sqrt(w.first);
    *largest = sqrt(w.most);
    return status;
}

/* Bisects between half and twice h; the run is as long in time whatever the step. */
static int limit_in_swing(sb_bench *bench, const sb_pair *pair, double h, double *limit) {
    double lo = 0.5 * h, hi = 2.0 * h;
    sb_blowup_config config = {.kick = 1e-10, .growth = 1e8};
    while (hi - lo > 1e-3 * h) {
        const double middle = 0.5 * (lo + hi);
        sb_growth g;
        config.steps = lround(swing / middle);
        SB_TRY(sb_blowup_growth(bench->ctx, &bench->arena, &config, pair, middle, &g));
        *(g.stable ? &lo : &hi) = middle;
    }
    *limit = hi < 2.0 * h ? lo : NAN;
    return SB_OK;
}

static int swinging(sb_bench *bench) {
    static const double degrees[] = {0.0, 30.0, 60.0, 90.0};
    sb_table table;
    double rest;
    SB_TRY(limit_of(bench, "thread:n=5,end_mass=10", &rest));
    SB_TRY(sb_bench_table(bench, SWING_COLUMNS, swing_columns, &table));
    for (int i = 0; i < 4; i++) {
        const char *problem = sb_bench_format(bench, "thread:n=5,end_mass=10,angle=%.17g", degrees[i] * M_PI / 180.0);
        sb_system sys;
        double first, most;
        SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &sys));
        SB_TRY(along_swing(bench, &sys, &first, &most));
        for (int k = 0; k < 3; k++) {
            const char *stepper = k == 0 ? "shake" : k == 1 ? "vts" : "vts:beta=0.2";
            sb_pair pair;
            SB_TRY(sb_pair_build(bench->ctx, &bench->arena, &sys, stepper, &pair));
            double measured;
            SB_TRY(limit_in_swing(bench, &pair, 2.0 / most, &measured));
            SB_TRY(SB_ROW(&table.sink, sb_real(degrees[i]), sb_text(stepper), sb_real(rest),
                          sb_real(first > 1e-6 ? 2.0 / first : INFINITY), sb_real(2.0 / most),
                          isnan(measured) ? sb_empty() : sb_real(measured),
                          isnan(measured) ? sb_empty() : sb_real(0.5 * measured * most)));
        }
    }
    return sb_bench_save(bench, &table, "transv18_swing.csv");
}

/* ---- The end mass that 60 Hz can bear. ---- */

static const sb_column mass_columns[] = {
    {"n", SB_COL_KEY, "", "particles on links of 0.1 m"},
    {"ratio", SB_COL_EXACT, "", "end mass over the mass of another particle for which 2/omega = 1/60 s"},
    {"stable_below", SB_COL_INFO, "", "whether SHAKE is stable at 0.995 of it"},
    {"unstable_above", SB_COL_INFO, "", "whether SHAKE is unstable at 1.005 of it"},
};
enum { MASS_COLUMNS = sizeof mass_columns / sizeof mass_columns[0] };

static int stable_at(sb_bench *bench, int n, double mass, bool *stable) {
    static const sb_blowup_config config = {.kick = 1e-9, .growth = 1e8, .steps = 2000};
    const char *problem = sb_bench_format(bench, "thread:n=%d,l=0.1,end_mass=%.17g", n, mass);
    sb_pair pair;
    sb_system sys;
    sb_growth g;
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &sys));
    SB_TRY(sb_pair_build(bench->ctx, &bench->arena, &sys, "shake", &pair));
    SB_TRY(sb_blowup_growth(bench->ctx, &bench->arena, &config, &pair, 1.0 / 60.0, &g));
    *stable = g.stable;
    return SB_OK;
}

static int mass_ratio(sb_bench *bench) {
    static const int lengths[] = {2, 3, 5, 10, 20, 40};
    sb_table table;
    SB_TRY(sb_bench_table(bench, MASS_COLUMNS, mass_columns, &table));
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        double lo = 1e-3, hi = 1e4;
        while (hi - lo > 1e-9 * hi) {
            double h;
            const double mass = 0.5 * (lo + hi);
            SB_TRY(limit_of(bench, sb_bench_format(bench, "thread:n=%d,l=0.1,end_mass=%.17g", lengths[i], mass), &h));
            *(h > 1.0 / 60.0 ? &lo : &hi) = mass;
        }
        bool below, above;
        SB_TRY(stable_at(bench, lengths[i], 0.995 * lo, &below));
        SB_TRY(stable_at(bench, lengths[i], 1.005 * lo, &above));
        SB_TRY(SB_ROW(&table.sink, sb_int(lengths[i]), sb_real(lo), sb_text(below ? "yes" : "no"),
                      sb_text(above ? "no" : "yes")));
    }
    return sb_bench_save(bench, &table, "transv18_mass_ratio.csv");
}

static int run(sb_bench *bench) {
    SB_TRY(beyond(bench));
    SB_TRY(swinging(bench));
    SB_TRY(mass_ratio(bench));
    return sb_bench_plot(bench, "transv18_blowup");
}

SB_DEFINE_EXPERIMENT(transv18_blowup) = {
    .entry =
        {"transv18_blowup",
         "Beyond the limit: SHAKE ends, velocity time stepping jitters; swinging threads; the end mass 60 Hz can bear.",
         "transv18", NULL, 0},
    .claims = (const char *const[]){"transv18-shake", "transv18-trans", NULL},
    .files = (const char *const[]){"transv18_blowup.csv", "transv18_swing.csv", "transv18_mass_ratio.csv",
                                   "transv18_blowup.svg", "transv18_blowup.png", NULL},
    .run = run,
};
