# Rewrites SVG files of gnuplot's, one after another, in a fifth of their size: coordinates in tenths of a pixel relative
# to the previous ones, curves without the vertices that are within 0.15 pixels of the line without them, a path with
# markers for the marks of a kind, one path for the grid and the tics of an axis, one for the cells of a colour, a group
# for texts of the same style, no definitions that are not used.
BEGIN {
    RS = ">"
}

# A part without "<" ends within a text, which gnuplot writes with ">" as it is.
!/</ {
    text_before = text_before $0 "&gt;"
    next
}

{
    $0 = text_before $0
    text_before = ""
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

# Returns the command that goes from one vertex to another, in tenths; `last` is the command before it.
function step(dx, dy, last,    command) {
    command = dy == 0 ? "h" : dx == 0 ? "v" : "l"
    if (command == "l") {
        return (last == "l" ? "" : "l") number(dx, last == "l" ? " " : "") number(dy, " ")
    }
    return command number(command == "h" ? dx : dy, "")
}

# Marks the vertices from `first` to `last` that are kept (Douglas and Peucker): between two of them none is farther than
# 1.5 tenths from their line.
function simplify(first, last,    depth, a, b, i, dx, dy, length2, s, far, farthest, at) {
    split("", keep)
    keep[first] = keep[last] = 1
    begin_of[depth = 1] = first
    end_of[1] = last
    while (depth > 0) {
        a = begin_of[depth]
        b = end_of[depth--]
        dx = X[b] - X[a]
        dy = Y[b] - Y[a]
        length2 = dx * dx + dy * dy
        farthest = 1.5 * 1.5
        at = 0
        for (i = a + 1; i < b; i++) {
            s = length2 > 0 ? ((X[i] - X[a]) * dx + (Y[i] - Y[a]) * dy) / length2 : 0
            s = s < 0 ? 0 : s > 1 ? 1 : s
            far = (X[i] - X[a] - s * dx) ^ 2 + (Y[i] - Y[a] - s * dy) ^ 2
            if (far > farthest) {
                farthest = far
                at = i
            }
        }
        if (at > 0) {
            keep[at] = 1
            begin_of[++depth] = a
            end_of[depth] = at
            begin_of[++depth] = at
            end_of[depth] = b
        }
    }
}

# Returns the vertices 1 to `count` as path data; relative to the vertex at_x, at_y if the path `continues`.
function polyline(count, continues,    i, text, last) {
    simplify(1, count)
    text = !continues ? "M" number(X[1], "") number(Y[1], " ") : "m" number(X[1] - at_x, "") number(Y[1] - at_y, " ")
    at_x = X[1]
    at_y = Y[1]
    for (i = 2; i <= count; i++) {
        if (i in keep && (X[i] != at_x || Y[i] != at_y || count == 2)) {
            text = text step(X[i] - at_x, Y[i] - at_y, last)
            last = X[i] == at_x || Y[i] == at_y ? "" : "l"
            at_x = X[i]
            at_y = Y[i]
        }
    }
    return text
}

# Returns the path data of "M1.00,2.00 L3.00,4.00 Z" or "1.00,2.00 3.00,4.00", in a path that may continue another. Moves
# that draw nothing are left out.
function path(text, continues,    word, at, words, i, count, all) {
    words = split(text, word, /[ \t\n]+/)
    for (i = 1; i <= words; i++) {
        if (word[i] ~ /^M/) {
            all = all (count > 1 ? polyline(count, continues || all != "") : "")
            count = 0
        }
        if (word[i] ~ /[0-9]/) {
            split(substr(word[i], word[i] ~ /^[ML]/ ? 2 : 1), at, ",")
            X[++count] = tenths(at[1])
            Y[count] = tenths(at[2])
        } else if (word[i] != "") {
            all = all polyline(count, continues || all != "") "z"
            at_x = X[1]
            at_y = Y[1]
            count = 0
        }
    }
    return all (count > 1 ? polyline(count, continues || all != "") : "")
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
        close_elements()
        body = body begin
        begun = begin
    }
    body = body item
    ending = end
}

# Ends the last element, or writes the cells, the lines and the texts that wait.
function close_elements(    i) {
    body = body ending
    for (i = 1; i <= styles; i++) {
        body = body "<path" style[i] " d='" lines[style[i]] "'/>\n"
    }
    body = body (labels == "" ? "" : labels "</g>\n")
    begun = ending = labels = label_class = ""
    styles = 0
    split("", lines)
}

# Adds a text; successive ones of the same class become a group.
function add_label(class, text) {
    if (class != label_class) {
        labels = labels (labels == "" ? "" : "</g>\n") "<g class='" class "'>\n"
        label_class = class
    }
    labels = labels text "</text>\n"
}

# Adds horizontal and vertical lines, as those of an axis, or a cell of a map, which overlaps no other; those of the same
# style become one path.
function add_lines(look, vertices,    closing) {
    if (begun != "") {
        close_elements()
    }
    if (!(look in lines)) {
        style[++styles] = look
        lines[look] = ""
    }
    at_x = end_x[look]
    at_y = end_y[look]
    lines[look] = lines[look] path(vertices, lines[look] != "") closing
    end_x[look] = closing == "" ? at_x : X[1]
    end_y[look] = closing == "" ? at_y : Y[1]
}

# Adds a mark, as a vertex of a path that draws nothing but its markers.
function add_mark(id, colour, scale, x, y,    name, begin, item) {
    name = id "-" substr(colour, 2)
    if (!(name in marker)) {
        marker[name] = 1
        markers = markers "<marker id='" name "' overflow='visible' color='" colour "'><use xlink:href='#" id \
            "'/></marker>\n"
    }
    begin = "<path stroke-width='" scale "' style='marker:url(#" name ")' d='"
    if (begin != begun) {
        item = "M" number(x, "") number(y, " ") "h0"
        mark_last = ""
    } else if (x != at_x || y != at_y) {
        item = step(x - at_x, y - at_y, mark_last)
        mark_last = x == at_x || y == at_y ? "" : "l"
    }
    add(begin, item, "'/>\n")
    at_x = x
    at_y = y
}

# Returns the class of a text, named by its style.
function text_class(    size, colour, anchor, name) {
    size = value("font-size") + 0
    colour = value("fill")
    anchor = value("text-anchor")
    name = substr(anchor, 1, 1) size (colour == "#222222" ? "" : "-" colour)
    gsub(/[.#]/, "", name)
    if (!(name in class)) {
        class[name] = 1
        classes = classes "." name "{fill:" colour ";font-size:" size "px;text-anchor:" anchor "}\n"
    }
    return name
}

# Writes a file that has ended, and begins the next.
function finish(    i, kept) {
    close_elements()
    kept = markers (classes == "" ? "" : "<style>\n" classes "</style>\n")
    for (i = names; i > 0; i--) { # a definition rests on earlier ones
        if (index(body, "#" name[i] ")") || index(kept, "#" name[i] "'")) {
            kept = definition[i] kept
        }
    }
    printf "%s%s\n</defs>\n%s</g>\n</svg>\n", head, kept, body
    head = body = markers = classes = width = crisp = place = span = ""
    names = 0
    split("", definition)
    split("", marker)
    split("", class)
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
/<path / {
    look = attribute("stroke") attribute("stroke-dasharray") width
    begin = "<path" look " d='"
    data = path(value("d"), begin == begun)
    if (data ~ /^[-Mmhv0-9. ]+$/) {
        add_lines(look, value("d"))
    } else if (data != "") {
        add(begin, data, "'/>\n")
    }
    next
}
/<polygon / {
    look = crisp attribute("fill") attribute("fill-opacity")
    begin = "<path" look " d='"
    data = path(value("points"), begin == begun)
    if (crisp != "" && data ~ /^[Mm][-0-9. ]+(h[-0-9.]+v|v[-0-9.]+h)[-0-9.]+[hv][-0-9.]+$/) {
        add_lines(look, value("points"), "z")
    } else {
        add(begin, data "z", "'/>\n")
        at_x = X[1]
        at_y = Y[1]
    }
    next
}
/<use / {
    split(value("transform"), at, /[(), ]+/)
    add_mark(substr(value("xlink:href"), 2), value("color"), at[5], tenths(at[2]), tenths(at[3]))
    next
}
/<g id="gnuplot_canvas"/ {
    add("<g fill='none' font-family='Helvetica,Arial,sans-serif' stroke-linecap='butt' stroke-linejoin='miter'>\n", "", "")
    next
}
/<g / { # a style for the elements in it, or the place of a text
    if (value("stroke-width") != "") {
        width = value("stroke-width") + 0 == 1 ? "" : attribute("stroke-width")
    }
    crisp = attribute("shape-rendering")
    place = value("transform")
    if (split(place, at, /[(), ]+/) > 4) {
        place = " transform='" place "'"
    } else {
        place = " x='" number(tenths(at[2]), "") "' y='" number(tenths(at[3]), "") "'"
    }
    look = value("font-size") == "" ? "" : text_class()
    place = "<text" place attribute("style")
    next
}
/<text/ {
    label = place attribute("xml:space") ">"
    said = ""
    next
}
/<tspan/ {
    span = attribute("font-size") attribute("dy")
    next
}
/<\/tspan$/ {
    said = said content
    if (span != "" && content ~ /^ | $/ && label !~ /xml:space/) { # beside an index or an exponent
        sub(/<text/, "<text xml:space='preserve'", label)
    }
    label = label (content == "" || span == "" ? content : "<tspan" span ">" content "</tspan>")
    next
}
/<\/text$/ {
    if (said content ~ /[^ \t\n]/) {
        if (begun != "") {
            close_elements()
        }
        add_label(look, label content)
    }
    next
}
/<\/svg$/ {
    finish()
}
/<\/(g|svg)$/ {
    next
}
/<image / {
    sub(/<image /, "<image style='image-rendering:pixelated' ", tag)
}
tag ~ /[^ \t\n]/ {
    gsub(/[ \t\n]+/, " ", tag)
    add("", tag ">\n", "")
}
