/* Keeps the entries of each kind, and finds them by name; an unknown name fails with the nearest ones. */
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "core/base/grow.h"
#include "core/base/params.h"
#include "core/base/registry.h"

enum { NAME_MAX_LENGTH = 64, NEAREST = 3, NEAR_MAX = 300 };

const char *const sb_kind_name[SB_KIND_COUNT] = {"stepper",    "problem",  "formulation", "solver",
                                                 "lcp_solver", "analysis", "experiment",  "compound"};
const char *const sb_kind_plural[SB_KIND_COUNT] = {"steppers",    "problems", "formulations", "solvers",
                                                   "lcp_solvers", "analyses", "experiments",  "compounds"};

int sb_registry_init(sb_registry *registry, sb_context *ctx) {
    memset(registry, 0, sizeof *registry);
    sb_arena_init(&registry->arena, ctx);
    ctx->registry = registry;
    return SB_OK;
}

/* Returns whether a name consists of lower-case words of letters and digits joined by single underscores, and begins
 * with a letter. */
static bool well_formed(const char *name) {
    if (name == NULL || !(name[0] >= 'a' && name[0] <= 'z') || strlen(name) > NAME_MAX_LENGTH) {
        return false;
    }
    for (const char *c = name; *c != '\0'; c++) {
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9');
        if (!letter && !(*c == '_' && c[1] != '_' && c[1] != '\0')) {
            return false;
        }
    }
    return true;
}

/* Sets `out` to the nearest well-formed name, "" if no character of it is allowed. */
static void tidy(const char *name, char out[NAME_MAX_LENGTH + 1]) {
    int used = 0;
    for (const char *c = name; *c != '\0' && used < NAME_MAX_LENGTH; c++) {
        const int letter = tolower((unsigned char)*c);
        if (isalpha(letter) || (isdigit(letter) && used > 0)) {
            out[used++] = (char)letter;
        } else if (used > 0 && out[used - 1] != '_') {
            out[used++] = '_';
        }
    }
    used -= used > 0 && out[used - 1] == '_';
    out[used] = '\0';
}

static const sb_entry *find(const sb_registry *registry, sb_kind kind, const char *name) {
    for (int i = 0; i < registry->count[kind]; i++) {
        const char *other = registry->entries[kind][i]->name;
        if (other[0] == name[0] && strcmp(other, name) == 0) { /* every start compares some 50 000 pairs of names */
            return registry->entries[kind][i];
        }
    }
    return NULL;
}

/* Returns "a" or "an", which precedes the name of the kind. */
static const char *article(int kind) { return strchr("aeiou", sb_kind_name[kind][0]) != NULL ? "an" : "a"; }

int sb_registry_check_name(const sb_registry *registry, sb_kind kind, const char *name) {
    sb_context *ctx = registry->arena.ctx;
    if (!well_formed(name)) {
        char near[NAME_MAX_LENGTH + 1];
        tidy(name != NULL ? name : "", near);
        return sb_fail(ctx, SB_BAD_USAGE, "\"%s\" is no %s name: names are lower-case words joined by underscores%s%s",
                       name != NULL ? name : "", sb_kind_name[kind], near[0] != '\0' ? "; nearest: " : "", near);
    }
    for (int k = 0; k < SB_KIND_COUNT; k++) {
        if (find(registry, (sb_kind)k, name) != NULL) {
            return sb_fail(ctx, SB_BAD_USAGE, "no %s can be named \"%s\": %s %s of this name is there already",
                           sb_kind_name[kind], name, article(k), sb_kind_name[k]);
        }
    }
    return SB_OK;
}

/* Fails for a control character in a text of an entry, which a terminal would take for a command; C1 ones have two
 * bytes. */
static int check_text(sb_context *ctx, const sb_entry *entry, const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; c != NULL && *c != '\0'; c++) {
        if ((*c < ' ' && *c != '\n') || *c == 0x7f || (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)) {
            return sb_fail(ctx, SB_BAD_USAGE, "%s: a text of it has the control character \\x%02x", entry->name,
                           *c == 0xc2 ? c[1] : *c);
        }
    }
    return SB_OK;
}

int sb_registry_check_texts(sb_context *ctx, const sb_entry *entry) {
    SB_TRY(check_text(ctx, entry, entry->brief));
    SB_TRY(check_text(ctx, entry, entry->ref));
    for (const sb_param *p = entry->params; p != NULL && p->name != NULL; p++) {
        SB_TRY(check_text(ctx, entry, p->unit));
        SB_TRY(check_text(ctx, entry, p->doc));
        bool good = p->name[0] != '\0' && !(p->name[0] >= '0' && p->name[0] <= '9');
        for (const char *c = p->name; *c != '\0'; c++) {
            good = good && (*c == '_' || ((unsigned char)*c < 0x80 && isalnum((unsigned char)*c)));
        }
        if (!good) {
            return sb_fail(ctx, SB_BAD_USAGE,
                           "%s: \"%s\" is no parameter name: names have letters, digits and underscores, and begin "
                           "with no digit",
                           entry->name, p->name);
        }
        if (sb_param_find(entry, p->name) != p) {
            return sb_fail(ctx, SB_BAD_USAGE, "%s: two parameters are named \"%s\"", entry->name, p->name);
        }
    }
    return SB_OK;
}

int sb_registry_add(sb_registry *registry, sb_kind kind, const sb_entry *entry) {
    SB_TRY(sb_registry_check_name(registry, kind, entry->name));
    SB_TRY(sb_registry_check_texts(registry->arena.ctx, entry));
    SB_GROW(&registry->arena, registry->entries[kind], registry->count[kind], registry->room[kind]);
    registry->entries[kind][registry->count[kind]++] = entry;
    return SB_OK;
}

/* ---- Nearest names. ---- */

/* Returns the number of edits (insert, delete, replace, swap of neighbours) from a to b, letters compared without
 * case. */
static int edit_distance(const char *a, const char *b) {
    int rows[3][NAME_MAX_LENGTH + 1];
    const int na = (int)strlen(a), nb = (int)strlen(b);
    if (na > NAME_MAX_LENGTH || nb > NAME_MAX_LENGTH) {
        return NAME_MAX_LENGTH;
    }
    for (int j = 0; j <= nb; j++) {
        rows[0][j] = j;
    }
    for (int i = 1; i <= na; i++) {
        int *row = rows[i % 3];
        const int *up = rows[(i - 1) % 3];
        const int ca = tolower((unsigned char)a[i - 1]);
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            const int cb = tolower((unsigned char)b[j - 1]);
            int best = up[j - 1] + (ca != cb);
            best = up[j] + 1 < best ? up[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) && cb == tolower((unsigned char)a[i - 2])) {
                const int swapped = rows[(i - 2) % 3][j - 2] + 1;
                best = swapped < best ? swapped : best;
            }
            row[j] = best;
        }
    }
    return rows[na % 3][nb];
}

/* Returns the edit distance, in which a part of the name counts as one edit; -1 if more than a third of the letters
 * differ. */
static int remoteness(const char *name, const char *candidate) {
    const size_t length = strlen(name);
    if (length >= 2 &&
        (strstr(candidate, name) != NULL || (strlen(candidate) >= 3 && strstr(name, candidate) != NULL))) {
        return 1;
    }
    const int distance = edit_distance(name, candidate);
    return distance <= (int)(length + 2) / 3 ? distance : -1;
}

void sb_nearest_names(const char *name, int count, const char *const *names, char *out, size_t size) {
    const char *best[NEAREST + 1]; /* the last one is the place of a name that is dropped */
    int score[NEAREST + 1], found = 0;
    for (int i = 0; i < count; i++) {
        const int distance = remoteness(name, names[i]);
        if (distance < 0) {
            continue;
        }
        int at = found;
        for (; at > 0 && score[at - 1] > distance; at--) {
            best[at] = best[at - 1];
            score[at] = score[at - 1];
        }
        best[at] = names[i];
        score[at] = distance;
        found += found < NEAREST;
    }
    out[0] = '\0';
    size_t used = 0;
    for (int i = 0; i < found && used < size; i++) {
        const char *before = i == 0 ? "" : i == found - 1 ? " and " : ", ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", before, best[i]);
    }
}

int sb_fail_name(sb_context *ctx, const char *what, const char *name, int count, const char *const *names,
                 const char *otherwise) {
    char near[NEAR_MAX];
    sb_nearest_names(name, count, names, near, sizeof near);
    return sb_fail(ctx, SB_BAD_USAGE, "%s \"%s\"; %s%s", what, name, near[0] != '\0' ? "nearest: " : otherwise, near);
}

/* ---- Look-up. ---- */

/* Fails: no entry of the kind has this name. */
static int unknown_name(sb_context *ctx, sb_kind kind, const char *name) {
    const sb_registry *registry = ctx->registry;
    const char *names[256];
    char what[40], all[60];
    int count = 0;
    for (int k = 0; k < SB_KIND_COUNT; k++) {
        if (find(registry, (sb_kind)k, name) != NULL) {
            return sb_fail(ctx, SB_BAD_USAGE, "\"%s\" is no %s but %s %s", name, sb_kind_name[kind], article(k),
                           sb_kind_name[k]);
        }
    }
    for (; count < registry->count[kind] && count < 256; count++) {
        names[count] = registry->entries[kind][count]->name;
    }
    snprintf(what, sizeof what, "no %s is named", sb_kind_name[kind]);
    snprintf(all, sizeof all, "`stepbench list %s` names them all", sb_kind_plural[kind]);
    return sb_fail_name(ctx, what, name, count, names, all);
}

const sb_entry *sb_registry_find(sb_context *ctx, sb_kind kind, const char *name) {
    if (ctx->registry == NULL) {
        sb_fail(ctx, SB_BAD_USAGE, "no registry: \"%s\" cannot be looked up", name);
        return NULL;
    }
    const sb_entry *entry = find(ctx->registry, kind, name);
    if (entry == NULL) {
        (void)unknown_name(ctx, kind, name);
    }
    return entry;
}

const sb_entry *sb_registry_match(const sb_registry *registry, sb_kind kind, const char *glob, int i) {
    for (int k = 0; k < registry->count[kind]; k++) {
        if (fnmatch(glob, registry->entries[kind][k]->name, 0) == 0 && i-- == 0) {
            return registry->entries[kind][k];
        }
    }
    return NULL;
}
