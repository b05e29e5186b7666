/* The tables of digits have every stepper and compound; every value of its choices and of its integers of a small
 * range, of its other numbers one that is not the default; and every feature of a system that it takes. */
#include "tests/digits/table.h"

enum { NAMES = 2000, SMALL_RANGE = 20 };

typedef struct names {
    int count;
    char *name[NAMES];
} names;

typedef struct coverage {
    sb_context ctx;
    sb_registry registry;
    sb_arena arena;
    names covered;
} coverage;

static const char *const feature_names[] = {
#define FEATURE(flag, bit, name, brief) [bit] = name,
    SB_FEATURE_LIST(FEATURE)
#undef FEATURE
};
enum { FEATURES = sizeof feature_names / sizeof *feature_names };

static bool has(const names *set, const char *name) {
    for (int i = 0; i < set->count; i++) {
        if (strcmp(set->name[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void add(names *set, const char *name) {
    if (!has(set, name)) {
        if (set->count == NAMES) {
            fprintf(stderr, "no room for %s\n", name);
            exit(EXIT_FAILURE);
        }
        set->name[set->count++] = strdup(name);
    }
}

/* A parameter that ends an iteration, or a word that names a solver or an event, does not change the formulas. */
static bool is_technical(const sb_param *p) {
    return p->type == SB_TEXT || strcmp(p->name, "tol") == 0 || strcmp(p->name, "maxit") == 0 ||
           strcmp(p->name, "friction_tol") == 0 || strcmp(p->name, "friction_maxit") == 0;
}

static bool is_small(const sb_param *p) { return p->type == SB_INT && p->hi - p->lo <= SMALL_RANGE; }

/* ---- What the tables have. ---- */

static void cover(coverage *me, const char *name, const sb_spec *spec, unsigned flags) {
    char text[300];
    add(&me->covered, name);
    for (const sb_param *p = spec->entry->params; p != NULL && p->name != NULL; p++) {
        const char *value = sb_param_format(&me->arena, p, spec->config);
        if (is_technical(p) || value == NULL) {
            continue;
        }
        snprintf(text, sizeof text, "%s:%s=%s", name, p->name, value);
        add(&me->covered, text);
        if (strcmp(value, p->initial) != 0) {
            snprintf(text, sizeof text, "%s:%s", name, p->name);
            add(&me->covered, text);
        }
    }
    for (int k = 0; k < FEATURES; k++) {
        if (flags & 1u << k) {
            snprintf(text, sizeof text, "%s on %s", name, feature_names[k]);
            add(&me->covered, text);
        }
    }
}

static int cover_row(coverage *me, const digits_row *row) {
    sb_system sys;
    sb_spec spec;
    SB_TRY(sb_system_build(&me->ctx, &me->arena, row->word[PROBLEM], row->word[FORMULATION][0] != '\0',
                           &row->word[FORMULATION], &sys));
    SB_TRY(sb_spec_parse(&me->ctx, &me->arena, SB_KIND_STEPPER, row->word[STEPPER], &spec));
    const char *end = strchr(spec.entry->name, '(');
    if (end != NULL) {
        const sb_compound_stepper *stepper = (const sb_compound_stepper *)spec.entry;
        cover(me, stepper->compound->entry.name, &spec, 0);
    } else {
        cover(me, spec.entry->name, &spec, sys.flags);
    }
    return SB_OK;
}

static void visit(void *arg, const digits_row *row) {
    coverage *me = arg;
    const int status = cover_row(me, row);
    expect(status == SB_OK, "%s on %s: %s", row->word[STEPPER], row->word[PROBLEM], me->ctx.message);
}

/* ---- What they have to have. ---- */

static void demand(const coverage *me, const char *name) {
    expect(has(&me->covered, name), "the tables of digits do not have %s", name);
}

static void demand_parameter(const coverage *me, const char *name, const sb_param *p) {
    char text[300], word[100];
    if (is_technical(p)) {
        return;
    }
    if (p->type == SB_CHOICE) {
        for (const char *c = p->choices; *c != '\0'; c += *c == '|') {
            const size_t length = strcspn(c, "|");
            snprintf(text, sizeof text, "%s:%s=%.*s", name, p->name, (int)length, c);
            demand(me, text);
            c += length;
        }
    } else if (is_small(p)) {
        for (int k = (int)p->lo; k <= (int)p->hi; k++) {
            snprintf(word, sizeof word, "%s:%s=%d", name, p->name, k);
            demand(me, word);
        }
    } else {
        snprintf(text, sizeof text, "%s:%s", name, p->name);
        demand(me, text);
    }
}

static void demand_entry(const coverage *me, const sb_entry *entry, unsigned supports) {
    char text[300];
    demand(me, entry->name);
    if (!has(&me->covered, entry->name)) {
        return;
    }
    for (const sb_param *p = entry->params; p != NULL && p->name != NULL; p++) {
        demand_parameter(me, entry->name, p);
    }
    for (int k = 0; k < FEATURES; k++) {
        if (supports & 1u << k) {
            snprintf(text, sizeof text, "%s on %s", entry->name, feature_names[k]);
            demand(me, text);
        }
    }
}

int main(void) {
    static coverage me;
    digits_register(&me.ctx, &me.registry);
    sb_arena_init(&me.arena, &me.ctx);
    digits_read(visit, &me);
    for (int i = 0; i < me.registry.count[SB_KIND_STEPPER]; i++) {
        const sb_stepper *stepper = (const sb_stepper *)me.registry.entries[SB_KIND_STEPPER][i];
        demand_entry(&me, &stepper->entry, stepper->supports);
    }
    for (int i = 0; i < me.registry.count[SB_KIND_COMPOUND]; i++) {
        demand_entry(&me, me.registry.entries[SB_KIND_COMPOUND][i], 0);
    }
    sb_arena_free(&me.arena);
    sb_registry_free(&me.registry);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
