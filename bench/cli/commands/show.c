/* `stepbench show NAME`: describes an entry of any kind, or a claim. */
#include <string.h>

#include <stepbench/numerics/linear.h>

#include "bench/data/data.h"
#include "bench/picture/picture.h"
#include "bench/runner/claims.h"
#include "bench/study/study.h"
#include "core/base/escape.h"

/* A feature of a system, or a property that a stepper keeps. */
typedef struct flag {
    unsigned bit;
    const char *word, *meaning;
} flag;

#define FLAG(name, bit, word, meaning) {(unsigned)(name), word, meaning},
static const flag features[] = {SB_FEATURE_LIST(FLAG) SB_OFFER_LIST(FLAG){0, NULL, NULL}};
static const flag properties[] = {SB_KEEPS_LIST(FLAG){0, NULL, NULL}};
#undef FLAG

/* Writes a heading and the flags of a set that is not empty. */
static void write_set(const char *heading, const flag *flags, unsigned set) {
    if (set != 0) {
        puts(heading);
    }
    for (const flag *f = flags; f->word != NULL; f++) {
        if ((set & f->bit) != 0) {
            printf("  %-14s %s\n", f->word, f->meaning);
        }
    }
}

static void show_stepper(const sb_stepper *stepper) {
    printf("order      %d\n", stepper->order);
    for (size_t i = 0; i < sizeof stepper->lower / sizeof *stepper->lower; i++) {
        char heading[40];
        snprintf(heading, sizeof heading, "order %d with", stepper->lower[i].order);
        write_set(heading, features, stepper->lower[i].features);
    }
    write_set("takes", features, stepper->supports);
    write_set("needs", features, stepper->needs);
    write_set("keeps to round-off", properties, stepper->keeps);
    if (stepper->start_pair != NULL) {
        fputs("a two-step method: it starts from (q, v) by the discrete Legendre transform\n", stdout);
    }
}

/* Writes a list of outputs under a title: of a large mechanism the first ones. */
static void write_outputs(const char *title, int count, const sb_output *list) {
    enum { LISTED = 100 };
    if (count > 0) {
        printf(count > LISTED ? "%s (%d, of which %d are listed)\n" : "%s\n", title, count, LISTED);
    }
    for (const sb_output *o = list; o < list + count && o < list + LISTED; o++) {
        char meaning[600];
        snprintf(meaning, sizeof meaning, "%s%s%s%s%s", o->doc, o->unit[0] != '\0' ? " [" : "", o->unit,
                 o->unit[0] != '\0' ? "]" : "", o->invariant ? "; invariant" : "");
        cli_write_item(stdout, o->name, meaning);
    }
}

/* Describes the system of a problem with the parameters of `spec`. */
static int show_problem(cli *me, const sb_problem *problem, const char *spec) {
#define OFFER(name, bit, word, meaning) | (unsigned)(name)
    const unsigned offers = 0U SB_OFFER_LIST(OFFER);
    sb_system sys;
    bool picture;
    SB_TRY(sb_system_build(me->ctx, me->arena, spec, 0, NULL, &sys));
    printf("size       %d coordinates, %d holonomic constraints\n", sys.n, sys.holonomic.m);
    if (sys.contact.m + sys.contact.k > 0) {
        printf("contacts   %d gaps, %d rows of dry friction\n", sys.contact.m, sys.contact.k);
    }
    printf("time scale %.3g s\n", sys.time_scale);
    if (sys.period > 0.0) {
        printf("period     %.3g s\n", sys.period);
    }
    SB_TRY(sb_picture_exists(me->ctx, me->arena, &problem->entry, &picture));
    fputs(picture ? "picture    stepbench animate shows it\n" : "", stdout);
    write_set("has", features, sys.flags & ~offers);
    if (sys.holonomic.m + sys.nonholonomic.m > 0) {
        printf("rank       %d of %d rows of constraints; degrees of freedom: %d\n", sys.rank, sb_system_bilateral(&sys),
               sys.n - sys.rank);
    }
    if (sys.start != NULL) {
        cli_write_wrapped(stdout, printf("start      "), 11, sys.start);
    }
    if (sys.redundant != NULL) {
        cli_write_wrapped(stdout, printf("redundant  "), 11, sys.redundant);
    }
    write_set("offers", features, sys.flags & offers);
    fputs(sys.symmetry.count > 0 ? "momenta\n" : "", stdout);
    for (int i = 0; i < sys.symmetry.count; i++) {
        printf("  %s\n", sys.symmetry.names[i]);
    }
    write_outputs("outputs", sys.outputs.count, sys.outputs.list);
    if (sys.world != NULL) {
        write_outputs("forces and torques, by --columns", sys.world->reactions, sys.world->reaction);
    }
    return SB_OK;
}

/* Writes the package of a solver; a note on standard error says if this build does not have it. */
static void show_solver(cli *me, const sb_solver *solver) {
    if (solver->package != NULL) {
        printf("package    %s\n", solver->package);
    }
    if (sb_solver_check(me->ctx, solver) != SB_OK) {
        sb_write_line(stderr, "stepbench: %s", me->ctx->message);
    }
}

static int show_experiment(cli *me, const sb_experiment *experiment) {
    const char *const *claims;
    sb_table quantities;
    SB_TRY(sb_quantities_read(me->ctx, me->arena, NULL, &quantities));
    SB_TRY(sb_claims_of(&quantities, me->arena, experiment->entry.name, &claims));
    if (experiment->timed) {
        fputs("measures time: run alone, never compared byte by byte\n", stdout);
    }
    fputs("files\n", stdout);
    for (const char *const *file = experiment->files; file != NULL && *file != NULL; file++) {
        printf("  %s\n", *file);
    }
    fputs("claims\n", stdout);
    for (; *claims != NULL; claims++) {
        printf("  %s\n", *claims);
    }
    return SB_OK;
}

/* Returns the entry of a name or specification, of any kind, and sets its kind. Returns NULL with the nearest names in
 * the context. */
static const sb_entry *find_any(cli *me, const char *name, sb_kind *kind) {
    const char *names[512];
    int count = 0;
    const size_t length = strcspn(name, ":");
    sb_spec spec;
    if (strchr(name, '(') != NULL) {
        *kind = SB_KIND_STEPPER;
        return sb_spec_parse(me->ctx, me->arena, SB_KIND_STEPPER, name, &spec) == SB_OK ? spec.entry : NULL;
    }
    for (int k = 0; k < SB_KIND_COUNT; k++) {
        for (int i = 0; i < me->registry->count[k]; i++) {
            const sb_entry *entry = me->registry->entries[k][i];
            if (strlen(entry->name) == length && strncmp(entry->name, name, length) == 0) {
                *kind = (sb_kind)k;
                return name[length] == '\0' || sb_spec_parse(me->ctx, me->arena, *kind, name, &spec) == SB_OK ? entry
                                                                                                              : NULL;
            }
            if (count < 512) {
                names[count++] = entry->name;
            }
        }
    }
    sb_fail_name(me->ctx, "nothing is named", name, count, names, "`stepbench list` lists everything");
    return NULL;
}

/* ---- The equations: the comments with which the source begins. ---- */

enum { SHOWN_WIDTH = 100 };

/* Writes a paragraph and empties it. */
static void write_paragraph(char *paragraph) {
    if (paragraph[0] != '\0') {
        cli_write_wrapped(stdout, printf("  "), 2, paragraph);
        paragraph[0] = '\0';
    }
}

/* Writes a comment from behind its first two characters: formulas, which are indented, as they are, and text in
 * paragraphs. `paragraph` has room for it. Returns the end of the comment. */
static const char *write_comment(const char *text, char *paragraph) {
    const char *end = strstr(text, "*/");
    paragraph[0] = '\0';
    while (end != NULL && text < end) {
        size_t length = strcspn(text, "\n");
        const char *next = text + length + 1;
        length = next > end ? (size_t)(end - text) : length;
        for (; length > 0 && text[length - 1] == ' '; length--) {
        }
        const bool formula = length > 2 && text[1] == ' ' && text[2] == ' ';
        if (length <= 1 || formula) {
            write_paragraph(paragraph);
        }
        if (formula && length < SHOWN_WIDTH) {
            printf(" %.*s\n", (int)length, text);
        } else if (length > 1) {
            char *to = paragraph + strlen(paragraph);
            sprintf(to, "%s%.*s", to > paragraph ? " " : "", (int)(length - 1), text + 1);
        }
        text = next < end ? next + strspn(next, " ") : end;
        text += text < end && *text == '*'; /* the margin */
    }
    write_paragraph(paragraph);
    return end != NULL ? end + 2 : text + strlen(text);
}

/* Writes the equations of a stepper, a compound, a problem or a formulation, if the data directory has the source that
 * defines it: NAME.c, or adaptive.c for adaptive_reversible. */
static int show_equations(cli *me, sb_kind kind, const sb_entry *entry) {
    static const char *const directories[SB_KIND_COUNT] = {[SB_KIND_STEPPER] = "integrators",
                                                           [SB_KIND_COMPOUND] = "integrators",
                                                           [SB_KIND_PROBLEM] = "problems",
                                                           [SB_KIND_FORMULATION] = "problems"};
    const char *path, *c;
    char *file, *text = "", *paragraph, *definition;
    SB_PRINT(me->arena, definition, "(%s) = {", entry->name);
    for (size_t length = directories[kind] != NULL ? strlen(entry->name) : 0; strstr(text, definition) == NULL;) {
        if (length == 0) {
            return SB_OK;
        }
        SB_PRINT(me->arena, file, "%.*s.c", (int)length, entry->name);
        const int found = sb_data_find(me->ctx, me->arena, directories[kind], file, &path);
        if (found != SB_IO) {
            SB_TRY(found);
            SB_TRY(sb_text_read(me->ctx, me->arena, path, &text));
        }
        for (length--; length > 0 && entry->name[length] != '_'; length--) {
        }
    }
    SB_NEW(me->arena, paragraph, strlen(text) + 1);
    puts("equations");
    for (c = text; *c == '#' || strncmp(c, "/*", 2) == 0; c += strspn(c, " \n")) {
        c = *c == '#' ? c + strcspn(c, "\n") : write_comment(c + 2, paragraph);
    }
    return SB_OK;
}

static int show_entry(cli *me, sb_kind kind, const sb_entry *entry, const char *spec) {
    printf("%s: %s\n", entry->name, sb_kind_name[kind]);
    cli_write_wrapped(stdout, 0, 0, entry->brief);
    if (entry->ref != NULL && entry->ref[0] != '\0') {
        printf("reference  %s\n", entry->ref);
    }
    switch (kind) {
    case SB_KIND_STEPPER: show_stepper((const sb_stepper *)entry); break;
    case SB_KIND_PROBLEM: SB_TRY(show_problem(me, (const sb_problem *)entry, spec)); break;
    case SB_KIND_FORMULATION:
        write_set("needs", features, ((const sb_formulation *)entry)->needs);
        write_set("takes away", features, ((const sb_formulation *)entry)->removes);
        write_set("may bring", features, ((const sb_formulation *)entry)->adds);
        break;
    case SB_KIND_SOLVER: show_solver(me, (const sb_solver *)entry); break;
    case SB_KIND_EXPERIMENT: SB_TRY(show_experiment(me, (const sb_experiment *)entry)); break;
    case SB_KIND_ANALYSIS: {
        const cli_command analysis = cli_analysis_command(entry);
        cli_help_command(&(cli_page){stdout, false}, &analysis);
        return SB_OK;
    }
    default: break;
    }
    SB_TRY(show_equations(me, kind, entry));
    if (entry->params == NULL || entry->params[0].name == NULL) {
        fputs("no parameters\n", stdout);
        return SB_OK;
    }
    fputs("parameters\n", stdout);
    cli_page_params(&(cli_page){stdout, false}, entry->params, false);
    return SB_OK;
}

static int show_claim(cli *me, const sb_table *claims, int row) {
    const char *id = sb_table_text(claims, row, "id"), *experiment = "no experiment yet";
    const size_t length = strlen(id);
    sb_table quantities;
    SB_TRY(sb_quantities_read(me->ctx, me->arena, NULL, &quantities));
    for (int i = 0; i < quantities.nrows; i++) {
        const char *quantity = sb_table_text(&quantities, i, "id");
        if (strncmp(quantity, id, length) == 0 && quantity[length] == '/') {
            experiment = sb_table_text(&quantities, i, "experiment");
        }
    }
    printf("%s: claim\n", id);
    cli_write_wrapped(stdout, 0, 0, sb_table_text(claims, row, "claim"));
    printf("reference  %s\n", sb_table_text(claims, row, "where"));
    cli_write_wrapped(stdout, printf("published  "), 11, sb_table_text(claims, row, "published"));
    printf("settled by %s\n", experiment);
    return SB_OK;
}

/* What a name stands for: an entry of a kind, or a row of the claims. */
typedef struct subject {
    const sb_entry *entry; /* NULL: a claim */
    sb_kind kind;
    int row;
} subject;

/* Reads the studies only for an experiment or a name that the registry does not have, and the claims only for one that
 * it does not have then either. */
static int find_subject(cli *me, const char *name, bool *read, sb_table *claims, subject *out) {
    char unknown[SB_MESSAGE_MAX];
    out->entry = find_any(me, name, &out->kind);
    if (!*read && (out->entry == NULL || out->kind == SB_KIND_EXPERIMENT)) {
        *read = true;
        SB_TRY(sb_study_read_papers(me));
        out->entry = find_any(me, name, &out->kind);
    }
    if (out->entry != NULL) {
        return SB_OK;
    }
    memcpy(unknown, me->ctx->message, sizeof unknown);
    SB_TRY(claims->nrows == 0 ? sb_claims_read(me->ctx, me->arena, NULL, claims) : SB_OK);
    out->row = sb_table_find(claims, "id", name, 0);
    return out->row >= 0 ? SB_OK : sb_fail(me->ctx, SB_BAD_USAGE, "%s", unknown);
}

int cli_reference_of(cli *me, const char *name, bool *read, const char **ref) {
    subject found;
    sb_table claims;
    sb_table_init(&claims, me->arena);
    SB_TRY(find_subject(me, name, read, &claims, &found));
    *ref = found.entry == NULL ? sb_table_text(&claims, found.row, "where") : found.entry->ref;
    *ref = *ref != NULL ? *ref : "";
    return SB_OK;
}

/* Looks up all names before anything is written. */
static int run_show(cli *me) {
    const int count = me->words.count;
    subject *subjects;
    sb_table claims;
    bool read = false;
    if (count == 0) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "show needs a name; `stepbench list` lists everything");
    }
    SB_NEW(me->arena, subjects, count);
    sb_table_init(&claims, me->arena);
    for (int i = 0; i < count; i++) {
        SB_TRY(find_subject(me, me->words.list[i], &read, &claims, &subjects[i]));
    }
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? "\n" : "", stdout);
        if (subjects[i].entry != NULL) {
            SB_TRY(show_entry(me, subjects[i].kind, subjects[i].entry, me->words.list[i]));
        } else {
            SB_TRY(show_claim(me, &claims, subjects[i].row));
        }
    }
    return SB_OK;
}

const cli_command cli_show = {
    &(const sb_entry){
        "show", "One thing of any kind: reference, equations, parameters with ranges and units, features, columns", "",
        NULL, 0},
    "stepbench show NAME...",
    CLI_WORDS,
    run_show,
    NULL,
    "stepbench show rattle",
};
