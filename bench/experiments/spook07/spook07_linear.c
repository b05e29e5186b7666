/* spook07 5: SPOOK on linear constraints: Theorem 5.1 and its roots (34), different parameters for each constraint, and
 * a map of the damping. */
#include <string.h>

#include <lapacke.h>

#include "analysis/random.h"
#include "bench/experiments/spook07/linear_system.h"
#include "bench/runner/experiment_tools.h"

enum { CASES = 10, MIXED_CASES = 800, MAP_EPS = 29, MAP_THETA = 26, CRITICAL = 13, BISECTIONS = 60 };

static const double step_length = 1.0 / 60.0;

static double draw(gsl_rng *rng) { return 2.0 * gsl_rng_uniform(rng) - 1.0; }

/* Returns ten to a random power between lo and hi. */
static double draw_power(gsl_rng *rng, double lo, double hi) {
    return pow(10.0, lo + (hi - lo) * gsl_rng_uniform(rng));
}

/* Raises *leak to the deviation of a random unconstrained direction from rest and from motion on a straight line. */
static int check_unconstrained(sb_linear_stepper *w, gsl_rng *rng, double *leak) {
    const int n = w->c->data.n;
    double x[SB_LINEAR_MOST];
    for (int i = 0; i < n; i++) {
        x[i] = draw(rng);
    }
    for (int i = 0; i < w->c->rank; i++) {
        sb_linear_take_out(w->c, i, x);
    }
    for (int moving = 0; moving < 2; moving++) {
        SB_TRY(sb_linear_stepper_step(w, x, 1.0, moving));
        for (int i = 0; i < n; i++) {
            *leak = sb_larger(*leak, fabs(w->out.q[i] - (1.0 + moving) * x[i]));
            *leak = sb_larger(*leak, fabs(w->h * w->out.v[i] - moving * x[i]));
        }
    }
    return SB_OK;
}

/* ---- Theorem 5.1. ---- */

typedef struct theorem {
    int cases;
    double recurrence, leak, root;
} theorem;

static int check_case(sb_bench *bench, gsl_rng *rng, int n, int m, int rank, theorem *t) {
    sb_linear_case c;
    sb_linear_stepper w;
    sb_linear_draw(rng, n, m, rank, &c);
    const double eps = draw_power(rng, -12.0, 0.0), theta = draw_power(rng, -2.0, 2.0), h = step_length;
    const double psi = 1.0 / (1.0 + 4.0 * theta), sigma = 4.0 / (h * h) * psi * eps;
    SB_TRY(sb_linear_directions(bench, &c));
    SB_SCRATCH(arena, bench->ctx);
    SB_TRY(sb_linear_stepper_open(bench, &arena, &c, eps, theta, h, &w));
    for (int i = 0; i < rank; i++) {
        double B[4];
        SB_TRY(sb_linear_block(&w, i, B, &t->leak));
        const double Gamma = c.lambda[i] / (c.lambda[i] + sigma), trace = B[0] + B[3],
                     determinant = B[0] * B[3] - B[1] * B[2];
        /* sum and product of the roots (34) */
        t->recurrence = sb_larger(t->recurrence, fabs(trace - (2.0 - 4.0 * Gamma * psi * (theta + 1.0))));
        t->recurrence = sb_larger(t->recurrence, fabs(determinant - (1.0 - 4.0 * Gamma * psi * theta)));
        t->root = sb_larger(t->root, sb_linear_root(trace, determinant));
    }
    t->cases++;
    return check_unconstrained(&w, rng, &t->leak);
}

/* Sets *largest to the largest root. */
static int check_theorem(sb_bench *bench, gsl_rng *rng, double *largest) {
    sb_table table;
    *largest = 0.0;
    SB_TRY(sb_bench_table(bench, "spook07_linear_theorem", &table));
    for (int n = 1; n <= SB_LINEAR_MOST; n++) {
        for (int m = 1; m <= SB_LINEAR_MOST; m++) {
            for (int rank = 0; rank <= (n < m ? n : m); rank++) {
                theorem t = {0};
                for (int i = 0; i < CASES; i++) {
                    SB_TRY(check_case(bench, rng, n, m, rank, &t));
                }
                SB_TRY(SB_TABLE_ROW(&table, sb_int(n), sb_int(m), sb_int(rank), sb_int(t.cases), sb_real(t.recurrence),
                                    sb_real(t.leak), rank > 0 ? sb_real(t.root) : sb_empty()));
                *largest = sb_larger(*largest, t.root);
            }
        }
    }
    return sb_bench_save(bench, &table, "spook07_linear_theorem.csv");
}

/* ---- Different eps and tau for each constraint. ---- */

typedef struct mixture {
    int cases, eigenpairs;
    double root, identity;
} mixture;

/* Computes the amplification matrix on the constrained directions, in (q, h v): 2 rank x 2 rank. */
static int amplification(sb_linear_stepper *w, double *R) {
    const int rank = w->c->rank, size = 2 * rank, n = w->c->data.n;
    for (int column = 0; column < size; column++) {
        const bool moving = column >= rank;
        SB_TRY(sb_linear_stepper_step(w, w->c->d + n * (column % rank), !moving, moving));
        for (int i = 0; i < rank; i++) {
            R[i + size * column] = sb_linear_take_out(w->c, i, w->out.q);
            R[rank + i + size * column] = w->h * sb_linear_take_out(w->c, i, w->out.v);
        }
    }
    return SB_OK;
}

/* Returns x* G' E^-1 diag(theta) G x (theta NULL: ones) for a combination x of constrained directions with complex
 * coefficients. */
static double quadratic(const sb_linear_case *c, const double *re, const double *im, const double *theta) {
    const int n = c->data.n;
    double sum = 0.0;
    for (int j = 0; j < c->data.m; j++) {
        double gr = 0.0, gi = 0.0;
        for (int k = 0; k < n; k++) {
            double xr = 0.0, xi = 0.0;
            for (int i = 0; i < c->rank; i++) {
                xr += re[i] * c->d[k + n * i];
                xi += im[i] * c->d[k + n * i];
            }
            gr += c->G[k + n * j] * xr;
            gi += c->G[k + n * j] * xi;
        }
        sum += (theta != NULL ? theta[j] : 1.0) / c->eps[j] * (gr * gr + gi * gi);
    }
    return sum;
}

/* Every eigenpair (mu, x) with x*Mx = 1 satisfies (1+k+d) mu^2 + (2k-2-d) mu + 1+k = 0, where k = h^2 x*G'E^-1 G x/4
 * and d = h x*G'E^-1 diag(tau) G x. As k, d >= 0, both roots are in the unit disc: their product is at most 1, and the
 * quadratic is 4k at 1 and 4+2d at -1. Thus stability holds with different eps and tau.
 *
 * Returns the residual of the quadratic at mu = a + ib for the eigenvector whose positions are (re, im), over the
 * magnitudes of its terms. */
static double identity_residual(const sb_linear_case *c, double h, double a, double b, const double *re,
                                const double *im) {
    double norm = 0.0;
    for (int i = 0; i < c->rank; i++) {
        norm += re[i] * re[i] + im[i] * im[i]; /* x*Mx: the directions are M-orthonormal */
    }
    const double k = 0.25 * h * h * quadratic(c, re, im, NULL) / norm, d = h * h * quadratic(c, re, im, c->tau) / norm;
    const double real = (1.0 + k + d) * (a * a - b * b) + (2.0 * k - 2.0 - d) * a + 1.0 + k;
    const double imaginary = (1.0 + k + d) * 2.0 * a * b + (2.0 * k - 2.0 - d) * b;
    return hypot(real, imaginary) / ((1.0 + k + d) * (a * a + b * b) + fabs(2.0 * k - 2.0 - d) * hypot(a, b) + 1.0 + k);
}

static int mixed_case(sb_bench *bench, gsl_rng *rng, int m, mixture *out) {
    sb_linear_case c;
    sb_linear_stepper w;
    double R[4 * SB_LINEAR_MOST * SB_LINEAR_MOST], re[2 * SB_LINEAR_MOST], im[2 * SB_LINEAR_MOST],
        vectors[4 * SB_LINEAR_MOST * SB_LINEAR_MOST];
    static const double none[2 * SB_LINEAR_MOST] = {0.0};
    const int n = 1 + (int)gsl_rng_uniform_int(rng, SB_LINEAR_MOST),
              rank = 1 + (int)gsl_rng_uniform_int(rng, (unsigned long)(n < m ? n : m)), size = 2 * rank;
    sb_linear_draw(rng, n, m, rank, &c);
    for (int j = 0; j < m; j++) {
        c.eps[j] = draw_power(rng, -10.0, 1.0);
        c.tau[j] = draw_power(rng, -3.0, 3.0);
    }
    c.data.eps = c.eps;
    c.data.tau = c.tau;
    SB_TRY(sb_linear_directions(bench, &c));
    SB_SCRATCH(arena, bench->ctx);
    SB_TRY(sb_linear_stepper_open(bench, &arena, &c, 0.0, 0.0, step_length, &w));
    SB_TRY(amplification(&w, R));
    if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', size, R, size, re, im, NULL, 1, vectors, size) != 0) {
        return sb_fail(bench->ctx, SB_NOT_CONVERGED,
                       "the eigenvalues of a random amplification matrix did not converge");
    }
    for (int i = 0; i < size; i++) {
        const double *x = vectors + size * i, *y = im[i] != 0.0 ? x + size : none;
        out->root = sb_larger(out->root, hypot(re[i], im[i]));
        out->identity = sb_larger(out->identity, identity_residual(&c, step_length, re[i], im[i], x, y));
        out->eigenpairs++;
        if (im[i] != 0.0) { /* its conjugate satisfies the conjugate identity */
            out->eigenpairs++;
            i++;
        }
    }
    out->cases++;
    return SB_OK;
}

/* Sets *largest to the largest root. */
static int check_mixed(sb_bench *bench, gsl_rng *rng, double *largest) {
    sb_table table;
    *largest = 0.0;
    SB_TRY(sb_bench_table(bench, "spook07_linear_mixed", &table));
    for (int m = 1; m <= SB_LINEAR_MOST; m++) {
        mixture x = {0};
        for (int i = 0; i < MIXED_CASES; i++) {
            SB_TRY(mixed_case(bench, rng, m, &x));
        }
        SB_TRY(SB_TABLE_ROW(&table, sb_int(m), sb_int(x.cases), sb_int(x.eigenpairs), sb_real(x.root),
                            sb_real(x.identity)));
        *largest = sb_larger(*largest, x.root);
    }
    return sb_bench_save(bench, &table, "spook07_linear_mixed.csv");
}

/* ---- One constraint: the map and the critical line. ---- */

/* Returns x rounded to three digits, as written in the keys of the map. */
static double three_digits(double x) {
    char text[16];
    snprintf(text, sizeof text, "%.2e", x);
    return strtod(text, NULL);
}

static int write_map(sb_bench *bench) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "spook07_linear_map", &table));
    for (int i = 0; i < MAP_EPS; i++) {
        for (int j = 0; j < MAP_THETA; j++) {
            const double eps = three_digits(pow(10.0, -10.0 + 0.5 * i)),
                         theta = three_digits(pow(10.0, -3.0 + 0.2 * j));
            double trace, determinant;
            SB_TRY(sb_linear_one(bench, eps, theta, &trace, &determinant));
            SB_TRY(SB_TABLE_ROW(&table, sb_real(eps), sb_real(theta), sb_real(sb_linear_root(trace, determinant))));
        }
    }
    return sb_bench_save_curves(bench, &table, "spook07_linear_map.csv");
}

/* Finds the tau/h at which the discriminant vanishes for each eps. */
static int write_critical(sb_bench *bench) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "spook07_linear_critical", &table));
    for (int i = 0; i < CRITICAL; i++) {
        const double eps = pow(10.0, 2.0 - i);
        double oscillates = 1.0, overdamped = 1e4, trace = (double)NAN, determinant;
        for (int k = 0; k < BISECTIONS; k++) {
            const double middle = sqrt(oscillates * overdamped);
            SB_TRY(sb_linear_one(bench, eps, middle, &trace, &determinant));
            *(0.25 * trace * trace < determinant ? &oscillates : &overdamped) = middle;
        }
        SB_TRY(SB_TABLE_ROW(&table, sb_real(eps), sb_real(overdamped), sb_real(0.5 * trace)));
    }
    return sb_bench_save(bench, &table, "spook07_linear_critical.csv");
}

SB_DEFINE_EXPERIMENT(spook07_linear) {
    double one, mixed;
    gsl_rng *rng;
    SB_TRY(sb_random(&bench->arena, 2007, &rng));
    SB_TRY(check_theorem(bench, rng, &one));
    SB_TRY(check_mixed(bench, rng, &mixed));
    SB_TRY(write_map(bench));
    SB_TRY(write_critical(bench));
    SB_TRY(sb_bench_measure(bench, "spook07-thm51/circle", one < 1.0, 0.0));
    return sb_bench_measure(bench, "spook07-mixed/excess", fmax(mixed - 1.0, 0.0), 0.0);
}
