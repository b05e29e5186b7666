/* Records measured quantities of the papers' claims, and derives the verdict on a claim from its quantities. */
#include "bench/runner/claims.h"

#include <math.h>
#include <string.h>

const char *const sb_verdict_name[] = {"reproduced", "corrected", "refuted", "undecidable"};

static const char *const form_name[] = {"printed", "corrected", "both", "reported"};
static const char *const comparison_name[] = {"within", "at most", "at least", "holds"};

const sb_column sb_quantity_columns[SB_QUANTITY_COLUMNS] = {
    {"claim", SB_COL_KEY, "", ""},           {"form", SB_COL_KEY, "", ""},       {"quantity", SB_COL_KEY, "", ""},
    {"published", SB_COL_INFO, "", ""},      {"measured", SB_COL_EXACT, "", ""}, {"uncertainty", SB_COL_ERROR, "", ""},
    {"comparison", SB_COL_INFO, "", ""},     {"expected", SB_COL_INFO, "", ""},  {"tolerance", SB_COL_INFO, "", ""},
    {"tolerance_from", SB_COL_INFO, "", ""}, {"passed", SB_COL_INFO, "", ""},
};

bool sb_quantity_passes(const sb_quantity *quantity) {
    const double measured = quantity->measured, expected = quantity->expected;
    switch (quantity->comparison) {
    case SB_WITHIN: return fabs(measured - expected) <= quantity->tolerance;
    case SB_AT_MOST: return measured <= expected;
    case SB_AT_LEAST: return measured >= expected;
    default: return measured == 1.0;
    }
}

static sb_cell yes_or_no(bool value) { return sb_text(value ? "yes" : "no"); }

/* Returns the measured number with the digits that are certain with its round-off, otherwise with its uncertainty,
 * otherwise with six digits. A number that is compared with an upper bound is a residual: one that is round-off is
 * written as one unit of its last digit. */
static sb_cell measured_cell(const sb_quantity *quantity) {
    const double x = quantity->measured;
    if (quantity->comparison == SB_HOLDS) {
        return yes_or_no(x == 1.0);
    }
    if (quantity->round_off != 0.0) {
        return quantity->comparison == SB_AT_MOST ? sb_residual(x, quantity->round_off)
                                                  : sb_trusted(x, quantity->round_off);
    }
    if (quantity->uncertainty > 0.0) {
        return sb_trusted(x, 0.05 * quantity->uncertainty); /* the last digit is a tenth of the uncertainty or more */
    }
    if (x == floor(x) && fabs(x) < 1e6) {
        return sb_int((long)x);
    }
    sb_cell cell = sb_real(x);
    cell.digits = SB_QUANTITY_DIGITS;
    return cell;
}

static sb_cell text_or_empty(const char *text) { return text != NULL ? sb_text(text) : sb_empty(); }

int sb_bench_record(sb_bench *bench, const sb_quantity *quantity) {
    if (quantity->claim == NULL || quantity->name == NULL || quantity->name[0] == '\0') {
        return sb_fail(bench->ctx, SB_BAD_USAGE, "a quantity of the claim %s has no name",
                       quantity->claim != NULL ? quantity->claim : "(none)");
    }
    const bool decides = quantity->form != SB_REPORTED, holds = quantity->comparison == SB_HOLDS;
    const bool number = decides && !holds;
    const sb_cell row[SB_QUANTITY_COLUMNS] = {
        sb_text(quantity->claim),
        sb_text(form_name[quantity->form]),
        sb_text(quantity->name),
        text_or_empty(quantity->published),
        measured_cell(quantity),
        quantity->uncertainty > quantity->round_off ? sb_estimate(quantity->uncertainty) : sb_empty(),
        decides ? sb_text(comparison_name[quantity->comparison]) : sb_empty(),
        number ? sb_real(quantity->expected) : sb_empty(),
        number && quantity->comparison == SB_WITHIN ? sb_real(quantity->tolerance) : sb_empty(),
        text_or_empty(quantity->from),
        decides ? yes_or_no(sb_quantity_passes(quantity)) : sb_empty(),
    };
    return bench->quantities.sink.row(&bench->quantities.sink, row);
}

bool sb_experiment_decides(const sb_experiment *experiment, const char *claim) {
    for (const char *const *own = experiment->claims; own != NULL && *own != NULL; own++) {
        if (strcmp(*own, claim) == 0) {
            return true;
        }
    }
    return false;
}

int sb_claim_row(const sb_table *rows, const char *claim, int from) {
    return sb_table_find(rows, "claim", claim, from);
}

sb_verdict sb_claim_verdict(const sb_table *rows, const char *claim) {
    int count[4] = {0}, failed[4] = {0};
    for (int i = sb_claim_row(rows, claim, 0); i >= 0; i = sb_claim_row(rows, claim, i + 1)) {
        const char *form = sb_table_text(rows, i, "form");
        for (int k = 0; k < 4; k++) {
            if (strcmp(form, form_name[k]) == 0) {
                count[k]++;
                failed[k] += !sb_table_is(rows, i, "passed", "yes");
            }
        }
    }
    if (count[SB_PRINTED] + count[SB_CORRECTED_FORM] + count[SB_BOTH_FORMS] == 0) {
        return SB_UNDECIDABLE;
    }
    if (count[SB_PRINTED] > 0 && failed[SB_PRINTED] + failed[SB_BOTH_FORMS] == 0) {
        return SB_REPRODUCED;
    }
    return count[SB_CORRECTED_FORM] > 0 && failed[SB_CORRECTED_FORM] + failed[SB_BOTH_FORMS] == 0 ? SB_CORRECTED
                                                                                                  : SB_REFUTED;
}
