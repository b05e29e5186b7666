/* reg05 2.8: a box on an incline around the angle of repose, with friction bounded by an estimate, by the last step's
 * force, and to Coulomb's law. */
#include <math.h>

#include <stepbench/numerics/norm.h>

#include "analysis/contact/complementarity.h"
#include "bench/runner/trajectory.h"
#include "bench/runner/verdicts.h"

enum { STEPPERS = 6, ANGLES = 41, COLUMNS = 4 + STEPPERS };

static const char *const steppers[STEPPERS] = {
    "reg", "reg:friction=box", "spook:eps=0", "spook:eps=0,friction=box", "moreau", "moreau:friction=box"};
static const double mu = 0.5, g = 9.81, h = 0.01, t_end = 1.0;

static const sb_column columns[COLUMNS] = {
    {"ratio", SB_COL_KEY, "", "angle over atan(mu), mu = 0.5"},
    {"exact", SB_COL_EXACT, "m/s", "speed after 1 s: g (sin - mu cos) t above atan(mu), else 0"},
    {"estimate", SB_COL_EXACT, "m/s", "by the regularized stepper with the bound mu m g/2 at each corner; h = 0.01 s"},
    {"estimate_law", SB_COL_EXACT, "m/s", "g (sin - mu) t above asin(mu), else 0"},
    {"reg", SB_COL_EXACT, "m/s", "by the regularized stepper, friction iterated to Coulomb's law"},
    {"reg_box", SB_COL_EXACT, "m/s", "the same with bounds by the last step's normal forces"},
    {"spook", SB_COL_EXACT, "m/s", "by SPOOK with eps = 0, friction iterated"},
    {"spook_box", SB_COL_EXACT, "m/s", "the same with bounds by the last step's normal forces"},
    {"moreau", SB_COL_EXACT, "m/s", "by Moreau-Jean time stepping, friction iterated"},
    {"moreau_box", SB_COL_EXACT, "m/s", "the same with bounds by the last step's normal forces"},
};

static int speed(sb_bench *bench, double angle, const char *bound, const char *stepper, double *out) {
    sb_path path;
    const char *problem = sb_bench_format(bench, "block_incline:mu=%.17g,angle=%.17g,bound=%s", mu, angle, bound);
    if (problem == NULL) {
        return SB_NO_MEMORY;
    }
    const long steps = lround(t_end / h);
    SB_TRY(sb_bench_path(bench, problem, stepper, h, steps, steps, &path));
    *out = path.failure == NULL ? path.v[(path.count - 1) * path.n] : NAN;
    return SB_OK;
}

/* The angle at which the box begins to slide, to 1e-9 rad. A box at rest has no more than round-off of the speed m g h
 * gives in a step; one that slides has g t times the excess over the angle. */
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

/* How far friction leaves the cone of the same step's normal force, over the largest such force: the rod on its tip,
 * whose normal force varies. */
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

static int find_bounds(sb_bench *bench) {
    /* A speed of 1e-9 m/s after a second is an excess of 1e-10 rad; the bisection ends at 1e-9. */
    const double sharp = 1e-8;
    double estimated, adjusted = 0.0;
    SB_TRY(onset(bench, "weight", "reg", &estimated));
    for (int s = 1; s < STEPPERS; s += 2) {
        double found;
        SB_TRY(onset(bench, "normal", steppers[s], &found));
        adjusted = sb_larger(adjusted, fabs(found - atan(mu)));
    }
    const bool wrong = fabs(estimated - asin(mu)) <= sharp && asin(mu) - atan(mu) > 0.01;
    return sb_bench_find(
        bench,
        &(sb_finding){"reg05-box", sb_verdict_of(wrong && adjusted <= sharp, false),
                      sb_bench_format(bench,
                                      "mu = 0.5: bounds by an estimate, the weight, let the box slide from %.6f rad "
                                      "(asin mu) instead of %.6f (atan mu); "
                                      "bounds by the last step's normal forces from atan mu to 1e-%d",
                                      estimated, atan(mu), sb_decimals(adjusted) < 8 ? sb_decimals(adjusted) : 8),
                      "1e-8 rad on both angles",
                      "a bisection to 1e-9 rad, in which a box slides at 1e-9 m/s after 1 s. The normal force of a box "
                      "at rest is the same at "
                      "every step, "
                      "so that the last one's is right; the anisotropy of a box of bounds needs two tangents, which a "
                      "plane has not"});
}

static int find_iterated(sb_bench *bench, double off) {
    double box, iterated = 0.0;
    /* Twice the tolerance 1e-10 of the iteration for the cone; the speeds to the third of their digits that
     * SB_BOX_FLOOR leaves to a hundred steps. */
    const double tol = 1e-8;
    SB_TRY(cone(bench, "reg:friction=box", &box));
    for (int s = 0; s < STEPPERS; s += 2) {
        double x;
        SB_TRY(cone(bench, steppers[s], &x));
        iterated = sb_larger(iterated, x);
    }
    return sb_bench_find(
        bench,
        &(sb_finding){
            "reg05-iterated", sb_verdict_of(off <= tol && iterated <= tol && box > tol, false),
            sb_bench_format(
                bench,
                "speeds of the box within 1e-%d m/s of g (sin - mu cos) t at all angles; a falling rod's friction "
                "leaves the "
                "cone of its own "
                "step by %.1e of the largest normal force with bounds by the last step, by 1e-%d of it when iterated",
                sb_decimals(off) < 8 ? sb_decimals(off) : 8, box,
                sb_decimals(iterated) < 8 ? sb_decimals(iterated) : 8),
            "1e-8 on either",
            "the iteration ends at 1e-10 of the bounds; rows that depend on each other keep a third of their digits"});
}

static int run(sb_bench *bench) {
    sb_table table;
    double off = 0.0;
    SB_TRY(sb_bench_table(bench, COLUMNS, columns, &table));
    for (int i = 0; i < ANGLES; i++) {
        const double ratio = 0.7 + 0.015 * i, angle = ratio * atan(mu);
        const double exact = g * fmax(0.0, sin(angle) - mu * cos(angle)) * t_end,
                     law = g * fmax(0.0, sin(angle) - mu) * t_end;
        double estimate, v[STEPPERS];
        SB_TRY(speed(bench, angle, "weight", "reg", &estimate));
        for (int s = 0; s < STEPPERS; s++) {
            SB_TRY(speed(bench, angle, "normal", steppers[s], &v[s]));
            off = sb_larger(off, s % 2 == 0 ? fabs(v[s] - exact) : 0.0);
        }
        SB_TRY(SB_ROW(&table.sink, sb_real(ratio), sb_real(exact), sb_real(estimate), sb_real(law), sb_real(v[0]),
                      sb_real(v[1]), sb_real(v[2]), sb_real(v[3]), sb_real(v[4]), sb_real(v[5])));
    }
    SB_TRY(sb_bench_save(bench, &table, "reg05_friction.csv"));
    SB_TRY(sb_bench_plot(bench, "reg05_friction"));
    SB_TRY(find_bounds(bench));
    return find_iterated(bench, off);
}

SB_DEFINE_EXPERIMENT(reg05_friction) = {
    .entry = {"reg05_friction",
              "A box on an incline around the angle of repose: speed by three steppers, with friction bounded by an "
              "estimate, by the last "
              "step and iterated.",
              "reg05 2.8", NULL, 0},
    .claims = (const char *const[]){"reg05-box", "reg05-iterated", NULL},
    .files = (const char *const[]){"reg05_friction.csv", "reg05_friction.svg", "reg05_friction.png", NULL},
    .run = run,
};
