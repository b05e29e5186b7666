/* Keeps and restores the state of the process that code from outside may change. */
#include "core/base/surroundings.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void sb_surroundings_keep(sb_surroundings *out, bool apart) {
    const char *locale = setlocale(LC_ALL, NULL);
    fegetenv(&out->floating);
    snprintf(out->locale, sizeof out->locale, "%s",
             locale != NULL && strlen(locale) < sizeof out->locale ? locale : "");
    out->directory = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    out->process = getpid();
    out->mode = umask(S_IRWXG | S_IRWXO); /* reading it takes setting it */
    umask(out->mode);
    fflush(stdout);
    for (int i = 0; i < SB_KEPT_STREAMS; i++) {
        out->streams[i] = fcntl(i, F_DUPFD_CLOEXEC, SB_KEPT_STREAMS);
    }
    if (apart) {
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    for (int i = 0; i < SB_KEPT_TIMERS; i++) {
        getitimer(i, &out->timers[i]);
    }
    sigprocmask(SIG_SETMASK, NULL, &out->mask);
    for (int i = 1; i < SB_KEPT_SIGNALS; i++) {
        sigaction(i, NULL, &out->actions[i]);
    }
}

bool sb_surroundings_restore(sb_surroundings *kept) {
    bool restored = true;
    if (getpid() != kept->process) {
        _exit(0);
    }
    for (int i = 0; i < SB_KEPT_TIMERS; i++) { /* before the actions of their signals */
        setitimer(i, &kept->timers[i], NULL);
    }
    fflush(stdout);
    for (int i = 0; i < SB_KEPT_STREAMS; i++) {
        if (kept->streams[i] >= 0) {
            restored = dup2(kept->streams[i], i) == i && restored;
            close(kept->streams[i]);
        }
    }
    const char *locale = setlocale(LC_ALL, NULL);
    fesetenv(&kept->floating);
    if (kept->locale[0] != '\0' && (locale == NULL || strcmp(locale, kept->locale) != 0)) {
        setlocale(LC_ALL, kept->locale);
    }
    if (kept->directory >= 0) {
        (void)!fchdir(kept->directory);
        close(kept->directory);
    }
    for (int i = 1; i < SB_KEPT_SIGNALS; i++) {
        sigaction(i, &kept->actions[i], NULL); /* refused for SIGKILL and SIGSTOP, which nobody can change */
    }
    umask(kept->mode);
    sigprocmask(SIG_SETMASK, &kept->mask, NULL);
    return restored;
}
