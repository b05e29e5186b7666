/* `run` in another precision: the states of a run, with all digits. */
#include <string.h>

#include "core/base/text.h"
#include "core/run/build.h"
#include "precision/precision.h"

typedef struct config {
    sb_scalar h, t_end;
    long every, steps;
} config;

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, h, NULL, "s", "length of a step"),
    SB_PARAM_NOT_NEGATIVE(config, t_end, "0", "s", "end of the motion, a multiple of h"),
    SB_PARAM_INT(config, steps, "0", 0.0, 1e15, "number of steps, in place of t_end"),
    SB_PARAM_INT(config, every, "1", 1.0, 1e15, "steps per row; the first and the last state are always written"),
    {0},
};

typedef struct writer {
    sb_sink *sink;
    sb_cell *cells;
    char (*text)[SB_SCALAR_TEXT];
    int n, m;
} writer;

static void put(writer *w, int at, sb_scalar x) {
    sb_format_scalar(x, w->text[at]);
    w->cells[at] = sb_text(w->text[at]);
}

static int write_row(void *arg, const sb_sample *sample) {
    writer *w = arg;
    w->cells[0] = sb_int(sample->step);
    put(w, 1, sample->t);
    for (int i = 0; i < w->n; i++) {
        put(w, 2 + i, sample->q[i]);
        put(w, 2 + w->n + i, sample->v[i]);
    }
    for (int i = 0; i < w->m; i++) {
        put(w, 2 + 2 * w->n + i, sample->lambda[i]);
    }
    return w->sink->row(w->sink, w->cells);
}

static int name_columns(sb_arena *arena, const char *name, int count, sb_column *columns) {
    for (int i = 0; i < count; i++) {
        columns[i] = (sb_column){NULL, SB_COL_EXACT, "", ""};
        SB_PRINT(arena, columns[i].name, "%s%d", name, i);
    }
    return SB_OK;
}

/* Returns whether a list of names between commas has the name. */
static bool asks_for(const char *list, const char *name) {
    for (const char *word = list; *word != '\0'; word += *word == ',') {
        const size_t size = strcspn(word, ",");
        if (size == strlen(name) && strncmp(word, name, size) == 0) {
            return true;
        }
        word += size;
    }
    return false;
}

/* Gives columns of coordinates or their velocities the name by which the call asks for them. */
static int rename_columns(const precision_call *call, bool velocity, sb_column *columns) {
    char own[SB_VARIABLE_SIZE];
    for (int i = 0; i < call->sys.n; i++) {
        const char *name = sb_variable_name(call->sys.coordinates, velocity, i, own);
        if (asks_for(call->me->shared.rows.columns, name)) {
            SB_PRINT(call->arena, columns[i].name, "%s", name);
        }
    }
    return SB_OK;
}

static int run(cli *me) {
    precision_call at, *call = &at;
    SB_TRY(precision_begin(me, NULL, call));
    const config *c = call->config;
    sb_method method;
    sb_column *columns;
    writer w = {.n = call->sys.n, .m = sb_system_multipliers(&call->sys)};
    const int width = 2 + 2 * w.n + w.m;
    sb_run run = {.h = c->h, .steps = c->steps, .every = c->every, .multipliers = w.m > 0};
    if ((c->t_end > 0.0) == (c->steps > 0)) {
        return sb_fail(call->ctx, SB_BAD_USAGE, "run needs one of --t-end and --steps");
    }
    SB_TRY(c->steps > 0 ? SB_OK : sb_steps(call->ctx, c->t_end, c->h, SB_STEPS_EXACT, &run.steps));
    SB_TRY(sb_method_build(call->ctx, call->arena, call->stepper, &call->sys, &method));
    SB_NEW(call->arena, columns, width);
    SB_NEW(call->arena, w.cells, width);
    SB_NEW(call->arena, w.text, width);
    columns[0] = (sb_column){"step", SB_COL_KEY, "", ""};
    columns[1] = (sb_column){"t", SB_COL_KEY, "s", ""};
    SB_TRY(name_columns(call->arena, "q", w.n, columns + 2));
    SB_TRY(name_columns(call->arena, "v", w.n, columns + 2 + w.n));
    SB_TRY(name_columns(call->arena, "lambda", w.m, columns + 2 + 2 * w.n));
    SB_TRY(rename_columns(call, false, columns + 2));
    SB_TRY(rename_columns(call, true, columns + 2 + w.n));
    SB_TRY(cli_sink(me, NULL, &w.sink));
    SB_TRY(w.sink->begin(w.sink, width, columns));
    const int status = precision_run_method(call, call->stepper, &method, &run, write_row, &w);
    if (status < 0) {
        w.sink->abandon(w.sink);
        return status;
    }
    SB_TRY(w.sink->end(w.sink));
    return status;
}

const cli_command precision_run = {
    .entry = &(const sb_entry){"run", "Writes the states of a run, with all digits", NULL, params, sizeof(config)},
    .usage = "stepbench --precision=" PRECISION_NAME
             " run -p PROBLEM [-w FORMULATION]... -s STEPPER --h H --t-end T [--every K] "
             "[--columns LIST] [--pivot COLUMN] [--digits N] [--format F] [-o FILE]",
    .takes = CLI_PROBLEMS | CLI_FORMULATIONS | CLI_STEPPERS | CLI_OUTPUT | CLI_ROWS | CLI_PRECISION,
    .run = run};
