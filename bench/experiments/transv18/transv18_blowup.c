/* transv18: runs of SHAKE and velocity time stepping just beyond the limit, with their jitter along and across the
 * constraints; the end mass at which the limit is 1/60 s. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_statistics_double.h>

#include <stepbench/numerics/norm.h>

#include "analysis/row.h"
#include "analysis/stability/blowup.h"
#include "bench/runner/experiment_tools.h"
#include "core/output/sink.h"

/* ---- Beyond the limit: 1.01 of it. ---- */

static const char *const taut = "thread:n=5,end_mass=100,kick=%s";
static const char *const steppers[] = {"shake", "rattle", "vts", "vts:beta=0.2", "vts:beta=1", NULL};
enum { STEPS = 3000, EVERY = 10, EXPLICIT = 2, COUNT = 5, STARTS = 16 };

typedef struct run_summary {
    bool ended;          /* by a failed step */
    double end;          /* time of the last row */
    double share_onset;  /* least transversal share of the jitter, over the rows whose jitter is below 1e-6 J */
    double share_late;   /* mean transversal share in the last quarter of the run */
    double jitter_ratio; /* jitter over kinetic energy in the last quarter */
    double first, most;  /* jitter in the first row, and the largest, J */
} run_summary;

/* Returns the summary of a stepper's run. Motions with a jitter below 1e-6 J are linear: the kinetic energy at 1 m/s is
 * 52 J. */
static run_summary summarise(const sb_table *table, const char *stepper) {
    run_summary c = {.share_onset = 1.0};
    double along = 0.0, whole = 0.0, kinetic = 0.0;
    for (int i = 0; i < table->nrows; i++) {
        if (!sb_table_is(table, i, "stepper", stepper)) {
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
            c.share_onset = fmin(c.share_onset, part / J);
        }
        if (t > 0.75 * STEPS * sb_table_real(table, i, "h")) {
            along += part;
            whole += J;
            kinetic += sb_table_real(table, i, "kinetic");
        }
    }
    c.share_late = along / whole;
    c.jitter_ratio = whole / kinetic;
    return c;
}

/* Computes 2/omega of a problem at its initial state. */
static int limit_of(sb_bench *bench, const char *problem, double *h) {
    sb_system sys;
    sb_limits limits;
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &sys));
    SB_TRY(sb_blowup_predict(bench->ctx, &bench->arena, &sys, &limits));
    *h = limits.projected;
    return SB_OK;
}

/* Summaries of the runs of every method from the same starts. */
typedef struct ensemble {
    double end[COUNT][STARTS], jitter_ratio[COUNT][STARTS], share_late[COUNT][STARTS];
    double min_share;     /* least share_onset of a run */
    double vts_growth;    /* least growth of the jitter of velocity time stepping */
    double em_growth;     /* largest growth of the jitter of em */
    int shake_ended_runs; /* starts in which SHAKE and RATTLE end */
    int vts_stable_runs;  /* starts in which no velocity time stepping ends */
} ensemble;

/* Saves the columns that the figure shows, and the kinetic energy. */
static int save(sb_bench *bench, const sb_table *table) {
    sb_table drawn;
    sb_sink *form;
    sb_table_init(&drawn, &bench->arena);
    SB_TRY(sb_sink_form(bench->ctx, &bench->arena,
                        &(sb_row_form){.columns = "stepper,t,jitter,jitter_transversal,kinetic,status"}, &drawn.sink,
                        &form));
    SB_TRY(sb_table_write(table, form));
    return sb_bench_save_curves(bench, &drawn, "transv18_blowup.csv");
}

/* Runs all methods from start i, with a perturbation of (1 + i/STARTS) 1e-9 m. */
static int run_start(sb_bench *bench, double h, int i, ensemble *e) {
    char kick[32];
    sb_format_real(1e-9 * (1.0 + (double)i / STARTS), kick);
    const char *const problems[] = {sb_bench_format(bench, taut, kick), NULL}, *const em[] = {"em", NULL},
                      *const squares[] = {sb_bench_format(bench, "%s,constraint=square", problems[0]), NULL};
    const char *options = sb_bench_format(bench, "h=%.17g,t_end=%.17g,every=%d", h, STEPS * h, EVERY);
    sb_table table = {0};
    bool ended = true, lasts = true;
    SB_TRY(sb_bench_analyse_more(bench, "jitter", options, problems, steppers, &table));
    SB_TRY(sb_bench_analyse_more(bench, "jitter", options, squares, em, &table));
    SB_TRY(i == 0 ? save(bench, &table) : SB_OK);
    for (int k = 0; k < COUNT; k++) {
        const run_summary c = summarise(&table, steppers[k]);
        ended = ended && (k >= EXPLICIT || c.ended);
        lasts = lasts && (k < EXPLICIT || !c.ended);
        e->end[k][i] = c.end;
        e->jitter_ratio[k][i] = c.jitter_ratio;
        e->share_late[k][i] = c.share_late;
        e->min_share = !(c.share_onset >= e->min_share) ? c.share_onset : e->min_share;
        e->vts_growth = k >= EXPLICIT && !(c.most / c.first >= e->vts_growth) ? c.most / c.first : e->vts_growth;
    }
    const run_summary em_run = summarise(&table, "em");
    e->em_growth = em_run.ended ? (double)NAN : sb_larger(e->em_growth, em_run.most / em_run.first);
    e->shake_ended_runs += ended;
    e->vts_stable_runs += lasts;
    return SB_OK;
}

/* Records the mean over the starts, with their standard deviation. */
static int report(sb_bench *bench, const char *what, const char *stepper, const double *x) {
    return sb_bench_measure(bench, sb_bench_format(bench, "%s-%s", what, stepper), gsl_stats_mean(x, 1, STARTS),
                            gsl_stats_sd(x, 1, STARTS));
}

static int beyond(sb_bench *bench) {
    ensemble *e;
    double h;
    SB_NEW(&bench->arena, e, 1);
    e->min_share = 1.0;
    e->vts_growth = INFINITY;
    SB_TRY(limit_of(bench, "thread:n=5,end_mass=100", &h));
    for (int i = 0; i < STARTS; i++) {
        SB_TRY(run_start(bench, 1.01 * h, i, e));
    }
    SB_TRY(sb_bench_measure(bench, "transv18-shake/ended", e->shake_ended_runs, 0.0));
    SB_TRY(sb_bench_measure(bench, "transv18-shake/vts", e->vts_stable_runs, 0.0));
    SB_TRY(sb_bench_measure(bench, "transv18-shake/growth", log10(e->vts_growth), 0.0));
    SB_TRY(sb_bench_measure(bench, "transv18-trans/onset", e->min_share, 0.0));
    SB_TRY(report(bench, "transv18-shake/end", "shake", e->end[0]));
    for (int k = EXPLICIT; k < COUNT; k++) {
        SB_TRY(report(bench, "transv18-shake/jitter", steppers[k], e->jitter_ratio[k]));
        SB_TRY(report(bench, "transv18-trans/late", steppers[k], e->share_late[k]));
    }
    return sb_bench_measure(bench, "transv18-shake/em", e->em_growth, 0.0);
}

/* ---- The end mass at which the limit is 1/60 s. ---- */

static const sb_column mass_columns[] = {
    {"n", SB_COL_KEY, "", "particles on links of 0.1 m"},
    {"ratio", SB_COL_EXACT, "", "end mass over the mass of another particle for which 2/omega = 1/60 s"},
    {"stable_below", SB_COL_INFO, "", "whether SHAKE is stable at 0.995 of it"},
    {"unstable_above", SB_COL_INFO, "", "whether SHAKE is unstable at 1.005 of it"},
};

static int stable_at(sb_bench *bench, int n, double mass, bool *stable) {
    static const sb_blowup_config config = {.kick = 1e-9, .growth = 1e8, .steps = 2000};
    const char *problem = sb_bench_format(bench, "thread:n=%d,l=0.1,end_mass=%.17g", n, mass);
    sb_pair pair;
    sb_system sys;
    sb_growth g;
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &sys));
    SB_TRY(sb_pair_build(bench->ctx, &bench->arena, &sys, "shake", &pair));
    SB_TRY(sb_blowup_growth(bench->ctx, &bench->arena, &config, &pair, 1.0 / 60.0, NULL, &g));
    *stable = g.stable;
    return SB_OK;
}

static int mass_ratio(sb_bench *bench) {
    static const int lengths[] = {2, 3, 5, 10, 20, 40};
    sb_table table;
    SB_TRY(SB_TABLE(bench, mass_columns, &table));
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
        SB_TRY(SB_ROW(&table.sink, sb_int(lengths[i]), sb_real(lo), sb_yes(below), sb_text(above ? "no" : "yes")));
    }
    return sb_bench_save(bench, &table, "transv18_mass_ratio.csv");
}

static int run(sb_bench *bench) {
    SB_TRY(beyond(bench));
    SB_TRY(mass_ratio(bench));
    return sb_bench_plot(bench, "transv18_blowup");
}

SB_DEFINE_EXPERIMENT(transv18_blowup) = {
    .entry = {"transv18_blowup",
              "Beyond the limit: SHAKE ends, velocity time stepping jitters; the end mass 60 Hz can bear.", "transv18",
              NULL, 0},
    .files = SB_LIST("transv18_blowup.csv", "transv18_mass_ratio.csv", SB_FIGURE("transv18_blowup")),
    .directed = true,
    .run = run,
};
