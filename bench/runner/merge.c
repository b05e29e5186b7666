/* From the parts to the results folder: claims.csv in the order of the claims, README.md, provenance.json, index.html.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/cli/data.h"
#include "bench/report/readme.h"
#include "bench/report/site.h"
#include "bench/runner/bench.h"
#include "core/output/csv.h"
#include "core/output/provenance.h"

static const sb_column columns[] = {
    {"id", SB_COL_KEY, "", ""},        {"where", SB_COL_INFO, "", ""},      {"published", SB_COL_INFO, "", ""},
    {"measured", SB_COL_INFO, "", ""}, {"tolerance", SB_COL_INFO, "", ""},  {"reason", SB_COL_INFO, "", ""},
    {"verdict", SB_COL_INFO, "", ""},  {"experiment", SB_COL_INFO, "", ""},
};
enum { NCOLUMNS = sizeof columns / sizeof columns[0] };

static const char *in_folder(sb_bench_call *call, const char *file) {
    const size_t size = strlen(call->out) + strlen(file) + 2;
    char *path = sb_alloc(call->arena, size, 1);
    if (path != NULL) {
        snprintf(path, size, "%s/%s", call->out, file);
    }
    return path;
}

static int find_row(const sb_table *table, const char *id) {
    for (int i = 0; i < table->nrows; i++) {
        if (strcmp(sb_table_text(table, i, "id"), id) == 0) {
            return i;
        }
    }
    return -1;
}

static bool names_claim(const sb_experiment *experiment, const char *id) {
    for (const char *const *claim = experiment->claims; claim != NULL && *claim != NULL; claim++) {
        if (strcmp(*claim, id) == 0) {
            return true;
        }
    }
    return false;
}

/* The job of this call that settles a claim, or NULL. */
static const sb_bench_job *job_for(const sb_bench_call *call, const char *id, int *index) {
    for (*index = 0; *index < call->count; ++*index) {
        if (names_claim(call->list[*index].experiment, id)) {
            return &call->list[*index];
        }
    }
    return NULL;
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

static void count_verdict(const char *verdict, int verdicts[5]) {
    int k = 0;
    while (k < 4 && strcmp(sb_verdict_name[k], verdict) != 0) {
        k++;
    }
    verdicts[k]++;
}

/* The row of one claim: from this call's part, else from the earlier file unless the experiment has just failed. */
static int write_claim(sb_bench_call *call, const sb_table *claims, int row, const sb_table *parts,
                       const sb_table *before, sb_sink *sink, int verdicts[5]) {
    const char *id = sb_table_text(claims, row, "id");
    int index;
    const sb_bench_job *job = job_for(call, id, &index);
    const sb_table *from = job != NULL ? &parts[index] : before;
    const int at = find_row(from, id);
    if (at < 0) {
        verdicts[4]++;
        return SB_OK;
    }
    sb_cell cells[NCOLUMNS];
    for (int j = 0; j < NCOLUMNS; j++) {
        cells[j] = sb_text(sb_table_text(from, at, columns[j].name));
    }
    cells[1] = sb_text(sb_table_text(claims, row, "where"));
    cells[2] = sb_text(sb_table_text(claims, row, "published"));
    if (job != NULL) {
        cells[NCOLUMNS - 1] = sb_text(job->experiment->entry.name);
    }
    count_verdict(sb_table_text(from, at, "verdict"), verdicts);
    return sink->row(sink, cells);
}

static int write_claims(sb_bench_call *call, const char *path, int verdicts[5]) {
    sb_table claims, before, *parts;
    const char *claims_path;
    sb_sink *sink;
    SB_NEW(call->arena, parts, call->count);
    SB_TRY(read_parts(call, parts));
    SB_TRY(sb_data_path(call->ctx, call->arena, "claims.csv", &claims_path));
    sb_table_init(&claims, call->arena);
    SB_TRY(sb_table_read_csv_text(&claims, call->ctx, claims_path));
    sb_table_init(&before, call->arena);
    if (access(path, R_OK) == 0) {
        SB_TRY(sb_table_read_csv_text(&before, call->ctx, path));
    }
    SB_TRY(sb_sink_open(call->ctx, call->arena, SB_FORMAT_CSV, path, NULL, &sink));
    int status = sink->begin(sink, NCOLUMNS, columns);
    for (int i = 0; i < claims.nrows && status == SB_OK; i++) {
        status = write_claim(call, &claims, i, parts, &before, sink, verdicts);
    }
    if (status != SB_OK) {
        sink->abandon(sink);
        return status;
    }
    return sink->end(sink);
}

/* Writes provenance.json for the experiments that are not timed, or times/provenance.json, with the date of the
 * measurement, for the timed ones; nothing if none of them was run. */
static int write_provenance(sb_bench_call *call, bool timed) {
    json_t *object = sb_provenance_new(), *names = json_array();
    const char *path = in_folder(call, timed ? "times/provenance.json" : "provenance.json");
    bool complete = path != NULL && object != NULL;
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
    complete = json_object_set_new(object, "experiments", names) == 0 && complete;
    if (!complete) {
        json_decref(object);
        return sb_fail(call->ctx, SB_NO_MEMORY, "out of memory while writing the provenance of the results");
    }
    return sb_provenance_write(call->ctx, object, path);
}

int sb_bench_merge(sb_bench_call *call, int verdicts[5]) {
    const char *path = in_folder(call, "claims.csv");
    if (path == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(write_claims(call, path, verdicts));
    SB_TRY(sb_bench_write_readme(call->ctx, call->registry, call->out));
    SB_TRY(write_provenance(call, false));
    SB_TRY(write_provenance(call, true));
    SB_TRY(sb_bench_write_site(call->ctx, call->registry, call->out));
    bool failed = false;
    for (int i = 0; i < call->count; i++) {
        failed = failed || call->list[i].outcome == SB_BENCH_FAILED;
    }
    return failed ? SB_OK : sb_bench_remove_parts(call);
}
