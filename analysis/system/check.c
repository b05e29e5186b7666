/* Checks a system against itself at random points around its initial state. */
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "analysis/random.h"
#include "analysis/system/check_groups.h"

const sb_column sb_check_columns[SB_CHECK_COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"check", SB_COL_KEY, "", "what is checked"},
    {"callback", SB_COL_INFO, "", "the callback that a failure accuses"},
    {"verdict", SB_COL_INFO, "", "passed, failed, or undecided if differences are too inaccurate to tell"},
    {"compared", SB_COL_EXACT, "", "numbers that were compared"},
    {"message", SB_COL_INFO, "", "the entry that is wrong, its value, and what is expected"},
};

/* Returns a random number in [-1, 1). */
static double random_number(gsl_rng *rng) { return 2.0 * gsl_rng_uniform(rng) - 1.0; }

static void fill_random(gsl_rng *rng, int n, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = random_number(rng);
    }
}

/* Sets the scale of a coordinate: its own size, the way that it goes in a time scale or, if it is small and at rest, a
 * tenth of the largest of all; 1 for a system that starts at rest at 0. That of a component of a unit quaternion is 1
 * at most, whatever the unit of lengths. */
static void set_scales(sb_examination *c) {
    const int n = c->sys->n;
    const double T = c->sys->time_scale, largest = fmax(sb_norm_max(n, c->q0), T * sb_norm_max(n, c->v0));
    for (int i = 0; i < n; i++) {
        c->scale_q[i] = fmax(fmax(fabs(c->q0[i]), T * fabs(c->v0[i])), largest > 0.0 ? 0.1 * largest : 1.0);
    }
    for (int k = 0; k < 4 * c->sys->attitudes; k++) {
        double *scale = &c->scale_q[c->sys->attitude[k / 4].at + k % 4];
        *scale = fmin(*scale, 1.0);
    }
    for (int i = 0; i < n; i++) {
        c->scale_v[i] = c->scale_q[i] / T;
    }
}

/* Sets s to the chart's coordinates of the initial state, to 0 where the chart is singular there, and their scales. */
static void set_chart(sb_examination *c, double *s) {
    const sb_chart *chart = c->sys->chart;
    if (chart->inverse(chart->self, c->q0, s) != SB_OK) {
        memset(s, 0, (size_t)chart->n * sizeof *s);
    }
    const double largest = sb_norm_max(chart->n, s);
    for (int i = 0; i < chart->n; i++) {
        c->scale_s[i] = fmax(fabs(s[i]), largest > 0.0 ? 0.1 * largest : 1.0);
    }
}

/* Returns the first term that cannot be evaluated at the point, SB_TERM_COUNT if there is none. */
static sb_term first_failure(const sb_examination *c, const sb_term_point *p, int *status) {
    for (int term = 0; term < SB_TERM_COUNT; term++) {
        const int length = sb_term_length((sb_term)term, c->sys);
        memset(c->a, 0, (size_t)length * sizeof *c->a);
        *status = length > 0 ? sb_term_evaluate((sb_term)term, p, 1.0, c->a) : SB_OK;
        if (*status != SB_OK) {
            return (sb_term)term;
        }
    }
    return SB_TERM_COUNT;
}

/* Allocates a point and sets its weights to random numbers, to 0 without rng. */
static int new_point(sb_examination *c, gsl_rng *rng, sb_term_point *p) {
    const int n = c->sys->n, m = c->sys->holonomic.m;
    double *w, *wq, *u;
    *p = (sb_term_point){.sys = c->sys, .scratch = c->moved.scratch, .t = c->t0 + c->sys->time_scale * 0.3};
    SB_TRY(SB_VECTORS(c->arena, n, &p->q, &p->v, &wq));
    SB_TRY(SB_VECTORS(c->arena, c->ns, &p->s, &u));
    SB_NEW(c->arena, w, m);
    p->w = w;
    p->wq = wq;
    p->u = u;
    if (rng != NULL) {
        fill_random(rng, m, w);
        fill_random(rng, n, wq);
        fill_random(rng, c->ns, u);
    }
    return SB_OK;
}

/* Sets a point within a thirtieth of the scales around the initial state, and nearer to it if a term has no value
 * there. So far off the constraints they keep their rank; velocities are arbitrary. Where a term has no value even at
 * the initial state, writes a row and sets c->npoints to 0. */
static int random_point(sb_examination *c, gsl_rng *rng, const double *s0, sb_term_point *p) {
    enum { NEARER = 12 };
    int status = SB_OK;
    sb_term failure = SB_TERM_COUNT;
    SB_TRY(new_point(c, rng, p));
    for (int attempt = 0; attempt < NEARER; attempt++) {
        const double range = attempt + 1 < NEARER ? 0.03 * pow(0.5, attempt) : 0.0;
        for (int i = 0; i < c->sys->n; i++) {
            p->q[i] = c->q0[i] + range * c->scale_q[i] * random_number(rng);
            p->v[i] = c->v0[i] + c->scale_v[i] * random_number(rng);
        }
        for (int i = 0; i < c->ns; i++) {
            p->s[i] = s0[i] + range * c->scale_s[i] * random_number(rng);
        }
        failure = first_failure(c, p, &status);
        if (failure == SB_TERM_COUNT) {
            return SB_OK;
        }
    }
    sb_check_begin(c, "domain", sb_term_callback(failure, c->sys));
    sb_check_fault(c, NULL, INFINITY, "%s has no value at the start: it returns status %d (%s)",
                   sb_term_symbol(failure), status, sb_status_text(status));
    SB_TRY(sb_check_end(c));
    c->npoints = 0;
    return SB_OK;
}

static int make_points(sb_examination *c) {
    gsl_rng *rng;
    double *s0;
    SB_TRY(sb_random(c->arena, (unsigned long)c->options->seed, &rng));
    c->npoints = (int)c->options->points;
    SB_NEW(c->arena, c->points, c->npoints);
    SB_NEW(c->arena, s0, c->ns);
    set_scales(c);
    if (c->sys->chart != NULL) {
        set_chart(c, s0);
    }
    for (int k = 0; k < c->npoints; k++) {
        SB_TRY(random_point(c, rng, s0, &c->points[k]));
    }
    return SB_OK;
}

static int allocate(sb_examination *c) {
    const int n = c->sys->n;
    c->most = n > c->ns ? n : c->ns;
    for (int term = 0; term < SB_TERM_COUNT; term++) {
        const int length = sb_term_length((sb_term)term, c->sys);
        c->most = length > c->most ? length : c->most;
    }
    SB_TRY(SB_VECTORS(c->arena, c->most, &c->a, &c->b, &c->d, &c->bound, &c->size, &c->moved.scratch));
    SB_TRY(SB_VECTORS(c->arena, n, &c->q0, &c->v0, &c->scale_q, &c->scale_v, &c->dq, &c->dv));
    SB_TRY(SB_VECTORS(c->arena, c->ns, &c->scale_s, &c->ds));
    SB_TRY(new_point(c, NULL, &c->moved));
    return sb_difference_init(c->arena, c->most, &c->work);
}

int sb_check_system(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_check_options *options,
                    sb_sink *out) {
    sb_examination check = {.ctx = ctx, .arena = arena, .sys = sys, .options = options, .sink = out}, *c = &check;
    c->ns = sys->chart != NULL ? sys->chart->n : 0;
    SB_TRY(allocate(c));
    SB_TRY(sys->initial(sys->self, &c->t0, c->q0, c->v0));
    SB_TRY(sb_check_start(c));
    SB_TRY(make_points(c));
    if (c->npoints == 0) {
        return SB_OK;
    }
    SB_TRY(sb_check_structure(c));
    SB_TRY(sb_check_arrays(c));
    SB_TRY(sb_check_derivatives(c));
    SB_TRY(sb_check_symmetries(c));
    return sb_check_solutions(c);
}
