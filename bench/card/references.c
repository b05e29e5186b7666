/* Reads references.bib and the known failures of expected_fail.csv. */
#include "bench/card/references.h"

#include <string.h>

#include "bench/data/data.h"
#include "core/base/text.h"
#include "core/output/csv.h"

/* Returns the value of a BibTeX field of the entry, without braces and with accents as UTF-8; NULL if there is none. */
static const char *field(sb_arena *arena, const char *entry, const char *end, const char *name) {
    static const struct {
        const char *tex, *utf8;
    } accents[] = {{"\\`e", "è"}, {"\\'e", "é"}, {"\\\"u", "ü"}, {"\\\"o", "ö"},  {"\\\"a", "ä"}, {"\\aa", "å"},
                   {"\\o", "ø"},  {"\\'a", "á"}, {"\\'c", "ć"},  {"\\v{c}", "č"}, {"\\'{e}", "é"}};
    const size_t length = strlen(name);
    for (const char *at = entry; at < end; at++) {
        const char *value = at + length;
        if ((at[-1] != ' ' && at[-1] != '\n') || strncmp(at, name, length) != 0 || (*value != ' ' && *value != '=')) {
            continue;
        }
        value = strchr(value, '{');
        char *out = value != NULL && value < end ? sb_alloc(arena, (size_t)(end - value), 1) : NULL, *to = out;
        int depth = 0;
        for (const char *c = value; out != NULL && c < end; c++) {
            size_t a = 0;
            while (a < sizeof accents / sizeof *accents && strncmp(c, accents[a].tex, strlen(accents[a].tex)) != 0) {
                a++;
            }
            if (a < sizeof accents / sizeof *accents) {
                to = stpcpy(to, accents[a].utf8);
                c += strlen(accents[a].tex) - 1;
            } else if (*c == '{' || *c == '}') {
                depth += *c == '{' ? 1 : -1;
                if (depth == 0) {
                    return out;
                }
            } else if (strncmp(c, "--", 2) != 0 && strncmp(c, "``", 2) != 0 && strncmp(c, "''", 2) != 0) {
                *to++ = *c == '\n' ? ' ' : *c == '~' ? ' ' : *c;
            }
        }
        return out;
    }
    return NULL;
}

int sb_reference_bibtex(sb_context *ctx, sb_arena *arena, const char *ref, const char **entry) {
    const char *path, *head;
    char *bib;
    *entry = NULL;
    SB_TRY(sb_data_path(ctx, arena, "references.bib", &path));
    SB_TRY(sb_text_read(ctx, arena, path, &bib));
    SB_PRINT(arena, head, "{%.*s,", (int)strcspn(ref, " "), ref);
    char *at = strstr(bib, head), *end = at != NULL ? strstr(at, "\n}") : NULL;
    for (; at != NULL && *at != '@'; at--) {
    }
    if (end != NULL) {
        end[2] = '\0';
        *entry = at;
    }
    return SB_OK;
}

const char *sb_reference_text(sb_context *ctx, sb_arena *arena, const char *ref, const char **doi) {
    const char *entry;
    *doi = NULL;
    if (sb_reference_bibtex(ctx, arena, ref, &entry) != SB_OK || entry == NULL) {
        ctx->message[0] = '\0';
        return sb_strdup(arena, ref);
    }
    const char *end = entry + strlen(entry), *author = field(arena, entry, end, "author"),
               *title = field(arena, entry, end, "title"), *year = field(arena, entry, end, "year");
    *doi = field(arena, entry, end, "doi");
    return sb_asprintf(arena, "%s%s%s%s%s%s [%s]", author != NULL ? author : "", author != NULL ? ": " : "",
                       title != NULL ? title : "", year != NULL ? " (" : "", year != NULL ? year : "",
                       year != NULL ? ")" : "", ref);
}

int sb_known_failures(sb_context *ctx, sb_arena *arena, sb_table *out) {
    const char *path;
    sb_table_init(out, arena);
    if (sb_data_path(ctx, arena, "expected_fail.csv", &path) != SB_OK) {
        ctx->message[0] = '\0';
        return SB_OK;
    }
    return sb_table_read_csv_text(out, ctx, path);
}

/* Returns whether one of the alternatives, between bars, names the same stepper as a specification: a reason given for
 * spook:eps=0 is one of the equations of spook. */
static bool same_stepper(const char *alternatives, const char *stepper) {
    const size_t length = strcspn(stepper, ":");
    bool same = false;
    for (const char *a = alternatives; *a != '\0' && !same; a += strcspn(a, "|"), a += *a == '|') {
        same = strcspn(a, ":|*") == length && strncmp(a, stepper, length) == 0;
    }
    return same;
}

const char *sb_known_reason(const sb_table *failures, const char *stepper, const char *problem, const char *quantity) {
    for (int i = 0; i < failures->nrows; i++) {
        const char *pattern = sb_table_text(failures, i, "problem");
        if (same_stepper(sb_table_text(failures, i, "stepper"), stepper) && sb_matches_any(pattern, problem) &&
            sb_table_is(failures, i, "quantity", quantity)) {
            return sb_table_text(failures, i, "reason");
        }
    }
    return NULL;
}
