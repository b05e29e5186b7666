/* Trigonometric integrators: exact on linear forces, Gautschi's with a constant one too; symplectic for psi = phi sinc.
 * hlw06 XIII.2. */
#include "tests/analysis/fixture.h"

enum { N = 2 };

/* Modes X with frequencies omega: M = (X X')^-1, and a force that is constant in the modes. */
static const double X[N][N] = {{1.0, 0.5}, {0.25, 2.0}}, omega[N] = {3.0, 1.0};
static const double x0[N] = {0.7, -0.4}, r0[N] = {0.3, 0.9}, h = 5.0;

typedef struct springs {
    double M[N * N], K[N * N], f[N];
} springs;

static int mass(const void *self, const double *q, double *Mx) {
    memcpy(Mx, ((const springs *)self)->M, sizeof((const springs *)self)->M);
    return SB_OK;
}

static int gradient(const void *self, double t, const double *q, double *Vq) {
    const springs *p = self;
    for (int i = 0; i < N; i++) {
        Vq[i] = p->K[i] * q[0] + p->K[N + i] * q[1] - p->f[i];
    }
    return SB_OK;
}

static int value(const void *self, double t, const double *q, double *V) {
    const springs *p = self;
    double Vq[N];
    gradient(self, t, q, Vq);
    *V = 0.5 * (q[0] * (Vq[0] - p->f[0]) + q[1] * (Vq[1] - p->f[1]));
    return SB_OK;
}

static int hessian(const void *self, double t, const double *q, double c, double *Hx) {
    for (int k = 0; k < N * N; k++) {
        Hx[k] += c * ((const springs *)self)->K[k];
    }
    return SB_OK;
}

static int initial(const void *self, double *t, double *q, double *v) {
    *t = 0.0;
    for (int i = 0; i < N; i++) {
        q[i] = X[i][0] * x0[0] + X[i][1] * x0[1];
        v[i] = X[i][0] * r0[0] + X[i][1] * r0[1];
    }
    return SB_OK;
}

/* With Z = X^-1: M = Z' Z, K = Z' omega^2 Z, f = Z' c. */
static int build(fixture *f, const double *c, springs *p, sb_system *sys) {
    const double det = X[0][0] * X[1][1] - X[0][1] * X[1][0],
                 Z[N][N] = {{X[1][1] / det, -X[0][1] / det}, {-X[1][0] / det, X[0][0] / det}};
    const int row[] = {0, 1, 0, 1}, col[] = {0, 0, 1, 1};
    *p = (springs){.f = {0.0}};
    *sys = (sb_system){.n = N, .time_scale = 1.0, .self = p, .initial = initial};
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < N; i++) {
            p->f[i] += Z[k][i] * c[k];
            for (int j = 0; j < N; j++) {
                p->M[N * j + i] += Z[k][i] * Z[k][j];
                p->K[N * j + i] += Z[k][i] * Z[k][j] * omega[k] * omega[k];
            }
        }
    }
    SB_TRY(sb_pattern_from_pairs(&f->arena, N, N, N * N, row, col, &sys->H));
    sys->inertia = (sb_inertia){.self = p, .M = sys->H, .mass = mass};
    sys->potential = (sb_potential){.self = p, .degree = 2, .value = value, .gradient = gradient, .hessian = hessian};
    return sb_system_finish(&f->ctx, &f->arena, "springs", sys);
}

/* Takes a step h from a state started for steps of length h0. Returns whether it succeeded. */
static bool take(fixture *f, const sb_system *sys, const char *stepper, double h0, sb_state *end) {
    sb_method method = {0};
    sb_state begin = {0};
    int status = sb_method_build(&f->ctx, &f->arena, stepper, sys, &method);
    status = status == SB_OK ? sb_state_new(&method, &f->arena, &begin) : status;
    status = status == SB_OK ? sb_state_new(&method, &f->arena, end) : status;
    status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, h0, &begin) : status;
    status = status == SB_OK ? sb_method_step(&method, &begin, h, end) : status;
    gsl_test(status != SB_OK, "%s takes a step (%s)", stepper, status != SB_OK ? f->ctx.message : "done");
    return status == SB_OK;
}

/* A step of 2.4 periods of the fast mode, to the round-off of h omega = 15. Modes slower than `least` take a step of
 * Verlet's method, where the impulse method is asked for that. */
static void linear(fixture *f, const char *stepper, double least, const double *c) {
    springs p;
    sb_system sys;
    sb_state s = {0};
    const bool done = build(f, c, &p, &sys) == SB_OK && take(f, &sys, stepper, h, &s);
    gsl_test(!done, "springs build");
    for (int i = 0; i < N && done; i++) {
        double q = 0.0, v = 0.0;
        for (int k = 0; k < N; k++) {
            const double w2 = omega[k] * omega[k], rest = c[k] / w2, xi = h * omega[k], y = x0[k] - rest,
                         y1 = (1.0 - 0.5 * xi * xi) * y + h * r0[k];
            const bool fast = omega[k] >= least;
            q += X[i][k] * (rest + (fast ? cos(xi) * y + sin(xi) / omega[k] * r0[k] : y1));
            v += X[i][k] * (fast ? cos(xi) * r0[k] - omega[k] * sin(xi) * y : r0[k] - 0.5 * h * w2 * (y + y1));
        }
        near(s.q[i], q, 256.0 * DBL_EPSILON * (1.0 + fabs(q)), stepper);
        near(s.v[i], v, 256.0 * DBL_EPSILON * (1.0 + fabs(v)), stepper);
    }
}

/* The springs of fput are linear: the frequencies are those of these springs, exactly, and those of V_qq at the start
 * are 50, 50.01 and 50.08. Without an offer the note says so. */
static void offered(fixture *f) {
    static const char *const note[][2] = {
        {"fput", "3 of 6 modes are fast, up to omega = 50: of the springs that the problem offers"},
        {"kepler:e=0", "1 of 2 modes are fast, up to omega = 1: of V_qq at the initial position, because the problem "
                       "offers no springs"}};
    for (int i = 0; i < 2; i++) {
        const sb_pair pair = pair_of(f, note[i][0], "trigonometric");
        sb_method me = {0};
        const int status = sb_method_build(&f->ctx, &f->arena, "trigonometric", pair.sys, &me);
        gsl_test(status != SB_OK || me.note == NULL || strcmp(me.note, note[i][1]) != 0, "%s: %s", note[i][0],
                 me.note != NULL ? me.note : "no note");
    }
}

/* g(Phi x) belongs to a step length: a state that was started for another one takes the same step. */
static void other_start(fixture *f) {
    const sb_pair pair = pair_of(f, "henon_heiles", "trigonometric:filter=mollified");
    sb_state same = {0}, other = {0};
    if (take(f, pair.sys, pair.stepper, h, &same) && take(f, pair.sys, pair.stepper, 0.3 * h, &other)) {
        gsl_test(memcmp(same.q, other.q, N * sizeof *same.q) != 0 || memcmp(same.v, other.v, N * sizeof *same.v) != 0,
                 "the step does not depend on the length for which it was started");
    }
}

static void symplectic(fixture *f) {
    static const struct {
        const char *stepper, *symplectic;
    } cases[] = {{"trigonometric", "yes"},
                 {"trigonometric:filter=mollified", "yes"},
                 {"trigonometric:filter=gautschi", "no"},
                 {"trigonometric:filter=hairer_lubich", "no"}};
    for (int i = 0; i < 4; i++) {
        sb_table table;
        rows(f, "symplecticity", "h=0.5,steps=2", "fput:m=2,omega=5", cases[i].stepper, &table);
        gsl_test(!sb_table_is(&table, 0, "symplectic", cases[i].symplectic), "%s is symplectic: %s", cases[i].stepper,
                 cases[i].symplectic);
    }
}

int main(void) {
    static const double none[N] = {0.0, 0.0}, constant[N] = {0.8, -1.7};
    fixture f;
    fixture_init(&f);
    linear(&f, "trigonometric:filter=impulse", 0.0, none);
    linear(&f, "trigonometric:filter=mollified", 0.0, none);
    linear(&f, "trigonometric:filter=hairer_lubich", 0.0, none);
    linear(&f, "trigonometric:filter=gautschi", 0.0, constant);
    linear(&f, "trigonometric:share=0.9", 2.7, none);
    other_start(&f);
    symplectic(&f);
    offered(&f);
    sb_table table;
    rows(&f, "order", "", "fput:m=200", "trigonometric", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "for up to 256") == NULL, "too many coordinates: %s",
             sb_table_text(&table, 0, "status"));
    fixture_free(&f);
    return gsl_test_summary();
}
