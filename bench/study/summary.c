/* The summary of a study: a row for every pair of a problem and a stepper, with quantities from the tables of the
 * study, and why there is none. */
#include <string.h>
#include <unistd.h>

#include "analysis/row.h"
#include "bench/runner/experiment_tools.h"
#include "bench/study/study.h"

/* ---- Reading. ---- */

/* Returns the experiment of the registry that writes a table; NULL: none. */
static const sb_experiment *find_experiment(const sb_registry *registry, const char *table) {
    for (int i = 0; i < registry->count[SB_KIND_EXPERIMENT]; i++) {
        const sb_experiment *e = (const sb_experiment *)registry->entries[SB_KIND_EXPERIMENT][i];
        for (const char *const *file = e->files; *file != NULL; file++) {
            if (strcmp(sb_file_name(*file), table) == 0) {
                return e;
            }
        }
    }
    return NULL;
}

/* Fails unless the table has the rows of an experiment of the study, which may be left out for lack of an engine. */
static int check_table(const sb_study_reader *r, const node *at, const char *table) {
    const node experiments = sb_node_member(&r->root, "experiments");
    for (size_t k = 0; k < json_array_size(experiments.value); k++) {
        const char *name = json_string_value(json_object_get(json_array_get(experiments.value, k), "name"));
        const size_t length = strlen(name);
        if (strncmp(table, name, length) == 0 && strcmp(table + length, ".csv") == 0) {
            return SB_OK;
        }
    }
    return NODE_FAIL(at, "no experiment writes its rows to %s", table);
}

int sb_study_read_summary(sb_study_reader *r, sb_study *out) {
    const node at = sb_node_member(&r->root, "summary");
    sb_study_experiment list = {0};
    sb_study_summary *summary;
    if (at.value == NULL) {
        return SB_OK;
    }
    SB_TRY(sb_node_keys(&at, "name|columns"));
    SB_TRY(sb_node_word(&at, "name", &out->summary));
    for (int k = 0; k < 2; k++) {
        const char *file;
        SB_PRINT(r->me->arena, file, "%s.%s", out->summary, k == 0 ? "csv" : "html");
        SB_TRY(sb_study_take_file(r, &at, true, file));
    }
    const node columns = sb_node_member(&at, "columns");
    SB_TRY(sb_study_read_measures(&columns, NULL, &list));
    if (list.nmeasures == 0) {
        return NODE_FAIL(&at, "\"columns\": [{\"id\": ..., \"table\": ...}, ...] are needed");
    }
    for (int k = 0; k < list.nmeasures; k++) {
        SB_TRY(check_table(r, &columns, list.measures[k].table));
    }
    SB_NEW(r->me->arena, summary, 1);
    *summary = (sb_study_summary){list.nmeasures, list.measures};
    out->pairs = summary;
    return SB_OK;
}

/* ---- Writing. ---- */

/* The rows of a table that belong to a pair. */
static int rows_of(sb_arena *arena, const sb_table *all, const char *problem, const char *stepper, sb_table *out) {
    *out = *all;
    out->nrows = 0;
    SB_NEW(arena, out->cells, (size_t)all->nrows * (size_t)all->ncolumns + 1);
    for (int i = 0; i < all->nrows; i++) {
        if (sb_table_is(all, i, "problem", problem) && sb_table_is(all, i, "stepper", stepper)) {
            memcpy(sb_table_cell(out, out->nrows++, 0), sb_table_cell(all, i, 0),
                   (size_t)all->ncolumns * sizeof *all->cells);
        }
    }
    return SB_OK;
}

/* The columns of a file of the summary, which has the times or all other quantities, and the tables that they are from,
 * by quantity; a table without rows where there is no file. */
typedef struct summary {
    sb_bench bench;
    const sb_study_summary *of;
    bool *here; /* of each quantity: it belongs to this file */
    sb_table *tables;
    sb_table rows;
} summary;

static void free_summary(summary *me) { sb_bench_finish(&me->bench); }

static int add_column(sb_arena *arena, const char *id, const char *more, sb_column_kind kind, sb_column *out) {
    SB_PRINT(arena, out->name, "%s%s", id, more);
    out->kind = kind;
    out->unit = out->doc = "";
    return SB_OK;
}

static int begin(const sb_bench_call *call, bool timed, summary *me) {
    sb_arena *arena = &me->bench.arena;
    const int count = me->of->count;
    int n = 2;
    sb_column *columns;
    SB_NEW(arena, me->here, count);
    SB_NEW(arena, me->tables, count);
    SB_NEW(arena, columns, 3 * count + 3);
    SB_TRY(add_column(arena, "problem", "", SB_COL_KEY, &columns[0]));
    SB_TRY(add_column(arena, "stepper", "", SB_COL_KEY, &columns[1]));
    for (int k = 0; k < count; k++) {
        const sb_study_measure *m = &me->of->list[k];
        const char *path;
        const sb_experiment *from = find_experiment(call->registry, m->table);
        sb_table_init(&me->tables[k], arena);
        me->here[k] = from != NULL && from->timed == timed;
        if (!me->here[k]) {
            continue;
        }
        SB_PRINT(arena, path, "%s/%s%s", call->out, timed ? "times/" : "", m->table);
        if (access(path, R_OK) == 0) {
            SB_TRY(sb_table_read_csv(&me->tables[k], call->ctx, path));
            SB_TRY(sb_study_check_columns(call->ctx, m, &me->tables[k]));
        }
        SB_TRY(add_column(arena, m->id, "", timed ? SB_COL_TIME : SB_COL_EXACT, &columns[n++]));
        if (m->uncertainty != NULL) {
            SB_TRY(add_column(arena, m->id, " error", SB_COL_ERROR, &columns[n++]));
        }
        if (m->words != NULL) {
            SB_TRY(add_column(arena, m->id, " words", SB_COL_INFO, &columns[n++]));
        }
    }
    SB_TRY(add_column(arena, "status", "", SB_COL_INFO, &columns[n++]));
    return sb_table_begin(&me->rows, arena, n, columns);
}

/* Adds a sentence to others, once. */
static int add_sentence(sb_arena *arena, const char *sentence, const char **all) {
    if (strstr(*all, sentence) == NULL) {
        SB_PRINT(arena, *all, "%s%s%s", *all, (*all)[0] != '\0' ? "; " : "", sentence);
    }
    return SB_OK;
}

/* Computes a quantity of a pair, its cells, and why it has no number. */
static int add_cells(summary *me, int k, const char *problem, const char *stepper, sb_cell **to, const char **status) {
    const sb_study_measure *m = &me->of->list[k];
    sb_slope x = {(double)NAN, 0.0, 0};
    int row = -1;
    sb_table rows;
    SB_TRY(rows_of(&me->bench.arena, &me->tables[k], problem, stepper, &rows));
    SB_TRY(rows.nrows > 0 ? sb_study_evaluate(&me->bench, m, NULL, &rows, &x, &row) : SB_OK);
    const char *why = rows.nrows > 0 ? sb_table_text(&rows, 0, "status") : "";
    const bool none = row < 0 && why[0] != '\0' && strcmp(why, "ok") != 0;
    if (none) {
        SB_TRY(add_sentence(&me->bench.arena, why, status));
    }
    *(*to)++ = none ? sb_empty() : sb_known(x.value);
    if (m->uncertainty != NULL) {
        *(*to)++ = none || isnan(x.value) ? sb_empty() : sb_known(x.se);
    }
    if (m->words != NULL) {
        *(*to)++ = sb_text(row >= 0 ? sb_table_text(&rows, row, m->words) : "");
    }
    return SB_OK;
}

static int add_row(summary *me, const char *problem, const char *stepper) {
    sb_cell *cells, *to;
    const char *status = "";
    SB_NEW(&me->bench.arena, cells, me->rows.ncolumns);
    to = cells;
    *to++ = sb_text(problem);
    *to++ = sb_text(stepper);
    for (int k = 0; k < me->of->count; k++) {
        SB_TRY(me->here[k] ? add_cells(me, k, problem, stepper, &to, &status) : SB_OK);
    }
    *to = sb_text(status);
    return me->rows.sink.row(&me->rows.sink, cells);
}

static bool has_pair(const sb_table *rows, const char *problem, const char *stepper) {
    for (int i = 0; i < rows->nrows; i++) {
        if (sb_table_is(rows, i, "problem", problem) && sb_table_is(rows, i, "stepper", stepper)) {
            return true;
        }
    }
    return false;
}

/* Writes a file of the summary, unless no table has rows. */
static int write_file(const sb_bench_call *call, bool timed) {
    summary me __attribute__((cleanup(free_summary))) = {.of = call->study->pairs};
    const char *name, *out;
    sb_sink *sink;
    SB_PRINT(call->arena, out, "%s%s", call->out, timed ? "/times" : "");
    SB_PRINT(call->arena, name, "%s.csv", call->study->summary);
    SB_TRY(sb_bench_begin(call->ctx, "study", out, NULL, &me.bench));
    SB_TRY(begin(call, timed, &me));
    for (int k = 0; k < me.of->count; k++) {
        for (int i = 0; i < me.tables[k].nrows; i++) {
            const char *problem = sb_table_text(&me.tables[k], i, "problem"),
                       *stepper = sb_table_text(&me.tables[k], i, "stepper");
            SB_TRY(has_pair(&me.rows, problem, stepper) ? SB_OK : add_row(&me, problem, stepper));
        }
    }
    if (me.rows.nrows == 0) {
        return SB_OK;
    }
    SB_TRY(sb_bench_csv(&me.bench, name, NULL, &sink));
    return sb_table_write(&me.rows, sink);
}

int sb_study_write_summary(const sb_bench_call *call) {
    if (call->study == NULL || call->study->summary == NULL) {
        return SB_OK;
    }
    SB_TRY(write_file(call, false));
    return write_file(call, true);
}
