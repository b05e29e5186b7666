/* `stepbench bench`: regenerates the tables, figures and verdicts of the experiments. `stepbench study` runs those of a
 * file with the same options. */
#include "bench/data/data.h"
#include "bench/process/pool.h"
#include "bench/report/results_dir.h"
#include "bench/runner/agreement.h"
#include "bench/study/study.h"
#include "core/base/escape.h"

const sb_param cli_bench_params[] = {
    SB_PARAM_TEXT(cli_bench_options, out, "results", "the results directory, created if it is missing"),
    SB_PARAM_INT(cli_bench_options, jobs, "0", 0.0, 1024.0, "experiments at a time; 0: one per processor"),
    SB_PARAM_CHOICE(cli_bench_options, resume, "no", "no|yes", "keep what an interrupted call has finished"),
    SB_PARAM_CHOICE(cli_bench_options, dry_run, "no", "no|yes", "list what would run, with its files and claims"),
    SB_PARAM_CHOICE(
        cli_bench_options, plan, "no", "no|yes",
        "write a command for each experiment, one per line, for xargs, GNU parallel or a job array of a cluster; "
        "timed ones last"),
    SB_PARAM_CHOICE(
        cli_bench_options, part, "no", "no|yes",
        "run, and leave the measured quantities as parts in --out for --merge; used by the commands of --plan"),
    SB_PARAM_CHOICE(cli_bench_options, merge, "no", "no|yes",
                    "run nothing: merge the parts in --out, as if one call had run all experiments"),
    SB_PARAM_CHOICE(cli_bench_options, replot, "no", "no|yes",
                    "run nothing: draw the figures in --out again and write its pages, from the files there"),
    SB_PARAM_TEXT(cli_bench_options, compare, "",
                  "run nothing: compare the results in this directory with those in --out, each within its tolerance, "
                  "and list what moved"),
    {0},
};

static bool chosen(const sb_bench_call *call, const sb_entry *entry) {
    for (int i = 0; i < call->count; i++) {
        if (&call->list[i].experiment->entry == entry) {
            return true;
        }
    }
    return false;
}

/* Selects the experiments in the order of the registry, each once. */
static int choose(cli *me, sb_bench_call *call) {
    const sb_registry *registry = me->registry;
    static const char *const all = "*";
    const int count = me->words.count;
    sb_specs specs;
    SB_TRY(sb_specs_parse(me->ctx, me->arena, SB_KIND_EXPERIMENT, count > 0 ? count : 1,
                          count > 0 ? me->words.list : &all, &specs));
    SB_NEW(me->arena, call->list, specs.count);
    for (int i = 0; i < registry->count[SB_KIND_EXPERIMENT]; i++) {
        const sb_entry *entry = registry->entries[SB_KIND_EXPERIMENT][i];
        for (int k = 0; k < specs.count; k++) {
            if (specs.list[k].entry == entry && !chosen(call, entry)) {
                call->list[call->count++].experiment = (const sb_experiment *)entry;
            }
        }
    }
    return SB_OK;
}

/* Checks that claims.csv has the claim of every quantity of the chosen experiments. */
static int check_claims(cli *me, const sb_bench_call *call) {
    const char *const *list;
    sb_table claims;
    SB_TRY(sb_claims_read(me->ctx, me->arena, call->study != NULL ? call->study->file : NULL, &claims));
    for (int i = 0; i < call->count; i++) {
        const char *name = call->list[i].experiment->entry.name;
        SB_TRY(sb_claims_of(&call->bounds, me->arena, name, &list));
        for (; *list != NULL; list++) {
            if (sb_table_find(&claims, "id", *list, 0) < 0) {
                return sb_fail(me->ctx, SB_BAD_USAGE,
                               "experiment %s measures quantities of the claim %s, which no claims.csv lists, nor a "
                               "claims.csv beside a plug-in or a study",
                               name, *list);
            }
        }
    }
    return SB_OK;
}

/* Returns the words of a list, separated by blanks; NULL when out of memory. */
static const char *join(sb_arena *arena, const char *const *list) {
    char *text = sb_asprintf(arena, "%s", list != NULL && *list != NULL ? *list : "");
    for (const char *const *item = list; text != NULL && item != NULL && *item != NULL; item++) {
        text = item == list ? text : sb_asprintf(arena, "%s %s", text, *item);
    }
    return text;
}

static int write_list(cli *me, const sb_bench_call *call) {
    static const sb_column columns[] = {{"experiment", SB_COL_KEY, "", ""},
                                        {"timed", SB_COL_INFO, "", ""},
                                        {"files", SB_COL_INFO, "", ""},
                                        {"claims", SB_COL_INFO, "", ""}};
    sb_sink *sink;
    SB_TRY(cli_sink(me, NULL, &sink));
    SB_TRY(sink->begin(sink, 4, columns));
    for (int i = 0; i < call->count; i++) {
        const sb_experiment *experiment = call->list[i].experiment;
        const char *const *decided;
        SB_TRY(sb_claims_of(&call->bounds, me->arena, experiment->entry.name, &decided));
        const char *files = join(me->arena, experiment->files), *claims = join(me->arena, decided);
        if (files == NULL || claims == NULL) {
            return SB_NO_MEMORY;
        }
        const sb_cell row[] = {sb_text(experiment->entry.name), sb_text(experiment->timed ? "yes" : "no"),
                               sb_text(files), sb_text(claims)};
        SB_TRY(sink->row(sink, row));
    }
    return sink->end(sink);
}

/* Sets *text to the options that load the engines and the plug-ins of this call; a study loads its plug-ins itself. */
static int write_plugins(cli *me, const sb_bench_call *call, char **text) {
    SB_PRINT(me->arena, *text, "%s", "");
    for (int i = 0; i < me->registry->nplugins; i++) {
        const sb_loaded *loaded = &me->registry->plugins[i];
        const char *path = sb_escaped(me->arena, SB_SHELL, loaded->path);
        if (path == NULL) {
            return SB_NO_MEMORY;
        }
        if (loaded->engine != NULL || call->study == NULL) {
            SB_PRINT(me->arena, *text, "%s --%s %s", *text, loaded->engine != NULL ? "engine" : "plugin", path);
        }
    }
    return SB_OK;
}

/* Writes one command per experiment; they may run at the same time. The command that merges their parts goes to
 * standard error, because all lines of standard output are executed. */
static int write_plan(cli *me, const sb_bench_call *call) {
    char path[4096];
    const char *const study = call->study != NULL ? sb_escaped(me->arena, SB_SHELL, call->study->file) : "",
                      *const out = sb_escaped(me->arena, SB_SHELL, call->out);
    sb_program_path(path);
    const char *const program = sb_escaped(me->arena, SB_SHELL, path), *const verb = me->command.entry->name;
    if (study == NULL || out == NULL || program == NULL) {
        return SB_NO_MEMORY;
    }
    char *plugins;
    SB_TRY(write_plugins(me, call, &plugins));
    for (int timed = 0; timed < 2; timed++) {
        for (int i = 0; i < call->count; i++) {
            if (call->list[i].experiment->timed == (timed != 0)) {
                printf("%s %s %s%s%s --part --out %s%s", program, verb, study, study[0] != '\0' ? " " : "",
                       call->list[i].experiment->entry.name, out, plugins);
                if (cli_given(me, "jobs")) {
                    printf(" --jobs %ld", call->jobs);
                }
                putchar('\n');
            }
        }
    }
    fprintf(stderr, "stepbench: when all of these have run: stepbench %s%s%s", verb, study[0] != '\0' ? " " : "",
            study);
    for (int i = 0; i < me->words.count; i++) {
        fprintf(stderr, " '%s'", me->words.list[i]);
    }
    fprintf(stderr, " --merge --out %s%s\n", out, plugins);
    return SB_OK;
}

/* Fails for options that exclude each other. */
static int check_options(cli *me) {
    const cli_bench_options *o = me->config;
    const struct {
        int on;
        const char *name;
    } modes[] = {{o->dry_run, "--dry-run"}, {o->plan, "--plan"},     {o->part, "--part"},
                 {o->merge, "--merge"},     {o->replot, "--replot"}, {o->compare[0] != '\0', "--compare"}};
    const char *first = o->resume && !o->part ? "--resume" : NULL;
    if (o->out[0] == '\0') {
        return sb_fail(me->ctx, SB_BAD_USAGE, "--out needs the name of a directory");
    }
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (modes[i].on && first != NULL) {
            return sb_fail(me->ctx, SB_BAD_USAGE, "%s takes one of %s and %s", me->command.entry->name, first,
                           modes[i].name);
        }
        first = modes[i].on ? modes[i].name : first;
    }
    const char *given = me->output != NULL ? "-o" : NULL;
    for (const cli_option *option = me->options; option->param != NULL && given == NULL; option++) {
        given = option->shared && option->given ? option->name : NULL;
    }
    if (!o->dry_run && o->compare[0] == '\0' && given != NULL) {
        return sb_fail(me->ctx, SB_BAD_USAGE,
                       "%s takes %s only with --dry-run or --compare; --out names the directory of its files",
                       me->command.entry->name, given);
    }
    return SB_OK;
}

static int failures(const sb_bench_call *call) {
    int failed = 0;
    for (int i = 0; i < call->count; i++) {
        failed += call->list[i].outcome == SB_BENCH_FAILED;
    }
    return failed;
}

static int report_failures(cli *me, const sb_bench_call *call) {
    const int failed = failures(call);
    return failed == 0 ? SB_OK
                       : sb_fail(me->ctx, SB_IO, "%d of %d experiments failed%s", failed, call->count,
                                 call->study == NULL ? "; their claims are open" : "");
}

/* Writes the number of verdicts to standard error. Fails with SB_IO if an experiment failed. */
static int summarise(cli *me, const sb_bench_call *call, const int verdicts[5], double seconds) {
    const int failed = failures(call);
    fprintf(stderr, "stepbench: %d of %d experiments in %.0f s; ", call->count - failed, call->count, seconds);
    const bool any = verdicts[0] + verdicts[1] + verdicts[2] + verdicts[3] > 0;
    for (int k = 0; k < 4 && any; k++) {
        fprintf(stderr, "%s%d %s, ", k == 0 ? "claims: " : "", verdicts[k], sb_verdict_name[k]);
    }
    if (any) {
        fprintf(stderr, "%d open; ", verdicts[4]);
    }
    fprintf(stderr, "see %s/README.md\n", call->out);
    return report_failures(me, call);
}

/* Compares two results directories. Fails with SB_IO if a quantity differs. */
static int compare(cli *me, const sb_bench_call *call, const char *reference) {
    sb_agreement result;
    sb_sink *sink;
    SB_TRY(cli_sink(me, NULL, &sink));
    SB_TRY(sb_agreement_check(call, reference, sink, &result));
    if (result.moved > 0) {
        return sb_fail(
            me->ctx, SB_IO,
            "%s and %s differ in %ld places; %ld quantities in %ld files were compared with their tolerances",
            reference, call->out, result.moved, result.quantities, result.files);
    }
    sb_write_line(stderr, "stepbench: %ld quantities in %ld files of %s and %s agree", result.quantities, result.files,
                  reference, call->out);
    return SB_OK;
}

/* Draws the figures again and writes the pages. It needs no lock, because each file is replaced atomically. Fails with
 * SB_IO if there is neither a figure nor a summary. */
static int replot(const sb_bench_call *call) {
    int figures;
    SB_TRY(sb_bench_replot(call, &figures));
    if (figures == 0 && (call->study == NULL || call->study->summary == NULL)) {
        return sb_fail(call->ctx, SB_IO, "%s has no figure of these experiments", call->out);
    }
    SB_TRY(sb_results_write_pages(call->ctx, call->registry, call->study, call->out));
    sb_write_line(stderr, "stepbench: drew %d figures in %s again", figures, call->out);
    return SB_OK;
}

/* Merges the parts, writes the pages and, if nothing failed, removes the parts. */
static int merge(sb_bench_call *call, int verdicts[5]) {
    SB_TRY(sb_bench_merge(call, verdicts));
    SB_TRY(sb_study_write_summary(call));
    SB_TRY(sb_results_write_pages(call->ctx, call->registry, call->study, call->out));
    return failures(call) == 0 ? sb_bench_remove_parts(call) : SB_OK;
}

int cli_bench_run(cli *me, const struct sb_study *study) {
    const cli_bench_options *options = me->config;
    const double begun = sb_clock();
    int verdicts[5] = {0};
    sb_bench_call call = {.ctx = me->ctx,
                          .arena = me->arena,
                          .registry = me->registry,
                          .study = study,
                          .out = options->out,
                          .jobs = sb_processes_at_a_time(options->jobs),
                          .resume = options->resume != 0,
                          .part = options->part != 0};
    SB_TRY(check_options(me));
    SB_TRY(choose(me, &call));
    SB_TRY(sb_quantities_read(me->ctx, me->arena, study != NULL ? study->file : NULL, &call.bounds));
    SB_TRY(check_claims(me, &call));
    if (options->dry_run) {
        return write_list(me, &call);
    }
    if (options->plan) {
        return write_plan(me, &call);
    }
    if (options->compare[0] != '\0') {
        return compare(me, &call, options->compare);
    }
    if (options->replot) {
        return replot(&call);
    }
    SB_TRY(sb_bench_open(&call, !options->merge));
    int status = options->merge ? sb_bench_collect(&call) : sb_bench_run(&call);
    if (status == SB_OK && !options->part) {
        status = merge(&call, verdicts);
    }
    sb_bench_close(&call);
    SB_TRY(status);
    return options->part ? report_failures(me, &call) : summarise(me, &call, verdicts, sb_clock() - begun);
}

static int run_bench(cli *me) {
    SB_TRY(sb_study_read_papers(me));
    return cli_bench_run(me, NULL);
}

const cli_command cli_bench = {
    &(const sb_entry){
        "bench", "Regenerates tables, figures and verdicts in a results directory, each experiment in its own process",
        "", cli_bench_params, sizeof(cli_bench_options)},
    "stepbench bench [GLOB...] [--out DIR] [--jobs N] [--resume] [--dry-run | --plan | --part | --merge | --replot | "
    "--compare DIR]",
    CLI_WORDS | CLI_OUTPUT | CLI_ROWS,
    run_bench,
    NULL,
    "stepbench bench wm96_table1 --out results",
};
