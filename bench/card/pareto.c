/* Marks the Pareto front of work and precision, and draws it. */
#include "bench/card/pareto.h"

#include <string.h>

#include "bench/runner/experiment_tools.h"
#include "bench/runner/plot.h"

/* Lines that are drawn: of steppers that were named, as many as there are styles; fewer where a figure chooses
 * them. */
enum { STYLES = 9, UNNAMED = 6 };

/* Errors within this factor count as equal: methods that differ only by rounding or by their start do not dominate each
 * other. */
static const double same = 1.01;

static bool same_problem(const sb_table *table, int i, int j) {
    return sb_table_is(table, i, "problem", sb_table_text(table, j, "problem"));
}

/* Sets the cost and the error of row i; returns false if it has none, or an error that is mostly round-off. */
static bool point(const sb_table *table, int i, const char *cost, const char *error, double *x, double *y) {
    *x = sb_table_real(table, i, cost);
    *y = sb_table_real(table, i, error);
    return isfinite(*x) && isfinite(*y) && !sb_table_is(table, i, "status", "plateau");
}

void sb_pareto_mark(const sb_table *table, const char *cost, const char *error, bool *on) {
    for (int i = 0; i < table->nrows; i++) {
        double x, y, a, b;
        on[i] = point(table, i, cost, error, &x, &y);
        for (int j = 0; j < table->nrows && on[i]; j++) {
            on[i] = !(same_problem(table, i, j) && point(table, j, cost, error, &a, &b) && a <= x && b <= same * y &&
                      (a < x || same * b < y));
        }
    }
}

int sb_pareto_count(const sb_table *table, const bool *on, const char *problem, const char *stepper) {
    int count = 0;
    for (int i = 0; i < table->nrows; i++) {
        count += on[i] && sb_table_is(table, i, "stepper", stepper) &&
                 (problem == NULL || sb_table_is(table, i, "problem", problem));
    }
    return count;
}

/* Returns whether row i is the first with its text in the column. */
static bool first_of(const sb_table *table, int i, const char *column) {
    for (int j = 0; j < i; j++) {
        if (sb_table_is(table, i, column, sb_table_text(table, j, column))) {
            return false;
        }
    }
    return true;
}

typedef struct leaders {
    int count;
    const char *names[STYLES];
} leaders;

/* Returns the number of a leader, from 1; 0 for another stepper. */
static int leads(const leaders *l, const char *stepper) {
    int k = 0;
    while (k < l->count && strcmp(stepper, l->names[k]) != 0) {
        k++;
    }
    return k < l->count ? k + 1 : 0;
}

/* Returns the named steppers that the table has, then those with the most points on the fronts, up to
 * UNNAMED. */
static leaders find_leaders(const sb_table *table, const bool *on, const char *const *named) {
    leaders l = {0};
    for (; named != NULL && *named != NULL && l.count < STYLES; named++) {
        if (sb_table_find(table, "stepper", *named, 0) >= 0 && !leads(&l, *named)) {
            l.names[l.count++] = *named;
        }
    }
    for (int best = 1; best > 0 && l.count < UNNAMED;) {
        best = 0;
        for (int i = 0; i < table->nrows; i++) {
            const char *stepper = sb_table_text(table, i, "stepper");
            const int points =
                first_of(table, i, "stepper") && !leads(&l, stepper) ? sb_pareto_count(table, on, NULL, stepper) : 0;
            if (points > best) {
                best = points;
                l.names[l.count] = stepper;
            }
        }
        l.count += best > 0;
    }
    return l;
}

static bool takes(const sb_table *table, const char *problem, const char *stepper) {
    for (int i = 0; i < table->nrows; i++) {
        if (sb_table_is(table, i, "problem", problem) && sb_table_is(table, i, "stepper", stepper) &&
            !isnan(sb_table_real(table, i, "err_relative"))) {
            return true;
        }
    }
    return false;
}

/* The stepper does not take the problem. */
static bool is_empty(const sb_table *table, int i) { return isnan(sb_table_real(table, i, "h")); }

/* Sets *curves to the numbers of the leaders of the rows, 0: none, and *places to those of their panels. */
static int list_rows(sb_bench *bench, const sb_table *table, const leaders *l, const char **curves,
                     const char **places) {
    *curves = *places = "";
    for (int i = 0; i < table->nrows; i++) {
        int first = 0, panel = 1;
        for (; !sb_table_is(table, first, "problem", sb_table_text(table, i, "problem")); first++) {
            panel += first_of(table, first, "problem");
        }
        if (!is_empty(table, i)) {
            SB_PRINT(&bench->arena, *curves, "%s%d ", *curves, leads(l, sb_table_text(table, i, "stepper")));
            SB_PRINT(&bench->arena, *places, "%s%d ", *places, panel);
        }
    }
    return SB_OK;
}

/* Sets *out to gnuplot statements: names[k], the leaders; problems[p]; who[p], the numbers of the leaders that take it;
 * and the lists of list_rows. The file's own texts may have commas, at which gnuplot's strcol ends. */
static int settings_of(sb_bench *bench, const sb_table *table, const leaders *l, const char **out) {
    const char *text, *curves, *places;
    int panels = 0;
    SB_TRY(list_rows(bench, table, l, &curves, &places));
    SB_PRINT(&bench->arena, text, "leaders=%d; array names[%d]; array problems[%d]; array who[%d];", l->count, STYLES,
             table->nrows + 1, table->nrows + 1);
    for (int k = 0; k < l->count; k++) {
        const char *name;
        SB_TRY(sb_plot_text(&bench->arena, "svg", l->names[k], &name));
        SB_PRINT(&bench->arena, text, "%s names[%d]=%s;", text, k + 1, name);
    }
    for (int i = 0; i < table->nrows; i++) {
        if (!first_of(table, i, "problem")) {
            continue;
        }
        const char *problem = sb_table_text(table, i, "problem");
        panels++;
        const char *title;
        SB_TRY(sb_plot_text(&bench->arena, "svg", problem, &title));
        SB_PRINT(&bench->arena, text, "%s problems[%d]=%s; who[%d]='", text, panels, title, panels);
        for (int k = 0; k < l->count; k++) {
            if (takes(table, problem, l->names[k])) {
                SB_PRINT(&bench->arena, text, "%s%d ", text, k + 1);
            }
        }
        SB_PRINT(&bench->arena, text, "%s';", text);
    }
    SB_PRINT(&bench->arena, *out, "%s panels=%d; curves='%s'; places='%s'", text, panels, curves, places);
    return SB_OK;
}

/* Returns whether a column is written: a key, the steps, the status, the time per step, and what is drawn: the cost and
 * the error with their quartiles. */
static bool is_written(const sb_column *column, const char *cost) {
    static const char *const names[] = {"steps", "status", "time_step"}, *const endings[] = {"", "_q1", "_q3"};
    bool found = column->kind == SB_COL_KEY;
    for (int i = 0; i < 3; i++) {
        char drawn[2][64];
        snprintf(drawn[0], sizeof drawn[0], "%s%s", cost, endings[i]);
        snprintf(drawn[1], sizeof drawn[1], "err_relative%s", endings[i]);
        found = found || strcmp(column->name, names[i]) == 0 || strcmp(column->name, drawn[0]) == 0 ||
                strcmp(column->name, drawn[1]) == 0;
    }
    return found;
}

static int save(sb_bench *bench, const sb_table *table, const bool *on, const char *cost, const char *name) {
    sb_table marked;
    sb_column *columns;
    sb_cell *row;
    int count = 0;
    SB_NEW(&bench->arena, columns, table->ncolumns + 1);
    SB_NEW(&bench->arena, row, table->ncolumns + 1);
    for (int j = 0; j < table->ncolumns; j++) {
        columns[count] = table->columns[j];
        count += is_written(&table->columns[j], cost);
    }
    columns[count++] = (sb_column){
        "front", SB_COL_INFO, "",
        "yes: no other point of the problem has less error for no more work, or less work for no more error"};
    SB_TRY(sb_table_begin(&marked, &bench->arena, count, columns));
    for (int i = 0; i < table->nrows; i++) {
        if (is_empty(table, i)) {
            continue;
        }
        for (int j = 0, k = 0; j < table->ncolumns; j++) {
            row[k] = *sb_table_cell(table, i, j);
            k += is_written(&table->columns[j], cost);
        }
        row[count - 1] = sb_text(on[i] ? "yes" : "no");
        SB_TRY(marked.sink.row(&marked.sink, row));
    }
    return sb_bench_save_curves(bench, &marked, name);
}

int sb_pareto_draw(sb_bench *bench, const sb_table *table, const char *cost, const char *label,
                   const char *const *named, const char *name) {
    bool *on;
    SB_NEW(&bench->arena, on, table->nrows + 1);
    sb_pareto_mark(table, cost, "err_relative", on);
    const leaders l = find_leaders(table, on, named);
    const char *file, *settings;
    SB_PRINT(&bench->arena, file, "%s.csv", name);
    SB_TRY(settings_of(bench, table, &l, &settings));
    SB_PRINT(&bench->arena, settings, "file='%s'; cost='%s'; costlabel='%s'; quartiles=%d; %s", file, cost, label,
             sb_table_column(table, "err_relative_q1") >= 0, settings);
    SB_TRY(save(bench, table, on, cost, file));
    return sb_bench_plot_with(bench, "workprec", name, settings);
}
