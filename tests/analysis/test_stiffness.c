/* Geometric stiffness and the analysis modes against closed forms: hanging chains (landau76 24; Laguerre's polynomials;
 * the heavy string's Bessel zeros), and against the accelerations of the equations of motion. */
#include <gsl/gsl_sf_bessel.h>
#include <gsl/gsl_sf_laguerre.h>

#include "analysis/equilibrium.h"
#include "analysis/modes/spectra_dense.h"
#include "tests/analysis/fixture.h"

typedef struct at_rest {
    sb_system sys;
    sb_stiffness s;
    sb_spectra spectra;
    double t, *q, *v;
} at_rest;

static void evaluate(fixture *f, const char *problem, bool equilibrium, at_rest *out) {
    int status = sb_system_build(&f->ctx, &f->arena, problem, 0, NULL, &out->sys);
    out->s = (sb_stiffness){0};
    if (status == SB_OK) {
        out->q = sb_alloc(&f->arena, (size_t)out->sys.n, sizeof(double));
        out->v = sb_alloc(&f->arena, (size_t)out->sys.n, sizeof(double));
        status = out->sys.initial(out->sys.self, &out->t, out->q, out->v);
    }
    status = status == SB_OK ? sb_stiffness_init(&f->ctx, &f->arena, &out->sys, &out->s) : status;
    status = status == SB_OK && equilibrium ? sb_equilibrium_find(&f->ctx, &out->sys, out->t, out->q) : status;
    memset(out->v, 0, equilibrium ? (size_t)out->sys.n * sizeof(double) : 0);
    status = status == SB_OK ? sb_stiffness_evaluate(&out->s, out->t, out->q, out->v) : status;
    status = status == SB_OK ? sb_stiffness_spectra(&out->s, &f->arena, false, &out->spectra) : status;
    gsl_test(status != SB_OK, "%s has spectra: %s", problem, status == SB_OK ? "it does" : f->ctx.message);
}

/* An eigenvalue is wrong by a few eps of the largest one. */
static void expect(const at_rest *r, int i, double omega2, const char *what) {
    near(r->spectra.projected[i], omega2, 100.0 * DBL_EPSILON * fabs(r->spectra.projected[0]), what);
}

static void small_chains(fixture *f) {
    at_rest r;
    evaluate(f, "thread:n=1,m=3,end_mass=7,l=2,g=5", false, &r);
    expect(&r, 0, 2.5, "one particle: g/l");
    near(r.s.lambda[0], -35.0, 1e-13, "its tension, a negative multiplier");
    evaluate(f, "pendulum:theta0=2.5,l=2,g=5", true, &r);
    expect(&r, 0, 2.5, "the pendulum's equilibrium, from the far side: g/l");
    near(r.q[1], -2.0, 1e-12, "which hangs");
    evaluate(f, "thread:n=2,m=2,end_mass=14,l=2,g=10", false, &r);
    expect(&r, 0, 5.0 * (8.0 + sqrt(56.0)), "two particles, mu = 7: (1 + mu + sqrt(mu (1 + mu))) g/l");
    expect(&r, 1, 5.0 * (8.0 - sqrt(56.0)), "two particles, mu = 7: (1 + mu - sqrt(mu (1 + mu))) g/l");
    /* m1 l1 l2 w^4 - (m1 + m2) g (l1 + l2) w^2 + (m1 + m2) g^2 = 0 */
    evaluate(f, "dsp:m1=2,m2=3.5,l1=4,l2=3,g=10", true, &r);
    const double a = 24.0, b = 385.0, c = 550.0, root = sqrt(b * b - 4.0 * a * c);
    gsl_test_int(r.spectra.d, 4, "the double spherical pendulum has four modes");
    for (int i = 0; i < 4; i++) {
        expect(&r, i, (b + (i < 2 ? root : -root)) / (2.0 * a), "the double spherical pendulum");
    }
    /* A particle between two links swings about the line between the ends, 0.8 l below it: the only way its constraints
     * leave. */
    evaluate(f, "thread:n=1,span=0.6,dim=3,l=2,g=8", false, &r);
    gsl_test_int(r.spectra.d, 1, "a particle between two links has one mode in space");
    expect(&r, 0, 5.0, "g over the sag");
}

/* n equal masses: L_n(omega^2 l/g) = 0, a zero x being wrong by L_n(x)/L_n'(x), L_n' = -L_{n-1}^(1). */
static void laguerre(fixture *f) {
    at_rest r;
    evaluate(f, "thread:n=20,g=1,dim=3", false, &r);
    gsl_test_int(r.spectra.d, 40, "every mode of a hanging thread has two directions in space");
    for (int i = 0; i < 40; i++) {
        const double x = r.spectra.projected[i];
        near(gsl_sf_laguerre_n(20, 0.0, x) / gsl_sf_laguerre_n(19, 1.0, x), 0.0, 1e-12 * r.spectra.projected[0],
             "a zero of Laguerre's polynomial");
        gsl_test(i % 2 == 0 && !(x - r.spectra.projected[i + 1] <= 1e-12 * x), "a double one");
    }
    double relative = NAN;
    gsl_test(sb_stiffness_mismatch(&r.s, &relative) != SB_OK, "mismatch");
    near(relative, 0.0, 40.0 * DBL_EPSILON, "K = L' K_theta L on a straight thread");
}

/* The heavy string, omega_k = j_k/2 sqrt(g/length); a chain's zeros are x = j^2/nu (1 + (j^2 - 2)/(3 nu^2) + ...), nu =
 * 4 n + 2. */
static void heavy_string(fixture *f) {
    at_rest r;
    const int n = 200;
    evaluate(f, "thread:n=200,l=0.005,g=0.005", false, &r);
    for (unsigned k = 1; k <= 4; k++) {
        const double j = gsl_sf_bessel_zero_J0(k), nu = 4.0 * n + 2.0, x = r.spectra.projected[n - (int)k];
        near(x * nu / (j * j), 1.0, j * j / (nu * nu), "a Bessel zero");
        near(x, 0.25 * j * j / n, 0.003 * x, "the heavy string's frequency"); /* half a link of 200 */
    }
}

/* Along a mode x, (a(q + e x) - a(q - e x))/(2 e) has the M-component -omega^2. A difference of fourth order in e:
 * error e^2 in units of l. */
static void against_accelerations(fixture *f, const char *problem) {
    at_rest r;
    evaluate(f, problem, false, &r);
    const int n = r.sys.n;
    const double e = 1e-4;
    double *a = sb_alloc(&f->arena, (size_t)n, sizeof *a), *q = sb_alloc(&f->arena, (size_t)n, sizeof *q),
           *Ma = sb_alloc(&f->arena, (size_t)n, sizeof *q);
    for (int i = 0; i < r.spectra.d; i++) {
        const double *x = r.spectra.shape + (size_t)n * (size_t)i;
        double sum = 0.0;
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int k = 0; k < n; k++) {
                q[k] = r.q[k] + sign * e * x[k];
            }
            gsl_test(sb_dynamics_acceleration(&r.s.dyn, 0.0, q, r.v, a, NULL) != SB_OK, "acceleration");
            sb_mass_mult(&r.s.dyn.mass, a, Ma);
            for (int k = 0; k < n; k++) {
                sum += sign * x[k] * Ma[k] / (2.0 * e);
            }
        }
        near(-sum, r.spectra.projected[i], 1e-5 * r.spectra.projected[0], problem);
    }
}

/* With equal masses M is a number, and all three matrices of a straight thread have the same spectrum but for full's
 * zeros. */
static void equal_masses(fixture *f) {
    at_rest r;
    evaluate(f, "thread:n=4,m=2,end_mass=2", false, &r);
    for (int i = 0; i < 4; i++) {
        expect(&r, i, r.spectra.as_printed[i], "the text's spectrum for equal masses");
        expect(&r, i, r.spectra.full[i], "the full spectrum for equal masses");
    }
}

/* The erratum: E = L M^-1 L' predicts another frequency than the motion has, off the straight thread and with unequal
 * masses, and so does M^-1 K. */
static void printed_matrices(fixture *f) {
    at_rest r;
    double relative = NAN;
    evaluate(f, "thread:n=4,span=0.6,masses=[1,20,2,5]", false, &r);
    const double omega2 = r.spectra.projected[0];
    gsl_test(!(fabs(r.spectra.as_printed[0] / omega2 - 1.0) > 1e-2), "the text's E K is off: %g",
             r.spectra.as_printed[0] / omega2 - 1.0);
    gsl_test(!(fabs(r.spectra.full[0] / omega2 - 1.0) > 1e-2), "M^-1 K is off: %g", r.spectra.full[0] / omega2 - 1.0);
    gsl_test(sb_stiffness_mismatch(&r.s, &relative) != SB_OK || !(relative > 0.1), "K is not L' K_theta L: %g",
             relative);
}

/* The pendulum's constraint twice: the same modes, and half the multiplier each. */
static int twice_value(const void *self, double t, const double *q, double *g, double *Gx) {
    const sb_holonomic *one = self;
    SB_TRY(one->value(one->self, 0.0, q, g, Gx));
    if (g != NULL) {
        g[1] = g[0];
    }
    if (Gx != NULL) {
        memcpy(Gx + 2, Gx, 2 * sizeof *Gx);
    }
    return SB_OK;
}

static int twice_hessian(const void *self, double t, const double *q, const double *w, double c, double *Hx) {
    const sb_holonomic *one = self;
    const double sum = w[0] + w[1];
    return one->hessian(one->self, 0.0, q, &sum, c, Hx);
}

static int twice_curvature(const void *self, double t, const double *q, const double *v, double *out) {
    const sb_holonomic *one = self;
    SB_TRY(one->curvature(one->self, 0.0, q, v, out));
    out[1] = out[0];
    return SB_OK;
}

static void redundant(fixture *f) {
    sb_system sys, twice;
    sb_stiffness s;
    double q[2], v[2], t, omega2 = NAN;
    int status =
        sb_system_build(&f->ctx, &f->arena, "pendulum:theta0=0.5,omega0=2,constraint=norm,g=10,l=2", 0, NULL, &sys);
    twice = sys;
    twice.holonomic = (sb_holonomic){.self = &sys.holonomic,
                                     .m = 2,
                                     .degree = -1,
                                     .value = twice_value,
                                     .hessian = twice_hessian,
                                     .curvature = twice_curvature};
    status = status == SB_OK ? sb_pattern_full(&f->arena, 2, 2, &twice.holonomic.G) : status;
    status = status == SB_OK ? sb_stiffness_init(&f->ctx, &f->arena, &twice, &s) : status;
    status = status == SB_OK ? sys.initial(sys.self, &t, q, v) : status;
    status = status == SB_OK ? sb_stiffness_evaluate(&s, t, q, v) : status;
    status = status == SB_OK ? sb_stiffness_top(&s, &omega2) : status;
    gsl_test(status != SB_OK, "dependent constraints are taken: %s", status == SB_OK ? "they are" : f->ctx.message);
    gsl_test_int(s.rank, 1, "their rank");
    const double tension = 2.0 * 4.0 + 10.0 * cos(0.5);
    near(s.lambda[0], -0.5 * tension, 1e-13, "half the tension");
    near(s.lambda[1], -0.5 * tension, 1e-13, "and the other half");
    near(omega2, 0.5 * tension, 1e-13, "tension over m l");
}

/* A slope without an end: V = -x on the line y = 0. */
static int slope(const void *self, double t, const double *q, double *V) {
    (void)self;
    *V = -q[0];
    return SB_OK;
}

static int slope_gradient(const void *self, double t, const double *q, double *Vq) {
    (void)self;
    (void)q;
    Vq[0] = -1.0;
    Vq[1] = 0.0;
    return SB_OK;
}

static void no_equilibrium(fixture *f) {
    sb_system sys;
    sb_stiffness s;
    double q[2], v[2], t;
    int status = sb_system_build(&f->ctx, &f->arena, "plane", 0, NULL, &sys);
    sys.potential = (sb_potential){.degree = 1, .value = slope, .gradient = slope_gradient};
    status = status == SB_OK ? sb_stiffness_init(&f->ctx, &f->arena, &sys, &s) : status;
    status = status == SB_OK ? sys.initial(sys.self, &t, q, v) : status;
    gsl_test(status != SB_OK, "the slope is built");
    status = sb_equilibrium_find(&f->ctx, &sys, t, q);
    gsl_test(status != SB_NOT_CONVERGED || strstr(f->ctx.message, "no equilibrium was found") == NULL,
             "no equilibrium: status %d, %s", status, f->ctx.message);
}

/* The constraints of a long thread are independent, however close to dependent their number makes them. */
static void long_thread(fixture *f) {
    sb_system sys;
    double *q, *v, t;
    int status = sb_system_build(&f->ctx, &f->arena, "thread:n=100000", 0, NULL, &sys);
    q = sb_alloc(&f->arena, (size_t)sys.n, sizeof *q);
    v = sb_alloc(&f->arena, (size_t)sys.n, sizeof *v);
    status = status == SB_OK ? sys.initial(sys.self, &t, q, v) : status;
    status = status == SB_OK ? sb_equilibrium_find(&f->ctx, &sys, t, q) : status;
    gsl_test(status != SB_OK, "a thread of 100000 particles hangs: %s", status == SB_OK ? "it does" : f->ctx.message);
}

static void rows_and_refusals(fixture *f) {
    sb_table table;
    rows(f, "modes", "count=2", "thread:n=3", NULL, &table);
    gsl_test_int(table.nrows, 2, "as many modes as asked for");
    near(sb_table_real(&table, 0, "h_crit"), 2.0 / sb_table_real(&table, 0, "omega_projected"), 1e-15,
         "h_crit is 2/omega");
    rows(f, "modes", "count=0", "thread:n=3", NULL, &table);
    gsl_test_int(table.nrows, 6, "or all");
    rows(f, "modes", "at=time,t=0.5,count=1", "thread:n=3,angle=1", NULL, &table);
    near(sb_table_real(&table, 0, "t"), 0.5, 1e-15, "the time asked for");
    rows(f, "modes", "", "oscillator:omega=3", NULL, &table);
    near(sb_table_real(&table, 0, "omega_projected"), 3.0, 1e-15, "without constraints the potential has modes");
    rows(f, "modes", "at=equilibrium,count=1", "henon_heiles:x0=0.1,y0=0.2", "verlet", &table);
    near(sb_table_real(&table, 0, "omega_projected"), 1.0, 1e-8, "equal oscillators at the origin");
    gsl_test(run_one(f, "modes", "at=time", "thread", NULL, &table) != SB_BAD_USAGE, "at=time needs t: %s",
             f->ctx.message);
    /* A ladder folds until its rods lie on one line: 1 square, 3, and 60, whose 724 coordinates take sparse matrices.
     */
    static const char *const folding[] = {"ladder:N=1", "ladder", "ladder:rungs=down", "ladder:N=60"};
    for (size_t i = 0; i < sizeof folding / sizeof *folding; i++) {
        rows(f, "modes", "at=equilibrium", folding[i], NULL, &table);
        gsl_test(strstr(sb_table_text(&table, 0, "status"), "dependent") == NULL,
                 "a folded ladder has no multipliers: %s", sb_table_text(&table, 0, "status"));
    }
    rows(f, "modes", "at=equilibrium", "plane", NULL, &table);
    near(sb_table_real(&table, 0, "omega_projected"), 0.0, 0.0, "a particle on a level line rests where it is");
}

int main(void) {
    fixture f;
    fixture_init(&f);
    small_chains(&f);
    laguerre(&f);
    heavy_string(&f);
    against_accelerations(&f, "thread:n=4,span=0.6,masses=[1,20,2,5]");
    against_accelerations(&f, "thread:n=3,span=0.4,end_mass=50,dim=3");
    equal_masses(&f);
    printed_matrices(&f);
    redundant(&f);
    no_equilibrium(&f);
    long_thread(&f);
    rows_and_refusals(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
