/* `stepbench list`: lists what is registered, the claims, and which stepper takes which problem. */
#include <string.h>

#include <stepbench/numerics/linear.h>

#include "bench/data/data.h"
#include "bench/picture/picture.h"
#include "bench/study/study.h"
#include "core/base/escape.h"

typedef struct list_options {
    int names, json, matrix;
} list_options;

static const sb_param list_params[] = {
    SB_PARAM_CHOICE(list_options, names, "no", "no|yes", "only the names, one per line"),
    SB_PARAM_CHOICE(list_options, json, "no", "no|yes", "the same as --format json"),
    SB_PARAM_CHOICE(list_options, matrix, "no", "no|yes",
                    "every stepper against every problem, with the reason where it does not fit"),
    {0},
};

static const char claims_word[] = "claims";

static int find_kind(cli *me, const char *word) {
    const char *words[2 * SB_KIND_COUNT + 1];
    for (int k = 0; k < SB_KIND_COUNT; k++) {
        words[k] = sb_kind_plural[k];
        words[SB_KIND_COUNT + k] = sb_kind_name[k];
        if (strcmp(word, sb_kind_plural[k]) == 0 || strcmp(word, sb_kind_name[k]) == 0) {
            return k;
        }
    }
    words[2 * SB_KIND_COUNT] = claims_word;
    return sb_fail_name(me->ctx, "list has no kind", word, 2 * SB_KIND_COUNT + 1, words,
                        "the kinds are steppers, compounds, problems, formulations, solvers, lcp_solvers, analyses, "
                        "experiments and claims");
}

static void write_names(const cli *me, int kind) {
    for (int k = 0; k < SB_KIND_COUNT; k++) {
        for (int i = 0; (kind < 0 || kind == k) && i < me->registry->count[k]; i++) {
            puts(me->registry->entries[k][i]->name);
        }
    }
}

/* Reports on standard error the solvers that this build does not have; the rows are the same in every build. */
static void report_left_out(cli *me) {
    for (int i = 0; i < me->registry->count[SB_KIND_SOLVER]; i++) {
        if (sb_solver_check(me->ctx, (const sb_solver *)me->registry->entries[SB_KIND_SOLVER][i]) != SB_OK) {
            sb_write_line(stderr, "stepbench: %s", me->ctx->message);
        }
    }
}

static int write_entries(cli *me, int kind) {
    static const sb_column columns[] = {{"kind", SB_COL_KEY, "", ""},
                                        {"name", SB_COL_KEY, "", ""},
                                        {"brief", SB_COL_INFO, "", ""},
                                        {"ref", SB_COL_INFO, "", ""},
                                        {"picture", SB_COL_INFO, "", "whether animate shows the problem"}};
    const int skip = kind < 0 ? 0 : 1, count = kind == SB_KIND_PROBLEM ? 5 : 4;
    sb_sink *sink;
    SB_TRY(cli_sink(me, NULL, &sink));
    SB_TRY(sink->begin(sink, count - skip, columns + skip));
    for (int k = 0; k < SB_KIND_COUNT; k++) {
        for (int i = 0; (kind < 0 || kind == k) && i < me->registry->count[k]; i++) {
            const sb_entry *entry = me->registry->entries[k][i];
            bool picture = false;
            SB_TRY(k == SB_KIND_PROBLEM ? sb_picture_exists(me->ctx, me->arena, entry, &picture) : SB_OK);
            const sb_cell row[] = {sb_text(sb_kind_name[k]), sb_text(entry->name), sb_text(entry->brief),
                                   sb_text(entry->ref), sb_text(picture ? "yes" : "no")};
            SB_TRY(sink->row(sink, row + skip));
        }
    }
    if (kind < 0 || kind == SB_KIND_SOLVER) {
        report_left_out(me);
    }
    return sink->end(sink);
}

static int write_claims(cli *me, bool names) {
    sb_table claims;
    SB_TRY(sb_claims_read(me->ctx, me->arena, NULL, &claims));
    if (names) {
        for (int i = 0; i < claims.nrows; i++) {
            puts(sb_table_text(&claims, i, "id"));
        }
        return SB_OK;
    }
    sb_sink *sink;
    SB_TRY(cli_sink(me, NULL, &sink));
    return sb_table_write(&claims, sink);
}

/* Writes a row per pair; the rows of a problem that cannot be built with its defaults have the reason. A table,
 * Markdown or LaTeX is a matrix of the claimed orders, unless the options select another form. */
static int write_matrix(cli *me) {
    static const sb_column columns[] = {
        {"problem", SB_COL_KEY, "", "the problem"},
        {"stepper", SB_COL_KEY, "", "the stepper"},
        {"fits", SB_COL_INFO, "", "whether the stepper takes the problem"},
        {"order", SB_COL_INFO, "", "order that the stepper claims for it"},
        {"reason", SB_COL_INFO, "", "why it does not take it"},
    };
    if (sb_rows_for_people(me->format) && me->shared.rows.columns[0] == '\0' && me->shared.rows.pivot[0] == '\0') {
        me->shared.rows.columns = "problem,order";
        me->shared.rows.pivot = "stepper";
    }
    const sb_registry *registry = me->registry;
    sb_specs problems = me->problems;
    sb_sink *sink;
    if (problems.count == 0) {
        SB_TRY(sb_specs_parse(me->ctx, me->arena, SB_KIND_PROBLEM, 1, (const char *[]){"*"}, &problems));
    }
    SB_TRY(cli_sink(me, NULL, &sink));
    SB_TRY(sink->begin(sink, 5, columns));
    for (int i = 0; i < problems.count; i++) {
        const char *problem = problems.list[i].text;
        sb_system sys;
        const int built = sb_system_make(me->ctx, me->arena, &problems.list[i], &me->formulations, &sys);
        for (int j = 0; j < registry->count[SB_KIND_STEPPER]; j++) {
            const sb_stepper *stepper = (const sb_stepper *)registry->entries[SB_KIND_STEPPER][j];
            const int status = built != SB_OK ? built : sb_stepper_refusal(me->ctx, stepper, &sys, false);
            if (status == SB_NO_MEMORY) {
                return status;
            }
            const sb_cell row[] = {sb_text(problem), sb_text(stepper->entry.name),
                                   sb_text(status == SB_OK ? "yes" : "no"),
                                   status == SB_OK ? sb_int(sb_stepper_order(stepper, NULL, sys.flags)) : sb_empty(),
                                   sb_text(status == SB_OK ? "" : me->ctx->message)};
            SB_TRY(sink->row(sink, row));
        }
    }
    return sink->end(sink);
}

/* Fails for options that would have no effect. */
static int check_options(cli *me, const list_options *options) {
    if (options->matrix && (me->words.count > 0 || options->names)) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "list --matrix names steppers and problems as it is; leave out %s",
                       options->names ? "--names" : me->words.list[0]);
    }
    if ((me->formulations.count > 0 || me->problems.count > 0) && !options->matrix) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "list takes %s only with --matrix", me->problems.count > 0 ? "-p" : "-w");
    }
    if (options->names && (options->json || me->output != NULL)) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "list --names writes names alone to standard output; leave out %s",
                       options->json ? "--json" : "-o");
    }
    for (const cli_option *o = me->options; o->param != NULL && options->names; o++) {
        if (o->shared && o->given) {
            return sb_fail(me->ctx, SB_BAD_USAGE, "list --names writes names alone to standard output; leave out %s",
                           o->name);
        }
    }
    if (options->json && cli_given(me, "format")) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "list takes one of --json and --format");
    }
    return SB_OK;
}

static int run_list(cli *me) {
    const list_options *options = me->config;
    int kind = -1;
    if (me->words.count > 1) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "list takes one kind at a time, not \"%s\" as well", me->words.list[1]);
    }
    SB_TRY(check_options(me, options));
    if (options->json) {
        me->format = SB_FORMAT_JSON;
    }
    if (options->matrix) {
        return write_matrix(me);
    }
    if (me->words.count == 1 && strcmp(me->words.list[0], claims_word) == 0) {
        return write_claims(me, options->names != 0);
    }
    if (me->words.count == 1) {
        kind = find_kind(me, me->words.list[0]);
        if (kind < 0) {
            return kind;
        }
    }
    SB_TRY(kind < 0 || kind == SB_KIND_EXPERIMENT ? sb_study_read_papers(me) : SB_OK);
    if (options->names) {
        write_names(me, kind);
        return SB_OK;
    }
    return write_entries(me, kind);
}

const cli_command cli_list = {
    &(const sb_entry){"list",
                      "What there is: steppers, compounds, problems, formulations, solvers, lcp_solvers, analyses, "
                      "experiments, claims",
                      "", list_params, sizeof(list_options)},
    "stepbench list [steppers|compounds|problems|formulations|solvers|lcp_solvers|analyses|experiments|claims] "
    "[--names|--json|--matrix] [-p PROBLEM]... [-w FORMULATION]... "
    "[--columns LIST] [--pivot COLUMN] [--digits N] [--format F] [-o FILE]",
    CLI_WORDS | CLI_OUTPUT | CLI_ROWS | CLI_PROBLEMS | CLI_FORMULATIONS,
    run_list,
    NULL,
    "stepbench list --matrix",
};
