/* transv18: runs of SHAKE and velocity time stepping just beyond the limit, with their jitter along and across the
 * constraints; the end mass at which the limit is 1/60 s. */

#include "analysis/row.h"
#include "analysis/stability/bisect.h"
#include "analysis/stability/blowup.h"
#include "bench/runner/experiment_tools.h"

/* ---- Beyond the limit: 1.01 of it. ---- */

static const double beyond_limit = 1.01;
static const char *const steppers[] = {"shake", "rattle", "vts", "vts:beta=0.2", "vts:beta=1", NULL};
enum { STEPS = 3000, EVERY = 10, GROWS = 200, LATER_EVERY = 40, COUNT = 5 };
/* Hanging threads; the fifth is drawn. */
enum { LENGTHS = 4, MASSES = 4, THREADS = LENGTHS * MASSES, DRAWN = 5 };
static const int lengths[LENGTHS] = {3, 5, 8, 12};
static const double masses[MASSES] = {30.0, 100.0, 300.0, 1000.0};

/* Writes the summary of a stepper's run. Motions with a jitter below 1e-6 J are linear: the kinetic energy at 1 m/s is
 * 52 J. The first row that counts is at step EVERY, where the growing part of the kick leaves nothing of the other. */
static int summarise(const sb_table *table, int n, double mass, const char *stepper, sb_table *out) {
    double along = 0.0, whole = 0.0, kinetic = 0.0, end = 0.0, first = 0.0, most = 0.0;
    double from = NAN, at_from = NAN, to = NAN, at_to = NAN;
    bool ended = false;
    for (int i = 0; i < table->nrows; i++) {
        if (!sb_table_is(table, i, "stepper", stepper)) {
            continue;
        }
        const double t = sb_table_real(table, i, "t"), J = sb_table_real(table, i, "jitter"),
                     part = sb_table_real(table, i, "jitter_transversal"), h = sb_table_real(table, i, "h");
        if (isnan(t)) {
            ended = true;
            continue;
        }
        end = t / h;
        first = first > 0.0 ? first : J;
        most = sb_larger(most, J);
        if (most < 1e-6) {
            from = isnan(from) && end > EVERY - 0.5 ? log(J) : from;
            at_from = isnan(at_from) && end > EVERY - 0.5 ? end : at_from;
            to = log(J);
            at_to = end;
        }
        if (end > 0.75 * STEPS) {
            along += part;
            whole += J;
            kinetic += sb_table_real(table, i, "kinetic");
        }
    }
    const double growth = (to - from) / (at_to - at_from) / (4.0 * acosh(beyond_limit));
    return SB_TABLE_ROW(out, sb_int(n), sb_real(mass), sb_text(stepper), sb_int(ended), sb_real(round(end)),
                        sb_real(log10(most / first)), sb_known(growth), sb_known(along / whole),
                        sb_known(whole / kinetic));
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

/* Saves the columns that the figure shows, and the kinetic energy: every row while the jitter grows, later every
 * fourth. */
static int save(sb_bench *bench, const sb_table *table) {
    sb_table drawn;
    SB_TRY(sb_bench_table(bench, "transv18_blowup", &drawn));
    for (int i = 0; i < table->nrows; i++) {
        const double t = sb_table_real(table, i, "t"), step = round(t / sb_table_real(table, i, "h"));
        if (step <= GROWS || fmod(step, LATER_EVERY) < EVERY) { /* not the failure of a run, which has no t */
            SB_TRY(SB_TABLE_ROW(&drawn, sb_text(sb_table_text(table, i, "stepper")), sb_real(t),
                                sb_real(sb_table_real(table, i, "jitter")),
                                sb_real(sb_table_real(table, i, "jitter_transversal")),
                                sb_real(sb_table_real(table, i, "kinetic"))));
        }
    }
    return sb_bench_save_curves(bench, &drawn, "transv18_blowup.csv");
}

/* Runs all methods on a thread at 1.01 of its limit. */
static int run_thread(sb_bench *bench, int i, sb_table *out) {
    const int n = lengths[i / MASSES];
    const double mass = masses[i % MASSES];
    const char *const thread = sb_bench_format(bench, "thread:n=%d,end_mass=%g", n, mass),
                      *const problems[] = {sb_bench_format(bench, "%s,kick=1e-9", thread), NULL},
                      *const squares[] = {sb_bench_format(bench, "%s,constraint=square", problems[0]), NULL};
    sb_table table = {0};
    double h;
    SB_TRY(limit_of(bench, thread, &h));
    h *= beyond_limit;
    const char *options = sb_bench_format(bench, "h=%.17g,t_end=%.17g,every=%d", h, STEPS * h, EVERY);
    SB_TRY(sb_bench_analyse_more(bench, "jitter", options, problems, steppers, &table));
    SB_TRY(sb_bench_analyse_more(bench, "jitter", options, squares, SB_LIST("em"), &table));
    for (int k = 0; k < COUNT; k++) {
        SB_TRY(summarise(&table, n, mass, steppers[k], out));
    }
    SB_TRY(summarise(&table, n, mass, "em", out));
    return i == DRAWN ? save(bench, &table) : SB_OK;
}

/* Returns the effective number of independent runs of a stepper, by a column: from the threads of one length, in the
 * order of their end masses. */
static double independent(const sb_table *runs, const char *stepper, const char *column) {
    double x[THREADS], sum = 0.0;
    int count = 0;
    for (int i = 0; i < runs->nrows && count < THREADS; i++) {
        if (sb_table_is(runs, i, "stepper", stepper)) {
            x[count++] = sb_table_real(runs, i, column);
        }
    }
    for (int k = 0; k < LENGTHS; k++) {
        sum += sb_bench_effective(MASSES, 1, x + k * MASSES);
    }
    return count == THREADS ? sum : (double)NAN;
}

static int beyond(sb_bench *bench) {
    sb_table runs;
    SB_TRY(sb_bench_table(bench, "transv18_jitter", &runs));
    for (int i = 0; i < THREADS; i++) {
        SB_TRY(run_thread(bench, i, &runs));
    }
    double jittering = 0.0;
    for (int k = 2; k < COUNT; k++) {
        jittering += independent(&runs, steppers[k], "ratio");
    }
    /* RATTLE has the positions of SHAKE. */
    SB_TRY(sb_bench_measure(bench, "transv18-shake/effective-ended", independent(&runs, "shake", "end"), 0.0));
    SB_TRY(sb_bench_measure(bench, "transv18-shake/effective-vts", jittering, 0.0));
    return sb_bench_save(bench, &runs, "transv18_jitter.csv");
}

/* ---- The end mass at which the limit is 1/60 s. ---- */

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

/* The threads of n particles. */
typedef struct threads {
    sb_bench *bench;
    int n;
} threads;

/* Sets the verdict on an end mass: 2/omega is at least 1/60 s. */
static int judge(void *arg, double mass, sb_bounded *verdict) {
    const threads *of = arg;
    double h;
    SB_TRY(limit_of(of->bench, sb_bench_format(of->bench, "thread:n=%d,l=0.1,end_mass=%.17g", of->n, mass), &h));
    *verdict = h > 1.0 / 60.0 ? SB_BOUNDED : SB_GROWS;
    return SB_OK;
}

static int mass_ratio(sb_bench *bench) {
    static const int sizes[] = {2, 3, 5, 10, 20, 40};
    sb_table table;
    SB_TRY(sb_bench_table(bench, "transv18_mass_ratio", &table));
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        double lo = 1e-3, hi = 1e4;
        bool below, above;
        SB_TRY(sb_bisect(judge, &(threads){bench, sizes[i]}, SB_BOUNDED, 1e-9, &lo, &hi));
        SB_TRY(stable_at(bench, sizes[i], 0.995 * lo, &below));
        SB_TRY(stable_at(bench, sizes[i], 1.005 * lo, &above));
        SB_TRY(SB_TABLE_ROW(&table, sb_int(sizes[i]), sb_real(lo), sb_yes(below), sb_text(above ? "no" : "yes")));
    }
    return sb_bench_save(bench, &table, "transv18_mass_ratio.csv");
}

SB_DEFINE_EXPERIMENT(transv18_blowup) {
    SB_TRY(beyond(bench));
    return mass_ratio(bench);
}
