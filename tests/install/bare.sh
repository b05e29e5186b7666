# shellcheck shell=sh
# A bare system: a directory with some programs and the libraries that they load, and nothing of this system.

# Copies files of this system to the same places in $bare, with the libraries that they load.
into_bare() {
    { printf '%s\n' "$@" && ldd "$@" 2>/dev/null | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^[[:blank:]]\(\/[^ ]*\) .*/\1/p'; } |
        sort -u | xargs cp -L --parents -t "$bare"
}

# Runs a command with the right to change the root directory.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else unshare -r "$@"; fi
}

# Runs a command in $bare with an empty environment.
in_bare() { as_root chroot "$bare" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/tmp "$@"; }

# Makes $bare, with a shell and `env`. Returns false where nobody may change the root directory.
make_bare() {
    bare=$PWD/bare-system
    mkdir -p "$bare/tmp"
    into_bare /bin/sh /usr/bin/env
    in_bare sh -c : 2>bare.log
}
