#!/bin/sh
# `stepbench import`: models in MJCF and URDF move as MuJoCo and closed forms say; what is left out is listed by line;
# files that are wrong or hostile are refused.
. "$SOURCE_DIR/tests/prelude.sh"
models=$SOURCE_DIR/tests/import

run() { # run FILE TIME COLUMNS: the last line of a run with an error below 1e-10
    "$STEPBENCH" run -p "mechanism:file=$1" -s radau_iia:stages=3,index=2s --h 1/500 --t-end "$2" --every 10000 \
        --columns "$3" --format csv 2>err | tail -n 1 >row
    [ -s row ] || fail "$1: $(cat err)"
}
near() { # near WHAT TOLERANCE NUMBER...: the numbers of the row
    what=$1 tolerance=$2
    shift 2
    echo "$*" | awk -v tolerance="$tolerance" 'NR == FNR { n = split($0, is, ","); next }
        { if (n != NF) exit 1; for (i = 1; i <= NF; i++) if ((is[i] - $i) ^ 2 > tolerance ^ 2) exit 1 }' row - ||
        fail "$what: $(cat row), and not $*"
}

# ---- MJCF. Centres of bodies by MuJoCo 3.3 with its method RK4 and steps of 1e-4 s, its contacts off. The file has
# seven to nine digits in its quaternions. ----
"$STEPBENCH" import "$models/quadruped.xml" --key stride -o quadruped.json 2>err || fail "quadruped: $(cat err)"
[ ! -s err ] || fail "quadruped: $(cat err)"
"$STEPBENCH" check mechanism:file=quadruped.json --points 3 >rows 2>err || fail "quadruped: $(cat rows err)"
run quadruped.json 0.1 q0,q1,q2,q14,q15,q16,q56,q57,q58
near quadruped 1e-9 0.13350403148183038 -0.0011416259398852407 0.5580739294477756 0.37183661390380846 \
    0.1460033294145149 0.23185469772436662 -0.15123560653602225 -0.14175056943743353 0.269752546071065
# Its joints are parallel: a mechanism in the plane.
"$STEPBENCH" import "$models/hopper.xml" --key jump -o hopper.json 2>err || fail "hopper: $(cat err)"
grep -q '"gravity": \[0, -9.81\]' hopper.json || fail "hopper is not in the plane: $(cat hopper.json)"
run hopper.json 0.2 q0,q1,q3,q4
near hopper 1e-9 0.15273532732064582 1.3914893882534778 0.09305207491174093 0.976110748981442
# A model that is written and read again has the same equations: rows of joints, loops, and the start.
for problem in heavy_top four_bar:N=2 bricard; do
    "$STEPBENCH" world "$problem" -o first.json
    "$STEPBENCH" world "$problem" --format mjcf -o again.xml
    "$STEPBENCH" import again.xml --key start -o again.json 2>err || fail "$problem: $(cat err)"
    for file in first again; do
        "$STEPBENCH" run -p mechanism:file=$file.json -s spook:eps=1e-10 --h 1/1000 --steps 40 --every 40 \
            --columns kinetic,potential,q0,q1 --format csv 2>err | tail -n 1
    done | awk -F, '{ for (i = 1; i <= 4; i++) x[NR, i] = $i }
        END { for (i = 1; i <= 4; i++) if ((x[1, i] - x[2, i]) ^ 2 > 1e-14 * (1 + x[1, i] ^ 2)) exit 1; exit NR != 2 }' ||
        fail "$problem: what is read again moves otherwise"
done

# What a file may say in several ways: the inertia of a body as geoms, as moments in a turned frame and as a tensor; axes
# by Euler angles, an axis and an angle, two axes, the z axis. A rod of mass 3 and length 2 about its end: J = 4.
for how in 'geom type="capsule" fromto="0 0 0 2 0 0" size="1e-5" mass="3"' \
    'geom type="cylinder" size="1e-5 1" pos="1 0 0" zaxis="1 0 0" mass="3"' \
    'geom type="box" size="1e-5 1 1e-5" pos="1 0 0" euler="0 0 90" mass="3"' \
    'geom type="ellipsoid" size="1e-5 1e-5 1.2909944487358056" pos="1 0 0" xyaxes="0 1 0 0 0 1" mass="3"' \
    'inertial mass="3" pos="1 0 0" diaginertia="1e-9 1 1" axisangle="1 0 0 30"' \
    'inertial mass="3" pos="1 0 0" fullinertia="1e-9 1 1 0 0 0"'; do
    cat >rod.xml <<X
<mujoco><compiler angle="degree"/><option gravity="0 0 -5"/><worldbody><body name="rod">
<joint name="pin" axis="0 1 0"/><$how/></body></worldbody></mujoco>
X
    "$STEPBENCH" import rod.xml -o rod.json 2>err || fail "$how: $(cat err)"
    run rod.json 0.01 v2
    # J phi'' = m g = 15 about an axis of 1 m, with an error of t^3
    awk '{ exit !((sqrt($1 * $1) - 15 * 0.01 / 4) ^ 2 < 1e-12) }' row || fail "$how: rate $(cat row)"
done
# Why a robot explodes with steps of 2 ms: the servo of the elbow, J = 0.0149, needs shorter ones; a run with 5 % less than
# the limit stays, with 5 % more it does not.
awk '/^<mujoco>/ { on = 1 } on { print } /^<\/mujoco>/ { exit }' "$SOURCE_DIR/docs/adding-a-problem.md" >arm.xml
"$STEPBENCH" import arm.xml -o arm.json 2>err || fail "arm: $(cat err)"
"$STEPBENCH" advise -p mechanism:file=arm.json -s reg --h 1/500 --columns safe,h_limit,part --format csv >run.csv 2>err ||
    fail "arm: $(cat err)"
tail -n 1 run.csv | grep -q '^no,0.0012.*,joints\[1\] fore-upper elbow$' || fail "arm: $(cat run.csv)"
limit=$(tail -n 1 run.csv | cut -d, -f2)
for share in 0.95 1.05; do
    h=$(awk -v limit="$limit" -v share="$share" 'BEGIN { print limit * share }')
    "$STEPBENCH" run -p mechanism:file=arm.json -s reg --h "$h" --steps 1000 --every 1000 --columns kinetic --format csv \
        2>err | tail -n 1 >row
    awk -v share="$share" '{ stays = $1 < 100; exit !(stays == (share < 1)) }' row || fail "arm: $share of the limit: $(cat row err)"
done
# With dry friction the limit is that of the servo without it, and a sentence says so.
sed 's/armature="0.002"/& frictionloss="0.1"/' arm.xml >dry.xml
"$STEPBENCH" import dry.xml -o dry.json 2>err || fail "dry: $(cat err)"
for h in 1/500 1/1000; do
    "$STEPBENCH" advise -p mechanism:file=dry.json -s reg --h $h --t-end 0.1 --columns safe,h_limit,part,advice --format csv 2>err | tail -n 1
done >rows
awk -v limit="$limit" -F, '{ good += ($2 / limit - 1) ^ 2 < 1e-4 && $1 == (NR == 1 ? "no" : "yes") && /elbow/ && (NR == 1 || /without contacts and dry/) }
    END { exit good != 2 }' rows || fail "dry friction: $limit, and $(cat rows err)"
# Classes of defaults: the nearest one decides; childclass holds for what is inside.
cat >classes.xml <<'X'
<mujoco><compiler angle="radian"/>
<default><joint damping="1" stiffness="2"/><default class="a"><joint damping="3"/><default class="b"><joint armature="5"/></default></default></default>
<worldbody><body name="p" childclass="a"><joint name="j1" axis="0 1 0"/><geom size="1"/>
<body name="q" pos="3 0 0"><joint name="j2" class="b" damping="7" axis="0 1 0"/><geom size="1"/></body></body>
<body name="r" pos="0 0 9"><joint name="j3" axis="0 1 0"/><geom size="1"/></body></worldbody></mujoco>
X
"$STEPBENCH" import classes.xml -o classes.json 2>err || fail "classes: $(cat err)"
has() { grep -q -- "$2" "$1" || fail "$1 has no $2: $(cat "$1")"; }
has classes.json '"name": "j1".*"stiffness": 2, .*"damping": 3}'
has classes.json '"name": "j2".*"stiffness": 2, .*"damping": 7, "armature": 5}'
has classes.json '"name": "j3".*"stiffness": 2, .*"damping": 1}'

# Frames move what is in them, and hand down a class; what they hold may be written without them.
cat >frames.xml <<'X'
<mujoco><default><default class="c"><joint damping="2"/></default></default><option><flag spring="disable"/></option><worldbody>
<frame pos="1 0 0" euler="0 0 90" childclass="c"><body name="a" pos="0 2 0" gravcomp="1"><frame euler="90 0 0" pos="0 0 1">
<joint name="j" axis="0 0 1" pos="0.5 0 0"/><geom type="capsule" fromto="0 0 0 0 0 2" size="0.1"/></frame></body></frame></worldbody></mujoco>
X
cat >flat.xml <<'X'
<mujoco><worldbody><body name="a" pos="-1 0 0" euler="0 0 90"><joint name="j" axis="0 -1 0" pos="0.5 0 1" damping="2"/>
<geom type="capsule" fromto="0 0 1 0 -2 1" size="0.1"/></body></worldbody></mujoco>
X
for file in frames flat; do
    "$STEPBENCH" import $file.xml -o $file.json 2>err || fail "$file: $(cat err)"
    [ $file = flat ] || { grep -q 'line 2, body: left out: gravcomp' err && grep -q 'flag: left out: spring="disable"' err; } || fail "$file: $(cat err)"
    run $file.json 0.2 j,a.x,a.y
    cat row
done >rows
awk -F, '{ for (i = 1; i <= 3; i++) x[NR, i] = $i }
    END { for (i = 1; i <= 3; i++) if ((x[1, i] - x[2, i]) ^ 2 > 1e-24) exit 1; exit !(NR == 2 && x[1, 1] ^ 2 > 1e-4) }' rows ||
    fail "frames: $(cat rows)"
# A slide between two bodies of 3 and 2 kg with an armature of 0.5 kg: its reduced mass is 3 2/5 + 0.5.
cat >slides.xml <<'X'
<mujoco><option gravity="0 0 0"/><worldbody><body name="a"><joint type="slide"/><geom size="0.1" mass="3"/><body name="b">
<joint name="s" type="slide" armature="0.5" stiffness="70" springref="0.1"/><geom size="0.1" mass="2"/></body></body></worldbody></mujoco>
X
"$STEPBENCH" import slides.xml -o slides.json 2>err || fail "slides: $(cat err)"
run slides.json 0.2 s,b.z
# shellcheck disable=SC2046
near slides 1e-10 $(awk 'BEGIN { y = 0.1 * (1 - cos(sqrt(70 / 1.7) * 0.2)); printf "%.15g %.15g", y, 0.6 * y }')

# Joints of one body that have no type together stand on bodies without mass: two slides at 60 degrees, whose coordinates
# have the mass 2 (1 1/2; 1/2 1) and the stiffnesses 6 and 6: det(6 - w 2 (..)) = 0 for w = 2 and 6, y = (1, 1), (1, -1).
cat >skew.xml <<'X'
<mujoco><option gravity="0 0 0"/><worldbody><body name="a"><joint name="s1" type="slide" axis="1 0 0" stiffness="6"/>
<joint name="s2" type="slide" axis="0.5 0.8660254037844386 0" stiffness="6"/><geom size="0.1" mass="2"/></body></worldbody>
<keyframe><key name="now" qpos="0.3 0.1"/></keyframe></mujoco>
X
"$STEPBENCH" import skew.xml --key now -o skew.json 2>err || fail "skew: $(cat err)"
run skew.json 0.5 s1,s2
# shellcheck disable=SC2046
near "two slides" 1e-9 $(awk 'BEGIN { a = 0.2 * cos(sqrt(2) * 0.5); b = 0.1 * cos(sqrt(6) * 0.5); printf "%.17g %.17g", a + b, a - b }')
# Two skew hinges at two points: with u = (0, 0.6, 0.8), u x (0.5, 0, 0) = (0, 0.4, -0.3), the inertia of the angles is
# (2 + 0.3, 2 0.4 + 0.3 0.8; ., 2 0.25 + 0.2 0.36 + 0.3 0.64), the torques 7 0.2 and -3 0.1; the error is that of t^4.
cat >skew.xml <<'X'
<mujoco><compiler angle="radian"/><option gravity="0 0 0"/><worldbody><body name="a">
<joint name="h1" axis="0 0 1" stiffness="7" springref="0.2"/><joint name="h2" pos="0.5 0 0" axis="0 0.6 0.8" stiffness="3" springref="-0.1"/>
<inertial pos="1 0 0" mass="2" diaginertia="0.1 0.2 0.3"/></body></worldbody>
<keyframe><key name="now" qpos="0 0" qvel="0 0"/></keyframe></mujoco>
X
"$STEPBENCH" import skew.xml --key now -o skew.json 2>err || fail "skew: $(cat err)"
"$STEPBENCH" check mechanism:file=skew.json --points 2 >out 2>err || fail "skew: $(cat out err)"
run skew.json 0.002 h1,h2
# shellcheck disable=SC2046
near "two hinges" 1e-10 $(awk 'BEGIN { a = 2.3; b = 1.04; c = 0.764; t = 0.002; d = t * t / 2 / (a * c - b * b)
    printf "%.17g %.17g", (1.4 * c + 0.3 * b) * d, (-0.3 * a - 1.4 * b) * d }')

# The rates of a key: a body that turns at 2/s about the y axis at (0.5, 0, 0), with its centre at (1, 0, 0).
cat >moving.xml <<'X'
<mujoco><worldbody><body name="a"><joint pos="0.5 0 0" axis="0 1 0"/><geom type="box" size="1 1 1" pos="1 0 0"/></body></worldbody>
<keyframe><key name="now" qpos="0" qvel="2"/></keyframe></mujoco>
X
"$STEPBENCH" import moving.xml --key now -o moving.json 2>err || fail "moving: $(cat err)"
has moving.json '"position": \[1, 0\], "angle": 0, "velocity": \[0, -1\], "rate": -2}'

# Limits: a slide that meets 0.2 at 1/s goes on by t exp(-t/T) against the spring with the time constant T = 0.1 and
# damping ratio 1; the same limits as a stiffness and a damping of the acceleration, 1/T^2 and 2/T.
for how in '0.1 1' '-100 -20'; do
    cat >limit.xml <<X
<mujoco><compiler angle="degree"/><option gravity="0 0 0"/><worldbody><body name="a"><joint name="rail" type="slide" axis="1 0 0"
range="-1 0.2" solreflimit="$how"/><geom size="0.1" mass="3"/></body>
<body name="b" pos="0 3 0"><joint name="hinge" axis="1 0 0" range="-90 45"/><geom type="box" size="1 1 1" pos="0 1 0" mass="2"/>
<body name="c" pos="0 2 0"><joint name="ball" type="ball" range="0 30"/><geom size="1" mass="1"/></body></body></worldbody>
<keyframe><key name="now" qpos="0.2000000001 0 1 0 0 0" qvel="1 0 0 0 0"/></keyframe></mujoco>
X
    "$STEPBENCH" import limit.xml --key now -o limit.json 2>err || fail "limits: $(cat err)"
    grep -q 'line 4, joint: left out: the range of ball, which is no hinge or slide' err || fail "limits: $(cat err)"
    run limit.json 0.2 rail,rail_rate
    # shellcheck disable=SC2046
    near limits 1e-8 $(awk 'BEGIN { printf "%.15g %.15g", 0.2 + 0.2 * exp(-2), (1 - 2) * exp(-2) }')
done
# The step is limited by the spring of the limit.
"$STEPBENCH" advise -p mechanism:file=limit.json -s reg --h 1/500 --t-end 0.01 --columns part --format csv >rows 2>err || fail "limits: $(cat err)"
tail -n 1 rows | grep -q '^joints\[0\] ground-a rail$' || fail "limits: $(cat rows)"
# About the hinge turn both bodies, J = 2 (2/3 + 1) + 0.4 + 4, with T = 0.02.
awk '/"name": "hinge"/ { match($0, /"limit_stiffness": [0-9.e+]*/); k = substr($0, RSTART + 19, RLENGTH - 19)
    match($0, /"limits": \[[^]]*/); split(substr($0, RSTART + 11, RLENGTH - 11), l, ", ")
    J = 2 * (2 / 3 + 1) + 0.4 + 4; pi = atan2(0, -1)
    good = (k * 0.0004 / J - 1) ^ 2 < 1e-20 && (l[1] + pi / 2) ^ 2 < 1e-20 && (l[2] - pi / 4) ^ 2 < 1e-20 }
    END { exit !good }' limit.json || fail "limits of a hinge: $(cat limit.json)"
# Actuators: a motor, a servo of gear 2 with the gains of a `general`, a servo for the rate. J = 2.
cat >motors.xml <<'X'
<mujoco><option gravity="0 0 0"/><worldbody>
<body name="a"><joint name="j1" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 2"/></body>
<body name="b" pos="3 0 0"><joint name="j2" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 2"/></body>
<body name="c" pos="6 0 0"><joint name="j3" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 2"/></body></worldbody>
<actuator><motor joint="j1" gear="3"/><general joint="j2" gear="2" gainprm="5" biastype="affine" biasprm="1 -7 -0.5"/>
<velocity joint="j3" kv="4" forcerange="-1 1"/>
<general joint="j3" gaintype="muscle"/><cylinder joint="j3"/></actuator>
<keyframe><key name="now" qpos="0 0 0" ctrl="2 3 0.5 0 0"/></keyframe></mujoco>
X
"$STEPBENCH" import motors.xml --key now -o motors.json 2>err || fail "motors: $(cat err)"
[ "$(grep -c 'line 7, .*: left out: it is no motor of a joint' err)" -eq 2 ] || fail "motors: $(cat err)"
grep -q 'line 6, velocity: left out: the forcerange of the actuator of j3' err || fail "motors: $(cat err)"
run motors.json 0.5 j1,j2,j3_rate
# j1'' = 3 2/2; 2 j2'' = 2 (5 3 + 1) - 4 7 j2 - 4 0.5 j2'; 2 j3'' = 4 (0.5 - j3').
# shellcheck disable=SC2046
near motors 1e-9 $(awk 'BEGIN { d = 0.5; w = sqrt(14 - d * d); t = 0.5; y = 32 / 28
    printf "%.15g %.15g %.15g", 3 * t * t / 2, y - y * exp(-d * t) * (cos(w * t) + d / w * sin(w * t)), 0.5 * (1 - exp(-2 * t)) }')

# Contacts with the floor: a ball slides at 3/s until it rolls at 5/7 of that; a box and a capsule that lie rest.
cat >floor.xml <<'X'
<mujoco><compiler angle="degree"/><default><geom density="500" friction="0.2 0.1 0.1"/></default><worldbody>
<geom name="floor" type="plane" size="9 9 1" friction="0.25"/><geom name="wall" type="box" size="1 1 1" pos="0 0 9"/>
<body name="ball" pos="0 0 0.1"><freejoint/><geom name="round" size="0.1"/></body>
<body name="crate" pos="0 5 0.2"><freejoint/><geom type="box" size="0.3 0.4 0.2"/></body>
<body name="log" pos="0 9 0.2"><freejoint/><geom type="capsule" size="0.2 0.5" euler="0 90 0"/></body>
<body name="ghost" pos="0 -5 0.2"><freejoint/><geom size="0.4" contype="0" conaffinity="0"/></body>
<body name="tilted" pos="0 -9 5"><freejoint/><geom type="box" size="0.3 0.4 0.2"/><geom type="box" size="0.2 0.2 0.2" pos="1 0 0" euler="0 30 0"/></body>
</worldbody>
<keyframe><key name="now" qpos="0 0 0.1 1 0 0 0  0 5 0.2 1 0 0 0  0 9 0.2 1 0 0 0  0 -5 0.2 1 0 0 0  0 -9 5 1 0 0 0"
qvel="3 0 0 0 0 0  0 0 0 0 0 0  0 0 0 0 0 0  0 0 0 0 0 0  0 0 0 0 0 0"/></keyframe></mujoco>
X
"$STEPBENCH" import floor.xml --key now -o floor.json 2>err || fail "floor: $(cat err)"
grep -q 'line 2, geom: left out: contacts of a shape of the ground that is no plane' err || fail "floor: $(cat err)"
grep -q 'line 7, geom: left out: contacts of a box that is turned against the principal axes' err || fail "floor: $(cat err)"
has floor.json '"shapes": \["floor", "round"\], "friction": 0.25}'
"$STEPBENCH" run -p mechanism:file=floor.json -s reg --h 1/500 --t-end 0.6 --every 300 \
    --columns ball.vx,ball.z,crate.z,log.z,ghost.vz --format csv 2>err | tail -n 1 >row || fail "floor: $(cat err)"
awk -F, '{ exit !(($1 - 15 / 7) ^ 2 < 1e-6 && ($2 - 0.1) ^ 2 < 1e-8 && ($3 - 0.2) ^ 2 < 1e-8 && ($4 - 0.2) ^ 2 < 1e-8 &&
    ($5 + 9.81 * 0.6) ^ 2 < 1e-12) }' row || fail "contacts with a floor: $(cat row err)"
# In the plane: a wheel on a slope of 30 degrees rolls at 2/3 g sin(30 degrees); a hinge keeps the model in the plane.
cat >slope.xml <<'X'
<mujoco><compiler angle="degree"/><worldbody><geom type="plane" size="9 9 1" euler="0 30 0"/>
<body name="wheel" pos="0.25 0 0.4330127018922193"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/>
<inertial pos="0 0 0" mass="2" diaginertia="0.25 0.25 0.25"/><geom size="0.5"/></body></worldbody>
<keyframe><key name="now" qpos="0 0 0" qvel="0 0 0"/></keyframe></mujoco>
X
"$STEPBENCH" import slope.xml --key now -o slope.json 2>err || fail "slope: $(cat err)"
"$STEPBENCH" run -p mechanism:file=slope.json -s reg --h 1/500 --t-end 0.5 --every 250 --columns wheel.vx,wheel.vy \
    --format csv 2>err | tail -n 1 >row || fail "slope: $(cat err)"
awk -F, '{ v = 2 / 3 * 9.81 / 2 * 0.5; exit !(($1 - v * cos(atan2(0, -1) / 6)) ^ 2 < 1e-8 && ($2 + v / 2) ^ 2 < 1e-8) }' row ||
    fail "a wheel on a slope: $(cat row err)"

# ---- URDF. ----
# A tensor in a turned frame, bodies fixed to each other, and a joint that mimics another one.
cat >arm.urdf <<'X'
<robot name="arm"><link name="world"/><link name="upper"><inertial><origin xyz="0 0 -1"/><mass value="2"/>
<inertia ixx="1" iyy="2" izz="2.5" ixy="0.3" ixz="0" iyz="0.1"/></inertial></link><link name="tool"><inertial><mass value="1"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="finger"><inertial><mass value="1"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hip" type="continuous"><parent link="world"/><child link="upper"/><axis xyz="1 0 0"/></joint>
<joint name="glue" type="fixed"><parent link="upper"/><child link="tool"/><origin xyz="0 0 -2" rpy="0.1 0.2 0.3"/></joint>
<joint name="slide" type="prismatic"><parent link="upper"/><child link="finger"/><axis xyz="0 0 1"/><mimic joint="hip" multiplier="0.5"/></joint>
</robot>
X
"$STEPBENCH" import arm.urdf -o arm.json 2>err || fail "arm: $(cat err)"
has arm.json '"upper": {"mass": 3,'
has arm.json '{"type": "gear", "joints": \["slide", "hip"\], "teeth": \[1, -0.5\]}'
# About the hip, with the finger's joint: 1 + 2 + 0.1 + 4, the centre at (2 + 2)/3 below.
"$STEPBENCH" check mechanism:file=arm.json --points 3 >rows 2>err || fail "arm: $(cat rows err)"

# URDF turns about fixed axes, x first, as MJCF does by eulerseq="XYZ"; a slide and a hinge of equal frames fall alike.
cat >turned.urdf <<'X'
<robot name="t"><link name="world"/><link name="a"><inertial><origin xyz="0.1 0.2 0.3" rpy="0.3 -0.4 0.7"/><mass value="2"/>
<inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="b"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="h" type="continuous"><parent link="world"/><child link="a"/><origin xyz="1 2 3" rpy="0.2 0.5 -0.1"/><axis xyz="1 2 0"/></joint>
<joint name="s" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="0 0 1" rpy="1 0.5 2"/><axis xyz="0 1 1"/></joint></robot>
X
cat >turned.xml <<'X'
<mujoco><compiler angle="radian" eulerseq="XYZ"/><worldbody><body name="a" pos="1 2 3" euler="0.2 0.5 -0.1"><joint name="h" axis="1 2 0"/>
<inertial pos="0.1 0.2 0.3" euler="0.3 -0.4 0.7" mass="2" diaginertia="1 2 2.5"/><body name="b" pos="0 0 1" euler="1 0.5 2">
<joint name="s" type="slide" axis="0 1 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></body></worldbody></mujoco>
X
for file in turned.urdf turned.xml; do
    "$STEPBENCH" import $file -o turned.json 2>err || fail "$file: $(cat err)"
    run turned.json 0.1 q0,q1,q2,q7,q8,q9
    cat row
done >rows
awk -F, '{ for (i = 1; i <= 6; i++) x[NR, i] = $i }
    END { for (i = 1; i <= 6; i++) if ((x[1, i] - x[2, i]) ^ 2 > 1e-20) exit 1; exit NR != 2 }' rows ||
    fail "URDF and MJCF of one model: $(cat rows)"

# ---- Files that are refused. ----
refused() { # refused MESSAGE, the file on standard input
    cat >wrong.xml
    status=0
    "$STEPBENCH" import wrong.xml -o wrong.json 2>err || status=$?
    [ $status -eq 2 ] || fail "status $status: $(cat wrong.xml err)"
    grep -q -- "$1" err || fail "no message $1: $(cat err)"
    [ ! -e wrong.json ] || fail "a file is written: $(cat wrong.xml)"
}
refused 'line 1: a document type is not read' <<'X'
<!DOCTYPE a [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><mujoco>&b;</mujoco>
X
awk 'BEGIN { print "<mujoco><worldbody>"; for (i = 0; i < 100000; i++) print "<body>" }' >deep
refused 'line 1000: more than 1000 elements are nested' <deep
refused 'line 2 is no XML' <<'X'
<mujoco>
<a></b></mujoco>
X
refused 'line 1, sdf: it is neither' <<'X'
<sdf/>
X
refused 'line 2, joint: type="rubber" is none of hinge, slide, ball, free' <<'X'
<mujoco><worldbody><body name="a"><geom size="1"/>
<joint type="rubber"/></body></worldbody></mujoco>
X
refused 'line 1, body: the body a moves and has no mass' <<'X'
<mujoco><worldbody><body name="a"><joint/></body></worldbody></mujoco>
X
refused 'line 1, geom: size="1 nan" is not what it needs' <<'X'
<mujoco><worldbody><body name="a"><joint/><geom type="capsule" size="1 nan"/></body></worldbody></mujoco>
X
refused 'line 3, joint: its child link c is no link' <<'X'
<robot>
<link name="a"/>
<joint name="j" type="fixed"><parent link="a"/><child link="c"/></joint></robot>
X
refused 'the joints of its links form a circle' <<'X'
<robot><link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint></robot>
X
refused 'wrong.xml: no body has a joint' <<'X'
<mujoco/>
X

# Many links, of which the last comes first in the file: parents come before their children. A name that stands twice.
chain() { # chain NAME: the last joint and link have this name
    awk -v last="$1" 'function link(i) { return i == 99 ? last : "l" i }
        BEGIN { print "<robot>"
        for (i = 99; i >= 0; i--) print "<link name=\"" link(i) "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>"
        for (i = 1; i < 100; i++) printf "<joint name=\"j%d\" type=\"revolute\"><parent link=\"l%d\"/><child link=\"%s\"/></joint>\n", i, i - 1, link(i)
        print "</robot>" }'
}
chain l99 >chain.urdf
"$STEPBENCH" import chain.urdf -o chain.json 2>err || fail "a chain: $(cat err)"
grep -o '^ *"l[0-9]*": {' chain.json | tr -dc '0-9\n' >order
[ "$(head -n 1 order)" = 1 ] && [ "$(wc -l <order)" -eq 99 ] && sort -n order | cmp -s - order || fail "a chain: its bodies are $(cat order)"
chain l7 >chain.urdf
! "$STEPBENCH" import chain.urdf >out 2>err && grep -q 'line 94, link: a link needs a name of its own' err ||
    fail "a name that stands twice: $(cat err)"
