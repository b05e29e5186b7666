/* Every timed run integrates anew, also with a stepper that keeps a history: it takes as many steps as the first one,
 * and more with a smaller tolerance. */
#include "bench/perf/step_job.h"
#include "tests/analysis/fixture.h"

static long steps_of(fixture *f, sb_step_job *job) {
    const long before = f->ctx.substeps;
    gsl_test(sb_step_job_run(job) != SB_OK, "a run: %s", f->ctx.message);
    return f->ctx.substeps - before;
}

int main(void) {
    static const char *const steppers[][2] = {{"odeiv2:method=msadams,rtol=1e-4", "odeiv2:method=msadams,rtol=1e-9"},
                                              {"odeiv2:method=msbdf,rtol=1e-4", "odeiv2:method=msbdf,rtol=1e-9"},
                                              {"odeiv2:rtol=1e-4", "odeiv2:rtol=1e-9"},
                                              {"rkn_pair:rtol=1e-4", "rkn_pair:rtol=1e-9"}};
    fixture f;
    fixture_init(&f);
    for (size_t i = 0; i < sizeof steppers / sizeof *steppers; i++) {
        long steps[2];
        for (int k = 0; k < 2; k++) {
            const sb_pair pair = pair_of(&f, "kepler:e=0.6", steppers[i][k]);
            sb_step_job job;
            gsl_test(sb_step_job_init(&f.ctx, &f.arena, &pair, 10.0, 1, &job) != SB_OK, "%s", f.ctx.message);
            steps[k] = steps_of(&f, &job);
            const long again = steps_of(&f, &job), third = steps_of(&f, &job);
            gsl_test(again != steps[k] || third != steps[k], "%s takes %ld, %ld and %ld steps in three runs",
                     steppers[i][k], steps[k], again, third);
        }
        gsl_test(!(steps[0] > 0 && steps[1] > steps[0]), "%s takes %ld steps, %s %ld", steppers[i][0], steps[0],
                 steppers[i][1], steps[1]);
    }
    fixture_free(&f);
    return gsl_test_summary();
}
