/* `stepbench check`: checks that a stepper does what it claims, or that the terms of a problem are consistent. */
#include <limits.h>
#include <string.h>

#include "analysis/row.h"
#include "analysis/system/check.h"
#include "bench/check/check.h"
#include "bench/cli/provenance.h"
#include "bench/process/pool.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/run/build.h"
#include "core/run/completeness.h"
#include "core/run/redundancy.h"

typedef struct check_options {
    long seconds;
    sb_check_options problem;
    int all;
} check_options;

static const sb_param check_params[] = {
    {"seconds", SB_INT, offsetof(check_options, seconds), "30", 1.0, 1e6, SB_CLOSED, NULL, "s",
     "processor time that the checks of a stepper on one system may take"},
    {"points", SB_INT, offsetof(check_options, problem.points), "3", 1.0, 1e6, SB_CLOSED, NULL, "",
     "random points around the start of a problem"},
    {"seed", SB_INT, offsetof(check_options, problem.seed), "1", 0.0, 1e9, SB_CLOSED, NULL, "", "seed of these points"},
    {"all", SB_CHOICE, offsetof(check_options, all), "no", 0, 0, SB_CLOSED, "no|yes", "",
     "write the checks that passed, too"},
    {0},
};

/* Writes the rows. A sentence that an earlier row has is not repeated: the message names the system of that row. */
static int write_rows(cli *me, const sb_table *rows, sb_sink *sink) {
    const check_options *options = me->config;
    sb_arena *arena = me->arena;
    const int message = sb_table_column(rows, "message");
    sb_cell *cells;
    SB_NEW(arena, cells, rows->ncolumns);
    SB_TRY(sink->begin(sink, rows->ncolumns, rows->columns));
    for (int i = 0; i < rows->nrows; i++) {
        if (!options->all && sb_table_is(rows, i, "verdict", "passed")) {
            continue;
        }
        memcpy(cells, rows->cells + i * rows->ncolumns, (size_t)rows->ncolumns * sizeof *cells);
        for (int k = 0; k < i && !sb_cell_is_empty(&cells[message]); k++) {
            if (strcmp(sb_table_text(rows, k, "message"), cells[message].text) == 0) {
                SB_PRINT(arena, cells[message].text, "as for %s", sb_table_text(rows, k, "problem"));
                break;
            }
        }
        SB_TRY(sink->row(sink, cells));
    }
    return SB_OK;
}

/* Reports the verdicts of checks; `who` begins the sentence, `where` follows their number. Fails if one of them failed.
 */
static int report(cli *me, const char *who, const char *where, const sb_table *rows, const char *open) {
    const int failed = sb_table_count(rows, "verdict", "failed"), undecided = sb_table_count(rows, "verdict", open);
    if (failed > 0) {
        return sb_fail(me->ctx, SB_NOT_CONVERGED, "%s%d of %d checks failed%s; the column message says why", who,
                       failed, rows->nrows, where);
    }
    fprintf(stderr, "%s%d checks passed%s", who, sb_table_count(rows, "verdict", "passed"), where);
    fprintf(stderr, undecided > 0 ? ", %d %s %s: the column message says why\n" : "\n", undecided,
            undecided == 1 ? "is" : "are", open);
    return SB_OK;
}

static int check_stepper(cli *me) {
    const check_options *options = me->config;
    const char *const *comments = NULL;
    const char *stepper, *plugin, *wrong;
    sb_check check;
    sb_meter meter;
    sb_sink *sink;
    if (me->formulations.count > 0) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "check takes -w with a problem, and %s is none", me->words.list[0]);
    }
    SB_TRY(cli_load_stepper(me, me->words.list[0], &stepper, &plugin, &wrong));
    if (wrong != NULL) {
        return sb_fail(me->ctx, SB_BAD_PLUGIN, "%s", wrong);
    }
    const sb_limits limits = {sb_processes_at_a_time(me->shared.jobs), options->seconds, &meter};
    SB_TRY(sb_check_stepper(me->ctx, me->arena, stepper, INT_MAX, &limits, &check));
    SB_TRY(cli_comments(me, &comments));
    SB_TRY(cli_sink(me, comments, &sink));
    char *who, *where;
    SB_PRINT(me->arena, who, "%s: ", stepper);
    SB_PRINT(me->arena, where, " on %d systems", check.systems);
    int status = write_rows(me, &check.rows, sink);
    if (status == SB_OK && check.systems == 0) {
        status = sb_fail(me->ctx, SB_UNSUPPORTED, "%s takes none of the systems", stepper);
    }
    return cli_finish(me, sink, status == SB_OK ? report(me, who, where, &check.rows, "unclear") : status);
}

/* The checks of problems, each in a process of its own. */
typedef struct checking {
    cli *me;
    const sb_system *systems;
    sb_check_options options;
} checking;

static void note_check(void *arg, const char *check) {
    sb_progress *progress = arg;
    snprintf(progress->text, sizeof progress->text, "in the check of %s", check);
}

static int check_problem(void *arg, int k, const sb_pair *problem, sb_progress *progress, sb_sink *rows) {
    checking *c = arg;
    c->options.progress = note_check;
    c->options.progress_arg = progress;
    return sb_check_system(c->me->ctx, c->me->arena, &c->systems[k], &c->options, rows);
}

/* Adds a failed row for a problem whose process crashed. */
static int problem_ended(void *arg, int k, int status, const char *message, bool crashed, sb_sink *out) {
    const checking *c = arg;
    char selves[160], *sentence;
    sb_completeness_selves(&c->systems[k], selves, sizeof selves);
    SB_PRINT(c->me->arena, sentence, "%s%s", message, selves);
    const sb_cell row[SB_CHECK_COLUMNS] = {sb_text(c->systems[k].name), sb_text("returns"), sb_text(""),
                                           sb_text("failed"),           sb_int(0),          sb_text(sentence)};
    return crashed ? out->row(out, row) : status != SB_OK ? sb_fail(c->me->ctx, status, "%s", message) : SB_OK;
}

static int check_systems(cli *me, int count, const sb_system *systems, sb_table *rows) {
    const check_options *options = me->config;
    checking c = {me, systems, options->problem};
    const sb_pair_work work = {.arg = &c,
                               .name = "check",
                               .ncolumns = SB_CHECK_COLUMNS,
                               .columns = sb_check_columns,
                               .run = check_problem,
                               .ended = problem_ended};
    sb_pair *list;
    SB_NEW(me->arena, list, count);
    for (int k = 0; k < count; k++) {
        list[k] = (sb_pair){.problem = systems[k].name, .sys = &systems[k]};
    }
    SB_TRY(sb_table_begin(rows, me->arena, SB_CHECK_COLUMNS, sb_check_columns));
    return sb_pairs_work(me->ctx, me->arena, &work, count, list, sb_processes_at_a_time(me->shared.jobs), 0, NULL,
                         &rows->sink);
}

/* Writes the degrees of freedom of mechanisms, what of their start was given, and which constraints are redundant. */
static int show_structure(cli *me, int count, sb_system *systems) {
    for (int i = 0; i < count; i++) {
        sb_scalar t, *q, *v;
        SB_SCRATCH(arena, me->ctx);
        SB_TRY(SB_VECTORS(&arena, systems[i].n, &q, &v));
        SB_TRY(systems[i].initial(systems[i].self, &t, q, v));
        SB_TRY(sb_redundancy_find(me->ctx, &arena, t, q, &systems[i]));
        if (systems[i].start != NULL) {
            sb_write_line(stderr, "%s: rank %d of %d rows of constraints; degrees of freedom: %d; %s", systems[i].name,
                          systems[i].rank, sb_system_bilateral(&systems[i]), systems[i].n - systems[i].rank,
                          systems[i].start);
        }
        if (systems[i].redundant != NULL) {
            sb_write_line(stderr, "%s has redundant constraints: %s", systems[i].name, systems[i].redundant);
        }
    }
    return SB_OK;
}

/* Checks problems. All systems are built before anything is written, without the checks of sb_system_make, which are
 * rows here. */
static int check_problems(cli *me) {
    const char *const *comments = NULL;
    sb_specs specs;
    sb_system *systems;
    sb_table rows;
    sb_sink *sink;
    SB_TRY(sb_specs_parse(me->ctx, me->arena, SB_KIND_PROBLEM, me->words.count, me->words.list, &specs));
    SB_NEW(me->arena, systems, specs.count);
    for (int i = 0; i < specs.count; i++) {
        SB_TRY(sb_system_make_unchecked(me->ctx, me->arena, &specs.list[i], &me->formulations, &systems[i]));
    }
    SB_TRY(check_systems(me, specs.count, systems, &rows));
    SB_TRY(cli_comments(me, &comments));
    SB_TRY(cli_sink(me, comments, &sink));
    int status = write_rows(me, &rows, sink);
    status = status == SB_OK ? report(me, "", "", &rows, "undecided") : status;
    status = status == SB_OK ? show_structure(me, specs.count, systems) : status;
    return cli_finish(me, sink, status);
}

/* Sets *stepper to the stepper of the command line: by name or file, or that of the engine that was loaded last. */
static int find_stepper(cli *me, const char **stepper) {
    const char *plugin, *wrong;
    const int loaded = me->registry->nplugins, count = me->registry->count[SB_KIND_STEPPER];
    if (me->words.count == 0 && loaded > 0 && me->registry->plugins[loaded - 1].engine != NULL) {
        *stepper = me->registry->entries[SB_KIND_STEPPER][count - 1]->name;
        return SB_OK;
    }
    if (me->words.count != 1) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "check takes -p with one stepper, or after --engine COMMAND");
    }
    SB_TRY(cli_load_stepper(me, me->words.list[0], stepper, &plugin, &wrong));
    return wrong == NULL ? SB_OK : sb_fail(me->ctx, SB_BAD_PLUGIN, "%s", wrong);
}

/* Writes what the checks that passed could not see, a line per problem. */
static void write_remarks(const sb_table *rows) {
    for (int i = 0; i < rows->nrows; i++) {
        const char *name = sb_table_text(rows, i, "problem"), *said = sb_table_text(rows, i, "message");
        if (sb_table_is(rows, i, "verdict", "passed") && said[0] != '\0') {
            sb_write_line(stderr, "%s: %s", name, said);
        }
    }
}

/* Checks that a stepper moves the mechanisms of the given problems. */
static int check_physics(cli *me) {
    const check_options *options = me->config;
    const char *const *comments = NULL;
    const char *stepper;
    char *who;
    sb_table rows;
    sb_sink *sink;
    SB_TRY(find_stepper(me, &stepper));
    sb_table_init(&rows, me->arena);
    int status = sb_analysis_run(me->ctx, "physics", NULL, me->texts[0].count, me->texts[0].list, me->texts[1].count,
                                 me->texts[1].list, 1, &stepper, NULL, &rows.sink);
    if (status != SB_OK && !sb_failure_is_result(status)) {
        return status;
    }
    SB_TRY(cli_comments(me, &comments));
    SB_TRY(cli_sink(me, comments, &sink));
    SB_TRY(write_rows(me, &rows, sink));
    SB_PRINT(me->arena, who, "%s: ", stepper);
    if (!options->all) {
        write_remarks(&rows);
    }
    status = status == SB_OK ? report(me, who, "", &rows, "unclear") : status;
    return cli_finish(me, sink, status);
}

static bool names_problem(const cli *me, const char *text) {
    char name[100];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    return sb_registry_match(me->registry, SB_KIND_PROBLEM, name, 0) != NULL;
}

static int run_check(cli *me) {
    int problems = 0;
    if (me->problems.count > 0) {
        return check_physics(me);
    }
    for (int i = 0; i < me->words.count; i++) {
        problems += names_problem(me, me->words.list[i]);
    }
    if (problems > 0 ? problems < me->words.count : me->words.count != 1) {
        return sb_fail(
            me->ctx, SB_BAD_USAGE,
            "check takes problems by their names, or one stepper by its name or as a plug-in's file, also with -p");
    }
    return problems > 0 ? check_problems(me) : check_stepper(me);
}

const cli_command cli_check = {
    &(const sb_entry){
        "check",
        "Checks that a stepper keeps the contract of a step and what it claims: small systems with exact solutions for "
        "every kind of term, and the registered problems; with -p that it moves the mechanism of these problems; or "
        "that "
        "the derivatives of a problem agree with differences",
        "", check_params, sizeof(check_options)},
    "stepbench check STEPPER|FILE.so|FILE.c[:PARAMETERS] [--all] [--seconds N] [--jobs N] [-o FILE]\n"
    "       stepbench check [STEPPER] -p PROBLEM... [--all] [-o FILE]\n"
    "       stepbench check PROBLEM... [-w FORMULATION]... [--all] [--points N] [--seed S] [-o FILE]",
    CLI_WORDS | CLI_PROBLEMS | CLI_FORMULATIONS | CLI_OUTPUT | CLI_ROWS | CLI_JOBS,
    run_check,
    NULL,
    "stepbench check rk4",
};
