/* Reads and computes the function e(t, q, v) of an event. */
#include "core/run/event.h"

#include <math.h>
#include <string.h>

#include "core/base/params.h"
#include "core/base/registry.h"
#include "core/base/text.h"

/* Sets *names to the quantities of events: t, the coordinates, the velocities, the outputs, and again the coordinates
 * and the velocities by their names in the problem, if it names them. */
static int list_names(sb_arena *arena, const sb_system *sys, const char ***names, int *count) {
    const int n = sys->n, outputs = sys->outputs.count;
    *count = 1 + 2 * n + outputs + (sys->coordinates != NULL ? 2 * n : 0);
    SB_NEW(arena, *names, *count);
    (*names)[0] = "t";
    for (int i = 0; i < n; i++) {
        SB_PRINT(arena, (*names)[1 + i], "q%d", i);
        SB_PRINT(arena, (*names)[1 + n + i], "v%d", i);
    }
    for (int i = 0; i < outputs; i++) {
        (*names)[1 + 2 * n + i] = sys->outputs.list[i].name;
    }
    for (int i = 0; i < n && sys->coordinates != NULL; i++) {
        char own[SB_VARIABLE_SIZE];
        (*names)[1 + 2 * n + outputs + i] = sys->coordinates[i];
        SB_PRINT(arena, (*names)[1 + 3 * n + outputs + i], "%s", sb_variable_name(sys->coordinates, true, i, own));
    }
    return SB_OK;
}

int sb_event_parse(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *text, sb_event *out) {
    const int n = sys->n, outputs = sys->outputs.count;
    int count;
    const char **names, *equals = strchr(text, '=');
    char *name = sb_strdup(arena, text), *otherwise;
    *out = (sb_event){.sys = sys};
    if (name == NULL) {
        return SB_NO_MEMORY;
    }
    if (equals == NULL || !sb_parse_real(equals + 1, &out->level) || !isfinite(out->level)) {
        return sb_fail(ctx, SB_BAD_USAGE, "event=%s is not of the form NAME=NUMBER, as in q0=0", text);
    }
    name[equals - text] = '\0';
    SB_TRY(list_names(arena, sys, &names, &count));
    int at = 0;
    while (at < count && strcmp(names[at], name) != 0) {
        at++;
    }
    if (at == count) {
        SB_PRINT(arena, otherwise, "there are t, q0 to q%d, v0 to v%d%s%s", n - 1, n - 1,
                 sys->coordinates != NULL ? ", the coordinates by name" : "",
                 outputs > 0 ? " and the outputs of the problem" : "");
        return sb_fail_name(ctx, "an event has no quantity", name, count, names, otherwise);
    }
    at -= at > 2 * n + outputs ? 2 * n + outputs : 0; /* q and v by name */
    out->of = at == 0 ? SB_EVENT_T : at <= n ? SB_EVENT_Q : at <= 2 * n ? SB_EVENT_V : SB_EVENT_OUTPUT;
    out->index = at == 0 ? 0 : at <= 2 * n ? (at - 1) % n : at - 1 - 2 * n;
    SB_NEW(arena, out->outputs, sys->outputs.count);
    return SB_OK;
}

int sb_event_value(const sb_event *event, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *e) {
    const sb_outputs *outputs = &event->sys->outputs;
    if (event->of == SB_EVENT_OUTPUT) {
        SB_TRY(outputs->value(outputs->self, t, q, v, event->outputs));
    }
    const sb_scalar *const values[] = {
        [SB_EVENT_T] = &t, [SB_EVENT_Q] = q, [SB_EVENT_V] = v, [SB_EVENT_OUTPUT] = event->outputs};
    *e = values[event->of][event->index] - event->level;
    return SB_OK;
}
