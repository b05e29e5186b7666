/* Modified energies: closed forms on the oscillator, their orders, drifts, and what has none. skeel01. */
#include "analysis/conservation/homogeneous.h"
#include "tests/analysis/fixture.h"

enum { HAMILTONIANS = 6 }; /* the energy, then H_2k of k = 2 to 6 */

static double cell(const sb_table *table, int run, int hamiltonian, const char *column) {
    return sb_table_real(table, run * HAMILTONIANS + hamiltonian, column);
}

/* Checks entry (i, j) of values on a pattern. */
static void entry(const sb_pattern *A, const double *Ax, int i, int j, double expected, const char *what) {
    const int k = sb_pattern_find(A, i, j);
    near(k >= 0 ? Ax[k] : NAN, expected, 1e-14, what);
}

/* Of henon_heiles V = V2 + V3, V3 = x^2 y - y^3/3, so that alpha^2 V(q/alpha) = V2 + V3/alpha. Of the pendulum g =
 * (|q|^2 - 1)/2, so that alpha g(q/alpha) = |q|^2/(2 alpha) - alpha/2. */
static void extension(fixture *f) {
    const double q[] = {0.3, -0.4, 0.0}, V3 = 0.09 * -0.4 + 0.064 / 3.0, V3x = 2.0 * 0.3 * -0.4, V3y = 0.09 - 0.16;
    const double one = 1.0;
    double g[3], Gx[3], Hx[9] = {0.0};
    const sb_pair smooth = pair_of(f, "henon_heiles", "verlet"), rigid = pair_of(f, "pendulum", "rattle");
    sb_system sys;
    gsl_test(sb_homogeneous_new(&f->ctx, &f->arena, smooth.sys, &sys) != SB_OK, "henon_heiles is extended");
    sb_potential_gradient(&sys, 0.0, q, g);
    near(g[2], -V3, 1e-15, "V_alpha");
    sb_potential_hessian(&sys, 0.0, q, 1.0, Hx);
    entry(&sys.H, Hx, 2, 0, -V3x, "V_x alpha");
    entry(&sys.H, Hx, 0, 2, -V3x, "V_alpha x");
    entry(&sys.H, Hx, 2, 1, -V3y, "V_y alpha");
    entry(&sys.H, Hx, 1, 2, -V3y, "V_alpha y");
    entry(&sys.H, Hx, 2, 2, 2.0 * V3, "V_alpha alpha");
    gsl_test(sb_homogeneous_new(&f->ctx, &f->arena, rigid.sys, &sys) != SB_OK, "pendulum is extended");
    sb_holonomic_value(&sys, 0.0, q, NULL, Gx);
    entry(&sys.holonomic.G, Gx, 1, 0, -0.4, "g_y");
    entry(&sys.holonomic.G, Gx, 2, 0, -0.5 * (0.25 + 1.0), "g_alpha");
    memset(Hx, 0, sizeof Hx);
    sb_holonomic_hessian(&sys, 0.0, q, &one, 1.0, Hx);
    entry(&sys.H, Hx, 2, 0, -0.3, "g_x alpha");
    entry(&sys.H, Hx, 0, 2, -0.3, "g_alpha x");
    entry(&sys.H, Hx, 2, 2, 0.25, "g_alpha alpha");
}

/* Verlet with theta = h omega rotates by phi, sin(phi/2) = theta/2, along p^2 + (1 - theta^2/4) q^2 = const: the flow
 * of phi/(theta sqrt(1 - theta^2/4)) times half of that. On a rotation (y_i, y_j) is proportional to sin((j - i) phi),
 * and a difference of order 2k of the sines is sin(phi) times the first k terms of
 *
 *   phi/sin(phi) = sum_m (m!)^2/(2m + 1)! (2 sin(phi/2))^(2m),
 *
 * so that H_2k is (1 - theta^2/4)/2 times these terms, with sin(phi) = theta sqrt(1 - theta^2/4) and q = 1, p = 0 at
 * the start. The midpoint rule, with tan(phi/2) = theta/2, keeps p^2 + q^2. */
static void oscillator(fixture *f) {
    const double h = 0.5;
    sb_table table;
    rows(f, "modified_energy", "h=0.5,t_end=500", "oscillator", "verlet", &table);
    double sum = 1.0, term = 1.0;
    for (int k = 2; k <= 6; k++) {
        term *= (k - 1) * (k - 1) * h * h / ((2 * k - 2) * (2 * k - 1));
        sum += term;
        const double exact = 0.5 * (1.0 - h * h / 4.0) * sum;
        near(cell(&table, 0, k - 1, "initial"), exact, 1e-14, "H_2k of Verlet on the oscillator");
        gsl_test(!(cell(&table, 0, k - 1, "max_dev") <= cell(&table, 0, k - 1, "rounding")),
                 "H_%d is constant on a quadratic Hamiltonian: %.2g", 2 * k, cell(&table, 0, k - 1, "max_dev"));
    }
    gsl_test(!(cell(&table, 0, 0, "max_dev") > 0.03), "while the energy is not: %.2g, theta^2/8 = 0.031",
             cell(&table, 0, 0, "max_dev"));
    rows(f, "modified_energy", "h=0.5,t_end=500", "oscillator", "midpoint", &table);
    const double s = sin(2.0 * atan(0.25)), theta = 2.0 * sin(atan(0.25)); /* in phi */
    near(cell(&table, 0, 1, "initial"), 0.5 * s / h * (1.0 + theta * theta / 6.0), 1e-14,
         "H4 of the midpoint rule on the oscillator");
}

/* Returns the exponent of h in the standard deviation of a Hamiltonian between two runs of steps h and h/2. */
static double order(const sb_table *table, int hamiltonian) {
    return log2(cell(table, 0, hamiltonian, "sd") / cell(table, 1, hamiltonian, "sd"));
}

/* The error of H_2k is h^2k times a function of the state. At h = 0.2 the next term is (h/2 pi f)^2 of a few per cent,
 * which makes up to 0.3 of the exponent; a term left over from the order below would make it smaller by two. Explicit,
 * implicit, of higher order, with constraints, with momenta half a step apart. */
static void orders(fixture *f) {
    static const struct {
        const char *problem, *stepper, *options;
        int highest;
    } cases[] = {{"henon_heiles", "verlet", "h=[0.2,0.1],t_end=100", 6},
                 {"henon_heiles", "midpoint", "h=[0.2,0.1],t_end=100", 6},
                 {"henon_heiles", "gauss", "h=[0.2,0.1],t_end=100", 6},
                 {"henon_heiles", "yoshida4(verlet)", "h=[0.2,0.1],t_end=100", 6},
                 {"pendulum", "rattle", "h=[0.05,0.025],t_end=50", 5},
                 {"pendulum", "shake", "h=[0.05,0.025],t_end=50", 5},
                 {"pendulum", "lobatto_iiia_b", "h=[0.05,0.025],t_end=50", 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_table table;
        rows(f, "modified_energy", cases[i].options, cases[i].problem, cases[i].stepper, &table);
        for (int k = 2; k <= cases[i].highest && table.nrows == 2 * HAMILTONIANS; k++) {
            gsl_test(!(fabs(order(&table, k - 1) - 2 * k) < 0.4), "%s on %s: H_%d is constant to order %.2f",
                     cases[i].stepper, cases[i].problem, 2 * k, order(&table, k - 1));
        }
    }
}

/* RK4 changes the oscillator's amplitude by |R|^2 = 1 - theta^6/72 + theta^8/576 per step, so that every quadratic
 * invariant decays at the rate theta^6/(72 h) to first order in the time; over t = 100 the decay is 1.4e-4. */
static void drift_of_rk4(fixture *f) {
    sb_table table;
    rows(f, "modified_energy", "h=0.1,t_end=100", "oscillator", "rk4", &table);
    for (int i = 0; i < HAMILTONIANS; i++) {
        near(cell(&table, 0, i, "slope") / (-1e-5 / 72.0), 1.0, 2e-3, "RK4 loses theta^6/72 of the energy per step");
    }
}

/* The midpoint rule whose Newton iteration ends early is not symplectic. Its drift is below what the oscillation of the
 * energy lets be seen over this time, and H8 sees it; converged, there is none. */
static void drift_below_oscillation(fixture *f) {
    static const struct {
        const char *stepper;
        bool drifts;
    } cases[] = {{"midpoint:tol=5e-3", true}, {"midpoint", false}};
    for (int i = 0; i < 2; i++) {
        sb_table table;
        rows(f, "modified_energy", "h=0.1,t_end=200", "henon_heiles", cases[i].stepper, &table);
        const double energy = cell(&table, 0, 0, "slope") / cell(&table, 0, 0, "slope_se"),
                     H8 = cell(&table, 0, 3, "slope") / cell(&table, 0, 3, "slope_se"),
                     change = fabs(cell(&table, 0, 3, "slope")) * 200.0;
        gsl_test(!(fabs(energy) < 5.0), "%s: no drift of the energy is seen: %.1f standard errors", cases[i].stepper,
                 energy);
        gsl_test(cases[i].drifts != (fabs(H8) > 50.0 && change > cell(&table, 0, 3, "rounding")),
                 "%s: H8 drifts by %.2g, %.1f standard errors", cases[i].stepper, change, H8);
    }
}

/* The mean of beta' on an orbit of kepler is 3, so that after 20 000 steps of 0.0144 a beta that is not set to zero is
 * rounded to 1e-13, and H12 by that over h. */
static void round_off(fixture *f) {
    sb_table table;
    rows(f, "modified_energy", "h=0.0144,t_end=288", "kepler", "verlet", &table);
    gsl_test(!(cell(&table, 0, 5, "max_dev") <= 1e-13), "H12 of Verlet on kepler is constant to round-off: %.2g",
             cell(&table, 0, 5, "max_dev"));
}

/* T(q/alpha, v) of spherical_pendulum, T = (theta'^2 + sin(theta)^2 phi'^2)/2: T_alpha = -theta s c phi'^2. */
static void kinetic(fixture *f) {
    const double theta = 0.7, w = 1.1, q[] = {theta, 0.3, 0.0}, v[] = {0.2, w, 0.0}, sc = sin(theta) * cos(theta),
                 cos2 = cos(2.0 * theta);
    double Tq[3], Hx[9] = {0.0};
    const sb_pair pair = pair_of(f, "spherical_pendulum", "midpoint");
    sb_system sys;
    gsl_test(sb_homogeneous_new(&f->ctx, &f->arena, pair.sys, &sys) != SB_OK, "spherical_pendulum is extended");
    sys.inertia.gradient(sys.inertia.self, q, v, Tq);
    near(Tq[2], -theta * sc * w * w, 1e-14, "T_alpha");
    sys.inertia.hessian(sys.inertia.self, q, v, 1.0, 0.0, 0.0, Hx);
    entry(&sys.H, Hx, 2, 0, -(sc + theta * cos2) * w * w, "T_alpha theta");
    entry(&sys.H, Hx, 0, 2, -(sc + theta * cos2) * w * w, "T_theta alpha");
    entry(&sys.H, Hx, 2, 2, (2.0 * sc + theta * cos2) * theta * w * w, "T_alpha alpha");
    memset(Hx, 0, sizeof Hx);
    sys.inertia.hessian(sys.inertia.self, q, v, 0.0, 1.0, 0.0, Hx);
    entry(&sys.H, Hx, 2, 1, -2.0 * theta * sc * w, "T_alpha phi'");
    entry(&sys.H, Hx, 1, 2, 0.0, "T_phi alpha'");
    memset(Hx, 0, sizeof Hx);
    sys.inertia.hessian(sys.inertia.self, q, v, 0.0, 0.0, 1.0, Hx);
    entry(&sys.H, Hx, 1, 2, -2.0 * theta * sc * w, "T_phi' alpha");
    entry(&sys.H, Hx, 2, 1, 0.0, "T_alpha' phi");
}

/* spherical_pendulum, M = diag(1, sin^2 theta). On its flow, to which gauss with four stages is close to 1e-13, the
 * modified Hamiltonian is H, and 2 H = p . q' - q . p' - beta' makes every H_2k the energy up to O(h^2k): with it p is
 * M(q) v, and T_q is in beta'. The midpoint rule has another one, from which H_2k differs by O(h^2k): the powers
 * to an eighth of the distance of neighbouring ones. */
static void variable_mass(fixture *f) {
    sb_table table;
    rows(f, "modified_energy", "h=[0.02,0.01],t_end=20", "spherical_pendulum", "gauss:stages=4", &table);
    near(cell(&table, 0, 4, "initial"), cell(&table, 0, 0, "initial"), 1e-11, "H10 of the flow is the energy");
    near(cell(&table, 1, 3, "initial"), cell(&table, 1, 0, "initial"), 1e-11, "H8 of the flow is the energy");
    rows(f, "modified_energy", "h=[0.02,0.01],t_end=20", "spherical_pendulum", "midpoint", &table);
    for (int k = 1; k <= 3; k++) {
        near(log2(cell(&table, 0, k, "sd") / cell(&table, 1, k, "sd")), 2.0 * k + 2.0, 0.25, "power of h");
    }
}

static void refusals(fixture *f) {
    sb_table table;
    gsl_test_int(run_one(f, "modified_energy", "h=0.1,t_end=10", "oscillator", "verlet", &table), SB_BAD_USAGE,
                 "too few steps");
    gsl_test(strstr(f->ctx.message, "at least 146 steps") == NULL, "say how many will do: %s", f->ctx.message);
    gsl_test(run_one(f, "modified_energy", "", "oscillator:gamma=0.1", "rk4", &table) == SB_OK &&
                 strstr(sb_table_text(&table, 0, "status"), "not Hamiltonian") == NULL,
             "drag has no Hamiltonian");
    sb_system sys;
    gsl_test(sb_system_build(&f->ctx, &f->arena, "pendulum", 1, (const char *const[]){"chart"}, &sys) != SB_OK ||
                 sb_homogeneous_excluded(&sys) == NULL,
             "nor is there an extension of a Lagrangian that averages in the embedding space");
}

int main(void) {
    fixture f;
    fixture_init(&f);
    extension(&f);
    oscillator(&f);
    orders(&f);
    drift_of_rk4(&f);
    drift_below_oscillation(&f);
    round_off(&f);
    kinetic(&f);
    variable_mass(&f);
    refusals(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
