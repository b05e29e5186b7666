/* Analysis `backward_error`: its roots against closed forms and against Gauss-Seidel steps taken one by one; what is
 * negative, what is unstable. */
#include <stdio.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/saddle.h>

#include "tests/analysis/fixture.h"

#include "analysis/contact/backward_error.h"
#include "core/run/run.h"

enum { N_MAX = 12, R_MAX = 10 };

/* ---- One row. ---- */

static void readings(void) {
    const sb_implied fine = sb_implied_compliance(1e-17, 1.0, 1.0, true, 1e-16, 0.0),
                     soft = sb_implied_compliance(-0.5, 2.0, 1.0, true, 0.0, 0.1);
    const sb_implied damped = sb_implied_compliance(0.5, 2.0, -1.0, true, 0.0, 0.1),
                     inconsistent = sb_implied_compliance(0.5, 2.0, 1.0, true, 0.0, 0.1);
    const sb_implied too_much = sb_implied_compliance(0.5, 2.0, -0.25, true, 0.0, 0.1),
                     drag = sb_implied_compliance(0.5, 2.0, -1.0, false, 0.0, 0.1);
    gsl_test(fine.beta != 0.0 || fine.negative || fine.inconsistent, "round-off is no residual");
    const sb_implied absent = sb_implied_compliance(0.5, 1e-20, 1.0, true, 1e-16, 1e-12);
    gsl_test(!isinf(absent.beta) || absent.negative || absent.inconsistent,
             "an equation that does not hold without any impulse is absent");
    gsl_test(soft.beta != 0.25 || soft.negative || soft.inconsistent,
             "w and z of opposite signs: a compliance of 0.25");
    gsl_test(damped.beta != -0.25 || !damped.negative || damped.inconsistent,
             "of one sign, g of the other: alpha = 0.5 will do");
    gsl_test(!inconsistent.inconsistent, "all of one sign: nothing will do");
    gsl_test(!too_much.inconsistent, "alpha = 2 is not below 1");
    gsl_test(!drag.inconsistent, "a row without a level has no damping");
}

static double one_row(double h, double m, double on_level, double P, const double *E) {
    const double C = 1.0, B = 1.0 / m;
    double radius;
    sb_context ctx;
    sb_context_init(&ctx);
    gsl_test(sb_implied_radius(&ctx, &(sb_implied_step){1, 1, h, &on_level, &C, &B, &P, E}, &radius) != SB_OK,
             "a radius: %s", ctx.message);
    return radius;
}

/* m v1 = m v + y, v1 + s y = -x/h: roots of r^2 - 2 (1 - p) r + 1 - p with p = 1/(1 + m s). On the unit circle at p =
 * 4/3: a negative s is harmless down to -1/(4 m). */
static void compliance_of_one_row(void) {
    const double h = 0.02, m = 3.0;
    const double ms[] = {0.0, 0.3, 2.0, 100.0, -0.1, -0.24, -0.26, -0.5, -0.9};
    for (int i = 0; i < 9; i++) {
        const double p = 1.0 / (1.0 + ms[i]), radius = one_row(h, m, 1.0 / h, p * m, NULL);
        const double expected = p <= 1.0 ? sqrt(1.0 - p) : fabs(1.0 - p) + sqrt((1.0 - p) * (1.0 - p) - (1.0 - p));
        near(radius, expected, 1e-7, "radius with a compliance"); /* 1e-7: the roots of p = 1 are a defective pair */
        gsl_test((radius > 1.0) != (ms[i] < -0.25), "m s = %g: radius %.6f", ms[i], radius);
    }
}

/* An error that the sweeps of a step reduce by the factor 1 - d, started from the last step's solution: ((r - 1)/r)^3 =
 * -d/(1 - d) with the whole of x/h taken back a step, squares in place of cubes for a velocity. */
static void warm_start_of_one_row(void) {
    const double h = 0.02, m = 3.0, d[] = {0.01, 1.0 / 9.0, 0.3, 0.49, 0.51, 0.9};
    for (int i = 0; i < 6; i++) {
        const double E = 1.0 - d[i], k = cbrt(d[i] / (1.0 - d[i])), kv = sqrt(d[i] / (1.0 - d[i]));
        const double radius = one_row(h, m, 1.0 / h, d[i] * m, &E), velocity = one_row(h, m, 0.0, d[i] * m, &E);
        near(radius, 1.0 / sqrt(1.0 - k + k * k), 1e-12, "radius of a warm start");
        gsl_test((radius > 1.0) != (d[i] < 0.5), "d = %g: unstable when less than half of the error goes", d[i]);
        /* x of a velocity row moves freely: its root is 1 */
        near(velocity, fmax(1.0, 1.0 / sqrt(1.0 + kv * kv)), 1e-12, "radius of a velocity row");
    }
    near(one_row(h, m, 1.0 / h, m / 9.0, &(double){8.0 / 9.0}), 2.0 / sqrt(3.0), 1e-12, "the worst d is 1/9");
}

/* ---- The analysis against steps taken one by one. ---- */

typedef struct frozen {
    int n, rows, sweeps;
    double h, psi[R_MAX]; /* the share of a violation that a row takes back in a step, reg05 4.1; 0 without a level */
    double C[N_MAX * R_MAX], B[N_MAX * R_MAX], S[R_MAX * R_MAX];
} frozen;

/* C, B and S = C' B + sigma at q; also b = C'(v + h M^-1 F) + psi g/h and levels = -psi g/h of the equations S z + b =
 * 0, of holonomic rows with a compliance and a drag; b = A'(v + h M^-1 F) - w of nonholonomic ones. */
static void freeze(fixture *f, const sb_system *sys, double t, double h, double compliance, double drag, int sweeps,
                   const double *q, const double *v, frozen *out, double *b, double *levels) {
    sb_mass mass;
    sb_pattern C;
    double Cx[N_MAX * R_MAX], g[R_MAX], F[N_MAX], tmp[N_MAX], a[N_MAX];
    int status = sb_mass_init(&f->ctx, &f->arena, sys, &mass);
    status = status == SB_OK ? sb_system_constraints(&f->arena, sys, &C) : status;
    gsl_test(status != SB_OK || sys->n > N_MAX || C.cols > R_MAX, "%s is frozen", sys->name);
    const double psi = h / (h + compliance * drag);
    *out = (frozen){.n = sys->n, .rows = C.cols, .sweeps = sweeps, .h = h};
    const int m = sys->holonomic.m;
    sb_holonomic_value(sys, 0.0, q, g, Cx);
    if (C.cols > m) {
        sys->nonholonomic.value(sys->nonholonomic.self, t, q, Cx + sb_pattern_nnz(&sys->holonomic.G), g + m);
    }
    sb_system_force(sys, t, q, v, F, tmp);
    sb_mass_solve(&mass, F, a);
    for (int r = 0; r < C.cols; r++) {
        for (int k = C.p[r]; k < C.p[r + 1]; k++) {
            out->C[C.i[k] + r * sys->n] = Cx[k];
        }
        sb_mass_solve(&mass, out->C + r * sys->n, out->B + r * sys->n);
        out->psi[r] = r < m ? psi : 0.0;
        levels[r] = r < m ? -psi * g[r] / h : g[r];
        b[r] = -levels[r];
        out->S[r + r * C.cols] += r < m ? compliance * psi / (h * h) : 0.0;
    }
    for (int r = 0; r < C.cols; r++) {
        for (int i = 0; i < sys->n; i++) {
            b[r] += out->C[i + r * sys->n] * (v[i] + h * a[i]);
            for (int c = 0; c < C.cols; c++) {
                out->S[r + c * C.cols] += out->C[i + r * sys->n] * out->B[i + c * sys->n];
            }
        }
    }
}

static void sweep(const frozen *f, const double *b, double *y) {
    for (int k = 0; k < f->sweeps; k++) {
        for (int a = 0; a < f->rows; a++) {
            double w = b[a];
            for (int c = 0; c < f->rows; c++) {
                w += f->S[a + c * f->rows] * y[c];
            }
            y[a] -= w / f->S[a + a * f->rows];
        }
    }
}

/* (S + beta) y = -b by elimination in order. */
static void solve_perturbed(const frozen *f, const double *beta, const double *b, double *y) {
    double A[R_MAX * R_MAX];
    const int n = f->rows;
    for (int k = 0; k < n * n; k++) {
        A[k] = f->S[k] + (k % (n + 1) == 0 ? beta[k / n] : 0.0);
    }
    for (int i = 0; i < n; i++) {
        y[i] = -b[i];
    }
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            const double factor = A[i + k * n] / A[k + k * n];
            for (int j = k; j < n; j++) {
                A[i + j * n] -= factor * A[k + j * n];
            }
            y[i] -= factor * y[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            y[k] -= A[k + j * n] * y[j];
        }
        y[k] /= A[k + k * n];
    }
}

/* v1 = v + B y, x1 = x + h v1 with y from plain Gauss-Seidel on S y = -C'(x/h + v), or from the perturbed equations
 * where there is a beta. */
static void step(const frozen *f, bool warm, const double *beta, double *x, double *v, double *y) {
    double b[R_MAX];
    for (int a = 0; a < f->rows; a++) {
        b[a] = 0.0;
        y[a] = warm ? y[a] : 0.0;
        for (int i = 0; i < f->n; i++) {
            b[a] += f->C[i + a * f->n] * (f->psi[a] * x[i] / f->h + v[i]);
        }
    }
    if (beta != NULL) {
        solve_perturbed(f, beta, b, y);
    } else {
        sweep(f, b, y);
    }
    for (int i = 0; i < f->n; i++) {
        for (int a = 0; a < f->rows; a++) {
            v[i] += f->B[i + a * f->n] * y[a];
        }
        x[i] += f->h * v[i];
    }
}

/* How fast a motion grows a step, on average over many. */
static double growth(const frozen *f, bool warm, const double *beta) {
    double x[N_MAX] = {0}, v[N_MAX] = {0}, y[R_MAX] = {0}, sum = 0.0;
    enum { SETTLE = 400, COUNT = 2000 };
    for (int i = 0; i < f->n; i++) {
        v[i] = sin(1.0 + 3.0 * i);
    }
    for (int k = 0; k < SETTLE + COUNT; k++) {
        double size = 0.0;
        step(f, warm, beta, x, v, y);
        for (int i = 0; i < f->n; i++) {
            size = fmax(size, fmax(fabs(v[i]), fabs(x[i] / f->h)));
        }
        for (int a = 0; a < f->rows; a++) {
            size = fmax(size, fabs(y[a]));
        }
        sum += k >= SETTLE ? log(size) : 0.0;
        for (int i = 0; i < f->n; i++) {
            x[i] /= size;
            v[i] /= size;
        }
        for (int a = 0; a < f->rows; a++) {
            y[a] /= size;
        }
    }
    return exp(sum / COUNT);
}

/* What the analysis should find along a run, by the plain means above. */
typedef struct found {
    fixture *f;
    const sb_system *sys;
    double h, c, drag;
    int sweeps;
    long rows, negative, inconsistent;
    double cold, warm, perturbed, residual;
} found;

static int observe(void *arg, const sb_sample *sample) {
    found *o = arg;
    frozen now;
    double b[R_MAX], levels[R_MAX], z[R_MAX] = {0}, beta[R_MAX];
    freeze(o->f, o->sys, sample->t, o->h, o->c, o->drag, o->sweeps, sample->q, sample->v, &now, b, levels);
    sweep(&now, b, z);
    double most = 0.0; /* as good as zero: a millionth of a millionth of what the rows have to do with */
    for (int a = 0; a < now.rows; a++) {
        most = fmax(most, sqrt(now.S[a * (now.rows + 1)]) * fabs(z[a]));
    }
    for (int a = 0; a < now.rows; a++) {
        double w = b[a], size = fabs(b[a]);
        for (int c = 0; c < now.rows; c++) {
            w += now.S[a + c * now.rows] * z[c];
            size += fabs(now.S[a + c * now.rows] * z[c]);
        }
        o->residual = fmax(o->residual, fabs(w) / size);
        const double root = sqrt(now.S[a * (now.rows + 1)]);
        beta[a] = fabs(w) <= 1e-12 * root * most ? 0.0 : root * fabs(z[a]) <= 1e-9 * most ? 1e30 : -w / z[a];
        const double alpha = -w / levels[a];
        o->rows++;
        o->negative += beta[a] < 0.0;
        o->inconsistent += beta[a] < 0.0 && (now.psi[a] == 0.0 || !(alpha >= 0.0 && alpha < 1.0));
    }
    o->cold = fmax(o->cold, growth(&now, false, NULL));
    o->warm = fmax(o->warm, growth(&now, true, NULL));
    o->perturbed = fmax(o->perturbed, growth(&now, false, beta));
    return SB_OK;
}

static void against_steps(fixture *f, const char *problem, int sweeps, double c, double drag) {
    char options[120];
    sb_table table;
    sb_system sys;
    sb_method method;
    sb_run run = {.h = 1.0 / 60.0, .steps = 30, .every = 1};
    found o = {.f = f, .sys = &sys, .h = run.h, .c = c, .drag = drag, .sweeps = sweeps};
    snprintf(options, sizeof options, "h=1/60,steps=30,sweeps=[%d],c=%.17g,b=%.17g", sweeps, c, drag);
    rows(f, "backward_error", options, problem, "reg", &table);
    gsl_test_int(table.nrows, 2, "a row from either start");
    int status = sb_system_build(&f->ctx, &f->arena, problem, 0, NULL, &sys);
    status = status == SB_OK ? sb_method_build(&f->ctx, &f->arena, "reg", &sys, &method) : status;
    status = status == SB_OK ? sb_run_method(&method, &run, observe, &o) : status;
    gsl_test(status != SB_OK, "a run: %s", status == SB_OK ? "it does" : f->ctx.message);
    gsl_test(o.negative == 0, "there are negative rows to count");
    near(sb_table_real(&table, 0, "negative") * (double)o.rows, (double)o.negative, 1e-9, "negative rows");
    near(sb_table_real(&table, 0, "residual"), o.residual, 1e-7,
         "largest residual"); /* SB_BOX_FLOOR moves S by 1e-9, and what sweeps leave by some times that */
    near(sb_table_real(&table, 0, "inconsistent") * (double)o.rows, (double)o.inconsistent, 1e-9, "inconsistent rows");
    /* growth is a mean over 2000 steps, in which a pair of roots turns and free motion grows linearly */
    near(sb_table_real(&table, 0, "radius_step"), o.cold, 3e-3, "cold radius");
    near(sb_table_real(&table, 1, "radius_step"), o.warm, 3e-3 * o.warm, "warm radius");
    near(sb_table_real(&table, 0, "radius_perturbed"), o.perturbed, 3e-3 * o.perturbed, "perturbed radius");
}

static void facts(fixture *f) {
    sb_table table;
    static const char *const problems[] = {"rod_chain:n=4", "ladder:N=1", "stack:n=2"};
    for (int p = 0; p < 3; p++) {
        rows(f, "backward_error", "h=1/60,steps=20,sweeps=[1,4,16]", problems[p], "reg", &table);
        for (int i = 0; i < table.nrows; i++) {
            gsl_test(sb_table_real(&table, i, "steps_unstable") != sb_table_real(&table, i, "steps_both"),
                     "%s: nothing is unstable without a negative row", problems[p]);
            gsl_test(!(sb_table_real(&table, i, "inconsistent") <= sb_table_real(&table, i, "negative")),
                     "%s: what is inconsistent is negative", problems[p]);
            gsl_test(i % 2 == 0 && !(sb_table_real(&table, i, "radius_step") <= 1.0 + 1e-5),
                     "%s: a cold start is not unstable", problems[p]);
        }
        gsl_test(!(sb_table_real(&table, 0, "steps_negative") > 0.0), "%s: there are negative rows", problems[p]);
    }
    rows(f, "backward_error", "h=1/60,steps=5,sweeps=[1]", "pendulum", "reg", &table);
    gsl_test(sb_table_real(&table, 0, "negative") != 0.0 || !(sb_table_real(&table, 0, "residual") <= 1e-15),
             "one row is solved in one sweep");
    rows(f, "backward_error", "h=1/60,steps=5,sweeps=[20000]", "rod_chain:n=2", "reg", &table);
    gsl_test(!(sb_table_real(&table, 0, "residual") <= 1e-13), "sweeps converge: %g",
             sb_table_real(&table, 0, "residual"));
    rows(f, "backward_error", "steps=5", "oscillator", "verlet", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "no constraints") == NULL, "nothing to solve: %s",
             sb_table_text(&table, 0, "status"));
    gsl_test(run_one(f, "backward_error", "lcp=dantzig", "pendulum", "reg", &table) != SB_BAD_USAGE ||
                 strstr(f->ctx.message, "sweeps") == NULL,
             "no sweeps: %s", f->ctx.message);
    gsl_test(run_one(f, "backward_error", "sweeps=[0]", "pendulum", "reg", &table) != SB_BAD_USAGE,
             "no sweep at all is refused");
    gsl_test(run_one(f, "backward_error", "sweeps=[1.5]", "pendulum", "reg", &table) != SB_BAD_USAGE,
             "nor half a sweep: %s", f->ctx.message);
}

int main(void) {
    fixture f;
    fixture_init(&f);
    readings();
    compliance_of_one_row();
    warm_start_of_one_row();
    against_steps(&f, "rod_chain:n=3", 1, 0.0, 0.0);
    against_steps(&f, "rod_chain:n=3", 4, 0.0, 0.0);
    against_steps(&f, "rod_chain:n=3", 4, 1e-5, 0.0);
    against_steps(&f, "rod_chain:n=3", 4, 1e-5, 2e3); /* a relaxation time of 0.02 s, some step */
    against_steps(&f, "slider_crank", 3, 0.0, 0.0);
    facts(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
