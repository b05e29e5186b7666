/* Starts an engine for its handshake, and registers the stepper that it names. */
#include <string.h>

#include "bench/engine/internal.h"
#include "core/base/text.h"

enum { SECONDS_MAX = 3600 };

/* Splits a command at blanks. Quotes keep blanks; nothing else has a meaning. */
static int split(sb_context *ctx, sb_arena *arena, const char *command, char *const **out) {
    char *text = sb_strdup(arena, command), *to = text, **argv;
    int count = 0;
    SB_NEW(arena, argv, strlen(command) / 2 + 2);
    if (text == NULL) {
        return SB_NO_MEMORY;
    }
    for (const char *c = command; *c != '\0';) {
        if (*c == ' ') {
            c++;
            continue;
        }
        argv[count++] = to;
        for (char quote = '\0'; *c != '\0' && (quote != '\0' || *c != ' '); c++) {
            if (quote == '\0' && (*c == '"' || *c == '\'')) {
                quote = *c;
            } else if (*c == quote) {
                quote = '\0';
            } else {
                *to++ = *c;
            }
            if (c[1] == '\0' && quote != '\0') {
                return sb_fail(ctx, SB_BAD_USAGE, "--engine %s: a quote is not closed", command);
            }
        }
        *to++ = '\0';
        c += *c == ' ';
    }
    *out = argv;
    return count > 0 ? SB_OK : sb_fail(ctx, SB_BAD_USAGE, "--engine needs a value, the command of an engine");
}

/* Takes seconds=NUMBER, the time of the handshake, from the beginning of a command. */
static int take_seconds(sb_context *ctx, engine *made) {
    static const char word[] = "seconds=";
    char *end;
    made->seconds = 30.0; /* a program may load many files */
    if (strncmp(made->argv[0], word, sizeof word - 1) != 0) {
        return SB_OK;
    }
    const bool number = sb_text_number(made->argv[0] + sizeof word - 1, &end, &made->seconds) && *end == '\0';
    made->argv++;
    return number && made->seconds > 0.0 && made->seconds <= SECONDS_MAX && made->argv[0] != NULL
               ? SB_OK
               : sb_fail(ctx, SB_BAD_USAGE, "--engine: seconds= needs a number up to %d, and a command after it",
                         SECONDS_MAX);
}

int sb_engine_greet(sb_dialogue *program, double seconds, json_t **reply) {
    static const char hello[] = "{\"message\": \"hello\", \"protocol\": 1}\n";
    program->more = "; --engine 'seconds=120 COMMAND' gives it more time";
    return sb_engine_ask(program, "hello", hello, sizeof hello - 1, ENGINE_HELLO_MAX, seconds, reply);
}

static void end_idle(void *object) {
    sb_dialogue *idle = object;
    for (int k = 0; k < ENGINE_IDLE; k++) {
        sb_dialogue_end(&idle[k]);
    }
}

/* Reads the handshake. */
static int greet(sb_registry *registry, engine *made) {
    json_t *reply;
    SB_TRY(sb_engine_greet(made->idle, made->seconds, &reply));
    const int status = sb_engine_read_hello(&registry->arena, made->idle, reply, made);
    json_decref(reply);
    return status;
}

int sb_engine_load(sb_registry *registry, const char *command) {
    sb_arena *arena = &registry->arena;
    engine *made;
    char *name;
    SB_NEW(arena, made, 1);
    SB_NEW(arena, made->idle, ENGINE_IDLE);
    for (int k = 0; k < ENGINE_IDLE; k++) {
        made->idle[k] = (sb_dialogue){.to = -1, .from = -1, .errors = -1};
    }
    SB_TRY(split(arena->ctx, arena, command, &made->argv));
    SB_TRY(take_seconds(arena->ctx, made));
    SB_PRINT(arena, name, "engine %.100s", command);
    SB_TRY(sb_dialogue_start(arena->ctx, made->argv, name, SB_BAD_PLUGIN, made->idle));
    SB_TRY(sb_arena_own(arena, made->idle, end_idle));
    const int status = greet(registry, made);
    if (status != SB_OK) {
        sb_dialogue_end(made->idle);
        return status;
    }
    sb_engine_set_steps(made);
    char *version;
    SB_PRINT(arena, version, "%s %s", made->stepper.entry.name, made->version);
    SB_TRY(sb_registry_add(registry, SB_KIND_STEPPER, &made->stepper.entry));
    return sb_registry_note(registry, (sb_loaded){.path = command, .engine = version});
}
