#!/bin/sh
# Shapes and contacts of JSON mechanisms: every pair of shapes passes `check`, bodies that touch move as their closed
# forms say, with steppers that take contacts, and every mistake gets a sentence with line and key.
. "$SOURCE_DIR/tests/prelude.sh"
shipped=$SOURCE_DIR/problems/mechanisms

# last FILE STEPPER H T COLUMNS: the last row of a run, in words.
last() {
    "$STEPBENCH" run -p "mechanism:file=$1" -s "$2" --h "$3" --t-end "$4" --columns "$5" >rows 2>err ||
        fail "$2 on $1: $(cat err)"
    tail -1 rows | tr , ' '
}
# near WHAT TOLERANCE "FOUND..." EXPECTED...: numbers that agree.
near() {
    what=$1 tolerance=$2 found=$3
    shift 3
    echo "$found" "$@" | awk -v tolerance="$tolerance" '{
        for (i = 1; i <= NF / 2; i++) if (!(($i - $(i + NF / 2)) ^ 2 <= tolerance ^ 2)) exit 1
    }' || fail "$what: $found and not $* to $tolerance"
}
calc() { awk "BEGIN { pi = atan2(0, -1); printf \"%.15g\", $1 }"; }
# converges ORDER FILE STEPPER T COLUMN EXPECTED: halving h divides the error by 2^ORDER.
converges() {
    set -- "$@" "$(last "$2" "$3" 1/200 "$4" "$5") $(last "$2" "$3" 1/400 "$4" "$5") $(last "$2" "$3" 1/800 "$4" "$5")"
    echo "$7 $6 $1" | awk '{ a = ($1 - $4) / ($2 - $4); b = ($2 - $4) / ($3 - $4); p = 2 ^ $5
        exit !(a > 0.9 * p && a < 1.1 * p && b > 0.9 * p && b < 1.1 * p) }' || fail "order $1 of $3 on $2: $7 for $6"
}

# ---- Every pair of shapes, on bodies that turn: gaps, their gradients, patterns. ----
cat >plane.json <<'J'
{"gravity": [0.3, -9.81],
 "bodies": {"a": {"mass": 2, "inertia": 0.3, "position": [0.4, 0.1], "angle": 0.3, "rate": 2},
            "b": {"mass": 1, "inertia": 0.2, "position": [1.2, 0.9], "angle": 1, "velocity": [1, 2]}},
 "shapes": {"floor": {"type": "plane", "body": "ground", "point": [0, -2], "normal": [0.1, 1]},
            "tray": {"type": "plane", "body": "a", "point": [0, 0.1], "normal": [0.3, 1]},
            "crate": {"type": "box", "body": "a", "size": [0.3, 0.2], "point": [0.1, 0]},
            "head": {"type": "sphere", "body": "a", "radius": 0.1, "point": [0.1, 0.05]},
            "ball": {"type": "sphere", "body": "b", "radius": 0.1, "point": [0.1, 0.2]},
            "pin": {"type": "sphere", "body": "ground", "radius": 0, "point": [3, 2]},
            "rod": {"type": "capsule", "body": "b", "radius": 0.05, "points": [[0, 0.1], [0.2, 0]]},
            "block": {"type": "box", "body": "b", "size": [0.3, 0.2]}},
 "contacts": [{"shapes": ["floor", "crate"], "friction": 0.2}, {"shapes": ["tray", "block"], "friction": 0.3},
              {"shapes": ["rod", "tray"], "restitution": 1}, {"shapes": ["crate", "ball"], "friction": 0.1},
              {"shapes": ["crate", "block"]}, {"shapes": ["crate", "rod"]}, {"shapes": ["pin", "ball"], "friction": 1},
              {"shapes": ["ball", "head"], "friction": 0.1}, {"shapes": ["ball", "floor"], "friction": 0.1}]}
J
sed 's/"inertia": \(0..\), "position": \[\([^]]*\)\], "angle": [0-9.]*/"inertia": [0.1, \1, 0.2], "position": [\2, 0.2], "quaternion": [1, 0.2, 0.1, 0.3]/
     s/"rate": 2/"rate": [1, 2, 3]/; s/"\(gravity\|point\|normal\|velocity\)": \[\([^]]*\)\]/"\1": [\2, 0.1]/g
     s/"size": \[\([^]]*\)\]/"size": [\1, 0.4]/g; s/\[\[0, 0.1\], \[0.2, 0\]\]/[[0, 0.1, 0.1], [0.2, 0, 0]]/' plane.json >space.json
for file in plane space; do
    "$STEPBENCH" check --all "mechanism:file=$file.json" >rows 2>err || fail "check of $file: $(cat rows err)"
    "$STEPBENCH" world "mechanism:file=$file.json" -o world.json && "$STEPBENCH" world mechanism:file=world.json -o again.json
    for world in world again; do
        sed -n '/"shapes": {/,$p' $world.json >$world.shapes
    done
    [ -s world.shapes ] && diff world.shapes again.shapes || fail "the world of $file"
done

# ---- A sphere on a floor slides against friction in Coulomb's cone, also between the tangents, and then rolls: it has
# 5/7 of its velocity. routh05 (the rule of 5/7 is that of the angular momentum about the line of contact). ----
g=9.81
for stepper in reg spook:eps=0; do
    near "slides, $stepper" 1e-10 "$(last "$shipped/sphere_slides.json" $stepper 1/100 0.2 v0,v1)" \
        "$(calc "3 - 0.2 * 0.6 * 0.25 * $g")" "$(calc "4 - 0.2 * 0.8 * 0.25 * $g")"
    converges 2 "$shipped/sphere_slides.json" $stepper 0.8 v0 "$(calc 15/7)"
done
# In the plane M is constant, and a disk of m r^2/2 keeps 2/3 exactly.
sed 's/"gravity": \[0/"gravity": [0/; s/"position": .*$/"position": [0, 0.1], "velocity": [3, 0], "rate": 0}/
     s/\[3, 4\]/[0, 1]/' "$shipped/disk_incline.json" >disk.json
for stepper in reg moreau vts; do
    near "2/3, $stepper" 1e-9 "$(last disk.json $stepper 1/100 0.8 v0,v2)" 2 -20
done

# ---- On a slope of tan a = 3/4 a sphere rolls with 5/7 g sin a if mu >= 2/7 tan a, else it slides with
# g (sin a - mu cos a) and turns with 5/2 mu g cos a/r; a disk has 2/3 and 1/3. ----
converges 2 "$shipped/sphere_incline.json" reg 1 v0 "$(calc "5 / 7 * $g * 0.6 * 0.8")"
for mu in 0.216 0.212; do
    sed "s/0.25/$mu/" "$shipped/sphere_incline.json" >slope.json
    set -- $(last slope.json reg 1/400 0.5 v0,v2)
    slides=$(calc "0.5 * $g * (0.6 - $mu * 0.8)") rolls=$(calc "0.5 * $g * 0.6 * 5 / 7")
    expected=$(calc "($slides > $rolls ? $slides : $rolls)")
    near "at mu = $mu" 0.004 "$1 $2" "$(calc "0.8 * $expected")" "$(calc "-0.6 * $expected")"
done
for stepper in reg moreau vts; do
    for mu in 0.2501 0.2499; do # beside tan a/3
        sed "s/0.3}/$mu}/" "$shipped/disk_incline.json" >slope.json
        slides=$(calc "$g * (0.6 - $mu * 0.8)")
        along=$(calc "($mu > 0.25 ? 2 / 3 * $g * 0.6 : $slides)") turn=$(calc "($mu > 0.25 ? -10 * $along : -20 * $mu * $g * 0.8)")
        near "a disk at mu = $mu, $stepper" 1e-9 "$(last slope.json $stepper 1/100 1 v0,v1,v2)" \
            "$(calc "0.8 * $along")" "$(calc "-0.6 * $along")" "$turn"
    done
done

# ---- A box on four corners rests on a slope for mu >= tan a, and slides with g (sin a - mu cos a) below. ----
for mu in 0.7501 0.7499; do
    sed "s/0.5}/$mu}/" "$shipped/box_incline.json" >slope.json
    along=$(calc "($mu > 0.75 ? 0 : $g * (0.6 - $mu * 0.8))")
    near "a box at mu = $mu" 1e-9 "$(last slope.json reg 1/100 1 v0,v1,v2,v3,v4,v5,v6)" \
        "$(calc "0.8 * $along")" 0 "$(calc "-0.6 * $along")" 0 0 0 0
done

# ---- A box tips over its corner where tan a > w/h; it then turns about it: I w^2/2 is what its centre falls. ----
for width in 0.751 0.749; do
    sed "s/\[0.5, 1\]/[$width, 1]/" "$shipped/box_tips.json" >tips.json
    last tips.json reg 1/100 1 v2 | awk -v holds=$width '{ exit !(holds > 0.75 ? $1 ^ 2 < 1e-18 : $1 < -1e-3) }' ||
        fail "a box of width $width: $(cat rows)"
done
turned() { # turned H: the error of the rate at its angle
    last "$shipped/box_tips.json" reg "$1" 0.5 q2,v2 | awk "{ y = -0.25 * sin(\$1) + 0.5 * cos(\$1)
        print \$2 + sqrt(2 * 12 * $g * (0.55 - y) / 5) }"
}
echo "$(turned 1/200) $(turned 1/400)" | awk '{ exit !($1 / $2 > 1.8 && $1 / $2 < 2.2) }' || fail "a box that tips"

# ---- Restitution: the height of bounce k is e^(2 k) that of the fall, 1 m here, to the distance of a step. ----
"$STEPBENCH" run -p "mechanism:file=$shipped/sphere_bounces.json" -s reg --h 1/1000 --t-end 1.1 --columns q2,v0 >rows
awk -F, 'NF == 2 && $1 ~ /^[0-9]/ { if (up && $1 < z) { print z - 0.1, v; up = 0 } if ($1 > z) up = 1; z = $1; v = $2 }' rows >tops
near "restitution" 0.01 "$(awk '{ printf "%s ", $1 }' tops)" 1 0.25 0.0625
near "without friction" 1e-15 "$(awk 'NR == 3 { print $2 }' tops)" 0.5

# ---- A trough between two slopes with tan a = 3/4 has its walls at b = atan(4/3) to the middle: the sphere rolls about
# the line through both contacts, r sin b away, with g_x/(1 + 2/(5 sin^2 b)). ----
converges 2 "$shipped/sphere_trough.json" reg 1 v1 "$(calc "0.6 * $g / (1 + 2 / (5 * 0.64))")"

# ---- Two spheres, hit off the centre: normal impulse (1 + e) m u_n with 1/m = 1/m_1 + 1/m_2; the tangential one is mu
# times it while they slide, else it ends the slip: u_t/(1/m + r^2/J_1 + r^2/J_2). ----
for mu in 0.1 1; do
    sed "s/\"friction\": 0.1/\"friction\": $mu/" "$shipped/two_spheres.json" >hit.json
    normal=$(calc "1.8 * 1.6 * 2 / 3") stick=$(calc "1.2 / 5.25")
    tangent=$(calc "($mu * $normal < $stick ? $mu * $normal : $stick)")
    x=$(calc "0.8 * $normal + 0.6 * $tangent") y=$(calc "0.6 * $normal - 0.8 * $tangent")
    # both turn with r tangent/J = 2 e3' about z
    near "an impact at mu = $mu" 1e-12 "$(last hit.json reg 1/1000 0.001 v0,v1,v2,v7,v8,v9)" \
        "$(calc "-$x / 2")" "$(calc "-$y / 2")" 0 "$(calc "-2 + $x")" "$y" 0
    near "turning at mu = $mu" 1e-5 "$(last hit.json reg 1/1000 0.001 v6,v13)" \
        "$(calc "0.1 * $tangent / 0.016")" "$(calc "0.1 * $tangent / 0.008")"
done

# The same after a flight of 0.15 s, in which the normal turns by 22 degrees; steps end 0.2 mm beside the contact at most.
sed 's/\[0.16, 0.12, 0\]/[0.46, 0.12, 0]/' "$shipped/two_spheres.json" >hit.json
normal=$(calc "1.8 * 1.6 * 2 / 3")
near "an impact after a flight" 0.003 "$(last hit.json reg 1/10000 0.151 v7,v8,v9)" \
    "$(calc "-2 + 0.8 * $normal + 0.06 * $normal")" "$(calc "0.6 * $normal - 0.08 * $normal")" 0

# ---- A column of beads, the heaviest on top, rests: each contact carries what is above. ----
near "beads" 1e-9 "$(last "$shipped/beads.json" reg 1/100 1 lambda3,lambda4,lambda5,q2,q9,q16,v16)" \
    "$(calc "103 * $g")" "$(calc "102 * $g")" "$(calc "100 * $g")" 0.1 0.3 0.5 0

# ---- Faces that move: a rod that falls on a free box keeps momentum and angular momentum with it. ----
cat >free.json <<'J'
{"bodies": {"box": {"mass": 3, "inertia": 0.4, "position": [0, 0], "angle": 0.2, "velocity": [0.3, 0], "rate": 0.5},
            "rod": {"mass": 1, "inertia": 0.1, "position": [0.1, 0.7], "angle": 0.9, "velocity": [0, -2], "rate": 1}},
 "shapes": {"box": {"type": "box", "body": "box", "size": [1, 0.5]},
            "rod": {"type": "capsule", "body": "rod", "points": [[-0.4, 0], [0.4, 0]], "radius": 0.05}},
 "contacts": [{"shapes": ["box", "rod"], "friction": 0.4, "restitution": 0.5}]}
J
conserved() { awk '{ print 3 * $5 + $8, 3 * $6 + $9, 3 * ($1 * $6 - $2 * $5) + 0.4 * $7 + $3 * $9 - $4 * $8 + 0.1 * $10 }'; }
before=$(echo "0 0 0.1 0.7 0.3 0 0.5 0 -2 1" | conserved)
after=$(last free.json reg 1/2000 0.3 q0,q1,q3,q4,v0,v1,v2,v3,v4,v5 | conserved)
last free.json reg 1/2000 0.3 v5 | awk '{ exit !(($1 - 1) ^ 2 > 0.01) }' || fail "the rod does not meet the box"
near "momenta of a rod on a box" 0.002 "$after" $before # angular momentum: h v x the impulse

# ---- The same mechanism by another code: problems in C are their worlds, to round-off. ----
for problem in bouncing_ball newtons_cradle:spacing=0.01 painleve_rod:omega0=0.5 stack:n=3,mass_ratio=100 block_incline; do
    "$STEPBENCH" world $problem -o world.json
    for name in $problem mechanism:file=world.json; do
        "$STEPBENCH" run -p "$name" -s reg --h 1/200 --t-end 0.6 --every 120 --columns energy,kinetic >rows 2>err || fail "$name: $(cat err)"
        tail -1 rows | tr , ' '
    done >both
    near "$problem and its world" 1e-9 "$(awk 'NR == 1 { print $2 }' both)" "$(awk 'NR == 2 { print $2 }' both)"
done

# ---- Mistakes. ----
wrong() { # wrong SENTENCE SED-COMMAND: of a changed file
    sed "$2" "$shipped/sphere_slides.json" >wrong.json
    status=0
    "$STEPBENCH" show mechanism:file=wrong.json >out 2>err || status=$?
    [ $status -eq 2 ] && grep -q "$1" err || fail "$2: $status $(cat err)"
}
wrong 'line 10, contacts\[0\].friction: -1 is too small; take a number from 0 on' 's/"friction": 0.25/"friction": -1/'
wrong 'contacts\[0\].restitution: 2 is not between 0 and 1' 's/"friction": 0.25/"restitution": 2/'
wrong 'contacts\[0\].shapes\[1\]: there is no shape egg under "shapes"' 's/"floor", "ball"/"floor", "egg"/'
wrong 'contacts\[0\].shapes: the shapes of two different bodies are needed' 's/"floor", "ball"/"ball", "ball"/'
wrong 'shapes.floor.type: cone is no shape: plane, sphere, box, capsule' 's/"plane"/"cone"/'
wrong 'shapes.floor.normal: a normal of length 0 has no direction' 's/"normal": \[0, 0, 1\]/"normal": [0, 0, 0]/'
wrong 'shapes.ball.radius: -0.1 is too small' 's/"radius": 0.1/"radius": -0.1/'
wrong 'shapes.ball.size\[2\]: 0 is too small' 's/"sphere", "body": "ball", "radius": 0.1/"box", "body": "ball", "size": [1, 1, 0]/'
wrong 'there is no contact of these shapes' 's/"plane", "body": "ground", "normal": \[0, 0, 1\]/"capsule", "body": "ground", "points": [[0, 0, 0], [1, 0, 0]]/'
wrong 'penetrates gap 0: xi = -0.05' 's/\[0, 0, 0.1\]/[0, 0, 0.05]/'

# ---- Dry friction in joints and contacts together. A box at 3/s slides v^2/(2 mu g) = 1.5 m; a wheel of J = 0.5 at 3/s
# against the torque 1 turns by 2.25; a cart of 4 kg at 2/s against 8 N moves by 1 m. The methods are of order 1, and an
# error of a step h v in the time of rest moves the place by at most that. ----
cat >plane.json <<'J'
{"gravity": [0, -10], "time_scale": 0.1,
 "bodies": {"box": {"mass": 2, "inertia": 1, "position": [0, 0.1], "velocity": [3, 0], "rate": 0},
            "wheel": {"mass": 1, "inertia": 0.5, "position": [0, 5], "rate": 3},
            "cart": {"mass": 4, "inertia": 1, "position": [0, 9], "velocity": [2, 0]}},
 "joints": [{"name": "hinge", "type": "revolute", "bodies": ["ground", "wheel"], "points": [[0, 5], [0, 0]], "friction": 1},
            {"name": "rail", "type": "prismatic", "bodies": ["ground", "cart"], "points": [[0, 9], [0, 0]], "axes": [[1, 0], [1, 0]], "friction": 8}],
 "shapes": {"floor": {"type": "plane", "body": "ground", "normal": [0, 1]}, "block": {"type": "box", "body": "box", "size": [0.4, 0.2]}},
 "contacts": [{"shapes": ["floor", "block"], "friction": 0.3}]}
J
sed 's/"inertia": 1, "position": \[0, 0.1\], "velocity": \[3, 0\], "rate": 0/"inertia": [1, 1, 1], "position": [0, 0, 0.1], "velocity": [3, 0, 0], "rate": [0, 0, 0]/
    s/"inertia": 0.5, "position": \[0, 5\], "rate": 3/"inertia": [0.5, 1, 1], "position": [0, 5, 0], "rate": [3, 0, 0]/
    s/"inertia": 1, "position": \[0, 9\], "velocity": \[2, 0\]/"inertia": [1, 1, 1], "position": [0, 9, 0], "velocity": [2, 0, 0]/
    s/"gravity": \[0, -10\]/"gravity": [0, 0, -10]/; s/\[\[0, 5\], \[0, 0\]\]/[[0, 5, 0], [0, 0, 0]], "axes": [[1, 0, 0], [1, 0, 0]]/
    s/\[\[0, 9\], \[0, 0\]\]/[[0, 9, 0], [0, 0, 0]]/; s/\[\[1, 0\], \[1, 0\]\]/[[1, 0, 0], [1, 0, 0]]/
    s/"normal": \[0, 1\]/"normal": [0, 0, 1]/; s/\[0.4, 0.2\]/[0.4, 0.4, 0.2]/' plane.json >space.json
for file in plane space; do
    "$STEPBENCH" check mechanism:file=$file.json >rows 2>err || fail "friction in joints and contacts, $file: $(cat rows err)"
    "$STEPBENCH" run -p mechanism:file=$file.json -s reg --h 1/1000 --t-end 2 --every 2000 --format csv \
        --columns box.x,box.vx,hinge,hinge_rate,rail,rail_rate 2>err | tail -n 1 >row
    awk -F, '{ exit !(($1 - 1.5) ^ 2 < 9e-6 && ($3 - 2.25) ^ 2 < 9e-6 && ($5 - 1) ^ 2 < 4e-6 &&
        $2 ^ 2 + $4 ^ 2 + $6 ^ 2 < 1e-12) }' row || fail "friction in joints and contacts, $file: $(cat row err)"
done

# ---- A ball that slides, of 10 cm and of 1e-7 m and 2 ug: the advice does not depend on units. ----
for L in 1 1e-6; do
    awk -v L=$L 'BEGIN { printf "{\"gravity\": [0, 0, %.17g], \"time_scale\": 0.1, \"bodies\": {\"ball\": {\"mass\": %.17g, ", -9.81 * L, m = L < 1 ? 2e-9 : 2
        printf "\"inertia\": [%.17g, %.17g, %.17g], \"position\": [0, 0, %.17g], \"velocity\": [%.17g, %.17g, 0], \"rate\": [0, 0, 0]}},\n", J = 0.004 * m * L * L, J, J, 0.1 * L, 3 * L, 4 * L
        printf "\"shapes\": {\"floor\": {\"type\": \"plane\", \"body\": \"ground\", \"normal\": [0, 0, 1]}, "
        printf "\"ball\": {\"type\": \"sphere\", \"body\": \"ball\", \"radius\": %.17g}}, \"contacts\": [{\"shapes\": [\"floor\", \"ball\"], \"friction\": 0.25}]}\n", 0.1 * L }' >small.json
    "$STEPBENCH" advise -p mechanism:file=small.json -s reg --h 1e-4 --t-end 0.005 --columns h_limit --format csv 2>err | tail -n 1
done | awk '{ h[NR] = $1 } END { exit !(NR == 2 && h[1] > 0 && (h[1] / h[2] - 1) ^ 2 < 1e-12) }' || fail "a small ball: $(cat err)"
# A crate at rest on a slope has no mode but round-off and the compliance of the stepper.
for s in reg spook; do
    "$STEPBENCH" advise -p mechanism:file="$SOURCE_DIR/problems/mechanisms/box_incline.json" -s $s --h 1/100 --columns h_limit,omega,advice \
        --format csv 2>err | tail -n 1
done | grep -c '^inf,0,"keep h: nothing oscillates or decays without contacts and dry friction, so that accuracy decides' | grep -qx 2 ||
    fail "advice on a crate: $(cat err)"
