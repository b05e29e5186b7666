/* Steppers that misbehave, one a build: explicit Euler with one thing wrong, chosen by a macro: MISBEHAVIOUR, or what
 * it claims: ORDER, KEEPS. */
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/stepbench.h>

#ifndef MISBEHAVIOUR
#define MISBEHAVIOUR 0
#endif
#ifndef ORDER
#define ORDER 1
#endif
#ifndef KEEPS
#define KEEPS 0
#endif
enum {
    WELL_BEHAVED,
    WRITES_INPUT,
    REMEMBERS,
    MAKES_NAN,
    REPORTS_NAN,
    NEVER_RETURNS,
    CRASHES,
    ABORTS,
    EXITS,
    SLEEPS,
    CRASHES_LATE,
    STALE,
    FROZEN,
    HOARDS,
    SLOW_TO_CONVERGE,
    DEAF,
    SCRIBBLES,
    DOUBLES_H,
    IGNORES_H,
    CHANGES_SIGN,
    WRAPS,
    DISTURBS,
    LEAVES,
    OUT_OF_MEMORY,
    NO_STATUS,
    PRINTS,
    STOPS,
    DEAF_TO_ALL,
    FORKS,
    CLOSES,
    LINGERS,
    SIGNALS
};

typedef struct bad_work {
    sb_dynamics dyn;
    double *a;
    long steps;
    double last_h, first_q; /* of the last step; of the first one */
} bad_work;

/* Changes what the numbers and the files of others depend on. */
static void disturb(void) {
    setlocale(LC_ALL, "de_DE.UTF-8");
    fesetround(FE_UPWARD);
    (void)!chdir("/");
    (void)!umask(0777);
    signal(SIGTERM, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
}

static int init(sb_method *me) {
    bad_work *w;
    if (MISBEHAVIOUR == DISTURBS) {
        disturb();
    }
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_NEW(me->arena, w->a, me->sys->n);
    return sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn);
}

/* Leaves a file from which a test sees that a step which does not return has begun. */
static void begin_forever(void) { close(creat("begun", 0600)); }

static int misbehave(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    static volatile int forever = 1;
    bad_work *w = me->work;
    w->steps++;
    switch (MISBEHAVIOUR) {
    case WRITES_INPUT: ((sb_state *)in)->q[0] += 1e-3; break;
    case REMEMBERS: out->q[0] += 1e-9 * (double)w->steps; break;
    case MAKES_NAN: out->v[0] = w->steps > 7 ? NAN : out->v[0]; break;
    case DEAF:
        signal(SIGXCPU, SIG_IGN);
        while (forever) {
        }
        break;
    case NEVER_RETURNS:
        if (w->steps > 3) {
            begin_forever();
            while (forever) {
            }
        }
        break;
    case SLEEPS:
        while (forever) {
            pause();
        }
        break;
    case CRASHES:
        if (w->steps == 5) {
            *(volatile int *)NULL = 1;
        }
        break;
    case CRASHES_LATE:
        if (w->steps == 500) {
            raise(SIGFPE);
        }
        break;
    case ABORTS: abort();
    case EXITS: exit(0);
    case STALE: /* as of a factorization for another step */
        out->q[0] += w->last_h > 0.0 ? 1e-9 * (w->last_h - h) : 0.0;
        w->last_h = h;
        break;
    case FROZEN: /* as of a matrix evaluated once and for all */
        w->first_q = w->steps == 1 ? in->q[0] : w->first_q;
        out->q[0] += 1e-9 * w->first_q;
        break;
    case SLOW_TO_CONVERGE: { /* nothing wrong: an oscillator of omega = 1 turned by too much, the rate off by 0.1 (h -
                                44 h^2), of first order at last */
        const double angle = h * (1.0 + 0.1 * (h - 44.0 * h * h));
        out->q[0] = cos(angle) * in->q[0] + sin(angle) * in->v[0];
        out->v[0] = cos(angle) * in->v[0] - sin(angle) * in->q[0];
        break;
    }
    case HOARDS:
        while (w->steps > 3) {
            double *lost;
            SB_NEW(me->arena, lost, (size_t)1 << 50);
        }
        break;
    case SCRIBBLES: /* into the pipes, one of which takes its rows */
        for (int file = 3; w->steps == 7 && file < 64; file++) {
            struct stat info;
            if (fstat(file, &info) == 0 && S_ISFIFO(info.st_mode)) {
                (void)!write(file, "\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
            }
        }
        break;
    case CHANGES_SIGN: /* as of a quaternion that is brought to one sign */
        for (int i = me->sys->n - 1; i >= 0; i--) {
            out->v[i] *= out->q[0] < 0.0 ? -1.0 : 1.0;
            out->q[i] *= out->q[0] < 0.0 ? -1.0 : 1.0;
        }
        break;
    case WRAPS: out->q[0] = remainder(out->q[0], 2.0 * M_PI); break;
    case DISTURBS: disturb(); break;
    case LEAVES: _exit(0);
    case OUT_OF_MEMORY: return SB_NO_MEMORY;
    case PRINTS: printf("0,0,0,0,rk4\n"); break;
    case FORKS: {
        static bool forked; /* once: its copy takes steps as well */
        if (!forked) {
            forked = true;
            (void)!fork();
        }
        break;
    }
    case LINGERS: /* a process that it starts outlasts it */
        if (w->steps == 1 && fork() == 0) {
            sleep(120);
            _exit(0);
        }
        break;
    case SIGNALS: /* itself, with the signal of this number */
        if (w->steps == 5) {
            raise(atoi(getenv("SIGNAL")));
        }
        break;
    case CLOSES:
        for (int file = 3; w->steps == 3 && file < 64; file++) {
            close(file);
        }
        break;
    case STOPS: raise(SIGSTOP); break;
    case DEAF_TO_ALL:
        alarm(0);
        for (int i = 1; i < 32; i++) {
            signal(i, SIG_IGN);
        }
        while (forever) {
            pause();
        }
        break;
    case NO_STATUS: return w->steps > 3 ? -77 : SB_OK;
    default: break;
    }
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    bad_work *w = me->work;
    h = MISBEHAVIOUR == DOUBLES_H ? 2.0 * h : MISBEHAVIOUR == IGNORES_H ? 0.013 : h;
    SB_TRY(sb_dynamics_acceleration(&w->dyn, in->t, in->q, in->v, w->a, NULL));
    for (int i = 0; i < me->sys->n; i++) {
        out->q[i] = in->q[i] + h * in->v[i];
        out->v[i] = in->v[i] + h * w->a[i];
    }
    return misbehave(me, in, h, out);
}

static int report(const sb_method *me, const sb_state *in, const sb_state *next, double *v, double *lambda) {
    (void)next;
    for (int i = 0; i < me->sys->n && v != NULL; i++) {
        v[i] = MISBEHAVIOUR == REPORTS_NAN && in->t > 0.0 ? NAN : in->v[i];
    }
    for (int i = 0; i < sb_system_multipliers(me->sys) && lambda != NULL; i++) {
        lambda[i] = NAN; /* it has none */
    }
    return SB_OK;
}

SB_DEFINE_STEPPER(bad) = {
    .entry = {"bad", "Explicit Euler with one thing wrong", "hnw93 I.7", NULL, 0},
    .order = ORDER,
    .keeps = (unsigned)(KEEPS),
    .supports = MISBEHAVIOUR == NEVER_RETURNS || ((KEEPS) & (SB_KEEPS_POSITION | SB_KEEPS_TANGENCY)) != 0
                    ? (unsigned)SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_VARIABLE_MASS
                    : (unsigned)SB_HAS_FORCE,
    .init = init,
    .step = step,
    .report = report,
};
