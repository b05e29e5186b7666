/* Compares numbers that other codes print with solutions in binary128: the digits that are right, of theirs and of a
 * run in double precision, and whose the error is where they differ.
 *
 * The solutions are files in the format of `stepbench reference`; where there are constraints, of the index-1
 * equations. The printed values are from ivptest08, for andrews and pleiades computed with tolerances of 1e-14 and
 * below, and from the output that is shipped with the example idaSlCrank_dns of sundials05, by IDA with tolerances of
 * 1e-6. */
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/data/data.h"
#include "bench/runner/experiment_tools.h"
#include "bench/runner/trajectory.h"
#include "core/run/solution.h"

enum { VALUES_MAX = 28 };

/* Positions and velocities at the end, as printed; NULL: not published. */
typedef struct published {
    const char *problem, *file, *source, *check; /* check: stepper of the run in double precision */
    const char *reference;                       /* the command that has given the solution in binary128 */
    long steps;                                  /* number of steps of the check run */
    int n;                                       /* coordinates that are published, the first ones */
    const char *values[VALUES_MAX];
} published;

static const published list[] = {
    {"andrews",
     "andrews.json",
     "ivptest08",
     "lobatto_iiia_b:stages=4,tol=1e-13",
     "stepbench reference andrews --t-end 0.03 --samples 3 --goal 1e-15 --second gauss:stages=5",
     3000,
     7,
     {"0.1581077119629904e2", "-0.1575637105984298e2", "0.4082224013073101e-1", "-0.5347301163226948",
      "0.5244099658805304", "0.5347301163226948", "0.1048080741042263e1", "0.1139920302151208e4",
      "-0.1424379294994111e4", "0.1103291221937134e2", "0.1929337464421385e2", "0.5735699284790808",
      "-0.1929337464421385e2", "0.3231791658026955"}},
    {"car_axis",
     "car_axis.json",
     "ivptest08",
     "radau_iia:stages=3,tol=1e-13",
     "stepbench reference car_axis --t-end 3 --samples 1 --h 0.0125 --goal 1e-13 --second gauss:stages=5",
     6000,
     4,
     {"0.4934557842755629e-1", "0.4969894602303324", "0.1041742524885400e1", "0.3739110272652214",
      "-0.7705836840321485e-1", "0.7446866596327776e-2", "0.1755681574942899e-1", "0.7703410437794031"}},
    {"slider_crank_sundials",
     "slider_crank_sundials.json",
     "sundials05",
     "lobatto_iiia_b:stages=4,tol=1e-13",
     "stepbench reference slider_crank_sundials --t-end 10 --samples 1 --goal 1e-16 --second gauss:stages=5",
     1000,
     3,
     {"1.2757e+00", "1.0236e+00", "-4.9881e-01"}},
    /* The start is consistent; the printed one, of nine digits, is not, by 2e-10 in the slide and 4e-8 in a rate, which
     * bounds the digits that can agree. */
    {"flexible_slider_crank:E=2e11",
     "flexible_slider_crank.json",
     "ivptest08",
     "radau_iia:stages=3,tol=1e-13",
     "stepbench reference flexible_slider_crank:E=2e11 --t-end 0.1 --samples 1 --h 2e-5 --goal 1e-11 --halvings 1 "
     "--second gauss:stages=5",
     10000,
     7,
     {"1.500000000000000e+01", "-3.311734987910881e-01", "1.697373326718410e-01", "1.893192460247178e-04",
      "2.375751865617931e-05", "-5.323907988763734e-06", "-8.363283141616840e-06", "1.500000000000000e+02",
      "6.025346682645789e+01", "-8.753116989887888e+00", "-3.005536801092212e-02", "-5.500488291932075e-03",
      "4.978243404809343e-04", "1.104933470696396e-03"}},
    {"pleiades",
     "pleiades.json",
     "ivptest08",
     "rkn_pair:rtol=1e-14",
     "stepbench --precision=quad run -p pleiades -s rkn_pair:rtol=1e-27 --h 3 --t-end 3",
     1,
     14,
     {"0.3706139143970502", "-3.943437585517392",  "3.237284092057233",   "-3.271380973972550",  "-3.222559032418324",
      "5.225081843456543",  "0.6597091455775310",  "-2.590612434977470",  "0.3425581707156584",  "1.198213693392275",
      "1.562172101400631",  "-0.2429682344935824", "-0.7003092922212495", "1.091449240428980",   "3.417003806314313",
      "-3.741244961234010", "1.354584501625501",   "0.3773459685750630",  "-2.590065597810775",  "0.9386858869551073",
      "2.025053734714242",  "0.3667922227200571",  "-1.155815100160448",  "-0.3474046353808490", "-0.8072988170223021",
      "2.344915448180937",  "0.5952396354208710",  "-1.947020434263292"}},
};

static const sb_column columns[] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"quantity", SB_COL_KEY, "", "coordinate or velocity"},
    {"t", SB_COL_INFO, "s", "the end of the motion"},
    {"published", SB_COL_INFO, "", "as printed"},
    {"ours", SB_COL_INFO, "", "of the run in double precision, to the digits that are right"},
    {"solution", SB_COL_EXACT, "", "solution in binary128, rounded to double"},
    {"bound", SB_COL_ERROR, "", "bound of the error of the solution"},
    {"difference", SB_COL_ERROR, "", "published minus solution, relative; at most round-off where it is below 2e-16"},
    {"check", SB_COL_ERROR, "",
     "bound of the relative difference of the run in double precision, a power of ten: most of it is round-off, and "
     "another run has as much with the other sign"},
    {"digits", SB_COL_EXACT, "", "digits of the published value that are right"},
    {"verdict", SB_COL_INFO, "",
     "right: to a unit of the last digit, of sixteen the fifteenth; else the digits that are"},
    {"error_of", SB_COL_INFO, "", "whose the error is where they differ: published, by more than the bound; else open"},
    {"source", SB_COL_INFO, "", "reference of the published value"},
    {"command", SB_COL_INFO, "", "the run in double precision; its last row"},
    {"reference", SB_COL_INFO, "", "the command of the solution in binary128"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Returns the number of significant digits of a number as printed. */
static int digits_printed(const char *text) {
    int digits = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        digits += isdigit((unsigned char)*text) && (digits > 0 || *text != '0');
    }
    return digits;
}

/* Returns the number of leading digits that agree to a unit of the last of them, at most those printed. */
static int digits_right(double value, double exact, int printed) {
    const double relative = fabs(value - exact) / pow(10.0, floor(log10(fabs(exact))) + 1.0);
    return relative > 0.0 ? (int)fmin(printed, fmax(0.0, floor(-log10(relative)))) : printed;
}

static int write_value(const published *p, const sb_solution *s, const sb_path *check, int i, sb_sink *sink) {
    char quantity[16], verdict[40], command[200];
    const bool velocity = i >= p->n;
    const long at = i % p->n;
    const double exact = (velocity ? s->v : s->q)[s->count * s->n + at], bound = s->bound[velocity],
                 value = strtod(p->values[i], NULL),
                 other = (velocity ? check->v : check->q)[(check->count - 1) * s->n + at],
                 run = fabs(other / exact - 1.0);
    /* Rounding both to double leaves an error of one unit of 2^-53 each: the sixteenth digit counts to two units. */
    const int printed = digits_printed(p->values[i]), digits = digits_right(value, exact, printed);
    const bool right = digits >= (printed < 15 ? printed : 15);
    const char *whose = right ? "" : fabs(value - exact) > bound ? "published" : "open";
    const double t_end = (double)s->count * s->dt;
    snprintf(command, sizeof command, "stepbench run -p %s -s %s --h %.9g --t-end %.9g --every %ld", p->problem,
             p->check, t_end / (double)p->steps, t_end, p->steps);
    snprintf(quantity, sizeof quantity, "%c%ld", velocity ? 'v' : 'q', at);
    snprintf(verdict, sizeof verdict, right ? "right" : "%d of %d digits", digits, printed);
    const sb_cell cells[COLUMNS] = {sb_text(p->problem),
                                    sb_text(quantity),
                                    sb_real(s->t0 + (double)s->count * s->dt),
                                    sb_text(p->values[i]),
                                    sb_trusted(other, fmax(DBL_EPSILON, run) * fabs(exact)),
                                    sb_trusted(exact, fmax(bound, DBL_EPSILON * fabs(exact))),
                                    sb_real(bound),
                                    sb_trusted(value / exact - 1.0, DBL_EPSILON),
                                    sb_residual(run, fmax(DBL_EPSILON, run)),
                                    sb_int(digits),
                                    sb_text(verdict),
                                    sb_text(whose),
                                    sb_text(p->source),
                                    sb_text(command),
                                    sb_text(p->reference)};
    return sink->row(sink, cells);
}

static int compare(sb_bench *bench, const published *p, sb_sink *sink) {
    const char *path;
    sb_system sys;
    sb_solution s;
    sb_path check;
    SB_TRY(sb_data_find(bench->ctx, &bench->arena, "experiments", p->file, &path));
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, p->problem, 0, NULL, &sys));
    SB_TRY(sb_solution_read(bench->ctx, &bench->arena, p->problem, &sys, path, &s));
    const sb_run run = {.h = (double)s.count * s.dt / (double)p->steps, .steps = p->steps, .every = p->steps};
    SB_TRY(sb_bench_whole_path(bench, p->problem, "", p->check, &run, &check));
    for (int i = 0; i < 2 * p->n; i++) {
        SB_TRY(p->values[i] != NULL ? write_value(p, &s, &check, i, sink) : SB_OK);
    }
    return SB_OK;
}

static int run(sb_bench *bench) {
    sb_table table;
    SB_TRY(SB_TABLE(bench, columns, &table));
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        SB_TRY(compare(bench, &list[i], &table.sink));
    }
    return sb_bench_save(bench, &table, "agreement.csv");
}

SB_DEFINE_EXPERIMENT(agreement) = {
    .entry = {"agreement",
              "Numbers that other codes print, compared with solutions in binary128: whose digits are right.",
              "ivptest08", NULL, 0},
    .files = SB_LIST("agreement.csv"),
    .run = run,
};
