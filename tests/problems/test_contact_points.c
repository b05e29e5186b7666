/* The contact rows of every problem against its geometry: gaps are distances, and a slip is the rate at which the
 * touching point moves along the face. */
#include <gsl/gsl_rng.h>

#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

enum { MAX = 32 };

/* What is touched: the problem with lengths of our own, and from q the distance of each gap and where the touching
 * point of each friction row is along the face. */
typedef struct geometry {
    const char *problem, *spec;
    double size[2];
    void (*points)(const sb_system *sys, const double *size, const double *q, double *off, double *along);
} geometry;

static void ball(const sb_system *sys, const double *size, const double *q, double *off, double *along) {
    (void)sys;
    (void)size;
    (void)along;
    off[0] = q[0];
}

/* Centres q of balls of radius size[0] in a row. */
static void row_of_balls(const sb_system *sys, const double *size, const double *q, double *off, double *along) {
    (void)along;
    for (int i = 0; i + 1 < sys->n; i++) {
        off[i] = q[i + 1] - q[i] - 2.0 * size[0];
    }
}

/* The tips of a rod of length 2 size[0] are its centre +- size[0] (cos theta, -sin theta). */
static void rod_tips(const sb_system *sys, const double *size, const double *q, double *off, double *along) {
    (void)sys;
    for (int i = 0; i < 2; i++) {
        const double l = i == 0 ? size[0] : -size[0];
        along[i] = q[0] + l * cos(q[2]);
        off[i] = q[1] - l * sin(q[2]);
    }
}

/* The lower corners of boxes of width size[0] and height size[1], in the frame of the box below; the slope is the
 * line y = 0. */
static void box_corners(const sb_system *sys, const double *size, const double *q, double *off, double *along) {
    static const double slope[3] = {0.0};
    for (int i = 0; i < sys->contact.m; i++) {
        const double *upper = q + 3 * (i / 2), *lower = i < 2 ? slope : upper - 3;
        const double x = (i % 2 == 0 ? -0.5 : 0.5) * size[0], y = -0.5 * size[1];
        const double dx = upper[0] + cos(upper[2]) * x - sin(upper[2]) * y - lower[0],
                     dy = upper[1] + sin(upper[2]) * x + cos(upper[2]) * y - lower[1];
        along[i] = cos(lower[2]) * dx + sin(lower[2]) * dy;
        off[i] = -sin(lower[2]) * dx + cos(lower[2]) * dy - (i < 2 ? 0.0 : 0.5 * size[1]);
    }
}

/* A slider at q[6] in copies of one guide, and a stop at size[0]. */
static void guide(const sb_system *sys, const double *size, const double *q, double *off, double *along) {
    off[0] = size[0] - q[6];
    for (int i = 0; i < sys->contact.k; i++) {
        along[i] = q[6];
    }
}

static const geometry geometries[] = {
    {"bouncing_ball", "bouncing_ball", {0.0}, ball},
    {"newtons_cradle", "newtons_cradle:n=4,r=0.2,moving=2,spacing=0.01", {0.2}, row_of_balls},
    {"painleve_rod", "painleve_rod:l=0.7", {0.7}, rod_tips},
    {"block_incline", "block_incline:w=0.4,h=0.1", {0.4, 0.1}, box_corners},
    {"stack", "stack:n=4,w=0.3,h=0.2", {0.3, 0.2}, box_corners},
    {"slider_crank", "slider_crank:stop=3,mu=0.1,redundant=2", {3.0}, guide},
};

enum { GEOMETRIES = sizeof geometries / sizeof *geometries };

typedef struct motion {
    const geometry *at;
    const sb_system *sys;
    double q[MAX], v[MAX];
} motion;

static void along_faces(const void *arg, double x, double *out) {
    const motion *p = arg;
    double q[MAX], off[MAX];
    for (int i = 0; i < p->sys->n; i++) {
        q[i] = p->q[i] + x * p->v[i];
    }
    p->at->points(p->sys, p->at->size, q, off, out);
}

static void check(fixture *f, const geometry *at, gsl_rng *rng) {
    sb_system sys;
    fixture_build(f, at->spec, NULL, &sys);
    const sb_contact *c = &sys.contact;
    for (int k = 0; k < 20; k++) {
        motion p = {.at = at, .sys = &sys};
        double xi[MAX], off[MAX], along[MAX], Dx[8 * MAX], w[MAX] = {0.0}, slip[MAX], rate[MAX], bound[MAX], t;
        int status = sys.initial(sys.self, &t, p.q, p.v);
        for (int i = 0; i < sys.n; i++) {
            p.q[i] += 0.2 * gsl_rng_uniform(rng) - 0.1;
            p.v[i] = 2.0 * gsl_rng_uniform(rng) - 1.0;
        }
        at->points(&sys, at->size, p.q, off, along);
        status |= c->m > 0 ? c->gap(c->self, p.q, xi, NULL) : SB_OK;
        for (int i = 0; i < c->m; i++) { /* a few roundings of numbers below 4 */
            gsl_test(!close_to(xi[i], off[i], 8.0 * DBL_EPSILON), "%s: gap %d (%g, %g)", sys.name, i, xi[i], off[i]);
        }
        if (c->k > 0) {
            status |= c->slip(c->self, 0.0, p.q, Dx, w);
            sb_csc_mult_t(&c->D, Dx, p.v, slip);
            difference(&(curve){c->k, along_faces, &p}, 0.01, 4.0, rate, bound);
        }
        for (int i = 0; i < c->k; i++) {
            gsl_test(!close_to(slip[i] - w[i], rate[i], bound[i]), "%s: slip %d (%g, %g)", sys.name, i, slip[i] - w[i],
                     rate[i]);
        }
        gsl_test(status != SB_OK, "%s has its contact terms", sys.name);
    }
}

/* No problem with contacts or friction is left out, by its defaults or by a variant. */
static void covered(sb_context *ctx, sb_arena *arena, const sb_system *sys) {
    bool known = sys->contact.m + sys->contact.k == 0;
    (void)ctx;
    (void)arena;
    for (int i = 0; i < GEOMETRIES; i++) {
        known = known || strstr(sys->name, geometries[i].problem) != NULL;
    }
    gsl_test(!known, "%s: its contact points are in this file", sys->name);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < GEOMETRIES; i++) {
        check(&f, &geometries[i], rng);
    }
    gsl_rng_free(rng);
    fixture_close(&f);
    on_every_system(covered);
    return gsl_test_summary();
}
