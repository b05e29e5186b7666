#!/bin/sh
# The installed tree serves: its binary runs, finds its data, and a project outside builds a plug-in and a program
# against it.
. "$SOURCE_DIR/tests/prelude.sh"

cmake --install "$BUILD_DIR" --prefix "$SCRATCH/tree" >install.log
stepbench=$SCRATCH/tree/bin/stepbench
"$stepbench" --version >version || fail "the installed binary does not run"

# Its own data, not the source tree's: a claim that stands only there is listed.
printf 'mine,here,test,a claim of the installed tree,1,\n' >>"$SCRATCH/tree/share/stepbench/claims.csv"
"$stepbench" list claims --names | grep -qx mine || fail "the installed binary does not read its own data"

# The manual page is the binary's own, the completion is where bash looks for it.
"$stepbench" man >stepbench.1
gzip -dc tree/share/man/man1/stepbench.1.gz | cmp -s - stepbench.1 || fail "the manual page is missing or another version's"
cmp -s "$SOURCE_DIR/tools/stepbench.bash" tree/share/bash-completion/completions/stepbench ||
    fail "no completion for bash"
cmp -s "$SOURCE_DIR/tools/stepbench.zsh" tree/share/zsh/site-functions/_stepbench || fail "no completion for zsh"

flags=""
[ "$SB_SANITIZE" = ON ] && flags="-fsanitize=address,undefined"
# Under a name that stays free when heun is added to the tree, as the documentation shows.
sed 's/(heun)/(brought_heun)/; s/"heun"/"brought_heun"/' "$SOURCE_DIR/tests/plugin/heun.c" >"$SCRATCH/heun.c"
cmake -S "$SOURCE_DIR/tests/install/consumer" -B build -DHEUN="$SCRATCH/heun.c" \
    -DCMAKE_PREFIX_PATH="$SCRATCH/tree" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER="$CC" -DCMAKE_EXE_LINKER_FLAGS="$flags" >consumer.log 2>&1 ||
        fail "configuring the consumer: $(cat consumer.log)"
cmake --build build >>consumer.log 2>&1 || fail "building the consumer: $(cat consumer.log)"
"$stepbench" --plugin build/heun.so list steppers --names | grep -qx brought_heun ||
    fail "the installed binary does not load the plug-in"
# 2 x + y = 5, x + 3 y = 10
[ "$(build/program)" = "done: 1 3" ] || fail "the consumer's program says $(build/program)"

# README.md's way to a stepper of one's own, with the installed program; the plug-in that CMake made does what it was
# begun from does.
awk '/^## / { inside = $0 == "## Your own stepper"; next } inside && /^```/ { code++ } inside && code == 1 && !/^```/' \
    "$SOURCE_DIR/README.md" |
    sed 's/\bmine\b/brought_mine/g; s|build/stepbench|stepbench|g' >commands # a name that stays free
# The baselines take most of a card's time: generic/readme.sh has the default ones.
sed -i '/^stepbench card /s/ -o / --against euler_explicit -o /' commands
grep -q '^stepbench card .* --against' commands || fail "README.md has no card: $(cat commands)"
[ "$(wc -l <commands)" -eq 5 ] || fail "README.md's commands: $(cat commands)"
env PATH="$SCRATCH/tree/bin:$PATH" CC="$CC" sh -eu ./commands >said 2>&1 || fail "README.md's commands: $(cat said)"
"$stepbench" --plugin brought_mine/build/brought_mine.so run -p kepler -s brought_mine --h 1/50 --steps 9 --format csv |
    grep -v '^#' >mine.csv
"$stepbench" run -p kepler -s verlet --h 1/50 --steps 9 --format csv | grep -v '^#' | cmp -s - mine.csv ||
    fail "mine, begun from verlet, is another method"

# The Python package beside it, with the installed library and data.
if python3 -c 'import numpy' 2>/dev/null && [ "$SB_SANITIZE" != ON ]; then
    cd "$SCRATCH/tree/share/stepbench/python"
    python3 -c 'import stepbench; b = stepbench.Bench()
print("mine" in b.list("claims")["id"], b.run("oscillator", "verlet", h=0.1, steps=2).t.size)' \
        >"$SCRATCH/python.log" 2>&1 || true
    cd "$SCRATCH"
    [ "$(cat python.log)" = "True 3" ] || fail "the installed Python package: $(cat python.log)"
fi

# pkg-config finds the headers, also after the tree has moved.
mv tree moved
PKG_CONFIG_PATH=$(dirname "$(find "$SCRATCH/moved" -name stepbench.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
"$CC" -std=gnu11 -O3 -ffp-contract=off -shared -fPIC -DSB_PLUGIN $(pkg-config --cflags stepbench) \
    brought_mine/brought_mine.c -o by_hand.so || fail "no plug-in with pkg-config's flags"
moved/bin/stepbench --plugin by_hand.so run -p kepler -s brought_mine --h 1/50 --steps 9 --format csv | grep -v '^#' |
    cmp -s - mine.csv || fail "by hand, mine is another method"
if [ "$SB_SANITIZE" != ON ]; then
    # shellcheck disable=SC2046
    "$CC" -std=gnu11 -Wl,-u,sb_solver_umfpack "$SOURCE_DIR/tests/install/consumer/program.c" $(pkg-config --cflags \
        --libs stepbench) -o by_hand || fail "no program with pkg-config's flags"
    [ "$(./by_hand)" = "done: 1 3" ] || fail "the program built with pkg-config's flags says $(./by_hand)"
fi
echo "the installed tree serves"
