/* Contacts solved in other ways: by other complementarity and linear solvers, with other bounds of friction, beside
 * gaps that are never met; and what is refused. */
#include <stdio.h>

#include <stepbench/numerics/linear.h>
#include <stepbench/numerics/norm.h>

#include "tests/problems/synthetic.h"
#include "tests/steppers/contacts.h"

extern const sb_solver sb_solver_cholmod;

/* ---- Other solvers, other bounds. ---- */

static void same_motion(fixture *f, const char *problem, const char *a, const char *b, double allowed) {
    enum { STEPS = 60 };
    contact_run x, y;
    double off = 0.0;
    contact_open(&x, f, problem, a, 0.01);
    contact_open(&y, f, problem, b, 0.01);
    for (int k = 0; k < STEPS && contact_step(&x) && contact_step(&y); k++) {
        off = sb_larger(off, sb_distance_max(x.sys.n, x.now.v, y.now.v));
    }
    gsl_test(!(off <= allowed), "%s and %s move %s alike (to %.2g)", a, b, problem, off);
}

/* The last velocity of a run. */
static void last_velocity(fixture *f, const char *stepper, double v[MOST]) {
    contact_run r;
    contact_open(&r, f, "stack:n=3,tilt=0.4,mu=0.3", stepper, 0.01);
    for (int k = 0; k < 20 && contact_step(&r);) {
        k++;
    }
    memcpy(v, r.now.v, (size_t)r.sys.n * sizeof *v);
}

/* solver= is the complementarity solver's: the same bits as where it is given to that one, and other bits than another
 * solver's. */
static void linear_solver(fixture *f, const char *method) {
    static const char *const solvers[] = {"dense", "static_ldl"};
    double first[MOST] = {0.0};
    int others = 0;
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        char outer[64], inner[64];
        double a[MOST] = {0.0}, b[MOST] = {0.0};
        snprintf(outer, sizeof outer, "%s:solver=%s", method, solvers[k]);
        snprintf(inner, sizeof inner, "%s:lcp=[block_pivot:solver=%s]", method, solvers[k]);
        last_velocity(f, outer, a);
        last_velocity(f, inner, b);
        gsl_test(memcmp(a, b, sizeof a) != 0, "%s and %s are the same to the last bit", outer, inner);
        memcpy(first, k == 0 ? a : first, sizeof first);
        others += memcmp(a, first, sizeof a) != 0;
    }
    gsl_test(others == 0, "%s: solver= makes a difference, in round-off", method);
}

/* ---- A gap that is never met. ---- */

/* The complementarity problem is then the linear system of the same step without it, solved by other means, and so are
 * the passes for the inertial force of a mass that varies; only that contacts start in full has to be asked of the
 * other. */
static void unmet(fixture *f, const sb_system *with, const sb_system *without, const char *stepper,
                  const char *in_full) {
    enum { STEPS = 60 };
    contact_run x, y;
    double off_v = 0.0, off_lambda = 0.0, size = 0.0;
    x.sys = *with;
    y.sys = *without;
    contact_bind(&x, f, stepper, 0.01 * with->time_scale);
    contact_bind(&y, f, in_full, 0.01 * with->time_scale);
    for (int k = 0; k < STEPS && contact_step(&x) && contact_step(&y); k++) {
        const int rows = sb_system_bilateral(&x.sys);
        off_v = sb_larger(off_v, sb_distance_max(x.sys.n, x.now.v, y.now.v));
        off_lambda = sb_larger(off_lambda, sb_distance_max(rows, x.now.lambda, y.now.lambda));
        size = sb_larger(size, sb_norm_max(rows, y.now.lambda));
    }
    const double speed = sb_norm_max(x.sys.n, y.now.v);
    gsl_test(!(off_v <= 1e-9 * speed), "%s on %s: velocities are those without the gap (to %.2g of %.2g)", stepper,
             with->name, off_v, speed);
    gsl_test(!(off_lambda <= 1e-7 * size), "%s on %s: multipliers are those without the gap (to %.2g of %.2g)", stepper,
             with->name, off_lambda, size);
}

static void far_gaps(fixture *f) {
    static const char *const pairs[][2] = {{"reg", "reg:start=full"},
                                           {"reg:geometric=1", "reg:geometric=1,start=full"},
                                           {"spook:geometric=diag", "spook:geometric=diag,start=full"},
                                           {"spook", "spook:start=full"},
                                           {"spook:tau=0.5", "spook:tau=0.5,start=full"},
                                           {"vts", "vts:start=full"}};
    sb_system plain, stopped, synthetic, charted, gapped;
    fixture_build(f, "slider_crank", NULL, &plain);
    fixture_build(f, "slider_crank:stop=50", NULL, &stopped);
    synthetic_build(f, &synthetic, &charted);
    gapped = synthetic;
    gsl_test(synthetic_contact(f, &gapped) != SB_OK, "gaps are added to the synthetic system (%s)", f->ctx.message);
    for (size_t s = 0; s < sizeof pairs / sizeof *pairs; s++) {
        unmet(f, &stopped, &plain, pairs[s][0], pairs[s][1]);
        unmet(f, &gapped, &synthetic, pairs[s][0], pairs[s][1]);
    }
}

/* friction=box bounds with the normal forces of the step before. */
static void boxes(fixture *f) {
    contact_run r;
    double worst = 0.0, lag = 0.0;
    contact_open(&r, f, "block_incline:v0=1,angle=0.9,mu=0.8,w=0.1,h=0.3", "reg:friction=box", 0.01);
    for (int k = 0; k < 40 && contact_step(&r); k++) {
        for (int j = 0; j < 2; j++) {
            worst = sb_larger(worst, fabs(fabs(r.now.lambda[2 + j]) - 0.8 * r.before.lambda[j]));
            lag = sb_larger(lag, fabs(r.now.lambda[j] - r.before.lambda[j]));
        }
    }
    gsl_test(!(worst <= 1e-11) || !(lag > 1e-3),
             "friction=box: a sliding corner is held by mu times the last step's normal force (off by %.2g; it changes "
             "by %.2g a step)",
             worst, lag);
}

/* The forces of a start are those that hold the block, also where friction is bounded by the normal forces of the step
 * before: there is none yet. */
static void first_forces(fixture *f, const char *stepper) {
    contact_run r;
    contact_open(&r, f, "block_incline:angle=0.3", stepper, 0.01);
    const double normal = r.now.lambda[0] + r.now.lambda[1], friction = r.now.lambda[2] + r.now.lambda[3];
    gsl_test(!(fabs(normal - 9.81 * cos(0.3)) <= 1e-9), "%s starts with the normal forces of a block at rest (%g)",
             stepper, normal);
    gsl_test(!(fabs(friction + 9.81 * sin(0.3)) <= 1e-9), "%s starts with the friction that holds it (%g)", stepper,
             friction);
}

/* ---- What is refused. ---- */

static void refused(fixture *f, const char *problem, const char *formulation, const char *stepper, const char *part) {
    sb_system sys;
    sb_method method = {0};
    int status = sb_system_build(&f->ctx, &f->arena, problem, formulation != NULL, &formulation, &sys);
    status = status == SB_OK ? sb_method_build(&f->ctx, &f->arena, stepper, &sys, &method) : status;
    gsl_test(status >= 0 || strstr(f->ctx.message, part) == NULL, "%s with %s is refused: %s", problem,
             formulation != NULL ? formulation : stepper, f->ctx.message);
}

static void unsettled(fixture *f) {
    contact_run r;
    contact_open(&r, f, "block_incline:angle=0.9,mu=1.1,w=0.1,h=0.3", "reg", 0.01);
    const int status = sb_method_build(&f->ctx, &f->arena, "reg:friction_maxit=1", &r.sys, &r.method);
    gsl_test(status != SB_OK || sb_method_start(&r.method, 0.0, NULL, NULL, r.h, &r.now) != SB_NOT_CONVERGED ||
                 strstr(f->ctx.message, "in 1 compl") == NULL,
             "bounds of friction that do not settle are reported: %s", f->ctx.message);
    contact_open(&r, f, "stack:n=10", "reg", 0.01);
    const int swept = sb_method_build(&f->ctx, &f->arena, "reg:lcp=[pgs:sweeps=1]", &r.sys, &r.method);
    gsl_test(swept != SB_OK || sb_method_start(&r.method, 0.0, NULL, NULL, r.h, &r.now) != SB_NOT_CONVERGED ||
                 strstr(f->ctx.message, "500 calls of pgs") == NULL ||
                 strstr(f->ctx.message, "increase sweeps") == NULL || strstr(f->ctx.message, "lcp=block_pivot") == NULL,
             "sweeps that are too few are reported, and what would do: %s", f->ctx.message);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    same_motion(&f, "stack:n=3,tilt=0.4,mu=0.3", "reg", "reg:lcp=dantzig", 1e-9);
    same_motion(&f, "stack:n=3,tilt=0.4,mu=0.3", "moreau", "moreau:lcp=[dantzig]", 1e-9);
    same_motion(&f, "block_incline", "reg", "reg:lcp=[pgs:sweeps=100000,tol=1e-14]", 1e-8);
    same_motion(&f, "stack:n=3,tilt=0.4,mu=0.3", "reg", "reg:lcp=[block_pivot:solver=dense]", 1e-9);
    if (sb_solver_cholmod.analyse != NULL) {
        same_motion(&f, "stack:n=3,tilt=0.4,mu=0.3", "reg", "reg:lcp=[block_pivot:solver=cholmod]", 1e-9);
    }
    /* sweeps that end long before the problem is solved, with bounds that follow: 1e-9 of a row's terms, which 10 boxes
     * and their weight make larger by 10^2, and some steps of it */
    same_motion(&f, "stack:n=10", "reg", "reg:lcp=pgs", 1e-6);
    same_motion(&f, "stack:n=10,tilt=0.4", "reg", "reg:lcp=pgs", 1e-6);
    same_motion(&f, "stack:n=10,tilt=0.4", "moreau", "moreau:lcp=pgs,friction_tol=1e-11", 1e-6);
    same_motion(&f, "block_incline:angle=1.2,mu=3,w=0.1,h=0.3", "reg", "reg:lcp=pgs",
                1e-6);                                                 /* where bounds that merely follow run away */
    same_motion(&f, "block_incline", "reg", "reg:friction=box", 1e-9); /* its normal forces are constant */
    linear_solver(&f, "reg");
    linear_solver(&f, "spook");
    linear_solver(&f, "vts");
    first_forces(&f, "reg:friction=box");
    first_forces(&f, "spook:eps=0,friction=box");
    first_forces(&f, "vts:friction=box");
    first_forces(&f, "moreau:friction=box");
    first_forces(&f, "moreau");
    boxes(&f);
    far_gaps(&f);
    unsettled(&f);
    refused(&f, "block_incline", NULL, "spook:newton=1", "newton=0");
    refused(&f, "slider_crank:mu=0.3", NULL, "spook:newton=1", "newton=0"); /* dry friction without contacts */
    refused(&f, "block_incline", NULL, "reg:lcp=kostreva", "kostreva");
    refused(&f, "block_incline", NULL, "reg:solver=dense,lcp=pgs",
            "solver=dense: with contacts or dry friction lcp=pgs solves no linear system");
    refused(&f, "block_incline", NULL, "spook:solver=dense,lcp=[block_pivot:solver=static_ldl]", "two linear solvers");
    refused(&f, "block_incline", NULL, "vts:form=saddle", "form=schur or auto");
    refused(&f, "bouncing_ball", NULL, "reg:start=half", "start=full or auto");
    refused(&f, "dsp", NULL, "variational_regularized:friction=box",
            "friction"); /* takes no contacts, and so has no option for them */
    refused(&f, "block_incline", NULL, "reg:friction_tol=0", "friction_tol");
    refused(&f, "block_incline", NULL, "moreau:theta=0.4", "theta");
    refused(&f, "bouncing_ball", NULL, "rk4", "contacts");
    refused(&f, "slider_crank:mu=0.3,drive=none", "penalty", "reg", "cannot reformulate dry friction");
    refused(&f, "slider_crank:phi0=1.5,stop=2.5", "baumgarte", "reg", "cannot reformulate unilateral contacts");
    fixture_close(&f);
    return gsl_test_summary();
}
