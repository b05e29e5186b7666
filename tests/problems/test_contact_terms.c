/* What a system's contact data may be: out-of-range coefficients, incomplete terms and penetrating starts are refused
 * with a sentence. */
#include "tests/problems/synthetic.h"

static void expect(fixture *f, sb_system sys, int wanted, const char *part) {
    const int status = sb_system_finish(&f->ctx, &f->arena, "test", &sys);
    gsl_test(status != wanted || (part != NULL && strstr(f->ctx.message, part) == NULL),
             "contact data with status %d, wanted %d: %s", status, wanted, status != SB_OK ? f->ctx.message : "done");
}

static int sunk(const void *self, const double *q, double *xi, double *Nx) {
    SB_TRY(synthetic_gap(self, q, xi, Nx));
    if (xi != NULL) {
        xi[1] = -0.25;
    }
    return SB_OK;
}

static int unknown(const void *self, const double *q, double *xi, double *Nx) {
    SB_TRY(synthetic_gap(self, q, xi, Nx));
    if (xi != NULL) {
        xi[0] = NAN;
    }
    return SB_OK;
}

int main(void) {
    fixture f;
    sb_system sys, charted, bad;
    const double negative = -0.1, not_a_number = NAN, above_one[2] = {0.5, 1.5}, infinite = INFINITY;
    const int friction = 4, outside = -2, bilateral = 1;
    fixture_open(&f);
    synthetic_build(&f, &sys, &charted);
    gsl_test(synthetic_contact(&f, &sys) != SB_OK, "the synthetic contacts are taken (%s)", f.ctx.message);
    gsl_test((sys.flags & (unsigned)SB_HAS_CONTACT) == 0 || (sys.flags & (unsigned)SB_HAS_FRICTION) == 0 ||
                 (charted.flags & (unsigned)(SB_HAS_CONTACT | SB_HAS_FRICTION)) != 0,
             "contacts and friction are features of the systems that have them");
    gsl_test(sb_system_bilateral(&sys) != 2 || sb_system_multipliers(&sys) != 5, "bilateral rows: 2, multipliers: 5");
#define REFUSED(member, value, part)                                                                                   \
    bad = sys;                                                                                                         \
    bad.contact.member = (value);                                                                                      \
    expect(&f, bad, SB_BAD_USAGE, part)
    REFUSED(mu, &negative, "friction of row 0 is -0.1");
    REFUSED(mu, &not_a_number, "nan");
    REFUSED(limit, &negative, "lower bound");
    REFUSED(limit, &not_a_number, "nan");
    REFUSED(restitution, above_one, "gap 1 is 1.5");
    REFUSED(of, &friction, "multiplier 4");
    REFUSED(of, &outside, "multiplier -2");
    REFUSED(of, NULL, "incomplete");
    REFUSED(slip, NULL, "incomplete");
    REFUSED(gap, NULL, "incomplete");
    bad = sys;
    bad.contact.gap = sunk;
    expect(&f, bad, SB_INCONSISTENT, "penetrates gap 1: xi = -0.25");
    bad.contact.gap = unknown;
    expect(&f, bad, SB_INCONSISTENT, "gap 0: xi = nan");
    bad = sys;
    bad.contact.of = &bilateral;   /* friction in a joint */
    bad.contact.limit = &infinite; /* that never slips */
    bad.contact.mu = NULL;
    expect(&f, bad, SB_OK, NULL);
    fixture_close(&f);
    return gsl_test_summary();
}
