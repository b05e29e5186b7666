/* `stepbench run`: writes the trajectories of every pair of problem and stepper as rows.
 *
 * The option --h becomes the step of the integration in run_steps: sb_run_method (core/run/run.c) takes `steps` steps
 * of this length and passes the states to `observe`, which writes the rows. */
#include <math.h>
#include <unistd.h>

#include "analysis/events.h"
#include "bench/cli/cli.h"
#include "bench/cli/columns.h"
#include "bench/cli/horizon.h"
#include "bench/cli/provenance.h"
#include "bench/process/escape.h"
#include "bench/process/meter.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/output/provenance.h"
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

/* One pair, built and checked before anything runs. */
typedef struct pair {
    const char *problem, *stepper, *what; /* what: stepper and problem */
    sb_system sys;
    sb_method method;
    sb_progress progress; /* of the method's stepper */
    cli_probe probe;
    sb_events events; /* with --event */
    long count;       /* events so far */
    long step;        /* steps before the interval of the events */
} pair;

typedef struct runner {
    cli *me;
    const run_options *options;
    sb_run run;
    long steps;
    int count;
    bool events; /* the rows are events */
    pair *pairs;
    int ncolumns;
    const sb_column *columns;
    sb_cell *row;
    sb_sink *sink;
    pair *running;
    sb_meter meter; /* of steps */
    bool quiet;     /* the terminal shows rows */
} runner;

/* Shows the progress, unless the terminal shows rows. */
static int show_progress(runner *r, long step) {
    char what[300];
    if (r->quiet || !sb_meter_on(&r->meter)) {
        return SB_OK;
    }
    r->meter.done = (double)(r->running - r->pairs) * (double)r->steps + (double)step;
    snprintf(what, sizeof what, "%s on %s", r->running->stepper, r->running->problem);
    return sb_meter_show(&r->meter, what);
}

static int write_row(runner *r, const sb_sample *sample) {
    SB_TRY(cli_probe_row(&r->running->probe, r->ncolumns, sample, r->running->count, r->row));
    return r->sink->row(r->sink, r->row);
}

/* Writes an event as a row, and ends the run at the event --stop. */
static int write_event(void *arg, const sb_event_state *at) {
    runner *r = arg;
    pair *p = r->running;
    if (r->options->stop > 0 && p->count == r->options->stop) {
        return SB_OK;
    }
    p->count++;
    if (p->count == r->options->stop) {
        r->run.steps = p->step + 1;
    }
    return write_row(r, &(sb_sample){.step = p->step, .t = at->t, .q = at->q, .v = at->v});
}

static int observe(void *arg, const sb_sample *sample) {
    runner *r = arg;
    SB_TRY(show_progress(r, sample->step));
    if (r->events) {
        r->running->step = sample->step - 1;
        return sb_events_follow(&r->running->events, sample);
    }
    SB_TRY(cli_probe_follow(&r->running->probe, sample));
    return sample->step % r->options->every != 0 && sample->step < r->steps ? SB_OK : write_row(r, sample);
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
        scale = fmin(scale, (double)r->pairs[i].sys.time_scale);
        period = fmax(period, (double)r->pairs[i].sys.period);
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

static int build_events(runner *r, const sb_pair *plain, pair *out) {
    cli *me = r->me;
    const run_options *o = me->config;
    sb_event event;
    SB_TRY(sb_event_parse(me->ctx, me->arena, &out->sys, o->event, &event));
    return sb_events_init(me->ctx, me->arena, plain, &event, (sb_direction)o->direction, SB_MOTION_OF_RUN, write_event,
                          r, &out->events);
}

static int build_pair(runner *r, const sb_spec *problem, const sb_spec *stepper, pair *out) {
    cli *me = r->me;
    out->problem = problem->text;
    out->stepper = stepper->text;
    SB_PRINT(me->arena, out->what, "%s on %s", stepper->text, problem->text);
    SB_TRY(sb_system_make(me->ctx, me->arena, problem, &me->formulations, &out->sys));
    const sb_pair plain = {problem->text, stepper->text, &out->sys, (const sb_stepper *)stepper->entry,
                           stepper->config};
    SB_TRY(sb_escape_bind(me->ctx, me->arena, out->what, &plain, &out->progress, &out->method));
    if (out->method.note != NULL) {
        sb_write_line(stderr, "stepbench: %s: %s", out->what, out->method.note);
    }
    SB_TRY(r->events ? build_events(r, &plain, out) : SB_OK);
    return cli_probe_init(me, &out->method, out->problem, out->stepper, r->events, &out->probe);
}

/* Builds all pairs. A pair from a glob that does not fit is left out with a message; any other fails. */
static int build_pairs(runner *r) {
    cli *me = r->me;
    const sb_specs *problems = &me->problems, *steppers = &me->steppers;
    if (me->problems.count == 0 || me->steppers.count == 0) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "run needs a %s",
                       me->problems.count == 0 ? "problem, -p NAME" : "stepper, -s NAME");
    }
    SB_NEW(me->arena, r->pairs, problems->count * steppers->count);
    for (int i = 0; i < problems->count; i++) {
        for (int j = 0; j < steppers->count; j++) {
            const int status = build_pair(r, &problems->list[i], &steppers->list[j], &r->pairs[r->count]);
            if (status == SB_UNSUPPORTED && (problems->list[i].glob != NULL || steppers->list[j].glob != NULL)) {
                sb_write_line(stderr, "stepbench: left out: %s", me->ctx->message);
                continue;
            }
            SB_TRY(status);
            r->count++;
        }
    }
    return r->count > 0 ? SB_OK
                        : sb_fail(me->ctx, SB_UNSUPPORTED,
                                  "no pair of problem and stepper fits; `stepbench list --matrix` shows which do");
}

static int choose_columns(runner *r) {
    cli_probe **probes;
    SB_NEW(r->me->arena, probes, r->count);
    for (int i = 0; i < r->count; i++) {
        probes[i] = &r->pairs[i].probe;
    }
    SB_TRY(cli_columns_choose(r->me, r->options->h, r->count, probes, &r->ncolumns, &r->columns));
    SB_NEW(r->me->arena, r->row, r->ncolumns);
    return SB_OK;
}

/* ---- Running. ---- */

static int run_steps(void *arg) {
    runner *r = arg;
    r->run = (sb_run){.h = r->options->h,
                      .steps = r->steps,
                      .every = cli_probe_needs_all(&r->running->probe) ? 1 : r->options->every,
                      .multipliers = r->running->probe.wanted[CLI_LAMBDA]};
    return sb_run_method(&r->running->method, &r->run, observe, r);
}

/* Runs the pairs one after another. A numerical failure ends only its own pair; its rows before the failure are kept.
 */
static int run_pairs(runner *r) {
    int failed = 0, last = SB_OK;
    for (int i = 0; i < r->count; i++) {
        r->running = &r->pairs[i];
        const int status = sb_escape_run(r->me->ctx, r->running->what, &r->running->progress, run_steps, r);
        sb_meter_clear(&r->meter);
        if (status < 0) {
            return status;
        }
        if (status > 0) {
            failed++;
            last = status;
            if (r->count > 1) {
                sb_write_line(stderr, "stepbench: %s", r->me->ctx->message);
            }
        }
    }
    if (failed > 0 && r->count > 1) {
        return sb_fail(r->me->ctx, last, "%d of %d runs ended early", failed, r->count);
    }
    return last;
}

static int check(runner *r) {
    SB_TRY(check_end(r->me));
    SB_TRY(check_events(r->me, &r->events));
    SB_TRY(build_pairs(r));
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
    r.quiet = me->silent || (me->output == NULL && !cli_plotted(me) && isatty(STDOUT_FILENO));
    SB_TRY(check(&r));
    sb_meter_begin(&r.meter, me->ctx, (double)r.count * (double)r.steps);
    SB_TRY(cli_comments(me, &comments));
    SB_TRY(cli_sink(me, comments, &r.sink));
    int status = r.sink->begin(r.sink, r.ncolumns, r.columns);
    status = status == SB_OK ? run_pairs(&r) : status;
    return cli_finish(me, r.sink, status);
}

const cli_command cli_run = {
    &(const sb_entry){
        "run",
        "Runs steppers on problems and writes the states: time, coordinates, energies, momenta, constraint violations",
        "", run_params, sizeof(run_options)},
    "stepbench run -p PROBLEM [-w FORMULATION]... -s STEPPER [--h H] [--t-end T | --steps N] [--every K | --event "
    "NAME=VALUE "
    "[--direction D] [--stop N]] [--columns LIST] [--pivot COLUMN] [--digits N] [--plot [FILE]] [--format F] [-o FILE]",
    CLI_PROBLEMS | CLI_FORMULATIONS | CLI_STEPPERS | CLI_OUTPUT | CLI_ROWS | CLI_FIGURES,
    run_run,
    "run",
    "stepbench run -p pendulum -s rattle --h 1/60 --t-end 10 --plot run.svg",
};
