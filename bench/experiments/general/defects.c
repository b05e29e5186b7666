/* Symplecticity and momentum defects of every stepper on every small problem that it supports. */
#include <string.h>

#include "analysis/row.h"
#include "bench/check/check.h"
#include "bench/runner/experiment_tools.h"

/* The largest defect of the momenta of one pair. */
typedef struct momenta {
    int count;
    double defect, rounding;
    bool conserved;
} momenta;

/* Returns the momenta for the problem, stepper and h in a row of `forms`. */
static momenta of_pair(const sb_table *table, const sb_table *forms, int row) {
    momenta m = {0, 0.0, 0.0, true};
    const char *problem = sb_table_text(forms, row, "problem"), *stepper = sb_table_text(forms, row, "stepper");
    const double h = sb_table_real(forms, row, "h");
    for (int i = 0; i < table->nrows; i++) {
        if (sb_table_is(table, i, "problem", problem) && sb_table_is(table, i, "stepper", stepper) &&
            sb_table_real(table, i, "h") == h && sb_table_is(table, i, "status", "ok")) {
            const double defect = sb_table_real(table, i, "dev_discrete"),
                         rounding = sb_table_real(table, i, "rounding");
            m.count++;
            m.defect = sb_larger(m.defect, defect);
            m.rounding = sb_larger(m.rounding, rounding);
            m.conserved = m.conserved && sb_table_is(table, i, "conserved", "yes");
        }
    }
    return m;
}

/* Names in the order of their first rows. */
typedef struct name_list {
    int count;
    const char **of;
} name_list;

/* Returns the place of a name in the list, at the end of which a new one is appended. */
static int place_of(name_list *list, const char *name) {
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->of[i], name) == 0) {
            return i;
        }
    }
    list->of[list->count] = name;
    return list->count++;
}

/* Sets *out to the names of the small problems. */
static int list_problems(sb_context *ctx, sb_arena *arena, const char *const **out) {
    const sb_registry *registry = ctx->registry;
    const char **names;
    int count = 0;
    SB_NEW(arena, names, registry->count[SB_KIND_PROBLEM] + 1);
    for (int i = 0; i < registry->count[SB_KIND_PROBLEM]; i++) {
        const char *name = registry->entries[SB_KIND_PROBLEM][i]->name;
        sb_system *sys;
        SB_NEW(arena, sys, 1);
        SB_TRY(sb_system_build(ctx, arena, name, 0, NULL, sys));
        if (sys->n <= SB_SMALL_COORDINATES) {
            names[count++] = name;
        }
    }
    *out = names;
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(defects) {
    static const char *const all[] = {"*", NULL};
    const char *const *problems;
    sb_table forms, moments, table;
    name_list steppers = {0}, with_form = {0}, with_momentum = {0};
    SB_TRY(list_problems(bench->ctx, &bench->arena, &problems));
    SB_TRY(sb_bench_analyse(bench, "symplecticity", "steps=10", problems, all, &forms));
    SB_TRY(sb_bench_analyse(bench, "momentum", "", problems, all, &moments));
    SB_TRY(sb_bench_table(bench, "defects", &table));
    SB_NEW(&bench->arena, steppers.of, forms.nrows);
    SB_NEW(&bench->arena, with_form.of, forms.nrows);
    SB_NEW(&bench->arena, with_momentum.of, forms.nrows);
    for (int i = 0; i < forms.nrows; i++) {
        const char *problem = sb_table_text(&forms, i, "problem");
        const int row = place_of(&steppers, sb_table_text(&forms, i, "stepper"));
        if (!sb_table_is(&forms, i, "status", "ok")) {
            continue;
        }
        const momenta m = of_pair(&moments, &forms, i);
        SB_TRY(SB_TABLE_ROW(&table, sb_text(problem), sb_text(sb_table_text(&forms, i, "stepper")),
                            sb_real(sb_table_real(&forms, i, "h")), sb_real(sb_table_real(&forms, i, "defect")),
                            sb_real(sb_table_real(&forms, i, "noise")), sb_text(sb_table_text(&forms, i, "symplectic")),
                            sb_int(m.count), m.count > 0 ? sb_real(m.defect) : sb_empty(),
                            m.count > 0 ? sb_real(m.rounding) : sb_empty(),
                            m.count > 0 ? sb_yes(m.conserved) : sb_empty(), sb_int(row),
                            sb_int(place_of(&with_form, problem)),
                            m.count > 0 ? sb_int(place_of(&with_momentum, problem)) : sb_empty()));
    }
    return sb_bench_save(bench, &table, "defects.csv");
}
