# The symmetric top in Euler's angles (phi, theta, psi), landau76 (35.1).
name = "derived_top"
brief = "symmetric top in Euler's angles"
reference = "landau76 (35)"
phi, theta, psi, vphi, vtheta, vpsi = coordinates("phi theta psi")
J1 = parameter("J1", "0.3", 0, "equatorial moment of inertia at the point of support", "kg m^2")
J3 = parameter("J3", "0.4", 0, "axial moment of inertia", "kg m^2")
mgl = parameter("mgl", "2", 0, "weight times distance of the centre of mass", "N m")
T = J1 * (vtheta**2 + vphi**2 * sin(theta)**2) / 2 + J3 * (vpsi + vphi * cos(theta))**2 / 2
V = mgl * cos(theta)
symmetries = {"p_phi": [1, 0, 0], "p_psi": [0, 0, 1]}
outputs = {"spin": (vpsi + vphi * cos(theta), "1/s", "spin about the axis", True)}
start = ([0, 1, 0], [0.3, 0.2, 5])
time_scale = sqrt(J1 / mgl)
