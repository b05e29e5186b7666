/* wm96 4.5: where D_22 L is regular and the constraints have full rank, sufficiently short steps can be solved. */
#include "bench/runner/experiment_tools.h"

static const char *const problems[] = {"oscillator", "kepler", "pendulum", "spherical_pendulum", "dsp", "rigid_body"};
enum { STEPS = 20, LEVELS = 8 };

SB_DEFINE_EXPERIMENT(wm96_solvable) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "wm96_solvable", &table));
    for (int i = 0; i < SB_COUNT(problems); i++) {
        sb_system sys;
        double longest = NAN;
        int failed = 0;
        SB_TRY(sb_system_build(bench->ctx, &bench->arena, problems[i], 0, NULL, &sys));
        for (int k = 0; k < LEVELS; k++) {
            sb_path path;
            const double part = ldexp(4.0, -k);
            SB_TRY(sb_bench_path(bench, problems[i], "del", part * sys.time_scale, STEPS, STEPS, &path));
            failed += path.failure != NULL && !isnan(longest);
            longest = isnan(longest) && path.failure == NULL ? part : longest;
        }
        SB_TRY(SB_TABLE_ROW(&table, sb_text(problems[i]), sb_real(longest), sb_int(failed)));
    }
    return sb_bench_save(bench, &table, "wm96_solvable.csv");
}
