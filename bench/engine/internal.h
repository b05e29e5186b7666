/* An engine: its program, its handshake, and its parameters. */
#pragma once

#include <jansson.h>

#include "bench/engine/dialogue.h"
#include "bench/engine/engine.h"

/* The state of an engine that a step needs: poses and twists; and bytes of its own; or one that cannot be set again. */
typedef enum engine_state { ENGINE_PURE, ENGINE_OPAQUE, ENGINE_NONE } engine_state;

enum {
    ENGINE_IDLE = 4,
    ENGINE_PARAMS_MAX = 32,
    ENGINE_STEPS_MAX = 32,
    ENGINE_OPAQUE_MAX = 1 << 20,
    ENGINE_HELLO_MAX = 1 << 16
};

typedef struct engine {
    sb_stepper stepper;
    char *const *argv;
    sb_scalar seconds; /* in which it answers to `hello` */
    const char *version;
    engine_state state, touching;   /* without contacts, and in a world with contacts */
    int opaque;                     /* bytes */
    bool back;                      /* it takes steps of negative length */
    bool multipliers;               /* it answers with the forces of the joints */
    double steps[ENGINE_STEPS_MAX]; /* lengths of the steps that it takes, in s */
    int nsteps;                     /* 0: any length */
    sb_param params[ENGINE_PARAMS_MAX + 2];
    const int *orders[ENGINE_PARAMS_MAX]; /* by the choice of a parameter; NULL: it does not change the order */
    sb_dialogue *idle;                    /* ENGINE_IDLE programs that run and have no pair; pid 0: none */
} engine;

enum { ENGINE_SLOT = 8 }; /* bytes of a parameter in the configuration */

/* Sends one line and sets *reply to the answer, an object, which the caller releases. */
int sb_engine_ask(sb_dialogue *me, const char *what, const char *line, size_t length, size_t most, double seconds,
                  json_t **reply);

/* Sends the message `hello`, to be answered within `seconds`. */
int sb_engine_greet(sb_dialogue *program, double seconds, json_t **reply);

/* Fails: the answer lacks something. */
int sb_engine_mistake(sb_dialogue *me, const char *what, const json_t *reply, const char *why);

/* Reads the handshake into the stepper and its parameters. */
int sb_engine_read_hello(sb_arena *arena, sb_dialogue *program, const json_t *hello, engine *out);

/* The callbacks of the stepper. */
void sb_engine_set_steps(engine *out);
