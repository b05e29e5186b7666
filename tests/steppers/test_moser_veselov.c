/* dvp is the discrete Moser-Veselov scheme (moserveselov91), which wm96 5.1 leaves open: it explains the constant
 * energy of wm96 Fig. 5. */
#include <float.h>

#include <gsl/gsl_randist.h>

#include <stepbench/numerics/lagrangian.h>

#include "tests/steppers/pairs.h"

typedef double matrix[3][3];

/* wm96 (5.1), for any length of q. */
static void rotation(const double *q, matrix R) {
    const double s = q[0], x = q[1], y = q[2], z = q[3], norm = s * s + x * x + y * y + z * z;
    const matrix A = {{s * s + x * x - y * y - z * z, 2.0 * (x * y - s * z), 2.0 * (x * z + s * y)},
                      {2.0 * (x * y + s * z), s * s - x * x + y * y - z * z, 2.0 * (y * z - s * x)},
                      {2.0 * (x * z - s * y), 2.0 * (y * z + s * x), s * s - x * x - y * y + z * z}};
    for (int i = 0; i < 9; i++) {
        R[i / 3][i % 3] = A[i / 3][i % 3] / norm;
    }
}

/* Lambda = R(q0)' R(q1). */
static void relative(const double *q0, const double *q1, matrix Lambda) {
    matrix R0, R1;
    rotation(q0, R0);
    rotation(q1, R1);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            Lambda[i][j] = R0[0][i] * R1[0][j] + R0[1][i] * R1[1][j] + R0[2][i] * R1[2][j];
        }
    }
}

/* J = tr(I)/2 1 - I, diagonal. */
static void moments(const sb_rigid *rigid, double J[3]) {
    const double half = 0.5 * (rigid->inertia[0] + rigid->inertia[1] + rigid->inertia[2]);
    for (int i = 0; i < 3; i++) {
        J[i] = half - rigid->inertia[i];
    }
}

/* L_d = [tr J - tr(J R_k' R_{k+1})]/h^2. */
static double moser_veselov(const double J[3], double h, const double *q0, const double *q1) {
    matrix L;
    relative(q0, q1, L);
    return (J[0] * (1.0 - L[0][0]) + J[1] * (1.0 - L[1][1]) + J[2] * (1.0 - L[2][2])) / (h * h);
}

static void random_quaternion(gsl_rng *rng, double *q) {
    const double u = gsl_rng_uniform(rng), a = 2.0 * M_PI * gsl_rng_uniform(rng), b = 2.0 * M_PI * gsl_rng_uniform(rng);
    q[0] = sqrt(u) * sin(a);
    q[1] = sqrt(u) * cos(a);
    q[2] = sqrt(1.0 - u) * sin(b);
    q[3] = sqrt(1.0 - u) * cos(b);
}

/* wm96 (5.8) and the trace formula agree for any two orientations; 4/h^2 tr I bounds either, and a few roundings make
 * it up. */
static int lagrangian(sb_context *ctx, sb_arena *arena, const sb_system *sys) {
    const double h = 0.1;
    double J[3], q0[4], q1[4], worst = 0.0, scale = 0.0;
    sb_lagrangian L;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    moments(sys->rigid, J);
    for (int i = 0; i < 3; i++) {
        scale += 4.0 / (h * h) * sys->rigid->inertia[i];
    }
    int status = sb_lagrangian_init(ctx, arena, sys, 0.5, 0.5, &L);
    for (int k = 0; k < 1000 && status == SB_OK; k++) {
        double value;
        random_quaternion(rng, q0);
        random_quaternion(rng, q1);
        status = sb_lagrangian_value(&L, 0.0, h, q0, q1, &value);
        const double d = fabs(value - moser_veselov(J, h, q0, q1)) / scale;
        worst = d <= worst ? worst : d;
    }
    gsl_rng_free(rng);
    gsl_test(!(worst <= 8.0 * DBL_EPSILON),
             "%s: L_d is Moser and Veselov's on random orientations to %.2g of its bound", sys->name, worst);
    return status;
}

/* What the invariants do over a run. */
typedef struct track {
    double first, most; /* most: relative deviation from the first value */
} track;

static void follow(track *t, bool begin, double value) {
    if (begin) {
        *t = (track){value, 0.0};
    }
    const double d = fabs(value - t->first) / fabs(t->first);
    t->most = d <= t->most ? t->most : d;
}

/* The body angular momentum of a reported velocity: I omega, (0, omega) = 2 conj(q) v. */
static void body_momentum(const sb_rigid *rigid, const double *q, const double *v, double *m) {
    m[0] = 2.0 * rigid->inertia[0] * (q[0] * v[1] - q[1] * v[0] - q[2] * v[3] + q[3] * v[2]);
    m[1] = 2.0 * rigid->inertia[1] * (q[0] * v[2] + q[1] * v[3] - q[2] * v[0] - q[3] * v[1]);
    m[2] = 2.0 * rigid->inertia[2] * (q[0] * v[3] - q[1] * v[2] + q[2] * v[1] - q[3] * v[0]);
}

/* The largest entry of (Lambda_k J - J Lambda_k') - (J Lambda_{k-1} - Lambda_{k-1}' J): Moser and Veselov's equation
 * for three points. */
static double equation(const double J[3], const double *q0, const double *q1, const double *q2) {
    matrix A, B;
    double most = 0.0;
    relative(q0, q1, A);
    relative(q1, q2, B);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double d = fabs(B[i][j] * J[j] - J[i] * B[j][i] - (J[i] * A[i][j] - A[j][i] * J[j]));
            most = sb_larger(most, d);
        }
    }
    return most;
}

/* A step commits a few roundings, in random directions: sqrt(steps) of them. The equation's terms are of size h |m|, of
 * differences of entries of size J that round to eps J each. */
static int scheme(sb_context *ctx, sb_arena *arena, const sb_system *sys, long steps) {
    const double h = 0.05 * sys->time_scale;
    const double round_off = 4.0 * DBL_EPSILON * sqrt((double)steps);
    double J[3], v[4], m[3], lambda, worst = 0.0, worst_lambda = 0.0;
    track Ld = {0}, energy = {0}, square = {0};
    sb_method me;
    sb_state s[3];
    moments(sys->rigid, J);
    SB_TRY(sb_method_build(ctx, arena, "dvp", sys, &me));
    for (int i = 0; i < 3; i++) {
        SB_TRY(sb_state_new(&me, arena, &s[i]));
    }
    SB_TRY(sb_method_start(&me, 0.0, NULL, NULL, h, &s[0]));
    for (long k = 0; k < steps; k++) {
        const sb_state *now = &s[k % 3], *before = &s[(k + 2) % 3];
        sb_state *next = &s[(k + 1) % 3];
        SB_TRY(sb_method_step(&me, now, h, next));
        SB_TRY(sb_method_report(&me, now, v, &lambda));
        body_momentum(sys->rigid, now->q, v, m);
        const double *I = sys->rigid->inertia, L = moser_veselov(J, h, now->q, next->q);
        follow(&energy, k == 0, m[0] * m[0] / I[0] + m[1] * m[1] / I[1] + m[2] * m[2] / I[2]);
        follow(&square, k == 0, m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        follow(&Ld, k == 0, L);
        const double off = fabs(lambda + 2.0 * L) / L;
        worst_lambda = sb_larger(worst_lambda, off);
        if (k > 0) {
            const double d = equation(J, before->q, now->q, next->q);
            worst = d <= worst ? worst : d;
        }
    }
    const double size = 2.0 * (fabs(J[0]) + fabs(J[1]) + fabs(J[2]));
    /* the trace formula takes differences of numbers of size J to find h^2 L_d */
    const double cancelled = 16.0 * DBL_EPSILON * size / (h * h * Ld.first);
    gsl_test(!(worst <= 16.0 * DBL_EPSILON * size), "%s: dvp satisfies Moser and Veselov's equation to %.2g", sys->name,
             worst);
    gsl_test(!(energy.most <= round_off), "%s: m.I^-1 m keeps to %.2g over %ld steps (%.2g by round-off)", sys->name,
             energy.most, steps, round_off);
    gsl_test(!(square.most <= round_off), "%s: |m|^2 keeps to %.2g over %ld steps (%.2g by round-off)", sys->name,
             square.most, steps, round_off);
    gsl_test(!(Ld.most <= round_off + cancelled), "%s: L_d keeps to %.2g over %ld steps (%.2g by round-off)", sys->name,
             Ld.most, steps, round_off + cancelled);
    gsl_test(!(worst_lambda <= cancelled), "%s: lambda is -2 L_d to %.2g (%.2g by round-off)", sys->name, worst_lambda,
             cancelled);
    return SB_OK;
}

int main(void) {
    static const char *const bodies[] = {"rigid_body", "rigid_body:w1=2,w2=0.1,w3=-1",
                                         "rigid_body:w1=0.01,w2=3,w3=0.01",
                                         "rigid_body:I1=1,I2=1,I3=1.7,w1=1,w2=2,w3=3"};
    sb_context ctx;
    sb_registry registry;
    open_registry(&ctx, &registry);
    for (int i = 0; i < 4; i++) {
        sb_arena arena;
        sb_system sys;
        sb_arena_init(&arena, &ctx);
        int status = sb_system_build(&ctx, &arena, bodies[i], 0, NULL, &sys);
        status = status == SB_OK ? lagrangian(&ctx, &arena, &sys) : status;
        status = status == SB_OK ? scheme(&ctx, &arena, &sys, 100000) : status;
        gsl_test(status != SB_OK, "%s runs: %s", bodies[i], status != SB_OK ? ctx.message : "done");
        sb_arena_free(&arena);
    }
    sb_registry_free(&registry);
    return gsl_test_summary();
}
