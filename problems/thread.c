/* A thread: n particles on massless rigid links, hanging by one end or between two fixed ends. transv18. */
#include <stepbench/numerics/lapack.h>

#include "problems/shared/catenary.h"
#include "problems/shared/constant_terms.h"
#include "problems/shared/links.h"
#include "problems/shared/start.h"
#include "problems/shared/world.h"

typedef struct config {
    long n, dim;
    sb_scalar m, l, g, end_mass;
    sb_reals masses;
    sb_scalar angle, span, kick;
    int constraint;
} config;

/* The last coordinate of a particle points up. */
typedef struct thread {
    config c;
    links links;
    int n, dim;
    sb_scalar *m; /* of each particle */
    sb_scalar *q0, *v0;
} thread;

enum { KICK_MAX = 1000 };

static const sb_output output_list[] = {{"end_x", "m", "x of the last particle", false},
                                        {"end_up", "m", "height of the last particle over the origin", false}};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const thread *p = self;
    const sb_scalar *x = q + p->dim * (p->n - 1);
    out[0] = x[0];
    out[1] = x[p->dim - 1];
    return SB_OK;
}

/* ---- The state at rest. ---- */

static void set_hanging(thread *p, sb_scalar *tension) {
    sb_scalar load = 0.0;
    for (int a = 0; a < p->n; a++) {
        sb_scalar *x = p->q0 + p->dim * a;
        x[0] = (a + 1) * p->c.l * sin(p->c.angle);
        x[p->dim - 1] = -(a + 1) * p->c.l * cos(p->c.angle);
    }
    for (int k = p->n - 1; k >= 0; k--) {
        load += p->m[k] * p->c.g;
        tension[k] = load * cos(p->c.angle);
    }
}

/* Sets the catenary in the plane of x and the vertical, rotated about the line between its ends. */
static int set_catenary(sb_context *ctx, sb_arena *scratch, thread *p, sb_scalar *tension) {
    sb_scalar *weight, x = 0.0, y = 0.0;
    catenary cat = {.links = p->links.count, .l = p->c.l, .distance = p->links.far[0]};
    SB_NEW(scratch, weight, p->n);
    SB_NEW(scratch, cat.vertical, p->links.count);
    for (int a = 0; a < p->n; a++) {
        weight[a] = p->m[a] * p->c.g;
    }
    cat.weight = weight;
    if (!catenary_solve(&cat)) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "thread: with span=%g the ends are %g m apart and no equilibrium keeps all %d links of %g m "
                       "taut; increase span",
                       (double)p->c.span, (double)p->links.far[0], p->links.count, (double)p->c.l);
    }
    for (int k = 0; k < p->links.count; k++) {
        tension[k] = hypot(cat.horizontal, cat.vertical[k]);
        x += p->c.l * cat.horizontal / tension[k];
        y += p->c.l * cat.vertical[k] / tension[k];
        if (k < p->n) {
            p->q0[p->dim * k] = x;
            p->q0[p->dim * k + 1] = y * (p->dim == 3 ? sin(p->c.angle) : 1.0);
            p->q0[p->dim * k + p->dim - 1] = y * cos(p->c.angle);
        }
    }
    return SB_OK;
}

/* ---- The initial velocity: the fastest mode, an eigenvector of M^-1/2 K M^-1/2 on the orthogonal complement of
 * M^-1/2 G. ---- */

static void scaled_matrices(const thread *p, const sb_scalar *tension, sb_scalar *A, sb_scalar *K) {
    const int N = p->n * p->dim;
    sb_scalar e[LINKS_DIM_MAX];
    for (int k = 0; k < p->links.count; k++) {
        const sb_scalar r = links_direction(&p->links, p->q0, k, e);
        for (int a = k - 1; a <= k; a++) {
            if (a < 0 || a >= p->n) {
                continue;
            }
            for (int i = 0; i < p->dim; i++) {
                A[(size_t)k * (size_t)N + (size_t)(p->dim * a + i)] = (a == k ? e[i] : -e[i]) / sqrt(p->m[a]);
            }
            for (int b = k - 1; b <= k; b++) {
                const sb_scalar scale =
                    b < 0 || b >= p->n ? 0.0 : (a == b ? -1.0 : 1.0) * tension[k] / (r * sqrt(p->m[a] * p->m[b]));
                for (int j = 0; j < p->dim && scale != 0.0; j++) {
                    for (int i = 0; i < p->dim; i++) {
                        K[(size_t)(p->dim * b + j) * (size_t)N + (size_t)(p->dim * a + i)] +=
                            scale * ((i == j ? 1.0 : 0.0) - e[i] * e[j]);
                    }
                }
            }
        }
    }
}

/* Sets v0 to the velocity of the fastest mode in its equilibrium position, with the amplitude c.kick. */
static int set_mode_velocity(sb_context *ctx, sb_arena *scratch, thread *p, const sb_scalar *tension) {
    const int N = p->n * p->dim, d = N - p->links.count;
    sb_scalar *A, *K, *tau, *w, *y;
    int found = 0, support[2];
    SB_NEW(scratch, A, (size_t)N * (size_t)p->links.count);
    SB_NEW(scratch, K, (size_t)N * (size_t)N);
    SB_TRY(SB_VECTORS(scratch, N, &tau, &w, &y));
    scaled_matrices(p, tension, A, K);
    lapack_int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, N, p->links.count, A, N, tau);
    info = info != 0 ? info : LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'T', N, N, p->links.count, A, N, tau, K, N);
    info = info != 0 ? info : LAPACKE_dormqr(LAPACK_COL_MAJOR, 'R', 'N', N, N, p->links.count, A, N, tau, K, N);
    /* The most negative eigenvalue is the fastest mode. */
    info = info != 0 ? info
                     : LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'I', 'U', d, K + (size_t)p->links.count * (size_t)(N + 1),
                                      N, 0.0, 0.0, 1, 1, 0.0, &found, w, y + p->links.count, N, support);
    info = info != 0 ? info : LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', N, 1, p->links.count, A, N, tau, y, N);
    if (info != 0 || found != 1) {
        return sb_lapack_fail(ctx, info, SB_NOT_CONVERGED, "thread: the eigenvalues that kick=%g needs were not found",
                              (double)p->c.kick);
    }
    sb_scalar largest = 0.0;
    for (int i = 0; i < N; i++) {
        y[i] /= sqrt(p->m[i / p->dim]);
        largest = fabs(y[i]) > fabs(largest) ? y[i] : largest;
    }
    for (int i = 0; i < N; i++) {
        p->v0[i] = p->c.kick * sqrt(fmax(-w[0], 0.0)) / largest * y[i];
    }
    return SB_OK;
}

static int set_rest(sb_context *ctx, sb_arena *scratch, thread *p, sb_system *out) {
    sb_scalar *tension, most = 0.0, least = p->m[0];
    SB_NEW(scratch, tension, p->links.count);
    if (p->links.count > p->n) {
        SB_TRY(set_catenary(ctx, scratch, p, tension));
    } else {
        set_hanging(p, tension);
    }
    for (int k = 0; k < p->links.count; k++) {
        most = fmax(most, fabs(tension[k]));
    }
    for (int a = 0; a < p->n; a++) {
        least = fmin(least, p->m[a]);
        most += p->links.count > p->n
                    ? 0.0
                    : 2.0 * p->m[a] * p->c.g * (1.0 - cos(p->c.angle)); /* for the swing down from the initial angle */
    }
    /* A particle between two taut links has omega^2 <= 4 T/(m l). */
    out->time_scale = most > 0.0 ? 0.5 * sqrt(least * p->c.l / most) : 1.0;
    return p->c.kick == 0.0 ? SB_OK : set_mode_velocity(ctx, scratch, p, tension);
}

/* ---- The world: the far end is a point of the ground. ---- */

static int describe(const void *self, sb_arena *arena, sb_world_parts *out) {
    const thread *p = self;
    SB_TRY(world_new(arena, p->n, p->links.count, out));
    out->gravity[p->dim - 1] = -p->c.g;
    for (int a = 0; a < p->n; a++) {
        SB_TRY(world_add_body(arena, out, "particle", p->m[a], 0.0));
    }
    for (int k = 0; k < p->links.count; k++) {
        const bool last = k == p->n;
        world_add_joint(out, SB_DISTANCE, k - 1, 0.0, 0.0, last ? SB_GROUND : k, last ? p->links.far[0] : 0.0, 0.0)
            ->length = p->c.l;
    }
    return SB_OK;
}

static int place(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *pose, sb_scalar *twist) {
    const thread *p = self;
    return world_particles_place(p->n, p->dim, q, v, pose, twist);
}

static int coordinates(const void *self, const sb_scalar *pose, const sb_scalar *twist, sb_scalar *q, sb_scalar *v) {
    const thread *p = self;
    return world_particles_coordinates(p->n, p->dim, pose, twist, q, v);
}

/* ---- Set-up. ---- */

static int check(sb_context *ctx, const config *c) {
    if (c->masses.n > 0 && c->masses.n != c->n) {
        return sb_fail(ctx, SB_BAD_USAGE, "thread: masses has %d numbers, but n=%ld particles need one each",
                       c->masses.n, c->n);
    }
    if (c->masses.n > 0 && (c->m != 1.0 || c->end_mass != 1.0)) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "thread: masses=[...] gives every mass, so that %s=%g is not used; give one or the other",
                       c->m != 1.0 ? "m" : "end_mass", (double)(c->m != 1.0 ? c->m : c->end_mass));
    }
    if (c->span > 0.0 && c->g == 0.0) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "thread: without gravity (g=0) a thread between two ends has no shape; use g > 0 or span=0");
    }
    if (c->span > 0.0 && c->dim == 2 && c->angle != 0.0) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "thread: between two fixed ends angle=%g turns the thread out of the plane; that takes dim=3",
                       (double)c->angle);
    }
    if (c->kick != 0.0 && c->n * c->dim > KICK_MAX) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "thread: kick=%g needs the top mode of %ld coordinates; that is found for at most %d",
                       (double)c->kick, c->n * c->dim, KICK_MAX);
    }
    return SB_OK;
}

static int set_masses_and_gravity(sb_arena *arena, const thread *p, sb_system *out) {
    sb_scalar *m, *up;
    SB_TRY(SB_VECTORS(arena, out->n, &m, &up));
    for (int i = 0; i < out->n; i++) {
        m[i] = p->m[i / p->dim];
        up[i] = i % p->dim == p->dim - 1 ? m[i] : 0.0;
    }
    SB_TRY(set_masses(arena, out->n, m, &out->inertia));
    return set_gravity(arena, out->n, p->c.g, up, &out->potential);
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    thread *p;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    SB_TRY(check(ctx, &p->c));
    p->n = (int)p->c.n;
    p->dim = (int)p->c.dim;
    p->links = (links){.n = p->n,
                       .dim = p->dim,
                       .count = p->c.span > 0.0 ? p->n + 1 : p->n,
                       .l = p->c.l,
                       .form = (links_form)p->c.constraint};
    p->links.far[0] = p->c.span * p->links.count * p->c.l;
    SB_NEW(arena, p->m, p->n);
    SB_TRY(SB_VECTORS(arena, p->n * p->dim, &p->q0, &p->v0));
    for (int a = 0; a < p->n; a++) {
        p->m[a] = p->c.masses.n > 0 ? p->c.masses.x[a] : a == p->n - 1 ? p->c.end_mass : p->c.m;
    }
    out->n = p->n * p->dim;
    SB_TRY(set_masses_and_gravity(arena, p, out));
    if (p->dim == 3 && p->links.count == p->n) {
        SB_TRY(set_rotation(arena, p->n, 3, out));
    }
    out->outputs = (sb_outputs){p, 2, output_list, outputs};
    SB_TRY(world_offer(arena,
                       (sb_world){.self = p,
                                  .dimension = p->dim,
                                  .bodies = p->n,
                                  .describe = describe,
                                  .place = place,
                                  .coordinates = coordinates},
                       out));
    sb_pattern G;
    SB_SCRATCH(scratch, ctx);
    SB_TRY(links_patterns(arena, &scratch, &p->links, &G));
    out->H = p->links.H;
    out->holonomic = links_holonomic(&p->links, G);
    SB_TRY(set_rest(ctx, &scratch, p, out));
    return set_start(arena, p->q0, p->v0, out);
}

static const sb_param params[] = {
    SB_PARAM_INT(config, n, "3", 1.0, 1e6, "particles"),
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass of a particle"),
    SB_PARAM_POSITIVE(config, l, "1", "m", "length of a link"),
    SB_PARAM_NOT_NEGATIVE(config, g, "9.81", "m/s^2", "gravity, down the last coordinate"),
    SB_PARAM_POSITIVE(config, end_mass, "1", "kg", "mass of the last particle"),
    {"masses", SB_REALS, offsetof(config, masses), "", 0.0, INFINITY, SB_OPEN, NULL, "kg",
     "mass of each particle, n numbers; empty: m, the last end_mass"},
    SB_PARAM_ANY(
        config, angle, "0", "rad",
        "the whole thread turned from the vertical at the start: towards +x when it hangs by one end, about the line "
        "between its ends when by both"),
    SB_PARAM_REAL(config, span, "0", 0.0, 1.0, SB_OPEN_HI, "",
                  "0: n links, hanging by one end; else n + 1 links between two ends of equal height, this fraction of "
                  "the thread's "
                  "length apart"),
    SB_PARAM_INT(config, dim, "2", 2.0, 3.0, "dimension of space; the last coordinate points up"),
    SB_PARAM_ANY(config, kick, "0", "m",
                 "amplitude of the fastest mode at the start, of the particle it moves most; given as velocity"),
    SB_PARAM_CHOICE(config, constraint, "norm", "norm|square",
                    "a link x as |x| - l, or as (x.x - l^2)/2, which is quadratic: some steppers take no other"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(thread) = {
    .entry = {"thread", "particles on massless rigid links: a thread that hangs by one end, or a catenary", "transv18",
              params, sizeof(config)},
    .init = init,
};
