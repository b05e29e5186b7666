/* Engines: programs that step mechanisms in maximal coordinates, as steppers. docs/adding-an-engine.md describes the
 * dialogue. */
#pragma once

#include "core/base/registry.h"

/* Starts the program of a command, a program and its words with blanks between them and quotes as in a shell, and
 * registers the stepper that it names in its handshake. Fails with SB_BAD_PLUGIN, and says what the program answered,
 * or with SB_BAD_USAGE when the name is taken. */
int sb_engine_load(sb_registry *registry, const char *command);
