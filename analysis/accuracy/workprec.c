/* Analysis `workprec`: error against work over a list of steps or tolerances, the points of a work-precision diagram.
 * hnw93 II.10. */
#include "analysis/accuracy/order.h"
#include "analysis/accuracy/work.h"
#include "analysis/row.h"
#include "core/base/params.h"
#include "core/base/text.h"

typedef struct workprec_config {
    sb_order_config order; /* first: sb_order_measure and sb_order_check read it */
    sb_reals weights;      /* weights of the kinds of work */
} workprec_config;

/* Measures the work. For a stepper with error control the run has one output, at its end: the mesh of the stepper does
 * not depend on the outputs. */
static int measure_work(const sb_task *task, const sb_order *order, const sb_order_level *level, sb_work *work) {
    sb_pair pair;
    if (isnan(level->tolerance)) {
        return sb_work_measure(task->ctx, task->pair, level->h, level->steps, work);
    }
    SB_TRY(sb_order_pair(task->ctx, task->arena, task->pair, level, &pair));
    return sb_work_measure(task->ctx, &pair, (double)order->samples * level->h, 1, work);
}

/* An error beyond this multiple of the motion says only that the run does not stay bounded. */
static const double unbounded = 100.0;

static sb_cell error_cell(const sb_order_level *level, int k, double unit) {
    return sb_filled(sb_residual(level->error[k] / unit, level->floor[k] / unit));
}

/* Returns a count, rounded to the digits that do not depend on round-off, to a unit of the first one if less; NaN: not
 * counted. */
static sb_cell count_cell(double count, double relative) {
    return isnan(relative) ? sb_empty() : relative > 0.0 ? sb_residual(count, relative * count) : sb_known(count);
}

static int write_level(const sb_task *task, const sb_order *order, const sb_order_level *level) {
    const workprec_config *config = task->config;
    const bool plateau = level->error[SB_ERR_Q] <= 10.0 * level->floor[SB_ERR_Q], adaptive = level->tolerance > 0.0;
    const bool lost = order->size_q > 0.0 && level->error[SB_ERR_Q] > unbounded * order->size_q;
    const double unit = lost ? (double)NAN : 1.0; /* NaN leaves the errors out */
    sb_work work;
    SB_TRY(measure_work(task, order, level, &work));
    const double u = task->pair->type->uncounted ? (double)NAN : sb_work_uncertainty(&work),
                 evaluations = isnan(u) ? u : sb_work_weighted(&work, config->weights.x);
    return sb_row_status(task,
                         lost      ? "unbounded"
                         : plateau ? "plateau"
                                   : SB_STATUS_OK,
                         SB_CELLS(sb_known(level->tolerance),
                                  sb_real((double)(adaptive ? order->samples : level->steps) * level->h),
                                  sb_int(adaptive ? work.substeps : level->steps), sb_int(work.rejected),
                                  error_cell(level, SB_ERR_Q, unit), error_cell(level, SB_ERR_V, unit),
                                  error_cell(level, SB_ERR_LAMBDA, unit), error_cell(level, SB_ERR_ENERGY, unit),
                                  error_cell(level, SB_ERR_Q, unit * order->size_q), count_cell(evaluations, u),
                                  count_cell((double)work.counts.force, u), count_cell((double)work.counts.hessian, u),
                                  count_cell((double)work.counts.constraint, u),
                                  count_cell((double)work.counts.mass, u), count_cell((double)work.factorizations, u),
                                  count_cell((double)work.iters, u), sb_order_reference_cell(order, SB_ERR_Q)));
}

static int run(sb_task *task) {
    sb_order order;
    SB_TRY(sb_order_measure(task->ctx, task->arena, task->config, task->pair, &order));
    for (int i = 0; i < order.n; i++) {
        const sb_order_level *level = &order.levels[i];
        task->h = level->h;
        task->failed = level->why != SB_OK ? level->why : task->failed;
        const sb_cell tol = sb_known(level->tolerance);
        SB_TRY(level->failure != NULL ? sb_row_status(task, level->failure, 1, &tol)
                                      : write_level(task, &order, level));
    }
    return SB_OK;
}

static const sb_param params[] = {
    SB_ORDER_PARAMS(sb_order_config, "8", "4"),
    {"weights", SB_REALS, offsetof(workprec_config, weights), "1,1,1,1,0", 0.0, INFINITY, SB_OPEN_HI, "measured", "",
     "cost of one force, jacobian, constraint, mass and factor in the sum `evaluations`, in any unit; measured: their "
     "processor times on the problem, over that of a force"},
    {0}};

static int measure(sb_context *ctx, sb_arena *arena, const sb_system *sys, void *options, const char **measured) {
    workprec_config *config = options;
    const sb_param *weights = &params[sizeof params / sizeof *params - 2];
    if (config->weights.n > 0) {
        return SB_OK;
    }
    config->weights.n = SB_WORK_KINDS;
    SB_NEW(arena, config->weights.x, SB_WORK_KINDS);
    SB_TRY(sb_costs_measure(ctx, sys, config->weights.x));
    const char *values = sb_param_format(arena, weights, config);
    SB_PRINT(arena, *measured, "--weights=%s", values != NULL ? values : "");
    return SB_OK;
}

static int check(const sb_task *task) {
    const workprec_config *config = task->config;
    return config->weights.n == SB_WORK_KINDS
               ? sb_order_check(task)
               : sb_fail(task->ctx, SB_BAD_USAGE,
                         "workprec: weights has %d numbers; it takes %d, for force, jacobian, constraint, mass and "
                         "factor",
                         config->weights.n, SB_WORK_KINDS);
}

static const sb_column columns[] = {
    SB_COLUMN_PROBLEM,
    SB_COLUMN_STEPPER,
    {"h", SB_COL_KEY, "s", "step, or interval of output with error control"},
    SB_COLUMN_TOL,
    {"t_end", SB_COL_INFO, "s", "end of the run"},
    {"steps", SB_COL_INFO, "", "number of steps that were accepted"},
    {"rejected", SB_COL_INFO, "", "number of steps that error control rejected"},
    {"err_q", SB_COL_ERROR, "",
     "largest 2-norm of the position error over the multiples of the largest step at which there is a reference"},
    {"err_v", SB_COL_ERROR, "", "the same of the reported velocity"},
    {"err_lambda", SB_COL_ERROR, "",
     "the same of the reported multipliers, of redundant rows those of least norm that exert their force; empty "
     "without constraints, or if the method has no multipliers"},
    {"err_energy", SB_COL_ERROR, "J", "the same of the energy of the reported state"},
    {"err_relative", SB_COL_ERROR, "", "err_q over the largest |q| of the reference"},
    {"evaluations", SB_COL_EXACT, "",
     "evaluations of the problem's terms in all steps, rejected ones included: the sum of force, jacobian, constraint, "
     "mass and factor, each times its weight; by default the factorizations have none"},
    {"force", SB_COL_EXACT, "", "evaluations of V_q and f, which count as one together"},
    {"jacobian", SB_COL_EXACT, "", "evaluations of second derivatives: of V, T, f or the constraints"},
    {"constraint", SB_COL_EXACT, "", "evaluations of g, G or A"},
    {"mass", SB_COL_EXACT, "", "evaluations of M(q)"},
    {"factor", SB_COL_EXACT, "", "factorizations of a saddle-point matrix or a Schur complement"},
    {"iters", SB_COL_EXACT, "", "Newton iterations"},
    {"status", SB_COL_INFO, "",
     "ok, plateau (err_q is within 10 times the round-off or the error of the reference), unbounded (err_q exceeds 100 "
     "times the largest |q|: the errors are left out), or why there is no result"},
    {"ref_q", SB_COL_INFO, "", "estimated error of the reference, in the norm of err_q"}};

SB_DEFINE_ANALYSIS(workprec) = {
    .entry = {"workprec",
              "error against evaluations, factorizations and iterations: the points of a work-precision diagram",
              "hnw93 II.10", params, sizeof(workprec_config)},
    .forward = true,
    SB_COLUMNS(columns),
    .example = "stepbench workprec -p kepler -s verlet -s rk4 --plot workprec.svg",
    .plot = "workprec",
    .measure = measure,
    .check = check,
    .run = run};
