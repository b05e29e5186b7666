/* Checks that a step depends only on its input state and writes only its output state. */
#include "analysis/pure_step.h"

#include <string.h>

enum { ARRAYS = 4, FENCE = 8 }; /* arrays of a state; numbers on each side of an array that a step must not write */

/* Returns how many numbers differ in any bit. */
static int count_different(int n, const double *a, const double *b) {
    int different = 0;
    for (int i = 0; i < n; i++) {
        different += memcmp(&a[i], &b[i], sizeof *a) != 0;
    }
    return different;
}

int sb_state_differences(const sb_method *me, const sb_state *a, const sb_state *b) {
    const int n = me->sys->n;
    return count_different(n, a->q, b->q) + count_different(n, a->v, b->v) +
           count_different(sb_system_multipliers(me->sys), a->lambda, b->lambda) +
           count_different(me->naux, a->aux, b->aux);
}

/* Sets q, v and aux to NaN. */
static void fill_nan(const sb_method *me, sb_state *s) {
    for (int i = 0; i < me->sys->n; i++) {
        s->q[i] = s->v[i] = NAN;
    }
    for (int i = 0; i < me->naux; i++) {
        s->aux[i] = NAN;
    }
}

/* Copies a state into arrays with NaN before and after them, which a step must neither read nor write. */
static int copy_fenced(sb_arena *arena, const sb_method *me, const sb_state *from, sb_state *to, double **fences) {
    const int length[] = {me->sys->n, me->sys->n, sb_system_multipliers(me->sys), me->naux};
    const double *const source[] = {from->q, from->v, from->lambda, from->aux};
    double **const target[] = {&to->q, &to->v, &to->lambda, &to->aux};
    *to = *from;
    for (int k = 0; k < ARRAYS; k++) {
        SB_NEW(arena, fences[k], length[k] + 2 * FENCE);
        for (int i = 0; i < length[k] + 2 * FENCE; i++) {
            const bool inside = i >= FENCE && i < FENCE + length[k];
            fences[k][i] = inside ? source[k][i - FENCE] : NAN;
        }
        *target[k] = fences[k] + FENCE;
    }
    return SB_OK;
}

/* Counts the numbers around the arrays that are no longer NaN. */
static int count_broken(const sb_method *me, double *const *fences) {
    const int length[] = {me->sys->n, me->sys->n, sb_system_multipliers(me->sys), me->naux};
    int broken = 0;
    for (int k = 0; k < ARRAYS; k++) {
        for (int i = 0; i < FENCE; i++) {
            broken += !isnan(fences[k][i]) + !isnan(fences[k][FENCE + length[k] + i]);
        }
    }
    return broken;
}

int sb_step_fenced(sb_arena *arena, double h, const sb_method *me, const sb_state *in, const sb_state *plain,
                   int *count) {
    sb_state from, to;
    double *before[ARRAYS], *after[ARRAYS];
    SB_TRY(copy_fenced(arena, me, in, &from, before));
    SB_TRY(copy_fenced(arena, me, in, &to, after));
    const int status = sb_method_step(me, &from, h, &to);
    *count = count_broken(me, before) + count_broken(me, after);
    *count += status == SB_OK ? sb_state_differences(me, plain, &to) : 1;
    return status < 0 ? status : SB_OK;
}

int sb_step_repeat(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, sb_method *me, const sb_state *in,
                   sb_state *a, sb_state *b, int *count) {
    sb_method fresh = {0};
    SB_TRY(sb_method_step(me, in, h, a));
    (void)sb_method_step(me, a, 1.3 * h, b); /* only for its effect on the scratch memory */
    fill_nan(me, b);
    SB_TRY(sb_method_step(me, in, h, b));
    *count = sb_state_differences(me, a, b);
    int status = sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &fresh);
    status = status == SB_OK ? sb_method_step(&fresh, in, h, b) : status;
    *count += status == SB_OK ? sb_state_differences(me, a, b) : 0;
    return status;
}
