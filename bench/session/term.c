/* Terms of a system of a session as dense arrays. */
#include <string.h>

#include "analysis/system/terms.h"
#include "bench/session/internal.h"

int sb_session_term_room(const sb_system *sys) {
    int room = sys->n;
    for (sb_term term = 0; term < SB_TERM_CHART; term++) {
        const int length = sb_term_length(term, sys);
        room = length > room ? length : room;
    }
    return room;
}

int sb_session_system_term(sb_session_system *system, const char *symbol, double t, const double *q, const double *v,
                           const double *w, int *rows, int *columns, double *out) {
    const sb_system *sys = system->sys;
    const char *known[SB_TERM_CHART];
    sb_term term = 0;
    system->ctx->message[0] = '\0';
    while (term < SB_TERM_CHART && strcmp(symbol, sb_term_symbol(term)) != 0) {
        known[term] = sb_term_symbol(term);
        term++;
    }
    if (term == SB_TERM_CHART) {
        return sb_fail_name(system->ctx, "no term of a system is named", symbol, SB_TERM_CHART, known,
                            "terms are M, V_q, f, g, G, ...");
    }
    const sb_pattern *pattern = sb_term_pattern(term, sys);
    const int length = sb_term_length(term, sys);
    *rows = pattern == NULL ? length : pattern->rows;
    *columns = pattern == NULL ? 0 : pattern->cols;
    if (out == NULL) {
        return SB_OK;
    }
    /* A point has arrays that checks move; evaluation only reads them. */
    const sb_term_point point = {
        .sys = sys, .t = t, .q = (double *)q, .v = (double *)v, .w = w, .scratch = system->scratch};
    double *values = pattern == NULL ? out : system->values;
    memset(values, 0, (size_t)length * sizeof *values);
    SB_TRY(sb_term_evaluate(term, &point, 1.0, values));
    if (pattern != NULL) {
        memset(out, 0, (size_t)*rows * (size_t)*columns * sizeof *out);
        for (int j = 0; j < pattern->cols; j++) {
            for (int k = pattern->p[j]; k < pattern->p[j + 1]; k++) {
                out[(size_t)j * (size_t)*rows + (size_t)pattern->i[k]] = values[k];
            }
        }
    }
    return SB_OK;
}
