/* Checks masses, inertia, gravity and start of an engine by energy and positions at the start and after 0.1 s. */
#include "bench/peers/check.h"

#include <math.h>
#include <stdio.h>

#include "bench/peers/reference.h"

enum { SQUARES = 3 };

static const double end = 0.1; /* s: the mechanisms have fallen by 3 to 8 cm */

static bool is_single(const contender *who) { return who->peer->precision[0] == 's'; }

/* In single precision the round-off per step is at most half an ulp of a position of 3 m, 1.2e-7 m. Fewer steps keep it
 * below the error of the method. */
static long steps_of(const contender *who) { return is_single(who) ? 1000 : 5000; }
static double roundoff_of(const contender *who) { return is_single(who) ? 1.2e-7 * (double)steps_of(who) : 1e-9; }

/* Returns the largest distance of centres of bodies, with *speed the largest speed in `b`. */
static double distance(const mechanism *m, const peer_body *a, const peer_body *b, double *speed) {
    double most = 0.0;
    *speed = 0.0;
    for (int i = 0; i < m->world.nbodies; i++) {
        const double d = hypot(a[i].x - b[i].x, a[i].y - b[i].y);
        most = d <= most ? most : d;
        *speed = fmax(*speed, hypot(b[i].vx, b[i].vy));
    }
    return most;
}

static int compare(sb_context *ctx, const contest *run, const peer_body *body, const peer_body *exact,
                   const char *when) {
    const contender *who = run->who;
    const mechanism *m = run->on;
    double speed;
    const double d = distance(m, body, exact, &speed), roundoff = roundoff_of(who);
    /* Twice the error of symplectic Euler after a motion from rest with constant acceleration, h v/2. */
    const double tolerance = run->h * speed + roundoff;
    /* The potential energy is off by the weight times the error of the position, the kinetic energy by the momentum
     * times the error of the velocity, 2 tolerance/end. */
    const double change = fabs(mechanism_energy(m, body) - mechanism_energy(m, exact)) / m->energy;
    const double allowed = tolerance / m->length * (1.0 + 2.0 * speed / (end * m->world.g));
    printf("%-14s %-10s %-9s %s: position off by %.1e m of %.1e m, energy by %.1e of %.1e\n", who->engine,
           who->settings, m->problem, when, d, tolerance, change, allowed);
    if (!(d <= tolerance) || !(change <= allowed)) {
        return sb_fail(ctx, SB_INCONSISTENT,
                       "%s (%s) does not move %s as the exact motion does: %s positions differ by %g m (allowed %g) "
                       "and energies by %g (allowed %g)",
                       who->engine, who->settings, m->problem, when, d, tolerance, change, allowed);
    }
    return SB_OK;
}

int check_physics(sb_context *ctx, const contender *who, const char *problem) {
    SB_SCRATCH(arena, ctx);
    mechanism m;
    contest run;
    reference exact;
    peer_body *body;
    SB_TRY(mechanism_new(ctx, &arena, problem, SQUARES, &m));
    SB_NEW(&arena, body, m.world.nbodies);
    SB_TRY(reference_new(ctx, &arena, &m, end, 1, 1e-9, &exact));
    SB_TRY(contest_open(ctx, &arena, &m, who, end / (double)steps_of(who), &run));
    SB_TRY(contest_read(&run, body));
    SB_TRY(compare(ctx, &run, body, m.world.body, "at the start"));
    for (long k = 0; k < steps_of(who); k++) {
        SB_TRY(contest_step(&run));
    }
    SB_TRY(contest_read(&run, body));
    return compare(ctx, &run, body, exact.last, "after 0.1 s");
}
