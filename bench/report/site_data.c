/* Writes tables and provenance as scripts, which a page that a browser opens from a file may load. */
#include "bench/report/results_dir.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/output/csv.h"
#include "core/output/json.h"
#include "core/output/sink.h"

int sb_results_path(const sb_results *results, const char *file, const char **path) {
    SB_PRINT(results->arena, *path, "%s/%s", results->out, file);
    return SB_OK;
}

bool sb_results_has(const sb_results *results, const char *file) {
    const char *path;
    return sb_results_path(results, file, &path) == SB_OK && access(path, R_OK) == 0;
}

int sb_site_directory(const sb_results *results) {
    const char *path;
    SB_TRY(sb_results_path(results, "site", &path));
    return sb_make_directories(results->ctx, results->arena, path);
}

/* Writes a finite number, null for an empty cell, otherwise the text. */
static int write_cell(const sb_results *results, FILE *to, const char *text) {
    char *end;
    const double x = strtod(text, &end);
    if (text[0] == '\0') {
        fputs("null", to);
    } else if (*end == '\0' && x - x == 0.0 && strpbrk(text, "xX") == NULL) {
        fprintf(to, "%.7g", x);
    } else {
        return sb_json_write_text(results->ctx, to, text);
    }
    return SB_OK;
}

static int write_row(const sb_results *results, FILE *to, const sb_table *table, int row) {
    for (int j = 0; j < table->ncolumns; j++) {
        fputs(j > 0 ? "," : "[", to);
        SB_TRY(row < 0 ? sb_json_write_text(results->ctx, to, table->columns[j].name)
                       : write_cell(results, to, sb_table_cell(table, row, j)->text));
    }
    fputc(']', to);
    return SB_OK;
}

static int write_table(const sb_results *results, FILE *to, const char *file, const sb_table *table) {
    fputs("stepbench.put(", to);
    SB_TRY(sb_json_write_text(results->ctx, to, file));
    fputc(',', to);
    SB_TRY(write_row(results, to, table, -1));
    fputs(",[\n", to);
    for (int i = 0; i < table->nrows; i++) {
        SB_TRY(write_row(results, to, table, i));
        fputs(i + 1 < table->nrows ? ",\n" : "\n", to);
    }
    fputs("]);\n", to);
    return SB_OK;
}

/* Opens out/site/FILE.js, without the directories of FILE. */
static int open_script(const sb_results *results, const char *file, sb_outfile *script) {
    char *name;
    const char *path;
    SB_PRINT(results->arena, name, "site/%s.js", sb_file_name(file));
    SB_TRY(sb_results_path(results, name, &path));
    return sb_outfile_open(results->ctx, results->arena, path, script);
}

int sb_site_table(const sb_results *results, const char *file, int *rows, int *columns) {
    sb_table table;
    sb_outfile script;
    const char *path;
    SB_TRY(sb_results_path(results, file, &path));
    sb_table_init(&table, results->arena);
    SB_TRY(sb_table_read_csv_text(&table, results->ctx, path));
    *rows = table.nrows;
    *columns = table.ncolumns;
    SB_TRY(open_script(results, file, &script));
    return sb_outfile_close(&script, write_table(results, script.stream, file, &table));
}

int sb_site_provenance(const sb_results *results) {
    const char *path;
    sb_outfile script;
    SB_TRY(sb_results_path(results, "provenance.json", &path));
    json_error_t error;
    json_t *values = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (values == NULL && json_error_code(&error) == json_error_cannot_open_file) { /* there is nothing to show */
        return SB_OK;
    }
    if (values == NULL) {
        return json_error_code(&error) == json_error_out_of_memory
                   ? sb_fail(results->ctx, SB_NO_MEMORY, "out of memory while reading %s", path)
                   : sb_fail(results->ctx, SB_IO, "%s:%d: %s", path, error.line, error.text);
    }
    int status = open_script(results, "provenance", &script);
    if (status == SB_OK) {
        fputs("stepbench.provenance(", script.stream);
        status = sb_json_write(results->ctx, script.stream, values, JSON_COMPACT);
        fputs(");\n", script.stream);
        status = sb_outfile_close(&script, status);
    }
    json_decref(values);
    return status;
}
