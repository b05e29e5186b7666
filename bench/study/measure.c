/* The quantities of a study: numbers from the rows of an experiment, for the rows of quantities.csv. */
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "bench/runner/experiment_tools.h"
#include "bench/study/study.h"

static const char *const take_name[] = {"one", "each", "largest", "smallest", "mean", "median", "count"};

/* ---- Reading. ---- */

/* `columns` is NULL if they are not known yet. */
static int check_column(const node *at, const sb_table *columns, const char *name) {
    return columns == NULL || sb_table_column(columns, name) >= 0 ? SB_OK
                                                                  : NODE_FAIL(at, "the rows have no column %s", name);
}

/* Reads {"COLUMN": VALUE or [VALUE, ...], ...}. */
static int read_choice(const node *of, const char *key, const sb_table *columns, sb_study_choice *out) {
    const node at = sb_node_member(of, key);
    const char *column;
    json_t *value;
    *out = (sb_study_choice){0};
    if (at.value != NULL && !json_is_object(at.value)) {
        return NODE_FAIL(&at, "an object {COLUMN: VALUE or [VALUE, ...], ...} is needed");
    }
    SB_NEW(of->from->arena, out->list, json_object_size(at.value));
    json_object_foreach((json_t *)at.value, column, value) {
        const node item = sb_node_member(&at, column);
        SB_TRY(check_column(&item, columns, column));
        out->list[out->count++] = (sb_study_allowed){column, value};
    }
    return SB_OK;
}

static int read_column(const node *of, const char *key, const sb_table *columns, const char **out) {
    const node at = sb_node_member(of, key);
    *out = NULL;
    SB_TRY(at.value != NULL ? sb_node_word(of, key, out) : SB_OK);
    return *out != NULL ? check_column(&at, columns, *out) : SB_OK;
}

static int read_take(const node *at, sb_study_measure *m) {
    const node place = sb_node_member(at, "take");
    const char *word = strchr(m->id, '{') != NULL ? take_name[SB_TAKE_EACH] : take_name[SB_TAKE_ONE];
    int k = SB_TAKE_COUNT;
    SB_TRY(place.value != NULL ? sb_node_word(at, "take", &word) : SB_OK);
    while (k >= 0 && strcmp(word, take_name[k]) != 0) {
        k--;
    }
    m->take = (sb_study_take)k;
    if (k < 0) {
        return NODE_FAIL(&place, "\"%s\" is none of one, each, largest, smallest, mean, median and count", word);
    }
    if (m->value == NULL && m->is.count == 0 && k != SB_TAKE_COUNT) {
        return NODE_FAIL(at, "\"value\": \"COLUMN\", \"is\": {COLUMN: VALUE} or \"take\": \"count\" is needed");
    }
    return SB_OK;
}

static int read_measure(const node *at, const sb_table *columns, sb_study_measure *out) {
    static const char keys[] =
        "id|where|except|at_most|at_least|value|per|from|over|power_of|decay_of|is|take|uncertainty|table|words";
    const node from = sb_node_member(at, "from");
    char known[sizeof keys];
    snprintf(known, columns != NULL ? sizeof keys - strlen("|table|words") : sizeof keys, "%s", keys);
    SB_TRY(sb_node_keys(at, known));
    out->from = (double)NAN;
    SB_TRY(from.value != NULL ? sb_node_number(at, "from", -INFINITY, 0.0, &out->from) : SB_OK);
    SB_TRY(sb_node_word(at, "id", &out->id));
    SB_TRY(read_column(at, "words", columns, &out->words));
    SB_TRY(columns == NULL ? sb_node_word(at, "table", &out->table) : SB_OK);
    SB_TRY(read_choice(at, "at_least", columns, &out->at_least));
    SB_TRY(read_choice(at, "where", columns, &out->where));
    SB_TRY(read_choice(at, "except", columns, &out->except));
    SB_TRY(read_choice(at, "at_most", columns, &out->at_most));
    SB_TRY(read_choice(at, "over", columns, &out->over));
    SB_TRY(read_choice(at, "is", columns, &out->is));
    SB_TRY(read_column(at, "value", columns, &out->value));
    SB_TRY(read_column(at, "per", columns, &out->per));
    SB_TRY(read_column(at, "power_of", columns, &out->power_of));
    SB_TRY(read_column(at, "decay_of", columns, &out->decay_of));
    SB_TRY(read_column(at, "uncertainty", columns, &out->uncertainty));
    return read_take(at, out);
}

int sb_study_read_measures(const node *list, const sb_table *columns, sb_study_experiment *out) {
    int count;
    SB_TRY(sb_node_count(list, &count));
    SB_NEW(list->from->arena, out->measures, count);
    for (int k = 0; k < count; k++) {
        const node item = sb_node_item(list, k);
        SB_TRY(read_measure(&item, columns, &out->measures[out->nmeasures++]));
    }
    return SB_OK;
}

/* ---- Choosing rows. ---- */

/* Returns whether a cell has the value: the same word, or the same number but for round-off. */
static bool equals(const sb_table *rows, int i, const char *column, const json_t *value) {
    if (json_is_string(value)) {
        return sb_table_is(rows, i, column, json_string_value(value));
    }
    const double x = sb_table_real(rows, i, column), y = json_number_value(value);
    return fabs(x - y) <= 1e-12 * fabs(y);
}

static bool allows(const sb_study_allowed *allowed, const sb_table *rows, int i) {
    bool any = false;
    for (size_t k = 0; k < json_array_size(allowed->values); k++) {
        any = any || equals(rows, i, allowed->column, json_array_get(allowed->values, k));
    }
    return any || (!json_is_array(allowed->values) && equals(rows, i, allowed->column, allowed->values));
}

/* Returns whether a row has the values of a choice, apart from the columns that `instead` names (may be NULL). */
static bool fits(const sb_study_choice *choice, const sb_study_choice *instead, const sb_table *rows, int i) {
    bool all = true;
    for (int k = 0; k < choice->count; k++) {
        bool replaced = false;
        for (int j = 0; instead != NULL && j < instead->count; j++) {
            replaced = replaced || strcmp(instead->list[j].column, choice->list[k].column) == 0;
        }
        all = all && (replaced || allows(&choice->list[k], rows, i));
    }
    return all && (instead == NULL || fits(instead, NULL, rows, i));
}

/* Returns whether the numbers of a row, times `sign`, are at most the bounds, times `sign`. */
static bool bounded(const sb_study_choice *bounds, double sign, const sb_table *rows, int i) {
    bool all = true;
    for (int k = 0; k < bounds->count; k++) {
        const sb_study_allowed *bound = &bounds->list[k];
        all = all && sign * sb_table_real(rows, i, bound->column) <= sign * json_number_value(bound->values);
    }
    return all;
}

/* Returns whether a row has the values that choose rows, whatever its numbers are. */
static bool named(const sb_study_measure *m, const sb_study_choice *instead, const sb_table *rows, int i) {
    return fits(&m->where, instead, rows, i) && !(m->except.count > 0 && fits(&m->except, NULL, rows, i));
}

static bool chosen(const sb_study_measure *m, const sb_study_choice *instead, const sb_table *rows, int i) {
    return bounded(&m->at_most, 1.0, rows, i) && bounded(&m->at_least, -1.0, rows, i) && named(m, instead, rows, i);
}

/* ---- Numbers. ---- */

static double number(const sb_study_measure *m, const sb_table *rows, int i) {
    const double x = m->is.count > 0    ? fits(&m->is, NULL, rows, i)
                     : m->value == NULL ? 1.0
                     : m->per != NULL   ? sb_table_real(rows, i, m->value) / sb_table_real(rows, i, m->per)
                                        : sb_table_real(rows, i, m->value);
    return isnan(m->from) ? x : fabs(x - m->from);
}

/* Fits the power of a column, or the c of exp(-c/x) for a column x, in the sizes of the numbers of the chosen rows. Two
 * rows have a power without a standard error. */
static int fit_power(sb_bench *bench, const sb_study_measure *m, const sb_study_choice *instead, const sb_table *rows,
                     sb_slope *out) {
    double *x, *y;
    int n = 0;
    SB_TRY(SB_VECTORS(&bench->arena, rows->nrows + 1, &x, &y));
    for (int i = 0; i < rows->nrows; i++) {
        if (chosen(m, instead, rows, i)) {
            x[n] = m->power_of != NULL ? sb_table_real(rows, i, m->power_of)
                                       : exp(-1.0 / sb_table_real(rows, i, m->decay_of));
            y[n++] = fabs(number(m, rows, i));
        }
    }
    *out = n == 2 ? (sb_slope){log(y[1] / y[0]) / log(x[1] / x[0]), 0.0, 2} : sb_bench_slope(n, x, y);
    return SB_OK;
}

/* Sets *x to the mean or the median of n numbers, which are sorted, with their standard deviation or half of their
 * range. */
static void average(sb_study_take take, double *all, int n, sb_slope *x) {
    gsl_sort(all, 1, (size_t)n); /* NaN comes first or last */
    if (take == SB_TAKE_MEAN) {
        *x = (sb_slope){gsl_stats_mean(all, 1, (size_t)n), n > 1 ? gsl_stats_sd(all, 1, (size_t)n) : 0.0, n};
    } else if (take == SB_TAKE_MEDIAN) {
        *x = (sb_slope){gsl_stats_median_from_sorted_data(all, 1, (size_t)n), 0.5 * (all[n - 1] - all[0]), n};
    }
}

int sb_study_evaluate(sb_bench *bench, const sb_study_measure *m, const sb_study_choice *instead, const sb_table *rows,
                      sb_slope *out, int *row) {
    int count = 0;
    double *all;
    *row = -1;
    if (m->power_of != NULL || m->decay_of != NULL) {
        return fit_power(bench, m, instead, rows, out);
    }
    SB_NEW(&bench->arena, all, rows->nrows + 1);
    *out = (sb_slope){(double)NAN, 0.0, 0};
    for (int i = 0; i < rows->nrows; i++) {
        if (chosen(m, instead, rows, i)) {
            const double x = number(m, rows, i);
            const bool better = m->take == SB_TAKE_LARGEST ? x > out->value : x < out->value;
            all[count] = x;
            if (count++ == 0 || better || isnan(x)) { /* NaN stays */
                out->value = x;
                out->se = m->uncertainty != NULL ? sb_table_real(rows, i, m->uncertainty) : 0.0;
                *row = i;
            }
        }
    }
    if (m->take == SB_TAKE_COUNT) {
        out->value = count;
    } else if (count > 1 && m->take == SB_TAKE_ONE && m->is.count == 0) {
        return sb_fail(bench->ctx, SB_BAD_USAGE,
                       "the quantity %s chooses %d rows of the experiment; one is needed, or \"take\"", m->id, count);
    } else if (!isnan(out->value)) {
        average(m->take, all, count, out);
    }
    return SB_OK;
}

/* Computes a quantity, which needs a row. It is NaN where rows have the values but none is within the bounds. */
static int evaluate(sb_bench *bench, const sb_study_measure *m, const sb_study_choice *instead, const sb_table *rows,
                    sb_slope *out) {
    int row;
    SB_TRY(sb_study_evaluate(bench, m, instead, rows, out, &row));
    for (int i = 0; i < rows->nrows && row < 0; i++) {
        row = named(m, instead, rows, i) ? i : row;
    }
    return row >= 0 || m->power_of != NULL || m->decay_of != NULL || m->take == SB_TAKE_COUNT
               ? SB_OK
               : sb_fail(bench->ctx, SB_BAD_USAGE, "the quantity %s chooses no row of the experiment", m->id);
}

/* Sets *out to the id with the cells of a row in place of {COLUMN}. */
static int fill_id(sb_bench *bench, const sb_study_measure *m, const sb_table *rows, int i, const char **out) {
    *out = m->id;
    for (int j = 0; j < rows->ncolumns; j++) {
        const sb_cell *cell = sb_table_cell(rows, i, j);
        const char *mark = sb_bench_format(bench, "{%s}", rows->columns[j].name);
        const char *text = cell->type == SB_CELL_TEXT ? cell->text : sb_bench_format(bench, "%g", sb_cell_number(cell));
        *out = mark != NULL && text != NULL ? sb_text_replace(&bench->arena, *out, mark, text) : NULL;
        SB_TRY(*out != NULL ? SB_OK : SB_NO_MEMORY);
    }
    return SB_OK;
}

/* Measures each of the chosen rows. */
static int measure_each(sb_bench *bench, const sb_study_measure *m, const sb_table *rows) {
    for (int i = 0; i < rows->nrows; i++) {
        if (chosen(m, NULL, rows, i)) {
            const char *id;
            SB_TRY(fill_id(bench, m, rows, i, &id));
            SB_TRY(sb_bench_measure(bench, id, number(m, rows, i),
                                    m->uncertainty != NULL ? sb_table_real(rows, i, m->uncertainty) : 0.0));
        }
    }
    return SB_OK;
}

/* Sets *out to a table that the experiment has saved. */
static int find_table(sb_bench *bench, const char *file, const sb_table **out) {
    const sb_saved *saved = bench->saved;
    while (saved != NULL && strcmp(saved->file, file) != 0) {
        saved = saved->before;
    }
    *out = saved != NULL ? &saved->rows : NULL;
    return saved != NULL ? SB_OK : sb_fail(bench->ctx, SB_BAD_USAGE, "it saved no table %s", file);
}

int sb_study_check_columns(sb_context *ctx, const sb_study_measure *m, const sb_table *rows) {
    const sb_study_choice *const choices[] = {&m->where, &m->except, &m->at_most, &m->at_least, &m->over, &m->is};
    const char *const names[] = {m->value, m->per, m->power_of, m->decay_of, m->uncertainty, m->words};
    const char *missing = NULL;
    for (int k = 0; k < SB_COUNT(names); k++) {
        missing = names[k] != NULL && sb_table_column(rows, names[k]) < 0 ? names[k] : missing;
    }
    for (int c = 0; c < SB_COUNT(choices); c++) {
        for (int k = 0; k < choices[c]->count; k++) {
            const char *name = choices[c]->list[k].column;
            missing = sb_table_column(rows, name) < 0 ? name : missing;
        }
    }
    return missing == NULL
               ? SB_OK
               : sb_fail(ctx, SB_BAD_USAGE, "the quantity %s: %s has no column %s", m->id, m->table, missing);
}

int sb_study_measure_all(sb_bench *bench, const sb_study_experiment *e, const sb_table *rows) {
    for (int k = 0; k < e->nmeasures; k++) {
        const sb_study_measure *m = &e->measures[k];
        sb_slope x, of = {1.0, 0.0, 0};
        const sb_table *from = rows;
        if (rows == NULL) {
            SB_TRY(find_table(bench, m->table, &from));
            SB_TRY(sb_study_check_columns(bench->ctx, m, from));
        }
        if (m->take == SB_TAKE_EACH) {
            SB_TRY(measure_each(bench, m, from));
            continue;
        }
        SB_TRY(evaluate(bench, m, NULL, from, &x));
        SB_TRY(m->over.count > 0 ? evaluate(bench, m, &m->over, from, &of) : SB_OK);
        SB_TRY(sb_bench_measure(bench, m->id, x.value / of.value, x.se / fabs(of.value)));
    }
    return SB_OK;
}
