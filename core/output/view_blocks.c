/* Divides the columns of a view that is too wide: first texts are broken into lines, then the columns are divided into
 * blocks. Each block repeats the leading keys. Writes rows whose texts are broken into lines. */
#include <string.h>

#include "core/output/view.h"

static int total(const sb_view *view, int from, int to, int gap) {
    int sum = 0;
    for (int j = from; j < to; j++) {
        sum += view->width[j] + gap;
    }
    return sum;
}

/* Returns the widest text column in [from, to) that may become narrower, -1 if there is none. */
static int widest_text(const sb_view *view, int from, int to) {
    const int *width = view->width;
    int best = -1;
    for (int j = from; j < to; j++) {
        if (!view->numeric[j] && width[j] > view->least[j] && (best < 0 || width[j] > width[best])) {
            best = j;
        }
    }
    return best;
}

/* Makes the text columns narrower until all columns fit. Returns false if they cannot. */
static bool squeeze(const sb_view *view, int limit, int gap) {
    const int count = view->table.ncolumns;
    while (total(view, 0, count, gap) - gap > limit) {
        const int at = widest_text(view, 0, count);
        if (at < 0) {
            return false;
        }
        view->width[at]--;
    }
    return true;
}

/* Makes text columns narrower until the keys and any one other column fit in a line, and no text takes more than half
 * of it. */
static void squeeze_keys(const sb_view *view, int limit, int gap) {
    const int keys = view->keys, count = view->table.ncolumns, *least = view->least;
    int *width = view->width;
    for (int j = keys; j < count; j++) {
        if (!view->numeric[j] && width[j] > limit / 2) {
            width[j] = limit / 2 > least[j] ? limit / 2 : least[j];
        }
    }
    for (int j = keys; j < count; j++) {
        while (total(view, 0, keys, gap) + width[j] > limit) {
            const int key = widest_text(view, 0, keys), own = widest_text(view, j, j + 1);
            const int at = own >= 0 && (key < 0 || width[own] > width[key]) ? own : key;
            if (at < 0) {
                break;
            }
            width[at]--;
        }
    }
}

static int new_block(const sb_view *view, int keys, sb_view_block **out) {
    sb_view_block *block;
    SB_NEW(view->arena, block, 1);
    block->keys = keys;
    SB_NEW(view->arena, block->column, view->table.ncolumns + 1);
    for (; block->count < keys; block->count++) {
        block->column[block->count] = block->count;
    }
    *out = block;
    return SB_OK;
}

int sb_view_divide(sb_view *view, int limit, int gap, sb_view_block **out) {
    const int count = view->table.ncolumns;
    int *const width = view->width, *natural;
    SB_NEW(view->arena, natural, count);
    memcpy(natural, width, (size_t)count * sizeof *natural);
    if (limit <= 0 || squeeze(view, limit, gap)) {
        return new_block(view, count, out);
    }
    memcpy(width, natural, (size_t)count * sizeof *natural);
    squeeze_keys(view, limit, gap);
    /* Keys that leave no room for the widest column are not repeated. */
    const int keys = total(view, 0, view->keys, gap) > limit / 2 + limit / 4 ? 0 : view->keys;
    SB_TRY(new_block(view, keys, out));
    sb_view_block *block = *out;
    int used = total(view, 0, keys, gap);
    for (int j = keys; j < count; j++) {
        if (used + width[j] > limit && block->count > keys) {
            SB_TRY(new_block(view, keys, &block->next));
            block = block->next;
            used = total(view, 0, keys, gap);
        }
        block->column[block->count++] = j;
        used += width[j] + gap;
    }
    return SB_OK;
}

static bool has_value(const sb_view *view, const sb_view_block *block, int row) {
    char number[SB_VIEW_NUMBER];
    for (int k = block->keys; k < block->count; k++) {
        if (sb_view_text(view, row, block->column[k], number)[0] != '\0') {
            return true;
        }
    }
    return false;
}

bool sb_view_has_row(const sb_view *view, const sb_view_block *first, const sb_view_block *block, int row) {
    if (first->next == NULL || block->keys == 0 || has_value(view, block, row)) {
        return true;
    }
    bool elsewhere = block != first;
    for (const sb_view_block *b = first; b != NULL && !elsewhere; b = b->next) {
        elsewhere = has_value(view, b, row);
    }
    return !elsewhere;
}

/* Returns the number of bytes of the character at `text`. */
static size_t character(const char *text) {
    size_t bytes = 1;
    while (((unsigned char)text[bytes] & 0xC0) == 0x80) {
        bytes++;
    }
    return bytes;
}

size_t sb_view_line(const char *text, int width, sb_view_measure measure) {
    size_t bytes = 0, space = 0, mark = 0;
    while (text[bytes] != '\0' && text[bytes] != '\n') {
        const size_t next = bytes + character(text + bytes);
        if (measure(text, next) > width && bytes > 0) {
            return space > 0 ? space : mark > 0 ? mark : bytes;
        }
        bytes = next;
        space = text[bytes - 1] == ' ' ? bytes : space;
        mark = strchr(",;:/=|_-", text[bytes - 1]) != NULL ? bytes : mark;
    }
    return bytes + (text[bytes] == '\n');
}

void sb_view_write_row(const sb_view *view, const sb_view_block *block, int row, const char *gap, const char *end,
                       const char *(*write)(const sb_view *view, int row, int column, bool last)) {
    for (int k = 0; k < block->count; k++) {
        const int j = block->column[k];
        view->rest[j] = row < 0 ? view->table.columns[j].name : sb_view_text(view, row, j, view->number[j]);
    }
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < block->count; k++) {
            const int j = block->column[k];
            fputs(k > 0 ? gap : "", view->stream);
            view->rest[j] = write(view, row, j, k == block->count - 1);
            more = more || view->rest[j][0] != '\0';
        }
        fputs(end, view->stream);
    }
}
