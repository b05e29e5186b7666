/* reg05 2.8 with two tangents: a mass of 1 kg on a plane, mu = 0.5, and friction in a box, |beta_x|, |beta_y| <= mu nu.
 */
#include "bench/experiments/reg05/reg05_puck.h"

#include <math.h>

#include "bench/runner/trajectory.h"

static const double g = 9.81, h = 0.01;
static const double mu[2] = {0.5, 0.5};
static const int of[2] = {0, 0};

typedef struct puck {
    double force[2], velocity[2];
} puck;

static int mass(const void *self, const double *q, double *Mx) {
    Mx[0] = Mx[1] = Mx[2] = 1.0;
    return SB_OK;
}

static int potential(const void *self, const double *q, double *V) {
    const puck *p = self;
    *V = g * q[2] - p->force[0] * q[0] - p->force[1] * q[1];
    return SB_OK;
}

static int potential_gradient(const void *self, const double *q, double *Vq) {
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
    static const int row[3] = {2, 0, 1}, col[3] = {0, 0, 1};
    *sys = (sb_system){.n = 3, .time_scale = 1.0, .self = p, .initial = initial};
    SB_TRY(sb_pattern_diagonal(arena, 3, &sys->H));
    sys->inertia = (sb_inertia){.self = p, .M = sys->H, .mass = mass};
    sys->potential = (sb_potential){.self = p, .degree = 1, .value = potential, .gradient = potential_gradient};
    sys->contact = (sb_contact){.self = p, .m = 1, .k = 2, .gap = gap, .slip = slip, .of = of, .mu = mu};
    SB_TRY(sb_pattern_from_pairs(arena, 3, 1, 1, row, col, &sys->contact.N));
    SB_TRY(sb_pattern_from_pairs(arena, 3, 2, 2, row + 1, col + 1, &sys->contact.D));
    return sb_system_finish(ctx, arena, "puck", sys);
}

/* The horizontal velocity after `steps` steps by the regularized stepper. */
static int velocity(sb_bench *bench, const puck *p, int steps, double v[2]) {
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

int sb_reg05_holding_force(sb_bench *bench, double angle, double *out) {
    double holds = 0.5, slides = 2.0;
    while (slides - holds > 1e-8) {
        const double middle = 0.5 * (holds + slides), size = middle * mu[0] * g;
        const puck p = {.force = {size * cos(angle), size * sin(angle)}};
        double v[2];
        SB_TRY(velocity(bench, &p, 10, v));
        /* Ten steps give an excess of 1e-8 a speed of 5e-9 m/s; round-off leaves less than 1e-10 m/s. */
        *(hypot(v[0], v[1]) > 1e-9 ? &slides : &holds) = middle;
    }
    *out = slides;
    return SB_OK;
}

int sb_reg05_friction_angle(sb_bench *bench, double angle, double *out) {
    const puck p = {.velocity = {cos(angle), sin(angle)}};
    double v[2];
    SB_TRY(velocity(bench, &p, 1, v));
    *out = fabs(atan2(p.velocity[1] - v[1], p.velocity[0] - v[0]) - angle);
    return SB_OK;
}
