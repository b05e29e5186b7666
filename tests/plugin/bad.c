/* Steppers that misbehave, one a build: explicit Euler with one thing wrong, chosen by a macro. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <stepbench/stepbench.h>

#ifndef MISBEHAVIOUR
#define MISBEHAVIOUR 0
#endif
enum { WELL_BEHAVED, WRITES_INPUT, REMEMBERS, MAKES_NAN, CLAIMS_FOUR, NEVER_RETURNS, CRASHES, ABORTS, EXITS, SLEEPS, CRASHES_LATE, CLAIMS_ENERGY };

typedef struct bad_work {
    sb_dynamics dyn;
    double *a;
    long steps;
} bad_work;

static int init(sb_method *me) {
    bad_work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_NEW(me->arena, w->a, me->sys->n);
    return sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn);
}

static void misbehave(bad_work *w, const sb_state *in, sb_state *out) {
    static volatile int forever = 1;
    w->steps++;
    switch (MISBEHAVIOUR) {
    case WRITES_INPUT:
        ((sb_state *)in)->q[0] += 1e-3;
        break;
    case REMEMBERS:
        out->q[0] += 1e-9 * (double)w->steps;
        break;
    case MAKES_NAN:
        out->v[0] = w->steps > 7 ? NAN : out->v[0];
        break;
    case NEVER_RETURNS:
        while (w->steps > 3 && forever) {
        }
        break;
    case SLEEPS:
        while (forever) {
            pause();
        }
        break;
    case CRASHES:
        if (w->steps == 5) {
            *(volatile int *)NULL = 1;
        }
        break;
    case CRASHES_LATE:
        if (w->steps == 500) {
            raise(SIGFPE);
        }
        break;
    case ABORTS:
        abort();
    case EXITS:
        exit(0);
    default:
        break;
    }
}

static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    bad_work *w = me->work;
    SB_TRY(sb_dynamics_acceleration(&w->dyn, in->t, in->q, in->v, w->a, NULL));
    for (int i = 0; i < me->sys->n; i++) {
        out->q[i] = in->q[i] + h * in->v[i];
        out->v[i] = in->v[i] + h * w->a[i];
    }
    misbehave(w, in, out);
    return SB_OK;
}

static void fini(sb_method *me) {
    bad_work *w = me->work;
    sb_dynamics_fini(&w->dyn);
}

SB_DEFINE_STEPPER(bad) = {
    .entry = {"bad", "Explicit Euler with one thing wrong", "hnw93 I.7", NULL, 0},
    .order = MISBEHAVIOUR == CLAIMS_FOUR ? 4 : 1,
    .keeps = MISBEHAVIOUR == CLAIMS_ENERGY ? (unsigned)SB_KEEPS_ENERGY : 0,
    .supports = MISBEHAVIOUR == NEVER_RETURNS ? (unsigned)SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_VARIABLE_MASS : (unsigned)SB_HAS_FORCE,
    .init = init,
    .step = step,
    .fini = fini,
};
