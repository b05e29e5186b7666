/* notes11 10: linearly implicit Euler on a pendulum with a spring as rod, for stiffer and stiffer springs: with the
 * Gauss-Newton matrix of (54), and with the whole derivative. */
#include "bench/runner/experiment_tools.h"

/* Released at the horizontal. Measured is the largest speed in the tenth swing over that of a fall from the horizontal,
 * sqrt(2 g l). */
static const char *const problem = "pendulum:m=1,l=1,g=10,theta0=1.5707963267948966,constraint=norm";
static const double g = 10.0, h = 1.0 / 60.0, first = 2.4, last = 24.0;

enum { LEVELS = 21 };
enum { GAUSS_NEWTON, WHOLE, REG, METHODS };

typedef struct swing {
    sb_path path;
    long kept;   /* number of samples of the first swing */
    double left; /* largest speed in the tenth swing, relative; NaN: the run ended early */
} swing;

static int measure(sb_bench *bench, int method, double eps, swing *out) {
    static const char *const springs[2] = {"euler_linear:geometric=0", "euler_linear:geometric=1"};
    const sb_run run = {.h = h, .steps = lround(last / h), .every = 1};
    char text[32];
    sb_format_real(eps, text);
    const char *penalty = method != REG ? sb_bench_format(bench, "penalty:eps=%s", text) : "";
    const char *stepper = method == REG ? sb_bench_format(bench, "reg:c=%s,start=full", text) : springs[method];
    const sb_path *path = &out->path;
    SB_TRY(sb_bench_path_of(bench, problem, penalty, stepper, &run, &out->path));
    out->kept = 0;
    out->left = path->failure == NULL ? 0.0 : NAN;
    for (long k = 0; k < path->count; k++) {
        out->kept += path->t[k] <= first;
        if (path->t[k] >= last - first) {
            out->left = sb_larger(out->left, hypot(path->v[2 * k], path->v[2 * k + 1]) / sqrt(2.0 * g));
        }
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(notes11_implicit) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "notes11_implicit", &table));
    for (int k = 0; k < LEVELS; k++) {
        const double eps = pow(10.0, -3.0 - k), rounding = DBL_EPSILON * h * h / eps;
        swing s[METHODS];
        for (int i = 0; i < METHODS; i++) {
            SB_TRY(measure(bench, i, eps, &s[i]));
        }
        const int kept = (int)s[REG].kept;
        const double distance =
            s[GAUSS_NEWTON].kept == kept ? sb_distance_max(2 * kept, s[GAUSS_NEWTON].path.q, s[REG].path.q) : NAN;
        SB_TRY(SB_NUMBERS(&table, eps, s[GAUSS_NEWTON].left, s[WHOLE].left, s[REG].left, distance, rounding));
    }
    return sb_bench_save(bench, &table, "notes11_implicit.csv");
}
