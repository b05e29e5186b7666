/* Compares numbers that other codes print with solutions in binary128: the digits that are right, of theirs and of a
 * run in double precision, and whose the error is where they differ.
 *
 * The solutions are files in the format of `stepbench reference`; where there are constraints, of the index-1
 * equations. The printed values are from
 *
 * - ivptest08, for andrews and pleiades computed with tolerances of 1e-14 and below;
 * - the output that is shipped with the example idaSlCrank_dns of sundials05, by IDA with tolerances of 1e-6;
 * - the results of the example program of D02LAF in nag17, by a Runge-Kutta-Nystrom pair with TOL = 1e-5;
 * - the file with which siconos24 compares its example SimplePendulumED_Lsodar;
 * - two tests of kynema26: the expected numbers of one with steps of 2 ms, at 0.8 s, and the benchmark of the other, of
 *   another code with steps of 2 us, at 2 s. */
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/data/data.h"
#include "bench/runner/experiment_tools.h"
#include "bench/runner/trajectory.h"
#include "core/run/solution.h"

enum { VALUES_MAX = 40 };

/* Positions and velocities at the last samples of a solution, as printed; NULL: not published. */
typedef struct published {
    const char *problem, *file, *source, *check; /* check: stepper of the run in double precision */
    const char *reference;                       /* the command that has given the solution in binary128 */
    long steps;                                  /* number of steps of the check run */
    int n;                                       /* coordinates that are published, the first ones */
    const char *values[VALUES_MAX];
    long samples;               /* that are printed, the last ones */
    const double *sign, *shift; /* the source prints sign x + shift for a coordinate or velocity x; NULL: x */
} published;

/* Siconos has y downward. Kynema prints displacements from (0, 1, 0), turned by half a turn about z. */
static const double siconos_sign[] = {1.0, -1.0, 1.0, -1.0}, kynema_sign[] = {-1.0, -1.0, 1.0, -1.0, -1.0, 1.0},
                    kynema_shift[] = {0.0, -1.0, 0.0, 0.0, 0.0, 0.0};

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
      "-0.1929337464421385e2", "0.3231791658026955"},
     1,
     NULL,
     NULL},
    {"car_axis",
     "car_axis.json",
     "ivptest08",
     "radau_iia:stages=3,tol=1e-13",
     "stepbench reference car_axis --t-end 3 --samples 1 --h 0.0125 --goal 1e-13 --second gauss:stages=5",
     6000,
     4,
     {"0.4934557842755629e-1", "0.4969894602303324", "0.1041742524885400e1", "0.3739110272652214",
      "-0.7705836840321485e-1", "0.7446866596327776e-2", "0.1755681574942899e-1", "0.7703410437794031"},
     1,
     NULL,
     NULL},
    {"slider_crank_sundials",
     "slider_crank_sundials.json",
     "sundials05",
     "lobatto_iiia_b:stages=4,tol=1e-13",
     "stepbench reference slider_crank_sundials --t-end 10 --samples 1 --goal 1e-16 --second gauss:stages=5",
     1000,
     3,
     {"1.2757e+00", "1.0236e+00", "-4.9881e-01"},
     1,
     NULL,
     NULL},
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
      "4.978243404809343e-04", "1.104933470696396e-03"},
     1,
     NULL,
     NULL},
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
      "2.344915448180937",  "0.5952396354208710",  "-1.947020434263292"},
     1,
     NULL,
     NULL},
    {"kepler:e=0.5",
     "kepler_nag.json",
     "nag17",
     "rkn_pair:rtol=1e-14",
     "stepbench reference kepler:e=0.5 --t-end 20 --samples 10",
     10,
     2,
     {"-1.20573", "0.61357", NULL, NULL, "-1.33476", "-0.47685", NULL, NULL, "0.35748",  "-0.44558", NULL, NULL,
      "-1.03762", "0.73022", NULL, NULL, "-1.42617", "-0.32658", NULL, NULL, "0.05516",  "-0.72031", NULL, NULL,
      "-0.82880", "0.81787", NULL, NULL, "-1.48103", "-0.16789", NULL, NULL, "-0.26718", "-0.84223", NULL, NULL,
      "-0.57804", "0.86338", NULL, NULL},
     10,
     NULL,
     NULL},
    {"pendulum:theta0=1.0471975511965976",
     "pendulum_siconos.json",
     "siconos24",
     "lobatto_iiia_b:stages=4,tol=1e-13",
     "stepbench reference pendulum:theta0=1.0471975511965976 --t-end 10 --samples 2",
     10000,
     2,
     {"-4.526200299100497e-01", "8.917034868848950e-01", "-2.472001245378372e+00", "-1.254763824609265e+00",
      "-6.066684959148978e-01", "7.949549270620564e-01", "1.912360807451545e+00", "1.459414886565513e+00"},
     2,
     siconos_sign,
     NULL},
    {"heavy_top:m=15,J1=0.234375,J3=0.46875,theta0=1.5707963267948966,phidot0=-4.61538,psidot0=150",
     "heavy_top_kynema.json",
     "kynema26",
     "odeiv2:rtol=1e-13",
     "stepbench reference heavy_top:m=15,J1=0.234375,J3=0.46875,theta0=1.5707963267948966,phidot0=-4.61538,"
     "psidot0=150 --t-end 2 --samples 5 --h 0.01 --goal 1e-9 --second gauss:stages=5",
     5,
     3,
     {NULL,
      NULL,
      NULL,
      NULL,
      NULL,
      NULL,
      "-0.42217802273894345",
      "-0.09458263530050703",
      "-0.04455460488952848",
      NULL,
      NULL,
      NULL,
      NULL,
      NULL,
      NULL,
      NULL,
      NULL,
      NULL,
      NULL,
      NULL,
      NULL,
      NULL,
      NULL,
      NULL,
      "-0.150416985652933",
      "-1.724164450779749",
      "-0.673023460701136",
      NULL,
      NULL,
      NULL},
     5,
     kynema_sign,
     kynema_shift},
};

enum { COLUMNS = 15, QUANTITY_SIZE = 24 };

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

/* Sets a text to the name of a quantity as the source prints it: "q1", "-q1" or "-q1-1". */
static void name_quantity(const published *p, int i, char out[QUANTITY_SIZE]) {
    const double sign = p->sign != NULL ? p->sign[i] : 1.0, shift = p->shift != NULL ? p->shift[i] : 0.0;
    const int length = snprintf(out, QUANTITY_SIZE, "%s%c%d", sign < 0.0 ? "-" : "", i < p->n ? 'q' : 'v', i % p->n);
    if (shift != 0.0) {
        snprintf(out + length, QUANTITY_SIZE - (size_t)length, "%+g", shift);
    }
}

/* Writes the row of number i of sample j. */
static int write_value(const published *p, const sb_solution *s, const sb_path *check, long j, int i, const char *text,
                       sb_table *table) {
    char quantity[QUANTITY_SIZE], verdict[40], command[300];
    const bool velocity = i >= p->n;
    const long at = j * s->n + i % p->n;
    const double sign = p->sign != NULL ? p->sign[i] : 1.0, shift = p->shift != NULL ? p->shift[i] : 0.0,
                 exact = sign * (velocity ? s->v : s->q)[at] + shift, bound = s->bound[velocity],
                 value = strtod(text, NULL), other = sign * (velocity ? check->v : check->q)[at] + shift,
                 run = fabs(other / exact - 1.0);
    /* Rounding both to double leaves an error of one unit of 2^-53 each: the sixteenth digit counts to two units. */
    const int printed = digits_printed(text), digits = digits_right(value, exact, printed);
    const bool right = digits >= (printed < 15 ? printed : 15);
    const char *whose = right ? "" : fabs(value - exact) > bound ? "published" : "open";
    const double t_end = (double)s->count * s->dt;
    snprintf(command, sizeof command, "stepbench run -p %s -s %s --h %.9g --t-end %.9g --every %ld", p->problem,
             p->check, t_end / (double)p->steps, t_end, p->steps / s->count);
    name_quantity(p, i, quantity);
    snprintf(verdict, sizeof verdict, right ? "right" : "%d of %d digits", digits, printed);
    const sb_cell cells[COLUMNS] = {sb_text(p->problem),
                                    sb_text(quantity),
                                    sb_real(s->t0 + (double)j * s->dt),
                                    sb_text(text),
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
    return sb_bench_cells(table, SB_COUNT(cells), cells);
}

static int compare(sb_bench *bench, const published *p, sb_table *table) {
    const char *path;
    sb_system sys;
    sb_solution s;
    sb_path check;
    SB_TRY(sb_data_find(bench->ctx, &bench->arena, "experiments", p->file, &path));
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, p->problem, 0, NULL, &sys));
    SB_TRY(sb_solution_read(bench->ctx, &bench->arena, p->problem, &sys, path, &s));
    const sb_run run = {.h = (double)s.count * s.dt / (double)p->steps, .steps = p->steps, .every = p->steps / s.count};
    SB_TRY(sb_bench_whole_path(bench, p->problem, "", p->check, &run, &check));
    for (long k = 0; k < p->samples; k++) {
        for (int i = 0; i < 2 * p->n; i++) {
            const char *text = p->values[2 * p->n * k + i];
            SB_TRY(text != NULL ? write_value(p, &s, &check, s.count - p->samples + 1 + k, i, text, table) : SB_OK);
        }
    }
    return SB_OK;
}

static int run(sb_bench *bench) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "agreement", &table));
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        SB_TRY(compare(bench, &list[i], &table));
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
