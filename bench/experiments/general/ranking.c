/* Ranks methods per class of problems by the evaluations that they need for four errors, with medians and quartiles
 * over random initial states; and measures processor times of runs of the problems. The classes: explicit methods
 * without constraints, every method of `splitting` among them, and methods for constraints of index 3 with a constant
 * and with a variable mass. */
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>

#include "bench/card/pareto.h"
#include "bench/card/workprec_time.h"
#include "bench/runner/experiment_tools.h"

/* Members of an ensemble, random initial states that all steppers share. With 4 k + 1 of them the median and the
 * quartiles are members. Of two methods that do not differ, one costs less than the other on all five by chance in
 * 1/32 = 3 % of the cases. */
enum { MEMBERS = 5, FIRST_QUARTILE = 1, MEDIAN = 2, THIRD_QUARTILE = 3 };

/* Halved steps down to 1/32 of the time scale, where methods of order eight reach round-off: from the time scale itself
 * for separable problems, as a step of a splitting method has up to 17 stages, otherwise from a fourth of it. */
static const double smallest_step = 1.0 / 32.0;
static const char tolerances[] = "tol=[1e-3,1e-5,1e-7,1e-9]";

#define FREE                                                                                                           \
    SB_LIST("verlet", "rk4", "rkn", "gauss:stages=4", "rkn_pair", "odeiv2", "odeiv2:method=rkf45", "adaptive(verlet)", \
            "adaptive_reversible(kahan_li8(verlet))")
#define CONSTRAINED                                                                                                    \
    SB_LIST("rattle", "yoshida4(rattle)", "kahan_li8(rattle)", "lobatto_iiia_b", "radau_iia", "generalized_alpha",     \
            "bdf", "projection(rk4)", "odeiv2", "odeiv2:method=rkf45")
#define MULTIBODY SB_LIST("radau_iia", "bdf", "generalized_alpha", "projection(rk4)", "odeiv2", "odeiv2:method=rkf45")

#define NONHOLONOMIC SB_LIST("radau_iia", "bdf", "projection(rk4)", "odeiv2", "odeiv2:method=rkf45")

#define STIFF                                                                                                          \
    SB_LIST("midpoint", "gauss:stages=4", "trapezoidal", "radau_iia", "bdf", "generalized_alpha", "hht", "bathe",      \
            "odeiv2", "odeiv2:method=rkf45")
#define RIGID                                                                                                          \
    SB_LIST("lie_rk", "lie_generalized_alpha", "radau_iia", "bdf", "generalized_alpha", "projection(rk4)", "odeiv2",   \
            "odeiv2:method=rkf45")
#define DRAG                                                                                                           \
    SB_LIST("euler_damped", "euler_symplectic", "euler_implicit", "midpoint", "trapezoidal", "bathe", "radau_iia",     \
            "odeiv2", "odeiv2:method=rkf45")
/* Sweeping solvers with ten sweeps per step, and of the same cost with ten substeps of one sweep. */
#define SWEEPS                                                                                                         \
    SB_LIST("rattle", "spook", "odeiv2", "xpbd:sweeps=10", "substeps(xpbd):sweeps=1,n=10",                             \
            "gauss_seidel_spook:sweeps=10", "substeps(gauss_seidel_spook):sweeps=1,n=10",                              \
            "soft_step:sweeps=10,relax=10", "substeps(soft_step):n=10")
/* soft_step with four substeps as well, the default of Box2D 3. */
#define CONTACTS SB_LIST("spook", "moreau", "reg", "vts", "gauss_seidel_spook", "soft_step", "substeps(soft_step):n=4")

enum { MOST = 64 }; /* steppers of a class */

typedef struct problem_class {
    const char *name, *problem;
    const char *const *steppers;
    const char *formulation; /* NULL: none */
    const char *uniform;     /* ranges of parameters in place of random initial states, which contacts exclude; NULL */
    const char *options;     /* of `workprec`, in addition; NULL: none */
} problem_class;

/* The classes that are drawn, and whose processor times are measured, come first. */
static const problem_class classes[] = {
    {"eccentric orbit", "kepler:e=0.6", FREE, NULL, NULL, NULL},
    {"planets", "outer_solar_system", FREE, NULL, NULL, NULL},
    {"chain of springs", "fput", FREE, NULL, NULL, NULL},
    {"pendulum", "pendulum", CONSTRAINED, NULL, NULL, NULL},
    {"smooth constraints", "dsp", CONSTRAINED, NULL, NULL, NULL},
    {"ladder", "ladder:N=1", CONSTRAINED, NULL, NULL, "scales=2"},
    {"multibody system", "andrews", MULTIBODY, NULL, NULL, "scales=2"},
    {"driven multibody system", "car_axis", NONHOLONOMIC, NULL, NULL, NULL},
    {"rigid body", "heavy_top", RIGID, NULL, NULL, NULL},
    {"close encounters", "pleiades", FREE, NULL, NULL, "scales=25"},
    {"chaotic motion", "henon_heiles:x0=0,y0=-0.15,vx0=0.49,vy0=0.05", FREE, NULL, NULL, "scales=10"},
    {"stiff springs", "pendulum", STIFF, "penalty:eps=1e-6", NULL, NULL},
    {"dampers", "slider_crank_sundials", MULTIBODY, NULL, NULL, NULL},
    {"drag", "oscillator", DRAG, NULL, "gamma=5:50,x0=0.5:1.5", NULL},
    {"chain of rods", "rod_chain:n=6", SWEEPS, NULL, NULL, NULL},
    {"impacts", "bouncing_ball", CONTACTS, NULL, "v0=-1:1,e=0.5:0.9", NULL},
    {"sliding friction", "block_incline:angle=0.3,v0=1", CONTACTS, NULL, "mu=0.35:0.49,v0=0.2:2", "scales=20"},
};
enum { CLASSES = sizeof classes / sizeof *classes, DRAWN = 9 };

static bool is_separable(const problem_class *class) { return strcmp(class->steppers[0], "verlet") == 0; }

/* Sets *out to the steppers of a class, NULL-terminated: those of its list, and for a separable problem the methods of
 * `splitting`. */
static int steppers_of(sb_bench *bench, const problem_class *class, const char *const **out) {
    const char **list, *rest = "";
    int count = 0;
    SB_NEW(&bench->arena, list, MOST + 1);
    for (; class->steppers[count] != NULL; count++) {
        list[count] = class->steppers[count];
    }
    if (is_separable(class)) {
        rest = sb_registry_find(bench->ctx, SB_KIND_STEPPER, "splitting")->params[0].choices;
    }
    while (*rest != '\0' && count < MOST) {
        const int length = (int)strcspn(rest, "|");
        SB_PRINT(&bench->arena, list[count], "splitting:method=%.*s", length, rest);
        count++;
        rest += length + (rest[length] == '|');
    }
    *out = list;
    return *rest == '\0' ? SB_OK : sb_fail(bench->ctx, SB_UNSUPPORTED, "ranking: more than %d steppers", MOST);
}

/* Sets *out to the options of `workprec` for a class. */
static int options_for(sb_bench *bench, const problem_class *class, const char **out) {
    sb_system sys;
    char scale[32];
    SB_SCRATCH(scratch, bench->ctx);
    SB_TRY(sb_system_build(bench->ctx, &scratch, class->problem, 0, NULL, &sys));
    snprintf(scale, sizeof scale, "%.1e", sys.time_scale / 4.0);
    const double fourth = strtod(scale, NULL);
    SB_PRINT(&bench->arena, *out, "%s%s%s,h=[", tolerances, class->options != NULL ? "," : "",
             class->options != NULL ? class->options : "");
    if (class->formulation != NULL) { /* four time scales of the problem, not of its fast springs */
        SB_PRINT(&bench->arena, *out, "t_end=%.9g,%s", 16.0 * fourth, *out);
    }
    for (double h = is_separable(class) ? 1.0 : 0.25; h >= smallest_step; h /= 2.0) {
        SB_PRINT(&bench->arena, *out, "%s%.9g%s", *out, 4.0 * h * fourth, h > smallest_step ? "," : "");
    }
    SB_PRINT(&bench->arena, *out, "%s]", *out);
    return SB_OK;
}

/* ---- Costs. ---- */

enum { LIMITS = 4 };
static const double limits[LIMITS] = {1e-2, 1e-4, 1e-6, 1e-8};

/* The evaluations that a stepper needs for an error, by members and in ascending order; infinite where it does not
 * reach the error. */
typedef struct cost {
    double of[MEMBERS], sorted[MEMBERS];
    int largest; /* number of members for which the largest step or tolerance suffices, so that less work may */
} cost;

typedef struct entrant {
    const char *stepper;
    cost costs[LIMITS];
} entrant;

/* Returns the least number of evaluations for an error of `limit`, from the rows of a run per step or tolerance, the
 * largest first: of a run with this error or less, or between it and the run before by a power law. Sets *largest if it
 * is the number of the first run. Returns infinity if no run has this error. */
static double find_cost(const sb_table *rows, double limit, bool *largest) {
    double work_before = NAN, error_before = NAN, least = INFINITY;
    for (int i = 0; i < rows->nrows; i++) {
        const double work = sb_table_real(rows, i, "evaluations"), error = sb_table_real(rows, i, "err_relative");
        const double between =
            error_before > limit && error > 0.0
                ? work_before * pow(work / work_before, log(error_before / limit) / log(error_before / error))
                : work;
        const double needed = fmin(work, between);
        if (error <= limit && needed < least) {
            least = needed;
            *largest = i == 0;
        }
        work_before = work;
        error_before = error;
    }
    return least;
}

/* Runs a pair on the members; its rows go to `points`. `first`: the number of the run with the first member. */
static int run_members(sb_bench *bench, const sb_product *product, const sb_analysis *workprec, int first,
                       sb_product_rows *points, entrant *out) {
    *out = (entrant){.stepper = sb_product_pair(product, first).stepper};
    for (int m = 0; m < MEMBERS; m++) {
        sb_table rows;
        const sb_pair member = sb_product_pair(product, first + m);
        SB_TRY(sb_table_begin(&rows, &bench->arena, workprec->ncolumns, workprec->columns));
        const int status = sb_product_run(bench->ctx, product, first + m, &member, &rows.sink);
        SB_TRY(status > 0 ? SB_OK : status); /* a numerical failure is in the rows */
        for (int k = 0; k < LIMITS; k++) {
            bool largest = false;
            out->costs[k].of[m] = find_cost(&rows, limits[k], &largest);
            out->costs[k].largest += largest;
        }
        SB_TRY(sb_table_write_rows(&rows, sb_product_rows_sink(points)));
        SB_TRY(sb_product_rows_end(points, first + m));
    }
    for (int k = 0; k < LIMITS; k++) {
        cost *c = &out->costs[k];
        memcpy(c->sorted, c->of, sizeof c->of);
        gsl_sort(c->sorted, 1, MEMBERS);
    }
    return SB_OK;
}

/* ---- The ranking. ---- */

/* Returns whether a costs less than b on every member. */
static bool is_better(const cost *a, const cost *b) {
    int fewer = 0;
    for (int m = 0; m < MEMBERS; m++) {
        fewer += a->of[m] < b->of[m];
    }
    return fewer == MEMBERS;
}

static int place_of(const entrant *list, int count, int i, int limit) {
    int place = 1;
    for (int j = 0; j < count; j++) {
        place += is_better(&list[j].costs[limit], &list[i].costs[limit]);
    }
    return place;
}

/* Returns a cost with three digits: the smallest limit is 1e3 times the error of the references, 1e-11, so that the
 * costs, roots of errors, are certain to 1e-3. */
static sb_cell cost_cell(double work) { return isfinite(work) ? sb_trusted(work, 5e-4 * work) : sb_empty(); }

static sb_cell share(int members) { return sb_trusted((double)members / MEMBERS, 5e-4); }

/* Returns whether row a of a ranking stands before row b: by place, steppers that tie by their medians. */
static bool before(const entrant *list, int count, int limit, int a, int b) {
    const double x = list[a].costs[limit].sorted[MEDIAN], y = list[b].costs[limit].sorted[MEDIAN];
    const int p = place_of(list, count, a, limit), q = place_of(list, count, b, limit);
    return isinf(x) != isinf(y) ? isinf(y) : p != q ? p < q : x < y;
}

static int write_limit(const char *class, const char *problem, const entrant *list, int count, int limit,
                       sb_sink *out) {
    int order[MOST];
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && before(list, count, limit, i, order[at - 1]); at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    for (int i = 0; i < count; i++) {
        const entrant *e = &list[order[i]];
        const cost *c = &e->costs[limit];
        int failed = 0;
        for (int m = 0; m < MEMBERS; m++) {
            failed += isinf(c->of[m]);
        }
        SB_TRY(SB_ROW(out, sb_text(class), sb_text(problem), sb_real(limits[limit]),
                      isinf(c->sorted[MEDIAN]) ? sb_empty() : sb_int(place_of(list, count, order[i], limit)),
                      sb_text(e->stepper), cost_cell(c->sorted[MEDIAN]), cost_cell(c->sorted[FIRST_QUARTILE]),
                      cost_cell(c->sorted[THIRD_QUARTILE]), share(failed), share(c->largest)));
    }
    return SB_OK;
}

/* Runs an ensemble of a problem: its rows go to `points`, its places to `ranking`. */
static int rank(sb_bench *bench, const problem_class *class, const sb_analysis *workprec, sb_table *points,
                sb_sink *ranking) {
    const char *options, *const *steppers;
    char *config;
    sb_call call = {.ensemble = {.members = MEMBERS, .width = 0.1, .uniform = class->uniform}};
    sb_product *product;
    sb_product_rows rows;
    entrant list[MOST];
    int count = 0;
    SB_TRY(options_for(bench, class, &options));
    SB_NEW(&bench->arena, config, workprec->entry.config_size);
    SB_TRY(sb_config_parse(bench->ctx, &bench->arena, &workprec->entry, options, config));
    SB_TRY(sb_specs_parse(bench->ctx, &bench->arena, SB_KIND_PROBLEM, 1, &class->problem, &call.problems));
    SB_TRY(sb_specs_parse(bench->ctx, &bench->arena, SB_KIND_FORMULATION, class->formulation != NULL,
                          &class->formulation, &call.formulations));
    SB_TRY(steppers_of(bench, class, &steppers));
    while (steppers[count] != NULL) {
        count++;
    }
    SB_TRY(sb_specs_parse(bench->ctx, &bench->arena, SB_KIND_STEPPER, count, steppers, &call.steppers));
    SB_TRY(sb_product_new(bench->ctx, &bench->arena, workprec, config, &call, &product));
    if (points->ncolumns == 0) {
        int ncolumns;
        const sb_column *all;
        SB_TRY(sb_analysis_columns(workprec, &call.ensemble, &bench->arena, &ncolumns, &all));
        SB_TRY(sb_table_begin(points, &bench->arena, ncolumns, all));
    }
    sb_product_rows_open(bench->ctx, product, &points->sink, &rows);
    int status = SB_OK;
    for (int i = 0; i < count && status == SB_OK; i++) {
        status = run_members(bench, product, workprec, i * MEMBERS, &rows, &list[i]);
    }
    sb_product_rows_close(&rows);
    for (int k = 0; k < LIMITS && status == SB_OK; k++) {
        status = write_limit(class->name, sb_product_pair(product, 0).problem, list, count, k, ranking);
    }
    return status;
}

SB_DEFINE_EXPERIMENT(ranking) {
    const sb_analysis *workprec = (const sb_analysis *)sb_registry_find(bench->ctx, SB_KIND_ANALYSIS, "workprec");
    sb_table points = {0}, others = {0}, ranking;
    SB_TRY(sb_bench_table(bench, "ranking", &ranking));
    for (int k = 0; k < CLASSES; k++) {
        SB_TRY(rank(bench, &classes[k], workprec, k < DRAWN ? &points : &others, &ranking.sink));
    }
    SB_TRY(sb_bench_save(bench, &ranking, "ranking.csv"));
    return sb_pareto_draw(bench, &points, "evaluations", "evaluations of terms", NULL, "ranking_points");
}

/* ---- Processor times. ---- */

SB_DEFINE_EXPERIMENT(ranking_times) {
    const sb_specs plain = {0};
    sb_table points = {0}, times;
    for (int k = 0; k < DRAWN; k++) {
        const char *options, *const *steppers;
        SB_TRY(options_for(bench, &classes[k], &options));
        SB_TRY(steppers_of(bench, &classes[k], &steppers));
        SB_TRY(sb_bench_analyse_more(bench, "workprec", options, SB_LIST(classes[k].problem), steppers, &points));
    }
    SB_TRY(sb_workprec_time(bench, &points, &plain, 0.002, &times));
    return sb_pareto_draw(bench, &times, "time", "processor time (ms)", NULL, "ranking_times");
}
