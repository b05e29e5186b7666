/* A system that lacks a callback or a pattern, whose mass matrix is not symmetric, or whose energy is not finite is
 * refused before a stepper sees it, with the name of the member. */
#include "tests/problems/synthetic.h"

static void expect(fixture *f, sb_system sys, int wanted, const char *part) {
    const int status = sb_system_finish(&f->ctx, &f->arena, "test", &sys);
    gsl_test(status != wanted || (part != NULL && strstr(f->ctx.message, part) == NULL),
             "status %d, wanted %d with \"%s\": %s", status, wanted, part != NULL ? part : "",
             status != SB_OK ? f->ctx.message : "done");
}

static int skew_mass(const void *self, const double *q, double *Mx) {
    SB_TRY(synthetic_mass(self, q, Mx));
    Mx[1] += 1e-6;
    return SB_OK;
}

static int rounded_mass(const void *self, const double *q, double *Mx) {
    SB_TRY(synthetic_mass(self, q, Mx));
    Mx[1] *= 1.0 + 1e-15;
    return SB_OK;
}

static int undefined_mass(const void *self, const double *q, double *Mx) {
    SB_TRY(synthetic_mass(self, q, Mx));
    Mx[0] = NAN;
    return SB_OK;
}

static int undefined_potential(const void *self, double t, const double *q, double *V) {
    (void)self;
    *V = log(-1.0 - q[0] * q[0]);
    return SB_OK;
}

static int infinite_potential(const void *self, double t, const double *q, double *V) {
    (void)self;
    (void)q;
    *V = INFINITY;
    return SB_OK;
}

static int no_generator(const void *self, int i, const double *q, double *xi) {
    (void)self;
    (void)i;
    (void)q;
    (void)xi;
    return SB_OK;
}

static int rows(const void *self, double t, const double *q, double *Ax, double *w) {
    (void)self;
    (void)t;
    (void)q;
    (void)Ax;
    (void)w;
    return SB_OK;
}

/* A force may leave out its Jacobian: formulations pass that on, and implicit steppers go without. */
static void force_without_jacobian(fixture *f, const sb_system *sys) {
    static const char *const formulations[] = {"chart", "penalty:eps=0.3,gamma=0.2", "penalty:eps=0.3"};
    for (int k = 0; k < 3; k++) {
        sb_system inner = *sys, out;
        sb_spec spec;
        sb_method method = {0};
        sb_state s[2];
        inner.force.jacobian = NULL;
        out = inner;
        int status = sb_spec_parse(&f->ctx, &f->arena, SB_KIND_FORMULATION, formulations[k], &spec);
        const sb_formulation *formulation = (const sb_formulation *)spec.entry;
        status |= formulation->init(&f->ctx, &f->arena, spec.config, &inner, &out);
        status |= sb_system_finish(&f->ctx, &f->arena, formulations[k], &out);
        status |= sb_method_build(&f->ctx, &f->arena, "midpoint", &out, &method);
        status |= sb_state_new(&method, &f->arena, &s[0]) | sb_state_new(&method, &f->arena, &s[1]);
        status |= sb_method_start(&method, 0.0, NULL, NULL, 1e-3, &s[0]);
        status |= sb_method_step(&method, &s[0], 1e-3, &s[1]);
        gsl_test(status != SB_OK, "a force without a Jacobian in %s by midpoint (%s)", formulations[k], f->ctx.message);
    }
}

int main(void) {
    fixture f;
    sb_system sys, charted, bad;
    static const char *const names[] = {"px"};
    fixture_open(&f);
    synthetic_build(&f, &sys, &charted);
    expect(&f, sys, SB_OK, NULL);
#define REFUSED(member, wrong, part)                                                                                   \
    bad = sys;                                                                                                         \
    bad.member = wrong;                                                                                                \
    expect(&f, bad, SB_BAD_USAGE, part)
    REFUSED(n, 0, "n >= 1");
    REFUSED(time_scale, NAN, "time_scale > 0");
    REFUSED(time_scale, INFINITY, "time_scale > 0");
    REFUSED(period, -1.0, "period >= 0");
    REFUSED(H.p, NULL, "H (n x n)");
    REFUSED(H.rows, 5, "H (n x n)");
    REFUSED(inertia.M.cols, 7, "inertia.M (n x n)");
    REFUSED(inertia.mass, NULL, "inertia.mass");
    REFUSED(inertia.gradient, NULL, "inertia.gradient, because inertia.hessian is set");
    REFUSED(inertia.hessian, NULL, "inertia.hessian, because inertia.gradient is set");
    REFUSED(initial, NULL, "initial");
    REFUSED(potential.value, NULL, "potential.value");
    REFUSED(potential.gradient, NULL, "potential.gradient");
    REFUSED(potential.hessian, NULL, "potential.hessian, because the potential is not of degree 0 or 1");
    REFUSED(force.value, NULL, "force.value, because force.jacobian is set");
    REFUSED(holonomic.G.p, NULL, "holonomic.G (n x m)");
    REFUSED(holonomic.G.rows, 4, "holonomic.G (n x m)");
    REFUSED(holonomic.value, NULL, "holonomic.value");
    REFUSED(holonomic.hessian, NULL, "holonomic.hessian");
    REFUSED(holonomic.curvature, NULL, "holonomic.curvature");
    static const sb_attitude shared_row = {0, 0}, no_row = {0, 2};
    bad = sys;
    bad.attitudes = 1;
    bad.attitude = &shared_row;
    expect(&f, bad, SB_BAD_USAGE, "attitude[0]: row 0 of g has to depend on q0 to q3");
    bad.attitude = &no_row;
    expect(&f, bad, SB_BAD_USAGE, "attitude[0]: row 2 of g");
    REFUSED(inertia.mass, skew_mass, "entry (3, 0)");
    REFUSED(inertia.mass, undefined_mass, "entry (0, 0) is nan");
    bad = sys;
    bad.inertia.mass = rounded_mass;
    expect(&f, bad, SB_OK, NULL);
    bad = sys;
    bad.potential.degree = 1;
    bad.potential.hessian = NULL;
    expect(&f, bad, SB_OK, NULL);
    bad.potential.value = undefined_potential;
    expect(&f, bad, SB_INCONSISTENT, "potential energy");
    bad.potential.value = infinite_potential;
    expect(&f, bad, SB_INCONSISTENT, "potential energy inf");
    bad = sys;
    bad.nonholonomic = (sb_nonholonomic){.m = 1, .A = bad.holonomic.G, .value = rows};
    bad.nonholonomic.A.cols = 1;
    expect(&f, bad, SB_BAD_USAGE, "nonholonomic.rate");
    bad.nonholonomic.value = NULL;
    expect(&f, bad, SB_BAD_USAGE, "nonholonomic.value");
    bad.nonholonomic.A.cols = 3;
    expect(&f, bad, SB_BAD_USAGE, "nonholonomic.A (n x m)");
    bad = sys;
    bad.symmetry = (sb_symmetry){.count = 1, .generator = no_generator};
    expect(&f, bad, SB_BAD_USAGE, "symmetry.names");
    bad.symmetry = (sb_symmetry){.count = 1, .names = names};
    expect(&f, bad, SB_BAD_USAGE, "symmetry.generator");
    bad = sys;
    bad.outputs = (sb_outputs){.count = 1};
    expect(&f, bad, SB_BAD_USAGE, "outputs.list");
    static const sb_chart no_chart = {.n = 1};
    static const sb_world no_world = {.dimension = 2, .bodies = 1};
    REFUSED(attitudes, 1, "attitude, because there are attitudes");
    REFUSED(breaks, 1, "break_at");
    REFUSED(chart, &no_chart, "inverse of the chart");
    REFUSED(world, &no_world, "coordinates of the world");
    force_without_jacobian(&f, &sys);
    fixture_close(&f);
    return gsl_test_summary();
}
