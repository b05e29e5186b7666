/* `stepbench show NAME`: describes an entry of any kind, or a claim. */
#include <string.h>

#include <stepbench/numerics/linear.h>

#include "analysis/analysis.h"
#include "bench/cli/cli.h"
#include "bench/cli/data.h"
#include "bench/picture/picture.h"
#include "bench/runner/claims.h"
#include "core/run/build.h"

static void write_set(const char *heading, unsigned set) {
    if (set == 0) {
        return;
    }
    printf("%s\n", heading);
#define WRITE_FEATURE(name, bit, word, meaning)                                                                        \
    if ((set & (unsigned)(name)) != 0) {                                                                               \
        printf("  %-14s %s\n", word, meaning);                                                                         \
    }
    SB_FEATURE_LIST(WRITE_FEATURE)
    SB_OFFER_LIST(WRITE_FEATURE)
#undef WRITE_FEATURE
}

static void write_kept(unsigned set) {
    if (set != 0) {
        puts("keeps to round-off");
    }
#define WRITE_KEPT(name, bit, word, meaning)                                                                           \
    if ((set & (unsigned)(name)) != 0) {                                                                               \
        printf("  %-14s %s\n", word, meaning);                                                                         \
    }
    SB_KEEPS_LIST(WRITE_KEPT)
#undef WRITE_KEPT
}

static void show_stepper(const sb_stepper *stepper) {
    printf("order      %d\n", stepper->order);
    for (size_t i = 0; i < sizeof stepper->lower / sizeof *stepper->lower; i++) {
        char heading[40];
        snprintf(heading, sizeof heading, "order %d with", stepper->lower[i].order);
        write_set(heading, stepper->lower[i].features);
    }
    write_set("takes", stepper->supports);
    write_set("needs", stepper->needs);
    write_kept(stepper->keeps);
    if (stepper->start_pair != NULL) {
        fputs("a two-step method: it starts from (q, v) by the discrete Legendre transform\n", stdout);
    }
}

/* Describes the system with the default parameters. */
static int show_problem(cli *me, const sb_problem *problem) {
    const unsigned offers = (unsigned)SB_OFFERS_CHART | (unsigned)SB_OFFERS_RIGID | (unsigned)SB_OFFERS_EXACT;
    sb_system sys;
    bool picture;
    SB_TRY(sb_system_build(me->ctx, me->arena, problem->entry.name, 0, NULL, &sys));
    printf("size       %d coordinates, %d holonomic constraints\n", sys.n, sys.holonomic.m);
    if (sys.contact.m + sys.contact.k > 0) {
        printf("contacts   %d gaps, %d rows of dry friction\n", sys.contact.m, sys.contact.k);
    }
    printf("time scale %.3g s\n", sys.time_scale);
    if (sys.period > 0.0) {
        printf("period     %.3g s\n", sys.period);
    }
    SB_TRY(sb_picture_exists(me->ctx, me->arena, problem->entry.name, &picture));
    printf("%s", picture ? "picture    stepbench animate shows it\n" : "");
    write_set("has", sys.flags & ~offers);
    write_set("offers", sys.flags & offers);
    if (sys.symmetry.count > 0) {
        fputs("momenta\n", stdout);
    }
    for (int i = 0; i < sys.symmetry.count; i++) {
        printf("  %s\n", sys.symmetry.names[i]);
    }
    if (sys.outputs.count > 0) {
        fputs("outputs\n", stdout);
    }
    for (int i = 0; i < sys.outputs.count; i++) {
        const sb_output *o = &sys.outputs.list[i];
        char meaning[600];
        snprintf(meaning, sizeof meaning, "%s%s%s%s%s", o->doc, o->unit[0] != '\0' ? " [" : "", o->unit,
                 o->unit[0] != '\0' ? "]" : "", o->invariant ? "; invariant" : "");
        cli_write_item(stdout, o->name, meaning);
    }
    return SB_OK;
}

/* Writes the same in every build; a note on standard error says that this build leaves the solver out. */
static void show_solver(cli *me, const sb_solver *solver) {
    if (solver->package != NULL) {
        printf("package    %s\n", solver->package);
    }
    if (sb_solver_check(me->ctx, solver) != SB_OK) {
        fprintf(stderr, "stepbench: %s\n", me->ctx->message);
    }
}

static void show_experiment(const sb_experiment *experiment) {
    if (experiment->timed) {
        fputs("measures time: run alone, never compared byte by byte\n", stdout);
    }
    fputs("files\n", stdout);
    for (const char *const *file = experiment->files; file != NULL && *file != NULL; file++) {
        printf("  %s\n", *file);
    }
    fputs("claims\n", stdout);
    for (const char *const *claim = experiment->claims; claim != NULL && *claim != NULL; claim++) {
        printf("  %s\n", *claim);
    }
}

static const sb_entry *find_any(cli *me, const char *name, sb_kind *kind) {
    const char *names[512];
    int count = 0;
    if (strchr(name, '(') != NULL) {
        sb_spec spec;
        *kind = SB_KIND_STEPPER;
        return sb_spec_parse(me->ctx, me->arena, SB_KIND_STEPPER, name, &spec) == SB_OK ? spec.entry : NULL;
    }
    for (int k = 0; k < SB_KIND_COUNT; k++) {
        for (int i = 0; i < me->registry->count[k]; i++) {
            const sb_entry *entry = me->registry->entries[k][i];
            if (strcmp(entry->name, name) == 0) {
                *kind = (sb_kind)k;
                return entry;
            }
            if (count < 512) {
                names[count++] = entry->name;
            }
        }
    }
    sb_fail_name(me->ctx, "nothing is named", name, count, names, "`stepbench list` lists everything");
    return NULL;
}

static int show_entry(cli *me, sb_kind kind, const sb_entry *entry) {
    printf("%s: %s\n", entry->name, sb_kind_name[kind]);
    cli_write_wrapped(stdout, 0, 0, entry->brief);
    if (entry->ref != NULL && entry->ref[0] != '\0') {
        printf("reference  %s\n", entry->ref);
    }
    switch (kind) {
    case SB_KIND_STEPPER: show_stepper((const sb_stepper *)entry); break;
    case SB_KIND_PROBLEM: SB_TRY(show_problem(me, (const sb_problem *)entry)); break;
    case SB_KIND_FORMULATION:
        write_set("needs", ((const sb_formulation *)entry)->needs);
        write_set("takes away", ((const sb_formulation *)entry)->removes);
        write_set("may bring", ((const sb_formulation *)entry)->adds);
        break;
    case SB_KIND_SOLVER: show_solver(me, (const sb_solver *)entry); break;
    case SB_KIND_EXPERIMENT: show_experiment((const sb_experiment *)entry); break;
    case SB_KIND_ANALYSIS: {
        const cli_command analysis = cli_analysis_command(entry);
        cli_help_command(&analysis);
        return SB_OK;
    }
    default: break;
    }
    if (entry->params == NULL || entry->params[0].name == NULL) {
        fputs("no parameters\n", stdout);
        return SB_OK;
    }
    fputs("parameters\n", stdout);
    cli_write_params(entry->params, false);
    return SB_OK;
}

/* Returns the name of the experiment that settles a claim, NULL if there is none. */
static const char *settled_by(const cli *me, const char *claim) {
    for (int i = 0; i < me->registry->count[SB_KIND_EXPERIMENT]; i++) {
        const sb_experiment *experiment = (const sb_experiment *)me->registry->entries[SB_KIND_EXPERIMENT][i];
        if (sb_experiment_decides(experiment, claim)) {
            return experiment->entry.name;
        }
    }
    return NULL;
}

static void show_claim(const cli *me, const sb_table *claims, int row) {
    const char *id = sb_table_text(claims, row, "id"), *experiment = settled_by(me, id);
    printf("%s: claim\n", id);
    cli_write_wrapped(stdout, 0, 0, sb_table_text(claims, row, "claim"));
    printf("reference  %s\n", sb_table_text(claims, row, "where"));
    cli_write_wrapped(stdout, printf("published  "), 11, sb_table_text(claims, row, "published"));
    printf("settled by %s\n", experiment != NULL ? experiment : "no experiment yet");
}

/* Looks up all names before anything is written; reads the claims only for a name that the registry does not have. */
static int run_show(cli *me) {
    const sb_entry **entries;
    sb_kind *kinds;
    int *rows;
    sb_table claims;
    if (me->words.count == 0) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "show needs a name; `stepbench list` lists everything");
    }
    SB_NEW(me->arena, entries, me->words.count);
    SB_NEW(me->arena, kinds, me->words.count);
    SB_NEW(me->arena, rows, me->words.count);
    sb_table_init(&claims, me->arena);
    for (int i = 0; i < me->words.count; i++) {
        entries[i] = find_any(me, me->words.list[i], &kinds[i]);
        if (entries[i] != NULL) {
            continue;
        }
        char unknown[SB_MESSAGE_MAX];
        memcpy(unknown, me->ctx->message, sizeof unknown);
        if (claims.nrows == 0) {
            SB_TRY(sb_claims_read(me->ctx, me->arena, &claims));
        }
        rows[i] = sb_table_find(&claims, "id", me->words.list[i], 0);
        if (rows[i] < 0) {
            return sb_fail(me->ctx, SB_BAD_USAGE, "%s", unknown);
        }
    }
    for (int i = 0; i < me->words.count; i++) {
        fputs(i > 0 ? "\n" : "", stdout);
        if (entries[i] != NULL) {
            SB_TRY(show_entry(me, kinds[i], entries[i]));
        } else {
            show_claim(me, &claims, rows[i]);
        }
    }
    return SB_OK;
}

const cli_command cli_show = {
    &(const sb_entry){"show", "One thing of any kind: reference, parameters with ranges and units, features, columns",
                      "", NULL, 0},
    "stepbench show NAME...",
    CLI_WORDS,
    run_show,
    NULL,
    "stepbench show rattle",
};
