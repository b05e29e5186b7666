/* The systems the problems' tests run on: every registered problem, variants that take other branches, and the chart of
 * each that offers one. */
#ifndef TESTS_PROBLEMS_SYSTEMS_H
#define TESTS_PROBLEMS_SYSTEMS_H

#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include "bench/runner/registry.h"
#include "core/run/build.h"
#include "tests/problems/drag.h"

static const char *const variants[] __attribute__((unused)) = {
    "oscillator:m=2.5,omega=3,gamma=0.4,x0=-0.7,v0=1.3",
    "oscillator:omega=2,gamma=4,x0=1,v0=-1",
    "oscillator:omega=1,gamma=7,x0=1,v0=2",
    "pendulum:constraint=norm,m=2.5,l=1.7,g=3.1,theta0=2.2,omega0=-0.9",
    "pendulum:constraint=square,m=2.5,l=1.7,g=3.1,theta0=-0.4,omega0=3.9",
    "pendulum:theta0=3.1,omega0=-0.02",
    "pendulum:theta0=0.3,omega0=-9",
    "pendulum:g=0,omega0=2",
    "pendulum:g=4,theta0=0,omega0=4",
    "spherical_pendulum:m=1.3,l=0.7,theta0=2,phi0=0.4,thetadot0=-1,phidot0=-2",
    "dsp:ic=recovered",
    "dsp:ic=given,m1=0.6,m2=1.4,l1=1.1,l2=0.8,x1=0.5,y1=-0.3,x2=0.9,y2=0.1,vx1=0.2,vy1=1.1,vx2=-0.7,vy2=0.4",
    "rigid_body:I1=3,I2=1,I3=2,w1=0.4,w2=-1.1,w3=0.7",
    "rigid_body:I1=2,I2=3,I3=1,w1=0.1,w2=2,w3=-0.3",
    "rigid_body:I1=2,I2=2,I3=3,w1=1,w2=-0.5,w3=0.8",
    "rigid_body:I1=1.5,I2=1,I3=1.5,w1=-1,w2=0.5,w3=0.8",
    "rigid_body:I1=1,I2=1,I3=1,w1=1,w2=2,w3=-1",
    "rigid_body:w1=1e-9,w2=3,w3=0",
    "rigid_body:I1=3,I2=4,I3=6,w1=2,w2=1,w3=1",
    "rigid_body:w1=0,w2=0,w3=-2",
    "rigid_body:w1=1e-7,w2=1,w3=1e-7",
    "rigid_body:I1=1,I2=1.0000000001,I3=1.0000000002,w1=1,w2=2,w3=3",
    "kepler:e=0.9,a=1.5,mu=2",
    "kepler:e=0",
    "plane:m=2,g=3,x0=1,vx0=-0.5",
    "ladder:N=1,rungs=down,m=2,l=0.7,g=3",
    "ladder:N=2,mass_ratio=100,heavy=tip",
    "ladder:N=2,mass_ratio=0.01,heavy=root",
    "rod_chain:n=1,theta0=0.4",
    "knife_edge:m=2,I=0.3,g=-3,omega=-2.5",
    "knife_edge:omega=0",
    "slider_crank_3d:L=1.5,offset=0.6,m1=2,m2=0.5,m3=3,omega0=-1.5,phi0=0.5",
    "heavy_top:m=2,d=0.6,J1=0.3,J3=0.4,g=9,theta0=1.7,thetadot0=0.4,phidot0=-1,psidot0=3",
    "slider_crank:L=1,phi0=-1",
    "slider_crank:r=0.7,L=0.8,m1=2,m2=0.5,m3=3,omega0=-1.5,phi0=2",
    "chaplygin_sleigh:m=2,I=0.3,a=0.8,v0=2,omega0=-1.5",
    "chaplygin_sleigh:a=0,v0=2",
    "chaplygin_sleigh:omega0=0",
    "rolling_disk:m=2,r=0.6,I=0.3,J=0.4,g=3,theta0=2,phidot0=-1,thetadot0=0.4,psidot0=3",
    "rod_chain:n=5,m=2,l=0.5,theta0=-2",
    "thread:n=1,angle=0.5",
    "thread:n=2,dim=3,masses=[1,50],angle=-1.2,kick=0.1",
    "thread:n=1,span=0.4,m=2,end_mass=3,l=0.7,g=3",
    "thread:n=4,span=0.7,dim=3,angle=2,end_mass=10,constraint=square",
    "thread:n=2,angle=0.7,kick=0.1,constraint=square",
    "thread:n=4,span=0.7,dim=3,angle=2,end_mass=10,kick=0.01",
    "bouncing_ball:e=1,y0=0.3,v0=2,g=3,m=2",
    "bouncing_ball:e=0.2,v0=-3",
    "block_incline:angle=0.3,v0=1",
    "block_incline:angle=0.3,v0=0.01,m=2.5",
    "block_incline:angle=1.2,mu=3,w=0.1,h=0.3",
    "block_incline:bound=weight",
    "stack:n=3,tilt=0.2,mass_ratio=5,w=0.5,h=0.2,m=2",
    "stack:n=3,tilt=0.7,mass_ratio=0.1,mu=0.3",
    "newtons_cradle:n=7,moving=3,m=2,v0=0.5,spacing=0.01",
    "newtons_cradle:e=0.4",
    "painleve_rod:l=0.7,m=2,mu=0.4,theta0=2,omega0=-3,v0=-1",
    "fput:m=1,omega=3",
    "fput:m=5,omega=7",
    "double_pendulum:m1=2,m2=0.3,l1=0.8,l2=1.3,g=3,theta1=-1,theta2=0.4,omega1=2,omega2=-1",
    "andrews:mom=0.01,c0=200",
    "four_bar:N=1,m=2,l=0.7,g=3,phi0=-2.2,omega0=0.5",
    "car_axis:eps=0.3,r=0.3,omega=2",
    "slider_crank_sundials:a=0.3,c=0,F=2,m2=0.6",
    "flyball_governor:k=2000,c=0,alpha=0.7,rate=4",
    "four_bar:N=4,phi0=1.2,omega0=-1",
    "outer_solar_system:planets=2",
    "slider_crank:mu=0.3",
    "slider_crank:L=1.5,mu=0.6,redundant=2,stop=3,m2=0.5,m3=2",
    "slider_crank:stop=3,mu=0.1,drive=none,e=0.5,phi0=1",
};

/* A context with the built-in registry and an arena. */
typedef struct fixture {
    sb_context ctx;
    sb_registry registry;
    sb_arena arena;
} fixture;

static inline void fixture_open(fixture *f) {
    sb_context_init(&f->ctx);
    int status = sb_registry_init(&f->registry, &f->ctx) == SB_OK ? sb_register_builtins(&f->registry) : SB_NO_MEMORY;
    status = status == SB_OK ? sb_registry_add(&f->registry, SB_KIND_FORMULATION, &sb_formulation_drag.entry) : status;
    gsl_test(status != SB_OK, "the registry fills (%s)", f->ctx.message);
    f->ctx.registry = &f->registry;
    sb_arena_init(&f->arena, &f->ctx);
}

static inline void fixture_close(fixture *f) {
    sb_arena_free(&f->arena);
    sb_registry_free(&f->registry);
}

/* A problem with at most one formulation (NULL: none); the test fails and stops when it does not build. */
static inline void fixture_build(fixture *f, const char *spec, const char *formulation, sb_system *sys) {
    const int status = sb_system_build(&f->ctx, &f->arena, spec, formulation != NULL, &formulation, sys);
    gsl_test(status != SB_OK, "%s builds (%s)", spec, status == SB_OK ? "it does" : f->ctx.message);
    if (status != SB_OK) {
        exit(gsl_test_summary());
    }
}

typedef void (*system_test)(sb_context *ctx, sb_arena *arena, const sb_system *sys);

static inline unsigned on_system(fixture *f, const char *spec, const char *formulation, system_test test) {
    sb_system sys;
    fixture_build(f, spec, formulation, &sys);
    test(&f->ctx, &f->arena, &sys);
    return sys.flags;
}

static inline void on_spec(fixture *f, const char *spec, system_test test) {
    const unsigned flags = on_system(f, spec, NULL, test);
    on_system(f, spec, "drag:rate=0.8", test);
    if ((flags & (unsigned)SB_OFFERS_CHART) != 0) {
        on_system(f, spec, "chart", test);
        on_system(f, spec, "chart:lagrangian=chart", test);
    }
    if ((flags & (unsigned)(SB_HAS_CONTACT | SB_HAS_FRICTION)) != 0) {
        return; /* which the other formulations refuse */
    }
    if ((flags & (unsigned)SB_HAS_SINGULAR_MASS) == 0 && (flags & (unsigned)SB_HAS_HOLONOMIC) != 0) {
        on_system(f, spec, "penalty:eps=0.3", test);
        if ((flags & (unsigned)SB_HAS_RHEONOMIC) == 0) {
            on_system(f, spec, "penalty:eps=0.7,gamma=0.4", test);
        }
    }
    if ((flags & (unsigned)SB_HAS_SINGULAR_MASS) == 0 &&
        (flags & (unsigned)(SB_HAS_HOLONOMIC | SB_HAS_NONHOLONOMIC)) != 0) {
        on_system(f, spec, "baumgarte:alpha=2,beta=3", test);
    }
}

/* Runs the test on all of them. */
static inline void on_every_system(system_test test) {
    fixture f;
    fixture_open(&f);
    const sb_entry *entry;
    for (int i = 0; (entry = sb_registry_match(&f.registry, SB_KIND_PROBLEM, "*", i)) != NULL; i++) {
        on_spec(&f, entry->name, test);
    }
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        on_spec(&f, variants[i], test);
    }
    fixture_close(&f);
}

#endif
