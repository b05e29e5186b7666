/* Shows what a long command does, how much of it is done, and how long the rest will take. */
#include "bench/process/meter.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double first = 2.0, interval = 0.2; /* s, from the beginning to the first line, and between two lines */

double sb_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void sb_meter_begin(sb_meter *meter, sb_context *ctx, double total) {
    *meter = (sb_meter){.total = total, .begun = sb_clock(), .ctx = ctx, .terminal = isatty(STDERR_FILENO) != 0};
}

bool sb_meter_on(const sb_meter *meter) { return meter->terminal || (meter->ctx != NULL && meter->ctx->watch != NULL); }

static int call_watch(sb_meter *meter, double now, const char *what) {
    sb_context *ctx = meter->ctx;
    if (ctx == NULL || ctx->watch == NULL || (meter->done < meter->total && now - meter->watched < interval)) {
        return SB_OK;
    }
    meter->watched = now;
    return ctx->watch(ctx->watch_arg, meter->done, meter->total, what) == 0
               ? SB_OK
               : sb_fail(ctx, SB_INTERRUPTED, "the progress callback ended the command");
}

/* Returns the number of characters of a line of the terminal. */
static int line_width(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static void draw(sb_meter *meter, double now, const char *what) {
    const double spent = now - meter->begun;
    if (!meter->terminal || spent < first || now - meter->shown < interval) {
        return;
    }
    char line[400], left[40] = "";
    if (meter->done > 0.0 && meter->total < 1e15 * meter->done) {
        const double seconds = spent * (meter->total - meter->done) / meter->done;
        const long whole = seconds < 1e9 ? (long)(seconds + 0.5) : 0;
        snprintf(left, sizeof left, ", about %ld:%02ld:%02ld left", whole / 3600, whole / 60 % 60, whole % 60);
    }
    snprintf(line, sizeof line, "stepbench: %.0f of %.0f done%s: %s", meter->done, meter->total, left, what);
    fprintf(stderr, "\r%.*s\033[K", line_width() - 1, line);
    fflush(stderr);
    meter->shown = now;
    meter->drawn = true;
}

int sb_meter_show(sb_meter *meter, const char *what) {
    if (!sb_meter_on(meter)) {
        return SB_OK;
    }
    const double now = sb_clock();
    draw(meter, now, what);
    return call_watch(meter, now, what);
}

void sb_meter_clear(sb_meter *meter) {
    if (meter->drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        meter->drawn = false;
    }
}
