/* Ranks methods per class of problems: points on the Pareto front, and the evaluations for four errors; and the same
 * runs with their processor times. The classes: explicit methods without constraints, and methods for constraints of
 * index 3 with a constant and with a variable mass. */
#include "bench/card/pareto.h"
#include "bench/card/workprec_time.h"
#include "bench/runner/experiment_tools.h"

/* Steps from a tenth to 1/80 of the time scale, at which methods of order eight reach round-off. */
static const char *const options = "levels=4,tol=[1e-3,1e-5,1e-7,1e-9]";

#define FREE                                                                                                           \
    SB_LIST("verlet", "rk4", "rkn", "yoshida4(verlet)", "kahan_li8(verlet)", "splitting:method=srkn14a",               \
            "gauss:stages=4", "rkn_pair", "odeiv2", "odeiv2:method=rkf45", "adaptive(verlet)",                         \
            "adaptive_reversible(kahan_li8(verlet))")
#define CONSTRAINED                                                                                                    \
    SB_LIST("rattle", "yoshida4(rattle)", "kahan_li8(rattle)", "lobatto_iiia_b", "radau_iia", "generalized_alpha",     \
            "bdf", "projection(rk4)", "odeiv2", "odeiv2:method=rkf45")
#define MULTIBODY SB_LIST("radau_iia", "bdf", "generalized_alpha", "projection(rk4)", "odeiv2", "odeiv2:method=rkf45")

#define NONHOLONOMIC SB_LIST("radau_iia", "bdf", "projection(rk4)", "odeiv2", "odeiv2:method=rkf45")

/* Runs `workprec` for every problem and keeps the rows in `out`. */
static int run_problems(sb_bench *bench, sb_table *out) {
    const struct {
        const char *problem;
        const char *const *steppers;
    } classes[] = {{"kepler:e=0.6", FREE},    {"outer_solar_system", FREE}, {"fput", FREE},
                   {"pendulum", CONSTRAINED}, {"dsp", CONSTRAINED},         {"ladder:N=1", CONSTRAINED},
                   {"andrews", MULTIBODY},    {"car_axis", NONHOLONOMIC},   {"heavy_top", MULTIBODY}};
    *out = (sb_table){0};
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++) {
        SB_TRY(
            sb_bench_analyse_more(bench, "workprec", options, SB_LIST(classes[k].problem), classes[k].steppers, out));
    }
    return SB_OK;
}

enum { LIMITS = 4 };
static const double limits[LIMITS] = {1e-2, 1e-4, 1e-6, 1e-8};

static const sb_column columns[] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"rank", SB_COL_EXACT, "", "place by the points on the front, then by the smallest error limit that is met"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"front", SB_COL_EXACT, "", "runs that no other run of the problem surpasses in both evaluations and error"},
    {"error_2", SB_COL_EXACT, "",
     "evaluations of the cheapest run with an error of q of at most 1e-2 |q|; empty: none"},
    {"error_4", SB_COL_EXACT, "", "the same for 1e-4"},
    {"error_6", SB_COL_EXACT, "", "the same for 1e-6"},
    {"error_8", SB_COL_EXACT, "", "the same for 1e-8"},
};

typedef struct entrant {
    const char *stepper;
    int front, met;
    sb_cell least[LIMITS]; /* empty: the limit is not met */
} entrant;

/* Returns the results of the stepper of row i on its problem. */
static entrant collect(const sb_table *table, const bool *on, int i) {
    const char *problem = sb_table_text(table, i, "problem"), *stepper = sb_table_text(table, i, "stepper");
    entrant e = {.stepper = stepper, .front = sb_pareto_count(table, on, problem, stepper)};
    const int evaluations = sb_table_column(table, "evaluations");
    for (int k = 0; k < LIMITS; k++) {
        int least = -1;
        for (int j = 0; j < table->nrows; j++) {
            if (sb_table_is(table, j, "problem", problem) && sb_table_is(table, j, "stepper", stepper) &&
                sb_table_real(table, j, "err_relative") <= limits[k] &&
                !(least >= 0 && sb_table_real(table, least, "evaluations") <= sb_table_real(table, j, "evaluations"))) {
                least = j;
            }
        }
        e.least[k] = least >= 0 ? table->cells[least * table->ncolumns + evaluations] : sb_empty();
        e.met += least >= 0;
    }
    return e;
}

static bool before(const entrant *a, const entrant *b) {
    return a->front != b->front ? a->front > b->front : a->met > b->met;
}

static int write_class(const char *problem, int count, entrant *list, sb_sink *out) {
    for (int i = 1; i < count; i++) {
        for (int j = i; j > 0 && before(&list[j], &list[j - 1]); j--) {
            const entrant swap = list[j];
            list[j] = list[j - 1];
            list[j - 1] = swap;
        }
    }
    for (int i = 0; i < count; i++) {
        const sb_cell *least = list[i].least;
        SB_TRY(SB_ROW(out, sb_text(problem), sb_int(i + 1), sb_text(list[i].stepper), sb_int(list[i].front), least[0],
                      least[1], least[2], least[3]));
    }
    return SB_OK;
}

static int run(sb_bench *bench) {
    sb_table points, ranking;
    bool *on;
    entrant *list;
    SB_TRY(run_problems(bench, &points));
    SB_TRY(SB_TABLE(bench, columns, &ranking));
    SB_NEW(&bench->arena, on, points.nrows + 1);
    SB_NEW(&bench->arena, list, points.nrows + 1);
    sb_pareto_mark(&points, "evaluations", "err_relative", on);
    for (int i = 0, count = 0; i < points.nrows; i++) { /* rows are sorted by problem and stepper */
        const char *problem = sb_table_text(&points, i, "problem");
        if (i == 0 || !sb_table_is(&points, i - 1, "problem", problem) ||
            !sb_table_is(&points, i - 1, "stepper", sb_table_text(&points, i, "stepper"))) {
            list[count++] = collect(&points, on, i);
        }
        if (i == points.nrows - 1 || !sb_table_is(&points, i + 1, "problem", problem)) {
            SB_TRY(write_class(problem, count, list, &ranking.sink));
            count = 0;
        }
    }
    SB_TRY(sb_bench_save(bench, &ranking, "ranking.csv"));
    return sb_pareto_draw(bench, &points, "evaluations", "evaluations of terms", NULL, "ranking_points");
}

SB_DEFINE_EXPERIMENT(ranking) = {
    .entry = {"ranking",
              "Nine problems, from an orbit to multibody systems: steppers ranked by the Pareto front of error and "
              "evaluations.",
              "hnw93 II.10", NULL, 0},
    .files = SB_LIST("ranking.csv", "ranking_points.csv", SB_FIGURE("ranking_points")),
    .run = run,
};

/* ---- Processor times. ---- */

static int run_times(sb_bench *bench) {
    const sb_specs plain = {0};
    sb_table points, times;
    SB_TRY(run_problems(bench, &points));
    SB_TRY(sb_workprec_time(bench, &points, &plain, 0.004, &times));
    return sb_pareto_draw(bench, &times, "time", "processor time (ms)", NULL, "ranking_times");
}

SB_DEFINE_EXPERIMENT(ranking_times) = {
    .entry = {"ranking_times",
              "Nine problems, from an orbit to multibody systems: the Pareto front of error and processor time.",
              "hnw93 II.10", NULL, 0},
    .files = SB_LIST("times/ranking_times.csv", SB_FIGURE("times/ranking_times")),
    .timed = true,
    .run = run_times,
};
