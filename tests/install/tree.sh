#!/bin/sh
# The installed tree serves: its binary runs, finds its data, and a project outside builds a plug-in and a program against it.
set -eu
rm -rf "$SCRATCH"
mkdir -p "$SCRATCH"
cd "$SCRATCH"

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

cmake --install "$BUILD_DIR" --prefix "$SCRATCH/tree" >install.log
stepbench=$SCRATCH/tree/bin/stepbench
"$stepbench" --version >version || fail "the installed binary does not run"

# Its own data, not the source tree's: a claim that stands only there is listed.
printf 'mine,here,test,a claim of the installed tree,1\n' >>"$SCRATCH/tree/share/stepbench/claims.csv"
"$stepbench" list claims --names | grep -qx mine || fail "the installed binary does not read its own data"

flags=""
[ "$SB_SANITIZE" = ON ] && flags="-fsanitize=address,undefined"
# Under a name that stays free when heun is added to the tree, as the documentation shows.
sed 's/(heun)/(brought_heun)/; s/"heun"/"brought_heun"/' "$SOURCE_DIR/tests/plugin/heun.c" >"$SCRATCH/heun.c"
cmake -S "$SOURCE_DIR/tests/install/consumer" -B build -DHEUN="$SCRATCH/heun.c" -DCMAKE_PREFIX_PATH="$SCRATCH/tree" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER="$CC" -DCMAKE_EXE_LINKER_FLAGS="$flags" >consumer.log 2>&1 || fail "configuring the consumer: $(cat consumer.log)"
cmake --build build >>consumer.log 2>&1 || fail "building the consumer: $(cat consumer.log)"
"$stepbench" --plugin build/heun.so list steppers --names | grep -qx brought_heun || fail "the installed binary does not load the plug-in"
# 2 x + y = 5, x + 3 y = 10
[ "$(build/program)" = "done: 1 3" ] || fail "the consumer's program says $(build/program)"

# pkg-config finds the headers, also after the tree has moved.
mv tree moved
includes=$(PKG_CONFIG_PATH=$(dirname "$(find "$SCRATCH/moved" -name stepbench.pc)") pkg-config --cflags-only-I stepbench)
for flag in $includes; do
    folder=${flag#-I}
    [ -f "$folder/stepbench/stepbench.h" ] && found=yes
done
[ "${found:-no}" = yes ] || fail "pkg-config leads to no headers: $includes"
echo "the installed tree serves"
