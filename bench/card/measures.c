/* Computes the numbers that summarize an evaluation from the tables of its analyses. */
#include "bench/card/evaluate.h"

static const double none = (double)NAN;

/* Returns the uncertainty of a number: that in the column `uncertainty`, or if it is larger, half the unit of the last
 * digit of a number with fewer than six certain digits: cards and their table show five. NaN if there is neither. */
static double uncertainty_of(const sb_table *table, int row, const char *value, const char *uncertainty) {
    const double given = uncertainty != NULL ? sb_table_real(table, row, uncertainty) : none,
                 unit = sb_table_unit(table, row, value);
    return fmax(given, unit > 1e-6 * fabs(sb_table_real(table, row, value)) ? 0.5 * unit : none); /* without NaN */
}

/* Returns the measure of the first row with a result. If there is none, the note is the status of the first row or the
 * message of the analysis. */
static sb_measure first_of(const sb_evaluation *j, sb_evaluated which, const char *name, const char *value,
                           const char *uncertainty, const char *unit) {
    const sb_table *table = &j->tables[which];
    const int row = sb_table_find(table, "status", "ok", 0);
    const char *why = row >= 0                     ? ""
                      : table->nrows > 0           ? sb_table_text(table, 0, "status")
                      : j->messages[which] != NULL ? j->messages[which]
                                                   : "";
    return (sb_measure){name, sb_table_real(table, row, value), uncertainty_of(table, row, value, uncertainty), unit,
                        why};
}

/* Returns a slope and its standard error from the row of the fit, with a note if the order is unclear. */
static sb_measure slope_of(const sb_evaluation *j, const char *name, const char *value, const char *error) {
    const sb_table *table = &j->tables[SB_EVALUATED_ORDER];
    const int row = sb_table_find(table, "status", "fit", 0);
    return (sb_measure){name, sb_table_real(table, row, value), uncertainty_of(table, row, value, error), "",
                        row < 0 && table->nrows > 0                     ? sb_table_text(table, 0, "status")
                        : sb_table_is(table, row, "verdict", "unclear") ? "unclear"
                                                                        : ""};
}

/* Returns C in |error of q|/|q| = C (h/T)^p, where T is the time scale of the problem and p the fitted order, rounded.
 * The error is that of the smallest step at which it has at least two certain digits. */
static sb_measure error_constant(const sb_evaluation *j, double order) {
    const sb_table *table = &j->tables[SB_EVALUATED_WORKPREC];
    const double p = nearbyint(order);
    double constant = none, uncertainty = none;
    for (int i = 0; i < table->nrows && p >= 1.0; i++) {
        if (sb_table_is(table, i, "status", "ok")) {
            const double unit = pow(sb_table_real(table, i, "h") / j->time_scale, p),
                         error = sb_table_real(table, i, "err_relative");
            if (isnan(constant) || sb_table_unit(table, i, "err_relative") <= 1e-2 * error) {
                constant = error / unit;
                uncertainty = uncertainty_of(table, i, "err_relative", NULL) / unit;
            }
        }
    }
    return (sb_measure){"error constant", constant, uncertainty, "", ""};
}

/* Returns a measure of the drift of the energy, or of its balance. It has no value where the drift has no verdict. */
static sb_measure energy(const sb_evaluation *j, const char *name, const char *value, const char *uncertainty,
                         const char *unit) {
    const sb_table *table = &j->tables[SB_EVALUATED_DRIFT];
    const int plain = sb_table_find(table, "quantity", "energy", 0),
              row = plain >= 0 ? plain : sb_table_find(table, "quantity", "energy balance", 0);
    const char *verdict = row >= 0 ? sb_table_text(table, row, "verdict") : "";
    if (verdict[0] == '\0') {
        return (sb_measure){name, none, none, unit,
                            table->nrows > 0 ? sb_table_text(table, row > 0 ? row : 0, "status") : ""};
    }
    return (sb_measure){name, sb_table_real(table, row, value), uncertainty_of(table, row, value, uncertainty), unit,
                        verdict};
}

/* Returns the largest defect of a momentum, at the largest step. */
static sb_measure momenta(const sb_evaluation *j) {
    const sb_table *table = &j->tables[SB_EVALUATED_MOMENTUM];
    sb_measure m = first_of(j, SB_EVALUATED_MOMENTUM, "momentum defect", "dev_discrete", "rounding", "");
    for (int i = 0; i < table->nrows; i++) {
        const double defect = sb_table_real(table, i, "dev_discrete");
        if (defect > m.value) {
            m.value = defect;
            m.uncertainty = sb_table_real(table, i, "rounding");
        }
    }
    return m;
}

/* Returns a count per step at the largest h with a result. */
static sb_measure per_step(const sb_evaluation *j, const char *name, const char *column) {
    sb_measure m = first_of(j, SB_EVALUATED_WORKPREC, name, column, NULL, "");
    const double steps = first_of(j, SB_EVALUATED_WORKPREC, "", "steps", NULL, "").value;
    m.value /= steps;
    m.uncertainty /= steps;
    return m;
}

static sb_measure stable(const sb_evaluation *j, const char *name, const char *column, double factor) {
    const sb_table *table = &j->tables[SB_EVALUATED_BLOWUP];
    const double value = factor * sb_table_real(table, 0, column),
                 relative = sb_table_real(table, 0, "h_error") / sb_table_real(table, 0, "h_measured");
    return (sb_measure){name, value, value * relative, "",
                        sb_table_is(table, 0, "status", "ok") ? "" : sb_table_text(table, 0, "status")};
}

static sb_measure failed_checks(const sb_evaluation *j) {
    const sb_table *table = &j->tables[SB_EVALUATED_CONTRACT];
    const int row = sb_table_find(table, "verdict", "failed", 0);
    const char *ended = j->messages[SB_EVALUATED_CONTRACT];
    const bool undecided =
        table->nrows == sb_table_count(table, "verdict", "unclear") + sb_table_count(table, "verdict", "");
    const bool some =
        ended != NULL && ended[0] != '\0'; /* no number for some of the checks, or where none is decided */
    const double failed = some || undecided ? (double)NAN : sb_table_count(table, "verdict", "failed");
    return (sb_measure){"failed checks", failed, none, "",
                        j->fault != NULL ? j->fault
                        : row >= 0       ? sb_table_text(table, row, "message")
                                         : ""};
}

void sb_measures_of(const sb_evaluation *j, sb_measure out[SB_MEASURES], int *count) {
    int n = 0;
    const sb_measure order = slope_of(j, "order of q", "slope_q", "se_q");
    out[n++] = failed_checks(j);
    out[n++] = order;
    out[n++] = slope_of(j, "order of v", "slope_v", "se_v");
    out[n++] = slope_of(j, "order of lambda", "slope_lambda", "se_lambda");
    out[n++] = slope_of(j, "order of energy", "slope_energy", "se_energy");
    out[n++] = error_constant(j, order.value);
    out[n++] = energy(j, "energy error", "max_dev", "rounding", "J");
    out[n++] = energy(j, "energy drift", "slope", "slope_se", "J/s");
    out[n++] = momenta(j);
    out[n++] = first_of(j, SB_EVALUATED_SYMPLECTICITY, "symplectic defect", "defect", "noise", "");
    out[n++] = first_of(j, SB_EVALUATED_REVERSIBILITY, "reversibility defect", "back_q", "rounding", "");
    out[n++] = first_of(j, SB_EVALUATED_CONSTRAINTS, "violation of g", "g_max", NULL, "");
    out[n++] = first_of(j, SB_EVALUATED_CONSTRAINTS, "violation of G v", "gv_max", NULL, "");
    out[n++] = stable(j, "largest stable h/T", "h_measured", 1.0 / j->time_scale);
    out[n++] = stable(j, "largest stable h omega", "ratio", 2.0);
    out[n++] = per_step(j, "iterations per step", "iters");
    out[n++] = per_step(j, "forces per step", "force");
    out[n++] = per_step(j, "Jacobians per step", "jacobian");
    out[n++] = per_step(j, "constraints per step", "constraint");
    out[n++] = per_step(j, "factorizations per step", "factor");
    *count = n;
}
