/* Analysis `period`: the mean time between events and its error, the error of the phase per turn. hnw93 II.6. */
#include "analysis/events.h"
#include "analysis/row.h"

typedef struct period_config {
    sb_step_options step;
    const char *event;
    int direction;
} period_config;

/* A line through the times of events t_0, t_1, ... The sums are of the deviations d from t_0 + n (t_1 - t_0), so that a
 * scatter much smaller than the times is not lost in round-off. */
typedef struct line {
    long count;
    double first, interval; /* t_0, t_1 - t_0 */
    double n, d;            /* means */
    double nn, nd, dd;      /* sums of products of the differences from the means */
} line;

static void add(line *me, double t) {
    me->first = me->count == 0 ? t : me->first;
    me->interval = me->count == 1 ? t - me->first : me->interval;
    const double n = (double)me->count, d = t - (me->first + n * me->interval), dn = n - me->n, dd = d - me->d;
    const double count = (double)++me->count, share = (count - 1.0) / count;
    me->n += dn / count;
    me->d += dd / count;
    me->nn += share * dn * dn;
    me->nd += share * dn * dd;
    me->dd += share * dd * dd;
}

/* Returns the slope of least squares; NaN for fewer than two events. */
static double slope(const line *me) { return me->count >= 2 ? me->interval + me->nd / me->nn : (double)NAN; }

/* Returns its standard error by the scatter about the line; NaN for fewer than three events. */
static double slope_error(const line *me) {
    const double left = fmax(0.0, me->dd - me->nd * me->nd / me->nn);
    return me->count >= 3 ? sqrt(left / ((double)me->count - 2.0) / me->nn) : (double)NAN;
}

typedef struct series {
    sb_events events, exact;
    line times, exact_times;
    bool has_exact;
} series;

static int add_time(void *times, const sb_event_state *at) {
    add(times, at->t);
    return SB_OK;
}

static int observe(void *arg, const sb_sample *s) {
    series *w = arg;
    SB_TRY(sb_events_follow(&w->events, s));
    return w->has_exact ? sb_events_follow(&w->exact, s) : SB_OK;
}

static int run(sb_task *task) {
    const period_config *config = task->config;
    const double several = 4.0 * task->sys->period / task->h;
    if (!(config->step.t_end > 0.0) && (double)task->steps < several) {
        task->steps = (long)ceil(several);
    }
    const sb_direction direction = (sb_direction)config->direction;
    series w = {.has_exact = task->sys->exact != NULL};
    sb_event event;
    SB_TRY(sb_event_parse(task->ctx, task->arena, task->sys, config->event, &event));
    SB_TRY(sb_events_init(task->ctx, task->arena, task->pair, &event, direction, SB_MOTION_OF_RUN, add_time, &w.times,
                          &w.events));
    SB_TRY(sb_events_init(task->ctx, task->arena, task->pair, &event, direction, SB_MOTION_EXACT, add_time,
                          &w.exact_times, &w.exact));
    SB_TRY(sb_pair_run(task->ctx, task->arena, task->pair, task->h, task->steps, observe, &w));
    const double period = slope(&w.times), exact = slope(&w.exact_times);
    return sb_row_status(
        task, w.times.count >= 2 ? SB_STATUS_OK : "fewer than two events: choose another --event, or a later --t-end",
        SB_CELLS(sb_int(task->steps), sb_int(w.times.count), sb_known(period), sb_known(slope_error(&w.times)),
                 sb_known(exact), sb_known(period - exact)));
}

static int check(const sb_task *task) {
    const period_config *config = task->config;
    sb_event event;
    return sb_event_parse(task->ctx, task->arena, task->sys, config->event, &event);
}

static const sb_param params[] = {
    SB_OPTION_H("a tenth of the problem's time scale in two digits, its half and quarter"),
    {"t_end", SB_REAL, offsetof(sb_step_options, t_end), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",
     "end of the runs, a multiple of every h; 0: about 200 time scales of the problem or, if longer, four periods"},
    SB_PARAM_TEXT(period_config, event, "q0=0", "NAME=VALUE, NAME one of t, q0, q1, ..., v0, v1, ... and the outputs"),
    SB_PARAM_CHOICE(period_config, direction, "up", SB_DIRECTIONS,
                    "how the quantity passes through the value; up: from below"),
    {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"steps", SB_COL_INFO, "", "number of steps; every step is a sample"},
    {"events", SB_COL_EXACT, "", "number of events; the initial state is none"},
    {"period", SB_COL_EXACT, "s", "mean time between events: slope of a line through their times"},
    {"period_se", SB_COL_INFO, "s", "its standard error by the scatter about the line; empty below three events"},
    {"exact", SB_COL_EXACT, "s", "the same of the exact solution; empty without one"},
    {"error", SB_COL_ERROR, "s", "period - exact; 2 pi error/exact is the error of the phase per period"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(period) = {.entry = {"period", "the period by events and its error, with its standard error",
                                        "hnw93 II.6", params, sizeof(period_config)},
                              .levels = 3,
                              .time_scales = 200.0,
                              SB_COLUMNS(columns),
                              .example = "stepbench period -p kepler -s verlet -s rk4",
                              .check = check,
                              .run = run};
