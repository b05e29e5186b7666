/* The methods of wm96 5.2 for the double spherical pendulum as displayed: DVP with 8 unknowns (positions and
 * multipliers) and EM with 14 (also momenta), both by Newton's iteration with a dense matrix. */
#include <string.h>

#include <lapacke.h>

#include "analysis/timing.h"
#include "bench/experiments/wm96/wm96_times.h"
#include "bench/runner/experiment_tools.h"

enum { Q = 6, MOST = 14, LIMIT = 50 };

static const double mass[Q] = {2.0, 2.0, 2.0, 3.5, 3.5, 3.5}, length2[2] = {16.0, 9.0}, g = 9.81;
/* Newton's iteration ends when no position changes by more than this (m), some thousand roundings. */
static const double tolerance = 1e-12;

typedef struct dsp_state {
    double before[Q], q[Q], p[Q], lambda[2]; /* before: previous position, for the two-step method */
} dsp_state;

/* Computes the gradients of |q_1|^2 and |q_2 - q_1|^2 at a, times c. */
static void gradients(const double *a, double c, double G[2][Q]) {
    for (int i = 0; i < 3; i++) {
        G[0][i] = 2.0 * c * a[i];
        G[0][3 + i] = 0.0;
        G[1][3 + i] = 2.0 * c * (a[3 + i] - a[i]);
        G[1][i] = -G[1][3 + i];
    }
}

static void constraints(const double *q, double *out) {
    out[0] = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - length2[0];
    out[1] = -length2[1];
    for (int i = 0; i < 3; i++) {
        out[1] += (q[3 + i] - q[i]) * (q[3 + i] - q[i]);
    }
}

/* Solves the linear system of an iteration in place. Fails if it is singular or if the iterations exceed LIMIT. */
static int solve(sb_bench *bench, const char *method, double h, int iterations, int n, double *A, double *r) {
    lapack_int pivots[MOST];
    return LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, 1, A, n, pivots, r, n) == 0 && iterations <= LIMIT
               ? SB_OK
               : sb_fail(bench->ctx, SB_NOT_CONVERGED, "%s as displayed did not converge at h = %g", method, h);
}

static double weight(int i) { return i % 3 == 2 ? mass[i] * g : 0.0; }

/* Steps DVP, (5.12): M (x - 2 q + before)/h + h V_q + h G(q)' lambda = 0, g(x) = 0. */
static int step_dvp(sb_bench *bench, double h, dsp_state *s) {
    double x[Q], G[2][Q], G1[2][Q], A[8 * 8], r[8];
    int iterations = 0;
    for (int i = 0; i < Q; i++) {
        x[i] = 2.0 * s->q[i] - s->before[i];
    }
    gradients(s->q, 1.0, G);
    do {
        memset(A, 0, sizeof A);
        gradients(x, 1.0, G1);
        for (int i = 0; i < Q; i++) {
            r[i] = -mass[i] * (x[i] - 2.0 * s->q[i] + s->before[i]) / h - h * weight(i);
            A[i + 8 * i] = mass[i] / h;
            for (int c = 0; c < 2; c++) {
                r[i] -= h * G[c][i] * s->lambda[c];
                A[i + 8 * (Q + c)] = h * G[c][i];
                A[Q + c + 8 * i] = G1[c][i];
            }
        }
        constraints(x, r + Q);
        r[Q] = -r[Q];
        r[Q + 1] = -r[Q + 1];
        SB_TRY(solve(bench, "DVP", h, ++iterations, 8, A, r));
        for (int i = 0; i < Q; i++) {
            x[i] += r[i];
        }
        s->lambda[0] += r[Q];
        s->lambda[1] += r[Q + 1];
    } while (!(sb_norm_max(Q, r) <= tolerance));
    memcpy(s->before, s->q, sizeof x);
    memcpy(s->q, x, sizeof x);
    return SB_OK;
}

/* Steps EM. With x and y the next position and momentum: x - q - h M^-1 (y + p)/2 = 0, y - p + h V_q + lambda (discrete
 * gradients) = 0, g(x) = 0, for x, y and lambda. */
static int step_em(sb_bench *bench, double h, dsp_state *s) {
    double x[Q], y[Q], sum[Q], G[2][Q], G1[2][Q], A[MOST * MOST], r[MOST];
    int iterations = 0;
    for (int i = 0; i < Q; i++) {
        x[i] = s->q[i] + h * s->p[i] / mass[i];
        y[i] = s->p[i];
    }
    do {
        memset(A, 0, sizeof A);
        for (int i = 0; i < Q; i++) {
            sum[i] = x[i] + s->q[i];
        }
        gradients(sum, 0.5, G);
        gradients(x, 1.0, G1);
        for (int i = 0; i < Q; i++) {
            const int j = i % 3;
            r[i] = -(x[i] - s->q[i] - 0.5 * h * (y[i] + s->p[i]) / mass[i]);
            r[Q + i] = -(y[i] - s->p[i] + h * weight(i));
            A[i + MOST * i] = 1.0;
            A[i + MOST * (Q + i)] = -0.5 * h / mass[i];
            A[Q + i + MOST * (Q + i)] = 1.0;
            A[Q + i + MOST * i] = s->lambda[1] + (i < 3 ? s->lambda[0] : 0.0);
            A[Q + i + MOST * (i < 3 ? 3 + j : j)] = -s->lambda[1];
            for (int c = 0; c < 2; c++) {
                r[Q + i] -= s->lambda[c] * G[c][i];
                A[Q + i + MOST * (2 * Q + c)] = G[c][i];
                A[2 * Q + c + MOST * i] = G1[c][i];
            }
        }
        constraints(x, r + 2 * Q);
        r[2 * Q] = -r[2 * Q];
        r[2 * Q + 1] = -r[2 * Q + 1];
        SB_TRY(solve(bench, "EM", h, ++iterations, MOST, A, r));
        for (int i = 0; i < Q; i++) {
            x[i] += r[i];
            y[i] += r[Q + i];
        }
        s->lambda[0] += r[2 * Q];
        s->lambda[1] += r[2 * Q + 1];
    } while (!(sb_norm_max(Q, r) <= tolerance));
    memcpy(s->q, x, sizeof x);
    memcpy(s->p, y, sizeof y);
    return SB_OK;
}

/* Runs 30 s; sets the last position and the CPU time (s). */
static int run_once(sb_wm96 *set, bool em, double h, double *q, double *seconds) {
    const long steps = lround(SB_WM96_T_END / h);
    dsp_state s = {.lambda = {0.0, 0.0}};
    double t, v[Q];
    SB_TRY(set->sys.initial(set->sys.self, &t, s.q, v));
    for (int i = 0; i < Q; i++) {
        s.p[i] = mass[i] * v[i];
        s.before[i] = s.q[i];
    }
    if (!em) { /* its second point */
        memcpy(s.q, set->points + lround(h / SB_WM96_STANDARD_H) * Q, sizeof s.q);
    }
    const double begin = sb_processor_time();
    for (long k = em ? 0 : 1; k < steps; k++) {
        SB_TRY(em ? step_em(set->bench, h, &s) : step_dvp(set->bench, h, &s));
    }
    *seconds = sb_processor_time() - begin;
    memcpy(q, s.q, sizeof s.q);
    return SB_OK;
}

int sb_wm96_displayed(sb_wm96 *set, int nsteps, const double *h, sb_quartiles *ratio, double *distance) {
    static const char *const steppers[2] = {"shake", "em"};
    *distance = 0.0;
    for (int i = 0; i < nsteps; i++) {
        double ratios[SB_WM96_REPEATS], q[2][Q];
        for (int repeat = 0; repeat < SB_WM96_REPEATS; repeat++) {
            double seconds[2];
            for (int em = 0; em < 2; em++) {
                SB_TRY(run_once(set, em == 1, h[i], q[em], &seconds[em]));
            }
            ratios[repeat] = seconds[0] / seconds[1];
        }
        ratio[i] = sb_wm96_quartiles(ratios);
        for (int em = 0; em < 2; em++) {
            sb_wm96_run run;
            SB_TRY(sb_wm96_run_stepper(set, steppers[em], h[i], &run));
            for (int k = 0; k < Q; k++) {
                *distance = sb_larger(*distance, fabs(q[em][k] - run.q[(SB_WM96_SAMPLES - 1) * Q + k]));
            }
        }
    }
    return SB_OK;
}
