/* Records measured quantities of the papers' claims, and derives the verdict on a claim from its quantities. */
#include "bench/runner/claims.h"

#include <string.h>

#include "bench/data/data.h"
#include "core/base/params.h"

const char *const sb_verdict_name[] = {"reproduced", "corrected", "refuted", "undecidable"};

static const char *const form_name[] = {"printed", "corrected", "both", "reported"};
static const char *const comparison_name[] = {"within", "order", "at most", "at least", "holds"};

const sb_column sb_quantity_columns[SB_QUANTITY_COLUMNS] = {
    {"claim", SB_COL_KEY, "", ""},       {"form", SB_COL_KEY, "", ""},       {"quantity", SB_COL_KEY, "", ""},
    {"published", SB_COL_INFO, "", ""},  {"measured", SB_COL_EXACT, "", ""}, {"uncertainty", SB_COL_ERROR, "", ""},
    {"comparison", SB_COL_INFO, "", ""}, {"expected", SB_COL_INFO, "", ""},  {"tolerance", SB_COL_INFO, "", ""},
    {"passed", SB_COL_INFO, "", ""},
};

/* The largest tolerance of an order, with its standard errors: half of the distance between half-integer powers. */
static const double order_tolerance = 0.25;

bool sb_quantity_passes(const sb_quantity *quantity) {
    const double measured = quantity->measured, expected = quantity->expected,
                 errors = quantity->tolerance + 3.0 * quantity->uncertainty;
    switch (quantity->comparison) {
    case SB_WITHIN: return fabs(measured - expected) <= quantity->tolerance;
    case SB_ORDER: return fabs(measured - expected) <= errors && errors <= order_tolerance;
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
    if (quantity->rounding != 0.0) {
        return quantity->comparison == SB_AT_MOST ? sb_residual(x, quantity->rounding)
                                                  : sb_trusted(x, quantity->rounding);
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

/* Returns the text of a cell of a row of quantities.csv; an empty cell for an empty text. */
static sb_cell text_cell(const sb_table *bounds, int row, const char *column) {
    const char *text = sb_table_text(bounds, row, column);
    return text[0] != '\0' ? sb_text(text) : sb_empty();
}

/* Sets *out to the place of the text in the list, -1 if it is not there. */
static int find_name(const char *text, int count, const char *const *names) {
    int k = count - 1;
    while (k >= 0 && strcmp(text, names[k]) != 0) {
        k--;
    }
    return k;
}

/* Reads a row of quantities.csv. Returns false if it cannot be read. */
static bool read_quantity(const sb_table *bounds, int row, sb_quantity *out) {
    const int form = find_name(sb_table_text(bounds, row, "form"), SB_COUNT(form_name), form_name),
              comparison =
                  find_name(sb_table_text(bounds, row, "comparison"), SB_COUNT(comparison_name), comparison_name);
    const struct {
        const char *column;
        double *to;
    } numbers[] = {{"expected", &out->expected}, {"tolerance", &out->tolerance}, {"rounding", &out->rounding}};
    *out = (sb_quantity){.form = (sb_claim_form)form, .comparison = (sb_comparison)comparison};
    for (int k = 0; k < SB_COUNT(numbers); k++) {
        const char *text = sb_table_text(bounds, row, numbers[k].column);
        if (text[0] != '\0' && !sb_parse_real(text, numbers[k].to)) {
            return false;
        }
    }
    return form >= 0 && comparison >= 0;
}

int sb_quantities_read(sb_context *ctx, sb_arena *arena, const char *study, sb_table *out) {
    static const sb_column columns[] = {
        {"id", SB_COL_KEY, "", ""},        {"experiment", SB_COL_KEY, "", ""}, {"form", SB_COL_KEY, "", ""},
        {"quantity", SB_COL_INFO, "", ""}, {"unit", SB_COL_INFO, "", ""},      {"comparison", SB_COL_INFO, "", ""},
        {"expected", SB_COL_INFO, "", ""}, {"tolerance", SB_COL_INFO, "", ""}, {"because", SB_COL_INFO, "", ""},
        {"rounding", SB_COL_INFO, "", ""}, {"published", SB_COL_INFO, "", ""}};
    SB_TRY(sb_data_rows(ctx, arena, "quantities.csv", study, SB_COUNT(columns), columns, out));
    for (int i = 0; i < out->nrows; i++) {
        sb_quantity quantity;
        const char *id = sb_table_text(out, i, "id");
        if (strchr(id, '/') == NULL || sb_table_text(out, i, "quantity")[0] == '\0' ||
            !read_quantity(out, i, &quantity)) {
            return sb_fail(
                ctx, SB_IO,
                "quantities.csv, %s: an id CLAIM/NAME, a form (printed, corrected, both, reported), a "
                "quantity in words, a comparison (within, order, at most, at least, holds) and numbers are needed",
                id);
        }
    }
    return SB_OK;
}

/* Records a measured number for a row of quantities.csv. */
static int record(sb_bench *bench, int row, double measured, double uncertainty) {
    const sb_table *bounds = bench->bounds;
    const char *id = sb_table_text(bounds, row, "id"), *unit = sb_table_text(bounds, row, "unit"), *claim, *name;
    sb_quantity quantity;
    read_quantity(bounds, row, &quantity);
    quantity.measured = measured;
    quantity.uncertainty = uncertainty;
    SB_PRINT(&bench->arena, claim, "%.*s", (int)strcspn(id, "/"), id);
    SB_PRINT(&bench->arena, name, unit[0] != '\0' ? "%s (%s)" : "%s%s", sb_table_text(bounds, row, "quantity"), unit);
    const bool decides = quantity.form != SB_REPORTED, number = decides && quantity.comparison != SB_HOLDS;
    const sb_cell cells[SB_QUANTITY_COLUMNS] = {
        sb_text(claim),
        text_cell(bounds, row, "form"),
        sb_text(name),
        text_cell(bounds, row, "published"),
        measured_cell(&quantity),
        uncertainty > quantity.rounding ? sb_estimate(uncertainty) : sb_empty(),
        decides ? text_cell(bounds, row, "comparison") : sb_empty(),
        number ? sb_real(quantity.expected) : sb_empty(),
        number && quantity.comparison <= SB_ORDER ? sb_real(quantity.tolerance) : sb_empty(),
        decides ? yes_or_no(sb_quantity_passes(&quantity)) : sb_empty(),
    };
    return bench->quantities.sink.row(&bench->quantities.sink, cells);
}

/* Returns whether a row belongs to the running experiment. */
static bool is_own(const sb_bench *bench, int row) {
    return sb_table_is(bench->bounds, row, "experiment", bench->experiment->entry.name);
}

int sb_bench_measure(sb_bench *bench, const char *id, double measured, double uncertainty) {
    const sb_table *bounds = bench->bounds;
    int own = 0, others = 0;
    SB_TRY(id != NULL ? SB_OK : SB_NO_MEMORY);
    for (int i = sb_table_find(bounds, "id", id, 0); i >= 0; i = sb_table_find(bounds, "id", id, i + 1)) {
        if (!is_own(bench, i)) {
            others++;
            continue;
        }
        if (bench->measured[i] > 0) {
            return sb_fail(bench->ctx, SB_BAD_USAGE, "it measured %s twice", id);
        }
        SB_TRY(record(bench, i, measured, uncertainty));
        bench->measured[i] = bench->quantities.nrows;
        own++;
    }
    return own > 0 ? SB_OK
                   : sb_fail(bench->ctx, SB_BAD_USAGE,
                             others > 0 ? "it measured %s, which quantities.csv gives to another experiment"
                                        : "it measured %s, which is no id in a quantities.csv",
                             id);
}

int sb_check_measured(const sb_bench *bench) {
    for (int i = 0; i < bench->bounds->nrows; i++) {
        if (is_own(bench, i) && bench->measured[i] == 0) {
            return sb_fail(bench->ctx, SB_BAD_USAGE, "it did not measure %s, a row of quantities.csv",
                           sb_table_text(bench->bounds, i, "id"));
        }
    }
    return SB_OK;
}

int sb_claims_of(const sb_table *rows, sb_arena *arena, const char *experiment, const char *const **out) {
    const char *column = sb_table_column(rows, "id") >= 0 ? "id" : "claim", **list;
    int count = 0;
    SB_NEW(arena, list, rows->nrows + 1);
    for (int i = sb_table_find(rows, "experiment", experiment, 0); i >= 0;
         i = sb_table_find(rows, "experiment", experiment, i + 1)) {
        const char *claim;
        int k = 0;
        SB_PRINT(arena, claim, "%.*s", (int)strcspn(sb_table_text(rows, i, column), "/"),
                 sb_table_text(rows, i, column));
        while (k < count && strcmp(list[k], claim) != 0) {
            k++;
        }
        list[k] = claim;
        count = k == count ? count + 1 : count;
    }
    *out = list;
    return SB_OK;
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
