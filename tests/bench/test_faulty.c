/* Steppers with one fault each fail the checks, by the check that names the fault; the same method without a fault
 * passes them all. */
#include "bench/check/check.h"
#include "bench/check/faulty.h"
#include "tests/analysis/fixture.h"

/* Sets the rows of the check systems or, for a fault in what they lack (momenta, contacts), of a registered problem. */
static void measure(fixture *f, const sb_faulty *faulty, sb_check *found) {
    const char *name = faulty->stepper.entry.name, *problem = faulty->fault == SB_FAULT_CLAIMS_MOMENTA ? "kepler"
                                                              : faulty->fault == SB_FAULT_NO_CONTACT   ? "bouncing_ball"
                                                                                                       : NULL;
    if (problem != NULL) {
        *found = (sb_check){0};
        rows(f, "contract", "", problem, name, &found->rows);
    } else {
        gsl_test_int(sb_check_stepper(&f->ctx, &f->arena, name, 0, &(sb_limits){.jobs = 1, .seconds = 1}, found), SB_OK,
                     "%s: %s", name, f->ctx.message);
    }
}

static void check(fixture *f, const sb_faulty *faulty) {
    const char *name = faulty->stepper.entry.name, *first = "";
    sb_check found;
    bool named = false;
    measure(f, faulty, &found);
    for (int i = 0; i < found.rows.nrows; i++) {
        if (strcmp(sb_table_text(&found.rows, i, "verdict"), "failed") == 0) {
            const char *at = sb_table_text(&found.rows, i, "check");
            named = named || sb_check_is(at, faulty->check);
            first = first[0] == '\0' ? sb_table_text(&found.rows, i, "message") : first;
        }
    }
    if (faulty->check == SB_CHECK_NONE) {
        const int passed = sb_table_count(&found.rows, "verdict", "passed");
        gsl_test(passed < found.rows.nrows || passed < 100, "%s: %d of %d checks pass: %s", name, passed,
                 found.rows.nrows, first);
    } else {
        gsl_test(!named, "%s (%s) fails the check %s: %s", name, faulty->text, sb_check_name[faulty->check], first);
    }
}

int main(void) {
    fixture f;
    fixture_init(&f);
    for (int k = 0; k < SB_FAULT_COUNT; k++) {
        gsl_test_int(sb_registry_add(&f.registry, SB_KIND_STEPPER, &sb_faulty_list[k].stepper.entry), SB_OK,
                     "registered");
    }
    for (int k = 0; k < SB_FAULT_COUNT; k++) {
        check(&f, &sb_faulty_list[k]);
    }
    fixture_free(&f);
    return gsl_test_summary();
}
