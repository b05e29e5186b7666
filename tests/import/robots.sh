#!/bin/sh
# Five mechanisms from their files to a check, an order, a step, and motions in closed form: a quadruped in MJCF, a delta
# robot in URDF, and a suspension of a car, a linkage of Watt and an arm of an excavator in JSON.
. "$SOURCE_DIR/tests/prelude.sh"
models=$SOURCE_DIR/tests/import

# `check` passes, the stepper has its order, `advise` finds a step, and the diagram of work and precision has three points
# of the stepper and of radau_iia with three stages, whose errors fall by 2^5 = 32.
pass() { # pass FILE "STEPPER OPTIONS" PART "END STEPS"
    "$STEPBENCH" check "mechanism:file=$1" --points 2 >rows 2>err || fail "$1: $(cat rows err)"
    # shellcheck disable=SC2086
    "$STEPBENCH" order -p "mechanism:file=$1" -s $2 --format csv >rows 2>err || fail "$1: $(cat err)"
    tail -n 1 rows | grep -q ',as_claimed,' || fail "$1: $(tail -n 1 rows)"
    "$STEPBENCH" advise -p "mechanism:file=$1" -s reg --h 1/1000 --t-end 0.2 --columns safe,h_limit,part \
        --format csv >rows 2>err || fail "$1: $(cat err)"
    tail -n 1 rows | grep -q "^yes,.*$3\$" || fail "$1: $(cat rows)"
    "$STEPBENCH" workprec -p "mechanism:file=$1" -s "${2%% *}" -s 'radau_iia:stages=3,index=2s' --t-end "${4% *}" \
        --h "${4#* }" --columns h,err_q,evaluations --plot diagram.svg --format csv >rows 2>err || fail "$1: $(cat err)"
    grep -v '^#' rows | awk -F, 'NR > 1 { error[NR - 1] = $2 }
        END { for (i = 1; i < 6; i++) if (i != 3 && !(error[i] > 0 && error[i + 1] < 0.7 * error[i])) exit 1
              for (i = 4; i < 6; i++) if (!(error[i] > 24 * error[i + 1] && error[i] < 43 * error[i + 1])) exit 1
              exit !(NR == 7 && error[6] < 1e-6 && error[6] < error[3]) }' || fail "$1: $(cat rows)"
    grep -q '<svg' diagram.svg || fail "$1: no diagram"
}
# With a reference in quadruple precision the errors of velocities are the same to its bound and that of the one in double
# precision.
reference() { # reference FILE STEPPER END STEP OPTIONS
    [ -x "$BUILD_DIR/stepbench_quad" ] || return 0
    "$STEPBENCH" reference "mechanism:file=$1" --t-end "$3" --goal 1e-4 -o made.json ${5:+$5} >out 2>err || fail "$1: $(cat err)"
    for reference in made.json auto; do
        "$STEPBENCH" workprec -p "mechanism:file=$1" -s "$2" --t-end "$3" --h "$4" --reference $reference \
            --columns err_v --format csv 2>err | tail -n 1
    done >rows
    awk '{ x[NR] = $1 } END { exit !(NR == 2 && x[1] > 1e-5 && (x[1] / x[2] - 1) ^ 2 < 1e-4) }' rows || fail "$1: the references differ: $(cat rows err)"
}
run() { # run FILE TIME COLUMNS
    "$STEPBENCH" run -p "mechanism:file=$1" -s radau_iia:stages=3,index=2s --h 1/500 --t-end "$2" --every 10000 \
        --columns "$3" --format csv 2>err | tail -n 1 >row
    [ -s row ] || fail "$1: $(cat err)"
}

"$STEPBENCH" import "$models/quadruped.xml" --key stride -o quadruped.json 2>err || fail "quadruped: $(cat err)"
pass quadruped.json reg:start=full ',joints\[[1357]\] .*_shank knee_..' '0.05 0.005,0.0025,0.00125'
reference quadruped.json reg 0.01 0.01,0.005 --h=0.01
# It falls freely, and its step has no fixed point; the search for one ends.
"$STEPBENCH" stability -p mechanism:file=quadruped.json -s reg --format csv >rows 2>err || fail "quadruped: $(cat err)"
[ "$(grep -c 'not applicable,"mechanism:file=quadruped.json has no equilibrium near its initial position: it falls' rows)" -eq 12 ] ||
    fail "quadruped: $(cat rows)"

# ---- A delta robot. URDF has no closed loops: the rods are six distances, and the platform stays level. From the level
# arms at rest they move alike: with an arm's angle a (downwards), R - r = 0.14, L = 0.3, l = 0.6,
# z(a) = -L sin a - sqrt(l^2 - (R - r + L cos a)^2), J = 0.004 + 0.5 x 0.15^2,
# T = 3 J a'^2/2 + 0.4 z'^2/2, V = -3 x 0.5 g 0.15 sin a + 0.4 g z. ----
"$STEPBENCH" import "$models/delta.urdf" -o tree.json 2>err || fail "delta: $(cat err)"
[ "$(grep -c '"limits": \[-0.6, 1.6\]' tree.json)" -eq 3 ] || fail "delta: $(cat tree.json)"
awk 'BEGIN { turn = 2 * atan2(0, -1) / 3 }
    /shoulder2/ {
        print $0 ","
        for (k = 0; k < 3; k++) for (y = -0.05; y < 0.1; y += 0.1)
            printf "{\"type\": \"distance\", \"bodies\": [\"arm%d\", \"platform\"], \"points\": [[0.15, %.17g, 0], " \
                "[%.17g, %.17g, 0]], \"length\": 0.6}%s\n", k, y, 0.06 * cos(turn * k) - y * sin(turn * k),
                0.06 * sin(turn * k) + y * cos(turn * k), ((k == 2 && y > 0) ? "" : ",")
        next
    }
    /^}/ { print ", \"independent\": [\"arm0.attitude\", \"arm1.attitude\", \"arm2.attitude\"],"
           print "\"outputs\": {\"a\": {\"joint\": \"shoulder0\"}, \"tip\": {\"body\": \"platform\"}}" }
    { print }' tree.json >delta.json
pass delta.json 'radau_iia:stages=2,index=2s --t-end 0.2 --h 0.02,0.01,0.005' , '0.1 0.02,0.01,0.005'
reference delta.json reg 0.01 0.005,0.0025 --h=0.01
run delta.json 0.2 a,tip_x,tip_y,tip_z
awk -F, 'function z(a) { return -0.3 * sin(a) - sqrt(0.36 - (0.14 + 0.3 * cos(a)) ^ 2) }
    function dz(a) { return (z(a + 1e-5) - z(a - 1e-5)) / 2e-5 }
    function M(a) { return 3 * (0.004 + 0.5 * 0.0225) + 0.4 * dz(a) ^ 2 }
    # M a" + M_a a^.2/2 = -V_a
    function acceleration(a, w) {
        return (3 * 0.5 * 9.81 * 0.15 * cos(a) - 0.4 * 9.81 * dz(a) - (M(a + 1e-4) - M(a - 1e-4)) / 4e-4 * w * w) / M(a)
    }
    { h = 0.0005
      for (i = 0; i < 400; i++) { # Runge and Kutta
          k1 = w; l1 = acceleration(a, w); k2 = w + h / 2 * l1; l2 = acceleration(a + h / 2 * k1, k2)
          k3 = w + h / 2 * l2; l3 = acceleration(a + h / 2 * k2, k3); k4 = w + h * l3; l4 = acceleration(a + h * k3, k4)
          a += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4); w += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
      }
      exit !(($1 - a) ^ 2 < 1e-12 && $2 ^ 2 + $3 ^ 2 < 1e-18 && ($4 - z(a)) ^ 2 < 1e-12 && a > 0.1) }' row ||
    fail "the delta robot falls to $(cat row)"

# ---- A suspension with two equal level arms, its chassis at x and its wheel at y: the strut stands at the share 0.4 of
# the arms, V = 60000 (0.4 (y - x))^2/2 + 200000 y^2/2. An arm of 0.5 m has m ((x' + y')/2)^2 + J ((y' - x')/0.5)^2. ----
pass "$models/suspension.json" rattle ',springs\[1\] ground-wheel' '0.05 0.0025,0.00125,0.000625'
reference "$models/suspension.json" rattle 0.005 0.0025,0.00125 --h=0.005
"$STEPBENCH" modes -p "mechanism:file=$models/suspension.json" -s rattle --columns omega_projected --format csv >rows 2>err ||
    fail "suspension: $(cat err)"
awk '/^[0-9]/ && n < 2 { omega[n++] = $1 ^ 2 }
    END { m = 6 / 4; J = 0.12 / 0.25; a = 300 + m + J; b = m - J; c = 30 + m + J; k = 9600; K = 209600
          # det(K - w M) = (a c - b^2) w^2 - (a K + c k + 2 b k) w + k K - k^2
          A = a * c - b * b; B = a * K + c * k + 2 * b * k; C = k * K - k * k; root = sqrt(B * B - 4 * A * C)
          fast = (B + root) / (2 * A); slow = C / A / fast
          exit !((omega[0] / fast - 1) ^ 2 < 1e-16 && (omega[1] / slow - 1) ^ 2 < 1e-16) }' rows ||
    fail "modes of the suspension: $(cat rows)"

# ---- A linkage of Watt: the left arm at the angle a about (-1, 0.3), the right one about (1, -0.3), both of length 1,
# and between them a bar of 0.6, whose centre moves along a line. ----
pass "$models/watt.json" rattle '' '0.2 0.02,0.01,0.005'
"$STEPBENCH" blowup -p "mechanism:file=$models/watt.json" -s rattle --tol 1e-3 --steps 500 --columns h_measured,status --format csv >rows 2>err ||
    fail "watt: $(cat err)"
tail -n 1 rows | grep -q '^0\.[0-9]*,ok$' || fail "watt: $(cat rows)"
reference "$models/watt.json" rattle 0.05 0.01,0.005
run "$models/watt.json" 0.2 pivot,centre_x,centre_y
awk -F, '{ x = -1 + cos($1); y = 0.3 + sin($1); u = 1 - x; v = -0.3 - y; d = sqrt(u * u + v * v)
           along = (d * d + 0.36 - 1) / (2 * d); off = sqrt(0.36 - along * along)
           # the end of the bar on the left of the line to the right pivot, or on its right: the one near (0, -0.3)
           X = x + (along * u + off * v) / d; Y = y + (along * v - off * u) / d
           exit !(($2 - (x + X) / 2) ^ 2 < 1e-20 && ($3 - (y + Y) / 2) ^ 2 < 1e-20 && $1 ^ 2 > 0.01 && $2 ^ 2 < 1e-3 * $3 ^ 2) }' row ||
    fail "the linkage of Watt: $(cat row)"

# ---- An arm of an excavator: two cylinders of given lengths, whose triangles give the angles of boom and stick, and a
# servo of the bucket, J = 20 + 150 0.4^2 + 5, whose oscillation decays at c/(2 J). ----
pass "$models/excavator.json" radau_iia:stages=2,index=2s ',joints\[2\] stick-bucket wrist' '0.2 0.02,0.01,0.005'
reference "$models/excavator.json" reg 0.02 0.01,0.005 --h=0.02
run "$models/excavator.json" 0.5 foot,elbow
awk -F, 'function angle(p, r, L) { c = (p * p + r * r - L * L) / (2 * p * r); return atan2(sqrt(1 - c * c), c) }
    { boom = atan2(-0.5, 1) + angle(sqrt(1.25), 1.5, 1.5 + 0.1 * sin(0.75))
      # seen from the elbow, the foot of the cylinder is at (-1.5, 0.6), its rod at -0.5 along the stick
      stick = atan2(0.6, -1.5) - angle(sqrt(2.61), 0.5, 1.2 + 0.1 * sin(0.5)) - atan2(0, -1)
      exit !(($1 - boom) ^ 2 < 1e-20 && ($2 - stick) ^ 2 < 1e-20) }' row || fail "the arm of the excavator: $(cat row)"
"$STEPBENCH" modes -p "mechanism:file=$models/excavator.json" -s reg --columns lambda_re --format csv 2>err | grep '^-' >row ||
    fail "excavator: $(cat err)"
awk 'NR == 1 { exit !(($1 / (-800 / 98) - 1) ^ 2 < 1e-12) }' row || fail "modes of the excavator: $(cat row)"
