/* Findings: whether a method has a property, from a defect, its uncertainty, and the defect that would be visible. */
#ifndef STEPBENCH_ANALYSIS_CONSERVATION_FINDING_H
#define STEPBENCH_ANALYSIS_CONSERVATION_FINDING_H

#include "analysis/analysis.h"

typedef enum sb_finding { SB_NO, SB_YES, SB_UNCLEAR } sb_finding;

/* Returns "no", "yes" or "unclear" as a cell. */
static inline sb_cell sb_finding_cell(sb_finding finding) {
    static const char *const names[] = {"no", "yes", "unclear"};
    return sb_text(names[finding]);
}

/* Returns the relative defect that a method of the pair's order without the property has after `steps` steps of length
 * h, a hundredth of (h/T)^(p+1), for less than one time scale T in proportion to the number of steps. The exponent is
 * p + 1 since the leading error of a method may have the property: rk4 changes areas and energies by O(h^5). */
static inline double sb_visible_defect(const sb_pair *pair, double h, long steps) {
    const double T = pair->sys->time_scale;
    return 0.01 * pow(h / T, sb_stepper_order(pair->type, pair->config, pair->sys->flags) + 1.0) *
           fmin(1.0, (double)steps * h / T);
}

/* Returns `no` if the defect exceeds the noise or is NaN; `yes` if it does not and the noise is below a visible defect;
 * `unclear` if a defect would disappear in the noise. */
static inline sb_finding sb_find(double defect, double noise, double visible) {
    return !(defect <= noise) ? SB_NO : noise <= visible ? SB_YES : SB_UNCLEAR;
}

#endif
