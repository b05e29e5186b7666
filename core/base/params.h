/* Parameter values and their texts: what parsing, help, show and provenance share. */
#ifndef STEPBENCH_CORE_BASE_PARAMS_H
#define STEPBENCH_CORE_BASE_PARAMS_H

#include <stdbool.h>

#include <stepbench/entry.h>

/* A number or a fraction of two, "1/60"; false if the text (trimmed) is anything else. NaN and infinities read as such.
 */
bool sb_parse_real(const char *text, double *x);

/* The value of one parameter, written as on the command line: parsing it gives the same value. NULL when out of memory.
 */
char *sb_param_format(sb_arena *arena, const sb_param *param, const void *config);
/* All parameters, "k=v,k=v"; "" if there are none. */
char *sb_config_format(sb_arena *arena, const sb_entry *entry, const void *config);

/* The allowed values in words: "> 0", "in [0, 1)", "midpoint or left". */
void sb_param_range(const sb_param *param, char *out, size_t size);

/* The parameter of that name; NULL. */
const sb_param *sb_param_find(const sb_entry *entry, const char *name);

/* Whether the parameter is a switch: a choice "no|yes". On the command line its name alone means yes. */
bool sb_param_is_switch(const sb_param *param);

#endif
