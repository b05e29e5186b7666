/* wm96 1 and 4.1: the DEL map of (4.20) against Verlet without constraints and SHAKE with them. */
#include <float.h>
#include <math.h>

#include "bench/runner/verdicts.h"

static const sb_column columns[] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"del", SB_COL_KEY, "", "the DEL map"},
    {"other", SB_COL_KEY, "", "the method it is to be"},
    {"h", SB_COL_KEY, "s", "step"},
    {"steps", SB_COL_INFO, "", "steps taken by both"},
    {"difference", SB_COL_ERROR, "", "largest distance of a coordinate"},
    {"rounding", SB_COL_ERROR, "", "what round-off may add up to"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0], STEPS = 500 };

typedef struct identity {
    const char *problem, *del, *other;
    bool same; /* whether theory says so */
} identity;

static const identity identities[] = {
    {"oscillator", "del:quadrature=left", "verlet", true},
    {"kepler", "del:quadrature=left", "verlet", true},
    {"pendulum:constraint=norm", "del:quadrature=left", "shake", true},
    {"dsp:ic=printed", "del:quadrature=left", "shake", true},
    {"dsp:ic=printed", "del", "shake", true}, /* the potential is linear: (4.8) has the same force */
    {"kepler", "del", "verlet", false},       /* it is not: (4.8) averages the force */
};

/* From the other method's first two points. As in the equivalence of charts, velocities carry eps |q|/h of round-off a
 * step, which adds up to N^(3/2) eps |q| in the positions, and ten times that for the motion's own spreading. */
static int compare(sb_bench *bench, const identity *id, double *step, double *difference, double *rounding) {
    sb_context *ctx = bench->ctx;
    sb_arena *arena = &bench->arena;
    sb_system sys;
    sb_method del, other;
    sb_state a[2], b[2];
    SB_TRY(sb_system_build(ctx, arena, id->problem, 0, NULL, &sys));
    SB_TRY(sb_method_build(ctx, arena, id->del, &sys, &del));
    SB_TRY(sb_method_build(ctx, arena, id->other, &sys, &other));
    for (int i = 0; i < 2; i++) {
        SB_TRY(sb_state_new(&del, arena, &a[i]));
        SB_TRY(sb_state_new(&other, arena, &b[i]));
    }
    const double h = sys.time_scale / 20.0;
    double largest = 0.0;
    *step = h;
    *difference = 0.0;
    SB_TRY(sb_method_start(&other, 0.0, NULL, NULL, h, &b[0]));
    SB_TRY(sb_method_step(&other, &b[0], h, &b[1]));
    SB_TRY(sb_method_start_pair(&del, 0.0, b[0].q, b[1].q, h, &a[1]));
    for (int k = 1; k < STEPS; k++) {
        const int now = k % 2, next = 1 - now;
        SB_TRY(sb_method_step(&del, &a[now], h, &a[next]));
        SB_TRY(sb_method_step(&other, &b[now], h, &b[next]));
        for (int i = 0; i < sys.n; i++) {
            const double d = fabs(a[next].q[i] - b[next].q[i]);
            *difference = !(d <= *difference) ? d : *difference;
            largest = fmax(largest, fabs(b[next].q[i]));
        }
    }
    *rounding = 10.0 * DBL_EPSILON * largest * pow(STEPS, 1.5);
    return SB_OK;
}

static int run(sb_bench *bench) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, COLUMNS, columns, &table));
    for (size_t i = 0; i < sizeof identities / sizeof identities[0]; i++) {
        const identity *id = &identities[i];
        double h, difference, rounding;
        SB_TRY(compare(bench, id, &h, &difference, &rounding));
        SB_TRY(SB_ROW(&table.sink, sb_text(id->problem), sb_text(id->del), sb_text(id->other), sb_real(h),
                      sb_int(STEPS), sb_real(difference), sb_real(rounding)));
        SB_TRY(SB_RECORD(
            bench, "wm96-verlet", id->same ? SB_PRINTED : SB_REPORTED,
            sb_bench_format(bench, "%s, %s: distance from %s over 10 eps |q| N^(3/2)", id->problem, id->del, id->other),
            SB_AT_MOST, .measured = difference / rounding, .expected = 1.0,
            .round_off = id->same ? 0.1 : 1e-6 * difference / rounding,
            .from = "round-off of the velocities of N steps, a random walk, and ten times that"));
    }
    return sb_bench_save(bench, &table, "wm96_verlet.csv");
}

SB_DEFINE_EXPERIMENT(wm96_verlet) = {
    .entry = {"wm96_verlet", "The DEL map of (4.20) beside Verlet and SHAKE, from the same two points.", "wm96 1, 4.1",
              NULL, 0},
    .claims = (const char *const[]){"wm96-verlet", NULL},
    .files = (const char *const[]){"wm96_verlet.csv", NULL},
    .run = run,
};
