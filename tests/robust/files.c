/* Files that are damaged at random, and the command lines that read them. */
#include "tests/robust/files.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tests/robust/random.h"

/* A file of the source tree, the other files that must be beside it, and the command lines that read it; @ is the file.
 */
typedef struct seed {
    const char *path;
    const char *beside[3];
    const char *commands[6];
} seed;

#define MECHANISM                                                                                                      \
    "show mechanism:file=@", "check mechanism:file=@ --points 3",                                                      \
        "run -p mechanism:file=@ -s rattle --h 1/1000 --steps 3 --format csv",                                         \
        "run -p mechanism:file=@ -s spook --h 1/100 --steps 3 --format csv", "world mechanism:file=@"
#define IMPORT "import @", "import @ -o out.json"
#define STUDY "study @ --dry-run --out out", "study @ --plan --out out"

static const seed seeds[] = {
    {"problems/mechanisms/four_bar.json", {NULL}, {MECHANISM}},
    {"problems/mechanisms/bricard.json", {NULL}, {MECHANISM}},
    {"problems/mechanisms/slider_crank.json", {NULL}, {MECHANISM}},
    {"problems/mechanisms/press.json",
     {"problems/mechanisms/press_load.csv", "problems/mechanisms/press_motor.csv"},
     {MECHANISM}},
    {"problems/mechanisms/press_load.csv",
     {"problems/mechanisms/press.json", "problems/mechanisms/press_motor.csv"},
     {"run -p mechanism:file=press.json -s rattle --h 1/1000 --steps 3 --format csv",
      "show mechanism:file=press.json"}},
    {"problems/mechanisms/press_motor.csv",
     {"problems/mechanisms/press.json", "problems/mechanisms/press_load.csv"},
     {"run -p mechanism:file=press.json -s rattle --h 1/1000 --steps 3 --format csv",
      "show mechanism:file=press.json"}},
    {"bench/experiments/general/car_axis.json",
     {NULL},
     {"order -p car_axis -s rattle --reference @ --levels 2 --h 1/10",
      "workprec -p car_axis -s rattle --reference @ --levels 2"}},
    {"bench/experiments/general/slider_crank_sundials.json",
     {NULL},
     {"order -p slider_crank_sundials -s shake --reference @ --levels 2"}},
    {"bench/experiments/wm96/study.json", {NULL}, {STUDY}},
    {"bench/experiments/spook07/study.json", {NULL}, {STUDY}},
    {"bench/experiments/wm96/quantities.csv",
     {"bench/experiments/wm96/study.json", "bench/claims.csv"},
     {"study study.json --dry-run --out out", "study study.json --plan --out out"}},
    {"bench/claims.csv",
     {"bench/experiments/wm96/study.json", "bench/experiments/wm96/quantities.csv"},
     {"study study.json --dry-run --out out"}},
    {"tests/import/hopper.xml", {NULL}, {IMPORT}},
    {"tests/import/quadruped.xml", {NULL}, {IMPORT}},
    {"tests/import/delta.urdf", {NULL}, {IMPORT, "import @ --root fixed -o out.json"}},
    {"tests/import/excavator.json", {NULL}, {MECHANISM}},
    {"tests/robust/recorded.csv", {NULL}, {"judge -p pendulum @", "judge -p pendulum @ --h 1/10"}},
    {"tests/robust/expected.csv", {NULL}, {"run -p kepler -s rk4 --h 1/10 --steps 3 --columns t,q0,v1 --expect @"}},
};

enum { SEEDS = sizeof seeds / sizeof *seeds };

/* Sets *text to a file of the source tree. */
static int read_seed(sb_context *ctx, sb_arena *arena, const char *path, const char **text, size_t *length) {
    char *file, *read;
    SB_PRINT(arena, file, "%s/%s", SB_SOURCE_DIR, path);
    SB_TRY(sb_text_read(ctx, arena, file, &read));
    *text = read;
    *length = strlen(read);
    return *length < FILE_SIZE ? SB_OK : sb_fail(ctx, SB_IO, "%s has more than %d bytes", path, (int)FILE_SIZE);
}

static int find(const char *path) {
    for (int i = 0; i < SEEDS; i++) {
        if (strcmp(seeds[i].path, path) == 0) {
            return i;
        }
    }
    return -1;
}

int files_init(files *f, sb_context *ctx, sb_arena *arena) {
    for (f->count = 0; f->count < SEEDS; f->count++) {
        SB_TRY(read_seed(ctx, arena, seeds[f->count].path, &f->text[f->count], &f->length[f->count]));
    }
    return SB_OK;
}

/* ---- Damage. ---- */

typedef struct damaged {
    char text[2 * FILE_SIZE];
    size_t length;
} damaged;

#define INSERT(text)                                                                                                   \
    { text, sizeof(text) - 1 }
static const struct {
    const char *text;
    size_t length;
} inserts[] = {INSERT("\0"),
               INSERT("\xef\xbb\xbf"),
               INSERT("nan"),
               INSERT("-1"),
               INSERT("1e999"),
               INSERT("1e308"),
               INSERT("1e-320"),
               INSERT("0"),
               INSERT("0x1p3"),
               INSERT("\""),
               INSERT(","),
               INSERT("\n"),
               INSERT("\r\n"),
               INSERT(" "),
               INSERT("["),
               INSERT("]"),
               INSERT("{"),
               INSERT("}"),
               INSERT("null"),
               INSERT("true"),
               INSERT("[[[[[[[[[[[[[[[["),
               INSERT("\xff"),
               INSERT("\xc3"),
               INSERT("\\u0000"),
               INSERT("../../"),
               INSERT("=1+1"),
               INSERT("%s%n"),
               INSERT("ground"),
               INSERT("99999999999999999999"),
               INSERT("#"),
               INSERT("\xe2\x80\xae"),
               INSERT("\x1b[2J")};
#undef INSERT

/* Replaces `removed` bytes at `at` by others. */
static void splice(damaged *d, size_t at, size_t removed, const char *by, size_t length) {
    if (at + removed > d->length || d->length - removed + length > sizeof d->text) {
        return;
    }
    memmove(d->text + at + length, d->text + at + removed, d->length - at - removed);
    memcpy(d->text + at, by, length);
    d->length += length - removed;
}

/* Returns the length of the word or number at `at`, 0 if there is none. */
static size_t token(const damaged *d, size_t at) {
    size_t end = at;
    while (end < d->length && strchr(" \n\t,:[]{}\"", d->text[end]) == NULL && d->text[end] != '\0') {
        end++;
    }
    return end - at;
}

static void damage(damaged *d, uint64_t *random) {
    const size_t at = d->length > 0 ? random_next(random) % d->length : 0;
    const int i = random_below(random, sizeof inserts / sizeof *inserts);
    const size_t rest = d->length - at, part = rest > 0 ? random_next(random) % (rest < 40 ? rest : 40) : 0;
    char kept[64];
    switch (random_below(random, 8)) {
    case 0: splice(d, at, 0, inserts[i].text, inserts[i].length); break;
    case 1: splice(d, at, token(d, at), inserts[i].text, inserts[i].length); break;
    case 2: splice(d, at, token(d, at), "", 0); break;
    case 3: splice(d, at, part, "", 0); break;
    case 4: /* a part twice */
        memcpy(kept, d->text + at, part);
        splice(d, at, 0, kept, part);
        break;
    case 5: d->text[at] = (char)(d->text[at] ^ (1 << random_below(random, 8))); break;
    case 6: d->length = at; break;
    default: { /* a part at another place */
        memcpy(kept, d->text + at, part);
        splice(d, at, part, "", 0);
        splice(d, d->length > 0 ? random_next(random) % d->length : 0, 0, kept, part);
        break;
    }
    }
}

/* ---- A line. ---- */

static bool write_file(const char *path, const char *text, size_t length) {
    FILE *to = fopen(sb_file_name(path), "wb");
    const bool written = to != NULL && fwrite(text, 1, length, to) == length;
    return to != NULL && fclose(to) == 0 && written;
}

/* Splits a command at its blanks, with the name of the file for @. */
static void split(const char *command, const char *file, line *out) {
    out->argc = 1;
    out->argv[0] = strcpy(out->text, "stepbench");
    out->used = sizeof "stepbench";
    for (const char *at = command; *at != '\0' && out->argc < LINE_WORDS; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " "), mark = strcspn(at, "@");
        out->argv[out->argc++] = out->text + out->used;
        out->used += 1 + (size_t)(mark < length ? sprintf(out->text + out->used, "%.*s%s%.*s", (int)mark, at, file,
                                                          (int)(length - mark - 1), at + mark + 1)
                                                : sprintf(out->text + out->used, "%.*s", (int)length, at));
        at += length;
    }
    out->argv[out->argc] = NULL;
}

const char *files_line(const files *f, uint64_t number, line *out) {
    static damaged d;
    uint64_t random = random_next(&number); /* or the numbers of a file would be those of the one before */
    const int s = random_below(&random, SEEDS);
    const seed *chosen = &seeds[s];
    int commands = 0;
    while (commands < 6 && chosen->commands[commands] != NULL) {
        commands++;
    }
    d.length = f->length[s];
    memcpy(d.text, f->text[s], d.length);
    for (int k = 1 + random_below(&random, random_below(&random, 2) == 0 ? 1 : 4); k > 0; k--) {
        damage(&d, &random);
    }
    bool written = write_file(chosen->path, d.text, d.length);
    for (int i = 0; i < 3 && chosen->beside[i] != NULL; i++) {
        const int other = find(chosen->beside[i]);
        written = written && write_file(chosen->beside[i], f->text[other], f->length[other]);
    }
    const char *name = sb_file_name(chosen->path);
    split(chosen->commands[random_below(&random, commands)], name, out);
    return written ? name : NULL;
}
