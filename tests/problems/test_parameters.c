/* What the problems and the chart refuse: parameters out of range, contradictions, states without meaning; each by
 * status and a sentence.
 */
#include "tests/problems/systems.h"

static const struct {
    const char *spec;
    int status;
    const char *words; /* part of the sentence */
} refused[] = {
    {"oscillator:m=0", SB_BAD_USAGE, "m"},
    {"oscillator:omega=-1", SB_BAD_USAGE, "omega"},
    {"oscillator:gamma=-0.1", SB_BAD_USAGE, "gamma"},
    {"oscillator:x0=inf", SB_BAD_USAGE, "x0"},
    {"oscillator:v0=nan", SB_BAD_USAGE, "v0"},
    {"pendulum:l=0", SB_BAD_USAGE, "l"},
    {"pendulum:constraint=cube", SB_BAD_USAGE, "norm"},
    {"pendulum:theta0=up", SB_BAD_USAGE, "theta0"},
    {"spherical_pendulum:theta0=0", SB_BAD_USAGE, "theta0"},
    {"spherical_pendulum:theta0=3.2", SB_BAD_USAGE, "theta0"},
    {"rigid_body:I2=0", SB_BAD_USAGE, "I2"},
    {"rigid_body:I1=-1", SB_BAD_USAGE, "I1"},
    {"rigid_body:w1=0,w2=1,w3=1e-200", SB_BAD_USAGE, "orders of magnitude"},
    {"rigid_body:w1=1e300,w2=1e300", SB_BAD_USAGE, "orders of magnitude"},
    {"kepler:e=1", SB_BAD_USAGE, "e"},
    {"kepler:e=-0.1", SB_BAD_USAGE, "e"},
    {"kepler:a=0", SB_BAD_USAGE, "a"},
    {"thread:span=1", SB_BAD_USAGE, "[0, 1)"},
    {"thread:span=1.1", SB_BAD_USAGE, "span"},
    {"thread:end_mass=0", SB_BAD_USAGE, "end_mass"},
    {"thread:end_mass=-3", SB_BAD_USAGE, "end_mass"},
    {"thread:dim=4", SB_BAD_USAGE, "dim"},
    {"thread:n=3,masses=[1,50]", SB_BAD_USAGE, "masses has 2 numbers, but n=3"},
    {"thread:n=2,masses=[1,0]", SB_BAD_USAGE, "masses"},
    {"thread:n=2,masses=[1,50],end_mass=7", SB_BAD_USAGE, "end_mass=7 is not used"},
    {"thread:n=2,masses=[1,50],m=7", SB_BAD_USAGE, "m=7 is not used"},
    {"thread:g=0,span=0.5", SB_BAD_USAGE, "gravity"},
    {"thread:span=0.5,angle=1", SB_BAD_USAGE, "dim=3"},
    {"bouncing_ball:e=1.1", SB_BAD_USAGE, "[0, 1]"},
    {"bouncing_ball:e=-0.1", SB_BAD_USAGE, "[0, 1]"},
    {"bouncing_ball:y0=-1", SB_BAD_USAGE, "y0"},
    {"bouncing_ball:y0=0,v0=-1", SB_BAD_USAGE, "impact at the start"},
    {"block_incline:mu=-0.1", SB_BAD_USAGE, "mu"},
    {"block_incline:angle=1.6", SB_BAD_USAGE, "angle"},
    {"block_incline:v0=-1", SB_BAD_USAGE, "v0"},
    {"stack:n=0", SB_BAD_USAGE, "n"},
    {"stack:mu=nan", SB_BAD_USAGE, "mu"},
    {"newtons_cradle:n=3,moving=3", SB_BAD_USAGE, "moving <= 2"},
    {"newtons_cradle:spacing=-0.1", SB_BAD_USAGE, "spacing"},
    {"newtons_cradle:distance=0", SB_BAD_USAGE, "distance"},
    {"painleve_rod:theta0=3.2", SB_BAD_USAGE, "theta0"},
    {"painleve_rod:e=2", SB_BAD_USAGE, "[0, 1]"},
    {"slider_crank:stop=2", SB_INCONSISTENT, "penetrates"},
    {"slider_crank:mu=-1", SB_BAD_USAGE, "mu"},
    {"thread:n=4,span=0.1", SB_BAD_USAGE, "increase span"},
    {"thread:n=1000,kick=0.1", SB_BAD_USAGE, "at most"},
};

/* Extremes that are in range must build and give finite exact states. */
static const char *const taken[] = {
    "oscillator:omega=1e-8,gamma=1e8",
    "oscillator:omega=1,gamma=2",
    "pendulum:theta0=100,omega0=1e-12",
    "pendulum:g=0,omega0=0",
    "pendulum:theta0=1e-300",
    "pendulum:omega0=1e8",
    "rigid_body:w1=1e-7,w2=1,w3=1e-7",
    "rigid_body:w1=1e-60,w2=1,w3=0",
    "rigid_body:I1=1,I2=1.0000000001,I3=1.0000000002,w1=1,w2=2,w3=3",
    "rigid_body:I1=1e-6,I2=1,I3=1e6,w1=1,w2=2,w3=3",
    "bouncing_ball:e=0",
    "bouncing_ball:e=1",
    "bouncing_ball:y0=0",
    "bouncing_ball:y0=0,e=1",
    "bouncing_ball:e=0.999999999999",
    "bouncing_ball:e=1e-300",
    "block_incline:angle=0,mu=0,v0=1",
    "block_incline:angle=0,mu=0",
    "kepler:e=0.999999999999",
};

static void stays_finite(const sb_system *sys) {
    for (int k = 0; k <= 9; k++) {
        double q[8], v[8], lambda[8] = {0.0};
        const int status = sys->exact(sys->self, 7.3 * k, q, v, lambda);
        bool finite = status == SB_OK && isfinite(lambda[0]);
        for (int i = 0; i < sys->n; i++) {
            finite = finite && isfinite(q[i]) && isfinite(v[i]);
        }
        gsl_test(!finite, "%s is finite at t = %g", sys->name, 7.3 * k);
    }
}

int main(void) {
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        sb_system sys;
        const int status = sb_system_build(&f.ctx, &f.arena, refused[i].spec, 0, NULL, &sys);
        gsl_test(status != refused[i].status || strstr(f.ctx.message, refused[i].words) == NULL,
                 "%s: status %d, \"%s\"", refused[i].spec, status, f.ctx.message);
    }
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        sb_system sys;
        fixture_build(&f, taken[i], NULL, &sys);
        stays_finite(&sys);
    }
    fixture_close(&f);
    return gsl_test_summary();
}
