/* Compares two results directories quantity by quantity, each within its tolerance. */
#include "bench/runner/agreement.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/runner/claims.h"
#include "core/output/csv.h"

/* Numbers whose uncertainty is not declared come from runs of at most 1e6 steps with some ten dependent operations
 * each, of regular motions, in which relative errors of eps = 1.1e-16 per operation add up: 1e7 eps. Whatever amplifies
 * errors beyond that declares its digits. */
const double sb_undeclared_tolerance = 1e-9;

typedef struct comparison {
    sb_context *ctx;
    sb_arena *arena;
    const char *directory[2]; /* reference, other */
    sb_sink *out;
    sb_agreement *result;
} comparison;

/* Two versions of a file. */
typedef struct versions {
    const char *file;
    sb_table table[2];
    const char *trusted[2]; /* names of the columns with trusted digits, separated by blanks */
    double rounding;        /* relative, of numbers without a declared uncertainty */
} versions;

/* Returns whether x and y differ by at most `tolerance`, except for the round-off of their difference. */
static bool within(double x, double y, double tolerance) {
    return isfinite(x - y) && fabs(x - y) <= tolerance * (1.0 + 1e-6) + 2.0 * DBL_EPSILON * fmax(fabs(x), fabs(y));
}

static bool digits_agree(const char *a, size_t la, const char *b, size_t lb, double *tolerance) {
    *tolerance = fmax(sb_text_unit(a, la), sb_text_unit(b, lb));
    return within(strtod(a, NULL), strtod(b, NULL), *tolerance);
}

/* Returns the length of an unsigned number at `text`, 0 if there is none. */
static size_t number_length(const char *text) {
    char *end = (char *)text;
    if (isdigit((unsigned char)*text)) {
        (void)strtod(text, &end);
    }
    return (size_t)(end - text);
}

/* Returns whether words and whole numbers (counts) are the same and other numbers agree to one unit of their last
 * digit. Sets *tolerance to the tolerance of the last number compared. */
static bool texts_agree(const char *a, const char *b, double *tolerance) {
    *tolerance = 0.0;
    while (*a != '\0' || *b != '\0') {
        const size_t la = number_length(a), lb = number_length(b);
        if (la > 0 && lb > 0) {
            const bool whole = strcspn(a, ".e") >= la && strcspn(b, ".e") >= lb;
            if ((la != lb || memcmp(a, b, la) != 0) && (whole || !digits_agree(a, la, b, lb, tolerance))) {
                return false;
            }
            a += la;
            b += lb;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return true;
}

static bool is_number(const char *text) {
    char *end;
    if (*text == '\0') {
        return false;
    }
    const double x = strtod(text, &end);
    return *end == '\0' && isfinite(x);
}

/* Returns whether two cells agree. `trusted`: which of them is written with its trusted digits; `allowed`: the absolute
 * difference that is allowed; `rounding`: the relative one. */
static bool agree(const char *a, const char *b, const bool trusted[2], double allowed, double rounding,
                  double *tolerance) {
    *tolerance = 0.0;
    if (strcmp(a, b) == 0 || isinf(allowed)) {
        return true;
    }
    if (!is_number(a) || !is_number(b)) {
        return texts_agree(a, b, tolerance);
    }
    const double x = strtod(a, NULL), y = strtod(b, NULL);
    *tolerance = fmax(allowed, rounding * fmax(fabs(x), fabs(y)));
    *tolerance = trusted[0] ? fmax(*tolerance, sb_text_unit(a, strlen(a))) : *tolerance;
    *tolerance = trusted[1] ? fmax(*tolerance, sb_text_unit(b, strlen(b))) : *tolerance;
    return within(x, y, *tolerance);
}

static bool has_word(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(list, word); at != NULL; at = strstr(at + 1, word)) {
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static int report(comparison *me, const char *file, const char *row, const char *column, const char *a, const char *b,
                  double tolerance) {
    const sb_cell cells[] = {sb_text(file), sb_text(row), sb_text(column), sb_text(a), sb_text(b), sb_real(tolerance)};
    me->result->moved++;
    return me->out->row(me->out, cells);
}

/* Sets *out to the name of a row: its number and its first cells. */
static int name_row(sb_arena *arena, const sb_table *table, int i, const char **out) {
    enum { SHOWN = 3 };
    SB_PRINT(arena, *out, "%d:", i + 1);
    for (int j = 0; j < table->ncolumns && j < SHOWN; j++) {
        SB_PRINT(arena, *out, "%s %.40s", *out, sb_table_cell(table, i, j)->text);
    }
    return SB_OK;
}

/* Returns the number in row i and the named column; 0 if there is none, infinity for NaN. */
static double bound(const sb_table *table, int i, const char *column) {
    const double x = strtod(sb_table_text(table, i, column), NULL);
    return isnan(x) ? INFINITY : x;
}

/* Returns whether row i has the numbers of the column `name` of a table that was pivoted: its column `column` has the
 * name. */
static bool holds(const sb_table *table, int i, const char *name) {
    return i < table->nrows && sb_table_is(table, i, "column", name);
}

/* Returns twice the sum of the uncertainties of a number in a pivoted table, which are in the next rows; 0 if they are
 * not. */
static double pivoted(const versions *v, int i, int k, const char *column) {
    const bool there = holds(&v->table[0], i, "value") && holds(&v->table[0], i + 1, "uncertainty") &&
                       holds(&v->table[1], k + 1, "uncertainty");
    return there ? 2.0 * (bound(&v->table[0], i + 1, column) + bound(&v->table[1], k + 1, column)) : 0.0;
}

/* Returns the allowed difference of two computations of a number: twice the spread or the uncertainty of each, as in
 * sb_trusted; the uncertainty of a measured quantity, and half of it for the uncertainty itself. The uncertainties of a
 * pivoted table agree to a factor of ten: they are powers of ten, or come from a few runs. */
static double repeatability(const versions *v, int i, int k, const char *column) {
    char name[128];
    snprintf(name, sizeof name, "%s" SB_SPREAD_SUFFIX, column);
    const double spread =
        2.0 * (bound(&v->table[0], i, name) + bound(&v->table[1], k, name)) + pivoted(v, i, k, column);
    const double uncertainty = bound(&v->table[0], i, "uncertainty");
    return strcmp(column, "measured") == 0      ? spread + uncertainty
           : strcmp(column, "uncertainty") == 0 ? 0.5 * uncertainty
           : holds(&v->table[0], i, "uncertainty")
               ? 0.9 * fmax(bound(&v->table[0], i, column), bound(&v->table[1], k, column))
               : spread;
}

static bool is_spread(const char *column) { return sb_ends_with(column, SB_SPREAD_SUFFIX); }

static int compare_rows(comparison *me, const versions *v, int i, int k) {
    const char *row;
    for (int j = 0; j < v->table[0].ncolumns; j++) {
        const char *column = v->table[0].columns[j].name;
        const char *a = sb_table_cell(&v->table[0], i, j)->text, *b = sb_table_text(&v->table[1], k, column);
        const bool trusted[2] = {has_word(v->trusted[0], column), has_word(v->trusted[1], column)};
        double tolerance;
        me->result->quantities++;
        if (!is_spread(column) && !agree(a, b, trusted, repeatability(v, i, k, column), v->rounding, &tolerance)) {
            SB_TRY(name_row(me->arena, &v->table[0], i, &row));
            SB_TRY(report(me, v->file, row, column, a, b, tolerance));
        }
    }
    return SB_OK;
}

/* Sets *rounding to the relative unit of the last digit of the numbers in a file whose head states how many digits they
 * have; to 0 for other files. */
static int stated_rounding(comparison *me, const char *path, double *rounding) {
    const char *text;
    char *end;
    SB_TRY(sb_csv_comment(me->ctx, me->arena, path, SB_DIGITS_COMMENT, &text));
    const long digits = strtol(text, &end, 10);
    *rounding = text[0] != '\0' ? pow(10.0, 1.0 - (double)digits) : 0.0;
    return text[0] == '\0' || (*end == '\0' && digits >= 1 && digits <= DBL_DECIMAL_DIG)
               ? SB_OK
               : sb_fail(me->ctx, SB_IO, "%s: \"# " SB_DIGITS_COMMENT "%.40s\": a double has 1 to %d digits", path,
                         text, DBL_DECIMAL_DIG);
}

/* Reads a file; what is wrong in it is no wrong usage. */
static int read_table(comparison *me, const char *path, sb_table *out) {
    sb_table_init(out, me->arena);
    const int status = sb_table_read_csv_text(out, me->ctx, path);
    return status == SB_BAD_USAGE ? SB_IO : status;
}

/* Reads a file in both directories. Sets *both if it exists in both; a file that only one has is reported. */
static int read_versions(comparison *me, const char *file, versions *v, bool *both) {
    const char *path[2];
    bool there[2];
    *v = (versions){.file = file, .rounding = sb_undeclared_tolerance};
    for (int k = 0; k < 2; k++) {
        SB_PRINT(me->arena, path[k], "%s/%s", me->directory[k], file);
        there[k] = access(path[k], F_OK) == 0;
    }
    *both = there[0] && there[1];
    if (there[0] != there[1]) {
        return report(me, file, "", "", there[0] ? "there" : "missing", there[1] ? "there" : "missing", 0.0);
    }
    for (int k = 0; k < 2 && *both; k++) {
        SB_TRY(read_table(me, path[k], &v->table[k]));
        SB_TRY(sb_csv_comment(me->ctx, me->arena, path[k], SB_TRUSTED_COMMENT, &v->trusted[k]));
        double rounding;
        SB_TRY(stated_rounding(me, path[k], &rounding));
        v->rounding = fmax(v->rounding, rounding);
    }
    me->result->files += *both;
    return SB_OK;
}

/* Sets *out to the names of the columns except the columns of spreads. */
static int header(sb_arena *arena, const sb_table *table, const char **out) {
    *out = "";
    for (int j = 0; j < table->ncolumns; j++) {
        if (!is_spread(table->columns[j].name)) {
            SB_PRINT(arena, *out, "%s%s%s", *out, j > 0 ? "," : "", table->columns[j].name);
        }
    }
    return SB_OK;
}

/* Sets *same if the columns are the same; otherwise reports it, and nothing more of the file is compared. */
static int compare_heads(comparison *me, const versions *v, bool *same) {
    const char *names[2];
    SB_TRY(header(me->arena, &v->table[0], &names[0]));
    SB_TRY(header(me->arena, &v->table[1], &names[1]));
    *same = strcmp(names[0], names[1]) == 0;
    return *same ? SB_OK : report(me, v->file, "", "columns", names[0], names[1], 0.0);
}

static int compare_file(comparison *me, const char *file) {
    versions v;
    bool same;
    SB_TRY(read_versions(me, file, &v, &same));
    SB_TRY(same ? compare_heads(me, &v, &same) : SB_OK);
    if (!same) {
        return SB_OK;
    }
    const int n = v.table[0].nrows < v.table[1].nrows ? v.table[0].nrows : v.table[1].nrows;
    if (v.table[0].nrows != v.table[1].nrows) {
        char count[2][32];
        snprintf(count[0], sizeof count[0], "%d", v.table[0].nrows);
        snprintf(count[1], sizeof count[1], "%d", v.table[1].nrows);
        SB_TRY(report(me, file, "", "number of rows", count[0], count[1], 0.0));
    }
    for (int i = 0; i < n; i++) {
        SB_TRY(compare_rows(me, &v, i, i));
    }
    return SB_OK;
}

/* Compares the quantities of one claim in their order. */
static int compare_claim(comparison *me, const versions *claims, const char *id) {
    int i = sb_claim_row(&claims->table[0], id, 0), k = sb_claim_row(&claims->table[1], id, 0);
    while (i >= 0 && k >= 0) {
        SB_TRY(compare_rows(me, claims, i, k));
        i = sb_claim_row(&claims->table[0], id, i + 1);
        k = sb_claim_row(&claims->table[1], id, k + 1);
    }
    return i < 0 && k < 0
               ? SB_OK
               : report(me, claims->file, id, "", i < 0 ? "missing" : "there", k < 0 ? "missing" : "there", 0.0);
}

static int compare_claims(comparison *me, const versions *claims, const sb_experiment *experiment) {
    const char *const *list;
    for (int k = 1; k >= 0; k--) { /* the claims of the results, and those that only the reference has */
        SB_TRY(sb_claims_of(&claims->table[k], me->arena, experiment->entry.name, &list));
        for (; *list != NULL; list++) {
            SB_TRY(k == 1 || sb_claim_row(&claims->table[1], *list, 0) < 0 ? compare_claim(me, claims, *list) : SB_OK);
        }
    }
    return SB_OK;
}

static int compare_all(comparison *me, const sb_bench_call *call) {
    versions claims;
    bool same;
    SB_TRY(read_versions(me, "claims.csv", &claims, &same));
    SB_TRY(same ? compare_heads(me, &claims, &same) : SB_OK);
    if (same &&
        (sb_table_column(&claims.table[0], "claim") < 0 || sb_table_column(&claims.table[0], "experiment") < 0)) {
        return sb_fail(me->ctx, SB_IO, "%s/claims.csv has no column claim or experiment", me->directory[0]);
    }
    for (int i = 0; i < call->count; i++) {
        const sb_experiment *experiment = call->list[i].experiment;
        if (experiment->timed) {
            continue;
        }
        for (const char *const *file = experiment->files; file != NULL && *file != NULL; file++) {
            SB_TRY(sb_ends_with(*file, ".csv") ? compare_file(me, *file) : SB_OK);
        }
        SB_TRY(same ? compare_claims(me, &claims, experiment) : SB_OK);
    }
    return SB_OK;
}

int sb_agreement_check(const sb_bench_call *call, const char *reference, sb_sink *out, sb_agreement *result) {
    static const sb_column columns[] = {{"file", SB_COL_KEY, "", ""},   {"row", SB_COL_KEY, "", ""},
                                        {"column", SB_COL_KEY, "", ""}, {"reference", SB_COL_INFO, "", ""},
                                        {"value", SB_COL_INFO, "", ""}, {"tolerance", SB_COL_INFO, "", ""}};
    comparison me = {call->ctx, call->arena, {reference, call->out}, out, result};
    *result = (sb_agreement){0, 0, 0};
    int status = out->begin(out, 6, columns);
    status = status == SB_OK ? compare_all(&me, call) : status;
    if (status == SB_OK && result->quantities == 0 && result->moved == 0) {
        status = sb_fail(call->ctx, SB_BAD_USAGE, "%s and %s have no result in common", reference, call->out);
    }
    if (status == SB_OK) {
        return out->end(out);
    }
    out->abandon(out);
    return status;
}
