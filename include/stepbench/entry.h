/* Members that every registered object has: a name, a line about it, a reference and a table of parameters. */
#ifndef STEPBENCH_ENTRY_H
#define STEPBENCH_ENTRY_H

#include <stddef.h>

#include <stepbench/scalar.h>

typedef enum sb_type {
    SB_REAL,   /* sb_scalar; numbers may be written as fractions, 1/60 */
    SB_INT,    /* long */
    SB_CHOICE, /* int: the index of the word in `choices` */
    SB_REALS,  /* sb_reals; written [1,50], or 1,50 where no bracket is needed */
    SB_TEXT    /* const char *: a word kept as it is */
} sb_type;

typedef struct sb_reals {
    int n;
    sb_scalar *x;
} sb_reals;
/* Which ends of [lo, hi] are excluded. */
enum { SB_CLOSED = 0, SB_OPEN_LO = 1, SB_OPEN_HI = 2, SB_OPEN = 3 };

/* One row of a parameter table; the table ends with a row whose name is NULL. It drives parsing, range checks,
 * --help, show, the docs and provenance. Infinite values are refused unless an end is closed and infinite. */
typedef struct sb_param {
    const char *name;
    sb_type type;
    size_t offset;       /* in the configuration struct */
    const char *initial; /* the default, written as on the command line */
    double lo, hi;       /* range of a number, or of each number of a list */
    unsigned ends;       /* SB_CLOSED, SB_OPEN_LO, SB_OPEN_HI, SB_OPEN */
    const char *choices; /* "midpoint|left" for SB_CHOICE; a word for the empty list of SB_REALS; else NULL */
    const char *unit;    /* "kg"; "" for a pure number */
    const char *doc;     /* one line */
} sb_param;

/* A row, and rows for the member `name` of the configuration struct `type`, which is also the parameter's name: a real
 * number from a range, any number, one above 0, one not below 0; an integer; a word of a list. */
#define SB_PARAM(name, kind, offset, initial, lo, hi, ends, choices, unit, doc)                                        \
    { name, kind, offset, initial, lo, hi, ends, choices, unit, doc }
#define SB_PARAM_REAL(type, name, initial, lo, hi, ends, unit, doc)                                                    \
    SB_PARAM(#name, SB_REAL, offsetof(type, name), initial, lo, hi, ends, NULL, unit, doc)
#define SB_PARAM_ANY(type, name, initial, unit, doc)                                                                   \
    SB_PARAM_REAL(type, name, initial, -INFINITY, INFINITY, SB_OPEN, unit, doc)
#define SB_PARAM_POSITIVE(type, name, initial, unit, doc)                                                              \
    SB_PARAM_REAL(type, name, initial, 0.0, INFINITY, SB_OPEN, unit, doc)
#define SB_PARAM_NOT_NEGATIVE(type, name, initial, unit, doc)                                                          \
    SB_PARAM_REAL(type, name, initial, 0.0, INFINITY, SB_OPEN_HI, unit, doc)
#define SB_PARAM_INT(type, name, initial, lo, hi, doc)                                                                 \
    SB_PARAM(#name, SB_INT, offsetof(type, name), initial, lo, hi, SB_CLOSED, NULL, "", doc)
#define SB_PARAM_TEXT(type, name, initial, doc)                                                                        \
    SB_PARAM(#name, SB_TEXT, offsetof(type, name), initial, 0.0, 0.0, SB_CLOSED, NULL, "", doc)
#define SB_PARAM_CHOICE(type, name, initial, choices, doc)                                                             \
    SB_PARAM(#name, SB_CHOICE, offsetof(type, name), initial, 0.0, 0.0, SB_CLOSED, choices, "", doc)

/* The first member of every registered struct. `ref` is a key of docs/references.bib, optionally followed by an
 * equation or section: "wm96 (4.8)". Names are lower-case words joined by underscores. */
typedef struct sb_entry {
    const char *name, *brief, *ref;
    const sb_param *params; /* NULL: none */
    size_t config_size;     /* bytes of the struct the table fills */
} sb_entry;

#endif
