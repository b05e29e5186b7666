#!/bin/sh
# `stepbench world --format mjcf`: what it cannot write, and, where `npm install` has been called in engines/, that MuJoCo
# moves the bodies of its files as those of the adapter, which hangs them on each other by itself.
. "$SOURCE_DIR/tests/prelude.sh"
for problem in pendulum slider_crank thread; do
    "$STEPBENCH" world $problem --format mjcf >out 2>err && fail "$problem is written"
    grep -q 'MJCF is written of worlds whose parts are revolute and spherical joints' err || fail "$problem: $(cat err)"
done
command -v node >/dev/null && [ -d "$SOURCE_DIR/engines/node_modules/@mujoco/mujoco" ] || { echo "MuJoCo is missing"; exit 77; }

# Both do the same operations but for the coordinates of the ends of the joints, which differ by round-off: 20 steps of
# some 1e-16 of positions of the order of 1 m, which the short motion multiplies by less than 100.
for problem in rod_chain heavy_top rigid_body star four_bar:omega0=2 bricard; do
    "$STEPBENCH" world $problem --format mjcf -o model.xml
    "$STEPBENCH" world $problem -o world.json
    largest=$(node "$SOURCE_DIR/tests/engines/mjcf.mjs" model.xml world.json) || fail "MuJoCo does not read $problem"
    awk -v x="$largest" 'BEGIN { exit !(x < 1e-12) }' || fail "$problem: bodies are $largest m apart"
done
