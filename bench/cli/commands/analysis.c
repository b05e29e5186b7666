/* Runs an analysis as a command, whose options are the parameters of the analysis. */
#include "bench/cli/provenance.h"
#include "bench/process/pairs.h"
#include "bench/process/pool.h"
#include "core/base/escape.h"
#include "core/base/text.h"

/* Returns the number of processes at a time: the number given by --jobs; without it 1 if the analysis measures times,
 * otherwise the number of processors. */
static long jobs_for(const cli *me, const sb_analysis *analysis) {
    bool timed = false;
    for (int j = 0; j < analysis->ncolumns; j++) {
        timed = timed || analysis->columns[j].kind == SB_COL_TIME;
    }
    return sb_processes_at_a_time(timed && me->shared.jobs == 0 ? 1 : me->shared.jobs);
}

/* Keeps the options that were measured for the comments and the provenance of the rows, and prints them unless the
 * caller receives the rows. */
static int keep_measured(cli *me, const sb_product *product) {
    SB_NEW(me->arena, me->measured, me->problems.count + 1);
    for (int i = 0; i < me->problems.count; i++) {
        const char *options = sb_product_measured(product, i);
        if (options != NULL) {
            char *line;
            SB_PRINT(me->arena, line, "%s: %s, measured", me->problems.list[i].text, options);
            if (me->rows == NULL) {
                sb_write_line(stderr, "stepbench: %s", line);
            }
            me->measured[me->nmeasured++] = line;
        }
    }
    return SB_OK;
}

static int run_analysis(cli *me) {
    const sb_analysis *analysis = (const sb_analysis *)me->command.entry;
    const sb_call call = {me->problems, me->formulations, me->steppers, me->shared.ensemble};
    const char *const *comments = NULL;
    sb_meter silence = {0};
    sb_product *product;
    sb_sink *sink;
    int ncolumns;
    const sb_column *columns;
    SB_TRY(cli_check_ensemble(me));
    if (analysis->plot_switch != NULL && (cli_plotted(me) || me->every_column)) {
        SB_TRY(sb_config_set(me->ctx, me->arena, me->command.entry, analysis->plot_switch, "yes", me->config));
    }
    SB_TRY(sb_product_new(me->ctx, me->arena, analysis, me->config, &call, &product));
    me->problems = sb_product_call(product)->problems;
    me->steppers = sb_product_call(product)->steppers;
    SB_TRY(keep_measured(me, product));
    SB_TRY(cli_comments(me, &comments));
    SB_TRY(sb_analysis_columns(analysis, &call.ensemble, me->arena, &ncolumns, &columns));
    SB_TRY(cli_sink(me, comments, &sink));
    int status = sink->begin(sink, ncolumns, columns);
    status = status == SB_OK ? sb_pairs_run(me->ctx, me->arena, analysis, product, jobs_for(me, analysis),
                                            me->shared.seconds, me->silent ? &silence : NULL, sink)
                             : status;
    return cli_finish(me, sink, status);
}

cli_command cli_analysis_command(const sb_entry *analysis) {
    return (cli_command){analysis,
                         NULL,
                         CLI_PROBLEMS | CLI_FORMULATIONS | CLI_STEPPERS | CLI_OUTPUT | CLI_ROWS | CLI_FIGURES |
                             CLI_JOBS | CLI_SECONDS | CLI_ENSEMBLE,
                         run_analysis,
                         ((const sb_analysis *)analysis)->plot,
                         ((const sb_analysis *)analysis)->example};
}

bool cli_is_analysis(const cli_command *command) { return command->run == run_analysis; }
