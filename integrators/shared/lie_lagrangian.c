/* The midpoint Lagrangian on a group: the momenta pi_minus and pi_plus of integrators/lie_variational.c, and the
 * derivative of pi_minus. */
#include "integrators/shared/lie_lagrangian.h"

#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/quaternion.h>

/* The terms of one quaternion in the momenta. */
struct lie_quaternion_terms {
    sb_scalar e[4], u[3], Omega[4]; /* e_m; (0, Omega) */
    sb_scalar zT[4], zF[4];         /* conj(e) T_v and conj(e) F */
    sb_scalar D[3][3], l_xi[3], l_eta[3];
};

int sb_lie_lagrangian_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, lie_map map, lie_lagrangian *out) {
    *out = (lie_lagrangian){.map = map};
    SB_TRY(sb_lie_init(arena, sys, &out->L));
    SB_TRY(sb_lie_blocks_new(arena, &out->L, &out->P));
    SB_TRY(sb_lie_blocks_new(arena, &out->L, &out->Q));
    SB_TRY(sb_lie_blocks_new(arena, &out->L, &out->left[0]));
    SB_TRY(sb_lie_blocks_new(arena, &out->L, &out->left[1]));
    SB_NEW(arena, out->terms, sys->attitudes);
    SB_TRY(SB_VECTORS(arena, sys->n, &out->q, &out->v, &out->Tv, &out->F, &out->tmp));
    SB_NEW(arena, out->Hx, sb_pattern_nnz(&sys->H));
    return sb_mass_init(ctx, arena, sys, &out->mass);
}

/* Computes x + u x x in place. */
static void add_cross(const sb_scalar u[3], sb_scalar x[3]) {
    sb_scalar product[3];
    sb_cross(u, x, product);
    sb_axpy(3, 1.0, product, x);
}

/* Sets q_m, v_m = B(q_m) xi and the terms of each quaternion that they determine. */
static void set_midpoint(lie_lagrangian *Ld, sb_scalar h, const sb_scalar *q0, const sb_scalar *s) {
    const lie *L = &Ld->L;
    for (int i = 0; i < L->sys->n; i++) {
        if (L->of[i] < 0) {
            Ld->q[i] = q0[i] + 0.5 * s[L->to[i]];
            Ld->v[i] = s[L->to[i]] / h;
        }
    }
    for (int b = 0; b < L->sys->attitudes; b++) {
        const int at = L->sys->attitude[b].at;
        const sb_scalar *phi = s + L->to[at];
        struct lie_quaternion_terms *terms = &Ld->terms[b];
        sb_scalar f[4], root[4];
        sb_lie_tau(Ld->map, phi, f);
        const sb_scalar scale = 1.0 / sqrt(2.0 + 2.0 * f[0]); /* the square root of f is (1 + f)/|1 + f| */
        root[0] = scale * (1.0 + f[0]);
        terms->Omega[0] = 0.0;
        for (int i = 0; i < 3; i++) {
            root[1 + i] = scale * f[1 + i];
            terms->u[i] = f[1 + i] / (1.0 + f[0]);
            terms->Omega[1 + i] = phi[i] / h;
        }
        sb_quaternion_compose(q0 + at, root, terms->e);
        sb_quaternion_product(terms->e, terms->Omega, Ld->v + at);
        for (int i = 0; i < 4; i++) {
            Ld->q[at + i] = terms->e[i];
            Ld->v[at + i] *= 0.5;
        }
        sb_lie_inverse_tangent(Ld->map, phi, terms->D);
    }
}

/* Computes l_xi = B' T_v, and l_eta = B' F + (d(B xi)/d eta)' T_v, where e exp(eta) changes v = e (0, Omega)/2 by
 * e (0, eta)(0, Omega)/4. */
static void set_lagrangian_derivatives(const lie_lagrangian *Ld, int at, struct lie_quaternion_terms *terms) {
    sb_scalar zO[4];
    sb_quaternion_ratio(terms->e, Ld->Tv + at, terms->zT);
    sb_quaternion_ratio(terms->e, Ld->F + at, terms->zF);
    sb_quaternion_product(terms->zT, terms->Omega, zO);
    for (int i = 0; i < 3; i++) {
        terms->l_xi[i] = 0.5 * terms->zT[1 + i];
        terms->l_eta[i] = 0.5 * terms->zF[1 + i] - 0.25 * zO[1 + i];
    }
}

int sb_lie_lagrangian_momenta(lie_lagrangian *Ld, sb_scalar t, sb_scalar h, const sb_scalar *q0, const sb_scalar *s,
                              sb_scalar *pi_minus, sb_scalar *pi_plus) {
    const lie *L = &Ld->L;
    set_midpoint(Ld, h, q0, s);
    SB_TRY(sb_mass_evaluate(&Ld->mass, Ld->q));
    sb_mass_mult(&Ld->mass, Ld->v, Ld->Tv);
    SB_TRY(sb_system_force(L->sys, t + 0.5 * h, Ld->q, Ld->v, Ld->F, Ld->tmp));
    for (int i = 0; i < L->sys->n; i++) {
        if (L->of[i] < 0) {
            pi_minus[L->to[i]] = Ld->Tv[i] - 0.5 * h * Ld->F[i];
        }
        if (L->of[i] < 0 && pi_plus != NULL) {
            pi_plus[L->to[i]] = Ld->Tv[i] + 0.5 * h * Ld->F[i];
        }
    }
    for (int b = 0; b < L->sys->attitudes; b++) {
        const int at = L->sys->attitude[b].at, to = L->to[at];
        struct lie_quaternion_terms *terms = &Ld->terms[b];
        sb_scalar Dl[3], product[3];
        set_lagrangian_derivatives(Ld, at, terms);
        sb_multiply_3x3(terms->D, terms->l_xi, Dl);
        sb_cross(terms->u, terms->l_eta, product);
        for (int i = 0; i < 3; i++) {
            pi_minus[to + i] = Dl[i] - 0.5 * h * (terms->l_eta[i] + product[i]);
        }
        for (int i = 0; i < 3 && pi_plus != NULL; i++) { /* D(-s) is D' */
            pi_plus[to + i] = terms->D[0][i] * terms->l_xi[0] + terms->D[1][i] * terms->l_xi[1] +
                              terms->D[2][i] * terms->l_xi[2] + 0.5 * h * (terms->l_eta[i] - product[i]);
        }
    }
    return SB_OK;
}

/* ---- The derivative of pi_minus in s. A change of phi by d moves the midpoint e to e exp(eta), eta = (1 + [u]) T d/2,
 * and changes u by (eta + u x eta + u (u.eta))/2. ---- */

/* Sets the blocks that multiply the derivatives of T_v and F from the left. */
static void set_left(lie_lagrangian *Ld, int b, sb_scalar h) {
    struct lie_quaternion_terms *terms = &Ld->terms[b];
    for (int c = 0; c < 4; c++) {
        const sb_scalar unit[4] = {c == 0, c == 1, c == 2, c == 3};
        sb_scalar z[4], zO[4], Dz[3];
        sb_quaternion_ratio(terms->e, unit, z);
        sb_quaternion_product(z, terms->Omega, zO);
        sb_multiply_3x3(terms->D, z + 1, Dz);
        add_cross(terms->u, zO + 1);
        add_cross(terms->u, z + 1);
        for (int i = 0; i < 3; i++) {
            Ld->left[0].block[b][c][i] = 0.5 * Dz[i] + 0.125 * h * zO[1 + i];
            Ld->left[1].block[b][c][i] = -0.25 * h * z[1 + i];
        }
    }
}

/* Sets column j of P and Q, and that of the part of the derivative that leaves T_v and F as they are. */
static void set_column(lie_lagrangian *Ld, int b, int j, sb_scalar h, sb_scalar T[3][3], sb_scalar out[3]) {
    struct lie_quaternion_terms *terms = &Ld->terms[b];
    const sb_scalar *u = terms->u, unit[4] = {0.0, j == 0, j == 1, j == 2};
    sb_scalar eta[4] = {0.0, 0.5 * T[0][j], 0.5 * T[1][j], 0.5 * T[2][j]};
    sb_scalar e_eta[4], e_unit[4], e_eta_Omega[4], eta_zT[4], eta_zF[4], eta_zT_Omega[4], zT_unit[4], change[4],
        D_zT[3], du[3], du_l_eta[3];
    add_cross(u, eta + 1);
    sb_quaternion_product(terms->e, eta, e_eta);
    sb_quaternion_product(terms->e, unit, e_unit);
    sb_quaternion_product(e_eta, terms->Omega, e_eta_Omega);
    for (int c = 0; c < 4; c++) {
        Ld->P.block[b][c][j] = 0.5 * e_eta[c];
        Ld->Q.block[b][c][j] = 0.5 / h * e_unit[c] + 0.25 * e_eta_Omega[c];
    }
    sb_quaternion_product(eta, terms->zT, eta_zT);
    sb_quaternion_product(eta, terms->zF, eta_zF);
    sb_quaternion_product(eta_zT, terms->Omega, eta_zT_Omega);
    sb_quaternion_product(terms->zT, unit, zT_unit);
    sb_multiply_3x3(terms->D, eta_zT + 1, D_zT);
    const sb_scalar along = u[0] * eta[1] + u[1] * eta[2] + u[2] * eta[3];
    for (int i = 0; i < 3; i++) {
        change[1 + i] = -0.25 * eta_zF[1 + i] + 0.125 * eta_zT_Omega[1 + i] - 0.25 / h * zT_unit[1 + i];
        du[i] = eta[1 + i];
    }
    add_cross(u, change + 1);
    add_cross(u, du);
    for (int i = 0; i < 3; i++) {
        du[i] = 0.5 * (du[i] + along * u[i]);
    }
    sb_cross(du, terms->l_eta, du_l_eta);
    for (int i = 0; i < 3; i++) {
        out[i] += -0.25 * D_zT[i] - 0.5 * h * (change[1 + i] + du_l_eta[i]);
    }
}

static void set_blocks(lie_lagrangian *Ld, sb_scalar h, const sb_scalar *s, sb_scalar *Kx) {
    const lie *L = &Ld->L;
    Ld->P.plain = 0.5;
    Ld->Q.plain = 1.0 / h;
    Ld->left[0].plain = 1.0;
    Ld->left[1].plain = -0.5 * h;
    for (int b = 0; b < L->sys->attitudes; b++) {
        const sb_scalar *phi = s + L->to[L->sys->attitude[b].at];
        sb_scalar T[3][3], E[3][3];
        sb_lie_tangent(Ld->map, phi, T);
        sb_lie_inverse_tangent_slope(Ld->map, phi, Ld->terms[b].l_xi, E);
        set_left(Ld, b, h);
        for (int j = 0; j < 3; j++) {
            sb_scalar column[3] = {E[0][j], E[1][j], E[2][j]};
            set_column(Ld, b, j, h, T, column);
            for (int i = 0; i < 3; i++) {
                Kx[L->at_block[9 * b + i + 3 * j]] += column[i];
            }
        }
    }
}

/* Clears Hx and adds cqq T_qq + cqv T_qv + cvq T_vq. */
static int set_kinetic(const lie_lagrangian *Ld, sb_scalar cqq, sb_scalar cqv, sb_scalar cvq) {
    const sb_inertia *T = &Ld->L.sys->inertia;
    memset(Ld->Hx, 0, (size_t)sb_pattern_nnz(&Ld->L.sys->H) * sizeof(sb_scalar));
    return T->hessian != NULL ? T->hessian(T->self, Ld->q, Ld->v, cqq, cqv, cvq, Ld->Hx) : SB_OK;
}

/* left0' (T_vq P + M Q) + left1' ((T_qq - V_qq + f_q) P + (T_qv + f_v) Q), and the blocks' own part. */
int sb_lie_lagrangian_jacobian(lie_lagrangian *Ld, sb_scalar t, sb_scalar h, const sb_scalar *s, sb_scalar *Kx) {
    const sb_system *sys = Ld->L.sys;
    const sb_force *f = &sys->force;
    const sb_scalar t_m = t + 0.5 * h;
    memset(Kx, 0, (size_t)sb_pattern_nnz(&Ld->L.algebra.H) * sizeof(sb_scalar));
    set_blocks(Ld, h, s, Kx);
    if (sys->inertia.hessian != NULL) {
        SB_TRY(set_kinetic(Ld, 0.0, 0.0, 1.0));
        sb_lie_add(&Ld->L, Ld->Hx, &Ld->left[0], &Ld->P, Kx);
    }
    memset(Ld->Hx, 0, (size_t)sb_pattern_nnz(&sys->H) * sizeof(sb_scalar));
    sb_mass_add(&Ld->mass, 1.0, Ld->Hx);
    sb_lie_add(&Ld->L, Ld->Hx, &Ld->left[0], &Ld->Q, Kx);
    SB_TRY(set_kinetic(Ld, 1.0, 0.0, 0.0));
    SB_TRY(sys->potential.hessian != NULL ? sb_potential_hessian(sys, t_m, Ld->q, -1.0, Ld->Hx) : SB_OK);
    SB_TRY(f->jacobian != NULL ? f->jacobian(f->self, t_m, Ld->q, Ld->v, 1.0, 0.0, Ld->Hx) : SB_OK);
    sb_lie_add(&Ld->L, Ld->Hx, &Ld->left[1], &Ld->P, Kx);
    SB_TRY(set_kinetic(Ld, 0.0, 1.0, 0.0));
    SB_TRY(f->jacobian != NULL ? f->jacobian(f->self, t_m, Ld->q, Ld->v, 0.0, 1.0, Ld->Hx) : SB_OK);
    sb_lie_add(&Ld->L, Ld->Hx, &Ld->left[1], &Ld->Q, Kx);
    return SB_OK;
}
