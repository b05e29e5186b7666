/* The group of unit quaternions in local coordinates phi: iserles00, with the rates of the moving frame.
 *
 *   f = tau(phi),   f' = f (0, Omega/2),   Omega = T(phi) phi',   phi' = D(phi) Omega,   D = T^-1
 *
 * tau is one of three maps, by theta = |phi|; phi is the angle of rotation times its axis up to O(theta^3):
 *
 *   exp     f = (cos(theta/2), sin(theta/2) phi/theta)           theta < 2 pi
 *   cayley  f = (1, phi/2)/sqrt(1 + theta^2/4), whose rotation is (1 - [phi]/2)^-1 (1 + [phi]/2)
 *   vector  f = (sqrt(1 - theta^2/4), phi/2)                     theta < 2; the coordinates of wm96 (5.8)
 *
 * For exp T is dexp_{-phi} and D its inverse. [a] b = a x b. In the frame at rest T and D are transposed. */
#pragma once

#include <stepbench/scalar.h>

typedef enum lie_map { LIE_EXP, LIE_CAYLEY, LIE_VECTOR } lie_map;

/* Computes tau(phi); NaN outside the domain of the map. */
void sb_lie_tau(lie_map map, const sb_scalar phi[3], sb_scalar f[4]);
/* Compute T(phi) and D(phi). */
void sb_lie_tangent(lie_map map, const sb_scalar phi[3], sb_scalar T[3][3]);
void sb_lie_inverse_tangent(lie_map map, const sb_scalar phi[3], sb_scalar D[3][3]);
/* Computes E = d(D(phi) w)/dphi at constant w, for Newton's matrices: with an error of eps/theta. */
void sb_lie_inverse_tangent_slope(lie_map map, const sb_scalar phi[3], const sb_scalar w[3], sb_scalar E[3][3]);
