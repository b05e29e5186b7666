/* Analysis `modified_energy`: deviation and secular slope of the energy and of modified Hamiltonians of order 4 to 12,
 * from consecutive states only. skeel01, engle05. */
#include <string.h>

#include "analysis/conservation/homogeneous.h"
#include "analysis/conservation/quantities.h"
#include "analysis/conservation/trend.h"
#include "analysis/orbit.h"
#include "analysis/row.h"

/* Modified Hamiltonians of order 2 k from k + 1 states; the energy is the first series. */
enum { K_MIN = 2, K_MAX = 6, SERIES = K_MAX - K_MIN + 2 };

static const char *const names[SERIES] = {"energy", "H4", "H6", "H8", "H10", "H12"};

typedef struct modified_config {
    sb_step_options step;
    long batches;
} modified_config;

/* A state of the extended system. */
typedef struct point {
    double *q, *p; /* n */
    double beta;   /* since the point before */
} point;

typedef struct series {
    sb_method method;
    sb_orbit orbit;
    sb_dynamics dyn; /* dynamics of the problem itself */
    sb_trends trends;
    point window[K_MAX + 1];                     /* the last states, the newest one last */
    double *v, *p;                               /* n + 1: scratch */
    double weight[SERIES][K_MAX + 1][K_MAX + 1]; /* weights of the pairs of states, for each order */
    double first[SERIES];
    double size;     /* |T| + |V| of the first state where it is positive */
    double product;  /* largest sum of |q_i p_i| so far */
    bool resettable; /* beta may be set to zero between steps */
} series;

/* ---- The modified Hamiltonian. ---- */

/* Sets the weights of
 *
 *   H_2k = 1/(h binomial(2k, k)) sum_{i < j} (-1)^{j-i+1} binomial(k, i) binomial(k, j)/(j - i) (y_i, y_j),
 *   (y_i, y_j) = p_i . q_j - q_i . p_j - (beta_j - beta_i),
 *
 * of order 2 k, the highest on k + 1 states: skeel01. On the flow of a Hamiltonian that is homogeneous of degree two,
 * (y, y') = 2 H, and the derivatives of this vanish, so that only l of the terms (y^(a), y^(b)) with a + b = 2 l + 1
 * are independent. The weights make the coefficients of those with 1 <= l < k zero. On a linear symplectic method every
 * (y_i, y_j) depends only on j - i, and H_2k is constant. */
static void set_weights(series *w) {
    for (int s = 1; s < SERIES; s++) {
        const int k = s + K_MIN - 1;
        double binomial[K_MAX + 1] = {1.0}, sum = 1.0; /* sum of the squares: binomial(2k, k) */
        for (int i = 1; i <= k; i++) {
            binomial[i] = binomial[i - 1] * (k + 1 - i) / i;
            sum += binomial[i] * binomial[i];
        }
        for (int i = 0; i < k; i++) {
            for (int j = i + 1; j <= k; j++) {
                w->weight[s][i][j] = ((j - i) % 2 == 0 ? -1.0 : 1.0) * binomial[i] * binomial[j] / ((j - i) * sum);
            }
        }
    }
}

/* Adds the terms of every order, h H_2k, from the states in the window. (y_i, y_j) is computed from differences of
 * states, which are exact where the states are near each other. */
static void add_pairs(const series *w, int n, double *H) {
    for (int i = 0; i < K_MAX; i++) {
        double beta = 0.0;
        for (int j = i + 1; j <= K_MAX; j++) {
            const point *a = &w->window[i], *b = &w->window[j];
            beta += b->beta;
            double product = -beta;
            for (int l = 0; l < n; l++) {
                product += a->p[l] * (b->q[l] - a->q[l]) - a->q[l] * (b->p[l] - a->p[l]);
            }
            for (int s = 1; s < SERIES; s++) {
                const int skip = K_MAX - (s + K_MIN - 1); /* the last k + 1 states */
                H[s] += i >= skip ? w->weight[s][i - skip][j - skip] * product : 0.0;
            }
        }
    }
}

/* ---- The run. ---- */

/* Sets alpha - 1 and beta to zero in the state, which does not change the motion. beta grows with time, and so would
 * its round-off. */
static void reset(const sb_method *me, sb_state *state) {
    state->q[me->sys->n - 1] = 0.0;
    state->v[me->sys->n - 1] = 0.0;
}

/* Computes the momenta of a state in w->p and sets beta to the last one. */
static int momenta(const series *w, const sb_state *state, double *beta) {
    SB_TRY(sb_method_momentum(&w->method, state, w->p));
    *beta = w->p[w->method.sys->n - 1];
    return SB_OK;
}

/* Takes a step and appends its state to the window, with the change of beta. */
static int advance(series *w, double h) {
    const int n = w->method.sys->n - 1;
    const point oldest = w->window[0];
    double before, after;
    if (w->resettable) {
        reset(&w->method, &w->orbit.now);
    }
    for (int i = 0; i < K_MAX; i++) {
        w->window[i] = w->window[i + 1];
    }
    w->window[K_MAX] = oldest;
    SB_TRY(momenta(w, &w->orbit.now, &before));
    SB_TRY(sb_orbit_advance(&w->orbit, h, 1));
    SB_TRY(momenta(w, &w->orbit.now, &after));
    point *last = &w->window[K_MAX];
    last->beta = after - before;
    memcpy(last->q, w->orbit.now.q, (size_t)n * sizeof *last->q);
    memcpy(last->p, w->p, (size_t)n * sizeof *last->p);
    double product = 0.0;
    for (int i = 0; i < n; i++) {
        product += fabs(last->q[i] * last->p[i]);
    }
    w->product = sb_larger(w->product, product);
    return SB_OK;
}

/* Computes the energy of the state, from its reported velocity. */
static int energy(series *w, double *H) {
    double size;
    SB_TRY(sb_method_report(&w->method, &w->orbit.now, w->v, NULL));
    SB_TRY(sb_quantities_energy(&w->dyn, w->orbit.now.t, w->orbit.now.q, w->v, H, &size));
    w->size = w->size > 0.0 ? w->size : size;
    return SB_OK;
}

static int sample(series *w, double h, bool first) {
    double H[SERIES] = {0.0};
    add_pairs(w, w->method.sys->n - 1, H);
    for (int s = 1; s < SERIES; s++) {
        H[s] /= h;
    }
    SB_TRY(energy(w, &H[0]));
    if (first && !(fabs(H[1] - H[0]) <= w->size)) {
        return sb_fail(w->method.ctx, SB_UNSUPPORTED,
                       "no modified energy: H4 is %.3g where the energy is %.3g; the step is too large, or %s computes "
                       "beta with the round-off of its other unknowns",
                       H[1], H[0], w->method.type->entry.name);
    }
    for (int s = 0; s < SERIES; s++) {
        w->first[s] = first ? H[s] : w->first[s];
        H[s] -= w->first[s];
    }
    sb_trends_add(&w->trends, w->orbit.now.t, H);
    return SB_OK;
}

static int prepare(const sb_task *task, sb_system *extended, series *w) {
    const modified_config *config = task->config;
    SB_TRY(sb_homogeneous_new(task->ctx, task->arena, task->sys, extended));
    SB_TRY(sb_method_init(task->ctx, task->arena, task->pair->type, task->pair->config, extended, &w->method));
    SB_TRY(sb_orbit_init(&w->method, task->arena, &w->orbit));
    SB_TRY(sb_dynamics_init(task->ctx, task->arena, task->sys, &w->dyn));
    for (int i = 0; i <= K_MAX; i++) {
        SB_TRY(SB_VECTORS(task->arena, task->sys->n, &w->window[i].q, &w->window[i].p));
    }
    SB_TRY(SB_VECTORS(task->arena, extended->n, &w->v, &w->p));
    set_weights(w);
    return sb_trends_init(task->arena, SERIES, (int)config->batches, task->steps - K_MAX, &w->trends);
}

/* Decides whether beta may be set to zero between steps: whether the next step then changes beta by the same amount. It
 * does not if aux contains earlier momenta, as in multistep methods. The two changes agree to round-off, or differ by a
 * multiple of beta, which is not zero after a step. */
static int find_resettable(series *w, sb_arena *arena, double h) {
    double change[2];
    sb_state from, to;
    SB_TRY(sb_state_new(&w->method, arena, &from));
    SB_TRY(sb_state_new(&w->method, arena, &to));
    sb_state_copy(&w->method, &w->orbit.now, &from);
    for (int i = 0; i < 2; i++) {
        double before, after;
        SB_TRY(momenta(w, &from, &before));
        SB_TRY(sb_method_step(&w->method, &from, h, &to));
        SB_TRY(momenta(w, &to, &after));
        change[i] = after - before;
        reset(&w->method, &from);
    }
    w->resettable = fabs(change[1] - change[0]) <= 1e-6 * fabs(change[0]);
    return SB_OK;
}

static int run(sb_task *task) {
    const double T = task->h * (double)task->steps;
    sb_system extended;
    series w = {.size = 0.0};
    SB_TRY(prepare(task, &extended, &w));
    double initial;
    SB_TRY(sb_orbit_start(&w.orbit, 0.0, NULL, NULL, task->h));
    SB_TRY(energy(&w, &initial));
    for (long k = 1; k <= task->steps; k++) {
        SB_TRY(advance(&w, task->h));
        if (k == 1) {
            SB_TRY(find_resettable(&w, task->arena, task->h));
        }
        if (k > K_MAX) {
            SB_TRY(sample(&w, task->h, k == K_MAX + 1));
        }
    }
    for (int s = 0; s < SERIES; s++) {
        sb_trend trend;
        sb_trends_evaluate(&w.trends, s, &trend);
        /* A rounding of q or p changes H_2k by up to eps |p q|/h at each of the two ends of the window, and as much in
         * the initial value. */
        const double rounding =
            (s == 0 ? 0.0 : 4.0 * DBL_EPSILON * w.product / task->h) + sb_accumulated_rounding(w.size, task->steps);
        SB_TRY(sb_row(task, SB_CELLS(sb_int(task->steps), sb_text(names[s]), sb_real(w.first[s]),
                                     sb_known(trend.max / w.size), sb_known(trend.deviation / w.size),
                                     sb_known(trend.slope / w.size), sb_known(trend.scatter / T / w.size),
                                     sb_known(rounding / w.size))));
    }
    return SB_OK;
}

static int check(const sb_task *task) {
    const modified_config *config = task->config;
    const long least = 4L * (config->batches + 3) + K_MAX;
    return task->steps >= least
               ? SB_OK
               : sb_fail(task->ctx, SB_BAD_USAGE,
                         "modified_energy: %ld steps of %.9g s are too few for %ld batches; take at least %ld steps",
                         task->steps, task->h, config->batches, least);
}

static const sb_param params[] = {
    SB_OPTION_H("a tenth of the problem's time scale in two digits and its half, shortened to divide t-end"),
    SB_OPTION_T_END("1000"),
    SB_PARAM_INT(
        modified_config, batches, "32", 8.0, 10000.0,
        "number of overlapping batches; the slope and its standard error are computed from their weighted means"),
    {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"steps", SB_COL_INFO, "", "number of steps; every step from the seventh on is a sample"},
    {"hamiltonian", SB_COL_KEY, "",
     "energy, of the reported position and velocity, or H4 to H12, the modified Hamiltonian of that order from the "
     "last states"},
    {"initial", SB_COL_EXACT, "", "value of the first sample, in the unit of the energy"},
    {"max_dev", SB_COL_ERROR, "", "largest deviation from it, relative to |T| + |V| at the start"},
    {"sd", SB_COL_ERROR, "", "standard deviation about the mean, relative likewise"},
    {"slope", SB_COL_INFO, "1/s",
     "secular change per second, relative: least squares through the means of the batches"},
    {"slope_se", SB_COL_INFO, "1/s", "its standard error, by the scatter of the batches"},
    {"rounding", SB_COL_INFO, "", "estimate of round-off in a deviation at the end of the run, relative"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(modified_energy) = {
    .entry = {"modified_energy",
              "energy and modified Hamiltonians of order 4 to 12: an oscillating error and the drift below it",
              "skeel01; engle05", params, sizeof(modified_config)},
    .levels = 2,
    .time_scales = 1000.0,
    SB_COLUMNS(columns),
    .example = "stepbench modified_energy -p henon_heiles -s verlet -s rk4",
    .plot = "modified_energy",
    .inapplicable = sb_homogeneous_excluded,
    .check = check,
    .fixed_steps = true,
    .run = run};
