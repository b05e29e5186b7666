/* reg05 6.2 and Fig. 6.13: the slider crank at its singular poses, with redundant joints, and with a rod a little too
 * long to have any. */
#include "bench/runner/verdicts.h"

/* Crank and rod of length 1 turn once a second: at h = 1/60 s from phi = 0 step 15 stands the crank upright, where all
 * lie on a line and G loses rank. */
static const double h = 1.0 / 60.0, t_end = 2.0;
static const int singular_step = 15;

static const sb_column columns[] = {
    {"rod", SB_COL_KEY, "m", "length of the rod; the crank's is 1"},
    {"redundant", SB_COL_KEY, "", "copies of the prismatic joint's rows"},
    {"c", SB_COL_KEY, "", "compliance"},
    {"cb_over_h", SB_COL_KEY, "", "damping: c b/h"},
    {"form", SB_COL_KEY, "", "saddle matrix or Schur complement"},
    {"steps", SB_COL_KEY, "1/s", "steps per second"},
    {"last", SB_COL_EXACT, "", "the last step that could be taken, of two turns"},
    {"error", SB_COL_ERROR, "m", "largest distance of the load from its exact place, to there"},
    {"least", SB_COL_EXACT, "m", "smallest load; a rod longer than the crank never lets it pass 0"},
    {"status", SB_COL_INFO, "", "ok, or why the run ended"},
};
static const sb_column curve_columns[] = {
    {"t", SB_COL_KEY, "s", "time"},
    {"exact", SB_COL_EXACT, "m", "load of the smooth motion, 2 cos(2 pi t)"},
    {"small", SB_COL_EXACT, "m", "load with c = 1e-20; empty from the step that fails on"},
    {"larger", SB_COL_EXACT, "m", "load with c = 1e-16 and damping c b = 2 h"},
    {"longer", SB_COL_EXACT, "m", "load with a rod of 1.0001 and c = 1e-20"},
};
static const sb_column map_columns[] = {
    {"off", SB_COL_KEY, "rad", "initial angle of the crank: how far from the singular pose step 15 lands"},
    {"c", SB_COL_KEY, "", "compliance"},
    {"passes", SB_COL_EXACT, "", "1 if half a turn could be taken, 0 if a step failed"},
};
enum { OFFS = 12, COMPLIANCES = 8 };

typedef struct setting {
    double L;
    int redundant;
    double c, damping;
    const char *form;
    int rate; /* steps per second */
    double phi0;
} setting;

typedef struct outcome {
    sb_path path;
    long last;
    double error, least;
    const char *failure;
} outcome;

static double load_at(const outcome *o, long k) { return o->path.q[k * o->path.n + 6]; }

static int turn(sb_bench *bench, const setting *x, double end, outcome *out) {
    const sb_run run = {.h = 1.0 / x->rate, .steps = lround(end * x->rate), .every = 1};
    char c[32], b[32], L[32], phi0[32];
    sb_format_real(x->c, c);
    sb_format_real(x->c > 0.0 ? x->damping / (x->rate * x->c) : 0.0, b);
    sb_format_real(x->L, L);
    sb_format_real(x->phi0, phi0);
    const char *problem = sb_bench_format(bench, "slider_crank:L=%s,redundant=%d,phi0=%s", L, x->redundant, phi0);
    const char *stepper = sb_bench_format(bench, "reg:c=%s,b=%s,form=%s,start=full", c, b, x->form);
    *out = (outcome){.least = INFINITY};
    SB_TRY(sb_bench_path_of(bench, problem, "", stepper, &run, &out->path));
    out->failure = out->path.failure;
    out->last = out->path.count > 0 ? out->path.count - 1 : 0;
    for (long k = 0; k < out->path.count; k++) {
        double q[16];
        SB_TRY(out->path.sys.exact(out->path.sys.self, out->path.t[k], q, NULL, NULL));
        out->error = sb_larger(out->error, fabs(load_at(out, k) - q[6]));
        out->least = fmin(out->least, load_at(out, k));
    }
    return SB_OK;
}

/* The run, and its row. */
static int measure(sb_bench *bench, sb_table *table, const setting *x, outcome *out) {
    SB_TRY(turn(bench, x, t_end, out));
    return SB_ROW(&table->sink, sb_real(x->L), sb_int(x->redundant), sb_real(x->c), sb_real(x->damping),
                  sb_text(x->form), sb_int(x->rate), sb_int(out->last), sb_real(out->error), sb_real(out->least),
                  sb_text(out->failure == NULL ? "ok" : out->failure));
}

static int save_curves(sb_bench *bench, const outcome *stuck, const outcome *passes, const outcome *longer) {
    sb_table table;
    SB_TRY(SB_TABLE(bench, curve_columns, &table));
    for (long k = 0; k <= passes->last; k++) {
        const double t = (double)k * h;
        SB_TRY(SB_ROW(&table.sink, sb_real(t), sb_real(2.0 * cos(2.0 * M_PI * t)),
                      k <= stuck->last ? sb_real(load_at(stuck, k)) : sb_empty(), sb_real(load_at(passes, k)),
                      sb_real(load_at(longer, k))));
    }
    return sb_bench_save(bench, &table, "reg05_crank_load.csv");
}

/* Which c gets through a step that lands how close to the singular pose. Sets the largest distance at which c = 1e-20
 * fails, and the smallest c of the map that passes on the pose itself. */
static int map(sb_bench *bench, double *farthest, double *least) {
    static const double c[COMPLIANCES] = {0.0, 1e-22, 1e-20, 1e-19, 1e-18, 1e-17, 1e-16, 1e-14};
    sb_table table;
    *farthest = 0.0;
    *least = INFINITY;
    SB_TRY(SB_TABLE(bench, map_columns, &table));
    for (int i = 0; i < OFFS; i++) {
        const double off = i == 0 ? 0.0 : pow(10.0, -15.0 + i);
        for (int k = 0; k < COMPLIANCES; k++) {
            outcome o;
            SB_TRY(turn(bench, &(setting){1.0, 0, c[k], 0.0, "saddle", 60, off}, 0.5, &o));
            *farthest = c[k] == 1e-20 && o.failure != NULL ? fmax(*farthest, off) : *farthest;
            *least = i == 0 && o.failure == NULL ? fmin(*least, c[k]) : *least;
            SB_TRY(SB_ROW(&table.sink, sb_real(off), sb_real(c[k]), sb_int(o.failure == NULL)));
        }
    }
    return sb_bench_save(bench, &table, "reg05_crank_map.csv");
}

static int run(sb_bench *bench) {
    static const setting settings[] = {
        {1.0, 0, 1e-20, 0.0, "saddle", 60, 0.0},      {1.0, 0, 1e-16, 2.0, "saddle", 60, 0.0},
        {1.0, 0, 1e-16, 0.0, "saddle", 60, 0.0},      {1.0, 0, 1e-20, 0.0, "schur", 60, 0.0},
        {1.0, 0, 1e-16, 0.0, "schur", 60, 0.0},       {1.0, 0, 1e-20, 0.0, "saddle", 61, 0.0},
        {1.0, 1, 1e-20, 0.0, "saddle", 61, 0.0},      {1.0, 1, 1e-16, 0.0, "saddle", 61, 0.0},
        {1.0, 1, 1e-16, 0.0, "schur", 61, 0.0},       {1.0001, 0, 1e-20, 0.0, "saddle", 60, 0.0},
        {1.0001, 0, 1e-20, 0.0, "saddle", 2000, 0.0},
    };
    enum {
        STUCK,
        DAMPED,
        UNDAMPED,
        STUCK_SCHUR,
        UNDAMPED_SCHUR,
        BESIDE,
        REDUNDANT_STUCK,
        REDUNDANT_BESIDE,
        REDUNDANT_SCHUR,
        LONGER,
        FINE,
        SETTINGS
    };
    outcome o[SETTINGS];
    sb_table table;
    double farthest, least;
    SB_TRY(SB_TABLE(bench, columns, &table));
    for (int i = 0; i < SETTINGS; i++) {
        SB_TRY(measure(bench, &table, &settings[i], &o[i]));
    }
    SB_TRY(sb_bench_save(bench, &table, "reg05_crank.csv"));
    SB_TRY(save_curves(bench, &o[STUCK], &o[DAMPED], &o[LONGER]));
    SB_TRY(map(bench, &farthest, &least));
    SB_TRY(sb_bench_plot(bench, "reg05_crank"));
    static const char *const claim = "reg05-crank", *const rank = "reg05-rank",
                             *const pose = "the step that lands on the singular pose",
                             *const all = "all steps of two turns";
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED, "c = 1e-20, saddle form: last step that could be taken",
                     .measured = (double)o[STUCK].last, .expected = singular_step, .from = pose));
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED, "c = 1e-20, Schur form: last step that could be taken",
                     .measured = (double)o[STUCK_SCHUR].last, .expected = singular_step, .from = pose));
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED, "c = 1e-16 with damping: last step that could be taken", SB_AT_LEAST,
                     .measured = (double)o[DAMPED].last, .expected = 120.0, .from = all));
    /* A step along the tangent leaves the pins of crank and rod by (h omega)^2/2 of 1 m each, of which a damped step
     * takes back a part 1/(1 + c b/h): three times as much stays. A tenth for the next order. */
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED, "c = 1e-16 with damping: largest error of the load (m)", SB_AT_MOST,
                     .measured = o[DAMPED].error, .expected = 0.0362,
                     .from = "1.1 (h omega)^2 (1 + c b/h): what a step along the tangent leaves"));
    SB_TRY(SB_RECORD(bench, claim, SB_REPORTED, "c = 1e-16 without damping: largest error of the load (m)",
                     .measured = o[UNDAMPED].error));
    SB_TRY(SB_RECORD(bench, claim, SB_REPORTED, "smallest c that passes a step on the pose to round-off",
                     .measured = least));
    SB_TRY(SB_RECORD(bench, claim, SB_REPORTED, "largest distance from the pose at which c = 1e-20 fails (rad)",
                     .measured = farthest));
    SB_TRY(SB_RECORD(bench, claim, SB_REPORTED,
                     "rod of 1.0001, c = 1e-20, 2000 steps per second: error of the load (m)",
                     .measured = o[FINE].error));
    SB_TRY(SB_RECORD(bench, rank, SB_PRINTED, "joint rows taken twice, c = 1e-20: last step that could be taken",
                     SB_AT_LEAST, .measured = (double)o[REDUNDANT_STUCK].last, .expected = 122.0, .from = all));
    SB_TRY(SB_RECORD(bench, rank, SB_CORRECTED_FORM, "joint rows taken twice, c = 1e-16: last step that could be taken",
                     SB_AT_LEAST, .measured = (double)o[REDUNDANT_BESIDE].last, .expected = 122.0, .from = all));
    return SB_RECORD(bench, rank, SB_CORRECTED_FORM,
                     "the same by Cholesky's factorization, without pivoting: last step that could be taken",
                     SB_AT_LEAST, .measured = (double)o[REDUNDANT_SCHUR].last, .expected = 122.0, .from = all);
}

SB_DEFINE_EXPERIMENT(reg05_crank) = {
    .entry = {"reg05_crank",
              "Slider crank at its singular poses: which compliance passes, how close a step has to come, redundant "
              "joints, a rod that is "
              "a little longer.",
              "reg05 Fig. 6.13", NULL, 0},
    .claims = SB_LIST("reg05-crank", "reg05-rank"),
    .files = SB_LIST("reg05_crank.csv", "reg05_crank_load.csv", "reg05_crank_map.csv", SB_FIGURE("reg05_crank")),
    .run = run,
};
