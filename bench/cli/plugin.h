/* Loads plug-ins from the command line. */
#pragma once

#include "core/base/registry.h"

/* Loads a shared object, or a C file after compiling it with $CC (cc) against the headers of stepbench and those in its
 * directory. Fails like sb_registry_load, and with SB_BAD_PLUGIN if the file does not compile. */
int cli_load_plugin(sb_context *ctx, sb_registry *registry, const char *file);

/* Compiles a C file for a precision, double, quad or single, and sets *object to the shared object, in a temporary
 * directory of its own. Fails with SB_BAD_PLUGIN if the file does not compile. */
int cli_plugin_compile(sb_context *ctx, sb_arena *arena, const char *source, const char *precision,
                       const char **object);

/* Removes an object that cli_plugin_compile has made, and its directory. */
void cli_plugin_remove(const char *object);
