/* Counts right and wrong verdicts of `contract`: every built-in stepper, which is right, and steppers with one known
 * fault, on small systems with exact solutions for every kind of term. Two faults have an effect only on built-in
 * problems, and are checked on these too. */
#include <string.h>

#include "bench/card/evaluate.h"
#include "bench/check/check.h"
#include "bench/check/faulty.h"
#include "bench/check/systems.h"
#include "bench/experiments/general/confusion.h"

enum { SECONDS = 60, FAULTY_SECONDS = 2 }; /* of processor time per pair, at most */

static const sb_column columns[] = {
    {"verdict", SB_COL_KEY, "", "the verdict: of contract"},
    {"class", SB_COL_KEY, "",
     "family of systems, by their features; all: all check systems, for a fault that has an effect on problems alone "
     "also the problems of at most nine coordinates"},
    {"stepper", SB_COL_KEY, "", "the stepper, or the fault"},
    {"truth", SB_COL_INFO, "", "right or wrong"},
    {"runs", SB_COL_INFO, "", "number of systems"},
    {"yes", SB_COL_INFO, "", "systems on which every check passed"},
    {"no", SB_COL_INFO, "", "systems on which a check failed"},
    {"unclear", SB_COL_INFO, "", "the others: a check was not decided"},
    {"false_alarms", SB_COL_INFO, "", "systems on which a right stepper failed a check"},
    {"missed", SB_COL_INFO, "", "1: a wrong stepper failed no check on any system"},
};

/* The systems by name, with their families. */
typedef struct families {
    int count;
    const char **name, **family;
} families;

static int list_families(sb_context *ctx, sb_arena *arena, families *out) {
    const sb_registry *registry = ctx->registry;
    const int own = sb_check_system_count();
    out->count = own + registry->count[SB_KIND_PROBLEM];
    SB_NEW(arena, out->name, out->count);
    SB_NEW(arena, out->family, out->count);
    for (int k = 0; k < out->count; k++) {
        sb_system *sys;
        SB_NEW(arena, sys, 1);
        SB_TRY(k < own ? sb_check_system_make(ctx, arena, k, sys)
                       : sb_system_build(ctx, arena, registry->entries[SB_KIND_PROBLEM][k - own]->name, 0, NULL, sys));
        out->name[k] = sys->name;
        out->family[k] = sb_family_of(arena, sys->flags);
        SB_TRY(out->family[k] != NULL ? SB_OK : SB_NO_MEMORY);
    }
    return SB_OK;
}

typedef struct counts {
    int runs, yes, no, unclear;
} counts;

/* Returns whether a check of the system has this verdict. */
static bool has(const sb_table *rows, const char *system, const char *verdict) {
    for (int i = sb_table_find(rows, "problem", system, 0); i >= 0; i = sb_table_find(rows, "problem", system, i + 1)) {
        if (sb_table_is(rows, i, "verdict", verdict)) {
            return true;
        }
    }
    return false;
}

/* Counts the systems of a family (NULL: of all). */
static counts count(const families *all, const sb_table *rows, const char *family) {
    counts n = {0};
    for (int k = 0; k < all->count; k++) {
        if ((family == NULL || strcmp(family, all->family[k]) == 0) &&
            sb_table_find(rows, "problem", all->name[k], 0) >= 0) {
            const bool failed = has(rows, all->name[k], "failed"), unclear = has(rows, all->name[k], "unclear");
            n.runs++;
            n.no += failed;
            n.unclear += !failed && unclear;
            n.yes += !failed && !unclear;
        }
    }
    return n;
}

static int write_row(sb_sink *out, const char *family, const char *stepper, bool right, const counts *n) {
    return SB_ROW(out, sb_text("contract"), sb_text(family), sb_text(stepper), sb_text(right ? "right" : "wrong"),
                  sb_int(n->runs), sb_int(n->yes), sb_int(n->no), sb_int(n->unclear), sb_int(right ? n->no : 0),
                  sb_int(right ? 0 : n->no == 0));
}

static int study_right(sb_bench *bench, const families *all, const char *stepper, sb_sink *out) {
    const sb_limits limits = {.jobs = bench->jobs, .seconds = SECONDS};
    sb_check found;
    SB_TRY(sb_check_stepper(bench->ctx, &bench->arena, stepper, 0, &limits, &found));
    for (int k = 0; k < all->count; k++) {
        bool first = true;
        for (int i = 0; i < k; i++) {
            first = first && strcmp(all->family[i], all->family[k]) != 0;
        }
        const counts n = count(all, &found.rows, all->family[k]);
        SB_TRY(first && n.runs > 0 ? write_row(out, all->family[k], stepper, true, &n) : SB_OK);
    }
    return SB_OK;
}

static int study_faulty(sb_bench *bench, const families *all, const sb_faulty *faulty, sb_sink *out) {
    const sb_limits limits = {.jobs = bench->jobs, .seconds = FAULTY_SECONDS};
    sb_check found;
    const bool shows_on_problems = faulty->fault == SB_FAULT_CLAIMS_MOMENTA || faulty->fault == SB_FAULT_NO_CONTACT;
    SB_TRY(sb_check_stepper(bench->ctx, &bench->arena, faulty->stepper.entry.name,
                            shows_on_problems ? SB_SMALL_COORDINATES : 0, &limits, &found));
    const counts n = count(all, &found.rows, NULL);
    return write_row(out, "all", faulty->text, faulty->check[0] == '\0', &n);
}

static int study(sb_bench *bench, sb_sink *out) {
    const sb_registry *registry = bench->ctx->registry;
    const int known = registry->count[SB_KIND_STEPPER] - SB_FAULT_COUNT; /* built in */
    families all;
    SB_TRY(list_families(bench->ctx, &bench->arena, &all));
    for (int i = 0; i < known; i++) {
        SB_TRY(study_right(bench, &all, sb_check_specification(registry->entries[SB_KIND_STEPPER][i]->name), out));
    }
    for (int k = 0; k < SB_FAULT_COUNT; k++) {
        SB_TRY(study_faulty(bench, &all, &sb_faulty_list[k], out));
    }
    return SB_OK;
}

static int run(sb_bench *bench) {
    return sb_bench_with(bench, sb_faulty_register, sizeof columns / sizeof *columns, columns, study,
                         "confusion_contract.csv");
}

SB_DEFINE_EXPERIMENT(confusion_contract) = {
    .entry = {"confusion_contract", "How often the contract checks are right, on right steppers and on faulty ones.",
              "hlw06", NULL, 0},
    .files = SB_LIST("confusion_contract.csv"),
    .seconds = 25,
    .run = run,
};
