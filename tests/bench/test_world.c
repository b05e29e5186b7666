/* Worlds: the description in maximal coordinates has the masses, the energies and the accelerations of the problem, and
 * the way to poses and twists and back is the identity on the constraints. */
#include <float.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/quaternion.h>

#include "bench/engine/world.h"
#include "core/run/run.h"
#include "tests/problems/systems.h"

enum { N = 64 };

typedef struct motion {
    sb_system sys;
    sb_dynamics dyn;
    sb_scalar t, q[N], v[N], a[N];
} motion;

static void begin(fixture *f, const char *spec, motion *m) {
    fixture_build(f, spec, NULL, &m->sys);
    int status =
        sb_dynamics_init(&f->ctx, &f->arena, &m->sys, &m->dyn) | m->sys.initial(m->sys.self, &m->t, m->q, m->v);
    gsl_test(status != SB_OK || m->sys.n > N || m->sys.world == NULL, "%s: begins (%s)", spec, f->ctx.message);
}

/* Moves to a state without the symmetries of the start. */
static void move(fixture *f, const char *spec, motion *m) {
    sb_method method;
    sb_state x, y;
    int status = sb_method_build(&f->ctx, &f->arena, "radau_iia", &m->sys, &method);
    status = status == SB_OK ? sb_state_new(&method, &f->arena, &x) | sb_state_new(&method, &f->arena, &y) : status;
    status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, 0.1 * m->sys.time_scale, &x) : status;
    for (int k = 0; k < 7 && status == SB_OK; k++) {
        status = sb_method_step(&method, &x, 0.1 * m->sys.time_scale, &y);
        sb_state_copy(&method, &y, &x);
    }
    if (status == SB_OK) {
        m->t = x.t;
        memcpy(m->q, x.q, (size_t)m->sys.n * sizeof *x.q);
        status = sb_dynamics_position(&m->dyn, x.t, m->q);
        status = status == SB_OK ? sb_dynamics_momentum(&m->dyn, m->q, x.v, m->a) : status;
        status = status == SB_OK ? sb_dynamics_velocity(&m->dyn, x.t, m->q, m->a, m->v, NULL) : status;
    }
    gsl_test(status != SB_OK, "%s: moves (%s)", spec, f->ctx.message);
}

/* Sets the rates of the twists, by central differences along the motion, whose error is a third derivative times
 * step^2/6. */
static void twist_rates(motion *m, sb_scalar *rate) {
    const sb_world *w = m->sys.world;
    const sb_scalar step = 1e-5 * m->sys.time_scale;
    sb_scalar pose[N], twist[2][N], q[N], v[N];
    for (int side = 0; side < 2; side++) {
        const sb_scalar s = side == 0 ? -step : step;
        for (int i = 0; i < m->sys.n; i++) {
            q[i] = m->q[i] + s * (m->v[i] + 0.5 * s * m->a[i]);
            v[i] = m->v[i] + s * m->a[i];
        }
        w->place(w->self, q, v, pose, twist[side]);
    }
    for (int i = 0; i < w->bodies * sb_world_twist(w); i++) {
        rate[i] = (twist[1][i] - twist[0][i]) / (2.0 * step);
    }
}

/* The kinetic energy of the bodies is that of the system. */
static void test_energy(const char *spec, motion *m, const sb_world_start *start) {
    const int size = sb_world_twist(start->world), dimension = start->world->dimension;
    sb_scalar sum = 0.0, T;
    gsl_test(sb_dynamics_energy(&m->dyn, m->t, m->q, m->v, &T, NULL) != SB_OK, "%s: T", spec);
    for (int b = 0; b < start->parts.bodies; b++) {
        const sb_world_body *body = &start->parts.body[b];
        const sb_scalar *u = start->twist + size * b;
        sb_scalar w[3] = {0.0, 0.0, u[2]};
        if (dimension == 3) {
            const sb_scalar *e = start->pose + SB_POSE_MAX * b + 3, back[4] = {e[0], -e[1], -e[2], -e[3]};
            sb_quaternion_rotate(back, back, u + 3, w);
        }
        for (int k = 0; k < 3; k++) {
            sum += 0.5 * body->inertia[k] * w[k] * w[k] + (k < dimension ? 0.5 * body->mass * u[k] * u[k] : 0.0);
        }
    }
    /* Some ten terms, each with the round-off of a few products. */
    gsl_test(!(fabs(sum - T) <= 1e-12 * T), "%s: kinetic energy (%.17g, %.17g)", spec, sum, T);
}

static void test_back(const char *spec, const motion *m, const sb_world_start *start) {
    sb_scalar q[N], v[N];
    gsl_test(start->world->coordinates(start->world->self, start->pose, start->twist, q, v) != SB_OK, "%s: back", spec);
    for (int i = 0; i < m->sys.n; i++) {
        /* what is left of g and G v after the projection, which poses do not have: angles and lengths */
        gsl_test(!(fabs(q[i] - m->q[i]) <= 1e-11 * (1.0 + fabs(m->q[i])) &&
                   fabs(v[i] - m->v[i]) <= 1e-9 * (1.0 + fabs(m->v[i]))),
                 "%s: coordinate %d comes back (%.17g, %.17g; %.17g, %.17g)", spec, i, q[i], m->q[i], v[i], m->v[i]);
    }
}

/* The problem `mechanism`, whose equations are others, reads the description and has the same accelerations. */
static void test_accelerations(fixture *f, const char *spec, motion *m, const sb_world_start *start) {
    char file[200], other[300];
    motion n;
    sb_scalar ours[N], theirs[N], largest = 0.0;
    snprintf(file, sizeof file, "test_world_%ld.json", (long)getpid());
    snprintf(other, sizeof other, "mechanism:file=%s", file);
    FILE *to = fopen(file, "w");
    sb_world_write_json(start, true, to);
    gsl_test(fclose(to) != 0, "%s: written", spec);
    begin(f, other, &n);
    remove(file);
    int status = sb_dynamics_acceleration(&m->dyn, m->t, m->q, m->v, m->a, NULL) |
                 sb_dynamics_acceleration(&n.dyn, m->t, n.q, n.v, n.a, NULL);
    gsl_test(status != SB_OK, "%s: accelerations (%s)", spec, f->ctx.message);
    twist_rates(m, ours);
    twist_rates(&n, theirs);
    const int count = start->world->bodies * sb_world_twist(start->world);
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(ours[i]));
    }
    for (int i = 0; i < count; i++) {
        /* Differences lose about half of the digits; the start is solved for to some 1e-12. */
        gsl_test(!(fabs(ours[i] - theirs[i]) <= 1e-7 * largest), "%s: acceleration %d (%.12g, %.12g)", spec, i, ours[i],
                 theirs[i]);
    }
}

int main(void) {
    static const char *const particles[] = {"pendulum", "dsp", "thread:n=4,dim=3", "thread:span=0.5,kick=0.1"},
                             *const bodies[] = {"ladder:N=2",
                                                "rod_chain:theta0=1",
                                                "star",
                                                "four_bar",
                                                "slider_crank",
                                                "slider_crank:drive=none,phi0=1",
                                                "slider_crank_3d:offset=0.3",
                                                "bricard:rate=1",
                                                "flyball_governor",
                                                "heavy_top",
                                                "rigid_body",
                                                "mechanism:file=" SB_SOURCE_DIR "/problems/mechanisms/four_bar.json"};
    const size_t few = sizeof particles / sizeof *particles, all = few + sizeof bodies / sizeof *bodies;
    for (size_t k = 0; k < all; k++) {
        const char *spec = k < few ? particles[k] : bodies[k - few];
        fixture f;
        motion m;
        sb_world_start start;
        fixture_open(&f);
        begin(&f, spec, &m);
        move(&f, spec, &m);
        gsl_test(sb_world_start_new(&f.ctx, &f.arena, &m.sys, &start) != SB_OK, "%s: describes", spec);
        start.world->place(start.world->self, m.q, m.v, start.pose, start.twist);
        test_energy(spec, &m, &start);
        test_back(spec, &m, &start);
        if (k >= few) {
            test_accelerations(&f, spec, &m, &start);
        }
        fixture_close(&f);
    }
    return gsl_test_summary();
}
