/* reg05 2.8: a box on an incline near the angle of repose, with friction bounded by an estimate of the normal force, by
 * the force of the last step, and by Coulomb's law; friction with two tangents. */
#include "analysis/contact/measures.h"
#include "bench/runner/experiment_tools.h"

enum { STEPPERS = 6, ANGLES = 41 };

static const char *const steppers[STEPPERS] = {
    "reg", "reg:friction=box", "spook:eps=0", "spook:eps=0,friction=box", "moreau", "moreau:friction=box"};
static const double mu = 0.5, g = 9.81, h = 0.01, t_end = 1.0;

/* Measures the speed after 1 s. */
static int speed(sb_bench *bench, double angle, const char *bound, const char *stepper, double *out) {
    sb_path path;
    const char *problem = sb_bench_format(bench, "block_incline:mu=%.17g,angle=%.17g,bound=%s", mu, angle, bound);
    const long steps = lround(t_end / h);
    SB_TRY(sb_bench_path(bench, problem, stepper, h, steps, steps, &path));
    *out = path.failure == NULL ? path.v[(path.count - 1) * path.n] : NAN;
    return SB_OK;
}

/* Finds the angle at which the box begins to slide, to 1e-9 rad. A box at rest has a speed of at most the round-off of
 * g h; a box that slides has the speed g t times the excess over the angle. */
static int onset(sb_bench *bench, const char *bound, const char *stepper, double *out) {
    double holds = 0.9 * atan(mu), slides = 1.2 * atan(mu);
    while (slides - holds > 1e-9) {
        const double middle = 0.5 * (holds + slides);
        double v;
        SB_TRY(speed(bench, middle, bound, stepper, &v));
        *(v > 1e-9 ? &slides : &holds) = middle;
    }
    *out = slides;
    return SB_OK;
}

/* Measures how far friction exceeds the cone of the normal force of the same step, over the largest normal force, for
 * the rod on its tip, whose normal force varies. */
static int cone(sb_bench *bench, const char *stepper, double *out) {
    sb_system sys;
    sb_pair pair;
    sb_complementarity x;
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, "painleve_rod:mu=0.5", 0, NULL, &sys));
    SB_TRY(sb_pair_build(bench->ctx, &bench->arena, &sys, stepper, &pair));
    SB_TRY(sb_complementarity_measure(bench->ctx, &bench->arena, &pair, 1e-3, 1000, &x));
    *out = x.cone / x.normal;
    return SB_OK;
}

/* ---- Two tangents: a mass of 1 kg on a plane, and friction in a box, |beta_x|, |beta_y| <= mu nu. ---- */

typedef struct puck {
    double force[2], velocity[2];
} puck;

static int mass(const void *self, const double *q, double *Mx) {
    Mx[0] = Mx[1] = Mx[2] = 1.0;
    return SB_OK;
}

static int potential(const void *self, double t, const double *q, double *V) {
    const puck *p = self;
    *V = g * q[2] - p->force[0] * q[0] - p->force[1] * q[1];
    return SB_OK;
}

static int potential_gradient(const void *self, double t, const double *q, double *Vq) {
    const puck *p = self;
    Vq[0] = -p->force[0];
    Vq[1] = -p->force[1];
    Vq[2] = g;
    return SB_OK;
}

static int gap(const void *self, const double *q, double *xi, double *Nx) {
    if (xi != NULL) {
        xi[0] = q[2];
    }
    if (Nx != NULL) {
        Nx[0] = 1.0;
    }
    return SB_OK;
}

static int slip(const void *self, double t, const double *q, double *Dx, double *w) {
    for (int j = 0; j < 2; j++) {
        if (Dx != NULL) {
            Dx[j] = 1.0;
        }
        if (w != NULL) {
            w[j] = 0.0;
        }
    }
    return SB_OK;
}

static int initial(const void *self, double *t, double *q, double *v) {
    const puck *p = self;
    *t = q[0] = q[1] = q[2] = v[2] = 0.0;
    v[0] = p->velocity[0];
    v[1] = p->velocity[1];
    return SB_OK;
}

static int build(sb_context *ctx, sb_arena *arena, const puck *p, sb_system *sys) {
    static const int row[3] = {2, 0, 1}, col[3] = {0, 0, 1}, of[2] = {0, 0};
    static const double both[2] = {0.5, 0.5};
    *sys = (sb_system){.n = 3, .time_scale = 1.0, .self = p, .initial = initial};
    SB_TRY(sb_pattern_diagonal(arena, 3, &sys->H));
    sys->inertia = (sb_inertia){.self = p, .M = sys->H, .mass = mass};
    sys->potential = (sb_potential){.self = p, .degree = 1, .value = potential, .gradient = potential_gradient};
    sys->contact = (sb_contact){.self = p, .m = 1, .k = 2, .gap = gap, .slip = slip, .of = of, .mu = both};
    SB_TRY(sb_pattern_from_pairs(arena, 3, 1, 1, row, col, &sys->contact.N));
    SB_TRY(sb_pattern_from_pairs(arena, 3, 2, 2, row + 1, col + 1, &sys->contact.D));
    return sb_system_finish(ctx, arena, "puck", sys);
}

/* Computes the horizontal velocity after `steps` steps of the regularized stepper. */
static int velocity_after(sb_bench *bench, const puck *p, int steps, double v[2]) {
    sb_system sys;
    sb_method me = {0};
    sb_orbit orbit;
    SB_SCRATCH(scratch, bench->ctx);
    SB_TRY(build(bench->ctx, &scratch, p, &sys));
    SB_TRY(sb_bench_orbit(bench->ctx, &scratch, &sys, "reg:start=full", h, &me, &orbit));
    SB_TRY(sb_orbit_advance(&orbit, h, steps));
    v[0] = orbit.now.v[0];
    v[1] = orbit.now.v[1];
    return SB_OK;
}

/* Measures the largest horizontal force in the direction `angle` (rad) at which the mass stays at rest, over mu m g, by
 * bisection to 1e-8. Friction is iterated: the bounds are those of the normal force of the same step. */
static int holding_force(sb_bench *bench, double angle, double *out) {
    double holds = 0.5, slides = 2.0;
    while (slides - holds > 1e-8) {
        const double middle = 0.5 * (holds + slides), size = middle * mu * g;
        const puck p = {.force = {size * cos(angle), size * sin(angle)}};
        double v[2];
        SB_TRY(velocity_after(bench, &p, 10, v));
        /* After ten steps an excess of 1e-8 is a speed of 5e-9 m/s; round-off is below 1e-10 m/s. */
        *(hypot(v[0], v[1]) > 1e-9 ? &slides : &holds) = middle;
    }
    *out = slides;
    return SB_OK;
}

/* Measures the angle (rad) between the friction force and the direction opposite to the slip, for a slip in the
 * direction `angle` (rad). */
static int friction_angle(sb_bench *bench, double angle, double *out) {
    const puck p = {.velocity = {cos(angle), sin(angle)}};
    double v[2];
    SB_TRY(velocity_after(bench, &p, 1, v));
    *out = fabs(atan2(p.velocity[1] - v[1], p.velocity[0] - v[0]) - angle);
    return SB_OK;
}

/* ---- Records. ---- */

static int record_bounds(sb_bench *bench) {
    double estimated, adjusted = 0.0;
    SB_TRY(onset(bench, "weight", "reg", &estimated));
    for (int s = 1; s < STEPPERS; s += 2) {
        double found;
        SB_TRY(onset(bench, "normal", steppers[s], &found));
        adjusted = sb_larger(adjusted, fabs(found - atan(mu)));
    }
    SB_TRY(sb_bench_measure(bench, "reg05-box/weight", estimated - atan(mu), 0.0));
    return sb_bench_measure(bench, "reg05-box/last-step", adjusted, 0.0);
}

static int record_anisotropy(sb_bench *bench, double *ratio) {
    double along, across, off;
    SB_TRY(holding_force(bench, 0.0, &along));
    SB_TRY(holding_force(bench, M_PI / 4.0, &across));
    SB_TRY(friction_angle(bench, M_PI / 8.0, &off));
    *ratio = across / along;
    SB_TRY(sb_bench_measure(bench, "reg05-anisotropy/force", *ratio, 0.0));
    return sb_bench_measure(bench, "reg05-anisotropy/angle", off * 180.0 / M_PI, 0.0);
}

static int record_iterated(sb_bench *bench, double ratio) {
    double box, iterated = 0.0;
    SB_TRY(cone(bench, "reg:friction=box", &box));
    for (int s = 0; s < STEPPERS; s += 2) {
        double x;
        SB_TRY(cone(bench, steppers[s], &x));
        iterated = sb_larger(iterated, x);
    }
    SB_TRY(sb_bench_measure(bench, "reg05-iterated/rod", iterated, 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-iterated/rod-last-step", box, 0.0));
    return sb_bench_measure(bench, "reg05-iterated/two", ratio, 0.0);
}

SB_DEFINE_EXPERIMENT(reg05_friction) {
    sb_table table;
    double ratio;
    SB_TRY(sb_bench_table(bench, "reg05_friction", &table));
    for (int i = 0; i < ANGLES; i++) {
        const double part = 0.7 + 0.015 * i, angle = part * atan(mu);
        const double exact = g * fmax(0.0, sin(angle) - mu * cos(angle)) * t_end,
                     law = g * fmax(0.0, sin(angle) - mu) * t_end;
        double estimate, off = 0.0, v[STEPPERS];
        SB_TRY(speed(bench, angle, "weight", "reg", &estimate));
        for (int s = 0; s < STEPPERS; s++) {
            SB_TRY(speed(bench, angle, "normal", steppers[s], &v[s]));
            off = sb_larger(off, s % 2 == 0 ? fabs(v[s] - exact) : 0.0);
        }
        SB_TRY(SB_NUMBERS(&table, part, exact, estimate, law, v[0], v[1], v[2], v[3], v[4], v[5], off));
    }
    SB_TRY(sb_bench_save(bench, &table, "reg05_friction.csv"));
    SB_TRY(record_bounds(bench));
    SB_TRY(record_anisotropy(bench, &ratio));
    return record_iterated(bench, ratio);
}
