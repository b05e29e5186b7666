/* spook07 6: the causes for which SHAKE, RK4 with Baumgarte stabilization and Newton refinement of SPOOK break down:
 * flat squares or whiplash. */
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "bench/experiments/spook07/rods_runs.h"
#include "bench/experiments/spook07/spook07_fold.h"

enum { PROBLEMS = 4, METHODS = 8, LAST = 4, DRAWN_EVERY = 2 };

static const char *const problems[PROBLEMS] = {"ladder:N=10", "ladder:N=20", "rod_chain:n=10", "rod_chain:n=20"};
enum { LADDERS = 2 };
/* Returns whether the curves of a problem are drawn: every second one. */
static bool is_drawn(int problem) { return problem % 2 == 0; }

typedef struct method {
    const char *name, *stepper, *formulation;
    bool drawn, singular; /* its curves are drawn; its smallest singular values are measured */
} method;

/* SPOOK and its refinements start as in the paper. */
enum { SHAKE, RK4, SPOOK = 4, NEWTON, CONVERGED = METHODS - 1 };
static const method methods[METHODS] = {
    {"shake", "shake", NULL, true, true},
    {"rk4@baumgarte:alpha=beta=5", "rk4", "baumgarte:alpha=5,beta=5,jacobian=none", false, true},
    {"rk4@baumgarte:alpha=beta=10", "rk4", "baumgarte:alpha=10,beta=10,jacobian=none", true, true},
    {"rk4@baumgarte:alpha=beta=60", "rk4", "baumgarte:alpha=60,beta=60,jacobian=none", false, true},
    {"spook", "spook", NULL, true, false},
    {"spook:newton=1", "spook:newton=1", NULL, true, false},
    {"spook:newton=2", "spook:newton=2", NULL, false, false},
    {"variational_regularized", "variational_regularized", NULL, false, false},
};

/* The step of the paper; in 10 s there are at least three whips. */
static const double step = 1.0 / 60.0, t_end = 10.0;
/* Limits of times are half a step after a sample, so that round-off has no influence. */
static const double half = 0.5 / 60.0;
/* The time that the figure shows; the exact motion is chaotic, and its integration is accurate for the first two
 * seconds. */
static const double shown = 5.0, known = 2.0;
/* The first whip is the largest speed of SPOOK's tip in this time. Later ones belong to the next swings. */
static const double first_swing = 3.0;
/* With constraint violations of 2 % of a rod's length the rods hang lower by 2 % of the range of the energy. */
static const double margin = 0.02;
/* Before the first square falls flat the motion is smooth, and every method follows it. */
static const double smooth = 0.7;
/* A breakdown is at a flat square if the smallest singular value of G is below half of its initial value. Without loops
 * it is not. */
static const double flat = 0.5;

/* The result of one method on one problem. */
typedef struct outcome {
    double end, sigma, whip, turn, tip_error; /* as in the columns */
    sb_rods_sample first;                     /* the first whip */
    int moving, fast, flat; /* samples from the first whip on, those with a fast tip, and those with flat squares */
    double lowest;          /* first start on a ladder: least singular value of G over its initial value */
    const char *cause;
} outcome;
typedef outcome outcomes[PROBLEMS][METHODS][SB_RODS_STARTS];

/* Returns the sample at which the tip is fastest in the first swing. */
static const sb_rods_sample *first_whip(const sb_rods_run *run) {
    int at = 0;
    for (int i = 0; i < run->count && run->at[i].t <= first_swing; i++) {
        at = run->at[i].whip > run->at[at].whip ? i : at;
    }
    return &run->at[at];
}

/* Sets the result of a run but for the shares. */
static void evaluate(const sb_rods_run *run, const sb_rods_run *exact, bool singular, outcome *out) {
    bool above;
    *out = (outcome){.end = sb_rods_failure(run, margin, &above), .cause = ""};
    const bool ended = isfinite(out->end);
    int last = run->count - 1;
    while (ended && last > 0 && run->at[last].t > out->end) {
        last--;
    }
    const bool energy = ended && run->at[last].t == out->end;
    out->cause = !ended ? "" : !energy ? "no solution" : above ? "energy above" : "energy below";
    /* the breakdown happened before the first sample whose energy is outside */
    const int to = energy ? last - 1 : last, from = to - LAST + 1;
    const double first = singular && ended ? sb_rods_sigma(run, 0) : (double)NAN;
    out->sigma = singular && ended ? (double)INFINITY : (double)NAN;
    for (int i = from < 0 ? 0 : from; ended && i <= to; i++) {
        out->turn = sb_larger(out->turn, step * run->at[i].spin);
        out->sigma = singular ? fmin(out->sigma, sb_rods_sigma(run, i) / first) : out->sigma;
    }
    out->whip = run->at[to].whip;
    out->first = *first_whip(run);
    out->tip_error = exact->count > 0 ? 0.0 : (double)NAN;
    for (int i = 0; i < run->count && i < exact->count && run->at[i].t <= smooth + half; i++) {
        out->tip_error = sb_larger(out->tip_error,
                                   hypot(run->at[i].tip_x - exact->at[i].tip_x, run->at[i].tip_y - exact->at[i].tip_y));
    }
}

static int add_curve(sb_table *curves, const char *problem, const char *name, bool singular, const sb_rods_run *run) {
    for (int i = 0; i < run->count && run->at[i].t <= shown + half; i++) {
        const double energy = (run->at[i].energy - run->start) / (run->start - run->lowest);
        const bool inside = energy <= margin && energy >= -1.0 - margin;
        if (i % DRAWN_EVERY > 0 && inside && i + 1 < run->count) {
            continue;
        }
        SB_TRY(SB_TABLE_ROW(curves, sb_text(problem), sb_text(name), sb_real(run->at[i].t), sb_real(energy),
                            singular ? sb_real(sb_rods_sigma(run, i)) : sb_empty(), sb_real(run->at[i].whip)));
        if (!inside) {
            break; /* the run has failed */
        }
    }
    return SB_OK;
}

/* Counts the samples of a run, from the first whip to its end, at which a breakdown would count as one with a fast tip
 * or at a flat square. */
static void count_base(const sb_rods_run *run, const sb_rods_sample *whip, bool singular, outcome *o) {
    double least[LAST] = {INFINITY, INFINITY, INFINITY, INFINITY};
    const double first = singular ? sb_rods_sigma(run, 0) : (double)NAN;
    o->lowest = INFINITY;
    for (int i = 0; i < run->count && run->at[i].t < o->end; i++) {
        if (run->at[i].t >= whip->t) {
            least[i % LAST] = singular ? sb_rods_sigma(run, i) : (double)INFINITY;
            o->moving++;
            o->fast += run->at[i].whip >= 0.5 * whip->whip;
            o->flat += fmin(fmin(least[0], least[1]), fmin(least[2], least[3])) < flat * first;
            o->lowest = fmin(o->lowest, least[i % LAST] / first);
        }
    }
}

/* Returns an empty cell for NaN and infinity, else a number. */
static sb_cell finite_cell(double x) { return isfinite(x) ? sb_real(x) : sb_empty(); }

/* Runs all methods from one start, in memory that is freed. */
static int run_start(sb_bench *bench, int p, int start, sb_table *table, sb_table *curves, outcomes all) {
    const bool drawn = start == 0 && is_drawn(p);
    SB_SCRATCH_BENCH(scratch, bench);
    sb_rods_run exact = {0};
    /* the reduction to angles, sampled at the steps; its energy error stays below 1e-7 of the range up to 2 s where it
     * is drawn, and up to 0.7 s elsewhere */
    const int parts = drawn ? 16 : 4;
    const sb_rods_task reduced = {sb_rods_start(&scratch, problems[p], start),
                                  "chart",
                                  "rk4",
                                  step / parts,
                                  drawn ? known : smooth,
                                  parts,
                                  drawn,
                                  false};
    if (p < LADDERS || drawn) {
        SB_TRY(sb_rods_follow(&scratch, &reduced, &exact));
    }
    SB_TRY(drawn ? add_curve(curves, problems[p], "exact", true, &exact) : SB_OK);
    for (int j = 0; j < METHODS; j++) {
        const int k = (SPOOK + j) % METHODS; /* SPOOK first, for the first whip */
        const method *m = &methods[k];
        const sb_rods_task task = {
            sb_rods_start(&scratch, problems[p], start), m->formulation, m->stepper, step, t_end, 1, true, k >= SPOOK};
        outcome *o = &all[p][k][start];
        sb_rods_run run;
        SB_TRY(sb_rods_follow(&scratch, &task, &run));
        evaluate(&run, &exact, m->singular, o);
        const bool ended = isfinite(o->end), sampled = p == 0 && start == 0 && k <= SPOOK;
        count_base(&run, &all[p][SPOOK][start].first, sampled, o);
        SB_TRY(SB_TABLE_ROW(table, sb_text(problems[p]), sb_text(m->name), sb_int(start), finite_cell(o->end),
                            sb_text(o->cause), finite_cell(o->sigma), ended ? sb_real(o->whip) : sb_empty(),
                            ended ? sb_real(o->turn) : sb_empty(), finite_cell(o->tip_error)));
        if (drawn && m->drawn) {
            SB_TRY(add_curve(curves, problems[p], m->stepper, m->singular, &run));
        }
    }
    return SB_OK;
}

/* Numbers of runs and of breakdowns; of the latter those at flat squares, with a fast tip, and with too much energy or
 * without a solution. */
typedef struct summary {
    int runs, ended, flat, fast, gained;
    double base_fast, base_flat; /* shares of the samples of the runs */
    double effective;            /* number of independent runs, from their times of breakdown */
    double ratio, spread;        /* time of breakdown over that of the first whip: median, half of the range */
} summary;

/* Returns the summary of the methods [first, last] on the problems [from, to). */
static summary summarize(outcomes all, int from, int to, int first, int last) {
    summary s = {0};
    double moving = 0.0, sampled = 0.0, ratio[PROBLEMS * METHODS * SB_RODS_STARTS];
    for (int p = from; p < to; p++) {
        for (int k = first; k <= last; k++) {
            double ends[SB_RODS_STARTS];
            s.base_flat += all[0][k][0].flat;
            sampled += all[0][k][0].moving;
            for (int i = 0; i < SB_RODS_STARTS; i++) {
                const outcome *o = &all[p][k][i];
                s.runs++;
                s.base_fast += o->fast;
                moving += o->moving;
                ends[i] = fmin(o->end, t_end);
                if (isfinite(o->end)) {
                    s.fast += o->whip >= 0.5 * all[p][SPOOK][i].first.whip;
                    ratio[s.ended++] = o->end / all[p][SPOOK][i].first.t;
                    s.flat += o->sigma < flat;
                    s.gained += strcmp(o->cause, "energy below") != 0;
                }
            }
            s.effective += sb_bench_effective(SB_RODS_STARTS, SB_RODS_SIDES, ends);
        }
    }
    gsl_sort(ratio, 1, (size_t)s.ended);
    s.base_flat /= sampled;
    s.base_fast /= moving;
    s.ratio = s.ended > 0 ? gsl_stats_median_from_sorted_data(ratio, 1, (size_t)s.ended) : (double)NAN;
    s.spread = s.ended > 0 ? 0.5 * (ratio[s.ended - 1] - ratio[0]) : (double)NAN;
    return s;
}

/* Measures the time of breakdown. */
static int measure_time(sb_bench *bench, const char *what, const summary *s) {
    return sb_bench_measure(bench, sb_bench_format(bench, "%s-time", what), s->ratio, s->spread);
}

/* Returns the probability that of n breakdowns at random times a share of at least `share` falls into the part `base`
 * of the motion: the tail of the binomial distribution, for any real n. */
static double chance(double share, double base, double n) {
    return share > 0.0 ? gsl_cdf_beta_P(base, share * n, n - share * n + 1.0) : 1.0;
}

/* Measures the breakdowns on ladders by the methods [first, last]: their number, the shares of them with a fast tip of
 * each method and of the motion from the first whip on, the share at flat squares, and the probabilities of such shares
 * by chance: of flat squares, and of the method with the most telling share of a fast tip, times their number. */
static int measure_breakdown(sb_bench *bench, const char *what, outcomes all, int first, int last) {
    const summary s = summarize(all, 0, LADDERS, first, last);
    const double low = (double)s.flat / s.ended;
    double least = 1.0;
    for (int k = first; k <= last; k++) {
        const summary one = summarize(all, 0, LADDERS, k, k);
        const double n = one.effective, fast = (double)one.fast / one.ended;
        least = fmin(least, (last - first + 1) * chance(fast, one.base_fast, n));
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "%s-fast-%s", what, methods[k].name), fast,
                                sqrt(fast * (1.0 - fast) / n)));
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "%s-fast-motion-%s", what, methods[k].name),
                                one.base_fast, 0.0));
    }
    SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "%s-fast-chance", what), least, 0.0));
    SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "%s-runs", what), s.ended, 0.0));
    SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "%s-effective", what), s.effective, 0.0));
    SB_TRY(
        sb_bench_measure(bench, sb_bench_format(bench, "%s-flat", what), low, sqrt(low * (1.0 - low) / s.effective)));
    SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "%s-flat-motion", what), s.base_flat, 0.0));
    SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "%s-flat-chance", what),
                            chance(low, s.base_flat, s.effective), 0.0));
    return measure_time(bench, what, &s);
}

static int record_rivals(sb_bench *bench, outcomes all) {
    const summary shake_chain = summarize(all, LADDERS, PROBLEMS, SHAKE, SHAKE),
                  rk4_chain = summarize(all, LADDERS, PROBLEMS, RK4, SPOOK - 1),
                  spook = summarize(all, 0, PROBLEMS, SPOOK, SPOOK),
                  spook_ladder = summarize(all, 0, LADDERS, SPOOK, SPOOK);
    SB_TRY(measure_breakdown(bench, "spook07-shake/ladders", all, SHAKE, SHAKE));
    SB_TRY(measure_time(bench, "spook07-shake/chains", &shake_chain));
    SB_TRY(sb_bench_measure(bench, "spook07-shake/spook", spook.ended, 0.0));
    SB_TRY(sb_bench_measure(bench, "spook07-degenerate/ladders", spook_ladder.ended, 0.0));
    SB_TRY(sb_bench_measure(bench, "spook07-degenerate/lowest", all[0][SPOOK][0].lowest, 0.0));
    SB_TRY(measure_breakdown(bench, "spook07-rk4/ladders", all, RK4, SPOOK - 1));
    return measure_time(bench, "spook07-rk4/chains", &rk4_chain);
}

static int record_newton(sb_bench *bench, outcomes all) {
    const summary refined = summarize(all, 0, LADDERS, NEWTON, CONVERGED - 1),
                  converged = summarize(all, 0, PROBLEMS, CONVERGED, CONVERGED),
                  chain = summarize(all, LADDERS, PROBLEMS, NEWTON, CONVERGED),
                  ladder = summarize(all, 0, LADDERS, NEWTON, CONVERGED);
    double least = (double)INFINITY;
    int improved = 0;
    for (int i = 0; i < LADDERS * (METHODS - NEWTON) * SB_RODS_STARTS; i++) {
        const int p = i % LADDERS, k = NEWTON + i / LADDERS % (METHODS - NEWTON),
                  start = i / LADDERS / (METHODS - NEWTON);
        const double ratio = all[p][k][start].tip_error / all[p][SPOOK][start].tip_error;
        improved += ratio < 0.5;
        least = fmin(least, ratio);
    }
    SB_TRY(sb_bench_measure(bench, "spook07-newton/improved", improved, 0.0));
    SB_TRY(sb_bench_measure(bench, "spook07-newton/tip", least, 0.0));
    SB_TRY(sb_bench_measure(bench, "spook07-newton/gain", refined.gained, 0.0));
    SB_TRY(measure_time(bench, "spook07-newton/chains", &chain));
    SB_TRY(measure_time(bench, "spook07-newton/ladders", &ladder));
    SB_TRY(sb_bench_measure(bench, "spook07-newton/effective", ladder.effective, 0.0));
    return sb_bench_measure(bench, "spook07-newton/converged", converged.ended, 0.0);
}

/* Records the folds at which the branches of solutions of (26) end where Newton's method fails. */
static int record_folds(sb_bench *bench) {
    double least = (double)INFINITY, largest = 0.0, sum = 0.0;
    bool ends = true;
    sb_table table;
    SB_TRY(sb_bench_table(bench, "spook07_breakdown_folds", &table));
    for (int p = 0; p < PROBLEMS; p++) {
        sb_fold f;
        SB_TRY(sb_spook07_fold(bench, problems[p], step, lround(t_end / step), &f));
        SB_TRY(SB_TABLE_ROW(&table, sb_text(problems[p]), sb_real(f.t), sb_real(f.s), sb_real(f.singular),
                            sb_real(f.exponent)));
        sum += f.exponent;
        least = fmin(least, f.exponent);
        largest = fmax(largest, f.exponent);
        ends = ends && f.s < 1.0;
    }
    SB_TRY(sb_bench_measure(bench, "spook07-newton/fold", ends, 0.0));
    SB_TRY(sb_bench_measure(bench, "spook07-newton/fold-power", sum / PROBLEMS, 0.5 * (largest - least)));
    return sb_bench_save(bench, &table, "spook07_breakdown_folds.csv");
}

SB_DEFINE_EXPERIMENT(spook07_breakdown) {
    sb_table table, curves;
    outcome(*all)[METHODS][SB_RODS_STARTS];
    SB_NEW(&bench->arena, all, PROBLEMS);
    SB_TRY(sb_bench_table(bench, "spook07_breakdown", &table));
    SB_TRY(sb_bench_table(bench, "spook07_breakdown_curves", &curves));
    for (int i = 0; i < PROBLEMS * SB_RODS_STARTS; i++) {
        SB_TRY(run_start(bench, i / SB_RODS_STARTS, i % SB_RODS_STARTS, &table, &curves, all));
    }
    SB_TRY(sb_bench_save(bench, &table, "spook07_breakdown.csv"));
    SB_TRY(sb_bench_save_curves(bench, &curves, "spook07_breakdown_curves.csv"));
    SB_TRY(record_rivals(bench, all));
    SB_TRY(record_newton(bench, all));
    return record_folds(bench);
}
