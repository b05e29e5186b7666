/* A session: context, registry and commands for other languages. */
#include <cblas.h>
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/cli/cli.h"
#include "bench/session/internal.h"

int sb_session_version(void) {
    return SB_SESSION_VERSION;
}

sb_session *sb_session_open(void) {
    sb_session *session = calloc(1, sizeof *session);
    if (session == NULL) {
        return NULL;
    }
    sb_context_init(&session->ctx);
    sb_arena_init(&session->arena, &session->ctx);
    cli_libraries();
    if (cli_register(&session->registry, &session->ctx) != SB_OK) {
        sb_session_close(session);
        return NULL;
    }
    return session;
}

void sb_session_close(sb_session *session) {
    if (session == NULL) {
        return;
    }
    while (session->systems != NULL) {
        sb_session_system_close(session->systems);
    }
    sb_registry_free(&session->registry);
    sb_arena_free(&session->arena);
    free(session);
}

const char *sb_session_message(const sb_session *session) {
    return session->ctx.message;
}

int sb_session_load(sb_session *session, const char *plugin) {
    session->ctx.message[0] = '\0';
    return sb_registry_load(&session->registry, plugin);
}

int sb_session_command(sb_session *session, int argc, char *const *argv) {
    sb_arena arena;
    session->ctx.message[0] = '\0';
    sb_arena_init(&arena, &session->ctx);
    cli me = {.ctx = &session->ctx, .arena = &arena, .registry = &session->registry};
    const int status = argc > 0 ? cli_run_named(&me, argv[0], false, argc - 1, argv + 1)
                                : sb_fail(&session->ctx, SB_BAD_USAGE, "a command is wanted");
    sb_arena_free(&arena);
    fflush(stdout);
    return status;
}
