/* Summarizes the contract checks of a card. */
#include "bench/card/card_checks.h"

#include <string.h>

#include "analysis/checks.h"
#include "bench/card/references.h"
#include "core/base/text.h"

static bool is_order(const char *check) { return sb_check_is(check, SB_CHECK_ORDER_Q); }

/* Returns whether two failed rows are one failure: the same check with the same message, or the same claimed order. */
static bool same_failure(const sb_table *a, int i, const sb_table *b, int k) {
    const char *check = sb_table_text(a, i, "check");
    return strcmp(check, sb_table_text(b, k, "check")) == 0 &&
           (is_order(check) ? sb_table_real(a, i, "allowed") == sb_table_real(b, k, "allowed")
                            : sb_table_is(a, i, "message", sb_table_text(b, k, "message")));
}

static int new_failure(sb_arena *arena, int most, const sb_table *table, int row, sb_card_failure *out) {
    const char *check = sb_table_text(table, row, "check");
    *out = (sb_card_failure){.table = table, .row = row, .sentence = sb_table_text(table, row, "message")};
    if (is_order(check)) {
        SB_PRINT(arena, out->sentence, "it claims order %g, and its %s is lower", sb_table_real(table, row, "allowed"),
                 check);
    }
    SB_NEW(arena, out->problems, most);
    SB_NEW(arena, out->reasons, most);
    return SB_OK;
}

/* Adds the problem of a failed row, and the reason if the failure is known. */
static int add_problem(sb_arena *arena, const sb_card_data *data, const sb_table *known, const sb_table *table, int row,
                       sb_card_failure *failure) {
    const char *problem = sb_table_text(table, row, "problem");
    const char *check = sb_table_text(table, row, "check"), *quantity = is_order(check) ? check + 9 : check;
    const char **name = &failure->problems[failure->nproblems++];
    const double slope = sb_table_real(table, row, "measured");
    if (is_order(check) && slope >= 0.5) {
        SB_PRINT(arena, *name, "%s (%.2f)", problem, slope);
    } else {
        SB_PRINT(arena, *name, "%s%s", problem, is_order(check) ? " (its error does not fall with the step)" : "");
    }
    const char *reason = sb_known_reason(known, data->stepper, problem, quantity);
    for (int i = 0; i < failure->nreasons && reason != NULL; i++) {
        reason = strcmp(failure->reasons[i], reason) == 0 ? NULL : reason;
    }
    if (reason != NULL) {
        failure->reasons[failure->nreasons++] = reason;
    }
    return SB_OK;
}

static int add_row(sb_arena *arena, const sb_card_data *data, const sb_table *known, const sb_table *table, int row,
                   int most, sb_card_checks *out) {
    int f = 0;
    while (f < out->count && !same_failure(out->failures[f].table, out->failures[f].row, table, row)) {
        f++;
    }
    if (f == out->count) {
        SB_TRY(new_failure(arena, most, table, row, &out->failures[out->count++]));
    }
    return add_problem(arena, data, known, table, row, &out->failures[f]);
}

/* Adds the failed rows of a table. */
static int add_table(sb_arena *arena, const sb_card_data *data, const sb_table *known, const sb_table *table, int most,
                     sb_card_checks *out, int *failed) {
    for (int k = sb_table_find(table, "verdict", "failed", 0); k >= 0;
         k = sb_table_find(table, "verdict", "failed", k + 1)) {
        ++*failed;
        SB_TRY(add_row(arena, data, known, table, k, most, out));
    }
    return SB_OK;
}

/* Returns the number of rows of a table without a decision. */
static int count_unclear(const sb_table *table) {
    return sb_table_count(table, "verdict", "unclear") + sb_table_count(table, "verdict", "");
}

/* Sets the summary where no check is decided, as those of a stepper whose state cannot be set: the orders remain. */
static int summarize_orders(sb_arena *arena, const sb_card_data *data, sb_card_checks *out) {
    char *list = "";
    for (int i = 0; i < data->problems; i++) {
        const sb_evaluation *e = &data->evaluations[i];
        if (e->refusal == NULL && sb_table_find(&e->tables[SB_EVALUATED_ORDER], "verdict", "lower", 0) >= 0) {
            SB_PRINT(arena, list, "%s%s%s", list, list[0] != '\0' ? ", " : "", e->problem);
        }
    }
    out->summary = "No check of it is decided.";
    if (list[0] != '\0') {
        SB_PRINT(arena, out->summary, "No check of it is decided. Its order is lower than it claims on %s.", list);
    }
    return SB_OK;
}

static int summarize(sb_arena *arena, const sb_card_data *data, int taken, int checks, int failed, int unclear,
                     sb_card_checks *out) {
    char *crashes, *failures, *passes;
    const char *s = taken == 1 ? "" : "s";
    out->passed = checks > unclear && failed + data->faults == 0;
    if (taken == 0) {
        out->summary = "It takes none of the problems.";
        return SB_OK;
    }
    if (checks == unclear && data->faults == 0) {
        return summarize_orders(arena, data, out);
    }
    if (out->passed) {
        SB_PRINT(arena, passes,
                 unclear == 0   ? "All %d checks passed"
                 : unclear == 1 ? "%d checks passed, none failed and one is unclear"
                                : "%d checks passed, none failed and %d are unclear",
                 checks - unclear, unclear);
        SB_PRINT(arena, out->summary,
                 "%s, on the %d problem%s it was tried on and on %d systems with one kind of term each.", passes, taken,
                 s, data->systems.systems);
        return SB_OK;
    }
    SB_PRINT(arena, crashes, "It crashed or did not return on %d of the %d problem%s it was tried on.", data->faults,
             taken, s);
    SB_PRINT(arena, failures, "%d of %d checks failed on the %d problem%s it was tried on.", failed, checks, taken, s);
    SB_PRINT(arena, out->summary, "%s%s%s", data->faults > 0 ? crashes : "", data->faults > 0 && failed > 0 ? " " : "",
             failed > 0 ? failures : "");
    return SB_OK;
}

int sb_card_check(sb_context *ctx, sb_arena *arena, const sb_card_data *data, sb_card_checks *out) {
    const sb_table *systems = &data->systems.rows; /* empty after faults */
    sb_table known;
    int taken = 0, checks = systems->nrows, failed = 0, unclear = count_unclear(systems);
    *out = (sb_card_checks){0};
    SB_TRY(sb_known_failures(ctx, arena, &known));
    for (int i = 0; i < data->problems; i++) {
        taken += data->evaluations[i].refusal == NULL;
        checks += data->evaluations[i].tables[SB_EVALUATED_CONTRACT].nrows; /* 0 where it was refused */
        unclear += count_unclear(&data->evaluations[i].tables[SB_EVALUATED_CONTRACT]);
    }
    SB_NEW(arena, out->failures, checks);
    for (int i = 0; i < data->problems; i++) {
        SB_TRY(
            add_table(arena, data, &known, &data->evaluations[i].tables[SB_EVALUATED_CONTRACT], checks, out, &failed));
    }
    SB_TRY(add_table(arena, data, &known, systems, checks, out, &failed));
    return summarize(arena, data, taken, checks, failed, unclear, out);
}
