/* Converts parameter values to texts and back. */
#pragma once

#include <stepbench/arena.h>
#include <stepbench/entry.h>

/* Reads a decimal number, "inf", or a fraction of two, "1/60". Returns false if the trimmed text is anything else. A
 * number that is too large is infinite; 0/0 is NaN. */
bool sb_parse_real(const char *text, sb_scalar *x);

/* Returns the value of one parameter as it is written on the command line; NULL when out of memory. */
char *sb_param_format(sb_arena *arena, const sb_param *param, const void *config);
/* Returns all parameters, "k=v,k=v"; "" if there are none. */
char *sb_config_format(sb_arena *arena, const sb_entry *entry, const void *config);

enum { SB_RANGE_MAX = 800 }; /* characters, enough for the choices of every entry */

/* Writes the allowed values in words to `out`: "> 0", "in [0, 1)", "midpoint or left". */
void sb_param_range(const sb_param *param, char *out, size_t size);

/* Returns the number of rows of a parameter table; 0 for NULL. */
int sb_param_count(const sb_param *params);

/* Returns the parameter of that name, or NULL. */
const sb_param *sb_param_find(const sb_entry *entry, const char *name);

/* Returns whether the parameter is a switch: a choice "no|yes", whose name alone means yes on the command line. */
bool sb_param_is_switch(const sb_param *param);
