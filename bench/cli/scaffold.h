/* Beginning a new entry: its source file from a template or from another entry's, its line in list.def, or a plug-in's
 * folder. */
#ifndef STEPBENCH_BENCH_CLI_SCAFFOLD_H
#define STEPBENCH_BENCH_CLI_SCAFFOLD_H

#include "core/base/registry.h"

typedef struct sb_scaffold {
    sb_context *ctx;
    sb_arena *arena;
    sb_kind kind;
    const char *name;
    const char *from; /* a registered entry of the kind to begin with; NULL: the template */
    const char
        *dir; /* what stands before every path: "" or "TREE/", the source tree, or where a plug-in's folder is made */
} sb_scaffold;

/* Folder of the kind's sources in the tree, NULL for a kind that isn't begun this way. */
const char *sb_scaffold_folder(sb_kind kind);

/* FOLDER/NAME.c, its line in FOLDER/list.def, what else the kind wants (an experiment's plot script; with `from` the
 * rows of tests/expected_fail.csv). Tells on standard output what it wrote. No file that is there is overwritten:
 * SB_BAD_USAGE, as for a folder that is no source tree. */
int sb_scaffold_tree(const sb_scaffold *me);

/* NAME/NAME.c, its CMakeLists.txt, and the headers of the tree that the source includes. */
int sb_scaffold_plugin(const sb_scaffold *me);

#endif
