/* Errors of motions with impacts: means over time, distance of graphs, times of impacts. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>

#include "analysis/accuracy/nonsmooth.h"

/* Samples (t, q, v, energy) at k dt, k = 0 ... count, after the start. */
typedef struct path {
    int n; /* 2 + 2 coordinates */
    long count;
    double dt;
    double *z, *arc; /* arc: length of the graph (t, q, v) up to a sample, once the path is scaled */
} path;

/* Allocates a path and copies the initial state to it, then the samples of a run. */
static int path_new(sb_arena *arena, const sb_system *sys, const sb_reference *from, path *out) {
    const int n = sys->n;
    sb_dynamics dyn;
    double t, kinetic, potential;
    *out = (path){.n = 2 * n + 2, .count = from->count, .dt = from->dt};
    SB_NEW(arena, out->z, (size_t)(out->count + 1) * (size_t)out->n);
    SB_TRY(sys->initial(sys->self, &t, out->z + 1, out->z + 1 + n));
    SB_TRY(sb_dynamics_init(arena->ctx, arena, sys, &dyn));
    SB_TRY(sb_dynamics_energy(&dyn, t, out->z + 1, out->z + 1 + n, &kinetic, &potential));
    out->z[2 * n + 1] = kinetic + potential;
    for (long k = 1; k <= out->count; k++) {
        double *z = out->z + k * out->n;
        z[0] = (double)k * out->dt;
        memcpy(z + 1, from->q + (k - 1) * n, (size_t)n * sizeof *z);
        memcpy(z + 1 + n, from->v + (k - 1) * n, (size_t)n * sizeof *z);
        z[2 * n + 1] = from->energy[k - 1];
    }
    return SB_OK;
}

/* Returns sample k. */
static const double *sample(const path *p, long k) { return p->z + k * p->n; }

/* ---- Mean over time. ---- */

/* Computes the mean errors by the trapezoidal rule on the samples of the reference; the run is interpolated there. */
static int mean_errors(sb_arena *arena, int n, const path *run, const path *ref, double error[SB_ERR_COUNT]) {
    const long per = lround(run->dt / ref->dt), last = run->count * per < ref->count ? run->count * per : ref->count;
    double *at;
    SB_NEW(arena, at, run->n);
    error[SB_ERR_Q] = error[SB_ERR_V] = error[SB_ERR_ENERGY] = 0.0;
    for (long j = 0; j <= last; j++) {
        const long k = j / per < run->count ? j / per : run->count - 1;
        const double *a = sample(run, k), *b = sample(run, k + 1), *z = sample(ref, j),
                     x = (double)(j - k * per) / (double)per, weight = (j == 0 || j == last ? 0.5 : 1.0) / (double)last;
        for (int i = 0; i < run->n; i++) {
            at[i] = a[i] + x * (b[i] - a[i]);
        }
        error[SB_ERR_Q] += weight * sb_distance_2(n, at + 1, z + 1);
        error[SB_ERR_V] += weight * sb_distance_2(n, at + 1 + n, z + 1 + n);
        error[SB_ERR_ENERGY] += weight * fabs(at[2 * n + 1] - z[2 * n + 1]);
    }
    return SB_OK;
}

/* ---- Graph distance. ---- */

/* Returns the distance of a point from the straight line between two samples. */
static double distance_from_segment(int n, const double *z, const double *a, const double *b) {
    double along = 0.0, length = 0.0, sum = 0.0;
    for (int i = 0; i < n; i++) {
        along += (z[i] - a[i]) * (b[i] - a[i]);
        length += (b[i] - a[i]) * (b[i] - a[i]);
    }
    const double x = along > 0.0 ? fmin(1.0, along / length) : 0.0;
    for (int i = 0; i < n; i++) {
        const double d = z[i] - a[i] - x * (b[i] - a[i]);
        sum += d * d;
    }
    return sqrt(sum);
}

/* Returns the smaller of `least` and the distance of a point from the segments k, k + direction, ... (direction: 1 or
 * -1). May return early with any value <= `bound` once the distance is known to be <= `bound`. Skips segments whose
 * distance in time exceeds the least distance found, and, after a segment at the distance d, those that an arc of
 * length d - least (reduced by 1e-9 d for round-off) cannot leave. The second rule saves a fifth of the time on the
 * cards of SPOOK. */
static double nearest_in_direction(int n, const double *z, const path *p, long k, int direction, double bound,
                                   double least) {
    const int ahead = direction > 0, behind = direction < 0;
    while (k >= 0 && k < p->count && least > bound && direction * (sample(p, k + behind)[0] - z[0]) <= least) {
        const double d = distance_from_segment(n, z, sample(p, k), sample(p, k + 1)), from = p->arc[k + behind];
        least = fmin(least, d);
        do {
            k += direction;
        } while (k >= 0 && k < p->count && fabs(p->arc[k + ahead] - from) < d - least - 1e-9 * d);
    }
    return least;
}

/* Returns the distance of a point from a graph, or any value <= `bound` if the distance is <= `bound`. */
static double distance_from_graph(int n, const double *z, const path *p, double bound) {
    const double step = sample(p, 1)[0] - sample(p, 0)[0];
    const long from = (long)fmin(fmax(0.0, floor(z[0] / step)), (double)(p->count - 1));
    return nearest_in_direction(n, z, p, from - 1, -1, bound, nearest_in_direction(n, z, p, from, 1, bound, INFINITY));
}

/* Computes the largest distance of a point of `p` from `other`, at least *out. Jumps are divided into pieces of a
 * twentieth of the size of the motion: the distance varies by less than that along a piece. */
static int one_way(sb_arena *arena, int n, const path *p, const path *other, double *out) {
    double *z;
    SB_NEW(arena, z, n);
    for (long k = 0; k < p->count; k++) {
        const double *a = sample(p, k), *b = sample(p, k + 1);
        const int pieces = 1 + (int)fmin(1e3, 20.0 * sb_distance_2(n, a, b));
        for (int s = 0; s < pieces; s++) {
            for (int i = 0; i < n; i++) {
                z[i] = a[i] + (double)s / pieces * (b[i] - a[i]);
            }
            *out = sb_larger(*out, distance_from_graph(n, z, other, *out));
        }
    }
    return SB_OK;
}

/* Divides times, positions and velocities by their units, and computes the arcs. */
static int scale(sb_arena *arena, path *p, int n, double t, double q, double v) {
    SB_NEW(arena, p->arc, (size_t)p->count + 1);
    for (long k = 0; k <= p->count; k++) {
        double *z = p->z + k * p->n;
        z[0] /= t;
        for (int i = 0; i < n; i++) {
            z[1 + i] /= q;
            z[1 + n + i] /= v;
        }
        p->arc[k] = k > 0 ? p->arc[k - 1] + sb_distance_2(2 * n + 1, z, sample(p, k - 1)) : 0.0;
    }
    return SB_OK;
}

/* Computes the distance of the graphs. The paths are left scaled. */
static int graph_distance(sb_arena *arena, const sb_system *sys, const sb_reference *sizes, path *run, path *ref,
                          double *out) {
    const double q = sizes->size_q > 0.0 ? sizes->size_q : 1.0, v = sizes->size_v > 0.0 ? sizes->size_v : 1.0;
    SB_TRY(scale(arena, run, sys->n, sys->time_scale, q, v));
    SB_TRY(scale(arena, ref, sys->n, sys->time_scale, q, v));
    *out = 0.0;
    SB_TRY(one_way(arena, 2 * sys->n + 1, run, ref, out));
    return one_way(arena, 2 * sys->n + 1, ref, run, out);
}

/* ---- Times of impacts. ---- */

/* The impacts of one gap in order: times and closing speeds. */
typedef struct impacts {
    long count;
    double *t, *speed;
} impacts;

/* Computes the samples of every gap, one gap after the other. */
static int gaps_of(sb_arena *arena, const sb_system *sys, const path *p, double **out) {
    double *xi;
    SB_NEW(arena, *out, (size_t)sys->contact.m * (size_t)(p->count + 1));
    SB_NEW(arena, xi, sys->contact.m);
    for (long k = 0; k <= p->count; k++) {
        SB_TRY(sys->contact.gap(sys->contact.self, sample(p, k) + 1, xi, NULL));
        for (int i = 0; i < sys->contact.m; i++) {
            (*out)[i * (p->count + 1) + k] = xi[i];
        }
    }
    return SB_OK;
}

/* Finds the impacts of a gap whose closing speed exceeds `slowest`. */
static int find_impacts(sb_arena *arena, const path *p, const double *xi, double slowest, impacts *out) {
    *out = (impacts){0};
    SB_TRY(SB_VECTORS(arena, p->count, &out->t, &out->speed));
    for (long k = 2; k + 2 <= p->count; k++) {
        const double before = (xi[k - 1] - xi[k - 2]) / p->dt, after = (xi[k + 2] - xi[k + 1]) / p->dt;
        if (xi[k - 1] > xi[k] && xi[k + 1] >= xi[k] && before < -slowest) {
            out->speed[out->count] = -before;
            out->t[out->count++] =
                (double)k * p->dt + (xi[k + 1] - xi[k - 1] - (after + before) * p->dt) / (before - after);
        }
    }
    return SB_OK;
}

/* Returns the number of impacts before the first two that are less than `separation` from each other, and their
 * smallest closing speed. */
static long resolved(const impacts *x, double end, double separation, double *slowest) {
    long k = 0;
    for (; k < x->count; k++) {
        const double before = k > 0 ? x->t[k - 1] : 0.0, after = k + 1 < x->count ? x->t[k + 1] : end;
        if (x->t[k] - before < separation || after - x->t[k] < separation) {
            break;
        }
        *slowest = fmin(*slowest, x->speed[k]);
    }
    return k;
}

/* Computes the mean error of the times of impacts. */
static int impact_error(sb_arena *arena, const sb_system *sys, const path *run, const path *ref, double separation,
                        double *out) {
    double *run_xi, *ref_xi, sum = 0.0;
    long count = 0;
    SB_TRY(gaps_of(arena, sys, run, &run_xi));
    SB_TRY(gaps_of(arena, sys, ref, &ref_xi));
    for (int i = 0; i < sys->contact.m; i++) {
        impacts x, y;
        double slowest = INFINITY;
        SB_TRY(find_impacts(arena, ref, ref_xi + i * (ref->count + 1), 0.0, &y));
        const long known = resolved(&y, (double)ref->count * ref->dt, separation, &slowest);
        /* Impacts of the run with lower speeds are round-off, or come after those that are compared. */
        SB_TRY(find_impacts(arena, run, run_xi + i * (run->count + 1), 0.5 * slowest, &x));
        for (long k = 0; k < known; k++) {
            sum += k < x.count ? fabs(x.t[k] - y.t[k]) : NAN;
        }
        count += known;
    }
    *out = count > 0 ? sum / (double)count : NAN;
    return SB_OK;
}

int sb_nonsmooth_errors(sb_arena *arena, const sb_system *sys, const sb_reference *run, const sb_reference *ref,
                        double separation, double error[SB_ERR_COUNT]) {
    path a, b;
    SB_TRY(path_new(arena, sys, run, &a));
    SB_TRY(path_new(arena, sys, ref, &b));
    error[SB_ERR_LAMBDA] = NAN;
    SB_TRY(mean_errors(arena, sys->n, &a, &b, error));
    SB_TRY(impact_error(arena, sys, &a, &b, separation, &error[SB_ERR_IMPACT]));
    return graph_distance(arena, sys, ref, &a, &b, &error[SB_ERR_GRAPH]);
}
