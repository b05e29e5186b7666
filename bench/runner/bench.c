/* What experiments are given: CSV files in the results folder, findings, formatted texts. */
#include "bench/runner/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/output/provenance.h"

const char *const sb_verdict_name[] = {"reproduced", "corrected", "refuted", "undecidable"};

int sb_bench_begin(sb_context *ctx, const char *out, sb_bench *bench) {
    static const sb_column columns[] = {{"id", SB_COL_KEY, "", ""},
                                        {"measured", SB_COL_INFO, "", ""},
                                        {"tolerance", SB_COL_INFO, "", ""},
                                        {"reason", SB_COL_INFO, "", ""},
                                        {"verdict", SB_COL_INFO, "", ""}};
    *bench = (sb_bench){.ctx = ctx, .out = out};
    sb_arena_init(&bench->arena, ctx);
    sb_table_init(&bench->findings, &bench->arena);
    return bench->findings.sink.begin(&bench->findings.sink, 5, columns);
}

void sb_bench_finish(sb_bench *bench) {
    sb_arena_free(&bench->arena);
}

int sb_bench_csv(sb_bench *bench, const char *name, const char *comment, sb_sink **out) {
    const char **comments;
    SB_NEW(&bench->arena, comments, 3);
    const char *path = sb_bench_format(bench, "%s/%s", bench->out, name);
    comments[0] = sb_bench_format(
        bench, "stepbench %s: written by `stepbench bench`; provenance.json says where and how", sb_version);
    if (path == NULL || comments[0] == NULL) {
        return SB_NO_MEMORY;
    }
    comments[1] = comment;
    return sb_sink_open(bench->ctx, &bench->arena, SB_FORMAT_CSV, path, comments, out);
}

int sb_bench_find(sb_bench *bench, const sb_finding *finding) {
    if (finding->claim == NULL || finding->measured == NULL || finding->tolerance == NULL || finding->reason == NULL) {
        return sb_fail(bench->ctx, SB_NO_MEMORY, "a finding%s%s lacks a text", finding->claim != NULL ? " on " : "",
                       finding->claim != NULL ? finding->claim : "");
    }
    const sb_cell row[] = {sb_text(finding->claim), sb_text(finding->measured), sb_text(finding->tolerance),
                           sb_text(finding->reason), sb_text(sb_verdict_name[finding->verdict])};
    return bench->findings.sink.row(&bench->findings.sink, row);
}

const char *sb_bench_format(sb_bench *bench, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length < 0 ? NULL : sb_alloc(&bench->arena, (size_t)length + 1, 1);
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    return text;
}

int sb_bench_part(sb_arena *arena, const char *out, const sb_experiment *experiment, const char **path) {
    const size_t size = strlen(out) + strlen(experiment->entry.name) + 16;
    char *text;
    SB_NEW(arena, text, size);
    snprintf(text, size, "%s/.parts/%s.csv", out, experiment->entry.name);
    *path = text;
    return SB_OK;
}
