/* Soft Step on a mass that a rod without weight holds, stretched along the rod: closed forms. The soft sweep is an
 * implicit spring and damper with the frequency and the damping ratio of its parameters; the relaxing sweep takes away
 * the kinetic energy that the correction of the position adds. catto24. */
#include "tests/steppers/pairs.h"

static const double h = 0.02, mass = 2.0, length = 1.5, stretch = 0.1;

/* The stretch of the rod and its rate after the last step. */
typedef struct motion {
    double x, rate;
    double kinetic; /* the largest after a step */
} motion;

/* Runs a stepper from the stretched rod at rest. The weight, 1e-12 m/s^2, is below the tolerances. */
static motion run(sb_context *ctx, const char *stepper, int steps) {
    const double along[2] = {sin(0.7), -cos(0.7)};
    sb_arena arena;
    sb_system sys;
    sb_method me;
    sb_state now, next;
    motion out = {NAN, NAN, 0.0};
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, "pendulum:constraint=norm,m=2,l=1.5,theta0=0.7,g=1e-12", 0, NULL, &sys);
    status = status == SB_OK ? sb_method_build(ctx, &arena, stepper, &sys, &me) : status;
    status = status == SB_OK ? sb_state_new(&me, &arena, &now) : status;
    status = status == SB_OK ? sb_state_new(&me, &arena, &next) : status;
    status = status == SB_OK ? sb_method_start(&me, 0.0, NULL, NULL, h, &now) : status;
    for (int i = 0; i < 2 && status == SB_OK; i++) {
        now.q[i] += stretch * along[i];
    }
    for (int k = 0; k < steps && status == SB_OK; k++) {
        status = sb_method_step(&me, &now, h, &next);
        sb_state_copy(&me, &next, &now);
        out.kinetic = fmax(out.kinetic, 0.5 * mass * (now.v[0] * now.v[0] + now.v[1] * now.v[1]));
    }
    gsl_test(status != SB_OK, "%s runs: %s", stepper, status == SB_OK ? "it does" : ctx->message);
    if (status == SB_OK) {
        out.x = now.q[0] * along[0] + now.q[1] * along[1] - length;
        out.rate = now.v[0] * along[0] + now.v[1] * along[1];
    }
    sb_arena_free(&arena);
    return out;
}

/* m v' = -k x - c v by the implicit rule, with k = m omega^2, c = 2 zeta omega m and omega = rate/h. Round-off adds up
 * to 1e-14 in 40 steps. */
static void is_a_spring(sb_context *ctx, const char *stepper, double rate, double zeta) {
    const double omega = rate / h, stiffness = mass * omega * omega, damping = 2.0 * zeta * omega * mass;
    double x = stretch, v = 0.0;
    for (int k = 1; k <= 40; k++) {
        v = (mass * v - h * stiffness * x) / (mass + h * damping + h * h * stiffness);
        x += h * v;
        if (k % 13 == 1) {
            const motion m = run(ctx, stepper, k);
            gsl_test(!(fabs(m.x - x) <= 1e-13 && fabs(m.rate - v) <= 1e-11),
                     "%s, step %d: %.15g, %.15g, not %.15g, %.15g", stepper, k, m.x, m.rate, x, v);
        }
    }
}

/* A soft sweep from rest gives the rod the rate -mu beta x, with mu beta = rate^2/(h (1 + rate a)); then a relaxed step
 * ends at rest, and the stretch falls by the factor 1 - h mu beta. Without the relaxing sweep the correction is kinetic
 * energy. */
static void relaxes(sb_context *ctx, double rate, double zeta, const char *relaxed, const char *kept) {
    const double correction = rate * rate / (1.0 + rate * (2.0 * zeta + rate)), first = correction * stretch / h;
    for (int k = 1; k <= 9; k += 4) {
        const motion m = run(ctx, relaxed, k);
        const double x = stretch * pow(1.0 - correction, k);
        gsl_test(!(fabs(m.x - x) <= 1e-13), "%s, step %d: a stretch of %.15g, not %.15g", relaxed, k, m.x, x);
        gsl_test(!(m.kinetic <= 1e-24), "%s, step %d: a kinetic energy of %.2g is left", relaxed, k, m.kinetic);
    }
    const motion m = run(ctx, kept, 1);
    gsl_test(!(fabs(m.kinetic / (0.5 * mass * first * first) - 1.0) <= 1e-10),
             "%s: the first correction adds %.12g, not %.12g", kept, m.kinetic, 0.5 * mass * first * first);
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    open_registry(&ctx, &registry);
    is_a_spring(&ctx, "soft_step:relax=0", 1.5707963267948966, 1.0);
    is_a_spring(&ctx, "soft_step:relax=0,rate=0.3,zeta=0.2", 0.3, 0.2);
    is_a_spring(&ctx, "soft_step:relax=0,rate=0.7,zeta=0,sweeps=4", 0.7, 0.0);
    relaxes(&ctx, 1.5707963267948966, 1.0, "soft_step", "soft_step:relax=0");
    relaxes(&ctx, 0.6, 0.1, "soft_step:rate=0.6,zeta=0.1,relax=3", "soft_step:rate=0.6,zeta=0.1,relax=0");
    sb_registry_free(&registry);
    return gsl_test_summary();
}
