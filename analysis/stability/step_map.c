/* The step of a method as a map of its whole state: its fixed point at an equilibrium, and its Jacobian there by
 * differences. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/lapack.h>

#include "analysis/equilibrium.h"
#include "analysis/stability/step_map.h"

enum { NEWTON_MAX = 20 };

/* ---- Units. ---- */

/* Returns the largest entry |G_ik|/r_k of constraint i. */
static double slope_of(const sb_step_map *map, const double *Gx, int i) {
    const sb_pattern *G = &map->sys->holonomic.G;
    double most = 0.0;
    for (int k = G->p[i]; k < G->p[i + 1]; k++) {
        most = sb_larger(most, fabs(Gx[k]) * map->scale[G->i[k]]);
    }
    return most;
}

/* Multiplies the units 1/r_k of q by the smallest radius of curvature of a constraint along a coordinate, |G_i| / |d2
 * g_i/dq_k^2| in y_k = r_k q_k: over that length the map is strongly nonlinear. With r_k^2 = M_kk it does not depend on
 * the units of coordinates. Without curved constraints: r_k = 1, and the size of the motion, or 1 if nothing moves. */
static int set_lengths(sb_step_map *map, const double *Gx) {
    const sb_holonomic *hol = &map->sys->holonomic;
    double *e = map->work, *bend = map->work + map->n, length = INFINITY;
    memset(e, 0, (size_t)map->n * sizeof *e);
    for (int k = 0; k < map->n && hol->m > 0; k++) {
        e[k] = map->scale[k];
        SB_TRY(sb_holonomic_curvature(map->sys, map->at.t, map->at.q, e, bend));
        e[k] = 0.0;
        for (int i = 0; i < hol->m; i++) {
            const double slope = slope_of(map, Gx, i);
            if (fabs(bend[i]) > 0.0 && slope > 0.0) {
                length = fmin(length, slope / fabs(bend[i]));
            }
        }
    }
    const bool curved = !isinf(length);
    SB_TRY(curved ? SB_OK : sb_system_length(map->method.ctx, map->sys, &length));
    for (int k = 0; k < map->n; k++) {
        map->scale[k] = (length > 0.0 ? length : 1.0) * (curved ? map->scale[k] : 1.0);
    }
    return SB_OK;
}

/* Sets the units of the entries of x; those of aux are 1 until set_aux_units. */
static int set_units(sb_step_map *map) {
    const sb_system *sys = map->sys;
    const sb_pattern *M = &sys->inertia.M;
    const int n = map->n, m = map->m;
    double *Gx = map->half, *Mx = map->J;
    if (sys->holonomic.m > 0) {
        SB_TRY(sb_holonomic_value(sys, map->at.t, map->at.q, NULL, Gx));
    }
    SB_TRY(sys->inertia.mass(sys->inertia.self, map->at.q, Mx));
    const double mass = sb_norm_max(sb_pattern_nnz(M), Mx);
    for (int k = 0; k < n; k++) {
        const int at = sb_pattern_find(M, k, k);
        map->scale[k] = 1.0 / sqrt(at >= 0 && Mx[at] > 0.0 ? Mx[at] : mass);
    }
    SB_TRY(set_lengths(map, Gx));
    map->least = INFINITY;
    for (int k = 0; k < n; k++) {
        map->scale[n + k] = map->scale[k] / map->h;
        map->least = fmin(map->least, map->scale[k] * fmin(1.0, 1.0 / map->h) * fmin(1.0, mass));
    }
    double work = 0.0; /* of the force that moves a coordinate by its unit in a step */
    for (int k = 0; k < n; k++) {
        const int at = sb_pattern_find(M, k, k);
        work = sb_larger(work, at >= 0 ? Mx[at] * map->scale[k] * map->scale[k] / (map->h * map->h) : 0.0);
    }
    for (int i = 0; i < m; i++) {
        const double slope = i < sys->holonomic.m ? slope_of(map, Gx, i) : 0.0;
        map->scale[2 * n + i] = work / (slope > 0.0 ? slope : sb_norm_max(n, map->scale));
    }
    for (int k = 2 * n + m; k < map->size; k++) {
        map->scale[k] = 1.0;
    }
    return SB_OK;
}

/* ---- The state as a vector. ---- */

static double *entry(const sb_step_map *map, const sb_state *state, int k) {
    const int n = map->n, m = map->m;
    return k < n           ? state->q + k
           : k < 2 * n     ? state->v + (k - n)
           : k < 2 * n + m ? state->lambda + (k - 2 * n)
                           : state->aux + (k - 2 * n - m);
}

/* Adds c step(at + d e_k) to the column. */
static int add_step(sb_step_map *map, int k, double d, double c, double *column) {
    sb_state_copy(&map->method, &map->at, &map->in);
    *entry(map, &map->in, k) += d * map->scale[k];
    SB_TRY(sb_method_step(&map->method, &map->in, map->h, &map->out));
    for (int i = 0; i < map->size; i++) {
        column[i] += map->measured && map->fixed[i] ? 0.0 : c * *entry(map, &map->out, i) / map->scale[i];
    }
    return SB_OK;
}

/* Computes a column by central differences of eighth order: f'(0) = sum_k c_k (f(k d) - f(-k d))/d, k = 1 ... 4. */
static int differentiate(sb_step_map *map, int k, double d, double *column) {
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    memset(column, 0, (size_t)map->size * sizeof *column);
    for (int i = 1; i <= 4 && !map->fixed[k]; i++) {
        SB_TRY(add_step(map, k, i * d, weight[i - 1] / d, column));
        SB_TRY(add_step(map, k, -i * d, -weight[i - 1] / d, column));
    }
    return SB_OK;
}

/* Computes the columns from `begin` to `end` of J with spacing d/2, and of `half` with spacing d. */
static int differentiate_columns(sb_step_map *map, double d, int begin, int end) {
    for (int k = begin; k < end; k++) {
        SB_TRY(differentiate(map, k, d, map->half + (size_t)k * (size_t)map->size));
        SB_TRY(differentiate(map, k, d / 2.0, map->J + (size_t)k * (size_t)map->size));
    }
    return SB_OK;
}

/* Returns the unit of an entry of aux: its largest change by a unit of any entry whose column is known. Returns 0 where
 * that is round-off, as of the low part of a compensated sum: below 1e-9 of the least unit of a position, velocity and
 * momentum, or with two spacings that differ by a thousandth of it. */
static double aux_unit(const sb_step_map *map, int i) {
    double most = 0.0, off = 0.0;
    for (int k = 0; k < map->size; k++) {
        const size_t at = (size_t)k * (size_t)map->size + (size_t)i;
        most = sb_larger(most, fabs(map->J[at]));
        off = sb_larger(off, fabs(map->J[at] - map->half[at]));
    }
    return most > 1e-9 * map->least && off < 1e-3 * most ? most : 0.0;
}

/* Multiplies an entry of aux by c in every column. */
static void scale_row(sb_step_map *map, int i, double c) {
    for (int k = 0; k < map->size; k++) {
        map->J[k * map->size + i] *= c;
        map->half[k * map->size + i] *= c;
    }
}

/* Computes J and `half`, and sets the units of aux: first of the entries that q, v and lambda change in one step, then
 * of those that these entries change, as the older points of a multistep method. An entry that only round-off changes
 * is left out of J, as one that does not change. */
static int measure_aux(sb_step_map *map, double d) {
    const int first = 2 * map->n + map->m;
    bool more = true;
    for (int i = first; i < map->size; i++) {
        map->fixed[i] = true; /* its column is zero */
        map->scale[i] = 1.0;
    }
    SB_TRY(differentiate_columns(map, d, 0, map->size));
    while (more) {
        more = false;
        for (int i = first; i < map->size; i++) {
            const double unit = map->fixed[i] ? aux_unit(map, i) : 0.0;
            map->residual[i] = unit;
            if (unit > 0.0) {
                map->scale[i] = unit;
                scale_row(map, i, 1.0 / unit);
                more = true;
            }
        }
        for (int i = first; i < map->size; i++) {
            if (map->residual[i] > 0.0) {
                map->fixed[i] = false;
                SB_TRY(differentiate_columns(map, d, i, i + 1));
            }
        }
    }
    for (int i = first; i < map->size; i++) {
        if (map->fixed[i]) {
            scale_row(map, i, 0.0);
        }
    }
    map->measured = true;
    return SB_OK;
}

/* Computes J with spacing d/2, and its noise from the difference to that with spacing d. */
static int both_jacobians_at(sb_step_map *map, double d) {
    const size_t count = (size_t)map->size * (size_t)map->size;
    SB_TRY(map->measured ? differentiate_columns(map, d, 0, map->size) : measure_aux(map, d));
    double size = 1.0;
    for (int k = 0; k < map->size; k++) {
        size = sb_larger(size, fabs(*entry(map, &map->at, k)) / map->scale[k]);
    }
    map->noise = DBL_EPSILON / d * size;
    for (size_t i = 0; i < count; i++) {
        map->noise = sb_larger(map->noise, fabs(map->J[i] - map->half[i]));
    }
    return SB_OK;
}

/* Computes J with spacings of 0.004 and 0.002 lengths. If the map has a singularity at a distance of one length, the
 * truncation error of the first is 9!/630 0.004^8 = 4e-17; at a tenth of a length it is 4e-9, and 2e-11 at half the
 * spacing. Round-off is eps/0.002 per unit of x, 1e-13. Far beyond its stability limit a step multiplies a displacement
 * by hundreds, and the constraints may not be solvable there. If the two differ by 1e-8 or more, or the step fails, the
 * spacings are therefore reduced by 10 and by 100, which increases round-off by the same factors. */
static int both_jacobians(sb_step_map *map) {
    int status = SB_NOT_CONVERGED;
    map->noise = INFINITY;
    for (double d = 0.004; d > 3e-5 && (status > 0 || (status == SB_OK && map->noise > 1e-8)); d /= 10.0) {
        status = both_jacobians_at(map, d);
    }
    return status;
}

/* ---- The fixed point. ---- */

/* Adds the least-norm solution of (1 - J) dx = step(x) - x to x, and sets *moved to its norm. Singular values below
 * 1e-10 belong to directions of neutral equilibrium: the noise of J is about 1e-13, and the singular value of a slow
 * mode is (h omega)^2, 1e-10 at h = 1e-5 periods. */
static int correct(sb_step_map *map, double *moved) {
    const int size = map->size;
    double *A = map->half, *singular = map->work;
    SB_TRY(sb_method_step(&map->method, &map->at, map->h, &map->out));
    for (int i = 0; i < size; i++) {
        map->residual[i] = (*entry(map, &map->out, i) - *entry(map, &map->at, i)) / map->scale[i];
        for (int j = 0; j < size; j++) {
            A[j * size + i] = (i == j) - map->J[j * size + i];
        }
    }
    lapack_int rank;
    const lapack_int info =
        LAPACKE_dgelsd(LAPACK_COL_MAJOR, size, size, 1, A, size, map->residual, size, singular, 1e-10, &rank);
    if (info != 0) {
        return sb_lapack_fail(map->method.ctx, info, SB_NOT_CONVERGED,
                              "%s: the iteration for an equilibrium gave numbers that are not finite", map->sys->name);
    }
    *moved = sb_norm_max(size, map->residual);
    for (int i = 0; i < size; i++) {
        *entry(map, &map->at, i) += map->scale[i] * map->residual[i];
    }
    return SB_OK;
}

/* Iterates until a correction is below 1e-11 lengths, or below 1e-8 and no longer decreasing, because of the tolerances
 * of the step. Points on the circle of a link are within two lengths of each other; a larger distance means that the
 * iteration diverges. */
static int converge(sb_step_map *map, const double *from) {
    double moved = INFINITY, before, far = 0.0;
    for (int i = 0; i < NEWTON_MAX && far <= 2.0; i++) {
        before = moved;
        SB_TRY(both_jacobians(map));
        SB_TRY(correct(map, &moved));
        if (moved <= 1e-11 || (moved <= 1e-8 && moved > 0.25 * before)) {
            return SB_OK;
        }
        far = 0.0;
        for (int k = 0; k < map->n; k++) {
            far = sb_larger(far, fabs(map->at.q[k] - from[k]) / map->scale[k]);
        }
    }
    return sb_fail(map->method.ctx, SB_UNSUPPORTED,
                   "%s has no equilibrium near its initial position that %s preserves with h = %.9g: the last Newton "
                   "correction was %.3g of a length; start it at rest in equilibrium",
                   map->sys->name, map->method.type->entry.name, map->h, moved);
}

/* Returns the norm of the acceleration at rest at q. */
static int acceleration_at(sb_dynamics *dyn, sb_arena *arena, double t, const double *q, double *out) {
    double *v, *a;
    SB_TRY(SB_VECTORS(arena, dyn->sys->n, &v, &a));
    SB_TRY(sb_dynamics_acceleration(dyn, t, q, v, a, NULL));
    *out = sb_norm_max(dyn->sys->n, a);
    return SB_OK;
}

/* Fails with SB_UNSUPPORTED if the system falls without end from q to `far`: the acceleration does not grow on the way,
 * as it does from a saddle of the potential, and no step has a fixed point. */
static int check_fall(sb_context *ctx, sb_arena *arena, const sb_system *sys, double t, const double *q,
                      const double *far) {
    sb_dynamics dyn;
    double near_q, near_far;
    SB_TRY(sb_dynamics_init(ctx, arena, sys, &dyn));
    if (acceleration_at(&dyn, arena, t, q, &near_q) != SB_OK ||
        acceleration_at(&dyn, arena, t, far, &near_far) != SB_OK || near_far > 2.0 * near_q) {
        return SB_OK;
    }
    return sb_fail(ctx, SB_UNSUPPORTED,
                   "%s has no equilibrium near its initial position: it falls, or moves on, without end; hold it by "
                   "a joint, a spring or a contact, or measure its stability along its motion by advise",
                   sys->name);
}

/* Replaces q by the equilibrium of the system near it, if one is found. The search ends more than 1000 sizes of the
 * motion away where the energy decreases without end. */
static int find_equilibrium(sb_context *ctx, sb_arena *arena, const sb_system *sys, double t, double *q) {
    double *found, size;
    SB_NEW(arena, found, sys->n);
    SB_TRY(sb_system_length(ctx, sys, &size));
    memcpy(found, q, (size_t)sys->n * sizeof *q);
    const int status = sb_equilibrium_find(ctx, sys, t, found);
    if (status == SB_OK) {
        memcpy(q, found, (size_t)sys->n * sizeof *q);
    } else if (status == SB_NOT_CONVERGED && !(sb_distance_max(sys->n, found, q) <= 1e3 * size)) {
        return check_fall(ctx, arena, sys, t, q, found);
    }
    return status == SB_NO_MEMORY ? status : SB_OK;
}

int sb_step_map_init(sb_context *ctx, sb_arena *arena, const sb_stepper *type, const void *config, const sb_system *sys,
                     double h, sb_step_map *out) {
    const int n = sys->n, m = sb_system_multipliers(sys);
    double t, *from, *v;
    *out = (sb_step_map){.sys = sys, .h = h, .n = n, .m = m};
    if ((sys->flags & (unsigned)(SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL)) != 0) {
        return sb_fail(
            ctx, SB_UNSUPPORTED,
            "%s has no equilibrium at which a step is linear: its potential or its constraints depend on time",
            sys->name);
    }
    SB_TRY(sb_method_init(ctx, arena, type, config, sys, &out->method));
    out->size = 2 * n + m + out->method.naux;
    const size_t size = (size_t)out->size;
    SB_TRY(sb_state_new(&out->method, arena, &out->at));
    SB_TRY(sb_state_new(&out->method, arena, &out->in));
    SB_TRY(sb_state_new(&out->method, arena, &out->out));
    SB_TRY(SB_VECTORS(arena, size, &out->scale, &out->residual));
    SB_NEW(arena, out->fixed, size);
    SB_NEW(arena, out->J, size * size);
    SB_NEW(arena, out->half, size * size + (size_t)sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(arena, out->work, size * size + (size_t)sb_pattern_nnz(&sys->inertia.M));
    SB_TRY(SB_VECTORS(arena, n, &from, &v));
    SB_TRY(sys->initial(sys->self, &t, from, v));
    SB_TRY(find_equilibrium(ctx, arena, sys, t, from));
    memset(v, 0, (size_t)n * sizeof *v);
    SB_TRY(sb_method_start(&out->method, t, from, v, h, &out->at));
    SB_TRY(set_units(out));
    return converge(out, from);
}
