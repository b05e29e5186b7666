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

static int gradient(const void *self, const double *q, double *Vq) {
    const springs *p = self;
    for (int i = 0; i < N; i++) {
        Vq[i] = p->K[i] * q[0] + p->K[N + i] * q[1] - p->f[i];
    }
    return SB_OK;
}

static int value(const void *self, const double *q, double *V) {
    const springs *p = self;
    double Vq[N];
    gradient(self, q, Vq);
    *V = 0.5 * (q[0] * (Vq[0] - p->f[0]) + q[1] * (Vq[1] - p->f[1]));
    return SB_OK;
}

static int hessian(const void *self, const double *q, double c, double *Hx) {
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
    sys->potential = (sb_potential){p, 2, value, gradient, hessian, NULL};
    return sb_system_finish(&f->ctx, &f->arena, "springs", sys);
}

/* A step of 2.4 periods of the fast mode, to the round-off of h omega = 15. */
static void linear(fixture *f, const char *stepper, const double *c) {
    springs p;
    sb_system sys;
    sb_method method = {0};
    sb_state s[2] = {{0}};
    int status = build(f, c, &p, &sys);
    status = status == SB_OK ? sb_method_build(&f->ctx, &f->arena, stepper, &sys, &method) : status;
    status = status == SB_OK ? sb_state_new(&method, &f->arena, &s[0]) : status;
    status = status == SB_OK ? sb_state_new(&method, &f->arena, &s[1]) : status;
    status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, h, &s[0]) : status;
    status = status == SB_OK ? sb_method_step(&method, &s[0], h, &s[1]) : status;
    gsl_test(status != SB_OK, "%s takes a step (%s)", stepper, status != SB_OK ? f->ctx.message : "done");
    for (int i = 0; i < N && status == SB_OK; i++) {
        double q = 0.0, v = 0.0;
        for (int k = 0; k < N; k++) {
            const double rest = c[k] / (omega[k] * omega[k]), xi = h * omega[k];
            q += X[i][k] * (rest + cos(xi) * (x0[k] - rest) + sin(xi) / omega[k] * r0[k]);
            v += X[i][k] * (cos(xi) * r0[k] - omega[k] * sin(xi) * (x0[k] - rest));
        }
        near(s[1].q[i], q, 256.0 * DBL_EPSILON, stepper);
        near(s[1].v[i], v, 256.0 * DBL_EPSILON, stepper);
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
        rows(f, "symplecticity", "h=0.5,steps=2", "henon_heiles", cases[i].stepper, &table);
        gsl_test(!sb_table_is(&table, 0, "symplectic", cases[i].symplectic), "%s is symplectic: %s", cases[i].stepper,
                 cases[i].symplectic);
    }
}

int main(void) {
    static const double none[N] = {0.0, 0.0}, constant[N] = {0.8, -1.7};
    fixture f;
    fixture_init(&f);
    linear(&f, "trigonometric:filter=impulse", none);
    linear(&f, "trigonometric:filter=mollified", none);
    linear(&f, "trigonometric:filter=hairer_lubich", none);
    linear(&f, "trigonometric:filter=gautschi", constant);
    symplectic(&f);
    sb_table table;
    rows(&f, "order", "", "fput:m=200", "trigonometric", &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "for up to 256") == NULL, "too many coordinates: %s",
             sb_table_text(&table, 0, "status"));
    fixture_free(&f);
    return gsl_test_summary();
}
