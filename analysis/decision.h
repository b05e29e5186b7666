/* The decision about a property of a method, from a defect and its noise. */
#pragma once

#include "analysis/analysis.h"

/* A condition converts to SB_NO or SB_YES. */
typedef enum sb_decision { SB_NO = 0, SB_YES = 1, SB_UNCLEAR } sb_decision;

/* Returns "no", "yes" or "unclear" as a cell. */
static inline sb_cell sb_decision_cell(sb_decision decision) {
    static const char *const names[] = {"no", "yes", "unclear"};
    return sb_text(names[decision]);
}

/* Returns the relative defect to be expected after `steps` steps of length h of a method of the pair's order p without
 * the property: (h/T)^(p+1)/100, multiplied by the number of time scales T if that is below 1. The exponent is p + 1
 * because the leading error of a method may have the property: rk4 changes areas and energies by O(h^5). */
static inline double sb_visible_defect(const sb_pair *pair, double h, long steps) {
    const double T = pair->sys->time_scale;
    return 0.01 * pow(h / T, sb_stepper_order(pair->type, pair->config, pair->sys->flags) + 1.0) *
           fmin(1.0, (double)steps * h / T);
}

/* Returns SB_NO if the defect exceeds the noise or is NaN; otherwise SB_YES if the noise is at most `visible`, the
 * defect to be expected without the property, and SB_UNCLEAR if it is larger. */
static inline sb_decision sb_decide(double defect, double noise, double visible) {
    return !(defect <= noise) ? SB_NO : noise <= visible ? SB_YES : SB_UNCLEAR;
}
