/* Soft Step on a mass that a rod without weight holds, stretched along the rod: closed forms. The soft sweep is an
 * implicit spring and damper with the frequency and the damping ratio of its parameters; the relaxing sweep takes away
 * the kinetic energy that the correction of the position adds. Contacts: the penetration at rest, Newton's law of
 * impact, and Coulomb's cone. catto24. */
#include "tests/steppers/contacts.h"
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

/* ---- Contacts. ---- */

static const double gravity = 9.81;

/* A ball that is put on the ground sinks to -g/omega^2, where the spring of the contact carries it, with omega =
 * rate/h: from x by h v1, v1 = -(h g + rate^2/h x)/(1 + rate a), after which the relaxing sweep leaves no velocity. The
 * contact carries the weight from the first step on. Round-off: 1e-15 of 1 m/s and of 9.81 N. */
static void sinks(fixture *f, const char *stepper, double rate, double zeta) {
    contact_run r;
    double x = 0.0;
    contact_open(&r, f, "bouncing_ball:y0=0,v0=0", stepper, h);
    for (int k = 1; k <= 600 && contact_step(&r); k++) {
        x -= h * (h * gravity + rate * rate / h * x) / (1.0 + rate * (2.0 * zeta + rate));
        gsl_test(
            !(fabs(r.now.q[0] - x) <= 1e-15 && fabs(r.now.v[0]) <= 1e-15 && fabs(r.now.lambda[0] - gravity) <= 1e-13),
            "%s, step %d: at %.17g, not %.17g, with %.2g m/s and %.15g N", stepper, k, r.now.q[0], x, r.now.v[0],
            r.now.lambda[0]);
    }
    const double rest = -gravity * h * h / (rate * rate);
    gsl_test(!(fabs(r.now.q[0] - rest) <= 1e-15), "%s: at rest the ball is at %.17g, not %.17g", stepper, r.now.q[0],
             rest);
}

/* A ball falls by symplectic Euler. A step that would end below the ground ends on it; a relaxing sweep also slows a
 * ball that would pass the ground in the next step, to the speed that reaches it. Either is an impact, which ends with
 * e times the velocity before its step. Without rebound the second one ends on the ground. */
static void rebounds(fixture *f, const char *stepper, double e, bool relaxed) {
    char problem[64];
    contact_run r;
    double y = 1.0, v = 0.0;
    int impacts = 0;
    snprintf(problem, sizeof problem, "bouncing_ball:e=%g", e);
    contact_open(&r, f, problem, stepper, h);
    for (int k = 1; k <= 60 && impacts < 2 && contact_step(&r); k++) {
        const double before = v, within = fmax(v - h * gravity, -y / h);
        bool hits = within > v - h * gravity;
        y += h * within;
        v = relaxed ? fmax(within, -y / h) : within;
        hits = hits || v > within;
        v = hits && e > 0.0 ? fmax(v, -e * before) : v;
        impacts += hits;
        gsl_test(!(fabs(r.now.q[0] - y) <= 1e-14 && fabs(r.now.v[0] - v) <= 1e-12 && hits == (r.now.lambda[0] > 0.0)),
                 "%s on %s, step %d: at %.15g with %.15g, not %.15g with %.15g", stepper, problem, k, r.now.q[0],
                 r.now.v[0], y, v);
    }
    gsl_test(impacts != 2, "%s on %s: %d impacts", stepper, problem, impacts);
}

/* A particle of the mass 2 kg on a plane, with friction in two directions of Coulomb's cone. */
static int particle_mass(const void *self, const double *q, double *Mx) {
    Mx[0] = Mx[1] = Mx[2] = mass;
    return SB_OK;
}

static int particle_force(const void *self, double t, const double *q, const double *v, double *F) {
    F[0] = F[1] = 0.0;
    F[2] = -mass * gravity;
    return SB_OK;
}

static int particle_gap(const void *self, const double *q, double *xi, double *Nx) {
    if (xi != NULL) {
        xi[0] = q[2];
    }
    if (Nx != NULL) {
        Nx[0] = 1.0;
    }
    return SB_OK;
}

static int particle_slip(const void *self, double t, const double *q, double *Dx, double *w) {
    if (Dx != NULL) {
        Dx[0] = Dx[1] = 1.0;
    }
    if (w != NULL) {
        w[0] = w[1] = 0.0;
    }
    return SB_OK;
}

static int particle_initial(const void *self, double *t, double *q, double *v) {
    *t = q[0] = q[1] = q[2] = v[2] = 0.0;
    v[0] = 0.3;
    v[1] = -1.2;
    return SB_OK;
}

/* It slides straight on, by mu g h slower in each step, and stops. The first step has the whole normal force, as
 * above. */
static void slides(fixture *f, const char *stepper) {
    static const int first[] = {0, 1, 2, 3}, row[] = {0, 1, 2}, of[] = {0, 0}, with[] = {1, 0};
    static const double mu[] = {0.4, 0.4};
    const double speed = hypot(0.3, 1.2);
    contact_run r = {.sys = {.n = 3, .time_scale = 1.0, .initial = particle_initial}};
    double left = speed;
    r.sys.H = (sb_pattern){3, 3, first, row};
    r.sys.inertia = (sb_inertia){.M = r.sys.H, .mass = particle_mass};
    r.sys.force = (sb_force){.value = particle_force};
    r.sys.contact = (sb_contact){.m = 1,
                                 .k = 2,
                                 .N = {3, 1, first, row + 2},
                                 .D = {3, 2, first, row},
                                 .gap = particle_gap,
                                 .slip = particle_slip,
                                 .of = of,
                                 .mu = mu,
                                 .with = with};
    gsl_test(sb_system_finish(&f->ctx, &f->arena, "a particle on a plane", &r.sys) != SB_OK, "the particle builds: %s",
             f->ctx.message);
    contact_bind(&r, f, stepper, h);
    for (int k = 1; k <= 25 && contact_step(&r); k++) {
        const double bound = mu[0] * mass * gravity, friction = hypot(r.now.lambda[1], r.now.lambda[2]);
        left = fmax(0.0, left - mu[0] * gravity * h);
        gsl_test(!(hypot(r.now.v[0] - left / speed * 0.3, r.now.v[1] + left / speed * 1.2) <= 1e-14),
                 "%s, step %d: %.15g, %.15g, not %.15g along the first direction", stepper, k, r.now.v[0], r.now.v[1],
                 left);
        gsl_test(!(left > 0.0 ? fabs(friction - bound) <= 1e-12 : friction <= bound),
                 "%s, step %d: the friction is %.15g, the bound %.15g", stepper, k, friction, bound);
    }
    gsl_test(left != 0.0, "the particle stops");
}

static void contacts(void) {
    fixture f;
    fixture_open(&f);
    sinks(&f, "soft_step", 1.5707963267948966, 10.0);
    sinks(&f, "soft_step:rate=0.6,contact_zeta=0.5,sweeps=2,relax=3", 0.6, 0.5);
    rebounds(&f, "soft_step", 0.7, true);
    rebounds(&f, "soft_step:relax=0", 0.7, false);
    rebounds(&f, "soft_step:sweeps=3", 0.0, true);
    slides(&f, "soft_step");
    slides(&f, "soft_step:sweeps=4,relax=2");
    fixture_close(&f);
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
    contacts();
    return gsl_test_summary();
}
