/* transv18: the measured largest stable step of constrained steppers over 2/omega of three spectra of the geometric
 * stiffness: at rest, and of swinging threads. */
#include "analysis/modes/spectra_dense.h"
#include "analysis/row.h"
#include "analysis/stability/bisect.h"
#include "analysis/stability/blowup.h"
#include "bench/runner/experiment_tools.h"

/* ---- At rest. ---- */

/* Hanging threads are straight, and the three spectra agree. They differ for the others: catenaries, unequal masses,
 * rods. The form of a constraint has no influence on the limit. */
static const char *const limited_problems[] = {"thread:n=1,end_mass=1",
                                               "thread:n=1,end_mass=10",
                                               "thread:n=1,end_mass=100",
                                               "thread:n=1,end_mass=1000",
                                               "thread:n=2,end_mass=1",
                                               "thread:n=2,end_mass=10",
                                               "thread:n=2,end_mass=100",
                                               "thread:n=2,end_mass=1000",
                                               "thread:n=5,end_mass=1",
                                               "thread:n=5,end_mass=10",
                                               "thread:n=5,end_mass=100",
                                               "thread:n=5,end_mass=1000",
                                               "thread:n=20,end_mass=1",
                                               "thread:n=20,end_mass=10",
                                               "thread:n=20,end_mass=100",
                                               "thread:n=20,end_mass=1000",
                                               "thread:n=3,span=0.5,masses=[1,10,2]",
                                               "thread:n=5,span=0.6",
                                               "thread:n=5,span=0.6,masses=[1,20,3,50,2]",
                                               "thread:n=5,span=0.9,masses=[5,1,40,1,5]",
                                               "thread:n=8,span=0.3,masses=[1,4,1,9,1,2,30,1]",
                                               "thread:n=4,dim=3,end_mass=30",
                                               "thread:n=5,span=0.6,masses=[1,20,3,50,2],dim=3",
                                               "thread:n=8,span=0.3,dim=3",
                                               "rod_chain:n=2,theta0=0",
                                               "rod_chain:n=5,theta0=0",
                                               "thread:n=5,end_mass=10,constraint=square",
                                               "thread:n=5,span=0.6,masses=[1,20,3,50,2],constraint=square",
                                               NULL};

/* With the default eps of SPOOK, 1e-8, a force of 10^4 N would stretch a link by 1e-4 and change the limit by half of
 * that. */
static const char *const limited[] = {"shake",      "rattle",          "vts", "vts:beta=0.2",
                                      "vts:beta=1", "spook:eps=1e-10", "reg", NULL};

/* Systems for steppers without a limit: the midpoint rule with a penalty, and em, which supports only quadratic
 * constraints. The largest h is at least 8/omega. */
static const char *const threads[] = {"thread:n=2,end_mass=10", "thread:n=5,end_mass=10",
                                      "thread:n=5,span=0.6,masses=[1,20,3,50,2]"};
static const char *const quadratic[] = {"pendulum:theta0=0",
                                        "rod_chain:n=2,theta0=0",
                                        "rod_chain:n=5,theta0=0",
                                        "thread:n=2,end_mass=10,constraint=square",
                                        "thread:n=10,end_mass=100,constraint=square",
                                        "thread:n=5,span=0.6,masses=[1,20,3,50,2],constraint=square",
                                        "thread:n=5,span=0.6,masses=[1,20,3,50,2],dim=3,constraint=square",
                                        NULL};
static const char *const steps = "h=[0.05,0.2,0.8,2.5]";

static int at_rest(sb_bench *bench) {
    sb_table rows, roots;
    SB_TRY(sb_bench_analyse(bench, "blowup", "growth=1e7,steps=500,tol=1e-6", limited_problems, limited, &rows));
    SB_TRY(sb_bench_save(bench, &rows, "transv18_limit.csv"));
    SB_TRY(sb_bench_analyse(bench, "amplification", steps, quadratic, SB_LIST("em"), &roots));
    sb_table_init(&rows, &bench->arena);
    SB_TRY(sb_analysis_run(bench->ctx, "amplification", steps, SB_COUNT(threads), threads, 1,
                           SB_LIST("penalty:eps=1e-4"), 1, SB_LIST("midpoint"), NULL, &rows.sink));
    SB_TRY(sb_bench_append(&roots, &rows));
    return sb_bench_save(bench, &roots, "transv18_roots.csv");
}

/* ---- Swinging threads: 2/max omega(t). ---- */

enum { STARTS = 5, LONGEST = 4 };
static const double swing = 6.0; /* s, more than a period of a thread 5 m long */

/* Computes omega at the start and the largest along a SHAKE run of 3000 steps of 2 ms, at most a tenth of the least
 * 2/omega. */
static int along_swing(sb_bench *bench, const char *problem, double *start, double *largest) {
    const sb_run run = {.h = swing / 3000.0, .steps = 3000, .every = 3};
    sb_stiffness stiffness;
    sb_path path;
    double first = (double)NAN, most = 0.0;
    SB_TRY(sb_bench_whole_path(bench, problem, "", "shake", &run, &path));
    SB_TRY(sb_stiffness_init(bench->ctx, &bench->arena, &path.sys, &stiffness));
    for (long k = 0; k < path.count; k++) {
        double omega2;
        SB_TRY(sb_stiffness_evaluate(&stiffness, path.t[k], path.q + k * path.n, path.v + k * path.n));
        SB_TRY(sb_stiffness_top(&stiffness, &omega2));
        first = k == 0 ? omega2 : first;
        most = sb_larger(most, omega2);
    }
    *start = sqrt(first);
    *largest = sqrt(most);
    return SB_OK;
}

typedef struct swings {
    sb_bench *bench;
    const sb_pair *pair;
} swings;

/* Sets the verdict on a step, by the growth of a perturbation. All runs have the same duration. */
static int judge(void *arg, double h, sb_bounded *verdict) {
    const swings *s = arg;
    const sb_blowup_config config = {.kick = 1e-10, .growth = 1e8, .steps = lround(swing / h)};
    sb_growth g;
    SB_TRY(sb_blowup_growth(s->bench->ctx, &s->bench->arena, &config, s->pair, h, NULL, &g));
    *verdict = g.stable ? SB_BOUNDED : SB_GROWS;
    return SB_OK;
}

/* Finds the smallest step of h/2 times powers of 1.02 with which a perturbation grows; NaN if there is none up to
 * LONGEST h. Steps larger than the first unstable one may be stable again. */
static int limit_in_swing(sb_bench *bench, const sb_pair *pair, double h, double *limit) {
    double lo = 0.0, hi = 0.5 * h;
    SB_TRY(sb_raise_to_unstable(judge, &(swings){bench, pair}, 1.02, LONGEST * h, &lo, &hi));
    *limit = hi > 0.0 ? hi : (double)NAN;
    return SB_OK;
}

/* Writes a row for each stepper and each start around an angle. */
static int swing_from(sb_bench *bench, double degrees, double rest, sb_table *table) {
    static const char *const moving[] = {"shake", "vts", "vts:beta=0.2"};
    sb_system sys[STARTS];
    double angle[STARTS], first[STARTS], most[STARTS];
    for (int i = 0; i < STARTS; i++) {
        angle[i] = degrees + (i - (STARTS - 1));
        const char *problem = sb_bench_format(bench, "thread:n=5,end_mass=10,angle=%.17g", angle[i] * M_PI / 180.0);
        SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &sys[i]));
        SB_TRY(along_swing(bench, problem, &first[i], &most[i]));
    }
    for (int k = 0; k < SB_COUNT(moving) * STARTS; k++) {
        const int i = k % STARTS;
        sb_pair pair;
        double measured;
        SB_TRY(sb_pair_build(bench->ctx, &bench->arena, &sys[i], moving[k / STARTS], &pair));
        SB_TRY(limit_in_swing(bench, &pair, 2.0 / most[i], &measured));
        SB_TRY(SB_TABLE_ROW(table, sb_real(angle[i]), sb_text(moving[k / STARTS]), sb_real(rest),
                            sb_real(first[i] > 1e-6 ? 2.0 / first[i] : INFINITY), sb_real(2.0 / most[i]),
                            sb_known(measured), isnan(measured) ? sb_empty() : sb_real(0.5 * measured * most[i])));
    }
    return SB_OK;
}

/* Writes swings from around three angles. */
static int swinging(sb_bench *bench) {
    static const double degrees[] = {30.0, 60.0, 75.0};
    sb_system sys;
    sb_limits limits;
    sb_table table;
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, "thread:n=5,end_mass=10", 0, NULL, &sys));
    SB_TRY(sb_blowup_predict(bench->ctx, &bench->arena, &sys, &limits));
    SB_TRY(sb_bench_table(bench, "transv18_swing", &table));
    for (int i = 0; i < SB_COUNT(degrees); i++) {
        SB_TRY(swing_from(bench, degrees[i], limits.projected, &table));
    }
    return sb_bench_save(bench, &table, "transv18_swing.csv");
}

SB_DEFINE_EXPERIMENT(transv18_limit) {
    SB_TRY(at_rest(bench));
    return swinging(bench);
}
