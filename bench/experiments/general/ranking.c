/* Ranks methods per class of problems: points on the Pareto front, and the evaluations for four errors. */
#include "bench/card/pareto.h"
#include "bench/experiments/general/problem_classes.h"

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

/* Collects the results of the stepper of row i on its problem. */
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
    SB_TRY(sb_bench_problem_classes(bench, &points));
    SB_TRY(SB_TABLE(bench, columns, &ranking));
    SB_NEW(&bench->arena, on, points.nrows + 1);
    SB_NEW(&bench->arena, list, points.nrows + 1);
    sb_pareto_mark(&points, "evaluations", "err_relative", on);
    for (int i = 0, count = 0; i < points.nrows; i++) { /* rows of a problem and of a stepper stand together */
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
