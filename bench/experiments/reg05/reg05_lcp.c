/* reg05 (4.4), 5: contacts and dry friction by block pivoting and by other solvers on the same problems; the cost of
 * holding a stack of ten. */
#include <string.h>

#include "analysis/row.h"
#include "bench/runner/experiment_tools.h"
#include "core/linear/ordering.h"
#include "core/mechanics/matrices.h"

static const double h = 1.0 / 60.0;

/* ---- A run. ---- */

typedef struct result {
    sb_path path;
    double iterations; /* mean number per step */
    double deviation;  /* largest deviation of a coordinate from the exact solution, where there is one */
} result;

/* Returns whether the run went to its end with a deviation of at most `tolerance`. */
static bool stays(const result *r, double tolerance) { return r->path.failure == NULL && r->deviation <= tolerance; }

static int follow(sb_bench *bench, const char *problem, const char *stepper, long steps, result *out) {
    sb_path *path = &out->path;
    double *exact;
    SB_TRY(sb_bench_path(bench, problem, stepper, h, steps, 1, path));
    SB_NEW(&bench->arena, exact, path->n);
    const long last = path->count - 1;
    out->iterations = (double)path->iters / (double)(last > 0 ? last : 1);
    out->deviation = 0.0;
    for (long k = 0; k <= last && path->sys.exact != NULL; k++) {
        if (path->sys.exact(path->sys.self, path->t[k], exact, NULL, NULL) == SB_OK) {
            out->deviation = sb_larger(out->deviation, sb_distance_max(path->n, path->q + k * path->n, exact));
        }
    }
    return SB_OK;
}

/* ---- A stack of ten at rest on a slope. ---- */

/* The slope is below those at which the stack topples (w/(10 h) = 0.2) and slides (mu = 0.5). */
#define STACK "stack:n=10,tilt=0.1"
/* The bounds of friction come from the previous step, reg05 (4.4): each step is one complementarity problem. */
#define STEPPER "reg:friction=box,lcp="
static const long stack_steps = 300; /* 5 s */
static const double held = 1e-3;     /* m or rad: a deviation that is not visible on a box of 0.1 m */

static const char *const exact_solvers[] = {"block_pivot", "block_pivot:fallback=none", "dantzig"};
static const long sweeps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
enum { EXACT = SB_COUNT(exact_solvers), SWEEPS = SB_COUNT(sweeps) };

/* Counts the products of a factorization and a solution with the pattern of the stack, which is a round of block
 * pivoting, and of a sweep. */
static int count_products(sb_bench *bench, double *round, double *sweep) {
    sb_arena *arena = &bench->arena;
    sb_system *sys;
    sb_mass mass;
    sb_pattern C;
    sb_schur schur;
    int *order, *counts;
    SB_NEW(arena, sys, 1);
    SB_TRY(sb_system_build(bench->ctx, arena, STACK, 0, NULL, sys));
    SB_TRY(sb_mass_init(bench->ctx, arena, sys, &mass));
    SB_TRY(sb_system_rows(arena, sys, &C));
    SB_TRY(sb_schur_layout(arena, &C, &mass, false, &schur));
    const sb_pattern *S = &schur.work->S.P;
    SB_NEW(arena, order, C.cols);
    SB_NEW(arena, counts, C.cols);
    SB_TRY(sb_elimination_order(arena, S, C.cols, order));
    SB_TRY(sb_elimination_counts(arena->ctx, S, order, INFINITY, counts, NULL, NULL, round));
    *sweep = sb_pattern_nnz(S);
    *round += 2.0 * sb_pattern_nnz(S); /* right-hand side and w */
    for (int k = 0; k < C.cols; k++) {
        *round += 2.0 * counts[k] + 1.0;
    }
    return SB_OK;
}

static int write_stack_row(sb_table *table, const char *name, const result *r, double cost) {
    return SB_TABLE_ROW(table, sb_text(name), sb_real(r->iterations), sb_known(cost), sb_real(r->deviation),
                        sb_yes(stays(r, held)));
}

enum { PICTURES = 3, BOXES = 10 };
/* The step that the pictures show. */
static const long pictured = 45;

/* Writes the corners of the boxes, 0.2 m by 0.1 m, each as a closed line of five points. */
static int draw_boxes(sb_table *table, int picture, const double *q) {
    static const double corner[5][2] = {{-0.1, -0.05}, {0.1, -0.05}, {0.1, 0.05}, {-0.1, 0.05}, {-0.1, -0.05}};
    for (int b = 0; b < BOXES; b++) {
        const double *at = q + 3 * b, c = cos(at[2]), s = sin(at[2]);
        for (int k = 0; k < 5; k++) {
            SB_TRY(SB_NUMBERS(table, picture, b, at[0] + c * corner[k][0] - s * corner[k][1],
                              at[1] + s * corner[k][0] + c * corner[k][1]));
        }
    }
    return SB_OK;
}

static int by_sweeps(sb_bench *bench, long count, result *out) {
    return follow(bench, STACK, sb_bench_format(bench, STEPPER "[pgs:sweeps=%ld,tol=0]", count), stack_steps, out);
}

/* Runs the stack by all solvers, and draws it. */
static int hold_stack(sb_bench *bench) {
    sb_table table, boxes;
    result r;
    double round, sweep, cost = 0.0;
    SB_TRY(sb_bench_table(bench, "reg05_lcp", &table));
    SB_TRY(sb_bench_table(bench, "reg05_lcp_boxes", &boxes));
    SB_TRY(count_products(bench, &round, &sweep));
    for (int i = 0; i < EXACT; i++) {
        SB_TRY(follow(bench, STACK, sb_bench_format(bench, STEPPER "%s", exact_solvers[i]), stack_steps, &r));
        const bool dense = strcmp(exact_solvers[i], "dantzig") == 0;
        SB_TRY(write_stack_row(&table, exact_solvers[i], &r, dense ? NAN : r.iterations * round));
        if (i == 0) {
            cost = r.iterations * round;
            SB_TRY(draw_boxes(&boxes, 0, r.path.q + pictured * r.path.n));
        }
    }
    const long equal = lround(cost / sweep); /* sweeps at the cost of block pivoting */
    for (int k = 1; k < PICTURES; k++) {
        SB_TRY(by_sweeps(bench, k == 1 ? equal : 10 * equal, &r));
        SB_TRY(draw_boxes(&boxes, k, r.path.q + pictured * r.path.n));
    }
    for (int i = 0; i < SWEEPS; i++) {
        SB_TRY(by_sweeps(bench, sweeps[i], &r));
        SB_TRY(write_stack_row(&table, sb_bench_format(bench, "pgs:sweeps=%ld", sweeps[i]), &r,
                               sweep * (double)sweeps[i]));
    }
    SB_TRY(sb_bench_save(bench, &table, "reg05_lcp.csv"));
    SB_TRY(sb_bench_save(bench, &boxes, "reg05_lcp_boxes.csv"));
    SB_TRY(sb_bench_measure(bench, "reg05-lcp/sweeps-equal", (double)equal, 0.0));
    return sb_bench_plot_with(bench, "reg05_lcp", "reg05_lcp",
                              sb_bench_format(bench, "equal = %ld; cost = %.17g", equal, cost));
}

/* ---- The same solution by an independent solver, and the exact solution. ---- */

static const char *const problems[] = {STACK, "stack:n=3,tilt=0.6", "block_incline", "newtons_cradle", "bouncing_ball"};
static const long compared = 60;

static int compare(sb_bench *bench, double *difference, double *exact) {
    *difference = *exact = 0.0;
    for (int p = 0; p < SB_COUNT(problems); p++) {
        result by_blocks, by_rows;
        SB_TRY(follow(bench, problems[p], "reg:lcp=[block_pivot:fallback=none]", compared, &by_blocks));
        SB_TRY(follow(bench, problems[p], "reg:lcp=dantzig", compared, &by_rows));
        *difference = sb_larger(*difference, sb_path_distance(&by_blocks.path, &by_rows.path));
        *exact = strncmp(problems[p], "stack:n=10", 10) == 0 ? by_blocks.deviation : *exact;
    }
    return SB_OK;
}

/* ---- Cold starts: the first step of stacks on slopes, on most of which they slide or topple. ---- */

static int start_cold(sb_bench *bench) {
    static const double boxes[] = {2.0, 4.0, 8.0, 16.0}, tilts[] = {0.1, 0.3, 0.5, 0.7, 0.9};
    double rounds = 0.0, difference = 0.0, moved[SB_COUNT(boxes) * SB_COUNT(tilts)], independent = 0.0;
    int solved = 0;
    for (int k = 0; k < SB_COUNT(boxes) * SB_COUNT(tilts); k++) {
        const char *problem =
            sb_bench_format(bench, "stack:n=%g,tilt=%g", boxes[k / SB_COUNT(tilts)], tilts[k % SB_COUNT(tilts)]);
        result by_blocks, by_rows;
        SB_TRY(follow(bench, problem, "reg:lcp=[block_pivot:fallback=none]", 1, &by_blocks));
        SB_TRY(follow(bench, problem, "reg:lcp=dantzig", 1, &by_rows));
        solved += by_blocks.path.failure == NULL;
        rounds = sb_larger(rounds, by_blocks.iterations);
        difference = sb_larger(difference, sb_path_distance(&by_blocks.path, &by_rows.path));
        moved[k] = by_rows.path.count > 1
                       ? sb_distance_max(by_rows.path.n, by_rows.path.q, by_rows.path.q + by_rows.path.n)
                       : 0.0;
    }
    for (int k = 0; k < SB_COUNT(boxes); k++) {
        independent += sb_bench_effective(SB_COUNT(tilts), 1, moved + k * SB_COUNT(tilts));
    }
    SB_TRY(sb_bench_measure(bench, "reg05-lcp/cold-effective", independent, 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-lcp/cold", solved, 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-lcp/cold-agreement", difference, 0.0));
    return sb_bench_measure(bench, "reg05-lcp/cold-rounds", rounds, 0.0);
}

SB_DEFINE_EXPERIMENT(reg05_lcp) {
    double difference, exact;
    SB_TRY(hold_stack(bench));
    SB_TRY(compare(bench, &difference, &exact));
    SB_TRY(start_cold(bench));
    SB_TRY(sb_bench_measure(bench, "reg05-lcp/agreement", difference, 0.0));
    return sb_bench_measure(bench, "reg05-lcp/rest", exact, 0.0);
}
