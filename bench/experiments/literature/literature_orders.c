/* Orders of compositions, of Gauss, Radau IIA and other steppers, with and without holonomic constraints: yoshida90,
 * suzuki90, kahan97, reich96, hlw06 II, hairer89, jay96. */
#include "bench/runner/experiment_tools.h"

/* A stepper on a problem, with the steps of the fit and the claimed orders of q, v and lambda, 0 where none is claimed.
 * The steps are such that the errors lie between round-off and the size of the motion. */
typedef struct entry {
    const char *claim, *problem, *stepper, *options;
    double order[3];
} entry;

/* The fast top of bruels10. */
#define FAST_TOP "heavy_top:m=15,J1=0.234375,J3=0.46875,theta0=1.5707963267948966,phidot0=-4.61538,psidot0=150"

static const entry entries[] = {
    {"literature-yoshida", "kepler:e=0.2", "yoshida4(verlet)", "h=[1/10,1/20,1/40,1/80],t_end=10", {4, 4, 0}},
    {"literature-yoshida", "henon_heiles", "yoshida4(verlet)", "h=[1/5,1/10,1/20,1/40],t_end=10", {4, 4, 0}},
    {"literature-suzuki", "kepler:e=0.2", "suzuki4(verlet)", "h=[1/10,1/20,1/40,1/80],t_end=10", {4, 4, 0}},
    {"literature-suzuki", "henon_heiles", "suzuki4(verlet)", "h=[1/5,1/10,1/20,1/40],t_end=10", {4, 4, 0}},
    {"literature-kahan6", "kepler:e=0.2", "kahan_li6(verlet)", "h=[1/4,1/8,1/16,1/32],t_end=10", {6, 6, 0}},
    {"literature-kahan6", "henon_heiles", "kahan_li6(verlet)", "h=[1/2,1/4,1/8,1/16],t_end=10", {6, 6, 0}},
    {"literature-kahan8", "kepler:e=0.2", "kahan_li8(verlet)", "h=[1/2,1/4,1/6,1/8],t_end=10", {8, 8, 0}},
    {"literature-kahan8", "henon_heiles", "kahan_li8(verlet)", "h=[1,1/2,1/3,1/4],t_end=10", {8, 8, 0}},
    {"literature-reich", "dsp", "yoshida4(rattle)", "h=[1/40,1/80,1/160,1/320],t_end=1", {4, 4, 0}},
    {"literature-reich", "pendulum", "yoshida4(rattle)", "h=[1/40,1/80,1/160,1/320],t_end=1", {4, 4, 0}},
    {"literature-gauss", "kepler:e=0.2", "gauss:stages=1", "h=[1/10,1/20,1/40,1/80],t_end=10", {2, 2, 0}},
    {"literature-gauss", "kepler:e=0.2", "gauss:stages=2", "h=[1/5,1/10,1/20,1/40],t_end=10", {4, 4, 0}},
    {"literature-gauss", "kepler:e=0.2", "gauss:stages=3", "h=[1/2,1/4,1/8,1/16],t_end=10", {6, 6, 0}},
    {"literature-gauss", "kepler:e=0.2", "gauss:stages=4", "h=[1/2,1/4,1/6,1/8],t_end=10", {8, 8, 0}},
    {"literature-radau3", "dsp", "radau_iia:stages=2,index=3", "h=[1/20,1/40,1/80,1/160],t_end=1", {3, 2, 1}},
    {"literature-radau3", "dsp", "radau_iia:stages=3,index=3", "h=[1/20,1/40,1/80,1/160],t_end=1", {5, 3, 2}},
    {"literature-radau2", "dsp", "radau_iia:stages=2,index=2", "h=[1/20,1/40,1/80,1/160],t_end=1", {3, 3, 2}},
    {"literature-radau2", "dsp", "radau_iia:stages=3,index=2", "h=[1/20,1/40,1/80,1/160],t_end=1", {5, 5, 3}},
    {"literature-jay", "dsp", "lobatto_iiia_b:stages=2", "h=[1/20,1/40,1/80,1/160],t_end=1", {2, 2, 0}},
    {"literature-jay", "dsp", "lobatto_iiia_b:stages=3", "h=[1/20,1/40,1/80,1/160],t_end=1", {4, 4, 0}},
    {"literature-jay", "dsp", "lobatto_iiia_b:stages=4", "h=[1/10,1/20,1/30,1/40],t_end=1", {6, 6, 0}},
    {"literature-bdf", "dsp", "bdf:order=2,index=2", "h=[1/50,1/100,1/200,1/400],t_end=1", {2, 2, 0}},
    {"literature-bdf", "dsp", "bdf:order=3,index=2", "h=[1/50,1/100,1/200,1/400],t_end=1", {3, 3, 0}},
    {"literature-bdf", "dsp", "bdf:order=4,index=2", "h=[1/50,1/100,1/200,1/400],t_end=1", {4, 4, 0}},
    {"literature-nystrom", "henon_heiles", "rkn:table=calvo_sanz_serna4", "h=[1/2,1/4,1/8,1/16],t_end=10", {4, 4, 0}},
    {"literature-newmark1", "henon_heiles", "newmark:gamma=0.6", "h=[1/20,1/40,1/80,1/160],t_end=10", {1, 1, 0}},
    {"literature-hht2", "henon_heiles", "hht:alpha=0.3", "h=[1/10,1/20,1/40,1/80],t_end=10", {2, 2, 0}},
    {"literature-arnold", "dsp", "generalized_alpha", "h=[1/40,1/80,1/160,1/320],t_end=1", {2, 2, 2}},
    {"literature-arnold", "pendulum", "generalized_alpha", "h=[1/40,1/80,1/160,1/320],t_end=1", {2, 2, 2}},
    {"literature-munthekaas", "rigid_body", "lie_rk:order=2", "h=[1/20,1/40,1/80,1/160],t_end=1", {2, 2, 0}},
    {"literature-munthekaas", "rigid_body", "lie_rk:order=3", "h=[1/20,1/40,1/80,1/160],t_end=1", {3, 3, 0}},
    {"literature-munthekaas", "rigid_body", "lie_rk:order=4", "h=[1/20,1/40,1/80,1/160],t_end=1", {4, 4, 0}},
    {"literature-bruels", FAST_TOP, "lie_generalized_alpha", "h=[1/500,1/1000,1/2000,1/4000],t_end=1/5", {2, 2, 2}},
};
enum { VARIABLES = 3 };

/* Records the powers in the last row of the table, which is the fit. */
static int record(sb_bench *bench, const entry *s, const sb_table *table) {
    static const char *const slope[VARIABLES] = {"slope_q", "slope_v", "slope_lambda"};
    static const char *const error[VARIABLES] = {"se_q", "se_v", "se_lambda"};
    const int fit = table->nrows - 1;
    for (int i = 0; i < VARIABLES; i++) {
        if (s->order[i] > 0.0) {
            SB_TRY(sb_bench_measure(
                bench, sb_bench_format(bench, "%s/%s-%s-%s", s->claim, s->problem, s->stepper, slope[i] + 6),
                sb_table_real(table, fit, slope[i]), sb_table_real(table, fit, error[i])));
        }
    }
    return SB_OK;
}

static int run(sb_bench *bench) {
    sb_table table = {0};
    for (int i = 0; i < SB_COUNT(entries); i++) {
        const entry *s = &entries[i];
        SB_TRY(sb_bench_analyse_more(bench, "order", s->options, SB_LIST(s->problem), SB_LIST(s->stepper), &table));
        SB_TRY(record(bench, s, &table));
    }
    return sb_bench_save(bench, &table, "literature_orders.csv");
}

SB_DEFINE_EXPERIMENT(literature_orders) = {
    .entry = {"literature_orders", "Orders of compositions, Gauss, Radau IIA and generalized-alpha steppers.",
              "hlw06 II", NULL, 0},
    .files = SB_LIST("literature_orders.csv"),
    .run = run,
};
