/* Runs in quadruple precision that report how far they are, for the line that stepbench shows on a terminal. */
#include <stdio.h>
#include <time.h>

#include "quad/quad.h"

/* What is between a run and the observer of its samples. */
typedef struct reporter {
    const quad_call *call;
    const char *stepper;
    const sb_run *run;
    long every; /* steps per sample that is passed on */
    double last;
    sb_observer observe;
    void *arg;
} reporter;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Writes a line ten times per second at most, twice as often as it is shown. */
static int report(void *arg, const sb_sample *sample) {
    reporter *me = arg;
    const double at = now();
    if (at - me->last >= 0.1) {
        me->last = at;
        fprintf(stderr, "progress %ld %ld %s of %s on %s, h = %.3g\n", sample->step, me->run->steps,
                me->call->command->entry.name, me->stepper, me->call->problem, (double)me->run->h);
    }
    return sample->step % me->every == 0 || sample->step == me->run->steps ? me->observe(me->arg, sample) : SB_OK;
}

int quad_run_method(const quad_call *call, const char *stepper, sb_method *method, sb_run *run, sb_observer observe,
                    void *arg) {
    reporter me = {call, stepper, run, run->every, 0.0, observe, arg};
    if (!call->progress) {
        return sb_run_method(method, run, observe, arg);
    }
    run->every = 1;
    return sb_run_method(method, run, report, &me);
}
