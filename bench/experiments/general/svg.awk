# Rewrites SVG files of gnuplot's, one after another, in a third of their size: coordinates in tenths of a pixel relative to the previous
# ones, no vertices within
# 0.4 pixels of the previous one, no groups for single elements, no definitions that are not used.
BEGIN {
    RS = ">"
}

function tenths(x) {
    return int(10 * x + (x < 0 ? -0.5 : 0.5))
}

# Returns k tenths as a decimal number, after a space where the sign does not separate it from what stands before.
function number(k, space,    text) {
    text = sprintf("%.1f", k / 10)
    sub(/\.0$/, "", text)
    sub(/^0\./, ".", text)
    sub(/^-0\./, "-.", text)
    return (k < 0 ? "" : space) text
}

# Returns the path data of "M1.00,2.00 L3.00,4.00 Z" or "1.00,2.00 3.00,4.00".
function path(text,    word, at, count, i, x, y, x0, y0, dx, dy, out, last, command) {
    count = split(text, word, /[ \t\n]+/)
    for (i = 1; i <= count; i++) {
        if (word[i] !~ /[0-9]/) {
            out = out tolower(word[i])
            if (word[i] != "") {
                last = "z"
                x = x0
                y = y0
            }
            continue
        }
        split(substr(word[i], word[i] ~ /^[ML]/ ? 2 : 1), at, ",")
        dx = tenths(at[1]) - x
        dy = tenths(at[2]) - y
        command = out == "" ? "M" : word[i] ~ /^M/ ? "m" : dy == 0 ? "h" : dx == 0 ? "v" : "l"
        if (command == "M" || command == "m" || word[i + 1] !~ /^[L0-9]/ || dx * dx + dy * dy >= 16) {
            out = out (command == last && command == "l" ? "" : command) \
                (command == "v" ? "" : number(dx, command == last && command == "l" ? " " : "")) \
                  (command == "h" ? "" : number(dy, command == "v" ? "" : " "))
            last = command
            x += dx
            y += dy
            if (command ~ /[Mm]/) {
                x0 = x
                y0 = y
            }
        }
    }
    return out
}

# Returns the value of an attribute of `tag`, "" if it has none; colours in hexadecimal.
function value(name,    text, c) {
    if (!match(tag, "[ \t\n]" name " *= *[\"'][^\"']*")) {
        return ""
    }
    text = substr(tag, RSTART, RLENGTH)
    sub(/^[^"']*["']/, "", text)
    if (text ~ /^rgb\(/) {
        split(substr(text, 5), c, ",")
        return sprintf("#%02x%02x%02x", c[1], c[2], c[3])
    }
    return text
}

function attribute(name,    text) {
    text = value(name)
    return text == "" ? "" : " " name "='" text "'"
}

# Adds an element; with the same `begin` as the one before, its `item` goes into that.
function add(begin, item, end) {
    if (begin == "" || begin != begun) {
        body = body ending begin
        begun = begin
    }
    body = body item
    ending = end
}

# Writes a file that has ended, and begins the next.
function finish(    i, kept) {
    body = body ending
    for (i = names; i > 0; i--) { # a definition rests on earlier ones
        if (index(body, "#" name[i] "'") || index(body, "#" name[i] ")") || index(kept, "#" name[i] "'")) {
            kept = definition[i] kept
        }
    }
    printf "%s%s\n</defs>\n%s</g>\n</svg>\n", head, kept, body
    head = body = begun = ending = width = crisp = place = span = ""
    names = 0
    delete definition
}

{
    start = index($0, "<")
    content = substr($0, 1, start - 1)
    tag = substr($0, start)
}

# Definitions are kept by name, in order; what comes before them is the head of the file.
/<defs$/ {
    head = body tag ">\n"
    body = ""
    defining = 1
    next
}
/<\/defs$/ {
    defining = 0
    next
}
defining {
    if (value("id") != "") {
        name[++names] = value("id")
    }
    definition[names] = definition[names] $0 ">"
    next
}

/<\/?(title|desc)$/ { # of the file, and gnuplot's names of plots
    next
}
/<(path|polygon) / {
    closed = tag ~ /<polygon/
    add("<path" (closed ? crisp attribute("fill") attribute("fill-opacity") : \
        attribute("stroke") attribute("stroke-dasharray") width) " d='",
        path(value(closed ? "points" : "d")) (closed ? "z" : ""), "'/>\n")
    next
}
/<use / {
    split(value("transform"), at, /[(), ]+/)
    add("<g" attribute("color") " transform='scale(" at[5] ")'>",
        sprintf("<use xlink:href='%s' x='%.2f' y='%.2f'/>", value("xlink:href"), at[2] / at[5], at[3] / at[5]),
        "</g>\n")
    next
}
/<g / && head != "" { # a style for the elements in it, or the place of a text
    width = value("stroke-width") + 0 == 1 ? "" : attribute("stroke-width")
    crisp = attribute("shape-rendering")
    place = value("transform")
    place = (split(place, at, /[(), ]+/) > 4 ? " transform='" place "'" : " x='" at[2] "' y='" at[3] "'") \
        attribute("fill") attribute("font-size") attribute("text-anchor") attribute("style")
    next
}
/<\/svg$/ {
    finish()
}
/<\/(g|svg)$/ {
    next
}
/<g id="gnuplot_canvas"/ {
    tag = "<g fill='none' font-family='Helvetica,Arial,sans-serif' stroke-linecap='butt' stroke-linejoin='miter'"
}
/<text/ {
    tag = "<text" place attribute("xml:space")
}
/<\/text$/ {
    tag = content tag
}
/<tspan/ {
    span = attribute("font-size") attribute("dy")
    next
}
/<\/tspan$/ {
    add("", content == "" || span == "" ? content : "<tspan" span ">" content "</tspan>", "")
    next
}
/<image / {
    sub(/<image /, "<image style='image-rendering:pixelated' ", tag)
}
tag ~ /[^ \t\n]/ {
    gsub(/[ \t\n]+/, " ", tag)
    add("", tag ">" (tag ~ /^<text/ ? "" : "\n"), "")
}

