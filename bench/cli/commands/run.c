/* `stepbench run`: writes the trajectories of every pair of problem and stepper as rows.
 *
 * Each pair runs in a process of its own (bench/process/pairs.h). The option --h becomes the step of the integration in
 * run_steps: sb_run_method (core/run/run.c) takes `steps` steps of this length and passes the states to `observe`,
 * which writes the rows. */
#include <math.h>
#include <unistd.h>

#include "analysis/conservation/violation.h"
#include "analysis/events.h"
#include "analysis/row.h"
#include "bench/cli/cli.h"
#include "bench/cli/columns.h"
#include "bench/cli/horizon.h"
#include "bench/cli/provenance.h"
#include "bench/process/pairs.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/run/build.h"
#include "core/run/run.h"

typedef struct run_options {
    double h, t_end;
    long steps, every, stop;
    const char *event;
    int direction;
} run_options;

static const sb_param run_params[] = {
    SB_PARAM_NOT_NEGATIVE(run_options, h, "0", "s",
                          "length of a step; 0: a tenth of the shortest time scale of the problems, rounded to two "
                          "digits; with t-end that or less"),
    SB_PARAM_NOT_NEGATIVE(
        run_options, t_end, "0", "s",
        "end of the motion, a multiple of h; without it and --steps: 40 time scales or one period, or more"),
    SB_PARAM_INT(run_options, steps, "0", 0.0, 1e15, "number of steps; or give --t-end"),
    SB_PARAM_INT(run_options, every, "1", 1.0, 1e15, "steps per row; the first and the last state are always written"),
    SB_PARAM_TEXT(run_options, event, "",
                  "NAME=VALUE: writes the states at which a quantity passes through a value, in place of those after "
                  "the steps; NAME is t, q0, q1, ..., v0, v1, ... or an output"),
    SB_PARAM_CHOICE(run_options, direction, "both", SB_DIRECTIONS, "of --event; up: the quantity passes from below"),
    SB_PARAM_INT(run_options, stop, "0", 0.0, 1e15, "events after which a run ends; 0: it does not end at events"),
    {0},
};

/* So many problems are built once, and the processes of their pairs inherit their systems. Those of more problems are
 * built again where they are needed, because thousands would fill the memory. */
enum { KEPT = 64 };

/* One pair, checked before anything runs. */
typedef struct pair {
    sb_pair plain; /* sys: NULL if it is built again */
    const sb_spec *problem;
    sb_scalar time_scale, period; /* of the system */
    bool from_glob, unfit;
} pair;

typedef struct runner {
    cli *me;
    const run_options *options;
    long steps;
    int count;
    bool events; /* the rows are events */
    pair *pairs;
    int ncolumns;
    const sb_column *columns;
    bool quiet;       /* the terminal shows rows */
    int failed, last; /* number of runs that ended early; the status of the last */
    /* In the process of a pair: */
    sb_method method;
    cli_probe probe;
    sb_violation violation; /* of the states of the rows */
    sb_event event;         /* with --event */
    sb_events follower;     /* with --event */
    long found, step;       /* events so far; steps before the interval of the events */
    sb_run run;
    sb_cell *row;
    sb_sink *sink;
} runner;

static int write_row(runner *r, const sb_sample *sample) {
    SB_TRY(sb_violation_add(&r->violation, sample->t, sample->q, sample->v));
    SB_TRY(cli_probe_row(&r->probe, r->ncolumns, sample, r->found, r->row));
    return r->sink->row(r->sink, r->row);
}

/* Writes an event as a row, and ends the run at the event --stop. */
static int write_event(void *arg, const sb_event_state *at) {
    runner *r = arg;
    if (r->options->stop > 0 && r->found == r->options->stop) {
        return SB_OK;
    }
    r->found++;
    if (r->found == r->options->stop) {
        r->run.steps = r->step + 1;
    }
    return write_row(r, &(sb_sample){.step = r->step, .t = at->t, .q = at->q, .v = at->v});
}

static int observe(void *arg, const sb_sample *sample) {
    runner *r = arg;
    if (r->events) {
        r->step = sample->step - 1;
        return sb_events_follow(&r->follower, sample);
    }
    SB_TRY(cli_probe_follow(&r->probe, sample));
    return sample->step % r->options->every != 0 && sample->step < r->steps ? SB_OK : write_row(r, sample);
}

/* Sets *sys to the system of a pair, which is built in the arena unless it is kept. */
static int system_of(const runner *r, sb_arena *arena, const pair *p, const sb_system **sys) {
    sb_system *built;
    *sys = p->plain.sys;
    if (*sys != NULL) {
        return SB_OK;
    }
    SB_NEW(arena, built, 1);
    *sys = built;
    return sb_system_make(r->me->ctx, arena, p->problem, &r->me->formulations, built);
}

/* Builds the system of pair k unless it is kept, and binds the stepper, in the process of the pair. */
static int bind(runner *r, sb_arena *arena, int k, sb_pair *plain) {
    sb_context *ctx = r->me->ctx;
    SB_TRY(system_of(r, arena, &r->pairs[k], &plain->sys));
    SB_TRY(sb_method_init(ctx, arena, plain->type, plain->config, plain->sys, &r->method));
    if (!r->events) {
        return SB_OK;
    }
    SB_TRY(sb_event_parse(ctx, arena, plain->sys, r->options->event, &r->event));
    return sb_events_init(ctx, arena, plain, &r->event, (sb_direction)r->options->direction, SB_MOTION_OF_RUN,
                          write_event, r, &r->follower);
}

/* Calls the work for all pairs. A meter shows it by steps. */
static int work_on_pairs(runner *r, const sb_pair_work *work, sb_sink *out) {
    cli *me = r->me;
    sb_meter meter = {0};
    sb_pair *list;
    SB_NEW(me->arena, list, r->count);
    for (int k = 0; k < r->count; k++) {
        list[k] = r->pairs[k].plain;
    }
    if (work->steps > 0 && !r->quiet) {
        sb_meter_begin(&meter, me->ctx, (double)r->count * (double)work->steps);
    }
    SB_TRY(sb_pairs_work(me->ctx, me->arena, work, r->count, list, 1, me->shared.seconds, &meter, out));
    meter.done = meter.total;
    SB_TRY(sb_meter_show(&meter, "done"));
    sb_meter_clear(&meter);
    return SB_OK;
}

/* Returns the status of pair k, with its message in the context, which begins with the pair if `named`. */
static int fail(const runner *r, int k, int status, const char *message, bool named) {
    const sb_pair *plain = &r->pairs[k].plain;
    const char *text = message[0] != '\0' ? message : sb_status_text(status);
    return status == SB_OK ? SB_OK
           : named         ? sb_fail(r->me->ctx, status, "%s on %s: %s", plain->stepper, plain->problem, text)
                           : sb_fail(r->me->ctx, status, "%s", text);
}

/* ---- Checks, before anything runs. ---- */

/* Fails if an option on the command line is 0, which stands for its default. */
static int check_positive(cli *me, const char *param, double value, const char *range) {
    char option[CLI_OPTION_SIZE];
    cli_option_name(param, option);
    return !cli_given(me, param) || value > 0.0
               ? SB_OK
               : sb_fail(me->ctx, SB_BAD_USAGE, "run: %s=0 is out of range; %s must be %s", option, option, range);
}

static int check_end(cli *me) {
    const run_options *o = me->config;
    if (cli_given(me, "t_end") && cli_given(me, "steps")) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "run needs only one of --t-end or --steps");
    }
    SB_TRY(check_positive(me, "t_end", o->t_end, "> 0"));
    SB_TRY(check_positive(me, "h", o->h, "> 0"));
    return check_positive(me, "steps", (double)o->steps, ">= 1");
}

/* Sets the number of steps, and the options h and steps that the command line leaves out. */
static int count_steps(runner *r) {
    run_options *o = r->me->config;
    double scale = INFINITY, period = 0.0;
    for (int i = 0; i < r->count; i++) {
        scale = fmin(scale, (double)r->pairs[i].time_scale);
        period = fmax(period, (double)r->pairs[i].period);
    }
    SB_TRY(cli_horizon(r->me->ctx, scale, period, o->t_end, o->steps, &o->h, &r->steps));
    o->steps = o->t_end > 0.0 ? 0 : r->steps;
    return SB_OK;
}

/* Sets *events to whether there is --event, and fails for options that have no effect with it or without it. */
static int check_events(cli *me, bool *events) {
    const run_options *o = me->config;
    *events = o->event[0] != '\0';
    if (!*events && (cli_given(me, "direction") || cli_given(me, "stop"))) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "run: --%s needs --event", cli_given(me, "stop") ? "stop" : "direction");
    }
    return *events && cli_given(me, "every")
               ? sb_fail(me->ctx, SB_BAD_USAGE, "run: --event and --every exclude each other; every event is a row")
               : SB_OK;
}

static int leave_out(const char *why) {
    sb_write_line(stderr, "stepbench: left out: %s", why);
    return SB_OK;
}

/* Builds a problem, and checks the event. */
static int build(const runner *r, sb_arena *arena, const sb_spec *problem, sb_system *sys) {
    const cli *me = r->me;
    sb_event event;
    SB_TRY(sb_system_make(me->ctx, arena, problem, &me->formulations, sys));
    return r->events ? sb_event_parse(me->ctx, arena, sys, r->options->event, &event) : SB_OK;
}

/* Adds the pairs of a problem that fit, but for what their steppers find when they are bound. A pair from a glob that
 * does not fit is left out with a message; any other fails. */
static int add_pairs(runner *r, const sb_spec *problem) {
    cli *me = r->me;
    const bool kept = me->problems.count <= KEPT;
    sb_system *sys;
    SB_SCRATCH(scratch, me->ctx);
    sb_arena *arena = kept ? me->arena : &scratch;
    SB_NEW(arena, sys, 1);
    const int built = build(r, arena, problem, sys);
    for (int j = 0; j < me->steppers.count; j++) {
        const sb_spec *stepper = &me->steppers.list[j];
        const sb_stepper *type = (const sb_stepper *)stepper->entry;
        const bool from_glob = problem->glob != NULL || stepper->glob != NULL;
        const int status = built == SB_OK ? sb_stepper_check(me->ctx, type, sys) : built;
        if (status == SB_UNSUPPORTED && from_glob) {
            SB_TRY(leave_out(me->ctx->message));
            continue;
        }
        SB_TRY(status);
        r->pairs[r->count++] = (pair){
            .plain = {problem->text, stepper->text, kept ? sys : NULL, type, stepper->config, NULL},
            .problem = problem,
            .time_scale = sys->time_scale,
            .period = sys->period,
            .from_glob = from_glob,
        };
    }
    return SB_OK;
}

/* In the process of a pair: binds it; the message is what its stepper notes. */
static int try_binding(void *arg, int k, const sb_pair *plain, sb_progress *progress, sb_sink *rows) {
    runner *r = arg;
    sb_pair bound = *plain;
    SB_SCRATCH(arena, r->me->ctx);
    SB_TRY(bind(r, &arena, k, &bound));
    return sb_fail(r->me->ctx, SB_OK, "%s", r->method.note != NULL ? r->method.note : "");
}

static void write_note(const pair *p, int status, const char *message) {
    if (status == SB_OK && message[0] != '\0') {
        sb_write_line(stderr, "stepbench: %s on %s: %s", p->plain.stepper, p->plain.problem, message);
    }
}

static int tried(void *arg, int k, int status, const char *message, bool crashed, sb_sink *out) {
    runner *r = arg;
    pair *p = &r->pairs[k];
    p->unfit = status == SB_UNSUPPORTED && p->from_glob;
    write_note(p, status, message);
    return p->unfit ? leave_out(message) : fail(r, k, status, message, crashed);
}

/* Binds the steppers of the pairs, and removes the pairs that do not fit. */
static int try_pairs(runner *r) {
    const sb_pair_work work = {.arg = r, .name = "", .run = try_binding, .ended = tried};
    int count = 0;
    SB_TRY(work_on_pairs(r, &work, NULL));
    for (int k = 0; k < r->count; k++) {
        r->pairs[count] = r->pairs[k];
        count += !r->pairs[k].unfit;
    }
    r->count = count;
    return SB_OK;
}

static int find_pairs(runner *r) {
    cli *me = r->me;
    const sb_specs *problems = &me->problems, *steppers = &me->steppers;
    if (problems->count == 0 || steppers->count == 0) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "run needs a %s",
                       problems->count == 0 ? "problem, -p NAME" : "stepper, -s NAME");
    }
    SB_NEW(me->arena, r->pairs, (size_t)problems->count * (size_t)steppers->count);
    for (int i = 0; i < problems->count; i++) {
        SB_TRY(add_pairs(r, &problems->list[i]));
    }
    SB_TRY(try_pairs(r));
    return r->count > 0 ? SB_OK
                        : sb_fail(me->ctx, SB_UNSUPPORTED,
                                  "no pair of problem and stepper fits; `stepbench list --matrix` shows which do");
}

static int choose_columns(runner *r) {
    cli_columns all = {0};
    for (int k = 0; k < r->count; k++) {
        const sb_system *sys;
        SB_SCRATCH(scratch, r->me->ctx);
        if (k == 0 || r->pairs[k].problem != r->pairs[k - 1].problem) {
            SB_TRY(system_of(r, &scratch, &r->pairs[k], &sys));
            SB_TRY(cli_columns_add(r->me, sys, r->events, &all));
        }
    }
    SB_TRY(cli_columns_choose(r->me, &all, r->count, &r->ncolumns, &r->columns));
    SB_NEW(r->me->arena, r->row, r->ncolumns);
    return SB_OK;
}

/* ---- Running. ---- */

/* In the process of a pair: runs it; the message is that of a violation of the constraints. */
static int run_steps(void *arg, int k, const sb_pair *plain, sb_progress *progress, sb_sink *rows) {
    runner *r = arg;
    const char *note;
    sb_pair bound = *plain;
    SB_SCRATCH(arena, r->me->ctx);
    SB_TRY(bind(r, &arena, k, &bound));
    SB_TRY(sb_violation_init(&arena, bound.sys, &r->violation));
    SB_TRY(cli_probe_init(r->me, &arena, &bound, r->events, r->options->h, r->ncolumns, r->columns, &r->probe));
    r->sink = rows;
    r->found = 0;
    r->run = (sb_run){.h = r->options->h,
                      .steps = r->steps,
                      .every = cli_probe_needs_all(&r->probe) ? 1 : r->options->every,
                      .multipliers = r->probe.wanted[CLI_LAMBDA] || r->probe.wanted[CLI_REACTION]};
    SB_TRY(sb_run_method(&r->method, &r->run, observe, r));
    SB_TRY(sb_violation_note(&arena, &r->violation, &bound, r->options->h, &note));
    return sb_fail(r->me->ctx, SB_OK, "%s", note);
}

/* A failure ends only its own pair; its rows before the failure are kept. */
static int ended(void *arg, int k, int status, const char *message, bool crashed, sb_sink *out) {
    runner *r = arg;
    write_note(&r->pairs[k], status, message);
    if (fail(r, k, status, message, crashed || !sb_failure_is_result(status)) != SB_OK) {
        r->failed++;
        r->last = status;
        if (r->count > 1) {
            sb_write_line(stderr, "stepbench: %s", r->me->ctx->message);
        }
    }
    return SB_OK;
}

static int run_pairs(runner *r, sb_sink *sink) {
    const sb_pair_work work = {.arg = r,
                               .name = "",
                               .ncolumns = r->ncolumns,
                               .columns = r->columns,
                               .run = run_steps,
                               .ended = ended,
                               .steps = r->steps};
    SB_TRY(work_on_pairs(r, &work, sink));
    return r->failed > 0 && r->count > 1
               ? sb_fail(r->me->ctx, sb_failure_is_result(r->last) ? r->last : SB_NOT_CONVERGED,
                         "%d of %d runs ended early", r->failed, r->count)
               : r->last;
}

static int check(runner *r) {
    SB_TRY(check_end(r->me));
    SB_TRY(check_events(r->me, &r->events));
    SB_TRY(find_pairs(r));
    SB_TRY(count_steps(r));
    return choose_columns(r);
}

int cli_run_check(cli *me, int *ncolumns, const sb_column **columns) {
    runner r = {.me = me, .options = me->config};
    SB_TRY(check(&r));
    *ncolumns = r.ncolumns;
    *columns = r.columns;
    return SB_OK;
}

static int run_run(cli *me) {
    runner r = {.me = me, .options = me->config};
    const char *const *comments = NULL;
    sb_sink *sink;
    r.quiet = me->silent || (me->output == NULL && !cli_plotted(me) && isatty(STDOUT_FILENO));
    SB_TRY(check(&r));
    SB_TRY(cli_comments(me, &comments));
    SB_TRY(cli_sink(me, comments, &sink));
    int status = sink->begin(sink, r.ncolumns, r.columns);
    status = status == SB_OK ? run_pairs(&r, sink) : status;
    return cli_finish(me, sink, status);
}

const cli_command cli_run = {
    &(const sb_entry){
        "run",
        "Runs steppers on problems and writes the states: time, coordinates, energies, momenta, constraint violations",
        "", run_params, sizeof(run_options)},
    "stepbench run -p PROBLEM [-w FORMULATION]... -s STEPPER [--h H] [--t-end T | --steps N] [--every K | --event "
    "NAME=VALUE "
    "[--direction D] [--stop N]] [--seconds N] [--columns LIST] [--pivot COLUMN] [--digits N] [--plot [FILE]] "
    "[--format F] [-o FILE]",
    CLI_PROBLEMS | CLI_FORMULATIONS | CLI_STEPPERS | CLI_OUTPUT | CLI_ROWS | CLI_FIGURES | CLI_SECONDS,
    run_run,
    "run",
    "stepbench run -p pendulum -s rattle --h 1/60 --t-end 10 --plot run.svg",
};
