/* Merges the parts into the results directory: claims.csv in the order of the claims, verdicts.csv, provenance.json; of
 * a study without claims neither claims.csv nor verdicts.csv. */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/data/data.h"
#include "bench/runner/bench.h"
#include "bench/runner/claims.h"
#include "core/output/csv.h"
#include "core/output/provenance.h"

/* Returns the index of the job of an experiment, -1 if there is none in this call. */
static int find_job(const sb_bench_call *call, const char *name) {
    for (int i = 0; i < call->count; i++) {
        if (strcmp(call->list[i].experiment->entry.name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static int read_parts(sb_bench_call *call, sb_table *parts) {
    for (int i = 0; i < call->count; i++) {
        const char *path;
        sb_table_init(&parts[i], call->arena);
        if (call->list[i].outcome != SB_BENCH_RAN && call->list[i].outcome != SB_BENCH_KEPT) {
            continue;
        }
        SB_TRY(sb_bench_part(call->arena, call->out, call->list[i].experiment, &path));
        SB_TRY(sb_table_read_csv_text(&parts[i], call->ctx, path));
    }
    return SB_OK;
}

/* Writes row i of a part or of the earlier file, with the name of the experiment. */
static int write_row(const sb_table *from, int i, const char *experiment, sb_sink *sink) {
    sb_cell cells[SB_QUANTITY_COLUMNS + 1];
    for (int j = 0; j < SB_QUANTITY_COLUMNS; j++) {
        cells[j] = sb_text(sb_table_text(from, i, sb_quantity_columns[j].name));
    }
    cells[SB_QUANTITY_COLUMNS] = sb_text(experiment);
    return sink->row(sink, cells);
}

/* Returns whether quantities.csv gives a quantity of the claim to the experiment. */
static bool measures(const sb_table *bounds, const char *experiment, const char *claim) {
    const size_t length = strlen(claim);
    for (int i = sb_table_find(bounds, "experiment", experiment, 0); i >= 0;
         i = sb_table_find(bounds, "experiment", experiment, i + 1)) {
        const char *id = sb_table_text(bounds, i, "id");
        if (strncmp(id, claim, length) == 0 && id[length] == '/') {
            return true;
        }
    }
    return false;
}

/* Writes the quantities of one claim: from this call's parts, and those of the earlier file whose experiment neither
 * belongs to this call nor has lost them. */
static int write_claim(const sb_bench_call *call, const sb_table *bounds, const char *id, const sb_table *parts,
                       const sb_table *before, sb_sink *sink) {
    for (int k = 0; k < call->count; k++) {
        for (int i = sb_claim_row(&parts[k], id, 0); i >= 0; i = sb_claim_row(&parts[k], id, i + 1)) {
            SB_TRY(write_row(&parts[k], i, call->list[k].experiment->entry.name, sink));
        }
    }
    for (int i = sb_claim_row(before, id, 0); i >= 0; i = sb_claim_row(before, id, i + 1)) {
        const char *experiment = sb_table_text(before, i, "experiment");
        SB_TRY(find_job(call, experiment) < 0 && measures(bounds, experiment, id)
                   ? write_row(before, i, experiment, sink)
                   : SB_OK);
    }
    return SB_OK;
}

/* Merges the parts and the file that is there into the rows of claims.csv, in the order of the list of claims. */
static int merge_rows(sb_bench_call *call, const sb_table *claims, const char *path, sb_table *rows) {
    sb_column columns[SB_QUANTITY_COLUMNS + 1];
    sb_table before, bounds, *parts;
    memcpy(columns, sb_quantity_columns, sizeof sb_quantity_columns);
    columns[SB_QUANTITY_COLUMNS] = (sb_column){"experiment", SB_COL_INFO, "", ""};
    SB_NEW(call->arena, parts, call->count);
    SB_TRY(read_parts(call, parts));
    SB_TRY(sb_quantities_read(call->ctx, call->arena, call->study != NULL ? call->study->file : NULL, &bounds));
    sb_table_init(&before, call->arena);
    if (access(path, R_OK) == 0) {
        SB_TRY(sb_table_read_csv_text(&before, call->ctx, path));
    }
    SB_TRY(sb_table_begin(rows, call->arena, SB_QUANTITY_COLUMNS + 1, columns));
    for (int i = 0; i < claims->nrows; i++) {
        SB_TRY(write_claim(call, &bounds, sb_table_text(claims, i, "id"), parts, &before, &rows->sink));
    }
    return SB_OK;
}

/* Sets `out` to the verdicts that follow from the rows, with the comments of the list of claims, and counts them. */
static int decide(sb_bench_call *call, const sb_table *claims, const sb_table *rows, sb_table *out, int verdicts[5]) {
    static const sb_column columns[] = {
        {"id", SB_COL_KEY, "", ""}, {"verdict", SB_COL_INFO, "", ""}, {"comment", SB_COL_INFO, "", ""}};
    SB_TRY(sb_table_begin(out, call->arena, 3, columns));
    for (int i = 0; i < claims->nrows; i++) {
        const char *id = sb_table_text(claims, i, "id");
        if (sb_claim_row(rows, id, 0) < 0) {
            verdicts[4]++;
            continue;
        }
        const sb_verdict verdict = sb_claim_verdict(rows, id);
        const sb_cell cells[] = {sb_text(id), sb_text(sb_verdict_name[verdict]),
                                 sb_text(sb_table_text(claims, i, "comment"))};
        verdicts[verdict]++;
        SB_TRY(out->sink.row(&out->sink, cells));
    }
    return SB_OK;
}

static int write_table(sb_bench_call *call, const sb_table *table, const char *comment, const char *path) {
    const char *const comments[] = {comment, NULL};
    sb_sink *sink;
    SB_TRY(sb_sink_open(call->ctx, call->arena, SB_FORMAT_CSV, path, comments, &sink));
    return sb_table_write(table, sink);
}

static int write_claims(sb_bench_call *call, int verdicts[5]) {
    sb_table claims, rows, decided;
    char *path, *verdicts_path;
    SB_PRINT(call->arena, path, "%s/claims.csv", call->out);
    SB_PRINT(call->arena, verdicts_path, "%s/verdicts.csv", call->out);
    SB_TRY(sb_claims_read(call->ctx, call->arena, call->study != NULL ? call->study->file : NULL, &claims));
    if (call->study != NULL && claims.nrows == 0) {
        return SB_OK;
    }
    SB_TRY(merge_rows(call, &claims, path, &rows));
    SB_TRY(decide(call, &claims, &rows, &decided, verdicts));
    SB_TRY(write_table(call, &rows, SB_TRUSTED_COMMENT "measured uncertainty", path));
    return write_table(call, &decided, NULL, verdicts_path);
}

/* Writes provenance.json for the experiments that are not timed, or times/provenance.json, with the date of the
 * measurement, for the timed ones; nothing if none of them was run. */
static int write_provenance(sb_bench_call *call, bool timed) {
    char *path;
    SB_PRINT(call->arena, path, "%s/%sprovenance.json", call->out, timed ? "times/" : "");
    json_t *object = sb_provenance_new(), *names = json_array();
    bool complete = object != NULL;
    for (int i = 0; i < call->count; i++) {
        const sb_bench_job *job = &call->list[i];
        if (job->experiment->timed == timed && (job->outcome == SB_BENCH_RAN || job->outcome == SB_BENCH_KEPT)) {
            complete = json_array_append_new(names, json_string(job->experiment->entry.name)) == 0 && complete;
        }
    }
    if (complete && json_array_size(names) == 0) {
        json_decref(object);
        json_decref(names);
        return SB_OK;
    }
    if (complete && timed) {
        const time_t now = time(NULL);
        char date[16];
        strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
        complete = json_object_set_new(object, "date", json_string(date)) == 0;
    }
    if (complete && call->study != NULL) {
        complete = json_object_set_new(object, "study",
                                       json_pack("{s:s, s:s}", "file", sb_file_name(call->study->file), "sha256",
                                                 call->study->sha256)) == 0;
    }
    complete = json_object_set_new(object, "experiments", names) == 0 && complete;
    if (!complete) {
        json_decref(object);
        return sb_fail(call->ctx, SB_NO_MEMORY, "out of memory while writing the provenance of the results");
    }
    return sb_provenance_write(call->ctx, object, path);
}

int sb_bench_merge(sb_bench_call *call, int verdicts[5]) {
    SB_TRY(write_claims(call, verdicts));
    SB_TRY(write_provenance(call, false));
    return write_provenance(call, true);
}
