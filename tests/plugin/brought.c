/* Steppers as people bring them, one a build: KIND chooses what is wrong, or right. All take a step from (q, v) with
 * the acceleration a(t, q, v). */
#include <math.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/stepbench.h>

#ifndef KIND
#define KIND DIFFERENCE
#endif
#define FROZEN 1     /* Nystrom's method of order 4 for q'' = a(t, q), with the first velocity in every stage */
#define CLOCK 2      /* the classical Runge-Kutta method, whose stages have the time of the first one */
#define STILL 3      /* Verlet's method, whose second force has the velocity 0 */
#define UNSHIFTED 4  /* leapfrog from v as if it were half a step earlier */
#define SHIFTED 5    /* leapfrog from the velocity half a step earlier; v is shifted back in every step */
#define DIFFERENCE 6 /* Verlet's method with the velocity of a difference of positions */
#define FLOAT 7      /* Verlet's method in single precision */
#define LOOSE 8      /* the midpoint rule, whose iteration ends at 1e-6 */
#define JUMPS 9      /* the triple jump of order 4 from symplectic Euler, which is not symmetric */
#define DAMPED 10    /* symplectic Euler with a drag that is linear in v at the end of the step */

typedef struct work {
    sb_dynamics dyn;
    sb_scalar *a[4], *q, *v;
} work;

static int init(sb_method *me) {
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &w->a[0], &w->a[1], &w->a[2], &w->a[3], &w->q, &w->v));
    return sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn);
}

static int acceleration(work *w, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *a) {
    return sb_dynamics_acceleration(&w->dyn, t, q, v, a, NULL);
}

/* z = x + c y */
static void add(int n, const sb_scalar *x, sb_scalar c, const sb_scalar *y, sb_scalar *z) {
    for (int i = 0; i < n; i++) {
        z[i] = x[i] + c * y[i];
    }
}

static int frozen(work *w, int n, const sb_state *in, sb_scalar h, sb_state *out) {
    add(n, in->q, h, in->v, out->q);
    SB_TRY(acceleration(w, in->t, in->q, in->v, w->a[0]));
    add(n, in->q, h / 2, in->v, w->q);
    add(n, w->q, h * h / 8, w->a[0], w->q);
    SB_TRY(acceleration(w, in->t + h / 2, w->q, in->v, w->a[1]));
    add(n, out->q, h * h / 2, w->a[1], w->q);
    SB_TRY(acceleration(w, in->t + h, w->q, in->v, w->a[2]));
    for (int i = 0; i < n; i++) {
        out->q[i] += h * h / 6 * (w->a[0][i] + 2 * w->a[1][i]);
        out->v[i] = in->v[i] + h / 6 * (w->a[0][i] + 4 * w->a[1][i] + w->a[2][i]);
    }
    return SB_OK;
}

static int runge_kutta(work *w, int n, const sb_state *in, sb_scalar h, sb_state *out) {
    static const double c[4] = {0, 0.5, 0.5, 1}, b[4] = {1, 2, 2, 1};
    add(n, in->q, 0, in->q, out->q);
    add(n, in->v, 0, in->v, out->v);
    add(n, in->v, 0, in->v, w->v);
    for (int s = 0; s < 4; s++) {
        add(n, in->q, s > 0 ? c[s] * h : 0, w->v, w->q);
        if (s > 0) {
            add(n, in->v, c[s] * h, w->a[s - 1], w->v);
        }
        SB_TRY(acceleration(w, in->t, w->q, w->v, w->a[s]));
        add(n, out->q, h / 6 * b[s], w->v, out->q);
        add(n, out->v, h / 6 * b[s], w->a[s], out->v);
    }
    return SB_OK;
}

static int verlet(work *w, int n, const sb_state *in, sb_scalar h, sb_state *out) {
    SB_TRY(acceleration(w, in->t, in->q, in->v, w->a[0]));
    for (int i = 0; i < n; i++) {
        w->v[i] = in->v[i] + h / 2 * w->a[0][i];
        out->q[i] = in->q[i] + h * w->v[i];
#if KIND == DIFFERENCE
        w->v[i] = (out->q[i] - in->q[i]) / h;
#elif KIND == FLOAT
        out->q[i] = (float)out->q[i];
        w->v[i] = (float)w->v[i];
#elif KIND == STILL
        w->q[i] = 0;
#endif
    }
    SB_TRY(acceleration(w, in->t + h, out->q, KIND == STILL ? w->q : w->v, w->a[1]));
    for (int i = 0; i < n; i++) {
        out->v[i] = w->v[i] + h / 2 * w->a[1][i];
#if KIND == FLOAT
        out->v[i] = (float)out->v[i];
#endif
    }
    return SB_OK;
}

static int leapfrog(work *w, int n, const sb_state *in, sb_scalar h, sb_state *out) {
    SB_TRY(acceleration(w, in->t, in->q, in->v, w->a[0]));
    add(n, in->v, KIND == SHIFTED ? -h / 2 : 0, w->a[0], w->v);
    add(n, w->v, h, w->a[0], w->v);
    add(n, in->q, h, w->v, out->q);
    SB_TRY(acceleration(w, in->t + h, out->q, w->v, w->a[1]));
    add(n, w->v, KIND == SHIFTED ? h / 2 : 0, w->a[1], out->v);
    return SB_OK;
}

static int midpoint(work *w, int n, const sb_state *in, sb_scalar h, sb_state *out) {
    sb_scalar change = 1;
    add(n, in->q, 0, in->q, out->q);
    add(n, in->v, 0, in->v, out->v);
    while (change > 1e-6) {
        change = 0;
        for (int i = 0; i < n; i++) {
            w->q[i] = (in->q[i] + out->q[i]) / 2;
            w->v[i] = (in->v[i] + out->v[i]) / 2;
        }
        SB_TRY(acceleration(w, in->t + h / 2, w->q, w->v, w->a[0]));
        for (int i = 0; i < n; i++) {
            const sb_scalar q = in->q[i] + h * w->v[i];
            change = fmax(change, fabs(q - out->q[i]));
            out->q[i] = q;
            out->v[i] = in->v[i] + h * w->a[0][i];
        }
    }
    return SB_OK;
}

static int jumps(work *w, int n, const sb_state *in, sb_scalar h, sb_state *out) {
    const sb_scalar c = 1 / (2 - cbrt(2.0)), part[3] = {c, 1 - 2 * c, c};
    add(n, in->q, 0, in->q, out->q);
    add(n, in->v, 0, in->v, out->v);
    for (int k = 0; k < 3; k++) {
        SB_TRY(acceleration(w, in->t, out->q, out->v, w->a[0]));
        add(n, out->v, part[k] * h, w->a[0], out->v);
        add(n, out->q, part[k] * h, out->v, out->q);
    }
    return SB_OK;
}

/* a(q, v + 1) - a(q, v) is the drag of a motion along a line. */
static int damped(work *w, int n, const sb_state *in, sb_scalar h, sb_state *out) {
    for (int i = 0; i < n; i++) {
        w->v[i] = in->v[i] + 1;
    }
    SB_TRY(acceleration(w, in->t, in->q, in->v, w->a[0]));
    SB_TRY(acceleration(w, in->t, in->q, w->v, w->a[1]));
    for (int i = 0; i < n; i++) {
        out->v[i] = in->v[i] + h * w->a[0][i] / (1 + h * (w->a[0][i] - w->a[1][i]));
        out->q[i] = in->q[i] + h * out->v[i];
    }
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    static int (*const kinds[])(work *, int, const sb_state *, sb_scalar, sb_state *) = {
        [FROZEN] = frozen,     [CLOCK] = runge_kutta, [STILL] = verlet,   [UNSHIFTED] = leapfrog, [SHIFTED] = leapfrog,
        [DIFFERENCE] = verlet, [FLOAT] = verlet,      [LOOSE] = midpoint, [JUMPS] = jumps,        [DAMPED] = damped};
    return kinds[KIND](me->work, me->sys->n, in, h, out);
}

SB_DEFINE_STEPPER(brought) = {
    .entry = {"brought", "a stepper that somebody brings", "hlw06 I.1.4", NULL, 0},
    .order = KIND == FROZEN || KIND == CLOCK || KIND == JUMPS ? 4
             : KIND == DAMPED                                 ? 1
                                                              : 2,
    .supports = KIND == SHIFTED || KIND == DIFFERENCE || KIND == FLOAT || KIND == LOOSE || KIND == JUMPS
                    ? 0U
                    : SB_HAS_FORCE | (KIND == FROZEN || KIND == CLOCK ? SB_HAS_TIME_POTENTIAL : 0U),
    .keeps = KIND == DIFFERENCE || KIND == FLOAT || KIND == LOOSE ? SB_KEEPS_MOMENTA | SB_KEEPS_REVERSIBILITY : 0,
    .init = init,
    .step = step,
};
