/* Finds the digits of an experiment's numbers that do not depend on round-off, from runs that round upward and
 * downward.
 *
 * Another kernel of a BLAS evaluates the same sums in another order, with or without fused operations: each operation
 * is off by at most one unit in the last place. Directed rounding changes each inexact operation by one unit in the
 * last place, and no exact one. The spread of a number over the directions bounds what other orders do to it, because
 * the errors have the same sign in all terms of a sum instead of random ones. */
#include "bench/runner/ensemble.h"

#include <fenv.h>
#include <string.h>
#include <sys/wait.h>

#include <stepbench/numerics/norm.h>

#include "bench/process/pool.h"
#include "bench/process/row_pipe.h"
#include "bench/runner/agreement.h"
#include "bench/runner/claims.h"
#include "core/output/csv.h"

typedef struct direction {
    int mode;
    const char *name;
} direction;

static const direction directions[] = {{FE_UPWARD, "upward"}, {FE_DOWNWARD, "downward"}};
enum { MEMBERS = sizeof directions / sizeof directions[0] };

struct sb_directed {
    sb_table cells[MEMBERS]; /* one column: per table its name, numbers of rows and columns, and the cells by rows */
};

/* The name by which the members send their quantities. */
static const char quantities[] = "claims.csv";

typedef struct task {
    sb_bench *bench;
    const sb_experiment *experiment;
    sb_row_reader in; /* from the running member */
} task;

/* ---- In a member. ---- */

int sb_ensemble_send(sb_bench *bench, const sb_table *table, const char *name) {
    const sb_cell head[] = {sb_text(name), sb_int(table->nrows), sb_int(table->ncolumns)};
    for (int i = 0; i < 3; i++) {
        SB_TRY(bench->member->row(bench->member, &head[i]));
    }
    for (int i = 0; i < table->nrows * table->ncolumns; i++) {
        SB_TRY(bench->member->row(bench->member, &table->cells[i]));
    }
    return SB_OK;
}

static int child(void *arg, int k, int to) {
    const task *t = arg;
    sb_bench member;
    sb_row_pipe pipe;
    if (sb_row_pipe_init(&pipe, t->bench->ctx, to, 1, false) != SB_OK) {
        return 1;
    }
    int status = sb_bench_begin(t->bench->ctx, t->bench->command, t->bench->out, t->bench->bounds, &member);
    if (status == SB_OK) {
        member.experiment = t->experiment;
        member.jobs = 1;
        member.member = &pipe.sink;
        fesetround(directions[k].mode);
        status = t->experiment->run(&member);
        fesetround(FE_TONEAREST);
        status = status == SB_OK ? sb_ensemble_send(&member, &member.quantities, quantities) : status;
    }
    return sb_row_pipe_close(&pipe, status) == SB_OK ? 0 : 1;
}

/* ---- In the experiment's process. ---- */

static int before(void *arg, int k) {
    static const sb_column column = {"cell", SB_COL_INFO, "", ""};
    task *t = arg;
    t->in = (sb_row_reader){.arena = &t->bench->arena, .ncolumns = 1};
    return sb_table_begin(&t->bench->ensemble->cells[k], &t->bench->arena, 1, &column);
}

static int receive(void *arg, int k, const void *bytes, size_t size) {
    task *t = arg;
    return sb_row_reader_take(&t->in, bytes, size, &t->bench->ensemble->cells[k].sink);
}

static int after(void *arg, int k, long pid, int ended, const struct rusage *used, double seconds) {
    const task *t = arg;
    const sb_pipe_end end = sb_row_reader_end(&t->in);
    const char *what = directions[k].name,
               *why = t->in.message[0] != '\0' ? t->in.message : sb_status_text(t->in.status);
    if (sb_interrupted(t->bench->ctx) || (end == SB_PIPE_CLOSED && t->in.status == SB_OK)) {
        return SB_OK;
    }
    return WIFSIGNALED(ended)
               ? sb_fail(t->bench->ctx, SB_BAD_USAGE, "rounding %s: it crashed: %s", what, strsignal(WTERMSIG(ended)))
           : end == SB_PIPE_CLOSED
               ? sb_fail(t->bench->ctx, t->in.status, "rounding %s: %s", what, why)
               : sb_fail(t->bench->ctx, SB_BAD_USAGE, "rounding %s: %s", what,
                         end == SB_PIPE_DAMAGED ? "its rows were damaged on the way" : "it ended its process");
}

int sb_ensemble_run(sb_bench *bench, const sb_experiment *experiment) {
    task t = {.bench = bench, .experiment = experiment};
    SB_NEW(&bench->arena, bench->ensemble, 1);
    const int status = sb_processes_run(
        bench->ctx, &bench->arena, MEMBERS, 1,
        &(sb_processes){.arg = &t, .before = before, .child = child, .receive = receive, .after = after});
    return status == SB_OK && sb_interrupted(bench->ctx) ? sb_fail(bench->ctx, SB_INTERRUPTED, "interrupted") : status;
}

/* ---- The digits that the members leave certain. ---- */

/* A table as a member saved it. */
typedef struct version {
    int nrows;
    const sb_cell *cells; /* NULL if the member saved no table of this name with as many columns */
    int *row;             /* its row for each row of the experiment's own table; -1: it has none */
} version;

/* The table of the experiment, and what the members saved under the same name. */
typedef struct versions {
    const sb_table *table;
    version member[MEMBERS];
    bool curves; /* successive rows with the same texts are points of a curve */
} versions;

static version find(const sb_table *cells, const char *name, int ncolumns) {
    for (long i = 0, size; i < cells->nrows; i += 3 + size) {
        const sb_cell *head = &cells->cells[i];
        size = head[1].integer * head[2].integer;
        if (strcmp(head[0].text, name) == 0 && head[2].integer == ncolumns) {
            return (version){(int)head[1].integer, head + 3, NULL};
        }
    }
    return (version){0, NULL, NULL};
}

static bool is_number(const sb_cell *cell) { return cell->type == SB_CELL_REAL || cell->type == SB_CELL_INT; }

static bool same_text(const sb_cell *a, const sb_cell *b) {
    return a->type == b->type && (a->type != SB_CELL_TEXT || strcmp(a->text, b->text) == 0);
}

/* Returns whether the cells of the keys are the same but for round-off. */
static bool same_row(const sb_table *table, int i, const sb_cell *cells) {
    for (int j = 0; j < table->ncolumns; j++) {
        const sb_cell *a = sb_table_cell(table, i, j), *b = &cells[j];
        const double x = sb_cell_number(a), y = sb_cell_number(b);
        if (table->columns[j].kind == SB_COL_KEY &&
            (!same_text(a, b) || (is_number(a) && x != y && !(fabs(x - y) <= sb_undeclared_tolerance * fabs(x))))) {
            return false;
        }
    }
    return true;
}

/* Finds the member's rows by their keys: runs that end early have fewer. */
static int match_rows(sb_arena *arena, const sb_table *table, version *member) {
    SB_NEW(arena, member->row, table->nrows);
    for (int i = 0, next = 0; i < table->nrows; i++) {
        member->row[i] = -1;
        for (int k = 0; k < member->nrows && member->row[i] < 0; k++) {
            const int at = (next + k) % member->nrows;
            if (same_row(table, i, &member->cells[(size_t)at * (size_t)table->ncolumns])) {
                member->row[i] = at;
                next = at + 1;
            }
        }
    }
    return SB_OK;
}

static int find_versions(sb_bench *bench, const sb_table *table, const char *name, bool curves, versions *out) {
    *out = (versions){.table = table, .curves = curves};
    for (int k = 0; k < MEMBERS; k++) {
        out->member[k] = find(&bench->ensemble->cells[k], name, table->ncolumns);
        SB_TRY(match_rows(&bench->arena, table, &out->member[k]));
    }
    return SB_OK;
}

/* Returns the cell in the table of member k, NULL if that lacks the row. */
static const sb_cell *member_cell(const versions *v, int k, int i, int j) {
    const int row = v->member[k].row[i];
    return row >= 0 ? &v->member[k].cells[(size_t)row * (size_t)v->table->ncolumns + (size_t)j] : NULL;
}

/* Returns the largest distance of a member's number from the number in the table; NaN if a member lacks it. */
static double distance(const versions *v, int i, int j) {
    const double x = sb_cell_number(sb_table_cell(v->table, i, j));
    double most = 0.0;
    for (int k = 0; k < MEMBERS; k++) {
        const sb_cell *cell = member_cell(v, k, i, j);
        const double y = cell != NULL ? sb_cell_number(cell) : (double)NAN;
        most = x == y || (isnan(x) && isnan(y)) ? most : sb_larger(most, fabs(x - y));
    }
    return most;
}

/* Returns whether row k exists and its text keys equal the text keys of row i. */
static bool same_curve(const sb_table *table, int i, int k) {
    for (int j = 0; j < table->ncolumns && k >= 0 && k < table->nrows; j++) {
        const sb_cell *a = sb_table_cell(table, i, j);
        if (table->columns[j].kind == SB_COL_KEY && a->type == SB_CELL_TEXT &&
            !same_text(a, sb_table_cell(table, k, j))) {
            return false;
        }
    }
    return k >= 0 && k < table->nrows;
}

/* Returns the spread of a number: the distance of the members. On a curve it is the largest at the point and its
 * neighbours. Neighbours are included, because chaotic runs agree by chance at isolated points. Returns 0 for a cell
 * without a number. */
static double spread(const versions *v, int i, int j) {
    if (!is_number(sb_table_cell(v->table, i, j))) {
        return 0.0;
    }
    double most = distance(v, i, j);
    for (int k = i - 1; v->curves && !isnan(most) && k <= i + 1; k += 2) {
        if (same_curve(v->table, i, k) && is_number(sb_table_cell(v->table, k, j))) {
            most = fmax(most, distance(v, k, j));
        }
    }
    return most;
}

/* How a column is written. */
typedef enum treatment {
    KEPT,    /* unchanged: the members agree on it as well as two machines do */
    ROUNDED, /* with the digits on which they agree */
    CHAOTIC  /* some of its numbers have no such digit: down to a tenth of the spread, which has a column of its own */
} treatment;

/* Chooses how to write a column. It is chaotic if a spread exceeds a tenth of its largest finite number, or if a number
 * would be rounded to 0 although it is not negligible compared with the largest. Residuals are written as bounds
 * instead. Keys are the same in all members. */
static treatment choose(const sb_table *table, int j, const double *spreads) {
    double largest = 0.0;
    bool uncertain = false, chaotic = false;
    for (int i = 0; i < table->nrows; i++) {
        const double x = fabs(sb_cell_number(sb_table_cell(table, i, j)));
        largest = isfinite(x) ? fmax(largest, x) : largest;
    }
    for (int i = 0; i < table->nrows && table->columns[j].kind != SB_COL_KEY; i++) {
        if (is_number(sb_table_cell(table, i, j))) {
            const double x = sb_cell_number(sb_table_cell(table, i, j)), u = spreads[i];
            uncertain = uncertain || !(2.0 * u <= sb_undeclared_tolerance * fabs(x));
            chaotic = chaotic || !(u <= 0.1 * largest) ||
                      (fabs(x) > sb_undeclared_tolerance * largest && sb_trusted(x, u).real == 0.0);
        }
    }
    return !uncertain ? KEPT : chaotic && table->columns[j].kind != SB_COL_ERROR ? CHAOTIC : ROUNDED;
}

/* Returns a number with the digits that its spread u leaves. `widest`: the largest spread in the column. A residual
 * below it is round-off, which the members may share. */
static sb_cell rounded(const sb_cell *cell, double u, treatment way, bool error, double widest) {
    if (way == KEPT || !isfinite(u) || (cell->type == SB_CELL_INT && u == 0.0)) {
        return *cell;
    }
    const double x = sb_cell_number(cell);
    if (error) {
        return sb_residual(x, fabs(x) < widest ? fmax(u, fabs(x)) : u);
    }
    return sb_trusted(x, way == CHAOTIC ? 0.05 * fmin(u, fabs(x)) /* down to a tenth of the spread; two digits */
                                        : u);
}

/* Cuts a text after the last word on which the members agree. */
static int common_text(sb_arena *arena, const versions *v, int i, int j, sb_cell *out) {
    const char *text = sb_table_cell(v->table, i, j)->text;
    size_t common = strlen(text);
    for (int k = 0; k < MEMBERS; k++) {
        const sb_cell *other = member_cell(v, k, i, j);
        if (other != NULL && other->type == SB_CELL_TEXT) {
            size_t n = 0;
            while (n < common && other->text[n] == text[n]) {
                n++;
            }
            common = n;
        }
    }
    if (text[common] == '\0') {
        return SB_OK;
    }
    while (common > 0 && text[common - 1] != ' ') {
        common--;
    }
    const char *cut;
    SB_PRINT(arena, cut, "%.*s...", (int)common, text);
    *out = sb_text(cut);
    return SB_OK;
}

/* Sets the cells of column j, whose spreads are given. */
static int set_cells(sb_arena *arena, const versions *v, int j, treatment way, const double *spreads, sb_table *out) {
    const bool error = v->table->columns[j].kind == SB_COL_ERROR;
    double widest = 0.0;
    for (int i = 0; i < v->table->nrows; i++) {
        widest = fmax(widest, spreads[i]);
    }
    for (int i = 0; i < v->table->nrows; i++) {
        const sb_cell *cell = sb_table_cell(v->table, i, j);
        sb_cell *to = sb_table_cell(out, i, j);
        *to = is_number(cell) ? rounded(cell, spreads[i], way, error, widest) : *cell;
        SB_TRY(cell->type == SB_CELL_TEXT ? common_text(arena, v, i, j, to) : SB_OK);
    }
    return SB_OK;
}

/* Sets column `to` to the spreads of the numbers in column j. */
static int set_spreads(sb_arena *arena, const sb_table *table, int j, const double *spreads, sb_table *out, int to,
                       sb_column *column) {
    const char *name;
    SB_PRINT(arena, name, "%s" SB_SPREAD_SUFFIX, table->columns[j].name);
    *column = (sb_column){name, SB_COL_INFO, table->columns[j].unit,
                          "largest distance of a run that rounds upward or downward"};
    for (int i = 0; i < table->nrows; i++) {
        *sb_table_cell(out, i, to) = is_number(sb_table_cell(table, i, j)) ? sb_estimate(spreads[i]) : sb_empty();
    }
    return SB_OK;
}

int sb_ensemble_digits(sb_bench *bench, const sb_table *table, const char *name, bool curves, sb_table *out) {
    versions v;
    treatment *ways;
    sb_column *columns;
    double *spreads; /* by columns */
    *out = *table;
    if (bench->ensemble == NULL) {
        return SB_OK;
    }
    SB_TRY(find_versions(bench, table, name, curves, &v));
    SB_NEW(&bench->arena, ways, table->ncolumns);
    SB_NEW(&bench->arena, spreads, (size_t)table->ncolumns * (size_t)table->nrows);
    for (int j = 0; j < table->ncolumns; j++) {
        for (int i = 0; i < table->nrows; i++) {
            spreads[j * table->nrows + i] = spread(&v, i, j);
        }
        ways[j] = choose(table, j, spreads + j * table->nrows);
        out->ncolumns += ways[j] == CHAOTIC;
    }
    SB_NEW(&bench->arena, columns, out->ncolumns);
    SB_NEW(&bench->arena, out->cells, (size_t)table->nrows * (size_t)out->ncolumns);
    memcpy(columns, table->columns, (size_t)table->ncolumns * sizeof *columns);
    for (int j = 0, last = table->ncolumns; j < table->ncolumns; j++) {
        const double *own = spreads + j * table->nrows;
        SB_TRY(set_cells(&bench->arena, &v, j, ways[j], own, out));
        if (ways[j] == CHAOTIC) {
            SB_TRY(set_spreads(&bench->arena, table, j, own, out, last, &columns[last]));
            last++;
        }
    }
    out->columns = columns;
    return SB_OK;
}

int sb_ensemble_quantities(sb_bench *bench) {
    const sb_table *table = &bench->quantities;
    const int measured = sb_table_column(table, "measured"), uncertainty = sb_table_column(table, "uncertainty");
    versions v;
    if (bench->ensemble == NULL) {
        return SB_OK;
    }
    SB_TRY(find_versions(bench, table, quantities, false, &v));
    for (int i = 0; i < table->nrows; i++) {
        sb_cell *cell = sb_table_cell(table, i, measured);
        const double u = spread(&v, i, measured);
        const bool declared = cell->digits != SB_QUANTITY_DIGITS || is_number(sb_table_cell(table, i, uncertainty));
        if (cell->type == SB_CELL_REAL && !declared && u > 0.0) {
            const sb_cell certain = rounded(cell, u, fabs(cell->real) < 10.0 * u ? CHAOTIC : ROUNDED, false, u);
            *cell = certain.digits < cell->digits ? certain : *cell;
        }
    }
    return SB_OK;
}
