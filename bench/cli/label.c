/* Labels of --label: names of steppers and problems in rows and figures, in place of their specifications. */
#include "bench/cli/label.h"

#include <string.h>

#include "core/base/text.h"

int cli_labels_read(cli *me, const char *text) {
    for (const char *at = text; *at != '\0'; at += *at == ';') {
        const size_t length = strcspn(at, ";"), name = strcspn(at, "=");
        const char *label, *spec;
        if (name == 0 || name + 1 >= length) {
            return sb_fail(me->ctx, SB_BAD_USAGE,
                           "--label needs LABEL=SPECIFICATION, as \"leapfrog=verlet\", not \"%.*s\"", (int)length, at);
        }
        SB_PRINT(me->arena, label, "%.*s", (int)name, at);
        SB_PRINT(me->arena, spec, "%.*s", (int)(length - name - 1), at + name + 1);
        SB_TRY(cli_push(me, &me->labels, label));
        SB_TRY(cli_push(me, &me->labels, spec));
        at += length;
    }
    return SB_OK;
}

const char *cli_label(const cli *me, const char *spec) {
    for (int i = 0; i < me->labels.count; i += 2) {
        if (strcmp(me->labels.list[i + 1], spec) == 0) {
            return me->labels.list[i];
        }
    }
    return spec;
}

static bool is_named(const sb_specs *specs, const char *text) {
    for (int i = 0; i < specs->count; i++) {
        if (strcmp(specs->list[i].text, text) == 0) {
            return true;
        }
    }
    return false;
}

int cli_labels_check(const cli *me) {
    for (int i = 0; i < me->labels.count && me->steppers.count > 0 && me->problems.count > 0; i += 2) {
        const char *label = me->labels.list[i], *spec = me->labels.list[i + 1];
        if (cli_label(me, spec) != label) {
            return sb_fail(me->ctx, SB_BAD_USAGE, "--label %s=%s: %s has the label %s already", label, spec, spec,
                           cli_label(me, spec));
        }
        if (!is_named(&me->steppers, spec) && !is_named(&me->problems, spec)) {
            return sb_fail(me->ctx, SB_BAD_USAGE, "--label %s=%s: the command has no stepper and no problem %s", label,
                           spec, spec);
        }
    }
    return SB_OK;
}

typedef struct label_sink {
    sb_sink sink, *inner;
    const cli *me;
    int ncolumns;
    sb_cell *row;
} label_sink;

static int label_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    label_sink *s = (label_sink *)sink;
    s->ncolumns = ncolumns;
    SB_NEW(s->me->arena, s->row, ncolumns);
    return s->inner->begin(s->inner, ncolumns, columns);
}

static int label_row(sb_sink *sink, const sb_cell *cells) {
    label_sink *s = (label_sink *)sink;
    for (int j = 0; j < s->ncolumns; j++) {
        s->row[j] = cells[j];
        if (cells[j].type == SB_CELL_TEXT) {
            s->row[j].text = cli_label(s->me, cells[j].text);
        }
    }
    return s->inner->row(s->inner, s->row);
}

static int label_end(sb_sink *sink) {
    label_sink *s = (label_sink *)sink;
    return s->inner->end(s->inner);
}

static void label_abandon(sb_sink *sink) {
    label_sink *s = (label_sink *)sink;
    s->inner->abandon(s->inner);
}

int cli_label_sink(cli *me, sb_sink *inner, sb_sink **out) {
    label_sink *s;
    *out = inner;
    if (me->labels.count == 0) {
        return SB_OK;
    }
    SB_NEW(me->arena, s, 1);
    *s = (label_sink){.sink = {label_begin, label_row, label_end, label_abandon}, .inner = inner, .me = me};
    *out = &s->sink;
    return SB_OK;
}

int cli_label_table(cli *me, const sb_table *table, sb_table *out) {
    sb_sink *sink;
    sb_table_init(out, me->arena);
    SB_TRY(cli_label_sink(me, &out->sink, &sink));
    return sb_table_write(table, sink);
}
