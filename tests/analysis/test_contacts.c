/* Complementarity, balance and creep against what is known of blocks, balls and rods. */
#include <stepbench/numerics/norm.h>

#include "analysis/contact/measures.h"
#include "analysis/contact/steps.h"
#include "tests/analysis/fixture.h"

static sb_balance balance_of(fixture *f, const char *problem, const char *stepper, double h, long steps, double at) {
    const sb_pair pair = pair_of(f, problem, stepper);
    sb_balance x = {0};
    const int status = sb_balance_measure(&f->ctx, &f->arena, &pair, h, steps, at, &x);
    gsl_test(status != SB_OK, "%s on %s is balanced: %s", stepper, problem, status == SB_OK ? "it is" : f->ctx.message);
    return x;
}

/* A block slides s = a t^2/2 against mu m g cos: Moreau's midpoint has it exactly. The regularized stepper's way is a t
 * (t + h)/2, and what its potential falls by in excess is h/2 m g sin v. */
static void block(fixture *f) {
    const double g = 9.81, angle = 0.5, mu = 0.4, a = g * (sin(angle) - mu * cos(angle)), h = 0.01, t = 1.0;
    const double friction = mu * g * cos(angle);
    const sb_balance moreau = balance_of(f, "block_incline", "moreau", h, 100, 0.5),
                     reg = balance_of(f, "block_incline", "reg", h, 100, 0.0);
    /* A hundred steps with a third of their digits, see SB_BOX_FLOOR. */
    const double tol = 1e-9;
    near(moreau.friction, friction * 0.5 * a * t * t, tol, "friction times the way");
    near(moreau.lost, moreau.friction, tol, "is all that is lost");
    near(moreau.defect, 0.0, tol, "and balanced");
    near(reg.friction, friction * 0.5 * a * t * t, tol, "the mean of two velocities is that of the step");
    near(reg.defect, 0.5 * h * g * sin(angle) * a * t, tol, "the potential falls by half a step more");
    near(reg.contacts, 0.0, tol, "no impacts");
    /* The rows of both analyses. */
    sb_table table;
    rows(f, "balance", "at=0.5,t_end=1", "block_incline", "moreau", &table);
    for (int i = 0; i < table.nrows; i++) {
        near(sb_table_real(&table, i, "friction"), sb_table_real(&table, i, "lost"), tol, "lost with every step");
        near(sb_table_real(&table, i, "defect"), 0.0, tol, "and balanced");
    }
    rows(f, "complementarity", "t_end=1", "block_incline", "moreau", &table);
    for (int i = 0; i < table.nrows; i++) {
        near(sb_table_real(&table, i, "cone"), 0.0, tol, "friction stays in its cone");
        near(sb_table_real(&table, i, "driving"), 0.0, tol, "and drives nothing");
    }
}

/* Each impact leaves e^2 of the energy. After 1.3 s the ball of e = 0.7 has hit twice, at 0.45 and 1.08 s. */
static void ball(fixture *f) {
    const sb_balance x = balance_of(f, "bouncing_ball", "reg", 1e-4, 13000, 0.0);
    near(x.contacts, 9.81 * (1.0 - pow(0.7, 4.0)), 0.01, "two impacts");
    near(x.friction + x.forces + x.constraints, 0.0, 0.0, "nothing else");
    near(x.defect, 0.0, 9.81 * 1e-4 * 5.0, "to h g v");
    const sb_balance elastic = balance_of(f, "newtons_cradle:spacing=0.01", "reg", 1e-3, 400, 0.0);
    near(elastic.contacts, 0.0, 1e-9, "elastic impacts take nothing");
}

/* A driver pays for the friction of a guide: where the crank is back, what it put in is what friction took. */
static void crank(fixture *f) {
    const sb_balance x = balance_of(f, "slider_crank:mu=0.3", "reg", 1e-3, 1000, 0.0);
    gsl_test(!(x.friction > 1.0), "friction takes energy: %g J a turn", x.friction);
    near(x.lost, 0.0, 0.02 * x.friction, "a turn of the crank leaves the energy as it was");
    near(-x.constraints, x.friction, 0.02 * x.friction, "the driver pays");
    const sb_balance free = balance_of(f, "slider_crank:mu=0.3,drive=none", "reg", 1e-3, 1000, 0.0);
    near(free.lost, free.friction, 0.02 * free.friction, "a crank of its own pays with its speed");
    /* A linear drag: what forces take is the energy that goes. */
    const sb_balance drag = balance_of(f, "oscillator:gamma=0.5", "reg", 1e-3, 4000, 0.0);
    near(drag.forces, drag.lost, 2e-3 * drag.size, "a drag takes it");
}

enum { CRANK_ROWS = 16 };

static int keep_forces(void *arg, const sb_step *s) {
    memcpy(arg, s->lambda, (size_t)CRANK_ROWS * sizeof(double));
    return SB_OK;
}

/* Newton's laws body by body, which the exact multipliers are made of, against the stepper's complementarity problem:
 * all forces of a crank whose guide rubs in three copies, to O(h) of their rate. */
static void crank_forces(fixture *f) {
    static const char *const spec = "slider_crank:L=1.5,mu=0.6,redundant=2,m3=2";
    const double h = 1e-4, t = 0.3;
    const sb_pair pair = pair_of(f, spec, "reg");
    double found[2][CRANK_ROWS], exact[CRANK_ROWS];
    gsl_test_int(sb_system_multipliers(pair.sys), CRANK_ROWS, "rows of %s", spec);
    for (int k = 0; k < 2; k++) {
        gsl_test(sb_steps_observe(&f->ctx, &f->arena, &pair, h / (k + 1), lround(t / h) * (k + 1), 0.0, keep_forces,
                                  found[k]) != SB_OK,
                 "the crank turns: %s", f->ctx.message);
    }
    gsl_test(pair.sys->exact(pair.sys->self, t, NULL, NULL, exact) != SB_OK, "its forces");
    const double size = sb_norm_max(CRANK_ROWS, exact);
    for (int i = 0; i < CRANK_ROWS; i++) {
        /* Extrapolated to h = 0: what is left is O(h^2) of forces that change by their size in 1/20 s; equal rows share
         * theirs only as far as SB_BOX_FLOOR separates them. */
        near(2.0 * found[1][i] - found[0][i], exact[i], 1e-4 * size, "a force of the crank");
    }
}

/* The slider comes to its stop some five times faster than 1 m/s: it goes no further than a step's rounding of the gap,
 * and loses energy there. */
static void crank_stop(fixture *f) {
    const sb_pair pair = pair_of(f, "slider_crank:drive=none,stop=2.9,e=0.5,phi0=1", "reg");
    sb_complementarity x;
    gsl_test(sb_complementarity_measure(&f->ctx, &f->arena, &pair, 1e-3, 1000, &x) != SB_OK,
             "the crank runs into its stop: %s", f->ctx.message);
    gsl_test(!(x.penetration <= 1e-3 && x.normal > 100.0), "the stop holds: %g m, %g N", x.penetration, x.normal);
    const sb_balance b = balance_of(f, "slider_crank:drive=none,stop=2.9,e=0.5,phi0=1", "reg", 1e-3, 1000, 0.0);
    gsl_test(!(b.contacts > 0.1 * b.size && fabs(b.defect) <= 1e-9 * b.size), "and takes energy: %g of %g J",
             b.contacts, b.size);
}

static sb_complementarity residuals(fixture *f, const char *problem, const char *stepper, double h, long steps) {
    const sb_pair pair = pair_of(f, problem, stepper);
    sb_complementarity x = {0};
    const int status = sb_complementarity_measure(&f->ctx, &f->arena, &pair, h, steps, &x);
    gsl_test(status != SB_OK, "%s on %s has residuals: %s", stepper, problem,
             status == SB_OK ? "it has" : f->ctx.message);
    return x;
}

static void laws(fixture *f) {
    /* The laws hold in a block that slides. The corner downhill carries more: m g (cos + mu cos h/w)/2. */
    const sb_complementarity slides = residuals(f, "block_incline", "reg", 0.01, 100);
    gsl_test(!(slides.penetration <= 1e-12 && slides.adhesion == 0.0 && slides.product <= 1e-12 &&
               slides.cone <= 1e-9 && slides.driving <= 1e-12),
             "a sliding block obeys: %g %g %g %g %g", slides.penetration, slides.adhesion, slides.product, slides.cone,
             slides.driving);
    near(slides.normal, 0.5 * 9.81 * cos(0.5) * (1.0 + 0.4 * 0.5), 1e-9, "its load");
    /* Bounds from the step before are off by what the normal force changes in a step: the rod on its tip, as it falls.
     */
    const sb_complementarity box = residuals(f, "painleve_rod", "reg:friction=box", 1e-3, 1000),
                             coulomb = residuals(f, "painleve_rod", "reg", 1e-3, 1000);
    gsl_test(!(box.cone > 1e-3), "the cone is left by %g N with friction=box", box.cone);
    gsl_test(!(coulomb.cone <= 1e-9 * coulomb.normal), "and kept with friction=iterated: %g of %g N", coulomb.cone,
             coulomb.normal);
    /* Moreau's gaps close when they are found closed in the middle of a step: late by up to u h/2. The next step goes
     * on by u h/2 and back by e times that; a hundredth for what gravity adds. */
    const double u = sqrt(2.0 * 9.81);
    const sb_complementarity ball = residuals(f, "bouncing_ball", "moreau", 0.012, 100);
    gsl_test(!(ball.penetration > 0.0 && ball.penetration <= 0.66 * u * 0.012), "the ball dips in by %g m",
             ball.penetration);
    const sb_pair pair = pair_of(f, "pendulum", "reg");
    sb_complementarity none;
    gsl_test(sb_complementarity_measure(&f->ctx, &f->arena, &pair, 0.01, 1, &none) != SB_UNSUPPORTED,
             "no contacts, no residuals");
}

/* Two corners that share m g sin slide with gamma m g sin/2. */
static void creep(fixture *f) {
    static const char *const steppers[] = {"reg", "spook:eps=0"};
    for (int i = 0; i < 2; i++) {
        sb_table table;
        rows(f, "creep", "values=[1e-2,1e-4,1e-6]", "block_incline:angle=0.3,m=2", steppers[i], &table);
        for (int k = 0; k < 3; k++) {
            const double gamma = pow(10.0, -2.0 - 2.0 * k);
            near(sb_table_real(&table, k, "speed"), gamma * 2.0 * 9.81 * sin(0.3) / 2.0, 1e-6 * gamma * 10.0,
                 steppers[i]);
            near(sb_table_real(&table, k, "ratio"), 1.0, 1e-6, steppers[i]);
        }
        near(sb_table_real(&table, 3, "slope"), 1.0, 1e-6, steppers[i]);
        gsl_test(!(sb_table_real(&table, 3, "se") <= 1e-6), "with its standard error");
    }
    sb_table table;
    gsl_test(run_one(f, "creep", "", "bouncing_ball", "reg", &table) != SB_UNSUPPORTED, "creep asks for friction");
}

/* On problems with impacts the order is that of norms that have one, before the impacts accumulate: those of the ball
 * do after sqrt(2 y0/g) (1 + e)/(1 - e) = 2.56 s, where they are shorter than any step. */
static void orders(fixture *f) {
    static const char *const steppers[] = {"reg", "moreau"}, *const slopes[] = {"slope_q", "slope_v", "slope_graph",
                                                                                "slope_impact"};
    for (int i = 0; i < 2; i++) {
        sb_table table;
        rows(f, "order", "levels=6,t_end=1.8", "bouncing_ball", steppers[i], &table);
        for (int k = 0; k < 4; k++) {
            /* Where within a step the impacts fall is chance, which scatters the slopes by a tenth: see their standard
             * errors. */
            near(sb_table_real(&table, table.nrows - 1, slopes[k]), 1.0, 0.15, slopes[k]);
        }
        gsl_test(!isnan(sb_table_real(&table, table.nrows - 1, "slope_lambda")), "no order of impulses");
    }
    /* Against itself where there is no exact solution: an inelastic ball with a reference by the stepper. */
    sb_table table;
    rows(f, "order", "levels=4,reference=finest", "bouncing_ball:e=0.5", "reg", &table);
    near(sb_table_real(&table, table.nrows - 1, "slope_q"), 1.0, 0.3, "against itself");
}

int main(void) {
    fixture f;
    fixture_init(&f);
    block(&f);
    ball(&f);
    crank(&f);
    crank_forces(&f);
    crank_stop(&f);
    laws(&f);
    creep(&f);
    orders(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
