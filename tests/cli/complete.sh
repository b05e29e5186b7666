#!/bin/sh
# The manual page and the shell's completion name what is registered: everything of it, plug-ins too, and nothing else.
. "$SOURCE_DIR/tests/prelude.sh"

offers() { # offers "CANDIDATE..." WORD...: exactly these, in this order
    expected=$1
    shift
    found=$("$STEPBENCH" complete -- "$@" | tr '\n' ' ')
    [ "$found" = "$expected${expected:+ }" ] || fail "stepbench $* [TAB]: \"$found\" instead of \"$expected\""
}
names() { "$STEPBENCH" list "$1" --names | tr '\n' ' ' | sed 's/ $//'; }

# Names.
offers "run" ru
offers "help" hel
offers "recurrence" recu
offers "$(names steppers)" order -s ''
offers "$(names problems)" drift -p kepler -p ''
offers "$(names formulations)" run -w ''
offers "$(names experiments)" bench ''
offers "$("$STEPBENCH" list --names | tr '\n' ' ' | sed 's/ $//')" show ''
offers "problems" list pro
offers "spherical_pendulum splitting spook" check sp
offers "stepper" new st
offers "pendulum" new problem mine --from pend
offers "newmark" new stepper mine --out-of-tree --from newm
# Parameters and options.
offers "pendulum:m= pendulum:l= pendulum:g= pendulum:theta0= pendulum:omega0= pendulum:constraint=" run -p pendulum:
offers "pendulum:m=2,theta0=" run -p pendulum:m=2,th
offers "pendulum:m=2,constraint=norm pendulum:m=2,constraint=square" run -p pendulum:m=2,constraint=
offers "thread:masses=[1,50],end_mass=" run -p 'thread:masses=[1,50],end'
offers "--t-end" run --t-
offers "-p" run -p kepler -s verlet -p
offers "-s" order -s
offers "-p" list -p
offers "csv" order --format c
offers "" order --h ''
offers "" nonsense ''
offers "" run -p nonsense:
# A plug-in on the line is loaded.
"$CC" -std=c11 -D_DEFAULT_SOURCE -DSB_PLUGIN -I"$SOURCE_DIR/include" -shared -fPIC "$SOURCE_DIR/tests/plugin/heun.c" \
    -o new.so
offers "heun" --plugin new.so order -s heu
offers "" order --plugin ./new.so -s heun:
offers "recurrence" --plugin=./new.so recu

# In bash: what stands behind the last ':' or '=' is what is replaced.
if command -v bash >/dev/null 2>&1; then
    cat >ask.bash <<'END'
. "$SOURCE_DIR/tools/stepbench.bash"
ask() { COMP_LINE=$1 COMP_POINT=${#1}; _stepbench; echo "${COMPREPLY[@]}"; }
ask "$STEPBENCH ru"
ask "$STEPBENCH run -p pend"
ask "$STEPBENCH run -p pendulum:constraint=s"
ask "$STEPBENCH run -p pendulum:th"
ask "$STEPBENCH new "
END
    bash ask.bash >answers || fail "bash: $(cat answers)"
    printf '%s\n' run pendulum square theta0= 'stepper problem formulation analysis experiment' | cmp -s - answers ||
        fail "bash is offered $(cat answers)"
fi

# In zsh: the words of the line are given to the function, and what it adds is printed.
if command -v zsh >/dev/null 2>&1; then
    cat >ask.zsh <<'END'
compadd() { shift 4; print -- ${(P)1} }
_files() { print files }
ask() { words=("$STEPBENCH" "$@") CURRENT=$((1 + $#)); . "$SOURCE_DIR/tools/stepbench.zsh" }
ask run -p pend
ask new ''
ask order --h ''
END
    zsh -f ask.zsh >answers || fail "zsh: $(cat answers)"
    printf '%s\n' pendulum 'stepper problem formulation analysis experiment' files | cmp -s - answers ||
        fail "zsh is offered $(cat answers)"
fi

# The page: every name, every option; troff has no complaint.
"$STEPBENCH" man >stepbench.1
for name in $("$STEPBENCH" list --names); do
    grep -qxE "\.(B|SS) $name" stepbench.1 || fail "the manual lacks $name"
done
for option in t-end every out-of-tree resume levels; do
    grep -qx "\.B $(echo "--$option" | sed 's/-/\\\\-/g')" stepbench.1 || fail "the manual lacks --$option"
done
grep -A 9 '^.SH "EXIT STATUS"' stepbench.1 | grep -q '^bad usage' || fail "the manual lacks the exit status"
if command -v groff >/dev/null 2>&1; then
    groff -man -Tutf8 -ww -z stepbench.1 2>complaints
    [ ! -s complaints ] || fail "groff: $(head -5 complaints)"
    groff -man -Tascii -P-cbou stepbench.1 >page
    grep -q 'stepbench - a benchmark of numerical integrators for mechanical systems' page ||
        fail "the page: $(head -20 page)"
fi
echo "manual and completion know what there is"
