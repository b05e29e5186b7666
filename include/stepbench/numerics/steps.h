/* Blocks of steps, by instances of a step for the sizes of small systems: the run loop calls one function for many
 * steps, whose calls, tests of what a system has and loads of what does not change the compiler leaves out.
 * Instructions per step without and with them: on oscillator verlet 97 and 61, rk4 329 and 282, shake 137 and 63,
 * rattle 147 and 85, spook 210 and 62; on kepler verlet 134 and 95, spook 244 and 94; on pendulum shake 711 and 627,
 * rattle 837 and 767, spook 497 and 373; on dsp shake 1612 and 1558, rattle 2038 and 2002, spook 1007 and 884. */
#ifndef STEPBENCH_NUMERICS_STEPS_H
#define STEPBENCH_NUMERICS_STEPS_H

#include <stepbench/numerics/sizes.h>
#include <stepbench/stepper.h>

/* A run between two states that are looked at: at *now, after `step` steps of length h from t0. */
typedef struct sb_steps_at {
    sb_scalar t0, h;
    long step;
    sb_state *now, *next; /* next: scratch; the two are exchanged by every step */
    sb_state *first;      /* scratch: the state at which a block began */
} sb_steps_at;

/* Makes the state ahead the state of the run. */
static inline void sb_steps_follow(sb_steps_at *at) {
    sb_state *const next = at->next;
    at->step++;
    next->t = at->t0 + (sb_scalar)at->step * at->h; /* round-off does not accumulate in t */
    next->h = at->h;
    at->next = at->now;
    at->now = next;
}

#define SB_STEPS_INSTANCE(name, n_, m_)                                                                                \
    if (me->plain && n == (n_) && m == (m_)) {                                                                         \
        return steps_sized(me, at, end, true, n_, m_);                                                                 \
    }

/* Defines the `step` of a stepper, and a function that init may set as me->steps, from the always inlined
 *
 *   step_sized(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out, bool plain, int n, int m)
 *
 * for n coordinates and m holonomic constraints. me->steps takes the steps up to the number `end`, as `step` does, and
 * stops at the state before one that fails, or after an interruption, which the instances do not look for; without it
 * the run loop calls `step`. `plain` is true in the instances, whose sizes are constants, which are for systems with
 * me->plain: M is constant and diagonal, and what acts are a potential and constraints g(q). Init clears me->plain
 * where the configuration adds more. */
#define SB_DEFINE_STEPS(step_sized)                                                                                    \
    SB_INLINED int steps_sized(const sb_method *me, sb_steps_at *at, long end, const bool plain, const int n,          \
                               const int m) {                                                                          \
        do {                                                                                                           \
            at->next->iters = 0;                                                                                       \
            SB_TRY(step_sized(me, at->now, at->h, at->next, plain, n, m));                                             \
            sb_steps_follow(at);                                                                                       \
        } while (at->step < end && (plain || !sb_interrupted(me->ctx)));                                               \
        return SB_OK;                                                                                                  \
    }                                                                                                                  \
    static int steps(const sb_method *me, sb_steps_at *at, long end) {                                                 \
        const int n = me->sys->n, m = me->sys->holonomic.m;                                                            \
        SB_SIZES(SB_STEPS_INSTANCE)                                                                                    \
        return steps_sized(me, at, end, false, n, m);                                                                  \
    }                                                                                                                  \
    static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {                             \
        return steps(me, &(sb_steps_at){.t0 = in->t, .h = h, .now = (sb_state *)in, .next = out}, 1);                  \
    }

#endif
