/* Experiments in C whose quantities are measured from the tables that they save: a file {EXPERIMENT: [QUANTITY, ...],
 * ...} names them. */
#include "bench/study/study.h"

/* Runs the program, and measures from its tables. */
static int run(sb_bench *bench) {
    const sb_study_experiment *e = (const sb_study_experiment *)bench->experiment;
    SB_TRY(e->program(bench));
    return sb_study_measure_all(bench, e, NULL);
}

/* Returns where the experiment is in the list of the registry; NULL: nowhere. */
static const sb_entry **find(const sb_registry *registry, const char *name) {
    const int count = registry->count[SB_KIND_EXPERIMENT];
    const sb_entry **list = registry->entries[SB_KIND_EXPERIMENT];
    int i = 0;
    while (i < count && strcmp(list[i]->name, name) != 0) {
        i++;
    }
    return i < count ? &list[i] : NULL;
}

int sb_study_read_programs(cli *me, const char *file) {
    const char *name;
    json_t *value;
    description *d;
    char *text;
    node root;
    SB_NEW(me->arena, d, 1);
    SB_TRY(sb_text_read(me->ctx, me->arena, file, &text));
    *d = (description){.ctx = me->ctx, .arena = me->arena, .what = "measures", .file = file, .text = text};
    SB_TRY(sb_description_open(d, &root));
    json_object_foreach((json_t *)root.value, name, value) {
        const node list = sb_node_member(&root, name);
        const sb_entry **entry = find(me->registry, name);
        sb_study_experiment *e;
        if (entry == NULL) {
            return NODE_FAIL(&list, "there is no experiment %s", name);
        }
        SB_NEW(me->arena, e, 1);
        e->experiment = *(const sb_experiment *)*entry;
        e->program = e->experiment.run;
        e->experiment.run = run;
        SB_TRY(sb_study_read_measures(&list, NULL, e));
        *entry = &e->experiment.entry;
    }
    return SB_OK;
}
