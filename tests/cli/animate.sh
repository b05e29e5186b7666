#!/bin/sh
# `animate`: the frames are the states of `run`, joints meet and bars keep their lengths, in the plane and in space; a
# page, a GIF and an MP4; what has no picture is refused.
. "$SOURCE_DIR/tests/prelude.sh"
command -v python3 >/dev/null || exit 77
command -v gnuplot >/dev/null || exit 77

# Every second step of 1/100 s is a frame of 1/50 s, at half the speed 25 of them in a second.
"$STEPBENCH" animate -p pendulum -s shake -s rattle --h 1/100 --t-end 1 --speed 1/2 -o pendulum.html 2>err ||
    fail "pendulum: $(cat err)"
"$STEPBENCH" run -p pendulum -s shake --h 1/100 --t-end 1 --every 2 --columns q0,q1 --format csv | grep -v '^[#q]' >rows
cp "$SOURCE_DIR/problems/mechanisms/four_bar.json" "$SOURCE_DIR/problems/mechanisms/bricard.json" .
cat >plates.json <<'END'
{"gravity": [0, -9.81],
 "bodies": {"one": {"mass": 1, "inertia": 0.1, "position": [0.3, -0.2]}, "two": {"mass": 1, "inertia": 0.1, "position": [0.9, 0]}},
 "joints": [{"type": "revolute", "bodies": ["ground", "one"], "points": [[0, 0], [-0.3, 0.2]]},
            {"type": "revolute", "bodies": ["one", "two"], "points": [[0.3, 0.2], [-0.3, 0]]}],
 "springs": [{"bodies": ["ground", "two"], "points": [[2, 0], [0, 0.1]], "stiffness": 5, "length": 1}]}
END
for name in four_bar plates bricard; do
    stepper=shake
    [ $name != bricard ] || stepper=spook # the loop has a redundant row
    "$STEPBENCH" animate -p "mechanism:file=$name.json" -s $stepper --h 1/200 \
        --t-end 1/2 -o $name.html 2>err || fail "$name: $(cat err)"
done
cp "$SOURCE_DIR/problems/mechanisms/box_tips.json" "$SOURCE_DIR/problems/mechanisms/sphere_trough.json" .
for name in box_tips sphere_trough; do # shapes
    "$STEPBENCH" animate -p "mechanism:file=$name.json" -s reg --h 1/100 --t-end 1/10 -o $name.html 2>err || fail "$name: $(cat err)"
done
"$STEPBENCH" animate -p mechanism -w penalty -s verlet --h 1/1000 --t-end 1/10 -o rod.html 2>err ||
    fail "the mechanism without a file: $(cat err)"
"$STEPBENCH" list problems --format csv >problems.csv
# Built-in mechanisms, whose pictures are made from angles, centres and attitudes: their loops are closed as well.
while read -r name arguments; do
    # shellcheck disable=SC2086 # words of a command
    "$STEPBENCH" animate -p $name $arguments -o "own_${name%%:*}.html" 2>err || fail "$name: $(cat err)"
    grep -q "^${name%%:*},.*,yes$" problems.csv || fail "list problems does not say that $name has a picture"
    "$STEPBENCH" show "${name%%:*}" | grep -q '^picture ' || fail "show $name does not say that there is a picture"
done <<'END'
andrews -s spook --h 1e-5 --t-end 0.01 --speed 1/100
slider_crank_sundials -s radau_iia --h 1/100 --t-end 1/2
flexible_slider_crank:E=2e11 -s radau_iia --h 1e-4 --t-end 0.02 --speed 1/50
slider_crank_3d:offset=1/4 -s spook --h 1/1000 --t-end 1/2
bricard -s spook --h 1/200 --t-end 1/2
rolling_disk -s spook --h 1/200 --t-end 1
shaken_pendulum -s shake --h 1/1000 --t-end 1/2
car_axis -s spook --h 1/1000 --t-end 1/2
fput:m=2 -s verlet --h 1/200 --t-end 1
END
cat >facts.py <<'END'
import json, math

def film(name):
    text = open(name + ".html").read()
    return json.loads(text.split("const film = ", 1)[1].split(";\n", 1)[0])

def place(frame, k, d):
    return frame[d * k : d * k + d]

pendulum = film("pendulum")
assert (pendulum["dimension"], len(pendulum["panels"]), pendulum["delay"]) == (2, 2, 0.04), pendulum["delay"]
rows = [[float(x) for x in line.split(",")] for line in open("rows")]
assert len(rows) == len(pendulum["panels"][0]) == 51
for row, frame in zip(rows, pendulum["panels"][0]):  # the pivot, then the bob; five digits are written
    assert frame[:2] == [0, 0] and all(abs(x - y) <= 1e-5 * max(1, abs(x)) for x, y in zip(row, frame[2:])), frame

for name, joints in (("four_bar", 4), ("plates", 2), ("bricard", 6)):
    f = film(name)
    d, frames, bodies = f["dimension"], f["panels"][0], len(json.load(open(name + ".json"))["bodies"])
    first, moved = frames[0], frames[-1]
    springs = sum(spring for _, _, spring in f["lines"])
    assert d == (3 if name == "bricard" else 2) and springs == (name == "plates"), name
    assert len(first) == d * (bodies + 2 * joints + 2 * springs), name
    assert math.dist(first, moved) > 0.1, name + " does not move"
    for frame in frames:
        # SHAKE closes the joints to its tolerance, SPOOK to its compliance. Five digits of less than 2 m are off by
        # 5e-5 at most, and a difference of two lengths by 4 sqrt(2) times that.
        for k in range(joints):
            a, b = bodies + 2 * k, bodies + 2 * k + 1
            assert math.dist(place(frame, a, d), place(frame, b, d)) < (1e-2 if d == 3 else 3e-4), (name, k)
        for a, b in ((a, b) for a, b, spring in f["lines"] if not spring):
            lengths = [math.dist(place(x, a, d), place(x, b, d)) for x in (first, frame)]
            assert abs(lengths[0] - lengths[1]) < (1e-3 if d == 3 else 3e-4), (name, a, b)

for frame in film("box_tips")["panels"][0]:  # the centre, the slope 3 x + 4 y = 0, the corners
    corners = [place(frame, k, 2) for k in range(3, 7)]
    assert all(abs(3 * x + 4 * y) < 5e-4 for x, y in (place(frame, 1, 2), place(frame, 2, 2))) and len(frame) == 14, frame
    for a, b, length in ((0, 1, 0.5), (2, 3, 0.5), (0, 2, 1), (1, 3, 1)):
        assert abs(math.dist(corners[a], corners[b]) - length) < 3e-4, corners
    assert abs(min(0.6 * x + 0.8 * y for x, y in corners)) < 3e-4, corners
for frame in film("sphere_trough")["panels"][0]:  # the centre, two squares, three great circles
    assert all(abs(math.dist(frame[:3], place(frame, k, 3)) - 0.1) < 3e-4 for k in range(9, 81)) and len(frame) == 243, frame

def meets(name, pairs, tolerance):
    """Whether the distances of pairs of points are these lengths in every frame."""
    f = film("own_" + name)
    d, frames = f["dimension"], f["panels"][0]
    assert len(frames) > 10 and math.dist(frames[0], frames[-1]) > 0.001, name + " does not move"
    for frame in frames:
        for a, b, length in pairs:
            assert abs(math.dist(place(frame, a, d), place(frame, b, d)) - length) < tolerance, (name, a, b, frame)

# Five digits of less than 0.1 m, or of 2 m; SPOOK closes joints to its compliance. A rod that bends is shorter than that
# of its middle line by less than a thousandth.
meets("andrews", [(5, 7, 0), (5, 9, 0), (5, 11, 0)], 2e-4)
meets("slider_crank_sundials", [(1, 2, 1)], 3e-4)
meets("flexible_slider_crank", [(1, 3, 0.3)], 3e-4)
meets("slider_crank_3d", [(1, 2, 2)], 1e-2)
meets("bricard", [(k, k + 1, 0) for k in range(0, 12, 2)], 1e-2)
meets("shaken_pendulum", [(0, 1, 1)], 3e-4)
pivots = [place(frame, 1, 2) for frame in film("own_shaken_pendulum")["panels"][0]]  # 0.2 m cos(30 t) upward
for i, pivot in enumerate(pivots):
    t = i * film("own_shaken_pendulum")["step"]
    assert math.dist(pivot, (0, 0.2 * math.cos(30 * t))) < 3e-4, (t, pivot)
meets("car_axis", [(0, 1, 1), (2, 3, 1)], 1e-2)  # the axis, and the lever from the left to the right end of the road
chain = film("own_fput")  # walls, right and left ends of two stiff springs; springs from wall to wall, soft and stiff
assert sorted(map(sorted, ((a, b) for a, b, _ in chain["lines"]))) == [[0, 3], [1, 3], [1, 4], [2, 4], [2, 5]], chain["lines"]
disk = film("own_rolling_disk")
for frame in disk["panels"][0]:  # the plane of the disk is spanned by two radii; its lowest point is on the ground
    centre, u, v = (place(frame, k, 3) for k in (0, 1, 3))
    slope = math.hypot(u[2] - centre[2], v[2] - centre[2])
    assert abs(centre[2] - slope) < 3e-4, frame
END
python3 facts.py 2>err || fail "$(tail -2 err)"
grep -q '<b>rattle</b>' pendulum.html || fail "the page does not name its steppers"
grep -q 'src=\|href=' pendulum.html && fail "the page needs other files"

# A film: 100 frames of a hundredth of a second would be too fast for a GIF; every fourth step is a frame.
"$STEPBENCH" animate -p kepler -s verlet --h 1/100 --t-end 1 -o kepler.gif 2>err || fail "GIF: $(cat err)"
python3 -c 'd = open("kepler.gif", "rb").read(); assert d[:6] == b"GIF89a" and d.count(b"\x21\xf9\x04") == 26, d.count(b"\x21\xf9\x04")' ||
    fail "the GIF has other frames"
mkdir bin
printf '#!/bin/sh\nfor last; do :; done\nhead -c 6 "$7" >"$last"\n' >bin/ffmpeg
chmod +x bin/ffmpeg
echo mine >kepler.mp4.gif # a file of the user
PATH="$PWD/bin:$PATH" "$STEPBENCH" animate -p kepler -s verlet --h 1/10 --t-end 1 -o kepler.mp4 2>err ||
    fail "MP4: $(cat err)"
[ "$(cat kepler.mp4)" = GIF89a ] && [ "$(cat kepler.mp4.gif)" = mine ] || fail "ffmpeg was not given the GIF, or it replaces a file"

# A program that is missing is missed before the run, which would last for hours.
mkdir few none
ln -s "$(command -v gnuplot)" few/gnuplot
for film in none/film.gif few/film.mp4; do
    status=0
    timeout 20 env PATH="$PWD/${film%/*}" "$STEPBENCH" animate -p double_pendulum -s rk4 --h 1e-9 --t-end 100 -o $film 2>err || status=$?
    [ $status -eq 1 ] && grep -q 'needs \(gnuplot\|ffmpeg\), which is not installed' err || fail "$film: exit status $status: $(cat err)"
done

refused() { # refused STATUS PATTERN ARGUMENTS...
    expected=$1 pattern=$2 status=0
    shift 2
    "$STEPBENCH" animate "$@" 2>err || status=$?
    [ $status -eq "$expected" ] && grep -q "$pattern" err || fail "animate $*: exit status $status: $(cat err)"
    [ ! -e none.html ] || fail "animate $*: wrote a file"
}
"$STEPBENCH" new problem own --from oscillator --out-of-tree >/dev/null || fail "new problem: status $?"
"$STEPBENCH" --plugin own/own.c list problems --format csv | grep -q '^own,.*,no$' || fail "list problems: own has a picture"
# A picture that a problem brings, in C and in Python.
sed 's/^    .init = init,/    .init = init,\n    .picture = PICTURE,/' own/own.c >own/drawn.c
drawn() { # drawn PICTURE: the same problem with this picture
    sed "s|PICTURE|\"$1\"|" own/drawn.c >own/mine.c
}
drawn 'dimension,point,x,lines\\n2g,wall,-3,\\n,body,q0,~wall\\n'
"$STEPBENCH" --plugin own/mine.c animate -p own -s rk4 --h 1/10 --t-end 1 -o own.html 2>err || fail "a picture of its own: $(cat err)"
"$STEPBENCH" --plugin own/mine.c run -p own -s rk4 --h 1/10 --t-end 1 --columns q0 --format csv | grep -v '^[#q]' >rows
python3 -c '
import json
f = json.loads(open("own.html").read().split("const film = ", 1)[1].split(";\n", 1)[0])
rows = [float(x) for x in open("rows")]
assert (f["gravity"], f["fixed"], f["lines"]) == ([0, -1], [0], [[0, 1, 1]]), f["lines"]
assert len(rows) == len(f["panels"][0]) == 11
assert all(x[:2] == [-3, 0] and abs(x[2] - q) < 1e-5 and x[3] == 0 for x, q in zip(f["panels"][0], rows))' 2>err || fail "$(tail -1 err)"
grep -q '"fixed":\[0\],' pendulum.html || grep -q '"fixed": \[0\]' pendulum.html || fail "the pivot of the pendulum is not fixed"
while IFS='|' read -r picture pattern; do
    drawn "$picture"
    refused 2 "$pattern" --plugin own/mine.c -p own -s rk4 --h 1/10 --t-end 1 -o none.html
done <<'END'
point,x\\nbody,q7\\n|point body: "q7" is beyond the 1 coordinates
point,x\\nbody,q0x\\n|point body: "q0x" cannot be read
point,from\\nbody,q0\\n|point body: "q0" is beyond
point,turned\\nbody,e0\\n|point body: "e0" is beyond
point,turned\\nbody,b0\\n|point body: "b0" cannot be read
point,lines\\nbody,wall\\n|point body: "wall" cannot be read
point,each,x\\nbody,9,q0\\n|point body: "9" cannot be read
dimension,point\\n4,body\\n|point body: "4" cannot be read
point,place\\nbody,q0\\n|no column is named "place"
point,x\\n|has no point
point,x\\nbody\\n|the picture of own: the row after line 1 has 1 cells, the header has 2
point,x\\nbody,q0+q0+q0+q0+q0\\n|point body: "q0" cannot be read
END
refused 2 'no picture of own; animate draws mechanism, pendulum.*problems with a member `picture`' --plugin own/own.c -p own -s rk4 --h 1/10 --t-end 1 -o none.html
refused 2 'which a formulation has replaced; leave out -w' -p pendulum -w chart -s rk4 --h 1/10 --t-end 1 -o none.html
refused 2 'writes a file: -o FILE.html' -p kepler -s rk4 --h 1/10 --t-end 1 -o none.png
refused 2 '1000001 frames; it takes 2 to 5000: change --fps' -p kepler -s rk4 --h 1e-3 --t-end 1000 --fps 1000 -o none.html
refused 2 'one problem and 1 to 4 steppers' -p kepler -p plane -s rk4 --h 1/10 --t-end 1 -o none.html
