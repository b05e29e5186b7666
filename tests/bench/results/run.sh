#!/bin/sh
# run.sh empty | PART | merge: the bench without its timed experiments, once, for the tests that read $RESULTS. The
# parts, whose experiments take about the same time each, run side by side; put together they are what one call would
# have written.
. "$SOURCE_DIR/tests/bench/results/prelude.sh"
experiments >all
apart='confusion_.*|defects|lcp_random|transv18_.*'
part() {
    case $1 in
    cards) grep -x cards all ;;
    apart) grep -E -x "$apart" all ;;
    others) grep -E -v -x "cards|$apart" all ;;
    esac
}
case $1 in
empty)
    rm -rf "$RESULTS"
    mkdir -p "$RESULTS"
    for name in cards apart others; do
        part $name || true
    done | sort >parts
    [ -s all ] && sort all | cmp - parts || fail "the parts are not all experiments"
    ;;
merge)
    # shellcheck disable=SC2046
    "$STEPBENCH" bench $(cat all) --merge --out "$RESULTS/out" 2>err || fail "merging: $(cat err)"
    ;;
*)
    part "$1" >names || exit 0
    # shellcheck disable=SC2046
    "$STEPBENCH" bench $(cat names) --part --jobs 1 --out "$RESULTS/out" 2>err || fail "$1: $(cat err)"
    ;;
esac
