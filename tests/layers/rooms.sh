#!/bin/sh
# The includes between the folders of the sources form no circle, and none enters a private header of another folder.
# The interface, include/, is below all of them.
. "$SOURCE_DIR/tests/prelude.sh"

# graph: reads lines FILE:#include "HEADER" and prints "FOLDER OTHER FILE HEADER" where the header is in another folder.
# A header stands in the folder of the file, in the sources or in include/; those that are built are in none.
graph() {
    awk -F: -v root="$SOURCE_DIR/" '
        function folder(path) { sub("/[^/]*$", "", path); return path }
        function exists(path, line) {
            if (!(path in known)) {
                known[path] = (getline line <(root path)) >= 0
                close(root path)
            }
            return known[path]
        }
        {
            header = $2
            gsub(/^[^"<]*["<]|[">].*$/, "", header)
            beside = folder($1) "/" header
            public = "include/" header
            path = exists(beside) ? beside : exists(header) ? header : exists(public) ? public : ""
            if (path != "" && folder(path) != folder($1)) print folder($1), folder(path), $1, path
        }'
}

# circle: reads "FOLDER OTHER FILE HEADER" and prints the inclusions that stand on a circle. Removes again and again the
# folders that include no other one, and those that no other one includes: what is left are circles and the ways between
# them.
circle() {
    awk '
        { from[NR] = $1; to[NR] = $2; line[NR] = $3 " includes " $4; left[NR] = 1 }
        END {
            do {
                split("", includes); split("", included)
                for (i = 1; i <= NR; i++) if (left[i]) { includes[from[i]] = 1; included[to[i]] = 1 }
                removed = 0
                for (i = 1; i <= NR; i++)
                    if (left[i] && !(includes[to[i]] && included[from[i]])) { left[i] = 0; removed++ }
            } while (removed > 0)
            for (i = 1; i <= NR; i++) if (left[i]) print line[i]
        }'
}

# private: reads the same and prints the private headers that are entered from outside: internal.h, and what is in the
# layers integrators/ and problems/ beside register.h and shared/.
private() {
    awk '
        function layer(path) { sub("/.*", "", path); return path }
        $4 ~ /\/internal\.h$/ { print $3 " includes " $4 }
        layer($1) != layer($2) && $4 ~ /^(integrators|problems)\// && $4 !~ /\/(register\.h|shared\/[^\/]*)$/ {
            print $3 " includes " $4
        }'
}

# The judges themselves: a circle of two and of three folders, a way without one, a private header.
[ "$(printf '%s\n' 'a b a/x.c b/y.h' 'b a b/y.c a/x.h' 'c a c/z.c a/x.h' 'b d b/y.c d/w.h' | circle | wc -l)" -eq 2 ] ||
    fail "a circle of two folders is not seen"
[ "$(printf '%s\n' 'a b a/x.c b/y.h' 'b c b/y.c c/z.h' 'c a c/z.c a/x.h' | circle | wc -l)" -eq 3 ] ||
    fail "a circle of three folders is not seen"
[ -z "$(printf '%s\n' 'a b a/x.c b/y.h' 'b c b/y.c c/z.h' 'a c a/x.c c/z.h' | circle)" ] ||
    fail "a circle is seen where there is none"
[ "$(printf '%s\n' 'a core/lcp a/x.c core/lcp/internal.h' 'bench problems/forms bench/x.c problems/forms/y.h' \
    'bench problems/shared bench/x.c problems/shared/y.h' | private | wc -l)" -eq 2 ] ||
    fail "a private header entered from outside is not seen"

cd "$SOURCE_DIR" || exit 1
find analysis bench core integrators problems precision -name '*.[ch]' -o -name '*.cpp' -o -name '*.def' |
    xargs grep -H '^ *# *include' | graph >"$SCRATCH/inclusions"
[ "$(wc -l <"$SCRATCH/inclusions")" -gt 500 ] || fail "only $(wc -l <"$SCRATCH/inclusions") inclusions are seen"
found=$(circle <"$SCRATCH/inclusions")
[ -z "$found" ] || fail "folders that include each other: $found"
found=$(private <"$SCRATCH/inclusions")
[ -z "$found" ] || fail "private headers of other folders: $found"
