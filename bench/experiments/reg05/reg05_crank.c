/* reg05 6.2 and Fig. 6.13: the slider crank at its singular poses, with redundant joints, and with a rod a little
 * longer than the crank, which has no singular pose. */
#include "bench/runner/experiment_tools.h"

/* Crank and rod have length 1 and the crank turns once per second. At h = 1/60 s from phi = 0 the crank is upright
 * after step 15; all bodies lie on a line, and G loses rank. */
static const double h = 1.0 / 60.0, t_end = 2.0;

enum { OFFS = 12, COMPLIANCES = 8 };

/* Parameters of a run, as in the columns; rate: steps per second. */
typedef struct setting {
    double L;
    int redundant;
    double c, damping;
    const char *form;
    int rate;
    double phi0;
} setting;

typedef struct result {
    sb_path path;
    long last;
    double error, least;
} result;

static double load_at(const result *o, long k) { return o->path.q[k * o->path.n + 6]; }

/* Runs the crank for `end` seconds. */
static int turn(sb_bench *bench, const setting *x, double end, result *out) {
    const sb_run run = {.h = 1.0 / x->rate, .steps = lround(end * x->rate), .every = 1};
    char c[32], b[32], L[32], phi0[32];
    sb_format_real(x->c, c);
    sb_format_real(x->c > 0.0 ? x->damping / (x->rate * x->c) : 0.0, b);
    sb_format_real(x->L, L);
    sb_format_real(x->phi0, phi0);
    const char *problem = sb_bench_format(bench, "slider_crank:L=%s,redundant=%d,phi0=%s", L, x->redundant, phi0);
    const char *stepper = sb_bench_format(bench, "reg:c=%s,b=%s,form=%s,start=full", c, b, x->form);
    *out = (result){.least = INFINITY};
    SB_TRY(sb_bench_path_of(bench, problem, "", stepper, &run, &out->path));
    out->last = out->path.count > 0 ? out->path.count - 1 : 0;
    for (long k = 0; k < out->path.count; k++) {
        double q[16];
        SB_TRY(out->path.sys.exact(out->path.sys.self, out->path.t[k], q, NULL, NULL));
        out->error = sb_larger(out->error, fabs(load_at(out, k) - q[6]));
        out->least = fmin(out->least, load_at(out, k));
    }
    return SB_OK;
}

/* Returns the longest time between samples with a load below 0.1 m. */
static double longest_rest(const result *o) {
    double longest = 0.0;
    for (long k = 0, since = -1; k < o->path.count; k++) {
        since = fabs(load_at(o, k)) >= 0.1 ? -1 : since < 0 ? k : since;
        longest = since < 0 ? longest : fmax(longest, o->path.t[k] - o->path.t[since]);
    }
    return longest;
}

/* Runs two turns and writes the row. */
static int measure(sb_bench *bench, sb_table *table, const setting *x, result *out) {
    SB_TRY(turn(bench, x, t_end, out));
    return SB_TABLE_ROW(table, sb_real(x->L), sb_int(x->redundant), sb_real(x->c), sb_real(x->damping),
                        sb_text(x->form), sb_int(x->rate), sb_int(out->last), sb_real(out->error), sb_real(out->least),
                        sb_real(longest_rest(out)), sb_text(out->path.failure == NULL ? "ok" : out->path.failure));
}

static int save_curves(sb_bench *bench, const result *small, const result *passes, const result *longer) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_crank_load", &table));
    for (long k = 0; k <= passes->last; k++) {
        const double t = (double)k * h;
        SB_TRY(SB_NUMBERS(&table, t, 2.0 * cos(2.0 * M_PI * t), k <= small->last ? load_at(small, k) : NAN,
                          load_at(passes, k), load_at(longer, k)));
    }
    return sb_bench_save(bench, &table, "reg05_crank_load.csv");
}

/* Writes which c passes a step at which distance from the singular pose. */
static int map(sb_bench *bench) {
    static const double c[COMPLIANCES] = {0.0, 1e-22, 1e-20, 1e-19, 1e-18, 1e-17, 1e-16, 1e-14};
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_crank_map", &table));
    for (int i = 0; i < OFFS; i++) {
        const double off = i == 0 ? 0.0 : pow(10.0, -15.0 + i);
        for (int k = 0; k < COMPLIANCES; k++) {
            result o;
            SB_TRY(turn(bench, &(setting){1.0, 0, c[k], 0.0, "saddle", 60, off}, 0.5, &o));
            SB_TRY(SB_NUMBERS(&table, off, c[k], o.path.failure == NULL));
        }
    }
    return sb_bench_save(bench, &table, "reg05_crank_map.csv");
}

SB_DEFINE_EXPERIMENT(reg05_crank) {
    enum { SMALL, DAMPED, LONGER };
    static const setting settings[] = {
        [SMALL] = {1.0, 0, 1e-20, 0.0, "saddle", 60, 0.0},
        [DAMPED] = {1.0, 0, 1e-16, 2.0, "saddle", 60, 0.0},
        [LONGER] = {1.0001, 0, 1e-20, 0.0, "saddle", 60, 0.0},
        {1.0, 0, 1e-16, 0.0, "saddle", 60, 0.0},
        {1.0, 0, 1e-20, 0.0, "schur", 60, 0.0},
        {1.0, 0, 1e-16, 0.0, "schur", 60, 0.0},
        {1.0, 0, 1e-20, 0.0, "saddle", 61, 0.0},
        {1.0, 1, 1e-20, 0.0, "saddle", 61, 0.0},
        {1.0, 1, 1e-16, 0.0, "saddle", 61, 0.0},
        {1.0, 1, 1e-16, 0.0, "schur", 61, 0.0},
        {1.0001, 0, 1e-20, 0.0, "saddle", 2000, 0.0},
    };
    result o[SB_COUNT(settings)];
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_crank", &table));
    for (int i = 0; i < SB_COUNT(settings); i++) {
        SB_TRY(measure(bench, &table, &settings[i], &o[i]));
    }
    SB_TRY(sb_bench_save(bench, &table, "reg05_crank.csv"));
    SB_TRY(save_curves(bench, &o[SMALL], &o[DAMPED], &o[LONGER]));
    return map(bench);
}
